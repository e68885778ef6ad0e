/* The queries of include/graze on characters in motion, against doing everything first, and against
 * other libraries.
 */
#include "bench/queries.h"

#include <graze/gltf.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void queries_close_subject(queries_subject *subject)
{
    for (int m = 0; m < QUERIES_MODELS; m++)
        graze_model_destroy(subject->models[m]);
    graze_rig_destroy(subject->rig);
}

static graze_status build_models(queries_subject *subject, int model_count, graze_error *error)
{
    enum { EXAMPLES = 4 };
    graze_rig *rig = subject->rig;
    graze_status status = GRAZE_OUT_OF_MEMORY;
    float *poses = malloc((size_t)EXAMPLES * rig->joint_count * 12 * sizeof *poses);
    snprintf(error->text, sizeof error->text, "out of memory");
    if (poses && !graze_rig_example_poses(rig, EXAMPLES, poses))
        status = GRAZE_OK;
    for (int m = 0; m < model_count && !status; m++) {
        graze_model_def def = graze_rig_model_def(rig);
        def.example_poses = poses;
        def.example_pose_count = EXAMPLES;
        def.self_collision = m == QUERIES_SELF;
        status = graze_model_create(&def, &subject->models[m], error);
    }
    free(poses);
    return status;
}

static bool measure_size(queries_subject *subject)
{
    queries_actor actor;
    if (!queries_open(&actor, subject, QUERIES_PLAIN))
        return false;
    bool ok = queries_sample(&actor, 0, 0);
    if (ok)
        queries_box(&actor, subject->low, subject->high);
    for (int k = 0; k < 3; k++)
        subject->size = fmaxf(subject->size, subject->high[k] - subject->low[k]);
    queries_close(&actor);
    return ok;
}

bool queries_open_subject(queries_subject *subject, const char *name, graze_rig *rig,
                          int model_count)
{
    graze_error error = {GRAZE_OUT_OF_MEMORY, "out of memory"};
    *subject = (queries_subject){.name = name, .rig = rig, .made_up = rig->clip_count == 0};
    graze_status status = GRAZE_OUT_OF_MEMORY;
    if (!subject->made_up || queries_add_clip(rig))
        status = build_models(subject, model_count, &error);
    if (status)
        fprintf(stderr, "graze: %s: %s\n", name, error.text);
    if (!status && measure_size(subject))
        return true;
    queries_close_subject(subject);
    return false;
}

static bool run_self(const queries_subject *subject, const bench_options *options)
{
    return queries_self(subject, options, UINT32_MAX);
}

static bool run_tables(const char *name, graze_rig *rig, const bench_options *options)
{
    static bool (*const tables[])(const queries_subject *, const bench_options *) = {
        queries_rays,   queries_camera,   run_self,       queries_distance, queries_sweep,
        queries_shapes, queries_contacts, queries_fronts, queries_masks};
    static const char *const names[] = {"rays",   "camera",   "self",   "distance", "sweep",
                                        "shapes", "contacts", "fronts", "masks"};
    queries_subject subject;
    if (!queries_open_subject(&subject, name, rig, QUERIES_MODELS))
        return false;
    graze_model_info info = graze_model_get_info(subject.models[QUERIES_PLAIN]);
    if (!options->json)
        printf("\n%s: %u triangles, %u vertices, %u joints\n", name, info.triangle_count,
               info.vertex_count, info.joint_count);
    bool ok = true;
    for (size_t t = 0; t < sizeof tables / sizeof *tables && ok; t++) {
        char title[80];
        snprintf(title, sizeof title, "%s, %s", name, names[t]);
        if (!options->only || strstr(title, options->only))
            ok = tables[t](&subject, options);
        fflush(stdout);
    }
    queries_close_subject(&subject);
    return ok;
}

/* The largest skinned model of the folder of shared models; where there is none, says so. */
static bool run_file(const bench_options *options)
{
    char folder[512], path[600];
    struct stat status;
    graze_rig *rig;
    graze_error error;
    queries_models_folder(options, folder, sizeof folder);
    snprintf(path, sizeof path, "%s/CesiumMan.glb", folder);
    if (stat(path, &status) != 0 && !options->models) {
        fprintf(stderr, "graze: no CesiumMan.glb: left out (--models DIR)\n");
        return true;
    }
    if (graze_gltf_load(path, NULL, &rig, &error)) {
        fprintf(stderr, "graze: %s\n", error.text);
        return false;
    }
    return run_tables("CesiumMan", rig, options);
}

static bool run_creature(const bench_options *options)
{
    graze_synth_def def = {.kind = GRAZE_SYNTH_CREATURE, .triangles = 50000};
    graze_rig *rig = queries_make_rig(&def);
    return rig && run_tables("creature", rig, options);
}

int bench_queries(const bench_options *options)
{
    const bench_peers *peers = queries_peers();
    const char *embree = peers->embree ? peers->embree->version() : NULL;
    const char *fcl = peers->fcl ? peers->fcl->version() : NULL;
    bench_print_machine(options->json);
    if (options->json)
        printf("{\"table\":\"queries\",\"embree\":\"%s\",\"fcl\":\"%s\",\"frames\":%d,"
               "\"rounds\":%u}\n",
               embree ? embree : "", fcl ? fcl : "", QUERIES_FRAMES, options->rounds);
    else
        printf("\n%s, %s\nMicroseconds from joint matrices to answer, one core. us: the least of "
               "%u interleaved runs of a frame,\nmedian: the middle one; both medians over %d "
               "frames of a clip. Ratios are medians over the frames\nof ratios of the least, with "
               "their range.\n",
               embree ? embree : "Embree was not built", fcl ? fcl : "FCL was not built",
               options->rounds, QUERIES_FRAMES);
    return run_file(options) && run_creature(options) ? 0 : 2;
}
