#!/bin/bash
# Tests traces. What is tested and where results go is said by SPINDLE_PATHS, SPINDLE_ARGUMENTS and
# SPINDLE_RESULTS; the status is that of 'spindle test'.
set -euo pipefail

results=${SPINDLE_RESULTS:-spindle-results}
mkdir -p "$results"
# Both are lists of words.
# shellcheck disable=SC2086
exec spindle test ${SPINDLE_PATHS:-.} ${SPINDLE_ARGUMENTS:-} \
  --junit "$results/junit.xml" --sarif "$results/results.sarif"
