/* What a JSON file says of a ragdoll. */
#include "common.h"

#include <graze/ragdoll.h>

#include <cjson/cJSON.h>

#include <math.h>
#include <stdlib.h>

struct graze_ragdoll_file {
    cJSON *tree; /* whose texts the joints point into */
    graze_ragdoll_joint *joints;
};

typedef struct reader {
    const char *name; /* of the file */
    graze_error *error;
} reader;

static bool wrong(const reader *r, const char *place, const char *expected)
{
    fail(r->error, GRAZE_BAD_INPUT, "%.80s: %.80s: expected %s", r->name, place, expected);
    return false;
}

static bool check_keys(const reader *r, const cJSON *object, const char *place,
                       const char *const *keys, size_t count)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, object)
    {
        size_t k = 0;
        while (k < count && strcmp(keys[k], item->string) != 0)
            k++;
        if (k == count) {
            fail(r->error, GRAZE_BAD_INPUT, "%.80s: %s%s%.40s: there is no such key", r->name,
                 place, *place ? "." : "", item->string);
            return false;
        }
    }
    return true;
}

/* A number where there is one; else what was there stays. */
static bool take_number(const reader *r, const cJSON *object, const char *place, const char *key,
                        float *number)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    char at[128];
    snprintf(at, sizeof at, "%s%s%s", place, *place ? "." : "", key);
    if (!item)
        return true;
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble) || fabs(item->valuedouble) > 1e18)
        return wrong(r, at, "a number");
    *number = (float)item->valuedouble;
    return true;
}

static bool take_vector(const reader *r, const cJSON *object, const char *place, const char *key,
                        float vector[3])
{
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(object, key);
    char at[128];
    snprintf(at, sizeof at, "%s.%s", place, key);
    if (!array)
        return true;
    if (!cJSON_IsArray(array) || cJSON_GetArraySize(array) != 3)
        return wrong(r, at, "[x, y, z], a direction");
    for (int k = 0; k < 3; k++) {
        const cJSON *item = cJSON_GetArrayItem(array, k);
        if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble) || fabs(item->valuedouble) > 1e6)
            return wrong(r, at, "[x, y, z], a direction");
        vector[k] = (float)item->valuedouble;
    }
    if (vector[0] == 0 && vector[1] == 0 && vector[2] == 0)
        return wrong(r, at, "a direction other than zero");
    return true;
}

static bool take_range(const cJSON *array, float *low, float *high)
{
    if (!cJSON_IsArray(array) || cJSON_GetArraySize(array) != 2)
        return false;
    const cJSON *from = cJSON_GetArrayItem(array, 0), *to = cJSON_GetArrayItem(array, 1);
    if (!cJSON_IsNumber(from) || !cJSON_IsNumber(to) || !(fabs(from->valuedouble) <= 360) ||
        !(fabs(to->valuedouble) <= 360))
        return false;
    *low = (float)from->valuedouble;
    *high = (float)to->valuedouble;
    return true;
}

static bool take_limits(const reader *r, const cJSON *object, const char *place,
                        graze_ragdoll_joint *joint)
{
    const cJSON *limits = cJSON_GetObjectItemCaseSensitive(object, "limits");
    bool hinge = joint->kind == GRAZE_RAGDOLL_HINGE, well = true;
    char at[128];
    snprintf(at, sizeof at, "%s.limits", place);
    if (!limits)
        return true;
    joint->limited = true;
    if (hinge) {
        well = take_range(limits, &joint->low[0], &joint->high[0]);
    } else {
        well = cJSON_IsArray(limits) && cJSON_GetArraySize(limits) == 3;
        for (int k = 0; k < 3 && well; k++)
            well = take_range(cJSON_GetArrayItem(limits, k), &joint->low[k], &joint->high[k]);
    }
    return well || wrong(r, at,
                         hinge ? "[low, high], degrees"
                               : "[[low, high], [low, high], [low, high]], degrees");
}

static bool take_joint(const reader *r, const cJSON *object, int number, graze_ragdoll_joint *joint)
{
    static const char *const keys[] = {"name", "kind", "axis", "twist", "limits", "mass", "merge"};
    char place[32], at[64];
    snprintf(place, sizeof place, "joints[%d]", number);
    if (!cJSON_IsObject(object))
        return wrong(r, place, "an object");
    if (!check_keys(r, object, place, keys, sizeof keys / sizeof *keys))
        return false;
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(object, "name");
    const cJSON *kind = cJSON_GetObjectItemCaseSensitive(object, "kind");
    const cJSON *merge = cJSON_GetObjectItemCaseSensitive(object, "merge");
    const cJSON *mass = cJSON_GetObjectItemCaseSensitive(object, "mass");
    snprintf(at, sizeof at, "%s.name", place);
    if (!cJSON_IsString(name))
        return wrong(r, at, "the name of a joint");
    joint->name = name->valuestring;
    snprintf(at, sizeof at, "%s.kind", place);
    bool hinge = kind && cJSON_IsString(kind) && strcmp(kind->valuestring, "hinge") == 0;
    bool ball = !kind || (cJSON_IsString(kind) && strcmp(kind->valuestring, "ball") == 0);
    if (!hinge && !ball)
        return wrong(r, at, "\"ball\" or \"hinge\"");
    joint->kind = hinge ? GRAZE_RAGDOLL_HINGE : GRAZE_RAGDOLL_BALL;
    snprintf(at, sizeof at, "%s.merge", place);
    if (merge && !cJSON_IsBool(merge))
        return wrong(r, at, "true or false");
    joint->merge = cJSON_IsTrue(merge);
    if (!take_number(r, object, place, "mass", &joint->mass) ||
        !take_vector(r, object, place, "axis", joint->axis) ||
        !take_vector(r, object, place, "twist", joint->twist))
        return false;
    snprintf(at, sizeof at, "%s.mass", place);
    if (mass && !(joint->mass > 0))
        return wrong(r, at, "a mass above zero, kg");
    return take_limits(r, object, place, joint);
}

