# SPDX-License-Identifier: GPL-2.0-or-later
"""Rules of the plan that take time or a mishap to be seen: chunking, reservations that are kept,
starts that fail, licences, nodes that do not get ready.

n1 is where things happen; one node is free, or not, at one moment.

Rules: BF-3, BF-6, BF-8, BF-13.
"""

import os
import re
import time

import pytest
from cluster import SLURM, wait_until
from starts import (CFG, fill, iterations, nodes_of, reason, running, stays_pending, wait_estimate,
                    wait_iterations, wait_reason, write_script)

CONF = """
SchedulerType=sched/maui
Licenses=tool:2
NodeName=n1 CPUs=8 Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=8000
NodeName=n2 CPUs=4 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=twin Nodes=ALL DefaultTime=7 MaxTime=INFINITE State=UP
"""
WHOLE = ["-N2", "--exclusive"]
ON_N1 = ["-N1", "-w", "n1", "--mem=100"]


@pytest.fixture(scope="module")
def whole(clusters):
    return clusters(CFG, CONF)


def rules(cluster, lines):
    cluster.reconfigure(CFG + lines)


def prio(number):
    return "--priority=%d" % number


def on_n1(cluster, procs, minutes, priority):
    """A job of so many of its eight processors."""
    return cluster.sbatch("-t%d" % minutes, "-n%d" % procs, *ON_N1, prio(priority))


def hole(cluster):
    """n2 is busy for an hour, then a top job needs both nodes: n1, for as long, is a hole, and full
    at the moment. The job in the hole."""
    fill(cluster, "n2", 60)
    holder = fill(cluster, "n1", 5)
    top = cluster.sbatch("-t5", *WHOLE, prio(5000))
    wait_reason(cluster, top, "^Resources")
    return holder.id


# ---- backfill ----

@pytest.mark.together
def test_chunking(own_cluster):
    """Six of n1's processors get free. One small job is before the big one, which finds five left and
    blocks the small job behind it, but not the large one that fits. BFCHUNKDURATION after the end
    the other small job starts, too."""
    duration = 12
    cluster = own_cluster(CFG + "BFCHUNKSIZE 4\nBFCHUNKDURATION %d\n" % duration, CONF)
    fill(cluster, "n2", 60)
    running(cluster, on_n1(cluster, 2, 60, 10000))
    ends = on_n1(cluster, 6, 60, 10000)
    running(cluster, ends)
    top = cluster.sbatch("-t5", *WHOLE, prio(5000))
    small = on_n1(cluster, 1, 5, 400)
    big = on_n1(cluster, 6, 5, 300)
    later = on_n1(cluster, 1, 5, 200)
    large = on_n1(cluster, 4, 5, 100)
    stays_pending(cluster, top, small, big, later, large)
    cluster.run("scancel", str(ends))
    running(cluster, small, large)
    # either it says so, or the machine was slow and it runs by now: its start tells
    wait_until(lambda: cluster.job(later).state == "RUNNING" or
               "collected for larger jobs" in reason(cluster, later), "REASON of the second")
    seen, = running(cluster, later)
    jobs = cluster.jobs()
    assert seen.start >= jobs[ends].end + duration
    assert max(jobs[small].start, jobs[large].start) < jobs[ends].end + duration
    assert jobs[big].state == jobs[top].state == "PENDING"


@pytest.mark.parametrize("policy,metric,first", [
    ("FIRSTFIT", "PROCS", "small"), ("BESTFIT", "PROCS", "large"), ("BESTFIT", "SECONDS", "small")])
def test_which_job_fills_a_hole(cluster, policy, metric, first):
    """The job of higher priority starts, or the one that uses more processors or time."""
    rules(cluster, "BACKFILLPOLICY %s\nBACKFILLMETRIC %s\n" % (policy, metric))
    holder = hole(cluster)
    jobs = {"small": on_n1(cluster, 3, 6, 200), "large": on_n1(cluster, 8, 5, 100)}
    stays_pending(cluster, *jobs.values())
    cluster.run("scancel", str(holder))
    running(cluster, jobs.pop(first))
    stays_pending(cluster, *jobs.values())


# ---- reservations ----

