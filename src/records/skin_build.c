/* The constants of a skin: vertex streams, one record a node, morph targets, blended pairs. */
#include "records/build.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "mesh/layout.h"
#include "records/corners.h"
#include "records/morph_records.h"
#include "records/records.h"

#include <math.h>
#include <string.h>

/* The papers' corners, where they were asked for: of more joint-sets than this they are kept only
 * where one corner a joint would be larger by this factor.
 */
#define MANY_SETS 8
#define FEW_LARGER 1.15

/* Siblings are bounded together, by hulls, if over the example poses these are larger than the best
 * records by no more. Hulls lose by bending, and examples that are made up bend further than
 * characters mostly do.
 */
#define MAX_LOOSER 1.05
#define MAX_LOOSER_MADE_UP 1.3

/* Whether the papers' way was asked for, and can be gone. */
static bool wants_corners(const grazei_recorder *recorder)
{
    const graze_tree_def *def = &recorder->tree->def;
    return def->refit == GRAZE_REFIT_CORNERS && def->volume == GRAZE_SPHERES &&
           (!recorder->skin->deformer->needs_centres ||
            recorder->max_influences <= GRAZEI_MAX_CENTRE_JOINTS);
}

/* Corners of many joint-sets, each of the node's whole size, are hardly tighter than one corner a
 * joint.
 */
static bool wants_few_corners(grazei_recorder *recorder)
{
    return !recorder->skin->deformer->needs_centres && recorder->joint_count > 1 &&
           grazei_recorder_sets(recorder) > MANY_SETS;
}

/* Records of one node, the rows of each after those of the one before. */
typedef struct candidates {
    grazei_record records[3];
    uint32_t count;
} candidates;

/* Everything that the node at hand may be bounded by, simplest first. */
static bool record_balls(grazei_recorder *recorder, uint32_t node, candidates *found)
{
    uint32_t joints = recorder->joint_count;
    bool corners = wants_corners(recorder);
    bool few = corners && wants_few_corners(recorder);
    bool centre = !corners && joints > 1 && joints <= GRAZEI_MAX_CENTRE_JOINTS;
    found->count = 0;
    return (!centre ||
            grazei_record_centre(recorder, node, true, &found->records[found->count++])) &&
           (!few || grazei_record_few_corners(recorder, node, &found->records[found->count++])) &&
           (corners || grazei_record_balls(recorder, node, &found->records[found->count++])) &&
           (!corners || grazei_record_corners(recorder, node, &found->records[found->count++]));
}

/* The same of boxes: the hull is known, and so is whether a centre might be smaller. Only the
 * search for that needs vertices.
 */
static bool record_boxes(grazei_recorder *recorder, uint32_t node, candidates *found)
{
    const grazei_hull *hull = &recorder->hulls.nodes[node];
    bool known = recorder->skin->deformer->blends_maps;
    bool centre = grazei_hull_has_choice(hull) && (!known || hull->least < hull->size);
    found->count = 0;
    if (centre && !recorder->mesh->morph_count)
        grazei_recorder_gather(recorder, node);
    return (!centre ||
            grazei_record_centre(recorder, node, false, &found->records[found->count++])) &&
           grazei_hull_record(recorder, node, &found->records[found->count++]);
}

/* The smallest over the example poses. Adds to sizes_sum its size and that of the hull. */
static uint32_t choose(const grazei_recorder *recorder, uint32_t node, const candidates *from,
                       double sizes_sum[2])
{
    uint32_t best = 0;
    double least = INFINITY;
    if (from->count == 1) {
        if (recorder->hulls.nodes) {
            sizes_sum[0] += recorder->hulls.nodes[node].size;
            sizes_sum[1] += recorder->hulls.nodes[node].size;
        }
        return 0;
    }
    /* Spheres that wrap contact proxies are the tree's own, not those of single joints. */
    if (recorder->tree->def.contact_level)
        return from->records[from->count - 1].kind == GRAZEI_SPHERE_CORNERS ? from->count - 1 : 0;
    for (uint32_t i = 0; i < from->count; i++) {
        double size = grazei_recorder_size(recorder, node, &from->records[i]);
        bool is_corners = from->records[i].kind == GRAZEI_SPHERE_CORNERS;
        if (from->records[i].kind == GRAZEI_BOX_HULL)
            sizes_sum[1] += size;
        if (size < least * (is_corners ? 1 / FEW_LARGER : 1)) {
            least = size;
            best = i;
        }
    }
    sizes_sum[0] += least;
    return best;
}

/* Moves the rows of the one that was chosen over the first's. */
static void keep(grazei_skin *skin, const candidates *from, uint32_t chosen, grazei_record *record)
{
    uint32_t first = from->records[0].first, start = from->records[chosen].first;
    uint32_t end = chosen + 1 < from->count ? from->records[chosen + 1].first : skin->row_count;
    memmove(skin->rows + first, skin->rows + start, (end - start) * sizeof *skin->rows);
    skin->row_count = first + (end - start);
    GRAZE_ASSERT(chosen < from->count);
    *record = from->records[chosen];
    record->first = first;
    if (record->kind == GRAZEI_SPHERE_CORNERS) {
        uint32_t corners = f4_bits(skin->rows[first + 1][1]);
        skin->max_corners = corners > skin->max_corners ? corners : skin->max_corners;
    }
}

