#!/usr/bin/env bash
# For a build server: fails if the first clip of a character pokes through itself in a way that its
# rest pose does not, and says in which frames. `check_clips.sh CHARACTER.glb...`; GRAZE is the command
# (graze).
set -uo pipefail
status=0
for character in "$@"; do
    frames=$("${GRAZE:-graze}" self "$character" --times all --new --count --fail-on-hit)
    case $? in
    0) echo "ok   $character" ;;
    1)
        echo "FAIL $character"
        grep -v ' 0 pairs' <<<"$frames"
        status=1
        ;;
    *) exit 2 ;; # a file that cannot be read has said so itself
    esac
done
exit $status
