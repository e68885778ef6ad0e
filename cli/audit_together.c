/* graze audit --together: clips of a file that each move other nodes, as of a face's brows and jaw,
 * are played at once, as one clip behind the others.
 */
#include "cli/audit.h"
#include "cli/names.h"
#include "cli/room.h"

#include <math.h>

static const char *const path_names[] = {"translation", "rotation", "scale", "weights"};

/* ---- channels ------------------------------------------------------------------------------- */

static size_t value_count(const graze_rig_channel *channel)
{
    const size_t width = channel->path == GRAZE_RIG_WEIGHTS    ? channel->morph_count
                         : channel->path == GRAZE_RIG_ROTATION ? 4
                                                               : 3;
    return channel->key_count * width * (channel->interpolation == GRAZE_RIG_CUBICSPLINE ? 3 : 1);
}

/* Whether all keys have the same values. */
static bool holds_still(const graze_rig_channel *channel)
{
    const size_t a_key = value_count(channel) / channel->key_count;
    for (uint32_t k = 1; k < channel->key_count; k++)
        if (memcmp(channel->values, channel->values + k * a_key, a_key * sizeof(float)) != 0)
            return false;
    return true;
}

static bool move_the_same(const graze_rig_channel *x, const graze_rig_channel *y)
{
    if (x->path != y->path)
        return false;
    if (x->path != GRAZE_RIG_WEIGHTS)
        return x->node == y->node;
    return x->first_morph < y->first_morph + y->morph_count &&
           y->first_morph < x->first_morph + x->morph_count;
}

static void *copy_floats(const graze_allocator *allocator, const float *from, size_t count)
{
    const size_t size = count * sizeof(float);
    void *copy = room_or_end(allocator->allocate(allocator->user, size ? size : 1, 16));
    return size ? memcpy(copy, from, size) : copy;
}

static graze_rig_channel copy_channel(const graze_allocator *allocator,
                                      const graze_rig_channel *channel)
{
    graze_rig_channel copy = *channel;
    copy.times = copy_floats(allocator, channel->times, channel->key_count);
    copy.values = copy_floats(allocator, channel->values, value_count(channel));
    return copy;
}

/* ---- clips ---------------------------------------------------------------------------------- */

/* A channel that is played, and of which clip it is. */
typedef struct played {
    const graze_rig_channel *channel;
    uint32_t clip;
} played;

/* Adds a clip's channels. Of two that move the same one that holds still gives way. */
static bool add_clip(item_list *all, const graze_rig *rig, uint32_t clip, line_text *text)
{
    for (uint32_t c = 0; c < rig->clips[clip].channel_count; c++) {
        const played own = {&rig->clips[clip].channels[c], clip};
        played *list = all->items;
        size_t i = 0;
        while (i < all->count &&
               (list[i].clip == clip || !move_the_same(list[i].channel, own.channel)))
            i++;
        if (i == all->count) {
            list_add(all, &own, 1, sizeof own);
        } else if (holds_still(list[i].channel)) {
            list[i] = own;
        } else if (!holds_still(own.channel)) {
            char *names[2] = {audit_name_clip(rig, list[i].clip), audit_name_clip(rig, clip)};
            const bool weights = own.channel->path == GRAZE_RIG_WEIGHTS;
            snprintf(text->text, sizeof text->text,
                     "--together: the clips %.200s and %.200s both move the %s of %.200s", names[0],
                     names[1], path_names[own.channel->path],
                     weights ? "a mesh" : rig->nodes[own.channel->node].name);
            free(names[0]);
            free(names[1]);
            return false;
        }
    }
    return true;
}

/* The clips of "all" or "NAME,NAME" (uint32_t), and what they are called together. */
static bool find_clips(const graze_rig *rig, const char *names, item_list *clips, line_text *text)
{
    const bool all = strcmp(names, "all") == 0;
    for (uint32_t k = 0; all && k < rig->clip_count; k++)
        list_add(clips, &k, 1, sizeof k);
    for (const char *at = all ? NULL : names, *end; at; at = *end ? end + 1 : NULL) {
        char *name = copy_text(at);
        end = at + strcspn(at, ",");
        name[end - at] = 0;
        const uint32_t clip = graze_rig_find_clip(rig, name);
        if (clip == GRAZE_NONE) {
            name_search search = {.word = name};
            for (uint32_t k = 0; k < rig->clip_count; k++)
                name_search_offer(&search, rig->clips[k].name);
            snprintf(text->text, sizeof text->text, "--together: there is no clip %.200s; %s", name,
                     rig->clip_count ? name_search_tell(&search, "there are")
                                     : "the model has no clips");
        }
        free(name);
        if (clip == GRAZE_NONE)
            return false;
        list_add(clips, &clip, 1, sizeof clip);
    }
    if (!clips->count)
        snprintf(text->text, sizeof text->text, "--together: the model has no clips");
    return clips->count > 0;
}

/* "brows+jaw", or "together". */
static char *name_of(const graze_rig *rig, const char *names, const item_list *clips)
{
    const uint32_t *numbers = clips->items;
    if (strcmp(names, "all") == 0)
        return copy_text("together");
    size_t size = 1, length = 0;
    char *name = NULL;
    for (int write = 0; write < 2; write++) {
        if (write)
            name = room(size, 1);
        for (size_t i = 0; i < clips->count; i++) {
            char *own = audit_name_clip(rig, numbers[i]);
            if (write)
                length += (size_t)snprintf(name + length, size - length, "%s%s", i ? "+" : "", own);
            size += write ? 0 : strlen(own) + 1;
            free(own);
        }
    }
    return name;
}

/* Puts a clip of these channels, as long as the longest of the clips, behind the rig's. */
static void append(graze_rig *rig, const char *name, const item_list *clips, const item_list *all)
{
    const graze_allocator *allocator = &rig->allocator;
    const uint32_t *numbers = clips->items;
    const played *list = all->items;
    const size_t size = strlen(name) + 1, count = rig->clip_count;
    graze_rig_clip *grown =
        room_or_end(allocator->allocate(allocator->user, (count + 1) * sizeof *grown, 16));
    graze_rig_clip made = {.channel_count = (uint32_t)all->count};
    made.name = memcpy(room_or_end(allocator->allocate(allocator->user, size, 1)), name, size);
    made.channels = room_or_end(
        allocator->allocate(allocator->user, (all->count + 1) * sizeof *made.channels, 16));
    for (size_t i = 0; i < all->count; i++)
        made.channels[i] = copy_channel(allocator, list[i].channel);
    for (size_t i = 0; i < clips->count; i++)
        made.seconds = fmaxf(made.seconds, rig->clips[numbers[i]].seconds);
    memcpy(grown, rig->clips, count * sizeof *grown);
    grown[count] = made;
    allocator->release(allocator->user, rig->clips);
    rig->clips = grown;
    rig->clip_count++;
}

bool audit_play_together(graze_rig *rig, const char *names, line_text *text)
{
    item_list clips = {NULL, 0, 0}, all = {NULL, 0, 0};
    bool good = find_clips(rig, names, &clips, text);
    for (size_t i = 0; good && i < clips.count; i++)
        good = add_clip(&all, rig, ((const uint32_t *)clips.items)[i], text);
    if (good) {
        char *name = name_of(rig, names, &clips);
        append(rig, name, &clips, &all);
        free(name);
    }
    list_free(&clips);
    list_free(&all);
    return good;
}
