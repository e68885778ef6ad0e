/* Scenes to ask questions in: worms, random meshes and characters, in poses by lot. */
#include "support/ways.h"

#include "scenes/worm.h"
#include "support/agreement.h"
#include "support/own.h"
#include "support/rigs.h"
#include "support/variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    graze_skinning skinning;
    graze_tree_def tree;
    uint32_t morphs;
    bool given;
} worms[WAYS_KINDS] = {
    {"linear", GRAZE_LINEAR, {.patch_triangles = 8}, 0, false},
    {"spherical", GRAZE_SPHERICAL, {.patch_triangles = 16}, 0, false},
    {"dual", GRAZE_DUAL, {.volume = GRAZE_SPHERES, .patch_triangles = 8}, 0, false},
    {"morphs",
     GRAZE_LINEAR,
     {GRAZE_SPHERES, .refit = GRAZE_REFIT_CORNERS, .patch_triangles = 4},
     2,
     false},
    {"given positions", GRAZE_LINEAR, {.patch_triangles = 8}, 0, true},
};
const char *const ways_relation_names[] = {"deep", "touching", "apart"};

static const float middle[3] = {0, 0, 1.5f}; /* of the worm */

static uint32_t below(ways_scene *s, uint32_t count)
{
    return test_random_u32(&s->random) % count;
}

static double range(ways_scene *s, double low, double high)
{
    return test_random_range(&s->random, low, high);
}

/* ---- models ---------------------------------------------------------------------------------- */

/* Joints turn a little about the middle of the worm; or one half lies on the other. */
static void draw_worm(ways_scene *s, bool folded, float *joints)
{
    for (int j = 0; j < WAYS_JOINTS; j++) {
        float *map = joints + 12 * j;
        map_make(MAP_NEAR, middle, 0.3, &s->random, map);
        for (int k = 4; k < 12 && folded && j < 2; k++)
            map[k] = (k == 11 ? 2 * middle[2] : 0) - map[k];
    }
}

/* Folded at rest, so that some pairs meet there. */
static graze_model_def worm_def(ways_scene *s, int number)
{
    ways_side *side = &s->sides[number];
    const graze_worm_def worm = {number ? 100 : 120, WAYS_JOINTS, 3};
    if (graze_worm(&worm, NULL, &side->worm, NULL))
        abort();
    side->size = 1;
    memcpy(side->centre, middle, sizeof middle);
    uint32_t count = side->worm->vertex_count, morphs = worms[s->kind].morphs;
    side->skin.morphs = morphs ? calloc(morphs, sizeof *side->skin.morphs) : NULL;
    side->skin.morph_count = morphs;
    for (uint32_t m = 0; m < morphs; m++) {
        float *deltas = malloc(3 * sizeof *deltas * count);
        for (uint32_t i = 0; i < 3 * count; i++)
            deltas[i] = (float)range(s, -0.02, i % 3 == m ? 0.2 : 0.02);
        side->skin.morphs[m] = (graze_morph_target){NULL, deltas, count};
    }
    side->rest = malloc(12 * sizeof *side->rest * WAYS_JOINTS);
    draw_worm(s, true, side->rest);
    graze_model_def def = graze_rig_model_def(side->worm);
    def.skinning = worms[s->kind].skinning;
    def.tree = worms[s->kind].tree;
    def.morphs = side->skin.morphs;
    def.morph_count = morphs;
    def.rest_matrices = side->rest;
    return def;
}

/* The third corners of most triangles come to lie next to the edge of the others, or on it. */
static void make_needles(soup *mesh)
{
    for (uint32_t t = 0; t < mesh->def.triangle_count; t++) {
        const uint32_t *v = mesh->triangles + 3 * (size_t)t;
        for (uint32_t k = 0; k < 3 && t % 4; k++) {
            float a = mesh->positions[3 * v[0] + k], b = mesh->positions[3 * v[1] + k];
            mesh->positions[3 * v[2] + k] = (a + b) / 2 + (t % 4 == 3 ? ldexpf(b - a, -22) : 0);
        }
    }
}

