/* The nearest hit of a ray: children of a node at a time, the nearer first; triangles after Moller
 * and Trumbore, "Fast, Minimum Storage Ray-Triangle Intersection", Journal of Graphics Tools 2(1),
 * 1997.
 */
#include "bench/eager/nodes.h"

enum { RAY_STACK = 3 * EAGER_DEPTH + 16 };

typedef struct ray {
    float origin[3], dir[3], inverse[3];
    float t; /* of the nearest hit so far */
    uint32_t triangle;
} ray;

/* Bit k: the ray enters child k before the nearest hit, at enter[k]. */
EAGER_INLINE uint32_t enters(const eager_node *node, const ray *r, float enter[4])
{
    f4 from = f4_all(0), to = f4_all(r->t);
    for (int axis = 0; axis < 3; axis++) {
        bool forward = r->inverse[axis] > 0;
        f4 near = f4_load(forward ? node->low[axis] : node->high[axis]);
        f4 far = f4_load(forward ? node->high[axis] : node->low[axis]);
        f4 origin = f4_all(r->origin[axis]), inverse = f4_all(r->inverse[axis]);
        from = f4_max(from, (near - origin) * inverse);
        /* Rounding must not part the ray from a flat box: 3 roundings of 2^-24 a side. */
        to = f4_min(to, (far - origin) * inverse * (1 + 0x1p-20f));
    }
    f4_store(enter, from);
    return i4_bits(from <= to);
}

static void hit_triangle(const eager_body *body, uint32_t triangle, ray *r)
{
    const uint32_t *corners = body->model->corners[triangle];
    float e[3], f[3], p[3], s[3], q[3];
    const float *a = body->positions[corners[0]];
    for (int k = 0; k < 3; k++) {
        e[k] = body->positions[corners[1]][k] - a[k];
        f[k] = body->positions[corners[2]][k] - a[k];
        s[k] = r->origin[k] - a[k];
    }
    for (int k = 0, m = 1, n = 2; k < 3; m = n, n = k, k++) {
        p[k] = r->dir[m] * f[n] - r->dir[n] * f[m];
        q[k] = s[m] * e[n] - s[n] * e[m];
    }
    float det = e[0] * p[0] + e[1] * p[1] + e[2] * p[2];
    float u = s[0] * p[0] + s[1] * p[1] + s[2] * p[2];
    float v = r->dir[0] * q[0] + r->dir[1] * q[1] + r->dir[2] * q[2];
    float t = (f[0] * q[0] + f[1] * q[1] + f[2] * q[2]) / det;
    bool inside = det > 0 ? u >= 0 && v >= 0 && u + v <= det : u <= 0 && v <= 0 && u + v >= det;
    if (det != 0 && inside && t >= 0 && t < r->t) {
        r->t = t;
        r->triangle = triangle;
    }
}

typedef struct entry {
    float enter;
    uint32_t node;
} entry;

/* Pushes the children that the ray enters, the nearest last. */
static uint32_t push_children(const eager_node *node, const ray *r, entry *stack, uint32_t count)
{
    _Alignas(16) float enter[4];
    uint32_t first = count;
    for (uint32_t left = enters(node, r, enter); left; left &= left - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(left), at = count++;
        for (; at > first && stack[at - 1].enter < enter[k]; at--)
            stack[at] = stack[at - 1];
        stack[at] = (entry){enter[k], node->children[k]};
    }
    return count;
}

bool EAGER_ISA(ray)(eager_body *body, const float origin[3], const float dir[3], float *t,
                    uint32_t *triangle)
{
    ray r = {.t = INFINITY, .triangle = UINT32_MAX};
    entry stack[RAY_STACK] = {{0, 0}};
    uint32_t count = 1;
    for (int k = 0; k < 3; k++) {
        r.origin[k] = origin[k];
        r.dir[k] = dir[k];
        /* Finite, so that a box never gives 0 x infinity. */
        r.inverse[k] = 1 / (fabsf(dir[k]) > 1e-30f ? dir[k] : copysignf(1e-30f, dir[k]));
    }
    while (count) {
        entry top = stack[--count];
        if (top.enter > r.t)
            continue;
        const eager_node *node = visit(body, top.node);
        if (node->rank != EAGER_IS_LEAF) {
            count = push_children(node, &r, stack, count);
            continue;
        }
        _Alignas(16) float enter[4];
        for (uint32_t left = enters(node, &r, enter); left; left &= left - 1)
            hit_triangle(body, node->children[__builtin_ctz(left)], &r);
    }
    if (r.triangle == UINT32_MAX)
        return false;
    *t = r.t;
    *triangle = body->model->triangles[r.triangle];
    return true;
}
