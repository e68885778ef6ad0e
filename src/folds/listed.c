/* Listed pairs: how much all corners of two triangles may move before it is no longer certain that
 * they meet, or that they do not.
 *
 * An edge (a, b) that crosses a triangle (t0, t1, t2) is a matter of the signs of five determinants
 * D = det(x, y, z) of differences of four points. If each point moves by at most m, differences
 * change by at most 2 m. The part of the change of D that is linear in the moves is at most m times
 * F, twice the area of the four faces of the tetrahedron: that is the gradient by each corner.
 * Three terms have two changed differences, at most (2 m)^2 l each, where no difference is longer
 * than l, and one has three, (2 m)^3. For m <= l / 8 that is below 13 m^2 l. So D keeps its sign if
 * m F <= 0.9 |D| and 13 m^2 l <= 0.09 |D|; and if all five do, the edge still crosses.
 */
#include "folds/listed.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/rounding.h"
#include "narrow/distance.h"
#include "narrow/triangle.h"

#include <stdlib.h>
#include <string.h>

bool grazei_add_listed(grazei_fold_builder *b, uint16_t pair, uint8_t clear)
{
    grazei_folds *folds = b->folds;
    size_t need = (size_t)folds->listed_count + 1;
    uint16_t *listed =
        grazei_grow(b->allocator, folds->listed, &b->listed_capacity, need, sizeof *listed);
    if (!listed)
        return false;
    folds->listed = listed;
    uint8_t *clears =
        grazei_grow(b->allocator, folds->clear, &b->clear_capacity, need, sizeof *clears);
    if (!clears)
        return false;
    folds->clear = clears;
    folds->listed[folds->listed_count] = pair;
    folds->clear[folds->listed_count++] = clear;
    return true;
}

/* The one piece of two triangles of two patches. */
static uint32_t piece_of_pair(const grazei_fold_builder *b, uint32_t p, uint32_t q, uint16_t pair)
{
    const grazei_patch *patches = b->tree->patches;
    uint32_t s = b->triangle_pieces[patches[p].first_triangle + grazei_pair_first(pair)];
    uint32_t t = b->triangle_pieces[patches[q].first_triangle + grazei_pair_second(pair)];
    return s == t ? s : GRAZEI_NO_PIECE;
}

static int by_key(const void *left, const void *right)
{
    const uint64_t *x = left, *y = right;
    return *x < *y ? -1 : *x > *y;
}

static bool add_run(grazei_fold_builder *b, uint32_t piece, bool meet)
{
    grazei_folds *folds = b->folds;
    grazei_listed_run *larger = grazei_grow(b->allocator, folds->runs, &b->run_capacity,
                                            (size_t)folds->run_count + 1, sizeof *larger);
    if (!larger)
        return false;
    folds->runs = larger;
    folds->runs[folds->run_count++] = (grazei_listed_run){.piece = piece, .meet = meet};
    return true;
}

/* A key is the piece, whether they miss each other, how unclear that is, and the pair. The first
 * two make a run.
 */
bool grazei_sort_listed(grazei_fold_builder *b, uint32_t p, const grazei_near *near)
{
    grazei_folds *folds = b->folds;
    if (near->listed_count == 0)
        return true;
    uint16_t *pairs = folds->listed + near->first_listed;
    uint8_t *clear = folds->clear + near->first_listed;
    uint64_t *keys = b->listed_keys;
    GRAZE_ASSERT(near->listed_count <= sizeof b->listed_keys / sizeof *b->listed_keys);
    for (uint32_t i = 0; i < near->listed_count; i++)
        keys[i] = (uint64_t)piece_of_pair(b, p, near->patch, pairs[i]) << 32 |
                  (uint64_t)(uint8_t)~clear[i] << 16 | pairs[i];
    qsort(keys, near->listed_count, sizeof *keys, by_key);
    for (uint32_t i = 0; i < near->listed_count; i++) {
        clear[i] = (uint8_t) ~(keys[i] >> 16);
        pairs[i] = (uint16_t)keys[i];
        if ((i == 0 || keys[i] >> 23 != keys[i - 1] >> 23) &&
            !add_run(b, (uint32_t)(keys[i] >> 32), clear[i] & GRAZEI_MEETS))
            return false;
        GRAZE_ASSERT(folds->run_count > near->first_run);
        folds->runs[folds->run_count - 1].count++;
        folds->runs[folds->run_count - 1].least = clear[i] & (uint8_t)~GRAZEI_MEETS;
    }
    return true;
}

typedef const float corner_floats[3];

static double length_of_cross(const double a[3], const double b[3], double sum[3])
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double c = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
        sum[k] += c;
        square += c * c;
    }
    return sqrt(square);
}

