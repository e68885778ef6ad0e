#include "audit/subject.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---------------------------------------------------------------------------------- */

typedef struct named_part {
    const char *name;
    uint32_t part;
} named_part;

static int by_name(const void *left, const void *right)
{
    const named_part *x = left, *y = right;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->part > y->part) - (x->part < y->part);
}

static bool take_names(graze_audit_subject *subject, const graze_audit_def *def)
{
    size_t size = 0;
    for (uint32_t p = 0; p < def->part_count; p++)
        size += strlen(def->names[p]) + 1;
    subject->name_memory = grazei_audit_room(&subject->allocator, size, 1);
    subject->names = grazei_audit_room(&subject->allocator, def->part_count, sizeof(char *));
    subject->name_rank = grazei_audit_room(&subject->allocator, def->part_count, sizeof(uint32_t));
    named_part *order = grazei_audit_room(&subject->allocator, def->part_count, sizeof *order);
    bool done = subject->name_memory && subject->names && subject->name_rank && order;
    char *place = subject->name_memory;
    for (uint32_t p = 0; done && p < def->part_count; p++) {
        size_t length = strlen(def->names[p]) + 1;
        subject->names[p] = memcpy(place, def->names[p], length);
        order[p] = (named_part){subject->names[p], p};
        place += length;
    }
    if (done)
        qsort(order, def->part_count, sizeof *order, by_name);
    for (uint32_t i = 0; done && i < def->part_count; i++)
        subject->name_rank[order[i].part] = i;
    grazei_audit_release(&subject->allocator, order);
    return done;
}

static uint32_t parent_of(const graze_audit_subject *subject, uint32_t joint)
{
    uint32_t parent = joint < subject->joint_count ? subject->joint_parents[joint] : GRAZE_NONE;
    return parent < subject->joint_count ? parent : GRAZE_NONE;
}

/* Whether the joint is there and of the part. */
static bool is_of(const graze_audit_subject *subject, uint32_t joint, uint32_t part)
{
    return joint != GRAZE_NONE && subject->joint_parts[joint] == part;
}

/* Whether the part has a joint below this one. */
static bool has_child(const graze_audit_subject *subject, uint32_t parent, uint32_t part)
{
    for (uint32_t j = 0; parent != GRAZE_NONE && j < subject->joint_count; j++)
        if (subject->joint_parts[j] == part && parent_of(subject, j) == parent)
            return true;
    return false;
}

/* Whether a joint of the inner part is kin to one of the outer part that is not below it. */
static bool is_kin(const graze_audit_subject *subject, uint32_t inner, uint32_t outer)
{
    for (uint32_t j = 0; j < subject->joint_count; j++) {
        const uint32_t parent = parent_of(subject, j);
        if (subject->joint_parts[j] != inner)
            continue;
        if (is_of(subject, parent, outer) ||
            (subject->kin >= GRAZE_AUDIT_SIBLINGS && has_child(subject, parent, outer)) ||
            (subject->kin >= GRAZE_AUDIT_GRANDPARENTS &&
             is_of(subject, parent_of(subject, parent), outer)))
            return true;
    }
    return false;
}

bool grazei_is_fold(const graze_audit_subject *subject, uint32_t p, uint32_t q)
{
    return p == q || (subject->joint_parts && (is_kin(subject, p, q) || is_kin(subject, q, p)));
}

/* ---- the whole ------------------------------------------------------------------------------ */

static uint32_t *copy_numbers(graze_audit_subject *subject, const uint32_t *numbers, size_t count)
{
    uint32_t *copy = grazei_audit_room(&subject->allocator, count, sizeof *copy);
    if (copy && count)
        memcpy(copy, numbers, count * sizeof *copy);
    return copy;
}

static bool fill(graze_audit_subject *subject, const graze_audit_def *def)
{
    subject->part_of = copy_numbers(subject, def->part_of, def->rig->triangle_count);
    if (def->joint_parts && def->joint_parents) {
        subject->joint_count = def->rig->joint_count;
        subject->joint_parts = copy_numbers(subject, def->joint_parts, subject->joint_count);
        subject->joint_parents = copy_numbers(subject, def->joint_parents, subject->joint_count);
        if (!subject->joint_parts || !subject->joint_parents)
            return false;
    }
    return subject->part_of && take_names(subject, def) && grazei_find_welds(subject) &&
           grazei_find_surfaces(subject);
}

static graze_status take_rest(graze_audit_subject *subject, graze_error *error)
{
    graze_body *body = NULL;
    subject->rest =
        grazei_audit_room(&subject->allocator, subject->rig->vertex_count, 3 * sizeof(float));
    if (!subject->rest)
        return grazei_audit_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    graze_status status = graze_body_create(subject->model, &body, error);
    if (!status)
        status = graze_rig_pose_body(subject->rig, GRAZE_NONE, 0, NULL, body, error);
    if (!status)
        graze_body_get_positions(body, subject->rest);
    graze_body_destroy(body);
    return status;
}

graze_status graze_audit_subject_create(const graze_audit_def *def, graze_audit_subject **subject,
                                        graze_error *error)
{
    if (!def || !def->rig || !def->model || !def->part_of || !def->names || !subject)
        return grazei_audit_fail(error, GRAZE_BAD_INPUT,
                                 "the audit's rig, model or parts are NULL");
    for (uint32_t t = 0; t < def->rig->triangle_count; t++)
        if (def->part_of[t] >= def->part_count)
            return grazei_audit_fail(error, GRAZE_BAD_INPUT, "triangle %u is of part %u of %u", t,
                                     def->part_of[t], def->part_count);
    graze_audit_subject *made = grazei_audit_room(&def->rig->allocator, 1, sizeof *made);
    if (!made)
        return grazei_audit_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    made->allocator = def->rig->allocator;
    made->rig = def->rig;
    made->model = def->model;
    made->kin = def->kin;
    made->part_count = def->part_count;
    graze_status status = fill(made, def)
                              ? take_rest(made, error)
                              : grazei_audit_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    if (status)
        graze_audit_subject_destroy(made);
    else
        *subject = made;
    return status;
}

void graze_audit_subject_destroy(graze_audit_subject *subject)
{
    if (!subject)
        return;
    const graze_allocator allocator = subject->allocator;
    void *const owned[] = {subject->part_of,       subject->name_memory,  (void *)subject->names,
                           subject->name_rank,     subject->joint_parts,  subject->joint_parents,
                           subject->welds,         subject->around_first, subject->around,
                           subject->neighbours,    subject->weld_border,  subject->weld_rim,
                           subject->part_border,   subject->part_first,   subject->part_triangles,
                           subject->cluster_first, subject->clusters,     subject->vertex_first,
                           subject->part_vertices, subject->box_first,    subject->rest};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        grazei_audit_release(&allocator, owned[i]);
    grazei_audit_release(&allocator, subject);
}
