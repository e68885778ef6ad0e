#include "cli/simulate_scenes.h"

#include "cli/room.h"
#include "scenes/bridge.h"

#include <math.h>
#include <time.h>

typedef struct scene_row {
    const char *name;
    simulate_thing things[SIMULATE_MOST_KINDS]; /* the free one is the last */
    uint32_t thing_count;
    uint32_t count; /* of free bodies, by default */
    double seconds;
} scene_row;

static const scene_row rows[SIMULATE_SCENE_COUNT] = {
    {"chairs", {SIMULATE_CHAIR, SIMULATE_CHAIR}, 1, 12, 4},
    {"bridge", {SIMULATE_BRIDGE, SIMULATE_FISH}, 2, 100, 6},
    {"curtain", {SIMULATE_CURTAIN, SIMULATE_BALL}, 2, 1, 110.0 / 30}};

simulate_scene_name simulate_scene_find(const char *name)
{
    int found = 0;
    while (found < SIMULATE_SCENE_COUNT && strcmp(name, rows[found].name) != 0)
        found++;
    return (simulate_scene_name)found;
}

const char *simulate_scene_title(simulate_scene_name scene)
{
    return (uint32_t)scene < SIMULATE_SCENE_COUNT ? rows[scene].name : NULL;
}

/* ---- chance --------------------------------------------------------------------------------- */

/* -1 to 1, the same numbers in the same order everywhere (xorshift64*). */
static double chance(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * 0x2545F4914F6CDD1Du) >> 40) * 0x1p-23 - 1;
}

/* A direction in so many dimensions, all alike. */
static void any_direction(uint64_t *state, double *out, int dimensions)
{
    double square;
    do {
        square = 0;
        for (int k = 0; k < dimensions; k++) {
            out[k] = chance(state);
            square += out[k] * out[k];
        }
    } while (square > 1 || square < 0.01);
    for (int k = 0; k < dimensions; k++)
        out[k] /= sqrt(square);
}

/* Turned anyhow, turning slowly. */
static void tumble(uint64_t *state, double turns, graze_sim_body *body)
{
    any_direction(state, body->rotation, 4);
    any_direction(state, body->angular_velocity, 3);
    double speed = 6.283185307179586 * turns * (0.5 + 0.5 * chance(state));
    for (int k = 0; k < 3; k++)
        body->angular_velocity[k] *= speed;
}

/* ---- where things are at the beginning ------------------------------------------------------ */

/* Spheres of this radius around their middles never overlap: each has a cell of a lattice, with
 * some play in it.
 */
static const double play = 0.02, pitch = 1.08;

static void place_in_cell(uint64_t *state, double radius, const double low[3], double x, double y,
                          double z, graze_sim_body *body)
{
    const double cell[3] = {x, y, z};
    for (int k = 0; k < 3; k++)
        body->position[k] = low[k] + 2 * pitch * radius * cell[k] + play * radius * chance(state);
}

/* A block about twice as wide as it is high. */
static uint32_t block_width(uint32_t count)
{
    uint32_t width = 1;
    while ((uint64_t)(width + 1) * (width + 1) * (width + 1) * 9 <= (uint64_t)count * 20 + 20)
        width++;
    return width;
}

static void place_chair(uint64_t *state, const simulate_scene *scene, uint32_t i,
                        graze_sim_body *body)
{
    const double radius = 1.05 * scene->kinds[0]->radius; /* they bend a little at once */
    const uint32_t width = block_width(scene->options.count);
    const double low[3] = {-pitch * radius * (width - 1), 0.5 + 1.1 * radius,
                           -pitch * radius * (width - 1)};
    place_in_cell(state, radius, low, i % width, i / (width * width), i / width % width, body);
    tumble(state, 0.3, body);
}

/* Layers above the deck, between the cables, around the middle of the bridge and as long as there
 * are fish for three, but no longer than the deck.
 */
static uint32_t rows_of_fish(uint32_t count, uint32_t across, double step)
{
    uint32_t most = (uint32_t)(1.8 * GRAZEI_BRIDGE_HALF / step), least = 4;
    uint32_t wanted = count / (3 * across) + 1;
    return wanted < least ? least : wanted > most ? most : wanted;
}

/* The number of the nth row that is not at a tower, where beams are; or how many there are before
 * number `along`, with n so large.
 */
static uint32_t free_row(uint32_t n, uint32_t along, double low, double step)
{
    uint32_t row = 0, passed = 0;
    for (; row < along; row++) {
        const bool taken = fabs(fabs(low + step * row) - GRAZEI_BRIDGE_TOWER) < 1.5;
        if (!taken && passed++ == n)
            return row;
    }
    return passed;
}

