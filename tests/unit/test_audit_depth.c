/* How deep the audit says that two shapes are in each other, where that is known. */
#include "audit/audit.h"
#include "harness.h"
#include "support/allocator.h"
#include "support/solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- shapes in a rig ------------------------------------------------------------------------ */

static void *copy_of(const graze_rig *rig, const void *items, size_t size)
{
    void *copy = rig->allocator.allocate(rig->allocator.user, size, 64);
    if (!copy)
        abort();
    return memcpy(copy, items, size);
}

static float node_scale[3] = {1, 1, 1};

/* One node that carries everything. */
static graze_rig *rig_of(const solid *s)
{
    const graze_rig_node node = {.parent = GRAZE_NONE,
                                 .rotation = {0, 0, 0, 1},
                                 .scale = {node_scale[0], node_scale[1], node_scale[2]}};
    const graze_rig_joint joint = {.inverse_bind = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
                                   .rigid = true};
    graze_rig *rig = graze_rig_create(NULL);
    graze_influence *influences = calloc(s->vertex_count, sizeof *influences);
    uint32_t *offsets = calloc((size_t)s->vertex_count + 1, sizeof *offsets);
    if (!rig || !influences || !offsets)
        abort();
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        influences[v].weight = 1;
        offsets[v + 1] = v + 1;
    }
    rig->vertex_count = s->vertex_count;
    rig->triangle_count = s->triangle_count;
    rig->node_count = rig->joint_count = 1;
    rig->positions = copy_of(rig, s->positions, 3 * sizeof(float) * s->vertex_count);
    rig->triangles = copy_of(rig, s->triangles, 3 * sizeof(uint32_t) * s->triangle_count);
    rig->influences = copy_of(rig, influences, sizeof *influences * s->vertex_count);
    rig->influence_offsets = copy_of(rig, offsets, sizeof *offsets * ((size_t)s->vertex_count + 1));
    rig->nodes = copy_of(rig, &node, sizeof node);
    rig->joints = copy_of(rig, &joint, sizeof joint);
    free(influences);
    free(offsets);
    return rig;
}

/* Audits the two shapes as they stand; the finding, all zero if there is not exactly one. */
static graze_audit_finding find(const solid *s)
{
    static const char *const names[] = {"a", "b"};
    const graze_audit_settings settings = {.baseline = GRAZE_AUDIT_NONE};
    graze_rig *rig = rig_of(s);
    graze_model *model = NULL;
    graze_audit_subject *subject = NULL;
    graze_audit_result result = {0};
    graze_audit_finding finding = {.from = 0};
    graze_error error = {0};
    CHECK_MSG(!graze_rig_create_model(rig, NULL, &model, &error), "%s", error.text);
    graze_audit_def def = {
        .rig = rig, .model = model, .part_of = s->groups, .names = names, .part_count = 2};
    CHECK_MSG(!graze_audit_subject_create(&def, &subject, &error), "%s", error.text);
    CHECK_MSG(!graze_audit_clip(subject, GRAZE_NONE, &settings, NULL, &result, &error), "%s",
              error.text);
    CHECK(result.count == 1 && result.frames == 1);
    if (result.count == 1)
        finding = result.findings[0];
    CHECK(!finding.fold && finding.pairs > 0 && finding.worst.pairs == finding.pairs);
    finding.parts[0] = finding.parts[1] = NULL;
    graze_audit_result_free(&result);
    graze_audit_subject_destroy(subject);
    graze_model_destroy(model);
    graze_rig_destroy(rig);
    return finding;
}

static void move(solid *s, uint32_t from_vertex, double x, double y, double z)
{
    for (uint32_t v = from_vertex; v < s->vertex_count; v++) {
        s->positions[3 * v] += (float)x;
        s->positions[3 * v + 1] += (float)y;
        s->positions[3 * v + 2] += (float)z;
    }
}

static void check_depth(const solid *s, double depth, bool open, const char *what)
{
    graze_audit_finding finding = find(s);
    CHECK_MSG(fabs((double)finding.worst.depth - depth) <= 0.01 * depth, "%s: depth %g, not %g",
              what, (double)finding.worst.depth, depth);
    CHECK_MSG(finding.worst.open == open, "%s: open is %d", what, finding.worst.open);
}

/* ---- balls ---------------------------------------------------------------------------------- */

