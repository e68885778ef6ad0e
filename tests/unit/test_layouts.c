/* Models straight from vertex buffers are, bit for bit, those of plain arrays: every type of
 * number, stride and place, aligned or not. The plain arrays are converted here.
 */
#include "harness.h"

#include "support/answers.h"
#include "support/own.h"
#include "support/soup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 150, TRIANGLES = 220, JOINTS = 12, MAX_SLOTS = 16, MAX_STRIDE = 256 };

typedef struct buffer {
    unsigned char bytes[(VERTICES + 1) * MAX_STRIDE];
} buffer;

/* One mesh twice: as plain arrays, and as somebody else's memory. */
typedef struct twice {
    soup mesh;
    uint32_t offsets[VERTICES + 1];
    graze_influence influences[VERTICES * MAX_SLOTS];
    float deltas[3 * VERTICES];
    graze_morph_target plain_morph;
    graze_model_def plain;

    buffer *vertices;
    uint16_t triangles16[3 * TRIANGLES];
    graze_morph_target morph;
    graze_skin_layout skins[2];
    graze_model_def given;
} twice;

/* Where things lie. */
typedef enum place_kind {
    PLACE_APART, /* arrays of their own, strides 0 */
    PLACE_WITHIN,
    PLACE_ODD, /* from an odd byte on, with an odd stride */
    PLACE_KINDS
} place_kind;

typedef struct layout_case {
    graze_number joint_type, weight_type;
    uint32_t per_vertex; /* of each skin */
    uint32_t skins;
    place_kind place;
    bool short_triangles;
    graze_skinning skinning;
} layout_case;

static size_t size_of(graze_number type)
{
    return type == GRAZE_UINT8 ? 1 : type == GRAZE_UINT16 ? 2 : 4;
}

static void put_unsigned(unsigned char *at, graze_number type, uint32_t value)
{
    uint8_t one = (uint8_t)value;
    uint16_t two = (uint16_t)value;
    if (type == GRAZE_UINT8)
        memcpy(at, &one, sizeof one);
    else if (type == GRAZE_UINT16)
        memcpy(at, &two, sizeof two);
    else
        memcpy(at, &value, sizeof value);
}

static float random_float_weight(test_random *random)
{
    switch (test_random_u32(random) % 6) {
    case 0:
        return 0;
    case 1:
        return -0.0f;
    case 2:
        return (float)ldexp(test_random_unit(random), -(int)(test_random_u32(random) % 50));
    case 3:
        return (float)(1e6 * test_random_unit(random));
    default:
        return (float)test_random_unit(random);
    }
}

/* Writes a weight and returns what it is; the first of a vertex is not zero. */
static float put_weight(unsigned char *at, graze_number type, bool first, test_random *random)
{
    float weight = first ? 0.5f : random_float_weight(random);
    if (type == GRAZE_FLOAT) {
        memcpy(at, &weight, sizeof weight);
        return weight;
    }
    uint32_t largest = type == GRAZE_UINT8 ? 255 : 65535;
    uint32_t number = first                              ? 1 + test_random_u32(random) % largest
                      : test_random_u32(random) % 3 == 0 ? 0
                                                         : test_random_u32(random) % (largest + 1);
    put_unsigned(at, type, number);
    return (float)number / (float)largest;
}

/* Fills a vertex's slots of one skin, and the plain influences with them. Slots of weight zero get
 * the largest number there is for a joint.
 */
static uint32_t fill_slots(twice *t, const graze_skin_layout *skin, uint32_t vertex, bool first,
                           uint32_t next, test_random *random)
{
    size_t joint_stride =
        skin->joint_stride ? skin->joint_stride : skin->per_vertex * size_of(skin->joint_type);
    size_t weight_stride =
        skin->weight_stride ? skin->weight_stride : skin->per_vertex * size_of(skin->weight_type);
    for (uint32_t i = 0; i < skin->per_vertex; i++) {
        unsigned char *joint =
            (unsigned char *)skin->joints + joint_stride * vertex + size_of(skin->joint_type) * i;
        unsigned char *at = (unsigned char *)skin->weights + weight_stride * vertex +
                            size_of(skin->weight_type) * i;
        float weight = put_weight(at, skin->weight_type, first && i == 0, random);
        uint32_t number = test_random_u32(random) % JOINTS;
        put_unsigned(joint, skin->joint_type, weight == 0 ? UINT32_MAX : number);
        if (weight != 0)
            t->influences[next++] = (graze_influence){number, weight};
    }
    return next;
}

