/* The shape of trees: every triangle once, ranges that nest, sizes as the def asks, the rule of
 * collapsing, and numbers that fit what is there.
 */
#include "body/patches.h"
#include "harness.h"
#include "support/agreement.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/soup.h"

#include <math.h>
#include <stdlib.h>

/* Every triangle is in exactly one patch, and the patch's own corners name the right vertices. */
static void check_patches(const graze_model *model, const char *name)
{
    const grazei_tree *tree = &model->tree;
    OWNED uint8_t *seen = calloc(model->mesh.triangle_count, 1);
    uint32_t next_triangle = 0, next_vertex = 0;
    bool ok = seen != NULL;
    for (uint32_t p = 0; ok && p < tree->patch_count; p++) {
        const grazei_patch *patch = &tree->patches[p];
        ok = patch->triangle_count >= 1 && patch->triangle_count <= tree->def.patch_triangles &&
             patch->vertex_count >= 1 && patch->vertex_count <= GRAZEI_MAX_PATCH_VERTICES &&
             patch->vertex_count <= 3 * patch->triangle_count;
        ok = ok && patch->first_triangle + patch->triangle_count <= model->mesh.triangle_count;
        for (uint32_t i = patch->first_triangle;
             ok && i < patch->first_triangle + patch->triangle_count; i++) {
            uint32_t triangle = tree->patch_triangles[i];
            ok = triangle < model->mesh.triangle_count && !seen[triangle]++;
            for (int c = 0; ok && c < 3; c++)
                ok = tree->corners[i][c] < patch->vertex_count &&
                     tree->patch_vertices[patch->first_vertex + tree->corners[i][c]] ==
                         model->mesh.triangles[3 * (size_t)triangle + (size_t)c];
        }
        next_triangle += patch->triangle_count;
        next_vertex += patch->vertex_count;
    }
    CHECK_MSG(ok, "%s: a patch is wrong", name);
    CHECK_MSG(next_triangle == model->mesh.triangle_count, "%s: triangles are missing", name);
    CHECK_MSG(next_vertex == tree->patch_vertex_count, "%s: vertices are missing", name);
}

/* Nodes level by level, siblings side by side, children's triangles a partition of the parent's. */
static void check_nodes(const graze_model *model, const char *name)
{
    const grazei_tree *tree = &model->tree;
    uint32_t next_child = 1, leaves = 0, most = 0;
    bool ok =
        tree->node_triangles[0][0] == 0 && tree->node_triangles[0][1] == model->mesh.triangle_count;
    for (uint32_t n = 0; ok && n < tree->node_count; n++) {
        const grazei_node *node = &tree->nodes[n];
        uint32_t at = tree->node_triangles[n][0];
        if (node->count == 0) {
            const grazei_patch *patch = &tree->patches[node->first];
            ok = node->first < tree->patch_count && patch->first_triangle == at &&
                 at + patch->triangle_count == tree->node_triangles[n][1];
            leaves++;
            continue;
        }
        ok = node->first == next_child && node->count >= 2 && node->count <= tree->def.arity;
        for (uint32_t i = 0; ok && i < node->count; i++) {
            ok = tree->node_triangles[node->first + i][0] == at;
            at = tree->node_triangles[node->first + i][1];
        }
        ok = ok && at == tree->node_triangles[n][1];
        next_child += node->count;
        most = node->count > most ? node->count : most;
    }
    CHECK_MSG(ok && next_child == tree->node_count, "%s: a node is wrong", name);
    CHECK_MSG(leaves == tree->patch_count, "%s: leaves are not the patches", name);
    CHECK_MSG(most == tree->max_children, "%s: most children %u", name, most);
}

static void check_levels(const graze_model *model, const char *name)
{
    const grazei_tree *tree = &model->tree;
    bool ok = tree->level_count >= 1 && tree->level_count <= GRAZEI_MAX_LEVELS &&
              tree->level_first[0] == 0 && tree->level_first[tree->level_count] == tree->node_count;
    for (uint32_t l = 0; ok && l < tree->level_count; l++)
        for (uint32_t n = tree->level_first[l]; ok && n < tree->level_first[l + 1]; n++) {
            const grazei_node *node = &tree->nodes[n];
            ok = node->count == 0 ||
                 (l + 1 < tree->level_count && node->first >= tree->level_first[l + 1] &&
                  node->first + node->count <= tree->level_first[l + 2]);
        }
    CHECK_MSG(ok, "%s: a level is wrong", name);
}

