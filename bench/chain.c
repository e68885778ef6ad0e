/* Sphere chains (Madera et al. 2017): what there is at rest, what a pose costs, and what it is
 * worth.
 */
#include "bench/chain.h"

#include "bench/measure.h"
#include "bench/queries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_POSES = 300, MANY_POSES = 10000 };

/* ---- the subject ----------------------------------------------------------------------------- */

static graze_status make_grouped(chain_subject *s, graze_error *error)
{
    graze_model_def def = graze_rig_model_def(s->rig);
    for (uint32_t t = 0; t < s->rig->triangle_count; t++)
        s->owners[t] = graze_chains_triangle_sphere(s->chains, t);
    def.triangle_groups = s->owners;
    def.vertex_groups = s->vertex_groups;
    def.group_count = s->sphere_count;
    return graze_rig_create_model(s->rig, &def, &s->grouped, error);
}

static bool take_memory(chain_subject *s)
{
    s->sphere_count = graze_chains_sphere_count(s->chains);
    s->capacity = graze_chain_plan_pair_count(s->plan, GRAZE_CHAIN_ALL);
    s->owners = calloc(s->rig->triangle_count, sizeof *s->owners);
    s->vertex_groups = calloc(s->rig->vertex_count, sizeof *s->vertex_groups);
    s->rows = calloc(graze_chain_exact_words(s->plan), sizeof *s->rows);
    s->spheres = calloc(s->sphere_count, 4 * sizeof *s->spheres);
    s->pairs = calloc(s->capacity + 1, sizeof *s->pairs);
    return s->owners && s->vertex_groups && s->rows && s->spheres && s->pairs;
}

bool chain_open(chain_subject *s, graze_synth_kind kind, const graze_chain_def *def)
{
    const graze_synth_def man = {.kind = kind, .triangles = CHAIN_TRIANGLES};
    graze_error error = {.text = "out of memory"};
    *s = (chain_subject){.name = graze_synth_name(kind), .rig = queries_make_rig(&man)};
    if (!s->rig)
        return false;
    if (!graze_rig_create_model(s->rig, NULL, &s->model, &error) &&
        !graze_rig_parts(s->rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &s->joints, &error) &&
        !graze_chains_create(s->model, s->joints, def, &s->chains, &error) &&
        !graze_chain_plan_create(s->chains, NULL, &s->plan, &error) && take_memory(s) &&
        !make_grouped(s, &error) && !graze_body_create(s->model, &s->body, &error) &&
        !graze_body_create(s->grouped, &s->grouped_body, &error))
        return true;
    fprintf(stderr, "graze: %s: %s\n", s->name, error.text);
    chain_close(s);
    return false;
}

void chain_close(chain_subject *s)
{
    graze_body_destroy(s->body);
    graze_body_destroy(s->grouped_body);
    graze_chain_plan_destroy(s->plan);
    graze_chains_destroy(s->chains);
    graze_model_destroy(s->model);
    graze_model_destroy(s->grouped);
    graze_parts_destroy(s->joints);
    graze_rig_destroy(s->rig);
    free(s->owners);
    free(s->vertex_groups);
    free(s->rows);
    free(s->spheres);
    free(s->pairs);
    *s = (chain_subject){0};
}

bool chain_sample(const chain_subject *s, uint32_t clip, chain_frames *frames)
{
    const size_t joints = 12 * (size_t)s->rig->joint_count, morphs = s->rig->morph_count;
    frames->count = CHAIN_FRAMES;
    frames->joints = malloc(joints * CHAIN_FRAMES * sizeof(float));
    frames->weights = malloc((morphs * CHAIN_FRAMES + 1) * sizeof(float));
    bool ok = frames->joints && frames->weights;
    for (uint32_t f = 0; ok && f < CHAIN_FRAMES; f++)
        ok = !graze_rig_sample(s->rig, clip,
                               (double)s->rig->clips[clip].seconds * f / (CHAIN_FRAMES - 1),
                               frames->joints + joints * f, frames->weights + morphs * f);
    if (!ok)
        chain_free_frames(frames);
    return ok;
}

void chain_free_frames(chain_frames *frames)
{
    free(frames->joints);
    free(frames->weights);
    *frames = (chain_frames){0};
}

