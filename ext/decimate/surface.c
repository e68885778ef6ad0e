/* The surface: what is around a vertex, what a collapse costs, and whether it may be. */
#include "base/memory.h"
#include "decimate/decimate.h"
#include "math/vector.h"

#include <string.h>

/* How much a vertex may not become another that moves otherwise, against moving by as much. */
#define SKIN_WEIGHT 0.01

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static const double *corner_at(const grazei_surface *s, uint32_t corner)
{
    return s->at[s->triangles[corner]];
}

/* Twice the area, along the normal. */
static void area_of(const double a[3], const double b[3], const double c[3], double area[3])
{
    double u[3], v[3];
    subtract(b, a, u);
    subtract(c, a, v);
    grazei_cross(u, v, area);
}

/* ---- around a vertex ------------------------------------------------------------------------ */

/* The next corner of a list whose triangle is not gone. Those before it are taken out. */
static uint32_t next_corner(const grazei_surface *s, uint32_t *link)
{
    while (*link != GRAZEI_NO_CORNER && s->triangles[*link - *link % 3] == UINT32_MAX)
        *link = s->next[*link];
    return *link;
}

#define EACH_CORNER(s, corner, vertex)                                                             \
    uint32_t corner = next_corner(s, &(s)->first[vertex]);                                         \
    corner != GRAZEI_NO_CORNER;                                                                    \
    corner = next_corner(s, &(s)->next[corner])

static bool has_vertex(const grazei_surface *s, uint32_t corner, uint32_t vertex)
{
    const uint32_t *t = s->triangles + (corner - corner % 3);
    return t[0] == vertex || t[1] == vertex || t[2] == vertex;
}

/* In how many triangles two vertices are together: as long as it takes to go round the one with
 * fewer of them.
 */
static uint32_t count_shared(const grazei_surface *s, uint32_t u, uint32_t v)
{
    uint32_t at_u = next_corner(s, &s->first[u]), at_v = next_corner(s, &s->first[v]);
    uint32_t of_u = 0, of_v = 0;
    while (at_u != GRAZEI_NO_CORNER && at_v != GRAZEI_NO_CORNER) {
        of_u += has_vertex(s, at_u, v);
        of_v += has_vertex(s, at_v, u);
        at_u = next_corner(s, &s->next[at_u]);
        at_v = next_corner(s, &s->next[at_v]);
    }
    return at_u == GRAZEI_NO_CORNER ? of_u : of_v;
}

/* What kinds of edges there are at a vertex: in how many triangles neighbours are, up to three, is
 * told by their marks.
 */
static void look_around(grazei_surface *s, uint32_t u, bool *border, bool *tangle)
{
    uint32_t none = s->mark += 4;
    s->mark += 4;
    *border = *tangle = false;
    for (EACH_CORNER(s, corner, u))
        for (uint32_t by = 1; by < 3; by++) {
            uint32_t *seen = &s->seen[s->triangles[grazei_other_corner(corner, by)]];
            uint32_t count = *seen > none && *seen <= none + 3 ? *seen - none : 0;
            *seen = none + (count < 3 ? count + 1 : 3);
        }
    for (EACH_CORNER(s, corner, u))
        for (uint32_t by = 1; by < 3; by++) {
            uint32_t count = s->seen[s->triangles[grazei_other_corner(corner, by)]] - none;
            *border |= count == 1;
            *tangle |= count > 2;
        }
}

/* ---- quadrics ------------------------------------------------------------------------------- */

/* Adds the squared distance from the plane through a point with a unit normal. */
static void add_plane(grazei_quadric *q, const double n[3], const double through[3], double weight)
{
    double d = -grazei_dot(n, through);
    const double a[6] = {n[0] * n[0], n[0] * n[1], n[0] * n[2],
                         n[1] * n[1], n[1] * n[2], n[2] * n[2]};
    for (int i = 0; i < 6; i++)
        q->a[i] += weight * a[i];
    for (int k = 0; k < 3; k++)
        q->b[k] += weight * d * n[k];
    q->c += weight * d * d;
}

