/* What bounds of spherical skinning rest on: the joints of a set turn a vertex about the set's
 * centre hardly farther apart than they put it (docs/bounds.md, "Turned about the centre").
 */
#include "body/patches.h"
#include "harness.h"
#include "support/deform_skins.h"
#include "support/own.h"
#include "support/quick.h"

#include <math.h>
#include <stdlib.h>

typedef struct tally {
    uint64_t vertices;
    double worst;    /* what is turned, as a share of what is allowed */
    double weighted; /* the same with weights */
} tally;

static void map_point(const f4_map *map, const double p[3], bool moves, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = map->c[0][k] * p[0] + map->c[1][k] * p[1] + map->c[2][k] * p[2] +
                 (moves ? (double)map->c[3][k] : 0);
}

static double square_apart(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

/* The share of the sum over pairs that the weighted sum is allowed. */
static double allowed_share(const graze_influence *own, uint32_t count)
{
    double largest = 0, rows = 0;
    for (uint32_t i = 0; i < count; i++) {
        double w = own[i].weight;
        largest = fmax(largest, w);
        rows = fmax(rows, 2 * w * (1 - w));
    }
    return fmin(largest, rows) / count * (1 + 1e-5);
}

static void check_vertex(const grazei_skin *skin, const grazei_joints *joints, uint32_t v,
                         tally *seen)
{
    const grazei_mesh *mesh = skin->mesh;
    uint32_t first = mesh->influence_offsets[v], set = mesh->vertex_set[v];
    uint32_t count = mesh->influence_offsets[v + 1] - first, pairs = count * (count - 1) / 2;
    const graze_influence *own = mesh->influences + first;
    double at[3], from[3], off = 0, put = 0, turned = 0, weighted = 0, places[8][3], turns[8][3];
    for (int k = 0; k < 3; k++) {
        at[k] = mesh->positions[3 * (size_t)v + (size_t)k];
        from[k] = at[k] - joints->set_poses[set].centre[k];
        double d = at[k] - skin->blend.set_centre[set][k];
        off += d * d;
    }
    for (uint32_t i = 0; i < count; i++) {
        map_point(&joints->maps[own[i].joint], at, true, places[i]);
        map_point(&joints->maps[own[i].joint], from, false, turns[i]);
        for (uint32_t j = 0; j < i; j++) {
            double square = square_apart(turns[i], turns[j]);
            turned += square;
            weighted += square * own[i].weight * own[j].weight;
            put += square_apart(places[i], places[j]);
        }
    }
    double rounding = 128 * 0x1p-24 * ((double)joints->magnitude_length + joints->reach_length);
    double allowed = sqrt(1.001 * put + 5e-4 * pairs * off) + rounding;
    double share = sqrt(turned) / allowed;
    seen->vertices++;
    seen->worst = fmax(seen->worst, share);
    seen->weighted =
        fmax(seen->weighted, sqrt(weighted / (allowed_share(own, count) * turned + 1e-300)));
}

static void check_skin(const deform_skin *skin, test_random *random, tally seen[DEFORM_RIGID_COUNT])
{
    graze_model_def def = deform_skin_def(skin, GRAZE_SPHERICAL);
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    OWNED float *joints = malloc(12 * sizeof *joints * def.joint_count);
    OWNED float *positions = malloc(3 * sizeof *positions * def.vertex_count);
    REQUIRE(joints && positions && graze_model_create(&def, &model, NULL) == GRAZE_OK &&
            graze_body_create(model, &body, NULL) == GRAZE_OK);
    for (uint32_t p = 0; p < 3 * DEFORM_RIGID_COUNT; p++) {
        deform_pose_kind kind = (deform_pose_kind)(p % DEFORM_RIGID_COUNT);
        deform_pose_make(kind, skin->mesh.centre, skin->mesh.def.size, def.joint_count, random,
                         joints);
        graze_pose pose = {.joints = joints, .joint_count = def.joint_count};
        if (graze_body_set_pose(body, &pose, NULL) || grazei_body_joints(body)->scaled)
            continue;
        graze_body_get_positions(body, positions); /* finds the centres */
        const grazei_mesh *mesh = &body->model->mesh;
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            if (mesh->influence_offsets[v + 1] - mesh->influence_offsets[v] > 1)
                check_vertex(&body->model->skin, grazei_body_joints(body), v, &seen[kind]);
    }
}

TEST(joints_turn_vertices_about_centres_no_farther_than_they_put_them_apart)
{
    tally seen[DEFORM_RIGID_COUNT] = {{0}};
    uint32_t skins = test_amount(200, 20);
    double worst = 0, weighted = 0;
    for (uint32_t s = 0; s < skins; s++) {
        test_random random = test_random_seed(900 + s);
        soup_def def = {.vertex_count = 60,
                        .triangle_count = 20,
                        .joint_count = 2 + s % 11,
                        .max_influences = 2 + s % 7,
                        .size = pow(10, test_random_range(&random, -1, 1)),
                        .scattered = s % 2 == 1,
                        .equal_weights = s % 6 == 5};
        OWN(deform_skin) skin = deform_skin_make(&def, 0, &random);
        check_skin(&skin, &random, seen);
    }
    for (int k = 0; k < DEFORM_RIGID_COUNT; k++) {
        printf("     poses of kind %d: %llu vertices, at most %.4f of what is allowed, weighted "
               "%.4f\n",
               k, (unsigned long long)seen[k].vertices, seen[k].worst, seen[k].weighted);
        worst = fmax(worst, seen[k].worst);
        weighted = fmax(weighted, seen[k].weighted);
    }
    CHECK_MSG(worst <= 1 && worst > 0.9, "%g", worst);
    CHECK_MSG(weighted <= 1 + 1e-6 && weighted > 0.9, "%g", weighted);
}
