/* The nodes: a binary tree collapsed or widened, laid out level by level. */
#include "tree/tree.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "math/rounding.h"
#include "tree/ball.h"
#include "tree/patches.h"
#include "tree/split.h"

#include <math.h>
#include <string.h>

/* The nodes that take the place of a binary node's two children: by radius, those children that
 * are not too like their parent, opened in turn (Kavan & Zara 2005, section 3.1); else the
 * largest are opened until the arity is reached.
 */
static uint32_t choose_children(const grazei_binary_tree *binary, const graze_tree_def *def,
                                uint32_t parent, uint32_t children[GRAZEI_MAX_ARITY])
{
    const grazei_binary_node *nodes = binary->nodes;
    uint32_t count = 2;
    children[0] = nodes[parent].children[0];
    children[1] = nodes[parent].children[1];
    GRAZE_ASSERT(children[0] && children[1]);
    while (count < def->arity) {
        uint32_t open = UINT32_MAX;
        for (uint32_t i = 0; i < count; i++) {
            const grazei_binary_node *child = &nodes[children[i]];
            bool wanted = def->collapse == 0 ||
                          (def->collapse < 1 && child->size > def->collapse * nodes[parent].size);
            if (child->children[0] && wanted &&
                (open == UINT32_MAX || child->size > nodes[children[open]].size))
                open = i;
        }
        if (open == UINT32_MAX)
            break;
        uint32_t opened = children[open];
        memmove(children + open + 2, children + open + 1, (count - open - 1) * sizeof *children);
        children[open] = nodes[opened].children[0];
        children[open + 1] = nodes[opened].children[1];
        count++;
    }
    return count;
}

static bool allocate_nodes(grazei_tree *tree, const graze_allocator *allocator, uint32_t count)
{
    tree->nodes = GRAZEI_ALLOCATE(allocator, count, grazei_node);
    tree->node_triangles = grazei_allocate(allocator, count, sizeof *tree->node_triangles);
    tree->level_first = GRAZEI_ALLOCATE(allocator, GRAZEI_MAX_LEVELS + 1, uint32_t);
    if (tree->def.volume == GRAZE_SPHERES)
        tree->spheres = grazei_allocate(allocator, count, sizeof *tree->spheres);
    return tree->nodes && tree->node_triangles && tree->level_first &&
           (tree->spheres || tree->def.volume != GRAZE_SPHERES);
}

static void add_node(grazei_tree *tree, const grazei_binary_node *binary)
{
    uint32_t n = tree->node_count++;
    GRAZE_ASSERT(binary->begin < binary->end);
    tree->node_triangles[n][0] = binary->begin;
    tree->node_triangles[n][1] = binary->end;
    if (tree->spheres)
        memcpy(tree->spheres[n], binary->sphere, sizeof binary->sphere);
}

/* The children of a node, of which `open` are left behind on the way to it. Where a tree is so deep
 * and wide that walks would leave too much behind, it goes on as a binary tree.
 */
static uint32_t choose_some_children(const grazei_tree *tree, const grazei_binary_tree *binary,
                                     uint32_t node, uint32_t open,
                                     uint32_t children[GRAZEI_MAX_ARITY])
{
    uint32_t count = choose_children(binary, &tree->def, node, children);
    if (open + count - 1 <= GRAZEI_MAX_OPEN - GRAZEI_MAX_LEVELS)
        return count;
    children[0] = binary->nodes[node].children[0];
    children[1] = binary->nodes[node].children[1];
    return 2;
}

/* Lays the chosen nodes out level by level; source holds the binary node behind each, and open what
 * is left behind on the way to it.
 */
static void lay_out(grazei_tree *tree, const grazei_binary_tree *binary, uint32_t *source,
                    uint32_t *open)
{
    source[0] = 0;
    open[0] = 0;
    add_node(tree, &binary->nodes[0]);
    uint32_t level_end = 0;
    for (uint32_t n = 0; n < tree->node_count; n++) {
        if (n == level_end) {
            tree->level_first[tree->level_count++] = n;
            level_end = tree->node_count;
        }
        const grazei_binary_node *node = &binary->nodes[source[n]];
        if (!node->children[0]) {
            tree->nodes[n] = (grazei_node){tree->patch_count++, 0};
            continue;
        }
        uint32_t children[GRAZEI_MAX_ARITY];
        uint32_t count = choose_some_children(tree, binary, source[n], open[n], children);
        GRAZE_ASSERT(count >= 2 && count <= tree->def.arity);
        GRAZE_ASSERT(tree->node_count + count <= binary->node_count);
        tree->nodes[n] = (grazei_node){tree->node_count, count};
        for (uint32_t i = 0; i < count; i++) {
            source[tree->node_count] = children[i];
            open[tree->node_count] = open[n] + count - 1;
            add_node(tree, &binary->nodes[children[i]]);
        }
        if (count > tree->max_children)
            tree->max_children = count;
        if (open[n] + count - 1 > tree->max_open)
            tree->max_open = open[n] + count - 1;
    }
    GRAZE_ASSERT(tree->level_count <= GRAZEI_MAX_LEVELS && tree->max_open <= GRAZEI_MAX_OPEN);
    tree->level_first[tree->level_count] = tree->node_count;
}

