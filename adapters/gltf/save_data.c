/* The mesh, its morph targets and its skin in the written file. */
#include "writer.h"

#include <math.h>
#include <string.h>

enum { TYPE_U8 = 5121, TYPE_U16 = 5123, TYPE_U32 = 5125, TYPE_FLOAT = 5126 };
enum { TARGET_NONE = 0, TARGET_VERTICES = 34962, TARGET_INDICES = 34963 };

void grazei_gltf_begin_accessor(grazei_gltf_writer *writer)
{
    grazei_gltf_align(&writer->binary, 0);
    writer->accessor_start = writer->binary.size;
}

uint32_t grazei_gltf_end_accessor(grazei_gltf_writer *writer, uint32_t count, unsigned component,
                                  const char *type, unsigned target, const float *bounds)
{
    uint32_t components = strcmp(type, "SCALAR") == 0 ? 1 : 3; /* of those with bounds */
    const char *separator = writer->accessor_count ? "," : "";
    grazei_gltf_print(&writer->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu",
                      separator, writer->accessor_start,
                      writer->binary.size - writer->accessor_start);
    if (target)
        grazei_gltf_print(&writer->views, ",\"target\":%u", target);
    grazei_gltf_print(&writer->views, "}");
    grazei_gltf_print(&writer->accessors,
                      "%s{\"bufferView\":%u,\"componentType\":%u,\"count\":%u,\"type\":\"%s\"",
                      separator, writer->accessor_count, component, count, type);
    if (bounds) {
        grazei_gltf_print(&writer->accessors, ",\"min\":");
        grazei_gltf_put_numbers(&writer->accessors, bounds, components);
        grazei_gltf_print(&writer->accessors, ",\"max\":");
        grazei_gltf_put_numbers(&writer->accessors, bounds + components, components);
    }
    grazei_gltf_print(&writer->accessors, "}");
    return writer->accessor_count++;
}

/* Widens the bounds to the vectors. */
static void widen_bounds(float bounds[6], const float *vectors, uint32_t count)
{
    for (size_t i = 0; i < (size_t)count * 3; i++) {
        float value = vectors[i], *least = &bounds[i % 3], *greatest = &bounds[3 + i % 3];
        *least = value < *least ? value : *least;
        *greatest = value > *greatest ? value : *greatest;
    }
}

static uint32_t write_positions(grazei_gltf_writer *writer)
{
    const graze_rig *rig = writer->rig;
    float bounds[6];
    memcpy(bounds, rig->positions, 3 * sizeof *bounds);
    memcpy(bounds + 3, rig->positions, 3 * sizeof *bounds);
    widen_bounds(bounds, rig->positions, rig->vertex_count);
    grazei_gltf_begin_accessor(writer);
    grazei_gltf_put(&writer->binary, rig->positions,
                    (size_t)rig->vertex_count * 3 * sizeof *rig->positions);
    return grazei_gltf_end_accessor(writer, rig->vertex_count, TYPE_FLOAT, "VEC3", TARGET_VERTICES,
                                    bounds);
}

/* Adds the triangle's normal, as long as twice its area, to its three vertices. */
static void add_normal(const graze_rig *rig, const uint32_t corners[3], double *normals)
{
    double edge[2][3];
    for (int i = 0; i < 3; i++) {
        double origin = rig->positions[(size_t)corners[0] * 3 + i];
        edge[0][i] = rig->positions[(size_t)corners[1] * 3 + i] - origin;
        edge[1][i] = rig->positions[(size_t)corners[2] * 3 + i] - origin;
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double component = edge[0][j] * edge[1][k] - edge[0][k] * edge[1][j];
        for (int corner = 0; corner < 3; corner++)
            normals[(size_t)corners[corner] * 3 + i] += component;
    }
}

static graze_status write_normals(grazei_gltf_writer *writer, uint32_t *accessor)
{
    const graze_rig *rig = writer->rig;
    size_t size = (size_t)rig->vertex_count * 3 * sizeof(double);
    double *normals = rig->allocator.allocate(rig->allocator.user, size, 64);
    if (!normals)
        return grazei_gltf_refuse(writer, GRAZE_OUT_OF_MEMORY, "out of memory");
    memset(normals, 0, size);
    for (uint32_t t = 0; t < rig->triangle_count; t++)
        add_normal(rig, rig->triangles + (size_t)t * 3, normals);
    grazei_gltf_begin_accessor(writer);
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        const double *n = normals + (size_t)v * 3;
        double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        float unit[3] = {0, 1, 0}; /* for a vertex without area around it */
        for (int i = 0; i < 3 && length > 0 && isfinite(length); i++)
            unit[i] = (float)(n[i] / length);
        grazei_gltf_put(&writer->binary, unit, sizeof unit);
    }
    rig->allocator.release(rig->allocator.user, normals);
    *accessor = grazei_gltf_end_accessor(writer, rig->vertex_count, TYPE_FLOAT, "VEC3",
                                         TARGET_VERTICES, NULL);
    return GRAZE_OK;
}

