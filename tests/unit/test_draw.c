/* Debug drawing: what is drawn is what the inspect functions and answers say, and nothing of it
 * counts as asked for.
 */
#include "harness.h"
#include "support/agreement.h"
#include "support/own.h"
#include "support/soup_pair.h"

#include <graze/ext/draw.h>
#include <graze/ext/inspect.h>
#include <graze/ext/world.h>

#include <math.h>
#include <string.h>

enum { MAX_STROKES = 4096 };

/* The numbers that a callback was given, and how many of each kind there were. */
typedef struct strokes {
    float numbers[MAX_STROKES][9];
    uint32_t colours[MAX_STROKES];
    uint32_t count, lines, boxes, spheres, triangles, points;
} strokes;

static strokes drawn;

static void put(const float *a, const float *b, const float *c, uint32_t colour, uint32_t *kind)
{
    const float *all[3] = {a, b, c};
    if (drawn.count >= MAX_STROKES)
        return;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            drawn.numbers[drawn.count][3 * i + k] = all[i] ? all[i][k] : 0;
    drawn.colours[drawn.count++] = colour;
    (*kind)++;
}

static void put_line(void *user, const float from[3], const float to[3], uint32_t colour)
{
    (void)user;
    put(from, to, NULL, colour, &drawn.lines);
}

static void put_box(void *user, const graze_box *box, uint32_t colour)
{
    (void)user;
    put(box->centre, box->half, box->axes[2], colour, &drawn.boxes);
}

static void put_sphere(void *user, const float centre[3], float radius, uint32_t colour)
{
    const float size[3] = {radius, radius, radius};
    (void)user;
    put(centre, size, NULL, colour, &drawn.spheres);
}

static void put_triangle(void *user, const float a[3], const float b[3], const float c[3],
                         uint32_t colour)
{
    (void)user;
    put(a, b, c, colour, &drawn.triangles);
}

static void put_point(void *user, const float at[3], uint32_t colour)
{
    (void)user;
    put(at, NULL, NULL, colour, &drawn.points);
}

static const graze_draw draw = {.line = put_line,
                                .box = put_box,
                                .sphere = put_sphere,
                                .triangle = put_triangle,
                                .point = put_point,
                                .length = 0.25f};

#define DRAWS(call)                                                                                \
    do {                                                                                           \
        drawn.count = drawn.lines = drawn.boxes = drawn.spheres = drawn.triangles = drawn.points = \
            0;                                                                                     \
        CHECK((call) == GRAZE_OK);                                                                 \
    } while (0)

static bool is_drawn(uint32_t i, const float *a, const float *b, uint32_t colour)
{
    return i < drawn.count && drawn.colours[i] == colour &&
           !memcmp(drawn.numbers[i], a, 3 * sizeof *a) &&
           (!b || !memcmp(drawn.numbers[i] + 3, b, 3 * sizeof *b));
}

static void find_corners(graze_body *body, uint32_t triangle, float corners[9])
{
    uint32_t vertices[3];
    graze_model_triangle(graze_body_model(body), triangle, vertices);
    CHECK(!graze_body_get_vertices(body, vertices, 3, corners, NULL));
}

static bool is_triangle(uint32_t i, graze_body *body, uint32_t triangle, uint32_t colour)
{
    float corners[9];
    find_corners(body, triangle, corners);
    return i < drawn.count && drawn.colours[i] == colour &&
           !memcmp(drawn.numbers[i], corners, sizeof corners);
}

/* ---- bodies --------------------------------------------------------------------------------- */

static void check_bounds(graze_body *body, uint32_t level, bool only_refitted)
{
    graze_node_view view;
    uint32_t nodes = graze_model_get_info(graze_body_model(body)).node_count, wanted = 0;
    DRAWS(graze_draw_bounds(&draw, body, level, only_refitted, NULL));
    for (uint32_t n = 0; n < nodes; n++) {
        CHECK(!graze_body_view_node(body, n, GRAZE_NODE_CURRENT, &view));
        bool is_leaf = view.child_count == 0;
        bool on_level =
            level == GRAZE_NONE ? is_leaf : view.level == level || (is_leaf && view.level < level);
        if (!on_level || !view.triangle_count || (only_refitted && !view.was_refitted))
            continue;
        CHECK(is_drawn(wanted++, view.centre, view.half,
                       view.was_refitted ? GRAZE_DRAW_REFITTED : GRAZE_DRAW_UNTOUCHED));
    }
    CHECK_MSG(drawn.boxes + drawn.spheres == wanted && drawn.count == wanted,
              "level %u: %u of %u bounds", level, drawn.count, wanted);
}

