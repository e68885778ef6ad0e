#ifndef GRAZE_SWEEP_H
#define GRAZE_SWEEP_H

#include <graze/query.h>

#endif