@pytest.mark.together
@pytest.mark.parametrize("policy", ["CURRENTHIGHEST", "HIGHEST"])
def test_a_reservation_and_a_higher_job(own_cluster, policy):
    """Given to the first job, it moves to the one that comes before it, or it stays; the same after
    a restart, and in what starts once the nodes have been cleaned up. The new job is too long to be
    through before the old one."""
    cluster = own_cluster(CFG + "RESERVATIONPOLICY %s\n" % policy, CONF, up=False)
    cluster.texts["slurm.conf"] += "Epilog=%s\n" % write_script(cluster, "epilog", "sleep 2")
    cluster.up()
    block = fill(cluster, "n[1-2]", 10)
    old = cluster.sbatch("-t60", *WHOLE, prio(100))
    wait_estimate(cluster, old, block.end)
    new = cluster.sbatch("-t60", *WHOLE, prio(5000))
    first, second = (old, new) if policy == "HIGHEST" else (new, old)
    for again in (False, True):
        if again:
            cluster.restart()
            wait_until(lambda: iterations(cluster) > 1, "two iterations since the start")
        wait_estimate(cluster, first, block.end)
        wait_estimate(cluster, second, block.end + 3600)
    cluster.run("scancel", str(block.id))
    running(cluster, first)
    assert cluster.job(second).state == "PENDING"


def unstartable(cluster, priority, *options):
    """A job that Slurm refuses to start on any nodes, and does not hold: it wants two sockets
    a node, which was not so when it was submitted, and may run in two partitions. It must not be
    able to start yet."""
    job = cluster.sbatch("-n2", "-N1", "--mem=10", "-p", "main,twin", prio(priority), *options)
    cluster.update(job, "reqsockets=2")
    return job


@pytest.mark.together
def test_a_due_reservation_is_kept(own_cluster):
    """n1 is kept for somebody until a moment, and from then on for the top job, which is refused:
    others have to wait for RESERVATIONRETRYTIME, and no longer."""
    cluster = own_cluster(CFG + "DEFERTIME 0\nRESERVATIONRETRYTIME 00:10:00\n", CONF)
    fill(cluster, "n2", 60)
    cluster.scontrol("create", "reservation", "reservationname=kept", "users=root", "nodes=n1",
                     "starttime=now", "endtime=now+300")
    top = unstartable(cluster, 5000, "-t60", "-w", "n1")
    other = cluster.sbatch("-t60", "-n8", *ON_N1, prio(100))
    stays_pending(cluster, top, other)
    mark = cluster.log_size()
    cluster.scontrol("update", "reservationname=kept", "endtime=now+5")
    cluster.wait_log(r"slurm-maui: JobId=%d does not start" % top, mark)
    stays_pending(cluster, top, other)
    rules(cluster, "DEFERTIME 0\nRESERVATIONRETRYTIME 1\n")
    running(cluster, other)
    assert cluster.job(top).state == "PENDING"


# ---- starts that fail ----

def refusals(cluster, job, mark):
    return cluster.log_since(mark).count("slurm-maui: JobId=%d does not start" % job)


# Fields that a failed start could leave changed.
KEPT = ("Partition", "TimeLimit", "NumCPUs", "NumTasks", "CPUs/Task", "MinCPUsNode",
        "MinMemoryCPU", "MinMemoryNode", "OverSubscribe", "ReqNodeList", "ExcNodeList", "Features")


@pytest.mark.together
def test_deferred_and_held(own_cluster):
    """DEFERSTARTCOUNT refusals and the job is set aside for DEFERTIME; after DEFERCOUNT of that it
    is held. A hold and a release in between, and it has a clean record. In the queue it stays what
    it was; when it asks for less and is released it starts."""
    counts = "DEFERSTARTCOUNT 2\nDEFERCOUNT 1\nCLASSCFG[DEFAULT] DEFAULT.WCLIMIT=00:09:00\n"
    cluster = own_cluster(CFG + counts + "DEFERTIME 00:10:00\n", CONF)
    block = fill(cluster, "n[1-2]", 5)
    job = unstartable(cluster, 5000)
    other = cluster.sbatch("-t5", "-n1", "--mem=10", prio(100))
    stays_pending(cluster, job, other)
    before, mark = cluster.job(job), cluster.log_size()
    cluster.run("scancel", str(block.id))
    running(cluster, other)
    wait_reason(cluster, job, "^[A-Za-z]+: deferred after failed starts, until ")
    stays_pending(cluster, job)
    assert refusals(cluster, job, mark) == 2
    cluster.scontrol("hold", str(job))
    wait_iterations(cluster)
    cluster.scontrol("release", str(job))
    wait_until(lambda: refusals(cluster, job, mark) == 4, "two more tries after the release")
    rules(cluster, counts + "DEFERTIME 1\n")
    wait_reason(cluster, job, "DEFERCOUNT")
    assert refusals(cluster, job, mark) == 6
    seen = cluster.job(job)
    assert seen.priority == 0
    changed = [key for key in KEPT if seen.fields.get(key) != before.fields.get(key)]
    assert not changed, [(key, before.fields.get(key), seen.fields.get(key)) for key in changed]
    assert seen.nodes == before.nodes  # not as text: "1-1" is "1" after a restart of 24.11
    cluster.stop()  # our text is not saved, the hold is
    cluster.start()
    assert reason(cluster, job) == "JobHeldAdmin"
    cluster.update(job, "reqsockets=1")
    cluster.scontrol("release", str(job))
    running(cluster, job)
    assert cluster.job(job).limit == 540


