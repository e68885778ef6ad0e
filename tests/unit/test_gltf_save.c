/* What is written can be read back as it was, and a failed write leaves nothing behind. */
#include "gltf_support.h"
#include "harness.h"
#include "scenes/synth.h"
#include "support/allocator.h"
#include "support/figure.h"
#include "support/locale.h"
#include "support/own.h"

#include <dirent.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* A folder of this test's own. */
static char folder[64];

static void make_folder(void)
{
    if (folder[0])
        return;
    strcpy(folder, "/tmp/graze-test-XXXXXX");
    if (!mkdtemp(folder))
        perror(folder);
}

/* A path in it, good until the next call. */
static const char *in_folder(const char *name)
{
    static char path[160];
    make_folder();
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* Files in the folder. */
static int count_files(void)
{
    int count = 0;
    make_folder();
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        count += entry->d_name[0] != '.';
    if (directory)
        closedir(directory);
    return count;
}

__attribute__((destructor)) static void remove_folder(void)
{
    if (folder[0])
        rmdir(folder);
}

/* The small model without its morphs. */
static graze_rig *plain_small(const graze_allocator *allocator)
{
    static const char from[] = ",\"targets\":[{\"POSITION\":7}]}],\"weights\":[0.25]";
    graze_rig *rig = NULL;
    graze_error error = {GRAZE_OK, ""};
    const char *weights = ",{\"sampler\":1,\"target\":{\"node\":2,\"path\":\"weights\"}}";
    char json[sizeof small_json + 8];
    snprintf(json, sizeof json, "%s}]}", small_json);
    char *hit = strstr(json, from);
    memmove(hit + 2, hit + sizeof from - 1, strlen(hit + sizeof from - 1) + 1);
    memcpy(hit, "}]", 2);
    hit = strstr(json, weights);
    memmove(hit, hit + strlen(weights), strlen(hit + strlen(weights)) + 1);
    small_file file = small_frame(json, &small_values, sizeof small_values);
    graze_gltf_parse(file.data, file.size, NULL, "small", allocator, &rig, &error);
    CHECK_MSG(rig != NULL, "%s", error.text);
    free(file.data);
    return rig;
}

static void compare_influences(const graze_rig *a, const graze_rig *b, double tolerance)
{
    CHECK(memcmp(a->influence_offsets, b->influence_offsets,
                 (a->vertex_count + 1u) * sizeof *a->influence_offsets) == 0);
    for (uint32_t v = 0; v < a->vertex_count; v++) {
        double sum = 0;
        for (uint32_t i = a->influence_offsets[v]; i < a->influence_offsets[v + 1]; i++)
            sum += a->influences[i].weight;
        for (uint32_t i = a->influence_offsets[v]; i < a->influence_offsets[v + 1]; i++) {
            CHECK(a->influences[i].joint == b->influences[i].joint);
            CHECK(fabs(a->influences[i].weight / sum - b->influences[i].weight) <= tolerance);
        }
    }
}

/* The small model as it is. */
static graze_rig *morphed_small(const graze_allocator *allocator)
{
    small_file file = small_gltf(&small_values);
    graze_rig *rig = NULL;
    CHECK(graze_gltf_parse(file.data, file.size, NULL, "small", allocator, &rig, NULL) == GRAZE_OK);
    free(file.data);
    return rig;
}

static void compare_morphs(const graze_rig *a, const graze_rig *b)
{
    REQUIRE(a->morph_count == b->morph_count);
    for (uint32_t m = 0; m < a->morph_count; m++) {
        const graze_rig_morph *before = &a->morphs[m], *after = &b->morphs[m];
        REQUIRE(before->count == after->count);
        CHECK(memcmp(before->vertices, after->vertices, before->count * 4u) == 0);
        CHECK(memcmp(before->deltas, after->deltas, before->count * 12u) == 0);
        CHECK(before->weight == after->weight);
    }
}

static void compare_poses(const graze_rig *a, const graze_rig *b, const char *name)
{
    size_t size = (size_t)a->joint_count * 12 * sizeof(float);
    size_t weights_size = a->morph_count * sizeof(float);
    OWNED float *joints_a = malloc(size), *joints_b = malloc(size);
    OWNED float *weights_a = malloc(weights_size + 1), *weights_b = malloc(weights_size + 1);
    for (uint32_t clip = 0; clip <= a->clip_count; clip++) {
        for (int k = 0; k < 5; k++) {
            uint32_t chosen = clip < a->clip_count ? clip : GRAZE_NONE;
            CHECK(graze_rig_sample(a, chosen, k * 0.31, joints_a, weights_a) == GRAZE_OK);
            CHECK(graze_rig_sample(b, chosen, k * 0.31, joints_b, weights_b) == GRAZE_OK);
            CHECK_MSG(memcmp(joints_a, joints_b, size) == 0, "%s: clip %u at %g", name, clip,
                      k * 0.31);
            CHECK_MSG(memcmp(weights_a, weights_b, weights_size) == 0, "%s: weights %u at %g", name,
                      clip, k * 0.31);
        }
    }
}

static void check_round_trip(const graze_rig *rig, const char *name, double weight_tolerance)
{
    graze_error error = {GRAZE_OK, ""};
    OWN(graze_rig) *copy = NULL;
    const char *path = in_folder("round.glb");
    graze_status status = graze_gltf_save(rig, path, &error);
    CHECK_MSG(status == GRAZE_OK, "%s: %s", name, error.text);
    status = graze_gltf_load(path, NULL, &copy, &error);
    CHECK_MSG(status == GRAZE_OK, "%s: %s", name, error.text);
    unlink(path);
    REQUIRE(copy != NULL);
    REQUIRE(copy->vertex_count == rig->vertex_count && copy->joint_count == rig->joint_count);
    REQUIRE(copy->triangle_count == rig->triangle_count && copy->clip_count == rig->clip_count);
    CHECK(memcmp(copy->positions, rig->positions, rig->vertex_count * 12u) == 0);
    CHECK(memcmp(copy->triangles, rig->triangles, rig->triangle_count * 12u) == 0);
    compare_influences(rig, copy, weight_tolerance);
    compare_morphs(rig, copy);
    for (uint32_t i = 0; i < rig->clip_count; i++) {
        const char *before = rig->clips[i].name, *after = copy->clips[i].name;
        CHECK(before && after ? strcmp(before, after) == 0 : before == after);
        CHECK(rig->clips[i].seconds == copy->clips[i].seconds);
    }
    if (rig->morph_count == copy->morph_count)
        compare_poses(rig, copy, name);
}

TEST(small_model_there_and_back)
{
    OWN(graze_rig) *rig = plain_small(NULL);
    REQUIRE(rig != NULL);
    strcpy(rig->nodes[1].name, "\"\\\n"); /* must be escaped; fits where "knee" was */
    check_round_trip(rig, "small", 0);
    rig->joints[1].node = 0; /* two joints on one node */
    check_round_trip(rig, "repeated node", 0);
    rig->nodes[1].parent = GRAZE_NONE; /* several roots */
    rig->nodes[1].has_matrix = true;
    const float matrix[12] = {1, 0.1f, 0, 2, 0, 1, 0, 1e-30f, 0, 0, -1, 3e20f};
    memcpy(rig->nodes[1].matrix, matrix, sizeof matrix);
    rig->joints[1].node = 1;
    rig->clips[0].channels[0].node = 0;
    check_round_trip(rig, "matrix", 0);
}

TEST(every_interpolation_there_and_back)
{
    OWN(graze_rig) *rig = plain_small(NULL);
    REQUIRE(rig != NULL);
    graze_rig_channel *channel = &rig->clips[0].channels[0];
    channel->interpolation = GRAZE_RIG_STEP;
    check_round_trip(rig, "STEP", 0);
    channel->interpolation = GRAZE_RIG_CUBICSPLINE; /* the three keys as tangent, value, tangent */
    channel->key_count = 1;
    rig->clips[0].seconds = 0;
    check_round_trip(rig, "CUBICSPLINE", 0);
}

/* Those of other people where they are. */
TEST(files_there_and_back)
{
    static const char *const names[] = {"SimpleSkin.gltf",
                                        "RiggedFigure.glb",
                                        "CesiumMan.glb",
                                        "Fox.glb",
                                        "InterpolationTest.glb",
                                        "ChairDamaskPurplegold-geom.glb",
                                        "mountain_landscape/scene.gltf",
                                        "synthetic/joints1_8influences.gltf",
                                        "synthetic/weights_u16norm.gltf",
                                        "AnimatedMorphCube.glb",
                                        "AnimatedMorphCube-Quantized/AnimatedMorphCube.gltf",
                                        "MorphStressTest.glb",
                                        "synthetic/skin_morph_anim.gltf",
                                        "synthetic/skin_morph_sparse.gltf"};
    for (uint32_t i = 0; i < figure_case_count; i++) {
        size_t size;
        graze_rig *rig = NULL;
        if (figure_cases[i].def.twice && figure_cases[i].def.morphs)
            continue; /* a channel for the morphs of one of two nodes cannot be saved */
        unsigned char *data = figure_glb(&figure_cases[i].def, &size);
        CHECK(graze_gltf_parse(data, size, NULL, "figure", NULL, &rig, NULL) == GRAZE_OK);
        if (rig)
            check_round_trip(rig, figure_cases[i].name, 1e-6);
        graze_rig_destroy(rig);
        free(data);
    }
    for (size_t i = 0; test_models_folder() && i < COUNT_OF(names); i++) {
        char path[1024];
        graze_rig *rig = NULL;
        snprintf(path, sizeof path, "%s/%s", test_models_folder(), names[i]);
        CHECK(graze_gltf_load(path, NULL, &rig, NULL) == GRAZE_OK);
        if (rig)
            check_round_trip(rig, names[i], 1e-6);
        graze_rig_destroy(rig);
    }
}

TEST(more_than_256_joints)
{
    OWN(graze_rig) *rig = plain_small(NULL);
    REQUIRE(rig != NULL);
    rig->allocator.release(rig->allocator.user, rig->joints);
    rig->joints = rig->allocator.allocate(rig->allocator.user, 300 * sizeof *rig->joints, 64);
    rig->joint_count = 300;
    for (uint32_t j = 0; j < 300; j++) {
        rig->joints[j] = (graze_rig_joint){.node = j % 3};
        rig->joints[j].inverse_bind[0] = rig->joints[j].inverse_bind[5] = 1;
        rig->joints[j].inverse_bind[10] = 1;
        rig->joints[j].inverse_bind[3] = (float)j;
    }
    rig->influences[0].joint = 299;
    check_round_trip(rig, "300 joints", 0);
}

/* Each edit makes the rig one that cannot be saved. */
static void break_rig(graze_rig *rig, int how)
{
    switch (how) {
    case 0:
        rig->positions[4] = NAN;
        break;
    case 1:
        rig->triangles[5] = 4;
        break;
    case 2:
        rig->influences[1].joint = 2;
        break;
    case 3:
        rig->influences[0].weight = 0;
        break;
    case 4:
        rig->influences[1].weight = NAN;
        break;
    case 5:
        rig->nodes[0].parent = 1; /* and 1 below 0: a cycle */
        break;
    case 6:
        rig->nodes[1].parent = 17;
        break;
    case 7:
        rig->nodes[1].scale[2] = INFINITY;
        break;
    case 8:
        rig->joints[0].node = 3;
        break;
    case 9:
        rig->joints[1].inverse_bind[7] = NAN;
        break;
    case 10:
        rig->clips[0].channels[0].node = 3;
        break;
    case 11:
        rig->clips[0].channels[0].times[2] = 0.5f;
        break;
    case 12:
        rig->clips[0].channels[0].values[1] = NAN;
        break;
    case 13:
        rig->clips[0].channels[0].path = GRAZE_RIG_WEIGHTS;
        break;
    default:
        rig->triangle_count = 0;
    }
}

TEST(bad_rigs_are_not_saved)
{
    for (int how = 0; how < 15; how++) {
        OWN(graze_rig) *rig = plain_small(NULL);
        graze_error error = {GRAZE_OK, ""};
        REQUIRE(rig != NULL);
        break_rig(rig, how);
        graze_status status = graze_gltf_save(rig, in_folder("bad.glb"), &error);
        CHECK_MSG(status == GRAZE_BAD_INPUT && error.text[0], "case %d: %s", how,
                  graze_status_name(status));
        CHECK(count_files() == 0);
    }
}

TEST(morphs_there_and_back)
{
    OWN(graze_rig) *rig = morphed_small(NULL);
    REQUIRE(rig != NULL && rig->morph_count == 1 && rig->clips[0].channel_count == 2);
    check_round_trip(rig, "morphed", 0);
    graze_rig_channel *channel = &rig->clips[0].channels[1];
    channel->interpolation = GRAZE_RIG_STEP;
    check_round_trip(rig, "morphed, STEP", 0);
    channel->interpolation = GRAZE_RIG_CUBICSPLINE; /* the three keys as tangent, value, tangent */
    channel->key_count = 1;
    check_round_trip(rig, "morphed, CUBICSPLINE", 0);
    rig->morphs[0].count = 0; /* moves nothing */
    check_round_trip(rig, "empty target", 0);
}

/* What programs keep with a mesh, read with every allocation failing once. */
TEST(extras_there_and_back)
{
    static const char kept[] = "{\"a\":[1.5,\"\\u0001\\\"\"],\"b\":null}";
    char to[100];
    snprintf(to, sizeof to, "\"weights\":[0.25],\"extras\":%s", kept);
    small_file file = small_glb(&small_values, "\"weights\":[0.25]", to);
    test_memory memory = {0};
    graze_allocator allocator = test_memory_allocator(&memory);
    graze_rig *rig = NULL, *again = NULL;
    graze_status status = GRAZE_OUT_OF_MEMORY;
    for (long k = 1; status == GRAZE_OUT_OF_MEMORY && k < 1000; k++) {
        memory = (test_memory){.fail_at = (uint64_t)k};
        status = graze_gltf_parse(file.data, file.size, NULL, "small", &allocator, &rig, NULL);
        CHECK_MSG(status == GRAZE_OK || memory.alive == 0, "allocation %ld leaks", k);
    }
    free(file.data);
    memory.fail_at = 0;
    REQUIRE(status == GRAZE_OK && rig->mesh_count == 1 && rig->meshes[0].extras);
    CHECK_MSG(strcmp(rig->meshes[0].extras, kept) == 0, "%s", rig->meshes[0].extras);
    CHECK(graze_gltf_save(rig, in_folder("extras.glb"), NULL) == GRAZE_OK);
    CHECK(graze_gltf_load(in_folder("extras.glb"), NULL, &again, NULL) == GRAZE_OK);
    CHECK(again && again->meshes[0].extras && strcmp(again->meshes[0].extras, kept) == 0);
    unlink(in_folder("extras.glb"));
    graze_rig_destroy(rig);
    graze_rig_destroy(again);
    CHECK(memory.alive == 0);
}

TEST(built_in_models_there_and_back)
{
    static const graze_synth_kind kinds[] = {GRAZE_SYNTH_CREATURE, GRAZE_SYNTH_CURTAIN,
                                             GRAZE_SYNTH_CHAIR, GRAZE_SYNTH_BALL};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        graze_synth_def def = {kinds[i], 0, 0};
        OWN(graze_rig) *rig = NULL;
        REQUIRE(graze_synth(&def, NULL, &rig, NULL) == GRAZE_OK);
        check_round_trip(rig, graze_synth_name(kinds[i]), 1e-6);
    }
}

