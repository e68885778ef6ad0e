/* How far each morph target moves a node, and how unevenly. */
#include "records/morph_records.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/rounding.h"
#include "tree/ball.h"

#include <math.h>
#include <string.h>

bool grazei_morph_recorder_start(grazei_morph_recorder *m, grazei_recorder *r)
{
    const grazei_mesh *mesh = r->mesh;
    const graze_allocator *allocator = r->allocator;
    m->targets = GRAZEI_ALLOCATE(allocator, mesh->morph_count, uint32_t);
    m->target_marks = GRAZEI_ALLOCATE_ZERO(allocator, mesh->morph_count, uint8_t);
    m->moved = GRAZEI_ALLOCATE(allocator, 3 * (size_t)mesh->vertex_count, float);
    m->deltas = grazei_allocate(allocator, mesh->vertex_count, sizeof *m->deltas);
    m->order = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint32_t);
    m->scratch = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint32_t);
    m->drift = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, float);
    r->skin->morph.node_drift = GRAZEI_ALLOCATE_ZERO(allocator, r->tree->node_count, float);
    r->skin->morph.node_first =
        GRAZEI_ALLOCATE_ZERO(allocator, (size_t)r->tree->node_count + 1, uint32_t);
    if (!m->targets || !m->target_marks || !m->moved || !m->deltas || !m->order || !m->scratch ||
        !m->drift || !r->skin->morph.node_drift || !r->skin->morph.node_first ||
        !grazei_morph_index_build(&m->index, mesh, allocator))
        return false;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double sum = 0;
        for (uint32_t k = m->index.offsets[v]; k < m->index.offsets[v + 1]; k++)
            for (int axis = 0; axis < 3; axis++) {
                double d = mesh->morph_deltas[m->index.deltas[k]][axis];
                sum += d * d;
            }
        m->drift[v] = grazei_round_up(sqrt(sum) * (1 + 0x1p-40));
        m->order[v] = v;
    }
    return grazei_morph_lists_build(&r->skin->morph, mesh, r->tree, &r->skin->mesh_stream,
                                    &m->index, allocator);
}

void grazei_morph_recorder_end(grazei_morph_recorder *m, const graze_allocator *allocator)
{
    grazei_morph_index_release(&m->index, allocator);
    grazei_release(allocator, m->targets);
    grazei_release(allocator, m->target_marks);
    grazei_release(allocator, m->moved);
    grazei_release(allocator, m->deltas);
    grazei_release(allocator, m->order);
    grazei_release(allocator, m->scratch);
    grazei_release(allocator, m->drift);
}

/* The targets that move any vertex of the node at hand. */
static uint32_t gather_targets(grazei_morph_recorder *m, const grazei_recorder *r)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->vertex_count; i++)
        for (uint32_t k = m->index.offsets[r->vertices[i]];
             k < m->index.offsets[r->vertices[i] + 1]; k++)
            m->target_marks[m->index.targets[k]] = 1;
    for (uint32_t t = 0; t < r->mesh->morph_count; t++) {
        if (m->target_marks[t])
            m->targets[count++] = t;
        m->target_marks[t] = 0;
    }
    return count;
}

/* The target's displacement of each of the node's vertices, and where they end. */
static void gather_deltas(grazei_morph_recorder *m, const grazei_recorder *r, uint32_t target)
{
    for (uint32_t i = 0; i < r->vertex_count; i++) {
        const float *position = r->mesh->positions + 3 * (size_t)r->vertices[i];
        memset(m->deltas[i], 0, sizeof m->deltas[i]);
        uint32_t low = m->index.offsets[r->vertices[i]];
        uint32_t end = m->index.offsets[r->vertices[i] + 1], high = end;
        while (low < high) { /* a vertex's targets ascend */
            uint32_t middle = low + (high - low) / 2;
            if (m->index.targets[middle] < target)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < end && m->index.targets[low] == target)
            memcpy(m->deltas[i], r->mesh->morph_deltas[m->index.deltas[low]], sizeof m->deltas[i]);
        for (uint32_t axis = 0; axis < 3; axis++)
            m->moved[3 * (size_t)i + axis] = position[axis] + m->deltas[i][axis];
    }
}

static void middle_of_deltas(const grazei_morph_recorder *m, uint32_t count, bool mean,
                             float middle[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY, sum = 0;
        for (uint32_t i = 0; i < count; i++) {
            low = fmin(low, m->deltas[i][axis]);
            high = fmax(high, m->deltas[i][axis]);
            sum += m->deltas[i][axis];
        }
        middle[axis] = (float)(mean ? sum / count : 0.5 * (low + high));
    }
}

