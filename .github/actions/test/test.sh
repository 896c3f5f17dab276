#!/bin/bash
# Tests traces. SPINDLE_PATHS selects them, SPINDLE_ARGUMENTS are further arguments, SPINDLE_RESULTS is the
# folder for the results; the exit status is that of 'spindle test'.
set -euo pipefail

results=${SPINDLE_RESULTS:-spindle-results}
mkdir -p "$results"
# Both are lists of words.
# shellcheck disable=SC2086
exec spindle test ${SPINDLE_PATHS:-.} ${SPINDLE_ARGUMENTS:-} \
  --junit "$results/junit.xml" --sarif "$results/results.sarif"
