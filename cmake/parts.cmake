# Parts that need somebody else's libraries or compiler, all by one policy. Each has an option: ON
# (without what it needs the configuration fails), OFF, or AUTO, built where that is found; AUTO is the
# default, in another project OFF. Every configuration looks again: nothing that was missing is
# remembered, and nothing that has gone. Whether a part is built is then in graze_has_NAME, and
# graze_print_parts says it of all.
set(graze_part_default OFF)
if(graze_is_top)
  set(graze_part_default AUTO)
endif()
set(graze_parts_built)
set(graze_parts_left_out)

# graze_begin_part(NAME OPTION NEEDS WHAT): whether to look is then in graze_looks. Macros, since what
# finds a package sets variables of its own.
macro(graze_begin_part name option needs what)
  set(graze_part_needs "${needs}")
  set(graze_part_what "${what}")
  set(${option} ${graze_part_default} CACHE STRING "${what}: ON, OFF, or AUTO (where it is found: ${needs})")
  set_property(CACHE ${option} PROPERTY STRINGS ON OFF AUTO)
  set(graze_has_${name} OFF)
  set(graze_looks OFF)
  if(${option})
    set(graze_looks ON)
  endif()
endmacro()

macro(graze_end_part name option)
  if(graze_has_${name})
    list(APPEND graze_parts_built "${graze_part_what}")
  elseif(NOT graze_looks)
    list(APPEND graze_parts_left_out "${graze_part_what} (${option} is OFF)")
  elseif("${${option}}" STREQUAL "AUTO")
    list(APPEND graze_parts_left_out "${graze_part_what} (not found: ${graze_part_needs})")
  else()
    message(FATAL_ERROR "${option} is ${${option}}, but this is missing: ${graze_part_needs}")
  endif()
endmacro()

function(graze_print_parts)
  foreach(part ${graze_parts_built})
    message(STATUS "built: ${part}")
  endforeach()
  foreach(part ${graze_parts_left_out})
    message(STATUS "left out: ${part}")
  endforeach()
endfunction()

# Looks for a C++ compiler, again where there was none.
macro(graze_look_for_cxx)
  if(NOT CMAKE_CXX_COMPILER)
    unset(CMAKE_CXX_COMPILER CACHE)
    unset(CMAKE_CXX_COMPILER)
  endif()
  include(CheckLanguage)
  check_language(CXX)
  if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
  endif()
endmacro()

# graze_look_for_package(NAME PACKAGE): by pkg-config, as PkgConfig::NAME
macro(graze_look_for_package name package)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    unset(__pkg_config_checked_${name} CACHE)
    pkg_check_modules(${name} QUIET IMPORTED_TARGET ${package})
  endif()
endmacro()

set(graze_reads_files OFF)
if(GRAZE_BUILD_GLTF OR GRAZE_BUILD_PROGRAMS)
  set(graze_reads_files ON)
endif()

