#include "support/chain_soup.h"
#include "support/own.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUBBISH = 0xa5 };

chain_soup_def chain_soup_usual(void)
{
    return (chain_soup_def){.seed = 1,
                            .joints = 11,
                            .spheres = 23,
                            .most_pivots = 4,
                            .vertices_per_pivot = 1,
                            .most_influences = 4};
}

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

/* A mesh under construction: vertices around as many places as there are spheres. */
typedef struct soup_mesh {
    float *positions;
    uint32_t *triangles, *offsets;
    graze_influence *influences;
    uint32_t vertices;
} soup_mesh;

static soup_mesh make_mesh(const chain_soup_def *def, test_random *random)
{
    soup_mesh soup = {.vertices = 12 * def->spheres};
    soup.positions = take(3 * (size_t)soup.vertices, sizeof(float));
    soup.triangles = take(soup.vertices, sizeof(uint32_t)); /* a third as many triangles */
    soup.offsets = take((size_t)soup.vertices + 1, sizeof(uint32_t));
    soup.influences = take((size_t)soup.vertices * def->most_influences, sizeof(graze_influence));
    uint32_t n = 0;
    for (uint32_t v = 0; v < soup.vertices; v++) {
        uint32_t sphere = v / 12;
        float middle[3] = {(float)(sphere % 5), (float)(sphere / 5 % 5), (float)(sphere / 25)};
        for (int c = 0; c < 3; c++)
            soup.positions[3 * v + c] = middle[c] + (float)test_random_range(random, -0.4, 0.4);
        soup.triangles[v] = v;
        uint32_t count = 1 + test_random_u32(random) % def->most_influences;
        for (uint32_t k = 0; k < count; k++) {
            uint32_t joint = test_random_u32(random) % def->joints;
            soup.influences[n].joint = joint % 5 == 4 ? joint - 1 : joint;
            soup.influences[n++].weight = (float)test_random_range(random, 0.1, 1);
        }
        soup.offsets[v + 1] = n;
    }
    return soup;
}

static graze_model *make_model(const chain_soup_def *def, const soup_mesh *soup,
                               graze_status *status)
{
    graze_model *model = NULL;
    static const uint32_t moved[1] = {0};
    static const float delta[3] = {0.1f, 0, 0};
    graze_morph_target target = {moved, delta, 1};
    graze_model_def made = {0};
    made.allocator = def->allocator;
    made.positions = soup->positions;
    made.vertex_count = soup->vertices;
    made.triangles = soup->triangles;
    made.triangle_count = soup->vertices / 3;
    made.joint_count = def->joints;
    made.influence_offsets = soup->offsets;
    made.influences = soup->influences;
    made.skinning = def->skinning;
    made.morphs = def->morphed ? &target : NULL;
    made.morph_count = def->morphed;
    made.isa = def->isa;
    made.no_self_collision = true;
    *status = graze_model_create(&made, &model, NULL);
    return model;
}

/* Every sphere has up to twelve vertices of its own, in some order. */
static graze_chains *make_chains(const chain_soup_def *def, const graze_model *model,
                                 test_random *random, graze_status *status)
{
    static const char *const names[1] = {"soup"};
    graze_chains *chains = NULL;
    OWNED graze_chain_sphere *spheres = take(def->spheres, sizeof *spheres);
    OWNED graze_chain_pivot *pivots = take((size_t)def->spheres * def->most_pivots, sizeof *pivots);
    OWNED uint32_t *owners = take(4 * (size_t)def->spheres, sizeof *owners);
    OWNED uint32_t *members = take(def->spheres, sizeof *members);
    uint32_t offsets[3], n = 0;
    for (uint32_t s = 0; s < def->spheres; s++) {
        uint32_t count = 1 + test_random_u32(random) % def->most_pivots;
        float factor = count > 1 ? (float)test_random_range(random, 0.7, 1.4) : 1.0f;
        spheres[s] = (graze_chain_sphere){{(float)s, 0, 0}, 0.4f, 0, n, count, factor};
        float left = 1;
        for (uint32_t k = 0; k < count; k++, n++) {
            pivots[n].weight = k + 1 < count ? left * 0.5f : left;
            left -= pivots[n].weight;
            for (int c = 0; c < 3; c++)
                pivots[n].vertices[c] = 12 * s + test_random_u32(random) % 12;
        }
        for (uint32_t t = 0; t < 4; t++)
            owners[4 * s + t] = s;
        members[s] = s;
    }
    offsets[0] = 0;
    offsets[1] = def->spheres / 2;
    offsets[2] = def->spheres;
    graze_chains_given given = {0};
    given.region_names = names;
    given.region_count = 1;
    given.spheres = spheres;
    given.sphere_count = def->spheres;
    given.pivots = pivots;
    given.pivot_count = n;
    given.vertices_per_pivot = def->vertices_per_pivot;
    given.triangle_spheres = owners;
    given.chain_offsets = offsets;
    given.chain_spheres = members;
    given.chain_count = 2;
    given.no_neighbour_rule = true;
    *status = graze_chains_create_given(model, &given, &chains, NULL);
    return chains;
}

