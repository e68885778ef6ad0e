/* Many rays in one call: a ray with one value changed is refused, or taken, as graze_cast does it,
 * wherever it stands. (What rays hit: test_ways.c.)
 */
#include "harness.h"
#include "support/own.h"
#include "support/soup.h"
#include "support/variants.h"

#include <math.h>

TEST(limits_of_rays)
{
    const float values[] = {0,
                            1e18f,
                            nextafterf(1e18f, 0),
                            nextafterf(1e18f, INFINITY),
                            1e-18f,
                            NAN,
                            nextafterf(1e-18f, 0),
                            nextafterf(1e-18f, 1),
                            INFINITY,
                            -1e-18f,
                            -1e18f,
                            -INFINITY};
    enum { VALUES = sizeof values / sizeof *values, FIELDS = 8, ROOM = 5 };
    test_random random = test_random_seed(94);
    soup_def def = {.vertex_count = 50, .triangle_count = 90, .joint_count = 1, .size = 1};
    def.max_influences = 1;
    OWN(soup) mesh = soup_make(&def, &random);
    uint32_t refused = 0;
    OWN(variants) v = {0};
    graze_model_def model = soup_model_def(&mesh);
    for (uint32_t i = 0; i < 3; i++) {
        model.isa = variants_isa(i);
        REQUIRE(variants_add(&v, &model));
    }
    for (uint32_t n = 0; n < v.count * FIELDS * VALUES * ROOM; n++) {
        graze_ray rays[ROOM], odd = {.t_min = -1, .t_max = 3};
        graze_hit hits[ROOM], hit;
        uint32_t field = n % FIELDS, at = n / FIELDS / VALUES % ROOM;
        float *fields[FIELDS] = {odd.origin,  odd.origin + 1, odd.origin + 2, odd.dir,
                                 odd.dir + 1, odd.dir + 2,    &odd.t_min,     &odd.t_max};
        odd.dir[1] = field < 3 || field > 5 ? 1 : 0;
        *fields[field] = values[n / FIELDS % VALUES];
        for (uint32_t i = 0; i < ROOM; i++)
            rays[i] = i == at ? odd : graze_ray_between((float[3]){0}, (float[3]){0, 0, 1});
        graze_body *body = v.bodies[n / (FIELDS * VALUES * ROOM)];
        graze_status alone = graze_cast(body, &odd, &hit, NULL, NULL);
        graze_status status =
            graze_cast_many(body, rays, at + 1 + n % 2 * (ROOM - at - 1), hits, NULL, NULL);
        CHECK_MSG(status == alone, "field %u is %g at %u: %s, alone %s", field,
                  (double)*fields[field], at, graze_status_name(status), graze_status_name(alone));
        refused += alone != GRAZE_OK;
    }
    CHECK(refused > v.count * FIELDS * ROOM);
}
