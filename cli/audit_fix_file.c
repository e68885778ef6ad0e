/* The copy that --fix writes. Of a .glb it is the file as it was, with keys of the turned joints
 * behind its buffer and channels that refer to them: meshes, materials and images stay.
 */
#include "cli/audit_fix.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/room.h"
#include "cli/whole_file.h"

#include <cjson/cJSON.h>

#include <graze/gltf.h>

#include <errno.h>

#define MAGIC "glTF\2\0\0\0"
enum { HEADER = 12, CHUNK = 8, FLOAT = 5126 };

typedef struct glb {
    char *bytes; /* of the file */
    cJSON *json;
    char *binary; /* the buffer, with what is added behind it */
    size_t size;
} glb;

static uint32_t word_at(const char *bytes)
{
    uint32_t word = 0;
    for (int i = 3; i >= 0; i--)
        word = word << 8 | (unsigned char)bytes[i];
    return word;
}

static void put_word(FILE *out, size_t word)
{
    for (int i = 0; i < 4; i++)
        fputc((int)(word >> 8 * i & 0xff), out);
}

static bool is_builtin(const char *path)
{
    return strncmp(path, "builtin:", 8) == 0;
}

static bool can_copy(const char *path)
{
    char start[8] = {0};
    FILE *file = is_builtin(path) ? NULL : fopen(path, "rb");
    const size_t size = file ? fread(start, 1, sizeof start, file) : 0;
    if (file)
        fclose(file);
    return is_builtin(path) || (size == sizeof start && memcmp(start, MAGIC, sizeof start) == 0) ||
           refuse("audit: --fix copies a .glb; %s is none that can be read", path);
}

bool audit_fix_check(const audit_job *job, const item_list *inputs, const arguments *given)
{
    if (!job->fix)
        return (!job->fix_parts && !option_given(&audit_command, given, "--ease")) ||
               refuse("audit: --fix-parts and --ease need --fix OUT.glb");
    if (job->folder || job->character || job->state || job->junit || job->sarif || job->db ||
        job->hints || job->options.csv || job->options.report || job->fail_on_hit)
        return refuse("audit: --fix writes a copy of one model and says what is gone from it; it "
                      "goes with no other output, --state, --out or --character");
    if (inputs->count != 1)
        return refuse("audit: --fix needs one model, not %zu", inputs->count);
    const audit_input *input = inputs->items;
    return input->error || can_copy(input->path);
}

/* ---- reading -------------------------------------------------------------------------------- */

/* The model was loaded: what stands in the file is right as far as a loader looks. */
static bool open_glb(glb *file, const char *path, line_text *text)
{
    size_t size;
    *file = (glb){.bytes = read_whole(path, &size)};
    const size_t length = file->bytes && size >= HEADER + CHUNK ? word_at(file->bytes + HEADER) : 0;
    const size_t second = HEADER + CHUNK + length;
    if (length && second <= size)
        file->json = cJSON_ParseWithLength(file->bytes + HEADER + CHUNK, length);
    if (!file->json) {
        snprintf(text->text, sizeof text->text, "--fix: the file has changed meanwhile");
        return false;
    }
    const size_t rest = size - second;
    if (rest >= CHUNK && memcmp(file->bytes + second + 4, "BIN", 4) == 0) {
        const size_t all = word_at(file->bytes + second);
        file->size = all < rest - CHUNK ? all : rest - CHUNK;
    }
    file->binary = room(file->size, 1);
    if (file->size)
        memcpy(file->binary, file->bytes + second + CHUNK, file->size);
    return true;
}

static void close_glb(glb *file)
{
    cJSON_Delete(file->json);
    free(file->bytes);
    free(file->binary);
}

/* ---- adding --------------------------------------------------------------------------------- */

/* An array of the file, made if it is not there. */
static cJSON *array_of(cJSON *object, const char *key)
{
    cJSON *array = cJSON_GetObjectItemCaseSensitive(object, key);
    return array ? array : room_or_end(cJSON_AddArrayToObject(object, key));
}

static void put_number(cJSON *object, const char *key, double number)
{
    cJSON_DeleteItemFromObjectCaseSensitive(object, key);
    room_or_end(cJSON_AddNumberToObject(object, key, number));
}

static cJSON *add_object(cJSON *array)
{
    cJSON *object = room_or_end(cJSON_CreateObject());
    cJSON_AddItemToArray(array, object);
    return object;
}

/* Returns the number of the accessor. limits: of times, which have to have them. */
static int add_accessor(glb *file, const float *numbers, uint32_t count, uint32_t width,
                        const char *type)
{
    const size_t size = (size_t)count * width * sizeof(float), start = (file->size + 3) / 4 * 4;
    cJSON *views = array_of(file->json, "bufferViews");
    cJSON *accessors = array_of(file->json, "accessors");
    cJSON *view = add_object(views), *accessor = add_object(accessors);
    file->binary = more_room(file->binary, start + size, 1);
    memset(file->binary + file->size, 0, start - file->size);
    for (size_t i = 0; i < size / 4; i++) {
        uint32_t bits;
        memcpy(&bits, &numbers[i], 4);
        for (int k = 0; k < 4; k++)
            file->binary[start + 4 * i + (size_t)k] = (char)(bits >> 8 * k & 0xff);
    }
    file->size = start + size;
    put_number(view, "buffer", 0);
    put_number(view, "byteOffset", (double)start);
    put_number(view, "byteLength", (double)size);
    put_number(accessor, "bufferView", cJSON_GetArraySize(views) - 1);
    put_number(accessor, "componentType", FLOAT);
    put_number(accessor, "count", count);
    room_or_end(cJSON_AddStringToObject(accessor, "type", type));
    if (width == 1) {
        const double ends[2] = {(double)numbers[0], (double)numbers[count - 1]};
        cJSON_AddItemToObject(accessor, "min", room_or_end(cJSON_CreateDoubleArray(&ends[0], 1)));
        cJSON_AddItemToObject(accessor, "max", room_or_end(cJSON_CreateDoubleArray(&ends[1], 1)));
    }
    return cJSON_GetArraySize(accessors) - 1;
}

