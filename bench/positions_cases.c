/* Every method on one case: set the positions of a frame, then ask. */
#include "bench/positions.h"

#define SLOW_US 40000.0 /* what takes longer runs once a frame, in some frames */

typedef enum method_way {
    WAY_GRAZE,
    WAY_GRAZE_AT_ONCE, /* all bounds when positions are set */
    WAY_BOXES,
    WAY_BOXES_SCALAR,
    WAY_LIBRARY
} method_way;

typedef struct method {
    method_way way;
    pair_library library;
    const bench_self_collider *self; /* where there is one thing alone */
    size_t found, missing, extra;    /* over all frames */
} method;

typedef struct run {
    positions_thing *const *things;
    method methods[QUERIES_METHODS];
    queries_method names[QUERIES_METHODS];
    uint32_t method_count;
    graze_pair *graze_pairs; /* where graze writes them */
    bench_pair *pairs, *truth;
    size_t count, truth_count;
} run;

/* ---- asking --------------------------------------------------------------------------------- */

static void ask_graze(run *r, bool at_once, graze_method how)
{
    const graze_options options = {.method = how};
    graze_pair_list found = {.items = r->graze_pairs, .capacity = PAIR_MOST};
    graze_body *bodies[2] = {NULL, NULL};
    for (int i = 0; i < 2 && r->things[i]; i++) {
        bodies[i] = r->things[i]->body;
        graze_body_set_positions(bodies[i], r->things[i]->positions, 0,
                                 r->things[i]->rig->vertex_count, NULL);
        if (at_once)
            graze_body_refit_all(bodies[i]);
    }
    bench_must(bodies[1] ? graze_pairs(bodies[0], bodies[1], &found, &options, &bench_error)
                         : graze_self_pairs(bodies[0], NULL, &found, &options, &bench_error));
    r->count = found.count;
}

static void ask_boxes(run *r, eager_triangles how)
{
    eager_body *boxes[2] = {NULL, NULL};
    for (int i = 0; i < 2 && r->things[i]; i++) {
        boxes[i] = r->things[i]->boxes;
        eager_set_positions(boxes[i], r->things[i]->positions);
    }
    if (boxes[1] && eager_apart(boxes[0], boxes[1]))
        return;
    for (int i = 0; i < 2 && boxes[i]; i++)
        eager_refit(boxes[i]);
    r->count = boxes[1] ? eager_collide(boxes[0], boxes[1], how, false, r->pairs, PAIR_MOST)
                        : eager_collide_self(boxes[0], r->pairs, PAIR_MOST);
}

static void ask_library(run *r, const method *m)
{
    const bench_collider *collider = m->library.collider;
    void *const *models = m->library.models;
    for (int i = 0; i < 2 && models[i]; i++)
        collider->refit(models[i]);
    r->count = models[1] ? collider->collide(models[0], models[1], false, r->pairs, PAIR_MOST)
                         : m->self->collide(models[0], r->things[0]->welds, r->pairs, PAIR_MOST);
    if (r->count > PAIR_MOST)
        r->count = PAIR_MOST;
}

static void ask(void *user, int number)
{
    run *r = user;
    const method *m = &r->methods[number];
    r->count = 0;
    if (m->way == WAY_LIBRARY)
        ask_library(r, m);
    else if (m->way <= WAY_GRAZE_AT_ONCE)
        ask_graze(r, m->way == WAY_GRAZE_AT_ONCE, GRAZE_LAZY);
    else
        ask_boxes(r, m->way == WAY_BOXES ? EAGER_LANES : EAGER_SCALAR);
}

/* ---- checking ------------------------------------------------------------------------------- */

/* Brute force, of the same positions. */
static void find_truth(run *r)
{
    ask_graze(r, false, GRAZE_BRUTE);
    queries_take_pairs(r->graze_pairs, r->count, r->truth);
    r->truth_count = queries_sort_pairs(r->truth, r->count);
}

static void check(run *r, int number, const positions_case *what, uint32_t frame)
{
    method *m = &r->methods[number];
    double start = bench_now();
    ask(r, number);
    r->names[number].slow |= bench_now() - start > SLOW_US;
    if (m->way <= WAY_GRAZE_AT_ONCE)
        queries_take_pairs(r->graze_pairs, r->count, r->pairs);
    r->count = queries_sort_pairs(r->pairs, r->count);
    m->found += r->count;
    queries_compare_pairs(r->pairs, r->count, r->truth, r->truth_count, &m->missing, &m->extra);
    if (m->way != WAY_LIBRARY && m->extra + m->missing > 0)
        bench_die("%s, %s: %s differs from brute force in frame %u", what->model, what->name,
                  r->names[number].name, frame);
}

