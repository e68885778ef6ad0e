/* graze audit --report: the page's table is that of the lines of JSON, and its pictures show the
 * posed model with the triangles marked that graze self finds.
 */
#include "harness.h"
#include "support/command.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUN(...) command_run(GRAZE_COMMAND, (const char *const[]){__VA_ARGS__, NULL})

static const cJSON *field(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static double number(const cJSON *object, const char *name)
{
    return cJSON_GetNumberValue(field(object, name));
}

static cJSON *lines_of(command_result run)
{
    cJSON *all = cJSON_CreateArray();
    CHECK_MSG(run.code == 0, "%s", run.err);
    for (const char *line = run.out; *line && strchr(line, '\n'); line = strchr(line, '\n') + 1)
        cJSON_AddItemToArray(all, cJSON_ParseWithOpts(line, NULL, false));
    return all;
}

/* ---- the page ------------------------------------------------------------------------------- */

/* The text of an element, up to its end. */
static const char *find_element(const char *page, const char *id)
{
    char mark[60];
    snprintf(mark, sizeof mark, " id=\"%s\">\n", id);
    const char *start = strstr(page, mark);
    CHECK_MSG(start, "there is no %s", id);
    return start ? start + strlen(mark) : "";
}

static unsigned char *decode(const char *text, size_t *size)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char *bytes = malloc(strcspn(text, "<") + 1);
    unsigned bits = 0, held = 0;
    for (*size = 0; *text && *text != '<'; text++) {
        if (!strchr(letters, *text))
            continue;
        bits = bits << 6 | (unsigned)(strchr(letters, *text) - letters);
        held += 6;
        if (held >= 8)
            bytes[(*size)++] = (unsigned char)(bits >> (held -= 8));
    }
    return bytes;
}

static uint32_t part_of(const cJSON *parts, int triangle)
{
    return (uint32_t)cJSON_GetArrayItem(field(parts, "part_of"), triangle)->valueint;
}

static const char *part_name(const cJSON *parts, uint32_t part)
{
    return cJSON_GetStringValue(
        field(cJSON_GetArrayItem(field(parts, "parts"), (int)part), "name"));
}

/* 1 or 2 if the triangle is of one of the row's parts. */
static int side_of(const cJSON *parts, const cJSON *row, int triangle)
{
    for (int side = 0; side < 2; side++)
        if (strcmp(part_name(parts, part_of(parts, triangle)),
                   cJSON_GetArrayItem(field(row, "parts"), side)->valuestring) == 0)
            return side + 1;
    return 0;
}

/* Marks as they have to be, from what graze self says of the frame. */
static void check_marks(const cJSON *parts, const cJSON *row, const unsigned char *marks, int count)
{
    char time[40];
    const cJSON *pair;
    unsigned char *wanted = calloc((size_t)count, 1);
    snprintf(time, sizeof time, "%.17g", number(row, "time"));
    cJSON *frame = lines_of(RUN("self", "builtin:player", "--clip", field(row, "clip")->valuestring,
                                "--time", time, "--new", "--json"));
    for (int t = 0; t < count; t++)
        wanted[t] = (unsigned char)side_of(parts, row, t);
    cJSON_ArrayForEach(pair, field(frame->child, "pairs"))
    {
        int a = pair->child->valueint, b = pair->child->next->valueint;
        if ((wanted[a] & 3) + (wanted[b] & 3) == 3 && wanted[a] && wanted[b]) {
            wanted[a] |= 4;
            wanted[b] |= 4;
        }
    }
    CHECK(memcmp(wanted, marks, (size_t)count) == 0);
    free(wanted);
    cJSON_Delete(frame);
}

/* The worst point is a vertex of one of the parts, or lies between two: inside the model's box. */
static void check_scene(const char *page, const cJSON *parts, const cJSON *row, int at)
{
    char id[40];
    size_t size;
    uint32_t counts[2];
    float box[6];
    snprintf(id, sizeof id, "audit-model-%d", (int)number(row, "model"));
    unsigned char *model = decode(find_element(page, id), &size);
    memcpy(counts, model, sizeof counts);
    CHECK(size == 8 + 12 * (size_t)counts[1]);
    free(model);
    snprintf(id, sizeof id, "audit-scene-%d", at);
    unsigned char *scene = decode(find_element(page, id), &size);
    CHECK(size == 24 + 6 * (size_t)counts[0] + counts[1]);
    CHECK((int)counts[1] == cJSON_GetArraySize(field(parts, "part_of")));
    memcpy(box, scene, sizeof box);
    for (int axis = 0; axis < 3; axis++) {
        double p = cJSON_GetArrayItem(field(row, "point"), axis)->valuedouble;
        CHECK(p >= (double)box[axis] - 1e-6 && p <= (double)box[3 + axis] + 1e-6);
    }
    check_marks(parts, row, scene + 24 + 6 * (size_t)counts[0], (int)counts[1]);
    free(scene);
}

/* Every finding's stretch is in the row of its clip and parts. */
static bool has_stretch(const cJSON *rows, const cJSON *line)
{
    const cJSON *row, *stretch;
    cJSON_ArrayForEach(row,
                       rows) if (cJSON_Compare(field(row, "parts"), field(line, "parts"), true) &&
                                 cJSON_Compare(field(row, "clip"), field(line, "clip"), true))
        cJSON_ArrayForEach(stretch,
                           field(row, "stretches")) if (stretch->child->valuedouble ==
                                                            number(line, "from") &&
                                                        stretch->child->next->valuedouble ==
                                                            number(line, "to")) return true;
    return false;
}

TEST(a_page_of_the_worst_frames)
{
    cJSON *parts = lines_of(RUN("info", "builtin:player", "--parts", "--json"));
    cJSON *lines =
        lines_of(RUN("audit", "builtin:player", "--json", "--rows", "3", "--report", "audit.html"));
    size_t size;
    char *page = read_whole_file("audit.html", &size);
    REQUIRE(page && strstr(page, "default-src 'none'") && remove("audit.html") == 0);
    cJSON *info = cJSON_Parse(find_element(page, "audit-info"));
    const cJSON *rows = field(info, "rows"),
                *last = cJSON_GetArrayItem(lines, cJSON_GetArraySize(lines) - 1);
    CHECK(number(info, "findings") == number(last, "findings") &&
          number(info, "frames") == number(last, "frames"));
    for (const cJSON *line = lines->child; line != last; line = line->next)
        CHECK(has_stretch(rows, line));
    CHECK(cJSON_GetArraySize(rows) > 3);
    for (int i = 0; i < cJSON_GetArraySize(rows); i++) {
        const cJSON *row = cJSON_GetArrayItem(rows, i);
        CHECK((number(row, "model") >= 0) == (i < 3));
        if (i < 3)
            check_scene(page, parts->child, row, i);
    }
    cJSON_Delete(info);
    cJSON_Delete(lines);
    cJSON_Delete(parts);
}
