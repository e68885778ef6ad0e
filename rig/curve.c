/* Key interpolation as in the glTF 2.0 specification, appendix C. */
#include "curve.h"

#include <math.h>

grazei_rig_span grazei_rig_find_span(const graze_rig_channel *channel, double time)
{
    uint32_t low = 0, high = channel->key_count - 1;
    grazei_rig_span span = {0, 0, 0};
    if (!(time >= channel->times[0]))
        return span;
    while (low < high) { /* the last key that is not after time */
        uint32_t middle = low + (high - low + 1) / 2;
        if (channel->times[middle] <= time)
            low = middle;
        else
            high = middle - 1;
    }
    span.key = low;
    if (low + 1 == channel->key_count)
        return span;
    span.length = (double)channel->times[low + 1] - channel->times[low];
    span.fraction = (time - channel->times[low]) / span.length;
    return span;
}

static double hermite(double from, double from_tangent, double to, double to_tangent, double t,
                      double length)
{
    double t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * from + length * (t3 - 2 * t2 + t) * from_tangent +
           (3 * t2 - 2 * t3) * to + length * (t3 - t2) * to_tangent;
}

double grazei_rig_component(const graze_rig_channel *channel, const grazei_rig_span *span,
                            uint32_t width, uint32_t component)
{
    bool cubic = channel->interpolation == GRAZE_RIG_CUBICSPLINE;
    size_t key_size = (size_t)width * (cubic ? 3 : 1);
    const float *value = channel->values + span->key * key_size + (cubic ? width : 0) + component;
    if (span->fraction == 0 || channel->interpolation == GRAZE_RIG_STEP)
        return value[0];
    const float *next = value + key_size;
    if (cubic) /* out-tangent of this key, in-tangent of the next */
        return hermite(value[0], value[width], next[0], *(next - width), span->fraction,
                       span->length);
    return value[0] + span->fraction * ((double)next[0] - value[0]);
}

void grazei_rig_normalise(double quaternion[4])
{
    double squared = 0;
    for (int i = 0; i < 4; i++)
        squared += quaternion[i] * quaternion[i];
    bool usable = squared > 0 && isfinite(squared);
    double scale = usable ? 1 / sqrt(squared) : 0;
    for (int i = 0; i < 4; i++)
        quaternion[i] = usable ? quaternion[i] * scale : i == 3;
}

/* Sine and arc cosine by operations that round alike everywhere, so that clips give the same floats
 * on every machine: of C libraries each has its own last bits.
 */

/* From 0 to pi / 2: the series, whose next term is below 2e-18 of the first. */
static double sine(double x)
{
    double x2 = x * x, sum = 1;
    for (int k = 20; k >= 2; k -= 2)
        sum = 1 - x2 / (k * (k + 1)) * sum;
    return x * sum;
}

/* From 0 to 1: twice the arc tangent of the half angle's tangent, which is halved two more times
 * for the series.
 */
static double arc_cosine(double cosine)
{
    double tangent = sqrt((1 - cosine) / (1 + cosine)), sum = 0;
    for (int i = 0; i < 2; i++)
        tangent = tangent / (1 + sqrt(1 + tangent * tangent));
    double squared = tangent * tangent;
    for (int k = 25; k >= 1; k -= 2)
        sum = 1.0 / k - squared * sum;
    return 8 * tangent * sum;
}

static void slerp(const float *from, const float *to, double t, double result[4])
{
    double a[4] = {from[0], from[1], from[2], from[3]};
    double b[4] = {to[0], to[1], to[2], to[3]};
    grazei_rig_normalise(a);
    grazei_rig_normalise(b);
    double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    double sign = cosine < 0 ? -1 : 1;
    double share_a = 1 - t, share_b = t;
    cosine *= sign;
    if (cosine < 1 - 1e-12) { /* closer than that a straight line is the arc */
        double angle = arc_cosine(cosine), whole = sine(angle);
        share_a = sine((1 - t) * angle) / whole;
        share_b = sine(t * angle) / whole;
    }
    for (int i = 0; i < 4; i++)
        result[i] = share_a * a[i] + share_b * sign * b[i];
}

void grazei_rig_rotation(const graze_rig_channel *channel, const grazei_rig_span *span,
                         double quaternion[4])
{
    if (channel->interpolation == GRAZE_RIG_LINEAR && span->fraction > 0) {
        const float *value = channel->values + (size_t)span->key * 4;
        slerp(value, value + 4, span->fraction, quaternion);
    } else {
        for (uint32_t i = 0; i < 4; i++)
            quaternion[i] = grazei_rig_component(channel, span, 4, i);
    }
    grazei_rig_normalise(quaternion);
}
