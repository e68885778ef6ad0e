/* The glTF reader's state and the steps between its files. Private to the adapter.
 *
 * Every step returns a status and, on failure, has recorded a text in reader->error. What a step
 * takes is owned by the reader or by reader->rig, so there is one place that frees it all.
 */
#ifndef GRAZEI_GLTF_READER_H
#define GRAZEI_GLTF_READER_H

#include "errors.h"

#include <graze/gltf.h>

#include <cjson/cJSON.h>

#define GRAZEI_GLTF_TRY(step)                                                                      \
    do {                                                                                           \
        graze_status try_status = (step);                                                          \
        if (try_status != GRAZE_OK)                                                                \
            return try_status;                                                                     \
    } while (0)

/* A place in the file for error texts: "meshes[0].primitives[1]". */
typedef struct grazei_gltf_place {
    char text[80];
} grazei_gltf_place;

/* A top-level array of objects with constant-time access (cJSON's own is linear). */
typedef struct grazei_gltf_table {
    const char *name;
    const cJSON **items;
    uint32_t count;
} grazei_gltf_table;

typedef struct grazei_gltf_buffer {
    const unsigned char *data; /* NULL until first used */
    void *owned;               /* what is to be released, if anything */
    size_t size;               /* byteLength, checked against what is there */
} grazei_gltf_buffer;

/* The bytes of a buffer view. */
typedef struct grazei_gltf_view {
    const unsigned char *data;
    size_t size;
    size_t stride; /* 0: packed */
} grazei_gltf_view;

/* A view is opened once, however many accessors there are of it. */
typedef struct grazei_gltf_opened_view {
    grazei_gltf_view view;   /* data is NULL until it is open */
    unsigned char *unpacked; /* NULL unless it was compressed */
} grazei_gltf_opened_view;

typedef struct grazei_gltf_accessor {
    uint32_t index;
    uint32_t count;
    uint32_t components;
    uint32_t component_type;
    size_t component_size;
    bool normalized;
    const unsigned char *data; /* NULL: zeros */
    size_t stride;
    uint32_t sparse_count;
    uint32_t sparse_index_type;
    const unsigned char *sparse_indices;
    const unsigned char *sparse_values;
} grazei_gltf_accessor;

/* Where the displacements of an accessor are that a morph target has already taken. */
typedef struct grazei_gltf_gathered {
    uint32_t morph; /* of the rig's, or GRAZE_NONE */
    uint32_t first, count;
    uint32_t first_vertex;
} grazei_gltf_gathered;

typedef enum grazei_gltf_accessor_state {
    GRAZEI_GLTF_UNREAD = 0,
    GRAZEI_GLTF_DESCRIBED,
    GRAZEI_GLTF_OPENED
} grazei_gltf_accessor_state;

/* An accessor is read from the JSON text once, and so is what else is found out about it. */
typedef struct grazei_gltf_opened_accessor {
    grazei_gltf_accessor accessor;
    const char *type; /* "VEC3" */
    grazei_gltf_accessor_state state;
    grazei_gltf_gathered gathered;
    bool has_times; /* they ascend, the last is last_time */
    float last_time;
} grazei_gltf_opened_accessor;

/* One mesh as one node of the scene shows it. */
typedef struct grazei_gltf_instance {
    uint32_t node;
    uint32_t mesh;
    uint32_t skin; /* GRAZE_NONE: it moves with the node */
    uint32_t first_joint;
    uint32_t joint_count;
    uint32_t first_morph;
    uint32_t morph_count;
} grazei_gltf_instance;

/* Reusable workspaces, one for each thing that is needed at the same time. */
typedef enum grazei_gltf_slot {
    GRAZEI_GLTF_SLOT_INDICES,
    GRAZEI_GLTF_SLOT_JOINTS,
    GRAZEI_GLTF_SLOT_WEIGHTS,
    GRAZEI_GLTF_SLOT_DELTAS,
    GRAZEI_GLTF_SLOT_MORPH,
    GRAZEI_GLTF_SLOT_NODES,
    GRAZEI_GLTF_SLOT_DRACO,
    GRAZEI_GLTF_SLOT_COUNT
} grazei_gltf_slot;

