# Adds up the last lines of the test programs in ctest's LastTest.log. A program that failed without
# counting a failure (a crash, a timeout) is one failure; one that passed without a count, one pass.

/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { p = $1; f = $3; s = $5; counted = 1 }

/^Test time = / { ended = NR }

ended && NR == ended + 2 {
    ok = $0 == "Test Passed."
    passed += counted ? p : ok
    failed += f > 0 ? f : !ok
    skipped += s
    p = f = s = counted = ended = 0
}

END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }
