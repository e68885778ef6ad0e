/* What spheres that overlap are worth: random poses, each judged by the exact query.
 *
 * A pose truly collides where triangles of two spheres that are looked at meet, and do not at rest.
 * A pair of spheres is flagged at a scale s of all radii if its distance is at most s (r1 + r2), a
 * pose if a pair of it is.
 */
#include "bench/chain.h"

#include "bench/plot.h"

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
    for (size_t i = 0; name && i < COUNT_OF(reaches); i++)
        if (strstr(name, reaches[i].part))
            return reaches[i].degrees;
    return 10;
}

/* Turns every joint about a random axis; the first one carries the body and stays. */
static void make_pose(graze_rig *rig, uint32_t *seed, float *joints)
{
    for (uint32_t j = 1; j < rig->joint_count; j++) {
        graze_rig_node *node = &rig->nodes[rig->joints[j].node];
        double axis[3], length = 0;
        for (int k = 0; k < 3; k++) {
            axis[k] = 2 * (double)bench_random(seed) - 1;
            length += axis[k] * axis[k];
        }
        double turn = (2 * (double)bench_random(seed) - 1) * reach_of(node->name);
        double half = turn * (3.14159265358979323846 / 360);
        for (int k = 0; k < 3; k++)
            node->rotation[k] = (float)(sin(half) * axis[k] / sqrt(length + 1e-30));
        node->rotation[3] = (float)cos(half);
    }
    bench_must(graze_rig_sample(rig, GRAZE_NONE, 0, joints, NULL));
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

/* Per cent; of nothing, all. */
static double share_of(uint64_t part, uint64_t rest)
{
    return part + rest ? 100.0 * (double)part / (double)(part + rest) : 100;
}

static double precision(const tally *t)
{
    return share_of(t->right, t->wrong);
}

static double recall(const tally *t)
{
    return share_of(t->right, t->missed);
}

enum { BY_POSE, BY_PAIR, KINDS };

/* How spheres follow the pose. */
enum { OF_PIVOTS, OF_BOUNDS, OF_PAPER, UPDATES };

typedef struct truth {
    chain_subject *subject;
    const graze_pair *checked;
    uint32_t checked_count;
    uint32_t *checked_rows; /* the exact query's rows for these pairs alone */
    uint8_t *meets;         /* a byte a pair of spheres, both ways round */
    uint32_t poses, colliding, anywhere;
    graze_chain_tracker *paper; /* the same spheres with the paper's pivots */
    tally of[UPDATES][KINDS][SCALES];
} truth;

static bool mark_pairs(void *user, const graze_pair *pairs, size_t pair_count)
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
static double scale_of(const float *spheres, graze_pair pair)
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
    graze_chain_pose(update == OF_PAPER ? t->paper : s->tracker, s->body,
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
    const graze_part_filter between = {.part_count = s->sphere_count, .rows = t->checked_rows};
    const graze_options only_new = {.only_new = true}, any_new = {.any = true, .only_new = true};
    graze_pair_list meeting = {.report = mark_pairs, .user = t};
    bool collides = false;
    bench_pose(s->body, joints, s->rig->joint_count, NULL);
    bench_pose(s->grouped_body, joints, s->rig->joint_count, NULL);
    memset(t->meets, 0, (size_t)s->sphere_count * s->sphere_count);
    bench_must(graze_self_pairs(s->grouped_body, &between, &meeting, &only_new, &bench_error));
    size_t any = bench_self_pairs(s->body, NULL, &any_new);
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

static void print_row(const truth *t, int update, int kind, int k)
{
    const tally *own = &t->of[update][kind][k];
    if (asked.json || !(k % 2 == 0 || k < 3 || k > 12)) /* in text some will do */
        bench_row("chain truth",
                  "update:%s:%-14s of:%s:_%-16s scale:%g:_radii_x_%4.2f :_recall_%7.3f_%% "
                  "precision:%.4g:_precision_%7.3f_%% recall:%.6g flagged:%.0f "
                  "missed:%.0f:_missed_%.0f",
                  ROW_TEXTS(updates[update], kinds[kind]),
                  ROW_NUMBERS(scales[k], recall(own), precision(own), recall(own),
                              own->right + own->wrong, own->missed));
}

static void draw(const truth *t, int kind)
{
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
    plot_lines(kind == BY_POSE ? "chain-poses" : "chain-pairs", &chart);
}

static void print_truth(const truth *t)
{
    bench_json_row("chain truth", "poses:%.0f colliding:%.0f anywhere:%.0f", NULL,
                   ROW_NUMBERS(t->poses, t->colliding, t->anywhere));
    bench_say("\n%u random poses: %u collide between spheres that are looked at, %u anywhere, "
              "creases at joints included\n",
              t->poses, t->colliding, t->anywhere);
    for (int update = 0; update < UPDATES; update++)
        for (int kind = 0; kind < KINDS; kind++)
            for (int k = 0; k < SCALES; k++)
                print_row(t, update, kind, k);
    /* That is what conservative means. */
    for (int k = 0; k < SCALES; k++)
        if (scales[k] >= 1 && t->of[OF_BOUNDS][BY_PAIR][k].missed)
            bench_die("conservative spheres missed a pair");
    for (int kind = 0; asked.plot && kind < KINDS; kind++)
        draw(t, kind);
}

static void make_paper_tracker(truth *t)
{
    const graze_chain_def def = {.paper_pivots = true};
    graze_chains *chains = NULL;
    bench_must(
        graze_chains_create(t->subject->model, t->subject->joints, &def, &chains, &bench_error));
    bench_must(graze_chain_tracker_create(chains, NULL, &t->paper, &bench_error));
    if (graze_chain_tracker_size(t->paper, GRAZE_CHAIN_PAIRS, NULL) != t->subject->sphere_count)
        bench_die("the paper's pivots have other spheres");
    graze_chains_destroy(chains);
}

void chain_print_truth(chain_subject *s, uint32_t poses)
{
    truth t = {.subject = s};
    const uint32_t n = s->sphere_count, words = (n + 31) / 32;
    uint32_t seed = 1;
    float *joints = bench_take(s->rig->joint_count, 12 * sizeof *joints);
    t.checked = graze_chains_pairs(s->chains, GRAZE_CHAIN_PAIRS, &t.checked_count);
    t.checked_rows = bench_take((size_t)n * words, sizeof *t.checked_rows);
    t.meets = bench_take((size_t)n * n, 1);
    make_paper_tracker(&t);
    for (uint32_t i = 0; i < t.checked_count; i++)
        t.checked_rows[(size_t)t.checked[i].a * words + t.checked[i].b / 32] |=
            1u << (t.checked[i].b % 32);
    for (uint32_t p = 0; p < poses; p++) {
        make_pose(s->rig, &seed, joints);
        try_pose(&t, joints);
    }
    print_truth(&t);
    free(joints);
    free(t.checked_rows);
    free(t.meets);
    graze_chain_tracker_destroy(t.paper);
}
