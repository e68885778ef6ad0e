#include "support/figure.h"

#include "harness.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const figure_case figure_cases[] = {
    {"figure", {.no_skin = false}},
    {"unnamed", {.unnamed = true}},
    {"all of one name", {.same_names = true}},
    {"rotations of 16 bits", {.short_rotations = true}},
    {"weights of 16 bits", {.short_weights = true}},
    {"quantised", {.quantised = true}},
    {"strips", {.strips = true}},
    {"eight influences", {.eight = true}},
    {"heavy weights", {.heavy = true}},
    {"splines", {.splines = true}},
    {"begins late", {.later = 1}},
    {"shown twice", {.twice = true}},
    {"two skins, boxes and morphs",
     {.second_skin = true, .boxes = true, .morphs = 1, .twice = true}},
    {"boxes", {.boxes = true, .no_skin = true}},
    {"steps", {.steps = true}},
    {"no inverse binds", {.no_binds = true}},
    {"morphs", {.morphs = 1}},
    {"sparse morphs", {.morphs = 2}},
};
const uint32_t figure_case_count = sizeof figure_cases / sizeof *figure_cases;

/* --- a file that grows ---------------------------------------------------------------------------
 */

typedef struct text {
    char *data;
    size_t size;
    uint32_t items;
} text;

typedef struct file {
    text nodes, meshes, skins, accessors, views, samplers, channels, roots;
    text bytes;
} file;

static void put(text *t, const void *data, size_t size)
{
    t->data = realloc(t->data, t->size + size + 1);
    if (!t->data)
        abort();
    memcpy(t->data + t->size, data, size);
    t->size += size;
    t->data[t->size] = 0;
}

__attribute__((format(TEST_PRINTF, 2, 3))) static void add(text *t, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    put(t, line, (size_t)length);
}

/* Begins the next item of a list; its number. */
static uint32_t next(text *t)
{
    if (t->items)
        add(t, ",");
    return t->items++;
}

static uint32_t view(file *f, const void *data, size_t size)
{
    while (f->bytes.size % 4)
        put(&f->bytes, "", 1);
    uint32_t number = next(&f->views);
    add(&f->views, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", f->bytes.size, size);
    put(&f->bytes, data, size);
    return number;
}

enum { BYTE = 5121, SHORT = 5122, UNSIGNED_SHORT = 5123, FLOAT = 5126 };

/* An accessor of items of so many numbers each. */
static uint32_t accessor(file *f, const void *data, size_t count, int numbers, int component,
                         bool normalised)
{
    static const char *const types[] = {[1] = "SCALAR", [3] = "VEC3", [4] = "VEC4", [16] = "MAT4"};
    size_t each = component == FLOAT ? 4 : component == BYTE ? 1 : 2;
    uint32_t where = view(f, data, count * (size_t)numbers * each), number = next(&f->accessors);
    add(&f->accessors, "{\"bufferView\":%u,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"%s}",
        where, component, count, types[numbers], normalised ? ",\"normalized\":true" : "");
    return number;
}

/* --- the figure ----------------------------------------------------------------------------------
 */

static const float quantum = 0x1p-12f;

static void place(int vertex, float wide, float position[3])
{
    int ring = vertex / FIGURE_SIDES, side = vertex % FIGURE_SIDES;
    double turn = side * (2 * 3.14159265358979 / FIGURE_SIDES);
    const double at[3] = {0.3 * wide * cos(turn), 0.5 * ring, 0.3 * wide * sin(turn)};
    for (int k = 0; k < 3; k++) /* the same number where it is a 16-bit integer */
        position[k] = (float)round(at[k] / (double)quantum) * quantum;
}

static uint32_t put_positions(file *f, const figure_def *def, float wide)
{
    float positions[FIGURE_VERTICES][3];
    int16_t whole[FIGURE_VERTICES][4] = {{0}};
    for (int v = 0; v < FIGURE_VERTICES; v++) {
        place(v, wide, positions[v]);
        for (int k = 0; k < 3; k++)
            whole[v][k] = (int16_t)(positions[v][k] / quantum);
    }
    if (!def->quantised)
        return accessor(f, positions, FIGURE_VERTICES, 3, FLOAT, false);
    uint32_t where = view(f, whole, sizeof whole), number = next(&f->accessors);
    f->views.size--; /* a stride of 8 bytes */
    add(&f->views, ",\"byteStride\":8}");
    add(&f->accessors, "{\"bufferView\":%u,\"componentType\":%d,\"count\":%d,\"type\":\"VEC3\"}",
        where, SHORT, FIGURE_VERTICES);
    return number;
}

