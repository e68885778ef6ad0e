/* Hints of the audit: of 50 built findings, in how many the hint parts the two when it is applied,
 * and whether it makes any other two parts worse. Both are told by brute force over the turned rig.
 */
#include "audit/audit.h"
#include "harness.h"
#include "scenes_support.h"
#include "support/own.h"
#include "support/quick.h"

#include <math.h>

#define TO_RADIANS (3.14159265358979323846 / 180)

/* ---- characters that go through themselves --------------------------------------------------- */

/* Degrees about x, y, z. Of the right side y and z go the other way round. */
typedef struct bend {
    const char *joint;
    bool other; /* of the other side */
    double low[3], high[3];
} bend;

/* Names without a side are of either. */
static const struct {
    const char *name;
    bend bends[4];
    const char *parts[2][5];
    bool across; /* the second part is of the other side */
} kinds[] = {
    {"a hand in a thigh",
     {{"upper_arm", false, {-25, -10, -55}, {15, 10, -25}},
      {"forearm", false, {-40, -20, -20}, {0, 20, 10}}},
     {{"hand", "fingers", "thumb"}, {"thigh"}},
     false},
    {"crossed legs",
     {{"thigh", false, {-20, -10, -30}, {20, 10, -8}}, {"calf", false, {0, 0, -5}, {40, 0, 5}}},
     {{"thigh", "calf", "foot"}, {"thigh", "calf", "foot"}},
     true},
    {"an arm in the chest",
     {{"upper_arm", false, {-60, -30, -60}, {0, 30, -20}},
      {"forearm", false, {-90, -90, -30}, {-20, 0, 0}}},
     {{"forearm", "hand", "fingers", "thumb"}, {"chest", "spine.1", "spine.2", "spine.3"}},
     false},
    {"a hand in the head",
     {{"upper_arm", false, {-130, -60, -60}, {-40, 20, 0}},
      {"forearm", false, {-140, -60, -60}, {-60, 20, 0}}},
     {{"forearm", "hand", "fingers", "thumb"}, {"head", "neck"}},
     false},
    {"crossed arms",
     {{"upper_arm", false, {-80, -20, -60}, {-30, 20, -20}},
      {"upper_arm", true, {-80, -20, -60}, {-30, 20, -20}},
      {"forearm", false, {-40, -60, -30}, {0, 0, 0}},
      {"forearm", true, {-40, -60, -30}, {0, 0, 0}}},
     {{"forearm", "hand", "fingers"}, {"forearm", "hand", "fingers"}},
     true}};

enum { CASES = 50, KINDS = sizeof kinds / sizeof *kinds, MOST_JOINTS = 64, TRIES = 2000 };

typedef struct figure {
    graze_rig *rig;
    graze_model *model;
    graze_audit_subject *subject;
    graze_body *body;
    graze_rig_node stand[MOST_JOINTS];
    uint32_t part_count;
    uint32_t parents[MOST_JOINTS], parts[MOST_JOINTS];
    const char *names[MOST_JOINTS];
} figure;

static void open_subject(figure *f)
{
    graze_error error = {0};
    OWNED uint32_t *part_of = calloc(f->rig->triangle_count, sizeof *part_of);
    const graze_audit_def def = {.rig = f->rig,
                                 .model = f->model,
                                 .part_of = part_of,
                                 .names = f->names,
                                 .part_count = f->part_count,
                                 .joint_parts = f->parts,
                                 .joint_parents = f->parents};
    CHECK(part_of);
    for (uint32_t t = 0; part_of && t < f->rig->triangle_count; t++)
        part_of[t] = graze_model_triangle_part(f->model, t);
    CHECK_MSG(!graze_audit_subject_create(&def, &f->subject, &error), "%s", error.text);
}

