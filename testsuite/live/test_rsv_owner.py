# SPDX-License-Identifier: GPL-2.0-or-later
"""Reservations that somebody owns, that end by themselves, and that do something: OWNERPREEMPT,
idle time and who pays for it, SINGLEUSE, IDLETIME, TRIGGER.

Rules: FS-3, RSV-12, RSV-14, RSV-15, RSV-26.
"""

import glob
import os
import re
import time

import pytest
from cluster import wait_until
from fairshare import summed
from reservations import (ask, hosts, install, mirrors, release_all, setres, shown, wait_gone,
                          not_at_midnight, wait_shown)
from starts import (CONF, nodes_of, running, stays_pending, wait_estimate, wait_iterations,
                    wait_reason)

CFG = """
RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 0
FSPOLICY DEDICATEDPS
FSINTERVAL 24:00:00
FSWEIGHT 1
FSUSERWEIGHT 1
"""


@pytest.fixture(scope="module")
def whole(clusters):
    return install(clusters(CFG, CONF, nodes=4))


@pytest.fixture
def cluster(whole):
    yield whole
    whole.cancel_all()
    release_all(whole)


def job(cluster, user, *options, **keywords):
    return cluster.sbatch("-t5", "-n4", *options, user=user, **keywords)


# ---- owners ----

def test_owner_preempts_others_inside(cluster):
    """Only the owner's jobs preempt, and only inside the reservation, whichever users it admits."""
    name = setres(cluster, "-u", "steve:bob:john", "-o", "steve", "-x", "OWNERPREEMPT", "n1")
    guest, other = job(cluster, "bob", "-wn1"), job(cluster, "bob", "-wn2")
    running(cluster, guest, other)
    waits = [job(cluster, "john", "-wn1", "--priority=500"),
             job(cluster, "steve", "-wn2", "--priority=500")]
    stays_pending(cluster, *waits)
    owners = job(cluster, "steve", "-wn1", "--priority=1000")
    running(cluster, owners)
    assert nodes_of(cluster, owners) == ["n1"]
    seen = cluster.job(guest)
    assert seen.state == "PENDING" and seen.fields["Restarts"] == "1", seen
    assert cluster.job(other).state == "RUNNING"
    assert name in shown(cluster)


def owned(cluster):
    """Starts a job of bob inside steve's reservation on n1; returns its id."""
    setres(cluster, "-u", "steve:bob", "-o", "steve", "-x", "OWNERPREEMPT", "n1")
    guest = job(cluster, "bob", "-wn1", "--mem=1000")
    running(cluster, guest)
    return guest


def test_owner_behind_a_blocked_job(cluster):
    """The owner's job starts, though a job of higher priority waits for other nodes; that job
    starts as early as without the owner's."""
    guest = owned(cluster)
    others = [job(cluster, "john", "-wn%d" % node) for node in (2, 3, 4)]
    ends = [one.end for one in running(cluster, *others)]
    first = cluster.sbatch("-t5", "-N3", "-n12", "-wn[2-4]", "--priority=5000", user="john")
    assert sorted(wait_estimate(cluster, first, max(ends))) == ["n2", "n3", "n4"]
    wait_iterations(cluster)
    owners = job(cluster, "steve", "-wn1", "--priority=1000")
    running(cluster, owners)
    assert cluster.job(guest).fields["Restarts"] == "1"
    wait_estimate(cluster, first, max(ends))
    cluster.run("scancel", *map(str, others))
    running(cluster, first)


def test_owner_does_not_delay_a_job_reservation(cluster):
    """On nodes of a job reservation of higher priority the owner's job runs only if it ends
    before."""
    guest = owned(cluster)
    end = cluster.job(guest).end
    first = job(cluster, "bob", "-wn1", "--priority=5000")
    wait_estimate(cluster, first, end)
    owners = job(cluster, "steve", "-wn1", "--priority=1000", "-t10")
    wait_reason(cluster, owners, "^(Priority|Resources)")
    stays_pending(cluster, owners)
    assert cluster.job(guest).state == "RUNNING"
    cluster.update(owners, "timelimit=2")  # estimates of less than a minute are rounded
    running(cluster, owners)
    assert cluster.job(guest).fields["Restarts"] == "1"
    wait_estimate(cluster, first, cluster.job(owners).end)


