#include "cli/scene_file.h"

#include "cli/list.h"
#include "cli/options.h"
#include "cli/room.h"
#include "cli/shape_mesh.h"

#include <graze/ext/world.h>

#include <math.h>

const char *const body_kind_names[BODY_KINDS] = {"model", "sphere", "capsule", "box", "plane"};

const char *const scene_levels[SCENE_LEVELS] = {"ignore", "bounds", "parts", "exact"};
/* In the order of graze_motion_rule. */
enum { SCENE_MOTIONS = 4 };
static const char *const motions[SCENE_MOTIONS] = {"discrete", "swept", "sampled", "continuous"};

enum { LEVEL_EXACT = 3, MOTION_DISCRETE = 0 };

/* ---- time --------------------------------------------------------------------------------- */

static bool check_times(struct scene *scene, const json_value *whole)
{
    json_value seconds = json_member(whole, "seconds"), fps = json_member(whole, "fps");
    if (scene->seconds < 0)
        return json_fail_expected(&seconds, "how many seconds to play, 0 or more");
    if (!(scene->fps > 0))
        return json_fail_expected(&fps, "frames a second, above 0");
    double steps = scene->seconds * scene->fps;
    if (!(steps < FRAMES_LIMIT))
        return json_fail(&seconds,
                         "expected at most ten million frames, found %.9g s at %.9g a "
                         "second",
                         scene->seconds, scene->fps);
    scene->frame_count = (uint32_t)floor(steps + 1e-6) + 1;
    return true;
}

/* ---- classes and rules -------------------------------------------------------------------- */

static bool read_class(void *user, void *target, const json_value *item)
{
    const struct scene *scene = user;
    const char *name;
    if (!json_take_text(item, "the name of a class", &name))
        return false;
    for (uint32_t i = 0; i < scene->class_count; i++)
        if (strcmp(scene->classes[i], name) == 0)
            return json_fail(item, "the class %.80s is named twice", name);
    *(const char **)target = name;
    return true;
}

static bool take_class(const struct scene *scene, const json_value *value, uint32_t *number)
{
    const char *name;
    int choice;
    if (!json_take_text(value, "the name of a class", &name) ||
        !json_take_choice(value, "class", scene->classes, scene->class_count, &choice))
        return false;
    *number = (uint32_t)choice;
    return true;
}

static bool read_rule_classes(void *user, void *target, const json_value *array)
{
    const struct scene *scene = user;
    uint32_t *classes = target, count;
    if (!json_take_array(array, "two classes", &count))
        return false;
    if (count != 2)
        return json_fail_expected(array, "an array of two classes");
    for (uint32_t i = 0; i < 2; i++) {
        json_value item = json_at(array, i);
        if (!take_class(scene, &item, &classes[i]))
            return false;
    }
    for (uint32_t i = 0; i < scene->rule_count; i++) {
        const uint32_t *a = classes, *b = scene->rules[i].classes;
        if ((a[0] == b[0] && a[1] == b[1]) || (a[0] == b[1] && a[1] == b[0]))
            return json_fail(array,
                             "expected classes without a rule, found %.80s and %.80s of "
                             "rules[%u]",
                             scene->classes[a[0]], scene->classes[a[1]], i);
    }
    return true;
}

static bool read_rule(void *user, void *target, const json_value *object)
{
    static const json_key keys[] = {
        {"classes", NULL, JSON_OWN, AT(scene_rule, classes), .read = read_rule_classes},
        {"level", "level", JSON_CHOICE, AT(scene_rule, level), .count = SCENE_LEVELS,
         .words = scene_levels},
        {"motion", "motion", JSON_CHOICE, AT(scene_rule, motion), .count = SCENE_MOTIONS,
         .words = motions}};
    *(scene_rule *)target = (scene_rule){.level = LEVEL_EXACT, .motion = MOTION_DISCRETE};
    bool good = json_take_object(object, keys, COUNT_OF(keys), target, user);
    scene_rule *rule = target;
    rule->level = SCENE_LEVELS - 1 - rule->level;
    return good;
}

/* ---- models ------------------------------------------------------------------------------- */

static bool is_same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool take_path(const json_value *value, const char *what, char **path)
{
    const char *text;
    if (!json_take_text(value, what, &text))
        return false;
    *path = path_beside(strncmp(text, "builtin:", 8) == 0 ? "" : value->file, text);
    return true;
}

