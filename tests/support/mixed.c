#include "support/mixed.h"

#include "support/agreement.h"
#include "support/denormals.h"
#include "support/own.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

uint32_t mixed_below(mixed_world *w, uint32_t count)
{
    return test_random_u32(&w->random) % count;
}

double mixed_range(mixed_world *w, double low, double high)
{
    return test_random_range(&w->random, low, high);
}

void mixed_step(mixed_world *w, const char *format, ...)
{
    va_list arguments;
    if (w->step_count == MIXED_STEPS)
        abort();
    va_start(arguments, format);
    vsnprintf(w->steps[w->step_count++], sizeof w->steps[0], format, arguments);
    va_end(arguments);
}

void mixed_check(mixed_world *w, bool ok, const char *format, ...)
{
    if (ok || w->failed)
        return;
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    w->failed = true;
    CHECK_MSG(false, "%s", text);
}

void mixed_compare(mixed_world *w, const char *what)
{
    size_t odd = 0;
    bool once = answers_sort(&w->found);
    answers_sort(&w->expected);
    mixed_check(w, once, "%s reports something twice", what);
    mixed_check(w, answers_equal(&w->expected, &w->found, &odd),
                "%s: %zu answers, brute force has %zu; number %zu is the first that differs", what,
                w->found.count, w->expected.count, odd);
}

void mixed_begin_reference(mixed_world *w)
{
    (void)w;
    test_flush_denormals(false);
}

void mixed_end_reference(mixed_world *w)
{
    test_flush_denormals(w->flush);
}

static void add_morphs(mixed_world *w, mixed_model *m)
{
    uint32_t vertices = m->mesh.def.vertex_count;
    size_t count = (size_t)MIXED_MORPHS * vertices;
    m->morph_count = mixed_below(w, 6) ? 1 + mixed_below(w, MIXED_MORPHS) : 0;
    m->morph_vertices = malloc(count * sizeof *m->morph_vertices);
    m->morph_deltas = malloc(3 * count * sizeof *m->morph_deltas);
    if (!m->morph_vertices || !m->morph_deltas)
        abort();
    for (size_t i = 0; i < count; i++)
        m->morph_vertices[i] = mixed_below(w, vertices);
    /* One common direction and a little noise, so that a weight moves whole parts. */
    for (size_t i = 0; i < 3 * count; i++)
        m->morph_deltas[i] =
            (float)((i % 3 == i / (3 * vertices) ? 0.4 : 0) + mixed_range(w, -0.01, 0.01));
    for (uint32_t t = 0; t < m->morph_count; t++) {
        bool all = mixed_below(w, 4);
        m->morphs[t] = (graze_morph_target){all ? NULL : m->morph_vertices + (size_t)t * vertices,
                                            m->morph_deltas + 3 * (size_t)t * vertices,
                                            all ? vertices : 1 + mixed_below(w, vertices)};
    }
}

/* Body parts: slices along an axis, or triangles by lot, so that patches are of several. */
static void add_groups(mixed_world *w, mixed_model *m)
{
    uint32_t count = m->mesh.def.triangle_count, axis = mixed_below(w, 3);
    bool sliced = mixed_below(w, 3);
    m->part_count = 1 + mixed_below(w, mixed_below(w, 2) ? 4 : 32 * MIXED_MASK_WORDS);
    m->groups = malloc(count * sizeof *m->groups);
    if (!m->groups)
        abort();
    for (uint32_t t = 0; t < count; t++) {
        const float *corner = m->mesh.positions + 3 * (size_t)m->mesh.triangles[3 * t];
        double along = fmin(fmax(0.5 + (double)corner[axis], 0), 0.999);
        m->groups[t] = sliced ? (uint32_t)(along * m->part_count) : mixed_below(w, m->part_count);
    }
}

/* Pulls most vertices towards the middle: the others are tips of spikes, and the mean of the
 * vertices of a patch is far from the middle of the ball around them.
 */
