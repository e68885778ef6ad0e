/* bench peers: two characters a model, every question and every method. */
#define _GNU_SOURCE
#include "bench/goals.h"
#include "bench/pair_bench.h"
#include "bench/plot.h"

#include <graze/gltf.h>

#include <dirent.h>
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

/* ---- targets -------------------------------------------------------------------------------- */

/* What is asked of the ratio to graze at 50,000 triangles, and at 5,000: touching, all pairs; deep,
 * first pair; deep, all pairs; one ray.
 */
static const struct {
    pair_way way;
    const char *library; /* its name starts so */
    uint32_t triangles;  /* at least */
    double touching, first, all, ray;
} targets[] = {{PAIR_EAGER_BOXES_SCALAR, "", 40000, 35, 40, 4, 25},
               {PAIR_EAGER_BOXES, "", 40000, 30, 30, 1.6, 20},
               {PAIR_LIBRARY, "Embree", 40000, 100, 150, 6, 100},
               {PAIR_SKIN, "", 40000, 8, 0, 0, 0},
               {PAIR_EAGER_BOXES_SCALAR, "", 5000, 6, 10, 3, 8}};

/* 0: there is none. */
static double find_target(const pair_case *what, const pair_method *method, uint32_t triangles)
{
    for (size_t i = 0; i < COUNT_OF(targets); i++) {
        if (method->way != targets[i].way || triangles < targets[i].triangles ||
            strncmp(method->name, targets[i].library, strlen(targets[i].library)) != 0)
            continue;
        if (what->question == PAIR_RAY)
            return targets[i].ray;
        if ((what->place == PAIR_TOUCHING || what->place == PAIR_BEFORE) &&
            what->question == PAIR_ALL)
            return targets[i].touching;
        if (what->place == PAIR_DEEP)
            return what->question == PAIR_ALL ? targets[i].all : targets[i].first;
    }
    return 0;
}

static const char *verdict(double ratio, double target)
{
    return ratio >= target ? "met" : "missed";
}

/* What was promised, of the models seen: printed in the end. */
static FILE *summary;
static char *summary_text;
static size_t summary_size;

static void note_target(const pair_record *record, uint32_t m, double ratio, double target)
{
    if (!summary)
        summary = open_memstream(&summary_text, &summary_size);
    if (summary)
        fprintf(summary, "  %-16s %-28s %-36s %9.2f %9g  %s\n", record->entry.model,
                record->what->name, record->who[m]->name, ratio, target, verdict(ratio, target));
}

static void print_targets(void)
{
    if (!summary || fclose(summary) != 0)
        return;
    bench_say("\ntargets: how many times as long each takes as graze\n  %-16s %-28s %-36s %9s "
              "%9s\n%s",
              "", "", "", "ratio", "at least", summary_text);
    free(summary_text);
}

/* ---- a case --------------------------------------------------------------------------------- */

/* The answers, and what graze did for one. */
static void describe(const pair_record *record, double answers, char *note, size_t size)
{
    size_t pairs = record->who[0]->pairs;
    snprintf(note, size, "%u frames, ", record->frames);
    if (record->what->question == PAIR_RAY)
        bench_append(note, size, "%u rays each, %zu hit", PAIR_RAYS, pairs);
    else if (record->what->question == PAIR_FIRST)
        bench_append(note, size, "%zu of them meet", pairs);
    else
        bench_append(note, size, "%zu to %zu pairs, boxes overlap in %u", record->min_pairs,
                     record->max_pairs, record->overlapping);
    bench_append(note, size, "; graze bounds %.0f nodes, poses %.1f patches",
                 record->stats.nodes_refit / answers, record->stats.patches_posed / answers);
    if (record->how)
        bench_append(note, size, "; in %u frames %s", record->unusual, record->how);
}

static void draw_row(const pair_method *method, double least, double ratio, plot_panel *panel)
{
    static const uint32_t colours[PAIR_WAYS] = {
        [PAIR_GRAZE] = 0,       [PAIR_GRAZE_EAGER] = 4,
        [PAIR_EAGER_BOXES] = 1, [PAIR_EAGER_BOXES_SCALAR] = 5,
        [PAIR_SKIN] = 7,        [PAIR_LIBRARY] = 6};
    if (panel->bar_count == PLOT_BARS)
        return;
    plot_bar *bar = &panel->bars[panel->bar_count++];
    *bar = (plot_bar){.value = least, .colour = colours[method->way]};
    memcpy(bar->name, method->name, sizeof bar->name);
    snprintf(bar->label, sizeof bar->label, "%.3g", least);
    if (method->way != PAIR_GRAZE)
        bench_append(bar->label, sizeof bar->label, ", %.*f x", ratio < 10 ? 2 : ratio < 100,
                     ratio);
    if (method->missing || method->extra)
        bench_append(bar->label, sizeof bar->label, ", -%zu +%zu pairs", method->missing,
                     method->extra);
}

