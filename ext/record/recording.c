/* Listens, and writes down what it hears. One lock stands around all of it: records are written
 * whole, a change of a body between the questions that it lies between.
 */
#include "base/memory.h"
#include "base/status.h"
#include "record/calls.h"

#include <graze/ext/record.h>

#include <stdio.h>
#include <string.h>

static struct {
    grazei_lock lock;
    bool on, broken; /* broken: the caller could not write */
    uint32_t session, models, bodies;
    uint64_t questions;
    graze_write_fn write;
    void *user;
    grazei_words out;
} now;

/* ---- records -------------------------------------------------------------------------------- */

static void write_words(void)
{
    grazei_turn_words(now.out.at, now.out.count);
    if (!now.out.failed && !now.broken)
        now.broken = !now.write(now.user, now.out.at, now.out.count * sizeof *now.out.at);
    now.out.count = 0;
}

static void begin(grazei_entry entry)
{
    const uint32_t head[GRAZEI_ENTRY_HEAD] = {(uint32_t)entry, 0, 0};
    now.out.count = 0;
    grazei_put_many(&now.out, head, GRAZEI_ENTRY_HEAD);
}

/* One for which there is no memory, or that is too long, is the end of it. */
static void end(void)
{
    uint32_t *at = now.out.at;
    size_t count = now.out.count - GRAZEI_ENTRY_HEAD;
    now.out.failed |= now.out.count < GRAZEI_ENTRY_HEAD || count > UINT32_MAX;
    if (now.out.failed)
        return;
    at[1] = (uint32_t)count;
    at[2] = grazei_checksum(at[0], at + GRAZEI_ENTRY_HEAD, count);
    write_words();
}

static void write_number(grazei_entry entry, uint32_t number)
{
    begin(entry);
    grazei_put(&now.out, number);
    end();
}

/* ---- models and bodies ---------------------------------------------------------------------- */

static grazei_model_words numbers_of(const graze_model *model)
{
    const grazei_mesh *mesh = &model->mesh;
    const graze_tree_def *tree = &model->tree.def;
    uint32_t targets = mesh->morph_count;
    return (grazei_model_words){.vertices = mesh->vertex_count,
                                .triangles = mesh->triangle_count,
                                .joints = mesh->joint_count,
                                .parts = mesh->part_count,
                                .targets = targets,
                                .influences = mesh->influence_offsets[mesh->vertex_count],
                                .deltas = targets ? mesh->morph_offsets[targets] : 0,
                                .has_rest = mesh->rest_matrices != NULL,
                                .skinning = (uint32_t)model->skin.kind,
                                .isa = (uint32_t)model->isa,
                                .no_self_collision = !model->node_groups.first,
                                .volume = (uint32_t)tree->volume,
                                .refit = (uint32_t)tree->refit,
                                .patch_triangles = tree->patch_triangles,
                                .arity = tree->arity,
                                .contact_level = tree->contact_level,
                                .collapse = tree->collapse};
}

static void write_model(const graze_model *model)
{
    const grazei_mesh *mesh = &model->mesh;
    const void *const arrays[GRAZEI_MODEL_ARRAYS] = {
        mesh->positions,    mesh->triangles,     mesh->influence_offsets, mesh->influences,
        mesh->welds,        mesh->vertex_parts,  mesh->triangle_parts,    mesh->rest_matrices,
        mesh->rest_weights, mesh->morph_offsets, mesh->morph_vertices,    mesh->morph_deltas};
    uint64_t counts[GRAZEI_MODEL_ARRAYS];
    grazei_model_words numbers = numbers_of(model);
    grazei_model_counts(&numbers, counts);
    begin(GRAZEI_ENTRY_MODEL);
    grazei_put_many(&now.out, &numbers, GRAZEI_MODEL_NUMBERS);
    for (int i = 0; i < GRAZEI_MODEL_ARRAYS; i++)
        grazei_put_many(&now.out, arrays[i], (size_t)counts[i]);
    end();
}

static grazei_known *known_of(const graze_model *model)
{
    return &((graze_model *)grazei_unconst(model))->known;
}

static uint32_t number_of_model(const graze_model *model)
{
    grazei_known *known = known_of(model);
    if (known->session == now.session)
        return known->number;
    *known = (grazei_known){.session = now.session, .number = ++now.models};
    write_model(model);
    return known->number;
}

/* ---- changes -------------------------------------------------------------------------------- */

static void begin_change(grazei_entry entry, uint32_t body, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t numbers[] = {body, a, b, c};
    begin(entry);
    grazei_put_many(&now.out, numbers, 4);
}

