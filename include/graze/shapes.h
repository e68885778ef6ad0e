#ifndef GRAZE_SHAPES_H
#define GRAZE_SHAPES_H

#include <graze/query.h>

#endif
