#include "cli/scene_file.h"

#include "cli/options.h"
#include "cli/scene_body.h"

#include <graze/world.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const scene_levels[SCENE_LEVELS] = {"ignore", "bounds", "parts", "exact"};
const char *const scene_motions[SCENE_MOTIONS] = {"discrete", "swept", "sampled", "continuous"};

enum { LEVEL_EXACT = 3, MOTION_DISCRETE = 0 };

/* Zeroed, at least one; prints if there is no memory. */
static void *allocate(const json_value *whole, size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        json_fail(whole, "out of memory");
    return memory;
}

/* ---- time --------------------------------------------------------------------------------- */

static bool read_times(struct scene *scene, const json_value *whole)
{
    json_value seconds = json_member(whole, "seconds"), fps = json_member(whole, "fps");
    if (!json_take_number(&seconds, "how many seconds to play", &scene->seconds))
        return false;
    if (scene->seconds < 0)
        return json_fail_expected(&seconds, "how many seconds to play, 0 or more");
    if (!json_take_number(&fps, "frames a second", &scene->fps))
        return false;
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

static bool read_classes(struct scene *scene, const json_value *whole)
{
    json_value array = json_member(whole, "classes");
    const cJSON *json;
    uint32_t count = 0;
    if (json_is_there(&array) && !json_take_array(&array, "names", &count))
        return false;
    if (count >= GRAZE_MAX_CLASSES)
        return json_fail(&array, "expected at most %d classes, found %u", GRAZE_MAX_CLASSES - 1,
                         count);
    if (!(scene->classes = allocate(whole, count, sizeof *scene->classes)))
        return false;
    cJSON_ArrayForEach(json, array.json)
    {
        json_value item = json_item(&array, json, scene->class_count);
        const char *name;
        if (!json_take_text(&item, "the name of a class", &name))
            return false;
        for (uint32_t i = 0; i < scene->class_count; i++)
            if (strcmp(scene->classes[i], name) == 0)
                return json_fail(&item, "the class %.80s is named twice", name);
        scene->classes[scene->class_count++] = name;
    }
    return true;
}

bool scene_take_class(const struct scene *scene, const json_value *value, uint32_t *number)
{
    const char *name;
    int choice;
    if (!json_take_text(value, "the name of a class", &name) ||
        !json_take_choice(value, "class", scene->classes, scene->class_count, &choice))
        return false;
    *number = (uint32_t)choice;
    return true;
}

static bool read_rule_classes(const struct scene *scene, const json_value *place, scene_rule *rule)
{
    json_value array = json_member(place, "classes");
    const cJSON *json;
    uint32_t count, index = 0;
    if (!json_take_array(&array, "two classes", &count))
        return false;
    if (count != 2)
        return json_fail_expected(&array, "an array of two classes");
    cJSON_ArrayForEach(json, array.json)
    {
        json_value item = json_item(&array, json, index);
        if (!scene_take_class(scene, &item, &rule->classes[index++]))
            return false;
    }
    for (uint32_t i = 0; i < scene->rule_count; i++) {
        const uint32_t *a = rule->classes, *b = scene->rules[i].classes;
        if ((a[0] == b[0] && a[1] == b[1]) || (a[0] == b[1] && a[1] == b[0]))
            return json_fail(&array,
                             "expected classes without a rule, found %.80s and %.80s of "
                             "rules[%u]",
                             scene->classes[a[0]], scene->classes[a[1]], i);
    }
    return true;
}

static bool read_rule(const struct scene *scene, const json_value *place, scene_rule *rule)
{
    static const char *const keys[] = {"classes", "level", "motion"};
    if (!json_check_keys(place, keys, sizeof keys / sizeof *keys) ||
        !read_rule_classes(scene, place, rule))
        return false;
    json_value level = json_member(place, "level"), motion = json_member(place, "motion");
    rule->level = LEVEL_EXACT;
    rule->motion = MOTION_DISCRETE;
    return (!json_is_there(&level) ||
            json_take_choice(&level, "level", scene_levels, SCENE_LEVELS, &rule->level)) &&
           (!json_is_there(&motion) ||
            json_take_choice(&motion, "motion", scene_motions, SCENE_MOTIONS, &rule->motion));
}

static bool read_rules(struct scene *scene, const json_value *whole)
{
    json_value array = json_member(whole, "rules");
    const cJSON *json;
    uint32_t count = 0;
    if (json_is_there(&array) && !json_take_array(&array, "rules", &count))
        return false;
    if (!(scene->rules = allocate(whole, count, sizeof *scene->rules)))
        return false;
    cJSON_ArrayForEach(json, array.json)
    {
        json_value place = json_item(&array, json, scene->rule_count);
        if (!read_rule(scene, &place, &scene->rules[scene->rule_count]))
            return false;
        scene->rule_count++;
    }
    return true;
}

/* ---- bodies ------------------------------------------------------------------------------- */

static int by_name(const void *left, const void *right)
{
    const scene_body *a = *(const scene_body *const *)left, *b = *(const scene_body *const *)right;
    int order = strcmp(a->name, b->name);
    return order ? order : a < b ? -1 : a > b;
}

static bool check_names(const struct scene *scene, const json_value *whole)
{
    const scene_body **order = allocate(whole, scene->body_count, sizeof *order);
    bool good = order != NULL;
    for (uint32_t i = 0; good && i < scene->body_count; i++)
        order[i] = &scene->bodies[i];
    if (good)
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

static bool read_bodies(struct scene *scene, const json_value *whole, const char *path)
{
    json_value array = json_member(whole, "bodies");
    const cJSON *json;
    uint32_t count;
    if (!json_take_array(&array, "bodies", &count))
        return false;
    scene->bodies = allocate(whole, count, sizeof *scene->bodies);
    scene->models = allocate(whole, count, sizeof *scene->models);
    if (!scene->bodies || !scene->models)
        return false;
    cJSON_ArrayForEach(json, array.json)
    {
        json_value place = json_item(&array, json, scene->body_count);
        if (!scene_read_body(scene, &place, path, &scene->bodies[scene->body_count]))
            return false;
        scene->body_count++;
    }
    return check_names(scene, whole);
}

/* ---- the whole ---------------------------------------------------------------------------- */

bool scene_read(struct scene *scene, const char *path)
{
    static const char *const keys[] = {"seconds", "fps", "classes", "rules", "bodies"};
    json_value whole;
    *scene = (struct scene){.tree = NULL};
    bool good = json_file_read(path, &scene->tree, &whole) &&
                json_check_keys(&whole, keys, sizeof keys / sizeof *keys) &&
                read_times(scene, &whole) && read_classes(scene, &whole) &&
                read_rules(scene, &whole) && read_bodies(scene, &whole, path);
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
