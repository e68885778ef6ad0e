#include "support/sim_things.h"
#include "support/rigid.h"

#include "harness.h"
#include "support/own.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void must(bool ok)
{
    if (!ok)
        abort();
}

/* A third of each triangle's mass at each corner: about the centre. */
static void weigh(const graze_rig *rig, graze_sim_kind_def *def)
{
    OWNED double *masses = calloc(rig->vertex_count, sizeof *masses);
    must(masses);
    for (uint32_t t = 0; t < rig->triangle_count; t++) {
        double e[3], f[3], cross[3];
        const uint32_t *corner = rig->triangles + 3 * (size_t)t;
        for (int k = 0; k < 3; k++) {
            e[k] = (double)rig->positions[3 * corner[1] + k] - rig->positions[3 * corner[0] + k];
            f[k] = (double)rig->positions[3 * corner[2] + k] - rig->positions[3 * corner[0] + k];
        }
        for (int k = 0; k < 3; k++)
            cross[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
        double area = sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]) / 2;
        for (int k = 0; k < 3; k++)
            masses[corner[k]] += 4 * area / 3;
        def->mass += 4 * area;
    }
    for (uint32_t v = 0; v < rig->vertex_count; v++)
        for (int k = 0; k < 3; k++)
            def->centre[k] += masses[v] * rig->positions[3 * v + k] / def->mass;
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        double r[3], square = 0;
        for (int k = 0; k < 3; k++) {
            r[k] = rig->positions[3 * v + k] - def->centre[k];
            square += r[k] * r[k];
        }
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                def->inertia[i][k] += masses[v] * ((i == k ? square : 0) - r[i] * r[k]);
    }
}

static void flex(sim_thing *thing)
{
    const graze_rig *rig = thing->rig;
    size_t size = 3 * (size_t)rig->vertex_count;
    uint32_t modes = rig->morph_count < 10 ? rig->morph_count : 10;
    thing->deltas = calloc(size * modes + 1, sizeof(float));
    must(thing->deltas);
    for (uint32_t j = 0; j < modes; j++) {
        const graze_rig_morph *morph = &rig->morphs[j];
        double largest = 0;
        for (uint32_t i = 0; i < morph->count; i++) {
            double square = 0;
            for (int k = 0; k < 3; k++) {
                thing->deltas[j * size + 3 * morph->vertices[i] + k] += morph->deltas[3 * i + k];
                square += (double)morph->deltas[3 * i + k] * morph->deltas[3 * i + k];
            }
            largest = square > largest ? square : largest;
        }
        thing->modes[j] = (graze_sim_mode){.frequency = 8 + 5.0 * j,
                                           .damping = 0.02,
                                           .scale = sqrt(0.3 * largest),
                                           .strain = 0.01};
    }
    thing->def.mode_count = modes;
    thing->def.modes = thing->modes;
    thing->def.deltas = thing->deltas;
    thing->def.max_strain = 0.03;
}

/* Making one takes most of a second: each is kept until the program ends. */
static graze_rig *find_rig(graze_synth_kind kind, uint32_t triangles)
{
    enum { MOST = 8 };
    static struct {
        graze_synth_def def;
        graze_rig *rig;
    } made[MOST];
    static int count;
    graze_error error;
    for (int i = 0; i < count; i++)
        if (made[i].def.kind == kind && made[i].def.triangles == triangles)
            return made[i].rig;
    must(count < MOST);
    made[count].def = (graze_synth_def){.kind = kind, .triangles = triangles};
    must(graze_synth(&made[count].def, NULL, &made[count].rig, &error) == GRAZE_OK);
    return made[count++].rig;
}

void sim_thing_make(graze_synth_kind kind, uint32_t triangles, bool rigid,
                    const graze_tree_def *tree, sim_thing *thing)
{
    graze_error error;
    graze_morph_target morphs[16];
    memset(thing, 0, sizeof *thing);
    thing->rig = find_rig(kind, triangles);
    thing->def = (graze_sim_kind_def){0};
    thing->def.positions = thing->rig->positions;
    thing->def.vertex_count = thing->rig->vertex_count;
    weigh(thing->rig, &thing->def);
    if (!rigid)
        flex(thing);
    graze_model_def def = test_rigid_def(thing->rig->positions, thing->rig->vertex_count,
                                         thing->rig->triangles, thing->rig->triangle_count);
    def.no_self_collision = true;
    for (uint32_t j = 0; j < thing->def.mode_count; j++)
        morphs[j] = (graze_morph_target){NULL, thing->deltas + 3 * (size_t)j * def.vertex_count,
                                         def.vertex_count};
    def.morphs = thing->def.mode_count ? morphs : NULL;
    def.morph_count = thing->def.mode_count;
    if (tree)
        def.tree = *tree;
    must(graze_model_create(&def, &thing->model, &error) == GRAZE_OK);
    thing->def.model = thing->model;
}

