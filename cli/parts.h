/* Names for the numbers of body parts and meshes, and which parts it is that meet. */
#ifndef GRAZE_CLI_PARTS_H
#define GRAZE_CLI_PARTS_H

#include "cli/character.h"
#include "cli/csv.h"
#include "cli/pairs.h"

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

/* What --parts asks for: the pairs of parts among pairs of triangles, most pairs first. */
typedef struct part_pairs {
    const struct character *characters[2];
    bool unordered; /* of one body: a and b is b and a */
    part_pair *pairs;
    size_t count, capacity;
    bool failed; /* out of memory */
} part_pairs;

/* Room for the parts of so many pairs of triangles, and none of them yet; false when out of memory.
 * Then each pair, then the order.
 */
bool part_pairs_begin(part_pairs *parts, size_t count);
void part_pairs_add(part_pairs *parts, uint32_t a, uint32_t b);
void part_pairs_end(part_pairs *parts);
void part_pairs_free(part_pairs *parts);

/* "parts":[["a","b"],...],"part_counts":[...], with the comma behind it; a line each; a row each.
 */
void part_pairs_print_json(const part_pairs *parts);
void part_pairs_print(const part_pairs *parts);
void part_pairs_write(const part_pairs *parts, struct csv *csv, uint32_t frame, double time);

#define PART_COLUMNS "frame,time,part_a,part_b,pairs"

/* A row for a pair of triangles, and for the number of them in a frame. */
#define PAIR_COLUMNS "frame,time,a,b,part_a,part_b"
void pair_write(struct csv *csv, uint32_t frame, double time,
                const struct character *const characters[2], uint32_t a, uint32_t b);
#define COUNT_COLUMNS "frame,time,count,us"
void count_write(struct csv *csv, uint32_t frame, double time, size_t count, double us);

#endif