/* Of every size and kind, with any tree. */
static graze_model_def random_def(ways_scene *s, int number)
{
    ways_side *side = &s->sides[number];
    bool lattice = s->kind % 3 == 0;
    const soup_def mesh = {.vertex_count = 3 + below(s, s->kind % 4 ? 90 : 260),
                           .triangle_count = 1 + below(s, s->kind % 4 ? 90 : 300),
                           .joint_count = 1 + below(s, s->kind % 2 ? 8 : 40),
                           .max_influences = lattice ? 1 + below(s, 2) : 1 + below(s, 8),
                           .size = lattice ? 8 : 1,
                           .offset = s->kind % 7 == 5 && !lattice ? 1000 : 0,
                           .flat = s->kind % 9 == 8,
                           .lattice = lattice,
                           .scattered = below(s, 4) == 0,
                           .odd_weights = s->kind % 5 == 2};
    side->skin = deform_skin_make(&mesh, below(s, 3) ? 0 : 1 + below(s, 4), &s->random);
    if (s->kind % 10 == 7)
        make_needles(&side->skin.mesh);
    side->size = mesh.size;
    side->lattice = lattice;
    memcpy(side->centre, side->skin.mesh.centre, sizeof side->centre);
    graze_model_def def =
        deform_skin_def(&side->skin, lattice ? GRAZE_LINEAR : (graze_skinning)below(s, 3));
    if (below(s, 2)) { /* parts that are slices, or any triangles */
        bool sliced = below(s, 2);
        def.part_count = 2 + below(s, below(s, 2) ? 4 : 32 * 3 - 2);
        def.triangle_parts = side->parts = malloc(mesh.triangle_count * sizeof *side->parts);
        for (uint32_t t = 0; t < mesh.triangle_count; t++)
            side->parts[t] =
                sliced ? t * def.part_count / mesh.triangle_count : below(s, def.part_count);
    }
    def.tree = agreement_tree(below(s, agreement_tree_count()));
    def.isa = variants_isa(below(s, 3));
    return def;
}

static graze_model_def character_def(ways_scene *s, int number)
{
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    ways_side *side = &s->sides[number];
    side->character =
        rigs[(s->kind - WAYS_CHARACTERS + (s->kind % 2 ? (uint32_t)number : 0)) % count].rig;
    double centre[3];
    side->size = test_extent(side->character->positions, side->character->vertex_count, centre);
    for (int k = 0; k < 3; k++)
        side->centre[k] = (float)centre[k];
    graze_model_def def = graze_rig_model_def(side->character);
    side->targets = malloc((side->character->morph_count + (size_t)1) * sizeof *side->targets);
    graze_rig_morph_targets(side->character, side->targets);
    def.morphs = side->targets;
    def.morph_count = side->character->morph_count;
    def.skinning = side->character->skinned ? (graze_skinning)below(s, 3) : GRAZE_LINEAR;
    def.tree = agreement_tree(below(s, agreement_tree_count()));
    def.isa = variants_isa(below(s, 3));
    return def;
}

static void make_model(ways_scene *s, int number)
{
    ways_side *side = &s->sides[number];
    graze_model_def def = s->kind < WAYS_KINDS        ? worm_def(s, number)
                          : s->kind < WAYS_CHARACTERS ? random_def(s, number)
                                                      : character_def(s, number);
    side->def = def;
    side->vertex_count = def.vertex_count;
    side->triangle_count = def.triangle_count;
    side->joint_count = def.joint_count;
    side->morph_count = def.morph_count;
    graze_error error = {.text = ""};
    if (!test_check(!graze_model_create(&def, &s->models[number], &error), __FILE__, __LINE__,
                    "%s: %s", s->name, error.text))
        abort();
    uint32_t *triangles = malloc(3 * sizeof *triangles * def.triangle_count);
    memcpy(triangles, def.triangles, 3 * sizeof *triangles * def.triangle_count);
    side->triangles = triangles;
    for (int i = 2 * number; i < 2 * number + 2; i++) {
        s->joints[i] = malloc(12 * sizeof(float) * def.joint_count);
        s->weights[i] = calloc(def.morph_count + (size_t)1, sizeof(float));
        s->positions[i] = malloc(3 * sizeof(float) * def.vertex_count);
        if (!s->joints[i] || !s->weights[i] || !s->positions[i])
            abort();
    }
}

static graze_contact_finder *make_finder(const ways_scene *s, graze_model *const models[2])
{
    const graze_contact_finder_def def = {.split_by_part = s->kind % 2};
    graze_contact_finder *finder = NULL;
    if (graze_contact_finder_create(models[0], models[1], &def, &finder, NULL))
        abort();
    return finder;
}

graze_contact_finder *ways_finder(const ways_scene *s)
{
    return make_finder(s, s->models);
}

