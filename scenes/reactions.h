/* Which reaction a character shows, by the part that was hit, from where and how hard. */
#ifndef GRAZE_SCENES_REACTIONS_H
#define GRAZE_SCENES_REACTIONS_H

#include <graze/ext/parts.h>

/* Where a hit comes from, in the frame of who is hit: +Z is ahead, +X to the left, +Y up. */
typedef enum grazei_hit_side {
    GRAZEI_HIT_ANYWHERE,
    GRAZEI_HIT_FRONT,
    GRAZEI_HIT_BACK,
    GRAZEI_HIT_LEFT,
    GRAZEI_HIT_RIGHT,
    GRAZEI_HIT_ABOVE,
    GRAZEI_HIT_BELOW
} grazei_hit_side;

/* One row of a table of reactions: what to do if a part is hit so. */
typedef struct grazei_reaction {
    const char *part;     /* that part or one inside it; NULL: any */
    grazei_hit_side side; /* that it comes from */
    float impulse;        /* Ns: at least so much */
    uint32_t action;      /* the caller's: a clip's number, say */
    bool physics;         /* hand over to the engine instead of playing it */
} grazei_reaction;

/* The first row that fits, or `count` if none does; a row whose part is not there never fits. The
 * push is the direction in which it moves who is hit, in that one's frame.
 */
uint32_t grazei_choose_reaction(const graze_part_names *parts, const grazei_reaction *reactions,
                                uint32_t count, uint32_t part, const float push[3], float impulse);

#endif
