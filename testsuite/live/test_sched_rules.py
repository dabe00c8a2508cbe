# SPDX-License-Identifier: GPL-2.0-or-later
"""Each rule of the plan that a user can see: by what starts, where, when, and squeue's REASON.

Rules: PRIO-16, BF-15, BF-16, BF-19.
"""

import re
import time

import pytest
from cluster import wait_until
from starts import (CFG, estimate, fill, iterations, nodes_of, reason, running, stays_pending,
                    wait_estimate, wait_iterations, wait_reason)

# Nodes differ, so that a choice can be seen: n1 has the most of everything, n4 the least.
CONF = """
SchedulerType=sched/maui
GresTypes=widget
NodeName=n1 CPUs=8 CoresPerSocket=8 RealMemory=8000 Features=fast
NodeName=n2 CPUs=4 CoresPerSocket=4 RealMemory=4000 Features=fast
NodeName=n3 CPUs=4 CoresPerSocket=4 RealMemory=4000 Gres=widget:2
NodeName=n4 CPUs=2 CoresPerSocket=2 RealMemory=2000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=small Nodes=n3,n4 MaxTime=INFINITE State=UP
PartitionName=closed Nodes=n1,n2 MaxTime=INFINITE State=UP
"""


@pytest.fixture(scope="module")
def whole(clusters):
    return clusters(CFG, CONF, nodes=4)


def rules(cluster, lines):
    cluster.reconfigure(CFG + lines)
    return cluster


def prio(number):
    return "--priority=%d" % number


# ---- order and backfill ----

def test_priority_order(cluster):
    """Whole machine each; the order of submission is another one."""
    rules(cluster, "")
    block = fill(cluster, "n[1-4]", 5)
    jobs = {number: cluster.sbatch("-t1", "-N4", "--exclusive", prio(number), command="sleep 1")
            for number in (20, 40, 10, 30)}
    cluster.run("scancel", str(block.id))
    cluster.wait_over(*jobs.values())
    times = {number: cluster.job(job).start for number, job in jobs.items()}
    assert sorted(times, key=times.get) == [40, 30, 20, 10], times


def hole(cluster, minutes=4):
    """n1 and n2 busy for some minutes, then a top job that needs all: n3 and n4 are a hole.
    (when it begins, its id)"""
    block = fill(cluster, "n[1-2]", minutes)
    top = cluster.sbatch("-t5", "-N4", "--exclusive", prio(5000))
    return block.start + minutes * 60, top


def test_backfill_fills_a_hole(cluster):
    """A job that ends before the top job begins starts, however low; a longer one waits."""
    rules(cluster, "BACKFILLPOLICY FIRSTFIT\nRESERVATIONDEPTH 1\n")
    begin, top = hole(cluster)
    long = cluster.sbatch("-t60", "-N2", "--exclusive", prio(200))
    short = cluster.sbatch("-t1", "-N2", "--exclusive", prio(100))
    running(cluster, short)
    assert sorted(nodes_of(cluster, short)) == ["n3", "n4"]
    nodes = wait_estimate(cluster, top, begin)
    assert nodes == ["n1", "n2", "n3", "n4"], "SchedNodeList"
    wait_reason(cluster, top, "^Resources")
    assert cluster.job(long).state == "PENDING"


def test_a_reserved_job_starts_when_promised(cluster):
    """The backfilled job is through, the top job's nodes get free: it starts before others."""
    rules(cluster, "")
    _, top = hole(cluster)
    short = cluster.sbatch("-t1", "-N2", "--exclusive", prio(100), command="sleep 1")
    cluster.wait_over(short)
    long = cluster.sbatch("-t60", "-N4", "--exclusive", prio(200))
    for job, seen in cluster.jobs().items():
        if seen.state == "RUNNING":
            cluster.run("scancel", str(job))
    running(cluster, top)
    assert cluster.job(long).state == "PENDING"


def test_without_backfill(cluster):
    rules(cluster, "BACKFILLPOLICY NONE\n")
    _, top = hole(cluster)
    short = cluster.sbatch("-t1", "-N2", "--exclusive", prio(100))
    stays_pending(cluster, top, short)
    wait_reason(cluster, short, "^(Priority|Reserved|Resources)")


