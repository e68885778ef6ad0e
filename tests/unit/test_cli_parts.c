/* Body parts by name in the command: the tree, --part, --part-b, --between, --parts-by; every
 * answer is that of the whole model, filtered by the tree that info prints.
 */
#include "harness.h"
#include "support/json.h"

#include <string.h>

/* Made once. */
static const char *make_man(void)
{
    static char path[400];
    if (!path[0]) {
        snprintf(path, sizeof path, "%s", scratch_path(2, "man.glb"));
        command_result run = RUN("synth", "man", "--triangles", "3000", "-o", path, "--json");
        CHECK_MSG(run.code == 0, "synth: %s", run.err);
    }
    return path;
}

#define MAN make_man()

/* Whether a part is one, or inside it, by the parents in the tree. */
static bool is_inside(const cJSON *parts, const char *part, const char *outer)
{
    while (part[0] && strcmp(part, outer) != 0) {
        const cJSON *item, *found = NULL;
        cJSON_ArrayForEach(item, parts) if (strcmp(text_of(item, "name"), part) == 0) found = item;
        part = text_of(found, "parent");
    }
    return part[0];
}

/* ---- the tree ------------------------------------------------------------------------------- */

TEST(info_lists_the_tree)
{
    cJSON *info = ONLY_LINE(0, RUN("info", MAN, "--parts", "--json"));
    const cJSON *parts = field(info, "parts"), *item;
    double triangles = 0;
    CHECK(cJSON_GetArraySize(parts) > 20);
    cJSON_ArrayForEach(item, parts) triangles += number(item, "triangles");
    cJSON *whole = ONLY_LINE(0, RUN("info", MAN, "--json"));
    CHECK(triangles == number(whole, "triangles"));
    CHECK(is_inside(parts, "hand.L", "upper_arm.L") && is_inside(parts, "hand.L", "pelvis"));
    CHECK(!is_inside(parts, "upper_arm.L", "hand.L") && !is_inside(parts, "hand.L", "hand.R"));
    command_result text = RUN("info", MAN, "--parts");
    CHECK(text.code == 0 && count_lines(text.out) == (size_t)cJSON_GetArraySize(parts));
    const char *arm = strstr(text.out, "upper_arm.L"), *hand = strstr(text.out, "hand.L");
    CHECK(arm && hand && hand > arm);
}

/* ---- rays ----------------------------------------------------------------------------------- */

/* All hits of a ray along the arms, as "triangle part" pairs. */
static const cJSON *hits_of(const char *part)
{
    cJSON *line = ONLY_LINE(0, part ? RUN("ray", MAN, "--origin", "-2,1.3,0", "--dir", "1,0,0",
                                          "--all", "--json", "--clip", "none", "--part", part)
                                    : RUN("ray", MAN, "--origin", "-2,1.3,0", "--dir", "1,0,0",
                                          "--all", "--json", "--clip", "none"));
    return field(line, "hits");
}

static bool same_hits(const cJSON *expected, const cJSON *found)
{
    const cJSON *x = expected->child, *y = found->child;
    for (; x && y; x = x->next, y = y->next)
        if (field(x, "triangle")->valueint != field(y, "triangle")->valueint)
            return false;
    return !x && !y;
}

/* in: a part whose inside counts; out: one whose inside does not, or NULL. */
static void check_ray(const cJSON *parts, const cJSON *all, const char *option, const char *in,
                      const char *out, bool alone, int least)
{
    cJSON *expected = json_parse("[]");
    const cJSON *found = hits_of(option), *hit;
    cJSON_ArrayForEach(hit, all)
    {
        const char *part = text_of(hit, "part");
        bool counts = alone ? strcmp(part, in) == 0 : is_inside(parts, part, in);
        if (counts && !(out && is_inside(parts, part, out)))
            cJSON_AddItemToArray(expected, cJSON_Duplicate(hit, true));
    }
    CHECK_MSG(same_hits(expected, found), "%s: %d hits, expected %d", option,
              cJSON_GetArraySize(found), cJSON_GetArraySize(expected));
    CHECK_MSG(cJSON_GetArraySize(expected) >= least, "%s: only %d hits", option,
              cJSON_GetArraySize(expected));
}

TEST(a_ray_against_named_parts)
{
    cJSON *info = ONLY_LINE(0, RUN("info", MAN, "--parts", "--json"));
    const cJSON *parts = field(info, "parts"), *all = hits_of(NULL);
    CHECK(cJSON_GetArraySize(all) > 3);
    check_ray(parts, all, "upper_arm.L", "upper_arm.L", NULL, false, 1);
    check_ray(parts, all, "pelvis", "pelvis", NULL, false, 4);
    check_ray(parts, all, "spine.1,-clavicle.L", "spine.1", "clavicle.L", false, 1);
    check_ray(parts, all, "-clavicle.L", "pelvis", "clavicle.L", false, 1);
    check_ray(parts, all, "=upper_arm.L", "upper_arm.L", NULL, true, 1);
    check_ray(parts, all, "toes.L,hand.R", "hand.R", NULL, false, 0);
}

