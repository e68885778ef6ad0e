#!/usr/bin/env bash
# Compiles every whole C program (a ```c block with a main) of README.md and docs/ against the build,
# as C17 and as C++17, and runs it where there is a model man.glb: `test_readme.sh BUILD`. A ```text
# block behind a program, before the next one, is what it prints; so is one behind a command of docs/audit.md
# for a built-in model. Links between pages lead somewhere, and
# files that are named exist. The commands of README.md and docs/hello.md run as typed, and `make demo`
# prints what README.md says, but for times.
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

# A folder like a clone in which a page was followed from its start: `make demo` done, programs saved
# under the names it gives, and two models of one's own.
clone_for() {
    local page=$1 clone=$2
    mkdir -p "$clone/build"
    ln -s "$root"/{include,examples} "$clone"
    ln -s "$build"/* "$clone/build"
    rm -f "$clone/build/demo.html"
    ln -s "$temporary/man.glb" "$clone/character.glb"
    ln -s "$temporary/man.glb" "$clone/other.glb"
    awk -v clone="$clone" '
        match($0, /Save this as `[a-z]+\.c`/) { file = clone "/" substr($0, RSTART + 14, RLENGTH - 15) }
        /^```/ && writing { writing = 0; file = ""; next }
        /^```c$/ && file { writing = 1; next }
        writing { print > file }' "$page"
}

# Every line of the page's blocks for a shell; of make what installs, as all else is built already.
commands_work() {
    local page=$1 clone=$temporary/clone-$(basename "$1" .md)
    clone_for "$page" "$clone"
    {
        declare -p build
        echo 'make() { [ "$1" != install ] || cmake --install "$build" --prefix "${2#PREFIX=}" >/dev/null; }'
        echo 'set -ex'
        awk '/^```sh$/ { shell = 1; next } /^```/ { shell = 0 } shell' "$page" | sed 's/ && /\n/' # for -e
    } >"$clone/typed"
    [ "$(grep -c 'build/graze\|gcc' "$clone/typed")" -gt 3 ] &&
        (cd "$clone" && HOME=$clone/home bash typed) >"$temporary/typed.log" 2>&1 ||
        { tail -n 20 "$clone/typed" "$temporary/typed.log" && return 1; }
}

without_times() { sed -E 's/[0-9.]+ us/T us/g; s/\([0-9.]+ times\)/(R times)/'; }

# Whether every command of a page for a built-in model prints the text block behind it.
tables_are_as_shown() {
    awk -v folder="$temporary" '
        /^```sh$/ { shell = 1; next }
        /^```text$/ && command { file = folder "/table" ++number; print command >(file ".sh"); next }
        /^```/ { shell = 0; file = "" }
        shell { command = /^graze [a-z]+ builtin:/ ? $0 : "" }
        file { print >(file ".txt") }
        !shell && /^[^`]/ && !file { command = "" }' "$1"
    local table
    for table in "$temporary"/table*.sh; do
        (cd "$temporary" && PATH=$build:$PATH bash "$table") | diff "${table%.sh}.txt" - || return
    done
}

# The block of README.md that begins with the page, and the command of `make demo`.
demo_is_as_shown() {
    awk '/^```/ { on = 0 } on || /^build\/demo.html / { on = 1; print }' README.md | without_times >"$temporary/shown"
    (cd "$temporary/clone-README" && build/graze demo --report build/demo.html) | without_times |
        diff "$temporary/shown" - && [ "$(wc -l <"$temporary/shown")" -gt 10 ] &&
        grep -q 'graze demo --report $(BUILD)/demo.html' Makefile
}

expect_ok "a model for them" "$build/graze" synth man -o "$temporary/man.glb"
expect_ok "README.md, commands" commands_work README.md
expect_ok "docs/hello.md, commands" commands_work docs/hello.md
expect_ok "README.md, what make demo prints" demo_is_as_shown
expect_ok "docs/audit.md, tables" tables_are_as_shown docs/audit.md
for page in CONTRIBUTING.md CHANGELOG.md bench/*.md examples/README.md; do
    expect_ok "$page, links" links_lead_somewhere "$page"
done
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
        expect_ok "$name, as C++" compile_and_run "$block" \
            g++ -std=c++17 -Wno-missing-field-initializers -xc++
    done
done
[ $count -gt 0 ] || report no "programs in README.md and docs/" "there are none"
