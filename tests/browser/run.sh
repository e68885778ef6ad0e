#!/usr/bin/env bash
# The pages in a real browser: `run.sh BUILD`, after BUILD was built. Their packages, the pages and
# pictures of them go to BUILD-browser. The last line is "N passed, N failed, N skipped"; without
# Chromium, node or a registry to install from all of it is skipped, unless CI is set.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "$1")
models=$(realpath -m "${GRAZE_MODELS:-../shared/models}")
folder=$build-browser

give_up() {
    echo "$1"
    [ -n "${CI:-}" ] && echo "0 passed, 1 failed, 0 skipped" && exit 1
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}
for program in chromium node npm; do
    command -v $program >/dev/null || give_up "there is no $program"
done

scripts/build_web.sh "$build" || give_up "the viewer could not be built"
mkdir -p "$folder/pages"
cp tests/browser/*.mjs tests/browser/package*.json "$folder"
cd "$folder"
if ! cmp -s package-lock.json node_modules/.graze-lock.json; then
    npm ci --no-audit --no-fund --ignore-scripts || give_up "npm could not install"
    cp package-lock.json node_modules/.graze-lock.json
fi
status=0
run() {
    timeout 400 node "$1.mjs" "$build/graze" "$models" "${@:2}" >"$1.log" || status=1
    cat "$1.log"
}
run test_report "$folder/pages"
run test_viewer "$folder/viewer" "$build/web/viewer"
run test_viewer_page "$folder/viewer" "$build/web/viewer"
tail -qn 1 test_*.log | awk '{ p += $1; f += $3; s += $5 }
    END { print p + 0 " passed, " f + 0 " failed, " s + 0 " skipped" }'
exit $status
