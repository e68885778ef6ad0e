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
expect_exit 2 "'tests' is not" "a word that it does not know" setup tests
machine 0 'gcc|g[+][+]|libmeshoptimizer-dev|libdraco-dev|libarpack2-dev|libsuitesparse-dev|liblapacke-dev|libode-dev|cmake|libc6-dev|make|ninja-build|pkg-config|libcjson-dev'
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
