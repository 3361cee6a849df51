#!/bin/bash
# tools/fuzz.sh [RUNS] : builds every fuzz target (hpml_fuzz_target() in CMake) with the preset asan, and runs each for a fixed
# number of inputs from a fixed seed. Longer hunts: build/asan/fuzz/fuzz_NAME FOLDER.
# Exit codes: 0 no finding, 1 a finding (the input is kept under build/fuzz/findings), 3 it could not be built.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 3
runs=${1:-20000}

tools/build.sh -p asan hpml_fuzzers || exit 3
mkdir -p build/fuzz/findings
status=0
found=0
for program in build/asan/fuzz/fuzz_*; do
  [[ -f "$program" && -x "$program" ]] || continue
  found=$((found + 1))
  name=$(basename "$program")
  corpus=build/fuzz/corpus/$name
  rm -rf "$corpus" && mkdir -p "$corpus"
  seeds=()
  [[ -f "$program.seeds" ]] && mapfile -t seeds <"$program.seeds"
  echo "== $name: $runs inputs, seeds: ${seeds[*]:-none}"
  "$program" -runs="$runs" -seed=1 -timeout=20 -rss_limit_mb=2048 -verbosity=0 \
    -artifact_prefix="build/fuzz/findings/$name-" "$corpus" "${seeds[@]}" || status=1
done
echo "$found fuzz targets"
if [[ $found -eq 0 ]]; then
  echo "no fuzz target was built: does clang++ link -fsanitize=fuzzer here (package libclang-rt-N-dev)?" >&2
  exit 3
fi
exit $status
