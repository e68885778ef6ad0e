/* What every table of folds is: part of graze_model_validate. That it says the truth of poses is
 * for tests to see; here it is what queries read without a look.
 */
#include "folds/folds.h"

#include "base/status.h"

/* Ranks and patches are each other's; those below a node follow each other. */
static graze_status check_ranks(const grazei_folds *folds, const grazei_tree *tree,
                                graze_error *error)
{
    for (uint32_t rank = 0; rank < tree->patch_count; rank++) {
        uint32_t p = folds->rank_patches[rank];
        GRAZEI_EXPECT(p < tree->patch_count && folds->patch_ranks[p] == rank, error,
                      "rank %u and patch %u are not each other's", rank, p);
        GRAZEI_EXPECT(rank == 0 || tree->patches[folds->rank_patches[rank - 1]].first_triangle <
                                       tree->patches[p].first_triangle,
                      error, "rank %u is not in the order of triangles", rank);
    }
    for (uint32_t n = 0; n < tree->node_count; n++) {
        grazei_node node = tree->nodes[n];
        uint32_t first =
            node.count ? folds->node_ranks[node.first][0] : folds->patch_ranks[node.first];
        uint32_t end = node.count ? folds->node_ranks[node.first + node.count - 1][1] : first + 1;
        GRAZEI_EXPECT(folds->node_ranks[n][0] == first && folds->node_ranks[n][1] == end, error,
                      "node %u does not have the ranks below it", n);
        GRAZEI_EXPECT(
            folds->node_folds[n] == GRAZEI_NO_FOLD || folds->node_folds[n] < folds->fold_count,
            error, "node %u has fold %u of %u", n, folds->node_folds[n], folds->fold_count);
        GRAZEI_EXPECT(
            folds->node_pieces[n] == GRAZEI_NO_PIECE || folds->node_pieces[n] < folds->piece_count,
            error, "node %u has piece %u of %u", n, folds->node_pieces[n], folds->piece_count);
    }
    return GRAZE_OK;
}

/* Rows of a fold ascend by their pairs, which are of its main joint. */
static graze_status check_folds(const grazei_folds *folds, uint32_t joints, graze_error *error)
{
    for (uint32_t f = 0; f < folds->fold_count; f++) {
        const grazei_fold *fold = &folds->folds[f];
        GRAZEI_EXPECT(fold->joint < joints && fold->apart >= 0, error,
                      "fold %u is of joint %u of %u", f, fold->joint, joints);
        GRAZEI_EXPECT(fold->row_count <= GRAZEI_MAX_FOLD_ROWS &&
                          (uint64_t)fold->first_row + fold->row_count <= folds->row_count,
                      error, "fold %u has rows beyond the last", f);
        for (uint32_t i = 0; i < fold->row_count; i++) {
            const grazei_fold_row *row = &folds->rows[fold->first_row + i];
            GRAZEI_EXPECT(row->pair < folds->pair_count && (i == 0 || row->pair > row[-1].pair),
                          error, "the pairs of fold %u are not ascending", f);
            GRAZEI_EXPECT(folds->pairs[row->pair][0] == fold->joint &&
                              folds->pairs[row->pair][1] != fold->joint &&
                              folds->pairs[row->pair][1] < joints,
                          error, "a pair of fold %u is of other joints", f);
            GRAZEI_EXPECT(row->spread >= 0 && row->bend >= 0 && row->steepness >= 0, error,
                          "a row of fold %u has a negative size", f);
        }
    }
    return GRAZE_OK;
}

static graze_status check_lanes(const grazei_folds *folds, graze_error *error)
{
    for (uint32_t p = 0; folds->first_lanes && p < folds->pair_count; p++)
        for (uint32_t i = folds->first_lanes[p]; i < folds->first_lanes[p + 1]; i++)
            for (uint32_t k = 0; k < GRAZEI_FOLD_LANES; k++)
                GRAZEI_EXPECT(folds->lanes[i].folds[k] <= folds->fold_count, error,
                              "a lane of pair %u is of fold %u of %u", p, folds->lanes[i].folds[k],
                              folds->fold_count);
    return GRAZE_OK;
}

/* The runs of a near's listed pairs are all of them, and the pairs are of the two patches. */
static graze_status check_near(const grazei_folds *folds, const grazei_tree *tree, uint32_t number,
                               uint32_t patch, graze_error *error)
{
    const grazei_near *near = &folds->nears[number];
    uint32_t neighbours = near->neighbour_count == GRAZEI_UNCOUNTED ? 0 : near->neighbour_count;
    uint32_t in_runs = 0, first = tree->patches[patch].triangle_count;
    uint32_t second = tree->patches[near->patch].triangle_count;
    GRAZEI_EXPECT(near->fold == GRAZEI_NO_FOLD || near->fold < folds->fold_count, error,
                  "near %u has fold %u of %u", number, near->fold, folds->fold_count);
    GRAZEI_EXPECT((uint64_t)near->first_listed + near->listed_count + neighbours <=
                      folds->listed_count,
                  error, "near %u lists pairs beyond the last", number);
    for (uint32_t i = 0; i < near->listed_count + neighbours; i++) {
        uint16_t pair = folds->listed[near->first_listed + i];
        GRAZEI_EXPECT(grazei_pair_first(pair) < first && grazei_pair_second(pair) < second, error,
                      "near %u lists a triangle that its patch has not", number);
    }
    for (uint32_t r = near->first_run; in_runs < near->listed_count; r++) {
        GRAZEI_EXPECT(r < folds->run_count && folds->runs[r].count > 0, error,
                      "the runs of near %u are not all that it lists", number);
        GRAZEI_EXPECT(
            folds->runs[r].piece == GRAZEI_NO_PIECE || folds->runs[r].piece < folds->piece_count,
            error, "run %u is of piece %u of %u", r, folds->runs[r].piece, folds->piece_count);
        in_runs += folds->runs[r].count;
    }
    GRAZEI_EXPECT(in_runs == near->listed_count, error,
                  "the runs of near %u are more than it lists", number);
    return GRAZE_OK;
}

