#!/usr/bin/env bash
# For a build server: fails if a clip of a character pokes through itself in a way its rest pose does
# not, and says where. `check_clips.sh CHARACTER.glb...`; GRAZE is the command (graze).
set -euo pipefail
status=0
for character in "$@"; do
    if "${GRAZE:-graze}" self "$character" --times all --new --fail-on-hit >clips.txt; then
        echo "ok   $character"
    else
        [ $? = 1 ] || exit 2 # a file that cannot be read has said so itself
        echo "FAIL $character"
        cat clips.txt
        status=1
    fi
done
rm -f clips.txt
exit $status
