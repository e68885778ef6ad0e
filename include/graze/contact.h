/* Contacts: where two things touch, which way apart, how deep, and with which body parts.
 *
 * All functions that find contacts fill the same struct. a is always the first argument of the
 * query and b the second; the normal is the direction in which a leaves b.
 *
 * Standing: stable.
 */
#ifndef GRAZE_CONTACT_H
#define GRAZE_CONTACT_H

#include <graze/pairs.h>
#include <graze/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fields that the query does not know are 0, triangles GRAZE_NONE. */
typedef struct graze_contact {
    float point[3];
    float normal[3];       /* unit: the direction in which a leaves b; 0 if it is not known */
    float depth;           /* how far a must move along the normal; 0: they just touch. Negative
                              only for contact points with a margin: how far they are apart */
    uint32_t parts[2];     /* body parts of a and b; 0 of a shape */
    uint32_t triangles[2]; /* one triangle of a and of b at the contact; GRAZE_NONE of a shape */
    uint32_t pair_count;   /* pairs of triangles that meet; with a shape, triangles that meet it */
    uint32_t number;       /* graze_contacts: the number of this contact, for
                              graze_contact_get_details. Contact points (ext/response.h): the
                              number of the contact that they belong to */
} graze_contact;

/* Where contacts go: see "lists" in query.h. */
typedef struct graze_contact_list {
    graze_contact *items;
    size_t capacity;
    bool (*report)(void *user, const graze_contact *contacts, size_t count);
    void *user;
    size_t count, total;
} graze_contact_list;

/* Combines contacts between the same two things into one. The normal is the direction of the sum of
 * normal x depth (if that is 0, the normal of the deepest contact). The point is the mean weighted
 * by depth, the depth the largest, and pair_count the sum. All else is that of the deepest contact.
 * All zero for count 0.
 */
GRAZE_API void graze_combine_contacts(const graze_contact *contacts, size_t count,
                                      graze_contact *combined);

/* ---- contacts between bodies ---------------------------------------------------------------- */

/* Finds contacts between bodies of two models. Holds tables and memory for one query at a time, and
 * the segments found last. One thread at a time.
 */
typedef struct graze_contact_finder graze_contact_finder;

typedef struct graze_contact_finder_def {
    const graze_allocator *allocator; /* NULL: the first model's */
    bool split_by_part;  /* one contact has one pair of body parts (Macagon & Wuensche 2003) */
    uint32_t max_inside; /* most vertices of an inner piece, see graze_contacts; 0: 65,536 */
    uintptr_t reserved[2];
} graze_contact_finder_def;

/* Makes a finder. Takes half a microsecond and 34 bytes per triangle. def NULL: all zero.
 *   - Both models may be the same. *finder is set on success only.
 */
GRAZE_API graze_status graze_contact_finder_create(const graze_model *model_a,
                                                   const graze_model *model_b,
                                                   const graze_contact_finder_def *def,
                                                   graze_contact_finder **finder,
                                                   graze_error *error);

/* Frees the finder. NULL is fine. */
GRAZE_API void graze_contact_finder_destroy(graze_contact_finder *finder);

/* Finds all contacts between two bodies, in order of each contact's first pair.
 *
 * Surfaces that meet do so along curves. Every pair of triangles that meets contributes a segment.
 * Two segments are connected if their triangles of a share a vertex (by position at rest) and so do
 * their triangles of b. Connected segments form one contact: two fists on a wall are two contacts.
 * A body wholly inside the other has none.
 *
 *   point   the middle of the segments, weighted by length
 *   normal  if the segments form closed curves, the direction of their vector area; otherwise the
 *           mean of b's normal less a's. The outside of a triangle is where its corners appear
 *           counter-clockwise: a pose that mirrors a body turns it inside out
 *   depth   how far a must move along the normal until a plane separates the two inner pieces. The
 *           inner piece of a body is the surface that lies inside the other body and is connected
 *           to the segments. Two spheres that overlap by d have depth d. Where a part passes right
 *           through the other body, depth means little. If graze_contact_details.full_depth is
 *           false, only the edges that cross count, because an inner piece has an open border, has
 *           more than max_inside vertices, or belongs to a longer contact. (An inner piece with
 *           several contacts belongs to those that are at least a quarter as long as the longest.)
 *   parts   the body parts of a and b that have most of the segments' length
 *
 *   - a is of the finder's first model and b of the second; they are different bodies.
 *   - Allocates only if a buffer exceeds its previous maximum, or a part mask is new to the finder.
 * Guarantee: pairs are exact, and each is in one contact. Segment ends are within one rounding to
 * float, plus 2^-28 of their edge, of points that both triangles have in common. The rest is as
 * defined, up to rounding. The same bits on every tree and instruction set.
 */
GRAZE_API graze_status graze_contacts(graze_contact_finder *finder, graze_body *a, graze_body *b,
                                      graze_contact_list *contacts, const graze_options *options,
                                      graze_error *error);

/* The same from pairs that graze_pairs found earlier in this pose. options: stats only.
 *   - Every pair must meet and be in the bodies' part masks.
 */
GRAZE_API graze_status graze_contacts_from_pairs(graze_contact_finder *finder, graze_body *a,
                                                 graze_body *b, const graze_pair *pairs,
                                                 size_t pair_count, graze_contact_list *contacts,
                                                 const graze_options *options, graze_error *error);

/* More about a contact that graze_contacts found. */
typedef struct graze_contact_details {
    float length;           /* of the curve along which the surfaces meet */
    uint32_t first_segment; /* of graze_contact_segments; there are as many as pairs */
    bool closed;            /* its segments form closed curves */
    bool full_depth;        /* the depth counts all of the inner pieces: see graze_contacts */
} graze_contact_details;

/* Fills *details for a contact that the finder found last. Returns false, and fills it with zero,
 * if there is no contact of this number.
 */
GRAZE_API bool graze_contact_get_details(const graze_contact_finder *finder, uint32_t number,
                                         graze_contact_details *details);

/* Where triangle a of the first body meets triangle b of the second. */
typedef struct graze_contact_segment {
    float ends[2][3]; /* equal if they touch in a point; in order along (normal of a) x (normal of
                         b). Neighbouring segments share an end bit for bit, except where the curve
                         passes through edges or corners of both */
    uint32_t a, b;
    bool flat; /* the triangles lie in one plane; the ends are where their overlap is longest */
} graze_contact_segment;

/* Returns the segments that the finder found last, those of each contact together, sorted by a,
 * then b. Valid until its next query. *count is set; NULL if there are none.
 */
GRAZE_API const graze_contact_segment *graze_contact_segments(const graze_contact_finder *finder,
                                                              size_t *count);

/* ---- contacts of shapes --------------------------------------------------------------------- */

/* Finds whether two round shapes meet, and where. *contact may be NULL. The point is half way
 * between the surfaces. Exchanging a and b negates the normal bit for bit.
 *   - Both are spheres or capsules, otherwise GRAZE_UNSUPPORTED.
 */
GRAZE_API graze_status graze_shapes_contact(const graze_shape *a, const graze_shape *b, bool *hit,
                                            graze_contact *contact, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
