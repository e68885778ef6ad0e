/* Two characters a model, every question and every method. */
#include "bench/compare.h"

#include <graze/gltf.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FRAMES = 5, MAX_MODELS = 64 };

static const pair_case cases[] = {{"apart, all pairs", PAIR_APART, PAIR_ALL},
                                  {"near, all pairs", PAIR_NEAR, PAIR_ALL},
                                  {"touching, all pairs", PAIR_TOUCHING, PAIR_ALL},
                                  {"touching, first", PAIR_TOUCHING, PAIR_FIRST},
                                  {"touching before, all pairs", PAIR_BEFORE, PAIR_ALL},
                                  {"deep, all pairs", PAIR_DEEP, PAIR_ALL},
                                  {"deep, first", PAIR_DEEP, PAIR_FIRST},
                                  {"one ray", PAIR_APART, PAIR_RAY}};

/* Everything of one run. */
typedef struct comparison {
    const bench_options *options;
    bench_csv csv;
    bool by_name; /* --only is the name of a procedural model with its size */
    compare_model models[MAX_MODELS];
    uint32_t count;
} comparison;

static void run_case(pair_bench *pair, const pair_case *what, const bench_options *options,
                     compare_model *model)
{
    pair_record record;
    pair_begin(pair, what, &record);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        if (!pair_stage(pair, what->place, frame, FRAMES))
            continue;
        if (what->question == PAIR_RAY)
            pair_aim(pair, frame + 1);
        pair_measure(pair, &record, options->rounds);
    }
    if (record.frames == 0) {
        if (options->json)
            printf("{\"table\":\"peers\",\"model\":\"%s\",\"case\":\"%s\",\"never\":true}\n",
                   model->name, what->name);
        else
            printf("\n%s, %s: never, however they are placed\n", model->name, what->name);
        return;
    }
    compare_case *entry = &model->cases[model->case_count++];
    compare_take(&record, model->triangles, entry);
    compare_note_goals(model, entry, options->goals);
    compare_print(model, entry, options->json);
    fflush(stdout);
}

/* What is asked of a model besides, in its first clip. */
typedef struct extra_tables {
    bool self, distances;
} extra_tables;

/* Takes over the rig. A model that graze refuses is left out; false: a file cannot be written. */
static bool run_model(comparison *all, const char *name, graze_rig *rig, const extra_tables *extra)
{
    compare_model *model = &all->models[all->count];
    queries_subject subject;
    pair_bench pair;
    *model = (compare_model){.triangles = rig->triangle_count,
                             .vertices = rig->vertex_count,
                             .joints = rig->joint_count};
    snprintf(model->name, sizeof model->name, "%s", name);
    for (char *letter = model->name; *letter; letter++)
        if (*letter == '"' || *letter == '\\' || (unsigned char)*letter < ' ')
            *letter = '_'; /* what JSON and CSV would have to escape */
    if (!queries_open_subject(&subject, model->name, rig,
                              extra->self ? QUERIES_MODELS : QUERIES_PLAIN + 1))
        return true;
    bool ok = pair_open(&pair, &subject, UINT32_MAX);
    if (ok) {
        if (!all->options->json)
            printf("\n%s: %u triangles, %u vertices, %u joints%s\n", name, model->triangles,
                   model->vertices, model->joints,
                   subject.made_up ? "; it has no clip: its joints sway by 12 degrees" : "");
        else if (subject.made_up)
            printf("{\"table\":\"peers\",\"model\":\"%s\",\"clip\":\"made up\"}\n", model->name);
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
            run_case(&pair, &cases[c], all->options, model);
        pair_close(&pair);
        compare_write_csv(&all->csv, model);
        ok = !all->options->plot || compare_plot(all->options->plot, model);
        all->count++;
        ok = ok && (!extra->self || queries_self(&subject, all->options, 1)) &&
             (!extra->distances || queries_distance(&subject, all->options));
    }
    queries_close_subject(&subject);
    return ok;
}

static bool is_wanted(const comparison *all, const char *name)
{
    const char *only = all->options->only;
    if (all->count == MAX_MODELS)
        return false;
    if (!only)
        return true;
    return all->by_name ? strcmp(name, only) == 0 : strstr(name, only) != NULL;
}

static bool run_procedural(comparison *all)
{
    static const struct {
        const char *name;
        graze_synth_def def;
        extra_tables extra;
    } models[] = {
        {.name = "man", .def = {.kind = GRAZE_SYNTH_MAN}},
        {.name = "creature", .def = {.kind = GRAZE_SYNTH_CREATURE}},
        {.name = "creature:5000", .def = {.kind = GRAZE_SYNTH_CREATURE, .triangles = 5000}},
        {.name = "creature:50000",
         .def = {.kind = GRAZE_SYNTH_CREATURE, .triangles = 50000},
         .extra = {.self = true, .distances = true}},
        {.name = "robot:5000", .def = {.kind = GRAZE_SYNTH_ROBOT, .triangles = 5000}},
        {.name = "robot:60000", .def = {.kind = GRAZE_SYNTH_ROBOT}, .extra = {.self = true}},
        {.name = "robot-skinned:60000", .def = {.kind = GRAZE_SYNTH_ROBOT_SKINNED}}};
    for (size_t i = 0; i < sizeof models / sizeof *models && all->options->only; i++)
        all->by_name |=
            strchr(models[i].name, ':') && strcmp(models[i].name, all->options->only) == 0;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        if (!is_wanted(all, models[i].name))
            continue;
        graze_rig *rig = queries_make_rig(&models[i].def);
        if (!rig || !run_model(all, models[i].name, rig, &models[i].extra))
            return false;
    }
    return true;
}

