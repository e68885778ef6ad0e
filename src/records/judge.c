/* Example poses, and how large a record's bounds are over them: found by the deformer that will
 * use the record, for what is tight in linear blending may be loose around blended rotations.
 */
#include "records/records.h"

#include "base/memory.h"
#include "records/examples.h"

/* Without what is kept of pairs: a record is judged by the pairs of its own node. */
static bool allocate_example(const grazei_recorder *r, grazei_joints *joints)
{
    bool ok = grazei_joints_allocate(r->skin, joints, r->allocator);
    grazei_release(r->allocator, joints->pair_poses);
    joints->pair_poses = NULL;
    return ok;
}

bool grazei_recorder_pose_examples(grazei_recorder *r, const graze_model_def *def)
{
    const grazei_mesh *mesh = r->mesh;
    const graze_allocator *allocator = r->allocator;
    uint32_t count = def->example_poses ? def->example_pose_count : GRAZEI_EXAMPLE_POSES;
    size_t joints = mesh->joint_count;
    float *poses = GRAZEI_ALLOCATE(allocator, 12 * joints * GRAZEI_EXAMPLE_POSES, float);
    double *scratch = GRAZEI_ALLOCATE(allocator, 4 * joints, double);
    r->examples = GRAZEI_ALLOCATE_ZERO(allocator, count, grazei_joints);
    r->made_up = !def->example_poses;
    bool ok = poses && scratch && r->examples;
    if (ok && !def->example_poses)
        grazei_make_up_poses(mesh, count, poses, scratch);
    r->allocated_examples = ok ? count : 0;
    for (uint32_t p = 0; ok && p < count; p++) {
        const float *pose = (def->example_poses ? def->example_poses : poses) + 12 * joints * p;
        grazei_pose_input input = {.joint_count = mesh->joint_count,
                                   .matrices = pose,
                                   .step = 12,
                                   .rows = true,
                                   .at_once = true};
        grazei_joints *example = &r->examples[r->example_count];
        ok = example->maps || allocate_example(r, example);
        if (ok && r->skin->deformer->prepare(r->skin, example, &input))
            r->example_count++;
    }
    grazei_release(allocator, poses);
    grazei_release(allocator, scratch);
    return ok;
}

void grazei_recorder_release_examples(grazei_recorder *r)
{
    for (uint32_t p = 0; p < r->allocated_examples; p++)
        grazei_joints_release(&r->examples[p], r->allocator);
    grazei_release(r->allocator, r->examples);
}

/* The half-size of a bound, as the measure of how good it is. */
static float bound_size(const grazei_bound *bound, graze_volume volume)
{
    if (volume == GRAZE_SPHERES)
        return bound->radius;
    return bound->high[0] + bound->low_negated[0] + bound->high[1] + bound->low_negated[1] +
           bound->high[2] + bound->low_negated[2];
}

double grazei_recorder_size(const grazei_recorder *r, uint32_t node, const grazei_record *record)
{
    grazei_skin one = *r->skin;
    grazei_bound bound;
    double size = 0;
    one.records = grazei_unconst(record); /* bounding reads it */
    one.morph.target_count = 0;
    if (one.blend.nodes)
        one.blend.nodes += node;
    for (uint32_t p = 0; p < r->example_count; p++) {
        one.deformer->bound(&one, &r->examples[p], 0, 1, &bound, r->workspace);
        size += (double)bound_size(&bound, r->tree->def.volume);
    }
    return size;
}
