# SPDX-License-Identifier: GPL-2.0-or-later
"""Beside the plan: the brake after two deaths inside it, reservations made with scontrol, sdiag's
figures, SERVERMODE TEST.

Rules: BF-21, BF-31, CMD-4, CMD-5.
"""

import json
import contextlib
import os
import re
import resource
import signal
import statistics
import struct
import subprocess
import sys
import time

import pytest
from cluster import wait_until
from reservations import ask, install
from starts import (CFG, CONF, fill, nodes_of, reason, running, stays_pending, wait_estimate,
                    wait_iterations, wait_reason)
from test_sched_bad import wait_saved
from windows import wait_showres

pytestmark = pytest.mark.together

# Rare iterations by the clock: what happens here happens by events.
SLOW = CFG.replace("RMPOLLINTERVAL 1", "RMPOLLINTERVAL 00:00:30")


# ---- the brake ----

BRAKE = struct.Struct("8sqqq")  # magic, begin of a plan that has not ended, the last two deaths


def brake_file(cluster):
    return os.path.join(cluster.state, "planning")


def read_brake(cluster):
    """(begin of the plan under way or 0, [newer death, older death])."""
    with open(brake_file(cluster), "rb") as file:
        magic, planning, *deaths = BRAKE.unpack(file.read(BRAKE.size))
    assert magic == b"mauibrk1"
    return planning, deaths


# Stops a process where its file says that a plan is under way, and leaves it so. The file is watched
# without a pause, in a process of its own that nobody else keeps from its processor, as a plan takes
# some milliseconds only; one that has ended before all threads stood still is no plan.
STOPPER = """
import os, signal, struct, sys, time
path, pid, end = sys.argv[1], int(sys.argv[2]), time.monotonic() + float(sys.argv[3])
file = os.open(path, os.O_RDONLY)
try:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
except PermissionError:
    pass  # then it takes longer
def tasks():
    return [int(task) for task in os.listdir("/proc/%d/task" % pid)]
def is_stopped(task):
    with open("/proc/%d/task/%d/stat" % (pid, task)) as stat:
        return stat.read().rsplit(")", 1)[1].split()[0] == "T"
def plans():
    return struct.unpack("q", os.pread(file, 8, 8))[0]
while time.monotonic() < end:
    if not plans():
        continue
    os.kill(pid, signal.SIGSTOP)
    while not all(map(is_stopped, tasks())):
        pass
    if plans():
        sys.exit(0)
    os.kill(pid, signal.SIGCONT)
sys.exit("no plan was met")
"""


def stop_in_a_plan(cluster, pid):
    command = [sys.executable, "-c", STOPPER, brake_file(cluster), str(pid), "60"]
    subprocess.run(command, check=True, timeout=90)


def die_in_a_plan(cluster, how):
    """slurmctld ends by this signal in the midst of a plan. (A SIGSYS can be so late that the plan
    ends before the process does: then again.)"""
    while True:
        pid = cluster.daemon_pid()
        stop_in_a_plan(cluster, pid)
        resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
        os.kill(pid, how)
        with contextlib.suppress(ProcessLookupError):  # a SIGKILL does not wait
            os.kill(pid, signal.SIGCONT)
        wait_until(lambda: not os.path.exists("/proc/%d/exe" % pid), "slurmctld dead")
        if read_brake(cluster)[0]:
            return
        cluster.start()


def age_deaths(cluster, seconds):
    """As if they had been so much earlier."""
    planning, deaths = read_brake(cluster)
    with open(brake_file(cluster), "r+b") as file:
        file.write(BRAKE.pack(b"mauibrk1", planning, *(max(0, death - seconds) for death in deaths)))


def brake_lines(cluster, mark):
    """What the log says of the crash guard."""
    return re.findall(r"error: (?:sched: )?(?:Sched: )?slurm-maui: (slurmctld died twice .*)",
                      cluster.log_since(mark))


