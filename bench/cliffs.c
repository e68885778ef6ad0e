/* The table of bench cliffs: each row measured at its size and at half of it, and the ordinary
 * case.
 */
#include "bench/cliffs.h"

#include "bench/bench.h"
#include "bench/cliffs_process.h"
#include "bench/csv.h"
#include "bench/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double most_times = 20; /* the ordinary case, unless the output is larger as well */

static const cliff_group *const groups[] = {&cliffs_build, &cliffs_pairs, &cliffs_distance,
                                            &cliffs_sweep};

/* What came of a row. */
typedef struct cliff_result {
    cliff_outcome hard, ordinary;
    double growth; /* exponent of the size; NaN: not known */
    double ratio;  /* at least, where the hard side was late; NaN: not known */
} cliff_result;

static double exponent(const cliff_outcome *small, const cliff_outcome *large)
{
    if (small->end != CLIFF_ENDED || large->end != CLIFF_ENDED)
        return NAN;
    return log2(large->seconds / small->seconds);
}

/* Where the whole size is late, growth is that from a quarter to a half. */
static cliff_result measure(const cliff *row, const bench_options *options)
{
    cliff_result result = {.ratio = NAN};
    cliff_outcome half;
    cliff_measure(row, row->size, CLIFF_ORDINARY, options, &result.ordinary);
    cliff_measure(row, row->size / 2, CLIFF_HARD, options, &half);
    cliff_measure(row, row->size, CLIFF_HARD, options, &result.hard);
    result.growth = exponent(&half, &result.hard);
    if (result.hard.end == CLIFF_LATE && half.end == CLIFF_ENDED) {
        cliff_outcome quarter;
        cliff_measure(row, row->size / 4, CLIFF_HARD, options, &quarter);
        result.growth = exponent(&quarter, &half);
    }
    if (result.ordinary.end == CLIFF_ENDED && result.hard.end != CLIFF_REFUSED)
        result.ratio = result.hard.seconds / result.ordinary.seconds;
    return result;
}

/* A long answer takes its time. */
static const char *verdict(const cliff_result *result)
{
    double outputs = (double)result->hard.answers / fmax(1, (double)result->ordinary.answers);
    if (result->hard.end == CLIFF_LATE)
        return "late";
    if (!(result->ratio > most_times))
        return isnan(result->ratio) ? "" : "met";
    return result->ratio <= most_times * outputs ? "output" : "missed";
}

static void write_number(char *text, size_t size, const char *format, double value)
{
    if (isnan(value))
        snprintf(text, size, "-");
    else
        snprintf(text, size, format, value);
}

static void print_text(const cliff *row, const cliff_result *result)
{
    char seconds[32], ordinary[32], growth[32], ratio[32];
    const char *more = result->hard.end == CLIFF_LATE ? "> " : "";
    char format[16];
    snprintf(format, sizeof format, "%s%%.%dg", more, 3);
    write_number(seconds, sizeof seconds, format,
                 result->hard.end == CLIFF_REFUSED ? NAN : result->hard.seconds);
    write_number(ratio, sizeof ratio, format, result->ratio);
    write_number(ordinary, sizeof ordinary, "%.3g",
                 result->ordinary.end == CLIFF_ENDED ? result->ordinary.seconds : NAN);
    write_number(growth, sizeof growth, "%.2f", result->growth);
    printf("  %-44s %9u %-10s %9s %9s %9s %7s %8.0f %9zu %9zu  %s\n", row->name, row->size,
           row->unit, seconds, ordinary, ratio, growth, result->hard.bytes * 1e-6,
           result->hard.answers, result->ordinary.answers,
           result->hard.end == CLIFF_REFUSED ? "refused" : verdict(result));
    printf("    against %s%s%s\n", row->ordinary, row->note ? "; " : "",
           row->note ? row->note : "");
}

