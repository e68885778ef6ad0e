# Written by `graze help --completion bash`; do not edit.
_graze_words() {
    local IFS=$' \n'
    COMPREPLY=($(compgen -W "$1" -- "$word"))
}
_graze_files() {
    local IFS=$'\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen "$@" -- "$word"))
}
_graze() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        _graze_words 'info pose collide self ray distance sweep touch fit chain world modes compress synth demo bench help --help --version'
        return
    fi
    case ${COMP_WORDS[1]}:$before in
    info:--parts-by) _graze_words 'joint mesh material' ;;
    info:--shape) _graze_files -f ;;
    info:--skin) _graze_words 'linear spherical dual' ;;
    info:--tree) _graze_words 'default paper spheres' ;;
    pose:-o) _graze_files -f ;;
    pose:--clip) ;;
    pose:--time) ;;
    pose:--times) ;;
    pose:--skin) _graze_words 'linear spherical dual' ;;
    pose:--tree) _graze_words 'default paper spheres' ;;
    pose:--at) ;;
    pose:--turn) ;;
    pose:--phase) ;;
    pose:--clip-b) ;;
    pose:--skin-b) _graze_words 'linear spherical dual' ;;
    collide:--clip) ;;
    collide:--time) ;;
    collide:--times) ;;
    collide:--skin) _graze_words 'linear spherical dual' ;;
    collide:--tree) _graze_words 'default paper spheres' ;;
    collide:--at) ;;
    collide:--turn) ;;
    collide:--phase) ;;
    collide:--clip-b) ;;
    collide:--skin-b) _graze_words 'linear spherical dual' ;;
    collide:--part) ;;
    collide:--parts-by) _graze_words 'joint mesh material' ;;
    collide:--shape) _graze_files -f ;;
    collide:--part-b) ;;
    collide:--method) _graze_words 'lazy bottom-up brute' ;;
    collide:--repeat) ;;
    collide:-o) _graze_files -f ;;
    collide:--csv) _graze_files -f ;;
    collide:--report) _graze_files -f ;;
    self:--between) ;;
    self:--clip) ;;
    self:--time) ;;
    self:--times) ;;
    self:--skin) _graze_words 'linear spherical dual' ;;
    self:--tree) _graze_words 'default paper spheres' ;;
    self:--at) ;;
    self:--turn) ;;
    self:--phase) ;;
    self:--clip-b) ;;
    self:--skin-b) _graze_words 'linear spherical dual' ;;
    self:--part) ;;
    self:--parts-by) _graze_words 'joint mesh material' ;;
    self:--shape) _graze_files -f ;;
    self:--method) _graze_words 'lazy bottom-up brute' ;;
    self:--repeat) ;;
    self:-o) _graze_files -f ;;
    self:--csv) _graze_files -f ;;
    self:--report) _graze_files -f ;;
    ray:--origin) ;;
    ray:--dir) ;;
    ray:--tmin) ;;
    ray:--tmax) ;;
    ray:--clip) ;;
    ray:--time) ;;
    ray:--times) ;;
    ray:--skin) _graze_words 'linear spherical dual' ;;
    ray:--tree) _graze_words 'default paper spheres' ;;
    ray:--at) ;;
    ray:--turn) ;;
    ray:--phase) ;;
    ray:--clip-b) ;;
    ray:--skin-b) _graze_words 'linear spherical dual' ;;
    ray:--part) ;;
    ray:--parts-by) _graze_words 'joint mesh material' ;;
    ray:--shape) _graze_files -f ;;
    ray:--method) _graze_words 'lazy brute' ;;
    ray:--repeat) ;;
    ray:-o) _graze_files -f ;;
    ray:--csv) _graze_files -f ;;
    distance:--limit) ;;
    distance:--closer-than) ;;
    distance:--within) ;;
    distance:--clip) ;;
    distance:--time) ;;
    distance:--times) ;;
    distance:--skin) _graze_words 'linear spherical dual' ;;
    distance:--tree) _graze_words 'default paper spheres' ;;
    distance:--at) ;;
    distance:--turn) ;;
    distance:--phase) ;;
    distance:--clip-b) ;;
    distance:--skin-b) _graze_words 'linear spherical dual' ;;
    distance:--part) ;;
    distance:--parts-by) _graze_words 'joint mesh material' ;;
    distance:--shape) _graze_files -f ;;
    distance:--part-b) ;;
    distance:--method) _graze_words 'lazy brute' ;;
    distance:--repeat) ;;
    distance:-o) _graze_files -f ;;
    distance:--csv) _graze_files -f ;;
    sweep:--times) ;;
    sweep:--clip) ;;
    sweep:--skin) _graze_words 'linear spherical dual' ;;
    sweep:--tree) _graze_words 'default paper spheres' ;;
    sweep:--at) ;;
    sweep:--turn) ;;
    sweep:--phase) ;;
    sweep:--clip-b) ;;
    sweep:--skin-b) _graze_words 'linear spherical dual' ;;
    sweep:--part) ;;
    sweep:--parts-by) _graze_words 'joint mesh material' ;;
    sweep:--shape) _graze_files -f ;;
    sweep:--part-b) ;;
    sweep:--method) _graze_words 'lazy brute' ;;
    sweep:--repeat) ;;
    sweep:-o) _graze_files -f ;;
    sweep:--csv) _graze_files -f ;;
    sweep:--report) _graze_files -f ;;
    touch:--sphere) ;;
    touch:--capsule) ;;
    touch:--box) ;;
    touch:--plane) ;;
    touch:--half-space) ;;
    touch:--point) ;;
    touch:--clip) ;;
    touch:--time) ;;
    touch:--times) ;;
    touch:--skin) _graze_words 'linear spherical dual' ;;
    touch:--tree) _graze_words 'default paper spheres' ;;
    touch:--part) ;;
    touch:--parts-by) _graze_words 'joint mesh material' ;;
    touch:--shape) _graze_files -f ;;
    touch:--method) _graze_words 'lazy brute' ;;
    touch:--repeat) ;;
    touch:-o) _graze_files -f ;;
    touch:--csv) _graze_files -f ;;
    fit:-o) _graze_files -f ;;
    fit:--parts-by) _graze_words 'joint mesh material' ;;
    fit:--shape) _graze_files -f ;;
    fit:--mesh) _graze_files -f ;;
    fit:--triangles) ;;
    fit:--mesh-out) _graze_files -f ;;
    fit:--fine) ;;
    chain:--update) _graze_words 'pivots conservative' ;;
    chain:--method) _graze_words 'chains all tree' ;;
    chain:--ends) ;;
    chain:--describe) _graze_files -f ;;
    chain:--step) ;;
    chain:--rays) ;;
    chain:--per-level) ;;
    chain:--overlap) ;;
    chain:--pivots) ;;
    chain:--clusters) ;;
    chain:--clip) ;;
    chain:--time) ;;
    chain:--times) ;;
    chain:--skin) _graze_words 'linear spherical dual' ;;
    chain:--tree) _graze_words 'default paper spheres' ;;
    chain:--at) ;;
    chain:--turn) ;;
    chain:--phase) ;;
    chain:--clip-b) ;;
    chain:--skin-b) _graze_words 'linear spherical dual' ;;
    chain:--repeat) ;;
    chain:-o) _graze_files -f ;;
    world:--threads) ;;
    world:-o) _graze_files -f ;;
    world:--tolerance) ;;
    modes:-m) ;;
    modes:-o) _graze_files -f ;;
    modes:--thickness) ;;
    modes:--young) ;;
    modes:--density) ;;
    modes:--poisson) ;;
    modes:--clamp) ;;
    modes:--damping) ;;
    modes:--rayleigh) ;;
    modes:--amplitude) ;;
    compress:-m) ;;
    compress:-o) _graze_files -f ;;
    compress:--clip) ;;
    compress:--times) ;;
    compress:--skin) _graze_words 'linear spherical dual' ;;
    synth:-o) _graze_files -f ;;
    synth:--triangles) ;;
    synth:--subdivide) ;;
    demo:--report) _graze_files -f ;;
    demo:-o) _graze_files -f ;;
    demo:--threads) ;;
    demo:--seconds) ;;
    demo:--players) ;;
    bench:--rounds) ;;
    bench:--models) _graze_files -d ;;
    bench:--only) ;;
    bench:--csv) _graze_files -f ;;
    bench:--plot) _graze_files -d ;;
    bench:--limit) ;;
    bench:--count) ;;
    bench:--triangles) ;;
    bench:--seconds) ;;
    bench:--threads) ;;
    help:--completion) _graze_words 'bash zsh fish' ;;
    *) _graze_rest ;;
    esac
}
_graze_rest() {
    case ${COMP_WORDS[1]}:$word in
    info:-*) _graze_words '--parts --parts-by --shape --skin --tree --json --help' ;;
    info:*) _graze_files -f -X '!*.gl[bt]*'; _graze_files -d ;;
    pose:-*) _graze_words '-o --json --clip --time --times --skin --tree --at --turn --phase --clip-b --skin-b --help' ;;
    pose:*) _graze_files -f -X '!*.gl[bt]*'; _graze_files -d ;;
    collide:-*) _graze_words '--first --count --parts --contacts --fail-on-hit --clip --time --times --skin --tree --at --turn --phase --clip-b --skin-b --part --parts-by --shape --part-b --method --repeat --json -o --csv --report --help' ;;
    collide:*) _graze_files -f -X '!*.gl[bt]*'; _graze_files -d ;;
    self:-*) _graze_words '--new --first --count --fail-on-hit --between --parts --clip --time --times --skin --tree --at --turn --phase --clip-b --skin-b --part --parts-by --shape --method --repeat --json -o --csv --report --help' ;;
    self:*) _graze_files -f -X '!*.gl[bt]*'; _graze_files -d ;;
    ray:-*) _graze_words '--origin --dir --tmin --tmax --all --any --fail-on-hit --clip --time --times --skin --tree --at --turn --phase --clip-b --skin-b --part --parts-by --shape --method --repeat --json -o --csv --help' ;;
    ray:*) _graze_files -f -X '!*.gl[bt]*'; _graze_files -d ;;
    distance:-*) _graze_words '--limit --closer-than --within --fail-on-hit --clip --time --times --skin --tree --at --turn --phase --clip-b --skin-b --part --parts-by --shape --part-b --method --repeat --json -o --csv --help' ;;
    distance:*) _graze_files -f -X '!*.gl[bt]*'; _graze_files -d ;;
    sweep:-*) _graze_words '--times --self --new --fail-on-hit --clip --skin --tree --at --turn --phase --clip-b --skin-b --part --parts-by --shape --part-b --method --repeat --json -o --csv --report --help' ;;
    sweep:*) _graze_files -f -X '!*.gl[bt]*'; _graze_files -d ;;
    touch:-*) _graze_words '--sphere --capsule --box --plane --half-space --point --first --count --fail-on-hit --clip --time --times --skin --tree --part --parts-by --shape --method --repeat --json -o --csv --help' ;;
    touch:*) _graze_files -f -X '!*.gl[bt]*'; _graze_files -d ;;
    fit:-*) _graze_words '-o --parts-by --shape --mesh --triangles --mesh-out --fine --json --help' ;;
    fit:*) _graze_files -f -X '!*.gl[bt]*'; _graze_files -d ;;
    chain:-*) _graze_words '--exact --fail-on-hit --update --method --ends --describe --step --rays --per-level --overlap --pivots --paper-pivots --clusters --clip --time --times --skin --tree --at --turn --phase --clip-b --skin-b --repeat --json -o --help' ;;
    chain:*) _graze_files -f -X '!*.gl[bt]*'; _graze_files -d ;;
    world:-*) _graze_words '--stay --fail-on-hit --json --threads -o --tolerance --help' ;;
    world:*) _graze_files -f -X '!*.json'; _graze_files -d ;;
    modes:-*) _graze_words '-m -o --json --thickness --young --density --poisson --clamp --damping --rayleigh --amplitude --help' ;;
    modes:*) _graze_files -f -X '!*.gl[bt]*'; _graze_files -d ;;
    compress:-*) _graze_words '-m -o --json --clip --times --skin --help' ;;
    compress:*) _graze_files -f -X '!*.gl[bt]*'; _graze_files -d ;;
    synth:-*) _graze_words '-o --triangles --subdivide --list --json --help' ;;
    synth:*) _graze_words 'man creature dwarf curtain chair ball robot robot-skinned player man-morphing fish bridge' ;;
    demo:-*) _graze_words '--json --report -o --threads --seconds --players --capsules --help' ;;
    demo:*) _graze_words 'men creatures dwarves-free-0 dwarves-free-1 dwarves-free-2 dwarves-free-3 dwarves-touching-0 dwarves-touching-1 dwarves-touching-2 dwarves-touching-3 crowd candy curtain chairs ragdoll soccer' ;;
    bench:-*) _graze_words '--rounds --models --only --csv --plot --limit --count --triangles --seconds --threads --json --help' ;;
    bench:*) _graze_words 'lbs sbs bdtree queries peers scale world positions cliffs modes chain chairs bridge all' ;;
    help:-*) _graze_words '--man --completion --help' ;;
    help:*) _graze_words 'info pose collide self ray distance sweep touch fit chain world modes compress synth demo bench help' ;;
    esac
}
complete -F _graze graze
