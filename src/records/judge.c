/* Example poses, and how large a record's bounds are over them: found by the deformer that will
 * use the record, for what is tight in linear blending may be loose around blended rotations.
 */
#include "records/records.h"

#include "base/memory.h"
#include "records/examples.h"

static const grazei_deformer *deformer_of(const grazei_skin *skin)
{
    return skin->kind == GRAZE_SPHERICAL ? &grazei_spherical_deformer_base
           : skin->kind == GRAZE_DUAL    ? &grazei_dual_deformer_base
                                         : &grazei_linear_deformer_base;
}

static bool allocate_joints(const grazei_recorder *r, grazei_joints *joints)
{
    const graze_allocator *allocator = r->allocator;
    const grazei_mesh *mesh = r->mesh;
    uint32_t count = mesh->joint_count;
    joints->morph_weights = r->no_weights;
    joints->maps = GRAZEI_ALLOCATE(allocator, count, f4_map);
    joints->stretch = GRAZEI_ALLOCATE(allocator, count, float);
    if (r->skin->kind == GRAZE_LINEAR)
        return joints->maps && joints->stretch;
    joints->rotations = GRAZEI_ALLOCATE(allocator, count, f4);
    joints->duals = GRAZEI_ALLOCATE(allocator, count, f4);
    joints->given = GRAZEI_ALLOCATE(allocator, count, f4_map);
    joints->scales = GRAZEI_ALLOCATE(allocator, count, f4_map);
    joints->scale_stretch = GRAZEI_ALLOCATE(allocator, count, float);
    joints->made = GRAZEI_ALLOCATE_ZERO(allocator, 1, grazei_made);
    joints->set_poses = GRAZEI_ALLOCATE_ZERO(allocator, mesh->set_count, grazei_set_pose);
    joints->set_images = GRAZEI_ALLOCATE(allocator, mesh->set_offsets[mesh->set_count], f4);
    return joints->maps && joints->stretch && joints->rotations && joints->duals && joints->given &&
           joints->scales && joints->scale_stretch && joints->made && joints->set_poses &&
           joints->set_images;
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
        ok = example->maps || allocate_joints(r, example);
        if (ok && deformer_of(r->skin)->prepare(r->skin, example, &input))
            r->example_count++;
    }
    grazei_release(allocator, poses);
    grazei_release(allocator, scratch);
    return ok;
}

void grazei_recorder_release_examples(grazei_recorder *r)
{
    for (uint32_t p = 0; p < r->allocated_examples; p++) {
        grazei_joints *joints = &r->examples[p];
        void *all[] = {joints->maps,      joints->stretch,       joints->rotations,
                       joints->duals,     joints->given,         joints->scales,
                       joints->set_poses, joints->scale_stretch, joints->set_images,
                       joints->made};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            grazei_release(r->allocator, all[i]);
    }
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
    one.records = (grazei_record *)record;
    one.morph.target_count = 0;
    if (one.blend.nodes)
        one.blend.nodes += node;
    for (uint32_t p = 0; p < r->example_count; p++) {
        deformer_of(&one)->bound(&one, &r->examples[p], 0, 1, &bound, r->workspace);
        size += (double)bound_size(&bound, r->tree->def.volume);
    }
    return size;
}
