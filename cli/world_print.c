#include "cli/world_scene.h"

#include "cli/text.h"

#include <stdio.h>

static const world_actor *actor_of(const world_scene *made, graze_world_id id)
{
    return &made->actors[id.index];
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void print_parts(const world_actor *a, const world_actor *b, const graze_world_event *event)
{
    fputs(",\"parts\":[", stdout);
    for (uint32_t i = 0; i < event->part_count; i++) {
        fputs(i ? "," : "", stdout);
        print_json("[%s,%s]", world_actor_part(a, event->parts[i].a),
                   world_actor_part(b, event->parts[i].b));
    }
    putchar(']');
}

/* Which triangle to draw a mark on; a primitive has none. */
static void print_triangle(uint32_t triangle)
{
    if (triangle == GRAZE_NONE)
        fputs("null", stdout);
    else
        printf("%u", triangle);
}

static void print_contacts(const world_actor *a, const world_actor *b,
                           const graze_world_event *event)
{
    fputs(",\"contacts\":[", stdout);
    for (uint32_t i = 0; i < event->contact_count; i++) {
        const graze_contact *contact = &event->contacts[i];
        fputs(i ? ",{\"point\":" : "{\"point\":", stdout);
        print_json_floats(contact->point, 3);
        fputs(",\"normal\":", stdout);
        print_json_floats(contact->normal, 3);
        print_json(",\"depth\":%.9g,\"parts\":[%s,%s]", (double)contact->depth,
                   world_actor_part(a, contact->parts[0]), world_actor_part(b, contact->parts[1]));
        if (event->level == GRAZE_LEVEL_EXACT) {
            fputs(",\"triangles\":[", stdout);
            print_triangle(contact->triangles[0]);
            putchar(',');
            print_triangle(contact->triangles[1]);
            putchar(']');
        }
        putchar('}');
    }
    putchar(']');
}

void world_print_json(const world_scene *made, uint32_t frame, const graze_world_event *event)
{
    static const char *const events[] = {"begin", "stay", "end"};
    const world_actor *a = actor_of(made, event->a), *b = actor_of(made, event->b);
    print_json("{\"frame\":%u,\"time\":%g,\"event\":%s,\"bodies\":[%s,%s],\"level\":%s", frame,
               world_scene_time(made, frame), events[event->kind], a->body->name, b->body->name,
               scene_levels[SCENE_LEVELS - 1 - (int)event->level]);
    print_parts(a, b, event);
    if (event->level == GRAZE_LEVEL_EXACT)
        printf(",\"pairs\":%llu", (unsigned long long)event->pair_count);
    if (event->level <= GRAZE_LEVEL_HITBOXES)
        print_contacts(a, b, event);
    if (event->motion != GRAZE_MOTION_DISCRETE)
        print_json(",\"toi\":%g", (double)event->time / made->scene->fps);
    if (event->inside)
        fputs(",\"inside\":true", stdout);
    if (event->capped)
        fputs(",\"capped\":true", stdout);
    puts("}");
}

/* ---- words -------------------------------------------------------------------------------- */

/* "ann's hand_l", or just the name of what has one part. */
static void print_part(const world_actor *actor, uint32_t part)
{
    if (actor->body->kind == BODY_MODEL && actor->instance.character->rig->joint_count > 1)
        say("%s's %s", actor->body->name, world_actor_part(actor, part));
    else
        say("%s", actor->body->name);
}

static void print_meeting(const world_actor *a, const world_actor *b,
                          const graze_world_event *event)
{
    const char *meets = event->kind == GRAZE_EVENT_STAY ? "still meets" : "meets";
    if (event->part_count == 0) {
        say("%s %s %s", a->body->name, meets, b->body->name);
        return;
    }
    print_part(a, event->parts[0].a);
    printf(" %s ", meets);
    print_part(b, event->parts[0].b);
    if (event->part_count > 1)
        printf(", and %u more pair%s of parts", event->part_count - 1,
               event->part_count > 2 ? "s" : "");
}

static double deepest(const graze_world_event *event)
{
    double depth = 0;
    for (uint32_t i = 0; i < event->contact_count; i++)
        depth = event->contacts[i].depth > depth ? event->contacts[i].depth : depth;
    return depth;
}

/* When it was: between two frames if the motion was looked at. */
static double event_time(const world_scene *made, uint32_t frame, const graze_world_event *event)
{
    double time = world_scene_time(made, frame);
    return frame && event->kind == GRAZE_EVENT_BEGIN
               ? time - (1 - (double)event->time) / made->scene->fps
               : time;
}

void world_print_text(const world_scene *made, uint32_t frame, const graze_world_event *event)
{
    const world_actor *a = actor_of(made, event->a), *b = actor_of(made, event->b);
    printf("%7.3f s: ", event_time(made, frame, event));
    if (event->kind == GRAZE_EVENT_END) {
        say("%s and %s part\n", a->body->name, b->body->name);
        return;
    }
    print_meeting(a, b, event);
    if (event->level == GRAZE_LEVEL_BOUNDS)
        fputs(" (bounds)", stdout);
    if (event->inside)
        fputs(", one inside the other", stdout);
    if (deepest(event) > 0)
        printf(", %.3g m deep", deepest(event));
    if (event->capped)
        fputs(" (steps were capped)", stdout);
    puts("");
}
