/* graze demo ragdoll: a man walks to the head of a flight of stairs, stumbles, and falls down.
 *
 * Every contact is of his skinned triangles. What happens is told in words, or as JSON, and may be
 * saved as a GLB.
 */
#include "cli/demo.h"

#include "cli/character.h"
#include "cli/output.h"
#include "cli/physics_man.h"
#include "cli/print.h"
#include "cli/room.h"
#include "cli/text.h"

#include <graze/ode.h>

#include <math.h>

#define STEP (1 / 240.0)
#define SECONDS 5.0
#define STUMBLES 0.62   /* seconds from the start */
#define RISE 0.17       /* metres, of a step */
#define TREAD 0.29      /* metres */
#define WALKS 1.1       /* m/s */
#define TOLERANCE 0.001 /* metres that a saved vertex may be off */

enum { STEPS = 8, STEPS_A_FRAME = 4 };

typedef struct fall {
    const demo_job *job;
    physics_man of; /* what he is made from */
    graze_ode *ode;
    graze_pool *pool;
    graze_world_id man;
    char names[STEPS][16];
    graze_rig_local *locals;
    float *positions;
    struct recording *recording;
    uint32_t recorded;
    double *told; /* when each part was last told to hit something */
    double deepest, fastest, still;
    uint32_t hits;
} fall;

/* ---- the scene ---------------------------------------------------------------------------- */

static const double upright[4] = {0, 0, 0, 1};

/* A step is a block that reaches back under all those above it. */
static bool add_stairs(fall *f, graze_error *error)
{
    const graze_ode_member_def def = {0};
    for (int i = 0; i < STEPS; i++) {
        const fixed_row row = {
            f->names[i], {-1.2, -0.5, -3}, {1.2, (STEPS - i) * RISE, i * TREAD}, 0};
        snprintf(f->names[i], sizeof f->names[i], i ? "step %d" : "the landing", i);
        if (!physics_add_fixed(f->ode, &row, &def, f->recording, error))
            return false;
    }
    return physics_add_ground(f->ode, "the ground", 4, &def, f->recording, error);
}

static bool make_scene(fall *f, graze_error *error)
{
    graze_ode_def def = {0};
    graze_world_rule apart = {0};
    graze_ode_member_def member = {0};
    def.step = STEP;
    apart.level = GRAZE_LEVEL_IGNORE; /* limp characters on fixed shapes need no rule */
    member.name = "the man";
    if (!physics_man_make(&f->of, GRAZE_SYNTH_MAN, error) ||
        graze_ode_create(&def, &f->ode, error) ||
        graze_world_set_rule(graze_ode_world(f->ode), 0, 0, &apart, error) ||
        (f->job->threads > 1 && graze_pool_create(f->job->threads, NULL, &f->pool, error)) ||
        !add_stairs(f, error))
        return false;
    graze_ode_character_def character = {f->of.ragdoll, f->of.fit, f->of.model, f->of.parts,
                                         &member};
    f->locals = room(f->of.rig->node_count, sizeof *f->locals);
    f->positions = room(f->of.rig->vertex_count, 3 * sizeof *f->positions);
    f->told = room(f->of.rig->joint_count, sizeof *f->told);
    for (uint32_t j = 0; j < f->of.rig->joint_count; j++)
        f->told[j] = -1;
    f->recorded = recording_add(f->recording, "man", f->of.rig, upright, (const double[3]){0});
    return !graze_ode_add_character(f->ode, &character, &f->man, error);
}

static void free_scene(fall *f)
{
    graze_ode_destroy(f->ode);
    graze_pool_destroy(f->pool);
    recording_free(f->recording);
    physics_man_free(&f->of);
    free(f->locals);
    free(f->positions);
    free(f->told);
}

/* ---- words -------------------------------------------------------------------------------- */

