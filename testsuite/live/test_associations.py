# SPDX-License-Identifier: GPL-2.0-or-later
"""Usage of associations and QOS, and what sshare shows, with priority/maui as with
priority/multifactor.

Rules: FS-13, THR-18.
"""

import os
import random
import re
import time

import pytest
from cluster import wait_until
from database import run_minutes, with_database
from starts import CONF, running, wait_reason

CFG = "RMPOLLINTERVAL 1\nUSERWEIGHT 1\n"
SLURM_CONF = CONF + """
AccountingStorageEnforce=associations,limits,qos
PriorityCalcPeriod=1
PriorityDecayHalfLife=0
PriorityUsageResetPeriod=YEARLY
PriorityWeightFairshare=1000
"""
SHARES = [("account", "phys", "3"), ("account", "bio", "1"), ("account", "lab", "2"),
          ("account", "new", "1"), ("account", "newer", "1"),
          ("user", "steve", "2"), ("user", "amy", "1"), ("user", "bob", "parent"),
          ("user", "john", "0")]


def make(clusters, conf):
    cluster = with_database(clusters, CFG, conf, nodes=4)
    cluster.sacctmgr("add", "qos", "night", "flags=NoDecay")
    cluster.sacctmgr("modify", "qos", "night", "set", "UsageFactor=0.5")
    cluster.sacctmgr("add", "account", "phys", "bio")
    cluster.sacctmgr("add", "account", "lab", "parent=phys")
    cluster.sacctmgr("add", "account", "new", "newer")
    for user, account in (("steve", "lab"), ("amy", "lab"), ("bob", "bio"), ("john", "phys")):
        cluster.sacctmgr("add", "user", user, "account=" + account, "defaultaccount=" + account,
                         "qos=normal,night")
    for kind, name, shares in SHARES:
        cluster.sacctmgr("modify", kind, name, "set", "fairshare=" + shares)
    for account in ("new", "newer"):  # equal accounts, with users that are not
        for user, shares in (("amy", "1"), ("john", "0")):
            cluster.sacctmgr("add", "user", user, "account=" + account, "fairshare=" + shares)
    return cluster


@pytest.fixture(scope="module")
def whole(clusters):
    return make(clusters, SLURM_CONF)


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

    def left():
        return run_minutes(cluster, "flags=assoc", "users=john")[0]

    assert left() == 20
    wait_until(lambda: raw(cluster)["phys/john"] > before, "a count", seconds=70)
    part = raw(cluster)["phys/john"] - before
    assert 0 < part <= 2 * (time.time() - cluster.job(job).start)
    assert left() == int(20 - part / 60)
    cluster.wait_over(job)
    assert raw(cluster)["phys/john"] - before == used(cluster, job)
    assert left() == 0


def test_over_a_restart(cluster):
    """Earlier usage is kept, and a job that runs meanwhile is counted once."""
    before = raw(cluster)["lab/steve"]
    first = ended(cluster, "-n2")
    second = cluster.sbatch("-t5", "-n3", command="sleep 8")
    running(cluster, second)
    cluster.restart()
    cluster.wait_over(second)
    assert raw(cluster)["lab/steve"] - before == used(cluster, first) + used(cluster, second)


@pytest.mark.slow
def test_a_suspended_job_over_a_restart(cluster):
    """slurmctld counts its run-minutes again, and all come back at its end."""
    def left():
        return max(run_minutes(cluster, "accounts=lab", "flags=assoc"))
    wait_until(lambda: left() == 0, "no job runs")
    job = cluster.sbatch("-t100", "-n16")
    running(cluster, job)
    wait_until(lambda: 0 < left() < 1595, "a count")
    cluster.scontrol("suspend", str(job))
    cluster.restart()
    cluster.run("scancel", str(job))
    cluster.wait_over(job)
    assert left() == 0


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


# ---- the same jobs under both ----

BESIDE_S = 60 * int(os.environ.get("BESIDE_MINUTES", "0"))


def random_job(draw):
    """Options, user, seconds, and what is done with the job while it runs."""
    user = draw.choice(["steve", "amy", "bob", "john"])
    options = ["-t5", "-n%d" % draw.randint(1, 4)]
    if draw.random() < 0.3:
        options.append("--qos=night")
    return options, user, draw.randint(1, 40), draw.choice(["", "", "", "scancel", "requeue"])


def numbers(cluster):
    """{name: [raw usage, wall clock, CPU minutes ...]} of all associations and QOS."""
    text = cluster.scontrol("-o", "show", "assoc_mgr", "flags=assoc,qos").stdout
    found = {}
    for line in text.splitlines():
        name = re.search(r"Account=(\S+) UserName=(\S*?)(?:\(|\s)|QOS=(\S+?)\(", line)
        if name:
            used = re.findall(r"(?:UsageRaw(?:/Norm/Efctv)?=|GrpWall=[^(]*\()([\d.]+)", line)
            minutes = re.search(r"GrpTRESMins=cpu=[^(]*\((\d+)\)", line)
            found[name.group(0)] = [float(n) for n in used] + [60 * int(minutes.group(1))]
    return found


@pytest.mark.skipif(not BESIDE_S, reason="by hand: BESIDE_MINUTES=10")
@pytest.mark.parametrize("half_life", ["0", "5"])
def test_the_same_jobs_beside_multifactor(clusters, half_life):
    """Jobs of random size and end, in two clusters at the same time, first come first served. Both
    see the same jobs a moment apart, and decay is taken away at other moments."""
    seed = random.randrange(1 << 32)
    print("seed", seed)
    draw = random.Random(seed)
    conf = SLURM_CONF.replace("HalfLife=0", "HalfLife=" + half_life)
    conf = conf.replace("PriorityWeightFairshare=1000", "PriorityWeightFairshare=0")
    pair = [make(clusters, conf), make(clusters, conf + "PriorityType=priority/multifactor\n")]
    end, done = time.monotonic() + BESIDE_S, 0
    while time.monotonic() < end:
        options, user, seconds, what = random_job(draw)
        jobs = [each.sbatch(*options, user=user, command="sleep %d" % seconds) for each in pair]
        done += 1
        time.sleep(draw.uniform(0, 3))
        for each, job in zip(pair, jobs):
            if what == "scancel":
                each.run("scancel", str(job))
            elif what and each.job(job).state == "RUNNING":
                each.scontrol("requeue", str(job), check=False)
    for each in pair:
        wait_until(lambda each=each: not each.squeue(), "all through", seconds=600)
    ours, stock = map(numbers, pair)
    assert set(ours) == set(stock) and done > BESIDE_S / 10
    for name, values in stock.items():
        print(name, ours[name], values)
    decays = 0.03 if half_life != "0" else 0
    for name, values in stock.items():
        for mine, theirs in zip(ours[name], values):  # a second of each job; minutes are whole
            assert abs(mine - theirs) <= done + 60 + decays * theirs, name
