#!/bin/bash
# tools/format.sh [--check|--which] : formats the C++ sources, or only names those that are not formatted, or
# only prints which clang-format it would use.
# Exit codes: 0 done, 1 --check found some, 2 the clang-format that the tree is kept in is not installed.
set -u -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 3

major=14
formatter=
for candidate in "clang-format-$major" clang-format; do
  if "$candidate" --version 2>/dev/null | grep -q "version $major\."; then
    formatter=$candidate
    break
  fi
done
if [[ -z "$formatter" ]]; then
  echo "clang-format $major is not installed (Debian 12: clang-format, Ubuntu 24.04: clang-format-14)" >&2
  exit 2
fi

# The op tables are laid out by hand, one instruction after the other; this release also loses track of their nesting
# at the macro that opens the namespace of a vector level.
sources() {
  find common simulator -type f \( -name '*.hpp' -o -name '*.cpp' \) -not -path 'simulator/isa/*' -print0 | sort -z
}

case "${1:-}" in
  --which)
    echo "$formatter"
    ;;
  --check)
    said=$(sources | xargs -0 -P "$(nproc)" -n 64 "$formatter" --dry-run --Werror 2>&1)
    status=$?
    unformatted=$(sed -n 's/^\([^: ]*\):[0-9]*:[0-9]*: error: .*/\1: not formatted/p' <<< "$said" | sort -u)
    if [[ -n "$unformatted" ]]; then
      echo "$unformatted"
      echo "$(wc -l <<< "$unformatted") files are not formatted; make format mends them"
      exit 1
    elif [[ $status -ne 0 ]]; then
      echo "$said" >&2
      exit 3
    fi
    ;;
  "")
    sources | xargs -0 "$formatter" -i
    ;;
  *)
    echo "tools/format.sh: unknown option $1" >&2
    exit 2
    ;;
esac
