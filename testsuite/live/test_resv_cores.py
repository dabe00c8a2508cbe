# SPDX-License-Identifier: GPL-2.0-or-later
"""Reservations that somebody made with scontrol: of cores, and of licences.

Rules: RSV-19.
"""

import re

import pytest
from cluster import SLURM, wait_until
from starts import nodes_of, running, stays_pending, wait_reason

CFG = """
RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 0
RESERVATIONDEPTH 4
SRCFG[ours] HOSTLIST=n3 PERIOD=INFINITY USERLIST=steve
"""
CONF = """
SchedulerType=sched/maui
Licenses=foo:4
NodeName=n[1-3] CPUs=8 CoresPerSocket=8 RealMemory=8000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
ONE = ("-wn1", "-N1", "--mem=1")


@pytest.fixture(scope="module")
def whole(clusters):
    return clusters(CFG, CONF, nodes=3, cpus=8, memory=8000)


@pytest.fixture
def cluster(whole):
    yield whole
    whole.cancel_all()
    for name in whole.reservations():
        whole.scontrol("delete", "reservationname=" + name)


def reserve(cluster, name, *what, start="now", duration=60, users="amy"):
    cluster.scontrol("create", "reservationname=" + name, "users=" + users, "starttime=" + start,
                     "duration=%d" % duration, *what)


def never_refused(cluster, mark):
    refusals = re.findall(r".*refused [1-9].*", cluster.log_since(mark))
    assert not refusals, refusals


def test_jobs_outside_and_inside_reserved_cores(cluster):
    mark = cluster.log_size()
    reserve(cluster, "cores", "nodes=n1", "corecnt=6")
    beside = cluster.sbatch("-t5", "-n2", *ONE)
    running(cluster, beside)
    outside = cluster.sbatch("-t5", "-n1", *ONE)
    wait_reason(cluster, outside, r"reserved by cores|cores")
    inside = cluster.sbatch("-t5", "-n4", "--mem=1", "--reservation=cores", user="amy")
    also = cluster.sbatch("-t5", "-n2", "--mem=1", "--reservation=cores", user="amy")
    running(cluster, inside, also)
    assert nodes_of(cluster, inside) == nodes_of(cluster, also) == ["n1"]
    stays_pending(cluster, outside)
    never_refused(cluster, mark)
    cluster.scontrol("delete", "reservationname=cores", check=False)
    cluster.run("scancel", str(beside))
    running(cluster, outside)


def test_several_nodes_of_different_counts(cluster):
    mark = cluster.log_size()
    if SLURM < (23, 11):
        reserve(cluster, "spread", "nodes=n[1-2]", "corecnt=6,3")
    else:  # takes no list of counts: all of n1, as in scontrol show reservation, and one of n2
        reserve(cluster, "spread", "nodes=n[1-2]", "corecnt=9")
    wide = cluster.sbatch("-t5", "-n15", "--mem=1")   # 2 and 5 and 8; or 7 and 8
    running(cluster, wide)
    assert nodes_of(cluster, wide) == ["n1", "n2", "n3"][SLURM >= (23, 11):]
    more = cluster.sbatch("-t5", "-n1", "--mem=1")
    wait_reason(cluster, more, r"spread|Resources")
    all_of_it = cluster.sbatch("-t5", "-n9", "--mem=1", "--reservation=spread", user="amy")
    running(cluster, all_of_it)
    stays_pending(cluster, more)
    never_refused(cluster, mark)


def cores_of(cluster, job):
    """Of its one node, as Slurm numbers them."""
    text = cluster.scontrol("show", "job", "-d", str(job)).stdout
    return set(numbers(re.search(r"CPU_IDs=(\S+)", text).group(1)))


def numbers(text):
    for run in text.split(","):
        first, _, last = run.partition("-")
        yield from range(int(first), int(last or first) + 1)


def test_on_a_node_of_ours(cluster):
    """A job that our mirror admits is still kept off the cores of a Slurm reservation."""
    mark = cluster.log_size()
    reserve(cluster, "cores", "nodes=n3", "corecnt=5", "flags=overlap")
    job = cluster.sbatch("-t5", "-n3", "-wn3", "-N1", "--mem=1")
    running(cluster, job)
    # slurmctld tells them once it has saved its state
    kept = wait_until(lambda: re.search(
        r"CoreIDs=(\S+)", cluster.scontrol("show", "reservation", "cores").stdout), "CoreIDs")
    assert not cores_of(cluster, job) & set(numbers(kept.group(1)))
    more = cluster.sbatch("-t5", "-n1", "-wn3", "-N1", "--mem=1")
    wait_reason(cluster, more, "cores")
    inside = cluster.sbatch("-t5", "-n1", "--mem=1", "--reservation=cores", user="amy")
    stays_pending(cluster, more, inside)  # amy may not use ours
    never_refused(cluster, mark)


def test_reserved_cores_prevent_whole_nodes(cluster):
    reserve(cluster, "one", "nodes=n1", "corecnt=1")
    alone = cluster.sbatch("-t5", "--exclusive", *ONE)
    wait_reason(cluster, alone, "reserved by one|one")
    cluster.scontrol("delete", "reservationname=one")
    running(cluster, alone)


def test_cores_to_come(cluster):
    mark = cluster.log_size()
    reserve(cluster, "later", "nodes=n1", "corecnt=6", start="now+30minutes")
    long = cluster.sbatch("-t60", "-n3", *ONE)
    wait_reason(cluster, long, "later")
    short = cluster.sbatch("-t10", "-n8", *ONE)
    running(cluster, short)
    cluster.run("scancel", str(short))
    small = cluster.sbatch("-t60", "-n2", *ONE)
    running(cluster, small)
    stays_pending(cluster, long)
    never_refused(cluster, mark)


@pytest.mark.skipif(SLURM >= (25, 11), reason="Slurm reserves no cores that jobs hold any more")
def test_cores_that_running_jobs_hold(cluster):
    """Cores are reserved although a job runs there: other jobs get only cores that neither has."""
    mark = cluster.log_size()
    first = cluster.sbatch("-t120", "-n4", *ONE)
    running(cluster, first)
    reserve(cluster, "over", "nodes=n1", "corecnt=6", "flags=ignore_jobs")
    others = [cluster.sbatch("-t5", "-n1", *ONE) for _ in range(8)]
    wait_until(lambda: sum(cluster.job(job).state == "RUNNING" for job in others) in (2, 4),
               "what is free starts")
    wait_reason(cluster, others[-1], "Priority|Resources")  # their end is enough
    wide = cluster.sbatch("-t5", "-n4", *ONE)
    wait_reason(cluster, wide, "over")  # for this one it is not
    never_refused(cluster, mark)


def test_overlapping_ones(cluster):
    mark = cluster.log_size()
    reserve(cluster, "one", "nodes=n1", "corecnt=4")
    reserve(cluster, "two", "nodes=n1", "corecnt=6", "flags=overlap", start="now+30minutes")
    long = cluster.sbatch("-t60", "-n2", *ONE)
    running(cluster, long)
    more = cluster.sbatch("-t60", "-n1", *ONE)
    wait_reason(cluster, more, "one|two")
    never_refused(cluster, mark)


@pytest.mark.parametrize("flags", ["flex", "maint", "magnetic", "purge_comp"])
def test_flags(cluster, flags):
    """A job of the reservation runs; a job of another user takes none of its cores."""
    mark = cluster.log_size()
    reserve(cluster, "flagged", "nodes=n1", "corecnt=6", "flags=" + flags)
    inside = cluster.sbatch("-t5", "-n6", "--mem=1", "-wn1", "--reservation=flagged", user="amy")
    running(cluster, inside)
    other = cluster.sbatch("-t5", "-n3", *ONE)
    wait_reason(cluster, other, ".")
    stays_pending(cluster, other)
    never_refused(cluster, mark)


def test_licences_to_come(cluster):
    mark = cluster.log_size()
    reserve(cluster, "lics", "licenses=foo:3", "flags=license_only", start="now+30minutes")
    long = cluster.sbatch("-t60", "-n1", "-Lfoo:2")
    wait_reason(cluster, long, r"Licenses: .*lics")
    short = cluster.sbatch("-t10", "-n1", "-Lfoo:2")
    running(cluster, short)
    cluster.run("scancel", str(short))
    few = cluster.sbatch("-t60", "-n1", "-Lfoo:1")
    running(cluster, few)
    stays_pending(cluster, long)
    never_refused(cluster, mark)


def test_licences_now(cluster):
    mark = cluster.log_size()
    reserve(cluster, "lics", "licenses=foo:3", "nodes=n1", "corecnt=2")
    out = cluster.sbatch("-t5", "-n1", "-Lfoo:2")
    wait_reason(cluster, out, r"Licenses: .*lics")
    inside = cluster.sbatch("-t5", "-n1", "--mem=1", "-Lfoo:3", "--reservation=lics", user="amy")
    running(cluster, inside)
    stays_pending(cluster, out)
    cluster.run("scancel", str(inside))
    cluster.wait_over(inside)
    cluster.scontrol("delete", "reservationname=lics")
    running(cluster, out)
    never_refused(cluster, mark)
