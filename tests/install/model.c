/* Reads a character from a glTF file and poses it: needs graze::gltf, graze::rig and the core. */
#include <graze/gltf.h>
#include <graze/graze.h>

#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    graze_error error = {GRAZE_OK, "no file was named"};
    graze_rig *rig = NULL;
    graze_model *model = NULL;
    graze_body *body = NULL;
    if (count != 2 || graze_gltf_load(arguments[1], NULL, &rig, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    graze_model_def def = graze_rig_model_def(rig);
    float *joints = malloc((rig->joint_count + 1) * 12 * sizeof *joints);
    float *weights = malloc((rig->morph_count + 1) * sizeof *weights);
    bool ok = joints && weights && !graze_model_create(&def, &model, NULL) &&
              !graze_body_create(model, &body, NULL) &&
              !graze_rig_sample(rig, 0, 0.25, joints, weights);
    if (ok) {
        graze_pose pose = {0};
        pose.joints = joints, pose.joint_count = rig->joint_count;
        ok = !graze_body_set_pose(body, &pose, NULL);
    }
    graze_body_destroy(body), graze_model_destroy(model), graze_rig_destroy(rig);
    free(weights), free(joints);
    return ok ? 0 : 1;
}
