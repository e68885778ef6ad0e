#include "cli/obj_frames.h"

#include "cli/options.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

bool obj_frames_is_folder(const char *path)
{
    struct stat information;
    return stat(path, &information) == 0 && S_ISDIR(information.st_mode);
}

/* ---- the folder ---------------------------------------------------------------------------- */

static bool is_obj(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcasecmp(name + length - 4, ".obj") == 0;
}

/* man.9.obj before man.10.obj: digits in both are compared as one number. */
static int compare_names(const void *left, const void *right)
{
    const char *whole_a = *(char *const *)left, *whole_b = *(char *const *)right;
    const char *a = whole_a, *b = whole_b;
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a += strspn(a, "0");
            b += strspn(b, "0");
            size_t digits_a = strspn(a, "0123456789"), digits_b = strspn(b, "0123456789");
            int order =
                digits_a != digits_b ? (digits_a < digits_b ? -1 : 1) : strncmp(a, b, digits_a);
            if (order)
                return order;
            a += digits_a;
            b += digits_b;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    return *a || *b ? (*a ? 1 : -1) : strcmp(whole_a, whole_b);
}

static bool add_path(obj_frames *frames, const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char **more = realloc(frames->paths, ((size_t)frames->frame_count + 1) * sizeof *more);
    if (!more)
        return false;
    frames->paths = more;
    more[frames->frame_count] = malloc(size);
    if (!more[frames->frame_count])
        return false;
    snprintf(more[frames->frame_count++], size, "%s/%s", folder, name);
    return true;
}

bool obj_frames_open(obj_frames *frames, const char *folder)
{
    *frames = (obj_frames){.frame_count = 0};
    DIR *listing = opendir(folder);
    if (!listing) {
        fail_usage("%s: cannot open: %s", folder, strerror(errno));
        return false;
    }
    bool done = true;
    for (const struct dirent *entry; done && (entry = readdir(listing));)
        done = !is_obj(entry->d_name) || add_path(frames, folder, entry->d_name);
    closedir(listing);
    if (!done)
        fail_usage("out of memory");
    else if (frames->frame_count == 0)
        fail_usage("%s: there are no OBJ files in this folder", folder);
    if (!done || frames->frame_count == 0) {
        obj_frames_close(frames);
        return false;
    }
    qsort(frames->paths, frames->frame_count, sizeof *frames->paths, compare_names);
    return true;
}

void obj_frames_close(obj_frames *frames)
{
    for (uint32_t i = 0; i < frames->frame_count; i++)
        free(frames->paths[i]);
    free(frames->paths);
    free(frames->triangles);
    *frames = (obj_frames){.frame_count = 0};
}

/* ---- one file ------------------------------------------------------------------------------- */

/* What a file holds; the arrays grow. */
typedef struct obj_mesh {
    const char *path;
    float *positions;
    size_t vertex_count, vertex_room;
    uint32_t *triangles;
    size_t triangle_count, triangle_room;
    size_t line;
} obj_mesh;

static void free_mesh(obj_mesh *mesh)
{
    free(mesh->positions);
    free(mesh->triangles);
}

static bool grow(void **array, size_t *room, size_t count, size_t item)
{
    if (count < *room)
        return true;
    size_t wanted = *room ? *room * 2 : 1024;
    void *more = realloc(*array, wanted * item);
    if (!more) {
        fail_usage("out of memory");
        return false;
    }
    *array = more;
    *room = wanted;
    return true;
}

static bool fail_line(const obj_mesh *mesh, const char *what)
{
    fail_usage("%s: line %zu: %s", mesh->path, mesh->line, what);
    return false;
}

static bool read_vertex(obj_mesh *mesh, const char *text)
{
    if (!grow((void **)&mesh->positions, &mesh->vertex_room, mesh->vertex_count, 3 * sizeof(float)))
        return false;
    float *position = mesh->positions + mesh->vertex_count * 3;
    for (int k = 0; k < 3; k++) {
        char *end;
        position[k] = strtof(text, &end);
        if (end == text || !isfinite(position[k]))
            return fail_line(mesh, "a vertex needs three finite numbers");
        text = end;
    }
    mesh->vertex_count++;
    return true;
}

/* The next corner of a face, as an index from 0; *text moves on. False at the end of the line. */
static bool next_corner(const obj_mesh *mesh, const char **text, long long *corner)
{
    char *end;
    *corner = strtoll(*text, &end, 10);
    if (end == *text)
        return false;
    *corner += *corner < 0 ? (long long)mesh->vertex_count : -1;
    *text = end + strcspn(end, " \t\r"); /* past the texture's and the normal's */
    return true;
}

