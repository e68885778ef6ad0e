/* graze audit: where clips go through themselves, over one file or many. */
#include "cli/audit_fix.h"
#include "cli/audit_store.h"
#include "cli/commands.h"
#include "cli/names.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/room.h"
#include "cli/text.h"

#include <math.h>

/* All that a run has. */
typedef struct audit_run {
    audit_job *job;
    audit_map *map;
    audit_store *store; /* NULL: none */
    cJSON *settings;    /* that the job's are from; NULL: from the command line */
    bool merged;        /* what is found is there already */
    graze_pool *pool;
    audit_found found;
    audit_db db;
    audit_fix *fix; /* NULL: nothing is written */
    struct progress progress;
    size_t input; /* that is at work */
    uint64_t file_frames, file_done;
} audit_run;

/* Whether results can no longer be written. */
static bool audit_stopped(const audit_run *run)
{
    return run->db.stopped || (run->store && run->store->stopped);
}

/* ---- one file ------------------------------------------------------------------------------- */

static void show(void *user, uint32_t frames)
{
    audit_run *run = user;
    run->file_done += frames;
    progress_show(&run->progress,
                  1000 * run->input + 1000 * run->file_done / (run->file_frames + 1),
                  1000 * run->found.inputs.count);
}

/* The text of an input's error, less the file's name in front of it. */
static void fail_input(audit_input *input, const char *text)
{
    size_t length = strlen(input->path);
    bool named = strncmp(text, input->path, length) == 0 && strncmp(text + length, ": ", 2) == 0;
    free(input->error);
    input->error = copy_text(named ? text + length + 2 : text);
}

/* "CLIP@T" of --baseline in this model. */
static bool find_baseline(const struct character *character, const audit_job *job,
                          graze_audit_settings *settings, line_text *text)
{
    const char *at = strrchr(job->baseline, '@'), *number = at ? at + 1 : "";
    if (!at) {
        settings->baseline =
            strcmp(job->baseline, "none") == 0 ? GRAZE_AUDIT_NONE : GRAZE_AUDIT_REST;
        return true;
    }
    char *clip = copy_text(job->baseline);
    clip[at - job->baseline] = 0;
    settings->baseline = GRAZE_AUDIT_POSE;
    settings->baseline_clip = graze_rig_find_clip(character->rig, clip);
    bool found = parse_number(&number, '\0', &settings->baseline_time) &&
                 (settings->baseline_clip != GRAZE_NONE || strcmp(clip, "none") == 0);
    if (!found)
        snprintf(text->text, sizeof text->text, "--baseline %.300s: there is no clip %.300s",
                 job->baseline, clip);
    free(clip);
    return found;
}

/* A clip's own name, else its number. */
static const char *own_name(const graze_rig *rig, uint32_t clip, char number[16])
{
    const char *name = rig->clips[clip].name;
    snprintf(number, 16, "%u", clip);
    return name && *name ? name : number;
}

/* How many of the clips before `end` have this name of their own. */
static uint32_t count_own(const graze_rig *rig, uint32_t end, const char *name)
{
    char number[16];
    uint32_t count = 0;
    for (uint32_t i = 0; i < end; i++)
        count += strcmp(own_name(rig, i, number), name) == 0;
    return count;
}

char *audit_name_clip(const graze_rig *rig, uint32_t clip)
{
    char number[16];
    if (clip == GRAZE_NONE)
        return copy_text("none");
    const char *own = own_name(rig, clip, number);
    const size_t size = strlen(own) + 16;
    char *name = room(size, 1);
    memcpy(name, own, strlen(own) + 1);
    uint32_t before = count_own(rig, clip, own), k = 2;
    while (before > 0) {
        snprintf(name, size, "%s#%u", own, k++);
        before -= count_own(rig, rig->clip_count, name) == 0;
    }
    return name;
}

/* The longest side of the box around the pose in which the file stands. */
static bool measure(const struct character *character, double *size, graze_error *error)
{
    graze_body *body;
    float *positions = room(character->rig->vertex_count, 3 * sizeof *positions);
    graze_status status = graze_body_create(character->model, &body, error);
    if (!status) {
        status = graze_rig_pose_body(character->rig, GRAZE_NONE, 0, NULL, body, error);
        if (!status)
            graze_body_get_positions(body, positions);
        graze_body_destroy(body);
    }
    *size = 0;
    for (size_t axis = 0; !status && axis < 3; axis++) {
        float low = positions[axis], high = low;
        for (size_t v = 1; v < character->rig->vertex_count; v++) {
            low = fminf(low, positions[3 * v + axis]);
            high = fmaxf(high, positions[3 * v + axis]);
        }
        *size = fmax(*size, (double)high - (double)low);
    }
    free(positions);
    return !status;
}

