/* Tables of bench peers. */
#include "bench/compare.h"

#include <stdio.h>
#include <string.h>

/* What is asked of the ratio to graze at 50,000 triangles, and at 5,000: touching, all pairs; deep,
 * first pair; deep, all pairs; one ray.
 */
static const struct {
    pair_way way;
    const char *library; /* its name starts so */
    uint32_t triangles;  /* at least */
    double touching, first, all, ray;
} targets[] = {{PAIR_EAGER_BOXES_SCALAR, NULL, 40000, 35, 40, 4, 25},
               {PAIR_EAGER_BOXES, NULL, 40000, 30, 30, 1.6, 20},
               {PAIR_LIBRARY, "Embree", 40000, 100, 150, 6, 100},
               {PAIR_SKIN, NULL, 40000, 8, 0, 0, 0},
               {PAIR_EAGER_BOXES_SCALAR, NULL, 5000, 6, 10, 3, 8}};

static double find_target(const pair_case *what, const compare_row *row, uint32_t triangles)
{
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        if (row->way != targets[i].way || triangles < targets[i].triangles)
            continue;
        if (targets[i].library && strncmp(row->method, targets[i].library, 6) != 0)
            continue;
        if (what->question == PAIR_RAY)
            return targets[i].ray;
        if ((what->place == PAIR_TOUCHING || what->place == PAIR_BEFORE) &&
            what->question == PAIR_ALL)
            return targets[i].touching;
        if (what->place == PAIR_DEEP)
            return what->question == PAIR_ALL ? targets[i].all : targets[i].first;
    }
    return 0;
}

/* The answers, and what graze did for one. */
static void describe(const pair_record *record, double answers, compare_case *entry)
{
    char found[80];
    if (record->what->question == PAIR_RAY)
        snprintf(found, sizeof found, "%u rays each, %zu hit", PAIR_RAYS, record->who[0]->pairs);
    else if (record->what->question == PAIR_FIRST)
        snprintf(found, sizeof found, "%zu of them meet", record->who[0]->pairs);
    else
        snprintf(found, sizeof found, "%zu to %zu pairs, boxes overlap in %u", record->min_pairs,
                 record->max_pairs, record->overlapping);
    int length = snprintf(entry->note, sizeof entry->note,
                          "%u frames, %s; graze bounds %.0f nodes, poses %.1f patches",
                          record->frames, found, (double)record->stats.nodes_refit / answers,
                          (double)record->stats.patches_posed / answers);
    if (record->how)
        snprintf(entry->note + length, sizeof entry->note - (size_t)length, "; in %u frames %s",
                 record->unusual, record->how);
}

void compare_take(const pair_record *record, uint32_t triangles, compare_case *entry)
{
    const queries_case *measured = &record->entry;
    *entry = (compare_case){.what = record->what,
                            .frames = record->frames,
                            .placed = record->how,
                            .row_count = measured->method_count};
    double answers = record->frames * (record->what->question == PAIR_RAY ? PAIR_RAYS : 1.0);
    describe(record, answers, entry);
    for (uint32_t m = 0; m < entry->row_count; m++) {
        const pair_method *method = record->who[m];
        compare_row *row = &entry->rows[m];
        *row = (compare_row){.way = method->way,
                             .least = bench_middle(&measured->least[m]) * 1e-3,
                             .median = bench_middle(&measured->middle[m]) * 1e-3,
                             .ratio = queries_get_ratio(measured, m, 0, NULL, NULL),
                             .pairs = (double)method->pairs / answers,
                             .missing = method->missing,
                             .extra = method->extra};
        memcpy(row->method, method->name, sizeof row->method);
        row->target = find_target(record->what, row, triangles);
    }
}

