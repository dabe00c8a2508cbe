# SPDX-License-Identifier: GPL-2.0-or-later
"""Standing reservations: which jobs they admit, on which nodes jobs run, future windows.

Rules: RSV-13, RSV-34.
"""

import json
import os
import shutil
import time

import pytest
from cluster import parse_fields, wait_until
from reservations import hosts
from starts import (CFG, nodes_of, running, stays_pending, tasks_of, wait_estimate,
                    wait_iterations, wait_reason)
from windows import CONF, DAYS, HOUR, daily, maui, noon, other_days, today, wait_showres, weekly


@pytest.fixture(scope="module")
def whole(clusters):
    with noon():
        yield clusters(CFG, CONF, nodes=4)


def rules(cluster, lines):
    """Returns now."""
    cluster.reconfigure(CFG + lines)
    return int(time.time())


def prio(number):
    return "--priority=%d" % number


def goes_in(cluster, *options, user="steve"):
    """Submits a job that starts at once; returns its nodes."""
    job = cluster.sbatch("-t30", *options, user=user)
    running(cluster, job)
    return nodes_of(cluster, job)


def stays_out(cluster, pattern, *options, user="steve", minutes=30):
    """Submits a job that waits for this reason though nodes idle, then cancels it."""
    job = cluster.sbatch("-t%d" % minutes, *options, user=user)
    wait_reason(cluster, job, pattern)
    stays_pending(cluster, job)
    cluster.run("scancel", str(job))


# ---- the manual's five examples ----

def test_example_1_a_class_during_the_day(cluster):
    """6 tasks of one processor each, on any nodes with capacity."""
    now = int(time.time())
    line = "SRCFG[interactive] TASKCOUNT=6 RESOURCES=PROCS:1;MEM:512 CLASSLIST=interactive %s" % (
        daily(now - HOUR, now + 2 * HOUR))
    rules(cluster, line + " DAYS=%s\n" % today())
    wait_showres(cluster, "interactive.0", lambda row: row["procs"] == 6)
    for procs in ("-n4", "-n4", "-n2"):
        goes_in(cluster, "-N1", procs)
    stays_out(cluster, "^Resources: needs 1 node, 0 free, 2 reserved by interactive$", "-n1")
    goes_in(cluster, "-n6", "-pinteractive")
    cluster.cancel_all()
    until = time.strftime("%H:%M", time.localtime(now + 2 * HOUR))
    stays_out(cluster, "^Reservation interactive until %s: class main not admitted" % until, "-n12")
    rules(cluster, line + " DAYS=%s\n" % other_days())
    goes_in(cluster, "-n16")


def test_example_2_a_host_list(cluster):
    """Some of the hosts, or all of them and further nodes if the hosts do not suffice."""
    now = int(time.time())
    line = "SRCFG[interactive] RESOURCES=PROCS:2,MEM:256 CLASSLIST=interactive %s" % (
        daily(now - HOUR, now + 2 * HOUR))
    rules(cluster, line + " HOSTLIST=n1,n2,n4 TASKCOUNT=4\n")
    wait_showres(cluster, "interactive.0", lambda row: row["procs"] == 8)
    goes_in(cluster, "-w", "n3", "-N1", "--exclusive")
    inside = goes_in(cluster, "-n8", "-pinteractive")
    assert set(inside) <= {"n1", "n2", "n4"}
    stays_out(cluster, "class main not admitted|Resources", "-n8")
    cluster.cancel_all()
    rules(cluster, line + " HOSTLIST=n1,n2 TASKCOUNT=6\n")
    wait_showres(cluster, "interactive.0",
                 lambda row: row["procs"] == 12 and row["node_count"] >= 3)
    stays_out(cluster, "class main not admitted", "-n1", "-w", "n1")
    assert sorted(goes_in(cluster, "-n4", "-pinteractive", "-w", "n1")) == ["n1"]
    goes_in(cluster, "-n4")


STACKED = """
SRCFG[interactive] HOSTLIST=n1,n2 TASKCOUNT=4 RESOURCES=PROCS:2,MEM:256 CLASSLIST=interactive %s
SRCFG[debug] HOSTLIST=n1,n3 PERIOD=INFINITY USERLIST=amy GROUPLIST=science
"""


