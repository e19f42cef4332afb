# SPDX-License-Identifier: Apache-2.0
# Tests of the project as a whole; what tests one part stands beside that part.

# Which folder may include which (a folder's own headers and the units are open to it anyway).
set(may_include_topologies)
set(may_include_coherence topologies)
set(may_include_cpus topologies coherence)
set(may_include_locks)
foreach(folder topologies coherence cpus locks)
  if(TARGET linebounce_${folder})
    add_test(NAME ${folder}_includes_only_what_it_may
             COMMAND bash ${CMAKE_SOURCE_DIR}/cmake/include_walls_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_CXX_COMPILER} ${folder}
                     "${may_include_${folder}}" "$<TARGET_PROPERTY:linebounce_${folder},INTERFACE_INCLUDE_DIRECTORIES>")
    set_tests_properties(${folder}_includes_only_what_it_may PROPERTIES TIMEOUT 60)
  endif()
endforeach()

if(TARGET linebounce)
  # ./do test builds the Debug program beside this one; a build by hand may not have, and then the test is skipped.
  add_test(NAME debug_and_release_print_the_same_bytes
           COMMAND bash ${CMAKE_SOURCE_DIR}/cmake/same_bytes_test.sh $<TARGET_FILE:linebounce>
                   ${CMAKE_SOURCE_DIR}/build/debug/linebounce ${CMAKE_SOURCE_DIR}/cmake/same_bytes/lock_loop.toml
                   ${CMAKE_SOURCE_DIR}/cmake/same_bytes/list_churn.toml)
  set_tests_properties(debug_and_release_print_the_same_bytes PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)

  # A sanitized library would need a sanitized project around it.
  if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    add_test(NAME own_lock_builds_against_the_installed_library
             COMMAND bash ${CMAKE_SOURCE_DIR}/cmake/own_lock_test.sh ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR} ${CMAKE_CXX_COMPILER}
                     ${CMAKE_GENERATOR})
    set_tests_properties(own_lock_builds_against_the_installed_library PROPERTIES TIMEOUT 300)
  endif()
endif()
