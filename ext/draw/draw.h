/* Single strokes. Callbacks that are NULL draw nothing. */
#ifndef GRAZEI_DRAW_DRAW_H
#define GRAZEI_DRAW_DRAW_H

#include <graze/ext/draw.h>

graze_status grazei_draw_check(const graze_draw *draw, graze_error *error);

static inline void grazei_draw_line(const graze_draw *draw, const float *from, const float *to,
                                    uint32_t colour)
{
    if (draw->line)
        draw->line(draw->user, from, to, colour);
}

/* From a point, some way along a direction. */
static inline void grazei_draw_way(const graze_draw *draw, const float *from, const float *dir,
                                   float way, uint32_t colour)
{
    const float to[3] = {from[0] + way * dir[0], from[1] + way * dir[1], from[2] + way * dir[2]};
    grazei_draw_line(draw, from, to, colour);
}

static inline void grazei_draw_point(const graze_draw *draw, const float *at, uint32_t colour)
{
    if (draw->point)
        draw->point(draw->user, at, colour);
}

static inline void grazei_draw_sphere(const graze_draw *draw, const float *centre, float radius,
                                      uint32_t colour)
{
    if (draw->sphere)
        draw->sphere(draw->user, centre, radius, colour);
}

/* Along the axes. */
static inline void grazei_draw_box(const graze_draw *draw, const float *centre, const float *half,
                                   uint32_t colour)
{
    const graze_box box = {{centre[0], centre[1], centre[2]},
                           {half[0], half[1], half[2]},
                           {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (draw->box)
        draw->box(draw->user, &box, colour);
}

/* The length of normals. */
static inline float grazei_draw_length(const graze_draw *draw)
{
    return draw->length > 0 ? draw->length : 1;
}

#endif
