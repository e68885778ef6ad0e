/* --report: models, poses of all frames and what was found in them, as one page that a browser
 * opens from disk (web/report). docs/report.md says what the file holds.
 */
#ifndef GRAZE_CLI_REPORT_H
#define GRAZE_CLI_REPORT_H

#include "cli/character.h"

struct report;

/* One of the bodies in a report. */
typedef struct report_body {
    const struct character *character;
    const char *clip; /* its name; NULL: none, or none known */
    double phase;     /* seconds */
    const char *only; /* its parts that take part, as the options name them; NULL: all */
} report_body;

typedef struct report_def {
    const char *command; /* "collide", "self" or "sweep": what a frame's hits are */
    const char *title;   /* NULL: made of the models' names */
    report_body bodies[2];
    size_t body_count; /* 1: against itself */
    uint32_t frame_count;
    bool first, only_new; /* what was asked left something out: said on the page */
    const char *between;  /* of one body: pairs of parts, as the option names them; NULL: all */
} report_def;

/* A body as it stands in a frame. */
typedef struct report_pose {
    graze_body *body; /* posed */
    const float *joints;
    const float *morph_weights;
    float placement[12];
} report_pose;

/* Opens the file, as other outputs are; without a path there is no report, and *made is NULL. All
 * of them print the error and return false on failure.
 */
bool report_open(struct report **made, const char *path);

/* The models; then for each frame its poses and what was found; then the end. */
bool report_begin(struct report *report, const report_def *def);
bool report_take_poses(struct report *report, double time, const report_pose *poses);

/* Pairs sorted by a, then b: of two bodies, or of one with itself. */
bool report_take_pairs(struct report *report, const report_pose *poses, const graze_pair *pairs,
                       size_t count);

/* Between the frame before and this one. */
void report_take_impact(struct report *report, const graze_impact *impact);
void report_end(struct report *report); /* NULL is fine, as it is for report_free */
void report_free(struct report *report);

/* The same of an instance. */
report_body instance_report_body(const struct instance *instance, const char *only);
report_pose instance_report_pose(const struct instance *instance);

#endif
