#include "cli/world_ask.h"

#include "cli/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------------------------ */

/* So many numbers, `ends` after each, the last with nothing behind it. */
static bool parse_numbers(const char *text, const char *ends, float *numbers)
{
    for (size_t i = 0; i == 0 || ends[i - 1]; i++) {
        double number;
        if (!parse_number(&text, ends[i], &number) || !isfinite((float)number))
            return false;
        numbers[i] = (float)number;
    }
    return true;
}

static bool read_filter(world_questions *questions, const struct scene *scene)
{
    for (uint32_t c = 0; questions->of && c < scene->class_count; c++)
        if (strcmp(scene->classes[c], questions->of) == 0) {
            questions->filter.categories = 1ull << c;
            return true;
        }
    return !questions->of ||
           refuse("world: --of %s: the scene has no class of that name", questions->of);
}

bool world_questions_read(world_questions *questions, const struct scene *scene)
{
    float n[6];
    for (uint32_t i = 0; i < questions->rays.count; i++) {
        const char *text = questions->rays.of[i];
        if (!parse_numbers(text, ",,:,,", n) || (n[3] == 0 && n[4] == 0 && n[5] == 0))
            return refuse("world: --ray needs X,Y,Z:DX,DY,DZ, a place and a direction, not %s",
                          text);
        questions->ray[i] = graze_ray_from(n, n + 3);
    }
    for (uint32_t i = 0; i < questions->spheres.count; i++) {
        const char *text = questions->spheres.of[i];
        if (!parse_numbers(text, ",,:", n) || n[3] < 0)
            return refuse("world: --touch needs X,Y,Z:RADIUS, a sphere, not %s", text);
        questions->sphere[i] = graze_shape_sphere(n, n[3]);
    }
    for (uint32_t i = 0; i < questions->points.count; i++) {
        const char *text = questions->points.of[i];
        if (!parse_numbers(text, ",,", questions->point[i]))
            return refuse("world: --nearest needs X,Y,Z, a point, not %s", text);
    }
    if (questions->of && !questions->rays.count && !questions->spheres.count &&
        !questions->points.count)
        return refuse("world: --of is about --ray, --touch and --nearest, and there is none");
    return read_filter(questions, scene);
}

/* ---- printing ----------------------------------------------------------------------------- */

static const char *class_of(const world_scene *made, uint32_t category)
{
    return category < made->scene->class_count ? made->scene->classes[category] : NULL;
}

/* The member's name, its class and the part. */
static void print_who(const world_scene *made, graze_world_id id, uint32_t category, uint32_t part)
{
    const world_actor *actor = &made->actors[id.index];
    const char *name = class_of(made, category);
    print_json("\"body\":%s,\"class\":", actor->body->name);
    if (name)
        print_json("%s", name);
    else
        fputs("null", stdout);
    print_json(",\"part\":%s", world_actor_part(actor, part));
}

static void print_place(const float point[3], const float normal[3], uint32_t triangle)
{
    fputs(",\"point\":", stdout);
    print_json_floats(point, 3);
    fputs(",\"normal\":", stdout);
    print_json_floats(normal, 3);
    if (triangle == GRAZE_NONE)
        fputs(",\"triangle\":null", stdout);
    else
        printf(",\"triangle\":%u", triangle);
}

static void begin(const world_scene *made, uint32_t frame, bool json, const char *event,
                  uint32_t number)
{
    double time = world_scene_time(made, frame);
    if (json)
        print_json("{\"frame\":%u,\"time\":%g,\"event\":%s,\"number\":%u", frame, time, event,
                   number);
    else
        printf("%7.3f s: %s %u", time, event, number);
}