static cJSON *find_channel(cJSON *channels, uint32_t node)
{
    cJSON *channel;
    cJSON_ArrayForEach(channel, channels)
    {
        const cJSON *target = cJSON_GetObjectItemCaseSensitive(channel, "target");
        const cJSON *own = cJSON_GetObjectItemCaseSensitive(target, "node");
        const char *path = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(target, "path"));
        if (cJSON_IsNumber(own) && own->valuedouble == node && path &&
            strcmp(path, "rotation") == 0)
            return channel;
    }
    return NULL;
}

/* Gives the clip a sampler of its own for the node. */
static void add_channel(glb *file, uint32_t clip, const graze_rig_channel *keys)
{
    cJSON *animation =
        cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(file->json, "animations"), (int)clip);
    cJSON *channels = array_of(animation, "channels"), *samplers = array_of(animation, "samplers");
    cJSON *channel = find_channel(channels, keys->node), *sampler = add_object(samplers);
    put_number(sampler, "input", add_accessor(file, keys->times, keys->key_count, 1, "SCALAR"));
    put_number(sampler, "output", add_accessor(file, keys->values, keys->key_count, 4, "VEC4"));
    room_or_end(cJSON_AddStringToObject(sampler, "interpolation", "LINEAR"));
    if (!channel) {
        channel = add_object(channels);
        cJSON *target = room_or_end(cJSON_AddObjectToObject(channel, "target"));
        put_number(target, "node", keys->node);
        room_or_end(cJSON_AddStringToObject(target, "path", "rotation"));
    }
    put_number(channel, "sampler", cJSON_GetArraySize(samplers) - 1);
}

/* The first buffer becomes as long as what is in the file. False if it is another file. */
static bool take_buffer(glb *file)
{
    cJSON *buffers = array_of(file->json, "buffers");
    cJSON *buffer =
        cJSON_GetArraySize(buffers) ? cJSON_GetArrayItem(buffers, 0) : add_object(buffers);
    if (cJSON_GetObjectItemCaseSensitive(buffer, "uri"))
        return false;
    put_number(buffer, "byteLength", (double)file->size);
    return true;
}

static void add_turned(glb *file, const audit_fix *fix, const graze_rig *rig)
{
    const audit_turn *turns = fix->turns.items;
    for (size_t i = 0; i < fix->turns.count; i++) {
        const graze_rig_clip *clip = &rig->clips[turns[i].clip];
        bool before = false;
        for (size_t k = 0; k < i; k++)
            before = before || (turns[k].clip == turns[i].clip && turns[k].node == turns[i].node);
        for (uint32_t c = 0; !before && c < clip->channel_count; c++)
            if (clip->channels[c].path == GRAZE_RIG_ROTATION &&
                clip->channels[c].node == turns[i].node)
                add_channel(file, turns[i].clip, &clip->channels[c]);
    }
}

/* ---- writing -------------------------------------------------------------------------------- */

static bool write_glb(const glb *file, FILE *out)
{
    char *json = room_or_end(cJSON_PrintUnformatted(file->json));
    const size_t length = strlen(json), padded = (length + 3) / 4 * 4;
    const size_t size = (file->size + 3) / 4 * 4;
    const size_t all = HEADER + CHUNK + padded + (size ? CHUNK + size : 0);
    fwrite(MAGIC, 1, 8, out);
    put_word(out, all);
    put_word(out, padded);
    fwrite("JSON", 1, 4, out);
    fwrite(json, 1, length, out);
    fwrite("   ", 1, padded - length, out);
    if (size) {
        put_word(out, size);
        fwrite("BIN", 1, 4, out); /* with its end */
        fwrite(file->binary, 1, file->size, out);
        fwrite("\0\0", 1, size - file->size, out);
    }
    free(json);
    return all <= UINT32_MAX;
}

static bool write_file(const glb *file, const char *path, line_text *text)
{
    errno = 0;
    FILE *out = fopen(output_place(path), "wb");
    bool good = out && write_glb(file, out);
    good = out && !ferror(out) && good;
    if (out && fclose(out) != 0)
        good = false;
    if (!good)
        snprintf(text->text, sizeof text->text, "%s: cannot write: %s", path,
                 errno ? strerror(errno) : "larger than 4 GiB");
    return good;
}

bool audit_fix_write(const audit_fix *fix, const audit_job *job, const char *path,
                     const graze_rig *rig, line_text *text)
{
    glb file;
    graze_error error;
    if (is_builtin(path)) {
        graze_status status = graze_gltf_save(rig, output_place(job->fix), &error);
        if (status)
            snprintf(text->text, sizeof text->text, "%s", error.text);
        return !status;
    }
    bool good = open_glb(&file, path, text);
    if (good && fix->turns.count) {
        add_turned(&file, fix, rig);
        good = take_buffer(&file);
        if (!good)
            snprintf(text->text, sizeof text->text, "--fix: its buffers are not in the file");
    }
    good = good && write_file(&file, job->fix, text);
    close_glb(&file);
    return good;
}
