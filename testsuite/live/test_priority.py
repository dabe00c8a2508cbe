# SPDX-License-Identifier: GPL-2.0-or-later
"""Maui's priority on a real slurmctld: each component, recalculation, what an update changes.

Rules: PRIO-15, PRIO-19.
"""

import time

import pytest
from cluster import CYCLE, wait_until
from oracle import Config, check_row

BASE = """
RMPOLLINTERVAL 1
USERCFG[steve] PRIORITY=11
USERCFG[amy] PRIORITY=-13
USERCFG[DEFAULT] PRIORITY=3
GROUPCFG[chem] PRIORITY=17
ACCOUNTCFG[phys] PRIORITY=23
ACCOUNTCFG[bio] PRIORITY=29
QOSCFG[high] PRIORITY=31 QTWEIGHT=7 XFWEIGHT=3
QOSCFG[late] QTTARGET=1:00:00 XFTARGET=5
CLASSCFG[main] PRIORITY=37
CLASSCFG[large] PRIORITY=41
"""

CONF = """
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=large Nodes=ALL MaxTime=INFINITE State=UP
PartitionName=factor Nodes=ALL MaxTime=INFINITE State=UP PriorityJobFactor=53
NodeName=n[1-3] CPUs=8 CoresPerSocket=8 RealMemory=4000 TmpDisk=900
"""

# component: (lines of maui.cfg, options of sbatch); the component must show, and be right
COMPONENTS = [
    ("serv", "QUEUETIMEWEIGHT 600", ["-t10"]),
    ("serv", "QUEUETIMEWEIGHT 0\nXFACTORWEIGHT 100000", ["-t10"]),
    ("serv", "XFACTORWEIGHT 1000\nXFMINWCLIMIT 1:00:00\nSERVICEWEIGHT 3", ["-t10"]),
    ("serv", "QUEUETIMEWEIGHT 600\nQUEUETIMECAP 0.01", ["-t10", "--qos=high"]),
    ("cred", "USERWEIGHT 100", ["-t10"]),
    ("cred", "GROUPWEIGHT 100", ["-t10"]),
    ("cred", "ACCOUNTWEIGHT 100", ["-t10", "-Aphys"]),
    ("cred", "QOSWEIGHT 100", ["-t10", "--qos=high"]),
    ("cred", "CLASSWEIGHT 100\nCREDCAP 3900", ["-t10", "-plarge"]),
    ("cred", "USERWEIGHT 100\nUSERWEIGHT[large] 7", ["-t10", "-plarge"]),
    ("cred", "CLASSWEIGHT 100\nGROUPCFG[chem] CLASSWEIGHT=9", ["-t10"]),
    ("res", "NODEWEIGHT 100", ["-t10", "-N2"]),
    ("res", "PROCWEIGHT 100", ["-t10", "-n5"]),
    ("res", "MEMWEIGHT 100", ["-t10", "-n2", "--mem-per-cpu=123"]),
    ("res", "MEMWEIGHT 100", ["-t10", "-N2", "--mem=321"]),
    ("res", "DISKWEIGHT 100", ["-t10", "-N2", "--tmp=450"]),
    ("res", "PSWEIGHT 1", ["-t10", "-n3"]),
    ("res", "PEWEIGHT 100", ["-t10", "-n2", "--mem=3000"]),
    ("res", "PEWEIGHT 100", ["-t10", "-n2", "--mem=10", "--tmp=600"]),
    ("res", "WALLTIMEWEIGHT 1", ["-t10"]),
    ("res", "WALLTIMEWEIGHT 1\nSYSTEMDEFAULTJOBWALLTIME 2:00:00", []),
    ("targ", "TARGETQUEUETIMEWEIGHT 100000000000", ["-t10", "--qos=late"]),
    ("targ", "TARGETXFACTORWEIGHT 100000", ["-t10", "--qos=late"]),
]


@pytest.fixture(scope="module")
def parked(clusters):
    """Nothing starts here: all nodes are drained."""
    cluster = clusters(BASE, CONF, nodes=3)
    cluster.drain()
    return cluster


def qos_of(job):
    """job_submit/maui keeps it in the AdminComment."""
    return job.admin_comment.partition("maui:qos=")[2] or None


def wait_right(cluster, text, jobs, component=None, **facts):
    """Until the rows of all these jobs are the oracle's, each by the newest cycle, and the
    component is in one of them."""
    config, totals = Config(text), cluster.totals()

    def look():
        rows, now = {row.job: row for row in cluster.sprio()}, int(time.time())
        seen = cluster.jobs()
        for job in jobs:
            check_row(rows[job], config, seen[job], totals, now, qos=qos_of(seen[job]), **facts)
        assert not component or any(rows[job].components[component] for job in jobs), rows
        return rows
    return wait_until(look, "the oracle's priorities")