static void print_hit(const world_scene *made, const graze_world_hit *hit, bool json)
{
    const char *part =
        hit->hit.found ? world_actor_part(&made->actors[hit->id.index], hit->hit.part) : NULL;
    if (json) {
        fputs(part ? ",\"hit\":true," : ",\"hit\":false", stdout);
        if (part) {
            print_who(made, hit->id, hit->category, hit->hit.part);
            printf(",\"t\":%.9g", (double)hit->hit.t);
            print_place(hit->hit.point, hit->hit.normal, hit->hit.triangle);
        }
        puts("}");
    } else if (part) {
        const float *at = hit->hit.point;
        say(" hits %s, %s, at %.6g,%.6g,%.6g, t %.6g\n", made->actors[hit->id.index].body->name,
            part, (double)at[0], (double)at[1], (double)at[2], (double)hit->hit.t);
    } else {
        puts(" hits nothing");
    }
}

static void print_touched(const world_scene *made, const graze_world_touched_list *list, bool json)
{
    fputs(json ? ",\"touched\":[" : list->count ? " touches" : " touches nothing", stdout);
    for (size_t i = 0; i < list->count; i++) {
        const graze_world_touched *one = &list->items[i];
        const world_actor *actor = &made->actors[one->id.index];
        const char *part = world_actor_part(actor, one->part);
        if (json) {
            fputs(i ? ",{" : "{", stdout);
            print_who(made, one->id, one->category, one->part);
            printf(",\"triangles\":%u,\"inside\":%s}", one->triangle_count,
                   one->inside ? "true" : "false");
        } else if (one->inside) {
            say("%s the inside of %s", i ? "," : "", actor->body->name);
        } else {
            say("%s %s, %s", i ? ";" : "", actor->body->name, part);
        }
    }
    puts(json ? "]}" : "");
}

static void print_nearest(const world_scene *made, const graze_world_nearest_point *near, bool json)
{
    if (json) {
        fputs(near->found ? ",\"hit\":true," : ",\"hit\":false", stdout);
        if (near->found) {
            print_who(made, near->id, near->category, near->part);
            printf(",\"distance\":%.9g,\"behind\":%s", near->distance,
                   near->behind ? "true" : "false");
            print_place(near->point, near->normal, near->triangle);
        }
        puts("}");
    } else if (near->found) {
        const world_actor *actor = &made->actors[near->id.index];
        say(" is %.6g m %s %s, %s\n", near->distance, near->behind ? "inside" : "from",
            actor->body->name, world_actor_part(actor, near->part));
    } else {
        puts(" has nothing near it");
    }
}

/* ---- asking ------------------------------------------------------------------------------- */

static graze_status touch(const world_questions *questions, const world_scene *made, uint32_t i,
                          graze_world_touched_list *list, graze_error *error)
{
    static graze_world_touched items[4096]; /* more parts than that are left out */
    *list = (graze_world_touched_list){.items = items, .capacity = COUNT_OF(items)};
    return graze_world_touch(made->world, &questions->sphere[i], &questions->filter, list, NULL,
                             error);
}

bool world_questions_ask(const world_questions *questions, const world_scene *made, uint32_t frame,
                         bool json)
{
    const graze_world_filter *filter = &questions->filter;
    graze_world_hit hits[MOST_TEXTS];
    graze_world_nearest_point near[MOST_TEXTS];
    graze_world_touched_list list;
    graze_error error;
    if (!questions->rays.count && !questions->spheres.count && !questions->points.count)
        return true;
    graze_status status = graze_world_cast_many(made->world, questions->ray, questions->rays.count,
                                                filter, hits, NULL, &error);
    if (!status)
        status = graze_world_nearest_many(made->world, questions->point[0], questions->points.count,
                                          INFINITY, filter, near, NULL, &error);
    for (uint32_t i = 0; i < questions->rays.count && !status; i++) {
        begin(made, frame, json, "ray", i);
        print_hit(made, &hits[i], json);
    }
    for (uint32_t i = 0; i < questions->spheres.count && !status; i++) {
        status = touch(questions, made, i, &list, &error);
        if (status)
            break;
        begin(made, frame, json, "touch", i);
        print_touched(made, &list, json);
    }
    for (uint32_t i = 0; i < questions->points.count && !status; i++) {
        begin(made, frame, json, "nearest", i);
        print_nearest(made, &near[i], json);
    }
    return !status || refuse("world: frame %u: %s", frame, error.text);
}