/* A room of `size` bytes for every vertex: in an array of its own, or next in the vertex. */
static void *take_room(twice *t, place_kind place, size_t *used, size_t size, size_t *stride)
{
    unsigned char *at = t->vertices->bytes + *used;
    *stride = place == PLACE_APART ? 0 : place == PLACE_ODD ? MAX_STRIDE - 5 : MAX_STRIDE;
    *used += place == PLACE_APART ? VERTICES * size : size + (place == PLACE_ODD ? 1 : 0);
    if (place != PLACE_ODD)
        *used = (*used + 3) & ~(size_t)3;
    return at;
}

static void copy_threes(const float *from, void *to, size_t stride)
{
    for (uint32_t v = 0; v < VERTICES; v++)
        memcpy((unsigned char *)to + (stride ? stride : 12) * v, from + 3 * (size_t)v, 12);
}

static twice *twice_make(const layout_case *c, uint64_t seed)
{
    test_random random = test_random_seed(seed);
    const soup_def def = {.vertex_count = VERTICES,
                          .triangle_count = TRIANGLES,
                          .joint_count = JOINTS,
                          .max_influences = 3,
                          .size = 1};
    twice *t = calloc(1, sizeof *t);
    t->mesh = soup_make(&def, &random);
    t->vertices = malloc(sizeof *t->vertices);
    memset(t->vertices, 0xa5, sizeof *t->vertices);
    for (uint32_t i = 0; i < 3 * VERTICES; i++)
        t->deltas[i] = (float)test_random_range(&random, -0.1, 0.1);

    t->plain = soup_model_def(&t->mesh);
    t->plain.influence_offsets = t->offsets;
    t->plain.influences = t->influences;
    t->plain_morph = (graze_morph_target){.deltas = t->deltas, .count = VERTICES};
    t->plain.morphs = &t->plain_morph;
    t->plain.morph_count = 1;
    t->plain.skinning = c->skinning;

    t->given = t->plain;
    size_t used = c->place == PLACE_ODD;
    void *room = take_room(t, c->place, &used, 12, &t->given.position_stride);
    copy_threes(t->mesh.positions, room, t->given.position_stride);
    t->given.positions = room;
    room = take_room(t, c->place, &used, 12, &t->given.delta_stride);
    copy_threes(t->deltas, room, t->given.delta_stride);
    t->morph = (graze_morph_target){.deltas = room, .count = VERTICES};
    t->given.morphs = &t->morph;

    for (uint32_t k = 0; k < c->skins; k++) {
        graze_skin_layout *skin = &t->skins[k];
        skin->joint_type = c->joint_type;
        skin->weight_type = c->weight_type;
        skin->per_vertex = c->per_vertex;
        skin->joints = take_room(t, c->place, &used, c->per_vertex * size_of(c->joint_type),
                                 &skin->joint_stride);
        skin->weights = take_room(t, c->place, &used, c->per_vertex * size_of(c->weight_type),
                                  &skin->weight_stride);
    }
    uint32_t next = 0;
    for (uint32_t v = 0; v < VERTICES; v++) {
        for (uint32_t k = 0; k < c->skins; k++)
            next = fill_slots(t, &t->skins[k], v, k == 0, next, &random);
        t->offsets[v + 1] = next;
    }
    t->given.influences = NULL;
    t->given.influence_offsets = NULL;
    t->given.skin_layouts = t->skins;
    t->given.skin_layout_count = c->skins;
    if (c->short_triangles) {
        for (uint32_t i = 0; i < 3 * TRIANGLES; i++)
            t->triangles16[i] = (uint16_t)t->mesh.triangles[i];
        t->given.triangles = NULL;
        t->given.triangles16 = t->triangles16;
    }
    return t;
}

