#include "scenes/shells.h"

#include "scenes/gait.h"

static const double full_turn = 6.283185307179586;

/* How fine one shell is. */
typedef struct fineness {
    uint32_t around; /* corners of a ring */
    uint32_t rings;  /* steps along the profile */
} fineness;

/* Profiles that close on themselves; the others run from pole to pole. */
static bool is_loop(const grazei_synth_shell *shell)
{
    return shell->kind == GRAZEI_SYNTH_PIPE || shell->kind == GRAZEI_SYNTH_RING;
}

static double profile_length(const grazei_synth_shell *shell)
{
    switch (shell->kind) {
    case GRAZEI_SYNTH_BALL_SHELL:
        return 0.5 * full_turn * shell->radius;
    case GRAZEI_SYNTH_PIPE:
        return 4 * shell->half;
    case GRAZEI_SYNTH_RING:
        return full_turn * shell->wall;
    default:
        return 2 * (shell->radius + shell->half);
    }
}

static double ring_length(const grazei_synth_shell *shell)
{
    return shell->kind == GRAZEI_SYNTH_PLATE ? 4 * (shell->radius + shell->width)
                                             : full_turn * shell->radius;
}

static uint32_t count_triangles(const grazei_synth_shell *shell, fineness fine)
{
    return 2 * fine.around * (is_loop(shell) ? fine.rings : fine.rings - 1);
}

static uint32_t at_least(double value, uint32_t least)
{
    return value > least ? (uint32_t)value : least;
}

/* Squares of about one size, as many as the triangles allow. */
static fineness choose_fineness(const grazei_synth_shell *shell, double triangles)
{
    double around = sqrt(triangles / 2 * ring_length(shell) / profile_length(shell));
    fineness fine = {at_least(around + 0.5, 3), 0};
    if (shell->kind == GRAZEI_SYNTH_PLATE)
        fine.around = at_least(around / 4 + 0.5, 1) * 4; /* so that it has corners */
    if (shell->kind == GRAZEI_SYNTH_BOLT)
        fine.around = around < 5 ? 3 : at_least(around / 6 + 0.5, 1) * 6;
    double rings = triangles / (2 * fine.around) + 0.5;
    if (shell->kind == GRAZEI_SYNTH_PIPE)
        fine.rings = at_least(0.5 * rings, 2) * 2;
    else if (shell->kind == GRAZEI_SYNTH_BALL_SHELL)
        fine.rings = at_least(rings + 1, 2);
    else
        fine.rings = at_least(is_loop(shell) ? rings : rings + 1, 3);
    return fine;
}

/* Radius and height of a step of the profile. */
static void profile_at(const grazei_synth_shell *shell, uint32_t step, uint32_t rings,
                       double *radius, double *height)
{
    double share = shell->radius / profile_length(shell);
    uint32_t cap = at_least(rings * share, 1), side = rings - 2 * cap;
    switch (shell->kind) {
    case GRAZEI_SYNTH_BALL_SHELL:
        *radius = shell->radius * grazei_synth_sine(0.5 * step / rings);
        *height = -shell->radius * grazei_synth_sine(0.5 * step / rings + 0.25);
        break;
    case GRAZEI_SYNTH_RING:
        *radius = shell->radius + shell->wall * grazei_synth_sine((double)step / rings + 0.25);
        *height = shell->wall * grazei_synth_sine((double)step / rings);
        break;
    case GRAZEI_SYNTH_PIPE: /* up outside, down inside */
        side = rings / 2 - 1;
        *radius = step <= side ? shell->radius : shell->radius - shell->wall;
        *height = step <= side ? (double)step / side : (double)(rings - 1 - step) / side;
        *height = shell->half * (2 * *height - 1);
        break;
    default:
        *radius = shell->radius;
        if (step < cap)
            *radius *= (double)step / cap;
        else if (rings - step < cap)
            *radius *= (double)(rings - step) / cap;
        *height = step <= cap ? -1 : step >= cap + side ? 1 : 2 * (double)(step - cap) / side - 1;
        *height *= shell->half;
    }
}

