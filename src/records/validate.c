/* What every skin is: part of graze_model_validate. Whether records bound their nodes is seen in
 * poses (body/validate.c); here it is their form, which deformers read without a look.
 */
#include "records/records.h"

#include "base/status.h"
#include "math/f4.h"

/* How many rows a record has, as deform/skin.h says; SIZE_MAX where that cannot be. */
static size_t rows_of(const grazei_record *record, const float (*rows)[4], size_t left)
{
    size_t joints = record->joints;
    switch ((grazei_record_kind)record->kind) {
    case GRAZEI_BOX_HULL:
    case GRAZEI_SPHERE_HULL:
        return 2 * joints;
    case GRAZEI_BOX_CENTRE:
    case GRAZEI_SPHERE_CENTRE:
        return 2 + joints;
    case GRAZEI_BOX_SIBLINGS:
        return grazei_joint_rows(record->joints) + 6 * joints;
    case GRAZEI_SPHERE_POSED:
        return left ? 1 + ((size_t)f4_bits(rows[0][1]) + 3) / 4 : SIZE_MAX;
    case GRAZEI_SPHERE_CORNERS:
        break;
    default:
        return SIZE_MAX;
    }
    const float *words = left > 2 ? rows[2] : NULL;
    size_t at = 0, most = left > 2 ? 4 * (left - 2) : 0;
    for (uint32_t sets = left > 2 ? f4_bits(rows[1][0]) : 0; sets; sets--) {
        if (at + 2 > most)
            return SIZE_MAX;
        at += 2 + f4_bits(words[at]) * (size_t)(1 + f4_bits(words[at + 1]));
    }
    return at ? 2 + (at + 3) / 4 : SIZE_MAX;
}

/* Joint number k of a record; SPHERE_CORNERS has its joints set by set, SPHERE_POSED none. */
static uint32_t joint_of(const grazei_record *record, const float (*rows)[4], uint32_t k)
{
    switch (record->kind) {
    case GRAZEI_BOX_HULL:
        return f4_bits(rows[2 * k][3]);
    case GRAZEI_SPHERE_HULL:
        return f4_bits(rows[2 * k + 1][0]);
    case GRAZEI_BOX_SIBLINGS:
        return f4_bits(rows[k / 4][k % 4]);
    default:
        return f4_bits(rows[2 + k][0]);
    }
}

static bool has_list_of_joints(const grazei_record *record)
{
    return record->kind != GRAZEI_SPHERE_CORNERS && record->kind != GRAZEI_SPHERE_POSED;
}

static graze_status check_joints(const grazei_record *record, const float (*rows)[4],
                                 uint32_t joint_count, uint32_t node, graze_error *error)
{
    uint32_t before = 0;
    for (uint32_t k = 0; k < record->joints && has_list_of_joints(record); k++) {
        uint32_t joint = joint_of(record, rows, k);
        GRAZEI_EXPECT(joint < joint_count, error, "the record of node %u has joint %u of %u", node,
                      joint, joint_count);
        GRAZEI_EXPECT(k == 0 || joint > before, error,
                      "the joints in the record of node %u are not ascending", node);
        before = joint;
    }
    return GRAZE_OK;
}

/* Half-extents, radii and spreads are numbers that are not negative. */
static graze_status check_sizes(const grazei_record *record, const float (*rows)[4], uint32_t node,
                                graze_error *error)
{
    bool ok = record->error >= 0;
    for (uint32_t k = 0; k < record->joints; k++) {
        if (record->kind == GRAZEI_BOX_HULL)
            ok &= rows[2 * k + 1][0] >= 0 && rows[2 * k + 1][1] >= 0 && rows[2 * k + 1][2] >= 0;
        if (record->kind == GRAZEI_SPHERE_HULL)
            ok &= rows[2 * k][3] >= 0;
        if (record->kind == GRAZEI_BOX_CENTRE || record->kind == GRAZEI_SPHERE_CENTRE)
            ok &= rows[2 + k][2] >= 0;
    }
    if (record->kind == GRAZEI_BOX_CENTRE)
        ok &= rows[1][0] >= 0 && rows[1][1] >= 0 && rows[1][2] >= 0;
    if (record->kind == GRAZEI_SPHERE_CENTRE || record->kind == GRAZEI_SPHERE_CORNERS)
        ok &= rows[0][3] >= 0;
    GRAZEI_EXPECT(ok, error, "the record of node %u has a negative size", node);
    return GRAZE_OK;
}

static graze_status check_record(const grazei_skin *skin, const grazei_mesh *mesh,
                                 const grazei_tree *tree, uint32_t node, graze_error *error)
{
    const grazei_record *record = &skin->records[node];
    const float(*rows)[4] = (const float(*)[4])skin->rows + record->first;
    size_t left = record->first < skin->row_count ? skin->row_count - record->first : 0;
    GRAZEI_EXPECT(rows_of(record, rows, left) <= left, error,
                  "the record of node %u goes beyond the rows", node);
    GRAZEI_EXPECT(record->siblings >= 1 && record->siblings <= GRAZEI_MAX_SIBLINGS &&
                      (record->siblings == 1) == (record->kind != GRAZEI_BOX_SIBLINGS),
                  error, "the record of node %u is of %u siblings", node, record->siblings);
    if (record->kind == GRAZEI_SPHERE_POSED)
        GRAZEI_EXPECT((uint64_t)f4_bits(rows[0][0]) + f4_bits(rows[0][1]) <=
                          tree->patch_vertex_count,
                      error, "the record of node %u has vertices beyond the last", node);
    graze_status status = check_joints(record, rows, mesh->joint_count, node, error);
    return status ? status : check_sizes(record, rows, node, error);
}

