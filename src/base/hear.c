#include "base/hear.h"

_Atomic(const grazei_listener *) grazei_the_listener;
