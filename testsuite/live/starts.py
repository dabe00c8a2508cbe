# SPDX-License-Identifier: GPL-2.0-or-later
"""Helpers for the tests of sched/maui: clusters, and which job starts when."""

import os
import re
import time

from cluster import epoch, wait_until

# Jobs are ordered by --priority alone, and iterations come every second and with each event.
CFG = """
RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 0
"""
CONF = """
SchedulerType=sched/maui
NodeName=n[1-4] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def expand(cluster, names):
    """Slurm's list of nodes as a list of names."""
    if names in (None, "", "(null)", "None assigned"):
        return []
    return cluster.scontrol("show", "hostnames", names).stdout.split()


def nodes_of(cluster, job):
    """The nodes on which the job runs or ran."""
    return expand(cluster, cluster.job(job).fields["NodeList"])


def reason(cluster, job):
    """squeue's REASON."""
    lines = cluster.run("squeue", "-h", "-j", str(job), "-o", "%r").stdout.splitlines()
    assert lines, "job %s is not in the queue" % job
    return lines[0].strip()


def wait_reason(cluster, job, pattern):
    """Waits until the job's REASON matches; the job must not start meanwhile."""
    def look():
        seen = cluster.job(job)
        assert seen.state == "PENDING", seen
        text = reason(cluster, job)
        assert re.search(pattern, text), "REASON of %s is '%s', not '%s'" % (job, text, pattern)
        return text
    return wait_until(look, "REASON of job %s: %s" % (job, pattern))


def iterations(cluster):
    """The number of cycles since slurmctld's start, by sdiag."""
    text = cluster.run("sdiag").stdout.split("Backfilling stats")[1]
    return int(re.search(r"Total cycles: *(\d+)", text).group(1))


def wait_iterations(cluster, count=2):
    """Waits for so many whole cycles: the first to end may have begun before the call."""
    before = iterations(cluster)
    wait_until(lambda: iterations(cluster) >= before + count, "%d iterations" % count)


def stays_pending(cluster, *jobs):
    """Checks the assertion over whole cycles."""
    wait_iterations(cluster)
    for job in jobs:
        seen = cluster.job(job)
        assert seen.state == "PENDING", seen


def running(cluster, *jobs):
    """Waits until all jobs run; returns their records."""
    return [cluster.wait_state(job, "RUNNING") for job in jobs]


def may_start_again(cluster, victim):
    """Slurm lets a requeued job wait for minutes; after this it may start. slurmd refuses one that
    starts in the second in which it ended ("Job credential revoked")."""
    time.sleep(1.1)
    cluster.update(victim, "starttime=now")


def estimate(cluster, job):
    """(start, nodes) that squeue --start shows, or (None, [])."""
    line = cluster.run("squeue", "-h", "--start", "-j", str(job), "-o", "%S %Y").stdout.split()
    return (epoch(line[0]), expand(cluster, line[1])) if line else (None, [])


def wait_estimate(cluster, job, start, slack=3):
    """Waits until the job's StartTime is that moment; returns the planned nodes."""
    def look():
        assert cluster.job(job).state == "PENDING"
        seen, nodes = estimate(cluster, job)
        assert seen is not None and abs(seen - start) <= slack, \
            "job %d: start %s, not %d" % (job, seen, start)
        return nodes or True
    return wait_until(look, "estimate of job %d" % job)


def fill(cluster, nodes, minutes, **keywords):
    """Starts a job that has all of these nodes for so long; returns its record."""
    count = len(expand(cluster, nodes))
    job = cluster.sbatch("-t%d" % minutes, "-N%d" % count, "--exclusive", "-w", nodes,
                         "--priority=1000000", **keywords)
    return cluster.wait_state(job, "RUNNING")


def tasks_of(cluster, array):
    """Records of an array, the tasks not yet split off as one."""
    return [job for job in cluster.jobs().values() if job.array_id == array]


def tally_command(path):
    """A command that leaves a line in a file each time it is started."""
    return "echo $SLURM_JOB_ID >>%s" % path


def tally(path):
    """{job id: how often it was started}."""
    counts = {}
    with open(path, encoding="ascii") as lines:
        for line in lines:
            counts[int(line)] = counts.get(int(line), 0) + 1
    return counts


def write_script(cluster, name, line):
    """For slurm.conf, before the cluster is up; its path."""
    path = os.path.join(cluster.base, name)
    with open(path, "w", encoding="ascii") as out:
        out.write("#!/bin/sh\n%s\n" % line)
    os.chmod(path, 0o755)
    return path
