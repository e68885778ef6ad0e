/* Where do two triangles meet? */
#ifndef GRAZEI_NARROW_SEGMENT_H
#define GRAZEI_NARROW_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

/* An edge of one triangle meets the other triangle. */
typedef struct grazei_crossing {
    uint8_t side;       /* whose edge: 0 for a, 1 for b */
    uint8_t corners[2]; /* from and to */
    int8_t behind[2];   /* where they lie: 1 behind the other triangle, -1 before it, 0 on it */
    double at;          /* 0 at the first corner, 1 at the second */
} grazei_crossing;

typedef struct grazei_segment {
    double ends[2][3]; /* in order along (normal of a) x (normal of b) */
    bool flat;         /* they lie in one plane: the longest extent of what they share */
    uint32_t crossing_count;
    grazei_crossing crossings[4]; /* all there are between proper triangles in different planes,
                                     but for edges in the other's plane */
} grazei_segment;

/* False if the closed triangles do not meet. Which edges meet what is exact; an end is within 2^-28
 * of its edge's length, and a rounding of its coordinates, of the exact point, and depends on
 * nothing but that edge and the plane it passes. Coordinates as for grazei_triangles_meet().
 */
bool grazei_triangle_segment(const float a[3][3], const float b[3][3], grazei_segment *segment);

#endif
