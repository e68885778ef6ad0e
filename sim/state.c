/* A simulation stopped and resumed: everything that later steps depend on, as bytes.
 *
 * In little endian, whatever the machine: magic, version, size, four fingerprints, steps taken,
 * bodies, weights, points of the step before, checksum. One walk over the fields counts, writes,
 * checks and reads them, so that none of the four can differ; reading begins when checking has
 * found everything well, and cannot fail any more.
 */
#include "sim.h"

#include <math.h>
#include <string.h>

static const char magic[8] = {'g', 'r', 'a', 'z', 'e', 's', 'i', 'm'};

#define VERSION 1u

/* ---- hashes --------------------------------------------------------------------------------- */

/* Every step is one to one: two inputs of one length that differ in one word never agree. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 32;
}

static uint64_t mix_reals(uint64_t hash, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t word;
        memcpy(&word, &numbers[i], sizeof word);
        hash = mix(hash, word);
    }
    return hash;
}

static uint64_t mix_floats(uint64_t hash, const float *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, &numbers[i], sizeof word);
        hash = mix(hash, word);
    }
    return hash;
}

static uint64_t hash_def(const graze_sim_def *def)
{
    const double numbers[] = {def->step,        def->gravity[0],    def->gravity[1],
                              def->gravity[2],  def->max_depth,     def->max_push_speed,
                              def->sleep_speed, def->sleep_seconds, def->wake_speed};
    uint64_t hash = mix_reals(1, numbers, sizeof numbers / sizeof *numbers);
    hash = mix(hash, (uint64_t)def->contacts);
    hash = mix(hash, def->iterations);
    return mix(hash, !def->no_sleeping);
}

static uint64_t mix_model(uint64_t hash, const graze_model *model)
{
    graze_model_info info = graze_model_get_info(model);
    hash = mix(hash, info.triangle_count);
    hash = mix(hash, info.node_count);
    hash = mix(hash, info.part_count);
    for (uint32_t t = 0; t < info.triangle_count; t++) {
        uint32_t corners[3] = {0};
        graze_model_triangle(model, t, corners);
        for (int k = 0; k < 3; k++)
            hash = mix(hash, corners[k]);
    }
    return hash;
}

static uint64_t mix_kind(uint64_t hash, const grazei_sim_kind *kind)
{
    const double numbers[] = {kind->mass,    kind->max_strain, kind->stiffness,
                              kind->damping, kind->friction,   kind->proxy_radius};
    hash = mix(hash, (uint64_t)kind->motion);
    hash = mix(hash, kind->vertex_count);
    hash = mix(hash, kind->mode_count);
    hash = mix(hash, kind->proxies);
    hash = mix(hash, kind->proxy_count);
    hash = mix_reals(hash, numbers, sizeof numbers / sizeof *numbers);
    hash = mix_reals(hash, kind->centre, 3);
    hash = mix_reals(hash, &kind->inertia[0][0], 9);
    for (uint32_t m = 0; m < kind->mode_count && kind->given; m++) {
        const graze_sim_mode *mode = &kind->given[m];
        const double given[] = {mode->frequency, mode->damping, mode->scale, mode->strain};
        hash = mix_reals(hash, given, 4);
    }
    hash = mix_floats(hash, kind->rest, (size_t)kind->vertex_count * 3);
    hash = mix_floats(hash, kind->shapes, (size_t)kind->vertex_count * kind->mode_count * 3);
    return mix_model(hash, kind->model);
}

static uint64_t hash_kinds(const graze_sim *sim)
{
    uint64_t hash = mix(2, sim->kinds.count);
    for (size_t i = 0; i < sim->kinds.count; i++)
        hash = mix_kind(hash, &GRAZEI_SIM_AT(sim->kinds, grazei_sim_kind, i));
    return hash;
}

static uint64_t hash_planes(const graze_sim *sim)
{
    uint64_t hash = mix(3, sim->planes.count);
    for (size_t i = 0; i < sim->planes.count; i++) {
        const graze_sim_plane *plane = &GRAZEI_SIM_AT(sim->planes, graze_sim_plane, i);
        hash = mix_floats(hash, plane->half_space.normal, 3);
        hash = mix_floats(hash, &plane->half_space.offset, 1);
        hash = mix_reals(hash, &plane->friction, 1);
    }
    return hash;
}

static uint64_t hash_bodies(const graze_sim *sim)
{
    uint64_t hash = mix(4, sim->bodies.count);
    for (uint32_t i = 0; i < sim->bodies.count; i++)
        hash = mix(hash, grazei_sim_body_at(sim, i)->kind);
    return hash;
}

enum { DEF, KINDS, PLANES, BODIES, FINGERPRINTS };

static void find_fingerprints(const graze_sim *sim, uint64_t prints[FINGERPRINTS])
{
    prints[DEF] = hash_def(&sim->def);
    prints[KINDS] = hash_kinds(sim);
    prints[PLANES] = hash_planes(sim);
    prints[BODIES] = hash_bodies(sim);
}

/* ---- the walk ------------------------------------------------------------------------------- */

