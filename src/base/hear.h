/* A listener hears of every call that changes a body or asks something: ext/record writes them
 * down.
 *
 * While nobody listens a call pays for one relaxed load and a branch. What the core tells is all
 * here; it knows nothing of what becomes of it.
 */
#ifndef GRAZEI_BASE_HEAR_H
#define GRAZEI_BASE_HEAR_H

#include <graze/base.h>

#include <stdatomic.h>

struct graze_body;
struct graze_model;
struct graze_pose;
struct grazei_call;

typedef enum grazei_change_kind {
    GRAZEI_TAKES_POSE,      /* by graze_body_set_pose */
    GRAZEI_TAKES_WEIGHTS,   /* by graze_body_set_morph_weights */
    GRAZEI_TAKES_POSITIONS, /* by graze_body_set_positions */
    GRAZEI_TAKES_MASK,      /* by graze_body_set_part_mask */
    GRAZEI_DROPS_CACHES,    /* by graze_body_drop_caches */
    GRAZEI_TAKES_OTHERS,    /* another body's pose: look at it when it is asked next */
    GRAZEI_IS_FREED         /* before that */
} grazei_change_kind;

/* What a body is about to become: its arguments are checked. Unused fields are zero. */
typedef struct grazei_change {
    grazei_change_kind kind;
    const struct graze_pose *pose;
    const float *weights;
    bool coherent;
    const void *positions;
    size_t stride;
    const uint32_t *mask; /* NULL: all parts */
} grazei_change;

/* Kept of a question from before it is asked until it is answered. */
typedef struct grazei_heard grazei_heard;
struct grazei_heard {
    /* Items of a list, as they are found; go_on: the receiver wants more. The list is locked. */
    void (*take)(grazei_heard *heard, const void *items, size_t count, bool go_on);
    /* The last that is heard of it: it frees *heard. */
    void (*answered)(grazei_heard *heard, const struct grazei_call *call);
    graze_status status; /* of the answer */
};

/* Any thread may call any of these. */
typedef struct grazei_listener {
    /* A checked question is about to be asked. whole: without a budget. NULL: it is not heard. */
    grazei_heard *(*asks)(const struct grazei_call *call, bool whole);
    void (*changes)(struct graze_body *body, const grazei_change *change);
    void (*frees)(const struct graze_model *model);
} grazei_listener;

/* Kept in each body and model for the listener. */
typedef struct grazei_known {
    uint32_t session, number;
    bool changed;
} grazei_known;

extern _Atomic(const grazei_listener *) grazei_the_listener;

/* NULL: nobody, as always where code travels. */
static inline const grazei_listener *grazei_listening(void)
{
#if defined(GRAZE_SMALL)
    return NULL;
#endif
    return atomic_load_explicit(&grazei_the_listener, memory_order_relaxed);
}

static inline void grazei_tell_change(struct graze_body *body, grazei_change change)
{
    const grazei_listener *listener = grazei_listening();
    if (__builtin_expect(listener != NULL, 0))
        listener->changes(body, &change);
}

#endif
