/* Fifty creatures in a crowd: a world against the eager baseline, and against other libraries with
 * their own broad phases and refits, which are given all vertices.
 */
#include "bench/eager/eager.h"
#include "bench/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CREATURES = 50, COLUMNS = 10, TIMES = 16, MAX_PAIRS = CREATURES * CREATURES, MAX_HITS = 1 };

enum { MAX_RIVALS = sizeof((bench_peers *)0)->broads / sizeof *((bench_peers *)0)->broads };

/* Another library: its models over vertices of its own, and what finds those that are near. */
typedef struct rival {
    struct party *party;
    const bench_broad *with;
    bench_mesh meshes[CREATURES];
    float *positions[CREATURES];
    void *models[CREATURES], *broad;
} rival;

typedef struct party {
    queries_subject subject;
    graze_cache_pool *caches;
    graze_body *bodies[CREATURES];
    graze_world *world;
    eager_model *eager;
    eager_body *eager_bodies[CREATURES];
    rival rivals[MAX_RIVALS];
    uint32_t rival_count;
    float *joints;
    float placements[CREATURES][12];
    bench_pair near[MAX_PAIRS];
    size_t near_count, hits;
} party;

static const float *joints_of(const party *p, uint32_t i)
{
    return p->joints + 12 * (size_t)(7 * i % TIMES) * p->subject.rig->joint_count;
}

static void place(party *p)
{
    uint32_t seed = 3;
    for (uint32_t i = 0; i < CREATURES; i++)
        for (int k = 0; k < 3; k++) {
            const uint32_t at[3] = {i % COLUMNS, 0, i / COLUMNS};
            float wide = p->subject.high[k] - p->subject.low[k];
            float off = 0.15f * (2 * queries_random(&seed) - 1);
            p->placements[i][5 * k] = 1;
            p->placements[i][4 * k + 3] = k == 1 ? 0 : wide * (0.95f * (float)at[k] + off);
        }
}

static graze_pose pose_of(const party *p, uint32_t i)
{
    return (graze_pose){.joints = joints_of(p, i),
                        .joint_count = p->subject.rig->joint_count,
                        .placement = p->placements[i]};
}

/* ---- ways ----------------------------------------------------------------------------------- */

static void run_graze(void *user)
{
    party *p = user;
    size_t count;
    for (uint32_t i = 0; i < CREATURES; i++) {
        graze_pose pose = pose_of(p, i);
        graze_body_set_pose(p->bodies[i], &pose, NULL);
    }
    graze_world_update(p->world, NULL, NULL, NULL);
    const graze_world_event *events = graze_world_events(p->world, &count);
    p->near_count = graze_world_candidate_count(p->world);
    p->hits = 0;
    for (size_t i = 0; i < count; i++)
        p->hits += (size_t)events[i].pairs;
}

/* Everybody is skinned; trees are refitted of those whose exact boxes overlap. */
static void run_eager(void *user)
{
    party *p = user;
    bool refitted[CREATURES] = {false};
    graze_pair hits[MAX_HITS];
    for (uint32_t i = 0; i < CREATURES; i++)
        eager_skin(p->eager_bodies[i], joints_of(p, i), p->subject.rig->joint_count,
                   p->placements[i]);
    p->near_count = p->hits = 0;
    for (uint32_t i = 0; i < CREATURES; i++)
        for (uint32_t j = i + 1; j < CREATURES; j++) {
            if (eager_apart(p->eager_bodies[i], p->eager_bodies[j]))
                continue;
            const uint32_t both[2] = {i, j};
            for (int k = 0; k < 2; k++) {
                if (!refitted[both[k]])
                    eager_refit(p->eager_bodies[both[k]]);
                refitted[both[k]] = true;
            }
            p->near_count++;
            p->hits += eager_collide(p->eager_bodies[i], p->eager_bodies[j], EAGER_LANES, false,
                                     hits, MAX_HITS);
        }
}

/* Its vertices come from graze, which skins all of them. */
static void run_rival(void *user)
{
    rival *other = user;
    party *p = other->party;
    const bench_collider *of = other->with->of;
    bench_pair hits[MAX_HITS];
    for (uint32_t i = 0; i < CREATURES; i++) {
        graze_pose pose = pose_of(p, i);
        graze_body_set_pose(p->bodies[i], &pose, NULL);
        graze_body_get_positions(p->bodies[i], other->positions[i]);
        graze_body_give_back_caches(p->bodies[i]);
        of->refit(other->models[i]);
    }
    p->near_count = other->with->find(other->broad, p->near, MAX_PAIRS);
    p->hits = 0;
    for (size_t i = 0; i < p->near_count && i < MAX_PAIRS; i++)
        p->hits += of->collide(other->models[p->near[i].a], other->models[p->near[i].b], false,
                               hits, MAX_HITS);
}

/* ---- the scene ------------------------------------------------------------------------------ */