def test_two_deaths_in_a_plan(own_cluster):
    """After one, nothing is said. After two the next slurmctld plans and tells, says why it starts
    nothing, and starts again when ten minutes are over. Many jobs that all get a reservation make
    plans long enough to be met."""
    cluster = own_cluster(CFG + "RESERVATIONDEPTH 1000\n", CONF, nodes=4)
    fill(cluster, "n[1-3]", 60)
    for _ in range(150):
        cluster.sbatch("-t60", "-N4", "--exclusive", "--array=1-9")
    wait_saved(cluster)
    die_in_a_plan(cluster, signal.SIGKILL)
    mark = cluster.log_size()
    cluster.start()
    wait_iterations(cluster, 1)
    assert not brake_lines(cluster, mark), "one death"
    die_in_a_plan(cluster, signal.SIGSYS)  # a crash of which no sanitizer reports
    mark = cluster.log_size()
    cluster.start()
    job = cluster.sbatch("-t5", "-n1")
    wait_reason(cluster, job, "would start now")
    stays_pending(cluster, job)
    lines = brake_lines(cluster, mark)
    assert len(lines) == 1 and "SERVERMODE TEST" in lines[0] and "maui/planning" in lines[0], lines
    cluster.restart()
    stays_pending(cluster, job)  # a restart that ends well is no way around it
    cluster.stop()
    age_deaths(cluster, 600)
    cluster.start()
    running(cluster, job)


def test_without_the_file_nothing_is_braked(own_cluster):
    """The log names this as the way to go on. The file is as two deaths leave it."""
    cluster = own_cluster(CFG, CONF, nodes=4)
    cluster.stop()
    now = int(time.time())
    with open(brake_file(cluster), "r+b") as file:
        file.write(BRAKE.pack(b"mauibrk1", now, now - 300, 0))
    cluster.start()
    job = cluster.sbatch("-t5", "-n1")
    stays_pending(cluster, job)
    assert read_brake(cluster)[1] == [now, now - 300]
    cluster.stop()
    os.remove(brake_file(cluster))
    cluster.start()
    running(cluster, job)


# ---- reservations made with scontrol ----

def reserve(cluster, name, *words):
    cluster.scontrol("create", "reservation", "reservation=" + name, *words)


def remove(cluster, name, *jobs):
    """The jobs first, as slurmctld keeps a reservation that is in use."""
    cluster.run("scancel", *map(str, jobs))
    cluster.wait_over(*jobs)
    wait_until(lambda: cluster.scontrol("delete", "reservationname=" + name,
                                        check=False).returncode == 0, name + " deleted")


def resv_of(cluster, job):
    return cluster.job(job).fields.get("Reservation", "(null)")


def test_a_plain_reservation(own_cluster):
    """One in force and one to come: a job that overlaps one stays out unless its user is admitted and
    names it; a job that ends before starts there."""
    cluster = own_cluster(SLOW, CONF, nodes=4)
    reserve(cluster, "now", "starttime=now", "duration=60", "nodes=n1", "users=steve")
    reserve(cluster, "later", "starttime=now+30minutes", "duration=60", "nodes=n[2-4]",
            "users=steve")
    short = cluster.sbatch("-t5", "-N2", "--exclusive", user="amy")
    running(cluster, short)
    assert not {"n1"} & set(nodes_of(cluster, short))
    out = [cluster.sbatch("-t5", "-N1", "-w", "n1", user="amy"),
           cluster.sbatch("-t60", "-N1", user="amy"),
           cluster.sbatch("-t60", "-N1", user="steve")]
    early = cluster.sbatch("-t60", "-N1", "--reservation=later", user="steve")
    inside = cluster.sbatch("-t50", "-N1", "--reservation=now", user="steve")
    assert cluster.run(*cluster.sbatch_command("--reservation=now", user="amy"),
                       check=False).returncode != 0
    running(cluster, inside)
    assert nodes_of(cluster, inside) == ["n1"]
    stays_pending(cluster, *out, early)
    wait_reason(cluster, out[0], "^Resources: Reserved: .*reserved by now$")
    # where the short job is it will be reserved before there is time enough
    wait_reason(cluster, out[1], "^Resources: Reserved: .*reserved by now, later$")
    assert cluster.job(short).state == "RUNNING"
    assert "reserved" not in reason(cluster, early)
    cluster.run("scancel", str(short))
    cluster.update(out[1], "timelimit=10")
    running(cluster, out[1])
    remove(cluster, "now", inside)
    running(cluster, out[0])
    assert nodes_of(cluster, out[0]) == ["n1"]


