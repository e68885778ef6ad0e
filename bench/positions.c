/* Positions computed elsewhere: a curtain, and characters of the size of SMPL's. */
#include "bench/positions.h"

#include <stdio.h>
#include <string.h>

enum { CURTAIN, BALL, MAN, OTHER_MAN, THINGS };

static double time_of(const positions_thing *thing, uint32_t frame)
{
    return thing->rig->clips[0].seconds * (frame + 0.5) / POSITIONS_FRAMES;
}

static bool place_clip(const positions_case *what, uint32_t frame)
{
    return positions_from_clip(what->things[0], time_of(what->things[0], frame), 0, 0);
}

static bool place_gathered(const positions_case *what, uint32_t frame)
{
    positions_gather(what->things[0], frame);
    return true;
}

/* The ball in the cloth, or before it. */
static bool place_ball(const positions_case *what, uint32_t frame)
{
    float x = 0.1f * (float)frame - 0.2f;
    return (what->apart > 0 ? place_clip : place_gathered)(what, frame) &&
           positions_from_clip(what->things[1], 0, x, what->apart);
}

/* Both men walk, at different times. */
static bool place_men(const positions_case *what, uint32_t frame)
{
    double seconds = what->things[0]->rig->clips[0].seconds;
    double later = time_of(what->things[0], frame) + 0.37 * seconds;
    return place_clip(what, frame) &&
           positions_from_clip(what->things[1], later < seconds ? later : later - seconds,
                               what->apart, 0.02f);
}

typedef struct case_def {
    const char *model, *name;
    int things[2];
    bool (*place)(const positions_case *what, uint32_t frame);
    float apart;
} case_def;

static const case_def cases[] = {
    {"curtain", "self, by its modes", {CURTAIN, THINGS}, place_clip, 0},
    {"curtain", "self, drawn together", {CURTAIN, THINGS}, place_gathered, 0},
    {"curtain and ball", "touching, drawn together", {CURTAIN, BALL}, place_ball, 0},
    {"curtain and ball", "apart, by its modes", {CURTAIN, BALL}, place_ball, 2},
    {"man:13776", "self, walking", {MAN, THINGS}, place_clip, 0},
    {"man:13776", "two, apart", {MAN, OTHER_MAN}, place_men, 2.5f},
    {"man:13776", "two, touching", {MAN, OTHER_MAN}, place_men, 0.4f},
    {"man:13776", "two, deep", {MAN, OTHER_MAN}, place_men, 0.1f}};

/* Whether --only, if it is there, is part of the model's and the case's name. */
static bool is_wanted(const case_def *def, const bench_options *options)
{
    char name[128];
    snprintf(name, sizeof name, "%s, %s", def->model, def->name);
    return !options->only || strstr(name, options->only);
}

/* Opens what is not open yet. */
static bool run_case(const case_def *def, positions_thing things[THINGS],
                     const bench_options *options, bench_csv *csv)
{
    static const graze_synth_def defs[THINGS] = {
        [CURTAIN] = {.kind = GRAZE_SYNTH_CURTAIN},
        [BALL] = {.kind = GRAZE_SYNTH_BALL},
        [MAN] = {.kind = GRAZE_SYNTH_MAN, .triangles = 13776},
        [OTHER_MAN] = {.kind = GRAZE_SYNTH_MAN, .triangles = 13776}};
    positions_case what = {
        .model = def->model, .name = def->name, .place = def->place, .apart = def->apart};
    for (int i = 0; i < 2 && def->things[i] < THINGS; i++) {
        positions_thing *thing = &things[def->things[i]];
        if (!thing->rig && !positions_open(thing, &defs[def->things[i]]))
            return false;
        what.things[i] = thing;
    }
    return positions_run(&what, options, csv);
}

static void print_head(const bench_options *options)
{
    const bench_peers *peers = queries_peers();
    bench_print_machine(options->json);
    if (options->json)
        return;
    for (uint32_t i = 0; i < peers->collider_count; i++)
        printf("%s%s: %s", i ? "; " : "\n", peers->colliders[i]->name,
               peers->colliders[i]->version());
    printf(
        "\nPositions that were computed elsewhere, packed. Microseconds from those to all pairs, "
        "one core: the least of %u\ninterleaved runs of a frame, and the middle one; both "
        "medians over %d frames. Ratios are to graze, of the least.\nPairs are compared with "
        "brute force in every frame. A library that takes more than 40 ms runs once, in 3 "
        "frames. FCL cannot\nleave neighbours out of a body's pairs with itself: they are "
        "dropped afterwards.\n",
        options->rounds, POSITIONS_FRAMES);
}

int bench_positions(const bench_options *options)
{
    positions_thing things[THINGS] = {{0}};
    bench_csv csv;
    uint32_t count = 0;
    bool ok = bench_csv_open(&csv, options->csv,
                             "model,case,method,us,us_median,ratio,pairs,missing,extra");
    if (!ok)
        return 2;
    print_head(options);
    for (size_t i = 0; i < sizeof cases / sizeof *cases && ok; i++)
        if (is_wanted(&cases[i], options)) {
            ok = run_case(&cases[i], things, options, &csv);
            count++;
        }
    if (ok && count == 0) {
        fprintf(stderr, "graze: no case has %s in its name\n", options->only);
        ok = false;
    }
    for (int i = 0; i < THINGS; i++)
        positions_close(&things[i]);
    ok = bench_csv_close(&csv) && ok;
    return ok ? 0 : 2;
}
