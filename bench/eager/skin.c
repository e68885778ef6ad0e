/* Who is skinned with whom: vertices sorted by their joints, in groups that fill the lanes. */
#include "bench/eager/types.h"

#include <stdlib.h>
#include <string.h>

/* Fewer vertices than this with the same joints are skinned one by one. */
enum { MIN_GROUP = 4 };

/* The skin as graze_model_create brings it into form: joints ascending and merged, weights scaled
 * to sum 1.
 */
typedef struct skin {
    uint32_t *offsets;
    graze_influence *influences;
    uint32_t *places; /* of vertices in the order of the tree */
    uint32_t *order;  /* vertices, those of the same joints together */
} skin;

static uint32_t merge(const graze_influence *from, uint32_t count, graze_influence *to)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = used;
        if (from[i].weight == 0)
            continue;
        while (at > 0 && to[at - 1].joint > from[i].joint)
            at--;
        if (at > 0 && to[at - 1].joint == from[i].joint) {
            to[at - 1].weight += from[i].weight;
            continue;
        }
        memmove(to + at + 1, to + at, (used - at) * sizeof *to);
        to[at] = from[i];
        used++;
    }
    return used;
}

static uint32_t normalise(graze_influence *influences, uint32_t count)
{
    double sum = 0;
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += influences[i].weight;
    for (uint32_t i = 0; i < count; i++) {
        float weight = (float)(influences[i].weight / sum);
        if (weight >= 0x1p-40f)
            influences[used++] = (graze_influence){influences[i].joint, weight};
    }
    if (used == 1)
        influences[0].weight = 1;
    return used;
}

static void fill_influences(skin *made, const graze_model_def *def)
{
    uint32_t next = 0;
    for (uint32_t v = 0; v < def->vertex_count; v++) {
        graze_influence *to = made->influences + next;
        made->offsets[v] = next;
        if (def->influences) {
            uint32_t first = def->influence_offsets[v];
            uint32_t count =
                merge(def->influences + first, def->influence_offsets[v + 1] - first, to);
            next += normalise(to, count);
        } else {
            *to = (graze_influence){0, 1};
            next++;
        }
    }
    made->offsets[def->vertex_count] = next;
}