/* Kavan & Zara 2005, section 3.1: no inner child is larger than collapse times its parent, unless
 * the parent has as many children as it may. Spheres contain their vertices at rest.
 */
static void check_spheres(const graze_model *model, const char *name)
{
    const grazei_tree *tree = &model->tree;
    if (!tree->spheres)
        return;
    bool collapsed = true, enclosed = true;
    bool collapses = tree->def.collapse > 0 && tree->def.collapse < 1;
    for (uint32_t n = 0; n < tree->node_count; n++) {
        const grazei_node *node = &tree->nodes[n];
        const float *sphere = tree->spheres[n];
        for (uint32_t i = 0; i < node->count && collapses; i++)
            if (tree->nodes[node->first + i].count && node->count < tree->def.arity)
                collapsed = collapsed &&
                            tree->spheres[node->first + i][3] <= tree->def.collapse * sphere[3];
        for (uint32_t i = tree->node_triangles[n][0]; i < tree->node_triangles[n][1]; i++)
            for (int c = 0; c < 3; c++) {
                uint32_t v =
                    model->mesh.triangles[3 * (size_t)tree->patch_triangles[i] + (size_t)c];
                const float *p = model->mesh.positions + 3 * (size_t)v;
                double x = (double)p[0] - sphere[0], y = (double)p[1] - sphere[1];
                double z = (double)p[2] - sphere[2];
                enclosed = enclosed && sqrt(x * x + y * y + z * z) <= sphere[3] * (1 + 1e-15);
            }
    }
    CHECK_MSG(collapsed, "%s: a node should have been collapsed", name);
    CHECK_MSG(enclosed, "%s: a sphere at rest is too small", name);
}

static void check_info(const graze_model *model, const graze_model_def *def, const char *name)
{
    graze_model_info info = graze_model_get_info(model);
    CHECK_MSG(info.vertex_count == def->vertex_count && info.joint_count == def->joint_count &&
                  info.triangle_count == def->triangle_count,
              "%s: counts", name);
    uint32_t least_leaves =
        (def->triangle_count + def->tree.patch_triangles - 1) / def->tree.patch_triangles;
    CHECK_MSG(info.leaf_count >= least_leaves && info.leaf_count <= def->triangle_count,
              "%s: %u leaves", name, info.leaf_count);
    CHECK_MSG(info.node_count <= info.binary_node_count, "%s: nodes", name);
    CHECK_MSG(info.binary_node_count == 2 * info.leaf_count - 1, "%s: binary nodes", name);
    CHECK_MSG(info.level_count <= info.binary_level_count, "%s: levels", name);
    CHECK_MSG(info.max_children <= (def->tree.arity ? def->tree.arity : 4), "%s: children", name);
    CHECK_MSG((info.node_count == 1) == (info.level_count == 1), "%s: a lone leaf", name);
    CHECK_MSG(info.tree_bytes >= info.node_count * sizeof(grazei_node), "%s: bytes", name);
    CHECK_MSG(info.body_bytes >= info.node_count * sizeof(grazei_bound), "%s: bytes", name);
    if (def->tree.patch_triangles == 1)
        CHECK_MSG(info.leaf_count == def->triangle_count, "%s: one triangle a leaf", name);
    if (def->tree.collapse >= 1)
        CHECK_MSG(info.node_count == info.binary_node_count, "%s: the binary tree", name);
}

static void check_model(graze_model_def def, graze_tree_def tree, const char *name)
{
    OWN(graze_model) *model = NULL;
    graze_error error = {.text = ""};
    def.tree = tree;
    if (!test_check(graze_model_create(&def, &model, &error) == GRAZE_OK, __FILE__, __LINE__,
                    "%s: %s", name, error.text))
        return;
    check_patches(model, name);
    check_nodes(model, name);
    check_levels(model, name);
    check_spheres(model, name);
    check_info(model, &def, name);
}

TEST(trees_of_characters)
{
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    for (uint32_t r = 0; r < count; r++)
        for (uint32_t t = 0; t < agreement_tree_count(); t++) {
            char name[100];
            snprintf(name, sizeof name, "%s, tree %u", rigs[r].name, t);
            check_model(graze_rig_model_def(rigs[r].rig), agreement_tree(t), name);
        }
}

