#include "cli/scene_body.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const body_kind_names[BODY_KINDS] = {"model", "sphere", "capsule", "box", "plane"};

/* ---- models ------------------------------------------------------------------------------- */

/* Where a path leads that is relative to the scene's folder. */
static char *resolve_path(const char *scene_path, const char *path)
{
    const char *slash = strrchr(scene_path, '/');
    bool alone = !slash || path[0] == '/' || strncmp(path, "builtin:", 8) == 0;
    size_t folder = alone ? 0 : (size_t)(slash - scene_path) + 1;
    size_t length = strlen(path);
    char *resolved = malloc(folder + length + 1);
    if (resolved) {
        memcpy(resolved, scene_path, folder);
        memcpy(resolved + folder, path, length + 1);
    }
    return resolved;
}

static bool is_same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool take_path(const json_value *value, const char *what, const char *scene_path,
                      char **path)
{
    const char *text;
    if (!json_take_text(value, what, &text))
        return false;
    *path = resolve_path(scene_path, text);
    return *path || json_fail(value, "out of memory");
}

static bool read_model(struct scene *scene, const json_value *place, const char *scene_path,
                       scene_body *body)
{
    json_value value = json_member(place, "model"), shape = json_member(place, "shape");
    scene_model *model = &scene->models[scene->model_count];
    *model = (scene_model){.place = value, .shape_place = shape};
    bool good = take_path(&value, "the path of a model", scene_path, &model->path) &&
                (!json_is_there(&shape) ||
                 take_path(&shape, "the path of a shape", scene_path, &model->shape_path));
    uint32_t known = 0;
    while (good && known < scene->model_count &&
           (!is_same_text(scene->models[known].path, model->path) ||
            !is_same_text(scene->models[known].shape_path, model->shape_path)))
        known++;
    body->model = known;
    if (good && known == scene->model_count) {
        scene->model_count++;
        return true;
    }
    free(model->path);
    free(model->shape_path);
    *model = (scene_model){.path = NULL};
    return good;
}

/* ---- primitives --------------------------------------------------------------------------- */

static bool read_sphere(const json_value *value, double n[4])
{
    if (!json_take_number(value, "a radius", &n[0]))
        return false;
    return (float)n[0] > 0 || json_fail_expected(value, "a radius above 0");
}

/* One of an array's numbers is not what it has to be. */
static bool fail_number(const json_value *array, uint32_t index, const char *expected)
{
    json_value item = json_item(array, cJSON_GetArrayItem(array->json, (int)index), index);
    return json_fail_expected(&item, "%s", expected);
}

static bool read_capsule(const json_value *value, double n[4])
{
    if (!json_take_numbers(value, "[length, radius]", n, 2))
        return false;
    if (!(n[0] >= 0))
        return fail_number(value, 0, "a length of 0 or more");
    return (float)n[1] > 0 || fail_number(value, 1, "a radius above 0");
}

static bool read_box(const json_value *value, double n[4])
{
    if (!json_take_numbers(value, "[x, y, z], three sides", n, 3))
        return false;
    for (uint32_t i = 0; i < 3; i++)
        if (!((float)n[i] > 0))
            return fail_number(value, i, "a side above 0");
    return true;
}

static bool read_plane(const json_value *value, double n[4])
{
    return json_take_numbers(value, "[nx, ny, nz, d]", n, 4) &&
           ((float)n[0] != 0 || (float)n[1] != 0 || (float)n[2] != 0 ||
            json_fail(value, "expected a normal other than zero, found 0, 0, 0"));
}

/* What a primitive cannot have. */
static bool check_primitive(const json_value *place, body_kind kind)
{
    static const char *const keys[] = {"clip", "shape"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_value value = json_member(place, keys[i]);
        bool none = cJSON_IsString(value.json) && strcmp(value.json->valuestring, "none") == 0;
        if (json_is_there(&value) && !none)
            return json_fail(&value, "expected a body with a model here, found a %s",
                             body_kind_names[kind]);
    }
    return true;
}

static bool read_primitive(const json_value *place, scene_body *body)
{
    static bool (*const readers[BODY_KINDS])(const json_value *, double *) = {
        NULL, read_sphere, read_capsule, read_box, read_plane};
    json_value value = json_member(place, body_kind_names[body->kind]);
    return readers[body->kind](&value, body->numbers) && check_primitive(place, body->kind);
}

/* ---- what all have ------------------------------------------------------------------------ */

static bool read_kind(const json_value *place, scene_body *body)
{
    int found = 0;
    body_kind kinds[BODY_KINDS];
    for (int kind = 0; kind < BODY_KINDS; kind++) {
        json_value value = json_member(place, body_kind_names[kind]);
        if (json_is_there(&value))
            kinds[found++] = (body_kind)kind;
    }
    if (found == 0)
        return json_fail(place, "expected one of model, sphere, capsule, box, plane, found none");
    if (found > 1)
        return json_fail(place,
                         "expected one of model, sphere, capsule, box, plane, found %s and "
                         "%s",
                         body_kind_names[kinds[0]], body_kind_names[kinds[1]]);
    body->kind = kinds[0];
    return true;
}

static bool read_optional(const json_value *place, const char *key, const char *what,
                          double *numbers, uint32_t count)
{
    json_value value = json_member(place, key);
    if (!json_is_there(&value))
        return true;
    return count > 1 ? json_take_numbers(&value, what, numbers, count)
                     : json_take_number(&value, what, numbers);
}

/* Which clip it is shows when the model is there. */
static bool read_clip(const json_value *place, scene_body *body)
{
    body->clip = json_member(place, "clip");
    const cJSON *clip = body->clip.json;
    bool number = cJSON_IsNumber(clip) && clip->valuedouble >= 0 &&
                  clip->valuedouble == floor(clip->valuedouble);
    if (!json_is_there(&body->clip) || cJSON_IsString(clip) || number)
        return true;
    return json_fail_expected(&body->clip, "a clip's name or number, or \"none\"");
}

static bool read_class(const struct scene *scene, const json_value *place, scene_body *body)
{
    json_value value = json_member(place, "class");
    body->class_number = scene->class_count;
    return !json_is_there(&value) || scene_take_class(scene, &value, &body->class_number);
}

static bool read_solid(const json_value *place, scene_body *body)
{
    json_value value = json_member(place, "solid");
    return !json_is_there(&value) || json_take_truth(&value, &body->solid);
}

bool scene_read_body(struct scene *scene, const json_value *place, const char *scene_path,
                     scene_body *body)
{
    static const char *const keys[] = {"name",  "model",    "sphere", "capsule", "box",
                                       "plane", "clip",     "class",  "at",      "turn",
                                       "phase", "velocity", "shape",  "solid"};
    *body = (scene_body){.place = *place};
    if (!json_check_keys(place, keys, sizeof keys / sizeof *keys))
        return false;
    json_value name = json_member(place, "name");
    return json_take_text(&name, "a name", &body->name) && read_kind(place, body) &&
           read_class(scene, place, body) &&
           read_optional(place, "at", "[x, y, z], a place", body->at, 3) &&
           read_optional(place, "turn", "degrees", &body->turn, 1) &&
           read_optional(place, "phase", "seconds", &body->phase, 1) &&
           read_optional(place, "velocity", "[x, y, z], metres a second", body->velocity, 3) &&
           read_clip(place, body) && read_solid(place, body) &&
           (body->kind == BODY_MODEL ? read_model(scene, place, scene_path, body)
                                     : read_primitive(place, body));
}
