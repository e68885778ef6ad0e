#include "audit/boxes.h"

#include <math.h>
#include <string.h>

static graze_status out_of_memory(graze_error *error)
{
    return grazei_audit_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
}

graze_status grazei_audit_worker_open(grazei_audit_worker *worker,
                                      const graze_audit_subject *subject, bool continuous,
                                      graze_error *error)
{
    const graze_rig *rig = subject->rig;
    const graze_allocator *allocator = &subject->allocator;
    *worker = (grazei_audit_worker){.subject = subject, .allocator = subject->allocator};
    worker->joints = grazei_audit_room(allocator, rig->joint_count, 12 * sizeof(float));
    worker->held_joints = grazei_audit_room(allocator, rig->joint_count, 12 * sizeof(float));
    worker->held_weights = grazei_audit_room(allocator, rig->morph_count, sizeof(float));
    worker->mirrored = grazei_audit_room(allocator, rig->joint_count, sizeof(bool));
    worker->weights = grazei_audit_room(allocator, rig->morph_count, sizeof(float));
    worker->posed = grazei_audit_room(allocator, rig->vertex_count, 3 * sizeof(float));
    worker->gathered = grazei_audit_room(allocator, rig->vertex_count, 3 * sizeof(float));
    worker->passed = grazei_audit_room(allocator, subject->weld_count, sizeof(uint32_t));
    worker->part_stamp = grazei_audit_room(allocator, subject->part_count, sizeof(uint32_t));
    worker->boxes_stamp = grazei_audit_room(allocator, subject->part_count, sizeof(uint32_t));
    worker->boxes = grazei_audit_room(allocator, subject->box_first[subject->part_count],
                                      sizeof *worker->boxes);
    for (int side = 0; side < 2; side++)
        worker->marks[side] =
            grazei_audit_room(allocator, subject->weld_count, sizeof(grazei_weld_mark));
    if (!worker->joints || !worker->held_joints || !worker->held_weights || !worker->mirrored ||
        !worker->weights || !worker->posed || !worker->gathered || !worker->part_stamp ||
        !worker->passed || !worker->boxes || !worker->boxes_stamp || !worker->marks[0] ||
        !worker->marks[1])
        return out_of_memory(error);
    graze_status status = graze_body_create(subject->model, &worker->body, error);
    if (!status && continuous)
        status = graze_body_create(subject->model, &worker->before, error);
    return status;
}

void grazei_audit_worker_close(grazei_audit_worker *worker)
{
    const graze_allocator *allocator = &worker->allocator;
    if (!worker->subject)
        return;
    graze_body_destroy(worker->body);
    graze_body_destroy(worker->before);
    void *const owned[] = {worker->joints,
                           worker->held_joints,
                           worker->held_weights,
                           worker->mirrored,
                           worker->weights,
                           worker->posed,
                           worker->gathered,
                           worker->part_stamp,
                           worker->boxes,
                           worker->boxes_stamp,
                           worker->marks[0],
                           worker->marks[1],
                           worker->pairs.items,
                           worker->groups.items,
                           worker->sorted.items,
                           worker->met.items,
                           worker->passed,
                           worker->first_crossing.items,
                           worker->cut_lengths.items,
                           worker->cut_ends.items,
                           worker->edges.items,
                           worker->crossings.items,
                           worker->pieces.items,
                           worker->visited.items,
                           worker->near.items,
                           worker->cuts.items,
                           worker->edge_slots.list.items,
                           worker->crossing_slots.list.items};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        grazei_audit_release(allocator, owned[i]);
    *worker = (grazei_audit_worker){.subject = NULL};
}

static bool mirrors(const float m[12])
{
    double minors[3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        minors[i] = (double)m[4 + j] * (double)m[8 + k] - (double)m[4 + k] * (double)m[8 + j];
    }
    return (double)m[0] * minors[0] + (double)m[1] * minors[1] + (double)m[2] * minors[2] < 0;
}

/* Whether these are the numbers that were held; then they are. */
static bool take_same(float *held, const float *numbers, size_t count)
{
    const bool same = memcmp(held, numbers, count * sizeof *held) == 0;
    memcpy(held, numbers, count * sizeof *held);
    return same;
}

graze_status grazei_audit_pose(grazei_audit_worker *worker, uint32_t clip, double time,
                               graze_error *error)
{
    const graze_rig *rig = worker->subject->rig;
    graze_status status = graze_rig_sample(rig, clip, time, worker->joints, worker->weights);
    if (status)
        return grazei_audit_fail(error, status, "the clip could not be sampled at %.6g s", time);
    return grazei_audit_take_pose(worker, error);
}

graze_status grazei_audit_take_pose(grazei_audit_worker *worker, graze_error *error)
{
    const graze_rig *rig = worker->subject->rig;
    graze_pose pose = {.joints = worker->joints,
                       .joint_count = rig->joint_count,
                       .morph_weights = rig->morph_count ? worker->weights : NULL,
                       .morph_count = rig->morph_count};
    worker->holds = take_same(worker->held_joints, worker->joints, (size_t)12 * rig->joint_count);
    if (!take_same(worker->held_weights, worker->weights, rig->morph_count))
        worker->holds = false;
    worker->any_mirrored = false;
    for (uint32_t j = 0; j < rig->joint_count; j++) {
        worker->mirrored[j] = mirrors(worker->joints + 12 * (size_t)j);
        worker->any_mirrored = worker->any_mirrored || worker->mirrored[j];
    }
    worker->frame_stamp++;
    return graze_body_set_pose(worker->body, &pose, error);
}

graze_status grazei_audit_pose_part(grazei_audit_worker *worker, uint32_t part, graze_error *error)
{
    const graze_audit_subject *subject = worker->subject;
    if (worker->part_stamp[part] == worker->frame_stamp)
        return GRAZE_OK;
    const uint32_t first = subject->vertex_first[part];
    const uint32_t count = subject->vertex_first[part + 1] - first;
    const uint32_t *vertices = subject->part_vertices + first;
    graze_status status =
        graze_body_get_vertices(worker->body, vertices, count, worker->gathered, error);
    if (status)
        return status;
    for (uint32_t i = 0; i < count; i++)
        memcpy(worker->posed + 3 * (size_t)vertices[i], worker->gathered + 3 * (size_t)i,
               3 * sizeof(float));
    worker->part_stamp[part] = worker->frame_stamp;
    return GRAZE_OK;
}

/* Whether the joint that the vertex follows most mirrors it. */
static bool is_mirrored(const grazei_audit_worker *worker, uint32_t vertex)
{
    const graze_rig *rig = worker->subject->rig;
    const graze_influence *most = NULL;
    for (uint32_t i = rig->influence_offsets[vertex]; i < rig->influence_offsets[vertex + 1]; i++)
        if (!most || rig->influences[i].weight > most->weight)
            most = &rig->influences[i];
    return most && worker->mirrored[most->joint];
}

void grazei_audit_posed_triangle(const grazei_audit_worker *worker, uint32_t triangle,
                                 const float *corners[3])
{
    const uint32_t *own = grazei_corners(worker->subject, triangle);
    const bool turned = worker->any_mirrored && is_mirrored(worker, own[0]);
    corners[0] = grazei_posed(worker, own[0]);
    corners[1] = grazei_posed(worker, own[turned ? 2 : 1]);
    corners[2] = grazei_posed(worker, own[turned ? 1 : 2]);
}
