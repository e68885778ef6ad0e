#!/usr/bin/env bash
# Fails on what should not be committed: paths of one machine, notes to oneself, switched-off code,
# names that the command prints to people by printf and not by say (cli/text.h), files in src/ and
# ext/ that have outgrown 700 lines. `check_leftovers.sh [ROOT]`
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/..}"

mapfile -t files < <("$here/list_files.sh" .)
mapfile -t sources < <("$here/list_files.sh" . '^(src|ext)/')
mapfile -t words < <("$here/list_files.sh" . '^cli/.*\.c$' | grep -v -e /completion -e /help -e /manual)

# Statements with a %s for a name, but for strings in JSON.
raw_names='
/(^|[^a-z_])f?printf\(/ { statement = ""; inside = 1 }
inside {
    statement = statement $0
    if (/;$/) {
        inside = 0
        gsub(/\\"%[^s"]*s\\"|\\":%s|"%s[[{]/, "", statement)
        if (statement ~ /%[-*.0-9]*s/ && statement ~ /name|path|->out|\.out|title|\.text|argv/)
            print FILENAME ":" FNR ": a name that say() does not escape"
    }
}'

# The brackets keep these patterns from finding themselves.
problems=$(
    grep -nIE '(^|[^A-Za-z0-9_.])/(wor[k]|roo[t]|hom[e])/' "${files[@]}" /dev/null |
        sed 's/$/  <- a path of one machine/' || true
    grep -nIwE 'TOD[O]|FIXM[E]|XX[X]' "${files[@]}" /dev/null | sed 's/$/  <- a leftover note/' || true
    grep -nIE '^[[:space:]]*#[[:space:]]*if[[:space:]]+[0]([[:space:]]|$)' "${files[@]}" /dev/null |
        sed 's/$/  <- switched-off code/' || true
    [ ${#words[@]} = 0 ] || awk "$raw_names" "${words[@]}"
    [ ${#sources[@]} = 0 ] || wc -l "${sources[@]}" |
        awk '$2 != "total" && $1 > 700 { print $2 ": " $1 " lines, 700 is the limit" }'
)
[ -z "$problems" ] || {
    echo "$problems"
    exit 1
}
