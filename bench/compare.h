/* bench peers: pairs and rays, against the programs that people would use instead. */
#ifndef GRAZE_BENCH_COMPARE_H
#define GRAZE_BENCH_COMPARE_H

#include "bench/csv.h"
#include "bench/goals.h"
#include "bench/pair_bench.h"

/* What is left of one method in one case. */
typedef struct compare_row {
    char method[64];
    pair_way way;
    double least, median;  /* milliseconds */
    double ratio;          /* to graze, both the least */
    double pairs;          /* a frame; of rays those that hit, of 1 */
    size_t missing, extra; /* over all frames */
    double target;         /* that the ratio should reach; 0: none */
} compare_row;

typedef struct compare_case {
    const pair_case *what;
    uint32_t frames;
    char note[240];
    const char *placed; /* how, if not as usual; NULL: as usual */
    compare_row rows[PAIR_METHODS];
    uint32_t row_count;
} compare_case;

#define COMPARE_CASES 8

/* All cases of one model. */
typedef struct compare_model {
    char name[64];
    uint32_t triangles, vertices, joints;
    compare_case cases[COMPARE_CASES];
    uint32_t case_count;
} compare_model;

/* Fills a case from what was measured. */
void compare_take(const pair_record *record, uint32_t triangles, compare_case *entry);

/* A table under the machine's line, or one JSON object a line. */
void compare_print(const compare_model *model, const compare_case *entry, bool json);

/* Notes those of its ratios that were promised. */
void compare_note_goals(const compare_model *model, const compare_case *entry, bench_goals *goals);

/* What was promised, of the models seen. */
void compare_print_targets(const compare_model *models, uint32_t count);

/* One line a method. */
void compare_write_csv(bench_csv *csv, const compare_model *model);

/* One drawing a model, DIR/peers-NAME.svg. */
bool compare_plot(const char *folder, const compare_model *model);

#endif