def test_owner_suspends(cluster):
    """PREEMPTPOLICY SUSPEND: the other job is suspended and resumes afterwards, without a
    restart."""
    cluster.reconfigure(CFG + "PREEMPTPOLICY SUSPEND\n")
    guest = owned(cluster)
    began = cluster.job(guest).start
    owners = job(cluster, "steve", "-wn1", "--priority=1000", "--mem=1000")
    running(cluster, owners)
    seen = cluster.wait_state(guest, "SUSPENDED")
    assert nodes_of(cluster, owners) == ["n1"] and seen.fields["Restarts"] == "0"
    wait_iterations(cluster)
    assert cluster.job(guest).state == "SUSPENDED"
    cluster.run("scancel", str(owners))
    cluster.wait_state(guest, "RUNNING")
    assert cluster.job(guest).start == began
    cluster.reconfigure(CFG)


def test_owner_of_some_processors(cluster):
    """Only a job on the reserved processors is preempted, not a job on other processors of the
    node."""
    name = setres(cluster, "-u", "steve", "-o", "steve", "-x", "OWNERPREEMPT", "-r", "PROCS=2",
                  "--attr", "TASKCOUNT=1", "n1")
    beside = cluster.sbatch("-t5", "-n2", "-wn1", user="bob")
    running(cluster, beside)
    owners = job(cluster, "steve", "-N1", "-wn1", "--priority=1000")
    stays_pending(cluster, owners)
    seen = cluster.job(beside)
    assert seen.state == "RUNNING" and seen.fields["Restarts"] == "0", seen
    cluster.run("scancel", str(owners))
    running(cluster, cluster.sbatch("-t5", "-n2", "-wn1", user="steve"))
    assert cluster.job(beside).state == "RUNNING" and name in shown(cluster)


# ---- PREEMPTEE, FORCE ----

def test_preemptee_admits_preemptors(cluster):
    """PREEMPTEE admits preemptors to the reservation, and no job is preempted for them."""
    cluster.reconfigure(CFG + "QOSCFG[now] QFLAGS=PREEMPTOR\nQOSCFG[low] QFLAGS=PREEMPTEE\n")
    setres(cluster, "-u", "bob", "-x", "PREEMPTEE", "n1")
    setres(cluster, "-u", "bob", "n2")
    plain = job(cluster, "steve", "-wn1")
    wait_reason(cluster, plain, "^Reservation .*user steve not admitted")
    closed = job(cluster, "steve", "-wn2", "--qos=now")
    wait_reason(cluster, closed, "^Reservation .*user steve not admitted")
    urgent = job(cluster, "steve", "-wn1", "--qos=now")
    running(cluster, urgent)
    stays_pending(cluster, plain, closed)
    cluster.reconfigure(CFG)


def test_force(cluster):
    """FORCE reserves nodes where jobs run; running jobs stay, later ones are not admitted."""
    theirs = job(cluster, "john", "-wn1", "-t60")
    running(cluster, theirs)
    line = "SRCFG[all] TASKCOUNT=4 PERIOD=INFINITY USERLIST=steve FLAGS=%s\n"
    cluster.reconfigure(CFG + line % "BESTEFFORT")
    assert hosts(wait_shown(cluster, "all.0")) == ["n2", "n3", "n4"]
    cluster.reconfigure(CFG + line % "FORCE")
    wait_shown(cluster, "all.0", lambda seen: hosts(seen) == ["n1", "n2", "n3", "n4"])
    seen = cluster.job(theirs)
    assert seen.state == "RUNNING" and seen.fields["Restarts"] == "0"
    cluster.run("scancel", str(theirs))
    cluster.wait_over(theirs)
    out = job(cluster, "john", "-wn1")
    wait_reason(cluster, out, "^Reservation all: user john not admitted")
    running(cluster, job(cluster, "steve", "-wn1"))
    cluster.reconfigure(CFG)


def bill(cluster, name):
    """The lines of one reservation as dicts."""
    names = "from until reservation day account owner reserved used idle".split()
    rows = []
    for path in glob.glob(os.path.join(cluster.state, "idle.*")):
        assert re.fullmatch(r"idle\.20\d{4}", os.path.basename(path)), path
        assert os.stat(path).st_mode & 0o777 == 0o600
        with open(path, encoding="ascii") as lines:
            rows += [dict(zip(names, line.rstrip("\n").split("\t"))) for line in lines
                     if not line.startswith("#")]
    return [row for row in rows if row["reservation"] == name]


