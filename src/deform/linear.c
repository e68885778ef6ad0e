/* The constants of linear blend skinning: vertex streams, and one record a node. */
#include "deform/linear.h"

#include "base/memory.h"
#include "base/status.h"
#include "deform/corners.h"
#include "deform/examples.h"
#include "deform/records.h"

#include <math.h>
#include <string.h>

/* The half-size of a bound, as the measure of how good it is. */
static float bound_size(const grazei_bound *bound, graze_volume volume)
{
    if (volume == GRAZE_SPHERES)
        return bound->radius;
    return bound->high[0] + bound->low_negated[0] + bound->high[1] + bound->low_negated[1] +
           bound->high[2] + bound->low_negated[2];
}

/* Which of the two records at the end of the rows is smaller over the example poses. */
static bool second_is_better(const grazei_recorder *recorder, const grazei_record records[2])
{
    grazei_linear both = *recorder->linear;
    grazei_bound bounds[2];
    both.records = (grazei_record *)records;
    double sizes[2] = {0, 0};
    for (uint32_t p = 0; p < recorder->example_count; p++) {
        grazei_linear_kernels_base.bound(&both, &recorder->examples[p], 0, 2, bounds,
                                         recorder->workspace);
        for (int i = 0; i < 2; i++)
            sizes[i] += bound_size(&bounds[i], recorder->tree->def.volume);
    }
    return sizes[1] < sizes[0];
}

/* Moves the second record's rows over the first's. */
static void keep_second(grazei_linear *linear, grazei_record records[2])
{
    uint32_t count = linear->row_count - records[1].first;
    memmove(linear->rows + records[0].first, linear->rows + records[1].first,
            count * sizeof *linear->rows);
    records[1].first = records[0].first;
    records[0] = records[1];
    linear->row_count = records[0].first + count;
}

static bool record_node(grazei_recorder *recorder, uint32_t node)
{
    grazei_record records[2];
    graze_tree_def def = recorder->tree->def;
    bool spheres = def.volume == GRAZE_SPHERES;
    grazei_recorder_gather(recorder, node);
    if (def.refit == GRAZE_REFIT_CORNERS && recorder->max_influences <= GRAZEI_MAX_CORNER_JOINTS) {
        if (!grazei_record_corners(recorder, node, &records[0]))
            return false;
    } else if (recorder->joint_count > GRAZEI_MAX_CENTRE_JOINTS || recorder->joint_count == 1) {
        if (!grazei_record_hull(recorder, spheres, &records[0]))
            return false;
    } else {
        if (!grazei_record_centre(recorder, node, spheres, &records[0]) ||
            !grazei_record_hull(recorder, spheres, &records[1]))
            return false;
        if (second_is_better(recorder, records))
            keep_second(recorder->linear, records);
        else
            recorder->linear->row_count = records[1].first;
    }
    recorder->linear->records[node] = records[0];
    return true;
}

/* Prepares the example poses; poses that do not fit in floats are left out. */
static bool prepare_examples(grazei_recorder *recorder, const graze_model_def *def)
{
    const grazei_mesh *mesh = recorder->mesh;
    const graze_allocator *allocator = recorder->allocator;
    uint32_t count = def->example_poses ? def->example_pose_count : GRAZEI_EXAMPLE_POSES;
    size_t joints = mesh->joint_count, aligned = (joints + 3) & ~(size_t)3;
    float *poses = GRAZEI_ALLOCATE(allocator, 12 * joints * GRAZEI_EXAMPLE_POSES, float);
    double *scratch = GRAZEI_ALLOCATE(allocator, 4 * joints, double);
    recorder->examples = GRAZEI_ALLOCATE_ZERO(allocator, count, grazei_joints);
    recorder->maps = GRAZEI_ALLOCATE(allocator, count * joints, f4_map);
    recorder->stretches = GRAZEI_ALLOCATE(allocator, count * aligned, float);
    bool ok = poses && scratch && recorder->examples && recorder->maps && recorder->stretches;
    if (ok && !def->example_poses)
        grazei_make_up_poses(mesh, count, poses, scratch);
    for (uint32_t p = 0; ok && p < count; p++) {
        grazei_joints *example = &recorder->examples[recorder->example_count];
        example->maps = recorder->maps + recorder->example_count * joints;
        example->stretch = recorder->stretches + recorder->example_count * aligned;
        const float *pose = (def->example_poses ? def->example_poses : poses) + 12 * joints * p;
        if (grazei_linear_kernels_base.prepare(recorder->linear, example, mesh->joint_count, pose,
                                               true, NULL))
            recorder->example_count++;
    }
    grazei_release(allocator, poses);
    grazei_release(allocator, scratch);
    return ok;
}

static bool record_all(grazei_linear *linear, const grazei_mesh *mesh, const grazei_tree *tree,
                       const graze_model_def *def, const graze_allocator *allocator)
{
    grazei_recorder recorder = {0};
    bool ok = grazei_recorder_start(&recorder, linear, mesh, tree, allocator) &&
              prepare_examples(&recorder, def);
    for (uint32_t n = 0; ok && n < tree->node_count; n++)
        ok = record_node(&recorder, n);
    grazei_recorder_end(&recorder);
    return ok;
}

graze_status grazei_linear_build(grazei_linear *linear, const grazei_mesh *mesh,
                                 const grazei_tree *tree, const graze_model_def *def,
                                 const graze_allocator *allocator, graze_error *error)
{
    memcpy(linear->reach, mesh->reach, sizeof mesh->reach);
    linear->records = GRAZEI_ALLOCATE(allocator, tree->node_count, grazei_record);
    bool ok = linear->records &&
              grazei_stream_patches(&linear->patch_stream, mesh, tree, allocator) &&
              grazei_stream_mesh(&linear->mesh_stream, mesh, allocator) &&
              record_all(linear, mesh, tree, def, allocator);
    return ok ? GRAZE_OK : grazei_fail_memory(error);
}

void grazei_linear_release(grazei_linear *linear, const graze_allocator *allocator)
{
    grazei_stream_release(&linear->patch_stream, allocator);
    grazei_stream_release(&linear->mesh_stream, allocator);
    grazei_release(allocator, linear->records);
    grazei_release(allocator, linear->rows);
}
