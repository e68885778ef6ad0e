/* What is left of a region's weights, at its vertices and over its groups of triangles. */
#include "base/assert.h"
#include "folds/region.h"
#include "math/doubles.h"
#include "mesh/rest.h"

#define LOSS GRAZEI_FLOAT_LOSS

/* Less is not looked for: it would not matter, and squares of it might underflow. */
#define LEAST 0.01f

#if defined(__OPTIMIZE_SIZE__)

static void find_values(const grazei_region *r, const double *weights, grazei_left *out)
{
    const double *at = weights + GRAZEI_MAX_REGION_JOINTS;
    for (uint32_t j = 0; j < 4 * r->four_count; j++) {
        float *lanes = (float *)&out[j / 4] + j % 4;
        double fitted = 0;
        for (int axis = 0; axis < 3; axis++) {
            fitted += r->gradient[axis][j] * at[axis];
            lanes[4 * axis + 4] = (float)(weights[j] * at[axis]);
        }
        lanes[0] = (float)(weights[j] - fitted);
    }
}

#else /* the same with two joints at a time */

static void find_values(const grazei_region *r, const double *weights, grazei_left *out)
{
    const double *at = weights + GRAZEI_MAX_REGION_JOINTS;
    for (uint32_t four = 0; four < r->four_count; four++) {
        const double *g = &r->gradient[0][4 * four];
        double2 w[2], left[2];
        for (int k = 0; k < 2; k++, g += 2) {
            w[k] = double2_load(weights + 4 * four + 2 * k);
            left[k] = w[k] - (double2_load(g) * at[0] + double2_load(g + GRAZEI_MAX_LANES) * at[1] +
                              double2_load(g + 2 * GRAZEI_MAX_LANES) * at[2]);
        }
        out[four].rq[0] = f4_of_doubles(left[0], left[1]);
        for (int k = 0; k < 3; k++)
            out[four].rq[k + 1] = f4_of_doubles(w[0] * at[k], w[1] * at[k]);
    }
}

#endif

void grazei_region_find_ranges(const grazei_fold_builder *b, grazei_region *r, uint32_t side,
                               uint32_t number)
{
    const grazei_patch *patch = &b->tree->patches[r->patches[side]];
    const grazei_group *group = &b->groups[2 * (size_t)patch->first_triangle + number];
    const grazei_left *values = grazei_region_values(b, r, side);
    grazei_range *ranges = grazei_region_ranges_at(b, r, side, number);
    GRAZE_ASSERT(group->vertex_count > 0 && group->vertex_count <= 3 * GRAZEI_GROUP_TRIANGLES);
    r->known[side][number] = true;
    for (uint32_t four = 0; four < r->four_count; four++) {
        grazei_left low = values[r->four_count * group->vertices[0] + four], high = low;
        for (uint32_t i = 1; i < group->vertex_count; i++) {
            const grazei_left *value = &values[r->four_count * group->vertices[i] + four];
            for (int k = 0; k < 4; k++) {
                low.rq[k] = f4_min(low.rq[k], value->rq[k]);
                high.rq[k] = f4_max(high.rq[k], value->rq[k]);
            }
        }
        for (int k = 0; k < 4; k++)
            high.rq[k] += r->fours[four].most[k > 0] * f4_all(LOSS);
        ranges[four] = (grazei_range){low, high};
    }
}

/* Where the joints of a vertex do not have it at one place at rest, q grows by w_j (z_j - y), with
 * z_j where joint j has it and y its rest position.
 */
static void add_images(const grazei_fold_builder *b, const grazei_region *r, uint32_t vertex,
                       const double *weights, grazei_left *out)
{
    const grazei_mesh *mesh = b->mesh;
    const float *rest = grazei_rest_position(mesh, vertex);
    const double *at = weights + GRAZEI_MAX_REGION_JOINTS;
    float position[3];
    grazei_rest_morphed(mesh, vertex, position);
    for (uint32_t i = mesh->influence_offsets[vertex]; i < mesh->influence_offsets[vertex + 1];
         i++) {
        uint32_t slot = b->slots[mesh->influences[i].joint];
        double image[3];
        if (slot + 1 >= r->joint_count) /* the main one is in none */
            continue;
        grazei_rest_image(mesh, mesh->influences[i].joint, position, image);
        for (uint32_t axis = 0; axis < 3; axis++)
            ((float *)&out[slot / 4])[4 * axis + 4 + slot % 4] =
                (float)(weights[slot] * at[axis] +
                        (double)mesh->influences[i].weight * (image[axis] - (double)rest[axis]));
    }
}

void grazei_region_find_values(grazei_fold_builder *b, grazei_region *r)
{
    const grazei_tree *tree = b->tree;
    grazei_left most[GRAZEI_MAX_FOURS] = {{{{0}}}};
    uint32_t count = 0;
    for (uint32_t i = 0; i < grazei_region_patch_count(r); i++) {
        const grazei_patch *patch = &tree->patches[r->patches[i]];
        r->first_vertex[i] = count;
        for (uint32_t v = 0; v < patch->vertex_count; v++, count++) {
            grazei_left *values = b->values + (size_t)r->four_count * count;
            find_values(r, b->deviations[count], values);
            if (b->mesh->rest_positions)
                add_images(b, r, tree->patch_vertices[patch->first_vertex + v],
                           b->deviations[count], values);
            for (uint32_t four = 0; four < r->four_count; four++)
                for (int k = 0; k < 4; k++)
                    most[four].rq[k] = f4_max(most[four].rq[k], f4_abs(values[four].rq[k]));
        }
    }
    GRAZE_ASSERT(r->joint_count > 1 && r->radius > 0);
    for (uint32_t j = r->joint_count - 1; j < 4 * r->four_count; j++)
        *grazei_region_found(r, 0, j) = *grazei_region_found(r, 1, j) = INFINITY;
    f4 least[2] = {f4_all(LEAST / (float)r->radius), f4_all(LEAST)};
    for (uint32_t k = 0; k < r->four_count; k++) {
        r->fours[k].most[0] = most[k].rq[0];
        r->fours[k].most[1] = f4_sqrt(grazei_square_of_q(&most[k])) * f4_all(1 + LOSS);
        grazei_region_raise(&r->fours[k], ~(i4){0}, least);
    }
}
