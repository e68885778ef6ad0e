/* Clips of one file on the character of another: nodes are the same if their names are, with or
 * without what stands before the last colon.
 */
#include "cli/audit.h"
#include "cli/model_file.h"
#include "cli/names.h"
#include "cli/output.h"
#include "cli/room.h"

static const char *plain_name(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

static uint32_t find_node(const graze_rig *rig, const char *name)
{
    for (int plain = 0; plain < 2; plain++)
        for (uint32_t n = 0; n < rig->node_count; n++) {
            const char *own = rig->nodes[n].name;
            if (own && strcmp(plain ? plain_name(own) : own, plain ? plain_name(name) : name) == 0)
                return n;
        }
    return GRAZE_NONE;
}

/* For each node of the clips' file the character's, or GRAZE_NONE. */
static uint32_t *match_nodes(const graze_rig *rig, const graze_rig *moved)
{
    uint32_t *nodes = room(moved->node_count, sizeof *nodes);
    for (uint32_t n = 0; n < moved->node_count; n++)
        nodes[n] = find_node(rig, moved->nodes[n].name);
    return nodes;
}

/* Leaves the channels whose nodes the character has, less those of weights: targets have no names.
 * Returns how many are left.
 */
static size_t keep_channels(graze_rig_clip *clip, const uint32_t *nodes,
                            const graze_allocator *allocator)
{
    uint32_t kept = 0;
    for (uint32_t c = 0; c < clip->channel_count; c++) {
        graze_rig_channel channel = clip->channels[c];
        if (channel.path != GRAZE_RIG_WEIGHTS && nodes[channel.node] != GRAZE_NONE) {
            channel.node = nodes[channel.node];
            clip->channels[kept++] = channel;
        } else {
            allocator->release(allocator->user, channel.times);
            allocator->release(allocator->user, channel.values);
        }
    }
    clip->channel_count = kept;
    return kept;
}

/* Nodes that clips move and the character does not have. */
static size_t list_missing(const graze_rig *moved, const uint32_t *nodes, name_search *search)
{
    bool *told = room(moved->node_count, sizeof *told);
    size_t missing = 0;
    for (uint32_t k = 0; k < moved->clip_count; k++)
        for (uint32_t c = 0; c < moved->clips[k].channel_count; c++) {
            const graze_rig_channel *channel = &moved->clips[k].channels[c];
            if (channel->path == GRAZE_RIG_WEIGHTS || nodes[channel->node] != GRAZE_NONE ||
                told[channel->node])
                continue;
            told[channel->node] = true;
            name_search_list(search, moved->nodes[channel->node].name);
            missing++;
        }
    free(told);
    return missing;
}

/* Puts the clips in place of the character's, which go to the other rig. Both have the default
 * allocator.
 */
static bool take_clips(struct character *character, const char *path, graze_rig *moved,
                       line_text *text)
{
    graze_rig *rig = character->rig;
    uint32_t *nodes = match_nodes(rig, moved);
    name_search search = {.word = ""};
    const graze_rig own = *rig;
    const size_t missing = list_missing(moved, nodes, &search);
    size_t kept = 0;
    for (uint32_t k = 0; k < moved->clip_count; k++)
        kept += keep_channels(&moved->clips[k], nodes, &moved->allocator);
    free(nodes);
    if (kept == 0) {
        snprintf(text->text, sizeof text->text, "%s: %s %.400s", path,
                 moved->clip_count ? "its clips move no joint of" : "there are no clips for",
                 character->name);
        return false;
    }
    if (missing)
        output_warn("%s: %zu of the joints that it moves are not in %s: %s", path, missing,
                    character->name, name_search_all(&search));
    rig->clips = moved->clips;
    rig->clip_count = moved->clip_count;
    moved->clips = own.clips;
    moved->clip_count = own.clip_count;
    return true;
}

/* With its model, or the rig alone. */
static bool load(struct character *character, const audit_job *job, const char *path, bool model,
                 line_text *text)
{
    return model ? character_make(character, path, &job->options, text)
                 : character_load_rig(character, path, text);
}

/* The character of --character, with the clips of the file. */
static bool take_character(struct character *character, const audit_job *job, const char *path,
                           bool model, line_text *text)
{
    graze_rig *moved;
    graze_error error = {0};
    if (model_file_load_clips(path, &moved, &error)) {
        snprintf(text->text, sizeof text->text, "%s", error.text);
        return false;
    }
    bool good = load(character, job, job->character, model, text);
    if (good && !take_clips(character, path, moved, text)) {
        character_free(character);
        good = false;
    }
    graze_rig_destroy(moved);
    if (good)
        character->name = path;
    return good;
}

static bool make(struct character *character, const audit_job *job, const char *path, bool model,
                 line_text *text)
{
    if (!(job->character ? take_character : load)(character, job, path, model, text))
        return false;
    if (!job->together || audit_play_together(character->rig, job->together, text))
        return true;
    character_free(character);
    return false;
}

bool audit_character_make(struct character *character, const audit_job *job, const char *path,
                          line_text *text)
{
    return make(character, job, path, true, text);
}

bool audit_character_load_rig(struct character *character, const audit_job *job, const char *path,
                              line_text *text)
{
    return make(character, job, path, false, text);
}
