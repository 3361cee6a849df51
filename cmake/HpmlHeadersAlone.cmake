# hpml_headers_alone(FOLDER...): object library headers_alone with one translation unit per header below the folders,
# which includes that header twice and nothing else: a header must bring what it uses, and stand being seen again.
# Not part of the default build; `make check` builds it.
function(hpml_headers_alone)
  set(units)
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/${folder}/*.hpp)
    foreach(header IN LISTS headers)
      set(unit ${CMAKE_BINARY_DIR}/headers_alone/${header}.cpp)
      file(CONFIGURE OUTPUT ${unit} CONTENT "#include \"@header@\"\n#include \"@header@\"\n" @ONLY)
      list(APPEND units ${unit})
    endforeach()
  endforeach()
  add_library(headers_alone OBJECT EXCLUDE_FROM_ALL ${units})
  set_target_properties(headers_alone PROPERTIES UNITY_BUILD OFF)
  target_include_directories(headers_alone PRIVATE ${CMAKE_SOURCE_DIR})
  # The libraries whose headers ours may include; -O0 because nobody runs the result.
  target_link_libraries(headers_alone PRIVATE hpml_flags fmt::fmt nlohmann_json::nlohmann_json
    tomlplusplus::tomlplusplus CLI11::CLI11 GTest::gtest GTest::gmock benchmark::benchmark
    PkgConfig::zstd PkgConfig::lz4)
  target_compile_options(headers_alone PRIVATE -O0)
  target_compile_definitions(headers_alone PRIVATE  # what hpml_room_tests() gives to test headers
    HPML_SOURCE_DIR="${CMAKE_SOURCE_DIR}" HPML_BINARY_DIR="${CMAKE_BINARY_DIR}")
endfunction()
