/* bench world: many bodies in one world. */
#ifndef GRAZE_BENCH_WORLD_H
#define GRAZE_BENCH_WORLD_H

#include "bench/csv.h"
#include "bench/queries.h"

/* What goes with every table. */
typedef struct world_output {
    const bench_options *options;
    bench_csv csv;
    bool wanted; /* some table was */
} world_output;

/* Whether --only lets this table in. */
bool world_is_wanted(world_output *output, const char *name);

/* Writes one measured figure, as JSON and to the file, where that is wanted. */
void world_write(world_output *output, const char *table, double size, const char *method,
                 const char *unit, double least, double median, double count);

/* The tables. Each returns false after printing an error. */
bool world_bodies(world_output *output);
bool world_bounds(world_output *output);
bool world_peers(world_output *output);
bool world_chairs(world_output *output);

/* ---- a crowd of lean dwarves in a square ---------------------------------------------------- */

typedef struct world_crowd {
    queries_subject subject;
    graze_cache_pool *caches;
    uint32_t count, columns;
    graze_body **bodies;
    float *joints; /* of some times of the clip */
    float (*placements)[12];
    uint32_t frame;
    graze_world *world;
    graze_pool *pool; /* NULL: one thread */
    size_t events, pairs;
} world_crowd;

/* The first `count` of a crowd, lean or not, in a world in which all meet by this rule. False after
 * printing an error; there is nothing to close then.
 */
bool world_crowd_open(world_crowd *people, uint32_t count, bool lean, graze_level level);
void world_crowd_close(world_crowd *people);

/* Everybody is posed a step further; then, too, who meets whom. user is a world_crowd. */
void world_crowd_pose(void *user);
void world_crowd_run(void *user);

#endif
