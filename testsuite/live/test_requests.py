# SPDX-License-Identifier: GPL-2.0-or-later
"""What jobs can ask for: what Slurm's own schedulers start on an idle cluster starts here as well.

Rules: BF-28, BF-29, BF-32.
"""

import pytest
from cluster import SLURM, wait_until
from starts import CFG, expand, nodes_of, running, stays_pending

CONF = """
SchedulerType=sched/maui
GresTypes=gpu
AllowSpecResourcesUsage=yes
DefMemPerCPU=100
Licenses=red:1,blue:1
NodeName=n[1-2] CPUs=8 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 RealMemory=4000 Gres=gpu:2 Feature=old
NodeName=n[3-4] CPUs=8 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 RealMemory=4000 Gres=gpu:4 Feature=new
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=few Nodes=ALL MaxNodes=1 MaxTime=INFINITE State=UP
PartitionName=pairs Nodes=ALL MinNodes=2 MaxTime=INFINITE State=UP
PartitionName=thin Nodes=ALL MaxCPUsPerNode=2 MaxTime=INFINITE State=UP
PartitionName=old Nodes=n[1-2] MaxTime=INFINITE State=UP
PartitionName=new Nodes=n[3-4] MaxTime=INFINITE State=UP
"""
GRES = """
NodeName=n[1-2] Name=gpu File=%DEVICES/gpu[0-1]
NodeName=n[3-4] Name=gpu File=%DEVICES/gpu[0-3]
"""


@pytest.fixture(scope="module")
def whole(clusters):
    return clusters(CFG, CONF, nodes=4, files={"gres.conf": GRES})


@pytest.mark.parametrize("nodes,options", [
    (1, ["-N1", "-n1", "--gpus-per-node=1", "--gpus-per-task=1"]),
    (1, ["-N1", "-n2", "--gpus-per-node=4", "--gpus-per-task=2"]),
    (4, ["--gpus=12"]),
    (2, ["-n2", "--gpus=6", "-w", "n1,n3"]),
    (3, ["--gpus=5", "-w", "n[1-2]"]),
    (2, ["--gpus=2", "--mem-per-gpu=2500"]),
    (2, ["--gpus=4", "--cpus-per-gpu=4", "-w", "n3,n4"]),
    (1, ["-N1", "-S1", "-n6"]),
    (1, ["-N1", "-S0", "-n8"]),
    (1, ["-N1", "--thread-spec=1", "-n6"]),
    (2, ["-S1", "-n7", "-w", "n1,n2"]),
    (1, ["-N1", "-n8", "-B", "2:2:2"]),
    (1, ["-N1", "--sockets-per-node=2", "--gpus-per-socket=1"]),
    (1, ["-N1", "--sockets-per-node=2", "--gpus-per-socket=2", "-C", "[old|new]"]),
    (1, ["-N1", "--gres=gpu:1", "--gres-flags=enforce-binding"]),
    (2, ["-n4", "--ntasks-per-socket=1", "-N2"]),
], ids=lambda value: " ".join(value) if isinstance(value, list) else None)
def test_starts_on_an_idle_cluster(cluster, nodes, options):
    job = cluster.sbatch("-t5", *options)
    running(cluster, job)
    assert len(nodes_of(cluster, job)) == nodes


@pytest.mark.parametrize("partition,nodes,options", [
    ("main", 2, ["-n12", "-pfew,main"]),
    pytest.param("few", 1, ["-n7", "-pfew,main"], marks=pytest.mark.skipif(
        SLURM >= (26, 5), reason="in main, as under Slurm's own schedulers")),
    # Slurm never starts it in the first one, since 25.11 in no partition
    pytest.param("main", 1, ["-n1", "--ntasks-per-node=4", "--nodelist=n1,n2", "-pthin,main"],
                 marks=pytest.mark.skipif(SLURM >= (25, 11), reason="no partition is fit")),
    ("main", 1, ["-n1", "-N1", "-ppairs,main"]),
    ("new", 2, ["--gpus=5", "-pold,new"]),
    ("old", 2, ["--gpus=3", "-pold,new"]),
], ids=lambda value: " ".join(value) if isinstance(value, list) else None)
def test_each_partition_of_a_list_by_its_own_bounds(cluster, partition, nodes, options):
    """The first partition that can have the job, with its own MinNodes, MaxNodes and GPUs."""
    job = cluster.sbatch("-t5", *options)
    seen, = running(cluster, job)
    assert seen.partitions == [partition]
    assert len(nodes_of(cluster, job)) == nodes


