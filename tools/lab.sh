#!/bin/bash
# tools/lab.sh LAB ACTION : builds what lab LAB (lab1, lab2, ...) needs and hands ACTION over to the grader.
# ACTION: build, test, bench, profile, submit-check, train, talk, sweep, namespaces, run, debug. Options come from the environment, as make passes them on:
# SOLUTION=1, GPU=name, TARGET=gpu, CUDA=nvcc|clang, TEST=id (one test, or an exercise), FULL=1 (every size), FRESH=1 (also what is
# unchanged of the hand-in), V=1; for run and debug: PROG="program arguments", CHECK=1 (under the check tools), RANKS=n, COMPILE_ONLY=1 (for editors, which start the debugger themselves).
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 3

unset MAKEFLAGS MFLAGS MAKELEVEL  # those of the make that started this are not for a make that a program starts
lab=$1
action=$2

existing_labs() {
  local toml
  for toml in labs/lab*/lab.toml; do
    [[ -f "$toml" ]] && basename "$(dirname "$toml")" | cut -d_ -f1
  done
}

if ! grep -qx "$lab" <<<"$(existing_labs)"; then
  echo "$lab: there is no such lab yet; labs in this tree: $(existing_labs | xargs)" >&2
  exit 2
fi
case "${SOLUTION:-}" in
  "" | 0 | 1) ;;
  *) echo "SOLUTION=$SOLUTION: use SOLUTION=1 (the reference solution), or leave it out (your own files)" >&2; exit 2 ;;
esac

export PYTHONPATH=$PWD/autograder${PYTHONPATH:+:$PYTHONPATH}
# What this lab's programs need of this tree: the simulator, a tool, a library; or nothing, as where a package has built it.
needed=$(/usr/bin/python3 -m hpml_autograder needs "$lab") || exit $?
if [[ -n "$needed" ]]; then
  mapfile -t targets <<<"$needed"
  tools/build.sh "${targets[@]}" || exit $?
fi

options=()
[[ "${SOLUTION:-}" == 1 ]] && options+=(--solution)
[[ -n "${GPU:-}" ]] && options+=(--gpu "${GPU,,}")
[[ -n "${TARGET:-}" ]] && options+=(--target "$TARGET")
[[ -n "${CUDA:-}" ]] && options+=(--cuda "$CUDA")
[[ -n "${TEST:-}" ]] && options+=(--test "$TEST")
[[ "${FULL:-}" == 1 ]] && options+=(--full)
[[ "${FRESH:-}" == 1 ]] && options+=(--fresh)
if [[ $action == debug ]]; then
  options+=(--program "${PROG:-}")
  [[ "${COMPILE_ONLY:-}" == 1 ]] && options+=(--compile-only)
elif [[ $action == run ]]; then
  options+=(--program "${PROG:-}" ${RANKS:+--ranks "$RANKS"})
  [[ "${CHECK:-}" == 1 ]] && options+=(--check)
fi
exec /usr/bin/python3 -m hpml_autograder "$action" "$lab" "${options[@]}"
