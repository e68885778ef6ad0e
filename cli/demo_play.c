/* A built-in scene, frame by frame: what touches, and what it cost to know, against the eager way.
 */
#include "cli/demo.h"

#include "cli/character.h"
#include "cli/commands.h"
#include "cli/list.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/room.h"
#include "cli/text.h"
#include "scenes/scene.h"

#include <graze/ext/inspect.h>

#include <math.h>

/* ---- one frame ---------------------------------------------------------------------------- */

/* How many are named; the others are counted. */
enum { SHOWN_PARTS = 3, SHOWN_FRAMES = 10 };

typedef struct demo_frame {
    size_t pairs;
    double lazy_us, eager_us;
    graze_stats stats;
    char parts[160];
    char words[240]; /* who touches whom most; empty: nobody */
    size_t named;    /* how many of the pairs are theirs */
} demo_frame;

typedef struct touching {
    uint32_t a, b; /* body parts */
    uint32_t count;
} touching;

static const char *name_of_part(const struct stage *stage, uint32_t body, uint32_t part)
{
    const graze_rig *rig = stage->scene->rigs[stage->scene->instances[body].rig];
    return rig->nodes[rig->joints[part].node].name;
}

static int most_first(const void *left, const void *right)
{
    const touching *x = left, *y = right;
    return x->count > y->count ? -1 : x->count < y->count;
}

/* Which body parts touch, those that touch most first; at most 64 pairs of them. */
static uint32_t find_touching(const struct stage *stage, uint32_t a, uint32_t b,
                              const item_list *pairs, touching found[64])
{
    uint32_t count = 0;
    const graze_pair *touching_pairs = pairs->items;
    const graze_model *model_a = graze_body_model(stage->bodies[0][a]);
    const graze_model *model_b = graze_body_model(stage->bodies[0][b]);
    for (size_t i = 0; i < pairs->count; i++) {
        uint32_t part_a = graze_model_triangle_part(model_a, touching_pairs[i].a);
        uint32_t part_b = graze_model_triangle_part(model_b, touching_pairs[i].b);
        uint32_t k = 0;
        while (k < count && (found[k].a != part_a || found[k].b != part_b))
            k++;
        if (k == count && count < 64)
            found[count++] = (touching){part_a, part_b, 0};
        if (k < count)
            found[k].count++;
    }
    qsort(found, count, sizeof *found, most_first);
    return count;
}

/* A of two bodies, as a report calls it; the number of one of many. */
static const char *name_of_body(const struct stage *stage, uint32_t body, char room[24])
{
    if (stage->body_count <= 2)
        return body ? "B" : "A";
    snprintf(room, 24, "body %u", body);
    return room;
}

/* "hand.L-forearm.R, ..." and how many more there are, and the first of them in a sentence. */
static void name_parts(const struct stage *stage, uint32_t a, uint32_t b, const item_list *pairs,
                       demo_frame *frame)
{
    touching found[64];
    char rooms[2][24];
    uint32_t count = find_touching(stage, a, b, pairs, found), used = 0;
    for (uint32_t k = 0; k < count && k < SHOWN_PARTS && used < sizeof frame->parts; k++)
        used += (uint32_t)snprintf(frame->parts + used, sizeof frame->parts - used, "%s%s-%s",
                                   k ? ", " : "", name_of_part(stage, a, found[k].a),
                                   name_of_part(stage, b, found[k].b));
    if (count > SHOWN_PARTS && used < sizeof frame->parts)
        snprintf(frame->parts + used, sizeof frame->parts - used, " and %u more",
                 count - SHOWN_PARTS);
    frame->named = found[0].count;
    snprintf(frame->words, sizeof frame->words, "%s's %s touches %s's %s",
             name_of_body(stage, a, rooms[0]), name_of_part(stage, a, found[0].a),
             name_of_body(stage, b, rooms[1]), name_of_part(stage, b, found[0].b));
}

/* Asks every pair of bodies. name: the first pairs that are found, for a frame. */
static bool ask_all(struct stage *stage, graze_stats *stats, size_t *count, demo_frame *name)
{
    graze_body **bodies = stage->bodies[0];
    const graze_options options = {.stats = stats};
    graze_error error;
    item_list pairs = {0};
    bool good = true;
    for (uint32_t a = 0; a < stage->body_count; a++)
        for (uint32_t b = a + 1; good && b < stage->body_count; b++) {
            graze_pair_list found = name ? list_of_pairs(&pairs) : (graze_pair_list){0};
            pairs.count = 0;
            good = !graze_pairs(bodies[a], bodies[b], &found, &options, &error) ||
                   refuse("demo: %s", error.text);
            *count += found.total;
            if (name && pairs.count && !name->parts[0])
                name_parts(stage, a, b, &pairs, name);
        }
    list_free(&pairs);
    return good;
}

