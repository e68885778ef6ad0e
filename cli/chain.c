/* Sphere chains: which regions of a posed body meet, and with --exact which of its triangles do. */
#include "cli/chain_file.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/query.h"
#include "cli/room.h"
#include "cli/text.h"

#include <graze/ext/chain_pose.h>

#include <float.h>

typedef struct chain_job {
    query_job base;
    bool exact;
    int update;
    graze_chain_def def;
    graze_chain_tracker_def tracker_def;
    double step, overlap; /* of the def */
    const char *ends;     /* which are regions of their own; NULL: the head */
    const char *describe; /* a description; NULL: regions are found */

    graze_chains *chains;
    graze_chain_tracker *tracker;

    /* For --exact: a model whose parts are the spheres. Its body is the second instance. */
    struct character grouped;
    uint32_t *owners, *rows;

    float *spheres;
    graze_pair_list pairs; /* of spheres; those of triangles are what the job found */
    bool meets;            /* spheres do */
} chain_job;

enum { SHOW_EXACT = SHOW_OWN };

/* ---- what is asked --------------------------------------------------------------------------- */

/* Values of --method. */
enum { CHAIN_CHAINS, CHAIN_ALL, CHAIN_TREE };

static graze_chain_pairs_of pairs_of(const chain_job *job)
{
    return job->base.method == CHAIN_ALL ? GRAZE_ALL_PAIRS : GRAZE_CHAIN_PAIRS;
}

/* Of the rows for the exact query. */
static size_t count_words(const chain_job *job)
{
    size_t spheres = graze_chain_tracker_size(job->tracker, GRAZE_CHAIN_PAIRS, NULL);
    return spheres * ((spheres + 31) / 32);
}

static graze_status ask(void *task, graze_error *error)
{
    chain_job *job = task;
    const graze_chain_pairs_of which = pairs_of(job);
    const uint32_t count = graze_chain_tracker_size(job->tracker, which, NULL);
    const graze_options options = {.method =
                                       job->base.method == CHAIN_TREE ? GRAZE_EAGER : GRAZE_LAZY};
    const graze_posed_chains posed = {job->tracker, job->spheres, NULL};
    const graze_part_filter left = {.part_count = count, .rows = job->rows};
    graze_pair_list triangles = list_of_pairs(&job->base.found);
    graze_status status =
        graze_chain_pose(job->tracker, job->base.bodies[0], (graze_chain_update)job->update,
                         job->spheres, count, error);
    if (!status)
        status = graze_chain_pairs(&posed, NULL, which, &job->pairs, &options, error);
    if (!status && job->exact)
        status = graze_chain_filter_rows(job->tracker, which, job->pairs.items, job->pairs.count,
                                         job->rows, count_words(job), error);
    if (!status && job->exact)
        status = graze_self_pairs(job->base.bodies[1], &left, &triangles, NULL, error);
    return status;
}

static bool end(void *task)
{
    chain_job *job = task;
    list_sort(&job->base.found, sizeof(graze_pair), 2);
    job->base.hit = job->exact ? job->base.found.count > 0 : job->pairs.count > 0;
    job->meets = job->pairs.count > 0;
    return true;
}

/* ---- fields ---------------------------------------------------------------------------------- */

static size_t count_spheres(const void *job)
{
    return graze_chain_tracker_size(((const chain_job *)job)->tracker, GRAZE_CHAIN_PAIRS, NULL);
}

static void fill_sphere(const void *job, size_t i, void *item)
{
    memcpy(item, ((const chain_job *)job)->spheres + 4 * i, 4 * sizeof(float));
}

typedef struct pair_item {
    uint32_t pair[2];
    const char *regions[2];
} pair_item;

static const char *region_of(const chain_job *job, uint32_t sphere)
{
    return graze_chains_region_name(job->chains, graze_chains_sphere(job->chains, sphere).region);
}

static size_t count_pairs(const void *job)
{
    return ((const chain_job *)job)->pairs.count;
}

static void fill_pair(const void *task, size_t i, void *item)
{
    const chain_job *job = task;
    const graze_pair *pair = &job->pairs.items[i];
    *(pair_item *)item =
        (pair_item){{pair->a, pair->b}, {region_of(job, pair->a), region_of(job, pair->b)}};
}

static const struct field sphere_fields[] = {{"", NULL, NULL, FIELD_FLOAT, .offset = 0, 4}};
static const struct field pair_fields[] = {
    {"", NULL, "  %u %u", FIELD_INDEX, AT(pair_item, pair), 2},
    {NULL, NULL, "  %s %s", FIELD_TEXT, AT(pair_item, regions), 2}};
static const struct field triangle_fields[] = {{"", NULL, NULL, FIELD_INDEX, .offset = 0, 2}};
static const field_list sphere_list = {FIELDS(sphere_fields), .count = count_spheres,
                                       .fill = fill_sphere},
                        pair_list = {FIELDS(pair_fields), .count = count_pairs, .fill = fill_pair},
                        triangle_list = {FIELDS(triangle_fields), OF_FOUND,
                                         .size = sizeof(graze_pair)};

