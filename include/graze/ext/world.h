/* A world: many bodies and simple shapes; which of them meet, with which body parts, where, when.
 *
 *     graze_world_create(NULL, &world, &error);
 *     graze_world_rule rule = {0};
 *     rule.contacts = true;
 *     graze_world_set_rule(world, PLAYER, SCENERY, &rule, &error);
 *     graze_world_member_def def = {0};
 *     def.category = PLAYER;
 *     graze_world_add_body(world, body, &def, &id, &error);
 *     every frame:
 *         ... pose the bodies, graze_world_set_shape for shapes that moved
 *         graze_world_update(world, &options, &error);
 *         events = graze_world_events(world, &count);
 *
 * Bodies are surfaces unless added as solid: what lies wholly inside a surface does not meet it.
 * Shapes are always solid. One thread at a time.
 *
 * Guarantee: see graze_level and graze_motion_rule. Events are the same bits for any number of
 * threads.
 *
 * Standing: experimental; all of it may change in any version.
 */
#ifndef GRAZE_EXT_WORLD_H
#define GRAZE_EXT_WORLD_H

#include <graze/contact.h>
#include <graze/ext/hitbox.h>
#include <graze/ray.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_world graze_world;

#define GRAZE_MAX_CATEGORIES 64

/* A body or shape in a world. After a removal its index is used again with another generation, so
 * that an old id is refused. All zero is never valid.
 */
typedef struct graze_world_id {
    uint32_t index;
    uint32_t generation;
} graze_world_id;

/* How closely two members are compared. */
typedef enum graze_level {
    GRAZE_LEVEL_EXACT = 0,    /* they meet if graze_pairs or graze_touch finds something; two shapes
                                 are decided in double */
    GRAZE_LEVEL_HITBOXES = 1, /* conservative: they meet if outer hitboxes overlap. A shape is its
                                 own hitbox; a body without hitboxes is compared by triangles */
    GRAZE_LEVEL_BOUNDS = 2,   /* conservative: they meet if boxes around them overlap */
    GRAZE_LEVEL_IGNORE = 3    /* they never meet */
} graze_level;

/* What is compared on the path from the last update to this one. All points move in straight lines,
 * as in sweep.h. All but the first look for members that meet and separate between two updates. New
 * members, and shapes whose kind changed, count as not having moved. At GRAZE_LEVEL_BOUNDS all but
 * the first sweep the boxes.
 */
typedef enum graze_motion_rule {
    GRAZE_MOTION_DISCRETE = 0,  /* only where they are now */
    GRAZE_MOTION_SWEPT = 1,     /* conservative: a sphere around the smaller one, all of the path */
    GRAZE_MOTION_SAMPLED = 2,   /* approximate: up to 64 steps of an eighth of the smaller one's
                                   radius; what happens between two steps is missed */
    GRAZE_MOTION_CONTINUOUS = 3 /* conservative, as graze_sweep; turning half-spaces are sampled */
} graze_motion_rule;

/* What two categories mean to each other. Zero: exact, discrete, without contacts. */
typedef struct graze_world_rule {
    graze_level level;
    graze_motion_rule motion; /* unless discrete, the world keeps a second body for each mover */
    bool contacts;            /* events have contacts; at GRAZE_LEVEL_BOUNDS they never have */
    uintptr_t reserved[2];
} graze_world_rule;

typedef struct graze_world_member_def {
    uint32_t category;              /* below GRAZE_MAX_CATEGORIES */
    bool solid;                     /* a closed body: what lies inside meets it too, unless a part
                                       mask is set. Shapes ignore it */
    const graze_hitboxes *hitboxes; /* of the body's model, for GRAZE_LEVEL_HITBOXES; must outlive
                                       the member. NULL: none */
    void *user_data;                /* returned by graze_world_user_data */
    uintptr_t reserved[2];
} graze_world_member_def;

/* Makes an empty world. Everything meets everything at GRAZE_LEVEL_EXACT until rules say otherwise.
 *   - allocator NULL: graze_default_allocator(). Updates use it from all threads of their pool.
 *   - *world is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_create(const graze_allocator *allocator,
                                                   graze_world **world, graze_error *error);

/* Frees the world, not its bodies. NULL is fine. */
GRAZE_EXPERIMENTAL void graze_world_destroy(graze_world *world);

