/* The candy wrapper of Kavan, O'Sullivan & Zara 2006: a neck and a shoulder of the creature twisted
 * by half a turn. Spherical and dual skinning keep the limb's radius where linear blending lets it
 * fall in, and their bounds stay tight around it.
 */
#include "harness.h"
#include "scenes/synth.h"
#include "support/own.h"

#include <graze/ext/inspect.h>
#include <graze/graze.h>
#include <graze/rig.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct wrapper {
    graze_rig *rig;
    float joints[12 * 64]; /* at the fullest twist */
} wrapper;

static wrapper wrapper_make(void)
{
    wrapper w = {0};
    const graze_synth_def def = {.kind = GRAZE_SYNTH_CREATURE, .triangles = 4000};
    if (graze_synth(&def, NULL, &w.rig, NULL) || w.rig->joint_count > 64)
        abort();
    uint32_t clip = graze_rig_find_clip(w.rig, "candy");
    CHECK(clip != GRAZE_NONE && graze_rig_sample(w.rig, clip, 1, w.joints, NULL) == GRAZE_OK);
    return w;
}

static graze_body *posed_body(const wrapper *w, graze_skinning kind, graze_refit refit,
                              graze_model **model)
{
    graze_model_def def = graze_rig_model_def(w->rig);
    graze_pose pose = {
        .joints = w->joints, .joint_count = w->rig->joint_count, .layout = GRAZE_ROWS_3X4};
    graze_body *body = NULL;
    def.skinning = kind;
    def.tree = graze_paper_tree();
    def.tree.refit = refit;
    if (graze_model_create(&def, model, NULL) || graze_body_create(*model, &body, NULL) ||
        graze_body_set_pose(body, &pose, NULL))
        abort();
    return body;
}

/* ---- vertices ----------------------------------------------------------------------------- */

static uint32_t find_joint(const graze_rig *rig, const char *name)
{
    for (uint32_t j = 0; j < rig->joint_count; j++)
        if (strcmp(rig->nodes[rig->joints[j].node].name, name) == 0)
            return j;
    abort();
}

/* An axis: a point and a unit direction. */
typedef struct axis {
    double point[3], along[3];
} axis;

/* Where two maps that differ by a turn about an axis agree, at rest: with M = A^-1 B, M x = x. */
static axis axis_between(const float *a, const float *b)
{
    axis found;
    double turn[3][3], move[3], sine = 0, trace = 0, inside = 0, across[3];
    for (int i = 0; i < 3; i++) {
        move[i] = 0;
        for (int k = 0; k < 3; k++) {
            turn[i][k] = 0;
            move[i] += a[4 * k + i] * ((double)b[4 * k + 3] - a[4 * k + 3]);
            for (int l = 0; l < 3; l++)
                turn[i][k] += (double)a[4 * l + i] * b[4 * l + k];
        }
        trace += turn[i][i];
    }
    for (int i = 0; i < 3; i++) {
        found.along[i] = turn[(i + 2) % 3][(i + 1) % 3] - turn[(i + 1) % 3][(i + 2) % 3];
        sine += found.along[i] * found.along[i];
    }
    double angle = atan2(sqrt(sine), trace - 1), cotangent = 1 / tan(angle / 2);
    for (int i = 0; i < 3; i++) {
        found.along[i] /= sqrt(sine);
        inside += found.along[i] * move[i];
    }
    for (int i = 0; i < 3; i++)
        move[i] -= inside * found.along[i];
    for (int i = 0; i < 3; i++)
        across[i] = found.along[(i + 1) % 3] * move[(i + 2) % 3] -
                    found.along[(i + 2) % 3] * move[(i + 1) % 3];
    for (int i = 0; i < 3; i++)
        found.point[i] = 0.5 * (move[i] + cotangent * across[i]);
    return found;
}

static axis axis_moved(const axis *from, const float *map)
{
    axis moved;
    for (int i = 0; i < 3; i++) {
        moved.point[i] = map[4 * i + 3];
        moved.along[i] = 0;
        for (int k = 0; k < 3; k++) {
            moved.point[i] += map[4 * i + k] * from->point[k];
            moved.along[i] += map[4 * i + k] * from->along[k];
        }
    }
    return moved;
}

static double distance_from(const axis *from, const float point[3])
{
    double square = 0, along = 0;
    for (int i = 0; i < 3; i++) {
        double d = point[i] - from->point[i];
        square += d * d;
        along += d * from->along[i];
    }
    return sqrt(square - along * along);
}

/* How much of its distance from the twisted axis a vertex keeps that follows both joints about
 * alike and hardly any other: the least and the most. Returns how many there are.
 */
