/* Answers of queries as lists of numbers: to be sorted, compared and hashed, whatever the query. */
#ifndef GRAZE_TESTS_SUPPORT_ANSWERS_H
#define GRAZE_TESTS_SUPPORT_ANSWERS_H

#include "support/own.h"

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
OWN_VALUE(answers, answers_free)

/* Adds a record; all records of a list have the same width. */
void answers_put(answers *list, const uint32_t *words, uint32_t width);

/* Callbacks of lists; user is an answers. They never say stop. */
bool answers_take_pairs(void *user, const graze_pair *pairs, size_t count);
bool answers_take_self(void *user, const graze_pair *pairs, size_t count);
bool answers_take_hits(void *user, const graze_hit *hits, size_t count);
bool answers_take_triangles(void *user, const uint32_t *triangles, size_t count);
bool answers_take_contacts(void *user, const graze_contact *contacts, size_t count);
bool answers_take_impacts(void *user, const graze_impact *impacts, size_t count);

/* A list of any kind. */
typedef union answers_list {
    graze_pair_list pairs;
    graze_hit_list hits;
    graze_triangle_list triangles;
    graze_contact_list contacts;
    graze_impact_list impacts;
} answers_list;

/* Lists that go to an answers, as long as the block that says so: a batch needs them longer. Pairs
 * are two words each, of one body three, with at_rest. */
#define PAIRS_TO(list) (&(graze_pair_list){.report = answers_take_pairs, .user = (list)})
#define SELF_TO(list) (&(graze_pair_list){.report = answers_take_self, .user = (list)})
#define HITS_TO(list) (&(graze_hit_list){.report = answers_take_hits, .user = (list)})
#define TRIANGLES_TO(list)                                                                         \
    (&(graze_triangle_list){.report = answers_take_triangles, .user = (list)})
#define CONTACTS_TO(list) (&(graze_contact_list){.report = answers_take_contacts, .user = (list)})
#define IMPACTS_TO(list) (&(graze_impact_list){.report = answers_take_impacts, .user = (list)})

/* Asks for the pairs of many couples of bodies in one batch: records start with the couple's
 * number.
 */
graze_status answers_of_couples(graze_pool *pool, graze_body *(*couples)[2], size_t count,
                                answers *list, graze_stats *stats, graze_error *error);

/* Adds one answer that is not a list. A pair, hit or impact that was not found is a record too. */
void answers_put_flag(answers *list, bool flag);
void answers_put_hit(answers *list, const graze_hit *hit);
void answers_put_impact(answers *list, const graze_impact *impact);
void answers_put_nearest(answers *list, const graze_nearest *nearest);
void answers_put_inside(answers *list, const graze_point_side *inside);

/* Adds the details of the contacts that a finder found last, and its segments. */
void answers_put_details(answers *details, answers *segments, const graze_contact_finder *finder);

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