static void make_spiky(mixed_world *w, soup *mesh)
{
    for (uint32_t v = 0; v < mesh->def.vertex_count; v++)
        if (mixed_below(w, 6))
            for (uint32_t k = 0; k < 3; k++)
                mesh->positions[3 * v + k] *= 0.125f;
}

static void make_models(mixed_world *w, mixed_model *m)
{
    const soup_def mesh = {.vertex_count = 30 + mixed_below(w, 70),
                           .triangle_count = 20 + mixed_below(w, 90),
                           .joint_count = mixed_below(w, 3) ? 1 + mixed_below(w, 5) : 1,
                           .max_influences = 1 + mixed_below(w, 3),
                           .size = 1,
                           .lattice = mixed_below(w, 4) == 0};
    graze_error error = {.text = ""};
    m->mesh = soup_make(&mesh, &w->random);
    if (mixed_below(w, 4))
        make_spiky(w, &m->mesh);
    m->skinning = (graze_skinning)mixed_below(w, 8); /* linear most often */
    if (m->skinning > GRAZE_DUAL)
        m->skinning = GRAZE_LINEAR;
    add_morphs(w, m);
    add_groups(w, m);
    graze_model_def def = soup_model_def(&m->mesh);
    def.triangle_parts = m->groups;
    def.part_count = m->part_count;
    def.skinning = m->skinning;
    def.morphs = m->morphs;
    def.morph_count = m->morph_count;
    mixed_begin_reference(w);
    def.isa = GRAZE_ISA_BASE;
    if (graze_model_create(&def, &m->plain, &error))
        abort();
    mixed_end_reference(w);
    bool spheres = mixed_below(w, 3); /* they have more states to be in */
    do
        m->tree = agreement_tree(mixed_below(w, agreement_tree_count()));
    while ((m->tree.volume == GRAZE_SPHERES) != spheres);
    if (m->tree.volume == GRAZE_SPHERES && mixed_below(w, 4) == 0)
        m->tree.contact_level = 1 + mixed_below(w, 3);
    def.tree = m->tree;
    def.no_self_collision = !mixed_below(w, 2);
    do
        def.isa = (graze_isa)mixed_below(w, 4);
    while (!graze_isa_available(def.isa));
    if (!test_check(graze_model_create(&def, &m->model, &error) == GRAZE_OK, __FILE__, __LINE__,
                    "%s", error.text))
        abort();
    m->info = graze_model_get_info(m->model);
    if (graze_cache_pool_create(m->model, NULL, &m->caches, NULL))
        abort();
}

static void open_body(mixed_world *w, uint32_t number, bool lean)
{
    mixed_body *b = &w->bodies[number];
    b->number = number;
    b->lean = lean;
    b->of = &w->models[number / 2];
    memset(b->mask, 0xff, sizeof b->mask);
    uint32_t joints = b->of->info.joint_count;
    b->joints = calloc(joints, 12 * sizeof *b->joints);
    b->positions = calloc(b->of->info.vertex_count, 3 * sizeof *b->positions);
    graze_status status = lean ? graze_body_create_lean(b->of->caches, &b->body, NULL)
                               : graze_body_create(b->of->model, &b->body, NULL);
    if (!b->joints || !b->positions || status || graze_body_create(b->of->plain, &b->twin, NULL))
        abort();
    for (uint32_t j = 0; j < joints; j++)
        for (uint32_t k = 0; k < 3; k++)
            b->joints[12 * j + 5 * k] = 1;
}

void mixed_open(mixed_world *w, uint64_t seed, bool flush)
{
    memset(w, 0, sizeof *w);
    w->random = test_random_seed(seed);
    w->flush = flush;
    test_flush_denormals(flush);
    for (uint32_t m = 0; m < MIXED_MODELS; m++)
        make_models(w, &w->models[m]);
    for (uint32_t i = 0; i < MIXED_BODIES; i++)
        open_body(w, i, seed >> i & 1);
    mixed_open_scenes(w);
}

