/* The things that simulated scenes are made of (James & Pai 2004, section 5): chair, fish and ball,
 * which are free, bridge and curtain, which move as an animation has them. Each is a rig (for
 * pictures), a model (for contacts), and what dynamics need to know.
 *
 * Fields of chair and fish are vibration modes, those of the bridge components of its sway: both
 * are found when the kind is made, with graze/numerics.h. The curtain has its own fields.
 */
#ifndef GRAZE_CLI_SIMULATE_KINDS_H
#define GRAZE_CLI_SIMULATE_KINDS_H

#include <graze/rig.h>

typedef enum simulate_thing {
    SIMULATE_CHAIR,   /* plastic: 17,914 triangles, 10 modes */
    SIMULATE_FISH,    /* rubber: 24,776 triangles, 3 modes */
    SIMULATE_BRIDGE,  /* animated: 240,316 triangles, 10 components */
    SIMULATE_CURTAIN, /* animated: 12,006 triangles, 12 fields */
    SIMULATE_BALL,    /* 1,280 triangles, rigid */
    SIMULATE_THING_COUNT
} simulate_thing;

enum { SIMULATE_MOST_FIELDS = 16 };

/* How contacts are found, and with which tree. */
typedef enum simulate_contacts {
    SIMULATE_EXACT,      /* on the default tree */
    SIMULATE_PROXIES,    /* of chair and fish on the paper's tree, at their contact level; the
                            others are exact, as the paper's bridge is met by triangles */
    SIMULATE_EXACT_PAPER /* exact, on the paper's tree: what bench tables need */
} simulate_contacts;

/* A zeroed one is the thing as in the paper, with exact contacts. */
typedef struct simulate_kind_def {
    simulate_thing thing;
    uint32_t triangles; /* 0: as above; else as graze_synth_def takes them */
    bool rigid;         /* no fields: a free one does not deform, an animated one stands still */
    simulate_contacts contacts;
    uint32_t level;        /* of proxies; 0: the paper's, 10 for chairs, 7 for fish */
    double most_frequency; /* Hz: modes from there on are left out; 0: none is */
} simulate_kind_def;

typedef struct simulate_kind {
    simulate_thing thing;
    const char *name;   /* "chair", ... */
    graze_rig *rig;     /* one node and one joint, which stand still; a morph for each field; the
                           centre of mass of a free one is its origin. No clips, but for animated
                           ones: the whole animation, which loops */
    graze_model *model; /* of that rig */
    bool animated;
    double radius;  /* of the sphere around the origin that holds it at rest */
    double size[3]; /* of its box at rest, metres */

    /* Of a free one: a thin shell, a third of each triangle's mass at each corner. */
    double mass;       /* kg */
    double inertia[9]; /* about its centre of mass, kg m2, rows */

    /* Fields, at most SIMULATE_MOST_FIELDS: modes of a free one, as docs/motion.md has them. */
    uint32_t field_count;
    double frequencies[SIMULATE_MOST_FIELDS]; /* Hz, without damping, ascending */
    double damping[SIMULATE_MOST_FIELDS];     /* shares of critical damping */
    double scales[SIMULATE_MOST_FIELDS];      /* a weight's modal mass is scale^2 kg m2 */
    double strains[SIMULATE_MOST_FIELDS];     /* largest strain of a triangle at weight 1 */
    double max_strain;                        /* sum over fields of |weight| x strain, at most */

    /* Contact, SI units. */
    double stiffness, contact_damping, friction; /* N/m and N s/m of a point; ratio */

    /* Of an animated one. */
    uint32_t frame_count; /* the last is followed by the first */
    double frame_seconds;
    double error, largest; /* of the bridge's components: root mean square and largest distance of
                              vertices over all frames, metres; 0 without */
    double *weights;       /* frame_count x field_count */
    double *motion;        /* frame_count x 7: position, rotation x y z w; NULL: it stands */
} simulate_kind;

/* Makes a kind; *kind is set on success only. Takes seconds: chair 3, bridge 20. GRAZE_UNSUPPORTED:
 * a build without numerics, and not rigid; GRAZE_BAD_INPUT: triangles out of range.
 */
graze_status simulate_kind_create(const simulate_kind_def *def, simulate_kind **kind,
                                  graze_error *error);

/* Writes the text, if there is an error to write it to; GRAZE_BAD_INPUT. */
graze_status simulate_refuse(graze_error *error, const char *text);

/* NULL is fine. Bodies of its model go on. */
void simulate_kind_destroy(simulate_kind *kind);

/* Where an animated one is at a time, in seconds from 0 on, cubic between frames and without end:
 * rotation is x y z w, weights holds field_count. A rigid one stands as it does at time 0.
 */
void simulate_kind_animate(const simulate_kind *kind, double seconds, double position[3],
                           double rotation[4], double *weights);

#endif
