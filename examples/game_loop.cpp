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

class Jobs
{
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
                Vertex v = {
                    {x, along, z}, {x, 0, z}, {0, 0}, {uint8_t(part), 0, 0, 0}, {255, 0, 0, 0}};
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
                auto a = uint16_t(base + r * sides + s),
                     b = uint16_t(base + r * sides + (s + 1) % sides);
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
    void operator()(graze_batch *batch) const { graze_batch_destroy(batch); }
};
template <typename T> using Owned = std::unique_ptr<T, Deleter>;

static Owned<graze_model> make_model(const std::vector<Vertex> &vertices,
                                     const std::vector<uint16_t> &indices)
{
    graze_skin_layout skin{};
    skin.joints = vertices[0].joints;
    skin.joint_type = GRAZE_UINT8;
    skin.joint_stride = sizeof(Vertex);
    skin.weights = vertices[0].weights;
    skin.weight_type = GRAZE_UINT8;
    skin.weight_stride = sizeof(Vertex);
    skin.per_vertex = 4;

    graze_model_def def = {};
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

struct Character {
    Owned<graze_body> body;
    float at = 0, phase = 0;
    const char *name = "";

    void set_pose(float time)
    {
        auto joints = animate(time + phase);
        Matrix placement{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, at, 0, 0, 1}};
        graze_pose pose = {};
        pose.joints = joints[0].m;
        pose.joint_count = 2;
        pose.layout = GRAZE_COLUMNS_4X4;
        pose.placement = placement.m;
        graze_error error;
        check(graze_body_set_pose(body.get(), &pose, &error), error);
    }
};

static const char *name_of(graze_body *body)
{
    return static_cast<Character *>(graze_body_user_data(body))->name;
}

// The game's own jobs at work for Graze.
static graze_job_system job_system(Jobs &jobs, uint32_t threads)
{
    graze_job_system system{};
    system.user = &jobs;
    system.threads = threads;
    system.enqueue = [](void *user, graze_task_fn task, void *context) -> void * {
        return new std::future<void>(static_cast<Jobs *>(user)->add([=] { task(context); }));
    };
    system.finish = [](void *, void *handle) {
        std::unique_ptr<std::future<void>> done(static_cast<std::future<void> *>(handle));
        done->wait();
    };
    return system;
}

// Four shots at a time, each a job. Bodies are shared while the jobs run.
static int shoot(Jobs &jobs, std::vector<Character> &characters)
{
    std::array<int, 4> hits{};
    std::vector<std::future<void>> running;
    graze_error error;
    for (auto &character : characters)
        check(graze_body_share(character.body.get(), &error), error);
    for (size_t shot = 0; shot < hits.size(); shot++)
        running.push_back(jobs.add([&characters, &hits, shot] {
            const float from[3] = {-5, 1.1f + 0.05f * float(shot), 0.5f},
                        to[3] = {5, from[1], 0.5f};
            graze_ray ray = graze_ray_between(from, to);
            for (auto &character : characters) {
                graze_hit hit;
                if (graze_cast(character.body.get(), &ray, &hit, nullptr, nullptr) == GRAZE_OK &&
                    hit.found)
                    hits[shot]++;
            }
        }));
    for (auto &job : running)
        job.wait();
    for (auto &character : characters)
        check(graze_body_unshare(character.body.get(), &error), error);
    return hits[0] + hits[1] + hits[2] + hits[3];
}

// Does a capsule touch an arm? Bit 1 of the mask: the part of joint 1.
static bool feels_arm(graze_body *body, const graze_shape &capsule)
{
    const uint32_t arms = 1u << 1;
    graze_error error;
    graze_options any{};
    graze_triangle_list touched{};
    any.any = true;
    check(graze_body_set_part_mask(body, &arms, 2, &error), error);
    check(graze_touch(body, &capsule, &touched, &any, &error), error);
    check(graze_body_set_part_mask(body, nullptr, 0, &error), error);
    return touched.total > 0;
}

int main()
{
    std::vector<Vertex> vertices;
    std::vector<uint16_t> indices;
    make_mesh(vertices, indices);
    auto model = make_model(vertices, indices);

    graze_error error;
    std::vector<Character> characters(3);
    const char *const names[] = {"ann", "bob", "cem"};
    for (size_t i = 0; i < characters.size(); i++) {
        graze_body *body = nullptr;
        check(graze_body_create(model.get(), &body, &error), error);
        characters[i] = {Owned<graze_body>(body), 2.0f * float(i), 2.0f * float(i), names[i]};
        graze_body_set_user_data(body, &characters[i]);
    }

    Jobs jobs(2);
    graze_job_system system = job_system(jobs, 3);
    graze_pool *made = nullptr;
    check(graze_pool_create_from_jobs(&system, nullptr, &made, &error), error);
    Owned<graze_pool> pool(made);

    // Who bumps into whom: recorded once, run every frame.
    struct Bump {
        graze_body *a, *b;
        graze_pair_list found{};
    };
    std::vector<Bump> bumps;
    for (size_t i = 0; i < characters.size(); i++)
        for (size_t k = i + 1; k < characters.size(); k++)
            bumps.push_back({characters[i].body.get(), characters[k].body.get()});
    graze_batch *batch = nullptr;
    check(graze_batch_create(nullptr, &batch, &error), error);
    Owned<graze_batch> owned_batch(batch);
    graze_options record{}, run{};
    record.any = true;
    record.batch = batch;
    run.pool = pool.get();
    for (auto &bump : bumps)
        check(graze_pairs(bump.a, bump.b, &bump.found, &record, &error), error);
    const float low[3] = {0.5f, 0.9f, 0.6f}, high[3] = {0.5f, 1.5f, 0.6f};
    graze_shape hand = graze_shape_capsule(low, high, 0.2f);

    for (int frame = 0; frame < 8; frame++) {
        for (auto &character : characters)
            character.set_pose(0.8f * float(frame));
        std::printf("frame %d: %d shots hit", frame, shoot(jobs, characters));
        if (feels_arm(characters[0].body.get(), hand))
            std::printf(", the hand feels %s's arm", names[0]);
        check(graze_batch_run(batch, &run, &error), error);
        for (const auto &bump : bumps)
            if (bump.found.total)
                std::printf(", %s bumps into %s", name_of(bump.a), name_of(bump.b));
        std::printf("\n");
    }
    return 0;
}
