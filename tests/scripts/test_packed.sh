#!/usr/bin/env bash
# Compressed files of other people's programs, gltfpack and Draco's: `test_packed.sh BUILD`. From one
# input, compressed and not, they give the same positions and answers.
. "$(dirname "$0")/harness.sh"

build=$(realpath "$1")
graze=$build/graze
models=${GRAZE_MODELS:-$root/../shared/models}
cd "$temporary" || exit
if [ ! -e "$build/tests/libgraze_pack.a" ]; then
    skip "compressed files" "built without them"
    exit 0
fi
for program in gltfpack draco_transcoder; do
    command -v $program >/dev/null || {
        skip "compressed files" "no $program"
        exit 0
    }
done

# The triangles of a posed model by the positions of their corners, in no order of the file's: packers
# renumber vertices, and begin triangles at another corner.
triangles() {
    "$graze" pose "$@" -o posed.obj >/dev/null && awk '
        $1 == "v" { place[++count] = $2 " " $3 " " $4 }
        $1 == "f" {
            a = place[$2 + 0]; b = place[$3 + 0]; c = place[$4 + 0]
            print b < a && b <= c ? b "|" c "|" a : c < a && c < b ? c "|" a "|" b : a "|" b "|" c
        }' posed.obj | LC_ALL=C sort >"triangles"
}

# same_triangles A B OPTION...: there are some, and they are the same
same_triangles() {
    local a=$1 b=$2
    shift 2
    triangles "$a" "$@" && mv triangles wanted && triangles "$b" "$@" && [ -s wanted ] && cmp wanted triangles
}

# Pairs in the numbering of the file, or their number where that is another one.
answers() {
    local model=$1
    shift
    "$graze" collide "$model" --at 0.2,0,0.05 --times 0:0.6:5 --json "$@" |
        sed -E 's/,"stats".*//' >answers && grep -q '"hit":true' answers
}

same_answers() {
    local a=$1 b=$2
    shift 2
    answers "$a" "$@" && mv answers wanted-answers && answers "$b" "$@" && cmp wanted-answers answers
}

# is_packed FILE EXTENSION
is_packed() { LC_ALL=C grep -qa "\"extensionsRequired\":\[[^]]*\"$2\"" "$1"; }

# The compressed file and, from the same run, the bytes as gltfpack has them uncompressed: read where
# the extension has another name.
same_as_fallback() {
    local model=$1
    shift
    gltfpack -cf "$@" -i "$model" -o fallback.glb || return
    LC_ALL=C sed 's/EXT_meshopt_compression/XXX_meshopt_compression/g' fallback.glb >plain.glb
    LC_ALL=C grep -qa EXT_meshopt fallback.glb &&
        "$graze" pose plain.glb --time 0.3 -o plain.obj && "$graze" pose fallback.glb --time 0.3 -o packed.obj &&
        cmp <(grep ^v plain.obj) <(grep ^v packed.obj) && same_answers plain.glb fallback.glb
}

# try_gltfpack MODEL NAME: with integers and with floats
try_gltfpack() {
    local model=$1 name=$2 floats
    for floats in "" -noq; do
        expect_ok "gltfpack $floats of $name" gltfpack $floats -i "$model" -o plain-$name.glb
        expect_ok "gltfpack -c $floats" gltfpack $floats -c -i "$model" -o c.glb
        expect_ok "gltfpack -cc $floats" gltfpack $floats -cc -i "$model" -o cc.glb
        expect_ok "they are compressed" is_packed cc.glb EXT_meshopt_compression
        expect_ok "-c $floats: the same triangles" same_triangles plain-$name.glb c.glb --time 0.3
        # -cc rounds the keys of clips further: as the file poses it all is the same
        expect_ok "-cc $floats: the same triangles" same_triangles plain-$name.glb cc.glb --clip none
        expect_ok "-cf $floats: the same numbering and answers" same_as_fallback "$model" $floats
    done
    expect_ok "-c: as many pairs" same_answers plain-$name.glb c.glb --count
}

try_draco() {
    local model=$1 name=$2
    expect_ok "Draco of $name, not quantised" draco_transcoder -i "$model" -o exact.glb -qp 0 -qg 0 -qw 0
    expect_ok "it is compressed" is_packed exact.glb KHR_draco_mesh_compression
    expect_ok "the same triangles" same_triangles "$model" exact.glb --time 0.3
    expect_ok "as many pairs" same_answers "$model" exact.glb --count
    expect_ok "quantised" draco_transcoder -i "$model" -o draco.glb
    expect_ok "it can be read" triangles draco.glb --time 0.3
}

expect_ok "a model" "$graze" synth robot-skinned --triangles 3000 -o robot.glb
expect_ok "a morphing one" "$graze" synth curtain --triangles 1000 -o curtain.glb
try_gltfpack robot.glb robot
try_draco robot.glb robot
expect_ok "gltfpack of the morphing one" gltfpack -noq -i curtain.glb -o curtain-plain.glb
expect_ok "gltfpack -cc of it" gltfpack -noq -cc -i curtain.glb -o curtain-cc.glb
expect_ok "the same triangles" same_triangles curtain-plain.glb curtain-cc.glb --clip none
for name in CesiumMan Fox; do
    if [ -e "$models/$name.glb" ]; then
        expect_ok "Draco of $name" draco_transcoder -i "$models/$name.glb" -o exact.glb -qp 0 -qg 0 -qw 0
        expect_ok "$name: the same triangles" same_triangles "$models/$name.glb" exact.glb --time 0.3
        expect_ok "gltfpack of $name" gltfpack -noq -i "$models/$name.glb" -o plain.glb
        expect_ok "gltfpack -c of $name" gltfpack -noq -c -i "$models/$name.glb" -o c.glb
        expect_ok "$name: the same triangles" same_triangles plain.glb c.glb --time 0.3
    fi
done
head -c 20000 exact.glb >short.glb
expect_exit 2 '^graze: short.glb: [^ ].*' "a file that is cut off" "$graze" info short.glb
