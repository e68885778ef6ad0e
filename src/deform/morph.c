/* Moving the rest positions of a batch by morph targets. */
#include "deform/morph.h"

#include <string.h>

void grazei_morph_apply(const grazei_morph_list *list, uint32_t first, uint32_t end,
                        const float *weights, const float (*rest)[4], uint32_t count,
                        float (*out)[4])
{
    memcpy(out, rest, count * sizeof *out);
    for (uint32_t r = first; r < end; r++) {
        const grazei_morph_run *run = &list->runs[r];
        float q = weights[run->target];
        if (q == 0)
            continue;
        const float(*rows)[4] = (const float(*)[4])list->rows + run->first;
        for (uint32_t i = 0; i < run->count; i++) {
            float *moved = out[f4_bits(rows[i][3])];
            moved[0] += q * rows[i][0];
            moved[1] += q * rows[i][1];
            moved[2] += q * rows[i][2];
        }
    }
}
