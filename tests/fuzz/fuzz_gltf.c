/* Any bytes as a glTF file: parsed, and if that succeeds checked and sampled.
 *
 * An input that starts with 'J' is JSON text, a zero byte, and binary data, framed as a GLB here,
 * so that mutations need not keep lengths right; every other input goes to the parser as it is.
 */
#include "support.h"

#include <graze/gltf.h>

#include <stdlib.h>
#include <string.h>

static void *counted_allocate(void *user, size_t size, size_t alignment)
{
    void *block = NULL;
    if (posix_memalign(&block, alignment, size) != 0)
        return NULL;
    ++*(long *)user;
    return block;
}

static void counted_release(void *user, void *block)
{
    --*(long *)user;
    free(block);
}

static void put_u32(unsigned char *bytes, size_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
}

/* Frames text, zero, data as a GLB of *framed bytes; must be freed. */
static unsigned char *frame(const uint8_t *input, size_t size, size_t *framed)
{
    const uint8_t *zero = size ? memchr(input, 0, size) : NULL;
    size_t text = zero ? (size_t)(zero - input) : size;
    size_t padded = (text + 3) / 4 * 4, data = zero ? size - text - 1 : 0;
    unsigned char *glb = malloc(28 + padded + data);
    *framed = 28 + padded + data;
    memcpy(glb, "glTF", 4);
    put_u32(glb + 4, 2);
    put_u32(glb + 8, *framed);
    put_u32(glb + 12, padded);
    memcpy(glb + 16, "JSON", 4);
    memset(glb + 20, ' ', padded);
    if (text)
        memcpy(glb + 20, input, text);
    put_u32(glb + 20 + padded, data);
    memcpy(glb + 24 + padded, "BIN", 4);
    if (data)
        memcpy(glb + 28 + padded, zero + 1, data);
    return glb;
}

static void check_rig(const graze_rig *rig)
{
    for (size_t i = 0; i < (size_t)rig->triangle_count * 3; i++)
        if (rig->triangles[i] >= rig->vertex_count)
            abort();
    for (uint32_t i = 0; i < rig->influence_offsets[rig->vertex_count]; i++)
        if (rig->influences[i].joint >= rig->joint_count)
            abort();
    for (uint32_t m = 0; m < rig->morph_count; m++)
        for (uint32_t i = 0; i < rig->morphs[m].count; i++)
            if (rig->morphs[m].vertices[i] >= rig->vertex_count)
                abort();
}

static void sample(const graze_rig *rig)
{
    float *joints = malloc((size_t)rig->joint_count * 12 * sizeof *joints);
    float *weights = malloc((rig->morph_count + 1u) * sizeof *weights);
    for (uint32_t clip = 0; clip <= rig->clip_count && clip < 8; clip++) {
        uint32_t chosen = clip < rig->clip_count ? clip : GRAZE_NONE;
        for (int i = 0; i < 5; i++) {
            graze_status status = graze_rig_sample(rig, chosen, i * 0.37 - 0.1, joints, weights);
            if (status != GRAZE_OK && status != GRAZE_OUT_OF_MEMORY)
                abort();
        }
    }
    free(joints);
    free(weights);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    long live = 0;
    graze_allocator allocator = {counted_allocate, counted_release, &live};
    graze_rig *rig = NULL;
    graze_error error = {GRAZE_OK, ""};
    bool is_parts = size > 0 && input[0] == 'J';
    size_t framed = size;
    unsigned char *glb = is_parts ? frame(input + 1, size - 1, &framed) : NULL;
    fuzz_limit_memory(framed);
    graze_status status =
        graze_gltf_parse(glb ? glb : input, framed, NULL, "fuzz", &allocator, &rig, &error);
    fuzz_end_limit();
    if (status == GRAZE_OK) {
        check_rig(rig);
        sample(rig);
        graze_rig_destroy(rig);
    } else if (error.status != status || error.text[0] == 0 || strchr(error.text, '\n')) {
        abort();
    }
    if (live != 0)
        abort();
    free(glb);
    return 0;
}