/* Least and greatest of the displacements of a target, those that are not listed being zero. */
TEST(targets_have_bounds)
{
    char text[4096] = "";
    OWN(graze_rig) *rig = morphed_small(NULL);
    REQUIRE(rig != NULL);
    CHECK(graze_gltf_save(rig, in_folder("bounds.glb"), NULL) == GRAZE_OK);
    FILE *file = fopen(in_folder("bounds.glb"), "rb");
    REQUIRE(file != NULL);
    fseek(file, 20, SEEK_SET);
    CHECK(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    unlink(in_folder("bounds.glb"));
    CHECK(strstr(text, "\"targets\":[{\"POSITION\":") != NULL);
    CHECK(strstr(text, "\"weights\":[0.25]") != NULL);
    CHECK(strstr(text, "\"min\":[0,0,0],\"max\":[0,0.25,0.5]") != NULL);
}

/* Each edit makes the morphs such as cannot be saved. */
static graze_status break_morphs(graze_rig *rig, int how)
{
    graze_rig_channel *channel = &rig->clips[0].channels[1];
    switch (how) {
    case 0:
        rig->morphs[0].vertices[1] = 4;
        break;
    case 1:
        rig->morphs[0].vertices[1] = rig->morphs[0].vertices[0];
        break;
    case 2:
        rig->morphs[0].deltas[3] = INFINITY;
        break;
    case 3:
        rig->morphs[0].weight = NAN;
        break;
    case 4:
        channel->first_morph = 1;
        break;
    case 5:
        channel->morph_count = 2;
        break;
    case 6:
        channel->morph_count = 0;
        break;
    case 7:
        channel->values[2] = NAN;
        break;
    default: { /* another target, which the clip leaves alone: two meshes, say */
        graze_rig_morph *two = rig->allocator.allocate(rig->allocator.user, 2 * sizeof *two, 64);
        two[0] = rig->morphs[0];
        two[1] = (graze_rig_morph){.weight = 1};
        rig->allocator.release(rig->allocator.user, rig->morphs);
        rig->morphs = two;
        rig->morph_count = 2;
        return GRAZE_UNSUPPORTED;
    }
    }
    return GRAZE_BAD_INPUT;
}

TEST(bad_morphs_are_not_saved)
{
    for (int how = 0; how < 9; how++) {
        OWN(graze_rig) *rig = morphed_small(NULL);
        graze_error error = {GRAZE_OK, ""};
        REQUIRE(rig != NULL);
        graze_status expected = break_morphs(rig, how);
        graze_status status = graze_gltf_save(rig, in_folder("bad.glb"), &error);
        CHECK_MSG(status == expected && error.text[0], "case %d: %s", how,
                  graze_status_name(status));
        CHECK(status != GRAZE_UNSUPPORTED || strstr(error.text, "1 of 2 morph targets"));
        CHECK(count_files() == 0);
    }
}

TEST(every_allocation_of_save_fails_once)
{
    test_memory memory = {0};
    graze_allocator allocator = test_memory_allocator(&memory);
    graze_rig *rig = morphed_small(&allocator);
    REQUIRE(rig != NULL);
    uint64_t alive = memory.alive;
    graze_status status = GRAZE_OUT_OF_MEMORY;
    for (long k = 1; status == GRAZE_OUT_OF_MEMORY && k < 1000; k++) {
        memory.calls = 0;
        memory.fail_at = (uint64_t)k;
        status = graze_gltf_save(rig, in_folder("memory.glb"), NULL);
        CHECK_MSG(memory.alive == alive, "allocation %ld leaks", k);
        CHECK(count_files() == (status == GRAZE_OK));
    }
    CHECK(status == GRAZE_OK);
    unlink(in_folder("memory.glb"));
    graze_rig_destroy(rig);
    CHECK(memory.alive == 0);
}

static const float square[12] = {0, 0, 0, 0.1f, -1e-10f, 3, 16777216, 1e20f, -0.0f, 1, 2, 3};
static const uint32_t square_triangles[6] = {0, 1, 2, 0, 2, 3};
static const char square_obj[] = "v 0 0 0\nv 0.100000001 -1.00000001e-10 3\n"
                                 "v 16777216 1.00000002e+20 -0\nv 1 2 3\nf 1 2 3\nf 1 3 4\n";

static void check_obj(const char *path)
{
    char text[256] = "";
    FILE *file = fopen(path, "rb");
    REQUIRE(file != NULL);
    CHECK(fread(text, 1, sizeof text - 1, file) == sizeof square_obj - 1);
    fclose(file);
    CHECK_MSG(strcmp(text, square_obj) == 0, "%s", text);
}

TEST(obj_is_written_as_it_should)
{
    const char *path = in_folder("square.obj");
    graze_error error;
    CHECK(graze_obj_save(path, square, 4, square_triangles, 2, &error) == GRAZE_OK);
    check_obj(path);
    struct stat before, after;
    stat(path, &before);
    CHECK(graze_obj_save(path, square, 4, square_triangles, 2, &error) == GRAZE_OK); /* over it */
    check_obj(path);
    stat(path, &after);
    CHECK(before.st_ino != after.st_ino && count_files() == 1);
    if (locale_with_comma()) {
        CHECK(graze_obj_save(path, square, 4, square_triangles, 2, &error) == GRAZE_OK);
        setlocale(LC_NUMERIC, "C");
        check_obj(path);
    }
    unlink(path);
}

TEST(obj_refuses_what_is_wrong)
{
    const float holed[9] = {0, 0, 0, 0, NAN, 0, 0, 0, 0};
    graze_error error;
    CHECK(graze_obj_save(in_folder("a.obj"), holed, 3, NULL, 0, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "vertex 1") != NULL);
    CHECK(graze_obj_save(in_folder("a.obj"), square, 3, square_triangles, 2, &error) ==
          GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "triangle 1 refers to vertex 3 of 3") != NULL);
    CHECK(graze_obj_save(in_folder("no/a.obj"), square, 4, square_triangles, 2, &error) ==
          GRAZE_IO_ERROR);
    CHECK(graze_obj_save(folder, square, 4, square_triangles, 2, &error) == GRAZE_IO_ERROR);
    CHECK(strstr(error.text, "cannot write") != NULL);
    CHECK(count_files() == 0);
}

