/* graze ... --report: the page holds what the command prints, names cannot break it, and it is
 * whole or not there. (tests/browser looks at the page itself.)
 */
#include "harness.h"
#include "support/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DWARF "cli-report-dwarf.glb"

static void remove_dwarf(void)
{
    remove(DWARF);
}

__attribute__((constructor)) static void write_dwarf(void)
{
    RUN("synth", "dwarf", "--triangles", "600", "-o", DWARF);
    atexit(remove_dwarf);
}

/* ---- reading a page, after docs/report.md --------------------------------------------------- */

typedef struct bytes {
    unsigned char *data;
    size_t size, at;
} bytes;

typedef struct opened_page {
    char *text;
    size_t size;
    cJSON *info;
    bytes frames, model;
} opened_page;

/* The text of the element with this id, up to its end. */
static const char *find_element(const char *page, const char *id, size_t *length)
{
    char mark[60];
    snprintf(mark, sizeof mark, " id=\"%s\">", id);
    const char *start = strstr(page, mark);
    *length = 0;
    if (!start)
        return NULL;
    start += strlen(mark);
    *length = strcspn(start, "<");
    return start;
}

static int letter_value(char c)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = c ? strchr(letters, c) : NULL;
    return found ? (int)(found - letters) : -1;
}

static bytes decode(const char *text, size_t length)
{
    bytes decoded = {.data = malloc(length + 1)};
    unsigned bits = 0, held = 0;
    for (size_t i = 0; i < length; i++) {
        int value = letter_value(text[i]);
        CHECK(value >= 0 || strchr("=\n", text[i]));
        if (value < 0)
            continue;
        bits = bits << 6 | (unsigned)value;
        held += 6;
        if (held >= 8) {
            held -= 8;
            decoded.data[decoded.size++] = (unsigned char)(bits >> held);
        }
    }
    return decoded;
}

static unsigned read_byte(bytes *from)
{
    CHECK(from->at < from->size);
    return from->at < from->size ? from->data[from->at++] : 0;
}

static uint64_t read_little(bytes *from, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++)
        value |= (uint64_t)read_byte(from) << (8 * i);
    return value;
}

static float read_float(bytes *from)
{
    uint32_t value = (uint32_t)read_little(from, 4);
    float number;
    memcpy(&number, &value, sizeof number);
    return number;
}

static double read_double(bytes *from)
{
    uint64_t value = read_little(from, 8);
    double number;
    memcpy(&number, &value, sizeof number);
    return number;
}

static uint64_t read_count(bytes *from)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        unsigned byte = read_byte(from);
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            break;
    }
    return value;
}

static int64_t read_signed(bytes *from)
{
    uint64_t value = read_count(from);
    return value % 2 ? -(int64_t)(value / 2) - 1 : (int64_t)(value / 2);
}

static opened_page open_page(const char *path)
{
    opened_page page = {.text = NULL};
    size_t length;
    page.text = read_whole_file(path, &page.size);
    CHECK_MSG(page.text != NULL, "%s is not there", path);
    if (!page.text)
        exit(1);
    const char *info = find_element(page.text, "graze-info", &length);
    page.info = info ? cJSON_ParseWithLength(info, length) : NULL;
    CHECK(page.info != NULL);
    const char *frames = find_element(page.text, "graze-frames", &length);
    page.frames = decode(frames ? frames : "", length);
    const char *model = find_element(page.text, "graze-model-0", &length);
    page.model = decode(model ? model : "", length);
    return page;
}

static void close_page(opened_page *page)
{
    cJSON_Delete(page->info);
    free(page->frames.data);
    free(page->model.data);
}

static bool is_true(const cJSON *object, const char *name)
{
    return cJSON_IsTrue(field(object, name));
}

static const cJSON *body_model(const opened_page *page, int body)
{
    const cJSON *bodies = field(page->info, "bodies");
    int model = (int)number(cJSON_GetArrayItem(bodies, body), "model");
    return cJSON_GetArrayItem(field(page->info, "models"), model);
}

static int body_count(const opened_page *page)
{
    return size_of(page->info, "bodies");
}

