/* A finder of contacts and its working memory, which only grows.
 *
 * Pairs are sorted; each is turned into a segment (narrow/segment.h), and the edges that pass
 * through triangles are noted; pairs are joined to contacts (contact_join.c); and each contact is
 * measured, its depth from the inner parts that noted edges lead to (contact_inner.c).
 */
#ifndef GRAZEI_CONTACT_CONTACT_H
#define GRAZEI_CONTACT_CONTACT_H

#include "body/mask.h"
#include "body/patches.h"
#include "contact/table.h"
#include "model/topology.h"
#include "narrow/segment.h"

#include <graze/contact.h>

/* A contact as it is kept. */
typedef struct grazei_body_contact {
    float point[3], normal[3];
    float depth, length;
    uint32_t parts[2];
    uint32_t first, count; /* its meetings, in order, and its segments */
    bool closed;           /* the segments form closed curves */
    bool full_depth;       /* the depth is that of the whole inner parts */
} grazei_body_contact;

/* An edge that passes through triangles of the other side. What it meets first, seen from either
 * end, tells whether that end is behind the other surface.
 */
typedef struct grazei_passed_edge {
    uint32_t side;
    uint32_t welds[2]; /* ascending */
    int8_t behind[2];  /* either end: 1 behind what is next to it, -1 before it, 0 not certain */
    double next[2];    /* how far from either end that is, in lengths of the edge */
} grazei_passed_edge;

/* One crossing of a passed edge. */
typedef struct grazei_passing {
    uint32_t edge;
    uint32_t corners[2]; /* of the triangle that the pair has on the edge's side */
    double at;           /* from the edge's first weld to its second */
} grazei_passing;

/* A pair and where it meets. */
typedef struct grazei_meeting {
    graze_contact_segment segment;
    double ends[2][3]; /* the segment's before they are rounded: small curves need them */
    uint32_t contact;  /* first the pair it was joined to, then the number of its contact */
    uint32_t first_passing;
} grazei_meeting;

/* A connected inner part of one side. */
typedef struct grazei_inner {
    size_t first_point, point_count;
    uint32_t contact; /* that it was last counted for */
    float longest;    /* curve of a contact that it is behind */
    bool open;        /* it does not end, or is too large */
} grazei_inner;

/* What is known of a weld in this search, if the stamp is its. */
typedef struct grazei_weld_mark {
    uint32_t stamp;
    uint32_t inner; /* number of its inner part, or GRAZEI_TABLE_FREE */
    bool passed;    /* an edge from it passes through a triangle */
    bool before;    /* what is next to it on a passed edge is met from the front */
} grazei_weld_mark;

struct graze_contact_finder {
    graze_allocator allocator;
    graze_contact_finder_def def;
    const graze_model *models[2];
    grazei_topology own[2]; /* the second is empty if both models are one */
    const grazei_topology *topology[2];
    grazei_weld_mark *marks[2];
    double *part_weights[2]; /* zero between searches */
    bool closed[2];          /* what takes part of either body */
    uint32_t *masks[2];      /* the last ones that this was found for */
    bool mask_known[2], mask_closed[2];
    uint32_t stamp;

    graze_body *bodies[2];
    graze_stats *stats;
    bool taken; /* by a question whose callback runs, or one of a batch */

    graze_pair *pairs, *spare; /* the second for sorting */
    size_t pair_count, pair_capacity, spare_capacity;
    bool failed; /* out of memory in this search */

    grazei_meeting *meetings; /* one a pair, and one behind the last */
    size_t meeting_capacity;
    grazei_passing *passings;
    size_t passing_count, passing_capacity;
    grazei_passed_edge *edges;
    size_t edge_count, edge_capacity;
    grazei_table edge_table, weld_table;

    grazei_inner *inners;
    size_t inner_count, inner_capacity;
    float (*points)[3]; /* posed vertices of inner parts */
    size_t point_count, point_capacity;
    uint32_t *queue;
    size_t queue_capacity;

    uint32_t *order; /* meetings by contact */
    size_t order_capacity;
    graze_contact_segment *segments;
    size_t segment_capacity;
    grazei_body_contact *contacts;
    size_t contact_count, contact_capacity;
};

/* Makes room in one of the finder's arrays; false, and failed, when out of memory. */
#define GRAZEI_CONTACT_ROOM(finder, array, capacity, need)                                         \
    ((finder)->array = grazei_contact_grow(finder, (finder)->array, &(finder)->capacity, need,     \
                                           sizeof *(finder)->array),                               \
     !(finder)->failed)

static inline void *grazei_contact_grow(graze_contact_finder *finder, void *items, size_t *capacity,
                                        size_t need, size_t size)
{
    if (need <= *capacity)
        return items;
    void *larger = grazei_grow(&finder->allocator, items, capacity, need, size);
    finder->failed |= !larger;
    return larger ? larger : items;
}

/* A corner of a triangle that takes part as it is posed now; its patch is posed if need be. */
static inline const float *grazei_contact_corner(const grazei_topology *topology, graze_body *body,
                                                 uint32_t triangle, uint32_t corner,
                                                 graze_stats *stats)
{
    const uint32_t *slot = topology->slots[triangle];
    grazei_posed_patch patch = grazei_body_patch(body, slot[0], stats);
    ptrdiff_t first = patch.names - grazei_body_tree(body)->patch_triangles;
    return patch.points[grazei_body_model(body)->tree.corners[first + slot[1]][corner]];
}

/* Pair number i of a contact. */
static inline const grazei_meeting *grazei_contact_meeting(const graze_contact_finder *finder,
                                                           const grazei_body_contact *contact,
                                                           uint32_t i)
{
    return &finder->meetings[finder->order[contact->first + i]];
}

/* Errors for a finder that is NULL and for bodies that it is not for. */
graze_status grazei_contacts_check(const graze_contact_finder *finder, const graze_body *a,
                                   const graze_body *b, graze_error *error);

/* A search: open the finder, let it take all pairs that meet, close it. False: out of memory. */
void grazei_contacts_open(graze_contact_finder *finder, graze_body *a, graze_body *b);
bool grazei_contacts_take(graze_contact_finder *finder, const graze_pair *pairs, size_t count);
graze_status grazei_contacts_close(graze_contact_finder *finder, graze_stats *stats,
                                   graze_error *error);

/* Contact number i of those found last, as the caller gets it. */
graze_contact grazei_contacts_get(const graze_contact_finder *finder, uint32_t i);

/* Numbers the contacts, writes them to meetings and fills order, segments, and of each contact
 * first and count. False when out of memory.
 */
bool grazei_contact_join(graze_contact_finder *finder);

/* Starts noting edges for up to `pairs` pairs. False when out of memory. */
bool grazei_contact_start_edges(graze_contact_finder *finder, size_t pairs);

/* Notes the edges that pass in one pair. */
void grazei_contact_note_edges(graze_contact_finder *finder, graze_pair pair,
                               const grazei_segment *segment);

/* All pairs are noted. */
void grazei_contact_end_edges(graze_contact_finder *finder);

/* The depth of a contact whose segments, point and normal (given in double) are known; also sets
 * full_depth. Negative when out of memory.
 */
double grazei_contact_depth(graze_contact_finder *finder, uint32_t number, const double normal[3]);

/* Finds the inner parts behind a contact, whose length is known. For all of them, before depths.
 * False when out of memory.
 */
bool grazei_contact_claim(graze_contact_finder *finder, uint32_t number);

#endif
