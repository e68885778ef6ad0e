/* One figure, written in the many ways that files have: read, all of them are that figure. */
#include "gltf_support.h"
#include "harness.h"
#include "support/figure.h"
#include "support/own.h"

#include <math.h>

static graze_rig *load(const figure_def *def, const char *name)
{
    size_t size;
    unsigned char *data = figure_glb(def, &size);
    graze_rig *rig = NULL;
    graze_error error = {GRAZE_OK, ""};
    graze_gltf_parse(data, size, NULL, name, NULL, &rig, &error);
    CHECK_MSG(rig != NULL, "%s: %s", name, error.text);
    free(data);
    return rig;
}

static const figure_def *find(const char *name)
{
    for (uint32_t i = 0; i < figure_case_count; i++)
        if (strcmp(figure_cases[i].name, name) == 0)
            return &figure_cases[i].def;
    abort();
}

/* The largest coordinate difference of the first vertices, from one on, at two times. */
static double difference(const graze_rig *a, double time_a, const graze_rig *b, double time_b,
                         uint32_t first)
{
    OWNED double *posed_a = pose_rig(a, 0, time_a), *posed_b = pose_rig(b, 0, time_b);
    double largest = 0;
    if (!posed_a || !posed_b || first + FIGURE_VERTICES > b->vertex_count)
        largest = INFINITY;
    for (uint32_t i = 0; isfinite(largest) && i < 3 * FIGURE_VERTICES; i++)
        largest = fmax(largest, fabs(posed_a[i] - posed_b[3 * first + i]));
    return largest;
}

TEST(every_way_has_its_counts)
{
    for (uint32_t i = 0; i < figure_case_count; i++) {
        const figure_def *d = &figure_cases[i].def;
        OWN(graze_rig) *rig = load(d, figure_cases[i].name);
        if (!rig)
            continue;
        uint32_t shown = d->no_skin ? 0 : 1u + d->twice + d->second_skin;
        uint32_t sets = d->strips ? FIGURE_RINGS - 1 : 1; /* of vertices: one a primitive */
        uint32_t boxes = d->boxes ? FIGURE_BOXES : 0;
        uint32_t joints = FIGURE_JOINTS * (d->no_skin ? 0 : d->second_skin ? 2u : 1u) + boxes;
        uint32_t morphs = d->no_skin || !d->morphs ? 0 : d->twice ? 4 : 2;
        CHECK_MSG(rig->vertex_count == FIGURE_VERTICES * shown * sets + 8 * boxes &&
                      rig->triangle_count == FIGURE_TRIANGLES * shown + 12 * boxes &&
                      rig->joint_count == joints && rig->morph_count == morphs &&
                      rig->clip_count == 1,
                  "%s: %u vertices, %u triangles, %u joints, %u morphs, %u clips",
                  figure_cases[i].name, rig->vertex_count, rig->triangle_count, rig->joint_count,
                  rig->morph_count, rig->clip_count);
        CHECK(fabsf(rig->clips[0].seconds - 0.25f * (FIGURE_KEYS - 1) - d->later) < 1e-6f);
        CHECK(rig->skinned == !d->no_skin);
    }
}

TEST(other_ways_pose_the_same)
{
    static const struct {
        const char *name;
        double tolerance;
    } ways[] = {{"unnamed", 0},
                {"all of one name", 0},
                {"rotations of 16 bits", 1e-3},
                {"weights of 16 bits", 1e-4},
                {"quantised", 1e-6},
                {"strips", 0},
                {"heavy weights", 1e-6},
                {"begins late", 1e-6},
                {"shown twice", 0}};
    OWN(graze_rig) *plain = load(find("figure"), "figure");
    REQUIRE(plain != NULL);
    CHECK(difference(plain, 0, plain, 0.5, 0) > 0.2); /* it moves */
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const figure_def *def = find(ways[i].name);
        OWN(graze_rig) *rig = load(def, ways[i].name);
        for (int k = 0; rig && k < 9; k++) {
            double time = 0.1371 * k,
                   off = difference(plain, time, rig, time + (double)def->later, 0);
            CHECK_MSG(off <= ways[i].tolerance, "%s at %g: %g", ways[i].name, time, off);
        }
    }
}

/* Between keys: what stays, and half way a spline with zero tangents is where a line is, but for
 * the length of the quaternion, which is made unit.
 */
TEST(steps_and_splines_agree_at_keys)
{
    OWN(graze_rig) *plain = load(find("figure"), "figure"), *steps = load(find("steps"), "steps");
    OWN(graze_rig) *splines = load(find("splines"), "splines");
    REQUIRE(plain && steps && splines);
    for (int k = 0; k < FIGURE_KEYS; k++) {
        double key = 0.25 * k, half = key + 0.125;
        CHECK(difference(plain, key, steps, key, 0) < 1e-6);
        CHECK(difference(plain, key, splines, key, 0) < 1e-6);
        if (k + 1 == FIGURE_KEYS)
            continue;
        CHECK(difference(plain, key, steps, key + 0.24, 0) < 1e-6);
        CHECK(difference(plain, half, splines, half, 0) < 1e-4);
        CHECK(difference(plain, key + 0.05, splines, key + 0.05, 0) > 1e-3);
        CHECK(difference(plain, half, steps, half, 0) > 0.01);
    }
}