static uint32_t write_indices(grazei_gltf_writer *writer)
{
    const graze_rig *rig = writer->rig;
    size_t count = (size_t)rig->triangle_count * 3;
    bool small = rig->vertex_count <= 65535;
    grazei_gltf_begin_accessor(writer);
    for (size_t i = 0; small && i < count; i++) {
        uint16_t index = (uint16_t)rig->triangles[i];
        grazei_gltf_put(&writer->binary, &index, sizeof index);
    }
    if (!small)
        grazei_gltf_put(&writer->binary, rig->triangles, count * sizeof *rig->triangles);
    return grazei_gltf_end_accessor(writer, (uint32_t)count, small ? TYPE_U16 : TYPE_U32, "SCALAR",
                                    TARGET_INDICES, NULL);
}

/* The influences of a vertex that weigh something, padded with zeros, count of them from skip; the
 * weights scaled to sum 1 if floats can tell that they do not.
 */
static void gather_influences(const graze_rig *rig, uint32_t vertex, uint32_t skip,
                              uint32_t joints[4], float weights[4])
{
    double sum = 0;
    uint32_t seen = 0, used = 0;
    const graze_influence *first = rig->influences + rig->influence_offsets[vertex];
    const graze_influence *end = rig->influences + rig->influence_offsets[vertex + 1];
    for (const graze_influence *i = first; i < end; i++) {
        sum += i->weight;
        used += i->weight > 0;
    }
    double scale = fabs(sum - 1) <= 1e-7 * used ? 1 : 1 / sum;
    memset(joints, 0, 4 * sizeof *joints);
    memset(weights, 0, 4 * sizeof *weights);
    for (const graze_influence *i = first; i < end; i++) {
        if (!(i->weight > 0))
            continue;
        if (seen >= skip && seen < skip + 4) {
            joints[seen - skip] = i->joint;
            weights[seen - skip] = (float)(i->weight * scale);
        }
        seen++;
    }
}

static uint32_t write_joint_set(grazei_gltf_writer *writer, uint32_t skip)
{
    const graze_rig *rig = writer->rig;
    bool small = rig->joint_count <= 256;
    uint32_t joints[4];
    float weights[4];
    grazei_gltf_begin_accessor(writer);
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        gather_influences(rig, v, skip, joints, weights);
        for (int i = 0; i < 4; i++) {
            uint16_t wide = (uint16_t)joints[i];
            uint8_t narrow = (uint8_t)joints[i];
            grazei_gltf_put(&writer->binary, small ? (void *)&narrow : (void *)&wide,
                            small ? 1 : 2);
        }
    }
    return grazei_gltf_end_accessor(writer, rig->vertex_count, small ? TYPE_U8 : TYPE_U16, "VEC4",
                                    TARGET_VERTICES, NULL);
}

static uint32_t write_weight_set(grazei_gltf_writer *writer, uint32_t skip)
{
    const graze_rig *rig = writer->rig;
    uint32_t joints[4];
    float weights[4];
    grazei_gltf_begin_accessor(writer);
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        gather_influences(rig, v, skip, joints, weights);
        grazei_gltf_put(&writer->binary, weights, sizeof weights);
    }
    return grazei_gltf_end_accessor(writer, rig->vertex_count, TYPE_FLOAT, "VEC4", TARGET_VERTICES,
                                    NULL);
}

/* A morph target with a displacement for every vertex, as every program reads it. */
static uint32_t write_target(grazei_gltf_writer *writer, const graze_rig_morph *morph)
{
    static const float none[3];
    uint32_t vertex_count = writer->rig->vertex_count, next = 0;
    float bounds[6] = {0};
    if (morph->count == vertex_count) {
        memcpy(bounds, morph->deltas, 3 * sizeof *bounds);
        memcpy(bounds + 3, morph->deltas, 3 * sizeof *bounds);
    }
    widen_bounds(bounds, morph->deltas, morph->count);
    grazei_gltf_begin_accessor(writer);
    for (uint32_t v = 0; v < vertex_count; v++) {
        bool moves = next < morph->count && morph->vertices[next] == v;
        grazei_gltf_put(&writer->binary, moves ? morph->deltas + (size_t)next * 3 : none,
                        sizeof none);
        next += moves;
    }
    return grazei_gltf_end_accessor(writer, vertex_count, TYPE_FLOAT, "VEC3", TARGET_VERTICES,
                                    bounds);
}

