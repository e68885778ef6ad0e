/* The folder that jobs write results to. */
#include "cli/audit_store.h"
#include "cli/output.h"
#include "cli/room.h"
#include "cli/whole_file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- writing -------------------------------------------------------------------------------- */

/* Whole, at its place, or not at all. only_new: not if something is there (EEXIST); where links
 * are not to be had, what is there is replaced.
 */
static bool write_beside(const char *path, const char *bytes, size_t size, bool only_new)
{
    const size_t length = strlen(path) + 48;
    char *temporary = room(length, 1);
    output_begin_file(path);
    int descriptor = open_beside(path, temporary, length);
    bool good = descriptor >= 0 && write_all(descriptor, bytes, size);
    int failure = errno;
    if (descriptor >= 0 && close(descriptor) != 0 && good) {
        failure = errno;
        good = false;
    }
    if (good && only_new && link(temporary, path) == 0)
        unlink(temporary);
    else if (good) {
        good = !(only_new && errno == EEXIST) && rename(temporary, path) == 0;
        failure = errno;
    }
    if (!good && descriptor >= 0)
        unlink(temporary);
    output_end_file();
    free(temporary);
    errno = failure;
    return good;
}

static bool stop(audit_store *store, const char *path)
{
    store->stopped = true;
    return refuse("%s: cannot write: %s; what is there can be gone on with by --resume", path,
                  strerror(errno));
}

/* ---- what is audited ------------------------------------------------------------------------ */

static void put_job(FILE *out, const audit_store *store, const item_list *inputs)
{
    char *settings = room_or_end(cJSON_PrintUnformatted(store->settings));
    fprintf(out, "{\"graze audit job\":1,\"settings\":%s,\"inputs\":[", settings);
    free(settings);
    for (size_t i = 0; i < inputs->count; i++) {
        const audit_input *input = (const audit_input *)inputs->items + i;
        fputs(i ? ",\n{\"file\":" : "\n{\"file\":", out);
        audit_put_bytes(out, input->path);
        if (input->error) {
            fputs(",\"error\":", out);
            audit_put_bytes(out, input->error);
        }
        fputc('}', out);
    }
    fputs("\n]", out);
}

/* The first input that is not in both lists. */
static bool same_inputs(const char *path, const cJSON *there, const item_list *inputs)
{
    const audit_input *all = inputs->items;
    const cJSON *one = there ? there->child : NULL;
    for (size_t i = 0; i < inputs->count || one; i++, one = one ? one->next : NULL) {
        const char *own = i < inputs->count ? all[i].path : NULL;
        const char *other = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "file"));
        if (own && other && strcmp(own, other) == 0)
            continue;
        bool added = own && (!other || strcmp(own, other) < 0);
        return refuse("%s: is about other models: %s is %s", path,
                      added   ? own
                      : other ? other
                              : "one without a name",
                      added ? "not among them" : "one of them alone");
    }
    return true;
}

/* Whether the folder is about the same, as another job has said. */
static bool same_job(const audit_store *store, const char *path, const item_list *inputs)
{
    bool there;
    line_text how;
    cJSON *json = audit_read_sealed(path, &there);
    bool good = (cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(json, "graze audit job")) ||
                 refuse("%s: is not whole, or not from graze audit; give another folder", path)) &&
                (audit_settings_same(cJSON_GetObjectItemCaseSensitive(json, "settings"),
                                     store->settings, &how) ||
                 refuse("%s: the results in this folder are made %s; give another folder", path,
                        how.text)) &&
                same_inputs(path, cJSON_GetObjectItemCaseSensitive(json, "inputs"), inputs);
    cJSON_Delete(json);
    return good;
}

bool audit_store_open(audit_store *store, const audit_job *job, const item_list *inputs)
{
    char *bytes = NULL, *path;
    size_t size = 0;
    *store = (audit_store){.folder = job->folder, .resume = job->resume};
    if (mkdir(job->folder, 0777) != 0 && errno != EEXIST)
        return refuse("--out %s: cannot be made: %s", job->folder, strerror(errno));
    store->settings = audit_settings_make(job);
    if (!store->settings)
        return false;
    FILE *out = room_or_end(open_memstream(&bytes, &size));
    put_job(out, store, inputs);
    audit_seal(out, &bytes, &size);
    size_t length = strlen(job->folder) + 16;
    path = room(length, 1);
    snprintf(path, length, "%s/audit.json", job->folder);
    bool good = write_beside(path, bytes, size, true) || errno == EEXIST ||
                refuse("%s: cannot write: %s", path, strerror(errno));
    good = good && same_job(store, path, inputs);
    fclose(out);
    free(bytes);
    free(path);
    return good;
}

