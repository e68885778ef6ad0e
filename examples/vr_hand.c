/* A hand in virtual reality: how strongly should the glove press, and against which finger?
 *
 * Every frame the tracked hand gets its pose; the nearest point of the thing it reaches for, within
 * five centimetres, and, once they touch, the depth, tell the glove. Only the hand of the figure is
 * asked: the mask leaves the rest of it out.
 *
 *     vr_hand man.glb ball.glb
 */
#include <graze/gltf.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REACH 0.05 /* metres at which the glove begins to hum */

typedef struct thing {
    graze_rig *rig;
    graze_model *model;
    graze_body *body;
} thing;

static graze_status load(thing *it, const char *path, graze_error *error)
{
    graze_status status = graze_gltf_load(path, NULL, &it->rig, error);
    if (!status)
        status = graze_rig_create_model(it->rig, NULL, &it->model, error);
    return status ? status : graze_body_create(it->model, &it->body, error);
}

static void unload(thing *it)
{
    graze_body_destroy(it->body);
    graze_model_destroy(it->model);
    graze_rig_destroy(it->rig);
}

static const char *joint_name(const graze_rig *rig, uint32_t joint)
{
    return rig->nodes[rig->joints[joint].node].name;
}

/* Body parts are joints, unless the def says otherwise: those whose name has the word. */
static graze_status keep_parts(thing *it, const char *word, graze_error *error)
{
    uint32_t count = it->rig->joint_count;
    uint32_t *bits = (uint32_t *)calloc(count / 32 + 1, sizeof *bits);
    for (uint32_t j = 0; bits && j < count; j++)
        if (strstr(joint_name(it->rig, j), word))
            bits[j / 32] |= 1u << j % 32;
    graze_status status = graze_body_set_part_mask(it->body, bits, bits ? count : 0, error);
    free(bits);
    return status;
}

static graze_status feel(thing *hand, thing *object, graze_contact_finder *contacts,
                         graze_error *error)
{
    graze_nearest nearest;
    graze_status status = graze_distance(hand->body, object->body, REACH, &nearest, NULL, error);
    if (status || !nearest.found)
        return printf("nothing\n"), status;
    uint32_t part = graze_model_triangle_part(hand->model, nearest.pair.a);
    if (nearest.distance > 0)
        return printf("%s hums, %.0f %%\n", joint_name(hand->rig, part),
                      100 * (1 - nearest.distance / REACH)),
               GRAZE_OK;
    graze_contact found[8];
    graze_contact_list list = {0};
    list.items = found;
    list.capacity = 8;
    status = graze_contacts(contacts, hand->body, object->body, &list, NULL, error);
    for (size_t i = 0; i < list.count; i++)
        printf("%s%s presses, %.1f mm deep", i ? ", " : "",
               joint_name(hand->rig, found[i].parts[0]), 1000 * (double)found[i].depth);
    return printf("\n"), status;
}

int main(int count, char **arguments)
{
    thing hand = {NULL, NULL, NULL}, object = {NULL, NULL, NULL};
    graze_contact_finder *contacts = NULL;
    graze_error error;
    if (count < 3)
        return fprintf(stderr, "usage: vr_hand FIGURE.glb THING.glb\n"), 2;
    graze_status status = load(&hand, arguments[1], &error);
    if (!status)
        status = load(&object, arguments[2], &error);
    if (!status)
        status = keep_parts(&hand, "hand.L", &error);
    if (!status)
        status = graze_contact_finder_create(hand.model, object.model, NULL, &contacts, &error);
    for (int frame = 0; frame < 6 && !status; frame++) {
        float placement[12] = {1, 0, 0, 0.3f, 0, 1, 0, 0.8f, 0, 0, 1, -0.32f};
        placement[11] += 0.03f * (float)frame; /* the ball comes */
        status = graze_rig_pose_body(hand.rig, 0, 0.2, NULL, hand.body, &error);
        if (!status)
            status = graze_rig_pose_body(object.rig, GRAZE_NONE, 0, placement, object.body, &error);
        printf("frame %d: ", frame);
        if (!status)
            status = feel(&hand, &object, contacts, &error);
    }
    if (status)
        fprintf(stderr, "%s\n", error.text);
    graze_contact_finder_destroy(contacts);
    unload(&hand);
    unload(&object);
    return status ? 1 : 0;
}
