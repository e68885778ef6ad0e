#include "support/mask_judge.h"

#include "support/answers.h"
#include "support/rigs.h"

#include <graze/reference.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- making both ---------------------------------------------------------------------------- */

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes + 1);
    if (!memory)
        abort();
    return memory;
}

masked_side masked_open(const graze_model_def *def)
{
    masked_side side = {.def = *def};
    graze_error error = {.text = ""};
    if (!test_check(graze_model_create(def, &side.model, &error) == GRAZE_OK, __FILE__, __LINE__,
                    "%s", error.text))
        abort();
    side.groups = allocate(def->triangle_count * sizeof *side.groups);
    side.names = allocate(def->triangle_count * sizeof *side.names);
    side.bits =
        allocate((graze_model_get_info(side.model).group_count / 32 + 1) * sizeof *side.bits);
    for (uint32_t t = 0; t < def->triangle_count; t++)
        side.groups[t] = graze_model_triangle_group(side.model, t);
    for (int i = 0; i < 2; i++)
        if (graze_body_create(side.model, &side.bodies[i], NULL))
            abort();
    return side;
}

static void drop_part(masked_side *side)
{
    for (int i = 0; i < 2; i++)
        graze_body_destroy(side->twins[i]);
    graze_model_destroy(side->part);
    side->part = NULL;
    side->twins[0] = side->twins[1] = NULL;
}

void masked_close(masked_side *side)
{
    drop_part(side);
    for (int i = 0; i < 2; i++)
        graze_body_destroy(side->bodies[i]);
    graze_model_destroy(side->model);
    free(side->groups);
    free(side->names);
    free(side->bits);
}

static void make_part(masked_side *side, const graze_tree_def *tree)
{
    graze_model_def def = side->def;
    uint32_t *triangles = allocate(3 * side->part_count * sizeof *triangles);
    uint32_t *groups = allocate(side->part_count * sizeof *groups);
    for (uint32_t i = 0; i < side->part_count; i++) {
        memcpy(triangles + 3 * (size_t)i, def.triangles + 3 * (size_t)side->names[i],
               3 * sizeof *triangles);
        groups[i] = side->groups[side->names[i]];
    }
    def.triangles = triangles;
    def.triangle_count = side->part_count;
    def.triangle_groups = groups;
    def.group_count = graze_model_get_info(side->model).group_count;
    def.tree = *tree;
    def.isa = GRAZE_ISA_BASE;
    if (graze_model_create(&def, &side->part, NULL) ||
        graze_body_create(side->part, &side->twins[0], NULL) ||
        graze_body_create(side->part, &side->twins[1], NULL))
        abort();
    free(triangles);
    free(groups);
}

bool masked_set(masked_side *side, const uint32_t *bits, const graze_tree_def *part_tree)
{
    uint32_t groups = graze_model_get_info(side->model).group_count;
    memcpy(side->bits, bits, (groups + 31) / 32 * sizeof *bits);
    for (int i = 0; i < 2; i++)
        CHECK(graze_body_set_group_mask(side->bodies[i], bits, groups, NULL) == GRAZE_OK);
    drop_part(side);
    side->part_count = 0;
    for (uint32_t t = 0; t < side->def.triangle_count; t++) {
        uint32_t group = side->groups[t];
        side->names[side->part_count] = t;
        side->part_count += bits[group / 32] >> (group % 32) & 1;
    }
    if (side->part_count)
        make_part(side, part_tree);
    return side->part_count > 0;
}

void masked_pose(masked_side *side, int end, const graze_pose *pose, bool is_posed)
{
    if (!is_posed)
        CHECK(graze_body_set_pose(side->bodies[end], pose, NULL) == GRAZE_OK);
    CHECK(graze_body_set_pose(side->twins[end], pose, NULL) == GRAZE_OK);
}

void masked_give_positions(masked_side *side, int end, bool is_given)
{
    uint32_t count = side->def.vertex_count;
    float *positions = allocate(3 * count * sizeof *positions);
    graze_body_get_positions(side->twins[end], positions);
    if (!is_given)
        CHECK(graze_body_set_positions(side->bodies[end], positions, 0, count, NULL) == GRAZE_OK);
    CHECK(graze_body_set_positions(side->twins[end], positions, 0, count, NULL) == GRAZE_OK);
    free(positions);
}

/* ---- comparing ------------------------------------------------------------------------------ */

typedef struct judge {
    const masked_side *a, *b;
    test_random *random;
    const char *name;
    answers found, expected, segments[2];
    uint64_t answered;
    float middle[3];
    double size;
} judge;

static void clear(judge *j)
{
    answers_clear(&j->found);
    answers_clear(&j->expected);
}