/* Sets the rule between two categories, which may be the same, from the next update on. After
 * GRAZE_BAD_INPUT the old rule stays.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_set_rule(graze_world *world, uint32_t category_a,
                                                     uint32_t category_b,
                                                     const graze_world_rule *rule,
                                                     graze_error *error);

/* Adds a body, which must outlive its membership. Each update uses its pose, positions and mask of
 * that moment. def NULL: all zero.
 *   - The body is not in this world yet. *id is set on success only.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_add_body(graze_world *world, graze_body *body,
                                                     const graze_world_member_def *def,
                                                     graze_world_id *id, graze_error *error);

/* Adds a shape, which is copied. def NULL: all zero.
 *   - A sphere, capsule, box or half-space, otherwise GRAZE_UNSUPPORTED. def has no hitboxes.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_add_shape(graze_world *world, const graze_shape *shape,
                                                      const graze_world_member_def *def,
                                                      graze_world_id *id, graze_error *error);

/* Moves or replaces a shape. GRAZE_BAD_INPUT if the id is not that of a shape; the old one stays.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_set_shape(graze_world *world, graze_world_id id,
                                                      const graze_shape *shape, graze_error *error);

/* Teleports the shape: the next update treats it as not having moved. Errors as above. */
GRAZE_EXPERIMENTAL graze_status graze_world_teleport_shape(graze_world *world, graze_world_id id,
                                                           const graze_shape *shape,
                                                           graze_error *error);

/* Removes a body or shape. Pairs it was part of end at the next update. GRAZE_BAD_INPUT if the id
 * is not in the world.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_remove(graze_world *world, graze_world_id id,
                                                   graze_error *error);

/* Returns the user_data of a member; NULL if the id is not in the world. */
GRAZE_EXPERIMENTAL void *graze_world_user_data(const graze_world *world, graze_world_id id);

/* Finds which members meet now.
 *   - options: pool and stats only; the others are GRAZE_UNSUPPORTED.
 *   - Do not touch the bodies until the call returns.
 *   - Allocates only when the world grows beyond its largest size so far.
 * After an error there are no events, and the next update compares with the last that succeeded.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_update(graze_world *world, const graze_options *options,
                                                   graze_error *error);

typedef enum graze_event_kind {
    GRAZE_EVENT_BEGIN = 0, /* they meet, and did not at the last update */
    GRAZE_EVENT_STAY = 1,  /* they meet, and did */
    GRAZE_EVENT_END = 2    /* they did and do not, or one was removed */
} graze_event_kind;

/* Two members that meet, or no longer meet. */
typedef struct graze_world_event {
    graze_event_kind kind;
    graze_level level; /* of the rule; an end has that of the meeting that ends */
    graze_motion_rule motion;
    graze_world_id a, b; /* a has the smaller index */
    float time;          /* begin, if motion is not discrete: when they first met, as a fraction of
                            the time since the last update. Otherwise 1 */
    bool capped;         /* a begin: sampling needed more than 64 steps */
    bool inside;         /* one lies inside the other, which is solid; surfaces do not meet */
    uint64_t pair_count; /* exact level: pairs of triangles that meet; with a shape, triangles that
                            meet it; 1 if they met on the path only. Two shapes, or an end: 0 */
    uint32_t part_count; /* 0 at an end, at GRAZE_LEVEL_BOUNDS, and if inside */
    uint32_t contact_count;        /* 0 unless the rule has contacts */
    const graze_pair *parts;       /* parts of a and b that meet, sorted; 0 of a shape */
    const graze_contact *contacts; /* sorted by parts */
} graze_world_event;

/* Returns the events of the last update, sorted by the indices of a, then b; an end comes before a
 * begin with the same indices. Two members that met and separated between two updates have a begin,
 * then an end; parts and contacts are those of the moment they met. Valid until the next update.
 * *count is set; NULL if there are none.
 *
 * Contacts of two bodies at the exact level are those of graze_contacts, split by part; triangles
 * are those with the longest segment. At the hitbox level, if all hitboxes include inner ones, they
 * are those of graze_hitbox_contacts. All others are combined, one for each pair of parts; two
 * half-spaces have one only if they face each other. If one member is inside the other without
 * touching it, there are none.
 */