/* Two balls, the second off along a direction; each may be the inner one. */
TEST(a_ball_in_a_ball)
{
    static const double ways[][3] = {
        {0, 0, 1}, {1, 0, 0}, {0, -1, 0}, {0.6, 0, -0.8}, {0.48, 0.6, 0.64}};
    static const double depths[] = {0.2, 0.5, 0.9, 1.4};
    for (int w = 0; w < 5; w++)
        for (int d = 0; d < 4; d++)
            for (int turned = 0; turned < 2; turned++) {
                solid s = {0};
                const double radii[2] = {turned ? 2 : 1, turned ? 1 : 2}, off = 3 - depths[d];
                solid_add_ball(&s, radii[0], 60);
                uint32_t second = s.vertex_count;
                solid_add_ball(&s, radii[1], 60);
                move(&s, second, off * ways[w][0], off * ways[w][1], off * ways[w][2]);
                check_depth(&s, depths[d], false, "balls");
                solid_free(&s);
            }
}

TEST(the_point_is_the_deepest)
{
    solid s = {0};
    solid_add_ball(&s, 2, 40);
    uint32_t second = s.vertex_count;
    solid_add_ball(&s, 1, 40);
    move(&s, second, 0, 0, 2.7);
    graze_audit_finding finding = find(&s);
    CHECK(fabsf(finding.worst.point[0]) < 0.01f && fabsf(finding.worst.point[1]) < 0.01f);
    CHECK(fabsf(finding.worst.point[2] - 1.7f) < 0.01f ||
          fabsf(finding.worst.point[2] - 2) < 0.01f);
    solid_free(&s);
}

/* ---- mirrors -------------------------------------------------------------------------------- */

/* The node that carries both balls is scaled; mirrored, the inside of a ball stays inside. */
TEST(a_scaled_node)
{
    static const float scales[][3] = {{-1, 1, 1},  {1, 1, -1},      {-1, -1, -1},
                                      {-1, 1, -1}, {100, 100, 100}, {0.01f, -0.01f, 0.01f}};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        solid s = {0};
        const double by = fabs((double)scales[i][0]);
        solid_add_ball(&s, 2, 40);
        uint32_t second = s.vertex_count;
        solid_add_ball(&s, 1, 40);
        move(&s, second, 0, 0, 2.5);
        memcpy(node_scale, scales[i], sizeof node_scale);
        graze_audit_finding finding = find(&s);
        node_scale[0] = node_scale[1] = node_scale[2] = 1;
        CHECK_MSG(fabs((double)finding.worst.depth - 0.5 * by) < 0.005 * by, "scale %zu: depth %g",
                  i, (double)finding.worst.depth);
        CHECK(!finding.worst.open);
        const double z = (double)(finding.worst.point[2] / scales[i][2]);
        CHECK_MSG(fabs(z - 1.5) < 0.01 || fabs(z - 2) < 0.01, "scale %zu: at %g", i, z);
        solid_free(&s);
    }
}

/* ---- fingers -------------------------------------------------------------------------------- */

static solid finger_in_slab(double depth, uint32_t squares)
{
    static const double low[3] = {-3, -3, -2}, high[3] = {3, 3, 0};
    solid s = {0};
    solid_add_capsule(&s, 0.3, 2, 24);
    move(&s, 0, 0.05, 0.02, 2.3 - depth);
    solid_add_box(&s, low, high, squares);
    return s;
}

TEST(a_finger_in_a_slab)
{
    static const double depths[] = {0.05, 0.4, 0.9};
    for (int d = 0; d < 3; d++)
        for (uint32_t squares = 1; squares <= 30; squares += 29) {
            solid s = finger_in_slab(depths[d], squares);
            check_depth(&s, depths[d], false, squares == 1 ? "coarse slab" : "fine slab");
            solid_free(&s);
        }
}

/* Out again on the other side: no farther than half the slab is known. */
TEST(a_finger_through_a_slab)
{
    solid s = finger_in_slab(2.5, 30);
    graze_audit_finding finding = find(&s);
    CHECK(finding.worst.open && finding.worst.depth > 0.9f && finding.worst.depth <= 1.01f);
    solid_free(&s);
}

/* ---- sheets and shells ---------------------------------------------------------------------- */

/* A sheet with a round bump below another sheet, as a knee below trousers: the bump comes out by so
 * much.
 */
static solid bump_through_sheet(double out, bool turned)
{
    enum { ROWS = 60 };
    double profile[2 * ROWS][2];
    solid s = {0};
    for (int i = 0; i < ROWS; i++) { /* from far outside inwards, then up over the bump */
        profile[i][0] = 4 - (4 - 0.8) * i / ROWS;
        profile[i][1] = 0;
        double angle = asin(0.8) * (ROWS - 1 - i) / (ROWS - 1);
        profile[ROWS + i][0] = sin(angle);
        profile[ROWS + i][1] = cos(angle) - 0.6;
    }
    for (int piece = 0; piece < 2; piece++) {
        uint32_t first = s.vertex_count;
        if (piece == turned) {
            solid_add_round(&s, (const double(*)[2])profile, 2 * ROWS, 80);
        } else {
            solid_add_sheet(&s, 3, 3, 120);
            move(&s, first, 0, 0, 0.4 - out);
        }
    }
    return s;
}

