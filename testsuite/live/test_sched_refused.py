# SPDX-License-Identifier: GPL-2.0-or-later
"""Starts that Slurm refuses, and limits that are not the job's own.

The plan counts processors; how many sockets a job wants is Slurm's matter. So sockets make a plan
that Slurm refuses, whenever a test wants one.

Rules: PRIO-18, BF-12, BF-26, BF-27.
"""

import re

import pytest
from cluster import SLURM, wait_until
from starts import CFG, CONF, nodes_of, running, wait_iterations

SOCKETS = """
SchedulerType=sched/maui
NodeName=n1 CPUs=4 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=4000
NodeName=n2 CPUs=4 Sockets=2 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
HALF = """
SchedulerType=sched/maui
NodeName=n1 CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
LIMITS = """
SchedulerType=sched/maui
NodeName=n[1-2] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=20 State=UP
"""
SHORT = LIMITS.replace("MaxTime=20", "MaxTime=20 DefaultTime=3")
FEATURES = """
SchedulerType=sched/maui
NodeName=n[1-2] CPUs=4 CoresPerSocket=4 RealMemory=4000 Features=slow
NodeName=n3 CPUs=4 CoresPerSocket=4 RealMemory=4000 Features=blue,fast
NodeName=n4 CPUs=4 CoresPerSocket=4 RealMemory=4000 Features=blue
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
BOTH_SOCKETS = ["-N1", "-n2", "--mem=10", "--sockets-per-node=2", "--ntasks-per-socket=1"]


# ---- for now, not for good ----

@pytest.mark.skipif(SLURM >= (24, 11), reason="sbatch refuses these counts")
def test_counts_of_features_wait_for_the_node_that_has_them(own_cluster):
    """Slurm calls all nodes unfit while the one with both features is busy."""
    cluster = own_cluster(CFG, FEATURES, nodes=4)
    job = cluster.sbatch("-t5", "-H", "--exclusive", "--constraint=blue*1&fast*1")
    busy = cluster.sbatch("-t5", "-w", "n3", "--exclusive")
    running(cluster, busy)
    cluster.scontrol("release", str(job))
    wait_iterations(cluster, 3)
    seen = cluster.job(job)
    assert seen.state == "PENDING" and seen.priority > 0 and seen.reason != "BadConstraints"
    cluster.run("scancel", str(busy))
    running(cluster, job)
    assert nodes_of(cluster, job) == ["n3"]


# ---- limits ----

def test_the_class_gives_the_limit(own_cluster):
    """CLASSCFG DEFAULT.WCLIMIT: a job without --time starts, with that as its limit."""
    cluster = own_cluster(CFG + "CLASSCFG[main] DEFAULT.WCLIMIT=00:15:00\n", LIMITS, nodes=2)
    job = cluster.sbatch("-n1")
    own = cluster.sbatch("-n1", "-t2")
    tasks = cluster.sbatch("-n1", "--array=1-2")
    running(cluster, job, own)
    assert cluster.job(job).limit == 15 * 60
    assert cluster.job(own).limit == 2 * 60

    def look():
        jobs = [seen for seen in cluster.jobs().values() if seen.array_id == tasks]
        assert [seen.state for seen in jobs] == ["RUNNING"] * 2, jobs
        return [seen.limit for seen in jobs]
    assert wait_until(look, "both tasks run") == [15 * 60] * 2


def test_the_class_gives_no_more_than_the_partition_allows(own_cluster):
    cluster = own_cluster(CFG + "CLASSCFG[main] DEFAULT.WCLIMIT=01:00:00\n", LIMITS, nodes=2)
    job = cluster.sbatch("-n1")
    running(cluster, job)
    assert cluster.job(job).limit == 20 * 60


def test_a_job_gets_at_least_its_minimum(own_cluster):
    """--time is more than MaxTime, --time-min is not: never less than the latter, and what the
    plan has counted with."""
    cluster = own_cluster(CFG, SHORT, nodes=2)
    job = cluster.sbatch("-n1", "-t60", "--time-min=10")
    running(cluster, job)
    assert cluster.job(job).limit == 20 * 60


# ---- nodes that Slurm does not take ----

def test_a_node_that_does_not_serve(own_cluster):
    """The plan takes n1 first, which has one socket: the job starts on n2 at once, and is not set
    aside for DEFERTIME."""
    cluster = own_cluster(CFG + "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n", SOCKETS, nodes=2)
    plain = cluster.sbatch("-N1", "-n2", "-t5", "--mem=10", command="true")
    cluster.wait_over(plain)
    assert nodes_of(cluster, plain) == ["n1"], "where the plan puts a job of two processors"
    job = cluster.sbatch("-t5", *BOTH_SOCKETS)
    seen, = running(cluster, job)
    assert nodes_of(cluster, job) == ["n2"]
    assert seen.start - seen.submit <= 3
    assert "deferred" not in cluster.log_since()
    second = cluster.sbatch("-t5", *BOTH_SOCKETS)
    seen, = running(cluster, second)
    assert nodes_of(cluster, second) == ["n2"] and seen.start - seen.submit <= 3


@pytest.fixture
def half(own_cluster):
    """One node, one of its two sockets taken: four processors are free, in one socket."""
    cluster = own_cluster(CFG, HALF, nodes=1)
    block = cluster.sbatch("-n4", "-N1", "-t60", "--mem=1000", "-m", "block:block",
                           "--ntasks-per-socket=4")
    running(cluster, block)
    cluster.drain()
    return cluster, block


def submit_many(cluster, count, *options):
    """Equal jobs, all from one shell: quicker."""
    command = " ".join(["sbatch", "--parsable", "--chdir=/tmp", "--output=/dev/null",
                        "--uid=steve", "--gid=science", *options, "--wrap='sleep 600'"])
    text = cluster.run("bash", "-c", "for i in $(seq %d); do %s; done" % (count, command),
                       timeout=300).stdout
    return [int(word) for word in text.split()]


def test_refused_jobs_delay_no_other_job(half):
    """Sixty jobs that want both sockets, and a small one of lower priority."""
    cluster, block = half
    top = submit_many(cluster, 60, "-t5", "--priority=5000", *BOTH_SOCKETS)
    low = cluster.sbatch("-n1", "-t5", "--mem=10", "--priority=10")
    mark = cluster.log_size()
    cluster.undrain()
    running(cluster, low)
    refusals = re.findall(r"slurm-maui: .* does not start", cluster.log_since(mark))
    assert 0 < len(refusals) <= 10, "equal jobs are refused together"
    # and they get their turn when there is room
    cluster.run("scancel", str(block))
    running(cluster, top[0])


@pytest.mark.slow
def test_refused_jobs_of_many_kinds_delay_no_other_user(half):
    """More kinds than the tries of all cycles: the jobs of others start, also one for which Slurm
    chooses the nodes."""
    cluster, _ = half
    command = " ".join(cluster.sbatch_command("-t5", "--priority=5000", *BOTH_SOCKETS, "--mem=$i"))
    command = command.replace("--wrap=sleep 600", "--wrap='sleep 600'")
    cluster.run("bash", "-c", "for i in $(seq 700); do %s & ((i %% 8)) || wait; done; wait" % command,
                timeout=600)
    cluster.undrain()
    wait_iterations(cluster, 20)
    small = cluster.sbatch("-n1", "-t5", "--mem=10", "--priority=10", user="amy")
    socket = cluster.sbatch("-n1", "-c2", "-N1", "-B1:2", "-t5", "--mem=10", "--priority=5",
                            user="bob")
    for seen in running(cluster, small, socket):
        assert seen.start - seen.submit <= 15, seen


def test_a_refused_job_is_reserved_for(half):
    """What it needs when the socket is free again is not given away for longer than until then."""
    cluster, block = half
    top = cluster.sbatch("-t5", "--priority=5000", *BOTH_SOCKETS, "--mem=2500")
    low = cluster.sbatch("-n1", "-t120", "--mem=1600", "--priority=10")
    short = cluster.sbatch("-n1", "-t5", "--mem=1400", "--priority=9")
    cluster.undrain()
    running(cluster, short)
    wait_iterations(cluster)
    assert cluster.job(top).state == cluster.job(low).state == "PENDING"
    cluster.run("scancel", str(block), str(short))
    running(cluster, top)


UNEQUAL = """
SchedulerType=sched/maui
GresTypes=gpu
NodeName=n[1-2] CPUs=4 CoresPerSocket=4 RealMemory=4000 Gres=gpu:2
NodeName=n[3-4] CPUs=4 CoresPerSocket=4 RealMemory=4000 Gres=gpu:4
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def test_gpus_of_unequal_nodes(own_cluster):
    """--gpus=12 needs all of 2, 2, 4 and 4 GPUs: Slurm chooses, once the one GPU is free that
    another job has."""
    cluster = own_cluster(CFG, UNEQUAL, nodes=4, files={
        "gres.conf": "NodeName=n[1-2] Name=gpu File=%DEVICES/gpu[0-1]\n"
                     "NodeName=n[3-4] Name=gpu File=%DEVICES/gpu[0-3]\n"})
    first = cluster.sbatch("-t1", "-n1", "--gpus=1", "-w", "n3")
    running(cluster, first)
    all_of_them = cluster.sbatch("-t5", "--gpus=12", "--priority=5000")
    wait_iterations(cluster)
    assert cluster.job(all_of_them).state == "PENDING"
    assert "never fits" not in cluster.maui("why", str(all_of_them)).stdout
    cluster.run("scancel", str(first))
    running(cluster, all_of_them)
    assert nodes_of(cluster, all_of_them) == ["n1", "n2", "n3", "n4"]


