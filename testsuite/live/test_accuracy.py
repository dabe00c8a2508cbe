# SPDX-License-Identifier: GPL-2.0-or-later
"""Fairshare accuracy: 500 jobs of 1 to 20 s of several users, accounts and partitions, one restart
of slurmctld in between, MinJobAge at its default."""

import random
import threading
import time

import pytest
from cluster import wait_until
from fairshare import KINDS, charge, check_same, summed

POLL_S = 2
CFG = """
RMPOLLINTERVAL %d
FSPOLICY DEDICATEDPS
FSINTERVAL 00:01:00
FSDEPTH 20
FSWEIGHT 1
FSUSERWEIGHT 10
USERCFG[DEFAULT] FSTARGET=25
SYSCFG QDEF=normal
""" % POLL_S
CONF = """
SchedulerParameters=sched_interval=2,bf_interval=2,default_queue_depth=600
NodeName=n[1-4] CPUs=64 CoresPerSocket=64 RealMemory=64000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=long Nodes=n[1-2] MaxTime=INFINITE State=UP
PartitionName=wide Nodes=n[3-4] MaxTime=INFINITE State=UP
"""
JOBS = 500


def submit_all(cluster, rng):
    """The ids of all jobs; half of them come in before the restart."""
    jobs = []
    for number in range(JOBS):
        if number == JOBS // 2:
            at = time.time()
            wait_until(lambda: time.time() > at + 3, "jobs running at the restart")
            cluster.restart()
        options = ["-t2", "-n%d" % rng.choice([1, 1, 2, 3, 4, 6]),
                   "-A" + rng.choice(["phys", "bio", "chem"]),
                   "-p" + rng.choice(["main", "main", "long", "wide"])]
        options += rng.choice([[], [], ["--qos=high"], ["-N2"]])
        jobs.append(cluster.sbatch(*options, user=rng.choice(["steve", "amy", "bob", "john"]),
                                   command="exec sleep %d" % rng.randint(1, 20)))
    return jobs


class Watcher:
    """Keeps the last record of each job, as slurmctld forgets it after MinJobAge."""

    def __init__(self, cluster):
        self.cluster, self.seen, self.stop = cluster, {}, threading.Event()
        self.thread = threading.Thread(target=self._watch)
        self.thread.start()

    def _watch(self):
        while not self.stop.wait(20):
            self.look()

    def look(self):
        try:
            self.seen.update(self.cluster.jobs())
        except AssertionError:
            pass  # slurmctld is being restarted

    def finish(self):
        self.stop.set()
        self.thread.join()
        self.look()
        return self.seen


def check_categories(got, total):
    """All jobs carry all five credentials, so each category adds up to the total."""
    for kind in KINDS:
        category = sum(value for (k, _), value in got.items() if k == kind)
        assert abs(category - total) < 0.01 * len(got), (kind, category, total)


@pytest.mark.slow
def test_accuracy(own_cluster):
    cluster = own_cluster(CFG, CONF, nodes=4)
    assert "MinJobAge               = 300 sec" in cluster.scontrol("show", "config").stdout
    rng = random.Random(2)
    watcher = Watcher(cluster)
    try:
        jobs = submit_all(cluster, rng)
        wait_until(lambda: not cluster.squeue(), "all jobs through", seconds=240)
    finally:
        seen = watcher.finish()
    expected, slack, total = {}, {}, 0
    for job in (seen[job] for job in jobs):
        assert job.state == "COMPLETED", job
        used = job.procs * (job.end - job.start)
        qos = job.admin_comment.partition("maui:qos=")[2]
        assert qos in ("high", "normal")
        charge(expected, job, used, qos)
        charge(slack, job, job.procs * POLL_S, qos)
        total += used
    cluster.wait_cycle()
    cluster.stop()
    got, got_total = summed(cluster.state)
    check_categories(got, got_total)
    # the promise: within one poll a job ...
    assert {key for key in expected if abs(got[key] - expected[key]) > slack[key]} == set()
    # ... and as every job is visible after its end, it is exact
    check_same(got, expected, tolerance=0.1)
    assert abs(got_total - total) < 0.1
