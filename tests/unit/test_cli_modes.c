/* graze modes: what it prints and writes, and what it refuses. */
#include "harness.h"
#include "support/json.h"
#include "support/own.h"
#include "support/sheet.h"

#include <graze/gltf.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef GRAZE_TEST_NUMERICS

TEST(a_build_without_numerics_says_so)
{
    REFUSED("built without its numerics", "modes", "a.glb", "-m", "1", "--thickness", "1", "-o",
            "b.glb");
    REFUSED("built without its numerics", "compress", "a.glb", "-m", "1", "--times", "0:1:9", "-o",
            "b.glb");
}

#else

/* ---- models -------------------------------------------------------------------------------- */

/* Writes the sheet as a model of one node, which lifts it by 1 along z. */
static void save_sheet(const test_sheet *sheet, const char *path)
{
    graze_rig_node node = {.parent = GRAZE_NONE,
                           .translation = {0, 0, 1},
                           .rotation = {0, 0, 0, 1},
                           .scale = {1, 1, 1}};
    graze_rig_joint joint = {.inverse_bind = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    OWNED uint32_t *offsets = calloc((size_t)sheet->vertex_count + 1, sizeof *offsets);
    OWNED graze_influence *influences = calloc(sheet->vertex_count, sizeof *influences);
    REQUIRE(offsets && influences);
    for (uint32_t v = 0; v < sheet->vertex_count; v++) {
        offsets[v + 1] = v + 1;
        influences[v].weight = 1;
    }
    graze_rig rig = {.allocator = graze_default_allocator(),
                     .positions = sheet->positions,
                     .vertex_count = sheet->vertex_count,
                     .triangles = sheet->triangles,
                     .triangle_count = sheet->triangle_count,
                     .influence_offsets = offsets,
                     .influences = influences,
                     .nodes = &node,
                     .node_count = 1,
                     .joints = &joint,
                     .joint_count = 1};
    graze_error error = {.text = ""};
    CHECK_MSG(!graze_gltf_save(&rig, path, &error), "%s", error.text);
}

/* A plate of 1 m as a file, with the vertices of every triangle its own if split. */
static const char *plate(bool split)
{
    static char paths[2][400];
    if (!paths[split][0]) {
        OWN(test_sheet) sheet = test_sheet_make(16, 16, 1, 1), parts = test_sheet_split(&sheet);
        snprintf(paths[split], sizeof *paths, "%s",
                 scratch_path(0, split ? "split.glb" : "plate.glb"));
        save_sheet(split ? &parts : &sheet, paths[split]);
    }
    return paths[split];
}

static graze_rig *load(const char *path)
{
    graze_rig *rig = NULL;
    graze_error error = {.text = ""};
    CHECK_MSG(!graze_gltf_load(path, NULL, &rig, &error), "%s", error.text);
    return rig;
}

/* ---- what is written ------------------------------------------------------------------------- */

/* A displacement of a target; 0 where the file has none. */
static void delta_at(const graze_rig_morph *morph, uint32_t vertex, double delta[3])
{
    uint32_t i = 0;
    while (i < morph->count && morph->vertices[i] < vertex)
        i++;
    bool moves = i < morph->count && morph->vertices[i] == vertex;
    for (int k = 0; k < 3; k++)
        delta[k] = moves ? (double)morph->deltas[3 * (size_t)i + (size_t)k] : 0;
}

/* Targets over their scales are orthonormal in mass, a third of a triangle a corner; steel 10 mm
 * thick and squares of 1/16 m.
 */
static void check_targets(const graze_rig *rig, const double *scales)
{
    OWNED double *masses = calloc(rig->vertex_count, sizeof *masses);
    double worst = 0;
    REQUIRE(masses);
    for (size_t i = 0; i < 3 * (size_t)rig->triangle_count; i++)
        masses[rig->triangles[i]] += 78.5 / (16 * 16 * 2 * 3);
    for (uint32_t a = 0; a < rig->morph_count; a++)
        for (uint32_t b = 0; b <= a; b++) {
            double sum = a == b ? -1 : 0, left[3], right[3];
            for (uint32_t v = 0; v < rig->vertex_count; v++) {
                delta_at(&rig->morphs[a], v, left);
                delta_at(&rig->morphs[b], v, right);
                for (int k = 0; k < 3; k++)
                    sum += masses[v] * left[k] * right[k] / (scales[a] * scales[b]);
            }
            worst = fabs(sum) > worst ? fabs(sum) : worst;
        }
    CHECK_MSG(worst < 1e-6, "orthonormal to %g", worst);
}

TEST(a_plate_is_written_with_its_modes)
{
    const char *out = scratch_path(1, "modes.glb");
    cJSON *line = ONLY_LINE(0, RUN("modes", plate(false), "-m", "3", "--thickness", "0.01",
                                   "--clamp", "x:0:0", "--clamp", "x:1:1", "--clamp", "y:0:0",
                                   "--clamp", "y:1:1", "--damping", "0.02", "-o", out, "--json"));
    OWN(graze_rig) *before = load(plate(false)), *rig = load(out);
    REQUIRE(line && before && rig && rig->mesh_count == 1 && rig->meshes[0].extras);
    CHECK(fabs(number_at(line, "frequencies", 0) - 89.7) < 0.03 * 89.7);
    CHECK(number(line, "rigid") == 0 && fabs(number(line, "mass") - 78.5) < 1e-3);
    CHECK(number(line, "held") == 64 && number(line, "orthonormality") < 1e-6);
    CHECK(rig->vertex_count == before->vertex_count && rig->morph_count == 3);
    CHECK(rig->triangle_count == before->triangle_count);
    CHECK(!memcmp(rig->triangles, before->triangles, 12 * (size_t)rig->triangle_count));
    for (size_t i = 0; i < 3 * (size_t)rig->vertex_count; i++)
        CHECK(rig->positions[i] == before->positions[i] + (i % 3 == 2)); /* as the node has it */
    cJSON *extras = json_parse(rig->meshes[0].extras);
    const cJSON *kept = field(extras, "grazeModes");
    const cJSON *modes = field(kept, "modes");
    REQUIRE(cJSON_GetArraySize(modes) == 3);
    CHECK(size_of(extras, "targetNames") == 3);
    CHECK(number(kept, "thickness") == 0.01 && number(kept, "young") == 210e9);
    double scales[3];
    for (int m = 0; m < 3; m++) {
        const cJSON *mode = cJSON_GetArrayItem(modes, m);
        scales[m] = number(mode, "scale");
        double frequency = number_at(line, "frequencies", m);
        CHECK(fabs(number(mode, "frequency") - frequency) < 1e-14 * frequency);
        CHECK(number(mode, "damping") == 0.02 && number_at(line, "damping", m) == 0.02);
        CHECK(fabs(scales[m] - number_at(line, "scale", m)) < 1e-14 * scales[m]);
        double largest = 0, delta[3];
        for (uint32_t v = 0; v < rig->vertex_count; v++) {
            delta_at(&rig->morphs[m], v, delta);
            largest = fmax(largest, hypot(hypot(delta[0], delta[1]), delta[2]));
            if (v % 17 == 0)
                CHECK(delta[0] == 0 && delta[1] == 0 && delta[2] == 0); /* held */
        }
        CHECK(fabs(largest - 0.05 * sqrt(2)) < 1e-6);
    }
    check_targets(rig, scales);
}

/* Clip 0 plays one mode a second, then there is one for each. */
TEST(the_clips_play_each_mode)
{
    const char *out = scratch_path(1, "clips.glb");
    cJSON *line = ONLY_LINE(0, RUN("modes", plate(true), "-m", "2", "--thickness", "0.01",
                                   "--rayleigh", "3,1e-5", "-o", out, "--json"));
    OWN(graze_rig) *rig = load(out);
    REQUIRE(line && rig);
    CHECK(number(line, "rigid") == 6 && rig->clip_count == 3);
    CHECK(number(line, "points") == 289 && number(line, "pieces") == 1);
    CHECK(rig->vertex_count == 2 * 16 * 16 * 3);
    CHECK(number(line, "rigid_frequency") < 1e-3 * number_at(line, "frequencies", 0));
    for (int m = 0; m < 2; m++) {
        double angular = 2 * acos(-1) * number_at(line, "frequencies", m),
               damping = number_at(line, "damping", m);
        CHECK(fabs(damping - (1.5 / angular + 0.5e-5 * angular)) < 1e-12);
    }
    static const struct {
        const char *clip;
        double time;
        float weights[2];
    } samples[] = {{"modes", 0, {0, 0}},      {"modes", 0.25, {1, 0}},  {"modes", 1.75, {0, -1}},
                   {"mode 1", 0.75, {-1, 0}}, {"mode 2", 0.25, {0, 1}}, {"mode 2", 1, {0, 0}}};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        float weights[2];
        uint32_t clip = graze_rig_find_clip(rig, samples[i].clip);
        REQUIRE(clip != GRAZE_NONE);
        CHECK(!graze_rig_sample(rig, clip, samples[i].time, NULL, weights));
        CHECK_MSG(weights[0] == samples[i].weights[0] && weights[1] == samples[i].weights[1],
                  "%s at %g: %g %g", samples[i].clip, samples[i].time, (double)weights[0],
                  (double)weights[1]);
    }
    command_result hits = RUN("collide", out, "--times", "0:1:4", "--at", "0,0,0.05", "--phase",
                              "0.5", "--count", "--json");
    CHECK_MSG(hits.code == 0 && count_lines(hits.out) == 5, "%s", hits.err);
    CHECK(strstr(hits.out, "\"hit\":false") && strstr(hits.out, "\"hit\":true"));
}

