/* Spatial hashing of two bodies' triangles: see hash.h. */
#include "bench/eager/hash_types.h"
#include "bench/eager/triangle.h"

#include <math.h>
#include <string.h>

static size_t stride_of(const eager_model *model)
{
    return ((size_t)model->triangle_count + 15) / 16 * 16;
}

/* ---- boxes ---------------------------------------------------------------------------------- */

/* The boxes of all triangles, four at a time, as six rows; those beyond the last are inside out. */
void EAGER_ISA(box_triangles)(eager_body *body)
{
    const eager_model *model = body->model;
    size_t stride = stride_of(model), count = model->triangle_count;
    float *rows = body->triangle_rows;
    f4 sum = f4_all(0);
    for (size_t t = 0; t < stride; t += 4) {
        f4 low[4], high[4];
        for (size_t k = 0; k < 4; k++) {
            if (t + k >= count) {
                low[k] = f4_all(INFINITY);
                high[k] = f4_all(-INFINITY);
                continue;
            }
            const uint32_t *corners = model->corners[t + k];
            f4 p = f4_load(body->positions[corners[0]]), q = f4_load(body->positions[corners[1]]);
            f4 r = f4_load(body->positions[corners[2]]);
            low[k] = f4_min(f4_min(p, q), r);
            high[k] = f4_max(f4_max(p, q), r);
        }
        _Alignas(16) float lows[3][4], highs[3][4];
        f4_rows(low, lows);
        f4_rows(high, highs);
        for (size_t axis = 0; axis < 3; axis++) {
            f4_store(rows + axis * stride + t, f4_load(lows[axis]));
            f4_store(rows + (axis + 3) * stride + t, f4_load(highs[axis]));
        }
        f4 side =
            f4_max(f4_load(highs[0]) - f4_load(lows[0]), f4_load(highs[1]) - f4_load(lows[1]));
        side = f4_max(side, f4_load(highs[2]) - f4_load(lows[2]));
        sum += f4_max(side, f4_all(0));
    }
    body->mean_side = (sum[0] + sum[1] + sum[2] + sum[3]) / (float)count;
}

/* ---- what is near the other body ------------------------------------------------------------ */

typedef struct region {
    _Alignas(16) float low[4], high[4]; /* in which both bodies are */
    f4 scale;                           /* cells a metre */
    uint32_t sides[3];                  /* cells along each axis */
} region;

EAGER_INLINE f4 min_of(const float *a, const float *b)
{
    return f4_min(f4_load(a), f4_load(b));
}

EAGER_INLINE f4 max_of(const float *a, const float *b)
{
    return f4_max(f4_load(a), f4_load(b));
}

#if !defined(__AVX512F__)
/* Bit k: box t + k, of four, touches the region. */
EAGER_INLINE uint32_t touch_four(const float *rows, size_t stride, size_t t, const region *r)
{
    i4 all = {-1, -1, -1, -1};
    for (size_t axis = 0; axis < 3; axis++)
        all &= (f4_load(rows + axis * stride + t) <= f4_all(r->high[axis])) &
               (f4_load(rows + (axis + 3) * stride + t) >= f4_all(r->low[axis]));
    return i4_bits(all);
}
#endif

/* Bit k of sixteen. */
EAGER_INLINE uint32_t touch_sixteen(const float *rows, size_t stride, size_t t, const region *r)
{
#if defined(__AVX512F__)
    __mmask16 bits = 0xffff;
    for (size_t axis = 0; axis < 3; axis++) {
        bits = _mm512_mask_cmp_ps_mask(bits, _mm512_load_ps(rows + axis * stride + t),
                                       _mm512_set1_ps(r->high[axis]), _CMP_LE_OQ);
        bits = _mm512_mask_cmp_ps_mask(bits, _mm512_load_ps(rows + (axis + 3) * stride + t),
                                       _mm512_set1_ps(r->low[axis]), _CMP_GE_OQ);
    }
    return bits;
#else
    uint32_t bits = 0;
    for (uint32_t k = 0; k < 4; k++)
        bits |= touch_four(rows, stride, t + 4 * k, r) << (4 * k);
    return bits;
#endif
}

/* Copies the boxes that touch the region, cut off at it; returns how many. */
static size_t keep_near(const eager_body *body, const region *r, eager_hashed *kept)
{
    size_t stride = stride_of(body->model), count = 0;
    const float *rows = body->triangle_rows;
    f4 low = f4_load(r->low), high = f4_load(r->high);
    for (size_t t = 0; t < stride; t += 16)
        for (uint32_t left = touch_sixteen(rows, stride, t, r); left; left &= left - 1) {
            const float *at = rows + t + (size_t)__builtin_ctz(left);
            f4 own_low = {at[0], at[stride], at[2 * stride], 0};
            f4 own_high = {at[3 * stride], at[4 * stride], at[5 * stride], 0};
            f4_store(kept[count].low, f4_max(own_low, low));
            f4_store(kept[count].high, f4_min(own_high, high));
            uint32_t number = (uint32_t)(at - rows);
            memcpy(&kept[count].low[3], &number, sizeof number);
            count++;
        }
    return count;
}