/* Devices are written in place: a rename would put a file where the device was. */
TEST(devices_stay_devices)
{
    struct stat status;
    graze_error error;
    CHECK(graze_obj_save("/dev/null", square, 4, square_triangles, 2, &error) == GRAZE_OK);
    CHECK(stat("/dev/null", &status) == 0 && S_ISCHR(status.st_mode));
    if (stat("/dev/full", &status) == 0) {
        CHECK(graze_obj_save("/dev/full", square, 4, square_triangles, 2, &error) ==
              GRAZE_IO_ERROR);
        CHECK(stat("/dev/full", &status) == 0 && S_ISCHR(status.st_mode));
    }
}

/* With files limited to a few bytes the write fails half way. */
TEST(a_failed_write_leaves_nothing)
{
    enum { VERTICES = 4000 };
    struct rlimit old, small;
    graze_error error = {GRAZE_OK, ""};
    OWNED float *positions = calloc(VERTICES * 3, sizeof *positions);
    const char *path = in_folder("large.obj");
    CHECK(graze_obj_save(path, square, 4, square_triangles, 2, &error) == GRAZE_OK);
    REQUIRE(getrlimit(RLIMIT_FSIZE, &old) == 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    small = old;
    small.rlim_cur = 1000;
    setrlimit(RLIMIT_FSIZE, &small);
    graze_status status = graze_obj_save(path, positions, VERTICES, NULL, 0, &error);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, handler);
    CHECK(status == GRAZE_IO_ERROR && strstr(error.text, "cannot write") != NULL);
    CHECK(count_files() == 1); /* the old file, untouched */
    check_obj(path);
    unlink(path);
}

