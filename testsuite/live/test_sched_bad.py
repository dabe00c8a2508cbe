# SPDX-License-Identifier: GPL-2.0-or-later
"""What goes wrong at a site: impossible jobs, nodes and partitions that vanish, storms, a clock
that steps back, a slurmctld that is killed. No crash, no double start, no lost job."""

import os
import subprocess
import time

import pytest
from cluster import wait_until
from rsvclock import Clock
from starts import (CFG, CONF, fill, nodes_of, running, stays_pending, tally, tally_command,
                   tasks_of, wait_iterations, wait_reason)

FEATURES = """
SchedulerType=sched/maui
NodeName=n[1-2] CPUs=4 CoresPerSocket=4 RealMemory=4000 Features=red
NodeName=n[3-4] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=other Nodes=ALL MaxTime=INFINITE State=UP
"""


@pytest.fixture(scope="module")
def whole(clusters):
    return clusters(CFG, FEATURES, nodes=4)


@pytest.fixture
def cluster(whole):
    pid = whole.daemon_pid()
    yield whole
    assert whole.daemon_pid() == pid, "the same slurmctld"
    whole.cancel_all()


def blocks_nobody(cluster, bad):
    """A lower job starts beside it, and one that has to wait for the machine does not wait for it.
    """
    low = cluster.sbatch("-t1", "-N4", "--exclusive", "--priority=10", command="true")
    cluster.wait_over(low)
    assert cluster.job(bad).state == "PENDING"


# ---- jobs that cannot run ----

def test_a_feature_that_is_gone(cluster):
    """No node has it any more."""
    cluster.scontrol("update", "nodename=n[1-2]", "availablefeatures=blue", "activefeatures=blue")
    cluster.scontrol("update", "nodename=n1", "availablefeatures=red", "activefeatures=red")
    block = fill(cluster, "n1", 5)
    bad = cluster.sbatch("-t5", "-N1", "-C", "red", "--priority=5000")
    cluster.scontrol("update", "nodename=n1", "availablefeatures=blue", "activefeatures=blue")
    try:
        wait_reason(cluster, bad, "never fits.*features|BadConstraints")
        cluster.run("scancel", str(block.id))
        blocks_nobody(cluster, bad)
    finally:
        cluster.scontrol("update", "nodename=n[1-2]", "availablefeatures=red",
                         "activefeatures=red")
    if cluster.job(bad).priority == 0:
        cluster.scontrol("release", str(bad))
    running(cluster, bad)


def test_too_many_nodes(cluster):
    """More than the partition has: it was larger when the job came."""
    block = fill(cluster, "n[1-4]", 5)
    bad = cluster.sbatch("-t5", "-N4", "-p", "other", "--priority=5000")
    cluster.scontrol("update", "partitionname=other", "nodes=n[1-2]")
    try:
        wait_reason(cluster, bad, "never fits|needs 4 nodes|PartitionConfig|BadConstraints|"
                                  "PartitionNodeLimit")
        cluster.run("scancel", str(block.id))
        blocks_nobody(cluster, bad)
    finally:
        cluster.scontrol("update", "partitionname=other", "nodes=ALL")


def test_nodes_beyond_the_partitions_limit(cluster):
    cluster.scontrol("update", "partitionname=other", "maxnodes=1")
    try:
        bad = cluster.sbatch("-t5", "-N2", "-p", "other", "--priority=5000")
        wait_reason(cluster, bad, "PartitionNodeLimit")
        blocks_nobody(cluster, bad)
    finally:
        cluster.scontrol("update", "partitionname=other", "maxnodes=UNLIMITED")
    running(cluster, bad)


@pytest.mark.parametrize("line,options,pattern", [
    ("SYSTEMMAXPROCPERJOB 4", ["-n5"], "SYSTEMMAXPROCPERJOB .*5/4"),
    ("SYSTEMMAXJOBWALLTIME 00:01:00", ["-n1"], "SYSTEMMAXJOBWALLTIME .*/1:00|0:01:00"),
    ("USERCFG[steve] MAXPROC=4", ["-n5"], r"MAXPROC USER steve 5/4 \(hard\): larger than the limit"),
    ("CLASSCFG[main] MAX.WCLIMIT=00:01:00", ["-n1"], "MAX.WCLIMIT CLASS main")])
def test_beyond_every_limit(cluster, line, options, pattern):
    cluster.reconfigure(CFG + line + "\n")
    try:
        bad = cluster.sbatch("-t5", "--priority=5000", *options)
        wait_reason(cluster, bad, pattern)
        low = cluster.sbatch("-t1", "-n4", "--priority=10", user="amy", command="true")
        cluster.wait_over(low)
        assert cluster.job(bad).state == "PENDING"
    finally:
        cluster.reconfigure(CFG)
    running(cluster, bad)


