/* The times that --time and --times ask for. */
#ifndef GRAZE_CLI_FRAMES_H
#define GRAZE_CLI_FRAMES_H

#include "cli/character.h"

/* The instances whose clips are gone through: one, or two. */
typedef struct cast_list {
    const struct instance *of[2];
    size_t count;
} cast_list;

/* Settles where --times all ends: with the longest clip. False, after printing an error, if there
 * would be too many frames. Before the two below.
 */
bool frames_settle(model_options *options, const cast_list *cast);

uint32_t frame_count(const model_options *options);
double frame_time(const model_options *options, uint32_t frame);

/* Warns of times at which nothing moves any more. */
void frames_warn(const model_options *options, const cast_list *cast);

#endif
