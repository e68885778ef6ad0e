#include "scenes/reactions.h"

#include <math.h>

/* The side that a push comes from: that of its largest component. */
static grazei_hit_side side_of(const float push[3])
{
    /* who is pushed to the left is hit from the right */
    static const grazei_hit_side sides[3][2] = {{GRAZEI_HIT_RIGHT, GRAZEI_HIT_LEFT},
                                                {GRAZEI_HIT_BELOW, GRAZEI_HIT_ABOVE},
                                                {GRAZEI_HIT_BACK, GRAZEI_HIT_FRONT}};
    int most = 0;
    for (int k = 1; k < 3; k++)
        if (fabsf(push[k]) > fabsf(push[most]))
            most = k;
    return push[most] > 0 ? sides[most][0] : push[most] < 0 ? sides[most][1] : GRAZEI_HIT_ANYWHERE;
}

/* Whether a part is the named one or inside it. */
static bool is_of(const graze_part_names *parts, uint32_t part, const char *name)
{
    uint32_t outer = graze_part_find(parts, name);
    while (part != outer && part != GRAZE_NONE)
        part = graze_part_parent(parts, part);
    return part != GRAZE_NONE;
}

uint32_t grazei_choose_reaction(const graze_part_names *parts, const grazei_reaction *reactions,
                                uint32_t count, uint32_t part, const float push[3], float impulse)
{
    grazei_hit_side side = side_of(push);
    uint32_t row = 0;
    for (; row < count; row++) {
        const grazei_reaction *wanted = &reactions[row];
        if (impulse >= wanted->impulse &&
            (wanted->side == GRAZEI_HIT_ANYWHERE || wanted->side == side) &&
            (!wanted->part || is_of(parts, part, wanted->part)))
            break;
    }
    return row;
}
