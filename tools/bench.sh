#!/bin/bash
# tools/bench.sh : builds and runs every Google Benchmark program of the tree (registered with hpml_room_benches()), then
# the mixed set of the simulator (simulator/bench/mixed.py).
# Their figures go to the terminal and, as JSON, to build/results/bench_<name>.json.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 3

tools/build.sh hpml_benches || exit $?
mkdir -p build/results || exit 3
status=0
found=0
for program in build/release/bench/bench_*; do
  [[ -x "$program" ]] || continue
  found=1
  name=$(basename "$program")
  echo "== $name"
  "$program" --benchmark_out="build/results/$name.json" --benchmark_out_format=json || status=1
done
if [[ -d build/release/bench/programs ]]; then
  found=1
  echo "== mixed set, functional mode"
  /usr/bin/python3 simulator/bench/mixed.py build/release/bin/gpusim build/release/bench/programs \
    --json build/results/bench_mixed.json || status=1
fi
if [[ $found -eq 0 ]]; then
  echo "make bench: there is no benchmark program in this tree yet" >&2
  exit 2
fi
exit $status
