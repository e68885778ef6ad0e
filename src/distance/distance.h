/* Nearest pairs, pairs within a tolerance, and bounds of the distance of two bodies. */
#ifndef GRAZEI_DISTANCE_DISTANCE_H
#define GRAZEI_DISTANCE_DISTANCE_H

#include "query/agenda.h"
#include "query/outbox.h"

#include <graze/pairs.h>

typedef enum grazei_distance_kind {
    GRAZEI_NEAREST, /* the nearest pair */
    GRAZEI_CLOSER,  /* any pair within the limit */
    GRAZEI_WITHIN,  /* all pairs within the limit */
    GRAZEI_BOUND    /* the least distance of bounds that are not opened */
} grazei_distance_kind;

typedef struct grazei_distance_question {
    grazei_question base;
    grazei_distance_kind kind;
    double square; /* the largest square of a distance that counts: of the nearest pair so far */
    double slack;  /* more than a computed distance can be short of the true one */
    float limit; /* what is farther apart than this cannot count: enlarged by the slack; of bounds,
                    the least distance so far */
    bool found;  /* the pair below is an answer */
    graze_pair pair;
    float corners[2][3][3]; /* of the nearest pair */
    float points[2][3];     /* where it is nearest, once asked for */
    bool has_points;
    bool has_vertices;    /* of two patches some were compared, which limits the distance well */
    bool crowded;         /* many triangles of two patches are near, as a rule ... */
    uint32_t again;       /* ... after so many times */
    uint32_t faced;       /* the side whose faces parted two patches last */
    float threshold;      /* what is farther apart than this is put off ... */
    uint32_t put_off;     /* ... among so many of the first items of the agenda ... */
    uint32_t rounds;      /* so many times it has risen; 0: nothing is put off yet */
    uint32_t room;        /* ... as long as no more than this are on it */
    grazei_outbox outbox; /* of all pairs */
} grazei_distance_question;

/* Puts the question. limit: finite, or INFINITY for the nearest pair without one; report and user
 * are for all pairs.
 */
void grazei_distance_begin(grazei_distance_question *question, grazei_agenda *agenda, graze_body *a,
                           graze_body *b, grazei_distance_kind kind, double limit,
                           grazei_pair_fn report, void *user, graze_stats *stats);

/* The same, and answers it by all triangles against all. */
void grazei_distance_brute(grazei_distance_question *question, grazei_agenda *agenda, graze_body *a,
                           graze_body *b, grazei_distance_kind kind, double limit,
                           grazei_pair_fn report, void *user, graze_stats *stats);

/* Finds the points of the nearest pair, unless they are there. */
void grazei_distance_find_points(grazei_distance_question *question);

/* The answer as far as it is known: the nearest pair of all once the agenda is empty. */
void grazei_distance_answer(grazei_distance_question *question, graze_nearest *nearest);

/* The largest double whose root is at most the distance. */
double grazei_square_of(double distance);

/* Lowers the limit to a distance, plus the slack, that something is known to be within. */
void grazei_distance_lower(grazei_distance_question *question, double distance);

/* Takes a pair into account. Corners are rows of `stride` floats, copied if it is the nearest. */
void grazei_distance_take(grazei_distance_question *question, double square, graze_pair pair,
                          const float *corners_a, const float *corners_b, int stride);

/* Errors for bad bodies, for a limit that is negative, NaN or, unless allowed, infinite. */
graze_status grazei_distance_check(const graze_body *a, const graze_body *b, double limit,
                                   bool allow_infinite, graze_error *error);

typedef struct grazei_distance_kernels {
    void (*run)(grazei_question *question, grazei_agenda *agenda, graze_stats *stats);
} grazei_distance_kernels;

GRAZEI_DECLARE(grazei_distance_kernels, distance_kernels);

#endif
