#include "bench/peers/peers.h"

__attribute__((visibility("default"))) const bench_peers *graze_bench_peers(void)
{
    static const bench_peers peers = {
#ifdef HAVE_EMBREE
        .embree = &graze_bench_embree,
#endif
#ifdef HAVE_FCL
        .fcl = &graze_bench_fcl,
#endif
    };
    return &peers;
}
