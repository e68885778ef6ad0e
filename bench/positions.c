/* Positions computed elsewhere: a curtain, and characters of the size of SMPL's. */
#include "bench/positions.h"

enum { CURTAIN, BALL, MAN, OTHER_MAN, THINGS };

static double time_of(const positions_thing *thing, uint32_t frame)
{
    return thing->rig->clips[0].seconds * (frame + 0.5) / POSITIONS_FRAMES;
}

static void place_clip(const positions_case *what, uint32_t frame)
{
    positions_from_clip(what->of[0], time_of(what->of[0], frame), 0, 0);
}

static void place_gathered(const positions_case *what, uint32_t frame)
{
    positions_gather(what->of[0], frame);
}

/* The ball in the cloth, or before it. */
static void place_ball(const positions_case *what, uint32_t frame)
{
    (what->apart > 0 ? place_clip : place_gathered)(what, frame);
    positions_from_clip(what->of[1], 0, 0.1f * (float)frame - 0.2f, what->apart);
}

/* Both men walk, at different times. */
static void place_men(const positions_case *what, uint32_t frame)
{
    double seconds = what->of[0]->rig->clips[0].seconds;
    double later = time_of(what->of[0], frame) + 0.37 * seconds;
    place_clip(what, frame);
    positions_from_clip(what->of[1], later < seconds ? later : later - seconds, what->apart, 0.02f);
}

static positions_case cases[] = {
    {"curtain", "self, by its modes", {CURTAIN, THINGS}, .place = place_clip},
    {"curtain", "self, drawn together", {CURTAIN, THINGS}, .place = place_gathered},
    {"curtain and ball", "touching, drawn together", {CURTAIN, BALL}, .place = place_ball},
    {"curtain and ball", "apart, by its modes", {CURTAIN, BALL}, .place = place_ball, .apart = 2},
    {"man:13776", "self, walking", {MAN, THINGS}, .place = place_clip},
    {"man:13776", "two, apart", {MAN, OTHER_MAN}, .place = place_men, .apart = 2.5f},
    {"man:13776", "two, touching", {MAN, OTHER_MAN}, .place = place_men, .apart = 0.4f},
    {"man:13776", "two, deep", {MAN, OTHER_MAN}, .place = place_men, .apart = 0.1f}};

/* Opens what is not open yet. */
static void run_case(positions_case *what, positions_thing things[THINGS])
{
    static const graze_synth_kind kinds[] = {GRAZE_SYNTH_CURTAIN, GRAZE_SYNTH_BALL, GRAZE_SYNTH_MAN,
                                             GRAZE_SYNTH_MAN};
    for (int i = 0; i < 2 && what->numbers[i] < THINGS; i++) {
        int number = what->numbers[i];
        what->of[i] = &things[number];
        if (!things[number].rig)
            positions_open(&things[number], kinds[number], number >= MAN ? 13776 : 0);
    }
    positions_run(what);
}

static void print_head(void)
{
    const bench_peers *peers = queries_peers();
    bench_print_machine();
    for (uint32_t i = 0; i < peers->collider_count; i++)
        bench_say("%s%s: %s", i ? "; " : "\n", peers->colliders[i]->name,
                  peers->colliders[i]->version());
    bench_say(
        "\nPositions that were computed elsewhere, packed. Microseconds from those to all pairs, "
        "one core: the least of %u\ninterleaved runs of a frame, and the middle one; both "
        "medians over %d frames. Ratios are to graze, of the least.\nPairs are compared with "
        "brute force in every frame. A library that takes more than 40 ms runs once, in 3 "
        "frames. FCL cannot\nleave neighbours out of a body's pairs with itself: they are "
        "dropped afterwards.\n",
        asked.rounds, POSITIONS_FRAMES);
}

void bench_positions(void)
{
    positions_thing things[THINGS] = {{0}};
    bench_csv_open("model,case,method,us,us_median,ratio,pairs,missing,extra");
    print_head();
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char name[128];
        snprintf(name, sizeof name, "%s, %s", cases[i].model, cases[i].name);
        if (bench_wants(name))
            run_case(&cases[i], things);
    }
    bench_end_only("case");
    for (int i = 0; i < THINGS; i++)
        positions_close(&things[i]);
}
