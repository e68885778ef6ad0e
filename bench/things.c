/* What tables are made of and what they ask; where that is refused, the program ends. */
#include "bench/bench.h"

#include <stdarg.h>
#include <unistd.h>

graze_error bench_error;

const float bench_identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

/* _exit, as a row of cliffs is a process that has its parent's files. */
_Noreturn void bench_die(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fflush(stdout);
    fputs("graze: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    _exit(2);
}

void bench_must(graze_status status)
{
    if (status)
        bench_die("%s", *bench_error.text ? bench_error.text : graze_status_name(status));
}

void bench_expect(bool ok)
{
    if (ok)
        return;
    fflush(stdout);
    _exit(2);
}

void *bench_take(size_t count, size_t size)
{
    void *memory = calloc(count + !count, size);
    if (!memory)
        bench_die("out of memory");
    return memory;
}

graze_rig *bench_make_rig(graze_synth_kind kind, uint32_t triangles)
{
    const graze_synth_def def = {.kind = kind, .triangles = triangles};
    graze_rig *rig = NULL;
    bench_must(graze_synth(&def, NULL, &rig, &bench_error));
    return rig;
}

graze_model *bench_make_model(const graze_model_def *def)
{
    graze_model *model = NULL;
    bench_must(graze_model_create(def, &model, &bench_error));
    return model;
}

graze_body *bench_make_body(const graze_model *model)
{
    graze_body *body = NULL;
    bench_must(graze_body_create(model, &body, &bench_error));
    return body;
}

void bench_pose(graze_body *body, const float *joints, uint32_t joint_count, const float *placement)
{
    const graze_pose pose = {.joints = joints, .joint_count = joint_count, .placement = placement};
    graze_body_set_pose(body, &pose, NULL);
}

uint32_t bench_nodes(const graze_body *body)
{
    return graze_model_get_info(graze_body_model(body)).node_count;
}

graze_node_view bench_view(graze_body *body, uint32_t node, graze_node_bound which)
{
    graze_node_view view;
    bench_must(graze_body_view_node(body, node, which, &view));
    return view;
}

bench_bounds bench_box(const float *positions, size_t count)
{
    bench_bounds box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < 3 * count; i++) {
        box.low[i % 3] = fminf(box.low[i % 3], positions[i]);
        box.high[i % 3] = fmaxf(box.high[i % 3], positions[i]);
    }
    return box;
}

float bench_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * 0x1p-24f;
}

/* ---- questions ------------------------------------------------------------------------------ */

size_t bench_pairs(graze_body *a, graze_body *b, const graze_options *options)
{
    graze_pair_list found = {0};
    bench_must(graze_pairs(a, b, &found, options, &bench_error));
    return found.total;
}

size_t bench_self_pairs(graze_body *body, const graze_part_filter *filter,
                        const graze_options *options)
{
    graze_pair_list found = {0};
    bench_must(graze_self_pairs(body, filter, &found, options, &bench_error));
    return found.total;
}

size_t bench_bound_pairs(graze_body *a, graze_body *b, graze_stats *stats)
{
    graze_pair_list found = {0};
    bench_must(graze_bound_pairs(a, b, &found, stats, &bench_error));
    return found.total;
}

graze_nearest bench_distance(graze_body *a, graze_body *b, const graze_options *options)
{
    graze_nearest nearest;
    bench_must(graze_distance(a, b, INFINITY, &nearest, options, &bench_error));
    return nearest;
}

graze_hit bench_cast(graze_body *body, const graze_ray *ray, const graze_options *options)
{
    graze_hit hit;
    bench_must(graze_cast(body, ray, &hit, options, &bench_error));
    return hit;
}
