/* Graze: exact, lazy collision detection for everything that deforms.
 *
 *     model  - mesh, skin and bounding tree; immutable, shared      (graze/model.h)
 *     body   - a model in a pose; computes only what is asked for   (graze/body.h)
 *     query  - exact questions between bodies                       (graze/query.h)
 *     inspect - the nodes of a body and their bounds                (graze/inspect.h)
 */
#ifndef GRAZE_GRAZE_H
#define GRAZE_GRAZE_H

#include <graze/base.h>
#include <graze/body.h>
#include <graze/contact.h>
#include <graze/distance.h>
#include <graze/front.h>
#include <graze/inspect.h>
#include <graze/model.h>
#include <graze/query.h>
#include <graze/ray.h>
#include <graze/search.h>
#include <graze/self.h>
#include <graze/shapes.h>
#include <graze/sweep.h>
#include <graze/version.h>

#endif