static double value_at(const grazei_quadric *q, const double x[3])
{
    double value = q->a[0] * x[0] * x[0] + q->a[3] * x[1] * x[1] + q->a[5] * x[2] * x[2] +
                   2 * (q->a[1] * x[0] * x[1] + q->a[2] * x[0] * x[2] + q->a[4] * x[1] * x[2]) +
                   2 * grazei_dot(q->b, x) + q->c;
    return value > 0 ? value : 0;
}

/* A plane across the triangle through an edge that is not of two triangles: it is to stay. */
static void add_border(grazei_surface *s, uint32_t corner, const double normal[3])
{
    uint32_t u = s->triangles[corner], v = s->triangles[grazei_other_corner(corner, 1)];
    double along[3], across[3];
    subtract(s->at[v], s->at[u], along);
    grazei_cross(along, normal, across);
    double length = grazei_length(across);
    if (count_shared(s, u, v) == 2 || !(length > 0))
        return;
    for (int k = 0; k < 3; k++)
        across[k] /= length;
    add_plane(&s->quadrics[u], across, s->at[u], grazei_dot(along, along));
    add_plane(&s->quadrics[v], across, s->at[u], grazei_dot(along, along));
}

static void make_quadrics(grazei_surface *s)
{
    for (uint32_t t = 0; t < s->model->mesh.triangle_count; t++) {
        uint32_t corner = 3 * t;
        if (s->triangles[corner] == UINT32_MAX)
            continue;
        double normal[3];
        area_of(corner_at(s, corner), corner_at(s, corner + 1), corner_at(s, corner + 2), normal);
        double area = grazei_length(normal);
        if (!(area > 0))
            continue;
        for (int k = 0; k < 3; k++)
            normal[k] /= area;
        for (uint32_t k = 0; k < 3; k++) {
            grazei_quadric *q = &s->quadrics[s->triangles[corner + k]];
            add_plane(q, normal, corner_at(s, corner), area);
            q->weight += area;
            add_border(s, corner + k, normal);
        }
    }
}

/* Half the sum of how much the weights of two vertices differ: 0 to 1. */
static double skin_difference(const grazei_mesh *mesh, uint32_t u, uint32_t v)
{
    uint32_t i = mesh->influence_offsets[u], end_i = mesh->influence_offsets[u + 1];
    uint32_t k = mesh->influence_offsets[v], end_k = mesh->influence_offsets[v + 1];
    double sum = 0;
    while (i < end_i || k < end_k) {
        uint32_t x = i < end_i ? mesh->influences[i].joint : UINT32_MAX;
        uint32_t y = k < end_k ? mesh->influences[k].joint : UINT32_MAX;
        double w = 0;
        if (x <= y)
            w += (double)mesh->influences[i++].weight;
        if (y <= x)
            w -= (double)mesh->influences[k++].weight;
        sum += fabs(w);
    }
    return sum / 2;
}

double grazei_surface_cost(const grazei_surface *s, uint32_t u, uint32_t v)
{
    double way[3];
    subtract(s->at[v], s->at[u], way);
    double other = skin_difference(&s->model->mesh, u, v), length2 = grazei_dot(way, way);
    /* The last makes the shorter of edges in a plane the cheaper one. */
    return value_at(&s->quadrics[u], s->at[v]) + value_at(&s->quadrics[v], s->at[v]) +
           s->quadrics[u].weight * length2 * (SKIN_WEIGHT * other * other + 1e-6);
}

/* ---- whether ---------------------------------------------------------------------------------*/

/* No triangle around u turns over, or loses its area, when u goes to v. */
static bool keeps_sides(const grazei_surface *s, uint32_t u, uint32_t v)
{
    for (EACH_CORNER(s, corner, u)) {
        if (has_vertex(s, corner, v))
            continue;
        const double *b = corner_at(s, grazei_other_corner(corner, 1));
        const double *c = corner_at(s, grazei_other_corner(corner, 2));
        double before[3], after[3];
        area_of(s->at[u], b, c, before);
        area_of(s->at[v], b, c, after);
        double lengths = grazei_dot(before, before) * grazei_dot(after, after),
               cosine = grazei_dot(before, after);
        if (grazei_dot(before, before) > 0 && (!(cosine > 0) || cosine * cosine < 0.04 * lengths))
            return false;
    }
    return true;
}

/* Neighbours of both are those of the triangles that go, and no two triangles become the same: the
 * link condition (Dey et al. 1999).
 */
