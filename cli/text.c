#include "cli/text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool mended;

/* ---- characters --------------------------------------------------------------------------- */

#define REPLACEMENT 0xfffdu

typedef struct character_read {
    uint32_t code; /* REPLACEMENT for what is not UTF-8 */
    size_t size;   /* of its bytes, as they stand in the text */
    bool valid;
} character_read;

/* The character at the start of a text that has so many bytes and is not empty (RFC 3629). */
static character_read read_character(const unsigned char *at, size_t left)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    size_t more = *at < 0x80 ? 0 : *at >> 5 == 6 ? 1 : *at >> 4 == 14 ? 2 : *at >> 3 == 30 ? 3 : 9;
    const character_read broken = {REPLACEMENT, 1, false};
    if (more > 3 || more >= left)
        return broken;
    uint32_t code = more ? *at & (0x3fu >> more) : *at;
    for (size_t i = 1; i <= more; i++) {
        if (at[i] >> 6 != 2)
            return broken;
        code = code << 6 | (at[i] & 0x3fu);
    }
    bool good = code >= least[more] && code <= 0x10ffff && code >> 11 != 0x1b;
    return good ? (character_read){code, more + 1, true} : broken;
}

/* C0, DEL and C1, separators of lines, and what changes the direction of writing. */
static bool is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c ||
           (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

typedef enum reader { FOR_PEOPLE, FOR_JSON, FOR_PAGES, FOR_TABLES, FOR_MARKUP } reader;

/* One character as UTF-8: to people with everything escaped that a terminal would obey. */
static void write_character(FILE *out, const unsigned char *at, character_read read, reader whose)
{
    const char *special = whose == FOR_PAGES ? "\"\\<>&" : "";
    bool control = is_control(read.code) || (read.code < 0x80 && strchr(special, (int)read.code));
    if (whose == FOR_MARKUP && read.code < 0x80 && strchr("<>&\"'", (int)read.code)) {
        fprintf(out, "&#%u;", (unsigned)read.code);
    } else if (control && (whose == FOR_PEOPLE || whose == FOR_MARKUP) && read.code < 0x100) {
        fprintf(out, "\\x%02x", (unsigned)read.code);
    } else if (control && whose != FOR_TABLES) {
        fprintf(out, "\\u%04x", (unsigned)read.code);
    } else {
        const bool is_json = whose == FOR_JSON || whose == FOR_PAGES;
        if (read.code == '"' && (is_json || whose == FOR_TABLES))
            fputc(is_json ? '\\' : '"', out);
        if (read.code == '\\' && is_json)
            fputc('\\', out);
        read.valid = read.valid && (whose != FOR_MARKUP || (read.code & ~1u) != 0xfffe);
        fwrite(read.valid ? (const char *)at : "\xef\xbf\xbd", 1, read.valid ? read.size : 3, out);
        mended = mended || !read.valid;
    }
}

int compare_written(const char *left, const char *right)
{
    const unsigned char *x = (const unsigned char *)left, *y = (const unsigned char *)right;
    while (*x && *y) {
        character_read a = read_character(x, strnlen((const char *)x, 4));
        character_read b = read_character(y, strnlen((const char *)y, 4));
        if (a.code != b.code)
            return a.code < b.code ? -1 : 1;
        x += a.size;
        y += b.size;
    }
    return (*x != 0) - (*y != 0);
}

static void write_characters(FILE *out, const char *text, size_t size, reader whose)
{
    for (const unsigned char *at = (const unsigned char *)text; size;) {
        character_read read = read_character(at, size);
        write_character(out, at, read, whose);
        at += read.size;
        size -= read.size;
    }
}

static void write_string(FILE *out, const char *text, reader whose)
{
    if (!text) {
        fputs("null", out);
        return;
    }
    fputc('"', out);
    write_characters(out, text, strlen(text), whose);
    fputc('"', out);
}

static void write_text(FILE *out, const char *text, reader whose)
{
    if (whose == FOR_MARKUP)
        write_characters(out, text, strlen(text), whose);
    else
        write_string(out, text, whose);
}

void write_json_string(FILE *out, const char *text)
{
    write_string(out, text, FOR_JSON);
}

/* What a spreadsheet would take for a formula begins with an apostrophe. */
void write_csv_text(FILE *out, const char *text)
{
    bool quoted = text[strcspn(text, ",\"\r\n")] != 0;
    fputs(quoted ? "\"" : "", out);
    fputs(*text && strchr("=+-@\t\r", *text) ? "'" : "", out);
    write_characters(out, text, strlen(text), FOR_TABLES);
    fputs(quoted ? "\"" : "", out);
}

bool text_was_mended(void)
{
    return mended;
}

/* ---- formats ------------------------------------------------------------------------------ */

const char *format_number(char text[32], double number)
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    return text;
}

/* One conversion of a format. */
typedef struct conversion {
    char text[32]; /* "%-*.3g": what printf takes for it; of a text without the precision */
    int stars[2];
    int star_count;
    int longs;     /* l: 1, ll: 2, z: 3 */
    int precision; /* of a text; -1: all of it */
    char kind;
} conversion;

