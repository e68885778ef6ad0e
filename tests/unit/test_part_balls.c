/* Outer hitboxes by balls: nothing is outside where joints turn, however far from the origin, small
 * or large the model is; they are used there, and about as large as by clusters; none where joints
 * are scaled.
 */
#include "body/body.h"
#include "harness.h"
#include "hitbox/fit.h"
#include "support/fitted.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/soup.h"

#include <math.h>
#include <stdlib.h>

/* How many outer hitboxes of the body's pose balls bound. */
static uint32_t count_balled(const fitted *f)
{
    const grazei_balls *balls = &f->fit->balls;
    const grazei_joints *joints = grazei_body_plain_joints(f->body);
    uint32_t balled = 0;
    for (uint32_t p = 0; joints && balls->volumes && p < f->fit->part_count; p++) {
        graze_capsule unused;
        balled += balls->volumes[p].joint_count &&
                  grazei_balls_pose(balls, &balls->volumes[p], joints, 0, &unused);
    }
    return balled;
}

/* The same pose by clusters alone. */
static void pose_by_clusters(fitted *f, graze_capsule *volumes)
{
    grazei_balls balls = f->fit->balls;
    f->fit->balls.volumes = NULL;
    CHECK(!graze_hitboxes_pose(f->fit, f->body, volumes, f->count, NULL));
    f->fit->balls = balls;
}