static void twice_free(twice *t)
{
    soup_free(&t->mesh);
    free(t->vertices);
    free(t);
}

enum { POSITIONS, PAIRS, SELF, HITS, DISTANCE, STATISTICS, MESH, SIZES, SUMS };

static const char *const sum_names[SUMS] = {"positions", "pairs",      "self-collision", "hits",
                                            "distance",  "statistics", "mesh",           "sizes"};

static uint64_t hash_list(answers *list)
{
    CHECK(list->count > 0);
    answers_sort(list);
    uint64_t sum = answers_hash(ANSWERS_NO_HASH, list);
    answers_free(list);
    return sum;
}

static void ask_bodies(graze_body *a, graze_body *b, uint64_t sums[SUMS])
{
    answers pairs = {0}, self = {0}, hits = {0}, distance = {0};
    graze_stats stats = {0};
    graze_ray ray = {{-3, 0.01f, 0.02f}, {1, 0, 0}, 0, INFINITY};
    graze_nearest nearest;
    CHECK(!graze_pairs(a, b, PAIRS_TO(&pairs), &(graze_options){.stats = &stats}, NULL));
    CHECK(!graze_self_pairs(a, NULL, SELF_TO(&self), &(graze_options){.stats = &stats}, NULL));
    CHECK(!graze_cast_all(b, &ray, HITS_TO(&hits), &(graze_options){.stats = &stats}, NULL));
    CHECK(!graze_distance(a, b, INFINITY, &nearest, &(graze_options){.stats = &stats}, NULL));
    answers_put_nearest(&distance, &nearest);
    sums[PAIRS] = hash_list(&pairs);
    sums[SELF] = hash_list(&self);
    sums[HITS] = answers_hash(ANSWERS_NO_HASH, &hits); /* may be none */
    answers_free(&hits);
    sums[DISTANCE] = hash_list(&distance);
    const uint32_t counts[] = {(uint32_t)stats.nodes_refit, (uint32_t)stats.bound_tests,
                               (uint32_t)stats.patches_posed, (uint32_t)stats.triangle_tests};
    sums[STATISTICS] = answers_hash_words(ANSWERS_NO_HASH, counts, 4);
}

static void ask_model(const graze_model *model, uint64_t sums[SUMS])
{
    uint64_t sum = ANSWERS_NO_HASH;
    for (uint32_t v = 0; v < VERTICES; v++)
        sum = answers_hash_words(sum, (uint32_t[]){graze_model_vertex_part(model, v)}, 1);
    for (uint32_t t = 0; t < TRIANGLES; t++) {
        uint32_t words[4] = {graze_model_triangle_part(model, t)};
        graze_model_triangle(model, t, words + 1);
        sum = answers_hash_words(sum, words, 4);
    }
    sums[MESH] = sum;
    graze_model_info info = graze_model_get_info(model);
    const uint32_t sizes[] = {info.joint_set_count, info.max_influences, info.node_count,
                              info.leaf_count,      info.level_count,    (uint32_t)info.tree_bytes};
    sums[SIZES] = answers_hash_words(ANSWERS_NO_HASH, sizes, 6);
}

/* What a model is, and two bodies of it answer: every bit. */
static void ask(const graze_model *model, const soup *mesh, uint64_t seed, uint64_t sums[SUMS])
{
    test_random random = test_random_seed(seed);
    graze_body *bodies[2];
    float positions[3 * VERTICES], joints[12 * JOINTS], placement[12], weight = 0.7f;
    uint64_t sum = ANSWERS_NO_HASH;
    for (int i = 0; i < 2; i++) {
        const float origin[3] = {0, 0, 0};
        pose_make(MAP_NEAR, mesh, &random, joints);
        map_make(MAP_NEAR, origin, 1, &random, placement);
        graze_pose pose = {.joints = joints,
                           .joint_count = JOINTS,
                           .placement = placement,
                           .morph_weights = &weight,
                           .morph_count = 1};
        REQUIRE(!graze_body_create(model, &bodies[i], NULL));
        CHECK(!graze_body_set_pose(bodies[i], &pose, NULL));
    }
    ask_model(model, sums);
    ask_bodies(bodies[0], bodies[1], sums);
    for (int i = 0; i < 2; i++) {
        graze_body_get_positions(bodies[i], positions);
        sum = answers_hash_floats(sum, positions, 3 * VERTICES);
        graze_body_destroy(bodies[i]);
    }
    sums[POSITIONS] = sum;
}

