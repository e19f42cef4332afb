#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# same_bytes_test.sh PROGRAM OTHER_PROGRAM SCENARIO
# Two builds of the program must write the same result, byte for byte. Exit code 77: the other build does not exist.
set -euo pipefail
program=$1 other=$2 scenario=$3
[[ -x $other ]] || { echo "skipped: there is no $other"; exit 77; }
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
"$program" run "$scenario" --json >"$directory/first.json"
"$other" run "$scenario" --json >"$directory/second.json"
[[ -s $directory/first.json ]] || { echo "the result is empty"; exit 1; }
cmp "$directory/first.json" "$directory/second.json"
