// A game loop in C++17 with a job system of its own: characters straight from interleaved vertex
// buffers and column matrices, without a conversion loop; shots as jobs on posed bodies; a hand
// that feels arms only; and who bumps into whom, over the game's own threads.
#include <graze/graze.h>

#include <array>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

// ---- what a game has ----------------------------------------------------------------------------

struct Vertex { // as it goes to the GPU
    float position[3];
    float normal[3];
    float uv[2];
    uint8_t joints[4];
    uint8_t weights[4]; // 255 is 1
};

struct Matrix { // four columns of four
    float m[16];
};

class Jobs {
public:
    explicit Jobs(unsigned count)
    {
        for (unsigned i = 0; i < count; i++)
            threads_.emplace_back([this] { work(); });
    }
    ~Jobs()
    {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            ending_ = true;
        }
        wake_.notify_all();
        for (auto &thread : threads_)
            thread.join();
    }
    std::future<void> add(std::function<void()> job)
    {
        std::packaged_task<void()> task(std::move(job));
        auto done = task.get_future();
        {
            std::lock_guard<std::mutex> lock(mutex_);
            queue_.push_back(std::move(task));
        }
        wake_.notify_one();
        return done;
    }

private:
    void work()
    {
        for (;;) {
            std::unique_lock<std::mutex> lock(mutex_);
            wake_.wait(lock, [this] { return ending_ || !queue_.empty(); });
            if (queue_.empty())
                return;
            auto task = std::move(queue_.front());
            queue_.pop_front();
            lock.unlock();
            task();
        }
    }
    std::vector<std::thread> threads_;
    std::deque<std::packaged_task<void()>> queue_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool ending_ = false;
};

// A pole that stands, with an arm that swings: joint 0 and joint 1.
static void make_mesh(std::vector<Vertex> &vertices, std::vector<uint16_t> &indices)
{
    constexpr int rings = 40, sides = 12;
    for (int part = 0; part < 2; part++) {
        auto base = static_cast<uint16_t>(vertices.size());
        for (int r = 0; r < rings; r++)
            for (int s = 0; s < sides; s++) {
                float angle = 6.2831853f * float(s) / sides, along = 1.5f * float(r) / (rings - 1);
                float x = 0.1f * std::cos(angle), z = 0.1f * std::sin(angle);
                Vertex v = {{x, along, z}, {x, 0, z}, {0, 0}, {uint8_t(part), 0, 0, 0}, {255, 0, 0, 0}};
                if (part == 1) { // the arm is along x, and its root is blended with the pole
                    v.position[0] = along;
                    v.position[1] = 1.2f + x;
                    v.weights[0] = r < 4 ? 128 : 255;
                    v.weights[1] = r < 4 ? 127 : 0; // joints[1] is 0
                }
                vertices.push_back(v);
            }
        for (int r = 0; r + 1 < rings; r++)
            for (int s = 0; s < sides; s++) {
                auto a = uint16_t(base + r * sides + s), b = uint16_t(base + r * sides + (s + 1) % sides);
                auto c = uint16_t(a + sides), d = uint16_t(b + sides);
                for (uint16_t index : {a, c, b, b, c, d})
                    indices.push_back(index);
            }
    }
}

// The pole stays, the arm turns about the y axis.
static std::array<Matrix, 2> animate(float time)
{
    float c = std::cos(time), s = std::sin(time);
    return {Matrix{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}},
            Matrix{{c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, 0, 0, 0, 1}}};
}

// ---- and how it asks ----------------------------------------------------------------------------

static void check(graze_status status, const graze_error &error)
{
    if (status != GRAZE_OK) {
        std::fprintf(stderr, "%s\n", error.text);
        std::exit(1);
    }
}

struct Deleter {
    void operator()(graze_model *model) const { graze_model_destroy(model); }
    void operator()(graze_body *body) const { graze_body_destroy(body); }
    void operator()(graze_pool *pool) const { graze_pool_destroy(pool); }
};
template <typename T> using Owned = std::unique_ptr<T, Deleter>;

static Owned<graze_model> make_model(const std::vector<Vertex> &vertices, const std::vector<uint16_t> &indices)
{
    graze_skin_layout skin{};
    skin.joints = vertices[0].joints;
    skin.joint_type = GRAZE_UINT8;
    skin.joint_stride = sizeof(Vertex);
    skin.weights = vertices[0].weights;
    skin.weight_type = GRAZE_UINT8;
    skin.weight_stride = sizeof(Vertex);
    skin.count = 4;

    graze_model_def def = graze_default_model_def();
    def.positions = vertices[0].position;
    def.position_stride = sizeof(Vertex);
    def.vertex_count = static_cast<uint32_t>(vertices.size());
    def.triangles16 = indices.data();
    def.triangle_count = static_cast<uint32_t>(indices.size() / 3);
    def.skin_layouts = &skin;
    def.skin_layout_count = 1;
    def.joint_count = 2;

    graze_error error;
    graze_model *model = nullptr;
    check(graze_model_create(&def, &model, &error), error);
    return Owned<graze_model>(model);
}
