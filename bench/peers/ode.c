/* The Open Dynamics Engine: OPCODE's trees of boxes, refitted in place (building anew takes
 * twenty times as long), and dCollide. Debian builds it in double precision, but OPCODE keeps
 * floats and takes ours where they are. dCollide gives contacts, several a pair of triangles, and
 * merges those close together; callbacks tell of most pairs that are lost so, and one in a hundred
 * stays lost. It stops at the first contact only after it has found every pair.
 */
#include "bench/peers/peers.h"

#include <ode/ode.h>

#include <stdlib.h>

enum { CONTACTS = 0xffff }; /* as many as its flags can ask for */

struct model {
    dTriMeshDataID data;
    dGeomID geom;
};

struct search {
    dGeomID a;
    bench_pair *pairs;
    size_t capacity, count;
    bench_pair last;
    bench_pair merged; /* filled in by two callbacks */
    int merged_sides;
};

static uint32_t users;
static struct search search; /* callbacks have no user pointer */
static dContactGeom *contacts;

static const char *version(void)
{
    return "ODE " dODE_VERSION;
}

static void add_pair(bench_pair pair)
{
    if (search.count && pair.a == search.last.a && pair.b == search.last.b)
        return;
    search.last = pair;
    if (search.count < search.capacity)
        search.pairs[search.count] = pair;
    search.count++;
}

/* Is told of one side of a contact that goes, then of the other. */
static int merge(dGeomID geom, int kept, int merged)
{
    *(geom == search.a ? &search.merged.a : &search.merged.b) = (uint32_t)merged;
    if (++search.merged_sides % 2 == 0)
        add_pair(search.merged);
    return kept;
}

/* It warns of every contact beyond a thousand or so. */
static void ignore(int number, const char *text, va_list arguments)
{
    (void)number;
    (void)text;
    (void)arguments;
}

static void destroy(void *user)
{
    struct model *model = user;
    if (!model)
        return;
    dGeomDestroy(model->geom);
    dGeomTriMeshDataDestroy(model->data);
    free(model);
    if (--users)
        return;
    dCloseODE();
    free(contacts);
    contacts = NULL;
}

static void *create(const bench_mesh *mesh)
{
    struct model *model = calloc(1, sizeof *model);
    if (!contacts)
        contacts = malloc(CONTACTS * sizeof *contacts);
    if (!model || !contacts) {
        free(model);
        return NULL;
    }
    if (users++ == 0) {
        dInitODE2(0);
        dSetMessageHandler(ignore);
    }
    model->data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(model->data, mesh->positions, 3 * sizeof(float),
                                (int)mesh->vertex_count, mesh->triangles,
                                3 * (int)mesh->triangle_count, 3 * sizeof(uint32_t));
    model->geom = dCreateTriMesh(NULL, model->data, NULL, NULL, NULL);
    dGeomTriMeshSetTriMergeCallback(model->geom, merge);
    return model;
}

static void refit(void *user)
{
    struct model *model = user;
    dGeomTriMeshDataUpdate(model->data);
}

static size_t collide(void *user_a, void *user_b, bool first, bench_pair *pairs, size_t capacity)
{
    struct model *a = user_a, *b = user_b;
    search = (struct search){.a = a->geom, .pairs = pairs, .capacity = capacity};
    int flags = first ? (int)(CONTACTS_UNIMPORTANT | 1) : CONTACTS;
    int found = dCollide(a->geom, b->geom, flags, contacts, sizeof *contacts);
    for (int i = 0; i < found; i++) {
        uint32_t side1 = (uint32_t)contacts[i].side1, side2 = (uint32_t)contacts[i].side2;
        bool turned = contacts[i].g1 != a->geom;
        add_pair(turned ? (bench_pair){side2, side1} : (bench_pair){side1, side2});
    }
    return search.count;
}

const bench_collider graze_bench_ode = {"ODE trimesh", version, create, destroy, refit, collide};
