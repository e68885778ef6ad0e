#include "support/bounds_judge.h"

#include "harness.h"
#include "support/aligned.h"
#include "support/own.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const graze_isa isas[] = {GRAZE_ISA_BASE, GRAZE_ISA_AVX2, GRAZE_ISA_AVX512};

bounds_seen bounds_seen_start(void)
{
    bounds_seen seen = {0};
    for (int kind = 0; kind < 3; kind++)
        seen.least[kind][0] = seen.least[kind][1] = INFINITY;
    return seen;
}

void bounds_seen_add(bounds_seen *sum, const bounds_seen *seen)
{
    sum->poses += seen->poses;
    sum->nodes += seen->nodes;
    sum->refused += seen->refused;
    for (int i = 0; i < 6; i++)
        sum->least[i / 2][i % 2] = fmin(sum->least[i / 2][i % 2], seen->least[i / 2][i % 2]);
}

double bounds_seen_least(const bounds_seen *seen)
{
    double least = INFINITY;
    for (int i = 0; i < 6; i++)
        least = fmin(least, seen->least[i / 2][i % 2]);
    return least;
}

const char *skinning_name(graze_skinning kind)
{
    return kind == GRAZE_LINEAR ? "linear" : kind == GRAZE_SPHERICAL ? "spherical" : "dual";
}

void bounds_seen_print(const char *what, const bounds_seen *seen)
{
    printf("     %s: %llu poses (%llu more refused), %llu node-poses; least slack, boxes and "
           "spheres:",
           what, (unsigned long long)seen->poses, (unsigned long long)seen->refused,
           (unsigned long long)seen->nodes);
    for (int kind = 0; kind < 3; kind++)
        if (seen->least[kind][0] < INFINITY || seen->least[kind][1] < INFINITY)
            printf(" %s %.1f %.1f", skinning_name((graze_skinning)kind), seen->least[kind][0],
                   seen->least[kind][1]);
    printf("\n");
}

graze_tree_def bounds_tree(uint32_t number)
{
    graze_tree_def tree = number == 1 ? graze_paper_tree() : (graze_tree_def){0};
    if (number == 2) {
        tree.volume = GRAZE_SPHERES;
        tree.patch_triangles = 4;
    } else if (number == 3) {
        tree.patch_triangles = 2;
        tree.arity = 8;
    }
    return tree;
}

/* The functions of an instruction set, from a model that has them. */
static const grazei_deformer *deformer_of(graze_skinning kind, graze_isa isa)
{
    static const grazei_deformer *known[3][4];
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t triangle[3] = {0, 1, 2}, offsets[4] = {0, 1, 2, 3};
    static const graze_influence influences[3] = {{0, 1}, {0, 1}, {0, 1}};
    graze_model_def def = {0};
    def.positions = positions;
    def.vertex_count = 3;
    def.triangles = triangle;
    def.triangle_count = def.joint_count = 1;
    def.influence_offsets = offsets;
    def.influences = influences;
    def.skinning = kind;
    def.isa = isa;
    OWN(graze_model) *model = NULL;
    if (!known[kind][isa] && graze_model_create(&def, &model, NULL) == GRAZE_OK)
        known[kind][isa] = model->deformer;
    return known[kind][isa];
}

/* What is compared, for one body in one pose. */
typedef struct judgement {
    graze_body *body;
    const char *name;
    const grazei_bound *bounds;
    float (*boxes)[2][3]; /* exact box of each node's posed vertices */
    double scale[3];
    bounds_seen *seen;
} judgement;

static bool outside(const judgement *j, uint32_t node, double slack)
{
    const grazei_record *record = &j->body->model->skin.records[node];
    return test_check(false, __FILE__, __LINE__,
                      "%s: %s: a vertex is %g units outside node %u (record kind %d, %u joints)",
                      j->name, skinning_name(j->body->model->skin.kind), -slack, node, record->kind,
                      record->joints);
}

