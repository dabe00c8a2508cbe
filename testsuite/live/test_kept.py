# SPDX-License-Identifier: GPL-2.0-or-later
"""What a cycle keeps of waiting jobs is what Slurm's checks would say now.

With MAUI_COMPARE_KEPT slurmctld makes both in every cycle, and ends when they differ: each change
below would be such an end if the cycle did not see it. RMPOLLINTERVAL is an hour, so no cycle
checks all jobs because they are due. Afterwards the same changes without that mode: starts and
reasons are right although the checks are left out.

Rules: BF-17.
"""

import os
import random
import re
import time

import pytest
from cluster import wait_until
from starts import reason, running, wait_reason

CFG = """RMPOLLINTERVAL 1:00:00
RESERVATIONDEPTH 1
"""
CONF = """SchedulerType=sched/maui
SlurmctldDebug=debug
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=100
Licenses=tool:2
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE
PartitionName=other Nodes=ALL MaxTime=INFINITE
"""
PHASES = re.compile(r"slurm-maui: phases: .* (\d+) kept")


def kept_since(cluster, mark):
    return [int(count) for count in PHASES.findall(cluster.log_since(mark))]


def settle(cluster):
    """Cycles until one that kept jobs and needs no other."""
    assert cluster.daemon_pid(), "slurmctld has ended: " + cluster.log_since()[-2000:]
    mark = cluster.log_size()
    job = cluster.sbatch("-t9", "-n4", "-N4", "-p", "other")
    wait_until(lambda: kept_since(cluster, mark), "a cycle")
    mark = cluster.log_size()
    cluster.run("scancel", str(job))
    wait_until(lambda: kept_since(cluster, mark), "a cycle")
    log = cluster.log_since()
    assert "is no longer so" not in log, re.findall(".*is no longer so.*", log)
    return max(kept_since(cluster, mark))


def prepare(maker, compares):
    """A full cluster, and jobs that wait."""
    if compares:
        os.environ["MAUI_COMPARE_KEPT"] = "1"
    try:
        cluster = maker(CFG, CONF, nodes=4)
    finally:
        os.environ.pop("MAUI_COMPARE_KEPT", None)
    running(cluster, cluster.sbatch("-t60", "-N4", "-n16", "--mem-per-cpu=1"))
    jobs = [cluster.sbatch("-t%d" % (10 + i), "-n%d" % (1 + i % 4)) for i in range(8)]
    for job in jobs:
        wait_reason(cluster, job, ".")
    return cluster, jobs


@pytest.fixture
def compared(own_cluster):
    return prepare(own_cluster, True)


@pytest.fixture
def quick(own_cluster):
    return prepare(own_cluster, False)


def update(*changes):
    return lambda cluster, job: cluster.update(job, *changes)


def partition(*changes):
    return lambda cluster, job: cluster.scontrol("update", "partitionname=main", *changes)


def submit(*options):
    return lambda cluster, job: cluster.sbatch("-t5", "-n1", *options)


def reconfigure(**changes):
    def change(cluster, job):
        cluster.edit_slurm_conf(**changes)
        cluster.ask_reconfigure()
    return change


def reservation(*options):
    def change(cluster, job):
        cluster.scontrol("create", "reservation", "reservationname=r%d" % random.getrandbits(30),
                         "users=root", "duration=5", *options)
    return change


def drain(cluster, job):
    del job
    cluster.scontrol("update", "nodename=n2", "state=drain", "reason=test")


def resume(cluster, job):
    del job
    cluster.scontrol("update", "nodename=n2", "state=resume")


def forget_reservations(cluster, job):
    del job
    for name in re.findall(r"ReservationName=(r\d+)",
                           cluster.scontrol("show", "reservation", "-o").stdout):
        cluster.scontrol("delete", "reservationname=" + name)


def twice_in_a_second(cluster, job):
    """The second change has the stamp of the first, after which a cycle has kept the job."""
    time.sleep(1 - time.time() % 1)
    partition("priorityjobfactor=3")(cluster, job)
    settle(cluster)
    partition("maxtime=4")(cluster, job)


def node_match(cluster, job):
    """Of a range of nodes the plan then takes the fewest, and does not ask Slurm."""
    del job
    cluster.maui("changeparam", "JOBNODEMATCHPOLICY", "EXACTNODE")


