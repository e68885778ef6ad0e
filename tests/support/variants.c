#include "support/variants.h"

#include "support/agreement.h"
#include "support/own.h"
#include "support/rigs.h"

#include <stdlib.h>
#include <string.h>

graze_isa variants_isa(uint32_t number)
{
    static const graze_isa isas[] = {GRAZE_ISA_BASE, GRAZE_ISA_AVX2, GRAZE_ISA_AVX512};
    graze_isa isa = isas[number % 3];
    return graze_isa_available(isa) ? isa : GRAZE_ISA_BASE;
}

bool variants_add(variants *v, const graze_model_def *def)
{
    graze_error error = {.text = "too many variants"};
    uint32_t i = v->count;
    bool ok = i < MAX_VARIANTS && graze_model_create(def, &v->models[i], &error) == GRAZE_OK &&
              graze_body_create(v->models[i], &v->bodies[i], &error) == GRAZE_OK;
    v->count += i < MAX_VARIANTS;
    return test_check(ok, __FILE__, __LINE__, "no body: %s", error.text);
}

bool variants_make(variants *v, graze_model_def def, uint32_t count, test_random *random)
{
    bool ok = true;
    *v = (variants){0};
    for (uint32_t i = 0; ok && i < count; i++) {
        def.tree = agreement_tree(i < 2 ? i : test_random_u32(random) % agreement_tree_count());
        def.isa = variants_isa(i + test_random_u32(random));
        ok = variants_add(v, &def);
    }
    return ok;
}

bool variants_add_twins(variants *v)
{
    graze_error error = {.text = ""};
    bool ok = true;
    for (uint32_t i = 0; ok && i < v->count; i++)
        ok = graze_body_create(v->models[i], &v->twins[i], &error) == GRAZE_OK;
    return test_check(ok, __FILE__, __LINE__, "no twin: %s", error.text);
}

void variants_free(variants *v)
{
    for (uint32_t i = 0; i < v->count; i++) {
        graze_body_destroy(v->bodies[i]);
        graze_body_destroy(v->twins[i]);
        graze_model_destroy(v->models[i]);
    }
    *v = (variants){0};
}

/* New memory for the positions of a body, as it is posed; the body stays as lazy as it was. */
static float *positions_of(graze_body *body, size_t *bytes)
{
    *bytes = 3 * sizeof(float) * graze_model_get_info(graze_body_model(body)).vertex_count;
    float *positions = malloc(*bytes);
    if (!positions)
        abort();
    graze_body_get_positions(body, positions);
    graze_body_drop_caches(body);
    return positions;
}

static bool pose_alike(graze_body *const *bodies, uint32_t count, const graze_pose *pose,
                       const char *name)
{
    uint32_t taken = 0;
    for (uint32_t i = 0; i < count; i++)
        taken += graze_body_set_pose(bodies[i], pose, NULL) == GRAZE_OK;
    if (!test_check(taken == 0 || taken == count, __FILE__, __LINE__,
                    "%s: %u of %u bodies take the pose", name, taken, count) ||
        !taken)
        return false;
    size_t bytes;
    OWNED float *first = positions_of(bodies[0], &bytes);
    bool same = true;
    for (uint32_t i = 1; same && i < count; i++) {
        OWNED float *other = positions_of(bodies[i], &bytes);
        same = memcmp(first, other, bytes) == 0;
    }
    return test_check(same, __FILE__, __LINE__, "%s: positions differ between trees", name);
}

bool variants_pose(variants *v, const graze_pose *pose, const char *name)
{
    return pose_alike(v->bodies, v->count, pose, name);
}

bool variants_pose_twins(variants *v, const graze_pose *pose, const char *name)
{
    return pose_alike(v->twins, v->count, pose, name);
}

double variants_extent(const variants *v, double middle[3])
{
    size_t bytes;
    OWNED float *positions = positions_of(v->bodies[0], &bytes);
    double extent = test_extent(positions, (uint32_t)(bytes / (3 * sizeof *positions)), middle);
    return extent;
}
