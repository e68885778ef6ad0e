// The command's distances against CGAL's: for all models over their clips, two instances at several
// places, what `graze distance` prints holds for the positions that `graze pose` writes. A distance
// is 0 where CGAL's exact predicates find triangles that meet, and then of the first such pair;
// otherwise no pair of triangles is nearer by exact rational arithmetic, and the pair named is as
// near as stated. Pairs within a tolerance are those within it but for a rounding of it.
//
// Tolerance: 2^-49 of the longest side of the box around both instances, as graze/pairs.h says.
//
// distance_oracle GRAZE FOLDER [NAME]: the command, a folder for temporary files, and a part of the
// names of models to look at.
#include "command.h"
#include "true_pairs.h"

#include <CGAL/Exact_rational.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/squared_distance_3.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>

namespace
{

namespace fs = std::filesystem;

using Exact = CGAL::Simple_cartesian<CGAL::Exact_rational>;

std::string folder;
unsigned long frames_compared, meeting, double_distances, exact_distances, pairs_within;

double number_at(const std::string &text, const char *name)
{
    size_t at = text.find(name);
    return at == std::string::npos ? NAN
                                   : std::strtod(text.c_str() + at + std::strlen(name), nullptr);
}

// ---- what is true: triangles of CGAL, in doubles or exactly

template <typename K> struct Corners {
    typename K::Point_3 p[3];
    bool proper, edges[3]; // has an area; edge i has a length
};

template <typename K> Corners<K> corners_of(const Mesh &mesh, size_t triangle)
{
    Corners<K> corners;
    for (int c = 0; c < 3; c++) {
        const float *p = mesh.corner(triangle, c);
        corners.p[c] = typename K::Point_3(p[0], p[1], p[2]);
    }
    corners.proper = shape_of(mesh, triangle).count == 3;
    for (int c = 0; c < 3; c++)
        corners.edges[c] = corners.p[c] != corners.p[(c + 1) % 3];
    return corners;
}

// Of an edge, which may be a point, and another one.
template <typename K>
typename K::FT edge_square(const Corners<K> &a, int i, const Corners<K> &b, int k)
{
    typename K::Segment_3 e(a.p[i], a.p[(i + 1) % 3]), f(b.p[k], b.p[(k + 1) % 3]);
    if (a.edges[i] && b.edges[k])
        return CGAL::squared_distance(e, f);
    if (a.edges[i])
        return CGAL::squared_distance(b.p[k], e);
    if (b.edges[k])
        return CGAL::squared_distance(a.p[i], f);
    return CGAL::squared_distance(a.p[i], b.p[k]);
}

// Of triangles that do not meet.
template <typename K> typename K::FT square_of(const Corners<K> &a, const Corners<K> &b)
{
    typename K::FT best = edge_square(a, 0, b, 0);
    for (int i = 0; i < 9; i++)
        best = std::min<typename K::FT>(best, edge_square(a, i / 3, b, i % 3));
    for (int c = 0; c < 3; c++) {
        if (a.proper)
            best = std::min<typename K::FT>(
                best,
                CGAL::squared_distance(b.p[c], typename K::Triangle_3(a.p[0], a.p[1], a.p[2])));
        if (b.proper)
            best = std::min<typename K::FT>(
                best,
                CGAL::squared_distance(a.p[c], typename K::Triangle_3(b.p[0], b.p[1], b.p[2])));
    }
    return best;
}

double exact_distance(const Mesh &a, size_t i, const Mesh &b, size_t k)
{
    exact_distances++;
    return std::sqrt(CGAL::to_double(square_of(corners_of<Exact>(a, i), corners_of<Exact>(b, k))));
}

double box_square(const Box &x, const Box &y)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double gap = std::max({0.0, static_cast<double>(y.low[k]) - x.high[k],
                               static_cast<double>(x.low[k]) - y.high[k]});
        square += gap * gap;
    }
    return square;
}

// ---- comparing

struct Answer {
    double distance;
    unsigned a, b;
    Pairs within;
};

bool fail(const std::string &what, const std::string &command)
{
    std::printf("    %s\n    graze %s\n", what.c_str(), command.c_str());
    return false;
}

