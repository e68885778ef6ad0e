/* Inside a simulation.
 *
 *     sim.c     the simulation            kinds.c    what bodies of a kind share
 *     bodies.c  bodies and planes         step.c     one step after the other
 *     find.c    who meets whom            exact.c    contacts by triangles
 *     proxies.c by spheres                points.c   what the solver works on
 *     solve.c   impulses                  colours.c  which pairs go at once
 *     move.c    motion over a step        sleep.c    who rests
 *     report.c  totals and statistics     state.c    stopped and resumed
 *     common.c  memory and errors
 *
 * What persists from step to step, and is saved: `steps`, `bodies`, `weights`, `weight_speeds`,
 * `targets`, `target_weights`, `warm`. All are plain numbers without pointers, padding zeroed.
 * Everything else is made at start or within a step.
 */
#ifndef GRAZEI_SIM_SIM_H
#define GRAZEI_SIM_SIM_H

#include <graze/body.h>
#include <graze/contact.h>
#include <graze/ext/response.h>
#include <graze/ext/world.h>
#include <graze/sim.h>

/* A list that only grows. */
typedef struct grazei_sim_list {
    void *items;
    size_t count, capacity;
} grazei_sim_list;

#define GRAZEI_SIM_AT(list, type, i) (((type *)(list).items)[i])

/* One mode over a step of h seconds, under a force that is constant in it: weights go by
 *     u+ = uu u + uv v + uf f        v+ = vu u + vv v + vf f,
 * where f is the modal force over scale squared.
 */
typedef struct grazei_sim_mode {
    double uu, uv, uf, vu, vv, vf;
    double inverse_mass; /* 1 / scale^2 */
    double give;         /* inverse_mass x uf / h^2: mean speed over the step per impulse */
    double stiffness;    /* w^2, for energy */
    double strain;
    bool active;
} grazei_sim_mode;

typedef struct grazei_sim_kind {
    const graze_model *model; /* held by the pool of caches */
    graze_cache_pool *caches;
    graze_sim_motion motion;
    uint32_t vertex_count, mode_count, active_modes, body_count;
    double mass, inverse_mass, centre[3];
    double inertia[3][3], inverse_inertia[3][3];
    double max_strain, stiffness, damping, friction;
    double radius;         /* of the vertices at rest about the centre */
    float *rest;           /* 3 a vertex */
    float *shapes;         /* 3 x mode_count a vertex: one contact touches one run of memory */
    graze_sim_mode *given; /* as the def had them; for the fingerprint */
    grazei_sim_mode *modes;

    /* Proxies: nodes on the contact level, or leaves above it. */
    bool proxies;
    double proxy_radius;
    uint32_t proxy_count, node_count;
    uint32_t *proxy_triangles; /* a node: the nearest to its centre at rest, or GRAZE_NONE of
                                  one that is no proxy */
} grazei_sim_kind;

/* What persists of a body. */
typedef struct grazei_sim_state {
    double position[3], rotation[4];
    double velocity[3], angular[3];
    double rested; /* seconds within reach of where it began to rest */
    double rest_position[3], rest_rotation[4];
    uint32_t kind;
    uint32_t first_weight; /* in weights and weight_speeds */
    uint32_t asleep;       /* 0 or 1 */
    uint32_t has_target;   /* of an animated one: targets has where it goes */
} grazei_sim_state;

/* Where an animated body goes, one a body. Its weights are in target_weights, as weights are. */
typedef struct grazei_sim_target {
    double position[3], rotation[4];
} grazei_sim_target;

/* A point of the step before. */
typedef struct grazei_sim_warm {
    uint32_t a, b;     /* b of a plane: its number | GRAZEI_SIM_PLANE */
    double local[3];   /* in a's frame, about its centre */
    double other[3];   /* the same in b's; 0 of a plane */
    double normal;     /* impulses: along the normal, */
    double tangent[3]; /* and across it, world */
    double held;       /* the largest normal impulse since one of the two sleeps: what carries it */
} grazei_sim_warm;

#define GRAZEI_SIM_PLANE 0x80000000u

/* Classes of the world. */
enum { GRAZEI_SIM_BODIES = 0, GRAZEI_SIM_PLANES = 1 };

/* What a thread works with. */
typedef struct grazei_sim_thread {
    grazei_sim_list finders; /* graze_contact_finder *, kinds x kinds */
    graze_point_finder *touches;
    grazei_sim_list contacts; /* graze_sim_contact */
    grazei_sim_list spots;    /* grazei_sim_spot, of all its pairs */
    grazei_sim_list pieces;   /* graze_contact, of one pair of bodies */
    grazei_sim_list hits;     /* grazei_sim_hit, of one pair of bodies with proxies */
    grazei_sim_list nodes;    /* uint32_t, a stack */
    graze_stats stats;
    uint64_t found;
    graze_error failure; /* of the pair with the lowest number that failed */
    size_t failed;
} grazei_sim_thread;

