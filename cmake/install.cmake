# Libraries with their headers, the CMake package, a pkg-config file for each library, and where an
# installed command finds a shared library.
include(CMakePackageConfigHelpers)

set(graze_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/graze)
set(graze_libraries)
# A library and its headers; targets of one export are found together.
function(graze_install target export)
  install(TARGETS ${target} EXPORT ${export}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${ARGN} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graze)
  set(graze_libraries ${graze_libraries} ${target} PARENT_SCOPE)
endfunction()

file(GLOB graze_headers CONFIGURE_DEPENDS include/graze/*.h)
list(FILTER graze_headers EXCLUDE REGEX "/(animation|rig|gltf|numerics|chain_cuda|ode|ragdoll)\\.h$")
graze_install(graze graze-targets ${graze_headers})
if(TARGET graze_rig)
  graze_install(graze_rig graze-targets include/graze/animation.h include/graze/rig.h)
endif()
if(TARGET graze_gltf)
  graze_install(graze_gltf graze-gltf-targets include/graze/gltf.h)
  install(EXPORT graze-gltf-targets NAMESPACE graze:: DESTINATION ${graze_package_folder})
endif()
if(TARGET graze_ode)
  graze_install(graze_ode graze-ode-targets include/graze/ode.h include/graze/ragdoll.h)
  install(EXPORT graze-ode-targets NAMESPACE graze:: DESTINATION ${graze_package_folder})
endif()
if(TARGET graze_numerics)
  graze_install(graze_numerics graze-numerics-targets include/graze/numerics.h)
  install(EXPORT graze-numerics-targets NAMESPACE graze:: DESTINATION ${graze_package_folder})
endif()
if(TARGET graze_cuda)
  graze_install(graze_cuda graze-targets include/graze/chain_cuda.h)
endif()
install(EXPORT graze-targets NAMESPACE graze:: DESTINATION ${graze_package_folder})

# What reads compressed files. Draco is C++, and the program that links it may be C.
set(graze_gltf_packages)
if(graze_has_MESHOPT)
  list(APPEND graze_gltf_packages meshoptimizer)
  set(graze_pc_gltf_libs " -lmeshoptimizer")
endif()
if(graze_has_DRACO)
  list(APPEND graze_gltf_packages draco)
  set(graze_pc_gltf_requires " draco")
  foreach(library ${graze_cxx_libraries})
    string(APPEND graze_pc_gltf_libs " -l${library}")
  endforeach()
endif()

set(graze_needs_threads OFF)
if(NOT WIN32 AND (NOT BUILD_SHARED_LIBS OR TARGET graze_rig))
  set(graze_needs_threads ON)
endif()
configure_package_config_file(cmake/graze-config.cmake.in graze-config.cmake
  INSTALL_DESTINATION ${graze_package_folder})
write_basic_package_version_file(graze-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/graze-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/graze-config-version.cmake DESTINATION ${graze_package_folder})

# pkg-config --libs has to name all that the kind of library that was built leaves to the linker.
if(BUILD_SHARED_LIBS)
  set(graze_pc_cflags " -DGRAZE_SHARED")
elseif(NOT WIN32)
  set(graze_pc_libs " -lm -lpthread")
endif()
if(NOT WIN32)
  set(graze_pc_math " -lm")
endif()
# relative to the file itself, so that the installed tree can be moved
file(RELATIVE_PATH graze_pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(library ${graze_libraries})
  string(REPLACE _ - name ${library})
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

if(TARGET graze_command AND BUILD_SHARED_LIBS)
  file(RELATIVE_PATH from_command ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  if(APPLE)
    set(origin @loader_path)
  else()
    set(origin $ORIGIN)
  endif()
  set_property(TARGET graze_command APPEND PROPERTY INSTALL_RPATH ${origin}/${from_command})
endif()
