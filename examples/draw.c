/* Debug drawing without a graphics library: a bent tube, a ball that touches it, and an SVG picture
 * of what that question looked at. `draw [FILE.svg]`
 */
#include <graze/ext/draw.h>
#include <graze/graze.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RINGS = 40, SIDES = 16, VERTICES = (RINGS + 1) * SIDES };

typedef struct picture {
    FILE *file;
    int boxes;
} picture;

/* Looked at from the front, a little from above and from the right. */
static void project(const float at[3], double on_page[2])
{
    on_page[0] = 320 + 130 * (at[0] + 0.35 * at[2]);
    on_page[1] = 420 - 130 * (at[1] - 0.25 * at[2]);
}

static void put_line(void *user, const float from[3], const float to[3], uint32_t colour)
{
    double a[2], b[2];
    project(from, a);
    project(to, b);
    fprintf(((picture *)user)->file,
            "<path d='M%.1f %.1fL%.1f %.1f' stroke='#%06x' fill='none'/>\n", a[0], a[1], b[0], b[1],
            colour);
}

static void put_triangle(void *user, const float a[3], const float b[3], const float c[3],
                         uint32_t colour)
{
    double corners[3][2];
    project(a, corners[0]);
    project(b, corners[1]);
    project(c, corners[2]);
    fprintf(((picture *)user)->file,
            "<path d='M%.1f %.1fL%.1f %.1fL%.1f %.1fZ' fill='#%06x' fill-opacity='0.35' "
            "stroke='#%06x' stroke-opacity='0.5' stroke-width='0.4'/>\n",
            corners[0][0], corners[0][1], corners[1][0], corners[1][1], corners[2][0],
            corners[2][1], colour, colour);
}

static void put_sphere(void *user, const float centre[3], float radius, uint32_t colour)
{
    double at[2];
    project(centre, at);
    fprintf(((picture *)user)->file,
            "<circle cx='%.1f' cy='%.1f' r='%.1f' fill='none' stroke='#%06x' stroke-width='2'/>\n",
            at[0], at[1], 130 * radius, colour);
}

/* Twelve edges: corner c has bit k set on the far side of axis k. */
static void put_box(void *user, const graze_box *box, uint32_t colour)
{
    float corners[8][3];
    for (int c = 0; c < 8; c++)
        for (int k = 0; k < 3; k++) {
            corners[c][k] = box->centre[k];
            for (int axis = 0; axis < 3; axis++)
                corners[c][k] +=
                    (c >> axis & 1 ? 1.0f : -1.0f) * box->half[axis] * box->axes[axis][k];
        }
    for (int c = 0; c < 8; c++)
        for (int axis = 0; axis < 3; axis++)
            if (!(c >> axis & 1))
                put_line(user, corners[c], corners[c | 1 << axis], colour);
    ((picture *)user)->boxes++;
}

/* Every ring follows the lower joint, the upper one, or some of both. */
static graze_body *make_tube(graze_model **model)
{
    static float positions[VERTICES][3];
    static uint32_t triangles[2 * RINGS * SIDES][3], offsets[VERTICES + 1];
    static graze_influence influences[2 * VERTICES];
    graze_model_def def = {0};
    graze_body *body = NULL;
    for (uint32_t v = 0; v < VERTICES; v++) {
        float angle = 6.2831853f * (float)(v % SIDES) / SIDES;
        float height = 3 * (float)(v / SIDES) / RINGS;
        float upper = fminf(fmaxf(height - 1, 0), 1);
        positions[v][0] = 0.4f * cosf(angle);
        positions[v][1] = height;
        positions[v][2] = 0.4f * sinf(angle);
        influences[2 * v] = (graze_influence){0, 1 - upper};
        influences[2 * v + 1] = (graze_influence){1, upper};
        offsets[v + 1] = 2 * v + 2;
    }
    for (uint32_t i = 0; i < RINGS * SIDES; i++) {
        uint32_t a = i, b = i / SIDES * SIDES + (i + 1) % SIDES;
        const uint32_t both[2][3] = {{a, a + SIDES, b}, {b, a + SIDES, b + SIDES}};
        for (int t = 0; t < 2; t++)
            for (int k = 0; k < 3; k++)
                triangles[2 * i + (uint32_t)t][k] = both[t][k];
    }
    def.positions = positions[0];
    def.vertex_count = VERTICES;
    def.triangles = triangles[0];
    def.triangle_count = 2 * RINGS * SIDES;
    def.joint_count = 2;
    def.influence_offsets = offsets;
    def.influences = influences;
    if (graze_model_create(&def, model, NULL) || graze_body_create(*model, &body, NULL))
        exit(1);
    return body;
}

int main(int argc, char **argv)
{
    /* The upper joint turns a quarter about the z axis through (0, 1.5, 0). */
    const float joints[2][12] = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
                                 {0, 1, 0, -1.5f, -1, 0, 0, 1.5f, 0, 0, 1, 0}};
    const float centre[3] = {1.5f, 1.1f, 0};
    const char *name = argc > 1 ? argv[1] : "draw.svg";
    picture picture = {fopen(name, "w"), 0};
    graze_draw draw = {0};
    graze_pose pose = {0};
    graze_triangle_list found = {0};
    graze_shape ball = graze_shape_sphere(centre, 0.3f);
    graze_model *model;
    graze_body *body = make_tube(&model);
    draw.line = put_line;
    draw.box = put_box;
    draw.sphere = put_sphere;
    draw.triangle = put_triangle;
    draw.user = &picture;
    pose.joints = joints[0];
    pose.joint_count = 2;
    if (!picture.file || graze_body_set_pose(body, &pose, NULL) ||
        graze_touch(body, &ball, &found, NULL, NULL))
        return 1;
    fprintf(picture.file, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='180 60 460 460' "
                          "style='background:#16181b'>\n");
    graze_draw_body(&draw, body, NULL);
    graze_draw_patches(&draw, body, NULL);
    graze_draw_bounds(&draw, body, GRAZE_NONE, true, NULL);
    graze_draw_shape(&draw, &ball, NULL);
    fprintf(picture.file, "</svg>\n");
    printf("%s: the ball touches %zu triangles; %d of %u leaves were bounded for that\n", name,
           found.total, picture.boxes, graze_model_get_info(model).leaf_count);
    fclose(picture.file);
    graze_body_destroy(body);
    graze_model_destroy(model);
    return 0;
}
