/* Siblings that are bounded together: each gets the numbers that its own hull would give, nothing
 * beside them is written, and only what can be bounded so is.
 */
#include "harness.h"
#include "support/aligned.h"
#include "support/bounds_judge.h"
#include "support/own.h"
#include "support/rigs.h"
#include "support/soup.h"

#include <graze/graze.h>

#include <stdlib.h>
#include <string.h>

static const graze_isa isas[] = {GRAZE_ISA_BASE, GRAZE_ISA_AVX2, GRAZE_ISA_AVX512};
static uint64_t seen[5]; /* groups of so many siblings */

/* ---- one sibling alone --------------------------------------------------------------------- */

/* The hull of one of the siblings, taken out of the record that they share. */
static grazei_record own_hull(const grazei_skin *skin, uint32_t first, uint32_t sibling,
                              float (*rows)[4])
{
    grazei_record record = skin->records[first];
    const float *names = skin->rows[record.first];
    const float *boxes = names + 4 * (size_t)grazei_joint_rows(record.joints) + 2 * (size_t)sibling;
    uint32_t count = 0;
    for (uint32_t k = 0; k < record.joints; k++, boxes += 24) {
        if (boxes[1] < 0)
            continue;
        for (int axis = 0; axis < 3; axis++) {
            rows[2 * count][axis] = boxes[8 * axis];
            rows[2 * count + 1][axis] = boxes[8 * axis + 1];
        }
        rows[2 * count][3] = names[k];
        count++;
    }
    record.first = 0;
    record.joints = (uint16_t)count;
    record.kind = GRAZEI_BOX_HULL;
    record.siblings = 1;
    return record;
}

static bool same_or_larger(const grazei_bound *bound, const grazei_bound *hull, bool same)
{
    for (int axis = 0; axis < 3; axis++) {
        float low = bound->low_negated[axis], high = bound->high[axis];
        if (!(low >= hull->low_negated[axis] && high >= hull->high[axis]) ||
            (same && (low > hull->low_negated[axis] || high > hull->high[axis])))
            return false;
    }
    return true;
}

/* ---- bodies -------------------------------------------------------------------------------- */

static void *aligned(size_t size)
{
    void *memory = test_aligned(64, (size + 63) & ~(size_t)63);
    if (!memory)
        abort();
    return memory;
}

static bool is_clear(const grazei_bound *bound)
{
    uint8_t clear[sizeof *bound];
    memset(clear, 0xff, sizeof clear);
    return memcmp(bound, clear, sizeof clear) == 0;
}

/* bounds has room for one more than there are nodes. */
static bool check_group(graze_body *body, uint32_t first, bool same, grazei_bound *bounds,
                        const char *name)
{
    const graze_model *model = body->model;
    const grazei_record *record = &model->skin.records[first];
    uint32_t end = first + record->siblings;
    grazei_bound own;
    grazei_skin alone = model->skin;
    memset(bounds, 0xff, (model->tree.node_count + 1) * sizeof *bounds);
    model->deformer->bound(&model->skin, grazei_body_joints(body), first, record->siblings, bounds,
                           body->workspace);
    bool ok = test_check(is_clear(&bounds[first - 1]) && is_clear(&bounds[end]), __FILE__, __LINE__,
                         "%s: written beside the siblings of node %u", name, first);
    alone.rows = aligned(2 * (size_t)record->joints * sizeof *alone.rows);
    for (uint32_t n = first; ok && n < end; n++) {
        grazei_record hull = own_hull(&model->skin, first, n - first, alone.rows);
        alone.records = &hull;
        model->deformer->bound(&alone, grazei_body_joints(body), 0, 1, &own, body->workspace);
        ok = test_check(hull.joints > 0 && same_or_larger(&bounds[n], &own, same), __FILE__,
                        __LINE__, "%s: node %u is not bounded as alone", name, n);
    }
    test_aligned_free(alone.rows);
    seen[record->siblings]++;
    return ok;
}

