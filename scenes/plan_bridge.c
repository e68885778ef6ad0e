/* The bridge: a suspension bridge in thin members, each a closed tube or box that runs into its
 * neighbours, in place of that of James & Pai 2004, section 5 (135,304 vertices, 240,316 faces).
 */
#include "scenes/bridge.h"
#include "scenes/gait.h"
#include "scenes/lattice.h"
#include "scenes/plan.h"

#include <stddef.h>

enum { most_sides = 8 };

/* A beam from a to b, or a cable, which hangs through by sag in the middle. */
typedef struct member {
    grazei_vec a, b;
    double wide, high; /* half its section, across and up; of a round one radii */
    double sag;
    uint32_t sides; /* 4: a box; else round */
    uint32_t segments;
    bool fans[2]; /* its ends are fans about a point in their middle, else about a corner */
} member;

/* How much of the bridge there is: fewer, larger parts where triangles are few. */
typedef struct detail {
    double panel, plank; /* metres from one to the next */
    uint32_t stringers;
    uint32_t thick, thin; /* sides of round members */
} detail;

static const detail details[] = {
    {4, 0.5, 5, 8, 6}, {8, 1, 3, 6, 4}, {16, 4, 2, 4, 4}, {32, 16, 2, 4, 4}};

typedef struct builder {
    member *members; /* NULL: they are counted */
    uint32_t count;
    detail detail;
} builder;

static const double half_width = 4.2; /* to the trusses */
static const double cable_at = 4.9, truss = 2.2;

static void add(builder *to, grazei_vec a, grazei_vec b, double wide, double high, uint32_t sides,
                double sag)
{
    if (to->members)
        to->members[to->count] = (member){a, b, wide, high, sag, sides, 1, {false, false}};
    to->count++;
}

static void add_box(builder *to, grazei_vec a, grazei_vec b, double wide, double high)
{
    add(to, a, b, wide, high, 4, 0);
}

static grazei_vec on_deck(double x, double up, double z)
{
    return vec_make(x, grazei_bridge_deck(x) + up, z);
}

/* One side's truss between two panel points; diagonals fall towards the middle. */
static void add_truss(builder *to, double x, double next, double z)
{
    uint32_t thick = to->detail.thick, thin = to->detail.thin;
    bool rises = x + next > 0;
    add(to, on_deck(x, 0, z), on_deck(next, 0, z), 0.14, 0.14, thick, 0);
    add(to, on_deck(x, truss, z), on_deck(next, truss, z), 0.12, 0.12, thick, 0);
    add(to, on_deck(x, 0, z), on_deck(x, truss, z), 0.08, 0.08, thin, 0);
    add(to, on_deck(x, rises ? 0 : truss, z), on_deck(next, rises ? truss : 0, z), 0.07, 0.07, thin,
        0);
    add(to, on_deck(x, 1.1, z), on_deck(next, 1.1, z), 0.04, 0.04, thin, 0); /* a handrail */
}

/* What lies across and along below the planks. */
static void add_floor(builder *to, double x, double next)
{
    add_box(to, on_deck(x, -0.42, -half_width), on_deck(x, -0.42, half_width), 0.1, 0.25);
    for (uint32_t i = 0; i < to->detail.stringers; i++) {
        double z = 3.2 * (2.0 * i / (to->detail.stringers - 1) - 1);
        add_box(to, on_deck(x, -0.3, z), on_deck(next, -0.3, z), 0.06, 0.14);
    }
    for (int side = -1; side <= 1; side += 2)
        add(to, on_deck(x, -0.7, side * half_width), on_deck(next, -0.7, -side * half_width), 0.06,
            0.06, to->detail.thin, 0);
}

/* Baulks so thick that what falls on them does not pass them in a step. */
static void add_planks(builder *to)
{
    uint32_t count = (uint32_t)(2 * GRAZEI_BRIDGE_HALF / to->detail.plank);
    for (uint32_t i = 0; i < count; i++) {
        double x = (i + 0.5) * to->detail.plank - GRAZEI_BRIDGE_HALF;
        add_box(to, on_deck(x, -0.06, -3.9), on_deck(x, -0.06, 3.9), 0.46 * to->detail.plank, 0.12);
    }
}

static void add_cables(builder *to, double z)
{
    const double tower = GRAZEI_BRIDGE_TOWER, end = GRAZEI_BRIDGE_HALF;
    uint32_t thick = to->detail.thick;
    grazei_vec top[2], anchor[2];
    for (int side = 0; side < 2; side++) {
        double sign = side ? 1 : -1;
        top[side] = vec_make(sign * tower, grazei_bridge_cable(tower), z);
        anchor[side] = vec_make(sign * end, grazei_bridge_cable(end), z);
        add(to, top[side], anchor[side], 0.2, 0.2, thick, 1);
    }
    add(to, top[0], top[1], 0.2, 0.2, thick, GRAZEI_BRIDGE_TOP - grazei_bridge_cable(0));
}

