#!/usr/bin/env bash
# Fails on an include that goes against the order of the rooms (docs/architecture.md):
#
#   - a room in src/ includes itself, rooms above it, the core's public headers (graze.h and those
#     it includes) and C17, nothing else; intrinsics are for src/math alone, the operating system
#     (threads, memory) for src/base/os*;
#   - a public header includes only public and standard headers, the core's only the core's; it
#     belongs to a room, too, and goes by the same order;
#   - only src/body names the fields of a body;
#   - everything outside src/ stays out of src/, except the tests in C and C++; the eager baseline
#     (bench/eager), which decides pairs of triangles by the tests that we do: src/narrow; and the
#     kernels of adapters/cuda, whose arithmetic is the core's own: src/chain/chain_kernel.h.
#
# `check_includes.sh [ROOT]`
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/..}"

"$here/list_files.sh" . '\.(c|h|cpp|cc|cu)$' | awk -f "$here/check_includes.awk"