/* The determinant of four points, and how far they may move while it keeps its sign. Double loses
 * less than 1e-14 l^3 of the one, and less of the other than is left of 0.9 and 0.09.
 */
typedef struct volume {
    double value, room;
} volume;

static volume volume_of(corner_floats *o, corner_floats *a, corner_floats *b, corner_floats *c,
                        double l)
{
    double x[3], y[3], z[3], sum[3] = {0, 0, 0}, value = 0;
    for (int k = 0; k < 3; k++) {
        x[k] = (double)(*a)[k] - (double)(*o)[k];
        y[k] = (double)(*b)[k] - (double)(*o)[k];
        z[k] = (double)(*c)[k] - (double)(*o)[k];
    }
    double faces = length_of_cross(x, y, sum);
    for (int k = 0; k < 3; k++)
        value += sum[k] * z[k];
    faces += length_of_cross(y, z, sum) + length_of_cross(z, x, sum);
    faces += sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    double size = fabs(value) - 1e-14 * l * l * l;
    double room = size > 0 ? grazei_lower(0.9 * size / faces, sqrt(0.09 / 13 * size / l)) : 0;
    return (volume){value, grazei_lower(room, l / 8)};
}

/* How far all corners may move while an edge of s surely crosses t; 0 if none does. */
static double room_to_cross(const float s[3][3], const float t[3][3], double l)
{
    volume sides[3];
    double best = 0;
    for (int c = 0; c < 3; c++)
        sides[c] = volume_of(&t[0], &t[1], &t[2], &s[c], l);
    for (int c = 0; c < 3; c++) {
        corner_floats *a = &s[c], *b = &s[(c + 1) % 3];
        const volume *from = &sides[c], *to = &sides[(c + 1) % 3];
        double room = grazei_lower(from->room, to->room);
        int left = 0;
        if (!(room > best) || (from->value > 0) == (to->value > 0))
            continue;
        for (int k = 0; k < 3; k++) {
            volume turn = volume_of(a, b, &t[k], &t[(k + 1) % 3], l);
            room = grazei_lower(room, turn.room);
            left += turn.value > 0;
        }
        best = left % 3 == 0 ? grazei_higher(best, room) : best;
    }
    return best;
}

static double longest_way(const float s[3][3], const float t[3][3])
{
    double longest = 0;
    const float *corners[6] = {s[0], s[1], s[2], t[0], t[1], t[2]};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < i; k++) {
            double x = (double)corners[i][0] - (double)corners[k][0];
            double y = (double)corners[i][1] - (double)corners[k][1];
            double z = (double)corners[i][2] - (double)corners[k][2];
            longest = grazei_higher(longest, x * x + y * y + z * z);
        }
    return sqrt(longest) * (1 + 1e-9);
}

static double room_to_meet(const float s[3][3], const float t[3][3])
{
    double l = longest_way(s, t);
    return grazei_higher(room_to_cross(s, t, l), room_to_cross(t, s, l)) * (1 - 1e-9);
}

/* The lower bits of grazei_folds.clear: 0 where nothing can be said. */
static uint8_t clear_bits(double room)
{
    int exponent;
    if (!(room > 0))
        return 0;
    frexp(room, &exponent); /* room is at least 2^(exponent - 1) */
    int bits = exponent - 1 + GRAZEI_CLEAR_BIAS;
    return (uint8_t)(bits < 1 ? 0 : bits > 127 ? 127 : bits);
}

float grazei_rest_distance(const grazei_rest_triangle *s, const grazei_rest_triangle *t,
                           float limit, uint8_t *clear)
{
    float a[3][3], b[3][3];
    for (int c = 0; c < 3; c++) {
        f4_store3(a[c], s->corners[c]);
        f4_store3(b[c], t->corners[c]);
    }
    double distance =
        sqrt(grazei_triangle_distance_square((const float(*)[3])a, (const float(*)[3])b)) *
        (1 - 1e-9);
    float down = grazei_round_down(distance);
    if (down > limit)
        return down;
    /* The distance is off by 2^-49 of the box around both, at most: far above that they miss. */
    bool misses = distance > 1e-9 * longest_way((const float(*)[3])a, (const float(*)[3])b);
    if (misses)
        *clear = clear_bits(distance);
    else if (grazei_triangles_meet((const float(*)[3])a, (const float(*)[3])b))
        *clear = (uint8_t)(GRAZEI_MEETS |
                           clear_bits(room_to_meet((const float(*)[3])a, (const float(*)[3])b)));
    else
        *clear = 0;
    return down;
}
