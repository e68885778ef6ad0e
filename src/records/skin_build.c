/* The constants of a skin: vertex streams, one record a node, morph targets, blended pairs. */
#include "records/build.h"

#include "base/memory.h"
#include "base/status.h"
#include "mesh/layout.h"
#include "records/corners.h"
#include "records/examples.h"
#include "records/morph_records.h"
#include "records/records.h"

#include <math.h>
#include <string.h>

/* Corners of more joint-sets cost more than they save. */
#define MAX_CAPPED_SETS 6

/* Siblings are bounded together, by hulls, if over the example poses these are larger than the best
 * records by no more. Hulls lose by bending, and examples that are made up bend further than
 * characters mostly do.
 */
#define MAX_LOOSER 1.05
#define MAX_LOOSER_MADE_UP 1.3

/* The half-size of a bound, as the measure of how good it is. */
static float bound_size(const grazei_bound *bound, graze_volume volume)
{
    if (volume == GRAZE_SPHERES)
        return bound->radius;
    return bound->high[0] + bound->low_negated[0] + bound->high[1] + bound->low_negated[1] +
           bound->high[2] + bound->low_negated[2];
}

/* Which of the two records at the end of the rows is smaller over the example poses. Adds
 * to sizes_sum the size of the smaller and that of the second.
 */
static bool second_is_better(const grazei_recorder *recorder, const grazei_record records[2],
                             double sizes_sum[2])
{
    grazei_skin both = *recorder->skin;
    grazei_bound bounds[2];
    both.records = (grazei_record *)records;
    both.morph.target_count = 0;
    double sizes[2] = {0, 0};
    for (uint32_t p = 0; p < recorder->example_count; p++) {
        grazei_linear_deformer_base.bound(&both, &recorder->examples[p], 0, 2, bounds,
                                          recorder->workspace);
        for (int i = 0; i < 2; i++)
            sizes[i] += bound_size(&bounds[i], recorder->tree->def.volume);
    }
    sizes_sum[0] += fmin(sizes[0], sizes[1]);
    sizes_sum[1] += sizes[1];
    return sizes[1] < sizes[0];
}

/* Moves the second record's rows over the first's. */
static void keep_second(grazei_skin *skin, grazei_record records[2])
{
    uint32_t count = skin->row_count - records[1].first;
    memmove(skin->rows + records[0].first, skin->rows + records[1].first,
            count * sizeof *skin->rows);
    records[1].first = records[0].first;
    records[0] = records[1];
    skin->row_count = records[0].first + count;
}

/* The papers' way; and spherical skinning's spheres around a few joint-sets, each of which turns
 * about a centre of its own: caps of rotations set by set fit better there than one weight centre.
 */
static bool wants_corners(grazei_recorder *recorder, const graze_tree_def *def)
{
    if (recorder->max_influences > GRAZEI_MAX_CORNER_JOINTS || def->volume != GRAZE_SPHERES)
        return false;
    if (def->refit == GRAZE_REFIT_CORNERS)
        return true;
    if (recorder->skin->kind != GRAZE_SPHERICAL || recorder->max_influences < 2)
        return false;
    uint32_t sets = grazei_recorder_sets(recorder);
    return sets > 1 && sets <= MAX_CAPPED_SETS;
}

static bool record_node(grazei_recorder *recorder, uint32_t node, double sizes_sum[2])
{
    grazei_record records[2];
    graze_tree_def def = recorder->tree->def;
    bool spheres = def.volume == GRAZE_SPHERES;
    grazei_recorder_gather(recorder, node);
    if (wants_corners(recorder, &def)) {
        if (!grazei_record_corners(recorder, node, &records[0]))
            return false;
    } else if (recorder->joint_count > GRAZEI_MAX_CENTRE_JOINTS || recorder->joint_count == 1) {
        if (!grazei_record_hull(recorder, node, spheres, &records[0]))
            return false;
    } else {
        if (!grazei_record_centre(recorder, node, spheres, &records[0]) ||
            !grazei_record_hull(recorder, node, spheres, &records[1]))
            return false;
        /* Spheres that wrap contact proxies are the tree's own, not those of single joints. */
        if (!def.contact_level && second_is_better(recorder, records, sizes_sum))
            keep_second(recorder->skin, records);
        else
            recorder->skin->row_count = records[1].first;
    }
    recorder->skin->records[node] = records[0];
    return true;
}

