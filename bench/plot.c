#include "bench/plot.h"

#include <ctype.h>
#include <errno.h>
#include <sys/stat.h>

/* Colours that stay apart for most eyes (after Okabe & Ito 2008), and greys. */
static const char *const colours[] = {"#d55e00", "#0072b2", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#8a8a8a", "#b5b5b5"};

static const char *colour_of(uint32_t number)
{
    return colours[number % COUNT_OF(colours)];
}

/* ---- the page ----------------------------------------------------------------------------- */

void plot_text(FILE *file, double x, double y, int size, const char *more, const char *text)
{
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" %s>", x, y, size, more);
    for (; *text; text++)
        if (*text == '&')
            fputs("&amp;", file);
        else if (*text == '<')
            fputs("&lt;", file);
        else
            fputc(*text, file);
    fputs("</text>\n", file);
}

static void put_line(FILE *file, double x0, double y0, double x1, double y1, const char *colour)
{
    fprintf(file, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x0, y0,
            x1, y1, colour);
}

/* At the foot of a page, in two lines where it does not fit into one. */
static void put_machine(FILE *file, int width, int height)
{
    static const char grey[] = "fill=\"#777\"";
    char text[BENCH_MACHINE_SIZE];
    bench_describe_machine(text, sizeof text);
    size_t length = strlen(text), room = (size_t)(width - 40) * 3 / 16; /* letters of size 9 */
    size_t split = length <= room ? 0 : room;
    while (split && text[split] != ' ')
        split--;
    text[split] = split ? '\0' : text[0];
    if (split)
        plot_text(file, 20, height - 22, 9, grey, text);
    plot_text(file, 20, height - 10, 9, grey, split ? text + split + 1 : text);
}

static char path[700]; /* of the file that is open */

FILE *plot_open(const char *name)
{
    size_t folder = strlen(asked.plot) + 1;
    if (mkdir(asked.plot, 0777) && errno != EEXIST)
        bench_die("%s: %s", asked.plot, strerror(errno));
    snprintf(path, sizeof path, "%s/%s", asked.plot, name);
    for (char *at = path + folder; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '.')
            *at = '-';
    FILE *file = fopen(path, "w");
    if (!file)
        bench_die("%s: %s", path, strerror(errno));
    return file;
}

void plot_close(FILE *file)
{
    bool written = !ferror(file);
    if (fclose(file) != 0 || !written)
        bench_die("%s: %s", path, strerror(errno));
}

FILE *plot_begin_page(const char *name, int width, int height, const char *title)
{
    char whole[120];
    snprintf(whole, sizeof whole, "%s.svg", name);
    FILE *file = plot_open(whole);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" "
            "fill=\"#222\">\n<rect width=\"%d\" height=\"%d\" fill=\"#fcfcfa\"/>\n",
            width, height, width, height, width, height);
    plot_text(file, 20, 28, 16, "font-weight=\"bold\"", title);
    put_machine(file, width, height);
    return file;
}

void plot_end_page(FILE *file)
{
    fputs("</svg>\n", file);
    plot_close(file);
}

/* ---- an axis ------------------------------------------------------------------------------ */

/* Values low to high lie on from to to, in pixels, logarithmic or even. */
typedef struct plot_axis {
    double low, high, from, to;
    bool even;
} plot_axis;

static double at(const plot_axis *axis, double value)
{
    double share = axis->even ? (value - axis->low) / (axis->high - axis->low)
                              : log(value / axis->low) / log(axis->high / axis->low);
    return axis->from + share * (axis->to - axis->from);
}

/* To whole steps of 1, 2, 5. */
static void round_out(plot_axis *axis)
{
    static const double steps[] = {1, 2, 5, 10};
    double low = pow(10, floor(log10(axis->low))), high = pow(10, floor(log10(axis->high)));
    int i = 3, k = 0;
    while (low * steps[i] > axis->low * 1.0001)
        i--;
    while (high * steps[k] < axis->high * 0.9999)
        k++;
    axis->low = low * steps[i];
    axis->high = high * steps[k];
    if (axis->high <= axis->low)
        axis->high = 10 * axis->low;
}

/* The next of 1, 2, 5, 10, ... */
static double next_step(double value, bool *decade)
{
    double unit = pow(10, floor(log10(value * 1.0001)));
    int lead = (int)lround(value / unit);
    *decade = lead == 5;
    return unit * (lead == 1 ? 2 : lead == 2 ? 5 : 10);
}

static void format_value(double value, char *text, size_t size)
{
    if (value >= 1e6)
        snprintf(text, size, "%.3gM", value * 1e-6);
    else if (value >= 1e3)
        snprintf(text, size, "%.3gk", value * 1e-3);
    else
        snprintf(text, size, "%.3g", value);
}