bool audit_find_clips(const struct character *character, const audit_job *job, item_list *clips,
                      line_text *text)
{
    const graze_rig *rig = character->rig;
    const char *name = job->options.clip;
    uint32_t clip = job->together ? rig->clip_count - 1 : GRAZE_NONE;
    if (name && strcmp(name, "none") != 0) {
        clip = graze_rig_find_clip(rig, name);
        if (clip == GRAZE_NONE) {
            name_search search = {.word = name};
            bool names_of_clips = false;
            for (uint32_t i = 0; i < rig->clip_count; i++) {
                const char *own = rig->clips[i].name;
                name_search_offer(&search, own);
                names_of_clips = names_of_clips || (own && *own);
            }
            snprintf(text->text, sizeof text->text, "there is no clip %.200s; %s", name,
                     !rig->clip_count ? "the model has no clips"
                     : names_of_clips ? name_search_tell(&search, "there are")
                                      : "its clips have numbers only, from 0");
            return false;
        }
    }
    if (!name && !job->together && rig->clip_count)
        for (clip = 0; clip < rig->clip_count; clip++)
            list_add(clips, &clip, 1, sizeof clip);
    else
        list_add(clips, &clip, 1, sizeof clip);
    return true;
}

static bool audit_clip(audit_run *run, const struct character *character,
                       const graze_audit_subject *subject, graze_audit_settings *settings,
                       uint32_t clip, audit_unit *unit, line_text *text)
{
    graze_error error;
    if (graze_audit_clip(subject, clip, settings, run->pool, &unit->result, &error)) {
        snprintf(text->text, sizeof text->text, "%s", error.text);
        return false;
    }
    unit->clip = audit_name_clip(character->rig, clip);
    return true;
}

/* Audits the clips, but for those that other jobs have or that were done before; what is done when
 * one of them fails is dropped with the file.
 */
static bool audit_clips(audit_run *run, const audit_input *input, const struct character *character,
                        const graze_audit_subject *subject, graze_audit_settings *settings,
                        const item_list *clips, line_text *text)
{
    const uint32_t *numbers = clips->items;
    const size_t before = run->found.units.count;
    graze_error error = {0};
    double size;
    bool good = measure(character, &size, &error);
    run->file_frames = run->file_done = 0;
    for (size_t i = 0; i < clips->count; i++)
        run->file_frames += graze_audit_frames(character->rig, numbers[i], run->job->fps);
    if (!good)
        snprintf(text->text, sizeof text->text, "%s", error.text);
    for (uint32_t i = 0; good && i < clips->count && !audit_stopped(run); i++) {
        audit_unit unit = {.file = input->path, .size = size};
        if (input->wanted && (i >= input->clip_count || !input->wanted[i]))
            continue;
        if (!run->store || !audit_store_find(run->store, input, i, &unit)) {
            good = !audit_stopped(run) &&
                   audit_clip(run, character, subject, settings, numbers[i], &unit, text);
            if (!good)
                break;
            if (run->store)
                audit_store_write(run->store, input, i, (uint32_t)clips->count, &unit);
        }
        list_add(&run->found.units, &unit, 1, sizeof unit);
        audit_db_take(&run->db, &run->found, input);
    }
    while (!good && run->found.units.count > before) {
        audit_unit *unit = (audit_unit *)run->found.units.items + --run->found.units.count;
        graze_audit_result_free(&unit->result);
        free(unit->clip);
    }
    return good;
}