static void extend(float box[2][3], const float low[3], const float high[3])
{
    for (int k = 0; k < 3; k++) {
        box[0][k] = fminf(box[0][k], low[k]);
        box[1][k] = fmaxf(box[1][k], high[k]);
    }
}

/* Children have higher numbers than their parents. */
static void measure_boxes(judgement *j)
{
    const grazei_tree *tree = &j->body->model->tree;
    for (uint32_t n = tree->node_count; n-- > 0;) {
        const grazei_node *node = &tree->nodes[n];
        for (int k = 0; k < 3; k++) {
            j->boxes[n][0][k] = INFINITY;
            j->boxes[n][1][k] = -INFINITY;
        }
        for (uint32_t c = 0; c < node->count; c++)
            extend(j->boxes[n], j->boxes[node->first + c][0], j->boxes[node->first + c][1]);
        if (node->count)
            continue;
        const grazei_patch *patch = &tree->patches[node->first];
        for (uint32_t i = 0; i < patch->vertex_count; i++) {
            const float *point =
                j->body->cache.positions[tree->patch_vertices[patch->first_vertex + i]];
            extend(j->boxes[n], point, point);
        }
    }
}

static double slack_in_box(const judgement *j, uint32_t n)
{
    const grazei_bound *bound = &j->bounds[n];
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        double above = (double)j->boxes[n][0][k] + bound->low_negated[k];
        double below = (double)bound->high[k] - j->boxes[n][1][k];
        if (!(j->boxes[n][0][k] >= -bound->low_negated[k] && j->boxes[n][1][k] <= bound->high[k]))
            return -fmax(fabs(fmin(above, below)) / j->scale[k], 0x1p-149);
        least = fmin(least, fmin(above, below) / j->scale[k]);
    }
    return least;
}

/* Right to 1e-18 of the coordinates, far below a step of the floats. */
static double slack_in_sphere(const judgement *j, uint32_t n)
{
    const grazei_tree *tree = &j->body->model->tree;
    const grazei_bound *bound = &j->bounds[n];
    const uint32_t *range = tree->node_triangles[n];
    long double most = 0, c[3] = {bound->centre[0], bound->centre[1], bound->centre[2]};
    for (uint32_t i = range[0]; i < range[1]; i++)
        for (int corner = 0; corner < 3; corner++) {
            size_t at = 3 * (size_t)tree->patch_triangles[i] + (size_t)corner;
            const float *point = j->body->cache.positions[j->body->model->mesh.triangles[at]];
            long double x = point[0] - c[0], y = point[1] - c[1], z = point[2] - c[2];
            long double square = x * x + y * y + z * z;
            if (isnan(square))
                return -INFINITY;
            most = square > most ? square : most;
        }
    double slack = (double)(bound->radius - sqrtl(most));
    double length =
        sqrt(j->scale[0] * j->scale[0] + j->scale[1] * j->scale[1] + j->scale[2] * j->scale[2]);
    return slack >= 0 ? slack / length : -fmax(-slack / length, 0x1p-149); /* NaN is outside */
}

static bool judge_bounds(judgement *j)
{
    const graze_model *model = j->body->model;
    bool spheres = model->tree.def.volume == GRAZE_SPHERES;
    double *least = &j->seen->least[model->skin.kind][spheres];
    for (uint32_t n = 0; n < model->tree.node_count; n++) {
        double slack = spheres ? slack_in_sphere(j, n) : slack_in_box(j, n);
        *least = fmin(*least, slack);
        if (!(slack >= 0))
            return outside(j, n, slack);
    }
    j->seen->nodes += model->tree.node_count;
    return true;
}

static bool same_point(const float *x, const float *y)
{
    return memcmp(x, y, 3 * sizeof *x) == 0;
}

