#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# report_browser_test.sh PROGRAM: the page works in a browser that may not use the network. Skipped (77) without Chromium.
set -euo pipefail
program=$1
browser=$(command -v chromium || command -v chromium-browser) || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$program" report ping-pong --set 'iterations=20' --set 'seeds=2' -o "$folder/page.html"

# The page as the browser has it after its script has run; what the script complains about goes to the log.
dom() {
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --host-resolver-rules='MAP * ~NOTFOUND' \
    --user-data-dir="$folder/profile" --enable-logging=stderr --v=0 --dump-dom "file://$folder/page.html$1" 2>"$folder/log"
}
fail() { echo "$1" >&2; exit 1; }
first_rows() { grep -o '<tr data-n="[0-9]*"' <<<"$1" | tr -dc '0-9\n' | tr '\n' ' '; }

upwards=$(dom '#sort=ns_per_op')
grep -q CONSOLE "$folder/log" && fail "the page complains: $(grep CONSOLE "$folder/log")"
grep -q 'aria-sort="ascending"' <<<"$upwards" || fail 'the script has not sorted the table: does its hash fit?'
downwards=$(dom '#sort=-ns_per_op')
[[ $(first_rows "$upwards") == '1 2 ' ]] || fail "upwards: $(first_rows "$upwards")"
[[ $(first_rows "$downwards") == '2 1 ' ]] || fail "downwards: $(first_rows "$downwards")"
grep -q 'data-tip=' <<<"$upwards" || fail 'the figures have no tips'
