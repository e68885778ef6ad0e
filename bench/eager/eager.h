/* The eager baseline: the strongest eager method we can write for two skinned characters on one
 * core.
 *
 * It computes every vertex, with the whole box on the way, and refits a tree of axis-aligned boxes
 * bottom-up before it answers, as a collision library that knows nothing of the pose has to. Its
 * positions are the bits of graze_body_get_positions, and its triangle tests are exact, so its
 * pairs are those of graze_pairs.
 *
 * For one frame: eager_skin for both bodies, eager_apart, and if they are not, eager_refit
 * for both and eager_collide.
 */
#ifndef GRAZE_BENCH_EAGER_H
#define GRAZE_BENCH_EAGER_H

#include "bench/peers/peers.h"

#include <graze/graze.h>

typedef struct eager_model eager_model;
typedef struct eager_body eager_body;

/* How candidates are decided. Both are exact. */
typedef enum eager_triangles {
    EAGER_SCALAR, /* one pair at a time, in double; unsure ones by our exact test */
    EAGER_LANES   /* our own triangle test in lanes */
} eager_triangles;

/* Makes a model from a def that graze_model_create accepts; of its settings only the instruction
 * set counts. NULL if it is not supported: morph targets, or skinning that is not linear. Here and
 * below the program ends when memory is short.
 */
eager_model *eager_model_create(const graze_model_def *def);
void eager_model_destroy(eager_model *model);

/* The model must outlive the body. */
eager_body *eager_body_create(const eager_model *model);
void eager_body_destroy(eager_body *body);

/* Poses every vertex and finds the whole box. joints: 12 floats each, three rows of four;
 * placement: 12 floats or NULL. Values are finite and joint_count is the model's.
 */
void eager_skin(eager_body *body, const float *joints, uint32_t joint_count,
                const float *placement);

/* Takes over positions in place of skinning, 3 floats a vertex of the def and one more to read past
 * the end, and finds the whole box.
 */
void eager_set_positions(eager_body *body, const float *positions);

/* Whether the whole boxes are apart; both bodies are skinned. */
bool eager_apart(const eager_body *a, const eager_body *b);

/* The whole box. */
void eager_box(const eager_body *body, float low[3], float high[3]);

/* Refits the tree to the skinned vertices: every box, down to leaves of 4 triangles. */
void eager_refit(eager_body *body);

/* Writes up to capacity pairs of triangles that meet and returns how many there are; with `first`
 * it stops at one. Both bodies are skinned and refitted, and they are two.
 */
size_t eager_collide(eager_body *a, eager_body *b, eager_triangles how, bool first,
                     bench_pair *pairs, size_t capacity);

/* Finds out which triangles of the def are neighbours, for eager_collide_self: those with
 * vertices that cannot part (graze/pairs.h).
 */
void eager_find_neighbours(eager_model *model, const graze_model_def *def);

/* The same within one body, skinned and refitted, whose model knows its neighbours: pairs a < b
 * that are none, decided in lanes.
 */
size_t eager_collide_self(eager_body *body, bench_pair *pairs, size_t capacity);

/* The nearest hit of the ray origin + t dir, t >= 0, in a refitted body. Not exact: rounding in
 * float decides at edges.
 */
bool eager_ray(eager_body *body, const float origin[3], const float dir[3], float *t,
               uint32_t *triangle);

/* The skinned positions in the baseline's own order: vertex v of the model stands at
 * stride_floats x eager_slot(v).
 */
const float *eager_positions(const eager_body *body, uint32_t *stride_floats);
uint32_t eager_slot(const eager_body *body, uint32_t vertex);

/* Memory in bytes, for tables. */
size_t eager_model_bytes(const eager_model *model);
size_t eager_body_bytes(const eager_body *body);

#endif
