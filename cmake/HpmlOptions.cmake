# Language level, warnings, sanitizers. Everything that is true of every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)  # every room ends up in a shared library
set(CMAKE_CXX_VISIBILITY_PRESET hidden)  # only the CUDA ABI may leave them
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

option(HPML_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)

# ccache where it is installed and can write its cache (a home folder may be read-only).
find_program(HPML_CCACHE ccache)
if(HPML_CCACHE)
  execute_process(COMMAND ${HPML_CCACHE} --show-stats RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(status EQUAL 0)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${HPML_CCACHE})
  endif()
endif()

add_library(hpml_flags INTERFACE)
target_compile_options(hpml_flags INTERFACE
  -Wall -Wextra -Werror
  -ffp-contract=off)  # results must be the bits the PTX asks for: no contraction the program did not write
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlapping copies in std::string operator+ (gcc.gnu.org/PR105651); GCC 13 does not.
  target_compile_options(hpml_flags INTERFACE -Wno-restrict)
endif()
if(HPML_SANITIZE)
  target_compile_options(hpml_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(hpml_flags INTERFACE -fsanitize=address,undefined)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC takes the sanitizers' own branches for paths without initialisation (gcc.gnu.org/PR105562: std::regex).
    target_compile_options(hpml_flags INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
