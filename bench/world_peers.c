/* Fifty creatures in a crowd: a world against the eager baseline, and against other libraries with
 * their own broad phases and refits, which are given all vertices.
 */
#include "bench/world.h"

enum { CREATURES = 50, MAX_PAIRS = CREATURES * CREATURES, MAX_HITS = 1 };
enum { MAX_RIVALS = COUNT_OF(((bench_peers *)0)->broads), MOST = CROWD_WAYS + MAX_RIVALS };

/* Another library: its models over vertices of its own, and what finds those that are near. */
typedef struct rival {
    const bench_broad *with;
    bench_mesh meshes[CREATURES];
    float *positions[CREATURES];
    void *models[CREATURES], *broad;
    bench_pair near[MAX_PAIRS];
} rival;

typedef struct party {
    crowd people;
    rival rivals[MAX_RIVALS];
    uint32_t rival_count;
} party;

/* Skins a body and hands over all of its vertices. */
static void skin(crowd *people, rival *other, uint32_t i)
{
    graze_body *body = people->bodies[i];
    graze_pose pose = crowd_pose_of(people, i);
    graze_body_set_pose(body, &pose, NULL);
    graze_body_get_positions(body, other->positions[i]);
    graze_body_give_back_caches(body);
}

/* Its vertices come from graze, which skins all of them. */
static void run(void *user, int way)
{
    party *p = user;
    crowd *people = &p->people;
    if (way < CROWD_WAYS) {
        crowd_run(people, way);
        return;
    }
    rival *other = &p->rivals[way - CROWD_WAYS];
    const bench_collider *of = other->with->of;
    bench_pair hits[MAX_HITS];
    for (uint32_t i = 0; i < CREATURES; i++) {
        skin(people, other, i);
        of->refit(other->models[i]);
    }
    people->near_count = other->with->find(other->broad, other->near, MAX_PAIRS);
    people->hits = 0;
    for (size_t i = 0; i < people->near_count && i < MAX_PAIRS; i++)
        people->hits += of->collide(other->models[other->near[i].a],
                                    other->models[other->near[i].b], false, hits, MAX_HITS);
}

static void open_rival(party *p, const bench_broad *with)
{
    const graze_rig *rig = p->people.subject.rig;
    rival *other = &p->rivals[p->rival_count++];
    bool ok = true;
    other->with = with;
    for (uint32_t i = 0; i < CREATURES; i++) {
        other->positions[i] = bench_take(3 * (size_t)rig->vertex_count + 1, sizeof(float));
        skin(&p->people, other, i);
        other->meshes[i] = (bench_mesh){other->positions[i], rig->vertex_count, rig->triangles,
                                        rig->triangle_count};
        other->models[i] = with->of->create(&other->meshes[i]);
        ok = ok && other->models[i];
    }
    other->broad = ok ? with->create(other->models, CREATURES) : NULL;
    if (!other->broad)
        bench_die("no crowd of creatures");
}

static void close_rival(rival *other)
{
    other->with->destroy(other->broad);
    for (uint32_t i = 0; i < CREATURES; i++) {
        other->with->of->destroy(other->models[i]);
        free(other->positions[i]);
    }
}

static void measure(party *p)
{
    const uint32_t count = CROWD_WAYS + p->rival_count;
    bench_time times[MOST];
    size_t near[MOST], hits[MOST];
    for (uint32_t m = 0; m < count; m++) {
        run(p, (int)m);
        near[m] = p->people.near_count;
        hits[m] = p->people.hits;
    }
    bench_interleave(run, p, count, asked.rounds, times);
    for (uint32_t m = 0; m < count; m++) {
        const char *name = m < CROWD_WAYS ? crowd_ways[m] : p->rivals[m - CROWD_WAYS].with->name;
        bench_say("  %-24s %12.1f %12.1f %8.2f | %8zu %9zu\n", name, times[m].least,
                  times[m].middle, times[m].least / times[0].least, near[m], hits[m]);
        world_write("creatures", CREATURES, name, "us", times[m], hits[m]);
    }
    if (hits[CROWD_GRAZE] != hits[CROWD_BOXES])
        bench_die("%zu pairs, but %zu with eager boxes", hits[CROWD_GRAZE], hits[CROWD_BOXES]);
}

void world_peers(void)
{
    const crowd_def def = {.kind = GRAZE_SYNTH_CREATURE,
                           .count = CREATURES,
                           .columns = 10,
                           .seed = 3,
                           .step = 0.95f,
                           .level = GRAZE_LEVEL_EXACT,
                           .lean = true,
                           .eager = true};
    party *p = bench_take(1, sizeof *p);
    const bench_peers *peers = queries_peers();
    crowd_open(&p->people, &def);
    for (uint32_t i = 0; i < peers->broad_count; i++)
        open_rival(p, peers->broads[i]);
    bench_say("\ncreatures: a crowd of %d of %u triangles, one thread; us for everybody, from "
              "joint matrices to all pairs of triangles\n  %-24s %12s %12s %8s | %8s %9s\n",
              CREATURES, p->people.subject.rig->triangle_count, "", "least", "median", "ratio",
              "near", "pairs");
    measure(p);
    for (uint32_t i = 0; i < p->rival_count; i++)
        close_rival(&p->rivals[i]);
    crowd_close(&p->people);
    free(p);
}
