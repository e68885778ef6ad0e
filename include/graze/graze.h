/* Graze: exact, lazy collision detection for everything that deforms.
 *
 *     base.h      status, errors, memory, versions
 *     model.h     a mesh with its skin and bounding tree; never changes, shared by all
 *     body.h      a model in a pose; computes only what queries need
 *     shape.h     spheres, capsules, boxes, planes, frusta, rays
 *     pool.h      threads, or your job system
 *     query.h     how to ask: lists, options, budgets, batches
 *
 *     pairs.h     graze_pairs           which triangles of two bodies meet
 *                 graze_self_pairs      which triangles of one body meet
 *                 graze_distance        how near two bodies are
 *                 graze_pairs_within    which triangles are near
 *     ray.h       graze_cast            what a ray hits first
 *                 graze_cast_all        everything that it hits
 *                 graze_cast_many       what each of many rays hits first
 *     touch.h     graze_touch           which triangles meet a shape
 *                 graze_touch_contacts  where, which way apart, how deep
 *                 graze_cull            whether a body is in view
 *                 graze_inside          whether a point is inside
 *                 graze_winding_number  the same of an open mesh
 *     contact.h   graze_contacts        where two bodies touch, which way apart, how deep
 *     sweep.h     graze_sweep           when moving things first meet
 *                 graze_sweep_all       everything that meets on the path
 *
 * Built on these, in graze/ext, experimental and not included here:
 *
 *     ext/world.h       many bodies and shapes: which of them meet, since when
 *     ext/response.h    contact points for a physics engine; how fast a surface moves
 *     ext/parts.h       body parts by name
 *     ext/hitbox.h      spheres and capsules fitted to a model, and contacts between them
 *     ext/chain.h       sphere chains: which regions of a body may meet
 *     ext/decimate.h    a coarser model on the same skeleton
 *     ext/draw.h        debug drawing of bounds, pairs, contacts, hits and worlds
 *     ext/record.h      a session's calls in a file, for bug reports
 *     ext/inspect.h     tree nodes and their bounds, for drawings, tests and measurements
 *
 * For all functions:
 *   - A pointer that is NULL where the header does not allow it is GRAZE_BAD_INPUT. Functions
 *     without a status then do nothing and return 0. `error` may always be NULL.
 *   - Objects are made by ..._create, which sets its result on success only, and freed by
 *     ..._destroy, which takes NULL.
 *   - Models and other objects said never to change may be used by all threads. Everything else is
 *     for one thread at a time; bodies can be shared (graze_body_share).
 *
 * Standing: stable.
 */
#ifndef GRAZE_GRAZE_H
#define GRAZE_GRAZE_H

#include <graze/base.h>
#include <graze/body.h>
#include <graze/contact.h>
#include <graze/model.h>
#include <graze/pairs.h>
#include <graze/pool.h>
#include <graze/query.h>
#include <graze/ray.h>
#include <graze/shape.h>
#include <graze/sweep.h>
#include <graze/touch.h>

#endif
