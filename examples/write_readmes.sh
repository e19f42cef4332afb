#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# write_readmes.sh PROGRAM: runs every example and writes beside it what it asks and the table that it prints.
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$(realpath "$0")")"

for scenario in *.toml; do
  name=${scenario%.toml}
  [[ $name != published ]] || continue
  output=$("$program" run "$scenario")
  {
    echo "# $(sed -n 's/^title = "\(.*\)"$/\1/p' "$scenario")"
    echo
    # The comment at the top of the scenario, without the licence.
    sed -n '/^[^#]/q; /SPDX/d; s/^# \{0,1\}//p' "$scenario"
    echo
    echo "\`linebounce run $name\` prints:"
    echo
    echo '```'
    echo "$output"
    echo '```'
  } >"$name.md.new"
  mv "$name.md.new" "$name.md"
done