static bool read_face(obj_mesh *mesh, const char *text)
{
    long long corner, first = 0, before = 0;
    int count = 0;
    for (; next_corner(mesh, &text, &corner); count++) {
        if (corner < 0 || corner >= UINT32_MAX)
            return fail_line(mesh, "a face refers to a vertex that is not there");
        if (count == 0)
            first = corner;
        if (count >= 2) {
            if (!grow((void **)&mesh->triangles, &mesh->triangle_room, mesh->triangle_count,
                      3 * sizeof(uint32_t)))
                return false;
            uint32_t *triangle = mesh->triangles + mesh->triangle_count++ * 3;
            triangle[0] = (uint32_t)first;
            triangle[1] = (uint32_t)before;
            triangle[2] = (uint32_t)corner;
        }
        before = corner;
    }
    if (text[strspn(text, " \t\r")])
        return fail_line(mesh, "a face has a corner that is no number");
    return count >= 3 || fail_line(mesh, "a face needs three corners");
}

static bool check_mesh(const obj_mesh *mesh)
{
    if (mesh->vertex_count == 0 || mesh->triangle_count == 0 ||
        mesh->vertex_count > UINT32_MAX / 3 || mesh->triangle_count > UINT32_MAX / 3) {
        fail_usage("%s: no vertices, or no triangles, or too many", mesh->path);
        return false;
    }
    for (size_t i = 0; i < mesh->triangle_count * 3; i++)
        if (mesh->triangles[i] >= mesh->vertex_count) {
            fail_usage("%s: triangle %zu refers to vertex %u of %zu", mesh->path, i / 3,
                       mesh->triangles[i], mesh->vertex_count);
            return false;
        }
    return true;
}

/* False after printing the error; the mesh is to be freed all the same. */
static bool read_mesh(obj_mesh *mesh, const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    bool good = true;
    *mesh = (obj_mesh){.path = path};
    if (!file) {
        fail_usage("%s: cannot open: %s", path, strerror(errno));
        return false;
    }
    while (good && getline(&line, &room, file) >= 0) {
        mesh->line++;
        line[strcspn(line, "\n")] = 0;
        const char *text = line + strspn(line, " \t");
        if (text[0] == 'v' && isblank((unsigned char)text[1]))
            good = read_vertex(mesh, text + 1);
        else if (text[0] == 'f' && isblank((unsigned char)text[1]))
            good = read_face(mesh, text + 1);
    }
    if (good && ferror(file)) {
        fail_usage("%s: cannot read: %s", path, strerror(errno));
        good = false;
    }
    free(line);
    fclose(file);
    return good && check_mesh(mesh);
}

/* ---- frames -------------------------------------------------------------------------------- */

/* Frame `index`, counted from the first of those that are read, must be like that one. */
static bool check_alike(const obj_frames *frames, const obj_mesh *mesh, const char *first)
{
    if (mesh->vertex_count != frames->vertex_count) {
        fail_usage("%s has %zu vertices, %s has %u", mesh->path, mesh->vertex_count, first,
                   frames->vertex_count);
        return false;
    }
    if (mesh->triangle_count != frames->triangle_count ||
        memcmp(mesh->triangles, frames->triangles, mesh->triangle_count * 3 * sizeof(uint32_t))) {
        fail_usage("%s has other triangles than %s", mesh->path, first);
        return false;
    }
    return true;
}

static bool read_frame(obj_frames *frames, uint32_t first, uint32_t index, uint32_t count,
                       float **positions)
{
    obj_mesh mesh;
    bool good = read_mesh(&mesh, frames->paths[first + index]);
    if (good && index == 0) {
        frames->vertex_count = (uint32_t)mesh.vertex_count;
        frames->triangle_count = (uint32_t)mesh.triangle_count;
        free(frames->triangles);
        frames->triangles = mesh.triangles;
        mesh.triangles = NULL;
        *positions = malloc(count * mesh.vertex_count * 3 * sizeof **positions);
        good = *positions;
        if (!good)
            fail_usage("out of memory");
    } else if (good) {
        good = check_alike(frames, &mesh, frames->paths[first]);
    }
    if (good)
        memcpy(*positions + index * mesh.vertex_count * 3, mesh.positions,
               mesh.vertex_count * 3 * sizeof **positions);
    free_mesh(&mesh);
    return good;
}

float *obj_frames_read(obj_frames *frames, uint32_t first, uint32_t count)
{
    float *positions = NULL;
    for (uint32_t i = 0; i < count; i++)
        if (!read_frame(frames, first, i, count, &positions)) {
            free(positions);
            return NULL;
        }
    return positions;
}