def test_idle_time_is_charged(cluster):
    """Idle time is charged to the owner's fairshare usage, and logged for the account."""
    cluster.stop()  # saves what was charged so far
    usage = summed(cluster.state)[0]
    cluster.start()
    wait_until(lambda: cluster.run("sinfo", "-h", "-n", "n1", "-o", "%t").stdout.strip() == "idle",
               "n1 has answered")
    name = setres(cluster, "-n", "paid", "-u", "steve", "-o", "john", "-c", "physics", "-d", "9",
                  "n1")
    inside = cluster.sbatch("-t5", "-n1", "-wn1", command="sleep 3")
    wait_gone(cluster, name)
    cluster.wait_over(inside)
    ran = cluster.job(inside).run_time
    lines = wait_until(lambda: bill(cluster, name), "a line for " + name)
    assert {(row["account"], row["owner"], row["day"]) for row in lines} == \
        {("physics", "USER:john", "0")}
    total = {key: sum(int(row[key]) for row in lines) for key in ("reserved", "used", "idle")}
    length = int(lines[-1]["until"]) - int(lines[0]["from"])
    assert 6 <= length <= 9, lines
    assert total["reserved"] == 4 * length
    # a second may begin while the node is cleaned up after the job: not charged
    assert 0 <= 4 * length - total["used"] - total["idle"] <= 4, total
    assert abs(total["used"] - ran) <= 2, (total, ran)
    cluster.stop()
    now = summed(cluster.state)[0]
    cluster.start()
    charged = {user: now.get(("user", user), 0) - usage.get(("user", user), 0)
               for user in ("john", "steve")}
    assert abs(charged["john"] - total["idle"]) < 0.01, (charged, total)
    assert abs(charged["steve"] - ran) <= 1, (charged, ran)
    wait_iterations(cluster)
    assert bill(cluster, name) == lines, "written down once"


def lasts(cluster):
    """Waits until the reservation has a whole second of idle time."""
    wait_iterations(cluster)
    until = time.time() + 2
    wait_until(lambda: time.time() >= until, "two seconds")


def test_change_of_chargeaccount(cluster):
    """Another account pays from the moment when CHARGEACCOUNT names it; idle time that cannot be
    logged is kept, over a restart too."""
    not_at_midnight()
    name = setres(cluster, "-n", "moves", "-u", "steve", "-c", "physics", "n1")
    lasts(cluster)
    path = os.path.join(cluster.state, time.strftime("idle.%Y%m"))
    if os.path.exists(path):
        os.remove(path)
    os.mkdir(path)
    mark = cluster.log_size()
    changed = time.time()
    ask(cluster, "setres", "-n", name, "-c", "chemistry", "-o", "john")
    cluster.wait_log("idle time .* is not written down: .*idle", mark)
    lasts(cluster)
    release_all(cluster)
    cluster.restart()
    assert len(re.findall("is not written down", cluster.log_since(mark))) <= 2, "and once more"
    os.rmdir(path)
    lines = wait_until(lambda: bill(cluster, name), "lines for " + name)
    assert [(row["account"], row["owner"]) for row in lines] == \
        [("physics", "-"), ("chemistry", "USER:john")], lines
    assert lines[0]["until"] == lines[1]["from"]
    assert abs(int(lines[1]["from"]) - changed) <= 2, (lines, changed)
    for row in lines:
        length = int(row["until"]) - int(row["from"])
        assert length > 0 and int(row["reserved"]) == 4 * length, lines


def test_short_jobs_are_use(cluster):
    """Jobs of half a second, one after another, count as use from their start."""
    array = job(cluster, "steve", "-wn1", "--array=1-60", command="sleep 0.5")
    wait_until(lambda: cluster.run("squeue", "-h", "-tR", "-j", str(array)).stdout, "the first")
    name = setres(cluster, "-n", "short", "-u", "steve", "-c", "physics", "-d", "6", "n1")
    wait_gone(cluster, name)
    lines = wait_until(lambda: bill(cluster, name), "a line for " + name)
    used, idle = [sum(int(row[key]) for row in lines) for key in ("used", "idle")]
    assert used > 2 * idle, lines


# ---- SINGLEUSE, IDLETIME ----

