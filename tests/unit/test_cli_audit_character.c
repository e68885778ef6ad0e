/* graze audit --character: clips in a file without a mesh are found to do on a character what they
 * do in the character's own file.
 */
#include "harness.h"
#include "support/command.h"

#include <cjson/cJSON.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUN(...) command_run(GRAZE_COMMAND, (const char *const[]){__VA_ARGS__, NULL})

/* Writes the clips and nodes of player.glb without its mesh, some nodes under other names. */
static void write_clips(const char *prefix, const char *renamed)
{
    size_t size;
    uint32_t length;
    unsigned char *file = (unsigned char *)read_whole_file(scratch_path(0, "player.glb"), &size);
    REQUIRE(file);
    memcpy(&length, file + 12, sizeof length);
    cJSON *tree = cJSON_ParseWithLength((char *)file + 20, length), *node;
    cJSON_DeleteItemFromObject(tree, "meshes");
    cJSON_DeleteItemFromObject(tree, "skins");
    cJSON_ArrayForEach(node, cJSON_GetObjectItem(tree, "nodes"))
    {
        char name[80] = "";
        const cJSON *own = cJSON_GetObjectItem(node, "name");
        cJSON_DeleteItemFromObject(node, "mesh");
        cJSON_DeleteItemFromObject(node, "skin");
        snprintf(name, sizeof name, "%s%s", prefix, own ? own->valuestring : "");
        if (own && strcmp(own->valuestring, renamed) == 0)
            snprintf(name, sizeof name, "paw");
        cJSON_DeleteItemFromObject(node, "name");
        cJSON_AddStringToObject(node, "name", name);
    }
    cJSON *buffer = cJSON_GetArrayItem(cJSON_GetObjectItem(tree, "buffers"), 0);
    cJSON_AddStringToObject(buffer, "uri", "clips.bin");
    char *text = cJSON_Print(tree);
    CHECK(write_whole_file(scratch_path(1, "clips.gltf"), text, strlen(text)));
    CHECK(write_whole_file(scratch_path(2, "clips.bin"), file + 28 + length, size - 28 - length));
    free(text);
    cJSON_Delete(tree);
}

/* What is printed, less the name of the file. */
static void check_same(const char *wanted, const char *found)
{
    int count = 0;
    for (; *wanted && *found; wanted = strchr(wanted, '\n') + 1, found = strchr(found, '\n') + 1) {
        cJSON *x = cJSON_ParseWithOpts(wanted, NULL, false);
        cJSON *y = cJSON_ParseWithOpts(found, NULL, false);
        cJSON_DeleteItemFromObject(x, "file");
        cJSON_DeleteItemFromObject(y, "file");
        CHECK_MSG(cJSON_Compare(x, y, true), "line %d", count);
        count++;
        cJSON_Delete(x);
        cJSON_Delete(y);
    }
    CHECK(count > 10 && *wanted == 0 && *found == 0);
}

TEST(clips_without_a_mesh)
{
    static const struct {
        const char *prefix, *renamed, *character, *says;
        int code;
        bool same;
    } rows[] = {{"", "", "player.glb", "", 0, true},
                {"take:", "", "player.glb", "", 0, true},
                {"take:", "hand.L", "player.glb", "1 of the joints that it moves", 0, false},
                {"", "", "builtin:ball", "move no joint of builtin:ball", 2, false}};
    command_result own = RUN("synth", "player", "-o", scratch_path(0, "player.glb"));
    own = RUN("audit", scratch_path(0, "player.glb"), "--json");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_clips(rows[i].prefix, rows[i].renamed);
        command_result run =
            RUN("audit", scratch_path(1, "clips.gltf"), "--json", "--character",
                strchr(rows[i].character, ':') ? rows[i].character
                                               : scratch_path(0, rows[i].character));
        CHECK_MSG(run.code == rows[i].code && strstr(run.err, rows[i].says), "row %zu: %d, %s", i,
                  run.code, run.err);
        CHECK(rows[i].says[0] || run.err[0] == 0);
        if (rows[i].same)
            check_same(own.out, run.out);
    }
    command_result without = RUN("audit", scratch_path(1, "clips.gltf"));
    CHECK(without.code == 2 && strstr(without.err, "no triangles"));
}

/* A plan knows what the clips cost on the character, and a folder of results takes a built-in one.
 */
TEST(many_jobs_on_a_character)
{
    const char *clips = scratch_path(1, "clips.gltf"), *folder = scratch_path(3, "results");
    command_result own = RUN("synth", "player", "-o", scratch_path(0, "player.glb"));
    write_clips("", "");
    own = RUN("audit", "plan", "builtin:player");
    command_result plan = RUN("audit", "plan", clips, "--character", "builtin:player");
    CHECK_MSG(own.code == 0 && plan.code == 0 && !plan.err[0], "%s%s", own.err, plan.err);
    const char *wanted = strstr(own.out, "\"triangles\":"),
               *found = strstr(plan.out, "\"triangles\":");
    CHECK_MSG(wanted && found && strcmp(wanted, found) == 0, "%s, not %s", plan.out, own.out);
    command_result one = RUN("audit", clips, "--character", "builtin:player", "--json");
    command_result out =
        RUN("audit", clips, "--character", "builtin:player", "--json", "--out", folder);
    command_result merged = RUN("audit", "merge", folder, "--json");
    CHECK_MSG(out.code == 0 && strcmp(one.out, out.out) == 0, "%s", out.err);
    CHECK_MSG(merged.code == 0 && strcmp(one.out, merged.out) == 0, "%s", merged.err);
    CHECK(command_run("/bin/rm", (const char *const[]){"-r", folder, NULL}).code == 0);
}
