#!/bin/bash
# Builds the tool and adds it to the path of the following steps, unless it is on the path already.
set -euo pipefail

if command -v spindle >/dev/null; then
  echo "spindle is installed: $(spindle --version)"
  exit 0
fi
package=$(cd "$(dirname "$0")/../../.." && pwd)
swift build -c release --product spindle --package-path "$package"
swift build -c release --package-path "$package" --show-bin-path >>"$GITHUB_PATH"