static void print_method(const pair_record *record, uint32_t m, double answers, plot_panel *panel)
{
    const queries_case *entry = &record->entry;
    const pair_method *method = record->who[m];
    uint32_t triangles = record->bench->subject->rig->triangle_count;
    double target = find_target(record->what, method, triangles);
    double least = bench_middle(&entry->least[m]) * 1e-3, ratio = queries_get_ratio(entry, m, 0);
    double pairs = method->pairs / answers;
    char found[64] = "", aim[40] = "";
    char fields[280] = "model:%s triangles:%.0f case:%s method:%s:%-36s ms:%.6f:%10.4f "
                       "ms_median:%.6f:%10.4f ratio:%.3f:%9.2f pairs:%.2f :%9.1f missing:%.0f "
                       "extra:%.0f :_%s%s";
    if (method->missing || method->extra)
        snprintf(found, sizeof found, "%zu missing, %zu extra", method->missing, method->extra);
    else if (method->way != PAIR_GRAZE && method->way != PAIR_SKIN)
        snprintf(found, sizeof found, "equal");
    if (record->how)
        bench_append(fields, sizeof fields, " placed:%%s");
    if (target > 0) {
        bench_append(fields, sizeof fields, " target:%%g met:%%b");
        snprintf(aim, sizeof aim, "%s%g: %s", *found ? "; " : "", target, verdict(ratio, target));
        note_target(record, m, ratio, target);
    }
    bench_row("peers", fields,
              ROW_TEXTS(entry->model, entry->name, method->name, found, aim, record->how),
              ROW_NUMBERS(triangles, least, bench_middle(&entry->middle[m]) * 1e-3, ratio, pairs,
                          method->way == PAIR_SKIN ? NAN : pairs, method->missing, method->extra,
                          target, ratio >= target));
    goals_take(false, "peers", entry->model, entry->name, method->name, ratio);
    draw_row(method, least, ratio, panel);
}

/* False if the model never gets there. */
static bool run_case(pair_bench *pair, const pair_case *what, plot_panel *panel)
{
    pair_record record;
    const char *model = pair->subject->name;
    char note[240];
    pair_begin(pair, what, &record);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        if (!pair_stage(pair, what->place, frame, FRAMES, NULL))
            continue;
        if (what->question == PAIR_RAY)
            pair_aim(pair, frame + 1);
        pair_measure(&record);
    }
    if (record.frames == 0) {
        bench_json_row("peers", "model:%s case:%s never:%b", ROW_TEXTS(model, what->name),
                       ROW_NUMBERS(1));
        bench_say("\n%s, %s: never, however they are placed\n", model, what->name);
        return false;
    }
    double answers = record.frames * (what->question == PAIR_RAY ? PAIR_RAYS : 1.0);
    describe(&record, answers, note, sizeof note);
    *panel = (plot_panel){.bar_count = 0};
    snprintf(panel->title, sizeof panel->title, "%s", what->name);
    snprintf(panel->note, sizeof panel->note, "%.*s", (int)sizeof panel->note - 1, note);
    bench_say("\n%s, %s: %s\n  %-36s %10s %10s %9s %9s  %s\n", model, what->name, note, "", "ms",
              "median", "ratio", "pairs", "against graze's; target");
    for (uint32_t m = 0; m < record.entry.method_count; m++)
        print_method(&record, m, answers, panel);
    return true;
}

/* ---- a model -------------------------------------------------------------------------------- */

/* One drawing, DIR/peers-NAME.svg. */
static void draw(const queries_subject *subject, const plot_panel *panels, uint32_t count)
{
    char name[80], title[160];
    snprintf(name, sizeof name, "peers-%s", subject->name);
    snprintf(title, sizeof title, "Two of %s, %u triangles each", subject->name,
             subject->rig->triangle_count);
    plot_bars(name, title,
              "milliseconds from joint matrices to answer, least, logarithmic; times as long as "
              "graze; pairs missing (-) and wrong (+) over all frames",
              panels, count);
}

static uint32_t model_count; /* that were measured */
static bool by_name;         /* --only is the name of a procedural model with its size */

static bool is_wanted(const char *name)
{
    return model_count < MAX_MODELS &&
           (by_name ? strcmp(name, asked.only) == 0 : bench_wants(name));
}

/* Takes over the rig. A model that graze refuses is left out. With `self` and `distances` that is
 * asked besides, in its first clip.
 */
