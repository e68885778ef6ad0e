/* snprintf and vsnprintf with what the library's error texts use: %s, %.Ns, %c, %d, %u, %zu, %llu,
 * %g, %.Ng with up to nine digits, and %%. They stand in for the C library's, whose printing would
 * be a thirtieth of the module.
 */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Where a text goes: what has no room is counted all the same. */
typedef struct sink {
    char *text;
    size_t size, length;
} sink;

static void put(sink *to, char letter)
{
    if (to->length + 1 < to->size)
        to->text[to->length] = letter;
    to->length++;
}

static void put_text(sink *to, const char *text, size_t most)
{
    for (; most && *text; most--)
        put(to, *text++);
}

static void put_number(sink *to, uint64_t number)
{
    char digits[20];
    int count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    while (count)
        put(to, digits[--count]);
}

enum { MOST_DIGITS = 9 };

/* The first digits of a value above 0, as a number, and the decimal exponent of the first of them.
 * Digits are right unless what is cut off is within a rounding or two of half a digit.
 */
static uint32_t first_digits(double value, int count, int *exponent)
{
    static const double powers[] = {1e256, 1e128, 1e64, 1e32, 1e16, 1e8, 1e4, 1e2, 1e1};
    double scaled = value; /* to 1 or more, below 10 */
    *exponent = 0;
    for (int i = 0, power = 256; i < 9; i++, power = i == 8 ? 1 : power / 2) {
        if (scaled >= powers[i]) {
            scaled /= powers[i];
            *exponent += power;
        } else if (scaled * powers[i] < 10) {
            scaled *= powers[i];
            *exponent -= power;
        }
    }
    int shift = count - 1 - *exponent;
    double least = 1; /* number of so many digits */
    for (int i = 1; i < count; i++)
        least *= 10;
    if (shift >= -22 && shift <= 22) { /* such powers of ten are exact: one rounding */
        double power = 1;
        for (int i = shift < 0 ? -shift : shift; i > 0; i--)
            power *= 10;
        scaled = shift < 0 ? value / power : value * power;
    } else {
        scaled *= least;
    }
    scaled = rint(scaled);
    if (scaled >= 10 * least) {
        scaled /= 10;
        ++*exponent;
    }
    return (uint32_t)scaled;
}

/* That many digits, without zeros at their end. */
static void put_general(sink *to, double value, int count)
{
    if (signbit(value))
        put(to, '-');
    value = fabs(value);
    if (!isfinite(value) || value == 0) {
        put_text(to, isnan(value) ? "nan" : value > 0 ? "inf" : "0", 3);
        return;
    }
    int exponent, kept = count;
    uint32_t number = first_digits(value, count, &exponent);
    char digits[MOST_DIGITS];
    for (int i = count - 1; i >= 0; i--, number /= 10)
        digits[i] = (char)('0' + number % 10);
    while (kept > 1 && digits[kept - 1] == '0')
        kept--;
    bool scientific = exponent < -4 || exponent >= count;
    int whole = scientific ? 0 : exponent; /* the last digit before the point */
    if (whole < 0)
        put_text(to, "0.000", (size_t)(1 - whole));
    for (int i = 0; i < kept || i <= whole; i++) {
        put(to, digits[i]);
        if (i == whole && i + 1 < kept)
            put(to, '.');
    }
    if (!scientific)
        return;
    put_text(to, exponent < 0 ? "e-" : "e+", 2);
    exponent = exponent < 0 ? -exponent : exponent;
    if (exponent < 10)
        put(to, '0');
    put_number(to, (uint32_t)exponent);
}

int vsnprintf(char *text, size_t size, const char *format, va_list arguments)
{
    sink to = {text, size, 0};
    for (; *format; format++) {
        size_t most = SIZE_MAX;
        if (*format != '%') {
            put(&to, *format);
            continue;
        }
        if (*++format == '.')
            for (most = 0, format++; *format >= '0' && *format <= '9'; format++)
                most = most * 10 + (size_t)(*format - '0');
        int number;
        switch (*format) {
        case 's':
            put_text(&to, va_arg(arguments, const char *), most);
            break;
        case 'd':
            number = va_arg(arguments, int);
            if (number < 0)
                put(&to, '-');
            put_number(&to, number < 0 ? 0u - (uint32_t)number : (uint32_t)number);
            break;
        case 'u':
            put_number(&to, va_arg(arguments, unsigned));
            break;
        case 'z':
            format++;
            put_number(&to, va_arg(arguments, size_t));
            break;
        case 'l':
            format += 2;
            put_number(&to, va_arg(arguments, unsigned long long));
            break;
        case 'c':
            put(&to, (char)va_arg(arguments, int));
            break;
        case 'g':
            put_general(&to, va_arg(arguments, double),
                        most < 1              ? 1
                        : most <= MOST_DIGITS ? (int)most
                                              : 6);
            break;
        default:
            put(&to, *format);
            break;
        }
    }
    if (size)
        text[to.length < size ? to.length : size - 1] = 0;
    return (int)to.length;
}

int snprintf(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return length;
}