def test_example_3_stacked(cluster):
    """On nodes of both reservations both lists must admit a job."""
    now = int(time.time())
    rules(cluster, STACKED % daily(now - HOUR, now + 2 * HOUR))
    for node, user, partition, refused in (
            ("n1", "bob", "main", "Reservation (interactive|debug)"),
            ("n1", "bob", "interactive", "^Reservation debug: user bob not admitted"),
            ("n1", "amy", "main", "^Reservation interactive until .*: class main not admitted"),
            ("n1", "amy", "interactive", None), ("n1", "steve", "interactive", None),
            ("n2", "bob", "interactive", None), ("n2", "amy", "main", "class main not admitted"),
            ("n3", "amy", "main", None), ("n3", "bob", "interactive", "user bob not admitted"),
            ("n4", "bob", "main", None)):
        options = ("-n1", "-w", node, "-p", partition)
        if refused:
            stays_out(cluster, refused, *options, user=user)
        else:
            goes_in(cluster, *options, user=user)


SPECIAL = """
QOSCFG[high] PRIORITY=1
SRCFG[special] TASKCOUNT=2 %s NODEFEATURES=largememory TIMELIMIT=1:00:00*
SRCFG[special] ACCOUNTLIST=!projectX,!projectY
SRCFG[special] QOSLIST=high,low,special-
NODEALLOCATIONPOLICY FIRSTAVAILABLE
"""


def test_example_4_several_lists(cluster):
    """Admits jobs of an hour at most whose QOS or account is not one of two."""
    now = int(time.time())
    rules(cluster, SPECIAL % weekly(now - HOUR, now + 3 * HOUR))
    assert goes_in(cluster, "-N1", "--qos=high", "-Aother")[0] in ("n1", "n2")
    assert goes_in(cluster, "-n1", "-Aother", "-w", "n1") == ["n1"]
    stays_out(cluster, "TIMELIMIT 1:00:00; fits with -t 60", "-n1", "--qos=high", "-Aother",
              "-w", "n2", minutes=61)
    stays_out(cluster, "account projectx denied", "-n1", "-AprojectX", "--qos=high", "-w", "n2")
    assert goes_in(cluster, "-n1", "-AprojectX")[0] in ("n3", "n4")
    cluster.cancel_all()
    last = [goes_in(cluster, "-N1", "--exclusive", "--qos=special", "-Aother") for _ in range(4)]
    assert sorted(sum(last[:2], [])) == ["n3", "n4"], "what is not reserved first"
    assert sorted(sum(last[2:], [])) == ["n1", "n2"]


JUPITER = """
PREEMPTPOLICY REQUEUE
ACCOUNTCFG[jupiter] PRIORITY=10000
SRCFG[jupiter] HOSTLIST=n[1-3] PERIOD=INFINITY ACCOUNTLIST=jupiter,saturn- OWNER=ACCOUNT:jupiter
SRCFG[jupiter] FLAGS=OWNERPREEMPT
"""


def test_example_5_the_owner_comes_first(cluster):
    """saturn's jobs run inside until jupiter's jobs need the nodes."""
    rules(cluster, JUPITER)
    whole_node = ("-N1", "--exclusive")
    first = cluster.sbatch("-t30", *whole_node, "-Asaturn")
    running(cluster, first)
    assert nodes_of(cluster, first) == ["n4"], "the last resort is the reservation"
    stays_out(cluster, "^Resources: needs 1 whole node, 0 free, 3 reserved by jupiter", *whole_node,
              "-Amars", user="bob")
    stays_out(cluster, "^Reservation jupiter: account mars not admitted", "-N2", "--exclusive",
              "-Amars", user="bob")
    guests = [cluster.sbatch("-t30", *whole_node, "-Asaturn") for _ in range(3)]
    running(cluster, *guests)
    owner = cluster.sbatch("-t30", *whole_node, "-Ajupiter", prio(10000), user="amy")
    running(cluster, owner)
    assert nodes_of(cluster, owner)[0] in ("n1", "n2", "n3")
    restarts = {job: cluster.job(job).fields["Restarts"] for job in [first] + guests}
    assert restarts[first] == "0" and sorted(restarts.values()) == ["0", "0", "0", "1"], restarts


# ---- into a reservation, without naming it ----