/* Paths of model files below a folder. */
typedef struct file_list {
    char paths[MAX_MODELS][600];
    uint32_t count;
} file_list;

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), own = strlen(end);
    return length >= own && strcmp(text + length - own, end) == 0;
}

static bool list_folder(const char *folder, int depth, file_list *files)
{
    DIR *open_folder = opendir(folder);
    struct dirent *entry;
    while (open_folder && (entry = readdir(open_folder)) && files->count < MAX_MODELS) {
        char *path = files->paths[files->count];
        struct stat status;
        int length = snprintf(path, sizeof *files->paths, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || length >= (int)sizeof *files->paths || stat(path, &status))
            continue;
        if (S_ISDIR(status.st_mode) && depth < 2) {
            char below[600];
            snprintf(below, sizeof below, "%s", path);
            list_folder(below, depth + 1, files);
        } else if (ends_with(path, ".glb") || ends_with(path, ".gltf")) {
            files->count++;
        }
    }
    if (open_folder)
        closedir(open_folder);
    return open_folder != NULL;
}

static int compare_paths(const void *left, const void *right)
{
    return strcmp(left, right);
}

static bool run_file(comparison *all, const char *path)
{
    const char *name = strrchr(path, '/') + 1;
    graze_rig *rig;
    graze_error error;
    if (!is_wanted(all, name))
        return true;
    if (graze_gltf_load(path, NULL, &rig, &error)) {
        fprintf(stderr, "graze: %s: left out\n", error.text);
        return true;
    }
    if (!rig->skinned)
        fprintf(stderr, "graze: %s: has no skin: left out\n", name);
    if (rig->skinned)
        return run_model(all, name, rig, &(extra_tables){false, false});
    graze_rig_destroy(rig);
    return true;
}

static bool run_files(comparison *all)
{
    file_list files;
    char folder[512];
    files.count = 0;
    queries_models_folder(all->options, folder, sizeof folder);
    if (!list_folder(folder, 0, &files)) {
        fprintf(stderr, "graze: %s: no such folder%s\n", folder,
                all->options->models ? "" : ": model files are left out (--models DIR)");
        return !all->options->models;
    }
    qsort(files.paths, files.count, sizeof *files.paths, compare_paths);
    bool ok = true;
    for (uint32_t i = 0; i < files.count && ok; i++)
        ok = run_file(all, files.paths[i]);
    return ok;
}

static void print_head(const bench_options *options)
{
    const bench_peers *peers = queries_peers();
    bench_print_machine(options->json);
    for (uint32_t i = 0; i < peers->collider_count; i++)
        if (options->json)
            printf("{\"table\":\"peers\",\"library\":\"%s\",\"version\":\"%s\"}\n",
                   peers->colliders[i]->name, peers->colliders[i]->version());
        else
            printf("%s%s: %s", i ? "; " : "\n", peers->colliders[i]->name,
                   peers->colliders[i]->version());
    if (options->json)
        return;
    printf(
        "\nTwo characters of one model in one clip, at different times. Milliseconds from joint "
        "matrices to answer, one core.\nms: the least of %u interleaved runs of a frame, median: "
        "the middle one; both medians over %d frames. A library "
        "that takes\nmore than 40 ms, or a method of ours that takes more than 120, runs once, in "
        "3 "
        "frames. Ratios are to graze, lazy: medians over\nthe frames of ratios of the least. Eager "
        "boxes skin, stop if whole boxes are apart, refit, ask; libraries skin (the fastest "
        "way\nat "
        "hand), refit, ask. \"Our triangles\" are graze's test in lanes as it was before its small "
        "integers.\n",
        options->rounds, FRAMES);
}

int bench_compare(const bench_options *given)
{
    bench_goals goals = {.now = {0}};
    bench_options with_goals = *given, *options = &with_goals;
    options->goals = &goals;
    comparison *all = calloc(1, sizeof *all);
    bool ok = all && bench_csv_open(&all->csv, options->csv,
                                    "model,triangles,case,method,least_ms,median_ms,ratio,pairs,"
                                    "missing,extra");
    if (!ok) {
        free(all);
        return 2;
    }
    all->options = options;
    print_head(options);
    ok = run_procedural(all) && run_files(all);
    if (ok && all->count == 0) {
        fprintf(stderr, "graze: no model has %s in its name\n", options->only);
        ok = false;
    }
    if (ok && !options->json)
        compare_print_targets(all->models, all->count);
    if (ok)
        bench_goals_print(&goals, options->json);
    ok = bench_csv_close(&all->csv) && ok;
    free(all);
    return ok ? 0 : 2;
}
