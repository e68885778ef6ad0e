#ifndef GRAZE_SELF_H
#define GRAZE_SELF_H

#include <graze/query.h>

#endif
