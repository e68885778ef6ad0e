/* Positions that were computed elsewhere, put where the baseline has its own. */
#include "bench/eager/simd.h"
#include "bench/eager/types.h"

EAGER_INLINE f4 load(const float *positions, uint32_t vertex)
{
    f4 at;
    memcpy(&at, positions + 3 * (size_t)vertex, sizeof at);
    return at;
}

/* Four boxes grow side by side: one would wait for itself. */
void eager_set_positions(eager_body *body, const float *positions)
{
    const uint32_t *slots = body->model->slots, count = body->model->vertex_count;
    f4 lows[4], highs[4];
    uint32_t v = 0;
    for (int i = 0; i < 4; i++)
        lows[i] = highs[i] = load(positions, 0);
    for (; v + 4 <= count; v += 4) {
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; i++) {
            f4 at = load(positions, v + i);
            f4_store(body->positions[slots[v + i]], at);
            lows[i] = f4_min(lows[i], at);
            highs[i] = f4_max(highs[i], at);
        }
    }
    for (; v < count; v++) {
        f4 at = load(positions, v);
        f4_store(body->positions[slots[v]], at);
        lows[0] = f4_min(lows[0], at);
        highs[0] = f4_max(highs[0], at);
    }
    f4_store(body->low, f4_min(f4_min(lows[0], lows[1]), f4_min(lows[2], lows[3])));
    f4_store(body->high, f4_max(f4_max(highs[0], highs[1]), f4_max(highs[2], highs[3])));
}
