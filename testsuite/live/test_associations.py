# SPDX-License-Identifier: GPL-2.0-or-later
"""Usage of associations and QOS, and what sshare shows, with priority/maui as with
priority/multifactor.

Rules: FS-13, THR-18.
"""

import re
import time

import pytest
from cluster import wait_until
from database import with_database
from starts import CONF, running, wait_reason

CFG = "RMPOLLINTERVAL 1\nUSERWEIGHT 1\n"
SLURM_CONF = CONF + """
AccountingStorageEnforce=associations,limits,qos
PriorityCalcPeriod=1
PriorityDecayHalfLife=0
PriorityUsageResetPeriod=YEARLY
PriorityWeightFairshare=1000
"""
MULTIFACTOR = "priority/multifactor"
SHARES = [("account", "phys", "3"), ("account", "bio", "1"), ("account", "lab", "2"),
          ("user", "steve", "2"), ("user", "amy", "1"), ("user", "bob", "parent"),
          ("user", "john", "0")]


@pytest.fixture(scope="module")
def whole(clusters):
    cluster = with_database(clusters, CFG, SLURM_CONF, nodes=4)
    cluster.sacctmgr("add", "qos", "night", "flags=NoDecay")
    cluster.sacctmgr("modify", "qos", "night", "set", "UsageFactor=0.5")
    cluster.sacctmgr("add", "account", "phys", "bio")
    cluster.sacctmgr("add", "account", "lab", "parent=phys")
    for user, account in (("steve", "lab"), ("amy", "lab"), ("bob", "bio"), ("john", "phys")):
        cluster.sacctmgr("add", "user", user, "account=" + account, "defaultaccount=" + account,
                         "qos=normal,night")
    for kind, name, shares in SHARES:
        cluster.sacctmgr("modify", kind, name, "set", "fairshare=" + shares)
    return cluster


@pytest.fixture
def cluster(whole):
    yield whole
    whole.cancel_all()


def raw(cluster):
    """{account or account/user: UsageRaw} of slurmctld's own records."""
    text = cluster.scontrol("-o", "show", "assoc_mgr", "flags=assoc").stdout
    rows = re.findall(r"Account=(\S+) UserName=(\S*?)(?:\(\d+\))? .*?UsageRaw/Norm/Efctv=([\d.]+)/",
                      text)
    return {account + ("/" + user if user else ""): float(usage) for account, user, usage in rows}


def raw_of_qos(cluster, name):
    text = cluster.scontrol("-o", "show", "assoc_mgr", "flags=qos").stdout
    return float(re.search(r"QOS=%s\(\d+\).*?UsageRaw=([\d.]+)" % name, text).group(1))


def used(cluster, job):
    """CPU-seconds of an ended job."""
    seen = cluster.job(job)
    return seen.procs * (seen.end - seen.start)


def ended(cluster, *options, seconds=2, user="steve"):
    job = cluster.sbatch("-t5", *options, user=user, command="sleep %d" % seconds)
    cluster.wait_over(job)
    return job


def changed(before, after):
    return {name: after[name] - before.get(name, 0) for name in after
            if after[name] != before.get(name, 0)}


def test_a_job_counts_for_all_above_it(cluster):
    before = raw(cluster)
    job = ended(cluster, "-n3")
    got = changed(before, raw(cluster))
    assert got == dict.fromkeys(("root", "phys", "lab", "lab/steve"), used(cluster, job))
    before = raw_of_qos(cluster, "night"), raw(cluster)["lab/amy"]
    job = ended(cluster, "-n4", "--qos=night", user="amy")
    got = raw_of_qos(cluster, "night") - before[0], raw(cluster)["lab/amy"] - before[1]
    assert got == (used(cluster, job) / 2, used(cluster, job) / 2), "UsageFactor"


def test_a_budget_is_used_up(cluster):
    """GrpTRESMins: what ended jobs have used counts."""
    cluster.sacctmgr("modify", "account", "bio", "set", "GrpTRESMins=cpu=1")
    try:
        job = cluster.sbatch("-t1", "-n1", user="bob", command="sleep 1")
        running(cluster, job)
        cluster.wait_over(job)
        cluster.sacctmgr("modify", "account", "bio", "set", "GrpTRESMins=cpu=-1")
        while raw(cluster)["bio"] < 60:
            ended(cluster, "-n16", "-N4", user="bob", seconds=2)
        cluster.sacctmgr("modify", "account", "bio", "set", "GrpTRESMins=cpu=1")
        job = cluster.sbatch("-t1", "-n1", user="bob")
        wait_reason(cluster, job, "^AssocGrpCPUMinutesLimit")
    finally:
        cluster.sacctmgr("modify", "account", "bio", "set", "GrpTRESMins=cpu=-1")
    running(cluster, job)


@pytest.mark.slow
def test_a_running_job_counts_each_minute(cluster):
    """Its usage grows, its run-minutes shrink, and at its end each second was counted once."""
    before = raw(cluster)["phys/john"]
    job = cluster.sbatch("-t10", "-n2", user="john", command="sleep 75")
    running(cluster, job)

    def run_minutes():
        text = cluster.scontrol("-o", "show", "assoc_mgr", "flags=assoc", "users=john").stdout
        return int(re.search(r"GrpTRESRunMins=cpu=[^,(]*\((\d+)\)", text).group(1))

    assert run_minutes() == 20
    wait_until(lambda: raw(cluster)["phys/john"] > before, "a count", seconds=70)
    part = raw(cluster)["phys/john"] - before
    assert 0 < part <= 2 * (time.time() - cluster.job(job).start)
    assert run_minutes() == int(20 - part / 60)
    cluster.wait_over(job)
    assert raw(cluster)["phys/john"] - before == used(cluster, job)
    assert run_minutes() == 0


def test_over_a_restart(cluster):
    """What ran is kept, and a job that runs meanwhile is counted once."""
    before = raw(cluster)["lab/steve"]
    first = ended(cluster, "-n2")
    second = cluster.sbatch("-t5", "-n3", command="sleep 8")
    running(cluster, second)
    cluster.restart()
    cluster.wait_over(second)
    assert raw(cluster)["lab/steve"] - before == used(cluster, first) + used(cluster, second)


def shares(cluster):
    return cluster.run("sshare", "-a", "-l", "-P").stdout


@pytest.mark.slow
@pytest.mark.parametrize("flags", ["", "NO_FAIR_TREE", "NO_FAIR_TREE,DEPTH_OBLIVIOUS"])
def test_sshare_is_as_with_multifactor(cluster, flags):
    """Every column, digit by digit; multifactor's first sums under DEPTH_OBLIVIOUS have siblings
    that are not counted yet, its second are right."""
    for user, tasks in (("steve", 1), ("amy", 2), ("bob", 4)):
        ended(cluster, "-n%d" % tasks, user=user)
    cluster.edit_slurm_conf(PriorityFlags=flags or None)
    mark = cluster.log_size()
    try:
        cluster.restart()
        cluster.wait_log("usage of associations counted", mark)
        ours = shares(cluster)
        cluster.edit_slurm_conf(PriorityType="priority/multifactor")
        cluster.restart()

        def same():
            stock = shares(cluster)
            assert stock == ours, stock + ours
            return True

        wait_until(same, "the same shares", seconds=75)
    finally:
        cluster.edit_slurm_conf(PriorityType="priority/maui", PriorityFlags=None)
        cluster.restart()