static void write_positions(const graze_body *body, uint32_t number, const void *from,
                            size_t stride)
{
    uint32_t count = grazei_body_mesh(body)->vertex_count;
    begin_change(GRAZEI_ENTRY_POSITIONS, number, count, 0, 0);
    for (size_t v = 0; v < count; v++)
        grazei_put_many(&now.out, (const char *)from + v * stride, 3);
    end();
}

static void write_mask(const graze_body *body, uint32_t number, const uint32_t *bits)
{
    uint32_t parts = bits ? grazei_body_mesh(body)->part_count : 0;
    begin_change(GRAZEI_ENTRY_MASK, number, parts, 0, 0);
    grazei_put_many(&now.out, bits, ((size_t)parts + 31) / 32);
    end();
}

/* As 3 rows of 4, whatever their layout. */
static void put_matrices(const float *from, uint32_t count, graze_matrix_layout layout)
{
    for (uint32_t j = 0; j < count; j++) {
        const float *m = from + (layout ? 16 : 12) * (size_t)j;
        for (int i = 0; i < 12; i++)
            grazei_put_many(&now.out, layout ? &m[4 * (i % 4) + i / 4] : &m[i], 1);
    }
}

static void write_pose(uint32_t number, const graze_pose *pose)
{
    uint32_t weights = pose->morph_weights ? pose->morph_count : 0;
    begin_change(GRAZEI_ENTRY_POSE, number, pose->joint_count, weights, pose->placement != NULL);
    put_matrices(pose->joints, pose->joint_count, pose->layout);
    put_matrices(pose->placement, pose->placement != NULL, pose->layout);
    grazei_put_many(&now.out, pose->morph_weights, weights);
    end();
}

/* How a body stands of which not all was heard. */
static void write_standing(const graze_body *body, uint32_t number)
{
    const grazei_mesh *mesh = grazei_body_mesh(body);
    grazei_standing standing = grazei_body_standing(body);
    uint32_t weights = standing.weights ? mesh->morph_count : 0;
    if (standing.positions) {
        write_positions(body, number, standing.positions, sizeof *standing.positions);
    } else if (standing.begun) {
        begin_change(GRAZEI_ENTRY_POSE, number, mesh->joint_count, weights, 1);
        for (uint32_t j = 0; j <= mesh->joint_count; j++) {
            float rows[12];
            grazei_body_matrix(body, j, rows);
            grazei_put_many(&now.out, rows, 12);
        }
        grazei_put_many(&now.out, standing.weights, weights);
        end();
    }
    if (standing.mask)
        write_mask(body, number, standing.mask);
}

static uint32_t number_of(graze_body *body)
{
    grazei_known *known = grazei_body_known(body);
    bool is_new = known->session != now.session;
    if (is_new) {
        uint32_t model = number_of_model(grazei_body_model(body));
        *known = (grazei_known){.session = now.session, .number = ++now.bodies};
        write_number(GRAZEI_ENTRY_BODY, model);
    }
    if (is_new || known->changed)
        write_standing(body, known->number);
    known->changed = false;
    return known->number;
}

static void write_change(graze_body *body, const grazei_change *change)
{
    uint32_t number = number_of(body), targets = grazei_body_mesh(body)->morph_count;
    if (change->kind == GRAZEI_TAKES_POSE) {
        write_pose(number, change->pose);
    } else if (change->kind == GRAZEI_TAKES_POSITIONS) {
        write_positions(body, number, change->positions, change->stride);
    } else if (change->kind == GRAZEI_TAKES_MASK) {
        write_mask(body, number, change->mask);
    } else if (change->kind == GRAZEI_DROPS_CACHES) {
        begin_change(GRAZEI_ENTRY_CACHES, number, 0, 0, 0);
        end();
    } else if (change->kind == GRAZEI_TAKES_WEIGHTS) {
        begin_change(GRAZEI_ENTRY_WEIGHTS, number, targets, change->coherent, 0);
        grazei_put_many(&now.out, change->weights, targets);
        end();
    }
}

static void hear_change(graze_body *body, const grazei_change *change)
{
    grazei_lock_take(&now.lock);
    grazei_known *known = grazei_body_known(body);
    bool told = change->kind != GRAZEI_TAKES_OTHERS && change->kind != GRAZEI_IS_FREED;
    bool is_known = now.on && known->session == now.session;
    if (is_known && change->kind == GRAZEI_TAKES_OTHERS)
        known->changed = true;
    if (is_known && change->kind == GRAZEI_IS_FREED)
        write_number(GRAZEI_ENTRY_BODY_FREED, known->number);
    if (now.on && told)
        write_change(body, change);
    grazei_lock_release(&now.lock);
}