static void open_figure(figure *f, graze_synth_kind kind, uint32_t triangles)
{
    graze_error error = {0};
    *f = (figure){.rig = make(kind, triangles, 0)};
    CHECK(!graze_rig_create_model(f->rig, NULL, &f->model, &error));
    CHECK(!graze_body_create(f->model, &f->body, &error));
    f->part_count = f->rig->joint_count;
    CHECK(f->part_count <= MOST_JOINTS && f->rig->node_count == f->part_count);
    for (uint32_t j = 0; j < f->part_count; j++) { /* joint j is node j */
        f->parents[j] = f->rig->nodes[j].parent;
        f->parts[j] = j;
        f->names[j] = f->rig->nodes[j].name;
        f->stand[j] = f->rig->nodes[j];
    }
    open_subject(f);
}

static void close_figure(figure *f)
{
    graze_audit_subject_destroy(f->subject);
    graze_body_destroy(f->body);
    graze_model_destroy(f->model);
    graze_rig_destroy(f->rig);
}

static void turn_node(graze_rig_node *node, const double axis[3], double degrees)
{
    const double s = sin(degrees * TO_RADIANS / 2), w = cos(degrees * TO_RADIANS / 2);
    const double b[4] = {s * axis[0], s * axis[1], s * axis[2], w};
    double a[4], q[4];
    for (int k = 0; k < 4; k++)
        a[k] = (double)node->rotation[k];
    for (int k = 0; k < 3; k++)
        q[k] = a[3] * b[k] + b[3] * a[k] + a[(k + 1) % 3] * b[(k + 2) % 3] -
               a[(k + 2) % 3] * b[(k + 1) % 3];
    q[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    for (int k = 0; k < 4; k++)
        node->rotation[k] = (float)q[k];
}

static uint32_t joint_called(const figure *f, const char *name, const char *side)
{
    char whole[40];
    snprintf(whole, sizeof whole, "%s.%s", name, side);
    for (uint32_t j = 0; j < f->part_count; j++)
        if (strcmp(f->names[j], whole) == 0 || strcmp(f->names[j], name) == 0)
            return j;
    return GRAZE_NONE;
}

static void bend_joints(figure *f, const bend *bends, bool left, test_random *random)
{
    memcpy(f->rig->nodes, f->stand, f->part_count * sizeof *f->stand);
    for (int i = 0; i < 4 && bends[i].joint; i++) {
        const bool on_left = left != bends[i].other;
        uint32_t joint = joint_called(f, bends[i].joint, on_left ? "L" : "R");
        REQUIRE(joint != GRAZE_NONE);
        for (int k = 0; k < 3; k++) {
            double axis[3] = {k == 0, k == 1, k == 2};
            double degrees = test_random_range(random, bends[i].low[k], bends[i].high[k]);
            turn_node(&f->rig->nodes[joint], axis, on_left || k == 0 ? degrees : -degrees);
        }
    }
}

static graze_audit_result audit(const figure *f, bool hints)
{
    const graze_audit_settings settings = {.hints = hints};
    graze_audit_result result = {0};
    graze_error error = {0};
    CHECK_MSG(!graze_audit_clip(f->subject, GRAZE_NONE, &settings, NULL, &result, &error), "%s",
              error.text);
    return result;
}

static bool is_one_of(const figure *f, const char *part, const char *const *names, const char *side)
{
    bool is = false;
    for (int i = 0; i < 5 && names[i]; i++) {
        uint32_t joint = joint_called(f, names[i], side);
        is = is || (joint != GRAZE_NONE && strcmp(part, f->names[joint]) == 0);
    }
    return is;
}

/* The deepest finding of the kind, or NULL. */
static const graze_audit_finding *find(const figure *f, const graze_audit_result *result, int kind,
                                       bool left)
{
    const char *sides[2] = {left ? "L" : "R", left == kinds[kind].across ? "R" : "L"};
    const graze_audit_finding *best = NULL;
    for (size_t i = 0; i < result->count; i++) {
        const graze_audit_finding *own = &result->findings[i];
        bool is = false;
        for (int turned = 0; turned < 2; turned++)
            is = is || (is_one_of(f, own->parts[turned], kinds[kind].parts[0], sides[0]) &&
                        is_one_of(f, own->parts[!turned], kinds[kind].parts[1], sides[1]));
        if (is && !own->fold && own->worst.depth > 0.001f &&
            (!best || own->worst.depth > best->worst.depth))
            best = own;
    }
    return best;
}

/* ---- the judge ------------------------------------------------------------------------------ */

/* Pairs of triangles of each two parts that meet in the pose, but not at rest: by brute force. */
static uint32_t *count_pairs(figure *f)
{
    const graze_options options = {.method = GRAZE_BRUTE, .only_new = true};
    static graze_pair pairs[200000];
    graze_pair_list list = {.items = pairs, .capacity = sizeof pairs / sizeof *pairs};
    graze_error error = {0};
    uint32_t *counts = calloc((size_t)f->part_count * f->part_count, sizeof *counts);
    CHECK(!graze_rig_pose_body(f->rig, GRAZE_NONE, 0, NULL, f->body, &error));
    CHECK_MSG(!graze_self_pairs(f->body, NULL, &list, &options, &error), "%s", error.text);
    CHECK(list.count == list.total && counts);
    for (size_t i = 0; counts && i < list.count; i++) {
        uint32_t a = graze_model_triangle_part(f->model, pairs[i].a);
        uint32_t b = graze_model_triangle_part(f->model, pairs[i].b);
        counts[(a < b ? a : b) * f->part_count + (a < b ? b : a)]++;
    }
    return counts;
}

static float depth_of(const graze_audit_result *result, const char *a, const char *b)
{
    for (size_t i = 0; i < result->count; i++)
        for (int turned = 0; turned < 2; turned++)
            if (strcmp(result->findings[i].parts[turned], a) == 0 &&
                strcmp(result->findings[i].parts[!turned], b) == 0)
                return result->findings[i].worst.depth;
    return 0;
}

/* How many parts that are no fold are worse than before, but for the two, which are left. */
static uint32_t judge(figure *f, const uint32_t *before, const graze_audit_result *found,
                      uint32_t p, uint32_t q, uint32_t *left)
{
    OWNED uint32_t *after = count_pairs(f);
    graze_audit_result now = audit(f, false);
    uint32_t worse = 0;
    *left = after[(p < q ? p : q) * f->part_count + (p < q ? q : p)];
    for (uint32_t a = 0; a < f->part_count; a++)
        for (uint32_t b = a + 1; b < f->part_count; b++) {
            const uint32_t own = before[a * f->part_count + b], new = after[a * f->part_count + b];
            if (f->parents[a] == b || f->parents[b] == a)
                continue;
            worse += (!own && new) || new > own + own / 10 + 1 ||
                     depth_of(&now, f->names[a], f->names[b]) >
                         depth_of(found, f->names[a], f->names[b]);
        }
    graze_audit_result_free(&now);
    return worse;
}

/* ---- the cases ------------------------------------------------------------------------------ */

typedef struct tally {
    uint32_t hints, parted, worse, needless;
} tally;

/* Turns the figure by the hint, less so many degrees. */
static void apply(figure *f, const graze_audit_hint *hint, double less)
{
    const double axis[3] = {(double)hint->axis[0], (double)hint->axis[1], (double)hint->axis[2]};
    const double degrees = (double)hint->degrees;
    CHECK(strcmp(hint->joint, f->names[hint->node]) == 0 && degrees != 0);
    CHECK(fabs(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2] - 1) < 1e-5);
    CHECK(fabs(degrees) <= GRAZE_AUDIT_MOST_DEGREES + 1);
    turn_node(&f->rig->nodes[hint->node], axis, degrees + (degrees < 0 ? less : -less));
}

