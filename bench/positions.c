/* Positions computed elsewhere: a curtain, and characters of the size of SMPL's. */
#include "bench/positions.h"

#include <stdio.h>

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

static bool run_cases(positions_thing *things, const bench_options *options)
{
    positions_thing *curtain = &things[CURTAIN], *ball = &things[BALL];
    positions_thing *man = &things[MAN], *other = &things[OTHER_MAN];
    const positions_case cases[] = {
        {"curtain", "self, by its modes", {curtain, NULL}, place_clip, 0},
        {"curtain", "self, drawn together", {curtain, NULL}, place_gathered, 0},
        {"curtain and ball", "touching, drawn together", {curtain, ball}, place_ball, 0},
        {"curtain and ball", "apart, by its modes", {curtain, ball}, place_ball, 2},
        {"man:13776", "self, walking", {man, NULL}, place_clip, 0},
        {"man:13776", "two, apart", {man, other}, place_men, 2.5f},
        {"man:13776", "two, touching", {man, other}, place_men, 0.45f},
        {"man:13776", "two, deep", {man, other}, place_men, 0.1f}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!positions_run(&cases[i], options))
            return false;
    return true;
}

static void print_head(const positions_thing *things, const bench_options *options)
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
        "medians over %d frames. Ratios are to graze, of the least.\nThe curtain has %u "
        "triangles and %u vertices, the man %u and %u. Pairs are compared with brute force in "
        "every frame.\nFCL and CGAL cannot leave neighbours out: theirs are dropped "
        "afterwards.\n",
        options->rounds, POSITIONS_FRAMES, things[CURTAIN].rig->triangle_count,
        things[CURTAIN].rig->vertex_count, things[MAN].rig->triangle_count,
        things[MAN].rig->vertex_count);
}

int bench_positions(const bench_options *options)
{
    static const graze_synth_def defs[THINGS] = {
        [CURTAIN] = {.kind = GRAZE_SYNTH_CURTAIN},
        [BALL] = {.kind = GRAZE_SYNTH_BALL},
        [MAN] = {.kind = GRAZE_SYNTH_MAN, .triangles = 13776},
        [OTHER_MAN] = {.kind = GRAZE_SYNTH_MAN, .triangles = 13776}};
    positions_thing things[THINGS] = {{0}};
    bool ok = true;
    for (int i = 0; i < THINGS && ok; i++)
        ok = positions_open(&things[i], &defs[i]);
    if (ok) {
        print_head(things, options);
        ok = run_cases(things, options);
    }
    for (int i = 0; i < THINGS; i++)
        positions_close(&things[i]);
    return ok ? 0 : 2;
}
