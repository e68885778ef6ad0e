/* Drawings of bench peers. */
#include "bench/compare.h"
#include "bench/plot.h"

#include <stdio.h>
#include <string.h>

static const uint32_t colours[PAIR_WAYS] = {
    [PAIR_GRAZE] = 0, [PAIR_GRAZE_EAGER] = 4, [PAIR_EAGER_BOXES] = 1, [PAIR_EAGER_BOXES_SCALAR] = 5,
    [PAIR_SKIN] = 7,  [PAIR_LIBRARY] = 6};

static void fill_panel(const compare_case *entry, plot_panel *panel)
{
    snprintf(panel->title, sizeof panel->title, "%s", entry->what->name);
    memcpy(panel->note, entry->note, sizeof panel->note);
    panel->bar_count = entry->row_count < PLOT_BARS ? entry->row_count : PLOT_BARS;
    for (uint32_t m = 0; m < panel->bar_count; m++) {
        const compare_row *row = &entry->rows[m];
        plot_bar *bar = &panel->bars[m];
        bar->value = row->least;
        bar->colour = colours[row->way];
        memcpy(bar->name, row->method, sizeof bar->name);
        int length = snprintf(bar->label, sizeof bar->label, "%.3g", row->least);
        if (row->way != PAIR_GRAZE)
            length += snprintf(bar->label + length, sizeof bar->label - (size_t)length, ", %.*f x",
                               row->ratio < 10 ? 2 : row->ratio < 100, row->ratio);
        if (row->missing || row->extra)
            snprintf(bar->label + length, sizeof bar->label - (size_t)length, ", -%zu +%zu pairs",
                     row->missing, row->extra);
    }
}

bool compare_plot(const char *folder, const compare_model *model)
{
    plot_panel panels[COMPARE_CASES];
    char name[80], title[160];
    for (uint32_t c = 0; c < model->case_count; c++)
        fill_panel(&model->cases[c], &panels[c]);
    snprintf(name, sizeof name, "peers-%s", model->name);
    snprintf(title, sizeof title, "Two of %s, %u triangles each", model->name, model->triangles);
    return plot_bars(
        folder, name, title,
        "milliseconds from joint matrices to answer, least, logarithmic; times as long "
        "as graze; pairs missing (-) and wrong (+) over all frames",
        panels, model->case_count);
}
