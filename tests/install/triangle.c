/* The smallest program that uses an installed Graze: does a triangle meet its own copy? */
#include <graze/graze.h>

int main(void)
{
    const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t triangle[3] = {0, 1, 2};
    graze_model_def def = {0};
    def.positions = corners, def.vertex_count = 3;
    def.triangles = triangle, def.triangle_count = 1, def.joint_count = 1;
    graze_model *model = NULL;
    graze_body *a = NULL, *b = NULL;
    graze_pair_list found = {0};
    bool ok = !graze_model_create(&def, &model, NULL) && !graze_body_create(model, &a, NULL) &&
              !graze_body_create(model, &b, NULL) && !graze_pairs(a, b, &found, NULL, NULL);
    graze_body_destroy(b), graze_body_destroy(a), graze_model_destroy(model);
    return ok && found.total == 1 ? 0 : 1;
}
