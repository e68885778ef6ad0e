/* Pieces: triangles whose corners follow one joint alone. */
#include "folds/build.h"

#include "base/assert.h"
#include "base/memory.h"

static uint8_t *mark_morphed(const grazei_fold_builder *b)
{
    const grazei_mesh *mesh = b->mesh;
    uint8_t *marks = GRAZEI_ALLOCATE_ZERO(b->allocator, mesh->vertex_count, uint8_t);
    if (!marks)
        return NULL;
    for (uint32_t i = 0; mesh->morph_count && i < mesh->morph_offsets[mesh->morph_count]; i++)
        marks[mesh->morph_vertices[i]] = 1;
    return marks;
}

/* The joint that alone moves a vertex, or GRAZEI_NO_PIECE. */
static uint32_t only_joint(const grazei_mesh *mesh, uint32_t vertex)
{
    uint32_t first = mesh->influence_offsets[vertex];
    return mesh->influence_offsets[vertex + 1] == first + 1 ? mesh->influences[first].joint
                                                            : GRAZEI_NO_PIECE;
}

/* The number of a triangle's piece: joints first, then joints with morph targets. */
static uint32_t piece_of(const grazei_mesh *mesh, const uint32_t *corners, const uint8_t *morphed)
{
    uint32_t joint = only_joint(mesh, corners[0]);
    if (joint == GRAZEI_NO_PIECE || only_joint(mesh, corners[1]) != joint ||
        only_joint(mesh, corners[2]) != joint)
        return GRAZEI_NO_PIECE;
    bool moved = morphed[corners[0]] || morphed[corners[1]] || morphed[corners[2]];
    return joint + (moved ? mesh->joint_count : 0);
}

static void sort_patch(grazei_fold_builder *b, uint32_t number, const uint8_t *morphed)
{
    const grazei_tree *tree = b->tree;
    const grazei_patch *patch = &tree->patches[number];
    b->morphed[number] = false;
    for (uint32_t t = 0; t < patch->triangle_count; t++) {
        uint32_t place = patch->first_triangle + t;
        const uint32_t *corners = b->mesh->triangles + 3 * (size_t)tree->patch_triangles[place];
        b->triangle_pieces[place] = piece_of(b->mesh, corners, morphed);
        b->morphed[number] |= morphed[corners[0]] | morphed[corners[1]] | morphed[corners[2]];
    }
}

/* The piece that two pieces of one joint are together: morphed if one is. */
static uint32_t join(const grazei_fold_builder *b, uint32_t a, uint32_t c)
{
    uint32_t joints = b->mesh->joint_count;
    if (a == GRAZEI_NO_PIECE || c == GRAZEI_NO_PIECE || a % joints != c % joints)
        return GRAZEI_NO_PIECE;
    return a > c ? a : c;
}

/* The one piece of all triangles of a patch, and whether they are of pieces at all. */
static uint32_t piece_of_patch(const grazei_fold_builder *b, uint32_t number, bool *pieced)
{
    const grazei_patch *patch = &b->tree->patches[number];
    const uint32_t *pieces = b->triangle_pieces + patch->first_triangle;
    GRAZE_ASSERT(patch->triangle_count > 0);
    uint32_t piece = pieces[0];
    *pieced = true;
    for (uint32_t t = 0; t < patch->triangle_count; t++) {
        *pieced &= pieces[t] != GRAZEI_NO_PIECE;
        piece = join(b, piece, pieces[t]);
    }
    return piece;
}

static void sort_nodes(grazei_fold_builder *b)
{
    grazei_folds *folds = b->folds;
    for (uint32_t p = 0; p < b->tree->patch_count; p++)
        b->only_piece[p] = piece_of_patch(b, p, &b->pieced[p]);
    for (uint32_t n = b->tree->node_count; n-- > 0;) {
        grazei_node node = b->tree->nodes[n];
        folds->node_pieces[n] =
            node.count ? folds->node_pieces[node.first] : b->only_piece[node.first];
        for (uint32_t c = 1; c < node.count; c++)
            folds->node_pieces[n] =
                join(b, folds->node_pieces[n], folds->node_pieces[node.first + c]);
    }
}

bool grazei_folds_find_pieces(grazei_fold_builder *b)
{
    grazei_folds *folds = b->folds;
    uint32_t joints = b->mesh->joint_count;
    uint8_t *morphed = mark_morphed(b);
    folds->piece_count = b->mesh->morph_count ? 2 * joints : joints;
    folds->pieces = GRAZEI_ALLOCATE(b->allocator, folds->piece_count, grazei_piece);
    bool ok = morphed && folds->pieces;
    for (uint32_t i = 0; ok && i < folds->piece_count; i++)
        folds->pieces[i] = (grazei_piece){.joint = i % joints, .morphed = i >= joints};
    for (uint32_t p = 0; ok && p < b->tree->patch_count; p++)
        sort_patch(b, p, morphed);
    if (ok)
        sort_nodes(b);
    grazei_release(b->allocator, morphed);
    return ok;
}