static const struct field fields[] = {
    TIME_FIELDS,
    {"spheres", NULL, NULL, FIELD_LIST, .list = &sphere_list},
    {"hit", NULL, NULL, FIELD_TRUTH, AT(chain_job, meets)},
    {NULL, NULL, "  %5zu pairs of spheres", FIELD_COUNT, AT(chain_job, pairs.count)},
    {"pairs", NULL, "", FIELD_LIST, .list = &pair_list},
    {NULL, NULL, "  %7zu of triangles", FIELD_COUNT, OF_JOB(found.count), .needed = SHOW_EXACT},
    {"triangles", NULL, NULL, FIELD_LIST, .needed = SHOW_EXACT, .list = &triangle_list},
    {"us", NULL, "  %9.2f us", FIELD_US, OF_JOB(us)}};

/* ---- what is printed ------------------------------------------------------------------------- */

static const graze_pair *listed(const chain_job *job, uint32_t *count)
{
    return graze_chains_pairs(job->chains, pairs_of(job), count);
}

static void print_chains_json(const chain_job *job)
{
    uint32_t spheres = graze_chains_get_info(job->chains).sphere_count, count;
    printf("],\"region_of\":[");
    for (uint32_t s = 0; s < spheres; s++)
        printf("%s%u", s ? "," : "", graze_chains_sphere(job->chains, s).region);
    printf("],\"chains\":[");
    for (uint32_t c = 0; c < graze_chains_get_info(job->chains).chain_count; c++) {
        const uint32_t *chain = graze_chains_chain(job->chains, c, &count);
        printf("%s[", c ? "," : "");
        for (uint32_t i = 0; i < count; i++)
            printf("%s%u", i ? "," : "", chain[i]);
        printf("]");
    }
    const graze_pair *pairs = listed(job, &count);
    printf("],\"checked\":[");
    for (uint32_t i = 0; i < count; i++)
        printf("%s[%u,%u]", i ? "," : "", pairs[i].a, pairs[i].b);
}

/* The first line: what there is. */
static void print_rest(const chain_job *job, const graze_chain_misfit *fit)
{
    graze_chains_info info = graze_chains_get_info(job->chains);
    uint32_t checked;
    listed(job, &checked);
    if (!job->base.options.json) {
        printf("%u spheres in %u chains, %u pairs are looked at (the paper counts %llu tests); "
               "distance from the skin: mean %.4g, most %.4g\n",
               info.sphere_count, info.chain_count, checked,
               (unsigned long long)(pairs_of(job) == GRAZE_ALL_PAIRS ? info.paper_all_tests
                                                                     : info.paper_chain_tests),
               fit->mean, fit->max);
        return;
    }
    printf("{\"spheres\":%u,\"regions\":[", info.sphere_count);
    for (uint32_t r = 0; r < info.region_count; r++) {
        printf("%s", r ? "," : "");
        print_json("%s", graze_chains_region_name(job->chains, r));
    }
    print_chains_json(job);
    printf(
        "],\"fit\":{\"mean\":%.9g,\"max\":%.9g},\"paper_tests\":{\"chains\":%llu,\"all\":%llu}}\n",
        fit->mean, fit->max, (unsigned long long)info.paper_chain_tests,
        (unsigned long long)info.paper_all_tests);
}

/* ---- making it ------------------------------------------------------------------------------- */

/* "head,hands": which ends are regions of their own. */
static bool take_ends(const char *text, graze_chain_def *def)
{
    static const char *const names[] = {"head", "hands", "feet", "fingers"};
    bool head = false, *const flags[] = {&head, &def->hands, &def->feet, &def->fingers};
    def->merge_head = true;
    if (strcmp(text, "none") == 0)
        return true;
    while (*text) {
        size_t length = strcspn(text, ",");
        int found = -1;
        for (int i = 0; i < 4; i++)
            if (strlen(names[i]) == length && strncmp(names[i], text, length) == 0)
                found = i;
        if (found < 0)
            return refuse(
                "chain: --ends: there is no %.*s; expected head, hands, feet, fingers or none",
                (int)(length > 80 ? 80 : length), text);
        *flags[found] = true;
        def->merge_head = !head;
        text += length + (text[length] == ',');
    }
    return true;
}

static bool make_chains(chain_job *job)
{
    const struct character *character = job->base.characters.of[0];
    graze_error error;
    if (job->step < 0)
        return refuse("chain: --step: expected a length above 0, found %.9g", job->step);
    job->def.step = (float)job->step;
    /* 0 would be the usual overlap: next to nothing stands for none. */
    job->def.overlap = job->overlap > 0 ? (float)job->overlap : job->overlap < 0 ? 0 : FLT_MIN;
    if (job->ends && !take_ends(job->ends, &job->def))
        return false;
    note("making the chains");
    if (job->describe)
        job->chains = chain_file_read(job->describe, character, &job->def);
    else if (graze_chains_create(character->model, character->joints, &job->def, &job->chains,
                                 &error))
        fail_usage("%s: %s", character->name, error.text);
    note_done();
    return job->chains &&
           (!graze_chain_tracker_create(job->chains, &job->tracker_def, &job->tracker, &error) ||
            refuse("%s: %s", character->name, error.text));
}

