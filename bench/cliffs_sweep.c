/* Rows of bench cliffs: sweep. */
#include "bench/cliffs.h"

const cliff_group cliffs_sweep = {NULL, 0};
