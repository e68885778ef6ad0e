/* The GLB writer's state and the steps between its files. Private to the adapter.
 *
 * A file holds one rig with its clips (save.c) or a scene of many (save_scene.c). Steps that write
 * a node tree, mesh, skin or channel are about writer->rig, whose nodes start at
 * writer->first_node.
 */
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
    graze_allocator allocator;
    const graze_rig *rig;
    uint32_t first_node; /* number of the rig's node 0 in the file */
    const char *prefix;  /* stands with a colon before the names of its nodes; NULL: nothing does */
    const char *path;
    graze_error *error; /* may be NULL */
    grazei_gltf_bytes json;
    grazei_gltf_bytes binary;
    grazei_gltf_bytes views;     /* JSON of the buffer views, comma-separated */
    grazei_gltf_bytes accessors; /* the same of the accessors: number i is view i */
    uint32_t accessor_count;
    size_t accessor_start;      /* where the open accessor's data begin */
    grazei_gltf_bytes channels; /* JSON of the open clip's channels; else for text in the making */
    uint32_t channel_count;     /* of the open clip */
    const graze_rig_channel *channel_before;
    uint32_t times_before; /* its accessor of key times */
    grazei_gltf_node_plan plan;
} grazei_gltf_writer;

graze_status grazei_gltf_refuse(grazei_gltf_writer *writer, graze_status status, const char *format,
                                ...) __attribute__((format(printf, 3, 4)));

/* --- save.c ----------------------------------------------------------------------------- */

void grazei_gltf_begin_writer(grazei_gltf_writer *writer, const graze_allocator *allocator,
                              const char *path, graze_error *error);
void grazei_gltf_end_writer(grazei_gltf_writer *writer);
/* Ends the JSON and writes the file. */
graze_status grazei_gltf_write_file(grazei_gltf_writer *writer);

/* --- save_nodes.c ----------------------------------------------------------------------- */

/* Plans the nodes; refuses parents that are out of range or go round in circles. */
graze_status grazei_gltf_plan_nodes(grazei_gltf_writer *writer);
void grazei_gltf_free_plan(grazei_gltf_writer *writer);
/* The planned nodes, each with a comma behind it. The node mesh_node (of the rig; GRAZE_NONE: none)
 * shows the mesh.
 */
void grazei_gltf_write_nodes(grazei_gltf_writer *writer, uint32_t mesh_node, uint32_t mesh);

/* --- save_data.c ------------------------------------------------------------------------ */

/* Data put into writer->binary between these two are one accessor; its number is returned. bounds
 * are the least and the greatest of each component, or NULL; target is the view's, or 0.
 */
void grazei_gltf_begin_accessor(grazei_gltf_writer *writer);
uint32_t grazei_gltf_end_accessor(grazei_gltf_writer *writer, uint32_t count, unsigned component,
                                  const char *type, unsigned target, const float *bounds);
/* The mesh as an object, with or without what a skin needs. */
graze_status grazei_gltf_write_mesh(grazei_gltf_writer *writer, uint32_t material, bool skinned);
/* Inverse bind matrices, and the skin with them, as an object. */
uint32_t grazei_gltf_write_binds(grazei_gltf_writer *writer);
void grazei_gltf_write_skin(grazei_gltf_writer *writer, uint32_t binds);

/* --- save_clips.c ----------------------------------------------------------------------- */

/* An animation as an object: begun, filled with channels that move a node of the file, and ended.
 */
void grazei_gltf_begin_clip(grazei_gltf_writer *writer, const char *name);
void grazei_gltf_write_channel(grazei_gltf_writer *writer, const graze_rig_channel *channel,
                               uint32_t node);
void grazei_gltf_end_clip(grazei_gltf_writer *writer);
/* ,"animations":[...] of all the rig's clips, or nothing. */
void grazei_gltf_write_clips(grazei_gltf_writer *writer);

/* --- save_check.c ----------------------------------------------------------------------- */

/* Everything a valid file needs of the rig, its clips apart, and of a clip. */
graze_status grazei_gltf_check_rig(grazei_gltf_writer *writer);
graze_status grazei_gltf_check_clip(grazei_gltf_writer *writer, const graze_rig_clip *clip,
                                    uint32_t number);

#endif
