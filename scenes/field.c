/* Smooth union of tapered capsules and boxes.
 *
 * The sweep of a sphere along a segment, its radius changing linearly, is the "round cone" of
 * I. Quilez's collection of distance functions, found here through the nearest sphere of the
 * sweep; the polynomial smooth minimum is from the same collection ("smooth minimum", quadratic).
 */
#include "scenes/field.h"

#include <assert.h>
#include <string.h>

static const double ground_blend = 0.012; /* rounds the edge of the soles */
static const double block_size = 0.06;
static const double room = 0.1; /* between the flesh and the field's box */

static grazei_vec flatten(const grazei_synth_shape *shape, grazei_vec v)
{
    return vec_along(v, shape->flat_axis, shape->stretch * vec_dot(v, shape->flat_axis));
}

static void set_segment(grazei_synth_shape *shape, grazei_vec a, grazei_vec b, double a_radius,
                        double b_radius)
{
    grazei_vec along = vec_sub(b, a);
    double length = vec_length(along), fall = a_radius - b_radius;
    if (length <= fabs(fall) * 1.0001) { /* one sphere holds the other */
        shape->origin = fall < 0 ? b : a;
        shape->axis = vec_make(0, 1, 0);
        shape->length = shape->taper = shape->slope = 0;
        shape->a_radius = fall < 0 ? b_radius : a_radius;
        return;
    }
    shape->origin = a;
    shape->axis = vec_scale(along, 1 / length);
    shape->length = length;
    shape->a_radius = a_radius;
    shape->taper = -fall / length;
    shape->slope = shape->taper / sqrt(1 - shape->taper * shape->taper);
}

/* Vector from the nearest sphere's centre, in flattened space; *radius is that sphere's. */
static grazei_vec from_nearest(const grazei_synth_shape *shape, grazei_vec flattened,
                               double *radius)
{
    grazei_vec offset = vec_sub(flattened, shape->origin);
    double along = vec_dot(offset, shape->axis);
    double away2 = vec_dot(offset, offset) - along * along;
    double t = along + shape->slope * sqrt(away2 > 0 ? away2 : 0);
    t = vec_clamp(t, 0, shape->length);
    *radius = shape->a_radius + shape->taper * t;
    return vec_along(offset, shape->axis, -t);
}

/* The round box of the same collection. */
static grazei_synth_sample box_sample(const grazei_synth_shape *shape, grazei_vec at)
{
    grazei_vec p = vec_sub(at, shape->origin), half = shape->half;
    grazei_vec out =
        vec_make(p.x - vec_clamp(p.x, -half.x, half.x), p.y - vec_clamp(p.y, -half.y, half.y),
                 p.z - vec_clamp(p.z, -half.z, half.z));
    double length = vec_length(out);
    double thin = fmin(half.x, fmin(half.y, half.z)) + shape->a_radius;
    double x = fabs(p.x) - half.x, y = fabs(p.y) - half.y, z = fabs(p.z) - half.z;
    grazei_synth_sample sample = {length - shape->a_radius, {0, 0, 0}, thin};
    if (length > 0) {
        sample.gradient = vec_scale(out, 1 / length);
        return sample;
    }
    sample.distance += fmax(x, fmax(y, z)); /* inside: towards the nearest face */
    if (x >= y && x >= z)
        sample.gradient.x = p.x < 0 ? -1 : 1;
    else if (y >= z)
        sample.gradient.y = p.y < 0 ? -1 : 1;
    else
        sample.gradient.z = p.z < 0 ? -1 : 1;
    return sample;
}

double grazei_synth_shape_distance(const grazei_synth_shape *shape, grazei_vec at)
{
    double radius;
    if (shape->boxed)
        return box_sample(shape, at).distance;
    grazei_vec out = from_nearest(shape, flatten(shape, at), &radius);
    return (vec_length(out) - radius) * shape->shrink;
}

grazei_synth_shape grazei_synth_capsule(grazei_vec a, grazei_vec b, double a_radius,
                                        double b_radius)
{
    grazei_synth_shape shape = {.shrink = 1};
    set_segment(&shape, a, b, a_radius, b_radius);
    return shape;
}

static double smooth_minimum(double a, double b, double blend)
{
    if (a - b >= blend)
        return b;
    if (b - a >= blend)
        return a;
    double share = 0.5 + 0.5 * (b - a) / blend;
    return a * share + b * (1 - share) - blend * share * (1 - share);
}

