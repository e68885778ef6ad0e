/* One measurement of bench cliffs, in a process of its own. */
#ifndef GRAZE_BENCH_CLIFFS_PROCESS_H
#define GRAZE_BENCH_CLIFFS_PROCESS_H

#include "bench/bench.h"
#include "bench/cliffs.h"

typedef enum cliff_end {
    CLIFF_REFUSED, /* could not be made or asked */
    CLIFF_ENDED,
    CLIFF_LATE /* ended at the limit, while it was made or asked */
} cliff_end;

typedef struct cliff_outcome {
    cliff_end end;
    double seconds; /* of the processor, of the quickest run; the limit, if late */
    size_t answers;
    double bytes; /* the most that the process held */
} cliff_outcome;

/* Makes and asks one side of a row at a size. Making may take as long as the limit, too. */
void cliff_measure(const cliff *row, uint32_t size, cliff_side side, const bench_options *options,
                   cliff_outcome *outcome);

#endif
