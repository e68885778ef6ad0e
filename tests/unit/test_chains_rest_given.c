/* Spheres and chains that the caller gives: taken over as they are, compiled into pairs that a
 * plain list of the chains gives too, refused in words where something is wrong.
 */
#include "harness.h"
#include "support/allocator.h"
#include "support/own.h"

#include <graze/ext/chain.h>
#include <graze/graze.h>

#include <math.h>
#include <string.h>

/* A strip of squares along x, each two triangles and a sphere around its middle. Squares 0 to 4
 * hang together; 5 to 7 lie apart from each other.
 */
enum { SQUARES = 8, JOINED = 5, VERTICES = 4 * SQUARES, TRIANGLES = 2 * SQUARES };

typedef struct strip {
    float positions[VERTICES][3];
    uint32_t triangles[TRIANGLES][3];
    graze_chain_sphere spheres[SQUARES];
    graze_chain_pivot pivots[4 * SQUARES];
    uint32_t owners[TRIANGLES];
    uint32_t offsets[4];
    uint32_t members[16];
    graze_pair also[1], neighbours[1];
    graze_model_def def;
    graze_chains_given given;
} strip;

static const char *const names[] = {"left", "right"};

static void make_strip(strip *s)
{
    static const uint32_t corners[6] = {0, 1, 2, 2, 1, 3};
    static const uint32_t members[] = {0, 1, 2, 3, 7, 5, 6, 3, 4, 7, 0};
    memset(s, 0, sizeof *s);
    for (uint32_t v = 0; v < VERTICES; v++) {
        uint32_t square = v / 4;
        float x = square < JOINED ? (float)square : 2 * (float)square;
        s->positions[v][0] = x + (float)(v % 2);
        s->positions[v][1] = (float)(v % 4 / 2);
    }
    for (uint32_t i = 0; i < 6 * SQUARES; i++)
        s->triangles[i / 3][i % 3] = 4 * (i / 6) + corners[i % 6];
    for (uint32_t i = 0; i < SQUARES; i++) {
        float x = s->positions[4 * i][0] + 0.5f;
        s->spheres[i] = (graze_chain_sphere){{x, 0.5f, 0}, 0.3f, i / 4, 4 * i, 4, 0.42f};
        for (uint32_t k = 0; k < 4; k++)
            s->pivots[4 * i + k] = (graze_chain_pivot){{4 * i + k, 0, 0}, 0.25f};
        s->owners[2 * i] = s->owners[2 * i + 1] = i;
    }
    memcpy(s->members, members, sizeof members);
    s->offsets[1] = 5;
    s->offsets[2] = 7;
    s->offsets[3] = 11;
    s->also[0] = (graze_pair){.a = 6, .b = 2};
    s->neighbours[0] = (graze_pair){.a = 7, .b = 0};
    s->def = (graze_model_def){0};
    s->def.positions = s->positions[0];
    s->def.vertex_count = VERTICES;
    s->def.triangles = s->triangles[0];
    s->def.triangle_count = TRIANGLES;
    s->def.joint_count = 1;
    s->given = (graze_chains_given){0};
    s->given.region_names = names;
    s->given.region_count = 2;
    s->given.spheres = s->spheres;
    s->given.sphere_count = SQUARES;
    s->given.pivots = s->pivots;
    s->given.pivot_count = 4 * SQUARES;
    s->given.triangle_spheres = s->owners;
    s->given.chain_offsets = s->offsets;
    s->given.chain_spheres = s->members;
    s->given.chain_count = 3;
    s->given.also = s->also;
    s->given.also_count = 1;
    s->given.neighbours = s->neighbours;
    s->given.neighbour_count = 1;
}

static graze_model *model_of(const strip *s)
{
    graze_model *model = NULL;
    CHECK(graze_model_create(&s->def, &model, NULL) == GRAZE_OK);
    return model;
}

