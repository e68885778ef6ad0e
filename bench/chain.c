/* Sphere chains (Madera et al. 2017): what there is at rest, what a pose costs, and what it is
 * worth.
 */
#include "bench/chain.h"

enum { FEW_POSES = 300, MANY_POSES = 10000 };

/* ---- the subject ----------------------------------------------------------------------------- */

static void make_grouped(chain_subject *s)
{
    graze_model_def def = graze_rig_model_def(s->rig);
    for (uint32_t t = 0; t < s->rig->triangle_count; t++)
        s->owners[t] = graze_chains_triangle_sphere(s->chains, t);
    def.triangle_parts = s->owners;
    def.vertex_parts = s->vertex_parts;
    def.part_count = s->sphere_count;
    bench_must(graze_rig_create_model(s->rig, &def, &s->grouped, &bench_error));
}

static void open_subject(chain_subject *s, graze_synth_kind kind)
{
    const graze_chain_def def = {0};
    graze_rig *rig = bench_make_rig(kind, CHAIN_TRIANGLES);
    *s = (chain_subject){.name = graze_synth_name(kind), .rig = rig};
    bench_must(graze_rig_create_model(rig, NULL, &s->model, &bench_error));
    bench_must(
        graze_rig_part_names(rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &s->joints, &bench_error));
    bench_must(graze_chains_create(s->model, s->joints, &def, &s->chains, &bench_error));
    bench_must(graze_chain_tracker_create(s->chains, NULL, &s->tracker, &bench_error));
    s->sphere_count = graze_chains_get_info(s->chains).sphere_count;
    graze_chain_tracker_size(s->tracker, GRAZE_ALL_PAIRS, &s->capacity);
    s->word_count = s->sphere_count * (((size_t)s->sphere_count + 31) / 32);
    s->owners = bench_take(rig->triangle_count, sizeof *s->owners);
    s->vertex_parts = bench_take(rig->vertex_count, sizeof *s->vertex_parts);
    s->rows = bench_take(s->word_count, sizeof *s->rows);
    s->spheres = bench_take(s->sphere_count, 4 * sizeof *s->spheres);
    s->pairs = bench_take(s->capacity + 1, sizeof *s->pairs);
    make_grouped(s);
    s->body = bench_make_body(s->model);
    s->grouped_body = bench_make_body(s->grouped);
}

static void close_subject(chain_subject *s)
{
    graze_body_destroy(s->body);
    graze_body_destroy(s->grouped_body);
    graze_chain_tracker_destroy(s->tracker);
    graze_chains_destroy(s->chains);
    graze_model_destroy(s->model);
    graze_model_destroy(s->grouped);
    graze_part_names_destroy(s->joints);
    graze_rig_destroy(s->rig);
    free(s->owners);
    free(s->vertex_parts);
    free(s->rows);
    free(s->spheres);
    free(s->pairs);
}

/* ---- at rest --------------------------------------------------------------------------------- */

static void print_region(const chain_subject *s, uint32_t region)
{
    static const char *const names[] = {"ours", "least squares", "minimal balls"};
    const char *name = region == GRAZE_NONE ? "all" : graze_chains_region_name(s->chains, region);
    bench_say("  %-12s", name);
    for (int fit = 0; fit < 3; fit++) {
        graze_chain_misfit of[2];
        bench_must(graze_chains_misfit(s->chains, region, (graze_chain_fit)fit, &of[0], &of[1],
                                       &bench_error));
        bench_json_row(
            "chain fit", "region:%s spheres:%s mean:%.4g max:%.4g mean_hits:%.4g max_hits:%.4g",
            ROW_TEXTS(name, names[fit]), ROW_NUMBERS(of[0].mean, of[0].max, of[1].mean, of[1].max));
        bench_say("  %8.2f %7.2f %7.2f %7.2f%s", 1e3 * of[0].mean, 1e3 * of[0].max,
                  1e3 * of[1].mean, 1e3 * of[1].max, fit == 2 ? "\n" : "");
    }
}

static void print_rest(const chain_subject *s)
{
    graze_chains_info info = graze_chains_get_info(s->chains);
    uint32_t chains = info.chain_count, checked, all;
    graze_chain_tracker_size(s->tracker, GRAZE_CHAIN_PAIRS, &checked);
    graze_chain_tracker_size(s->tracker, GRAZE_ALL_PAIRS, &all);
    bench_json_row("chain rest",
                   "model:%s triangles:%.0f spheres:%.0f chains:%.0f checked:%.0f all:%.0f "
                   "paper_chains:%.0f paper_all:%.0f",
                   ROW_TEXTS(s->name),
                   ROW_NUMBERS(s->rig->triangle_count, s->sphere_count, chains, checked, all,
                               info.paper_chain_tests, info.paper_all_tests));
    bench_say("\n%s, %u triangles: %u spheres in %u chains; pairs looked at: %u by the chains (M1, "
              "M3), %u without (M2);\nthe paper's way of counting: %llu and %llu\n"
              "F = |r - |c - v||, mm: mean and most over vertices, then over hits of rays\n"
              "  region            ours                            least squares                 "
              "    minimal balls\n",
              s->name, s->rig->triangle_count, s->sphere_count, chains, checked, all,
              (unsigned long long)info.paper_chain_tests, (unsigned long long)info.paper_all_tests);
    for (uint32_t r = 0; r < info.region_count; r++)
        print_region(s, r);
    print_region(s, GRAZE_NONE);
}

/* ---- all of it ------------------------------------------------------------------------------- */

void bench_chain(void)
{
    static const graze_synth_kind kinds[] = {GRAZE_SYNTH_MAN, GRAZE_SYNTH_MAN_MORPHING};
    bool rest = bench_wants("rest"), times = bench_wants("times"), truth = bench_wants("truth");
    bench_end_only("table");
    bench_csv_open("model,clip,what,threads,least_us,median_us");
    bench_print_machine();
    for (int k = 0; k < 2; k++) {
        chain_subject subject;
        open_subject(&subject, kinds[k]);
        if (rest)
            print_rest(&subject);
        for (uint32_t c = 0; times && c < subject.rig->clip_count; c++)
            chain_print_times(&subject, c);
        if (truth && k == 0)
            chain_print_truth(&subject, asked.only ? MANY_POSES : FEW_POSES);
        close_subject(&subject);
    }
}
