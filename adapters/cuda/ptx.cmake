# Writes the kernels' PTX as a C array that ends with 0.
#
#   cmake -DINPUT=kernels.ptx -DOUTPUT=ptx.c -P ptx.cmake
file(READ "${INPUT}" hex HEX)
string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
file(WRITE "${OUTPUT}" "/* Written by adapters/cuda/ptx.cmake. */\nextern const char grazei_cuda_ptx[];\nconst char grazei_cuda_ptx[] = {\n${hex}0};\n")
