/* A piece of a clip while it is made. Private to the rig library. */
#ifndef GRAZEI_RIG_CUT_H
#define GRAZEI_RIG_CUT_H

#include "sample.h"

/* A channel of the piece with all the keys it might have, and which of them it keeps. */
typedef struct grazei_rig_track {
    graze_rig_channel channel; /* LINEAR or STEP; its arrays are the track's */
    uint32_t width;            /* floats a key */
    double reach;              /* vertices move by so much per unit (or radian) of its values */
    bool *kept;                /* by key */
} grazei_rig_track;

/* --- track.c ---------------------------------------------------------------------------- */

/* All keys that a channel of the clip has in the piece; weights NULL of a T, R or S channel, else
 * the track of all morph weights. Out of memory leaves what there is to grazei_rig_free_track.
 */
graze_status grazei_rig_make_track(const graze_rig *rig, const graze_rig_cut *cut,
                                   const graze_rig_channel *channel, grazei_rig_track *track);
graze_status grazei_rig_make_weights_track(const graze_rig *rig, const graze_rig_cut *cut,
                                           grazei_rig_track *track);
void grazei_rig_free_track(const graze_rig *rig, grazei_rig_track *track);

/* Marks the keys to keep so that what lies between differs by at most so much (radians of
 * rotations), after Douglas & Peucker 1973; stack holds an index a key.
 */
void grazei_rig_reduce_track(grazei_rig_track *track, double tolerance, uint32_t *stack);

/* --- measure.c -------------------------------------------------------------------------- */

/* How far vertices go when a node turns by a radian or grows by one, about, one number a node; and
 * when a morph weight changes by one.
 */
graze_status grazei_rig_reaches(const graze_rig *rig, const graze_rig_cut *cut, double *reaches);
double grazei_rig_morph_reach(const graze_rig *rig);

/* The largest distance of a vertex from its place in the clip, over all frames and half way between
 * them, when the piece is played instead.
 */
graze_status grazei_rig_measure(const graze_rig *rig, const graze_rig_cut *cut,
                                graze_rig_clip *piece, double *largest);

#endif
