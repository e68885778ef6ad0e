#!/usr/bin/env bash
# Every check accepts a good tree and can fail: each bad tree differs from the good one in one thing.
. "$(dirname "$0")/harness.sh"

good_tree() {
    rm -rf "${temporary:?}/tree"
    mkdir -p "$temporary/tree"
    cd "$temporary/tree" || exit
    mkdir -p include/graze/ext src/base src/math src/tree src/pairs ext/world adapters/gltf cli tests/unit
    echo '#include <emmintrin.h>' >src/math/lanes.h
    echo '#include <stdint.h>' >include/graze/base.h
    echo 'int graze_version(void);' >>include/graze/base.h
    echo '#define GRAZE_LIMIT 3' >>include/graze/base.h
    echo '#include <graze/base.h>' >include/graze/graze.h
    echo '#include <graze/base.h>' >include/graze/gltf.h
    echo '#include <graze/base.h>' >src/base/memory.h
    echo '#include "memory.h"' >src/base/memory.c
    echo '#include <pthread.h>' >src/base/os_posix.c
    printf '#include "tree/ball.h"\n\n#include "base/memory.h"\n' >src/tree/ball.c
    touch src/tree/ball.h src/pairs/pair.h
    echo '#include "pairs/pair_chapter.h"' >src/pairs/pair.c
    touch src/pairs/pair_chapter.h ext/world/world.h
    echo '#include <graze/base.h>' >include/graze/ext/world.h
    printf '#include "world/world.h"\n\n#include "base/memory.h"\n\n#include <graze/ext/world.h>\n' >ext/world/world.c
    printf '#include "reader.h"\n\n#include <cjson/cJSON.h>\n#include <graze/gltf.h>\n' >adapters/gltf/load.c
    touch adapters/gltf/reader.h
    echo '#include <graze/graze.h>' >cli/main.c
    echo '#include "tree/ball.h"' >tests/unit/test_ball.c
    echo 'int graze_version(void) { return 1; }' >library.c
    echo 'void grazei_inner(void) {} static void own(void) {} void (*grazei_use)(void) = own;' >>library.c
}

make_library() { gcc -c library.c -o library.o && ar rcs libgraze.a library.o && rm library.o library.c; }

# includes_fail NAME PATTERN FILE LINE: the good tree with that line in that file
includes_fail() {
    good_tree
    echo "$4" >>"$3"
    expect_exit 1 "^$3:.*$2" "includes: $1" "$root/scripts/check_includes.sh" .
}

good_tree
expect_ok "includes: a good tree" "$root/scripts/check_includes.sh" .
includes_fail "a room above" "may not include from room pairs" src/tree/ball.c '#include "pairs/pair.h"'
includes_fail "a room above, relative" "may not include from room pairs" src/tree/ball.c '#include "../pairs/pair.h"'
includes_fail "a room above, indented" "may not include from room tree" src/base/memory.h '  #  include "tree/ball.h"'
includes_fail "an extension in the core" "may not include from room world" src/tree/ball.c '#include "world/world.h"'
includes_fail "an extension's header in the core" "a header of world" src/tree/ball.c '#include <graze/ext/world.h>'
includes_fail "an extension's header in a public one" "not: graze/ext" include/graze/base.h '#include <graze/ext/world.h>'
includes_fail "a room that an extension does not open" "from room tree" ext/world/world.c '#include "tree/ball.h"'
includes_fail "an extension in the command" "only tests may" cli/main.c '#include "world/world.h"'
includes_fail "a missing file" "no such file" src/pairs/pair.c '#include "tree/none.h"'
includes_fail "foreign code in the core" "C17 and threads alone" src/tree/ball.c '#include <cjson/cJSON.h>'
includes_fail "intrinsics outside math" "known to src/math alone" src/tree/ball.c '#include <immintrin.h>'
includes_fail "an intrinsic outside math" "intrinsics belong in src/math" src/tree/ball.c "__m128 a = _mm_setzero_ps();"
includes_fail "a system's threads outside os" "known to src/base/os" src/base/memory.c '#include <pthread.h>'
includes_fail "windows.h outside os" "known to src/base/os" src/tree/ball.c '#include <windows.h>'
includes_fail "an adapter in the core" "C17 and threads alone" src/tree/ball.c '#include <graze/gltf.h>'
includes_fail "an adapter's own header in the core" "include only themselves" src/tree/ball.c '#include "../../adapters/gltf/reader.h"'
includes_fail "a private header in a public one" "public header includes only" include/graze/base.h '#include "base/memory.h"'
includes_fail "a private header in a public one, in brackets" "public header includes only" include/graze/base.h '#include <base/memory.h>'
includes_fail "src/ in an adapter" "only tests may" adapters/gltf/load.c '#include "tree/ball.h"'
includes_fail "src/ in the command" "only tests may" cli/main.c '#include "../src/tree/ball.h"'
includes_fail "src/ in the command, in brackets" "only tests may" cli/main.c '#include <tree/ball.h>'
includes_fail "src/ in the command, from the root" "only tests may" cli/main.c '#include "src/tree/ball.h"'
good_tree
echo '#include "pairs/pair_chapter.h"' >src/pairs/other.c
expect_exit 1 "pair_chapter.h:1: a chapter belongs to one" "includes: a chapter of two files" \
    "$root/scripts/check_includes.sh" .
good_tree
mkdir src/odd
echo '#include "tree/ball.h"' >src/odd/thing.c
expect_exit 1 "src/odd is not a room" "includes: a new folder in src/" "$root/scripts/check_includes.sh" .
good_tree
echo '#include <graze/gltf.h>' >>include/graze/base.h
expect_exit 1 "base.h:4: .*not: graze/gltf" "includes: an adapter's header drawn into the core" \
    "$root/scripts/check_includes.sh" .

