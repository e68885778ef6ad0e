/* The champion: the strongest eager opponent we can write for two skinned characters on one core.
 *
 * It computes every vertex, with the whole box on the way, and refits a tree of axis-aligned boxes
 * bottom-up before it answers, as a collision library that knows nothing of the pose has to. Its
 * positions are the bits of graze_body_get_positions, and its triangle tests are exact, so its
 * pairs are those of graze_collide.
 *
 * For one frame: champion_skin for both bodies, champion_apart, and if they are not, champion_refit
 * for both and champion_collide.
 */
#ifndef GRAZE_BENCH_CHAMPION_H
#define GRAZE_BENCH_CHAMPION_H

#include <graze/graze.h>

typedef struct champion_model champion_model;
typedef struct champion_body champion_body;

/* How candidates are decided. Both are exact. */
typedef enum champion_triangles {
    CHAMPION_SCALAR, /* one pair at a time, in double; unsure ones by our exact test */
    CHAMPION_LANES   /* our own triangle test in lanes */
} champion_triangles;

/* Makes a model from a def that graze_model_create accepts; of its settings only the instruction
 * set counts. NULL when out of memory or if it is not supported: morph targets, or skinning that is
 * not linear.
 */
champion_model *champion_model_create(const graze_model_def *def);
void champion_model_destroy(champion_model *model);

/* NULL when out of memory. The model must outlive the body. */
champion_body *champion_body_create(const champion_model *model);
void champion_body_destroy(champion_body *body);

/* Poses every vertex and finds the whole box. joints: 12 floats each, three rows of four;
 * placement: 12 floats or NULL. Values are finite and joint_count is the model's.
 */
void champion_skin(champion_body *body, const float *joints, uint32_t joint_count,
                   const float *placement);

/* Whether the whole boxes are apart; both bodies are skinned. */
bool champion_apart(const champion_body *a, const champion_body *b);

/* The whole box. */
void champion_box(const champion_body *body, float low[3], float high[3]);

/* Refits the tree to the skinned vertices: every box, down to leaves of 4 triangles. */
void champion_refit(champion_body *body);

/* Refits boxes of 64 triangles and above; those below are found when a query first asks for them.
 * Faster, but no longer eager: as far as one gets towards Graze without knowing the pose.
 */
void champion_refit_blocks(champion_body *body);

/* Writes up to capacity pairs of triangles that meet and returns how many there are; with `first`
 * it stops at one. Both bodies are skinned and refitted, and they are two.
 */
size_t champion_collide(champion_body *a, champion_body *b, champion_triangles how, bool first,
                        graze_pair *pairs, size_t capacity);

/* The nearest hit of the ray origin + t dir, t >= 0, in a refitted body. Not exact: rounding in
 * float decides at edges.
 */
bool champion_ray(champion_body *body, const float origin[3], const float dir[3], float *t,
                  uint32_t *triangle);

/* The skinned positions in the champion's own order: vertex v of the model stands at
 * stride_floats x champion_slot(v).
 */
const float *champion_positions(const champion_body *body, uint32_t *stride_floats);
uint32_t champion_slot(const champion_body *body, uint32_t vertex);

/* Memory in bytes, for tables. */
size_t champion_model_bytes(const champion_model *model);
size_t champion_body_bytes(const champion_body *body);

#endif
