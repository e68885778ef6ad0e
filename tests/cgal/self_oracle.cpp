// Self-collision against CGAL: for every shared and procedural model, over their clips, the pairs
// that `graze self` prints are those that exact predicates find on the positions that `graze pose`
// writes, without neighbours: triangles with vertices that cannot part (support/cannot_part.h); and
// the marks of pairs that meet at rest are those that exact predicates find where `graze pose
// --clip none` has them. usage: self_oracle GRAZE FOLDER [NAME]
#include "command.h"
#include "true_pairs.h"

#include <graze/gltf.h>

extern "C" {
#include "support/cannot_part.h"
}

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <numeric>

namespace fs = std::filesystem;

namespace
{

std::string folder;
unsigned long frames_compared, answers_compared, pairs_compared, rest_compared, candidates;

struct Model {
    std::string name, path;
    std::vector<unsigned> triangles;
    std::vector<uint32_t> names;      // of vertices: those with one name cannot part
    std::vector<double> clip_seconds; // none: stands still
    bool skinned = false;
};

// The pairs of a frame, and which of them meet at rest.
struct Answer {
    Pairs pairs;
    std::vector<bool> rest;
    bool operator==(const Answer &other) const
    {
        return pairs == other.pairs && rest == other.rest;
    }
};

int run(const std::string &arguments, std::string &text)
{
    Output output = ::run(arguments);
    text = output.text;
    return output.code;
}

bool read_answer(const std::string &text, Answer &answer)
{
    size_t pairs = text.find("\"pairs\":["), rest = text.find("\"rest\":[");
    if (pairs == std::string::npos || rest == std::string::npos)
        return false;
    const char *c = text.c_str() + pairs + 9;
    while (*c == '[' || *c == ',') {
        char *next;
        unsigned a = static_cast<unsigned>(std::strtoul(c + (*c == ',' ? 2 : 1), &next, 10));
        unsigned b = static_cast<unsigned>(std::strtoul(next + 1, &next, 10));
        answer.pairs.emplace_back(a, b);
        c = next + 1;
    }
    for (c = text.c_str() + rest + 8; *c == 't' || *c == 'f' || *c == ',';) {
        c += *c == ',';
        answer.rest.push_back(*c == 't');
        c += *c == 't' ? 4 : 5;
    }
    return *c == ']';
}

// ---- what is true

Answer true_answer(const Model &model, const Mesh &rest, const Mesh &posed)
{
    std::vector<Box> boxes;
    std::vector<unsigned> order(posed.triangle_count());
    for (size_t i = 0; i < posed.triangle_count(); i++)
        boxes.push_back(box_of(posed, i));
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](unsigned x, unsigned y) { return boxes[x].low[0] < boxes[y].low[0]; });
    Answer answer;
    for (size_t i = 0; i < order.size(); i++)
        for (size_t k = i + 1; k < order.size(); k++) {
            const Box &x = boxes[order[i]], &y = boxes[order[k]];
            if (y.low[0] > x.high[0])
                break;
            if (y.low[1] > x.high[1] || y.high[1] < x.low[1] || y.low[2] > x.high[2] ||
                y.high[2] < x.low[2] ||
                share_a_name(model.names.data(), &model.triangles[3 * size_t{order[i]}],
                             &model.triangles[3 * size_t{order[k]}]))
                continue;
            candidates++;
            if (meet(shape_of(posed, order[i]), shape_of(posed, order[k])))
                answer.pairs.push_back(std::minmax(order[i], order[k]));
        }
    std::sort(answer.pairs.begin(), answer.pairs.end());
    for (const auto &pair : answer.pairs)
        answer.rest.push_back(meet(shape_of(rest, pair.first), shape_of(rest, pair.second)));
    return answer;
}

// ---- comparing

bool fail(const Model &model, const std::string &what, const std::string &command)
{
    std::printf("%s: %s\n    graze %s\n", model.name.c_str(), what.c_str(), command.c_str());
    return false;
}

bool pose(const Model &model, const std::string &options, Mesh &posed)
{
    std::string path = folder + "/pose.obj", text;
    std::string arguments = "pose '" + model.path + "'" + options;
    if (run(arguments + " -o '" + path + "'", text) != 0 || !read_obj(path, posed))
        return fail(model, "no positions: " + text, arguments);
    return posed.triangles == model.triangles ||
           fail(model, "other triangles than in the file", arguments);
}

bool check_frame(const Model &model, const std::string &when, const std::string &skin)
{
    static const char *const methods[] = {"", " --tree paper", " --method bottom-up"};
    std::string text, arguments = "'" + model.path + "'" + when + skin;
    Mesh posed, rest;
    if (!pose(model, when + skin, posed) || !pose(model, " --clip none" + skin, rest))
        return false;
    Answer expected = true_answer(model, rest, posed);
    bool ok = true;
    for (const char *method : methods) {
        std::string command = "self " + arguments + method + " --json";
        Answer answer;
        if (run(command, text) != 0 || !read_answer(text, answer))
            return fail(model, "no answer: " + text.substr(0, 300), command);
        if (!(answer == expected))
            ok = fail(model,
                      std::to_string(answer.pairs.size()) + " pairs, CGAL " +
                          std::to_string(expected.pairs.size()),
                      command);
        answers_compared++;
    }
    frames_compared++;
    pairs_compared += expected.pairs.size();
    rest_compared +=
        static_cast<unsigned long>(std::count(expected.rest.begin(), expected.rest.end(), true));
    return ok;
}