@pytest.mark.parametrize("depth,starts", [(1, True), (2, False)])
def test_reservation_depth(cluster, depth, starts):
    """n1 and n2 are busy. The first job will have two whole nodes with four processors, the second
    all nodes after it. A long one on n4 delays the second only."""
    rules(cluster, "RESERVATIONDEPTH %d\n" % depth)
    block = fill(cluster, "n[1-2]", 4)
    first = cluster.sbatch("-t2", "-N2", "--exclusive", "-w", "n1,n2", prio(5000))
    second = cluster.sbatch("-t2", "-N4", "--exclusive", prio(4000))
    wait_estimate(cluster, first, block.start + 240)
    if depth == 2:
        wait_estimate(cluster, second, block.start + 360)
    filler = cluster.sbatch("-t60", "-n1", "-w", "n4", prio(100))
    if starts:
        running(cluster, filler)
    else:
        stays_pending(cluster, filler)
        wait_reason(cluster, filler, "^(Priority|Resources): Reserved")


def test_time_min_shortens_a_job_to_fit(cluster):
    """--time-min: started in the hole with the time that the hole has."""
    rules(cluster, "")
    begin, _ = hole(cluster, minutes=6)
    job = cluster.sbatch("-t60", "--time-min=2", "-N2", "--exclusive", prio(100))
    seen = running(cluster, job)[0]
    assert 120 <= seen.limit <= 6 * 60, "limit %d s" % seen.limit
    assert seen.end <= begin + 1


def test_many_estimates(cluster):
    """Without a reservation a job has an estimate, too."""
    rules(cluster, "")
    begin, _ = hole(cluster)
    behind = cluster.sbatch("-t5", "-N4", "--exclusive", prio(100))

    def look():
        start, _ = estimate(cluster, behind)
        assert start is not None and start >= begin + 295, start
        return True
    wait_until(look, "an estimate after the top job's end")


# ---- number of nodes ----

@pytest.mark.parametrize("policy,options,where", [
    ("EXACTNODE", ["-N1-4", "-n6", "-xn1"], ["n2", "n3"]),
    ("EXACTNODE", ["-N1-4", "-n10"], ["n1", "n2|n3"]),
    ("EXACTPROC", ["-N1-4", "-n8", "-xn1"], ["n2", "n3"]),
    ("EXACTPROC", ["-N1-4", "-n8"], ["n1"]),
])
def test_node_match_with_a_range_of_nodes(cluster, policy, options, where):
    """JOBNODEMATCHPOLICY: the least number of nodes of the range that holds the job exactly."""
    rules(cluster, "JOBNODEMATCHPOLICY %s\n" % policy)
    job = cluster.sbatch("-t5", *options)
    cluster.wait_state(job, "RUNNING")
    got = nodes_of(cluster, job)
    assert len(got) == len(where), got
    assert all(node in allowed.split("|") for node, allowed in zip(got, where)), got


# ---- throttling ----

LIMITS = [
    ("USERCFG[steve] MAXJOB=2", [], "MAXJOB USER steve 2/2 \\((soft|hard)\\)", 2),
    ("USERCFG[DEFAULT] MAXJOB=2", [], "MAXJOB USER steve 2/2 ", 2),
    ("GROUPCFG[science] MAXJOB=1", [], "MAXJOB GROUP science 1/1 ", 1),
    ("ACCOUNTCFG[phys] MAXJOB=1", ["-Aphys"], "MAXJOB ACCOUNT phys 1/1 ", 1),
    ("CLASSCFG[small] MAXJOB=1", ["-psmall"], "MAXJOB CLASS small 1/1 ", 1),
    ("QOSCFG[low] MAXJOB=1", ["--qos=low"], "MAXJOB QOS low 1/1 ", 1),
    ("SYSCFG MAXJOB=2", [], "MAXJOB SYSTEM ALL 2/2 ", 2),
    ("USERCFG[steve] MAXPROC=3", ["-n2"], r"MAXPROC USER steve 2\+2/3 ", 1),
    ("USERCFG[steve] MAXPROC=3", ["--exclusive", "-Cfast"], "MAXPROC USER steve .*4/3 ", 0),
    ("USERCFG[steve] MAXNODE=2", ["-N2", "-n2"], r"MAXNODE USER steve 2\+2/2 ", 1),
    ("USERCFG[steve] MAXPS=150", ["-n2", "-t1"], r"MAXPS USER steve [0-9]+\+120/150 ", 1),
    ("USERCFG[steve] MAXPE=1", ["-n2"], "MAXPE USER steve ", 0),
    ("USERCFG[steve] MAXWC=00:01:30", ["-t1"], "MAXWC USER steve ", 1),
    ("USERCFG[steve] MAXMEM=700", ["--mem=400"], r"MAXMEM USER steve 400\+400/700 ", 1),
    ("USERCFG[steve] MAXMEM=1500", ["--mem=0"], r"MAXMEM USER steve 2000/1500 .*: larger", 0),
    ("CLASSCFG[main] MAXJOB[USER]=1", [], "MAXJOB CLASS main USER steve 1/1 ", 1),
]


