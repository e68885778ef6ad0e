/* The native library's time for the questions that queries.mjs asks of the package:
 * `native_queries FOLDER [SKINNING:]MODEL.glb ...` writes the models and poses to FOLDER, as
 * tests/web/write.h does, and then answers lines "MODEL CASE ISA" (numbers; ISA 0: the widest, 1:
 * SSE2) with the nanoseconds that the case took over all poses and a number that says what was
 * found.
 */
#include "web/write.h"

#include <graze/gltf.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FRAMES = 8, RAYS = 16, MOST = 1 << 18, MODELS = 8, ISAS = 2 };

typedef enum question { RAY, MORE_RAYS, APART, TOUCHING, DEEP, FIRST, SELF, DISTANCE } question;

typedef struct frame {
    float *joints, *weights;
    float rays[RAYS][6];
    float placements[3][16]; /* apart, touching, deep */
} frame;

typedef struct subject {
    graze_rig *rig;
    graze_body *bodies[ISAS][2];
    frame frames[FRAMES];
} subject;

static subject subjects[MODELS];
static graze_pair pairs[MOST];

static void pose(const subject *s, const frame *f, graze_body *body, const float *placement)
{
    graze_error error;
    const graze_pose to = {.joints = f->joints,
                           .joint_count = s->rig->joint_count,
                           .layout = GRAZE_COLUMNS_4X4,
                           .placement = placement,
                           .morph_weights = f->weights,
                           .morph_count = s->rig->morph_count};
    web_check(graze_body_set_pose(body, &to, &error), &error);
}

/* Half the diagonal of the box of positions. */
static double extent(const subject *s, const float *positions)
{
    double squared = 0;
    for (int k = 0; k < 3; k++) {
        double low = positions[k], high = low;
        for (uint32_t v = 0; v < s->rig->vertex_count; v++) {
            low = fmin(low, positions[3 * v + k]);
            high = fmax(high, positions[3 * v + k]);
        }
        squared += 0.25 * (high - low) * (high - low);
    }
    return sqrt(squared);
}

/* All pairs of two bodies, or of one with itself (b NULL), or whether there is one. */
static size_t find_pairs(graze_body *a, graze_body *b, bool any)
{
    const graze_options how = {.any = any};
    graze_pair_list found = {.items = pairs, .capacity = MOST};
    graze_error error;
    web_check(b ? graze_pairs(a, b, &found, &how, &error)
                : graze_self_pairs(a, NULL, &found, &how, &error),
              &error);
    return found.total;
}

