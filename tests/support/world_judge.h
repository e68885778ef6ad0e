/* Who of two things in a world meets whom, with which parts and where: by brute force over all
 * triangles and volumes, to judge events by.
 */
#ifndef GRAZE_TESTS_SUPPORT_WORLD_JUDGE_H
#define GRAZE_TESTS_SUPPORT_WORLD_JUDGE_H

#include "deform/bound.h"

#include <graze/ext/world.h>
#include <graze/graze.h>

enum { JUDGE_PARTS = 512, JUDGE_CONTACTS = 1024, JUDGE_TOUCHES = 4096 };

/* A body or, where that is NULL, a shape. */
typedef struct judge_thing {
    graze_body *body;
    graze_shape shape;
    const graze_hitboxes *fit;
    const graze_capsule *volumes; /* of the fit, if other than in the body's pose; else NULL */
    bool solid;
    grazei_bound box; /* of a body, as a world finds it */
} judge_thing;

typedef struct meeting {
    bool meets, inside;
    uint64_t pairs;
    uint32_t part_count;
    graze_pair parts[JUDGE_PARTS];
    uint32_t contact_count;
    graze_contact contacts[JUDGE_CONTACTS];
} meeting;

/* Finds the box of a body that was just posed. */
void judge_find_box(judge_thing *thing);

/* What is expected of two at a level, now; contacts if they are wanted. */
void judge_meeting(const judge_thing *a, const judge_thing *b, graze_level level, bool contacts,
                   meeting *m);

/* Whether two shapes meet: boxes by their meshes, capsules by their ends, round ones by the query
 * that is tested for them.
 */
bool judge_shapes_meet(const graze_shape *a, const graze_shape *b);

/* Whether an event says the same: parts and contacts too, bit for bit but for contacts of two
 * bodies when `turned` may be: those are compared to a rounding.
 */
bool judge_agrees(const graze_world_event *event, const meeting *m);

/* The two events say the same to the last bit, but for ids. */
bool judge_same(const graze_world_event *x, const graze_world_event *y);

#endif