@pytest.mark.parametrize("state", ["down", "inactive"])
def test_a_partition_that_is_down(cluster, state):
    cluster.scontrol("update", "partitionname=other", "state=" + state)
    try:
        bad = cluster.sbatch("-t5", "-N4", "--exclusive", "-p", "other", "--priority=5000") \
            if state == "down" else None
        if bad is None:
            block = fill(cluster, "n[1-4]", 5)
            cluster.scontrol("update", "partitionname=other", "state=up")
            bad = cluster.sbatch("-t5", "-N4", "--exclusive", "-p", "other", "--priority=5000")
            cluster.scontrol("update", "partitionname=other", "state=inactive")
            cluster.run("scancel", str(block.id))
        wait_reason(cluster, bad, "Partition(Down|Inactive)|partition")
        blocks_nobody(cluster, bad)
    finally:
        cluster.scontrol("update", "partitionname=other", "state=up")
    running(cluster, bad)


# ---- nodes ----

def test_a_node_goes_down_under_a_promise(cluster):
    """The reservation moves to another one; the job on the node ends or is requeued."""
    block = fill(cluster, "n[1-3]", 10)
    top = cluster.sbatch("-t5", "-N2", "--exclusive", "--priority=5000")
    wait_reason(cluster, top, "^Resources")
    cluster.scontrol("update", "nodename=n4", "state=down", "reason=test")
    try:
        cluster.run("scancel", str(block.id))
        running(cluster, top)
        assert "n4" not in nodes_of(cluster, top)
        # all nodes that are up do not suffice
        bad = cluster.sbatch("-t5", "-N4", "--exclusive", "--priority=4000")
        wait_reason(cluster, bad, "[Dd]own|ReqNodeNotAvail")
        low = cluster.sbatch("-t1", "-n1", "--priority=1", command="true")
        cluster.wait_over(low)
    finally:
        cluster.scontrol("update", "nodename=n4", "state=resume")
    cluster.run("scancel", str(top))
    running(cluster, bad)


def test_a_drained_node_gets_no_job(cluster):
    cluster.scontrol("update", "nodename=n[2-4]", "state=drain", "reason=test")
    try:
        job = cluster.sbatch("-t5", "-N1", "--exclusive")
        running(cluster, job)
        assert nodes_of(cluster, job) == ["n1"]
        other = cluster.sbatch("-t5", "-n1")
        stays_pending(cluster, other)
    finally:
        cluster.undrain()
    running(cluster, other)


# ---- storms ----

def test_a_burst_of_submits(cluster):
    """Four hundred from four shells, some of them cancelled at once; every one runs once."""
    path = "%s/home/steve/burst" % cluster.dir
    script = ('for i in $(seq 100); do id=$(sbatch --parsable --chdir=/tmp --output=/dev/null '
              '--job-name=burst -t1 -n1 --wrap="%s") || exit 1; '
              '[ $((i %% 10)) != 0 ] || scancel $id; done' % tally_command(path)
              .replace("$", "\\$"))
    shells = [subprocess.Popen(["setpriv", "--reuid=steve", "--regid=science", "--init-groups",
                                "bash", "-c", script], env=cluster.inside, cwd="/tmp")
              for _ in range(4)]
    assert [shell.wait(timeout=120) for shell in shells] == [0] * 4
    wait_until(lambda: not cluster.squeue(), "all through", seconds=120)
    done = {job.id for job in cluster.jobs().values()
            if job.fields["JobName"] == "burst" and job.state == "COMPLETED"}
    counts = tally(path)
    assert len(done) >= 360 and done <= set(counts), "lost: %s" % sorted(done - set(counts))[:9]
    assert {job for job, count in counts.items() if count != 1} == set(), "twice"


# ---- slurmctld's own troubles ----

def test_a_partition_deleted_with_jobs(own_cluster):
    """By slurm.conf and a reconfigure, as slurmctld itself refuses it otherwise."""
    cluster = own_cluster(CFG, FEATURES, nodes=4)
    block = fill(cluster, "n[1-4]", 5)
    doomed = cluster.sbatch("-t5", "-N2", "-p", "other", "--priority=5000")
    both = cluster.sbatch("-t5", "-N2", "-p", "other,main", "--priority=4000")
    plain = cluster.sbatch("-t5", "-N2", "--priority=10")
    path = os.path.join(cluster.dir, "slurm.conf")
    with open(path, encoding="utf-8") as conf:
        lines = [line for line in conf if not line.startswith("PartitionName=other")]
    with open(path, "w", encoding="utf-8") as conf:
        conf.writelines(lines)
    pid = cluster.daemon_pid()
    cluster.reconfigure()
    cluster.run("scancel", str(block.id))
    running(cluster, plain)
    wait_iterations(cluster)
    assert cluster.daemon_pid() == pid
    assert cluster.job(doomed).state != "RUNNING"
    assert cluster.job(both).partitions in (["main"], ["other", "main"], ["other"])
    late = cluster.sbatch("-t1", "-n1", command="true")
    cluster.wait_over(late)


