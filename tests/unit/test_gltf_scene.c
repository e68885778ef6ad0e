/* Scenes of many rigs, written and read back: every joint and weight where it should be, on several
 * rigs at once; bad members; every allocation failed once; nothing left behind.
 */
#include "gltf_support.h"
#include "harness.h"
#include "support/allocator.h"
#include "support/command.h"
#include "support/own.h"
#include "support/rigs.h"

#include <graze/animation.h>

#include <math.h>
#include <unistd.h>

static graze_rig *small(const graze_allocator *allocator)
{
    small_file file = small_gltf(&small_values);
    graze_rig *rig = NULL;
    CHECK(!graze_gltf_parse(file.data, file.size, NULL, "small", allocator, &rig, NULL));
    free(file.data);
    return rig;
}

/* Two of the small rig, one of which plays its clip, from here to there. */
enum { MEMBERS = 2 };

static void fill_members(graze_gltf_member *members, const graze_rig *rig,
                         const graze_rig_clip *clip)
{
    for (int i = 0; i < MEMBERS; i++)
        members[i] = (graze_gltf_member){.name = i ? "second" : "first",
                                         .rig = rig,
                                         .clip = i ? clip : NULL,
                                         .rotation = {0, i ? 1.0f : 0.0f, 0, i ? 0.0f : 1.0f},
                                         .from = {(float)i, 2, 3},
                                         .to = {(float)i, 2, 3}};
    members[1].to[0] = 5;
}

/* The joints of a member in the file: turned and moved as it is. */
static void check_joints(const graze_rig *rig, const graze_rig *file, double time)
{
    OWNED float *one = calloc(rig->joint_count, 12 * sizeof *one);
    float weight[2];
    OWNED float *all = calloc(file->joint_count, 12 * sizeof *all);
    REQUIRE(one && all && file->joint_count == MEMBERS * rig->joint_count);
    CHECK(!graze_rig_sample(file, 0, time, all, weight));
    for (uint32_t i = 0; i < MEMBERS; i++) {
        float own[1];
        CHECK(!graze_rig_sample(rig, i ? 0 : GRAZE_NONE, time, one, own));
        CHECK_MSG(fabsf(own[0] - weight[i]) < 1e-6f, "at %g: weight %g, not %g", time,
                  (double)weight[i], (double)own[0]);
        double sign = i ? -1 : 1, along = i + (5.0 - i) * i * time / 2;
        const double moves[3] = {along, 2, 3};
        for (uint32_t j = 0; j < rig->joint_count; j++)
            for (int k = 0; k < 12; k++) {
                double turned = one[j * 12 + k] * (k / 4 == 1 ? 1 : sign);
                double expected = turned + (k % 4 == 3 ? moves[k / 4] : 0);
                double found = all[(i * rig->joint_count + j) * 12 + k];
                CHECK_MSG(fabs(found - expected) < 1e-5, "at %g: member %u, joint %u [%d]: %g",
                          time, i, j, k, found - expected);
            }
    }
}

TEST(members_stand_and_move_as_they_should)
{
    const char *path = scratch_path(0, "scene.glb");
    OWN(graze_rig) *rig = small(NULL);
    graze_rig *file = NULL;
    graze_gltf_member members[MEMBERS];
    graze_rig_clip *piece = NULL;
    const graze_rig_cut cut = {0, 0, 2, 100, 0};
    REQUIRE(rig && !graze_rig_cut_clip(rig, &cut, &piece, NULL, NULL));
    fill_members(members, rig, piece);
    graze_gltf_scene scene = {"both", 2, members, MEMBERS};
    CHECK(!graze_gltf_save_scene(&scene, NULL, path, NULL));
    REQUIRE(!graze_gltf_load(path, NULL, &file, NULL));
    CHECK(file->vertex_count == 2 * rig->vertex_count && file->morph_count == 2);
    CHECK(file->clip_count == 1 && !strcmp(file->clips[0].name, "both"));
    for (uint32_t v = 0; v < file->vertex_count * 3; v++)
        CHECK(file->positions[v] == rig->positions[v % (rig->vertex_count * 3)]);
    for (double time = 0; time <= 2; time += 0.25)
        check_joints(rig, file, time);
    graze_rig_destroy(file);
    graze_rig_clip_destroy(rig, piece);
}

