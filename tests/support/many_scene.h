/* Some bodies through each other, and many questions of every kind about them that
 * graze/threads.h takes: alone, one after the other by the plain query, and many at once.
 */
#ifndef GRAZE_TESTS_SUPPORT_MANY_SCENE_H
#define GRAZE_TESTS_SUPPORT_MANY_SCENE_H

#include "support/answers.h"
#include "support/variants.h"

enum {
    MANY_BODIES = 6,
    MANY_PAIRS = MANY_BODIES * (MANY_BODIES - 1) / 2,
    MANY_SWEEPS = MANY_PAIRS + MANY_BODIES,
    MANY_RAYS = 700,
    MANY_SHAPES = 60,
    MANY_POINTS = 150
};

/* Bodies through each other in a row, and questions about them. */
typedef struct many_scene {
    variants all; /* the twins are where the bodies move to */
    graze_body_pair pairs[MANY_PAIRS];
    double limits[MANY_PAIRS];
    graze_contacts *finders[MANY_PAIRS];
    graze_motion motions[MANY_BODIES];
    graze_motion_pair sweeps[MANY_SWEEPS];
    graze_ray rays[MANY_RAYS];
    graze_body_ray body_rays[MANY_RAYS];
    graze_body_shape shapes[MANY_SHAPES];
    float points[MANY_POINTS][3];
    answers *to;    /* what callbacks write to */
    bool inside;    /* one is */
    uint32_t calls; /* of them; at call `stop` one says stop, 0: never */
    uint32_t stop;
} many_scene;

/* Bodies as they are posed, nothing computed yet. Close it even after a failure. */
bool many_scene_open(many_scene *s);
void many_scene_close(many_scene *s);
void many_scene_drop_caches(many_scene *s);

/* A kind of question. Both ways write their answers to s->to, in order unless it reports. */
typedef struct many_kind {
    const char *name;
    void (*alone)(many_scene *s);
    graze_status (*many)(many_scene *s, graze_pool *pool, graze_stats *stats, graze_error *error);
    bool reports; /* to a callback, so in any order */
} many_kind;

enum {
    MANY_SELF,
    MANY_SELF_FIRST,
    MANY_CAST,
    MANY_CAST_EACH,
    MANY_DISTANCE,
    MANY_CONTACTS,
    MANY_SWEEP,
    MANY_SHAPE,
    MANY_SHAPE_FIRST,
    MANY_POINT,
    MANY_KINDS
};

extern const many_kind many_kinds[MANY_KINDS];

/* The answers of one thread, sorted where the kind reports. */
void many_scene_expect(many_scene *s, answers expected[MANY_KINDS]);
void many_free_answers(answers lists[MANY_KINDS]);

/* Asks every kind over a pool, of cold bodies and of warm ones, and compares. */
void many_scene_check(many_scene *s, graze_pool *pool, const answers expected[MANY_KINDS],
                      const char *name);

/* All that a finder holds. */
uint64_t many_hash_contacts(const graze_contacts *found);

#endif
