#include "bench/peers/peers.h"

static const bench_collider *const colliders[] = {
#ifdef HAVE_EMBREE
    &graze_bench_embree_fours, &graze_bench_embree_eights,
#endif
#ifdef HAVE_ODE
    &graze_bench_ode,
#endif
#ifdef HAVE_BULLET
    &graze_bench_bullet,
#endif
#ifdef HAVE_FCL
    &graze_bench_fcl_boxes,    &graze_bench_fcl_oriented,
#endif
#ifdef HAVE_CGAL
    &graze_bench_cgal,
#endif
};

static const bench_self_collider *const self_colliders[] = {
#ifdef HAVE_EMBREE
    &graze_bench_embree_fours_self, &graze_bench_embree_eights_self,
#endif
#ifdef HAVE_FCL
    &graze_bench_fcl_boxes_self,
#endif
#ifdef HAVE_CGAL
    &graze_bench_cgal_self,
#endif
    NULL};

static const bench_broad *const broads[] = {
#ifdef HAVE_FCL
    &graze_bench_fcl_tree,
#endif
#ifdef HAVE_BULLET
    &graze_bench_bullet_tree,
#endif
    NULL};

__attribute__((visibility("default"))) const bench_peers *graze_bench_peers(void)
{
    static bench_peers peers = {
#ifdef HAVE_EMBREE
        .embree = &graze_bench_embree,
#endif
#ifdef HAVE_FCL
        .fcl = &graze_bench_fcl,
#endif
        .collider_count = sizeof colliders / sizeof *colliders,
        .self_collider_count = sizeof self_colliders / sizeof *self_colliders - 1,
        .broad_count = sizeof broads / sizeof *broads - 1,
    };
    for (uint32_t c = 0; c < peers.collider_count; c++)
        peers.colliders[c] = colliders[c];
    for (uint32_t c = 0; c < peers.self_collider_count; c++)
        peers.self_colliders[c] = self_colliders[c];
    for (uint32_t c = 0; c < peers.broad_count; c++)
        peers.broads[c] = broads[c];
    return &peers;
}