typedef struct grazei_gltf_workspace {
    void *memory;
    size_t size;
} grazei_gltf_workspace;

/* What a primitive's Draco stream held. */
typedef struct grazei_gltf_unpacked_attribute {
    const char *key; /* "POSITION" */
    size_t size;     /* of an element, as its accessor says */
    unsigned char *values;
} grazei_gltf_unpacked_attribute;

typedef struct grazei_gltf_unpacked {
    uint32_t *indices; /* NULL: not compressed */
    uint32_t point_count;
    grazei_gltf_unpacked_attribute *attributes;
    uint32_t attribute_count;
} grazei_gltf_unpacked;

/* A primitive that shows triangles. */
typedef struct grazei_gltf_primitive {
    grazei_gltf_place place;
    const cJSON *json;
    const cJSON *attributes;
    grazei_gltf_unpacked unpacked;
    uint32_t mode;
    grazei_gltf_accessor positions;
    bool has_indices;
    grazei_gltf_accessor indices;
    uint32_t triangle_count;
    uint32_t material;  /* GRAZE_NONE: none */
    uint32_t *sets;     /* accessors of JOINTS_0, WEIGHTS_0, JOINTS_1 and so on */
    uint32_t set_count; /* 0 unless it is under a skin */
    uint32_t *targets;  /* accessors of displacements, or GRAZE_NONE */
} grazei_gltf_primitive;

/* A mesh is read from the JSON text once, however many nodes show it. */
typedef struct grazei_gltf_mesh {
    grazei_gltf_primitive *primitives; /* those that show triangles; NULL: not read */
    uint32_t primitive_count;
    uint32_t morph_count;
    uint32_t first_instance; /* the first of the mesh, or GRAZE_NONE */
    float *weights;          /* morph_count of them; NULL: not read */
} grazei_gltf_mesh;

/* What a file may take. */
typedef struct grazei_gltf_budget {
    uint64_t limit; /* bytes */
    uint64_t taken;
    uint64_t file_size; /* with its buffers */
    bool is_given;      /* the limit is the caller's, whatever the size */
} grazei_gltf_budget;

/* Files of buffers whose sizes have been counted. */
enum { GRAZEI_GLTF_MOST_FILES = 64 };

typedef struct grazei_gltf_file_id {
    uint64_t device, number;
} grazei_gltf_file_id;

/* What is read although it is wrong, or left out: told once a file, with how often it is so. */
typedef enum grazei_gltf_warning_kind {
    GRAZEI_GLTF_EQUAL_TIMES,
    GRAZEI_GLTF_DRACO_POINTS,
    GRAZEI_GLTF_HIDDEN,
    GRAZEI_GLTF_BAD_TEXT,
    GRAZEI_GLTF_WARNING_COUNT
} grazei_gltf_warning_kind;

typedef struct grazei_gltf_warning {
    char text[160]; /* of the first */
    uint32_t count;
} grazei_gltf_warning;

typedef struct grazei_gltf_reader {
    char label[GRAZEI_GLTF_LABEL]; /* the file in error texts: its name, or the end of a long one */
    const char *base_path;
    graze_allocator allocator;
    graze_error *error; /* may be NULL */

    cJSON *json;
    const unsigned char *binary; /* the GLB's BIN chunk, or NULL */
    size_t binary_size;

    grazei_gltf_table buffers, views, accessors, meshes, skins, nodes, scenes, animations;
    grazei_gltf_buffer *buffer_data; /* one for each of buffers, and so on */
    grazei_gltf_opened_view *view_data;
    grazei_gltf_opened_accessor *accessor_data;
    grazei_gltf_mesh *mesh_data;

    uint32_t *scene_nodes; /* the scene's nodes, depth first */
    uint32_t scene_node_count;
    uint32_t *node_instance; /* instance of each node, or GRAZE_NONE */
    bool *node_has_mesh;
    grazei_gltf_instance *instances;
    uint32_t instance_count;
    uint32_t *skin_user; /* the first instance of each skin, or GRAZE_NONE */

    grazei_gltf_workspace workspaces[GRAZEI_GLTF_SLOT_COUNT];
    graze_rig *rig;

    grazei_gltf_budget budget;
    grazei_gltf_place where; /* what is being read: the place of a text about memory */
    grazei_gltf_file_id files[GRAZEI_GLTF_MOST_FILES];
    uint32_t file_count;

    void (*warn)(void *user, const char *text); /* may be NULL */
    void *warn_user;
    bool may_be_empty;
    grazei_gltf_warning warnings[GRAZEI_GLTF_WARNING_COUNT];
} grazei_gltf_reader;