bool read_answer(const std::string &text, Answer &answer)
{
    size_t triangles = text.find("\"triangles\":["), pairs = text.find("\"pairs\":[");
    if (triangles == std::string::npos || pairs == std::string::npos)
        return false;
    char *next;
    answer.distance = number_at(text, "\"distance\":");
    answer.a = static_cast<unsigned>(std::strtoul(text.c_str() + triangles + 13, &next, 10));
    answer.b = static_cast<unsigned>(std::strtoul(next + 1, &next, 10));
    for (const char *c = text.c_str() + pairs + 9; *c == '[' || *c == ',';) {
        unsigned a = static_cast<unsigned>(std::strtoul(c + (*c == ',' ? 2 : 1), &next, 10));
        unsigned b = static_cast<unsigned>(std::strtoul(next + 1, &next, 10));
        answer.within.emplace_back(a, b);
        c = next + 1;
    }
    return true;
}

std::string digits(double x)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", x);
    return text;
}

// Looks at every pair that boxes do not rule out, in doubles, and exactly where that is close.
bool check_answer(const Mesh &a, const Mesh &b, const Answer &answer, double tolerance, double size,
                  const std::string &command)
{
    double allowed = 0x1p-49 * size, unsure = 1e-7 * size;
    unsigned long tested = 0;
    Pairs hits = true_pairs(a, b, tested);
    bool ok = true;
    meeting += !hits.empty();
    if ((answer.distance <= 0) != !hits.empty() ||
        (!hits.empty() && hits[0] != std::make_pair(answer.a, answer.b)))
        return fail("CGAL finds " + std::to_string(hits.size()) + " pairs that meet", command);
    if (hits.empty() &&
        std::abs(exact_distance(a, answer.a, b, answer.b) - answer.distance) > allowed)
        ok = fail("the pair is not as far apart as stated", command);
    double limit = std::max(answer.distance, tolerance) + unsure;
    std::vector<Corners<Kernel>> corners_b;
    std::vector<Box> boxes_b;
    for (size_t k = 0; k < b.triangle_count(); k++) {
        corners_b.push_back(corners_of<Kernel>(b, k));
        boxes_b.push_back(box_of(b, k));
    }
    for (unsigned i = 0; ok && i < a.triangle_count(); i++) {
        Box box = box_of(a, i);
        Corners<Kernel> corners = corners_of<Kernel>(a, i);
        for (unsigned k = 0; ok && k < b.triangle_count(); k++) {
            if (box_square(box, boxes_b[k]) > limit * limit)
                continue;
            std::pair<unsigned, unsigned> pair(i, k);
            bool meets = std::binary_search(hits.begin(), hits.end(), pair);
            bool said = std::binary_search(answer.within.begin(), answer.within.end(), pair);
            double distance = meets ? 0 : std::sqrt(square_of(corners, corners_b[k]));
            double_distances++;
            if (!meets && (std::abs(distance - answer.distance) < unsure ||
                           std::abs(distance - tolerance) < unsure))
                distance = exact_distance(a, i, b, k);
            if (distance < answer.distance - allowed)
                ok = fail("triangles " + std::to_string(i) + " " + std::to_string(k) + " are " +
                              digits(distance) + " apart, not " + digits(answer.distance),
                          command);
            if (std::abs(distance - tolerance) > allowed && said != (distance < tolerance))
                ok = fail("triangles " + std::to_string(i) + " " + std::to_string(k) + " are " +
                              digits(distance) + " apart, tolerance " + digits(tolerance),
                          command);
            pairs_within += said;
        }
    }
    return ok;
}

// ---- models and places

struct Model {
    std::string name, path;
    std::vector<double> clip_seconds;
};

const struct Place {
    double at[3], turn; // in sizes of the model, degrees
} places[] = {
    {{0.1, 0, 0.05}, 20}, {{0.55, 0.02, 0.1}, 90}, {{1.02, 0, 0}, 180}, {{2.5, 0.3, 0}, 0}};

bool pose(const Model &model, const std::string &options, Mesh &mesh)
{
    std::string path = folder + "/pose.obj";
    std::string command = "pose " + shell_word(model.path) + options + " -o " + shell_word(path);
    Output output = run(command);
    return output.code == 0 && read_obj(path, mesh) ? true : fail(output.text, command);
}

double size_of(const Mesh &mesh, double low[3], double high[3])
{
    double size = 0;
    for (size_t i = 0; i < mesh.positions.size(); i++) {
        low[i % 3] = std::min<double>(low[i % 3], mesh.positions[i]);
        high[i % 3] = std::max<double>(high[i % 3], mesh.positions[i]);
    }
    for (int k = 0; k < 3; k++)
        size = std::max(size, high[k] - low[k]);
    return size;
}

