/* Writes the calls of a session to a file: a bug report to attach, and to replay anywhere.
 *
 *     FILE *file = fopen("session.graze", "wb");
 *     graze_recording_start(graze_write_to_file, file, &error);
 *     ... the program goes on as ever
 *     graze_recording_stop(&error);
 *
 * `graze replay session.graze` then makes the same models and bodies, repeats every call, and names
 * the first call whose answer differs. If the program crashed in a call, the file ends there, and
 * the replay repeats that call last.
 *
 * What is recorded:
 *   - bodies, and their models as these keep them. Those made earlier, when they are first used, as
 *     they stand. The tree is built anew, without the def's example poses; a lean body is an
 *     ordinary one.
 *   - poses, morph weights, positions, part masks, dropped caches, in their order
 *   - every question (query.h) that was not refused, with arguments and options, before it is
 *     asked; then its status, how many answers there were, and a hash of them. Those of a batch
 *     count when they are run. Questions of extensions are those that they ask of the core.
 *
 * What is not: models that no body is made of, graze_contacts_from_pairs, graze/ext/inspect.h, and
 * what reads positions. Pools, histories and sharing are left out, as answers do not depend on
 * them. A question with a budget is recorded as one without.
 *
 * What is compared: all of the answer. With `any` only whether there is one. With a budget, or a
 * callback that stopped the question, that there are no fewer. graze_cull may say "crossing" for
 * either side, graze_winding_number be off by 1e-5. Out of memory is compared with nothing.
 *
 * The file has numbers of 32 bits, little-endian, and a version. Every record has its length and a
 * checksum. A file that ends early is replayed up to there.
 *
 * Standing: experimental; all of it may change in any version.
 */
#ifndef GRAZE_EXT_RECORD_H
#define GRAZE_EXT_RECORD_H

#include <graze/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes bytes behind the others; false: it could not, and nothing more will be written. May be
 * called by any thread that calls Graze, never two at a time. It must not call Graze.
 */
typedef bool (*graze_write_fn)(void *user, const void *bytes, size_t size);

/* Reads the next bytes. Returns how many: fewer than size only at the end. */
typedef size_t (*graze_read_fn)(void *user, void *bytes, size_t size);

/* Starts recording, for the whole process. Any thread may start and stop it. Until it is stopped
 * calls wait for each other while they are written down. Nothing is paid for it when nothing is
 * recorded but a branch a call.
 *   - GRAZE_BAD_INPUT if a recording runs already.
 */
GRAZE_EXPERIMENTAL graze_status graze_recording_start(graze_write_fn write, void *user,
                                                      graze_error *error);

/* Ends the recording; write is not called any more. Questions under way remain without answer.
 *   - GRAZE_BAD_INPUT if there is none. GRAZE_IO_ERROR or GRAZE_OUT_OF_MEMORY if it is incomplete.
 */
GRAZE_EXPERIMENTAL graze_status graze_recording_stop(graze_error *error);

typedef struct graze_replay_options {
    const graze_allocator *allocator; /* for all that is made; NULL: graze_default_allocator() */
    bool stop_at_first;               /* stop at the first answer that differs */

    /* Told of every call before it is made: the last one is where a program ended. NULL: nobody. */
    void (*before)(void *user, uint64_t number, const char *name);
    void *user; /* passed to before */
    uintptr_t reserved[4];
} graze_replay_options;

typedef struct graze_replay_report {
    uint64_t calls;       /* made; they are numbered from 1 */
    uint64_t questions;   /* of these */
    uint64_t differences; /* questions with another answer than recorded */
    uint64_t unanswered;  /* questions without a recorded answer: the program ended in them */
    uint64_t first;       /* number of the first call that differs; 0: none */
    const char *name;     /* its name, constant; NULL: none */
    char text[200];       /* what differs, one line; else "" */
    bool truncated;       /* the file ends before the recording was stopped */
} graze_replay_report;

/* Replays a recording on the calling thread.
 *   - options may be NULL. *report is filled in any case, as far as it goes. GRAZE_OK says that the
 *     file was read to its end, or to the first difference, not that no answer differs.
 *   - GRAZE_BAD_INPUT if it is no recording, or damaged: the error names the record.
 *   - Memory is in proportion to the file, times the bodies that it makes.
 *   - A model whose parts are many more than its vertices and triangles counts as damaged.
 */
GRAZE_EXPERIMENTAL graze_status graze_replay(graze_read_fn read, void *user,
                                             const graze_replay_options *options,
                                             graze_replay_report *report, graze_error *error);

/* A graze_write_fn and a graze_read_fn whose user is a FILE * that is open as binary. Every write
 * is flushed, so that the file is whole when the program ends.
 */
GRAZE_EXPERIMENTAL bool graze_write_to_file(void *file, const void *bytes, size_t size);
GRAZE_EXPERIMENTAL size_t graze_read_from_file(void *file, void *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
