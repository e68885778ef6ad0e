/* Every method on one case: set the positions of a frame, then ask. */
#include "bench/positions.h"

#include <graze/reference.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOW_US 40000.0 /* what takes longer runs once a frame, in some frames */

typedef enum method_way {
    WAY_GRAZE,
    WAY_GRAZE_AT_ONCE, /* all bounds when positions are set */
    WAY_BOXES,
    WAY_BOXES_SCALAR,
    WAY_LIBRARY
} method_way;

typedef struct method {
    struct run *run;
    method_way way;
    char name[64];
    const bench_collider *collider;
    const bench_self_collider *self; /* where there is one thing alone */
    void *models[2];
    size_t found, missing, extra; /* over all frames */
    double us;                    /* of the last check */
} method;

typedef struct run {
    const positions_case *what;
    method methods[QUERIES_METHODS];
    uint32_t method_count;
    graze_pair *pairs, *truth;
    size_t count, truth_count;
} run;

/* ---- asking --------------------------------------------------------------------------------- */

static void add(run *r, uint32_t a, uint32_t b)
{
    if (r->count < POSITIONS_PAIRS)
        r->pairs[r->count++] = (graze_pair){a, b};
}

static bool collect(void *user, const graze_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(user, pairs[i].a, pairs[i].b);
    return true;
}

static bool collect_self(void *user, const graze_self_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(user, pairs[i].a, pairs[i].b);
    return true;
}

static void ask_graze(run *r, bool at_once)
{
    positions_thing *const *things = r->what->things;
    for (int i = 0; i < 2 && things[i]; i++) {
        graze_body_set_positions(things[i]->body, things[i]->positions, 0,
                                 things[i]->rig->vertex_count, NULL);
        if (at_once)
            graze_body_refit_all(things[i]->body);
    }
    if (things[1])
        graze_collide(things[0]->body, things[1]->body, collect, r, NULL, NULL);
    else
        graze_collide_self(things[0]->body, GRAZE_SELF_ALL, collect_self, r, NULL, NULL);
}

static void ask_boxes(run *r, eager_triangles how)
{
    positions_thing *const *things = r->what->things;
    for (int i = 0; i < 2 && things[i]; i++)
        eager_set_positions(things[i]->boxes, things[i]->positions);
    if (things[1] && eager_apart(things[0]->boxes, things[1]->boxes))
        return;
    for (int i = 0; i < 2 && things[i]; i++)
        eager_refit(things[i]->boxes);
    if (things[1])
        r->count = eager_collide(things[0]->boxes, things[1]->boxes, how, false, r->pairs,
                                 POSITIONS_PAIRS);
    else
        r->count = eager_collide_self(things[0]->boxes, r->pairs, POSITIONS_PAIRS);
}

static void ask_library(run *r, const method *m)
{
    bench_pair *pairs = (bench_pair *)r->pairs;
    for (int i = 0; i < 2 && m->models[i]; i++)
        m->collider->refit(m->models[i]);
    if (m->models[1])
        r->count = m->collider->collide(m->models[0], m->models[1], false, pairs, POSITIONS_PAIRS);
    else
        r->count =
            m->self->collide(m->models[0], r->what->things[0]->welds, pairs, POSITIONS_PAIRS);
    if (r->count > POSITIONS_PAIRS)
        r->count = POSITIONS_PAIRS;
}

static void run_method(void *user)
{
    const method *m = user;
    m->run->count = 0;
    if (m->way == WAY_LIBRARY)
        ask_library(m->run, m);
    else if (m->way <= WAY_GRAZE_AT_ONCE)
        ask_graze(m->run, m->way == WAY_GRAZE_AT_ONCE);
    else
        ask_boxes(m->run, m->way == WAY_BOXES ? EAGER_LANES : EAGER_SCALAR);
}

/* ---- checking ------------------------------------------------------------------------------- */