static void open_bodies(ways_scene *s, ways_bodies *bodies, bool lean)
{
    bodies->finder = make_finder(s, s->models);
    for (int i = 0; i < 4; i++) {
        OWN(graze_cache_pool) *caches = NULL; /* the body holds it */
        if (lean ? graze_cache_pool_create(s->models[i / 2], NULL, &caches, NULL) ||
                       graze_body_create_lean(caches, &bodies->all[i], NULL)
                 : graze_body_create(s->models[i / 2], &bodies->all[i], NULL))
            abort();
    }
}

static bool name_scene(ways_scene *s)
{
    uint32_t count;
    if (s->kind < WAYS_KINDS)
        snprintf(s->name, sizeof s->name, "%s", worms[s->kind].name);
    else if (s->kind < WAYS_CHARACTERS)
        snprintf(s->name, sizeof s->name, "random meshes %u", s->kind - WAYS_RANDOM);
    else if (test_rigs(&count) && s->kind - WAYS_CHARACTERS < count)
        snprintf(s->name, sizeof s->name, "%s", test_rigs(&count)[s->kind - WAYS_CHARACTERS].name);
    return s->name[0];
}

static void open_tools(ways_scene *s)
{
    for (int i = 0; i < WAYS_THREADS; i++) {
        s->threads[i] = s->usual;
        s->threads[i].finder = ways_finder(s);
    }
    if (graze_history_create(s->models[0], s->models[1], &s->history, NULL) ||
        graze_checkpoint_create(NULL, &s->checkpoint, NULL) ||
        graze_batch_create(NULL, &s->batch, NULL) ||
        graze_pool_create(WAYS_THREADS, NULL, &s->pool, NULL))
        abort();
}

ways_scene *ways_open(uint32_t kind)
{
    ways_scene *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->kind = kind;
    if (!name_scene(s)) {
        free(s);
        return NULL;
    }
    s->given = kind < WAYS_KINDS ? worms[kind].given : kind % 11 == 10;
    s->random = test_random_seed(kind);
    make_model(s, 0);
    make_model(s, 1);
    open_bodies(s, &s->usual, false);
    open_bodies(s, &s->lean, true);
    open_bodies(s, &s->twins, false);
    open_tools(s);
    return s;
}

ways_scene *ways_over(graze_body *const bodies[4], graze_body *const twins[4], bool other_trees,
                      const char *name)
{
    ways_scene *s = calloc(1, sizeof *s);
    graze_model *twin_models[2];
    if (!s)
        abort();
    s->kind = WAYS_RANDOM;
    s->borrows = true;
    s->has_other_trees = other_trees;
    snprintf(s->name, sizeof s->name, "%s", name);
    for (int i = 0; i < 4; i++) {
        s->usual.all[i] = s->lean.all[i] = bodies[i];
        s->twins.all[i] = twins[i];
    }
    for (int i = 0; i < 2; i++) {
        s->models[i] = (graze_model *)graze_body_model(bodies[2 * i]);
        twin_models[i] = (graze_model *)graze_body_model(twins[2 * i]);
        graze_model_info info = graze_model_get_info(s->models[i]);
        uint32_t *triangles = malloc(3 * sizeof *triangles * info.triangle_count);
        for (uint32_t t = 0; t < info.triangle_count; t++)
            graze_model_triangle(s->models[i], t, triangles + 3 * (size_t)t);
        s->sides[i] = (ways_side){.vertex_count = info.vertex_count,
                                  .triangle_count = info.triangle_count,
                                  .triangles = triangles};
    }
    s->usual.finder = make_finder(s, s->models);
    s->lean.finder = make_finder(s, s->models);
    s->twins.finder = make_finder(s, twin_models);
    open_tools(s);
    return s;
}

void ways_forget(ways_scene *s)
{
    for (int q = 0; q < ASK_COUNT; q++)
        for (int i = 0; i < 2; i++) {
            answers_free(&s->references[q][i]);
            s->known[q][i] = false;
        }
}

static void side_close(ways_side *side)
{
    for (uint32_t m = 0; side->worm && m < side->skin.morph_count; m++)
        free((void *)side->skin.morphs[m].deltas);
    if (side->worm)
        free(side->skin.morphs);
    else
        deform_skin_free(&side->skin);
    graze_rig_destroy(side->worm);
    free(side->targets);
    free(side->parts);
    free((void *)side->triangles);
    free(side->rest);
}

