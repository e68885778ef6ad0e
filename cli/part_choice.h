/* Body parts that options choose by name. */
#ifndef GRAZE_CLI_PART_CHOICE_H
#define GRAZE_CLI_PART_CHOICE_H

#include "cli/character.h"

/* Lets only the named parts of the body take part: names with commas between them, each with all
 * parts inside it; "=NAME" is that part alone, "-NAME" takes it and all inside it out again. False
 * after a line on standard error.
 */
bool parts_choose(const struct character *character, graze_body *body, const char *names);

/* Chosen pairs of parts, as self --between has them: "A:B,C:D", where A is such names with a plus
 * between them.
 */
typedef struct part_sets {
    uint32_t *bits; /* of all sets */
    graze_group_pair *pairs;
    graze_self_between between;
} part_sets;

/* False after a line on standard error; to be freed all the same. */
bool part_sets_parse(part_sets *sets, const struct character *character, const char *text);
void part_sets_free(part_sets *sets);

/* Whether a pair of triangles is one of the chosen. */
bool part_sets_have(const part_sets *sets, const graze_model *model, const graze_self_pair *pair);

/* Prints the tree: a line a part, those inside it behind it, with how many triangles each has. */
void parts_print(const struct character *character);

/* The same as "parts":[{"name","parent","triangles"},...], by number. */
void parts_print_json(const struct character *character);

#endif