/* The poses of a frame, of linear skins. */
static void skip_poses(opened_page *page)
{
    for (int body = 0; body < body_count(page); body++) {
        const cJSON *model = body_model(page, body);
        size_t morphs = (size_t)size_of(model, "morphs");
        CHECK(strcmp(text_of(model, "skinning"), "linear") == 0);
        page->frames.at += 4 * (12 + 12 * (size_t)number(model, "joints") + morphs);
    }
}

/* ---- a page and the lines of JSON ------------------------------------------------------------ */

static const cJSON *triangles_of(const cJSON *line, size_t i, bool sweep)
{
    return sweep ? field(line, "triangles") : cJSON_GetArrayItem(field(line, "pairs"), (int)i);
}

/* Reads the pairs of a record, which are those of the line; returns how many. */
static size_t check_pairs(bytes *frames, const cJSON *line, bool sweep)
{
    size_t count = read_count(frames);
    uint32_t a = 0, b = 0;
    CHECK(count == (sweep ? is_true(line, "hit") : (size_t)number(line, "count")));
    for (size_t i = 0; i < count; i++) {
        const cJSON *pair = triangles_of(line, i, sweep);
        a += (uint32_t)read_count(frames);
        b += (uint32_t)read_signed(frames);
        CHECK(cJSON_GetArrayItem(pair, 0) && cJSON_GetArrayItem(pair, 0)->valuedouble == a);
        CHECK(cJSON_GetArrayItem(pair, 1) && cJSON_GetArrayItem(pair, 1)->valuedouble == b);
    }
    return count;
}

static void check_rest(bytes *frames, const cJSON *line, size_t count)
{
    for (size_t i = 0; i < count; i += 8) {
        unsigned bits = read_byte(frames);
        for (size_t k = 0; k < 8; k++) {
            const cJSON *rest = cJSON_GetArrayItem(field(line, "rest"), (int)(i + k));
            CHECK(i + k < count ? (bits >> k & 1) == (unsigned)cJSON_IsTrue(rest)
                                : (bits >> k & 1) == 0);
        }
    }
}

static void check_vector(bytes *frames, const cJSON *line, const char *name)
{
    const cJSON *vector = field(line, name);
    for (int k = 0; k < 3; k++) {
        float value = read_float(frames);
        CHECK(cJSON_IsNull(vector) || value == (float)cJSON_GetArrayItem(vector, k)->valuedouble);
    }
}

static void check_impact(bytes *frames, const cJSON *line)
{
    CHECK((read_byte(frames) == 1) == is_true(line, "initial"));
    CHECK(read_float(frames) == (float)number(line, "toi"));
    check_vector(frames, line, "point");
    check_vector(frames, line, "normal");
}

/* Contacts of two parts each, and every pair in one of them; returns the largest depth. */
static double check_contacts(opened_page *page, size_t pairs)
{
    size_t sum = 0, count = read_count(&page->frames);
    double deepest = 0;
    int parts = size_of(body_model(page, 0), "parts");
    for (size_t i = 0; i < count; i++) {
        CHECK(read_count(&page->frames) < (uint64_t)parts);
        CHECK(read_count(&page->frames) < (uint64_t)parts);
        sum += read_count(&page->frames);
        CHECK(read_byte(&page->frames) <= 1);
        float depth = read_float(&page->frames), length = 0;
        CHECK(depth >= 0);
        deepest = fmax(deepest, (double)depth);
        page->frames.at += 12;
        for (int k = 0; k < 3; k++) {
            float x = read_float(&page->frames);
            length += x * x;
        }
        CHECK(fabsf(length - 1) < 1e-5f);
    }
    CHECK(sum == pairs);
    return deepest;
}

/* Every line of JSON against its record; returns how many pairs there were in all. */
static size_t check_frames(opened_page *page, const command_result *run)
{
    const char *command = text_of(page->info, "command");
    bool sweep = strcmp(command, "sweep") == 0;
    size_t all = 0, frames = 0;
    const cJSON *line, *lines = json_lines(run->out);
    if (sweep) {
        CHECK(read_double(&page->frames) == 0);
        skip_poses(page);
        CHECK(read_count(&page->frames) == 0);
    }
    cJSON_ArrayForEach(line, lines)
    {
        CHECK(read_double(&page->frames) == number(line, sweep ? "to" : "time"));
        skip_poses(page);
        size_t count = check_pairs(&page->frames, line, sweep);
        if (strcmp(command, "self") == 0)
            check_rest(&page->frames, line, count);
        if (sweep && count)
            check_impact(&page->frames, line);
        if (is_true(page->info, "depth") && check_contacts(page, count) == 0)
            CHECK(count == 0);
        all += count;
        frames++;
    }
    CHECK(number(page->info, "frames") == (double)(frames + sweep));
    CHECK_MSG(page->frames.at == page->frames.size, "%zu of %zu bytes", page->frames.at,
              page->frames.size);
    return all;
}

