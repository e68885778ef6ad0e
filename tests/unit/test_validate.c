/* Validators notice what a stray write, or a mistake of ours, would do to each structure. */
#include "body/mask.h"
#include "harness.h"
#include "model/model.h"
#include "query/agenda.h"
#include "support/agreement.h"
#include "support/soup.h"
#include "world/world.h"

#include <graze/ext/inspect.h>

#include <string.h>

enum { JOINTS = 6, COUNT = 400 };

typedef struct made {
    soup mesh;
    graze_model *model;
} made;

static made make(graze_tree_def tree)
{
    static const uint32_t moved[] = {0, 3, 5};
    static const float deltas[9] = {0.1f, 0, 0, 0, 0.1f, 0, 0, 0, 0.1f};
    const graze_morph_target target = {moved, deltas, 3};
    test_random random = test_random_seed(5);
    made m = {.mesh = soup_make(&(soup_def){.vertex_count = COUNT,
                                            .triangle_count = COUNT,
                                            .joint_count = JOINTS,
                                            .max_influences = 3,
                                            .size = 1},
                                &random)};
    graze_model_def def = soup_model_def(&m.mesh);
    def.tree = tree;
    def.morphs = &target;
    def.morph_count = 1;
    CHECK(graze_model_create(&def, &m.model, NULL) == GRAZE_OK);
    return m;
}

static void unmake(made *m)
{
    graze_model_destroy(m->model);
    soup_free(&m->mesh);
}

static void expect(graze_status status, const graze_error *error, const char *text, const char *at)
{
    CHECK_MSG(status == GRAZE_CORRUPT && strstr(error->text, text), "%s: %s", at,
              status ? error->text : "not noticed");
}

