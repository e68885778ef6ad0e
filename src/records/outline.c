/* Making an outline: of every joint the box of its vertices with the least sum of sides among some
 * that a search by turning comes upon. Under maps that turn things any way, that sum is what a box
 * reaches along an axis on average.
 */
#include "records/build.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/lanes.h"
#include "math/rounding.h"

#include <math.h>
#include <string.h>

/* Directions in which the farthest vertices stand for all of them during the search: in fours, the
 * last of them filled up, and the opposite ones behind them.
 */
enum { DIRECTIONS = 13, FOURS = (DIRECTIONS + 3) / 4, EXTREMES = 8 * FOURS };

/* More boxes than that stay in the order of their joints: sorting would take long. */
enum { MOST_SORTED = 256 };

/* The thinnest box, against its longest side; and what boxes are enlarged by, more than rounding
 * its sides to float can make of that.
 */
static const double thinnest = 1e-3, slack = 4e-4;

/* Beyond this rounding would count. */
static const double most_wide = 16;

typedef struct extremes {
    f4 most[2 * FOURS];
    uint32_t vertex[EXTREMES];
    bool any;
} extremes;

/* The different ones among a joint's extremes, a row a coordinate. */
typedef struct few_points {
    double at[3][EXTREMES];
    int count;
} few_points;

/* One joint's box on its way. */
typedef struct turned_box {
    double axes[3][3], low[3], high[3];
    double inverse[3][3], centre[3], reach[3]; /* of what is stored; reach: the most |s| */
    float plain_low[3], plain_high[3];
} turned_box;

typedef struct outliner {
    const grazei_mesh *mesh;
    const uint8_t *used; /* vertices of triangles */
    extremes *extremes;  /* one a joint */
    turned_box *boxes;
} outliner;

static const float *position_of(const grazei_mesh *mesh, uint32_t vertex)
{
    return mesh->positions + 3 * (size_t)vertex;
}

static double along(const double axis[3], const float p[3])
{
    return axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2];
}

/* Calls look(o, joint, vertex) for every vertex and joint that moves it. */
GRAZEI_INLINE void for_all(outliner *o, void (*look)(outliner *o, uint32_t joint, uint32_t vertex))
{
    const grazei_mesh *mesh = o->mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (uint32_t k = mesh->influence_offsets[v];
             o->used[v] && k < mesh->influence_offsets[v + 1]; k++)
            look(o, mesh->influences[k].joint, v);
}

/* ---- searching ------------------------------------------------------------------------------ */

static void look_for_extremes(outliner *o, uint32_t joint, uint32_t vertex)
{
    static const float directions[3][4 * FOURS] = {
        {1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 0},
        {0, 1, 0, 1, -1, 0, 0, 1, 1, 1, 1, -1, -1, 0, 0, 0},
        {0, 0, 1, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0}};
    const float *p = position_of(o->mesh, vertex);
    extremes *e = &o->extremes[joint];
    for (int l = 0; l < FOURS; l++) {
        f4 value = f4_load_any(directions[0] + 4 * l) * f4_all(p[0]) +
                   f4_load_any(directions[1] + 4 * l) * f4_all(p[1]) +
                   f4_load_any(directions[2] + 4 * l) * f4_all(p[2]);
        for (int i = l; i < 2 * FOURS; i += FOURS, value = -value) {
            unsigned larger = e->any ? ~f4_ge_bits(e->most[i], value) & 15u : 15u;
            if (larger)
                e->most[i] = e->any ? f4_max(e->most[i], value) : value;
            for (uint32_t k = 0; larger; k++, larger >>= 1)
                if (larger & 1)
                    e->vertex[4 * i + (int)k] = vertex;
        }
    }
    e->any = true;
}

static few_points gather_extremes(const outliner *o, const extremes *e)
{
    few_points few = {.count = 0};
    for (int i = 0; i < EXTREMES; i++) {
        const float *p = position_of(o->mesh, e->vertex[i]);
        int k = 0;
        while (k < few.count &&
               !(few.at[0][k] == p[0] && few.at[1][k] == p[1] && few.at[2][k] == p[2]))
            k++;
        for (int c = 0; c < 3; c++)
            few.at[c][k] = p[c];
        few.count += k == few.count && i % (4 * FOURS) < DIRECTIONS;
    }
    return few;
}

static double width(const few_points *few, const double axis[3])
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < few->count; i++) {
        double at = axis[0] * few->at[0][i] + axis[1] * few->at[1][i] + axis[2] * few->at[2][i];
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    return high - low;
}

/* The axes of a box on their way, and how wide the extremes are along them. */
typedef struct turning {
    const few_points *few;
    double (*axes)[3];
    double widths[3];
} turning;

/* Turns two axes about the third, by an angle of this cosine and sine, if that makes their sides
 * shorter together.
 */
