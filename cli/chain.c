/* Sphere chains: which regions of a posed body meet, and with --exact which of its triangles do. */
#include "cli/chain_file.h"
#include "cli/character.h"
#include "cli/commands.h"
#include "cli/frames.h"
#include "cli/output.h"
#include "cli/print.h"

#include <graze/graze.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct chain_job {
    model_options options;
    bool exact, fail_on_hit, paper_pivots;
    int method, update;
    uint32_t repeat, clusters, rays, per_level, pivots;
    double step, overlap;
    const char *ends;     /* which are regions of their own; NULL: the head */
    const char *describe; /* a description; NULL: regions are found */

    struct character character;
    struct instance instance;
    graze_chains *chains;
    graze_chain_plan *plan;

    /* For --exact: a model whose groups are the spheres. */
    struct character grouped;
    struct instance exactly;
    uint32_t *owners, *rows;

    float *spheres;
    graze_chain_pair *pairs;
    size_t pair_count, pair_room;
    graze_self_pair *triangles;
    size_t triangle_count, triangle_room;
} chain_job;

/* ---- what is asked --------------------------------------------------------------------------- */

static bool take_triangles(void *user, const graze_self_pair *pairs, size_t count)
{
    chain_job *job = user;
    if (job->triangle_count + count > job->triangle_room) {
        size_t more = 2 * (job->triangle_count + count) + 64;
        graze_self_pair *larger = realloc(job->triangles, more * sizeof *larger);
        if (!larger)
            return false;
        job->triangles = larger;
        job->triangle_room = more;
    }
    memcpy(job->triangles + job->triangle_count, pairs, count * sizeof *pairs);
    job->triangle_count += count;
    return true;
}

