#include "bench/figure.h"

#include "bench/plot.h"

enum { WIDE = 300, HIGH = 230, EDGE = 10, TOP = 44, FOOT = 34, CAPTION = 20 };

/* The lit side of each colour, red, green and blue. */
static const int shades[FIGURE_COLOURS][3] = {
    {205, 205, 210}, {222, 200, 165}, {90, 150, 215}, {225, 105, 90}};

/* ---- what is drawn -------------------------------------------------------------------------- */

figure_panel *figure_add(figure *f, const char *caption)
{
    figure_panel *panel = &f->panels[f->panel_count++];
    snprintf(panel->caption, sizeof panel->caption, "%s", caption);
    return panel;
}

void figure_add_shape(figure_panel *panel, const figure_shape *shape)
{
    if (panel->shape_count == panel->shape_room) {
        panel->shape_room = panel->shape_room ? 2 * panel->shape_room : 256;
        panel->shapes = realloc(panel->shapes, panel->shape_room * sizeof *shape);
        if (!panel->shapes)
            bench_die("out of memory");
    }
    panel->shapes[panel->shape_count++] = *shape;
}

static int points_of(const figure_shape *shape)
{
    return shape->radius < 0 ? 3 : 1;
}

/* ---- from space to the page ----------------------------------------------------------------- */

typedef struct camera {
    double right[3], up[3], to_eye[3];
    double x, y, scale; /* the middle of what is drawn, and pixels a metre */
} camera;

typedef struct spot {
    double x, y, depth; /* pixels in a panel, and towards the eye */
} spot;

static double along(const double axis[3], const float point[3])
{
    return axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2];
}

static spot see(const camera *c, const float point[3])
{
    return (spot){WIDE / 2.0 + (along(c->right, point) - c->x) * c->scale,
                  HIGH / 2.0 - (along(c->up, point) - c->y) * c->scale,
                  along(c->to_eye, point) * c->scale};
}

static void reach(const camera *c, const float point[3], double radius, double box[4])
{
    double x = along(c->right, point), y = along(c->up, point);
    box[0] = fmin(box[0], x - radius);
    box[1] = fmax(box[1], x + radius);
    box[2] = fmin(box[2], y - radius);
    box[3] = fmax(box[3], y + radius);
}

static camera aim(const figure *f)
{
    double turn = f->turn * 0.017453292519943295, tilt = f->tilt * 0.017453292519943295;
    camera c = {.right = {cos(turn), 0, -sin(turn)},
                .up = {-sin(turn) * sin(tilt), cos(tilt), -cos(turn) * sin(tilt)},
                .to_eye = {sin(turn) * cos(tilt), sin(tilt), cos(turn) * cos(tilt)}};
    double box[4] = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (uint32_t p = 0; p < f->panel_count; p++) {
        const figure_panel *panel = &f->panels[p];
        for (uint32_t i = 0; i < panel->shape_count; i++)
            for (int k = 0; k < points_of(&panel->shapes[i]); k++)
                reach(&c, panel->shapes[i].at[k], fmaxf(0, panel->shapes[i].radius), box);
    }
    c.x = 0.5 * (box[0] + box[1]);
    c.y = 0.5 * (box[2] + box[3]);
    c.scale = fmin((WIDE - 2 * EDGE) / (box[1] - box[0]), (HIGH - 2 * EDGE) / (box[3] - box[2]));
    return c;
}

/* ---- what can be seen ----------------------------------------------------------------------- */

/* Each pixel has the depth and the number, plus 1, of what is nearest there. */
typedef struct raster {
    double depth[HIGH][WIDE];
    uint32_t owner[HIGH][WIDE];
} raster;

static void put_pixel(raster *r, int x, int y, double depth, uint32_t number)
{
    if (r->owner[y][x] && r->depth[y][x] >= depth)
        return;
    r->depth[y][x] = depth;
    r->owner[y][x] = number + 1;
}

