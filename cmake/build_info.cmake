# Writes build_info.h (commit, compiler, flags) when it has changed; run at every build.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no
  OUTPUT_VARIABLE changes OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit "unknown")
elseif(changes)
  set(commit "${commit} with changes")
endif()

# Flags in their order, without warnings and levels of optimisation that a later one replaces.
file(READ ${FLAGS_FILE} flags)
string(REGEX REPLACE "[\"\\\\]" "" flags "${flags}")
string(REGEX REPLACE "[ \n]+" " " flags "${flags}")
string(REGEX REPLACE " -W[^ ]*" "" flags "${flags}")
while(flags MATCHES "^(.*) -O[^ ]*( (.* )?-O.*)$")
  set(flags "${CMAKE_MATCH_1}${CMAKE_MATCH_2}")
endwhile()
string(STRIP "${flags}" flags)

set(text "#define GRAZE_BUILD_COMMIT \"${commit}\"\n#define GRAZE_BUILD_COMPILER \"${COMPILER}\"\n#define GRAZE_BUILD_FLAGS \"${flags}\"\n")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
