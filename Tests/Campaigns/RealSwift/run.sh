#!/bin/sh
# Compiles traces as Swift programs, runs them, and compares what they print with what the traces expect.
#
#   Tests/Campaigns/RealSwift/run.sh [TRACE...]
#
# Without arguments: all in Traces/lives. What is compared is the output, or the marks in their order. A trace that needs
# more than prelude.swift has, or that expects neither, is named and passed over. On a machine that is not idle a
# program may be held up, so one that differs runs up to three times; a trace may say that Linux differs, and why.
set -u
cd "$(dirname "$0")/../../.."
[ $# -gt 0 ] || set -- Traces/lives/*.trace
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
same=0 known=0 other=0 passed=0
for trace in "$@"; do
  name=$(basename "$trace" .trace)
  Tests/Campaigns/RealSwift/program.sh "$trace" > "$folder/$name.swift"
  awk -v what="$(grep -q 'output == \[' "$trace" && echo output || echo timeline)" \
    'index($0, what " == [") { seen = 1 } seen { print } seen && /\]$/ { exit }' "$trace" \
    | grep -oE '"([^"\\]|\\.)*"' | sed 's/^"//; s/"$//; s/\\"/"/g' > "$folder/wanted"
  if ! [ -s "$folder/wanted" ] || ! swiftc -swift-version 5 -suppress-warnings \
    -o "$folder/$name" "$folder/$name.swift" 2> "$folder/errors"
  then
    echo "passed over: $trace"
    passed=$((passed + 1))
    continue
  fi
  isSame=0
  for _ in 1 2 3; do
    SWIFT_BACKTRACE=enable=no timeout 20 "$folder/$name" > "$folder/printed" 2> "$folder/errors"
    if cmp -s "$folder/wanted" "$folder/printed"; then isSame=1; break; fi
  done
  if [ "$isSame" = 1 ]; then
    same=$((same + 1))
  elif grep -q '^// On Linux it differs' "$trace"; then
    echo "differs, as it says: $trace"
    known=$((known + 1))
  else
    echo "differs: $trace"
    diff "$folder/wanted" "$folder/printed"
    other=$((other + 1))
  fi
done
echo "$same as in Swift, $known differ on Linux as they say, $other differ, $passed passed over"
[ "$other" -eq 0 ]