def test_a_magnetic_reservation(own_cluster):
    """A magnetic reservation attracts jobs of its users that do not name it, and no other jobs."""
    cluster = own_cluster(SLOW, CONF, nodes=4)
    reserve(cluster, "magnet", "starttime=now", "duration=60", "nodes=n3", "users=steve",
            "flags=magnetic")
    drawn = cluster.sbatch("-t5", "-N1", "-n2", user="steve")
    other = cluster.sbatch("-t5", "-N1", "-n2", user="amy")
    running(cluster, drawn, other)
    assert nodes_of(cluster, drawn) == ["n3"] and resv_of(cluster, drawn) == "magnet"
    assert nodes_of(cluster, other) != ["n3"] and resv_of(cluster, other) == "(null)"
    # more than it has: outside of it
    wide = cluster.sbatch("-t5", "-N2", "--exclusive", user="steve")
    running(cluster, wide)
    assert "n3" not in nodes_of(cluster, wide)
    # beside a job that runs there; what is more than room is planned outside
    beside = cluster.sbatch("-t5", "-N1", "-n2", user="steve")
    running(cluster, beside)
    assert nodes_of(cluster, beside) == ["n3"] and resv_of(cluster, beside) == "magnet"
    cluster.run("scancel", str(wide))
    more = cluster.sbatch("-t5", "-N1", "-n1", user="steve")
    running(cluster, more)
    assert nodes_of(cluster, more) != ["n3"] and resv_of(cluster, more) == "(null)"


def test_a_list_with_a_flexible_reservation(own_cluster):
    """Whose jobs may have nodes outside of it, wherever in the list it stands."""
    cluster = own_cluster(SLOW, CONF, nodes=4)
    reserve(cluster, "one", "starttime=now", "duration=60", "nodes=n1", "users=steve")
    reserve(cluster, "flex", "starttime=now", "duration=60", "nodes=n2", "users=steve",
            "flags=flex")
    for names in ("one,flex", "flex,one"):
        job = cluster.sbatch("-t5", "-N2", "-n2", "--reservation=" + names, user="steve")
        running(cluster, job)
        cluster.run("scancel", str(job))
        cluster.wait_over(job)


BIG = "NodeName=n4 CPUs=4 CoresPerSocket=4 RealMemory=4000 Features=big\n"


def test_a_reservation_whose_nodes_do_not_suit(own_cluster):
    """A magnetic one: the job runs outside. Of two that a job names: in the other. The only one: the
    job waits, as it may get other nodes, and is not held."""
    cluster = own_cluster(SLOW, CONF.replace("n[1-4] ", "n[1-3] ") + BIG, nodes=4)
    reserve(cluster, "magnet", "starttime=now", "duration=60", "nodes=n[1-2]", "users=steve",
            "flags=magnetic")
    outside = cluster.sbatch("-t5", "-N1", "-n1", "-C", "big", user="steve")
    running(cluster, outside)
    assert nodes_of(cluster, outside) == ["n4"] and resv_of(cluster, outside) == "(null)"
    cluster.run("scancel", str(outside))
    cluster.scontrol("delete", "reservationname=magnet")
    reserve(cluster, "plain", "starttime=now", "duration=60", "nodes=n[1-2]", "users=steve")
    reserve(cluster, "large", "starttime=now", "duration=60", "nodes=n4", "users=steve")
    either = cluster.sbatch("-t5", "-N1", "-n1", "-C", "big", "--reservation=plain,large",
                            user="steve")
    running(cluster, either)
    assert nodes_of(cluster, either) == ["n4"]
    # Slurm refuses it at submission: the reservation gets other nodes while it waits
    alone = cluster.sbatch("-H", "-t5", "-N1", "-n1", "-C", "big", "--reservation=large",
                           user="steve")
    cluster.run("scancel", str(either))
    cluster.wait_over(either)
    cluster.scontrol("update", "reservationname=large", "nodes=n3")
    cluster.scontrol("release", str(alone))
    wait_reason(cluster, alone, "^(?!JobHeld)")
    stays_pending(cluster, alone)
    assert cluster.job(alone).priority > 0, "held"
    cluster.scontrol("update", "reservationname=large", "nodes=n4")
    running(cluster, alone)


