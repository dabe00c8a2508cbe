# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs on nodes that are reserved in part, by reservations or job reservations: Slurm deals a job's
tasks out over its
nodes itself, and shall leave what is not for the job.

Rules: RSV-35.
"""

import re

import pytest
from cluster import wait_until
from starts import CFG, CONF, expand, nodes_of, running, stays_pending, tasks_of
from windows import mirrors, wait_showres

# bob has one processor of n1, three of n2, all of n3 and n4
KEPT = """
SRCFG[three] HOSTLIST=n1 TASKCOUNT=3 RESOURCES=PROCS:1 PERIOD=INFINITY USERLIST=amy
SRCFG[one] HOSTLIST=n2 TASKCOUNT=1 RESOURCES=PROCS:1 PERIOD=INFINITY USERLIST=amy
"""
ROOM = {"n1": 1, "n2": 3, "n3": 4, "n4": 4}


@pytest.fixture(scope="module")
def whole(clusters):
    yield clusters(CFG + KEPT, CONF, nodes=4)


def taken(cluster, job):
    """{node: processors} of the job."""
    text = cluster.scontrol("show", "job", "-d", "-o", str(job)).stdout
    counts = {}
    for nodes, ids in re.findall(r" Nodes=(\S+) CPU_IDs=(\S+)", text):
        ends = [[int(end) for end in part.split("-")] for part in ids.split(",")]
        for node in expand(cluster, nodes):
            counts[node] = sum(end[-1] - end[0] + 1 for end in ends)
    return counts


def starts(cluster, *options, user="bob", **keywords):
    job = cluster.sbatch("-t30", *options, user=user, **keywords)
    running(cluster, job)
    return job


def all_three(cluster):
    """Waits for the first iteration with the reservations."""
    with open(cluster.maui_cfg, encoding="utf-8") as file:
        changed = KEPT not in file.read()
    if changed:
        cluster.reconfigure(CFG + KEPT)
    wait_showres(cluster, "three.0", lambda row: row["procs"] == 3)
    wait_showres(cluster, "one.0", lambda row: row["procs"] == 1)


@pytest.mark.parametrize("options,total", [
    (("-n12",), 12),
    (("-n10", "-N3"), 10),
    (("-n9", "-N2-3"), 9),
    (("-n8", "-w", "n1,n2"), 8),
    (("-n5", "-c2"), 10),
    (("-N3", "--ntasks-per-node=3"), 9),
    (("-N4", "-n4"), 4),
    (("-N2", "--exclusive"), 8),
])
def test_reserved_processors_stay_free(cluster, options, total):
    """No form of request takes reserved processors, and amy gets hers."""
    all_three(cluster)
    job = starts(cluster, *options)
    got = taken(cluster, job)
    assert sum(got.values()) == total
    assert all(count <= ROOM[node] for node, count in got.items()), got
    starts(cluster, "-n3", "-N1", "-w", "n1", user="amy")
    starts(cluster, "-n1", "-w", "n2", user="amy")


def test_reserved_processors_for_an_admitted_job(cluster):
    all_three(cluster)
    assert taken(cluster, starts(cluster, "-n16", user="amy")) == dict.fromkeys(ROOM, 4)


def test_tasks_of_an_array(cluster):
    """Tasks of an array planned together run side by side; the pending rest of the array keeps
    nothing of the start."""
    all_three(cluster)
    array = cluster.sbatch("-t30", "-n6", "--array=1-3", user="bob")
    wait_until(lambda: sorted(job.state for job in tasks_of(cluster, array)) ==
               ["PENDING", "RUNNING", "RUNNING"], "two tasks run")
    on = [taken(cluster, job.id) for job in tasks_of(cluster, array) if job.state == "RUNNING"]
    assert {node: sum(got.get(node, 0) for got in on) for node in ROOM} == ROOM
    rest = [job for job in tasks_of(cluster, array) if job.state == "PENDING"]
    assert "Reservation" not in rest[0].fields
    stays_pending(cluster, rest[0].id)


def test_a_step_over_all(cluster):
    """A job keeps its request and its allocation; steps find their processors."""
    all_three(cluster)
    job = starts(cluster, "-n12", command="srun -n12 sleep 600")
    fields = cluster.job(job).fields
    assert fields["NumTasks"] == "12" and fields["NtasksPerN:B:S:C"] == "0:0:*:*"
    assert "Reservation" not in fields
    assert set(mirrors(cluster)) == {"maui.three.0", "maui.one.0"}

    def look():
        line = cluster.scontrol("show", "step", "-o", "%d.0" % job).stdout
        assert "State=RUNNING" in line and "Nodes=4 " in line and "Tasks=12 " in line, line
        return True
    wait_until(look, "the step runs")


def test_reserved_memory(cluster):
    """Reserved memory stays free, so the processors that would need it idle."""
    cluster.reconfigure(CFG + "SRCFG[mem] HOSTLIST=n1 TASKCOUNT=1 RESOURCES=PROCS:1;MEM:3000 "
                        "PERIOD=INFINITY USERLIST=amy\n")
    wait_showres(cluster, "mem.0", lambda row: row["procs"] == 1)
    got = taken(cluster, starts(cluster, "-n13", "--mem-per-cpu=900"))
    assert got == {"n1": 1, "n2": 4, "n3": 4, "n4": 4}
    starts(cluster, "-n1", "-w", "n1", "--mem=3000", user="amy")


def test_job_reservation_in_part(cluster):
    """Without reservations of maui.cfg: a job that fits beside a job reservation leaves its
    processors on each node."""
    cluster.reconfigure(CFG + "RESERVATIONDEPTH 1\n")
    first = cluster.sbatch("-t5", "-N2", "--exclusive", "-w", "n3,n4")
    running(cluster, first)
    top = cluster.sbatch("-t30", "-N4", "--ntasks-per-node=3", "--priority=1000")
    stays_pending(cluster, top)
    low = starts(cluster, "-n2", "--priority=1")
    assert taken(cluster, low) == {"n1": 1, "n2": 1}
    stays_pending(cluster, top)
    cluster.run("scancel", str(first))
    running(cluster, top)
    assert nodes_of(cluster, top) == list(ROOM)


# ---- whole cores, sockets, nodes ----

THREADS = """
SchedulerType=sched/maui
SelectTypeParameters=%s
NodeName=n[1-2] CPUs=8 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
LONE = "SRCFG[lone] HOSTLIST=n1 TASKCOUNT=1 RESOURCES=PROCS:2 PERIOD=INFINITY PROCLIMIT=1\n"
HALF = "SRCFG[half] HOSTLIST=n1 TASKCOUNT=3 RESOURCES=PROCS:1 PERIOD=INFINITY USERLIST=amy\n"


