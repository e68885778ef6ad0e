/* The mesh and its skin, checked and brought into one form: what is true before any pose. */
#ifndef GRAZEI_MESH_MESH_H
#define GRAZEI_MESH_MESH_H

#include <graze/model.h>

/* Influences of a vertex are merged (each joint once), without zeros, ascending by joint, and
 * scaled to sum 1; a single influence has weight exactly 1.
 */
typedef struct grazei_mesh {
    uint32_t vertex_count;
    uint32_t triangle_count;
    uint32_t joint_count;
    uint32_t part_count;

    float *positions;            /* 3 a vertex, each in its joints' space, without morphs */
    float *rest_positions;       /* where they are at rest; NULL: there, as are the next two */
    float *rest_matrices;        /* 12 a joint */
    float *rest_weights;         /* of the morph targets */
    uint32_t *triangles;         /* 3 a triangle */
    uint32_t *influence_offsets; /* vertex_count + 1 */
    graze_influence *influences;

    uint32_t *welds; /* for each vertex the first of those that cannot part from it */

    uint32_t *vertex_parts;
    uint32_t *triangle_parts;

    /* Distinct sets of joints; set s has joints set_joints[set_offsets[s] .. set_offsets[s+1]). */
    uint32_t *vertex_set;
    uint32_t *set_offsets;
    uint32_t *set_joints;
    uint32_t set_count;

    /* Morph target m moves vertices morph_vertices[morph_offsets[m] .. morph_offsets[m + 1]), each
     * once, ascending, by morph_deltas.
     */
    uint32_t morph_count;
    uint32_t *morph_offsets;
    uint32_t *morph_vertices;
    float (*morph_deltas)[3];

    uint32_t max_influences;
    bool takes_weights; /* when it is built: they are scaled already, and are not changed */
    float weight_error; /* at least |sum of weights - 1| of every vertex, in exact arithmetic */
    float reach[3];     /* at least |coordinate| of every rest position, per axis */
} grazei_mesh;

/* Positions in the rest pose (graze_model_def). */
static inline const float *grazei_mesh_rest(const grazei_mesh *mesh)
{
    return mesh->rest_positions ? mesh->rest_positions : mesh->positions;
}

/* Fills a zeroed mesh from the def; on failure the caller releases what is there. */
graze_status grazei_mesh_build(grazei_mesh *mesh, const graze_model_def *def,
                               const graze_allocator *allocator, graze_error *error);

void grazei_mesh_release(grazei_mesh *mesh, const graze_allocator *allocator);

#endif