void mixed_close(mixed_world *w)
{
    for (int i = 0; i < MIXED_SCENES; i++)
        ways_close(w->scenes[i]);
    for (uint32_t i = 0; i < MIXED_BODIES; i++) {
        graze_body_destroy(w->bodies[i].body);
        graze_body_destroy(w->bodies[i].twin);
        free(w->bodies[i].joints);
        free(w->bodies[i].positions);
    }
    for (uint32_t m = 0; m < MIXED_MODELS; m++) {
        graze_model_destroy(w->models[m].model);
        graze_model_destroy(w->models[m].plain);
        graze_cache_pool_destroy(w->models[m].caches);
        soup_free(&w->models[m].mesh);
        free(w->models[m].morph_vertices);
        free(w->models[m].morph_deltas);
        free(w->models[m].groups);
    }
    answers_free(&w->expected);
    answers_free(&w->found);
    test_flush_denormals(false);
}

static void pose_twin(mixed_world *w, mixed_body *b)
{
    const graze_pose pose = {.joints = b->joints,
                             .joint_count = b->of->info.joint_count,
                             .placement = b->placed ? b->placement : NULL,
                             .morph_weights = b->weights,
                             .morph_count = b->of->morph_count};
    b->given = false;
    mixed_begin_reference(w);
    if (graze_body_set_pose(b->twin, &pose, NULL))
        abort();
    mixed_end_reference(w);
}

/* A pose with one number that no pose may have must be refused, and change nothing. */
static void try_bad_pose(mixed_world *w, mixed_body *b)
{
    uint32_t count = b->of->info.joint_count;
    OWNED float *joints = malloc(12 * sizeof *joints * count);
    memcpy(joints, b->joints, 12 * sizeof *joints * count);
    joints[mixed_below(w, 12 * count)] = mixed_below(w, 2) ? NAN : 1e30f;
    const graze_pose pose = {.joints = joints, .joint_count = count};
    mixed_step(w, "set_pose(%u) with a number that is refused", b->number);
    mixed_check(w, graze_body_set_pose(b->body, &pose, NULL) == GRAZE_BAD_INPUT,
                "a bad pose is taken");
}

void mixed_set_pose(mixed_world *w, mixed_body *b)
{
    static const map_kind kinds[] = {MAP_NEAR,     MAP_NEAR,     MAP_NEAR,
                                     MAP_RIGID,    MAP_SCALED,   MAP_SHEARED,
                                     MAP_MIRRORED, MAP_SINGULAR, MAP_LATTICE};
    const float origin[3] = {0, 0, 0};
    if (mixed_below(w, 12) == 0) {
        try_bad_pose(w, b);
        return;
    }
    map_kind kind = kinds[mixed_below(w, sizeof kinds / sizeof *kinds)];
    map_kind placing = mixed_below(w, 3) ? MAP_NEAR : MAP_LATTICE;
    pose_make(kind, &b->of->mesh, &w->random, b->joints);
    map_make(placing, origin, 1, &w->random, b->placement);
    b->placed = mixed_below(w, 4) > 0;
    bool weighed = b->of->morph_count && mixed_below(w, 3) == 0;
    for (uint32_t m = 0; m < MIXED_MORPHS; m++)
        b->weights[m] = weighed ? (float)mixed_range(w, -1, 1) : 0;
    const graze_pose pose = {.joints = b->joints,
                             .joint_count = b->of->info.joint_count,
                             .placement = b->placed ? b->placement : NULL,
                             .morph_weights = weighed ? b->weights : NULL,
                             .morph_count = weighed ? b->of->morph_count : 0};
    mixed_step(w, "set_pose(%u), maps %d, placed %d, weighed %d", b->number, (int)kind, b->placed,
               weighed);
    mixed_check(w, graze_body_set_pose(b->body, &pose, NULL) == GRAZE_OK, "a pose is refused");
    pose_twin(w, b);
}