/* Enlarges spheres above the contact level so that they hold those of all proxies below them. A
 * node's proxies are the nodes on the level, and leaves above it.
 */
static void wrap_proxies(grazei_tree *tree)
{
    uint32_t level = tree->def.contact_level;
    uint32_t end = level < tree->level_count ? tree->level_first[level] : 0;
    for (uint32_t n = end; n-- > 0;) {
        const grazei_node *node = &tree->nodes[n];
        float *sphere = tree->spheres[n];
        /* Children above the level already hold their proxies, so holding the children will do. */
        for (uint32_t c = node->first; c < node->first + node->count; c++) {
            double square = 0;
            for (int axis = 0; axis < 3; axis++) {
                double d = (double)tree->spheres[c][axis] - sphere[axis];
                square += d * d;
            }
            float reach = grazei_round_up((sqrt(square) + tree->spheres[c][3]) * (1 + 0x1p-40));
            sphere[3] = reach > sphere[3] ? reach : sphere[3];
        }
    }
}

/* The def with the numbers that zeros stand for. */
static graze_tree_def filled(const graze_tree_def *given)
{
    graze_tree_def def = *given;
    def.patch_triangles = def.patch_triangles ? def.patch_triangles : 64;
    def.arity = def.arity ? def.arity : 4;
    return def;
}

static graze_status check_def(const graze_tree_def *def, graze_error *error)
{
    if (def->volume != GRAZE_BOXES && def->volume != GRAZE_SPHERES)
        return grazei_fail(error, GRAZE_BAD_INPUT, "tree volume %d is unknown", (int)def->volume);
    if (def->refit != GRAZE_REFIT_DEFAULT && def->refit != GRAZE_REFIT_CORNERS)
        return grazei_fail(error, GRAZE_BAD_INPUT, "tree refit %d is unknown", (int)def->refit);
    if (def->refit == GRAZE_REFIT_CORNERS && def->volume != GRAZE_SPHERES)
        return grazei_fail(error, GRAZE_UNSUPPORTED, "refit by corners needs a tree of spheres");
    if (def->patch_triangles < 1 || def->patch_triangles > GRAZEI_MAX_PATCH_TRIANGLES)
        return grazei_fail(error, GRAZE_BAD_INPUT, "patch_triangles is %u, not 1 to %d",
                           def->patch_triangles, GRAZEI_MAX_PATCH_TRIANGLES);
    if (def->arity < 2 || def->arity > GRAZEI_MAX_ARITY)
        return grazei_fail(error, GRAZE_BAD_INPUT, "tree arity is %u, not 2 to %d", def->arity,
                           GRAZEI_MAX_ARITY);
    if (def->contact_level && def->volume != GRAZE_SPHERES)
        return grazei_fail(error, GRAZE_UNSUPPORTED, "a contact level needs a tree of spheres");
    if (!(def->collapse >= 0 && isfinite(def->collapse)))
        return grazei_fail(error, GRAZE_BAD_INPUT, "tree collapse is not a number of 0 or more");
    return GRAZEI_CHECK_RESERVED(def, "the tree def", error);
}

graze_status grazei_tree_build(grazei_tree *tree, const graze_tree_def *given,
                               const grazei_mesh *mesh, const graze_allocator *allocator,
                               graze_error *error)
{
    tree->def = filled(given);
    const graze_tree_def *def = &tree->def;
    graze_status status = check_def(def, error);
    if (status)
        return status;

    grazei_binary_tree binary = {0};
    bool ok = grazei_split(&binary, def, mesh, allocator);
    uint32_t *source =
        ok ? GRAZEI_ALLOCATE(allocator, 2 * (size_t)binary.node_count, uint32_t) : NULL;
    ok = source && allocate_nodes(tree, allocator, binary.node_count);
    if (ok) {
        tree->binary_node_count = binary.node_count;
        tree->binary_level_count = binary.level_count;
        lay_out(tree, &binary, source, source + binary.node_count);
        if (def->contact_level)
            wrap_proxies(tree);
        tree->patch_triangles = binary.order;
        binary.order = NULL;
        ok = grazei_make_patches(tree, mesh, (const uint32_t *const *)binary.others, allocator);
    }
    grazei_release(allocator, source);
    grazei_binary_release(&binary, allocator);
    return ok ? GRAZE_OK : grazei_fail_memory(error);
}

