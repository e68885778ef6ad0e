#include "cli/simulate_kinds.h"

#include "cli/field_model.h"
#include "cli/room.h"
#include "cli/simulate_fields.h"
#include "cli/vector.h"
#include "scenes/bridge.h"
#include "scenes/synth.h"

#include <graze/ext/inspect.h>

typedef struct thing_row {
    const char *name;
    graze_synth_kind mesh;
    bool animated;
    simulate_sheet sheet; /* of a free one, and its modes; of an animated one how many fields */
    double max_strain;
    struct {
        double stiffness, damping, friction;
    } contact;
    uint32_t level; /* of proxies; 0: it has none */
    uint32_t patch; /* triangles of a leaf of that tree, for what it meets by triangles */
} thing_row;

/* Polyethylene of 5 mm. The paper does not say what its chairs are made of: this is what garden
 * chairs are, and ten of its modes are slow enough for 150 steps a second. Fish are of soft rubber
 * with walls so thick that all three modes bend or twist the whole fish. Stiffness of contacts is
 * such that a body at rest sinks some tenths of a millimetre.
 */
static const thing_row rows[SIMULATE_THING_COUNT] = {
    [SIMULATE_CHAIR] = {.name = "chair",
                        .mesh = GRAZE_SYNTH_CHAIR,
                        .sheet = {0.005, 1.1e9, 0.4, 950, 0.03, 10},
                        .max_strain = 0.03,
                        .contact = {2e5, 1000, 0.35},
                        .level = 10,
                        .patch = 1},
    [SIMULATE_FISH] = {.name = "fish",
                       .mesh = GRAZE_SYNTH_FISH,
                       .sheet = {0.022, 2e6, 0.45, 1000, 0.06, 3},
                       .max_strain = 0.12,
                       .contact = {1e5, 800, 0.5},
                       .level = 7,
                       .patch = 32},
    [SIMULATE_BRIDGE] = {.name = "bridge",
                         .mesh = GRAZE_SYNTH_BRIDGE,
                         .animated = true,
                         .sheet = {.mode_count = 10},
                         .contact = {1e6, 8000, 0.5}},
    [SIMULATE_CURTAIN] = {.name = "curtain",
                          .mesh = GRAZE_SYNTH_CURTAIN,
                          .animated = true,
                          .sheet = {.mode_count = 12},
                          .contact = {2e4, 40, 0.3}},
    [SIMULATE_BALL] = {.name = "ball",
                       .mesh = GRAZE_SYNTH_BALL,
                       .sheet = {.thickness = 0.002, .density = 1000},
                       .contact = {4e4, 80, 0.4}}};

graze_rig *simulate_make_rig(const graze_rig *mesh, const char *name, uint32_t field_count,
                             const char *clip, uint32_t key_count, bool moves)
{
    const field_sizes sizes = {
        name, mesh->triangles, mesh->vertex_count, mesh->triangle_count, field_count, clip != NULL};
    graze_rig *rig = field_rig_create(&sizes);
    if (clip)
        field_rig_add_clip(rig, 0, clip, key_count, moves);
    return rig;
}

/* ---- mass ----------------------------------------------------------------------------------- */

static void corners_of(const float *positions, const uint32_t *triangle, double at[3][3])
{
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            at[c][k] = (double)positions[(size_t)triangle[c] * 3 + (size_t)k];
}

static double area_of(const double at[3][3])
{
    double a[3], b[3], normal[3];
    for (int k = 0; k < 3; k++) {
        a[k] = at[1][k] - at[0][k];
        b[k] = at[2][k] - at[0][k];
    }
    cross(a, b, normal);
    return 0.5 * length_of(normal);
}

/* Of the sheet: mass, centre of mass, and second moments about the origin, sums of m x_i x_k. */
static void weigh(const graze_rig *mesh, const float *positions, double kg_m2, double *mass,
                  double centre[3], double moments[9])
{
    *mass = 0;
    memset(centre, 0, 3 * sizeof *centre);
    memset(moments, 0, 9 * sizeof *moments);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        double at[3][3];
        corners_of(positions, mesh->triangles + t * 3, at);
        double third = kg_m2 * area_of((const double(*)[3])at) / 3;
        *mass += 3 * third;
        for (int c = 0; c < 3; c++)
            for (int i = 0; i < 3; i++) {
                centre[i] += third * at[c][i];
                for (int k = 0; k < 3; k++)
                    moments[i * 3 + k] += third * at[c][i] * at[c][k];
            }
    }
    for (int k = 0; k < 3; k++)
        centre[k] /= *mass;
}

