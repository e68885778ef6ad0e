/* The plan of a character: joints, shapes and motion, as tables a person can read and edit.
 *
 * A row whose name ends in ".L" (or a shape marked mirrored) stands for both sides: its twin is
 * made by negating x.
 */
#ifndef GRAZE_SCENES_PLAN_H
#define GRAZE_SCENES_PLAN_H

#include "scenes/pool.h"
#include "scenes/vector.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GRAZEI_SYNTH_MAX_JOINTS = 64,
    GRAZEI_SYNTH_MAX_SHAPES = 192,
    GRAZEI_SYNTH_MAX_MODES = 16,
    GRAZEI_SYNTH_NAME = 24
};

/* A joint and the tapered capsule that claims skin for it. */
typedef struct grazei_synth_joint_row {
    const char *name;
    const char *parent; /* NULL for the root, which comes first; parents stand above children */
    grazei_vec at, tail;
    double radius, tail_radius;
} grazei_synth_joint_row;

/* One piece of flesh: a tapered capsule from a to b, flattened along one direction, or a box with
 * round edges. Added to (or carved out of) the rows above it with a smooth transition.
 */
typedef struct grazei_synth_shape_row {
    grazei_vec a, b;
    double a_radius, b_radius;
    double blend;         /* width of the transition, metres */
    grazei_vec flat_axis; /* unit; zero: round */
    double flat;          /* thickness along flat_axis, relative to the radius */
    grazei_vec half;      /* not zero: a box around a, this far to each side, edges of a_radius */
    uint32_t flags;
} grazei_synth_shape_row;

enum { GRAZEI_SYNTH_MIRRORED = 1, GRAZEI_SYNTH_CARVED = 2 };

/* Rows of a shape table: flags, blend, then radius and place of both ends. FLAT adds the direction
 * in which the shape is thinner and by how much; BALL is a single sphere; BOX has the radius of its
 * edges, its middle and half its size.
 */
#define ROUND(flags, blend, ar, ax, ay, az, br, bx, by, bz)                                        \
    {                                                                                              \
        {ax, ay, az}, {bx, by, bz}, ar, br, blend, {0, 0, 0}, 1, {0, 0, 0}, flags                  \
    }
#define FLAT(flags, blend, ar, ax, ay, az, br, bx, by, bz, nx, ny, nz, thickness)                  \
    {                                                                                              \
        {ax, ay, az}, {bx, by, bz}, ar, br, blend, {nx, ny, nz}, thickness, {0, 0, 0}, flags       \
    }
#define BALL(flags, blend, r, x, y, z) ROUND(flags, blend, r, x, y, z, r, x, y, z)
#define BOX(flags, blend, r, x, y, z, hx, hy, hz)                                                  \
    {                                                                                              \
        {x, y, z}, {x, y, z}, r, r, blend, {0, 0, 0}, 1, {hx, hy, hz}, flags                       \
    }
enum { ONE = 0, BOTH = GRAZEI_SYNTH_MIRRORED, CARVE = GRAZEI_SYNTH_CARVED };

/* Rows of a joint table: name, parent, then place and radius of both ends of its capsule. */
#define JOINT(name, parent, x, y, z, r, tx, ty, tz, tr)                                            \
    {                                                                                              \
        name, parent, {x, y, z}, {tx, ty, tz}, r, tr                                               \
    }
#define COUNT_OF(rows) (sizeof(rows) / sizeof *(rows))

/* Parts of a plan: the tables of its file, which are called so. */
#define JOINTS .joints = joints, .joint_count = COUNT_OF(joints)
#define SHAPES .shapes = shapes, .shape_count = COUNT_OF(shapes)
#define LEGS .legs = legs, .leg_count = COUNT_OF(legs)
#define CLIPS .clips = clips, .clip_count = COUNT_OF(clips)

