/* Where a ray meets a body. */
#include "cli/parts.h"
#include "cli/query.h"

#include <math.h>
#include <stdlib.h>

typedef struct ray_item {
    graze_hit hit;
    const char *joint, *part, *mesh;
} ray_item;

typedef struct ray_job {
    query_job base;
    double origin[3], dir[3], t_min, t_max;
    bool all, any;
    graze_ray ray;
    ray_item nearest; /* first in the order of hits */
} ray_job;

enum { SHOW_ALL = SHOW_OWN };

/* ---- fields -------------------------------------------------------------------------------- */

static void fill_hit(const void *task, size_t i, void *item)
{
    const query_job *job = task;
    const struct character *character = job->characters.of[0];
    ray_item *found = item;
    *found = (ray_item){.hit = {.triangle = GRAZE_NONE,
                                .t = NAN,
                                .point = {NAN},
                                .normal = {NAN},
                                .uv = {NAN, NAN},
                                .joint = GRAZE_NONE,
                                .part = GRAZE_NONE}};
    if (i == job->found.count)
        return;
    found->hit = ((const graze_hit *)job->found.items)[i];
    found->joint = joint_name(character, found->hit.joint);
    found->part = part_name(character, found->hit.part);
    found->mesh = triangle_mesh(character, found->hit.triangle);
}

#define OF_HIT(member) AT(ray_item, hit.member)

static const struct field hit_fields[] = {
    {NULL, NULL, "  t %.9g", FIELD_FLOAT, OF_HIT(t)},
    {"triangle", "triangle", "  triangle %u", FIELD_INDEX, OF_HIT(triangle)},
    {NULL, NULL, "  of %s", FIELD_TEXT, AT(ray_item, joint)},
    {"t", "t", NULL, FIELD_FLOAT, OF_HIT(t)},
    {"point", "x,y,z", "  at %.9g,%.9g,%.9g", FIELD_FLOAT, OF_HIT(point), 3},
    {"normal", "normal_x,normal_y,normal_z", "  normal %.6g,%.6g,%.6g", FIELD_FLOAT, OF_HIT(normal),
     3},
    {"uv", "u,v", NULL, FIELD_FLOAT, OF_HIT(uv), 2},
    {"joint", NULL, NULL, FIELD_INDEX, OF_HIT(joint)},
    {"group", NULL, NULL, FIELD_INDEX, OF_HIT(part)},
    {"joint_name", NULL, NULL, FIELD_TEXT, AT(ray_item, joint)},
    {"part", "part", NULL, FIELD_TEXT, AT(ray_item, part)},
    {"mesh", "mesh", NULL, FIELD_TEXT, AT(ray_item, mesh)}};
static const field_list hit_list = {FIELDS(hit_fields), OF_FOUND, .fill = fill_hit};

/* A table has a row a hit; where there is none, one that is empty. */
static const struct field fields[] = {
    TIME_FIELDS,
    {"hit", NULL, NULL, FIELD_TRUTH, OF_JOB(hit)},
    {"", NULL, NULL, FIELD_INLINE, AT(ray_job, nearest), .list = &hit_list},
    {NULL, NULL, "  %5zu hits", FIELD_COUNT, OF_JOB(found.count)},
    {"count", NULL, NULL, FIELD_COUNT, OF_JOB(found.count), .needed = SHOW_ALL},
    {"hits", NULL, NULL, FIELD_LIST, .needed = SHOW_ALL, .list = &hit_list},
    {NULL, "", "", FIELD_LIST, .width = 1, .list = &hit_list},
    STATS_FIELDS};

/* ---- asking -------------------------------------------------------------------------------- */

static bool take_hits(void *list, const graze_hit *hits, size_t count)
{
    list_add(list, hits, count, sizeof *hits);
    return true;
}

static graze_status ask(void *task, graze_error *error)
{
    ray_job *job = task;
    query_job *base = task;
    graze_body *body = base->bodies[0];
    graze_hit_list list = {.report = take_hits, .user = &base->found};
    graze_hit hit;
    if (job->all)
        return graze_cast_all(body, &job->ray, &list, &base->how, error);
    graze_status status = graze_cast(body, &job->ray, &hit, &base->how, error);
    if (!status && hit.found)
        take_hits(&base->found, &hit, 1);
    return status;
}

static int compare(const void *left, const void *right)
{
    const graze_hit *x = left, *y = right;
    if (x->t != y->t)
        return x->t < y->t ? -1 : 1;
    return x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

static bool end(void *task)
{
    ray_job *job = task;
    item_list *found = &job->base.found;
    if (found->count)
        qsort(found->items, found->count, sizeof(graze_hit), compare);
    job->base.hit = found->count > 0;
    fill_hit(job, 0, &job->nearest);
    return true;
}

/* Every number was parsed as finite; it must be so as a float, too. */
static bool check(void *task, const arguments *given)
{
    ray_job *job = task;
    (void)given;
    if (isnan(job->origin[0]) || isnan(job->dir[0]))
        return refuse("ray: no %s X,Y,Z given (see graze help ray)",
                      isnan(job->origin[0]) ? "--origin" : "--dir");
    if (job->all && job->any)
        return refuse("ray: --all and --any exclude each other");
    job->ray = (graze_ray){.t_min = (float)job->t_min, .t_max = (float)job->t_max};
    for (int k = 0; k < 3; k++) {
        job->ray.origin[k] = (float)job->origin[k];
        job->ray.dir[k] = (float)job->dir[k];
    }
    job->base.how.any =
        job->any && !job->base.method; /* brute force finds the nearest all the same */
    job->base.shown = job->all ? SHOW_ALL : 0;
    return true;
}

static const struct option rows[] = {
    OPTION_HEADING_ROW("what is asked"),
    {"--origin", "X,Y,Z", OPTION_VECTOR, AT(ray_job, origin), "where the ray starts"},
    {"--dir", "X,Y,Z", OPTION_VECTOR, AT(ray_job, dir),
     "where it goes; t is in units of its length"},
    {"--tmin", "T", OPTION_NUMBER, AT(ray_job, t_min), "the least t that counts (default 0)"},
    {"--tmax", "T", OPTION_NUMBER, AT(ray_job, t_max), "the greatest (default: no end)"},
    {"--all", NULL, OPTION_FLAG, AT(ray_job, all), "every hit, not the nearest alone"},
    {"--any", NULL, OPTION_FLAG, AT(ray_job, any), "stop at the first hit found, nearest or not"},
    FAIL_ON_HIT_ROW("exit with 1 if anything is hit"),
    MODEL_ROWS,
    PLACED_ROWS,
    PART_ROWS,
    HOW_ROWS("lazy|brute", "both give the same hits")};

const struct command ray_command = {
    .name = "ray",
    .summary = "where a ray meets a posed model",
    .usage = "MODEL --origin X,Y,Z --dir X,Y,Z [options]",
    .about = "Where a ray meets the model, placed as collide places its second instance with the\n"
             "same options. A segment is a ray with --tmax 1.",
    .example = "graze ray man.glb --origin 0,1,5 --dir 0,0,-1 --times all",
    OPTIONS(rows),
    ONE_MODEL,
    JOB(ray_job, .base = QUERY_DEFAULTS, .origin = {NAN}, .dir = {NAN}, .t_max = INFINITY),
    QUERY(.body_count = 1, .role = INSTANCE_ALONE, FIELDS(fields), .check = check, .ask = {ask},
          .end = end)};
