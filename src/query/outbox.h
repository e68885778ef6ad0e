/* Pairs of triangles on their way to the caller, who gets them in batches. */
#ifndef GRAZEI_QUERY_OUTBOX_H
#define GRAZEI_QUERY_OUTBOX_H

#include "base/assert.h"
#include "query/take.h"

typedef struct grazei_outbox {
    grazei_pair_fn report;
    void *user;
    bool first;    /* one pair is enough */
    bool at_once;  /* report each pair when it is found: the receiver may want to stop */
    bool stopped;  /* it was found, or the caller has had enough */
    bool reported; /* the caller was called */
    uint32_t count;
    graze_pair pairs[256];
} grazei_outbox;

static inline void grazei_outbox_start(grazei_outbox *outbox, bool first, grazei_pair_fn report,
                                       void *user)
{
    outbox->report = report;
    outbox->user = user;
    outbox->first = first;
    outbox->at_once = false;
    outbox->stopped = outbox->reported = false;
    outbox->count = 0;
}

static inline void grazei_outbox_flush(grazei_outbox *outbox)
{
    outbox->reported = true;
    if (outbox->count && !outbox->report(outbox->user, outbox->pairs, outbox->count))
        outbox->stopped = true;
    outbox->count = 0;
}

static inline void grazei_outbox_add(grazei_outbox *outbox, uint32_t a, uint32_t b)
{
    GRAZE_ASSERT(outbox->count < sizeof outbox->pairs / sizeof *outbox->pairs);
    outbox->pairs[outbox->count++] = (graze_pair){.a = a, .b = b};
    if (outbox->first)
        outbox->stopped = true;
    if (outbox->at_once || outbox->count == sizeof outbox->pairs / sizeof *outbox->pairs)
        grazei_outbox_flush(outbox);
}

#endif
