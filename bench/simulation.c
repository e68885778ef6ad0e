/* Chairs that flex and vibrate while they crash to the ground, and fish that fall on a swaying
 * bridge (James & Pai 2004, section 4): sizes of all models (table 1), how deep a chair lies in the
 * ground when it rests, the bridge's spheres (figure 6) and the curtain (table 2).
 */
#include "bench/simulation.h"

#include "bench/bdtree_tables.h"

uint32_t simulation_kind_of(const simulate_scene *scene, uint32_t body)
{
    return body < scene->animated_count ? 0 : scene->kind_count - 1;
}

graze_model *simulation_model(const simulate_kind *kind, simulation_tree tree)
{
    graze_model_def def = graze_rig_model_def(kind->rig);
    graze_model *model = NULL;
    def.no_self_collision = true;
    if (tree != SIMULATION_DEFAULT) {
        def.tree = graze_paper_tree();
        def.tree.collapse = 1;
    }
    if (tree == SIMULATION_PROXIES)
        def.tree.contact_level = kind->thing == SIMULATE_FISH    ? 7
                                 : kind->thing == SIMULATE_CHAIR ? 10
                                                                 : 0;
    bench_must(graze_rig_create_model(kind->rig, &def, &model, &bench_error));
    return model;
}

simulation_place simulation_get_place(const simulate_scene *scene, uint32_t number)
{
    simulation_place at;
    bench_must(graze_sim_get_placement(scene->sim, number, at.placement, at.weights, &bench_error));
    return at;
}

void simulation_pose(graze_body *body, const simulation_place *place)
{
    const graze_pose pose = {.placement = place->placement,
                             .morph_weights = place->weights,
                             .morph_count =
                                 graze_model_get_info(graze_body_model(body)).morph_count};
    bench_must(graze_body_set_pose(body, &pose, &bench_error));
}

/* ---- table 1 -------------------------------------------------------------------------------- */

static void measure_model(simulate_thing thing)
{
    static const uint32_t papers[SIMULATE_THING_COUNT][5] = {
        [SIMULATE_CHAIR] = {9421, 17914, 10, 35827, 19},
        [SIMULATE_BRIDGE] = {135304, 240316, 10, 480631, 26},
        [SIMULATE_FISH] = {12531, 24776, 3, 49551, 18},
        [SIMULATE_CURTAIN] = {6184, 12020, 12, 24039, 17}};
    const simulate_kind_def def = {.thing = thing, .triangles = asked.triangles};
    simulate_kind *kind = NULL;
    bench_must(simulate_kind_create(&def, &kind, &bench_error));
    graze_model *model = simulation_model(kind, SIMULATION_PAPER);
    graze_model_info info = graze_model_get_info(model);
    uint32_t fields = kind->field_count;
    bdtree_print_model(
        kind->name, papers[thing], &info,
        ROW_NUMBERS(fields ? kind->frequencies[0] : 0, fields ? kind->frequencies[fields - 1] : 0));
    if (thing == SIMULATE_BRIDGE) {
        graze_body *body = bench_make_body(model);
        simulation_radii(kind, body);
        graze_body_destroy(body);
    }
    graze_model_destroy(model);
    simulate_kind_destroy(kind);
}

/* ---- rest ----------------------------------------------------------------------------------- */

/* How deep a body lies in the ground once it rests: the lowest vertex of the posed surface. */
static double find_lowest(const simulate_scene *scene)
{
    const simulate_kind *kind = scene->kinds[0];
    float *positions = bench_take(kind->rig->vertex_count, 3 * sizeof *positions);
    graze_body *body = bench_make_body(kind->model);
    const simulation_place place = simulation_get_place(scene, 0);
    simulation_pose(body, &place);
    graze_body_get_positions(body, positions);
    double lowest = bench_box(positions, kind->rig->vertex_count).low[1];
    graze_body_destroy(body);
    free(positions);
    return lowest;
}

static void measure_rest(simulate_contacts contacts, const char *name)
{
    const double most_seconds = 20;
    const simulate_options options = {
        .scene = SIMULATE_CHAIRS, .count = 1, .triangles = asked.triangles, .contacts = contacts};
    simulate_scene *scene = NULL;
    graze_sim_body state = {0};
    graze_sim_kind_info info;
    double seconds = 0;
    bench_must(simulate_scene_create(&options, &scene, &bench_error));
    bench_must(graze_sim_get_kind(scene->sim, 0, &info, &bench_error));
    for (; !state.asleep && seconds < most_seconds; seconds += scene->options.step_seconds) {
        bench_must(graze_sim_step(scene->sim, NULL, 1, &bench_error));
        bench_must(graze_sim_get_body(scene->sim, 0, &state, &bench_error));
    }
    bench_row(
        "rest",
        "contacts:%s:%-10s seconds:%.3f:%10.2f lowest_mm:%.4f:%12.3f "
        "proxy_radius_mm:%.3f:%26.2f asleep:%b :__%s",
        ROW_TEXTS(name, state.asleep ? "" : "still awake"),
        ROW_NUMBERS(seconds, find_lowest(scene) * 1e3, info.proxy_radius * 1e3, state.asleep));
    simulate_scene_destroy(scene);
}

static void print_rest(void)
{
    bench_say("\none chair on the ground: height of its lowest vertex when it sleeps\n"
              "  %-10s %10s %12s %26s\n",
              "", "after, s", "height, mm", "radius of largest proxy, mm");
    measure_rest(SIMULATE_EXACT, "exact");
    measure_rest(SIMULATE_PROXIES, "proxies");
}

/* ---- both ----------------------------------------------------------------------------------- */

static void measure(simulate_scene_name scene, const simulate_thing *things, uint32_t thing_count,
                    const char *more, void (*print_more)(void))
{
    graze_pool *pool = NULL; /* of --threads; NULL: one */
    if (asked.threads > 1)
        bench_must(graze_pool_create(asked.threads, NULL, &pool, &bench_error));
    bench_print_machine();
    if (bench_wants("models")) {
        bdtree_print_model_head();
        for (uint32_t i = 0; i < thing_count; i++)
            measure_model(things[i]);
    }
    if (bench_wants(more))
        print_more();
    simulation_run(scene, pool);
    bench_end_only("table");
    graze_pool_destroy(pool);
}

void bench_chairs(void)
{
    static const simulate_thing things[] = {SIMULATE_CHAIR};
    measure(SIMULATE_CHAIRS, things, 1, "rest", print_rest);
}

void bench_bridge(void)
{
    static const simulate_thing things[] = {SIMULATE_CHAIR, SIMULATE_FISH, SIMULATE_CURTAIN,
                                            SIMULATE_BRIDGE};
    measure(SIMULATE_FISH_ON_BRIDGE, things, 4, "curtain", bdtree_curtain);
}
