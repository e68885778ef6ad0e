/* What the files of a module share: the last error, and the place for answers of any length. */
#ifndef GRAZE_WEB_MODULE_H
#define GRAZE_WEB_MODULE_H

#include <graze/graze.h>

/* Names a function for JavaScript. */
#define WEB_EXPORT(name) __attribute__((export_name(#name)))

/* What stands for a count where there is none. */
enum { WEB_FAILED = -1 };

/* Of the last call that failed. */
extern graze_error web_error;

/* Says so, and returns WEB_FAILED. */
int web_out_of_memory(void);

/* Room for count items of that size in the answer, which keeps what it has; NULL when out of
 * memory.
 */
void *web_answer_reserve(size_t count, size_t size);

/* A pair as JavaScript reads it. */
typedef struct web_pair {
    uint32_t a, b;
} web_pair;

/* How many items of one kind the answer has, while a query reports them. */
typedef struct web_list {
    size_t count;
    bool complete; /* false: there was no memory for all */
} web_list;

/* What queries report to, with a web_list as user. */
bool web_add_pairs(void *list, const graze_pair *pairs, size_t count);

/* Sorts the pairs by a, then b. How many there are, or WEB_FAILED. */
int web_finish_pairs(graze_status status, const web_list *list);

/* Where queries count what they do; NULL: nowhere. */
extern graze_stats *web_stats;

/* The plain way, with what queries do counted in web_stats. */
graze_options web_options(void);

/* All pairs of two bodies, and of one, in these ways: how many there are, or WEB_FAILED. */
int web_pairs(graze_body *a, graze_body *b, const graze_options *options);
int web_self_pairs(graze_body *body, const graze_options *options);

/* Has the last word on what a model is made from; NULL: nobody. */
extern void (*web_adjust_model)(graze_model_def *def);

#endif