/* --- memory.c --------------------------------------------------------------------------- */

/* Records "FILE: text" on one line and returns status. */
graze_status grazei_gltf_fail(grazei_gltf_reader *reader, graze_status status, const char *format,
                              ...) __attribute__((format(printf, 3, 4)));
grazei_gltf_place grazei_gltf_at(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What is read from here on, for texts about memory. */
void grazei_gltf_enter(grazei_gltf_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Notes what is read all the same; grazei_gltf_tell_warnings tells it. */
void grazei_gltf_warn(grazei_gltf_reader *reader, grazei_gltf_warning_kind kind, const char *format,
                      ...) __attribute__((format(printf, 3, 4)));
void grazei_gltf_tell_warnings(grazei_gltf_reader *reader);

/* How much the file may take, once so many bytes more of it are known. */
void grazei_gltf_grow_budget(grazei_gltf_reader *reader, uint64_t bytes);
/* Whether so much more may be taken: else the failure is recorded. */
graze_status grazei_gltf_afford(grazei_gltf_reader *reader, uint64_t bytes);
/* The same, and it is taken, until it is given back. */
graze_status grazei_gltf_charge(grazei_gltf_reader *reader, uint64_t bytes);
void grazei_gltf_refund(grazei_gltf_reader *reader, uint64_t bytes);
/* What a block of that size costs. */
uint64_t grazei_gltf_cost(uint64_t count, size_t size);

/* Zeroed memory for count items (at least one), or NULL with the failure recorded. */
void *grazei_gltf_allocate(grazei_gltf_reader *reader, size_t count, size_t size);
void grazei_gltf_release(grazei_gltf_reader *reader, void *memory);
/* At least count x size bytes with any content, valid until the slot is asked for again. */
void *grazei_gltf_work(grazei_gltf_reader *reader, grazei_gltf_slot slot, size_t count,
                       size_t size);

/* --- json.c ----------------------------------------------------------------------------- */

/* The member, or NULL if it is not there (names are case-sensitive). */
const cJSON *grazei_gltf_member(const cJSON *object, const char *key);
graze_status grazei_gltf_array(grazei_gltf_reader *reader, const cJSON *object, const char *key,
                               const char *place, const cJSON **array, uint32_t *count);
graze_status grazei_gltf_object(grazei_gltf_reader *reader, const cJSON *object, const char *key,
                                const char *place, const cJSON **member);
graze_status grazei_gltf_size(grazei_gltf_reader *reader, const cJSON *object, const char *key,
                              const char *place, uint64_t fallback, uint64_t *value);
/* An index below count; GRAZE_NONE if it is not there. */
graze_status grazei_gltf_index(grazei_gltf_reader *reader, const cJSON *object, const char *key,
                               const char *place, uint32_t count, uint32_t *index);
graze_status grazei_gltf_index_value(grazei_gltf_reader *reader, const cJSON *item,
                                     const char *place, uint32_t count, uint32_t *index);
/* Exactly count finite numbers; *present says whether they are there. */
graze_status grazei_gltf_floats(grazei_gltf_reader *reader, const cJSON *object, const char *key,
                                const char *place, uint32_t count, float *values, bool *present);
graze_status grazei_gltf_extras(grazei_gltf_reader *reader, const cJSON *object, char **extras);
/* A copy of a text, in UTF-8 whatever it was; NULL stays NULL. */
graze_status grazei_gltf_copy_text(grazei_gltf_reader *reader, const char *text, char **copy);
graze_status grazei_gltf_name(grazei_gltf_reader *reader, const cJSON *object, char **name);
graze_status grazei_gltf_make_table(grazei_gltf_reader *reader, const cJSON *object,
                                    const char *key, const char *place, grazei_gltf_table *table);

/* --- uri.c ------------------------------------------------------------------------------ */

bool grazei_gltf_is_data_uri(const char *uri);
/* Both fill *memory (to be released) and *size. */
graze_status grazei_gltf_decode_data(grazei_gltf_reader *reader, const char *uri, const char *place,
                                     void **memory, size_t *size);
graze_status grazei_gltf_read_uri(grazei_gltf_reader *reader, const char *uri, const char *place,
                                  uint64_t most, void **memory, size_t *size);

/* --- file.c ----------------------------------------------------------------------------- */

/* The first `most` bytes of a regular file, or all if it is shorter; place is put before texts (""
 * or "buffers[0]: ").
 */
graze_status grazei_gltf_read_file(grazei_gltf_reader *reader, const char *path, const char *place,
                                   uint64_t most, void **memory, size_t *size);

/* --- container.c ------------------------------------------------------------------------ */

/* Splits a GLB, or takes the text as it is; parses the JSON and makes the tables. */
graze_status grazei_gltf_open(grazei_gltf_reader *reader, const unsigned char *data, size_t size);

/* --- buffers.c -------------------------------------------------------------------------- */

graze_status grazei_gltf_open_view(grazei_gltf_reader *reader, uint32_t index,
                                   grazei_gltf_view *view);
/* The bytes that buffer, byteOffset and byteLength of an object name, and its byteStride. */
graze_status grazei_gltf_open_bytes(grazei_gltf_reader *reader, const cJSON *json,
                                    const char *place, grazei_gltf_view *view);

/* --- meshopt.c -------------------------------------------------------------------------- */

#define GRAZEI_GLTF_NEEDS_MESHOPT                                                                  \
    "is compressed by meshoptimizer; build with `make all` (libmeshoptimizer-dev)"

/* NULL if the view is not compressed. */
graze_status grazei_gltf_meshopt_extension(grazei_gltf_reader *reader, const cJSON *view,
                                           const char *place, const cJSON **extension);
/* The size bytes of a compressed view. Without the decoder *data is NULL if the view's own buffer
 * has the same uncompressed.
 */
graze_status grazei_gltf_unpack_view(grazei_gltf_reader *reader, uint32_t index,
                                     const cJSON *extension, size_t size,
                                     const unsigned char **data);

/* --- accessors.c ------------------------------------------------------------------------ */

/* Checks every range of the accessor; type is the one that place needs ("VEC3"). */
graze_status grazei_gltf_open_accessor(grazei_gltf_reader *reader, uint32_t index, const char *type,
                                       const char *place, grazei_gltf_accessor *accessor);
/* What the accessor says of its elements, without their bytes. */
graze_status grazei_gltf_describe_accessor(grazei_gltf_reader *reader, uint32_t index,
                                           const char *type, const char *place,
                                           grazei_gltf_accessor *accessor);
/* The same, and it must have data of its own: zeros make no sense there. */
graze_status grazei_gltf_open_filled(grazei_gltf_reader *reader, uint32_t index, const char *type,
                                     const char *place, grazei_gltf_accessor *accessor);
/* count x components values; finite ones, else an error that names the element. */
graze_status grazei_gltf_read_floats(grazei_gltf_reader *reader,
                                     const grazei_gltf_accessor *accessor, float *values);
/* The same of the first count elements alone. */
graze_status grazei_gltf_read_first(grazei_gltf_reader *reader,
                                    const grazei_gltf_accessor *accessor, uint32_t count,
                                    float *values);
graze_status grazei_gltf_read_integers(grazei_gltf_reader *reader,
                                       const grazei_gltf_accessor *accessor, uint32_t *values);

/* --- nodes.c ---------------------------------------------------------------------------- */

/* Fills rig->nodes and lists the scene's nodes. */
graze_status grazei_gltf_read_nodes(grazei_gltf_reader *reader);
/* Scales q to length 1 unless it already is as nearly as floats can be; false if it is zero. */
bool grazei_gltf_normalise(float q[4]);
/* glTF's 16 columns to 3 rows of 4; false if the last row is not 0 0 0 1. */
bool grazei_gltf_to_rows(const float columns[16], float rows[12]);

/* --- scene.c ---------------------------------------------------------------------------- */

/* Finds parents, refuses cycles and second parents, lists the scene's nodes depth first. */
graze_status grazei_gltf_read_tree(grazei_gltf_reader *reader);

/* --- visibility.c ----------------------------------------------------------------------- */

/* Takes the nodes that KHR_node_visibility hides out of the scene's, with all below them. */
graze_status grazei_gltf_hide_nodes(grazei_gltf_reader *reader);

/* --- primitives.c ----------------------------------------------------------------------- */

/* Opens every primitive of a mesh, if that was not done before. */
graze_status grazei_gltf_open_mesh(grazei_gltf_reader *reader, uint32_t index);
void grazei_gltf_release_meshes(grazei_gltf_reader *reader);
/* The accessor of one of its attributes, whose numbers may come out of a Draco stream. */
graze_status grazei_gltf_open_attribute(grazei_gltf_reader *reader,
                                        const grazei_gltf_primitive *primitive, uint32_t index,
                                        const char *key, const char *type,
                                        grazei_gltf_accessor *accessor);

/* --- meshes.c --------------------------------------------------------------------------- */

/* Fills positions, triangles, influences, joints and morphs of the rig. */
graze_status grazei_gltf_read_meshes(grazei_gltf_reader *reader);

/* --- draco.c ---------------------------------------------------------------------------- */

#define GRAZEI_GLTF_NEEDS_DRACO "is compressed by Draco; build with `make all` (libdraco-dev)"

/* Fills primitive->unpacked if the primitive, whose attributes are known, is compressed. */
graze_status grazei_gltf_unpack_primitive(grazei_gltf_reader *reader,
                                          grazei_gltf_primitive *primitive);
/* NULL if the attribute is not in the primitive's stream, or there is none. */
const unsigned char *grazei_gltf_unpacked_values(const grazei_gltf_primitive *primitive,
                                                 const char *key);
void grazei_gltf_release_unpacked(grazei_gltf_reader *reader, grazei_gltf_unpacked *unpacked);

/* --- skins.c ---------------------------------------------------------------------------- */

/* Gives the instance its joints: a skin's once, a rigid mesh one of its own. */
graze_status grazei_gltf_plan_joints(grazei_gltf_reader *reader, grazei_gltf_instance *instance);
graze_status grazei_gltf_read_joints(grazei_gltf_reader *reader);
/* Which JOINTS_n and WEIGHTS_n the primitive has; once. */
graze_status grazei_gltf_list_sets(grazei_gltf_reader *reader, grazei_gltf_primitive *primitive);
/* Appends the influences of the primitive's vertices, which start at first_vertex. */
graze_status grazei_gltf_read_influences(grazei_gltf_reader *reader,
                                         const grazei_gltf_instance *instance,
                                         const grazei_gltf_primitive *primitive,
                                         uint32_t first_vertex);

/* --- morphs.c --------------------------------------------------------------------------- */

/* The morphs of one instance, whose first vertex is first_vertex. */
graze_status grazei_gltf_read_morphs(grazei_gltf_reader *reader,
                                     const grazei_gltf_instance *instance, uint32_t first_vertex);

/* --- animations.c ----------------------------------------------------------------------- */

graze_status grazei_gltf_read_animations(grazei_gltf_reader *reader);

#endif
