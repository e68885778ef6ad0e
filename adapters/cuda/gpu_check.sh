#!/usr/bin/env bash
# Everything about batches of poses that needs a GPU, in one go.
#
#   gpu_check.sh prepare [BUILD]   where there is no GPU: builds what is needed and puts it into
#                                  build-gpu (about 7 MB), to be carried to a machine that has one
#   gpu_check.sh [FOLDER]          there: checks bits against the CPU and measures; tables to
#                                  standard output, numbers to FOLDER ($OUT, else build-gpu/out)
#
# There it needs the driver and glibc; PyTorch, compute-sanitizer and ncu where they are found. About
# eight minutes.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit

prepare() {
    local build=${1:-build}
    scripts/build.sh "$build" graze_chain_times -DGRAZE_BUILD_TESTS=ON || exit
    for target in graze_self_times test_cuda test_cuda_self; do
        scripts/build.sh "$build" "$target" || exit
    done
    rm -rf build-gpu
    mkdir -p build-gpu
    cp "$build"/adapters/cuda/graze_{chain,self}_times "$build"/adapters/cuda/{kernels,self}.ptx \
        "$build"/tests/test_cuda{,_self} build-gpu/
    gcc -std=c17 -O2 -fPIC -shared -Wall -Wextra -Iinclude examples/torch/chain_torch.c \
        -o build-gpu/libchain_torch.so "$build"/{adapters/cuda/libgraze_cuda,ext/libgraze_chain,ext/libgraze_parts,libgraze}.a \
        -lm -lpthread -ldl || exit
    strip build-gpu/graze_{chain,self}_times build-gpu/test_cuda{,_self} build-gpu/libchain_torch.so
    du -sh build-gpu
}

if [ "${1:-}" = prepare ]; then
    prepare "${2:-}"
    exit
fi

out=${1:-${OUT:-build-gpu/out}}
mkdir -p "$out"
chmod +x build-gpu/graze_{chain,self}_times build-gpu/test_cuda{,_self}
failed=0
note() { echo "== $1: $2"; }
# run NAME SECONDS COMMAND...: its output to FOLDER/NAME.txt, and how it ended.
run() {
    local name=$1 seconds=$2 start=$SECONDS status
    shift 2
    timeout "$seconds" "$@" >"$out/$name.txt" 2>&1
    status=$?
    [ "$status" = 0 ] || failed=1
    note "$name" "exit status $status, $((SECONDS - start)) s"
}
# The same for tools that are not everywhere: their failure is no failure.
try() {
    local was=$failed
    run "$@"
    failed=$was
}

nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem \
    --format=csv,noheader || true
run device_test 120 build-gpu/test_cuda a_device
run times 240 build-gpu/graze_chain_times --poses 100000 --threads "$(nproc)" --out "$out"
run torch 100 python3 examples/torch/chain_torch.py build-gpu/libchain_torch.so "$out/man.bin"
rm -f "$out/man.bin"
run self_test 100 build-gpu/test_cuda_self a_device
run self_man 100 build-gpu/graze_self_times --poses 10000 --threads "$(nproc)"
run self_large 60 build-gpu/graze_self_times --triangles 50000 --poses 1000 --threads "$(nproc)"
run self_noise 60 build-gpu/graze_self_times --poses 40 --noise 0.1 --check --threads "$(nproc)"
if command -v compute-sanitizer >/dev/null; then
    try memcheck 100 compute-sanitizer --tool memcheck build-gpu/graze_chain_times --poses 200 \
        --triangles 2000 --threads 4
    try self_memcheck 60 compute-sanitizer --tool memcheck build-gpu/graze_self_times --check \
        --triangles 3000 --poses 30
    try racecheck 100 compute-sanitizer --tool racecheck build-gpu/test_cuda a_device
fi
if command -v ncu >/dev/null; then
    try ncu 100 ncu --clock-control none -k regex:many_poses -c 2 --section SpeedOfLight \
        --section WarpStateStats --section Occupancy --section MemoryWorkloadAnalysis_Tables \
        build-gpu/graze_chain_times --profile --poses 100000 --threads "$(nproc)"
fi
for name in device_test self_test self_noise memcheck self_memcheck racecheck torch; do
    [ ! -e "$out/$name.txt" ] || note "$name" "$(tail -n 2 "$out/$name.txt" | tr '\n' ' ')"
done
[ ! -e "$out/ncu.txt" ] || grep -E 'Duration|Throughput|Theoretical Occ|Achieved Occ|Registers|Bank' \
    "$out/ncu.txt" | sed 's/  */ /g'
cat "$out/times.txt" "$out/self_man.txt" "$out/self_large.txt"
[ "$failed" = 0 ] && echo "all is well" || echo "SOMETHING FAILED"
exit "$failed"
