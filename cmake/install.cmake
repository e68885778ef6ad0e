# Headers, CMake package and pkg-config file of the core library.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS graze EXPORT graze-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES
  include/graze/base.h include/graze/body.h include/graze/contact.h include/graze/distance.h
  include/graze/freeze.h include/graze/front.h include/graze/graze.h include/graze/inspect.h
  include/graze/model.h include/graze/pool.h include/graze/query.h include/graze/ray.h include/graze/reference.h
  include/graze/search.h include/graze/self.h include/graze/shape.h include/graze/shape_contact.h include/graze/shapes.h
  include/graze/stats.h include/graze/sweep.h include/graze/threads.h include/graze/version.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graze)
install(EXPORT graze-targets NAMESPACE graze:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graze)
configure_package_config_file(cmake/graze-config.cmake.in graze-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graze)
write_basic_package_version_file(graze-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/graze-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/graze-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graze)
# relative to the file itself, so that the installed tree can be moved
file(RELATIVE_PATH graze_pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/graze.pc.in graze.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/graze.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
