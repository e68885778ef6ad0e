/* Libraries to measure against, in a module of their own: the graze command links none of them and
 * loads the module where it was built. A member is NULL where its library is absent.
 */
#ifndef GRAZE_BENCH_PEERS_PEERS_H
#define GRAZE_BENCH_PEERS_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* positions are 3 floats a vertex, with 4 more bytes that may be read past the end. They are read
 * in place, as triangles are, and both must stay; bench_fcl alone copies.
 */
typedef struct bench_mesh {
    const float *positions;
    uint32_t vertex_count;
    const uint32_t *triangles;
    uint32_t triangle_count;
} bench_mesh;

typedef struct bench_peer_ray {
    float origin[3];
    float dir[3];
} bench_peer_ray;

typedef struct bench_peer_hit {
    uint32_t triangle; /* UINT32_MAX: none */
    float t;
} bench_peer_hit;

/* One thread, a dynamic scene of one mesh, not robust. refit takes over new positions. */
typedef struct bench_embree {
    const char *(*version)(void);
    void *(*create)(const bench_mesh *mesh); /* NULL on failure */
    void (*destroy)(void *scene);
    void (*refit)(void *scene);
    void (*ray)(void *scene, const bench_peer_ray *ray, bench_peer_hit *hit);
    /* Many rays in packets, coherent ones following each other. */
    void (*rays)(void *scene, const bench_peer_ray *rays, size_t count, bench_peer_hit *hits);

    /* Many meshes, a tree each, and one above them. *which is the number of the mesh. */
    void *(*crowd)(const bench_mesh *meshes, uint32_t count);
    void (*destroy_crowd)(void *crowd);
    void (*refit_crowd)(void *crowd);
    void (*ray_in_crowd)(void *crowd, const bench_peer_ray *ray, bench_peer_hit *hit,
                         uint32_t *which);
} bench_embree;

/* One thread. refit takes over new positions. */
typedef struct bench_fcl {
    const char *(*version)(void);
    void *(*create)(const bench_mesh *mesh);
    void (*destroy)(void *model);
    void (*refit)(void *model, const float *positions);
    double (*distance)(void *a, void *b);
} bench_fcl;

typedef struct bench_pair {
    uint32_t a, b;
} bench_pair;

/* Finds the triangles of two models that meet. One thread. */
typedef struct bench_collider {
    const char *name;
    const char *(*version)(void);
    void *(*create)(const bench_mesh *mesh); /* NULL on failure */
    void (*destroy)(void *model);
    void (*refit)(void *model); /* takes over mesh->positions, which stay in place */
    /* How many pairs there are; some capacity of them go to pairs. first: stop at the first. Not
     * every library can stop early, finds each pair, or reports it once.
     */
    size_t (*collide)(void *a, void *b, bool first, bench_pair *pairs, size_t capacity);
} bench_collider;

/* The same within one of its models: pairs a < b of triangles that share no weld, welds being one
 * number a vertex. Each once.
 */
typedef struct bench_self_collider {
    const bench_collider *of;
    size_t (*collide)(void *model, const uint32_t *welds, bench_pair *pairs, size_t capacity);
} bench_self_collider;

/* Finds models of a collider's whose boxes overlap, by the library's own broad phase. */
typedef struct bench_broad {
    const char *name;
    const bench_collider *of;
    void *(*create)(void *const *models, uint32_t count); /* which must stay; NULL on failure */
    void (*destroy)(void *broad);
    /* After refits: takes over the new boxes. How many pairs there are; some capacity of them go to
     * pairs.
     */
    size_t (*find)(void *broad, bench_pair *pairs, size_t capacity);
} bench_broad;

typedef struct bench_peers {
    const bench_embree *embree;
    const bench_fcl *fcl;
    const bench_collider *colliders[8];
    uint32_t collider_count;
    const bench_self_collider *self_colliders[4];
    uint32_t self_collider_count;
    const bench_broad *broads[2];
    uint32_t broad_count;
} bench_peers;

/* The one function that the module exports. */
const bench_peers *graze_bench_peers(void);

/* The parts it is made of. */
extern const bench_embree graze_bench_embree;
extern const bench_fcl graze_bench_fcl;
extern const bench_collider graze_bench_embree_fours, graze_bench_embree_eights;
extern const bench_collider graze_bench_fcl_boxes, graze_bench_fcl_oriented;
extern const bench_collider graze_bench_bullet;
extern const bench_collider graze_bench_ode;
extern const bench_collider graze_bench_cgal;
extern const bench_broad graze_bench_fcl_tree, graze_bench_bullet_tree;
extern const bench_self_collider graze_bench_embree_fours_self, graze_bench_embree_eights_self;
extern const bench_self_collider graze_bench_fcl_boxes_self, graze_bench_cgal_self;

#ifdef __cplusplus
}
#endif

#endif
