/* What is wrong is refused by the graze command: exit code 2, one line on standard error, nothing
 * on standard output, nothing half-written.
 */
#include "harness.h"
#include "support/command.h"
#include "support/quick.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The smallest skinned character there is. */
#define DWARF SYNTH("dwarf", "600")

static void refused_as(const char *what, command_result run)
{
    CHECK_MSG(run.code == 2, "%s", what);
    check_refused(&run, "", __FILE__, __LINE__);
}

/* ---- usage -------------------------------------------------------------------------------- */

TEST(bad_usage)
{
    static const char *const lines[][6] = {
        {"fly"},
        {"--fly"},
        {"info"},
        {"collide"},
        {"pose"},
        {"synth"},
        {"info", "--fly"},
        {"bench", "no-such-table"},
        {"demo", "no-such-scene"},
        {"synth", "unicorn", "-o", "unicorn.glb"},
        {"synth", "man"},
        {"synth", "dwarf", "--triangles", "7", "-o", "dwarf.glb"},
        {"synth", "dwarf", "--subdivide", "99", "-o", "dwarf.glb"},
        {"synth", "dwarf", "another", "-o", "dwarf.glb"},
        {"info", "builtin:unicorn"},
        {"info", "builtin:"},
        {"info", "builtin:dwarf:many"},
        {"info", "builtin:dwarf:-600"},
        {"info", "builtin:dwarf:600:"},
        {"info", "builtin:dwarf:7"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        command_result run = command_run(GRAZE_COMMAND, lines[i]);
        check_refused(&run, "", __FILE__, __LINE__);
    }
    REFUSED("", NULL);
    REFUSED("", "collide", DWARF, DWARF, DWARF);
    REFUSED("", "info", DWARF, DWARF);
}

TEST(bad_options)
{
    static const char *const options[][2] = {
        {"--time", "soon"},
        {"--time", "nan"},
        {"--time", "inf"},
        {"--time", ""},
        {"--time", "1s"},
        {"--times", "0:1"},
        {"--times", "0:1:0"},
        {"--times", "0:1:-5"},
        {"--times", "1:0:30"},
        {"--times", "0:1:30:2"},
        {"--times", "0:1e9:1e9"},
        {"--times", "a:b:c"},
        {"--at", "1,2"},
        {"--at", "1,2,3,4"},
        {"--at", "1,2,x"},
        {"--at", "nan,0,0"},
        {"--at", "1e30,0,0"},
        {"--turn", "left"},
        {"--turn", "inf"},
        {"--phase", "x"},
        {"--clip", "no such clip"},
        {"--clip", "1"},
        {"--clip", "-1"},
        {"--clip-b", "no such clip"},
        {"--skin", "rubber"},
        {"--tree", "oak"},
        {"--method", "guess"},
        {"--repeat", "0"},
        {"--repeat", "-3"},
        {"--repeat", "1.5"},
        {"--repeat", "many"},
        {"--first=yes", NULL},
        {"--json=1", NULL},
        {"--no-such-option", NULL},
        {"-x", NULL},
        {"--time", NULL},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        REFUSED("", "collide", DWARF, options[i][0], options[i][1]);
    REFUSED("", "pose", DWARF, "--times", "0:1", "-o", "never.obj");
    REFUSED("", "pose", DWARF, "--clip", "fly", "-o", scratch_path(1, "never.obj"));
    CHECK(access(scratch_path(1, "never.obj"), F_OK) != 0);
}

/* ---- files -------------------------------------------------------------------------------- */

static void check_bytes(const void *bytes, size_t size, const char *name, const char *what)
{
    const char *path = scratch_path(2, name), *out = scratch_path(3, "never.obj");
    CHECK(write_whole_file(path, bytes, size));
    refused_as(what, RUN("info", path, "--json"));
    size_t files = scratch_count();
    refused_as(what, RUN("pose", path, "-o", out));
    CHECK(scratch_count() == files);
    remove(path);
}

TEST(truncated_and_changed_files)
{
    size_t size = 0;
    char *bytes = read_whole_file(DWARF, &size), name[64];
    REQUIRE(bytes && size > 1000);
    uint32_t cuts = test_amount(150, 25);
    for (uint32_t i = 0; i < cuts; i++) {
        size_t length =
            i < cuts / 3 ? i * 3 : size - 1 - (size - 1) * (i - cuts / 3) / cuts * 3 / 2;
        snprintf(name, sizeof name, "cut to %zu bytes", length);
        check_bytes(bytes, length < size ? length : size - 1, "cut.glb", name);
    }
    static const size_t fields[] = {0, 4, 8, 12, 16}; /* magic, version, length, chunk, kind */
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        bytes[fields[i]] ^= 0x55;
        snprintf(name, sizeof name, "byte %zu changed", fields[i]);
        check_bytes(bytes, size, "changed.glb", name);
        bytes[fields[i]] ^= 0x55;
    }
}

TEST(random_bytes)
{
    unsigned char bytes[2000];
    test_random random = test_random_seed(8);
    for (uint32_t i = 0; i < test_amount(24, 6); i++) {
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (unsigned char)test_random_u32(&random);
        if (i % 3 == 1)
            memcpy(bytes, "glTF\2\0\0\0\xd0\7\0\0", 12);
        if (i % 3 == 2)
            memcpy(bytes, "{\"asset\":{", 10);
        check_bytes(bytes, sizeof bytes, i % 2 ? "random.glb" : "random.gltf", "random bytes");
    }
    check_bytes("", 0, "empty.glb", "no bytes");
    check_bytes("{}", 2, "empty.gltf", "no asset");
}

TEST(paths_that_are_not_files)
{
    REFUSED("", "info", scratch_folder());
    REFUSED("", "collide", scratch_folder(), "--json");
    REFUSED("", "info", scratch_path(1, "missing.glb"));
    REFUSED("", "collide", DWARF, scratch_path(1, "missing.glb"));
    REFUSED("", "info", "");
    REFUSED("", "info", "/dev/null");
    REFUSED("", "info", "one\ntwo.glb");
}

/* A triangle on two joints; every part can be replaced. */
static void check_document(const char *what, const char *from, const char *to)
{
    static const char document[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"
        "\"nodes\":[{\"mesh\":0,\"skin\":0},{\"children\":[2]},{\"translation\":[0,1,0]}],"
        "\"skins\":[{\"joints\":[1,2]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,"
        "\"WEIGHTS_0\":2}}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
        "{\"bufferView\":1,\"componentType\":5121,\"count\":3,\"type\":\"VEC4\"},"
        "{\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},"
        "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":12},"
        "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":48}],"
        "\"buffers\":[{\"byteLength\":96,\"uri\":\"skinned.bin\"}]}";
    char text[2000];
    const char *found = from ? strstr(document, from) : document;
    if (!test_check(found != NULL, __FILE__, __LINE__, "%s: nothing to replace", what))
        return;
    snprintf(text, sizeof text, "%.*s%s%s", (int)(found - document), document, to,
             found + (from ? strlen(from) : 0));
    const char *path = scratch_path(4, "skinned.gltf");
    CHECK(write_whole_file(path, text, strlen(text)));
    if (from || to[0]) {
        refused_as(what, RUN("info", path));
        refused_as(what, RUN("collide", path, "--json"));
    } else {
        command_result run = RUN("collide", path, "--json");
        CHECK_MSG(run.code == 0 && count_lines(run.out) == 1, "%s: %s", what, run.err);
    }
    remove(path);
}