static grazei_synth_sample smooth_union(grazei_synth_sample a, grazei_synth_sample b, double blend)
{
    if (a.distance - b.distance >= blend)
        return b;
    if (b.distance - a.distance >= blend)
        return a;
    double share = 0.5 + 0.5 * (b.distance - a.distance) / blend;
    grazei_synth_sample sum;
    sum.distance = a.distance * share + b.distance * (1 - share) - blend * share * (1 - share);
    sum.gradient = vec_add(vec_scale(a.gradient, share), vec_scale(b.gradient, 1 - share));
    sum.radius = a.radius * share + b.radius * (1 - share);
    return sum;
}

/* Adds a shape to a sample. One too far to have a say, most of them, costs its distance alone. */
static grazei_synth_sample join_shape(grazei_synth_sample sum, const grazei_synth_shape *shape,
                                      grazei_vec at)
{
    if (shape->boxed)
        return smooth_union(sum, box_sample(shape, at), shape->blend);
    double radius;
    grazei_vec out = from_nearest(shape, flatten(shape, at), &radius);
    double length = vec_length(out);
    grazei_synth_sample sample = {(length - radius) * shape->shrink, {0, 0, 0}, 0};
    if (sum.distance - sample.distance < shape->blend &&
        sample.distance - sum.distance >= shape->blend)
        return sum;
    sample.gradient = flatten(shape, vec_scale(out, length > 0 ? shape->shrink / length : 0));
    sample.radius = radius * shape->shrink;
    return smooth_union(sum, sample, shape->blend);
}

static grazei_synth_sample inside_out(grazei_synth_sample sample)
{
    sample.distance = -sample.distance;
    sample.gradient = vec_scale(sample.gradient, -1);
    return sample;
}

static uint32_t block_of(double offset, double block, uint32_t count)
{
    double index = offset / block;
    return index < 0 ? 0 : index >= count ? count - 1 : (uint32_t)index;
}

static const uint8_t *list_at(const grazei_synth_field *field, grazei_vec at, uint32_t *count)
{
    uint32_t x = block_of(at.x - field->low.x, field->block, field->blocks[0]);
    uint32_t y = block_of(at.y - field->low.y, field->block, field->blocks[1]);
    uint32_t z = block_of(at.z - field->low.z, field->block, field->blocks[2]);
    uint32_t index = (z * field->blocks[1] + y) * field->blocks[0] + x;
    *count = field->list_offsets[index + 1] - field->list_offsets[index];
    return field->lists + field->list_offsets[index];
}

double grazei_synth_distance(const grazei_synth_field *field, grazei_vec at)
{
    uint32_t count;
    const uint8_t *list = list_at(field, at, &count);
    double distance = 1e9;
    for (uint32_t i = 0; i < count; i++) {
        const grazei_synth_shape *shape = &field->shapes[list[i]];
        double other = grazei_synth_shape_distance(shape, at);
        distance = shape->carved ? -smooth_minimum(-distance, other, shape->blend)
                                 : smooth_minimum(distance, other, shape->blend);
    }
    return -smooth_minimum(-distance, at.y, ground_blend);
}

static grazei_synth_sample sample_at(const grazei_synth_field *field, grazei_vec at)
{
    uint32_t count;
    const uint8_t *list = list_at(field, at, &count);
    grazei_synth_sample sum = {1e9, {0, 0, 0}, 1};
    for (uint32_t i = 0; i < count; i++) {
        const grazei_synth_shape *shape = &field->shapes[list[i]];
        sum = shape->carved ? inside_out(join_shape(inside_out(sum), shape, at))
                            : join_shape(sum, shape, at);
    }
    grazei_synth_sample ground = {at.y, {0, 1, 0}, sum.radius};
    return inside_out(smooth_union(inside_out(sum), ground, ground_blend));
}

grazei_vec grazei_synth_project(const grazei_synth_field *field, grazei_vec at, uint32_t steps,
                                grazei_synth_sample *sample)
{
    grazei_synth_sample here = {0, {0, 0, 0}, 0};
    for (uint32_t i = 0; i < steps; i++) {
        here = sample_at(field, at);
        double steep = vec_dot(here.gradient, here.gradient);
        if (steep < 0.05) /* a seam: no way to tell where the surface is */
            break;
        at = vec_along(at, here.gradient, -vec_clamp(here.distance / steep, -0.02, 0.02));
    }
    if (sample)
        *sample = here;
    return at;
}