@pytest.mark.parametrize("gpus,fits", [(7, True), (8, False)])
def test_uneven_gpus_fit(cluster, gpus, fits):
    """maui fits says of GPUs that Slurm deals unevenly what their start shows."""
    first = cluster.sbatch("-t5", "-n1", "--gpus=1", "-w", "n3", "-pnew")
    running(cluster, first)
    words = ["-n2", "-t5", "--gpus=%d" % gpus, "-pnew"]
    wait_until(lambda: ("new: %s" % ("yes" if fits else "no")) in
               cluster.run("maui", "fits", *words).stdout, "maui fits knows the first job")
    job = cluster.sbatch(*words)
    if fits:
        running(cluster, job)
    else:
        stays_pending(cluster, job)


def test_another_partition_has_its_turn(clusters):
    """In the first one Slurm 25.05 and 25.11 find no nodes, at every try."""
    cluster = clusters(CFG, """
SchedulerType=sched/maui
NodeName=n[1-2] CPUs=4 CoresPerSocket=4 RealMemory=2000 Weight=2
NodeName=n3 CPUs=8 Sockets=2 CoresPerSocket=4 RealMemory=8000 Weight=9
NodeName=n4 CPUs=2 CoresPerSocket=2 RealMemory=1000 Weight=1
PartitionName=few Nodes=ALL MaxTime=10 State=UP MaxNodes=2 MaxCPUsPerNode=2
PartitionName=lean Nodes=ALL MaxTime=INFINITE State=UP MaxMemPerNode=2000 DefMemPerNode=500
""", nodes=4)
    job = cluster.sbatch("-t5", "--ntasks-per-socket=1", "--spread-job", "-pfew,lean")
    seen, = running(cluster, job)
    assert seen.partitions == (["lean"] if (25, 5) <= SLURM < (26, 5) else ["few"])


@pytest.mark.parametrize("options", [
    ["--gpus=13"],
    ["-N3", "--gpus=12"],
    ["-w", "n[1-2]", "-N2", "--gpus=5"],
], ids=" ".join)
def test_more_gpus_than_there_are(cluster, options):
    """Such a job does not start, whether slurmctld refuses it at once or holds it later."""
    said = cluster.run(*cluster.sbatch_command("-t5", *options), check=False)
    if said.returncode == 0:
        stays_pending(cluster, int(said.stdout.split(";")[0]))


@pytest.mark.parametrize("taken,options", [
    (["-n1"], ["--gpus=7"]),
    (["-n1"], ["-n2", "--gpus=6", "--cpus-per-gpu=1"]),
    (["-n3"], ["--gpus=3", "--cpus-per-gpu=3"]),
    (["-n1", "--mem=2500"], ["--gpus=3", "--mem-per-gpu=1500"]),
    (["-n1"], ["-N2", "--sockets-per-node=2", "--gpus-per-socket=2"]),
], ids=lambda value: " ".join(value))
def test_uneven_shares_of_gpus(cluster, taken, options):
    """Slurm takes what is free, on nodes that are alike, too."""
    running(cluster, cluster.sbatch("-t5", "-wn3", "--gpus=1", *taken))
    job = cluster.sbatch("-t5", "-pnew", *options)
    running(cluster, job)
    assert nodes_of(cluster, job) == ["n3", "n4"]


@pytest.mark.parametrize("nodes,options", [
    ("n[3-4]", ["-n1", "--prefer=new", "-C", "old"]),
    ("n[1-2]", ["-n1", "--prefer=old", "-C", "new"]),
    ("n[1-2]", ["-n1", "--prefer=old", "-C", "old&new"]),
], ids=lambda value: " ".join(value) if isinstance(value, list) else None)
def test_preferred_features(cluster, nodes, options):
    """They stand in place of --constraint, as long as they can be had."""
    job = cluster.sbatch("-t5", *options)
    running(cluster, job)
    assert set(nodes_of(cluster, job)) <= set(expand(cluster, nodes))


