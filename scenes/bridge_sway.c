#include "scenes/bridge.h"

#include "scenes/gait.h"
#include "scenes/modes.h"

static const double mid_cable = 17.4, anchor_height = 14.6;
static const double chord_height = 2.2; /* of the trusses above the deck */

double grazei_bridge_deck(double x)
{
    double part = x / GRAZEI_BRIDGE_HALF;
    return 14 + 0.8 * (1 - part * part);
}

double grazei_bridge_cable(double x)
{
    double out = fabs(x), part = out / GRAZEI_BRIDGE_TOWER;
    if (out <= GRAZEI_BRIDGE_TOWER)
        return mid_cable + (GRAZEI_BRIDGE_TOP - mid_cable) * part * part;
    part = (out - GRAZEI_BRIDGE_TOWER) / (GRAZEI_BRIDGE_HALF - GRAZEI_BRIDGE_TOWER);
    return GRAZEI_BRIDGE_TOP + (anchor_height - GRAZEI_BRIDGE_TOP) * part - 4 * part * (1 - part);
}

/* How freely a place along the bridge moves: not at all at towers and ends. */
static double freedom(double x)
{
    double out = fabs(x), from_tower = fabs(out - GRAZEI_BRIDGE_TOWER);
    double side = out > GRAZEI_BRIDGE_TOWER ? 0.35 : 1;
    return side * grazei_synth_ramp(from_tower, 0.8, 16) *
           (1 - grazei_synth_ramp(out, GRAZEI_BRIDGE_HALF - 12, GRAZEI_BRIDGE_HALF - 0.8));
}

/* How far the deck is lifted, at a place along it. Waves hurry where they go down, so that they
 * are not sums of a few shapes.
 */
static double lift(double x, double phase)
{
    double along = x / GRAZEI_BRIDGE_HALF;
    double hurry = 0.06 * grazei_synth_sine(1.5 * along - phase + 0.1);
    return freedom(x) * (0.6 * grazei_synth_sine(1.5 * along - phase + hurry) +
                         0.25 * grazei_synth_sine(2.6 * along + 2 * phase + 0.2));
}

/* Turns about the deck's own line: the ends of the main span twist against each other. */
static double twist(double x, double free, double phase)
{
    double along = x / (2 * GRAZEI_BRIDGE_TOWER);
    return free * (0.045 * grazei_synth_sine(along) * grazei_synth_sine(2 * phase) +
                   0.01 * grazei_synth_sine(phase + 0.1));
}

/* A wave on the cables above the trusses; it runs out where they meet the towers. */
static grazei_vec cable_wave(grazei_vec at, double free, double phase)
{
    double above = at.y - grazei_bridge_deck(at.x) - chord_height;
    double share = free * grazei_synth_ramp(above, 0, 6);
    double side = at.z > 0 ? 0.15 : -0.15;
    double run = 3 * at.x / GRAZEI_BRIDGE_TOWER - 2 * phase + side;
    if (share == 0)
        return vec_make(0, 0, 0);
    run += 0.05 * grazei_synth_sine(run);
    return vec_make(0, 0.12 * share * grazei_synth_sine(run + 0.25),
                    0.3 * share * grazei_synth_sine(run));
}

/* Towers nod along the bridge, and what hangs on their tops goes with them. */
static double nod(grazei_vec at, double phase)
{
    double near = 1 - grazei_synth_ramp(fabs(fabs(at.x) - GRAZEI_BRIDGE_TOWER), 1, 24);
    double high = grazei_synth_ramp(at.y, 12, GRAZEI_BRIDGE_TOP);
    if (near * high == 0)
        return 0;
    return 0.25 * near * high * grazei_synth_sine(phase + (at.x > 0 ? 0 : 0.4));
}

/* What of the motion depends on the place along the bridge alone. */
static grazei_vec move_deck(grazei_vec at, double free, double phase)
{
    const double step = 0.25; /* metres, to find how steep the deck is */
    double deck = grazei_bridge_deck(at.x), turns = twist(at.x, free, phase);
    double sine = grazei_synth_sine(turns), cosine = grazei_synth_sine(turns + 0.25);
    double up = lift(at.x, phase), slope = (lift(at.x + step, phase) - up) / step;
    double height = at.y - deck; /* turned as far as the trusses go; beyond, carried along */
    double near = vec_clamp(height, -2, chord_height);
    double aside = 0.45 * free * grazei_synth_sine(phase + 0.6);
    return vec_make(at.x - near * slope, deck + near * cosine + at.z * sine + (height - near) + up,
                    at.z * cosine - near * sine + aside);
}

grazei_vec grazei_bridge_sway(grazei_vec at, double phase)
{
    double free = freedom(at.x);
    grazei_vec moved = free == 0 ? at : move_deck(at, free, phase);
    moved.x += nod(at, phase);
    return vec_add(moved, cable_wave(at, free, phase));
}
