#!/bin/sh
# Prints a trace as a Swift program: behind prelude.swift, without what only a trace has, which is its title, its machine
# and what it expects, and with each length of time and size as a call.
#
#   Tests/Campaigns/RealSwift/program.sh TRACE
set -u
cat "$(dirname "$0")/prelude.swift"
awk '
  function convert(text) {
    # Numbers with a unit, where they do not go on with a name.
    result = ""
    while (match(text, /[0-9][0-9_]*(\.[0-9]+)?(ns|us|ms|min|s|h|KB|MB|GB|B)/)) {
      found = substr(text, RSTART, RLENGTH)
      before = RSTART > 1 ? substr(text, RSTART - 1, 1) : " "
      after = substr(text, RSTART + RLENGTH, 1)
      result = result substr(text, 1, RSTART - 1)
      text = substr(text, RSTART + RLENGTH)
      if (before ~ /[A-Za-z0-9_.$]/ || after ~ /[A-Za-z0-9_]/) { result = result found; continue }
      number = found
      sub(/(ns|us|ms|min|s|h|KB|MB|GB|B)$/, "", number)
      result = result units[substr(found, length(number) + 1)] "(" number ")"
    }
    return result text
  }
  BEGIN {
    units["ns"] = "nanoseconds"; units["us"] = "microseconds"; units["ms"] = "milliseconds"
    units["s"] = "seconds"; units["min"] = "minutes"; units["h"] = "hours"
    units["B"] = "bytes"; units["KB"] = "kilobytes"; units["MB"] = "megabytes"; units["GB"] = "gigabytes"
    depth = 0
    isApp = 1
  }
  /output == \[/ { expectsOutput = 1 }
  /timeline == \[/ { expectsMarks = 1 }
  skips {
    depth += gsub(/{/, "{") - gsub(/}/, "}")
    if (depth <= 0) { skips = 0; depth = 0 }
    next
  }
  /^(trace|machine|expect)[ {"]/ {
    depth = gsub(/{/, "{") - gsub(/}/, "}")
    if (depth > 0) skips = 1
    next
  }
  /^param / { sub(/^param /, "let "); sub(/ in .*$/, "") }
  /^main *\(\.tool\) *{/ { isApp = 0 }
  /^main/ { isMain = 1; sub(/^main *(\(\.tool\))? *{/, "func program() {") }
  # A main that waits itself, and not in a closure, waits on the main actor.
  isMain && !(match($0, /[^ ]/) > skipped && skipped) {
    skipped = 0
    line = $0
    sub(/^ *do *{/, "", line)
    sub(/{.*/, "", line)
    if (line ~ /await /) isAsync = 1
    if (match($0, /[^ ]/) > 1 && $0 ~ /({| in)$/ && $0 !~ /^ *(}? *else|do|if|for|while|switch|guard|repeat)[ {]/) skipped = match($0, /[^ ]/)
  }
  /^}/ { isMain = 0 }
  {
    # Texts stay as they are.
    count = split($0, parts, "\"")
    line = ""
    for (i = 1; i <= count; i++) line = line (i > 1 ? "\"" : "") (i % 2 == 1 ? convert(parts[i]) : parts[i])
    lines[++total] = line
  }
  END {
    for (i = 1; i <= total; i++) {
      if (isAsync) sub(/^func program\(\) {/, "@MainActor func program() async {", lines[i])
      print lines[i]
    }
    # What a program has printed is seen when it crashes, too.
    print "setvbuf(stdout, nil, _IONBF, 0)"
    if (expectsMarks && !expectsOutput) print "printsMarks = true"
    print isAsync ? "await program()" : "program()"
    # An app serves its run loop; what a test of it takes is over by then.
    if (isApp) print "RunLoop.main.run(until: Date(timeIntervalSinceNow: 1.05))"
  }
' "$1"
