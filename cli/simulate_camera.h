/* What a camera sees of a scene. */
#ifndef GRAZE_CLI_SIMULATE_CAMERA_H
#define GRAZE_CLI_SIMULATE_CAMERA_H

#include <stdbool.h>

typedef struct simulate_camera {
    double planes[5][4]; /* inside: normal . x >= d; left, right, bottom, top, before the eye */
} simulate_camera;

enum { SIMULATE_FIELD_OF_VIEW = 50 }; /* degrees from bottom to top; pictures are 16 wide, 9 high */

/* EYE:LOOK[:DEGREES], as in 3,2,5:0,1,0:40; false if the text is none, or both points are one. */
bool simulate_camera_parse(simulate_camera *camera, const char *text);

/* False if they are too near to say where it looks. +Y is up in its pictures. */
bool simulate_camera_aim(simulate_camera *camera, const double eye[3], const double look[3],
                         double degrees);

/* Whether some of the sphere may be in the picture. Conservative: yes near its corners. */
bool simulate_camera_sees(const simulate_camera *camera, const double centre[3], double radius);

#endif