/* The whole model's numbers in place of the part's, where the record has found something. */
static void rename_column(answers *list, const masked_side *side, uint32_t column, int found)
{
    for (size_t i = 0; i < list->count; i++) {
        uint32_t *record = list->words + i * list->width;
        if (found < 0 || record[found])
            record[column] = side->names[record[column]];
    }
}

static void compare_lists(judge *j, answers *found, answers *expected, const char *what)
{
    size_t odd = 0;
    CHECK_MSG(answers_sort(found), "%s: %s: something is there twice", j->name, what);
    answers_sort(expected);
    CHECK_MSG(answers_equal(expected, found, &odd), "%s: %s: %zu answers, the part alone has %zu",
              j->name, what, found->count, expected->count);
    j->answered += expected->count;
}

/* Pairs of triangles of both, in the first two columns. */
static void compare_pairs(judge *j, const char *what)
{
    rename_column(&j->expected, j->a, 0, -1);
    rename_column(&j->expected, j->b, 1, -1);
    compare_lists(j, &j->found, &j->expected, what);
    clear(j);
}

#define ASK(call) CHECK_MSG((call) == GRAZE_OK, "%s: %s", j->name, #call)

static void judge_pairs(judge *j)
{
    graze_body *a = j->a->bodies[0], *b = j->b->bodies[0];
    graze_body *x = j->a->twins[0], *y = j->b->twins[0];
    bool hit = false, expected = false;
    graze_pair pair;
    for (int way = 0; way < 4; way++) {
        if (way < 2) /* cold, then warm */
            ASK(graze_collide(a, b, answers_take_pairs, &j->found, NULL, NULL));
        else if (way == 2)
            ASK(graze_collide_brute(a, b, answers_take_pairs, &j->found, NULL, NULL));
        else
            ASK(graze_collide_eager(a, b, false, answers_take_pairs, &j->found, NULL, NULL));
        ASK(graze_collide_brute(x, y, answers_take_pairs, &j->expected, NULL, NULL));
        compare_pairs(j, "collide");
    }
    ASK(graze_collide_first(a, b, &hit, &pair, NULL, NULL));
    ASK(graze_collide_first(x, y, &expected, NULL, NULL, NULL));
    CHECK_MSG(hit == expected, "%s: collide_first", j->name);
}

static void judge_self(judge *j)
{
    graze_body *a = j->a->bodies[0], *x = j->a->twins[0];
    for (int way = 0; way < 4; way++) {
        graze_self_which which = way % 2 ? GRAZE_SELF_NEW : GRAZE_SELF_ALL;
        if (way == 3)
            ASK(graze_collide_self_eager(a, which, answers_take_self, &j->found, NULL, NULL));
        else
            ASK(graze_collide_self(a, which, answers_take_self, &j->found, NULL, NULL));
        ASK(graze_collide_self_brute(x, which, answers_take_self, &j->expected, NULL, NULL));
        rename_column(&j->expected, j->a, 0, -1);
        rename_column(&j->expected, j->a, 1, -1);
        compare_lists(j, &j->found, &j->expected, "collide_self");
        clear(j);
    }
}

static void judge_distance(judge *j)
{
    static const double parts[] = {INFINITY, 0.3, 0.02};
    for (int i = 0; i < 3; i++) {
        double limit = parts[i] * j->size;
        graze_nearest found, expected;
        ASK(graze_distance(j->a->bodies[0], j->b->bodies[0], limit, &found, NULL, NULL));
        ASK(graze_distance_brute(j->a->twins[0], j->b->twins[0], limit, &expected, NULL, NULL));
        if (expected.found) {
            expected.triangles.a = j->a->names[expected.triangles.a];
            expected.triangles.b = j->b->names[expected.triangles.b];
        }
        answers_put_nearest(&j->found, &found);
        answers_put_nearest(&j->expected, &expected);
        compare_lists(j, &j->found, &j->expected, "distance");
        clear(j);
        if (i == 2) {
            bool closer = false;
            float least = 0;
            ASK(graze_within(j->a->bodies[0], j->b->bodies[0], limit, answers_take_pairs, &j->found,
                             NULL, NULL));
            ASK(graze_within_brute(j->a->twins[0], j->b->twins[0], limit, answers_take_pairs,
                                   &j->expected, NULL, NULL));
            ASK(graze_closer_than(j->a->bodies[0], j->b->bodies[0], limit, &closer, NULL, NULL,
                                  NULL));
            ASK(graze_distance_bound(j->a->bodies[0], j->b->bodies[0], &least, NULL, NULL));
            CHECK_MSG(closer == (j->expected.count > 0), "%s: closer_than", j->name);
            CHECK_MSG(!expected.found || (double)least <= expected.distance, "%s: distance_bound",
                      j->name);
            compare_pairs(j, "within");
        }
    }
}

