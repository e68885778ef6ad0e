#!/usr/bin/env bash
# Measures every table of docs/results.md anew: `print_tables.sh [BUILD] [TABLE...]`, BUILD (default
# build) a folder made by `make all`, TABLE as of `graze bench`, default all. Printouts go to
# BUILD/printouts, drawings to docs/plots. GRAZE_MODELS names the folder of model files. About an hour
# on an idle machine; under load ratios suffer most.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
shift || true
tables=("$@")
[ ${#tables[@]} -gt 0 ] || tables=(lbs sbs bdtree peers scale queries positions world chain cliffs)

mkdir -p "$build/printouts"
for table in "${tables[@]}"; do
    options=(--rounds 10)
    out=$build/printouts/$table.txt
    case $table in
    # Of the peers one model is drawn in the docs: a whole run has its own folder.
    peers) options+=(--plot "$build/printouts") ;;
    scale | chain) options+=(--plot docs/plots) ;;
    esac
    echo "$table -> $out"
    "$build/graze" bench "$table" "${options[@]}" >"$out.part"
    mv "$out.part" "$out"
    [ ! -e "$build/printouts/peers-creature-50000.svg" ] ||
        cp "$build/printouts/peers-creature-50000.svg" docs/plots/
done
