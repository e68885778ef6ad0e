# Reads a list of source files on standard input; see check_includes.sh.

BEGIN {
    room_count = split("base math exact narrow mesh tree deform records folds model body parts query chain world", names, " ")
    for (i = 1; i <= room_count; i++)
        room_rank[names[i]] = i

    # The room whose things a public header of the core declares; the rest belong to queries.
    split("base version pool stats", names, " ")
    for (i in names)
        header_room[names[i] ".h"] = "base"
    header_room["shape.h"] = "narrow"
    header_room["parts.h"] = "parts"
    header_room["part_tree.h"] = "parts"
    header_room["decimate.h"] = "parts"
    header_room["chain.h"] = "parts"
    header_room["chain_pose.h"] = header_room["chain_batch.h"] = "chain"
    header_room["model.h"] = "mesh"
    header_room["world.h"] = header_room["response.h"] = "world"
    header_room["body.h"] = header_room["inspect.h"] = header_room["freeze.h"] = header_room["lean.h"] = "body"

    standard = "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp " \
               "signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn " \
               "string tgmath threads time uchar wchar wctype"
    system_headers = "^(pthread|malloc|process|windows)\\.h$"
    count = split(standard, names, " ")
    for (i = 1; i <= count; i++)
        is_standard[names[i] ".h"] = 1
    intrinsics = "^([a-z]mmintrin|immintrin|arm_neon|wasm_simd128)\\.h$"
}

{ exists[$0] = 1 }

END {
    find_core()
    for (file in exists)
        check_file(file)
    exit problems > 0
}

# The includes of a file, into included[1..n] as written (with < or "), their lines into at[].
function read_includes(file, included, at,    line, number, n, text) {
    n = number = 0
    while ((getline line < file) > 0) {
        number++
        if (line !~ /^[ \t]*#[ \t]*include[ \t]*[<"]/)
            continue
        text = line
        sub(/^[^<"]*/, "", text)
        match(text, /^.[^>"]*/)
        included[++n] = substr(text, 1, RLENGTH)
        at[n] = number
    }
    close(file)
    return n
}

# Marks the core's public headers: <graze/graze.h>, those it names, and the references.
function find_core(    included, at, n, i) {
    is_core["graze.h"] = is_core["reference.h"] = 1
    n = read_includes("include/graze/graze.h", included, at)
    for (i = 1; i <= n; i++)
        if (substr(included[i], 1, 7) == "<graze/")
            is_core[substr(included[i], 8)] = 1
}

function folder_of(path) { return path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) : "" }

# a/b/../c -> a/c
function without_dots(path) {
    gsub(/\/\.\//, "/", path)
    sub(/^\.\//, "", path)
    while (match(path, /[^\/.][^\/]*\/\.\.\//))
        path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
    return path
}

# The file a quoted include means: beside the file, in src/, at the root, or as it stands.
function resolve(file, name,    beside) {
    beside = without_dots(folder_of(file) "/" name)
    if (beside in exists) return beside
    if (("src/" name) in exists) return "src/" name
    if (name in exists) return name
    return beside
}

function problem(file, line, text) {
    print file ":" line ": " text
    problems++
}

# A body's fields are named by its own room alone; everybody else asks (body/bounds.h, patches.h).
function check_bodies(file,    line, number) {
    number = 0
    while ((getline line < file) > 0) {
        number++
        if (line ~ /(^|[^A-Za-z0-9_])(body|bodies\[[^]]*\])->/)
            problem(file, number, "only src/body looks into a body")
    }
    close(file)
}

function check_file(file,    included, at, n, i, name, angle) {
    if (file ~ /^src\// && file !~ /^src\/body\//)
        check_bodies(file)
    n = read_includes(file, included, at)
    for (i = 1; i <= n; i++) {
        angle = substr(included[i], 1, 1) == "<"
        name = substr(included[i], 2)
        if (file ~ /^include\//)
            check_public(file, at[i], name, angle)
        else if (file ~ /^src\//)
            check_core(file, at[i], name, angle)
        else if (file ~ /^bench\/eager\// && name ~ /^narrow\//)
            continue
        else if (file ~ /^adapters\/cuda\// && name == "chain/chain_kernel.h")
            continue
        else if (file !~ /^tests\/(unit|support|cgal)\// && resolve(file, name) ~ /^src\//)
            problem(file, at[i], "only tests may include from src/: " name)
    }
}

function check_public(file, line, name, angle,    own, short) {
    own = file
    sub(/^.*\//, "", own)
    short = name
    if (angle && (name in is_standard))
        return
    if (!angle || !sub(/^graze\//, "", short) || !(("include/" name) in exists))
        problem(file, line, "a public header includes only <graze/...> and standard headers: " name)
    else if ((own in is_core) && !(short in is_core))
        problem(file, line, "a header of the core includes one that is not: " name)
    else if ((own in is_core) && own != "graze.h" && rank_of(short) > rank_of(own))
        problem(file, line, "a header of " room_of(own) " includes one of " room_of(short) ": " name)
}

function room_of(header) { return header in header_room ? header_room[header] : "query" }
function rank_of(header) { return room_rank[room_of(header)] }

function check_core(file, line, name, angle,    parts, own, other, target) {
    split(file, parts, "/")
    own = parts[2]
    if (!(own in room_rank)) {
        problem(file, line, "src/" own " is not a room")
        return
    }
    if (angle && name ~ intrinsics) {
        if (own != "math")
            problem(file, line, "instruction sets are known to src/math alone: " name)
        return
    }
    if (angle && name ~ system_headers) {
        if (file !~ /^src\/base\/os[._]/)
            problem(file, line, "an operating system is known to src/base/os* alone: " name)
        return
    }
    if (angle) {
        target = name
        if (!(name in is_standard) && !(sub(/^graze\//, "", target) && (target in is_core)))
            problem(file, line, "the core needs C17 and threads alone: " name)
        else if (!(name in is_standard) && rank_of(target) > room_rank[own])
            problem(file, line, "room " own " may not include a header of " room_of(target) ": " name)
        return
    }
    target = resolve(file, name)
    if (target !~ /^src\/[^\/]+\//) {
        problem(file, line, "src/ includes only itself and <graze/...>: " name)
        return
    }
    split(target, parts, "/")
    other = parts[2]
    if (!(target in exists))
        problem(file, line, "no such file: " name)
    else if (!(other in room_rank) || room_rank[other] > room_rank[own])
        problem(file, line, "room " own " may not include from room " other ": " name)
}