/* From the cables to the trusses, at every panel point but where towers are or cables lie low. */
static void add_hangers(builder *to, double x, double sign)
{
    double above = grazei_bridge_cable(x) - grazei_bridge_deck(x) - truss;
    if (fabs(fabs(x) - GRAZEI_BRIDGE_TOWER) < 1 || above < 0.3)
        return;
    add(to, on_deck(x, truss, sign * half_width),
        vec_make(x, grazei_bridge_cable(x), sign * cable_at), 0.05, 0.05, to->detail.thin, 0);
}

static void add_tower(builder *to, double x)
{
    static const double beams[] = {5.5, 11.6, 20.5, 26.5};
    for (int side = -1; side <= 1; side += 2) {
        add_box(to, vec_make(x, 0, side * 5.3),
                vec_make(x, GRAZEI_BRIDGE_TOP + 0.5, side * cable_at), 0.45, 0.55);
        add_box(to, vec_make(x, 0.3, side * 6.6), vec_make(x, 0.3, side * 4), 1.2, 0.3);
        add(to, vec_make(x, 5.5, side * 5.2), vec_make(x, 11.6, -side * 5.1), 0.2, 0.2,
            to->detail.thin, 0);
        add(to, vec_make(x, 20.5, side * 5), vec_make(x, 26.5, -side * 4.9), 0.2, 0.2,
            to->detail.thin, 0);
    }
    for (size_t i = 0; i < COUNT_OF(beams); i++)
        add_box(to, vec_make(x, beams[i], -5.1), vec_make(x, beams[i], 5.1), 0.3, 0.35);
}

static void add_pier(builder *to, double sign)
{
    double x = sign * GRAZEI_BRIDGE_HALF;
    for (int side = -1; side <= 1; side += 2) {
        add_box(to, vec_make(x, 0, side * 3.6), vec_make(x, 13, side * 3.6), 0.5, 0.5);
        add_box(to, vec_make(x, 13.5, side * cable_at), vec_make(x, 14.9, side * cable_at), 0.35,
                0.35);
    }
    add_box(to, vec_make(x, 13.2, -5.4), vec_make(x, 13.2, 5.4), 0.6, 0.35);
}

static void build(builder *to)
{
    uint32_t panels = (uint32_t)(2 * GRAZEI_BRIDGE_HALF / to->detail.panel);
    for (uint32_t i = 0; i < panels; i++) {
        double x = i * to->detail.panel - GRAZEI_BRIDGE_HALF, next = x + to->detail.panel;
        add_truss(to, x, next, -half_width);
        add_truss(to, x, next, half_width);
        add_floor(to, x, next);
        for (int side = -1; side <= 1 && i > 0; side += 2)
            add_hangers(to, x, side);
    }
    for (int side = -1; side <= 1; side += 2) {
        double end = GRAZEI_BRIDGE_HALF, z = side * half_width;
        add(to, on_deck(end, 0, z), on_deck(end, truss, z), 0.08, 0.08, to->detail.thin, 0);
        add_cables(to, side * cable_at);
        add_tower(to, side * GRAZEI_BRIDGE_TOWER);
        add_pier(to, side);
    }
    add_box(to, on_deck(GRAZEI_BRIDGE_HALF, -0.42, -half_width),
            on_deck(GRAZEI_BRIDGE_HALF, -0.42, half_width), 0.1, 0.25);
    add_planks(to);
}

/* ---- triangles ------------------------------------------------------------------------------ */

static size_t count_triangles(const member *of)
{
    return 2 * (size_t)of->sides * of->segments + 2 * (of->sides - 2) +
           2 * ((size_t)of->fans[0] + of->fans[1]);
}

/* Segments as long as `length` where a side is a metre wide; thinner ones are cut shorter. */
static size_t cut(const builder *made, double length)
{
    size_t total = 0;
    for (uint32_t i = 0; i < made->count; i++) {
        member *one = &made->members[i];
        double side = one->sides == 4 ? one->wide + one->high : 6.3 * one->wide / one->sides;
        double segments = vec_length(vec_sub(one->b, one->a)) / (length * sqrt(side));
        double least = one->sag > 0 ? 4 : 1;
        one->segments = (uint32_t)(segments > least ? segments : least);
        total += count_triangles(one);
    }
    return total;
}

/* As many segments as the triangles allow, and fans at ends for what is left over. */
static void share_triangles(const builder *made, size_t triangles)
{
    double fine = 1e-3, coarse = 1e3;
    for (int i = 0; i < 60; i++) {
        double middle = sqrt(fine * coarse);
        if (cut(made, middle) <= triangles)
            coarse = middle;
        else
            fine = middle;
    }
    size_t total = cut(made, coarse);
    for (uint32_t i = 0; i < 2 * made->count && total + 2 <= triangles; i++, total += 2)
        made->members[i % made->count].fans[i / made->count] = true;
}

