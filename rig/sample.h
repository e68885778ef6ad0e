/* What the files of the rig library share. */
#ifndef GRAZEI_RIG_SAMPLE_H
#define GRAZEI_RIG_SAMPLE_H

#include <graze/animation.h>

/* As the functions without the i, without checks of pointers and error texts. */
graze_status grazei_rig_sample_locals(const graze_rig *rig, uint32_t clip, double time,
                                      graze_rig_local *locals, float *morph_weights);
graze_status grazei_rig_compose(const graze_rig *rig, const graze_rig_local *locals, float *joints);

/* What to call nodes: names of theirs, and made ones for those without. NULL if all have names. */
graze_status grazei_rig_paths(const graze_rig *rig, graze_part_names **paths, graze_error *error);

/* count things of a size, at least a byte; NULL if there is no memory for them. */
void *grazei_rig_allocate(const graze_rig *rig, size_t count, size_t size);
void grazei_rig_release(const graze_rig *rig, void *memory);

/* Errors with a text. */
graze_status grazei_rig_fail(graze_error *error, graze_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Why sampling this clip at this time failed with this status; GRAZE_OK stays. */
graze_status grazei_rig_fail_sample(const graze_rig *rig, uint32_t clip, double time,
                                    graze_status status, graze_error *error);

#endif
