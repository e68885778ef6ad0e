#include "cli/character.h"

#include "cli/model_file.h"
#include "cli/names.h"
#include "cli/parts.h"
#include "cli/print.h"
#include "cli/room.h"
#include "cli/shape_file.h"
#include "cli/shape_mesh.h"

#include "scenes/synth.h"

#include <graze/ext/inspect.h>

#include <math.h>
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
        name_search search = {.word = kind};
        for (int i = 0; i < GRAZE_SYNTH_KIND_COUNT; i++)
            name_search_offer(&search, graze_synth_name((graze_synth_kind)i));
        snprintf(error->text, sizeof error->text, "builtin:%.60s: there is no such model; %s%s%s",
                 name, search.near ? "did you mean builtin:" : "graze synth --list names them",
                 search.near ? search.near : "", search.near ? "?" : "");
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

/* parts: of triangles and vertices, so many of them; NULL where they are joints. */
static graze_status build_model(const struct character *character, const model_options *options,
                                const shape_file *parts, uint32_t part_count, graze_model **model,
                                graze_error *error)
{
    const graze_rig *rig = character->rig;
    graze_model_def def = graze_rig_model_def(rig);
    if (parts->triangle_parts) {
        def.triangle_parts = parts->triangle_parts;
        def.vertex_parts = parts->vertex_parts;
        def.part_count = part_count;
    }
    if (options->tree != TREE_DEFAULT)
        def.tree = graze_paper_tree();
    if (options->tree == TREE_SPHERES)
        def.tree.refit = GRAZE_REFIT_DEFAULT;
    def.skinning = (graze_skinning)options->skin;
    def.no_self_collision = !options->self_collision;
    return graze_rig_create_model(rig, &def, model, error);
}

static bool load_file(struct character *character, line_text *text)
{
    const char *name = character->name;
    graze_error error = {0};
    graze_status status = strncmp(name, "builtin:", 8) == 0
                              ? load_builtin(name + 8, &character->rig, &error)
                              : model_file_load(name, &character->rig, &error);
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
    graze_error error;
    character->mesh = copy_text(path);
    if (shape_mesh_take(character->rig, path, &error))
        return true;
    snprintf(text->text, sizeof text->text, "--mesh %s: %s", path, error.text);
    return false;
}

/* The parts, and of triangles and vertices those that are not joints. */
static bool make_parts(struct character *character, const model_options *options, shape_file *shape,
                       line_text *text)
{
    const graze_rig *rig = character->rig;
    graze_error error;
    if (options->shape) {
        if (!shape_file_read(shape, options->shape, character->rig))
            return false;
        character->parts = shape->parts;
        character->mesh = shape->mesh;
        shape->parts = NULL;
        shape->mesh = NULL;
        return true;
    }
    if (options->parts_by != GRAZE_PARTS_BY_JOINT) {
        shape->triangle_parts = room(rig->triangle_count, sizeof(uint32_t));
        shape->vertex_parts = room(rig->vertex_count, sizeof(uint32_t));
    }
    return !graze_rig_part_names(rig, (graze_parts_by)options->parts_by, shape->triangle_parts,
                                 shape->vertex_parts, &character->parts, &error) ||
           fail(character, &error, text);
}

/* Model, parts and volumes of what is in the rig. */
static bool build(struct character *character, const model_options *options, shape_file *shape,
                  line_text *text)
{
    graze_error error = {0};
    double start = now_us();
    if (!make_parts(character, options, shape, text))
        return false;
    if (graze_rig_part_names(character->rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &character->joints,
                             &error) ||
        build_model(character, options, shape, graze_part_count(character->parts),
                    &character->model, &error))
        return fail(character, &error, text);
    if (options->shape)
        character->fit =
            shape_file_fit(shape, options->shape, options->fine_volumes, character->model);
    character->build_ms = (now_us() - start) * 1e-3;
    return !options->shape || character->fit;
}

