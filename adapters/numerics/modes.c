/* The public call: pieces are solved one by one, and the lowest modes of all are kept. */
#include "shell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DOFS = GRAZEI_SHELL_DOFS };

/* Rigid modes are told from others if they come out below this share of the lowest other: its
 * frequency is then off by less than a thousandth.
 */
#define RIGID_SHARE 3e-2

/* ---- checks -------------------------------------------------------------------------------- */

static bool is_positive(double number)
{
    return number > 0 && isfinite(number);
}

/* The def with the numbers that zeros stand for. */
static graze_shell_def filled(const graze_shell_def *given)
{
    graze_shell_def def = *given;
    def.thickness = def.thickness != 0 ? def.thickness : 1e-3;
    def.young = def.young != 0 ? def.young : 210e9;
    def.poisson = def.no_contraction ? 0 : def.poisson != 0 ? def.poisson : 0.3;
    def.density = def.density != 0 ? def.density : 7850;
    def.mode_count = def.mode_count ? def.mode_count : 10;
    return def;
}

static graze_status check_material(const graze_shell_def *def, graze_error *error)
{
    const struct {
        const char *name;
        double value;
    } amounts[] = {
        {"thickness", def->thickness}, {"Young's modulus", def->young}, {"density", def->density}};
    for (int i = 0; i < 3; i++)
        if (!is_positive(amounts[i].value))
            return grazei_numerics_fail(error, GRAZE_BAD_INPUT, "%s is %g; it has to be above 0",
                                        amounts[i].name, amounts[i].value);
    if (!(def->poisson >= 0 && def->poisson < 0.5))
        return grazei_numerics_fail(error, GRAZE_BAD_INPUT,
                                    "Poisson's ratio is %g; it has to be from 0 to below 0.5",
                                    def->poisson);
    for (size_t i = 0; i < sizeof def->reserved / sizeof *def->reserved; i++)
        if (def->reserved[i])
            return grazei_numerics_fail(error, GRAZE_BAD_INPUT, "reserved[%zu] is not 0", i);
    return GRAZE_OK;
}

static graze_status check(const graze_shell_def *def, graze_error *error)
{
    if (!def->positions || !def->triangles || def->vertex_count == 0 || def->triangle_count == 0)
        return grazei_numerics_fail(error, GRAZE_BAD_INPUT, "no vertices or triangles");
    if (def->triangle_count > UINT32_MAX / 3)
        return grazei_numerics_fail(error, GRAZE_UNSUPPORTED, "too many triangles");
    for (size_t i = 0; i < (size_t)def->vertex_count * 3; i++)
        if (!isfinite(def->positions[i]))
            return grazei_numerics_fail(error, GRAZE_BAD_INPUT,
                                        "vertex %zu has a coordinate that is not finite", i / 3);
    for (size_t i = 0; i < (size_t)def->triangle_count * 3; i++)
        if (def->triangles[i] >= def->vertex_count)
            return grazei_numerics_fail(error, GRAZE_BAD_INPUT,
                                        "triangle %zu refers to vertex %u of %u", i / 3,
                                        def->triangles[i], def->vertex_count);
    return check_material(def, error);
}

/* ---- pieces -------------------------------------------------------------------------------- */

/* The elastic modes of one piece. */
typedef struct piece_modes {
    uint32_t *points; /* its free points */
    uint32_t free_count;
    uint32_t count;
    double *values;  /* squares of angular frequencies; rigid ones first */
    double *vectors; /* 6 numbers a free point */
    uint32_t rigid_count;
} piece_modes;

typedef struct modes_job {
    const graze_shell_def *def;
    grazei_shell_points points;
    piece_modes *pieces;
    graze_shell_modes *modes;
    graze_error *error;
} modes_job;

static double frequency_of(double value)
{
    return sqrt(fabs(value)) / (2 * acos(-1));
}

