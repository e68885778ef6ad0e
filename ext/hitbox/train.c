/* Training poses. A mesh knows no skeleton, but joints that share vertices hang together: of all
 * such pairs those that share most make a tree, and where two share most is about where one turns
 * against the other. What is far down the tree moves with all above it, as in true poses.
 */
#include "hitbox/train.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Looking at so many vertices tells enough of a skeleton. */
enum { MOST_VERTICES = 4096 };

/* A joint that shares vertices with others. */
typedef struct link {
    double shared;   /* the sum of both weights' products */
    double pivot[3]; /* and of their products with positions; in the end where it turns */
    uint32_t parent; /* UINT32_MAX: none */
} link;

typedef struct skeleton {
    const grazei_mesh *mesh;
    uint32_t step;   /* from one vertex that is looked at to the next */
    uint32_t *first; /* joint_count + 2: of each joint's vertices in lists */
    uint32_t *lists;
    link *links;     /* the best link of each joint to the tree */
    link *trial;     /* to the joint that is looked at */
    uint32_t *order; /* parents before children */
    uint32_t *edge;  /* joints with a link to the tree that are not in it yet */
    bool *reached;   /* joints that are in the tree */
    double (*maps)[12];
} skeleton;

static void release_skeleton(skeleton *s, const graze_allocator *a)
{
    grazei_release(a, s->first);
    grazei_release(a, s->lists);
    grazei_release(a, s->links);
    grazei_release(a, s->trial);
    grazei_release(a, s->order);
    grazei_release(a, s->edge);
    grazei_release(a, s->reached);
    grazei_release(a, s->maps);
}

static bool allocate_skeleton(skeleton *s, const graze_allocator *a)
{
    uint32_t joints = s->mesh->joint_count;
    size_t seen = 0;
    for (uint32_t v = 0; v < s->mesh->vertex_count; v += s->step)
        seen += s->mesh->influence_offsets[v + 1] - s->mesh->influence_offsets[v];
    s->first = GRAZEI_ALLOCATE_ZERO(a, (size_t)joints + 2, uint32_t);
    s->lists = GRAZEI_ALLOCATE(a, seen, uint32_t);
    s->links = GRAZEI_ALLOCATE_ZERO(a, joints, link);
    s->trial = GRAZEI_ALLOCATE_ZERO(a, joints, link);
    s->order = GRAZEI_ALLOCATE(a, joints, uint32_t);
    s->edge = GRAZEI_ALLOCATE(a, joints, uint32_t);
    s->reached = GRAZEI_ALLOCATE_ZERO(a, joints, bool);
    s->maps = grazei_allocate(a, joints, sizeof *s->maps);
    return s->first && s->lists && s->links && s->trial && s->order && s->edge && s->reached &&
           s->maps;
}

/* The vertices of every joint. */
static void list_vertices(skeleton *s)
{
    const grazei_mesh *mesh = s->mesh;
    /* Counted two places on, so that filling moves each start to where it belongs. */
    for (uint32_t v = 0; v < mesh->vertex_count; v += s->step)
        for (uint32_t i = mesh->influence_offsets[v]; i < mesh->influence_offsets[v + 1]; i++)
            s->first[mesh->influences[i].joint + 2]++;
    for (uint32_t j = 0; j < mesh->joint_count; j++)
        s->first[j + 2] += s->first[j + 1];
    for (uint32_t v = 0; v < mesh->vertex_count; v += s->step)
        for (uint32_t i = mesh->influence_offsets[v]; i < mesh->influence_offsets[v + 1]; i++)
            s->lists[s->first[mesh->influences[i].joint + 1]++] = v;
}

/* Adds what a joint shares with the others at a vertex, of weight `own` in it. */
static void share_vertex(skeleton *s, uint32_t joint, uint32_t vertex, double own)
{
    const grazei_mesh *mesh = s->mesh;
    const float *x = grazei_mesh_rest(mesh) + 3 * (size_t)vertex;
    for (uint32_t i = mesh->influence_offsets[vertex]; i < mesh->influence_offsets[vertex + 1];
         i++) {
        const graze_influence *other = &mesh->influences[i];
        link *trial = &s->trial[other->joint];
        double shared = own * (double)other->weight;
        if (other->joint == joint)
            continue;
        trial->shared += shared;
        for (int k = 0; k < 3; k++)
            trial->pivot[k] += shared * (double)x[k];
    }
}

/* Offers the joints that share a vertex with one that is new in the tree their link to it. */
static uint32_t offer_links(skeleton *s, uint32_t joint, uint32_t edge_count)
{
    const grazei_mesh *mesh = s->mesh;
    for (uint32_t n = s->first[joint]; n < s->first[joint + 1]; n++) {
        uint32_t v = s->lists[n], i = mesh->influence_offsets[v];
        while (mesh->influences[i].joint != joint)
            i++;
        share_vertex(s, joint, v, (double)mesh->influences[i].weight);
    }
    for (uint32_t n = s->first[joint]; n < s->first[joint + 1]; n++) {
        uint32_t v = s->lists[n];
        for (uint32_t i = mesh->influence_offsets[v]; i < mesh->influence_offsets[v + 1]; i++) {
            uint32_t other = mesh->influences[i].joint;
            link *trial = &s->trial[other], *best = &s->links[other];
            if (trial->shared > best->shared && !s->reached[other]) {
                if (best->shared == 0)
                    s->edge[edge_count++] = other;
                *best = *trial;
                best->parent = joint;
            }
            *trial = (link){0};
        }
    }
    return edge_count;
}