static void add_shape(grazei_synth_field *field, const grazei_synth_shape_row *row, bool twin)
{
    assert(field->shape_count < GRAZEI_SYNTH_MAX_SHAPES);
    grazei_synth_shape *shape = &field->shapes[field->shape_count++];
    memset(shape, 0, sizeof *shape);
    bool flat = vec_dot(row->flat_axis, row->flat_axis) > 0;
    grazei_vec a = twin ? grazei_synth_mirror(row->a) : row->a;
    grazei_vec b = twin ? grazei_synth_mirror(row->b) : row->b;
    shape->flat_axis = vec_unit(twin ? grazei_synth_mirror(row->flat_axis) : row->flat_axis);
    shape->stretch = flat ? 1 / row->flat - 1 : 0;
    shape->shrink = flat && row->flat < 1 ? row->flat : 1;
    shape->blend = row->blend;
    shape->carved = (row->flags & GRAZEI_SYNTH_CARVED) != 0;
    set_segment(shape, flatten(shape, a), flatten(shape, b), row->a_radius, row->b_radius);
    double reach = (row->a_radius > row->b_radius ? row->a_radius : row->b_radius) + room;
    if (flat && row->flat > 1)
        reach *= row->flat;
    if (row->half.x > 0) {
        shape->boxed = true;
        shape->half = vec_along(row->half, vec_make(1, 1, 1), -row->a_radius);
    }
    grazei_vec ends[2] = {vec_sub(a, row->half), vec_add(b, row->half)};
    for (uint32_t i = 0; i < 2; i++) {
        field->low.x = fmin(field->low.x, ends[i].x - reach);
        field->low.y = fmin(field->low.y, ends[i].y - reach);
        field->low.z = fmin(field->low.z, ends[i].z - reach);
        field->high.x = fmax(field->high.x, ends[i].x + reach);
        field->high.y = fmax(field->high.y, ends[i].y + reach);
        field->high.z = fmax(field->high.z, ends[i].z + reach);
    }
}

/* Lists the shapes that can matter within reach of centre; returns how many. A shape farther than
 * the nearest one by more than the two ways across the block and the blends has no say.
 */
static uint32_t list_shapes(const grazei_synth_field *field, grazei_vec centre, double reach,
                            double widest_blend, uint8_t *list)
{
    double distances[GRAZEI_SYNTH_MAX_SHAPES], nearest = 1e9;
    for (uint32_t i = 0; i < field->shape_count; i++) {
        distances[i] = grazei_synth_shape_distance(&field->shapes[i], centre);
        if (!field->shapes[i].carved)
            nearest = fmin(nearest, distances[i]);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < field->shape_count; i++)
        if (distances[i] <= nearest + 2 * reach + field->shapes[i].blend + widest_blend)
            list[count++] = (uint8_t)i;
    return count;
}

static bool list_blocks(grazei_synth_field *field, grazei_synth_pool *pool)
{
    double reach = 0.5 * field->block * sqrt(3), widest_blend = 0;
    for (uint32_t i = 0; i < field->shape_count; i++)
        widest_blend = fmax(widest_blend, field->shapes[i].blend);
    size_t count = (size_t)field->blocks[0] * field->blocks[1] * field->blocks[2];
    size_t capacity = 0, used = 0, index = 0;
    field->list_offsets = grazei_synth_take(pool, count + 1, sizeof(uint32_t));
    if (!field->list_offsets)
        return false;
    for (uint32_t z = 0; z < field->blocks[2]; z++)
        for (uint32_t y = 0; y < field->blocks[1]; y++)
            for (uint32_t x = 0; x < field->blocks[0]; x++) {
                uint8_t *lists = grazei_synth_grow(pool, field->lists, &capacity,
                                                   used + GRAZEI_SYNTH_MAX_SHAPES, 1);
                if (!lists)
                    return false;
                field->lists = lists;
                grazei_vec centre =
                    vec_along(field->low, vec_make(x + 0.5, y + 0.5, z + 0.5), field->block);
                used += list_shapes(field, centre, reach, widest_blend, lists + used);
                field->list_offsets[++index] = (uint32_t)used;
            }
    return true;
}

bool grazei_synth_field_create(const grazei_synth_plan *plan, grazei_synth_pool *pool,
                               grazei_synth_field *field)
{
    memset(field, 0, sizeof *field);
    field->low = vec_make(1e9, 1e9, 1e9);
    field->high = vec_make(-1e9, -1e9, -1e9);
    for (uint32_t i = 0; i < plan->shape_count; i++) {
        add_shape(field, &plan->shapes[i], false);
        if (plan->shapes[i].flags & GRAZEI_SYNTH_MIRRORED)
            add_shape(field, &plan->shapes[i], true);
    }
    field->low.y = -room;
    field->block = block_size;
    grazei_vec extent = vec_sub(field->high, field->low);
    field->blocks[0] = (uint32_t)(extent.x / block_size) + 1;
    field->blocks[1] = (uint32_t)(extent.y / block_size) + 1;
    field->blocks[2] = (uint32_t)(extent.z / block_size) + 1;
    return list_blocks(field, pool);
}
