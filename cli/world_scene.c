#include "cli/world_scene.h"

#include "cli/output.h"
#include "cli/parts.h"
#include "cli/print.h"
#include "cli/room.h"

#include <math.h>

/* ---- models ------------------------------------------------------------------------------- */

static bool load_model(world_scene *made, uint32_t index)
{
    const scene_model *model = &made->scene->models[index];
    struct character *character = &made->characters[index];
    const model_options options = {.skin = GRAZE_LINEAR, .shape = model->shape_path};
    line_text text;
    graze_error error;
    if (!character_make(character, model->path, &options, &text))
        return text.text[0] ? json_fail(&model->place, "%s", text.text) : false;
    if (graze_cache_pool_create(character->model, NULL, &made->caches[index], &error))
        return json_fail(&model->place, "%s: %s", model->path, error.text);
    for (uint32_t i = 0; i < made->scene->rule_count; i++)
        if (made->scene->rules[i].level == GRAZE_LEVEL_HITBOXES)
            return character_fit(character, &options);
    return true;
}

static bool load_models(world_scene *made)
{
    uint32_t count = made->scene->model_count;
    struct progress progress = progress_start("loading models");
    bool good = true;
    for (uint32_t i = 0; good && i < count; i++) {
        good = load_model(made, i);
        progress_show(&progress, i + 1, count);
    }
    progress_end(&progress);
    return good;
}

static bool fail_clip(const scene_body *body, const graze_rig *rig)
{
    const cJSON *clip = body->clip.json;
    if (rig->clip_count == 0)
        return json_fail_expected(&body->clip, "\"none\", as the model has no clips");
    if (cJSON_IsNumber(clip))
        return json_fail_expected(&body->clip, "a clip's number below %u", rig->clip_count);
    const char **names = room(rig->clip_count, sizeof *names);
    size_t count = 0;
    for (uint32_t i = 0; i < rig->clip_count; i++)
        if (rig->clips[i].name)
            names[count++] = rig->clips[i].name;
    json_fail_word(&body->clip, "clip", names, count);
    free(names);
    return false;
}

static bool find_clip(const scene_body *body, const graze_rig *rig, uint32_t *clip)
{
    const cJSON *wanted = body->clip.json;
    *clip = GRAZE_NONE;
    if (!json_is_there(&body->clip) ||
        (cJSON_IsString(wanted) && strcmp(wanted->valuestring, "none") == 0))
        return true;
    if (cJSON_IsString(wanted))
        *clip = graze_rig_find_clip(rig, wanted->valuestring);
    else if (wanted->valuedouble < rig->clip_count)
        *clip = (uint32_t)wanted->valuedouble;
    return *clip != GRAZE_NONE || fail_clip(body, rig);
}

/* ---- bodies and shapes -------------------------------------------------------------------- */

void world_actor_at(const world_actor *actor, double time, double at[3])
{
    for (int i = 0; i < 3; i++)
        at[i] = actor->body->at[i] + time * actor->body->velocity[i];
}

static void turn_vector(double degrees, const double in[3], double out[3])
{
    double s, c;
    turn_about_y(degrees, &s, &c);
    out[0] = c * in[0] + s * in[2];
    out[1] = in[1];
    out[2] = c * in[2] - s * in[0];
}

static graze_shape make_box(const scene_body *body, const float centre[3])
{
    const float half[3] = {(float)(body->numbers[0] / 2), (float)(body->numbers[1] / 2),
                           (float)(body->numbers[2] / 2)};
    graze_shape shape = graze_shape_box(centre, half, NULL);
    for (int axis = 0; axis < 3; axis++) {
        const double unit[3] = {axis == 0, axis == 1, axis == 2};
        double turned[3];
        turn_vector(body->turn, unit, turned);
        for (int i = 0; i < 3; i++)
            shape.as.box.axes[axis][i] = (float)turned[i];
    }
    return shape;
}

static graze_shape make_half_space(const scene_body *body, const double at[3])
{
    double normal[3];
    turn_vector(body->turn, body->numbers, normal);
    const float n[3] = {(float)normal[0], (float)normal[1], (float)normal[2]};
    double offset = body->numbers[3] + n[0] * at[0] + n[1] * at[1] + n[2] * at[2];
    return graze_shape_half_space(n, (float)offset);
}

static graze_shape shape_of(const world_actor *actor, double time)
{
    const scene_body *body = actor->body;
    double at[3];
    world_actor_at(actor, time, at);
    const float centre[3] = {(float)at[0], (float)at[1], (float)at[2]};
    if (body->kind == BODY_SPHERE)
        return graze_shape_sphere(centre, (float)body->numbers[0]);
    if (body->kind == BODY_BOX)
        return make_box(body, centre);
    if (body->kind == BODY_PLANE)
        return make_half_space(body, at);
    double half = body->numbers[0] / 2;
    const float low[3] = {centre[0], (float)(at[1] - half), centre[2]};
    const float high[3] = {centre[0], (float)(at[1] + half), centre[2]};
    return graze_shape_capsule(low, high, (float)body->numbers[1]);
}

static bool move_model(world_actor *actor, double time)
{
    world_actor_at(actor, time, actor->instance.placing.at);
    graze_error error;
    return instance_move(&actor->instance, time, &error) ||
           json_fail(&actor->body->place, "at %.9g s: %s", time, error.text);
}

/* A lean body: there may be thousands, few of which are near another. */
static bool open_model(world_scene *made, world_actor *actor)
{
    const scene_body *body = actor->body;
    const struct character *character = &made->characters[body->model];
    struct instance *instance = &actor->instance;
    graze_error error;
    uint32_t clip;
    if (!find_clip(body, character->rig, &clip))
        return false;
    instance_prepare(instance, character);
    instance->placing = (struct placing){.clip = clip, .phase = body->phase, .turn = body->turn};
    if (graze_body_create_lean(made->caches[body->model], &instance->body, &error))
        return json_fail(&body->place, "%s", error.text);
    return move_model(actor, 0);
}