static float around(const judge *j, int axis, double part)
{
    return (float)((double)j->middle[axis] + test_random_range(j->random, -part, part) * j->size);
}

static void judge_rays(judge *j)
{
    graze_ray rays[8];
    graze_ray_hit hits[8], expected;
    for (int i = 0; i < 8; i++) {
        float from[3], to[3];
        for (int k = 0; k < 3; k++) {
            from[k] = around(j, k, 1.5);
            to[k] = around(j, k, 0.4);
        }
        rays[i] = graze_ray_between(from, to);
        rays[i].t_max = INFINITY;
        ASK(graze_cast_all(j->a->bodies[0], &rays[i], answers_take_hits, &j->found, NULL, NULL));
        ASK(graze_cast_brute(j->a->twins[0], &rays[i], answers_take_hits, &j->expected, NULL,
                             NULL));
        rename_column(&j->expected, j->a, 1, 0);
        compare_lists(j, &j->found, &j->expected, "cast_all");
        clear(j);
    }
    ASK(graze_cast_many(j->a->bodies[0], rays, 8, hits, NULL, NULL));
    for (int i = 0; i < 8; i++) {
        graze_ray_hit hit;
        ASK(graze_cast(j->a->bodies[0], &rays[i], &hit, NULL, NULL));
        ASK(graze_cast(j->a->twins[0], &rays[i], &expected, NULL, NULL));
        answers_put_hit(&j->found, &hit);
        answers_put_hit(&j->expected, &expected);
        rename_column(&j->expected, j->a, 1, 0);
        CHECK_MSG(answers_equal(&j->expected, &j->found, NULL), "%s: cast", j->name);
        answers_clear(&j->found);
        answers_put_hit(&j->found, &hits[i]);
        CHECK_MSG(answers_equal(&j->expected, &j->found, NULL), "%s: cast_many", j->name);
        clear(j);
    }
}

static bool take_contacts(void *user, const graze_shape_contact *contacts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t words[9] = {contacts[i].triangle, contacts[i].group};
        memcpy(words + 2, contacts[i].point, sizeof contacts[i].point);
        memcpy(words + 5, contacts[i].normal, sizeof contacts[i].normal);
        memcpy(words + 8, &contacts[i].depth, sizeof contacts[i].depth);
        answers_put(user, words, 9);
    }
    return true;
}

static void judge_shapes(judge *j)
{
    for (int i = 0; i < 8; i++) {
        float at[3], to[3], half[3];
        graze_side side;
        for (int k = 0; k < 3; k++) {
            at[k] = around(j, k, 0.4);
            to[k] = around(j, k, 0.4);
            half[k] = (float)(test_random_range(j->random, 0.05, i % 2 ? 2 : 0.3) * j->size);
        }
        graze_shape shape = i < 4   ? graze_shape_sphere(at, half[0])
                            : i < 6 ? graze_shape_box(at, half, NULL)
                                    : graze_shape_capsule(at, to, half[0]);
        bool hit = false;
        ASK(graze_touch(j->a->bodies[0], &shape, answers_take_triangles, &j->found, NULL, NULL));
        ASK(graze_touch_brute(j->a->twins[0], &shape, answers_take_triangles, &j->expected, NULL,
                              NULL));
        ASK(graze_touch_first(j->a->bodies[0], &shape, &hit, NULL, NULL, NULL));
        ASK(graze_classify(j->a->bodies[0], &shape, UINT32_MAX, &side, NULL, NULL));
        CHECK_MSG(hit == (j->expected.count > 0), "%s: touch_first", j->name);
        CHECK_MSG(side == GRAZE_CROSSING || (side == GRAZE_INSIDE) == hit, "%s: classify", j->name);
        CHECK_MSG(side != GRAZE_INSIDE || j->expected.count == j->a->part_count,
                  "%s: classify says inside", j->name);
        rename_column(&j->expected, j->a, 0, -1);
        compare_lists(j, &j->found, &j->expected, "touch");
        clear(j);
        ASK(graze_touch_contacts(j->a->bodies[0], &shape, take_contacts, &j->found, NULL, NULL));
        ASK(graze_touch_contacts(j->a->twins[0], &shape, take_contacts, &j->expected, NULL, NULL));
        rename_column(&j->expected, j->a, 0, -1);
        compare_lists(j, &j->found, &j->expected, "touch_contacts");
        clear(j);
    }
}

