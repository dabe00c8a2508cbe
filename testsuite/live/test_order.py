# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs start in the order of Maui's priority, whichever of Slurm's schedulers starts them."""

import re

import pytest
from cluster import wait_until

CFG = """
RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 0
USERWEIGHT 1000
QOSWEIGHT 100
USERCFG[steve] PRIORITY=1
USERCFG[amy] PRIORITY=4
USERCFG[bob] PRIORITY=2
USERCFG[john] PRIORITY=3
QOSCFG[high] PRIORITY=100
"""
# One processor, so that one job runs at a time. sched/builtin looks every 60 s unless told.
CONF = """
SchedulerType=%s
SchedulerParameters=sched_interval=1,bf_interval=1,interval=1
NodeName=n1 CPUs=1 CoresPerSocket=1 RealMemory=1000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


pytestmark = pytest.mark.together
SCHEDULERS = pytest.mark.parametrize("scheduler", ["sched/backfill", "sched/builtin"])


def one_at_a_time(own_cluster, scheduler, lines=""):
    cluster = own_cluster(CFG + lines, CONF % scheduler, nodes=1)
    assert re.search(r"SchedulerType += " + scheduler, cluster.scontrol("show", "config").stdout)
    return cluster


def starts(cluster, jobs):
    """The jobs in the order in which slurmctld started them."""
    cluster.undrain()
    cluster.wait_over(*jobs)
    seen = cluster.jobs()
    assert all(seen[job].state == "COMPLETED" for job in jobs), seen
    times = [seen[job].start for job in jobs]
    assert len(set(times)) == len(times), "one at a time"
    return sorted(jobs, key=lambda job: seen[job].start)


@SCHEDULERS
def test_starts_follow_priority(own_cluster, scheduler):
    single = one_at_a_time(own_cluster, scheduler)
    single.drain()
    jobs = {user: single.sbatch("-t1", "-n1", user=user, command="sleep 1")
            for user in ("steve", "bob", "john", "amy")}
    late = single.sbatch("-t1", "-n1", "--qos=high", user="steve", command="sleep 1")
    lowered = single.sbatch("-t1", "-n1", "--nice=500", user="john", command="sleep 1")
    expected = [late, jobs["amy"], jobs["john"], lowered, jobs["bob"], jobs["steve"]]
    single.wait_cycle()
    priorities = single.squeue()
    assert sorted(priorities, key=lambda job: -priorities[job]) == expected
    assert starts(single, list(priorities)) == expected


@SCHEDULERS
def test_fairshare_turns_the_order(own_cluster, scheduler):
    """john has used more than his share, so steve's later job goes first; without fairshare
    it would be john's."""
    single = one_at_a_time(own_cluster, scheduler, """
FSPOLICY DEDICATEDPS
FSINTERVAL 24:00:00
FSWEIGHT 1
FSUSERWEIGHT 100
USERCFG[DEFAULT] FSTARGET=25
""")
    used = single.sbatch("-t1", "-n1", user="john", command="sleep 2")
    single.wait_over(used)
    single.drain()
    first = single.sbatch("-t1", "-n1", user="john", command="sleep 1")
    second = single.sbatch("-t1", "-n1", user="steve", command="sleep 1")

    def look():
        rows = {row.job: row for row in single.sprio()}
        return rows[first].fairshare == -7500 and rows[second].fairshare == 2500 and rows
    rows = wait_until(look, "john's usage in his priority")
    assert rows[first].assoc > rows[second].assoc, "without fairshare john would be first"
    assert rows[first].priority < rows[second].priority
    assert starts(single, [first, second]) == [second, first]