static double volume_of(const graze_capsule *c)
{
    double l2 = 0, r = (double)c->radius;
    for (int k = 0; k < 3; k++)
        l2 += ((double)c->q[k] - (double)c->p[k]) * ((double)c->q[k] - (double)c->p[k]);
    return r * r * (sqrt(l2) + 4 * r / 3);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

TEST(volumes_over_clips_are_about_as_large_as_by_clusters)
{
    uint32_t count, frames = test_amount(60, test_sanitized_amount(12));
    const test_rig *rigs = test_rigs(&count);
    for (uint32_t r = 0; r < count; r++) {
        graze_model_def def = test_rig_def(rigs[r].rig);
        def.rest_matrices = test_rig_pose(rigs[r].rig, GRAZE_NONE, 0).joints;
        uint32_t clips = rigs[r].rig->clip_count, n = 0, balled = 0;
        fitted f;
        if (!clips || def.triangle_count > test_sanitized_amount(20000) ||
            !fitted_open(&f, &def, 0, rigs[r].name))
            continue;
        double *ratios = malloc(sizeof *ratios * f.count * frames);
        graze_capsule *others = malloc(sizeof *others * f.count);
        if (!ratios || !others)
            abort();
        for (uint32_t i = 0; i < frames; i++) {
            const graze_rig_clip *clip = &rigs[r].rig->clips[i % clips];
            graze_pose pose =
                test_rig_pose(rigs[r].rig, i % clips, (double)clip->seconds * (i + 0.5) / frames);
            CHECK(!graze_body_set_pose(f.body, &pose, NULL));
            CHECK(fitted_outside(&f, rigs[r].name) == 0);
            balled += count_balled(&f);
            pose_by_clusters(&f, others);
            for (uint32_t v = 0; v < f.count; v++)
                ratios[n++] = volume_of(&f.volumes[v]) / volume_of(&others[v]);
        }
        qsort(ratios, n, sizeof *ratios, by_size);
        printf("%-34s %3u volumes, %3.0f %% by balls: median %.3f, 95th percentile %.3f\n",
               rigs[r].name, f.count, 100.0 * balled / n, ratios[n / 2], ratios[n * 95 / 100]);
        CHECK(ratios[n / 2] <= 1.2);
        free(ratios);
        free(others);
        fitted_close(&f);
    }
}

/* Joints that are turned about points of the soup, all scaled alike, some of them a little more. */
static void make_turned(const soup *mesh, double scale, bool uneven, test_random *random,
                        float *maps)
{
    float moved[12];
    map_make(MAP_RIGID, mesh->centre, mesh->def.size, random, moved);
    for (uint32_t j = 0; j < mesh->def.joint_count; j++) {
        const float *pivot =
            mesh->positions + 3 * (size_t)(test_random_u32(random) % mesh->def.vertex_count);
        float *map = maps + 12 * (size_t)j;
        double s = scale * (uneven ? test_random_range(random, 0.97, 1.03) : 1);
        map_make(test_random_u32(random) % 2 ? MAP_RIGID : MAP_NEAR, mesh->centre, mesh->def.size,
                 random, map);
        for (int i = 0; i < 3; i++) {
            double at = (double)pivot[i] * s;
            for (int k = 0; k < 3; k++) {
                map[4 * i + k] = (float)((double)map[4 * i + k] * s);
                at -= (double)map[4 * i + k] * (double)pivot[k];
            }
            map[4 * i + 3] = (float)(at + (double)moved[4 * i + 3]);
        }
    }
}

TEST(nothing_is_outside_where_joints_turn)
{
    test_random random = test_random_seed(20261119);
    uint32_t soups = test_amount(1500, test_sanitized_amount(60)), poses = 0, balled = 0, all = 0;
    bool ok = true;
    for (uint32_t s = 0; ok && s < soups; s++) {
        soup_def soup_of = {.vertex_count = 3 + test_random_u32(&random) % 300,
                            .triangle_count = 1 + test_random_u32(&random) % 100,
                            .joint_count = 1 + test_random_u32(&random) % (s % 9 == 8 ? 80 : 9),
                            .max_influences = 1 + test_random_u32(&random) % 8,
                            .size = pow(10, test_random_range(&random, -4, 4)),
                            .offset = s % 4 == 2 ? pow(10, test_random_range(&random, 0, 6)) : 0,
                            .flat = s % 7 == 3,
                            .lattice = s % 11 == 5,
                            .scattered = s % 3 == 1,
                            .odd_weights = s % 5 == 1,
                            .equal_weights = s % 6 == 5};
        soup mesh = soup_make(&soup_of, &random);
        graze_model_def def = soup_model_def(&mesh);
        float *maps = malloc(12 * sizeof *maps * soup_of.joint_count), placement[12];
        fitted f;
        if (!maps)
            abort();
        ok = fitted_open(&f, &def, 0, "soup");
        for (uint32_t p = 0; ok && p < f.count; p++) /* large ones, too */
            f.fit->balls.volumes[p].most_size = INFINITY;
        for (uint32_t p = 0; ok && p < 40; p++) {
            make_turned(&mesh, p % 5 == 4 ? pow(10, test_random_range(&random, -3, 3)) : 1,
                        p % 3 == 2, &random, maps);
            map_make(p % 4 ? MAP_RIGID : MAP_FAR, mesh.centre, 1, &random, placement);
            graze_pose pose = {.joints = maps,
                               .joint_count = soup_of.joint_count,
                               .placement = p % 2 ? placement : NULL};
            if (graze_body_set_pose(f.body, &pose, NULL))
                continue;
            ok = fitted_outside(&f, "soup") == 0;
            CHECK(ok);
            balled += count_balled(&f);
            all += f.count;
            poses++;
        }
        free(maps);
        fitted_close(&f);
        soup_free(&mesh);
    }
    printf("%u poses, %.0f %% of %u volumes by balls\n", poses, 100.0 * balled / all, all);
    CHECK(poses > soups * 30 && 2 * balled > all);
}

TEST(where_joints_are_scaled_clusters_bound)
{
    graze_model_def def = test_rig_def(test_rig_called("dwarf"));
    float *maps = calloc(def.joint_count, 12 * sizeof *maps);
    fitted f;
    if (!maps)
        abort();
    REQUIRE(fitted_open(&f, &def, 0, "dwarf"));
    const graze_pose pose = {.joints = maps, .joint_count = def.joint_count};
    const struct {
        float first[3], others[3]; /* scales of joint 0, and of all others */
        bool balls;
    } rows[] = {{{1, 1, 1}, {1, 1, 1}, true},
                {{0.01f, 0.01f, 0.01f}, {0.01f, 0.01f, 0.01f}, true},
                {{-1, 1, 1}, {-1, 1, 1}, true},
                {{1, 1, 1}, {1, 2, 1}, false},
                {{1, 1, 1}, {-1, 1, 1}, false},
                {{0, 0, 0}, {0, 0, 0}, false},
                {{1e-25f, 1e-25f, 1e-25f}, {1e-25f, 1e-25f, 1e-25f}, false}};
    for (uint32_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        for (uint32_t j = 0; j < def.joint_count; j++)
            for (int k = 0; k < 3; k++)
                maps[12 * j + (uint32_t)(5 * k)] = (j ? rows[r].others : rows[r].first)[k];
        CHECK(!graze_body_set_pose(f.body, &pose, NULL));
        CHECK(fitted_outside(&f, "dwarf") == 0);
        uint32_t balled = count_balled(&f);
        CHECK_MSG(rows[r].balls ? balled == f.count : balled < f.count, "row %u: %u of %u by balls",
                  r, balled, f.count);
    }
    free(maps);
    fitted_close(&f);
}
