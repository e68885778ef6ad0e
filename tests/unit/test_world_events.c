/* Events of random moving worlds against all pairs by brute force, with 1, 2 and 8 threads: levels,
 * motions, contacts, solid bodies and masks mixed, and members that come and go.
 */
#include "harness.h"

#include "support/quick.h"
#include "support/world_scene.h"

#include <graze/graze.h>

#include <string.h>

enum { FRAMES = 12, STEPS = 10 };

static struct tally {
    uint32_t begins, stays, ends, levels[4], motions[4], passages[4], sure[4], inside, contacts;
    uint32_t capped;
} tally;

/* What met at the update before, with the ids of then. */
typedef struct last_met {
    size_t count;
    graze_world_id ids[SCENE_THINGS * SCENE_THINGS][2];
} last_met;

static bool is_id(graze_world_id x, graze_world_id y)
{
    return x.index == y.index && x.generation == y.generation;
}

static bool remembers(const last_met *m, graze_world_id a, graze_world_id b)
{
    for (size_t i = 0; i < m->count; i++)
        if (is_id(m->ids[i][0], a) && is_id(m->ids[i][1], b))
            return true;
    return false;
}

static const graze_world_event *find_event(const graze_world_event *events, size_t count,
                                           graze_world_id a, graze_world_id b)
{
    for (size_t i = 0; i < count; i++)
        if (is_id(events[i].a, a) && is_id(events[i].b, b))
            return &events[i];
    return NULL;
}

/* Of events with the same indices an end comes before the begin of others, and behind their own. */
static bool are_sorted(const graze_world_event *events, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const graze_world_event *x = &events[i - 1], *y = &events[i];
        bool indices = x->a.index == y->a.index && x->b.index == y->b.index;
        bool same = is_id(x->a, y->a) && is_id(x->b, y->b);
        bool fits = same ? x->kind == GRAZE_EVENT_BEGIN && y->kind == GRAZE_EVENT_END
                         : x->kind == GRAZE_EVENT_END && y->kind == GRAZE_EVENT_BEGIN;
        if (y->a.index < x->a.index || (y->a.index == x->a.index && y->b.index < x->b.index) ||
            (indices && !fits))
            return false;
    }
    return true;
}

/* ---- one pair ---- */

typedef struct pair {
    const scene_member *a, *b;
    const graze_world_rule *rule;
    const graze_world_event *event; /* the first, or NULL */
    bool met;                       /* at the update before */
    bool meets;                     /* now */
    bool moves;                     /* the way counts */
} pair;

static bool is_end(const graze_world_event *event)
{
    return event->kind == GRAZE_EVENT_END && event->time == 1 && !event->part_count &&
           !event->pair_count && !event->contact_count && !event->inside && !event->capped;
}

/* The event of two that met and parted: one part and one contact, and an end behind it. */
static bool is_passage(const pair *p)
{
    const graze_world_event *begin = p->event, *end = begin + 1;
    bool close = p->rule->level != GRAZE_LEVEL_BOUNDS;
    bool triangles = p->rule->level == GRAZE_LEVEL_EXACT && (p->a->now.body || p->b->now.body);
    if (begin->kind != GRAZE_EVENT_BEGIN || !(begin->time >= 0 && begin->time <= 1) ||
        begin->part_count != close || begin->pair_count != triangles || begin->inside ||
        begin->contact_count != (close && p->rule->contacts))
        return false;
    if (begin->contact_count &&
        (begin->contacts[0].depth != 0 || begin->contacts[0].parts[0] != begin->parts[0].a ||
         begin->contacts[0].parts[1] != begin->parts[0].b))
        return false;
    return is_id(begin->a, end->a) && is_id(begin->b, end->b) && is_end(end) &&
           end->level == begin->level && end->motion == begin->motion;
}

