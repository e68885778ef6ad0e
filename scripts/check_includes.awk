# Reads a list of source files on standard input; see check_includes.sh.

BEGIN {
    count = split("base math exact narrow mesh tree deform records folds model body query rays pairs self " \
                  "distance touch contact sweep ask", names, " ")
    for (i = 1; i <= count; i++) {
        room_rank[names[i]] = i
        room_home[names[i]] = "src"
    }
    # The extensions, and what each opens of the core beside the public headers.
    opens["parts"] = "base body"
    opens["decimate"] = "base math model"
    opens["draw"] = "base narrow body"
    opens["hitbox"] = "base math narrow tree model body query touch contact"
    opens["chain"] = "base math mesh tree deform records model body"
    opens["world"] = "base math narrow deform model body query rays touch sweep"
    opens["record"] = "base mesh model body contact ask"
    opens["batch"] = "base math mesh narrow model self"
    extension_count = split("parts decimate hitbox draw chain world record batch", names, " ")
    for (i = 1; i <= extension_count; i++) {
        room_rank[names[i]] = count + i
        room_home[names[i]] = "ext"
        header_room["ext/" names[i] ".h"] = names[i]
    }

    # The room whose things a public header of the core declares; the rest belong to queries.
    split("base pool", names, " ")
    for (i in names)
        header_room[names[i] ".h"] = "base"
    header_room["shape.h"] = "narrow"
    header_room["ext/chain_pose.h"] = header_room["ext/chain_batch.h"] = "chain"
    header_room["ext/batch_tables.h"] = "batch"
    header_room["model.h"] = "mesh"
    header_room["ext/response.h"] = "world"
    header_room["body.h"] = header_room["ext/inspect.h"] = "body"

    standard = "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp " \
               "signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn " \
               "string tgmath threads time uchar wchar wctype"
    system_headers = "^(pthread|malloc|process|windows)\\.h$"
    count = split(standard, names, " ")
    for (i = 1; i <= count; i++)
        is_standard[names[i] ".h"] = 1
    intrinsic_names = "(^|[^A-Za-z0-9_])(_mm[0-9]*_|__m(128|256|512|mask)|v(ld|st)[1-4]q?_|" \
                      "(float|u?int)[0-9]+x[0-9]+_t|wasm_[a-z0-9]+x[0-9]+|v128_t)"
    intrinsics = "^([a-z]mmintrin|immintrin|arm_neon|wasm_simd128)\\.h$"
}

{ exists[$0] = 1 }