def test_cores_and_licences_of_reservations(own_cluster):
    cluster = own_cluster(SLOW, CONF + "Licenses=matlab:4\n", nodes=4)
    reserve(cluster, "cores", "starttime=now", "duration=60", "nodes=n1", "corecnt=3",
            "users=steve")
    reserve(cluster, "seats", "starttime=now", "duration=60", "licenses=matlab:3",
            "users=steve", "flags=any_nodes")
    whole = cluster.sbatch("-t5", "-N1", "--exclusive", "-w", "n1", user="amy")
    seats = cluster.sbatch("-t5", "-n1", "-L", "matlab:2", user="amy")
    one = cluster.sbatch("-t5", "-n1", "-L", "matlab:1", user="amy")
    running(cluster, one)
    inside = cluster.sbatch("-t5", "-n3", "--reservation=cores", user="steve")
    licensed = cluster.sbatch("-t5", "-n1", "-L", "matlab:3", "--reservation=seats", user="steve")
    running(cluster, inside, licensed)
    assert nodes_of(cluster, inside) == ["n1"]
    stays_pending(cluster, whole, seats)
    wait_reason(cluster, seats, "^Licenses: ")
    remove(cluster, "seats", licensed)
    running(cluster, seats)


# ---- sdiag ----

ITERATION = re.compile(r"slurm-maui: iteration: .*; (\d+) us, plan")


def sdiag(cluster):
    """Its block of the backfill scheduler: numbers by their labels."""
    text = cluster.run("sdiag").stdout.split("Backfilling stats", 1)[1].split("\n\n", 1)[0]
    pairs = re.findall(r"^\s+(.+?): +.*?(\d+)\)?$", text, re.M)
    return {label: int(value) for label, value in pairs}


def cycles_of_log(cluster):
    """Microseconds of each, as the log has them."""
    return [int(took) for took in ITERATION.findall(cluster.log_since())]


def both(cluster):
    """sdiag's figures, and all cycles of the log at a moment when its last is the same one."""
    def look():
        before, seen, after = cycles_of_log(cluster), sdiag(cluster), cycles_of_log(cluster)
        return (seen, before) if before == after and before[-1] == seen["Last cycle"] else None
    return wait_until(look, "sdiag and the log of the same cycles")


def test_sdiag(own_cluster):
    """The block of the backfill scheduler counts our iterations, their microseconds, jobs and
    backfilled starts. One node is busy, the top job waits for all of them."""
    cluster = own_cluster(SLOW, CONF + "PartitionName=more Nodes=ALL MaxTime=INFINITE\n", nodes=4)
    block = fill(cluster, "n1", 20)
    top = cluster.sbatch("-t10", "-N4", "--exclusive", "--priority=5000")
    wait_estimate(cluster, top, block.start + 1200)
    short = [cluster.sbatch("-t%d" % minutes, "-N1", "--exclusive", "--priority=100")
             for minutes in (5, 10)]
    running(cluster, *short)
    long = cluster.sbatch("-t60", "-N1", "--exclusive", "--priority=90", "-p", "main,more")
    cluster.sbatch("-H", "-n1")
    cluster.sbatch("-n1", "--dependency=afterok:%d" % long)
    cluster.sbatch("-n1", "--array=1-5", "--exclusive", "-t60", "--priority=80")

    def settled():
        seen, cycles = both(cluster)
        assert seen["Last queue length"] == 4, "top, long in two partitions, the array: %s" % seen
        assert seen["Last depth cycle"] == 5, "the held and the dependent one, too: %s" % seen
        assert seen["Last depth cycle (try sched)"] == 3, seen
        assert seen["Last table size"] == 5, \
            "now, ends of three jobs and of the reservation: %s" % seen
        return seen, cycles
    seen, cycles = wait_until(settled, "the last of them counted")
    assert seen["Total backfilled jobs (since last slurm start)"] == 2
    assert abs(seen["Last cycle when"] - time.time()) < 60
    if seen["Total backfilled jobs (since last stats cycle start)"] == 2:  # else it was midnight
        assert seen["Total cycles"] == len(cycles)
        assert seen["Max cycle"] == max(cycles) and seen["Mean cycle"] == sum(cycles) // len(cycles)
    cluster.run("sdiag", "--reset")
    assert sdiag(cluster)["Total backfilled jobs (since last slurm start)"] == 0
    another = cluster.sbatch("-t5", "-N1", "--exclusive", "--priority=100")
    running(cluster, another)

    def counted():
        seen = sdiag(cluster)  # means only once a cycle has ended
        counted = seen["Total backfilled jobs (since last slurm start)"]
        return seen if counted and "Queue length mean" in seen else None
    seen = wait_until(counted, "its start counted")
    assert seen["Total backfilled jobs (since last slurm start)"] == 1
    assert 4 <= seen["Queue length mean"] <= 5 and 5 <= seen["Depth Mean"] <= 6, seen
    assert 3 <= seen["Depth Mean (try depth)"] <= 4 and 5 <= seen["Mean table size"] <= 6, seen