static bool audit_character(audit_run *run, const audit_input *input,
                            const struct character *character, line_text *text)
{
    const audit_job *job = run->job;
    graze_audit_settings settings = {.fps = job->fps,
                                     .min_depth = job->min_depth,
                                     .min_frames = job->min_frames,
                                     .gap = (uint32_t)job->gap,
                                     .hints = job->hints,
                                     .continuous = job->continuous,
                                     .progress = show,
                                     .user = run};
    graze_audit_subject *subject = NULL;
    item_list clips = {NULL, 0, 0};
    audit_parts parts = {.count = 0};
    graze_error error;
    bool good = audit_find_clips(character, job, &clips, text) &&
                find_baseline(character, job, &settings, text) &&
                audit_parts_make(&parts, character, job->options.parts_by == GRAZE_PARTS_BY_JOINT,
                                 run->map, text) &&
                audit_fix_knows_parts(job, &parts, text);
    if (good) {
        graze_audit_def def = {.rig = character->rig,
                               .model = character->model,
                               .part_of = parts.part_of,
                               .names = parts.names,
                               .part_count = parts.count,
                               .joint_parts = parts.joint_parts,
                               .joint_parents = parts.joint_parents,
                               .kin = (graze_audit_kin)job->kin};
        good = !graze_audit_subject_create(&def, &subject, &error);
        if (!good)
            snprintf(text->text, sizeof text->text, "%s", error.text);
    }
    const size_t first = run->found.units.count;
    good = good && audit_clips(run, input, character, subject, &settings, &clips, text);
    if (good && run->fix)
        good = audit_fix_find(run->fix, job, character->rig, subject, &settings,
                              (const audit_unit *)run->found.units.items + first, clips.items,
                              clips.count, run->pool, text) &&
               audit_fix_write(run->fix, job, input->path, character->rig, text);
    graze_audit_subject_destroy(subject);
    audit_parts_free(&parts);
    list_free(&clips);
    return good;
}

static void audit_input_file(audit_run *run, audit_input *input)
{
    struct character character;
    line_text text;
    if (input->error || run->merged ||
        (run->store && audit_store_take(run->store, input, &run->found)))
        return;
    bool made = audit_character_make(&character, run->job, input->path, &text);
    if (!made || !audit_character(run, input, &character, &text)) {
        fail_input(input, text.text);
        if (run->store)
            audit_store_fail(run->store, input);
    }
    if (made)
        character_free(&character);
}

/* ---- all of them ---------------------------------------------------------------------------- */

static int by_clip(const void *left, const void *right)
{
    const audit_unit *x = left, *y = right;
    int order = strcmp(x->file, y->file);
    return order ? order : strcmp(x->clip, y->clip);
}

/* Puts the findings that are told into lines, and counts the rest. */
static void collect(const audit_job *job, audit_found *found)
{
    if (found->units.count)
        qsort(found->units.items, found->units.count, sizeof(audit_unit), by_clip);
    for (size_t u = 0; u < found->units.count; u++) {
        const audit_unit *unit = (const audit_unit *)found->units.items + u;
        found->frames += unit->result.frames;
        for (size_t i = 0; i < unit->result.count; i++) {
            const graze_audit_finding *finding = &unit->result.findings[i];
            audit_line line = {unit, finding, AUDIT_NEW};
            bool same = i && strcmp(finding[-1].parts[0], finding->parts[0]) == 0 &&
                        strcmp(finding[-1].parts[1], finding->parts[1]) == 0;
            found->fold_count += finding->fold;
            found->fold_pairs += finding->fold && !same;
            if (!finding->fold || job->folds)
                list_add(&found->lines, &line, 1, sizeof line);
        }
    }
}

static bool counts(const audit_job *job, const audit_found *found)
{
    for (size_t i = 0; i < found->lines.count; i++)
        if (audit_line_counts(job, (const audit_line *)found->lines.items + i))
            return true;
    return false;
}

static void tell_failed(const audit_found *found)
{
    for (size_t i = 0; i < found->inputs.count; i++) {
        const audit_input *input = (const audit_input *)found->inputs.items + i;
        if (input->error)
            fail_usage("%s: %s", input->path, input->error);
    }
}

static int tell(audit_run *run, const audit_files *files)
{
    const audit_job *job = run->job;
    audit_found *found = &run->found;
    if (audit_stopped(run))
        return 2;
    collect(job, found);
    if (job->state && !audit_state_take(job, found))
        return 2;
    if (!audit_files_write(files, job, found))
        return 2;
    (job->options.json ? audit_print_json : audit_print)(job, found);
    output_keep_files();
    tell_failed(found);
    return job->fail_on_hit && counts(job, found) ? 1 : audit_failed(found) ? 2 : 0;
}

static void free_found(audit_found *found)
{
    for (size_t i = 0; i < found->units.count; i++) {
        audit_unit *unit = (audit_unit *)found->units.items + i;
        graze_audit_result_free(&unit->result);
        free(unit->clip);
    }
    list_free(&found->units);
    list_free(&found->lines);
    audit_inputs_free(&found->inputs);
}

