# SPDX-License-Identifier: GPL-2.0-or-later
"""A site goes from sched/backfill to sched/maui and back, with work in every state: no job is
lost, none ends, each starts once and by the scheduler that is there."""

import re

import pytest
from cluster import wait_until
from starts import iterations, running, wait_iterations
from test_switch import CFG, CONF, facts, finish, submit_all, switch

pytestmark = pytest.mark.together

OURS, SLURMS = {"SchedulerType": "sched/maui"}, {"SchedulerType": "sched/backfill"}


def scheduler(cluster):
    return re.search(r"^SchedulerType += (\S+)", cluster.scontrol("show", "config").stdout,
                     re.M).group(1)


def started_by_us(cluster, mark):
    """Job ids whose start our log tells of."""
    pattern = r"slurm-maui: (?:started|backfilled) JobId=(?:\d+_\d+\()?(\d+)"
    return {int(job) for job in re.findall(pattern, cluster.log_since(mark))}


def test_to_ours(own_cluster):
    cluster = own_cluster(CFG, CONF + "SchedulerType=sched/backfill\n")
    jobs = submit_all(cluster, with_qos=True)
    switch(cluster, OURS)
    assert scheduler(cluster) == "sched/maui"
    wait_iterations(cluster)
    finish(cluster, jobs)
    ours = started_by_us(cluster, 0)
    assert {jobs[kind] for kind in ("queued", "held", "dependent", "direct", "nice")} <= ours
    assert jobs["running"] not in ours


def test_to_slurms(own_cluster):
    """Nothing of ours stays behind: Slurm starts at submit again, and by its main loop."""
    cluster = own_cluster(CFG, CONF + "SchedulerType=sched/maui\n")
    jobs = submit_all(cluster, with_qos=True)
    assert iterations(cluster) > 0
    switch(cluster, SLURMS)
    assert scheduler(cluster) == "sched/backfill"
    mark = cluster.log_size()
    words = re.search(r"^SchedulerParameters += (.*)$", cluster.scontrol("show", "config").stdout,
                      re.M).group(1)
    assert "defer" not in words.split(",")
    finish(cluster, jobs)
    assert not started_by_us(cluster, mark)


def test_there_and_back_with_a_reservation(own_cluster):
    """A promise made under sched/maui is nobody's burden afterwards."""
    cluster = own_cluster(CFG, CONF + "SchedulerType=sched/maui\n")
    block = cluster.sbatch("-t5", "-N1", "--exclusive", "-w", "n1")
    running(cluster, block)
    top = cluster.sbatch("-t5", "-N2", "--exclusive", user="amy")
    wait_until(lambda: cluster.job(top).fields.get("SchedNodeList"), "a reservation")
    before = facts(cluster)
    for changes in (SLURMS, OURS):
        cluster.edit_slurm_conf(**changes)
        cluster.restart()
        wait_until(lambda: "*" not in cluster.run("sinfo", "-h", "-o", "%T").stdout,
                   "nodes known")
        assert scheduler(cluster) == changes["SchedulerType"]
        assert {job: fact[0] for job, fact in facts(cluster).items()} == \
            {job: fact[0] for job, fact in before.items()}
    wait_until(lambda: cluster.job(top).fields.get("SchedNodeList"), "a reservation again")
    cluster.run("scancel", str(block))
    running(cluster, top)