static bool open_bodies(party *p)
{
    const graze_rig *rig = p->subject.rig;
    graze_model_def def = graze_rig_model_def(rig);
    p->joints = malloc(TIMES * 12 * sizeof(float) * rig->joint_count);
    p->eager = eager_model_create(&def);
    if (!p->joints || !p->eager || graze_world_create(NULL, &p->world, NULL) ||
        graze_cache_pool_create(p->subject.models[QUERIES_PLAIN], NULL, &p->caches, NULL))
        return false;
    for (uint32_t t = 0; t < TIMES; t++)
        if (graze_rig_sample(rig, 0, (double)rig->clips[0].seconds * t / TIMES,
                             p->joints + 12 * (size_t)t * rig->joint_count, NULL))
            return false;
    for (uint32_t i = 0; i < CREATURES; i++) {
        graze_world_id id;
        p->eager_bodies[i] = eager_body_create(p->eager);
        if (!p->eager_bodies[i] || graze_body_create_lean(p->caches, &p->bodies[i], NULL) ||
            graze_world_add_body(p->world, p->bodies[i], NULL, &id, NULL))
            return false;
    }
    place(p);
    return true;
}

static bool open_rival(party *p, const bench_broad *with)
{
    const graze_rig *rig = p->subject.rig;
    rival *other = &p->rivals[p->rival_count++];
    other->party = p;
    other->with = with;
    for (uint32_t i = 0; i < CREATURES; i++) {
        graze_pose pose = pose_of(p, i);
        other->positions[i] = calloc(3 * (size_t)rig->vertex_count + 1, sizeof(float));
        if (!other->positions[i] || graze_body_set_pose(p->bodies[i], &pose, NULL))
            return false;
        graze_body_get_positions(p->bodies[i], other->positions[i]);
        graze_body_give_back_caches(p->bodies[i]);
        other->meshes[i] = (bench_mesh){other->positions[i], rig->vertex_count, rig->triangles,
                                        rig->triangle_count};
        other->models[i] = with->of->create(&other->meshes[i]);
        if (!other->models[i])
            return false;
    }
    other->broad = with->create(other->models, CREATURES);
    return other->broad != NULL;
}

static bool open_rivals(party *p, const bench_peers *peers)
{
    for (uint32_t i = 0; i < peers->broad_count; i++)
        if (!open_rival(p, peers->broads[i]))
            return false;
    return true;
}

static void close_rival(rival *other)
{
    if (other->broad)
        other->with->destroy(other->broad);
    for (uint32_t i = 0; i < CREATURES; i++) {
        if (other->models[i])
            other->with->of->destroy(other->models[i]);
        free(other->positions[i]);
    }
}

static void close_party(party *p)
{
    for (uint32_t i = 0; i < p->rival_count; i++)
        close_rival(&p->rivals[i]);
    graze_world_destroy(p->world);
    for (uint32_t i = 0; i < CREATURES; i++) {
        graze_body_destroy(p->bodies[i]);
        eager_body_destroy(p->eager_bodies[i]);
    }
    graze_cache_pool_destroy(p->caches);
    eager_model_destroy(p->eager);
    queries_close_subject(&p->subject);
    free(p->joints);
    free(p);
}

static bool measure(world_output *output, party *p)
{
    enum { MOST = 2 + MAX_RIVALS };
    bench_method methods[MOST] = {{"graze", run_graze, p}, {"eager boxes", run_eager, p}};
    const uint32_t count = 2 + p->rival_count;
    bench_samples samples[MOST];
    size_t near[MOST], hits[MOST];
    for (uint32_t i = 0; i < p->rival_count; i++)
        methods[2 + i] = (bench_method){p->rivals[i].with->name, run_rival, &p->rivals[i]};
    memset(samples, 0, sizeof samples);
    for (uint32_t m = 0; m < count; m++) {
        methods[m].run(methods[m].user);
        near[m] = p->near_count;
        hits[m] = p->hits;
    }
    bench_interleave(methods, count, output->options->rounds, samples);
    for (uint32_t m = 0; m < count; m++) {
        if (!output->options->json)
            printf("  %-24s %12.1f %12.1f %8.2f | %8zu %9zu\n", methods[m].name,
                   bench_least(&samples[m]), bench_middle(&samples[m]),
                   bench_least(&samples[m]) / bench_least(&samples[0]), near[m], hits[m]);
        world_write(output, "creatures", CREATURES, methods[m].name, "us", bench_least(&samples[m]),
                    bench_middle(&samples[m]), (double)hits[m]);
    }
    if (hits[0] == hits[1])
        return true;
    fprintf(stderr, "graze: %zu pairs, but %zu with eager boxes\n", hits[0], hits[1]);
    return false;
}

bool world_peers(world_output *output)
{
    graze_synth_def def = {.kind = GRAZE_SYNTH_CREATURE};
    if (!world_is_wanted(output, "creatures"))
        return true;
    party *p = calloc(1, sizeof *p);
    graze_rig *rig = p ? queries_make_rig(&def) : NULL;
    if (!rig || !queries_open_subject(&p->subject, "creature", rig, QUERIES_PLAIN + 1)) {
        free(p);
        return false;
    }
    const bench_peers *peers = queries_peers();
    bool ok = open_bodies(p) && open_rivals(p, peers);
    if (ok && !output->options->json)
        printf("\ncreatures: a crowd of %d of %u triangles, one thread; us for everybody, from "
               "joint matrices to all pairs of triangles\n  %-24s %12s %12s %8s | %8s %9s\n",
               CREATURES, rig->triangle_count, "", "least", "median", "ratio", "near", "pairs");
    ok = ok && measure(output, p);
    if (!ok)
        fprintf(stderr, "graze: no crowd of creatures\n");
    close_party(p);
    return ok;
}
