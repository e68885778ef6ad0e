/* What the native library answers, for web/graze to answer too: writes NUMBER.json and NUMBER.bin
 * into the folder GRAZE_WEB_ANSWERS for every test character and every skinning: the model as
 * arrays, poses in columns, and of each pose the positions and what queries say.
 */
#include "harness.h"
#include "support/rigs.h"
#include "web/write.h"

#include <graze/graze.h>
#include <graze/rig.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 3, RAYS = 24, MOST = 1 << 20, LARGEST = 60000 };

static int by_pair(const void *left, const void *right)
{
    const graze_pair *x = left, *y = right;
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : x->b < y->b ? -1 : x->b > y->b;
}

/* Rays from all round the body through its middle, most of which hit. */
static void put_rays(graze_body *body, const float *positions, uint32_t vertices, uint32_t frame)
{
    double middle[3], size = test_extent(positions, vertices, middle);
    float rays[RAYS][6];
    graze_hit hits[RAYS];
    graze_error error;
    uint32_t random = 1 + frame, found[RAYS];
    float at[RAYS];
    for (uint32_t r = 0; r < RAYS; r++) {
        graze_ray ray = {.dir = {0, 0, 1}, .t_max = INFINITY};
        for (int k = 0; k < 3; k++) {
            random = random * 1664525 + 1013904223;
            double out = (double)(random >> 8) / (1 << 24) - 0.5;
            random = random * 1664525 + 1013904223;
            double aim = (double)(random >> 8) / (1 << 24) - 0.5;
            rays[r][k] = ray.origin[k] = (float)(middle[k] + 6 * size * out);
            rays[r][3 + k] = ray.dir[k] =
                (float)(middle[k] + 0.6 * size * aim - (middle[k] + 6 * size * out));
        }
        web_check(graze_cast(body, &ray, &hits[r], NULL, &error), &error);
        found[r] = hits[r].found ? hits[r].triangle : UINT32_MAX;
        at[r] = hits[r].t;
    }
    web_put_of("rays", frame, 'f', rays, RAYS * 6);
    web_put_of("hits", frame, 'u', found, RAYS);
    web_put_of("times", frame, 'f', at, RAYS);
}

static void put_pairs(const char *name, uint32_t frame, const graze_pair_list *found)
{
    if (found->total > MOST)
        abort();
    qsort(found->items, found->count, sizeof *found->items, by_pair);
    uint32_t *words = web_take(2 * found->count, sizeof *words);
    for (size_t i = 0; i < found->count; i++)
        words[2 * i] = found->items[i].a, words[2 * i + 1] = found->items[i].b;
    web_put_of(name, frame, 'u', words, 2 * found->count);
    free(words);
}

static void put_frame(const graze_rig *rig, graze_body *a, graze_body *b, uint32_t frame)
{
    uint32_t clip = rig->clip_count ? frame % rig->clip_count : GRAZE_NONE;
    double seconds = rig->clip_count ? rig->clips[clip].seconds : 0;
    float *rows = web_take((size_t)rig->joint_count * 12, 4),
          *columns = web_take((size_t)rig->joint_count * 16, 4);
    float *weights = web_take(rig->morph_count, 4),
          *positions = web_take((size_t)rig->vertex_count * 3, 4);
    graze_pair_list found = {.items = web_take(MOST, sizeof(graze_pair)), .capacity = MOST};
    graze_error error = {0};
    if (graze_rig_sample(rig, clip, seconds * (0.2 + 0.27 * frame), rows, weights))
        abort();
    web_to_columns(rows, rig->joint_count, columns);
    graze_pose pose = {.joints = columns,
                       .joint_count = rig->joint_count,
                       .layout = GRAZE_COLUMNS_4X4,
                       .morph_weights = weights,
                       .morph_count = rig->morph_count};
    web_check(graze_body_set_pose(a, &pose, &error), &error);
    graze_body_get_positions(a, positions);
    double middle[3], size = test_extent(positions, rig->vertex_count, middle);
    float placement[16] = {0.8f, 0, 0.6f, 0, 0, 1, 0, 0, -0.6f, 0, 0.8f, 0, 0, 0, 0, 1};
    placement[12] = (float)(0.1 * size * (frame + 1));
    pose.placement = placement;
    web_check(graze_body_set_pose(b, &pose, &error), &error);
    web_put_of("matrices", frame, 'f', columns, 16 * (size_t)rig->joint_count);
    web_put_of("weights", frame, 'f', weights, rig->morph_count);
    web_put_of("posed", frame, 'f', positions, 3 * (size_t)rig->vertex_count);
    put_rays(a, positions, rig->vertex_count, frame);
    web_put_of("placement", frame, 'f', placement, 16);
    graze_body_get_positions(b, positions);
    web_put_of("placed", frame, 'f', positions, 3 * (size_t)rig->vertex_count);
    web_check(graze_pairs(a, b, &found, NULL, &error), &error);
    put_pairs("pairs", frame, &found);
    web_check(graze_self_pairs(a, NULL, &found, NULL, &error), &error);
    put_pairs("self", frame, &found);
    web_check(graze_self_pairs(a, NULL, &found, &(graze_options){.only_new = true}, &error),
              &error);
    put_pairs("new", frame, &found);
    graze_nearest nearest;
    web_check(graze_distance(a, b, 1e30, &nearest, NULL, &error), &error);
    fprintf(web_json, ",\n \"distance%u\": %.17g", frame, nearest.distance);
    free(rows);
    free(columns);
    free(weights);
    free(positions);
    free(found.items);
}

static void put_case(const char *folder, uint32_t number, const test_rig *subject,
                     graze_skinning skinning)
{
    static const char *const names[] = {"linear", "spherical", "dual"};
    graze_error error;
    graze_model *model = NULL;
    graze_body *bodies[2];
    web_begin(folder, number);
    fprintf(web_json, "{\"name\": \"%s\", \"skinning\": \"%s\", \"frames\": %d", subject->name,
            names[skinning], FRAMES);
    web_put_model(subject->rig);
    graze_model_def def = graze_rig_model_def(subject->rig);
    def.skinning = skinning;
    web_check(graze_rig_create_model(subject->rig, &def, &model, &error), &error);
    for (int i = 0; i < 2; i++)
        web_check(graze_body_create(model, &bodies[i], &error), &error);
    for (uint32_t frame = 0; frame < FRAMES; frame++)
        put_frame(subject->rig, bodies[0], bodies[1], frame);
    for (int i = 0; i < 2; i++)
        graze_body_destroy(bodies[i]);
    graze_model_destroy(model);
    web_end();
}

TEST(native_answers)
{
    const char *folder = getenv("GRAZE_WEB_ANSWERS");
    uint32_t rig_count, number = 0;
    CHECK_MSG(folder, "GRAZE_WEB_ANSWERS names the folder to write to");
    const test_rig *rigs = test_rigs(&rig_count);
    for (uint32_t r = 0; folder && r < rig_count; r++)
        for (int skinning = GRAZE_LINEAR; skinning <= GRAZE_DUAL; skinning++)
            if (rigs[r].rig->triangle_count <= LARGEST)
                put_case(folder, number++, &rigs[r], (graze_skinning)skinning);
    CHECK(number > 0);
}
