#!/bin/bash
# tools/build.sh [-p PRESET] TARGET... : configures once, then builds the named CMake targets in build/PRESET.
# When all is well it says one line before a first build and shows one line of progress on a terminal; everything on a
# failure or with V=1.
# Several targets joined by "|" mean: the first of them that exists.
# Exit codes: 0 built, 1 the build failed, 2 usage, 3 configuring failed.
set -u -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 3

preset=release
if [[ "${1:-}" == -p ]]; then
  preset=${2:?a preset of CMakePresets.json}
  shift 2
fi
if [[ $# -eq 0 ]]; then
  echo "tools/build.sh: no target named" >&2
  exit 2
fi
build_dir=build/$preset
log=$build_dir/build.log
if ! mkdir -p "$build_dir" 2>/dev/null || [[ ! -w "$build_dir" ]]; then
  echo "tools/build.sh: $PWD/$build_dir cannot be written to: copy the tree to a folder of your own, or mount one there" >&2
  exit 3
fi

# ninja itself configures again when a CMake file changed, so one that loads, that was made for this place and by these presets
# will do.
configured() {
  [[ ! CMakePresets.json -nt "$build_dir/CMakeCache.txt" ]] &&
    grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$build_dir/CMakeCache.txt" &&
    ninja -C "$build_dir" -t query all >/dev/null 2>&1
}

configure() {
  if configured; then
    return 0
  fi
  if [[ -e $build_dir/CMakeCache.txt ]]; then
    echo "Configuring $build_dir again, since the tree has moved or its presets have changed." >&2
  else
    echo "First build in $build_dir: configuring takes seconds, compiling a few minutes. Later builds compile only what changed." >&2
  fi
  if [[ -n "${V:-}" ]]; then
    cmake --fresh --preset "$preset"
  elif ! cmake --fresh --preset "$preset" >"$log" 2>&1; then
    cat "$log" >&2
    return 1
  fi
}

# "a|b|c" -> the first one the build knows; the last one when none is known, so that ninja names it.
first_known() {
  local known candidate
  known=$(ninja -C "$build_dir" -t targets all 2>/dev/null)
  local candidates=${1//|/ }
  for candidate in $candidates; do
    if grep -q "^$candidate: " <<<"$known"; then
      break
    fi
  done
  echo "$candidate"
}

# One line, overwritten by each step and gone at the end; what compilers say stays. Nothing where there is nothing to do.
show_progress() {
  local line shown='' columns
  columns=$(tput cols 2>/dev/null || echo 80)
  while IFS= read -r line; do
    case $line in
      "ninja: Entering directory "* | "ninja: no work to do." | *"Re-checking globbed directories...") ;;
      "building: "*)
        printf '\r\e[K%s' "${line:0:columns-1}"
        shown=1
        ;;
      *)
        printf '%s%s\n' "${shown:+$'\n'}" "$line"
        shown=''
        ;;
    esac
  done
  printf '%s' "${shown:+$'\r\e[K'}"
}

if ! configure; then
  echo "tools/build.sh: cmake --preset $preset failed (output above)" >&2
  exit 3
fi
targets=()
for target in "$@"; do
  if [[ "$target" == *"|"* ]]; then
    target=$(first_known "$target")
  fi
  targets+=("$target")
done

ninja=(ninja -C "$build_dir" -j "${JOBS:-$(nproc)}")
if [[ -n "${V:-}" ]]; then
  "${ninja[@]}" -v "${targets[@]}"
elif [[ -t 1 && "${TERM:-dumb}" != dumb ]]; then
  NINJA_STATUS="building: %f of %t steps, %p, %e s  " "${ninja[@]}" "${targets[@]}" 2>&1 | show_progress
else
  "${ninja[@]}" "${targets[@]}" >"$log" 2>&1 || { cat "$log" >&2; false; }
fi
if [[ $? -ne 0 ]]; then
  echo "tools/build.sh: building ${targets[*]} failed (output above)" >&2
  exit 1
fi
