/* The one writer of the tables. */
#include "bench/bench.h"

#include "cli/text.h"

#include <errno.h>
#include <stdarg.h>

static FILE *csv; /* of --csv; NULL: nothing is written */
static uint32_t csv_columns;

typedef enum row_side { ROW_JSON, ROW_TEXT, ROW_CSV, ROW_NOWHERE } row_side;

/* What is left of a row's values. */
typedef struct row_values {
    const char *const *texts;
    const double *numbers;
} row_values;

static void put_text(const char *format, const char *text, row_side side)
{
    if (side == ROW_JSON)
        write_json_string(stdout, text);
    else if (side == ROW_CSV)
        write_csv_text(csv, text);
    else if (side == ROW_TEXT)
        printf(format, text);
}

static void put_number(const char *format, double number, row_side side)
{
    char text[64];
    bool is_flag = strcmp(format, "%b") == 0;
    int width = is_flag ? 0 : snprintf(text, sizeof text, format, number);
    if (side == ROW_CSV)
        fprintf(csv, "%.6g", number);
    else if (side == ROW_JSON && is_flag)
        fputs(number != 0 ? "true" : "false", stdout);
    else if (side == ROW_JSON)
        fputs(isnan(number) ? "null" : text, stdout);
    else if (side == ROW_TEXT)
        isnan(number) ? printf("%*s", width, "-") : fputs(text, stdout);
}

/* A format of this length with the values that it takes. */
static void put_format(const char *format, size_t length, row_values *values, row_side side)
{
    for (const char *end = format + length; format < end; format += length) {
        char one[16];
        length = *format != '%' ? 1 : format[1] == '%' ? 2 : strcspn(format, "bfgs") + 1;
        snprintf(one, sizeof one, "%.*s", (int)length, format);
        if (length > 2 || (length == 2 && one[1] != '%')) {
            if (one[length - 1] == 's')
                put_text(one, *values->texts++, side);
            else
                put_number(one, *values->numbers++, side);
        } else if (side == ROW_JSON || side == ROW_TEXT) {
            putchar(*one == '_' && side == ROW_TEXT ? ' ' : *one);
        }
    }
}

/* All fields on one side; returns how many it has. */
static uint32_t put_fields(const char *fields, row_values values, row_side side)
{
    static const char *const between[][2] = {
        [ROW_JSON] = {",", ","}, [ROW_TEXT] = {"  ", " "}, [ROW_CSV] = {"", ","}};
    uint32_t count = 0;
    for (const char *at = fields, *end; *at; at = end + strspn(end, " ")) {
        end = at + strcspn(at, " ");
        size_t key = strcspn(at, ":");
        const char *json = at + key + 1, *text = json;
        size_t json_length = key ? strcspn(json, ": ") : 0;
        text += json_length + (json_length && json + json_length < end);
        size_t text_length = (size_t)(end - text);
        bool here = side == ROW_TEXT ? text_length > 0
                                     : json_length > 0 && (side == ROW_JSON || count < csv_columns);
        bool by_text = side == ROW_TEXT ? here : json_length == 0;
        if (here)
            fputs(between[side][count > 0], side == ROW_CSV ? csv : stdout);
        if (here && side == ROW_JSON)
            printf("\"%.*s\":", (int)key, at);
        put_format(by_text ? text : json, by_text ? text_length : json_length, &values,
                   here ? side : ROW_NOWHERE);
        count += here;
    }
    return count;
}

void bench_json_row(const char *table, const char *fields, const char *const *texts,
                    const double *numbers)
{
    if (!asked.json)
        return;
    printf("{\"table\":\"%s\"", table);
    put_fields(fields, (row_values){texts, numbers}, ROW_JSON);
    puts("}");
    fflush(stdout);
}

void bench_row(const char *table, const char *fields, const char *const *texts,
               const double *numbers)
{
    const row_values values = {texts, numbers};
    bench_json_row(table, fields, texts, numbers);
    if (!asked.json && put_fields(fields, values, ROW_TEXT))
        putchar('\n');
    if (csv && put_fields(fields, values, ROW_CSV))
        fputc('\n', csv);
    fflush(stdout);
}

void bench_say(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (!asked.json)
        vprintf(format, values);
    va_end(values);
}

void bench_append(char *text, size_t size, const char *format, ...)
{
    va_list values;
    size_t length = strlen(text);
    va_start(values, format);
    vsnprintf(text + length, size - length, format, values);
    va_end(values);
}

/* ---- the file ------------------------------------------------------------------------------- */

void bench_csv_open(const char *columns)
{
    char machine[BENCH_MACHINE_SIZE];
    if (!asked.csv)
        return;
    csv = fopen(asked.csv, "w");
    if (!csv)
        bench_die("%s: %s", asked.csv, strerror(errno));
    bench_describe_machine(machine, sizeof machine);
    fprintf(csv, "# %s\n%s\n", machine, columns);
    for (csv_columns = 1; (columns = strchr(columns, ',')); columns++)
        csv_columns++;
}

void bench_csv_close(void)
{
    bool written = !csv || !ferror(csv);
    if ((csv && fclose(csv) != 0) || !written)
        bench_die("%s: %s", asked.csv, strerror(errno));
    csv = NULL;
}
