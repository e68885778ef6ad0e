/* Top-down splitting. Trees of single triangles after S. Quinlan, "Efficient distance computation
 * between non-convex objects" (ICRA 1994): across the longest axis of the box of the triangles'
 * centres, at their mean. Trees with patches by the size of boxes (tree/cut.h).
 */
#include "tree/split.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/f4.h"
#include "tree/ball.h"
#include "tree/cut.h"

#include <math.h>
#include <string.h>

/* Splits at the mean or by size can be lopsided; from this level on medians bound the depth: they
 * halve what is left, at most 2^30 triangles, which takes 31 levels and leaves one to spare.
 */
#define FREE_SPLIT_LEVELS 32

typedef struct splitter {
    const graze_tree_def *def;
    const grazei_mesh *mesh;
    const graze_allocator *allocator;
    grazei_binary_tree *binary;
    size_t node_capacity;
    float (*centres)[3];    /* three times the centre of each triangle */
    grazei_rest_box *boxes; /* of each triangle */
    grazei_cutter cutter;   /* for trees with patches */
    uint8_t *marks;         /* per vertex, zero between uses */
    uint32_t *vertices;     /* distinct vertices of the node at hand */
    uint32_t *scratch;
} splitter;

static uint32_t gather_vertices(splitter *s, uint32_t begin, uint32_t end)
{
    return grazei_distinct_vertices(s->mesh, s->binary->order + begin, end - begin, s->marks,
                                    s->vertices);
}

static void measure_sphere(splitter *s, grazei_binary_node *node)
{
    uint32_t count = gather_vertices(s, node->begin, node->end);
    grazei_ball ball = grazei_ball_enclose(s->mesh->positions, s->vertices, count, s->scratch);
    grazei_ball_float rounded = grazei_ball_round(&ball, s->mesh->positions, s->vertices, count);
    memcpy(node->sphere, rounded.centre, sizeof rounded.centre);
    node->sphere[3] = node->size = rounded.radius;
    if (s->mesh->rest_positions) {
        ball = grazei_ball_enclose(s->mesh->rest_positions, s->vertices, count, s->scratch);
        node->size = (float)ball.radius;
    }
}

/* The box is known if it is finite. */
static void measure_box(splitter *s, grazei_binary_node *node, grazei_rest_box box)
{
    if (!(box.low[0] <= box.high[0]))
        box = grazei_rest_box_around(s->boxes, s->binary->order + node->begin,
                                     node->end - node->begin);
    node->size = 0.5f * f4_length3(box.high - box.low);
}

/* Centres along an axis, ties broken by number, so that every order is total and repeatable. */
static bool before(const splitter *s, int axis, uint32_t a, uint32_t b)
{
    float x = s->centres[a][axis], y = s->centres[b][axis];
    return x < y || (x == y && a < b);
}

/* Lets order[at] sink to its place in the heap order[0, count), whose largest is on top. */
static void sift_down(const splitter *s, int axis, uint32_t *order, size_t at, size_t count)
{
    uint32_t sinking = order[at];
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && before(s, axis, order[child], order[child + 1]))
            child++;
        if (!before(s, axis, sinking, order[child]))
            break;
        order[at] = order[child];
        at = child;
    }
    order[at] = sinking;
}

/* Sorts by centres, for the rare nodes that have no mean to part them: never slow, whatever the
 * triangles' order.
 */
static void heap_sort(const splitter *s, int axis, uint32_t *order, size_t count)
{
    for (size_t at = count / 2; at-- > 0;)
        sift_down(s, axis, order, at, count);
    for (size_t last = count; last-- > 1;) {
        uint32_t largest = order[0];
        order[0] = order[last];
        order[last] = largest;
        sift_down(s, axis, order, 0, last);
    }
}

static uint32_t partition_at(splitter *s, int axis, uint32_t begin, uint32_t end, float at)
{
    uint32_t *order = s->binary->order, middle = begin;
    for (uint32_t i = begin; i < end; i++)
        if (s->centres[order[i]][axis] < at) {
            uint32_t swap = order[i];
            order[i] = order[middle];
            order[middle++] = swap;
        }
    return middle;
}