/* Two that may meet, and what came of it. */
typedef struct grazei_sim_pair {
    uint32_t a, b; /* b as in grazei_sim_warm */
    uint32_t thread;
    uint32_t contact_count, spot_count;
    size_t first_contact, first_spot; /* of the thread's; after find, of the simulation's */
    uint32_t first_point, point_count;
    size_t first_row;
    uint32_t colour;
} grazei_sim_pair;

/* Where the solver pushes: a point with its places on both bodies. */
typedef struct grazei_sim_spot {
    uint32_t contact; /* of the pair's: 0 is its first */
    float point[3], normal[3];
    float depth;
    float share;           /* of the contact's stiffness */
    uint32_t triangles[2]; /* the second is GRAZE_NONE of a plane */
} grazei_sim_spot;

/* Two spheres that overlap. */
typedef struct grazei_sim_hit {
    uint32_t a, b; /* nodes; b GRAZE_NONE of a plane */
    float point[3], normal[3], depth;
} grazei_sim_hit;

/* A point in the solver. Rows of its modes are in `rows`, at first_row: 3 x modes of a, then of b,
 * along the normal and two tangents.
 */
typedef struct grazei_sim_point {
    double directions[3][3]; /* normal and two tangents */
    double arms[2][3];       /* from the centres of a and b */
    double turns[2][3][3];   /* inverse inertia x (arm x direction), of a and b */
    double target;           /* speed apart that it drives at */
    double softness;
    double friction;
    double inverse[3]; /* of what an impulse along each direction does */
    double drift[3];   /* speed of b's surface that nothing changes (animated) */
    double impulse[3];
    size_t first_row;
} grazei_sim_point;

/* A body while impulses are found. */
typedef struct grazei_sim_moving {
    double velocity[3], angular[3];
    double inverse_mass; /* 0: heavy */
    double inverse_inertia[3][3];
    uint32_t touched; /* has points */
} grazei_sim_moving;

struct graze_sim {
    graze_allocator allocator;
    graze_sim_def def;
    graze_world *world;
    grazei_sim_list kinds;   /* grazei_sim_kind */
    grazei_sim_list planes;  /* graze_sim_plane */
    grazei_sim_list members; /* uint32_t a place of the world: body, or plane | GRAZEI_SIM_PLANE */
    grazei_sim_list posed;   /* graze_body *, one a body */

    /* What persists. */
    uint64_t steps;
    grazei_sim_list bodies;         /* grazei_sim_state */
    grazei_sim_list weights;        /* double */
    grazei_sim_list weight_speeds;  /* double */
    grazei_sim_list targets;        /* grazei_sim_target, one a body */
    grazei_sim_list target_weights; /* double, as weights */
    grazei_sim_list warm;           /* grazei_sim_warm, by pair */

    /* Poses that bodies do not have yet: one byte a body. All after a load. */
    grazei_sim_list stale; /* uint8_t */

    /* Within a step. */
    grazei_sim_list threads;     /* grazei_sim_thread */
    grazei_sim_list pairs;       /* grazei_sim_pair */
    grazei_sim_list order;       /* uint32_t: pairs by colour */
    grazei_sim_list colours;     /* uint32_t: where each begins in order */
    grazei_sim_list marks;       /* uint64_t a body: colours it has */
    grazei_sim_list uses;        /* uint32_t a body: pairs that are left */
    grazei_sim_list contacts;    /* graze_sim_contact */
    grazei_sim_list spots;       /* grazei_sim_spot */
    grazei_sim_list points;      /* grazei_sim_point */
    grazei_sim_list rows;        /* double */
    grazei_sim_list moving;      /* grazei_sim_moving, one a body */
    grazei_sim_list mean_speeds; /* double, as weights: of each over the step */
    grazei_sim_list warm_next;
    grazei_sim_list wakes; /* uint8_t a body */
    graze_sim_stats stats;
};

/* ---- common --------------------------------------------------------------------------------- */

/* count items, zeroed; NULL when out of memory. */
void *grazei_sim_allocate(const graze_allocator *allocator, size_t count, size_t size);
void grazei_sim_release(const graze_allocator *allocator, void *memory);

/* Makes room for `need` items in all; false when out of memory. New room is zeroed. */
bool grazei_sim_reserve(const graze_sim *sim, grazei_sim_list *list, size_t need, size_t size);

/* On Windows gcc takes printf for Microsoft's. */
#if defined(__MINGW32__) && !defined(__clang__)
#define GRAZEI_SIM_PRINTF gnu_printf
#else
#define GRAZEI_SIM_PRINTF printf
#endif

graze_status grazei_sim_fail(graze_error *error, graze_status status, const char *format, ...)
    __attribute__((format(GRAZEI_SIM_PRINTF, 3, 4)));
graze_status grazei_sim_out_of_memory(graze_error *error);

/* GRAZE_BAD_INPUT unless the reserved words of a def, so many bytes, are all zero. */
graze_status grazei_sim_check_reserved(const uintptr_t *words, size_t size, graze_error *error);

