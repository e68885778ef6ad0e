/* The body parts of a model and their volumes: a shape file. */
#include "cli/character.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/parts.h"
#include "cli/print.h"
#include "cli/shape_mesh.h"

#include <graze/parts.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fit_job {
    model_options options;
    struct character character;
    char *mesh; /* what the file calls the collision mesh; NULL: the model's own */
} fit_job;

static bool is_sphere(const graze_capsule *c)
{
    return memcmp(c->p, c->q, sizeof c->p) == 0;
}

static void print_floats(const float *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        print_json_float(numbers[i]);
        printf(",");
    }
}

/* ---- parts -------------------------------------------------------------------------------- */

/* The joint of its volume of level 1; false: it has none, and so no triangles. */
static bool find_joint(const fit_job *job, uint32_t part, uint32_t *joint)
{
    const graze_fit *fit = job->character.fit;
    for (uint32_t v = 0; v < graze_fit_outer_count(fit); v++) {
        graze_part_volume volume = graze_fit_volume(fit, v);
        *joint = volume.joint;
        if (volume.part == part)
            return true;
    }
    return false;
}

/* Joints without triangles are no parts; what a file names is. */
static bool is_in_file(const fit_job *job, uint32_t part)
{
    uint32_t joint;
    return job->options.shape || find_joint(job, part, &joint);
}

/* The nearest part that it is inside and that is in the file. */
static const char *find_parent(const fit_job *job, uint32_t part)
{
    while (graze_parts_parent(job->character.parts, part, &part))
        if (is_in_file(job, part))
            return part_name(&job->character, part);
    return NULL;
}

static void print_part(const fit_job *job, uint32_t part)
{
    uint32_t count = job->character.rig->triangle_count, printed = 0, joint;
    const char *parent = find_parent(job, part);
    printf("{\"name\":");
    print_json_string(part_name(&job->character, part));
    if (parent) {
        printf(",\"parent\":");
        print_json_string(parent);
    }
    printf(",\"joints\":[");
    if (find_joint(job, part, &joint))
        print_json_string(joint_name(&job->character, joint));
    printf("],\"triangles\":[");
    for (uint32_t t = 0; t < count; t++)
        if (graze_model_triangle_group(job->character.model, t) == part)
            printf("%s%u", printed++ ? "," : "", t);
    printf("]}");
}

/* ---- volumes ------------------------------------------------------------------------------ */

static void print_volume(const fit_job *job, const graze_part_volume *volume)
{
    printf("{\"level\":%u,\"part\":", volume->level);
    print_json_string(part_name(&job->character, volume->part));
    printf(",\"joint\":");
    print_json_string(joint_name(&job->character, volume->joint));
    printf(is_sphere(&volume->rest) ? ",\"sphere\":[" : ",\"capsule\":[");
    print_floats(volume->rest.p, 3);
    if (!is_sphere(&volume->rest))
        print_floats(volume->rest.q, 3);
    print_json_float(volume->rest.radius);
    printf("]}");
}

static void print_shape(const fit_job *job)
{
    uint32_t printed = 0;
    printf("{\"parts\":[");
    for (uint32_t p = 0; p < graze_parts_count(job->character.parts); p++) {
        if (!is_in_file(job, p))
            continue;
        printf("%s", printed++ ? "," : "");
        print_part(job, p);
    }
    printf("],\"volumes\":[");
    for (uint32_t v = 0; v < graze_fit_volume_count(job->character.fit); v++) {
        graze_part_volume volume = graze_fit_volume(job->character.fit, v);
        printf("%s", v ? "," : "");
        print_volume(job, &volume);
    }
    printf("]");
    if (job->mesh) {
        printf(",\"mesh\":");
        print_json_string(job->mesh);
    }
    puts("}");
}

static void print_table(const fit_job *job)
{
    for (uint32_t v = 0; v < graze_fit_volume_count(job->character.fit); v++) {
        graze_part_volume volume = graze_fit_volume(job->character.fit, v);
        printf("level %u  %-24s %6u triangles  %-7s radius %g\n", volume.level,
               part_name(&job->character, volume.part), volume.triangles,
               is_sphere(&volume.rest) ? "sphere" : "capsule", (double)volume.rest.radius);
    }
}

static int run_job(fit_job *job)
{
    if (job->character.mesh) {
        job->mesh = path_from(job->options.out, job->character.mesh);
        if (!job->mesh)
            return fail_usage("fit: %s: no path leads there", job->character.mesh);
    }
    if (!character_fit(&job->character, &job->options) || !output_to(job->options.out))
        return 2;
    output_begin();
    if (job->options.json || job->options.out)
        print_shape(job);
    else
        print_table(job);
    output_end();
    return 0;
}

static int run(int argc, char **argv)
{
    fit_job job = {.options = {.skin_b = -1}};
    arguments given;
    parse_result parsed = parse_options(&fit_command, argc, argv, &job, &given);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP_SHOWN ? 0 : 2;
    if (job.options.shape && job.options.mesh)
        return fail_usage("fit: give --mesh or --shape, not both: a shape names its mesh");
    if (!character_load(&job.character, given.names[0], &job.options))
        return 2;
    int code = run_job(&job);
    free(job.mesh);
    character_free(&job.character);
    return code;
}

static const struct option rows[] = {
    {"-o", "SHAPE.json", OPTION_FILE, MODEL_TARGET(fit_job, out),
     "write the shape there, whole or not at all"},
    {"--parts-by", "joint|mesh|material", OPTION_CHOICE, MODEL_TARGET(fit_job, parts_by),
     "what a part is (default joint)"},
    {"--shape", "SHAPE.json", OPTION_INPUT, MODEL_TARGET(fit_job, shape),
     "parts and volumes of a file; what it leaves out is fitted"},
    {"--mesh", "MESH.glb", OPTION_INPUT, MODEL_TARGET(fit_job, mesh),
     "a collision mesh on the same joints, in place of the model's"},
    {"--fine", "N", OPTION_COUNT, MODEL_TARGET(fit_job, fine_volumes),
     "fit volumes of level 3 too, at most N a part"},
    JSON_ROW(fit_job)};

const struct command fit_command = {
    .name = "fit",
    .summary = "fit a sphere or capsule to every body part",
    .usage = "MODEL [options] -o SHAPE.json",
    .about =
        "Writes the body parts of a model, each with its joint and triangles, and for each a\n"
        "sphere [x,y,z,radius] or capsule [x,y,z of one end, of the other, radius] on its joint,\n"
        "coordinates in the rest pose, around all of its triangles at rest (level 1); with --fine\n"
        "smaller ones inside it as well (level 3). Level 2 is the mesh.",
    .example = "graze fit man.glb -o man.json",
    .options = rows,
    .option_count = COUNT_OF(rows),
    .what = "model",
    .least_names = 1,
    .most_names = 1,
    .run = run};