static int longest_axis(const splitter *s, uint32_t begin, uint32_t end, float *mean)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double sum[3] = {0, 0, 0};
    for (uint32_t i = begin; i < end; i++)
        for (int axis = 0; axis < 3; axis++) {
            float x = s->centres[s->binary->order[i]][axis];
            low[axis] = f1_min(low[axis], x);
            high[axis] = f1_max(high[axis], x);
            sum[axis] += x;
        }
    int best = 0;
    for (int axis = 1; axis < 3; axis++)
        if (high[axis] - low[axis] > high[best] - low[best])
            best = axis;
    *mean = (float)(sum[best] / (end - begin));
    return best;
}

/* Where to cut a node: the first triangle of the right part; and the boxes of both, if they are
 * known.
 */
static uint32_t split_node(splitter *s, const grazei_binary_node *node, grazei_rest_box sides[2])
{
    bool free = node->level < FREE_SPLIT_LEVELS;
    uint32_t begin = node->begin, end = node->end;
    if (s->def->patch_triangles > 1) {
        grazei_cutting cutting = {
            .begin = begin, .end = end, .by_size = free, .of_one = node->of_one};
        uint32_t middle = grazei_cut(&s->cutter, &cutting);
        memcpy(sides, cutting.sides, sizeof cutting.sides);
        return middle;
    }
    sides[0] = sides[1] = grazei_rest_box_none();
    float mean;
    int axis = longest_axis(s, begin, end, &mean);
    if (free) {
        uint32_t middle = partition_at(s, axis, begin, end, mean);
        if (middle > begin && middle < end)
            return middle;
    }
    heap_sort(s, axis, s->binary->order + begin, end - begin);
    return begin + (end - begin) / 2;
}

static bool is_leaf(splitter *s, const grazei_binary_node *node)
{
    uint32_t count = node->end - node->begin;
    if (count > s->def->patch_triangles)
        return false;
    if (s->def->patch_triangles > 1 && node->level < FREE_SPLIT_LEVELS && !node->of_one &&
        2 * count > s->def->patch_triangles &&
        grazei_cut_joint(&s->cutter, node->begin, node->end) != UINT32_MAX)
        return false;
    return 3 * count <= GRAZEI_MAX_PATCH_VERTICES ||
           gather_vertices(s, node->begin, node->end) <= GRAZEI_MAX_PATCH_VERTICES;
}

/* Appends a node as begun, in this box if it is known; UINT32_MAX when out of memory. */
static uint32_t add_node(splitter *s, const grazei_binary_node *begun, grazei_rest_box box)
{
    GRAZE_ASSERT(begun->begin < begun->end);
    grazei_binary_tree *binary = s->binary;
    grazei_binary_node *nodes = grazei_grow(s->allocator, binary->nodes, &s->node_capacity,
                                            binary->node_count + 1, sizeof *nodes);
    if (!nodes)
        return UINT32_MAX;
    binary->nodes = nodes;
    grazei_binary_node *node = &nodes[binary->node_count];
    *node = *begun;
    if (s->def->volume == GRAZE_SPHERES)
        measure_sphere(s, node);
    else
        measure_box(s, node, box);
    if (node->level + 1 > binary->level_count)
        binary->level_count = node->level + 1;
    return binary->node_count++;
}