static bool record_node(grazei_recorder *recorder, uint32_t node, double sizes_sum[2])
{
    candidates found;
    bool boxes = recorder->hulls.nodes != NULL;
    if (boxes && !recorder->mesh->morph_count)
        grazei_hull_take_joints(recorder, node);
    else
        grazei_recorder_gather(recorder, node);
    if (!boxes && recorder->skin->deformer->needs_rotations && recorder->max_influences > 1 &&
        grazei_node_is_posed(recorder->mesh, recorder->tree, node))
        return grazei_record_posed(recorder, node, &recorder->skin->records[node]);
    if (!(boxes ? record_boxes : record_balls)(recorder, node, &found))
        return false;
    uint32_t chosen = choose(recorder, node, &found, sizes_sum);
    keep(recorder->skin, &found, chosen, &recorder->skin->records[node]);
    return true;
}

/* Whether the hulls of siblings are larger than the best records by less than that, whatever
 * centres there are.
 */
static bool hulls_are_close(const grazei_recorder *recorder, uint32_t first, uint32_t count,
                            double looser)
{
    double sizes = 0, least = 0;
    for (uint32_t n = first; n < first + count; n++) {
        const grazei_hull *hull = &recorder->hulls.nodes[n];
        sizes += hull->size;
        least += hull->least < hull->size ? hull->least : hull->size;
    }
    return sizes <= looser * least;
}

/* Records siblings, or the root. */
static bool record_nodes(grazei_recorder *recorder, grazei_morph_recorder *morphs, uint32_t first,
                         uint32_t count)
{
    grazei_skin *skin = recorder->skin;
    const graze_tree_def *def = &recorder->tree->def;
    bool morphed = recorder->mesh->morph_count > 0;
    bool together = skin->deformer->blends_maps && !morphed && def->volume == GRAZE_BOXES &&
                    !def->contact_level && count > 1 && count <= GRAZEI_MAX_SIBLINGS;
    uint32_t start = skin->row_count;
    double sizes[2] = {0, 0}, looser = recorder->made_up ? MAX_LOOSER_MADE_UP : MAX_LOOSER;
    together = together && grazei_siblings_pay(recorder, first, count);
    if (together && hulls_are_close(recorder, first, count, looser))
        return grazei_record_siblings(recorder, first, count);
    for (uint32_t n = first; n < first + count; n++)
        if (!record_node(recorder, n, sizes) ||
            (morphed && !grazei_record_morphs(morphs, recorder, n, &skin->records[n])))
            return false;
    if (!together || sizes[1] > looser * sizes[0])
        return true;
    skin->row_count = start;
    return grazei_record_siblings(recorder, first, count);
}

/* Where nodes are boxes. */
static bool find_hulls(grazei_recorder *recorder)
{
    if (recorder->tree->def.volume != GRAZE_BOXES)
        return true;
    if (!grazei_hulls_find(recorder))
        return false;
    if (recorder->skin->deformer->blends_maps)
        grazei_hulls_judge(recorder);
    return true;
}

static bool record_all(grazei_skin *skin, const grazei_mesh *mesh, const grazei_tree *tree,
                       const graze_model_def *def, const graze_allocator *allocator)
{
    grazei_recorder recorder = {0};
    grazei_morph_recorder morphs = {0};
    bool ok = grazei_recorder_start(&recorder, skin, mesh, tree, allocator) &&
              grazei_recorder_pose_examples(&recorder, def) && find_hulls(&recorder) &&
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
    const grazei_deformer *deformer = grazei_deformer_of(def->skinning, GRAZE_ISA_BASE);
    if (!deformer)
        return grazei_fail(error, GRAZE_BAD_INPUT, "skinning %d is unknown", (int)def->skinning);
    if (!deformer->blends_maps && !grazei_has_influences(def))
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "%s skinning is asked of a model without influences", deformer->name);
    memcpy(skin->reach, mesh->reach, sizeof mesh->reach);
    skin->kind = def->skinning;
    skin->deformer = deformer;
    skin->volume = tree->def.volume;
    skin->mesh = mesh;
    skin->records = GRAZEI_ALLOCATE(allocator, tree->node_count, grazei_record);
    bool ok =
        skin->records && grazei_stream_patches(&skin->patch_stream, mesh, tree, allocator) &&
        ((def->on_demand && !mesh->morph_count) ||
         grazei_stream_mesh(&skin->mesh_stream, mesh, allocator)) &&
        (!deformer->needs_rotations || grazei_blend_build(&skin->blend, mesh, tree, allocator)) &&
        record_all(skin, mesh, tree, def, allocator);
    if (ok && !def->on_demand && grazei_skin_has_outline(skin))
        ok = grazei_outline_build(&skin->outline, mesh, skin->records[0].error, allocator);
    return ok ? GRAZE_OK : grazei_fail_memory(error);
}

bool grazei_skin_has_outline(const grazei_skin *skin)
{
    return skin->deformer->blends_maps && !skin->mesh->morph_count;
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
    size_t bytes = grazei_skin_has_outline(skin)
                       ? 16 * GRAZEI_OUTLINE_ROWS * (size_t)skin->mesh->joint_count
                       : 0;
    if (morph->target_count)
        bytes +=
            ((size_t)morph->node_row_count + morph->patches.row_count + morph->mesh.row_count) *
                16 +
            ((size_t)morph->patches.run_count + morph->mesh.run_count) * sizeof(grazei_morph_run) +
            (size_t)tree->node_count * 4;
    if (blend->nodes)
        bytes += (size_t)tree->node_count * sizeof *blend->nodes +
                 ((size_t)blend->row_count + blend->reach_rows + blend->set_ball_rows +
                  3 * (size_t)grazei_padded_pairs(blend)) *
                     16 +
                 ((size_t)blend->node_set_count + blend->node_joint_count) * 4 +
                 (size_t)skin->mesh->set_count * 16;
    return bytes;
}
