/* What happened: contacts, statistics, sums. */
#include "sim.h"

#include "vector.h"

const graze_sim_contact *graze_sim_contact_list(const graze_sim *sim, size_t *count)
{
    if (count)
        *count = sim ? sim->contacts.count : 0;
    return sim && sim->contacts.count ? sim->contacts.items : NULL;
}

graze_sim_stats graze_sim_get_stats(const graze_sim *sim)
{
    return sim ? sim->stats : (graze_sim_stats){.awake = 0};
}

static void add_body(const graze_sim *sim, uint32_t body, graze_sim_totals *sum)
{
    const grazei_sim_state *state = grazei_sim_body_at(sim, body);
    const grazei_sim_kind *kind = grazei_sim_kind_at(sim, state->kind);
    double turn[3][3], local[3], spin[3], orbit[3];
    grazei_matrix_of(state->rotation, turn);
    grazei_times_turned(turn, state->angular, local);
    grazei_times(kind->inertia, local, spin);
    sum->kinetic += grazei_dot(spin, local) / 2;
    sum->kinetic += kind->mass * grazei_dot(state->velocity, state->velocity) / 2;
    grazei_times(turn, spin, spin);
    grazei_cross(state->position, state->velocity, orbit);
    for (int k = 0; k < 3; k++) {
        sum->momentum[k] += kind->mass * state->velocity[k];
        sum->angular[k] += spin[k] + kind->mass * orbit[k];
    }
    sum->gravity -= kind->mass * grazei_dot(sim->def.gravity, state->position);
    sum->mass += kind->mass;
    for (uint32_t j = 0; j < kind->mode_count; j++) {
        double u = grazei_sim_weights_of(sim, &sim->weights, body)[j];
        double v = grazei_sim_weights_of(sim, &sim->weight_speeds, body)[j];
        sum->vibration +=
            (v * v + kind->modes[j].stiffness * u * u) / kind->modes[j].inverse_mass / 2;
    }
}

graze_sim_totals graze_sim_get_totals(const graze_sim *sim)
{
    graze_sim_totals sum = {.kinetic = 0};
    for (uint32_t i = 0; sim && i < sim->bodies.count; i++)
        if (grazei_sim_kind_of(sim, i)->motion == GRAZE_SIM_FREE)
            add_body(sim, i, &sum);
    return sum;
}