bool check_frame(const Model &model, size_t clip, const Place &place, const char *skin)
{
    double low[3], high[3];
    std::fill(low, low + 3, std::numeric_limits<double>::infinity());
    std::fill(high, high + 3, -std::numeric_limits<double>::infinity());
    std::string first = std::string(" --skin ") + skin, second;
    if (clip < model.clip_seconds.size())
        first +=
            " --clip " + std::to_string(clip) + " --time " + digits(0.3 * model.clip_seconds[clip]);
    Mesh a, b;
    if (!pose(model, first, a))
        return false;
    double size = size_of(a, low, high);
    second = " --at ";
    for (int k = 0; k < 3; k++)
        second += digits(place.at[k] * size) + (k < 2 ? "," : " --turn ");
    second += digits(place.turn) + " --phase 0.11";
    if (!pose(model, first + second, b))
        return false;
    size = size_of(b, low, high);
    std::string ask = "distance " + shell_word(model.path) + first + second + " --json";
    Output output = run(ask);
    double distance = number_at(output.text, "\"distance\":");
    double tolerance = 1.05 * distance + 0.002 * size;
    ask += " --within " + digits(tolerance);
    output = run(ask);
    Answer answer;
    if (output.code != 0 || !read_answer(output.text, answer))
        return fail("no answer: " + output.text.substr(0, 300), ask);
    frames_compared++;
    return check_answer(a, b, answer, tolerance, size, ask);
}

bool has_skin(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    return text.find("\"skins\"") != std::string::npos;
}

bool check_model(Model &model)
{
    static const char *const skins[] = {"linear", "spherical", "dual"};
    size_t kinds = has_skin(model.path) ? 3 : 1;
    Output output = run("info --json " + shell_word(model.path));
    if (output.code != 0)
        return fail(output.text, "info --json " + shell_word(model.path));
    for (size_t at = 0; (at = output.text.find("\"seconds\":", at)) != std::string::npos; at += 10)
        model.clip_seconds.push_back(std::strtod(output.text.c_str() + at + 10, nullptr));
    size_t clips = std::max<size_t>(model.clip_seconds.size(), 1), next = 0;
    bool ok = true;
    for (size_t clip = 0; clip < clips; clip++)
        for (size_t i = 0; i < (clips > 4 ? 1 : amount(std::size(places), 1)); i++, next++)
            ok = check_frame(model, clip, places[next % std::size(places)], skins[next % kinds]) &&
                 ok;
    return ok;
}

std::vector<Model> find_models(const char *shared)
{
    std::vector<Model> models;
    for (const char *kind : {"man", "dwarf", "creature"}) {
        Model model{kind, folder + "/" + kind + ".glb", {}};
        run(std::string("synth ") + kind + " --triangles 3000 -o " + shell_word(model.path));
        models.push_back(model);
    }
    std::error_code error;
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(shared, error)) {
        std::string extension = entry.path().extension().string();
        if (extension == ".glb" || extension == ".gltf")
            models.push_back({entry.path().filename().string(), entry.path().string(), {}});
    }
    std::sort(models.begin() + 3, models.end(),
              [](const Model &x, const Model &y) { return x.path < y.path; });
    return models;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: distance_oracle GRAZE FOLDER [NAME]\n");
        return 2;
    }
    graze_command = argv[1];
    folder = argv[2];
    fs::create_directories(folder);
    const char *shared = std::getenv("GRAZE_MODELS");
    std::vector<Model> models =
        find_models(shared ? shared : GRAZE_TEST_SOURCE_DIR "/../shared/models");
    unsigned passed = 0, failed = 0, skipped = models.size() == 3;
    if (skipped)
        std::printf("skip shared models: their folder is not there\n");
    for (Model &model : models) {
        if (argc > 3 && model.name.find(argv[3]) == std::string::npos)
            continue;
        unsigned long frames = frames_compared, distances = double_distances;
        bool ok = check_model(model);
        std::printf("%s %s: %lu frames, %lu distances\n", ok ? "ok  " : "FAIL", model.name.c_str(),
                    frames_compared - frames, double_distances - distances);
        std::fflush(stdout);
        ok ? passed++ : failed++;
    }
    fs::remove_all(folder);
    std::printf(
        "%lu frames, %lu of them meet; %lu distances by CGAL in doubles, %lu exact; %lu pairs "
        "within tolerances; allowed 2^-49 of the size\n",
        frames_compared, meeting, double_distances, exact_distances, pairs_within);
    std::printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed ? 1 : 0;
}