/* When and whether two first met on the way, if they did not before. */
static bool check_way(world_scene *s, const pair *p)
{
    const graze_world_event *event = p->event;
    graze_motion_rule motion = p->rule->motion;
    if (scene_ways_are_apart(p->a, p->b))
        return !event;
    /* Boxes are followed all of the way, whatever the motion. */
    if (motion == GRAZE_MOTION_SAMPLED && p->rule->level != GRAZE_LEVEL_BOUNDS)
        return !event || p->meets ||
               scene_meet_at(s, p->a, p->b, p->rule->level, (double)event->time);
    double first = scene_first_time(s, p->a, p->b, p->rule->level, STEPS);
    tally.sure[motion] += event && !p->meets && first <= 1;
    if (first <= 1 && (!event || (double)event->time > first + 1e-6))
        return false;
    if (motion != GRAZE_MOTION_CONTINUOUS || p->rule->level != GRAZE_LEVEL_EXACT ||
        !p->a->now.body || !p->b->now.body)
        return true;
    graze_impact impact = scene_first_impact(s, p->a, p->b);
    return impact.found ? event && event->time == impact.time
                        : !event || (p->meets && event->time == 1);
}

/* Whether the events of a pair are what brute force expects. */
static bool check_pair(world_scene *s, pair *p, size_t *events)
{
    static meeting m;
    const graze_world_event *event = p->event;
    judge_meeting(&p->a->now, &p->b->now, p->rule->level, p->rule->contacts, &m);
    p->meets = m.meets;
    p->moves = p->rule->level != GRAZE_LEVEL_IGNORE && p->rule->motion != GRAZE_MOTION_DISCRETE &&
               p->a->has_past && p->b->has_past && !p->met;
    *events = event != NULL;
    if (!m.meets && p->met)
        return event && event->kind == GRAZE_EVENT_END;
    if (p->moves && !check_way(s, p))
        return false;
    if (!m.meets && event) {
        *events = 2;
        tally.passages[event->motion]++;
        tally.capped += event->capped;
        return p->moves && is_passage(p);
    }
    if (!m.meets)
        return true;
    tally.begins += !p->met;
    tally.stays += p->met;
    tally.levels[p->rule->level]++;
    tally.motions[p->rule->motion]++;
    tally.inside += m.inside;
    tally.contacts += m.contact_count;
    return event && event->level == p->rule->level && event->motion == p->rule->motion &&
           (p->moves || event->time == 1) &&
           event->kind == (p->met ? GRAZE_EVENT_STAY : GRAZE_EVENT_BEGIN) &&
           judge_agrees(event, &m);
}

/* At the level of parts nothing is missing that triangles would find. */
static void check_not_missed(const pair *p)
{
    static meeting m;
    judge_meeting(&p->a->now, &p->b->now, GRAZE_LEVEL_EXACT, false, &m);
    CHECK(!m.meets || p->meets);
    for (uint32_t i = 0; i < m.part_count && p->meets; i++) {
        bool found = false;
        for (uint32_t k = 0; k < p->event->part_count; k++)
            found |= !memcmp(&p->event->parts[k], &m.parts[i], sizeof *m.parts);
        CHECK(found);
    }
}

/* ---- all of them ---- */

/* Each event of world 0 is expected, and none is missing. */
static void check_events(world_scene *s, last_met *before, last_met *now, uint32_t frame)
{
    size_t count = 0, seen = 0;
    const graze_world_event *events = graze_world_events(s->worlds[0], &count);
    CHECK(are_sorted(events, count));
    now->count = 0;
    for (uint32_t i = 0; i < SCENE_THINGS; i++)
        for (uint32_t j = 0; j < SCENE_THINGS; j++) {
            const scene_member *a = &s->members[i], *b = &s->members[j];
            if (!a->present || !b->present || a->ids[0].index >= b->ids[0].index)
                continue;
            pair p = {.a = a,
                      .b = b,
                      .rule = &s->rules[a->category][b->category],
                      .event = find_event(events, count, a->ids[0], b->ids[0]),
                      .met = remembers(before, a->ids[0], b->ids[0])};
            size_t own = 0;
            CHECK_MSG(check_pair(s, &p, &own), "frame %u: %u and %u, level %d, motion %d", frame, i,
                      j, (int)p.rule->level, (int)p.rule->motion);
            if (p.rule->level == GRAZE_LEVEL_HITBOXES)
                check_not_missed(&p);
            seen += p.met && !p.meets ? 0 : own;
            if (!p.meets)
                continue;
            now->ids[now->count][0] = a->ids[0];
            now->ids[now->count++][1] = b->ids[0];
        }
    for (size_t i = 0; i < before->count; i++)
        if (!remembers(now, before->ids[i][0], before->ids[i][1])) {
            const graze_world_event *event =
                find_event(events, count, before->ids[i][0], before->ids[i][1]);
            CHECK(event && is_end(event));
            tally.ends++;
            seen++;
        }
    CHECK_MSG(seen == count, "frame %u: %zu events, %zu expected", frame, count, seen);
}

