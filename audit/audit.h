/* Clip audit: where does an animation go through itself, with which parts, in which frames, how
 * deep.
 *
 *     graze_audit_subject_create(&def, &subject, &error);          once a model
 *     graze_audit_clip(subject, clip, &settings, NULL, &result, &error);   once a clip
 *
 * A clip of a subject is one piece of work. Its result depends on nothing else, not even on the
 * number of threads: results can be computed anywhere, in any order, written down and put together
 * later. docs/audit.md says what counts and what depth means.
 *
 * Built on the public headers alone. Names are UTF-8. Everything is experimental.
 */
#ifndef GRAZE_AUDIT_H
#define GRAZE_AUDIT_H

#include <graze/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what is audited ------------------------------------------------------------------------ */

/* A model with its parts, ready for any number of clips. Never changes: threads may share it. */
typedef struct graze_audit_subject graze_audit_subject;

/* Which parts fold, besides a part with itself: each takes in those before it. */
typedef enum graze_audit_kin {
    GRAZE_AUDIT_PARENTS = 0,     /* whose joints are parent and child: elbows, knees */
    GRAZE_AUDIT_SIBLINGS = 1,    /* whose joints have the same parent: groins */
    GRAZE_AUDIT_GRANDPARENTS = 2 /* with one joint between them: armpits */
} graze_audit_kin;

typedef struct graze_audit_def {
    const graze_rig *rig;     /* both must outlive the subject */
    const graze_model *model; /* of the rig; its rest pose is the baseline "rest" */

    /* A part for each triangle, below part_count, and the parts' names, all different. Copied. */
    const uint32_t *part_of;
    const char *const *names;
    uint32_t part_count;

    /* The part of each joint of the rig, or GRAZE_NONE, and the joint around each, or GRAZE_NONE:
     * two parts fold where a joint of one is so near kin to a joint of the other. NULL: a part
     * folds with itself alone.
     */
    const uint32_t *joint_parts;
    const uint32_t *joint_parents;
    graze_audit_kin kin;
} graze_audit_def;

/* *subject is set on success only. GRAZE_BAD_INPUT names a part that is not there. Takes about a
 * microsecond a triangle. Memory comes from the rig's allocator.
 */
graze_status graze_audit_subject_create(const graze_audit_def *def, graze_audit_subject **subject,
                                        graze_error *error);
void graze_audit_subject_destroy(graze_audit_subject *subject);

/* ---- how ------------------------------------------------------------------------------------ */

typedef enum graze_audit_baseline {
    GRAZE_AUDIT_REST = 0, /* what meets in the model's rest pose does not count */
    GRAZE_AUDIT_POSE = 1, /* what meets in a pose of a clip does not */
    GRAZE_AUDIT_NONE = 2  /* everything counts */
} graze_audit_baseline;

typedef struct graze_audit_settings {
    double fps; /* 0: 30. Frame k is at k / fps, for every k with k / fps <= the clip's length */
    graze_audit_baseline baseline;
    uint32_t baseline_clip; /* of GRAZE_AUDIT_POSE; GRAZE_NONE: the pose in which the file stands */
    double baseline_time;
    double min_depth;    /* findings that are nowhere so deep are left out; file units */
    uint32_t min_frames; /* findings of fewer frames are left out */
    uint32_t gap;        /* stretches with at most so many frames between them are one */
    bool hints;          /* fill the findings' hints */
    bool continuous;     /* also what meets between two frames, and in neither of them */
    void (*progress)(void *user, uint32_t frames); /* so many more are done; by any thread, one at
                                                      a time. NULL: nobody is told */
    void *user;
} graze_audit_settings;

/* How many frames the clip has. GRAZE_NONE: 1, the pose in which the file stands. */
uint32_t graze_audit_frames(const graze_rig *rig, uint32_t clip, double fps);

/* ---- what was found ------------------------------------------------------------------------- */

/* The frame in which a finding is deepest; of equals the first. */
typedef struct graze_audit_worst {
    uint32_t frame;
    double time;    /* in the clip, seconds */
    uint32_t pairs; /* of triangles */
    float depth;    /* how far the farthest point of what is inside is behind the other surface */
    float point[3]; /* that point, where it is in this frame */
    float rest[3];  /* the same point of the surface, in the pose in which the file stands */
    bool open;      /* the depth is a lower bound */
} graze_audit_worst;

/* Above this many degrees no turn is tried. */
#define GRAZE_AUDIT_MOST_DEGREES 45

/* The smallest turn found, of one joint in the worst frame, that takes the two parts out of each
 * other without making any other two parts that are no fold meet, meet deeper, or in clearly more
 * pairs (a tenth and one). The joint's rotation R becomes R times the turn: the axis is the joint's
 * own. Tried are the joint of either part and those above it, up to the one that both have in
 * common, but none whose node has a matrix; each about its axes x, y and z and about those along
 * which the parts come apart the straightest.
 */
typedef struct graze_audit_hint {
    char *joint; /* its node's name; NULL: there is no hint */
    uint32_t node;
    float axis[3]; /* unit */
    float degrees; /* not 0; below 0: the other way round */
} graze_audit_hint;

/* A stretch of frames in which two parts meet; or, between two frames in neither of which they do,
 * the moment at which they first meet, as every vertex goes straight from one to the other: the
 * time is that of graze_sweep_all, and so conservative. What only comes near does not count, as far
 * as doubles can tell: to 1e-9 of a triangle's size.
 */
typedef struct graze_audit_finding {
    const char *parts[2]; /* in the order of their bytes */
    bool fold;            /* the parts are one, or their joints are near kin */
    bool between;         /* from and to are the two frames around the moment, which is worst: its
                             frame is from, its depth 0, and open. min_depth and min_frames keep it */
    uint32_t from, to;    /* first and last frame */
    uint64_t pairs;       /* of triangles, summed over the frames; or that meet between them */
    graze_audit_worst worst;
    graze_audit_hint hint; /* of what is in frames and no fold, with settings.hints */
} graze_audit_finding;

/* Of one clip, sorted by parts, then from. */
typedef struct graze_audit_result {
    uint32_t frames; /* that were looked at */
    graze_audit_finding *findings;
    size_t count;
    graze_allocator allocator; /* of findings and of the names in them */
    char *names;
} graze_audit_result;

/* Audits one clip, or with GRAZE_NONE the pose in which the file stands. Frames are spread over the
 * threads of the pool (NULL: the calling thread does all); the result is the same.
 *   - *result is set on success only, to be freed by graze_audit_result_free.
 *   - GRAZE_BAD_INPUT names a frame whose pose is not finite; GRAZE_OUT_OF_MEMORY.
 */
graze_status graze_audit_clip(const graze_audit_subject *subject, uint32_t clip,
                              const graze_audit_settings *settings, graze_pool *pool,
                              graze_audit_result *result, graze_error *error);

/* A node's rotation (quaternion x y z w) turned about a unit axis of its own, as a hint has it. */
void graze_audit_turn(const double rotation[4], const double axis[3], double degrees,
                      double turned[4]);

/* Frees what is in it. One of zeros is fine. */
void graze_audit_result_free(graze_audit_result *result);

#ifdef __cplusplus
}
#endif

#endif