/* Rigid modes have to be far below the others: else doubles did not do. */
static graze_status check_rigid(modes_job *job, const piece_modes *piece)
{
    uint32_t rigid = piece->rigid_count;
    double highest = 0, lowest = rigid < piece->count ? frequency_of(piece->values[rigid]) : 0;
    for (uint32_t i = 0; i < rigid; i++)
        highest = fmax(highest, frequency_of(piece->values[i]));
    job->modes->rigid_frequency = fmax(job->modes->rigid_frequency, highest);
    if (rigid < piece->count && !(piece->values[rigid] > 0 && highest < RIGID_SHARE * lowest))
        return grazei_numerics_fail(job->error, GRAZE_UNSUPPORTED,
                                    "too thin for its size: standing still comes out at %.3g Hz, "
                                    "the lowest mode at %.3g Hz",
                                    highest, lowest);
    return GRAZE_OK;
}

static graze_status solve_piece(modes_job *job, const grazei_shell_system *system,
                                piece_modes *piece)
{
    uint64_t all = (uint64_t)system->free_count * 3;
    uint64_t wanted = (uint64_t)job->def->mode_count + system->rigid_count;
    piece->count = (uint32_t)(wanted < all ? wanted : all);
    piece->rigid_count = system->rigid_count;
    piece->free_count = system->free_count;
    if (piece->count == 0)
        return GRAZE_OK;
    piece->values = malloc(piece->count * sizeof *piece->values);
    piece->vectors = malloc((size_t)piece->count * (size_t)system->size * sizeof(double));
    if (!piece->values || !piece->vectors)
        return grazei_numerics_fail(job->error, GRAZE_OUT_OF_MEMORY, "out of memory");
    graze_status status =
        grazei_shell_solve(system, piece->count, piece->values, piece->vectors, job->error);
    return status == GRAZE_OK ? check_rigid(job, piece) : status;
}

static graze_status solve_pieces(modes_job *job)
{
    graze_status status = GRAZE_OK;
    for (uint32_t i = 0; i < job->points.piece_count && status == GRAZE_OK; i++) {
        grazei_shell_system system;
        piece_modes *piece = &job->pieces[i];
        status = grazei_shell_assemble(job->def, &job->points, i, &system, job->error);
        if (status == GRAZE_OK)
            status = solve_piece(job, &system, piece);
        piece->points = system.points;
        system.points = NULL;
        grazei_shell_free_system(&system);
        job->modes->rigid_count += piece->rigid_count;
    }
    return status;
}

/* Points that are free can move three ways, of which a piece that is held nowhere has six in
 * common. So many modes there are in all.
 */
static graze_status check_count(modes_job *job)
{
    const grazei_shell_points *points = &job->points;
    uint64_t free_count = 0, rigid_count = 0;
    for (uint32_t p = 0; p < points->count; p++)
        free_count += points->piece[p] != GRAZEI_SHELL_NONE && !points->held[p];
    for (uint32_t piece = 0; piece < points->piece_count; piece++) {
        bool held = false;
        for (uint32_t t = points->piece_triangle[piece]; t < points->piece_triangle[piece + 1]; t++)
            for (int c = 0; c < 3; c++)
                held = held || points->held[points->triangles[(size_t)t * 3 + c]];
        rigid_count += held ? 0 : 6;
    }
    if (free_count == 0)
        return grazei_numerics_fail(job->error, GRAZE_BAD_INPUT, "every vertex is held");
    uint64_t all = free_count * 3 - rigid_count;
    if (all < job->def->mode_count)
        return grazei_numerics_fail(
            job->error, GRAZE_BAD_INPUT, "%u modes are wanted, and %u free points have only %llu",
            job->def->mode_count, (unsigned)free_count, (unsigned long long)all);
    return GRAZE_OK;
}

/* ---- what is returned ------------------------------------------------------------------------ */

static void *take(graze_shell_modes *modes, size_t count)
{
    return modes->allocator.allocate(modes->allocator.user, (count + 1) * sizeof(double), 64);
}

static graze_shell_modes *create(const graze_shell_def *def)
{
    graze_allocator allocator = def->allocator ? *def->allocator : graze_default_allocator();
    graze_shell_modes *modes = allocator.allocate(allocator.user, sizeof *modes, 64);
    if (!modes)
        return NULL;
    *modes = (graze_shell_modes){.allocator = allocator, .vertex_count = def->vertex_count};
    return modes;
}

