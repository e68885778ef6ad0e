/* What meets between two frames, every vertex on a straight line from one to the other: the swept
 * self query, and of each two parts the first impact. Whether they meet in one of the frames too is
 * seen once all frames are there (stretches.c).
 */
#include "audit/worker.h"

#include <stdlib.h>
#include <string.h>

/* A first impact of two triangles, and the ranks of their parts' names. */
typedef struct met {
    uint64_t key;
    graze_impact impact;
} met;

static int by_key(const void *left, const void *right)
{
    const met *x = left, *y = right;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return graze_impact_is_earlier(&x->impact, &y->impact)   ? -1
           : graze_impact_is_earlier(&y->impact, &x->impact) ? 1
                                                             : 0;
}

typedef struct impact_taker {
    grazei_audit_worker *worker;
    const grazei_base *base;
    bool full;
} impact_taker;

static bool take_impacts(void *user, const graze_impact *impacts, size_t count)
{
    impact_taker *taker = user;
    grazei_audit_worker *worker = taker->worker;
    for (size_t i = 0; i < count && !taker->full; i++) {
        const uint32_t *triangles = impacts[i].triangles;
        if (grazei_is_in_base(taker->base, triangles[0], triangles[1]))
            continue;
        met *own = grazei_audit_add(&worker->allocator, &worker->met, sizeof *own);
        if (own)
            *own = (met){grazei_key_of(worker->subject, triangles[0], triangles[1]), impacts[i]};
        taker->full = !own;
    }
    return !taker->full;
}

/* The corners of the triangles of an impact, from the pose before to this one. */
static graze_status find_corners(const grazei_audit_worker *worker, const graze_impact *impact,
                                 grazei_moving corners[2][3], graze_error *error)
{
    float ends[2][9];
    for (int side = 0; side < 2; side++) {
        const uint32_t *own = grazei_corners(worker->subject, impact->triangles[side]);
        graze_status status = graze_body_get_vertices(worker->before, own, 3, ends[0], error);
        if (!status)
            status = graze_body_get_vertices(worker->body, own, 3, ends[1], error);
        if (status)
            return status;
        for (int c = 0; c < 3; c++)
            corners[side][c] =
                (grazei_moving){point_of(ends[0] + 3 * c), point_of(ends[1] + 3 * c)};
    }
    return GRAZE_OK;
}

/* Where the point of an impact, which is on the second triangle, is at rest. */
static point rest_of(const grazei_audit_worker *worker, const graze_impact *impact,
                     const grazei_moving moving[3])
{
    const uint32_t *own = grazei_corners(worker->subject, impact->triangles[1]);
    point corners[3], sum = {0, 0, 0};
    for (int c = 0; c < 3; c++)
        corners[c] =
            plus(moving[c].start, (double)impact->time, minus(moving[c].end, moving[c].start));
    const point u = minus(corners[1], corners[0]), v = minus(corners[2], corners[0]);
    const point w = minus(point_of(impact->point), corners[0]), normal = cross(u, v);
    const double area2 = dot(normal, normal);
    double shares[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3}; /* of one without an area */
    if (area2 > 0) {
        shares[1] = fmin(1, fmax(0, dot(cross(w, v), normal) / area2));
        shares[2] = fmin(1 - shares[1], fmax(0, dot(cross(u, w), normal) / area2));
        shares[0] = 1 - shares[1] - shares[2];
    }
    for (int c = 0; c < 3; c++)
        sum = plus(sum, shares[c], point_of(grazei_rest(worker, own[c])));
    return sum;
}

/* Fills the row from the sorted impacts of its parts, those that only come near left out: pairs is
 * 0 if that is all of them.
 */
static graze_status fill_row(const grazei_audit_worker *worker, const met *all, size_t count,
                             grazei_audit_row *row, graze_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const graze_impact *impact = &all[i].impact;
        grazei_moving corners[2][3];
        graze_status status = find_corners(worker, impact, corners, error);
        if (status)
            return status;
        if (!grazei_meet_on_the_way(corners[0], corners[1]))
            continue;
        if (!row->pairs++) {
            const point rest = rest_of(worker, impact, corners[1]);
            row->at = impact->time;
            memcpy(row->point, impact->point, sizeof row->point);
            row->rest[0] = (float)rest.x;
            row->rest[1] = (float)rest.y;
            row->rest[2] = (float)rest.z;
        }
    }
    return GRAZE_OK;
}

/* Whether the last rows have the parts in one of the two frames: then it does not matter what they
 * do between these.
 */
static bool meet_in_frames(const grazei_audit_list *rows, const grazei_audit_row *row)
{
    const grazei_audit_row *all = rows->items;
    for (size_t i = rows->count; i > 0 && all[i - 1].frame + 1 >= row->frame; i--)
        if (!all[i - 1].between && all[i - 1].frame >= row->frame &&
            all[i - 1].parts[0] == row->parts[0] && all[i - 1].parts[1] == row->parts[1])
            return true;
    return false;
}

/* A row for each two parts. */
static graze_status add_rows(grazei_audit_worker *worker, uint32_t frame, grazei_audit_list *rows,
                             graze_error *error)
{
    const met *all = worker->met.items;
    const uint32_t *part_of = worker->subject->part_of, *rank = worker->subject->name_rank;
    for (size_t i = 0, end; i < worker->met.count; i = end) {
        const uint32_t *triangles = all[i].impact.triangles;
        const uint32_t parts[2] = {part_of[triangles[0]], part_of[triangles[1]]};
        const bool turned = rank[parts[0]] > rank[parts[1]];
        grazei_audit_row row = {.parts = {parts[turned], parts[!turned]},
                                .frame = frame,
                                .open = true,
                                .between = true};
        for (end = i + 1; end < worker->met.count && all[end].key == all[i].key; end++)
            ;
        if (meet_in_frames(rows, &row))
            continue;
        graze_status status = fill_row(worker, all + i, end - i, &row, error);
        grazei_audit_row *place =
            status || !row.pairs ? NULL : grazei_audit_add(&worker->allocator, rows, sizeof row);
        if (place)
            *place = row;
        else if (status || row.pairs)
            return status ? status : grazei_audit_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    }
    return GRAZE_OK;
}

graze_status grazei_audit_between(grazei_audit_worker *worker, const grazei_base *base,
                                  uint32_t frame, grazei_audit_list *rows, graze_error *error)
{
    impact_taker taker = {worker, base, false};
    graze_impact_list list = {.report = take_impacts, .user = &taker};
    const graze_motion motion = {.start = worker->before, .end = worker->body};
    const graze_options options = {.only_new = true};
    worker->met.count = 0;
    graze_status status = graze_sweep_all(&motion, NULL, &list, &options, error);
    if (taker.full)
        return grazei_audit_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    if (status || !worker->met.count)
        return status;
    qsort(worker->met.items, worker->met.count, sizeof(met), by_key);
    return add_rows(worker, frame, rows, error);
}