/* Positions of a free thing around its centre of mass, its mass and inertia. */
static void settle(const graze_rig *mesh, double kg_m2, float *positions, simulate_kind *kind)
{
    double centre[3], moments[9];
    weigh(mesh, mesh->positions, kg_m2, &kind->mass, centre, moments);
    for (size_t i = 0; i < (size_t)mesh->vertex_count * 3; i++)
        positions[i] = (float)((double)mesh->positions[i] - centre[i % 3]);
    weigh(mesh, positions, kg_m2, &kind->mass, centre, moments);
    double trace = moments[0] + moments[4] + moments[8];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            kind->inertia[i * 3 + k] = (i == k ? trace : 0) - moments[i * 3 + k];
}

static void measure_size(simulate_kind *kind)
{
    const graze_rig *rig = kind->rig;
    double low[3], high[3];
    box_of(rig->positions, rig->vertex_count, low, high);
    for (int k = 0; k < 3; k++)
        kind->size[k] = high[k] - low[k];
    for (size_t v = 0; v < rig->vertex_count; v++) {
        const float *p = rig->positions + v * 3;
        kind->radius = fmax(kind->radius, length_of((const double[3]){p[0], p[1], p[2]}));
    }
}

/* ---- strain --------------------------------------------------------------------------------- */

/* The largest stretch, or the reverse, of a triangle in its plane whose corners move by so much. */
static double strain_of(const double at[3][3], const double moves[3][3])
{
    double e[2][3], d[2][3], along[3], normal[3], across[3];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++) {
            e[i][k] = at[i + 1][k] - at[0][k];
            d[i][k] = moves[i + 1][k] - moves[0][k];
        }
    cross(e[0], e[1], normal);
    double a = length_of(e[0]), twice = length_of(normal);
    if (!(a > 0 && twice > 0))
        return 0;
    for (int k = 0; k < 3; k++) {
        along[k] = e[0][k] / a;
        normal[k] /= twice;
    }
    cross(normal, along, across);
    double b = 0, c = twice / a, xx = 0, yy = 0, xy = 0;
    for (int k = 0; k < 3; k++)
        b += e[1][k] * along[k];
    for (int k = 0; k < 3; k++) {
        double by_x = d[0][k] / a, by_y = (d[1][k] - b * by_x) / c;
        xx += along[k] * by_x;
        yy += across[k] * by_y;
        xy += 0.5 * (across[k] * by_x + along[k] * by_y);
    }
    double mean = 0.5 * (xx + yy), half = 0.5 * (xx - yy);
    return fabs(mean) + sqrt(half * half + xy * xy);
}

static void find_strains(simulate_kind *kind)
{
    const graze_rig *rig = kind->rig;
    for (uint32_t m = 0; m < kind->field_count; m++)
        for (size_t t = 0; t < rig->triangle_count; t++) {
            double at[3][3], moves[3][3];
            corners_of(rig->positions, rig->triangles + t * 3, at);
            corners_of(rig->morphs[m].deltas, rig->triangles + t * 3, moves);
            double strain = strain_of((const double(*)[3])at, (const double(*)[3])moves);
            kind->strains[m] = strain > kind->strains[m] ? strain : kind->strains[m];
        }
}

/* ---- making a free one ---------------------------------------------------------------------- */

static graze_status make_free(const simulate_kind_def *def, const thing_row *row,
                              const graze_rig *mesh, simulate_kind *kind, graze_error *error)
{
    const size_t size = (size_t)mesh->vertex_count * 3;
    float *positions = room(size, sizeof *positions);
    graze_status status = GRAZE_OK;
    settle(mesh, row->sheet.thickness * row->sheet.density, positions, kind);
    if (def->rigid || row->sheet.mode_count == 0) {
        kind->rig = simulate_make_rig(mesh, row->name, 0, NULL, 0, false);
        memcpy(kind->rig->positions, positions, size * sizeof *positions);
    } else {
        status =
            simulate_find_modes(&row->sheet, positions, mesh, def->most_frequency, kind, error);
    }
    free(positions);
    if (!status)
        find_strains(kind);
    return status;
}

/* ---- making an animated one ----------------------------------------------------------------- */