TEST(pieces_and_flat_triangles_are_told)
{
    static const float far[3] = {3, 0, 0};
    const char *out = scratch_path(1, "pieces.glb"), *model = scratch_path(2, "two.glb");
    OWN(test_sheet) sheet = test_sheet_make(4, 4, 1, 1);
    OWN(test_sheet) both = test_sheet_join(&sheet, &sheet, far);
    both.triangles[2] = both.triangles[1];
    save_sheet(&both, model);
    command_result run = RUN("modes", model, "-m", "4", "--thickness", "0.01", "-o", out, "--json");
    CHECK(strstr(run.err, "1 triangles without area were left out"));
    CHECK(strstr(run.err, "2 separate pieces vibrate"));
    cJSON *line = json_parse(run.out);
    CHECK(run.code == 0 && number(line, "rigid") == 12 && number(line, "pieces") == 2);
    run = RUN("modes", model, "-m", "4", "--thickness", "0.01", "-o", out);
    CHECK(run.code == 0 && strstr(run.out, "mode 4") && strstr(run.out, "12 rigid modes"));
}

/* Coordinates are floats: 0.1 and 0.7 in a range are those of the file. */
TEST(clamps_hold_what_stands_at_their_ends)
{
    const char *out = scratch_path(1, "tenths.glb"), *model = scratch_path(2, "tenth.glb");
    OWN(test_sheet) sheet = test_sheet_make(10, 2, 1, 1);
    save_sheet(&sheet, model);
    cJSON *line = ONLY_LINE(0, RUN("modes", model, "-m", "2", "--thickness", "0.01", "--clamp",
                                   "x:0:0.1", "--clamp", "x:0.7:0.7", "-o", out, "--json"));
    CHECK(line && number(line, "held") == 9 && number(line, "rigid") == 0);
}