/* Reads one from its sign on; returns what follows it. */
static const char *read_conversion(const char *at, conversion *found, va_list *values)
{
    size_t length = 0;
    *found = (conversion){.precision = -1};
    const char *end = at + 1 + strspn(at + 1, "0123456789-+ #*.lz");
    bool behind_point = false, is_text = *end == 's';
    for (; at <= end && length + 1 < sizeof found->text; at++) {
        behind_point = behind_point || *at == '.';
        found->longs += *at == 'l' ? 1 : *at == 'z' ? 3 : 0;
        if (is_text && *at == '*' && behind_point)
            found->precision = va_arg(*values, int);
        else if (is_text && *at == '.' && at[1] != '*')
            found->precision = atoi(at + 1);
        else if (*at == '*')
            found->stars[found->star_count++] = va_arg(*values, int);
        if (!is_text || !behind_point || at == end)
            found->text[length++] = *at;
    }
    found->kind = *end;
    return end + 1;
}

/* With as many stars as it has. */
#define PRINT(out, found, value)                                                                   \
    ((found)->star_count == 0 ? fprintf(out, (found)->text, value)                                 \
     : (found)->star_count == 1                                                                    \
         ? fprintf(out, (found)->text, (found)->stars[0], value)                                   \
         : fprintf(out, (found)->text, (found)->stars[0], (found)->stars[1], value))

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static int say_text(FILE *out, const conversion *found, const char *text)
{
    char *escaped = NULL;
    size_t length;
    text = text ? text : "(null)";
    FILE *memory = open_memstream(&escaped, &length);
    if (memory)
        write_characters(memory, text,
                         found->precision < 0 ? strlen(text)
                                              : strnlen(text, (size_t)found->precision),
                         FOR_PEOPLE);
    bool good = memory && fclose(memory) == 0;
    int written = PRINT(out, found, good ? escaped : "(out of memory)");
    free(escaped);
    return written;
}

static int write_number(FILE *out, const conversion *found, double number, reader whose)
{
    char shortest[32];
    if (whose != FOR_PEOPLE && !isfinite(number))
        return fputs("null", out);
    if (whose != FOR_PEOPLE && strcmp(found->text, "%g") == 0)
        return fputs(format_number(shortest, number), out);
    return PRINT(out, found, number);
}

/* Returns the number of bytes, if it is for people. */
static int write_value(FILE *out, const conversion *found, va_list *values, reader whose)
{
    switch (found->kind) {
    case '%':
        return fputc('%', out) == '%';
    case 's':
        if (whose == FOR_PEOPLE)
            return say_text(out, found, va_arg(*values, const char *));
        write_text(out, va_arg(*values, const char *), whose);
        return 0;
    case 'e':
    case 'f':
    case 'g':
        return write_number(out, found, va_arg(*values, double), whose);
    default: /* whole numbers and characters */
        return found->longs == 3   ? PRINT(out, found, va_arg(*values, size_t))
               : found->longs == 2 ? PRINT(out, found, va_arg(*values, unsigned long long))
               : found->longs == 1 ? PRINT(out, found, va_arg(*values, unsigned long))
                                   : PRINT(out, found, va_arg(*values, unsigned));
    }
}
#pragma GCC diagnostic pop

__attribute__((format(printf, 2, 0))) static size_t write_values(FILE *out, const char *format,
                                                                 va_list values, reader whose)
{
    size_t written = 0;
    va_list rest;
    va_copy(rest, values);
    while (*format) {
        size_t plain = strcspn(format, "%");
        written += fwrite(format, 1, plain, out);
        format += plain;
        if (!*format)
            break;
        conversion found;
        format = read_conversion(format, &found, &rest);
        int more = write_value(out, &found, &rest, whose);
        written += more > 0 ? (size_t)more : 0;
    }
    va_end(rest);
    return written;
}

size_t say_to(FILE *out, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    size_t written = write_values(out, format, values, FOR_PEOPLE);
    va_end(values);
    return written;
}

void say_in(char *text, size_t size, const char *format, va_list values)
{
    char *whole = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&whole, &length);
    if (out) {
        write_values(out, format, values, FOR_PEOPLE);
        fclose(out);
    }
    const char *said = whole ? whole : "out of memory";
    length = strlen(said);
    if (length >= size)
        for (length = size - 1; length && (said[length] & 0xc0) == 0x80; length--)
            ;
    memcpy(text, said, length);
    text[length] = 0;
    free(whole);
}

void put_json(FILE *out, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    write_values(out, format, values, FOR_JSON);
    va_end(values);
}

void put_page(FILE *out, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    write_values(out, format, values, FOR_PAGES);
    va_end(values);
}

void put_markup(FILE *out, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    write_values(out, format, values, FOR_MARKUP);
    va_end(values);
}

void print_json_floats(const float *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        print_json(i ? ",%.9g" : "[%.9g", (double)numbers[i]);
    fputs(count ? "]" : "[]", stdout);
}

void put_json_list(FILE *out, const double *numbers, size_t count, int digits)
{
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? "," : "", out);
        if (digits)
            put_json(out, "%.*g", digits, numbers[i]);
        else
            put_json(out, "%g", numbers[i]);
    }
    fputc(']', out);
}