static void check_case(const layout_case *c, uint64_t seed)
{
    twice *t = twice_make(c, seed);
    OWN(graze_model) *plain = NULL, *given = NULL;
    graze_error error = {0};
    CHECK(!graze_model_create(&t->plain, &plain, NULL));
    CHECK_MSG(!graze_model_create(&t->given, &given, &error), "case %llu: %s",
              (unsigned long long)seed, error.text);
    /* The model owns copies. */
    memset(t->vertices, 0xff, sizeof *t->vertices);
    memset(t->triangles16, 0xff, sizeof t->triangles16);
    if (plain && given) {
        uint64_t expected[SUMS] = {0}, got[SUMS] = {0};
        ask(plain, &t->mesh, seed, expected);
        ask(given, &t->mesh, seed, got);
        for (int i = 0; i < SUMS; i++)
            CHECK_MSG(expected[i] == got[i],
                      "joints %d, weights %d, %u of %u, place %d, skinning %d: %s differ",
                      (int)c->joint_type, (int)c->weight_type, c->skins, c->per_vertex,
                      (int)c->place, (int)c->skinning, sum_names[i]);
    }
    twice_free(t);
}

TEST(every_layout_is_the_plain_arrays)
{
    const graze_number joint_types[] = {GRAZE_UINT8, GRAZE_UINT16, GRAZE_UINT32};
    const graze_number weight_types[] = {GRAZE_FLOAT, GRAZE_UINT8, GRAZE_UINT16};
    const uint32_t widths[] = {1, 3, 4, 8};
    uint32_t number = 0;
    for (int j = 0; j < 3; j++)
        for (int w = 0; w < 3; w++)
            for (int n = 0; n < 4; n++)
                for (uint32_t skins = 1; skins <= 2; skins++)
                    for (int place = 0; place < PLACE_KINDS; place++, number++) {
                        layout_case c = {joint_types[j],
                                         weight_types[w],
                                         widths[n],
                                         skins,
                                         (place_kind)place,
                                         number % 2 == 1,
                                         number % 5 == 3   ? GRAZE_SPHERICAL
                                         : number % 5 == 4 ? GRAZE_DUAL
                                                           : GRAZE_LINEAR};
                        check_case(&c, 100 + number);
                    }
    CHECK(number == 216);
}

/* A vertex buffer as games have them: nothing is converted. */
TEST(an_interleaved_vertex_needs_no_conversion)
{
    struct vertex {
        float position[3], normal[3], uv[2];
        uint8_t joints[4], weights[4];
    };
    static const struct vertex vertices[] = {
        {{0, 0, 0}, {0, 0, 1}, {0, 0}, {0, 1, 0, 0}, {255, 0, 0, 0}},
        {{1, 0, 0}, {0, 0, 1}, {1, 0}, {0, 1, 0, 0}, {128, 127, 0, 0}},
        {{0, 1, 0}, {0, 0, 1}, {0, 1}, {1, 1, 0, 0}, {100, 155, 0, 0}},
    };
    static const uint16_t indices[] = {0, 1, 2};
    graze_skin_layout skin = {0};
    skin.joints = vertices[0].joints;
    skin.joint_type = GRAZE_UINT8;
    skin.joint_stride = sizeof(struct vertex);
    skin.weights = vertices[0].weights;
    skin.weight_type = GRAZE_UINT8;
    skin.weight_stride = sizeof(struct vertex);
    skin.per_vertex = 4;
    graze_model_def def = {0};
    def.positions = vertices[0].position;
    def.position_stride = sizeof(struct vertex);
    def.vertex_count = 3;
    def.triangles16 = indices;
    def.triangle_count = 1;
    def.joint_count = 2;
    def.skin_layouts = &skin;
    def.skin_layout_count = 1;

    /* Joint 1 moves by 255 along x, so a vertex moves by its second weight as it stands there. */
    float joints[32] = {0};
    for (int j = 0; j < 2; j++)
        for (int k = 0; k < 4; k++)
            joints[16 * j + 5 * k] = 1;
    joints[16 + 12] = 255;
    graze_pose pose = {.joints = joints, .joint_count = 2, .layout = GRAZE_COLUMNS_4X4};
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    REQUIRE(!graze_model_create(&def, &model, NULL) && !graze_body_create(model, &body, NULL));
    REQUIRE(!graze_body_set_pose(body, &pose, NULL));
    float positions[9];
    graze_body_get_positions(body, positions);
    CHECK(positions[0] == 0);
    CHECK(fabsf(positions[3] - 128) < 1e-4f);
    CHECK(positions[6] == 255 && positions[7] == 1); /* joint 1 alone, named twice */
}

