#!/usr/bin/env bash
# Every public header compiles on its own, as strict C17 and as C++, old and new, and says its standing.
. "$(dirname "$0")/harness.sh"

cd "$root" || exit
# compile HEADER COMPILER FLAGS...
compile() {
    local header=$1
    shift
    printf '#include <graze/%s>\nextern int here;\n' "$header" |
        "$@" -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only -
}
for header in include/graze/*.h include/graze/ext/*.h; do
    name=${header#include/graze/}
    expect_ok "$name says its standing" grep -qE '^ \* Standing: (stable|experimental|reference)[.,;]' "$header"
    expect_ok "$name as C" compile "$name" gcc -std=c17 -xc
    expect_ok "$name as C++11" compile "$name" g++ -std=c++11 -xc++
    expect_ok "$name as C++17" compile "$name" g++ -std=c++17 -xc++
done
