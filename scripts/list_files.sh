#!/usr/bin/env bash
# Prints the files that belong to the source tree ROOT, one a line, relative to it: what git tracks
# or would track, or every file outside build folders where there is no git. `list_files.sh ROOT
# [REGEX]` prints those whose path matches.
set -euo pipefail
cd "$1"

if command -v git >/dev/null && [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
    git ls-files --cached --others --exclude-standard
else
    find . -type f -not -path './build/*' -not -path './build-*/*' -not -path './.git/*' | cut -c 3-
fi | grep -E "${2:-.}" | LC_ALL=C sort | while IFS= read -r file; do
    if [ -f "$file" ]; then
        echo "$file"
    fi
done