static void judge_points(judge *j)
{
    for (int i = 0; i < 8; i++) {
        float at[3] = {around(j, 0, 0.3), around(j, 1, 0.3), around(j, 2, 0.3)};
        float winding[2] = {0, 1};
        graze_point_side found, expected;
        ASK(graze_point_inside(j->a->bodies[0], at, &found, NULL, NULL));
        ASK(graze_point_inside_brute(j->a->twins[0], at, &expected, NULL, NULL));
        answers_put_inside(&j->found, &found);
        answers_put_inside(&j->expected, &expected);
        compare_lists(j, &j->found, &j->expected, "point_inside");
        clear(j);
        ASK(graze_winding_number(j->a->bodies[0], at, &winding[0], NULL, NULL));
        ASK(graze_winding_number(j->a->twins[0], at, &winding[1], NULL, NULL));
        CHECK_MSG(memcmp(&winding[0], &winding[1], sizeof(float)) == 0, "%s: winding", j->name);
    }
}

static void judge_sweeps(judge *j)
{
    for (int self = 0; self < 2; self++) {
        const masked_side *second = self ? j->a : j->b;
        graze_motion a = {j->a->bodies[0], j->a->bodies[1]};
        graze_motion b = {j->b->bodies[0], j->b->bodies[1]};
        graze_motion x = {j->a->twins[0], j->a->twins[1]};
        graze_motion y = {j->b->twins[0], j->b->twins[1]};
        graze_impact found, expected;
        bool only_new = test_random_u32(j->random) % 2;
        ASK(graze_sweep(&a, self ? NULL : &b, only_new, &found, NULL, NULL));
        ASK(graze_sweep(&x, self ? NULL : &y, only_new, &expected, NULL, NULL));
        answers_put_impact(&j->found, &found);
        answers_put_impact(&j->expected, &expected);
        rename_column(&j->expected, j->a, 0, 2);
        rename_column(&j->expected, second, 1, 2);
        compare_lists(j, &j->found, &j->expected, self ? "sweep of itself" : "sweep");
        clear(j);
        ASK(graze_sweep_pairs(&a, self ? NULL : &b, only_new, answers_take_impacts, &j->found, NULL,
                              NULL));
        ASK(graze_sweep_pairs(&x, self ? NULL : &y, only_new, answers_take_impacts, &j->expected,
                              NULL, NULL));
        rename_column(&j->expected, j->a, 0, -1);
        rename_column(&j->expected, second, 1, -1);
        compare_lists(j, &j->found, &j->expected, self ? "impacts with itself" : "impacts");
        clear(j);
    }
}

static void judge_contacts(judge *j)
{
    graze_contacts *finder = NULL, *twin = NULL;
    if (graze_contacts_create(j->a->model, j->b->model, NULL, &finder, NULL) ||
        graze_contacts_create(j->a->part, j->b->part, NULL, &twin, NULL))
        abort();
    for (int again = 0; again < 2; again++) {
        ASK(graze_contacts_find(finder, j->a->bodies[0], j->b->bodies[0], NULL, NULL));
        ASK(graze_contacts_find(twin, j->a->twins[0], j->b->twins[0], NULL, NULL));
        answers_put_contacts(&j->found, &j->segments[0], finder);
        answers_put_contacts(&j->expected, &j->segments[1], twin);
        rename_column(&j->segments[1], j->a, 0, -1);
        rename_column(&j->segments[1], j->b, 1, -1);
        CHECK_MSG(answers_equal(&j->expected, &j->found, NULL), "%s: contacts", j->name);
        CHECK_MSG(answers_equal(&j->segments[1], &j->segments[0], NULL), "%s: segments", j->name);
        j->answered += j->expected.count;
        clear(j);
        answers_clear(&j->segments[0]);
        answers_clear(&j->segments[1]);
    }
    graze_contacts_destroy(finder);
    graze_contacts_destroy(twin);
}

static void find_place(judge *j)
{
    float *positions = allocate(3 * j->a->def.vertex_count * sizeof *positions);
    double middle[3];
    graze_body_get_positions(j->a->twins[0], positions);
    j->size = test_extent(positions, j->a->def.vertex_count, middle) + 1e-6;
    for (int k = 0; k < 3; k++)
        j->middle[k] = (float)middle[k];
    free(positions);
}

uint64_t masked_judge(const masked_side *a, const masked_side *b, test_random *random,
                      const char *name)
{
    judge j = {.a = a, .b = b, .random = random, .name = name};
    find_place(&j);
    judge_pairs(&j);
    judge_self(&j);
    judge_distance(&j);
    judge_rays(&j);
    judge_shapes(&j);
    judge_points(&j);
    judge_sweeps(&j);
    judge_contacts(&j);
    answers_free(&j.found);
    answers_free(&j.expected);
    answers_free(&j.segments[0]);
    answers_free(&j.segments[1]);
    return j.answered;
}
