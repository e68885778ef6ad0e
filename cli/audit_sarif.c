/* What graze audit found as SARIF 2.1.0, which code review tools show: a result a finding. */
#include "cli/audit.h"
#include "cli/text.h"

#include <graze/base.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a over texts with a zero behind each. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    size_t size = strlen(text) + 1;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return hash;
}

/* What stays when frames shift: file, clip and parts, and which of their stretches it is; what is
 * between frames is counted by itself.
 */
static void write_fingerprint(const audit_line *line, unsigned stretch, FILE *file)
{
    uint64_t hash = hash_text(0xcbf29ce484222325u, line->unit->file);
    hash = hash_text(hash, line->unit->clip);
    hash = hash_text(hash, line->finding->parts[0]);
    hash = hash_text(hash, line->finding->parts[1]);
    fprintf(file, "\"partialFingerprints\":{\"grazeAudit/v1\":\"%016" PRIx64 ":%s%u\"}", hash,
            line->finding->between ? "between:" : "", stretch);
}

/* A path as a URI (RFC 3986): what is not its own is in hexadecimal. */
static void write_uri(const char *path, FILE *file)
{
    fputs(*path == '/' ? "\"file://" : "\"", file);
    for (; *path; path++)
        if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/", *path))
            fputc(*path, file);
        else
            fprintf(file, "%%%02X", (unsigned)(unsigned char)*path);
    fputc('"', file);
}

static void write_location(const char *path, FILE *file)
{
    fputs("\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":", file);
    write_uri(path, file);
    fputs("}}}]", file);
}

static void write_message(const audit_line *line, FILE *file)
{
    const graze_audit_finding *finding = line->finding;
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (memory) {
        fprintf(memory, "%s and %s go through each other in clip %s, %s", finding->parts[0],
                finding->parts[1], line->unit->clip, audit_tell_when(finding).words);
        fclose(memory);
    }
    put_json(file, "\"message\":{\"text\":%s}", text ? text : "out of memory");
    free(text);
}

static void write_state(const audit_line *line, FILE *file)
{
    static const char *const states[] = {"new", "unchanged", "updated"};
    put_json(file, ",\n   \"baselineState\":%s", states[line->state]);
    if (line->state == AUDIT_ACCEPTED)
        fputs(",\"suppressions\":[{\"kind\":\"external\",\"status\":\"accepted\"}]", file);
}

static void write_result(const audit_job *job, const audit_line *line, unsigned stretch, FILE *file)
{
    const graze_audit_finding *finding = line->finding;
    const graze_audit_worst *worst = &finding->worst;
    put_json(file, "  {\"ruleId\":%s,\"ruleIndex\":%d,\"level\":%s,\n   ",
             finding->fold ? "fold" : "clip", (int)finding->fold,
             audit_line_counts(job, line) ? "warning" : "note");
    write_message(line, file);
    fputs(",\n   ", file);
    write_location(line->unit->file, file);
    fputs(",\n   ", file);
    write_fingerprint(line, stretch, file);
    if (job->state)
        write_state(line, file);
    put_json(file, ",\n   \"properties\":{\"clip\":%s,\"parts\":[%s,%s],\"from\":%u,\"to\":%u,",
             line->unit->clip, finding->parts[0], finding->parts[1], finding->from, finding->to);
    put_json(file, "\"worstFrame\":%u,\"depth\":%.9g,\"open\":", worst->frame,
             (double)worst->depth);
    fputs(worst->open ? "true" : "false", file);
    if (finding->between)
        put_json(file, ",\"between\":%.9g", worst->time);
    fputs("}}", file);
}

static void write_failed(const audit_found *found, FILE *file)
{
    bool first = true;
    fprintf(file, " \"invocations\":[{\"executionSuccessful\":%s",
            audit_failed(found) ? "false" : "true");
    fputs(",\"toolExecutionNotifications\":[", file);
    for (size_t i = 0; i < found->inputs.count; i++) {
        const audit_input *input = (const audit_input *)found->inputs.items + i;
        if (!input->error)
            continue;
        put_json(file,
                 first ? "\n  {\"level\":\"error\",\"message\":{\"text\":%s},"
                       : ",\n  {\"level\":\"error\",\"message\":{\"text\":%s},",
                 input->error);
        write_location(input->path, file);
        fputc('}', file);
        first = false;
    }
    fputs("]}],\n", file);
}

static bool same_place(const audit_line *x, const audit_line *y)
{
    return x->unit == y->unit && strcmp(x->finding->parts[0], y->finding->parts[0]) == 0 &&
           strcmp(x->finding->parts[1], y->finding->parts[1]) == 0;
}

void audit_write_sarif(const audit_job *job, const audit_found *found, FILE *file)
{
    const audit_line *lines = found->lines.items;
    unsigned stretches[2] = {0, 0}; /* so far, of the same parts; between frames */
    fputs("{\"version\":\"2.1.0\",\n"
          "\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\n\"runs\":[{\n"
          " \"tool\":{\"driver\":{\"name\":\"graze audit\",",
          file);
    put_json(file, "\"version\":\"%d.%d.%d\",\"rules\":[\n", GRAZE_VERSION_MAJOR,
             GRAZE_VERSION_MINOR, GRAZE_VERSION_PATCH);
    fputs(
        "  {\"id\":\"clip\",\"shortDescription\":{\"text\":\"Two parts go through each other\"}},\n"
        "  {\"id\":\"fold\",\"shortDescription\":{\"text\":\"A part goes through itself or its "
        "neighbour\"}}]}},\n",
        file);
    write_failed(found, file);
    fputs(" \"results\":[", file);
    for (size_t i = 0; i < found->lines.count; i++) {
        if (i && !same_place(&lines[i - 1], &lines[i]))
            stretches[0] = stretches[1] = 0;
        fputs(i ? ",\n" : "\n", file);
        write_result(job, &lines[i], ++stretches[lines[i].finding->between], file);
    }
    fputs("]}]}\n", file);
}
