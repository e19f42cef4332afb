# SPDX-License-Identifier: Apache-2.0
# cmake --install: the program, the headers, the static libraries, the machines and scenarios, and what
# find_package(linebounce) needs to give linebounce::sim to a project outside.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(header_root ${CMAKE_INSTALL_INCLUDEDIR}/linebounce)
set(data_root ${CMAKE_INSTALL_DATADIR}/linebounce)
set(package_root ${CMAKE_INSTALL_LIBDIR}/cmake/linebounce)

# #include "locks/cpu.hpp" works outside as it does inside; the units lie beside the folders that use them.
install(DIRECTORY topologies coherence cpus locks sim DESTINATION ${header_root}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "test_*" EXCLUDE PATTERN "*testing*" EXCLUDE PATTERN microarchitectures EXCLUDE
        PATTERN validation EXCLUDE PATTERN sim/units EXCLUDE PATTERN sim/bench EXCLUDE)
install(DIRECTORY sim/units DESTINATION ${header_root} FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY topologies examples DESTINATION ${data_root}
        FILES_MATCHING PATTERN "*.toml" PATTERN "*.litmus" PATTERN "*test*" EXCLUDE PATTERN own-lock EXCLUDE)

set(libraries linebounce_systemc)
foreach(name units topologies coherence cpus locks experiment litmus sim)
  if(TARGET linebounce_${name})
    list(APPEND libraries linebounce_${name})
    set_target_properties(linebounce_${name} PROPERTIES EXPORT_NAME ${name})
    target_include_directories(linebounce_${name} INTERFACE $<INSTALL_INTERFACE:${header_root}>)
    # How strictly this project compiles itself is nobody else's concern.
    get_target_property(links linebounce_${name} INTERFACE_LINK_LIBRARIES)
    if(links)
      list(REMOVE_ITEM links linebounce_warnings $<LINK_ONLY:linebounce_warnings>)
      set_target_properties(linebounce_${name} PROPERTIES INTERFACE_LINK_LIBRARIES "${links}")
    endif()
  endif()
endforeach()
set_target_properties(linebounce_systemc PROPERTIES EXPORT_NAME systemc)

if(TARGET linebounce)
  install(TARGETS linebounce)
endif()
install(TARGETS ${libraries} EXPORT linebounce)
install(EXPORT linebounce NAMESPACE linebounce:: FILE linebounceTargets.cmake DESTINATION ${package_root})
set(LINEBOUNCE_DATA_ROOT ${data_root})
configure_package_config_file(cmake/linebounceConfig.cmake.in ${CMAKE_BINARY_DIR}/linebounceConfig.cmake
                              INSTALL_DESTINATION ${package_root} PATH_VARS LINEBOUNCE_DATA_ROOT)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/linebounceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/linebounceConfig.cmake ${CMAKE_BINARY_DIR}/linebounceConfigVersion.cmake
        DESTINATION ${package_root})
