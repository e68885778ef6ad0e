/* Whether a model is what every query takes it to be. */
#include "base/status.h"
#include "model/later.h"
#include "records/build.h"

/* Influences ascend by joint, add up to 1 and are of the joints of the vertex's set. */
static graze_status check_vertex(const grazei_mesh *mesh, uint32_t v, graze_error *error)
{
    uint32_t first = mesh->influence_offsets[v], end = mesh->influence_offsets[v + 1];
    uint32_t set = mesh->vertex_set[v];
    double sum = 0;
    GRAZEI_EXPECT(first < end && end <= mesh->influence_offsets[mesh->vertex_count] &&
                      end - first <= mesh->max_influences,
                  error, "vertex %u has influences %u to %u", v, first, end);
    GRAZEI_EXPECT(set < mesh->set_count &&
                      mesh->set_offsets[set + 1] - mesh->set_offsets[set] == end - first,
                  error, "vertex %u is of joint-set %u of %u", v, set, mesh->set_count);
    for (uint32_t i = first; i < end; i++) {
        const graze_influence *own = &mesh->influences[i];
        GRAZEI_EXPECT(own->joint < mesh->joint_count && (i == first || own->joint > own[-1].joint),
                      error, "the joints of vertex %u are not ascending", v);
        GRAZEI_EXPECT(own->joint == mesh->set_joints[mesh->set_offsets[set] + i - first], error,
                      "the joints of vertex %u are not those of its set", v);
        GRAZEI_EXPECT(own->weight > 0, error, "vertex %u has a weight of 0", v);
        sum += (double)own->weight;
    }
    GRAZEI_EXPECT(fabs(sum - 1) <= (double)mesh->weight_error + 1e-12, error,
                  "the weights of vertex %u add up to %g", v, sum);
    GRAZEI_EXPECT(mesh->welds[v] <= v && mesh->welds[mesh->welds[v]] == mesh->welds[v], error,
                  "vertex %u is welded to vertex %u", v, mesh->welds[v]);
    GRAZEI_EXPECT(mesh->vertex_parts[v] < mesh->part_count, error, "vertex %u has group %u of %u",
                  v, mesh->vertex_parts[v], mesh->part_count);
    return GRAZE_OK;
}

static graze_status check_mesh(const grazei_mesh *mesh, graze_error *error)
{
    graze_status status = GRAZE_OK;
    for (uint32_t v = 0; v < mesh->vertex_count && !status; v++)
        status = check_vertex(mesh, v, error);
    for (uint32_t t = 0; t < mesh->triangle_count && !status; t++) {
        for (uint32_t c = 0; c < 3; c++)
            GRAZEI_EXPECT(mesh->triangles[3 * (size_t)t + c] < mesh->vertex_count, error,
                          "triangle %u has vertex %u of %u", t, mesh->triangles[3 * (size_t)t + c],
                          mesh->vertex_count);
        GRAZEI_EXPECT(mesh->triangle_parts[t] < mesh->part_count, error,
                      "triangle %u has group %u of %u", t, mesh->triangle_parts[t],
                      mesh->part_count);
    }
    for (uint32_t m = 0; m < mesh->morph_count && !status; m++)
        for (uint32_t i = mesh->morph_offsets[m]; i < mesh->morph_offsets[m + 1]; i++)
            GRAZEI_EXPECT(mesh->morph_vertices[i] < mesh->vertex_count &&
                              (i == mesh->morph_offsets[m] ||
                               mesh->morph_vertices[i] > mesh->morph_vertices[i - 1]),
                          error, "the vertices of morph target %u are not ascending", m);
    return status;
}

/* A node's list has the group of every triangle below it. */
static graze_status check_groups(const graze_model *model, graze_error *error)
{
    const grazei_node_groups *lists = &model->node_groups;
    const grazei_tree *tree = &model->tree;
    for (uint32_t n = 0; n < tree->node_count && lists->first; n++) {
        const uint32_t *range = tree->node_triangles[n], *groups = lists->groups + lists->first[n];
        GRAZEI_EXPECT((size_t)lists->first[n] + lists->counts[n] <= lists->count, error,
                      "the groups of node %u go beyond the last", n);
        for (uint32_t i = range[0]; i < range[1] && lists->counts[n]; i++) {
            uint32_t group = model->mesh.triangle_parts[tree->patch_triangles[i]], k = 0;
            while (k < lists->counts[n] && groups[k] != group)
                k++;
            GRAZEI_EXPECT(k < lists->counts[n], error, "group %u is not in the list of node %u",
                          group, n);
        }
    }
    return GRAZE_OK;
}

graze_status grazei_model_validate(const graze_model *model, graze_error *error)
{
    graze_status status = check_mesh(&model->mesh, error);
    if (!status)
        status = grazei_tree_validate(&model->tree, &model->mesh, error);
    if (!status)
        status = grazei_skin_validate(&model->skin, &model->mesh, &model->tree, error);
    if (!status)
        status =
            grazei_folds_validate(grazei_model_folds(model), &model->mesh, &model->tree, error);
    return status ? status : check_groups(model, error);
}
