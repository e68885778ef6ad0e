#!/usr/bin/env bash
# Builds and runs tests: `test.sh [BUILD [short|long|nightly]]`. One line a stage; details only where
# one fails, all of them in BUILD-logs. The last line is "N passed, N failed, N skipped" over all stages.
#
# short    every test program with gcc, the checks, the tests in shell: `make test`
# long     what that leaves out, in the same build folder: `make test-all`
# nightly  what takes hours, in folders of `long`: `make test-nightly`
#
# With CI set, warnings are errors and so are skips that harness.h does not allow.
# FUZZ_SECONDS (25) is the time for each fuzz target in `long`, FUZZ_RUNS (1000000) the inputs in
# `nightly`.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

build=${1:-build}
part=${2:-short}
logs=$build-logs/$part
jobs=$(nproc)
unset CC CXX
passed=0 failed=0 skipped=0
rm -rf "$logs"
mkdir -p "$logs"

# stage NAME COMMAND...: counts the last line of the form above in its output; a command that fails
# without counting a failure is one.
stage() {
    local name=$1 log start=$EPOCHREALTIME status=0 counts
    shift
    log=${name//,/}
    log=$logs/${log// /-}.log
    printf '%-32s' "$name"
    "$@" >"$log" 2>&1 </dev/null || status=$?
    counts=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log" | tail -n 1)
    awk -v from="$start" -v to="$EPOCHREALTIME" 'BEGIN { printf "%7.1f s   ", to - from }'
    [ $status = 0 ] && echo "${counts:-done}" || echo "FAILED${counts:+, $counts}"
    local p=0 f=0 s=0
    [ -z "$counts" ] || read -r p _ f _ s _ <<<"$counts"
    if [ $status != 0 ] && [ "$f" = 0 ]; then
        f=1
    fi
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    if [ $status != 0 ]; then
        grep -vE '^(ok  |-- )' "$log" | tail -n 60 | sed 's/^/    /'
        echo "    ($log)"
    fi
    return $status
}

# Runs the test programs of a build folder, then counts what they counted.
run_programs() {
    local folder=$1 status=0
    shift
    (cd "$folder" && ctest --parallel "$jobs" --timeout 600 --output-on-failure --no-tests=error "$@") || status=$?
    awk -f scripts/count_tests.awk "$folder/Testing/Temporary/LastTest.log"
    return $status
}

# run_scripts SCRIPT...: runs tests in shell, as many at a time as there are cores, and adds up their
# last lines.
run_scripts() {
    local script output counts status=0 p f s sum_p=0 sum_f=0 sum_s=0 folder=$logs/scripts
    local scripts=("$@")
    rm -rf "$folder"
    mkdir -p "$folder"
    printf '%s\n' "${scripts[@]}" | xargs -P "$jobs" -I{} sh -c \
        '"$1" "$2" >"$3/$(basename "$1").log" 2>&1 || touch "$3/$(basename "$1").failed"' sh {} "$build" "$folder"
    for script in "${scripts[@]}"; do
        output=$(cat "$folder/$(basename "$script").log")
        [ ! -e "$folder/$(basename "$script").failed" ] || status=1
        echo "# $script"
        echo "$output"
        # one that ended without counting is a failure
        counts=$(tail -n 1 <<<"$output" | grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$')
        read -r p _ f _ s _ <<<"${counts:-0 passed, 1 failed, 0 skipped}"
        sum_p=$((sum_p + p)) sum_f=$((sum_f + f)) sum_s=$((sum_s + s))
    done
    echo "$sum_p passed, $sum_f failed, $sum_s skipped"
    return $status
}

# run_fuzzers FOLDER LIMIT: every fuzz target up to a limit of libFuzzer, time or number of inputs.
run_fuzzers() {
    local folder=$1 limit=$2 fuzzer name corpus found=0
    for fuzzer in "$folder"/tests/fuzz_*; do
        [ -x "$fuzzer" ] || continue
        name=$(basename "$fuzzer")
        corpus=("$folder/corpus/$name" tests/fuzz/seeds/"$name")
        mkdir -p "${corpus[0]}"
        if [ "$name" = fuzz_gltf ]; then
            "$folder/tests/make_seeds" "${corpus[0]}" || return 1
            unset "corpus[1]"
        fi
        "$fuzzer" "$limit" -timeout=10 -rss_limit_mb=2048 -max_len=8192 \
            -artifact_prefix="$logs/$name-" "${corpus[@]}" || return 1
        found=$((found + 1))
    done
    echo "$found passed, 0 failed, 0 skipped"
    [ $found -gt 0 ]
}

tests="-DGRAZE_BUILD_TESTS=ON"

# Other people's programs answer in `long` alone.
run_short() {
    stage "build with gcc" scripts/build.sh "$build" $tests &&
        stage "tests" run_programs "$build" --label-exclude peers
    stage "checks" scripts/check.sh "$build"
    stage "scripts, headers, install" run_scripts tests/install/test_*.sh tests/scripts/test_*.sh # the slowest first
}

# Programs that ask bodies. Those of predicates and triangles are about denormals themselves.
flushed='^test_(bounds|coherent|collide|contact|contact_bodies|deform_bounds|deform_hard|'
flushed+='distance|folds|freeze|front|inside|laziness|positions|ray_details|search|self|self_hard|shared|'
flushed+='shapes|siblings|sweep|sweep_models|threads|ways)$'

# What runs on other machines: the golden hashes, and the programs of bounds, pairs, rays, lanes and
# threads. The toolchains in cmake/machines find no libcjson, so there is no glTF and no command.
portable=(test_golden test_bounds test_collide test_many test_threads test_intervals test_candidates)

# Makes wine's folder before tests do, two at once. wine does not make the folder above it, and its
# server still writes when wineboot has ended: the next program would find half of it.
start_wine() {
    mkdir -p "$WINEPREFIX"
    PATH=$PATH:/usr/lib/wine
    wine64 wineboot --init && wineserver64 -w
}

# build_machine FOLDER MACHINE OPTION...
build_machine() {
    local folder=$1 machine=$2
    shift 2
    if [ $machine = windows ]; then
        start_wine || return
    fi
    [ -e "$folder/CMakeCache.txt" ] || cmake -G Ninja -S . -B "$folder" \
        -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/machines/$machine.cmake" -DCMAKE_BUILD_TYPE=Release \
        -DGRAZE_WERROR="${CI:+ON}" -DGRAZE_BUILD_PROGRAMS=OFF -DGRAZE_BUILD_GLTF=OFF \
        -DGRAZE_BUILD_TESTS=ON "$@" || return
    cmake --build "$folder" --parallel "$jobs" --target "${portable[@]}"
}

run_machine() (
    names=$(IFS='|' && echo "${portable[*]}")
    [[ $1 != *-aarch64 ]] || export GRAZE_TEST_BRIEF=1 # emulated
    run_programs "$1" -R "^($names)\$"
)

# Windows also with the library as a DLL, which exports what the golden hashes ask and nothing of src/.
run_machines() {
    local machine compiler lightly=(-DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O1) options
    WINEPREFIX=$(realpath -m "$build-windows")/wine
    export WINEPREFIX WINEDEBUG=-all
    for machine in aarch64 i386 musl windows; do
        compiler=$(sed -nE 's/^set\(CMAKE_C_COMPILER (.*)\)$/\1/p' cmake/machines/$machine.cmake)
        if [ -z "${CI:-}" ] && ! command -v "$compiler" >/dev/null; then
            stage "tests, $machine" echo "0 passed, 0 failed, 1 skipped"
            continue
        fi
        options=()
        [ $machine != musl ] || options=("${lightly[@]}") # the compiler is that of other stages
        stage "build for $machine" build_machine "$build-$machine" $machine "${options[@]}" &&
            stage "tests, $machine" run_machine "$build-$machine"
    done
    [ -d "$build-windows" ] || return 0
    portable=(test_golden)
    stage "build for windows, DLL" build_machine "$build-windows-dll" windows -DBUILD_SHARED_LIBS=ON \
        "${lightly[@]}" &&
        stage "tests, windows, DLL" run_machine "$build-windows-dll"
}

build_with_sanitizers() {
    CC=clang CXX=clang++ scripts/build.sh "$build-sanitize" $tests -DGRAZE_SANITIZE=ON -DGRAZE_FUZZ=ON
}

run_long() {
    stage "build with gcc" scripts/build.sh "$build" $tests -DGRAZE_BUILD_PEERS=ON && {
        GRAZE_TEST_LONG=1 stage "tests, long" run_programs "$build" --label-regex '^long$'
        stage "tests, CGAL and Embree" run_programs "$build" --label-regex '^peers$' --label-exclude '^long$'
        GRAZE_TEST_FTZ=1 stage "tests, denormals flushed" run_programs "$build" -R "$flushed"
    }

    stage "ways to build" tests/install/options.sh "$build"
    stage "toys, a deformer and a format" tests/install/toys.sh
    stage "tests, browser" tests/browser/run.sh "$build"
    stage "tests, package for the web" tests/web/run.sh "$build"

    export CC=clang CXX=clang++
    stage "build with clang" scripts/build.sh "$build-clang" $tests &&
        stage "tests, clang" run_programs "$build-clang" --label-exclude slow
    stage "build with sanitizers" build_with_sanitizers && {
        # How much stack and how long says nothing there; paths count, not how often they are taken.
        GRAZE_TEST_BRIEF=1 stage "tests, sanitizers" run_programs "$build-sanitize" --label-exclude slow \
            -E '^test_(stack|gltf_linear)$'
        stage "fuzzing" run_fuzzers "$build-sanitize" -max_total_time="${FUZZ_SECONDS:-25}"
    }

    local flags="-O1 -g -fsanitize=thread" program
    for program in test_threads test_shared test_callers_threads test_jobs test_many \
        test_world_events test_lean; do
        stage "build with thread sanitizer" scripts/build.sh "$build-thread" $program $tests \
            -DCMAKE_BUILD_TYPE=None "-DCMAKE_C_FLAGS=$flags" "-DCMAKE_CXX_FLAGS=$flags" &&
            stage "$program, thread sanitizer" run_programs "$build-thread" -R "^$program\$"
    done
    unset CC CXX
    run_machines
}

# Every file of src/ and ext/ but kernels, which mean nothing without an instruction set.
run_tidy() {
    local files
    mapfile -t files < <(find src ext -name '*.c' ! -name '*_kernels.c')
    printf '%s\n' "${files[@]}" | xargs -P "$jobs" -n 4 clang-tidy --quiet -p "$build" || return 1
    echo "${#files[@]} passed, 0 failed, 0 skipped"
}

run_nightly() {
    stage "build with gcc" scripts/build.sh "$build" $tests && {
        stage "every way to build" tests/install/options.sh "$build" every
        stage "clang-tidy" run_tidy
        stage "Slurm and Dask" tests/install/schedulers.sh "$build"
    }
    stage "lines that tests run" scripts/coverage.sh "$build-coverage"
    stage "build with sanitizers" build_with_sanitizers && {
        stage "fuzzing, many inputs" run_fuzzers "$build-sanitize" -runs="${FUZZ_RUNS:-1000000}"
    }
    stage "build with asserts" scripts/build.sh "$build-asserts" test_mixed $tests -DGRAZE_ASSERTS=ON &&
        GRAZE_TEST_NIGHTLY=1 stage "a million calls, validated" "$build-asserts/tests/test_mixed"
}

case $part in
short) run_short ;;
long) run_long ;;
nightly) run_nightly ;;
*) stage "no part named $part" false ;;
esac
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
