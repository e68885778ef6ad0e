/* Which pairs may be solved at once: pairs of one colour share no body that moves. Colours are
 * given in the order of the pairs, so that they, and what is solved after what, are the same for
 * any number of threads.
 */
#include "sim.h"

graze_status grazei_sim_colour(graze_sim *sim, graze_error *error)
{
    size_t count = sim->pairs.count;
    uint64_t *marks = sim->marks.items;
    if (!grazei_sim_reserve(sim, &sim->order, count, sizeof(uint32_t)) ||
        !grazei_sim_reserve(sim, &sim->colours, GRAZEI_SIM_COLOURS + 2, sizeof(uint32_t)))
        return grazei_sim_out_of_memory(error);
    uint32_t *starts = sim->colours.items, *order = sim->order.items;
    for (size_t i = 0; i < sim->bodies.count; i++)
        marks[i] = 0;
    for (uint32_t c = 0; c < GRAZEI_SIM_COLOURS + 2; c++)
        starts[c] = 0;
    for (size_t i = 0; i < count; i++) {
        grazei_sim_pair *pair = &GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, i);
        bool moves_a = grazei_sim_moves(sim, pair->a);
        bool moves_b = !(pair->b & GRAZEI_SIM_PLANE) && grazei_sim_moves(sim, pair->b);
        uint64_t used = (moves_a ? marks[pair->a] : 0) | (moves_b ? marks[pair->b] : 0);
        pair->colour = 0;
        while (pair->colour < GRAZEI_SIM_COLOURS && used >> pair->colour & 1)
            pair->colour++;
        if (pair->colour < GRAZEI_SIM_COLOURS) {
            uint64_t bit = (uint64_t)1 << pair->colour;
            marks[pair->a] |= moves_a ? bit : 0;
            if (moves_b)
                marks[pair->b] |= bit;
        }
        starts[pair->colour + 1]++;
    }
    for (uint32_t c = 0; c < GRAZEI_SIM_COLOURS + 1; c++)
        starts[c + 1] += starts[c];
    for (size_t i = 0; i < count; i++)
        order[starts[GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, i).colour]++] = (uint32_t)i;
    for (uint32_t c = GRAZEI_SIM_COLOURS + 1; c > 0; c--)
        starts[c] = starts[c - 1];
    starts[0] = 0;
    return GRAZE_OK;
}