void ways_close(ways_scene *s)
{
    ways_bodies *const sets[] = {&s->usual, &s->lean, &s->twins};
    ways_forget(s);
    graze_batch_destroy(s->batch);
    graze_checkpoint_destroy(s->checkpoint);
    graze_history_destroy(s->history);
    graze_pool_destroy(s->pool);
    for (int k = 0; k < 3; k++) {
        graze_contact_finder_destroy(s->threads[k].finder);
        graze_contact_finder_destroy(sets[k]->finder);
        for (int i = 0; i < 4 && !s->borrows; i++)
            graze_body_destroy(sets[k]->all[i]);
    }
    for (int i = 0; i < 4; i++) {
        free(s->joints[i]);
        free(s->weights[i]);
        free(s->positions[i]);
    }
    for (int i = 0; i < 2; i++) {
        if (!s->borrows)
            graze_model_destroy(s->models[i]);
        graze_model_destroy(s->cut[i]);
        free(s->names[i]);
        side_close(&s->sides[i]);
    }
    free(s);
}

/* ---- poses ----------------------------------------------------------------------------------- */

/* Body number i of its set. */
static graze_status set_pose(const ways_scene *s, graze_body *body, int i, float by)
{
    const ways_side *side = &s->sides[i / 2];
    float placement[12];
    memcpy(placement, s->placements[i], sizeof placement);
    placement[3] += by;
    const graze_pose pose = {.joints = s->joints[i],
                             .joint_count = side->joint_count,
                             .placement = placement,
                             .morph_weights = side->morph_count ? s->weights[i] : NULL,
                             .morph_count = side->morph_count};
    if (!s->given)
        return graze_body_set_pose(body, &pose, NULL);
    OWNED float *positions = malloc(3 * sizeof *positions * side->vertex_count);
    for (uint32_t k = 0; k < 3 * side->vertex_count; k++)
        positions[k] = s->positions[i][k] + (k % 3 ? 0 : by);
    return graze_body_set_positions(body, positions, 0, side->vertex_count, NULL);
}

void ways_move_usual(ways_scene *s, float by)
{
    for (int i = 0; i < 4; i++)
        CHECK_MSG(!set_pose(s, s->usual.all[i], i, by), "%s: a pose is refused", s->label);
}

/* Bodies start at a distance and end where they have come nearer or passed. */
static void draw_worm_poses(ways_scene *s, uint32_t relation)
{
    static const double apart[WAYS_RELATIONS] = {0.1, 0.35, 3.5};
    double angle = range(s, 0, 6.28);
    for (int i = 0; i < 4; i++) {
        float *at = s->placements[i];
        if (i % 2) { /* the start, with one joint changed */
            memcpy(at, s->placements[i - 1], sizeof s->placements[i]);
            memcpy(s->joints[i], s->joints[i - 1], 12 * sizeof(float) * WAYS_JOINTS);
            map_make(MAP_NEAR, middle, 1, &s->random, s->joints[i] + 24);
            at[3] *= -0.3f;
            at[7] *= -0.3f;
        } else {
            uint32_t how = below(s, 3);
            draw_worm(s, how == 1, s->joints[i]);
            if (how == 2) /* as at rest, but for the last joint */
                memcpy(s->joints[i], s->sides[i / 2].rest, 12 * sizeof(float) * (WAYS_JOINTS - 1));
            map_make(MAP_RIGID, middle, 0.02, &s->random, at);
            at[3] += i ? (float)(apart[relation] * cos(angle)) : 0;
            at[7] += i ? (float)(apart[relation] * sin(angle)) : 0;
        }
        for (uint32_t m = 0; m < s->sides[i / 2].morph_count; m++)
            s->weights[i][m] = (float)range(s, -1, 1);
    }
}