static uint32_t kept_radius(const wrapper *w, graze_skinning kind, const char *name,
                            double range[2])
{
    const graze_rig *rig = w->rig;
    uint32_t own = find_joint(rig, name), parent = 0, count = 0;
    while (rig->joints[parent].node != rig->nodes[rig->joints[own].node].parent)
        parent++;
    axis rest = axis_between(w->joints + 12 * (size_t)parent, w->joints + 12 * (size_t)own);
    axis now = axis_moved(&rest, w->joints + 12 * (size_t)parent);
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = posed_body(w, kind, GRAZE_REFIT_DEFAULT, &model);
    OWNED float *posed = malloc(3 * sizeof *posed * rig->vertex_count);
    if (!posed)
        abort();
    graze_body_get_positions(body, posed);
    range[0] = INFINITY;
    range[1] = 0;
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        float weights[2] = {0, 0};
        for (uint32_t i = rig->influence_offsets[v]; i < rig->influence_offsets[v + 1]; i++)
            for (uint32_t k = 0; k < 2; k++)
                if (rig->influences[i].joint == (k ? own : parent))
                    weights[k] += rig->influences[i].weight;
        if (weights[0] < 0.4f || weights[1] < 0.4f || weights[0] + weights[1] < 0.98f)
            continue;
        double before = distance_from(&rest, rig->positions + 3 * (size_t)v);
        double kept = distance_from(&now, posed + 3 * (size_t)v) / before;
        range[0] = fmin(range[0], kept);
        range[1] = fmax(range[1], kept);
        count++;
    }
    return count;
}

TEST(only_linear_blending_falls_in)
{
    static const char *const names[] = {"neck.5", "upper_arm.R"};
    static const char *const kinds[] = {"linear", "spherical", "dual"};
    wrapper w = wrapper_make();
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (int kind = 0; kind < 3; kind++) {
            double range[2];
            uint32_t count = kept_radius(&w, (graze_skinning)kind, names[n], range);
            printf("     %s, %s: %.3f to %.3f of the radius, %u vertices\n", names[n], kinds[kind],
                   range[0], range[1], count);
            CHECK(count >= 4);
            if (kind == GRAZE_LINEAR)
                CHECK_MSG(range[0] > 0.2 && range[1] < 0.5, "%g to %g", range[0], range[1]);
            else
                CHECK_MSG(range[0] > 0.97 && range[1] < 1.03, "%g to %g", range[0], range[1]);
        }
    graze_rig_destroy(w.rig);
}

/* ---- bounds ------------------------------------------------------------------------------- */

enum { LEVELS = 5 };

/* Mean radius per level over that of the smallest spheres around the same skin. */
static void measure(const wrapper *w, graze_skinning kind, graze_refit refit, double ratio[LEVELS])
{
    double sums[LEVELS][2] = {{0}};
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = posed_body(w, kind, refit, &model);
    uint32_t nodes = graze_model_get_info(model).node_count;
    for (uint32_t n = 0; n < nodes; n++)
        for (int which = 0; which < 2; which++) {
            graze_node_view view;
            if (graze_body_view_node(body, n, (graze_node_bound)which, &view))
                abort();
            if (view.level >= LEVELS)
                break;
            sums[view.level][which] += view.radius;
        }
    for (int l = 0; l < LEVELS; l++)
        ratio[l] = sums[l][0] / sums[l][1];
}

TEST(bounds_stay_tight_around_the_twist)
{
    double spherical[LEVELS], caps[LEVELS], dual[LEVELS];
    wrapper w = wrapper_make();
    measure(&w, GRAZE_SPHERICAL, GRAZE_REFIT_DEFAULT, spherical);
    measure(&w, GRAZE_SPHERICAL, GRAZE_REFIT_CORNERS, caps);
    measure(&w, GRAZE_DUAL, GRAZE_REFIT_DEFAULT, dual);
    for (int l = 0; l < LEVELS; l++) {
        printf("     level %d: spherical %.3f, by caps %.3f, dual %.3f of the best\n", l + 1,
               spherical[l], caps[l], dual[l]);
        CHECK_MSG(spherical[l] >= 1 && dual[l] >= 1, "level %d is too small", l + 1);
        CHECK_MSG(spherical[l] <= caps[l] || l > 2, "level %d: %g, by caps %g", l + 1, spherical[l],
                  caps[l]);
        CHECK_MSG(spherical[l] <= 1.25 && dual[l] <= 1.25, "level %d: %g and %g", l + 1,
                  spherical[l], dual[l]);
    }
    graze_rig_destroy(w.rig);
}