static void place_fish(uint64_t *state, const simulate_scene *scene, uint32_t i,
                       graze_sim_body *body)
{
    const double radius = 1.05 * scene->kinds[1]->radius, step = 2 * pitch * radius;
    const uint32_t across = (uint32_t)(7.6 / step);
    const uint32_t along = rows_of_fish(scene->options.count, across, step);
    const double low[3] = {-0.5 * step * (along - 1), 19.5, -0.5 * step * (across - 1)};
    const uint32_t usable = free_row(UINT32_MAX, along, low[0], step);
    const uint32_t row = free_row(i / across % usable, along, low[0], step);
    place_in_cell(state, radius, low, row, 1.4 * (i / across / usable), i % across, body);
    tumble(state, 0.5, body);
}

/* Thrown in an arc at the front of the curtain, which hangs at z = 0; in rows, one behind the
 * other.
 */
static void place_ball(uint64_t *state, uint32_t i, graze_sim_body *body)
{
    static const double columns[] = {-0.5, 0.5, 0, -1, 1};
    const double speed = 5, gravity = 9.81;
    body->position[0] = columns[i % 5] + play * chance(state);
    body->position[1] = 1.25 + 0.4 * (i / 5 % 3);
    body->position[2] = 3.4 + 0.5 * (i / 15);
    const double seconds = body->position[2] / speed;
    body->velocity[0] = -0.5 * body->position[0] / seconds;
    body->velocity[1] = 0.5 * gravity * seconds;
    body->velocity[2] = -speed;
    body->angular_velocity[0] = -3.8;
}

static void place(uint64_t *state, const simulate_scene *scene, uint32_t i, graze_sim_body *body)
{
    switch (scene->options.scene) {
    case SIMULATE_CHAIRS:
        place_chair(state, scene, i, body);
        break;
    case SIMULATE_FISH_ON_BRIDGE:
        place_fish(state, scene, i, body);
        break;
    default:
        place_ball(state, i, body);
    }
}

static void aim_camera(simulate_scene *scene)
{
    double width = 2.3 * scene->kinds[0]->radius * block_width(scene->options.count);
    float look[3] = {0, 1, 0}, eye[3] = {-2.2f, 1.6f, 4.5f};
    if (scene->options.scene == SIMULATE_CHAIRS) {
        look[1] = (float)(0.2 * width);
        eye[0] = (float)(0.9 * width + 2);
        eye[1] = (float)(0.5 * width + 1.5);
        eye[2] = (float)(1.2 * width + 3);
    } else if (scene->options.scene == SIMULATE_FISH_ON_BRIDGE) {
        look[1] = 15.5f;
        eye[0] = -14;
        eye[1] = 20;
        eye[2] = 18;
    }
    memcpy(scene->look, look, sizeof look);
    memcpy(scene->eye, eye, sizeof eye);
}

/* ---- making it ------------------------------------------------------------------------------ */

static graze_status make_kind(simulate_scene *scene, simulate_thing thing, bool free_one,
                              graze_error *error)
{
    const simulate_options *options = &scene->options;
    const simulate_kind_def def = {.thing = thing,
                                   .triangles =
                                       free_one ? options->triangles : options->stage_triangles,
                                   .rigid = options->rigid,
                                   .contacts = options->contacts,
                                   .level = options->level,
                                   .most_frequency = 0.5 / options->step_seconds};
    graze_status status = simulate_kind_create(&def, &scene->kinds[scene->kind_count], error);
    scene->kind_count += !status;
    return status;
}

static graze_status add_kind(graze_sim *sim, const simulate_kind *kind, uint32_t *number,
                             graze_error *error)
{
    const size_t size = (size_t)kind->rig->vertex_count * 3, count = kind->field_count;
    graze_sim_kind_def def = {0};
    graze_sim_mode modes[SIMULATE_MOST_FIELDS];
    float *deltas = room(count * size, sizeof *deltas);
    for (size_t m = 0; m < count; m++) {
        memcpy(deltas + m * size, kind->rig->morphs[m].deltas, size * sizeof *deltas);
        modes[m] = (graze_sim_mode){kind->frequencies[m], kind->damping[m], kind->scales[m],
                                    kind->strains[m]};
    }
    def.model = kind->model;
    def.positions = kind->rig->positions;
    def.vertex_count = kind->rig->vertex_count;
    def.motion = kind->animated ? GRAZE_SIM_ANIMATED : GRAZE_SIM_FREE;
    def.mass = kind->mass;
    memcpy(def.inertia, kind->inertia, sizeof def.inertia);
    def.mode_count = kind->field_count;
    def.modes = kind->animated ? NULL : modes;
    def.deltas = deltas;
    def.max_strain = kind->max_strain;
    def.stiffness = kind->stiffness;
    def.damping = kind->contact_damping;
    def.friction = kind->friction;
    graze_status status = graze_sim_add_kind(sim, &def, number, error);
    free(deltas);
    return status;
}