/* Joints and weights of a random mesh by lot, or of a character in one of its clips. */
static void draw_joints(ways_scene *s, int i, bool tame)
{
    const ways_side *side = &s->sides[i / 2];
    uint32_t count = side->joint_count;
    float *joints = s->joints[i];
    if (side->character) {
        const graze_rig *rig = side->character;
        uint32_t clip = rig->clip_count ? below(s, rig->clip_count) : GRAZE_NONE;
        double seconds = rig->clip_count ? (double)rig->clips[clip].seconds : 0;
        graze_pose pose = test_rig_pose(rig, clip, range(s, 0, 1) * seconds);
        memcpy(joints, pose.joints, 12 * sizeof *joints * count);
        memcpy(s->weights[i], pose.morph_weights, sizeof(float) * side->morph_count);
        return;
    }
    if (side->lattice && below(s, 4))
        deform_pose_make(DEFORM_LATTICE, side->centre, side->size, count, &s->random, joints);
    else if (tame || below(s, 3) == 0)
        deform_pose_make(DEFORM_NEAR, side->centre, side->size, count, &s->random, joints);
    else if (below(s, 2))
        deform_pose_make((deform_pose_kind)below(s, DEFORM_POSE_COUNT), side->centre, side->size,
                         count, &s->random, joints);
    else
        pose_make((map_kind)below(s, MAP_KIND_COUNT), &side->skin.mesh, &s->random, joints);
    if (side->lattice && below(s, 2)) /* all joints alike: not a soup */
        for (uint32_t j = 1; j < count; j++)
            memcpy(joints + 12 * (size_t)j, joints, 12 * sizeof *joints);
    deform_weights_make(side->morph_count, &s->random, s->weights[i]);
    for (uint32_t m = 0; m < side->morph_count; m++)
        s->weights[i][m] = fmaxf(-3, fminf(3, s->weights[i][m]));
}

/* The first body stays where it is; the second comes to it, or past it, all at some scale. */
static void draw_random_poses(ways_scene *s, uint32_t relation, bool tame)
{
    static const double apart[WAYS_RELATIONS] = {0.1, 0.9, 4};
    static const int scales[] = {0, 0, 0, 0, -20, 30, -60, -72, -110};
    int scale = s->kind < WAYS_CHARACTERS && !tame ? scales[below(s, 9)] : 0;
    if (test_flushes_denormals() && scale < -30)
        scale = -30;
    for (int i = 0; i < 4; i++) {
        const ways_side *side = &s->sides[i / 2], *first = &s->sides[0];
        float *at = s->placements[i];
        double to_first = first->size / side->size, way = i % 2 ? range(s, -1, 1) : 1;
        if (i % 2 && below(s, 3) == 0) { /* nearly standing still */
            memcpy(s->joints[i], s->joints[i - 1], 12 * sizeof(float) * side->joint_count);
            memcpy(s->weights[i], s->weights[i - 1], sizeof(float) * side->morph_count);
        } else {
            draw_joints(s, i, tame);
        }
        map_make(side->lattice && below(s, 4) ? MAP_LATTICE : MAP_NEAR, side->centre, side->size,
                 &s->random, at);
        for (int k = 0; k < 12; k++)
            at[k] *= side->lattice ? 1 : (float)to_first;
        for (int k = 0; k < 3 && i / 2; k++) {
            double x = (double)(first->centre[k] - side->centre[k]) * (k % 2 ? 1 : 1) +
                       (k ? 0.2 : 1) * way * apart[relation] * first->size;
            at[4 * k + 3] += (float)(side->lattice ? round(x) : x);
        }
        for (int k = 0; k < 12; k++)
            at[k] = ldexpf(at[k], scale);
    }
}