/* A corner of the two triangles beside side s of a band. */
static uint16_t corner(int band, int side, int up)
{
    return (uint16_t)((band + up) * FIGURE_SIDES + side % FIGURE_SIDES);
}

float figure_eight_weight(int vertex, int joint)
{
    return (float)((joint + vertex / FIGURE_SIDES) % FIGURE_JOINTS + 1) / 21;
}

static void put_eight(file *f, char *out, size_t size)
{
    for (int set = 0, used = 0; set < 2; set++) {
        uint8_t joints[FIGURE_VERTICES][4] = {{0}};
        float weights[FIGURE_VERTICES][4] = {{0}};
        for (int v = 0; v < FIGURE_VERTICES; v++)
            for (int i = 0; i < 4 && 4 * set + i < FIGURE_JOINTS; i++) {
                joints[v][i] = (uint8_t)(4 * set + i);
                weights[v][i] = figure_eight_weight(v, 4 * set + i);
            }
        uint32_t j = accessor(f, joints, FIGURE_VERTICES, 4, BYTE, false);
        uint32_t w = accessor(f, weights, FIGURE_VERTICES, 4, FLOAT, false);
        used += snprintf(out + used, size - (size_t)used, ",\"JOINTS_%d\":%u,\"WEIGHTS_%d\":%u",
                         set, j, set, w);
    }
}

static void put_skin_attributes(file *f, const figure_def *def, char *out, size_t size)
{
    uint8_t joints[FIGURE_VERTICES][4] = {{0}};
    float weights[FIGURE_VERTICES][4] = {{0}};
    uint16_t whole[FIGURE_VERTICES][4] = {{0}};
    for (int v = 0; v < FIGURE_VERTICES; v++) {
        int ring = v / FIGURE_SIDES, low = ring / 2;
        float above = ring % 2 ? 0.5f : 0, scale = def->heavy ? 1.75f : 1;
        joints[v][0] = (uint8_t)low;
        joints[v][1] = (uint8_t)(ring % 2 ? low + 1 : 0);
        weights[v][0] = (1 - above) * scale;
        weights[v][1] = above * scale;
        for (int i = 0; i < 2; i++)
            whole[v][i] = (uint16_t)lround(65535 * (double)weights[v][i]);
    }
    uint32_t j = accessor(f, joints, FIGURE_VERTICES, 4, BYTE, false);
    uint32_t w = def->short_weights ? accessor(f, whole, FIGURE_VERTICES, 4, UNSIGNED_SHORT, true)
                                    : accessor(f, weights, FIGURE_VERTICES, 4, FLOAT, false);
    snprintf(out, size, ",\"JOINTS_0\":%u,\"WEIGHTS_0\":%u", j, w);
}

/* Two targets: the third ring bulges, the last one is lifted. */
static void put_targets(file *f, const figure_def *def, char *out, size_t size)
{
    uint32_t targets[2];
    for (int t = 0; t < 2; t++) {
        float all[FIGURE_VERTICES][3] = {{0}},
              *moved = all[(t ? FIGURE_RINGS - 1 : 2) * FIGURE_SIDES];
        uint16_t which[FIGURE_SIDES];
        for (int s = 0; s < FIGURE_SIDES; s++) {
            float at[3];
            place(s, 1, at);
            which[s] = (uint16_t)((t ? FIGURE_RINGS - 1 : 2) * FIGURE_SIDES + s);
            moved[s * 3] = t ? 0 : at[0];
            moved[s * 3 + 1] = t ? 0.25f : 0;
            moved[s * 3 + 2] = t ? 0 : at[2];
        }
        if (def->morphs == 1) {
            targets[t] = accessor(f, all, FIGURE_VERTICES, 3, FLOAT, false);
            continue;
        }
        uint32_t indices = view(f, which, sizeof which);
        uint32_t values = view(f, moved, sizeof(float) * 3 * FIGURE_SIDES);
        targets[t] = next(&f->accessors);
        add(&f->accessors,
            "{\"componentType\":%d,\"count\":%d,\"type\":\"VEC3\",\"sparse\":{\"count\":%d,"
            "\"indices\":{"
            "\"bufferView\":%u,\"componentType\":%d},\"values\":{\"bufferView\":%u}}}",
            FLOAT, FIGURE_VERTICES, FIGURE_SIDES, indices, UNSIGNED_SHORT, values);
    }
    snprintf(out, size, ",\"targets\":[{\"POSITION\":%u},{\"POSITION\":%u}]", targets[0],
             targets[1]);
}