GRAZE_EXPERIMENTAL const graze_world_event *graze_world_events(const graze_world *world,
                                                               size_t *count);

/* Returns how many pairs of the last update had overlapping boxes and a rule other than ignore. */
GRAZE_EXPERIMENTAL size_t graze_world_candidate_count(const graze_world *world);

/* ---- questions ------------------------------------------------------------------------------ */

/* Rays, shapes and points against all members, as they are at the moment of the call; no update is
 * needed. The world keeps a tree of boxes and renews what changed since the last question: that
 * costs some tens of nanoseconds for each member that changed, at the first question after it.
 *
 *     graze_world_filter filter = {0};
 *     filter.except = shooter;
 *     graze_world_cast(world, &ray, &filter, &hit, NULL, &error);
 *     if (hit.hit.found) hurt(graze_world_user_data(world, hit.id), hit.hit.part);
 *
 *   - Bodies are asked by their triangles (GRAZE_LEVEL_EXACT), with their part masks. Rules, levels
 *     and hitboxes play no role. Shapes are solid.
 *   - options: any, method, pool and stats, as in query.h; the others are GRAZE_UNSUPPORTED.
 *     GRAZE_BRUTE asks every member without the tree. A pool helps the functions with `many`.
 *   - Do not touch the bodies until the call returns. A callback may not use the world.
 *   - Allocates only when the world, or an answer, grows beyond its largest size so far. Low-memory
 *     bodies give back caches that they borrowed for the call. With a pool, up to 512 rays, shapes
 *     or points are asked at a time; all bodies that they meet have caches then.
 *
 * Guarantee: of bodies that of graze_cast, graze_touch and graze_inside. Shapes are decided in
 * double. Answers are the same bits for any number of threads.
 */

/* Who is asked. NULL, or all zero: every member. */
typedef struct graze_world_filter {
    uint64_t categories;   /* bit c: members of category c are asked. 0: those of all categories */
    graze_world_id except; /* is not asked: the one who shoots. All zero: nobody */
    uintptr_t reserved[2];
} graze_world_filter;

/* Where a ray meets a member. */
typedef struct graze_world_hit {
    graze_world_id id; /* all zero if nothing is hit */
    uint32_t category;
    graze_hit hit; /* of a shape: triangle is GRAZE_NONE, part, joint and uv are 0. A ray that
                      starts inside a shape meets it at t_min, with normal 0 */
} graze_world_hit;

/* Where hits go: see "lists" in query.h. */
typedef struct graze_world_hit_list {
    graze_world_hit *items;
    size_t capacity;
    bool (*report)(void *user, const graze_world_hit *hits, size_t count);
    void *user;
    size_t count, total;
} graze_world_hit_list;

/* Finds the nearest hit: the smallest t; of equal ones the member with the lowest index, then the
 * lowest triangle.
 *   - options.any finds any hit, for lines of sight.
 *   - filter may be NULL, here and below. An `except` that is not in the world is GRAZE_BAD_INPUT.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_cast(graze_world *world, const graze_ray *ray,
                                                 const graze_world_filter *filter,
                                                 graze_world_hit *hit, const graze_options *options,
                                                 graze_error *error);

/* Finds all hits, each triangle once, and once each shape that the ray meets: where it enters. */
GRAZE_EXPERIMENTAL graze_status graze_world_cast_all(graze_world *world, const graze_ray *ray,
                                                     const graze_world_filter *filter,
                                                     graze_world_hit_list *hits,
                                                     const graze_options *options,
                                                     graze_error *error);

