/* Drawings of measured tables as SVG: lines on logarithmic axes, or of shares, and bars on one. */
#ifndef GRAZE_BENCH_PLOT_H
#define GRAZE_BENCH_PLOT_H

#include "bench/bench.h"

#define PLOT_POINTS 16
#define PLOT_LINES 12
#define PLOT_BARS 16

/* Values above 0; x ascending, unless both axes are shares. */
typedef struct plot_line {
    char name[64];
    uint32_t colour; /* lines of one colour belong together */
    bool dashed;
    double x[PLOT_POINTS], y[PLOT_POINTS];
    uint32_t count;
} plot_line;

typedef struct plot_chart {
    const char *title, *x_name, *y_name;
    bool percent; /* both axes are shares, 0 to 100 */
    plot_line lines[PLOT_LINES];
    uint32_t line_count;
} plot_chart;

/* A new line of the chart, to be filled. */
plot_line *plot_add_line(plot_chart *chart, const char *name, uint32_t colour, bool dashed);
void plot_add_point(plot_line *line, double x, double y);

typedef struct plot_bar {
    char name[64], label[48]; /* left of the bar, and behind its end */
    double value;             /* above 0 */
    uint32_t colour;
} plot_bar;

/* Bars on one axis, the first ones on top. */
typedef struct plot_panel {
    char title[64], note[160]; /* above them */
    plot_bar bars[PLOT_BARS];
    uint32_t bar_count;
} plot_panel;

/* Opens DIR/NAME.svg of --plot DIR (letters of the name that files do not like are replaced, and
 * the folder is made if there is none), with a title and the machine's line below, for pages that
 * are drawn elsewhere. plot_open is for other files there.
 */
FILE *plot_begin_page(const char *name, int width, int height, const char *title);
void plot_end_page(FILE *file);
FILE *plot_open(const char *name);
void plot_close(FILE *file);

/* A line of text; more: attributes. */
void plot_text(FILE *file, double x, double y, int size, const char *more, const char *text);

/* Write whole pages. */
void plot_lines(const char *name, const plot_chart *chart);
void plot_bars(const char *name, const char *title, const char *unit, const plot_panel *panels,
               uint32_t panel_count);

#endif
