/* Positions from a simulation of one's own: does the cloth run into itself, or into the ball?
 *
 * A square of cloth falls onto a ball; the simulation is the simplest there is. Its vertices go
 * into a body as they are, every step, and every question is exact for these very floats.
 */
#include <graze/graze.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 48, COUNT = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };

typedef struct cloth {
    float now[COUNT][3], before[COUNT][3];
    uint32_t triangles[TRIANGLES][3];
} cloth;

static const float gap = 2.0f / (SIDE - 1), radius = 0.5f;

static void lay_out(cloth *c)
{
    uint32_t *corner = c->triangles[0];
    for (uint32_t i = 0; i < SIDE; i++)
        for (uint32_t k = 0; k < SIDE; k++) {
            uint32_t v = i * SIDE + k;
            const float at[3] = {(float)i * gap - 1, 0.55f, (float)k * gap - 1};
            memcpy(c->now[v], at, sizeof at);
            memcpy(c->before[v], at, sizeof at);
            if (i + 1 == SIDE || k + 1 == SIDE)
                continue;
            const uint32_t two[6] = {v, v + 1, v + SIDE, v + SIDE, v + 1, v + SIDE + 1};
            memcpy(corner, two, sizeof two);
            corner += 6;
        }
}

/* Keeps two vertices as far apart as they were. */
static void pull(cloth *c, uint32_t a, uint32_t b, float length)
{
    float way[3], square = 0;
    for (int k = 0; k < 3; k++) {
        way[k] = c->now[b][k] - c->now[a][k];
        square += way[k] * way[k];
    }
    float distance = sqrtf(square), share = 0.5f * (1 - length / distance);
    for (int k = 0; k < 3 && distance > 0; k++) {
        c->now[a][k] += share * way[k];
        c->now[b][k] -= share * way[k];
    }
}

/* Nothing goes into the ball, as far as vertices are concerned. */
static void push_out(float p[3])
{
    float length = sqrtf(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    for (int k = 0; k < 3 && length < radius; k++)
        p[k] *= radius / length;
}

static void step(cloth *c, float seconds)
{
    for (uint32_t v = 0; v < COUNT; v++)
        for (int k = 0; k < 3; k++) {
            float next = 1.99f * c->now[v][k] - 0.99f * c->before[v][k];
            c->before[v][k] = c->now[v][k];
            c->now[v][k] = next - (k == 1 ? 9.81f * seconds * seconds : 0);
        }
    for (int round = 0; round < 20; round++)
        for (uint32_t v = 0; v < COUNT; v++) {
            if (v % SIDE + 1 < SIDE)
                pull(c, v, v + 1, gap);
            if (v + SIDE < COUNT)
                pull(c, v, v + SIDE, gap);
            push_out(c->now[v]);
        }
}

int main(void)
{
    static cloth c;
    graze_model_def def = {0};
    graze_model *model = NULL;
    graze_body *body = NULL;
    graze_error error;
    const float middle[3] = {0, 0, 0};
    /* Vertices stay out of the ball; the triangles between them cut into it, but not this deep. */
    graze_shape core = graze_shape_sphere(middle, 0.98f * radius);

    lay_out(&c);
    def.positions = c.now[0];
    def.vertex_count = COUNT;
    def.triangles = c.triangles[0];
    def.triangle_count = TRIANGLES;
    def.joint_count = 1;
    def.no_self_collision = true; /* a table for skins, of no use here */
    if (graze_model_create(&def, &model, &error) || graze_body_create(model, &body, &error))
        return fprintf(stderr, "%s\n", error.text), 1;

    for (int frame = 0; frame < 12; frame++) {
        graze_pair_list pairs = {0};
        graze_triangle_list cut = {0};
        graze_options any = {0};
        any.any = true;
        for (int i = 0; i < 5; i++)
            step(&c, 1.0f / 60);
        if (graze_body_set_positions(body, c.now[0], 0, COUNT, &error) ||
            graze_self_pairs(body, NULL, &pairs, NULL, &error) ||
            graze_touch(body, &core, &cut, &any, &error))
            return fprintf(stderr, "%s\n", error.text), 1;
        printf("%.2f s: %s%s\n", (frame + 1) * 5 / 60.0,
               pairs.total ? "runs into itself" : "smooth",
               cut.total ? ", cuts into the ball" : "");
    }
    graze_body_destroy(body);
    graze_model_destroy(model);
    return 0;
}
