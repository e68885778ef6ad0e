/* Regions from the joints that move the skin. The trunk is where limbs branch off; what hangs from
 * the trunk and reaches far is a limb.
 */
#include "base/memory.h"
#include "base/status.h"
#include "chain/regions.h"
#include "math/vector.h"

#include <string.h>

static const double limb_reach = 0.15;  /* of the body's height: as far a limb goes at least */
static const double branch_reach = 0.4; /* of what a joint reaches: as far as two branches go */
static const double minor_reach = 0.06; /* and anything else that is worth a look: a head */
static const double finger_reach = 0.015;
static const double stub_length = 0.6; /* of the next bone: a clavicle is shorter than this */

typedef struct finder {
    grazei_regions *regions;
    const grazei_skeleton *skeleton;
    const graze_part_names *names; /* may be NULL */
    uint32_t *of_joint;            /* region of each joint; GRAZE_NONE: not known yet */
    double height;
} finder;

static const grazei_joint *joint_at(const finder *f, uint32_t joint)
{
    return &f->skeleton->joints[joint];
}

static bool is_long(const finder *f, uint32_t joint)
{
    return joint_at(f, joint)->reach >= limb_reach * f->height;
}

static const char *name_of(const finder *f, uint32_t joint)
{
    return f->names ? graze_part_name(f->names, joint) : NULL;
}

/* The child that reaches farthest, or GRAZE_NONE. */
static uint32_t main_child(const finder *f, uint32_t joint)
{
    uint32_t best = GRAZE_NONE;
    double most = -1;
    for (uint32_t c = joint_at(f, joint)->first_child; c != GRAZE_NONE;
         c = joint_at(f, c)->next_sibling)
        if (grazei_skeleton_reach(f->skeleton, c) > most) {
            most = grazei_skeleton_reach(f->skeleton, c);
            best = c;
        }
    return best;
}

/* ---- trunk ---------------------------------------------------------------------------------- */

/* The trunk goes from the root to where limbs branch off: to the last joint below which two
 * branches reach at least so far as a part of what it reaches itself. Fingers branch off, too, but
 * reach less far than their arm.
 */
static void find_trunk(finder *f, grazei_skeleton *s)
{
    for (uint32_t i = s->order_count; i-- > 0;) {
        grazei_joint *joint = &s->joints[s->order[i]];
        double most = 0, second = 0;
        for (uint32_t c = joint->first_child; c != GRAZE_NONE; c = s->joints[c].next_sibling) {
            double reach = s->joints[c].reach;
            second = fmax(second, fmin(most, reach));
            most = fmax(most, reach);
            joint->branch = fmax(joint->branch, s->joints[c].branch);
        }
        joint->branch = fmax(joint->branch, second);
    }
    for (uint32_t i = 0; i < s->order_count; i++) {
        const grazei_joint *joint = &s->joints[s->order[i]];
        bool connected = i == 0 || f->of_joint[joint->parent] == 0;
        if (connected && joint->branch >= limb_reach * f->height &&
            joint->branch >= branch_reach * joint->reach)
            f->of_joint[s->order[i]] = 0;
    }
}

/* Whether a limb's first joint is a clavicle: short against the bone that follows, with enough of a
 * limb left behind it.
 */
static bool is_stub(const finder *f, uint32_t joint)
{
    uint32_t next = main_child(f, joint);
    if (next == GRAZE_NONE || !is_long(f, next))
        return false;
    uint32_t third = main_child(f, next);
    if (third == GRAZE_NONE)
        return false;
    double own = grazei_distance(joint_at(f, joint)->at, joint_at(f, next)->at);
    double follows = grazei_distance(joint_at(f, next)->at, joint_at(f, third)->at);
    return own < stub_length * follows;
}

/* ---- limbs ---------------------------------------------------------------------------------- */

static void hint(const finder *f, grazei_region *region, uint32_t joint)
{
    if (region->hint == GRAZEI_HINT_NONE)
        region->hint = grazei_hint_of(name_of(f, joint));
    if (region->side_hint == GRAZEI_MIDDLE)
        region->side_hint = grazei_side_of(name_of(f, joint));
}

/* Gives a joint and all below it a region: down to the first child, on to the next sibling, back up
 * where there is none.
 */
static void claim(finder *f, uint32_t joint, uint32_t region)
{
    uint32_t at = joint;
    for (;;) {
        f->of_joint[at] = region;
        if (joint_at(f, at)->first_child != GRAZE_NONE) {
            at = joint_at(f, at)->first_child;
            continue;
        }
        while (at != joint && joint_at(f, at)->next_sibling == GRAZE_NONE)
            at = joint_at(f, at)->parent;
        if (at == joint)
            return;
        at = joint_at(f, at)->next_sibling;
    }
}

static uint32_t count_fingers(const finder *f, uint32_t joint)
{
    uint32_t count = 0;
    for (uint32_t c = joint_at(f, joint)->first_child; c != GRAZE_NONE;
         c = joint_at(f, c)->next_sibling)
        count += joint_at(f, c)->reach >= finger_reach * f->height;
    return count;
}

/* The joint that a hand or foot begins with; children: it is what hangs from the joint instead.
 * GRAZE_NONE: none.
 */
