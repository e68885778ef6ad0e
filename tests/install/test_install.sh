#!/usr/bin/env bash
# Installs everything, with a static library and with a shared one, moves the installed tree, and uses
# it: programs by find_package and by plain pkg-config, the command itself: `test_install.sh BUILD`.
. "$(dirname "$0")/../scripts/harness.sh"

build=$(realpath "$1")
here=$root/tests/install
cd "$temporary" || exit
unset LD_LIBRARY_PATH CFLAGS LDFLAGS
generator=()
command -v ninja >/dev/null && generator=(-G Ninja)

configure() { cmake "${generator[@]}" "$@"; }

# The static library comes from the build that is there, the shared one from a build of its own: not
# optimised, since it is the installing that is tested.
install_all() {
    local kind=$1 folder=$build
    if [ "$kind" = shared ]; then
        folder=build-shared
        configure -S "$root" -B $folder -DBUILD_SHARED_LIBS=ON -DGRAZE_BUILD_TESTS=OFF -DGRAZE_BUILD_PEERS=OFF \
            -DGRAZE_MESHOPT=OFF -DGRAZE_DRACO=OFF -DCMAKE_BUILD_TYPE=None &&
            cmake --build $folder --parallel "$(nproc)" --target graze_command graze_bench graze_cuda || return
    fi
    cmake --install "$folder" --prefix "$temporary/prefix-$kind" &&
        mv "$temporary/prefix-$kind" "$temporary/moved-$kind"
}

# Where the libraries of a kind were installed.
library_folder() { dirname "$(find "$temporary/moved-$1" -name 'libgraze.*' | head -n 1)"; }

with_find_package() {
    local kind=$1
    configure -S "$here/package" -B "package-$kind" -DCMAKE_PREFIX_PATH="$temporary/moved-$kind" &&
        cmake --build "package-$kind" && "package-$kind/triangle"
}

with_find_package_gltf() {
    local kind=$1
    configure -S "$here/package" -B "package-gltf-$kind" -DREADS_FILES=ON \
        -DCMAKE_PREFIX_PATH="$temporary/moved-$kind" &&
        cmake --build "package-gltf-$kind" && "package-gltf-$kind/model" man.glb
}

# Where pkg-config finds nothing else: no libcjson.
without_cjson() {
    PKG_CONFIG_LIBDIR=$temporary/none configure -S "$here/package" -B "package-$1" \
        -DREADS_FILES="$1" -DCMAKE_PREFIX_PATH="$temporary/moved-static"
}

# with_pkg_config KIND PACKAGE PROGRAM.c [ARGUMENT]: nothing on the line but what a README would say
with_pkg_config() {
    local kind=$1 package=$2 program=$3 name
    name=$(basename "$program" .c)-$kind
    shift 3
    export PKG_CONFIG_PATH=$(library_folder "$kind")/pkgconfig
    # shellcheck disable=SC2046 # words
    gcc "$program" -o "$name" $(pkg-config --cflags --libs "$package") &&
        LD_LIBRARY_PATH=$([ "$kind" = static ] || library_folder "$kind") "./$name" "$@"
}

# The command as it was installed, with nothing said about where its library is; which is loaded from
# the moved tree.
installed_command() {
    local command=$temporary/moved-$1/bin/graze
    "$command" --version && "$command" info man.glb || return
    [ "$1" = static ] || [ "$(realpath "$(ldd "$command" | awk '/libgraze/ { print $3 }')")" -ef \
        "$(library_folder shared)/libgraze.so" ]
}

same_version() {
    local written
    written=$(awk '/define GRAZE_VERSION_/ { printf "%s%s", dot, $3; dot = "." }' "$root/include/graze/base.h")
    export PKG_CONFIG_PATH=$(library_folder static)/pkgconfig
    for package in graze graze-parts graze-chain graze-world graze-record graze-rig graze-sim graze-gltf; do
        pkg-config --exact-version="$written" $package || return
    done
}

# The shared build reads no compressed files: it says so.
makes_packed() {
    gltfpack -c -i man.glb -o meshopt.glb && draco_transcoder -i man.glb -o draco.glb
}

headers_in() { (cd "$1/include/graze" && find . | sort); }
headers_are_there() { diff <(headers_in "$root") <(headers_in "$temporary/moved-$1"); }

expect_ok "a model to read" "$build/graze" synth man --triangles 1000 -o man.glb
awk '/^```c$/ { on = 1; next } /^```/ { exit_now = on; on = 0 } exit_now { exit } on' "$root/README.md" >readme.c
for kind in static shared; do
    expect_ok "install, $kind" install_all $kind
    expect_ok "every header, $kind" headers_are_there $kind
    expect_ok "find_package, $kind" with_find_package $kind
    expect_ok "find_package with graze::gltf, $kind" with_find_package_gltf $kind
    expect_ok "pkg-config, the README's program, $kind" with_pkg_config $kind graze readme.c
    expect_ok "pkg-config, graze-rig, $kind" with_pkg_config $kind graze-rig "$here/triangle.c"
    expect_ok "pkg-config, graze-sim, $kind" with_pkg_config $kind graze-sim "$here/triangle.c"
    expect_ok "pkg-config, graze-gltf, $kind" with_pkg_config $kind graze-gltf "$here/model.c" man.glb
    expect_ok "the installed command, $kind" installed_command $kind
    expect_exit 2 'no table has nothing in its name' "it starts the installed benchmarks, $kind" \
        moved-$kind/bin/graze bench lbs --only nothing
done
if command -v gltfpack >/dev/null && command -v draco_transcoder >/dev/null &&
    [ -e "$build/tests/libgraze_pack.a" ]; then
    expect_ok "compressed models" makes_packed
    for packed in meshopt draco; do
        expect_ok "find_package with graze::gltf, $packed" package-gltf-static/model $packed.glb
        expect_ok "pkg-config, graze-gltf, $packed" ./model-static $packed.glb
    done
    expect_exit 2 '^graze: meshopt.glb: is compressed by meshoptimizer; build with `make all` .libmeshoptimizer-dev.$' \
        "built without meshoptimizer" moved-shared/bin/graze info meshopt.glb
    expect_exit 2 '^graze: draco.glb: is compressed by Draco; build with `make all` .libdraco-dev.$' \
        "built without Draco" moved-shared/bin/graze info draco.glb
else
    skip "compressed models" "no programs that make them, or built without"
fi
expect_ok "the shared library exports graze_ alone" "$root/scripts/check_symbols.sh" "$(library_folder shared)/libgraze.so"
expect_ok "pkg-config has the version of the headers" same_version
expect_ok "find_package without libcjson" without_cjson OFF
expect_exit 1 "no graze::gltf: pkg-config finds no libcjson" "find_package of graze::gltf says that libcjson is missing" \
    without_cjson ON
