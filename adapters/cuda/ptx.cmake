# Writes the kernels' PTX as a C array that ends with 0.
#
#   cmake -DINPUT=kernels.ptx -DOUTPUT=ptx.c -DVARIABLE=name -P ptx.cmake
file(READ "${INPUT}" hex HEX)
string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
file(WRITE "${OUTPUT}" "/* Written by adapters/cuda/ptx.cmake. */\nextern const char ${VARIABLE}[];\nconst char ${VARIABLE}[] = {\n${hex}0};\n")
