#!/usr/bin/env bash
# Builds the viewer: `build_viewer.sh BUILD` leaves it in BUILD/web/viewer, after build_web.sh has made
# the modules. Its packages come from npm by name, into BUILD/web/viewer_build.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "$1")
work=$build/web/viewer_build
out=$build/web/viewer
sources=(web/viewer web/page web/graze web/graze-view scripts/build_viewer.sh "$build/web/wasm/viewer.wasm")

if [ -e "$out/index.html" ] && [ -z "$(find "${sources[@]}" -newer "$out/index.html" -print -quit)" ]; then
    exit 0
fi
[ -x "$build/graze" ] || scripts/build.sh "$build" graze_command
mkdir -p "$work/models"
for part in viewer page graze graze-view; do
    rm -rf "${work:?}/$part"
    cp -r web/$part "$work/$part"
done
cp web/viewer/package*.json "$work"
(
    cd "$work"
    if ! cmp -s package-lock.json node_modules/.graze-lock.json; then
        npm ci --no-audit --no-fund --ignore-scripts >npm.log 2>&1 || { cat npm.log >&2 && exit 1; }
        cp package-lock.json node_modules/.graze-lock.json
    fi
    node_modules/.bin/tsc -p viewer
)
rm -f "$work"/models/*.glb
synth() {
    "$build/graze" synth "$1" "${@:2}" -o "$work/models/$1.glb" >/dev/null
}
synth man
synth player
synth creature
synth dwarf
synth robot --triangles 12000
synth curtain --triangles 4000
rm -rf "$out"
node "$work/viewer/build.mjs" "$out" "$build/web/wasm/viewer.wasm" "$work/models"
first=$(cat "$out"/{index.html,viewer.css,viewer.js,models/man.js} | gzip -9c | wc -c)
echo "$out: $first bytes of its first load, compressed"