typedef enum walk_mode { WALK_COUNT, WALK_WRITE, WALK_CHECK, WALK_READ } walk_mode;

/* All is in words of 8 bytes. */
typedef struct walk {
    walk_mode mode;
    unsigned char *out;
    const unsigned char *in;
    size_t at, end; /* bytes; what is read is never beyond end */
    bool bad;       /* something that cannot be was found */
} walk;

static uint64_t read_word(const unsigned char *bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

static void write_word(unsigned char *bytes, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(value >> 8 * i);
}

/* The value that is written, or was read; a word is at most `most`. */
static uint64_t pass_word(walk *w, uint64_t value, uint64_t most)
{
    if (w->mode == WALK_WRITE)
        write_word(w->out + w->at, value);
    if (w->mode == WALK_CHECK && (w->bad || w->end - w->at < 8)) {
        w->bad = true;
        return 0;
    }
    if (w->mode == WALK_CHECK || w->mode == WALK_READ)
        value = read_word(w->in + w->at);
    w->bad = w->bad || (w->mode == WALK_CHECK && value > most);
    w->at += 8;
    return value;
}

/* Finite numbers; what is there stays but in reading. */
static void pass_reals(walk *w, double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t word;
        double number;
        memcpy(&word, &numbers[i], sizeof word);
        word = pass_word(w, word, UINT64_MAX);
        memcpy(&number, &word, sizeof number);
        w->bad = w->bad || (w->mode == WALK_CHECK && !isfinite(number));
        if (w->mode == WALK_READ)
            numbers[i] = number;
    }
}

static void pass_flag(walk *w, uint32_t *flag)
{
    uint32_t value = (uint32_t)pass_word(w, *flag, 1);
    if (w->mode == WALK_READ)
        *flag = value;
}

static void pass_rotation(walk *w, double rotation[4])
{
    double sum = 0;
    size_t at = w->at;
    pass_reals(w, rotation, 4);
    if (w->mode != WALK_CHECK || w->bad)
        return;
    for (size_t i = 0; i < 4; i++) {
        uint64_t word = read_word(w->in + at + 8 * i);
        double number;
        memcpy(&number, &word, sizeof number);
        sum += number * number;
    }
    w->bad = !(fabs(sum - 1) < 1e-6);
}

/* A field that is added has to be passed too, and is another version. */
_Static_assert(sizeof(grazei_sim_state) == 21 * sizeof(double) + 4 * sizeof(uint32_t),
               "pass_body knows every field of a body");
_Static_assert(sizeof(grazei_sim_warm) == 11 * sizeof(double) + 2 * sizeof(uint32_t),
               "pass_warm knows every field of a point");

