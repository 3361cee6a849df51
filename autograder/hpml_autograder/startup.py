"""Code that runs before main in an object file that includes <iostream>. Before GCC 13 the compiler gives every such file a
function that starts the streams before main, and puts the file's other initialisers into the same function."""

import re

REGISTRATION = re.compile(r"__cuda_module_ctor|_ZL[0-9]+__sti____cudaRegisterAllv")  # of device code, by clang and by nvcc

# Shell command that prints a count. It disassembles the functions that .init_array names, and the functions of the same file that
# they call. It counts the names they use, other than those that start the streams, and their jumps to computed addresses. A
# function ends at the next symbol; if its last instruction falls through, the function at that symbol is counted as well.
FOREIGN_WORK = r"""set -o pipefail; { objdump -r "$1"; objdump -dr --no-show-raw-insn "$1"; } | awk '
  function hex(text,   i, value) {
    value = 0
    for (i = 1; i <= length(text); ++i) value = 16 * value + index("0123456789abcdef", substr(text, i, 1)) - 1
    return value
  }
  function block_of(section, at,   i, found) {
    found = 0
    for (i = 1; i <= blocks; ++i) if (in_section[i] == section && start[i] <= at) found = i
    return found
  }
  function visit(block) { if (block && !(block in seen) && name_of[block] !~ /^(__cuda_module_ctor|_ZL[0-9]+__sti____cudaRegisterAllv)$/) { seen[block] = 1; todo[++count] = block } }
  function target(word,   name, off, sign) {  # of a relocation: ".text.startup+0x10", "name-0x4", "name"
    off = 0; name = word
    if (match(word, /[+-]0x[0-9a-f]+$/)) {
      sign = substr(word, RSTART, 1) == "-" ? -1 : 1
      off = sign * hex(substr(word, RSTART + 3)); name = substr(word, 1, RSTART - 1)
    }
    target_name = name; target_at = off
  }
  /^RELOCATION RECORDS FOR/ { entries = /\[\.init_array[].]/; next }
  /^Disassembly of section/ { entries = 0; section = $4; sub(/:$/, "", section); sections[section] = 1; next }
  entries && /^[0-9a-f]+ +R_/ { entry[++entered] = $3; next }
  /^[0-9a-f]+ <.*>:$/ {
    start[++blocks] = hex($1); in_section[blocks] = section
    name = $2; sub(/^</, "", name); sub(/>:$/, "", name); label[name] = blocks; name_of[blocks] = name; goes_on[blocks] = 1; next
  }
  blocks && /^ +[0-9a-f]+:\t/ {
    op = $2; operand = $3
    while (op ~ /^(bnd|notrack|rep|data16|cs|lock)$/) { sub(/^[^\t]*\t[^ ]+ /, "x\t"); op = $2; operand = $3; if (++spins > 100000) break }
    if (op ~ /^(call|jmp|j[a-z]+|bl|b|b\..*|cbn?z|tbn?z)$/ && operand ~ /^(0x)?[0-9a-f]+$/) calls[blocks] = calls[blocks] " " operand
    else if (op ~ /^(call|jmp|blr|br)$/) indirect[blocks]++
    if (op !~ /^(nop|nopw|nopl|xchg|int3|ud2)$/) goes_on[blocks] = op !~ /^(ret|retq|jmp|b|br)$/
    next
  }
  blocks && /^\t+[0-9a-f]+: R_/ { uses[blocks] = uses[blocks] " " $3 }
  END {
    foreign = !entered
    for (i = 1; i <= entered; ++i) {
      target(entry[i])
      if (target_name in label) visit(label[target_name])
      else if (target_name in sections) visit(block_of(target_name, target_at))
      else ++foreign
    }
    while (done < count) {
      block = todo[++done]; foreign += indirect[block]
      if (goes_on[block] && in_section[block + 1] == in_section[block]) visit(block + 1)
      many = split(calls[block], to, " ")
      for (i = 1; i <= many; ++i) { sub(/^0x/, "", to[i]); visit(block_of(in_section[block], hex(to[i]))) }
      many = split(uses[block], to, " ")
      for (i = 1; i <= many; ++i) {
        target(to[i])
        if (target_name in label) visit(label[target_name])
        else if (target_name in sections) visit(block_of(target_name, target_at + 4))
        else if (target_name !~ /^(_ZNSt8ios_base4Init[CD]1Ev|__cxa_atexit|__dso_handle|_ZStL8__ioinit|\.bss(\._ZStL8__ioinit)?)$/) ++foreign
      }
    }
    print foreign + 0
  }'"""
