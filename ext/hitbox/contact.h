/* A finder of part contacts and its working memory, which only grows. */
#ifndef GRAZEI_HITBOX_CONTACT_H
#define GRAZEI_HITBOX_CONTACT_H

#include "contact/table.h"
#include "hitbox/field.h"
#include "hitbox/fit.h"
#include "narrow/shape_contact.h"

#include <graze/ext/hitbox.h>
#include <graze/pairs.h>

/* What is known of two parts. */
typedef struct grazei_part_meeting {
    uint32_t parts[2];
    uint32_t pair_count;
    graze_pair pair; /* the smallest of them; of a shape the deepest triangle */

    uint32_t balls;   /* that gave a contact */
    double depth;     /* the largest */
    double depths;    /* their sum */
    d3 normal, point; /* sums, times depth */
    d3 middle;        /* sum of points */
    d3 deepest;       /* normal of the deepest */

    grazei_ball_contact own; /* of the triangles, where no ball gave one; depth below 0: none */
} grazei_part_meeting;

/* An outer hitbox in space. */
typedef struct grazei_outer {
    grazei_shape shape;
    bool overlaps; /* one of the other side's */
} grazei_outer;

struct graze_hitbox_finder {
    graze_allocator allocator;
    grazei_part_meeting *meetings;
    size_t meeting_count, meeting_capacity;
    grazei_table table;   /* of meetings */
    grazei_outer *outers; /* of one side, then of the other */
    size_t outer_capacity;
    uint8_t *flags; /* of the parts of one side: one of their volumes overlaps */
    size_t flag_capacity;
    graze_contact *contacts;
    size_t contact_count, contact_capacity;
    const graze_posed_hitboxes *sides[2]; /* in the course of a search; the second NULL: a shape */
    bool exchanged, failed;
};

/* Forgets what was found, and takes the sides, b NULL for a shape. False when out of memory. */
bool grazei_part_start(graze_hitbox_finder *finder, const graze_posed_hitboxes *a,
                       const graze_posed_hitboxes *b);

/* The meeting of two parts, new if need be; NULL, and failed, when out of memory. */
grazei_part_meeting *grazei_part_meeting_of(graze_hitbox_finder *finder, uint32_t a, uint32_t b);

/* A volume of one side to be measured in the other. */
typedef struct grazei_part_probe {
    const graze_capsule *volume;
    int side;
    uint32_t part;
    bool coarse; /* an outer one: larger than what it holds, so that it makes no meetings */
} grazei_part_probe;

/* Measures it in the field of the other side, in spheres, and notes the contacts. */
void grazei_part_measure(graze_hitbox_finder *finder, const grazei_part_probe *probe,
                         const grazei_field *field);

/* Writes the contacts and hands them over, unless something failed. */
graze_status grazei_part_finish(graze_hitbox_finder *finder, graze_contact_list *list,
                                graze_error *error);

graze_status grazei_part_check(const graze_posed_hitboxes *side, const char *name,
                               graze_error *error);

/* Makes room for `need` items in a growing array of the finder; false when out of memory. */
bool grazei_part_room(graze_hitbox_finder *finder, void **items, size_t *capacity, size_t need,
                      size_t size);
#define GRAZEI_PART_ROOM(finder, array, capacity, need)                                            \
    grazei_part_room(finder, (void **)&(finder)->array, &(finder)->capacity, need,                 \
                     sizeof *(finder)->array)

#endif