static void tell_hit(const fall *f, double time, const char *part, const char *with,
                     const graze_ode_hit *hit)
{
    char words[64];
    if (f->job->json) {
        print_json("{\"time\":%.4f,\"event\":\"hit\",\"part\":%s,\"with\":%s,\"speed\":%.3f,"
                   "\"impulse\":%.3f,\"point\":[%.4f,%.4f,%.4f]}\n",
                   time, part, with, (double)hit->speed, (double)hit->impulse,
                   (double)hit->contact.point[0], (double)hit->contact.point[1],
                   (double)hit->contact.point[2]);
        return;
    }
    const char *verb = part_in_words(part, words, sizeof words);
    printf("%7.3f s: his %s %s %s, %.1f m/s, %.1f Ns\n", time, words, verb, with,
           (double)hit->speed, (double)hit->impulse);
}

static void tell(const fall *f, double time, const char *event, const char *words)
{
    if (f->job->json)
        printf("{\"time\":%.4f,\"event\":\"%s\"}\n", time, event);
    else
        printf("%7.3f s: %s\n", time, words);
}

/* Only what is felt is told, and of a part that bounces along, not more than five times a second.
 */
static void tell_hits(fall *f, double time)
{
    size_t count;
    const graze_ode_hit *hits = graze_ode_hits(f->ode, &count);
    for (size_t i = 0; i < count; i++) {
        const graze_ode_hit *hit = &hits[i];
        bool first = hit->ids[0].index == f->man.index;
        uint32_t part = hit->contact.parts[!first];
        if (!(hit->speed > 0.8f) || !(hit->impulse > 1) || time < f->told[part] + 0.2)
            continue;
        f->told[part] = time;
        f->hits++;
        tell_hit(f, time, hit->names[!first], hit->names[first], hit);
    }
}

/* ---- playing ------------------------------------------------------------------------------ */

static bool walk(fall *f, double time, bool first, graze_error *error)
{
    float placement[12] = {1, 0, 0, 0, 0, 1, 0, (float)(STEPS * RISE), 0, 0, 1, 0};
    placement[11] = (float)(WALKS * (time - STUMBLES) - 0.05);
    if (graze_rig_sample_locals(f->of.rig, 0, fmod(time, (double)f->of.rig->clips[0].seconds),
                                f->locals, NULL, error))
        return false;
    return !(first ? graze_ode_put : graze_ode_pose)(f->ode, f->man, f->locals, NULL, placement,
                                                     error);
}

/* His feet stay behind and the rest goes on: a push that grows with the height above them. */
static bool stumble(fall *f, graze_error *error)
{
    graze_ode_motion motion;
    if (graze_ode_go_limp(f->ode, f->man, GRAZE_NONE, error))
        return false;
    for (uint32_t b = 0; b < graze_ragdoll_bone_count(f->of.ragdoll); b++) {
        if (graze_ode_get_motion(f->ode, f->man, b, &motion, error))
            return false;
        motion.velocity[2] += 1.6 * (motion.position[1] - STEPS * RISE);
        if (graze_ode_set_motion(f->ode, f->man, b, &motion, error))
            return false;
    }
    return true;
}

/* How deep his skin is in the stairs or the ground, by all of its vertices. */
static void measure(fall *f, double time)
{
    graze_ode_lie lie;
    graze_body_get_positions(graze_ode_body(f->ode, f->man), f->positions);
    for (uint32_t v = 0; v < f->of.rig->vertex_count && time > STUMBLES; v++) {
        const float *at = f->positions + 3 * (size_t)v;
        double depth = -at[1];
        for (int i = 0; i < STEPS; i++) {
            double below = (STEPS - i) * RISE - at[1], behind = i * TREAD - at[2];
            double inside = fabsf(at[0]) < 1.2f ? fmin(below, behind) : 0;
            depth = fmax(depth, inside);
        }
        f->deepest = fmax(f->deepest, depth);
    }
    if (graze_ode_lying(f->ode, f->man, &lie, NULL))
        return;
    f->fastest = time > STUMBLES ? fmax(f->fastest, lie.speed) : 0;
    if (lie.speed > 0.15 || time < STUMBLES + 0.5)
        f->still = time;
}

