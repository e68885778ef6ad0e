#include "cli/character.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/part_choice.h"
#include "cli/parts.h"
#include "cli/print.h"

#include <stdio.h>
#include <string.h>

static void print_clips_json(const graze_rig *rig)
{
    for (uint32_t i = 0; i < rig->clip_count; i++) {
        printf("%s{\"name\":", i ? "," : "");
        print_json_string(rig->clips[i].name);
        printf(",\"seconds\":");
        print_json_float(rig->clips[i].seconds);
        putchar('}');
    }
}

static void print_text_or_null(const char *text)
{
    if (text)
        print_json_string(text);
    else
        fputs("null", stdout);
}

static void print_names_json(const struct character *character)
{
    const graze_rig *rig = character->rig;
    for (uint32_t i = 0; i < rig->joint_count; i++) {
        fputs(i ? "," : "", stdout);
        print_json_string(joint_name(character, i));
    }
    fputs("],\"meshes\":[", stdout);
    for (uint32_t i = 0; i < rig->mesh_count; i++) {
        const graze_rig_mesh *mesh = &rig->meshes[i];
        printf("%s{\"name\":", i ? "," : "");
        print_text_or_null(mesh_name(rig, mesh));
        printf(",\"node\":");
        print_text_or_null(rig->nodes[mesh->node].name);
        printf(",\"first_vertex\":%u,\"vertices\":%u,\"first_triangle\":%u,\"triangles\":%u}",
               mesh->first_vertex, mesh->vertex_count, mesh->first_triangle, mesh->triangle_count);
    }
}

static void print_json(const struct character *character, const graze_model_info *info)
{
    printf("{\"vertices\":%u,\"triangles\":%u,\"joints\":%u,\"morphs\":%u,\"clips\":[",
           info->vertex_count, info->triangle_count, info->joint_count,
           character->rig->morph_count);
    print_clips_json(character->rig);
    printf("],\"joint_sets\":%u,\"influences\":%u,\"tree\":{\"nodes\":%u,\"levels\":%u,"
           "\"leaves\":%u,\"bytes\":%zu},\"body_bytes\":%zu,\"load_ms\":%.3f,\"build_ms\":%.3f,"
           "\"joint_names\":[",
           info->joint_set_count, info->max_influences, info->node_count, info->level_count,
           info->leaf_count, info->tree_bytes, info->body_bytes, character->load_ms,
           character->build_ms);
    print_names_json(character);
    puts("]}");
}

/* A model of many parts would fill the screen. */
static void print_meshes(const graze_rig *rig)
{
    enum { SHOWN = 20 };
    for (uint32_t i = 0; i < rig->mesh_count && i < SHOWN; i++) {
        const graze_rig_mesh *mesh = &rig->meshes[i];
        const char *name = mesh_name(rig, mesh);
        printf("  mesh %-5u %s, triangles %u to %u, vertices %u to %u\n", i,
               name ? name : "(no name)", mesh->first_triangle,
               mesh->first_triangle + mesh->triangle_count - (mesh->triangle_count > 0),
               mesh->first_vertex,
               mesh->first_vertex + mesh->vertex_count - (mesh->vertex_count > 0));
    }
    if (rig->mesh_count > SHOWN)
        printf("  and %u more meshes, which --json names\n", rig->mesh_count - SHOWN);
}

/* Lines of about 80. */
static void print_joint_names(const struct character *character)
{
    enum { SHOWN = 200, WIDTH = 80 };
    const graze_rig *rig = character->rig;
    size_t used = WIDTH;
    for (uint32_t i = 0; i < rig->joint_count && i < SHOWN; i++) {
        const char *name = joint_name(character, i);
        size_t length = strlen(name) + 7;
        if (used + length > WIDTH) {
            printf("%s  joint %-4u", i ? ",\n" : "", i);
            used = 12;
        } else {
            putchar(',');
        }
        used += (size_t)printf(" %s", name) + 1;
    }
    putchar('\n');
    if (rig->joint_count > SHOWN)
        printf("  and %u more joints, which --json names\n", rig->joint_count - SHOWN);
}

static void print_text(const struct character *character, const graze_model_info *info)
{
    const graze_rig *rig = character->rig;
    printf("%s\n", character->name);
    printf("  vertices   %u\n  triangles  %u\n", info->vertex_count, info->triangle_count);
    printf("  joints     %u, at most %u on a vertex, %u distinct sets\n", info->joint_count,
           info->max_influences, info->joint_set_count);
    printf("  morphs     %u\n", rig->morph_count);
    printf("  tree       %u nodes, %u levels, %u leaves, %zu bytes (%.1f a triangle)\n",
           info->node_count, info->level_count, info->leaf_count, info->tree_bytes,
           (double)info->tree_bytes / info->triangle_count);
    printf("  body       %zu bytes\n", info->body_bytes);
    printf("  loaded in  %.2f ms, built in %.2f ms\n", character->load_ms, character->build_ms);
    for (uint32_t i = 0; i < rig->clip_count; i++)
        printf("  clip %-5u %s, %.3f s\n", i, rig->clips[i].name ? rig->clips[i].name : "(no name)",
               (double)rig->clips[i].seconds);
    print_meshes(rig);
    print_joint_names(character);
}

typedef struct info_job {
    model_options options;
    bool with_parts;
} info_job;

static void print_parts(const struct character *character, bool json)
{
    if (!json) {
        parts_print(character);
        return;
    }
    putchar('{');
    parts_print_json(character);
    puts("}");
}

static int run(int argc, char **argv)
{
    info_job job = {.options = {.skin_b = -1}};
    arguments given;
    parse_result parsed = parse_options(&info_command, argc, argv, &job, &given);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP_SHOWN ? 0 : 2;
    struct character character;
    if (!character_load(&character, given.names[0], &job.options))
        return 2;
    graze_model_info info = graze_model_get_info(character.model);
    output_begin();
    if (job.with_parts)
        print_parts(&character, job.options.json);
    else
        (job.options.json ? print_json : print_text)(&character, &info);
    output_end();
    character_free(&character);
    return 0;
}

static const struct option rows[] = {
    {"--parts", NULL, OPTION_FLAG, offsetof(info_job, with_parts),
     "the body parts instead, each with those inside it and its own triangles"},
    {"--parts-by", "joint|mesh|material", OPTION_CHOICE, MODEL_TARGET(info_job, parts_by),
     "what a part is (default joint)"},
    {"--shape", "SHAPE.json", OPTION_INPUT, MODEL_TARGET(info_job, shape),
     "parts of a shape file instead (see graze fit)"},
    BUILD_ROWS(info_job),
    JSON_ROW(info_job)};

const struct command info_command = {
    .name = "info",
    .summary = "what a model file holds, and the tree built for it",
    .usage = "MODEL [options]",
    .about = "Tells what a model file holds (meshes, joints, clips) and what tree is built for it.",
    .example = "graze info man.glb",
    .options = rows,
    .option_count = COUNT_OF(rows),
    .what = "model",
    .least_names = 1,
    .most_names = 1,
    .run = run};