TEST(a_layer_that_comes_out_through_another)
{
    static const double outs[] = {0.05, 0.1, 0.2};
    for (int o = 0; o < 3; o++)
        for (int turned = 0; turned < 2; turned++) {
            solid s = bump_through_sheet(outs[o], turned);
            check_depth(&s, outs[o], false, "layers");
            solid_free(&s);
        }
}

TEST(a_ball_through_a_thin_sheet)
{
    for (int d = 1; d < 5; d++) {
        solid s = {0};
        solid_add_ball(&s, 1, 40);
        move(&s, 0, 0, 0, 1 - 0.2 * d);
        solid_add_sheet(&s, 3, 3, 60);
        check_depth(&s, 0.2 * d, false, "sheet");
        solid_free(&s);
    }
}

/* A bowl, open where its radius does not close, in a box: with its bottom, or upside down. */
static solid bowl_in_box(double depth, bool upside_down)
{
    enum { ROWS = 40 };
    static const double low[3] = {-3, -3, -2}, high[3] = {3, 3, 0};
    double profile[ROWS][2];
    solid s = {0};
    for (int i = 0; i < ROWS; i++) {
        double angle = 2.4 * i / (ROWS - 1);
        int at = upside_down ? ROWS - 1 - i : i;
        profile[at][0] = sin(angle);
        profile[at][1] = upside_down ? cos(angle) : -cos(angle);
    }
    solid_add_round(&s, (const double(*)[2])profile, ROWS, 80);
    move(&s, 0, 0, 0, (upside_down ? -cos(2.4) : 1) - depth);
    solid_add_box(&s, low, high, 30);
    return s;
}

TEST(an_open_shell)
{
    solid whole = bowl_in_box(0.3, false), rim = bowl_in_box(0.3, true);
    check_depth(&whole, 0.3, false, "bottom first");
    graze_audit_finding finding = find(&rim);
    CHECK_MSG(finding.worst.open, "the rim of an open shell is inside");
    CHECK_MSG(finding.worst.depth > 0.29f && finding.worst.depth < 0.31f, "rim: %g",
              (double)finding.worst.depth);
    solid_free(&whole);
    solid_free(&rim);
}

/* ---- memory --------------------------------------------------------------------------------- */

static graze_status audit_with(const graze_audit_def *def, graze_error *error)
{
    const graze_audit_settings settings = {.baseline = GRAZE_AUDIT_POSE,
                                           .baseline_clip = GRAZE_NONE};
    graze_audit_subject *subject = NULL;
    graze_audit_result result = {0};
    graze_status status = graze_audit_subject_create(def, &subject, error);
    if (!status)
        status = graze_audit_clip(subject, GRAZE_NONE, &settings, NULL, &result, error);
    CHECK(status || result.count == 0);
    graze_audit_result_free(&result);
    graze_audit_subject_destroy(subject);
    return status;
}

TEST(every_allocation_may_fail)
{
    static const char *const names[] = {"a", "b"};
    solid s = bowl_in_box(0.3, false);
    graze_rig *rig = rig_of(&s);
    const graze_allocator own = rig->allocator;
    test_memory memory = {0};
    graze_model *model = NULL;
    graze_error error = {0};
    graze_status status = GRAZE_OUT_OF_MEMORY;
    CHECK(!graze_rig_create_model(rig, NULL, &model, &error));
    graze_audit_def def = {
        .rig = rig, .model = model, .part_of = s.groups, .names = names, .part_count = 2};
    rig->allocator = test_memory_allocator(&memory);
    for (uint64_t n = 1; status && n < 1000; n++) {
        memory.calls = 0;
        memory.fail_at = n;
        status = audit_with(&def, &error);
        CHECK_MSG(!status || status == GRAZE_OUT_OF_MEMORY, "call %d: %s", (int)n, error.text);
        CHECK_MSG(memory.alive == 0 && !memory.misused, "call %d leaves memory", (int)n);
    }
    CHECK(status == GRAZE_OK && memory.calls > 30);
    rig->allocator = own;
    graze_model_destroy(model);
    graze_rig_destroy(rig);
    solid_free(&s);
}
