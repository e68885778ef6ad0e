/* bench audit: graze audit a frame, from file to report, and over many nodes. */
#define _GNU_SOURCE
#include "bench/audit.h"

#include <graze/gltf.h>

#include <unistd.h>

const queries_motion audit_dance = {548, 547 / 30.0f, 20, 9, 6};

void audit_scene_open(audit_scene *scene, const char *name, const queries_motion *motion)
{
    const model_options options = {.self_collision = true, .skin_b = -1};
    line_text text;
    *scene = (audit_scene){.subject = NULL};
    if (!character_make(&scene->character, name, &options, &text))
        bench_die("%s", text.text);
    if (motion)
        queries_add_clip(scene->character.rig, motion);
    if (!audit_parts_make(&scene->parts, &scene->character, true, NULL, &text))
        bench_die("%s: %s", name, text.text);
    const graze_audit_def def = {.rig = scene->character.rig,
                                 .model = scene->character.model,
                                 .part_of = scene->parts.part_of,
                                 .names = scene->parts.names,
                                 .part_count = scene->parts.count,
                                 .joint_parts = scene->parts.joint_parts,
                                 .joint_parents = scene->parts.joint_parents};
    bench_must(graze_audit_subject_create(&def, &scene->subject, &bench_error));
}

void audit_scene_close(audit_scene *scene)
{
    graze_audit_subject_destroy(scene->subject);
    audit_parts_free(&scene->parts);
    character_free(&scene->character);
}

void audit_scene_save(const audit_scene *scene, char *path)
{
    int descriptor = mkstemps(path, 4);
    if (descriptor < 0)
        bench_die("%s: cannot be made", path);
    close(descriptor);
    bench_must(graze_gltf_save(scene->character.rig, path, &bench_error));
}

const char *audit_scene_name(char text[64], const char *kind, uint32_t triangles)
{
    snprintf(text, 64, "builtin:%s:%u", kind, asked.triangles ? asked.triangles : triangles);
    return text;
}

void bench_audit(void)
{
    static const bench_part parts[] = {{.name = "frames", .run = audit_bench_frames},
                                       {.name = "file", .run = audit_bench_file},
                                       {.name = "nodes", .run = audit_bench_nodes}};
    bench_csv_open("model,method,ms,ms_median,ratio,pairs");
    bench_print_machine();
    bench_run_parts(parts, COUNT_OF(parts));
}
