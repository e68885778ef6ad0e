/* The table of bench cliffs: each row measured at its size and at half of it, and the ordinary
 * case.
 */
#include "bench/cliffs.h"

static const double most_times = 20; /* the ordinary case, unless the output is larger as well */

static const cliff_group *const groups[] = {&cliffs_build, &cliffs_pairs,    &cliffs_flat,
                                            &cliffs_parts, &cliffs_distance, &cliffs_sweep};

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
static cliff_result measure(const cliff *row)
{
    cliff_result result = {.ratio = NAN};
    result.ordinary = cliff_measure(row, row->size, CLIFF_ORDINARY);
    cliff_outcome half = cliff_measure(row, row->size / 2, CLIFF_HARD);
    result.hard = cliff_measure(row, row->size, CLIFF_HARD);
    result.growth = exponent(&half, &result.hard);
    if (result.hard.end == CLIFF_LATE && half.end == CLIFF_ENDED) {
        cliff_outcome quarter = cliff_measure(row, row->size / 4, CLIFF_HARD);
        result.growth = exponent(&quarter, &half);
    }
    if (result.ordinary.end == CLIFF_ENDED && result.hard.end != CLIFF_REFUSED)
        result.ratio = result.hard.seconds / result.ordinary.seconds;
    return result;
}

/* A long answer takes its time. */
static const char *verdict(const cliff_result *result)
{
    double outputs = result->hard.answers / fmax(1, result->ordinary.answers);
    if (result->hard.end == CLIFF_LATE)
        return "late";
    if (!(result->ratio > most_times))
        return isnan(result->ratio) ? "" : "met";
    return result->ratio <= most_times * outputs ? "output" : "missed";
}

/* What took at least so much is late. */
static void write_number(char text[32], double value, bool late)
{
    if (isnan(value))
        snprintf(text, 32, "-");
    else
        snprintf(text, 32, "%s%.3g", late ? "> " : "", value);
}

/* False if a side could not be made or asked. */
static bool run_row(const cliff *row)
{
    const cliff_result result = measure(row);
    const cliff_outcome *hard = &result.hard, *ordinary = &result.ordinary;
    bool late = hard->end == CLIFF_LATE, refused = hard->end == CLIFF_REFUSED;
    double taken = refused ? NAN : hard->seconds;
    char seconds[32], ratio[32];
    write_number(seconds, taken, late);
    write_number(ratio, result.ratio, late);
    bench_row("cliffs",
              "row:%s:%-44s ordinary:%s size:%.0f:%9.0f unit:%s:%-10s seconds:%.6g :%9s late:%b "
              "ordinary_seconds:%.6g:%9.3g ratio:%.6g :%9s growth:%.6g:%7.2f bytes:%.0f :%8.0f "
              "answers:%.0f:%9.0f ordinary_answers:%.0f:%9.0f verdict:%s :_%s",
              ROW_TEXTS(row->name, row->ordinary, row->unit, seconds, ratio, verdict(&result),
                        refused ? "refused" : verdict(&result)),
              ROW_NUMBERS(row->size, taken, late,
                          ordinary->end == CLIFF_ENDED ? ordinary->seconds : NAN, result.ratio,
                          result.growth, hard->bytes, hard->bytes * 1e-6, hard->answers,
                          ordinary->answers));
    bench_say("    against %s%s%s\n", row->ordinary, row->note ? "; " : "",
              row->note ? row->note : "");
    return !refused && ordinary->end != CLIFF_REFUSED;
}

void bench_cliffs(void)
{
    bool ok = true;
    bench_csv_open("row,ordinary_case,size,unit,seconds,late,ordinary_seconds,ratio,growth,bytes,"
                   "answers,ordinary_answers");
    bench_print_machine();
    bench_say(
        "\nInputs that are hard, beside ordinary ones of the same size. Seconds of the processor: "
        "the least of up "
        "to %u runs, one where it is slow;\n> : ended after %g s. growth: exponent of the size, "
        "from half of it (from a quarter to a half where the whole is late).\nMB: the most that "
        "the process held. out: answers of both sides. Asked: at most %g times the ordinary case, "
        "unless the\noutput is that much larger.\n\n  %-44s %9s %-10s %9s %9s %9s %7s %8s %9s "
        "%9s\n",
        asked.rounds, asked.limit, most_times, "", "size", "", "seconds", "ordinary", "ratio",
        "growth", "MB", "out", "ordinary");
    for (size_t g = 0; g < COUNT_OF(groups); g++)
        for (uint32_t i = 0; i < groups[g]->count; i++)
            if (bench_wants(groups[g]->rows[i].name))
                ok = run_row(&groups[g]->rows[i]) && ok;
    bench_end_only("row");
    bench_csv_close();
    bench_expect(ok);
}
