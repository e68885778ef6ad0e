/* The format of a recording: rows of 32-bit words.
 *
 * A file is "GRAZEREC", the format's version, the library's, and records. A record is its kind, the
 * number of words behind the third, their checksum, and these. Numbers of 64 bits are two words,
 * the lower first. In a file words are little-endian.
 */
#ifndef GRAZEI_RECORD_WORDS_H
#define GRAZEI_RECORD_WORDS_H

#include <graze/base.h>

#define GRAZEI_FILE_VERSION 1
#define GRAZEI_FILE_NAME 0x5a415247u, 0x43455245u /* "GRAZ", "EREC" */

enum { GRAZEI_FILE_HEAD = 4, GRAZEI_ENTRY_HEAD = 3 };

typedef enum grazei_entry {
    GRAZEI_ENTRY_MODEL = 1,
    GRAZEI_ENTRY_MODEL_FREED, /* model */
    GRAZEI_ENTRY_BODY,        /* model */
    GRAZEI_ENTRY_BODY_FREED,  /* body, and three numbers, as all below up to caches */
    GRAZEI_ENTRY_POSE,        /* joints, morph weights, placed; matrices, weights */
    GRAZEI_ENTRY_WEIGHTS,     /* count, coherent, 0; weights */
    GRAZEI_ENTRY_POSITIONS,   /* count, 0, 0; positions */
    GRAZEI_ENTRY_MASK,        /* parts, 0 for all, 0, 0; bits */
    GRAZEI_ENTRY_CACHES,      /* 0, 0, 0: they are dropped */
    GRAZEI_ENTRY_QUESTION,    /* see grazei_put_call */
    GRAZEI_ENTRY_ANSWER,      /* which question, counted from 0, and the answer */
    GRAZEI_ENTRY_END,
    GRAZEI_ENTRY_COUNT
} grazei_entry;

/* Words that grow. */
typedef struct grazei_words {
    uint32_t *at;
    size_t count, capacity;
    bool failed; /* out of memory: it no longer grows */
} grazei_words;

void grazei_put(grazei_words *words, uint32_t word);
void grazei_put_wide(grazei_words *words, uint64_t number);
void grazei_put_many(grazei_words *words, const void *from, size_t count);

/* Words that are read. Beyond the end all are 0, and bad is set. */
typedef struct grazei_taken {
    const uint32_t *at;
    size_t left;
    bool bad;
} grazei_taken;

uint32_t grazei_take(grazei_taken *words);
uint64_t grazei_take_wide(grazei_taken *words);

/* NULL if there are not so many, or none are asked for. */
const void *grazei_take_many(grazei_taken *words, uint64_t count);

/* From the order of this machine's bytes to that of a file, and back. */
void grazei_turn_words(uint32_t *words, size_t count);

/* A hash of some words that goes on from another one; the checksum of a record. */
uint64_t grazei_hash_words(uint64_t hash, const void *from, size_t count);
uint32_t grazei_checksum(uint32_t entry, const uint32_t *words, size_t count);

#endif
