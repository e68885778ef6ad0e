#include "support/contacts.h"

#include "harness.h"

#include <stdlib.h>
#include <string.h>

bool contact_set_take(void *user, const graze_contact *contacts, size_t count)
{
    contact_set *set = user;
    if (set->count + count > set->capacity) {
        set->capacity = 2 * (set->count + count) + 16;
        set->contacts = realloc(set->contacts, set->capacity * sizeof *set->contacts);
        if (!set->contacts)
            abort();
    }
    memcpy(set->contacts + set->count, contacts, count * sizeof *contacts);
    set->count += count;
    return ++set->calls != set->stop;
}

bool contact_set_open(contact_set *set, const graze_model *a, const graze_model *b,
                      const graze_contact_finder_def *def)
{
    graze_error error = {.text = ""};
    *set = (contact_set){0};
    return test_check(!graze_contact_finder_create(a, b, def, &set->finder, &error), __FILE__,
                      __LINE__, "no finder: %s", error.text);
}

/* Details of all contacts in the set, and of no more, if there was no error. */
static graze_status put_details(contact_set *set, graze_status status)
{
    graze_contact_details none;
    CHECK(!status || set->count == 0);
    if (status)
        return status;
    set->details = realloc(set->details, (set->count + 1) * sizeof *set->details);
    if (!set->details)
        abort();
    for (size_t i = 0; i < set->count; i++) {
        CHECK(set->contacts[i].number == i);
        CHECK(graze_contact_get_details(set->finder, (uint32_t)i, &set->details[i]));
    }
    CHECK(!graze_contact_get_details(set->finder, (uint32_t)set->count, &none));
    return status;
}

graze_status contact_set_find(contact_set *set, graze_body *a, graze_body *b, graze_stats *stats,
                              graze_error *error)
{
    contact_set_clear(set);
    graze_status status = graze_contacts(set->finder, a, b, TO_CONTACT_SET(set),
                                         &(graze_options){.stats = stats}, error);
    return put_details(set, status);
}

graze_status contact_set_from_pairs(contact_set *set, graze_body *a, graze_body *b,
                                    const graze_pair *pairs, size_t count, graze_error *error)
{
    contact_set_clear(set);
    graze_status status = graze_contacts_from_pairs(set->finder, a, b, pairs, count,
                                                    TO_CONTACT_SET(set), NULL, error);
    return put_details(set, status);
}

void contact_set_clear(contact_set *set)
{
    set->count = set->calls = 0;
}

void contact_set_free(contact_set *set)
{
    graze_contact_finder_destroy(set->finder);
    free(set->contacts);
    free(set->details);
    *set = (contact_set){0};
}
