/* What spheres that overlap are worth: random poses, each judged by the exact query.
 *
 * A pose truly collides where triangles of two spheres that are looked at meet, and do not at rest.
 * A pair of spheres is flagged at a scale s of all radii if its distance is at most s (r1 + r2), a
 * pose if a pair of it is.
 */
#include "bench/chain.h"

#include "bench/plot.h"
#include "bench/queries.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCALES = 15 };

static const double scales[SCALES] = {0.6,  0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1,
                                      1.05, 1.1, 1.15, 1.2, 1.3,  1.4, 1.6};

/* How joints of this name turn, in degrees either way. */
static double reach_of(const char *name)
{
    static const struct {
        const char *part;
        double degrees;
    } reaches[] = {{"upper_arm", 100}, {"forearm", 100}, {"thigh", 70}, {"calf", 80},
                   {"hand", 40},       {"spine", 15},    {"neck", 25},  {"clavicle", 15}};
    for (size_t i = 0; name && i < sizeof reaches / sizeof *reaches; i++)
        if (strstr(name, reaches[i].part))
            return reaches[i].degrees;
    return 10;
}

/* Turns every joint about a random axis; the first one carries the body and stays. */
static bool make_pose(graze_rig *rig, uint32_t *seed, float *joints)
{
    for (uint32_t j = 1; j < rig->joint_count; j++) {
        graze_rig_node *node = &rig->nodes[rig->joints[j].node];
        double axis[3], length = 0;
        for (int k = 0; k < 3; k++) {
            axis[k] = 2 * (double)queries_random(seed) - 1;
            length += axis[k] * axis[k];
        }
        double turn = (2 * (double)queries_random(seed) - 1) * reach_of(node->name);
        double half = turn * (3.14159265358979323846 / 360);
        for (int k = 0; k < 3; k++)
            node->rotation[k] = (float)(sin(half) * axis[k] / sqrt(length + 1e-30));
        node->rotation[3] = (float)cos(half);
    }
    return !graze_rig_sample(rig, GRAZE_NONE, 0, joints, NULL);
}

/* ---- counting -------------------------------------------------------------------------------- */

typedef struct tally {
    uint64_t right, wrong, missed; /* flagged and true, flagged and not, true and not flagged */
} tally;

static void count(tally *t, bool flagged, bool is_true)
{
    t->right += flagged && is_true;
    t->wrong += flagged && !is_true;
    t->missed += !flagged && is_true;
}

static double precision(const tally *t)
{
    return t->right + t->wrong ? 100.0 * (double)t->right / (double)(t->right + t->wrong) : 100;
}

static double recall(const tally *t)
{
    return t->right + t->missed ? 100.0 * (double)t->right / (double)(t->right + t->missed) : 100;
}

enum { BY_POSE, BY_PAIR, KINDS };

/* How spheres follow the pose. */
enum { OF_PIVOTS, OF_BOUNDS, OF_PAPER, UPDATES };

typedef struct truth {
    chain_subject *subject;
    const graze_chain_pair *checked;
    uint32_t checked_count;
    uint32_t *checked_rows; /* the exact query's rows for these pairs alone */
    uint8_t *meets;         /* a byte a pair of spheres, both ways round */
    uint32_t poses, colliding, anywhere;
    graze_chain_plan *paper; /* the same spheres with the paper's pivots */
    tally of[UPDATES][KINDS][SCALES];
} truth;

static bool mark_pairs(void *user, const graze_self_pair *pairs, size_t pair_count)
{
    truth *t = user;
    const uint32_t n = t->subject->sphere_count;
    for (size_t i = 0; i < pair_count; i++) {
        uint32_t a = t->subject->owners[pairs[i].a], b = t->subject->owners[pairs[i].b];
        t->meets[(size_t)a * n + b] = t->meets[(size_t)b * n + a] = 1;
    }
    return true;
}

/* From which scale on a pair overlaps. */
static double scale_of(const float *spheres, graze_chain_pair pair)
{
    const float *a = spheres + 4 * (size_t)pair.a, *b = spheres + 4 * (size_t)pair.b;
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double d = (double)a[k] - (double)b[k];
        square += d * d;
    }
    return sqrt(square) / ((double)a[3] + (double)b[3]);
}

static void judge(truth *t, int update, bool collides)
{
    chain_subject *s = t->subject;
    double least = INFINITY;
    graze_chain_pose(update == OF_PAPER ? t->paper : s->plan, s->body,
                     update == OF_BOUNDS ? GRAZE_CHAIN_CONSERVATIVE : GRAZE_CHAIN_PIVOTS,
                     s->spheres, s->sphere_count, NULL);
    for (uint32_t i = 0; i < t->checked_count; i++) {
        double from = scale_of(s->spheres, t->checked[i]);
        bool meets = t->meets[(size_t)t->checked[i].a * s->sphere_count + t->checked[i].b];
        least = fmin(least, from);
        for (int k = 0; k < SCALES; k++)
            count(&t->of[update][BY_PAIR][k], from <= scales[k], meets);
    }
    for (int k = 0; k < SCALES; k++)
        count(&t->of[update][BY_POSE][k], least <= scales[k], collides);
}