/* The same body once more, with the spheres as parts. */
static bool make_exact(chain_job *job)
{
    const uint32_t triangles = job->base.characters.of[0]->rig->triangle_count;
    job->owners = room(triangles, sizeof *job->owners);
    job->rows = room(count_words(job), sizeof *job->rows);
    for (uint32_t t = 0; t < triangles; t++)
        job->owners[t] = graze_chains_triangle_sphere(job->chains, t);
    job->grouped = *job->base.characters.of[0];
    job->grouped.model = NULL;
    return character_regroup(job->base.characters.of[0], &job->base.options, job->owners,
                             graze_chain_tracker_size(job->tracker, GRAZE_CHAIN_PAIRS, NULL),
                             &job->grouped.model) &&
           instance_open(&job->base.instances[1][0], &job->grouped, &job->base.options,
                         INSTANCE_ALONE);
}

static bool open_chains(void *task)
{
    chain_job *job = task;
    graze_chain_misfit fit;
    graze_error error;
    if (!make_chains(job) || (job->exact && !make_exact(job)))
        return false;
    job->base.body_count = job->exact ? 2 : 1;
    uint32_t most, spheres = graze_chain_tracker_size(job->tracker, pairs_of(job), &most);
    job->pairs.items = room(most, sizeof *job->pairs.items);
    job->pairs.capacity = most;
    job->spheres = room(spheres, 4 * sizeof *job->spheres);
    if (graze_chains_misfit(job->chains, GRAZE_NONE, GRAZE_FIT_FOUND, &fit, NULL, &error))
        return refuse("%s: %s", job->base.characters.of[0]->name, error.text);
    output_begin();
    print_rest(job, &fit);
    output_end();
    return true;
}

static bool check(void *task, const arguments *given)
{
    chain_job *job = task;
    job->base.options.self_collision = job->exact;
    job->base.shown = job->exact ? SHOW_EXACT : 0;
    return !option_given(&chain_command, given, "--overlap") || job->overlap >= 0 ||
           refuse("chain: --overlap: expected 0 to 0.9, found %.9g", job->overlap);
}

static void close_job(void *task)
{
    chain_job *job = task;
    graze_model_destroy(job->grouped.model);
    graze_chain_tracker_destroy(job->tracker);
    graze_chains_destroy(job->chains);
    free(job->owners);
    free(job->rows);
    free(job->spheres);
    free(job->pairs.items);
}

static const struct option rows[] = {
    OPTION_HEADING_ROW("what is asked"),
    {"--exact", NULL, OPTION_FLAG, AT(chain_job, exact),
     "also the triangles that meet; with --update conservative all of them"},
    FAIL_ON_HIT_ROW("exit with 1 if any spheres meet, or with --exact any triangles"),
    {"--update", "pivots|conservative", OPTION_CHOICE, AT(chain_job, update),
     "how spheres follow a pose (default pivots)"},
    {"--method", "chains|all|tree", OPTION_CHOICE, OF_JOB(method),
     "pairs of the chains (default), all pairs, or those of the chains by a tree"},
    OPTION_HEADING_ROW("regions, spheres and chains"),
    {"--ends", "NAME[,NAME...]|none", OPTION_TEXT, AT(chain_job, ends),
     "ends that are regions of their own: head (default), hands, feet, fingers"},
    {"--describe", "CHAINS.json", OPTION_INPUT, AT(chain_job, describe),
     "regions, or spheres and chains, of a file"},
    {"--step", "D", OPTION_NUMBER, AT(chain_job, step),
     "how far disk and circumference go at a time (default: height / 70)"},
    {"--rays", "N", OPTION_COUNT, AT(chain_job, def.rays), "of the disk (default 80)"},
    {"--per-level", "N", OPTION_COUNT, AT(chain_job, def.spheres_per_level),
     "spheres side by side in the trunk (default 2)"},
    {"--overlap", "PD", OPTION_NUMBER, AT(chain_job, overlap),
     "of neighbours, 1 - distance / (r1 + r2), 0 to 0.9 (default 0.3)"},
    {"--pivots", "N", OPTION_COUNT, AT(chain_job, def.pivots),
     "points of the skin that a sphere follows (default 4)"},
    {"--paper-pivots", NULL, OPTION_FLAG, AT(chain_job, def.paper_pivots),
     "triangles of equal weight, and their mean distance as radius"},
    {"--clusters", "N", OPTION_COUNT, AT(chain_job, tracker_def.clusters),
     "of triangles, that tighten a conservative sphere (default 1: none)"},
    MODEL_ROWS,
    PLACED_ROWS,
    OPTION_HEADING_ROW("what is printed"),
    REPEAT_ROW,
    JSON_ROWS,
    OUT_ROW};

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
    OPTIONS(rows),
    JOB(chain_job, .base = QUERY_DEFAULTS, .overlap = -1),
    ONE_MODEL,
    QUERY(.body_count = 1, .role = INSTANCE_ALONE, FIELDS(fields), .check = check,
          .open = open_chains, .ask = {ask}, .end = end, .close = close_job)};