def started_as(cluster, job):
    """"started" or "backfilled", as in the log."""
    return cluster.wait_log(r"slurm-maui: (\w+) JobId=%d in " % job).group(1)


def test_a_job_that_overtakes_is_logged_as_backfilled(own_cluster):
    """For the log, scontrol and sdiag alike, however the plan found it: with reservations left
    (RESERVATIONDEPTH) a job that fits is found before any window is looked at."""
    cluster = own_cluster(CFG + "RESERVATIONDEPTH 3\n", CONF, nodes=4)
    block = fill(cluster, "n[1-2]", 20)
    assert started_as(cluster, block.id) == "started"
    top = cluster.sbatch("-t10", "-N4", "--exclusive", "--priority=5000")
    wait_estimate(cluster, top, block.start + 1200)
    jobs = [cluster.sbatch("-t5", "-n1", "--priority=100") for _ in range(4)]
    running(cluster, *jobs)
    assert {started_as(cluster, job) for job in jobs} == {"backfilled"}
    assert {cluster.job(job).fields["Scheduler"] for job in jobs} == {"Backfill"}
    seen = wait_until(lambda: sdiag(cluster), "sdiag")
    assert seen["Total backfilled jobs (since last slurm start)"] == 4
    cluster.run("scancel", str(block.id), *map(str, jobs))
    running(cluster, top)
    assert started_as(cluster, top) == "started"


# ---- Resources and Priority ----

def codes(cluster):
    """{job: state_reason}, which tools read; squeue's REASON is our text."""
    jobs = json.loads(cluster.run("squeue", "--json").stdout)["jobs"]
    return {job["job_id"]: job["state_reason"] for job in jobs
            if "PENDING" in job["job_state"]}  # a list of states since 23.11


AHEAD = "^Priority: [0-9]+ jobs? (is|are) ahead in partition [a-z0-9]+"


def test_resources_and_priority(own_cluster):
    """Resources: the first job of a partition that waits for them. Priority: the jobs behind it, whether
    nodes are idle or not. A job that a limit keeps, or that nothing could serve, is before no other."""
    conf = CONF + "PartitionName=other Nodes=n[1-2] MaxTime=INFINITE\n"
    cluster = own_cluster(CFG + "USERCFG[john] MAXPROC=1\n", conf, nodes=4)
    block = fill(cluster, "n[1-3]", 20)
    limited = cluster.sbatch("-t30", "-n2", "--priority=9000", user="john")
    top = cluster.sbatch("-t30", "-N4", "--exclusive", "--priority=5000")
    behind = cluster.sbatch("-t30", "-N4", "--exclusive", "--priority=400")
    kept = cluster.sbatch("-t30", "-N1", "--exclusive", "--priority=300")
    other = cluster.sbatch("-t30", "-N2", "--exclusive", "-p", "other", "--priority=200")
    inner = cluster.sbatch("-t30", "-N1", "--exclusive", "-p", "other", "--priority=100")
    wait_reason(cluster, limited, "^Assoc[A-Za-z]*: MAXPROC USER john ")
    wait_reason(cluster, top, "^Resources: needs 4 whole nodes, 1 free$")
    wait_reason(cluster, behind, AHEAD + "; needs 4 whole nodes, "
                                 "0 free$")
    wait_reason(cluster, kept, "^Priority: Reserved: 1 node is kept for other jobs")
    wait_reason(cluster, other, "^Resources: needs 2 whole nodes, 0 free$")
    wait_reason(cluster, inner, AHEAD + "; needs 1 whole node, 0 free$")
    assert codes(cluster) == {limited: "AssocGrpCpuLimit", top: "Resources", behind: "Priority",
                              kept: "Priority", other: "Resources", inner: "Priority"}
    cluster.run("scancel", str(top), str(block.id))
    running(cluster, behind)
    wait_reason(cluster, kept, "^Resources: needs 1 whole node, 0 free$")


