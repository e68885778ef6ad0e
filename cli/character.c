#include "cli/character.h"

#include "cli/names.h"
#include "cli/part_choice.h"
#include "cli/parts.h"
#include "cli/print.h"
#include "cli/shape_file.h"
#include "cli/shape_mesh.h"

#include "scenes/synth.h"

#include <graze/gltf.h>
#include <graze/reference.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

/* What follows "builtin:": KIND or KIND:TRIANGLES. */
static graze_status load_builtin(const char *name, graze_rig **rig, graze_error *error)
{
    graze_synth_def def = {0};
    char kind[32];
    size_t length = strcspn(name, ":");
    snprintf(kind, sizeof kind, "%.*s", (int)(length < 31 ? length : 31), name);
    if (!graze_synth_find(kind, &def.kind)) {
        suggestion near = {.word = kind};
        for (int i = 0; i < GRAZE_SYNTH_KIND_COUNT; i++)
            suggestion_offer(&near, graze_synth_name((graze_synth_kind)i));
        snprintf(error->text, sizeof error->text, "builtin:%.60s: there is no such model; %s%s%s",
                 name, near.name ? "did you mean builtin:" : "graze synth --list names them",
                 near.name ? near.name : "", near.name ? "?" : "");
        return GRAZE_BAD_INPUT;
    }
    if (name[length]) {
        const char *digits = name + length + 1;
        size_t count = strspn(digits, "0123456789");
        def.triangles = (uint32_t)strtoul(digits, NULL, 10);
        if (count == 0 || count > 9 || digits[count]) {
            snprintf(error->text, sizeof error->text,
                     "builtin:%.60s: \"%.20s\" is not a number of triangles", name, digits);
            return GRAZE_BAD_INPUT;
        }
    }
    return graze_synth(&def, NULL, rig, error);
}

static graze_status load_rig(const char *name, graze_rig **rig, graze_error *error)
{
    if (strncmp(name, "builtin:", 8) == 0)
        return load_builtin(name + 8, rig, error);
    return graze_gltf_load(name, NULL, rig, error);
}

/* Groups of a model other than its joints: NULL where they are. */
typedef struct part_groups {
    uint32_t *triangles, *vertices;
    uint32_t count; /* 0: as many as the character has parts */
} part_groups;

static graze_status build_model(const struct character *character, const model_options *options,
                                const part_groups *groups, graze_model **model, graze_error *error)
{
    enum { EXAMPLES = 4 };
    const graze_rig *rig = character->rig;
    graze_model_def def = graze_rig_model_def(rig);
    if (groups->triangles) {
        def.triangle_groups = groups->triangles;
        def.vertex_groups = groups->vertices;
        def.group_count = groups->count ? groups->count : graze_parts_count(character->parts);
    }
    if (options->tree != TREE_DEFAULT)
        def.tree = graze_paper_tree_def();
    if (options->tree == TREE_SPHERES)
        def.tree.refit = GRAZE_REFIT_DEFAULT;
    def.skinning = (graze_skinning)options->skin;
    def.self_collision = options->self_collision;
    float *poses = malloc((size_t)EXAMPLES * rig->joint_count * 12 * sizeof *poses + 1);
    graze_morph_target *targets = malloc((rig->morph_count + 1) * sizeof *targets);
    graze_status status = GRAZE_OUT_OF_MEMORY;
    snprintf(error->text, sizeof error->text, "out of memory");
    if (poses && targets && (!rig->clip_count || !graze_rig_example_poses(rig, EXAMPLES, poses))) {
        graze_rig_morph_targets(rig, targets);
        def.morphs = targets;
        def.morph_count = rig->morph_count;
        def.example_poses = rig->clip_count ? poses : NULL;
        def.example_pose_count = rig->clip_count ? EXAMPLES : 0;
        status = graze_model_create(&def, model, error);
    }
    free(poses);
    free(targets);
    return status;
}

