/* The function `packet` of grazei_ray_kernels, for the instruction set being compiled. */
#ifndef GRAZEI_QUERY_RAY_PACKET_H
#define GRAZEI_QUERY_RAY_PACKET_H

#include "math/isa.h"
#include "query/ray.h"

void GRAZEI_ISA(ray_packet)(graze_body *body, const graze_ray *rays, uint32_t count,
                            graze_ray_hit *hits, graze_stats *stats);

#endif
