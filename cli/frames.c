#include "cli/frames.h"

#include "cli/output.h"

#include <math.h>

/* A clip's end is a float, and known to a thousandth from `graze info`. */
#define CLIP_END_SLACK 1e-3

static const graze_rig_clip *clip_of(const struct instance *instance)
{
    uint32_t clip = instance->placing.clip;
    return clip == GRAZE_NONE ? NULL : &instance->character->rig->clips[clip];
}

static const char *clip_name(const struct instance *instance)
{
    const char *name = clip_of(instance)->name;
    return name ? name : "(no name)";
}

bool frames_settle(model_options *options, const cast_list *cast)
{
    frame_range *range = &options->times;
    if (!range->all)
        return true;
    for (size_t i = 0; i < cast->count; i++) {
        const graze_rig_clip *clip = clip_of(cast->of[i]);
        if (clip && (double)clip->seconds > range->to)
            range->to = (double)clip->seconds;
        if (clip && !((double)clip->seconds * range->fps < FRAMES_LIMIT))
            return refuse("%s: clip %s has more than ten million frames: %.9g s at %.9g a second",
                          cast->of[i]->character->name, clip_name(cast->of[i]),
                          (double)clip->seconds, range->fps);
    }
    return true;
}

uint32_t frame_count(const model_options *options)
{
    const frame_range *range = &options->times;
    double steps = (range->to - range->from) * range->fps;
    if (!range->given)
        return 1;
    /* The end of a clip is a frame even if the step to it is a short one. */
    return (uint32_t)(range->all ? ceil(steps - CLIP_END_SLACK) : floor(steps + 1e-6)) + 1;
}

double frame_time(const model_options *options, uint32_t frame)
{
    const frame_range *range = &options->times;
    if (!range->given)
        return options->time;
    double time = range->from + frame / range->fps;
    return range->all && frame + 1 == frame_count(options) ? range->to : time;
}

/* ---- warnings ----------------------------------------------------------------------------- */

/* Two instances of one character that play the same clip are warned about once: of the one that is
 * further beyond it, else the first.
 */
static bool is_told_elsewhere(const cast_list *cast, size_t i, double own, double others)
{
    const struct instance *one = cast->of[i], *other = cast->of[1 - i];
    return cast->count == 2 && one->character == other->character &&
           one->placing.clip == other->placing.clip && (others > own || (others == own && i == 1));
}

/* Warns of a last frame behind the clip's end, or of a first one before its start. */
static void warn_of(const model_options *options, const cast_list *cast, size_t i, bool last)
{
    const struct instance *instance = cast->of[i], *other = cast->of[cast->count - 1 - i];
    const double phase = instance->placing.phase, sign = last ? 1 : -1;
    const double frame = frame_time(options, last ? frame_count(options) - 1 : 0);
    const double time = frame + phase, end = (double)clip_of(instance)->seconds;
    const char *name = instance->character->name, *clip = clip_name(instance);
    const char *why = sign * phase > 0 ? ", --phase included" : "";
    if (!(sign * time > (last ? end : 0) + CLIP_END_SLACK) ||
        is_told_elsewhere(cast, i, sign * time, sign * (frame + other->placing.phase)))
        return;
    if (last)
        output_warn("%s: clip %s ends at %.6g s; its last pose holds until %.6g s%s", name, clip,
                    end, time, why);
    else
        output_warn("%s: clip %s begins at 0 s; its first pose holds from %.6g s on%s", name, clip,
                    time, why);
}

void frames_warn(const model_options *options, const cast_list *cast)
{
    bool asks = options->times.given || options->time != 0, moves = false;
    for (size_t i = 0; i < cast->count; i++) {
        if (!clip_of(cast->of[i]))
            continue;
        moves = true;
        warn_of(options, cast, i, true);
        warn_of(options, cast, i, false);
    }
    for (size_t i = 0; i < cast->count && asks && !moves; i++)
        if (cast->of[i]->character->rig->clip_count == 0) {
            output_warn("%s has no clips: it stands still at all times",
                        cast->of[i]->character->name);
            break;
        }
}