# what user steve may hold in all; what one of his jobs asks for, and two are submitted at once
HARD = [
    ("MAXNODE=2", ["-N1-4"]),
    ("MAXNODE=2", ["-N1-4", "-n6"]),
    ("MAXNODE=1", ["-n6"]),
    ("MAXPROC=4", ["-N1-4"]),
    ("MAXPROC=8", ["-N1-4", "--ntasks-per-node=2"]),
    ("MAXPROC=5", ["-n1", "--exclusive"]),
    ("MAXPROC=7", ["-N2", "--exclusive"]),
    ("MAXMEM=2000", ["-N1-4", "--mem=1500"]),
    ("MAXMEM=5000", ["--mem=0"]),
    ("MAXMEM=900", ["--exclusive", "--mem-per-cpu=200"]),
    ("MAXPS=1200", ["-N1-4", "-t5"]),
]


@pytest.mark.parametrize("limit,options", HARD, ids=lambda value: " ".join([value] if
                                                                           isinstance(value, str) else value))
def test_no_way_past_a_hard_limit(cluster, limit, options):
    """On any nodes, and with all that Slurm adds to the request."""
    rules(cluster, "USERCFG[steve] %s\n" % limit)
    jobs = [cluster.sbatch("-t1", *options) for _ in range(2)]
    wait_iterations(cluster, 3)
    held = {"NODE": 0, "PROC": 0, "MEM": 0, "PS": 0}
    for job in jobs:
        seen = cluster.job(job)
        if seen.state != "RUNNING":
            continue
        tres = dict(part.split("=") for part in seen.fields["TRES" if "TRES" in seen.fields else
                                                            "AllocTRES"].split(","))
        held["NODE"] += int(tres["node"])
        held["PROC"] += int(tres["cpu"])
        held["PS"] += int(tres["cpu"]) * seen.limit
        held["MEM"] += int(tres.get("mem", "0M").rstrip("M").replace("G", "000").rstrip("K"))
    name, most = limit[3:].split("=")
    assert 0 < held[name] <= int(most), held


@pytest.mark.parametrize("line,options,pattern,active", LIMITS, ids=[row[0] for row in LIMITS])
def test_a_limit(cluster, line, options, pattern, active):
    """So many run, the next one waits and says why, another user's job that the limit does not
    cover starts; when one ends the next one starts."""
    rules(cluster, line + "\n")
    jobs = [cluster.sbatch("-t1", "-n1", *options) for _ in range(active + 1)]
    running(cluster, *jobs[:active])
    wait_reason(cluster, jobs[-1], pattern)
    if "SYSCFG" not in line and "GROUP" not in line:
        other = cluster.sbatch("-t1", "-n1", user="john")
        running(cluster, other)
    if active:
        cluster.run("scancel", str(jobs[0]))
        running(cluster, jobs[-1])


