#!/usr/bin/env bash
# Makes the pictures in docs/pictures from the report and the viewer in headless Chromium:
# `make_pictures.sh [BUILD]`, after `make web` and `make test-all` have made pages and packages there.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "${1:-build}")
cp tests/browser/*.mjs "$build-browser"
(cd "$build-browser" && node make_pictures.mjs "$build/graze" "$build/web/viewer" "$OLDPWD/docs/pictures")
ls -l docs/pictures
