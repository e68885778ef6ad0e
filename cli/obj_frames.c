#include "cli/obj_frames.h"

#include "cli/options.h"
#include "cli/room.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <strings.h>
#include <sys/stat.h>

bool obj_frames_is_folder(const char *path)
{
    struct stat information;
    return stat(path, &information) == 0 && S_ISDIR(information.st_mode);
}

/* ---- the folder ---------------------------------------------------------------------------- */

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

static void add_path(obj_frames *frames, const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = room(size, 1);
    snprintf(path, size, "%s/%s", folder, name);
    frames->paths =
        more_room(frames->paths, (size_t)frames->frame_count + 1, sizeof *frames->paths);
    frames->paths[frames->frame_count++] = path;
}

bool obj_frames_open(obj_frames *frames, const char *folder)
{
    *frames = (obj_frames){.frame_count = 0};
    DIR *listing = opendir(folder);
    if (!listing)
        return refuse("%s: cannot open: %s", folder, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(listing));) {
        size_t length = strlen(entry->d_name);
        if (length > 4 && strcasecmp(entry->d_name + length - 4, ".obj") == 0)
            add_path(frames, folder, entry->d_name);
    }
    closedir(listing);
    if (frames->frame_count == 0)
        return refuse("%s: there are no OBJ files in this folder", folder);
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

/* The next of the items, with more memory where there is none left. */
static void *next_item(void *array, size_t *capacity, size_t count, size_t size)
{
    void **items = array;
    if (count == *capacity) {
        *capacity = *capacity ? *capacity * 2 : 1024;
        *items = more_room(*items, *capacity, size);
    }
    return (char *)*items + count * size;
}

static bool fail_line(const obj_mesh *mesh, const char *what)
{
    return refuse("%s: line %zu: %s", mesh->path, mesh->line, what);
}

static bool read_vertex(obj_mesh *mesh, const char *text)
{
    float *position =
        next_item(&mesh->positions, &mesh->vertex_room, mesh->vertex_count, 3 * sizeof(float));
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
            uint32_t *triangle = next_item(&mesh->triangles, &mesh->triangle_room,
                                           mesh->triangle_count++, 3 * sizeof(uint32_t));
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
        mesh->vertex_count > UINT32_MAX / 3 || mesh->triangle_count > UINT32_MAX / 3)
        return refuse("%s: no vertices, or no triangles, or too many", mesh->path);
    for (size_t i = 0; i < mesh->triangle_count * 3; i++)
        if (mesh->triangles[i] >= mesh->vertex_count)
            return refuse("%s: triangle %zu refers to vertex %u of %zu", mesh->path, i / 3,
                          mesh->triangles[i], mesh->vertex_count);
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
    if (!file)
        return refuse("%s: cannot open: %s", path, strerror(errno));
    while (good && getline(&line, &room, file) >= 0) {
        mesh->line++;
        line[strcspn(line, "\n")] = 0;
        const char *text = line + strspn(line, " \t");
        if (text[0] == 'v' && isblank((unsigned char)text[1]))
            good = read_vertex(mesh, text + 1);
        else if (text[0] == 'f' && isblank((unsigned char)text[1]))
            good = read_face(mesh, text + 1);
    }
    if (good && ferror(file))
        good = refuse("%s: cannot read: %s", path, strerror(errno));
    free(line);
    fclose(file);
    return good && check_mesh(mesh);
}

/* ---- frames -------------------------------------------------------------------------------- */

/* Frame `index`, counted from the first of those that are read, must be like that one. */
static bool check_alike(const obj_frames *frames, const obj_mesh *mesh, const char *first)
{
    if (mesh->vertex_count != frames->vertex_count)
        return refuse("%s has %zu vertices, %s has %u", mesh->path, mesh->vertex_count, first,
                      frames->vertex_count);
    if (mesh->triangle_count != frames->triangle_count ||
        memcmp(mesh->triangles, frames->triangles, mesh->triangle_count * 3 * sizeof(uint32_t)))
        return refuse("%s has other triangles than %s", mesh->path, first);
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
        *positions = room(count * mesh.vertex_count * 3, sizeof **positions);
    } else if (good) {
        good = check_alike(frames, &mesh, frames->paths[first]);
    }
    if (good)
        memcpy(*positions + index * mesh.vertex_count * 3, mesh.positions,
               mesh.vertex_count * 3 * sizeof **positions);
    free(mesh.positions);
    free(mesh.triangles);
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
