/* Shots into a crowd of low-memory bodies, all newly posed: a world, a loop over all bodies, and
 * Embree's two levels, a tree for each body, for which everybody is skinned and refitted.
 */
#include "bench/world.h"

#include <time.h>

enum { SHOTS = 32, LOOPED = 4 };

typedef struct shot {
    graze_ray ray;
    graze_world_hit hit;
} shot;

typedef struct shooting {
    crowd people;
    shot hits[SHOTS], misses[SHOTS];
    const bench_embree *embree;
    bench_mesh *meshes;
    void *scene;
    uint32_t differ;
} shooting;

enum { FIRST, HIT, MISS, ALONE, LOOP_HIT, LOOP_MISS, SKIN, REFIT, EMBREE_HIT, EMBREE_MISS, WAYS };

static const char *const names[WAYS] = {
    "first after the poses", "a hit",         "a miss",           "graze_cast of who is hit, alone",
    "loop, a hit",           "loop, a miss",  "Embree: skin all", "Embree: refit all",
    "Embree: a hit",         "Embree: a miss"};

/* From beyond the edge at the height of a chest: into somebody. From above, at half a right angle,
 * to the ground: past all of them, now and then.
 */
static graze_ray aim(const crowd *people, bool low, uint32_t *seed)
{
    const bench_bounds *box = &people->subject.box;
    uint32_t i = (uint32_t)(bench_random(seed) * (float)people->def.count) % people->def.count;
    const float *place = people->placements[i];
    float size[3], to[3], from[3], turn = 6.2832f * bench_random(seed), far = 0;
    for (int k = 0; k < 3; k++) {
        size[k] = box->high[k] - box->low[k];
        to[k] = place[4 * k + 3] + box->low[k] + size[k] * (low ? 0.5f : bench_random(seed));
    }
    far = 2 * size[0] * (float)people->def.columns;
    to[1] = box->low[1] + (low ? 0.6f : 0.01f) * size[1];
    from[0] = to[0] + far * cosf(turn);
    from[2] = to[2] + far * sinf(turn);
    from[1] = to[1] + (low ? 0 : far);
    return graze_ray_from(from,
                          (const float[3]){to[0] - from[0], to[1] - from[1], to[2] - from[2]});
}

static void cast(shooting *s, shot *one)
{
    bench_must(graze_world_cast(s->people.world, &one->ray, NULL, &one->hit, NULL, &bench_error));
}

/* Until there are enough of both. */
static void choose_shots(shooting *s)
{
    uint32_t seed = 7, hits = 0, misses = 0;
    for (uint32_t tried = 0; hits < SHOTS || misses < SHOTS; tried++) {
        shot made = {.ray = aim(&s->people, tried % 2, &seed)};
        cast(s, &made);
        if (made.hit.hit.found && tried % 2 && hits < SHOTS)
            s->hits[hits++] = made;
        else if (!made.hit.hit.found && misses < SHOTS)
            s->misses[misses++] = made;
    }
}

static double shoot(shooting *s, shot *shots)
{
    double start = bench_now();
    for (int i = 0; i < SHOTS; i++)
        cast(s, &shots[i]);
    return (bench_now() - start) / SHOTS;
}

/* As one does it without a world. */
static double shoot_at_all(shooting *s, shot *shots)
{
    double start = bench_now();
    for (int i = 0; i < LOOPED; i++) {
        graze_ray ray = shots[i].ray;
        graze_hit hit, best = {.found = false};
        for (uint32_t n = 0; n < s->people.def.count; n++) {
            bench_must(graze_cast(s->people.bodies[n], &ray, &hit, NULL, &bench_error));
            if (hit.found && (!best.found || hit.t < best.t)) {
                best = hit;
                ray.t_max = hit.t;
            }
        }
        s->differ += best.found != shots[i].hit.hit.found || best.t != shots[i].hit.hit.t;
    }
    double time = (bench_now() - start) / LOOPED;
    for (uint32_t n = 0; n < s->people.def.count; n++)
        graze_body_give_back_caches(s->people.bodies[n]);
    return time;
}

static double shoot_alone(shooting *s)
{
    graze_hit hit;
    double start = bench_now();
    for (int i = 0; i < SHOTS; i++) {
        graze_body *body = s->people.bodies[s->hits[i].hit.id.index];
        bench_must(graze_cast(body, &s->hits[i].ray, &hit, NULL, &bench_error));
        graze_body_give_back_caches(body);
    }
    return (bench_now() - start) / SHOTS;
}