/* Audits the file that was written, and tells what came of it. */
static int tell_fixed(audit_run *run)
{
    const audit_job *job = run->job;
    audit_job plain = *job;
    audit_run after = {
        .job = &plain, .map = run->map, .pool = run->pool, .progress = progress_start("check")};
    audit_input input = {.path = copy_text(output_place(job->fix))};
    const audit_input *failed = run->found.inputs.items;
    plain.hints = false;
    list_add(&after.found.inputs, &input, 1, sizeof input);
    audit_input *written = after.found.inputs.items;
    bool good = !failed->error;
    if (!good)
        tell_failed(&run->found);
    if (good)
        audit_input_file(&after, written);
    if (good && written->error)
        good = refuse("%s: not written: %s", job->fix, written->error);
    progress_end(&after.progress);
    collect(job, &run->found);
    good = good && audit_fix_tell(run->fix, job, &run->found, &after.found);
    free_found(&after.found);
    return good ? 0 : 2;
}

static int go_through(audit_run *run)
{
    audit_files files;
    if (!audit_files_open(&files, run->job) || !audit_db_open(&run->db, run->job, run->settings))
        return 2;
    run->progress = progress_start("audit");
    for (run->input = 0; run->input < run->found.inputs.count && !audit_stopped(run);
         run->input++) {
        audit_input *input = (audit_input *)run->found.inputs.items + run->input;
        audit_input_file(run, input);
        audit_db_take(&run->db, &run->found, input);
        run->file_frames = run->file_done = 0;
        progress_show(&run->progress, 1000 * (run->input + 1), 1000 * run->found.inputs.count);
    }
    progress_end(&run->progress);
    return run->fix ? tell_fixed(run) : tell(run, &files);
}

/* ---- the command ---------------------------------------------------------------------------- */

static bool check(audit_job *job)
{
    const char *at = strrchr(job->baseline, '@'), *number = at ? at + 1 : "";
    double time;
    if (!(job->fps > 0))
        return refuse("audit: --fps needs a number above 0");
    if (!(job->min_depth >= 0))
        return refuse("audit: --min-depth needs a number that is not negative");
    if (!(job->gap >= 0) || job->gap > 1e9 || job->gap != floor(job->gap))
        return refuse("audit: --gap needs a whole number of frames");
    if (!(job->ease >= 0) || job->ease > 1e6 || job->ease != floor(job->ease))
        return refuse("audit: --ease needs a whole number of frames");
    if (!at && strcmp(job->baseline, "rest") != 0 && strcmp(job->baseline, "none") != 0)
        return refuse("audit: --baseline needs rest, none or CLIP@T, not %s", job->baseline);
    if (at && (at == job->baseline || !parse_number(&number, '\0', &time)))
        return refuse("audit: --baseline needs CLIP@T, as in walk@0.5, not %s", job->baseline);
    if (job->parts && job->merge)
        return refuse("audit: give --parts or --merge, not both");
    if ((job->parts || job->merge) && job->options.parts_by != GRAZE_PARTS_BY_JOINT)
        return refuse("audit: %s is about joints, not --parts-by",
                      job->parts ? "--parts" : "--merge");
    if (job->together && job->options.clip)
        return refuse("audit: give --clip or --together, not both");
    if (job->accept && (!job->state || !*job->accept))
        return refuse("audit: --accept needs %s", job->state ? "a reason" : "--state FILE");
    if (job->update && !job->state)
        return refuse("audit: --update needs --state FILE");
    if (job->options.clip && strcmp(job->options.clip, "all") == 0)
        job->options.clip = NULL;
    return true;
}

/* What the command line names, or the plan. */
static bool find_inputs(audit_run *run, const arguments *given)
{
    audit_job *job = run->job;
    if (!job->plan)
        return audit_inputs_find(&run->found.inputs, job, given);
    if (given->name_count || job->list)
        return refuse("audit: --plan says which models there are; give no others");
    return audit_plan_read(job, given, &run->settings, &run->found.inputs) && check(job);
}

