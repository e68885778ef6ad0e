/* How tight spheres are on level 6 (figure 6): each by its own radius at rest, wrapped. */
#include "bench/simulation.h"

#include <graze/reference.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVEL = 6, SPHERES = 64, MOST_NODES = 4 * SPHERES };

typedef struct radii {
    double of[SPHERES];
    uint32_t count;
} radii;

typedef struct ratios {
    double mean, most;
} ratios;

/* Nodes are numbered level by level: those of one level lie in one run near the beginning. */
static bool take_radii(graze_body *body, radii *taken)
{
    uint32_t nodes = graze_model_get_info(graze_body_model(body)).node_count;
    taken->count = 0;
    for (uint32_t n = 0; n < nodes && n < MOST_NODES; n++) {
        graze_node_view view;
        if (graze_body_view_node(body, n, GRAZE_NODE_CURRENT, &view))
            return false;
        if (view.level == LEVEL && taken->count < SPHERES)
            taken->of[taken->count++] = view.radius;
        if (view.level > LEVEL)
            break;
    }
    return taken->count > 0;
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
static bool take_smallest(graze_body *body, radii *taken)
{
    uint32_t nodes = graze_model_get_info(graze_body_model(body)).node_count;
    double(*spheres)[4] = malloc(nodes * sizeof *spheres);
    bool ok = spheres;
    taken->count = 0;
    for (uint32_t n = nodes; ok && n-- > 0;) {
        graze_node_view view;
        ok = !graze_body_view_node(body, n, GRAZE_NODE_CURRENT, &view);
        const double leaf[4] = {view.centre[0], view.centre[1], view.centre[2], view.radius};
        memcpy(spheres[n], ok && view.child_count ? spheres[view.first_child] : leaf, sizeof leaf);
        for (uint32_t c = 1; ok && c < view.child_count; c++)
            join(spheres[n], spheres[view.first_child + c], spheres[n]);
        if (ok && view.level == LEVEL && taken->count < SPHERES)
            taken->of[taken->count++] = spheres[n][3];
    }
    for (uint32_t i = 0; i < taken->count / 2; i++) { /* in the order of take_radii */
        double kept = taken->of[i];
        taken->of[i] = taken->of[taken->count - 1 - i];
        taken->of[taken->count - 1 - i] = kept;
    }
    free(spheres);
    return ok;
}

static ratios compare(const radii *now, const radii *rest)
{
    ratios result = {0, 0};
    for (uint32_t i = 0; i < now->count; i++) {
        double ratio = now->of[i] / rest->of[i];
        result.mean += ratio / now->count;
        result.most = ratio > result.most ? ratio : result.most;
    }
    return result;
}

/* The pose of a frame of the animation, rigid motion left out: radii do not know it. */
static bool pose(const simulate_kind *kind, graze_body *body, uint32_t frame, float *weights)
{
    for (uint32_t i = 0; i < kind->field_count; i++)
        weights[i] = (float)kind->weights[(size_t)frame * kind->field_count + i];
    return !graze_body_set_morph_weights(body, weights, kind->field_count, false, NULL);
}

typedef struct figure {
    ratios layered_rest, layered;   /* centred between children, as graze_body_refit_all does */
    ratios smallest_rest, smallest; /* as small as their children let them be */
    ratios bounded;                 /* by the paper's formulas */
    uint32_t frame;                 /* where spheres are largest on average */
    double all_frames;              /* mean of the means of bounded */
    uint32_t count;
} figure;

static bool measure_layered(graze_body *body, const radii *rest, ratios *layered, ratios *smallest)
{
    radii now;
    graze_body_refit_all(body);
    if (!take_radii(body, &now))
        return false;
    *layered = compare(&now, rest);
    if (!take_smallest(body, &now))
        return false;
    *smallest = compare(&now, rest);
    return true;
}

static bool measure(const simulate_kind *kind, graze_body *body, float *weights, figure *f)
{
    radii rest, now;
    if (!take_radii(body, &rest))
        return false;
    if (!measure_layered(body, &rest, &f->layered_rest, &f->smallest_rest))
        return false;
    f->count = rest.count;
    for (uint32_t frame = 0; frame < kind->frame_count; frame++) {
        if (!pose(kind, body, frame, weights) || !take_radii(body, &now))
            return false;
        ratios found = compare(&now, &rest);
        f->all_frames += found.mean / kind->frame_count;
        if (found.mean <= f->bounded.mean)
            continue;
        f->bounded = found;
        f->frame = frame;
    }
    return pose(kind, body, f->frame, weights) &&
           measure_layered(body, &rest, &f->layered, &f->smallest);
}

static void print(const simulation_output *output, const simulate_kind *kind, const figure *f)
{
    if (output->options->json) {
        printf("{\"table\":\"figure 6\",\"model\":\"%s\",\"level\":%d,\"spheres\":%u,\"frame\":%u,"
               "\"layered_rest\":[%.4f,%.4f],\"layered\":[%.4f,%.4f],"
               "\"smallest_rest\":[%.4f,%.4f],\"smallest\":[%.4f,%.4f],\"bounded\":[%.4f,%.4f],"
               "\"bounded_all_frames\":%.4f,\"rms_error\":%.4g,\"largest_error\":%.4g}\n",
               kind->name, LEVEL, f->count, f->frame, f->layered_rest.mean, f->layered_rest.most,
               f->layered.mean, f->layered.most, f->smallest_rest.mean, f->smallest_rest.most,
               f->smallest.mean, f->smallest.most, f->bounded.mean, f->bounded.most, f->all_frames,
               kind->error, kind->largest);
        return;
    }
    printf("\nthe bridge's %u spheres of level %d, radius by radius at rest, mean / largest, where "
           "they are largest (frame %u of %u)\n  %-28s %15s %15s | paper\n",
           f->count, LEVEL, f->frame, kind->frame_count, "", "at rest", "deformed");
    printf("  %-28s %7.2f / %5.2f %7.2f / %5.2f | 1.31 / 1.77 -> 1.31 / 1.79\n",
           "layered, smallest", f->smallest_rest.mean, f->smallest_rest.most, f->smallest.mean,
           f->smallest.most);
    printf("  %-28s %7.2f / %5.2f %7.2f / %5.2f |\n", "layered, centred", f->layered_rest.mean,
           f->layered_rest.most, f->layered.mean, f->layered.most);
    printf("  %-28s %7.2f / %5.2f %7.2f / %5.2f | 1    / 1    -> 1.25 / 1.56\n",
           "BD-tree, paper's formulas", 1.0, 1.0, f->bounded.mean, f->bounded.most);
    printf("  BD-tree over all frames: mean %.2f; %u components are off by %.3g mm (root mean "
           "square), %.3g mm at most\n\n",
           f->all_frames, kind->field_count, 1e3 * kind->error, 1e3 * kind->largest);
}

bool simulation_radii(simulation_output *output, const simulate_kind *bridge, graze_body *body)
{
    figure f = {.count = 0};
    float *weights = calloc(bridge->field_count + 1, sizeof *weights);
    bool ok = weights && measure(bridge, body, weights, &f);
    if (ok)
        print(output, bridge, &f);
    else
        fprintf(stderr, "graze: out of memory\n");
    free(weights);
    return ok;
}
