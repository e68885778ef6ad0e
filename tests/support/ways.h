/* Every question that bodies can be asked, as a table (ways.c), with scenes to ask them in
 * (ways_scenes.c) and the answers of brute force: for tests that ask in all kinds of ways.
 */
#ifndef GRAZE_TESTS_SUPPORT_WAYS_H
#define GRAZE_TESTS_SUPPORT_WAYS_H

#include "harness.h"
#include "support/answers.h"
#include "support/deform_skins.h"
#include "support/own.h"

#include <graze/graze.h>
#include <graze/rig.h>

/* clang-format off */
#define WAYS_QUESTIONS(X)                                                                          \
    X(pairs) X(self_pairs) X(self_pairs_filter) X(pairs_within) X(distance)                        \
    X(cast) X(cast_all) X(cast_many) X(touch) X(touch_contacts)                                    \
    X(inside) X(winding_number) X(cull)                                                            \
    X(sweep) X(sweep_all) X(sweep_shape) X(sweep_shape_all) X(contacts) X(contacts_from_pairs)
/* clang-format on */

#define WAYS_ASK(name) ASK_##name,
typedef enum ways_question { WAYS_QUESTIONS(WAYS_ASK) ASK_COUNT } ways_question;
#undef WAYS_ASK

enum {
    WAYS_RAYS = 70,
    WAYS_JOINTS = 5, /* and parts of a worm */
    WAYS_PART_WORDS = 8,
    WAYS_SETS = 3, /* pairs of them in a filter, at most */
    WAYS_THREADS = 3,
    WAYS_KINDS = 5,               /* of scenes of worms */
    WAYS_RANDOM = WAYS_KINDS,     /* the first of random meshes, each another */
    WAYS_CHARACTERS = 1000000000, /* the first of characters, one for each of support/rigs.h */
    WAYS_RELATIONS = 3,           /* of bodies: deep, touching, apart */
    WAYS_WORDS = 16               /* of the largest answer */
};

/* ---- answers --------------------------------------------------------------------------------- */

/* Lists of answers have records of WAYS_WORDS words: the bytes of the answer, with zero in place of
 * padding and behind it. Whether that of a hit, impact or nearest pair says that it was found.
 */
bool ways_found(const answers *list, size_t i);

void ways_join(answers *list, const answers *more);

/* The list is sorted. */
bool ways_are_all_in(const answers *part, const answers *list);

/* Where the answers of one call go. */
typedef struct ways_answer {
    ways_question question;
    union {
        graze_pair_list pairs;
        graze_hit_list hits;
        graze_triangle_list triangles;
        graze_contact_list contacts;
        graze_impact_list impacts;
    } list;                        /* their layout is the same */
    void *place;                   /* of the array, or of answers that are no list */
    size_t capacity;               /* of it */
    answers found;                 /* after ways_end; lists are sorted */
    uint32_t calls;                /* of the callback */
    bool stop;                     /* what it says */
    void (*meanwhile)(void *user); /* what it does; NULL: nothing */
    void *user;
} ways_answer;

typedef enum ways_mode { WAYS_ARRAY, WAYS_CALLBACK } ways_mode;

/* Prepares for a call, with noise where the answer goes. An array of capacity 0 is NULL. */
void ways_begin(ways_answer *answer, ways_question question, ways_mode mode, size_t capacity);

/* Makes noise of the answer again, for another run of the batch that has it. */
void ways_reset(ways_answer *answer);

/* Takes what was found. */
void ways_end(ways_answer *answer);

/* Whether nothing was written but the answer; nothing at all if the call was refused. */
bool ways_is_clean(const ways_answer *answer, bool refused);
void ways_drop(ways_answer *answer);
OWN_VALUE(ways_answer, ways_drop)

/* ---- scenes ---------------------------------------------------------------------------------- */

typedef struct ways_bodies {
    graze_body *all[4]; /* a, its end, b, its end */
    graze_contact_finder *finder;
} ways_bodies;

/* What questions are about. */
typedef struct ways_arguments {
    graze_ray rays[WAYS_RAYS];
    graze_shape shape, moved, touched, region;
    float point[3];
    double limit, within;
    uint32_t depth;
    bool sweeps_itself, stands;
} ways_arguments;

/* What the bodies of a side are made of. */
typedef struct ways_side {
    graze_rig *worm;
    const graze_rig *character;
    deform_skin skin; /* of a random mesh; of others the morph targets */
    uint32_t vertex_count, triangle_count, joint_count, morph_count;
    const uint32_t *triangles;
    graze_morph_target *targets; /* of a character */
    uint32_t *parts;             /* of a random mesh */
    float *rest;                 /* joints of a worm */
    float centre[3];
    double size;
    bool lattice;
    graze_model_def def;
} ways_side;