static bool keeps_links(grazei_surface *s, uint32_t u, uint32_t v)
{
    uint32_t common = 0, opposite = 0, own = s->mark += 2;
    for (EACH_CORNER(s, corner, v))
        for (uint32_t by = 1; by < 3; by++)
            s->seen[s->triangles[grazei_other_corner(corner, by)]] = own - 1;
    for (EACH_CORNER(s, corner, u))
        for (uint32_t by = 1; by < 3; by++) {
            uint32_t *seen = &s->seen[s->triangles[grazei_other_corner(corner, by)]];
            common += *seen == own - 1;
            *seen = *seen == own - 1 ? own : *seen;
        }
    own = s->mark += 2;
    for (EACH_CORNER(s, corner, u))
        for (uint32_t by = 1; by < 3 && has_vertex(s, corner, v); by++) {
            uint32_t w = s->triangles[grazei_other_corner(corner, by)];
            opposite += w != v && s->seen[w] != own;
            s->seen[w] = own;
        }
    return common == opposite;
}

/* Nobody is left without triangles: neither v, nor those across from the edge. */
static bool leaves_nobody_out(const grazei_surface *s, uint32_t u, uint32_t v)
{
    uint32_t left = 0;
    for (EACH_CORNER(s, corner, u)) {
        bool goes = has_vertex(s, corner, v);
        left += !goes;
        for (uint32_t by = 1; by < 3 && goes; by++) {
            uint32_t w = s->triangles[grazei_other_corner(corner, by)];
            bool others = false;
            for (EACH_CORNER(s, own, w))
                if ((others = !(has_vertex(s, own, u) && has_vertex(s, own, v))))
                    break;
            if (w != v && !others)
                return false;
            left += w == v && others;
        }
    }
    return left > 0;
}

bool grazei_surface_allows(grazei_surface *s, uint32_t u, uint32_t v)
{
    bool border, tangle;
    uint32_t shared = count_shared(s, u, v);
    if (!shared || s->triangle_count <= shared)
        return false;
    look_around(s, u, &border, &tangle);
    if ((border && shared != 1) || (tangle && shared <= 2))
        return false;
    return leaves_nobody_out(s, u, v) && keeps_links(s, u, v) && keeps_sides(s, u, v);
}

/* ---- how far -------------------------------------------------------------------------------- */

static double square_to_segment(const double x[3], const double a[3], const double b[3])
{
    double e[3], d[3], rest[3];
    subtract(b, a, e);
    subtract(x, a, d);
    double length2 = grazei_dot(e, e), t = length2 > 0 ? grazei_dot(d, e) / length2 : 0;
    t = t > 0 ? fmin(t, 1) : 0;
    for (int k = 0; k < 3; k++)
        rest[k] = d[k] - t * e[k];
    return grazei_dot(rest, rest);
}

static double square_to_triangle(const double x[3], const double *const c[3])
{
    double normal[3], way[3], n2, height;
    area_of(c[0], c[1], c[2], normal);
    n2 = grazei_dot(normal, normal);
    subtract(x, c[0], way);
    height = grazei_dot(way, normal);
    bool within = n2 > 0;
    for (int k = 0; k < 3 && within; k++) {
        double edge[3], inwards[3];
        subtract(c[(k + 1) % 3], c[k], edge);
        grazei_cross(normal, edge, inwards);
        subtract(x, c[k], way);
        within = grazei_dot(way, inwards) >= 0;
    }
    if (within)
        return height * height / n2;
    return fmin(square_to_segment(x, c[0], c[1]),
                fmin(square_to_segment(x, c[1], c[2]), square_to_segment(x, c[2], c[0])));
}

/* Of a point from the triangle of a corner, as it will be when u has gone to v. */
static double square_after(const grazei_surface *s, const double x[3], uint32_t corner, uint32_t u,
                           uint32_t v)
{
    const double *c[3];
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t vertex = s->triangles[grazei_other_corner(corner, k)];
        c[k] = s->at[vertex == u ? v : vertex];
    }
    return square_to_triangle(x, c);
}

/* Of a point from the triangles around a vertex. */
static double square_around(const grazei_surface *s, const double x[3], uint32_t around)
{
    double least = INFINITY;
    for (EACH_CORNER(s, corner, around)) {
        least = fmin(least, square_after(s, x, corner, around, around));
        if (!(least > 0))
            break;
    }
    return least;
}

