#!/usr/bin/env bash
# Compiles and runs every whole C program (a ```c block with a main) of README.md and docs/ against
# the build: `test_readme.sh BUILD`.
. "$(dirname "$0")/harness.sh"

build=$(realpath "$1")
cd "$root" || exit
mapfile -t libraries < <(find "$build" -name 'libgraze*.a' -not -path '*/CMakeFiles/*')
read -ra foreign < <(pkg-config --libs libcjson 2>/dev/null || true)

compile_and_run() {
    gcc -std=c17 -Wall -Wextra -Werror -Iinclude "$1" -o "$temporary/program" \
        -Wl,--start-group "${libraries[@]}" -Wl,--end-group "${foreign[@]}" -lm -lpthread &&
        (cd "$temporary" && ./program)
}

count=0
for page in README.md docs/*.md; do
    [ -f "$page" ] || continue
    rm -f "$temporary"/block*.c
    awk -v prefix="$temporary/block" '
        /^```/ && inside { inside = 0; next }
        /^```c$/ { inside = 1; number++; next }
        inside { print > (prefix number ".c") }' "$page"
    for block in "$temporary"/block*.c; do
        grep -qs 'int main' "$block" || continue
        count=$((count + 1))
        expect_ok "$page, program $(basename "$block" .c | tr -dc 0-9)" compile_and_run "$block"
    done
done
[ $count -gt 0 ] || skip "README.md" "no program in it"
