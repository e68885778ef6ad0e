/* Cost against size, of graze and of the tuned eager boxes. */
#include "bench/scale.h"

#include <stdio.h>
#include <string.h>

const char *const scale_ways[SCALE_WAYS] = {"graze", "eager boxes"};

void scale_write(scale_output *output, const char *sweep, double size, const char *what,
                 const char *method, const char *unit, double least, double median, double pairs)
{
    if (output->options->json)
        printf("{\"table\":\"scale\",\"against\":\"%s\",\"size\":%g,\"case\":\"%s\","
               "\"method\":\"%s\",\"unit\":\"%s\",\"least\":%.4f,\"median\":%.4f,\"pairs\":%.2f}\n",
               sweep, size, what, method, unit, least, median, pairs);
    bench_csv_text(&output->csv, sweep);
    bench_csv_number(&output->csv, size);
    bench_csv_text(&output->csv, what);
    bench_csv_text(&output->csv, method);
    bench_csv_text(&output->csv, unit);
    bench_csv_number(&output->csv, least);
    bench_csv_number(&output->csv, median);
    bench_csv_number(&output->csv, pairs);
    bench_csv_end_line(&output->csv);
}

bool scale_is_wanted(scale_output *output, const char *name)
{
    bool wanted = !output->options->only || strstr(name, output->options->only);
    output->wanted |= wanted;
    return wanted;
}

static void print_times(const scale_sweep *sweep)
{
    printf("\n%s: microseconds from joint matrices to answer, graze and eager boxes (our "
           "triangles), least\n  %10s",
           sweep->name, "");
    for (int c = 0; c < SCALE_CASES; c++)
        printf(" | %-26s", scale_cases[c].name);
    printf("\n  %10s", sweep->name);
    for (int c = 0; c < SCALE_CASES; c++)
        printf(" | %8s %9s %7s", "graze", "boxes", "pairs");
    putchar('\n');
    for (uint32_t i = 0; i < sweep->count; i++) {
        const scale_point *point = &sweep->points[i];
        printf("  %10.0f", point->size);
        for (int c = 0; c < SCALE_CASES; c++)
            printf(" | %8.2f %9.2f %7.1f", point->least[c][SCALE_GRAZE],
                   point->least[c][SCALE_BOXES], point->pairs[c]);
        putchar('\n');
    }
}

static void print_memory(const scale_sweep *sweep)
{
    printf("  %10s %12s %12s %12s %12s   targets: building at most 2 us, tree at most 80 bytes\n",
           sweep->name, "build us/tri", "tree B/tri", "body B/tri", "boxes B/tri");
    for (uint32_t i = 0; i < sweep->count; i++) {
        const scale_point *point = &sweep->points[i];
        bool met = point->build <= 2 && point->tree <= 80;
        printf("  %10.0f %12.2f %12.1f %12.1f %12.1f   %s\n", point->size, point->build,
               point->tree, point->body, point->boxes, met ? "met" : "missed");
    }
}

static void write_sweep(scale_output *output, const scale_sweep *sweep)
{
    for (uint32_t i = 0; i < sweep->count; i++) {
        const scale_point *p = &sweep->points[i];
        for (int c = 0; c < SCALE_CASES; c++)
            for (int w = 0; w < SCALE_WAYS; w++)
                if (p->least[c][w] > 0)
                    scale_write(output, sweep->name, p->size, scale_cases[c].name, scale_ways[w],
                                "us", p->least[c][w], p->median[c][w], p->pairs[c]);
        scale_write(output, sweep->name, p->size, "build", "graze", "us/triangle", p->build,
                    p->build, 0);
        scale_write(output, sweep->name, p->size, "tree", "graze", "bytes/triangle", p->tree,
                    p->tree, 0);
        scale_write(output, sweep->name, p->size, "body", "graze", "bytes/triangle", p->body,
                    p->body, 0);
        scale_write(output, sweep->name, p->size, "tree and body", "eager boxes", "bytes/triangle",
                    p->boxes, p->boxes, 0);
    }
}

static bool draw_sweep(const scale_output *output, const scale_sweep *sweep)
{
    plot_chart chart = {.title = sweep->title,
                        .x_name = sweep->name,
                        .y_name = "microseconds from joint matrices to answer"};
    char name[80];
    for (uint32_t c = 0; c < SCALE_CASES; c++)
        for (int w = 0; w < SCALE_WAYS; w++) {
            snprintf(name, sizeof name, "%s: %s", scale_cases[c].name, scale_ways[w]);
            plot_line *line = plot_add_line(&chart, name, c, w == SCALE_BOXES);
            for (uint32_t i = 0; i < sweep->count; i++)
                plot_add_point(line, sweep->points[i].size, sweep->points[i].least[c][w]);
        }
    snprintf(name, sizeof name, "scale-%s", sweep->name);
    return plot_lines(output->options->plot, name, &chart);
}

bool scale_show(scale_output *output, const scale_sweep *sweep)
{
    if (!output->options->json) {
        print_times(sweep);
        print_memory(sweep);
    }
    write_sweep(output, sweep);
    fflush(stdout);
    return !output->options->plot || draw_sweep(output, sweep);
}

int bench_scale(const bench_options *options)
{
    static bool (*const tables[])(scale_output *) = {
        scale_triangles, scale_joints, scale_influences, scale_bodies, scale_threads, scale_frozen};
    scale_output output = {.options = options};
    bool ok = bench_csv_open(&output.csv, options->csv,
                             "against,size,case,method,unit,least,median,pairs");
    bench_print_machine(options->json);
    for (size_t t = 0; t < sizeof tables / sizeof *tables && ok; t++)
        ok = tables[t](&output);
    if (ok && !output.wanted) {
        fprintf(stderr, "graze: no table has %s in its name\n", options->only);
        ok = false;
    }
    return bench_csv_close(&output.csv) && ok ? 0 : 2;
}
