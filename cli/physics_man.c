#include "cli/physics_man.h"

#include "cli/primitive_mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* How a man's joints turn: degrees from the pose in which he was bound, right-handed. */
static const char joints[] =
    "{\"friction\": 0.1, \"joints\": ["
    "{\"name\":\"spine.1\",\"axis\":[1,0,0],\"limits\":[[-12,25],[-12,12],[-12,12]]},"
    "{\"name\":\"spine.2\",\"axis\":[1,0,0],\"limits\":[[-12,25],[-12,12],[-12,12]]},"
    "{\"name\":\"spine.3\",\"axis\":[1,0,0],\"limits\":[[-12,25],[-12,12],[-12,12]]},"
    "{\"name\":\"chest\",\"axis\":[1,0,0],\"limits\":[[-10,15],[-10,10],[-10,10]]},"
    "{\"name\":\"neck\",\"axis\":[1,0,0],\"limits\":[[-20,25],[-20,20],[-25,25]]},"
    "{\"name\":\"head\",\"axis\":[1,0,0],\"limits\":[[-20,25],[-20,20],[-35,35]]},"
    "{\"name\":\"upper_arm.L\",\"axis\":[0,0,1],\"limits\":[[-45,110],[-75,75],[-60,60]]},"
    "{\"name\":\"upper_arm.R\",\"axis\":[0,0,1],\"limits\":[[-110,45],[-75,75],[-60,60]]},"
    "{\"name\":\"forearm.L\",\"kind\":\"hinge\",\"axis\":[0.76,0.65,-0.1],\"limits\":[-140,2]},"
    "{\"name\":\"forearm.R\",\"kind\":\"hinge\",\"axis\":[0.76,-0.65,0.1],\"limits\":[-140,2]},"
    "{\"name\":\"hand.L\",\"limits\":[[-60,60],[-20,20],[-20,20]]},"
    "{\"name\":\"hand.R\",\"limits\":[[-60,60],[-20,20],[-20,20]]},"
    "{\"name\":\"thigh.L\",\"axis\":[1,0,0],\"limits\":[[-110,20],[-20,45],[-30,30]]},"
    "{\"name\":\"thigh.R\",\"axis\":[1,0,0],\"limits\":[[-110,20],[-45,20],[-30,30]]},"
    "{\"name\":\"calf.L\",\"kind\":\"hinge\",\"axis\":[1,0,0],\"limits\":[-2,140]},"
    "{\"name\":\"calf.R\",\"kind\":\"hinge\",\"axis\":[1,0,0],\"limits\":[-2,140]}]}";

bool physics_man_make(physics_man *man, graze_synth_kind kind, graze_error *error)
{
    const graze_synth_def made = {.kind = kind};
    const graze_hitboxes_def fit = {0};
    graze_ragdoll_def def = {0};
    return !graze_synth(&made, NULL, &man->rig, error) &&
           !graze_rig_create_model(man->rig, NULL, &man->model, error) &&
           !graze_hitboxes_create(man->model, &fit, &man->fit, error) &&
           !graze_rig_part_names(man->rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &man->parts, error) &&
           !graze_ragdoll_parse(joints, graze_synth_name(kind), &def, &man->limits, error) &&
           !graze_ragdoll_create(man->rig, man->model, man->fit, &def, &man->ragdoll, error);
}

void physics_man_free(physics_man *man)
{
    graze_ragdoll_destroy(man->ragdoll);
    graze_ragdoll_file_destroy(man->limits);
    graze_part_names_destroy(man->parts);
    graze_hitboxes_destroy(man->fit);
    graze_model_destroy(man->model);
    graze_rig_destroy(man->rig);
}

const char *part_in_words(const char *name, char *text, size_t size)
{
    size_t length = strlen(name);
    bool sided = length > 2 && name[length - 2] == '.' &&
                 (name[length - 1] == 'L' || name[length - 1] == 'R');
    snprintf(text, size, "%s%.*s",
             !sided                    ? ""
             : name[length - 1] == 'L' ? "left "
                                       : "right ",
             (int)(sided ? length - 2 : length), name);
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    return text[strlen(text) - 1] == 's' ? "hit" : "hits";
}

/* ---- what stands ---------------------------------------------------------------------------- */

static const double upright[4] = {0, 0, 0, 1};

/* A capsule's mesh stands along y: turned so that it lies along x where the capsule does. */
static void mesh_of(const fixed_row *row, scene_body *body, double at[3], double turn[4])
{
    double sides[3], length = 0;
    memcpy(turn, upright, sizeof upright);
    for (int k = 0; k < 3; k++) {
        at[k] = (row->from[k] + row->to[k]) / 2;
        sides[k] = row->to[k] - row->from[k];
        length += sides[k];
    }
    *body = (scene_body){.kind = BODY_BOX, .numbers = {sides[0], sides[1], sides[2]}};
    if (row->radius > 0) {
        *body = (scene_body){.kind = BODY_CAPSULE, .numbers = {length, row->radius}};
        if (sides[0] > 0) {
            turn[2] = turn[3] = sqrt(0.5);
            turn[0] = turn[1] = 0;
        }
    }
}

static graze_shape shape_of(const fixed_row *row)
{
    float from[3], to[3], middle[3], half[3];
    for (int k = 0; k < 3; k++) {
        from[k] = (float)row->from[k];
        to[k] = (float)row->to[k];
        middle[k] = (float)((row->from[k] + row->to[k]) / 2);
        half[k] = (float)((row->to[k] - row->from[k]) / 2);
    }
    return row->radius > 0 ? graze_shape_capsule(from, to, (float)row->radius)
                           : graze_shape_box(middle, half, NULL);
}

static bool add(graze_ode *ode, const graze_shape *shape, const char *name,
                const graze_ode_member_def *def, graze_error *error)
{
    graze_ode_member_def named = *def;
    graze_world_id id;
    named.name = name;
    return !graze_ode_add_shape(ode, shape, &named, &id, error);
}

bool physics_add_fixed(graze_ode *ode, const fixed_row *row, const graze_ode_member_def *def,
                       struct recording *recording, graze_error *error)
{
    const graze_shape shape = shape_of(row);
    scene_body body;
    double at[3], turn[4];
    mesh_of(row, &body, at, turn);
    recording_add_own(recording, row->name, primitive_rig(&body, 0), turn, at);
    return add(ode, &shape, row->name, def, error);
}

bool physics_add_ground(graze_ode *ode, const char *name, double reach,
                        const graze_ode_member_def *def, struct recording *recording,
                        graze_error *error)
{
    const graze_shape shape = graze_shape_half_space((const float[]){0, 1, 0}, 0);
    const scene_body body = {.kind = BODY_PLANE, .numbers = {0, 1, 0, 0}};
    recording_add_own(recording, name, primitive_rig(&body, reach), upright, (const double[3]){0});
    return add(ode, &shape, "the ground", def, error);
}
