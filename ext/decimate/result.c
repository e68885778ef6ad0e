/* What is left, in arrays of its own. */
#include "base/memory.h"
#include "decimate/decimate.h"
#include "math/rounding.h"

#include <math.h>
#include <string.h>

struct graze_decimated {
    graze_allocator allocator;
    graze_model_def def; /* of the model, with the arrays below */
    float error;
    uint32_t *vertices; /* of the model: those that are left */
    uint32_t *sources;  /* of the model: its triangles */
    float *positions;
    uint32_t *triangles;
    uint32_t *offsets;
    graze_influence *influences;
    uint32_t *vertex_parts, *triangle_parts;
    graze_morph_target *morphs;
    uint32_t *morph_vertices;
    float *deltas;
};

/* New numbers of the vertices that are left, UINT32_MAX for others; writes the model's. */
static uint32_t number_vertices(const grazei_surface *s, uint32_t *numbers, uint32_t *vertices)
{
    const grazei_mesh *mesh = &s->model->mesh;
    uint32_t count = 0;
    memset(numbers, 0xff, mesh->vertex_count * sizeof *numbers);
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (uint32_t k = 0; s->triangles[3 * t] != UINT32_MAX && k < 3; k++)
            numbers[s->triangles[3 * t + k]] = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (numbers[v] == 0) {
            vertices[count] = v;
            numbers[v] = count++;
        }
    return count;
}

static bool allocate(graze_decimated *d, const grazei_mesh *mesh, uint32_t triangles)
{
    const graze_allocator *a = &d->allocator;
    size_t influences = mesh->influence_offsets[mesh->vertex_count];
    size_t deltas = mesh->morph_count ? mesh->morph_offsets[mesh->morph_count] : 0;
    d->vertices = GRAZEI_ALLOCATE(a, mesh->vertex_count, uint32_t);
    d->sources = GRAZEI_ALLOCATE(a, triangles, uint32_t);
    d->positions = GRAZEI_ALLOCATE(a, 3 * (size_t)mesh->vertex_count, float);
    d->triangles = GRAZEI_ALLOCATE(a, 3 * (size_t)triangles, uint32_t);
    d->offsets = GRAZEI_ALLOCATE(a, (size_t)mesh->vertex_count + 1, uint32_t);
    d->influences = GRAZEI_ALLOCATE(a, influences, graze_influence);
    d->vertex_parts = GRAZEI_ALLOCATE(a, mesh->vertex_count, uint32_t);
    d->triangle_parts = GRAZEI_ALLOCATE(a, triangles, uint32_t);
    d->morphs = GRAZEI_ALLOCATE(a, mesh->morph_count, graze_morph_target);
    d->morph_vertices = GRAZEI_ALLOCATE(a, deltas, uint32_t);
    d->deltas = GRAZEI_ALLOCATE(a, 3 * deltas, float);
    return d->vertices && d->sources && d->positions && d->triangles && d->offsets &&
           d->influences && d->vertex_parts && d->triangle_parts && d->morphs &&
           d->morph_vertices && d->deltas;
}

static void write_vertices(graze_decimated *d, const grazei_mesh *mesh, uint32_t count)
{
    uint32_t written = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = d->vertices[i];
        memcpy(d->positions + 3 * (size_t)i, mesh->positions + 3 * (size_t)v, 3 * sizeof(float));
        d->vertex_parts[i] = mesh->vertex_parts[v];
        d->offsets[i] = written;
        for (uint32_t k = mesh->influence_offsets[v]; k < mesh->influence_offsets[v + 1]; k++)
            d->influences[written++] = mesh->influences[k];
    }
    d->offsets[count] = written;
}

static void write_triangles(graze_decimated *d, const grazei_surface *s, const uint32_t *numbers)
{
    const grazei_mesh *mesh = &s->model->mesh;
    uint32_t written = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        if (s->triangles[3 * t] == UINT32_MAX)
            continue;
        for (uint32_t k = 0; k < 3; k++)
            d->triangles[3 * (size_t)written + k] = numbers[s->triangles[3 * t + k]];
        d->triangle_parts[written] = mesh->triangle_parts[t];
        d->sources[written++] = t;
    }
}