static bool try_turn(turning *t, int i, int j, double c, double s)
{
    double turned[2][3], enough = (t->widths[i] + t->widths[j]) * (1 - 1e-9);
    for (int k = 0; k < 3; k++) {
        turned[0][k] = c * t->axes[i][k] + s * t->axes[j][k];
        turned[1][k] = c * t->axes[j][k] - s * t->axes[i][k];
    }
    double first = width(t->few, turned[0]);
    double second = first < enough ? width(t->few, turned[1]) : 0;
    if (!(first + second < enough))
        return false;
    memcpy(t->axes[i], turned[0], sizeof turned[0]);
    memcpy(t->axes[j], turned[1], sizeof turned[1]);
    t->widths[i] = first;
    t->widths[j] = second;
    return true;
}

static void search_axes(const outliner *o, const extremes *e, double axes[3][3])
{
    static const double angles[] = {0.7, 0.35, 0.17, 0.08, 0.04};
    few_points few = gather_extremes(o, e);
    turning t = {.few = &few, .axes = axes};
    for (int k = 0; k < 9; k++)
        axes[k / 3][k % 3] = k % 4 == 0;
    for (int k = 0; k < 3; k++)
        t.widths[k] = width(&few, axes[k]);
    for (size_t a = 0; a < sizeof angles / sizeof *angles; a++) {
        double c = cos(angles[a]), s = sin(angles[a]);
        for (int round = 0, better = 1; round < 4 && better; round++) {
            better = 0;
            for (int i = 0; i < 3; i++)
                better += try_turn(&t, i, (i + 1) % 3, c, s) || try_turn(&t, i, (i + 1) % 3, c, -s);
        }
    }
}

/* ---- boxes ---------------------------------------------------------------------------------- */

static void look_for_ends(outliner *o, uint32_t joint, uint32_t vertex)
{
    turned_box *box = &o->boxes[joint];
    for (int i = 0; i < 3; i++) {
        double at = along(box->axes[i], position_of(o->mesh, vertex));
        box->low[i] = at < box->low[i] ? at : box->low[i];
        box->high[i] = at > box->high[i] ? at : box->high[i];
    }
}

/* Writes the box: centre and half sides, none much thinner than the longest. */
static void store_box(const turned_box *box, float (*rows)[4])
{
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        double low = box->plain_low[k], high = box->plain_high[k];
        rows[0][k] = (float)(0.5 * (low + high));
        rows[1][k] = grazei_round_up(fmax(high - (double)rows[0][k], (double)rows[0][k] - low));
    }
    for (int i = 0; i < 3; i++)
        longest = fmax(longest, 0.5 * (box->high[i] - box->low[i]));
    for (int k = 0; k < 3; k++) {
        double centre = 0;
        for (int i = 0; i < 3; i++) {
            double half = 0.5 * (box->high[i] - box->low[i]);
            half = fmax(half, fmax(thinnest * longest, 1e-12));
            centre += 0.5 * (box->low[i] + box->high[i]) * box->axes[i][k];
            rows[3 + i][k] = (float)(half * box->axes[i][k]);
        }
        rows[2][k] = (float)centre;
    }
}

/* How to find a point's s from what was stored; false if the box is flat as stored. */
static bool invert(turned_box *box, const float (*rows)[4])
{
    double a[3][3];
    for (int i = 0; i < 3; i++) {
        box->centre[i] = rows[2][i];
        box->reach[i] = 0;
        for (int k = 0; k < 3; k++)
            a[i][k] = rows[3 + i][k];
    }
    double determinant = 0;
    for (int i = 0; i < 3; i++) {
        const double *p = a[(i + 1) % 3], *q = a[(i + 2) % 3];
        for (int k = 0; k < 3; k++)
            box->inverse[i][k] = p[(k + 1) % 3] * q[(k + 2) % 3] - p[(k + 2) % 3] * q[(k + 1) % 3];
        determinant = a[i][0] * box->inverse[i][0] + a[i][1] * box->inverse[i][1] +
                      a[i][2] * box->inverse[i][2];
    }
    for (int i = 0; i < 9; i++)
        box->inverse[i / 3][i % 3] /= determinant;
    return isfinite(1 / determinant);
}

static void look_for_reach(outliner *o, uint32_t joint, uint32_t vertex)
{
    turned_box *box = &o->boxes[joint];
    const float *p = position_of(o->mesh, vertex);
    for (int i = 0; i < 3; i++) {
        const double *row = box->inverse[i];
        double s = row[0] * (p[0] - box->centre[0]) + row[1] * (p[1] - box->centre[1]) +
                   row[2] * (p[2] - box->centre[2]);
        box->reach[i] = fabs(s) > box->reach[i] ? fabs(s) : box->reach[i];
    }
}

