#include "math/isa.h"

bool graze_isa_available(graze_isa isa)
{
    switch (isa) {
    case GRAZE_ISA_BEST:
    case GRAZE_ISA_BASE:
        return true;
#if defined(GRAZEI_HAVE_AVX2)
    case GRAZE_ISA_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#else
    case GRAZE_ISA_AVX2:
        return false;
#endif
#if defined(GRAZEI_HAVE_AVX512)
    case GRAZE_ISA_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
               __builtin_cpu_supports("bmi2");
#else
    case GRAZE_ISA_AVX512:
        return false;
#endif
    }
    return false;
}

graze_isa grazei_best_isa(void)
{
    if (graze_isa_available(GRAZE_ISA_AVX512))
        return GRAZE_ISA_AVX512;
    if (graze_isa_available(GRAZE_ISA_AVX2))
        return GRAZE_ISA_AVX2;
    return GRAZE_ISA_BASE;
}