static void write_morphs(graze_decimated *d, const grazei_mesh *mesh, const uint32_t *numbers)
{
    uint32_t written = 0;
    for (uint32_t m = 0; m < mesh->morph_count; m++) {
        graze_morph_target *target = &d->morphs[m];
        uint32_t first = written;
        for (uint32_t i = mesh->morph_offsets[m]; i < mesh->morph_offsets[m + 1]; i++) {
            if (numbers[mesh->morph_vertices[i]] == UINT32_MAX)
                continue;
            d->morph_vertices[written] = numbers[mesh->morph_vertices[i]];
            memcpy(d->deltas + 3 * (size_t)written++, mesh->morph_deltas[i], 3 * sizeof(float));
        }
        *target = (graze_morph_target){.vertices = d->morph_vertices + first,
                                       .deltas = d->deltas + 3 * (size_t)first,
                                       .count = written - first};
    }
}

static void write_def(graze_decimated *d, const graze_model *model, uint32_t vertex_count,
                      uint32_t triangle_count)
{
    const grazei_mesh *mesh = &model->mesh;
    graze_model_def *def = &d->def;
    *def = (graze_model_def){0};
    def->positions = d->positions;
    def->vertex_count = vertex_count;
    def->triangles = d->triangles;
    def->triangle_count = triangle_count;
    def->joint_count = mesh->joint_count;
    def->influence_offsets = d->offsets;
    def->influences = d->influences;
    def->skinning = (graze_skinning)model->skin.kind;
    def->morphs = mesh->morph_count ? d->morphs : NULL;
    def->morph_count = mesh->morph_count;
    def->vertex_parts = d->vertex_parts;
    def->triangle_parts = d->triangle_parts;
    def->part_count = mesh->part_count;
    def->tree = model->tree.def;
    def->isa = model->isa;
}

graze_decimated *grazei_decimated_make(const grazei_surface *s)
{
    const graze_allocator *a = &s->allocator;
    const grazei_mesh *mesh = &s->model->mesh;
    graze_decimated *d = GRAZEI_ALLOCATE_ZERO(a, 1, graze_decimated);
    uint32_t *numbers = GRAZEI_ALLOCATE(a, mesh->vertex_count, uint32_t);
    if (d)
        d->allocator = *a;
    if (!d || !numbers || !allocate(d, mesh, s->triangle_count)) {
        grazei_release(a, numbers);
        graze_decimated_destroy(d);
        return NULL;
    }
    uint32_t count = number_vertices(s, numbers, d->vertices);
    write_vertices(d, mesh, count);
    write_triangles(d, s, numbers);
    write_morphs(d, mesh, numbers);
    write_def(d, s->model, count, s->triangle_count);
    d->error = grazei_round_up(grazei_surface_farthest(s));
    grazei_release(a, numbers);
    return d;
}

void graze_decimated_destroy(graze_decimated *coarse)
{
    if (!coarse)
        return;
    graze_allocator allocator = coarse->allocator;
    void *const arrays[] = {coarse->vertices,       coarse->sources,        coarse->positions,
                            coarse->triangles,      coarse->offsets,        coarse->influences,
                            coarse->vertex_parts,   coarse->triangle_parts, coarse->morphs,
                            coarse->morph_vertices, coarse->deltas};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        grazei_release(&allocator, arrays[i]);
    grazei_release(&allocator, coarse);
}

graze_model_def graze_decimated_model_def(const graze_decimated *coarse)
{
    return coarse ? coarse->def : (graze_model_def){0};
}

float graze_decimated_error(const graze_decimated *coarse)
{
    return coarse ? coarse->error : 0;
}

uint32_t graze_decimated_vertex(const graze_decimated *coarse, uint32_t vertex)
{
    return coarse && vertex < coarse->def.vertex_count ? coarse->vertices[vertex] : 0;
}

uint32_t graze_decimated_triangle(const graze_decimated *coarse, uint32_t triangle)
{
    return coarse && triangle < coarse->def.triangle_count ? coarse->sources[triangle] : 0;
}
