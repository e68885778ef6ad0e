"""Blender's BVH overlap and Open3D's self-intersecting triangles over posed frames, for
`graze bench audit`: audit_peers.py blender|open3d FRAMES ROUNDS. Prints NAME|LEAST|MEDIAN|PAIRS,
milliseconds of processor time a frame. Both are given their own fast ways to take a mesh over, which is not counted.
"""
import statistics
import sys
import time

import numpy

how, path, rounds = sys.argv[-3:]
data = open(path, "rb").read()
vertex_count, triangle_count, frames = numpy.frombuffer(data, "<u4", 3)
triangles = numpy.frombuffer(data, "<u4", 3 * triangle_count, 12).reshape(-1, 3)
positions = numpy.frombuffer(data, "<f4", offset=12 + triangles.nbytes).reshape(frames, -1, 3)


def blender():
    import bpy
    from mathutils.bvhtree import BVHTree

    mesh = bpy.data.meshes.new("posed")
    mesh.from_pydata(positions[0].tolist(), [], triangles.tolist())
    thing = bpy.data.objects.new("posed", mesh)
    bpy.context.scene.collection.objects.link(thing)

    def take(frame):
        mesh.vertices.foreach_set("co", positions[frame].ravel())
        mesh.update()
        graph = bpy.context.evaluated_depsgraph_get()
        graph.update()
        return graph

    def ask(graph):
        tree = BVHTree.FromObject(thing, graph)
        return len(tree.overlap(tree))

    return "skin + Blender %s, BVH overlap" % bpy.app.version_string, take, ask


def open3d():
    import open3d

    mesh = open3d.geometry.TriangleMesh()
    mesh.triangles = open3d.utility.Vector3iVector(triangles.astype(numpy.int32))

    def take(frame):
        mesh.vertices = open3d.utility.Vector3dVector(positions[frame].astype(numpy.float64))
        return mesh

    def ask(posed):
        return len(posed.get_self_intersecting_triangles())

    return "skin + Open3D " + open3d.__version__, take, ask


name, take, ask = {"blender": blender, "open3d": open3d}[how]()
times = []
for _ in range(int(rounds)):
    spent, found = 0.0, 0
    for frame in range(frames):
        given = take(frame)
        start = time.process_time()
        found += ask(given)
        spent += time.process_time() - start
    times.append(1000 * spent / frames)
print("%s|%.6f|%.6f|%.2f" % (name, min(times), statistics.median(times), found / frames))
