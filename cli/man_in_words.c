#include "cli/man_in_words.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* How a man's joints turn: degrees from the pose in which he was bound, right-handed. */
const char man_joints[] =
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
