#!/usr/bin/env bash
# Installs the library, static and shared, and builds a small program against the installed copy by
# find_package and by pkg-config; then the same program with Graze as a subfolder:
# `test_install.sh BUILD`.
. "$(dirname "$0")/../scripts/harness.sh"

build=$(realpath "$1")
here=$root/tests/install
cd "$temporary" || exit
generator=()
command -v ninja >/dev/null && generator=(-G Ninja)

configure() { cmake "${generator[@]}" "$@"; }

# The static library comes from the build that is there, the shared one from a build of its own: not
# optimised, since it is the installing that is tested.
install_library() {
    local kind=$1 folder=$build
    if [ "$kind" = shared ]; then
        folder=build-shared
        configure -S "$root" -B $folder -DBUILD_SHARED_LIBS=ON -DGRAZE_BUILD_PROGRAMS=OFF \
            -DGRAZE_BUILD_TESTS=OFF -DCMAKE_BUILD_TYPE=None &&
            cmake --build $folder --parallel "$(nproc)" || return
    fi
    cmake --install "$folder" --prefix "$temporary/prefix-$kind" &&
        mv "$temporary/prefix-$kind" "$temporary/moved-$kind"
}

with_find_package() {
    local kind=$1
    configure -S "$here/package" -B "package-$kind" -DCMAKE_PREFIX_PATH="$temporary/moved-$kind" &&
        cmake --build "package-$kind" && "package-$kind/triangle"
}

with_pkg_config() {
    local kind=$1 flags library
    library=$(dirname "$(find "moved-$kind" -name 'libgraze.*' | head -n 1)")
    export PKG_CONFIG_PATH=$temporary/$library/pkgconfig LD_LIBRARY_PATH=$temporary/$library
    read -ra flags < <(pkg-config $([ "$kind" = static ] && echo --static) --cflags --libs graze) &&
        gcc "$here/triangle.c" -o "triangle-$kind" "${flags[@]}" && "./triangle-$kind"
}

same_version() {
    local written
    written=$(awk '/define GRAZE_VERSION_/ { printf "%s%s", dot, $3; dot = "." }' "$root/include/graze/version.h")
    PKG_CONFIG_PATH=$(dirname "$(find "$temporary/moved-static" -name graze.pc)") pkg-config --exact-version="$written" graze
}

as_subfolder() {
    configure -S "$here/subproject" -B subproject -DGRAZE_SOURCE_DIR="$root" &&
        cmake --build subproject --parallel "$(nproc)" && subproject/triangle
}

for kind in static shared; do
    expect_ok "install, $kind" install_library $kind
    expect_ok "find_package, $kind" with_find_package $kind
    expect_ok "pkg-config, $kind" with_pkg_config $kind
done
expect_ok "pkg-config has the version of version.h" same_version
expect_ok "as a subfolder" as_subfolder
