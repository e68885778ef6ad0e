#!/usr/bin/env bash
# Optional parts in one build folder: each is left out where what it needs is missing, is there at the
# next configuration when that has come, and is left out again when it has gone. No machine lacks them
# all, so they are hidden: packages by CMake's own switch, pkg-config's files by a folder of its own,
# clang by one that cannot make PTX, g++ by a name that leads nowhere.
. "$(dirname "$0")/harness.sh"

cd "$temporary" || exit
mkdir -p bin pc
printf '#!/bin/sh\nexit 1\n' | tee bin/clang-14 >bin/clang
chmod +x bin/clang*
cp "$(pkg-config --variable=pcfiledir libcjson)/libcjson.pc" pc
suitesparse=$(dirname "$(find /usr/include /usr/local/include -name cholmod.h 2>/dev/null | head -n 1)")
parts="compressed by meshoptimizer|compressed by Draco|graze::numerics|graze::ode|SQLite|graze::cuda"

configure() {
    cmake -S "$root" -B here -DGRAZE_BUILD_TESTS=OFF -DGRAZE_BUILD_PEERS=OFF -DCMAKE_BUILD_TYPE=None \
        -DCMAKE_DISABLE_FIND_PACKAGE_draco=OFF -DCMAKE_DISABLE_FIND_PACKAGE_meshoptimizer=OFF \
        -DCMAKE_IGNORE_PATH= "$@" >output 2>&1
}

without_libraries() {
    PATH=$temporary/bin:$PATH PKG_CONFIG_LIBDIR=$temporary/pc configure -DCMAKE_IGNORE_PATH="$suitesparse" \
        -DCMAKE_DISABLE_FIND_PACKAGE_draco=ON -DCMAKE_DISABLE_FIND_PACKAGE_meshoptimizer=ON "$@"
}

# says WORD: of every part, and of no part the other word
says() {
    local names
    names=$(sed -nE "s/^-- $1: .*($parts).*/\1/p" output | sort -u | wc -l)
    [ "$names" = 6 ] && [ "$(grep -cE '^-- (built|left out): ' output)" = 6 ] || { cat output && return 1; }
}

expect_ok "where all is hidden it can be configured" without_libraries
expect_ok "every part is left out" says "left out"
expect_ok "then with all there" configure
expect_ok "every part is built" says built
expect_ok "the compiler of kernels is not the one of before" \
    bash -c '! grep "^GRAZE_CUDA_CLANG.*='"$temporary"'" here/CMakeCache.txt'
expect_ok "hidden again" without_libraries -DGRAZE_CUDA_CLANG="$temporary/bin/clang"
expect_ok "every part is left out again" says "left out"

rm -rf here
CXX=$temporary/none expect_ok "without a C++ compiler" configure
expect_exit 0 '^-- left out: .*Draco \(not found: libdraco-dev, g\+\+\)$' "Draco is left out" grep Draco output
expect_ok "then with one" configure
expect_exit 0 '^-- built: ' "Draco is built" grep Draco output

for option in GRAZE_MESHOPT GRAZE_DRACO GRAZE_BUILD_NUMERICS GRAZE_BUILD_ODE GRAZE_BUILD_SQLITE GRAZE_BUILD_CUDA; do
    rm -rf here
    expect_exit 1 "" "$option=ON where it is hidden" without_libraries -D$option=ON
    expect_exit 0 "" "says what is missing" grep "$option is ON, but this is missing: " output
    expect_ok "$option=OFF" configure -D$option=OFF
    expect_exit 0 "^1$" "says that alone" grep -c "^-- left out: .* ($option is OFF)" output
done