static void run_model(const char *given, graze_rig *rig, bool self, bool distances)
{
    static pair_bench pair;
    queries_subject subject;
    plot_panel panels[COUNT_OF(cases)];
    uint32_t panel_count = 0;
    char name[64];
    snprintf(name, sizeof name, "%s", given);
    for (char *letter = name; *letter; letter++)
        if (*letter == '"' || *letter == '\\' || (unsigned char)*letter < ' ')
            *letter = '_'; /* what JSON and CSV would have to escape */
    if (queries_open_subject(&subject, name, rig, self ? QUERIES_MODELS : QUERIES_PLAIN + 1)) {
        fprintf(stderr, "graze: %s: %s\n", name, bench_error.text);
        return;
    }
    pair_open(&pair, &subject, UINT32_MAX);
    bench_say("\n%s: %u triangles, %u vertices, %u joints%s\n", given, rig->triangle_count,
              rig->vertex_count, rig->joint_count,
              subject.made_up ? "; it has no clip: its joints sway by 12 degrees" : "");
    if (subject.made_up)
        bench_json_row("peers", "model:%s clip:%s", ROW_TEXTS(name, "made up"), NULL);
    for (size_t c = 0; c < COUNT_OF(cases); c++)
        panel_count += run_case(&pair, &cases[c], &panels[panel_count]);
    pair_close(&pair);
    if (asked.plot)
        draw(&subject, panels, panel_count);
    model_count++;
    if (self)
        queries_self(&subject, 1);
    if (distances)
        queries_distance(&subject);
    queries_close_subject(&subject);
}

static void run_procedural(void)
{
    static const struct {
        const char *name;
        graze_synth_kind kind;
        uint32_t triangles;
        bool self, distances;
    } models[] = {{"man", GRAZE_SYNTH_MAN, 0, false, false},
                  {"creature", GRAZE_SYNTH_CREATURE, 0, false, false},
                  {"creature:5000", GRAZE_SYNTH_CREATURE, 5000, false, false},
                  {"creature:50000", GRAZE_SYNTH_CREATURE, 50000, true, true},
                  {"robot:5000", GRAZE_SYNTH_ROBOT, 5000, false, false},
                  {"robot:60000", GRAZE_SYNTH_ROBOT, 0, true, false},
                  {"robot-skinned:60000", GRAZE_SYNTH_ROBOT_SKINNED, 0, false, false}};
    for (size_t i = 0; i < COUNT_OF(models) && asked.only; i++)
        by_name |= strchr(models[i].name, ':') && strcmp(models[i].name, asked.only) == 0;
    for (size_t i = 0; i < COUNT_OF(models); i++)
        if (is_wanted(models[i].name))
            run_model(models[i].name, bench_make_rig(models[i].kind, models[i].triangles),
                      models[i].self, models[i].distances);
}

/* ---- model files ---------------------------------------------------------------------------- */

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

static void run_file(const char *path)
{
    const char *name = strrchr(path, '/') + 1;
    graze_rig *rig;
    if (!is_wanted(name))
        return;
    if (graze_gltf_load(path, NULL, &rig, &bench_error)) {
        fprintf(stderr, "graze: %s: left out\n", bench_error.text);
    } else if (rig->skinned) {
        run_model(name, rig, false, false);
    } else {
        fprintf(stderr, "graze: %s: has no skin: left out\n", name);
        graze_rig_destroy(rig);
    }
}

static void run_files(void)
{
    file_list files = {.count = 0};
    char folder[512];
    queries_models_folder(folder, sizeof folder);
    bool there = list_folder(folder, 0, &files);
    if (!there && asked.models)
        bench_die("%s: no such folder", folder);
    if (!there)
        fprintf(stderr, "graze: %s: no such folder: model files are left out (--models DIR)\n",
                folder);
    qsort(files.paths, files.count, sizeof *files.paths, compare_paths);
    for (uint32_t i = 0; i < files.count; i++)
        run_file(files.paths[i]);
}

static void print_head(void)
{
    const bench_peers *peers = queries_peers();
    bench_print_machine();
    for (uint32_t i = 0; i < peers->collider_count; i++) {
        const bench_collider *library = peers->colliders[i];
        bench_json_row("peers", "library:%s version:%s",
                       ROW_TEXTS(library->name, library->version()), NULL);
        bench_say("%s%s: %s", i ? "; " : "\n", library->name, library->version());
    }
    bench_say(
        "\nTwo characters of one model in one clip, at different times. Milliseconds from joint "
        "matrices to answer, one core.\nms: the least of %u interleaved runs of a frame, median: "
        "the middle one; both medians over %d frames. A library that takes\nmore than 40 ms, or a "
        "method of ours that takes more than 120, runs once, in 3 frames. Ratios are to graze, "
        "lazy: medians over\nthe frames of ratios of the least. Eager boxes skin, stop if whole "
        "boxes are apart, refit, ask; libraries skin (the fastest way\nat hand), refit, ask. \"Our "
        "triangles\" are graze's test in lanes as it was before its small integers.\n",
        asked.rounds, FRAMES);
}

void bench_compare(void)
{
    bench_csv_open("model,triangles,case,method,least_ms,median_ms,ratio,pairs,missing,extra");
    print_head();
    run_procedural();
    run_files();
    if (model_count == 0)
        bench_fail_only("model");
    print_targets();
    goals_print();
}