static int in_order(const void *left, const void *right)
{
    const graze_self_pair *x = left, *y = right;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

static graze_status ask(chain_job *job, graze_error *error)
{
    const uint32_t count = graze_chain_plan_sphere_count(job->plan);
    graze_status status = graze_chain_pose(
        job->plan, job->instance.body, (graze_chain_update)job->update, job->spheres, count, error);
    if (!status)
        status = graze_chain_pairs(job->plan, job->spheres, (graze_chain_method)job->method, NULL,
                                   job->pairs, job->pair_room, &job->pair_count, error);
    if (status || !job->exact)
        return status;
    const graze_self_between between = {.group_count = count, .rows = job->rows};
    status = graze_chain_exact_rows(job->plan, (graze_chain_method)job->method, job->pairs,
                                    job->pair_count, job->rows, graze_chain_exact_words(job->plan),
                                    error);
    job->triangle_count = 0;
    return status ? status
                  : graze_collide_self_between(job->exactly.body, GRAZE_SELF_ALL, &between,
                                               take_triangles, job, NULL, error);
}

/* Microseconds from handing over the matrices to the answer, the least of all repeats; negative
 * after an error.
 */
static double run_frame(chain_job *job)
{
    double best = INFINITY;
    for (uint32_t run = 0; run < job->repeat; run++) {
        graze_error error;
        double start = now_us();
        if (!instance_pose(&job->instance) || (job->exact && !instance_pose(&job->exactly)))
            return -1;
        if (ask(job, &error)) {
            fail_usage("%s", error.text);
            return -1;
        }
        best = fmin(best, now_us() - start);
    }
    if (job->triangle_count)
        qsort(job->triangles, job->triangle_count, sizeof *job->triangles, in_order);
    return best;
}

/* ---- what is printed ------------------------------------------------------------------------- */

static const graze_chain_pair *listed(const chain_job *job, uint32_t *count)
{
    return job->method == GRAZE_CHAIN_ALL ? graze_chains_all_pairs(job->chains, count)
                                          : graze_chains_checked(job->chains, count);
}

static void print_pairs(const graze_chain_pair *pairs, size_t count)
{
    printf("[");
    for (size_t i = 0; i < count; i++)
        printf("%s[%u,%u]", i ? "," : "", pairs[i].a, pairs[i].b);
    printf("]");
}

static void print_chains_json(const chain_job *job)
{
    uint32_t spheres = graze_chains_sphere_count(job->chains), count;
    printf("],\"region_of\":[");
    for (uint32_t s = 0; s < spheres; s++)
        printf("%s%u", s ? "," : "", graze_chains_sphere(job->chains, s).region);
    printf("],\"chains\":[");
    for (uint32_t c = 0; c < graze_chains_chain_count(job->chains); c++) {
        const uint32_t *chain = graze_chains_chain(job->chains, c, &count);
        printf("%s[", c ? "," : "");
        for (uint32_t i = 0; i < count; i++)
            printf("%s%u", i ? "," : "", chain[i]);
        printf("]");
    }
    const graze_chain_pair *pairs = listed(job, &count);
    printf("],\"checked\":");
    print_pairs(pairs, count);
}

/* The first line: what there is. */
static void print_rest(const chain_job *job, const graze_chain_misfit *fit)
{
    graze_chain_tests paper = graze_chains_paper_tests(job->chains);
    uint32_t spheres = graze_chains_sphere_count(job->chains), checked;
    listed(job, &checked);
    if (!job->options.json) {
        printf("%u spheres in %u chains, %u pairs are looked at (the paper counts %llu tests); "
               "distance from the skin: mean %.4g, most %.4g\n",
               spheres, graze_chains_chain_count(job->chains), checked,
               (unsigned long long)(job->method == GRAZE_CHAIN_ALL ? paper.all : paper.chains),
               fit->mean, fit->max);
        return;
    }
    printf("{\"spheres\":%u,\"regions\":[", spheres);
    for (uint32_t r = 0; r < graze_chains_region_count(job->chains); r++) {
        printf("%s", r ? "," : "");
        print_json_string(graze_chains_region_name(job->chains, r));
    }
    print_chains_json(job);
    printf(
        ",\"fit\":{\"mean\":%.9g,\"max\":%.9g},\"paper_tests\":{\"chains\":%llu,\"all\":%llu}}\n",
        fit->mean, fit->max, (unsigned long long)paper.chains, (unsigned long long)paper.all);
}

static void print_json(const chain_job *job, uint32_t frame, double time, double us)
{
    printf("{\"frame\":%u,\"time\":", frame);
    print_json_number(time);
    printf(",\"spheres\":[");
    for (uint32_t s = 0; s < graze_chain_plan_sphere_count(job->plan); s++) {
        const float *sphere = job->spheres + 4 * (size_t)s;
        printf("%s[%.9g,%.9g,%.9g,%.9g]", s ? "," : "", (double)sphere[0], (double)sphere[1],
               (double)sphere[2], (double)sphere[3]);
    }
    printf("],\"hit\":%s,\"pairs\":", job->pair_count ? "true" : "false");
    print_pairs(job->pairs, job->pair_count);
    if (job->exact) {
        printf(",\"triangles\":[");
        for (size_t i = 0; i < job->triangle_count; i++)
            printf("%s[%u,%u]", i ? "," : "", job->triangles[i].a, job->triangles[i].b);
        printf("]");
    }
    printf(",\"us\":%.2f}\n", us);
}

static const char *region_of(const chain_job *job, uint32_t sphere)
{
    return graze_chains_region_name(job->chains, graze_chains_sphere(job->chains, sphere).region);
}

static void print_frame(const chain_job *job, uint32_t frame, double time, double us)
{
    if (job->options.json) {
        print_json(job, frame, time, us);
        return;
    }
    printf("frame %4u  time %8.4f s  %5zu pairs of spheres", frame, time, job->pair_count);
    if (job->exact)
        printf("  %7zu of triangles", job->triangle_count);
    printf("  %9.2f us\n", us);
    for (size_t i = 0; i < job->pair_count; i++)
        printf("  %u %u  %s %s\n", job->pairs[i].a, job->pairs[i].b,
               region_of(job, job->pairs[i].a), region_of(job, job->pairs[i].b));
}

static int run_frames(chain_job *job)
{
    uint32_t frames = frame_count(&job->options), hits = 0;
    struct progress progress = progress_start("chain");
    int code = 0;
    for (uint32_t frame = 0; frame < frames; frame++) {
        double time = frame_time(&job->options, frame), us = -1;
        if (instance_sample(&job->instance, time) &&
            (!job->exact || instance_sample(&job->exactly, time)))
            us = run_frame(job);
        if (us < 0) {
            code = 2;
            break;
        }
        hits += job->exact ? job->triangle_count > 0 : job->pair_count > 0;
        output_begin();
        print_frame(job, frame, time, us);
        if (!output_end())
            break;
        progress_show(&progress, frame + 1, frames);
    }
    progress_end(&progress);
    return code ? code : hits && job->fail_on_hit ? 1 : 0;
}

/* ---- making it ------------------------------------------------------------------------------- */

/* "head,hands": which ends are regions of their own. */
static bool take_ends(const char *text, graze_chain_def *def)
{
    static const char *const names[] = {"head", "hands", "feet", "fingers"};
    bool *const flags[] = {&def->head, &def->hands, &def->feet, &def->fingers};
    for (int i = 0; i < 4; i++)
        *flags[i] = false;
    if (strcmp(text, "none") == 0)
        return true;
    while (*text) {
        size_t length = strcspn(text, ",");
        int found = -1;
        for (int i = 0; i < 4; i++)
            if (strlen(names[i]) == length && strncmp(names[i], text, length) == 0)
                found = i;
        if (found < 0) {
            fail_usage(
                "chain: --ends: there is no %.*s; expected head, hands, feet, fingers or none",
                (int)(length > 80 ? 80 : length), text);
            return false;
        }
        *flags[found] = true;
        text += length + (text[length] == ',');
    }
    return true;
}

static bool fill_def(const chain_job *job, graze_chain_def *def)
{
    *def = graze_default_chain_def();
    if (job->step < 0) {
        fail_usage("chain: --step: expected a length above 0, found %.9g", job->step);
        return false;
    }
    def->step = job->step > 0 ? (float)job->step : def->step;
    def->rays = job->rays ? job->rays : def->rays;
    def->spheres_per_level = job->per_level ? job->per_level : def->spheres_per_level;
    def->overlap = job->overlap >= 0 ? (float)job->overlap : def->overlap;
    def->pivots = job->pivots ? job->pivots : def->pivots;
    def->paper_pivots = job->paper_pivots;
    return !job->ends || take_ends(job->ends, def);
}

static bool make_chains(chain_job *job)
{
    graze_chain_def def;
    graze_chain_plan_def plan_def = graze_default_chain_plan_def();
    graze_error error;
    if (!fill_def(job, &def))
        return false;
    if (job->clusters)
        plan_def.clusters = job->clusters;
    if (job->describe)
        job->chains = chain_file_read(job->describe, &job->character, &def);
    else if (graze_chains_create(job->character.model, job->character.joints, &def, &job->chains,
                                 &error))
        fail_usage("%s: %s", job->character.name, error.text);
    if (!job->chains)
        return false;
    if (!graze_chain_plan_create(job->chains, &plan_def, &job->plan, &error))
        return true;
    fail_usage("%s: %s", job->character.name, error.text);
    return false;
}

/* The same body once more, with the spheres as groups. */
static bool make_exact(chain_job *job)
{
    const uint32_t triangles = job->character.rig->triangle_count;
    job->owners = malloc((triangles + (size_t)1) * sizeof *job->owners);
    job->rows = malloc((graze_chain_exact_words(job->plan) + 1) * sizeof *job->rows);
    if (!job->owners || !job->rows) {
        fail_usage("out of memory");
        return false;
    }
    for (uint32_t t = 0; t < triangles; t++)
        job->owners[t] = graze_chains_triangle_sphere(job->chains, t);
    job->grouped = job->character;
    job->grouped.model = NULL;
    return character_regroup(&job->character, &job->options, job->owners,
                             graze_chain_plan_sphere_count(job->plan), &job->grouped.model) &&
           instance_open(&job->exactly, &job->grouped, &job->options, INSTANCE_ALONE);
}

static int run_job(chain_job *job)
{
    graze_chain_misfit fit;
    graze_error error;
    if (!make_chains(job) ||
        !instance_open(&job->instance, &job->character, &job->options, INSTANCE_ALONE) ||
        (job->exact && !make_exact(job)))
        return 2;
    cast_list cast = {{&job->instance}, 1};
    if (!frames_settle(&job->options, &cast))
        return 2;
    frames_warn(&job->options, &cast);
    job->pair_room = graze_chain_plan_pair_count(job->plan, (graze_chain_method)job->method);
    job->pairs = malloc((job->pair_room + 1) * sizeof *job->pairs);
    job->spheres = malloc(4 * sizeof *job->spheres * graze_chain_plan_sphere_count(job->plan));
    if (!job->pairs || !job->spheres)
        return fail_usage("out of memory");
    if (graze_chains_misfit(job->chains, GRAZE_NO_PART, GRAZE_FIT_OURS, &fit, NULL, &error))
        return fail_usage("%s: %s", job->character.name, error.text);
    output_begin();
    print_rest(job, &fit);
    return output_end() ? run_frames(job) : 0;
}

static int run(int argc, char **argv)
{
    chain_job job = {.repeat = 1, .overlap = -1, .options = {.skin_b = -1}};
    arguments given;
    parse_result parsed = parse_options(&chain_command, argc, argv, &job, &given);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP_SHOWN ? 0 : 2;
    if (option_given(&chain_command, &given, "--overlap") && job.overlap < 0)
        return fail_usage("chain: --overlap: expected 0 to 0.9, found %.9g", job.overlap);
    if (job.options.skin_b >= 0)
        job.options.skin = job.options.skin_b;
    job.options.self_collision = job.exact;
    if (!output_to(job.options.out) ||
        !character_load(&job.character, given.names[0], &job.options))
        return 2;
    int code = run_job(&job);
    instance_close(&job.instance);
    instance_close(&job.exactly);
    graze_model_destroy(job.grouped.model);
    graze_chain_plan_destroy(job.plan);
    graze_chains_destroy(job.chains);
    character_free(&job.character);
    free(job.owners);
    free(job.rows);
    free(job.spheres);
    free(job.pairs);
    free(job.triangles);
    return code;
}

static const struct option rows[] = {
    OPTION_HEADING_ROW("what is asked"),
    {"--exact", NULL, OPTION_FLAG, offsetof(chain_job, exact),
     "also the triangles that meet; with --update conservative all of them"},
    {"--fail-on-hit", NULL, OPTION_FLAG, offsetof(chain_job, fail_on_hit),
     "exit with 1 if any spheres meet, or with --exact any triangles"},
    {"--update", "pivots|conservative", OPTION_CHOICE, offsetof(chain_job, update),
     "how spheres follow a pose (default pivots)"},
    {"--method", "chains|all|tree", OPTION_CHOICE, offsetof(chain_job, method),
     "pairs of the chains (default), all pairs, or those of the chains by a tree"},
    OPTION_HEADING_ROW("regions, spheres and chains"),
    {"--ends", "NAME[,NAME...]|none", OPTION_TEXT, offsetof(chain_job, ends),
     "ends that are regions of their own: head (default), hands, feet, fingers"},
    {"--describe", "CHAINS.json", OPTION_INPUT, offsetof(chain_job, describe),
     "regions, or spheres and chains, of a file"},
    {"--step", "D", OPTION_NUMBER, offsetof(chain_job, step),
     "how far disk and circumference go at a time (default: height / 70)"},
    {"--rays", "N", OPTION_COUNT, offsetof(chain_job, rays), "of the disk (default 80)"},
    {"--per-level", "N", OPTION_COUNT, offsetof(chain_job, per_level),
     "spheres side by side in the trunk (default 2)"},
    {"--overlap", "PD", OPTION_NUMBER, offsetof(chain_job, overlap),
     "of neighbours, 1 - distance / (r1 + r2), 0 to 0.9 (default 0.3)"},
    {"--pivots", "N", OPTION_COUNT, offsetof(chain_job, pivots),
     "points of the skin that a sphere follows (default 4)"},
    {"--paper-pivots", NULL, OPTION_FLAG, offsetof(chain_job, paper_pivots),
     "triangles of equal weight, and their mean distance as radius"},
    {"--clusters", "N", OPTION_COUNT, offsetof(chain_job, clusters),
     "of triangles, that tighten a conservative sphere (default 1: none)"},
    MODEL_ROWS(chain_job),
    PLACED_ROWS(chain_job),
    OPTION_HEADING_ROW("what is printed"),
    REPEAT_ROW(chain_job),
    JSON_ROW(chain_job),
    {"-o", "FILE", OPTION_FILE, MODEL_TARGET(chain_job, out),
     "write what is printed there, whole or not at all"}};

const struct command chain_command = {
    .name = "chain",
    .summary = "which regions of a posed body meet, by chains of spheres",
    .usage = "MODEL [options]",
    .about =
        "Fills a body with a few dozen spheres in chains, prints them, and then for each frame\n"
        "where they are and which of those that are looked at overlap or touch. Spheres follow a\n"
        "few points of the skin, and may leave some of it outside; with --update conservative\n"
        "they hold all of it.",
    .example = "graze chain man.glb --times all --json",
    .options = rows,
    .option_count = COUNT_OF(rows),
    .what = "model",
    .least_names = 1,
    .most_names = 1,
    .run = run};