/* ,"targets":[...] of the primitive, or nothing. */
static void write_targets(grazei_gltf_writer *writer)
{
    const graze_rig *rig = writer->rig;
    for (uint32_t m = 0; m < rig->morph_count; m++)
        grazei_gltf_print(&writer->json, "%s{\"POSITION\":%u}", m ? "," : ",\"targets\":[",
                          write_target(writer, &rig->morphs[m]));
    if (rig->morph_count > 0)
        grazei_gltf_print(&writer->json, "]");
}

/* ,"weights":[...] of the mesh, or nothing. */
static void write_rest_weights(grazei_gltf_writer *writer)
{
    const graze_rig *rig = writer->rig;
    for (uint32_t m = 0; m < rig->morph_count; m++) {
        char number[32];
        grazei_gltf_format_number(number, rig->morphs[m].weight);
        grazei_gltf_print(&writer->json, "%s%s", m ? "," : ",\"weights\":[", number);
    }
    if (rig->morph_count > 0)
        grazei_gltf_print(&writer->json, "]");
}

static uint32_t most_influences(const graze_rig *rig)
{
    uint32_t most = 1;
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        uint32_t used = 0;
        for (uint32_t i = rig->influence_offsets[v]; i < rig->influence_offsets[v + 1]; i++)
            used += rig->influences[i].weight > 0;
        most = used > most ? used : most;
    }
    return most;
}

uint32_t grazei_gltf_write_binds(grazei_gltf_writer *writer)
{
    const graze_rig *rig = writer->rig;
    grazei_gltf_begin_accessor(writer);
    for (uint32_t j = 0; j < rig->joint_count; j++) {
        float columns[16] = {[15] = 1};
        for (int i = 0; i < 12; i++)
            columns[i % 4 * 4 + i / 4] = rig->joints[j].inverse_bind[i];
        grazei_gltf_put(&writer->binary, columns, sizeof columns);
    }
    return grazei_gltf_end_accessor(writer, rig->joint_count, TYPE_FLOAT, "MAT4", TARGET_NONE,
                                    NULL);
}

void grazei_gltf_write_skin(grazei_gltf_writer *writer, uint32_t binds)
{
    const graze_rig *rig = writer->rig;
    grazei_gltf_print(&writer->json, "{\"inverseBindMatrices\":%u,\"joints\":", binds);
    for (uint32_t j = 0; j < rig->joint_count; j++)
        grazei_gltf_print(&writer->json, "%c%u", j ? ',' : '[',
                          writer->first_node + writer->plan.joint_nodes[j]);
    grazei_gltf_print(&writer->json, "]}");
}

graze_status grazei_gltf_write_mesh(grazei_gltf_writer *writer, uint32_t material, bool skinned)
{
    uint32_t sets = skinned ? (most_influences(writer->rig) + 3) / 4 : 0, normals = 0;
    uint32_t positions = write_positions(writer);
    graze_status status = write_normals(writer, &normals);
    if (status != GRAZE_OK)
        return status;
    grazei_gltf_print(&writer->json, "{\"primitives\":[{\"material\":%u,\"indices\":%u,", material,
                      write_indices(writer));
    grazei_gltf_print(&writer->json, "\"attributes\":{\"POSITION\":%u,\"NORMAL\":%u", positions,
                      normals);
    for (uint32_t set = 0; set < sets; set++) {
        uint32_t joints = write_joint_set(writer, set * 4);
        uint32_t weights = write_weight_set(writer, set * 4);
        grazei_gltf_print(&writer->json, ",\"JOINTS_%u\":%u,\"WEIGHTS_%u\":%u", set, joints, set,
                          weights);
    }
    grazei_gltf_print(&writer->json, "}");
    write_targets(writer);
    grazei_gltf_print(&writer->json, "}]");
    write_rest_weights(writer);
    if (writer->rig->mesh_count == 1 && writer->rig->meshes[0].extras) {
        const char *extras = writer->rig->meshes[0].extras;
        grazei_gltf_print(&writer->json, ",\"extras\":");
        grazei_gltf_put(&writer->json, extras, strlen(extras));
    }
    grazei_gltf_print(&writer->json, "}");
    return GRAZE_OK;
}