void audit_store_close(audit_store *store)
{
    cJSON_Delete(store->settings);
    store->settings = NULL;
}

/* ---- results that are there ------------------------------------------------------------------ */

/* Another job, or one before, has done what this one was about to do. */
static bool find_twice(audit_store *store, const char *file)
{
    store->stopped = true;
    return refuse("--out %s: there is a result of %s already: another job writes to this folder, "
                  "or one did before (--resume goes on from there)",
                  store->folder, file);
}

bool audit_store_find(audit_store *store, const audit_input *input, uint32_t slot, audit_unit *unit)
{
    audit_slot found;
    store->slot = slot;
    audit_slot_read(&found, store, input->path, slot);
    bool there = found.kind == AUDIT_SLOT_WHOLE && found.model == store->model;
    if (there && !store->resume)
        find_twice(store, input->path);
    if (there && store->resume)
        *unit = found.unit;
    else
        audit_slot_free(&found);
    return there && store->resume;
}

/* All of the share, in a list of units of their own. False with none if one is not there. */
static bool find_share(audit_store *store, const audit_input *input, item_list *units)
{
    uint32_t clips = input->wanted ? input->clip_count : 1;
    for (uint32_t i = 0; i < clips; i++) {
        audit_slot found;
        if (input->wanted && !input->wanted[i])
            continue;
        audit_slot_read(&found, store, input->path, i);
        if (found.kind != AUDIT_SLOT_WHOLE || found.model != store->model) {
            audit_slot_free(&found);
            return false;
        }
        list_add(units, &found.unit, 1, sizeof found.unit);
        clips = input->wanted ? clips : found.clips;
    }
    return true;
}

static void free_units(item_list *units)
{
    for (size_t i = 0; i < units->count; i++) {
        audit_unit *unit = (audit_unit *)units->items + i;
        graze_audit_result_free(&unit->result);
        free(unit->clip);
    }
    list_free(units);
}

bool audit_store_take(audit_store *store, const audit_input *input, audit_found *found)
{
    item_list units = {NULL, 0, 0};
    if (store->stopped)
        return true;
    store->slot = 0;
    while (input->wanted && !input->wanted[store->slot])
        store->slot++;
    store->model = 0;
    bool read = audit_sum_model(input->path, &store->model);
    if (input->planned && read && input->model != store->model) {
        store->changed = true;
        refuse("%s: the file has changed since the plan was made", input->path);
        return true;
    }
    bool all = read && store->resume && find_share(store, input, &units);
    if (all)
        list_add(&found->units, units.items, units.count, sizeof(audit_unit));
    else
        free_units(&units);
    if (all)
        list_free(&units);
    return all;
}

/* ---- results -------------------------------------------------------------------------------- */

static bool write_slot(audit_store *store, const audit_input *input, uint32_t slot, uint32_t clips,
                       const audit_unit *unit)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = room_or_end(open_memstream(&bytes, &size));
    audit_slot_put(out, store, input, slot, clips, unit);
    audit_seal(out, &bytes, &size);
    fclose(room_or_end(out));
    char *path = audit_slot_path(store->folder, input->path, slot);
    bool good = write_beside(path, bytes, size, false) || stop(store, path);
    free(path);
    free(bytes);
    return good;
}

bool audit_store_write(audit_store *store, const audit_input *input, uint32_t slot, uint32_t clips,
                       const audit_unit *unit)
{
    audit_slot there;
    if (!store->resume) {
        audit_slot_read(&there, store, input->path, slot);
        bool twice = there.kind == AUDIT_SLOT_WHOLE && there.model == store->model;
        audit_slot_free(&there);
        if (twice)
            return find_twice(store, input->path);
    }
    return !store->stopped && write_slot(store, input, slot, clips, unit);
}

bool audit_store_fail(audit_store *store, const audit_input *input)
{
    return !store->stopped && write_slot(store, input, store->slot, 0, NULL);
}
