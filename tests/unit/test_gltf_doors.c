/* What a file may ask for: memory by its size, bytes of regular files alone; and what is read
 * although it is wrong, which is told.
 */
#include "gltf_support.h"
#include "harness.h"
#include "support/command.h"
#include "support/isolated.h"
#include "support/own.h"

#include <sys/stat.h>
#include <unistd.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* ---- memory --------------------------------------------------------------------------------- */

/* Counts what is taken, and has no more than 1 GiB. */
typedef struct counted_memory {
    size_t alive, most;
} counted_memory;

static void *take_counted(void *user, size_t size, size_t alignment)
{
    counted_memory *memory = user;
    size_t *block = NULL;
    if (size > ((size_t)1 << 30) - memory->alive ||
        posix_memalign((void **)&block, alignment, size + 64))
        return NULL;
    memory->alive += size;
    memory->most = memory->alive > memory->most ? memory->alive : memory->most;
    *block = size;
    return (char *)block + 64;
}

static void release_counted(void *user, void *block)
{
    OWNED size_t *start = (size_t *)((char *)block - 64);
    ((counted_memory *)user)->alive -= *start;
}

static graze_status parse_counted(const small_file *file, uint64_t limit, counted_memory *memory,
                                  graze_error *error)
{
    graze_allocator allocator = {take_counted, release_counted, memory};
    graze_gltf_load_def def = {.allocator = &allocator, .max_memory = limit};
    graze_rig *rig = NULL;
    *memory = (counted_memory){0, 0};
    *error = (graze_error){GRAZE_OK, ""};
    graze_status status =
        graze_gltf_parse_with(file->data, file->size, NULL, "big.glb", &def, &rig, error);
    graze_rig_destroy(rig);
    CHECK(memory->alive == 0);
    return status;
}

#define SPARSE(count, type)                                                                        \
    "{\"componentType\":5126,\"count\":" #count ",\"type\":\"" type                                \
    "\",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":1,\"componentType\":5123},"            \
    "\"values\":{\"bufferView\":0}}}"

/* A thousand bytes each, and gigabytes to ask for. */
TEST(a_small_file_may_not_ask_for_gigabytes)
{
    static const char positions[] = SMALL_ACCESSOR(0, 5126, 4, "VEC3");
    static const char indices[] = SMALL_ACCESSOR(1, 5123, 6, "SCALAR");
    static const char times[] = SMALL_ACCESSOR(5, 5126, 3, "SCALAR");
    static const struct {
        const char *from, *to, *place;
    } cases[] = {
        {positions, SPARSE(2000000000, "VEC3"), "meshes[0].primitives[0]: "},
        {positions, SPARSE(21000000, "VEC3"), "meshes[0].primitives[0]: "},
        {indices,
         "{\"componentType\":5125,\"count\":2000000001,\"type\":\"SCALAR\",\"sparse\":{\"count\":1,"
         "\"indices\":{\"bufferView\":1,\"componentType\":5123},\"values\":{\"bufferView\":0}}}",
         "meshes[0].primitives[0]: "},
        {times, SPARSE(1500000000, "SCALAR"), "animations[0].channels[0]: "},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        counted_memory memory;
        graze_error error;
        small_file file = small_glb(&small_values, cases[i].from, cases[i].to);
        graze_status status = parse_counted(&file, 0, &memory, &error);
        CHECK_MSG(status == GRAZE_OUT_OF_MEMORY && strstr(error.text, cases[i].place) &&
                      strstr(error.text, "limit for one of its size is 268435456"),
                  "case %zu: %s, '%s'", i, graze_status_name(status), error.text);
        CHECK_MSG(memory.most <= (size_t)256 << 20, "case %zu: took %zu bytes", i, memory.most);
        free(file.data);
    }
}

TEST(a_limit_that_is_given_holds)
{
    counted_memory memory;
    graze_error error;
    small_file file =
        small_glb(&small_values, SMALL_ACCESSOR(0, 5126, 4, "VEC3"), SPARSE(4, "VEC3"));
    CHECK(parse_counted(&file, 0, &memory, &error) == GRAZE_OK);
    size_t needed = memory.most;
    uint64_t least = 0;
    for (uint64_t limit = 1000; limit < 200000 && !least; limit += 1000) {
        graze_status status = parse_counted(&file, limit, &memory, &error);
        CHECK(memory.most <= limit);
        if (status == GRAZE_OK)
            least = limit;
        else
            CHECK(status == GRAZE_OUT_OF_MEMORY && strstr(error.text, "and the limit is "));
    }
    /* with the tree of the text, that the allocator does not see */
    CHECK_MSG(least >= needed && least > 20000 && least < 60000, "%llu for %zu",
              (unsigned long long)least, needed);
    free(file.data);
}

