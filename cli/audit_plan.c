/* graze audit plan: what there is to do and what it costs, found once; and how it is shared.
 *
 * {"graze audit plan":1,"settings":{},"inputs":[{"file":"a.glb","model":"HASH","triangles":900,
 *  "clips":[{"clip":"walk","frames":30,"cost":27000}]}]}
 */
#include "cli/audit_store.h"
#include "cli/json_file.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/room.h"

/* ---- making one ----------------------------------------------------------------------------- */

static void put_clips(const audit_job *job, const struct character *character,
                      const item_list *clips)
{
    const graze_rig *rig = character->rig;
    const uint32_t *numbers = clips->items;
    printf(",\"triangles\":%u,\"clips\":[", rig->triangle_count);
    for (size_t i = 0; i < clips->count; i++) {
        const uint32_t frames = graze_audit_frames(rig, numbers[i], job->fps);
        char *name = audit_name_clip(rig, numbers[i]);
        fputs(i ? ",\n  {\"clip\":" : "\n  {\"clip\":", stdout);
        audit_put_bytes(stdout, name);
        printf(",\"frames\":%u,\"cost\":%llu}", frames,
               (unsigned long long)frames * rig->triangle_count);
        free(name);
    }
    fputs("]", stdout);
}

/* A model that cannot be loaded is tried again by the job that gets it. */
static bool put_model(const audit_job *job, const audit_input *input)
{
    struct character character;
    line_text text;
    item_list clips = {NULL, 0, 0};
    uint64_t sum;
    char name[17];
    bool good = audit_sum_model(input->path, &sum) &&
                audit_character_load_rig(&character, job, input->path, &text);
    if (!good)
        return false;
    good = audit_find_clips(&character, job, &clips, &text);
    if (good) {
        audit_sum_name(name, sum);
        printf(",\"model\":\"%s\"", name);
        put_clips(job, &character, &clips);
    }
    list_free(&clips);
    character_free(&character);
    return good;
}

static bool put_input(const audit_job *job, const audit_input *input)
{
    fputs("{\"file\":", stdout);
    audit_put_bytes(stdout, input->path);
    bool good = !input->error && put_model(job, input);
    if (input->error) {
        fputs(",\"error\":", stdout);
        audit_put_bytes(stdout, input->error);
    }
    fputs("}", stdout);
    return good;
}

int audit_plan_print(const audit_job *job, const item_list *inputs)
{
    struct progress progress = progress_start("plan");
    cJSON *settings = audit_settings_make(job);
    size_t failed = 0;
    if (!settings)
        return 2;
    char *text = room_or_end(cJSON_PrintUnformatted(settings));
    printf("{\"graze audit plan\":1,\"settings\":%s,\"inputs\":[", text);
    for (size_t i = 0; i < inputs->count; i++) {
        fputs(i ? ",\n" : "\n", stdout);
        failed += !put_input(job, (const audit_input *)inputs->items + i);
        progress_show(&progress, i + 1, inputs->count);
    }
    puts("\n]}");
    progress_end(&progress);
    if (failed)
        output_warn("plan: %zu of %zu inputs cannot be read; the jobs will try again", failed,
                    inputs->count);
    free(text);
    cJSON_Delete(settings);
    return 0;
}

/* ---- reading one ---------------------------------------------------------------------------- */

typedef struct planned_clip {
    const char *clip;
    double frames, cost;
} planned_clip;

typedef struct planned_input {
    const char *file, *model, *error;
    double triangles;
    planned_clip *clips;
    uint32_t clip_count;
} planned_input;

static bool read_name(void *reader, void *target, const json_value *value)
{
    (void)reader;
    *(const char **)target = value->json ? value->json->valuestring : NULL;
    return cJSON_IsString(value->json) || json_fail_expected(value, "a name");
}

static const json_key clip_keys[] = {
    {"clip", "a name", JSON_OWN, AT(planned_clip, clip), .read = read_name},
    {"frames", "a number", JSON_NUMBERS, AT(planned_clip, frames)},
    {"cost", "a number", JSON_NUMBERS, AT(planned_clip, cost), .needed = true}};

