#!/usr/bin/env bash
# The pages in a real browser: `run.sh BUILD`, after BUILD was built. Their packages, the pages and
# pictures of them go to BUILD-browser. The last line is "N passed, N failed, N skipped".
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "$1")
folder=$build-browser

mkdir -p "$folder/pages"
cp tests/browser/*.mjs tests/browser/package*.json "$folder"
cd "$folder"
if ! cmp -s package-lock.json node_modules/.graze-lock.json; then
    npm ci --no-audit --no-fund --ignore-scripts
    cp package-lock.json node_modules/.graze-lock.json
fi
timeout 400 node test_report.mjs "$build/graze" "$OLDPWD/../shared/models" "$folder/pages"
