#include "records/hulls.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/rounding.h"
#include "records/records.h"

#include <float.h>
#include <string.h>

static const grazei_joint_box no_box = {{INFINITY, INFINITY, INFINITY, INFINITY},
                                        {-INFINITY, -INFINITY, -INFINITY, -INFINITY}};

static void extend(grazei_joint_box *box, f4 low, f4 high)
{
    box->low = f4_min(box->low, low);
    box->high = f4_max(box->high, high);
}

/* The joints of the node at hand, while boxes are found: a slot each, in the order they come. */
static void open_slot(grazei_recorder *r, uint32_t joint)
{
    if (r->joint_marks[joint])
        return;
    uint32_t slot = r->joint_count++;
    r->joint_marks[joint] = 1;
    r->joints[slot] = joint;
    r->slot_of[joint] = slot;
    r->open[slot] = (grazei_open_box){.box = no_box, .joint = joint};
}

/* Writes the open slots down as a node's, ascending. A joint that does not move all the parts that
 * were looked at has a least weight of 0.
 */
static bool close_slots(grazei_recorder *r, grazei_hull *hull, uint32_t parts)
{
    grazei_hulls *hulls = &r->hulls;
    uint32_t n = r->joint_count;
    grazei_joint_box *boxes = grazei_grow(r->allocator, hulls->boxes, &hulls->box_capacity,
                                          hulls->count + n, sizeof *boxes);
    hulls->boxes = boxes ? boxes : hulls->boxes;
    uint32_t *joints = grazei_grow(r->allocator, hulls->joints, &hulls->joint_capacity,
                                   hulls->count + n, sizeof *joints);
    hulls->joints = joints ? joints : hulls->joints;
    if (!boxes || !joints)
        return false;
    grazei_recorder_number_joints(r);
    for (uint32_t k = 0; k < n; k++) {
        const grazei_open_box *open = &r->open[k];
        size_t at = hulls->count + r->slot_of[open->joint];
        joints[at] = open->joint;
        boxes[at] = open->box;
        if (open->uses < parts)
            boxes[at].low[3] = 0;
    }
    hull->first = hulls->count;
    hull->joints = n;
    hulls->count += n;
    return true;
}

static bool find_leaf(grazei_recorder *r, uint32_t node)
{
    const grazei_stream *stream = &r->skin->patch_stream;
    uint32_t number = r->tree->nodes[node].first;
    const grazei_patch *patch = &r->tree->patches[number];
    const graze_influence *influence = stream->influences + stream->first_influence[number];
    grazei_joint_box whole = no_box;
    r->joint_count = 0;
    for (uint32_t i = patch->first_vertex; i < patch->first_vertex + patch->vertex_count; i++) {
        f4 row = f4_load(stream->rest[i]);
        uint32_t n = f4_bits(row[3]);
        bool again = i > patch->first_vertex && stream->sets[i] == stream->sets[i - 1];
        for (uint32_t k = 0; !again && k < n; k++)
            open_slot(r, influence[k].joint);
        row[3] = 0;
        extend(&whole, row, row);
        for (uint32_t k = 0; k < n; k++) {
            grazei_open_box *open = &r->open[r->slot_of[influence[k].joint]];
            row[3] = influence[k].weight;
            extend(&open->box, row, row);
            open->uses++;
        }
        influence += n;
    }
    r->hulls.nodes[node].whole = whole;
    return close_slots(r, &r->hulls.nodes[node], patch->vertex_count);
}

static bool find_inner(grazei_recorder *r, uint32_t node)
{
    const grazei_hulls *hulls = &r->hulls;
    grazei_node inner = r->tree->nodes[node];
    grazei_joint_box whole = no_box;
    r->joint_count = 0;
    for (uint32_t c = inner.first; c < inner.first + inner.count; c++) {
        const grazei_hull *child = &hulls->nodes[c];
        extend(&whole, child->whole.low, child->whole.high);
        for (size_t k = child->first; k < child->first + child->joints; k++) {
            open_slot(r, hulls->joints[k]);
            grazei_open_box *open = &r->open[r->slot_of[hulls->joints[k]]];
            extend(&open->box, hulls->boxes[k].low, hulls->boxes[k].high);
            open->uses++;
        }
    }
    r->hulls.nodes[node].whole = whole;
    return close_slots(r, &r->hulls.nodes[node], inner.count);
}

