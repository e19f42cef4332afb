#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Everything one does with this project. Each verb brings what it needs.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"

help() {
  cat <<'END'
./do demo          build, then run the published experiments on the simulated machines
./do build         build the program: build/release/linebounce
./do test [ARG…]   build and run every test; arguments go to ctest, such as: -R qspinlock
./do bench         build and run the benchmarks
./do asan          run the tests under AddressSanitizer and UndefinedBehaviorSanitizer
./do tsan          run the lock algorithms on host threads under ThreadSanitizer
./do format        lay out every source file
./do lint          check the layout, and the code with clang-tidy
JOBS=N ./do …      compile and test N at a time instead of one for each core
END
}

# Debian 12 packages. This is the only list.
build_packages=(g++ cmake ninja-build pkg-config libsystemc-dev libboost-graph-dev libtomlplusplus-dev libcli11-dev
                nlohmann-json3-dev libfmt-dev libhwloc-dev)
test_packages=("${build_packages[@]}" libgtest-dev)
bench_packages=("${build_packages[@]}" libbenchmark-dev)
lint_packages=("${test_packages[@]}" "${bench_packages[@]}" clang-format clang-tidy)
jobs=${JOBS:-$(nproc)}

# need PACKAGE…: installs those that are missing, and says so when it cannot.
need() {
  local package missing=() root=()
  if ! command -v dpkg-query >/dev/null; then
    echo "do: not a Debian system; what is needed are the equivalents of: $*" >&2
    return
  fi
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  ((EUID == 0)) || root=(sudo)
  echo "do: installing ${missing[*]}" >&2
  if ! { "${root[@]}" apt-get update -q && "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
         apt-get install -q -y --no-install-recommends "${missing[@]}"; } >&2; then
    echo "do: could not install them; install by hand, then run this again: apt-get install ${missing[*]}" >&2
    exit 1
  fi
}

# build PRESET [TARGET…] [-- CMAKE_OPTION…]
build() {
  local preset=$1 targets=()
  shift
  while (($#)) && [[ $1 != -- ]]; do targets+=("$1"); shift; done
  (($#)) && shift
  cmake --preset "$preset" "$@"
  cmake --build --preset "$preset" --parallel "$jobs" ${targets[0]:+--target "${targets[@]}"}
}

sources() { git ls-files '*.cpp' '*.hpp'; }

case ${1:-help} in
  demo)
    need "${build_packages[@]}"
    build release linebounce -- -DLINEBOUNCE_TESTS=OFF >&2
    exec build/release/linebounce demo "${@:2}"
    ;;
  build)
    need "${build_packages[@]}"
    build release linebounce -- -DLINEBOUNCE_TESTS=OFF
    ;;
  test)
    need "${test_packages[@]}"
    build release -- -DLINEBOUNCE_TESTS=ON
    build debug linebounce -- -DLINEBOUNCE_TESTS=OFF # for the test that both builds give the same result
    ctest --preset release --parallel "$jobs" "${@:2}"
    ;;
  bench)
    need "${bench_packages[@]}"
    build bench linebounce_bench
    exec build/bench/sim/bench/linebounce_bench "${@:2}"
    ;;
  asan)
    need "${test_packages[@]}"
    build asan
    ctest --preset asan --parallel "$jobs" "${@:2}"
    ;;
  tsan)
    need "${test_packages[@]}"
    # Only what runs on host threads: ThreadSanitizer cannot follow the stacks that SystemC switches.
    build tsan locks/all sim_native_workloads_test
    build/tsan/sim/workloads/sim_native_workloads_test --gtest_brief=1
    ctest --test-dir build/tsan/locks --output-on-failure --no-tests=error --parallel "$jobs" "${@:2}"
    ;;
  format)
    need clang-format
    sources | xargs clang-format -i
    ;;
  lint)
    need "${lint_packages[@]}"
    sources | xargs clang-format --dry-run -Werror
    cmake --preset lint
    sources | grep '\.cpp$' | grep -v '^examples/own-lock/' | xargs -P "$jobs" -n 1 clang-tidy --quiet -p build/lint
    ;;
  help | -h | --help) help ;;
  *)
    echo "do: no such verb: $1" >&2
    help >&2
    exit 2
    ;;
esac
