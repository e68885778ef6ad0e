#include "bench/goals.h"

#include <stdio.h>
#include <string.h>

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

enum { ROWS = sizeof rows / sizeof *rows };
_Static_assert(ROWS <= BENCH_GOALS, "bench_goals has room for all rows");

static bool is_case(int i, const char *table, const char *model, const char *name)
{
    return strcmp(rows[i].table, table) == 0 && strcmp(rows[i].model, model) == 0 &&
           strcmp(rows[i].name, name) == 0;
}

void bench_goals_take_ratio(bench_goals *goals, const char *table, const char *model,
                            const char *name, const char *method, double ratio)
{
    for (int i = 0; goals && i < ROWS; i++) {
        if (rows[i].is_time || !is_case(i, table, model, name))
            continue;
        if (strcmp(rows[i].method, method) == 0)
            goals->now[i] = ratio;
        if (strcmp(method, OWN_EAGER) == 0)
            goals->own_eager[i] = ratio;
    }
}

void bench_goals_take_time(bench_goals *goals, const char *table, const char *model,
                           const char *name, const char *method, double us)
{
    for (int i = 0; goals && i < ROWS; i++)
        if (rows[i].is_time && is_case(i, table, model, name) &&
            strcmp(rows[i].method, method) == 0)
            goals->now[i] = us;
}

static bool is_met(int i, double now)
{
    return rows[i].is_time ? now <= rows[i].reach : now >= rows[i].reach;
}

static void print_json(int i, const bench_goals *goals)
{
    printf("{\"table\":\"goals\",\"row\":\"%s\",\"before\":%g,\"now\":%.3f", rows[i].row,
           rows[i].before, goals->now[i]);
    if (rows[i].reach > 0)
        printf(",\"reach\":%g,\"met\":%s", rows[i].reach,
               is_met(i, goals->now[i]) ? "true" : "false");
    if (goals->own_eager[i] > 0)
        printf(",\"own_eager\":%.3f", goals->own_eager[i]);
    printf("}\n");
}

static void print_text(int i, const bench_goals *goals)
{
    char reach[24] = "", own[24] = "";
    const char *verdict = rows[i].reach <= 0 ? "" : is_met(i, goals->now[i]) ? "met" : "missed";
    if (rows[i].reach > 0)
        snprintf(reach, sizeof reach, "%s%g", rows[i].is_time ? "<= " : ">= ", rows[i].reach);
    if (goals->own_eager[i] > 0)
        snprintf(own, sizeof own, "%.2f", goals->own_eager[i]);
    printf("  %-64s %8g %9s %9.2f  %-7s %9s\n", rows[i].row, rows[i].before, reach, goals->now[i],
           verdict, own);
}

void bench_goals_print(const bench_goals *goals, bool json)
{
    bool headed = json;
    for (int i = 0; i < ROWS; i++) {
        if (!(goals->now[i] > 0))
            continue;
        if (!headed)
            printf(
                "\nwhat is to be shown: eager is the eager baseline with graze's triangle test of "
                "before; own: graze's own eager query / ours\n  %-64s %8s %9s %9s  %-7s %9s\n",
                "", "before", "reach", "now", "", "own");
        headed = true;
        if (json)
            print_json(i, goals);
        else
            print_text(i, goals);
    }
}
