#include "scenes/plan.h"

#include <assert.h>
#include <string.h>

const grazei_synth_plan *grazei_synth_plan_of(uint32_t kind)
{
    static const grazei_synth_plan *const plans[] = {
        &grazei_synth_man,          &grazei_synth_creature,      &grazei_synth_dwarf,
        &grazei_synth_curtain,      &grazei_synth_chair,         &grazei_synth_ball,
        &grazei_synth_robot,        &grazei_synth_robot_skinned, &grazei_synth_player,
        &grazei_synth_man_morphing, &grazei_synth_fish,          &grazei_synth_bridge};
    return kind < COUNT_OF(plans) ? plans[kind] : NULL;
}

bool grazei_synth_has_twin(const char *name, char *twin)
{
    size_t length = strlen(name);
    if (length < 2 || strcmp(name + length - 2, ".L") != 0)
        return false;
    if (twin) {
        assert(length < GRAZEI_SYNTH_NAME);
        memcpy(twin, name, length + 1);
        twin[length - 1] = 'R';
    }
    return true;
}

uint32_t grazei_synth_joint_index(const grazei_synth_skeleton *skeleton, const char *name)
{
    for (uint32_t j = 0; j < skeleton->count; j++)
        if (strcmp(skeleton->joints[j].name, name) == 0)
            return j;
    return UINT32_MAX;
}

static void add_joint(grazei_synth_skeleton *skeleton, const grazei_synth_joint_row *row, bool twin)
{
    assert(skeleton->count < GRAZEI_SYNTH_MAX_JOINTS);
    assert(strlen(row->name) < GRAZEI_SYNTH_NAME);
    grazei_synth_joint joint = {.parent = UINT32_MAX,
                                .at = row->at,
                                .tail = row->tail,
                                .radius = row->radius,
                                .tail_radius = row->tail_radius};
    char parent[GRAZEI_SYNTH_NAME] = "";
    if (twin) {
        grazei_synth_has_twin(row->name, joint.name);
        joint.at = grazei_synth_mirror(row->at);
        joint.tail = grazei_synth_mirror(row->tail);
    } else {
        strcpy(joint.name, row->name);
    }
    if (row->parent) {
        if (!twin || !grazei_synth_has_twin(row->parent, parent))
            strcpy(parent, row->parent);
        joint.parent = grazei_synth_joint_index(skeleton, parent);
        assert(joint.parent != UINT32_MAX);
    }
    skeleton->joints[skeleton->count++] = joint;
}

void grazei_synth_expand(const grazei_synth_plan *plan, grazei_synth_skeleton *skeleton)
{
    skeleton->count = 0;
    for (uint32_t j = 0; j < plan->joint_count; j++)
        add_joint(skeleton, &plan->joints[j], false);
    for (uint32_t j = 0; j < plan->joint_count; j++)
        if (grazei_synth_has_twin(plan->joints[j].name, NULL))
            add_joint(skeleton, &plan->joints[j], true);
}