/* A patch is the first that is near itself; the others come behind it. */
static graze_status check_nears(const grazei_folds *folds, const grazei_tree *tree,
                                graze_error *error)
{
    graze_status status = GRAZE_OK;
    GRAZEI_EXPECT(folds->first_near[0] == 0 &&
                      folds->first_near[tree->patch_count] == folds->near_count,
                  error, "the nears of the patches are not all");
    for (uint32_t rank = 0; rank < tree->patch_count && !status; rank++) {
        uint32_t patch = folds->rank_patches[rank], first = folds->first_near[rank];
        GRAZEI_EXPECT(first < folds->first_near[rank + 1] && folds->nears[first].patch == patch,
                      error, "patch %u is not the first that is near itself", patch);
        GRAZEI_EXPECT(!folds->crowded[patch] || first + 1 == folds->first_near[rank + 1], error,
                      "patch %u is crowded, and others are listed", patch);
        for (uint32_t i = first; i < folds->first_near[rank + 1] && !status; i++) {
            GRAZEI_EXPECT(folds->nears[i].patch < tree->patch_count &&
                              (i == first || folds->patch_ranks[folds->nears[i].patch] > rank),
                          error, "near %u is not of a later patch", i);
            status = check_near(folds, tree, i, patch, error);
        }
    }
    return status;
}

static bool are_neighbours(const grazei_mesh *mesh, uint32_t s, uint32_t t)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (mesh->welds[mesh->triangles[3 * (size_t)s + (size_t)i]] ==
                mesh->welds[mesh->triangles[3 * (size_t)t + (size_t)k]])
                return true;
    return false;
}

/* Of each triangle the mask has those before it in the patch, itself, and neighbours behind it. */
static graze_status check_masks(const grazei_folds *folds, const grazei_mesh *mesh,
                                const grazei_tree *tree, uint32_t number, graze_error *error)
{
    const grazei_patch *patch = &tree->patches[number];
    const uint32_t *triangles = tree->patch_triangles + patch->first_triangle;
    for (uint32_t i = 0; i < patch->triangle_count; i++)
        for (uint32_t k = 0; k < patch->triangle_count; k++) {
            bool is_in = folds->masks[patch->first_triangle + i][k >> 6] >> (k & 63) & 1;
            GRAZEI_EXPECT(is_in == (k <= i || are_neighbours(mesh, triangles[i], triangles[k])),
                          error, "triangles %u and %u of patch %u have the wrong mask", i, k,
                          number);
        }
    return GRAZE_OK;
}

/* Steps nest, and open children that are there. */
static graze_status check_steps(const grazei_folds *folds, const grazei_tree *tree,
                                graze_error *error)
{
    for (uint32_t s = 0; s < folds->step_count; s++) {
        const grazei_fold_step *step = &folds->steps[s];
        GRAZEI_EXPECT(step->end > s && step->end <= folds->step_count, error,
                      "step %u ends at %u of %u", s, step->end, folds->step_count);
        for (uint32_t next = s + 1; next < step->end; next = folds->steps[next].end)
            GRAZEI_EXPECT(folds->steps[next].end > next && folds->steps[next].end <= step->end,
                          error, "step %u ends behind the one that it comes from", next);
        for (int side = 0; side < 2; side++)
            GRAZEI_EXPECT(step->count[side] >= 1 && step->count[side] <= GRAZEI_STEP_CHILDREN &&
                              step->first[side] + step->count[side] <= tree->node_count,
                          error, "step %u looks at nodes beyond the last", s);
        for (uint32_t bit = 0; bit < 16; bit++)
            GRAZEI_EXPECT(!(step->open >> bit & 1) ||
                              (bit / 4 < step->count[0] && bit % 4 < step->count[1]),
                          error, "step %u opens a child that is not there", s);
    }
    for (uint32_t p = 0; p < tree->patch_count && folds->leaves; p++) {
        grazei_fold_leaf leaf = folds->leaves[p];
        GRAZEI_EXPECT(leaf.node < tree->node_count && tree->nodes[leaf.node].count == 0 &&
                          tree->nodes[leaf.node].first == p && leaf.node >= leaf.first &&
                          leaf.node - leaf.first < leaf.count,
                      error, "node %u is not the leaf of patch %u", leaf.node, p);
    }
    return GRAZE_OK;
}

graze_status grazei_folds_validate(const grazei_folds *folds, const grazei_mesh *mesh,
                                   const grazei_tree *tree, graze_error *error)
{
    if (!folds->node_folds)
        return GRAZE_OK;
    graze_status status = check_ranks(folds, tree, error);
    if (!status)
        status = check_folds(folds, mesh->joint_count, error);
    if (!status)
        status = check_lanes(folds, error);
    if (!status)
        status = check_nears(folds, tree, error);
    for (uint32_t p = 0; p < tree->patch_count && !status; p++)
        status = check_masks(folds, mesh, tree, p, error);
    return status ? status : check_steps(folds, tree, error);
}