graze_chains *chain_soup_make(const chain_soup_def *def, graze_status *status)
{
    test_random random = test_random_seed(def->seed);
    soup_mesh soup = make_mesh(def, &random);
    graze_chains *chains = NULL;
    graze_model *model = make_model(def, &soup, status);
    if (model)
        chains = make_chains(def, model, &random, status);
    graze_model_destroy(model);
    free(soup.positions);
    free(soup.triangles);
    free(soup.offsets);
    free(soup.influences);
    return chains;
}

float *chain_soup_poses(test_random *random, uint32_t joints, uint32_t poses)
{
    const size_t count = 12 * (size_t)joints * poses;
    float *out = take(count, sizeof *out);
    for (size_t i = 0; i < count; i++) {
        const size_t e = i % 12;
        const double spread = e % 4 == 3 ? 1.2 : 0.3; /* translations are larger */
        out[i] = (float)((e % 5 == 0) + test_random_range(random, -spread, spread));
    }
    return out;
}

/* A pivot in positions, and the sphere of some of them: the formulas of graze/ext/chain.h, in
 * floats and from left to right.
 */
static void pivot_at(const graze_chains *chains, const graze_chain_pivot *pivot,
                     const float *positions, float out[3])
{
    const float *a = positions + 3 * (size_t)pivot->vertices[0];
    memcpy(out, a, 3 * sizeof(float));
    if (graze_chains_get_info(chains).vertices_per_pivot == 1)
        return;
    const float *b = positions + 3 * (size_t)pivot->vertices[1];
    const float *c = positions + 3 * (size_t)pivot->vertices[2];
    for (int k = 0; k < 3; k++) {
        volatile float sum = a[k] + b[k];
        sum = sum + c[k];
        out[k] = sum * (1.0f / 3.0f);
    }
}

static void ball_at(const graze_chains *chains, uint32_t s, const float *positions, float ball[4])
{
    uint32_t count;
    const graze_chain_sphere sphere = graze_chains_sphere(chains, s);
    const graze_chain_pivot *pivots = graze_chains_pivots(chains, &count) + sphere.first_pivot;
    volatile float centre[3] = {0, 0, 0}, sum = 0;
    float at[3];
    for (uint32_t k = 0; k < sphere.pivot_count; k++) {
        pivot_at(chains, &pivots[k], positions, at);
        for (int c = 0; c < 3; c++) {
            volatile float share = at[c] * pivots[k].weight;
            centre[c] = centre[c] + share;
        }
    }
    for (uint32_t k = 0; k < sphere.pivot_count; k++) {
        volatile float square = 0;
        pivot_at(chains, &pivots[k], positions, at);
        for (int c = 0; c < 3; c++) {
            volatile float d = at[c] - centre[c];
            volatile float dd = d * d;
            square = square + dd;
        }
        sum = sum + sqrtf(square);
    }
    volatile float scale = sphere.radius_factor / (float)sphere.pivot_count;
    for (int c = 0; c < 3; c++)
        ball[c] = centre[c];
    ball[3] = scale * sum;
}

static bool meet(const float a[4], const float b[4])
{
    volatile float square = 0, reach = a[3] + b[3];
    for (int c = 0; c < 3; c++) {
        volatile float d = a[c] - b[c];
        volatile float dd = d * d;
        square = square + dd;
    }
    volatile float limit = reach * reach;
    return square <= limit;
}

static void answer_pose(const graze_chains *chains, const graze_pair *pairs, const float *positions,
                        chain_soup_answers *answers, uint32_t pose)
{
    float *balls = answers->balls + 4 * (size_t)answers->spheres * pose;
    uint32_t *found = answers->found + (size_t)answers->pairs * pose, n = 0;
    for (uint32_t s = 0; s < answers->spheres; s++)
        ball_at(chains, s, positions, balls + 4 * (size_t)s);
    for (uint32_t p = 0; p < answers->pairs; p++)
        if (meet(balls + 4 * (size_t)pairs[p].a, balls + 4 * (size_t)pairs[p].b))
            found[n++] = p;
    answers->counts[pose] = n;
    answers->flags[pose] = n ? GRAZE_CHAIN_MEETS : GRAZE_CHAIN_APART;
}

