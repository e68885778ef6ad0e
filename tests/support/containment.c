#include "support/containment.h"

#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

containment containment_start(void)
{
    return (containment){.least_box = INFINITY, .least_sphere = INFINITY};
}

void containment_print(const char *what, const containment *seen)
{
    printf("     %s: %llu bodies posed, %llu nodes, %llu vertices; least slack %.2f (boxes), %.2f "
           "(spheres)\n",
           what, (unsigned long long)seen->poses, (unsigned long long)seen->nodes,
           (unsigned long long)seen->vertices, seen->least_box, seen->least_sphere);
}

/* How far inside a bound a point is, in units of scale; negative: outside. The sign for boxes is
 * exact; that for spheres is right to 1e-18 of the coordinates, far below a step of the floats.
 */
static double slack_in_box(const grazei_bound *box, const float *point, const double scale[3])
{
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        double above = (double)point[k] + box->low_negated[k];
        double below = (double)box->high[k] - point[k];
        if (!(point[k] >= -box->low_negated[k] && point[k] <= box->high[k]))
            return -fmax(fabs(fmin(above, below)) / scale[k], 0x1p-149);
        least = fmin(least, fmin(above, below) / scale[k]);
    }
    return least;
}

static double slack_in_sphere(const grazei_bound *sphere, const float *point, const double scale[3])
{
    long double sum = 0;
    for (int k = 0; k < 3; k++) {
        long double between = (long double)point[k] - sphere->centre[k];
        sum += between * between;
    }
    double slack = (double)(sphere->radius - sqrtl(sum));
    double length = sqrt(scale[0] * scale[0] + scale[1] * scale[1] + scale[2] * scale[2]);
    return slack >= 0 ? slack / length : -fmax(-slack / length, 0x1p-149); /* NaN is outside */
}

static bool check_triangle(const graze_body *body, const grazei_bound *bounds, uint32_t node,
                           uint32_t triangle, const double scale[3], const char *name,
                           containment *seen)
{
    const graze_model *model = body->model;
    const grazei_record *record = &model->skin.records[node];
    bool spheres = model->tree.def.volume == GRAZE_SPHERES;
    double *least = spheres ? &seen->least_sphere : &seen->least_box;
    for (int c = 0; c < 3; c++) {
        uint32_t vertex = model->mesh.triangles[3 * (size_t)triangle + (size_t)c];
        const float *point = body->cache.positions[vertex];
        double slack = spheres ? slack_in_sphere(&bounds[node], point, scale)
                               : slack_in_box(&bounds[node], point, scale);
        *least = fmin(*least, slack);
        if (!test_check(slack >= 0, __FILE__, __LINE__,
                        "%s: vertex %u is %g units outside node %u (record kind %d, %u joints)",
                        name, vertex, -slack, node, record->kind, record->joints))
            return false;
    }
    return true;
}

static bool check_bounds(const graze_body *body, const grazei_bound *bounds, const char *name,
                         containment *seen)
{
    const grazei_tree *tree = &body->model->tree;
    const grazei_joints *joints = grazei_body_joints(body);
    double scale[3];
    for (int k = 0; k < 3; k++)
        scale[k] = ((double)joints->magnitude[k] + fabs(joints->translation[k])) * 0x1p-24;
    for (uint32_t n = 0; n < tree->node_count; n++) {
        const uint32_t *range = tree->node_triangles[n];
        for (uint32_t i = range[0]; i < range[1]; i++)
            if (!check_triangle(body, bounds, n, tree->patch_triangles[i], scale, name, seen))
                return false;
        seen->vertices += 3 * (range[1] - range[0]);
    }
    seen->nodes += tree->node_count;
    return true;
}

/* The kernels of an instruction set, from a model that has them. */
static const grazei_deformer *kernels_of(graze_isa isa)
{
    static const grazei_deformer *known[4];
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t triangle[3] = {0, 1, 2};
    graze_model_def def = graze_default_model_def();
    def.positions = positions;
    def.vertex_count = 3;
    def.triangles = triangle;
    def.triangle_count = def.joint_count = 1;
    def.isa = isa;
    graze_model *model = NULL;
    if (!known[isa] && graze_model_create(&def, &model, NULL) == GRAZE_OK)
        known[isa] = model->deformer;
    graze_model_destroy(model);
    return known[isa];
}

bool containment_of_pose(graze_body *body, bool all_isas, const char *name, containment *seen)
{
    static const graze_isa isas[] = {GRAZE_ISA_BASE, GRAZE_ISA_AVX2, GRAZE_ISA_AVX512};
    const graze_model *model = body->model;
    uint32_t count = model->tree.node_count;
    grazei_bound *bounds = aligned_alloc(64, 64 * ((size_t)count / 2 + 4));
    bool ok = bounds != NULL;
    grazei_body_pose_all(body);
    for (size_t i = 0; ok && i < sizeof isas / sizeof *isas; i++) {
        if (!graze_isa_available(isas[i]) || (!all_isas && isas[i] != model->isa))
            continue;
        memset(bounds, 0xff, count * sizeof *bounds); /* not numbers, should one be left out */
        kernels_of(isas[i])->bound(&model->skin, grazei_body_joints(body), 0, count, bounds,
                                   body->cache.workspace);
        ok = check_bounds(body, bounds, name, seen);
    }
    free(bounds);
    seen->poses++;
    return ok;
}

bool containment_of_refit(graze_body *body, const char *name, containment *seen)
{
    graze_body_refit_all(body);
    seen->poses++;
    return check_bounds(body, body->cache.bounds, name, seen);
}

graze_tree_def containment_tree(uint32_t number)
{
    graze_tree_def tree = number == 1 ? graze_paper_tree_def() : graze_default_tree_def();
    if (number == 2) {
        tree.volume = GRAZE_SPHERES;
        tree.patch_triangles = 4;
    } else if (number == 3) {
        tree.patch_triangles = 2;
        tree.arity = 8;
    }
    return tree;
}