/* How wide a box is against the mesh's reach; infinite where that is 0. */
static double wide(const float (*rows)[4], const float reach[3])
{
    double most = 0;
    for (int k = 0; k < 3; k++) {
        double size = fabs((double)rows[2][k]);
        for (int i = 0; i < 3; i++)
            size += fabs((double)rows[3 + i][k]);
        most = fmax(most, size / reach[k]);
    }
    return most;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void make_boxes(outliner *o, grazei_outline *outline)
{
    outline->count = 0;
    for_all(o, look_for_extremes);
    for (uint32_t j = 0; j < o->mesh->joint_count; j++) {
        turned_box *box = &o->boxes[j];
        if (!o->extremes[j].any)
            continue;
        search_axes(o, &o->extremes[j], box->axes);
        for (int i = 0; i < 3; i++) {
            box->plain_low[i] = -o->extremes[j].most[FOURS][i];
            box->plain_high[i] = o->extremes[j].most[0][i];
            box->low[i] = INFINITY;
            box->high[i] = -INFINITY;
        }
    }
    for_all(o, look_for_ends);
    for (uint32_t j = 0; j < o->mesh->joint_count; j++)
        if (o->extremes[j].any) {
            float(*rows)[4] = outline->rows + GRAZEI_OUTLINE_ROWS * (size_t)outline->count++;
            store_box(&o->boxes[j], rows);
            rows[0][3] = f4_from_bits(j);
        }
}

/* How far a box is from the middle. */
static float distance_of(const float (*rows)[4], const float middle[3])
{
    float sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (rows[0][k] - middle[k]) * (rows[0][k] - middle[k]);
    return sum;
}

/* The farthest from the middle first. */
static void sort_boxes(grazei_outline *outline)
{
    typedef float box[GRAZEI_OUTLINE_ROWS][4];
    box *boxes = (box *)outline->rows, moved;
    float middle[3] = {0, 0, 0};
    for (uint32_t i = 0; i < outline->count; i++)
        for (int k = 0; k < 3; k++)
            middle[k] += boxes[i][0][k] / (float)outline->count;
    for (uint32_t i = 1; i < outline->count; i++) {
        uint32_t at = i;
        memcpy(moved, boxes[i], sizeof moved);
        float far = distance_of((const float(*)[4])moved, middle);
        for (; at > 0 && distance_of((const float(*)[4])boxes[at - 1], middle) < far; at--)
            memcpy(boxes[at], boxes[at - 1], sizeof moved);
        memcpy(boxes[at], moved, sizeof moved);
    }
}

/* Looks at what was stored: the boxes hold all that they have to, by so much of their sides, and
 * are not too wide; enlarges them to that first if asked to.
 */
static bool check_boxes(outliner *o, grazei_outline *outline, bool enlarge, double *widest)
{
    bool ok = true;
    *widest = 0;
    for (uint32_t k = 0; k < outline->count && ok; k++) {
        float(*rows)[4] = outline->rows + GRAZEI_OUTLINE_ROWS * (size_t)k;
        ok = invert(&o->boxes[f4_bits(rows[0][3])], (const float(*)[4])rows);
    }
    if (ok)
        for_all(o, look_for_reach);
    for (uint32_t k = 0; k < outline->count && ok; k++) {
        float(*rows)[4] = outline->rows + GRAZEI_OUTLINE_ROWS * (size_t)k;
        const turned_box *box = &o->boxes[f4_bits(rows[0][3])];
        for (int i = 0; i < 3; i++) {
            ok = ok && (enlarge || box->reach[i] <= 1 - 1e-6);
            for (int axis = 0; enlarge && axis < 3; axis++)
                rows[3 + i][axis] *= (float)(fmax(box->reach[i], 0.5) * (1 + slack));
        }
        *widest = fmax(*widest, wide((const float(*)[4])rows, o->mesh->reach));
    }
    return ok && *widest <= most_wide;
}

bool grazei_outline_build(grazei_outline *outline, const grazei_mesh *mesh, float record_error,
                          const graze_allocator *allocator)
{
    size_t joints = mesh->joint_count;
    double widest = 0;
    uint8_t *used = GRAZEI_ALLOCATE_ZERO(allocator, mesh->vertex_count, uint8_t);
    outliner o = {.mesh = mesh,
                  .used = used,
                  .extremes = GRAZEI_ALLOCATE_ZERO(allocator, joints, extremes),
                  .boxes = GRAZEI_ALLOCATE_ZERO(allocator, joints, turned_box)};
    outline->rows =
        grazei_allocate_zero(allocator, GRAZEI_OUTLINE_ROWS * joints, sizeof *outline->rows);
    bool ok = used && o.extremes && o.boxes && outline->rows;
    if (ok) {
        for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
            used[mesh->triangles[i]] = 1;
        make_boxes(&o, outline);
        if (outline->count <= MOST_SORTED)
            sort_boxes(outline);
        if (!check_boxes(&o, outline, true, &widest) || !check_boxes(&o, outline, false, &widest))
            outline->count = 0;
        GRAZE_ASSERT(outline->count <= joints && widest >= 0);
        outline->error = grazei_round_up((1 + widest) * (double)record_error);
    }
    grazei_release(allocator, used);
    grazei_release(allocator, o.extremes);
    grazei_release(allocator, o.boxes);
    return ok;
}

void grazei_outline_release(grazei_outline *outline, const graze_allocator *allocator)
{
    grazei_release(allocator, outline->rows);
}