TEST(a_limit_above_the_usual_lets_in_more)
{
    counted_memory memory;
    graze_error error;
    small_file file =
        small_glb(&small_values, SMALL_ACCESSOR(7, 5126, 4, "VEC3"), SPARSE(4, "VEC3"));
    CHECK(parse_counted(&file, (uint64_t)1 << 40, &memory, &error) == GRAZE_OK);
    free(file.data);
    file = small_glb(&small_values, SMALL_ACCESSOR(0, 5126, 4, "VEC3"), SPARSE(400000000, "VEC3"));
    CHECK(parse_counted(&file, (uint64_t)1 << 40, &memory, &error) == GRAZE_OUT_OF_MEMORY);
    CHECK(!strstr(error.text, "limit")); /* the allocator's own */
    free(file.data);
}

/* ---- what is no file ------------------------------------------------------------------------- */

static bool is_refused(void *user)
{
    graze_rig *rig = NULL;
    graze_error error = {GRAZE_OK, ""};
    const char *const *words = user;
    graze_status status = graze_gltf_load(words[0], NULL, &rig, &error);
    graze_rig_destroy(rig);
    bool good = status == GRAZE_IO_ERROR && strstr(error.text, words[1]);
    if (!good)
        printf("%s: %s, '%s'\n", words[0], graze_status_name(status), error.text);
    return good;
}

static void write_model(const char *path, const char *uri)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL);
    fprintf(file, "%s,\"uri\":\"%s\"}]}", small_json, uri);
    fclose(file);
}

TEST(pipes_and_devices_are_no_files)
{
    static const char *const buffers[] = {"pipe", "zero"};
    const char *how = NULL;
    char text[3][512];
    for (int i = 0; i < 2; i++)
        snprintf(text[i], sizeof text[i], "%s", scratch_path(i, buffers[i]));
    unlink(text[0]);
    unlink(text[1]);
    REQUIRE(mkfifo(text[0], 0600) == 0 && symlink("/dev/zero", text[1]) == 0);
    snprintf(text[2], sizeof text[2], "%s", scratch_path(2, "model.gltf"));
    const char *direct[][2] = {{text[0], ": is a pipe, not a file"},
                               {text[1], ": is a device, not a file"}};
    for (int i = 0; i < 2; i++) {
        const char *inside[2] = {text[2], i ? "is a device, not a file" : "is a pipe, not a file"};
        CHECK_MSG(test_isolated(is_refused, direct[i], 10, &how), "%s: %s", direct[i][0], how);
        write_model(text[2], strrchr(text[i], '/') + 1);
        CHECK_MSG(test_isolated(is_refused, inside, 10, &how), "buffer %s: %s", buffers[i], how);
    }
    for (int i = 0; i < 3; i++)
        unlink(text[i]);
}

/* A hundred megabytes, of which 388 bytes are the buffer. */
TEST(no_more_of_a_buffer_is_read_than_its_length)
{
    char data[512], model[512];
    counted_memory memory = {0, 0};
    graze_allocator allocator = {take_counted, release_counted, &memory};
    graze_rig *rig = NULL;
    graze_error error = {GRAZE_OK, ""};
    snprintf(data, sizeof data, "%s", scratch_path(0, "long.bin"));
    snprintf(model, sizeof model, "%s", scratch_path(1, "model.gltf"));
    REQUIRE(write_whole_file(data, &small_values, sizeof small_values));
    REQUIRE(truncate(data, 100 << 20) == 0);
    write_model(model, strrchr(data, '/') + 1);
    CHECK_MSG(graze_gltf_load(model, &allocator, &rig, &error) == GRAZE_OK, "%s", error.text);
    CHECK_MSG(memory.most < 1 << 20, "%zu bytes", memory.most);
    graze_rig_destroy(rig);
    unlink(data);
    unlink(model);
}

/* ---- warnings -------------------------------------------------------------------------------- */

typedef struct told {
    char text[4][400];
    int count;
} told;

