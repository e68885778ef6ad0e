#include "cli/save.h"

#include "cli/output.h"
#include "cli/print.h"
#include "cli/room.h"

#include <math.h>

/* Of two, the one there is. */
static bool save(const graze_rig *rig, const graze_gltf_scene *scene, const char *path)
{
    graze_error error;
    output_begin_file(path);
    graze_status status = rig ? graze_gltf_save(rig, output_place(path), &error)
                              : graze_gltf_save_scene(scene, NULL, output_place(path), &error);
    output_end_file();
    if (status)
        output_fail(path, error.text);
    return !status;
}

bool rig_save(const graze_rig *rig, const char *path)
{
    return save(rig, NULL, path);
}

bool scene_save(const graze_gltf_scene *scene, const char *path)
{
    return save(NULL, scene, path);
}

graze_status member_cut(graze_gltf_member *member, const graze_rig *rig, const graze_rig_cut *cut,
                        scene_saved *saved, graze_error *error)
{
    graze_rig_clip *piece;
    double largest;
    graze_status status = graze_rig_cut_clip(rig, cut, &piece, &largest, error);
    if (status)
        return status;
    member->clip = piece;
    saved->largest = fmax(saved->largest, largest);
    for (uint32_t c = 0; c < piece->channel_count; c++)
        saved->keys += piece->channels[c].key_count;
    return GRAZE_OK;
}

bool members_save(uint32_t count, make_member_fn *make, void *user, float seconds, const char *path,
                  scene_saved *saved)
{
    graze_gltf_member *members = room(count, sizeof *members);
    const graze_gltf_scene scene = {
        .name = "scene", .seconds = seconds, .members = members, .member_count = count};
    struct progress progress = progress_start("saving");
    bool good = true;
    *saved = (scene_saved){.keys = 0};
    for (uint32_t i = 0; good && i < count; i++) {
        good = make(user, i, &members[i], saved);
        progress_show(&progress, i + 1, count);
    }
    progress_end(&progress);
    good = good && scene_save(&scene, path);
    for (uint32_t i = 0; i < count; i++)
        graze_rig_clip_destroy(members[i].rig, (graze_rig_clip *)members[i].clip);
    free(members);
    return good;
}
