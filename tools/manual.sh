#!/bin/bash
# tools/manual.sh [FOLDER] : man pages of gpusim, hpml and each of their commands, made by help2man from their --help.
# FOLDER: build/release/share/man. Read one with `man -M build/release/share/man gpusim-run`.
# Exit codes: 0 done, 2 help2man or gpusim is missing, 3 a page could not be made.
set -u -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 3
source tools/completion.bash

build=${HPML_BUILD_DIR:-build/release}
folder=${1:-$build/share/man}/man1
if ! command -v help2man >/dev/null; then
  echo "tools/manual.sh: help2man is not installed" >&2
  exit 2
fi
if [[ ! -x "$build/bin/gpusim" ]]; then
  echo "tools/manual.sh: $build/bin/gpusim is not there: tools/build.sh gpusim" >&2
  exit 2
fi
mkdir -p "$folder" || exit 3

# What stands beside a command in the help of the one above it.
summary() {
  sed -nE "s/^ {2,4}(hpml )?$1( .*)? {2,}([^ ].*)/\3/p" <<<"$2" | head -n 1
}

# help2man knows the headings of GNU's programs, and gets the text from a program that it runs.
page() {
  local title=${2// /-} text=$3
  COLUMNS=500 $1 --help | sed 's/^usage: /Usage: /; s/^options:/Options:/; s/^positional arguments:/Arguments:/' >"$spare"
  help2man --no-info --version-string="$title" --name="$text" --help-option="$spare" cat |
    sed "s/^cat /$title /;
      s/^\.TH .*/.TH $title 1 \"\" \"HPML labs\" \"User Commands\"/; /^\.\\\\\"/d" >"$folder/$title.1" || exit 3
}

spare=$(mktemp) || exit 3
trap 'rm -f "$spare"' EXIT
for command in "$build/bin/gpusim" tools/hpml; do
  name=${command##*/}
  help=$("$command" --help) || exit 3
  page "$command" "$name" "commands: $(_hpml_offered "" "$help" | grep -v '^-' | xargs | sed 's/ /, /g')"
  for word in $(_hpml_offered "" "$help" | grep -v '^-' | sort -u); do
    if "$command" "$word" --help >/dev/null 2>&1; then
      page "$command $word" "$name $word" "$(summary "$word" "$help")"
    fi
  done
done
