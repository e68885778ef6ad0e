/* Options and lists of questions that extensions answer. */
#ifndef GRAZEI_PARTS_LISTS_H
#define GRAZEI_PARTS_LISTS_H

#include "base/status.h"

#include <graze/contact.h>

#include <string.h>

/* GRAZE_UNSUPPORTED for all but method, pool and stats, of which the caller may refuse more. What
 * changes nothing (a history) is taken.
 */
static inline graze_status grazei_check_plain_options(const graze_options *options,
                                                      graze_error *error)
{
    if (!options)
        return GRAZE_OK;
    graze_status status = GRAZEI_CHECK_RESERVED(options, "the options", error);
    if (status)
        return status;
    if (options->method != GRAZE_LAZY && options->method != GRAZE_EAGER &&
        options->method != GRAZE_BRUTE)
        return grazei_fail(error, GRAZE_BAD_INPUT, "method %d is unknown", (int)options->method);
    const char *unknown = options->any        ? "any"
                          : options->only_new ? "only_new"
                          : options->budget   ? "budget"
                          : options->batch    ? "batch"
                                              : NULL;
    return unknown ? grazei_fail(error, GRAZE_UNSUPPORTED,
                                 "this question does not have the option %s", unknown)
                   : GRAZE_OK;
}

/* The same where there is one method. */
static inline graze_status grazei_check_lazy_options(const graze_options *options,
                                                     graze_error *error)
{
    graze_status status = grazei_check_plain_options(options, error);
    if (!status && options && options->method != GRAZE_LAZY)
        status = grazei_fail(error, GRAZE_UNSUPPORTED, "this question has the method GRAZE_LAZY");
    return status;
}

/* Of any list, by its parts. */
static inline graze_status grazei_check_list(const void *items, size_t capacity, bool has_report,
                                             graze_error *error)
{
    if (!items && capacity)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the list has a capacity and no items");
    if (items && has_report)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the list has both items and report");
    return GRAZE_OK;
}

/* Empties a list, and checks it. */
static inline graze_status grazei_start_contacts(graze_contact_list *list, graze_error *error)
{
    graze_status status = grazei_check_pointer(list, "the list of contacts", error);
    if (status)
        return status;
    list->count = list->total = 0;
    return grazei_check_list(list->items, list->capacity, list->report != NULL, error);
}

/* Hands over what was found. */
static inline void grazei_give_contacts(graze_contact_list *list, const graze_contact *found,
                                        size_t count)
{
    list->total = count;
    if (list->report) {
        if (count)
            list->report(list->user, found, count);
        return;
    }
    list->count = count < list->capacity ? count : list->capacity;
    if (list->count)
        memcpy(list->items, found, list->count * sizeof *found);
}

#endif