static bool make(struct character *character, const model_options *options, line_text *text)
{
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
                 build(character, options, &shape, text);
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

bool character_load_rig(struct character *character, const char *name, line_text *text)
{
    *character = (struct character){.name = name};
    return load_file(character, text);
}

bool character_load(struct character *character, const char *name, const model_options *options)
{
    line_text text;
    note("loading the model");
    bool made = character_make(character, name, options, &text);
    note_done();
    return made || (text.text[0] && refuse("%s", text.text));
}

bool character_regroup(const struct character *character, const model_options *options,
                       uint32_t *triangle_parts, uint32_t part_count, graze_model **model)
{
    graze_error error;
    shape_file parts = {.triangle_parts = triangle_parts,
                        .vertex_parts = room(character->rig->vertex_count, sizeof(uint32_t))};
    graze_status status = build_model(character, options, &parts, part_count, model, &error);
    free(parts.vertex_parts);
    return !status || refuse("%s: %s", character->name, error.text);
}

bool character_fit(struct character *character, const model_options *options)
{
    graze_error error;
    graze_hitboxes_def def = {0};
    def.inner_hitboxes = options->fine_volumes;
    if (character->fit)
        return true;
    note("fitting volumes");
    graze_status status = graze_hitboxes_create(character->model, &def, &character->fit, &error);
    note_done();
    return !status || refuse("%s: %s", character->name, error.text);
}

void character_free(struct character *character)
{
    graze_hitboxes_destroy(character->fit);
    free(character->mesh);
    graze_part_names_destroy(character->joints);
    graze_part_names_destroy(character->parts);
    graze_model_destroy(character->model);
    graze_rig_destroy(character->rig);
    *character = (struct character){0};
}

/* "there is no clip dance; there are walk, run" */
static bool fail_clip(const struct character *character, const char *clip)
{
    const graze_rig *rig = character->rig;
    const bool many = rig->clip_count > 1;
    name_search search = {.word = clip};
    for (uint32_t i = 0; i < rig->clip_count; i++) {
        char number[16];
        snprintf(number, sizeof number, "%u", i);
        name_search_offer(&search, rig->clips[i].name);
        if (!rig->clips[i].name)
            name_search_list(&search, number);
    }
    if (rig->clip_count == 0)
        return refuse("%s: there is no clip %s; the model has no clips", character->name, clip);
    return refuse("%s: there is no clip %s; %s%s%s", character->name, clip,
                  name_search_tell(&search, many ? "there are" : "there is"),
                  search.near && many ? " There are " : "",
                  search.near && many ? name_search_all(&search) : "");
}

static bool find_clip(const struct character *character, const char *clip, uint32_t *index)
{
    const bool none = clip ? strcmp(clip, "none") == 0 : character->rig->clip_count == 0;
    *index = none ? GRAZE_NONE : clip ? graze_rig_find_clip(character->rig, clip) : 0;
    return none || *index != GRAZE_NONE || fail_clip(character, clip);
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

void instance_prepare(struct instance *instance, const struct character *character)
{
    *instance = (struct instance){.character = character, .placing = {.clip = GRAZE_NONE}};
    instance->joints = room(character->rig->joint_count, 12 * sizeof(float));
    instance->morph_weights = room(character->rig->morph_count, sizeof(float));
}

bool instance_open(struct instance *instance, const struct character *character,
                   const model_options *options, instance_role role)
{
    graze_error error;
    bool second = role != INSTANCE_FIRST;
    const char *names = role == INSTANCE_SECOND ? options->part_b : options->part;
    instance_prepare(instance, character);
    if (second)
        instance->placing = (struct placing){.phase = options->phase,
                                             .at = {options->at[0], options->at[1], options->at[2]},
                                             .turn = options->turn};
    if (!find_clip(character, second && options->clip_b ? options->clip_b : options->clip,
                   &instance->placing.clip))
        return false;
    if (graze_body_create(character->model, &instance->body, &error))
        return refuse("%s: %s", character->name, error.text);
    return !names || parts_choose(character, instance->body, names);
}

void instance_close(struct instance *instance)
{
    graze_body_destroy(instance->body);
    free(instance->joints);
    free(instance->morph_weights);
    *instance = (struct instance){0};
}

static graze_status sample(struct instance *instance, double time)
{
    return graze_rig_sample(instance->character->rig, instance->placing.clip,
                            time + instance->placing.phase, instance->joints,
                            instance->morph_weights);
}

bool instance_sample(struct instance *instance, double time)
{
    return !sample(instance, time) ||
           refuse("%s: the clip could not be sampled", instance->character->name);
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
    return !set_pose(instance, &error) || refuse("%s: %s", instance->character->name, error.text);
}

bool instance_move(struct instance *instance, double time, graze_error *error)
{
    if (!sample(instance, time))
        return !set_pose(instance, error);
    snprintf(error->text, sizeof error->text, "the clip could not be sampled");
    return false;
}
