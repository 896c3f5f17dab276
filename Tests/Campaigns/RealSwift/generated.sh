#!/bin/sh
# Makes random Swift programs, compiles them with swiftc, runs them, and compares the output with Spindle's.
#
#   Tests/Campaigns/RealSwift/generated.sh values|tasks [FIRST..LAST] [FILE]
#
# 'values' has declarations, values and control flow without threads; 'tasks' has tasks, actors, queues, operations and
# locks whose output no timing decides. The seeds are 1..40 unless said; each is another program. Fifty programs are
# one file, which swiftc compiles in half a minute; where it gives up on an expression of one, each is a file. FUZZER
# names a built SpindleFuzzer; without it the release build is used. The exit status is 1 when an output differs, and
# the program stays in .build/generated. With a FILE, each program is appended to it with what Swift printed: the tests
# hold those of Tests/Reviewed/generated.
set -u
cd "$(dirname "$0")/../../.."
kind=${1:?values or tasks}
seeds=${2:-1..40}
store=${3:-}
first=${seeds%..*} last=${seeds#*..}
fuzzer=${FUZZER:-$(swift build -c release --show-bin-path)/SpindleFuzzer}
folder=.build/generated/$kind
mkdir -p "$folder"
same=0 other=0 gone=0
size=50 until=0
while [ "$first" -le "$last" ]; do
  [ "$first" -le "$until" ] || size=50
  end=$((first + size - 1))
  [ "$end" -le "$last" ] || end=$last
  "$fuzzer" --swift "$kind" --seeds "$first..$end" --keep "$folder" || exit 1
  if ! swiftc -swift-version 5 -suppress-warnings -parse-as-library -module-name main \
    -o "$folder/programs" "$folder/programs.swift" 2> "$folder/errors.txt"
  then
    if [ "$size" -gt 1 ]; then
      size=1 until=$end
    else
      echo "swiftc gives up: seed $first, $(grep -m 1 'error: ' "$folder/errors.txt")"
      gone=$((gone + 1)) first=$((end + 1))
    fi
    continue
  fi
  # A program that traps prints no more.
  SWIFT_BACKTRACE=enable=no timeout 120 "$folder/programs" > "$folder/printed.txt" 2> "$folder/errors.txt"
  for seed in $(seq "$first" "$end"); do
    for way in printed simulated; do
      awk -v seed="$seed" '/^== [0-9]+$/ { inside = $2 == seed; next } inside' "$folder/$way.txt" > "$folder/$way"
    done
    if cmp -s "$folder/printed" "$folder/simulated"; then
      same=$((same + 1))
      if [ -n "$store" ]; then
        {
          awk -v seed="$seed" '/^\/\/ == [0-9]+$/ { inside = $3 == seed } /^@main/ { exit } inside' "$folder/programs.swift"
          echo "// prints"
          cat "$folder/printed"
        } >> "$store"
      fi
    else
      other=$((other + 1))
      echo "differs: seed $seed"
      diff "$folder/printed" "$folder/simulated" | head -4
      cp "$folder/programs.swift" "$folder/differs-$seed.swift"
    fi
  done
  first=$((end + 1))
done
echo "$same print what Swift prints, $other do not, of $gone swiftc gives up"
[ "$other" -eq 0 ]
