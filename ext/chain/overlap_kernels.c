/* Which spheres overlap, in lanes. */
#include "chain/overlap_kernels.h"

#include "math/lanes.h"

/* A sphere in all lanes. */
typedef struct wide_sphere {
    lanes x, y, z, r;
} wide_sphere;

GRAZEI_INLINE wide_sphere widen(float x, float y, float z, float r)
{
    return (wide_sphere){lanes_set(x), lanes_set(y), lanes_set(z), lanes_set(r)};
}

/* Bit k: sphere first + k of a whole block overlaps this one. */
GRAZEI_INLINE uint32_t block_bits(const wide_sphere *one, const grazei_sphere_lanes *s,
                                  uint32_t first)
{
    uint32_t bits = 0;
    for (uint32_t k = 0; k < GRAZEI_SPHERE_BLOCK; k += GRAZEI_LANES) {
        uint32_t at = first + k;
        lanes x = lanes_sub(one->x, lanes_load(s->x + at));
        lanes y = lanes_sub(one->y, lanes_load(s->y + at));
        lanes z = lanes_sub(one->z, lanes_load(s->z + at));
        lanes r = lanes_add(one->r, lanes_load(s->r + at));
        lanes square = lanes_add(lanes_add(lanes_mul(x, x), lanes_mul(y, y)), lanes_mul(z, z));
        bits |= mask_bits(lanes_less_equal(square, lanes_mul(r, r))) << k;
    }
    return bits;
}

GRAZEI_INLINE size_t put_pairs(uint32_t bits, uint32_t a, uint32_t first, graze_pair *pairs,
                               size_t count, size_t capacity)
{
    for (; bits; bits &= bits - 1, count++)
        if (count < capacity)
            pairs[count] = (graze_pair){.a = a, .b = first + (uint32_t)__builtin_ctz(bits)};
    return count;
}

static size_t find(const grazei_sphere_lanes *spheres, const grazei_overlap_row *rows,
                   uint32_t row_count, graze_pair *pairs, size_t capacity)
{
    size_t count = 0;
    for (uint32_t i = 0; i < row_count; i++) {
        uint32_t a = rows[i].sphere, first = GRAZEI_SPHERE_BLOCK * (uint32_t)rows[i].block;
        wide_sphere one = widen(spheres->x[a], spheres->y[a], spheres->z[a], spheres->r[a]);
        uint32_t bits = block_bits(&one, spheres, first) & rows[i].mask;
        count = put_pairs(bits, a, first, pairs, count, capacity);
    }
    return count;
}

static size_t find_one(const float sphere[4], uint32_t a, const grazei_sphere_lanes *others,
                       uint32_t other_count, graze_pair *pairs, size_t capacity)
{
    size_t count = 0;
    wide_sphere one = widen(sphere[0], sphere[1], sphere[2], sphere[3]);
    for (uint32_t first = 0; first < other_count; first += GRAZEI_SPHERE_BLOCK) {
        uint32_t left = other_count - first, bits = block_bits(&one, others, first);
        if (left < GRAZEI_SPHERE_BLOCK)
            bits &= (1u << left) - 1;
        count = put_pairs(bits, a, first, pairs, count, capacity);
    }
    return count;
}

const grazei_overlap_kernels GRAZEI_ISA(overlap_kernels) = {find, find_one};
