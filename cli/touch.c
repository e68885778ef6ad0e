/* Which triangles meet a shape, and whether a point is inside. */
#include "cli/parts.h"
#include "cli/query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 10 };

/* The options that say what to ask about, of which one is given: a point, or a shape. */
enum { ASK_POINT, ASK_SPHERE, ASK_CAPSULE, ASK_BOX, ASK_PLANE, ASK_HALF_SPACE, ASK_KINDS };

static const struct {
    const char *name;
    int numbers, least; /* so many, or so few */
    const char *form;
} asks[ASK_KINDS] = {
    {"--point", 3, 3, "X,Y,Z"},           {"--sphere", 4, 4, "X,Y,Z,R"},
    {"--capsule", 7, 7, "X,Y,Z,X,Y,Z,R"}, {"--box", 10, 6, "X,Y,Z,HX,HY,HZ[,QX,QY,QZ,QW]"},
    {"--plane", 4, 4, "NX,NY,NZ,D"},      {"--half-space", 4, 4, "NX,NY,NZ,D"}};

typedef struct touch_job {
    query_job base;
    const char *texts[ASK_KINDS];
    int ask;
    float point[3];
    graze_shape shape;

    bool closed; /* the model is */
    graze_point_side inside;
    const char *side;
    float open_winding;
    double winding; /* of an open model or a closed one */
} touch_job;

enum {
    SHOW_POINT = SHOW_OWN,
    SHOW_SHAPE = 2 * SHOW_OWN,
    SHOW_OPEN = 4 * SHOW_OWN,
    SHOW_CLOSED = 8 * SHOW_OWN
};

/* ---- what is asked ------------------------------------------------------------------------ */

/* Numbers separated by commas; how many there are, or 0 if one is no number or there are too many.
 */
static int parse_numbers(const char *text, float numbers[MOST_NUMBERS])
{
    for (int count = 0; count < MOST_NUMBERS; count++) {
        double number;
        bool last = !strchr(text, ',');
        if (!parse_number(&text, last ? '\0' : ',', &number) || !isfinite((float)number))
            return 0;
        numbers[count] = (float)number;
        if (last)
            return count + 1;
    }
    return 0;
}

static graze_shape make_shape(int ask, const float *n, int count)
{
    switch (ask) {
    case ASK_SPHERE:
        return graze_shape_sphere(n, n[3]);
    case ASK_CAPSULE:
        return graze_shape_capsule(n, n + 3, n[6]);
    case ASK_BOX:
        return graze_shape_box(n, n + 3, count > 6 ? n + 6 : NULL);
    case ASK_PLANE:
        return graze_shape_plane(n, n[3]);
    default:
        return graze_shape_half_space(n, n[3]);
    }
}

static bool check(void *task, const arguments *given)
{
    static const char *const of_shapes[] = {"--first", "--count", NULL};
    touch_job *job = task;
    float numbers[MOST_NUMBERS];
    int asked = 0;
    for (int i = 0; i < ASK_KINDS; i++)
        if (job->texts[i]) {
            job->ask = i;
            asked++;
        }
    if (asked != 1)
        return refuse(
            "touch: give one of --point, --sphere, --capsule, --box, --plane, --half-space");
    const char *text = job->texts[job->ask];
    int count = parse_numbers(text, numbers);
    if (count != asks[job->ask].numbers && count != asks[job->ask].least)
        return refuse("touch: %s needs %s, not %s", asks[job->ask].name, asks[job->ask].form, text);
    const char *unused = any_given(&touch_command, given, of_shapes);
    if (job->ask == ASK_POINT && unused)
        return refuse("touch: %s is about triangles, and --point lists none", unused);
    memcpy(job->point, numbers, sizeof job->point);
    job->shape = make_shape(job->ask, numbers, count);
    job->base.shown = job->ask == ASK_POINT  ? SHOW_POINT | ROWS_FRAMES
                      : job->base.count_only ? SHOW_SHAPE | ROWS_FRAMES
                                             : SHOW_SHAPE | SHOW_ITEMS;
    return true;
}

/* ---- asking ------------------------------------------------------------------------------- */

static bool take_triangles(void *list, const uint32_t *triangles, size_t count)
{
    list_add(list, triangles, count, sizeof *triangles);
    return true;
}

static graze_status ask_point(touch_job *job, graze_error *error)
{
    graze_body *body = job->base.bodies[0];
    const graze_options counted = {.stats = &job->base.stats};
    graze_status status = graze_inside(body, job->point, &job->inside, &job->base.how, error);
    if (status || job->closed)
        return status;
    status = graze_winding_number(body, job->point, &job->open_winding, &counted, error);
    job->inside.inside = job->inside.on_surface || job->open_winding > 0.5f;
    return status;
}

static graze_status ask(void *task, graze_error *error)
{
    touch_job *job = task;
    graze_triangle_list list = {.report = take_triangles, .user = &job->base.found};
    return job->ask == ASK_POINT
               ? ask_point(job, error)
               : graze_touch(job->base.bodies[0], &job->shape, &list, &job->base.how, error);
}

static void fail(const void *task, const char *text)
{
    fail_usage("touch: %s: %s", asks[((const touch_job *)task)->ask].name, text);
}

static bool end(void *task)
{
    touch_job *job = task;
    list_sort(&job->base.found, sizeof(uint32_t), 1);
    job->base.hit = job->ask == ASK_POINT ? job->inside.inside : job->base.found.count > 0;
    job->side = job->inside.on_surface ? "on surface" : job->inside.inside ? "inside" : "outside";
    job->winding = job->closed ? (double)job->inside.winding : (double)job->open_winding;
    return true;
}