static bool enclose_nodes(grazei_tree *tree, const grazei_mesh *mesh,
                          const graze_allocator *allocator)
{
    uint8_t *marks = GRAZEI_ALLOCATE_ZERO(allocator, mesh->vertex_count, uint8_t);
    uint32_t *vertices = GRAZEI_ALLOCATE(allocator, 2 * (size_t)mesh->vertex_count, uint32_t);
    bool ok = marks && vertices;
    for (uint32_t n = 0; ok && n < tree->node_count; n++) {
        uint32_t count = grazei_tree_vertices(tree, mesh, tree->node_triangles[n], marks, vertices);
        grazei_ball ball = grazei_ball_enclose(mesh->positions, vertices, count, vertices + count);
        grazei_ball_float rounded = grazei_ball_round(&ball, mesh->positions, vertices, count);
        memcpy(tree->spheres[n], rounded.centre, sizeof rounded.centre);
        tree->spheres[n][3] = rounded.radius;
    }
    grazei_release(allocator, marks);
    grazei_release(allocator, vertices);
    if (ok && tree->def.contact_level)
        wrap_proxies(tree);
    return ok;
}

static void *copy(const graze_allocator *allocator, const void *items, size_t count, size_t size)
{
    void *made = grazei_allocate(allocator, count, size);
    return made ? memcpy(made, items, count * size) : NULL;
}

bool grazei_tree_copy(grazei_tree *tree, const grazei_tree *from, const grazei_mesh *mesh,
                      const graze_allocator *allocator)
{
    size_t triangles = mesh->triangle_count, nodes = from->node_count;
    *tree = *from;
    tree->nodes = copy(allocator, from->nodes, nodes, sizeof *from->nodes);
    tree->level_first = copy(allocator, from->level_first, (size_t)from->level_count + 1,
                             sizeof *from->level_first);
    tree->node_triangles =
        copy(allocator, from->node_triangles, nodes, sizeof *from->node_triangles);
    tree->patches = copy(allocator, from->patches, from->patch_count, sizeof *from->patches);
    tree->patch_triangles =
        copy(allocator, from->patch_triangles, triangles, sizeof *from->patch_triangles);
    tree->corners =
        copy(allocator, from->corners, triangles + GRAZEI_CORNERS_BEHIND, sizeof *from->corners);
    tree->patch_vertices = copy(allocator, from->patch_vertices, from->patch_vertex_count,
                                sizeof *from->patch_vertices);
    if (from->spheres)
        tree->spheres = grazei_allocate(allocator, nodes, sizeof *tree->spheres);
    bool is_whole = tree->nodes && tree->level_first && tree->node_triangles && tree->patches &&
                    tree->patch_triangles && tree->corners && tree->patch_vertices &&
                    (!from->spheres || (tree->spheres && enclose_nodes(tree, mesh, allocator)));
    /* the mesh may follow other joints */
    return is_whole && grazei_tree_find_main_joints(tree, mesh, allocator);
}

void grazei_tree_release(grazei_tree *tree, const graze_allocator *allocator)
{
    grazei_release(allocator, tree->nodes);
    grazei_release(allocator, tree->node_triangles);
    grazei_release(allocator, tree->level_first);
    grazei_release(allocator, tree->spheres);
    grazei_release(allocator, tree->patches);
    grazei_release(allocator, tree->patch_triangles);
    grazei_release(allocator, tree->corners);
    grazei_release(allocator, tree->patch_vertices);
}

uint32_t grazei_distinct_vertices(const grazei_mesh *mesh, const uint32_t *triangles,
                                  uint32_t triangle_count, uint8_t *marks, uint32_t *vertices)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < triangle_count; i++) {
        const uint32_t *corners = mesh->triangles + 3 * (size_t)triangles[i];
        for (int c = 0; c < 3; c++)
            if (!marks[corners[c]]) {
                marks[corners[c]] = 1;
                vertices[count++] = corners[c];
            }
    }
    for (uint32_t i = 0; i < count; i++)
        marks[vertices[i]] = 0;
    return count;
}

uint32_t grazei_tree_vertices(const grazei_tree *tree, const grazei_mesh *mesh,
                              const uint32_t range[2], uint8_t *marks, uint32_t *vertices)
{
    return grazei_distinct_vertices(mesh, tree->patch_triangles + range[0], range[1] - range[0],
                                    marks, vertices);
}
