/* Records by corners of the weights' polytopes: the papers' way, and caps of rotations. */
#include "records/records.h"

#include "base/assert.h"
#include "base/memory.h"
#include "records/corners.h"

#include <math.h>
#include <string.h>

/* The corners of one joint-set's weights in the node, into r->corners. */
static uint32_t corners_of_set(grazei_recorder *r, uint32_t set, uint32_t p)
{
    float low[GRAZEI_MAX_CENTRE_JOINTS], high[GRAZEI_MAX_CENTRE_JOINTS];
    for (uint32_t k = 0; k < p; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (uint32_t i = 0; i < r->vertex_count; i++) {
        uint32_t v = r->vertices[i];
        if (r->mesh->vertex_set[v] != set)
            continue;
        const graze_influence *own = r->mesh->influences + r->mesh->influence_offsets[v];
        for (uint32_t k = 0; k < p; k++) {
            low[k] = f1_min(low[k], own[k].weight);
            high[k] = f1_max(high[k], own[k].weight);
        }
    }
    return grazei_weight_corners(low, high, p, r->corners);
}

/* Appends words to an open record, row by row; the first row not yet written is row, word. */
static bool append_words(grazei_recorder *r, uint32_t *words_used, uint32_t first_row,
                         const void *words, uint32_t count)
{
    grazei_skin *skin = r->skin;
    uint32_t rows = first_row + (*words_used + count + 3) / 4;
    float(*all)[4] = grazei_grow(r->allocator, skin->rows, &r->row_capacity, rows, sizeof *all);
    if (!all)
        return false;
    skin->rows = all;
    skin->row_count = rows;
    memcpy((float *)(all + first_row) + *words_used, words, count * sizeof(float));
    *words_used += count;
    return true;
}

/* A record by corners whose sets are appended one after the other. */
typedef struct corner_record {
    grazei_recorder *recorder;
    grazei_record *record;
    uint32_t words, sets, corners;
} corner_record;

static bool start_corners(corner_record *c, uint32_t node)
{
    grazei_recorder *r = c->recorder;
    float(*rows)[4] =
        grazei_open_record(r, c->record, GRAZEI_SPHERE_CORNERS, 2, r->mesh->weight_error);
    if (rows)
        memcpy(rows[0], r->tree->spheres[node], sizeof rows[0]);
    return rows != NULL;
}

static bool add_corners(corner_record *c, const uint32_t *joints, uint32_t p, const float *corners,
                        uint32_t m)
{
    uint32_t header[2] = {p, m}, first = c->record->first + 2;
    GRAZE_ASSERT(p > 0 && m > 0 && m <= GRAZEI_MAX_CORNERS);
    c->sets++;
    c->corners += m;
    return append_words(c->recorder, &c->words, first, header, 2) &&
           append_words(c->recorder, &c->words, first, joints, p) &&
           append_words(c->recorder, &c->words, first, corners, m * p);
}

/* One corner a joint. */
static bool add_joints(corner_record *c, const uint32_t *joints, uint32_t count)
{
    const float one = 1;
    bool ok = true;
    for (uint32_t k = 0; ok && k < count; k++)
        ok = add_corners(c, &joints[k], 1, &one, 1);
    return ok;
}

static bool end_corners(corner_record *c)
{
    grazei_recorder *r = c->recorder;
    float(*rows)[4] = r->skin->rows + c->record->first;
    GRAZE_ASSERT(c->sets > 0 && c->corners >= c->sets);
    rows[1][0] = f4_from_bits(c->sets);
    rows[1][1] = f4_from_bits(c->corners);
    float(*workspace)[4] = grazei_grow(r->allocator, r->workspace, &r->workspace_rows,
                                       (size_t)c->corners + 3, sizeof *workspace);
    if (workspace)
        r->workspace = workspace;
    return workspace != NULL;
}

bool grazei_record_corners(grazei_recorder *r, uint32_t node, grazei_record *record)
{
    corner_record c = {.recorder = r, .record = record};
    uint32_t sets = grazei_recorder_sets(r);
    bool ok = start_corners(&c, node);
    for (uint32_t s = 0; ok && s < sets; s++) {
        const uint32_t *joints = r->mesh->set_joints + r->mesh->set_offsets[r->sets[s]];
        uint32_t p = r->mesh->set_offsets[r->sets[s] + 1] - r->mesh->set_offsets[r->sets[s]];
        if (p > GRAZEI_MAX_CENTRE_JOINTS)
            ok = add_joints(&c, joints, p);
        else
            ok = add_corners(&c, joints, p, r->corners, corners_of_set(r, r->sets[s], p));
    }
    return ok && end_corners(&c);
}

bool grazei_record_few_corners(grazei_recorder *r, uint32_t node, grazei_record *record)
{
    corner_record c = {.recorder = r, .record = record};
    return start_corners(&c, node) && add_joints(&c, r->joints, r->joint_count) && end_corners(&c);
}
