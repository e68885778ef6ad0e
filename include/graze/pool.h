/* Threads that wait for work. graze/threads.h asks bodies with them. */
#ifndef GRAZE_POOL_H
#define GRAZE_POOL_H

#include <graze/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_pool graze_pool;

/* Makes a pool in which `threads` (1 to 256) work on a call, the calling one included; as many as
 * there are processors is a good number. allocator NULL: graze_default_allocator(). Between calls
 * the threads sleep, after some tens of microseconds in which they look out for the next one. Where
 * there are no threads (WebAssembly) any pool works on the caller alone. GRAZE_OUT_OF_MEMORY also
 * if the system gives no more threads.
 */
GRAZE_API graze_status graze_pool_create(uint32_t threads, const graze_allocator *allocator,
                                         graze_pool **pool, graze_error *error);

/* Ends the threads and frees the pool, which must not be in use. NULL is fine. */
GRAZE_API void graze_pool_destroy(graze_pool *pool);

/* How many threads work on a call, the calling one included. 1 for NULL. */
GRAZE_API uint32_t graze_pool_threads(const graze_pool *pool);

#ifdef __cplusplus
}
#endif

#endif
