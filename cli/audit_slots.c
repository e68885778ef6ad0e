/* The files of results: what stands in one, and reading it back. */
#include "cli/audit_store.h"
#include "cli/room.h"
#include "cli/whole_file.h"

#include <errno.h>

/* ---- files that end with their checksum ------------------------------------------------------ */

/* `,"checksum":"0123456789abcdef"}` and the end of the line. */
enum { SEAL = 13 + 16 + 3 };

static void make_seal(char seal[SEAL + 1], const char *bytes, size_t size)
{
    snprintf(seal, SEAL + 1, ",\"checksum\":\"%016llx\"}\n",
             (unsigned long long)audit_sum(AUDIT_SUM_START, bytes, size));
}

cJSON *audit_read_sealed(const char *path, bool *there)
{
    size_t size;
    char *bytes = read_whole(path, &size), seal[SEAL + 1];
    cJSON *json = NULL;
    *there = bytes || errno != ENOENT;
    if (bytes && size > SEAL) {
        make_seal(seal, bytes, size - SEAL);
        if (memcmp(bytes + size - SEAL, seal, SEAL) == 0)
            json = cJSON_ParseWithLength(bytes, size);
    }
    free(bytes);
    return json;
}

void audit_seal(FILE *out, char *const *bytes, const size_t *size)
{
    char seal[SEAL + 1];
    fflush(out);
    make_seal(seal, *bytes, *size);
    fputs(seal, out);
    fflush(out);
}

void audit_put_bytes(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++)
        if ((unsigned char)*text < 0x20)
            fprintf(out, "\\u%04x", (unsigned)*text);
        else
            fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    fputc('"', out);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* What people know a model by, then what no other has: /lib/hero.glb is hero-HASH-K.json. */
char *audit_slot_path(const char *folder, const char *file, uint32_t number)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    const char *dot = strrchr(base, '.');
    size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base), size;
    char name[41], sum[17];
    size_t kept = 0;
    for (size_t i = 0; i < length && kept < sizeof name - 1; i++) {
        bool plain = (base[i] >= '0' && base[i] <= '9') || (base[i] >= 'a' && base[i] <= 'z') ||
                     (base[i] >= 'A' && base[i] <= 'Z') || base[i] == '_' || base[i] == '-';
        name[kept++] = plain ? base[i] : '_';
    }
    name[kept] = 0;
    audit_sum_name(sum, audit_sum(AUDIT_SUM_START, file, strlen(file)));
    size = strlen(folder) + kept + 48;
    char *path = room(size, 1);
    snprintf(path, size, "%s/%s-%s-%u.json", folder, name, sum, number);
    return path;
}

/* ---- writing -------------------------------------------------------------------------------- */

static void put_head(FILE *out, const audit_store *store, const char *file, uint32_t number,
                     uint32_t clips)
{
    char sum[17];
    char *settings = room_or_end(cJSON_PrintUnformatted(store->settings));
    audit_sum_name(sum, store->model);
    fputs("{\"graze audit result\":1,\"file\":", out);
    audit_put_bytes(out, file);
    fprintf(out, ",\"model\":\"%s\",\"settings\":%s,\n\"slot\":%u,\"clips\":%u", sum, settings,
            number, clips);
    free(settings);
}

/* Numbers with so many digits that they read back as the same ones. */
static void put_finding(FILE *out, const graze_audit_finding *finding)
{
    const graze_audit_worst *worst = &finding->worst;
    fprintf(out, "{\"kind\":\"%s\",\"parts\":[", finding->fold ? "fold" : "clip");
    audit_put_bytes(out, finding->parts[0]);
    fputc(',', out);
    audit_put_bytes(out, finding->parts[1]);
    fprintf(out, "],\"from\":%u,\"to\":%u,\"pairs\":%llu,\"worst\":{\"frame\":%u,\"time\":%.17g,",
            finding->from, finding->to, (unsigned long long)finding->pairs, worst->frame,
            worst->time);
    fprintf(out, "\"pairs\":%u,\"depth\":%.9g,\"point\":[%.9g,%.9g,%.9g],\"open\":%s,",
            worst->pairs, (double)worst->depth, (double)worst->point[0], (double)worst->point[1],
            (double)worst->point[2], worst->open ? "true" : "false");
    fprintf(out, "\"rest\":[%.9g,%.9g,%.9g]}", (double)worst->rest[0], (double)worst->rest[1],
            (double)worst->rest[2]);
    if (finding->hint.joint) {
        const graze_audit_hint *hint = &finding->hint;
        fputs(",\"hint\":{\"joint\":", out);
        audit_put_bytes(out, hint->joint);
        fprintf(out, ",\"axis\":[%.9g,%.9g,%.9g],\"degrees\":%.9g}", (double)hint->axis[0],
                (double)hint->axis[1], (double)hint->axis[2], (double)hint->degrees);
    }
    fputs(finding->between ? ",\"between\":true}" : "}", out);
}

