/* Who touches whom, and when, in the scenes of things that bend: found the slow way. */
#include "gltf_support.h"
#include "harness.h"
#include "scenes/scene.h"
#include "support/allocator.h"
#include "support/own.h"

#include <math.h>

OWN_POINTER(graze_scene, graze_scene_destroy)

/* Posed and placed, 3 numbers a vertex; must be freed. */
static double *place(const graze_scene *scene, uint32_t frame, uint32_t instance)
{
    const graze_rig *rig = scene->rigs[scene->instances[instance].rig];
    uint32_t clip;
    double time;
    float at[12];
    graze_scene_place(scene, frame, instance, &clip, &time, at);
    double *posed = pose_rig(rig, clip, time);
    for (uint32_t v = 0; posed && v < rig->vertex_count; v++) {
        double *p = posed + 3 * (size_t)v, x = p[0], y = p[1], z = p[2];
        for (int k = 0; k < 3; k++)
            p[k] = at[4 * k] * x + at[4 * k + 1] * y + at[4 * k + 2] * z + at[4 * k + 3];
    }
    return posed;
}

/* Twice the area of a triangle of the xy plane. */
static double area(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static bool all_on_one_side(double p, double a, double b, double c)
{
    return (a > p && b > p && c > p) || (a < p && b < p && c < p);
}

/* Whether a ray along +Z leaves the closed mesh an odd number of times. */
static bool is_inside(const graze_rig *rig, const double *posed, const double *at)
{
    bool inside = false;
    for (uint32_t t = 0; t < rig->triangle_count; t++) {
        const uint32_t *v = rig->triangles + 3 * (size_t)t;
        const double *a = posed + 3 * (size_t)v[0], *b = posed + 3 * (size_t)v[1];
        const double *c = posed + 3 * (size_t)v[2];
        if (all_on_one_side(at[0], a[0], b[0], c[0]) || all_on_one_side(at[1], a[1], b[1], c[1]))
            continue;
        double whole = area(a, b, c), u = area(at, b, c) / whole, w = area(a, at, c) / whole;
        if (whole != 0 && u >= 0 && w >= 0 && u + w <= 1)
            inside ^= u * a[2] + w * b[2] + (1 - u - w) * c[2] > at[2];
    }
    return inside;
}

/* Vertices of instance a that are inside instance b, every third looked at. */
static uint32_t count_inside(const graze_scene *scene, uint32_t frame, uint32_t a, uint32_t b)
{
    const graze_rig *first = scene->rigs[scene->instances[a].rig];
    const graze_rig *second = scene->rigs[scene->instances[b].rig];
    OWNED double *mine = place(scene, frame, a), *other = place(scene, frame, b);
    double low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9};
    uint32_t count = 0;
    for (size_t i = 0; i < 3 * (size_t)second->vertex_count; i++) {
        low[i % 3] = fmin(low[i % 3], other[i]);
        high[i % 3] = fmax(high[i % 3], other[i]);
    }
    for (uint32_t v = 0; v < first->vertex_count; v += 3) {
        const double *at = mine + 3 * (size_t)v;
        bool near = true;
        for (int k = 0; k < 3; k++)
            near = near && at[k] > low[k] && at[k] < high[k];
        count += near && is_inside(second, other, at);
    }
    return count;
}

static graze_scene *open_scene(const char *name, uint32_t instances, uint32_t frames)
{
    graze_scene *scene = NULL;
    CHECK(graze_scene_create(name, NULL, &scene, NULL) == GRAZE_OK);
    if (scene)
        CHECK(scene->instance_count == instances && scene->frame_count == frames);
    return scene;
}

TEST(the_ball_hits_the_curtain)
{
    OWN(graze_scene) *scene = open_scene("curtain", 2, 110);
    REQUIRE(scene);
    uint32_t first = GRAZE_NONE, last = 0, touching = 0;
    for (uint32_t frame = 0; frame < scene->frame_count; frame++) {
        OWNED double *cloth = place(scene, frame, 0), *ball = place(scene, frame, 1);
        double middle[3] = {0, 0, 0}, lowest = 1e9;
        bool touches = false;
        for (uint32_t v = 0; v < scene->rigs[1]->vertex_count; v++) {
            lowest = fmin(lowest, ball[3 * v + 1]);
            for (int k = 0; k < 3; k++)
                middle[k] += ball[3 * v + k] / scene->rigs[1]->vertex_count;
        }
        for (uint32_t v = 0; v < scene->rigs[0]->vertex_count; v++) {
            double x = cloth[3 * v] - middle[0], y = cloth[3 * v + 1] - middle[1];
            double z = cloth[3 * v + 2] - middle[2];
            touches = touches || x * x + y * y + z * z < 0.149 * 0.149;
        }
        CHECK_MSG(lowest > -0.01, "frame %u: the ball is at %g", frame, lowest);
        first = touches && first == GRAZE_NONE ? frame : first;
        last = touches ? frame : last;
        touching += touches;
    }
    CHECK_MSG(first >= 40 && first <= 60, "first in frame %u", first);
    CHECK_MSG(touching >= 20 && touching == last - first + 1, "in %u frames until %u", touching,
              last);
}

static void check_frames(const char *name, uint32_t instances, const uint32_t *frames,
                         uint32_t count, bool touching)
{
    OWN(graze_scene) *scene = open_scene(name, instances, 60);
    REQUIRE(scene);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t inside = 0;
        for (uint32_t a = 0; a < instances; a++)
            for (uint32_t b = 0; b < instances; b++)
                inside += a == b ? 0 : count_inside(scene, frames[i], a, b);
        CHECK_MSG((inside > 0) == touching, "%s: %u vertices inside another in frame %u", name,
                  inside, frames[i]);
    }
}

TEST(chairs_crash_and_part)
{
    static const uint32_t apart[] = {0, 20, 30, 50, 59}, together[] = {36, 38, 43};
    check_frames("chairs", 3, apart, 5, false);
    check_frames("chairs", 3, together, 3, true);
}

TEST(candy_paws_meet)
{
    static const uint32_t apart[] = {0, 30, 59}, together[] = {9, 10, 50};
    check_frames("candy", 2, apart, 3, false);
    check_frames("candy", 2, together, 3, true);
}

static graze_status make_curtain(const graze_allocator *allocator, void *about, graze_error *error)
{
    OWN(graze_scene) *scene = NULL;
    (void)about;
    graze_status status = graze_scene_create("curtain", allocator, &scene, error);
    CHECK(!status == (scene != NULL));
    return status;
}

TEST(scenes_of_things_survive_failed_allocations)
{
    test_memory memory = {0};
    CHECK(test_fail_each(&memory, make_curtain, NULL, 1000) > 0);
}
