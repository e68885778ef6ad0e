/* What a second thread is worth: to a crowd, to one pair of bodies, and to every query, many at
 * once.
 */
#include "bench/scale.h"

enum { FRAMES = 5, MANY_FRAMES = 3, THREADS = 2, PEOPLE = 200, RAYS = 16384, RAYS_A_JOB = 64 };

static graze_pool *pools[THREADS]; /* of one thread, and of two */

/* Measures a case of one question to each pool. */
static void begin(queries_case *entry, const char *model, const char *name,
                  void (*ask)(void *user, int way), void (*prepare)(void *user, int way),
                  void *user)
{
    static const queries_method methods[THREADS] = {{.name = "one thread"},
                                                    {.name = "two threads"}};
    *entry = (queries_case){.table = "threads",
                            .model = model,
                            .name = name,
                            .methods = methods,
                            .method_count = THREADS,
                            .ask = ask,
                            .prepare = prepare,
                            .user = user};
}

static void show(const queries_case *entry, const char *note)
{
    if (!asked.json)
        queries_print(entry, note);
    queries_ratio(entry, 0, 1, QUERIES_AT_LEAST, 1.8);
    for (uint32_t m = 0; m < THREADS; m++)
        scale_write("threads", m + 1.0, entry->name, "graze", "us",
                    (bench_time){bench_middle(&entry->least[m]), bench_middle(&entry->middle[m])},
                    0);
}

/* ---- one pair of bodies ------------------------------------------------------------------- */

static void pose_pair(void *user, int way)
{
    (void)way;
    queries_pose(((pair_bench *)user)->actors, 2);
}

static void ask_pair(void *user, int way)
{
    const graze_options how = {.pool = pools[way]};
    pair_bench *pair = user;
    pair->answer.count = bench_pairs(pair->actors[0].body, pair->actors[1].body, &how);
}

static void measure_pair(void)
{
    static pair_bench pair;
    queries_subject subject;
    queries_case entry;
    char note[64];
    scale_open_creatures(&subject, &pair);
    begin(&entry, subject.name, "one deep pair", ask_pair, pose_pair, &pair);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        pair_stage(&pair, PAIR_DEEP, frame, FRAMES, NULL);
        queries_measure(&entry);
    }
    snprintf(note, sizeof note, "%zu pairs in the last frame", pair.answer.count);
    show(&entry, note);
    pair_close(&pair);
    queries_close_subject(&subject);
}

/* ---- many questions ----------------------------------------------------------------------- */

typedef enum question { CROWD, CAST, CAST_SHARED, SELF, DISTANCE, CONTACTS, SWEEP } question;

/* A crowd, where it goes to, and what is asked of it. */
typedef struct many {
    crowd people;
    question question;
    graze_batch *batch;
    graze_body **later;
    graze_contact_finder **finders;
    graze_nearest *nearest;
    graze_impact *impacts;
    graze_pair_list *pairs;
    graze_contact_list *contacts;
    graze_ray *rays;
    graze_hit *hits;
} many;

/* Rays from around towards the first body. */
static void draw_rays(many *m)
{
    const bench_bounds *box = &m->people.subject.box;
    uint32_t seed = 7;
    for (uint32_t i = 0; i < RAYS; i++) {
        m->rays[i] = (graze_ray){.t_max = INFINITY};
        for (int k = 0; k < 3; k++) {
            float wide = box->high[k] - box->low[k], middle = box->low[k] + wide / 2;
            float from = middle + 2 * wide * (2 * bench_random(&seed) - 1);
            float to = middle + 0.4f * wide * (2 * bench_random(&seed) - 1);
            m->rays[i].origin[k] = from + m->people.placements[0][4 * k + 3];
            m->rays[i].dir[k] = to - from;
        }
    }
}

/* Everybody a step further. */
static void pose_later(many *m)
{
    const crowd *people = &m->people;
    const bench_bounds *box = &people->subject.box;
    for (uint32_t i = 0; i < people->def.count; i++) {
        float placement[12];
        memcpy(placement, people->placements[i], sizeof placement);
        placement[3] += 0.1f * (box->high[0] - box->low[0]);
        bench_pose(m->later[i], people->joints, people->subject.rig->joint_count, placement);
    }
}

/* Question number i of the batch, about two bodies or one. */
static void record(many *m, size_t i)
{
    const graze_options how = {.batch = m->batch};
    uint32_t x = m->people.near[i].a, y = m->people.near[i].b;
    graze_body *const *bodies = m->people.bodies, *a = bodies[x], *b = bodies[y];
    const graze_motion motions[2] = {{.start = a, .end = m->later[x]},
                                     {.start = b, .end = m->later[y]}};
    m->pairs[i] = (graze_pair_list){.count = 0};
    m->contacts[i] = (graze_contact_list){.count = 0};
    bench_must(m->question == SELF
                   ? graze_self_pairs(bodies[i], NULL, &m->pairs[i], &how, &bench_error)
               : m->question == DISTANCE
                   ? graze_distance(a, b, INFINITY, &m->nearest[i], &how, &bench_error)
               : m->question == CONTACTS
                   ? graze_contacts(m->finders[i], a, b, &m->contacts[i], &how, &bench_error)
               : m->question == SWEEP
                   ? graze_sweep(&motions[0], &motions[1], &m->impacts[i], &how, &bench_error)
                   : graze_pairs(a, b, &m->pairs[i], &how, &bench_error));
}

static size_t count_questions(const many *m)
{
    return m->question == CAST || m->question == CAST_SHARED ? 0
           : m->question == SELF                             ? m->people.def.count
                                                             : m->people.near_count;
}

