#!/bin/bash
# tools/validate.sh : simulated against published measurements. GPU=name takes one simulated GPU, CUDA=nvcc the other
# compiler, FULL=1 the slow rows as well; TARGET=gpu runs the same programs on the real GPU of this machine.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 3

options=()
[[ -n "${GPU:-}" ]] && options+=(--gpu "$GPU")
[[ -n "${CUDA:-}" ]] && options+=(--cuda "$CUDA")
[[ "${FULL:-}" == 1 ]] && options+=(--full)
if [[ "${TARGET:-}" == gpu ]]; then
  options+=(--target gpu)
else
  tools/build.sh gpusim_all || exit $?
fi
exec /usr/bin/python3 simulator/validation/validate.py "${options[@]}"
