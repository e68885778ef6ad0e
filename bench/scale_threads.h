/* The same question to one thread and to two. */
#ifndef GRAZE_BENCH_SCALE_THREADS_H
#define GRAZE_BENCH_SCALE_THREADS_H

#include "bench/scale.h"

#include <graze/threads.h>

enum { SCALE_MAX_THREADS = 2 };

typedef struct thread_task {
    graze_pool *pool;
    void *scene; /* what is asked */
} thread_task;

/* What is asked is a case of two methods, which get a thread_task each. prepare may be NULL. */
void scale_threads_fill(thread_task *tasks, void *scene, void (*run)(void *),
                        void (*prepare)(void *), queries_method methods[SCALE_MAX_THREADS]);

/* Prints and writes a case of these. */
void scale_threads_show(scale_output *output, const queries_case *entry, const char *note);

/* The rows of all queries but pairs of triangles. False after printing an error. */
bool scale_threads_many(scale_output *output, thread_task tasks[SCALE_MAX_THREADS]);

#endif
