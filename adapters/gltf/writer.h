/* The GLB writer's state and the steps between its files. Private to the adapter. */
#ifndef GRAZEI_GLTF_WRITER_H
#define GRAZEI_GLTF_WRITER_H

#include "output.h"

#include <graze/gltf.h>

/* The nodes as written: first the rig's own, with their numbers; then one for each joint whose node
 * another joint has already (a skin may not list a node twice); then, if the rig has several roots,
 * one above them (a skin's joints need a common root); last the node that carries the mesh.
 */
typedef struct grazei_gltf_node_plan {
    uint32_t count;         /* all but the mesh node, whose number this is */
    uint32_t *parents;      /* GRAZE_NONE for roots */
    uint32_t *first_child;  /* one more than there are nodes: the last lists the roots */
    uint32_t *next_sibling; /* GRAZE_NONE at the end */
    uint32_t *joint_nodes;  /* the node of each joint */
} grazei_gltf_node_plan;

typedef struct grazei_gltf_writer {
    const graze_rig *rig;
    const char *path;
    graze_error *error; /* may be NULL */
    grazei_gltf_bytes json;
    grazei_gltf_bytes binary;
    grazei_gltf_bytes views;     /* JSON of the buffer views, comma-separated */
    grazei_gltf_bytes accessors; /* the same of the accessors: number i is view i */
    uint32_t accessor_count;
    size_t accessor_start; /* where the open accessor's data begin */
    grazei_gltf_node_plan plan;
} grazei_gltf_writer;

graze_status grazei_gltf_refuse(grazei_gltf_writer *writer, graze_status status, const char *format,
                                ...) __attribute__((format(printf, 3, 4)));

/* --- save_nodes.c ----------------------------------------------------------------------- */

/* Plans the nodes; refuses parents that are out of range or go round in circles. */
graze_status grazei_gltf_plan_nodes(grazei_gltf_writer *writer);
void grazei_gltf_free_plan(grazei_gltf_writer *writer);
/* "scenes":[...],"nodes":[...] */
void grazei_gltf_write_nodes(grazei_gltf_writer *writer);

/* --- save_data.c ------------------------------------------------------------------------ */

/* Data put into writer->binary between these two are one accessor; its number is returned. bounds
 * are the least and the greatest of each component, or NULL; target is the view's, or 0.
 */
void grazei_gltf_begin_accessor(grazei_gltf_writer *writer);
uint32_t grazei_gltf_end_accessor(grazei_gltf_writer *writer, uint32_t count, unsigned component,
                                  const char *type, unsigned target, const float *bounds);
/* "meshes":[...],"skins":[...] and the data they refer to. */
graze_status grazei_gltf_write_mesh(grazei_gltf_writer *writer);

/* --- save_clips.c ----------------------------------------------------------------------- */

/* ,"animations":[...] or nothing. */
void grazei_gltf_write_clips(grazei_gltf_writer *writer);

/* --- save_check.c ----------------------------------------------------------------------- */

/* Everything a valid file needs of the rig. */
graze_status grazei_gltf_check_rig(grazei_gltf_writer *writer);

#endif
