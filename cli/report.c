#include "cli/report.h"

#include "cli/output.h"
#include "cli/report_parts.h"
#include "cli/room.h"
#include "report_page.h"

#include <graze/rig.h>

struct report {
    FILE *file; /* closed by output_finish */
    report_def def;
    number_stream stream;
    graze_contact_finder *finder; /* of collide: how deep parts are in each other */
    struct report_twin twins[2];  /* of bodies whose skinning the page does not know */
};

/* ---- the file ----------------------------------------------------------------------------- */

bool report_open(struct report **made, const char *path)
{
    *made = NULL;
    if (!path)
        return true;
    FILE *file = output_file(path);
    if (!file)
        return false;
    *made = room(1, sizeof **made);
    (*made)->file = file;
    return true;
}

void report_free(struct report *report)
{
    if (!report)
        return;
    graze_contact_finder_destroy(report->finder);
    report_twin_close(&report->twins[0]);
    report_twin_close(&report->twins[1]);
    free(report);
}

/* Depths are those of contacts of parts, each of one pair of them. */
bool report_begin(struct report *report, const report_def *def)
{
    const graze_contact_finder_def by_part = {.split_by_part = true};
    const bool deep = def->body_count == 2 && *def->command == 'c' && !def->first;
    graze_error error;
    report->def = *def;
    for (size_t i = 0; i < def->body_count; i++) {
        const struct character *character = def->bodies[i].character;
        if (!report_model_is_linear(character) && !report_twin_open(&report->twins[i], character))
            return false;
    }
    if (deep && graze_contact_finder_create(def->bodies[0].character->model,
                                            def->bodies[1].character->model, &by_part,
                                            &report->finder, &error))
        return refuse("%s", error.text);
    fwrite(report_page_head, 1, sizeof report_page_head, report->file);
    report_model_write(report->file, def, report->finder != NULL);
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

/* Contacts are counted before they are told. */
static bool write_contacts(struct report *report, const report_pose *poses, const graze_pair *pairs,
                           size_t count)
{
    graze_contact_list list = {0};
    graze_error error;
    if (graze_contacts_from_pairs(report->finder, poses[0].body, poses[1].body, pairs, count, &list,
                                  NULL, &error))
        return refuse("%s", error.text);
    list.capacity = list.total;
    list.items = room(list.total, sizeof *list.items);
    graze_contacts_from_pairs(report->finder, poses[0].body, poses[1].body, pairs, count, &list,
                              NULL, NULL);
    stream_count(&report->stream, list.count);
    for (size_t i = 0; i < list.count; i++) {
        const graze_contact *contact = &list.items[i];
        graze_contact_details details;
        graze_contact_get_details(report->finder, contact->number, &details);
        stream_count(&report->stream, contact->parts[0]);
        stream_count(&report->stream, contact->parts[1]);
        stream_count(&report->stream, contact->pair_count);
        stream_u8(&report->stream, details.full_depth);
        stream_floats(&report->stream, &contact->depth, 1);
        stream_floats(&report->stream, contact->point, 3);
        stream_floats(&report->stream, contact->normal, 3);
    }
    free(list.items);
    return true;
}

/* A bit for each pair. */
static void write_rest(struct report *report, const graze_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i += 8) {
        unsigned bits = 0;
        for (size_t k = 0; k < 8 && i + k < count; k++)
            bits |= (unsigned)pairs[i + k].at_rest << k;
        stream_u8(&report->stream, bits);
    }
}

bool report_take_pairs(struct report *report, const report_pose *poses, const graze_pair *pairs,
                       size_t count)
{
    uint32_t last[2] = {0, 0};
    stream_count(&report->stream, count);
    for (size_t i = 0; i < count; i++)
        write_pair(report, pairs[i].a, pairs[i].b, last);
    if (report->def.body_count == 1)
        write_rest(report, pairs, count);
    return !report->finder || write_contacts(report, poses, pairs, count);
}

void report_take_impact(struct report *report, const graze_impact *impact)
{
    uint32_t last[2] = {0, 0};
    stream_count(&report->stream, impact->found);
    if (!impact->found)
        return;
    write_pair(report, impact->triangles[0], impact->triangles[1], last);
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