/* A number whose 0 means none (*none becomes true), where a def's 0 means the usual. */
static bool take_or_none(const reader *r, const cJSON *whole, const char *key, float *number,
                         bool *none)
{
    if (!take_number(r, whole, "", key, number))
        return false;
    bool zero = cJSON_GetObjectItemCaseSensitive(whole, key) && *number == 0;
    if (zero && !none)
        return wrong(r, key, "a number above zero");
    if (none)
        *none = zero;
    return true;
}

static bool take_all(const reader *r, graze_ragdoll_file *made, graze_ragdoll_def *def)
{
    static const char *const keys[] = {"density", "smallest", "friction", "cell", "joints"};
    const cJSON *whole = made->tree;
    if (!cJSON_IsObject(whole))
        return wrong(r, "the whole", "an object");
    if (!check_keys(r, whole, "", keys, sizeof keys / sizeof *keys) ||
        !take_or_none(r, whole, "density", &def->density, NULL) ||
        !take_or_none(r, whole, "smallest", &def->smallest, &def->keep_small) ||
        !take_or_none(r, whole, "friction", &def->friction, &def->frictionless) ||
        !take_number(r, whole, "", "cell", &def->cell))
        return false;
    const cJSON *joints = cJSON_GetObjectItemCaseSensitive(whole, "joints");
    if (!joints)
        return true;
    if (!cJSON_IsArray(joints))
        return wrong(r, "joints", "an array of objects");
    int count = cJSON_GetArraySize(joints);
    made->joints = calloc((size_t)count + 1, sizeof *made->joints);
    if (!made->joints) {
        fail_memory(r->error);
        return false;
    }
    for (int i = 0; i < count; i++)
        if (!take_joint(r, cJSON_GetArrayItem(joints, i), i, &made->joints[i]))
            return false;
    def->joints = made->joints;
    def->joint_count = (uint32_t)count;
    return true;
}

graze_status graze_ragdoll_parse(const char *text, const char *name, graze_ragdoll_def *def,
                                 graze_ragdoll_file **file, graze_error *error)
{
    graze_error own = {.status = GRAZE_OK};
    reader r = {name ? name : "ragdoll", error ? error : &own};
    if (!text || !def || !file)
        return fail_null(error, !text ? "the text" : !def ? "the def" : "where the file goes");
    graze_ragdoll_file *made = calloc(1, sizeof *made);
    if (!made)
        return fail_memory(error);
    const char *end = text;
    graze_ragdoll_def filled = {0};
    filled.allocator = def->allocator;
    made->tree = cJSON_ParseWithOpts(text, &end, 1);
    if (!made->tree)
        fail(r.error, GRAZE_BAD_INPUT, "%.80s: byte %td is not JSON", r.name, end - text);
    if (!made->tree || !take_all(&r, made, &filled)) {
        graze_ragdoll_file_destroy(made);
        return r.error->status;
    }
    *def = filled;
    *file = made;
    return GRAZE_OK;
}

graze_status graze_ragdoll_load(const char *path, graze_ragdoll_def *def, graze_ragdoll_file **file,
                                graze_error *error)
{
    enum { MOST = 1 << 20 };
    if (!path || !def || !file)
        return fail_null(error, !path ? "the path" : !def ? "the def" : "where the file goes");
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return fail(error, GRAZE_IO_ERROR, "%.120s cannot be read", path);
    char *text = malloc(MOST + 1);
    size_t size = text ? fread(text, 1, MOST, stream) : 0;
    bool broken = ferror(stream) != 0, more = text && !broken && fgetc(stream) != EOF;
    fclose(stream);
    graze_status status = GRAZE_OK;
    if (!text)
        status = fail_memory(error);
    else if (broken)
        status = fail(error, GRAZE_IO_ERROR, "%.120s cannot be read", path);
    else if (more)
        status = fail(error, GRAZE_BAD_INPUT, "%.120s has more than %d bytes", path, MOST);
    if (!status) {
        text[size] = 0;
        status = graze_ragdoll_parse(text, path, def, file, error);
    }
    free(text);
    return status;
}

void graze_ragdoll_file_destroy(graze_ragdoll_file *file)
{
    if (!file)
        return;
    cJSON_Delete(file->tree);
    free(file->joints);
    free(file);
}