def test_soft_and_hard(cluster):
    """Over the soft limit, steve's job starts only where no job within its soft limit can use the
    nodes."""
    rules(cluster, "USERCFG[steve] MAXJOB=1,2\n")
    block = fill(cluster, "n1", 5, user="john")
    mine = [cluster.sbatch("-t5", "-n1", "-w", node, prio(1000)) for node in ("n2", "n3")]
    running(cluster, *mine)
    third = cluster.sbatch("-t5", "-n1", "-w", "n4", prio(900))
    wait_reason(cluster, third, r"MAXJOB USER steve (1/1 \(soft\)|2/2 \(hard\))")
    cluster.run("scancel", *[str(job) for job in mine])
    running(cluster, third)
    # one place left: n4 is taken by the third, n1 by the block
    both = fill(cluster, "n[2-3]", 5, user="john")
    waiting = cluster.sbatch("-t5", "-N1", "--exclusive", "-w", "n2", prio(1000))
    amys = cluster.sbatch("-t5", "-N1", "--exclusive", "-w", "n2", prio(10), user="amy")
    stays_pending(cluster, waiting, amys)
    cluster.run("scancel", str(both.id))
    running(cluster, amys)
    assert cluster.job(waiting).state == "PENDING"
    assert cluster.job(block.id).state == "RUNNING"
    wait_until(lambda: "MAXJOB USER steve 1/1 (soft)" in
               cluster.maui("why", str(waiting), check=False).stdout, "the limit is named")


def test_an_idle_limit(cluster):
    """MAXIJOB: the second idle job is not considered; the first is, and has an estimate."""
    rules(cluster, "USERCFG[steve] MAXIJOB=1\nRESERVATIONDEPTH 3\n")
    fill(cluster, "n[1-4]", 5, user="john")
    first = cluster.sbatch("-t5", "-n2", prio(300))
    second = cluster.sbatch("-t5", "-n2", prio(200))
    other = cluster.sbatch("-t5", "-n2", prio(100), user="amy")
    wait_reason(cluster, second, r"MAXIJOB USER steve 1/1 ")
    wait_reason(cluster, first, "^Resources")
    wait_until(lambda: estimate(cluster, other)[0], "an estimate of amy's")


def test_a_fairshare_cap(cluster):
    """One processor-second is all that steve may use."""
    rules(cluster, "FSPOLICY DEDICATEDPS\nUSERCFG[steve] FSTARGET=1^\n")
    used = cluster.sbatch("-t1", "-n1", command="sleep 2")
    cluster.wait_over(used)
    cluster.wait_cycle()
    capped = cluster.sbatch("-t1", "-n1")
    free = cluster.sbatch("-t1", "-n1", prio(1), user="amy")
    running(cluster, free)
    wait_reason(cluster, capped, r"FSTARGET USER steve .*\(cap\)")
    rules(cluster, "")
    running(cluster, capped)


# ---- nodes ----

def test_first_available(cluster):
    rules(cluster, "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n")
    job = cluster.sbatch("-t1", "-n1")
    running(cluster, job)
    assert nodes_of(cluster, job) == ["n1"]


def test_min_resource(cluster):
    rules(cluster, "NODEALLOCATIONPOLICY MINRESOURCE\n")
    small, larger = cluster.sbatch("-t1", "-n1"), cluster.sbatch("-t1", "-N1", "-n3")
    running(cluster, small, larger)
    assert nodes_of(cluster, small) == ["n4"], "the smallest that serves"
    assert nodes_of(cluster, larger)[0] in ("n2", "n3")


def test_node_priority(cluster):
    rules(cluster, "NODEALLOCATIONPOLICY PRIORITY\nNODECFG[n3] PRIORITY=100\n")
    job = cluster.sbatch("-t1", "-n1")
    running(cluster, job)
    assert nodes_of(cluster, job) == ["n3"]


def test_last_available(cluster):
    """The job gets the node that another job needs soonest."""
    rules(cluster, "NODEALLOCATIONPOLICY LASTAVAILABLE\n")
    fill(cluster, "n2", 4)
    top = cluster.sbatch("-t5", "-N2", "--exclusive", "-w", "n2,n3", prio(5000))
    wait_until(lambda: estimate(cluster, top)[1] == ["n2", "n3"], "the top job's reservation")
    job = cluster.sbatch("-t1", "-n1")
    running(cluster, job)
    assert nodes_of(cluster, job) == ["n3"]


def test_single_job_access(cluster):
    """NODEACCESSPOLICY SINGLEJOB: one processor, a whole node."""
    rules(cluster, "NODEACCESSPOLICY SINGLEJOB\n")
    jobs = [cluster.sbatch("-t1", "-n1", prio(100 - number)) for number in range(5)]
    running(cluster, *jobs[:4])
    assert sorted(nodes_of(cluster, job)[0] for job in jobs[:4]) == ["n1", "n2", "n3", "n4"]
    wait_reason(cluster, jobs[4], "^Resources")
    rules(cluster, "")
    running(cluster, jobs[4])