static uint32_t find_end(const finder *f, uint32_t limb, bool *children)
{
    uint32_t third = GRAZE_NONE, branch = GRAZE_NONE, number = 0;
    *children = false;
    for (uint32_t j = limb; j != GRAZE_NONE; j = main_child(f, j), number++) {
        grazei_hint says = grazei_hint_of(name_of(f, j));
        if (number > 0 && (says == GRAZEI_HINT_HAND || says == GRAZEI_HINT_FOOT) &&
            count_fingers(f, joint_at(f, j)->parent) < 2)
            return j;
        if (number == 2)
            third = j;
        if (number > 0 && branch == GRAZE_NONE && count_fingers(f, j) > 1) {
            branch = j;
            *children = number == 1;
        }
    }
    return branch != GRAZE_NONE ? branch : third;
}

static bool add_fingers(finder *f, uint32_t end, uint32_t joint)
{
    for (uint32_t c = joint_at(f, joint)->first_child; c != GRAZE_NONE;
         c = joint_at(f, c)->next_sibling) {
        if (joint_at(f, c)->reach < finger_reach * f->height)
            continue;
        if (!grazei_regions_add(f->regions, GRAZE_REGION_TUBE, GRAZEI_ROLE_FINGER, end))
            return false;
        claim(f, c, f->regions->count - 1);
    }
    return true;
}

static bool add_end(finder *f, uint32_t limb, uint32_t first)
{
    bool children;
    uint32_t joint = find_end(f, first, &children), end = f->regions->count;
    if (joint == GRAZE_NONE)
        return true;
    if (!grazei_regions_add(f->regions, GRAZE_REGION_TUBE, GRAZEI_ROLE_END, limb))
        return false;
    if (!children) {
        claim(f, joint, end);
        return add_fingers(f, end, joint);
    }
    for (uint32_t c = joint_at(f, joint)->first_child; c != GRAZE_NONE;
         c = joint_at(f, c)->next_sibling)
        claim(f, c, end);
    for (uint32_t c = joint_at(f, joint)->first_child; c != GRAZE_NONE;
         c = joint_at(f, c)->next_sibling)
        if (!add_fingers(f, end, c))
            return false;
    return true;
}

/* A region for what hangs from the trunk at a joint: a limb, or something smaller. */
static bool add_limb(finder *f, uint32_t joint)
{
    bool far = is_long(f, joint);
    uint32_t number = f->regions->count;
    while (far && is_stub(f, joint)) {
        f->of_joint[joint] = 0;
        joint = main_child(f, joint);
    }
    grazei_region *region = grazei_regions_add(f->regions, GRAZE_REGION_TUBE, GRAZEI_ROLE_LIMB, 0);
    if (!region)
        return false;
    region->is_minor = !far;
    claim(f, joint, number);
    for (uint32_t j = joint; j != GRAZE_NONE; j = main_child(f, j))
        hint(f, region, j);
    return !far || add_end(f, number, joint);
}

static bool add_limbs(finder *f)
{
    const grazei_skeleton *s = f->skeleton;
    for (uint32_t i = 0; i < s->order_count; i++) {
        uint32_t joint = s->order[i], parent = s->joints[joint].parent;
        if (f->of_joint[joint] != GRAZE_NONE)
            continue;
        if (parent != GRAZE_NONE && s->joints[joint].reach < minor_reach * f->height)
            claim(f, joint, f->of_joint[parent]);
        else if (!add_limb(f, joint))
            return false;
    }
    return true;
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Joints without skin of their own, which may still have a small share: as the nearest above. */
static void claim_rest(finder *f)
{
    for (uint32_t j = 0; j < f->skeleton->count; j++) {
        uint32_t above = j;
        while (above != GRAZE_NONE && f->of_joint[above] == GRAZE_NONE)
            above = graze_part_parent(f->names, above);
        if (f->of_joint[j] == GRAZE_NONE)
            f->of_joint[j] = above == GRAZE_NONE ? 0 : f->of_joint[above];
    }
}

static bool find(finder *f, grazei_skeleton *s)
{
    memset(f->of_joint, 0xff, s->count * sizeof *f->of_joint);
    find_trunk(f, s);
    bool has_trunk = f->of_joint[s->root] == 0;
    grazei_region *first =
        grazei_regions_add(f->regions, has_trunk ? GRAZE_REGION_TRUNK : GRAZE_REGION_TUBE,
                           has_trunk ? GRAZEI_ROLE_TRUNK : GRAZEI_ROLE_LIMB, GRAZE_NONE);
    if (!first)
        return false;
    if (has_trunk)
        f->regions->trunk = 0;
    if (has_trunk && !add_limbs(f))
        return false;
    claim_rest(f);
    grazei_regions_by_joint(f->regions, f->of_joint);
    return true;
}

graze_status grazei_regions_from_joints(grazei_regions *regions, const graze_part_names *joints,
                                        graze_error *error)
{
    grazei_skeleton skeleton;
    finder f = {regions, &skeleton, joints, NULL, regions->height};
    graze_status status = GRAZE_OK;
    f.of_joint = GRAZEI_ALLOCATE(regions->allocator, regions->model->mesh.joint_count, uint32_t);
    if (!grazei_skeleton_make(&skeleton, regions, joints) || !f.of_joint)
        status = grazei_fail_memory(error);
    else if (skeleton.root == GRAZE_NONE)
        status = grazei_fail(error, GRAZE_BAD_INPUT, "no triangle of the model has an area");
    else if (!find(&f, &skeleton))
        status = grazei_fail(error, GRAZE_BAD_INPUT, "the body has more than %d regions",
                             GRAZEI_MOST_REGIONS);
    grazei_skeleton_release(&skeleton);
    grazei_release(regions->allocator, f.of_joint);
    return status;
}
