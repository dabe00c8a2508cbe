# SPDX-License-Identifier: GPL-2.0-or-later
"""Slurm's own preemption (PreemptType) under sched/maui.

Rules: PRE-7, PRE-10, PRE-11.
"""

import json
import time

import pytest
from cluster import SLURM, wait_until
from database import with_database
from starts import CFG, nodes_of, running, stays_pending, wait_iterations

CONF = """
SchedulerType=sched/maui
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n[1-4] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=low Nodes=ALL Default=YES MaxTime=INFINITE State=UP PriorityTier=1
PartitionName=killed Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=2 PreemptMode=CANCEL
PartitionName=slept Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=2 PreemptMode=SUSPEND
PartitionName=safe Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=2 PreemptMode=OFF
PartitionName=grace Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=2 GraceTime=8
PartitionName=mid Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=5
PartitionName=top Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=9
"""


@pytest.fixture(scope="module")
def whole(clusters):
    return clusters(CFG, CONF, nodes=4)


def components(cluster, leader):
    """Their ids, once there are two; a list as false as it is short."""
    found = [job.id for job in cluster.jobs().values() if job.fields.get("HetJobId") == str(leader)]
    return sorted(found) if len(found) == 2 else []


def on_node(cluster, node, partition, *options, **keywords):
    """A running job on all processors of the node."""
    job = cluster.sbatch("-t9", "-n4", "-w", node, "--mem=1000", "-p", partition, *options,
                         **keywords)
    running(cluster, job)
    return job


def for_node(cluster, node, partition, *options):
    """A job that waits for that node."""
    return cluster.sbatch("-t5", "-n4", "-w", node, "--mem=1000", "-p", partition, *options)


def test_requeue(cluster):
    """The higher tier preempts, the lower one does not; the victim is back in the queue."""
    victim = on_node(cluster, "n1", "low")
    other = on_node(cluster, "n2", "low")
    winner = for_node(cluster, "n1", "top")
    running(cluster, winner)
    seen = cluster.job(victim)
    assert seen.state == "PENDING" and seen.fields["Restarts"] == "1", seen
    assert cluster.job(other).state == "RUNNING", "nobody had to go for n2"
    waiting = for_node(cluster, "n1", "low")
    stays_pending(cluster, waiting)


def test_cancel(cluster):
    victim = on_node(cluster, "n1", "killed")
    winner = for_node(cluster, "n1", "top")
    running(cluster, winner)
    cluster.wait_state(victim, "PREEMPTED")


def test_suspend(cluster):
    """Without GANG, Slurm itself would kill the job."""
    victim = on_node(cluster, "n1", "slept")
    winner = for_node(cluster, "n1", "top")
    running(cluster, winner)
    assert cluster.job(victim).state == "SUSPENDED"
    wait_iterations(cluster)
    assert cluster.job(victim).state == "SUSPENDED"
    cluster.run("scancel", str(winner))
    running(cluster, victim)


def suspend_all(cluster):
    """Jobs on all four nodes, suspended for one job, which runs there."""
    victims = [on_node(cluster, "n%d" % number, "slept") for number in range(1, 5)]
    winner = cluster.sbatch("-t5", "-n16", "-N4", "--mem=1000", "-p", "top")
    running(cluster, winner)
    for victim in victims:
        assert cluster.job(victim).state == "SUSPENDED"
    return victims, winner


def test_requeue_of_a_suspended_job(cluster):
    """It waits like any other job, and the others resume when there is room."""
    victims, winner = suspend_all(cluster)
    cluster.scontrol("requeue", str(victims[2]))
    wait_until(lambda: cluster.job(victims[2]).state == "PENDING", "it waits")
    cluster.run("scancel", str(winner))
    running(cluster, *victims[:2], victims[3])
    wait_until(lambda: int(cluster.job(victims[2]).fields["Priority"]) > 0, "it is not held")
    cluster.scontrol("update", "jobid=%d" % victims[2], "starttime=now")
    running(cluster, victims[2])