def test_each_cause_has_slurms_own_code(own_cluster):
    """Tools group jobs by state_reason: it is the code that Slurm gives for the same cause. REASON
    begins with its word, and under REASONTEXT SLURM is this word; checkjob has our text all the
    same."""
    cluster = own_cluster(CFG + """
USERCFG[amy]   MAXJOB=1
USERCFG[john]  MAXPROC=1
QOSCFG[low]    MAXJOB=1
CLASSCFG[main] MAX.WCLIMIT=2:00:00
SRCFG[course]  HOSTLIST=n4 PERIOD=INFINITY USERLIST=amy
""", CONF, nodes=4)
    cluster.scontrol("update", "nodename=n3", "state=drain", "reason=test")
    block = cluster.sbatch("-t30", "-n1", "-w", "n1", "--qos=low")
    amys = cluster.sbatch("-t30", "-n1", "-w", "n1", user="amy")
    running(cluster, block, amys)
    options = {
        "AssocMaxJobsLimit": (["-n1"], "amy", "^AssocMaxJobsLimit: MAXJOB USER amy"),
        "AssocGrpCpuLimit": (["-n2"], "john", "^AssocGrpCpuLimit: MAXPROC USER john"),
        "QOSGrpJobsLimit": (["-n1", "--qos=low"], None, "^QOSGrpJobsLimit: MAXJOB QOS low"),
        "AssocMaxWallDurationPerJobLimit": (["-t180", "-n1"], None, "MAX.WCLIMIT CLASS main"),
        "Reservation": (["-n1", "-w", "n4"], None, "course"),
        "ReqNodeNotAvail": (["-n1", "-w", "n3"], None, "down|drain"),
        "Dependency": (["-n1", "--dependency=afterok:%d" % block], None, "^Dependency$"),
        "JobHeldUser": (["-n1", "--hold"], None, "^JobHeldUser$"),
    }
    jobs = {}
    for code, (arguments, user, text) in options.items():
        job = cluster.sbatch("-t30", *arguments, **({"user": user} if user else {}))
        wait_reason(cluster, job, text)
        jobs[job] = code
    assert codes(cluster) == jobs
    for job, code in jobs.items():
        assert re.match(code + "([: ]|$)", reason(cluster, job)), (code, reason(cluster, job))

    cluster.maui("changeparam", "REASONTEXT", "SLURM")
    for job, code in jobs.items():
        wait_reason(cluster, job, "^%s$" % code)
        assert cluster.job(job).reason == code
    limited = next(job for job, code in jobs.items() if code == "AssocMaxJobsLimit")
    assert "MAXJOB USER amy" in cluster.maui("checkjob", "-v", str(limited)).stdout
    assert "MAXJOB USER amy" in cluster.maui("why", str(limited)).stdout
    cluster.maui("changeparam", "REASONTEXT", "FULL")
    wait_reason(cluster, limited, "^AssocMaxJobsLimit: MAXJOB USER amy")


# ---- node state PLANNED ----

def planned(cluster):
    """The nodes that sinfo shows as planned."""
    lines = cluster.run("sinfo", "-h", "-N", "-p", "main", "-o", "%N %t").stdout.splitlines()
    return [line.split()[0] for line in lines if line.split()[1] == "plnd"]