typedef struct ways_scene {
    uint32_t kind, seed, relation;
    char name[96];
    ways_side sides[2];
    graze_model *models[2];
    bool borrows;         /* models and bodies are somebody else's */
    bool has_other_trees; /* the twins' models have */
    graze_model *cut[2];  /* the twins', after ways_cut */
    uint32_t *names[2]; /* the numbers of their triangles in the whole model, ascending; or NULL */
    bool given;         /* positions in place of poses */
    bool keeps_denormals;              /* where twins are asked, whatever the mode is */
    void (*between_steps)(void *user); /* of a budget; NULL: nothing happens there */
    void *user;
    graze_history *history;
    graze_checkpoint *checkpoint;
    graze_batch *batch;
    graze_pool *pool;
    ways_bodies usual, lean, twins;    /* of twins only brute force is asked */
    ways_bodies threads[WAYS_THREADS]; /* the usual bodies with other finders */
    test_random random;
    float *joints[4], *weights[4], *positions[4], placements[4][12];
    double unit; /* what sizes and distances are drawn in */
    ways_arguments about;
    uint32_t sets[2 * WAYS_SETS][WAYS_PART_WORDS], rows[WAYS_JOINTS];
    graze_part_sets part_sets[WAYS_SETS];
    graze_part_filter filter;
    answers references[ASK_COUNT][2]; /* of everything, and of what is new */
    bool known[ASK_COUNT][2];
    char label[192]; /* of the present test, for failures */
} ways_scene;

extern const char *const ways_relation_names[WAYS_RELATIONS];

/* Aborts when out of memory; NULL if there is no such character. */
ways_scene *ways_open(uint32_t kind);
void ways_close(ways_scene *scene);

/* A scene over bodies that somebody else has and poses: two of each model, and their twins, of
 * models with trees of their own if that is said. Draw, whenever they were posed, what questions
 * are about. It is closed before the bodies are.
 */
ways_scene *ways_over(graze_body *const bodies[4], graze_body *const twins[4], bool other_trees,
                      const char *name);
void ways_draw(ways_scene *scene, uint32_t seed);

/* Another finder for the usual bodies, for one more thread. */
graze_contact_finder *ways_finder(const ways_scene *scene);

/* Poses all bodies and draws what questions are about. */
void ways_pose(ways_scene *scene, uint32_t seed, uint32_t relation);

/* Sets the pose of the usual bodies again, moved by so much. */
void ways_move_usual(ways_scene *scene, float by);

/* Forgets the references: bodies have changed. */
void ways_forget(ways_scene *scene);

/* Leaves bodies these parts alone, while twins become bodies of models that have nothing else. They
 * are posed as before; what they answer gets the numbers of the whole. False: nothing is left of
 * one side. For scenes that are not masked otherwise.
 */
bool ways_cut(ways_scene *scene, const uint32_t bits[2][WAYS_PART_WORDS]);

/* Of all bodies, the same word for every 32 parts; NULL: all parts. */
void ways_mask(ways_scene *scene, const uint32_t *bits);

/* ---- asking ---------------------------------------------------------------------------------- */

/* What holds for a question. */
typedef struct ways_row {
    const char *name;
    uint32_t item;     /* what an answer is */
    ways_question all; /* the list of all answers of which this gives one; else itself */
    graze_status (*ask)(const ways_scene *scene, const ways_bodies *bodies, ways_answer *answer,
                        const graze_options *options, graze_error *error);
    uint32_t singles;      /* answers if it is no list: 1 or WAYS_RAYS; 0: a list */
    bool has_one_answer;   /* so that options.any is ignored */
    bool takes_new;        /* options.only_new */
    bool is_lazy_only;     /* no other method */
    bool takes_stats_only; /* of all options */
    bool is_nearest;       /* its answer has a measure, and is the least */
    bool is_one_step;      /* for a budget */
} ways_row;

extern const ways_row ways_rows[ASK_COUNT];

/* Asks the question of the answer. */
graze_status ways_ask(ways_scene *scene, const ways_bodies *bodies, ways_answer *answer,
                      const graze_options *options, graze_error *error);

/* Whether query.h says that the question takes these options; NULL: none. */
bool ways_supports(ways_question question, const graze_options *options);

/* The answer by brute force, or the plain one where there is no other, of the twins. What is new,
 * or chosen by a filter, is told from what all of them are.
 */
const answers *ways_reference(ways_scene *scene, ways_question question, bool only_new);

/* Whether found is the right answer to a question with these options. */
bool ways_is_right(ways_scene *scene, ways_question question, const graze_options *options,
                   const answers *found);

/* Whether what a call found before its budget was spent can be right. */
bool ways_is_part(ways_scene *scene, ways_question question, const answers *found);

/* Distance, t or time of an answer that has one; infinity if nothing was found. */
double ways_measure(ways_question question, const answers *found);

#endif