/* Inside and outside are those of a closed mesh alone. */
static bool check_solid(const world_actor *actor)
{
    json_value solid = json_member(&actor->body->place, "solid");
    bool closed = true;
    graze_error error;
    if (actor->body->solid &&
        graze_model_is_closed(actor->instance.character->model, &closed, &error))
        return json_fail(&solid, "%s", error.text);
    return closed || json_fail(&solid, "expected the model to be a closed mesh, found an open one");
}

static bool add_actor(world_scene *made, world_actor *actor)
{
    graze_error error;
    graze_status status;
    graze_world_member_def def = {0};
    def.category = actor->body->category;
    if (actor->body->kind == BODY_MODEL) {
        if (!open_model(made, actor) || !check_solid(actor))
            return false;
        def.solid = actor->body->solid;
        def.hitboxes = actor->instance.character->fit;
        status = graze_world_add_body(made->world, actor->instance.body, &def, &actor->id, &error);
    } else {
        graze_shape shape = shape_of(actor, 0);
        status = graze_world_add_shape(made->world, &shape, &def, &actor->id, &error);
    }
    return !status || json_fail(&actor->body->place, "%s", error.text);
}

/* ---- the world ---------------------------------------------------------------------------- */

static bool set_rule(world_scene *made, uint32_t a, uint32_t b, int level, int motion)
{
    graze_error error;
    graze_world_rule rule = {0};
    rule.level = (graze_level)level;
    rule.motion = (graze_motion_rule)motion;
    rule.contacts = level <= GRAZE_LEVEL_HITBOXES;
    return !graze_world_set_rule(made->world, a, b, &rule, &error) ||
           refuse("world: %s", error.text);
}

static bool set_rules(world_scene *made)
{
    const struct scene *scene = made->scene;
    bool good = true;
    for (uint32_t a = 0; good && a <= scene->class_count; a++)
        for (uint32_t b = a; good && b <= scene->class_count; b++)
            good = set_rule(made, a, b, GRAZE_LEVEL_EXACT, GRAZE_MOTION_DISCRETE);
    for (uint32_t i = 0; good && i < scene->rule_count; i++) {
        const scene_rule *rule = &scene->rules[i];
        good = set_rule(made, rule->classes[0], rule->classes[1], rule->level, rule->motion);
    }
    return good;
}

bool world_scene_open(world_scene *made, const struct scene *scene)
{
    graze_error error;
    *made = (world_scene){.scene = scene};
    made->characters = room(scene->model_count, sizeof *made->characters);
    made->caches = room(scene->model_count, sizeof *made->caches);
    made->actors = room(scene->body_count, sizeof *made->actors);
    if (graze_world_create(NULL, &made->world, &error))
        return refuse("world: %s", error.text);
    if (!load_models(made) || !set_rules(made))
        return false;
    for (uint32_t i = 0; i < scene->body_count; i++) {
        made->actors[i].body = &scene->bodies[i];
        if (!add_actor(made, &made->actors[i]))
            return false;
    }
    return true;
}

void world_scene_close(world_scene *made)
{
    graze_world_destroy(made->world);
    for (uint32_t i = 0; made->actors && i < made->scene->body_count; i++)
        instance_close(&made->actors[i].instance);
    for (uint32_t i = 0; made->caches && i < made->scene->model_count; i++)
        graze_cache_pool_destroy(made->caches[i]);
    for (uint32_t i = 0; made->characters && i < made->scene->model_count; i++)
        if (made->characters[i].rig)
            character_free(&made->characters[i]);
    free(made->actors);
    free(made->caches);
    free(made->characters);
    *made = (world_scene){.scene = NULL};
}

double world_scene_time(const world_scene *made, uint32_t frame)
{
    return frame / made->scene->fps;
}

bool world_scene_move(world_scene *made, uint32_t frame)
{
    double time = world_scene_time(made, frame);
    for (uint32_t i = 0; i < made->scene->body_count; i++) {
        world_actor *actor = &made->actors[i];
        if (actor->body->kind == BODY_MODEL) {
            if (!move_model(actor, time))
                return false;
            continue;
        }
        graze_shape shape = shape_of(actor, time);
        graze_error error;
        if (graze_world_set_shape(made->world, actor->id, &shape, &error))
            return json_fail(&actor->body->place, "at %.9g s: %s", time, error.text);
    }
    return true;
}

const char *world_actor_part(const world_actor *actor, uint32_t part)
{
    return actor->body->kind == BODY_MODEL ? part_name(actor->instance.character, part)
                                           : body_kind_names[actor->body->kind];
}

/* A clip's end is a float, and known to a thousandth from `graze info`. */
static bool ends_early(const world_actor *actor, double last)
{
    uint32_t clip = actor->instance.placing.clip;
    return actor->instance.body && clip != GRAZE_NONE &&
           (double)actor->instance.character->rig->clips[clip].seconds + 1e-3 <
               last + actor->body->phase;
}

void world_scene_warn(const world_scene *made)
{
    double last = made->actors ? world_scene_time(made, made->scene->frame_count - 1) : 0;
    const world_actor *first = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; made->actors && i < made->scene->body_count; i++)
        if (made->actors[i].body && ends_early(&made->actors[i], last)) {
            first = first ? first : &made->actors[i];
            count++;
        }
    if (count == 1)
        output_warn("%s's clip ends before the scene does; its last pose holds", first->body->name);
    if (count > 1)
        output_warn("the clips of %s and %u more end before the scene does; their last poses hold",
                    first->body->name, count - 1);
}