/* Whether a triangle is left when u goes to v, and one of those around a vertex, u and v being one.
 */
static bool is_around(const grazei_surface *s, uint32_t corner, uint32_t vertex, uint32_t u,
                      uint32_t v)
{
    if (s->triangles[corner - corner % 3] == UINT32_MAX)
        return false;
    bool has_u = has_vertex(s, corner, u), has_v = has_vertex(s, corner, v);
    bool has = vertex == u || vertex == v ? has_u || has_v : has_vertex(s, corner, vertex);
    return has && !(has_u && has_v);
}

/* Whether x, which has become one with a vertex, is near a triangle around `around` when u has gone
 * to v. The one it was near the last time is asked first.
 */
static bool stays_near_one(grazei_surface *s, uint32_t x, uint32_t vertex, uint32_t around,
                           uint32_t u, uint32_t v, double limit)
{
    uint32_t *near = &s->near[x];
    if (*near != GRAZEI_NO_CORNER && is_around(s, *near, vertex, u, v) &&
        square_after(s, s->at[x], *near, u, v) <= limit)
        return true;
    for (EACH_CORNER(s, corner, around))
        if (is_around(s, corner, around, u, v) &&
            square_after(s, s->at[x], corner, u, v) <= limit) {
            *near = corner;
            return true;
        }
    return false;
}

/* The same for all that have become one with a vertex. */
static bool stay_near(grazei_surface *s, uint32_t vertex, uint32_t u, uint32_t v, double limit)
{
    uint32_t x = vertex, other = vertex == u ? v : vertex == v ? u : vertex;
    do {
        if (!stays_near_one(s, x, vertex, vertex, u, v, limit) &&
            (other == vertex || !stays_near_one(s, x, vertex, other, u, v, limit)))
            return false;
        x = s->merged[x];
    } while (x != vertex);
    return true;
}

bool grazei_surface_stays_near(grazei_surface *s, uint32_t u, uint32_t v, double limit)
{
    uint32_t own = s->mark += 2;
    s->seen[v] = own;
    if (!stay_near(s, u, u, v, limit) || !stay_near(s, v, u, v, limit))
        return false;
    for (EACH_CORNER(s, corner, u))
        for (uint32_t by = 1; by < 3; by++) {
            uint32_t w = s->triangles[grazei_other_corner(corner, by)];
            if (s->seen[w] != own && !stay_near(s, w, u, v, limit))
                return false;
            s->seen[w] = own;
        }
    return true;
}

/* Of a point from the triangles around a vertex, or around a neighbour of it, and so on while that
 * is less: at least the least of all.
 */
static double descend(const grazei_surface *s, const double x[3], uint32_t vertex)
{
    double least = square_around(s, x, vertex);
    for (bool nearer = true; nearer;) {
        uint32_t from = vertex;
        nearer = false;
        for (EACH_CORNER(s, corner, from))
            for (uint32_t by = 1; by < 3; by++) {
                uint32_t w = s->triangles[grazei_other_corner(corner, by)];
                double square = square_around(s, x, w);
                if (square < least) {
                    least = square;
                    vertex = w;
                    nearer = true;
                }
            }
    }
    return least;
}

double grazei_surface_farthest(const grazei_surface *s)
{
    double most = 0;
    for (uint32_t v = 0; v < s->model->mesh.vertex_count; v++) {
        uint32_t x = v;
        if (next_corner(s, &s->first[v]) == GRAZEI_NO_CORNER)
            continue;
        do {
            if (square_around(s, s->at[x], v) > most)
                most = fmax(most, descend(s, s->at[x], v));
            x = s->merged[x];
        } while (x != v);
    }
    return sqrt(most);
}

/* ---- doing it ------------------------------------------------------------------------------- */

