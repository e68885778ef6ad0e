#!/usr/bin/env bash
# Every way to build what is delivered: `options.sh BUILD [every]`. Static and shared, with all parts,
# with none, with each alone and with all but one (`every`: all 64 sets of parts), and without programs
# and files: it builds, installs what was asked for and nothing else, and a program that is not ours
# builds against it and runs. Then the default, tests and all, as somebody who packs it would: shared.
# Nothing is optimised, and one folder serves all rows of a kind, so that each builds what is new to it.
. "$(dirname "$0")/../scripts/harness.sh"

build=$(realpath "$1")
here=$root/tests/install
parts=(MESHOPT DRACO BUILD_NUMERICS BUILD_ODE BUILD_SQLITE BUILD_CUDA) # less GRAZE_
cd "$temporary" || exit
unset CFLAGS CXXFLAGS LDFLAGS CC CXX
generator=()
command -v ninja >/dev/null && generator=(-G Ninja)

# configure KIND OPTION...: of the folder of that kind
configure() {
    local kind=$1
    shift
    cmake "${generator[@]}" -S "$root" -B "$kind" -DCMAKE_BUILD_TYPE=None "-DCMAKE_C_FLAGS=-O0" "-DCMAKE_CXX_FLAGS=-O0" \
        "-DBUILD_SHARED_LIBS=$([ "$kind" = shared ] && echo ON || echo OFF)" "$@"
}

# The libraries that an installed copy has to have, by the parts of the row.
wanted_libraries() {
    local kind=$1 set=" $2 "
    [ "$kind" = shared ] && echo libgraze.so || echo libgraze.a
    [ "$kind" = shared ] || printf '%s\n' libgraze_parts.a libgraze_chain.a libgraze_world.a libgraze_record.a libgraze_batch.a
    printf '%s\n' libgraze_rig.a libgraze_sim.a libgraze_gltf.a
    [[ $set != *" BUILD_NUMERICS "* ]] || echo libgraze_numerics.a
    [[ $set != *" BUILD_ODE "* ]] || echo libgraze_ode.a
    [[ $set != *" BUILD_CUDA "* ]] || echo libgraze_cuda.a
}

use_package() {
    rm -rf package
    cmake "${generator[@]}" -S "$here/package" -B package -DREADS_FILES=ON -DCMAKE_PREFIX_PATH="$temporary/prefix" &&
        cmake --build package && package/triangle && package/model man.glb
}

use_pkg_config() {
    local folder
    folder=$(dirname "$(find prefix -name graze-gltf.pc)")
    # shellcheck disable=SC2046 # words
    PKG_CONFIG_PATH=$folder gcc "$here/model.c" -o model $(PKG_CONFIG_PATH=$folder pkg-config --cflags --libs graze-gltf) &&
        LD_LIBRARY_PATH=$folder/.. ./model man.glb
}

# What the installed command does with what needs a part: it does it, or says in one line that it cannot.
command_knows() {
    local set=" $1 " status=0 output
    output=$(prefix/bin/graze modes man.glb -m 1 --thickness 0.01 -o modes.glb 2>&1 >/dev/null) || status=$?
    if [[ $set == *" BUILD_NUMERICS "* ]]; then
        [ $status = 0 ] || { echo "$output" && return 1; }
    else
        [ $status = 2 ] && grep 'built without its numerics' <<<"$output" || return
    fi
    status=0
    rm -f found.db
    output=$(prefix/bin/graze audit man.glb --db found.db 2>&1 >/dev/null) || status=$?
    if [[ $set == *" BUILD_SQLITE "* ]]; then
        [ $status = 0 ] && [ -s found.db ] || { echo "$output" && false; }
    else
        [ $status = 2 ] && [ ! -e found.db ] && grep 'built without SQLite' <<<"$output"
    fi
}

# row KIND PART...: built, installed, used
row() {
    local kind=$1 part options=()
    shift
    for part in "${parts[@]}"; do
        [[ " $* " == *" $part "* ]] && options+=("-DGRAZE_$part=ON") || options+=("-DGRAZE_$part=OFF")
    done
    rm -rf prefix
    configure "$kind" -DGRAZE_BUILD_TESTS=OFF -DGRAZE_BUILD_PEERS=OFF "${options[@]}" &&
        cmake --build "$kind" --parallel "$(nproc)" && cmake --install "$kind" --prefix prefix &&
        diff <(wanted_libraries "$kind" "$*" | sort) \
            <(find prefix -name 'libgraze*.so' -printf '%f\n' -o -name 'libgraze*.a' -printf '%f\n' | sort) &&
        prefix/bin/graze --version && prefix/bin/graze info man.glb && use_package && use_pkg_config && command_knows "$*"
}

# The libraries alone, as a program with an animation system of its own wants them.
without_programs() {
    local kind=$1
    rm -rf prefix
    configure "$kind" -DGRAZE_BUILD_TESTS=OFF -DGRAZE_BUILD_PEERS=OFF -DGRAZE_BUILD_PROGRAMS=OFF "${@:2}" &&
        cmake --build "$kind" --parallel "$(nproc)" && cmake --install "$kind" --prefix prefix &&
        rm -rf package &&
        cmake "${generator[@]}" -S "$here/package" -B package -DCMAKE_PREFIX_PATH="$temporary/prefix" &&
        cmake --build package && package/triangle
}

# Sets of parts: all subsets in an order in which one part changes from each to the next; or all, all but
# one, one alone, none.
sets() {
    local i k line
    if [ "${1:-}" = every ]; then
        for ((i = 0; i < 64; i++)); do
            line=
            for k in 0 1 2 3 4 5; do
                (((i ^ i >> 1) >> k & 1)) && line+=" ${parts[$k]}"
            done
            echo "$line"
        done
        return
    fi
    echo "${parts[*]}"
    for k in "${parts[@]}"; do
        line=" ${parts[*]} "
        echo "${line/ $k / }"
    done
    printf '%s\n' "${parts[@]}" ""
}

expect_ok "a model to read" "$build/graze" synth man --triangles 1000 -o man.glb
for kind in static shared; do
    while read -r -a set; do
        expect_ok "$kind, with ${set[*]:-none}" row $kind "${set[@]}"
    done < <(sets "${2:-}")
    expect_ok "$kind, no programs" without_programs $kind
    expect_ok "$kind, no programs, no files" without_programs $kind -DGRAZE_BUILD_GLTF=OFF
    expect_ok "$kind, the core alone" without_programs $kind -DGRAZE_BUILD_GLTF=OFF -DGRAZE_BUILD_RIG=OFF \
        -DGRAZE_BUILD_SIM=OFF -DGRAZE_BUILD_PARTS=OFF -DGRAZE_BUILD_CHAIN=OFF -DGRAZE_BUILD_WORLD=OFF
    rm -rf $kind
done
expect_ok "the default, shared: it can be configured" cmake "${generator[@]}" -S "$root" -B default \
    -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=None
expect_ok "and built, with its tests" cmake --build default --parallel "$(nproc)"
expect_ok "and installed" cmake --install default --prefix prefix-default
expect_ok "and answers as recorded" default/tests/test_golden procedural
