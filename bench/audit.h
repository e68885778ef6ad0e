/* bench audit: what its tables share. */
#ifndef GRAZE_BENCH_AUDIT_H
#define GRAZE_BENCH_AUDIT_H

#include "bench/queries.h"

#include "audit/audit.h"
#include "cli/audit.h"

/* A model and the parts by its joints, ready to be audited. */
typedef struct audit_scene {
    struct character character;
    audit_parts parts;
    graze_audit_subject *subject;
} audit_scene;

/* name: as the command takes it, "builtin:man:28272"; motion: in place of its clips, or NULL. */
void audit_scene_open(audit_scene *scene, const char *name, const queries_motion *motion);
void audit_scene_close(audit_scene *scene);

/* Writes it to a new file, whose name replaces the X in /tmp/...XXXXXX.glb. */
void audit_scene_save(const audit_scene *scene, char *path);

/* "builtin:KIND:N", N of --triangles where that was given. */
const char *audit_scene_name(char text[64], const char *kind, uint32_t triangles);

/* A dance of 548 frames at 30 a second. */
extern const queries_motion audit_dance;

void audit_bench_frames(void);
void audit_bench_file(void);
void audit_bench_nodes(void);

#endif