static int clamp(double value, int most)
{
    return value < 0 ? 0 : value > most ? most : (int)value;
}

static void draw_sphere(raster *r, spot at, double radius, uint32_t number)
{
    for (int y = clamp(at.y - radius, HIGH - 1); y <= clamp(at.y + radius, HIGH - 1); y++)
        for (int x = clamp(at.x - radius, WIDE - 1); x <= clamp(at.x + radius, WIDE - 1); x++) {
            double dx = x + 0.5 - at.x, dy = y + 0.5 - at.y;
            double rest = radius * radius - dx * dx - dy * dy;
            if (rest > 0)
                put_pixel(r, x, y, at.depth + sqrt(rest), number);
        }
}

static void draw_triangle(raster *r, const spot at[3], uint32_t number)
{
    double area =
        (at[1].x - at[0].x) * (at[2].y - at[0].y) - (at[2].x - at[0].x) * (at[1].y - at[0].y);
    double low_x = fmin(fmin(at[0].x, at[1].x), at[2].x);
    double high_x = fmax(fmax(at[0].x, at[1].x), at[2].x);
    double low_y = fmin(fmin(at[0].y, at[1].y), at[2].y);
    double high_y = fmax(fmax(at[0].y, at[1].y), at[2].y);
    if (area == 0)
        return;
    for (int y = clamp(low_y, HIGH - 1); y <= clamp(high_y, HIGH - 1); y++)
        for (int x = clamp(low_x, WIDE - 1); x <= clamp(high_x, WIDE - 1); x++) {
            double depth = 0;
            bool inside = true;
            for (int k = 0; k < 3; k++) {
                spot p = at[(k + 1) % 3], q = at[(k + 2) % 3];
                double share =
                    ((p.x - x - 0.5) * (q.y - y - 0.5) - (q.x - x - 0.5) * (p.y - y - 0.5)) / area;
                inside = inside && share >= 0;
                depth += share * at[k].depth;
            }
            if (inside)
                put_pixel(r, x, y, depth, number);
        }
}

/* A shape that is seen. */
typedef struct item {
    double depth;
    uint32_t number;
} item;

static int compare(const void *a, const void *b)
{
    const item *left = a, *right = b;
    if (left->depth != right->depth)
        return left->depth < right->depth ? -1 : 1;
    return left->number < right->number ? -1 : left->number > right->number;
}

/* Three times the centre of a sphere. */
static void find_spots(const camera *c, const figure_shape *shape, spot at[3])
{
    for (int k = 0; k < 3; k++)
        at[k] = see(c, shape->at[k < points_of(shape) ? k : 0]);
}

/* What is seen of a drawing, the farthest first. */
static item *find_visible(const figure_panel *panel, const camera *c, uint32_t *count)
{
    raster *r = bench_take(1, sizeof *r);
    item *items = bench_take(panel->shape_count, sizeof *items);
    uint32_t *pixels = bench_take(panel->shape_count, sizeof *pixels);
    spot at[3];
    *count = 0;
    for (uint32_t i = 0; i < panel->shape_count; i++) {
        find_spots(c, &panel->shapes[i], at);
        if (points_of(&panel->shapes[i]) == 3)
            draw_triangle(r, at, i);
        else
            draw_sphere(r, at[0], c->scale * panel->shapes[i].radius, i);
    }
    for (int k = 0; k < WIDE * HIGH; k++)
        if (r->owner[k / WIDE][k % WIDE])
            pixels[r->owner[k / WIDE][k % WIDE] - 1]++;
    for (uint32_t i = 0; i < panel->shape_count; i++) {
        find_spots(c, &panel->shapes[i], at);
        if (pixels[i] >= (points_of(&panel->shapes[i]) == 3 ? 1 : 3))
            items[(*count)++] = (item){at[0].depth + at[1].depth + at[2].depth, i};
    }
    free(r);
    free(pixels);
    qsort(items, *count, sizeof *items, compare);
    return items;
}