static void try_case(figure *f, int number, tally *sum)
{
    const int kind = number % KINDS;
    test_random random = test_random_seed(1000 + (uint64_t)number);
    const bool left = test_random_u32(&random) % 2;
    const graze_audit_finding *finding = NULL;
    graze_audit_result result = {0};
    for (int i = 0; i < TRIES && !finding; i++) {
        graze_audit_result_free(&result);
        bend_joints(f, kinds[kind].bends, left, &random);
        result = audit(f, false);
        finding = find(f, &result, kind, left);
    }
    CHECK_MSG(finding, "case %d: %s was not built", number, kinds[kind].name);
    graze_audit_result_free(&result);
    result = audit(f, true);
    finding = find(f, &result, kind, left);
    REQUIRE(finding);
    const graze_audit_hint *hint = &finding->hint;
    printf("%2d %s: %s x %s, %.4f deep, %u pairs: ", number, kinds[kind].name, finding->parts[0],
           finding->parts[1], (double)finding->worst.depth, finding->worst.pairs);
    if (!hint->joint) {
        printf("no hint\n");
    } else {
        OWNED uint32_t *before = count_pairs(f);
        const graze_rig_node stands = f->rig->nodes[hint->node];
        const uint32_t p = joint_called(f, finding->parts[0], ""),
                       q = joint_called(f, finding->parts[1], "");
        uint32_t left_over, less_left = 1;
        apply(f, hint, 0);
        const uint32_t worse = judge(f, before, &result, p, q, &left_over);
        f->rig->nodes[hint->node] = stands;
        apply(f, hint, 0.5);
        const bool enough = fabsf(hint->degrees) > 0.5f &&
                            judge(f, before, &result, p, q, &less_left) == 0 && less_left == 0;
        printf("%s by %.1f about %.2f %.2f %.2f: %u left, %u worse%s\n", hint->joint,
               (double)hint->degrees, (double)hint->axis[0], (double)hint->axis[1],
               (double)hint->axis[2], left_over, worse, enough ? ", 0.5 less is enough" : "");
        sum->hints++;
        sum->parted += left_over == 0;
        sum->worse += worse > 0;
        sum->needless += enough;
    }
    graze_audit_result_free(&result);
}