/* One motion of one joint: mean + amplitude x sine(cycles x time / seconds + phase). Axis 'x' 'y'
 * 'z' turns about it, in degrees (z first, then y, then x, in the parent's frame); 'X' 'Y' 'Z'
 * moves along it, in metres; 't' twists about its own bone, in degrees, after the legs have
 * stepped. Rows add up. A joint "tail.*" means tail.1, tail.2 ..., each later in phase by lag. The
 * twin of a ".L" row is half a period behind.
 */
typedef struct grazei_synth_track_row {
    const char *joint;
    char axis;
    double mean, amplitude, phase, lag;
    double cycles; /* whole number */
} grazei_synth_track_row;

enum { GRAZEI_SYNTH_MAX_KEYS = 10 };

/* One motion of one joint through values at the clip's key times, smooth between them. Axes as in a
 * track, but for 't'.
 */
typedef struct grazei_synth_key_row {
    const char *joint; /* ".L" here means that side alone, unless both is set */
    char axis;
    bool both; /* the twin does the same, mirrored */
    double values[GRAZEI_SYNTH_MAX_KEYS];
} grazei_synth_key_row;

/* A clip that does not loop, or has more to tell than sines can. Nothing of it goes into the
 * ground: the root is lifted where something would.
 */
typedef struct grazei_synth_keys {
    uint32_t count;                      /* of times and of each row's values; at least 2 */
    double times[GRAZEI_SYNTH_MAX_KEYS]; /* ascending, from 0 to the clip's seconds */
    const grazei_synth_key_row *rows;
    uint32_t row_count;
    bool loops; /* goes smoothly on from its last key, equal to the first */
    /* how far the legs follow their feet, which stand or step, 1, or their own rows, 0 */
    double left[GRAZEI_SYNTH_MAX_KEYS], right[GRAZEI_SYNTH_MAX_KEYS];
} grazei_synth_keys;

/* A leg that steps: two bones bend so that its end goes where the foot's path wants it. */
typedef struct grazei_synth_leg_row {
    const char *upper, *lower;
    const char *middle; /* a joint between lower and foot, or NULL */
    const char *foot;
    const char *toes[2];             /* stay flat while the heel rises; may be NULL */
    grazei_vec ball, heel;           /* of the sole, at rest */
    double phase;                    /* of the foot's landing, in strides */
    double foot_pitch, middle_pitch; /* degrees, at push-off */
} grazei_synth_leg_row;

typedef struct grazei_synth_clip_row {
    const char *name;
    double seconds; /* of one stride */
    uint32_t steps; /* keys are steps + 1, the last equal to the first */
    double stride;  /* metres a stride goes; 0: the feet stand */
    double lift;    /* of the foot in mid swing, metres */
    double narrow;  /* how much nearer to the middle than at rest the feet step, metres */
    const grazei_synth_track_row *tracks;
    uint32_t track_count;
    double stands; /* part of the stride in which a foot is on the ground; 0: 0.62, a walk */
    const grazei_synth_keys *keys; /* NULL: the clip is its tracks alone */
} grazei_synth_clip_row;

/* One motion of one weight: mean + amplitude x sine(cycles x time / seconds + phase). Rows of a
 * mode add up.
 */
typedef struct grazei_synth_weight_row {
    uint32_t mode;
    double mean, amplitude, phase;
    double cycles; /* whole number */
} grazei_synth_weight_row;

/* Displacement fields, which become morph targets, and the clip that plays them. */
typedef struct grazei_synth_modes {
    uint32_t count;
    grazei_vec (*displace)(uint32_t mode, grazei_vec at); /* at weight 1, metres */
    const char *clip;
    double seconds;
    uint32_t steps; /* keys are steps + 1, the last equal to the first */
    const grazei_synth_weight_row *weights;
    uint32_t weight_count;
} grazei_synth_modes;

/* A joint of a key pose: turned by degrees about z first, then y, then x, from rest. */
typedef struct grazei_synth_turn_row {
    uint32_t pose;
    const char *joint; /* one side only */
    grazei_vec degrees;
} grazei_synth_turn_row;

enum { GRAZEI_SYNTH_AT_REST = UINT32_MAX };

