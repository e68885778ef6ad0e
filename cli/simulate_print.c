#include "cli/simulate.h"

#include "cli/text.h"

#include <math.h>

/* ---- energy --------------------------------------------------------------------------------- */

/* Joules of all free bodies: motion, vibration included, and height and elasticity. */
typedef struct energies {
    double kinetic, potential;
} energies;

static double vibration_kinetic(const simulate_kind *kind, const graze_sim_body *body)
{
    double sum = 0;
    for (uint32_t m = 0; m < kind->field_count && body->weight_velocities; m++) {
        double speed = kind->scales[m] * body->weight_velocities[m];
        sum += speed * speed / 2;
    }
    return sum;
}

static energies find_energies(const simulate_scene *scene)
{
    graze_sim_totals totals = graze_sim_get_totals(scene->sim);
    double moving = 0;
    for (uint32_t i = scene->animated_count; i < scene->body_count; i++) {
        graze_sim_body body;
        if (!graze_sim_get_body(scene->sim, i, &body, NULL))
            moving += vibration_kinetic(scene->kinds[body.kind], &body);
    }
    return (energies){.kinetic = totals.kinetic + moving,
                      .potential = totals.gravity + (totals.vibration - moving)};
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void put_floats(FILE *out, const float *numbers)
{
    const double same[3] = {numbers[0], numbers[1], numbers[2]};
    put_json_list(out, same, 3, 9);
}

static void put_contacts(FILE *out, const graze_sim *sim)
{
    size_t count;
    const graze_sim_contact *contacts = graze_sim_contact_list(sim, &count);
    fputs(",\"contact_list\":[", out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s{\"bodies\":[%u,", i ? "," : "", contacts[i].a);
        if (contacts[i].b == GRAZE_NONE)
            fputs("null],\"point\":", out);
        else
            fprintf(out, "%u],\"point\":", contacts[i].b);
        put_floats(out, contacts[i].point);
        fputs(",\"normal\":", out);
        put_floats(out, contacts[i].normal);
        fprintf(out, ",\"depth\":%.9g,\"impulse\":", (double)contacts[i].depth);
        put_json_list(out, contacts[i].impulse, 3, 9);
        putc('}', out);
    }
    putc(']', out);
}

static void put_bodies(FILE *out, const simulate_scene *scene)
{
    fputs(",\"bodies\":[", out);
    for (uint32_t i = 0; i < scene->body_count; i++) {
        graze_sim_body body = {0};
        graze_sim_get_body(scene->sim, i, &body, NULL);
        const simulate_kind *kind = scene->kinds[body.kind];
        fprintf(out, "%s{\"kind\":\"%s\",\"asleep\":%s,\"position\":", i ? "," : "", kind->name,
                body.asleep ? "true" : "false");
        put_json_list(out, body.position, 3, 17);
        fputs(",\"rotation\":", out);
        put_json_list(out, body.rotation, 4, 17);
        fputs(",\"weights\":", out);
        put_json_list(out, body.weights, body.weights ? kind->field_count : 0, 17);
        putc('}', out);
    }
    putc(']', out);
}

void simulate_print_json(FILE *out, const simulate_job *job, const simulate_scene *scene)
{
    graze_sim_stats stats = graze_sim_get_stats(scene->sim);
    energies energy = find_energies(scene);
    uint64_t step = graze_sim_step_count(scene->sim);
    put_json(out,
             "{\"step\":%llu,\"time\":%g,\"awake\":%u,\"contacts\":%llu,\"kinetic\":%g,"
             "\"potential\":%g",
             (unsigned long long)step, (double)step * scene->options.step_seconds, stats.awake,
             (unsigned long long)stats.contacts, energy.kinetic, energy.potential);
    if (job->contacts)
        put_contacts(out, scene->sim);
    if (job->bodies)
        put_bodies(out, scene);
    fputs("}\n", out);
}

/* ---- text ----------------------------------------------------------------------------------- */

static const char *plural_of(simulate_thing thing)
{
    static const char *const names[SIMULATE_THING_COUNT] = {"chairs", "fish", "bridges", "curtains",
                                                            "balls"};
    return names[thing];
}

static void print_kind(const simulate_scene *scene, uint32_t index)
{
    const simulate_kind *kind = scene->kinds[index];
    uint32_t count =
        kind->animated ? scene->animated_count : scene->body_count - scene->animated_count;
    say("%u %s of %u triangles", count, count == 1 ? kind->name : plural_of(kind->thing),
        kind->rig->triangle_count);
    if (kind->field_count > 0)
        printf(" and %u %s", kind->field_count, kind->animated ? "components" : "modes");
    else
        printf(", rigid");
}

void simulate_print_heading(const simulate_job *job, const simulate_scene *scene)
{
    say("%s: ", scene->name);
    for (uint32_t k = 0; k < scene->kind_count; k++) {
        fputs(k ? "; " : "", stdout);
        print_kind(scene, k);
    }
    printf("\n%s contacts, %.6g steps a second",
           scene->options.contacts == SIMULATE_PROXIES ? "proxy" : "exact",
           1 / scene->options.step_seconds);
    if (job->resume)
        printf("; goes on from %.6g s",
               (double)graze_sim_step_count(scene->sim) * scene->options.step_seconds);
    printf("\n\n%9s %8s %9s %12s %12s %10s\n", "time", "awake", "contacts", "kinetic", "potential",
           "a step");
}

void simulate_print_row(const simulate_scene *scene, double ms_a_step)
{
    graze_sim_stats stats = graze_sim_get_stats(scene->sim);
    energies energy = find_energies(scene);
    printf("%7.2f s %8u %9llu %10.1f J %10.1f J %7.1f ms\n",
           (double)graze_sim_step_count(scene->sim) * scene->options.step_seconds, stats.awake,
           (unsigned long long)stats.contacts, energy.kinetic, energy.potential, ms_a_step);
}

void simulate_print_summary(const simulate_scene *scene, const simulate_totals *totals)
{
    graze_sim_stats stats = graze_sim_get_stats(scene->sim);
    double steps = (double)(totals->step - totals->from);
    double sum = fmax(totals->pose + totals->find + totals->solve + totals->move, 1e-9);
    double seconds = fmax(totals->seconds, 1e-9);
    printf("\n%llu step%s in %.2f s: %.2f ms each, the slowest %.1f ms, %.0f contacts a second\n",
           (unsigned long long)(totals->step - totals->from), steps == 1 ? "" : "s",
           totals->seconds, 1e3 * totals->seconds / steps, 1e3 * totals->slowest,
           (double)totals->contacts / seconds);
    printf("poses %.0f %%, finding contacts %.0f %%, solving them %.0f %%, moving %.0f %%\n",
           100 * totals->pose / sum, 100 * totals->find / sum, 100 * totals->solve / sum,
           100 * totals->move / sum);
    printf("%u of %u bodies sleep\n", stats.asleep, stats.asleep + stats.awake);
}