/* The lazy way gives the same bits as the eager one. */
static bool judge_patches(graze_body *body, const char *name)
{
    const grazei_tree *tree = &body->model->tree;
    graze_stats stats = {0};
    graze_body_drop_caches(body);
    for (uint32_t p = 0; p < tree->patch_count; p++)
        grazei_body_pose_patch(body, p, &stats);
    grazei_body_pose_all(body);
    for (uint32_t i = 0; i < tree->patch_vertex_count; i++)
        if (!same_point(body->cache.points[i], body->cache.positions[tree->patch_vertices[i]]))
            return test_check(false, __FILE__, __LINE__,
                              "%s: %s: vertex %u differs between patch and whole", name,
                              skinning_name(body->model->skin.kind), tree->patch_vertices[i]);
    return test_check(stats.patches_posed == tree->patch_count &&
                          stats.vertices_posed == tree->patch_vertex_count,
                      __FILE__, __LINE__, "%s: patches were not posed", name);
}

/* Every instruction set gives the same bits; other is room for all vertices. */
static bool judge_positions(graze_body *body, const grazei_deformer *deformer, float (*other)[4],
                            const char *name)
{
    const graze_model *model = body->model;
    const grazei_stream *stream = &model->skin.mesh_stream;
    grazei_batch_in batch = {
        (const float(*)[4])(body->cache.morphed ? body->cache.morphed : stream->rest),
        stream->influences, stream->sets, stream->count, stream->vertices};
    f4 low, high;
    deformer->pose(&model->skin, grazei_body_joints(body), &batch, other, &low, &high);
    for (uint32_t v = 0; v < model->mesh.vertex_count; v++)
        if (!same_point(other[v], body->cache.positions[v]))
            return test_check(false, __FILE__, __LINE__,
                              "%s: %s: vertex %u differs between instruction sets", name,
                              skinning_name(model->skin.kind), v);
    return true;
}

static void *aligned(size_t count, size_t size)
{
    void *memory = test_aligned(64, (count * size + 127) & ~(size_t)63);
    if (!memory)
        abort();
    return memory;
}

/* What judge_bounds needs but for the bounds; the whole body is posed. */
static judgement start_judging(graze_body *body, const char *name, bounds_seen *seen)
{
    judgement j = {.body = body, .name = name, .seen = seen};
    j.boxes = aligned(body->model->tree.node_count, sizeof *j.boxes);
    for (int k = 0; k < 3; k++)
        j.scale[k] = (double)grazei_body_joints(body)->final_error[k] / 8;
    measure_boxes(&j);
    seen->poses++;
    return j;
}

bool bounds_judge(graze_body *body, bool all_isas, const char *name, bounds_seen *seen)
{
    const graze_model *model = body->model;
    uint32_t count = model->tree.node_count;
    bool ok = judge_patches(body, name);
    judgement j = start_judging(body, name, seen);
    grazei_bound *bounds = aligned(count, sizeof *bounds);
    float(*other)[4] = aligned(model->mesh.vertex_count, sizeof *other);
    j.bounds = bounds;
    for (size_t i = 0; ok && i < sizeof isas / sizeof *isas; i++) {
        if (!graze_isa_available(isas[i]) || (!all_isas && isas[i] != model->isa))
            continue;
        const grazei_deformer *deformer = deformer_of(model->skin.kind, isas[i]);
        memset(bounds, 0xff, count * sizeof *bounds); /* not numbers, should one be left out */
        deformer->bound(&model->skin, grazei_body_joints(body), 0, count, bounds, body->workspace);
        ok = judge_bounds(&j) && (!all_isas || judge_positions(body, deformer, other, name));
    }
    test_aligned_free(bounds);
    test_aligned_free(j.boxes);
    test_aligned_free(other);
    return ok;
}

bool bounds_judge_refit(graze_body *body, const char *name, bounds_seen *seen)
{
    grazei_body_pose_all(body);
    judgement j = start_judging(body, name, seen);
    graze_body_refit_all(body);
    j.bounds = body->cache.bounds;
    bool ok = judge_bounds(&j);
    test_aligned_free(j.boxes);
    return ok;
}
