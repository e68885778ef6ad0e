/* The version of Graze, written here and nowhere else (CMake reads this file). */
#ifndef GRAZE_VERSION_H
#define GRAZE_VERSION_H

#define GRAZE_VERSION_MAJOR 0
#define GRAZE_VERSION_MINOR 1
#define GRAZE_VERSION_PATCH 0

#endif
