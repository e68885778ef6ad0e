#include "cli/report_parts.h"

#include "cli/parts.h"
#include "cli/report_parts.h"
#include "cli/text.h"

#include <graze/base.h>
#include <graze/rig.h>

#include <string.h>

bool report_model_is_linear(const struct character *character)
{
    return graze_model_get_info(character->model).skinning == GRAZE_LINEAR;
}

/* ---- words -------------------------------------------------------------------------------- */

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* Influences without weight are left out of the file. */
uint32_t report_model_influences(const graze_rig *rig, uint32_t vertex)
{
    uint32_t count = 0;
    for (uint32_t i = rig->influence_offsets[vertex]; i < rig->influence_offsets[vertex + 1]; i++)
        count += rig->influences[i].weight > 0;
    return count;
}

static void write_model_info(FILE *file, const struct character *character)
{
    static const char *const skinnings[] = {
        [GRAZE_LINEAR] = "linear", [GRAZE_SPHERICAL] = "spherical", [GRAZE_DUAL] = "dual"};
    const graze_rig *rig = character->rig;
    graze_model_info info = graze_model_get_info(character->model);
    uint32_t influences = 0;
    for (uint32_t v = 0; v < rig->vertex_count; v++)
        influences += report_model_influences(rig, v);
    put_page(file,
             "{\"name\":%s,\"vertices\":%u,\"triangles\":%u,\"joints\":%u,\"influences\":%u,"
             "\"skinning\":%s",
             file_name(character->name), rig->vertex_count, rig->triangle_count, rig->joint_count,
             influences, skinnings[info.skinning]);
    fputs(",\"morphs\":[", file);
    for (uint32_t i = 0; i < rig->morph_count; i++)
        fprintf(file, "%s%u", i ? "," : "", rig->morphs[i].count);
    fputs("],\"parts\":[", file);
    for (uint32_t i = 0; i < info.part_count; i++) {
        fputs(i ? "," : "", file);
        put_page(file, "%s", part_name(character, i));
    }
    fputs("]}", file);
}

static size_t model_count(const report_def *def)
{
    bool two = def->body_count == 2 && def->bodies[0].character != def->bodies[1].character;
    return two ? 2 : 1;
}

static void write_info(FILE *file, const report_def *def, bool with_depth)
{
    fputs("<script type=\"application/json\" id=\"graze-info\">\n", file);
    put_page(file, "{\"format\":1,\"version\":\"%d.%d.%d\",\"command\":%s,\"title\":%s",
             GRAZE_VERSION_MAJOR, GRAZE_VERSION_MINOR, GRAZE_VERSION_PATCH, def->command,
             def->title);
    fprintf(file, ",\"self\":%s,\"first\":%s,\"new\":%s,\"depth\":%s,\"frames\":%u",
            def->body_count == 1 ? "true" : "false", def->first ? "true" : "false",
            def->only_new ? "true" : "false", with_depth ? "true" : "false", def->frame_count);
    put_page(file, ",\"between\":%s", def->between);
    fputs(",\n\"models\":[", file);
    for (size_t i = 0; i < model_count(def); i++) {
        fputs(i ? ",\n" : "", file);
        write_model_info(file, def->bodies[i].character);
    }
    fputs("],\n\"bodies\":[", file);
    for (size_t i = 0; i < def->body_count; i++) {
        put_page(file, i ? ",{\"model\":%zu,\"clip\":%s" : "{\"model\":%zu,\"clip\":%s",
                 i < model_count(def) ? i : 0, def->bodies[i].clip);
        put_page(file, ",\"phase\":%g,\"only\":%s}", def->bodies[i].phase, def->bodies[i].only);
    }
    fputs("]}\n</script>\n", file);
}

/* ---- numbers ------------------------------------------------------------------------------ */

static void write_influences(number_stream *stream, const graze_rig *rig)
{
    for (uint32_t v = 0; v < rig->vertex_count; v++)
        stream_u16(stream, report_model_influences(rig, v));
    stream_align(stream);
    for (uint32_t i = 0; i < rig->influence_offsets[rig->vertex_count]; i++)
        if (rig->influences[i].weight > 0)
            stream_u16(stream, rig->influences[i].joint);
    stream_align(stream);
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        uint32_t first = rig->influence_offsets[v], end = rig->influence_offsets[v + 1];
        double sum = 0;
        for (uint32_t i = first; i < end; i++)
            sum += rig->influences[i].weight > 0 ? (double)rig->influences[i].weight : 0;
        for (uint32_t i = first; i < end; i++) {
            float weight = (float)((double)rig->influences[i].weight / sum);
            if (rig->influences[i].weight > 0)
                stream_floats(stream, &weight, 1);
        }
    }
}

static void write_morphs(number_stream *stream, const graze_rig *rig)
{
    for (uint32_t m = 0; m < rig->morph_count; m++) {
        const graze_rig_morph *morph = &rig->morphs[m];
        for (uint32_t i = 0; i < morph->count; i++)
            stream_index(stream, morph->vertices[i], rig->vertex_count);
        stream_align(stream);
        stream_floats(stream, morph->deltas, 3 * (size_t)morph->count);
    }
}

static void write_model(FILE *file, size_t number, const struct character *character)
{
    const graze_rig *rig = character->rig;
    graze_model_info info = graze_model_get_info(character->model);
    fprintf(file, "<script type=\"text/plain\" id=\"graze-model-%zu\">\n", number);
    number_stream stream = stream_begin(file);
    for (size_t i = 0; i < 3 * (size_t)rig->triangle_count; i++)
        stream_index(&stream, rig->triangles[i], rig->vertex_count);
    stream_align(&stream);
    for (uint32_t t = 0; t < rig->triangle_count; t++)
        stream_index(&stream, graze_model_triangle_part(character->model, t), info.part_count);
    stream_align(&stream);
    stream_floats(&stream, rig->positions, 3 * (size_t)rig->vertex_count);
    write_influences(&stream, rig);
    write_morphs(&stream, rig);
    stream_end(&stream);
    fputs("\n</script>\n", file);
}

void report_model_write(FILE *file, const report_def *def, bool with_depth)
{
    write_info(file, def, with_depth);
    for (size_t i = 0; i < model_count(def); i++)
        write_model(file, i, def->bodies[i].character);
}
