/* Files of rigid pieces that clips move, each along a straight line. */
#ifndef GRAZE_TESTS_SUPPORT_MOVED_H
#define GRAZE_TESTS_SUPPORT_MOVED_H

#include "support/solids.h"

/* A piece goes from one place to another in so many seconds. */
typedef struct moved_clip {
    const char *name;
    uint32_t piece;
    float seconds, from[3], to[3];
} moved_clip;

enum { MOST_MOVED = 4 };

/* Writes a GLB in which every group of triangles follows a node of its own, of this name, which
 * stands at the origin; at most MOST_MOVED pieces and clips.
 */
void moved_save(const char *path, const solid *s, const char *const *names, const moved_clip *clips,
                uint32_t clip_count);

#endif