static void try_pose(truth *t, const float *joints)
{
    chain_subject *s = t->subject;
    const graze_pose pose = {.joints = joints, .joint_count = s->rig->joint_count};
    const graze_self_between between = {.group_count = s->sphere_count, .rows = t->checked_rows};
    bool any = false, collides = false;
    graze_body_set_pose(s->body, &pose, NULL);
    graze_body_set_pose(s->grouped_body, &pose, NULL);
    memset(t->meets, 0, (size_t)s->sphere_count * s->sphere_count);
    graze_collide_self_between(s->grouped_body, GRAZE_SELF_NEW, &between, mark_pairs, t, NULL,
                               NULL);
    graze_collide_self_first(s->body, GRAZE_SELF_NEW, &any, NULL, NULL, NULL);
    for (uint32_t i = 0; i < t->checked_count && !collides; i++)
        collides = t->meets[(size_t)t->checked[i].a * s->sphere_count + t->checked[i].b];
    t->poses++;
    t->colliding += collides;
    t->anywhere += any;
    for (int update = 0; update < UPDATES; update++)
        judge(t, update, collides);
}

/* ---- printing -------------------------------------------------------------------------------- */

static const char *const updates[] = {"pivots", "conservative", "paper's pivots"};
static const char *const kinds[] = {"poses", "pairs of spheres"};

static void print_row(const truth *t, int update, int kind, int k, bool json)
{
    const tally *own = &t->of[update][kind][k];
    if (!json && (k % 2 == 0 || k < 3 || k > 12)) /* some will do */
        return;
    if (json)
        printf("{\"table\":\"chain truth\",\"update\":\"%s\",\"of\":\"%s\",\"scale\":%g,"
               "\"precision\":%.4g,\"recall\":%.6g,\"flagged\":%llu,\"missed\":%llu}\n",
               updates[update], kinds[kind], scales[k], precision(own), recall(own),
               (unsigned long long)(own->right + own->wrong), (unsigned long long)own->missed);
    else
        printf("  %-14s  %-16s  radii x %4.2f  recall %7.3f %%  precision %7.3f %%  missed %llu\n",
               updates[update], kinds[kind], scales[k], recall(own), precision(own),
               (unsigned long long)own->missed);
}

static bool draw(const truth *t, const char *folder)
{
    bool ok = true;
    for (int kind = 0; folder && ok && kind < KINDS; kind++) {
        plot_chart chart = {.title = kind == BY_POSE
                                         ? "Sphere chains: poses that self-collide"
                                         : "Sphere chains: pairs of spheres whose triangles meet",
                            .x_name = "recall, %, as radii are scaled from 0.6 to 1.6",
                            .y_name = "precision, %",
                            .percent = true};
        for (int update = 0; update < UPDATES; update++) {
            plot_line *line =
                plot_add_line(&chart, updates[update], (uint32_t)update, update == OF_BOUNDS);
            for (int k = 0; k < SCALES; k++)
                plot_add_point(line, recall(&t->of[update][kind][k]),
                               precision(&t->of[update][kind][k]));
        }
        ok = plot_lines(folder, kind == BY_POSE ? "chain-poses" : "chain-pairs", &chart);
    }
    return ok;
}

static bool print_truth(const truth *t, const bench_options *options)
{
    if (options->json)
        printf("{\"table\":\"chain truth\",\"poses\":%u,\"colliding\":%u,\"anywhere\":%u}\n",
               t->poses, t->colliding, t->anywhere);
    else
        printf("\n%u random poses: %u collide between spheres that are looked at, %u anywhere, "
               "creases "
               "at joints included\n",
               t->poses, t->colliding, t->anywhere);
    for (int update = 0; update < UPDATES; update++)
        for (int kind = 0; kind < KINDS; kind++)
            for (int k = 0; k < SCALES; k++)
                print_row(t, update, kind, k, options->json);
    /* That is what conservative means. */
    for (int k = 0; k < SCALES; k++)
        if (scales[k] >= 1 && t->of[OF_BOUNDS][BY_PAIR][k].missed) {
            fprintf(stderr, "graze: conservative spheres missed a pair\n");
            return false;
        }
    return draw(t, options->plot);
}

static bool make_paper_plan(truth *t)
{
    graze_chain_def def = graze_default_chain_def();
    graze_chains *chains = NULL;
    graze_error error;
    def.paper_pivots = true;
    bool ok = !graze_chains_create(t->subject->model, t->subject->joints, &def, &chains, &error) &&
              !graze_chain_plan_create(chains, NULL, &t->paper, &error);
    if (!ok)
        fprintf(stderr, "graze: %s\n", error.text);
    ok = ok && graze_chain_plan_sphere_count(t->paper) == t->subject->sphere_count;
    graze_chains_destroy(chains);
    return ok;
}

bool chain_print_truth(chain_subject *s, uint32_t poses, const bench_options *options)
{
    truth t = {.subject = s};
    const uint32_t n = s->sphere_count, words = (n + 31) / 32;
    uint32_t seed = 1;
    float *joints = malloc(12 * sizeof *joints * s->rig->joint_count);
    t.checked = graze_chains_checked(s->chains, &t.checked_count);
    t.checked_rows = calloc((size_t)n * words, sizeof *t.checked_rows);
    t.meets = malloc((size_t)n * n);
    bool ok = joints && t.checked_rows && t.meets;
    if (!ok)
        fprintf(stderr, "graze: no memory for poses\n");
    ok = ok && make_paper_plan(&t);
    for (uint32_t i = 0; ok && i < t.checked_count; i++)
        t.checked_rows[(size_t)t.checked[i].a * words + t.checked[i].b / 32] |=
            1u << (t.checked[i].b % 32);
    for (uint32_t p = 0; ok && p < poses; p++) {
        ok = make_pose(s->rig, &seed, joints);
        if (ok)
            try_pose(&t, joints);
    }
    ok = ok && print_truth(&t, options);
    free(joints);
    free(t.checked_rows);
    free(t.meets);
    graze_chain_plan_destroy(t.paper);
    return ok;
}