def wait_planned(cluster, *nodes):
    wait_until(lambda: planned(cluster) == list(nodes), "planned nodes: " + " ".join(nodes))


def test_nodes_of_a_job_reservation_are_planned(own_cluster):
    """BF-31: idle nodes that wait for a job, until it starts, is cancelled, or nobody plans."""
    cluster = own_cluster(CFG, CONF, nodes=4)
    assert not planned(cluster)
    block = cluster.sbatch("-t30", "-N1", "-n4", "-w", "n1")
    running(cluster, block)
    waits = cluster.sbatch("-t30", "-N3", "--exclusive", "-w", "n[1-3]")
    wait_planned(cluster, "n2", "n3")
    wait_iterations(cluster)
    assert planned(cluster) == ["n2", "n3"]
    short = cluster.sbatch("-t10", "-N1", "--exclusive", "-w", "n2")
    running(cluster, short)
    wait_planned(cluster, "n3")
    cluster.run("scancel", str(short))
    wait_planned(cluster, "n2", "n3")
    cluster.run("scancel", str(waits))
    wait_planned(cluster)
    again = cluster.sbatch("-t30", "-N3", "--exclusive", "-w", "n[1-3]")
    wait_planned(cluster, "n2", "n3")
    cluster.maui("changeparam", "SERVERMODE", "TEST")
    wait_planned(cluster)
    cluster.maui("changeparam", "SERVERMODE", "NORMAL")
    wait_planned(cluster, "n2", "n3")
    cluster.run("scancel", str(block))
    running(cluster, again)
    wait_planned(cluster)


# ---- SERVERMODE TEST ----

def trial_lines(cluster, mark=0):
    """{job: its line in the log} under TEST."""
    said = {}
    for before, job, after in re.findall(r"slurm-maui: TEST: (\S+ \S+) JobId=(\d+)(.*)",
                                         cluster.log_since(mark)):
        said.setdefault(int(job), []).append(before + after)
    return said


def wait_trial(cluster, job, *patterns):
    """Until the log says this of the job, each once, and nothing else."""
    def look():
        lines = trial_lines(cluster).get(job, [])
        assert len(lines) == len(patterns) and all(map(re.search, patterns, lines)), lines
        return True
    wait_until(look, "the log of job %d: %s" % (job, patterns))


def test_a_trial_under_sched_backfill(own_cluster):
    """What the plan would start, and what sched/backfill started instead: the same, or another one
    (MAXJOB is Maui's alone). It starts one job a second here, so that a plan has started the last of
    ten before."""
    conf = CONF.replace("sched/maui", "sched/backfill") + \
        "SchedulerParameters=defer,bf_interval=1,bf_max_job_start=1,sched_max_job_start=1\n"
    cluster = own_cluster(CFG + "SERVERMODE TEST\nUSERCFG[amy] MAXJOB=1\n", conf, nodes=4)
    cluster.scontrol("update", "partitionname=main", "state=down")
    jobs = [cluster.sbatch("-t5", "-n1", "--priority=%d" % number) for number in range(11, 1, -1)]
    cluster.scontrol("update", "partitionname=main", "state=up")
    running(cluster, *jobs)
    wait_trial(cluster, jobs[-1], "^would start in main on 1 node$",
               r"^sched/backfill started, \d+ s after the plan would have$")
    cluster.cancel_all()
    block = fill(cluster, "n[1-4]", 5)
    first, second = (cluster.sbatch("-t5", "-N1", "--priority=%d" % number, user="amy")
                     for number in (4000, 3000))
    cluster.wait_cycle()
    assert second not in trial_lines(cluster)
    cluster.run("scancel", str(block.id))
    running(cluster, first, second)
    wait_trial(cluster, second, "^sched/backfill started, which would wait: MAXJOB USER amy$")
    cluster.cancel_all()


