#!/usr/bin/env bash
# Builds the examples against an installed copy, as a user would, and runs them:
# `test_examples.sh BUILD`.
. "$(dirname "$0")/../scripts/harness.sh"

build=$(realpath "$1")
cd "$temporary" || exit

build_examples() {
    cmake --install "$build" --prefix "$temporary/graze" &&
        cmake -S "$root/examples" -B examples -DCMAKE_PREFIX_PATH="$temporary/graze" \
            -DCMAKE_C_FLAGS="-Wall -Wextra -Wpedantic -Werror" \
            -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Werror" &&
        cmake --build examples --parallel "$(nproc)"
}

# prints LINE COMMAND...: whether the command is well and prints that line.
prints() {
    local line=$1 output
    shift
    output=$("$@") && grep -qxF -- "$line" <<<"$output" || {
        echo "wanted: $line"
        echo "$output"
        return 1
    }
}

# Cloth is chaotic: another compiler's rounding is another cloth. But it falls, and crumples.
cloth_crumples() {
    local output
    output=$(examples/cloth) && [ "$(wc -l <<<"$output")" = 12 ] &&
        grep -q '^0.08 s: smooth$' <<<"$output" && grep -q 'runs into itself' <<<"$output"
}

# Some leaves, not all, and a path for each edge of them.
draw_draws() {
    local output words boxes
    output=$(examples/draw bent.svg) && words=($output) && boxes=$(grep -c "fill='none'/>" bent.svg)
    [ "${words[6]}" -gt 0 ] && [ "${words[6]}" -lt "${words[8]}" ] &&
        [ "$boxes" = $((12 * words[6])) ] && grep -q '</svg>' bent.svg || {
        echo "$output; $boxes edges"
        return 1
    }
}

check_clips() { GRAZE=$build/graze bash "$root/examples/check_clips.sh" "$@"; }

# The whole of the smallest program: lines, and headers of Graze.
is_small() {
    local file=$root/examples/ray_from_file.c
    [ "$(wc -l <"$file")" -lt 25 ] && [ "$(grep -c '#include <graze/' "$file")" = 1 ]
}

expect_ok "examples build against an installed Graze" build_examples
expect_ok "models for them" bash -c "'$build/graze' synth man -o man.glb && '$build/graze' synth ball -o ball.glb"
expect_ok "the smallest is under 25 lines, with one header" is_small
expect_ok "ray_from_file" prints fingers.L examples/ray_from_file man.glb
sed 's/"name":/"nome":/g' man.glb >nameless.glb # the same lengths
expect_ok "ray_from_file, of a file without names" prints node/11 examples/ray_from_file nameless.glb
sed 's/"animations":/"anomations":/' man.glb >still.glb
expect_ok "ray_from_file, of a file without clips" prints nothing examples/ray_from_file still.glb
expect_exit 2 'nowhere.glb' "ray_from_file without a file" examples/ray_from_file nowhere.glb
expect_ok "vr_hand" prints "frame 3: hand.L hums, 65 %" examples/vr_hand man.glb ball.glb
expect_ok "game_loop" prints "frame 6: 4 shots hit, bob bumps into cem" examples/game_loop
expect_ok "cloth" cloth_crumples
expect_ok "bounce" prints "6 of 6 balls lie in the dish" examples/bounce
expect_ok "draw" draw_draws
expect_ok "check_clips, of a ball" check_clips ball.glb
expect_exit 1 'FAIL man.glb' "check_clips, of a man who bends his knees" check_clips ball.glb man.glb
expect_exit 2 'nowhere.glb' "check_clips without a file" check_clips nowhere.glb