/* Runs one frame both ways over all pairs of bodies, the faster of a few runs each. */
static bool run_frame(struct stage *stage, uint32_t number, demo_frame *frame)
{
    enum { RUNS = 5 };
    *frame = (demo_frame){.lazy_us = INFINITY, .eager_us = INFINITY};
    if (!stage_frame(stage, number))
        return false;
    for (int run = 0; run < RUNS; run++) {
        graze_stats stats = {0}, unwanted = {0};
        size_t lazy = 0, eager = 0;
        double start = now_us();
        stage_pose(stage, 0);
        if (!ask_all(stage, &stats, &lazy, run ? NULL : frame))
            return false;
        double lazy_end = now_us();
        stage_pose(stage, 0);
        for (uint32_t b = 0; b < stage->body_count; b++)
            graze_body_refit_all(stage->bodies[0][b]);
        if (!ask_all(stage, &unwanted, &eager, NULL))
            return false;
        frame->lazy_us = fmin(frame->lazy_us, lazy_end - start);
        frame->eager_us = fmin(frame->eager_us, now_us() - lazy_end);
        frame->stats = stats;
        frame->pairs = lazy;
        if (eager != lazy)
            return refuse("demo: frame %u: lazy finds %zu pairs, bottom-up %zu", number, lazy,
                          eager);
    }
    return true;
}

static void print_frame(uint32_t number, double seconds, const demo_frame *frame, uint32_t nodes)
{
    print_json("{\"frame\":%u,\"time\":%.4f,\"count\":%zu,\"parts\":%s", number, seconds,
               frame->pairs, frame->parts);
    print_json_us("lazy_us", frame->lazy_us);
    print_json_us("bottom_up_us", frame->eager_us);
    printf(",\"nodes_refit\":%llu,\"nodes\":%u}\n", (unsigned long long)frame->stats.nodes_refit,
           nodes);
}

/* ---- all frames --------------------------------------------------------------------------- */

/* Sums over frames. */
typedef struct demo_sum {
    uint32_t frames;
    double lazy_us, eager_us, nodes, vertices;
} demo_sum;

static void add_frame(demo_sum *sum, const demo_frame *frame)
{
    sum->frames++;
    sum->lazy_us += frame->lazy_us;
    sum->eager_us += frame->eager_us;
    sum->nodes += (double)frame->stats.nodes_refit;
    sum->vertices += (double)frame->stats.vertices_posed;
}

static graze_model_info count_all(const struct stage *stage)
{
    graze_model_info all = {0};
    for (uint32_t b = 0; b < stage->body_count; b++) {
        graze_model_info info = graze_model_get_info(graze_body_model(stage->bodies[0][b]));
        all.node_count += info.node_count;
        all.triangle_count += info.triangle_count;
        all.vertex_count += info.vertex_count;
    }
    return all;
}

static void tell_contacts(const struct stage *stage, const demo_frame *frames, uint32_t hit_frames)
{
    uint32_t shown = 0;
    for (uint32_t f = 0; f < stage->scene->frame_count && shown < SHOWN_FRAMES; f++)
        if (frames[f].pairs) {
            say("%8.3f s  %s%s: %zu pair%s of triangles\n", f * stage->scene->frame_seconds,
                frames[f].words, frames[f].named < frames[f].pairs ? ", and others" : "",
                frames[f].pairs, frames[f].pairs == 1 ? "" : "s");
            shown++;
        }
    if (hit_frames > shown)
        printf("            and so on in %u more frames; --json has all of them\n",
               hit_frames - shown);
}

static void tell_times(const demo_sum *all, const demo_sum *hit)
{
    printf("Took %.1f us a frame; skinning every vertex and refitting every bound takes %.1f us "
           "(%.1f times).\n",
           all->lazy_us / all->frames, all->eager_us / all->frames, all->eager_us / all->lazy_us);
    if (hit->frames)
        printf("In frames with contact %.1f us; the other way %.1f us (%.1f times).\n",
               hit->lazy_us / hit->frames, hit->eager_us / hit->frames,
               hit->eager_us / hit->lazy_us);
}

static void tell(const struct stage *stage, const char *name, const demo_frame *frames)
{
    demo_sum all = {0}, hit = {0};
    graze_model_info info = count_all(stage);
    for (uint32_t f = 0; f < stage->scene->frame_count; f++) {
        add_frame(&all, &frames[f]);
        if (frames[f].pairs)
            add_frame(&hit, &frames[f]);
    }
    say("%s: %s.\n%u bodies, %u triangles, %u frames; in %u of them bodies touch:\n\n", name,
        stage_description(stage), stage->body_count, info.triangle_count, all.frames, hit.frames);
    tell_contacts(stage, frames, hit.frames);
    printf(
        "%sComputed in a frame: %.1f of %u bounds, %.0f of %u vertices. Every answer is exact.\n",
        hit.frames ? "\n" : "", all.nodes / all.frames, info.node_count, all.vertices / all.frames,
        info.vertex_count);
    if (print_has_times())
        tell_times(&all, &hit);
    puts("Both ways found the same pairs of triangles in every frame.");
}

/* Measures all frames; those of JSON are printed at once. */
static bool run_frames(struct stage *stage, const char *name, bool json, demo_frame *frames)
{
    uint32_t nodes = count_all(stage).node_count, count = stage->scene->frame_count;
    struct progress progress = progress_start(name);
    bool well = true;
    for (uint32_t f = 0; well && f < count; f++) {
        well = run_frame(stage, f, &frames[f]);
        if (well && json) {
            output_begin();
            print_frame(f, f * stage->scene->frame_seconds, &frames[f], nodes);
            if (!output_end())
                break;
        }
        progress_show(&progress, f + 1, count);
    }
    progress_end(&progress);
    return well;
}

int demo_play(struct stage *stage, const char *name, bool json)
{
    demo_frame *frames = room(stage->scene->frame_count, sizeof *frames);
    bool well = run_frames(stage, name, json, frames);
    if (well && !json)
        tell(stage, name, frames);
    free(frames);
    return well ? 0 : 2;
}