static void refused(const graze_gltf_scene *scene, graze_status expected, const char *text)
{
    graze_error error = {GRAZE_OK, ""};
    size_t files = scratch_count();
    graze_status status = graze_gltf_save_scene(scene, NULL, scratch_path(1, "bad.glb"), &error);
    CHECK_MSG(status == expected && strstr(error.text, text), "%s: %s", text, error.text);
    CHECK(scratch_count() == files);
}

TEST(bad_members_are_refused)
{
    OWN(graze_rig) *rig = small(NULL);
    graze_gltf_member members[MEMBERS];
    graze_rig_clip none = {.seconds = 1};
    REQUIRE(rig != NULL);
    fill_members(members, rig, &rig->clips[0]);
    refused(&(graze_gltf_scene){NULL, 1, members, 0}, GRAZE_BAD_INPUT, "no members");
    refused(&(graze_gltf_scene){NULL, 1, NULL, 2}, GRAZE_BAD_INPUT, "no members");
    refused(&(graze_gltf_scene){NULL, -1, members, 2}, GRAZE_BAD_INPUT, "not a time");
    refused(&(graze_gltf_scene){NULL, NAN, members, 2}, GRAZE_BAD_INPUT, "not a time");
    graze_gltf_scene scene = {NULL, 1, members, 2};
    members[1].rig = NULL;
    refused(&scene, GRAZE_BAD_INPUT, "member 1 has no rig");
    members[1].rig = rig;
    members[1].to[2] = NAN;
    refused(&scene, GRAZE_BAD_INPUT, "member 1: a number that is not finite");
    members[1].to[2] = 0;
    members[0].rotation[3] = INFINITY;
    refused(&scene, GRAZE_BAD_INPUT, "member 0: a number that is not finite");
    members[0].rotation[3] = 1;
    rig->triangles[0] = 1000;
    refused(&scene, GRAZE_BAD_INPUT, "triangle 0 refers to vertex 1000");
    rig->triangles[0] = 0;
    rig->clips[0].channels[0].times[0] = -1;
    refused(&scene, GRAZE_BAD_INPUT, "clip 1, channel 0");
    members[1].clip = &none; /* stands */
    members[1].name = NULL;
    CHECK(!graze_gltf_save_scene(&scene, NULL, scratch_path(1, "good.glb"), NULL));
    unlink(scratch_path(1, "good.glb"));
}

TEST(every_allocation_failed_once)
{
    const char *path = scratch_path(2, "memory.glb");
    OWN(graze_rig) *rig = small(NULL);
    graze_gltf_member members[MEMBERS];
    REQUIRE(rig != NULL);
    fill_members(members, rig, &rig->clips[0]);
    graze_gltf_scene scene = {"name", 2, members, MEMBERS};
    test_memory memory = {0};
    graze_allocator allocator = test_memory_allocator(&memory);
    size_t files = scratch_count();
    graze_status status = GRAZE_OUT_OF_MEMORY;
    for (uint64_t k = 1; status == GRAZE_OUT_OF_MEMORY && k < 1000; k++) {
        memory = (test_memory){.fail_at = k};
        status = graze_gltf_save_scene(&scene, &allocator, path, NULL);
        CHECK_MSG(memory.alive == 0 && !memory.misused, "allocation %u leaks", (unsigned)k);
        CHECK(scratch_count() == files + (status == GRAZE_OK));
    }
    CHECK(status == GRAZE_OK && memory.calls > 20);
}
