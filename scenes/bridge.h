/* How the bridge sways, for whoever makes an animation of it. */
#ifndef GRAZE_SCENES_BRIDGE_H
#define GRAZE_SCENES_BRIDGE_H

#include "scenes/vector.h"

/* Metres. The bridge goes along x, the deck is near y = 14 and 8 m wide, the ground at y = 0. */
#define GRAZEI_BRIDGE_HALF 80.0  /* from the middle to either end */
#define GRAZEI_BRIDGE_TOWER 48.0 /* to either tower */
#define GRAZEI_BRIDGE_TOP 29.0   /* of the towers */

/* The height of the deck. */
double grazei_bridge_deck(double x);

/* The height of the main cables. */
double grazei_bridge_cable(double x);

enum { GRAZEI_BRIDGE_FRAMES = 120 };

/* Of one loop. */
#define GRAZEI_BRIDGE_SECONDS 6.0

/* Where a point of the bridge is at a part (0 to 1) of the loop: the deck bends, sways and twists,
 * waves run along the cables, the towers nod. Piers and the feet of the towers stand still.
 */
grazei_vec grazei_bridge_sway(grazei_vec at, double phase);

#endif
