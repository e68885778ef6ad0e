/* Instruction sets: code that is compiled once for each, and the choice between them.
 *
 * There is one way. A header *_kernels.h has a struct of functions and declares its tables:
 *
 *     typedef struct grazei_thing_kernels {
 *         void (*move)(...);
 *     } grazei_thing_kernels;
 *
 *     GRAZEI_DECLARE(grazei_thing_kernels, thing_kernels);
 *
 * The file *_kernels.c beside it is compiled with GRAZEI_ISA_NAME set to base, avx2 or avx512 and
 * the matching compiler flags. Its functions are static, and it ends with its table:
 *
 *     const grazei_thing_kernels GRAZEI_ISA(thing_kernels) = {move};
 *
 * Other kernels reach the table of their own instruction set, GRAZEI_ISA(thing_kernels).move(...);
 * everybody else picks one at run time, GRAZEI_PICK(isa, thing_kernels)->move(...).
 */
#ifndef GRAZEI_MATH_ISA_H
#define GRAZEI_MATH_ISA_H

#include <graze/base.h>

#define GRAZEI_PASTE_(name, isa) grazei_##name##_##isa
#define GRAZEI_PASTE(name, isa) GRAZEI_PASTE_(name, isa)
#define GRAZEI_ISA(name) GRAZEI_PASTE(name, GRAZEI_ISA_NAME)

/* A build may lack the tables for avx2 and avx512; then nothing picks them. */
#define GRAZEI_DECLARE(type, name)                                                                 \
    extern const type grazei_##name##_base, grazei_##name##_avx2, grazei_##name##_avx512

#if defined(GRAZEI_HAVE_AVX512)
#define GRAZEI_PICK(isa, name)                                                                     \
    ((isa) == GRAZE_ISA_AVX512 ? &grazei_##name##_avx512                                           \
     : (isa) == GRAZE_ISA_AVX2 ? &grazei_##name##_avx2                                             \
                               : &grazei_##name##_base)
#elif defined(GRAZEI_HAVE_AVX2)
#define GRAZEI_PICK(isa, name)                                                                     \
    ((isa) == GRAZE_ISA_AVX2 ? &grazei_##name##_avx2 : &grazei_##name##_base)
#else
#define GRAZEI_PICK(isa, name) ((void)(isa), &grazei_##name##_base)
#endif

/* The widest instruction set that this build and this machine have; never GRAZE_ISA_BEST. */
graze_isa grazei_best_isa(void);

#endif