static graze_status allocate_results(modes_job *job)
{
    graze_shell_modes *modes = job->modes;
    size_t vertices = modes->vertex_count, count = job->def->mode_count;
    modes->frequencies = take(modes, count);
    modes->masses = take(modes, vertices);
    modes->shapes = take(modes, count * vertices * 3);
    if (!modes->frequencies || !modes->masses || !modes->shapes)
        return grazei_numerics_fail(job->error, GRAZE_OUT_OF_MEMORY, "out of memory");
    memset(modes->shapes, 0, count * vertices * 3 * sizeof *modes->shapes);
    memset(modes->masses, 0, vertices * sizeof *modes->masses);
    return GRAZE_OK;
}

static void weigh(modes_job *job)
{
    const graze_shell_def *def = job->def;
    graze_shell_modes *modes = job->modes;
    for (uint32_t t = 0; t < def->triangle_count; t++) {
        const uint32_t *corners = def->triangles + (size_t)t * 3;
        const double *at[3];
        double normal[3];
        for (int c = 0; c < 3; c++)
            at[c] = job->points.at[job->points.of_vertex[corners[c]]];
        double mass =
            grazei_shell_area(at[0], at[1], at[2], normal) * def->thickness * def->density;
        for (int c = 0; c < 3; c++)
            modes->masses[corners[c]] += mass / 3;
        modes->mass += mass;
    }
}

static void count_things(modes_job *job)
{
    graze_shell_modes *modes = job->modes;
    modes->piece_count = job->points.piece_count;
    modes->point_count = job->points.count;
    modes->flat_triangles = job->def->triangle_count - job->points.triangle_count;
    for (uint32_t v = 0; v < modes->vertex_count; v++)
        modes->loose_vertices += job->points.piece[job->points.of_vertex[v]] == GRAZEI_SHELL_NONE;
    for (uint32_t p = 0; p < job->points.count; p++)
        modes->held_count += job->points.held[p];
}

/* The sum over vertices of mass x shape a . shape b. */
static double product(const graze_shell_modes *modes, uint32_t a, uint32_t b)
{
    const double *left = modes->shapes + (size_t)a * modes->vertex_count * 3;
    const double *right = modes->shapes + (size_t)b * modes->vertex_count * 3;
    double sum = 0;
    for (uint32_t v = 0; v < modes->vertex_count; v++)
        for (int k = 0; k < 3; k++)
            sum += modes->masses[v] * left[(size_t)v * 3 + k] * right[(size_t)v * 3 + k];
    return sum;
}

/* Solvers leave the modes orthonormal but for rounding; this takes that away too. */
static void make_orthonormal(graze_shell_modes *modes)
{
    size_t size = (size_t)modes->vertex_count * 3;
    for (uint32_t m = 0; m < modes->mode_count; m++) {
        double *shape = modes->shapes + m * size, largest = 0;
        for (uint32_t before = 0; before < m; before++) {
            const double *other = modes->shapes + before * size;
            double share = product(modes, before, m);
            for (size_t i = 0; i < size; i++)
                shape[i] -= share * other[i];
        }
        for (size_t i = 0; i < size; i++)
            largest = fabs(shape[i]) > fabs(largest) ? shape[i] : largest;
        double scale = copysign(1 / sqrt(product(modes, m, m)), largest);
        for (size_t i = 0; i < size; i++)
            shape[i] *= scale;
    }
    for (uint32_t a = 0; a < modes->mode_count; a++)
        for (uint32_t b = 0; b <= a; b++)
            modes->orthonormality =
                fmax(modes->orthonormality, fabs(product(modes, a, b) - (a == b)));
}

