/* What one thread has to audit frames with: a body, and memory that grows and is used again. */
#ifndef GRAZE_AUDIT_WORKER_H
#define GRAZE_AUDIT_WORKER_H

#include "audit/points.h"
#include "audit/subject.h"

/* An edge through a triangle, in a pair: found again from the other triangle beside the edge. Ends:
 * 0 is the one with the lower weld.
 */
typedef struct grazei_crossing {
    double at; /* from end 0 to 1 */
    uint32_t vertices[2];
    uint32_t triangle;
    uint32_t pair;
    uint32_t side; /* whose edge it is: 0 of the pair's first triangle, 1 of the second */
    bool starts_behind;
    bool once; /* so far only one of the triangles beside the edge had it */
} grazei_crossing;

/* An edge of one part that passes through the other part. */
typedef struct grazei_passed_edge {
    uint32_t side; /* whose edge it is: 0 of the first part, 1 of the second */
    uint32_t vertices[2], welds[2];
    double next[2];   /* how far along the edge the crossing nearest to each end is, from there */
    int8_t behind[2]; /* 1: that end is behind what is crossed there; -1: before it */
    uint32_t pair, last_pair; /* the first and last that it crosses in */
    uint32_t piece[2];        /* that the ends belong to */
    double inside[2]; /* between its ends, a stretch behind the other part; from the first end */
    bool has_inside;
    uint32_t pairs[2]; /* in which that begins and ends */
} grazei_passed_edge;

/* A connected piece of one part's surface, cut off where it passes through anything. */
typedef struct grazei_piece {
    uint32_t side;
    bool behind;           /* else it is before the other surface */
    bool border;           /* it reaches where its own part ends */
    bool rim;              /* it reaches where the surface ends */
    bool leaks;            /* its ends are on both sides: the cut is not whole */
    bool through;          /* it ends at two long cuts */
    uint32_t first, count; /* in visited */
    uint32_t cuts[2];      /* the longest cuts it ends at, as pairs, longest first */
} grazei_piece;

enum { GRAZEI_END_BEHIND = 1, GRAZEI_END_BEFORE = 2, GRAZEI_LOOKED_AT = 4 };

typedef struct grazei_weld_mark {
    uint32_t stamp; /* of the measurement that this is about */
    uint32_t piece; /* GRAZE_NONE: none yet */
    uint32_t ends;  /* what it is an end of, and whether it was looked at by itself */
} grazei_weld_mark;

/* Slots of numbers, found by a hash. */
typedef struct grazei_slots {
    grazei_audit_list list; /* of uint32_t; GRAZE_NONE: free */
    size_t mask;
} grazei_slots;

/* Two parts that meet in a frame. */
typedef struct grazei_audit_row {
    uint32_t parts[2]; /* in the order of their names */
    uint32_t frame, pairs;
    float depth, point[3], rest[3];
    bool open;
    bool between; /* not in the frame, but on the way to the next one */
    float at;     /* how far on that way, from 0 to 1 */
} grazei_audit_row;

/* The pairs of two parts. */
typedef struct grazei_group {
    uint32_t parts[2], first, count;
} grazei_group;

typedef struct grazei_audit_worker {
    const graze_audit_subject *subject;
    graze_allocator allocator;
    graze_body *body;
    graze_body *before; /* of the frame before; NULL: what is between frames is not asked for */
    float *joints, *weights;
    bool
        *mirrored; /* of joints: the pose turns what follows it inside out, as a scale of -1 does */
    bool any_mirrored;
    float *held_joints, *held_weights; /* of the pose before */
    bool holds;                        /* this pose is the same */
    const grazei_audit_list *rows;     /* where the rows of the last frame are: from `first` on */
    size_t first_row;
    uint32_t row_frame;
    grazei_audit_list pairs;  /* graze_pair: all of the frame, those that count first, by parts */
    grazei_audit_list groups; /* grazei_group: of those that count */
    grazei_audit_list sorted; /* work memory */
    grazei_audit_list met;    /* what meets between two frames */

    /* Of the frame's pose, as far as asked for. */
    uint32_t frame_stamp;
    uint32_t *part_stamp,
        *boxes_stamp;           /* of parts: the frame in which they were posed, and boxed */
    float *posed, *gathered;    /* 3 a vertex */
    struct grazei_boxes *boxes; /* of parts: audit/boxes.h */

    /* Of all pairs of the frame. */
    uint32_t *passed; /* of welds: the frame in which an edge at it passes through something */
    grazei_audit_list crossings, first_crossing; /* grazei_crossing; of each pair */
    grazei_audit_list cuts, cut_lengths;         /* of each pair; in pairs */
    grazei_audit_list cut_ends;                  /* bool: the cut has an end, and is no ring */
    grazei_slots edge_slots, crossing_slots;

    /* Of one measurement. */
    uint32_t stamp;
    uint32_t parts[2];
    uint32_t first_pair, pair_count; /* a of the first part, b of the second */
    grazei_weld_mark *marks[2];
    grazei_audit_list edges, pieces, visited;
    grazei_audit_list near; /* of vertices that were visited last, the nearest triangle */
    bool sides_count[2];    /* whether pieces of this part say how deep it is */
} grazei_audit_worker;