TEST(trees_of_random_meshes)
{
    static const uint32_t patch_sizes[] = {1, 2, 7, 8, 16, 64, 85, 86, 127, 128};
    static const uint32_t arities[] = {2, 3, 4, 8, 31, 32};
    for (uint32_t m = 0; m < 120; m++) {
        char name[64];
        test_random random = test_random_seed(700 + m);
        soup_def def = {.vertex_count = 3 + test_random_u32(&random) % 900,
                        .triangle_count = 1 + test_random_u32(&random) % 900,
                        .joint_count = 1 + m % 9,
                        .max_influences = 3,
                        .size = m % 5 == 4 ? 0 : 1, /* all in one place */
                        .lattice = m % 5 == 3,
                        .flat = m % 3 == 2};
        OWN(soup) mesh = soup_make(&def, &random);
        if (m % 4 == 1) /* triangles that share no vertices fill patches before their count does */
            for (uint32_t i = 0; i < 3 * def.triangle_count; i++)
                mesh.triangles[i] = test_random_u32(&random) % def.vertex_count;
        graze_tree_def tree = {.volume = m % 2 ? GRAZE_SPHERES : GRAZE_BOXES,
                               .patch_triangles = patch_sizes[m % 10],
                               .arity = arities[m % 6],
                               .collapse = m % 4 == 3 ? 0.6f : 0};
        snprintf(name, sizeof name, "random mesh %u", m);
        check_model(soup_model_def(&mesh), tree, name);
    }
}

/* Loose triangles of one size, to be put somewhere. */
static soup loose_triangles(uint32_t count, test_random *random)
{
    const soup_def def = {.vertex_count = 3 * count,
                          .triangle_count = count,
                          .joint_count = 1,
                          .max_influences = 1,
                          .size = 1};
    soup mesh = soup_make(&def, random);
    for (uint32_t i = 0; i < 3 * count; i++)
        mesh.triangles[i] = i;
    return mesh;
}

static void put_triangle(soup *mesh, uint32_t triangle, double x, double y, double z, double size)
{
    static const double corners[3][3] = {{0, 0, 0}, {1, 0, 0.5}, {0, 1, 1}};
    const double at[3] = {x, y, z};
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            mesh->positions[9 * (size_t)triangle + 3 * c + k] =
                (float)(at[k] + size * corners[c][k]);
}

enum { HARD_TRIANGLES = 6000 };

/* What misleads splits: by mean, by median or by area. */
static void put_hard(soup *mesh, uint32_t kind, uint32_t i, test_random *random)
{
    double along = (double)i / HARD_TRIANGLES, scale;
    switch (kind) {
    case 0: /* up, then down again */
        put_triangle(mesh, i, i < HARD_TRIANGLES / 2 ? i : HARD_TRIANGLES - i - 0.5, 0, 0, 1);
        break;
    case 1: /* all the same */
        put_triangle(mesh, i, 1, 2, 3, 1);
        break;
    case 2: /* points on a line */
        put_triangle(mesh, i, 0, along, 0, 0);
        break;
    case 3: /* ever smaller towards one end, down to what floats can tell apart */
        scale = pow(2, -120 * along);
        put_triangle(mesh, i, scale, 0, scale, 0.1 * scale);
        break;
    case 4: /* shells within shells, each a few triangles and twice the last */
        scale = ldexp(1e-12, (int)(i / 16) % 80);
        put_triangle(mesh, i, scale * test_random_range(random, -1, 1),
                     scale * test_random_range(random, -1, 1), 0, scale);
        break;
    default: /* as far out as coordinates may be */
        put_triangle(mesh, i, test_random_range(random, -9e14, 9e14),
                     test_random_range(random, -9e14, 9e14), 9e14, 1e10);
    }
}

TEST(trees_of_what_misleads_splits)
{
    static const uint32_t patch_sizes[] = {1, 2, 15, 16, 17, 64, 128};
    for (uint32_t kind = 0; kind < 6; kind++)
        for (uint32_t p = 0; p < 7; p += test_amount(1, 3)) {
            char name[64];
            test_random random = test_random_seed(40 + kind);
            OWN(soup) mesh = loose_triangles(HARD_TRIANGLES, &random);
            for (uint32_t i = 0; i < HARD_TRIANGLES; i++)
                put_hard(&mesh, kind, i, &random);
            graze_tree_def tree = {0};
            tree.patch_triangles = patch_sizes[p];
            snprintf(name, sizeof name, "hard mesh %u, patches of %u", kind, patch_sizes[p]);
            check_model(soup_model_def(&mesh), tree, name);
        }
}