static graze_chains *chains_of(const strip *s)
{
    graze_model *model = model_of(s);
    graze_chains *chains = NULL;
    graze_error error = {GRAZE_OK, ""};
    graze_status status = graze_chains_create_given(model, &s->given, &chains, &error);
    CHECK_MSG(status == GRAZE_OK, "%s", error.text);
    graze_model_destroy(model); /* the chains hold it */
    return chains;
}

TEST(what_is_given_is_there)
{
    static strip s;
    uint32_t count = 0;
    make_strip(&s);
    OWN(graze_chains) *chains = chains_of(&s);
    REQUIRE(chains);
    CHECK(graze_model_get_info(graze_chains_get_info(chains).model).triangle_count == TRIANGLES);
    CHECK(graze_chains_get_info(chains).sphere_count == SQUARES);
    CHECK(graze_chains_get_info(chains).region_count == 2 &&
          graze_chains_get_info(chains).chain_count == 3);
    CHECK(graze_chains_get_info(chains).vertices_per_pivot == 1);
    CHECK(strcmp(graze_chains_region_name(chains, 1), "right") == 0);
    CHECK(graze_chains_region_name(chains, 2) == NULL);
    for (uint32_t i = 0; i < SQUARES; i++) {
        graze_chain_sphere sphere = graze_chains_sphere(chains, i);
        CHECK(memcmp(&sphere, &s.spheres[i], sizeof sphere) == 0);
        const uint32_t *own = graze_chains_triangles(chains, i, &count);
        CHECK(count == 2 && own && own[0] == 2 * i && own[1] == 2 * i + 1);
    }
    CHECK(graze_chains_sphere(chains, SQUARES).radius == 0);
    const graze_chain_pivot *pivots = graze_chains_pivots(chains, &count);
    CHECK(count == 4 * SQUARES && memcmp(pivots, s.pivots, sizeof s.pivots) == 0);
    for (uint32_t t = 0; t < TRIANGLES; t++)
        CHECK(graze_chains_triangle_sphere(chains, t) == t / 2);
    CHECK(graze_chains_triangle_sphere(chains, TRIANGLES) == 0);
    const uint32_t *chain = graze_chains_chain(chains, 2, &count);
    CHECK(count == 4 && chain && memcmp(chain, s.members + 7, 4 * sizeof *chain) == 0);
    CHECK(graze_chains_chain(chains, 3, &count) == NULL && count == 0);
    CHECK(graze_chains_triangles(chains, SQUARES, &count) == NULL && count == 0);
    graze_chains_info info = graze_chains_get_info(chains);
    CHECK(info.paper_chain_tests == 25 + 4 + 16 && info.paper_all_tests == SQUARES * SQUARES);
}

/* Whether two spheres are neighbours, by the words of the header: by brute force. */
static bool are_near(const strip *s, uint32_t a, uint32_t b)
{
    double square = 0;
    for (int k = 0; k < 3; k++)
        square += pow((double)s->spheres[a].centre[k] - (double)s->spheres[b].centre[k], 2);
    if (sqrt(square) <= (double)s->spheres[a].radius + (double)s->spheres[b].radius)
        return true;
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++)
        for (uint32_t k = 0; k < 3 * TRIANGLES; k++)
            if (s->owners[i / 3] == a && s->owners[k / 3] == b &&
                memcmp(s->positions[s->triangles[i / 3][i % 3]],
                       s->positions[s->triangles[k / 3][k % 3]], 12) == 0)
                return true;
    return false;
}

static bool is_excluded(const strip *s, uint32_t a, uint32_t b, uint32_t steps)
{
    for (uint32_t i = 0; i < s->given.neighbour_count; i++)
        if ((s->neighbours[i].a == a && s->neighbours[i].b == b) ||
            (s->neighbours[i].a == b && s->neighbours[i].b == a))
            return true;
    if (steps && are_near(s, a, b))
        return true;
    for (uint32_t c = 0; steps > 1 && c < SQUARES; c++)
        if (c != a && c != b && are_near(s, a, c) && is_excluded(s, c, b, steps - 1))
            return true;
    return false;
}

