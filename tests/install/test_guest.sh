#!/usr/bin/env bash
# Graze as a subfolder of another project, which it serves without a word on how that is built:
# `test_guest.sh BUILD`.
. "$(dirname "$0")/../scripts/harness.sh"

build=$(realpath "$1")
here=$root/tests/install
cd "$temporary" || exit
unset CFLAGS LDFLAGS
generator=()
command -v ninja >/dev/null && generator=(-G Ninja)

# guest FOLDER OPTION...: configures
guest() {
    local folder=$1
    shift
    cmake "${generator[@]}" -S "$here/subproject" -B "$folder" -DGRAZE_SOURCE_DIR="$root" \
        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@"
}

# What decides the code that is made of two of the core's files, one of them once for each instruction
# set: the last level of optimisation, NDEBUG, and what begins with -f or -m.
core_flags() {
    grep -hE '"command": .*/src/(pairs/pair|narrow/candidate_kernels)\.c",$' "$1/compile_commands.json" | awk '{
        level = "-O0"
        flags = ""
        for (i = 1; i <= NF; i++)
            if ($i ~ /^-O/)
                level = $i
            else if ($i ~ /^-([fm]|DNDEBUG$)/)
                flags = flags " " $i
        count = split(flags, list, " ")
        for (i = 2; i <= count; i++)
            for (k = i; k > 1 && list[k] < list[k - 1]; k--) {
                swap = list[k]
                list[k] = list[k - 1]
                list[k - 1] = swap
            }
        for (i = 1; i <= count; i++)
            level = level " " list[i]
        print level
    }' | sort
}

optimised_without_a_type() {
    guest no-type && diff <(core_flags "$build") <(core_flags no-type) && core_flags no-type | grep -e '-O3 '
}

not_optimised_in() {
    local flags
    guest debug "$@" && flags=$(core_flags debug) && [ -n "$flags" ] && ! grep -e '-O3' <<<"$flags"
}

# Not optimised, since it is the building that is tested.
as_subfolder() {
    guest plain -DCMAKE_BUILD_TYPE=None && cmake --build plain --parallel "$(nproc)" && plain/triangle
}

# The guest installs nothing unless it is asked to; the host's own program is there.
installs() {
    rm -rf prefix
    cmake --install plain --prefix prefix && ls prefix/bin/triangle &&
        [ "$(find prefix -type f | grep -c graze)" "$@" ]
}

asked_to_install() {
    guest plain -DCMAKE_BUILD_TYPE=None -DGRAZE_INSTALL=ON && installs -gt 10
}

with_files() {
    guest plain -DCMAKE_BUILD_TYPE=None -DREADS_FILES=ON &&
        cmake --build plain --parallel "$(nproc)" && plain/model man.glb
}

expect_ok "a model to read" "$build/graze" synth man --triangles 1000 -o man.glb
expect_ok "without a build type: optimised as it is by itself" optimised_without_a_type
expect_ok "in a debug build: not optimised" not_optimised_in -DCMAKE_BUILD_TYPE=Debug
expect_ok "with a level of the host's own: that one" not_optimised_in -DCMAKE_C_FLAGS=-O1
expect_ok "as a subfolder" as_subfolder
expect_ok "a guest installs nothing" installs = 0
expect_ok "unless it is asked to" asked_to_install
expect_ok "with graze::gltf" with_files