TEST(buffers_in_files_beside)
{
    static const char *const uris[] = {"my%20data.bin", "./my data.bin"};
    graze_error error = {GRAZE_OK, ""};
    char json[sizeof small_json + 128];
    FILE *file = fopen(in_folder("my data.bin"), "wb");
    REQUIRE(file != NULL);
    fwrite(&small_values, 1, sizeof small_values, file);
    fclose(file);
    for (size_t i = 0; i < COUNT_OF(uris); i++) {
        graze_rig *rig = NULL;
        file = fopen(in_folder("model.gltf"), "wb");
        REQUIRE(file != NULL);
        fprintf(file, "%s,\"uri\":\"%s\"}]}", small_json, uris[i]);
        fclose(file);
        CHECK_MSG(graze_gltf_load(in_folder("model.gltf"), NULL, &rig, &error) == GRAZE_OK, "%s",
                  error.text);
        graze_rig_destroy(rig);
        rig = NULL;
        snprintf(json, sizeof json, "%s,\"uri\":\"%s\"}]}", small_json, uris[i]);
        CHECK(graze_gltf_parse(json, strlen(json), folder, "x", NULL, &rig, &error) == GRAZE_OK);
        graze_rig_destroy(rig);
    }
    truncate(in_folder("my data.bin"), 100);
    graze_rig *rig = NULL;
    CHECK(graze_gltf_load(in_folder("model.gltf"), NULL, &rig, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "byteLength is 388, but there are 100") != NULL);
    unlink(in_folder("my data.bin"));
    CHECK(graze_gltf_load(in_folder("model.gltf"), NULL, &rig, &error) == GRAZE_IO_ERROR);
    unlink(in_folder("model.gltf"));
    CHECK(rig == NULL);
}