/* Leaves the job's share of the inputs, after saying in the folder what all of them are. */
static bool find_share(audit_run *run, audit_store *store)
{
    const audit_job *job = run->job;
    uint32_t shard = 1, shards = 1;
    if (!job->folder && (job->shard || job->plan || job->resume))
        return refuse("audit: %s needs --out DIR, where the results go", job->shard  ? "--shard"
                                                                         : job->plan ? "--plan"
                                                                                     : "--resume");
    if (job->shard && !audit_shard_read(job->shard, &shard, &shards))
        return false;
    if (job->accept && shards > 1)
        return refuse("audit: --accept is for graze audit merge, which knows all findings");
    if (job->folder) {
        run->store = store;
        if (!audit_store_open(store, job, &run->found.inputs))
            return false;
    }
    audit_share(&run->found.inputs, shard, shards);
    return true;
}

static int run_here(audit_run *run, const arguments *given)
{
    audit_store store = {.folder = NULL};
    audit_fix fix = {.turns = {NULL, 0, 0}};
    graze_error error;
    bool good = false;
    int code = 2;
    if (find_inputs(run, given)) {
        run->map = audit_map_read(run->job, &good);
        good =
            good && audit_fix_check(run->job, &run->found.inputs, given) && find_share(run, &store);
        run->fix = run->job->fix ? &fix : NULL;
    }
    if (good && graze_pool_create(run->job->threads, NULL, &run->pool, &error))
        fail_usage("audit: --threads %u: %s", run->job->threads, error.text);
    else if (good)
        code = go_through(run);
    code = store.changed ? 2 : code;
    graze_pool_destroy(run->pool);
    audit_map_free(run->map);
    audit_store_close(&store);
    audit_fix_free(&fix);
    return code;
}

static int run_merge(audit_run *run, const arguments *given)
{
    const audit_job *job = run->job;
    if (job->fix || job->fix_parts)
        return fail_usage("audit: merge has results alone; --fix needs the model");
    if (given->name_count != 2)
        return fail_usage("audit: merge needs one folder, that of --out");
    if (job->list || job->folder || job->shard || job->plan || job->resume)
        return fail_usage("audit: merge only reads a folder; it takes no other inputs, no --out, "
                          "--shard, --plan or --resume");
    run->merged = audit_merge(run->job, given, given->names[1], &run->settings, &run->found);
    return run->merged ? go_through(run) : 2;
}

static int run_plan(audit_run *run, const arguments *given)
{
    const audit_job *job = run->job;
    arguments inputs = *given;
    inputs.names++;
    inputs.name_count--;
    if (job->fix || job->fix_parts)
        return fail_usage("audit: plan only looks; --fix is for one model");
    if (job->folder || job->shard || job->plan || job->resume || job->db)
        return fail_usage("audit: plan only looks; --out, --shard, --plan, --resume and --db are "
                          "for what comes after");
    return audit_inputs_find(&run->found.inputs, job, &inputs)
               ? audit_plan_print(job, &run->found.inputs)
               : 2;
}

static int run_audit(void *task, const arguments *given)
{
    audit_job *job = task;
    audit_run run = {.job = job};
    const char *first = given->name_count ? given->names[0] : "";
    int code = 2;
    if (check(job) && output_to(job->options.out)) {
        job->options.self_collision = true;
        code = (strcmp(first, "merge") == 0  ? run_merge
                : strcmp(first, "plan") == 0 ? run_plan
                                             : run_here)(&run, given);
    }
    audit_db_close(&run.db);
    free_found(&run.found);
    cJSON_Delete(run.settings);
    return code;
}