void sim_thing_free(sim_thing *thing)
{
    graze_model_destroy(thing->model);
    free(thing->deltas);
}

graze_sim *sim_thing_start(const graze_sim_def *def, const sim_thing *thing, bool ground)
{
    graze_error error;
    graze_sim *sim = NULL;
    uint32_t number;
    graze_sim_plane plane = {.half_space = {.normal = {0, 1, 0}}, .friction = 0.5};
    must(graze_sim_create(def, &sim, &error) == GRAZE_OK);
    must(graze_sim_add_kind(sim, &thing->def, &number, &error) == GRAZE_OK);
    if (ground)
        must(graze_sim_add_plane(sim, &plane, &number, &error) == GRAZE_OK);
    return sim;
}

uint32_t sim_thing_put(graze_sim *sim, double x, double y, double z, uint32_t seed)
{
    graze_error error;
    uint32_t number;
    graze_sim_body body = {0};
    uint64_t state = seed * 2654435769u;
    body.position[0] = x;
    body.position[1] = y;
    body.position[2] = z;
    for (int k = 0; k < 4 && seed; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        body.rotation[k] = (double)(state >> 40) / (1 << 23) - 1;
    }
    must(graze_sim_add_body(sim, &body, &number, &error) == GRAZE_OK);
    return number;
}

void sim_run(graze_sim *sim, graze_pool *pool, uint32_t steps)
{
    graze_error error = {.status = GRAZE_OK};
    graze_status status = graze_sim_step(sim, pool, steps, &error);
    CHECK_MSG(status == GRAZE_OK, "%s", error.text);
}

static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return hash;
}

uint64_t sim_hash(const graze_sim *sim)
{
    uint64_t hash = 14695981039346656037u;
    for (uint32_t i = 0; i < graze_sim_body_count(sim); i++) {
        graze_sim_body body;
        graze_sim_kind_info kind;
        must(graze_sim_get_body(sim, i, &body, NULL) == GRAZE_OK);
        must(graze_sim_get_kind(sim, body.kind, &kind, NULL) == GRAZE_OK);
        hash = add_bytes(hash, body.position, sizeof body.position);
        hash = add_bytes(hash, body.rotation, sizeof body.rotation);
        hash = add_bytes(hash, body.velocity, sizeof body.velocity);
        hash = add_bytes(hash, body.angular_velocity, sizeof body.angular_velocity);
        hash = add_bytes(hash, &body.asleep, sizeof body.asleep);
        if (body.weights) {
            hash = add_bytes(hash, body.weights, kind.mode_count * sizeof(double));
            hash = add_bytes(hash, body.weight_velocities, kind.mode_count * sizeof(double));
        }
    }
    return hash;
}

graze_body *sim_copy_body(const graze_sim *sim, uint32_t number)
{
    graze_body *body = NULL;
    graze_sim_body state;
    graze_sim_kind_info kind;
    float placement[12], weights[GRAZE_SIM_MAX_MODES];
    must(graze_sim_get_body(sim, number, &state, NULL) == GRAZE_OK);
    must(graze_sim_get_kind(sim, state.kind, &kind, NULL) == GRAZE_OK);
    must(graze_sim_get_placement(sim, number, placement, weights, NULL) == GRAZE_OK);
    graze_pose pose = {0};
    pose.placement = placement;
    pose.morph_weights = kind.mode_count ? weights : NULL;
    pose.morph_count = kind.mode_count;
    must(graze_body_create(kind.model, &body, NULL) == GRAZE_OK);
    must(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
    return body;
}

double sim_lowest(const graze_sim *sim, uint32_t number)
{
    OWN(graze_body) *body = sim_copy_body(sim, number);
    uint32_t count = graze_model_get_info(graze_body_model(body)).vertex_count;
    OWNED float *positions = malloc(3 * sizeof(float) * count);
    double lowest = INFINITY;
    must(positions);
    graze_body_get_positions(body, positions);
    for (uint32_t v = 0; v < count; v++)
        lowest = positions[3 * v + 1] < lowest ? positions[3 * v + 1] : lowest;
    return lowest;
}