def test_single_use(cluster):
    """A SINGLEUSE reservation waits for its first job and ends with it."""
    name = setres(cluster, "-u", "steve", "-x", "SINGLEUSE", "n1")
    waits = job(cluster, "bob", "-wn1")
    wait_reason(cluster, waits, "^Reservation " + name)
    wait_iterations(cluster)
    assert name in shown(cluster)
    first = job(cluster, "steve", "-wn1", command="sleep 1")
    cluster.wait_over(first)
    running(cluster, waits)
    wait_gone(cluster, name)
    for _ in range(4):  # the job ends before the next iteration
        name = setres(cluster, "-u", "steve", "-x", "SINGLEUSE", "n2")
        cluster.wait_over(job(cluster, "steve", "-wn2", command="true"))
        wait_gone(cluster, name)


def test_single_use_admits_no_second_job(cluster):
    """Jobs that wait behind the first job are not admitted after it."""
    for seconds in ("0", "1"):
        name = setres(cluster, "-u", "steve", "-x", "SINGLEUSE", "n3")
        # held: the reservation must not be used, and gone, before the last one is submitted
        first, *rest = [job(cluster, "steve", "-wn3", "--exclusive", "--reservation=" + name,
                            "--hold", command="sleep " + seconds) for _ in range(3)]
        cluster.scontrol("release", ",".join(map(str, (first, *rest))))
        cluster.wait_over(first)
        wait_gone(cluster, name)
        wait_iterations(cluster)
        assert {cluster.job(one).state for one in rest} == {"PENDING"}
        cluster.run("scancel", *map(str, rest))


def test_single_use_with_suspended_and_requeued_jobs(cluster):
    """A suspended or requeued job has not ended, so the reservation stays."""
    names = [setres(cluster, "-u", "steve", "-x", "SINGLEUSE", node) for node in ("n1", "n2")]
    sleeps, again = [job(cluster, "steve", "-w", node) for node in ("n1", "n2")]
    running(cluster, sleeps, again)
    cluster.scontrol("suspend", str(sleeps))
    cluster.wait_state(sleeps, "SUSPENDED")
    cluster.scontrol("requeuehold", str(again))
    cluster.wait_state(again, "PENDING")
    cluster.restart()
    wait_iterations(cluster, 2)
    assert set(names) <= set(shown(cluster))
    cluster.scontrol("resume", str(sleeps))
    cluster.run("scancel", str(sleeps), str(again))
    for name in names:
        wait_gone(cluster, name)


def test_single_use_ends_only_the_used_reservation(cluster):
    """Only the reservation that the job used ends: neither another one on the node, nor one too
    short for the job."""
    long = job(cluster, "steve", "-wn2", command="sleep 1000")
    running(cluster, long)
    short = setres(cluster, "-u", "steve", "-x", "SINGLEUSE", "--attr", "TIMELIMIT=0:01:00*", "n2")
    pair = [setres(cluster, "-u", "steve", "-x", "SINGLEUSE", "-r", "PROCS=2", "--attr",
                   "TASKCOUNT=1", "n1") for _ in range(2)]
    first = cluster.sbatch("-t5", "-n2", "-wn1", user="steve", command="sleep 1000")
    running(cluster, first)
    wait_iterations(cluster)
    cluster.run("scancel", str(first), str(long))
    wait_until(lambda: len(set(pair) & set(shown(cluster))) < 2, "one is released")
    wait_iterations(cluster)
    left = shown(cluster)
    assert short in left and len(set(pair) & set(left)) == 1, left


def test_limits_go_by_what_a_job_asked_for(cluster):
    """A running job stays inside the reservation that admitted it, even if Slurm gave it more or
    changed its record, and after a restart."""
    few = setres(cluster, "-r", "PROCS=4", "-x", "SINGLEUSE", "--attr", "TASKCOUNT=1", "--attr",
                 "TASKLIMIT=2", "n1")
    lone = setres(cluster, "-r", "PROCS=1", "-x", "SINGLEUSE:DEDICATEDNODE", "--attr",
                  "TASKCOUNT=1", "--attr", "PROCLIMIT=1", "n2")
    odd = setres(cluster, "-x", "SINGLEUSE", "--attr", "TASKLIMIT=3", "n[3-4]")
    jobs = [cluster.sbatch("-t5", *options, user="steve") for options in (
        ("-n2", "-c2", "-wn1"), ("-n1", "--exclusive", "-wn2"),
        ("-n3", "-N2", "--ntasks-per-node=2", "-wn[3-4]"))]
    running(cluster, *jobs)
    for again in (False, True):
        if again:
            cluster.restart()
            wait_iterations(cluster)
        wait_shown(cluster, few, lambda one: one["used_procs"] == 4)
        wait_shown(cluster, lone, lambda one: one["used_procs"] == one["procs"] == 4)
        wait_shown(cluster, odd, lambda one: one["used_procs"] >= 3)
    cluster.run("scancel", *map(str, jobs))
    for name in (few, lone, odd):
        wait_gone(cluster, name)


