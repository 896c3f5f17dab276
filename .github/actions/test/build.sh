#!/bin/bash
# Builds the tool, unless it is on the path already, and puts it there for the steps that follow.
set -euo pipefail

if command -v spindle >/dev/null; then
  echo "spindle is there: $(spindle --version)"
  exit 0
fi
package=$(cd "$(dirname "$0")/../../.." && pwd)
swift build -c release --product spindle --package-path "$package"
swift build -c release --package-path "$package" --show-bin-path >>"$GITHUB_PATH"