static bool is_in_chain(const strip *s, uint32_t chain, uint32_t sphere)
{
    for (uint32_t i = s->offsets[chain]; i < s->offsets[chain + 1]; i++)
        if (s->members[i] == sphere)
            return true;
    return false;
}

static bool is_wanted(const strip *s, uint32_t a, uint32_t b)
{
    for (uint32_t c = 0; c < s->given.chain_count; c++)
        if (is_in_chain(s, c, a) && is_in_chain(s, c, b))
            return true;
    return a == 2 && b == 6;
}

TEST(pairs_are_those_of_the_chains_without_neighbours)
{
    static strip s;
    for (uint32_t steps = 0; steps < 4; steps++) {
        uint32_t checked_count = 0, all_count = 0, checked = 0, all = 0;
        make_strip(&s);
        s.given.neighbour_steps = steps;
        s.given.no_neighbour_rule = steps == 0;
        if (steps > 1)
            s.given.neighbour_count = 0;
        s.spheres[7].centre[0] = s.spheres[2].centre[0] + 0.55f; /* overlaps 2 and 3 */
        OWN(graze_chains) *chains = chains_of(&s);
        REQUIRE(chains);
        const graze_pair *pairs = graze_chains_pairs(chains, GRAZE_CHAIN_PAIRS, &checked_count);
        const graze_pair *every = graze_chains_pairs(chains, GRAZE_ALL_PAIRS, &all_count);
        for (uint32_t a = 0; a < SQUARES; a++)
            for (uint32_t b = a + 1; b < SQUARES; b++) {
                if (is_excluded(&s, a, b, steps))
                    continue;
                CHECK(all < all_count && every[all].a == a && every[all].b == b);
                all++;
                if (!is_wanted(&s, a, b))
                    continue;
                CHECK_MSG(checked < checked_count && pairs[checked].a == a && pairs[checked].b == b,
                          "%u steps: %u %u", steps, a, b);
                checked++;
            }
        CHECK(checked == checked_count && all == all_count && checked < all);
    }
}

TEST(without_chains_only_pairs_that_are_named_are_looked_at)
{
    static strip s;
    uint32_t count = 9;
    make_strip(&s);
    s.given.chain_count = 0;
    s.given.chain_offsets = s.given.chain_spheres = NULL;
    OWN(graze_chains) *chains = chains_of(&s);
    REQUIRE(chains);
    const graze_pair *pairs = graze_chains_pairs(chains, GRAZE_CHAIN_PAIRS, &count);
    CHECK(count == 1 && pairs[0].a == 2 && pairs[0].b == 6);
}

/* ---- bad input ---- */