static void hear_free(const graze_model *model)
{
    grazei_lock_take(&now.lock);
    if (now.on && known_of(model)->session == now.session)
        write_number(GRAZEI_ENTRY_MODEL_FREED, known_of(model)->number);
    grazei_lock_release(&now.lock);
}

/* ---- questions ------------------------------------------------------------------------------ */

static void hear_answer(grazei_heard *base, const grazei_call *call)
{
    const graze_allocator allocator = graze_default_allocator();
    grazei_listened *listened = (grazei_listened *)base;
    const grazei_tally *tally = &listened->tally;
    (void)call;
    grazei_sum_up(listened);
    grazei_lock_take(&now.lock);
    if (now.on && now.session == listened->session) {
        begin(GRAZEI_ENTRY_ANSWER);
        grazei_put_wide(&now.out, listened->question);
        grazei_put(&now.out, tally->status);
        grazei_put(&now.out, tally->partial);
        grazei_put_wide(&now.out, tally->count);
        grazei_put_wide(&now.out, tally->hash);
        end();
    }
    grazei_lock_release(&now.lock);
    grazei_release(&allocator, listened);
}

/* Bodies come before the question that names them. */
static void write_question(const grazei_call *call, grazei_listened *listened)
{
    uint32_t bodies[4];
    for (uint32_t i = 0; i < call->body_count; i++)
        bodies[i] = number_of(call->bodies[i]);
    begin(GRAZEI_ENTRY_QUESTION);
    grazei_put_call(&now.out, call, bodies);
    end();
    listened->session = now.session;
    listened->question = now.questions++;
}

static grazei_heard *hear_question(const grazei_call *call, bool whole)
{
    const graze_allocator allocator = graze_default_allocator();
    grazei_listened *listened = GRAZEI_ALLOCATE(&allocator, 1, grazei_listened);
    grazei_lock_take(&now.lock);
    if (listened) {
        grazei_listen_to(listened, call);
        listened->base.answered = hear_answer;
        listened->whole = whole;
    }
    now.out.failed |= !listened;
    if (now.on && listened)
        write_question(call, listened);
    grazei_lock_release(&now.lock);
    return listened ? &listened->base : NULL;
}

/* ---- starting and stopping ------------------------------------------------------------------ */

static const grazei_listener listener = {hear_question, hear_change, hear_free};

/* "GRAZEREC", and versions. */
static void write_head(void)
{
    const uint32_t head[GRAZEI_FILE_HEAD] = {GRAZEI_FILE_NAME, GRAZEI_FILE_VERSION,
                                             graze_version_number()};
    grazei_put_many(&now.out, head, GRAZEI_FILE_HEAD);
    write_words();
}

graze_status graze_recording_start(graze_write_fn write, void *user, graze_error *error)
{
    if (!write)
        return grazei_fail(error, GRAZE_BAD_INPUT, "write is NULL");
    grazei_lock_take(&now.lock);
    bool was_on = now.on;
    if (!was_on) {
        now.on = true;
        now.broken = false;
        now.session++;
        now.write = write;
        now.user = user;
        now.models = now.bodies = 0;
        now.questions = 0;
        now.out = (grazei_words){.at = NULL};
        write_head();
        atomic_store(&grazei_the_listener, &listener);
    }
    grazei_lock_release(&now.lock);
    return was_on ? grazei_fail(error, GRAZE_BAD_INPUT, "a recording runs already") : GRAZE_OK;
}

graze_status graze_recording_stop(graze_error *error)
{
    const graze_allocator allocator = graze_default_allocator();
    graze_status status = GRAZE_OK;
    grazei_lock_take(&now.lock);
    if (!now.on)
        status = grazei_fail(error, GRAZE_BAD_INPUT, "there is no recording to stop");
    if (!status) {
        atomic_store(&grazei_the_listener, NULL);
        begin(GRAZEI_ENTRY_END);
        end();
        now.on = false;
        grazei_release(&allocator, now.out.at);
        if (now.out.failed)
            status = grazei_fail_memory(error);
        else if (now.broken)
            status = grazei_fail(error, GRAZE_IO_ERROR, "the recording could not be written");
    }
    grazei_lock_release(&now.lock);
    return status;
}

bool graze_write_to_file(void *file, const void *bytes, size_t size)
{
    return file && bytes && fwrite(bytes, 1, size, file) == size && fflush(file) == 0;
}

size_t graze_read_from_file(void *file, void *bytes, size_t size)
{
    return file && bytes ? fread(bytes, 1, size, file) : 0;
}
