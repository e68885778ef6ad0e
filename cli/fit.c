/* The body parts of a model and their volumes: a shape file. */
#include "cli/character.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/parts.h"
#include "cli/room.h"
#include "cli/shape_mesh.h"
#include "cli/text.h"

#include <graze/ext/decimate.h>
#include <graze/ext/hitbox.h>
#include <graze/gltf.h>

typedef struct fit_job {
    model_options options;
    struct character character;
    const char *mesh_out; /* where a coarser mesh goes that is made; NULL: none is */
    uint32_t triangles;   /* it has */
    char *mesh;           /* what the file calls the collision mesh; NULL: the model's own */
} fit_job;

static bool is_sphere(const graze_capsule *c)
{
    return memcmp(c->p, c->q, sizeof c->p) == 0;
}

/* ---- parts -------------------------------------------------------------------------------- */

/* The joint of its volume of level 1; false: it has none, and so no triangles. */
static bool find_joint(const fit_job *job, uint32_t part, uint32_t *joint)
{
    const graze_hitboxes *fit = job->character.fit;
    uint32_t outer;
    graze_hitboxes_count(fit, &outer);
    for (uint32_t v = 0; v < outer; v++) {
        graze_hitbox volume = graze_hitboxes_get(fit, v);
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
    do
        part = graze_part_parent(job->character.parts, part);
    while (part != GRAZE_NONE && !is_in_file(job, part));
    return part != GRAZE_NONE ? part_name(&job->character, part) : NULL;
}

static void print_part(const fit_job *job, uint32_t part)
{
    uint32_t count = job->character.rig->triangle_count, printed = 0, joint;
    const char *parent = find_parent(job, part);
    print_json("{\"name\":%s", part_name(&job->character, part));
    if (parent)
        print_json(",\"parent\":%s", parent);
    printf(",\"joints\":[");
    if (find_joint(job, part, &joint))
        print_json("%s", joint_name(&job->character, joint));
    printf("],\"triangles\":[");
    for (uint32_t t = 0; t < count; t++)
        if (graze_model_triangle_part(job->character.model, t) == part)
            printf("%s%u", printed++ ? "," : "", t);
    printf("]}");
}

/* ---- volumes ------------------------------------------------------------------------------ */

/* Level 2 is the mesh. */
static int level_of(const graze_hitbox *volume)
{
    return volume->inner ? 3 : 1;
}

static void print_volume(const fit_job *job, const graze_hitbox *volume)
{
    const graze_capsule *rest = &volume->rest;
    const float capsule[7] = {rest->p[0], rest->p[1], rest->p[2],  rest->q[0],
                              rest->q[1], rest->q[2], rest->radius};
    const float sphere[4] = {rest->p[0], rest->p[1], rest->p[2], rest->radius};
    print_json("{\"level\":%d,\"part\":%s,\"joint\":%s,", level_of(volume),
               part_name(&job->character, volume->part),
               joint_name(&job->character, volume->joint));
    printf(is_sphere(rest) ? "\"sphere\":" : "\"capsule\":");
    print_json_floats(is_sphere(rest) ? sphere : capsule, is_sphere(rest) ? 4 : 7);
    printf("}");
}

static void print_shape(const fit_job *job)
{
    uint32_t printed = 0;
    printf("{\"parts\":[");
    for (uint32_t p = 0; p < graze_part_count(job->character.parts); p++) {
        if (!is_in_file(job, p))
            continue;
        printf("%s", printed++ ? "," : "");
        print_part(job, p);
    }
    printf("],\"volumes\":[");
    for (uint32_t v = 0; v < graze_hitboxes_count(job->character.fit, NULL); v++) {
        graze_hitbox volume = graze_hitboxes_get(job->character.fit, v);
        printf("%s", v ? "," : "");
        print_volume(job, &volume);
    }
    printf("]");
    if (job->mesh)
        print_json(",\"mesh\":%s", job->mesh);
    puts("}");
}

static void print_table(const fit_job *job)
{
    for (uint32_t v = 0; v < graze_hitboxes_count(job->character.fit, NULL); v++) {
        graze_hitbox volume = graze_hitboxes_get(job->character.fit, v);
        say("level %d  %-24s %6u triangles  %-7s radius %g\n", level_of(&volume),
            part_name(&job->character, volume.part), volume.triangle_count,
            is_sphere(&volume.rest) ? "sphere" : "capsule", (double)volume.rest.radius);
    }
}

static int run_job(fit_job *job)
{
    const char *mesh = job->mesh_out ? job->mesh_out : job->character.mesh;
    if (mesh) {
        job->mesh = path_from(job->options.out, mesh);
        if (!job->mesh)
            return fail_usage("fit: %s: no path leads there", mesh);
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

/* ---- a coarser mesh ----------------------------------------------------------------------- */

/* Morph targets of a def as a rig has them. */
static graze_rig_morph *make_morphs(const graze_rig *rig, const graze_model_def *def)
{
    graze_rig_morph *morphs = room(rig->morph_count, sizeof *morphs);
    for (uint32_t m = 0; m < rig->morph_count; m++)
        morphs[m] = (graze_rig_morph){.vertices = (uint32_t *)def->morphs[m].vertices,
                                      .deltas = (float *)def->morphs[m].deltas,
                                      .count = def->morphs[m].count,
                                      .weight = rig->morphs[m].weight};
    return morphs;
}

/* The mesh of a def on the rig's skeleton: a rig over the arrays of both, which are only read. */
static bool save_coarse(const graze_rig *rig, const graze_model_def *def, const char *path,
                        graze_error *error)
{
    graze_rig coarse = *rig;
    coarse.positions = (float *)def->positions;
    coarse.vertex_count = def->vertex_count;
    coarse.triangles = (uint32_t *)def->triangles;
    coarse.triangle_count = def->triangle_count;
    coarse.influence_offsets = (uint32_t *)def->influence_offsets;
    coarse.influences = (graze_influence *)def->influences;
    coarse.mesh_count = coarse.primitive_count = 0;
    coarse.morphs = make_morphs(rig, def);
    bool saved = !graze_gltf_save(&coarse, path, error);
    free(coarse.morphs);
    return saved;
}

/* Writes the model in the rig with about so many triangles, on the same nodes and joints and with
 * the same clips.
 */
static bool write_coarse(const graze_rig *rig, uint32_t triangles, const char *path,
                         graze_error *error)
{
    graze_model_def plain = graze_rig_model_def(rig);
    graze_decimate_def wanted = {0};
    graze_model *model = NULL;
    graze_decimated *coarse = NULL;
    plain.no_self_collision = true;
    wanted.triangle_count = triangles;
    bool written = !graze_rig_create_model(rig, &plain, &model, error) &&
                   !graze_decimated_create(model, &wanted, &coarse, error);
    if (written) {
        graze_model_def def = graze_decimated_model_def(coarse);
        written = save_coarse(rig, &def, path, error);
    }
    graze_decimated_destroy(coarse);
    graze_model_destroy(model);
    return written;
}

/* A mesh that is made is taken as one that was there. */
static bool make_mesh(fit_job *job, const char *name)
{
    struct character model;
    graze_error error;
    if (!character_load(&model, name, &job->options))
        return false;
    const char *place = output_place(job->mesh_out);
    bool made = write_coarse(model.rig, job->triangles, place, &error);
    if (!made)
        output_fail(job->mesh_out, error.text);
    character_free(&model);
    job->options.mesh = place;
    return made;
}

static int check_line(const fit_job *job)
{
    if (job->options.shape && (job->options.mesh || job->mesh_out))
        return fail_usage("fit: give --mesh or --shape, not both: a shape names its mesh");
    if (job->options.mesh && job->mesh_out)
        return fail_usage("fit: give --mesh or --mesh-out, not both");
    if (!job->mesh_out != !job->triangles)
        return fail_usage("fit: --mesh-out and --triangles go together: where, and how coarse");
    return 0;
}

static int run(void *task, const arguments *given)
{
    fit_job *job = task;
    if (check_line(job) || (job->mesh_out && !make_mesh(job, given->names[0])))
        return 2;
    int code = character_load(&job->character, given->names[0], &job->options) ? run_job(job) : 2;
    free(job->mesh);
    character_free(&job->character);
    return code;
}

static const struct option rows[] = {
    {"-o", "SHAPE.json", OPTION_FILE, AT(model_options, out),
     "write the shape there, whole or not at all"},
    PARTS_BY_ROW,
    {"--shape", "SHAPE.json", OPTION_INPUT, AT(model_options, shape),
     "parts and volumes of a file; what it leaves out is fitted"},
    {"--mesh", "MESH.glb", OPTION_INPUT, AT(model_options, mesh),
     "a collision mesh on the same joints, in place of the model's"},
    {"--triangles", "N", OPTION_COUNT, AT(fit_job, triangles),
     "make a collision mesh of about N triangles"},
    {"--mesh-out", "MESH.glb", OPTION_GLB, AT(fit_job, mesh_out),
     "write that mesh there, with the model's skeleton and clips"},
    {"--fine", "N", OPTION_COUNT, AT(model_options, fine_volumes),
     "fit volumes of level 3 too, at most N a part"},
    MAX_MEMORY_ROW,
    JSON_ROWS};

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
    OPTIONS(rows),
    JOB(fit_job, .options = {.skin_b = -1}),
    ONE_MODEL,
    .run = run};
