#!/usr/bin/env bash
# Rays in Node against three.js and three-mesh-bvh: `run.sh [BUILD [MODEL.glb [ROUNDS]]]`, after
# tests/web/run.sh has put the packages into BUILD-web. Without a model, a creature of 50,000.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "${1:-build}")
model=${2:-$build-web/creature.glb}
[ -n "${2:-}" ] || "$build/graze" synth creature --triangles 50000 -o "$model"
cp bench/web/rays.mjs tests/web/glb.mjs "$build-web"
cd "$build-web"
node rays.mjs "$(realpath "$model")" "${3:-11}"