# ---- changed meanwhile ----

def test_part_of_an_array_is_out_of_date(own_cluster):
    """Tasks of one array are placed on a node that is drained while others start: the rest
    starts, no task is lost and none starts twice."""
    cluster = own_cluster(CFG, CONF, nodes=4)
    for _ in range(5):
        array = cluster.sbatch("-t1", "-n1", "--array=1-16", command="sleep 1")
        cluster.scontrol("update", "nodename=n1", "state=drain", "reason=test")
        cluster.undrain()

        def look(array=array):
            tasks = [seen for seen in cluster.jobs().values() if seen.array_id == array]
            assert len(tasks) == 16 and all(seen.state == "COMPLETED" for seen in tasks), tasks
            return True
        wait_until(look, "all tasks through", seconds=240)


MIXED = """
SchedulerType=sched/maui
SelectTypeParameters=CR_Core_Memory
NodeName=n1 CPUs=8 Sockets=1 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=4000
NodeName=n2 CPUs=4 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=4000
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""


@pytest.mark.parametrize("options, nodes", [
    (("-w", "n2", "-N1", "-n4", "--ntasks-per-core=1"), ["n2"]),
    (("-w", "n2", "-N1", "-n4", "--hint=nomultithread"), ["n2"]),
    (("-N2", "-n8", "--hint=nomultithread"), ["n1", "n2"]),
])
def test_a_thread_a_core_where_nodes_differ(own_cluster, options, nodes):
    """On a node without second threads a task of one thread a core takes one processor."""
    cluster = own_cluster(CFG, MIXED, nodes=2)
    job = cluster.sbatch("-t5", "--mem=100", *options, command="sleep 600")
    running(cluster, job)
    assert sorted(nodes_of(cluster, job)) == nodes
