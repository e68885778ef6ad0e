/* Libraries to measure against, in a module of their own: the graze command links none of them and
 * loads the module where it was built. A member is NULL where its library is absent.
 */
#ifndef GRAZE_BENCH_PEERS_PEERS_H
#define GRAZE_BENCH_PEERS_PEERS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* positions are 3 floats a vertex. Embree reads them in place, 4 bytes past the end included, and
 * they must stay; others copy.
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
} bench_embree;

/* One thread. refit takes over new positions. */
typedef struct bench_fcl {
    const char *(*version)(void);
    void *(*create)(const bench_mesh *mesh);
    void (*destroy)(void *model);
    void (*refit)(void *model, const float *positions);
    double (*distance)(void *a, void *b);
} bench_fcl;

typedef struct bench_peers {
    const bench_embree *embree;
    const bench_fcl *fcl;
} bench_peers;

/* The one function that the module exports. */
const bench_peers *graze_bench_peers(void);

/* The parts it is made of. */
extern const bench_embree graze_bench_embree;
extern const bench_fcl graze_bench_fcl;

#ifdef __cplusplus
}
#endif

#endif