/* Poses are set and questions recorded before what is measured. */
static void prepare_many(void *user, int way)
{
    many *m = user;
    (void)way;
    crowd_find_near(&m->people);
    if (m->question != CROWD)
        pose_later(m);
    graze_batch_clear(m->batch);
    for (size_t i = 0; i < count_questions(m); i++)
        record(m, i);
}

/* One by one, as jobs of the caller's on a body that it shares. */
static void cast_some(void *user, size_t item, uint32_t thread)
{
    many *m = user;
    (void)thread;
    for (size_t i = item * RAYS_A_JOB; i < (item + 1) * RAYS_A_JOB; i++)
        graze_cast(m->people.bodies[0], &m->rays[i], &m->hits[i], NULL, NULL);
}

static void ask_many(void *user, int way)
{
    const graze_options how = {.pool = pools[way]};
    many *m = user;
    graze_body *body = m->people.bodies[0];
    if (m->question == CAST) {
        bench_must(graze_cast_many(body, m->rays, RAYS, m->hits, &how, &bench_error));
    } else if (m->question == CAST_SHARED) {
        graze_body_share(body, NULL);
        graze_pool_for_each(pools[way], RAYS / RAYS_A_JOB, cast_some, m, NULL);
        graze_body_unshare(body, NULL);
    } else {
        bench_must(graze_batch_run(m->batch, &how, &bench_error));
    }
}

static void open_many(many *m, uint32_t count, bool all_questions)
{
    const crowd_def def = {.kind = GRAZE_SYNTH_DWARF,
                           .count = count,
                           .columns = 10,
                           .seed = 1,
                           .step = 1.2f,
                           .level = GRAZE_LEVEL_BOUNDS};
    *m = (many){.question = CROWD};
    crowd_open(&m->people, &def);
    size_t pairs = m->people.near_capacity;
    const graze_model *model = m->people.subject.models[QUERIES_PLAIN];
    m->pairs = bench_take(pairs, sizeof *m->pairs);
    m->contacts = bench_take(pairs, sizeof *m->contacts);
    m->later = bench_take(count, sizeof(graze_body *));
    bench_must(graze_batch_create(NULL, &m->batch, &bench_error));
    if (!all_questions)
        return;
    m->finders = bench_take(pairs, sizeof(graze_contact_finder *));
    m->nearest = bench_take(pairs, sizeof *m->nearest);
    m->impacts = bench_take(pairs, sizeof *m->impacts);
    m->rays = bench_take(RAYS, sizeof *m->rays);
    m->hits = bench_take(RAYS, sizeof *m->hits);
    for (uint32_t i = 0; i < count; i++)
        m->later[i] = bench_make_body(model);
    crowd_find_near(&m->people); /* the pose stays, and so do the pairs */
    for (size_t p = 0; p < m->people.near_count; p++)
        bench_must(graze_contact_finder_create(model, model, NULL, &m->finders[p], &bench_error));
    draw_rays(m);
}

static void close_many(many *m)
{
    graze_batch_destroy(m->batch);
    for (size_t p = 0; m->finders && p < m->people.near_capacity; p++)
        graze_contact_finder_destroy(m->finders[p]);
    for (uint32_t i = 0; i < m->people.def.count; i++)
        graze_body_destroy(m->later[i]);
    void *const memory[] = {m->later, m->finders,  m->nearest, m->impacts,
                            m->pairs, m->contacts, m->rays,    m->hits};
    for (size_t i = 0; i < COUNT_OF(memory); i++)
        free(memory[i]);
    crowd_close(&m->people);
}

static size_t count_answers(const many *m)
{
    size_t found = 0, questions = count_questions(m);
    for (size_t i = 0; i < questions; i++)
        found += m->pairs[i].total + m->contacts[i].total;
    return m->question == DISTANCE || m->question == SWEEP     ? questions
           : m->question == CAST || m->question == CAST_SHARED ? RAYS
                                                               : found;
}

static void measure_many(many *m, question which, const char *model, const char *name,
                         const char *answers)
{
    queries_case entry;
    char note[128] = "";
    m->question = which;
    begin(&entry, model, name, ask_many, prepare_many, m);
    for (int frame = 0; frame < (which == CROWD ? FRAMES : MANY_FRAMES); frame++)
        queries_measure(&entry);
    if (which == CROWD)
        snprintf(note, sizeof note, "%zu pairs of bodies, ", m->people.near_count);
    bench_append(note, sizeof note, "%zu %s; queries alone, poses set", count_answers(m), answers);
    show(&entry, note);
}

void scale_threads(void)
{
    static const struct {
        const char *name, *answers;
    } rows[] = {[CAST] = {"rays", "rays at one body"},
                [CAST_SHARED] = {"rays, caller's threads", "rays at one shared body, one by one"},
                [SELF] = {"self", "pairs of triangles of 200 bodies"},
                [DISTANCE] = {"distance", "pairs of bodies"},
                [CONTACTS] = {"contacts", "contacts"},
                [SWEEP] = {"sweep", "pairs of motions"}};
    many m;
    for (uint32_t t = 0; t < THREADS; t++)
        bench_must(graze_pool_create(t + 1, NULL, &pools[t], &bench_error));
    open_many(&m, 1000, false);
    measure_many(&m, CROWD, "1,000 dwarves", "crowd", "of triangles");
    close_many(&m);
    measure_pair();
    open_many(&m, PEOPLE, true);
    for (int which = CAST; which <= SWEEP; which++)
        measure_many(&m, (question)which, "200 dwarves", rows[which].name, rows[which].answers);
    close_many(&m);
    for (uint32_t t = 0; t < THREADS; t++)
        graze_pool_destroy(pools[t]);
}
