/* Where two characters meet, part by part: Macagon & Wuensche 2003, Listings 3 and 4, from both
 * sides.
 *
 *     graze_fit_pose(fit_a, body_a, volumes_a, count_a, &error);    once a frame and body
 *     ...
 *     graze_posed_fit a = {fit_a, body_a, volumes_a}, b = {fit_b, body_b, volumes_b};
 *     graze_part_contacts_find(finder, &a, &b, &stats, &error);     once a pair of bodies
 *     for (uint32_t i = 0; i < graze_part_contacts_count(finder); i++)
 *         respond(graze_part_contacts_get(finder, i));
 *
 * Volumes of level 1 are compared first; where none overlap no triangle is posed. Two parts meet
 * where triangles of theirs do, exactly as graze_collide finds them, or where a volume of level 3
 * of one meets the triangles of the other, or has its centre inside the other body and is nearest
 * to them. Bodies are asked about triangles as always: each is posed once, however many partners it
 * meets. Depth, normal and point come from the volumes of level 3 of both, of level 1 where a part
 * has none. Whether a centre is inside is known where the model is closed; else by the triangles
 * that the volume meets.
 *
 * Guarantee: no pair of parts with triangles that meet is left out. Depths are approximate, as near
 * as level 3 is to the surface. The answer is the same bits on every instruction set, and for a and
 * b exchanged, parts exchanged and normals negated: but for two that are the same in the same
 * place.
 */
#ifndef GRAZE_PART_CONTACT_H
#define GRAZE_PART_CONTACT_H

#include <graze/parts.h>
#include <graze/stats.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Finds part contacts and holds those found last. By one thread at a time; bodies may be shared. */
typedef struct graze_part_contacts graze_part_contacts;

/* A body with the volumes of graze_fit_pose in its present pose. */
typedef struct graze_posed_fit {
    const graze_fit *fit;
    graze_body *body; /* of the fit's model */
    const graze_capsule *volumes;
} graze_posed_fit;

/* One part of a and one of b that meet.
 *
 * Every sphere of level 3 of the one (a capsule is some along its axis) that meets the surface of
 * the other, or has its centre inside, gives a contact with the nearest point of that surface. The
 * normal is along the way between that point and the centre. The depth is how deep the sphere is in
 * the other body: its radius less the distance if its centre is outside; if it is inside, how far
 * the deepest point of the sphere is from the surface, wherever that is nearest. (So what passes
 * through a body is no deeper in it than anything can be.)
 *
 * These are combined: the normal is the direction of the sum of the normals times their depths
 * (that of the deepest where they cancel out), the point the mean weighted by depth, the depth the
 * largest. Where there are none, as where only a thin corner is inside, the depth is 0, and point
 * and normal are of the triangles below.
 */
typedef struct graze_part_contact {
    uint32_t parts[2]; /* of a and b; 0 of a simple shape */
    float point[3];
    float normal[3];       /* unit: the way in which a leaves b */
    float depth;           /* not negative */
    uint64_t pairs;        /* of triangles that meet, of a simple shape the triangles it meets;
                              0: one part is inside the other body */
    uint32_t triangles[2]; /* one pair that meets, of a simple shape the deepest and UINT32_MAX;
                              UINT32_MAX where there is none */
} graze_part_contact;

/* Makes a finder, for bodies of any models; *contacts is set on success only.
 *   - allocator NULL: graze_default_allocator().
 */
GRAZE_EXPERIMENTAL graze_status graze_part_contacts_create(const graze_allocator *allocator,
                                                           graze_part_contacts **contacts,
                                                           graze_error *error);

/* Frees the finder. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_part_contacts_destroy(graze_part_contacts *contacts);

/* Finds all contacts between the parts of a and b. Takes memory only if there is more to hold than
 * ever before. After an error there are none.
 *   - a and b have all that they have, of different bodies, each of its fit's model.
 *   - stats may be NULL.
 */
GRAZE_EXPERIMENTAL graze_status graze_part_contacts_find(graze_part_contacts *contacts,
                                                         const graze_posed_fit *a,
                                                         const graze_posed_fit *b,
                                                         graze_stats *stats, graze_error *error);

/* The same of a body and a simple shape, which is one volume of level 3, and solid.
 *   - The shape is a sphere, capsule, box or half-space, else GRAZE_UNSUPPORTED.
 */
GRAZE_EXPERIMENTAL graze_status graze_part_contacts_find_shape(graze_part_contacts *contacts,
                                                               const graze_posed_fit *a,
                                                               const graze_shape *shape,
                                                               graze_stats *stats,
                                                               graze_error *error);

/* What was found last, sorted by the parts of a, then b, each pair once; valid until the next
 * search.
 *   - The number is in range, else NULL.
 */
GRAZE_EXPERIMENTAL uint32_t graze_part_contacts_count(const graze_part_contacts *contacts);
GRAZE_EXPERIMENTAL const graze_part_contact *
graze_part_contacts_get(const graze_part_contacts *contacts, uint32_t number);

/* All of them as one, combined as above; all 0 if there are none. */
GRAZE_EXPERIMENTAL graze_part_contact
graze_part_contacts_combined(const graze_part_contacts *contacts);

#ifdef __cplusplus
}
#endif

#endif