/* Parts of a shape file instead: two joints as one. */
TEST(a_ray_against_parts_of_a_shape_file)
{
    static const char text[] =
        "{\"parts\":[{\"name\":\"arms\",\"joints\":[\"upper_arm.L\",\"upper_arm.R\"]},"
        "{\"name\":\"rest\",\"joints\":[\"*\"]}]}";
    const char *path = scratch_path(3, "arms.json");
    CHECK(write_whole_file(path, text, strlen(text)));
    cJSON *line = ONLY_LINE(0, RUN("ray", MAN, "--origin", "-2,1.3,0", "--dir", "1,0,0", "--all",
                                   "--json", "--clip", "none", "--shape", path, "--part", "arms"));
    const cJSON *expected = hits_of("=upper_arm.L,=upper_arm.R"), *found = field(line, "hits");
    CHECK(same_hits(expected, found) && cJSON_GetArraySize(expected) == 4);
    CHECK(strcmp(text_of(found->child, "part"), "arms") == 0);
    CHECK(strcmp(text_of(found->child, "joint_name"), "upper_arm.R") == 0);
}

/* ---- pairs ---------------------------------------------------------------------------------- */

static char *pairs_of(command_result run)
{
    return json_text(field(ONLY_LINE(0, run), "pairs"));
}

static char *part_of(const char *model, const char *name)
{
    cJSON *shape = ONLY_LINE(0, RUN("fit", model, "--json"));
    const cJSON *item, *found = NULL;
    cJSON_ArrayForEach(item, field(shape, "parts")) if (strcmp(text_of(item, "name"), name) == 0)
        found = item;
    return json_text(field(found, "triangles"));
}

static bool has_triangle(const cJSON *list, int triangle)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, list) if (item->valueint == triangle) return true;
    return false;
}

/* Collisions of a part of each with each: those of the whole models with triangles of both. */
TEST(collide_of_a_part_with_a_part)
{
    char *left = part_of(MAN, "thigh.L"), *right = part_of(MAN, "thigh.R");
    cJSON *of_a = json_parse(left), *of_b = json_parse(right);
    char *whole = pairs_of(RUN("collide", MAN, "--at", "0.12,0,0.02", "--clip", "none", "--json"));
    char *some = pairs_of(RUN("collide", MAN, "--at", "0.12,0,0.02", "--clip", "none", "--json",
                              "--part", "=thigh.L", "--part-b", "=thigh.R"));
    char *brute = pairs_of(RUN("collide", MAN, "--at", "0.12,0,0.02", "--clip", "none", "--json",
                               "--part", "=thigh.L", "--part-b", "=thigh.R", "--method", "brute"));
    cJSON *all = json_parse(whole), *expected = json_parse("[]");
    const cJSON *pair;
    cJSON_ArrayForEach(pair, all) if (has_triangle(of_a, cJSON_GetArrayItem(pair, 0)->valueint) &&
                                      has_triangle(of_b, cJSON_GetArrayItem(pair, 1)->valueint))
        cJSON_AddItemToArray(expected, cJSON_Duplicate(pair, true));
    char *text = json_text(expected);
    CHECK_MSG(strcmp(text, some) == 0 && strcmp(text, brute) == 0, "%s, expected %s", some, text);
    CHECK(cJSON_GetArraySize(expected) > 0 &&
          cJSON_GetArraySize(all) > cJSON_GetArraySize(expected));
}

/* Self-collision of all parts with each other is that of the whole; of two, the same by all three
 * methods and either way round.
 */
TEST(self_between_parts)
{
    static const char *const method[] = {"lazy", "bottom-up", "brute"};
    char *whole = pairs_of(RUN("self", MAN, "--json", "--skin", "linear"));
    char *all = pairs_of(RUN("self", MAN, "--json", "--between", "pelvis:pelvis"));
    CHECK(strcmp(whole, all) == 0 && strlen(whole) > 10);
    char *first = NULL;
    for (int i = 0; i < 6; i++) {
        char *some = pairs_of(RUN("self", MAN, "--json", "--between",
                                  i < 3 ? "=spine.3+neck:upper_arm.L,thigh.L:thigh.R"
                                        : "upper_arm.L:neck+=spine.3,thigh.R:thigh.L",
                                  "--method", method[i % 3]));
        first = first ? first : some;
        CHECK_MSG(strcmp(first, some) == 0, "%s: %s, not %s", method[i % 3], some, first);
    }
    CHECK(first && strlen(first) > 2 && strlen(first) < strlen(whole));
}

/* ---- meshes and materials ------------------------------------------------------------------- */

