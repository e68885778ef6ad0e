/* What a turn did to the findings of a clip, and which findings are to be parted. */
#include "cli/audit_fix.h"

#include <math.h>
#include <string.h>

static bool same_parts(const graze_audit_finding *x, const graze_audit_finding *y)
{
    return strcmp(x->parts[0], y->parts[0]) == 0 && strcmp(x->parts[1], y->parts[1]) == 0;
}

static uint32_t overlap(const graze_audit_finding *x, const graze_audit_finding *y)
{
    const uint32_t from = x->from > y->from ? x->from : y->from, to = x->to < y->to ? x->to : y->to;
    return from <= to ? to - from + 1 : 0;
}

const graze_audit_finding *audit_fix_harm(const graze_audit_result *before,
                                          const graze_audit_result *after, bool folds)
{
    for (size_t i = 0; i < after->count; i++) {
        const graze_audit_finding *own = &after->findings[i];
        float depth = -1;
        uint32_t frames = 0;
        for (size_t k = 0; k < before->count; k++) {
            const graze_audit_finding *old = &before->findings[k];
            if (!same_parts(own, old) || !overlap(own, old))
                continue;
            depth = fmaxf(depth, old->worst.depth);
            frames += old->to - old->from + 1;
        }
        const bool longer = own->to - own->from + 1 > frames + frames / 10 + 1;
        if ((folds || !own->fold) && (longer || own->worst.depth > depth * 1.02f))
            return own;
    }
    return NULL;
}

uint32_t audit_fix_left(const graze_audit_result *after, const graze_audit_finding *finding,
                        float *depth)
{
    uint32_t frames = 0;
    *depth = 0;
    for (size_t i = 0; i < after->count; i++) {
        const graze_audit_finding *own = &after->findings[i];
        const uint32_t common = same_parts(own, finding) ? overlap(own, finding) : 0;
        frames += common;
        *depth = common ? fmaxf(*depth, own->worst.depth) : *depth;
    }
    return frames;
}

bool audit_fix_chooses(const audit_job *job, const graze_audit_finding *finding)
{
    const char *name = job->fix_parts;
    if (finding->fold || !name)
        return !finding->fold;
    for (;; name++) {
        const size_t length = strcspn(name, ",");
        for (int side = 0; side < 2; side++)
            if (strlen(finding->parts[side]) == length &&
                memcmp(finding->parts[side], name, length) == 0)
                return true;
        name += length;
        if (!*name)
            return false;
    }
}

bool audit_fix_knows_parts(const audit_job *job, const audit_parts *parts, line_text *text)
{
    for (const char *name = job->fix_parts; name && *name;) {
        const size_t length = strcspn(name, ",");
        bool found = false;
        for (uint32_t p = 0; p < parts->count && !found; p++)
            found = strlen(parts->names[p]) == length && memcmp(parts->names[p], name, length) == 0;
        if (!found) {
            snprintf(text->text, sizeof text->text, "--fix-parts: there is no part %.*s",
                     length < 200 ? (int)length : 200, name);
            return false;
        }
        name += length + (name[length] == ',');
    }
    return true;
}