def test_preferred_features_that_are_taken(cluster):
    running(cluster, cluster.sbatch("-t5", "-N2", "--exclusive", "-pnew"))
    job = cluster.sbatch("-t5", "-n1", "--prefer=new", "-C", "old")
    running(cluster, job)
    assert nodes_of(cluster, job)[0] in ("n1", "n2")


@pytest.mark.skipif(SLURM < (25, 5), reason="no alternatives of licences")
def test_one_of_several_licences(cluster):
    """The first job has one of the two licences, the second one has the other; the third waits."""
    running(cluster, *[cluster.sbatch("-t5", "-n1", "-L", "red|blue") for _ in range(2)])
    stays_pending(cluster, cluster.sbatch("-t5", "-n1", "-L", "red|blue"))


# ---- Slurm reservations ----

def reserve(cluster, name, *options):
    cluster.scontrol("create", "reservation", "reservationname=" + name, *options)


@pytest.fixture
def reservations(cluster):
    yield cluster
    cluster.cancel_all()
    for name in cluster.reservations():
        cluster.scontrol("delete", "reservationname=" + name, check=False)


@pytest.mark.parametrize("limit", [["-t60"], [], ["-t60", "--time-min=1"]], ids=" ".join)
def test_a_limit_beyond_the_end_of_the_reservation(reservations, limit):
    """Slurm starts such a job, and ends it with the reservation. A job that has no limit, or whose
    limit is fixed, keeps it."""
    cluster = reservations
    reserve(cluster, "lab", "users=steve", "nodes=n1", "starttime=now", "duration=10")
    job = cluster.sbatch("-n1", "--reservation=lab", *limit)
    seen, = running(cluster, job)
    assert nodes_of(cluster, job) == ["n1"]
    assert seen.limit == (None if not limit else 3600 if len(limit) == 1 else seen.limit)


def test_behind_a_job_of_the_reservation(reservations):
    """The rest of the reservation becomes shorter while the job waits: it starts all the same."""
    cluster = reservations
    reserve(cluster, "lab", "users=steve", "nodes=n1", "starttime=now", "duration=10")
    first = cluster.sbatch("-t1", "-N1", "--exclusive", "--reservation=lab")
    running(cluster, first)
    second = cluster.sbatch("-t60", "-N1", "--exclusive", "--reservation=lab")
    stays_pending(cluster, second)
    cluster.run("scancel", str(first))
    running(cluster, second)


def test_a_maintenance_over_a_maintenance(reservations):
    """A job of a MAINT reservation passes others that overlap it, but stays on its nodes."""
    cluster = reservations
    reserve(cluster, "wide", "users=amy", "nodes=n[1-3]", "starttime=now", "duration=60", "flags=maint")
    reserve(cluster, "narrow", "users=steve", "nodes=n2", "starttime=now", "duration=60", "flags=maint")
    job = cluster.sbatch("-t50", "-n1", "--reservation=narrow")
    running(cluster, job)
    assert nodes_of(cluster, job) == ["n2"]
    whole = cluster.sbatch("-t50", "-N1", "--exclusive", "--reservation=narrow")
    stays_pending(cluster, whole)


# ---- features that a reboot changes ----

@pytest.mark.slow
def test_a_feature_that_a_reboot_brings(clusters):
    """Both nodes can have the feature, neither has it: Slurm takes one, and boots it for the job."""
    cluster = clusters(CFG, """
SchedulerType=sched/maui
NodeFeaturesPlugins=node_features/helpers
RebootProgram=/bin/true
ResumeTimeout=300
NodeName=n[1-2] CPUs=4 CoresPerSocket=4 RealMemory=4000 Feature=flat,cache
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""", files={"helpers.conf": "Feature=flat Helper=/bin/true\n"
                              "Feature=cache Helper=/bin/true\n"})
    job = cluster.sbatch("-t5", "-n1", "-C", "flat")
    cluster.wait_state(job, "CONFIGURING", "RUNNING")
    assert len(nodes_of(cluster, job)) == 1