/* ---- one case ------------------------------------------------------------------------------- */

static method *add_method(run *r, method_way way, const char *name)
{
    r->names[r->method_count].name = name;
    r->methods[r->method_count].way = way;
    return &r->methods[r->method_count++];
}

/* A library that cannot take the mesh, or find pairs within one, is left out. */
static void add_library(run *r, const bench_collider *collider, const char *model)
{
    const bench_peers *peers = queries_peers();
    const bench_self_collider *self = NULL;
    bench_mesh meshes[2];
    int count = 0;
    for (uint32_t i = 0; i < peers->self_collider_count; i++)
        if (peers->self_colliders[i]->of == collider)
            self = peers->self_colliders[i];
    if (r->method_count == QUERIES_METHODS || (!r->things[1] && !self))
        return;
    for (; count < 2 && r->things[count]; count++) {
        const graze_rig *rig = r->things[count]->rig;
        meshes[count] = (bench_mesh){r->things[count]->positions, rig->vertex_count, rig->triangles,
                                     rig->triangle_count};
    }
    method *m = add_method(r, WAY_LIBRARY, collider->name);
    m->self = self;
    m->library.collider = collider;
    if (!pair_open_library(&m->library, meshes, count, model))
        r->method_count--;
}

static void add_methods(run *r, const char *model)
{
    const bench_peers *peers = queries_peers();
    add_method(r, WAY_GRAZE, "graze");
    add_method(r, WAY_GRAZE_AT_ONCE, "graze, all bounds at once");
    add_method(r, WAY_BOXES, "eager boxes, our triangles");
    if (r->things[1])
        add_method(r, WAY_BOXES_SCALAR, "eager boxes, scalar triangles");
    for (uint32_t i = 0; i < peers->collider_count; i++)
        add_library(r, peers->colliders[i], model);
}

static void print_case(const run *r, const queries_case *entry)
{
    uint32_t triangles = r->things[0]->rig->triangle_count;
    triangles += r->things[1] ? r->things[1]->rig->triangle_count : 0;
    bench_say("\n%s, %s: %u triangles, %.1f pairs a frame\n  %-36s %10s %10s %8s  %s\n",
              entry->model, entry->name, triangles, r->methods[0].found / (double)POSITIONS_FRAMES,
              "", "us", "median", "ratio", "missing, extra in all frames");
    for (uint32_t i = 0; i < r->method_count; i++) {
        const method *m = &r->methods[i];
        bench_row("positions",
                  "model:%s case:%s method:%s:%-36s us:%.3f:%10.2f us_median:%.3f:%10.2f "
                  "ratio:%.3f:%8.2f pairs:%.2f missing:%.0f:_%.0f, extra:%.0f:%.0f",
                  ROW_TEXTS(entry->model, entry->name, r->names[i].name),
                  ROW_NUMBERS(bench_middle(&entry->least[i]), bench_middle(&entry->middle[i]),
                              queries_get_ratio(entry, i, 0), m->found / (double)POSITIONS_FRAMES,
                              m->missing, m->extra));
    }
}

void positions_run(const positions_case *what)
{
    run r = {.things = what->of,
             .graze_pairs = bench_take(PAIR_MOST, sizeof *r.graze_pairs),
             .pairs = bench_take(PAIR_MOST, sizeof *r.pairs),
             .truth = bench_take(PAIR_MOST, sizeof *r.truth)};
    what->place(what, 0);
    add_methods(&r, what->model);
    queries_case entry = {.table = "positions",
                          .model = what->model,
                          .name = what->name,
                          .methods = r.names,
                          .method_count = r.method_count,
                          .ask = ask,
                          .user = &r};
    for (uint32_t frame = 0; frame < POSITIONS_FRAMES; frame++) {
        what->place(what, frame);
        find_truth(&r);
        for (uint32_t i = 0; i < r.method_count; i++)
            check(&r, (int)i, what, frame);
        queries_measure(&entry);
    }
    print_case(&r, &entry);
    for (uint32_t i = 0; i < r.method_count; i++)
        pair_close_library(&r.methods[i].library);
    free(r.graze_pairs);
    free(r.pairs);
    free(r.truth);
}
