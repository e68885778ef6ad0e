/* The files that graze audit goes through. */
#include "cli/audit.h"
#include "cli/model_file.h"
#include "cli/room.h"
#include "cli/text.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

static void add_input(item_list *inputs, char *path, char *error)
{
    list_add(inputs, &(audit_input){.path = path, .error = error}, 1, sizeof(audit_input));
}

static char *join(const char *folder, const char *name)
{
    size_t length = strlen(folder);
    const char *slash = length && folder[length - 1] == '/' ? "" : "/";
    size_t size = length + strlen(name) + 2;
    char *path = room(size, 1);
    snprintf(path, size, "%s%s%s", folder, slash, name);
    return path;
}

/* Adds all models below; links to folders are not followed, as they may lead back up. False with
 * errno set if the folder cannot be read.
 */
static bool add_folder(item_list *inputs, const char *folder)
{
    DIR *entries = opendir(folder);
    struct dirent *entry;
    if (!entries)
        return false;
    while ((entry = readdir(entries))) {
        struct stat information;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        char *path = join(folder, entry->d_name);
        bool is_folder = lstat(path, &information) == 0 && S_ISDIR(information.st_mode);
        if (is_folder && !add_folder(inputs, path)) {
            char why[300];
            snprintf(why, sizeof why, "the folder cannot be read: %s", strerror(errno));
            add_input(inputs, path, copy_text(why));
        } else if (!is_folder && model_file_has_ending(path)) {
            add_input(inputs, path, NULL);
        } else {
            free(path);
        }
    }
    closedir(entries);
    return true;
}

static void add_name(item_list *inputs, const char *name)
{
    struct stat information;
    const size_t before = inputs->count;
    char why[300] = "";
    if (strncmp(name, "builtin:", 8) == 0 || stat(name, &information) != 0 ||
        !S_ISDIR(information.st_mode)) {
        add_input(inputs, copy_text(name), NULL);
        return;
    }
    if (!add_folder(inputs, name))
        snprintf(why, sizeof why, "the folder cannot be read: %s", strerror(errno));
    else if (inputs->count == before)
        snprintf(why, sizeof why, "there is no .glb or .gltf in this folder or below");
    if (why[0])
        add_input(inputs, copy_text(name), copy_text(why));
}

/* A name a line; empty lines do not count. */
static bool add_list(item_list *inputs, const char *path)
{
    const bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "r");
    char *line = NULL;
    size_t size = 0, count = 0;
    ssize_t length;
    if (!file)
        return refuse("--list %s: cannot be read: %s", path, strerror(errno));
    while ((length = getline(&line, &size, file)) >= 0) {
        while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
            line[--length] = 0;
        if (length > 0) {
            add_name(inputs, line);
            count++;
        }
    }
    bool read = !ferror(file);
    free(line);
    if (!standard)
        fclose(file);
    if (!read)
        return refuse("--list %s: cannot be read", path);
    return count > 0 || refuse("--list %s: there is no name in it", path);
}

static int by_path(const void *left, const void *right)
{
    const audit_input *x = left, *y = right;
    int order = strcmp(x->path, y->path);
    return order ? order : (x->error != NULL) - (y->error != NULL);
}

bool audit_inputs_find(item_list *inputs, const audit_job *job, const arguments *given)
{
    for (size_t i = 0; i < given->name_count; i++)
        add_name(inputs, given->names[i]);
    if (job->list && !add_list(inputs, job->list))
        return false;
    audit_input *all = inputs->items;
    size_t kept = 0;
    if (inputs->count == 0)
        return refuse("audit: no model given (see graze help audit)");
    qsort(all, inputs->count, sizeof *all, by_path);
    for (size_t i = 1; i < inputs->count; i++)
        if (strcmp(all[kept].path, all[i].path) != 0) {
            all[++kept] = all[i];
        } else {
            free(all[i].path);
            free(all[i].error);
        }
    inputs->count = kept + 1;
    return true;
}

void audit_input_free(audit_input *input)
{
    free(input->path);
    free(input->error);
    free(input->costs);
    free(input->wanted);
}

void audit_inputs_free(item_list *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        audit_input_free((audit_input *)inputs->items + i);
    list_free(inputs);
}
