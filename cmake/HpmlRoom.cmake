# A room is a folder, a CMake target and a namespace of the same name. Files are found by convention:
# every *.cpp of the folder (not of sub-rooms that have their own CMakeLists.txt) belongs to it.
include(GoogleTest)
include(HpmlHeadersAlone)

# Test suites that `make check` also runs under AddressSanitizer and UndefinedBehaviorSanitizer: those of rooms that read
# foreign input or hand out memory. HPML_SANITIZE_ALL (preset asan-full, `make check FULL=1`) takes every suite that runs
# in one process.
set(HPML_SANITIZED_TESTS common common_onnx relay sim_ptx sim_ir sim_memory sim_debug_info sim_dap sim_cudart sim_fatbin)
if(HPML_SANITIZE_ALL)
  list(APPEND HPML_SANITIZED_TESTS sim_isa sim_exec sim_sanitize sim_timing sim_device sim_replay)
endif()
add_custom_target(hpml_sanitized_tests)

# What `make bench` builds and runs.
add_custom_target(hpml_benches)

# What tools/fuzz.sh builds and runs.
add_custom_target(hpml_fuzzers)

# hpml_room(NAME [DEPS target...] [EXCLUDE regex...]) : static library hpml_<NAME> from the current folder.
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

# hpml_room_tests(NAME FOLDER DEPS...) : GoogleTest executable test_<NAME> from FOLDER/*.cpp, one ctest entry per
# test.
function(hpml_room_tests name folder)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  if(NOT sources OR NOT TARGET GTest::gtest_main)  # a student release installs no GoogleTest
    return()
  endif()
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE ${ARGN} GTest::gtest_main GTest::gmock hpml_flags)
  target_compile_options(test_${name} PRIVATE -O1)  # it runs once: compiling it faster matters more than its speed
  target_compile_definitions(test_${name} PRIVATE
    HPML_SOURCE_DIR="${CMAKE_SOURCE_DIR}" HPML_BINARY_DIR="${CMAKE_BINARY_DIR}")
  set(labels)
  if(name IN_LIST HPML_SANITIZED_TESTS)
    add_dependencies(hpml_sanitized_tests test_${name})
    set(labels PROPERTIES LABELS sanitized)
  endif()
  gtest_discover_tests(test_${name} TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60 ${labels})
endfunction()

# hpml_room_benches(NAME FOLDER DEPS...) : Google Benchmark executable bench_<NAME> from FOLDER/*.cpp, in
# build/.../bench.
function(hpml_room_benches name folder)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(bench_${name} EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(bench_${name} PRIVATE ${ARGN} benchmark::benchmark_main hpml_flags)
  target_compile_definitions(bench_${name} PRIVATE
    HPML_SOURCE_DIR="${CMAKE_SOURCE_DIR}" HPML_BINARY_DIR="${CMAKE_BINARY_DIR}")
  set_target_properties(bench_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
  add_dependencies(hpml_benches bench_${name})
endfunction()

# Does this compiler link libFuzzer? clang does where its run-time library is installed; g++ never does.
function(_hpml_can_fuzz result)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -fsanitize=fuzzer)
  set(CMAKE_REQUIRED_LINK_OPTIONS -fsanitize=fuzzer)
  check_cxx_source_compiles("
    #include <cstddef>
    #include <cstdint>
    extern \"C\" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) { return 0; }" HPML_CAN_FUZZ)
  set(${result} ${HPML_CAN_FUZZ} PARENT_SCOPE)
endfunction()

# hpml_fuzz_target(NAME SOURCE DEPS... [SEEDS FOLDER]) : executable fuzz_<NAME> from SOURCE, which defines
# LLVMFuzzerTestOneInput(). Built only where the compiler can link libFuzzer (preset asan; tools/fuzz.sh builds and runs
# all); an ordinary test should replay the seeds everywhere.
function(hpml_fuzz_target name source)
  cmake_parse_arguments(ARG "" "SEEDS" "" ${ARGN})
  _hpml_can_fuzz(can_fuzz)
  if(NOT can_fuzz)
    message(STATUS "fuzz_${name}: not built, ${CMAKE_CXX_COMPILER_ID} does not link -fsanitize=fuzzer here")
    return()
  endif()
  add_executable(fuzz_${name} EXCLUDE_FROM_ALL ${source})
  target_link_libraries(fuzz_${name} PRIVATE ${ARG_UNPARSED_ARGUMENTS} hpml_flags)
  target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(fuzz_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
  if(ARG_SEEDS)
    file(WRITE ${CMAKE_BINARY_DIR}/fuzz/fuzz_${name}.seeds "${ARG_SEEDS}\n")
  endif()
  add_dependencies(hpml_fuzzers fuzz_${name})
endfunction()
