/* For the tests of compressed files: are two rigs the same, and is a bad file refused as it ought
 * to be?
 */
#ifndef GRAZE_TESTS_PACKED_SUPPORT_H
#define GRAZE_TESTS_PACKED_SUPPORT_H

#include "gltf_support.h"
#include "harness.h"
#include "packed/pack.h"
#include "support/allocator.h"

static inline graze_rig *load_bytes(const void *data, size_t size, const char *what)
{
    graze_rig *rig = NULL;
    graze_error error = {GRAZE_OK, ""};
    graze_gltf_parse(data, size, NULL, what, NULL, &rig, &error);
    CHECK_MSG(rig != NULL, "%s", error.text);
    return rig;
}

/* Is a the same triangle as b, perhaps beginning with another corner? */
static inline bool same_triangle(const uint32_t *a, const uint32_t *b)
{
    for (int first = 0; first < 3; first++)
        if (a[0] == b[first] && a[1] == b[(first + 1) % 3] && a[2] == b[(first + 2) % 3])
            return true;
    return false;
}

static inline bool same_triangles(const graze_rig *a, const graze_rig *b, bool turned)
{
    bool same = a->triangle_count == b->triangle_count;
    for (uint32_t t = 0; same && t < a->triangle_count; t++)
        same = turned ? same_triangle(a->triangles + t * 3, b->triangles + t * 3)
                      : memcmp(a->triangles + t * 3, b->triangles + t * 3, 12) == 0;
    return same;
}

static inline bool same_skin(const graze_rig *a, const graze_rig *b)
{
    uint32_t count = a->influence_offsets[a->vertex_count];
    return memcmp(a->influence_offsets, b->influence_offsets, (a->vertex_count + 1u) * 4) == 0 &&
           memcmp(a->influences, b->influences, count * sizeof *a->influences) == 0;
}

static inline bool same_morphs(const graze_rig *a, const graze_rig *b)
{
    bool same = a->morph_count == b->morph_count;
    for (uint32_t m = 0; same && m < a->morph_count; m++) {
        const graze_rig_morph *x = &a->morphs[m], *y = &b->morphs[m];
        same = x->count == y->count && x->weight == y->weight &&
               memcmp(x->vertices, y->vertices, x->count * sizeof *x->vertices) == 0 &&
               memcmp(x->deltas, y->deltas, x->count * 3 * sizeof *x->deltas) == 0;
    }
    return same;
}

/* The joints and morph weights of some moments of every clip, bit for bit. */
static inline bool same_motion(const graze_rig *a, const graze_rig *b)
{
    size_t joints = (size_t)a->joint_count * 12, morphs = a->morph_count;
    float *values = malloc((joints + morphs + 1) * 2 * sizeof *values);
    bool same = a->joint_count == b->joint_count && a->clip_count == b->clip_count;
    for (uint32_t clip = 0; same && clip < a->clip_count; clip++) {
        for (int i = 0; same && i < 7; i++) {
            double time = a->clips[clip].seconds * i / 5.7;
            float *x = values, *y = values + joints + morphs + 1;
            same = graze_rig_sample(a, clip, time, x, x + joints) == GRAZE_OK &&
                   graze_rig_sample(b, clip, time, y, y + joints) == GRAZE_OK &&
                   memcmp(x, y, (joints + morphs) * sizeof *x) == 0;
        }
    }
    free(values);
    return same;
}

static inline void expect_same(const graze_rig *a, const graze_rig *b, bool turned,
                               const char *what)
{
    if (!a || !b)
        return; /* load_bytes has said so */
    CHECK_MSG(a->vertex_count == b->vertex_count &&
                  memcmp(a->positions, b->positions, a->vertex_count * 12) == 0,
              "%s: positions differ", what);
    CHECK_MSG(same_triangles(a, b, turned), "%s: triangles differ", what);
    CHECK_MSG(a->vertex_count == b->vertex_count && same_skin(a, b), "%s: weights differ", what);
    CHECK_MSG(same_morphs(a, b), "%s: morphs differ", what);
    CHECK_MSG(same_motion(a, b), "%s: motion differs", what);
}

/* Parses and checks what must hold whatever the outcome: one line, no memory left, and a rig that
 * is in order if there is one.
 */
