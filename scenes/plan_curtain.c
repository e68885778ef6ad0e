/* The curtain: a sheet that hangs in pleats from a rail, and 12 fields that stand for the wind, in
 * place of the cloth animation of James & Pai 2004, section 5 (6,184 vertices, 12,020 faces).
 */
#include "scenes/gait.h"
#include "scenes/lattice.h"
#include "scenes/plan.h"

static const double width = 2.5, height = 2; /* the rail is at y = height, the hem at y = 0 */

/* Across from left (0) to right (1), and down from the rail (0) to the hem (1). */
static grazei_vec hang(double across, double down)
{
    double bend = 0.12 * grazei_synth_sine(2 * across + 0.3 * down);
    double pleat =
        grazei_synth_sine(9 * across + bend) + 0.3 * grazei_synth_sine(4 * across + 0.4 * down);
    return vec_make(width * (across - 0.5), height * (1 - down), (0.025 + 0.02 * down) * pleat);
}

static void add_cell(grazei_synth_mesh *mesh, uint32_t columns, uint32_t x, uint32_t y)
{
    uint32_t *out = mesh->triangles + 3 * (size_t)mesh->triangle_count;
    uint32_t a = y * (columns + 1) + x, b = a + 1, c = a + columns + 1, d = c + 1;
    bool falls = (x + y) % 2 == 0; /* diagonals go by turns, so that no direction is stiffer */
    uint32_t two[2][6] = {{a, c, b, b, c, d}, {a, d, b, a, c, d}};
    for (uint32_t i = 0; i < 6; i++)
        out[i] = two[falls][i];
    mesh->triangle_count += 2;
}

static bool make(uint32_t triangles, grazei_synth_pool *pool, grazei_synth_mesh *mesh)
{
    uint32_t columns = (uint32_t)(sqrt(0.5 * triangles * width / height) + 0.5);
    uint32_t rows = (uint32_t)(0.5 * triangles / columns + 0.5);
    mesh->positions =
        grazei_synth_take(pool, (size_t)(columns + 1) * (rows + 1), sizeof(grazei_vec));
    mesh->triangles = grazei_synth_take(pool, 6 * (size_t)columns * rows, sizeof(uint32_t));
    if (!mesh->positions || !mesh->triangles)
        return false;
    for (uint32_t y = 0; y <= rows; y++)
        for (uint32_t x = 0; x <= columns; x++)
            mesh->positions[mesh->vertex_count++] = hang((double)x / columns, (double)y / rows);
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < columns; x++)
            add_cell(mesh, columns, x, y);
    return true;
}

/* Folds that travel need two fields, a quarter of a wave apart. The cloth goes to and fro as well
 * as sideways, which makes crests narrow and troughs wide.
 */
typedef struct wave_row {
    double across, down; /* waves over the whole width and height */
    double depth, aside; /* metres */
    double phase;
} wave_row;

enum { SWING, BULGE, SWAY, TWIST, FIRST_WAVE };

static const wave_row waves[] = {{1.3, 0.2, 0.17, 0.03, 0.25}, {1.3, 0.2, 0.17, 0.03, 0},
                                 {2.7, -0.3, 0.1, 0.03, 0.25}, {2.7, -0.3, 0.1, 0.03, 0},
                                 {0.4, 1.1, 0.12, 0, 0.25},    {0.4, 1.1, 0.12, 0, 0},
                                 {5, 0.7, 0.035, 0.012, 0.25}, {5, 0.7, 0.035, 0.012, 0}};

static grazei_vec displace(uint32_t mode, grazei_vec at)
{
    double across = at.x / width + 0.5, down = vec_clamp(1 - at.y / height, 0, 1);
    switch (mode) {
    case SWING: /* to and fro; the hem lifts as it goes out */
        return vec_make(0, 0.08 * down * down, 0.4 * down);
    case BULGE: /* like a sail */
        return vec_make(0, 0, down * (1 - 0.75 * down) * grazei_synth_sine(0.5 * across));
    case SWAY: /* sideways */
        return vec_make(0.15 * down * down, 0, 0);
    case TWIST: /* one side comes, the other goes */
        return vec_make(0, 0, 0.5 * down * (across - 0.5));
    default:
        break;
    }
    const wave_row *row = &waves[mode - FIRST_WAVE];
    double phase = row->across * across + row->down * down + row->phase;
    return vec_make(row->aside * down * grazei_synth_sine(phase - 0.25), 0,
                    row->depth * down * grazei_synth_sine(phase));
}

static const grazei_synth_weight_row wind[] = {
    {SWING, 0.35, 0.3, 0.75, 1},      {SWING, 0, 0.12, 0.1, 3},
    {BULGE, 0.3, 0.35, 0.6, 1},       {BULGE, 0, 0.15, 0.2, 2},
    {SWAY, 0, 0.6, 0.3, 1},           {SWAY, 0, 0.3, 0, 3},
    {TWIST, 0.1, 0.5, 0.45, 1},       {TWIST, 0, 0.25, 0.7, 2},
    {FIRST_WAVE, 0, 0.9, 0.25, 2},    {FIRST_WAVE + 1, 0, 0.9, 0, 2},
    {FIRST_WAVE, 0, 0.25, 0.25, 3},   {FIRST_WAVE + 1, 0, 0.25, 0, 3},
    {FIRST_WAVE + 2, 0, 0.8, 0, 3},   {FIRST_WAVE + 3, 0, -0.8, 0.75, 3},
    {FIRST_WAVE + 4, 0, 0.8, 0.5, 4}, {FIRST_WAVE + 5, 0, 0.8, 0.25, 4},
    {FIRST_WAVE + 6, 0, 1, 0.25, 6},  {FIRST_WAVE + 7, 0, 1, 0, 6}};

static const grazei_synth_modes modes = {.count = FIRST_WAVE + COUNT_OF(waves),
                                         .displace = displace,
                                         .clip = "wind",
                                         .seconds = 110.0 / 30,
                                         .steps = 110,
                                         .weights = wind,
                                         .weight_count = COUNT_OF(wind)};

static const grazei_synth_joint_row joints[] = {JOINT("rail", NULL, 0, 2, 0, 0.05, 0, 0, 0, 0.05)};

const grazei_synth_plan grazei_synth_curtain = {
    .name = "curtain",
    .description = "a curtain of 2.5 m x 2 m: 1 joint, 12 fields, 12,006 triangles, clip wind",
    .triangles = 12006,
    .make = make,
    JOINTS,
    .modes = &modes};
