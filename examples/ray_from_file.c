/* A file from the web, a moment of its first clip, a ray: which joint's part of it is hit? */
#include <graze/gltf.h>
#include <stdio.h>

int main(int count, char **arguments)
{
    graze_rig *rig = NULL;
    graze_model *model = NULL;
    graze_body *body = NULL;
    graze_error error;
    graze_hit hit;
    graze_ray ray = graze_ray_between((float[]){0.3f, 0.8f, -5}, (float[]){0.3f, 0.8f, 5});
    if (graze_gltf_load(count > 1 ? arguments[1] : "man.glb", NULL, &rig, &error) ||
        graze_rig_create_model(rig, NULL, &model, &error) ||
        graze_body_create(model, &body, &error) ||
        graze_rig_pose_body(rig, rig->clip_count ? 0 : GRAZE_NONE, 0.4, NULL, body, &error) ||
        graze_cast(body, &ray, &hit, NULL, &error))
        return fprintf(stderr, "%s\n", error.text), 2;
    printf("%s\n", hit.found ? rig->nodes[rig->joints[hit.joint].node].name : "nothing");
    graze_body_destroy(body);
    graze_model_destroy(model);
    graze_rig_destroy(rig);
    return 0;
}