/* Gives a mode of a piece to the vertices. */
static void take_mode(modes_job *job, const piece_modes *piece, uint32_t mode, double *of_points)
{
    graze_shell_modes *modes = job->modes;
    const double *vector = piece->vectors + (size_t)mode * piece->free_count * DOFS;
    double *shape = modes->shapes + (size_t)modes->mode_count * modes->vertex_count * 3;
    memset(of_points, 0, (size_t)job->points.count * 3 * sizeof *of_points);
    for (uint32_t p = 0; p < piece->free_count; p++)
        memcpy(of_points + (size_t)piece->points[p] * 3, vector + (size_t)p * DOFS,
               3 * sizeof *vector);
    for (uint32_t v = 0; v < modes->vertex_count; v++)
        memcpy(shape + (size_t)v * 3, of_points + (size_t)job->points.of_vertex[v] * 3,
               3 * sizeof *shape);
    modes->frequencies[modes->mode_count++] = frequency_of(piece->values[mode]);
}

/* Merges the pieces' lists, each of which ascends. */
static graze_status take_lowest(modes_job *job)
{
    uint32_t pieces = job->points.piece_count;
    uint32_t *next = malloc(pieces * sizeof *next);
    double *of_points = malloc((size_t)job->points.count * 3 * sizeof *of_points);
    bool done = next && of_points;
    for (uint32_t i = 0; i < pieces && done; i++)
        next[i] = job->pieces[i].rigid_count;
    while (done && job->modes->mode_count < job->def->mode_count) {
        uint32_t lowest = pieces;
        for (uint32_t i = 0; i < pieces; i++)
            if (next[i] < job->pieces[i].count &&
                (lowest == pieces ||
                 job->pieces[i].values[next[i]] < job->pieces[lowest].values[next[lowest]]))
                lowest = i;
        take_mode(job, &job->pieces[lowest], next[lowest]++, of_points);
    }
    free(next);
    free(of_points);
    return done ? GRAZE_OK : grazei_numerics_fail(job->error, GRAZE_OUT_OF_MEMORY, "out of memory");
}

static graze_status make_modes(modes_job *job)
{
    graze_status status = grazei_shell_find_points(job->def, &job->points, job->error);
    if (status != GRAZE_OK)
        return status;
    job->pieces = calloc(job->points.piece_count, sizeof *job->pieces);
    if (!job->pieces)
        return grazei_numerics_fail(job->error, GRAZE_OUT_OF_MEMORY, "out of memory");
    count_things(job);
    status = check_count(job);
    if (status == GRAZE_OK)
        status = solve_pieces(job);
    if (status == GRAZE_OK)
        status = allocate_results(job);
    if (status != GRAZE_OK)
        return status;
    weigh(job);
    status = take_lowest(job);
    if (status == GRAZE_OK)
        make_orthonormal(job->modes);
    return status;
}

graze_status graze_shell_create_modes(const graze_shell_def *def, graze_shell_modes **modes,
                                      graze_error *error)
{
    if (!def || !modes)
        return grazei_numerics_fail(error, GRAZE_BAD_INPUT, "%s NULL",
                                    def ? "where the modes go is" : "the def is");
    const graze_shell_def used = filled(def);
    graze_status status = check(&used, error);
    if (status != GRAZE_OK)
        return status;
    modes_job job = {.def = &used, .modes = create(&used), .error = error};
    if (!job.modes)
        return grazei_numerics_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    status = make_modes(&job);
    for (uint32_t i = 0; job.pieces && i < job.points.piece_count; i++) {
        free(job.pieces[i].points);
        free(job.pieces[i].values);
        free(job.pieces[i].vectors);
    }
    free(job.pieces);
    grazei_shell_free_points(&job.points);
    if (status == GRAZE_OK)
        *modes = job.modes;
    else
        graze_shell_modes_destroy(job.modes);
    return status;
}

void graze_shell_modes_destroy(graze_shell_modes *modes)
{
    if (!modes)
        return;
    graze_allocator allocator = modes->allocator;
    void *arrays[] = {modes->frequencies, modes->shapes, modes->masses};
    for (int i = 0; i < 3; i++)
        if (arrays[i])
            allocator.release(allocator.user, arrays[i]);
    allocator.release(allocator.user, modes);
}