/* Whether all bodies take the poses. */
static bool pose_bodies(ways_scene *s)
{
    graze_status status = GRAZE_OK;
    bool given = s->given;
    s->given = false;
    for (int i = 0; i < 4 && !status; i++)
        status = set_pose(s, s->twins.all[i], i, 0);
    s->given = given;
    for (int i = 0; i < 4 && !status && given; i++) {
        graze_body_get_positions(s->twins.all[i], s->positions[i]);
        for (uint32_t k = 0; k < 3 * s->sides[i / 2].vertex_count && s->kind < WAYS_KINDS; k++)
            s->positions[i][k] += (float)range(s, -0.02, 0.02);
        status = set_pose(s, s->twins.all[i], i, 0);
    }
    for (int i = 0; i < 4 && !status; i++) {
        status = set_pose(s, s->usual.all[i], i, 0);
        CHECK_MSG(!status && !set_pose(s, s->lean.all[i], i, 0), "%s: refused by some", s->name);
    }
    return !status;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void draw_near(ways_scene *s, const float at[3], double by, float out[3])
{
    double step = s->sides[0].lattice ? s->unit / 8 : 0;
    for (int k = 0; k < 3; k++) {
        double x = (double)at[k] + range(s, -by, by) * s->unit;
        out[k] = (float)(step > 0 ? round(x / step) * step : x);
    }
}

/* Planes through points near by, most of which have the middle point on their inner side. */
static graze_shape draw_frustum(ways_scene *s, const float at[3])
{
    graze_half_space planes[GRAZE_MAX_PLANES];
    uint32_t count = 1 + below(s, GRAZE_MAX_PLANES);
    for (uint32_t p = 0; p < count; p++) {
        float through[3], *normal = planes[p].normal;
        draw_near(s, at, 1, through);
        double inside = 0, offset = 0;
        for (int k = 0; k < 3; k++) {
            normal[k] = (float)(s->sides[0].lattice ? (int)below(s, 5) - 2 : range(s, -2, 2));
            normal[k] += k == 2 && !normal[0] && !normal[1] && !normal[2] ? 1 : 0;
            offset += (double)normal[k] * through[k];
            inside += (double)normal[k] * at[k];
        }
        bool turns = inside > offset && below(s, 4);
        planes[p].offset = (float)(turns ? -offset : offset);
        for (int k = 0; k < 3 && turns; k++)
            normal[k] = -normal[k];
    }
    return graze_shape_frustum(planes, count);
}

static void draw_shapes(ways_scene *s, ways_arguments *about)
{
    static const float turn[4] = {0.1f, 0.2f, 0.3f, 1};
    const float *at = about->point, *turned = s->sides[0].lattice ? NULL : turn;
    const float unit = (float)s->unit, half[3] = {0.1f * unit, 0.2f * unit, 0.3f * unit};
    float other[3], there[3], there_too[3], normal[3], reach = (below(s, 3) ? 1 : 4) * unit;
    float size = (float)pow(10, range(s, -1, 0.5)) * unit;
    draw_near(s, at, 0.4, other);
    draw_near(s, at, 0.7, there);
    for (int k = 0; k < 3; k++) {
        there_too[k] = other[k] + there[k] - at[k];
        normal[k] = 0.1f + (other[k] - at[k]) / unit;
    }
    float offset = normal[0] * at[0] + normal[1] * at[1] + normal[2] * at[2];
    const graze_shape shapes[5][2] = {
        {graze_shape_sphere(at, 0.25f * size), graze_shape_sphere(there, 0.2f * size)},
        {graze_shape_capsule(at, other, 0.1f * size),
         graze_shape_capsule(there, there_too, 0.1f * size)},
        {graze_shape_box(at, half, turned), graze_shape_box(there, half, turned)},
        {graze_shape_half_space(normal, offset),
         graze_shape_half_space(normal, offset + 0.2f * unit)},
        {graze_shape_sphere(at, 0), graze_shape_sphere(at, 0)}};
    const graze_half_space planes[3] = {{{1, 0, 0}, at[0] + reach},
                                        {{-1, 1, 0}, at[1] - at[0] + reach},
                                        {{0, -1, -1}, reach - at[1] - at[2]}};
    uint32_t kind = below(s, s->kind < WAYS_KINDS ? 4 : 5), away = below(s, 2);
    about->shape = shapes[kind][away];
    about->moved = shapes[kind][!away];
    about->touched = below(s, 3)   ? about->shape
                     : below(s, 2) ? graze_shape_plane(normal, offset)
                                   : draw_frustum(s, at);
    about->region = kind % 2 ? graze_shape_frustum(planes, 3) : graze_shape_sphere(at, reach);
}

/* Inside of a triangle, a corner or the middle of an edge. */
static void draw_target(ways_scene *s, const float *positions, float point[3])
{
    const ways_side *side = &s->sides[0];
    const uint32_t *v = side->triangles + 3 * (size_t)below(s, side->triangle_count);
    double u = range(s, 0, 1), w = range(s, 0, 1) * (1 - u);
    uint32_t kind = below(s, 4);
    if (kind < 2)
        u = w = kind ? 0.5 : 0;
    for (size_t k = 0; k < 3; k++) {
        double a = positions[3 * (size_t)v[0] + k];
        point[k] = (float)(a + u * ((double)positions[3 * (size_t)v[1] + k] - a) +
                           w * ((double)positions[3 * (size_t)v[2] + k] - a));
    }
}

/* From outside or from another point of the mesh, from an eye that many share, or from far away;
 * some along one axis or two, with 0 and -0, or nearly so.
 */
static graze_ray draw_ray(ways_scene *s, const float *positions, const float eye[3],
                          uint32_t number)
{
    float to[3], from[3];
    uint32_t axis = below(s, 3), kind = below(s, 8);
    draw_target(s, positions, to);
    draw_target(s, positions, from);
    if (kind)
        draw_near(s, number % 4 ? to : from, number % 8 ? 0.5 : 3, from);
    double far = number % 16 == 9 && s->kind >= WAYS_KINDS ? fmin(1e5 * s->unit, 1e17) : 0;
    for (int k = 0; k < 3; k++)
        from[k] = number % 64 >= 32 ? eye[k] : from[k] + (float)range(s, -far, far);
    for (uint32_t k = 0; k < 3 && kind > 5; k++)
        if (kind == 6 ? k != axis : k == axis)
            from[k] = to[k];
    graze_ray ray = graze_ray_between(from, to);
    if (number % 16 == 11) { /* still through the point */
        ray.dir[axis] = ldexpf(ray.dir[(axis + 1) % 3], -20 - (int)below(s, 60));
        ray.origin[axis] = to[axis] - ray.dir[axis];
    }
    for (int k = 0; k < 3; k++)
        if (ray.dir[k] == 0 && below(s, 2))
            ray.dir[k] = -0.0f;
    if (ray.dir[0] == 0 && ray.dir[1] == 0 && ray.dir[2] == 0)
        ray.dir[axis] = -(float)s->unit;
    double greatest = 0, scale = ldexp(1, (int)below(s, 41) - 20);
    for (int k = 0; k < 3; k++)
        greatest = fmax(greatest, fabs((double)ray.dir[k]));
    if (!(greatest * scale >= 1e-17 && greatest * scale <= 1e17)) /* what a ray takes */
        scale = exp2(-logb(greatest));
    for (int k = 0; k < 3; k++)
        ray.dir[k] = (float)(ray.dir[k] * scale);
    ray.t_max = number % 3 ? INFINITY : (float)(1.5 / scale);
    ray.t_min = number % 5 ? 0 : (float)(range(s, -1, 1) / scale);
    return ray;
}

/* Of any number of pairs of sets: none, some, most or one of the parts. Bits behind the last part
 * mean nothing.
 */
static void draw_filter(ways_scene *s)
{
    uint32_t parts = graze_model_get_info(s->models[0]).part_count;
    for (int i = 0; i < WAYS_JOINTS; i++)
        s->rows[i] = 1 + below(s, 31);
    for (int i = 0; i < 2 * WAYS_SETS; i++) {
        uint32_t kind = below(s, 8), one = below(s, parts), *bits = s->sets[i];
        for (int w = 0; w < WAYS_PART_WORDS; w++) {
            uint32_t x = test_random_u32(&s->random), y = test_random_u32(&s->random);
            bits[w] = kind < 2 ? 0 : kind < 4 ? x & y : x | y;
        }
        if (kind)
            bits[one / 32] |= 1u << one % 32;
        s->part_sets[i / 2] = (graze_part_sets){s->sets[i & ~1], s->sets[i | 1]};
    }
    s->filter = (graze_part_filter){.pairs = s->part_sets,
                                    .pair_count = (1 + below(s, 9)) % (WAYS_SETS + 1),
                                    .part_count = parts,
                                    .rows = parts == WAYS_JOINTS && below(s, 2) ? s->rows : NULL};
}

static void draw_arguments(ways_scene *s, ways_arguments *about)
{
    static const double limits[] = {INFINITY, 0.5, 0.02};
    static const uint32_t depths[] = {0, 1, 2, UINT32_MAX};
    const ways_side *side = &s->sides[0];
    OWNED float *positions = malloc(3 * sizeof *positions * side->vertex_count);
    double centre[3];
    float eye[3];
    graze_nearest nearest = {.found = false};
    graze_body_get_positions(s->twins.all[0], positions);
    s->unit = s->kind < WAYS_KINDS ? 1 : test_extent(positions, side->vertex_count, centre);
    s->unit = s->unit > 0 ? fmax(s->unit, 0x1p-120) : 1;
    draw_target(s, positions, about->point);
    draw_near(s, about->point, 3, eye);
    for (uint32_t i = 0; i < WAYS_RAYS; i++)
        about->rays[i] = draw_ray(s, positions, eye, i);
    draw_target(s, positions, about->point);
    if (below(s, 2))
        draw_near(s, about->point, 0.2, about->point);
    draw_shapes(s, about);
    about->limit = limits[below(s, 3)] * s->unit;
    about->within = 0.05 * s->unit * below(s, 3);
    if (s->kind >= WAYS_KINDS && below(s, 2)) { /* the distance itself, or just below it */
        CHECK(!graze_distance(s->twins.all[0], s->twins.all[2], INFINITY, &nearest,
                              &(graze_options){.method = GRAZE_BRUTE}, NULL));
        about->limit = below(s, 2) ? nearest.distance : nextafter(nearest.distance, 0);
        about->within = about->limit;
    }
    about->depth = depths[below(s, 4)];
    about->sweeps_itself = below(s, 4) == 0;
    about->stands = below(s, 4) == 0;
    draw_filter(s);
}

void ways_pose(ways_scene *s, uint32_t seed, uint32_t relation)
{
    bool posed = false;
    s->seed = seed;
    s->relation = relation;
    s->random = test_random_seed(100 * (uint64_t)seed + 10 * (uint64_t)s->kind + relation);
    for (int i = 0; i < 20 && !posed; i++) { /* until they are not beyond what bodies take */
        if (s->kind < WAYS_KINDS)
            draw_worm_poses(s, relation);
        else
            draw_random_poses(s, relation, i > 9);
        posed = pose_bodies(s);
    }
    CHECK_MSG(posed, "%s: a pose is refused", s->name);
    draw_arguments(s, &s->about);
    ways_forget(s);
}

void ways_draw(ways_scene *s, uint32_t seed)
{
    s->seed = seed;
    s->random = test_random_seed(seed);
    draw_arguments(s, &s->about);
    ways_forget(s);
}

void ways_mask(ways_scene *s, const uint32_t *bits)
{
    const ways_bodies *const sets[] = {&s->twins, &s->usual, &s->lean};
    uint32_t words[WAYS_PART_WORDS];
    for (int i = 0; bits && i < WAYS_PART_WORDS; i++)
        words[i] = *bits;
    for (int i = 0; i < 12; i++) {
        uint32_t parts = graze_model_get_info(s->models[i % 4 / 2]).part_count;
        CHECK(!graze_body_set_part_mask(sets[i / 4]->all[i % 4], bits ? words : NULL,
                                        bits ? parts : 0, NULL));
    }
    ways_forget(s);
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* A model of the triangles in the mask alone; false if there are none. */
static bool make_cut(ways_scene *s, int number, const uint32_t *bits)
{
    ways_side *side = &s->sides[number];
    graze_model_def def = side->def;
    OWNED uint32_t *triangles = malloc(3 * sizeof *triangles * side->triangle_count);
    OWNED uint32_t *parts = malloc(sizeof *parts * side->triangle_count);
    uint32_t count = 0;
    graze_model_destroy(s->cut[number]);
    free(s->names[number]);
    s->cut[number] = NULL;
    s->names[number] = malloc(sizeof **s->names * side->triangle_count);
    for (uint32_t t = 0; t < side->triangle_count; t++) {
        uint32_t part = graze_model_triangle_part(s->models[number], t);
        if (!(bits[part / 32] >> part % 32 & 1))
            continue;
        memcpy(triangles + 3 * (size_t)count, side->triangles + 3 * (size_t)t,
               3 * sizeof *triangles);
        parts[count] = part;
        s->names[number][count++] = t;
    }
    def.triangles = triangles;
    def.triangle_count = count;
    def.triangle_parts = parts;
    def.part_count = graze_model_get_info(s->models[number]).part_count;
    def.isa = GRAZE_ISA_BASE;
    if (s->kind % 3)
        def.tree = (graze_tree_def){0};
    return count && !graze_model_create(&def, &s->cut[number], NULL);
}

bool ways_cut(ways_scene *s, const uint32_t bits[2][WAYS_PART_WORDS])
{
    ways_bodies *const sets[] = {&s->usual, &s->lean};
    ways_forget(s);
    s->has_other_trees = true;
    if (!make_cut(s, 0, bits[0]) || !make_cut(s, 1, bits[1]))
        return false;
    for (int i = 0; i < 4; i++) {
        uint32_t parts = graze_model_get_info(s->models[i / 2]).part_count;
        for (int k = 0; k < 2; k++)
            CHECK(!graze_body_set_part_mask(sets[k]->all[i], bits[i / 2], parts, NULL));
        graze_body_destroy(s->twins.all[i]);
        s->twins.all[i] = NULL;
        if (graze_body_create(s->cut[i / 2], &s->twins.all[i], NULL))
            abort();
        CHECK(!set_pose(s, s->twins.all[i], i, 0));
    }
    graze_contact_finder_destroy(s->twins.finder);
    s->twins.finder = make_finder(s, s->cut);
    return true;
}
