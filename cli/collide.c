/* Pairs of triangles that meet: of two bodies, or of one with itself. */
#include "cli/parts.h"
#include "cli/query.h"

enum { SHOW_CONTACTS = SHOW_OWN, ROWS_CONTACTS = 2 * SHOW_OWN, SHOW_SELF = 4 * SHOW_OWN };

typedef struct contact_item {
    graze_contact contact;
    graze_contact_details details;
    const char *parts[2];
} contact_item;

/* Of collide and self. */
typedef struct pairs_job {
    query_job base;
    bool with_contacts;
    graze_contact_finder *finder; /* NULL: nobody asked */
    item_list contacts;           /* contact_item */
    bool only_new;
    const char *between; /* pairs of parts; NULL: all */
    part_sets sets;
    item_list parts;
    size_t new_count;
} pairs_job;

static bool check(void *task, const arguments *given)
{
    pairs_job *job = task;
    (void)given;
    if (job->base.first && job->with_contacts)
        return refuse("collide: --contacts needs all pairs, --first finds one");
    job->base.how.only_new = job->only_new;
    job->base.shown =
        (job->base.count_only ? 0 : SHOW_ITEMS) | (job->base.body_count == 1 ? SHOW_SELF : 0) |
        (job->base.with_parts ? SHOW_PARTS : 0) | (job->with_contacts ? SHOW_CONTACTS : 0) |
        (job->with_contacts     ? ROWS_CONTACTS
         : job->base.with_parts ? ROWS_PARTS
         : job->base.count_only ? ROWS_FRAMES
                                : ROWS_ITEMS);
    return true;
}

static bool open_job(void *task)
{
    pairs_job *job = task;
    const struct character *const *of = job->base.characters.of;
    graze_error error;
    if (job->between && !part_sets_parse(&job->sets, of[0], job->between))
        return false;
    return !job->with_contacts ||
           !graze_contact_finder_create(of[0]->model, of[1]->model, NULL, &job->finder, &error) ||
           refuse("%s", error.text);
}

static void close_job(void *task)
{
    pairs_job *job = task;
    graze_contact_finder_destroy(job->finder);
    part_sets_free(&job->sets);
    list_free(&job->contacts);
    list_free(&job->parts);
}

/* ---- lists --------------------------------------------------------------------------------- */

typedef struct pair_item {
    uint32_t triangles[2];
    const char *parts[2];
    bool rest;
} pair_item;

static void fill_pair(const void *task, size_t i, void *item)
{
    const query_job *job = task;
    const graze_pair *pair = (const graze_pair *)job->found.items + i;
    *(pair_item *)item = (pair_item){{pair->a, pair->b},
                                     {triangle_part(job->characters.of[0], pair->a),
                                      triangle_part(job->characters.of[1], pair->b)},
                                     pair->at_rest};
}

static const struct field pair_fields[] = {
    {"", "a,b", "  %u %u", FIELD_INDEX, AT(pair_item, triangles), 2},
    {NULL, "part_a,part_b", NULL, FIELD_TEXT, AT(pair_item, parts), 2},
    {NULL, NULL, "  at rest too", FIELD_TRUTH, AT(pair_item, rest)}};
static const struct field rest_fields[] = {{"", NULL, NULL, FIELD_TRUTH, AT(pair_item, rest)}};
static const field_list pair_list = {FIELDS(pair_fields), OF_FOUND, .fill = fill_pair},
                        rest_list = {FIELDS(rest_fields), OF_FOUND, .fill = fill_pair};

typedef struct part_item {
    uint32_t count;
    const char *plural, *names[2];
} part_item;

static void fill_parts(const void *task, size_t i, void *item)
{
    const pairs_job *job = task;
    const part_pair *pair = (const part_pair *)job->parts.items + i;
    *(part_item *)item = (part_item){pair->count,
                                     pair->count > 1 ? "s" : "",
                                     {part_name(job->base.characters.of[0], pair->parts[0]),
                                      part_name(job->base.characters.of[1], pair->parts[1])}};
}

static const struct field part_fields[] = {
    {NULL, NULL, "  %6u pair", FIELD_INDEX, AT(part_item, count)},
    {NULL, NULL, "%s of ", FIELD_TEXT, AT(part_item, plural)},
    {"", "part_a,part_b", "%s and %s", FIELD_TEXT, AT(part_item, names), 2},
    {NULL, "pairs", NULL, FIELD_INDEX, AT(part_item, count)}};
