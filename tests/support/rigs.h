/* The characters that tests run on: the procedural ones, and every shared model that is there. */
#ifndef GRAZE_TESTS_SUPPORT_RIGS_H
#define GRAZE_TESTS_SUPPORT_RIGS_H

#include <graze/rig.h>

typedef struct test_rig {
    char name[64]; /* of the file, or the kind of procedural model */
    graze_rig *rig;
} test_rig;

/* Small procedural characters, figures of glTF, then the shared models if their folder is there;
 * made on the first call and kept until the program ends. The number of them is written to *count.
 */
const test_rig *test_rigs(uint32_t *count);

/* The first of them whose name begins so; aborts if there is none. */
const graze_rig *test_rig_called(const char *start);

/* Reads a glTF file (graze_gltf_load); GRAZE_UNSUPPORTED in a build that reads none. */
graze_status test_rig_load(const char *path, graze_rig **rig, graze_error *error);

/* Samples the rig into 12 floats a joint; clip may be GRAZE_NONE. Aborts when out of memory. */
void test_rig_sample(const graze_rig *rig, uint32_t clip, double time, float *joints);

/* A model def and a pose with the rig's displacement fields, each valid until the next call of the
 * same function. They abort when out of memory.
 */
graze_model_def test_rig_def(const graze_rig *rig);
graze_pose test_rig_pose(const graze_rig *rig, uint32_t clip, double time);

/* Half the diagonal of the box around 3 floats a vertex, and its middle. */
double test_extent(const float *positions, uint32_t vertex_count, double middle[3]);

#endif
