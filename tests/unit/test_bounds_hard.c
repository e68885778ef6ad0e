/* Bounds under attack: poses that climb towards the place with the least slack, and named cases
 * where squares underflow, entries are larger than any vertex sees, or nothing is left of a node.
 */
#include "harness.h"
#include "support/bounds_judge.h"
#include "support/quick.h"
#include "support/soup.h"

#include <math.h>
#include <string.h>

/* ---- climbing ----------------------------------------------------------------------------- */

enum { MAX_JOINTS = 8, MAX_NUMBERS = 12 * MAX_JOINTS + 12 };

static bounds_seen seen, seen_refit;

/* Slack of this pose: the numbers are the joints' maps and then the placement. */
static double slack_of(graze_body *body, const float *numbers)
{
    uint32_t joints = body->model->mesh.joint_count;
    graze_pose pose = {
        .joints = numbers, .joint_count = joints, .placement = numbers + 12 * (size_t)joints};
    if (graze_body_set_pose(body, &pose, NULL))
        return INFINITY;
    bounds_seen now = bounds_seen_start();
    bool ok = bounds_judge(body, false, "climbing", &now);
    bounds_seen_add(&seen, &now);
    return ok ? bounds_seen_least(&now) : -1;
}

/* Changes one number of the pose: a little, a lot, or by one step. */
static void mutate(float *number, test_random *random)
{
    switch (test_random_u32(random) % 5) {
    case 0:
        *number = (float)(*number * test_random_range(random, 0.5, 2));
        break;
    case 1:
        *number = nextafterf(*number, test_random_u32(random) % 2 ? INFINITY : -INFINITY);
        break;
    case 2:
        *number = (float)test_random_range(random, -1, 1);
        break;
    case 3:
        *number = -*number;
        break;
    default:
        *number = (float)(*number * (1 + test_random_range(random, -1e-5, 1e-5)));
        break;
    }
}

static bool climb(graze_body *body, const soup *mesh, uint32_t steps, test_random *random)
{
    float best[MAX_NUMBERS] = {0}, changed[MAX_NUMBERS];
    uint32_t count = 12 * mesh->def.joint_count;
    pose_make((map_kind)(test_random_u32(random) % MAP_TINY), mesh, random, best);
    map_make(MAP_RIGID, mesh->centre, 1, random, best + count);
    double least = slack_of(body, best);
    for (uint32_t step = 0; step < steps && least >= 0; step++) {
        memcpy(changed, best, sizeof changed);
        for (uint32_t k = 0; k <= step % 3; k++)
            mutate(&changed[test_random_u32(random) % (count + 12)], random);
        double slack = slack_of(body, changed);
        if (slack <= least) {
            least = slack;
            memcpy(best, changed, sizeof best);
        }
    }
    return least >= 0;
}

TEST(climbing_finds_no_way_out)
{
    uint32_t meshes = test_amount(180, 12), steps = test_amount(6000, 500);
    seen = bounds_seen_start();
    for (uint32_t m = 0; m < meshes; m++) {
        test_random random = test_random_seed(5000 + m);
        soup_def def = {.vertex_count = 3 + m % 5,
                        .triangle_count = 1 + m % 3,
                        .joint_count = 1 + m % 6,
                        .max_influences = 1 + m % 5,
                        .size = 1,
                        .offset = m % 4 == 3 ? 100 : 0,
                        .scattered = true,
                        .odd_weights = m % 7 == 2};
        soup mesh = soup_make(&def, &random);
        graze_model_def model_def = soup_model_def(&mesh);
        graze_model *model = NULL;
        graze_body *body = NULL;
        model_def.tree = bounds_tree(m / 6 % 3);
        bool ok = graze_model_create(&model_def, &model, NULL) == GRAZE_OK &&
                  graze_body_create(model, &body, NULL) == GRAZE_OK &&
                  climb(body, &mesh, steps, &random);
        graze_body_destroy(body);
        graze_model_destroy(model);
        soup_free(&mesh);
        REQUIRE(ok);
    }
    bounds_seen_print("climbing", &seen);
}

/* ---- named cases -------------------------------------------------------------------------- */

/* Two triangles on two joints, the second vertex on both. */
typedef struct small_case {
    const char *name;
    float positions[18];
    float maps[24];
    bool refused; /* by graze_body_set_pose */
} small_case;

#define SQUARE(s)                                                                                  \
    {                                                                                              \
        0, 0, 0, s, 0, 0, 0, s, 0, s, s, 0, 0, 0, s, s, 0, s                                       \
    }
#define FLAT                                                                                       \
    {                                                                                              \
        0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, 0, 0, 2, 1, 0                                       \
    }
