/* The generalised winding number: the solid angles of all triangles. */
#include "touch/winding.h"

#include "touch/brute.h"

#include <math.h>

#define FOUR_PI 12.566370614359172

/* Twice the tangent's angle (van Oosterom & Strackee, "The Solid Angle of a Plane Triangle", 1983),
 * positive for a triangle that is clockwise seen from the point: outward faces seen from inside.
 */
static double solid_angle(const float point[3], const float *const corners[3])
{
    double r[3][3], length[3], dots[3];
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++)
            r[c][k] = (double)corners[c][k] - point[k];
        length[c] = sqrt(r[c][0] * r[c][0] + r[c][1] * r[c][1] + r[c][2] * r[c][2]);
    }
    for (int c = 0; c < 3; c++) {
        const double *a = r[(c + 1) % 3], *b = r[(c + 2) % 3];
        dots[c] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }
    double determinant = r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) +
                         r[0][1] * (r[1][2] * r[2][0] - r[1][0] * r[2][2]) +
                         r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
    double below = length[0] * length[1] * length[2];
    for (int c = 0; c < 3; c++)
        below += dots[c] * length[c];
    return determinant == 0 ? 0 : 2 * atan2(determinant, below);
}

static void run(grazei_question *base, grazei_agenda *agenda, graze_stats *stats)
{
    grazei_winding_question *question = (grazei_winding_question *)base;
    double sum = 0;
    grazei_posed_mesh mesh = grazei_body_mesh_posed(base->bodies[0], stats);
    stats->triangle_tests += mesh.triangle_count;
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        const float *corners[3];
        if (!grazei_mesh_takes(&mesh, t))
            continue;
        grazei_posed_corners(&mesh, t, corners);
        sum += solid_angle(question->point, (const float *const *)corners);
    }
    question->winding = (float)(sum / FOUR_PI);
    agenda->count = 0;
}

void grazei_winding_begin(grazei_winding_question *question, grazei_agenda *agenda,
                          graze_body *body, const float point[3])
{
    *question = (grazei_winding_question){.base = {.run = run, .bodies = {body}, .body_count = 1},
                                          .point = {point[0], point[1], point[2]}};
    grazei_agenda_start(agenda, false);
    agenda->items[agenda->count++].node = 0;
}
