/* The same motion again and again: bodies placed as a simulation had them, whole, with weights of
 * their fields at zero, and without fields. What is measured is poses and contacts between bodies,
 * of all of them, asleep or not.
 */
#include "bench/simulation.h"

#include <graze/lean.h>
#include <graze/reference.h>
#include <graze/world.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How bodies deform, and what is asked. */
enum fields { FIELDS_FULL, FIELDS_ZERO, FIELDS_NONE, FIELDS_COUNT };
enum question { ASK_EXACT, ASK_PROXIES, ASK_COUNT };
enum { CASTS = FIELDS_COUNT * ASK_COUNT, METHODS = CASTS + 1, LAYERED = CASTS };

/* One set of bodies, of models and trees of its own. */
typedef struct cast {
    enum fields fields;
    enum question question;
    const simulation_record *record;
    graze_cache_pool *pools[SIMULATE_MOST_KINDS];
    graze_body **bodies;
    graze_world *world;
    uint32_t frame;
    size_t found; /* contacts, or pairs of spheres */
    graze_stats stats;
} cast;

/* ---- models and bodies ---------------------------------------------------------------------- */

static graze_model *make_model(const simulate_kind *kind, enum question question)
{
    return question == ASK_EXACT ? simulation_default_model(kind)
                                 : simulation_paper_model(kind, simulation_level(kind->thing));
}

/* A model of the kind's rig; without fields that of a rig whose morphs are hidden meanwhile. */
static graze_model *make_model_with(simulate_kind *kind, enum fields fields, enum question question)
{
    uint32_t morphs = kind->rig->morph_count, clips = kind->rig->clip_count;
    if (fields == FIELDS_NONE)
        kind->rig->morph_count = kind->rig->clip_count = 0;
    graze_model *model = make_model(kind, question);
    kind->rig->morph_count = morphs;
    kind->rig->clip_count = clips;
    return model;
}

static bool open_world(cast *c, graze_error *error)
{
    graze_world_rule rule = graze_default_world_rule();
    rule.level = c->question == ASK_EXACT ? GRAZE_LEVEL_EXACT : GRAZE_LEVEL_BOUNDS;
    rule.contacts = c->question == ASK_EXACT;
    return !graze_world_create(NULL, &c->world, error) &&
           !graze_world_set_rule(c->world, 0, 0, &rule, error);
}

static bool open_cast(cast *c, const simulation_record *record)
{
    graze_error error = {.text = "out of memory"};
    graze_world_id id;
    const simulate_scene *scene = record->scene;
    c->record = record;
    c->bodies = calloc(scene->body_count, sizeof(graze_body *));
    if (!c->bodies || !open_world(c, &error))
        return simulation_fail(&error);
    for (uint32_t k = 0; k < scene->kind_count; k++) {
        graze_model *model = make_model_with(scene->kinds[k], c->fields, c->question);
        if (!model)
            return false;
        bool made = !graze_cache_pool_create(model, NULL, &c->pools[k], &error);
        graze_model_destroy(model);
        if (!made)
            return simulation_fail(&error);
    }
    for (uint32_t b = 0; b < scene->body_count; b++)
        if (graze_body_create_lean(c->pools[simulation_kind_of(scene, b)], &c->bodies[b], &error) ||
            graze_world_add_body(c->world, c->bodies[b], NULL, &id, &error))
            return simulation_fail(&error);
    return true;
}

static void close_cast(cast *c)
{
    graze_world_destroy(c->world);
    for (uint32_t b = 0; c->bodies && b < c->record->scene->body_count; b++)
        graze_body_destroy(c->bodies[b]);
    for (uint32_t k = 0; k < SIMULATE_MOST_KINDS; k++)
        graze_cache_pool_destroy(c->pools[k]);
    free(c->bodies);
}

/* ---- one frame ------------------------------------------------------------------------------ */

static void pose_body(cast *c, uint32_t b)
{
    const simulation_record *record = c->record;
    size_t place = (size_t)c->frame * record->scene->body_count + b;
    graze_pose pose = graze_default_pose();
    static const float zeros[SIMULATE_MOST_FIELDS];
    pose.placement = record->placements[place];
    if (c->fields != FIELDS_NONE) {
        pose.morph_weights = c->fields == FIELDS_FULL ? record->weights[place] : zeros;
        pose.morph_count = record->scene->kinds[simulation_kind_of(record->scene, b)]->field_count;
    }
    graze_body_set_pose(c->bodies[b], &pose, NULL);
}

static bool count_nodes(void *user, const graze_node_pair *pair)
{
    (void)pair;
    ++*(size_t *)user;
    return true;
}

static void run_frame(cast *c)
{
    size_t count;
    c->found = 0;
    memset(&c->stats, 0, sizeof c->stats);
    for (uint32_t b = 0; b < c->record->scene->body_count; b++)
        pose_body(c, b);
    graze_world_update(c->world, NULL, &c->stats, NULL);
    const graze_world_event *events = graze_world_events(c->world, &count);
    for (size_t e = 0; e < count; e++) {
        if (events[e].kind == GRAZE_EVENT_END)
            continue;
        if (c->question == ASK_EXACT)
            c->found += events[e].contact_count;
        else
            graze_collide_bounds(c->bodies[events[e].a.index], c->bodies[events[e].b.index],
                                 count_nodes, &c->found, &c->stats, NULL);
    }
}

