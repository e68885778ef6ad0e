#ifndef GRAZE_DISTANCE_H
#define GRAZE_DISTANCE_H

#include <graze/query.h>

#endif
