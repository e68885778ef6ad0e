/* graze audit --report: a page with all pairs of parts that meet, and for the worst of them the
 * frame in which they are deepest, to turn around (web/audit). docs/report.md says what is in it.
 */
#include "audit_page.h"
#include "cli/audit_rows.h"
#include "cli/output.h"
#include "cli/report_parts.h"
#include "cli/room.h"
#include "cli/text.h"

#include <graze/pairs.h>

#include <math.h>

/* A model that has pictures. */
typedef struct shown_model {
    const char *file;
    struct character character;
    audit_parts parts;
    graze_body *body;
    float *positions;
} shown_model;

/* ---- models --------------------------------------------------------------------------------- */

static void shown_model_close(shown_model *model)
{
    if (!model->file)
        return;
    graze_body_destroy(model->body);
    free(model->positions);
    audit_parts_free(&model->parts);
    character_free(&model->character);
    *model = (shown_model){.file = NULL};
}

/* Makes the model the one of the file. False with a text: it cannot be read any more. */
static bool shown_model_open(shown_model *model, const audit_job *job, const audit_map *map,
                             const char *file, line_text *text)
{
    graze_error error = {0};
    shown_model_close(model);
    if (!audit_character_make(&model->character, job, file, text))
        return false;
    model->file = file;
    bool good = audit_parts_make(&model->parts, &model->character,
                                 job->options.parts_by == GRAZE_PARTS_BY_JOINT, map, text);
    model->positions = room(model->character.rig->vertex_count, 3 * sizeof(float));
    if (good && graze_body_create(model->character.model, &model->body, &error)) {
        snprintf(text->text, sizeof text->text, "%s", error.text);
        good = false;
    }
    return good;
}

static void write_model(const shown_model *model, unsigned number, FILE *file)
{
    const graze_rig *rig = model->character.rig;
    put_page(file, "<script type=\"text/plain\" id=\"audit-model-%u\">\n", number);
    number_stream stream = stream_begin(file);
    stream_u32(&stream, rig->vertex_count);
    stream_u32(&stream, rig->triangle_count);
    for (size_t i = 0; i < 3 * (size_t)rig->triangle_count; i++)
        stream_u32(&stream, rig->triangles[i]);
    stream_end(&stream);
    fputs("\n</script>\n", file);
}

/* ---- pictures ------------------------------------------------------------------------------- */

static uint32_t find_clip(const graze_rig *rig, const char *name)
{
    for (uint32_t clip = 0; clip < rig->clip_count; clip++) {
        char *own = audit_name_clip(rig, clip);
        bool same = strcmp(own, name) == 0;
        free(own);
        if (same)
            return clip;
    }
    return GRAZE_NONE;
}

/* For each triangle: 1 if it is of the first part, 2 of the second, and 4 if it meets the other. */
static unsigned char *mark_triangles(const shown_model *model, const audit_job *job,
                                     const audit_row *row, const item_list *pairs)
{
    const char *const *names = row->first->finding->parts;
    const audit_parts *parts = &model->parts;
    const uint32_t count = model->character.rig->triangle_count;
    const graze_pair *all = pairs->items;
    unsigned char *marks = room(count, 1);
    for (uint32_t t = 0; t < count; t++) {
        const char *own = parts->names[parts->part_of[t]];
        marks[t] = (unsigned char)(strcmp(own, names[0]) == 0   ? 1
                                   : strcmp(own, names[1]) == 0 ? 2
                                                                : 0);
    }
    const bool same = strcmp(names[0], names[1]) == 0;
    for (size_t i = 0; i < pairs->count; i++) {
        unsigned a = marks[all[i].a] & 3, b = marks[all[i].b] & 3;
        if (!a || !b || (a == b && !same) || (all[i].at_rest && strcmp(job->baseline, "rest") == 0))
            continue;
        marks[all[i].a] |= 4;
        marks[all[i].b] |= 4;
    }
    return marks;
}

/* Each coordinate as a part of 65,535 of the box around all. */
static void write_positions(const shown_model *model, number_stream *stream)
{
    const uint32_t count = model->character.rig->vertex_count;
    float box[6] = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        box[i % 3] = fminf(box[i % 3], model->positions[i]);
        box[3 + i % 3] = fmaxf(box[3 + i % 3], model->positions[i]);
    }
    stream_floats(stream, box, 6);
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        double side = fmax((double)box[3 + i % 3] - (double)box[i % 3], 1e-30);
        stream_u16(stream, (unsigned)lround(
                               65535 * ((double)model->positions[i] - (double)box[i % 3]) / side));
    }
}

static bool write_scene(const shown_model *model, const audit_job *job, const audit_row *row,
                        unsigned number, FILE *file)
{
    item_list pairs = {NULL, 0, 0};
    graze_pair_list list = list_of_pairs(&pairs);
    graze_error error = {0};
    const graze_rig *rig = model->character.rig;
    bool good = !graze_rig_pose_body(rig, find_clip(rig, row->unit->clip), row->worst->worst.time,
                                     NULL, model->body, &error) &&
                !graze_self_pairs(model->body, NULL, &list, NULL, &error);
    if (!good) {
        output_warn("--report: %s: %s", model->file, error.text);
        list_free(&pairs);
        return false;
    }
    graze_body_get_positions(model->body, model->positions);
    unsigned char *marks = mark_triangles(model, job, row, &pairs);
    put_page(file, "<script type=\"text/plain\" id=\"audit-scene-%u\">\n", number);
    number_stream stream = stream_begin(file);
    write_positions(model, &stream);
    for (uint32_t t = 0; t < rig->triangle_count; t++)
        stream_u8(&stream, marks[t]);
    stream_end(&stream);
    fputs("\n</script>\n", file);
    free(marks);
    list_free(&pairs);
    return true;
}

