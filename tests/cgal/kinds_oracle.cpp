// Bodies that deform in different ways, against each other: the pairs of `graze collide` are those
// of CGAL's exact predicates on the positions that `graze pose` writes. usage: kinds_oracle GRAZE
// FOLDER
#include "command.h"
#include "true_pairs.h"

#include <cstdio>
#include <filesystem>

namespace fs = std::filesystem;

namespace
{

std::string folder, shared;
unsigned long frames_compared, pairs_compared, candidates;

int run(const std::string &arguments, std::string &text)
{
    Output output = ::run(arguments);
    text = output.text;
    return output.code;
}

// The pairs in the one JSON line of a frame.
bool read_pairs(const std::string &text, Pairs &pairs)
{
    size_t at = text.find("\"pairs\":[");
    if (at == std::string::npos)
        return false;
    const char *c = text.c_str() + at + 9;
    pairs.clear();
    while (*c == '[' || *c == ',') {
        char *next;
        unsigned a = static_cast<unsigned>(std::strtoul(c + (*c == ',' ? 2 : 1), &next, 10));
        unsigned b = static_cast<unsigned>(std::strtoul(next + 1, &next, 10));
        pairs.emplace_back(a, b);
        c = next + 1;
    }
    return true;
}

bool pose(const std::string &model, const std::string &options, Mesh &mesh)
{
    std::string path = folder + "/pose.obj", text;
    return run("pose " + model + options + " -o '" + path + "'", text) == 0 && read_obj(path, mesh);
}

// Two bodies: model, clip and skinning of each, and where the second one stands.
struct Meeting {
    std::string a, clip_a, skin_a, b, clip_b, skin_b;
    const char *at;
    double turn;
    double times[3];
};

bool check_frame(const Meeting &m, const std::string &time, const char *tree)
{
    std::string place = std::string(" --at ") + m.at + " --turn " + std::to_string(m.turn);
    std::string command = "collide " + m.a + " " + m.b + " --clip " + m.clip_a + " --skin " +
                          m.skin_a + " --clip-b " + m.clip_b + " --skin-b " + m.skin_b + place +
                          time + " --json --tree " + tree;
    Mesh first, second;
    std::string text;
    Pairs found;
    if (run(command, text) != 0 || !read_pairs(text, found) ||
        !pose(m.a, " --clip " + m.clip_a + " --skin " + m.skin_a + time, first) ||
        !pose(m.b, " --clip " + m.clip_b + " --skin " + m.skin_b + place + time, second)) {
        std::printf("no answer: %s\n    %s\n", text.substr(0, 200).c_str(), command.c_str());
        return false;
    }
    Pairs expected = true_pairs(first, second, candidates);
    frames_compared++;
    pairs_compared += expected.size();
    if (found == expected)
        return true;
    std::printf("%zu pairs, CGAL %zu: %s\n", found.size(), expected.size(), command.c_str());
    return false;
}

std::string in_quotes(const std::string &path)
{
    return "'" + path + "'";
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    graze_command = argv[1];
    folder = argv[2];
    const char *given = std::getenv("GRAZE_MODELS");
    shared = given ? given : GRAZE_TEST_SOURCE_DIR "/../shared/models";
    fs::create_directories(folder);
    auto made = [](const char *kind) -> std::string {
        std::string path = folder + "/" + kind + ".glb", text;
        int code = run(std::string("synth ") + kind + " -o '" + path + "'", text);
        return code == 0 ? in_quotes(path) : std::string();
    };
    std::string creature = made("creature"), dwarf = made("dwarf"), curtain = made("curtain"),
                chair = made("chair"), ball = made("ball");
    std::vector<Meeting> meetings = {
        {creature,
         "candy",
         "spherical",
         curtain,
         "wind",
         "linear",
         "0.1,0.1,0.5",
         20,
         {0.3, 1, 1.6}},
        {creature, "candy", "dual", dwarf, "walk", "linear", "0.2,0.3,0.2", 70, {0.2, 1, 0.7}},
        {creature, "writhe", "spherical", creature, "candy", "dual", "0.3,0,0.4", 180, {0.5, 1, 2}},
        {dwarf, "walk", "dual", dwarf, "walk", "spherical", "0.3,0,0.1", 150, {0.1, 0.4, 0.8}},
        {chair, "rattle", "linear", ball, "none", "linear", "0.05,0.45,0", 0, {0.1, 0.9, 1.7}},
        {curtain, "wind", "dual", chair, "rattle", "spherical", "0.2,0.3,0.1", 35, {0.5, 1.5, 2.5}},
        {dwarf, "walk", "spherical", ball, "none", "dual", "0.1,0.6,0.1", 0, {0.1, 0.5, 0.7}}};
    unsigned passed = 0, failed = 0, skipped = 0;
    if (fs::is_directory(shared)) {
        auto model = [](const char *name) { return in_quotes(shared + "/" + name); };
        std::string man = model("CesiumMan.glb"), robot = model("RobotExpressive.glb"),
                    morph = model("MorphStressTest.glb"),
                    both = model("synthetic/skin_morph_anim.gltf"),
                    cube = model("AnimatedMorphCube.glb");
        meetings.push_back(
            {man, "0", "dual", man, "0", "spherical", "0.2,0,0.1", 60, {0.2, 0.9, 1.7}});
        meetings.push_back(
            {robot, "Dance", "dual", robot, "Punch", "spherical", "1,0.2,0.5", 40, {0.3, 1, 2}});
        meetings.push_back(
            {morph, "0", "linear", morph, "1", "linear", "0.2,0.1,0.3", 25, {0.3, 1, 2}});
        meetings.push_back(
            {both, "0", "spherical", both, "0", "dual", "0.1,0,0.1", 80, {0.1, 0.5, 0.9}});
        meetings.push_back({cube, "0", "linear", man, "0", "dual", "0,0,0", 10, {0.5, 1.5, 2}});
    } else {
        std::printf("skip shared models: their folder is not there\n");
        skipped++;
    }
    for (const Meeting &m : meetings) {
        bool ok = true;
        unsigned long pairs = pairs_compared;
        static const char *const trees[] = {"default", "spheres", "paper"};
        size_t first = static_cast<size_t>(&m - &meetings[0]); // one tree each in a short run
        for (size_t t = 0; t < amount(std::size(m.times), 1); t++)
            for (size_t k = 0; k < amount(3, 1); k++)
                ok = check_frame(m, " --time " + std::to_string(m.times[t]),
                                 trees[(first + k) % 3]) &&
                     ok;
        std::printf("%s %s %s against %s %s: %lu pairs\n", ok ? "ok  " : "FAIL",
                    fs::path(m.a).filename().c_str(), m.skin_a.c_str(),
                    fs::path(m.b).filename().c_str(), m.skin_b.c_str(), pairs_compared - pairs);
        std::fflush(stdout);
        ok ? passed++ : failed++;
    }
    fs::remove_all(folder);
    std::printf("%lu frames, %lu pairs by CGAL\n", frames_compared, pairs_compared);
    std::printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed ? 1 : 0;
}
