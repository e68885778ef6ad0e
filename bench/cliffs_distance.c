/* Rows of bench cliffs: distance. */
#include "bench/cliffs.h"

const cliff_group cliffs_distance = {NULL, 0};