bool grazei_hulls_find(grazei_recorder *r)
{
    bool ok = true;
    r->hulls.nodes = GRAZEI_ALLOCATE_ZERO(r->allocator, r->tree->node_count, grazei_hull);
    r->open = GRAZEI_ALLOCATE(r->allocator, r->mesh->joint_count, grazei_open_box);
    if (!r->hulls.nodes || !r->open)
        return false;
    for (uint32_t n = r->tree->node_count; ok && n-- > 0;)
        ok = r->tree->nodes[n].count ? find_inner(r, n) : find_leaf(r, n);
    return ok;
}

void grazei_hulls_release(grazei_hulls *hulls, const graze_allocator *allocator)
{
    grazei_release(allocator, hulls->nodes);
    grazei_release(allocator, hulls->boxes);
    grazei_release(allocator, hulls->joints);
}

/* ---- judging -------------------------------------------------------------------------------- */

static double sum_of(f4 x)
{
    return (double)x[0] + (double)x[1] + (double)x[2];
}

static float range_of(const grazei_joint_box *box)
{
    return box->high[3] - box->low[3];
}

/* Adds the sides of a hull in a pose, and what those of a centre record are at least. With r_k the
 * range of joint k's weights over the node's vertices, m the joint of the largest, p_k where joint
 * k takes the middle of the node's box, h half that box: along each axis they are at least
 *
 *     2 max |A_k| h + min(max r_k |p_k - p_m| / 2, (max p - min p) r_m / 2).
 *
 * docs/bounds.md has the proof ("Which record"). Any record is right, so rounding is of no account.
 */
static void judge_in(const grazei_recorder *r, grazei_hull *hull, const f4_map *maps, uint32_t m)
{
    const grazei_joint_box *boxes = r->hulls.boxes + hull->first;
    const uint32_t *joints = r->hulls.joints + hull->first;
    f4 two = f4_all(0.5f), points[GRAZEI_MAX_CENTRE_JOINTS];
    f4 middle = (hull->whole.high + hull->whole.low) * two;
    f4 half = (hull->whole.high - hull->whole.low) * two;
    f4 low = f4_all(INFINITY), high = f4_all(-INFINITY), extent = f4_zero();
    f4 first = f4_all(INFINITY), last = f4_all(-INFINITY), spread = f4_zero();
    for (uint32_t k = 0; k < hull->joints; k++) {
        const f4_map *map = &maps[joints[k]];
        f4 centre = f4_map_point(map, (boxes[k].high + boxes[k].low) * two);
        f4 reach = f4_map_extent(map, (boxes[k].high - boxes[k].low) * two);
        low = f4_min(low, centre - reach);
        high = f4_max(high, centre + reach);
        extent = f4_max(extent, f4_map_extent(map, half));
        points[k] = f4_map_point(map, middle);
        first = f4_min(first, points[k]);
        last = f4_max(last, points[k]);
    }
    for (uint32_t k = 0; k < hull->joints; k++)
        spread = f4_max(spread, f4_abs(points[k] - points[m]) * f4_all(0.5f * range_of(&boxes[k])));
    spread = f4_min(spread, (last - first) * f4_all(0.5f * range_of(&boxes[m])));
    hull->size += sum_of(high - low);
    hull->least += sum_of(extent + extent + spread);
}

void grazei_hulls_judge(grazei_recorder *r)
{
    for (uint32_t n = 0; n < r->tree->node_count; n++) {
        grazei_hull *hull = &r->hulls.nodes[n];
        const grazei_joint_box *boxes = r->hulls.boxes + hull->first;
        uint32_t widest = 0;
        for (uint32_t k = 1; k < hull->joints; k++)
            if (range_of(&boxes[k]) > range_of(&boxes[widest]))
                widest = k;
        for (uint32_t p = 0; p < r->example_count && grazei_hull_has_choice(hull); p++)
            judge_in(r, hull, r->examples[p].maps, widest);
    }
}

/* ---- records -------------------------------------------------------------------------------- */

void grazei_store_box(const grazei_joint_box *box, float centre[3], float half[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double low = box->low[axis], high = box->high[axis];
        centre[axis] = (float)(0.5 * (low + high));
        double up = high - centre[axis], down = centre[axis] - low;
        half[axis] = grazei_round_up(up > down ? up : down);
    }
}