/* Writes something wrong to a place, wants the validator to say so, and takes it back. */
#define BREAK(validate, object, place, wrong, says)                                                \
    do {                                                                                           \
        graze_error found = {0};                                                                   \
        const __typeof__(place) kept = (place);                                                    \
        (place) = (wrong);                                                                         \
        graze_status status = validate(object, &found);                                            \
        (place) = kept;                                                                            \
        expect(status, &found, says, #place " = " #wrong);                                         \
        CHECK_MSG(validate(object, &found) == GRAZE_OK, "%s", found.text);                         \
    } while (0)

#define BREAK_MODEL(place, wrong, says) BREAK(graze_model_validate, m.model, place, wrong, says)

TEST(models_of_all_trees_are_valid)
{
    for (uint32_t t = 0; t < agreement_tree_count(); t++) {
        made m = make(agreement_tree(t));
        graze_error error = {0};
        CHECK_MSG(!graze_model_validate(m.model, &error), "tree %u: %s", t, error.text);
        unmake(&m);
    }
    CHECK(graze_model_validate(NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_world_validate(NULL, NULL) == GRAZE_BAD_INPUT);
}

TEST(a_broken_mesh_is_noticed)
{
    made m = make((graze_tree_def){0});
    grazei_mesh *mesh = &m.model->mesh;
    uint32_t v = 0;
    while (mesh->influence_offsets[v + 1] - mesh->influence_offsets[v] < 2)
        v++;
    BREAK_MODEL(mesh->influences[mesh->influence_offsets[v]].joint, JOINTS - 1u,
                "the joints of vertex");
    BREAK_MODEL(mesh->influences[mesh->influence_offsets[v]].weight, 0.9999f, "add up to");
    BREAK_MODEL(mesh->vertex_set[v], mesh->set_count, "joint-set");
    BREAK_MODEL(mesh->welds[v], v + 1, "welded");
    BREAK_MODEL(mesh->triangles[7], (uint32_t)COUNT, "triangle 2 has vertex 400");
    BREAK_MODEL(mesh->triangle_parts[3], mesh->part_count, "triangle 3 has group");
    BREAK_MODEL(mesh->morph_vertices[1], 0, "morph target 0");
    unmake(&m);
}

TEST(a_broken_tree_is_noticed)
{
    made m = make((graze_tree_def){0});
    grazei_tree *tree = &m.model->tree;
    grazei_patch *patch = &tree->patches[1];
    uint32_t leaf = 0;
    while (tree->nodes[leaf].count)
        leaf++;
    BREAK_MODEL(tree->nodes[0].count, 1, "node 0 has 1 children");
    BREAK_MODEL(tree->nodes[0].first, 2, "the children of node 0");
    BREAK_MODEL(tree->nodes[leaf].first, 1, "is out of order");
    BREAK_MODEL(tree->node_triangles[2][0], tree->node_triangles[2][0] + 1, "sibling ends");
    BREAK_MODEL(tree->node_count, tree->node_count - 1, "out of order");
    BREAK_MODEL(tree->level_first[1], 2, "one level down");
    BREAK_MODEL(tree->max_open, GRAZEI_MAX_OPEN + 1u, "leave 321 nodes behind");
    BREAK_MODEL(tree->patch_triangles[9], tree->patch_triangles[8], "twice");
    BREAK_MODEL(patch->triangle_count, (uint16_t)(patch->triangle_count - 1), "of its leaf");
    BREAK_MODEL(tree->corners[5][1], (uint8_t)(tree->corners[5][1] + 1), "corner");
    BREAK_MODEL(tree->corners[5][3], 200, "main joint");
    BREAK_MODEL(tree->patch_vertices[patch->first_vertex],
                tree->patch_vertices[patch->first_vertex + patch->vertex_count - 1u], "sorted");
    unmake(&m);
    m = make(agreement_tree(0));
    for (uint32_t t = 0; !m.model->tree.spheres; t++) {
        unmake(&m);
        m = make(agreement_tree(t));
    }
    BREAK_MODEL(m.model->tree.spheres[0][3], 0.01f, "outside the sphere of node 0");
    unmake(&m);
}

TEST(a_broken_record_is_noticed)
{
    for (uint32_t t = 0; t < agreement_tree_count(); t++) {
        made m = make(agreement_tree(t));
        grazei_skin *skin = &m.model->skin;
        BREAK_MODEL(skin->records[0].kind, 99, "the record of node 0");
        BREAK_MODEL(skin->records[0].first, skin->row_count, "beyond the rows");
        BREAK_MODEL(skin->records[0].siblings, 0, "of 0 siblings");
        BREAK_MODEL(skin->records[0].error, -1.0f, "negative size");
        BREAK_MODEL(skin->patch_stream.sets[4], skin->mesh->set_count, "of the patches");
        BREAK_MODEL(skin->mesh_stream.vertices[4], skin->mesh_stream.vertices[5], "of the mesh");
        BREAK_MODEL(skin->mesh_stream.rest[4][1], 99.0f, "of the mesh");
        BREAK_MODEL(skin->patch_stream.first_influence[1], 0, "does not begin with influence");
        BREAK_MODEL(skin->morph.mesh.runs[0].target, 1, "morph run 0");
        BREAK_MODEL(skin->morph.mesh.rows[0][3], f4_from_bits(COUNT), "vertex 400");
        BREAK_MODEL(skin->morph.node_first[1], UINT32_MAX, "morph rows of node 0");
        float(*rows)[4] = skin->rows + skin->records[0].first;
        if (skin->records[0].kind == GRAZEI_BOX_HULL)
            BREAK_MODEL(rows[2][3], rows[0][3], "not ascending");
        if (skin->records[0].kind == GRAZEI_BOX_CENTRE)
            BREAK_MODEL(rows[3][0], f4_from_bits(JOINTS), "has joint 6 of 6");
        if (skin->records[0].kind == GRAZEI_SPHERE_CORNERS)
            BREAK_MODEL(rows[1][0], f4_from_bits(1u << 20), "beyond the rows");
        unmake(&m);
    }
}

TEST(broken_folds_are_noticed)
{
    made m = make((graze_tree_def){0});
    grazei_folds *folds = &m.model->folds;
    REQUIRE(folds->node_folds && folds->near_count > 1 && folds->step_count && folds->run_count);
    BREAK_MODEL(folds->rank_patches[0], folds->rank_patches[1], "each other's");
    BREAK_MODEL(folds->node_ranks[0][1], 1, "the ranks below it");
    BREAK_MODEL(folds->node_folds[0], folds->fold_count, "has fold");
    BREAK_MODEL(folds->node_pieces[0], folds->piece_count, "has piece");
    BREAK_MODEL(folds->first_near[1], 0, "near itself");
    BREAK_MODEL(folds->nears[1].patch, folds->rank_patches[0], "near 1 is not of a later patch");
    BREAK_MODEL(folds->nears[0].first_listed, UINT32_MAX, "near 0 lists");
    BREAK_MODEL(folds->masks[3][0], folds->masks[3][0] ^ 1, "wrong mask");
    BREAK_MODEL(folds->masks[3][0], folds->masks[3][0] ^ (1ull << 20), "wrong mask");
    BREAK_MODEL(folds->runs[0].count, UINT16_MAX, "the runs of near");
    BREAK_MODEL(folds->steps[0].end, 0, "step 0 ends");
    BREAK_MODEL(folds->leaves[0].node, 0, "not the leaf of patch 0");
    BREAK_MODEL(m.model->node_groups.groups[m.model->node_groups.first[0]], 99, "group");
    unmake(&m);
}

TEST(broken_marks_and_masks_are_noticed)
{
    made m = make((graze_tree_def){0});
    graze_body *body = NULL;
    graze_error error;
    const uint32_t some = 1;
    REQUIRE(!graze_body_create(m.model, &body, NULL));
    CHECK(!graze_body_validate(body, &error));
    BREAK(graze_body_validate, body, body->stamp, 3, "the stamp is 3");
    atomic_uint *const marks[] = {&body->folds_mark, &body->cache.node_marks[1],
                                  &body->cache.patch_marks[2][GRAZEI_SET],
                                  &body->cache.patch_marks[2][GRAZEI_SET]};
    const char *const texts[] = {"mark 2", "node 1", "patch 2", "patch 2"};
    for (uint32_t i = 0; i < 4; i++) {
        atomic_store(marks[i], i == 3 ? body->stamp + 1 : body->stamp + 2 * (i == 1));
        expect(graze_body_validate(body, &error), &error, texts[i], "marks");
        atomic_store(marks[i], 0);
    }
    BREAK(graze_body_validate, body, body->cache.slots[1], ((grazei_slot){body->stamp, 2}),
          "slot 1");
    if (m.model->mesh.part_count > 1) {
        CHECK(!graze_body_set_part_mask(body, &some, m.model->mesh.part_count, NULL));
        CHECK(!graze_body_validate(body, &error));
        grazei_tree *own = &body->mask->tree;
        BREAK(graze_body_validate, body, body->mask->bits[0], 2, "the mask of patch");
        BREAK(graze_body_validate, body, body->mask->node_parts[0], 0, "the mask of node 0");
        BREAK(graze_body_validate, body, own->patches[0].triangle_count,
              (uint16_t)(own->patches[0].triangle_count + 1), "the mask of patch 0");
    }
    grazei_body_keep_box(body);
    BREAK(graze_body_validate, body, body->box.high[0], -9.0f, "the box");
    graze_body_destroy(body);
    unmake(&m);
}

static graze_status validate_agenda(grazei_agenda *agenda, graze_error *error)
{
    return grazei_agenda_validate(agenda, agenda->stop_user, error);
}

TEST(a_broken_agenda_is_noticed)
{
    static grazei_agenda agenda;
    made m = make((graze_tree_def){0});
    grazei_question question = {.body_count = 1};
    REQUIRE(!graze_body_create(m.model, &question.bodies[0], NULL));
    grazei_agenda_start(&agenda, true);
    agenda.stop_user = &question;
    agenda.count = 2;
    grazei_agenda_put(&agenda, 0, (grazei_item){.node = 0}, 1);
    grazei_agenda_put(&agenda, 1, (grazei_item){.node = 1}, 0);
    BREAK(validate_agenda, &agenda, agenda.items[1].node, m.model->tree.node_count, "item 1");
    BREAK(validate_agenda, &agenda, agenda.keys[1], NAN, "no key");
    BREAK(validate_agenda, &agenda, agenda.count, GRAZEI_AGENDA_ITEMS + 1u, "items");
    graze_body_destroy(question.bodies[0]);
    unmake(&m);
}

TEST(a_broken_world_is_noticed)
{
    enum { THINGS = 5 };
    made m = make((graze_tree_def){0});
    graze_world *world = NULL;
    graze_body *bodies[2];
    graze_world_id ids[THINGS];
    graze_error error;
    REQUIRE(!graze_world_create(NULL, &world, NULL));
    for (int i = 0; i < THINGS; i++) {
        const graze_shape ball = graze_shape_sphere(m.mesh.centre, 0.5f);
        if (i < 2) {
            CHECK(!graze_body_create(m.model, &bodies[i], NULL));
            CHECK(!graze_world_add_body(world, bodies[i], NULL, &ids[i], NULL));
        } else {
            CHECK(!graze_world_add_shape(world, &ball, NULL, &ids[i], NULL));
        }
    }
    CHECK(!graze_world_update(world, NULL, NULL));
    CHECK(!graze_world_remove(world, ids[3], NULL));
    CHECK_MSG(!graze_world_validate(world, &error), "%s", error.text);
    grazei_thing *things = world->things.items;
    grazei_bound *boxes = world->boxes.items, *order = world->order.items;
    grazei_met *met = world->met.items;
    grazei_candidate *candidates = world->candidates.items;
    REQUIRE(world->met.count > 2 && world->candidates.count > 2);
#define BREAK_WORLD(place, wrong, says) BREAK(graze_world_validate, world, place, wrong, says)
    BREAK_WORLD(things[2].generation, 0, "id 2.0");
    BREAK_WORLD(things[3].kind, GRAZEI_SHAPE, "place 3");
    BREAK_WORLD(world->first_free, GRAZEI_NOBODY, "1 places are free, and 0 are listed");
    BREAK_WORLD(things[3].next_free, 3, "1 places are free, and 2 are listed");
    BREAK_WORLD(things[0].body, bodies[1], "body 0 is not found");
    BREAK_WORLD(world->solid_count, 1, "2 bodies are there");
    BREAK_WORLD(world->rules[1][2], 1, "two rules");
    BREAK_WORLD(things[4].listed, false, "4 things are listed, 5 in order");
    BREAK_WORLD(order[2].spare, THINGS, "place 2 of the order");
    BREAK_WORLD(candidates[1].key, candidates[0].key, "candidate 1");
    BREAK_WORLD(met[1].b.index, met[1].a.index, "pair 1");
    BREAK_WORLD(boxes[1].high[1], -9.0f, "the box of body 1");
    graze_world_destroy(world);
    for (int i = 0; i < 2; i++)
        graze_body_destroy(bodies[i]);
    unmake(&m);
}
