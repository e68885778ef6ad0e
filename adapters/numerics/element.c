/* The stiffness of a flat triangle in space, as a sum of B' D B over rows B of 18 numbers.
 *
 * Bending: the discrete Kirchhoff triangle (Batoz, Bathe and Ho, "A study of three-node triangular
 * plate bending elements", 1980). Stretching: constant strain. The turn about the normal, of which
 * neither knows, is tied to the turn of the triangle in its plane by DRILLING times the shear
 * stiffness: rigid motion costs nothing, and no turn is left free.
 */
#include "shell.h"

#include <math.h>
#include <string.h>

#define DRILLING 1e-3

enum { DOFS = GRAZEI_SHELL_ELEMENT_DOFS };

/* A triangle in its own plane: the x axis along the first side, z along the normal. */
typedef struct flat_triangle {
    double axes[3][3];
    double x[3], y[3];
    double area;
    double dx[3], dy[3]; /* derivatives of the three area coordinates */
} flat_triangle;

static void flatten(const double *const corners[3], flat_triangle *flat)
{
    double normal[3], side[3], length = 0, *e1 = flat->axes[0], *e2 = flat->axes[1];
    flat->area = grazei_shell_area(corners[0], corners[1], corners[2], normal);
    for (int i = 0; i < 3; i++) {
        side[i] = corners[1][i] - corners[0][i];
        length += side[i] * side[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 3; i++) {
        e1[i] = side[i] / length;
        flat->axes[2][i] = normal[i] / (2 * flat->area);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        e2[i] = flat->axes[2][j] * e1[k] - flat->axes[2][k] * e1[j];
    }
    for (int c = 0; c < 3; c++) {
        flat->x[c] = flat->y[c] = 0;
        for (int i = 0; i < 3; i++) {
            flat->x[c] += (corners[c][i] - corners[0][i]) * e1[i];
            flat->y[c] += (corners[c][i] - corners[0][i]) * e2[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        flat->dx[i] = (flat->y[j] - flat->y[k]) / (2 * flat->area);
        flat->dy[i] = (flat->x[k] - flat->x[j]) / (2 * flat->area);
    }
}

/* From dofs along the triangle's axes to dofs along those of space. */
static void turn_row(const flat_triangle *flat, const double local[DOFS], double row[DOFS])
{
    for (int group = 0; group < DOFS; group += 3)
        for (int i = 0; i < 3; i++)
            row[group + i] = local[group] * flat->axes[0][i] + local[group + 1] * flat->axes[1][i] +
                             local[group + 2] * flat->axes[2][i];
}

/* Adds rows' D rows, D being that of plane stress times a factor. */
static void add_strain(const flat_triangle *flat, double rows[3][DOFS], double factor,
                       double poisson, grazei_shell_matrix stiffness)
{
    double turned[3][DOFS], stress[3][DOFS];
    for (int i = 0; i < 3; i++)
        turn_row(flat, rows[i], turned[i]);
    for (int c = 0; c < DOFS; c++) {
        stress[0][c] = factor * (turned[0][c] + poisson * turned[1][c]);
        stress[1][c] = factor * (turned[1][c] + poisson * turned[0][c]);
        stress[2][c] = factor * (1 - poisson) / 2 * turned[2][c];
    }
    for (int r = 0; r < DOFS; r++)
        for (int c = 0; c < DOFS; c++)
            stiffness[r][c] += turned[0][r] * stress[0][c] + turned[1][r] * stress[1][c] +
                               turned[2][r] * stress[2][c];
}

static void add_stretching(const flat_triangle *flat, const graze_shell_def *material,
                           grazei_shell_matrix stiffness)
{
    double rows[3][DOFS] = {{0}}, poisson = material->poisson;
    for (int c = 0; c < 3; c++) {
        rows[0][6 * c] = rows[2][6 * c + 1] = flat->dx[c];
        rows[1][6 * c + 1] = rows[2][6 * c] = flat->dy[c];
    }
    double factor = material->young * material->thickness / (1 - poisson * poisson);
    add_strain(flat, rows, factor * flat->area, poisson, stiffness);
}

/* For each corner: its turn about the normal less that of the triangle. */
static void add_drilling(const flat_triangle *flat, const graze_shell_def *material,
                         grazei_shell_matrix stiffness)
{
    double shear = material->young / (2 * (1 + material->poisson)) * material->thickness;
    double factor = DRILLING * shear * flat->area / 3;
    for (int corner = 0; corner < 3; corner++) {
        double local[DOFS] = {0}, row[DOFS];
        for (int c = 0; c < 3; c++) {
            local[6 * c] = flat->dy[c] / 2;
            local[6 * c + 1] = -flat->dx[c] / 2;
        }
        local[6 * corner + 5] = 1;
        turn_row(flat, local, row);
        for (int r = 0; r < DOFS; r++)
            for (int c = 0; c < DOFS; c++)
                stiffness[r][c] += factor * row[r] * row[c];
    }
}

/* How far points above the middle lean along x and y, for each unit of height: at the three
 * corners, then half way from 0 to 1, 1 to 2 and 2 to 0, as rows over the dofs.
 */
typedef double lean_rows[6][2][DOFS];

/* Half way the lean along the side is that of a beam's cubic, and the lean across it the mean. */
static void find_leans(const flat_triangle *flat, lean_rows leans)
{
    memset(leans, 0, sizeof(lean_rows));
    for (int c = 0; c < 3; c++) {
        leans[c][0][6 * c + 4] = 1;  /* about y leans along x */
        leans[c][1][6 * c + 3] = -1; /* about x leans against y */
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        double x = flat->x[j] - flat->x[i], y = flat->y[j] - flat->y[i],
               length = sqrt(x * x + y * y);
        double along_x = x / length, along_y = y / length;
        for (int d = 0; d < DOFS; d++) {
            double lean_x = leans[i][0][d] + leans[j][0][d];
            double lean_y = leans[i][1][d] + leans[j][1][d];
            double along = -(along_x * lean_x + along_y * lean_y) / 4;
            double across = (along_x * lean_y - along_y * lean_x) / 2;
            if (d == 6 * i + 2)
                along += 1.5 / length;
            if (d == 6 * j + 2)
                along -= 1.5 / length;
            leans[3 + i][0][d] = along_x * along - along_y * across;
            leans[3 + i][1][d] = along_y * along + along_x * across;
        }
    }
}

/* Derivatives along x and y of the six quadratic functions, at area coordinates. */
static void differentiate(const flat_triangle *flat, const double at[3], double slopes[6][2])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        slopes[i][0] = (4 * at[i] - 1) * flat->dx[i];
        slopes[i][1] = (4 * at[i] - 1) * flat->dy[i];
        slopes[3 + i][0] = 4 * (at[i] * flat->dx[j] + at[j] * flat->dx[i]);
        slopes[3 + i][1] = 4 * (at[i] * flat->dy[j] + at[j] * flat->dy[i]);
    }
}

/* Curvature is linear over the triangle: three points integrate its square exactly. */
static void add_bending(const flat_triangle *flat, const graze_shell_def *material,
                        grazei_shell_matrix stiffness)
{
    double thickness = material->thickness, poisson = material->poisson;
    double factor = material->young * thickness * thickness * thickness /
                    (12 * (1 - poisson * poisson)) * flat->area / 3;
    lean_rows leans;
    find_leans(flat, leans);
    for (int point = 0; point < 3; point++) {
        double at[3] = {0.5, 0.5, 0.5}, slopes[6][2], rows[3][DOFS] = {{0}};
        at[point] = 0;
        differentiate(flat, at, slopes);
        for (int n = 0; n < 6; n++)
            for (int d = 0; d < DOFS; d++) {
                rows[0][d] += slopes[n][0] * leans[n][0][d];
                rows[1][d] += slopes[n][1] * leans[n][1][d];
                rows[2][d] += slopes[n][1] * leans[n][0][d] + slopes[n][0] * leans[n][1][d];
            }
        add_strain(flat, rows, factor, poisson, stiffness);
    }
}

void grazei_shell_element(const double *const corners[3], const graze_shell_def *material,
                          grazei_shell_matrix stiffness)
{
    flat_triangle flat;
    memset(stiffness, 0, sizeof(grazei_shell_matrix));
    flatten(corners, &flat);
    add_stretching(&flat, material, stiffness);
    add_bending(&flat, material, stiffness);
    add_drilling(&flat, material, stiffness);
}
