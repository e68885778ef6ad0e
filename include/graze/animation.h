/* Animation for programs without an animation system of their own: local transforms of a rig's
 * nodes, clips blended by weight, and a player that starts clips, fades between them and says how
 * far the root has come.
 *
 *     graze_rig_player player = {0};
 *     graze_rig_player_start(&player, rig, walk, 0, NULL);
 *     ...
 *     graze_rig_player_start(&player, rig, run, 0.3, NULL);    fades within 0.3 seconds
 *     graze_rig_player_advance(&player, rig, 1 / 60.0);        every frame
 *     graze_rig_player_locals(&player, rig, locals, weights, NULL);
 *     graze_rig_compose(rig, locals, joints, NULL);
 *
 * Everything here is plain data of the caller's; functions allocate only where they say so.
 *
 * Standing: experimental; all of it may change in any version.
 */
#ifndef GRAZE_ANIMATION_H
#define GRAZE_ANIMATION_H

#include <graze/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where a node is with respect to its parent: T R S. A node whose file gives a matrix instead keeps
 * the matrix, whatever its transform says.
 */
typedef struct graze_rig_local {
    double translation[3];
    double rotation[4]; /* quaternion x y z w, unit */
    double scale[3];
} graze_rig_local;

/* One clip in a blend. */
typedef struct graze_rig_layer {
    uint32_t clip; /* GRAZE_NONE: the rest pose, as the file has it without a clip */
    double time;   /* seconds */
    double weight; /* finite, not negative; weights are scaled to sum 1 */
} graze_rig_layer;

/* Samples a clip into one transform per node and one weight per morph target; either may be NULL.
 * Errors are those of graze_rig_sample, and with graze_rig_compose it gives the same joints bit for
 * bit.
 */
graze_status graze_rig_sample_locals(const graze_rig *rig, uint32_t clip, double time,
                                     graze_rig_local *locals, float *morph_weights,
                                     graze_error *error);

/* Blends clips: translations, scales and morph weights by weighted mean, rotations by the
 * normalised weighted sum, each on the side of the first that has a weight. One layer is that
 * layer's sample. Either output may be NULL. Takes memory for the time of the call.
 *
 *   - At least one layer, at least one weight above 0, none negative.
 *   - Every clip is one of the rig's, or GRAZE_NONE.
 */
graze_status graze_rig_blend(const graze_rig *rig, const graze_rig_layer *layers, uint32_t count,
                             graze_rig_local *locals, float *morph_weights, graze_error *error);

/* From local transforms to 12 floats per joint (3 rows of 4), as graze_rig_sample writes them.
 * Takes memory for the time of the call. GRAZE_BAD_INPUT also if a joint's or parent's number is
 * out of range, or nodes form a cycle.
 */
graze_status graze_rig_compose(const graze_rig *rig, const graze_rig_local *locals, float *joints,
                               graze_error *error);

/* ---- playing -------------------------------------------------------------------------------- */

#define GRAZE_RIG_PLAYER_LAYERS 4

/* A clip that plays. */
typedef struct graze_rig_playing {
    uint32_t clip;
    double time;
    double weight; /* 0 to 1 */
    double rate; /* of the weight, a second: above 0 while it fades in, below while it fades out */
} graze_rig_playing;

/* Zero: nothing plays; clips loop as fast as they were recorded. The first five may change at any
 * time.
 */
typedef struct graze_rig_player {
    double speed;    /* of time; 0: 1, as recorded; below 0 goes backwards */
    bool paused;     /* true: time does not advance, whatever speed says */
    bool once;       /* true: clips stay at their end; false: they start again */
    bool take_root;  /* true: the motion of `root` goes to `moved` instead of the pose */
    uint32_t root;   /* a node */
    double moved[3]; /* how far the root went in the last advance, in its parent's frame */
    uint32_t count;
    graze_rig_playing playing[GRAZE_RIG_PLAYER_LAYERS]; /* the newest last */
} graze_rig_player;

/* Starts a clip at its beginning (at its end if speed is below 0) and fades from what plays now
 * within so many seconds, 0: at once. With more than GRAZE_RIG_PLAYER_LAYERS clips the oldest goes.
 */
graze_status graze_rig_player_start(graze_rig_player *player, const graze_rig *rig, uint32_t clip,
                                    double fade, graze_error *error);

/* Advances by so many seconds (finite, not negative), times the speed. Clips loop or stop at their
 * ends, and weights fade. `moved` becomes how far the root went: the weighted mean over the clips,
 * whole rounds of a loop included.
 */
graze_status graze_rig_player_advance(graze_rig_player *player, const graze_rig *rig,
                                      double seconds, graze_error *error);

/* The blend of what plays: the pose the file stands in where nothing does. With a root, that node
 * stays at its rest translation, and the caller moves the body by `moved`. Outputs as in
 * graze_rig_blend.
 */
graze_status graze_rig_player_locals(const graze_rig_player *player, const graze_rig *rig,
                                     graze_rig_local *locals, float *morph_weights,
                                     graze_error *error);

/* ---- cutting -------------------------------------------------------------------------------- */

/* A piece of a clip. */
typedef struct graze_rig_cut {
    uint32_t clip;  /* GRAZE_NONE: nothing moves */
    double from;    /* the clip's time, seconds, that comes to be 0; anywhere: a clip holds its end
                       values before its first key and after its last */
    double seconds; /* how long; 0 or more, below 1e6 */
    double fps;     /* frames per second, above 0, at most 1e7 frames in all */
    double tolerance; /* how far a vertex may be off, in the rig's units; 0 or more */
} graze_rig_cut;

/* Cuts a piece out of a clip and leaves out every key that is not needed: at each frame, and half
 * way between two, no vertex is off by more than the tolerance and what floats lose. *largest,
 * which may be NULL, is by how far one is at most, over all those times. The piece has times from 0
 * to `seconds`, keys at both ends, LINEAR or STEP channels alone (curves get keys at all those
 * times before some are left out), and one channel for all morph weights if any is animated; none
 * at all without a clip. Free it by graze_rig_clip_destroy, with the same rig. Guarantee: measured
 * on linear skinning of all vertices.
 *   - Errors are those of graze_rig_sample, and a cut with numbers out of range.
 */
graze_status graze_rig_cut_clip(const graze_rig *rig, const graze_rig_cut *cut,
                                graze_rig_clip **piece, double *largest, graze_error *error);

/* Frees a piece that was cut out of a clip of this rig. NULL is fine. */
void graze_rig_clip_destroy(const graze_rig *rig, graze_rig_clip *piece);

#ifdef __cplusplus
}
#endif

#endif
