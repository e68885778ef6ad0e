/* A simulation that was stopped, as a file: what was asked for, and the state that it was in. */
#ifndef GRAZE_CLI_SIMULATE_STATE_H
#define GRAZE_CLI_SIMULATE_STATE_H

#include "cli/simulate_scenes.h"

typedef struct simulate_state {
    simulate_options options; /* those the scene was made with; no pool */
    void *bytes;              /* graze_sim_save's; NULL: none */
    size_t size;
} simulate_state;

/* Reads a file that simulate_state_write left; the checksum covers all of it. False, with nothing
 * to free, after printing what is wrong with it.
 */
bool simulate_state_read(simulate_state *state, const char *path);
void simulate_state_free(simulate_state *state);

/* Whether a file can be written beside this place, before hours of work: false, with why in reason,
 * if not.
 */
bool simulate_place_check(const char *path, char reason[200]);

/* Writes the file beside its place, to the disk, and then into its place: whatever happens, what is
 * there is the old one or the new one, whole. Devices and pipes are written in place. False, with
 * why in reason, if that failed.
 */
bool simulate_state_write(const simulate_scene *scene, const char *path, char reason[200]);

#endif