/* ---- SVG ------------------------------------------------------------------------------------ */

enum { STEPS = 16 };

/* How much light from the eye's upper left a triangle has, in steps. */
static int light_of(const camera *c, const figure_shape *triangle)
{
    double normal[3], length = 0, light = 0;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        const float(*at)[3] = triangle->at;
        normal[k] = (double)(at[1][i] - at[0][i]) * (at[2][j] - at[0][j]) -
                    (double)(at[1][j] - at[0][j]) * (at[2][i] - at[0][i]);
        length += normal[k] * normal[k];
    }
    for (int k = 0; k < 3; k++)
        light += normal[k] * (0.75 * c->to_eye[k] + 0.55 * c->up[k] - 0.36 * c->right[k]);
    light = length > 0 ? fabs(light) / sqrt(length) : 0;
    return clamp(STEPS * light, STEPS - 1);
}

/* Classes for the lit triangles and the spheres of each colour: one letter, and the step. */
static void put_styles(FILE *file)
{
    fputs("<defs>\n", file);
    for (int i = 0; i < FIGURE_COLOURS; i++)
        fprintf(file,
                "<radialGradient id=\"c%d\" fx=\"0.35\" fy=\"0.3\"><stop offset=\"0\" "
                "stop-color=\"#%02x%02x%02x\"/><stop offset=\"1\" "
                "stop-color=\"#%02x%02x%02x\"/></radialGradient>\n",
                i, (shades[i][0] + 255) / 2, (shades[i][1] + 255) / 2, (shades[i][2] + 255) / 2,
                shades[i][0] / 2, shades[i][1] / 2, shades[i][2] / 2);
    fputs("</defs>\n<style>\n", file);
    for (int i = 0; i < FIGURE_BLUE; i++)
        for (int step = 0; step < STEPS; step++) {
            int rgb[3];
            for (int k = 0; k < 3; k++)
                rgb[k] = shades[i][k] * (45 + 55 * step / (STEPS - 1)) / 100;
            fprintf(file, ".%c%d{fill:#%02x%02x%02x;stroke:#%02x%02x%02x}", "tu"[i], step, rgb[0],
                    rgb[1], rgb[2], rgb[0], rgb[1], rgb[2]);
        }
    fputs("\n</style>\n", file);
}

/* Spheres of one colour that follow each other are a group, of which *colour is open; -1: none. */
static void put_shape(FILE *file, const figure_shape *shape, const camera *c, int *colour)
{
    spot at[3];
    find_spots(c, shape, at);
    if (points_of(shape) == 3) {
        fprintf(file, "<path class=\"%c%d\" d=\"M%.1f %.1fL%.1f %.1f %.1f %.1fz\"/>\n",
                "tu"[shape->colour % 2], light_of(c, shape), at[0].x, at[0].y, at[1].x, at[1].y,
                at[2].x, at[2].y);
        return;
    }
    if (*colour != (int)shape->colour) {
        fputs(*colour < 0 ? "" : "</g>\n", file);
        fprintf(file, "<g fill=\"url(#c%d)\">\n", (int)shape->colour);
        *colour = (int)shape->colour;
    }
    fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", at->x, at->y,
            c->scale * shape->radius);
}

static void put_panel(FILE *file, const figure_panel *panel, const camera *c, int x, int y)
{
    uint32_t count;
    int colour = -1;
    item *items = find_visible(panel, c, &count);
    plot_text(file, x + EDGE, y + CAPTION - 6, 12, "", panel->caption);
    fprintf(file, "<g transform=\"translate(%d %d)\" stroke-width=\"0.6\">\n", x, y + CAPTION);
    for (uint32_t i = 0; i < count; i++)
        put_shape(file, &panel->shapes[items[i].number], c, &colour);
    fputs(colour < 0 ? "</g>\n" : "</g>\n</g>\n", file);
    free(items);
}

/* ---- OBJ ------------------------------------------------------------------------------------ */