/* Where areas say nothing the tree is balanced: no deeper than halving makes it. */
TEST(equal_triangles_are_halved)
{
    test_random random = test_random_seed(3);
    for (uint32_t patches = 1; patches <= 40; patches += 13) {
        OWN(soup) mesh = loose_triangles(64 * patches, &random);
        for (uint32_t i = 0; i < 64 * patches; i++)
            put_triangle(&mesh, i, 0, 0, 0, 1);
        graze_model_def def = soup_model_def(&mesh);
        OWN(graze_model) *model = NULL;
        REQUIRE(!graze_model_create(&def, &model, NULL));
        uint32_t levels = 1;
        while (1u << (levels - 1) < patches)
            levels++;
        CHECK_MSG(model->tree.binary_level_count == levels && model->tree.patch_count == patches,
                  "%u patches: %u levels, %u leaves", patches, model->tree.binary_level_count,
                  model->tree.patch_count);
    }
}

/* Parts that lie apart, of 80 triangles each, numbered at random: cuts by area go between them, so
 * that a patch has triangles of one part alone; medians would not.
 */
TEST(patches_keep_to_loose_parts)
{
    enum { PARTS = 40, EACH = 80, COUNT = PARTS * EACH };
    static uint32_t part_of[COUNT];
    test_random random = test_random_seed(11);
    OWN(soup) mesh = loose_triangles(COUNT, &random);
    double at[PARTS][3];
    for (uint32_t p = 0; p < PARTS; p++)
        for (int k = 0; k < 3; k++)
            at[p][k] = 10 * test_random_range(&random, -1, 1) + 30 * (p >> (2 * k) & 3);
    for (uint32_t i = 0; i < COUNT; i++)
        part_of[i] = i % PARTS;
    for (uint32_t i = COUNT; i-- > 1;) {
        uint32_t other = test_random_u32(&random) % (i + 1), swap = part_of[i];
        part_of[i] = part_of[other];
        part_of[other] = swap;
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        const double *part = at[part_of[i]];
        put_triangle(&mesh, i, part[0] + test_random_range(&random, -1, 1),
                     part[1] + test_random_range(&random, -1, 1),
                     part[2] + test_random_range(&random, -1, 1), 0.1);
    }
    graze_model_def def = soup_model_def(&mesh);
    OWN(graze_model) *model = NULL;
    REQUIRE(!graze_model_create(&def, &model, NULL));
    uint32_t mixed = 0;
    for (uint32_t p = 0; p < model->tree.patch_count; p++) {
        const grazei_patch *patch = &model->tree.patches[p];
        const uint32_t *triangles = model->tree.patch_triangles + patch->first_triangle;
        for (uint32_t i = 1; i < patch->triangle_count; i++)
            if (part_of[triangles[i]] != part_of[triangles[0]]) {
                mixed++;
                break;
            }
    }
    CHECK_MSG(mixed == 0, "%u of %u patches are mixed", mixed, model->tree.patch_count);
}

static uint32_t count_leaves(const graze_model *model, uint32_t joints, uint32_t *mixed)
{
    *mixed = 0;
    for (uint32_t p = 0; p < model->tree.patch_count; p++) {
        const grazei_patch *patch = &model->tree.patches[p];
        const uint32_t *triangles = model->tree.patch_triangles + patch->first_triangle;
        bool one = true;
        for (uint32_t i = 1; i < patch->triangle_count; i++)
            one &= triangles[i] % joints == triangles[0] % joints;
        *mixed += !one;
    }
    return model->tree.patch_count;
}

/* Triangles of several joints all over one place: a few joints have patches of their own; those of
 * many would be too small.
 */
TEST(patches_keep_to_joints)
{
    enum { COUNT = 1920 };
    for (uint32_t joints = 1; joints <= COUNT; joints *= joints < 30 ? 5 : 40) {
        test_random random = test_random_seed(12 + joints);
        OWN(soup) mesh = loose_triangles(COUNT, &random);
        mesh.def.joint_count = joints;
        for (uint32_t i = 0; i < COUNT; i++) {
            put_triangle(&mesh, i, test_random_range(&random, -1, 1),
                         test_random_range(&random, -1, 1), test_random_range(&random, -1, 1), 0.1);
            for (size_t c = 0; c < 3; c++)
                mesh.influences[3 * (size_t)i + c] = (graze_influence){i % joints, 1};
        }
        graze_model_def def = soup_model_def(&mesh);
        OWN(graze_model) *model = NULL;
        REQUIRE(!graze_model_create(&def, &model, NULL));
        uint32_t mixed, leaves = count_leaves(model, joints, &mixed);
        CHECK_MSG(joints > 25 || mixed == 0, "%u joints: %u patches mixed", joints, mixed);
        CHECK_MSG(leaves < 3 * COUNT / 64, "%u joints: %u patches", joints, leaves);
        CHECK(model->tree.level_count < 20);
    }
}
