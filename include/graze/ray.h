#ifndef GRAZE_RAY_H
#define GRAZE_RAY_H

#include <graze/query.h>

#endif
