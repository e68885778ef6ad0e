/* Contacts: where two bodies meet, which way apart, how deep, and which body parts are involved.
 *
 *     graze_contacts_create(model_a, model_b, NULL, &contacts, &error);
 *     graze_contacts_find(contacts, a, b, &stats, &error);
 *     for (uint32_t i = 0; i < graze_contacts_count(contacts); i++)
 *         respond(graze_contacts_get(contacts, i));
 *
 * Surfaces that meet do so along curves. Every pair of triangles that meets contributes a segment,
 * and segments that hang together are one contact. Two pairs hang together if their triangles of a
 * share a vertex (by position at rest) and so do their triangles of b: two fists on one wall are
 * two contacts, a closed curve is one. A body wholly inside the other has none.
 *
 * Guarantee: the pairs are exact and every pair is in one contact. Ends of segments are within one
 * rounding to float, plus 2^-28 of the edge they lie on, of points that both triangles have in
 * common. Point, normal and depth are as defined below, up to rounding. All are the same bits for
 * every tree and instruction set.
 *
 * The front of a triangle is where its corners run counter-clockwise, and is taken for the outside:
 * a pose that mirrors a body turns it inside out.
 */
#ifndef GRAZE_CONTACT_H
#define GRAZE_CONTACT_H

#include <graze/query.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Finds contacts between bodies of two models, and holds those found last. By one thread at a time.
 */
typedef struct graze_contacts graze_contacts;

typedef struct graze_contacts_def {
    const graze_allocator *allocator; /* NULL: the first model's */
    bool split_by_group; /* pairs of different body parts never hang together: a contact is of one
                            pair of parts, as Macagon & Wuensche 2003 report them */
    uint32_t max_inner;  /* vertices that one inner part may have: see graze_contact.whole */
} graze_contacts_def;

/* Not split; 65,536 vertices. */
GRAZE_API graze_contacts_def graze_default_contacts_def(void);

/* One connected piece of the intersection.
 *
 * The inner part of a body is what of its surface is behind the other's and joined to the segments
 * without passing through a surface. The depth is how far a must go along the normal until a plane
 * separates the inner parts: the largest normal . p over the vertices of b's inner part and the
 * ends of the segments, less the smallest over the vertices of a's and the ends. Two balls that
 * overlap by d have depth d. What passes through the other body has an inner part between two
 * contacts, and its depth says little. An inner part that ends at several contacts counts for those
 * whose length is at least a quarter of the longest one's: a short one is where a corner of it
 * comes out again, and is as deep as the edges that pass there.
 */
typedef struct graze_contact {
    float point[3];     /* the middle of the segments, weighted by length; flat segments and points
                           count     only where there is nothing else */
    float normal[3];    /* unit: the way in which a leaves b. Of a closed curve the direction of its
                           vector area, which is the mean normal of the inner parts; else the mean over
                           the segments of b's normal less a's */
    float depth;        /* not negative; 0 where bodies only touch */
    float length;       /* of all segments but flat ones */
    uint32_t groups[2]; /* the body parts of a and of b that most of the length is on */
    uint32_t first;     /* its segments: [first, first + count) */
    uint32_t count;     /* which is also the number of pairs */
    bool closed;        /* the segments form closed curves */
    bool whole;         /* the depth is that of the whole inner parts. False: one of them does not
                           end, as where a sheet's border is inside, has more than max_inner
                           vertices, or belongs to longer contacts; of it only the ends of edges
                           that pass through count */
} graze_contact;

/* Where triangle a of the first body meets triangle b of the second. */
typedef struct graze_contact_segment {
    float ends[2][3]; /* the same twice: they touch in a point. In order along (normal of a) x
                         (normal of b). Of neighbouring pairs the shared end is the same bits but
                         for curves through edges or corners of both sides */
    uint32_t a, b;
    bool flat; /* the triangles lie in one plane: the longest extent of what they share */
} graze_contact_segment;

/* Makes a finder; *contacts is set on success only. def may be NULL; both models may be the same.
 * Takes about half a microsecond and 34 bytes a triangle.
 */
GRAZE_API graze_status graze_contacts_create(const graze_model *model_a, const graze_model *model_b,
                                             const graze_contacts_def *def,
                                             graze_contacts **contacts, graze_error *error);

/* Frees the finder. NULL is fine. */
GRAZE_API void graze_contacts_destroy(graze_contacts *contacts);

/* Finds all contacts between a, of the first model, and b, of the second; they are not the same
 * body. Poses what the collision query needs and the patches of inner parts. Takes memory only if
 * there are more pairs or larger inner parts than ever before, and for a while where a group mask
 * is new to the finder (whether what is in it is closed: some 0.1 us a triangle). After an error
 * there are no contacts. stats and error may be NULL.
 */
GRAZE_API graze_status graze_contacts_find(graze_contacts *contacts, graze_body *a, graze_body *b,
                                           graze_stats *stats, graze_error *error);

/* The same from pairs that were found already, in any order: every pair must meet, and be of
 * triangles in the bodies' group masks.
 */
GRAZE_API graze_status graze_contacts_from_pairs(graze_contacts *contacts, graze_body *a,
                                                 graze_body *b, const graze_pair *pairs,
                                                 size_t count, graze_stats *stats,
                                                 graze_error *error);

/* What was found last, in order of each contact's first pair, valid until the next search. The
 * number must be in range.
 */
GRAZE_API uint32_t graze_contacts_count(const graze_contacts *contacts);
GRAZE_API const graze_contact *graze_contacts_get(const graze_contacts *contacts, uint32_t number);

/* Segments of all contacts, those of one contact together and sorted by a, then b. */
GRAZE_API const graze_contact_segment *graze_contacts_segments(const graze_contacts *contacts,
                                                               uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif
