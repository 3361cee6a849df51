#!/bin/bash
# common/nn/tests/aarch64.sh [GTEST OPTION...]: compiles the library and its tests for 64-bit ARM, so with the NEON tiles,
# and runs them under QEMU. Needs g++-aarch64-linux-gnu, qemu-user, libgtest-dev (whose sources it compiles), libfmt-dev and
# nlohmann-json3-dev. Exit codes: 0 all passed, 1 a test or the compiler failed, 3 a tool is missing.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
for tool in aarch64-linux-gnu-g++ qemu-aarch64; do
  command -v "$tool" >/dev/null || { echo "aarch64.sh: $tool is missing" >&2; exit 3; }
done
out=build/aarch64
mkdir -p "$out/include"
ln -sfn /usr/include/fmt "$out/include/fmt"  # headers that are the same for every architecture
ln -sfn /usr/include/nlohmann "$out/include/nlohmann"

gtest=/usr/src/googletest
flags=(-std=c++20 -O2 -ffp-contract=off -Wall -Wextra -DFMT_HEADER_ONLY -I. -I"$out/include" "-DHPML_SOURCE_DIR=\"$PWD\""
  "-DHPML_BINARY_DIR=\"$PWD/$out\"" -I"$gtest/googletest/include" -I"$gtest/googlemock/include")
compile() { # OBJECT SOURCES...: several sources as one
  local object=$out/$1.o
  shift
  printf '#include "%s"\n' "${@/#/$PWD/}" >"${object%.o}.cpp"
  aarch64-linux-gnu-g++ "${flags[@]}" "${more[@]}" -c "${object%.o}.cpp" -o "$object"
}

more=(-w -I"$gtest/googletest" -I"$gtest/googlemock")
printf '#include "src/gtest-all.cc"\n#include "src/gtest_main.cc"\n' >"$out/gtest.cpp"
aarch64-linux-gnu-g++ "${flags[@]}" "${more[@]}" -c "$out/gtest.cpp" -o "$out/gtest.o"
printf '#include "src/gmock-all.cc"\n' >"$out/gmock.cpp"
aarch64-linux-gnu-g++ "${flags[@]}" "${more[@]}" -c "$out/gmock.cpp" -o "$out/gmock.o"
more=(-Werror)
compile base common/base/*.cpp
for part in "" graph layers profile train data baseline; do
  compile "nn_$part" common/nn/${part:+$part/}*.cpp
done
for file in baseline/kernels/{conv_gather,conv_weights,lines} gemm/{isa,matmul}; do
  compile "$(basename "$file")" "common/nn/$file.cpp"
done
more=(-Werror -O3 -ffp-contract=fast)
compile portable common/nn/gemm/portable.cpp
more=(-O1)
compile allocations common/nn/tests/allocations.cpp
for test in common/nn/tests/*_test.cpp; do
  compile "$(basename "$test" .cpp)" "$test"
done
aarch64-linux-gnu-g++ -static "$out"/*.o -o "$out/test_common_nn"
qemu-aarch64 "$out/test_common_nn" "$@"
