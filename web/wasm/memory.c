/* What every module has: its last error, the place for answers, and memory for arguments. */
#include "module.h"

#include <stdlib.h>

graze_error web_error;

int web_out_of_memory(void)
{
    web_error = (graze_error){GRAZE_OUT_OF_MEMORY, "out of memory"};
    return WEB_FAILED;
}

static void *answer;
static size_t answer_bytes;

void *web_answer_reserve(size_t count, size_t size)
{
    if (count > SIZE_MAX / 2 / size)
        return NULL;
    if (count * size > answer_bytes) {
        size_t bytes = count * size * 2;
        void *larger = realloc(answer, bytes);
        if (!larger)
            return NULL;
        answer = larger;
        answer_bytes = bytes;
    }
    return answer;
}

WEB_EXPORT(answer) const void *web_answer(void)
{
    return answer;
}

WEB_EXPORT(error_text) const char *web_error_text(void)
{
    return web_error.text;
}

WEB_EXPORT(allocate) void *web_allocate(size_t size)
{
    return malloc(size ? size : 1);
}

WEB_EXPORT(release) void web_release(void *memory)
{
    free(memory);
}

int __rem_pio2_large(double *x, double *y, int exponent, int count, int precision);

/* In place of the C library's, which is 2 kB: what sine and cosine need for angles beyond a
 * million. The core asks for angles below 10 only.
 */
int __rem_pio2_large(double *x, double *y, int exponent, int count, int precision)
{
    (void)x, (void)y, (void)exponent, (void)count, (void)precision;
    __builtin_trap();
}