def test_single_user_access(cluster):
    rules(cluster, "NODEACCESSPOLICY SINGLEUSER\n")
    mine = [cluster.sbatch("-t1", "-n1", "-w", "n2") for _ in range(2)]
    running(cluster, *mine)
    other = cluster.sbatch("-t1", "-n1", "-w", "n2", user="amy")
    wait_reason(cluster, other, "^(Priority|Resources)")


# ---- what a job asks for ----

@pytest.mark.parametrize("first,second", [
    (["-w", "n3", "-n1", "--mem=3000"], ["-w", "n3", "-n1", "--mem=2000"]),
    (["-n1", "--gres=widget:2"], ["-n1", "--gres=widget:1"]),
    (["-N2", "-n12", "-C", "fast"], ["-n1", "-C", "fast"]),
    (["-w", "n4", "-N1", "--exclusive"], ["-w", "n4", "-n1"]),
    (["-N3", "--exclusive", "-x", "n1"], ["-n1", "-x", "n1"]),
    (["-N1", "-n4", "-w", "n2", "--cpus-per-task=1"], ["-N1", "-w", "n2", "-n1"]),
], ids=["memory", "gres", "features", "exclusive", "exclude", "processors"])
def test_what_is_taken(cluster, first, second):
    """The first job takes it all; the second waits for it, not for a node as such, and has it next.
    """
    rules(cluster, "")
    holder = cluster.sbatch("-t5", "--mem=100", *first)
    running(cluster, holder)
    job = cluster.sbatch("-t5", "--mem=100", *second)
    wait_reason(cluster, job, "^Resources")
    free = cluster.sbatch("-t5", "-n1", "--mem=100", "-w", "n1" if "n1" not in
                          nodes_of(cluster, holder) else "n4")
    running(cluster, free)
    cluster.run("scancel", str(holder))
    running(cluster, job)


@pytest.mark.parametrize("options,nodes", [
    (["-n1", "-w", "n2"], [["n2"]]),
    (["-n1", "-x", "n1,n2,n4"], [["n3"]]),
    (["-n1", "-C", "fast", "-x", "n1"], [["n2"]]),
    (["-n1", "--gres=widget:1"], [["n3"]]),
    (["-n1", "--mem=5000"], [["n1"]]),
    (["-N3", "-n3", "-x", "n4"], [["n1", "n2", "n3"]]),
    (["-N2", "--ntasks-per-node=4", "-x", "n1"], [["n2", "n3"]]),
    (["-N1", "--exclusive", "-C", "fast", "--mem=0", "-x", "n2"], [["n1"]]),
    (["-N2-3", "-n2", "-C", "fast"], [["n1", "n2"]]),
], ids=lambda value: " ".join(value) if isinstance(value[0], str) else "")
def test_where_it_runs(cluster, options, nodes):
    rules(cluster, "")
    job = cluster.sbatch("-t5", *(["--mem=100"] if "--mem" not in " ".join(options) else []),
                         *options)
    running(cluster, job)
    assert nodes_of(cluster, job) in nodes


def test_several_partitions(cluster):
    """The job starts in the partition that has free nodes."""
    rules(cluster, "")
    block = fill(cluster, "n[1-2]", 5)
    job = cluster.sbatch("-t5", "-N2", "-n2", "-p", "main,small")
    assert running(cluster, job)[0].partitions in (["main"], ["small"])
    assert sorted(nodes_of(cluster, job)) == ["n3", "n4"]
    cluster.run("scancel", str(job), str(block.id))
    limited = rules(cluster, "CLASSCFG[small] MAXJOB=0\nCLASSCFG[main] MAXJOB=1\n")
    first = limited.sbatch("-t5", "-n1", "-p", "main")
    running(limited, first)
    second = limited.sbatch("-t5", "-n1", "-p", "main,small")
    assert running(limited, second)[0].partitions == ["small"]