/* The whole animation as a clip, its first frame again behind its last. */
static void fill_clip(simulate_kind *kind)
{
    graze_rig_clip *clip = &kind->rig->clips[0];
    for (uint32_t c = 0; c < clip->channel_count; c++) {
        graze_rig_channel *channel = &clip->channels[c];
        for (uint32_t i = 0; i < channel->key_count; i++) {
            const size_t f = i % kind->frame_count;
            const double *motion = kind->motion ? kind->motion + f * 7 : NULL;
            channel->times[i] = (float)(i * kind->frame_seconds);
            if (channel->path == GRAZE_RIG_TRANSLATION)
                for (size_t k = 0; k < 3; k++)
                    channel->values[i * 3 + k] = (float)motion[k];
            else if (channel->path == GRAZE_RIG_ROTATION)
                for (size_t k = 0; k < 4; k++)
                    channel->values[i * 4 + k] = (float)motion[3 + k];
            else
                for (size_t k = 0; k < kind->field_count; k++)
                    channel->values[(size_t)i * kind->field_count + k] =
                        (float)kind->weights[f * kind->field_count + k];
        }
    }
    clip->seconds = (float)(kind->frame_count * kind->frame_seconds);
}

/* The curtain's own fields, and the weights of its clip. */
static void make_curtain(const graze_rig *mesh, bool rigid, simulate_kind *kind)
{
    const graze_rig_channel *wind = mesh->clips[0].channels;
    const uint32_t fields = mesh->morph_count;
    kind->frame_count = wind->key_count - 1;
    kind->frame_seconds = (double)mesh->clips[0].seconds / kind->frame_count;
    kind->field_count = rigid ? 0 : fields;
    kind->rig = simulate_make_rig(mesh, kind->name, kind->field_count, rigid ? NULL : "wind",
                                  kind->frame_count + 1, false);
    kind->weights = room((size_t)kind->frame_count * fields, sizeof *kind->weights);
    for (size_t i = 0; i < (size_t)kind->frame_count * fields; i++)
        kind->weights[i] = (double)wind->values[i];
    memcpy(kind->rig->positions, mesh->positions,
           (size_t)mesh->vertex_count * 3 * sizeof *mesh->positions);
    for (uint32_t m = 0; m < fields; m++) {
        const graze_rig_morph *morph = &mesh->morphs[m];
        for (size_t i = 0; i < morph->count; i++)
            for (size_t k = 0; k < 3; k++) {
                const size_t to = (size_t)morph->vertices[i] * 3 + k;
                if (rigid)
                    kind->rig->positions[to] += wind->values[m] * morph->deltas[i * 3 + k];
                else
                    kind->rig->morphs[m].deltas[to] = morph->deltas[i * 3 + k];
            }
    }
    if (!rigid)
        fill_clip(kind);
}

static void sway(const graze_rig *mesh, double phase, float *positions)
{
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        const float *rest = mesh->positions + v * 3;
        grazei_vec at = grazei_bridge_sway(vec_make(rest[0], rest[1], rest[2]), phase);
        positions[v * 3] = (float)at.x;
        positions[v * 3 + 1] = (float)at.y;
        positions[v * 3 + 2] = (float)at.z;
    }
}

/* Frames of the sway, and their components. */
static graze_status make_bridge(const graze_rig *mesh, const simulate_kind_def *def, uint32_t most,
                                simulate_kind *kind, graze_error *error)
{
    const size_t size = (size_t)mesh->vertex_count * 3;
    kind->frame_count = GRAZEI_BRIDGE_FRAMES;
    kind->frame_seconds = GRAZEI_BRIDGE_SECONDS / GRAZEI_BRIDGE_FRAMES;
    if (def->rigid) {
        kind->rig = simulate_make_rig(mesh, kind->name, 0, NULL, 0, false);
        sway(mesh, 0, kind->rig->positions);
        return GRAZE_OK;
    }
    float *frames = room(kind->frame_count * size, sizeof *frames);
    for (uint32_t f = 0; f < kind->frame_count; f++)
        sway(mesh, (double)f / kind->frame_count, frames + f * size);
    graze_status status = simulate_find_components(frames, most, mesh, kind, error);
    if (!status)
        fill_clip(kind);
    free(frames);
    return status;
}

