# A room is a folder, a CMake target and a namespace of the same name. Files are found by convention:
# every *.cpp of the folder (not of sub-rooms that have their own CMakeLists.txt) belongs to it.
include(GoogleTest)

# hpml_room(NAME [DEPS target...]) : static library hpml_<NAME> from the current folder.
function(hpml_room name)
  cmake_parse_arguments(ARG "" "" "DEPS;EXCLUDE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cpp)
  foreach(pattern IN LISTS ARG_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${pattern}")
  endforeach()
  if(sources)
    add_library(hpml_${name} STATIC ${sources})
    target_include_directories(hpml_${name} PUBLIC ${CMAKE_SOURCE_DIR})
    target_link_libraries(hpml_${name} PUBLIC ${ARG_DEPS} PRIVATE hpml_flags)
  else()
    add_library(hpml_${name} INTERFACE)
    target_include_directories(hpml_${name} INTERFACE ${CMAKE_SOURCE_DIR})
    target_link_libraries(hpml_${name} INTERFACE ${ARG_DEPS})
  endif()
endfunction()

# hpml_room_tests(NAME FOLDER DEPS...) : GoogleTest executable test_<NAME> from FOLDER/*.cpp, one ctest entry per test.
function(hpml_room_tests name folder)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE ${ARGN} GTest::gtest_main GTest::gmock hpml_flags)
  target_compile_definitions(test_${name} PRIVATE HPML_SOURCE_DIR="${CMAKE_SOURCE_DIR}" HPML_BINARY_DIR="${CMAKE_BINARY_DIR}")
  gtest_discover_tests(test_${name} TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60)
endfunction()