/* Where the middle of a section is, at a part of the length. */
static grazei_vec along(const member *of, double part)
{
    grazei_vec at = vec_along(of->a, vec_sub(of->b, of->a), part);
    at.y -= 4 * of->sag * part * (1 - part);
    return at;
}

static void add_ring(const member *of, double part, grazei_synth_mesh *mesh)
{
    grazei_vec ahead = vec_sub(of->b, of->a);
    ahead.y -= 4 * of->sag * (1 - 2 * part);
    ahead = vec_unit(ahead);
    bool upright = fabs(ahead.y) > 0.9;
    grazei_vec hint = upright ? vec_make(1, 0, 0) : vec_make(0, 1, 0), at = along(of, part);
    grazei_vec side = vec_unit(vec_cross(hint, ahead)), up = vec_cross(ahead, side);
    for (uint32_t k = 0; k < of->sides; k++) {
        double turn = (double)k / of->sides;
        double x = grazei_synth_sine(turn + 0.25), y = grazei_synth_sine(turn);
        if (of->sides == 4) {
            x = k == 0 || k == 3 ? 1 : -1;
            y = k < 2 ? 1 : -1;
        }
        mesh->positions[mesh->vertex_count++] =
            vec_along(vec_along(at, side, x * of->wide), up, y * of->high);
    }
}

static void add_triangle(grazei_synth_mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *corners = mesh->triangles + 3 * (size_t)mesh->triangle_count++;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

/* The end whose ring begins at first; `last` is the one at b. */
static void add_end(const member *of, uint32_t first, bool last, grazei_synth_mesh *mesh)
{
    uint32_t n = of->sides, centre = mesh->vertex_count;
    bool fan = of->fans[last];
    if (fan)
        mesh->positions[mesh->vertex_count++] = last ? of->b : of->a;
    for (uint32_t k = fan ? 0 : 1; k < (fan ? n : n - 1); k++) {
        uint32_t a = first + k, b = first + (k + 1) % n, middle = fan ? centre : first;
        if (last)
            add_triangle(mesh, middle, a, b);
        else
            add_triangle(mesh, middle, b, a);
    }
}

static void add_member(const member *of, grazei_synth_mesh *mesh)
{
    uint32_t n = of->sides, first = mesh->vertex_count;
    for (uint32_t i = 0; i <= of->segments; i++)
        add_ring(of, (double)i / of->segments, mesh);
    for (uint32_t i = 0; i < of->segments; i++)
        for (uint32_t k = 0; k < n; k++) {
            uint32_t a = first + i * n + k, b = first + i * n + (k + 1) % n;
            bool falls = (i + k) % 2 == 0; /* diagonals go by turns */
            add_triangle(mesh, a, b, falls ? b + n : a + n);
            add_triangle(mesh, falls ? a : b, b + n, a + n);
        }
    add_end(of, first, false, mesh);
    add_end(of, first + of->segments * n, true, mesh);
}

static bool make(uint32_t triangles, grazei_synth_pool *pool, grazei_synth_mesh *mesh)
{
    builder made = {.members = NULL};
    size_t total = 0;
    for (uint32_t d = 0; d < COUNT_OF(details); d++) {
        made = (builder){.detail = details[d]};
        build(&made);
        made.members = grazei_synth_take(pool, made.count, sizeof *made.members);
        if (!made.members)
            return false;
        made.count = 0;
        build(&made);
        total = cut(&made, 1e9);
        if (total * (d ? 1 : 2) <= triangles || d + 1 == COUNT_OF(details))
            break;
        grazei_synth_give(pool, made.members);
    }
    share_triangles(&made, triangles);
    size_t vertices = 0;
    total = 0;
    for (uint32_t i = 0; i < made.count; i++) {
        const member *one = &made.members[i];
        total += count_triangles(one);
        vertices += (size_t)one->sides * (one->segments + 1) + one->fans[0] + one->fans[1];
    }
    mesh->positions = grazei_synth_take(pool, vertices, sizeof *mesh->positions);
    mesh->triangles = grazei_synth_take(pool, 3 * total, sizeof *mesh->triangles);
    if (!mesh->positions || !mesh->triangles)
        return false;
    for (uint32_t i = 0; i < made.count; i++)
        add_member(&made.members[i], mesh);
    return true;
}

static const grazei_synth_joint_row joints[] = {JOINT("bridge", NULL, 0, 14, 0, 10, 0, 14, 0, 10)};

const grazei_synth_plan grazei_synth_bridge = {
    .name = "bridge",
    .description = "a suspension bridge of 160 m: 1 joint, 240,316 triangles",
    .triangles = 240316,
    .make = make,
    JOINTS};
