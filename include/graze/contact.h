#ifndef GRAZE_CONTACT_H
#define GRAZE_CONTACT_H

#include <graze/query.h>

#endif