static void pass_body(walk *w, graze_sim *sim, uint32_t index)
{
    grazei_sim_state *body = grazei_sim_body_at(sim, index);
    const grazei_sim_kind *kind = grazei_sim_kind_of(sim, index);
    size_t modes = kind->mode_count;
    pass_reals(w, body->position, 3);
    pass_rotation(w, body->rotation);
    pass_reals(w, body->velocity, 3);
    pass_reals(w, body->angular, 3);
    pass_reals(w, &body->rested, 1);
    pass_reals(w, body->rest_position, 3);
    pass_rotation(w, body->rest_rotation);
    pass_flag(w, &body->asleep);
    pass_flag(w, &body->has_target);
    if (modes > 0) {
        pass_reals(w, grazei_sim_weights_of(sim, &sim->weights, index), modes);
        pass_reals(w, grazei_sim_weights_of(sim, &sim->weight_speeds, index), modes);
    }
    if (kind->motion != GRAZE_SIM_ANIMATED)
        return;
    grazei_sim_target *target = &GRAZEI_SIM_AT(sim->targets, grazei_sim_target, index);
    pass_reals(w, target->position, 3);
    pass_reals(w, target->rotation, 4);
    if (modes > 0)
        pass_reals(w, grazei_sim_weights_of(sim, &sim->target_weights, index), modes);
}

/* A body, or a plane. */
static bool is_member(const graze_sim *sim, uint64_t number)
{
    return number & GRAZEI_SIM_PLANE ? (number & ~(uint64_t)GRAZEI_SIM_PLANE) < sim->planes.count
                                     : number < sim->bodies.count;
}

/* There may be fewer in the simulation than are read: what is counted and checked needs none. */
static void pass_warm(walk *w, const graze_sim *sim, grazei_sim_warm *warm)
{
    uint64_t a = pass_word(w, warm->a, UINT32_MAX), b = pass_word(w, warm->b, UINT32_MAX);
    if (w->mode == WALK_CHECK)
        w->bad = w->bad || a >= sim->bodies.count || !is_member(sim, b);
    if (w->mode == WALK_READ) {
        warm->a = (uint32_t)a;
        warm->b = (uint32_t)b;
    }
    pass_reals(w, warm->local, 3);
    pass_reals(w, warm->other, 3);
    pass_reals(w, &warm->normal, 1);
    pass_reals(w, warm->tangent, 3);
    pass_reals(w, &warm->held, 1);
}

/* Everything between the fingerprints and the checksum. */
static void pass_state(walk *w, graze_sim *sim)
{
    grazei_sim_warm none = {0};
    uint64_t steps = pass_word(w, sim->steps, UINT64_MAX);
    for (uint32_t i = 0; i < sim->bodies.count && !w->bad; i++)
        pass_body(w, sim, i);
    uint64_t warm = pass_word(w, sim->warm.count, SIZE_MAX / sizeof none);
    for (uint64_t i = 0; i < warm && !w->bad; i++)
        pass_warm(w, sim,
                  w->mode == WALK_CHECK ? &none : &GRAZEI_SIM_AT(sim->warm, grazei_sim_warm, i));
    if (w->mode == WALK_READ) {
        sim->steps = steps;
        sim->warm.count = (size_t)warm;
    }
}

/* ---- bytes around it ------------------------------------------------------------------------ */

enum { HEAD = 8 + 8 + 8 + 8 * FINGERPRINTS, TAIL = 8 };

static uint64_t checksum(const unsigned char *bytes, size_t size)
{
    uint64_t hash = mix(5, size);
    for (size_t at = 0; at < size; at += 8)
        hash = mix(hash, read_word(bytes + at));
    return hash;
}

size_t graze_sim_state_bytes(const graze_sim *sim)
{
    walk w = {.mode = WALK_COUNT};
    if (!sim)
        return 0;
    pass_state(&w, (graze_sim *)sim); /* a walk that counts changes nothing */
    return HEAD + w.at + TAIL;
}