static bool check_body(graze_body *body, bool same, const char *name)
{
    const grazei_skin *skin = &body->model->skin;
    uint32_t count = body->model->tree.node_count;
    grazei_bound *bounds = aligned((count + 1) * sizeof *bounds);
    bool ok = true;
    for (uint32_t n = 0; ok && n < count; n += skin->records[n].siblings)
        if (skin->records[n].kind == GRAZEI_BOX_SIBLINGS)
            ok = check_group(body, n, same, bounds, name);
    test_aligned_free(bounds);
    return ok;
}

/* Flattened and tiny images let joints in that are not a sibling's own. */
static bool keeps_numbers(map_kind kind)
{
    return kind != MAP_SINGULAR && kind != MAP_TINY;
}

static void check_soup(const soup *mesh, graze_isa isa, test_random random)
{
    graze_model_def def = soup_model_def(mesh);
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    OWNED float *joints = malloc(12 * sizeof *joints * mesh->def.joint_count);
    def.tree.patch_triangles = 4;
    def.isa = isa;
    REQUIRE(joints && graze_model_create(&def, &model, NULL) == GRAZE_OK &&
            graze_body_create(model, &body, NULL) == GRAZE_OK);
    for (int kind = 0; kind < MAP_KIND_COUNT; kind++) {
        float placement[12];
        pose_make((map_kind)kind, mesh, &random, joints);
        map_make(MAP_RIGID, mesh->centre, mesh->def.size, &random, placement);
        graze_pose pose = {.joints = joints,
                           .joint_count = mesh->def.joint_count,
                           .placement = kind % 2 ? placement : NULL};
        if (graze_body_set_pose(body, &pose, NULL) == GRAZE_OK)
            check_body(body, keeps_numbers((map_kind)kind), "soup");
    }
}

TEST(siblings_are_bounded_as_alone)
{
    memset(seen, 0, sizeof seen);
    for (uint32_t m = 0; m < 24; m++) {
        test_random random = test_random_seed(m);
        soup_def def = {.vertex_count = 40 + 10 * m,
                        .triangle_count = 60 + 20 * m,
                        .joint_count = 1 + m % 7,
                        .max_influences = 1 + m % 4,
                        .size = 1,
                        .scattered = m % 2 == 1};
        OWN(soup) mesh = soup_make(&def, &random);
        for (size_t i = 0; i < sizeof isas / sizeof *isas; i++)
            if (graze_isa_available(isas[i]))
                check_soup(&mesh, isas[i], random);
    }
    for (uint32_t count = 2; count <= GRAZEI_MAX_SIBLINGS; count++)
        CHECK_MSG(seen[count] > 0, "no %u siblings were bounded together", count);
}

/* ---- which nodes --------------------------------------------------------------------------- */

/* How many nodes share a record with their siblings. */
static uint32_t count_shared(const graze_model_def *def, uint32_t *nodes)
{
    OWN(graze_model) *model = NULL;
    uint32_t count = 0;
    if (!test_check(graze_model_create(def, &model, NULL) == GRAZE_OK, __FILE__, __LINE__,
                    "no model"))
        return 0;
    for (uint32_t n = 0; n < model->tree.node_count; n++)
        count += model->skin.records[n].kind == GRAZEI_BOX_SIBLINGS;
    *nodes = model->tree.node_count;
    return count;
}

TEST(only_linear_boxes_share_records)
{
    uint32_t rig_count, nodes = 0;
    const test_rig *rigs = test_rigs(&rig_count);
    graze_model_def def = graze_rig_model_def(rigs[0].rig);
    def.tree.patch_triangles = 4;
    def.morphs = NULL;
    def.morph_count = 0;
    CHECK(count_shared(&def, &nodes) > nodes / 2);
    graze_model_def spheres = def, dual = def, wide = def;
    spheres.tree.volume = GRAZE_SPHERES;
    CHECK(count_shared(&spheres, &nodes) == 0);
    dual.skinning = GRAZE_DUAL;
    CHECK(count_shared(&dual, &nodes) == 0);
    wide.tree.arity = 8;
    CHECK(count_shared(&wide, &nodes) < nodes / 2);
}