def test_the_clock_steps_back(own_cluster):
    """By ten seconds, under slurmctld alone. Nothing is started twice, nothing stops; what was
    submitted before begins at its submit time by that clock, as in any Slurm."""
    cluster = own_cluster(CFG, CONF, nodes=4)
    clock = Clock(cluster.dir, "UTC")
    clock.set(time.time())
    cluster.stop()
    clock.start(cluster)
    path = "%s/home/steve/steps" % cluster.dir
    block = fill(cluster, "n[1-3]", 5)
    top = cluster.sbatch("-t5", "-N2", "--exclusive", "--priority=5000",
                         command=tally_command(path) + "; sleep 600")
    early = [cluster.sbatch("-t1", "-n1", command=tally_command(path) + "; sleep 1")
             for _ in range(6)]
    wait_reason(cluster, top, "^Resources")
    clock.set(time.time() - 10)
    late = [cluster.sbatch("-t1", "-n1", command=tally_command(path)) for _ in range(6)]
    cluster.wait_over(*early, *late)
    cluster.run("scancel", str(block.id))
    running(cluster, top)
    wait_until(lambda: top in tally(path), "the top job's script began")
    assert tally(path) == {job: 1 for job in [top, *early, *late]}
    assert all(cluster.job(job).state == "COMPLETED" for job in early + late)
    assert cluster.daemon_pid()


def wait_saved(cluster):
    """slurmctld saves every few seconds what changed; what it started since then it starts again
    after a kill."""
    cluster.wait_jobs_saved(cluster.sbatch("-t1", "-H", command="true"))


def test_killed_with_jobs_in_every_state(own_cluster):
    """kill -9, twice: running jobs run on, waiting jobs wait, held jobs stay held, and each job
    starts once."""
    cluster = own_cluster(CFG, CONF, nodes=4)
    path, gate = ("%s/home/steve/%s" % (cluster.dir, name) for name in ("killed", "gate"))
    count = tally_command(path)
    blocked = count + "; until test -e %s; do sleep 0.2; done" % gate
    jobs = {"running": cluster.sbatch("-t5", "-n2", "-w", "n1", command=blocked),
            "suspended": cluster.sbatch("-t5", "-n1", "-w", "n1", command=blocked),
            "array": cluster.sbatch("-t5", "-N1", "--exclusive", "--array=1-4", "-w", "n2",
                                    command=blocked)}
    wait_until(lambda: os.path.exists(path) and len(tally(path)) == 3, "three began")
    cluster.scontrol("suspend", str(jobs["suspended"]))
    jobs["held"] = cluster.sbatch("-t5", "-H", command=count)
    jobs["dependent"] = cluster.sbatch("-t5", "--dependency=afterok:%d" % jobs["running"],
                                       command=count)
    jobs["begin"] = cluster.sbatch("-t5", "--begin=now+1hour", command=count)
    jobs["reserved"] = cluster.sbatch("-t5", "-N4", "--exclusive", "--priority=5000",
                                      command=count)
    jobs["behind"] = cluster.sbatch("-t60", "-N2", "--exclusive", "--priority=10", command=count)
    for _ in range(2):
        wait_saved(cluster)
        cluster.restart(kill=True)
        wait_until(lambda: "*" not in cluster.run("sinfo", "-h", "-o", "%T").stdout,
                   "nodes known")
        wait_iterations(cluster)
    for kind in ("running", "suspended"):
        assert cluster.job(jobs[kind]).state == kind.upper(), kind
    assert len(cluster.squeue("-t", "R")) == 2 and len(tally(path)) == 3, "nothing else started"
    assert cluster.job(jobs["held"]).priority == 0
    with open(gate, "w", encoding="ascii"):
        pass
    cluster.scontrol("resume", str(jobs["suspended"]))
    cluster.update(jobs["begin"], "starttime=now")
    for job in cluster.jobs().values():
        if job.state == "PENDING" and job.priority == 0:
            cluster.scontrol("release", str(job.id))
    wait_until(lambda: not cluster.squeue(), "all through", seconds=240)
    seen = cluster.jobs()
    assert {job.state for job in seen.values()} == {"COMPLETED"}, seen
    assert set(jobs.values()) <= set(seen)
    assert len(tasks_of(cluster, jobs["array"])) == 4
    mine = {job.id for job in seen.values() if job.array_id in jobs.values()}
    assert tally(path) == {job: 1 for job in mine}, "each once"
