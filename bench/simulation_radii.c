/* How tight spheres are on level 6 (figure 6): each by its own radius at rest, wrapped. */
#include "bench/simulation.h"

enum { LEVEL = 6, SPHERES = 64, MOST_NODES = 4 * SPHERES };

typedef struct radii {
    double of[SPHERES];
    uint32_t count;
} radii;

typedef struct ratios {
    double mean, most;
} ratios;

/* Nodes are numbered level by level: those of one level lie in one run near the beginning. spheres
 * NULL: as the body has them.
 */
static radii take_radii(graze_body *body, double (*spheres)[4])
{
    radii taken = {.count = 0};
    for (uint32_t n = 0; n < bench_nodes(body) && n < MOST_NODES; n++) {
        const graze_node_view view = bench_view(body, n, GRAZE_NODE_CURRENT);
        if (view.level == LEVEL && taken.count < SPHERES)
            taken.of[taken.count++] = spheres ? spheres[n][3] : view.radius;
    }
    if (!taken.count)
        bench_die("a tree without level %d", LEVEL);
    return taken;
}

/* The smallest sphere around two: centre and radius. */
static void join(const double a[4], const double b[4], double both[4])
{
    const double between[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    double distance =
        sqrt(between[0] * between[0] + between[1] * between[1] + between[2] * between[2]);
    if (distance + b[3] <= a[3] || distance + a[3] <= b[3]) {
        memmove(both, a[3] >= b[3] ? a : b, 4 * sizeof *both);
        return;
    }
    double radius = 0.5 * (distance + a[3] + b[3]), share = (radius - a[3]) / distance;
    const double joined[4] = {a[0] + share * between[0], a[1] + share * between[1],
                              a[2] + share * between[2], radius};
    memcpy(both, joined, sizeof joined);
}

/* Radii of layered spheres, each the smallest around its two children's, from the leaves of a body
 * that is refitted bottom-up.
 */
static radii take_smallest(graze_body *body)
{
    uint32_t nodes = bench_nodes(body);
    double(*spheres)[4] = bench_take(nodes, sizeof *spheres);
    for (uint32_t n = nodes; n-- > 0;) {
        const graze_node_view view = bench_view(body, n, GRAZE_NODE_CURRENT);
        const double leaf[4] = {view.centre[0], view.centre[1], view.centre[2], view.radius};
        memcpy(spheres[n], view.child_count ? spheres[view.first_child] : leaf, sizeof leaf);
        for (uint32_t c = 1; c < view.child_count; c++)
            join(spheres[n], spheres[view.first_child + c], spheres[n]);
    }
    radii taken = take_radii(body, spheres);
    free(spheres);
    return taken;
}

static ratios compare(radii now, const radii *rest)
{
    ratios result = {0, 0};
    for (uint32_t i = 0; i < now.count; i++) {
        result.mean += now.of[i] / rest->of[i] / now.count;
        result.most = fmax(result.most, now.of[i] / rest->of[i]);
    }
    return result;
}

/* The pose of a frame of the animation, rigid motion left out: radii do not know it. */
static void pose(const simulate_kind *kind, graze_body *body, uint32_t frame)
{
    float weights[SIMULATE_MOST_FIELDS];
    for (uint32_t i = 0; i < kind->field_count; i++)
        weights[i] = (float)kind->weights[(size_t)frame * kind->field_count + i];
    bench_must(graze_body_set_morph_weights(body, weights, kind->field_count, false, &bench_error));
}

/* At rest, and where spheres are largest on average. */
typedef struct figure {
    ratios layered[2];  /* centred between children, as graze_body_refit_all does */
    ratios smallest[2]; /* as small as their children let them be */
    ratios bounded;     /* by the paper's formulas */
    uint32_t frame;
    double all_frames; /* mean of the means of bounded */
    uint32_t count;
} figure;

static void measure_layered(graze_body *body, const radii *rest, int when, figure *f)
{
    graze_body_refit_all(body);
    f->layered[when] = compare(take_radii(body, NULL), rest);
    f->smallest[when] = compare(take_smallest(body), rest);
}

static figure measure(const simulate_kind *kind, graze_body *body)
{
    const radii rest = take_radii(body, NULL);
    figure f = {.count = rest.count};
    measure_layered(body, &rest, 0, &f);
    for (uint32_t frame = 0; frame < kind->frame_count; frame++) {
        pose(kind, body, frame);
        ratios found = compare(take_radii(body, NULL), &rest);
        f.all_frames += found.mean / kind->frame_count;
        if (found.mean <= f.bounded.mean)
            continue;
        f.bounded = found;
        f.frame = frame;
    }
    pose(kind, body, f.frame);
    measure_layered(body, &rest, 1, &f);
    return f;
}

void simulation_radii(const simulate_kind *bridge, graze_body *body)
{
    const figure f = measure(bridge, body);
    const ratios *layered = f.layered, *smallest = f.smallest;
    bench_json_row("figure 6",
                   "model:%s level:%.0f spheres:%.0f frame:%.0f layered_rest:[%.4f,%.4f] "
                   "layered:[%.4f,%.4f] smallest_rest:[%.4f,%.4f] smallest:[%.4f,%.4f] "
                   "bounded:[%.4f,%.4f] bounded_all_frames:%.4f rms_error:%.4g largest_error:%.4g",
                   ROW_TEXTS(bridge->name),
                   ROW_NUMBERS(LEVEL, f.count, f.frame, layered[0].mean, layered[0].most,
                               layered[1].mean, layered[1].most, smallest[0].mean, smallest[0].most,
                               smallest[1].mean, smallest[1].most, f.bounded.mean, f.bounded.most,
                               f.all_frames, bridge->error, bridge->largest));
    bench_say(
        "\nthe bridge's %u spheres of level %d, radius by radius at rest, mean / largest, where "
        "they are largest (frame %u of %u)\n  %-28s %15s %15s | paper\n"
        "  %-28s %7.2f / %5.2f %7.2f / %5.2f | 1.31 / 1.77 -> 1.31 / 1.79\n"
        "  %-28s %7.2f / %5.2f %7.2f / %5.2f |\n"
        "  %-28s %7.2f / %5.2f %7.2f / %5.2f | 1    / 1    -> 1.25 / 1.56\n"
        "  BD-tree over all frames: mean %.2f; %u components are off by %.3g mm (root mean "
        "square), %.3g mm at most\n\n",
        f.count, LEVEL, f.frame, bridge->frame_count, "", "at rest", "deformed",
        "layered, smallest", smallest[0].mean, smallest[0].most, smallest[1].mean, smallest[1].most,
        "layered, centred", layered[0].mean, layered[0].most, layered[1].mean, layered[1].most,
        "BD-tree, paper's formulas", 1.0, 1.0, f.bounded.mean, f.bounded.most, f.all_frames,
        bridge->field_count, 1e3 * bridge->error, 1e3 * bridge->largest);
}