static const struct field part_count_fields[] = {
    {"", NULL, NULL, FIELD_INDEX, AT(part_item, count)}};
#define OF_PARTS .array = offsetof(pairs_job, parts), .fill = fill_parts
static const field_list part_list = {FIELDS(part_fields), OF_PARTS},
                        part_counts = {FIELDS(part_count_fields), OF_PARTS};

#define OF_CONTACT(member) AT(contact_item, contact.member)

static const struct field contact_fields[] = {
    {"point", "x,y,z", "  contact at %.4g %.4g %.4g", FIELD_FLOAT, OF_CONTACT(point), 3},
    {"normal", "normal_x,normal_y,normal_z", "  normal %.3f %.3f %.3f", FIELD_FLOAT,
     OF_CONTACT(normal), 3},
    {"depth", "depth", "  depth %.4g", FIELD_FLOAT, OF_CONTACT(depth)},
    {"pairs", "pairs", "  %u pairs", FIELD_INDEX, OF_CONTACT(pair_count)},
    {"length", "length", NULL, FIELD_FLOAT, AT(contact_item, details.length)},
    {"groups", NULL, NULL, FIELD_INDEX, OF_CONTACT(parts), 2},
    {"parts", "part_a,part_b", "  parts %s and %s", FIELD_TEXT, AT(contact_item, parts), 2}};
static const field_list contact_list = {
    FIELDS(contact_fields), .array = offsetof(pairs_job, contacts), .size = sizeof(contact_item)};

_Static_assert(sizeof(contact_item) <= MOST_ITEM, "an item is larger than its room");

static const struct field fields[] = {
    TIME_FIELDS,
    {"hit", NULL, NULL, FIELD_TRUTH, OF_JOB(hit)},
    {"count", NULL, "  %7zu pairs", FIELD_COUNT, OF_JOB(found.count)},
    {"new", NULL, ", %zu of them new", FIELD_COUNT, AT(pairs_job, new_count), .needed = SHOW_SELF},
    {"pairs", NULL, "", FIELD_LIST, .needed = SHOW_ITEMS, .list = &pair_list},
    {"rest", NULL, NULL, FIELD_LIST, .needed = SHOW_ITEMS | SHOW_SELF, .list = &rest_list},
    {NULL, "", NULL, FIELD_LIST, .needed = ROWS_ITEMS, .list = &pair_list},
    {"contacts", NULL, "", FIELD_LIST, .needed = SHOW_CONTACTS, .list = &contact_list},
    {NULL, "", NULL, FIELD_LIST, .needed = ROWS_CONTACTS, .list = &contact_list},
    {"parts", NULL, "", FIELD_LIST, .needed = SHOW_PARTS, .list = &part_list},
    {"part_counts", NULL, NULL, FIELD_LIST, .needed = SHOW_PARTS, .list = &part_counts},
    {NULL, "", NULL, FIELD_LIST, .needed = ROWS_PARTS, .list = &part_list},
    {NULL, "count", NULL, FIELD_COUNT, OF_JOB(found.count), .needed = ROWS_FRAMES},
    {NULL, "us", NULL, FIELD_US, OF_JOB(us), .needed = ROWS_FRAMES},
    STATS_FIELDS};

/* ---- asking -------------------------------------------------------------------------------- */

static bool take_contacts(void *task, const graze_contact *contacts, size_t count)
{
    pairs_job *job = task;
    const struct character *const *of = job->base.characters.of;
    for (size_t i = 0; i < count; i++) {
        contact_item item = {.contact = contacts[i],
                             .parts = {part_name(of[0], contacts[i].parts[0]),
                                       part_name(of[1], contacts[i].parts[1])}};
        graze_contact_get_details(job->finder, contacts[i].number, &item.details);
        list_add(&job->contacts, &item, 1, sizeof item);
    }
    return true;
}

static graze_status ask(void *task, graze_error *error)
{
    pairs_job *job = task;
    query_job *base = task;
    graze_body *a = base->bodies[0], *b = base->bodies[1];
    graze_pair_list pairs = list_of_pairs(&base->found);
    graze_contact_list contacts = {.report = take_contacts, .user = job};
    const graze_options counted = {.stats = &base->stats};
    graze_status status = b ? graze_pairs(a, b, &pairs, &base->how, error)
                            : graze_self_pairs(a, job->between ? &job->sets.between : NULL, &pairs,
                                               &base->how, error);
    job->contacts.count = 0;
    return status || !job->finder
               ? status
               : graze_contacts_from_pairs(job->finder, a, b, base->found.items, base->found.count,
                                           &contacts, &counted, error);
}