/* ---- lines -------------------------------------------------------------------------------- */

plot_line *plot_add_line(plot_chart *chart, const char *name, uint32_t colour, bool dashed)
{
    plot_line *line = &chart->lines[chart->line_count];
    chart->line_count += chart->line_count + 1 < PLOT_LINES;
    *line = (plot_line){.colour = colour, .dashed = dashed};
    snprintf(line->name, sizeof line->name, "%s", name);
    return line;
}

void plot_add_point(plot_line *line, double x, double y)
{
    if (line->count == PLOT_POINTS || !(x > 0) || !(y > 0))
        return;
    line->x[line->count] = x;
    line->y[line->count++] = y;
}

static void find_range(const plot_chart *chart, plot_axis *x, plot_axis *y)
{
    if (chart->percent) {
        x->even = y->even = true;
        x->low = y->low = 0;
        x->high = y->high = 100;
        return;
    }
    x->low = y->low = INFINITY;
    x->high = y->high = 0;
    for (uint32_t i = 0; i < chart->line_count; i++)
        for (uint32_t k = 0; k < chart->lines[i].count; k++) {
            const plot_line *line = &chart->lines[i];
            x->low = fmin(x->low, line->x[k]);
            x->high = fmax(x->high, line->x[k]);
            y->low = fmin(y->low, line->y[k]);
            y->high = fmax(y->high, line->y[k]);
        }
    if (!(x->low < x->high))
        x->low *= 0.5, x->high *= 2;
    round_out(y);
}

static void put_names_of_axes(FILE *file, const plot_chart *chart, const plot_axis *x,
                              const plot_axis *y)
{
    put_line(file, x->from, y->from, x->to, y->from, "#888");
    plot_text(file, 0.5 * (x->from + x->to), y->from + 42, 12, "text-anchor=\"middle\"",
              chart->x_name);
    plot_text(file, x->from - 50, y->to - 12, 12, "", chart->y_name);
}

static void put_shares(FILE *file, const plot_axis *x, const plot_axis *y)
{
    for (int share = 0; share <= 100; share += 20) {
        char text[32];
        snprintf(text, sizeof text, "%d", share);
        put_line(file, x->from, at(y, share), x->to, at(y, share), "#d0d0cc");
        plot_text(file, x->from - 8, at(y, share) + 4, 11, "text-anchor=\"end\"", text);
        put_line(file, at(x, share), y->from, at(x, share), y->from + 5, "#888");
        plot_text(file, at(x, share), y->from + 20, 11, "text-anchor=\"middle\"", text);
    }
}

static void put_axes(FILE *file, const plot_chart *chart, const plot_axis *x, const plot_axis *y)
{
    char text[32];
    const plot_line *ruler = &chart->lines[0];
    bool decade = lround(y->low / pow(10, floor(log10(y->low * 1.0001)))) == 1;
    bool few = y->high / y->low < 200;
    for (double value = y->low; value <= y->high * 1.0001; value = next_step(value, &decade)) {
        put_line(file, x->from, at(y, value), x->to, at(y, value), decade ? "#d0d0cc" : "#ececea");
        format_value(value, text, sizeof text);
        if (decade || few)
            plot_text(file, x->from - 8, at(y, value) + 4, 11, "text-anchor=\"end\"", text);
    }
    for (uint32_t i = 1; i < chart->line_count; i++)
        ruler = chart->lines[i].count > ruler->count ? &chart->lines[i] : ruler;
    for (uint32_t i = 0; i < ruler->count; i++) {
        put_line(file, at(x, ruler->x[i]), y->from, at(x, ruler->x[i]), y->from + 5, "#888");
        format_value(ruler->x[i], text, sizeof text);
        plot_text(file, at(x, ruler->x[i]), y->from + 20, 11, "text-anchor=\"middle\"", text);
    }
}

static void put_series(FILE *file, const plot_line *line, const plot_axis *x, const plot_axis *y)
{
    const char *colour = colour_of(line->colour);
    fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s points=\"", colour,
            line->dashed ? " stroke-dasharray=\"6 4\"" : "");
    for (uint32_t i = 0; i < line->count; i++)
        fprintf(file, "%.1f,%.1f ", at(x, line->x[i]), at(y, line->y[i]));
    fputs("\"/>\n", file);
    for (uint32_t i = 0; i < line->count; i++)
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", at(x, line->x[i]),
                at(y, line->y[i]), line->dashed ? "#fcfcfa" : colour);
    if (line->dashed)
        for (uint32_t i = 0; i < line->count; i++)
            fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"none\" stroke=\"%s\"/>\n",
                    at(x, line->x[i]), at(y, line->y[i]), colour);
}