static void print_field(const char *name, double value)
{
    if (isnan(value))
        printf(",\"%s\":null", name);
    else
        printf(",\"%s\":%.6g", name, value);
}

static void print_json(const cliff *row, const cliff_result *result)
{
    printf("{\"table\":\"cliffs\",\"row\":\"%s\",\"ordinary\":\"%s\",\"size\":%u,\"unit\":\"%s\"",
           row->name, row->ordinary, row->size, row->unit);
    print_field("seconds", result->hard.end == CLIFF_REFUSED ? NAN : result->hard.seconds);
    print_field("ordinary_seconds",
                result->ordinary.end == CLIFF_ENDED ? result->ordinary.seconds : NAN);
    print_field("ratio", result->ratio);
    print_field("growth", result->growth);
    printf(",\"bytes\":%.0f,\"answers\":%zu,\"ordinary_answers\":%zu,\"late\":%s,\"verdict\":\"%s\""
           "}\n",
           result->hard.bytes, result->hard.answers, result->ordinary.answers,
           result->hard.end == CLIFF_LATE ? "true" : "false", verdict(result));
}

static void write_csv(bench_csv *csv, const cliff *row, const cliff_result *result)
{
    bench_csv_text(csv, row->name);
    bench_csv_text(csv, row->ordinary);
    bench_csv_number(csv, row->size);
    bench_csv_text(csv, row->unit);
    bench_csv_number(csv, result->hard.seconds);
    bench_csv_number(csv, result->hard.end == CLIFF_LATE);
    bench_csv_number(csv, result->ordinary.seconds);
    bench_csv_number(csv, result->ratio);
    bench_csv_number(csv, result->growth);
    bench_csv_number(csv, result->hard.bytes);
    bench_csv_number(csv, (double)result->hard.answers);
    bench_csv_number(csv, (double)result->ordinary.answers);
    bench_csv_end_line(csv);
}

static void print_head(const bench_options *options)
{
    bench_print_machine(options->json);
    if (options->json)
        return;
    printf(
        "\nInputs that are hard, beside ordinary ones of the same size. Seconds of the processor: "
        "the least of up "
        "to %u runs, one where it is slow;\n> : ended after %g s. growth: exponent of the size, "
        "from half of it (from a quarter to a half where the whole is late).\nMB: the most that "
        "the process held. out: answers of both sides. Asked: at most %g times the ordinary case, "
        "unless the\noutput is that much larger.\n\n  %-44s %9s %-10s %9s %9s %9s %7s %8s %9s "
        "%9s\n",
        options->rounds, options->limit, most_times, "", "size", "", "seconds", "ordinary", "ratio",
        "growth", "MB", "out", "ordinary");
}

/* False if a side could not be made or asked. */
static bool run_row(const cliff *row, const bench_options *options, bench_csv *csv)
{
    cliff_result result = measure(row, options);
    if (options->json)
        print_json(row, &result);
    else
        print_text(row, &result);
    fflush(stdout);
    write_csv(csv, row, &result);
    return result.hard.end != CLIFF_REFUSED && result.ordinary.end != CLIFF_REFUSED;
}

int bench_cliffs(const bench_options *options)
{
    bench_csv csv;
    uint32_t count = 0;
    bool ok = true;
    if (!bench_csv_open(&csv, options->csv,
                        "row,ordinary_case,size,unit,seconds,late,ordinary_seconds,ratio,growth,"
                        "bytes,answers,ordinary_answers"))
        return 2;
    print_head(options);
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (uint32_t i = 0; i < groups[g]->count; i++) {
            const cliff *row = &groups[g]->rows[i];
            if (options->only && !strstr(row->name, options->only))
                continue;
            ok = run_row(row, options, &csv) && ok;
            count++;
        }
    if (count == 0) {
        fprintf(stderr, "graze: no row has %s in its name\n", options->only ? options->only : "");
        ok = false;
    }
    return bench_csv_close(&csv) && ok ? 0 : 2;
}
