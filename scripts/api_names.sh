#!/usr/bin/env bash
# The old name of every public function beside its name of today: `api_names.sh` writes
# docs/api-names.md from docs/api-names.csv. `api_names.sh --check [ROOT]` fails if
#
#   - a row of the table has not five fields, or its old name comes twice;
#   - an answer is no function of the header that it names, or its text names what no header has;
#   - the page is not what would be written;
#   - another page names a function or type that no header has.
set -euo pipefail
check=
[ "${1:-}" != --check ] || check=yes
[ -z "$check" ] || shift
cd "${1:-$(dirname "$0")/..}"

table=docs/api-names.csv
page=docs/api-names.md

write_page() {
    awk -F, '
    NR == 1 {
        print "# Names of functions, before and now\n"
        print "Every public function of before there was one function a question, and what it is today. Written by"
        print "`scripts/api_names.sh` from [api-names.csv](api-names.csv): change that. Words like `options.any` and"
        print "`list.report` are explained in [queries.md](queries.md). What ported code does not notice is in the"
        print "[changelog](../CHANGELOG.md).\n"
        print "Function pointers, structs and enums go with their functions; groups are called parts everywhere."
        next
    }
    $2 != header { end_header(); header = $2; same = "" ; rows = "" }
    $1 == $3 && $5 == "" && $2 == $4 { same = same (same == "" ? "" : ", ") "`" $1 "`"; next }
    {
        now = $3 == "" ? "none" : $1 == $3 ? "the same" : "`" $3 "`"
        where = $4 == $2 ? "" : $4
        rows = rows "| `" $1 "` | " now " | " (where == "" ? "" : "`" where "`") " | " $5 " |\n"
    }
    END { end_header() }
    function end_header() {
        if (header == "")
            return
        print "\n## " header "\n"
        if (rows != "")
            printf "| before | now | header | how |\n|---|---|---|---|\n%s", rows
        if (same != "")
            print (rows == "" ? "" : "\n") "As they were: " same "."
    }' "$table"
}

if [ -z "$check" ]; then
    write_page >"$page.part"
    mv "$page.part" "$page"
    exit 0
fi

# gcc's -aux-info lists the prototypes with their places:  /* file:line:NC */ extern int name (...);
shopt -s nullglob
headers=(include/graze/*.h include/graze/ext/*.h)
declared=$(for header in "${headers[@]}"; do
    gcc -std=c17 -Iinclude -fsyntax-only -aux-info /dev/stdout "$header"
done | sed -nE 's|^/\* [^ ]*include/graze/([^ :]+):[0-9]+:[^ ]* \*/ (.*)$|\1 \2|p' |
    sed -E 's/ \(.*//; s/^([^ ]+) .*[ *]([A-Za-z_0-9]+)$/\2 \1/' | sort -u)
names=$(grep -ohE '\b(graze|GRAZE)_[A-Za-z0-9_]+' "${headers[@]}" | sort -u)
pages=(README.md CONTRIBUTING.md examples/README.md web/graze/README.md)
for file in docs/*.md; do
    [ "$file" = "$page" ] || pages+=("$file")
done

problems=$(
    awk -F, -v table="$table" '
        FILENAME == "-" { is_declared[$0]; next }
        FNR == 1 { next }
        NF != 5 { print table ":" FNR ": not five fields" }
        $1 in seen { print table ":" FNR ": " $1 " comes twice" }
        { seen[$1] }
        $3 != "" && !(($3 " " $4) in is_declared) { print table ":" FNR ": " $4 " does not declare " $3 }
        $3 == "" && $5 == "" { print table ":" FNR ": " $1 " has no answer" }' - "$table" <<<"$declared"
    tail -n +2 "$table" | cut -d , -f 5 | grep -oE '\b(graze|GRAZE)_[A-Za-z0-9_]+' | sort -u |
        comm -23 - <(echo "$names") | sed "s|.*|$table: no header has &|" || true
    write_page | cmp -s - "$page" || echo "$page: not what scripts/api_names.sh writes"
    for file in "${pages[@]}"; do
        [ -e "$file" ] || continue
        grep -oE '\bgraze_[a-z0-9_]+' "$file" | sort -u | comm -23 - <(echo "$names") |
            sed "s|.*|$file: no header has &|" || true
    done
)
[ -z "$problems" ] || {
    echo "$problems"
    exit 1
}