END {
    find_core()
    for (file in exists)
        check_file(file)
    for (file in exists)
        if (file ~ /^(src|ext)\/.*\.c$/)
            find_chapters(file, file)
    for (file in readers)
        if (split(readers[file], names, " ") > 1)
            problem(file, 1, "a chapter belongs to one .c file:" readers[file])
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

# Marks the core's public headers: <graze/graze.h>, those it names, and <graze/ext/inspect.h>.
function find_core(    included, at, n, i) {
    is_core["graze.h"] = is_core["ext/inspect.h"] = 1
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

# Writes down for which file that is compiled the chapters are that it includes, or that its headers do.
function find_chapters(source, file,    list, n, i) {
    n = split(uses[file], list, " ")
    for (i = 1; i <= n; i++) {
        if ((source, list[i]) in passed)
            continue
        passed[source, list[i]] = 1
        if (list[i] ~ /_chapter\.h$/)
            readers[list[i]] = readers[list[i]] " " source
        find_chapters(source, list[i])
    }
}

# The file a quoted include means: beside the file, in src/, in ext/, at the root, or as it stands.
function resolve(file, name,    beside) {
    beside = without_dots(folder_of(file) "/" name)
    if (beside in exists) return beside
    if (("src/" name) in exists) return "src/" name
    if (("ext/" name) in exists) return "ext/" name
    if (name in exists) return name
    return beside
}

function problem(file, line, text) {
    print file ":" line ": " text
    problems++
}

# A body's fields are named by its own room alone; everybody else asks (body/bounds.h, patches.h).
# What is for one instruction set alone is named in src/math (lanes.h, words.h, ...).
function check_lines(file,    line, number) {
    number = 0
    while ((getline line < file) > 0) {
        number++
        if (file !~ /^src\/body\// && line ~ /(^|[^A-Za-z0-9_])(body|bodies\[[^]]*\])->/)
            problem(file, number, "only src/body looks into a body")
        if (file !~ /^src\/math\// && line ~ intrinsic_names)
            problem(file, number, "intrinsics belong in src/math")
    }
    close(file)
}

function check_file(file,    included, at, n, i, name, angle) {
    if (file ~ /^(src|ext)\//)
        check_lines(file)
    n = read_includes(file, included, at)
    for (i = 1; i <= n; i++) {
        angle = substr(included[i], 1, 1) == "<"
        name = substr(included[i], 2)
        if (!angle)
            uses[file] = uses[file] " " resolve(file, name)
        if (file ~ /^include\//)
            check_public(file, at[i], name, angle)
        else if (file ~ /^(src|ext)\//)
            check_room(file, at[i], name, angle)
        else if (file ~ /^bench\/eager\// && name ~ /^narrow\//)
            continue
        else if (file ~ /^adapters\/cuda\// && name == "chain/chain_kernel.h")
            continue
        else if (file !~ /^tests\/(unit|support|cgal|install\/toys)\// && resolve(file, name) ~ /^(src|ext)\//)
            problem(file, at[i], "only tests may include from src/ and ext/: " name)
    }
}

function check_public(file, line, name, angle,    own, short) {
    own = file
    sub(/^include\/graze\//, "", own)
    short = name
    if (angle && (name in is_standard))
        return
    if (!angle || !sub(/^graze\//, "", short) || !(("include/" name) in exists))
        problem(file, line, "a public header includes only <graze/...> and standard headers: " name)
    else if ((own in is_core) && !(short in is_core))
        problem(file, line, "a header of the core includes one that is not: " name)
    else if (own != "graze.h" && is_ranked(own) && !(is_ranked(short) && rank_of(short) <= rank_of(own)))
        problem(file, line, "a header of " room_of(own) " includes one of " room_of(short) ": " name)
}

function is_ranked(header) { return (header in is_core) || header ~ /^ext\// }
function room_of(header) { return header in header_room ? header_room[header] : "query" }
function rank_of(header) { return room_rank[room_of(header)] }

# Whether a room may include from another.
function may_open(own, other,    list, n, i) {
    if (!(other in room_rank) || room_rank[other] > room_rank[own])
        return 0
    if (room_home[own] == room_home[other])
        return 1
    n = split(opens[own], list, " ")
    for (i = 1; i <= n; i++)
        if (list[i] == other)
            return 1
    return 0
}

function check_room(file, line, name, angle,    parts, own, other, target) {
    split(file, parts, "/")
    own = parts[2]
    if (room_home[own] != parts[1]) {
        problem(file, line, parts[1] "/" own " is not a room")
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
        if (!(name in is_standard) && !(sub(/^graze\//, "", target) && is_ranked(target)))
            problem(file, line, "the core and its extensions need C17 and threads alone: " name)
        else if (!(name in is_standard) && rank_of(target) > room_rank[own])
            problem(file, line, "room " own " may not include a header of " room_of(target) ": " name)
        return
    }
    target = resolve(file, name)
    if (target !~ /^(src|ext)\/[^\/]+\//) {
        problem(file, line, "src/ and ext/ include only themselves and <graze/...>: " name)
        return
    }
    split(target, parts, "/")
    other = parts[2]
    if (!(target in exists))
        problem(file, line, "no such file: " name)
    else if (!may_open(own, other))
        problem(file, line, "room " own " may not include from room " other ": " name)
}
