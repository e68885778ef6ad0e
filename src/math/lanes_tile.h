/* What most backends share. Tiles are read from memory there: an item's rows side by side. */
#ifndef GRAZEI_MATH_LANES_TILE_H
#define GRAZEI_MATH_LANES_TILE_H

typedef struct lanes_spots {
    uint8_t item[GRAZEI_LANES];
} lanes_spots;

GRAZEI_INLINE lanes_spots lanes_find_spots(const uint8_t *pairs)
{
    lanes_spots spots;
    for (int k = 0; k < GRAZEI_LANES; ++k)
        spots.item[k] = pairs[2 * k];
    return spots;
}

GRAZEI_INLINE void lanes_read_tile(const float *tile, size_t stride, const lanes_spots *spots,
                                   size_t row, lanes out[4])
{
    const float *rows[GRAZEI_LANES];
    (void)stride;
    for (int k = 0; k < GRAZEI_LANES; ++k)
        rows[k] = tile + (size_t)12 * spots->item[k];
    lanes_load_rows(rows, 4 * row, out);
}

GRAZEI_INLINE void lanes_write_tile(float *tile, size_t stride, size_t first, size_t row,
                                    const lanes in[4])
{
    float *rows[GRAZEI_LANES];
    (void)stride;
    for (size_t k = 0; k < GRAZEI_LANES; ++k)
        rows[k] = tile + 12 * (first + k);
    lanes_store_rows(rows, 4 * row, in);
}

GRAZEI_INLINE void lanes_read_item(const float *tile, size_t stride, size_t item, size_t row,
                                   float out[3])
{
    (void)stride;
    memcpy(out, tile + 12 * item + 4 * row, 3 * sizeof *out);
}

GRAZEI_INLINE void lanes_pick_points(const float (*points)[4], const float *rows, size_t stride,
                                     const uint8_t (*corners)[4], unsigned which, lanes out[3])
{
    const float *point[GRAZEI_LANES];
    lanes column[4];
    (void)rows;
    (void)stride;
    for (int k = 0; k < GRAZEI_LANES; ++k)
        point[k] = points[corners[k][which]];
    lanes_load_rows(point, 0, column);
    for (int c = 0; c < 3; ++c)
        out[c] = column[c];
}

#ifndef GRAZEI_LANES_OUTCODES
GRAZEI_INLINE void lanes_outcodes(uint8_t *out, const lanes_mask masks[8])
{
    for (int k = 0; k < GRAZEI_LANES; ++k)
        out[k] = 0;
    for (int bit = 0; bit < 8; ++bit) {
        uint32_t bits = mask_bits(masks[bit]);
        for (int k = 0; k < GRAZEI_LANES; ++k)
            out[k] |= (uint8_t)((bits >> k & 1) << bit);
    }
}
#endif

GRAZEI_INLINE float lanes_least(lanes a)
{
    float lane[GRAZEI_LANES], least;
    lanes_store(lane, a);
    least = lane[0];
    for (int k = 1; k < GRAZEI_LANES; ++k)
        least = lane[k] < least ? lane[k] : least;
    return least;
}

GRAZEI_INLINE float lanes_greatest(lanes a)
{
    float lane[GRAZEI_LANES], greatest;
    lanes_store(lane, a);
    greatest = lane[0];
    for (int k = 1; k < GRAZEI_LANES; ++k)
        greatest = lane[k] > greatest ? lane[k] : greatest;
    return greatest;
}

#endif