static bool split_all(splitter *s)
{
    /* Depth first, so that what is split next was just looked at. Each node that is split leaves
     * one child behind, on every level at most one.
     */
    uint32_t stack[GRAZEI_MAX_LEVELS + 1], count = 1;
    grazei_binary_node root = {.end = s->mesh->triangle_count};
    stack[0] = add_node(s, &root, grazei_rest_box_none());
    if (stack[0] == UINT32_MAX)
        return false;
    while (count > 0) {
        uint32_t n = stack[--count];
        GRAZE_ASSERT(s->binary->nodes[n].level < GRAZEI_MAX_LEVELS);
        grazei_binary_node node = s->binary->nodes[n];
        uint32_t patch = s->def->patch_triangles;
        if (patch > 1 && !node.of_one && node.end - node.begin <= GRAZEI_MIXED_PATCHES * patch)
            node.of_one = grazei_cut_is_of_one(&s->cutter, node.begin, node.end);
        if (is_leaf(s, &node))
            continue;
        grazei_rest_box sides[2];
        uint32_t middle = split_node(s, &node, sides);
        GRAZE_ASSERT(middle > node.begin && middle < node.end);
        for (int side = 0; side < 2; side++) {
            grazei_binary_node part = {.begin = side ? middle : node.begin,
                                       .end = side ? node.end : middle,
                                       .level = node.level + 1,
                                       .of_one = node.of_one};
            uint32_t child = add_node(s, &part, sides[side]);
            if (child == UINT32_MAX)
                return false;
            GRAZE_ASSERT(count <= GRAZEI_MAX_LEVELS);
            s->binary->nodes[n].children[side] = stack[count++] = child;
        }
    }
    return true;
}

static void fill_triangles(splitter *s)
{
    const float *rest = grazei_mesh_rest(s->mesh);
    for (uint32_t t = 0; t < s->mesh->triangle_count; t++) {
        const uint32_t *corners = s->mesh->triangles + 3 * (size_t)t;
        f4 a = f4_load3(rest + 3 * (size_t)corners[0]);
        f4 b = f4_load3(rest + 3 * (size_t)corners[1]);
        f4 c = f4_load3(rest + 3 * (size_t)corners[2]);
        f4_store3(s->centres[t], a + b + c);
        s->boxes[t] = (grazei_rest_box){f4_min(f4_min(a, b), c), f4_max(f4_max(a, b), c)};
    }
}

/* The triangles in an order that splitting goes on to change. */
static bool make_order(splitter *s)
{
    uint32_t count = s->mesh->triangle_count;
    if (s->def->patch_triangles == 1) {
        s->binary->order = GRAZEI_ALLOCATE(s->allocator, count, uint32_t);
        for (uint32_t t = 0; s->binary->order && t < count; t++)
            s->binary->order[t] = t;
        return s->binary->order != NULL;
    }
    s->cutter = (grazei_cutter){.allocator = s->allocator,
                                .patch = s->def->patch_triangles,
                                .centres = (const float(*)[3])s->centres,
                                .boxes = s->boxes,
                                .mesh = s->mesh};
    bool ok = grazei_cutter_make(&s->cutter, count);
    s->binary->order = s->cutter.orders[0];
    s->binary->others[0] = s->cutter.orders[1];
    s->binary->others[1] = s->cutter.orders[2];
    return ok;
}

bool grazei_split(grazei_binary_tree *binary, const graze_tree_def *def, const grazei_mesh *mesh,
                  const graze_allocator *allocator)
{
    splitter s = {.def = def, .mesh = mesh, .allocator = allocator, .binary = binary};
    s.centres = grazei_allocate(allocator, mesh->triangle_count, sizeof *s.centres);
    s.boxes = GRAZEI_ALLOCATE(allocator, mesh->triangle_count, grazei_rest_box);
    s.marks = GRAZEI_ALLOCATE_ZERO(allocator, mesh->vertex_count, uint8_t);
    s.vertices = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint32_t);
    s.scratch = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint32_t);
    bool ok = s.centres && s.boxes && s.marks && s.vertices && s.scratch;
    if (ok) {
        fill_triangles(&s);
        ok = make_order(&s) && split_all(&s);
    }
    memset(s.cutter.orders, 0, sizeof s.cutter.orders); /* the tree's now */
    grazei_cutter_release(&s.cutter);
    grazei_release(allocator, s.centres);
    grazei_release(allocator, s.boxes);
    grazei_release(allocator, s.marks);
    grazei_release(allocator, s.vertices);
    grazei_release(allocator, s.scratch);
    return ok;
}

void grazei_binary_release(grazei_binary_tree *binary, const graze_allocator *allocator)
{
    grazei_release(allocator, binary->nodes);
    grazei_release(allocator, binary->order);
    grazei_release(allocator, binary->others[0]);
    grazei_release(allocator, binary->others[1]);
}