def test_idle_time(cluster):
    """IDLETIME ends a reservation after uninterrupted idle time; memory counts as use like
    processors."""
    inside = [job(cluster, "steve", "-wn" + node, "--mem=500") for node in "134"]
    running(cluster, *inside)
    memory = ("-u", "steve", "-r", "MEM=1000", "--attr", "TASKCOUNT=1")
    kept = [setres(cluster, "-u", "steve", "--attr", "IDLETIME=3", "n1"),
            setres(cluster, *memory, "--attr", "IDLETIME=3", "n3")]
    idle = setres(cluster, "-u", "john", "--attr", "IDLETIME=3", "n2")
    single = setres(cluster, *memory, "-x", "SINGLEUSE", "n4")
    wait_gone(cluster, idle)
    wait_iterations(cluster)
    assert set(kept) | {single} <= set(shown(cluster))
    cluster.run("scancel", *map(str, inside))
    for name in (*kept, single):
        wait_gone(cluster, name)


# ---- triggers ----

def program(cluster, name, *lines):
    """Writes a program and returns its path."""
    path = os.path.join(cluster.base, name)
    with open(path, "w", encoding="ascii") as out:
        out.write("\n".join(["#!/bin/sh", *lines, ""]))
    os.chmod(path, 0o755)
    return path


def trigger(text):
    return ["--attr", "TRIGGER=" + text]


def test_exec(cluster):
    """A program knows its reservation by its environment; its output appears in the log at once,
    without an iteration; the log says how it failed."""
    cluster.reconfigure(CFG.replace("RMPOLLINTERVAL 1", "RMPOLLINTERVAL 600"))
    go = os.path.join(cluster.base, "go")
    path = program(cluster, "say;$HOME", "echo for $MAUI_RESERVATION $MAUI_RESERVATION_DAY "
                   "$MAUI_EVENT as $(id -u) in $(pwd) given $# $0", "echo more >&2",
                   "while [ ! -e %s ]; do sleep 0.1; done" % go, "echo last", "exit 3")
    mark = cluster.log_size()
    name = setres(cluster, "-d", "600", *trigger("start;exec@" + path), "n1")
    says = "slurm-maui: reservation %s: %s: " % (re.escape(name), re.escape(path))
    cluster.wait_log(says + re.escape("for %s 0 start as 0 in / given 0 %s" % (name, path)), mark)
    cluster.wait_log(says + "more", mark)
    assert "last" not in cluster.log_since(mark)
    with open(go, "w", encoding="ascii"):
        began = time.monotonic()
    cluster.wait_log(says + "last", mark)
    cluster.wait_log(says + "exit status 3", mark)
    assert time.monotonic() - began < 4
    cluster.reconfigure(CFG)


def test_untrusted_programs(cluster):
    """A program that another user could modify is not run as SlurmUser."""
    path = program(cluster, "evil", "echo evil ran")
    os.chmod(path, 0o777)
    mark = cluster.log_size()
    for action in ("exec", "submit"):
        setres(cluster, "-d", "600", *trigger("start;%s@%s" % (action, path)), "n1")
        cluster.wait_log("evil: its group or everybody may write to it", mark)
        mark = cluster.log_size()
    assert "evil ran" not in cluster.log_since(0)


