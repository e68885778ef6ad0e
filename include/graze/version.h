/* The version of Graze, written here and nowhere else (CMake reads this file). */
#ifndef GRAZE_VERSION_H
#define GRAZE_VERSION_H

#define GRAZE_VERSION_MAJOR 0
#define GRAZE_VERSION_MINOR 1
#define GRAZE_VERSION_PATCH 0

/* One number that grows with every version: 1.2.3 is 10203. */
#define GRAZE_VERSION                                                                              \
    (GRAZE_VERSION_MAJOR * 10000 + GRAZE_VERSION_MINOR * 100 + GRAZE_VERSION_PATCH)

#endif
