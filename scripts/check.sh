#!/usr/bin/env bash
# Runs the checks that need no test program: `check.sh BUILD`, after BUILD was built.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

passed=0 failed=0
check() {
    local name=$1
    shift
    if output=$("$@" 2>&1); then
        echo "ok   $name"
        passed=$((passed + 1))
    else
        echo "FAIL $name"
        echo "$output"
        failed=$((failed + 1))
    fi
}
check format scripts/format.sh --check
check includes scripts/check_includes.sh
for library in "$1"/libgraze.a "$1"/ext/*.a; do
    check "symbols of $(basename "$library")" scripts/check_symbols.sh "$library"
done
check leftovers scripts/check_leftovers.sh
check "names in the docs" scripts/api_names.sh --check
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
