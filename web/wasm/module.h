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

/* How many items of one kind the answer has, while a query reports them. */
typedef struct web_list {
    size_t count;
    bool complete; /* false: there was no memory for all */
} web_list;

/* What queries report to, with a web_list as user. */
bool web_add_pairs(void *list, const graze_pair *pairs, size_t count);
bool web_add_self_pairs(void *list, const graze_self_pair *pairs, size_t count);

/* Sorts the pairs by a, then b. How many there are, or WEB_FAILED. */
int web_finish_pairs(graze_status status, const web_list *list);

/* Where queries count what they do; NULL: nowhere. */
extern graze_stats *web_stats;

/* Has the last word on what a model is made from; NULL: nobody. */
extern void (*web_adjust_model)(graze_model_def *def);

#endif