/* ---- bad input ---- */

static layout_case good_case(graze_number joint_type, graze_number weight_type)
{
    return (layout_case){joint_type, weight_type, 4, 2, PLACE_ODD, true, GRAZE_LINEAR};
}

/* Refused, with a text that names all the places (separated by |), and nothing is written. */
static void check_refused(const twice *t, const char *places, int line)
{
    OWN(graze_model) *model = NULL;
    graze_error error = {0};
    graze_status status = graze_model_create(&t->given, &model, &error);
    test_check(status == GRAZE_BAD_INPUT && !model, __FILE__, line, "status %d", (int)status);
    char wanted[128];
    snprintf(wanted, sizeof wanted, "%s", places);
    for (char *place = strtok(wanted, "|"); place; place = strtok(NULL, "|"))
        test_check(strstr(error.text, place) != NULL, __FILE__, line, "\"%s\" does not name \"%s\"",
                   error.text, place);
}

#define REFUSED(joint_type, weight_type, change, places)                                           \
    do {                                                                                           \
        layout_case c = good_case(joint_type, weight_type);                                        \
        twice *t = twice_make(&c, 7);                                                              \
        unsigned char *joint = (unsigned char *)t->skins[1].joints + 9 * t->skins[1].joint_stride; \
        unsigned char *weight =                                                                    \
            (unsigned char *)t->skins[1].weights + 9 * t->skins[1].weight_stride;                  \
        (void)joint, (void)weight;                                                                 \
        change;                                                                                    \
        check_refused(t, places, __LINE__);                                                        \
        twice_free(t);                                                                             \
    } while (0)

static void put_float(unsigned char *at, float value)
{
    memcpy(at, &value, sizeof value);
}

static const graze_number u8 = GRAZE_UINT8, u16 = GRAZE_UINT16, u32 = GRAZE_UINT32,
                          f32 = GRAZE_FLOAT;

