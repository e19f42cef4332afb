#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# same_bytes_test.sh PROGRAM OTHER_PROGRAM SCENARIO…
# Two builds of the program must write the same results, byte for byte. Exit code 77: the other build does not exist.
set -euo pipefail
program=$1 other=$2
shift 2
[[ -x $other ]] || { echo "skipped: there is no $other"; exit 77; }
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
for scenario in "$@"; do
  "$program" run "$scenario" --json >"$directory/one.json"
  "$other" run "$scenario" --json >"$directory/other.json"
  [[ -s $directory/one.json ]] || { echo "$scenario: the result is empty"; exit 1; }
  cmp "$directory/one.json" "$directory/other.json"
  echo "$scenario: $(wc -c <"$directory/one.json") bytes, the same"
done
