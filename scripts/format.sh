#!/usr/bin/env bash
# Formats every C and C++ file in place; with --check only names those that differ, and fails.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t files < <(scripts/list_files.sh . '\.(c|h|cpp|cc)$')
if [ "${1:-}" != --check ]; then
    clang-format -i "${files[@]}"
elif ! output=$(clang-format --dry-run -Werror "${files[@]}" 2>&1); then
    places=$(sed -nE 's/^([^ :]+:[0-9]+):[0-9]+: error.*/\1: not formatted (make format)/p' <<<"$output")
    uniq <<<"${places:-$output}"
    exit 1
fi
