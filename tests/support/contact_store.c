#include "support/contact_store.h"

#include <stdlib.h>
#include <string.h>

static bool take(void *user, const graze_contact *contacts, size_t count)
{
    contact_store *store = user;
    if (store->count + count > store->capacity) {
        store->capacity = 2 * (store->count + count);
        store->items = realloc(store->items, store->capacity * sizeof *store->items);
        if (!store->items)
            abort();
    }
    memcpy(store->items + store->count, contacts, count * sizeof *contacts);
    store->count += count;
    return true;
}

graze_contact_list contact_store_start(contact_store *store)
{
    store->count = 0;
    return (graze_contact_list){.report = take, .user = store};
}

void contact_store_free(contact_store *store)
{
    free(store->items);
    *store = (contact_store){0};
}