graze_status graze_sim_save(const graze_sim *sim, void *bytes, size_t capacity, size_t *written,
                            graze_error *error)
{
    uint64_t prints[FINGERPRINTS];
    unsigned char *out = bytes;
    if (!sim || !bytes || !written)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "%s is NULL",
                               !sim     ? "sim"
                               : !bytes ? "bytes"
                                        : "written");
    size_t size = graze_sim_state_bytes(sim);
    if (capacity < size)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "a state of %zu bytes has no room in %zu",
                               size, capacity);
    find_fingerprints(sim, prints);
    memcpy(out, magic, sizeof magic);
    write_word(out + 8, VERSION);
    write_word(out + 16, size);
    for (int i = 0; i < FINGERPRINTS; i++)
        write_word(out + 24 + 8 * i, prints[i]);
    walk w = {.mode = WALK_WRITE, .out = out + HEAD};
    pass_state(&w, (graze_sim *)sim); /* nor does one that writes */
    write_word(out + size - TAIL, checksum(out, size - TAIL));
    *written = size;
    return GRAZE_OK;
}

/* Whether these are the bytes that were written, of whatever simulation. */
static graze_status check_bytes(const unsigned char *in, size_t count, graze_error *error)
{
    if (count < 16 || memcmp(in, magic, sizeof magic) != 0)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "not the state of a simulation");
    if (read_word(in + 8) != VERSION)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT,
                               "a state of version %llu, and only version %u is known",
                               (unsigned long long)read_word(in + 8), VERSION);
    if (count < HEAD + TAIL || read_word(in + 16) != count)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT,
                               "a state that is cut off or damaged: %zu bytes", count);
    if (count % 8 || read_word(in + count - TAIL) != checksum(in, count - TAIL))
        return grazei_sim_fail(error, GRAZE_BAD_INPUT,
                               "a state that is damaged: its checksum is another");
    return GRAZE_OK;
}

static graze_status check_fingerprints(const graze_sim *sim, const unsigned char *in,
                                       graze_error *error)
{
    static const char *const differ[FINGERPRINTS] = {
        "another step, gravity, way of contacts, solver or sleep",
        "other kinds: models, masses, modes or materials", "other planes",
        "other bodies: their number, or which kinds they are of"};
    uint64_t prints[FINGERPRINTS];
    find_fingerprints(sim, prints);
    for (int i = 0; i < FINGERPRINTS; i++)
        if (read_word(in + 24 + 8 * i) != prints[i])
            return grazei_sim_fail(error, GRAZE_BAD_INPUT, "a state of another simulation, with %s",
                                   differ[i]);
    return GRAZE_OK;
}

/* The number of points that the state has, which stands behind the bodies: what a walk that checks
 * has left of it.
 */
static graze_status check_state(graze_sim *sim, const unsigned char *in, size_t size,
                                graze_error *error)
{
    walk w = {.mode = WALK_CHECK, .in = in, .end = size};
    pass_state(&w, sim);
    if (w.bad || w.at != size)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT,
                               "a state with numbers that cannot be, near byte %zu", w.at + HEAD);
    return GRAZE_OK;
}

graze_status graze_sim_load(graze_sim *sim, const void *bytes, size_t count, graze_error *error)
{
    const unsigned char *in = bytes;
    if (!sim || !bytes)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "%s is NULL", !sim ? "sim" : "bytes");
    graze_status status = check_bytes(in, count, error);
    if (status == GRAZE_OK)
        status = check_fingerprints(sim, in, error);
    if (status == GRAZE_OK)
        status = check_state(sim, in + HEAD, count - HEAD - TAIL, error);
    if (status != GRAZE_OK)
        return status;
    /* Each of its points takes 13 words. */
    size_t most = (count - HEAD - TAIL) / (13 * 8);
    if (!grazei_sim_reserve(sim, &sim->warm, most, sizeof(grazei_sim_warm)))
        return grazei_sim_out_of_memory(error);
    walk w = {.mode = WALK_READ, .in = in + HEAD};
    pass_state(&w, sim);
    sim->contacts.count = 0;
    memset(&sim->stats, 0, sizeof sim->stats);
    grazei_sim_forget_poses(sim);
    return GRAZE_OK;
}