static graze_status add_bodies(simulate_scene *scene, graze_error *error)
{
    uint64_t state = 0x9E3779B97F4A7C15u;
    double weights[SIMULATE_MOST_FIELDS];
    uint32_t number;
    graze_status status = GRAZE_OK;
    for (uint32_t k = 0; k < scene->kind_count && !status; k++) {
        const simulate_kind *kind = scene->kinds[k];
        graze_sim_body body = {0};
        status = add_kind(scene->sim, kind, &body.kind, error);
        if (status || !kind->animated)
            continue;
        simulate_kind_animate(kind, 0, body.position, body.rotation, weights);
        body.weights = weights;
        status = graze_sim_add_body(scene->sim, &body, &number, error);
        scene->animated_count++;
    }
    for (uint32_t i = 0; i < scene->options.count && !status; i++) {
        graze_sim_body body = {0};
        body.kind = scene->kind_count - 1;
        place(&state, scene, i, &body);
        status = graze_sim_add_body(scene->sim, &body, &number, error);
    }
    scene->body_count = graze_sim_body_count(scene->sim);
    return status;
}

static graze_status fill(simulate_scene *scene, graze_error *error)
{
    const scene_row *row = &rows[scene->options.scene];
    const graze_sim_plane ground = {.half_space = {{0, 1, 0}, 0}, .friction = 0.5};
    graze_sim_def def = {0};
    uint32_t plane;
    graze_status status = GRAZE_OK;
    for (uint32_t k = 0; k < row->thing_count && !status; k++)
        status = make_kind(scene, row->things[k], k + 1 == row->thing_count, error);
    if (status)
        return status;
    def.step = scene->options.step_seconds;
    def.contacts =
        scene->options.contacts == SIMULATE_PROXIES ? GRAZE_SIM_PROXIES : GRAZE_SIM_EXACT;
    status = graze_sim_create(&def, &scene->sim, error);
    if (!status)
        status = graze_sim_add_plane(scene->sim, &ground, &plane, error);
    if (!status)
        status = add_bodies(scene, error);
    aim_camera(scene);
    return status;
}

static double seconds_now(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

graze_status simulate_scene_create(const simulate_options *options, simulate_scene **scene,
                                   graze_error *error)
{
    if ((uint32_t)options->scene >= SIMULATE_SCENE_COUNT)
        return simulate_refuse(error, "there is no such scene");
    if (options->count > SIMULATE_MOST_COUNT)
        return simulate_refuse(error, "a scene has at most 100000 bodies");
    if (!(options->step_seconds >= 0 && options->step_seconds <= 1))
        return simulate_refuse(error, "a step has to be above 0 and at most a second");
    const scene_row *row = &rows[options->scene];
    const double start = seconds_now();
    simulate_scene *made = room(1, sizeof *made);
    made->options = *options;
    made->options.count = options->count ? options->count : row->count;
    made->options.step_seconds = options->step_seconds > 0 ? options->step_seconds : 1.0 / 150;
    made->name = row->name;
    made->seconds = row->seconds;
    graze_status status = fill(made, error);
    if (status) {
        simulate_scene_destroy(made);
        return status;
    }
    made->setup_seconds = seconds_now() - start;
    *scene = made;
    return GRAZE_OK;
}

void simulate_scene_destroy(simulate_scene *scene)
{
    if (!scene)
        return;
    graze_sim_destroy(scene->sim);
    for (uint32_t k = 0; k < scene->kind_count; k++)
        simulate_kind_destroy(scene->kinds[k]);
    free(scene);
}

graze_status simulate_scene_prepare(simulate_scene *scene, uint64_t step, graze_error *error)
{
    const simulate_kind *kind = scene->kinds[0];
    double position[3], rotation[4], weights[SIMULATE_MOST_FIELDS];
    if (!scene->animated_count)
        return GRAZE_OK;
    simulate_kind_animate(kind, (double)(step + 1) * scene->options.step_seconds, position,
                          rotation, weights);
    return graze_sim_set_animated(scene->sim, 0, position, rotation,
                                  kind->field_count ? weights : NULL, kind->field_count, error);
}