chain_soup_answers chain_soup_answer(const graze_chains *chains, bool all_pairs,
                                     const float *joints, uint32_t poses)
{
    const graze_model *model = graze_chains_get_info(chains).model;
    const graze_model_info info = graze_model_get_info(model);
    chain_soup_answers answers = {.poses = poses,
                                  .spheres = graze_chains_get_info(chains).sphere_count};
    const graze_pair *pairs = all_pairs
                                  ? graze_chains_pairs(chains, GRAZE_ALL_PAIRS, &answers.pairs)
                                  : graze_chains_pairs(chains, GRAZE_CHAIN_PAIRS, &answers.pairs);
    OWNED float *positions = take(3 * (size_t)info.vertex_count, sizeof(float));
    OWN(graze_body) *body = NULL;
    answers.flags = take(poses, 1);
    answers.counts = take(poses, sizeof(uint32_t));
    answers.found = take((size_t)poses * answers.pairs, sizeof(uint32_t));
    answers.balls = take(4 * (size_t)poses * answers.spheres, sizeof(float));
    if (graze_body_create(model, &body, NULL))
        abort();
    for (uint32_t n = 0; n < poses; n++) {
        graze_pose pose = {0};
        pose.joints = joints + 12 * (size_t)info.joint_count * n;
        pose.joint_count = info.joint_count;
        answers.flags[n] = GRAZE_CHAIN_BAD_POSE;
        if (graze_body_set_pose(body, &pose, NULL))
            continue;
        graze_body_get_positions(body, positions);
        answer_pose(chains, pairs, positions, &answers, n);
    }
    return answers;
}

void chain_soup_release(chain_soup_answers *answers)
{
    free(answers->flags);
    free(answers->counts);
    free(answers->found);
    free(answers->balls);
}

graze_chain_results chain_soup_results(const chain_soup_answers *answers, uint32_t capacity)
{
    const size_t poses = answers->poses;
    graze_chain_results results = {take(poses, 1), take(poses, sizeof(uint32_t)),
                                   capacity ? take(poses * capacity, sizeof(uint32_t)) : NULL,
                                   capacity, take(4 * poses * answers->spheres, sizeof(float))};
    memset(results.flags, RUBBISH, poses);
    memset(results.counts, RUBBISH, poses * sizeof(uint32_t));
    if (capacity)
        memset(results.pairs, RUBBISH, poses * capacity * sizeof(uint32_t));
    memset(results.spheres, RUBBISH, 4 * poses * answers->spheres * sizeof(float));
    return results;
}

/* The first pairs as they should be, and nothing written behind them. */
static bool pairs_are_right(const chain_soup_answers *answers, const graze_chain_results *results,
                            size_t pose)
{
    const uint32_t *found = answers->found + answers->pairs * pose;
    for (uint32_t k = 0; results->pairs && k < results->pair_capacity; k++) {
        uint32_t rubbish, is = results->pairs[results->pair_capacity * pose + k];
        memset(&rubbish, RUBBISH, sizeof rubbish);
        if (is != (k < answers->counts[pose] ? found[k] : rubbish))
            return false;
    }
    return true;
}

uint32_t chain_soup_compare(const chain_soup_answers *answers, const graze_chain_results *results)
{
    uint32_t right = 0;
    const size_t bytes = 4 * sizeof(float) * answers->spheres;
    for (size_t n = 0; n < answers->poses; n++) {
        bool good = true;
        if (results->flags)
            good = good && results->flags[n] == answers->flags[n];
        if (results->counts)
            good = good && results->counts[n] == answers->counts[n];
        good = good && pairs_are_right(answers, results, n);
        if (results->spheres && answers->flags[n] != GRAZE_CHAIN_BAD_POSE)
            good = good && memcmp((char *)results->spheres + bytes * n,
                                  (char *)answers->balls + bytes * n, bytes) == 0;
        right += good;
    }
    return right;
}

void chain_soup_release_results(graze_chain_results *results)
{
    free(results->flags);
    free(results->counts);
    free(results->pairs);
    free(results->spheres);
}
