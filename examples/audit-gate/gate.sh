#!/usr/bin/env bash
# For a build server: `gate.sh MODELS` is green (exit code 0) as long as no animation in the folder goes
# through itself but where MODELS/graze-audit.json accepts it; red (1) with a line for each finding that
# is new or worse; 2 if a model could not be read. `gate.sh MODELS --accept REASON` accepts what there is:
# commit the file it writes. Other options are those of graze audit: `gate.sh MODELS --min-depth 0.005`.
#
# Run it from the same place each time: findings are matched by the path of their file. GRAZE is the
# command (graze); test results for the server go to JUNIT (graze-audit.xml).
set -uo pipefail
models=${1:?gate.sh MODELS [options of graze audit]}
shift
state=$models/graze-audit.json results=${JUNIT:-graze-audit.xml}
[ -e "$state" ] || echo '{"findings":[]}' >"$state" || exit 2
"${GRAZE:-graze}" audit "$models" --state "$state" --fail-on-hit --junit "$results" "$@" >/dev/null
status=$?
[ $status = 1 ] && awk '
    /<testcase/ { split($0, words, "\""); clip = words[2] ", clip " words[4] }
    /<\/failure>/ { failed = 0 }
    failed { print clip ": " $0 }
    /<failure/ { failed = 1 }' "$results"
exit $status