def test_a_partition_that_is_closed_to_the_users_group(cluster):
    """A job that names others as well goes there; one that names it alone waits, and delays nobody.
    Slurm refuses the latter at submission: the group loses the partition while jobs wait."""
    rules(cluster, "")
    cluster.drain()
    alone = cluster.sbatch("-t5", "-N2", "--exclusive", "-p", "closed", prio(1000))
    either = cluster.sbatch("-t5", "-N1", "-n1", "-p", "closed,small", prio(900))
    other = cluster.sbatch("-t5", "-N2", "-n2", "-w", "n[1-2]")
    try:
        cluster.scontrol("update", "partitionname=closed", "allowgroups=staff")
        cluster.undrain()
        running(cluster, either, other)
        assert nodes_of(cluster, either)[0] in ("n3", "n4")
        stays_pending(cluster, alone)
        assert re.search("PartitionConfig|not in group permitted", reason(cluster, alone))
        assert "JobId=%d does not start" % alone not in cluster.log_since()
        cluster.run("scancel", str(other))
    finally:
        cluster.scontrol("update", "partitionname=closed", "allowgroups=ALL")
    running(cluster, alone)


def test_a_closed_partition_changes_no_reason(cluster):
    """Each change brings a cycle, and slurmctld sends all jobs to its clients again."""
    cluster.reconfigure(CFG.replace("RMPOLLINTERVAL 1", "RMPOLLINTERVAL 30"))
    fill(cluster, "n[1-4]", 5)
    job = cluster.sbatch("-t5", "-N2", "--exclusive", "-p", "small,closed")
    try:
        cluster.scontrol("update", "partitionname=closed", "allowgroups=staff")
        wait_reason(cluster, job, "^Resources")
        time.sleep(2)  # the cycles of the update
        before = iterations(cluster)
        time.sleep(8)
        assert iterations(cluster) < before + 4  # not one a second
    finally:
        cluster.scontrol("update", "partitionname=closed", "allowgroups=ALL")


def test_the_partition_tier_goes_first(cluster):
    """Slurm's PriorityTier orders before priority."""
    rules(cluster, "")
    cluster.scontrol("update", "partitionname=small", "prioritytier=10")
    try:
        block = fill(cluster, "n[3-4]", 5)
        low = cluster.sbatch("-t5", "-N2", "--exclusive", "-p", "small", prio(10))
        high = cluster.sbatch("-t5", "-N2", "--exclusive", "-w", "n3,n4", prio(1000))
        wait_reason(cluster, low, "^Resources")
        cluster.run("scancel", str(block.id))
        running(cluster, low)
        assert cluster.job(high).state == "PENDING"
    finally:
        cluster.scontrol("update", "partitionname=small", "prioritytier=1")


def test_a_job_of_a_reservation_goes_first(cluster):
    """--reservation of a Slurm reservation orders jobs before tier and priority."""
    rules(cluster, "")
    cluster.scontrol("create", "reservation", "reservationname=flex", "users=steve", "nodes=n4",
                     "flags=flex", "starttime=now", "duration=60")
    try:
        block = fill(cluster, "n3", 5)
        low = cluster.sbatch("-t5", "-N1", "--exclusive", "-w", "n3", "--reservation=flex", prio(10))
        high = cluster.sbatch("-t5", "-N1", "--exclusive", "-w", "n3", prio(1000))
        wait_reason(cluster, low, "^Resources")
        wait_reason(cluster, high, "^Priority")
        cluster.run("scancel", str(block.id))
        running(cluster, low)
        assert cluster.job(high).state == "PENDING"
    finally:
        cluster.cancel_all()
        cluster.scontrol("delete", "reservationname=flex")


def test_reasons_follow_the_cause(cluster):
    """A job's REASON is current: a limit, then resources, then none."""
    rules(cluster, "USERCFG[steve] MAXJOB=1\n")
    first = cluster.sbatch("-t5", "-n1", "-w", "n2")
    running(cluster, first)
    second = cluster.sbatch("-t5", "-N1", "-n4", "-w", "n2")
    wait_reason(cluster, second, "MAXJOB USER steve 1/1")
    rules(cluster, "")
    wait_reason(cluster, second, "^Resources")
    cluster.run("scancel", str(first))
    running(cluster, second)
    assert reason(cluster, second) == "None"
    assert abs(cluster.job(second).start - time.time()) < 30