static void check_run(command_result run, const char *path, bool hits)
{
    CHECK_MSG(run.code == 0 && !run.err[0], "%d: %s", run.code, run.err);
    opened_page page = open_page(path);
    size_t all = check_frames(&page, &run);
    CHECK_MSG((all > 0) == hits, "%zu pairs", all);
    close_page(&page);
    remove(path);
}

#define TIMES "--times", "0:0.8:10", "--json"

TEST(a_page_holds_the_pairs_that_are_printed)
{
    const char *path = scratch_path(0, "page.html");
    check_run(RUN("collide", DWARF, TIMES, "--at", "0.4,0,0", "--report", path), path, true);
    check_run(RUN("collide", DWARF, TIMES, "--at", "40,0,0", "--report", path), path, false);
    check_run(RUN("collide", DWARF, "builtin:ball", TIMES, "--at", "0,0.6,0", "--report", path),
              path, true);
    check_run(RUN("collide", DWARF, TIMES, "--at", "0.4,0,0", "--first", "--report", path), path,
              true);
    check_run(RUN("self", "builtin:robot:600", TIMES, "--report", path), path, true);
    check_run(RUN("self", "builtin:robot:600", TIMES, "--new", "--report", path), path, true);
    check_run(RUN("self", DWARF, TIMES, "--report", path), path, false);
    check_run(RUN("sweep", DWARF, TIMES, "--at", "0.7,0,0", "--phase", "0.1", "--report", path),
              path, true);
    check_run(RUN("sweep", DWARF, TIMES, "--self", "--report", path), path, false);
}

/* Two balls of 30 cm, 25 cm apart: 5 cm deep, less what facets leave of a ball. */
TEST(a_page_says_how_deep)
{
    const char *path = scratch_path(0, "page.html");
    command_result run =
        RUN("collide", "builtin:ball", "--json", "--at", "0.25,0,0", "--report", path);
    opened_page page = open_page(path);
    cJSON *line = json_parse(run.out);
    CHECK(read_double(&page.frames) == 0);
    skip_poses(&page);
    size_t count = check_pairs(&page.frames, line, false);
    double depth = check_contacts(&page, count);
    CHECK_MSG(count > 0 && depth > 0.045 && depth <= 0.0501, "%g", depth);
    close_page(&page);
    remove(path);
}

/* --count leaves pairs out of what is printed, not out of the page. */
TEST(a_page_has_pairs_that_are_not_printed)
{
    const char *path = scratch_path(0, "all.html"), *counted = scratch_path(1, "counted.html");
    RUN("collide", DWARF, TIMES, "--at", "0.4,0,0", "--report", path);
    RUN("collide", DWARF, TIMES, "--at", "0.4,0,0", "--count", "--report", counted);
    char *left = read_whole_file(path, NULL), *right = read_whole_file(counted, NULL);
    CHECK(left && right && strcmp(left, right) == 0);
    remove(path);
    remove(counted);
}

/* ---- positions ------------------------------------------------------------------------------ */

/* The vertices ("v") or corners ("f", from 1) of an OBJ file. */
static double *read_obj(const char *path, char kind, size_t *count)
{
    char *text = read_whole_file(path, NULL);
    double *values = malloc((text ? strlen(text) : 0) * sizeof *values + 1);
    *count = 0;
    for (char *line = text ? strtok(text, "\n") : NULL; line; line = strtok(NULL, "\n"))
        if (line[0] == kind && line[1] == ' ') {
            char *at = line + 1;
            for (int k = 0; k < 3; k++)
                values[(*count)++] = strtod(at, &at);
        }
    return values;
}

static void skip_to_four(bytes *from)
{
    from->at = (from->at + 3) / 4 * 4;
}