void audit_slot_put(FILE *out, const audit_store *store, const audit_input *input, uint32_t number,
                    uint32_t clips, const audit_unit *unit)
{
    put_head(out, store, input->path, number, clips);
    if (!unit) {
        fputs(",\"error\":", out);
        audit_put_bytes(out, input->error);
        return;
    }
    fputs(",\"clip\":", out);
    audit_put_bytes(out, unit->clip);
    fprintf(out, ",\"size\":%.17g,\"frames\":%u,\"findings\":[", unit->size, unit->result.frames);
    for (size_t i = 0; i < unit->result.count; i++) {
        fputs(i ? ",\n" : "\n", out);
        put_finding(out, &unit->result.findings[i]);
    }
    fputc(']', out);
}

/* ---- reading -------------------------------------------------------------------------------- */

static void *take(void *user, size_t size, size_t alignment)
{
    (void)user;
    (void)alignment;
    return room(size, 1);
}

static void give(void *user, void *memory)
{
    (void)user;
    free(memory);
}

/* A reader that goes on after something was wrong, and knows it. */
typedef struct slot_reader {
    bool good;
    char *names; /* where the next one goes */
} slot_reader;

static const cJSON *member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static double number_in(slot_reader *reader, const cJSON *json, double most)
{
    bool good = cJSON_IsNumber(json) && json->valuedouble <= most;
    reader->good = reader->good && good;
    return good ? json->valuedouble : 0;
}

static uint32_t whole_in(slot_reader *reader, const cJSON *json)
{
    double number = number_in(reader, json, UINT32_MAX);
    reader->good = reader->good && number >= 0;
    return number >= 0 ? (uint32_t)number : 0;
}

static float float_in(slot_reader *reader, const cJSON *json)
{
    return (float)number_in(reader, json, 3.5e38);
}

static const char *text_in(slot_reader *reader, const cJSON *json)
{
    const char *text = cJSON_GetStringValue(json);
    reader->good = reader->good && text;
    return text ? text : "";
}

static void read_hint(slot_reader *reader, const cJSON *json, graze_audit_hint *hint)
{
    hint->joint = copy_text(text_in(reader, member(json, "joint")));
    hint->node = GRAZE_NONE;
    for (int axis = 0; axis < 3; axis++)
        hint->axis[axis] = float_in(reader, cJSON_GetArrayItem(member(json, "axis"), axis));
    hint->degrees = float_in(reader, member(json, "degrees"));
}

static void read_finding(slot_reader *reader, const cJSON *json, graze_audit_finding *finding)
{
    const cJSON *worst = member(json, "worst");
    for (int side = 0; side < 2; side++) {
        const char *name = text_in(reader, cJSON_GetArrayItem(member(json, "parts"), side));
        finding->parts[side] = strcpy(reader->names, name);
        reader->names += strlen(name) + 1;
    }
    finding->fold = strcmp(text_in(reader, member(json, "kind")), "fold") == 0;
    finding->between = cJSON_IsTrue(member(json, "between"));
    finding->from = whole_in(reader, member(json, "from"));
    finding->to = whole_in(reader, member(json, "to"));
    finding->pairs = (uint64_t)number_in(reader, member(json, "pairs"), 9e15);
    finding->worst.frame = whole_in(reader, member(worst, "frame"));
    finding->worst.time = number_in(reader, member(worst, "time"), 1e300);
    finding->worst.pairs = whole_in(reader, member(worst, "pairs"));
    finding->worst.depth = float_in(reader, member(worst, "depth"));
    for (int axis = 0; axis < 3; axis++) {
        finding->worst.point[axis] =
            float_in(reader, cJSON_GetArrayItem(member(worst, "point"), axis));
        finding->worst.rest[axis] =
            float_in(reader, cJSON_GetArrayItem(member(worst, "rest"), axis));
    }
    finding->worst.open = cJSON_IsTrue(member(worst, "open"));
    if (member(json, "hint"))
        read_hint(reader, member(json, "hint"), &finding->hint);
}

