#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# include_walls_test.sh SOURCE COMPILER FOLDER ALLOWED INCLUDE_DIRECTORIES (lists in CMake's form, with semicolons)
# Compiles one #include of every folder with the include directories of FOLDER: it and the allowed ones must compile,
# all others must not be found. And no file may climb over the wall with "../".
set -euo pipefail
source=$1 compiler=$2 folder=$3 allowed=";units;$3;$4;" directories=$5

includes=()
IFS=';' read -ra list <<<"$directories"
for directory in "${list[@]}"; do
  [[ -z $directory ]] || includes+=("-I$directory")
done

declare -A header=([units]=units/quantity.hpp [topologies]=topologies/machine.hpp [coherence]=coherence/ledger.hpp
                   [cpus]=cpus/counters.hpp [locks]=locks/cpu.hpp [sim]=sim/experiment.hpp)
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

for other in units topologies coherence cpus locks sim; do
  if output=$("$compiler" -std=c++20 -x c++ -fsyntax-only "${includes[@]}" - <<<"#include \"${header[$other]}\"" 2>&1); then
    [[ $allowed == *";$other;"* ]] || fail "$folder can include ${header[$other]}"
  elif [[ $allowed == *";$other;"* ]]; then
    fail "$folder cannot include ${header[$other]}: $output"
  elif [[ $output != *"${header[$other]}: No such file"* ]]; then
    fail "${header[$other]} is found from $folder, it merely does not compile: $output"
  fi
done

if climbing=$(grep -rnE '^ *# *include *"[^"]*\.\./' --include='*.hpp' --include='*.cpp' "$source/$folder"); then
  fail "includes by a relative path: $climbing"
fi
exit $((failures > 0))