void grazei_surface_collapse(grazei_surface *s, uint32_t u, uint32_t v)
{
    uint32_t corner = s->first[u];
    while (corner != GRAZEI_NO_CORNER) {
        uint32_t next = s->next[corner], *first = &s->triangles[corner - corner % 3];
        if (*first != UINT32_MAX && has_vertex(s, corner, v)) {
            *first = UINT32_MAX;
            s->triangle_count--;
        } else if (*first != UINT32_MAX) {
            s->triangles[corner] = v;
            s->next[corner] = s->first[v];
            s->first[v] = corner;
        }
        corner = next;
    }
    s->first[u] = GRAZEI_NO_CORNER;
    grazei_quadric *q = &s->quadrics[v];
    const grazei_quadric *from = &s->quadrics[u];
    for (int i = 0; i < 6; i++)
        q->a[i] += from->a[i];
    for (int k = 0; k < 3; k++)
        q->b[k] += from->b[k];
    q->c += from->c;
    q->weight += from->weight;
    /* Two rings become one. */
    uint32_t swapped = s->merged[u];
    s->merged[u] = s->merged[v];
    s->merged[v] = swapped;
    s->stamps[u]++;
    s->stamps[v]++;
}

/* ---- making it ------------------------------------------------------------------------------ */

static bool allocate(grazei_surface *s)
{
    const graze_allocator *a = &s->allocator;
    uint32_t vertices = s->model->mesh.vertex_count;
    size_t corners = 3 * (size_t)s->model->mesh.triangle_count;
    s->at = grazei_allocate(a, vertices, sizeof *s->at);
    s->triangles = GRAZEI_ALLOCATE(a, corners, uint32_t);
    s->first = GRAZEI_ALLOCATE(a, vertices, uint32_t);
    s->next = GRAZEI_ALLOCATE(a, corners, uint32_t);
    s->names = GRAZEI_ALLOCATE(a, vertices, uint32_t);
    s->merged = GRAZEI_ALLOCATE(a, vertices, uint32_t);
    s->stamps = GRAZEI_ALLOCATE_ZERO(a, vertices, uint32_t);
    s->seen = GRAZEI_ALLOCATE_ZERO(a, vertices, uint32_t);
    s->near = GRAZEI_ALLOCATE(a, vertices, uint32_t);
    s->quadrics = GRAZEI_ALLOCATE_ZERO(a, vertices, grazei_quadric);
    return s->at && s->triangles && s->first && s->next && s->names && s->merged && s->stamps &&
           s->seen && s->near && s->quadrics;
}

static void place_vertices(grazei_surface *s)
{
    const grazei_mesh *mesh = &s->model->mesh;
    double middle[3];
    for (int k = 0; k < 3; k++)
        middle[k] = (double)mesh->positions[k];
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        for (int k = 0; k < 3; k++)
            s->at[v][k] = (double)mesh->positions[3 * (size_t)v + (size_t)k] - middle[k];
        uint32_t weld = mesh->welds[v];
        s->names[v] = grazei_move_alike(mesh, weld, v) ? weld : v;
        s->first[v] = s->near[v] = GRAZEI_NO_CORNER;
        s->merged[v] = v;
    }
}

/* Triangles with a vertex twice are left out. Later ones come first in the lists. */
static void list_corners(grazei_surface *s)
{
    const grazei_mesh *mesh = &s->model->mesh;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t *own = s->triangles + 3 * (size_t)t;
        for (int k = 0; k < 3; k++)
            own[k] = s->names[mesh->triangles[3 * (size_t)t + (size_t)k]];
        if (own[0] == own[1] || own[1] == own[2] || own[2] == own[0]) {
            own[0] = UINT32_MAX;
            continue;
        }
        s->triangle_count++;
        for (uint32_t k = 0; k < 3; k++) {
            s->next[3 * t + k] = s->first[own[k]];
            s->first[own[k]] = 3 * t + k;
        }
    }
}

bool grazei_surface_make(grazei_surface *s, const graze_model *model)
{
    *s = (grazei_surface){.model = model, .allocator = model->allocator};
    if (!allocate(s))
        return false;
    place_vertices(s);
    list_corners(s);
    make_quadrics(s);
    return true;
}

void grazei_surface_release(grazei_surface *s)
{
    const graze_allocator *a = &s->allocator;
    grazei_release(a, s->at);
    grazei_release(a, s->triangles);
    grazei_release(a, s->first);
    grazei_release(a, s->next);
    grazei_release(a, s->names);
    grazei_release(a, s->merged);
    grazei_release(a, s->stamps);
    grazei_release(a, s->seen);
    grazei_release(a, s->near);
    grazei_release(a, s->quadrics);
}