static int compare_joints(const skin *made, uint32_t a, uint32_t b)
{
    uint32_t count = made->offsets[a + 1] - made->offsets[a];
    uint32_t other = made->offsets[b + 1] - made->offsets[b];
    if (count != other)
        return count < other ? -1 : 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x = made->influences[made->offsets[a] + i].joint;
        uint32_t y = made->influences[made->offsets[b] + i].joint;
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

static int compare_vertices(const skin *made, uint32_t a, uint32_t b)
{
    int joints = compare_joints(made, a, b);
    if (joints)
        return joints;
    return made->places[a] < made->places[b] ? -1 : made->places[a] > made->places[b];
}

/* Merge sort: qsort has no place for the skin. */
static void sort_vertices(const skin *made, uint32_t *order, uint32_t *spare, uint32_t count)
{
    if (count < 2)
        return;
    uint32_t half = count / 2, i = 0, k = half, n = 0;
    sort_vertices(made, order, spare, half);
    sort_vertices(made, order + half, spare, count - half);
    while (i < half && k < count)
        spare[n++] = compare_vertices(made, order[k], order[i]) < 0 ? order[k++] : order[i++];
    while (i < half)
        spare[n++] = order[i++];
    memcpy(order, spare, n * sizeof *order);
}

/* Vertices that no triangle uses come last. */
static void find_places(skin *made, const eager_model *model, const graze_model_def *def)
{
    uint32_t next = 0;
    memset(made->places, 0xff, def->vertex_count * sizeof *made->places);
    for (uint32_t t = 0; t < def->triangle_count; t++)
        for (int c = 0; c < 3; c++) {
            uint32_t v = def->triangles[3 * (size_t)model->triangles[t] + c];
            if (made->places[v] == UINT32_MAX)
                made->places[v] = next++;
        }
    for (uint32_t v = 0; v < def->vertex_count; v++)
        made->order[v] = v;
}

static void fill_group(float *to, const skin *made, const graze_model_def *def,
                       const uint32_t *vertices, uint32_t count, uint32_t joints)
{
    for (uint32_t i = 0; i < EAGER_GROUP; i++) {
        uint32_t v = vertices[i < count ? i : count - 1];
        for (uint32_t k = 0; k < 3; k++)
            to[EAGER_GROUP * k + i] = def->positions[3 * (size_t)v + k];
        for (uint32_t k = 0; k < joints && joints > 1; k++)
            to[EAGER_GROUP * (3 + k) + i] = made->influences[made->offsets[v] + k].weight;
    }
}

static void add_run(eager_model *model, const skin *made, const graze_model_def *def,
                    const uint32_t *vertices, uint32_t count, size_t *next_float,
                    uint32_t *next_joint)
{
    uint32_t first = made->offsets[vertices[0]], joints = made->offsets[vertices[0] + 1] - first;
    uint32_t groups = (count + EAGER_GROUP - 1) / EAGER_GROUP;
    model->runs[model->run_count++] =
        (eager_run){model->slot_count, groups, joints, *next_joint, *next_float};
    for (uint32_t k = 0; k < joints; k++)
        model->run_joints[(*next_joint)++] = made->influences[first + k].joint;
    for (uint32_t i = 0; i < count; i++)
        model->slots[vertices[i]] = model->slot_count + i;
    for (uint32_t g = 0; g < groups; g++) {
        uint32_t done = g * EAGER_GROUP;
        fill_group(model->stream + *next_float, made, def, vertices + done, count - done, joints);
        *next_float += EAGER_GROUP * (size_t)(joints > 1 ? 3 + joints : 3);
    }
    model->slot_count += groups * EAGER_GROUP;
}

/* How many of a run of vertices with the same joints go into groups: all but a small rest. */
static uint32_t count_grouped(uint32_t count)
{
    uint32_t rest = count % EAGER_GROUP;
    return rest < MIN_GROUP ? count - rest : count;
}

/* The end of the run that starts at `first`. */
static uint32_t find_end(const skin *made, uint32_t first, uint32_t vertex_count)
{
    uint32_t end = first + 1;
    while (end < vertex_count && !compare_joints(made, made->order[first], made->order[end]))
        end++;
    return end;
}

/* Takes the memory that fill_runs and fill_singles will fill. */
static void take_runs(eager_model *model, const skin *made, uint32_t vertex_count)
{
    size_t floats = 0, runs = 0, run_joints = 0, singles = 0, influences = 0;
    for (uint32_t first = 0, end; first < vertex_count; first = end) {
        end = find_end(made, first, vertex_count);
        uint32_t v = made->order[first], joints = made->offsets[v + 1] - made->offsets[v];
        uint32_t grouped = count_grouped(end - first);
        size_t groups = (grouped + EAGER_GROUP - 1) / EAGER_GROUP;
        floats += groups * EAGER_GROUP * (joints > 1 ? 3 + joints : 3);
        runs += grouped != 0;
        run_joints += grouped ? joints : 0;
        singles += end - first - grouped;
        influences += (size_t)(end - first - grouped) * joints;
    }
    model->stream = eager_take(floats, sizeof(float), &model->bytes);
    model->runs = eager_take(runs, sizeof *model->runs, &model->bytes);
    model->run_joints = eager_take(run_joints, sizeof(uint32_t), &model->bytes);
    model->singles = eager_take(singles, sizeof *model->singles, &model->bytes);
    model->single_influences = eager_take(influences, sizeof(graze_influence), &model->bytes);
}

/* Runs in the order of joints. */
static void fill_runs(eager_model *model, const skin *made, const graze_model_def *def)
{
    uint32_t next_joint = 0;
    size_t next_float = 0;
    for (uint32_t first = 0, end; first < def->vertex_count; first = end) {
        end = find_end(made, first, def->vertex_count);
        uint32_t grouped = count_grouped(end - first);
        if (grouped)
            add_run(model, made, def, made->order + first, grouped, &next_float, &next_joint);
    }
}

/* What the runs have left over. */
static void fill_singles(eager_model *model, const skin *made, const graze_model_def *def)
{
    uint32_t next = 0;
    for (uint32_t first = 0, end; first < def->vertex_count; first = end) {
        end = find_end(made, first, def->vertex_count);
        for (uint32_t i = first + count_grouped(end - first); i < end; i++) {
            uint32_t v = made->order[i], from = made->offsets[v],
                     count = made->offsets[v + 1] - from;
            const float *at = def->positions + 3 * (size_t)v;
            model->slots[v] = model->slot_count++;
            model->singles[model->single_count++] = (eager_single){{at[0], at[1], at[2]}, count};
            memcpy(model->single_influences + next, made->influences + from,
                   count * sizeof(graze_influence));
            next += count;
        }
    }
}

void eager_build_skin(eager_model *model, const graze_model_def *def)
{
    size_t all = def->influences ? def->influence_offsets[def->vertex_count] : def->vertex_count;
    size_t bytes = 0, vertices = def->vertex_count;
    skin made = {.offsets = eager_take(vertices + 1, sizeof(uint32_t), &bytes),
                 .influences = eager_take(all, sizeof(graze_influence), &bytes),
                 .places = eager_take(vertices, sizeof(uint32_t), &bytes),
                 .order = eager_take(vertices, sizeof(uint32_t), &bytes)};
    uint32_t *spare = eager_take(vertices, sizeof(uint32_t), &bytes);
    model->slots = eager_take(vertices, sizeof(uint32_t), &model->bytes);
    fill_influences(&made, def);
    find_places(&made, model, def);
    sort_vertices(&made, made.order, spare, def->vertex_count);
    take_runs(model, &made, def->vertex_count);
    fill_runs(model, &made, def);
    fill_singles(model, &made, def);
    free(spare);
    free(made.order);
    free(made.places);
    free(made.influences);
    free(made.offsets);
}
