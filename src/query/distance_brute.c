/* All triangles against all: the reference that the walks are compared with. */
#include "narrow/distance.h"
#include "query/distance.h"
#include "query/distance_bounds.h"

/* Boxes of so many triangles stay in the first cache while all others pass by. */
#define BLOCK 512

static void load_triangle(const graze_body *body, uint32_t triangle, float corners[3][3])
{
    const uint32_t *vertices = body->model->mesh.triangles + 3 * (size_t)triangle;
    for (int c = 0; c < 3; c++)
        memcpy(corners[c], body->positions[vertices[c]], sizeof corners[c]);
}

static grazei_bound box_of_triangle(const graze_body *body, uint32_t triangle)
{
    grazei_bound box;
    const uint32_t *vertices = body->model->mesh.triangles + 3 * (size_t)triangle;
    f4 p = f4_load(body->positions[vertices[0]]), q = f4_load(body->positions[vertices[1]]);
    f4 r = f4_load(body->positions[vertices[2]]);
    grazei_bound_set_box(&box, f4_min(p, f4_min(q, r)), f4_max(p, f4_max(q, r)));
    return box;
}

static void compare(grazei_distance_question *question, uint32_t i, uint32_t k, graze_stats *stats)
{
    float a[3][3], b[3][3];
    load_triangle(question->base.bodies[0], i, a);
    load_triangle(question->base.bodies[1], k, b);
    stats->triangle_tests++;
    double square = grazei_triangle_distance_square((const float(*)[3])a, (const float(*)[3])b);
    grazei_distance_take(question, square, (graze_pair){i, k}, a[0], b[0], 3);
}

/* The question is put as for a walk, and then answered without one. */
static void ask(grazei_distance_question *question, graze_body *a, graze_body *b,
                grazei_distance_kind kind, double limit, graze_pair_fn report, void *user,
                graze_stats *stats)
{
    grazei_agenda agenda;
    grazei_bound boxes[BLOCK];
    graze_stats unwanted = {0};
    stats = stats ? stats : &unwanted;
    grazei_distance_begin(question, &agenda, a, b, kind, limit, report, user, stats);
    grazei_body_pose_all(a);
    grazei_body_pose_all(b);
    uint32_t count_a = a->model->mesh.triangle_count, count_b = b->model->mesh.triangle_count;
    stats->vertices_posed += (uint64_t)a->model->mesh.vertex_count + b->model->mesh.vertex_count;
    stats->bound_tests += (uint64_t)count_a * count_b;
    for (uint32_t first = 0; first < count_b; first += BLOCK) {
        uint32_t block = count_b - first < BLOCK ? count_b - first : BLOCK;
        for (uint32_t k = 0; k < block; k++)
            boxes[k] = box_of_triangle(b, first + k);
        for (uint32_t i = 0; i < count_a; i++) {
            grazei_bound box = box_of_triangle(a, i);
            for (uint32_t k = 0; k < block && !question->outbox.stopped; k++)
                if (!(grazei_box_distance(&box, &boxes[k]) > question->limit))
                    compare(question, i, first + k, stats);
        }
    }
    grazei_outbox_flush(&question->outbox);
}

graze_status graze_distance_brute(graze_body *a, graze_body *b, double limit,
                                  graze_nearest *nearest, graze_stats *stats, graze_error *error)
{
    grazei_distance_question question;
    graze_status status = grazei_distance_check(a, b, limit, true, error);
    if (status)
        return status;
    ask(&question, a, b, GRAZEI_NEAREST, limit, NULL, NULL, stats);
    grazei_distance_answer(&question, nearest);
    return GRAZE_OK;
}

graze_status graze_within_brute(graze_body *a, graze_body *b, double distance, graze_pair_fn report,
                                void *user, graze_stats *stats, graze_error *error)
{
    grazei_distance_question question;
    graze_status status = grazei_distance_check(a, b, distance, false, error);
    if (status)
        return status;
    ask(&question, a, b, GRAZEI_WITHIN, distance, report, user, stats);
    return GRAZE_OK;
}
