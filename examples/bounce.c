/* A physics engine of one's own, on Graze's contacts: balls that fall into a dish, a mesh of
 * triangles, and bounce off it and off each other. The loop that any engine needs is `push_apart`.
 */
#include <graze/ext/response.h>
#include <graze/graze.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BALLS = 6, SIDE = 12 };

static const float step = 1 / 240.0f, radius = 0.1f;

typedef struct ball {
    float at[3], velocity[3];
} ball;

/* For every point of every contact: the ball goes out along the normal by how deep it is, and its
 * speed against it turns round, half of it.
 */
static void push_apart(graze_world *world, graze_point_finder *finder)
{
    size_t event_count;
    graze_contact found[16 * GRAZE_MAX_CONTACT_POINTS];
    graze_contact_list list = {0};
    list.items = found;
    list.capacity = sizeof found / sizeof *found;
    const graze_world_event *events = graze_world_events(world, &event_count);
    for (size_t e = 0; e < event_count; e++) {
        ball *sides[2] = {graze_world_user_data(world, events[e].a),
                          graze_world_user_data(world, events[e].b)};
        if (graze_contact_points(finder, world, &events[e], 0, &list, NULL))
            exit(1);
        for (size_t i = 0; i < list.count; i++) {
            float closing = 0, share = sides[0] && sides[1] ? 0.5f : 1;
            for (int k = 0; k < 3; k++)
                closing -= found[i].normal[k] * ((sides[0] ? sides[0]->velocity[k] : 0) -
                                                 (sides[1] ? sides[1]->velocity[k] : 0));
            for (int s = 0; s < 2; s++)
                for (int k = 0; k < 3 && sides[s]; k++) {
                    float way = (s ? -share : share) * found[i].normal[k];
                    sides[s]->at[k] += way * found[i].depth / (float)list.count;
                    sides[s]->velocity[k] += closing > 0 ? way * 1.5f * closing : 0;
                }
        }
    }
}

/* A square of triangles, lower in the middle. */
static graze_body *make_dish(graze_model **model)
{
    static float positions[(SIDE + 1) * (SIDE + 1)][3];
    static uint32_t triangles[2 * SIDE * SIDE][3];
    graze_model_def def = {0};
    graze_body *body = NULL;
    uint32_t used = 0;
    for (int z = 0; z <= SIDE; z++)
        for (int x = 0; x <= SIDE; x++) {
            float *at = positions[z * (SIDE + 1) + x];
            at[0] = 2 * (float)x / SIDE - 1;
            at[2] = 2 * (float)z / SIDE - 1;
            at[1] = 0.8f * (at[0] * at[0] + at[2] * at[2]);
        }
    for (uint32_t z = 0; z < SIDE; z++)
        for (uint32_t x = 0; x < SIDE; x++) {
            uint32_t a = z * (SIDE + 1) + x, b = a + 1, c = a + SIDE + 1, d = c + 1;
            const uint32_t both[2][3] = {{a, c, b}, {b, c, d}};
            for (int t = 0; t < 2; t++, used++)
                for (int k = 0; k < 3; k++)
                    triangles[used][k] = both[t][k];
        }
    def.positions = positions[0];
    def.vertex_count = (SIDE + 1) * (SIDE + 1);
    def.triangles = triangles[0];
    def.triangle_count = used;
    def.joint_count = 1;
    if (graze_model_create(&def, model, NULL) || graze_body_create(*model, &body, NULL))
        exit(1);
    return body;
}

int main(void)
{
    graze_world *world;
    graze_point_finder *finder;
    graze_model *model;
    graze_body *dish = make_dish(&model);
    graze_world_id ids[BALLS], dish_id;
    ball balls[BALLS];
    graze_world_rule rule = {0};
    rule.contacts = true;
    if (graze_world_create(NULL, &world, NULL) || graze_point_finder_create(NULL, &finder, NULL) ||
        graze_world_set_rule(world, 0, 0, &rule, NULL) ||
        graze_world_add_body(world, dish, NULL, &dish_id, NULL))
        return 1;
    for (int i = 0; i < BALLS; i++) {
        graze_world_member_def def = {0};
        balls[i] = (ball){{0.1f * (float)(i % 3 - 1), 0.5f + 0.25f * (float)i, 0.03f * (float)i},
                          {0, 0, 0}};
        graze_shape shape = graze_shape_sphere(balls[i].at, radius);
        def.user_data = &balls[i];
        if (graze_world_add_shape(world, &shape, &def, &ids[i], NULL))
            return 1;
    }
    for (int s = 0; s < 1200; s++) {
        for (int i = 0; i < BALLS; i++) {
            balls[i].velocity[1] -= 9.81f * step;
            for (int k = 0; k < 3; k++)
                balls[i].at[k] += step * (balls[i].velocity[k] *= 0.9995f);
            graze_shape shape = graze_shape_sphere(balls[i].at, radius);
            graze_world_set_shape(world, ids[i], &shape, NULL);
        }
        if (graze_world_update(world, NULL, NULL))
            return 1;
        push_apart(world, finder);
    }
    int inside = 0;
    for (int i = 0; i < BALLS; i++)
        inside += fabsf(balls[i].at[0]) < 1 && fabsf(balls[i].at[2]) < 1 && balls[i].at[1] > 0 &&
                  balls[i].at[1] < 1;
    printf("%d of %d balls lie in the dish\n", inside, BALLS);
    graze_world_destroy(world);
    graze_point_finder_destroy(finder);
    graze_body_destroy(dish);
    graze_model_destroy(model);
    return 0;
}
