/* Every way to deform, written a second time from its definition, in double and without haste: what
 * graze_body_get_positions is compared with.
 *
 * Linear: sum of w_j (A_j v + t_j). Dual quaternions: Kavan et al. 2007, linear blending.
 * Spherical: Kavan & Zara 2005 with the centre r_c of a joint-set the minimum of sum over its pairs
 * a < b of |C_a r - C_b r|^2 + 1e-4 |r - g|^2, g the mean rest position of the set's vertices.
 * Morph targets come first, the placement last; a joint that blends with others and is not rigid is
 * split into the nearest rotation and the rest.
 */
#ifndef GRAZE_TESTS_SUPPORT_DEFORM_REFERENCE_H
#define GRAZE_TESTS_SUPPORT_DEFORM_REFERENCE_H

#include <graze/body.h>

typedef struct deform_reference deform_reference;

/* The def must outlive the reference. Aborts when out of memory. */
deform_reference *deform_reference_make(const graze_model_def *def);
void deform_reference_free(deform_reference *reference);

/* Where a vertex ends, and how large the error of a float computation of it may be per unit
 * roundoff (2^-24) and constant: the sum of the magnitudes that enter, conditioned.
 */
typedef struct deform_posed {
    double at[3];
    double magnitude[3];
    bool ambiguous; /* a sign or a split hangs on the last bits: another answer is as good */
} deform_posed;

/* Takes a pose (3 rows of 4), then poses vertices one by one. rotations (x y z w, one a joint) says
 * how to split joints that blend and are not rigid; NULL: into the nearest rotation and the rest.
 */
void deform_reference_pose(deform_reference *reference, const graze_pose *pose,
                           const float (*rotations)[4]);

/* How far those rotations are from the nearest ones, in radians, over maps where that is well
 * defined: neither mirrored nor flattened nor close to a half turn.
 */
double deform_reference_split_error(const deform_reference *reference, const float (*rotations)[4]);

deform_posed deform_reference_vertex(const deform_reference *reference, uint32_t vertex);

#endif