static void check_frame(world_scene *s, last_met *before, last_met *now, uint32_t frame)
{
    size_t count = 0, other_count = 0;
    graze_error error;
    for (int w = 0; w < SCENE_WORLDS; w++) {
        REQUIRE(graze_world_update(s->worlds[w], &(const graze_options){.pool = s->pools[w]},
                                   NULL) == GRAZE_OK);
        CHECK_MSG(!graze_world_validate(s->worlds[w], &error), "frame %u: %s", frame, error.text);
    }
    check_events(s, before, now, frame);
    const graze_world_event *events = graze_world_events(s->worlds[0], &count);
    for (int w = 1; w < SCENE_WORLDS; w++) {
        const graze_world_event *others = graze_world_events(s->worlds[w], &other_count);
        REQUIRE(other_count == count);
        for (size_t i = 0; i < count; i++)
            CHECK(judge_same(&events[i], &others[i]) && is_id(events[i].a, others[i].a) &&
                  is_id(events[i].b, others[i].b));
    }
}

static void play(uint64_t first_seed, uint32_t seeds, bool with_motion)
{
    static world_scene s;
    static last_met memories[2];
    graze_error error;
    memset(&tally, 0, sizeof tally);
    for (uint64_t seed = first_seed; seed < first_seed + seeds; seed++) {
        scene_open(&s, seed, with_motion);
        memories[0].count = memories[1].count = 0;
        for (uint32_t frame = 0; frame < FRAMES; frame++) {
            check_frame(&s, &memories[frame % 2], &memories[1 - frame % 2], frame);
            scene_remember(&s);
            scene_move(&s);
            scene_change(&s);
            for (int w = 0; w < SCENE_WORLDS; w++)
                CHECK_MSG(!graze_world_validate(s.worlds[w], &error), "%s", error.text);
        }
        scene_close(&s);
    }
    printf("%u begins, %u stays, %u ends; %u by bounds, %u by parts, %u exact; %u inside; "
           "%u contacts\n",
           tally.begins, tally.stays, tally.ends, tally.levels[2], tally.levels[1], tally.levels[0],
           tally.inside, tally.contacts);
}

TEST(events_are_those_of_all_pairs)
{
    play(1, test_amount(80, 10), false);
    CHECK(tally.begins > 300 && tally.stays > 300 && tally.ends > 300);
    CHECK(tally.levels[0] > 200 && tally.levels[1] > 200 && tally.levels[2] > 200);
    CHECK(tally.inside > 20 && tally.contacts > 500);
}

TEST(events_on_the_way_are_those_of_all_pairs)
{
    play(1000, test_amount(24, 4), true);
    printf("passages: %u swept (%u seen in samples), %u sampled (%u capped), %u continuous (%u)\n",
           tally.passages[1], tally.sure[1], tally.passages[2], tally.capped, tally.passages[3],
           tally.sure[3]);
    CHECK(tally.passages[1] > 10 && tally.passages[2] > 3 && tally.passages[3] > 5);
    CHECK(tally.sure[3] > tally.passages[3] / 2);
}
