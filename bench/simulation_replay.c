/* The same motion again and again: bodies placed as a simulation had them, whole, with weights of
 * their fields at zero, and without fields. What is measured is poses and contacts between bodies,
 * of all of them, asleep or not.
 */
#include "bench/simulation.h"

#include <graze/ext/world.h>

/* How bodies deform, and what is asked. */
enum fields { FIELDS_FULL, FIELDS_ZERO, FIELDS_NONE, FIELDS_COUNT };
enum question { ASK_EXACT, ASK_PROXIES, ASK_COUNT };
enum { CASTS = FIELDS_COUNT * ASK_COUNT, METHODS = CASTS + 1, LAYERED = CASTS };

/* One set of bodies, of models and trees of its own. */
typedef struct cast {
    enum fields fields;
    enum question question;
    graze_cache_pool *pools[SIMULATE_MOST_KINDS];
    graze_body **bodies;
    graze_world *world;
    size_t found; /* contacts, or pairs of spheres */
    graze_stats stats;
} cast;

/* ---- models and bodies ---------------------------------------------------------------------- */

/* A model of the kind's rig; without fields that of a rig whose morphs are hidden meanwhile. */
static graze_model *make_model(simulate_kind *kind, const cast *c)
{
    uint32_t morphs = kind->rig->morph_count, clips = kind->rig->clip_count;
    if (c->fields == FIELDS_NONE)
        kind->rig->morph_count = kind->rig->clip_count = 0;
    graze_model *model =
        simulation_model(kind, c->question == ASK_EXACT ? SIMULATION_DEFAULT : SIMULATION_PROXIES);
    kind->rig->morph_count = morphs;
    kind->rig->clip_count = clips;
    return model;
}

static void open_cast(cast *c, const simulate_scene *scene)
{
    const graze_world_rule rule = {.level = c->question == ASK_EXACT ? GRAZE_LEVEL_EXACT
                                                                     : GRAZE_LEVEL_BOUNDS,
                                   .contacts = c->question == ASK_EXACT};
    graze_world_id id;
    c->bodies = bench_take(scene->body_count, sizeof(graze_body *));
    bench_must(graze_world_create(NULL, &c->world, &bench_error));
    bench_must(graze_world_set_rule(c->world, 0, 0, &rule, &bench_error));
    for (uint32_t k = 0; k < scene->kind_count; k++) {
        graze_model *model = make_model(scene->kinds[k], c);
        bench_must(graze_cache_pool_create(model, NULL, &c->pools[k], &bench_error));
        graze_model_destroy(model);
    }
    for (uint32_t b = 0; b < scene->body_count; b++) {
        graze_cache_pool *pool = c->pools[simulation_kind_of(scene, b)];
        bench_must(graze_body_create_lean(pool, &c->bodies[b], &bench_error));
        bench_must(graze_world_add_body(c->world, c->bodies[b], NULL, &id, &bench_error));
    }
}

static void close_cast(cast *c, const simulate_scene *scene)
{
    graze_world_destroy(c->world);
    for (uint32_t b = 0; b < scene->body_count; b++)
        graze_body_destroy(c->bodies[b]);
    for (uint32_t k = 0; k < SIMULATE_MOST_KINDS; k++)
        graze_cache_pool_destroy(c->pools[k]);
    free(c->bodies);
}

/* ---- one frame ------------------------------------------------------------------------------ */

static void pose_body(cast *c, const simulation_record *record, uint32_t frame, uint32_t b)
{
    static const float zeros[SIMULATE_MOST_FIELDS];
    const simulate_scene *scene = record->scene;
    const simulation_place *place = &record->places[(size_t)frame * scene->body_count + b];
    graze_pose pose = {.placement = place->placement};
    if (c->fields != FIELDS_NONE) {
        pose.morph_weights = c->fields == FIELDS_FULL ? place->weights : zeros;
        pose.morph_count = scene->kinds[simulation_kind_of(scene, b)]->field_count;
    }
    graze_body_set_pose(c->bodies[b], &pose, NULL);
}

static void run_frame(cast *c, const simulation_record *record, uint32_t frame)
{
    size_t count;
    c->found = 0;
    c->stats = (graze_stats){0};
    for (uint32_t b = 0; b < record->scene->body_count; b++)
        pose_body(c, record, frame, b);
    graze_world_update(c->world, &(const graze_options){.stats = &c->stats}, NULL);
    const graze_world_event *events = graze_world_events(c->world, &count);
    for (size_t e = 0; e < count; e++)
        if (events[e].kind != GRAZE_EVENT_END)
            c->found += c->question == ASK_EXACT
                            ? events[e].contact_count
                            : bench_bound_pairs(c->bodies[events[e].a.index],
                                                c->bodies[events[e].b.index], &c->stats);
}

