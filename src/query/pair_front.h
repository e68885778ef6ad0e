/* The pairs of nodes at which a walk over two trees ended. */
#ifndef GRAZEI_QUERY_PAIR_FRONT_H
#define GRAZEI_QUERY_PAIR_FRONT_H

#include "query/agenda.h"

/* What a walk writes down. Full, it goes on without. */
typedef struct grazei_walk_log {
    grazei_pair_item *items;
    uint32_t count, capacity;
    bool full;
    grazei_pair_item last_leaves; /* that were compared */
} grazei_walk_log;

static inline void grazei_log_add(grazei_walk_log *log, grazei_pair_item item)
{
    if (log->count < log->capacity)
        log->items[log->count++] = item;
    else
        log->full = true;
}

#endif