good_tree
make_library
expect_ok "symbols: a good library" "$root/scripts/check_symbols.sh" libgraze.a .
good_tree
sed -i 's/void grazei_inner/__attribute__((visibility("hidden"))) &/; s/void (\*grazei_use/static &/' library.c
gcc -shared -fPIC library.c -o libgraze.so
expect_ok "symbols: a good shared library" "$root/scripts/check_symbols.sh" libgraze.so .
good_tree
gcc -shared -fPIC library.c -o libgraze.so
expect_exit 1 "grazei_inner: exported" "symbols: an inner name exported" "$root/scripts/check_symbols.sh" libgraze.so .
good_tree
echo 'int graze_missing(void);' >>include/graze/base.h
gcc -shared -fPIC library.c -o libgraze.so
expect_exit 1 "graze_missing: not exported" "symbols: a public name not exported" \
    "$root/scripts/check_symbols.sh" libgraze.so .
good_tree
echo 'int helper(void) { return 1; }' >>library.c
make_library
expect_exit 1 "without prefix: helper" "symbols: a global without prefix" "$root/scripts/check_symbols.sh" libgraze.a .
good_tree
echo 'int counter = 1;' >>library.c
make_library
expect_exit 1 "without prefix: counter" "symbols: a variable without prefix" "$root/scripts/check_symbols.sh" libgraze.a .
good_tree
echo 'int graze_secret(void) { return 1; }' >>library.c
make_library
expect_exit 1 "graze_secret: defined as public" "symbols: a public name no header has" \
    "$root/scripts/check_symbols.sh" libgraze.a .
good_tree
make_library
echo 'char *oops(int (*callback)(void *));' >>include/graze/base.h
expect_exit 1 "base.h:4: public function without prefix: oops" "symbols: a public function without prefix" \
    "$root/scripts/check_symbols.sh" libgraze.a .
good_tree
make_library
echo '#define LIMIT GRAZE_LIMIT' >>include/graze/base.h
expect_exit 1 "macro without prefix: LIMIT" "symbols: a public macro without prefix" \
    "$root/scripts/check_symbols.sh" libgraze.a .
good_tree
touch libgraze.a
expect_exit 1 "nothing found" "symbols: an empty library" "$root/scripts/check_symbols.sh" libgraze.a .

# leftover NAME PATTERN TEXT: the good tree with that text in a source; the texts are put together
# here so that the check does not find them in this file
leftover() {
    good_tree
    echo "$3" >>src/tree/ball.c
    expect_exit 1 "$2" "leftovers: $1" "$root/scripts/check_leftovers.sh" .
}

good_tree
expect_ok "leftovers: a good tree" "$root/scripts/check_leftovers.sh" .
leftover "a path of one machine" "path of one machine" "\"/ro""ot/data\""
leftover "a note" "leftover note" "/* TO""DO: later */"
leftover "another note" "leftover note" "// FIX""ME"
leftover "switched-off code" "switched-off" "# if"" 0"
good_tree
echo 'printf("%s\n", body->name);' >cli/print.c
expect_exit 1 "does not escape" "leftovers: a raw name" "$root/scripts/check_leftovers.sh" .
echo 'printf("{\"name\":%s}\n", body->name);' >cli/print.c
expect_ok "leftovers: a name in JSON" "$root/scripts/check_leftovers.sh" .
good_tree
yes 'int x;' | head -n 701 >src/tree/ball.c
expect_exit 1 "ball.c: 701 lines" "leftovers: a giant file" "$root/scripts/check_leftovers.sh" .

good_tree
mkdir scripts && cp "$root"/scripts/{format,list_files}.sh scripts && cp "$root/.clang-format" .
rm library.c
expect_ok "format: a good tree" scripts/format.sh --check
echo 'int   x ;' >>src/tree/ball.c
expect_exit 1 "src/tree/ball.c:4: not formatted" "format: a file that is not" scripts/format.sh --check
expect_ok "format: puts it right" scripts/format.sh
expect_ok "format: was put right" scripts/format.sh --check

good_tree
mkdir docs
printf 'old name,old header,name,header,how\ngraze_release,base.h,graze_version,base.h,a text\n' >docs/api-names.csv
"$root/scripts/api_names.sh" .
echo '`graze_version` tells it.' >README.md
expect_ok "names: a good tree" "$root/scripts/api_names.sh" --check .
echo '`graze_release` tells it.' >README.md
expect_exit 1 "README.md: no header has graze_release" "names: a page of before" "$root/scripts/api_names.sh" --check .
rm README.md
echo 'graze_number,base.h,graze_gone,base.h,' >>docs/api-names.csv
expect_exit 1 "csv:3: base.h does not declare graze_gone" "names: no such function" "$root/scripts/api_names.sh" --check .
expect_exit 1 "not what scripts/api_names.sh writes" "names: an old page" "$root/scripts/api_names.sh" --check .
sed -i '3s/.*/graze_release,base.h,,,/' docs/api-names.csv
expect_exit 1 "graze_release comes twice" "names: twice" "$root/scripts/api_names.sh" --check .
expect_exit 1 "graze_release has no answer" "names: no answer" "$root/scripts/api_names.sh" --check .
sed -i '3s/.*/graze_number,base.h,,,see graze_gone/' docs/api-names.csv
expect_exit 1 "no header has graze_gone" "names: a text that names no function" "$root/scripts/api_names.sh" --check .
