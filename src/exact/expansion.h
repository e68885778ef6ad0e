/* Exact sums of doubles, as expansions: a number is the unevaluated sum of nonoverlapping doubles.
 *
 * The ideas are those of Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
 * Geometric Predicates", Discrete & Computational Geometry 18, 1997: two-sum (section 2.3, Knuth),
 * splitting (section 2.5, Dekker and Veltkamp), grow-expansion (section 2.4, theorem 10).
 *
 * Two facts about float32 input keep this short:
 *  - A product of two floats has at most 48 bits, so it is exact in a double.
 *  - Every float is a multiple of 2^-149 and below 2^60 in magnitude (1e18 < 2^60). Products of
 *    three are multiples of 2^-447 and below 2^180, and so are all roundoffs of sums of them.
 * Nothing comes near the limits of a double, 2^-1022 and 2^1024: there is no underflow and no
 * overflow.
 *
 * The arithmetic must round to nearest, to double, and must not be contracted: -ffp-contract=off.
 */
#ifndef GRAZEI_EXACT_EXPANSION_H
#define GRAZEI_EXACT_EXPANSION_H

#include <float.h>

#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1
#error "exact predicates need doubles that are rounded to double after every operation"
#endif

/* The most terms one sum may take: 24 products of three floats, each in two halves. */
#define GRAZEI_EXACT_TERMS 48

/* The sum of its terms, exactly. The terms are nonzero, nonoverlapping and of increasing magnitude,
 * so the last one has the sign of the sum.
 */
typedef struct grazei_exact_sum {
    int count;
    double term[GRAZEI_EXACT_TERMS];
} grazei_exact_sum;

/* a + b - total, exactly, where total is the rounded sum a + b: two-sum, whichever is larger. */
static inline double grazei_roundoff(double a, double b, double total)
{
    double b_part = total - a;
    double a_part = total - b_part;
    return (a - a_part) + (b - b_part);
}

/* Adds x exactly: grow-expansion, dropping zeros. */
static inline void grazei_exact_add(grazei_exact_sum *sum, double x)
{
    double carry = x;
    int kept = 0;
    for (int i = 0; i < sum->count; ++i) {
        double total = carry + sum->term[i];
        double roundoff = grazei_roundoff(carry, sum->term[i], total);
        if (roundoff != 0)
            sum->term[kept++] = roundoff;
        carry = total;
    }
    if (carry != 0)
        sum->term[kept++] = carry;
    sum->count = kept;
}

/* Adds sign * x * y * z exactly, sign being 1 or -1. With p = x * y (exact, 48 bits) split into a
 * head of 26 bits and a tail of at most 26 bits (Veltkamp, constant 2^27 + 1), head * z and tail *
 * z have at most 50 bits each and are exact too.
 */
static inline void grazei_exact_add_product(grazei_exact_sum *sum, double sign, float x, float y,
                                            float z)
{
    double product = sign * x * y;
    double scaled = 134217729.0 * product;
    double head = scaled - (scaled - product);
    double tail = product - head;
    grazei_exact_add(sum, tail * z);
    grazei_exact_add(sum, head * z);
}

/* Adds sign times the determinant of the rows a, b and c, exactly. */
static inline void grazei_exact_add_determinant(grazei_exact_sum *sum, double sign,
                                                const float a[3], const float b[3],
                                                const float c[3])
{
    static const int next_axis[3] = {1, 2, 0};
    for (int i = 0; i < 3; ++i) {
        int j = next_axis[i], k = next_axis[j];
        grazei_exact_add_product(sum, sign, a[i], b[j], c[k]);
        grazei_exact_add_product(sum, -sign, a[i], b[k], c[j]);
    }
}

static inline int grazei_exact_sign(const grazei_exact_sum *sum)
{
    if (sum->count == 0)
        return 0;
    return sum->term[sum->count - 1] > 0 ? 1 : -1;
}

/* The nearest double, or one close to it: the terms do not overlap, so from small to large only the
 * last additions round.
 */
static inline double grazei_exact_value(const grazei_exact_sum *sum)
{
    double value = 0;
    for (int i = 0; i < sum->count; ++i)
        value += sum->term[i];
    return value;
}

#endif