@pytest.mark.parametrize("counted", ["CR_Core", "CR_Socket"])
def test_whole_cores(own_cluster, counted):
    """Three of eight processors are reserved: in whole cores or sockets half a node remains. A job
    that asked for one processor and got more meets a PROCLIMIT of one."""
    cluster = own_cluster(CFG + HALF, THREADS % counted, nodes=2)
    wait_showres(cluster, "half.0")
    got = taken(cluster, starts(cluster, "-n12"))
    assert got == {"n1": 4, "n2": 8}
    starts(cluster, "-n3", "-N1", "-w", "n1", user="amy")
    cluster.cancel_all()
    cluster.reconfigure(CFG + LONE)
    wait_showres(cluster, "lone.0", lambda row: row["used_procs"] == 0)
    starts(cluster, "-n1", "-w", "n1")
    wait_showres(cluster, "lone.0", lambda row: row["used_procs"] == 2)


def test_whole_nodes_only(own_cluster):
    """select/linear allocates whole nodes: a job that is not admitted runs on other nodes."""
    select = "SelectType=select/linear\nSelectTypeParameters=CR_Memory\n"
    cluster = own_cluster(CFG + HALF, CONF + select, nodes=4)
    wait_showres(cluster, "half.0")
    job = starts(cluster, "-n12", "--mem=100")
    assert nodes_of(cluster, job) == ["n2", "n3", "n4"]