/* Finds the nearest hit of each of many rays: hits[i] is that of rays[i], as by graze_world_cast.
 *   - rays and hits have count elements; both may be NULL if count is 0.
 *   - A bad ray is GRAZE_BAD_INPUT with its number, and nothing is answered.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_cast_many(
    graze_world *world, const graze_ray *rays, size_t count, const graze_world_filter *filter,
    graze_world_hit *hits, const graze_options *options, graze_error *error);

/* A body part, or a shape, that meets a shape. */
typedef struct graze_world_touched {
    graze_world_id id;
    uint32_t category;
    uint32_t part;           /* 0 of a shape */
    uint32_t triangle;       /* the lowest one of that part that meets it; GRAZE_NONE of a shape */
    uint32_t triangle_count; /* how many do; 0 of a shape */
    bool inside; /* no triangle does, but the shape lies inside the body, which is solid. part and
                    triangle_count are 0 then, triangle GRAZE_NONE */
} graze_world_touched;

/* Where those go: see "lists" in query.h. */
typedef struct graze_world_touched_list {
    graze_world_touched *items;
    size_t capacity;
    bool (*report)(void *user, const graze_world_touched *touched, size_t count);
    void *user;
    size_t count, total;
} graze_world_touched_list;

/* Finds all body parts and shapes that meet a shape, those of a member together, parts ascending.
 *   - A sphere, capsule, box or half-space, otherwise GRAZE_UNSUPPORTED.
 *   - options.any: any one of them; its triangle is then any that meets the shape, and counted
 *     alone.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_touch(graze_world *world, const graze_shape *shape,
                                                  const graze_world_filter *filter,
                                                  graze_world_touched_list *touched,
                                                  const graze_options *options, graze_error *error);

/* The same for many shapes: lists[i] is that of shapes[i]. Callbacks run one at a time. */
GRAZE_EXPERIMENTAL graze_status graze_world_touch_many(
    graze_world *world, const graze_shape *shapes, size_t count, const graze_world_filter *filter,
    graze_world_touched_list *lists, const graze_options *options, graze_error *error);

/* The point of all surfaces, of bodies and of shapes, that is nearest to a given point. */
typedef struct graze_world_nearest_point {
    bool found;  /* false: nothing is within the limit, and the rest is 0 */
    bool behind; /* the given point is behind the surface there: inside a shape, inside a body that
                    is closed and has no part mask */
    graze_world_id id;
    uint32_t category;
    uint32_t part, triangle; /* 0 and GRAZE_NONE of a shape */
    double distance;         /* from the surface, not negative */
    float point[3];
    float normal[3]; /* of the surface there, outwards; 0 if a triangle has no area */
} graze_world_nearest_point;

/* Finds the nearest point of all members if it is at most limit away: of equally near ones that of
 * the lowest index, then the lowest triangle.
 *   - The point is finite and below 1e18 in magnitude. limit is not negative; INFINITY: no limit.
 *   - options.any finds some point within the limit. The method is GRAZE_LAZY.
 * Guarantee: in double, then rounded; the distance is off by at most 2^-40 of the lengths involved.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_nearest(graze_world *world, const float point[3],
                                                    double limit, const graze_world_filter *filter,
                                                    graze_world_nearest_point *nearest,
                                                    const graze_options *options,
                                                    graze_error *error);

/* The same for many points, three floats each: nearest[i] is that of point i. */
GRAZE_EXPERIMENTAL graze_status graze_world_nearest_many(graze_world *world, const float *points,
                                                         size_t count, double limit,
                                                         const graze_world_filter *filter,
                                                         graze_world_nearest_point *nearest,
                                                         const graze_options *options,
                                                         graze_error *error);

/* Finds the members that a point is in, at most `capacity` of them, by their indices: shapes, and
 * bodies that are closed (graze_model_is_closed) and have no part mask.
 *   - *count is set to how many there are, which may be more. ids NULL: capacity 0.
 *   - The point is finite and below 1e18 in magnitude.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_inside(graze_world *world, const float point[3],
                                                   const graze_world_filter *filter,
                                                   graze_world_id *ids, size_t capacity,
                                                   size_t *count, const graze_options *options,
                                                   graze_error *error);

/* Checks what updates rely on: ids, counts, the order of pairs, and that every box holds its body,
 * if the body is in the pose of the last update. For debug builds and bug reports: poses every
 * vertex. The error of GRAZE_CORRUPT names the first thing that is wrong. Allocates nothing and
 * changes no answer.
 */
GRAZE_EXPERIMENTAL graze_status graze_world_validate(const graze_world *world, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