/* In the order of the patches or, where it is of the whole mesh, any that has each vertex once. */
static graze_status check_stream(const grazei_stream *stream, const grazei_mesh *mesh,
                                 const grazei_tree *tree, graze_error *error)
{
    const uint32_t *vertices = stream->vertices ? stream->vertices : tree->patch_vertices;
    const char *name = stream->vertices ? "of the mesh" : "of the patches";
    uint64_t sum = 0, squares = 0;
    uint32_t next = 0;
    GRAZEI_EXPECT(stream->count ==
                      (stream->vertices ? mesh->vertex_count : tree->patch_vertex_count),
                  error, "the stream %s has %u vertices", name, stream->count);
    for (uint64_t i = 0; i < stream->count; i++) {
        uint32_t v = vertices[i], first, count;
        GRAZEI_EXPECT(v < mesh->vertex_count, error, "the stream %s has vertex %u", name, v);
        first = mesh->influence_offsets[v];
        count = mesh->influence_offsets[v + 1] - first;
        GRAZEI_EXPECT(f4_bits(stream->rest[i][3]) == count &&
                          count <= stream->influence_count - next &&
                          stream->sets[i] == mesh->vertex_set[v] &&
                          memcmp(stream->rest[i], mesh->positions + 3 * (size_t)v, 12) == 0 &&
                          memcmp(stream->influences + next, mesh->influences + first,
                                 count * sizeof *mesh->influences) == 0,
                      error, "vertex %u is not itself in the stream %s", v, name);
        next += count;
        sum += v - i;
        squares += (uint64_t)v * v - i * i;
    }
    GRAZEI_EXPECT(!stream->vertices || (sum == 0 && squares == 0), error,
                  "the stream %s has a vertex twice", name);
    return GRAZE_OK;
}

static graze_status check_first_influences(const grazei_stream *stream, const grazei_tree *tree,
                                           graze_error *error)
{
    uint32_t next = 0;
    for (uint32_t p = 0; p < tree->patch_count; p++) {
        const grazei_patch *patch = &tree->patches[p];
        GRAZEI_EXPECT(stream->first_influence[p] == next, error,
                      "patch %u does not begin with influence %u", p, next);
        for (uint32_t i = 0; i < patch->vertex_count; i++)
            next += f4_bits(stream->rest[patch->first_vertex + i][3]);
    }
    return GRAZE_OK;
}

/* Runs follow each other, their targets ascend, and their rows are of vertices that are there. */
static graze_status check_runs(const grazei_morph_list *list, uint32_t first, uint32_t end,
                               uint32_t targets, uint32_t vertices, graze_error *error)
{
    for (uint32_t r = first; r < end; r++) {
        const grazei_morph_run *run = &list->runs[r];
        GRAZEI_EXPECT(run->target < targets && (r == first || run->target > run[-1].target), error,
                      "the targets of morph run %u are not ascending", r);
        GRAZEI_EXPECT((uint64_t)run->first + run->count <= list->row_count, error,
                      "morph run %u goes beyond the rows", r);
        for (uint32_t i = run->first; i < run->first + run->count; i++)
            GRAZEI_EXPECT(f4_bits(list->rows[i][3]) < vertices, error,
                          "morph run %u moves vertex %u of %u", r, f4_bits(list->rows[i][3]),
                          vertices);
    }
    return GRAZE_OK;
}

static graze_status check_morphs(const grazei_morph *morph, const grazei_tree *tree,
                                 const grazei_mesh *mesh, graze_error *error)
{
    const uint32_t *first_run = morph->patches.first_run;
    graze_status status = check_runs(&morph->mesh, 0, morph->mesh.run_count, mesh->morph_count,
                                     mesh->vertex_count, error);
    for (uint32_t p = 0; p < tree->patch_count && !status; p++) {
        GRAZEI_EXPECT(first_run[p] <= first_run[p + 1] &&
                          first_run[p + 1] <= morph->patches.run_count,
                      error, "the morph runs of patch %u are out of order", p);
        status = check_runs(&morph->patches, first_run[p], first_run[p + 1], mesh->morph_count,
                            tree->patches[p].vertex_count, error);
    }
    for (uint32_t n = 0; n < tree->node_count && !status; n++) {
        GRAZEI_EXPECT(morph->node_first[n] <= morph->node_first[n + 1] &&
                          3 * (uint64_t)morph->node_first[n + 1] <= morph->node_row_count,
                      error, "the morph rows of node %u are out of order", n);
        for (uint32_t i = morph->node_first[n]; i < morph->node_first[n + 1]; i++)
            GRAZEI_EXPECT(f4_bits(morph->node_rows[3 * (size_t)i][3]) < mesh->morph_count, error,
                          "a morph row of node %u is of no target", n);
    }
    return status;
}

graze_status grazei_skin_validate(const grazei_skin *skin, const grazei_mesh *mesh,
                                  const grazei_tree *tree, graze_error *error)
{
    graze_status status = check_stream(&skin->patch_stream, mesh, tree, error);
    if (!status)
        status = check_first_influences(&skin->patch_stream, tree, error);
    if (!status && skin->mesh_stream.rest) /* else it is made later */
        status = check_stream(&skin->mesh_stream, mesh, tree, error);
    for (uint32_t n = 0; n < tree->node_count && !status; n++)
        status = check_record(skin, mesh, tree, n, error);
    if (!status && mesh->morph_count)
        status = check_morphs(&skin->morph, tree, mesh, error);
    return status;
}
