/* Two trees walked in step, sixteen pairs of children at a time, down to pairs of blocks; in those,
 * first all candidates by their boxes, then the triangles of all candidates.
 */
#include "bench/eager/nodes.h"
#include "bench/eager/triangle.h"
#include "bench/eager/triangle_sets.h"

enum { STACK = 2 * 15 * EAGER_DEPTH + 16 };

typedef struct walk {
    eager_body *a, *b;
    eager_triangles how;
    bool first;
    bool self; /* a and b are one body: every pair of its triangles once, without neighbours */
    bench_pair *pairs;
    size_t capacity, count;
    uint32_t stack_count;
    bench_pair stack[STACK];
    uint16_t candidates[EAGER_BLOCK * EAGER_BLOCK + 16];
} walk;

/* Bit 4 i + k: child i of a and child k of b overlap. */
EAGER_INLINE uint32_t overlaps(const eager_node *a, const eager_node *b)
{
#if defined(__AVX512F__)
    const __m512i spread = _mm512_set_epi32(3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0);
    __mmask16 bits = 0xffff;
    for (int axis = 0; axis < 3; axis++) {
        __m512 a_low =
            _mm512_permutevar_ps(_mm512_broadcast_f32x4(_mm_load_ps(a->low[axis])), spread);
        __m512 a_high =
            _mm512_permutevar_ps(_mm512_broadcast_f32x4(_mm_load_ps(a->high[axis])), spread);
        __m512 b_low = _mm512_broadcast_f32x4(_mm_load_ps(b->low[axis]));
        __m512 b_high = _mm512_broadcast_f32x4(_mm_load_ps(b->high[axis]));
        bits = _mm512_mask_cmp_ps_mask(bits, a_low, b_high, _CMP_LE_OQ);
        bits = _mm512_mask_cmp_ps_mask(bits, b_low, a_high, _CMP_LE_OQ);
    }
    return bits;
#elif defined(__AVX2__)
    uint32_t bits = 0;
    for (int half = 0; half < 2; half++) {
        const __m256i spread = half ? _mm256_set_epi32(3, 3, 3, 3, 2, 2, 2, 2)
                                    : _mm256_set_epi32(1, 1, 1, 1, 0, 0, 0, 0);
        __m256 all = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
        for (int axis = 0; axis < 3; axis++) {
            __m256 a_low = _mm256_broadcast_ps((const __m128 *)a->low[axis]);
            __m256 a_high = _mm256_broadcast_ps((const __m128 *)a->high[axis]);
            __m256 b_low = _mm256_broadcast_ps((const __m128 *)b->low[axis]);
            __m256 b_high = _mm256_broadcast_ps((const __m128 *)b->high[axis]);
            a_low = _mm256_permutevar_ps(a_low, spread);
            a_high = _mm256_permutevar_ps(a_high, spread);
            all = _mm256_and_ps(all, _mm256_cmp_ps(a_low, b_high, _CMP_LE_OQ));
            all = _mm256_and_ps(all, _mm256_cmp_ps(b_low, a_high, _CMP_LE_OQ));
        }
        bits |= (uint32_t)_mm256_movemask_ps(all) << (8 * half);
    }
    return bits;
#else
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++) {
        i4 all = {-1, -1, -1, -1};
        for (int axis = 0; axis < 3; axis++)
            all &= (f4_all(a->low[axis][i]) <= f4_load(b->high[axis])) &
                   (f4_load(b->low[axis]) <= f4_all(a->high[axis][i]));
        bits |= i4_bits(all) << (4 * i);
    }
    return bits;
#endif
}

/* Bit k: child k overlaps the box. */
EAGER_INLINE uint32_t overlaps_box(const eager_node *node, const float low[4], const float high[4])
{
    i4 all = {-1, -1, -1, -1};
    for (int axis = 0; axis < 3; axis++)
        all &= (f4_all(low[axis]) <= f4_load(node->high[axis])) &
               (f4_load(node->low[axis]) <= f4_all(high[axis]));
    return i4_bits(all);
}

/* Writes the pairs of children whose bits are set, and a whole vector at least; returns how many. A
 * pair is two bytes, and its children are 4 times those and 0 to 3 more.
 */