/* Names stand behind the lines' ends, in their order and moved apart as need be. */
static void put_names(FILE *file, const plot_chart *chart, const plot_axis *x, const plot_axis *y)
{
    const double gap = 15;
    double height = -INFINITY;
    bool done[PLOT_LINES] = {false};
    for (uint32_t n = 0; n < chart->line_count; n++) {
        uint32_t top = UINT32_MAX;
        for (uint32_t i = 0; i < chart->line_count; i++) {
            const plot_line *line = &chart->lines[i];
            if (!done[i] && line->count > 0 &&
                (top == UINT32_MAX ||
                 line->y[line->count - 1] > chart->lines[top].y[chart->lines[top].count - 1]))
                top = i;
        }
        if (top == UINT32_MAX)
            return;
        const plot_line *line = &chart->lines[top];
        char more[64];
        done[top] = true;
        height = fmax(height + gap, at(y, line->y[line->count - 1]) + 4);
        snprintf(more, sizeof more, "fill=\"%s\"", colour_of(line->colour));
        plot_text(file, x->to + 12, height, 11, more, line->name);
    }
}

void plot_lines(const char *name, const plot_chart *chart)
{
    enum { WIDTH = 800, HEIGHT = 500 };
    plot_axis x = {.from = 70, .to = 580}, y = {.from = HEIGHT - 80, .to = 70};
    find_range(chart, &x, &y);
    FILE *file = plot_begin_page(name, WIDTH, HEIGHT, chart->title);
    if (chart->percent)
        put_shares(file, &x, &y);
    else
        put_axes(file, chart, &x, &y);
    put_names_of_axes(file, chart, &x, &y);
    for (uint32_t i = 0; i < chart->line_count; i++)
        put_series(file, &chart->lines[i], &x, &y);
    put_names(file, chart, &x, &y);
    plot_end_page(file);
}

/* ---- bars --------------------------------------------------------------------------------- */

enum { BAR = 13, BAR_STEP = 18, PANEL_WIDTH = 640, PANEL_LEFT = 220, PANEL_RIGHT = 150 };

static int panel_height(const plot_panel *panel)
{
    return 72 + BAR_STEP * (int)panel->bar_count;
}

static void put_panel(FILE *file, const plot_panel *panel, double left, double top)
{
    plot_axis x = {
        .low = INFINITY, .from = left + PANEL_LEFT, .to = left + PANEL_WIDTH - PANEL_RIGHT};
    double bottom = top + 22 + BAR_STEP * panel->bar_count;
    bool decade = true;
    char text[32];
    for (uint32_t i = 0; i < panel->bar_count; i++) {
        x.low = fmin(x.low, panel->bars[i].value);
        x.high = fmax(x.high, panel->bars[i].value);
    }
    x.low = pow(10, floor(log10(x.low * 0.7)));
    round_out(&x);
    plot_text(file, left, top - 6, 12, "font-weight=\"bold\"", panel->title);
    plot_text(file, left, top + 9, 10, "fill=\"#555\"", panel->note);
    for (double value = x.low; value <= x.high * 1.0001; value = next_step(value, &decade))
        if (decade) {
            put_line(file, at(&x, value), top + 18, at(&x, value), bottom, "#d8d8d4");
            format_value(value, text, sizeof text);
            plot_text(file, at(&x, value), bottom + 13, 10, "text-anchor=\"middle\" fill=\"#666\"",
                      text);
        }
    for (uint32_t i = 0; i < panel->bar_count; i++) {
        const plot_bar *bar = &panel->bars[i];
        double y = top + 22 + BAR_STEP * i, end = at(&x, bar->value);
        fprintf(file, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
                x.from, y, end - x.from, BAR, colour_of(bar->colour));
        plot_text(file, x.from - 6, y + 10, 11, "text-anchor=\"end\"", bar->name);
        plot_text(file, end + 5, y + 10, 10, "fill=\"#444\"", bar->label);
    }
}

void plot_bars(const char *name, const char *title, const char *unit, const plot_panel *panels,
               uint32_t panel_count)
{
    enum { COLUMNS = 2, TOP = 76 };
    int heights[COLUMNS] = {TOP, TOP}, height = 0, column;
    for (uint32_t i = 0; i < panel_count; i++) {
        column = heights[1] < heights[0];
        heights[column] += panel_height(&panels[i]);
        height = heights[column] > height ? heights[column] : height;
    }
    FILE *file = plot_begin_page(name, COLUMNS * PANEL_WIDTH + 20, height + 30, title);
    plot_text(file, 20, 46, 11, "fill=\"#555\"", unit);
    heights[0] = heights[1] = TOP;
    for (uint32_t i = 0; i < panel_count; i++) {
        column = heights[1] < heights[0];
        put_panel(file, &panels[i], 20.0 + column * PANEL_WIDTH, heights[column]);
        heights[column] += panel_height(&panels[i]);
    }
    plot_end_page(file);
}