static void tell(void *user, const char *text)
{
    told *all = user;
    if (all->count < 4)
        snprintf(all->text[all->count], sizeof *all->text, "%s", text);
    all->count++;
}

static graze_rig *parse_told(const small_file *file, told *all)
{
    graze_gltf_load_def def = {.warn = tell, .warn_user = all};
    graze_error error = {GRAZE_OK, ""};
    graze_rig *rig = NULL;
    all->count = 0;
    graze_gltf_parse_with(file->data, file->size, NULL, "odd.glb", &def, &rig, &error);
    CHECK_MSG(rig != NULL, "%s", error.text);
    return rig;
}

TEST(a_good_file_has_no_warnings)
{
    told all;
    small_file file = small_glb(&small_values, NULL, NULL);
    graze_rig_destroy(parse_told(&file, &all));
    CHECK(all.count == 0);
    free(file.data);
}

/* The middle of three keys is at the time of the last: the turn goes on to the middle one's value,
 * and from that time on it is the last one's.
 */
TEST(keys_at_one_time)
{
    small_data values = small_values;
    told all;
    float before[24], at[24], after[24];
    values.times[1] = values.times[2];
    small_file file = small_glb(&values, NULL, NULL);
    graze_rig *rig = parse_told(&file, &all);
    REQUIRE(rig != NULL && all.count == 1);
    CHECK_MSG(strncmp(all.text[0], "odd.glb: accessors[5]: key 2 ", 29) == 0, "%s", all.text[0]);
    CHECK(!graze_rig_sample(rig, 0, 1.9999999, before, NULL));
    CHECK(!graze_rig_sample(rig, 0, 2, at, NULL) && !graze_rig_sample(rig, 0, 3, after, NULL));
    /* the knee's x axis: a quarter turn about z before, a half turn from there on */
    CHECK_MSG(before[12] > -1e-4f && before[12] < 1e-4f && before[16] > 0.999f, "%g %g", before[12],
              before[16]);
    CHECK(at[12] < -0.999f && memcmp(at, after, sizeof at) == 0);
    graze_rig_destroy(rig);
    free(file.data);
    values.times[0] = values.times[1]; /* all three */
    file = small_glb(&values, NULL, NULL);
    rig = parse_told(&file, &all);
    REQUIRE(rig != NULL && all.count == 1 && strstr(all.text[0], "more)"));
    CHECK(!graze_rig_sample(rig, 0, 2, at, NULL) && memcmp(at, after, sizeof at) == 0);
    CHECK(!graze_rig_sample(rig, 0, 1, before, NULL) && before[12] > 0.999f);
    graze_rig_destroy(rig);
    free(file.data);
}

/* ---- nodes that are not shown ---------------------------------------------------------------- */

#define VISIBLE(truth) ",\"extensions\":{\"KHR_node_visibility\":{\"visible\":" truth "}}}"
#define SHOWN "{\"mesh\":0,\"skin\":0"
#define SQUARE "{\"name\":\"square\",\"mesh\":0,\"skin\":0}"
#define KNEE "\"rotation\":[0,0,0,1]}"

