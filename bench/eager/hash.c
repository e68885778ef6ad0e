#include "bench/eager/hash_types.h"

#include <stdlib.h>

eager_hash *eager_hash_create(void)
{
    size_t bytes = 0;
    eager_hash *hash = eager_take(1, sizeof *hash, &bytes);
    eager_hash_set_cell(hash, 0);
    return hash;
}

void eager_hash_destroy(eager_hash *hash)
{
    if (!hash)
        return;
    free(hash->kept[0]);
    free(hash->kept[1]);
    free(hash->entries);
    free(hash->starts);
    free(hash);
}

void eager_hash_set_cell(eager_hash *hash, float triangles)
{
    hash->cell = triangles > 0 ? triangles : 3;
}

void eager_hash_grow(void **memory, size_t *room, size_t count, size_t size)
{
    size_t wanted = count + count / 2, bytes = 0;
    if (count <= *room)
        return;
    free(*memory);
    *memory = eager_take(wanted, size, &bytes);
    *room = wanted;
}

void eager_box_triangles(eager_body *body)
{
    size_t stride = ((size_t)body->model->triangle_count + 15) / 16 * 16, bytes = 0;
    if (!body->triangle_rows)
        body->triangle_rows = eager_take(6 * stride, sizeof(float), &bytes);
    body->model->kernels->box_triangles(body);
}

size_t eager_hash_collide(eager_hash *hash, const eager_body *a, const eager_body *b, bool first,
                          bench_pair *pairs, size_t capacity)
{
    return a->model->kernels->hash_collide(hash, a, b, first, pairs, capacity);
}
