#!/bin/sh
# Says how many traces are Swift as they stand: compiled as programs behind prelude.swift, and not run.
#
#   Tests/Campaigns/RealSwift/compile.sh [--list] [TRACE...]
#
# Without traces: all below Traces. With --list it names those that are.
set -u
cd "$(dirname "$0")/../../.."
lists=0
if [ "${1:-}" = --list ]; then lists=1; shift; fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ $# -gt 0 ]; then printf '%s\n' "$@"; else find Traces -name '*.trace' | sort; fi > "$folder/traces"
export folder
# shellcheck disable=SC2016
xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 1 sh -c '
  file="$folder/$(echo "$1" | tr "/" "-").swift"
  Tests/Campaigns/RealSwift/program.sh "$1" > "$file"
  swiftc -typecheck -swift-version 5 -suppress-warnings "$file" 2> /dev/null && echo "$1" > "$file.compiles"
' compile < "$folder/traces"
find "$folder" -name '*.compiles' -exec cat {} + | sort > "$folder/compiling"
[ "$lists" = 1 ] && cat "$folder/compiling"
echo "$(wc -l < "$folder/compiling") of $(wc -l < "$folder/traces") traces compile as Swift"
