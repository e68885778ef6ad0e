#include "cli/character.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/parts.h"
#include "cli/print.h"
#include "cli/text.h"

#include <stdio.h>
#include <string.h>

static void print_clips_json(const graze_rig *rig)
{
    for (uint32_t i = 0; i < rig->clip_count; i++) {
        const char *name = rig->clips[i].name;
        fputs(i ? "," : "", stdout);
        print_json("{\"name\":%s,\"seconds\":%.9g}", name ? name : "",
                   (double)rig->clips[i].seconds);
    }
}

static void print_names_json(const struct character *character)
{
    const graze_rig *rig = character->rig;
    for (uint32_t i = 0; i < rig->joint_count; i++) {
        fputs(i ? "," : "", stdout);
        print_json("%s", joint_name(character, i));
    }
    fputs("],\"meshes\":[", stdout);
    for (uint32_t i = 0; i < rig->mesh_count; i++) {
        const graze_rig_mesh *mesh = &rig->meshes[i];
        fputs(i ? "," : "", stdout);
        print_json("{\"name\":%s,\"node\":%s,\"first_vertex\":%u,\"vertices\":%u,"
                   "\"first_triangle\":%u,\"triangles\":%u}",
                   mesh_name(rig, mesh), rig->nodes[mesh->node].name, mesh->first_vertex,
                   mesh->vertex_count, mesh->first_triangle, mesh->triangle_count);
    }
}

static void print_json_info(const struct character *character, const graze_model_info *info)
{
    printf("{\"vertices\":%u,\"triangles\":%u,\"joints\":%u,\"morphs\":%u,\"clips\":[",
           info->vertex_count, info->triangle_count, info->joint_count,
           character->rig->morph_count);
    print_clips_json(character->rig);
    printf("],\"joint_sets\":%u,\"influences\":%u,\"tree\":{\"nodes\":%u,\"levels\":%u,"
           "\"leaves\":%u,\"bytes\":%zu},\"body_bytes\":%zu",
           info->joint_set_count, info->max_influences, info->node_count, info->level_count,
           info->leaf_count, info->tree_bytes, info->body_bytes);
    if (print_has_times())
        printf(",\"load_ms\":%.3f,\"build_ms\":%.3f", character->load_ms, character->build_ms);
    fputs(",\"joint_names\":[", stdout);
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
        say("  mesh %-5u %s, triangles %u to %u, vertices %u to %u\n", i, name ? name : "(no name)",
            mesh->first_triangle,
            mesh->first_triangle + mesh->triangle_count - (mesh->triangle_count > 0),
            mesh->first_vertex, mesh->first_vertex + mesh->vertex_count - (mesh->vertex_count > 0));
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
        used += (size_t)say(" %s", name) + 1;
    }
    putchar('\n');
    if (rig->joint_count > SHOWN)
        printf("  and %u more joints, which --json names\n", rig->joint_count - SHOWN);
}

static void print_text(const struct character *character, const graze_model_info *info)
{
    const graze_rig *rig = character->rig;
    say("%s\n", character->name);
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
        say("  clip %-5u %s, %.3f s\n", i, rig->clips[i].name ? rig->clips[i].name : "(no name)",
            (double)rig->clips[i].seconds);
    print_meshes(rig);
    print_joint_names(character);
}

typedef struct info_job {
    model_options options;
    bool with_parts;
} info_job;

static int run(void *task, const arguments *given)
{
    info_job *job = task;
    struct character character;
    if (!character_load(&character, given->names[0], &job->options))
        return 2;
    graze_model_info info = graze_model_get_info(character.model);
    output_begin();
    if (job->with_parts)
        (job->options.json ? parts_print_json : parts_print)(&character);
    else
        (job->options.json ? print_json_info : print_text)(&character, &info);
    output_end();
    character_free(&character);
    return 0;
}

static const struct option rows[] = {
    {"--parts", NULL, OPTION_FLAG, AT(info_job, with_parts),
     "the body parts instead, each with those inside it and its own triangles"},
    PARTS_BY_ROW,
    SHAPE_ROW,
    BUILD_ROWS,
    JSON_ROWS};

const struct command info_command = {
    .name = "info",
    .summary = "what a model file holds, and the tree built for it",
    .usage = "MODEL [options]",
    .about = "Tells what a model file holds (meshes, joints, clips) and what tree is built for it.",
    .example = "graze info man.glb",
    OPTIONS(rows),
    JOB(info_job, .options = {.skin_b = -1}),
    ONE_MODEL,
    .run = run};
