/* What the measured tables share: what was asked for, the clock, the writer, what they are made of
 * and what they ask. Where anything is refused or wrong the program ends, after one line on
 * standard error.
 */
#ifndef GRAZE_BENCH_BENCH_H
#define GRAZE_BENCH_BENCH_H

#include "cli/bench.h"
#include "cli/options.h"
#include "scenes/synth.h"

#include <graze/ext/inspect.h>
#include <graze/graze.h>
#include <graze/rig.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tables: each prints the paper's figures beside ours. */
void bench_lbs(void);    /* Kavan & Zara 2005 */
void bench_sbs(void);    /* Kavan, O'Sullivan & Zara 2006 */
void bench_bdtree(void); /* James & Pai 2004 */
void bench_queries(void);
void bench_compare(void);   /* pairs and rays, against other programs */
void bench_scale(void);     /* cost against size */
void bench_world(void);     /* many bodies in one world */
void bench_positions(void); /* positions computed elsewhere, against others */
void bench_cliffs(void);    /* hard inputs beside ordinary ones */
void bench_modes(void);     /* vibration modes of finer and finer plates */
void bench_chain(void);     /* Madera et al. 2017 */
void bench_batch(void);     /* many poses in one call */
void bench_chairs(void);    /* James & Pai 2004: chairs that crash */
void bench_bridge(void);    /* and fish on a bridge */
void bench_audit(void);     /* clips that go through themselves */

/* ---- what was asked for --------------------------------------------------------------------- */

extern bench_options asked;

/* Whether --only, if it is there, is part of a name; afterwards ends the program if it never was,
 * or anyhow: "no TABLE has ... in its name".
 */
bool bench_wants(const char *name);
void bench_end_only(const char *what);
_Noreturn void bench_fail_only(const char *what);

/* A bench that is several tables, of which --only may choose some. */
typedef struct bench_part {
    const char *name;
    void (*run)(void);
    void (*measure)(const char *scene, bool first); /* or this one */
    const char *scene;
    bool first;
} bench_part;

/* Runs those that have --only in their names, or the one that is called just that. */
void bench_run_parts(const bench_part *parts, size_t count);

/* ---- what is refused ------------------------------------------------------------------------ */

/* Ends the program with exit code 2: "graze: ..." */
_Noreturn void bench_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same if a call was refused: bench_must(graze_do(..., &bench_error)). */
void bench_must(graze_status status);
extern graze_error bench_error;

/* The same without a word, if something was not ok and has said so. */
void bench_expect(bool ok);

/* ---- things --------------------------------------------------------------------------------- */

extern const float bench_identity[12];

/* Zeroed memory, to be freed. */
void *bench_take(size_t count, size_t size);

graze_rig *bench_make_rig(graze_synth_kind kind, uint32_t triangles);
graze_model *bench_make_model(const graze_model_def *def);
graze_body *bench_make_body(const graze_model *model);

/* Takes joint matrices over: what is measured starts here. placement may be NULL. */
void bench_pose(graze_body *body, const float *joints, uint32_t joint_count,
                const float *placement);

/* How many nodes the tree of a body has, and one of them. */
uint32_t bench_nodes(const graze_body *body);
graze_node_view bench_view(graze_body *body, uint32_t node, graze_node_bound which);

/* The box around positions, 3 floats each. */
typedef struct bench_bounds {
    float low[3], high[3];
} bench_bounds;

bench_bounds bench_box(const float *positions, size_t count);

/* Numbers in [0, 1), the same on every machine. */
float bench_random(uint32_t *state);

/* ---- questions ------------------------------------------------------------------------------ */

/* How many there are, however they are asked for; options may be NULL. */
size_t bench_pairs(graze_body *a, graze_body *b, const graze_options *options);
size_t bench_self_pairs(graze_body *body, const graze_part_filter *filter,
                        const graze_options *options);
size_t bench_bound_pairs(graze_body *a, graze_body *b, graze_stats *stats);

graze_nearest bench_distance(graze_body *a, graze_body *b, const graze_options *options);
graze_hit bench_cast(graze_body *body, const graze_ray *ray, const graze_options *options);

/* ---- measuring: interleaved repetitions in one process, because the machine is shared and noisy
 */

/* Prints commit, compiler, flags, processor, load and date, which every table stands under. Where
 * other programs ran (a load above 1 on a core or two), long methods look longer than they are, and
 * so do their ratios to short ones.
 */
void bench_print_machine(void);

/* The same as one line of text, for files. Flags may be long: give it BENCH_MACHINE_SIZE. */
#define BENCH_MACHINE_SIZE 2048
void bench_describe_machine(char *text, size_t size);

/* Microseconds of a monotonic clock, and of processor time that the process has had, which what
 * else the machine does changes less.
 */
double bench_now(void);
double bench_processor(void);

/* Megabytes that the process has had at most. */
double bench_peak_memory(void);

/* Samples of one way on one frame: the least and the middle one. */
typedef struct bench_samples {
    double values[64];
    uint32_t count;
} bench_samples;

void bench_add(bench_samples *samples, double value);
double bench_least(const bench_samples *samples);
double bench_middle(const bench_samples *samples);

typedef struct bench_time {
    double least, middle; /* microseconds */
} bench_time;

/* Asks one question in several ways. In each round runs each way twice and keeps the time of the
 * second run: a way finds its own data in the caches as it would from the frame before, not what
 * the others left there. A way starts from the pose, so nothing it computed in the first run is of
 * use in the second.
 */
void bench_interleave(void (*ask)(void *user, int way), void *user, uint32_t ways, uint32_t rounds,
                      bench_time *times);

/* ---- writing -------------------------------------------------------------------------------- */

#define ROW_TEXTS(...) ((const char *const[]){__VA_ARGS__})
#define ROW_NUMBERS(...) ((const double[]){__VA_ARGS__})

/* Writes a row of a table: a line of text, or a JSON object, and a line of the CSV file where there
 * is one. Fields, separated by blanks, are KEY:JSON:TEXT, each side a format as printf has them, %s
 * for the next of the texts, else for the next of the numbers; %b is true or false. KEY:JSON is not
 * in text, :TEXT not in JSON, and _ in TEXT is a blank. A number that is NaN is null, or a dash in
 * text. The first fields in JSON are the columns of the file.
 */
void bench_row(const char *table, const char *fields, const char *const *texts,
               const double *numbers);

/* The same in JSON alone. */
void bench_json_row(const char *table, const char *fields, const char *const *texts,
                    const double *numbers);

/* printf, unless it is JSON that is wanted. */
void bench_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* snprintf behind what is there. */
void bench_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Starts the file of --csv, if it was given, with the machine's line and the columns, as one text
 * with commas.
 */
void bench_csv_open(const char *columns);
void bench_csv_close(void);

#endif