@pytest.mark.parametrize("component,lines,options", COMPONENTS)
def test_component_of_a_waiting_job(parked, component, lines, options):
    text = BASE + lines
    parked.reconfigure(text)
    jobs = [parked.sbatch(*options, user=user) for user in ("steve", "amy", "bob")]
    rows = wait_right(parked, text, jobs, component)
    squeue = parked.squeue()
    assert all(squeue[job] == rows[job].priority or component in ("serv", "targ") for job in jobs)
    parked.cancel_all()


def test_all_components_at_once(parked):
    text = BASE + """
CREDWEIGHT 2\nUSERWEIGHT 10\nGROUPWEIGHT -20\nACCOUNTWEIGHT 30\nQOSWEIGHT 40\nCLASSWEIGHT 50
RESWEIGHT 3\nPROCWEIGHT 7\nMEMWEIGHT 0.25\nPSWEIGHT 0.01\nPEWEIGHT 1.5\nRESCAP 500
SERVICEWEIGHT 1.5\nQUEUETIMEWEIGHT 60\nXFACTORWEIGHT 13\nTARGETXFACTORWEIGHT 900
"""
    parked.reconfigure(text)
    jobs = []
    for count, user in enumerate(["steve", "amy", "bob", "john"] * 3):
        options = ["-t%d" % (5 + count), "-n%d" % (1 + count % 5), "--mem=%d" % (10 + count)]
        options += [["-Aphys"], ["-Abio"], []][count % 3]
        options += [["--qos=high"], [], ["--qos=late"], []][count % 4]
        options += [["-pmain"], ["-plarge"]][count % 2]
        jobs.append(parked.sbatch(*options, user=user))
    rows = wait_right(parked, text, jobs)
    assert len({rows[job].priority for job in jobs}) > 6, "the jobs differ"
    parked.cancel_all()


def test_priority_job_factor_is_the_class_priority_of_an_unnamed_class(parked):
    text = BASE + "QUEUETIMEWEIGHT 0\nCLASSWEIGHT 10"
    parked.reconfigure(text)
    job = parked.sbatch("-t10", "-pfactor")
    wait_right(parked, text, [job], factor=53)
    assert parked.row(job).assoc == 530
    # slurmctld tells nobody of a changed partition: the next poll sees it
    parked.scontrol("update", "partitionname=factor", "priorityjobfactor=60")
    wait_until(lambda: parked.row(job).assoc == 600, "the new PriorityJobFactor")
    parked.scontrol("update", "partitionname=factor", "priorityjobfactor=53")
    parked.cancel_all()


def test_queue_time_grows_with_every_poll(parked):
    parked.reconfigure(BASE.replace("INTERVAL 1", "INTERVAL 2") + "QUEUETIMEWEIGHT 60")
    job = parked.sbatch("-t10")
    submit = parked.job(job).submit
    seen = set()

    def look():
        priority, now = parked.squeue()[job], time.time()
        assert priority <= max(1, now - submit), "never ahead of the clock"
        assert priority >= now - submit - 5, "never two polls behind"
        seen.add(priority)
        return len(seen) >= 4
    wait_until(look, "four values of a growing priority")
    assert sorted(seen)[-1] - sorted(seen)[0] >= 4, "one value a poll, two seconds apart: %s" % seen
    parked.cancel_all()


def test_negative_components_are_clipped(parked):
    text = BASE + "QUEUETIMEWEIGHT 0\nUSERWEIGHT 1000\nGROUPWEIGHT 1"
    parked.reconfigure(text)
    low, high = parked.sbatch("-t10", user="amy"), parked.sbatch("-t10", user="steve")
    rows = wait_right(parked, text, [low, high])
    assert rows[low].assoc == -13000 + 17 and rows[low].priority == 2
    assert rows[low].site == 2 - rows[low].assoc, "SITE takes the clip"
    assert rows[high].assoc == rows[high].priority == 11000
    assert parked.squeue() == {low: 2, high: 11000}
    parked.cancel_all()


def test_negative_priorities_keep_their_order_when_enabled(parked):
    text = BASE + "QUEUETIMEWEIGHT 0\nUSERWEIGHT 1000\nGROUPWEIGHT -1\nENABLENEGJOBPRIORITY TRUE"
    parked.reconfigure(text)
    jobs = {user: parked.sbatch("-t10", user=user) for user in ("amy", "bob", "steve")}
    rows = wait_right(parked, text, jobs.values())
    offset = 1_000_000_001
    expected = {"amy": offset - 13017, "bob": offset + 2983, "steve": offset + 11000}
    assert {user: rows[job].priority for user, job in jobs.items()} == expected
    assert all(row.site == offset for row in rows.values()), rows
    assert parked.squeue() == {jobs[user]: expected[user] for user in jobs}
    parked.cancel_all()