HERS = "SRCFG[hers] HOSTLIST=n[1-2] PERIOD=INFINITY USERLIST=amy\n"


def test_over_reserved_and_free_nodes(cluster):
    rules(cluster, HERS)
    assert goes_in(cluster, "-N4", "--exclusive", user="amy") == ["n1", "n2", "n3", "n4"]
    cluster.cancel_all()
    assert set(goes_in(cluster, "-N3", "--exclusive", user="amy")) > {"n1", "n2"}
    cluster.cancel_all()
    stays_out(cluster, "^Reservation hers: user bob not admitted", "-N3", "--exclusive", user="bob")
    assert sorted(goes_in(cluster, "-N2", "--exclusive", user="bob")) == ["n3", "n4"]


SIDE_BY_SIDE = """
SRCFG[his] HOSTLIST=n1 TASKCOUNT=1 RESOURCES=PROCS:2 PERIOD=INFINITY USERLIST=steve
SRCFG[hers] HOSTLIST=n1 TASKCOUNT=1 RESOURCES=PROCS:2 PERIOD=INFINITY USERLIST=amy
"""


def test_two_reservations_share_a_node(cluster):
    """Side by side, not stacked."""
    rules(cluster, SIDE_BY_SIDE)
    stays_out(cluster, "^Reservation (his|hers): user bob not admitted", "-n1", "-w", "n1",
              user="bob")
    stays_out(cluster, "^Reservation hers: user steve not admitted", "-N1", "-n3", "-w", "n1")
    for user in ("steve", "amy"):
        assert goes_in(cluster, "-n2", user=user) == ["n1"]
    assert goes_in(cluster, "-n1", user="steve") != ["n1"]
    cluster.cancel_all()
    # a job that both admit
    rules(cluster, SIDE_BY_SIDE.replace("=amy", "=amy,steve"))
    assert goes_in(cluster, "-N1", "-n4", user="steve") == ["n1"]


@pytest.mark.parametrize("mark,order", [("+", "n3 n1 n2"), ("", "n3 n1 n2"), ("=", "n1 n2 n3"),
                                        ("-", "n1 n2 n4")])
def test_affinity(cluster, mark, order):
    """Affinity decides whether a job takes the reservation's nodes first or last."""
    rules(cluster, "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n"
          "SRCFG[his] HOSTLIST=n3 PERIOD=INFINITY USERLIST=steve%s\n" % mark)
    nodes = [goes_in(cluster, "-N1", "--exclusive")[0] for _ in range(3)]
    assert " ".join(nodes) == order
    if mark == "-":
        assert goes_in(cluster, "-N1", "--exclusive") == ["n3"], "better than nothing"


def test_job_beside_reservations_on_several_nodes(cluster):
    """Ten processors are unreserved: a job that takes them touches no reserved one."""
    rules(cluster, "SRCFG[six] HOSTLIST=n1,n2 TASKCOUNT=6 RESOURCES=PROCS:1 PERIOD=INFINITY "
          "USERLIST=amy\n")
    wait_showres(cluster, "six.0", lambda row: row["procs"] == 6)
    goes_in(cluster, "-n10", user="bob")
    lines = cluster.scontrol("show", "node", "n[1-2]", "-o").stdout.splitlines()
    assert sum(int(parse_fields(line)["CPUAlloc"]) for line in lines) <= 2


# ---- time ----

def test_running_jobs_stay(cluster):
    """A running job stays in a window that begins, whether it is in force already or begins in a
    moment."""
    rules(cluster, "")
    job = cluster.sbatch("-t60", "-n2", "-w", "n1,n2", "-N2", user="bob")
    running(cluster, job)
    now = int(time.time())
    rules(cluster, "SRCFG[on] HOSTLIST=n1 USERLIST=amy %s\nSRCFG[soon] HOSTLIST=n2 USERLIST=amy %s\n"
          % (daily(now - HOUR, now + HOUR), daily(now + 5, now + HOUR)))
    wait_until(lambda: time.time() > now + 6, "it has begun")
    stays_out(cluster, "^Reservation on until", "-n1", "-w", "n1", user="bob")
    stays_out(cluster, "^Reservation soon until", "-n1", "-w", "n2", user="bob")
    seen = cluster.job(job)
    assert seen.state == "RUNNING" and seen.fields["Restarts"] == "0"
    assert goes_in(cluster, "-n3", "-w", "n1", user="amy") == ["n1"], "beside it"