/* Triangles and rest positions of the first model are checked against a file of graze pose at rest;
 * how many influences each vertex has is left to read.
 */
static void check_model(opened_page *page, const double *corners, size_t corner_count)
{
    size_t triangles = (size_t)number(body_model(page, 0), "triangles");
    size_t vertices = (size_t)number(body_model(page, 0), "vertices");
    CHECK(corner_count == 3 * triangles);
    for (size_t c = 0; c < corner_count; c++)
        CHECK((double)read_little(&page->model, 2) == corners[c] - 1);
    skip_to_four(&page->model);
    page->model.at += 2 * triangles; /* parts */
    skip_to_four(&page->model);
    page->model.at += 12 * vertices; /* at rest */
}

/* Linear skinning and the offsets of a record are where graze pose has a body, to 1e-4 of its size;
 * returns how far the largest offset is.
 */
static double check_offsets(opened_page *page, const double *linear, const double *wanted,
                            size_t count)
{
    double low[3], high[3], size = 0, most = 0;
    for (int k = 0; k < 3; k++)
        low[k] = (double)read_float(&page->frames);
    for (int k = 0; k < 3; k++)
        high[k] = (double)read_float(&page->frames);
    int width = (int)read_byte(&page->frames);
    CHECK(width == 1 || width == 2);
    for (size_t i = 3; i < count; i++)
        size = fmax(size, fabs(wanted[i] - wanted[i % 3]));
    for (size_t v = 0; v < count / 3; v++) {
        bool blended = read_little(&page->model, 2) > 1;
        for (size_t k = 0; k < 3; k++) {
            double part = blended ? (double)read_little(&page->frames, width) : 0, offset = 0;
            if (blended)
                offset = low[k] + (high[k] - low[k]) * part / (width == 1 ? 255 : 65535);
            most = fmax(most, fabs(offset));
            CHECK(fabs(linear[3 * v + k] + offset - wanted[3 * v + k]) <= 1e-4 * size);
        }
    }
    return most;
}

#define PLACED DWARF, "--time", "0.3", "--at", "1,2,3", "--turn", "20", "--skin"

static void pose_placed(const char *skin, const char *path)
{
    command_result run = RUN("pose", PLACED, skin, "-o", path);
    CHECK_MSG(run.code == 0, "%s", run.err);
}

TEST(blended_rotations_come_as_offsets_from_linear_skinning)
{
    static const char *const skins[] = {"spherical", "dual"};
    const char *path = scratch_path(0, "page.html"), *obj = scratch_path(1, "posed.obj");
    for (int i = 0; i < 2; i++) {
        size_t count, linear_count, corner_count;
        pose_placed("linear", obj);
        double *linear = read_obj(obj, 'v', &linear_count);
        pose_placed(skins[i], obj);
        double *wanted = read_obj(obj, 'v', &count);
        double *corners = read_obj(obj, 'f', &corner_count);
        command_result run = RUN("self", PLACED, skins[i], "--json", "--report", path);
        CHECK(run.code == 0 && count == linear_count && count > 0);
        opened_page page = open_page(path);
        check_model(&page, corners, corner_count);
        CHECK(read_double(&page.frames) == 0.3);
        page.frames.at += 4 * (12 + 12 * (size_t)number(body_model(&page, 0), "joints"));
        CHECK(check_offsets(&page, linear, wanted, count) > 1e-3);
        CHECK(read_count(&page.frames) == 0 && page.frames.at == page.frames.size);
        free(linear);
        free(wanted);
        free(corners);
        close_page(&page);
        remove(path);
        remove(obj);
    }
}

/* ---- names ---------------------------------------------------------------------------------- */