/* The patches that were posed are leaves, all of whose triangles are drawn. */
static void check_patches(graze_body *body, uint64_t posed)
{
    uint32_t nodes = graze_model_get_info(graze_body_model(body)).node_count, count, at = 0;
    graze_node_view view;
    static uint32_t triangles[MAX_STROKES];
    DRAWS(graze_draw_patches(&draw, body, NULL));
    for (uint32_t n = 0; n < nodes; n++) {
        CHECK(!graze_body_view_node(body, n, GRAZE_NODE_CURRENT, &view));
        CHECK(!graze_body_node_triangles(body, n, triangles, MAX_STROKES, &count));
        if (view.child_count || !count || !is_triangle(at, body, triangles[0], GRAZE_DRAW_POSED))
            continue;
        for (uint32_t i = 0; i < count; i++)
            CHECK(is_triangle(at++, body, triangles[i], GRAZE_DRAW_POSED));
        posed--;
    }
    CHECK_MSG(posed == 0 && drawn.triangles == at, "%u of %u triangles", drawn.triangles, at);
}

static void check_body(graze_tree_def tree, bool masked)
{
    OWN(soup_pair) pair = soup_pair_open(tree, GRAZE_LINEAR, NULL);
    graze_body *body = pair.a;
    graze_model_info info = graze_model_get_info(pair.models[0]);
    const uint32_t bits[1] = {1};
    graze_stats cold = {0}, stats = {0};
    graze_hit hit;
    uint32_t count;
    CHECK(!masked || !graze_body_set_part_mask(body, bits, info.part_count, NULL));
    CHECK(!graze_cast(body, &pair.ray, &hit, &(graze_options){.stats = &cold}, NULL));
    graze_body_drop_caches(body);
    check_patches(body, 0);
    check_bounds(body, GRAZE_NONE, false);
    CHECK(!graze_body_node_triangles(body, 0, NULL, 0, &count));
    DRAWS(graze_draw_body(&draw, body, NULL));
    CHECK(drawn.triangles == count && drawn.count == count && count > 0);
    CHECK(!graze_cast(body, &pair.ray, &hit, &(graze_options){.stats = &stats}, NULL));
    CHECK(memcmp(&cold, &stats, sizeof stats) == 0);
    for (uint32_t level = 0; level <= info.level_count; level++)
        for (int only = 0; only < 2; only++)
            check_bounds(body, level < info.level_count ? level : GRAZE_NONE, only);
    check_patches(body, stats.patches_posed);
}

TEST(bodies_are_drawn_as_they_are_inspected)
{
    for (uint32_t tree = 0; tree < agreement_tree_count(); tree++)
        check_body(agreement_tree(tree), tree % 2);
}

/* ---- answers -------------------------------------------------------------------------------- */