static void refuse(const strip *s, const char *text)
{
    OWN(graze_model) *model = model_of(s);
    graze_chains *chains = NULL;
    graze_error error = {GRAZE_OK, ""};
    CHECK(graze_chains_create_given(model, &s->given, &chains, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strcmp(error.text, text) == 0, "%s", error.text);
    CHECK(!chains);
}

#define REFUSE(change, text)                                                                       \
    do {                                                                                           \
        make_strip(&s);                                                                            \
        change;                                                                                    \
        refuse(&s, text);                                                                          \
    } while (0)

TEST(bad_spheres_are_refused_in_words)
{
    static strip s;
    static const char *const one_name[] = {"left", NULL};
    REFUSE(s.given.region_count = 0, "there is no region");
    REFUSE(s.given.region_names = one_name, "the name of region 1 is NULL");
    REFUSE(s.given.region_names = NULL, "the region names are NULL");
    REFUSE(s.given.spheres = NULL, "the spheres are NULL");
    REFUSE(s.given.pivots = NULL, "the pivots are NULL");
    REFUSE(s.given.triangle_spheres = NULL, "the spheres of triangles are NULL");
    REFUSE(s.given.sphere_count = 0, "0 spheres: expected 1 to 4096");
    REFUSE(s.given.sphere_count = 4097, "4097 spheres: expected 1 to 4096");
    REFUSE(s.given.vertices_per_pivot = 2, "2 vertices a pivot: expected 1 or 3");
    REFUSE(s.spheres[3].centre[1] = NAN, "sphere 3: coordinate y of its centre is nan");
    REFUSE(s.spheres[3].centre[2] = INFINITY, "sphere 3: coordinate z of its centre is inf");
    REFUSE(s.spheres[4].radius = 0, "sphere 4: its radius is 0");
    REFUSE(s.spheres[4].radius = NAN, "sphere 4: its radius is nan");
    REFUSE(s.spheres[4].radius_factor = -1, "sphere 4: its radius factor is -1");
    REFUSE(s.spheres[5].region = 2, "sphere 5 is of region 2 of 2");
    REFUSE(s.spheres[5].pivot_count = 0, "sphere 5 has no pivot");
    REFUSE(s.spheres[5].first_pivot = 30, "sphere 5 has pivots 30 to 33 of 32");
    REFUSE(s.spheres[5].pivot_count = UINT32_MAX, "sphere 5 has pivots 20 to 4294967314 of 32");
    REFUSE(s.pivots[6].vertices[0] = 32, "sphere 1: pivot 2 refers to vertex 32 of 32");
    REFUSE(s.pivots[6].weight = NAN, "sphere 1: the weight of pivot 2 is nan");
    REFUSE(s.pivots[6].weight = 0.5f, "sphere 1: the weights of its pivots sum to 1.25, not to 1");
    REFUSE((s.given.vertices_per_pivot = 3, s.pivots[1].vertices[2] = 99),
           "sphere 0: pivot 1 refers to vertex 99 of 32");
    REFUSE(s.owners[9] = 8, "triangle 9 belongs to sphere 8 of 8");
}

TEST(bad_chains_are_refused_in_words)
{
    static strip s;
    REFUSE(s.given.chain_offsets = NULL, "the offsets of chains are NULL");
    REFUSE(s.given.chain_spheres = NULL, "the spheres of chains are NULL");
    REFUSE(s.given.also = NULL, "the pairs to look at also are NULL");
    REFUSE(s.given.neighbours = NULL, "the neighbours are NULL");
    REFUSE(s.offsets[0] = 1, "chain 0 starts at 1, not at 0");
    REFUSE(s.offsets[2] = 5, "chain 1 has no sphere");
    REFUSE(s.offsets[2] = 4, "chain 1 has no sphere");
    REFUSE(s.offsets[3] = 100, "chain 2 has 93 spheres of 8");
    REFUSE(s.members[6] = 8, "chain 1 names sphere 8 of 8");
    REFUSE(s.members[6] = 5, "chain 1 names sphere 5 twice");
    REFUSE(s.also[0].a = 8, "pair to look at also 0 is of spheres 8 and 2 of 8");
    REFUSE(s.neighbours[0].a = 0, "pair of neighbours 0 is of spheres 0 and 0 of 8");
}

typedef struct given_to {
    const graze_model *model;
    const graze_chains_given *given;
} given_to;

static graze_status make_given(const graze_allocator *allocator, void *about, graze_error *error)
{
    const given_to *to = about;
    OWN(graze_chains) *chains = NULL;
    (void)allocator;
    graze_status status = graze_chains_create_given(to->model, to->given, &chains, error);
    CHECK(!status == (chains != NULL));
    return status;
}

TEST(failed_allocations_leave_nothing_behind)
{
    static strip s;
    test_memory memory = {0};
    graze_allocator allocator = test_memory_allocator(&memory);
    make_strip(&s);
    s.given.neighbour_steps = 2;
    s.def.allocator = &allocator;
    graze_model *model = model_of(&s);
    CHECK(test_fail_each(&memory, make_given, &(given_to){model, &s.given}, 1000) > 10);
    graze_model_destroy(model);
    CHECK(memory.alive == 0);
}
