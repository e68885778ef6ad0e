#include "cli/audit_hint.h"
#include "cli/audit_names.h"
#include "cli/text.h"

#include <stdlib.h>

enum { LONGEST_JOINT = 28 };

void audit_hint_json(const graze_audit_hint *hint)
{
    if (!hint->joint) {
        fputs(",\"hint\":null", stdout);
        return;
    }
    print_json(",\"hint\":{\"joint\":%s,\"axis\":", hint->joint);
    print_json_floats(hint->axis, 3);
    print_json(",\"degrees\":%.6g}", (double)hint->degrees);
}

void audit_hint_csv(const graze_audit_hint *hint, FILE *file)
{
    fputc(',', file);
    if (!hint->joint) {
        fputs(",,,,", file);
        return;
    }
    write_csv_text(file, hint->joint);
    fprintf(file, ",%.9g,%.9g,%.9g,%.6g", (double)hint->axis[0], (double)hint->axis[1],
            (double)hint->axis[2], (double)hint->degrees);
}

/* "its x axis", or "its axis (0.12, -0.99, 0.00)" */
void audit_hint_say_axis(const float axis[3])
{
    for (int k = 0; k < 3; k++)
        if (axis[k] == 1) {
            say("its %c axis", "xyz"[k]);
            return;
        }
    say("its axis (%.2f, %.2f, %.2f)", (double)axis[0], (double)axis[1], (double)axis[2]);
}

void audit_hint_say(const audit_row *row)
{
    const graze_audit_hint *hint = &row->worst->hint;
    say("%21sframe %u: ", "", row->worst->worst.frame);
    if (hint->joint) {
        char *name = audit_name_short(row->joint, LONGEST_JOINT);
        say("turn %s by %.1f degrees about ", name, (double)hint->degrees);
        audit_hint_say_axis(hint->axis);
        say("\n");
        free(name);
    } else {
        say("no turn of one joint up to %d degrees helps\n", GRAZE_AUDIT_MOST_DEGREES);
    }
}
