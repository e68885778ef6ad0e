#include "bench/eager/hash_types.h"

#include <stdlib.h>
#include <string.h>

eager_hash *eager_hash_create(void)
{
    eager_hash *hash = calloc(1, sizeof *hash);
    if (hash)
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

bool eager_hash_grow(void **memory, size_t *room, size_t count, size_t size)
{
    if (count <= *room)
        return true;
    size_t wanted = count + count / 2, bytes = (wanted * size + 63) / 64 * 64;
    void *more = aligned_alloc(64, bytes);
    if (!more)
        return false;
    free(*memory);
    *memory = more;
    *room = wanted;
    return true;
}

bool eager_box_triangles(eager_body *body)
{
    size_t stride = ((size_t)body->model->triangle_count + 15) / 16 * 16;
    if (!body->triangle_rows)
        body->triangle_rows = aligned_alloc(64, 6 * stride * sizeof(float));
    if (!body->triangle_rows)
        return false;
    body->model->kernels->box_triangles(body);
    return true;
}

bool eager_hash_collide(eager_hash *hash, const eager_body *a, const eager_body *b, bool first,
                        graze_pair *pairs, size_t capacity, size_t *count)
{
    return a->model->kernels->hash_collide(hash, a, b, first, pairs, capacity, count);
}