/* ---- bad input ----------------------------------------------------------------------------- */

#define MODES_REFUSED(words, ...) REFUSED(words, "modes", plate(false), "-o", out, __VA_ARGS__)

TEST(bad_arguments_are_refused)
{
    const char *out = scratch_path(1, "none.glb");
    plate(false);
    REFUSED("no model given", "modes");
    MODES_REFUSED("no -m N given", "--thickness", "1");
    MODES_REFUSED("no --thickness T given", "-m", "3");
    REFUSED("no -o OUT.glb", "modes", plate(false), "-m", "3", "--thickness", "1");
    MODES_REFUSED("thickness is 0", "-m", "3", "--thickness", "0");
    MODES_REFUSED("Young's modulus", "-m", "3", "--thickness", "1", "--young", "-1");
    MODES_REFUSED("density is 0", "-m", "3", "--thickness", "1", "--density", "0");
    MODES_REFUSED("Poisson's ratio", "-m", "3", "--thickness", "1", "--poisson", "1");
    MODES_REFUSED("only 861", "-m", "9999", "--thickness", "1");
    MODES_REFUSED("--damping is", "-m", "3", "--thickness", "1", "--damping", "1");
    MODES_REFUSED("above 0", "-m", "3", "--thickness", "1", "--amplitude", "0");
    MODES_REFUSED("ALPHA,BETA", "-m", "3", "--thickness", "1", "--rayleigh", "1");
    MODES_REFUSED("not both", "-m", "3", "--thickness", "1", "--rayleigh", "1,0", "--damping", "0");
    MODES_REFUSED("too thin", "-m", "3", "--thickness", "1e-8");
    MODES_REFUSED("AXIS:FROM:TO", "-m", "3", "--thickness", "1", "--clamp", "w:0:1");
    MODES_REFUSED("AXIS:FROM:TO", "-m", "3", "--thickness", "1", "--clamp", "x:1:0");
    MODES_REFUSED("--clamp x:2:3 holds nothing: x goes from 0 to 1", "-m", "3", "--thickness", "1",
                  "--clamp", "x:2:3");
    MODES_REFUSED("the clamps hold all 289 vertices", "-m", "3", "--thickness", "1", "--clamp",
                  "z:0:2");
    MODES_REFUSED("--clip", "-m", "3", "--thickness", "1", "--clip", "0");
    REFUSED("no.glb", "modes", "no.glb", "-m", "1", "--thickness", "1", "-o", out);
    REFUSED("would write over the model", "modes", plate(false), "-m", "3", "--thickness", "1",
            "-o", plate(false));
}

#endif