static void put_primitives(file *f, const figure_def *def, const char *attributes,
                           const char *targets)
{
    uint16_t list[FIGURE_TRIANGLES * 3], strip[2 * FIGURE_SIDES + 2];
    int count = 0;
    for (int band = 0; band + 1 < FIGURE_RINGS; band++) {
        for (int s = 0; s <= FIGURE_SIDES; s++) {
            strip[2 * s] = corner(band, s, 0);
            strip[2 * s + 1] = corner(band, s, 1);
            const uint16_t two[6] = {corner(band, s, 0),     corner(band, s, 1),
                                     corner(band, s + 1, 0), corner(band, s + 1, 0),
                                     corner(band, s, 1),     corner(band, s + 1, 1)};
            if (s < FIGURE_SIDES)
                memcpy(list + count, two, sizeof two);
            count += s < FIGURE_SIDES ? 6 : 0;
        }
        if (def->strips)
            add(&f->meshes, "%s{\"mode\":5,%s,\"indices\":%u%s}", band ? "," : "", attributes,
                accessor(f, strip, 2 * FIGURE_SIDES + 2, 1, UNSIGNED_SHORT, false), targets);
    }
    if (!def->strips)
        add(&f->meshes, "{%s,\"indices\":%u%s}", attributes,
            accessor(f, list, (size_t)count, 1, UNSIGNED_SHORT, false), targets);
}

static uint32_t put_mesh(file *f, const figure_def *def, float wide)
{
    char skin[100] = "", targets[100] = "", attributes[200];
    bool morphs = def->morphs && wide == 1;
    uint32_t positions = put_positions(f, def, wide);
    if (def->eight)
        put_eight(f, skin, sizeof skin);
    else
        put_skin_attributes(f, def, skin, sizeof skin);
    if (morphs)
        put_targets(f, def, targets, sizeof targets);
    snprintf(attributes, sizeof attributes, "\"attributes\":{\"POSITION\":%u%s}", positions, skin);
    uint32_t number = next(&f->meshes);
    add(&f->meshes, "{\"primitives\":[");
    put_primitives(f, def, attributes, targets);
    add(&f->meshes, "]%s}", morphs ? ",\"weights\":[0.5,0]" : "");
    return number;
}

/* The joints stand straight above each other at rest. */
static uint32_t put_skin(file *f, const figure_def *def)
{
    float binds[FIGURE_JOINTS][16] = {{0}}, scale = def->quantised ? quantum : 1;
    for (int j = 0; j < FIGURE_JOINTS; j++) {
        binds[j][0] = binds[j][5] = binds[j][10] = scale;
        binds[j][13] = (float)-j;
        binds[j][15] = 1;
    }
    uint32_t matrices = def->no_binds ? 0 : accessor(f, binds, FIGURE_JOINTS, 16, FLOAT, false);
    uint32_t number = next(&f->skins);
    add(&f->skins, "{\"joints\":[0");
    for (int j = 1; j < FIGURE_JOINTS; j++)
        add(&f->skins, ",%d", j);
    add(&f->skins, "]");
    if (!def->no_binds)
        add(&f->skins, ",\"inverseBindMatrices\":%u", matrices);
    add(&f->skins, "}");
    return number;
}

/* --- what moves ----------------------------------------------------------------------------------
 */

static double bend(int joint, int key)
{
    static const double angles[FIGURE_KEYS] = {0, 0.2, 0.5, -0.3, 0};
    return angles[key] * (joint % 2 ? 1 : -0.7);
}

