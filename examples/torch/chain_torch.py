"""Which of many poses of a body collide with themselves, on the GPU, with PyTorch tensors.

    python3 chain_torch.py libchain_torch.so man.bin

man.bin holds a skinned body as `graze_chain_times --out FOLDER` writes it: the numbers of vertices,
triangles and joints, positions, triangles, and a row of weights a vertex. Use your own arrays
instead: those of SMPL are of this form.
"""
import ctypes
import sys
import time

import numpy
import torch


class Chains:
    """The body's sphere chains on the device that torch uses."""

    def __init__(self, library, positions, triangles, weights):
        self.library = ctypes.CDLL(library)
        self.library.chain_torch_open.restype = ctypes.c_void_p
        self.library.chain_torch_error.restype = ctypes.c_char_p
        self.joints = weights.shape[1]
        self.handle = self.library.chain_torch_open(
            positions.ctypes.data_as(ctypes.c_void_p), len(positions),
            triangles.ctypes.data_as(ctypes.c_void_p), len(triangles),
            weights.ctypes.data_as(ctypes.c_void_p), self.joints, torch.cuda.current_device())
        if not self.handle:
            raise RuntimeError(self.library.chain_torch_error().decode())

    def check(self, status):
        if status:
            raise RuntimeError(self.library.chain_torch_error().decode())

    def run(self, poses):
        """poses: [N, joints, 3, 4] or [N, joints, 12], float32, on the device. Returns N flags."""
        assert poses.is_cuda and poses.dtype == torch.float32 and poses.is_contiguous()
        flags = torch.empty(len(poses), dtype=torch.uint8, device=poses.device)
        self.check(self.library.chain_torch_run(
            ctypes.c_void_p(self.handle), ctypes.c_void_p(poses.data_ptr()),
            ctypes.c_size_t(len(poses)), ctypes.c_void_p(flags.data_ptr()),
            ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)))
        return flags

    def run_here(self, poses):
        """The same on the CPU."""
        poses = numpy.ascontiguousarray(poses, dtype=numpy.float32)
        flags = numpy.empty(len(poses), dtype=numpy.uint8)
        self.check(self.library.chain_torch_run_here(
            ctypes.c_void_p(self.handle), poses.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_size_t(len(poses)), flags.ctypes.data_as(ctypes.c_void_p)))
        return flags

    def close(self):
        self.library.chain_torch_close(ctypes.c_void_p(self.handle))


def read_body(path):
    data = numpy.fromfile(path, dtype=numpy.uint32)
    vertices, triangles, joints = (int(n) for n in data[:3])
    ends = numpy.cumsum([3, 3 * vertices, 3 * triangles, joints * vertices])
    return (data[ends[0]:ends[1]].view(numpy.float32).reshape(-1, 3).copy(),
            data[ends[1]:ends[2]].reshape(-1, 3).copy(),
            data[ends[2]:ends[3]].view(numpy.float32).reshape(-1, joints).copy())


def random_poses(count, joints):
    """Maps near the identity: rows of a small random turn and a small translation."""
    poses = torch.eye(3, 4, device="cuda").repeat(count, joints, 1, 1)
    poses += 0.08 * torch.randn(count, joints, 3, 4, device="cuda")
    return poses.contiguous()


def main():
    library, path = sys.argv[1:3]
    positions, triangles, weights = read_body(path)
    chains = Chains(library, positions, triangles, weights)
    poses = random_poses(100000, chains.joints)
    chains.run(poses)
    torch.cuda.synchronize()
    start = time.perf_counter()
    flags = chains.run(poses)
    hits = int((flags == 1).sum())  # torch goes on with the flags on the same stream
    seconds = time.perf_counter() - start
    equal = numpy.array_equal(flags[:5000].cpu().numpy(), chains.run_here(poses[:5000].cpu()))
    print(f"{len(poses)} poses, {hits} collide, {1e3 * seconds:.2f} ms until torch has counted them; "
          f"the first 5000 {'equal' if equal else 'DIFFER FROM'} those of the CPU")
    chains.close()
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