static bool read_clip(void *reader, void *target, const json_value *value)
{
    return json_take_object(value, clip_keys, COUNT_OF(clip_keys), target, reader);
}

static const json_key input_keys[] = {
    {"file", "a file", JSON_TEXT, AT(planned_input, file), .needed = true},
    {"model", "a checksum", JSON_TEXT, AT(planned_input, model)},
    {"error", "what is wrong with it", JSON_TEXT, AT(planned_input, error)},
    {"triangles", "a number", JSON_NUMBERS, AT(planned_input, triangles)},
    {"clips", "an array of clips", JSON_LIST_OF(planned_input, clips, clip_count),
     .read = read_clip}};

static bool read_input(void *reader, void *target, const json_value *value)
{
    planned_input planned = {.file = NULL};
    item_list *inputs = reader;
    const audit_input *all = inputs->items;
    (void)target;
    bool good = json_take_object(value, input_keys, COUNT_OF(input_keys), &planned, NULL);
    if (good && inputs->count && strcmp(all[inputs->count - 1].path, planned.file) >= 0)
        good = json_fail(value, "the files are not in order, each once");
    if (good) {
        audit_input input = {.path = copy_text(planned.file),
                             .error = planned.error ? copy_text(planned.error) : NULL,
                             .planned = planned.model != NULL,
                             .model = planned.model ? strtoull(planned.model, NULL, 16) : 0,
                             .clip_count = planned.clip_count};
        input.costs = room(planned.clip_count, sizeof *input.costs);
        for (uint32_t i = 0; i < planned.clip_count; i++)
            input.costs[i] = planned.clips[i].cost;
        list_add(inputs, &input, 1, sizeof input);
    }
    free(planned.clips);
    return good;
}

static bool read_settings(void *reader, void *target, const json_value *value)
{
    (void)reader;
    *(const cJSON **)target = value->json;
    return cJSON_IsObject(value->json) || json_fail_expected(value, "an object");
}

typedef struct plan {
    double version;
    const cJSON *settings;
} plan;

static const json_key plan_keys[] = {
    {"graze audit plan", "a number", JSON_NUMBERS, AT(plan, version), .needed = true},
    {"settings", "an object", JSON_OWN, AT(plan, settings), .needed = true, .read = read_settings},
    {"inputs", "an array of models", JSON_ITEMS, .needed = true, .read = read_input}};

bool audit_plan_read(audit_job *job, const arguments *given, cJSON **settings, item_list *inputs)
{
    plan read = {0, NULL};
    cJSON *tree;
    json_value whole;
    line_text how;
    if (!json_file_read(job->plan, &tree, &whole))
        return false;
    bool good = json_take_object(&whole, plan_keys, COUNT_OF(plan_keys), &read, inputs);
    *settings = good ? cJSON_DetachItemFromObjectCaseSensitive(tree, "settings") : NULL;
    cJSON_Delete(tree);
    if (!good || !audit_settings_take(job, given, *settings, job->plan))
        return false;
    cJSON *now = audit_settings_make(job);
    good = now && (audit_settings_same(*settings, now, &how) ||
                   refuse("%s: was made %s: make it again", job->plan, how.text));
    cJSON_Delete(now);
    return good;
}

/* ---- shares --------------------------------------------------------------------------------- */

bool audit_shard_read(const char *text, uint32_t *shard, uint32_t *shards)
{
    double numbers[2];
    const char *at = text;
    bool good = parse_number(&at, '/', &numbers[0]) && parse_number(&at, '\0', &numbers[1]) &&
                numbers[1] >= 1 && numbers[1] <= 1e6 && numbers[0] >= 1 &&
                numbers[0] <= numbers[1] && numbers[0] == (double)(uint32_t)numbers[0] &&
                numbers[1] == (double)(uint32_t)numbers[1];
    if (!good)
        return refuse("audit: --shard needs I/N, such as 1/8: the first of eight, not %s", text);
    *shard = (uint32_t)numbers[0];
    *shards = (uint32_t)numbers[1];
    return true;
}