void grazei_hull_take_joints(grazei_recorder *r, uint32_t node)
{
    const grazei_hull *hull = &r->hulls.nodes[node];
    r->joint_count = hull->joints;
    for (uint32_t k = 0; k < hull->joints; k++) {
        r->joints[k] = r->hulls.joints[hull->first + k];
        r->slot_of[r->joints[k]] = k;
    }
}

bool grazei_hull_record(grazei_recorder *r, uint32_t node, grazei_record *record)
{
    const grazei_joint_box *boxes = r->hulls.boxes + r->hulls.nodes[node].first;
    float(*rows)[4] =
        grazei_open_record(r, record, GRAZEI_BOX_HULL, 2 * r->joint_count, r->mesh->weight_error);
    if (!rows)
        return false;
    for (uint32_t k = 0; k < r->joint_count; k++) {
        grazei_store_box(&boxes[k], rows[2 * k], rows[2 * k + 1]);
        rows[2 * k][3] = f4_from_bits(r->joints[k]);
    }
    return true;
}

/* Makes the joints of all siblings those at hand. */
static void unite_joints(grazei_recorder *r, uint32_t first, uint32_t count)
{
    r->joint_count = 0;
    for (const grazei_hull *h = r->hulls.nodes + first; h < r->hulls.nodes + first + count; h++)
        for (size_t k = h->first; k < h->first + h->joints; k++) {
            uint32_t joint = r->hulls.joints[k];
            if (!r->joint_marks[joint])
                r->joints[r->joint_count++] = joint;
            r->joint_marks[joint] = 1;
        }
    grazei_recorder_number_joints(r);
}

/* Measured on Zen 4: a joint costs 2.5 times as much for all siblings as for one, and a record as
 * much as 6 joints of one node, or 9.5 if it is shared.
 */
bool grazei_siblings_pay(grazei_recorder *r, uint32_t first, uint32_t count)
{
    uint32_t sum = 0;
    unite_joints(r, first, count);
    for (uint32_t s = first; s < first + count; s++)
        sum += r->hulls.nodes[s].joints;
    return 19 + 5 * r->joint_count <= 12 * count + 2 * sum;
}

/* Half-extents of what is not there turn its box inside out, so that it adds nothing. */
static void clear_boxes(float *boxes, uint32_t joints)
{
    for (size_t k = 0; k < 24 * (size_t)joints; k += 2) {
        boxes[k] = 0;
        boxes[k + 1] = -FLT_MAX;
    }
}

/* Fills in the boxes of one sibling. */
static void write_sibling(const grazei_recorder *r, uint32_t node, uint32_t sibling, float *boxes)
{
    const grazei_hull *hull = &r->hulls.nodes[node];
    for (size_t k = hull->first; k < hull->first + hull->joints; k++) {
        float *box = boxes + 24 * (size_t)r->slot_of[r->hulls.joints[k]] + 2 * (size_t)sibling;
        float centre[3], half[3];
        grazei_store_box(&r->hulls.boxes[k], centre, half);
        for (int axis = 0; axis < 3; axis++) {
            box[8 * axis] = centre[axis];
            box[8 * axis + 1] = half[axis];
        }
    }
}

bool grazei_record_siblings(grazei_recorder *r, uint32_t first, uint32_t count)
{
    grazei_skin *skin = r->skin;
    grazei_record record;
    GRAZE_ASSERT(count > 1 && count <= GRAZEI_MAX_SIBLINGS);
    unite_joints(r, first, count);
    uint32_t gap = skin->row_count & 1; /* boxes are read 32 bytes at a time */
    uint32_t names = grazei_joint_rows(r->joint_count), total = names + 6 * r->joint_count;
    float(*rows)[4] =
        grazei_open_record(r, &record, GRAZEI_BOX_SIBLINGS, gap + total, r->mesh->weight_error);
    if (!rows)
        return false;
    rows += gap;
    record.first += gap;
    memcpy(rows, r->joints, r->joint_count * sizeof *r->joints);
    clear_boxes(rows[names], r->joint_count);
    for (uint32_t s = 0; s < count; s++)
        write_sibling(r, first + s, s, rows[names]);
    GRAZE_ASSERT(record.first % 2 == 0);
    record.siblings = (uint8_t)count;
    for (uint32_t s = 0; s < count; s++)
        skin->records[first + s] = record;
    return true;
}
