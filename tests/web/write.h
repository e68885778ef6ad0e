/* Models and numbers for JavaScript: NUMBER.json tells what lies where in NUMBER.bin. */
#ifndef GRAZE_TESTS_WEB_WRITE_H
#define GRAZE_TESTS_WEB_WRITE_H

#include <graze/rig.h>

#include <stdio.h>

/* Opens both files; the caller writes "{" and a first member to web_json, then puts numbers. */
extern FILE *web_json;
void web_begin(const char *folder, uint32_t number);
void web_end(void);

/* An array of 4-byte numbers, of type 'f' or 'u'; web_put_of: of a frame, whose number is added to
 * the name.
 */
void web_put(const char *name, char type, const void *numbers, size_t count);
void web_put_of(const char *name, uint32_t frame, char type, const void *numbers, size_t count);

/* What graze.model() takes. */
void web_put_model(const graze_rig *rig);

/* From 3 rows of 4 to 4 columns of 4. */
void web_to_columns(const float *rows, uint32_t count, float *columns);

/* Zeroed memory, and the end of the program where there is none, or where a call failed. */
void *web_take(size_t count, size_t size);
void web_check(graze_status status, const graze_error *error);

#endif
