#!/usr/bin/env bash
# Fails if the names of the library are not in order:
#
#   - a global symbol of the library starts with neither graze_ nor grazei_;
#   - a function in a public header does not start with graze_, or a macro with GRAZE_;
#   - a graze_ symbol of the library is not declared in a public header;
#   - a shared library exports another name than graze_, or lacks one that a header of the core or of
#     an extension has: the extensions are inside it.
#
# `check_symbols.sh LIBRARY [ROOT]`
set -euo pipefail
library=$(realpath "$1")
cd "${2:-$(dirname "$0")/..}"

# gcc's -aux-info lists the prototypes with their places:  /* file:line:NC */ extern int name (...);
shopt -s nullglob
headers=(include/graze/*.h include/graze/ext/*.h)
declared=$(for header in "${headers[@]}"; do
    gcc -std=c17 -Iinclude -fsyntax-only -aux-info /dev/stdout "$header"
done | sed -nE 's|^/\* [^ ]*include/graze/([^ :]+:[0-9]+):[^ ]* \*/ (.*)$|\1 \2|p' |
    sed -E 's/ \(.*//; s/^([^ ]+) .*[ *]([A-Za-z_0-9]+)$/\2 \1/' | sort -u)
shared=
dynamic=()
[[ $library != *.so* ]] || shared=yes dynamic=(--dynamic)
defined=$(nm "${dynamic[@]}" --defined-only --extern-only --format=posix "$library" 2>/dev/null |
    awk 'NF >= 3 && $2 ~ /^[A-Z]$/ { print $1 }' | sort -u) || true
[ -n "$declared" ] && [ -n "$defined" ] || {
    echo "$library: nothing found to check"
    exit 1
}

problems=$(
    awk '$1 !~ /^grazei?_/ { print "global symbol without prefix: " $1 }' <<<"$defined"
    awk '$1 !~ /^graze_/ { print "include/graze/" $2 ": public function without prefix: " $1 }' <<<"$declared"
    sed -nE 's/^[[:space:]]*#[[:space:]]*define[[:space:]]+([A-Za-z_0-9]+).*/\1/p' "${headers[@]}" |
        awk '!/^GRAZE_/ { print "public macro without prefix: " $0 }'
    comm -23 <(grep '^graze_' <<<"$defined" || true) <(cut -d ' ' -f 1 <<<"$declared" | sort -u) |
        sed 's/$/: defined as public, but no public header declares it/'
    [ -z "$shared" ] || {
        grep -v '^graze_' <<<"$defined" | sed 's/$/: exported by the shared library/'
        comm -13 <(echo "$defined") <(awk '$2 !~ /^(animation|batch_cuda|chain_cuda|gltf|numerics|ode|ragdoll|rig|sim)\.h:/ { print $1 }' <<<"$declared" | sort -u) |
            sed 's/$/: not exported by the shared library/'
    }
)
[ -z "$problems" ] || {
    echo "$problems"
    exit 1
}
