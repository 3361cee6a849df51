# Completes commands, options and their values of gpusim and hpml in bash: `source tools/completion.bash`. What there is to
# complete is read from the commands' own --help, and from the GPU files.

_hpml_place=$(readlink -f "${BASH_SOURCE[0]}")
_hpml_place=${_hpml_place%/tools/*}
_hpml_gpus=$_hpml_place/simulator/gpus
[[ -d $_hpml_gpus ]] || _hpml_gpus=$_hpml_place/share/gpusim/gpus  # of a package

# The words that a command's help offers: options, subcommands, and values in braces behind the option `$1`.
_hpml_offered() {
  local before=$1 help=$2
  if [[ "$before" == --gpu ]]; then
    printf '%s\n' "$_hpml_gpus"/*.toml | sed 's/.*\///; s/\.toml$//'
  elif [[ "$before" == --* ]]; then
    sed -n "s/^ *\(-., *\)\?$before[ =:A-Z]*{\([^}]*\)}.*/\2/p" <<<"$help" | head -n 1 | tr ',' ' '
  else
    grep -oE '(^|[ ,[])--[a-z][a-z-]*' <<<"$help" | tr -d ' ,['
    sed -n 's/^ *{\([a-z,-]*\)}\( \.\.\.\)\?$/\1/p' <<<"$help" | tr ',' '\n'
    sed -nE 's/^ {2,4}(hpml )?([a-z][a-z-]*)( .*)? {2,}[^ ].*/\2/p' <<<"$help"
  fi
}

_hpml_complete() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=("${COMP_WORDS[0]}") at help
  for ((at = 1; at < COMP_CWORD; at++)); do
    [[ "${COMP_WORDS[at]}" =~ ^[a-z][a-z-]*$ && ${#command[@]} -lt 3 ]] || break
    command+=("${COMP_WORDS[at]}")
  done
  help=$("${command[@]}" --help 2>/dev/null)
  mapfile -t COMPREPLY < <(compgen -W "$(_hpml_offered "$before" "$help")" -- "$word" | sort -u)
}

complete -o default -F _hpml_complete gpusim hpml