static int compare_pairs(const void *left, const void *right)
{
    const graze_pair *x = left, *y = right;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

/* A library may report a pair twice: that is no error. */
static void sort_pairs(run *r)
{
    size_t kept = 0;
    qsort(r->pairs, r->count, sizeof *r->pairs, compare_pairs);
    for (size_t i = 0; i < r->count; i++)
        if (kept == 0 || compare_pairs(&r->pairs[kept - 1], &r->pairs[i]) != 0)
            r->pairs[kept++] = r->pairs[i];
    r->count = kept;
}

/* Brute force, of the same positions. */
static void find_truth(run *r)
{
    positions_thing *const *things = r->what->things;
    r->count = 0;
    for (int i = 0; i < 2 && things[i]; i++)
        graze_body_set_positions(things[i]->body, things[i]->positions, 0,
                                 things[i]->rig->vertex_count, NULL);
    if (things[1])
        graze_collide_brute(things[0]->body, things[1]->body, collect, r, NULL, NULL);
    else
        graze_collide_self_brute(things[0]->body, GRAZE_SELF_ALL, collect_self, r, NULL, NULL);
    sort_pairs(r);
    memcpy(r->truth, r->pairs, r->count * sizeof *r->pairs);
    r->truth_count = r->count;
}

static bool check(run *r, method *m)
{
    double start = bench_now();
    run_method(m);
    m->us = bench_now() - start;
    sort_pairs(r);
    m->found += r->count;
    for (size_t i = 0, k = 0; i < r->count || k < r->truth_count;) {
        int order = i == r->count         ? 1
                    : k == r->truth_count ? -1
                                          : compare_pairs(&r->pairs[i], &r->truth[k]);
        m->extra += order < 0;
        m->missing += order > 0;
        i += order <= 0;
        k += order >= 0;
    }
    return m->way == WAY_LIBRARY || m->extra + m->missing == 0;
}

/* ---- one case ------------------------------------------------------------------------------- */

static method *add_method(run *r, method_way way, const char *name)
{
    method *m = &r->methods[r->method_count++];
    *m = (method){.run = r, .way = way};
    snprintf(m->name, sizeof m->name, "%s", name);
    return m;
}

static const bench_self_collider *find_self(const bench_collider *collider)
{
    const bench_peers *peers = queries_peers();
    for (uint32_t i = 0; i < peers->self_collider_count; i++)
        if (peers->self_colliders[i]->of == collider)
            return peers->self_colliders[i];
    return NULL;
}

/* A library that cannot take the mesh, or find pairs within one, is left out. */
static void add_library(run *r, const bench_collider *collider)
{
    const bench_self_collider *self = find_self(collider);
    if (r->method_count == QUERIES_METHODS || (!r->what->things[1] && !self))
        return;
    method *m = add_method(r, WAY_LIBRARY, collider->name);
    m->collider = collider;
    m->self = self;
    for (int i = 0; i < 2 && r->what->things[i]; i++) {
        const positions_thing *thing = r->what->things[i];
        const bench_mesh mesh = {thing->positions, thing->rig->vertex_count, thing->rig->triangles,
                                 thing->rig->triangle_count};
        m->models[i] = collider->create(&mesh);
    }
    if (m->models[0] && (m->models[1] || !r->what->things[1]))
        return;
    fprintf(stderr, "graze: %s: %s cannot be made\n", r->what->model, m->name);
    if (m->models[0])
        collider->destroy(m->models[0]);
    r->method_count--;
}

static void add_methods(run *r)
{
    const bench_peers *peers = queries_peers();
    add_method(r, WAY_GRAZE, "graze");
    add_method(r, WAY_GRAZE_AT_ONCE, "graze, all bounds at once");
    add_method(r, WAY_BOXES, "eager boxes, our triangles");
    if (r->what->things[1])
        add_method(r, WAY_BOXES_SCALAR, "eager boxes, scalar triangles");
    for (uint32_t i = 0; i < peers->collider_count; i++)
        add_library(r, peers->colliders[i]);
}

static void print_case(const run *r, const queries_case *entry, const bench_options *options)
{
    const positions_case *what = r->what;
    uint32_t triangles = what->things[0]->rig->triangle_count;
    triangles += what->things[1] ? what->things[1]->rig->triangle_count : 0;
    if (!options->json)
        printf("\n%s, %s: %u triangles, %.1f pairs a frame\n  %-36s %10s %10s %8s  %s\n",
               what->model, what->name, triangles, (double)r->methods[0].found / POSITIONS_FRAMES,
               "", "us", "median", "ratio", "missing, extra in all frames");
    for (uint32_t i = 0; i < r->method_count; i++) {
        const method *m = &r->methods[i];
        double us = bench_middle(&entry->least[i]), median = bench_middle(&entry->middle[i]);
        double ratio = queries_get_ratio(entry, i, 0, NULL, NULL);
        if (options->json)
            printf("{\"table\":\"positions\",\"model\":\"%s\",\"case\":\"%s\",\"method\":\"%s\","
                   "\"us\":%.3f,\"us_median\":%.3f,\"ratio\":%.3f,\"pairs\":%.2f,\"missing\":%zu,"
                   "\"extra\":%zu}\n",
                   what->model, what->name, m->name, us, median, ratio,
                   (double)m->found / POSITIONS_FRAMES, m->missing, m->extra);
        else
            printf("  %-36s %10.2f %10.2f %8.2f  %zu, %zu\n", m->name, us, median, ratio,
                   m->missing, m->extra);
    }
    fflush(stdout);
}

static void write_csv(const run *r, const queries_case *entry, bench_csv *csv)
{
    for (uint32_t i = 0; i < r->method_count; i++) {
        const method *m = &r->methods[i];
        bench_csv_text(csv, r->what->model);
        bench_csv_text(csv, r->what->name);
        bench_csv_text(csv, m->name);
        bench_csv_number(csv, bench_middle(&entry->least[i]));
        bench_csv_number(csv, bench_middle(&entry->middle[i]));
        bench_csv_number(csv, queries_get_ratio(entry, i, 0, NULL, NULL));
        bench_csv_number(csv, (double)m->found / POSITIONS_FRAMES);
        bench_csv_number(csv, (double)m->missing);
        bench_csv_number(csv, (double)m->extra);
        bench_csv_end_line(csv);
    }
}

static bool measure(run *r, const bench_options *options, bench_csv *csv)
{
    const positions_case *what = r->what;
    queries_method methods[QUERIES_METHODS];
    queries_case entry = {
        .table = "positions", .model = what->model, .name = what->name, .methods = methods};
    memset(methods, 0, sizeof methods);
    entry.method_count = r->method_count;
    for (uint32_t frame = 0; frame < POSITIONS_FRAMES; frame++) {
        if (!what->place(what, frame))
            return false;
        find_truth(r);
        for (uint32_t i = 0; i < r->method_count; i++) {
            method *m = &r->methods[i];
            if (!check(r, m)) {
                fprintf(stderr, "graze: %s, %s: %s differs from brute force in frame %u\n",
                        what->model, what->name, m->name, frame);
                return false;
            }
            bool slow = methods[i].slow || m->us > SLOW_US;
            methods[i] =
                (queries_method){.name = m->name, .run = run_method, .user = m, .slow = slow};
        }
        queries_measure(&entry, options->rounds);
    }
    print_case(r, &entry, options);
    write_csv(r, &entry, csv);
    return true;
}

bool positions_run(const positions_case *what, const bench_options *options, bench_csv *csv)
{
    run *r = calloc(1, sizeof *r);
    bool ok = r != NULL;
    if (ok) {
        r->what = what;
        r->pairs = malloc(POSITIONS_PAIRS * sizeof *r->pairs);
        r->truth = malloc(POSITIONS_PAIRS * sizeof *r->truth);
        ok = r->pairs && r->truth;
    }
    if (!ok)
        fprintf(stderr, "graze: out of memory\n");
    ok = ok && what->place(what, 0);
    if (ok) {
        add_methods(r);
        ok = measure(r, options, csv);
    }
    for (uint32_t i = 0; r && i < r->method_count; i++)
        for (int k = 0; k < 2; k++)
            if (r->methods[i].models[k])
                r->methods[i].collider->destroy(r->methods[i].models[k]);
    if (r) {
        free(r->pairs);
        free(r->truth);
    }
    free(r);
    return ok;
}
