# SPDX-License-Identifier: GPL-2.0-or-later
"""What a cycle keeps of waiting jobs is what Slurm's checks would say now.

With MAUI_COMPARE_KEPT slurmctld makes both in every cycle, and ends when they differ: each change
below would be such an end if the cycle did not see it. RMPOLLINTERVAL is an hour, so no cycle
checks all jobs because they are due. Afterwards the same changes without that mode: starts and
reasons are right although the checks are left out.

Rules: BF-17.
"""

import os
import random
import re
import time

import pytest
from cluster import wait_until
from database import with_database
from starts import reason, running, wait_reason

CFG = """RMPOLLINTERVAL 1:00:00
RESERVATIONDEPTH 1
"""
CONF = """SchedulerType=sched/maui
SlurmctldDebug=debug
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=100
Licenses=tool:2
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE
PartitionName=other Nodes=ALL MaxTime=INFINITE
"""
PHASES = re.compile(r"slurm-maui: phases: .* (\d+) kept")


def kept_since(cluster, mark):
    return [int(count) for count in PHASES.findall(cluster.log_since(mark))]


def cycles(cluster, mark):
    """Ends the test when slurmctld has ended: an assertion would be tried again for minutes, each
    time with commands that wait for slurmctld."""
    kept = kept_since(cluster, mark)
    log = cluster.log_since()
    if "is no longer so" in log or not cluster.daemon_pid():
        pytest.fail("slurmctld has ended: %s" % (re.findall(".*is no longer so.*", log) or
                                                 log[-2000:]))
    return kept


def settle(cluster):
    """Cycles until one that kept jobs and needs no other."""
    mark = cluster.log_size()
    job = cluster.sbatch("-t9", "-n4", "-N4", "-p", "other")
    wait_until(lambda: cycles(cluster, mark), "a cycle")
    mark = cluster.log_size()
    cluster.run("scancel", str(job))
    return max(wait_until(lambda: cycles(cluster, mark), "a cycle"))


def make(compares, maker, *arguments, **keywords):
    if compares:
        os.environ["MAUI_COMPARE_KEPT"] = "1"
    try:
        return maker(*arguments, **keywords)
    finally:
        os.environ.pop("MAUI_COMPARE_KEPT", None)


def prepare(maker, compares):
    """A full cluster, and jobs that wait."""
    cluster = make(compares, maker, CFG, CONF, nodes=4)
    running(cluster, cluster.sbatch("-t60", "-N4", "-n16", "--mem-per-cpu=1"))
    jobs = [cluster.sbatch("-t%d" % (10 + i), "-n%d" % (1 + i % 4)) for i in range(8)]
    for job in jobs:
        wait_reason(cluster, job, ".")
    return cluster, jobs


@pytest.fixture
def compared(own_cluster):
    return prepare(own_cluster, True)


@pytest.fixture
def quick(own_cluster):
    return prepare(own_cluster, False)


def update(*changes):
    return lambda cluster, job: cluster.update(job, *changes)


def partition(*changes):
    return lambda cluster, job: cluster.scontrol("update", "partitionname=main", *changes)


def submit(*options):
    return lambda cluster, job: cluster.sbatch("-t5", "-n1", *options)


def reconfigure(**changes):
    def change(cluster, job):
        cluster.edit_slurm_conf(**changes)
        cluster.ask_reconfigure()
    return change


def reservation(*options):
    def change(cluster, job):
        cluster.scontrol("create", "reservation", "reservationname=r%d" % random.getrandbits(30),
                         "users=root", "duration=5", *options)
    return change


def drain(cluster, job):
    del job
    cluster.scontrol("update", "nodename=n2", "state=drain", "reason=test")


def resume(cluster, job):
    del job
    cluster.scontrol("update", "nodename=n2", "state=resume")


def forget_reservations(cluster, job):
    del job
    for name in re.findall(r"ReservationName=(r\d+)",
                           cluster.scontrol("show", "reservation", "-o").stdout):
        cluster.scontrol("delete", "reservationname=" + name)


def twice_in_a_second(cluster, job):
    """The second change has the stamp of the first, after which a cycle has kept the job."""
    time.sleep(1 - time.time() % 1)
    partition("priorityjobfactor=3")(cluster, job)
    settle(cluster)
    partition("maxtime=4")(cluster, job)


def node_match(cluster, job):
    """Of a range of nodes the plan then takes the fewest, and does not ask Slurm."""
    del job
    cluster.maui("changeparam", "JOBNODEMATCHPOLICY", "EXACTNODE")