/* An octahedron whose faces are cut into four. */
static void put_ball(FILE *file, const figure_shape *sphere, uint32_t first)
{
    static const signed char corners[18][3] = {
        {1, 0, 0},  {-1, 0, 0},  {0, 1, 0},  {0, -1, 0},  {0, 0, 1},  {0, 0, -1},
        {1, 1, 0},  {-1, 1, 0},  {1, -1, 0}, {-1, -1, 0}, {1, 0, 1},  {-1, 0, 1},
        {1, 0, -1}, {-1, 0, -1}, {0, 1, 1},  {0, -1, 1},  {0, 1, -1}, {0, -1, -1}};
    for (int k = 0; k < 18; k++) {
        const float *centre = sphere->at[0];
        double scale = sphere->radius / sqrt(k < 6 ? 1 : 2);
        fprintf(file, "v %.6g %.6g %.6g\n", centre[0] + scale * corners[k][0],
                centre[1] + scale * corners[k][1], centre[2] + scale * corners[k][2]);
    }
    for (int octant = 0; octant < 8; octant++) {
        uint32_t x = octant & 1, y = octant >> 1 & 1, z = octant >> 2;
        uint32_t ends[3] = {x, 2 + y, 4 + z};
        uint32_t middles[3] = {14 + y + 2 * z, 10 + x + 2 * z, 6 + x + 2 * y}; /* opposite each */
        bool turned = (x + y + z) & 1;
        uint32_t faces[4][3] = {{ends[0], middles[2], middles[1]},
                                {ends[1], middles[0], middles[2]},
                                {ends[2], middles[1], middles[0]},
                                {middles[0], middles[1], middles[2]}};
        for (int i = 0; i < 4; i++)
            fprintf(file, "f %u %u %u\n", first + faces[i][0], first + faces[i][turned ? 2 : 1],
                    first + faces[i][turned ? 1 : 2]);
    }
}

static void write_obj(const figure_panel *panel, const char *name)
{
    static const char *names[FIGURE_COLOURS] = {"body", "other", "refitted", "not-refitted"};
    uint32_t next = 1;
    FILE *file = plot_open(name);
    fprintf(file, "# %s\n", panel->caption);
    for (int colour = 0; colour < FIGURE_COLOURS; colour++) {
        fprintf(file, "g %s\n", names[colour]);
        for (uint32_t i = 0; i < panel->shape_count; i++) {
            const figure_shape *shape = &panel->shapes[i];
            bool is_triangle = points_of(shape) == 3;
            if ((int)shape->colour != colour)
                continue;
            for (int k = 0; is_triangle && k < 3; k++)
                fprintf(file, "v %.6g %.6g %.6g\n", shape->at[k][0], shape->at[k][1],
                        shape->at[k][2]);
            if (is_triangle)
                fprintf(file, "f %u %u %u\n", next, next + 1, next + 2);
            else
                put_ball(file, shape, next);
            next += is_triangle ? 3 : 18;
        }
    }
    plot_close(file);
}

void figure_write(figure *f, const char *name, const char *title)
{
    uint32_t rows = (f->panel_count + f->columns - 1) / f->columns;
    int width = (int)f->columns * WIDE, height = TOP + (int)rows * (HIGH + CAPTION) + FOOT;
    FILE *file = plot_begin_page(name, width, height, title);
    camera c = aim(f);
    put_styles(file);
    for (uint32_t p = 0; p < f->panel_count; p++)
        put_panel(file, &f->panels[p], &c, (int)(p % f->columns) * WIDE,
                  TOP + (int)(p / f->columns) * (HIGH + CAPTION));
    plot_end_page(file);
    for (uint32_t p = 0; p < f->panel_count; p++) {
        char file_name[80];
        snprintf(file_name, sizeof file_name, "%s-%u.obj", name, p + 1);
        write_obj(&f->panels[p], file_name);
        free(f->panels[p].shapes);
    }
}