static grazei_vec ring_point(const grazei_synth_shell *shell, double radius, double height,
                             double turn)
{
    grazei_vec other = vec_cross(shell->axis, shell->side);
    bool flat = shell->kind == GRAZEI_SYNTH_PLATE;
    double x = grazei_synth_sine(turn + (flat ? 0.375 : 0.25));
    double y = grazei_synth_sine(turn + (flat ? 0.125 : 0));
    if (flat) { /* the square around the circle, narrower one way */
        double scale = 1 / fmax(fabs(x), fabs(y));
        x *= scale * shell->width / shell->radius;
        y *= scale;
    }
    grazei_vec at = vec_along(shell->centre, shell->axis, height);
    return vec_along(vec_along(at, shell->side, radius * x), other, radius * y);
}

static uint32_t add_vertex(grazei_synth_mesh *mesh, const grazei_synth_shell *shell, grazei_vec at)
{
    mesh->positions[mesh->vertex_count] = at;
    mesh->joints[mesh->vertex_count] = shell->joint;
    return mesh->vertex_count++;
}

static void add_triangle(grazei_synth_mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *corners = mesh->triangles + 3 * (size_t)mesh->triangle_count++;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

/* Squares between two rings, or a fan about a pole. */
static void join_rings(grazei_synth_mesh *mesh, uint32_t low, bool low_pole, uint32_t high,
                       bool high_pole, uint32_t around)
{
    for (uint32_t k = 0; k < around; k++) {
        uint32_t next = (k + 1) % around;
        if (!low_pole)
            add_triangle(mesh, low + k, low + next, high_pole ? high : high + next);
        if (!high_pole)
            add_triangle(mesh, low_pole ? low : low + k, high + next, high + k);
    }
}

static void add_shell(grazei_synth_mesh *mesh, const grazei_synth_shell *shell, fineness fine)
{
    bool loop = is_loop(shell);
    uint32_t first = mesh->vertex_count, before = 0, rings = fine.rings;
    bool pole_before = false;
    for (uint32_t step = 0; step < rings + !loop; step++) {
        bool pole = !loop && (step == 0 || step == rings);
        uint32_t ring = mesh->vertex_count;
        double radius, height;
        profile_at(shell, step, rings, &radius, &height);
        for (uint32_t k = 0; k < (pole ? 1 : fine.around); k++)
            add_vertex(mesh, shell,
                       ring_point(shell, pole ? 0 : radius, height, (double)k / fine.around));
        if (step > 0)
            join_rings(mesh, before, pole_before, ring, pole, fine.around);
        before = ring;
        pole_before = pole;
    }
    if (loop)
        join_rings(mesh, before, false, first, false, fine.around);
}

/* Smaller shells are finer for their size, as people make them. */
static double weigh(const grazei_synth_shell *shell)
{
    return sqrt(ring_length(shell) * profile_length(shell));
}

/* From the last shell to the first, each takes its share of what is left: the first, which are the
 * largest, make up for what the least numbers of the others cost.
 */
static uint32_t share_triangles(const grazei_synth_shell *shells, uint32_t count,
                                uint32_t triangles, fineness *fine)
{
    double weight = 0;
    uint32_t total = 0;
    for (uint32_t i = 0; i < count; i++)
        weight += weigh(&shells[i]);
    for (uint32_t i = count; i-- > 0;) {
        double own = weigh(&shells[i]), left = (double)triangles - total;
        fine[i] = choose_fineness(&shells[i], fmax(0, left * own / weight));
        total += count_triangles(&shells[i], fine[i]);
        weight -= own;
    }
    return total;
}

bool grazei_synth_mesh_shells(const grazei_synth_shell *shells, uint32_t count, uint32_t triangles,
                              grazei_synth_pool *pool, grazei_synth_mesh *mesh)
{
    fineness *fine = grazei_synth_take(pool, count, sizeof *fine);
    if (!fine)
        return false;
    size_t total = share_triangles(shells, count, triangles, fine);
    size_t vertices = total / 2 + 2 * (size_t)count; /* Euler: V = T / 2 + 2, or T / 2 of a loop */
    mesh->positions = grazei_synth_take(pool, vertices, sizeof *mesh->positions);
    mesh->joints = grazei_synth_take(pool, vertices, sizeof *mesh->joints);
    mesh->triangles = grazei_synth_take(pool, 3 * total, sizeof *mesh->triangles);
    if (!mesh->positions || !mesh->joints || !mesh->triangles)
        return false;
    for (uint32_t i = 0; i < count; i++)
        add_shell(mesh, &shells[i], fine[i]);
    return true;
}
