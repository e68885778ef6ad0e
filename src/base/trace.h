/* Zones for profilers (graze_set_trace_hooks): where something that takes time starts and ends.
 *
 *     GRAZEI_ZONE("walk");
 *
 * is a zone until the end of the block that it stands in. Names are constant. Without hooks a zone
 * is one load and one branch.
 */
#ifndef GRAZEI_BASE_TRACE_H
#define GRAZEI_BASE_TRACE_H

#include <graze/base.h>

#include <stdatomic.h>

/* Those of the program; NULL: none. */
extern _Atomic(const graze_trace_hooks *) grazei_trace;

typedef struct grazei_zone {
    const graze_trace_hooks *hooks; /* that were told of its start, and are of its end, too */
    const char *name;
} grazei_zone;

/* Tells the hooks, and returns them; NULL if they have just gone. */
const graze_trace_hooks *grazei_zone_enter(const char *name) __attribute__((cold));
void grazei_zone_leave(const graze_trace_hooks *hooks, const char *name) __attribute__((cold));

static inline grazei_zone grazei_zone_begin(const char *name)
{
    bool is_on = atomic_load_explicit(&grazei_trace, memory_order_relaxed) != NULL;
    return (grazei_zone){__builtin_expect(is_on, 0) ? grazei_zone_enter(name) : NULL, name};
}

static inline void grazei_zone_end(const grazei_zone *zone)
{
    if (__builtin_expect(zone->hooks != NULL, 0))
        grazei_zone_leave(zone->hooks, zone->name);
}

#if defined(GRAZE_SMALL) /* where code travels: none */
#define GRAZEI_ZONE(name) ((void)(name))
#else
#define GRAZEI_ZONE(name)                                                                          \
    const grazei_zone grazei_this_zone __attribute__((cleanup(grazei_zone_end), unused)) =         \
        grazei_zone_begin(name)
#endif

#endif
