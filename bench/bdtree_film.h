/* The poses of the curtain scene, sampled beforehand so that clips are not measured. */
#ifndef GRAZE_BENCH_BDTREE_FILM_H
#define GRAZE_BENCH_BDTREE_FILM_H

#include "scenes/stage.h"

#define FILM_FRAMES 128
#define FILM_FIELDS 16

struct film_frame {
    float joints[2][12]; /* of the curtain and the ball: one joint each */
    float placements[2][12];
    float weights[FILM_FIELDS];
};

struct film {
    uint32_t frame_count, field_count;
    struct film_frame frames[FILM_FRAMES];
};

/* How bodies take over a frame. */
enum film_way {
    FILM_LAZY,
    FILM_COHERENT, /* the curtain by graze_body_set_morph_weights, coherent, from frame 1 on */
    FILM_LAYERED,  /* the curtain refitted bottom-up; the ball is rigid */
    FILM_EAGER,    /* as FILM_LAZY, for graze_collide_eager */
    FILM_FAR       /* the ball 1 km away */
};

bool film_record(struct film *film, struct stage *stage);

void film_pose(const struct film *film, uint32_t frame, enum film_way way, graze_body *curtain,
               graze_body *ball);

/* A tree of one sphere that is the ball: that of a triangle on a great circle. */
bool film_make_ball(graze_model **model, graze_body **body);

/* One triangle whose sphere has this centre and radius, in a tree of its own. */
bool film_make_sphere(const float centre[3], float radius, graze_model **model, graze_body **body);

#endif