/* Rounding may make the two differ at a silhouette. */
static double shoot_embree(shooting *s, shot *shots)
{
    bench_peer_hit hit[SHOTS];
    uint32_t which[SHOTS];
    double start = bench_now();
    for (int i = 0; i < SHOTS; i++) {
        bench_peer_ray ray;
        memcpy(ray.origin, shots[i].ray.origin, sizeof ray.origin);
        memcpy(ray.dir, shots[i].ray.dir, sizeof ray.dir);
        s->embree->ray_in_crowd(s->scene, &ray, &hit[i], &which[i]);
    }
    double time = (bench_now() - start) / SHOTS;
    for (int i = 0; i < SHOTS; i++)
        s->differ += (which[i] != UINT32_MAX) != shots[i].hit.hit.found ||
                     (which[i] != UINT32_MAX && (which[i] != shots[i].hit.id.index ||
                                                 hit[i].triangle != shots[i].hit.hit.triangle));
    return time;
}

static void open_embree(shooting *s)
{
    const bench_peers *peers = queries_peers();
    const graze_rig *rig = s->people.subject.rig;
    uint32_t count = s->people.def.count;
    s->embree = peers->embree;
    if (!s->embree)
        return;
    s->meshes = bench_take(count, sizeof *s->meshes);
    for (uint32_t i = 0; i < count; i++) {
        float *positions = bench_take(3 * (size_t)rig->vertex_count + 1, sizeof(float));
        graze_body_get_positions(s->people.bodies[i], positions);
        graze_body_give_back_caches(s->people.bodies[i]);
        s->meshes[i] =
            (bench_mesh){positions, rig->vertex_count, rig->triangles, rig->triangle_count};
    }
    s->scene = s->embree->crowd(s->meshes, count);
    if (!s->scene)
        bench_die("no crowd in Embree");
}

/* Everybody's vertices, by graze, into the arrays that Embree reads. */
static void skin(shooting *s)
{
    for (uint32_t i = 0; i < s->people.def.count; i++) {
        union {
            const float *kept;
            float *written;
        } positions = {s->meshes[i].positions};
        graze_body_get_positions(s->people.bodies[i], positions.written);
        graze_body_give_back_caches(s->people.bodies[i]);
    }
}

/* Runs of many milliseconds are never left undisturbed: what they take of the processor. */
static double processor_time(void)
{
    return 1e6 / CLOCKS_PER_SEC * (double)clock();
}

static void run_round(shooting *s, bench_samples samples[WAYS])
{
    crowd_step(&s->people);
    crowd_pose(&s->people);
    double start = bench_now();
    cast(s, &s->misses[0]);
    bench_add(&samples[FIRST], bench_now() - start);
    bench_add(&samples[HIT], shoot(s, s->hits));
    bench_add(&samples[MISS], shoot(s, s->misses));
    bench_add(&samples[ALONE], shoot_alone(s));
    bench_add(&samples[LOOP_HIT], shoot_at_all(s, s->hits));
    bench_add(&samples[LOOP_MISS], shoot_at_all(s, s->misses));
    if (!s->embree)
        return;
    start = processor_time();
    skin(s);
    double skinned = processor_time();
    s->embree->refit_crowd(s->scene);
    bench_add(&samples[SKIN], skinned - start);
    bench_add(&samples[REFIT], processor_time() - skinned);
    bench_add(&samples[EMBREE_HIT], shoot_embree(s, s->hits));
    bench_add(&samples[EMBREE_MISS], shoot_embree(s, s->misses));
}

static void measure_shots(uint32_t count, uint32_t rounds)
{
    const crowd_def def = {.kind = GRAZE_SYNTH_DWARF,
                           .count = count,
                           .columns = (uint32_t)ceil(sqrt(count)),
                           .seed = 1,
                           .step = 1.2f,
                           .lean = true};
    shooting *s = bench_take(1, sizeof *s);
    bench_samples samples[WAYS] = {0};
    crowd_open(&s->people, &def);
    crowd_pose(&s->people);
    choose_shots(s);
    open_embree(s);
    for (uint32_t round = 0; round < rounds; round++)
        run_round(s, samples);
    bench_say("  %u bodies\n", count);
    for (int w = 0; w < (s->embree ? WAYS : SKIN); w++) {
        bench_time time = {bench_least(&samples[w]), bench_middle(&samples[w])};
        bench_say("    %-34s %12.2f %12.2f\n", names[w], time.least, time.middle);
        world_write("shots", count, names[w], "us", time, count);
    }
    bench_say("    %u of %u answers differ\n", s->differ,
              rounds * (2 * LOOPED + (s->embree ? 2 * SHOTS : 0)));
    for (uint32_t i = 0; s->embree && i < count; i++) {
        union {
            const float *kept;
            void *freed;
        } positions = {s->meshes[i].positions};
        free(positions.freed);
    }
    if (s->embree)
        s->embree->destroy_crowd(s->scene);
    free(s->meshes);
    crowd_close(&s->people);
    free(s);
}

void world_shots(void)
{
    bench_say("\nshots: into a crowd of lean dwarves of 1,664 triangles, one thread; us a shot "
              "(Embree's skin and refit: of the processor, for all)\n    %-34s %12s %12s\n",
              "", "least", "median");
    measure_shots(1000, asked.rounds);
    measure_shots(10000, asked.rounds / 2 + 1);
}
