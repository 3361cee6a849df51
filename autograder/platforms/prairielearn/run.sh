#!/bin/bash
# PrairieLearn's entrypoint: /grade/results/results.json from /grade/student.
set -u
base=${GRADE:-/grade}
hpml=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)/tools/hpml
mkdir -p "$base/results" || exit 3
out=$(mktemp -d) || exit 3
read -r -a options <<<"${HPML_GRADE_OPTIONS:-}"
"$hpml" grade --submission "$base/student" --lab "$LAB" --out "$out" "${options[@]}"
"$hpml" emit prairielearn "$out/record.json" -o "$base/results/results.json"