/* Largest deviations from the middle, per axis or (spheres) in length; and how far the displaced
 * vertices reach from the displaced centre beyond what the record reaches at rest.
 */
static void measure(const grazei_morph_recorder *m, const grazei_recorder *r, bool spheres,
                    const float middle[3], const float centre[3], const float reach[3],
                    float wide[3], float combined[3])
{
    double most_wide[3] = {0, 0, 0}, most_far[3] = {0, 0, 0};
    for (uint32_t i = 0; i < r->vertex_count; i++) {
        const float *position = r->mesh->positions + 3 * (size_t)r->vertices[i];
        double deviation[3], far[3], deviation2 = 0, far2 = 0;
        for (int axis = 0; axis < 3; axis++) {
            deviation[axis] = fabs((double)m->deltas[i][axis] - middle[axis]);
            far[axis] = fabs(((double)position[axis] - centre[axis]) +
                             ((double)m->deltas[i][axis] - middle[axis]));
            deviation2 += deviation[axis] * deviation[axis];
            far2 += far[axis] * far[axis];
        }
        for (int axis = 0; axis < 3; axis++) {
            most_wide[axis] = fmax(most_wide[axis], spheres ? sqrt(deviation2) : deviation[axis]);
            most_far[axis] = fmax(most_far[axis], spheres ? sqrt(far2) : far[axis]);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        wide[axis] = grazei_round_up(most_wide[axis] * (1 + 0x1p-40));
        double beyond = most_far[axis] * (1 + 0x1p-40) - reach[axis];
        combined[axis] = f1_min(wide[axis], grazei_round_up(beyond));
    }
}

/* Rows of one target. Hulls of several joints have many centres, so only displacements count. */
static void fill_rows(grazei_morph_recorder *m, const grazei_recorder *r, uint32_t target,
                      const grazei_record *record, float (*rows)[4])
{
    const float(*own)[4] = (const float(*)[4])r->skin->rows + record->first;
    bool spheres = r->tree->def.volume == GRAZE_SPHERES;
    bool centred = record->kind == GRAZEI_BOX_CENTRE || record->kind == GRAZEI_SPHERE_CENTRE ||
                   (record->joints == 1 && record->kind != GRAZEI_SPHERE_CORNERS);
    float centre[3] = {own[0][0], own[0][1], own[0][2]};
    float reach[3] = {own[0][3], own[0][3], own[0][3]};
    if (!spheres)
        memcpy(reach, own[1], sizeof reach);
    gather_deltas(m, r, target);
    middle_of_deltas(m, r->vertex_count, record->kind == GRAZEI_SPHERE_CORNERS, rows[0]);
    if (centred && spheres) {
        grazei_ball ball = grazei_ball_enclose(m->moved, m->order, r->vertex_count, m->scratch);
        for (int axis = 0; axis < 3; axis++)
            rows[0][axis] = (float)(ball.centre[axis] - centre[axis]);
    } else if (centred) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            float low = INFINITY, high = -INFINITY;
            for (uint32_t i = 0; i < r->vertex_count; i++) {
                low = f1_min(low, m->moved[3 * (size_t)i + axis]);
                high = f1_max(high, m->moved[3 * (size_t)i + axis]);
            }
            rows[0][axis] = 0.5f * (low + high) - centre[axis];
        }
    }
    GRAZE_ASSERT(target < r->mesh->morph_count);
    rows[0][3] = f4_from_bits(target);
    measure(m, r, spheres, rows[0], centre, reach, rows[1], rows[2]);
    if (!centred || r->tree->def.contact_level)
        memcpy(rows[2], rows[1], sizeof rows[2]); /* a sphere that wraps others may not shrink */
}

bool grazei_record_morphs(grazei_morph_recorder *m, grazei_recorder *r, uint32_t node,
                          const grazei_record *record)
{
    grazei_morph *morph = &r->skin->morph;
    uint32_t count = gather_targets(m, r), first = morph->node_first[node];
    float(*all)[4] = grazei_grow(r->allocator, morph->node_rows, &m->row_capacity,
                                 3 * ((size_t)first + count) + 1, sizeof *all);
    if (!all)
        return false;
    morph->node_rows = all;
    memset(all + 3 * (size_t)first, 0, 3 * (size_t)count * sizeof *all);
    for (uint32_t k = 0; k < count; k++)
        fill_rows(m, r, m->targets[k], record, all + 3 * ((size_t)first + k));
    for (uint32_t i = 0; i < r->vertex_count; i++)
        morph->node_drift[node] = f1_max(morph->node_drift[node], m->drift[r->vertices[i]]);
    morph->node_first[node + 1] = first + count;
    morph->node_row_count = 3 * (first + count);
    return true;
}
