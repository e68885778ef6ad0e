/* Names as a table has them: without what they have in common, cut where they are too long, and no
 * two alike.
 */
#ifndef GRAZE_CLI_AUDIT_NAMES_H
#define GRAZE_CLI_AUDIT_NAMES_H

#include "cli/list.h"

/* Sorts names (const char *) by their bytes and leaves each once. */
void audit_names_sort(item_list *names);

/* How long the prefix is that most of the sorted names have and that says nothing, "mixamorig:" or
 * "Skeleton_", and the first name with it. 0: there is none.
 */
size_t audit_names_prefix(const item_list *names, const char **with);

/* The name without the first bytes of `with`, if it begins so. */
const char *audit_name_rest(const char *name, const char *with, size_t prefix);

/* The least number of bytes, from `most` on, to which the names can be cut so that no two look the
 * same.
 */
size_t audit_names_cut(const item_list *names, size_t most);

/* The name in at most so many bytes, its middle left out: to be freed. */
char *audit_name_short(const char *name, size_t most);

/* Characters that a text takes on a line. */
int audit_name_width(const char *name);

#endif