/* A model's clips stay together, so that it is loaded once, unless they are more than this share of
 * what a job has to do.
 */
#define LARGE 0.125

/* What one job does: an input, or one clip of it. */
typedef struct lot {
    size_t input;
    uint32_t clip; /* GRAZE_NONE: all */
    double cost;
} lot;

static int by_cost(const void *left, const void *right)
{
    const lot *x = left, *y = right;
    if (x->cost != y->cost)
        return x->cost > y->cost ? -1 : 1;
    if (x->input != y->input)
        return x->input < y->input ? -1 : 1;
    return (x->clip > y->clip) - (x->clip < y->clip);
}

static double cost_of(const audit_input *input)
{
    double sum = 0;
    for (uint32_t i = 0; input->costs && i < input->clip_count; i++)
        sum += input->costs[i];
    return sum;
}

static void make_lots(item_list *lots, const item_list *inputs, uint32_t shards)
{
    const audit_input *all = inputs->items;
    double total = 0;
    for (size_t i = 0; i < inputs->count; i++)
        total += cost_of(&all[i]);
    for (size_t i = 0; i < inputs->count; i++) {
        const bool large = all[i].clip_count > 1 && cost_of(&all[i]) > LARGE * total / shards;
        lot one = {i, GRAZE_NONE, cost_of(&all[i])};
        if (!large)
            list_add(lots, &one, 1, sizeof one);
        for (uint32_t k = 0; large && k < all[i].clip_count; k++) {
            one = (lot){i, k, all[i].costs[k]};
            list_add(lots, &one, 1, sizeof one);
        }
    }
    qsort(lots->items, lots->count, sizeof(lot), by_cost);
}

void audit_deal(const double *costs, size_t count, uint32_t shards, uint32_t *takers)
{
    double *loads = room(shards, sizeof *loads);
    for (size_t i = 0; i < count; i++) {
        uint32_t least = 0;
        for (uint32_t k = 1; k < shards; k++)
            least = loads[k] < loads[least] ? k : least;
        loads[least] += costs[i];
        takers[i] = least;
    }
    free(loads);
}

static void take_lots(const item_list *lots, item_list *inputs, bool *taken, uint32_t shard,
                      uint32_t shards)
{
    double *costs = room(lots->count, sizeof *costs);
    uint32_t *takers = room(lots->count, sizeof *takers);
    const lot *all = lots->items;
    for (size_t i = 0; i < lots->count; i++)
        costs[i] = all[i].cost;
    audit_deal(costs, lots->count, shards, takers);
    for (size_t i = 0; i < lots->count; i++) {
        audit_input *input = (audit_input *)inputs->items + all[i].input;
        if (takers[i] + 1 != shard)
            continue;
        taken[all[i].input] = true;
        if (all[i].clip != GRAZE_NONE && !input->wanted)
            input->wanted = room(input->clip_count, sizeof *input->wanted);
        if (all[i].clip != GRAZE_NONE)
            input->wanted[all[i].clip] = true;
    }
    free(costs);
    free(takers);
}

void audit_share(item_list *inputs, uint32_t shard, uint32_t shards)
{
    audit_input *all = inputs->items;
    item_list lots = {NULL, 0, 0};
    bool *taken = room(inputs->count, sizeof *taken), known = false;
    size_t kept = 0;
    for (size_t i = 0; i < inputs->count; i++) {
        taken[i] = i % shards == shard - 1;
        known = known || all[i].costs;
    }
    if (known && shards > 1) {
        memset(taken, 0, inputs->count * sizeof *taken);
        make_lots(&lots, inputs, shards);
        take_lots(&lots, inputs, taken, shard, shards);
    }
    for (size_t i = 0; i < inputs->count; i++)
        if (taken[i])
            all[kept++] = all[i];
        else
            audit_input_free(&all[i]);
    inputs->count = kept;
    list_free(&lots);
    free(taken);
}