def test_ceiling(parked):
    text = BASE + "QUEUETIMEWEIGHT 0\nUSERWEIGHT 1000000000"
    parked.reconfigure(text)
    job = parked.sbatch("-t10")
    wait_until(lambda: parked.squeue()[job] == 1_000_000_000, "Maui's highest priority")
    assert parked.row(job).priority == 1_000_000_000
    parked.cancel_all()


def test_a_row_for_each_partition(parked):
    text = BASE + "QUEUETIMEWEIGHT 0\nCLASSWEIGHT 10\nUSERWEIGHT 100\nUSERWEIGHT[large] 1"
    parked.reconfigure(text)
    job = parked.sbatch("-t10", "-p", "large,factor,main")
    config, totals = Config(text), parked.totals()

    def look():
        seen, now = parked.job(job), int(time.time())
        rows = {row.partition: row for row in parked.sprio("-j", str(job))}
        assert set(rows) == {"large", "factor", "main"}
        for partition, row in rows.items():
            check_row(row, config, seen, totals, now, partition=partition,
                      factor=53 if partition == "factor" else 0)
        return rows
    rows = wait_until(look, "a right row for each partition")
    assert {name: row.priority for name, row in rows.items()} == \
        {"large": 421, "factor": 1630, "main": 1470}
    assert parked.squeue()[job] in (421, 1630, 1470)
    # filtered by partition
    assert [row.partition for row in parked.sprio("-p", "factor")] == ["factor"]
    parked.update(job, "partition=main,factor")
    rows = parked.sprio("-j", str(job))
    assert {row.partition: row.priority for row in rows} == {"factor": 1630, "main": 1470}
    parked.update(job, "partition=large")
    assert {row.partition: row.priority for row in parked.sprio("-j", str(job))} == {"large": 421}
    assert parked.squeue() == {job: 421}
    parked.cancel_all()


def test_a_change_of_partition_succeeds(parked):
    """slurmctld alone refuses every fourth of them here since 24.11: it takes an old errno of its
    thread for an error of the job's association."""
    parked.reconfigure(BASE)
    job = parked.sbatch("-t10", "-p", "large")
    for partition in ["main", "factor,main"] * 20:
        parked.update(job, "partition=" + partition)
    parked.cancel_all()


# ---- only at submit and by an update: the next poll is an hour away ----

SLOW = BASE.replace("INTERVAL 1", "INTERVAL 1:00:00") + """
QUEUETIMEWEIGHT 0\nUSERWEIGHT 100\nACCOUNTWEIGHT 10\nQOSWEIGHT 1000\nCLASSWEIGHT 5
PROCWEIGHT 1\nNODEWEIGHT 10000\nWALLTIMEWEIGHT 10\nMEMWEIGHT 0.5\nXFACTORWEIGHT 1000
"""


@pytest.fixture(scope="module")
def slow(clusters):
    """A poll an hour; users are known before, as maui.cfg names them all."""
    cluster = clusters(SLOW + "USERCFG[bob] PRIORITY=5", CONF, nodes=3)
    cluster.drain()
    cluster.wait_log("slurm-maui: cycle:")
    return cluster


def test_priority_is_there_when_sbatch_returns(slow):
    job = slow.sbatch("-t10", "-n3", "-Aphys", "--qos=high", user="steve")
    row, now = slow.row(job), int(time.time())
    seen = slow.job(job)
    check_row(row, Config(SLOW), seen, slow.totals(), now, qos="high")
    assert row.priority == seen.priority == slow.squeue()[job]
    slow.cancel_all()


@pytest.fixture(scope="module")
def met(slow):
    """The group of steve's first job is in no line of maui.cfg: the cycle that asks for its name
    is over, and nothing is due but the hourly poll."""
    slow.sbatch("-t10", user="steve")
    wait_until(lambda: len(CYCLE.findall(slow.log_since())) >= 2, "the group's name asked for")
    slow.cancel_all()
    return slow


