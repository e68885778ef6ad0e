/* Where answers of a list go: the caller's array or callback, whichever of the five types of list
 * it is. They have one layout.
 */
#ifndef GRAZEI_ASK_LISTS_H
#define GRAZEI_ASK_LISTS_H

#include "base/hear.h"
#include "base/threads.h"
#include "query/take.h"

#include <graze/contact.h>
#include <graze/ray.h>
#include <graze/sweep.h>
#include <graze/touch.h>

typedef enum grazei_list_kind {
    GRAZEI_NO_LIST,
    GRAZEI_PAIRS,
    GRAZEI_HITS,
    GRAZEI_TRIANGLES,
    GRAZEI_CONTACTS,
    GRAZEI_IMPACTS
} grazei_list_kind;

/* A list that is being filled, perhaps by several threads. */
typedef struct grazei_sink {
    void *list;
    bool any;             /* one answer is enough */
    grazei_lock *lock;    /* held around every use of the list; NULL: one thread fills it */
    atomic_bool *stopped; /* the caller has had enough, where several threads fill it; or NULL */
    graze_contact_finder *finder; /* takes the pairs instead, to make contacts of them */
    grazei_heard *heard;          /* by a listener; or NULL */
} grazei_sink;

/* Empties a list. Errors for one that is NULL, has no array for its capacity, or has both an array
 * and a callback.
 */
graze_status grazei_list_open(void *list, grazei_list_kind kind, graze_error *error);

/* Empties a list again. */
void grazei_list_clear(void *list);

/* Take answers; user is a grazei_sink. False: no more are wanted. */
bool grazei_take_pairs(void *user, const graze_pair *pairs, size_t count);
bool grazei_take_hits(void *user, const graze_hit *hits, size_t count);
bool grazei_take_triangles(void *user, const uint32_t *triangles, size_t count);
bool grazei_take_contacts(void *user, const graze_contact *contacts, size_t count);
bool grazei_take_impacts(void *user, const graze_impact *impacts, size_t count);

/* Between these no other thread uses the list. enter is false where the caller has had enough. */
bool grazei_sink_enter(grazei_sink *sink);
bool grazei_sink_leave(grazei_sink *sink, bool go_on);

#endif
