/* What kernels are written with: attributes and builtins of clang stand for CUDA's headers. */
#ifndef GRAZEI_CUDA_WORDS_H
#define GRAZEI_CUDA_WORDS_H

#include <stdint.h>

#define KERNEL extern "C" __attribute__((global)) void
#define DEVICE static inline __attribute__((device, always_inline))

typedef float float4_t __attribute__((ext_vector_type(4)));
typedef uint32_t uint2_t __attribute__((ext_vector_type(2)));
typedef uint32_t uint4_t __attribute__((ext_vector_type(4)));

/* As much as the launch says. */
extern __attribute__((shared)) float4_t shared_memory[];

DEVICE uint32_t thread_index()
{
    return (uint32_t)__nvvm_read_ptx_sreg_tid_x();
}
DEVICE uint32_t thread_count()
{
    return (uint32_t)__nvvm_read_ptx_sreg_ntid_x();
}
DEVICE uint32_t block_index()
{
    return (uint32_t)__nvvm_read_ptx_sreg_ctaid_x();
}

/* Loads of what nobody writes while a kernel runs. */
DEVICE uint32_t load_word(uint64_t array, uint64_t i)
{
    return __nvvm_ldg_ui((const uint32_t *)array + i);
}
DEVICE float load_float(uint64_t array, uint64_t i)
{
    return __nvvm_ldg_f((const float *)array + i);
}
DEVICE uint2_t load_two(uint64_t array, uint64_t i)
{
    return __nvvm_ldg_ui2((const uint2_t *)array + i);
}
DEVICE uint4_t load_four_words(uint64_t array, uint64_t i)
{
    return __nvvm_ldg_ui4((const uint4_t *)array + i);
}
DEVICE float4_t load_four(uint64_t array, uint64_t i)
{
    return __nvvm_ldg_f4((const float4_t *)array + i);
}

/* Bits as another type, by value: clang 14 takes the first element where it is given one of a
 * vector.
 */
DEVICE float as_float(uint32_t bits)
{
    return __builtin_bit_cast(float, bits);
}
DEVICE uint32_t as_word(float number)
{
    return __builtin_bit_cast(uint32_t, number);
}

#endif