def test_future_window(cluster):
    """A job that would overlap the window waits, and its reason has the longest time limit that
    fits; squeue --start shows the window's end."""
    now = int(time.time())
    begin, end = now + 33 * 60, now + 3 * HOUR
    rules(cluster, "SRCFG[night] HOSTLIST=n[1-4] USERLIST=amy %s\n" % daily(begin, end))
    job = cluster.sbatch("-t60", "-N1", user="bob")
    wait_reason(cluster, job, "^Reservation night from %s: fits before with -t (30|25)$"
                % time.strftime("%H:%M", time.localtime(begin)))
    wait_estimate(cluster, job, end)
    stays_pending(cluster, job)
    goes_in(cluster, "-n1", user="bob")
    hers = cluster.sbatch("-t60", "-N1", user="amy")
    running(cluster, hers)
    cluster.update(job, "timelimit=30")
    running(cluster, job)


def test_overlap_with_a_future_window(cluster):
    """TIMELIMIT limits the time inside the reservation."""
    now = int(time.time())
    rules(cluster, "SRCFG[short] HOSTLIST=n[1-4] TIMELIMIT=0:30:00 %s\n"
          % daily(now + 20 * 60, now + 3 * HOUR))
    job = cluster.sbatch("-t60", "-N1")
    wait_reason(cluster, job, "^Reservation short .*: TIMELIMIT 0?0?:?30:00; fits with -t 45")
    cluster.update(job, "timelimit=45")
    running(cluster, job)


ADJOINING = """
SRCFG[evening] TASKCOUNT=1 USERLIST=amy %s
SRCFG[morning] TASKCOUNT=1 USERLIST=amy %s
"""


def test_across_adjoining_windows(cluster):
    """Adjoining windows are on the same node, and a job runs from one into the other and beyond."""
    now = int(time.time())
    rules(cluster, ADJOINING % (daily(now - HOUR, now + 600), daily(now + 600, now + 1200)))
    job = cluster.sbatch("-t60", "-N1", "--exclusive", user="amy")
    running(cluster, job)
    hers = nodes_of(cluster, job)
    cluster.run("scancel", str(job))
    cluster.wait_over(job)
    stays_out(cluster, "^Reservation (evening|morning)", "-n1", "-w", hers[0], user="bob")
    assert len(goes_in(cluster, "-N3", "--exclusive", user="bob")) == 3


# ---- kinds of jobs ----

def test_arrays_and_wide_jobs(cluster):
    rules(cluster, HERS)
    array = cluster.sbatch("-t30", "-n4", "-N1", "--array=1-4", user="amy")
    wait_until(lambda: [job.state for job in tasks_of(cluster, array)] == ["RUNNING"] * 4,
               "all tasks run")
    cluster.cancel_all()
    array = cluster.sbatch("-t30", "-N1", "--exclusive", "--array=1-4", user="bob")
    wait_until(lambda: sorted(job.state for job in tasks_of(cluster, array)) ==
               ["PENDING", "RUNNING", "RUNNING"], "tasks outside run")
    rest = [job for job in tasks_of(cluster, array) if job.state == "PENDING"]
    wait_reason(cluster, rest[0].id, "^Resources: needs 1 whole node, 0 free, 2 reserved by hers$")
    assert goes_in(cluster, "-N2", "--ntasks-per-node=3", user="amy") == ["n1", "n2"]
    stays_out(cluster, "^Reservation hers: user bob", "-N1", "-w", "n2", user="bob")


PARTS = """
SRCFG[parts] HOSTLIST=n3 TASKCOUNT=2 RESOURCES=PROCS:1;MEM:1500 PERIOD=INFINITY USERLIST=amy
"""


def test_memory_and_gres_inside(cluster):
    """The amounts of a task are the reservation's: one job may use memory and gres of several
    tasks."""
    rules(cluster, PARTS)
    on = ("-w", "n3", "-n1")
    stays_out(cluster, "^Reservation parts: user bob not admitted", *on, "--mem=1200", user="bob")
    goes_in(cluster, *on, "--mem=900", user="bob")
    goes_in(cluster, *on, "--mem=2800", "--gres=widget:1", user="amy")
    goes_in(cluster, *on, "--mem=50", "--gres=widget:1", user="amy")
    stays_out(cluster, "^Resources", *on, "--mem=50", "--gres=widget:1", user="amy")