void mixed_set_weights(mixed_world *w, mixed_body *b, bool coherent)
{
    static const double steps[] = {0.0005, 0.003, 0.02, 0.2};
    double step = steps[mixed_below(w, 4)];
    float weights[MIXED_MORPHS];
    if (b->of->morph_count == 0)
        return;
    for (uint32_t m = 0; m < MIXED_MORPHS; m++)
        weights[m] = b->weights[m] + (float)mixed_range(w, -step, step);
    if (b->given || mixed_below(w, 16) == 0) {
        if (!b->given)
            weights[mixed_below(w, b->of->morph_count)] = mixed_below(w, 2) ? NAN : INFINITY;
        mixed_step(w, "set_morph_weights(%u), coherent %d, refused", b->number, coherent);
        mixed_check(w,
                    graze_body_set_morph_weights(b->body, weights, b->of->morph_count, coherent,
                                                 NULL) == GRAZE_BAD_INPUT,
                    "a bad morph weight is taken");
        return;
    }
    memcpy(b->weights, weights, sizeof weights);
    mixed_step(w, "set_morph_weights(%u), coherent %d, steps of %g", b->number, coherent, step);
    mixed_check(w,
                graze_body_set_morph_weights(b->body, weights, b->of->morph_count, coherent,
                                             NULL) == GRAZE_OK,
                "morph weights are refused");
    pose_twin(w, b);
}

bool mixed_takes(const mixed_body *b, uint32_t triangle)
{
    uint32_t group = b->of->groups[triangle];
    return b->mask[group / 32] >> (group % 32) & 1;
}

static void take_mask(mixed_world *w, mixed_body *b, bool by_null)
{
    const uint32_t *bits = by_null ? NULL : b->mask;
    mixed_check(w,
                graze_body_set_part_mask(b->body, bits, b->of->info.part_count, NULL) == GRAZE_OK &&
                    graze_body_set_part_mask(b->twin, bits, b->of->info.part_count, NULL) ==
                        GRAZE_OK,
                "a part mask is refused");
}

void mixed_set_mask(mixed_world *w, mixed_body *b)
{
    static const char *const kinds[] = {"all", "by lot", "by lot", "but one", "one", "none"};
    uint32_t kind = mixed_below(w, 6), one = mixed_below(w, b->of->part_count);
    if (mixed_below(w, 16) == 0) {
        uint32_t none[MIXED_MASK_WORDS + 1] = {0};
        mixed_step(w, "set_group_mask(%u), refused", b->number);
        mixed_check(w,
                    graze_body_set_part_mask(b->body, none, b->of->info.part_count + 1, NULL) ==
                        GRAZE_BAD_INPUT,
                    "a bad mask is taken");
        return;
    }
    mixed_step(w, "set_group_mask(%u), %s", b->number, kinds[kind]);
    for (uint32_t i = 0; i < MIXED_MASK_WORDS; i++)
        b->mask[i] = kind == 0 || kind == 3 ? UINT32_MAX
                     : kind > 3             ? 0
                                            : test_random_u32(&w->random);
    if (kind == 3 || kind == 4)
        b->mask[one / 32] ^= 1u << (one % 32);
    take_mask(w, b, kind == 0 && mixed_below(w, 2));
}

void mixed_copy_mask(mixed_world *w, mixed_body *b, const mixed_body *from)
{
    if (memcmp(b->mask, from->mask, sizeof b->mask) == 0)
        return;
    mixed_step(w, "set_group_mask(%u), that of %u", b->number, from->number);
    memcpy(b->mask, from->mask, sizeof b->mask);
    take_mask(w, b, false);
}

void mixed_turn_part(mixed_world *w, mixed_body *b)
{
    b->mask[0] ^= 1;
    mixed_step(w, "set_part_mask(%u), without part 0 or with it", b->number);
    take_mask(w, b, false);
}

/* What the vertices do: the kinds of mixed_set_positions. */
enum {
    GIVEN_SHAKEN, /* a little away from where they were */
    GIVEN_ANYWHERE,
    GIVEN_LATTICE,
    GIVEN_FLAT,
    GIVEN_LINE,
    GIVEN_POINT,
    GIVEN_AS_OTHER, /* where the other body of the model has them */
    GIVEN_KINDS
};

