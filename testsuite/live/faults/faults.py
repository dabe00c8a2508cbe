# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests of faults share."""

import json
import os
import random
import re
import struct
import threading
import time

# Usage counts and is saved: fairshare windows of a day.
USAGE_CFG = """
RMPOLLINTERVAL 1
FSPOLICY DEDICATEDPS
FSINTERVAL 24:00:00
FSDEPTH 3
FSWEIGHT 1
FSUSERWEIGHT 1
"""
# doc/files.md has them all; .bad and .bad.N are files that were set aside.
OURS = re.compile(r"(FS\.\d+|state\.json|idle\.\d{6}|planning|maui\.cfg\.good)(\.old)?(\.bad(\.\d+)?)?")


def quiet_names(directory):
    """Names in our directory that are none of doc/files.md: halves of files, and the like."""
    return sorted(name for name in os.listdir(directory) if not OURS.fullmatch(name))


def idle_lines(count):
    """Lines of idle.<YYYYMM> about a reservation that is over."""
    head = "# from\tuntil\treservation\tday\taccount\towner\treserved\tused\tidle\n"
    line = "%d\t%d\tearlier\t0\tphysics\t-\t40\t0\t40\n"
    return head + "".join(line % (1700000000 + 10 * i, 1700000010 + 10 * i) for i in range(count))


MOST_WAITING = 60


def figures(name, **values):
    """Prints what a test measured, and adds it to the file that MAUI_FIGURES names."""
    line = json.dumps({"test": name, **values})
    print(line)
    if os.environ.get("MAUI_FIGURES"):
        with open(os.environ["MAUI_FIGURES"], "a", encoding="utf-8") as out:
            out.write(line + "\n")


def packed_at(cluster):
    """The second before which all that slurmctld knew is in its file of jobs: the moment in the
    file's head, taken before the jobs were locked."""
    with open(os.path.join(os.path.dirname(cluster.state), "job_state"), "rb") as file:
        head = file.read(64)
    length, = struct.unpack_from(">I", head)
    moment, = struct.unpack_from(">Q", head, 4 + length + 2)
    return moment


class Submitter(threading.Thread):
    """Submits jobs that note each of their starts, and cancels one of ten, until it is told to end.

    What sbatch said is in `known`: {name of the job: (when it was said, processors, user)}. A name,
    as slurmctld gives the number of a job that a kill made it forget to another one."""

    def __init__(self, cluster, tally, seed, pause_s=0.3):
        super().__init__(daemon=True)
        self.cluster, self.tally, self.pause_s = cluster, tally, pause_s
        self.rng, self.seed, self.known, self.refused = random.Random(seed), seed, {}, 0
        self.too_much, self.ends = False, threading.Event()
        self.start()

    def run(self):
        while not self.ends.wait(self.pause_s * self.rng.uniform(0.2, 1.8)):
            if self.is_too_much():
                continue
            user = self.rng.choice(["steve", "amy", "john"])
            procs = self.rng.choice([1, 1, 2, 4])
            name = "load%d.%d" % (self.seed, len(self.known) + self.refused)
            command = "echo $SLURM_JOB_NAME $(date +%%s.%%N) >>%s; sleep %.1f" % (
                self.tally, self.rng.uniform(0.2, 5))
            done = self.cluster.run(*self.cluster.sbatch_command(
                "-t2", "-n%d" % procs, "--job-name=" + name, user=user, command=command), check=False)
            if done.returncode:
                self.refused += 1
                continue
            job = int(done.stdout.split(";")[0])
            self.known[name] = (time.time(), procs, user)
            if self.rng.randrange(10) == 0:
                self.cluster.run("scancel", str(job), check=False)

    def is_too_much(self):
        """Of ten looks one: a queue that only grows would hide what happens to it, and never end."""
        if self.rng.randrange(10) == 0 or self.too_much:
            waiting = self.cluster.run("squeue", "-h", "-t", "PD", check=False).stdout
            self.too_much = waiting.count("\n") > MOST_WAITING
        return self.too_much

    def finish(self):
        self.ends.set()
        self.join()


def starts(tally):
    """{name of the job: [when it was started]} by the jobs' own notes."""
    found = {}
    if os.path.exists(tally):
        with open(tally, encoding="ascii") as lines:
            for line in lines:
                job, moment = line.split()
                found.setdefault(job, []).append(float(moment))
    return {job: sorted(moments) for job, moments in found.items()}
