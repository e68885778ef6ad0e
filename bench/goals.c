#include "bench/goals.h"

#define BASELINE "eager boxes, our triangles"
#define OWN_EAGER "graze, eager"

static const struct {
    const char *row;
    const char *table, *model, *name, *method;
    /* A ratio to reach at least, or microseconds to take at most; 0: nothing was asked. */
    double before, reach;
    bool is_time;
} rows[] = {{"deep, all pairs, creature of 50,000: eager / ours", "peers", "creature:50000",
             "deep, all pairs", BASELINE, 1.06, 2, false},
            {"deep, all pairs, robot of 60,000: eager / ours", "peers", "robot:60000",
             "deep, all pairs", BASELINE, 0.75, 1.7, false},
            {"deep, all pairs, creature of 5,000: eager / ours", "peers", "creature:5000",
             "deep, all pairs", BASELINE, 1.1, 1.5, false},
            {"touching aside, creature of 50,000: eager / ours", "peers", "creature:50000",
             "touching, all pairs", BASELINE, 5.6, 7, false},
            {"touching aside, robot of 60,000: eager / ours", "peers", "robot:60000",
             "touching, all pairs", BASELINE, 6.3, 16, false},
            {"skinning both / touching aside, creature of 50,000", "peers", "creature:50000",
             "touching, all pairs", "skinning alone", 1.7, 2.2, false},
            {"skinning both / touching before, creature of 50,000", "peers", "creature:50000",
             "touching before, all pairs", "skinning alone", 7.4, 9, false},
            {"deep, first, creature of 50,000: eager / ours", "peers", "creature:50000",
             "deep, first", BASELINE, 26, 35, false},
            {"self, walking creature of 50,000: eager, our neighbours / ours", "self",
             "creature:50000", "walk", "eager, neighbours by table", 2.0, 4, false},
            {"self, walking robot of 60,000, all: bottom-up / ours", "self", "robot:60000", "walk",
             "eager, neighbours by table", 1.5, 6, false},
            {"self, walking creature of 50,000: eager boxes / ours", "self", "creature:50000",
             "walk", "eager boxes, neighbours by position", 3.6, 0, false},
            {"self, walking robot of 60,000, all: eager boxes / ours", "self", "robot:60000",
             "walk", "eager boxes, neighbours by position", 0.77, 0, false},
            {"distance, near, creature of 50,000, us", "distance", "creature:50000", "near",
             "graze_distance", 53, 26.5, true},
            {"distance, boxes apart, us", "distance", "creature:50000", "boxes just apart",
             "graze_distance", 83, 41.5, true},
            {"distance, a size apart, us", "distance", "creature:50000", "a size apart",
             "graze_distance", 24, 12, true}};

/* What was measured; 0: nothing. */
static double now[COUNT_OF(rows)];
static double own_eager[COUNT_OF(rows)]; /* the ratio of graze's own eager query in the same case */

void goals_take(bool is_time, const char *table, const char *model, const char *name,
                const char *method, double value)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (rows[i].is_time != is_time || strcmp(rows[i].table, table) != 0 ||
            strcmp(rows[i].model, model) != 0 || strcmp(rows[i].name, name) != 0)
            continue;
        if (strcmp(rows[i].method, method) == 0)
            now[i] = value;
        if (strcmp(method, OWN_EAGER) == 0)
            own_eager[i] = value;
    }
}

static void print_row(size_t i)
{
    bool is_asked = rows[i].reach > 0, has_own = own_eager[i] > 0;
    bool met = rows[i].is_time ? now[i] <= rows[i].reach : now[i] >= rows[i].reach;
    char fields[160] = "row:%s:%-64s before:%g:%8g :%9s now:%.3f:%9.2f :_%-7s :%9s";
    char reach[24] = "", own[24] = "";
    double numbers[5] = {rows[i].before, now[i]};
    int count = 2;
    if (is_asked) {
        snprintf(reach, sizeof reach, "%s%g", rows[i].is_time ? "<= " : ">= ", rows[i].reach);
        bench_append(fields, sizeof fields, " reach:%%g met:%%b");
        numbers[count++] = rows[i].reach;
        numbers[count++] = met;
    }
    if (has_own) {
        snprintf(own, sizeof own, "%.2f", own_eager[i]);
        bench_append(fields, sizeof fields, " own_eager:%%.3f");
        numbers[count] = own_eager[i];
    }
    bench_row("goals", fields,
              ROW_TEXTS(rows[i].row, reach,
                        !is_asked ? ""
                        : met     ? "met"
                                  : "missed",
                        own),
              numbers);
}

void goals_print(void)
{
    bool headed = false;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (!(now[i] > 0))
            continue;
        if (!headed)
            bench_say(
                "\nwhat is to be shown: eager is the eager baseline with graze's triangle test of "
                "before; own: graze's own eager query / ours\n  %-64s %8s %9s %9s  %-7s %9s\n",
                "", "before", "reach", "now", "", "own");
        headed = true;
        print_row(i);
    }
}
