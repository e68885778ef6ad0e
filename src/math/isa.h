/* Names for code that is compiled once per instruction set.
 *
 * A file *_kernels.c is compiled with GRAZEI_ISA_NAME set to base, avx2 or avx512 and the matching
 * compiler flags; GRAZEI_ISA(pose) in it is the function grazei_pose_avx2 and so on. Everybody else
 * reaches those functions through a table chosen at run time.
 */
#ifndef GRAZEI_MATH_ISA_H
#define GRAZEI_MATH_ISA_H

#define GRAZEI_PASTE_(name, isa) grazei_##name##_##isa
#define GRAZEI_PASTE(name, isa) GRAZEI_PASTE_(name, isa)
#define GRAZEI_ISA(name) GRAZEI_PASTE(name, GRAZEI_ISA_NAME)

#endif