def test_programs_wait_until_the_state_is_saved(cluster):
    """With a full disk a program waits until the state is saved; a program that another user can
    write to by then is not run."""
    saved, evil = [program(cluster, name, "echo $0 was here") for name in ("saved", "changed")]
    full = os.path.join(cluster.state, "state.json.new")
    os.mkdir(full)
    mark = cluster.log_size()
    for path in (saved, evil):
        name = setres(cluster, *trigger("create;exec@" + path), "n1")
        cluster.wait_log("reservation %s: trigger create: exec" % name, mark)
    wait_iterations(cluster, 2)
    assert "was here" not in cluster.log_since(mark)
    os.chmod(evil, 0o777)
    os.rmdir(full)
    cluster.wait_log("saved: .*/saved was here", mark)
    cluster.wait_log("changed: its group or everybody may write to it", mark)
    wait_iterations(cluster)
    assert len(re.findall("was here", cluster.log_since(mark))) == 1


def begun(cluster, mark):
    """The programs turn0, turn1, ... that have written to the log."""
    return re.findall(r"turn(\d+): begins", cluster.log_since(mark))


def test_more_programs_than_run_at_once(cluster):
    """Eight programs run at a time, the others when these end, each once, without an iteration."""
    cluster.reconfigure(CFG.replace("RMPOLLINTERVAL 1", "RMPOLLINTERVAL 600"))
    go = os.path.join(cluster.base, "go-on")
    paths = [program(cluster, "turn%d" % i, "echo begins", "while [ ! -e %s ]; do sleep 0.1; done" % go)
             for i in range(12)]
    mark = cluster.log_size()
    setres(cluster, *[word for path in paths for word in trigger("create;exec@" + path)], "n1")
    cluster.wait_log("8 programs of triggers run: others wait for a place", mark)
    wait_until(lambda: len(begun(cluster, mark)) == 8, what="eight programs")
    with open(go, "w", encoding="ascii"):
        pass
    wait_until(lambda: len(begun(cluster, mark)) == 12, what="the others")
    wait_until(lambda: cluster.log_since(mark).count(": done") == 12, what="their ends")
    assert sorted(begun(cluster, mark)) == sorted(map(str, range(12)))
    cluster.reconfigure(CFG)


def test_events(cluster):
    """create fires at once, start at the begin and an offset later, end at the end, each once."""
    path = program(cluster, "when", "echo $MAUI_EVENT at $(date +%s)")
    mark = cluster.log_size()
    options = [word for event in ("create", "start", "start+3", "end")
               for word in trigger("%s;exec@%s" % (event, path))]
    name = setres(cluster, "-s", "+3", "-d", "5", *options, "n1")
    made = shown(cluster)[name]
    cluster.wait_log("when: end at ", mark)
    wait_gone(cluster, name)
    wait_iterations(cluster)
    assert "reservation %s: trigger start+3: exec " % name in cluster.log_since(mark)
    times = {}
    for event, moment in re.findall(r"when: (\w+) at (\d+)", cluster.log_since(mark)):
        times.setdefault(event, []).append(int(moment))
    assert {event: len(moments) for event, moments in times.items()} == \
        {"create": 1, "start": 2, "end": 1}, times
    first, second = times["start"]
    assert times["create"][0] < made["start"] <= first < made["start"] + 3 <= second, times
    assert made["end"] <= times["end"][0], times


def test_end_of_a_released_reservation(cluster):
    path = program(cluster, "bye", "echo bye from $MAUI_RESERVATION")
    mark = cluster.log_size()
    name = setres(cluster, "-s", "+1:00:00", *trigger("end;exec@" + path), "n1")
    ask(cluster, "releaseres", name)
    cluster.wait_log("bye: bye from " + name, mark)
    wait_gone(cluster, name)


def test_each_trigger_fires_once_though_lists_change(cluster):
    """After --undo, or with another TRIGGER before the others, only triggers that have not fired
    fire; setres replaces a trigger."""
    fires = {name: "TRIGGER=start;exec@" + program(cluster, name, "echo $0 in $MAUI_RESERVATION")
             for name in ("ape", "bee", "cat")}
    line = "SRCFG[sr] HOSTLIST=n3 PERIOD=DAY %s\n"
    not_at_midnight()
    mark = cluster.log_size()
    cluster.reconfigure(CFG + line % fires["ape"])
    cluster.wait_log("ape: done", mark)
    wait_shown(cluster, "sr.0")
    ask(cluster, "releaseres", "sr.0")
    wait_gone(cluster, "sr.0")
    ask(cluster, "releaseres", "--undo", "sr.0")
    wait_shown(cluster, "sr.0")
    cluster.reconfigure(CFG + line % (fires["bee"] + " " + fires["ape"]))
    cluster.wait_log("bee: done", mark)
    name = setres(cluster, "-n", "z", "--attr", fires["ape"], "n4")
    cluster.wait_log("/ape in " + name, mark)
    setres(cluster, "-n", name, "--attr", fires["cat"])
    cluster.wait_log("cat: done", mark)
    wait_iterations(cluster)
    seen = re.findall(r"/(ape|bee|cat) in (\S+)", cluster.log_since(mark))
    assert sorted(seen) == [("ape", "sr"), ("ape", name), ("bee", "sr"), ("cat", name)]
    cluster.reconfigure(CFG)


