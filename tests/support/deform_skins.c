#include "support/deform_skins.h"

#include <math.h>
#include <stdlib.h>

static uint32_t below(test_random *random, uint32_t count)
{
    return test_random_u32(random) % count;
}

/* ---- skins -------------------------------------------------------------------------------- */

enum { FIELD_SMOOTH, FIELD_SPARSE, FIELD_LONE, FIELD_ALIKE, FIELD_FAINT, FIELD_NONE, FIELD_TWICE };

/* A displacement of vertex v: a wave, or noise. */
static void displace(uint32_t kind, uint32_t v, double phase, double size, test_random *random,
                     float delta[3])
{
    for (int k = 0; k < 3; k++) {
        double amount = 0.4 * sin(0.2 * v + phase + 2 * k) * size;
        if (kind == FIELD_ALIKE)
            amount = 0.4 * cos(phase + k) * size;
        else if (kind == FIELD_FAINT)
            amount = sin(v + k) * pow(10, -4 - 6 * phase / 7) * size;
        else if (kind != FIELD_SMOOTH)
            amount = test_random_range(random, -0.5, 0.5) * size;
        delta[k] = (float)amount;
    }
}

static graze_morph_target make_field(uint32_t kind, const soup_def *def, test_random *random)
{
    uint32_t most = def->vertex_count, count = 0;
    uint32_t *vertices = malloc(2 * most * sizeof *vertices);
    float *deltas = malloc(6 * most * sizeof *deltas);
    double phase = test_random_range(random, 0, 7);
    uint32_t lone = below(random, most);
    if (!vertices || !deltas)
        abort();
    for (uint32_t v = 0; v < most; v++) {
        if (kind == FIELD_NONE || (kind == FIELD_LONE && v != lone) ||
            (kind == FIELD_SPARSE && below(random, 8)))
            continue;
        for (uint32_t i = 0; i <= (kind == FIELD_TWICE); i++) {
            displace(kind, v, phase, def->size, random, deltas + 3 * (size_t)count);
            vertices[count++] = v;
        }
    }
    if (kind == FIELD_SMOOTH || kind == FIELD_ALIKE) { /* all vertices, in order */
        free(vertices);
        vertices = NULL;
    }
    return (graze_morph_target){vertices, deltas, count};
}

deform_skin deform_skin_make(const soup_def *def, uint32_t morph_count, test_random *random)
{
    deform_skin skin = {.mesh = soup_make(def, random), .morph_count = morph_count};
    skin.morphs = calloc(morph_count + (size_t)1, sizeof *skin.morphs);
    if (!skin.morphs)
        abort();
    for (uint32_t m = 0; m < morph_count; m++)
        skin.morphs[m] = make_field(below(random, FIELD_TWICE + 1), def, random);
    return skin;
}

void deform_skin_free(deform_skin *skin)
{
    for (uint32_t m = 0; m < skin->morph_count; m++) {
        free((void *)skin->morphs[m].vertices);
        free((void *)skin->morphs[m].deltas);
    }
    free(skin->morphs);
    soup_free(&skin->mesh);
}

graze_model_def deform_skin_def(const deform_skin *skin, graze_skinning kind)
{
    graze_model_def def = soup_model_def(&skin->mesh);
    def.skinning = kind;
    def.morphs = skin->morphs;
    def.morph_count = skin->morph_count;
    return def;
}

/* ---- poses -------------------------------------------------------------------------------- */

static void random_axis(test_random *random, double axis[3])
{
    double length = 0;
    while (length < 1e-2 || length > 1) {
        length = 0;
        for (int k = 0; k < 3; k++) {
            axis[k] = test_random_range(random, -1, 1);
            length += axis[k] * axis[k];
        }
    }
    for (int k = 0; k < 3; k++)
        axis[k] /= sqrt(length);
}

/* The turn of the quaternion x y z w, of any length. */
static void turn_of(const double q[4], double m[3][3])
{
    double n = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 3; i++) {
        int a = (i + 1) % 3, b = (i + 2) % 3;
        m[i][i] = 1 - n * (q[a] * q[a] + q[b] * q[b]);
        m[i][a] = n * (q[i] * q[a] - q[3] * q[b]);
        m[i][b] = n * (q[i] * q[b] + q[3] * q[a]);
    }
}

static void quaternion_about(const double axis[3], double angle, double q[4])
{
    for (int k = 0; k < 3; k++)
        q[k] = axis[k] * sin(0.5 * angle);
    q[3] = cos(0.5 * angle);
}

static double tiny_angle(test_random *random)
{
    return test_random_range(random, -1, 1) * pow(10, test_random_range(random, -8, -1));
}

