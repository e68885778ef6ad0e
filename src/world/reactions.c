/* Which reaction a character shows: by the part that was hit, where from and how hard. */
#include "base/status.h"

#include <graze/response.h>

#include <math.h>

graze_hit_side graze_side_of_push(const float push[3])
{
    /* who is pushed to the left is hit from the right */
    static const graze_hit_side sides[3][2] = {{GRAZE_HIT_RIGHT, GRAZE_HIT_LEFT},
                                               {GRAZE_HIT_BELOW, GRAZE_HIT_ABOVE},
                                               {GRAZE_HIT_BACK, GRAZE_HIT_FRONT}};
    int most = 0;
    if (!push)
        return GRAZE_HIT_ANYWHERE;
    for (int k = 1; k < 3; k++)
        if (fabsf(push[k]) > fabsf(push[most]))
            most = k;
    return push[most] > 0 ? sides[most][0] : push[most] < 0 ? sides[most][1] : GRAZE_HIT_ANYWHERE;
}

/* Whether a part is another or inside it. */
static bool is_inside(const graze_parts *parts, uint32_t part, uint32_t outer)
{
    while (part != outer)
        if (!graze_parts_parent(parts, part, &part))
            return false;
    return true;
}

graze_status graze_choose_reaction(const graze_parts *parts, const graze_reaction *reactions,
                                   uint32_t count, uint32_t part, const float push[3],
                                   float impulse, uint32_t *row, graze_error *error)
{
    graze_status status = grazei_check_pointer(parts, "parts", error);
    if (!status && count)
        status = grazei_check_pointer(reactions, "the reactions", error);
    if (!status)
        status = grazei_check_pointer(push, "the push", error);
    if (!status)
        status = grazei_check_pointer(row, "where the row goes", error);
    if (status)
        return status;
    graze_hit_side side = graze_side_of_push(push);
    uint32_t found = count;
    for (uint32_t i = 0; i < count; i++) {
        const graze_reaction *reaction = &reactions[i];
        uint32_t outer = 0;
        if (reaction->part && !graze_parts_find(parts, reaction->part, &outer))
            return grazei_fail(error, GRAZE_BAD_INPUT, "reaction %u: there is no part %.100s", i,
                               reaction->part);
        bool fits = impulse >= reaction->impulse &&
                    (reaction->side == GRAZE_HIT_ANYWHERE || reaction->side == side) &&
                    (!reaction->part || is_inside(parts, part, outer));
        if (fits && found == count)
            found = i;
    }
    *row = found;
    return GRAZE_OK;
}
