/* What graze audit found, for programs. */
#include "cli/audit_hint.h"
#include "cli/output.h"
#include "cli/text.h"

const char *audit_state_name(audit_state state)
{
    static const char *const names[] = {"new", "accepted", "worse"};
    return names[state];
}

size_t audit_failed(const audit_found *found)
{
    size_t failed = 0;
    for (size_t i = 0; i < found->inputs.count; i++)
        failed += ((const audit_input *)found->inputs.items)[i].error != NULL;
    return failed;
}

audit_when audit_tell_when(const graze_audit_finding *finding)
{
    const graze_audit_worst *worst = &finding->worst;
    audit_when when;
    if (finding->between)
        snprintf(when.words, sizeof when.words, "between frames %u and %u, at %.6g s",
                 finding->from, finding->to, worst->time);
    else
        snprintf(when.words, sizeof when.words, "frames %u to %u, %s%.4g deep in frame %u",
                 finding->from, finding->to, worst->open ? "at least " : "", (double)worst->depth,
                 worst->frame);
    return when;
}

bool audit_line_counts(const audit_job *job, const audit_line *line)
{
    return !job->state || line->state != AUDIT_ACCEPTED;
}

/* ---- files ---------------------------------------------------------------------------------- */

static bool open_file(FILE **file, const char *path)
{
    *file = path ? output_file(path) : NULL;
    return *file || !path;
}

bool audit_files_open(audit_files *files, const audit_job *job)
{
    return open_file(&files->csv, job->options.csv) && open_file(&files->junit, job->junit) &&
           open_file(&files->sarif, job->sarif) && open_file(&files->report, job->options.report);
}

bool audit_files_write(const audit_files *files, const audit_job *job, const audit_found *found)
{
    if (files->csv)
        audit_write_csv(job, found, files->csv);
    if (files->junit)
        audit_write_junit(job, found, files->junit);
    if (files->sarif)
        audit_write_sarif(job, found, files->sarif);
    return !files->report || audit_write_report(job, found, files->report);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void print_finding(const audit_line *line, const audit_job *job)
{
    const graze_audit_finding *finding = line->finding;
    const graze_audit_worst *worst = &finding->worst;
    print_json("{\"file\":%s,\"clip\":%s,\"kind\":%s,\"parts\":[%s,%s],", line->unit->file,
               line->unit->clip, finding->fold ? "fold" : "clip", finding->parts[0],
               finding->parts[1]);
    print_json("\"from\":%u,\"to\":%u,\"frames\":%u,\"pairs\":%llu,\"worst\":", finding->from,
               finding->to, audit_frames_of(finding), (unsigned long long)finding->pairs);
    print_json("{\"frame\":%u,\"time\":%g,\"pairs\":%u,\"depth\":%.9g,\"point\":", worst->frame,
               worst->time, worst->pairs, (double)worst->depth);
    print_json_floats(worst->point, 3);
    printf(",\"open\":%s,\"rest\":", worst->open ? "true" : "false");
    print_json_floats(worst->rest, 3);
    fputs("}", stdout);
    if (finding->between)
        fputs(",\"between\":true", stdout);
    if (job->hints)
        audit_hint_json(&finding->hint);
    if (job->state)
        print_json(",\"state\":%s", audit_state_name(line->state));
    puts("}");
}

static void print_summary(const audit_job *job, const audit_found *found)
{
    bool first = true;
    print_json("{\"files\":%zu,\"clips\":%zu,\"frames\":%llu,\"findings\":%zu,\"failed\":[",
               found->inputs.count, found->units.count, (unsigned long long)found->frames,
               found->lines.count);
    for (size_t i = 0; i < found->inputs.count; i++) {
        const audit_input *input = (const audit_input *)found->inputs.items + i;
        if (!input->error)
            continue;
        fputs(first ? "" : ",", stdout);
        print_json("{\"file\":%s,\"error\":%s}", input->path, input->error);
        first = false;
    }
    fputs("]", stdout);
    if (job->state)
        print_json(",\"fixed\":%zu", found->gone);
    puts("}");
}

void audit_print_json(const audit_job *job, const audit_found *found)
{
    bool goes_on = true;
    for (size_t i = 0; goes_on && i < found->lines.count; i++) {
        output_begin();
        print_finding((const audit_line *)found->lines.items + i, job);
        goes_on = output_end();
    }
    output_begin();
    print_summary(job, found);
    output_end();
}

/* ---- tables --------------------------------------------------------------------------------- */

void audit_write_csv(const audit_job *job, const audit_found *found, FILE *file)
{
    fputs("file,clip,kind,part_a,part_b,from,to,frames,pairs,worst_frame,worst_time,worst_pairs,"
          "depth,x,y,z,open",
          file);
    fputs(job->hints ? ",hint_joint,hint_x,hint_y,hint_z,hint_degrees" : "", file);
    fputs(job->state ? ",state" : "", file);
    fputs(",rest_x,rest_y,rest_z", file);
    fputs(job->continuous ? ",between\n" : "\n", file);
    for (size_t i = 0; i < found->lines.count; i++) {
        const audit_line *line = (const audit_line *)found->lines.items + i;
        const graze_audit_finding *finding = line->finding;
        const graze_audit_worst *worst = &finding->worst;
        const char *const texts[] = {line->unit->file, line->unit->clip,
                                     finding->fold ? "fold" : "clip", finding->parts[0],
                                     finding->parts[1]};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
            write_csv_text(file, texts[k]);
            fputc(',', file);
        }
        fprintf(file, "%u,%u,%u,%llu,%u,%.9g,%u,%.9g,%.9g,%.9g,%.9g,", finding->from, finding->to,
                audit_frames_of(finding), (unsigned long long)finding->pairs, worst->frame,
                worst->time, worst->pairs, (double)worst->depth, (double)worst->point[0],
                (double)worst->point[1], (double)worst->point[2]);
        fputs(worst->open ? "true" : "false", file);
        if (job->hints)
            audit_hint_csv(&finding->hint, file);
        if (job->state) {
            fputc(',', file);
            fputs(audit_state_name(line->state), file);
        }
        fprintf(file, ",%.9g,%.9g,%.9g", (double)worst->rest[0], (double)worst->rest[1],
                (double)worst->rest[2]);
        if (job->continuous)
            fputs(finding->between ? ",true" : ",false", file);
        fputc('\n', file);
    }
}