# --- compressed glTF -------------------------------------------------------------------------
if(graze_reads_files)
  graze_begin_part(MESHOPT GRAZE_MESHOPT "libmeshoptimizer-dev" "glTF compressed by meshoptimizer")
  if(graze_looks)
    find_package(meshoptimizer CONFIG QUIET)
    set(graze_has_MESHOPT ${meshoptimizer_FOUND})
  endif()
  graze_end_part(MESHOPT GRAZE_MESHOPT)

  graze_begin_part(DRACO GRAZE_DRACO "libdraco-dev, g++" "glTF compressed by Draco")
  if(graze_looks)
    find_package(draco CONFIG QUIET)
    if(draco_FOUND)
      graze_look_for_cxx()
    endif()
    if(draco_FOUND AND CMAKE_CXX_COMPILER)
      set(graze_has_DRACO ON)
      # what a program in C has to link, too
      set(graze_cxx_libraries ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
      list(FILTER graze_cxx_libraries INCLUDE REGEX "c\\+\\+$")
    endif()
  endif()
  graze_end_part(DRACO GRAZE_DRACO)
endif()

# --- vibration modes and compression of clips: linked by name ----------------------------------
graze_begin_part(NUMERICS GRAZE_BUILD_NUMERICS "libarpack2-dev, libsuitesparse-dev, liblapacke-dev"
  "graze::numerics, vibration modes and compression")
if(graze_looks)
  include(CheckCSourceCompiles)
  unset(graze_suitesparse_folder CACHE)
  unset(GRAZE_HAVE_NUMERICS CACHE)
  find_path(graze_suitesparse_folder cholmod.h PATH_SUFFIXES suitesparse)
  mark_as_advanced(graze_suitesparse_folder)
  set(graze_numerics_libraries arpack cholmod lapacke lapack blas)
  set(graze_numerics_includes)
  if(graze_suitesparse_folder AND NOT graze_suitesparse_folder STREQUAL "/usr/include")
    set(graze_numerics_includes ${graze_suitesparse_folder})
  endif()
  set(CMAKE_REQUIRED_LIBRARIES ${graze_numerics_libraries} m)
  set(CMAKE_REQUIRED_INCLUDES ${graze_numerics_includes})
  set(CMAKE_REQUIRED_QUIET ON)
  check_c_source_compiles("
    #include <arpack/arpack.h>
    #include <cholmod.h>
    #include <lapacke.h>
    int main(void)
    {
        cholmod_common common;
        double x = 1;
        return cholmod_l_start(&common) + (dsaupd_c != 0) +
               LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', 1, &x, 1, &x);
    }" GRAZE_HAVE_NUMERICS)
  unset(CMAKE_REQUIRED_LIBRARIES)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_QUIET)
  if(GRAZE_HAVE_NUMERICS)
    set(graze_has_NUMERICS ON)
  endif()
endif()
graze_end_part(NUMERICS GRAZE_BUILD_NUMERICS)

# --- response through ODE ----------------------------------------------------------------------
if(graze_reads_files)
  graze_begin_part(ODE GRAZE_BUILD_ODE "libode-dev" "graze::ode, contacts become motion")
  if(graze_looks AND NOT CMAKE_CROSSCOMPILING)
    graze_look_for_package(ODE ode)
    set(graze_has_ODE ${ODE_FOUND})
  endif()
  graze_end_part(ODE GRAZE_BUILD_ODE)
endif()

# --- findings in a database ----------------------------------------------------------------------
if(GRAZE_BUILD_PROGRAMS)
  graze_begin_part(SQLITE GRAZE_BUILD_SQLITE "libsqlite3-dev" "SQLite, graze audit --db")
  if(graze_looks AND NOT CMAKE_CROSSCOMPILING)
    graze_look_for_package(SQLITE sqlite3)
    set(graze_has_SQLITE ${SQLITE_FOUND})
  endif()
  graze_end_part(SQLITE GRAZE_BUILD_SQLITE)
endif()

# --- batches of poses on a GPU -------------------------------------------------------------------
# Kernels are made by a clang that knows NVIDIA's machines, as Debian's does; no CUDA toolkit, no GPU.
macro(graze_try_cuda_clang)
  find_program(GRAZE_CUDA_CLANG NAMES clang-14 clang DOC "clang that makes PTX of CUDA kernels")
  if(GRAZE_CUDA_CLANG)
    execute_process(COMMAND ${GRAZE_CUDA_CLANG} --target=nvptx64 -x c -S -o /dev/null /dev/null
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed EQUAL 0)
      set(graze_has_CUDA ON)
    endif()
  endif()
endmacro()
graze_begin_part(CUDA GRAZE_BUILD_CUDA "clang-14" "graze::cuda, batches of poses on a GPU")
if(graze_looks AND UNIX AND NOT CMAKE_CROSSCOMPILING)
  graze_try_cuda_clang()
  if(NOT graze_has_CUDA) # or no longer: another one?
    unset(GRAZE_CUDA_CLANG CACHE)
    graze_try_cuda_clang()
  endif()
endif()
graze_end_part(CUDA GRAZE_BUILD_CUDA)