/* Cells as wide as `size`, or wider: at most 513 along an axis. */
static void choose_cells(region *r, float size)
{
    f4 extent = f4_load(r->high) - f4_load(r->low);
    float longest = fmaxf(fmaxf(extent[0], extent[1]), extent[2]);
    size = fmaxf(size, longest * 0x1p-9f);
    if (!(size > 0))
        size = 1;
    r->scale = f4_all(1 / size);
    for (int axis = 0; axis < 3; axis++)
        r->sides[axis] = (uint32_t)(extent[axis] * r->scale[0]) + 1;
}

/* ---- the table ------------------------------------------------------------------------------ */

/* The cell of a point of the region: monotone along each axis. */
EAGER_INLINE i4 cell_of(const region *r, f4 point)
{
    f4 at = (point - f4_load(r->low)) * r->scale;
    return __builtin_convertvector(at, i4);
}

EAGER_INLINE uint32_t number_of(const region *r, uint32_t x, uint32_t y, uint32_t z)
{
    return x + r->sides[0] * (y + r->sides[1] * z);
}

/* Runs `body` for every cell of a box, named `cell`, at (x_, y_, z_). */
#define FOR_EACH_CELL(r, box, cell, body)                                                          \
    do {                                                                                           \
        i4 from_ = cell_of(r, f4_load((box)->low)), to_ = cell_of(r, f4_load((box)->high));        \
        for (int32_t z_ = from_[2]; z_ <= to_[2]; z_++)                                            \
            for (int32_t y_ = from_[1]; y_ <= to_[1]; y_++) {                                      \
                uint32_t row_ = number_of(r, 0, (uint32_t)y_, (uint32_t)z_);                       \
                for (int32_t x_ = from_[0]; x_ <= to_[0]; x_++) {                                  \
                    uint32_t cell = row_ + (uint32_t)x_;                                           \
                    body                                                                           \
                }                                                                                  \
            }                                                                                      \
    } while (0)

EAGER_INLINE size_t count_cells(const region *r, const eager_hashed *box)
{
    i4 across = cell_of(r, f4_load(box->high)) - cell_of(r, f4_load(box->low)) + 1;
    return (size_t)across[0] * (size_t)across[1] * (size_t)across[2];
}

/* Sorts boxes into a table, a copy for each cell; returns its mask. The entries of slot s are those
 * from starts[s] to starts[s + 1].
 */
static uint32_t fill_table(eager_hash *hash, const region *r, const eager_hashed *boxes,
                           size_t count)
{
    size_t total = 0, cells = (size_t)r->sides[0] * r->sides[1] * r->sides[2], slots = 64;
    for (size_t i = 0; i < count; i++)
        total += count_cells(r, &boxes[i]);
    while (slots < 2 * total && slots < cells)
        slots *= 2;
    uint32_t mask = (uint32_t)slots - 1;
    eager_hash_grow((void **)&hash->starts, &hash->start_room, slots + 2, sizeof *hash->starts);
    eager_hash_grow((void **)&hash->entries, &hash->entry_room, total + 1, sizeof *hash->entries);
    /* Counted two slots further on: once all are in place, starts is where each slot begins. */
    uint32_t *starts = hash->starts;
    memset(starts, 0, (slots + 2) * sizeof *starts);
    for (size_t i = 0; i < count; i++)
        FOR_EACH_CELL(r, &boxes[i], cell, starts[(cell & mask) + 2]++;);
    uint32_t sum = 0;
    for (size_t s = 2; s < slots + 2; s++) {
        uint32_t own = starts[s];
        starts[s] = sum + own;
        sum += own;
    }
    for (size_t i = 0; i < count; i++)
        FOR_EACH_CELL(r, &boxes[i], cell, {
            eager_hashed *entry = &hash->entries[starts[(cell & mask) + 1]++];
            *entry = boxes[i];
            memcpy(&entry->high[3], &cell, sizeof cell);
        });
    return mask;
}

/* ---- pairs ---------------------------------------------------------------------------------- */

enum { HITS = 64 }; /* looked at together */

typedef struct search {
    eager_hash *hash;
    const eager_body *bodies[2]; /* whose triangles are in the table, and the other */
    bool turned;                 /* the first of those is the caller's second */
    bool first;
    bench_pair *pairs;
    size_t capacity, count;
    size_t candidate_count;
} search;