/* Two nodes, one inside the other, of one name; the names have a colon and a comma. Three triangles
 * one behind the other in z.
 */
static const char *model(void)
{
    static char path[400];
    static const float data[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const char document[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
        "{\"name\":\"rig:body\",\"mesh\":0,\"children\":[1]},"
        "{\"name\":\"rig:body\",\"mesh\":1,\"translation\":[0,0,-2]}],"
        "\"meshes\":[{\"name\":\"skin\",\"primitives\":[{\"attributes\":{\"POSITION\":0},"
        "\"material\":1},{\"attributes\":{\"POSITION\":0},\"material\":0}]},"
        "{\"name\":\"skin\",\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":9}]}],"
        "\"materials\":[{\"name\":\"wool\"},{\"name\":\"steel\"}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
        "\"buffers\":[{\"byteLength\":36,\"uri\":\"parts.bin\"}]}";
    if (!path[0]) {
        snprintf(path, sizeof path, "%s", scratch_path(0, "parts.gltf"));
        CHECK(write_whole_file(path, document, strlen(document)));
        CHECK(write_whole_file(scratch_path(1, "parts.bin"), data, sizeof data));
    }
    return path;
}

/* The parts that info prints. */
static void check_tree(const char *by, const char *expected)
{
    cJSON *info = ONLY_LINE(0, RUN("info", model(), "--parts", "--parts-by", by, "--json"));
    char *text = json_text(field(info, "parts"));
    CHECK_MSG(text && strcmp(text, expected) == 0, "%s: %s", by, text);
}

TEST(parts_by_joint_mesh_and_material)
{
    check_tree("joint", "[{\"name\":\"rig:body\",\"parent\":null,\"triangles\":2},"
                        "{\"name\":\"rig:body#2\",\"parent\":\"rig:body\",\"triangles\":1}]");
    check_tree("mesh", "[{\"name\":\"skin\",\"parent\":null,\"triangles\":2},"
                       "{\"name\":\"skin#2\",\"parent\":\"skin\",\"triangles\":1}]");
    check_tree("material", "[{\"name\":\"wool\",\"parent\":null,\"triangles\":1},"
                           "{\"name\":\"steel\",\"parent\":null,\"triangles\":1},"
                           "{\"name\":\"rest\",\"parent\":null,\"triangles\":1}]");
}

static void check_triangle(const char *by, const char *part, int triangle)
{
    cJSON *line = ONLY_LINE(0, RUN("ray", model(), "--origin", "0.2,0.2,5", "--dir", "0,0,-1",
                                   "--json", "--parts-by", by, "--part", part));
    const cJSON *item = field(line, "triangle");
    CHECK_MSG(cJSON_IsNumber(item) && item->valueint == triangle, "%s %s", by, part);
    CHECK(strcmp(text_of(line, "joint_name"), triangle == 2 ? "rig:body#2" : "rig:body") == 0);
}

TEST(a_ray_against_meshes_and_materials)
{
    check_triangle("material", "wool", 1);
    check_triangle("material", "steel", 0);
    check_triangle("material", "rest", 2);
    check_triangle("mesh", "skin", 0);
    check_triangle("mesh", "skin#2", 2);
    check_triangle("joint", "=rig:body#2", 2);
}

/* Names with colons: the pair is cut where both sides are parts. */
TEST(names_with_colons_are_pairs_too)
{
    char *pairs = pairs_of(RUN("self", model(), "--json", "--between", "rig:body:rig:body#2"));
    CHECK(strcmp(pairs, "[]") == 0);
}

/* ---- bad input ------------------------------------------------------------------------------ */

TEST(unknown_parts_are_refused)
{
    REFUSED("there is no part hnad.L; did you mean hand.L?", "ray", MAN, "--origin", "0,0,0",
            "--dir", "1,0,0", "--part", "hnad.L");
    REFUSED("there is no part xyz; there are pelvis, spine.1", "collide", MAN, "--part-b", "xyz");
    REFUSED("there is no part ; there are", "touch", MAN, "--sphere", "0,0,0,1", "--part",
            "hand.L,");
    REFUSED("there is no part hand.Q; did you mean hand.", "self", MAN, "--between",
            "hand.L:hand.Q");
    REFUSED("there is no part hand.Q; did you mean hand.", "self", MAN, "--between",
            "hand.Q:hand.L");
    REFUSED("--between hand.L: expected two parts with a colon", "self", MAN, "--between",
            "hand.L:hand.R,hand.L");
    REFUSED("there is no part foo; did you mean foot", "distance", MAN, "--part", "-foo");
    REFUSED("there is no such choice; did you mean joint", "info", MAN, "--parts-by", "joints");
    REFUSED("--part-b is for a second instance", "sweep", MAN, "--self", "--times", "0:1:2",
            "--part-b", "hand.L");
    REFUSED("self does not use --part-b", "self", MAN, "--part-b", "hand.L");
}