@pytest.mark.parametrize("partition", ["low", "killed", "grace", "slept"])
def test_het_jobs_go_as_a_whole(clusters, partition):
    """For the nodes of any component; one that would be suspended stays."""
    cluster = clusters(CFG + "HETJOBS ON\n", CONF, nodes=4)
    one = ["-n4", "--mem=1000", "-p", partition]
    leader = cluster.sbatch("-t9", "-w", "n1", *one, ":", "-w", "n2", *one)
    jobs = wait_until(lambda: components(cluster, leader), "its components")
    running(cluster, *jobs)
    winner = for_node(cluster, "n2", "top")
    if partition == "slept":
        stays_pending(cluster, winner)
        running(cluster, *jobs)
        return
    running(cluster, winner)
    for job in jobs:
        if partition == "killed":
            cluster.wait_state(job, "PREEMPTED")
        else:
            wait_until(lambda job=job: cluster.job(job).state == "PENDING", "it waits again")
            assert cluster.job(job).fields["Restarts"] != "0"


def test_off(cluster):
    """A partition whose jobs nobody preempts."""
    victim = on_node(cluster, "n1", "safe")
    winner = for_node(cluster, "n1", "top")
    stays_pending(cluster, winner)
    assert cluster.job(victim).state == "RUNNING"


def test_interactive_jobs_are_cancelled(cluster):
    """PreemptMode REQUEUE ends a job that cannot be requeued."""
    victim = on_node(cluster, "n1", "low", "--no-requeue")
    winner = for_node(cluster, "n1", "top")
    running(cluster, winner)
    cluster.wait_state(victim, "PREEMPTED")


def test_grace_time(cluster):
    """The victim gets SIGTERM and its grace time; the preemptor keeps the node from then on, and
    checkjob says for whom it waits, and until when."""
    victim = on_node(cluster, "n1", "grace", command="trap : TERM; while :; do sleep 1; done")
    begin = time.time()
    winner = for_node(cluster, "n1", "top")


    def look():
        job = json.loads(cluster.maui("checkjob", "--json", str(winner)).stdout)["job"]
        assert begin + 7 <= job["expected_start"] <= begin + 12, job
        assert [line for line in job["reasons"] if line.startswith("jobs that go for it: %d, "
                                                                   % victim)], job
        return True
    wait_until(look, "checkjob names the victim and the end of its grace time")
    assert cluster.job(victim).state == "RUNNING"
    other = cluster.sbatch("-t1", "-n4", "-w", "n1", "-p", "mid")
    cluster.wait_state(victim, "PENDING")
    assert time.time() - begin >= 7
    running(cluster, winner)
    assert cluster.job(other).state == "PENDING"


def test_cheapest_first(cluster):
    """The lowest tier goes first, then the job with the fewest nodes, and no more than needed."""
    dear = on_node(cluster, "n1", "mid")
    wide = cluster.sbatch("-t9", "-N2", "--exclusive", "-p", "low", "-w", "n[2-3]")
    small = on_node(cluster, "n4", "low")
    running(cluster, wide)
    winner = cluster.sbatch("-t5", "-n4", "-p", "top")
    running(cluster, winner)
    assert nodes_of(cluster, winner) == ["n4"]
    assert cluster.job(small).state == "PENDING"
    assert cluster.job(wide).state == cluster.job(dear).state == "RUNNING"
    second = cluster.sbatch("-t5", "-N2", "--exclusive", "-p", "top")
    running(cluster, second)
    assert cluster.job(wide).state == "PENDING" and cluster.job(dear).state == "RUNNING"


def test_nobody_goes_while_nodes_are_idle(cluster):
    victim = on_node(cluster, "n1", "low")
    winner = cluster.sbatch("-t5", "-n4", "-p", "top")
    running(cluster, winner)
    assert cluster.job(victim).state == "RUNNING"


def test_no_vain_preemption(cluster):
    """A start that the plan makes without a preemption preempts nobody, even if Slurm refuses
    it; and a victim goes only where the job could start then."""
    victim = on_node(cluster, "n1", "low")
    impossible = cluster.sbatch("-t5", "-n4", "-w", "n1", "-p", "top", "--mem=3999",
                                "--begin=now+1")
    running(cluster, impossible)
    assert cluster.job(victim).state == "PENDING"
    cluster.cancel_all()
    victim = on_node(cluster, "n1", "low")
    cluster.drain()
    try:
        winner = for_node(cluster, "n1", "top")
        stays_pending(cluster, winner)
        assert cluster.job(victim).state == "RUNNING"
    finally:
        cluster.undrain()
    running(cluster, winner)


