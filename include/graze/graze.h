/* Graze: exact, lazy collision detection for everything that deforms.
 *
 *     model    mesh, skin and bounding tree; immutable, shared      (graze/model.h)
 *     body     a model in a pose; computes only what is asked for   (graze/body.h)
 *
 *     query    which triangles of two bodies meet                   (graze/query.h)
 *     self     which triangles of one body meet                     (graze/self.h)
 *     ray      what a ray or segment hits                           (graze/ray.h)
 *     distance how near two bodies are                              (graze/distance.h)
 *     shapes   spheres, boxes, frusta; point inside                 (graze/shapes.h)
 *     shape_contact  where a shape touches, how deep, which way      (graze/shape_contact.h)
 *     contact  where bodies touch, how deep, which way out          (graze/contact.h)
 *     sweep    when moving bodies touch between two poses           (graze/sweep.h)
 *     sweep_shape  when a moving shape touches a moving body        (graze/sweep_shape.h)
 *     search   any of these within a budget, to be gone on with     (graze/search.h)
 *     front    the same pair again next frame                       (graze/front.h)
 *     threads  many questions at once, over threads or your jobs    (graze/threads.h)
 *     world    many bodies and shapes, who meets whom since when    (graze/world.h)
 *     response points for a physics engine, surfaces that move       (graze/response.h)
 *
 *     parts    the shape of a character in three levels             (graze/parts.h)
 *     part_tree  body parts by name, nested                         (graze/part_tree.h)
 *     chain    a few dozen spheres in chains: which regions may meet (graze/chain.h)
 *     chain_pose  where its spheres are in a pose, which overlap    (graze/chain_pose.h)
 *     chain_batch  the same of thousands of poses at once            (graze/chain_batch.h)
 *     part_contact  where two of them meet, part by part             (graze/part_contact.h)
 *     decimate a model of fewer triangles on the same skeleton      (graze/decimate.h)
 *     freeze   a body as it stands, as a rigid model                (graze/freeze.h)
 *     lean     thousands of bodies, caches lent to those in use     (graze/lean.h)
 *     inspect  the nodes of a body and their bounds                 (graze/inspect.h)
 *
 * Not included here: slow ways to the same answers, for tests     (graze/reference.h).
 * Fronts, searches, parts, lean bodies, moving shapes and worlds are GRAZE_EXPERIMENTAL.
 *
 * For all functions:
 *
 *   - A pointer that is NULL where the header does not allow it is GRAZE_BAD_INPUT; functions
 *     without a status then do nothing and return 0. "May be NULL" is said where it is so; stats
 *     and error always may.
 *   - The processor must round to nearest (fesetround); creating models, setting poses and asking
 *     anything else is GRAZE_UNSUPPORTED. Denormals may be flushed to zero (FTZ and DAZ).
 *   - A query takes less than 64 kB of stack, what callbacks take apart. Building a model takes
 *     less as well.
 *   - A callback may ask further queries, of the same bodies too, but not change a pose that the
 *     query under way looks at, nor use its own search or front: these are GRAZE_BAD_INPUT.
 */
#ifndef GRAZE_GRAZE_H
#define GRAZE_GRAZE_H

#include <graze/base.h>
#include <graze/body.h>
#include <graze/chain.h>
#include <graze/chain_batch.h>
#include <graze/chain_pose.h>
#include <graze/contact.h>
#include <graze/decimate.h>
#include <graze/distance.h>
#include <graze/freeze.h>
#include <graze/front.h>
#include <graze/inspect.h>
#include <graze/lean.h>
#include <graze/model.h>
#include <graze/part_contact.h>
#include <graze/part_tree.h>
#include <graze/parts.h>
#include <graze/pool.h>
#include <graze/query.h>
#include <graze/ray.h>
#include <graze/response.h>
#include <graze/search.h>
#include <graze/self.h>
#include <graze/shape.h>
#include <graze/shape_contact.h>
#include <graze/shapes.h>
#include <graze/stats.h>
#include <graze/sweep.h>
#include <graze/sweep_shape.h>
#include <graze/threads.h>
#include <graze/version.h>
#include <graze/world.h>

#endif