/* ---- the table ------------------------------------------------------------------------------ */

static void write_stretches(const audit_row *row, FILE *file)
{
    for (int between = 0; between < 1 + (row->between > 0); between++) {
        bool first = true;
        fputs(between ? ",\"between\":[" : "\"stretches\":[", file);
        for (size_t i = 0; i < row->count; i++) {
            const graze_audit_finding *finding = row->first[i].finding;
            if (finding->between != between)
                continue;
            fprintf(file, "%s[%u,%u]", first ? "" : ",", finding->from, finding->to);
            first = false;
        }
        fputc(']', file);
    }
}

/* model: the number of its model, or -1: there is no picture. */
static void write_row(const audit_job *job, const audit_row *row, int model, FILE *file)
{
    const graze_audit_worst *worst = &row->worst->worst;
    put_page(file, "{\"file\":%s,\"clip\":%s,\"parts\":[%s,%s],", row->unit->file, row->unit->clip,
             row->first->finding->parts[0], row->first->finding->parts[1]);
    put_page(file, "\"names\":[%s,%s],\"kind\":%s,\"state\":%s,", row->names[0], row->names[1],
             row->worst->fold ? "fold" : "clip", job->state ? audit_state_name(row->state) : NULL);
    put_page(file, "\"depth\":%.9g,\"share\":%.6g,\"frame\":%u,\"time\":%g,\"met\":%u,",
             (double)worst->depth, (double)worst->depth / fmax(row->unit->size, 1e-30),
             worst->frame, worst->time, row->frames);
    fputs("\"point\":", file);
    put_json_list(
        file,
        (const double[]){(double)worst->point[0], (double)worst->point[1], (double)worst->point[2]},
        3, 9);
    fputs(",\"rest\":", file);
    put_json_list(
        file,
        (const double[]){(double)worst->rest[0], (double)worst->rest[1], (double)worst->rest[2]}, 3,
        9);
    put_page(file, ",\"frames\":%u,\"model\":%d,\"open\":", row->unit->result.frames, model);
    fputs(worst->open ? "true," : "false,", file);
    write_stretches(row, file);
    fputc('}', file);
}

static void write_info(const audit_job *job, const audit_found *found, const item_list *rows,
                       const int *models, FILE *file)
{
    const audit_row *all = rows->items;
    bool first = true;
    fputs("<script type=\"application/json\" id=\"audit-info\">\n", file);
    put_page(file, "{\"format\":1,\"files\":%zu,\"clips\":%zu,\"frames\":%llu,\"findings\":%zu,",
             found->inputs.count, found->units.count, (unsigned long long)found->frames,
             found->lines.count);
    put_page(file, "\"folds\":%zu,\"shallow\":%g,\"failed\":[", job->folds ? 0 : found->fold_pairs,
             AUDIT_SHALLOW);
    for (size_t i = 0; i < found->inputs.count; i++) {
        const audit_input *input = (const audit_input *)found->inputs.items + i;
        if (!input->error)
            continue;
        fputs(first ? "" : ",", file);
        put_page(file, "{\"file\":%s,\"error\":%s}", input->path, input->error);
        first = false;
    }
    fputs("],\n\"rows\":[", file);
    for (size_t i = 0; i < rows->count; i++) {
        fputs(i ? ",\n" : "\n", file);
        write_row(job, &all[i], models[i], file);
    }
    fputs("]}\n</script>\n", file);
}

/* Rows with pictures, file by file, so that each model is read once. One that is no longer there
 * has no picture, which a warning says.
 */
static void write_pictures(const audit_job *job, const audit_map *map, const item_list *rows,
                           int *models, FILE *file)
{
    const audit_row *all = rows->items;
    const size_t count = rows->count < job->rows ? rows->count : job->rows;
    bool *tried = room(count, sizeof *tried);
    shown_model model = {.file = NULL};
    line_text text = {""};
    int number = -1;
    for (size_t i = 0; i < count; i++) {
        if (tried[i])
            continue;
        const bool good = shown_model_open(&model, job, map, all[i].unit->file, &text);
        if (good)
            write_model(&model, (unsigned)++number, file);
        else
            output_warn("--report has no pictures of it: %s", text.text);
        for (size_t k = i; k < count; k++) {
            if (strcmp(all[k].unit->file, all[i].unit->file) != 0)
                continue;
            tried[k] = true;
            if (good && write_scene(&model, job, &all[k], (unsigned)k, file))
                models[k] = number;
        }
    }
    shown_model_close(&model);
    free(tried);
}

bool audit_write_report(const audit_job *job, const audit_found *found, FILE *file)
{
    item_list rows = {NULL, 0, 0};
    bool good = false;
    audit_map *map = audit_map_read(job, &good);
    if (!good)
        return false;
    audit_rows_make(&rows, found);
    audit_rows_sort(&rows);
    int *models = room(rows.count, sizeof *models);
    for (size_t i = 0; i < rows.count; i++)
        models[i] = -1;
    fwrite(audit_page_head, 1, sizeof audit_page_head, file);
    write_pictures(job, map, &rows, models, file);
    write_info(job, found, &rows, models, file);
    fwrite(audit_page_tail, 1, sizeof audit_page_tail, file);
    audit_map_free(map);
    free(models);
    list_free(&rows);
    return true;
}