/* What layered spheres cost beside the frame: vertices and spheres of every body, bottom-up. The
 * walk over them is not counted, in their favour.
 */
static void run_layered(cast *c)
{
    for (uint32_t b = 0; b < c->record->scene->body_count; b++) {
        pose_body(c, b);
        graze_body_refit_all(c->bodies[b]);
        graze_body_give_back_caches(c->bodies[b]);
    }
}

/* ---- the table ------------------------------------------------------------------------------ */

typedef struct replay {
    cast casts[CASTS];
    double us[METHODS], found[CASTS], refit[CASTS], spheres[CASTS];
} replay;

static bool open_replay(replay *r, const simulation_record *record)
{
    for (uint32_t c = 0; c < CASTS; c++) {
        r->casts[c] = (cast){.fields = (enum fields)(c % FIELDS_COUNT),
                             .question = (enum question)(c / FIELDS_COUNT)};
        if (!open_cast(&r->casts[c], record))
            return false;
        for (uint32_t b = 0; b < record->scene->body_count; b++)
            r->spheres[c] +=
                graze_model_get_info(graze_body_model(r->casts[c].bodies[b])).node_count;
    }
    return true;
}

/* Methods take turns; processor time, the least of all rounds, in microseconds. */
static void measure_frame(replay *r, uint32_t frame, uint32_t rounds)
{
    double least[METHODS];
    for (uint32_t round = 0; round < rounds; round++)
        for (uint32_t m = 0; m < METHODS; m++) {
            cast *c = &r->casts[m == LAYERED ? FIELDS_COUNT * ASK_PROXIES : m];
            c->frame = frame;
            double start = simulation_processor();
            (m == LAYERED ? run_layered : run_frame)(c);
            double us = 1e6 * (simulation_processor() - start);
            least[m] = round == 0 || us < least[m] ? us : least[m];
        }
    for (uint32_t m = 0; m < METHODS; m++)
        r->us[m] += least[m];
    for (uint32_t m = 0; m < CASTS; m++) {
        r->found[m] += (double)r->casts[m].found;
        r->refit[m] += (double)r->casts[m].stats.nodes_refit;
    }
}

static void print_cast(const simulation_output *output, const replay *r, uint32_t m, double frames)
{
    static const char *const fields[FIELDS_COUNT] = {"flexible", "flexible, q = 0", "rigid model"};
    static const char *const questions[ASK_COUNT] = {"exact", "proxies"};
    uint32_t rigid = m / FIELDS_COUNT * FIELDS_COUNT + FIELDS_NONE;
    double share = 100 * r->refit[m] / (r->spheres[m] * frames);
    printf(output->options->json
               ? "{\"table\":\"replay\",\"contacts\":\"%s\",\"bodies\":\"%s\",\"us\":%.2f,"
                 "\"to_rigid\":%.3f,\"found\":%.1f,\"refitted\":%.1f,\"refitted_percent\":%.3f}\n"
               : "  %-8s %-18s %12.1f %9.2f %12.1f %14.1f %10.3f %%\n",
           questions[m / FIELDS_COUNT], fields[m % FIELDS_COUNT], r->us[m] / frames,
           r->us[m] / r->us[rigid], r->found[m] / frames, r->refit[m] / frames, share);
}

static void print_replay(const simulation_output *output, const replay *r,
                         const simulation_record *record)
{
    double frames = record->frame_count;
    uint32_t lazy = FIELDS_COUNT * ASK_PROXIES;
    if (!output->options->json)
        printf("\nreplayed motion: %u frames of %u bodies, asleep or not; poses and contacts "
               "between them, us of processor time a frame\n  %-8s %-18s %12s %9s %12s %14s %12s\n",
               record->frame_count, record->scene->body_count, "", "", "us", "/ rigid", "found",
               "refitted", "of bounds");
    for (uint32_t m = 0; m < CASTS; m++)
        print_cast(output, r, m, frames);
    printf(output->options->json
               ? "{\"table\":\"replay\",\"contacts\":\"proxies\",\"bodies\":\"layered\","
                 "\"us\":%.2f,\"to_lazy\":%.3f,\"to_lazy_exact\":%.3f}\n"
               : "  layered updates of all spheres: %.1f us beside it, whole frame %.1f times that "
                 "of lazy proxies, updates alone %.1f times the exact frame\n",
           r->us[LAYERED] / frames, (r->us[LAYERED] + r->us[lazy]) / r->us[lazy],
           r->us[LAYERED] / r->us[FIELDS_FULL]);
    fflush(stdout);
}

bool simulation_replay(simulation_output *output, const simulation_record *record)
{
    replay *r = calloc(1, sizeof *r);
    if (!r)
        return false;
    bool ok = open_replay(r, record);
    uint32_t rounds = output->options->rounds < 5 ? output->options->rounds : 5;
    for (uint32_t frame = 0; ok && frame < record->frame_count; frame++)
        measure_frame(r, frame, rounds);
    if (ok)
        print_replay(output, r, record);
    for (uint32_t c = 0; c < CASTS; c++)
        if (r->casts[c].record)
            close_cast(&r->casts[c]);
    free(r);
    return ok;
}