EAGER_INLINE size_t put_pairs(uint16_t *out, uint32_t parents, uint32_t bits)
{
#if defined(__BMI2__) && defined(__x86_64__)
    /* The numbers of the bits, four bits each, then a byte each, then as pairs. */
    uint64_t nibbles = _pdep_u64(bits, 0x1111111111111111) * 15;
    __m128i packed = _mm_cvtsi64_si128((long long)_pext_u64(0xfedcba9876543210, nibbles));
    __m128i nibble = _mm_set1_epi8(15), low = _mm_and_si128(packed, nibble);
    __m128i high = _mm_and_si128(_mm_srli_epi64(packed, 4), nibble);
    __m256i number = _mm256_cvtepu8_epi16(_mm_unpacklo_epi8(low, high));
    __m256i second = _mm256_slli_epi16(_mm256_and_si256(number, _mm256_set1_epi16(3)), 8);
    __m256i pair = _mm256_add_epi16(_mm256_srli_epi16(number, 2), second);
    pair = _mm256_add_epi16(pair, _mm256_set1_epi16((short)(4 * parents)));
    _mm256_storeu_si256((__m256i *)out, pair);
    return (size_t)__builtin_popcount(bits);
#else
    size_t count = 0;
    for (; bits; bits &= bits - 1) {
        uint32_t number = (uint32_t)__builtin_ctz(bits);
        out[count++] = (uint16_t)(4 * parents + number / 4 + (number % 4 << 8));
    }
    return count;
#endif
}

/* Goes from pairs of twigs or leaves of two blocks to those pairs of their children whose boxes
 * overlap. The nodes of a block that have that rank start at a and b.
 */
static size_t open_pairs(walk *w, uint32_t a, uint32_t b, const uint16_t *pairs, size_t count,
                         uint16_t *out)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const eager_node *a_node = visit(w->a, a + (pairs[i] & 255u));
        const eager_node *b_node = visit(w->b, b + (pairs[i] >> 8));
        found += put_pairs(out + found, pairs[i], overlaps(a_node, b_node));
    }
    return found;
}

/* Of the pairs of a node's children with each other: each once, with itself or without. */
enum { EACH_ONCE = 0x8cef, EACH_OTHER_ONCE = 0x08ce };

/* The same where both are one block. */
static size_t open_own_pairs(walk *w, uint32_t first, const uint16_t *pairs, size_t count,
                             uint32_t own, uint16_t *out)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const eager_node *a_node = visit(w->a, first + (pairs[i] & 255u));
        const eager_node *b_node = visit(w->a, first + (pairs[i] >> 8));
        uint32_t bits = overlaps(a_node, b_node);
        found += put_pairs(out + found, pairs[i], a_node == b_node ? bits & own : bits);
    }
    return found;
}

static size_t collect_own(walk *w, uint32_t block)
{
    const eager_model *model = w->a->model;
    const eager_node *node = visit(w->a, model->upper_count + block);
    uint16_t twigs[16 + 16], leaves[256 + 16];
    size_t count = put_pairs(twigs, 0, overlaps(node, node) & EACH_ONCE);
    count = open_own_pairs(w, first_of_rank(model, EAGER_IS_TWIG) + 4 * block, twigs, count,
                           EACH_ONCE, leaves);
    return open_own_pairs(w, first_of_rank(model, EAGER_IS_LEAF) + 16 * block, leaves, count,
                          EACH_OTHER_ONCE, w->candidates);
}

/* Keeps the pairs that share no position at rest. */
static size_t drop_neighbours(walk *w, uint32_t a_block, uint32_t b_block, size_t count)
{
    const uint32_t(*a)[4] = (const uint32_t(*)[4])w->a->model->rest + EAGER_BLOCK * a_block;
    const uint32_t(*b)[4] = (const uint32_t(*)[4])w->a->model->rest + EAGER_BLOCK * b_block;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        uint16_t pair = w->candidates[i];
        i4 corners = *(const i4 *)a[eager_pair_first(pair)];
        const int32_t *others = (const int32_t *)b[eager_pair_second(pair)];
        i4 shared = {0, 0, 0, 0};
        for (int c = 0; c < 3; c++)
            shared |= corners == (i4){others[c], others[c], others[c], others[c]};
        w->candidates[kept] = pair;
        kept += i4_bits(shared) == 0;
    }
    return kept;
}