TEST(bad_layouts_are_refused)
{
    REFUSED(u8, u8, t->given.triangles = t->mesh.triangles, "triangles|triangles16");
    REFUSED(u8, u8, t->given.triangles16 = NULL, "no triangles");
    REFUSED(u8, u8, t->given.position_stride = 11, "position_stride 11");
    REFUSED(u8, u8, t->given.position_stride = SIZE_MAX, "position_stride");
    REFUSED(u8, u8, t->given.delta_stride = 4, "delta_stride 4");
    REFUSED(u8, u8, t->given.delta_stride = SIZE_MAX / 2, "delta_stride");

    REFUSED(u8, u8, t->given.influences = t->influences, "influences|influence_offsets");
    REFUSED(u8, u8, t->given.influence_offsets = t->offsets, "influences|influence_offsets");
    REFUSED(u8, u8, (t->given.influences = t->influences, t->given.influence_offsets = t->offsets),
            "influences|skin_layouts");
    REFUSED(u8, u8, t->given.skin_layouts = NULL, "skin_layouts|skin_layout_count");
    REFUSED(u8, u8, t->given.skin_layout_count = 0, "skin_layouts|skin_layout_count");

    REFUSED(u8, u8, t->skins[1].joints = NULL, "skin layout 1|joints");
    REFUSED(u8, u8, t->skins[0].weights = NULL, "skin layout 0|weights");
    REFUSED(u8, u8, t->skins[1].joint_type = (graze_number)0, "skin layout 1|joint_type 0");
    REFUSED(u8, u8, t->skins[1].joint_type = f32, "skin layout 1|joint_type 4");
    REFUSED(u8, u8, t->skins[1].joint_type = (graze_number)5, "skin layout 1|joint_type 5");
    REFUSED(u8, u8, t->skins[0].weight_type = (graze_number)0, "skin layout 0|weight_type 0");
    REFUSED(u8, u8, t->skins[0].weight_type = u32, "skin layout 0|weight_type 3");
    REFUSED(u8, u8, t->skins[0].weight_type = (graze_number)-1, "skin layout 0|weight_type");
    REFUSED(u8, u8, t->skins[1].per_vertex = 0, "skin layout 1|per_vertex 0");
    REFUSED(u8, u8, t->skins[1].per_vertex = 65536, "skin layout 1|per_vertex 65536");
    REFUSED(u16, f32, t->skins[1].joint_stride = 7, "skin layout 1|joint_stride 7");
    REFUSED(u16, f32, t->skins[1].weight_stride = 15, "skin layout 1|weight_stride 15");
    REFUSED(u16, f32, t->skins[1].joint_stride = SIZE_MAX, "skin layout 1|joint_stride");
    REFUSED(u16, f32, t->skins[1].weight_stride = SIZE_MAX / 2, "skin layout 1|weight_stride");
}

/* More slots than there are numbers for, without memory behind them: nothing is read. */
TEST(too_many_slots_are_refused)
{
    layout_case c = good_case(GRAZE_UINT8, GRAZE_UINT8);
    twice *t = twice_make(&c, 7);
    t->given.vertex_count = 1u << 20;
    for (int k = 0; k < 2; k++) {
        t->skins[k].per_vertex = 2048;
        t->skins[k].joint_stride = t->skins[k].weight_stride = 0;
    }
    check_refused(t, "skin_layouts|2^32|1048576", __LINE__);
    twice_free(t);
}

TEST(bad_slots_are_refused)
{
    REFUSED(u8, f32, (put_float(weight, 1), put_unsigned(joint, u8, 12)),
            "vertex 9|joint 12|of 12");
    REFUSED(u16, f32, (put_float(weight, 1), put_unsigned(joint, u16, 65535)), "vertex 9|65535");
    REFUSED(u32, f32, (put_float(weight, 1), put_unsigned(joint, u32, 4000000000u)),
            "vertex 9|4000000000");
    REFUSED(u8, f32, (put_float(weight, -0.5f), put_unsigned(joint, u8, 3)),
            "vertex 9|-0.5|joint 3");
    REFUSED(u8, f32, (put_float(weight, NAN), put_unsigned(joint, u8, 3)), "vertex 9|nan|joint 3");
    REFUSED(u8, f32, (put_float(weight, INFINITY), put_unsigned(joint, u8, 3)), "vertex 9|inf");
    REFUSED(u8, f32, t->triangles16[14] = VERTICES, "triangle 4|vertex 150|of 150");
    REFUSED(u8, f32, put_float((unsigned char *)t->given.positions + 3 * 251 + 4, NAN), "vertex 3");
    REFUSED(u8, f32, put_float((unsigned char *)t->morph.deltas + 5 * 251 + 8, INFINITY),
            "morph target 0|vertex 5");
    for (int type = 0; type < 3; type++) {
        const graze_number types[] = {GRAZE_UINT8, GRAZE_UINT16, GRAZE_FLOAT};
        REFUSED(u8, types[type],
                for (int k = 0; k < 2; k++)
                    memset((unsigned char *)t->skins[k].weights + 9 * t->skins[k].weight_stride, 0,
                           4 * size_of(types[type])),
                "all weights of vertex 9 are zero");
    }
}

/* ---- poses ---- */