static inline graze_status parse_any(const void *data, size_t size, const char *what,
                                     char text[256])
{
    test_memory memory = {0};
    graze_allocator allocator = test_memory_allocator(&memory);
    graze_rig *rig = NULL;
    graze_error error = {GRAZE_OK, ""};
    graze_status status = graze_gltf_parse(data, size, NULL, "bad.glb", &allocator, &rig, &error);
    if (status == GRAZE_OK) {
        for (uint32_t i = 0; i < rig->triangle_count * 3; i++)
            CHECK_MSG(rig->triangles[i] < rig->vertex_count, "%s: vertex out of range", what);
        graze_rig_destroy(rig);
    } else {
        CHECK_MSG(rig == NULL && strncmp(error.text, "bad.glb: ", 9) == 0, "%s: '%s'", what,
                  error.text);
        CHECK_MSG(!strpbrk(error.text, "\n\r\t"), "%s: more than one line: %s", what, error.text);
    }
    CHECK_MSG(memory.alive == 0, "%s: %llu blocks leaked", what, (unsigned long long)memory.alive);
    snprintf(text, 256, "%s", error.text);
    return status;
}

/* Every allocation fails once: then the file is refused for that, and nothing is left. */
static inline void fail_allocations(const void *data, size_t size, uint64_t least)
{
    graze_status status = GRAZE_OUT_OF_MEMORY;
    uint64_t fail_at = 0;
    while (status == GRAZE_OUT_OF_MEMORY && fail_at < 10000) {
        test_memory memory = {.fail_at = ++fail_at};
        graze_allocator allocator = test_memory_allocator(&memory);
        graze_rig *rig = NULL;
        status = graze_gltf_parse(data, size, NULL, "memory", &allocator, &rig, NULL);
        if (status == GRAZE_OK)
            graze_rig_destroy(rig);
        CHECK_MSG(memory.alive == 0 && !memory.misused, "allocation %llu: a block is left",
                  (unsigned long long)fail_at);
    }
    CHECK_MSG(status == GRAZE_OK && fail_at > least, "%s after %llu allocations",
              graze_status_name(status), (unsigned long long)fail_at);
}

/* The file with the first from in its JSON replaced by to, and to's JSON padded; must be freed. */
static inline unsigned char *edit_json(const unsigned char *file, size_t size, const char *from,
                                       const char *to, size_t *edited_size)
{
    glb_parts parts = glb_open(file, size);
    char *text = cJSON_PrintUnformatted(parts.json), *hit = strstr(text, from);
    char *changed = malloc(strlen(text) + strlen(to) + 1);
    CHECK_MSG(hit != NULL, "no '%s' to edit", from);
    if (hit)
        sprintf(changed, "%.*s%s%s", (int)(hit - text), text, to, hit + strlen(from));
    small_file out = small_frame(hit ? changed : text, parts.data, parts.size);
    cJSON_Delete(parts.json);
    free(parts.data);
    free(text);
    free(changed);
    *edited_size = out.size;
    return out.data;
}

/* One edit of the JSON text, and what must come of it. */
typedef struct packed_case {
    const char *from, *to;
    graze_status status;
    const char *mentions;
} packed_case;

static inline void expect_cases(const unsigned char *file, size_t size, const packed_case *cases,
                                size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[256];
        size_t edited_size;
        unsigned char *edited = edit_json(file, size, cases[i].from, cases[i].to, &edited_size);
        graze_status status = parse_any(edited, edited_size, cases[i].to, text);
        CHECK_MSG(status == cases[i].status && strstr(text, cases[i].mentions),
                  "%s -> %s: %s, '%s'", cases[i].from, cases[i].to, graze_status_name(status),
                  text);
        free(edited);
    }
}

/* Every byte from `first` on of the file changed, in a few ways; says how many were refused. */
static inline uint32_t try_changes(const unsigned char *file, size_t size, size_t first,
                                   uint32_t step)
{
    static const unsigned char ways[] = {0x01, 0x80, 0xFF, 0x10};
    unsigned char *changed = malloc(size);
    uint32_t refused = 0;
    char text[256];
    memcpy(changed, file, size);
    for (size_t i = first; i < size; i += step) {
        for (size_t w = 0; w < sizeof ways; w++) {
            changed[i] = file[i] ^ ways[w];
            refused += parse_any(changed, size, "a changed byte", text) != GRAZE_OK;
        }
        changed[i] = file[i];
    }
    free(changed);
    return refused;
}

#endif