/* A clip through key poses, or the rest pose, all as far apart in time. */
typedef struct grazei_synth_morph_row {
    const char *clip;
    double seconds; /* from one to the next */
    uint32_t pose_count;
    uint32_t poses[GRAZEI_SYNTH_MAX_KEYS];
} grazei_synth_morph_row;

/* Key poses, which become morph targets, and the clips that go through them. */
typedef struct grazei_synth_morphing {
    uint32_t pose_count;
    const grazei_synth_turn_row *turns;
    uint32_t turn_count;
    const grazei_synth_morph_row *clips;
    uint32_t clip_count;
} grazei_synth_morphing;

struct grazei_synth_mesh; /* of lattice.h */

typedef struct grazei_synth_plan {
    const char *name, *description;
    uint32_t triangles; /* by default */
    double cell;        /* lattice spacing that still separates fingers, metres */
    uint32_t handles;   /* of the closed surface: 0 for a body, one for each hole through it */
    /* Makes a mesh of about so many triangles, arrays from the pool, instead of the shapes; false
     * when out of memory. NULL: from the shapes.
     */
    bool (*make)(uint32_t triangles, grazei_synth_pool *pool, struct grazei_synth_mesh *mesh);
    const grazei_synth_joint_row *joints;
    uint32_t joint_count;
    const grazei_synth_shape_row *shapes;
    uint32_t shape_count;
    const grazei_synth_leg_row *legs;
    uint32_t leg_count;
    const grazei_synth_clip_row *clips;
    uint32_t clip_count;
    const grazei_synth_modes *modes;       /* NULL: none */
    const grazei_synth_morphing *morphing; /* NULL: none */
} grazei_synth_plan;

extern const grazei_synth_plan grazei_synth_man;
extern const grazei_synth_plan grazei_synth_player;
extern const grazei_synth_plan grazei_synth_creature;
extern const grazei_synth_plan grazei_synth_dwarf;
extern const grazei_synth_plan grazei_synth_curtain;
extern const grazei_synth_plan grazei_synth_chair;
extern const grazei_synth_plan grazei_synth_ball;
extern const grazei_synth_plan grazei_synth_robot;
extern const grazei_synth_plan grazei_synth_robot_skinned;
extern const grazei_synth_plan grazei_synth_man_morphing;
extern const grazei_synth_plan grazei_synth_fish;
extern const grazei_synth_plan grazei_synth_bridge;

/* What the player does; his body is the man's. */
enum { GRAZEI_SYNTH_PLAYER_CLIPS = 7 };
extern const grazei_synth_clip_row grazei_synth_player_clips[GRAZEI_SYNTH_PLAYER_CLIPS];

/* The plan of a graze_synth_kind, or NULL. */
const grazei_synth_plan *grazei_synth_plan_of(uint32_t kind);

/* A joint with its twin made and its parent found. */
typedef struct grazei_synth_joint {
    char name[GRAZEI_SYNTH_NAME];
    uint32_t parent; /* below its own index; UINT32_MAX for the root */
    grazei_vec at, tail;
    double radius, tail_radius;
} grazei_synth_joint;

typedef struct grazei_synth_skeleton {
    grazei_synth_joint joints[GRAZEI_SYNTH_MAX_JOINTS];
    uint32_t count;
} grazei_synth_skeleton;

/* The plan's joints: the rows in order, then the twins of the ".L" rows in order. */
void grazei_synth_expand(const grazei_synth_plan *plan, grazei_synth_skeleton *skeleton);

/* The joint of that name, or UINT32_MAX. */
uint32_t grazei_synth_joint_index(const grazei_synth_skeleton *skeleton, const char *name);

/* Whether name ends in ".L"; twin (of GRAZEI_SYNTH_NAME chars, may be NULL) gets it with ".R". */
bool grazei_synth_has_twin(const char *name, char *twin);

/* v with x negated. */
static inline grazei_vec grazei_synth_mirror(grazei_vec v)
{
    return vec_make(-v.x, v.y, v.z);
}

#endif
