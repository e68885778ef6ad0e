#!/usr/bin/env bash
# What CONTRIBUTING says has to be written for a new deformer and a new file format is enough: toys of
# each are added to a copy of the sources, which is built and answers.
. "$(dirname "$0")/../scripts/harness.sh"

toys=$root/tests/install/toys
copy=$temporary/copy
mkdir "$copy"
(cd "$root" && scripts/list_files.sh . | tar -c -T - | tar -x -C "$copy")
cd "$copy" || exit

# One file and one row each; the enum and the command's list have the deformer's name.
cp "$toys/mirrored_kernels.c" src/deform/
cp "$toys/soup_format.c" cli/
sed -i 's/GRAZE_DUAL = 2/GRAZE_MIRRORED = 3, &/' include/graze/model.h
sed -i 's/ROW(GRAZE_LINEAR, linear_deformer)/& ROW(GRAZE_MIRRORED, mirrored_deformer)/' src/deform/deformers.c
sed -i 's/linear|spherical|dual/&|mirrored/' cli/commands.h
sed -i 's/#define FORMATS(FORMAT) /&FORMAT(model_load_soup, NULL, ".soup") /' cli/model_file.c

expect_ok "toys compile" scripts/build.sh build graze_command -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O1 \
    -DGRAZE_BUILD_NUMERICS=OFF -DGRAZE_BUILD_ODE=OFF -DGRAZE_BUILD_SQLITE=OFF -DGRAZE_BUILD_CUDA=OFF

# pairs COMMAND...: the pairs of triangles that it lists, a line a frame
pairs() { build/graze "$@" --json --no-times | sed -nE 's/.*"pairs":(\[[^a-z]*\]).*/\1/p'; }

# same NAME FIRST SECOND: two lists that are one, and not empty
same() {
    local name=$1
    shift
    if [ -n "$1" ] && [ "$1" = "$2" ]; then
        report yes "$name" ""
    else
        report no "$name" "$(diff <(echo "$1") <(echo "$2") | cut -c 1-200)"
    fi
}

# Against brute force, in boxes and in spheres; and a mirror changes no triangle's neighbours in space.
man=(builtin:man --times 0:0.5:4)
for tree in default paper; do
    one=("${man[@]}" --skin mirrored --skin-b linear --at "0.2,0,0" --tree "$tree")
    same "a toy deformer, tree $tree" "$(pairs collide "${one[@]}")" "$(pairs collide "${one[@]}" --method brute)"
done
same "a toy deformer against itself" "$(pairs self "${man[@]}" --skin mirrored)" "$(pairs self "${man[@]}")"

printf '2\n0 0 0 1 0 0 0 1 0\n0.2 0.2 -1 0.2 0.2 1 0.3 0.3 1\n' >two.soup
same "a toy format" "$(pairs self two.soup)" "[[0,1]]"
