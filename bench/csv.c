#include "bench/csv.h"

#include "bench/measure.h"

#include <errno.h>
#include <string.h>

static bool fail(const bench_csv *csv)
{
    fprintf(stderr, "graze: %s: %s\n", csv->path, strerror(errno));
    return false;
}

bool bench_csv_open(bench_csv *csv, const char *path, const char *columns)
{
    char machine[BENCH_MACHINE_SIZE];
    *csv = (bench_csv){.path = path};
    if (!path)
        return true;
    csv->file = fopen(path, "w");
    if (!csv->file)
        return fail(csv);
    bench_describe_machine(machine, sizeof machine);
    fprintf(csv->file, "# %s\n%s\n", machine, columns);
    return true;
}

static bool begin_field(bench_csv *csv)
{
    if (csv->file && csv->begun)
        fputc(',', csv->file);
    csv->begun = true;
    return csv->file != NULL;
}

void bench_csv_text(bench_csv *csv, const char *text)
{
    if (begin_field(csv))
        fprintf(csv->file, strchr(text, ',') ? "\"%s\"" : "%s", text);
}

void bench_csv_number(bench_csv *csv, double number)
{
    if (begin_field(csv))
        fprintf(csv->file, "%.6g", number);
}

void bench_csv_end_line(bench_csv *csv)
{
    if (csv->file)
        fputc('\n', csv->file);
    csv->begun = false;
}

bool bench_csv_close(bench_csv *csv)
{
    bool written = !csv->file || !ferror(csv->file);
    bool closed = !csv->file || fclose(csv->file) == 0;
    csv->file = NULL;
    return written && closed ? true : fail(csv);
}