# What changes, and what takes it back for the next one.
CHANGES = {
    "limit": [update("timelimit=7")],
    "cpus": [update("numcpus=3")],
    "nice": [update("nice=100")],
    "name": [update("jobname=another")],
    "comment": [update("admincomment=another")],
    "partition of the job": [update("partition=other")],
    "partitions of the job": [update("partition=other,main")],
    "hold": [lambda cluster, job: cluster.scontrol("hold", str(job)),
             lambda cluster, job: cluster.scontrol("release", str(job))],
    "begin": [update("starttime=now+1hour")],
    "begin that passes": [update("starttime=now+2")],
    "dependency": [update("dependency=afterany:1")],
    "deadline": [update("deadline=now+5hours")],
    "nodes by name": [update("excnodelist=n1")],
    "memory": [update("minmemorynode=50")],
    "priority": [update("priority=4711")],
    "maximum of a partition": [partition("maxtime=4"), partition("maxtime=unlimited")],
    "maximum of a partition in the same second": [twice_in_a_second,
                                                  partition("maxtime=unlimited")],
    "state of a partition": [partition("state=down"), partition("state=up")],
    "nodes of a partition": [partition("maxnodes=1"), partition("maxnodes=unlimited")],
    "groups of a partition": [partition("allowgroups=nogroup"), partition("allowgroups=all")],
    "memory of a partition": [partition("defmempercpu=60")],
    "factor of a partition": [partition("priorityjobfactor=7")],
    "users of a partition": [partition("exclusiveuser=yes"), partition("exclusiveuser=no")],
    "parameter of maui.cfg": [node_match],
    "licence": [submit("-L", "tool")],
    "array": [submit("--array=1-3%1")],
    "drain": [drain, resume],
    "maintenance": [reservation("starttime=now+3", "nodes=n3", "flags=maint,ignore_jobs"),
                    forget_reservations],
    "magnetic": [reservation("starttime=now", "nodes=n4", "flags=magnetic,ignore_jobs"),
                 forget_reservations],
    "reconfigure": [reconfigure(DefMemPerCPU="70"), reconfigure(DefMemPerCPU="100")],
    "submit": [submit()],
    "cancel": [lambda cluster, job: cluster.run("scancel", str(job))],
}


def keeps(cluster, count):
    """Cycles until one keeps so many jobs: a stamp of this second is not trusted."""
    def look():
        kept = settle(cluster)
        assert kept >= count, "%d jobs kept" % kept
        return True
    wait_until(look, "a cycle that keeps jobs")


def test_each_change_is_seen(compared):
    """Every kind once, in a fresh order, each time on a job that was kept."""
    cluster, _ = compared
    seed = int(os.environ.get("MAUI_SEED") or random.getrandbits(32))
    print("MAUI_SEED=%d" % seed)
    names = sorted(CHANGES)
    random.Random(seed).shuffle(names)
    for name in names:
        job = cluster.sbatch("-t9", "-n4", "-N1-2")
        keeps(cluster, 1)
        for change in CHANGES[name]:
            print("change:", name)
            change(cluster, job)
            settle(cluster)
        cluster.run("scancel", str(job))


def test_kept_jobs_follow_their_facts(quick):
    """Without the mode that compares: the checks of unchanged jobs are really left out, and a
    change shows at once."""
    cluster, jobs = quick
    keeps(cluster, len(jobs))
    long = jobs[-1]
    partition("maxtime=12")(cluster, long)
    wait_reason(cluster, long, "PartitionTimeLimit")
    partition("maxtime=unlimited")(cluster, long)
    wait_reason(cluster, long, "^(?!PartitionTimeLimit)")
    keeps(cluster, len(jobs))
    cluster.scontrol("hold", str(jobs[0]))
    wait_reason(cluster, jobs[0], "JobHeldAdmin")
    cluster.run("scancel", "--state=RUNNING")
    running(cluster, *jobs[1:4])


def test_a_reason_that_slurm_takes_away_comes_back(quick):
    """A hold and a release between two cycles leave the record as it was, without its text."""
    cluster, jobs = quick
    keeps(cluster, len(jobs))
    text = reason(cluster, jobs[-1])
    assert text not in ("None", "")
    for _ in range(5):
        cluster.run("bash", "-c", "printf 'hold %d\\nrelease %d\\n' | scontrol" %
                    (jobs[-1], jobs[-1]))
        wait_reason(cluster, jobs[-1], "^" + re.escape(text))
