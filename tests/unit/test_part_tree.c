/* Parts by name: names that are one part's, nesting, sets for masks, groups from lists and from
 * rigs; bad input and failures of memory.
 */
#include "harness.h"
#include "support/allocator.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/soup.h"

#include <graze/ext/parts.h>
#include <graze/rig.h>

#include <stdlib.h>
#include <string.h>

static graze_part_names *make(const graze_part_def *defs, uint32_t count)
{
    graze_part_names_def def = {0};
    graze_part_names *parts = NULL;
    graze_error error = {.text = ""};
    def.parts = defs;
    def.part_count = count;
    CHECK_MSG(!graze_part_names_create(&def, &parts, &error), "%s", error.text);
    return parts;
}

static bool is_named(const graze_part_names *parts, uint32_t part, const char *name)
{
    const char *own = graze_part_name(parts, part);
    return test_check(own && strcmp(own, name) == 0, __FILE__, __LINE__, "part %u is %s, not %s",
                      part, own ? own : "NULL", name);
}

/* ---- names ---------------------------------------------------------------------------------- */

TEST(every_name_is_one_parts)
{
    static const char *const given[] = {"arm",   "arm", NULL,  "arm",  "",
                                        "arm#2", "2",   "leg", "arm#2"};
    static const char *const names[] = {"arm",     "arm#2", "2",   "arm#3",  "4",
                                        "arm#2#2", "2#2",   "leg", "arm#2#3"};
    enum { COUNT = sizeof given / sizeof *given };
    graze_part_def defs[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        defs[i] = (graze_part_def){.name = given[i]};
    OWN(graze_part_names) *parts = make(defs, COUNT);
    REQUIRE(parts);
    CHECK(graze_part_count(parts) == COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        is_named(parts, i, names[i]);
        CHECK(graze_part_find(parts, names[i]) == i);
    }
    CHECK(graze_part_find(parts, "Arm") == GRAZE_NONE && graze_part_find(parts, "") == GRAZE_NONE &&
          graze_part_find(parts, "arm#4") == GRAZE_NONE);
    CHECK(!graze_part_name(parts, COUNT) && graze_part_parent(parts, COUNT) == GRAZE_NONE);
}

/* A later name that looks like a second one's. */
TEST(a_name_that_is_taken_goes_on_counting)
{
    const graze_part_def defs[] = {{.name = "a"}, {.name = "a#2"}, {.name = "a"}};
    OWN(graze_part_names) *parts = make(defs, 3);
    is_named(parts, 2, "a#3");
}

/* What is called by its number alone, and what by what it is inside, near or far. */
TEST(a_part_without_a_name_says_what_it_is_inside)
{
    static const struct {
        const char *given;
        uint32_t parent;
        const char *name;
    } rows[] = {{"arm", GRAZE_NONE, "arm"},
                {NULL, 0, "arm/1"},
                {"", 1, "arm/2"},
                {NULL, 5, "5/3"},
                {"arm/4", 0, "arm/4"},
                {"5", GRAZE_NONE, "5"},
                {NULL, GRAZE_NONE, "6"},
                {NULL, 6, "7"},
                {NULL, 9, "behind/8"},
                {"behind", GRAZE_NONE, "behind"},
                {"a name of sixty bytes and more is cut before this character \xc3\xa9", 0,
                 "a name of sixty bytes and more is cut before this character \xc3\xa9"},
                {NULL, 10, "a name of sixty bytes and more is cut before this character /11"},
                {"a name of fifty-nine bytes is cut before the last character\xc3\xa9", 0,
                 "a name of fifty-nine bytes is cut before the last character\xc3\xa9"},
                {NULL, 12, "a name of fifty-nine bytes is cut before the last character/13"},
                {"arm/15", 0, "arm/15"},
                {NULL, 0, "arm/15#2"}};
    enum { COUNT = sizeof rows / sizeof *rows };
    graze_part_def defs[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        defs[i] = (graze_part_def){.name = rows[i].given,
                                   .inside = rows[i].parent != GRAZE_NONE,
                                   .parent = rows[i].parent};
    OWN(graze_part_names) *parts = make(defs, COUNT);
    REQUIRE(parts);
    for (uint32_t i = 0; i < COUNT; i++)
        is_named(parts, i, rows[i].name);
}

/* ---- nesting -------------------------------------------------------------------------------- */

static uint32_t parent_of(const graze_part_def *def)
{
    return def->inside ? def->parent : GRAZE_NONE;
}

/* Whether p is q or inside it, by going up. */
static bool is_inside(const graze_part_def *defs, uint32_t p, uint32_t q)
{
    while (p != q && p != GRAZE_NONE)
        p = parent_of(&defs[p]);
    return p == q;
}

/* Random forests, parents anywhere: sets of parts with all inside them, by going up from each. */
TEST(sets_hold_what_is_inside)
{
    enum { MAX = 150, WORDS = (MAX + 31) / 32 };
    test_random random = test_random_seed(4);
    for (uint32_t round = 0; round < test_amount(2000, 200); round++) {
        uint32_t count = 1 + test_random_u32(&random) % MAX, numbers[MAX], expected[WORDS] = {0};
        uint32_t bits[WORDS + 1];
        graze_part_def defs[MAX];
        for (uint32_t i = 0; i < count; i++)
            numbers[i] = i;
        for (uint32_t i = count; i-- > 1;) { /* an order in which each is above those behind it */
            uint32_t k = test_random_u32(&random) % (i + 1), kept = numbers[i];
            numbers[i] = numbers[k];
            numbers[k] = kept;
        }
        for (uint32_t i = 0; i < count; i++) {
            bool top = i == 0 || test_random_u32(&random) % 5 == 0;
            defs[numbers[i]] = (graze_part_def){
                .inside = !top, .parent = top ? 0 : numbers[test_random_u32(&random) % i]};
        }
        OWN(graze_part_names) *parts = make(defs, count);
        REQUIRE(parts);
        const char *names[3];
        uint32_t name_count = test_random_u32(&random) % 4;
        for (uint32_t n = 0; n < name_count; n++) {
            uint32_t part = test_random_u32(&random) % count;
            names[n] = graze_part_name(parts, part);
            for (uint32_t i = 0; i < count; i++)
                if (is_inside(defs, i, part))
                    expected[i / 32] |= 1u << (i % 32);
        }
        memset(bits, 0xff, sizeof bits);
        CHECK(!graze_part_mask(parts, names, name_count, bits, NULL));
        size_t used = (count + 31) / 32;
        CHECK(memcmp(bits, expected, used * sizeof *bits) == 0 && bits[used] == UINT32_MAX);
        for (uint32_t i = 0; i < count; i++)
            CHECK(graze_part_parent(parts, i) == parent_of(&defs[i]));
    }
}

/* ---- bad input ------------------------------------------------------------------------------ */

static void check_refused(const graze_part_def *defs, uint32_t count, const char *text)
{
    const graze_part_names_def def = {.parts = defs, .part_count = count};
    graze_part_names *parts = NULL;
    graze_error error = {.text = ""};
    CHECK(graze_part_names_create(&def, &parts, &error) == GRAZE_BAD_INPUT && !parts);
    CHECK_MSG(strcmp(error.text, text) == 0, "says: %s", error.text);
}

TEST(bad_parts_are_refused)
{
    const graze_part_def beyond[] = {{.name = NULL}, {.inside = true, .parent = 2}};
    const graze_part_def own[] = {{.name = "hand", .inside = true, .parent = 0}};
    const graze_part_def ring[] = {{.name = NULL},
                                   {.name = "a", .inside = true, .parent = 3},
                                   {.name = "b", .inside = true, .parent = 1},
                                   {.name = "c", .inside = true, .parent = 2},
                                   {.name = "d", .inside = true, .parent = 0}};
    check_refused(beyond, 2, "part 1 is inside part 2 of 2");
    check_refused(own, 1, "part 0, hand, is inside itself");
    check_refused(ring, 5, "part 1, a, is inside itself");
    check_refused(own, 0, "0 parts: expected 1 to 2^30");
    check_refused(NULL, 1, "the def's parts is NULL");
}

TEST(unknown_names_are_refused)
{
    const graze_part_def defs[] = {{.name = "arm"}, {.name = "hand", .inside = true, .parent = 0}};
    OWN(graze_part_names) *parts = make(defs, 2);
    const char *const names[] = {"arm", "hnad"}, *const none[] = {"arm", NULL};
    uint32_t bits = 77;
    graze_error error = {.text = ""};
    CHECK(graze_part_mask(parts, names, 2, &bits, &error) == GRAZE_BAD_INPUT && bits == 77);
    CHECK_MSG(strcmp(error.text, "there is no part hnad") == 0, "says: %s", error.text);
    CHECK(graze_part_mask(parts, none, 2, &bits, &error) == GRAZE_BAD_INPUT && bits == 77);
    CHECK(!graze_part_mask(parts, names, 1, &bits, &error) && bits == 3);
}

/* ---- groups from lists ---------------------------------------------------------------------- */

TEST(lists_of_triangles_become_groups)
{
    const uint32_t of_arm[] = {4, 0}, of_hand[] = {2};
    graze_part_def defs[] = {{"arm", false, 0, of_arm, 2}, {"hand", true, 0, of_hand, 1}};
    const graze_part_names_def def = {.parts = defs, .part_count = 2};
    static const uint32_t expected[5] = {0, 1, 1, 1, 0};
    uint32_t groups[5] = {9, 9, 9, 9, 9};
    graze_error error = {.text = ""};
    CHECK(!graze_assign_parts(&def, 5, 1, groups, &error));
    CHECK(memcmp(groups, expected, sizeof groups) == 0);
    CHECK(graze_assign_parts(&def, 5, GRAZE_NONE, groups, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strcmp(error.text, "no part lists triangle 1") == 0, "says: %s", error.text);
    CHECK(graze_assign_parts(&def, 5, 2, groups, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strcmp(error.text, "the rest is part 2 of 2") == 0, "says: %s", error.text);
    CHECK(graze_assign_parts(&def, 4, 1, groups, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strcmp(error.text, "part 0 lists triangle 4 of 4") == 0, "says: %s", error.text);
    defs[1].triangles = of_arm;
    CHECK(graze_assign_parts(&def, 5, 1, groups, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strcmp(error.text, "triangle 4 is listed by part 0 and by 1") == 0, "says: %s",
              error.text);
    defs[1].triangles = NULL;
    CHECK(graze_assign_parts(&def, 5, 1, groups, &error) == GRAZE_BAD_INPUT);
}

/* ---- of a rig ------------------------------------------------------------------------------- */

/* Each part is inside that of the nearest joint above, found here from the nodes. */
TEST(parts_of_joints_follow_the_skeleton)
{
    uint32_t count, nested = 0;
    const test_rig *rigs = test_rigs(&count);
    for (uint32_t i = 0; i < count; i++) {
        const graze_rig *rig = rigs[i].rig;
        OWN(graze_part_names) *parts = NULL;
        CHECK(!graze_rig_part_names(rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &parts, NULL));
        REQUIRE(parts && graze_part_count(parts) == rig->joint_count);
        for (uint32_t j = 0; j < rig->joint_count; j++) {
            uint32_t node = rig->joints[j].node, parent = graze_part_parent(parts, j), above;
            uint32_t expected = GRAZE_NONE;
            for (uint32_t k = j; k-- > 0;)
                if (rig->joints[k].node == node)
                    expected = k;
            for (above = rig->nodes[node].parent; expected == GRAZE_NONE && above != GRAZE_NONE;
                 above = rig->nodes[above].parent)
                for (uint32_t k = rig->joint_count; k-- > 0;)
                    if (rig->joints[k].node == above)
                        expected = k;
            CHECK_MSG(parent == expected, "%s: joint %u is inside %u, not %u", rigs[i].name, j,
                      parent, expected);
            nested += parent != GRAZE_NONE;
        }
    }
    CHECK(nested > 10);
}

/* A rig by hand: two meshes on nodes, one inside the other's; three primitives, one without a
 * material, and a triangle of none.
 */
static void fill_rig(graze_rig *rig, graze_rig_node *nodes, graze_rig_mesh *meshes,
                     graze_rig_primitive *primitives, char **materials, uint32_t *triangles)
{
    memset(nodes, 0, 3 * sizeof *nodes);
    nodes[0].parent = GRAZE_NONE;
    nodes[0].name = "body";
    nodes[1].parent = 0;
    nodes[2].parent = 1;
    nodes[2].name = "hat";
    meshes[0] = (graze_rig_mesh){.vertex_count = 4, .triangle_count = 2};
    meshes[1] = (graze_rig_mesh){"felt", 2, 4, 3, 2, 1, NULL};
    primitives[0] = (graze_rig_primitive){0, 1, 1};
    primitives[1] = (graze_rig_primitive){1, 1, GRAZE_NONE};
    primitives[2] = (graze_rig_primitive){2, 1, 0};
    materials[0] = "wool";
    materials[1] = NULL;
    for (uint32_t i = 0; i < 12; i++)
        triangles[i] = i < 9 ? i % 7 : 7;
    rig->allocator = graze_default_allocator();
    rig->vertex_count = 9;
    rig->triangles = triangles;
    rig->triangle_count = 4;
    rig->nodes = nodes;
    rig->node_count = 3;
    rig->meshes = meshes;
    rig->mesh_count = 2;
    rig->primitives = primitives;
    rig->primitive_count = 3;
    rig->material_names = materials;
    rig->material_count = 2;
}

TEST(parts_of_meshes_and_materials)
{
    graze_rig rig = {0};
    graze_rig_node nodes[3];
    graze_rig_mesh meshes[2];
    graze_rig_primitive primitives[3];
    char *materials[2];
    uint32_t triangles[12], groups[4], vertex_parts[9];
    graze_part_names *parts = NULL;
    fill_rig(&rig, nodes, meshes, primitives, materials, triangles);
    REQUIRE(!graze_rig_part_names(&rig, GRAZE_PARTS_BY_MESH, groups, vertex_parts, &parts, NULL));
    CHECK(graze_part_count(parts) == 3);
    is_named(parts, 0, "body");
    is_named(parts, 1, "felt");
    is_named(parts, 2, "rest");
    CHECK(graze_part_parent(parts, 1) == 0 && graze_part_parent(parts, 0) == GRAZE_NONE);
    CHECK(memcmp(groups, (const uint32_t[]){0, 0, 1, 2}, sizeof groups) == 0);
    CHECK(memcmp(vertex_parts, (const uint32_t[]){0, 0, 0, 0, 0, 0, 1, 2, 0},
                 sizeof vertex_parts) == 0);
    graze_part_names_destroy(parts);
    parts = NULL;
    REQUIRE(
        !graze_rig_part_names(&rig, GRAZE_PARTS_BY_MATERIAL, groups, vertex_parts, &parts, NULL));
    CHECK(graze_part_count(parts) == 3);
    is_named(parts, 0, "wool");
    is_named(parts, 1, "1");
    is_named(parts, 2, "rest");
    CHECK(memcmp(groups, (const uint32_t[]){1, 2, 0, 2}, sizeof groups) == 0);
    graze_part_names_destroy(parts);
}

/* Joints on nodes without names, of a rig made by hand: named by their parts at once, and for good.
 */
TEST(nodes_without_names_say_where_they_are)
{
    static const struct {
        char *given;
        uint32_t parent;
        const char *name;
    } rows[] = {{NULL, GRAZE_NONE, "node/0"}, {"arm", 0, "arm"},
                {NULL, 1, "arm/2"},           {"", 2, "arm/3"},
                {NULL, 0, "node/4"},          {"node", 4, "node"},
                {NULL, 5, "node/6"},          {"arm/8", 3, "arm/8"},
                {NULL, 2, "arm/8#2"}};
    enum { COUNT = sizeof rows / sizeof *rows };
    OWN(graze_rig) *rig = graze_rig_create(NULL);
    graze_rig_node nodes[COUNT] = {{0}};
    graze_rig_joint joints[COUNT] = {{0}};
    graze_part_names *parts = NULL;
    REQUIRE(rig);
    for (uint32_t i = 0; i < COUNT; i++) {
        nodes[i].parent = rows[i].parent;
        nodes[i].name =
            rows[i].given ? strcpy(rig->allocator.allocate(NULL, 16, 8), rows[i].given) : NULL;
        joints[i].node = i;
    }
    rig->nodes = nodes, rig->joints = joints;
    rig->node_count = rig->joint_count = COUNT;
    REQUIRE(!graze_rig_part_names(rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &parts, NULL));
    CHECK(!nodes[0].name && !graze_rig_name_nodes(rig, NULL));
    for (uint32_t i = 0; i < COUNT; i++) {
        is_named(parts, i, rows[i].name);
        CHECK_MSG(strcmp(nodes[i].name, rows[i].name) == 0, "node %u is %s", i, nodes[i].name);
        rig->allocator.release(NULL, nodes[i].name);
    }
    CHECK(graze_rig_name_nodes(NULL, NULL) == GRAZE_BAD_INPUT);
    graze_part_names_destroy(parts);
    rig->nodes = NULL, rig->joints = NULL;
}

TEST(bad_rigs_have_no_parts)
{
    graze_rig rig = {0};
    graze_rig_node nodes[3];
    graze_rig_mesh meshes[2];
    graze_rig_primitive primitives[3];
    char *materials[2];
    uint32_t triangles[12], groups[4], vertex_parts[9];
    graze_part_names *parts = NULL;
    graze_error error = {.text = ""};
    fill_rig(&rig, nodes, meshes, primitives, materials, triangles);
    meshes[1].node = 3;
    CHECK(graze_rig_part_names(&rig, GRAZE_PARTS_BY_MESH, groups, vertex_parts, &parts, &error) ==
          GRAZE_BAD_INPUT);
    CHECK_MSG(strcmp(error.text, "part 1 is of node 3 of 3") == 0, "says: %s", error.text);
    meshes[1].node = 2;
    nodes[0].parent = 2; /* a ring: the parts are inside each other */
    CHECK(graze_rig_part_names(&rig, GRAZE_PARTS_BY_MESH, groups, vertex_parts, &parts, &error) ==
          GRAZE_BAD_INPUT);
    CHECK(graze_rig_part_names(NULL, GRAZE_PARTS_BY_JOINT, NULL, NULL, &parts, NULL) ==
          GRAZE_BAD_INPUT);
    CHECK(graze_rig_part_names(&rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, NULL, NULL) ==
          GRAZE_BAD_INPUT);
    CHECK(graze_rig_part_names(&rig, GRAZE_PARTS_BY_MATERIAL, groups, NULL, &parts, NULL) ==
          GRAZE_BAD_INPUT);
    CHECK(graze_rig_part_names(&rig, (graze_parts_by)3, groups, vertex_parts, &parts, NULL) ==
          GRAZE_BAD_INPUT);
    CHECK(!parts);
}

/* ---- bodies --------------------------------------------------------------------------------- */

/* A ray against named parts hits what it hits with the mask made by hand. */
TEST(a_body_of_named_parts)
{
    test_random random = test_random_seed(8);
    const soup_def mesh_def = {.vertex_count = 600,
                               .triangle_count = 1500,
                               .joint_count = 5,
                               .max_influences = 2,
                               .size = 1};
    OWN(soup) mesh = soup_make(&mesh_def, &random);
    graze_model_def def = soup_model_def(&mesh);
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL, *twin = NULL;
    if (graze_model_create(&def, &model, NULL) || graze_body_create(model, &body, NULL) ||
        graze_body_create(model, &twin, NULL))
        abort();
    const graze_part_def defs[] = {{.name = "torso"},
                                   {.name = "arm", .inside = true, .parent = 0},
                                   {.name = "hand", .inside = true, .parent = 1},
                                   {.name = "leg", .inside = true, .parent = 0},
                                   {.name = "foot", .inside = true, .parent = 3}};
    OWN(graze_part_names) *parts = make(defs, 5), *fewer = make(defs, 3);
    const char *const names[] = {"arm", "foot"}, *const unknown[] = {"fo"};
    const uint32_t bits = 1u << 1 | 1u << 2 | 1u << 4;
    CHECK(!graze_body_set_parts(body, parts, names, 2, NULL));
    CHECK(!graze_body_set_part_mask(twin, &bits, 5, NULL));
    uint32_t hits = 0;
    for (int i = 0; i < 200; i++) {
        float from[3], to[3];
        graze_hit x, y;
        for (int k = 0; k < 3; k++) {
            from[k] = (float)test_random_range(&random, -2, 2);
            to[k] = (float)test_random_range(&random, -0.4, 0.4);
        }
        graze_ray ray = graze_ray_between(from, to);
        CHECK(!graze_cast(body, &ray, &x, NULL, NULL) && !graze_cast(twin, &ray, &y, NULL, NULL));
        CHECK(x.found == y.found && (!x.found || (x.triangle == y.triangle && x.t == y.t)));
        CHECK(!x.found || bits >> x.part & 1);
        hits += x.found;
    }
    CHECK_MSG(hits > 15, "%u hits", hits);
    graze_error error = {.text = ""};
    CHECK(graze_body_set_parts(body, fewer, names, 1, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strcmp(error.text, "there are 3 parts, and 5 in the model") == 0, "says: %s",
              error.text);
    CHECK(graze_body_set_parts(body, parts, unknown, 1, &error) == GRAZE_BAD_INPUT);
    CHECK(!graze_body_set_parts(body, parts, NULL, 0, NULL));
}

static graze_status name_parts(const graze_allocator *allocator, void *about, graze_error *error)
{
    const graze_part_def defs[] = {{.name = "arm"}, {.name = "hand", .inside = true, .parent = 0}};
    const graze_part_names_def def = {.allocator = allocator, .parts = defs, .part_count = 2};
    OWN(graze_part_names) *parts = NULL;
    (void)about;
    graze_status status = graze_part_names_create(&def, &parts, error);
    CHECK(!status == (parts != NULL));
    return status;
}

static graze_status name_parts_of_rig(const graze_allocator *allocator, void *about,
                                      graze_error *error)
{
    const graze_parts_by *by = about;
    graze_rig rig = {0};
    graze_rig_node nodes[3];
    graze_rig_mesh meshes[2];
    graze_rig_primitive primitives[3];
    char *materials[2];
    uint32_t triangles[12], groups[4], vertex_parts[9];
    OWN(graze_part_names) *parts = NULL;
    fill_rig(&rig, nodes, meshes, primitives, materials, triangles);
    rig.allocator = *allocator;
    graze_status status = graze_rig_part_names(&rig, *by, groups, vertex_parts, &parts, error);
    CHECK(!status == (parts != NULL));
    return status;
}

TEST(every_failed_allocation_is_reported)
{
    graze_parts_by by[] = {GRAZE_PARTS_BY_MESH, GRAZE_PARTS_BY_MATERIAL};
    test_memory memory = {0};
    CHECK(test_fail_each(&memory, name_parts, NULL, 100) > 8);
    for (int i = 0; i < 2; i++)
        CHECK(test_fail_each(&memory, name_parts_of_rig, &by[i], 100) > 10);
}