def test_behind_a_blocked_job(cluster):
    """A preemptor preempts although a job ahead of it waits, but not the job's nodes."""
    held = [on_node(cluster, node, "safe") for node in ("n1", "n2")]
    victim = on_node(cluster, "n3", "low")
    blocked = cluster.sbatch("-t5", "-N2", "--exclusive", "-p", "top", "-w", "n[1-2]")
    stays_pending(cluster, blocked)
    winner = cluster.sbatch("-t5", "-n4", "-w", "n3", "-p", "mid")
    running(cluster, winner)
    assert cluster.job(victim).state == "PENDING"
    assert all(cluster.job(job).state == "RUNNING" for job in held)


@pytest.fixture(scope="module")
def by_qos(clusters):
    cluster = with_database(clusters, CFG, """
SchedulerType=sched/maui
PreemptType=preempt/qos
PreemptMode=REQUEUE
PreemptExemptTime=0
AccountingStorageEnforce=associations,limits,qos
NodeName=n[1-4] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""", nodes=4)
    for qos, what in (("low", "priority=1"), ("young", "preemptexempttime=00:00:15"),
                      ("high", "preempt=low,young"), ("same", "preemptmode=within,requeue")):
        cluster.sacctmgr("add", "qos", qos)
        cluster.sacctmgr("modify", "qos", qos, "set", what)
    cluster.sacctmgr("add", "account", "phys")
    cluster.sacctmgr("add", "user", "steve", "account=phys", "qos=normal,low,young,high,same")
    return cluster


@pytest.fixture
def qos_cluster(by_qos):
    yield by_qos
    by_qos.cancel_all()


def test_qos(qos_cluster):
    """A QOS preempts jobs of the QOS in its Preempt list, and no others."""
    cluster = qos_cluster
    victim = on_node(cluster, "n1", "main", "--qos=low")
    normal = on_node(cluster, "n2", "main", "--qos=normal")
    waits = for_node(cluster, "n2", "main", "--qos=high")
    winner = for_node(cluster, "n1", "main", "--qos=high")
    running(cluster, winner)
    stays_pending(cluster, waits)
    assert cluster.job(victim).state == "PENDING"
    assert cluster.job(normal).state == "RUNNING"


def test_exempt_time(qos_cluster):
    """Nobody preempts a job for the first 15 seconds."""
    cluster = qos_cluster
    victim = on_node(cluster, "n1", "main", "--qos=young")
    begin = time.time()
    winner = for_node(cluster, "n1", "main", "--qos=high")
    wait_iterations(cluster)
    assert cluster.job(victim).state == "RUNNING"
    running(cluster, winner)
    assert time.time() - begin >= 13


def test_within(qos_cluster):
    """A job of higher priority preempts one of its own QOS."""
    cluster = qos_cluster
    if SLURM < (23, 2):
        pytest.skip("WITHIN is of later releases")
    victim = on_node(cluster, "n1", "main", "--qos=same", "--priority=100")
    lower = for_node(cluster, "n1", "main", "--qos=same", "--priority=50")
    stays_pending(cluster, lower)
    higher = for_node(cluster, "n1", "main", "--qos=same", "--priority=200")
    running(cluster, higher)
    assert cluster.job(victim).state == "PENDING"


@pytest.mark.skipif(SLURM[:2] < (24, 11), reason="reclaim_licenses is of later releases")
def test_a_licence_of_a_job_elsewhere(clusters):
    """The job that has it runs on nodes that the preemptor cannot use."""
    cluster = clusters(CFG, CONF.replace("PreemptMode=REQUEUE\n", "PreemptMode=REQUEUE\n"
                                         "PreemptParameters=reclaim_licenses\nLicenses=lic:1\n", 1),
                       nodes=4)
    holder = on_node(cluster, "n1", "low", "-L", "lic")
    other = on_node(cluster, "n3", "low")
    winner = for_node(cluster, "n2", "top", "-L", "lic")
    running(cluster, winner)
    assert cluster.job(holder).state == "PENDING" and cluster.job(other).state == "RUNNING"
