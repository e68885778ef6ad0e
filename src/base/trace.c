#include "base/trace.h"

/* Outlives calls. Hooks are the program's, so there is nothing to free. */
_Atomic(const graze_trace_hooks *) grazei_trace;

graze_status graze_set_trace_hooks(const graze_trace_hooks *hooks)
{
    if (hooks && (!hooks->begin || !hooks->end || hooks->reserved[0] || hooks->reserved[1]))
        return GRAZE_BAD_INPUT;
    atomic_store_explicit(&grazei_trace, hooks, memory_order_release);
    return GRAZE_OK;
}

const graze_trace_hooks *grazei_zone_enter(const char *name)
{
    const graze_trace_hooks *hooks = atomic_load_explicit(&grazei_trace, memory_order_acquire);
    if (hooks)
        hooks->begin(hooks->user, name);
    return hooks;
}

void grazei_zone_leave(const graze_trace_hooks *hooks, const char *name)
{
    hooks->end(hooks->user, name);
}
