# shellcheck shell=bash disable=SC2034
# Sourced by the tests in shell. `expect_ok NAME COMMAND...` wants exit 0; `expect_exit N PATTERN
# NAME COMMAND...` wants exit N and output that matches PATTERN. The last line is
# "N passed, N failed, N skipped", as in harness.h; `skip NAME REASON` fails if CI is set.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
temporary=$(mktemp -d) || exit
passed=0 failed=0 skipped=0

finish() {
    local status=$?
    rm -rf "${temporary:?}"
    [ $status = 0 ] || failed=$((failed + 1)) # left half-way
    echo "$passed passed, $failed failed, $skipped skipped"
    [ $failed = 0 ] || exit 1
}
trap finish EXIT

report() {
    local ok=$1 name=$2 details=$3
    if [ "$ok" = yes ]; then
        echo "ok   $name"
        passed=$((passed + 1))
    else
        echo "FAIL $name"
        sed 's/^/     /' <<<"$details"
        failed=$((failed + 1))
    fi
}

expect_ok() {
    local name=$1 output
    shift
    if output=$("$@" 2>&1); then
        report yes "$name" ""
    else
        report no "$name" "exit $?: $*"$'\n'"$output"
    fi
}

expect_exit() {
    local wanted=$1 pattern=$2 name=$3 output status=0
    shift 3
    output=$("$@" 2>&1) || status=$?
    if [ "$status" = "$wanted" ] && grep -qE -- "$pattern" <<<"$output"; then
        report yes "$name" ""
    else
        report no "$name" "exit $status, wanted $wanted and '$pattern': $*"$'\n'"$output"
    fi
}

skip() {
    if [ -n "${CI:-}" ]; then
        report no "$1" "skipped, which CI does not allow: $2"
    else
        echo "skip $1 ($2)"
        skipped=$((skipped + 1))
    fi
}
