/* Names for the numbers of body parts and meshes, which parts it is that meet, and parts that
 * options choose by name.
 */
#ifndef GRAZE_CLI_PARTS_H
#define GRAZE_CLI_PARTS_H

#include "cli/character.h"
#include "cli/list.h"

/* The part of a triangle, a part by its number, and a joint by its: the name of the joint's node,
 * else the number; the second of a name ends in #2, the third in #3.
 */
const char *triangle_part(const struct character *character, uint32_t triangle);
const char *part_name(const struct character *character, uint32_t part);
const char *joint_name(const struct character *character, uint32_t joint);

/* Its mesh: the name of that, else of its node; NULL if neither is known. */
const char *triangle_mesh(const struct character *character, uint32_t triangle);
const char *mesh_name(const graze_rig *rig, const graze_rig_mesh *mesh);

/* Two parts that meet in so many pairs of triangles. */
typedef struct part_pair {
    uint32_t parts[2];
    uint32_t count;
} part_pair;

/* Makes a list of the parts in pairs of triangles (graze_pair), most pairs first. unordered: a and
 * b is b and a.
 */
void part_pairs_find(item_list *parts, const struct character *const characters[2],
                     const item_list *pairs, bool unordered);

/* ---- parts that options choose by name ------------------------------------------------------- */

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
    graze_part_sets *pairs;
    graze_part_filter between;
} part_sets;

/* False after a line on standard error; to be freed all the same. */
bool part_sets_parse(part_sets *sets, const struct character *character, const char *text);
void part_sets_free(part_sets *sets);

/* Prints the tree: a line a part, those inside it behind it, with how many triangles each has. */
void parts_print(const struct character *character);

/* The same as {"parts":[{"name","parent","triangles"},...],"part_of":[...]}, by number: the last
 * has the part of every triangle.
 */
void parts_print_json(const struct character *character);

#endif
