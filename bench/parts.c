#include "bench/parts.h"

#include <stdio.h>
#include <string.h>

int bench_run_parts(const bench_options *options, const bench_part *parts, size_t count)
{
    const char *only = options->only;
    size_t found = 0;
    bool whole = false;
    for (size_t i = 0; only && i < count; i++)
        whole = whole || strcmp(parts[i].name, only) == 0;
    for (size_t i = 0; i < count; i++) {
        if (only && (whole ? strcmp(parts[i].name, only) != 0 : !strstr(parts[i].name, only)))
            continue;
        found++;
        if (!parts[i].run(options))
            return 2;
        fflush(stdout);
    }
    if (found == 0)
        fprintf(stderr, "graze: no table has %s in its name\n", only);
    return found ? 0 : 2;
}
