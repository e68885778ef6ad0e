/* What names of joints say, if they say anything: words of modelling programs, in English. */
#include "chain/regions.h"

#include <ctype.h>
#include <string.h>

enum { MOST = 96 };

static void lower(const char *name, char out[MOST])
{
    size_t i = 0;
    for (; name && name[i] && i + 1 < MOST; i++)
        out[i] = (char)tolower((unsigned char)name[i]);
    out[i] = 0;
}

static bool has_any(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strstr(text, *words))
            return true;
    return false;
}

grazei_hint grazei_hint_of(const char *name)
{
    static const char *const hand[] = {"hand", "wrist", "palm", NULL};
    static const char *const foot[] = {"foot", "ankle", "hoof", "paw", NULL};
    static const char *const arm[] = {"arm", "shoulder", "clavicle", "elbow", NULL};
    static const char *const leg[] = {"leg", "thigh", "calf", "shin", "knee", "hip.", NULL};
    static const char *const head[] = {"head", "neck", "skull", NULL};
    static const char *const tail[] = {"tail", NULL};
    static const char *const wing[] = {"wing", NULL};
    const struct {
        const char *const *words;
        grazei_hint hint;
    } all[] = {{hand, GRAZEI_HINT_HAND}, {foot, GRAZEI_HINT_FOOT}, {arm, GRAZEI_HINT_ARM},
               {leg, GRAZEI_HINT_LEG},   {head, GRAZEI_HINT_HEAD}, {tail, GRAZEI_HINT_TAIL},
               {wing, GRAZEI_HINT_WING}};
    char text[MOST];
    lower(name, text);
    /* An armature is not an arm. */
    if (strstr(text, "armature"))
        return GRAZEI_HINT_NONE;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (has_any(text, all[i].words))
            return all[i].hint;
    return GRAZEI_HINT_NONE;
}

/* A letter that stands by itself, as in "arm_L_1" or "thigh.r". */
static bool has_letter(const char *text, char letter)
{
    for (size_t i = 0; text[i]; i++)
        if (text[i] == letter && (i == 0 || !isalnum((unsigned char)text[i - 1])) &&
            !isalnum((unsigned char)text[i + 1]))
            return true;
    return false;
}

grazei_side grazei_side_of(const char *name)
{
    char text[MOST];
    lower(name, text);
    bool left = strstr(text, "left") || has_letter(text, 'l');
    bool right = strstr(text, "right") || has_letter(text, 'r');
    return left == right ? GRAZEI_MIDDLE : left ? GRAZEI_LEFT : GRAZEI_RIGHT;
}
