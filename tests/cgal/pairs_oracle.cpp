// The command's answers against CGAL's: for models with a skin, over their clips, two instances at
// several places, the pairs that `graze collide` prints equal those that exact predicates find on
// the positions that `graze pose` writes. Triangles are closed; one without area is the segment or
// point that it is.
//
// pairs_oracle GRAZE FOLDER [NAME]: the command, a folder for temporary files, and a part of the
// names of models to look at.
#include "command.h"
#include "true_pairs.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace
{

namespace fs = std::filesystem;

std::string folder;
unsigned long frames_compared, pairs_compared, answers_compared, candidates_tested;

// ---- what the command says

struct Frame {
    std::string time;
    Pairs pairs;
};

// One line of JSON a frame.
std::vector<Frame> read_frames(const std::string &text)
{
    std::vector<Frame> frames;
    for (size_t at = 0; at < text.size();) {
        size_t end = std::min(text.find('\n', at), text.size());
        std::string line = text.substr(at, end - at);
        at = end + 1;
        size_t time = line.find("\"time\":"), pairs = line.find("\"pairs\":[");
        if (time == std::string::npos || pairs == std::string::npos)
            return {};
        Frame frame;
        frame.time = line.substr(time + 7, line.find_first_of(",}", time) - time - 7);
        const char *c = line.c_str() + pairs + 9;
        while (*c == '[' || *c == ',') {
            char *next;
            unsigned a = static_cast<unsigned>(std::strtoul(c + (*c == ',' ? 2 : 1), &next, 10));
            unsigned b = static_cast<unsigned>(std::strtoul(next + 1, &next, 10));
            frame.pairs.emplace_back(a, b);
            c = next + 1;
        }
        frames.push_back(frame);
    }
    return frames;
}

// How the second instance stands and what is asked.
struct Place {
    const char *name;
    double at[3]; // in sizes of the model
    double turn;
    double phase;  // in seconds of the clip
    bool touching; // at[0] is added to where the boxes touch along x
    bool other_clip;
};

const Place places[] = {{"inside", {0.13, 0.01, 0.07}, 0, 0.37, false, false},
                        {"turned", {0.11, -0.02, 0.05}, 137.5, 0.21, false, true},
                        {"touching", {0, 0, 0}, 0, 0, true, false},
                        {"quarter turn", {0.05, 0, 0.21}, 90, 0.5, false, false},
                        {"apart", {2.5, 0, 0}, 0, 0.1, false, false},
                        {"one in the other", {0, 0, 0}, 0, 0, false, false}};

const char *const methods[] = {"--method lazy", "--method lazy --tree paper", "--method brute",
                               "--method bottom-up"};

struct Model {
    std::string name, path;
    std::vector<double> clip_seconds; // none: stands still
    bool made_each_time = false;      // by every command anew, which takes its time
};

bool fail(const Model &model, const std::string &what, const std::string &command)
{
    std::printf("%s: %s\n    graze %s\n", model.name.c_str(), what.c_str(), command.c_str());
    return false;
}

bool pose(const Model &model, const std::string &options, const std::string &time, Mesh &mesh)
{
    std::string path = folder + "/pose.obj";
    std::string command =
        "pose " + shell_word(model.path) + options + " --time " + time + " -o " + shell_word(path);
    Output output = run(command);
    if (output.code != 0 || !read_obj(path, mesh))
        return fail(model, "no positions: " + output.text, command);
    return true;
}

std::string number(double x)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", x);
    return text;
}

// Options for the second instance, relative to the size of the first.
std::string place_options(const Model &model, const Place &place, size_t clip, const Mesh &first)
{
    double low[3], high[3], size = 0;
    for (int k = 0; k < 3; k++) {
        low[k] = std::numeric_limits<double>::infinity();
        high[k] = -low[k];
        for (size_t i = static_cast<size_t>(k); i < first.positions.size(); i += 3) {
            low[k] = std::min<double>(low[k], first.positions[i]);
            high[k] = std::max<double>(high[k], first.positions[i]);
        }
        size = std::max(size, high[k] - low[k]);
    }
    double x = place.at[0] * size + (place.touching ? high[0] - low[0] : 0);
    std::string options = " --at " + number(x) + "," + number(place.at[1] * size) + "," +
                          number(place.at[2] * size) + " --turn " + number(place.turn);
    if (clip < model.clip_seconds.size())
        options += " --phase " + number(place.phase * model.clip_seconds[clip]);
    if (place.other_clip && model.clip_seconds.size() > 1)
        options += " --clip-b " + std::to_string((clip + 1) % model.clip_seconds.size());
    return options;
}

std::string difference(const Pairs &found, const Pairs &expected)
{
    Pairs odd;
    std::set_symmetric_difference(found.begin(), found.end(), expected.begin(), expected.end(),
                                  std::back_inserter(odd));
    std::string text = std::to_string(found.size()) + " pairs, CGAL " +
                       std::to_string(expected.size()) + "; differing:";
    for (size_t i = 0; i < odd.size() && i < 5; i++)
        text += " " + std::to_string(odd[i].first) + "," + std::to_string(odd[i].second);
    return text;
}