/* A model is loaded once, however many bodies are of it. */
static bool read_model(struct scene *scene, const json_value *place, scene_body *body)
{
    json_value value = json_member(place, "model"), shape = json_member(place, "shape");
    scene_model model = {.place = value, .shape_place = shape};
    bool good =
        take_path(&value, "the path of a model", &model.path) &&
        (!json_is_there(&shape) || take_path(&shape, "the path of a shape", &model.shape_path));
    uint32_t known = 0;
    while (good && known < scene->model_count &&
           (!is_same_text(scene->models[known].path, model.path) ||
            !is_same_text(scene->models[known].shape_path, model.shape_path)))
        known++;
    body->model = known;
    if (good && known == scene->model_count) {
        item_list models = {scene->models, known, known};
        list_add(&models, &model, 1, sizeof model);
        scene->models = models.items;
        scene->model_count++;
        return true;
    }
    free(model.path);
    free(model.shape_path);
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
    json_value item = json_at(array, index);
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

/* Which clip it is shows when the model is there. */
static bool read_clip(void *user, void *target, const json_value *value)
{
    const cJSON *clip = value->json;
    bool number = cJSON_IsNumber(clip) && clip->valuedouble >= 0 &&
                  clip->valuedouble == floor(clip->valuedouble);
    (void)user;
    *(json_value *)target = *value;
    return !json_is_there(value) || cJSON_IsString(clip) || number ||
           json_fail_expected(value, "a clip's name or number, or \"none\"");
}

static bool read_body_class(void *user, void *target, const json_value *value)
{
    return !json_is_there(value) || take_class(user, value, target);
}

static bool read_body(void *user, void *target, const json_value *place)
{
    static const json_key keys[] = {
        {"name", "a name", JSON_TEXT, AT(scene_body, name), .needed = true},
        {"model", NULL, JSON_OWN, .read = NULL},
        {"sphere", NULL, JSON_OWN, .read = NULL},
        {"capsule", NULL, JSON_OWN, .read = NULL},
        {"box", NULL, JSON_OWN, .read = NULL},
        {"plane", NULL, JSON_OWN, .read = NULL},
        {"clip", NULL, JSON_OWN, AT(scene_body, clip), .read = read_clip},
        {"class", NULL, JSON_OWN, AT(scene_body, category), .read = read_body_class},
        {"at", "[x, y, z], a place", JSON_NUMBERS, AT(scene_body, at), .count = 3},
        {"turn", "degrees", JSON_NUMBERS, AT(scene_body, turn)},
        {"phase", "seconds", JSON_NUMBERS, AT(scene_body, phase)},
        {"velocity", "[x, y, z], metres a second", JSON_NUMBERS, AT(scene_body, velocity),
         .count = 3},
        {"shape", NULL, JSON_OWN, .read = NULL},
        {"solid", NULL, JSON_TRUTH, AT(scene_body, solid)}};
    struct scene *scene = user;
    scene_body *body = target;
    *body = (scene_body){.place = *place, .category = scene->class_count};
    return json_take_object(place, keys, COUNT_OF(keys), body, scene) && read_kind(place, body) &&
           (body->kind == BODY_MODEL ? read_model(scene, place, body)
                                     : read_primitive(place, body));
}

/* ---- bodies ------------------------------------------------------------------------------- */

static int by_name(const void *left, const void *right)
{
    const scene_body *a = *(const scene_body *const *)left, *b = *(const scene_body *const *)right;
    int order = strcmp(a->name, b->name);
    return order ? order : a < b ? -1 : a > b;
}

static bool check_names(const struct scene *scene)
{
    const scene_body **order = room(scene->body_count, sizeof *order);
    bool good = true;
    for (uint32_t i = 0; i < scene->body_count; i++)
        order[i] = &scene->bodies[i];
    qsort(order, scene->body_count, sizeof *order, by_name);
    for (uint32_t i = 1; good && i < scene->body_count; i++)
        if (strcmp(order[i - 1]->name, order[i]->name) == 0) {
            json_value name = json_member(&order[i]->place, "name");
            good = json_fail(&name, "expected a name of its own, found \"%.80s\" of %s",
                             order[i]->name, order[i - 1]->place.place);
        }
    free(order);
    return good;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static const json_key keys[] = {
    {"seconds", "how many seconds to play", JSON_NUMBERS, AT(struct scene, seconds),
     .needed = true},
    {"fps", "frames a second", JSON_NUMBERS, AT(struct scene, fps), .needed = true},
    {"classes", "names", JSON_LIST_OF(struct scene, classes, class_count),
     .count = GRAZE_MAX_CATEGORIES - 1, .read = read_class},
    {"rules", "rules", JSON_LIST_OF(struct scene, rules, rule_count), .read = read_rule},
    {"bodies", "bodies", JSON_LIST_OF(struct scene, bodies, body_count), .needed = true,
     .read = read_body}};

bool scene_read(struct scene *scene, const char *path)
{
    json_value whole;
    *scene = (struct scene){.tree = NULL};
    bool good = json_file_read(path, &scene->tree, &whole) &&
                json_take_object(&whole, keys, COUNT_OF(keys), scene, scene) &&
                check_times(scene, &whole) && check_names(scene);
    if (!good)
        scene_free(scene);
    return good;
}

void scene_free(struct scene *scene)
{
    for (uint32_t i = 0; i < scene->model_count; i++) {
        free(scene->models[i].path);
        free(scene->models[i].shape_path);
    }
    free(scene->models);
    free(scene->bodies);
    free(scene->rules);
    free(scene->classes);
    cJSON_Delete(scene->tree);
    *scene = (struct scene){.tree = NULL};
}
