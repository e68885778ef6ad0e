/* The smallest program that uses an installed Graze: does a triangle meet its own copy? */
#include <graze/graze.h>

int main(void)
{
    const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t triangle[3] = {0, 1, 2};
    graze_model_def def = graze_default_model_def();
    def.positions = corners, def.vertex_count = 3;
    def.triangles = triangle, def.triangle_count = 1, def.joint_count = 1;
    graze_model *model = NULL;
    graze_body *a = NULL, *b = NULL;
    bool hit = false;
    bool ok = !graze_model_create(&def, &model, NULL) && !graze_body_create(model, &a, NULL) &&
              !graze_body_create(model, &b, NULL) &&
              !graze_collide_first(a, b, &hit, NULL, NULL, NULL);
    graze_body_destroy(b), graze_body_destroy(a), graze_model_destroy(model);
    return ok && hit ? 0 : 1;
}
