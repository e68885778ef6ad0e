#!/usr/bin/env bash
# Builds FOLDER with gcc's counters, runs the short tests there, and prints which share of the lines of
# src/ and ext/ ran, by folder: `coverage.sh FOLDER`. A line of a kernel counts once, however many
# instruction sets it is compiled for. Fails below the shares in `least`.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
build=$1
least="src 95 ext 93"

unset CC CXX
scripts/build.sh "$build" -DGRAZE_BUILD_TESTS=ON -DCMAKE_BUILD_TYPE=None \
    "-DCMAKE_C_FLAGS=-O1 --coverage -DNDEBUG" "-DCMAKE_CXX_FLAGS=-O1 --coverage" || exit
find "$build" -name '*.gcda' -delete
# How much stack and how long says nothing there; and a command whose files may not grow says that of
# its counters too, where one line is expected (test_cli_audit_shards).
(cd "$build" && ctest --parallel "$(nproc)" --timeout 1200 --label-exclude slow -E '^test_(stack|gltf_linear|cli_audit_shards)$') \
    >"$build/coverage.log" 2>&1 || { grep -E '\(Failed\)|\(Timeout\)' "$build/coverage.log" && exit 1; }
(cd "$build" && find . -path '*/graze*.dir/*' -name '*.gcda' -print0 | xargs -0 gcov -t 2>/dev/null) |
    awk -v top="$PWD/" -v folder="${PWD##*/}/" -v least="$least" '
        # lines are "  count:  number:text"; - is no code, # never ran
        $0 ~ /^ *[^:]+: *[0-9]+:/ {
            split($0, f, ":")
            gsub(/ /, "", f[1])
            line = f[2] + 0
            if (line == 0 && f[3] == "Source") {
                file = f[4]
                if (!sub("^" top, "", file) && sub(/^(\.\.\/)+/, "", file)) # as ccache shortens paths
                    sub("^" folder, "", file)
                wanted = file ~ /^(src|ext)\//
                next
            }
            if (!wanted || line == 0 || f[1] == "-")
                next
            key = file SUBSEP line
            if (!(key in ran)) {
                ran[key] = 0
                split(file, p, "/")
                total[p[1]]++
                total[p[1] "/" p[2]]++
            }
            if (f[1] !~ /^[#=]/ && !ran[key]) {
                ran[key] = 1
                split(file, p, "/")
                hit[p[1]]++
                hit[p[1] "/" p[2]]++
            }
        }
        END {
            for (name in total)
                printf "%-16s %6d lines  %5.1f %% ran\n", name, total[name], 100 * hit[name] / total[name] | "sort"
            close("sort")
            n = split(least, want, " ")
            for (i = 1; i < n; i += 2)
                if (!total[want[i]] || 100 * hit[want[i]] < want[i + 1] * total[want[i]]) {
                    print want[i] ": less than " want[i + 1] " %"
                    bad++
                }
            printf "%d passed, %d failed, 0 skipped\n", n / 2 - bad, bad
            exit bad > 0
        }'