void simulate_kind_animate(const simulate_kind *kind, double seconds, double position[3],
                           double rotation[4], double *weights)
{
    const uint32_t count = kind->frame_count;
    const double place = kind->field_count ? seconds / kind->frame_seconds : 0;
    const double whole = floor(place), t = place - whole;
    const uint32_t at = (uint32_t)(whole - count * floor(whole / count));
    /* Catmull and Rom's cubic through four frames. */
    const double shares[4] = {0.5 * t * (-1 + t * (2 - t)), 0.5 * (2 + t * t * (3 * t - 5)),
                              0.5 * t * (1 + t * (4 - 3 * t)), 0.5 * t * t * (t - 1)};
    double motion[7] = {0, 0, 0, 0, 0, 0, kind->motion ? 0 : 1}, length = 0;
    for (uint32_t c = 0; c < kind->field_count; c++)
        weights[c] = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const size_t f = (at + count - 1 + i) % count;
        for (uint32_t c = 0; c < kind->field_count; c++)
            weights[c] += shares[i] * kind->weights[f * kind->field_count + c];
        for (uint32_t k = 0; kind->motion && k < 7; k++)
            motion[k] += shares[i] * kind->motion[f * 7 + k];
    }
    for (int k = 3; k < 7; k++)
        length += motion[k] * motion[k];
    memcpy(position, motion, 3 * sizeof *position);
    for (int k = 0; k < 4; k++)
        rotation[k] = motion[3 + k] / sqrt(length);
}

/* ---- kinds ---------------------------------------------------------------------------------- */

static graze_status make_model(const simulate_kind_def *def, const thing_row *row,
                               simulate_kind *kind, graze_error *error)
{
    graze_model_def model = graze_rig_model_def(kind->rig);
    model.no_self_collision = true;
    const bool proxies = def->contacts == SIMULATE_PROXIES && row->level;
    if (proxies || def->contacts == SIMULATE_EXACT_PAPER) {
        model.tree = graze_paper_tree();
        model.tree.collapse = 1; /* the binary tree of 2004 */
    }
    if (proxies) {
        model.tree.contact_level = def->level ? def->level : row->level;
        model.tree.patch_triangles = row->patch;
    }
    return graze_rig_create_model(kind->rig, &model, &kind->model, error);
}

static graze_status fill(const simulate_kind_def *def, const thing_row *row, const graze_rig *mesh,
                         simulate_kind *kind, graze_error *error)
{
    graze_status status = GRAZE_OK;
    kind->thing = def->thing;
    kind->name = row->name;
    kind->animated = row->animated;
    kind->max_strain = row->max_strain;
    kind->stiffness = row->contact.stiffness;
    kind->contact_damping = row->contact.damping;
    kind->friction = row->contact.friction;
    if (!row->animated)
        status = make_free(def, row, mesh, kind, error);
    else if (def->thing == SIMULATE_BRIDGE)
        status = make_bridge(mesh, def, row->sheet.mode_count, kind, error);
    else
        make_curtain(mesh, def->rigid, kind);
    if (status)
        return status;
    measure_size(kind);
    return make_model(def, row, kind, error);
}

graze_status simulate_refuse(graze_error *error, const char *text)
{
    if (error) {
        error->status = GRAZE_BAD_INPUT;
        snprintf(error->text, sizeof error->text, "%s", text);
    }
    return GRAZE_BAD_INPUT;
}

graze_status simulate_kind_create(const simulate_kind_def *def, simulate_kind **kind,
                                  graze_error *error)
{
    graze_error own;
    graze_rig *mesh = NULL;
    error = error ? error : &own;
    if ((uint32_t)def->thing >= SIMULATE_THING_COUNT)
        return simulate_refuse(error, "there is no such thing to simulate");
    const thing_row *row = &rows[def->thing];
    graze_synth_def synth = {row->mesh, def->triangles, 0};
    graze_status status = graze_synth(&synth, NULL, &mesh, error);
    if (status)
        return status;
    simulate_kind *made = room(1, sizeof *made);
    status = fill(def, row, mesh, made, error);
    graze_rig_destroy(mesh);
    if (status)
        simulate_kind_destroy(made);
    else
        *kind = made;
    return status;
}

void simulate_kind_destroy(simulate_kind *kind)
{
    if (!kind)
        return;
    graze_model_destroy(kind->model);
    graze_rig_destroy(kind->rig);
    free(kind->weights);
    free(kind->motion);
    free(kind);
}