static bool load_file(struct character *character, line_text *text)
{
    const char *name = character->name;
    graze_error error = {0};
    bool builtin = strncmp(name, "builtin:", 8) == 0;
    if (builtin)
        note("making the model");
    graze_status status = load_rig(name, &character->rig, &error);
    if (builtin)
        note_done();
    if (!status)
        return true;
    graze_synth_kind kind;
    bool meant = status == GRAZE_IO_ERROR && graze_synth_find(name, &kind);
    snprintf(text->text, sizeof text->text, "%s%s%s%s", error.text,
             meant ? "; did you mean builtin:" : "", meant ? name : "", meant ? "?" : "");
    return false;
}

static bool fail(const struct character *character, const graze_error *error, line_text *text)
{
    snprintf(text->text, sizeof text->text, "%s: %s", character->name, error->text);
    return false;
}

/* The collision mesh of options. */
static bool take_mesh(struct character *character, const char *path, line_text *text)
{
    graze_error error = {.text = "out of memory"};
    character->mesh = path_beside("", path);
    if (character->mesh && shape_mesh_take(character->rig, path, &error))
        return true;
    snprintf(text->text, sizeof text->text, "--mesh %s: %s", path, error.text);
    return false;
}

/* The parts, and the groups of those that are not joints. */
static bool make_groups(struct character *character, const model_options *options,
                        part_groups *groups, shape_file *shape, line_text *text)
{
    const graze_rig *rig = character->rig;
    graze_error error = {.text = "out of memory"};
    if (options->shape) {
        if (!shape_file_read(shape, options->shape, character->rig))
            return false;
        *groups = (part_groups){shape->triangle_groups, shape->vertex_groups, 0};
        character->parts = shape->parts;
        character->mesh = shape->mesh;
        shape->triangle_groups = shape->vertex_groups = NULL;
        shape->parts = NULL;
        shape->mesh = NULL;
        return true;
    }
    bool by_joint = options->parts_by == GRAZE_PARTS_BY_JOINT;
    if (!by_joint) {
        groups->triangles = malloc(rig->triangle_count * sizeof(uint32_t));
        groups->vertices = malloc(rig->vertex_count * sizeof(uint32_t));
        if (!groups->triangles || !groups->vertices)
            return fail(character, &error, text);
    }
    return !graze_rig_parts(rig, (graze_parts_by)options->parts_by, groups->triangles,
                            groups->vertices, &character->parts, &error) ||
           fail(character, &error, text);
}

/* Model, parts and volumes of what is in the rig. */
static bool build(struct character *character, const model_options *options, part_groups *groups,
                  shape_file *shape, line_text *text)
{
    graze_error error = {0};
    double start = now_us();
    if (!make_groups(character, options, groups, shape, text))
        return false;
    if (graze_rig_parts(character->rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &character->joints,
                        &error) ||
        build_model(character, options, groups, &character->model, &error))
        return fail(character, &error, text);
    if (options->shape)
        character->fit =
            shape_file_fit(shape, options->shape, options->fine_volumes, character->model);
    character->build_ms = (now_us() - start) * 1e-3;
    return !options->shape || character->fit;
}

static bool make(struct character *character, const model_options *options, line_text *text)
{
    part_groups groups = {NULL, NULL, 0};
    shape_file shape = {.parts = NULL};
    double start = now_us();
    if (!load_file(character, text))
        return false;
    character->load_ms = (now_us() - start) * 1e-3;
    if (options->skin != GRAZE_LINEAR && !character->rig->skinned) {
        snprintf(text->text, sizeof text->text,
                 "%s: --skin %s asks for a skin, and the model has none", character->name,
                 options->skin == GRAZE_DUAL ? "dual" : "spherical");
        return false;
    }
    bool built = (!options->mesh || take_mesh(character, options->mesh, text)) &&
                 build(character, options, &groups, &shape, text);
    free(groups.triangles);
    free(groups.vertices);
    shape_file_free(&shape);
    return built;
}