# What changes, and what takes it back for the next one.
CHANGES = {
    "limit": [update("timelimit=7")],
    "cpus": [update("numcpus=3")],
    "nice": [update("nice=100")],
    "name": [update("jobname=another")],
    "names of the same length": [update("jobname=one"), update("jobname=two")],
    "comment": [update("admincomment=another")],
    "partition of the job": [update("partition=other")],
    "partitions of the job": [update("partition=other,main")],
    "hold": [lambda cluster, job: cluster.scontrol("hold", str(job)),
             lambda cluster, job: cluster.scontrol("release", str(job))],
    "begin": [update("starttime=now+1hour")],
    "begin that passes": [update("starttime=now+2")],
    "dependency": [update("dependency=afterany:1")],
    "deadline": [update("deadline=now+5hours")],
    "nodes by name": [update("excnodelist=n1")],
    "memory": [update("minmemorynode=50")],
    "priority": [update("priority=4711")],
    "maximum of a partition": [partition("maxtime=4"), partition("maxtime=unlimited")],
    "maximum of a partition in the same second": [twice_in_a_second,
                                                  partition("maxtime=unlimited")],
    "state of a partition": [partition("state=down"), partition("state=up")],
    "nodes of a partition": [partition("maxnodes=1"), partition("maxnodes=unlimited")],
    "groups of a partition": [partition("allowgroups=nogroup"), partition("allowgroups=all")],
    "memory of a partition": [partition("defmempercpu=60")],
    "factor of a partition": [partition("priorityjobfactor=7")],
    "users of a partition": [partition("exclusiveuser=yes"), partition("exclusiveuser=no")],
    "submit hosts of a partition": [partition("allocnodes=nowhere"), partition("allocnodes=all")],
    "root's partition": [partition("rootonly=yes"), partition("rootonly=no")],
    "QOS of a partition": [partition("denyqos=normal"), partition("denyqos=")],
    "parameter of maui.cfg": [node_match],
    "licence": [submit("-L", "tool")],
    "array": [submit("--array=1-3%1")],
    "drain": [drain, resume],
    "maintenance": [reservation("starttime=now+3", "nodes=n3", "flags=maint,ignore_jobs"),
                    forget_reservations],
    "magnetic": [reservation("starttime=now", "nodes=n4", "flags=magnetic,ignore_jobs"),
                 forget_reservations],
    "reconfigure": [reconfigure(DefMemPerCPU="70"), reconfigure(DefMemPerCPU="100")],
    "submit": [submit()],
    "cancel": [lambda cluster, job: cluster.run("scancel", str(job))],
}


def keeps(cluster, count):
    """Cycles until one keeps so many jobs: a stamp of this second is not trusted."""
    def look():
        kept = settle(cluster)
        assert kept >= count, "%d jobs kept" % kept
        return True
    wait_until(look, "a cycle that keeps jobs")


def test_each_change_is_seen(compared):
    """Every kind once, in a fresh order, each time on a job that was kept."""
    cluster, _ = compared
    seed = int(os.environ.get("MAUI_SEED") or random.getrandbits(32))
    print("MAUI_SEED=%d" % seed)
    names = sorted(CHANGES)
    random.Random(seed).shuffle(names)
    for name in names:
        job = cluster.sbatch("-t9", "-n4", "-N1-2")
        keeps(cluster, 1)
        for change in CHANGES[name]:
            print("change:", name)
            change(cluster, job)
            settle(cluster)
        cluster.run("scancel", str(job))


def test_kept_jobs_follow_their_facts(quick):
    """Without the mode that compares: the checks of unchanged jobs are really left out, and a
    change shows at once."""
    cluster, jobs = quick
    keeps(cluster, len(jobs))
    long = jobs[-1]
    partition("maxtime=12")(cluster, long)
    wait_reason(cluster, long, "PartitionTimeLimit")
    partition("maxtime=unlimited")(cluster, long)
    wait_reason(cluster, long, "^(?!PartitionTimeLimit)")
    keeps(cluster, len(jobs))
    cluster.scontrol("hold", str(jobs[0]))
    wait_reason(cluster, jobs[0], "JobHeldAdmin")
    cluster.run("scancel", "--state=RUNNING")
    running(cluster, *jobs[1:4])


def test_a_reason_that_slurm_takes_away_comes_back(quick):
    """A hold and a release between two cycles leave the record as it was, without its text."""
    cluster, jobs = quick
    keeps(cluster, len(jobs))
    text = reason(cluster, jobs[-1])
    assert text not in ("None", "")
    for _ in range(5):
        cluster.run("bash", "-c", "printf 'hold %d\\nrelease %d\\n' | scontrol" %
                    (jobs[-1], jobs[-1]))
        wait_reason(cluster, jobs[-1], "^" + re.escape(text))


