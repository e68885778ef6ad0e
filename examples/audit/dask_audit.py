#!/usr/bin/env python3
"""Audits a library on the workers of Dask: dask_audit.py SCHEDULER DIR JOBS INPUT... [options]

DIR is on a disk that all workers have; in it is then found.jsonl. GRAZE is the command (graze).
"""
import os
import subprocess
import sys
from distributed import Client, as_completed


def audit(graze, folder, shard, shards):
    """One job. Dask starts it again on another worker if its own is lost; it goes on where it was."""
    return subprocess.run(
        [graze, "audit", "--plan", f"{folder}/plan.json", "--shard", f"{shard}/{shards}",
         "--out", f"{folder}/results", "--resume"], stdout=subprocess.DEVNULL).returncode


def main(scheduler, folder, shards, *inputs):
    graze = os.environ.get("GRAZE", "graze")
    os.makedirs(folder, exist_ok=True)
    subprocess.run([graze, "audit", "plan", *inputs, "-o", f"{folder}/plan.json"], check=True)
    with Client(scheduler) as client:
        jobs = [client.submit(audit, graze, folder, shard + 1, int(shards), pure=False)
                for shard in range(int(shards))]
        for count, _ in enumerate(as_completed(jobs), 1):
            print(f"{count} of {shards} jobs", flush=True)
    sys.exit(subprocess.run([graze, "audit", "merge", f"{folder}/results", "--json", "--folds",
                             "-o", f"{folder}/found.jsonl"]).returncode)


if __name__ == "__main__":
    main(*sys.argv[1:])
