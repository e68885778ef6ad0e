#!/usr/bin/env bash
# Fails on an include that goes against the order of the rooms (docs/internals.md):
#
#   - a room in src/ includes itself, rooms above it, the core's public headers (graze.h and those
#     it includes) and C17, nothing else; intrinsics, their headers and their names are for src/math
#     alone, the operating system (threads, memory) for src/base/os*;
#   - a room in ext/ includes the same, the rooms of ext/ above it and those of src/ that are listed
#     for it; src/ includes nothing of ext/;
#   - a public header includes only public and standard headers, the core's only the core's; it
#     belongs to a room, too, and goes by the same order;
#   - only src/body names the fields of a body;
#   - a header *_chapter.h is read by one .c file, or by none;
#   - everything else stays out of src/ and ext/, except the tests in C and C++; the eager baseline
#     (bench/eager), which decides pairs of triangles by the tests that we do: src/narrow; and the
#     kernels of adapters/cuda, whose arithmetic is the library's own: ext/chain/chain_kernel.h.
#
# `check_includes.sh [ROOT]`
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/..}"

"$here/list_files.sh" . '\.(c|h|cpp|cc|cu)$' | awk -f "$here/check_includes.awk"