EAGER_INLINE void load_triangle(const eager_body *body, uint32_t triangle, f4 corners[3])
{
    for (int c = 0; c < 3; c++)
        corners[c] = f4_load(body->positions[body->model->corners[triangle][c]]);
}

/* Decides the candidates: planes for all, then edges for those that no plane separates. */
static void decide(search *s)
{
    bench_pair *candidates = s->hash->candidates;
    size_t open = 0;
    f4 a[3], b[3];
    for (size_t i = 0; i < s->candidate_count; i++) {
        bench_pair pair = candidates[i];
        load_triangle(s->bodies[0], pair.a, a);
        load_triangle(s->bodies[1], pair.b, b);
        sides found = find_sides(a, b);
        candidates[open] = pair;
        open += !are_separated(&found);
    }
    s->candidate_count = 0;
    for (size_t i = 0; i < open && !(s->first && s->count); i++) {
        bench_pair pair = candidates[i];
        load_triangle(s->bodies[0], pair.a, a);
        load_triangle(s->bodies[1], pair.b, b);
        sides found = find_sides(a, b);
        if (!triangles_meet(a, b, &found))
            continue;
        uint32_t names[2] = {s->bodies[0]->model->triangles[pair.a],
                             s->bodies[1]->model->triangles[pair.b]};
        if (s->count < s->capacity)
            s->pairs[s->count] = (bench_pair){names[s->turned], names[!s->turned]};
        s->count++;
    }
}

EAGER_INLINE uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* The candidates that one triangle has in one cell: those whose boxes overlap, found without a
 * branch that could be missed, and of them those whose common corner is in this very cell.
 */
EAGER_INLINE void look_up(search *s, const region *r, uint32_t mask, const eager_hashed *own,
                          uint32_t cell, i4 at)
{
    const eager_hashed *entries = s->hash->entries;
    f4 low = f4_load(own->low), high = f4_load(own->high);
    uint32_t first = s->hash->starts[cell & mask], end = s->hash->starts[(cell & mask) + 1];
    uint32_t near[HITS], count;
    for (; first < end; first += HITS) {
        uint32_t last = end - first < HITS ? end : first + HITS;
        count = 0;
        for (uint32_t i = first; i < last; i++) {
            i4 overlap = (low <= f4_load(entries[i].high)) & (f4_load(entries[i].low) <= high);
            near[count] = i;
            count += (i4_bits(overlap) & 7) == 7;
        }
        for (uint32_t k = 0; k < count; k++) {
            const eager_hashed *entry = &entries[near[k]];
            i4 corner = cell_of(r, f4_max(low, f4_load(entry->low)));
            if ((i4_bits(corner == at) & 7) != 7 || bits_of(entry->high[3]) != cell)
                continue;
            s->hash->candidates[s->candidate_count++] =
                (bench_pair){bits_of(entry->low[3]), bits_of(own->low[3])};
            if (s->candidate_count == (s->first ? 32 : EAGER_CANDIDATES))
                decide(s);
        }
    }
}

static void find_pairs(search *s, const region *r, uint32_t mask, const eager_hashed *boxes,
                       size_t count)
{
    for (size_t i = 0; i < count && !(s->first && s->count); i++)
        FOR_EACH_CELL(r, &boxes[i], cell,
                      look_up(s, r, mask, &boxes[i], cell, (i4){x_, y_, z_, 0}););
    decide(s);
}

size_t EAGER_ISA(hash_collide)(eager_hash *hash, const eager_body *a, const eager_body *b,
                               bool first, bench_pair *pairs, size_t capacity)
{
    const eager_body *bodies[2] = {a, b};
    region r;
    size_t kept[2];
    if (eager_apart(a, b))
        return 0;
    f4_store(r.low, max_of(a->low, b->low));
    f4_store(r.high, min_of(a->high, b->high));
    for (int i = 0; i < 2; i++) {
        eager_hash_grow((void **)&hash->kept[i], &hash->kept_room[i], stride_of(bodies[i]->model),
                        sizeof *hash->kept[i]);
        kept[i] = keep_near(bodies[i], &r, hash->kept[i]);
    }
    if (!kept[0] || !kept[1])
        return 0;
    choose_cells(&r, hash->cell * 0.5f * (a->mean_side + b->mean_side));
    int in = kept[1] < kept[0]; /* the fewer go into the table */
    uint32_t mask = fill_table(hash, &r, hash->kept[in], kept[in]);
    search s = {.hash = hash,
                .bodies = {bodies[in], bodies[!in]},
                .turned = in,
                .first = first,
                .pairs = pairs,
                .capacity = capacity};
    find_pairs(&s, &r, mask, hash->kept[!in], kept[!in]);
    return first && s.count ? 1 : s.count;
}
