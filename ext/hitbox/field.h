/* How deep is a ball in something: a body or a simple shape? */
#ifndef GRAZEI_HITBOX_FIELD_H
#define GRAZEI_HITBOX_FIELD_H

#include "narrow/d3.h"
#include "query/agenda.h"

#include <graze/shape.h>

/* What balls are measured in. */
typedef struct grazei_field {
    graze_body *body; /* NULL: the shape */
    bool closed;      /* the body's model is */
    graze_shape shape;
    graze_stats *stats;
} grazei_field;

typedef struct grazei_ball_contact {
    double depth; /* below 0: none */
    d3 point;     /* of the surface, the nearest to the centre */
    d3 normal;    /* the way in which the ball leaves */
    uint32_t triangle;
} grazei_ball_contact;

/* As graze/ext/hitbox.h defines it. */
grazei_ball_contact grazei_field_measure(const grazei_field *field, d3 centre, double radius);

#endif
