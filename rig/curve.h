/* One animated property at one time. Private to the rig library. */
#ifndef GRAZEI_RIG_CURVE_H
#define GRAZEI_RIG_CURVE_H

#include <graze/rig.h>

/* Where a time falls among a channel's keys: between key and key + 1, at fraction in [0, 1) of an
 * interval of length seconds; at or beyond either end fraction is 0 and key holds the value.
 */
typedef struct grazei_rig_span {
    uint32_t key;
    double fraction;
    double length;
} grazei_rig_span;

grazei_rig_span grazei_rig_find_span(const graze_rig_channel *channel, double time);

/* Component c of width components a key, every kind of interpolation, as plain numbers. */
double grazei_rig_component(const graze_rig_channel *channel, const grazei_rig_span *span,
                            uint32_t width, uint32_t component);

/* The rotation as a unit quaternion: LINEAR goes along the shorter arc. */
void grazei_rig_rotation(const graze_rig_channel *channel, const grazei_rig_span *span,
                         double quaternion[4]);

/* Scales to length 1; what has no direction becomes the identity. */
void grazei_rig_normalise(double quaternion[4]);

#endif