static const struct option rows[] = {
    OPTION_HEADING_ROW("which clips, and what counts"),
    {"--list", "FILE", OPTION_INPUT, AT(audit_job, list),
     "a file with a model or folder a line; -: standard input"},
    MODEL_ROW("--clip", "NAME|none|all", TEXT, clip, "one clip of each model (default: all)"),
    {"--together", "all|NAME[,NAME...]", OPTION_TEXT, AT(audit_job, together),
     "these clips of each model at once, as one clip"},
    {"--character", "FILE", OPTION_INPUT, AT(audit_job, character),
     "the model that the inputs' clips move, by the names of joints"},
    {"--fps", "N", OPTION_NUMBER, AT(audit_job, fps), "frames a second (default 30)"},
    {"--baseline", "rest|none|CLIP@T", OPTION_TEXT, AT(audit_job, baseline),
     "the pose whose pairs do not count (default rest)"},
    {"--min-depth", "D", OPTION_NUMBER, AT(audit_job, min_depth),
     "leave out findings that are less deep, file units"},
    {"--min-frames", "N", OPTION_COUNT, AT(audit_job, min_frames),
     "leave out findings of fewer frames"},
    {"--gap", "N", OPTION_NUMBER, AT(audit_job, gap),
     "join stretches with at most N frames between them"},
    {"--continuous", NULL, OPTION_FLAG, AT(audit_job, continuous),
     "also what meets between two frames, and in neither of them"},
    {"--folds", NULL, OPTION_FLAG, AT(audit_job, folds),
     "also list a part with itself, and parent and child"},
    {"--folds-include", "parents|siblings|grandparents", OPTION_CHOICE, AT(audit_job, kin),
     "joints whose parts fold; each with those before it"},
    {"--fail-on-hit", NULL, OPTION_FLAG, AT(audit_job, fail_on_hit),
     "exit with 1 if there are findings that count"},
    OPTION_HEADING_ROW("repair"),
    {"--hints", NULL, OPTION_FLAG, AT(audit_job, hints),
     "say which joint's smallest turn parts the two"},
    {"--fix", "OUT.glb", OPTION_GLB, AT(audit_job, fix),
     "write a copy with turns laid over its clips"},
    {"--fix-parts", "NAME[,NAME...]", OPTION_TEXT, AT(audit_job, fix_parts),
     "only for what has one of these parts (default: all)"},
    {"--ease", "N", OPTION_NUMBER, AT(audit_job, ease),
     "frames in which a turn comes and goes (default 6)"},
    OPTION_HEADING_ROW("body parts"),
    PARTS_BY_ROW,
    {"--parts", "FILE.json", OPTION_INPUT, AT(audit_job, parts),
     "a map of names to joints, meshes and materials"},
    {"--merge", "NAME[,NAME...]", OPTION_TEXT, AT(audit_job, merge),
     "each of these is one part with all inside it"},
    OPTION_HEADING_ROW("many jobs"),
    {"--out", "DIR", OPTION_FOLDER, AT(audit_job, folder),
     "write a result for each clip there, for graze audit merge"},
    {"--shard", "I/N", OPTION_TEXT, AT(audit_job, shard), "do the I-th of N shares, from 1"},
    {"--plan", "PLAN.json", OPTION_INPUT, AT(audit_job, plan),
     "what graze audit plan wrote: shares of like cost"},
    {"--resume", NULL, OPTION_FLAG, AT(audit_job, resume), "do not do again what is there"},
    OPTION_HEADING_ROW("accepted findings"),
    {"--state", "FILE", OPTION_INPUT, AT(audit_job, state),
     "the file of them; only new and worse ones fail"},
    {"--accept", "REASON", OPTION_TEXT, AT(audit_job, accept), "write all that is found to it"},
    {"--update", NULL, OPTION_FLAG, AT(audit_job, update), "drop from it what is fixed"},
    OPTION_HEADING_ROW("for other programs"),
    {"--junit", "FILE", OPTION_FILE, AT(audit_job, junit),
     "a test case a clip, for a build server"},
    {"--sarif", "FILE", OPTION_FILE, AT(audit_job, sarif),
     "a result a finding, for code review (SARIF 2.1.0)"},
    {"--db", "FILE", OPTION_FILE, AT(audit_job, db),
     "an SQLite file; rows of clips that it has already are replaced"},
    OPTION_HEADING_ROW("how"),
    BUILD_ROWS,
    {"--threads", "N", OPTION_COUNT, AT(audit_job, threads), "how many (default 1)"},
    {"--rows", "N", OPTION_COUNT, AT(audit_job, rows), "rows of the table (default 20)"},
    OUTPUT_ROWS,
    REPORT_ROW};

const struct command audit_command = {
    .name = "audit",
    .summary = "where clips go through themselves, over one file or many",
    .usage = "INPUT... [options] | plan INPUT... | merge DIR",
    .about =
        "Finds the stretches of frames in which two parts of a model go through each other, in\n"
        "every clip of every model: which parts, which frames, how deep, and where. An input\n"
        "is a model or a folder, which stands for every .glb and .gltf below it.\n\n"
        "Many jobs: graze audit plan INPUT... -o PLAN.json, graze audit --plan PLAN.json\n"
        "--shard I/N --out DIR in each, graze audit merge DIR in the end.",
    .example = "graze audit hero.glb --min-depth 0.005",
    OPTIONS(rows),
    .what = "model",
    .most_names = SIZE_MAX,
    JOB(audit_job, .options = {.skin_b = -1}, .baseline = "rest", .fps = 30, .min_frames = 1,
        .ease = 6, .threads = 1, .rows = 20),
    .run = run_audit};