def test_minload_cancels(cluster):
    """minload fires after two seconds of less than half use: not while a job is inside, and not for
    a used reservation."""
    options = trigger("minload+2@0.5;cancel")
    used, left = [setres(cluster, "-u", "steve", *options, node) for node in ("n1", "n2")]
    jobs = [job(cluster, "steve", "-w", node) for node in ("n1", "n2")]
    running(cluster, *jobs)
    time.sleep(3)
    assert {used, left} <= set(shown(cluster))
    cluster.run("scancel", str(jobs[1]))
    wait_gone(cluster, left)
    assert used in shown(cluster)
    running(cluster, job(cluster, "bob", "-wn2"))


def test_submit(cluster):
    """submit starts a batch script as a job of SlurmUser."""
    path = program(cluster, "batch", "#SBATCH --job-name=triggered --output=/dev/null -wn2 -t1",
                   "sleep 60")
    mark = cluster.log_size()
    name = setres(cluster, *trigger("create;submit@" + path), "n1")
    found = cluster.wait_log(re.escape(name) + r": .*Submitted batch job (\d+)", mark)
    seen = cluster.wait_state(int(found.group(1)), "RUNNING")
    assert seen.fields["JobName"] == "triggered" and seen.user == "root"


def test_programs_that_cannot_run(cluster):
    """The log reports a program that cannot run, and the reservation stays in force."""
    mark = cluster.log_size()
    name = setres(cluster, "-u", "steve", *trigger("create;exec@/nosuch/program"), "n1")
    cluster.wait_log("error: slurm-maui: reservation %s: .*/nosuch.*: No such file" % name,
                     mark)
    running(cluster, job(cluster, "steve", "-wn1"))


def test_each_trigger_fires_once_over_restarts(cluster):
    """A fired trigger does not fire again after a crash; a running program ends with slurmctld."""
    path = program(cluster, "long", "echo pid $$", "exec sleep 1000")
    # slurmctld dies before it looks at what the program did
    kill = program(cluster, "kill", "kill -9 $PPID", "echo $$ >> %s" %
                   os.path.join(cluster.base, "ran"))
    mark = cluster.log_size()
    once = setres(cluster, "-n", "once", "-s", "+2", *trigger("start;exec@" + kill), "n1")
    wait_until(lambda: os.path.exists(os.path.join(cluster.base, "ran")), "the program")
    cluster.restart(kill=True)
    wait_shown(cluster, once)
    setres(cluster, "-n", "long", *trigger("create;exec@" + path), "n2")
    pid = int(cluster.wait_log(r"long: pid (\d+)", mark).group(1))
    cluster.stop()
    assert not os.path.exists("/proc/%d" % pid)
    assert re.search("long: ended, since slurmctld ends", cluster.log_since(mark))
    cluster.start()
    wait_shown(cluster, "long.1")
    wait_iterations(cluster)
    said = cluster.log_since(mark)
    for name in (once, "long.1"):
        assert len(re.findall("reservation %s: trigger " % name, said)) == 1, name


def test_a_crash_brings_no_mirror_back(cluster):
    """A mirror that slurmctld restores from an older state file is deleted again."""
    name = setres(cluster, "-u", "steve", "n1")
    assert mirrors(cluster)
    path = os.path.join(cluster.dir, "state", "resv_state")
    wait_until(lambda: b"maui.%s.0" % name.encode() in read(path), "Slurm's state")
    before = read(path)
    ask(cluster, "releaseres", name)
    wait_gone(cluster, name)
    cluster.stop(kill=True)
    with open(path, "wb") as out:
        out.write(before)
    cluster.start()
    wait_gone(cluster, name)


def read(path):
    with open(path, "rb") as data:
        return data.read()