static bool record(fall *f, graze_error *error)
{
    float placement[12];
    if (!f->recording)
        return true;
    if (graze_ode_get_pose(f->ode, f->man, f->locals, placement, error))
        return false;
    recording_take(f->recording, f->recorded, f->locals, placement);
    return true;
}

static bool play(fall *f, graze_error *error)
{
    uint32_t steps = (uint32_t)(SECONDS / STEP + 0.5);
    bool limp = false, good = walk(f, 0, true, error) && record(f, error);
    for (uint32_t i = 1; good && i <= steps; i++) {
        double time = i * STEP;
        if (!limp && time > STUMBLES) {
            limp = true;
            good = stumble(f, error);
            output_begin();
            tell(f, time, "stumble", "he stumbles at the head of the stairs");
            output_end();
        }
        good = good && (limp || walk(f, time, false, error)) &&
               !graze_ode_step(f->ode, f->pool, error);
        if (!good)
            break;
        output_begin();
        tell_hits(f, time);
        if (!output_end())
            break;
        if (i % STEPS_A_FRAME == 0) {
            measure(f, time);
            good = record(f, error);
        }
    }
    return good;
}

static void print_summary(const fall *f, double seconds)
{
    graze_ode_times times = graze_ode_get_times(f->ode);
    graze_ode_lie lie = {.turn = 0};
    graze_ode_lying(f->ode, f->man, &lie, NULL);
    double all = times.world + times.contacts + times.engine + times.poses;
    if (f->job->json) {
        printf("{\"time\":%.4f,\"event\":\"end\",\"still\":%.4f,\"deepest\":%.5f,\"fastest\":%.3f,"
               "\"hits\":%u,\"at\":[%.4f,%.4f,%.4f],\"face_down\":%s",
               SECONDS, f->still, f->deepest, f->fastest, f->hits, lie.at[0], lie.at[1], lie.at[2],
               lie.face_down ? "true" : "false");
        if (print_has_times())
            printf(",\"seconds\":%.3f", seconds);
        puts("}");
        return;
    }
    printf("\n%s %s, %.1f m from the head of the stairs. %u hits were felt, the fastest bone went "
           "at %.1f m/s,\nand his skin, all %u vertices of it, was never deeper in anything than "
           "%.1f mm.\n%.1f s of his life took %.2f s: contacts %.0f %%, engine %.0f %%, poses "
           "%.0f %%, the world %.0f %%.\n",
           f->still < SECONDS - 0.1 ? "He comes to rest" : "He still moves,",
           lie.face_down ? "on his face" : "on his back", hypot(lie.at[0], lie.at[2]), f->hits,
           f->fastest, f->of.rig->vertex_count, 1000 * f->deepest, SECONDS, seconds,
           100 * times.contacts / all, 100 * times.engine / all, 100 * times.poses / all,
           100 * times.world / all);
}

int demo_ragdoll(const demo_job *job)
{
    fall f = {.job = job};
    graze_error error = {GRAZE_OK, ""};
    f.recording = job->out ? recording_create(1 / (STEP * STEPS_A_FRAME)) : NULL;
    note("making the scene");
    bool good = make_scene(&f, &error);
    note_done();
    if (good && !job->json)
        printf("A man of %.0f kg, %u bones and %u triangles walks towards a flight of %d steps.\n",
               graze_ode_mass(f.ode, f.man), graze_ragdoll_bone_count(f.of.ragdoll),
               f.of.rig->triangle_count, STEPS);
    double start = now_us();
    good = good && play(&f, &error);
    if (good)
        print_summary(&f, 1e-6 * (now_us() - start));
    good = good && recording_save(f.recording, job->out, TOLERANCE, !job->json);
    free_scene(&f);
    if (!good && *error.text)
        fail_usage("demo ragdoll: %s", error.text);
    return good ? 0 : 2;
}