TEST(morphs_dense_and_sparse)
{
    OWN(graze_rig) *plain = load(find("figure"), "figure");
    OWN(graze_rig) *dense = load(find("morphs"), "morphs");
    OWN(graze_rig) *sparse = load(find("sparse morphs"), "sparse morphs");
    REQUIRE(plain && dense && sparse);
    float weights[2];
    CHECK(dense->morphs[0].weight == 0.5f && dense->morphs[1].weight == 0);
    CHECK(dense->morphs[0].count == FIGURE_SIDES &&
          dense->morphs[0].vertices[0] == 2 * FIGURE_SIDES);
    CHECK(graze_rig_sample(dense, 0, 0.625, NULL, weights) == GRAZE_OK);
    CHECK(fabsf(weights[0] - 0.625f) < 1e-6f && fabsf(weights[1] - 0.5f) < 1e-6f);
    CHECK(difference(plain, 0, dense, 0, 0) == 0); /* where both weights are 0 */
    CHECK(difference(plain, 0.25, dense, 0.25, 0) > 0.2);
    for (int k = 0; k < 9; k++)
        CHECK(difference(dense, k * 0.137, sparse, k * 0.137, 0) == 0);
}

TEST(every_vertex_follows_six_joints)
{
    OWN(graze_rig) *rig = load(find("eight influences"), "eight influences");
    REQUIRE(rig != NULL);
    for (int v = 0; v < FIGURE_VERTICES; v++) {
        uint32_t first = rig->influence_offsets[v], end = rig->influence_offsets[v + 1];
        CHECK(end - first == FIGURE_JOINTS);
        for (uint32_t i = first; i < end; i++)
            CHECK(rig->influences[i].weight ==
                  figure_eight_weight(v, (int)rig->influences[i].joint));
    }
}

TEST(skins_shown_twice_shared_and_without_binds)
{
    OWN(graze_rig) *plain = load(find("figure"), "figure");
    OWN(graze_rig) *unbound = load(find("no inverse binds"), "no inverse binds");
    OWN(graze_rig) *all = load(find("two skins, boxes and morphs"), "all");
    OWN(graze_rig) *heavy = load(find("heavy weights"), "heavy weights");
    REQUIRE(plain && unbound && all && heavy);
    const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    for (uint32_t j = 0; j < unbound->joint_count; j++)
        CHECK(memcmp(unbound->joints[j].inverse_bind, identity, sizeof identity) == 0);
    uint32_t shown[3] = {GRAZE_NONE, GRAZE_NONE, GRAZE_NONE}, count = 0; /* meshes of the figure */
    for (uint32_t m = 0; m < all->mesh_count && count < 3; m++)
        if (all->meshes[m].vertex_count == FIGURE_VERTICES)
            shown[count++] = m;
    REQUIRE(count == 3 && all->mesh_count == 3 + FIGURE_BOXES);
    const graze_rig_mesh *first = &all->meshes[shown[0]], *again = &all->meshes[shown[1]];
    CHECK(all->triangles[3 * again->first_triangle] ==
          all->triangles[3 * first->first_triangle] - first->first_vertex + again->first_vertex);
    CHECK(difference(plain, 0, all, 0, first->first_vertex) == 0);
    CHECK(difference(plain, 0.4, all, 0.4, first->first_vertex) > 0.01); /* its morphs */
    CHECK(heavy->influences[0].weight == 1.75f);                         /* as in the file */
}

/* Boxes stretched, mirrored and hung under one another stand where the nodes say. */
TEST(boxes_follow_their_nodes)
{
    graze_rig *rig = load(find("boxes"), "boxes");
    double *posed = rig ? pose_rig(rig, GRAZE_NONE, 0) : NULL;
    REQUIRE(posed && rig->vertex_count == 8 * FIGURE_BOXES);
    /* the corner (0.25, 0.25, 0.25) of each; the column's end is at (0, 5, 0) */
    const double wanted[FIGURE_BOXES][3] = {
        {1 + 0.75, 5 + 0.125, 0.25},
        {-1 - 0.25, 5.5 + 0.25, 0.25},
        /* turned by (0.6, 0.8): cosine 0.28, sine 0.96; then mirrored with the one it hangs at */
        {-1 - (0.5 + 0.25 * (0.28 - 0.96)), 5.5 + 0.25 + 0.25 * (0.96 + 0.28), 0.25}};
    for (int b = 0; b < FIGURE_BOXES; b++)
        for (int k = 0; k < 3; k++)
            CHECK_MSG(fabs(posed[3 * (8 * b + 7) + k] - wanted[b][k]) < 1e-6, "box %d: %g, not %g",
                      b, posed[3 * (8 * b + 7) + k], wanted[b][k]);
    free(posed);
    graze_rig_destroy(rig);
}
