#!/usr/bin/env bash
# The package graze in Node, against the native library and three.js: `run.sh BUILD`, after BUILD was
# built. Packages go to BUILD-web. The last line is "N passed, N failed, N skipped".
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "$1")
folder=$build-web
models=$(realpath -m "${GRAZE_MODELS:-../shared/models}")

# What web/wasm/print.c knows.
if grep -rhoE '"[^"]*%[^"]*"' src rig --include='*.c' | sed 's/%%//g' |
    grep -oE '%[^" ]*' | grep -vE '^%(s|\.[0-9]+s|c|d|u|zu|llu|(\.[1-9])?g)([^a-zA-Z]|$)'; then
    echo "web/wasm/print.c cannot print that"
    exit 1
fi
cmake --build "$build" --target native_answers graze_command
scripts/build_web.sh "$build"
rm -rf "$folder/answers" "$folder/rigs"
mkdir -p "$folder/answers" "$folder/rigs"
export GRAZE_WEB_ANSWERS=$folder/answers GRAZE_WEB_RIGS=$folder/rigs GRAZE_MODELS=$models
export GRAZE_COMMAND=$build/graze GRAZE_VIEW=$PWD/web/graze-view/index.js
export GRAZE_VIEW_WASM=$build/web/wasm/viewer.wasm GRAZE_WEB_PAGE=$PWD/docs/web.md
"$build/tests/native_answers"
cp tests/web/*.mjs tests/web/*.ts tests/web/package*.json "$folder"
cd "$folder"
if ! cmp -s package-lock.json node_modules/.graze-lock.json; then
    npm ci --no-audit --no-fund --ignore-scripts
    cp package-lock.json node_modules/.graze-lock.json
fi
# As a user gets it: packed, and unpacked where npm would put it.
rm -rf node_modules/graze project-*
mkdir node_modules/graze
GRAZE_PACKAGE=$folder/$(npm pack --silent "$build/web/graze")
export GRAZE_PACKAGE
tar -xzf "$GRAZE_PACKAGE" -C node_modules/graze --strip-components=1
node_modules/.bin/tsc --noEmit --strict --skipLibCheck --module nodenext --target es2022 types.ts

status=0
node --test --test-reporter=tap test_*.mjs >results.tap || status=$?
grep -E '^# |not ok' results.tap || true
[ $status = 0 ] || cat results.tap
awk '/^# pass / { p = $3 } /^# fail / { f = $3 } /^# skipped / { s = $3 }
    END { print p + 0 " passed, " f + 0 " failed, " s + 0 " skipped" }' results.tap
exit $status
