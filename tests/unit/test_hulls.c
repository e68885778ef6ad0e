/* What records are made from: boxes found from the leaves up are those around the vertices, and no
 * centre record is smaller than it was said to be at least.
 */
#include "base/memory.h"
#include "harness.h"
#include "model/model.h"
#include "records/records.h"
#include "support/own.h"
#include "support/rigs.h"
#include "support/soup.h"

#include <stdlib.h>
#include <string.h>

/* A recorder of a model's nodes that writes into a skin of its own. */
typedef struct bench {
    graze_model *model;
    grazei_skin skin;
    grazei_recorder recorder;
} bench;

static void set_up(bench *b, const graze_model_def *def)
{
    graze_error error;
    *b = (bench){.model = NULL};
    if (graze_model_create(def, &b->model, &error))
        abort();
    b->skin = b->model->skin;
    b->skin.rows = NULL;
    b->skin.row_count = 0;
    if (!grazei_recorder_start(&b->recorder, &b->skin, &b->model->mesh, &b->model->tree,
                               &b->model->allocator) ||
        !grazei_recorder_pose_examples(&b->recorder, def) || !grazei_hulls_find(&b->recorder))
        abort();
    grazei_hulls_judge(&b->recorder);
}

static void take_down(bench *b)
{
    grazei_recorder_end(&b->recorder);
    grazei_release(&b->model->allocator, b->skin.rows);
    graze_model_destroy(b->model);
}

/* Box and range of weights of a joint's vertices, one by one; false: no vertex follows it. */
static bool box_by_brute_force(const grazei_recorder *r, uint32_t joint, float low[4],
                               float high[4])
{
    const grazei_mesh *mesh = r->mesh;
    bool any = false;
    for (int k = 0; k < 4; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (uint32_t i = 0; i < r->vertex_count; i++) {
        float values[4] = {0, 0, 0, 0};
        memcpy(values, mesh->positions + 3 * (size_t)r->vertices[i], 3 * sizeof *values);
        for (uint32_t k = mesh->influence_offsets[r->vertices[i]];
             k < mesh->influence_offsets[r->vertices[i] + 1]; k++)
            if (mesh->influences[k].joint == joint)
                values[3] = mesh->influences[k].weight;
        for (int k = values[3] > 0 ? 0 : 3; k < 4; k++) {
            low[k] = values[k] < low[k] ? values[k] : low[k];
            high[k] = values[k] > high[k] ? values[k] : high[k];
        }
        any = any || values[3] > 0;
    }
    return any;
}

static bool check_hull(grazei_recorder *r, uint32_t node)
{
    const grazei_hull *hull = &r->hulls.nodes[node];
    size_t at = hull->first;
    grazei_recorder_gather(r, node);
    for (uint32_t joint = 0; joint < r->mesh->joint_count; joint++) {
        float low[4], high[4];
        if (!box_by_brute_force(r, joint, low, high))
            continue;
        const grazei_joint_box *box = &r->hulls.boxes[at];
        if (at == hull->first + hull->joints || r->hulls.joints[at] != joint)
            return false;
        for (int k = 0; k < 4; k++)
            if (box->low[k] != low[k] || box->high[k] != high[k])
                return false;
        at++;
    }
    return at == hull->first + hull->joints;
}

/* Nodes whose centre record came within a tenth of its least size, and all that were looked at. */
static uint64_t close_ones, looked_at;

static bool check_least(grazei_recorder *r, uint32_t node)
{
    const grazei_hull *hull = &r->hulls.nodes[node];
    grazei_record record;
    if (!grazei_hull_has_choice(hull) || r->tree->node_count > 4000)
        return true;
    grazei_recorder_gather(r, node);
    if (!grazei_record_centre(r, node, false, &record))
        abort();
    double size = grazei_recorder_size(r, node, &record);
    r->skin->row_count = record.first;
    looked_at++;
    close_ones += size <= 1.1 * hull->least;
    return hull->least <= size * (1 + 1e-5);
}

static void check_model(const graze_model_def *def, const char *name)
{
    bench b;
    set_up(&b, def);
    for (uint32_t n = 0; n < b.model->tree.node_count; n++) {
        CHECK_MSG(check_hull(&b.recorder, n), "%s: the hull of node %u", name, n);
        CHECK_MSG(check_least(&b.recorder, n), "%s: the centre record of node %u", name, n);
    }
    take_down(&b);
}

TEST(hulls_and_least_sizes_of_random_meshes)
{
    test_random random = test_random_seed(20261119);
    for (uint32_t i = 0; i < 60; i++) {
        soup_def about = {.vertex_count = 40 + 20 * i,
                          .triangle_count = 60 + 30 * i,
                          .joint_count = 1 + i % 40,
                          .max_influences = 1 + i % 7,
                          .size = i % 3 ? 1 : 1e4,
                          .offset = i % 5 ? 0 : 100,
                          .scattered = i % 2,
                          .odd_weights = i % 4 == 1,
                          .equal_weights = i % 4 == 3};
        OWN(soup) mesh = soup_make(&about, &random);
        graze_model_def def = soup_model_def(&mesh);
        def.tree.patch_triangles = 8;
        check_model(&def, "a random mesh");
    }
}

TEST(hulls_and_least_sizes_of_characters)
{
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    for (uint32_t i = 0; i < count; i++) {
        graze_model_def def = test_rig_def(rigs[i].rig);
        if (def.triangle_count > 20000)
            continue;
        for (uint32_t patch = 4; patch <= 64; patch *= 4) {
            def.tree.patch_triangles = patch;
            def.no_self_collision = true;
            check_model(&def, rigs[i].name);
        }
    }
    CHECK_MSG(looked_at > 500 && close_ones > looked_at / 100, "%llu of %llu were close",
              (unsigned long long)close_ones, (unsigned long long)looked_at);
}
