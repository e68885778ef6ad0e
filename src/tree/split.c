/* Top-down splitting after S. Quinlan, "Efficient distance computation between non-convex objects"
 * (ICRA 1994): across the longest axis of the box of the triangles' centres, at their mean. Trees
 * with patches split at a median that fills the patches instead.
 */
#include "tree/split.h"

#include "base/memory.h"
#include "math/f4.h"
#include "tree/ball.h"

#include <math.h>
#include <string.h>

/* Splitting at the mean can be lopsided; from this level on medians bound the depth. */
#define MEAN_SPLIT_LEVELS 32

typedef struct splitter {
    const graze_tree_def *def;
    const grazei_mesh *mesh;
    const graze_allocator *allocator;
    grazei_binary_tree *binary;
    size_t node_capacity;
    float (*centres)[3]; /* three times the centre of each triangle */
    uint8_t *marks;      /* per vertex, zero between uses */
    uint32_t *vertices;  /* distinct vertices of the node at hand */
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
}

static void measure_box(splitter *s, grazei_binary_node *node)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = node->begin; i < node->end; i++) {
        const uint32_t *corners = s->mesh->triangles + 3 * (size_t)s->binary->order[i];
        for (int c = 0; c < 3; c++)
            for (int axis = 0; axis < 3; axis++) {
                float x = s->mesh->positions[3 * (size_t)corners[c] + axis];
                low[axis] = f1_min(low[axis], x);
                high[axis] = f1_max(high[axis], x);
            }
    }
    float x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
    node->size = 0.5f * sqrtf(x * x + y * y + z * z);
}

/* Centres along an axis, ties broken by number, so that every order is total and repeatable. */
static bool before(const splitter *s, int axis, uint32_t a, uint32_t b)
{
    float x = s->centres[a][axis], y = s->centres[b][axis];
    return x < y || (x == y && a < b);
}

/* Reorders order[begin, end) so that the k smallest come first (Hoare's selection). */
static void select_smallest(splitter *s, int axis, uint32_t begin, uint32_t end, uint32_t k)
{
    uint32_t *order = s->binary->order;
    int64_t low = begin, high = (int64_t)end - 1, target = (int64_t)begin + k;
    while (low < high) {
        uint32_t pivot = order[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (before(s, axis, order[i], pivot))
                i++;
            while (before(s, axis, pivot, order[j]))
                j--;
            if (i <= j) {
                uint32_t swap = order[i];
                order[i++] = order[j];
                order[j--] = swap;
            }
        }
        if (target <= j)
            high = j;
        else if (target >= i)
            low = i;
        else
            break;
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

/* Where to cut [begin, end): the first triangle of the right part. */
static uint32_t split_range(splitter *s, uint32_t begin, uint32_t end, uint32_t level)
{
    float mean;
    int axis = longest_axis(s, begin, end, &mean);
    uint32_t count = end - begin, patch = s->def->patch_triangles;
    if (patch == 1 && level < MEAN_SPLIT_LEVELS) {
        uint32_t middle = partition_at(s, axis, begin, end, mean);
        if (middle > begin && middle < end)
            return middle;
    }
    uint32_t patches = (count + patch - 1) / patch;
    uint32_t left = patches > 1 ? patches / 2 * patch : count / 2;
    select_smallest(s, axis, begin, end, left);
    return begin + left;
}

static bool is_leaf(splitter *s, uint32_t begin, uint32_t end)
{
    uint32_t count = end - begin;
    if (count > s->def->patch_triangles)
        return false;
    return 3 * count <= GRAZEI_MAX_PATCH_VERTICES ||
           gather_vertices(s, begin, end) <= GRAZEI_MAX_PATCH_VERTICES;
}

/* Appends a node for the range; UINT32_MAX when out of memory. */
static uint32_t add_node(splitter *s, uint32_t begin, uint32_t end, uint32_t level)
{
    grazei_binary_tree *binary = s->binary;
    grazei_binary_node *nodes = grazei_grow(s->allocator, binary->nodes, &s->node_capacity,
                                            binary->node_count + 1, sizeof *nodes);
    if (!nodes)
        return UINT32_MAX;
    binary->nodes = nodes;
    grazei_binary_node *node = &nodes[binary->node_count];
    *node = (grazei_binary_node){.begin = begin, .end = end, .level = level};
    if (s->def->volume == GRAZE_SPHERES)
        measure_sphere(s, node);
    else
        measure_box(s, node);
    if (level + 1 > binary->level_count)
        binary->level_count = level + 1;
    return binary->node_count++;
}

static bool split_all(splitter *s)
{
    /* Nodes are appended and then visited in the order of their numbers. */
    if (add_node(s, 0, s->mesh->triangle_count, 0) == UINT32_MAX)
        return false;
    for (uint32_t n = 0; n < s->binary->node_count; n++) {
        grazei_binary_node node = s->binary->nodes[n];
        if (is_leaf(s, node.begin, node.end))
            continue;
        uint32_t middle = split_range(s, node.begin, node.end, node.level);
        for (int side = 0; side < 2; side++) {
            uint32_t child =
                add_node(s, side ? middle : node.begin, side ? node.end : middle, node.level + 1);
            if (child == UINT32_MAX)
                return false;
            s->binary->nodes[n].children[side] = child;
        }
    }
    return true;
}

static void fill_centres(splitter *s)
{
    for (uint32_t t = 0; t < s->mesh->triangle_count; t++) {
        const uint32_t *corners = s->mesh->triangles + 3 * (size_t)t;
        for (int axis = 0; axis < 3; axis++)
            s->centres[t][axis] = s->mesh->positions[3 * (size_t)corners[0] + axis] +
                                  s->mesh->positions[3 * (size_t)corners[1] + axis] +
                                  s->mesh->positions[3 * (size_t)corners[2] + axis];
        s->binary->order[t] = t;
    }
}

bool grazei_split(grazei_binary_tree *binary, const graze_tree_def *def, const grazei_mesh *mesh,
                  const graze_allocator *allocator)
{
    splitter s = {.def = def, .mesh = mesh, .allocator = allocator, .binary = binary};
    binary->order = GRAZEI_ALLOCATE(allocator, mesh->triangle_count, uint32_t);
    s.centres = grazei_allocate(allocator, mesh->triangle_count, sizeof *s.centres);
    s.marks = GRAZEI_ALLOCATE_ZERO(allocator, mesh->vertex_count, uint8_t);
    s.vertices = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint32_t);
    s.scratch = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint32_t);
    bool ok = binary->order && s.centres && s.marks && s.vertices && s.scratch;
    if (ok) {
        fill_centres(&s);
        ok = split_all(&s);
    }
    grazei_release(allocator, s.centres);
    grazei_release(allocator, s.marks);
    grazei_release(allocator, s.vertices);
    grazei_release(allocator, s.scratch);
    return ok;
}

void grazei_binary_release(grazei_binary_tree *binary, const graze_allocator *allocator)
{
    grazei_release(allocator, binary->nodes);
    grazei_release(allocator, binary->order);
}
