/* Principal components of frames without their rigid motion: a thin QR, then the singular values of
 * its small factor, so that no digit is lost to squares.
 */
#include "errors.h"
#include "rigid.h"

#include <lapacke.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Components that move no vertex by this share of the mean's reach are left out: floats end there.
 */
#define STILL 1e-9

static size_t size_of(const graze_frames_def *def)
{
    return (size_t)def->vertex_count * 3;
}

static graze_status check(const graze_frames_def *def, graze_error *error)
{
    if (!def->positions || def->frame_count == 0 || def->vertex_count == 0)
        return grazei_numerics_fail(error, GRAZE_BAD_INPUT, "no frames or vertices");
    if (def->component_count == 0)
        return grazei_numerics_fail(error, GRAZE_BAD_INPUT, "no components are asked for");
    if (def->vertex_count > INT32_MAX / 3 || size_of(def) > INT32_MAX / def->frame_count)
        return grazei_numerics_fail(error, GRAZE_BAD_INPUT,
                                    "%u frames of %u vertices are more than LAPACK can count",
                                    def->frame_count, def->vertex_count);
    for (size_t f = 0; f < def->frame_count; f++)
        for (size_t i = 0; i < size_of(def); i++)
            if (!isfinite(def->positions[f * size_of(def) + i]))
                return grazei_numerics_fail(error, GRAZE_BAD_INPUT,
                                            "frame %zu, vertex %zu has a coordinate that is not "
                                            "finite",
                                            f, i / 3);
    return GRAZE_OK;
}

/* ---- what is returned ---------------------------------------------------------------------- */

static double *take(const graze_components *result, size_t count)
{
    return result->allocator.allocate(result->allocator.user, count * sizeof(double), 64);
}

static graze_components *create(const graze_frames_def *def)
{
    graze_allocator allocator = def->allocator ? *def->allocator : graze_default_allocator();
    graze_components *result = allocator.allocate(allocator.user, sizeof *result, 64);
    size_t size = size_of(def), frames = def->frame_count, least = size < frames ? size : frames;
    size_t wanted = def->component_count < least ? def->component_count : least;
    if (!result)
        return NULL;
    *result = (graze_components){.allocator = allocator,
                                 .frame_count = def->frame_count,
                                 .vertex_count = def->vertex_count,
                                 .component_count = (uint32_t)wanted,
                                 .singular_count = (uint32_t)least};
    result->rotations = take(result, frames * 4);
    result->translations = take(result, frames * 3);
    result->mean = take(result, size);
    result->components = take(result, wanted * size);
    result->weights = take(result, frames * wanted);
    result->singular_values = take(result, least);
    if (result->rotations && result->translations && result->mean && result->components &&
        result->weights && result->singular_values)
        return result;
    graze_components_destroy(result);
    return NULL;
}

void graze_components_destroy(graze_components *components)
{
    if (!components)
        return;
    graze_allocator allocator = components->allocator;
    double *arrays[] = {components->rotations, components->translations,
                        components->mean,      components->components,
                        components->weights,   components->singular_values};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i])
            allocator.release(allocator.user, arrays[i]);
    allocator.release(allocator.user, components);
}

/* ---- singular values ------------------------------------------------------------------------ */

/* rest = left x singular values x right, all by columns; least = the lesser of its sides. */
typedef struct factors {
    double *rest; /* size x frames; destroyed */
    lapack_int size, frames, least;
    double *small; /* least x least: the triangle of QR, where it is taken */
    double *scales;
    double *left;  /* size x least, or least x least with QR before it */
    double *right; /* least x frames */
} factors;

/* More rows than columns: rest = Q R, and the singular values are those of R. */
static bool split_tall(factors *f, graze_components *result)
{
    lapack_int n = f->frames;
    if (LAPACKE_dgeqrf(LAPACK_COL_MAJOR, f->size, n, f->rest, f->size, f->scales))
        return false;
    for (size_t c = 0; c < (size_t)n; c++)
        for (size_t r = 0; r < (size_t)n; r++)
            f->small[c * (size_t)n + r] = r <= c ? f->rest[c * (size_t)f->size + r] : 0;
    if (LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', n, n, f->small, n, result->singular_values, f->left,
                       n, f->right, n))
        return false;
    memset(result->components, 0,
           (size_t)result->component_count * (size_t)f->size * sizeof(double));
    for (size_t c = 0; c < result->component_count; c++)
        memcpy(result->components + c * (size_t)f->size, f->left + c * (size_t)n,
               (size_t)n * sizeof(double));
    return !LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'N', f->size, (lapack_int)result->component_count,
                           n, f->rest, f->size, f->scales, result->components, f->size);
}

static bool split_wide(factors *f, graze_components *result)
{
    if (LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', f->size, f->frames, f->rest, f->size,
                       result->singular_values, f->left, f->size, f->right, f->least))
        return false;
    memcpy(result->components, f->left,
           (size_t)result->component_count * (size_t)f->size * sizeof(double));
    return true;
}

/* Leaves out components that floats cannot show, and gives the others their weights. */
static void weigh(const factors *f, graze_components *result)
{
    double reach = 0;
    uint32_t kept = 0;
    for (size_t i = 0; i < (size_t)f->size; i++)
        reach = fabs(result->mean[i]) > reach ? fabs(result->mean[i]) : reach;
    while (kept < result->component_count && result->singular_values[kept] > STILL * reach)
        kept++;
    result->component_count = kept;
    for (size_t frame = 0; frame < (size_t)f->frames; frame++)
        for (size_t c = 0; c < kept; c++)
            result->weights[frame * kept + c] =
                result->singular_values[c] * f->right[frame * (size_t)f->least + c];
}

static graze_status split(const graze_frames_def *def, graze_components *result, double *rest,
                          graze_error *error)
{
    size_t size = size_of(def), least = result->singular_count;
    bool tall = size >= def->frame_count;
    factors f = {.rest = rest,
                 .size = (lapack_int)size,
                 .frames = (lapack_int)def->frame_count,
                 .least = (lapack_int)least,
                 .small = malloc(least * least * sizeof(double)),
                 .scales = malloc(least * sizeof(double)),
                 .left = malloc(least * least * sizeof(double)),
                 .right = malloc(least * def->frame_count * sizeof(double))};
    bool done = f.small && f.scales && f.left && f.right &&
                (tall ? split_tall(&f, result) : split_wide(&f, result));
    if (done)
        weigh(&f, result);
    free(f.small);
    free(f.scales);
    free(f.left);
    free(f.right);
    return done ? GRAZE_OK : grazei_numerics_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
}

graze_status graze_frames_create_components(const graze_frames_def *def,
                                            graze_components **components, graze_error *error)
{
    if (!def || !components)
        return grazei_numerics_fail(error, GRAZE_BAD_INPUT, "%s NULL",
                                    def ? "where the components go is" : "the def is");
    graze_status status = check(def, error);
    if (status != GRAZE_OK)
        return status;
    double *rest = malloc(size_of(def) * def->frame_count * sizeof *rest);
    graze_components *result = create(def);
    if (!rest || !result || !grazei_remove_rigid(def, result, rest))
        status = grazei_numerics_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    else
        status = split(def, result, rest, error);
    free(rest);
    if (status == GRAZE_OK)
        *components = result;
    else
        graze_components_destroy(result);
    return status;
}