@pytest.mark.together
@pytest.mark.skipif(SLURM >= (25, 5), reason="a reconfigure ends the prolog; that of 25.05 crashes")
def test_nodes_that_do_not_get_ready(own_cluster):
    """JOBMAXSTARTTIME: a job whose prolog does not end is cancelled, if that is asked for."""
    cluster = own_cluster(CFG, CONF, up=False)
    ready = os.path.join(cluster.base, "ready")
    prolog = write_script(cluster, "prolog", "for i in $(seq 600); do [ -e %s ] && exit 0; "
                          "sleep 0.1; done" % ready)
    cluster.texts["slurm.conf"] += "PrologSlurmctld=%s\n" % prolog
    cluster.up()
    stuck = cluster.sbatch("-t5", "-n1")
    cluster.wait_state(stuck, "CONFIGURING")
    wait_iterations(cluster, 4)
    assert cluster.job(stuck).state == "CONFIGURING"
    time.sleep(4)  # the limit is set long after its moment
    rules(cluster, "JOBMAXSTARTTIME 1\n")
    cluster.wait_log(r"slurm-maui: JobId=%d has been starting for longer than" % stuck)
    cluster.wait_state(stuck, "CANCELLED")
    open(ready, "w", encoding="ascii").close()
    rules(cluster, "JOBMAXSTARTTIME 1:00\n")
    job = cluster.sbatch("-t5", "-n1")
    running(cluster, job)
    wait_iterations(cluster, 4)
    assert cluster.job(job).state == "RUNNING"


# ---- prologs ----

INSIDE = CFG + "SRCFG[biz] HOSTLIST=n1 PERIOD=INFINITY USERLIST=steve\n"


@pytest.mark.together
def test_a_prolog_sees_slurms_reservations_only(own_cluster):
    """A mirror is no reservation for its jobs: a job in it, asked for or not, has the environment of a
    job in no reservation; since 23.02 an empty name is in it."""
    cluster = own_cluster(INSIDE, CONF, up=False)
    seen = os.path.join(cluster.base, "seen")
    os.mkdir(seen)
    prolog = write_script(cluster, "prolog", "env >%s/env && mv %s/env %s/$SLURM_JOB_ID" %
                          (seen, seen, seen))
    cluster.texts["slurm.conf"] += "PrologFlags=Alloc\nProlog=%s\n" % prolog
    cluster.up()
    cluster.scontrol("create", "reservationname=hers", "users=steve", "duration=60",
                     "starttime=now", "nodes=n2", "corecnt=2")
    ours = [] if SLURM < (23, 2) else ["SLURM_JOB_RESERVATION="]
    for option, said in (("-wn1", ours), ("--reservation=biz", ours), ("-wn2", []),
                         ("--reservation=hers", ["SLURM_JOB_RESERVATION=hers"])):
        job = cluster.sbatch("-t5", "-n1", option)
        running(cluster, job)
        path = os.path.join(seen, str(job))
        wait_until(lambda: os.path.exists(path), "the prolog of job %s" % job)
        with open(path, encoding="utf-8") as text:
            lines = text.read().splitlines()
        assert "SLURM_JOB_USER=steve" in lines
        assert [line for line in lines if "SLURM_JOB_RESERVATION" in line] == said, option


# ---- licences ----

def used_licences(cluster):
    line = cluster.scontrol("show", "licenses", "-o").stdout
    return int(line.split("Used=")[1].split()[0])