static inline grazei_sim_state *grazei_sim_body_at(const graze_sim *sim, uint32_t body)
{
    return &GRAZEI_SIM_AT(sim->bodies, grazei_sim_state, body);
}

static inline const grazei_sim_kind *grazei_sim_kind_at(const graze_sim *sim, uint32_t kind)
{
    return &GRAZEI_SIM_AT(sim->kinds, grazei_sim_kind, kind);
}

static inline const grazei_sim_kind *grazei_sim_kind_of(const graze_sim *sim, uint32_t body)
{
    return grazei_sim_kind_at(sim, grazei_sim_body_at(sim, body)->kind);
}

/* NULL while nobody has modes. */
static inline double *grazei_sim_weights_of(const graze_sim *sim, const grazei_sim_list *list,
                                            uint32_t body)
{
    return list->items ? (double *)list->items + grazei_sim_body_at(sim, body)->first_weight : NULL;
}

/* ---- parts of a simulation ------------------------------------------------------------------- */

void grazei_sim_release_kind(const graze_sim *sim, grazei_sim_kind *kind);
void grazei_sim_release_thread(const graze_sim *sim, grazei_sim_thread *thread);

/* Which nodes are proxies, where the simulation wants them and the model has them. */
graze_status grazei_sim_find_proxies(graze_sim *sim, grazei_sim_kind *kind, graze_error *error);

/* A body posed by placement and weights, as floats. */
graze_status grazei_sim_pose(graze_sim *sim, uint32_t body, graze_error *error);

/* ---- a step ---------------------------------------------------------------------------------- */

/* Pairs that meet, their contacts and spots. */
graze_status grazei_sim_find(graze_sim *sim, graze_pool *pool, graze_error *error);

/* Of one pair, into the thread's lists. */
graze_status grazei_sim_find_exactly(const graze_sim *sim, grazei_sim_thread *thread,
                                     const grazei_sim_pair *pair, graze_error *error);
bool grazei_sim_wants_proxies(const graze_sim *sim, const grazei_sim_pair *pair);
graze_status grazei_sim_find_by_proxies(const graze_sim *sim, grazei_sim_thread *thread,
                                        const grazei_sim_pair *pair, graze_error *error);

/* One more contact or spot of a thread; NULL or false: out of memory. */
graze_sim_contact *grazei_sim_put_contact(const graze_sim *sim, grazei_sim_thread *thread,
                                          const grazei_sim_pair *pair);
bool grazei_sim_put_spot(const graze_sim *sim, grazei_sim_thread *thread,
                         const grazei_sim_spot *spot);

/* Two directions across a unit vector. */
void grazei_sim_tangents(const double normal[3], double first[3], double second[3]);

/* How many numbers rows of a point of a pair take; a point from a spot; impulses to start from. */
size_t grazei_sim_rows_of(const graze_sim *sim, const grazei_sim_pair *pair);
void grazei_sim_fill_point(const graze_sim *sim, const grazei_sim_pair *pair,
                           const grazei_sim_spot *spot, size_t first_row, grazei_sim_point *point);
void grazei_sim_take_warm(const graze_sim *sim, const grazei_sim_pair *pair);

/* The first record of a pair, or where it would be; a point in the frame of the pair's a. */
size_t grazei_sim_find_warm(const graze_sim *sim, uint32_t a, uint32_t b);
void grazei_sim_local_point(const graze_sim *sim, uint32_t body, const double arm[3],
                            double out[3]);

/* Orders pairs by colour. */
#define GRAZEI_SIM_COLOURS 64
graze_status grazei_sim_colour(graze_sim *sim, graze_error *error);

/* Whether impulses move a body in this step. */
bool grazei_sim_moves(const graze_sim *sim, uint32_t body);

/* Mean speed of a weight over the step without forces. */
double grazei_sim_free_speed(const graze_sim *sim, const grazei_sim_mode *mode, double weight,
                             double speed);

graze_status grazei_sim_solve(graze_sim *sim, graze_pool *pool, graze_error *error);

/* Who sleeps, and is met by something fast or left by what carried it: it takes part in this step.
 */
void grazei_sim_find_wakes(graze_sim *sim);

/* Everything moves; then some fall asleep or wake. */
graze_status grazei_sim_move(graze_sim *sim, graze_pool *pool, graze_error *error);
void grazei_sim_sleep(graze_sim *sim);

/* Impulses of this step into warm_next, before bodies move; then they are those of the last. */
void grazei_sim_keep_impulses(graze_sim *sim);
void grazei_sim_swap_impulses(graze_sim *sim);

/* Wakes who touched a body when they were last looked at: it has been put elsewhere. */
void grazei_sim_wake_around(graze_sim *sim, uint32_t body);

/* Whether a body moves, or goes somewhere else in this step. */
bool grazei_sim_is_active(const graze_sim *sim, uint32_t body);

/* ---- after a load: every body is to be posed anew -------------------------------------------- */

void grazei_sim_forget_poses(graze_sim *sim);

#endif
