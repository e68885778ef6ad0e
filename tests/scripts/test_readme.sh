#!/usr/bin/env bash
# Compiles every whole C program (a ```c block with a main) of README.md and docs/ against the build,
# as C17 and as C++17, and runs it: `test_readme.sh BUILD`. It finds a model man.glb where it runs.
. "$(dirname "$0")/harness.sh"

build=$(realpath "$1")
cd "$root" || exit
mapfile -t libraries < <(find "$build" -name 'libgraze*.a' -not -path '*/CMakeFiles/*')
read -ra foreign < <(pkg-config --libs libcjson 2>/dev/null || true)

# compile_and_run FILE COMPILER FLAGS...
compile_and_run() {
    local file=$1
    shift
    "$@" -Wall -Wextra -Wpedantic -Werror -Iinclude "$file" -o "$temporary/program" -xnone \
        -Wl,--start-group "${libraries[@]}" -Wl,--end-group "${foreign[@]}" -lm -lpthread &&
        (cd "$temporary" && ./program)
}

expect_ok "a model for them" "$build/graze" synth man -o "$temporary/man.glb"
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
        name="$page, program $(basename "$block" .c | tr -dc 0-9)"
        expect_ok "$name, as C" compile_and_run "$block" gcc -std=c17 -xc
        expect_ok "$name, as C++" compile_and_run "$block" g++ -std=c++17 -xc++
    done
done
[ $count -gt 0 ] || skip "README.md" "no program in it"
