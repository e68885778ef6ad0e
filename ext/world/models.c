/* What a world keeps of the models of its bodies: how many bodies there are, the finders of
 * contacts that threads have made for two models, and the shells that the surface consists of.
 */
#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "model/model.h"
#include "world/ask.h"

static grazei_world_model *model_of(const graze_world *world, uint32_t number)
{
    GRAZE_ASSERT(number < world->models.count);
    return (grazei_world_model *)world->models.items + number;
}

/* ---- counting ------------------------------------------------------------------------------- */

graze_status grazei_world_hold_model(graze_world *world, const graze_model *model, uint32_t *number,
                                     graze_error *error)
{
    size_t count = world->models.count;
    *number = grazei_index_get(&world->model_index, grazei_pointer_key(model));
    if (*number != GRAZEI_NOT_THERE) {
        model_of(world, *number)->body_count++;
        return GRAZE_OK;
    }
    if (!grazei_index_reserve(&world->allocator, &world->model_index) ||
        (world->first_free_model == GRAZEI_NOBODY &&
         !grazei_list_reserve(&world->allocator, &world->models, count + 1,
                              sizeof(grazei_world_model))))
        return grazei_fail_memory(error);
    *number = world->first_free_model;
    if (*number != GRAZEI_NOBODY)
        world->first_free_model = model_of(world, *number)->next_free;
    else
        *number = (uint32_t)world->models.count++;
    *model_of(world, *number) = (grazei_world_model){.model = model, .body_count = 1};
    grazei_index_put(&world->model_index, grazei_pointer_key(model), *number);
    return GRAZE_OK;
}

graze_status grazei_world_is_closed(const graze_world *world, uint32_t index, bool *closed,
                                    graze_error *error)
{
    grazei_world_model *model = model_of(world, grazei_member_of(world, index)->model);
    uint32_t known = atomic_load_explicit(&model->closed, memory_order_relaxed);
    *closed = known == 2;
    graze_status status = known ? GRAZE_OK : graze_model_is_closed(model->model, closed, error);
    if (!status)
        atomic_store_explicit(&model->closed, 1 + *closed, memory_order_relaxed);
    return status;
}

static uint64_t key_of_models(uint32_t a, uint32_t b)
{
    GRAZE_ASSERT(a < GRAZEI_NOBODY && b < GRAZEI_NOBODY);
    return (uint64_t)(a + 1) << 32 | (b + 1);
}

/* Frees a thread's finders for a model; GRAZEI_NOBODY: all. */
static void release_finders(grazei_world_thread *thread, uint32_t model)
{
    grazei_finder *finders = thread->finders.items;
    size_t kept = 0;
    for (size_t i = 0; i < thread->finders.count; i++) {
        grazei_finder finder = finders[i];
        grazei_index_remove(&thread->finder_index,
                            key_of_models(finder.models[0], finder.models[1]));
        if (model == GRAZEI_NOBODY || finder.models[0] == model || finder.models[1] == model) {
            graze_contact_finder_destroy(finder.contacts);
            continue;
        }
        grazei_index_put(&thread->finder_index, key_of_models(finder.models[0], finder.models[1]),
                         (uint32_t)kept);
        finders[kept++] = finder;
    }
    thread->finders.count = kept;
}

void grazei_world_let_go_model(graze_world *world, uint32_t number)
{
    grazei_world_model *model = model_of(world, number);
    grazei_world_thread *threads = world->threads.items;
    GRAZE_ASSERT(model->model && model->body_count > 0);
    if (--model->body_count)
        return;
    for (size_t t = 0; t < world->threads.count; t++)
        release_finders(&threads[t], number);
    grazei_index_remove(&world->model_index, grazei_pointer_key(model->model));
    grazei_release(&world->allocator, model->shells);
    *model = (grazei_world_model){.next_free = world->first_free_model};
    world->first_free_model = number;
}

void grazei_world_release_models(graze_world *world)
{
    grazei_world_thread *threads = world->threads.items;
    for (size_t t = 0; t < world->threads.count; t++) {
        release_finders(&threads[t], GRAZEI_NOBODY);
        graze_hitbox_finder_destroy(threads[t].part_finder);
        grazei_release(&world->allocator, threads[t].finders.items);
        grazei_index_release(&world->allocator, &threads[t].finder_index);
    }
    for (uint32_t n = 0; n < world->models.count; n++)
        grazei_release(&world->allocator, model_of(world, n)->shells);
    grazei_release(&world->allocator, world->models.items);
    grazei_index_release(&world->allocator, &world->model_index);
}

/* ---- finders -------------------------------------------------------------------------------- */

