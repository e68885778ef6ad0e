#!/usr/bin/env bash
# Fails on what should not be committed: paths of one machine, notes to oneself, switched-off code,
# files in src/ that have outgrown 700 lines. `check_leftovers.sh [ROOT]`
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/..}"

mapfile -t files < <("$here/list_files.sh" .)
mapfile -t sources < <("$here/list_files.sh" . '^src/')

# The brackets keep these patterns from finding themselves.
problems=$(
    grep -nIE '(^|[^A-Za-z0-9_.])/(wor[k]|roo[t]|hom[e])/' "${files[@]}" /dev/null |
        sed 's/$/  <- a path of one machine/' || true
    grep -nIwE 'TOD[O]|FIXM[E]|XX[X]' "${files[@]}" /dev/null | sed 's/$/  <- a leftover note/' || true
    grep -nIE '^[[:space:]]*#[[:space:]]*if[[:space:]]+[0]([[:space:]]|$)' "${files[@]}" /dev/null |
        sed 's/$/  <- switched-off code/' || true
    [ ${#sources[@]} = 0 ] || wc -l "${sources[@]}" |
        awk '$2 != "total" && $1 > 700 { print $2 ": " $1 " lines, 700 is the limit" }'
)
[ -z "$problems" ] || {
    echo "$problems"
    exit 1
}