/* `each` numbers a key; a cubic spline has them between two tangents, here zero. */
static uint32_t put_keys(file *f, const figure_def *def, const float *values, int each, int type)
{
    float all[FIGURE_KEYS * 3 * 4] = {0};
    if (!def->splines)
        return accessor(f, values, (size_t)FIGURE_KEYS * each / type, type, FLOAT, false);
    for (int k = 0; k < FIGURE_KEYS; k++)
        memcpy(all + (k * 3 + 1) * each, values + k * each, sizeof(float) * (size_t)each);
    return accessor(f, all, (size_t)FIGURE_KEYS * 3 * each / type, type, FLOAT, false);
}

static void put_channel(file *f, const figure_def *def, uint32_t times, uint32_t values,
                        uint32_t node, const char *path)
{
    uint32_t sampler = next(&f->samplers);
    add(&f->samplers, "{\"input\":%u,\"output\":%u,\"interpolation\":\"%s\"}", times, values,
        def->steps     ? "STEP"
        : def->splines ? "CUBICSPLINE"
                       : "LINEAR");
    next(&f->channels);
    add(&f->channels, "{\"sampler\":%u,\"target\":{\"node\":%u,\"path\":\"%s\"}}", sampler, node,
        path);
}

static void put_clip(file *f, const figure_def *def, uint32_t shown)
{
    float times[FIGURE_KEYS], weights[FIGURE_KEYS][2];
    for (int k = 0; k < FIGURE_KEYS; k++) {
        times[k] = 0.25f * (float)k + def->later;
        weights[k][0] = 0.25f * (float)k;
        weights[k][1] = k % 2 ? 1 : 0;
    }
    uint32_t input = accessor(f, times, FIGURE_KEYS, 1, FLOAT, false);
    for (int j = 0; j < FIGURE_JOINTS; j++) {
        float rotations[FIGURE_KEYS][4] = {{0}};
        int16_t whole[FIGURE_KEYS][4] = {{0}};
        for (int k = 0; k < FIGURE_KEYS; k++)
            for (int i = 2; i < 4; i++) {
                double value = i == 2 ? sin(bend(j, k) / 2) : cos(bend(j, k) / 2);
                rotations[k][i] = (float)value;
                whole[k][i] = (int16_t)lround(32767 * value);
            }
        uint32_t values = def->short_rotations ? accessor(f, whole, FIGURE_KEYS, 4, SHORT, true)
                                               : put_keys(f, def, rotations[0], 4, 4);
        put_channel(f, def, input, values, (uint32_t)j, "rotation");
    }
    if (def->morphs && !def->no_skin)
        put_channel(f, def, input, put_keys(f, def, weights[0], 2, 1), shown, "weights");
}

/* --- nodes ---------------------------------------------------------------------------------------
 */

static uint32_t put_node(file *f, const figure_def *def, const char *name, const char *rest)
{
    uint32_t number = next(&f->nodes);
    add(&f->nodes, "{");
    if (!def->unnamed)
        add(&f->nodes, "\"name\":\"%s%u\",", def->same_names ? "same" : name,
            def->same_names ? 0 : number);
    add(&f->nodes, "%s}", rest);
    return number;
}

static uint32_t put_root(file *f, const figure_def *def, const char *name, const char *rest)
{
    uint32_t number = put_node(f, def, name, rest);
    next(&f->roots);
    add(&f->roots, "%u", number);
    return number;
}

