#ifdef GRAZE_HAVE_ODE

#include "cli/physics_man.h"

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
    const graze_fit_def fit = graze_default_fit_def();
    graze_ragdoll_def def = graze_default_ragdoll_def();
    return !graze_synth(&made, NULL, &man->rig, error) &&
           !graze_rig_create_model(man->rig, NULL, &man->model, error) &&
           !graze_fit_create(man->model, &fit, &man->fit, error) &&
           !graze_rig_parts(man->rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &man->parts, error) &&
           !graze_ragdoll_parse(joints, graze_synth_name(kind), &def, &man->limits, error) &&
           !graze_ragdoll_create(man->rig, man->model, man->fit, &def, &man->ragdoll, error);
}

void physics_man_free(physics_man *man)
{
    graze_ragdoll_destroy(man->ragdoll);
    graze_ragdoll_file_destroy(man->limits);
    graze_parts_destroy(man->parts);
    graze_fit_destroy(man->fit);
    graze_model_destroy(man->model);
    graze_rig_destroy(man->rig);
}

void part_in_words(const char *name, char *text, size_t size)
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
}

#else

typedef int physics_man_is_left_out;

#endif