# ---- reasons ----

def in_three_days():
    return DAYS[(DAYS.index(today()) + 3) % 7]


DECIDES = """
SRCFG[jupiter] HOSTLIST=n4 PERIOD=INFINITY ACCOUNTLIST=jupiter
SRCFG[small] HOSTLIST=n3 TASKCOUNT=1 RESOURCES=PROCS:2;MEM:100 PERIOD=INFINITY USERLIST=steve,bob
SRCFG[far] HOSTLIST=n2 DAYS=%s DEPTH=1 USERLIST=bob
"""


AHEAD = "^Priority: [0-9]+ jobs? (is|are) ahead in partition [a-z0-9]+"


def test_reason_names_the_deciding_reservation(cluster):
    """A permanent reservation is not the reason of a job that waits for other jobs to end."""
    rules(cluster, DECIDES % in_three_days())
    stays_out(cluster, "^Reservation jupiter: job without account not admitted", "-N4", user="bob")
    stays_out(cluster, "^Reservation small: job needs 300 MB of a node, it has 100$",
              "--reservation=small", "-n1", "--mem=300", user="bob")
    stays_out(cluster, "^Reservation far from [0-9]+ [A-Z][a-z]+ 00:00: not begun$",
              "--reservation=far", "-n1", user="bob")
    goes_in(cluster, "-N3", "-n12", user="bob")
    first = cluster.sbatch("-t60", "-n1", user="bob")
    wait_reason(cluster, first, "^Resources: needs 1 node, 0 free, 1 reserved by jupiter$")
    wait_reason(cluster, cluster.sbatch("-t70", "-n5", user="bob"),
                AHEAD + "; needs 2 nodes, 0 free, 1 reserved$")
    wait_reason(cluster, cluster.sbatch("-t70", "-n4", "-w", "n2", user="bob"),
                AHEAD + "; needs 1 node, 0 free$")
    wait_reason(cluster, cluster.sbatch("-t70", "-n13", user="bob"),
                "^Reservation jupiter: job without account not admitted")


# ---- the first start ----

FIRST = """
NODEALLOCATIONPOLICY FIRSTAVAILABLE
SRCFG[low] TASKCOUNT=2 PERIOD=INFINITY USERLIST=amy
SRCFG[high] TASKCOUNT=1 PERIOD=INFINITY USERLIST=steve PRIORITY=9
SRCFG[later] TASKCOUNT=4 USERLIST=bob %s
"""
NODES = ("n1", "n2", "n3", "n4")


def places(cluster):
    """{reservation: nodes}."""
    rows = json.loads(maui(cluster, "showres", "-n", "--json").stdout)["reservations"]
    return {row["name"]: hosts(row) for row in rows}


def states_of(cluster):
    return set(cluster.run("sinfo", "-h", "-N", "-o", "%T").stdout.split())


def first_start(cluster, lines):
    """Starts slurmctld without a state, before any node has answered."""
    cluster.minicluster("stop", "slurmctld", *NODES)
    shutil.rmtree(os.path.join(cluster.dir, "state"))
    os.mkdir(os.path.join(cluster.dir, "state"))
    cluster.write_maui_cfg(CFG + lines)
    cluster.start()
    wait_iterations(cluster)


def test_before_any_node_has_answered(cluster):
    """Reservations in force get their nodes by PRIORITY even then, and keep them; later ones take
    none of them."""
    now = int(time.time())
    first_start(cluster, FIRST % daily(now + HOUR, now + 2 * HOUR))
    assert states_of(cluster) == {"unknown"}, "nobody has answered"
    early = places(cluster)
    names = early["high.0"] + early["low.0"] + early["later.0"]
    assert sorted(names) == sorted(NODES) and len(early["low.0"]) == 2, early
    cluster.minicluster("start", *NODES)
    wait_until(lambda: states_of(cluster) <= {"idle", "reserved"}, "all have answered")
    wait_iterations(cluster)
    late = places(cluster)
    assert early == late, (early, late)