/* What layered spheres cost beside the frame: vertices and spheres of every body, bottom-up. The
 * walk over them is not counted, in their favour.
 */
static void run_layered(cast *c, const simulation_record *record, uint32_t frame)
{
    for (uint32_t b = 0; b < record->scene->body_count; b++) {
        pose_body(c, record, frame, b);
        graze_body_refit_all(c->bodies[b]);
        graze_body_give_back_caches(c->bodies[b]);
    }
}

/* ---- the table ------------------------------------------------------------------------------ */

/* Means over the frames. */
typedef struct replay {
    cast casts[CASTS];
    double us[METHODS], found[CASTS], refit[CASTS], spheres[CASTS];
} replay;

/* Methods take turns; processor time, the least of all rounds, in microseconds. */
static void measure_frame(replay *r, const simulation_record *record, uint32_t frame)
{
    double least[METHODS], frames = record->frame_count;
    for (uint32_t round = 0; round < asked.rounds && round < 5; round++)
        for (uint32_t m = 0; m < METHODS; m++) {
            cast *c = &r->casts[m == LAYERED ? FIELDS_COUNT * ASK_PROXIES : m];
            double start = bench_processor();
            (m == LAYERED ? run_layered : run_frame)(c, record, frame);
            double us = bench_processor() - start;
            least[m] = round == 0 || us < least[m] ? us : least[m];
        }
    for (uint32_t m = 0; m < METHODS; m++)
        r->us[m] += least[m] / frames;
    for (uint32_t m = 0; m < CASTS; m++) {
        r->found[m] += r->casts[m].found / frames;
        r->refit[m] += r->casts[m].stats.nodes_refit / frames;
    }
}

static void print_replay(const replay *r, const simulation_record *record)
{
    static const char *const fields[FIELDS_COUNT] = {"flexible", "flexible, q = 0", "rigid model"};
    static const char *const questions[ASK_COUNT] = {"exact", "proxies"};
    double layered = r->us[LAYERED], lazy = r->us[FIELDS_COUNT * ASK_PROXIES];
    bench_say("\nreplayed motion: %u frames of %u bodies, asleep or not; poses and contacts "
              "between them, us of processor time a frame\n  %-8s %-18s %12s %9s %12s %14s %12s\n",
              record->frame_count, record->scene->body_count, "", "", "us", "/ rigid", "found",
              "refitted", "of bounds");
    for (uint32_t m = 0; m < CASTS; m++) {
        uint32_t rigid = m / FIELDS_COUNT * FIELDS_COUNT + FIELDS_NONE;
        bench_row("replay",
                  "contacts:%s:%-8s bodies:%s:%-18s us:%.2f:%12.1f to_rigid:%.3f:%9.2f "
                  "found:%.1f:%12.1f refitted:%.1f:%14.1f refitted_percent:%.3f:%10.3f_%%",
                  ROW_TEXTS(questions[m / FIELDS_COUNT], fields[m % FIELDS_COUNT]),
                  ROW_NUMBERS(r->us[m], r->us[m] / r->us[rigid], r->found[m], r->refit[m],
                              100 * r->refit[m] / r->spheres[m]));
    }
    bench_row("replay",
              "contacts:%s bodies:%s us:%.2f:layered_updates_of_all_spheres:_%.1f_us_beside_it, "
              "to_lazy:%.3f:whole_frame_%.1f_times_that_of_lazy_proxies, "
              "to_lazy_exact:%.3f:updates_alone_%.1f_times_the_exact_frame",
              ROW_TEXTS("proxies", "layered"),
              ROW_NUMBERS(layered, (layered + lazy) / lazy, layered / r->us[FIELDS_FULL]));
}

void simulation_replay(const simulation_record *record)
{
    replay *r = bench_take(1, sizeof *r);
    for (uint32_t c = 0; c < CASTS; c++) {
        r->casts[c] = (cast){.fields = (enum fields)(c % FIELDS_COUNT),
                             .question = (enum question)(c / FIELDS_COUNT)};
        open_cast(&r->casts[c], record->scene);
        for (uint32_t b = 0; b < record->scene->body_count; b++)
            r->spheres[c] += bench_nodes(r->casts[c].bodies[b]);
    }
    for (uint32_t frame = 0; frame < record->frame_count; frame++)
        measure_frame(r, record, frame);
    print_replay(r, record);
    for (uint32_t c = 0; c < CASTS; c++)
        close_cast(&r->casts[c], record->scene);
    free(r);
}
