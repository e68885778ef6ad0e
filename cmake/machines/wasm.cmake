# WebAssembly with 128-bit SIMD by Debian's clang, wasi-libc and wasm-ld. The linker is called by
# itself: clang's driver would run wasm-opt over the result, which fails on SIMD.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-14)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_C_FLAGS_INIT "-msimd128")
set(CMAKE_AR llvm-ar-14)
set(CMAKE_RANLIB llvm-ranlib-14)
find_program(graze_wasm_ld wasm-ld-14 REQUIRED)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
execute_process(COMMAND clang-14 --target=wasm32-wasi -print-libgcc-file-name
  OUTPUT_VARIABLE graze_wasm_builtins OUTPUT_STRIP_TRAILING_WHITESPACE)
set(graze_wasm_libc /usr/lib/wasm32-wasi)
set(CMAKE_C_LINK_EXECUTABLE
  "${graze_wasm_ld} ${graze_wasm_libc}/crt1-reactor.o <OBJECTS> -o <TARGET> <LINK_FLAGS> <LINK_LIBRARIES> -L${graze_wasm_libc} -lc ${graze_wasm_builtins}")
