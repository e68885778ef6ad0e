#include "support/moved.h"

#include "harness.h"

#include <graze/gltf.h>

void moved_save(const char *path, const solid *s, const char *const *names, const moved_clip *clips,
                uint32_t clip_count)
{
    graze_rig_node nodes[MOST_MOVED] = {{.name = NULL}};
    graze_rig_joint joints[MOST_MOVED] = {{.node = 0}};
    graze_rig_clip made[MOST_MOVED] = {{.name = NULL}};
    graze_rig_channel channels[MOST_MOVED] = {{.node = 0}};
    float times[MOST_MOVED][2], values[MOST_MOVED][6];
    OWNED uint32_t *offsets = calloc((size_t)s->vertex_count + 1, sizeof *offsets);
    OWNED graze_influence *influences = calloc(s->vertex_count, sizeof *influences);
    REQUIRE(offsets && influences && s->part_count <= MOST_MOVED && clip_count <= MOST_MOVED);
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        offsets[v + 1] = v + 1;
        influences[v].weight = 1;
    }
    for (uint32_t i = 0; i < 3 * s->triangle_count; i++)
        influences[s->triangles[i]].joint = s->groups[i / 3];
    for (uint32_t p = 0; p < s->part_count; p++) {
        nodes[p] = (graze_rig_node){.name = test_keep(strdup(names[p]), free),
                                    .parent = GRAZE_NONE,
                                    .rotation = {0, 0, 0, 1},
                                    .scale = {1, 1, 1}};
        joints[p] = (graze_rig_joint){p, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, false};
    }
    for (uint32_t c = 0; c < clip_count; c++) {
        times[c][0] = 0;
        times[c][1] = clips[c].seconds;
        memcpy(values[c], clips[c].from, sizeof clips[c].from);
        memcpy(values[c] + 3, clips[c].to, sizeof clips[c].to);
        channels[c] = (graze_rig_channel){.path = GRAZE_RIG_TRANSLATION,
                                          .node = clips[c].piece,
                                          .key_count = 2,
                                          .times = times[c],
                                          .values = values[c]};
        made[c] = (graze_rig_clip){test_keep(strdup(clips[c].name), free), clips[c].seconds,
                                   &channels[c], 1};
    }
    graze_rig rig = {.allocator = graze_default_allocator(),
                     .positions = s->positions,
                     .vertex_count = s->vertex_count,
                     .triangles = s->triangles,
                     .triangle_count = s->triangle_count,
                     .influence_offsets = offsets,
                     .influences = influences,
                     .skinned = true,
                     .nodes = nodes,
                     .node_count = s->part_count,
                     .joints = joints,
                     .joint_count = s->part_count,
                     .clips = made,
                     .clip_count = clip_count};
    graze_error error = {.text = ""};
    CHECK_MSG(!graze_gltf_save(&rig, path, &error), "%s", error.text);
}