def test_licences(cluster):
    """Two there are: the third job waits for them, and for nothing else, is planned for when they
    come back, and keeps nobody from the nodes."""
    def licensed(minutes, count, priority):
        return cluster.sbatch("-t%d" % minutes, "-n1", "-w", "n2", "--mem=10", "-L",
                              "tool:%d" % count, prio(priority))

    rules(cluster, "")
    holder = licensed(30, 1, 9000)
    both = [holder, licensed(20, 1, 9000)]
    ends = [seen.end for seen in running(cluster, *both)]
    assert used_licences(cluster) == 2
    third = licensed(5, 2, 5000)
    fourth = licensed(60, 1, 400)
    plain = on_n1(cluster, 8, 90, 100)
    wait_reason(cluster, third, "^Licenses: needs 2 tool, 0 free$")
    running(cluster, plain)
    wait_estimate(cluster, third, max(ends))
    # one is there for the fourth, but not until the third wants both
    cluster.run("scancel", str(both[1]))
    wait_until(lambda: used_licences(cluster) == 1, "a licence is given back")
    stays_pending(cluster, third, fourth)
    cluster.run("scancel", str(holder))
    running(cluster, third)
    assert used_licences(cluster) == 2
    assert cluster.job(fourth).state == "PENDING"
    cluster.run("scancel", str(third))
    running(cluster, fourth)


GPUS = """
SchedulerType=sched/maui
GresTypes=gpu
NodeName=n[1-2] CPUs=4 CoresPerSocket=4 RealMemory=4000 Gres=gpu:2
NodeName=n3 CPUs=4 CoresPerSocket=4 RealMemory=4000 Gres=gpu:4
PartitionName=main Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
PartitionName=large Nodes=n3 MaxTime=INFINITE State=UP
"""


def test_gpus_of_the_whole_job(own_cluster):
    """--gpus counts for the job: its tasks take what is free, here one GPU and two. maui fits asks
    the same. GPUs of another partition's nodes do not matter."""
    cluster = own_cluster(CFG, GPUS, files={
        "gres.conf": "NodeName=n[1-2] Name=gpu File=%DEVICES/gpu[0-1]\n"
                     "NodeName=n3 Name=gpu File=%DEVICES/gpu[0-3]\n"})
    first = cluster.sbatch("-t5", "-n1", "--gpus=1", "-w", "n1")
    running(cluster, first)
    wait_until(lambda: "main: yes" in cluster.maui("fits", "-G", "3", "-n", "3", "-t", "5").stdout,
               "fits")
    wait_until(lambda: "held by no job: 3 of 4 gpu" in cluster.maui("fits").stdout, "the GPU counts")
    node = cluster.maui("checknode", "n1").stdout
    assert "Generic:    1 of 2 gpu free" in node and re.search(r"^%d .* gpu:1$" % first, node, re.MULTILINE)
    # several nodes for their GPUs: as many as the plan takes
    assert "needs 2 nodes with 2 gpu" in cluster.maui("fits", "-G", "4", "-t", "5").stdout
    job = cluster.sbatch("-t5", "-n3", "--gpus=3")
    running(cluster, job)
    assert nodes_of(cluster, job) == ["n1", "n2"]
    wait_until(lambda: "main: no" in cluster.maui("fits", "-G", "1", "-n", "1", "-t", "5").stdout,
               "all GPUs are taken")
    cluster.run("scancel", str(first), str(job))
    both = cluster.sbatch("-t5", "--gpus=4")
    running(cluster, both)
    assert nodes_of(cluster, both) == ["n1", "n2"]
    # explained by the partition that can serve it, which is not the first
    holder = cluster.sbatch("-t5", "-n1", "-p", "large", "--gpus=4")
    running(cluster, holder)
    job = cluster.sbatch("-t5", "-N1", "-p", "main,large", "--gres=gpu:4")
    wait_until(lambda: "in partition large" in cluster.maui("why", str(job)).stdout, "its partition")
    assert "ever fits" not in cluster.maui("why", str(job)).stdout
    assert str(job) in cluster.maui("queue", "-p", "large,main", "-u", "steve").stdout
    cluster.run("scancel", str(job), str(holder))
    cluster.scontrol("update", "nodename=n3", "state=drain", "reason=fan")
    wait_until(lambda: "Generic:    0 of 4 gpu free" in cluster.maui("checknode", "n3").stdout,
               "the GPUs of a drained node are not to be had")