static void make_positions(mixed_world *w, mixed_body *b, uint32_t kind)
{
    uint32_t count = b->of->info.vertex_count;
    mixed_body *from = kind == GIVEN_AS_OTHER ? &w->bodies[b->number ^ 1] : b;
    mixed_begin_reference(w);
    graze_body_get_positions(from->twin, b->positions);
    mixed_end_reference(w);
    for (uint32_t i = 0; i < 3 * count; i++) {
        float *x = &b->positions[i];
        if (kind == GIVEN_SHAKEN)
            *x += (float)mixed_range(w, -0.02, 0.02);
        else if (kind == GIVEN_LATTICE)
            *x = (float)((int)mixed_below(w, 5) - 2) * 0.5f;
        else if (kind != GIVEN_AS_OTHER)
            *x = (float)mixed_range(w, -1, 1);
        if ((kind == GIVEN_FLAT && i % 3 == 2) || (kind == GIVEN_LINE && i % 3) ||
            (kind == GIVEN_POINT && i >= 3))
            *x = i >= 3 ? b->positions[i - 3] : *x;
    }
}

/* Positions of which one number is bad: nothing may change. */
static void try_bad_positions(mixed_world *w, mixed_body *b)
{
    uint32_t count = 3 * b->of->info.vertex_count;
    OWNED float *positions = calloc(count, sizeof *positions);
    positions[mixed_below(w, count)] = mixed_below(w, 2) ? NAN : -1e18f;
    mixed_step(w, "set_positions(%u) with a number that is refused", b->number);
    mixed_check(w,
                graze_body_set_positions(b->body, positions, 0, b->of->info.vertex_count, NULL) ==
                    GRAZE_BAD_INPUT,
                "bad positions are taken");
}

/* The body takes them from a wider buffer, the twin packed. */
void mixed_set_positions(mixed_world *w, mixed_body *b)
{
    uint32_t count = b->of->info.vertex_count, kind = mixed_below(w, GIVEN_KINDS);
    size_t stride = 12 + mixed_below(w, 3) * 10;
    if (mixed_below(w, 12) == 0) {
        try_bad_positions(w, b);
        return;
    }
    make_positions(w, b, kind);
    char *wide = malloc(stride * count);
    for (uint32_t v = 0; v < count; v++)
        memcpy(wide + stride * v, b->positions + 3 * (size_t)v, 12);
    mixed_step(w, "set_positions(%u), kind %u, stride %zu", b->number, kind, stride);
    mixed_check(w,
                graze_body_set_positions(b->body, (const float *)(const void *)wide, stride, count,
                                         NULL) == GRAZE_OK,
                "positions are refused");
    free(wide);
    b->given = true;
    mixed_begin_reference(w);
    if (graze_body_set_positions(b->twin, b->positions, 0, count, NULL))
        abort();
    mixed_end_reference(w);
}

void mixed_print(const mixed_world *w, uint64_t seed)
{
    static const char *const skinnings[] = {"linear", "spherical", "dual"};
    printf("     seed %llu%s\n", (unsigned long long)seed, w->flush ? ", denormals flushed" : "");
    for (uint32_t m = 0; m < MIXED_MODELS; m++) {
        const mixed_model *model = &w->models[m];
        printf("       bodies %u and %u: %s, %u triangles, %u groups, %u joints, %u morphs, %s, "
               "patches of %u, arity %u, refit %d, contact level %u\n",
               2 * m, 2 * m + 1, skinnings[model->skinning], model->info.triangle_count,
               model->part_count, model->info.joint_count, model->morph_count,
               model->tree.volume == GRAZE_SPHERES ? "spheres" : "boxes",
               model->tree.patch_triangles, model->tree.arity, (int)model->tree.refit,
               model->tree.contact_level);
    }
    for (uint32_t i = 0; i < MIXED_BODIES; i++)
        if (w->bodies[i].lean)
            printf("       body %u is lean\n", i);
    for (uint32_t i = 0; i < w->step_count; i++)
        printf("       %2u %s\n", i, w->steps[i]);
}