static void print_json(const compare_model *model, const compare_case *entry)
{
    for (uint32_t m = 0; m < entry->row_count; m++) {
        const compare_row *row = &entry->rows[m];
        printf("{\"table\":\"peers\",\"model\":\"%s\",\"triangles\":%u,\"case\":\"%s\","
               "\"method\":\"%s\",\"ms\":%.6f,\"ms_median\":%.6f,\"ratio\":%.3f,\"pairs\":%.2f,"
               "\"missing\":%zu,\"extra\":%zu",
               model->name, model->triangles, entry->what->name, row->method, row->least,
               row->median, row->ratio, row->pairs, row->missing, row->extra);
        if (entry->placed)
            printf(",\"placed\":\"%s\"", entry->placed);
        if (row->target > 0)
            printf(",\"target\":%g,\"met\":%s", row->target,
                   row->ratio >= row->target ? "true" : "false");
        printf("}\n");
    }
}

static void describe_answers(const compare_row *row, char *text, size_t size)
{
    if (row->way == PAIR_GRAZE || row->way == PAIR_SKIN)
        snprintf(text, size, "%s", "");
    else if (row->missing || row->extra)
        snprintf(text, size, "%zu missing, %zu extra", row->missing, row->extra);
    else
        snprintf(text, size, "equal");
}

static const char *verdict(const compare_row *row)
{
    return row->ratio >= row->target ? "met" : "missed";
}

void compare_print(const compare_model *model, const compare_case *entry, bool json)
{
    if (json) {
        print_json(model, entry);
        return;
    }
    printf("\n%s, %s: %s\n  %-36s %10s %10s %9s %9s  %s\n", model->name, entry->what->name,
           entry->note, "", "ms", "median", "ratio", "pairs", "against graze's; target");
    for (uint32_t m = 0; m < entry->row_count; m++) {
        const compare_row *row = &entry->rows[m];
        char answers[64];
        describe_answers(row, answers, sizeof answers);
        printf("  %-36s %10.4f %10.4f %9.2f", row->method, row->least, row->median, row->ratio);
        if (row->way == PAIR_SKIN)
            printf(" %9s", "");
        else
            printf(" %9.1f", row->pairs);
        printf("  %s", answers);
        if (row->target > 0)
            printf("%s%g: %s", *answers ? "; " : "", row->target, verdict(row));
        putchar('\n');
    }
}

void compare_note_goals(const compare_model *model, const compare_case *entry, bench_goals *goals)
{
    for (uint32_t m = 0; m < entry->row_count; m++)
        bench_goals_take_ratio(goals, "peers", model->name, entry->what->name,
                               entry->rows[m].method, entry->rows[m].ratio);
}

void compare_print_targets(const compare_model *models, uint32_t count)
{
    bool headed = false;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t c = 0; c < models[i].case_count; c++)
            for (uint32_t m = 0; m < models[i].cases[c].row_count; m++) {
                const compare_row *row = &models[i].cases[c].rows[m];
                if (row->target > 0 && !headed)
                    printf("\ntargets: how many times as long each takes as graze\n  %-16s %-28s "
                           "%-36s %9s %9s\n",
                           "", "", "", "ratio", "at least");
                if (row->target > 0)
                    printf("  %-16s %-28s %-36s %9.2f %9g  %s\n", models[i].name,
                           models[i].cases[c].what->name, row->method, row->ratio, row->target,
                           verdict(row));
                headed |= row->target > 0;
            }
}

void compare_write_csv(bench_csv *csv, const compare_model *model)
{
    for (uint32_t c = 0; c < model->case_count; c++)
        for (uint32_t m = 0; m < model->cases[c].row_count; m++) {
            const compare_row *row = &model->cases[c].rows[m];
            bench_csv_text(csv, model->name);
            bench_csv_number(csv, model->triangles);
            bench_csv_text(csv, model->cases[c].what->name);
            bench_csv_text(csv, row->method);
            bench_csv_number(csv, row->least);
            bench_csv_number(csv, row->median);
            bench_csv_number(csv, row->ratio);
            bench_csv_number(csv, row->pairs);
            bench_csv_number(csv, (double)row->missing);
            bench_csv_number(csv, (double)row->extra);
            bench_csv_end_line(csv);
        }
}