/* The tree of most sharing, from the joint of each group with the lowest number (Prim 1957). */
static void grow_tree(skeleton *s)
{
    uint32_t joints = s->mesh->joint_count, count = 0, edge_count = 0;
    for (uint32_t root = 0; root < joints; root++) {
        if (s->reached[root])
            continue;
        s->links[root].parent = UINT32_MAX;
        s->edge[edge_count++] = root;
        while (edge_count) {
            uint32_t best = 0;
            for (uint32_t e = 1; e < edge_count; e++)
                if (s->links[s->edge[e]].shared > s->links[s->edge[best]].shared)
                    best = e;
            uint32_t joint = s->edge[best];
            s->edge[best] = s->edge[--edge_count];
            s->reached[joint] = true;
            s->order[count++] = joint;
            edge_count = offer_links(s, joint, edge_count);
        }
    }
    for (uint32_t j = 0; j < joints; j++)
        for (int k = 0; k < 3 && s->links[j].shared > 0; k++)
            s->links[j].pivot[k] /= s->links[j].shared;
}

static double next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 33) * 0x1p-30 - 1; /* [-1, 1) */
}

/* A rotation about an axis at random; the tangent of half its angle is most at most. */
static void random_turn(uint64_t *state, double most, double turn[3][3])
{
    double v[3], length2;
    do {
        for (int k = 0; k < 3; k++)
            v[k] = next_random(state);
        length2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    } while (!(length2 > 1e-4 && length2 <= 1));
    double scale = most * next_random(state) / sqrt(length2);
    for (int k = 0; k < 3; k++)
        v[k] *= scale;
    double tangent2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], share = 2 / (1 + tangent2);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            turn[i][k] = share * v[i] * v[k] + (i == k ? 1 - share * tangent2 : 0);
    for (int i = 0; i < 3; i++) {
        turn[i][(i + 2) % 3] += share * v[(i + 1) % 3];
        turn[i][(i + 1) % 3] -= share * v[(i + 2) % 3];
    }
}

/* Every joint as its parent, turned about its pivot. */
static void make_pose(skeleton *s, uint64_t *state, double most, float *rows)
{
    const float *rest = s->mesh->rest_matrices;
    for (uint32_t n = 0; n < s->mesh->joint_count; n++) {
        uint32_t j = s->order[n];
        const link *l = &s->links[j];
        double *map = s->maps[j], turn[3][3];
        random_turn(state, most, turn);
        if (l->parent == UINT32_MAX) {
            for (int i = 0; i < 12; i++)
                map[i] = i % 5 == 0;
        } else {
            const double *above = s->maps[l->parent];
            for (int i = 0; i < 3; i++) {
                double moved = above[4 * i + 3];
                for (int k = 0; k < 3; k++) {
                    map[4 * i + k] = above[4 * i] * turn[0][k] + above[4 * i + 1] * turn[1][k] +
                                     above[4 * i + 2] * turn[2][k];
                    moved += (above[4 * i + k] - map[4 * i + k]) * l->pivot[k];
                }
                map[4 * i + 3] = moved;
            }
        }
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 4; k++) {
                const float *r = rest ? rest + 12 * (size_t)j : NULL;
                double value = r ? map[4 * i] * (double)r[k] + map[4 * i + 1] * (double)r[4 + k] +
                                       map[4 * i + 2] * (double)r[8 + k] +
                                       (k == 3 ? map[4 * i + 3] : 0)
                                 : map[4 * i + k];
                rows[12 * (size_t)j + (size_t)(4 * i + k)] = (float)value;
            }
    }
}

static bool prepare_poses(const graze_model *model, skeleton *s, grazei_training *training,
                          float *rows, const graze_allocator *allocator)
{
    /* Of up to some 45, 60, 75 and 120 degrees a joint. */
    static const double tangents[GRAZEI_TRAINING_KINDS] = {0.4, 0.58, 0.8, 1.73};
    uint64_t state = 20030715;
    for (uint32_t p = 0; p < GRAZEI_MOST_TRAINING_POSES; p++) {
        grazei_joints *pose = &training->poses[training->count];
        grazei_pose_input input = {.joint_count = model->mesh.joint_count,
                                   .matrices = rows,
                                   .step = 12,
                                   .rows = true,
                                   .at_once = true};
        if (training->allocated == training->count) {
            training->allocated++;
            if (!grazei_joints_allocate(&model->skin, pose, allocator))
                return false;
        }
        make_pose(s, &state, tangents[p % GRAZEI_TRAINING_KINDS], rows);
        training->count += model->skin.deformer->prepare(&model->skin, pose, &input);
    }
    return true;
}

bool grazei_train(const graze_model *model, grazei_training *training,
                  const graze_allocator *allocator)
{
    skeleton s = {.mesh = &model->mesh, .step = model->mesh.vertex_count / MOST_VERTICES + 1};
    float *rows = GRAZEI_ALLOCATE(allocator, 12 * (size_t)model->mesh.joint_count, float);
    bool ok = rows && allocate_skeleton(&s, allocator);
    if (ok) {
        list_vertices(&s);
        grow_tree(&s);
        ok = prepare_poses(model, &s, training, rows, allocator);
    }
    release_skeleton(&s, allocator);
    grazei_release(allocator, rows);
    return ok;
}

void grazei_training_release(grazei_training *training, const graze_allocator *allocator)
{
    for (uint32_t p = 0; p < training->allocated; p++)
        grazei_joints_release(&training->poses[p], allocator);
}
