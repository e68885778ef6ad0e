/* One candidate being decided, by one thread: what exact.c, volumes.c and inside.c find, and where
 * it goes.
 */
#ifndef GRAZEI_WORLD_ASK_H
#define GRAZEI_WORLD_ASK_H

#include "world/world.h"

typedef struct grazei_asked {
    graze_world *world;
    grazei_world_thread *own;
    grazei_candidate *candidate;
    uint32_t a, b; /* indices */
    graze_motion_rule motion;
    bool with_contacts;
    uint64_t last;           /* the last part that was put */
    size_t first_part, tidy; /* parts up to there are sorted, each once */
    size_t first_contact;
    bool out_of_memory;
} grazei_asked;

/* Part a of the first meets part b of the second. False: out of memory, and the question ends. */
bool grazei_put_part(grazei_asked *job, uint32_t a, uint32_t b);

/* The same with where they do, for a contact of each pair of parts. */
bool grazei_put_touch(grazei_asked *job, const graze_contact *touch);

/* A contact as it is between the two of the question. turned: its first is the second of these. */
static inline graze_contact grazei_turned_contact(const graze_contact *contact, bool turned)
{
    graze_contact to = *contact;
    for (int i = 0; i < 2; i++) {
        to.parts[i] = contact->parts[i ^ turned];
        to.triangles[i] = contact->triangles[i ^ turned];
    }
    for (int k = 0; k < 3; k++)
        to.normal[k] = turned ? 0 - contact->normal[k] : contact->normal[k];
    return to;
}

/* A contact of its own. */
bool grazei_put_contact(grazei_asked *job, const graze_contact *contact);

/* Sorts the parts, each once; makes contacts of touches, and sorts those. */
bool grazei_tidy_found(grazei_asked *job);

/* Decide: pairs and parts are put, and contacts where they are wanted. */
graze_status grazei_ask_triangles(grazei_asked *job, graze_error *error);
graze_status grazei_ask_volumes(grazei_asked *job, graze_error *error);
graze_status grazei_ask_shapes(grazei_asked *job, graze_error *error);

/* A body's triangles against a shape, which stands for part `part` of the other one. turned: the
 * shape belongs to the first.
 */
graze_status grazei_ask_touch(grazei_asked *job, graze_body *body, const graze_shape *shape,
                              uint32_t part, bool turned, graze_error *error);

/* Whether one of them lies inside the other, which is solid, if their surfaces do not meet. */
graze_status grazei_ask_inside(grazei_asked *job, bool *inside, graze_error *error);

/* When they first met on the way, if they did not at the update before; where they do not now,
 * passes, and the part and contact of then.
 */
graze_status grazei_ask_on_the_way(grazei_asked *job, graze_error *error);

/* The thread's finder of contacts between bodies of two models, by their numbers. */
graze_status grazei_find_finder(grazei_asked *job, uint32_t model_a, uint32_t model_b,
                                graze_contact_finder **finder, graze_error *error);

#endif