@pytest.mark.parametrize("compares", [True, False])
def test_a_qos_that_changes_in_place_is_seen(own_cluster, compares):
    """sacctmgr changes a flag of the QOS, and nothing else moves in slurmctld."""
    cluster = make(compares, with_database, own_cluster, CFG,
                   CONF + "AccountingStorageEnforce=associations\n", nodes=4)
    cluster.sacctmgr("add", "qos", "long", "flags=PartitionTimeLimit")
    cluster.sacctmgr("add", "account", "phys")
    cluster.sacctmgr("add", "user", "steve", "account=phys", "qos=normal,long")
    partition("maxtime=20")(cluster, None)
    running(cluster, cluster.sbatch("-t19", "-N4", "-n16", "--mem-per-cpu=1"))
    job = cluster.sbatch("-t60", "-n4", "--qos=long")
    wait_reason(cluster, job, "^(Resources|Priority)")
    keeps(cluster, 1)
    cluster.sacctmgr("modify", "qos", "long", "set", "flags-=PartitionTimeLimit")
    settle(cluster)
    wait_reason(cluster, job, "PartitionTimeLimit")
    cluster.sacctmgr("modify", "qos", "long", "set", "flags+=PartitionTimeLimit")
    settle(cluster)
    wait_reason(cluster, job, "^(?!PartitionTimeLimit)")


def sacctmgr_modify(kind, name, change, back):
    """A change by sacctmgr alone, and what takes it back."""
    return [lambda cluster, job: cluster.sacctmgr("modify", kind, name, "set", change),
            lambda cluster, job: cluster.sacctmgr("modify", kind, name, "set", back)]


# Limits that are enforced: of each kind of record, for sums and for one job.
LIMITS = {
    "jobs of a user": sacctmgr_modify("user", "steve", "maxjobs=1", "maxjobs=-1"),
    "processors of an account": sacctmgr_modify("account", "phys", "grptres=cpu=16", "grptres=cpu=-1"),
    "processors of a job": sacctmgr_modify("account", "phys", "maxtres=cpu=2", "maxtres=cpu=-1"),
    "time of a job": sacctmgr_modify("user", "steve", "maxwall=8", "maxwall=-1"),
    "jobs of a QOS": sacctmgr_modify("qos", "normal", "grpjobs=1", "grpjobs=-1"),
    "processors of a user in a QOS": sacctmgr_modify("qos", "normal", "maxtrespu=cpu=1",
                                                     "maxtrespu=cpu=-1"),
    "least processors of a job": sacctmgr_modify("qos", "normal", "mintres=cpu=3", "mintres=cpu=-1"),
    "time in a QOS": sacctmgr_modify("qos", "normal", "maxwall=8", "maxwall=-1"),
    "run-minutes of an account": sacctmgr_modify("account", "phys", "grptresrunmins=cpu=1000",
                                                 "grptresrunmins=cpu=-1"),
    "waiting jobs of a user": sacctmgr_modify("user", "steve", "maxsubmitjobs=100",
                                              "maxsubmitjobs=-1"),
    "QOS of a user": sacctmgr_modify("user", "steve", "qos=long", "qos=normal,long"),
    "submit": [submit()],
    "a job that ends": [lambda cluster, job: cluster.run("scancel", "--state=RUNNING")],
}


def prepare_limits(maker, compares):
    cluster = make(compares, with_database, maker, CFG,
                   CONF + "AccountingStorageEnforce=associations,limits,qos\n", nodes=4)
    cluster.sacctmgr("add", "qos", "long")
    cluster.sacctmgr("add", "account", "phys")
    cluster.sacctmgr("add", "user", "steve", "account=phys", "qos=normal,long")
    running(cluster, cluster.sbatch("-t60", "-N4", "-n16", "--mem-per-cpu=1"))
    jobs = [cluster.sbatch("-t%d" % (10 + i), "-n%d" % (1 + i % 4)) for i in range(8)]
    for job in jobs:
        wait_reason(cluster, job, "^(Resources|Priority)")
    return cluster, jobs


def test_each_change_of_a_limit_is_seen(own_cluster):
    """Limits and QOS are enforced, and nobody has a limit for sums: jobs are kept, until sacctmgr
    gives one to a record above them."""
    cluster, _ = prepare_limits(own_cluster, True)
    seed = int(os.environ.get("MAUI_SEED") or random.getrandbits(32))
    print("MAUI_SEED=%d" % seed)
    names = sorted(LIMITS)
    random.Random(seed).shuffle(names)
    for name in names:
        job = cluster.sbatch("-t9", "-n4", "-N1-2")
        keeps(cluster, 1)
        for change in LIMITS[name]:
            print("change:", name)
            change(cluster, job)
            settle(cluster)
        cluster.run("scancel", str(job))


def test_kept_jobs_follow_enforced_limits(own_cluster):
    """Without the mode that compares: the same jobs are kept, wait for a limit as soon as there is
    one, and start when it goes."""
    cluster, jobs = prepare_limits(own_cluster, False)
    keeps(cluster, len(jobs))
    cluster.sacctmgr("modify", "user", "steve", "set", "maxjobs=0")
    settle(cluster)
    for job in jobs:
        wait_reason(cluster, job, "AssocMaxJobsLimit|AssocGrp|MaxJobs")
    cluster.run("scancel", "--state=RUNNING")
    cluster.sacctmgr("modify", "user", "steve", "set", "maxjobs=-1")
    settle(cluster)  # the job that was cancelled may have ended before
    running(cluster, *jobs[:3])
