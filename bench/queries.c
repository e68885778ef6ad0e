/* The queries of include/graze on characters in motion, against doing everything first, and against
 * other libraries.
 */
#include "bench/queries.h"

#include <graze/gltf.h>

#include <sys/stat.h>

static void run_self(const queries_subject *subject)
{
    queries_self(subject, UINT32_MAX);
}

static const struct {
    const char *name;
    void (*run)(const queries_subject *subject);
} tables[] = {
    {"rays", queries_rays},         {"camera", queries_camera}, {"self", run_self},
    {"distance", queries_distance}, {"sweep", queries_sweep},   {"shapes", queries_shapes},
    {"contacts", queries_contacts}, {"fronts", queries_fronts}, {"masks", queries_masks}};

static bool is_wanted(const char *model, size_t table)
{
    char title[80];
    snprintf(title, sizeof title, "%s, %s", model, tables[table].name);
    return bench_wants(title);
}

static void run_tables(const char *name, graze_rig *rig)
{
    queries_subject subject;
    bench_must(queries_open_subject(&subject, name, rig, QUERIES_MODELS));
    bench_say("\n%s: %u triangles, %u vertices, %u joints\n", name, rig->triangle_count,
              rig->vertex_count, rig->joint_count);
    for (size_t t = 0; t < COUNT_OF(tables); t++) {
        if (is_wanted(name, t))
            tables[t].run(&subject);
        fflush(stdout);
    }
    queries_close_subject(&subject);
}

/* The largest skinned model of the folder of shared models; where there is none, says so. */
static void run_file(void)
{
    char folder[512], path[600];
    struct stat status;
    graze_rig *rig;
    queries_models_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/CesiumMan.glb", folder);
    if (stat(path, &status) != 0 && !asked.models) {
        fprintf(stderr, "graze: no CesiumMan.glb: left out (--models DIR)\n");
        return;
    }
    bench_must(graze_gltf_load(path, NULL, &rig, &bench_error));
    run_tables("CesiumMan", rig);
}

void bench_queries(void)
{
    for (size_t t = 0; t < COUNT_OF(tables); t++) {
        is_wanted("CesiumMan", t);
        is_wanted("creature", t);
    }
    bench_end_only("table");
    const bench_peers *peers = queries_peers();
    const char *embree = peers->embree ? peers->embree->version() : "";
    const char *fcl = peers->fcl ? peers->fcl->version() : "";
    bench_print_machine();
    bench_json_row("queries", "embree:%s fcl:%s frames:%.0f rounds:%.0f", ROW_TEXTS(embree, fcl),
                   ROW_NUMBERS(QUERIES_FRAMES, asked.rounds));
    bench_say(
        "\n%s, %s\nMicroseconds from joint matrices to answer, one core. us: the least of %u "
        "interleaved runs of a frame,\nmedian: the middle one; both medians over %d frames of "
        "a clip. Ratios are medians over the frames\nof ratios of the least, with their "
        "range.\n",
        *embree ? embree : "Embree was not built", *fcl ? fcl : "FCL was not built", asked.rounds,
        QUERIES_FRAMES);
    run_file();
    run_tables("creature", bench_make_rig(GRAZE_SYNTH_CREATURE, 50000));
}