# ---- counts of features ----

RACKS = """
SchedulerType=sched/maui
NodeName=n1 CPUs=4 CoresPerSocket=4 RealMemory=4000 Feature=red,rack1
NodeName=n2 CPUs=4 CoresPerSocket=4 RealMemory=4000 Feature=red,fast,rack1
NodeName=n3 CPUs=4 CoresPerSocket=4 RealMemory=4000 Feature=blue,fast,rack2
NodeName=n4 CPUs=8 CoresPerSocket=8 RealMemory=4000 Feature=blue,rack2
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


OLD_COUNTS = pytest.mark.skipif(SLURM >= (24, 11), reason="Slurm's own schedulers never start it")


@pytest.mark.parametrize("nodes,options", [
    pytest.param(3, ["-N3", "--threads-per-core=1", "-C", "[rack2*1&fast*1]"], marks=OLD_COUNTS),
    pytest.param(3, ["-n16", "--mem=0", "-C", "fast*2"], marks=OLD_COUNTS),
    (3, ["-N3-3", "--ntasks-per-node=3", "-C", "[blue*1&fast*1]"]),
], ids=lambda value: " ".join(value) if isinstance(value, list) else None)
def test_counts_of_features(clusters, nodes, options):
    """Slurm chooses the nodes that make up the counts, with any other request."""
    cluster = clusters(CFG, RACKS, nodes=4)
    job = cluster.sbatch("-t5", *options)
    running(cluster, job)
    assert len(nodes_of(cluster, job)) == nodes
    cluster.cancel_all()


# ---- several jobs a core ----

SHARED = """
SchedulerType=sched/maui
DefMemPerCPU=100
NodeName=n[1-2] CPUs=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=force Nodes=ALL MaxTime=INFINITE State=UP OverSubscribe=FORCE:2
PartitionName=share Nodes=ALL MaxTime=INFINITE State=UP OverSubscribe=YES:2
"""


@pytest.fixture
def shared(clusters):
    cluster = clusters(CFG, SHARED)
    yield cluster
    cluster.cancel_all()


@pytest.mark.parametrize("options", [["-pforce"], ["-pshare", "--oversubscribe"]],
                         ids=lambda options: options[0])
def test_as_many_jobs_a_core_as_slurm_allows(shared, options):
    jobs = [shared.sbatch("-t5", "-n8", *options) for _ in range(3)]
    running(shared, jobs[0], jobs[1])
    alone = shared.sbatch("-t5", "-n1")
    stays_pending(shared, jobs[2], alone)
    shared.run("scancel", *map(str, jobs))
    running(shared, alone)


def test_a_job_that_does_not_share_has_its_cores_alone(shared):
    first, second = (shared.sbatch("-t5", "-n8", "-pshare") for _ in range(2))
    running(shared, first)
    stays_pending(shared, second)
    shared.run("scancel", str(first))
    running(shared, second)
    third = shared.sbatch("-t5", "-n1", "-pshare", "--oversubscribe")
    stays_pending(shared, third)


def test_the_first_reservation_of_a_list_that_has_room(cluster):
    """--reservation=one,two: `one` as long as a node of it is idle, though `two` has more."""
    for name, nodes in (("one", "n[1-2]"), ("two", "n[3-4]")):
        cluster.scontrol("create", "reservation", "reservation=" + name, "nodes=" + nodes,
                         "starttime=now", "duration=60", "users=steve")
    try:
        seen = []
        for _ in range(3):
            job = cluster.sbatch("-t5", "-N1", "--exclusive", "--reservation=one,two")
            running(cluster, job)
            seen += nodes_of(cluster, job)
        assert set(seen[:2]) == {"n1", "n2"} and seen[2] in ("n3", "n4"), seen
    finally:
        cluster.cancel_all()
        for name in ("one", "two"):
            cluster.scontrol("delete", "reservation=" + name)
