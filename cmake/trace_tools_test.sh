#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# trace_tools_test.sh PROGRAM SCENARIO: do the tools that traces are made for read them? protoc (protobuf-compiler) decodes
# Perfetto's protobuf, vcd2fst and fst2vcd (gtkwave) take the value change dump there and back. Skipped (77) without both.
set -euo pipefail
program=$1
scenario=$2
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
tried=0

fail() {
  echo "$*" >&2
  exit 1
}

if command -v protoc >/dev/null; then
  tried=1
  "$program" run "$scenario" --window 0:5000 --trace t.pftrace >/dev/null
  protoc --decode_raw <t.pftrace >decoded
  # Packets are field 1 of the file, track events field 11, their arrows fixed64 fields 47 and 48.
  grep -q '^  11 {$' decoded || fail "protoc: no track event"
  begins=$(grep -c '^    47: 0x' decoded)
  ends=$(grep -c '^    48: 0x' decoded)
  ((begins > 0 && begins == ends)) || fail "protoc: $begins arrows begin and $ends end"
fi

if command -v vcd2fst >/dev/null && command -v fst2vcd >/dev/null; then
  tried=1
  "$program" run "$scenario" --window 0:5000 --trace t.vcd >/dev/null
  vcd2fst t.vcd t.fst
  fst2vcd -f t.fst -o back.vcd
  # The texts that signals take, with their times; numbers come back with leading zeros, identifiers may differ.
  texts() { awk '/^#/ { now = $1 } /^s/ && now != "" { print now, $1 }' "$1" | sort; }
  [[ -s t.vcd && $(texts t.vcd | wc -l) -gt 100 ]] || fail "vcd: hardly any value"
  diff <(texts t.vcd) <(texts back.vcd) >difference || fail "vcd2fst and fst2vcd change: $(head -5 difference)"
fi

((tried)) || exit 77