/* Beside the first along x: farther than both are wide, as far as they just meet, a tenth of it. */
static void place(const subject *s, frame *f, double size)
{
    double near = 0, far = 3 * size;
    float at[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    for (int i = 0; i < 24; i++) {
        at[12] = (float)(0.5 * (near + far));
        pose(s, f, s->bodies[0][1], at);
        *(find_pairs(s->bodies[0][0], s->bodies[0][1], true) ? &near : &far) = at[12];
    }
    const double offsets[3] = {3 * size, 0.98 * near, 0.1 * near};
    for (int i = 0; i < 3; i++) {
        memcpy(f->placements[i], at, sizeof at);
        f->placements[i][12] = (float)offsets[i];
    }
}

/* From all round to the middle of some triangle. */
static void make_rays(const subject *s, frame *f, uint32_t number, const float *positions,
                      double size)
{
    for (uint32_t r = 0; r < RAYS; r++) {
        uint32_t turn = RAYS * number + r;
        double angle = 2.4 * turn;
        const double out[3] = {3 * cos(angle), 0.9, 3 * sin(angle)};
        const uint32_t *corners =
            s->rig->triangles + 3 * ((turn * UINT64_C(7919)) % s->rig->triangle_count);
        for (int k = 0; k < 3; k++) {
            double aim = 0;
            for (int c = 0; c < 3; c++)
                aim += positions[3 * (size_t)corners[c] + k] / 3.0;
            f->rays[r][k] = (float)(aim + size * out[k]);
            f->rays[r][3 + k] = (float)(-size * out[k]);
        }
    }
}

static void fill_frame(subject *s, uint32_t number)
{
    static const char *const names[] = {"apart", "touching", "deep"};
    frame *f = &s->frames[number];
    uint32_t joints = s->rig->joint_count;
    double seconds = s->rig->clip_count ? s->rig->clips[0].seconds : 0;
    float *rows = web_take(12 * (size_t)joints, 4);
    f->joints = web_take(16 * (size_t)joints, 4);
    f->weights = web_take(s->rig->morph_count, 4);
    if (graze_rig_sample(s->rig, s->rig->clip_count ? 0 : GRAZE_NONE,
                         seconds * (number + 0.5) / FRAMES, rows, f->weights))
        abort();
    web_to_columns(rows, joints, f->joints);
    free(rows);
    pose(s, f, s->bodies[0][0], NULL);
    float *positions = web_take(3 * (size_t)s->rig->vertex_count, 4);
    graze_body_get_positions(s->bodies[0][0], positions);
    double size = extent(s, positions);
    place(s, f, size);
    make_rays(s, f, number, positions, size);
    free(positions);
    web_put_of("matrices", number, 'f', f->joints, 16 * (size_t)joints);
    web_put_of("weights", number, 'f', f->weights, s->rig->morph_count);
    web_put_of("rays", number, 'f', f->rays, 6 * RAYS);
    for (int i = 0; i < 3; i++)
        web_put_of(names[i], number, 'f', f->placements[i], 16);
}

static void open_subject(const char *folder, uint32_t number, const char *path)
{
    static const char *const skinnings[] = {"linear", "spherical", "dual"};
    graze_skinning skinning = GRAZE_LINEAR;
    const char *colon = strchr(path, ':');
    for (int i = 0; colon && i < 3; i++)
        if (strncmp(path, skinnings[i], strlen(skinnings[i])) == 0)
            skinning = (graze_skinning)i;
    path = colon ? colon + 1 : path;
    subject *s = &subjects[number];
    graze_error error = {0};
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    web_check(graze_gltf_load(path, NULL, &s->rig, &error), &error);
    for (int isa = 0; isa < ISAS; isa++) {
        graze_model *model = NULL;
        graze_model_def def = graze_rig_model_def(s->rig);
        graze_morph_target *targets = web_take(s->rig->morph_count, sizeof *targets);
        def.skinning = skinning;
        def.isa = isa ? GRAZE_ISA_BASE : GRAZE_ISA_BEST;
        graze_rig_morph_targets(s->rig, targets);
        def.morphs = targets;
        def.morph_count = s->rig->morph_count;
        web_check(graze_model_create(&def, &model, &error), &error);
        for (int i = 0; i < 2; i++)
            web_check(graze_body_create(model, &s->bodies[isa][i], &error), &error);
        graze_model_destroy(model);
        free(targets);
    }
    web_begin(folder, number);
    fprintf(web_json, "{\"name\": \"%s\", \"skinning\": \"%s\", \"frames\": %d", name,
            skinnings[skinning], FRAMES);
    web_put_model(s->rig);
    for (uint32_t i = 0; i < FRAMES; i++)
        fill_frame(s, i);
    web_end();
}

static uint64_t cast(graze_body *body, const frame *f, uint32_t first, uint32_t end)
{
    uint64_t found = 0;
    for (uint32_t r = first; r < end; r++) {
        graze_ray ray = graze_ray_from(f->rays[r], f->rays[r] + 3);
        graze_hit hit;
        graze_error error;
        web_check(graze_cast(body, &ray, &hit, NULL, &error), &error);
        found += hit.found ? hit.triangle + 1 : 0;
    }
    return found;
}

/* Poses, for queries of two bodies both of them, and asks; what was found, as queries.mjs says it.
 */
static uint64_t ask(const subject *s, const frame *f, graze_body *const *bodies, question which)
{
    graze_error error;
    graze_nearest nearest;
    pose(s, f, bodies[0], NULL);
    if (which >= APART && which <= FIRST)
        pose(s, f, bodies[1], f->placements[which == FIRST ? 1 : which - APART]);
    if (which == RAY)
        return cast(bodies[0], f, 0, 1);
    if (which != DISTANCE)
        return find_pairs(bodies[0], which == SELF ? NULL : bodies[1], which == FIRST);
    pose(s, f, bodies[1], f->placements[0]);
    web_check(graze_distance(bodies[0], bodies[1], INFINITY, &nearest, NULL, &error), &error);
    return nearest.pair.a + (uint64_t)nearest.pair.b;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void answer(const subject *s, question which, uint32_t isa)
{
    uint64_t found = 0;
    double spent[FRAMES];
    graze_body *const *bodies = s->bodies[isa];
    for (int i = 0; i < FRAMES; i++) {
        const frame *f = &s->frames[i];
        if (which == MORE_RAYS) { /* in a pose that is there, with a ray asked already */
            pose(s, f, bodies[0], NULL);
            cast(bodies[0], f, 0, 1);
        }
        double start = now();
        found += which == MORE_RAYS ? cast(bodies[0], f, 1, RAYS) : ask(s, f, bodies, which);
        spent[i] = now() - start;
    }
    printf("%llu", (unsigned long long)found);
    for (int i = 0; i < FRAMES; i++)
        printf(" %.0f", spent[i]);
    printf("\n");
    fflush(stdout);
}

int main(int count, char **words)
{
    unsigned model, which, isa;
    if (count < 3 || count > 2 + MODELS) {
        fprintf(stderr, "usage: native_queries FOLDER [SKINNING:]MODEL.glb ...\n");
        return 2;
    }
    for (int i = 2; i < count; i++)
        open_subject(words[1], (uint32_t)i - 2, words[i]);
    printf("%s\n", graze_isa_available(GRAZE_ISA_AVX512) ? "AVX-512"
                   : graze_isa_available(GRAZE_ISA_AVX2) ? "AVX2"
                                                         : "SSE2");
    fflush(stdout);
    while (scanf("%u %u %u", &model, &which, &isa) == 3)
        if (model < (unsigned)count - 2 && which <= DISTANCE && isa < ISAS)
            answer(&subjects[model], (question)which, isa);
    return 0;
}
