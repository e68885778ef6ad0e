#include "support/rigs.h"

#include "harness.h"
#include "scenes/synth.h"
#include "support/figure.h"
#include "support/own.h"
#include "support/quick.h"

#if defined(GRAZE_TEST_GLTF)
#include <graze/gltf.h>
#endif

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_RIGS = 64 };

static test_rig rigs[MAX_RIGS];
static uint32_t rig_count;
static uint32_t procedural_count;

graze_status test_rig_load(const char *path, graze_rig **rig, graze_error *error)
{
#if defined(GRAZE_TEST_GLTF)
    return graze_gltf_load(path, NULL, rig, error);
#else
    (void)rig;
    snprintf(error->text, sizeof error->text, "%.200s: this build reads no glTF", path);
    return error->status = GRAZE_UNSUPPORTED;
#endif
}

static void free_rigs(void)
{
    while (rig_count > 0)
        graze_rig_destroy(rigs[--rig_count].rig);
}

static void add_procedural(graze_synth_kind kind, uint32_t triangles)
{
    graze_synth_def def = {.kind = kind, .triangles = triangles};
    test_rig *rig = &rigs[rig_count];
    if (graze_synth(&def, NULL, &rig->rig, NULL))
        return;
    snprintf(rig->name, sizeof rig->name, "%s of %u triangles", graze_synth_name(kind), triangles);
    rig_count++;
}

/* Several nodes and meshes, two skins, morphs, many influences, mirrored and stretched nodes. */
static void add_figures(void)
{
#if defined(GRAZE_TEST_GLTF)
    static const char *const wanted[] = {"two skins, boxes and morphs", "eight influences", "boxes",
                                         "no inverse binds", "sparse morphs"};
    for (uint32_t i = 0; i < figure_case_count; i++)
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
            size_t size;
            test_rig *rig = &rigs[rig_count];
            if (strcmp(figure_cases[i].name, wanted[k]) != 0)
                continue;
            unsigned char *data = figure_glb(&figure_cases[i].def, &size);
            graze_error error = {.text = ""};
            if (test_check(graze_gltf_parse(data, size, NULL, wanted[k], NULL, &rig->rig, &error) ==
                               GRAZE_OK,
                           __FILE__, __LINE__, "%s", error.text)) {
                snprintf(rig->name, sizeof rig->name, "figure: %s", wanted[k]);
                rig_count++;
            }
            free(data);
        }
#endif
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), own = strlen(end);
    return length >= own && strcmp(text + length - own, end) == 0;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(((const test_rig *)left)->name, ((const test_rig *)right)->name);
}

static void add_folder(const char *folder, int depth)
{
    DIR *open_folder = opendir(folder);
    struct dirent *entry;
    while (open_folder && (entry = readdir(open_folder)) && rig_count < MAX_RIGS) {
        char path[1024];
        struct stat status;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || stat(path, &status))
            continue;
        if (S_ISDIR(status.st_mode) && depth < 2)
            add_folder(path, depth + 1);
        if (!ends_with(path, ".glb") && !ends_with(path, ".gltf"))
            continue;
        graze_error error;
        test_rig *rig = &rigs[rig_count];
        if (!test_check(test_rig_load(path, &rig->rig, &error) == GRAZE_OK, __FILE__, __LINE__,
                        "%s", error.text))
            continue;
        snprintf(rig->name, sizeof rig->name, "%.63s", entry->d_name);
        rig_count++;
    }
    if (open_folder)
        closedir(open_folder);
}

const test_rig *test_rigs(uint32_t *count)
{
    if (rig_count == 0) {
        atexit(free_rigs);
        if (!test_is_brief()) {
            add_procedural(GRAZE_SYNTH_MAN, 1200);
            add_procedural(GRAZE_SYNTH_CREATURE, 2000);
        }
        add_procedural(GRAZE_SYNTH_DWARF, 600);
        if (!test_is_brief())
            add_procedural(GRAZE_SYNTH_ROBOT, 1200);
        add_procedural(GRAZE_SYNTH_ROBOT_SKINNED, 1200);
        add_figures();
        procedural_count = rig_count;
        if (test_models_folder())
            add_folder(test_models_folder(), 0);
        qsort(rigs + procedural_count, rig_count - procedural_count, sizeof *rigs, compare_names);
    }
    *count = rig_count;
    return rigs;
}

const graze_rig *test_rig_called(const char *start)
{
    uint32_t count;
    const test_rig *all = test_rigs(&count);
    for (uint32_t i = 0; i < count; i++)
        if (strncmp(all[i].name, start, strlen(start)) == 0)
            return all[i].rig;
    abort();
}

void test_rig_sample(const graze_rig *rig, uint32_t clip, double time, float *joints)
{
    OWNED float *weights = malloc((rig->morph_count + (size_t)1) * sizeof *weights);
    if (!weights || graze_rig_sample(rig, clip, time, joints, weights))
        abort();
}

/* What the last def or pose points to, until the program ends. */
static void *last[3];

static void free_last(void)
{
    for (int i = 0; i < 3; i++)
        free(last[i]);
}

static void *renew(int which, size_t bytes)
{
    if (!last[0] && !last[1] && !last[2])
        atexit(free_last);
    free(last[which]);
    last[which] = malloc(bytes + 1);
    if (!last[which])
        abort();
    return last[which];
}

graze_model_def test_rig_def(const graze_rig *rig)
{
    graze_model_def def = graze_rig_model_def(rig);
    graze_morph_target *targets = renew(0, rig->morph_count * sizeof *targets);
    graze_rig_morph_targets(rig, targets);
    def.morphs = targets;
    def.morph_count = rig->morph_count;
    return def;
}

graze_pose test_rig_pose(const graze_rig *rig, uint32_t clip, double time)
{
    float *joints = renew(1, 12 * sizeof *joints * rig->joint_count);
    float *weights = renew(2, sizeof *weights * rig->morph_count);
    if (graze_rig_sample(rig, clip, time, joints, weights))
        abort();
    return (graze_pose){.joints = joints,
                        .joint_count = rig->joint_count,
                        .morph_weights = weights,
                        .morph_count = rig->morph_count};
}

double test_extent(const float *positions, uint32_t vertex_count, double middle[3])
{
    double sum = 0;
    for (size_t k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t v = 0; v < vertex_count; v++) {
            low = fmin(low, positions[3 * v + k]);
            high = fmax(high, positions[3 * v + k]);
        }
        middle[k] = 0.5 * (low + high);
        sum += (high - low) * (high - low);
    }
    return 0.5 * sqrt(sum);
}