/* The turn of joint j; axis belongs to the whole pose. */
static void make_quaternion(deform_pose_kind kind, uint32_t j, const double axis[3],
                            test_random *random, double q[4])
{
    double own[3];
    random_axis(random, own);
    quaternion_about(own, test_random_range(random, -3.15, 3.15), q);
    switch (kind) {
    case DEFORM_NEAR:
        quaternion_about(own, test_random_range(random, -0.1, 0.1), q);
        break;
    case DEFORM_HALF_TURNS:
        quaternion_about(own, 3.14159265358979 + tiny_angle(random), q);
        break;
    case DEFORM_APART:
        for (uint32_t k = 0; k < 4; k++) /* the fifth and so on in between them */
            q[k] = (k == j % 4) + (j < 4 ? 0 : test_random_range(random, -1, 1)) +
                   0.2 * tiny_angle(random);
        break;
    case DEFORM_ONE_AXIS:
        quaternion_about(axis,
                         below(random, 2) ? test_random_range(random, -3.15, 3.15)
                                          : 3.14159265358979 + tiny_angle(random),
                         q);
        break;
    case DEFORM_ALIKE:
        quaternion_about(own, 1e-6 * test_random_unit(random), q);
        break;
    case DEFORM_OPPOSED:
        quaternion_about(axis, (j % 2 ? 3.14159265358979 : 0) + tiny_angle(random), q);
        break;
    case DEFORM_SAME:
        quaternion_about(axis, 2, q);
        break;
    default:
        break;
    }
}

static void make_rigid(deform_pose_kind kind, uint32_t j, const float centre[3], double size,
                       const double axis[3], test_random *random, float map[12])
{
    double q[4], m[3][3], reach = kind == DEFORM_FAR ? 1e6 * size : size;
    make_quaternion(kind, j, axis, random, q);
    turn_of(q, m);
    /* About a point near the middle; then moved, or not, or only along the axis. */
    uint32_t dice = below(random, 3);
    double along = test_random_range(random, -size, size);
    for (int i = 0; i < 3; i++) {
        double about = centre[i] + (kind == DEFORM_SAME ? 0 : 0.2 * size * axis[i]);
        double moved = dice == 0   ? test_random_range(random, -reach, reach)
                       : dice == 1 ? along * axis[i]
                                   : 0;
        moved = kind == DEFORM_SAME ? 0.3 * size : moved + about;
        for (int k = 0; k < 3; k++) {
            double from = centre[k] + (kind == DEFORM_SAME ? 0 : 0.2 * size * axis[k]);
            map[4 * i + k] = (float)m[i][k];
            moved -= m[i][k] * from;
        }
        map[4 * i + 3] = (float)moved;
    }
}

void deform_pose_make(deform_pose_kind kind, const float centre[3], double size, uint32_t count,
                      test_random *random, float *maps)
{
    static const map_kind others[] = {MAP_SCALED, MAP_SHEARED, MAP_MIRRORED, MAP_SINGULAR};
    double axis[3];
    random_axis(random, axis);
    for (uint32_t j = 0; j < count; j++, maps += 12) {
        if (kind == DEFORM_LATTICE)
            do /* swaps may mirror */
                map_make(MAP_LATTICE, centre, size, random, maps);
            while ((maps[0] * (maps[5] * maps[10] - maps[6] * maps[9]) -
                    maps[1] * (maps[4] * maps[10] - maps[6] * maps[8]) +
                    maps[2] * (maps[4] * maps[9] - maps[5] * maps[8])) < 0);
        else if (kind <= DEFORM_ALMOST)
            make_rigid(kind, j, centre, size, axis, random, maps);
        else if (kind < DEFORM_MIXED)
            map_make(others[kind - DEFORM_SCALED], centre, size, random, maps);
        else if (below(random, 2))
            make_rigid(DEFORM_RANDOM, j, centre, size, axis, random, maps);
        else
            map_make(others[below(random, 4)], centre, size, random, maps);
        for (int i = 0; kind == DEFORM_ALMOST && i < 12; i++)
            maps[i] *= (float)(1 + (i % 4 < 3 ? test_random_range(random, -4e-5, 4e-5) : 0));
    }
}

void deform_weights_make(uint32_t count, test_random *random, float *weights)
{
    uint32_t kind = below(random, 8), lone = count ? below(random, count) : 0;
    for (uint32_t m = 0; m < count; m++) {
        double unit = test_random_unit(random);
        double value = kind == 0   ? 0
                       : kind == 1 ? (m == lone)
                       : kind == 2 ? unit
                       : kind == 3 ? -unit
                       : kind == 4 ? 10 * unit
                       : kind == 5 ? (m % 2 ? -1 : 1) * (5 + 1e-3 * unit)
                       : kind == 6 ? (2 * unit - 1) * pow(10, test_random_range(random, -6, 9))
                                   : (m == lone ? 3 * unit : 0);
        weights[m] = (float)value;
    }
}

bool deform_placement_make(double size, test_random *random, float placement[12])
{
    static const float origin[3] = {0, 0, 0};
    static const map_kind kinds[] = {MAP_RIGID,    MAP_FAR,      MAP_SCALED, MAP_SHEARED,
                                     MAP_MIRRORED, MAP_SINGULAR, MAP_TINY,   MAP_HUGE};
    uint32_t dice = below(random, 12);
    if (dice >= 8)
        return false;
    map_make(kinds[dice], origin, size, random, placement);
    return true;
}
