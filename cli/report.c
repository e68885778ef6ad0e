#include "cli/report.h"

#include "cli/output.h"
#include "cli/parts.h"
#include "cli/report_model.h"
#include "cli/report_stream.h"
#include "cli/report_twin.h"
#include "report_page.h"

#include <graze/rig.h>

#include <stdlib.h>

struct report {
    FILE *file; /* closed by output_finish */
    report_def def;
    number_stream stream;
    graze_contacts *contacts;    /* of collide: how deep parts are in each other */
    struct report_twin twins[2]; /* of bodies whose skinning the page does not know */
};

/* ---- the file ----------------------------------------------------------------------------- */

bool report_open(struct report **made, const char *path)
{
    *made = NULL;
    if (!path)
        return true;
    FILE *file = output_file(path);
    *made = file ? calloc(1, sizeof **made) : NULL;
    if (*made)
        (*made)->file = file;
    else if (file)
        fail_usage("out of memory");
    return *made != NULL;
}

void report_free(struct report *report)
{
    if (!report)
        return;
    graze_contacts_destroy(report->contacts);
    report_twin_close(&report->twins[0]);
    report_twin_close(&report->twins[1]);
    free(report);
}

/* Contacts of parts, each of one pair of them. */
static bool open_contacts(struct report *report)
{
    graze_contacts_def def = graze_default_contacts_def();
    graze_error error;
    def.split_by_group = true;
    if (!graze_contacts_create(report->def.bodies[0].character->model,
                               report->def.bodies[1].character->model, &def, &report->contacts,
                               &error))
        return true;
    fail_usage("%s", error.text);
    return false;
}

static bool open_twins(struct report *report)
{
    for (size_t i = 0; i < report->def.body_count; i++) {
        const struct character *character = report->def.bodies[i].character;
        if (!report_model_is_linear(character) && !report_twin_open(&report->twins[i], character))
            return false;
    }
    return true;
}

bool report_begin(struct report *report, const report_def *def)
{
    if (!report)
        return true;
    report->def = *def;
    bool deep = def->body_count == 2 && *def->command == 'c' && !def->first;
    if (!open_twins(report) || (deep && !open_contacts(report)))
        return false;
    fwrite(report_page_head, 1, sizeof report_page_head, report->file);
    report_model_write(report->file, def, report->contacts != NULL);
    fputs("<script type=\"text/plain\" id=\"graze-frames\">\n", report->file);
    report->stream = stream_begin(report->file);
    return true;
}

void report_end(struct report *report)
{
    if (!report)
        return;
    stream_end(&report->stream);
    fputs("\n</script>\n", report->file);
    fwrite(report_page_tail, 1, sizeof report_page_tail, report->file);
}

/* ---- poses -------------------------------------------------------------------------------- */

bool report_take_poses(struct report *report, double time, const report_pose *poses)
{
    if (!report)
        return true;
    stream_double(&report->stream, time);
    for (size_t i = 0; i < report->def.body_count; i++) {
        const struct character *character = report->def.bodies[i].character;
        const graze_rig *rig = character->rig;
        stream_floats(&report->stream, poses[i].placement, 12);
        stream_floats(&report->stream, poses[i].joints, 12 * (size_t)rig->joint_count);
        stream_floats(&report->stream, poses[i].morph_weights, rig->morph_count);
        if (report->twins[i].body &&
            !report_twin_write(&report->twins[i], &poses[i], &report->stream))
            return false;
    }
    return true;
}

/* ---- what was found ----------------------------------------------------------------------- */

static void write_pair(struct report *report, uint32_t a, uint32_t b, uint32_t last[2])
{
    stream_count(&report->stream, a - last[0]);
    stream_signed(&report->stream, (int64_t)b - (int64_t)last[1]);
    last[0] = a;
    last[1] = b;
}

static void write_contacts(struct report *report)
{
    uint32_t count = graze_contacts_count(report->contacts);
    stream_count(&report->stream, count);
    for (uint32_t i = 0; i < count; i++) {
        const graze_contact *contact = graze_contacts_get(report->contacts, i);
        stream_count(&report->stream, contact->groups[0]);
        stream_count(&report->stream, contact->groups[1]);
        stream_count(&report->stream, contact->count);
        stream_u8(&report->stream, contact->whole);
        stream_floats(&report->stream, &contact->depth, 1);
        stream_floats(&report->stream, contact->point, 3);
        stream_floats(&report->stream, contact->normal, 3);
    }
}

bool report_take_pairs(struct report *report, const report_pose *poses, const graze_pair *pairs,
                       size_t count)
{
    uint32_t last[2] = {0, 0};
    graze_error error;
    if (!report)
        return true;
    stream_count(&report->stream, count);
    for (size_t i = 0; i < count; i++)
        write_pair(report, pairs[i].a, pairs[i].b, last);
    if (!report->contacts)
        return true;
    if (graze_contacts_from_pairs(report->contacts, poses[0].body, poses[1].body, pairs, count,
                                  NULL, &error)) {
        fail_usage("%s", error.text);
        return false;
    }
    write_contacts(report);
    return true;
}

void report_take_self_pairs(struct report *report, const graze_self_pair *pairs, size_t count)
{
    uint32_t last[2] = {0, 0};
    if (!report)
        return;
    stream_count(&report->stream, count);
    for (size_t i = 0; i < count; i++)
        write_pair(report, pairs[i].a, pairs[i].b, last);
    for (size_t i = 0; i < count; i += 8) {
        unsigned bits = 0;
        for (size_t k = 0; k < 8 && i + k < count; k++)
            bits |= (unsigned)pairs[i + k].rest << k;
        stream_u8(&report->stream, bits);
    }
}

void report_take_impact(struct report *report, const graze_impact *impact)
{
    uint32_t last[2] = {0, 0};
    if (!report)
        return;
    stream_count(&report->stream, impact && impact->found);
    if (!impact || !impact->found)
        return;
    write_pair(report, impact->a, impact->b, last);
    stream_u8(&report->stream, impact->initial);
    stream_floats(&report->stream, &impact->time, 1);
    stream_floats(&report->stream, impact->point, 3);
    stream_floats(&report->stream, impact->normal, 3);
}

/* ---- instances ---------------------------------------------------------------------------- */

report_body instance_report_body(const struct instance *instance, const char *only)
{
    const struct placing *placing = &instance->placing;
    const graze_rig *rig = instance->character->rig;
    return (report_body){.character = instance->character,
                         .clip =
                             placing->clip == GRAZE_NONE ? NULL : rig->clips[placing->clip].name,
                         .phase = placing->phase,
                         .only = only};
}

report_pose instance_report_pose(const struct instance *instance)
{
    report_pose pose = {.body = instance->body,
                        .joints = instance->joints,
                        .morph_weights = instance->morph_weights};
    instance_place(instance, pose.placement);
    return pose;
}
