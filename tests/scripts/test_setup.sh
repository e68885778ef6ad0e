#!/usr/bin/env bash
# setup.sh on pretended machines: a folder of stand-ins is the whole PATH.
. "$(dirname "$0")/harness.sh"

# machine USER INSTALLED: apt-get and dpkg-query that report the packages matching INSTALLED
machine() {
    rm -rf "${temporary:?}/bin"
    mkdir "$temporary/bin"
    for program in bash env grep mktemp rm tail; do
        ln -s "$(command -v $program)" "$temporary/bin/$program"
    done
    stand_in id "echo $1"
    stand_in dpkg-query "[[ \${!#} =~ ^($2)\$ ]] && echo install ok installed"
    stand_in apt-get "echo \"\$*\" >>'$temporary/calls'"
    : >"$temporary/calls"
}

stand_in() {
    printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$temporary/bin/$1"
    chmod +x "$temporary/bin/$1"
}

setup() { PATH=$temporary/bin bash "$root/scripts/setup.sh" "$1" </dev/null; }
apt_calls() { cat "$temporary/calls"; }

machine 1000 '.*'
expect_ok "all there: nothing to do" setup test
expect_exit 0 '^$' "all there: apt-get not called" apt_calls

machine 1000 'gcc|cmake|libc6-dev|make'
expect_exit 2 '^apt-get install -y --no-install-recommends ninja-build pkg-config libcjson-dev$' \
    "without root and sudo: the one line, exit 2" setup build
expect_exit 0 '^$' "without root and sudo: nothing is tried" apt_calls

machine 0 'gcc|cmake|libc6-dev|make'
expect_exit 0 'installing ninja-build pkg-config libcjson-dev' "root: installs what is missing" setup build
expect_exit 0 '^install -y --no-install-recommends ninja-build pkg-config libcjson-dev$' \
    "root: in one call" apt_calls
expect_exit 0 '^update$' "root: after an update" apt_calls

machine 1000 'gcc|g[+][+]|cmake|libc6-dev|make|ninja-build|pkg-config|libcjson-dev'
expect_ok "build: no libraries of parts" setup build
expect_exit 2 '^apt-get install .* libmeshoptimizer-dev libdraco-dev( |$)' "all: libraries of every part" setup all
expect_exit 2 'libmeshoptimizer-dev' "test: those, too" setup test
for package in wine64 chromium gcc-mingw-w64-x86-64 libcgal-dev libembree-dev nodejs clang; do
    expect_exit 2 "^apt-get install .* $package( |\$)" "test-all: $package" setup test-all
    expect_exit 1 '^$' "test: no $package" grep -E " $package( |\$)" <(setup test 2>&1)
done
for package in slurm-wlm munge python3-distributed; do
    expect_exit 2 "^apt-get install .* $package( |\$)" "nightly: $package" setup nightly
    expect_exit 1 '^$' "test-all: no $package" grep -E " $package( |\$)" <(setup test-all 2>&1)
done
expect_exit 2 "'tests' is not" "a word that it does not know" setup tests
machine 0 'gcc|g[+][+]|libmeshoptimizer-dev|libdraco-dev|libarpack2-dev|libsuitesparse-dev|liblapacke-dev|libode-dev|libsqlite3-dev|cmake|libc6-dev|make|ninja-build|pkg-config|libcjson-dev'
expect_exit 0 'installing clang-14' "all: also the compiler of CUDA kernels" setup all

machine 1000 'gcc|cmake|libc6-dev|make'
stand_in sudo "[ \"\$1\" != -n ] && echo sudo \"\$*\" >>'$temporary/calls'; [ \"\$2\" = true ] || exec \"\$@\""
expect_ok "sudo without a password: installs" setup build
expect_exit 0 '^sudo env .* apt-get install' "sudo: was used" apt_calls

machine 1000 'gcc'
stand_in sudo 'exit 1'
expect_exit 2 '^apt-get install -y' "sudo that refuses: the one line, exit 2" setup build

machine 0 'gcc'
stand_in apt-get 'echo "E: no network"; exit 100'
expect_exit 2 'no network' "apt-get fails: says why, exit 2" setup build

machine 0 'gcc'
rm "$temporary/bin/apt-get"
expect_ok "no apt: left to CMake" setup test

# Another user than root, on a machine that has make and no sudo: the real id, what each command prints.
machine 1000 'none'
rm "$temporary/bin/id"
for program in id make dirname sh; do
    ln -s "$(command -v $program)" "$temporary/bin/$program"
done
mkdir "$temporary/clone"
cp -r "$root/Makefile" "$root/scripts" "$temporary/clone"
chmod 755 "$temporary"
as_another=()
[ "$(id -u)" != 0 ] || as_another=(setpriv --reuid=65534 --regid=65534 --clear-groups)
as_stranger() { (cd "$temporary/clone" && "${as_another[@]}" env -i "PATH=$temporary/bin" make "$@" </dev/null); }
expect_exit 2 '^apt-get install -y --no-install-recommends gcc libc6-dev cmake ninja-build pkg-config libcjson-dev$' \
    "make demo as another user" as_stranger demo
expect_exit 2 '^apt-get install -y --no-install-recommends gcc .* libsqlite3-dev gltfpack draco binutils clang-format locales$' \
    "make test as another user" as_stranger test
expect_exit 2 '^apt-get install -y .* wine64 chromium$' "make test-all as another user" as_stranger test-all
expect_exit 0 '^$' "nothing was tried, nothing built" bash -c "cat '$temporary/calls'; find '$temporary/clone' -name 'build*' -type d"
