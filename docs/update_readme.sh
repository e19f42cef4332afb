#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# update_readme.sh PROGRAM: puts what the program prints today into README.md and into the pages of this folder (after
# each "prints:" mark) and into the picture at the top of README.md, and writes docs/validation.md. Run it when simulated
# numbers have moved.
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$(realpath "$0")")/.."

# Text on standard input as a picture.
as_svg() {
  awk '
    { gsub(/&/, "\\&amp;"); gsub(/</, "\\&lt;"); gsub(/>/, "\\&gt;"); line[NR] = $0; if (length($0) > widest) widest = length($0) }
    END {
      width = widest * 7.8 + 32; height = NR * 17 + 28
      printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n", width, height, width, height
      printf "<rect width=\"100%%\" height=\"100%%\" rx=\"6\" fill=\"#1c2128\"/>\n"
      printf "<g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"13\" fill=\"#d5dbe3\" xml:space=\"preserve\">\n"
      for (n = 1; n <= NR; n++)
        printf "<text x=\"16\" y=\"%d\"%s>%s</text>\n", n * 17 + 10, line[n] ~ /^\$/ ? " fill=\"#7ee787\"" : "", line[n]
      print "</g>\n</svg>"
    }'
}

demo=$("$program" demo -o /dev/null)
# A block of the demo: from the line that starts with $1 to the next one that starts with $2.
part() { awk -v from="$1" -v to="$2" 'index($0, from) == 1 { on = 1 } on { print } on && index($0, to) == 1 { exit }' <<<"$demo"; }

{
  echo '$ ./do demo'
  part 'same-node, 4 tasks, standalone, before' all
  echo
  part 'standalone: lock and data in different' 'different-nodes  4'
} | as_svg >docs/demo.svg

# The page $1 with what its marked commands print now.
with_output() {
  local line skipping=0
  while IFS= read -r line; do
    if ((skipping)); then
      [[ $line == '```' ]] && skipping=0
      continue
    fi
    printf '%s\n' "$line"
    if [[ $line =~ ^'<!-- prints: linebounce '(.*)' -->'$ ]]; then
      echo '```'
      bash -c "'$program' ${BASH_REMATCH[1]}" 2>/dev/null # a pipe may follow the arguments
      echo '```'
      IFS= read -r line # the old block's opening line
      skipping=1
    fi
  done <"$1"
}
for page in README.md docs/contention.md docs/why-*.md docs/predictions.md; do
  with_output "$page" >"$page.new"
  mv "$page.new" "$page"
done

"$program" validate --markdown >docs/validation.md || (($? == 1)) # 1: it is written, and something is beyond its tolerance
"$program" validate --sensitivity --markdown >>docs/validation.md