graze_status grazei_find_finder(grazei_asked *job, uint32_t model_a, uint32_t model_b,
                                graze_contact_finder **finder, graze_error *error)
{
    const graze_allocator *allocator = &job->world->allocator;
    grazei_list *finders = &job->own->finders;
    grazei_index *index = &job->own->finder_index;
    uint32_t number = grazei_index_get(index, key_of_models(model_a, model_b));
    if (number == GRAZEI_NOT_THERE) {
        graze_contact_finder_def def = {0};
        grazei_finder made = {.models = {model_a, model_b}};
        def.allocator = allocator;
        def.split_by_part = true;
        number = (uint32_t)finders->count;
        if (!grazei_index_reserve(allocator, index) ||
            !grazei_list_reserve(allocator, finders, finders->count + 1, sizeof made))
            return grazei_fail_memory(error);
        graze_status status = graze_contact_finder_create(model_of(job->world, model_a)->model,
                                                          model_of(job->world, model_b)->model,
                                                          &def, &made.contacts, error);
        if (status)
            return status;
        ((grazei_finder *)finders->items)[finders->count++] = made;
        grazei_index_put(index, key_of_models(model_a, model_b), number);
    }
    *finder = ((const grazei_finder *)finders->items)[number].contacts;
    return GRAZE_OK;
}

/* ---- shells --------------------------------------------------------------------------------- */

/* The first triangle of those that hang together with one, with the way there made shorter. */
static uint32_t first_of(uint32_t *parents, uint32_t triangle)
{
    while (parents[triangle] != triangle) {
        parents[triangle] = parents[parents[triangle]];
        triangle = parents[triangle];
    }
    return triangle;
}

/* Joins triangles of one part that share a corner at rest. latest: of each weld the last triangle
 * that has it, of any part; those of another part in between do not hide it, as triangles are taken
 * part by part.
 */
static void join_triangles(const grazei_mesh *mesh, const uint32_t *by_part, uint32_t *latest,
                           uint32_t *parents)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        latest[v] = GRAZEI_NOBODY;
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        parents[t] = t;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        uint32_t t = by_part[i];
        GRAZE_ASSERT(t < mesh->triangle_count &&
                     (i == 0 || mesh->triangle_parts[by_part[i - 1]] <= mesh->triangle_parts[t]));
        for (uint32_t c = 0; c < 3; c++) {
            uint32_t weld = mesh->welds[mesh->triangles[3 * (size_t)t + c]], other = latest[weld];
            latest[weld] = t;
            if (other == GRAZEI_NOBODY || mesh->triangle_parts[other] != mesh->triangle_parts[t])
                continue;
            uint32_t x = first_of(parents, t), y = first_of(parents, other);
            parents[x > y ? x : y] = x > y ? y : x;
        }
    }
}

/* Triangles sorted by part; first: room for a number a part and one more. */
static void sort_by_part(const grazei_mesh *mesh, uint32_t *first, uint32_t *by_part)
{
    for (uint32_t g = 0; g <= mesh->part_count; g++)
        first[g] = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        first[mesh->triangle_parts[t] + 1]++;
    for (uint32_t g = 1; g <= mesh->part_count; g++)
        first[g] += first[g - 1];
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        by_part[first[mesh->triangle_parts[t]]++] = t;
}

/* Patch by patch: a shell where a triangle is the first of its own. */
static bool list_shells(const graze_allocator *allocator, grazei_world_model *model,
                        uint32_t *parents)
{
    const grazei_tree *tree = &model->model->tree;
    const grazei_mesh *mesh = &model->model->mesh;
    uint32_t count = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        count += parents[t] == t;
    model->shells = GRAZEI_ALLOCATE(allocator, count, grazei_shell);
    if (!model->shells)
        return false;
    for (uint32_t p = 0; p < tree->patch_count; p++)
        for (uint32_t i = 0; i < tree->patches[p].triangle_count; i++) {
            uint32_t place = tree->patches[p].first_triangle + i, t = tree->patch_triangles[place];
            if (parents[t] == t)
                model->shells[model->shell_count++] =
                    (grazei_shell){p, tree->corners[place][0], mesh->triangle_parts[t]};
        }
    return true;
}

static bool find_shells(const graze_allocator *allocator, grazei_world_model *model)
{
    const grazei_mesh *mesh = &model->model->mesh;
    uint32_t *parents = GRAZEI_ALLOCATE(allocator, mesh->triangle_count, uint32_t);
    uint32_t *by_part = GRAZEI_ALLOCATE(allocator, mesh->triangle_count, uint32_t);
    uint32_t *latest = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint32_t);
    uint32_t *first = GRAZEI_ALLOCATE(allocator, (size_t)mesh->part_count + 1, uint32_t);
    bool ok = parents && by_part && latest && first;
    if (ok) {
        sort_by_part(mesh, first, by_part);
        join_triangles(mesh, by_part, latest, parents);
        ok = list_shells(allocator, model, parents);
    }
    grazei_release(allocator, parents);
    grazei_release(allocator, by_part);
    grazei_release(allocator, latest);
    grazei_release(allocator, first);
    return ok;
}

graze_status grazei_world_find_shells(graze_world *world, graze_error *error)
{
    for (uint32_t n = 0; n < world->models.count && world->solid_count; n++) {
        grazei_world_model *model = model_of(world, n);
        if (model->model && !model->shells && !find_shells(&world->allocator, model))
            return grazei_fail_memory(error);
    }
    return GRAZE_OK;
}