static bool open_model(void *task)
{
    touch_job *job = task;
    graze_error error;
    if (job->ask == ASK_POINT &&
        graze_model_is_closed(job->base.characters.of[0]->model, &job->closed, &error))
        return refuse("touch: %s", error.text);
    if (job->ask == ASK_POINT)
        job->base.shown |= job->closed ? SHOW_CLOSED : SHOW_OPEN;
    return true;
}

/* ---- fields -------------------------------------------------------------------------------- */

typedef struct triangle_item {
    uint32_t triangle;
    const char *part, *mesh;
} triangle_item;

static void fill_triangle(const void *task, size_t i, void *item)
{
    const query_job *job = task;
    const struct character *character = job->characters.of[0];
    uint32_t triangle = ((const uint32_t *)job->found.items)[i];
    *(triangle_item *)item = (triangle_item){triangle, triangle_part(character, triangle),
                                             triangle_mesh(character, triangle)};
}

static const struct field triangle_fields[] = {
    {"", "triangle", "  %u", FIELD_INDEX, AT(triangle_item, triangle)},
    {NULL, "part", " of %s", FIELD_TEXT, AT(triangle_item, part)},
    {NULL, "mesh", NULL, FIELD_TEXT, AT(triangle_item, mesh)}};
static const field_list triangle_list = {FIELDS(triangle_fields), OF_FOUND, .fill = fill_triangle};

#define OF_TOUCH(member) AT(touch_job, member)

/* A row a triangle; a frame where only the number of them or a point is asked about. */
static const struct field fields[] = {
    TIME_FIELDS,
    {"inside", "inside", NULL, FIELD_TRUTH, OF_TOUCH(inside.inside), .needed = SHOW_POINT},
    {NULL, NULL, "  %-10s", FIELD_TEXT, OF_TOUCH(side), .needed = SHOW_POINT},
    {"winding", NULL, NULL, FIELD_INTEGER, OF_TOUCH(inside.winding), .needed = SHOW_CLOSED},
    {"winding", NULL, NULL, FIELD_FLOAT, OF_TOUCH(open_winding), .needed = SHOW_OPEN},
    {NULL, "winding", "  winding %g", FIELD_NUMBER, OF_TOUCH(winding), .needed = SHOW_POINT},
    {"on_surface", "on_surface", NULL, FIELD_TRUTH, OF_TOUCH(inside.on_surface),
     .needed = SHOW_POINT},
    {"closed", NULL, NULL, FIELD_TRUTH, OF_TOUCH(closed), .needed = SHOW_POINT},
    {"hit", NULL, NULL, FIELD_TRUTH, OF_JOB(hit), .needed = SHOW_SHAPE},
    {"count", NULL, "  %7zu triangles", FIELD_COUNT, OF_JOB(found.count), .needed = SHOW_SHAPE},
    {NULL, "count", NULL, FIELD_COUNT, OF_JOB(found.count), .needed = SHOW_SHAPE | ROWS_FRAMES},
    {"triangles", "", "", FIELD_LIST, .needed = SHOW_ITEMS, .list = &triangle_list},
    {NULL, "us", NULL, FIELD_US, OF_JOB(us), .needed = ROWS_FRAMES},
    STATS_FIELDS};

static const struct option rows[] = {
    OPTION_HEADING_ROW("what is asked, one of"),
    {"--sphere", "X,Y,Z,R", OPTION_TEXT, AT(touch_job, texts[ASK_SPHERE]), "centre and radius"},
    {"--capsule", "X,Y,Z,X,Y,Z,R", OPTION_TEXT, AT(touch_job, texts[ASK_CAPSULE]),
     "ends and radius"},
    {"--box", "X,Y,Z,HX,HY,HZ[,Q]", OPTION_TEXT, AT(touch_job, texts[ASK_BOX]),
     "centre, half sides, and a quaternion x,y,z,w to turn it by"},
    {"--plane", "NX,NY,NZ,D", OPTION_TEXT, AT(touch_job, texts[ASK_PLANE]),
     "points with n . x = d"},
    {"--half-space", "NX,NY,NZ,D", OPTION_TEXT, AT(touch_job, texts[ASK_HALF_SPACE]),
     "points with n . x <= d"},
    {"--point", "X,Y,Z", OPTION_TEXT, AT(touch_job, texts[ASK_POINT]),
     "inside or outside; open models by their solid angle"},
    OPTION_HEADING_ROW("and"),
    FIRST_ROW("stop at the first triangle"),
    COUNT_ROW("leave out the triangles"),
    FAIL_ON_HIT_ROW("exit with 1 if any triangle meets the shape, or the point is inside"),
    MODEL_ROWS,
    PART_ROWS,
    HOW_ROWS("lazy|brute", "both give the same")};

const struct command touch_command = {
    .name = "touch",
    .summary = "which triangles meet a sphere, box or plane; is a point inside",
    .usage = "MODEL --sphere|--capsule|--box|--plane|--half-space|--point NUMBERS [options]",
    .about = "Lists the triangles that meet a shape, or tells whether a point is inside.",
    .example = "graze touch man.glb --capsule 0,0,0.3,0,1.8,0.3,0.1 --times all",
    OPTIONS(rows),
    ONE_MODEL,
    JOB(touch_job, .base = QUERY_DEFAULTS),
    QUERY(.body_count = 1, .role = INSTANCE_FIRST, FIELDS(fields), .check = check,
          .open = open_model, .ask = {ask}, .fail = fail, .end = end)};