/* Squares at and below a hidden node are left out; a joint that is hidden still moves the rest. */
TEST(hidden_nodes_are_left_out)
{
    static const struct {
        const char *from, *to;
        uint32_t squares, hidden;
    } cases[] = {
        {SQUARE, SHOWN ",\"children\":[3]}," SHOWN "}", 2, 0},
        {SQUARE, SHOWN ",\"children\":[3]}," SHOWN VISIBLE("true"), 2, 0},
        {SQUARE, SHOWN ",\"children\":[3]}," SHOWN VISIBLE("false"), 1, 1},
        {SQUARE,
         SHOWN ",\"children\":[3,4]}," SHOWN "}," SHOWN
               ",\"children\":[5]" VISIBLE("false") "," SHOWN VISIBLE("true"),
         2, 2},
        {KNEE, "\"rotation\":[0,0,0,1]" VISIBLE("false"), 1, 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char json[2 * sizeof small_json];
        const char *hit = strstr(small_json, cases[i].from);
        sprintf(json, "{\"extensionsRequired\":[\"KHR_node_visibility\"],%.*s%s%s}]}",
                (int)(hit - small_json) - 1, small_json + 1, cases[i].to,
                hit + strlen(cases[i].from));
        small_file file = small_frame(json, &small_values, sizeof small_values);
        told all;
        graze_rig *rig = parse_told(&file, &all);
        REQUIRE(rig != NULL);
        CHECK_MSG(rig->vertex_count == 4 * cases[i].squares && rig->joint_count == 2,
                  "case %zu: %u vertices, %u joints", i, rig->vertex_count, rig->joint_count);
        CHECK_MSG(all.count == (cases[i].hidden > 0), "case %zu: %d warnings", i, all.count);
        CHECK_MSG(!all.count || (strstr(all.text[0], "is hidden by KHR_node_visibility") &&
                                 !strstr(all.text[0], "1 more") == (cases[i].hidden == 1)),
                  "case %zu: %s", i, all.text[0]);
        graze_rig_destroy(rig);
        free(file.data);
    }
}

/* ---- texts ----------------------------------------------------------------------------------- */

TEST(names_are_utf8)
{
    static const struct {
        const char *in, *out;
    } cases[] = {
        {"b\xC3\xA9nd", "b\xC3\xA9nd"},
        {"\xF0\x9F\x8D\x83 \xEF\xBF\xBF \xF4\x8F\xBF\xBF",
         "\xF0\x9F\x8D\x83 \xEF\xBF\xBF \xF4\x8F\xBF\xBF"},
        {"b\xE9nd", "b\xEF\xBF\xBDnd"},
        {"\xC3", "\xEF\xBF\xBD"},
        {"\xC0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"\xF4\x90\x80\x80!", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD!"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char to[64];
        told all;
        snprintf(to, sizeof to, "\"name\":\"%s\"", cases[i].in);
        small_file file = small_glb(&small_values, "\"name\":\"bend\"", to);
        graze_rig *rig = parse_told(&file, &all);
        REQUIRE(rig != NULL);
        CHECK_MSG(strcmp(rig->clips[0].name, cases[i].out) == 0, "case %zu: %s", i,
                  rig->clips[0].name);
        CHECK_MSG(all.count == (strcmp(cases[i].in, cases[i].out) != 0), "case %zu", i);
        CHECK(!all.count || strstr(all.text[0], "odd.glb: animations[0]: a text is not UTF-8"));
        graze_rig_destroy(rig);
        free(file.data);
    }
}

/* ---- the command ----------------------------------------------------------------------------- */

static command_result info(const char *path, const char *option, const char *value)
{
    const char *const arguments[] = {"info", path, "--json", "--no-times", option, value, NULL};
    return command_run(GRAZE_COMMAND, arguments);
}

TEST(the_command_warns_and_limits)
{
    small_data values = small_values;
    values.times[1] = values.times[2];
    small_file file = small_glb(&values, NULL, NULL);
    char path[400];
    snprintf(path, sizeof path, "%s", scratch_path(0, "odd.glb"));
    REQUIRE(write_whole_file(path, file.data, file.size));
    free(file.data);
    command_result odd = info(path, NULL, NULL);
    CHECK_MSG(odd.code == 0 && strstr(odd.err, "graze: warning: ") &&
                  strstr(odd.err, "odd.glb: accessors[5]: key 2 "),
              "%d: %s", odd.code, odd.err);

    file = small_glb(&small_values, SMALL_ACCESSOR(7, 5126, 4, "VEC3"), SPARSE(30000000, "VEC3"));
    REQUIRE(write_whole_file(path, file.data, file.size));
    free(file.data);
    odd = info(path, "--max-memory", "400");
    CHECK_MSG(odd.code == 2 && strstr(odd.err, "30000000 displacements"), "%d: %s", odd.code,
              odd.err);
    file = small_glb(&small_values, SMALL_ACCESSOR(0, 5126, 4, "VEC3"), SPARSE(30000000, "VEC3"));
    REQUIRE(write_whole_file(path, file.data, file.size));
    free(file.data);
    odd = info(path, NULL, NULL);
    CHECK_MSG(odd.code == 2 && strstr(odd.err, "and the limit for one of its size is 268435456; "
                                               "--max-memory sets another"),
              "%d: %s", odd.code, odd.err);
    CHECK(count_lines(odd.err) == 1);
    odd = info(path, "--max-memory", "100");
    CHECK_MSG(strstr(odd.err, "and the limit is 104857600; --max-memory"), "%s", odd.err);
}
