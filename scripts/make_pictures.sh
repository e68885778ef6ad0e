#!/usr/bin/env bash
# Makes the pictures in docs/pictures and bench/pictures: `make_pictures.sh [BUILD]`. The papers'
# figures are drawn by `graze bench`; the others are taken of the report and the viewer in headless Chromium, after `make
# web` and `make test-all` have made pages and packages in BUILD, else they stay as they are.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "${1:-build}")
figures=$(mktemp -d)
trap 'rm -rf "$figures"' EXIT
"$build/graze" bench lbs --only figures --plot "$figures" >/dev/null
"$build/graze" bench sbs --only figures --plot "$figures" >/dev/null
cp "$figures"/{lbs-4,lbs-5,sbs-5,sbs-7}.svg bench/pictures
[ -d "$build-browser" ] && [ -d "$build/web/viewer" ] || {
    echo "no $build-browser: the pictures of pages stay as they are"
    exit 0
}
cp tests/browser/*.mjs "$build-browser"
(cd "$build-browser" && node make_pictures.mjs "$build/graze" "$build/web/viewer" "$OLDPWD/docs/pictures")
ls -l docs/pictures bench/pictures
