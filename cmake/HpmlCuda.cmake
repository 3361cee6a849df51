# hpml_add_cuda_program(): CUDA programs for labs and tests. Which compiler builds them is decided here, once; how is
# in tools/cuda_compile.py, which graders use without CMake.
set(hpml_cuda_default auto)
if("$ENV{CUDA}" MATCHES "^(nvcc|clang)$")
  set(hpml_cuda_default $ENV{CUDA})
endif()
set(HPML_CUDA ${hpml_cuda_default} CACHE STRING "CUDA front end: auto (nvcc where found, else clang), nvcc, clang")
set_property(CACHE HPML_CUDA PROPERTY STRINGS auto nvcc clang)
if(NOT HPML_CUDA MATCHES "^(auto|nvcc|clang)$")
  message(FATAL_ERROR "HPML_CUDA is '${HPML_CUDA}': expected auto, nvcc or clang")
endif()

set(HPML_PYTHON /usr/bin/python3 CACHE FILEPATH "The distribution's Python: another may come first on PATH")
set(HPML_CUDA_COMPILE ${CMAKE_SOURCE_DIR}/tools/cuda_compile.py)

# Sets <variable> to TRUE when the front end (nvcc or clang) can be used on this machine.
function(hpml_cuda_frontend_available frontend variable)
  execute_process(COMMAND ${HPML_PYTHON} ${HPML_CUDA_COMPILE} --frontend ${frontend} --print-frontend
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(status EQUAL 0)
    set(${variable} TRUE PARENT_SCOPE)
  else()
    set(${variable} FALSE PARENT_SCOPE)
  endif()
endfunction()

# Sets <variable> to TRUE when the front end finds <header>: toolkits come in parts, and some machines have only a few of
# them; clang finds what packages of the distribution bring.
function(hpml_has_header frontend header variable)
  execute_process(COMMAND ${HPML_PYTHON} ${HPML_CUDA_COMPILE} --frontend ${frontend} --has-header ${header}
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(status EQUAL 0)
    set(${variable} TRUE PARENT_SCOPE)
  else()
    set(${variable} FALSE PARENT_SCOPE)
  endif()
endfunction()

# hpml_add_cuda_program(NAME SOURCES a.cu b.cpp [DEFINES N=4...] [INCLUDES dir...] [OPTIONS ...] [LIBRARIES m...]
#                       [FRONTEND nvcc|clang] [OUTPUT_NAME name] [OUTPUT_DIRECTORY dir])
# Target NAME builds an executable; its path is the target property HPML_PROGRAM. OPTIONS go to cuda_compile.py.
function(hpml_add_cuda_program name)
  cmake_parse_arguments(ARG "" "FRONTEND;OUTPUT_NAME;OUTPUT_DIRECTORY" "SOURCES;DEFINES;INCLUDES;OPTIONS;LIBRARIES"
    ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_SOURCES)
    message(FATAL_ERROR "hpml_add_cuda_program(${name}): SOURCES missing, or unknown words: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ARG_FRONTEND)
    set(ARG_FRONTEND ${HPML_CUDA})
  endif()
  if(NOT ARG_OUTPUT_NAME)
    set(ARG_OUTPUT_NAME ${name})
  endif()
  if(NOT ARG_OUTPUT_DIRECTORY)
    # Not the target's own folder: ninja would take the program and the target NAME for one file.
    set(ARG_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/bin)
  endif()
  set(program ${ARG_OUTPUT_DIRECTORY}/${ARG_OUTPUT_NAME})
  list(TRANSFORM ARG_DEFINES PREPEND -D)
  list(TRANSFORM ARG_INCLUDES PREPEND -I)
  list(TRANSFORM ARG_LIBRARIES PREPEND -l)
  file(MAKE_DIRECTORY ${ARG_OUTPUT_DIRECTORY})
  add_custom_command(OUTPUT ${program}
    COMMAND ${HPML_PYTHON} ${HPML_CUDA_COMPILE} --frontend ${ARG_FRONTEND} -o ${program} --depfile ${program}.d
            ${ARG_DEFINES} ${ARG_INCLUDES} ${ARG_OPTIONS} ${ARG_SOURCES} ${ARG_LIBRARIES}
    DEPENDS ${ARG_SOURCES} ${HPML_CUDA_COMPILE}
    DEPFILE ${program}.d
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    COMMENT "CUDA (${ARG_FRONTEND}) ${ARG_OUTPUT_NAME}"
    VERBATIM COMMAND_EXPAND_LISTS)
  add_custom_target(${name} ALL DEPENDS ${program})
  set_target_properties(${name} PROPERTIES HPML_PROGRAM ${program})
endfunction()