static bool end(void *task)
{
    pairs_job *job = task;
    query_job *base = task;
    const graze_pair *pairs = base->found.items;
    list_sort(&base->found, sizeof *pairs, 2);
    base->hit = base->found.count > 0;
    job->new_count = 0;
    for (size_t i = 0; i < base->found.count; i++)
        job->new_count += !pairs[i].at_rest;
    if (base->with_parts)
        part_pairs_find(&job->parts, base->characters.of, &base->found, base->body_count == 1);
    return true;
}

static void begin_report(const void *task, report_def *def)
{
    const pairs_job *job = task;
    def->only_new = job->only_new;
    def->between = job->between;
}

static bool report(void *task, const report_pose *poses)
{
    query_job *job = task;
    return report_take_pairs(job->report, poses, job->found.items, job->found.count);
}

/* ---- collide ------------------------------------------------------------------------------- */

static const struct option collide_rows[] = {
    OPTION_HEADING_ROW("what is asked"),
    FIRST_ROW("stop at the first pair"),
    COUNT_ROW("leave out the pairs"),
    PARTS_ROW,
    {"--contacts", NULL, OPTION_FLAG, AT(pairs_job, with_contacts),
     "also join the pairs to contacts, with point, normal and depth"},
    FAIL_ON_HIT_ROW("exit with 1 if any triangles meet"),
    MODEL_ROWS,
    SECOND_ROWS,
    PART_ROWS,
    PART_B_ROW,
    HOW_ROWS("lazy|bottom-up|brute", "all give the same pairs"),
    REPORT_ROW};

const struct command collide_command = {
    .name = "collide",
    .summary = "which triangles of two posed models meet, exactly",
    .usage = "MODEL [MODEL_B] [options]",
    .about = "Lists the triangles of two instances that meet, exactly. The second instance is of\n"
             "MODEL_B, or of MODEL if that is left out.",
    .example = "graze collide man.glb chair.glb --times all --at 0,0,0.5 --count",
    OPTIONS(collide_rows),
    TWO_MODELS,
    JOB(pairs_job, .base = QUERY_DEFAULTS),
    QUERY(.body_count = 2, .bottom_up = true, FIELDS(fields), .check = check, .open = open_job,
          .ask = {ask}, .end = end, .begin_report = begin_report, .report = report,
          .close = close_job)};

/* ---- self ---------------------------------------------------------------------------------- */

static const struct option self_rows[] = {
    OPTION_HEADING_ROW("what is asked"),
    {"--new", NULL, OPTION_FLAG, AT(pairs_job, only_new),
     "leave out pairs that meet in the rest pose"},
    FIRST_ROW("stop at the first pair"),
    COUNT_ROW("leave out the pairs"),
    FAIL_ON_HIT_ROW("exit with 1 if any triangles meet"),
    {"--between", "A:B[,C:D...]", OPTION_TEXT, AT(pairs_job, between),
     "only pairs of one of A's triangles and one of B's, by parts"},
    PARTS_ROW,
    MODEL_ROWS,
    PLACED_ROWS,
    PART_ROWS,
    HOW_ROWS("lazy|bottom-up|brute", "all give the same pairs"),
    REPORT_ROW};

const struct command self_command = {
    .name = "self",
    .summary = "which triangles of one posed model meet each other, exactly",
    .usage = "MODEL [options]",
    .about =
        "Lists the triangles of one model that meet each other, exactly. Triangles that share\n"
        "a vertex position in the rest pose are left out. The model is placed as pose places "
        "it.",
    .example = "graze self man.glb --times all --new --count",
    OPTIONS(self_rows),
    ONE_MODEL,
    JOB(pairs_job, .base = {.repeat = 1, .options = {.skin_b = -1, .self_collision = true}}),
    QUERY(.body_count = 1, .role = INSTANCE_ALONE, .bottom_up = true, FIELDS(fields),
          .check = check, .open = open_job, .ask = {ask}, .end = end, .begin_report = begin_report,
          .report = report, .close = close_job)};