graze_pose chain_pose_at(const chain_subject *s, const chain_frames *frames, uint32_t frame)
{
    const size_t joints = 12 * (size_t)s->rig->joint_count, morphs = s->rig->morph_count;
    return (graze_pose){.joints = frames->joints + joints * frame,
                        .joint_count = s->rig->joint_count,
                        .morph_weights = morphs ? frames->weights + morphs * frame : NULL,
                        .morph_count = s->rig->morph_count};
}

/* ---- at rest --------------------------------------------------------------------------------- */

static bool print_region(const chain_subject *s, uint32_t region, bool json)
{
    static const char *const names[] = {"ours", "least squares", "minimal balls"};
    const char *name =
        region == GRAZE_NO_PART ? "all" : graze_chains_region_name(s->chains, region);
    graze_chain_misfit of[3][2];
    for (int fit = 0; fit < 3; fit++) {
        graze_error error;
        if (!graze_chains_misfit(s->chains, region, (graze_chain_fit)fit, &of[fit][0], &of[fit][1],
                                 &error))
            continue;
        fprintf(stderr, "graze: %s\n", error.text);
        return false;
    }
    if (!json)
        printf("  %-12s", name);
    for (int fit = 0; fit < 3; fit++)
        if (json)
            printf("{\"table\":\"chain fit\",\"region\":\"%s\",\"spheres\":\"%s\",\"mean\":%.4g,"
                   "\"max\":%.4g,\"mean_hits\":%.4g,\"max_hits\":%.4g}\n",
                   name, names[fit], of[fit][0].mean, of[fit][0].max, of[fit][1].mean,
                   of[fit][1].max);
        else
            printf("  %8.2f %7.2f %7.2f %7.2f", 1e3 * of[fit][0].mean, 1e3 * of[fit][0].max,
                   1e3 * of[fit][1].mean, 1e3 * of[fit][1].max);
    if (!json)
        puts("");
    return true;
}

bool chain_print_rest(const chain_subject *s, bool json)
{
    graze_chain_tests paper = graze_chains_paper_tests(s->chains);
    const char *format =
        json
            ? "{\"table\":\"chain rest\",\"model\":\"%s\",\"triangles\":%u,\"spheres\":%u,"
              "\"chains\":%u,\"checked\":%u,\"all\":%u,\"paper_chains\":%llu,\"paper_all\":%llu}\n"
            : "\n%s, %u triangles: %u spheres in %u chains; pairs looked at: %u by the chains (M1, "
              "M3), %u without (M2);\nthe paper's way of counting: %llu and %llu\n";
    printf(format, s->name, s->rig->triangle_count, s->sphere_count,
           graze_chains_chain_count(s->chains),
           graze_chain_plan_pair_count(s->plan, GRAZE_CHAIN_CHAINS),
           graze_chain_plan_pair_count(s->plan, GRAZE_CHAIN_ALL), (unsigned long long)paper.chains,
           (unsigned long long)paper.all);
    if (!json)
        puts("F = |r - |c - v||, mm: mean and most over vertices, then over hits of rays\n"
             "  region            ours                            least squares                   "
             "  minimal balls");
    for (uint32_t r = 0; r < graze_chains_region_count(s->chains); r++)
        if (!print_region(s, r, json))
            return false;
    return print_region(s, GRAZE_NO_PART, json);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool print_all(const bench_options *options, bench_csv *csv)
{
    static const graze_synth_kind kinds[] = {GRAZE_SYNTH_MAN, GRAZE_SYNTH_MAN_MORPHING};
    const graze_chain_def def = graze_default_chain_def();
    const char *only = options->only;
    bool ok = true;
    for (int k = 0; ok && k < 2; k++) {
        chain_subject subject;
        if (!chain_open(&subject, kinds[k], &def))
            return false;
        if (!only || strstr("rest", only))
            ok = chain_print_rest(&subject, options->json);
        for (uint32_t c = 0; ok && (!only || strstr("times", only)) && c < subject.rig->clip_count;
             c++)
            ok = chain_print_times(&subject, c, options, csv);
        if (ok && k == 0 && (!only || strstr("truth", only)))
            ok = chain_print_truth(&subject, only ? MANY_POSES : FEW_POSES, options);
        chain_close(&subject);
    }
    return ok;
}

int bench_chain(const bench_options *options)
{
    bench_csv csv;
    if (!bench_csv_open(&csv, options->csv, "model,clip,what,threads,least_us,median_us"))
        return 2;
    bench_print_machine(options->json);
    bool ok = print_all(options, &csv);
    return bench_csv_close(&csv) && ok ? 0 : 2;
}
