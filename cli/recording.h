/* What moved while a scene was simulated, frame by frame, and as a GLB in the end. */
#ifndef GRAZE_CLI_RECORDING_H
#define GRAZE_CLI_RECORDING_H

#include <graze/animation.h>

struct recording;

struct recording *recording_create(double fps);
void recording_free(struct recording *recording);

/* Adds somebody with a rig, which stays until the recording is freed, or belongs to it. Who is
 * never taken stands as the rig does, turned (quaternion x y z w) and then moved. The name is
 * copied. Does nothing, and returns 0, without a recording.
 */
uint32_t recording_add(struct recording *recording, const char *name, const graze_rig *rig,
                       const double rotation[4], const double at[3]);
uint32_t recording_add_own(struct recording *recording, const char *name, graze_rig *rig,
                           const double rotation[4], const double at[3]);

/* The next frame of one of them: transforms of its nodes, and where it stands (3 rows of 4, rigid;
 * NULL: the identity). Or of a rig of one node where that is. All that move are taken as often.
 */
void recording_take(struct recording *recording, uint32_t number, const graze_rig_local *locals,
                    const float *placement);
void recording_take_node(struct recording *recording, uint32_t number, const double rotation[4],
                         const double at[3]);

/* Writes everybody with one clip, from the first frame to the last, in which no vertex is off by
 * more than the tolerance; told in words, or not. False after printing an error; nothing to do, and
 * true, without a recording.
 */
bool recording_save(struct recording *recording, const char *path, double tolerance, bool told);

#endif