static uint32_t put_box(file *f)
{
    static const uint16_t faces[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    float corners[8][3];
    for (int c = 0; c < 8; c++)
        for (int k = 0; k < 3; k++)
            corners[c][k] = c >> k & 1 ? 0.25f : -0.25f;
    uint32_t positions = accessor(f, corners, 8, 3, FLOAT, false);
    uint32_t indices = accessor(f, faces, 36, 1, UNSIGNED_SHORT, false), number = next(&f->meshes);
    add(&f->meshes, "{\"primitives\":[{\"attributes\":{\"POSITION\":%u},\"indices\":%u}]}",
        positions, indices);
    return number;
}

/* Nodes of joints come first, so that joint j is node j; the boxes hang at the last one. */
static void put_joints(file *f, const figure_def *def, uint32_t box)
{
    char rest[300];
    for (int j = 0; j < FIGURE_JOINTS; j++) {
        bool last = j + 1 == FIGURE_JOINTS;
        int used = snprintf(rest, sizeof rest, "\"translation\":[0,%d,0]", j ? 1 : 0);
        if (!last || def->boxes)
            snprintf(rest + used, sizeof rest - (size_t)used,
                     last ? ",\"children\":[%d,%d]" : ",\"children\":[%d]", j + 1, j + 2);
        (j ? put_node : put_root)(f, def, "joint", rest);
    }
    if (!def->boxes)
        return;
    static const char *const boxes[FIGURE_BOXES] = {
        "\"translation\":[1,0,0],\"scale\":[3,0.5,1],\"mesh\":%u",
        "\"translation\":[-1,0.5,0],\"scale\":[-1,1,1],\"children\":[8],\"mesh\":%u",
        "\"translation\":[0.5,0.25,0],\"rotation\":[0,0,0.6,0.8],\"mesh\":%u"};
    for (int b = 0; b < FIGURE_BOXES; b++) {
        snprintf(rest, sizeof rest, boxes[b], box);
        put_node(f, def, "box", rest);
    }
}

static uint32_t put_shown(file *f, const figure_def *def, uint32_t mesh, uint32_t skin)
{
    char rest[100];
    snprintf(rest, sizeof rest, "\"mesh\":%u,\"skin\":%u", mesh, skin);
    return put_root(f, def, "shown", rest);
}

static void put_file(file *f, const figure_def *def)
{
    uint32_t shown = 0;
    put_joints(f, def, 0);
    if (def->boxes)
        put_box(f);
    if (!def->no_skin) {
        uint32_t mesh = put_mesh(f, def, 1), skin = put_skin(f, def);
        shown = put_shown(f, def, mesh, skin);
        if (def->twice)
            put_shown(f, def, mesh, skin);
        if (def->second_skin)
            put_shown(f, def, put_mesh(f, def, 0.5f), put_skin(f, def));
    }
    put_clip(f, def, shown);
}

static void put_u32(text *t, uint32_t value)
{
    const unsigned char bytes[4] = {(unsigned char)value, (unsigned char)(value >> 8),
                                    (unsigned char)(value >> 16), (unsigned char)(value >> 24)};
    put(t, bytes, 4);
}

unsigned char *figure_glb(const figure_def *def, size_t *size)
{
    file f = {.nodes = {0}};
    text json = {0}, whole = {0};
    put_file(&f, def);
    while (f.bytes.size % 4)
        put(&f.bytes, "", 1);
    const struct {
        const char *name;
        text *list;
    } lists[] = {{"nodes", &f.nodes},
                 {"meshes", &f.meshes},
                 {"skins", &f.skins},
                 {"accessors", &f.accessors},
                 {"bufferViews", &f.views}};
    add(&json, "{\"asset\":{\"version\":\"2.0\"},%s\"scene\":0,\"scenes\":[{\"nodes\":[",
        def->quantised ? "\"extensionsUsed\":[\"KHR_mesh_quantization\"],\"extensionsRequired\":["
                         "\"KHR_mesh_quantization\"],"
                       : "");
    put(&json, f.roots.data, f.roots.size);
    add(&json, "]}],\"animations\":[{\"name\":\"bend\",\"samplers\":[");
    put(&json, f.samplers.data, f.samplers.size);
    add(&json, "],\"channels\":[");
    put(&json, f.channels.data, f.channels.size);
    add(&json, "]}]");
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (lists[i].list->items) {
            add(&json, ",\"%s\":[", lists[i].name);
            put(&json, lists[i].list->data, lists[i].list->size);
            add(&json, "]");
        }
    add(&json, ",\"buffers\":[{\"byteLength\":%zu}]}", f.bytes.size);
    while (json.size % 4)
        put(&json, " ", 1);
    put(&whole, "glTF", 4);
    put_u32(&whole, 2);
    put_u32(&whole, (uint32_t)(28 + json.size + f.bytes.size));
    put_u32(&whole, (uint32_t)json.size);
    put(&whole, "JSON", 4);
    put(&whole, json.data, json.size);
    put_u32(&whole, (uint32_t)f.bytes.size);
    put(&whole, "BIN", 4);
    put(&whole, f.bytes.data, f.bytes.size);
    text *const all[] = {&f.nodes,    &f.meshes,   &f.skins, &f.accessors, &f.views,
                         &f.samplers, &f.channels, &f.roots, &f.bytes,     &json};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]->data);
    *size = whole.size;
    return (unsigned char *)whole.data;
}
