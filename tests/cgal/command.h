// Running the graze command, and how long to compare.
#ifndef GRAZE_TESTS_CGAL_COMMAND_H
#define GRAZE_TESTS_CGAL_COMMAND_H

#include <cstdio>
#include <cstdlib>
#include <string>

inline std::string graze_command; // its path

// As test_amount() of support/quick.h: the first with GRAZE_TEST_LONG set, else the second.
inline size_t amount(size_t full, size_t quick)
{
    return std::getenv("GRAZE_TEST_LONG") ? full : quick;
}

struct Output {
    int code;
    std::string text;
};

inline std::string shell_word(const std::string &word)
{
    std::string text = "'";
    for (char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

inline Output run(const std::string &arguments)
{
    std::string line = shell_word(graze_command) + " " + arguments;
    FILE *pipe = popen(line.c_str(), "r");
    Output output{-1, ""};
    char block[65536];
    size_t got;
    while (pipe && (got = fread(block, 1, sizeof block, pipe)) > 0)
        output.text.append(block, got);
    if (pipe)
        output.code = pclose(pipe);
    return output;
}

#endif