/* Pairs of triangles of two blocks whose boxes overlap. */
static size_t collect(walk *w, uint32_t a_block, uint32_t b_block)
{
    const eager_model *a = w->a->model, *b = w->b->model;
    uint16_t twigs[16 + 16], leaves[256 + 16];
    size_t count = put_pairs(
        twigs, 0,
        overlaps(visit(w->a, a->upper_count + a_block), visit(w->b, b->upper_count + b_block)));
    count = open_pairs(w, first_of_rank(a, EAGER_IS_TWIG) + 4 * a_block,
                       first_of_rank(b, EAGER_IS_TWIG) + 4 * b_block, twigs, count, leaves);
    return open_pairs(w, first_of_rank(a, EAGER_IS_LEAF) + 16 * a_block,
                      first_of_rank(b, EAGER_IS_LEAF) + 16 * b_block, leaves, count, w->candidates);
}

/* The triangles of a block, those of the twigs in the mask made ready for the lanes. */
static const eager_ready *make_block_ready(eager_body *body, uint32_t block, uint32_t twigs)
{
    const eager_model *model = body->model;
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t twig = 4 * block + k, first = EAGER_TWIG * twig;
        if (!(twigs >> k & 1) || body->set_stamps[twig] == body->stamp)
            continue;
        EAGER_ISA(make_ready)
        ((const float(*)[4])body->positions, (const uint32_t(*)[3])model->corners + first,
         model->triangle_count - first, body->set_corners + first);
        body->set_stamps[twig] = body->stamp;
    }
    return (const eager_ready *)body->set_corners + (size_t)EAGER_BLOCK * block;
}

/* The longest side of the box around two blocks. */
static float find_reach(const walk *w, uint32_t a_block, uint32_t b_block)
{
    const float(*a)[4] = (const float(*)[4])w->a->boxes[w->a->model->upper_count + a_block];
    const float(*b)[4] = (const float(*)[4])w->b->boxes[w->b->model->upper_count + b_block];
    f4 extent = f4_max(f4_load(a[1]), f4_load(b[1])) - f4_min(f4_load(a[0]), f4_load(b[0]));
    return fmaxf(fmaxf(extent[0], extent[1]), extent[2]);
}

static size_t keep_by_lanes(walk *w, uint32_t a_block, uint32_t b_block, size_t count)
{
    uint32_t a_twigs = 0, b_twigs = 0;
    for (size_t i = 0; i < count; i++) {
        a_twigs |= 1u << (eager_pair_first(w->candidates[i]) / EAGER_TWIG);
        b_twigs |= 1u << (eager_pair_second(w->candidates[i]) / EAGER_TWIG);
    }
    const eager_ready *a = make_block_ready(w->a, a_block, a_twigs);
    const eager_ready *b = make_block_ready(w->b, b_block, b_twigs);
    return EAGER_ISA(keep_meeting)(a, b, find_reach(w, a_block, b_block), w->candidates, count);
}

/* The triangles of a block, where its corners are found. */
typedef struct block_corners {
    const uint32_t (*corners)[3];
    const float (*positions)[4];
} block_corners;

static block_corners corners_of(const eager_body *body, uint32_t block)
{
    return (block_corners){(const uint32_t(*)[3])body->model->corners + (size_t)EAGER_BLOCK * block,
                           (const float(*)[4])body->positions};
}

EAGER_INLINE void load_corners(const block_corners *from, uint32_t triangle, f4 corners[3])
{
    for (int c = 0; c < 3; c++)
        corners[c] = f4_load(from->positions[from->corners[triangle][c]]);
}

static size_t keep_one_by_one(walk *w, uint32_t a_block, uint32_t b_block, size_t count)
{
    block_corners a_corners = corners_of(w->a, a_block), b_corners = corners_of(w->b, b_block);
    size_t open = 0, kept = 0;
    f4 a[3], b[3];
    for (size_t i = 0; i < count; i++) {
        uint16_t pair = w->candidates[i];
        load_corners(&a_corners, eager_pair_first(pair), a);
        load_corners(&b_corners, eager_pair_second(pair), b);
        sides s = find_sides(a, b);
        w->candidates[open] = pair;
        open += !are_separated(&s);
    }
    for (size_t i = 0; i < open; i++) {
        uint16_t pair = w->candidates[i];
        load_corners(&a_corners, eager_pair_first(pair), a);
        load_corners(&b_corners, eager_pair_second(pair), b);
        sides s = find_sides(a, b);
        w->candidates[kept] = pair;
        kept += triangles_meet(a, b, &s);
    }
    return kept;
}

static void test_blocks(walk *w, uint32_t a_block, uint32_t b_block)
{
    size_t count =
        w->self && a_block == b_block ? collect_own(w, a_block) : collect(w, a_block, b_block);
    if (w->self)
        count = drop_neighbours(w, a_block, b_block, count);
    if (!count)
        return;
    if (w->how == EAGER_LANES)
        count = keep_by_lanes(w, a_block, b_block, count);
    else
        count = keep_one_by_one(w, a_block, b_block, count);
    for (size_t i = 0; i < count && w->count + i < w->capacity; i++) {
        uint32_t a = EAGER_BLOCK * a_block + eager_pair_first(w->candidates[i]);
        uint32_t b = EAGER_BLOCK * b_block + eager_pair_second(w->candidates[i]);
        a = w->a->model->triangles[a];
        b = w->b->model->triangles[b];
        w->pairs[w->count + i] = w->self && b < a ? (bench_pair){b, a} : (bench_pair){a, b};
    }
    w->count += count;
}

EAGER_INLINE float overlap_depth(const eager_node *a, uint32_t i, const eager_node *b, uint32_t k)
{
    float least = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        float low = fmaxf(a->low[axis][i], b->low[axis][k]);
        least = fminf(least, fminf(a->high[axis][i], b->high[axis][k]) - low);
    }
    return least;
}

/* Pushes the pairs of children of nodes of the same rank; for the first hit the deepest comes on
 * top.
 */
static void push_children(walk *w, const eager_node *a, const eager_node *b)
{
    uint32_t best = w->stack_count;
    float deepest = -INFINITY;
    uint32_t wanted = w->self && a == b ? EACH_ONCE : 0xffff;
    for (uint32_t left = overlaps(a, b) & wanted; left; left &= left - 1) {
        uint32_t bit = (uint32_t)__builtin_ctz(left);
        w->stack[w->stack_count++] = (bench_pair){a->children[bit / 4], b->children[bit % 4]};
        float depth = w->first ? overlap_depth(a, bit / 4, b, bit % 4) : 0;
        if (depth > deepest) {
            deepest = depth;
            best = w->stack_count - 1;
        }
    }
    if (w->first && best < w->stack_count) {
        bench_pair top = w->stack[best];
        w->stack[best] = w->stack[w->stack_count - 1];
        w->stack[w->stack_count - 1] = top;
    }
}

static void visit_pair(walk *w, bench_pair pair)
{
    uint32_t a_uppers = w->a->model->upper_count, b_uppers = w->b->model->upper_count;
    const eager_node *a = &w->a->nodes[pair.a], *b = &w->b->nodes[pair.b];
    if (pair.a >= a_uppers && pair.b >= b_uppers) {
        test_blocks(w, pair.a - a_uppers, pair.b - b_uppers);
    } else if (pair.a >= a_uppers) {
        const float(*box)[4] = (const float(*)[4])w->a->boxes[pair.a];
        for (uint32_t left = overlaps_box(b, box[0], box[1]); left; left &= left - 1)
            w->stack[w->stack_count++] = (bench_pair){pair.a, b->children[__builtin_ctz(left)]};
    } else if (pair.b >= b_uppers) {
        const float(*box)[4] = (const float(*)[4])w->b->boxes[pair.b];
        for (uint32_t left = overlaps_box(a, box[0], box[1]); left; left &= left - 1)
            w->stack[w->stack_count++] = (bench_pair){a->children[__builtin_ctz(left)], pair.b};
    } else {
        push_children(w, a, b);
    }
}

static size_t find(eager_body *a, eager_body *b, eager_triangles how, bool first, bool self,
                   bench_pair *pairs, size_t capacity)
{
    walk w;
    w.a = a;
    w.b = b;
    w.how = how;
    w.first = first;
    w.self = self;
    w.pairs = pairs;
    w.capacity = capacity;
    w.count = 0;
    w.stack_count = 1;
    w.stack[0] = (bench_pair){0, 0};
    while (w.stack_count && !(first && w.count))
        visit_pair(&w, w.stack[--w.stack_count]);
    return first && w.count ? 1 : w.count;
}

size_t EAGER_ISA(collide)(eager_body *a, eager_body *b, eager_triangles how, bool first,
                          bench_pair *pairs, size_t capacity)
{
    return eager_apart(a, b) ? 0 : find(a, b, how, first, false, pairs, capacity);
}

size_t EAGER_ISA(collide_self)(eager_body *body, bench_pair *pairs, size_t capacity)
{
    return find(body, body, EAGER_LANES, false, true, pairs, capacity);
}