def test_a_trial_logs_starts_of_unplanned_jobs(own_cluster):
    """A job that Slurm started at its submit is planned behind that as if it still waited; one that
    started when there was no trial is not in the log."""
    conf = CONF.replace("sched/maui", "sched/backfill")
    cluster = own_cluster(CFG + "SERVERMODE TEST\n", conf, nodes=4)
    cluster.wait_cycle()
    early = int(cluster.run("srun", "-t1", "-n1", "printenv", "SLURM_JOB_ID", user="steve").stdout)
    wait_trial(cluster, early, "^sched/backfill started, as the plan has it$")
    cluster.reconfigure(CFG)
    between = cluster.sbatch("-t1", "-n1", command="true")
    cluster.wait_over(between)
    time.sleep(1)  # the stamps of starts are whole seconds
    cluster.reconfigure(CFG + "SERVERMODE TEST\n")
    time.sleep(1)  # nor is a start in the second in which a trial begins
    late = int(cluster.run("srun", "-t1", "-n1", "printenv", "SLURM_JOB_ID", user="steve").stdout)
    wait_until(lambda: late in trial_lines(cluster), "the trial goes on")
    assert between not in trial_lines(cluster)
    changes_are_made_at_once(cluster)
    names_are_slurms(cluster)


def names_are_slurms(cluster):
    """In a trial no Slurm reservation is adopted or named in the log."""
    for name in ("x", "maui.x.0"):
        cluster.scontrol("create", "reservationname=" + name, "starttime=now+1day",
                         "duration=60", "users=bob", "nodes=n4", "flags=overlap")
    mark = cluster.log_size()
    cluster.reconfigure(CFG + "SERVERMODE TEST\n"
                        "SRCFG[x] HOSTLIST=n1 PERIOD=INFINITY USERLIST=amy\n")
    wait_showres(cluster, "x.0")
    said = cluster.log_since(mark)
    assert "is left alone" not in said and "adopted" not in said, said


def changes_are_made_at_once(cluster):
    """Of setres and releaseres, however rarely another scheduler's jobs are looked at."""
    cluster.reconfigure(CFG.replace("RMPOLLINTERVAL 1", "RMPOLLINTERVAL 00:10:00") +
                        "SERVERMODE TEST\n")
    install(cluster)
    for number in (1, 2):
        made = ask(cluster, "setres", "-u", "steve", "-d", "10:00", "n%d" % number)
        assert "reservation 'steve.1' created" in made.stdout, made
        assert "SERVERMODE is TEST: this is a trial, no node is kept free" in made.stderr, made
        ask(cluster, "releaseres", "steve.1")


def stamp(line):
    """Seconds of the day of a line of the log."""
    hours, minutes, seconds = re.match(r"\[\S+T(\d+):(\d+):([\d.]+)\]", line).groups()
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)


def delay(cluster, mark, first, second):
    """Seconds between two lines of the log since then, waiting for the second."""
    cluster.wait_log(second, mark)
    lines = cluster.log_since(mark).splitlines()
    times = [next(stamp(line) for line in lines if re.search(pattern, line))
             for pattern in (first, second)]
    return (times[1] - times[0]) % 86400


def test_pause_and_resume_at_once(own_cluster):
    """By SERVERMODE and a reconfigure, however rare iterations are: half of five each within three
    seconds, on a busy machine, too."""
    cluster = own_cluster(SLOW, CONF, nodes=4)
    asked = "_slurm_rpc_reconfigure_controller: completed|reconfigure_slurm|" \
        "Processing Reconfiguration Request"
    pauses, resumes = [], []
    for _ in range(5):
        mark = cluster.log_size()
        cluster.reconfigure(SLOW + "SERVERMODE TEST\n")
        pauses.append(delay(cluster, mark, asked, "slurm-maui: SERVERMODE TEST"))
        job = cluster.sbatch("-t1", "-n1", command="true")
        wait_reason(cluster, job, "would start now")
        cluster.wait_log(r"slurm-maui: TEST: would start JobId=%d in main on 1 node\n" % job, mark)
        mark = cluster.log_size()
        cluster.reconfigure(SLOW)
        resumes.append(delay(cluster, mark, asked, r"slurm-maui: started JobId=%d " % job))
        cluster.wait_over(job)
    print("from reconfigure to pause %s s, to a start %s s" % (sorted(pauses), sorted(resumes)))
    assert statistics.median(pauses) <= 3 and statistics.median(resumes) <= 3, (pauses, resumes)
