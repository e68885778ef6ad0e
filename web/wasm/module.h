/* What module.c and answers.c share: the last error, and the place for answers of any length. */
#ifndef GRAZE_WEB_MODULE_H
#define GRAZE_WEB_MODULE_H

#include <graze/graze.h>

/* Names a function for JavaScript. */
#define WEB_EXPORT(name) __attribute__((export_name(#name)))

/* Of the last call that failed. */
extern graze_error web_error;

/* Room for count items of that size in the answer, which keeps what it has; NULL when out of
 * memory.
 */
void *web_answer_reserve(size_t count, size_t size);

#endif