static void write_data(float x, float weight)
{
    unsigned char data[96] = {0};
    float positions[9] = {0, 0, 0, x, 0, 0, 0, 1, 0};
    memcpy(data, positions, sizeof positions);
    for (int v = 0; v < 3; v++) {
        float weights[4] = {v == 1 ? weight : 1, 0, 0, 0};
        memcpy(data + 48 + 16 * v, weights, sizeof weights);
    }
    CHECK(write_whole_file(scratch_path(5, "skinned.bin"), data, sizeof data));
}

TEST(documents_with_one_thing_wrong)
{
    write_data(1, 1);
    check_document("good", NULL, "");
    check_document("text behind", NULL, "x");
    check_document("an index out of range", "\"POSITION\":0", "\"POSITION\":9");
    check_document("an accessor too long", "\"count\":3,\"type\":\"VEC3\"",
                   "\"count\":4000000000,\"type\":\"VEC3\"");
    check_document("a view too long", "\"byteLength\":36", "\"byteLength\":360");
    check_document("a missing buffer", "skinned.bin", "missing.bin");
    check_document("a buffer elsewhere", "skinned.bin", "../skinned.bin");
    check_document("no joints", "\"joints\":[1,2]", "\"joints\":[]");
    check_document("a joint that is no node", "\"joints\":[1,2]", "\"joints\":[1,7]");
    check_document("a cycle of nodes", "\"translation\":[0,1,0]", "\"children\":[1]");
    check_document("two parents", "{\"mesh\":0,\"skin\":0}",
                   "{\"mesh\":0,\"skin\":0,\"children\":[2]}");
    check_document("no mesh in the scene", "\"nodes\":[0,1]}", "\"nodes\":[1]}");
    check_document("no primitives", "{\"primitives\":[{", "{\"primitives\":[],\"extras\":[{");
    check_document("lines only", "\"primitives\":[{", "\"primitives\":[{\"mode\":1,");
    check_document("another version", "2.0", "1.0");
    check_document("a required extension", "\"scene\":0",
                   "\"extensionsRequired\":[\"EXT_made_up\"],\"scene\":0");
    check_document("a translation of text", "[0,1,0]", "[0,\"up\",0]");
    check_document("a huge translation", "[0,1,0]", "[0,1e39,0]");
    write_data(1, 0);
    check_document("weights of zero", "\"scene\":0", "\"scene\":0 ");
    write_data(1, -1);
    check_document("negative weights", "\"scene\":0", "\"scene\":0 ");
    write_data(1, 0.0f / (1.0f - (float)(getpid() > 0)));
    check_document("weights that are no numbers", "\"scene\":0", "\"scene\":0 ");
    write_data(1.0f / (1.0f - (float)(getpid() > 0)), 1);
    check_document("an infinite position", "\"scene\":0", "\"scene\":0 ");
    write_data(1e20f, 1);
    check_document("a position out of range", "\"scene\":0", "\"scene\":0 ");
    remove(scratch_path(5, "skinned.bin"));
}

