/* Answers of queries as lists of numbers: to be sorted, compared and hashed, whatever the query. */
#ifndef GRAZE_TESTS_SUPPORT_ANSWERS_H
#define GRAZE_TESTS_SUPPORT_ANSWERS_H

#include <graze/graze.h>

/* Records of `width` words each, floats as their bits. */
typedef struct answers {
    uint32_t *words;
    uint32_t width;
    size_t count, capacity; /* in records */
} answers;

/* Empties the list but keeps its memory. */
void answers_clear(answers *list);
void answers_free(answers *list);

/* Adds a record; all records of a list have the same width. */
void answers_put(answers *list, const uint32_t *words, uint32_t width);

/* Callbacks of the queries; user is an answers. They never say stop. */
bool answers_take_pairs(void *user, const graze_pair *pairs, size_t count);
bool answers_take_self(void *user, const graze_self_pair *pairs, size_t count);
bool answers_take_hits(void *user, const graze_ray_hit *hits, size_t count);
bool answers_take_triangles(void *user, const uint32_t *triangles, size_t count);
bool answers_take_impacts(void *user, const graze_impact *impacts, size_t count);
bool answers_take_shape_impacts(void *user, const graze_shape_impact *impacts, size_t count);
bool answers_take_many(void *user, size_t pair, const graze_pair *pairs, size_t count);

/* Adds one answer that is not a list. A pair, hit or impact that was not found is a record too. */
void answers_put_flag(answers *list, bool flag);
void answers_put_hit(answers *list, const graze_ray_hit *hit);
void answers_put_impact(answers *list, const graze_impact *impact);
void answers_put_shape_impact(answers *list, const graze_shape_impact *impact);
void answers_put_nearest(answers *list, const graze_nearest *nearest);
void answers_put_inside(answers *list, const graze_point_side *inside);

/* Adds what a finder holds: contacts in one list, segments in the other. */
void answers_put_contacts(answers *contacts, answers *segments, const graze_contacts *found);

/* Sorts by the words in turn. False if a record is there twice. */
bool answers_sort(answers *list);

/* Both sorted, or both in an order that is promised: the same records? If not, *odd (may be NULL)
 * is the number of the first that differs.
 */
bool answers_equal(const answers *x, const answers *y, size_t *odd);

/* Whether the sorted list has a record that starts with these words. */
bool answers_have(const answers *list, const uint32_t *words, uint32_t width);

/* FNV-1a over the number of records and all words, lowest byte first; start with ANSWERS_NO_HASH or
 * with the hash of what came before.
 */
#define ANSWERS_NO_HASH 0xCBF29CE484222325u
uint64_t answers_hash_words(uint64_t hash, const uint32_t *words, size_t count);
uint64_t answers_hash_floats(uint64_t hash, const float *values, size_t count);
uint64_t answers_hash(uint64_t hash, const answers *list);

#endif