/* A triangle on a node and in a clip with a name that would end the script it stands in. */
TEST(names_cannot_break_the_page)
{
    static const float data[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const char name[] = "</script><!--<script>alert('1')&\\u0001\\\"\\\\";
    static const char meant[] = "</script><!--<script>alert('1')&\001\"\\";
    char document[1000];
    snprintf(document, sizeof document,
             "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":"
             "\"%s\",\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}"
             "],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":"
             "\"VEC3\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"buffers\":[{"
             "\"byteLength\":36,\"uri\":\"named.bin\"}]}",
             name);
    const char *model = scratch_path(0, "a<b>&\"c.gltf"), *path = scratch_path(2, "page.html");
    CHECK(write_whole_file(model, document, strlen(document)));
    CHECK(write_whole_file(scratch_path(1, "named.bin"), data, sizeof data));
    command_result run = RUN("collide", model, "--at", "0,0,1", "--report", path);
    CHECK_MSG(run.code == 0, "%s", run.err);
    opened_page page = open_page(path);
    const cJSON *parts = field(body_model(&page, 0), "parts");
    const char *part = cJSON_GetStringValue(cJSON_GetArrayItem(parts, 0));
    CHECK_MSG(part && strcmp(part, meant) == 0, "%s", part ? part : "none");
    const char *file = text_of(body_model(&page, 0), "name");
    CHECK_MSG(file && strcmp(file, "a<b>&\"c.gltf") == 0, "%s", file ? file : "none");
    CHECK(!strstr(page.text, "alert('1')</") && !strstr(page.text, "<script>alert"));
    close_page(&page);
    remove(model);
    remove(scratch_path(1, "named.bin"));
    remove(path);
}

/* ---- the file ------------------------------------------------------------------------------- */

TEST(a_page_is_whole_or_not_there)
{
    static const char *const commands[] = {"collide", "self", "sweep"};
    const char *kept = scratch_path(0, "kept.html");
    CHECK(write_whole_file(kept, "kept", 4));
    for (int i = 0; i < 3; i++) {
        const char *command = commands[i];
        REFUSED("", command, DWARF, TIMES, "--report", scratch_path(1, "missing/page.html"));
        REFUSED("", command, DWARF, TIMES, "--report", scratch_folder());
        REFUSED("", command, DWARF, TIMES, "--report", "");
        REFUSED("", command, DWARF, TIMES, "--report", DWARF);
        REFUSED("", command, DWARF, TIMES, "--report", kept, "--csv", kept);
        REFUSED("", command, DWARF, TIMES, "--report", kept, "-o", kept);
        REFUSED("", command, "missing.glb", TIMES, "--report", kept);
        REFUSED("", command, DWARF, TIMES, "--clip", "fly", "--report", kept);
        if (access("/dev/full", W_OK) == 0)
            FAILS("", command, DWARF, TIMES, "--report", "/dev/full");
    }
    REFUSED("", "collide", DWARF, TIMES, "--at", "1e30,0,0", "--report", kept);
    REFUSED("", "demo", "chairs", "--report", kept);
    char line[1000];
    size_t files = scratch_count();
    snprintf(line, sizeof line, "graze self %s --times 0:999:100 --report '%s' | head -n 1", DWARF,
             kept);
    command_result left = RUN_SHELL(line);
    CHECK(left.code == 0 && scratch_count() == files);
    char *text = read_whole_file(kept, NULL);
    CHECK(text && strcmp(text, "kept") == 0);
    remove(kept);
}

/* With the two other outputs beside it; nothing in it is from elsewhere; the sizes that are
 * promised.
 */
TEST(a_page_needs_nothing_else)
{
    const char *path = scratch_path(0, "page.html");
    command_result run =
        RUN("self", "builtin:man", "--times", "all", "-o", scratch_path(1, "lines"), "--csv",
            scratch_path(2, "table"), "--report", path);
    CHECK_MSG(run.code == 0 && !run.out[0] && !run.err[0], "%s", run.err);
    CHECK(scratch_count() == 3);
    opened_page page = open_page(path);
    CHECK_MSG(page.size < 3000000, "%zu bytes", page.size);
    CHECK(strncmp(page.text, "<!DOCTYPE html>", 15) == 0 && strstr(page.text, "</html>\n"));
    for (const char *at = page.text; (at = strstr(at, "://")); at++)
        CHECK_MSG(strncmp(at, "://www.w3.org/2000/svg", 22) == 0, "%.60s", at - 10);
    CHECK(!strstr(page.text, "/*style*/") && !strstr(page.text, "/*scripts*/"));
    CHECK(!strstr(page.text, "src=") && !strstr(page.text, "@import"));
    close_page(&page);
    for (int i = 0; i < 3; i++)
        remove(scratch_path(3, (const char *const[]){"page.html", "lines", "table"}[i]));
}