/* Records siblings, or the root. */
static bool record_nodes(grazei_recorder *recorder, grazei_morph_recorder *morphs, uint32_t first,
                         uint32_t count)
{
    grazei_skin *skin = recorder->skin;
    const graze_tree_def *def = &recorder->tree->def;
    bool morphed = recorder->mesh->morph_count > 0;
    bool together = skin->kind == GRAZE_LINEAR && !morphed && def->volume == GRAZE_BOXES &&
                    !def->contact_level && count > 1 && count <= GRAZEI_MAX_SIBLINGS;
    uint32_t start = skin->row_count;
    double sizes[2] = {0, 0}, looser = recorder->made_up ? MAX_LOOSER_MADE_UP : MAX_LOOSER;
    for (uint32_t n = first; n < first + count; n++)
        if (!record_node(recorder, n, sizes) ||
            (morphed && !grazei_record_morphs(morphs, recorder, n, &skin->records[n])))
            return false;
    return !together || sizes[1] > looser * sizes[0] ||
           grazei_record_siblings(recorder, first, count, start);
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
    recorder->made_up = !def->example_poses;
    bool ok = poses && scratch && recorder->examples && recorder->maps && recorder->stretches;
    if (ok && !def->example_poses)
        grazei_make_up_poses(mesh, count, poses, scratch);
    for (uint32_t p = 0; ok && p < count; p++) {
        grazei_joints *example = &recorder->examples[recorder->example_count];
        example->maps = recorder->maps + recorder->example_count * joints;
        example->stretch = recorder->stretches + recorder->example_count * aligned;
        const float *pose = (def->example_poses ? def->example_poses : poses) + 12 * joints * p;
        grazei_pose_input input = {
            .joint_count = mesh->joint_count, .matrices = pose, .step = 12, .rows = true};
        example->morph_weights = recorder->no_weights;
        if (grazei_linear_deformer_base.prepare(recorder->skin, example, &input))
            recorder->example_count++;
    }
    grazei_release(allocator, poses);
    grazei_release(allocator, scratch);
    return ok;
}

static bool record_all(grazei_skin *skin, const grazei_mesh *mesh, const grazei_tree *tree,
                       const graze_model_def *def, const graze_allocator *allocator)
{
    grazei_recorder recorder = {0};
    grazei_morph_recorder morphs = {0};
    bool ok = grazei_recorder_start(&recorder, skin, mesh, tree, allocator) &&
              prepare_examples(&recorder, def) &&
              (!mesh->morph_count || grazei_morph_recorder_start(&morphs, &recorder));
    ok = ok && record_nodes(&recorder, &morphs, 0, 1);
    for (uint32_t n = 0; ok && n < tree->node_count; n++)
        if (tree->nodes[n].count)
            ok = record_nodes(&recorder, &morphs, tree->nodes[n].first, tree->nodes[n].count);
    grazei_morph_recorder_end(&morphs, allocator);
    grazei_recorder_end(&recorder);
    return ok;
}

graze_status grazei_skin_build(grazei_skin *skin, const grazei_mesh *mesh, const grazei_tree *tree,
                               const graze_model_def *def, const graze_allocator *allocator,
                               graze_error *error)
{
    if (def->skinning != GRAZE_LINEAR && def->skinning != GRAZE_SPHERICAL &&
        def->skinning != GRAZE_DUAL)
        return grazei_fail(error, GRAZE_BAD_INPUT, "skinning %d is unknown", (int)def->skinning);
    if (def->skinning != GRAZE_LINEAR && !grazei_has_influences(def))
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "%s skinning is asked of a model without influences",
                           def->skinning == GRAZE_DUAL ? "dual" : "spherical");
    memcpy(skin->reach, mesh->reach, sizeof mesh->reach);
    skin->kind = def->skinning;
    skin->volume = tree->def.volume;
    skin->mesh = mesh;
    skin->records = GRAZEI_ALLOCATE(allocator, tree->node_count, grazei_record);
    bool ok =
        skin->records && grazei_stream_patches(&skin->patch_stream, mesh, tree, allocator) &&
        grazei_stream_mesh(&skin->mesh_stream, mesh, allocator) &&
        record_all(skin, mesh, tree, def, allocator) &&
        (skin->kind == GRAZE_LINEAR || grazei_blend_build(&skin->blend, mesh, tree, allocator));
    if (ok && skin->kind == GRAZE_LINEAR && !mesh->morph_count)
        ok = grazei_outline_build(&skin->outline, mesh, skin->records[0].error, allocator);
    return ok ? GRAZE_OK : grazei_fail_memory(error);
}

void grazei_skin_release(grazei_skin *skin, const graze_allocator *allocator)
{
    grazei_stream_release(&skin->patch_stream, allocator);
    grazei_stream_release(&skin->mesh_stream, allocator);
    grazei_morph_release(&skin->morph, allocator);
    grazei_blend_release(&skin->blend, allocator);
    grazei_outline_release(&skin->outline, allocator);
    grazei_release(allocator, skin->records);
    grazei_release(allocator, skin->rows);
}

size_t grazei_skin_extra_bytes(const grazei_skin *skin, const grazei_tree *tree)
{
    const grazei_morph *morph = &skin->morph;
    const grazei_blend *blend = &skin->blend;
    size_t bytes =
        skin->outline.rows ? 16 * GRAZEI_OUTLINE_ROWS * (size_t)skin->mesh->joint_count : 0;
    if (morph->target_count)
        bytes +=
            ((size_t)morph->node_row_count + morph->patches.row_count + morph->mesh.row_count) *
                16 +
            ((size_t)morph->patches.run_count + morph->mesh.run_count) * sizeof(grazei_morph_run) +
            (size_t)tree->node_count * 4;
    if (blend->nodes)
        bytes += (size_t)tree->node_count * sizeof *blend->nodes +
                 ((size_t)blend->row_count + blend->set_ball_rows) * 16 +
                 ((size_t)blend->node_set_count + blend->node_joint_count) * 4 +
                 (size_t)skin->mesh->set_count * 16;
    return bytes;
}