@pytest.mark.parametrize("change,qos", [
    (["qos=high"], "high"),
    (["partition=large"], None),
    (["timelimit=20"], None),
    (["numcpus=6"], None),
    (["numnodes=2"], None),
    (["minmemorynode=77"], None),
    (["nice=1234"], None),
    (["nice=-50"], None),
    (["qos=high", "timelimit=7", "numcpus=3"], "high"),
])  # no account: without slurmdbd slurmctld itself leaves it as it was
def test_an_update_counts_at_once(met, change, qos):
    job = met.sbatch("-t10", user="steve")
    before = met.row(job)
    mark = met.log_size()
    met.update(job, *change)
    row, now = met.row(job), int(time.time())
    assert "cycle:" not in met.log_since(mark), "this is not the poll's work"
    assert row.priority != before.priority
    check_row(row, Config(SLOW), met.job(job), met.totals(), now, qos=qos)
    assert met.squeue()[job] == row.priority
    met.cancel_all()


def test_min_job_age_shorter_than_two_polls_is_said(slow):
    assert "MinJobAge=300 of slurm.conf is shorter than two RMPOLLINTERVAL (3600 s)" in slow.log_since()


# ---- running jobs ----

RUNNING = """
RMPOLLINTERVAL 1
USERCFG[steve] PRIORITY=11
CLASSCFG[main] PRIORITY=37
CLASSCFG[large] PRIORITY=41
QOSCFG[late] QTTARGET=1:00:00
"""

RUNNING_COMPONENTS = [
    ("usage", "USAGECONSUMEDWEIGHT 10"),
    ("usage", "USAGEREMAININGWEIGHT 10"),
    ("usage", "USAGEEXECUTIONTIMEWEIGHT 10"),
    ("usage", "USAGEPERCENTWEIGHT 1000"),
    ("usage", "USAGEEXECUTIONTIMEWEIGHT -10\nUSAGEWEIGHT 3\nUSERWEIGHT 1000"),
    ("res", "UPROCWEIGHT 100"),
    ("res", "UJOBWEIGHT -100\nUSERWEIGHT 1000"),
]


@pytest.fixture(scope="module")
def running(clusters):
    """Two jobs of steve run, of 3 and of 2 processors; one of his and one of amy's wait."""
    cluster = clusters(RUNNING, CONF, nodes=3)
    runs = [cluster.sbatch("-t10", "-n%d" % procs, "-w", "n1", user="steve") for procs in (3, 2)]
    for job in runs:
        cluster.wait_state(job, "RUNNING")
    waits = [cluster.sbatch("-t10", "-n4", "-w", "n1", user=user) for user in ("steve", "amy")]
    return cluster, runs, waits


@pytest.mark.parametrize("component,lines", RUNNING_COMPONENTS)
def test_component_while_jobs_run(running, component, lines):
    cluster, runs, waits = running
    text = RUNNING + lines
    cluster.reconfigure(text)
    config, totals = Config(text), cluster.totals()

    def look():
        rows, now = {row.job: row for row in cluster.sprio()}, int(time.time())
        seen = cluster.jobs()
        for job in runs + waits:
            active = (5, 2) if seen[job].user == "steve" else (0, 0)
            check_row(rows[job], config, seen[job], totals, now, active=active)
        assert any(rows[job].components[component] for job in runs), rows
        return rows
    rows = wait_until(look, "the oracle's priorities, of running jobs too")
    if component == "usage":
        assert not any(rows[job].components[component] for job in waits), "of active jobs only"


def test_squeue_is_sprio_for_every_job(running):
    cluster, runs, waits = running
    cluster.reconfigure(RUNNING + "USERWEIGHT 10\nPROCWEIGHT 3\nQUEUETIMEWEIGHT 0\nCLASSWEIGHT 7")
    wide = cluster.sbatch("-t10", "-p", "large,main", "-n2", "-w", "n2")  # runs, in one of them
    cluster.wait_state(wide, "RUNNING")
    array = cluster.sbatch("-t10", "-n4", "--array=1-4", "-w", "n2")  # one task fits
    wait_until(lambda: len(cluster.squeue("-t", "R")) >= 4, "a task of the array runs")
    nice = cluster.sbatch("-t10", "-n8", "--nice=10", "-w", "n1")
    held = cluster.sbatch("-t10", "-H")

    def look():
        rows, squeue = cluster.sprio(), cluster.squeue()
        assert all(row.priority == row.total for row in rows), rows
        assert {row.job: row.priority for row in rows} == \
            {job: priority for job, priority in squeue.items() if job != held}
        return {row.job: row for row in rows}
    rows = wait_until(look, "squeue and sprio agree")
    assert set(runs + waits + [wide, array, nice]) <= set(rows)
    assert rows[wide].partition == "large", "the partition it runs in, one row"
    assert rows[wide].priority == 11 * 10 + 2 * 3 + 41 * 7
    assert cluster.squeue()[held] == 0 and held not in rows
