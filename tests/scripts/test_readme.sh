#!/usr/bin/env bash
# Compiles every whole C program (a ```c block with a main) of README.md and docs/ against the build,
# as C17 and as C++17, and runs it where there is a model man.glb: `test_readme.sh BUILD`. A ```text
# block behind a program, before the next one, is what it prints. Links between pages lead somewhere, and
# files that are named exist.
. "$(dirname "$0")/harness.sh"

build=$(realpath "$1")
cd "$root" || exit
mapfile -t libraries < <(find "$build" -name 'libgraze*.a' -not -path '*/CMakeFiles/*' -not -path '*/web/*')
# what the reader of files was built with
read -ra foreign < <(PKG_CONFIG_PATH=$build pkg-config --libs-only-l graze-gltf 2>/dev/null | sed -E 's/-lgraze\w*//g')

# compile_and_run FILE COMPILER FLAGS...
compile_and_run() {
    local file=$1
    shift
    "$@" -Wall -Wextra -Wpedantic -Werror -Iinclude "$file" -o "$temporary/program" -xnone \
        -Wl,--start-group "${libraries[@]}" -Wl,--end-group "${foreign[@]}" -lm -lpthread &&
        (cd "$temporary" && ./program >printed) || return
    cat "$temporary/printed"
    [ ! -f "${file%.c}.txt" ] || diff "${file%.c}.txt" "$temporary/printed"
}

# The files that a page links to, each relative to the page's own folder.
links_lead_somewhere() {
    local page=$1 link status=0
    while read -r link; do
        [ -e "$(dirname "$page")/$link" ] || { echo "$page: no $link" && status=1; }
    done < <(grep -oE '\]\([^)#]+' "$page" | cut -c 3- | grep -v '^https\?:')
    return $status
}

# The files and folders that a page names: from the root, or from src/ as a room and a file.
named_files_exist() {
    local page=$1 name status=0
    while read -r name; do
        [ -e "$name" ] || [ -e "src/$name" ] || { echo "$page: no file $name" && status=1; }
    done < <(
        grep -oE '`(src|include|bench|tests|scripts|rig|scenes|cli|adapters)/[A-Za-z0-9_./]+`' "$page" |
            tr -d '`'
        grep -oE '\b(base|math|exact|narrow|mesh|tree|deform|records|folds|model|body|query)/[a-z_0-9]+\.[ch]\b' \
            "$page"
    )
    return $status
}

expect_ok "a model for them" "$build/graze" synth man -o "$temporary/man.glb"
count=0
for page in README.md docs/*.md; do
    expect_ok "$page, links" links_lead_somewhere "$page"
    expect_ok "$page, files" named_files_exist "$page"
    rm -f "$temporary"/block*
    awk -v prefix="$temporary/block" '
        /^```/ && file { file = ""; next }
        /^```c$/ { number++; file = prefix number ".c"; next }
        /^```text$/ && number { file = prefix number ".txt"; next }
        file { print > file }' "$page"
    for block in "$temporary"/block*.c; do
        grep -qs 'int main' "$block" || continue
        count=$((count + 1))
        name="$page, program $(basename "$block" .c | tr -dc 0-9)"
        expect_ok "$name, as C" compile_and_run "$block" gcc -std=c17 -xc
        expect_ok "$name, as C++" compile_and_run "$block" g++ -std=c++17 -xc++
    done
done
[ $count -gt 0 ] || report no "programs in README.md and docs/" "there are none"