TEST(hints_part_what_they_are_about)
{
    const uint32_t cases = test_sanitized_amount(CASES);
    tally sum = {0};
    figure f;
    open_figure(&f, GRAZE_SYNTH_PLAYER, 0);
    for (uint32_t i = 0; i < cases; i++)
        try_case(&f, (int)i, &sum);
    close_figure(&f);
    printf("%u of %u have a hint; %u part the two when applied, %u make another worse\n", sum.hints,
           cases, sum.parted, sum.worse);
    CHECK_MSG(5 * sum.parted >= 4 * cases, "%u of %u hints part the two", sum.parted, cases);
    CHECK(sum.parted == sum.hints && sum.worse == 0 && sum.needless == 0);
}

/* The first of the calls that fails is all of them in turn at first, then ever fewer. */
TEST(allocations_may_fail)
{
    const graze_audit_settings settings = {.hints = true};
    test_random random = test_random_seed(1000);
    test_memory memory = {0};
    graze_status status = GRAZE_OUT_OF_MEMORY;
    graze_error error;
    figure f;
    open_figure(&f, GRAZE_SYNTH_PLAYER, 1000);
    const graze_allocator own = f.rig->allocator;
    bend_joints(&f, kinds[0].bends, true, &random);
    for (uint64_t n = 1; status; n += 1 + n / 8) {
        graze_audit_result result = {0};
        graze_audit_subject *subject = f.subject;
        f.rig->allocator = test_memory_allocator(&memory);
        memory.calls = memory.fail_at = 0;
        open_subject(&f);
        memory.fail_at = memory.calls + n;
        status = graze_audit_clip(f.subject, GRAZE_NONE, &settings, NULL, &result, &error);
        CHECK_MSG(!status || status == GRAZE_OUT_OF_MEMORY, "call %d: %s", (int)n, error.text);
        graze_audit_result_free(&result);
        graze_audit_subject_destroy(f.subject);
        CHECK_MSG(memory.alive == 0 && !memory.misused, "call %d leaves memory", (int)n);
        f.subject = subject;
        f.rig->allocator = own;
    }
    CHECK(memory.calls > 200);
    close_figure(&f);
}
