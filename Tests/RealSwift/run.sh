#!/bin/sh
# Compiles traces as Swift programs, runs them, and compares what they print with what the traces expect.
#
#   Tests/RealSwift/run.sh [TRACE...]
#
# Without arguments: all in Traces/lives. A trace that needs more than prelude.swift has is named and passed over.
set -u
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- Traces/lives/*.trace
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
same=0 other=0 passed=0
for trace in "$@"; do
  name=$(basename "$trace" .trace)
  {
    cat Tests/RealSwift/prelude.swift
    sed -e '/^expect {/,$d' -e '/^trace "/d' -e '/^machine {/d' \
      -e 's/^main\((\.tool)\)\{0,1\} {/func program() {/' \
      -e 's/\([^A-Za-z0-9_]\)\([0-9][0-9]*\)ms/\1ms(\2)/g' "$trace"
    echo 'program()'
  } > "$folder/$name.swift"
  sed -n '/^    output == \[/,/^    \]/p' "$trace" | sed -n 's/^        "\(.*\)",$/\1/p' > "$folder/wanted"
  if ! [ -s "$folder/wanted" ] || ! swiftc -swift-version 5 -suppress-warnings \
    -o "$folder/$name" "$folder/$name.swift" 2> "$folder/errors"
  then
    echo "passed over: $trace"
    passed=$((passed + 1))
    continue
  fi
  "$folder/$name" > "$folder/printed"
  if cmp -s "$folder/wanted" "$folder/printed"; then
    same=$((same + 1))
  else
    echo "differs: $trace"
    diff "$folder/wanted" "$folder/printed"
    other=$((other + 1))
  fi
done
echo "$same as in Swift, $other not, $passed passed over"
[ "$other" -eq 0 ]