bool character_make(struct character *character, const char *name, const model_options *options,
                    line_text *text)
{
    *character = (struct character){.name = name};
    text->text[0] = 0;
    if (make(character, options, text))
        return true;
    character_free(character);
    return false;
}

bool character_load(struct character *character, const char *name, const model_options *options)
{
    line_text text;
    if (character_make(character, name, options, &text))
        return true;
    if (text.text[0])
        fail_usage("%s", text.text);
    return false;
}

bool character_regroup(const struct character *character, const model_options *options,
                       uint32_t *triangle_groups, uint32_t group_count, graze_model **model)
{
    graze_error error = {.text = "out of memory"};
    part_groups groups = {triangle_groups, calloc(character->rig->vertex_count, sizeof(uint32_t)),
                          group_count};
    bool made = groups.vertices && !build_model(character, options, &groups, model, &error);
    if (!made)
        fail_usage("%s: %s", character->name, error.text);
    free(groups.vertices);
    return made;
}

bool character_fit(struct character *character, const model_options *options)
{
    graze_error error;
    graze_fit_def def = graze_default_fit_def();
    def.fine_volumes = options->fine_volumes;
    if (character->fit || !graze_fit_create(character->model, &def, &character->fit, &error))
        return true;
    fail_usage("%s: %s", character->name, error.text);
    return false;
}

void character_free(struct character *character)
{
    graze_fit_destroy(character->fit);
    free(character->mesh);
    graze_parts_destroy(character->joints);
    graze_parts_destroy(character->parts);
    graze_model_destroy(character->model);
    graze_rig_destroy(character->rig);
    *character = (struct character){0};
}

/* "there is no clip dance; there are walk, run" */
static void fail_clip(const struct character *character, const char *clip)
{
    const graze_rig *rig = character->rig;
    suggestion near = {.word = clip};
    name_list all = {.used = 0};
    for (uint32_t i = 0; i < rig->clip_count; i++) {
        char number[16];
        snprintf(number, sizeof number, "%u", i);
        suggestion_offer(&near, rig->clips[i].name);
        name_list_add(&all, rig->clips[i].name ? rig->clips[i].name : number);
    }
    if (rig->clip_count == 0)
        fail_usage("%s: there is no clip %s; the model has no clips", character->name, clip);
    else if (near.name && rig->clip_count > 1)
        fail_usage("%s: there is no clip %s; did you mean %s? There are %s", character->name, clip,
                   near.name, name_list_end(&all));
    else if (near.name)
        fail_usage("%s: there is no clip %s; did you mean %s?", character->name, clip, near.name);
    else
        fail_usage("%s: there is no clip %s; there %s %s", character->name, clip,
                   rig->clip_count > 1 ? "are" : "is", name_list_end(&all));
}

static bool find_clip(const struct character *character, const char *clip, uint32_t *index)
{
    *index = GRAZE_NONE;
    if (clip && strcmp(clip, "none") == 0)
        return true;
    if (!clip) {
        *index = character->rig->clip_count ? 0 : GRAZE_NONE;
        return true;
    }
    *index = graze_rig_find_clip(character->rig, clip);
    if (*index != GRAZE_NONE)
        return true;
    fail_clip(character, clip);
    return false;
}

bool character_pair_load(struct character_pair *pair, const char *const *names, size_t name_count,
                         const model_options *options)
{
    model_options second = *options;
    if (options->skin_b >= 0)
        second.skin = options->skin_b;
    if (name_count > 1)
        second.shape = NULL;
    *pair = (struct character_pair){0};
    if (!character_load(&pair->loaded[0], names[0], options))
        return false;
    bool same = name_count == 1 && second.skin == options->skin;
    pair->of[0] = &pair->loaded[0];
    pair->of[1] = &pair->loaded[!same];
    if (same || character_load(&pair->loaded[1], names[name_count - 1], &second))
        return true;
    character_pair_free(pair);
    return false;
}

void character_pair_free(struct character_pair *pair)
{
    character_free(&pair->loaded[0]);
    character_free(&pair->loaded[1]);
}

