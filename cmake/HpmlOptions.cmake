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
option(HPML_SANITIZE_ALL "With HPML_SANITIZE: the op tables as well, which take longest to compile that way" OFF)

# Most files are short and most of their compile time is the headers they share, so up to eight of a target are compiled
# as one. The preset `asan-full` compiles each file by itself: a file must include what it uses.
option(HPML_UNITY "Compile several files of a target at once" ON)
set(CMAKE_UNITY_BUILD ${HPML_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)

# ccache where it is installed and can write its cache (a home folder may be read-only).
find_program(HPML_CCACHE ccache)
if(HPML_CCACHE)
  execute_process(COMMAND ${HPML_CCACHE} --show-stats RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(status EQUAL 0)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${HPML_CCACHE})
  endif()
endif()

# What every target links; hpml_plain_flags is the same without sanitizers.
add_library(hpml_plain_flags INTERFACE)
target_compile_options(hpml_plain_flags INTERFACE
  -Wall -Wextra -Werror
  -ffp-contract=off)  # results must be the bits the PTX asks for: no contraction the program did not write
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlapping copies in std::string operator+ (gcc.gnu.org/PR105651); GCC 13 does not.
  target_compile_options(hpml_plain_flags INTERFACE -Wno-restrict)
endif()
if(HPML_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC takes a source that another file includes for a header, where a type of an anonymous namespace would be a mistake.
  target_compile_options(hpml_plain_flags INTERFACE -Wno-subobject-linkage)
endif()
add_library(hpml_flags INTERFACE)
target_link_libraries(hpml_flags INTERFACE hpml_plain_flags)
if(HPML_SANITIZE)
  target_compile_options(hpml_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(hpml_flags INTERFACE -fsanitize=address,undefined)
  target_compile_definitions(hpml_flags INTERFACE HPML_SANITIZED)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC takes the sanitizers' own branches for paths without initialisation (gcc.gnu.org/PR105562: std::regex).
    target_compile_options(hpml_flags INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