#define POINT                                                                                      \
    {                                                                                              \
        0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0                                       \
    }
#define DIAGONAL(x, y, z) x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0

static const small_case small_cases[] = {
    {"one axis left, 1e-12", SQUARE(1), {DIAGONAL(1e-12f, 0, 0), DIAGONAL(0, 1e-12f, 0)}, false},
    {"scale 1e-20", SQUARE(1), {DIAGONAL(1e-20f, 1e-20f, 1e-20f), DIAGONAL(0, 1e-20f, 0)}, false},
    {"scale 1e-24 of 1e15",
     SQUARE(1e15f),
     {DIAGONAL(1e-24f, 1e-24f, 1e-24f), DIAGONAL(1e-24f, 0, 0)},
     false},
    {"size 1e-22", SQUARE(1e-22f), {DIAGONAL(1, 1, 1), DIAGONAL(-1, 1, 1)}, false},
    {"size 1e-38", SQUARE(1e-38f), {DIAGONAL(1, 1, 1), DIAGONAL(-1, 1, 1)}, false},
    {"size 1e-44", SQUARE(1e-44f), {DIAGONAL(1, 1, 1), DIAGONAL(0.7f, 1, 1)}, false},
    {"denormal maps", SQUARE(1), {DIAGONAL(1e-40f, 1e-41f, 1e-42f), DIAGONAL(1e-45f, 0, 0)}, false},
    {"unseen 1e17", FLAT, {DIAGONAL(1, 1, 1e17f), DIAGONAL(1, 2, 1e17f)}, false},
    {"unseen 1e17, points", POINT, {DIAGONAL(1, 1, 1e17f), DIAGONAL(1, 2, 1e17f)}, false},
    {"unseen 1e30", FLAT, {DIAGONAL(1, 1, 1e30f), DIAGONAL(1, 2, 1)}, true},
    {"points unseen 1e30", POINT, {DIAGONAL(1, 1, 1), DIAGONAL(1, 2, 1e30f)}, true},
    {"all to one point", SQUARE(1), {DIAGONAL(0, 0, 0), DIAGONAL(0, 0, 0)}, false},
    {"size 1e15", SQUARE(1e15f), {DIAGONAL(1, 1, 1), DIAGONAL(-1, 1, 1)}, false},
    {"size 1e15 to 1e18", SQUARE(1e15f), {DIAGONAL(300, 300, 300), DIAGONAL(-300, 1, 1)}, false},
};

static void check_small_case(const small_case *c, uint32_t tree, const float *placement)
{
    static const uint32_t triangles[6] = {0, 1, 2, 3, 4, 5}, offsets[7] = {0, 1, 3, 4, 6, 7, 9};
    static const graze_influence influences[9] = {
        {0, 1}, {0, 0.3f}, {1, 0.7f}, {1, 1}, {0, 0.5f}, {1, 0.5f}, {0, 1}, {1, 0.1f}, {0, 0.9f}};
    graze_model_def def = {0};
    def.positions = c->positions;
    def.vertex_count = 6;
    def.triangles = triangles;
    def.triangle_count = def.joint_count = 2;
    def.influence_offsets = offsets;
    def.influences = influences;
    def.tree = bounds_tree(tree);
    graze_model *model = NULL;
    graze_body *body = NULL;
    REQUIRE(graze_model_create(&def, &model, NULL) == GRAZE_OK);
    REQUIRE(graze_body_create(model, &body, NULL) == GRAZE_OK);
    graze_pose pose = {.joints = c->maps, .joint_count = 2, .placement = placement};
    graze_status status = graze_body_set_pose(body, &pose, NULL);
    CHECK_MSG(status == (c->refused ? GRAZE_BAD_INPUT : GRAZE_OK), "%s: %s", c->name,
              graze_status_name(status));
    if (!status) {
        bounds_judge(body, true, c->name, &seen);
        bounds_judge_refit(body, c->name, &seen_refit);
    }
    graze_body_destroy(body);
    graze_model_destroy(model);
}

TEST(named_cases_stay_in_their_bounds)
{
    static const float placement[12] = {0, 1, 0, 1e-21f, -1, 0, 0, -3e-22f, 0, 0, 1, 0};
    seen = seen_refit = bounds_seen_start();
    for (size_t i = 0; i < sizeof small_cases / sizeof *small_cases; i++)
        for (uint32_t tree = 0; tree < BOUNDS_TREES; tree++) {
            check_small_case(&small_cases[i], tree, NULL);
            check_small_case(&small_cases[i], tree, placement);
        }
    bounds_seen_print("named cases", &seen);
}
