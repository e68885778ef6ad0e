# Reads public headers and writes, for every function that takes pointers, C that calls it with one of
# them NULL: `awk -v output=FILE -f null_calls.awk HEADER...`. What the others are is left to functions
# valid_TYPE(fixture, function, parameter), TYPE spelled as below, so that a type nobody has thought of
# does not compile. See tests/unit/test_null.c.

# The prototypes, one a statement: comments, preprocessor lines and bodies are cut out.
{
    line = $0
    if (line ~ /^[ \t]*#/ || continued) {
        continued = line ~ /\\$/
        next
    }
    text = text " " line
}

END {
    while ((from = index(text, "/*")) > 0) {
        rest = substr(text, from + 2)
        text = substr(text, 1, from - 1) " " substr(rest, index(rest, "*/") + 2)
    }
    gsub(/extern "C" \{/, " ", text)
    statement = ""
    depth = 0
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (c == "{")
            depth++
        else if (c == "}")
            depth = depth > 0 ? depth - 1 : 0
        else if (c == ";" && depth == 0) {
            take(statement)
            statement = ""
        } else if (depth == 0)
            statement = statement c
    }
    print "static const null_function null_functions[] = {" > output
    printf "%s", rows > output
    print "};" > output
    if (count == 0) {
        print "no prototypes found" > "/dev/stderr"
        exit 1
    }
}

function trim(s) {
    gsub(/[ \t]+/, " ", s)
    sub(/^ /, "", s)
    sub(/ $/, "", s)
    return s
}

# graze_body * -> graze_body_p, const float [3] -> float_p, graze_model ** -> graze_model_pp
function spell(type) {
    gsub(/const /, "", type)
    gsub(/struct /, "", type)
    gsub(/\*/, "p", type)
    gsub(/ p/, "_p", type)
    gsub(/ /, "", type)
    return type
}

function take(s,   name, result, parameters, n, parts, k, p, type, own, calls, names, flags, any, pointer) {
    s = trim(s)
    if (s ~ /^(typedef|struct|enum|static|extern)/ || s !~ /graze_[a-z0-9_]+ ?\(.*\)$/)
        return
    while (s ~ /^[A-Z][A-Z0-9_]+ /) # macros before the type
        sub(/^[A-Z][A-Z0-9_]+ /, "", s)
    match(s, /graze_[a-z0-9_]+ ?\(/)
    result = trim(substr(s, 1, RSTART - 1))
    name = trim(substr(s, RSTART, RLENGTH - 1))
    parameters = trim(substr(s, RSTART + RLENGTH))
    sub(/\)$/, "", parameters)
    if (parameters == "void")
        return
    n = split(parameters, parts, ",")
    for (k = 1; k <= n; k++) {
        p = trim(parts[k])
        match(p, /[a-z0-9_]+(\[[^]]*\])?$/)
        own = substr(p, RSTART, RLENGTH)
        type = trim(substr(p, 1, RSTART - 1))
        if (own ~ /\[/) {
            sub(/\[.*/, "", own)
            type = type " *"
        }
        type = spell(type)
        pointer = type ~ /_p+$/ || type ~ /_fn$/
        any = any || pointer
        calls = calls (k > 1 ? ", " : "") (pointer ? "null == " (k - 1) " ? NULL : " : "") \
            "valid_" type "(f, \"" name "\", \"" own "\")"
        names = names (k > 1 ? ", " : "") "\"" own "\""
        flags = flags (k > 1 ? ", " : "") (pointer ? 1 : 0)
    }
    if (!any)
        return
    count++
    print "static null_result call_" name "(null_fixture *f, int null)\n{" > output
    print "    null_result result = {0};\n    (void)null;" > output
    if (result == "void")
        print "    " name "(" calls ");\n    result.kind = NULL_NOTHING;" > output
    else if (result == "graze_status")
        print "    result.status = " name "(" calls ");\n    result.kind = NULL_STATUS;" > output
    else if (result ~ /\*$/)
        print "    result.number = " name "(" calls ") != NULL;\n    result.kind = NULL_VALUE;" > output
    else if (result == "bool" || result == "uint32_t" || result == "size_t" || result == "float")
        print "    result.number = (double)" name "(" calls ");\n    result.kind = NULL_VALUE;" > output
    else
        print "    " result " value = " name "(" calls ");\n    keep_" result \
            "(f, &value, &result);" > output
    print "    return result;\n}\n" > output
    rows = rows "    {\"" name "\", call_" name ", " n ", {" names "}, {" flags "}},\n"
}
