#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# own_lock_test.sh SOURCE BUILD COMPILER GENERATOR
# Installs the build into an empty directory, builds examples/own-lock against nothing but that, and runs its lock.
set -euo pipefail
source=$1 build=$2 compiler=$3 generator=$4
work=$build/own-lock-test
rm -rf "$work"
cmake --install "$build" --prefix "$work/installed" >"$build/own-lock-install.log"
cmake -S "$source/examples/own-lock" -B "$work/build" -G "$generator" -DCMAKE_PREFIX_PATH="$work/installed" \
      -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release
cmake --build "$work/build"
"$work/build/own-lock" run "$source/examples/own-lock/scenario.toml"
"$work/installed/bin/linebounce" version