// As the file stands, and all clips at some times, one after the other in all kinds of skinning.
bool check_model(const Model &model)
{
    static const char *const skins[] = {"linear", "spherical", "dual"};
    bool ok = check_frame(model, " --clip none", "");
    unsigned next = 0, times = model.clip_seconds.size() > 4 ? amount(2, 1) : amount(6, 1);
    if (model.triangles.size() / 3 > 20000)
        times = 1;
    for (size_t clip = 0; clip < model.clip_seconds.size(); clip++)
        for (unsigned t = 0; t < times; t++, next++) {
            char when[100];
            std::snprintf(when, sizeof when, " --clip %zu --time %.9g", clip,
                          model.clip_seconds[clip] * (t + 0.3) / times);
            const std::string skin = skins[model.skinned ? next % 3 : 0];
            ok = check_frame(model, when, " --skin " + skin) && ok;
        }
    return ok;
}

// ---- models

// Joints of skins that have one node and one inverse bind matrix are one.
std::vector<uint32_t> same_joints(const graze_rig &rig)
{
    std::vector<uint32_t> same(rig.joint_count);
    for (uint32_t j = 0; j < rig.joint_count; j++) {
        const graze_rig_joint &own = rig.joints[j];
        for (same[j] = 0; same[j] < j; same[j]++) {
            const graze_rig_joint &other = rig.joints[same[j]];
            if (!own.rigid && !other.rigid && own.node == other.node &&
                !std::memcmp(own.inverse_bind, other.inverse_bind, sizeof own.inverse_bind))
                break;
        }
    }
    return same;
}

void find_names(Model &model, const graze_rig &rig)
{
    std::vector<uint32_t> same = same_joints(rig);
    std::vector<graze_morph_target> targets(rig.morph_count);
    graze_rig_morph_targets(&rig, targets.data());
    graze_model_def def = graze_rig_model_def(&rig);
    def.same_joints = same.data();
    def.morphs = targets.data();
    def.morph_count = rig.morph_count;
    uint32_t *names = cannot_part(&def);
    model.names.assign(names, names + rig.vertex_count);
    std::free(names);
}

bool load(Model &model)
{
    graze_rig *rig = nullptr;
    graze_error error;
    if (graze_gltf_load(model.path.c_str(), nullptr, &rig, &error) != GRAZE_OK)
        return fail(model, error.text, "");
    find_names(model, *rig);
    model.triangles.assign(rig->triangles, rig->triangles + 3 * size_t{rig->triangle_count});
    for (unsigned c = 0; c < rig->clip_count; c++)
        model.clip_seconds.push_back(rig->clips[c].seconds);
    model.skinned = rig->skinned;
    graze_rig_destroy(rig);
    return true;
}

std::vector<Model> all_models(unsigned &failed, unsigned &skipped)
{
    std::vector<Model> models, found;
    std::string text;
    for (const char *kind : {"man", "creature", "dwarf"}) {
        Model model{kind, folder + "/" + kind + ".glb", {}, {}, {}};
        std::string size = kind == std::string("creature") ? " --triangles 6000" : "";
        if (run("synth " + std::string(kind) + size + " -o '" + model.path + "'", text) != 0)
            failed++;
        models.push_back(model);
    }
    const char *given = std::getenv("GRAZE_MODELS");
    std::string shared = given ? given : GRAZE_TEST_SOURCE_DIR "/../shared/models";
    std::error_code none;
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(shared, none)) {
        std::string extension = entry.path().extension().string();
        if (extension == ".glb" || extension == ".gltf")
            found.push_back({entry.path().filename().string(), entry.path().string(), {}, {}, {}});
    }
    if (found.empty()) {
        std::printf("skip shared models: their folder is not there\n");
        skipped++;
    }
    std::sort(found.begin(), found.end(),
              [](const Model &x, const Model &y) { return x.path < y.path; });
    models.insert(models.end(), found.begin(), found.end());
    return models;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: self_oracle GRAZE FOLDER [NAME]\n");
        return 2;
    }
    graze_command = argv[1];
    folder = argv[2];
    fs::create_directories(folder);
    unsigned passed = 0, failed = 0, skipped = 0;
    for (Model &model : all_models(failed, skipped)) {
        if (argc > 3 && model.name.find(argv[3]) == std::string::npos)
            continue;
        auto start = std::chrono::steady_clock::now();
        unsigned long frames = frames_compared, pairs = pairs_compared;
        bool ok = load(model) && check_model(model);
        std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        std::printf("%s %s: %zu triangles, %lu frames, %lu pairs, %.1f s\n", ok ? "ok  " : "FAIL",
                    model.name.c_str(), model.triangles.size() / 3, frames_compared - frames,
                    pairs_compared - pairs, seconds.count());
        std::fflush(stdout);
        ok ? passed++ : failed++;
    }
    fs::remove_all(folder);
    std::printf("%lu frames, %lu pairs by CGAL (%lu at rest too) out of %lu with overlapping boxes,"
                " %lu answers compared\n",
                frames_compared, pairs_compared, rest_compared, candidates, answers_compared);
    std::printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed ? 1 : 0;
}