/* ---- output ------------------------------------------------------------------------------- */

TEST(nothing_half_written_is_left)
{
    const char *folder = scratch_path(6, "locked");
    const char *model = DWARF;
    size_t files = scratch_count();
    REFUSED("", "pose", model, "-o", scratch_path(1, "missing/out.obj"));
    REFUSED("", "pose", model, "-o", scratch_folder());
    REFUSED("", "synth", "dwarf", "--triangles", "600", "-o", scratch_path(1, "missing/out.glb"));
    REFUSED("", "synth", "dwarf", "--triangles", "600", "-o", scratch_folder());
    REFUSED("", "pose", model, "-o", "");
    CHECK(scratch_count() == files);
    if (geteuid() != 0 && mkdir(folder, 0500) == 0) {
        REFUSED("", "pose", model, "-o", scratch_path(1, "locked/out.obj"));
        rmdir(folder);
    }
    /* A file that is there stays as it was when writing fails. */
    const char *kept = scratch_path(7, "kept.obj");
    CHECK(write_whole_file(kept, "kept", 4));
    REFUSED("", "pose", model, "--clip", "fly", "-o", kept);
    REFUSED("", "pose", model, "--at", "1e30,0,0", "-o", kept);
    char *text = read_whole_file(kept, NULL);
    CHECK(text && strcmp(text, "kept") == 0);
    remove(kept);
    CHECK(scratch_count() == files);
}

TEST(output_that_cannot_be_written)
{
    char line[1000];
    if (access("/dev/full", W_OK))
        SKIP("there is no /dev/full");
    for (int i = 0; i < 2; i++) {
        snprintf(line, sizeof line, "graze %s %s --json >/dev/full", i ? "collide" : "info", DWARF);
        command_result run = RUN_SHELL(line);
        check_refused(&run, "", __FILE__, __LINE__);
    }
}

TEST(a_skin_asked_of_a_model_without_one)
{
    REFUSED("", "collide", "builtin:ball", "--skin", "dual");
    REFUSED("", "pose", "builtin:ball", "--skin", "spherical", "-o", "unwanted.obj");
    REFUSED("", "collide", DWARF, "builtin:ball", "--skin-b", "dual");
}