/* Room for all names of parts, each with its end. */
static size_t names_size(const cJSON *findings)
{
    size_t size = 0;
    const cJSON *one;
    cJSON_ArrayForEach(one, findings) for (int side = 0; side < 2; side++)
    {
        const char *name = cJSON_GetStringValue(cJSON_GetArrayItem(member(one, "parts"), side));
        size += (name ? strlen(name) : 0) + 1;
    }
    return size;
}

static bool read_unit(const cJSON *json, const char *file, audit_unit *unit)
{
    const cJSON *findings = member(json, "findings"), *one;
    const int count = cJSON_GetArraySize(findings);
    graze_audit_result *result = &unit->result;
    slot_reader reader = {cJSON_IsArray(findings), NULL};
    unit->file = file;
    unit->clip = copy_text(text_in(&reader, member(json, "clip")));
    unit->size = number_in(&reader, member(json, "size"), 1e300);
    result->allocator = (graze_allocator){.allocate = take, .release = give};
    result->frames = whole_in(&reader, member(json, "frames"));
    result->findings = room((size_t)count, sizeof *result->findings);
    reader.names = result->names = room(names_size(findings), 1);
    cJSON_ArrayForEach(one, findings)
        read_finding(&reader, one, &result->findings[result->count++]);
    return reader.good;
}

/* Whether it is about this clip, with these settings. */
static audit_slot_kind check_head(audit_slot *slot, const cJSON *json, const audit_store *store,
                                  const char *file, uint32_t number)
{
    const char *own = cJSON_GetStringValue(member(json, "file"));
    const char *model = cJSON_GetStringValue(member(json, "model"));
    slot_reader reader = {true, NULL};
    line_text how;
    slot->clips = whole_in(&reader, member(json, "clips"));
    if (!cJSON_IsNumber(member(json, "graze audit result")) || !own || !model ||
        whole_in(&reader, member(json, "slot")) != number || !reader.good)
        return AUDIT_SLOT_BROKEN;
    slot->model = strtoull(model, NULL, 16);
    if (strcmp(own, file) != 0) {
        snprintf(slot->why.text, sizeof slot->why.text, "is about %.900s", own);
        return AUDIT_SLOT_OTHER;
    }
    if (audit_settings_same(member(json, "settings"), store->settings, &how))
        return AUDIT_SLOT_WHOLE;
    snprintf(slot->why.text, sizeof slot->why.text, "was made %.1100s", how.text);
    return AUDIT_SLOT_OTHER;
}

void audit_slot_read(audit_slot *slot, const audit_store *store, const char *file, uint32_t number)
{
    bool there;
    char *path = audit_slot_path(store->folder, file, number);
    cJSON *json = audit_read_sealed(path, &there);
    *slot = (audit_slot){.kind = there ? AUDIT_SLOT_BROKEN : AUDIT_SLOT_MISSING};
    if (json)
        slot->kind = check_head(slot, json, store, file, number);
    const cJSON *error = member(json, "error");
    if (slot->kind == AUDIT_SLOT_WHOLE && cJSON_IsString(error)) {
        slot->kind = AUDIT_SLOT_FAILED;
        slot->error = copy_text(error->valuestring);
    } else if (slot->kind == AUDIT_SLOT_WHOLE &&
               (number >= slot->clips || !read_unit(json, file, &slot->unit))) {
        slot->kind = AUDIT_SLOT_BROKEN;
    }
    cJSON_Delete(json);
    free(path);
}

void audit_slot_free(audit_slot *slot)
{
    if (slot->unit.clip)
        graze_audit_result_free(&slot->unit.result);
    free(slot->unit.clip);
    free(slot->error);
    *slot = (audit_slot){.kind = AUDIT_SLOT_MISSING};
}