/* To be closed all the same after an error. */
graze_status grazei_audit_worker_open(grazei_audit_worker *worker,
                                      const graze_audit_subject *subject, bool continuous,
                                      graze_error *error);
void grazei_audit_worker_close(grazei_audit_worker *worker);

/* Poses the body: clip GRAZE_NONE is the pose in which the file stands. */
graze_status grazei_audit_pose(grazei_audit_worker *worker, uint32_t clip, double time,
                               graze_error *error);
/* The same with the joints and weights that the worker has. */
graze_status grazei_audit_take_pose(grazei_audit_worker *worker, graze_error *error);

/* What meets in the baseline's pose, sorted; none: nothing. */
typedef struct grazei_base {
    graze_pair *pairs;
    size_t count;
} grazei_base;

/* Whether two triangles, in any order, are a pair of it. */
bool grazei_is_in_base(const grazei_base *base, uint32_t a, uint32_t b);

/* A point on its way from one frame to the next. */
typedef struct grazei_moving {
    point start, end;
} grazei_moving;

/* Whether two triangles that are apart at the start touch before the end. */
bool grazei_meet_on_the_way(const grazei_moving a[3], const grazei_moving b[3]);

/* Adds a row for each two parts that meet on the way from the pose of the body before, which is of
 * this frame, to that of the body.
 */
graze_status grazei_audit_between(grazei_audit_worker *worker, const grazei_base *base,
                                  uint32_t frame, grazei_audit_list *rows, graze_error *error);

/* Makes sure that a part's vertices are those of the pose. */
graze_status grazei_audit_pose_part(grazei_audit_worker *worker, uint32_t part, graze_error *error);

/* The corners of a triangle where they are in the pose, counter-clockwise seen from before it: a
 * mirrored triangle's in the other order.
 */
void grazei_audit_posed_triangle(const grazei_audit_worker *worker, uint32_t triangle,
                                 const float *corners[3]);

/* Finds where edges pass through triangles in these pairs, and which pairs are of one cut. False
 * when out of memory.
 */
bool grazei_find_passings(grazei_audit_worker *worker, const graze_pair *pairs, size_t count);
/* The cut of a pair: the pair that stands for all of them. */
uint32_t grazei_cut_of(grazei_audit_worker *worker, uint32_t pair);
/* Whether the edge between two welds passes through anything. */
bool grazei_is_passed(const grazei_audit_worker *worker, uint32_t u, uint32_t v);

/* How deep two parts are in each other: fills depth, point and open. All pairs' parts are posed and
 * their passings found. False when out of memory.
 */
bool grazei_audit_measure(grazei_audit_worker *worker, const grazei_group *group,
                          grazei_audit_row *row);
/* Whether two parts meet in the frame, in pairs that count. */
bool grazei_parts_meet(const grazei_audit_worker *worker, uint32_t p, uint32_t q);

/* The mark of a weld in this measurement. */
grazei_weld_mark *grazei_mark(grazei_audit_worker *worker, uint32_t side, uint32_t weld);

/* Finds the edges of each part that pass through the other, and the pieces behind it; pieces that
 * are layers are marked as before it. False when out of memory.
 */
bool grazei_find_pieces(grazei_audit_worker *worker);

/* Where a surface is nearest to a point. */
typedef struct grazei_nearest {
    double distance2;
    double point[3];
    uint32_t triangle;
    int feature; /* 0: its inside; 1 to 3: the edge from corner 0, 1, 2; 4 to 6: corner 0, 1, 2 */
} grazei_nearest;

/* The point of a part's surface nearest to p, of equally near ones the first triangle's; triangles
 * that touch the piece (GRAZE_NONE: none) of side 0 are left out. near: a triangle of the part that
 * may not be far, or GRAZE_NONE, which takes longer. False if there is none.
 */
bool grazei_find_nearest(grazei_audit_worker *worker, uint32_t part, const double p[3],
                         uint32_t piece, uint32_t near, grazei_nearest *nearest);
/* Whether the part ends there, and with which part it goes on, GRAZE_NONE: with none. */
bool grazei_nearest_is_border(const grazei_audit_worker *worker, uint32_t part,
                              const grazei_nearest *nearest, uint32_t *beside);
/* Whether p is before the surface there. */
bool grazei_nearest_is_before(const grazei_audit_worker *worker, uint32_t part, const double p[3],
                              const grazei_nearest *nearest);

/* The same vertex in the pose in which the file stands. */
static inline const float *grazei_rest(const grazei_audit_worker *worker, uint32_t vertex)
{
    return worker->subject->rest + 3 * (size_t)vertex;
}

static inline const float *grazei_posed(const grazei_audit_worker *worker, uint32_t vertex)
{
    return worker->posed + 3 * (size_t)vertex;
}

#endif
