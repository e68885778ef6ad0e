#!/usr/bin/env bash
# The package measured: `run.sh [BUILD [MODEL.glb [ROUNDS]]]`, after tests/web/run.sh has put the
# packages into BUILD-web. Rays against three.js and three-mesh-bvh, in Node and in Chromium, then all
# queries against the native library. Without a model, a creature of 50,000.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "${1:-build}")
model=${2:-$build-web/creature.glb}
models=$(realpath -m ../shared/models)
[ -n "${2:-}" ] || "$build/graze" synth creature --triangles 50000 -o "$model"
model=$(realpath "$model")
rounds=${3:-11}
cmake --build "$build" --target native_queries >/dev/null
cp bench/web/*.mjs tests/web/{chromium,compare,glb}.mjs "$build-web"
cd "$build-web"
mkdir -p queries
node rays_node.mjs "$model" "$rounds"
if command -v chromium >/dev/null; then
    node rays_chromium.mjs "$model" "$rounds"
else
    echo "there is no Chromium"
fi
others=()
for name in linear:CesiumMan linear:RobotExpressive spherical:CesiumMan dual:CesiumMan; do
    [ ! -e "$models/${name#*:}.glb" ] || others+=("${name%:*}:$models/${name#*:}.glb")
done
node queries.mjs "$build/tests/native_queries" queries "$rounds" "$model" "${others[@]}"