TEST(answers_are_drawn)
{
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    graze_pair pairs[8];
    graze_pair_list list = {.items = pairs, .capacity = 8};
    graze_contact contact = {.point = {1, 2, 3}, .normal = {0, 1, 0}, .depth = 2};
    const float tip[3] = {1, 2.25f, 3}, deep[3] = {1, 4, 3};
    graze_hit hit;
    CHECK(!graze_pairs(pair.a, pair.b, &list, NULL, NULL) && list.count == 8);
    DRAWS(graze_draw_pairs(&draw, pair.a, pair.b, pairs, list.count, NULL));
    for (uint32_t i = 0; i < 8; i++)
        CHECK(is_triangle(2 * i, pair.a, pairs[i].a, GRAZE_DRAW_PAIR_A) &&
              is_triangle(2 * i + 1, pair.b, pairs[i].b, GRAZE_DRAW_PAIR_B));
    pairs[3].b = 1 << 30;
    drawn.count = 0;
    CHECK(graze_draw_pairs(&draw, pair.a, pair.b, pairs, 8, NULL) == GRAZE_BAD_INPUT);
    CHECK(drawn.count == 0);
    DRAWS(graze_draw_contacts(&draw, &contact, 1, NULL));
    CHECK(drawn.count == 3 && is_drawn(0, contact.point, tip, GRAZE_DRAW_NORMAL) &&
          is_drawn(1, contact.point, deep, GRAZE_DRAW_DEPTH) &&
          is_drawn(2, contact.point, NULL, GRAZE_DRAW_CONTACT));
    CHECK(!graze_cast(pair.a, &pair.ray, &hit, NULL, NULL) && hit.found);
    DRAWS(graze_draw_hit(&draw, &pair.ray, &hit, NULL));
    CHECK(drawn.count == 3 && is_drawn(2, hit.point, NULL, GRAZE_DRAW_RAY));
    CHECK(!memcmp(drawn.numbers[0] + 3, hit.point, sizeof hit.point));
    graze_draw bad = draw, nothing = {0};
    bad.length = NAN;
    CHECK(graze_draw_contacts(&bad, &contact, 1, NULL) == GRAZE_BAD_INPUT);
    bad = (graze_draw){.reserved = {1}};
    CHECK(graze_draw_body(&bad, pair.a, NULL) == GRAZE_BAD_INPUT);
    CHECK(!graze_draw_bounds(&nothing, pair.a, 0, false, NULL));
    CHECK(!graze_draw_contacts(&nothing, &contact, 1, NULL));
}

TEST(worlds_are_drawn)
{
    const float p[3] = {0, 0, 0}, q[3] = {0.5f, 1, 0.5f}, up[3] = {0.6f, 0, 0.8f};
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    graze_shape shapes[4] = {graze_shape_sphere(p, 1), graze_shape_capsule(p, q, 1),
                             graze_shape_box(q, q, NULL), graze_shape_half_space(up, 0.5f)};
    graze_world_rule rule = {.contacts = true};
    graze_world_id id, body_id;
    OWN(graze_world) *world = NULL;
    uint32_t contacts = 0, triangles = graze_model_get_info(pair.models[0]).triangle_count;
    size_t count;
    REQUIRE(!graze_world_create(NULL, &world, NULL) &&
            !graze_world_set_rule(world, 0, 0, &rule, NULL) &&
            !graze_world_add_body(world, pair.a, NULL, &body_id, NULL));
    for (int i = 0; i < 4; i++)
        REQUIRE(!graze_world_add_shape(world, &shapes[i], NULL, &id, NULL));
    REQUIRE(!graze_world_update(world, NULL, NULL));
    const graze_world_event *events = graze_world_events(world, &count);
    for (size_t e = 0; e < count; e++)
        contacts += events[e].contact_count;
    DRAWS(graze_draw_world(&draw, world, 0, NULL));
    CHECK(drawn.spheres == 3 && drawn.boxes == 2 + 4 && drawn.triangles == triangles);
    CHECK(drawn.points == contacts && drawn.lines == 2 * contacts + 2 && contacts > 0);
    DRAWS(graze_draw_world(&draw, world, GRAZE_DRAW_BOXES, NULL));
    CHECK(drawn.count == 4 && is_drawn(3, q, q, GRAZE_DRAW_MEMBER) == false);
    CHECK(!graze_world_remove(world, body_id, NULL));
    DRAWS(graze_draw_world(&draw, world, GRAZE_DRAW_BOXES | GRAZE_DRAW_BODIES, NULL));
    CHECK(drawn.count == 3 && drawn.boxes == 3);
    DRAWS(graze_draw_shape(&draw, &shapes[3], NULL));
    CHECK(drawn.boxes == 1 && fabsf(drawn.numbers[0][0] - 0.3f) < 1e-6f &&
          !memcmp(drawn.numbers[0] + 6, up, sizeof up));
}
