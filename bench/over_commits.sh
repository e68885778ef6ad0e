#!/usr/bin/env bash
# Figures of the papers' tree side by side for several commits, so that a change that makes it slower
# is seen: `over_commits.sh [-r RUNS] [-n ROUNDS] [-k FOLDER] COMMIT...`. Builds `graze` of each and
# lets them take turns, RUNS times (default 3), with `bench lbs --rounds ROUNDS` (default 5); the least
# of each figure counts, and the last column is the last commit by the first. FOLDER keeps sources and
# builds for the next time. Compilers as in scripts/build.sh, CC and CXX or gcc.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

runs=3 rounds=5 folder=
while getopts r:n:k: option; do
    case $option in
    r) runs=$OPTARG ;;
    n) rounds=$OPTARG ;;
    k) folder=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || {
    echo "usage: over_commits.sh [-r RUNS] [-n ROUNDS] [-k FOLDER] COMMIT..." >&2
    exit 2
}

if [ -z "$folder" ]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

commits=()
for name in "$@"; do
    commits+=("$(git -C "$root" rev-parse --short=9 "$name^{commit}")")
done

# Sources come from an archive: nothing is left behind in the repository. The commit's own script
# builds, and its bench may not know --only, or not all of these tables.
for commit in "${commits[@]}"; do
    source=$folder/$commit
    [ -x "$source/build/graze" ] && continue
    echo "building $commit" >&2
    mkdir -p "$source"
    git -C "$root" archive "$commit" | tar -x -C "$source"
    (
        cd "$source"
        export CC=${CC:-gcc} CXX=${CXX:-g++}
        export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 # all folders share a cache, where there is one
        cmake -S . -B build -DGRAZE_BUILD_TESTS=OFF
        cmake --build build --target graze_command --parallel "$(nproc)"
        [ ! -e bench/main.c ] || cmake --build build --target graze_bench --parallel "$(nproc)"
    ) >"$source/build.log" 2>&1 || {
        tail -n 20 "$source/build.log" >&2
        exit 1
    }
done

# The tables that are compared, alone where they can be asked for.
measure() {
    local graze=$1 table
    if "$graze" bench lbs --only models --json >/dev/null 2>&1; then
        for table in bounds men creatures "creatures, first hit" dwarves; do
            "$graze" bench lbs --rounds "$rounds" --json --only "$table"
        done
    else
        "$graze" bench lbs --rounds "$rounds" --json
    fi
}

for ((run = 1; run <= runs; run++)); do
    for commit in "${commits[@]}"; do
        echo "run $run of $runs: $commit" >&2
        measure "$folder/$commit/build/graze" >"$folder/$commit/run.$run"
    done
done

for commit in "${commits[@]}"; do
    for ((run = 1; run <= runs; run++)); do
        sed "s/^/$commit /" "$folder/$commit/run.$run"
    done
done | awk -v commits="${commits[*]}" '
function text(name) { return match($0, "\"" name "\":\"[^\"]*\"") ? substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 5) : "" }
function number(name) { return match($0, "\"" name "\":[-+.0-9e]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) + 0 : 0 }
function keep(row, value) {
    if (value <= 0)
        return
    if (!(row in known)) {
        known[row] = 1
        rows[++count] = row
    }
    if (!((row, $1) in least) || value < least[row, $1])
        least[row, $1] = value
}
/"table":"lbs_bound_cost"/ {
    keep("ns a bound: " text("model") ", " text("tree"), number("ns"))
    if (text("tree") ~ /corners/)
        keep("us bottom-up, skinned: " text("model"), number("refit_all_us"))
}
/"table":"lbs"/ && text("method") != "" {
    first = /"first":true/ ? ", first hit" : ""
    keep("us " text("scene") first ": " text("method"), number("us"))
}
/"table":"lbs_dwarves"/ {
    row = "us dwarves " (/"interfering":true/ ? "interfering " : "free ") number("subdivisions") ": "
    keep(row "corners", number("corners_us"))
    keep(row "our way", number("lazy_us"))
    keep(row "default tree", number("default_us"))
}
END {
    n = split(commits, names, " ")
    printf "%-72s", ""
    for (i = 1; i <= n; i++)
        printf " %10s", names[i]
    printf " %8s\n", "last/first"
    for (r = 1; r <= count; r++) {
        printf "%-72s", rows[r]
        for (i = 1; i <= n; i++)
            if ((rows[r], names[i]) in least)
                printf " %10.2f", least[rows[r], names[i]]
            else
                printf " %10s", "-"
        if ((rows[r], names[1]) in least && (rows[r], names[n]) in least)
            printf " %8.2f", least[rows[r], names[n]] / least[rows[r], names[1]]
        printf "\n"
    }
}'
