/* What graze audit found as JUnit's XML, which build servers show: a suite a file, a case a clip.
 */
#include "cli/audit.h"
#include "cli/text.h"

#include <string.h>

/* The lines of one unit. */
typedef struct unit_lines {
    const audit_line *first;
    size_t count, counting;
} unit_lines;

/* Lines stand in the order of their units: those of the unit, which the cursor goes past. */
static unit_lines take_lines(const audit_job *job, const audit_found *found, const audit_unit *unit,
                             size_t *cursor)
{
    unit_lines lines = {.first = (const audit_line *)found->lines.items + *cursor};
    for (; *cursor < found->lines.count && lines.first[lines.count].unit == unit; ++*cursor)
        lines.counting += audit_line_counts(job, &lines.first[lines.count++]);
    return lines;
}

static void write_finding(const audit_job *job, const audit_line *line, FILE *file)
{
    const graze_audit_finding *finding = line->finding;
    put_markup(file, "%s x %s: %s", finding->parts[0], finding->parts[1],
               audit_tell_when(finding).words);
    put_markup(file, "%s%s\n", job->state ? ", " : "",
               job->state ? audit_state_name(line->state) : "");
}

static void write_case(const audit_job *job, const audit_unit *unit, const unit_lines *lines,
                       FILE *file)
{
    put_markup(file, "  <testcase classname=\"%s\" name=\"%s\">", unit->file, unit->clip);
    if (lines->counting) {
        put_markup(file, "<failure type=\"clip\" message=\"%zu finding%s\">\n", lines->counting,
                   lines->counting == 1 ? "" : "s");
        for (size_t i = 0; i < lines->count; i++)
            if (audit_line_counts(job, &lines->first[i]))
                write_finding(job, &lines->first[i], file);
        fputs("</failure>", file);
    }
    fputs("</testcase>\n", file);
}

static void write_counts(FILE *file, size_t tests, size_t failures, size_t errors)
{
    fprintf(file, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n", tests, failures, errors);
}

/* Units are in order of their files, as inputs are: those of one input, counted. */
static size_t count_units(const audit_job *job, const audit_found *found, const audit_input *input,
                          size_t unit, size_t line, size_t *failures)
{
    const audit_unit *units = found->units.items;
    size_t count = 0;
    for (; unit < found->units.count && strcmp(units[unit].file, input->path) == 0; unit++) {
        *failures += take_lines(job, found, &units[unit], &line).counting > 0;
        count++;
    }
    return count;
}

void audit_write_junit(const audit_job *job, const audit_found *found, FILE *file)
{
    const audit_unit *units = found->units.items;
    size_t failures = 0, errors = audit_failed(found), unit = 0, line = 0;
    for (size_t u = 0; u < found->units.count; u++)
        failures += take_lines(job, found, &units[u], &line).counting > 0;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"graze audit\"", file);
    write_counts(file, found->units.count + errors, failures, errors);
    line = 0;
    for (size_t i = 0; i < found->inputs.count; i++) {
        const audit_input *input = (const audit_input *)found->inputs.items + i;
        size_t own = 0, count = count_units(job, found, input, unit, line, &own);
        put_markup(file, " <testsuite name=\"%s\"", input->path);
        write_counts(file, count + (input->error != NULL), own, input->error != NULL);
        for (; count > 0; count--, unit++) {
            unit_lines lines = take_lines(job, found, &units[unit], &line);
            write_case(job, &units[unit], &lines, file);
        }
        if (input->error)
            put_markup(file,
                       "  <testcase classname=\"%s\" name=\"the file\"><error type=\"input\" "
                       "message=\"%s\"/></testcase>\n",
                       input->path, input->error);
        fputs(" </testsuite>\n", file);
    }
    fputs("</testsuites>\n", file);
}
