#include "cli/csv.h"

#include "cli/output.h"
#include "cli/print.h"

#include <math.h>
#include <string.h>

bool csv_open(struct csv *csv, const char *path, const char *columns)
{
    *csv = (struct csv){.file = NULL};
    if (!path)
        return true;
    csv->file = output_file(path);
    if (csv->file)
        fprintf(csv->file, "%s\n", columns);
    return csv->file != NULL;
}

static bool begin_field(struct csv *csv)
{
    if (csv->file && csv->begun)
        fputc(',', csv->file);
    csv->begun = true;
    return csv->file != NULL;
}

/* Quoted where it has to be (RFC 4180, section 2). */
void csv_text(struct csv *csv, const char *text)
{
    if (!begin_field(csv) || !text)
        return;
    if (!text[strcspn(text, ",\"\r\n")]) {
        fputs(text, csv->file);
        return;
    }
    fputc('"', csv->file);
    for (; *text; text++)
        fprintf(csv->file, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', csv->file);
}

void csv_count(struct csv *csv, size_t count)
{
    if (begin_field(csv))
        fprintf(csv->file, "%zu", count);
}

void csv_number(struct csv *csv, double number)
{
    char text[32];
    if (begin_field(csv) && isfinite(number))
        fputs(format_number(text, number), csv->file);
}

void csv_us(struct csv *csv, double us)
{
    if (begin_field(csv))
        fprintf(csv->file, "%.2f", us);
}

void csv_floats(struct csv *csv, const float *numbers, int count)
{
    for (int i = 0; i < count; i++)
        if (begin_field(csv) && isfinite(numbers[i]))
            fprintf(csv->file, "%.9g", (double)numbers[i]);
}

void csv_empty(struct csv *csv, int count)
{
    for (int i = 0; i < count; i++)
        begin_field(csv);
}

void csv_end_row(struct csv *csv)
{
    if (csv->file)
        fputc('\n', csv->file);
    csv->begun = false;
}