// Asks the command in every way for all frames, then looks at each frame with CGAL.
bool check_place(const Model &model, size_t clip, const Place &place, const std::string &times)
{
    bool still = model.clip_seconds.empty();
    std::string clip_option = still ? "" : " --clip " + std::to_string(clip);
    Mesh first, second;
    if (!pose(model, clip_option, "0", first))
        return false;
    std::string options = clip_option + place_options(model, place, clip, first);
    std::vector<std::vector<Frame>> answers;
    std::vector<std::string> commands;
    for (const char *method : methods) {
        commands.push_back("collide " + shell_word(model.path) + options + times + " --json " +
                           method);
        Output output = run(commands.back());
        answers.push_back(read_frames(output.text));
        if (output.code != 0 || answers.back().empty() ||
            answers.back().size() != answers[0].size())
            return fail(model, "no answer: " + output.text.substr(0, 300), commands.back());
    }
    bool ok = true;
    for (size_t f = 0; f < answers[0].size(); f++) {
        const std::string &time = answers[0][f].time;
        if (!pose(model, clip_option, time, first) || !pose(model, options, time, second))
            return false;
        Pairs expected = true_pairs(first, second, candidates_tested);
        frames_compared++;
        pairs_compared += expected.size();
        for (size_t m = 0; m < answers.size(); m++, answers_compared++)
            if (answers[m][f].pairs != expected)
                ok = fail(model,
                          std::string(place.name) + ", frame " + std::to_string(f) + ": " +
                              difference(answers[m][f].pairs, expected),
                          commands[m]);
    }
    return ok;
}

// All clips; the larger the model and the more clips, the fewer frames and places for each.
bool check_model(const Model &model, size_t triangles)
{
    size_t clips = std::max<size_t>(model.clip_seconds.size(), 1), count = std::size(places);
    size_t frames = amount(triangles > 3000 ? 2 : 4, 1);
    bool ok = true;
    unsigned next = 0;
    if (model.made_each_time)
        return check_place(model, 0, places[0], "");
    for (size_t clip = 0; clip < clips; clip++) {
        std::string times;
        if (!model.clip_seconds.empty()) {
            double seconds = model.clip_seconds[clip], fps = frames / (seconds + 1e-3);
            times = " --times " + number(0.05 * seconds) + ":" +
                    number(0.05 * seconds + (frames - 0.5) / fps) + ":" + number(fps);
        }
        size_t wanted = amount(clip == 0 || clips <= 4 ? count : 3, clip == 0 ? 2 : clip < 4);
        for (size_t i = 0; i < wanted; i++)
            ok = check_place(model, clip, places[wanted == count ? i : next++ % 4],
                             i + 1 == count ? "" : times) &&
                 ok;
    }
    return ok;
}

// ---- models

bool has_skin(const fs::path &path)
{
    std::ifstream file(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    return text.find("\"skins\"") != std::string::npos;
}

// Clips and triangles from `graze info --json`.
bool read_info(Model &model, size_t &triangles)
{
    Output output = run("info --json " + shell_word(model.path));
    size_t at = output.text.find("\"triangles\":");
    if (output.code != 0 || at == std::string::npos)
        return fail(model, "info: " + output.text, "info --json " + shell_word(model.path));
    triangles = std::strtoul(output.text.c_str() + at + 12, nullptr, 10);
    for (at = 0; (at = output.text.find("\"seconds\":", at)) != std::string::npos; at += 10)
        model.clip_seconds.push_back(std::strtod(output.text.c_str() + at + 10, nullptr));
    return true;
}

// The procedural characters, each written to a file once.
bool add_procedural(std::vector<Model> &models)
{
    bool ok = true;
    for (const char *kind : {"man", "creature", "dwarf"}) {
        Model model{kind, folder + "/" + kind + ".glb", {}};
        Output output = run(std::string("synth ") + kind + " -o " + shell_word(model.path));
        if (output.code != 0)
            ok = fail(model, output.text, std::string("synth ") + kind);
        else
            models.push_back(model);
    }
    models.push_back({"builtin:dwarf:600", "builtin:dwarf:600", {}, true});
    return ok;
}

bool add_shared(std::vector<Model> &models, const char *shared)
{
    std::vector<Model> found;
    std::error_code error;
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(shared, error)) {
        std::string extension = entry.path().extension().string();
        if ((extension == ".glb" || extension == ".gltf") && has_skin(entry.path()))
            found.push_back({entry.path().filename().string(), entry.path().string(), {}});
    }
    std::sort(found.begin(), found.end(),
              [](const Model &x, const Model &y) { return x.path < y.path; });
    models.insert(models.end(), found.begin(), found.end());
    return !found.empty();
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: pairs_oracle GRAZE FOLDER [NAME]\n");
        return 2;
    }
    graze_command = argv[1];
    folder = argv[2];
    fs::create_directories(folder);
    unsigned passed = 0, failed = 0, skipped = 0;
    std::vector<Model> models;
    if (!add_procedural(models))
        failed++;
    const char *shared = std::getenv("GRAZE_MODELS");
    if (!add_shared(models, shared ? shared : GRAZE_TEST_SOURCE_DIR "/../shared/models")) {
        std::printf("skip shared models: their folder is not there\n");
        skipped++;
    }
    for (Model &model : models) {
        size_t triangles = 0;
        if (argc > 3 && model.name.find(argv[3]) == std::string::npos)
            continue;
        auto start = std::chrono::steady_clock::now();
        unsigned long frames = frames_compared, pairs = pairs_compared;
        bool ok = read_info(model, triangles) && check_model(model, triangles);
        std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        std::printf("%s %s: %zu clips, %lu frames, %lu pairs, %.1f s\n", ok ? "ok  " : "FAIL",
                    model.name.c_str(), model.clip_seconds.size(), frames_compared - frames,
                    pairs_compared - pairs, seconds.count());
        std::fflush(stdout);
        ok ? passed++ : failed++;
    }
    fs::remove_all(folder);
    std::printf("%lu frames, %lu pairs by CGAL out of %lu with overlapping boxes, %lu answers "
                "compared\n",
                frames_compared, pairs_compared, candidates_tested, answers_compared);
    std::printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed ? 1 : 0;
}