/* A pose without joints is one of identities. */
TEST(a_pose_without_joints_is_the_rest_pose)
{
    for (int kind = GRAZE_LINEAR; kind <= GRAZE_DUAL; kind++)
        for (int layout = GRAZE_ROWS_3X4; layout <= GRAZE_COLUMNS_4X4; layout++) {
            layout_case c = good_case(GRAZE_UINT8, GRAZE_UINT8);
            c.skinning = (graze_skinning)kind;
            twice *t = twice_make(&c, 13);
            float joints[16 * JOINTS] = {0}, positions[2][3 * VERTICES], weight = 0.3f;
            const float placement[16] = {0, 1, 0, 3, -1, 0, 0.5f, 2, 0, 0.25f, 1, 7, 1, 2, 3, 4};
            const int size = layout == GRAZE_ROWS_3X4 ? 12 : 16;
            for (int j = 0; j < JOINTS; j++)
                for (int k = 0; k < size / 4; k++)
                    joints[size * j + 5 * k] = 1;
            OWN(graze_model) *model = NULL;
            CHECK(!graze_model_create(&t->given, &model, NULL));
            for (int i = 0; i < 2; i++) {
                OWN(graze_body) *body = NULL;
                graze_pose pose = {0};
                pose.layout = (graze_matrix_layout)layout;
                pose.joints = i ? joints : NULL;
                pose.joint_count = i ? JOINTS : 0;
                pose.placement = placement;
                pose.morph_weights = &weight;
                pose.morph_count = 1;
                CHECK(!graze_body_create(model, &body, NULL));
                CHECK(!graze_body_set_pose(body, &pose, NULL));
                graze_body_get_positions(body, positions[i]);
                graze_error error = {0};
                pose.joints = i ? NULL : joints; /* one without the other */
                CHECK(graze_body_set_pose(body, &pose, &error) == GRAZE_BAD_INPUT);
                CHECK_MSG(strstr(error.text, "joint"), "%s", error.text);
            }
            CHECK_MSG(memcmp(positions[0], positions[1], sizeof positions[0]) == 0,
                      "skinning %d, layout %d", kind, layout);
            twice_free(t);
        }
}

static void to_columns(const float *rows, float *columns)
{
    for (int c = 0; c < 4; c++) {
        for (int r = 0; r < 3; r++)
            columns[4 * c + r] = rows[4 * r + c];
        columns[4 * c + 3] = NAN; /* the last row is not looked at */
    }
}

TEST(the_placement_is_laid_out_as_the_joints_are)
{
    for (int kind = GRAZE_LINEAR; kind <= GRAZE_DUAL; kind++) {
        layout_case c = good_case(GRAZE_UINT8, GRAZE_UINT8);
        c.skinning = (graze_skinning)kind;
        twice *t = twice_make(&c, 11);
        test_random random = test_random_seed(12);
        float rows[12 * JOINTS], columns[16 * JOINTS], place_rows[12], place_columns[16];
        const float origin[3] = {0, 0, 0};
        pose_make(MAP_RIGID, &t->mesh, &random, rows);
        map_make(MAP_SHEARED, origin, 1, &random, place_rows);
        for (int j = 0; j < JOINTS; j++)
            to_columns(rows + 12 * j, columns + 16 * j);
        to_columns(place_rows, place_columns);
        graze_pose poses[2] = {{.joints = rows, .joint_count = JOINTS, .placement = place_rows},
                               {.joints = columns,
                                .joint_count = JOINTS,
                                .layout = GRAZE_COLUMNS_4X4,
                                .placement = place_columns}};
        OWN(graze_model) *model = NULL;
        float positions[3][3 * VERTICES];
        CHECK(!graze_model_create(&t->given, &model, NULL));
        for (int i = 0; i < 3; i++) {
            OWN(graze_body) *body = NULL;
            CHECK(!graze_body_create(model, &body, NULL));
            if (i == 2)
                poses[1].placement = NULL;
            CHECK(!graze_body_set_pose(body, &poses[i > 0], NULL));
            graze_body_get_positions(body, positions[i]);
        }
        CHECK_MSG(memcmp(positions[0], positions[1], sizeof positions[0]) == 0, "skinning %d",
                  kind);
        CHECK(memcmp(positions[0], positions[2], sizeof positions[0]) != 0);
        twice_free(t);
    }
}
