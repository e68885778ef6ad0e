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
set(text "#define GRAZE_BUILD_COMMIT \"${commit}\"\n#define GRAZE_BUILD_COMPILER \"${COMPILER}\"\n#define GRAZE_BUILD_FLAGS \"${FLAGS}\"\n")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
