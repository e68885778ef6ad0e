/* A file with four times as much of anything takes about four times as long to load and to make a
 * model and its parts of: work that grows with the square takes sixteen times. Processor time of
 * this process, the least of a few runs, and room between the two.
 */
#include "gltf_support.h"
#include "harness.h"
#include "support/own.h"

#include <time.h>

#define SQUARE "{\"name\":\"square\",\"mesh\":0,\"skin\":0}"
#define CHANNEL "{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"rotation\"}}"
#define SAMPLERS_AS_THEY_ARE                                                                       \
    "{\"input\":5,\"output\":6,\"interpolation\":\"LINEAR\"},{\"input\":5,\"output\":8}],"
#define SAMPLERS "[{\"input\":5,\"output\":6}]"

/* `from` of the small model becomes before, many times `item`, behind, as many times `also` (which
 * may be NULL), and the end.
 */
typedef struct many {
    const char *what, *from, *before, *item, *behind;
    uint32_t count;  /* the smaller */
    bool only_loads; /* so many joints, or a clip so long, are no model */
    const char *also, *end;
} many;

#define HEAD "\"scene\":0,\"scenes\":[{\"nodes\":[0,2]}],"
#define BONES                                                                                      \
    "\"nodes\":[{\"name\":\"hip\",\"children\":[1]},"                                              \
    "{\"name\":\"knee\",\"translation\":[0,1,0],\"rotation\":[0,0,0,1]},"
#define MESHES "],\"meshes\":[{\"primitives\":["

static const many cases[] = {
    {"morph targets", "\"targets\":[{\"POSITION\":7}]}],\"weights\":[0.25]",
     "\"targets\":[{\"POSITION\":7}", ",{\"POSITION\":7}", "]}]", 15000, false, NULL, NULL},
    {"nodes", SQUARE, SQUARE, ",{\"name\":\"n\"}", "", 40000, false, NULL, NULL},
    {"nodes without names", SQUARE, SQUARE, ",{}", "", 40000, false, NULL, NULL},
    {"meshes on nodes", HEAD BONES SQUARE, BONES SQUARE, ",{\"mesh\":0,\"skin\":0}", "", 10000,
     true, NULL, NULL},
    {"meshes of points", HEAD BONES SQUARE MESHES, BONES "{\"mesh\":1,\"skin\":0}", ",{\"mesh\":0}",
     MESHES "{\"mode\":0}", 1500, true, ",{\"mode\":0}", "]},{\"primitives\":["},
    {"names of one mesh", HEAD BONES SQUARE "],\"meshes\":[{", BONES SQUARE, ",{\"mesh\":0}",
     "],\"meshes\":[{", 3000, true, "\"x\":0,", ""},
    {"skins", "\"skins\":[", "\"skins\":[", "{\"joints\":[0,1]},", "", 40000, false, NULL, NULL},
    {"clips", "\"animations\":[", "\"animations\":[",
     "{\"samplers\":" SAMPLERS ",\"channels\":[" CHANNEL "]},", "", 10000, true, NULL, NULL},
    {"channels", "\"channels\":[", "\"channels\":[", CHANNEL ",", "", 15000, false, NULL, NULL},
    {"channels of nothing", "\"channels\":[", "\"channels\":[",
     "{\"sampler\":0,\"target\":{\"path\":\"pointer\"}},", "", 40000, false, NULL, NULL},
    {"channels of one sampler", SAMPLERS_AS_THEY_ARE "\"channels\":[", "{\"input\":5", ",\"x\":0",
     ",\"output\":6},{\"input\":5,\"output\":8}],\"channels\":[", 3000, true, CHANNEL ",", ""},
    {"scenes", "\"scenes\":[{\"nodes\":[0,2]}", "\"scenes\":[{\"nodes\":[0,2]}", ",{}", "", 40000,
     false, NULL, NULL},
    {"keys of an object", "\"name\":\"hip\"", "\"name\":\"hip\"", ",\"extra\":0", "", 40000, false,
     NULL, NULL},
};

static char *put(char *at, const char *text, uint32_t times)
{
    size_t length = text ? strlen(text) : 0;
    for (uint32_t i = 0; i < times; i++, at += length)
        memcpy(at, text ? text : "", length);
    *at = 0;
    return at;
}

static char *repeat(const many *row, uint32_t count)
{
    size_t item = strlen(row->item) + (row->also ? strlen(row->also) : 0);
    char *text = malloc(2000 + count * item), *at = put(text, row->before, 1);
    at = put(put(at, row->item, count), row->behind, 1);
    put(put(at, row->also, count), row->end, 1);
    return text;
}

static double seconds_of(const many *row, const small_file *file)
{
    OWN(graze_rig) *rig = NULL;
    OWN(graze_model) *model = NULL;
    OWN(graze_part_names) *parts = NULL;
    graze_error error = {GRAZE_OK, ""};
    clock_t start = clock();
    CHECK_MSG(!graze_gltf_parse(file->data, file->size, NULL, "many", NULL, &rig, &error), "%s: %s",
              row->what, error.text);
    if (rig && !row->only_loads) {
        CHECK_MSG(!graze_rig_create_model(rig, NULL, &model, &error), "%s: %s", row->what,
                  error.text);
        CHECK(!graze_rig_part_names(rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &parts, &error));
    }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    return seconds;
}

static double least_seconds(const many *row, uint32_t count)
{
    char *text = repeat(row, count);
    small_file file = small_glb(&small_values, row->from, text);
    /* the channel of weights is made one of nothing: it would need as many values */
    static const char weights[] = "1,\"target\":{\"node\":2,\"path\":\"weights\"";
    static const char nothing[] = "0,\"target\":{        \"path\":\"rotation\"";
    char *channel = strstr((char *)file.data + 20, weights);
    CHECK(channel && sizeof weights == sizeof nothing);
    if (channel)
        memcpy(channel, nothing, sizeof nothing - 1);
    double least = 1e9;
    for (int i = 0; i < 3; i++) {
        double seconds = seconds_of(row, &file);
        least = seconds < least ? seconds : least;
    }
    free(text);
    free(file.data);
    return least;
}

TEST(four_times_as_much_takes_about_four_times_as_long)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const many *row = &cases[i];
        CHECK_MSG(strstr(small_json, row->from), "%s: nothing to edit", row->what);
        double few = least_seconds(row, row->count), more = least_seconds(row, 4 * row->count);
        printf("     %-24s %7.1f ms %8.1f ms\n", row->what, 1e3 * few, 1e3 * more);
        /* under 20 ms a clock has little to say */
        CHECK_MSG(more < 9 * few || more < 0.02, "%s: %g s for %u, %g s for four times as many",
                  row->what, few, row->count, more);
    }
}
