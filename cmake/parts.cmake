# Parts that need somebody else's library. Each has an option that is ON (without the library the
# configuration fails), OFF, or AUTO: ON where GRAZE_ALL_PARTS is ON and the library is found. Whether
# it is built is then in graze_has_NAME.
option(GRAZE_ALL_PARTS "Build every optional part whose libraries are found" OFF)

# graze_find_part(NAME PACKAGE WHAT): a macro, since a package may set variables of its own.
macro(graze_find_part name package what)
  set(GRAZE_${name} AUTO CACHE STRING "${what}: ON, OFF, or AUTO (where found, with GRAZE_ALL_PARTS)")
  set(graze_has_${name} OFF)
  if(NOT GRAZE_${name} STREQUAL AUTO)
    set(graze_has_${name} ${GRAZE_${name}})
    if(GRAZE_${name})
      find_package(${package} CONFIG REQUIRED)
    endif()
  elseif(GRAZE_ALL_PARTS)
    find_package(${package} CONFIG QUIET)
    set(graze_has_${name} ${${package}_FOUND})
  endif()
endmacro()

# --- compressed glTF -------------------------------------------------------------------------
if(GRAZE_BUILD_GLTF OR GRAZE_BUILD_PROGRAMS)
  graze_find_part(MESHOPT meshoptimizer "Read glTF that is compressed by meshoptimizer")
  graze_find_part(DRACO draco "Read glTF that is compressed by Draco, in C++")
  if(graze_has_DRACO)
    include(CheckLanguage)
    check_language(CXX)
    if(CMAKE_CXX_COMPILER)
      enable_language(CXX)
      # what a program in C has to link, too
      set(graze_cxx_libraries ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
      list(FILTER graze_cxx_libraries INCLUDE REGEX "c\\+\\+$")
    elseif(GRAZE_DRACO STREQUAL AUTO)
      set(graze_has_DRACO OFF)
    else()
      message(FATAL_ERROR "GRAZE_DRACO needs a C++ compiler")
    endif()
  endif()
endif()
