/* Which instruction set to use on this machine. */
#ifndef GRAZEI_MATH_CPU_H
#define GRAZEI_MATH_CPU_H

#include <graze/model.h>

/* The widest available instruction set; never GRAZE_ISA_BEST. */
graze_isa grazei_best_isa(void);

/* Picks the table for an instruction set; tables of sets that this build lacks are NULL. */
#if defined(GRAZEI_HAVE_AVX2)
#define GRAZEI_PICK(isa, name)                                                                     \
    ((isa) == GRAZE_ISA_AVX512 ? &grazei_##name##_avx512                                           \
     : (isa) == GRAZE_ISA_AVX2 ? &grazei_##name##_avx2                                             \
                               : &grazei_##name##_base)
#else
#define GRAZEI_PICK(isa, name) ((void)(isa), &grazei_##name##_base)
#endif

/* Declares the tables, those that are not there included. */
#define GRAZEI_DECLARE(type, name)                                                                 \
    extern const type grazei_##name##_base, grazei_##name##_avx2, grazei_##name##_avx512

#endif