bool instance_open(struct instance *instance, const struct character *character,
                   const model_options *options, instance_role role)
{
    graze_error error = {.text = "out of memory"};
    bool second = role != INSTANCE_FIRST;
    struct placing placing = {.clip = GRAZE_NONE};
    if (second)
        placing = (struct placing){.phase = options->phase,
                                   .at = {options->at[0], options->at[1], options->at[2]},
                                   .turn = options->turn};
    if (!find_clip(character, second && options->clip_b ? options->clip_b : options->clip,
                   &placing.clip))
        return false;
    *instance = (struct instance){.character = character, .placing = placing};
    instance->joints = malloc(12 * sizeof(float) * character->rig->joint_count);
    instance->morph_weights = malloc(sizeof(float) * (character->rig->morph_count + 1));
    const char *names = role == INSTANCE_SECOND ? options->part_b : options->part;
    bool made = instance->joints && instance->morph_weights &&
                !graze_body_create(character->model, &instance->body, &error);
    if (made && (!names || parts_choose(character, instance->body, names)))
        return true;
    if (!made)
        fail_usage("%s: %s", character->name, error.text);
    instance_close(instance);
    return false;
}

void instance_close(struct instance *instance)
{
    graze_body_destroy(instance->body);
    free(instance->joints);
    free(instance->morph_weights);
    *instance = (struct instance){0};
}

bool instance_sample(struct instance *instance, double time)
{
    if (!graze_rig_sample(instance->character->rig, instance->placing.clip,
                          time + instance->placing.phase, instance->joints,
                          instance->morph_weights))
        return true;
    fail_usage("%s: the clip could not be sampled", instance->character->name);
    return false;
}

void turn_about_y(double degrees, double *sine, double *cosine)
{
    double quarters = degrees / 90;
    if (quarters == floor(quarters)) {
        static const double sines[4] = {0, 1, 0, -1};
        int quarter = (int)fmod(fmod(quarters, 4) + 4, 4);
        *sine = sines[quarter];
        *cosine = sines[(quarter + 1) % 4];
    } else {
        *sine = sin(degrees * (3.14159265358979323846 / 180));
        *cosine = cos(degrees * (3.14159265358979323846 / 180));
    }
}

void instance_place(const struct instance *instance, float placement[12])
{
    const struct placing *placing = &instance->placing;
    double s, c;
    turn_about_y(placing->turn, &s, &c);
    const float rows[12] = {(float)c,  0, (float)s, (float)placing->at[0],
                            0,         1, 0,        (float)placing->at[1],
                            (float)-s, 0, (float)c, (float)placing->at[2]};
    memcpy(placement, rows, sizeof rows);
}

/* The status of handing over the sampled pose. */
static graze_status set_pose(struct instance *instance, graze_error *error)
{
    const struct placing *placing = &instance->placing;
    float placement[12];
    instance_place(instance, placement);
    bool placed =
        placing->turn != 0 || placing->at[0] != 0 || placing->at[1] != 0 || placing->at[2] != 0;
    graze_pose pose = {.joints = instance->joints,
                       .joint_count = instance->character->rig->joint_count,
                       .layout = GRAZE_ROWS_3X4,
                       .placement = placed ? placement : NULL,
                       .morph_weights = instance->morph_weights,
                       .morph_count = instance->character->rig->morph_count};
    return graze_body_set_pose(instance->body, &pose, error);
}

bool instance_pose(struct instance *instance)
{
    graze_error error;
    if (!set_pose(instance, &error))
        return true;
    fail_usage("%s: %s", instance->character->name, error.text);
    return false;
}

bool instance_move(struct instance *instance, double time, graze_error *error)
{
    if (!graze_rig_sample(instance->character->rig, instance->placing.clip,
                          time + instance->placing.phase, instance->joints,
                          instance->morph_weights))
        return !set_pose(instance, error);
    snprintf(error->text, sizeof error->text, "the clip could not be sampled");
    return false;
}
