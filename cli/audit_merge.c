/* graze audit merge: the results in a folder, put together as one run would have found them. */
#include "cli/audit_store.h"
#include "cli/room.h"

enum { MOST_TOLD = 8 };

typedef struct merging {
    audit_store store;
    audit_found *found;
    size_t wrong; /* results that are not as they have to be */
} merging;

static const cJSON *member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* ---- what is audited ------------------------------------------------------------------------ */

static bool read_input(item_list *inputs, const cJSON *json)
{
    const char *file = cJSON_GetStringValue(member(json, "file"));
    const char *error = cJSON_GetStringValue(member(json, "error"));
    if (!file)
        return false;
    audit_input input = {.path = copy_text(file), .error = error ? copy_text(error) : NULL};
    list_add(inputs, &input, 1, sizeof input);
    return true;
}

/* The inputs go to what was found, the settings to the store. */
static bool read_job(merging *merge)
{
    char path[4200];
    bool there;
    const cJSON *one;
    snprintf(path, sizeof path, "%.4100s/audit.json", merge->store.folder);
    cJSON *json = audit_read_sealed(path, &there);
    merge->store.settings = cJSON_DetachItemFromObjectCaseSensitive(json, "settings");
    bool good = cJSON_IsNumber(member(json, "graze audit job")) && merge->store.settings;
    cJSON_ArrayForEach(one, member(json, "inputs")) good =
        good && read_input(&merge->found->inputs, one);
    cJSON_Delete(json);
    if (!there)
        return refuse("%s: no graze audit --out has written to this folder: there is no audit.json",
                      merge->store.folder);
    return good || refuse("%s: is not whole, or not from graze audit", path);
}

/* ---- results -------------------------------------------------------------------------------- */

/* "clip 2 of 5", as far as that is known. */
static void name_slot(line_text *text, uint32_t number, uint32_t clips)
{
    if (clips)
        snprintf(text->text, sizeof text->text, "clip %u of %u", number + 1, clips);
    else
        snprintf(text->text, sizeof text->text, "clip %u", number + 1);
}

static void tell_wrong(merging *merge, const char *file, uint32_t number, uint32_t clips,
                       const audit_slot *slot)
{
    line_text which;
    if (merge->wrong++ >= MOST_TOLD)
        return;
    name_slot(&which, number, clips);
    char *path = audit_slot_path(merge->store.folder, file, number);
    if (slot->kind == AUDIT_SLOT_MISSING)
        fail_usage("%s: there is no result of %s, %s", merge->store.folder, file, which.text);
    else if (slot->kind == AUDIT_SLOT_BROKEN)
        fail_usage("%s: the result of %s, %s, is not whole", path, file, which.text);
    else
        fail_usage("%s: %s", path, slot->why.text);
    free(path);
}

/* A model's results agree on how many there are, and on the model. */
static void check_like_first(audit_slot *slot, const audit_slot *first)
{
    if (slot->kind != AUDIT_SLOT_WHOLE ||
        (slot->clips == first->clips && slot->model == first->model))
        return;
    slot->kind = AUDIT_SLOT_OTHER;
    snprintf(slot->why.text, sizeof slot->why.text,
             "was made of another version of the file than clip 1");
}

/* One that failed fails the file, as it ends the run's work on it; clips before it are dropped. */
static void fail_input(merging *merge, audit_input *input, audit_slot *slot, size_t before)
{
    item_list *units = &merge->found->units;
    input->error = slot->error;
    slot->error = NULL;
    while (units->count > before) {
        audit_unit *unit = (audit_unit *)units->items + --units->count;
        graze_audit_result_free(&unit->result);
        free(unit->clip);
    }
}

static void merge_input(merging *merge, audit_input *input)
{
    const size_t before = merge->found->units.count;
    audit_slot first = {.clips = 0};
    for (uint32_t i = 0; !input->error && (i == 0 || i < first.clips); i++) {
        audit_slot slot;
        audit_slot_read(&slot, &merge->store, input->path, i);
        if (i == 0)
            first = (audit_slot){.clips = slot.clips, .model = slot.model};
        check_like_first(&slot, &first);
        if (slot.kind == AUDIT_SLOT_WHOLE) {
            list_add(&merge->found->units, &slot.unit, 1, sizeof slot.unit);
            continue;
        }
        if (slot.kind == AUDIT_SLOT_FAILED)
            fail_input(merge, input, &slot, before);
        else
            tell_wrong(merge, input->path, i, first.clips, &slot);
        audit_slot_free(&slot);
    }
}

bool audit_merge(audit_job *job, const arguments *given, const char *folder, cJSON **settings,
                 audit_found *found)
{
    merging merge = {.store = {.folder = folder}, .found = found};
    bool good = read_job(&merge);
    *settings = merge.store.settings;
    if (!good || !audit_settings_take(job, given, *settings, folder))
        return false;
    for (size_t i = 0; i < found->inputs.count; i++)
        merge_input(&merge, (audit_input *)found->inputs.items + i);
    if (merge.wrong > MOST_TOLD)
        fail_usage("%s: and %zu more", folder, merge.wrong - MOST_TOLD);
    if (merge.wrong)
        fail_usage("%s: nothing is printed, as not all is there; the same command with --out %s "
                   "and --resume makes the rest",
                   folder, folder);
    return merge.wrong == 0;
}
