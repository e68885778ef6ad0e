/* States of graze simulate. An input that starts with 'H' is a head and a state, around which the
 * file is made; one that starts with 'E' lists edits of a state that was saved, places of two bytes
 * and what to put there in eight; checksums are made right, or no input would get beyond them. Any
 * other is a file as it is.
 */
#include "support.h"

#include "cli/simulate_state.h"

#include <stdlib.h>
#include <string.h>

static uint64_t take_word(const unsigned char *bytes)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

static void put_word(unsigned char *bytes, uint64_t word)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
}

static void read_file(const void *bytes, size_t size)
{
    simulate_state state;
    const char *path = fuzz_file(bytes, size);
    fuzz_limit_memory(size);
    bool read = simulate_state_read(&state, path);
    if (read == (fuzz_take_line()[0] != 0))
        abort();
    if (read && ((uint32_t)state.options.scene >= SIMULATE_SCENE_COUNT || !state.options.count))
        abort();
    if (read)
        simulate_state_free(&state);
    fuzz_end_limit();
}

/* Magic, version, head, size, state, checksum: FNV-1a. */
static void read_framed(const uint8_t *input, size_t size)
{
    enum { NUMBERS = 36, HEAD = 12 + NUMBERS + 8 };
    size_t inside = size > NUMBERS ? size - NUMBERS : 0;
    unsigned char *file = calloc(1, HEAD + inside + 8);
    uint64_t hash = 0xcbf29ce484222325;
    memcpy(file, "GRAZESIM\1", 9);
    memcpy(file + 12, input, size < NUMBERS ? size : NUMBERS);
    put_word(file + 12 + NUMBERS, inside);
    if (inside)
        memcpy(file + HEAD, input + NUMBERS, inside);
    for (size_t i = 0; i < HEAD + inside; i++)
        hash = (hash ^ file[i]) * 0x100000001b3;
    put_word(file + HEAD + inside, hash);
    read_file(file, HEAD + inside + 8);
    free(file);
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 32;
}

static simulate_scene *scene;
static unsigned char *saved, *edited;
static size_t count;

int LLVMFuzzerInitialize(int *argument_count, char ***arguments);

int LLVMFuzzerInitialize(int *argument_count, char ***arguments)
{
    const simulate_options options = {.count = 3, .triangles = 400, .rigid = true};
    (void)argument_count, (void)arguments;
    if (simulate_scene_create(&options, &scene, NULL) || graze_sim_step(scene->sim, NULL, 60, NULL))
        abort();
    saved = malloc(graze_sim_state_bytes(scene->sim));
    if (graze_sim_save(scene->sim, saved, graze_sim_state_bytes(scene->sim), &count, NULL))
        abort();
    edited = malloc(count);
    return 0;
}

static void load_edited(const uint8_t *input, size_t size)
{
    memcpy(edited, saved, count);
    for (; size >= 10; input += 10, size -= 10) {
        size_t at = (input[0] | (size_t)input[1] << 8) % (count / 8 - 1) * 8;
        memcpy(edited + at, input + 2, 8);
    }
    uint64_t hash = mix(5, count - 8);
    for (size_t at = 0; at < count - 8; at += 8)
        hash = mix(hash, take_word(edited + at));
    put_word(edited + count - 8, hash);
    fuzz_limit_memory(count);
    if (!graze_sim_load(scene->sim, edited, count, NULL))
        graze_sim_step(scene->sim, NULL, 2, NULL);
    if (graze_sim_load(scene->sim, saved, count, NULL))
        abort();
    fuzz_end_limit();
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    if (size > 0 && input[0] == 'E')
        load_edited(input + 1, size - 1);
    else if (size > 0 && input[0] == 'H')
        read_framed(input + 1, size - 1);
    else
        read_file(input, size);
    return 0;
}
