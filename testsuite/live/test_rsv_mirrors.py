# SPDX-License-Identifier: GPL-2.0-or-later
"""Standing reservations as scontrol shows them, their nodes, their names, and scontrol's own.

Rules: RSV-17, RSV-18.
"""

import contextlib
import json
import os
import re
import shutil
import time

import pytest
from cluster import wait_until
from starts import CFG, nodes_of, running, stays_pending, wait_reason
from windows import (CONF, HOUR, daily, made, maui, mirror_name, mirrors, noon,
                     wait_mirror, wait_no_mirror, wait_showres)

X = "SRCFG[x] HOSTLIST=n1 PERIOD=INFINITY USERLIST=amy\n"
FLOATS = "SRCFG[floats] TASKCOUNT=2 USERLIST=amy %s\n"


@pytest.fixture(scope="module")
def whole(clusters):
    with noon():
        yield clusters(CFG, CONF, nodes=4)


@pytest.fixture
def cluster(whole):
    """A cluster without jobs and reservations."""
    whole.reconfigure(CFG)
    wait_until(lambda: not mirrors(whole), "no reservation")
    yield whole
    whole.cancel_all()


def rules(cluster, lines):
    cluster.reconfigure(CFG + lines)


def goes_in(cluster, *options, user="steve"):
    job = cluster.sbatch("-t30", *options, user=user)
    running(cluster, job)
    return nodes_of(cluster, job)


def stays_out(cluster, pattern, *options, user="steve"):
    job = cluster.sbatch("-t30", *options, user=user)
    wait_reason(cluster, job, pattern)
    stays_pending(cluster, job)
    cluster.run("scancel", str(job))


def holds(cluster):
    """X does."""
    stays_out(cluster, "^Reservation x: user bob not admitted", "-n1", "-w", "n1", user="bob")


# ---- mirrors in scontrol ----

def test_scontrol_shows_mirrors(cluster):
    now = int(time.time())
    begin, end = now + 1800, now + 2 * HOUR
    rules(cluster, X + "SRCFG[later] HOSTLIST=n2,n3 USERLIST=amy %s\n" % daily(begin, end))
    later = wait_mirror(cluster, mirror_name("later", begin))
    assert (later.start, later.end, later.nodes) == (begin, end, ["n2", "n3"])
    x = wait_mirror(cluster, mirror_name("x", 0))
    assert x.nodes == ["n1"] and x.end > now + 300 * 24 * HOUR
    for mirror in (later, x):
        assert {"FLEX", "OVERLAP", "IGNORE_JOBS"} <= set(mirror.flags)
    wait_showres(cluster, "x.0", lambda row: row["mirror"] == x.name)
    wait_showres(cluster, "later.0", lambda row: (row["mirror"], row["start"], row["end"]) ==
                 (later.name, begin, end))


def test_deleted_or_changed_by_hand(cluster):
    """slurm-maui restores the mirror and names its SRCFG in the log; the job inside keeps
    running."""
    rules(cluster, X)
    before = wait_mirror(cluster, mirror_name("x", 0))
    inside = cluster.sbatch("-t30", "-n1", "-w", "n1", user="amy")
    running(cluster, inside)
    mark = cluster.log_size()
    cluster.scontrol("delete", "reservationname=" + before.name)
    after = wait_mirror(cluster, before.name)
    assert after.nodes == before.nodes
    cluster.wait_log(r"Slurm reservation %s was deleted outside slurm-maui: restored, because "
                     r"SRCFG\[x\]" % before.name, mark)
    for change, is_back in (("nodes=n3", lambda seen: seen.nodes == ["n1"]),
                            ("duration=5", lambda seen: seen.end > time.time() + 300 * 24 * HOUR),
                            ("users=bob", lambda seen: "bob" not in seen.fields["Users"])):
        mark = cluster.log_size()
        cluster.scontrol("update", "reservationname=" + before.name, change)
        cluster.wait_log(r"Slurm reservation %s was changed outside slurm-maui: restored, because "
                         r"SRCFG\[x\]" % before.name, mark)
        wait_mirror(cluster, before.name, is_back)
    holds(cluster)
    assert cluster.job(inside).state == "RUNNING"


def test_reservation_with_a_mirror_name_is_left_alone(cluster):
    name = mirror_name("x", 0)
    cluster.scontrol("create", "reservationname=" + name, "starttime=now", "duration=60",
                     "users=bob", "nodes=n4")
    mark = cluster.log_size()
    rules(cluster, X)
    cluster.wait_log("Slurm reservation %s is left alone" % name, mark)
    holds(cluster)
    seen = mirrors(cluster)[name]
    assert seen.nodes == ["n4"] and seen.fields["Users"] == "bob"
    cluster.scontrol("delete", "reservationname=" + name)
    wait_mirror(cluster, name, lambda mirror: mirror.nodes == ["n1"])


def warnings(cluster):
    return json.loads(maui(cluster, "showconfig", "--json").stdout)["warning_count"]


def test_a_slurm_reservation_named_as_a_srcfg_is_a_warning(cluster):
    """Once in the log; commands say it until one of them is gone."""
    said = r"warning: SRCFG\[x\]: Slurm has a reservation x, too: --reservation=x means Slurm's"
    rules(cluster, X)
    wait_mirror(cluster, mirror_name("x", 0))
    before, mark = warnings(cluster), cluster.log_size()
    cluster.scontrol("create", "reservationname=x", "starttime=now+1hour", "duration=60", "users=bob",
                     "nodes=n4")
    try:
        cluster.wait_log(said, mark)
        wait_until(lambda: re.search(said, maui(cluster, "diagnose", "-r").stdout), "diagnose -r")
        assert warnings(cluster) == before + 1
        cluster.sbatch("-t1", "-n1")
        cluster.wait_cycle()
        assert len(re.findall(said, cluster.log_since(mark))) == 1
    finally:
        cluster.scontrol("delete", "reservationname=x")
    wait_until(lambda: warnings(cluster) == before, "no warning")


def wait_slurm_saved(cluster, names):
    """A reservation that nobody uses tells the file of this moment from those before it. The file has
    to forget it as well: else it would be there again after a kill."""
    path = os.path.join(cluster.dir, "state", "resv_state")
    mark = "mark%d" % time.time_ns()

    def look(known, unknown):
        with contextlib.suppress(FileNotFoundError), open(path, "rb") as state:
            text = state.read()
            return (all(name.encode() in text for name in known) and
                    not any(name.encode() in text for name in unknown))
        return False
    cluster.scontrol("create", "reservationname=" + mark, "starttime=now+1day", "duration=1",
                     "users=root", "nodes=n1")
    wait_until(lambda: look([mark, *names], []), "slurmctld's reservations written")
    cluster.scontrol("delete", "reservationname=" + mark)
    wait_until(lambda: look(names, [mark]), "slurmctld's reservations written")


@pytest.mark.parametrize("how", ["restart", "kill", "reconfigure"])
def test_adopted(cluster, how):
    """After a restart inside a window the instance keeps its nodes, though others would be chosen
    now, and no mirror is made."""
    now = int(time.time())
    rules(cluster, "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n")
    job = cluster.sbatch("-t30", "-N1", "--exclusive", "-w", "n1")
    running(cluster, job)
    rules(cluster, "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n" + X.replace("n1", "n4") +
          FLOATS % daily(now - HOUR, now + HOUR))
    name = mirror_name("floats", now)
    wait_mirror(cluster, name, lambda mirror: mirror.nodes == ["n2", "n3"])
    wait_mirror(cluster, mirror_name("x", 0))
    cluster.cancel_all()
    before = {mirror.name: mirror.fields for mirror in mirrors(cluster).values()}
    if how == "kill":  # slurmctld writes them seconds later, so a kill may lose them
        wait_slurm_saved(cluster, before)
    mark = cluster.log_size()
    if how == "reconfigure":
        cluster.reconfigure()
    else:
        cluster.restart(kill=how == "kill")
    stays_out(cluster, "^Reservation floats until .*: user bob not admitted", "-n1", "-w", "n3",
              user="bob")
    assert {mirror.name: mirror.fields for mirror in mirrors(cluster).values()} == before
    assert not made(cluster, mark)
    assert not re.search("slurm-maui: .*restored", cluster.log_since(mark))
    assert goes_in(cluster, "-N1", "--exclusive", user="bob") == ["n1"]


def test_crash_restores_older_reservations(cluster):
    """slurmctld saves its reservations seconds after slurm-maui, so after a crash it has older
    ones."""
    now = int(time.time())
    name = mirror_name("y", now)
    rules(cluster, "SRCFG[y] HOSTLIST=n2 USERLIST=amy %s\n" % daily(now - HOUR, now + HOUR))
    wait_mirror(cluster, name)
    wait_slurm_saved(cluster, [name])
    rules(cluster, "")
    wait_no_mirror(cluster, name)
    rules(cluster, "SRCFG[y] HOSTLIST=n3 USERLIST=amy %s\n" % daily(now - HOUR, now + 2 * HOUR))
    wait_mirror(cluster, name, lambda mirror: mirror.nodes == ["n3"])
    cluster.restart(kill=True)
    wait_mirror(cluster, name, lambda mirror: mirror.nodes == ["n3"])
    assert goes_in(cluster, "-N1", "--exclusive", "-w", "n2", user="bob") == ["n2"]
    stays_out(cluster, "^Reservation y until", "-n1", "-w", "n3", user="bob")


def test_an_older_state_has_a_setres_whose_mirror_is_adopted(cluster):
    """Nobody is told first that it is left alone."""
    name = cluster.setres("-n", "late", "-u", "steve", "-d", "1:00:00", "n4")
    mirror = "maui.%s.0" % name
    wait_mirror(cluster, mirror)
    wait_slurm_saved(cluster, [mirror])
    cluster.stop(kill=True)
    with open(os.path.join(cluster.state, "state.json"), "r+", encoding="utf-8") as file:
        state = json.load(file)
        state["mirrors"] = []
        file.seek(0)
        file.truncate()
        json.dump(state, file)
    mark = cluster.log_size()
    cluster.start()
    cluster.wait_log("adopted Slurm reservation " + re.escape(mirror), mark)
    assert "is left alone" not in cluster.log_since(mark)
    cluster.maui("releaseres", name)
    wait_no_mirror(cluster, mirror)


def test_the_state_is_lost(cluster):
    """Each Slurm reservation with our prefix but without a SRCFG is left alone and named once."""
    name = mirror_name("x", 0)
    rules(cluster, X)
    wait_mirror(cluster, name)
    wait_slurm_saved(cluster, [name])
    cluster.scontrol("create", "reservationname=maui.theirs.0", "starttime=now", "duration=60",
                     "users=bob", "nodes=n4")
    cluster.stop()
    shutil.rmtree(cluster.state)
    cluster.write_maui_cfg(CFG)
    mark = cluster.log_size()
    try:
        cluster.start()
        for one in (name, "maui.theirs.0"):
            cluster.wait_log("error: slurm-maui: Slurm reservation %s is left alone: .* until "
                             "\"scontrol delete reservationname=%s\"" % (one, one), mark)
    finally:
        for one in (name, "maui.theirs.0"):
            cluster.scontrol("delete", "reservationname=" + one)
    cluster.wait_cycle()
    assert cluster.log_since(mark).count("is left alone") == 2


def test_the_state_is_lost_and_nothing_moves(cluster):
    """Each mirror is adopted with its nodes; Slurm reservations of users are left alone."""
    now = int(time.time())
    job = cluster.sbatch("-t30", "-N1", "--exclusive", "-w", "n1")
    running(cluster, job)
    theirs = mirror_name("x", 0)
    cluster.scontrol("create", "reservationname=" + theirs, "starttime=now+1day", "duration=60",
                     "users=bob", "nodes=n4", "flags=overlap")
    rules(cluster, "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n"
          "SRCFG[all] TASKCOUNT=8 RESOURCES=PROCS:1;MEM:10 PERIOD=INFINITY USERLIST=amy\n" +
          FLOATS.replace("=2", "=1") % daily(now - HOUR, now + HOUR))
    names = {mirror_name("all", 0): ["n2", "n3"], mirror_name("floats", now): ["n4"]}
    try:
        for name, nodes in names.items():
            wait_mirror(cluster, name, lambda mirror, nodes=nodes: mirror.nodes == nodes)
        cluster.cancel_all()
        before = {name: mirror.fields for name, mirror in mirrors(cluster).items()}
        wait_slurm_saved(cluster, before)
        cluster.stop()
        shutil.rmtree(cluster.state)
        with open(cluster.maui_cfg, "a", encoding="utf-8") as out:
            out.write(X)
        mark = cluster.log_size()
        cluster.start()
        for name in names:
            cluster.wait_log("adopted Slurm reservation %s: it shows SRCFG" % name, mark)
        cluster.wait_log("Slurm reservation %s is left alone" % theirs, mark)
        stays_out(cluster, "^Reservation all until|^Reservation all: ", "-n1", "-w", "n3",
                  user="bob")
        goes_in(cluster, "-N2", "--exclusive", "-w", "n[2-3]", user="amy")
        row = wait_showres(cluster, "all.0")
        assert (row["node_count"], row["missing_tasks"]) == (2, 0), row
        assert {name: mirror.fields for name, mirror in mirrors(cluster).items()} == before
        assert not made(cluster, mark)
        said = cluster.log_since(mark)
        assert said.count("is left alone") == 1
        rules(cluster, "")
        for name in names:  # ours as before
            wait_no_mirror(cluster, name)
    finally:
        cluster.scontrol("delete", "reservationname=" + theirs)


def test_taken_out_of_maui_cfg(cluster):
    now = int(time.time())
    rules(cluster, X + "SRCFG[y] HOSTLIST=n2 USERLIST=amy %s\n" % daily(now - HOUR, now + HOUR))
    wait_mirror(cluster, mirror_name("y", now))
    wait_mirror(cluster, mirror_name("x", 0))
    rules(cluster, X)
    wait_no_mirror(cluster, mirror_name("y", now))
    assert goes_in(cluster, "-N1", "--exclusive", "-w", "n2", user="bob") == ["n2"]
    holds(cluster)
    rules(cluster, "")
    wait_no_mirror(cluster, mirror_name("x", 0))
    assert goes_in(cluster, "-n1", "-w", "n1", user="bob") == ["n1"]


def test_reservationmirror(cluster):
    """RESERVATIONMIRROR NONE, CURRENT and ALL change the mirrors, not the admission."""
    now = int(time.time())
    lines = X + "SRCFG[later] HOSTLIST=n2 USERLIST=amy %s\n" % daily(now + 1200, now + HOUR)
    x, later = mirror_name("x", 0), mirror_name("later", now)
    for word, shown in (("ALL", {x, later}), ("CURRENT", {x}), ("NONE", set())):
        rules(cluster, lines + "RESERVATIONMIRROR %s\n" % word)
        wait_until(lambda: {name for name in mirrors(cluster) if name in (x, later)} == shown,
                   "RESERVATIONMIRROR " + word)
        holds(cluster)
        stays_out(cluster, "^Reservation later from", "-n1", "-w", "n2", user="bob")
        assert goes_in(cluster, "-n1", "-w", "n1", user="amy") == ["n1"]


# ---- nodes ----

def set_node(cluster, node, state):
    cluster.scontrol("update", "nodename=" + node, "state=" + state, "reason=test")


def test_a_node_goes_down(cluster):
    """A floating reservation leaves the node, a node-locked one stays."""
    now = int(time.time())
    rules(cluster, X + FLOATS % daily(now - HOUR, now + HOUR))
    name = mirror_name("floats", now)
    before = wait_mirror(cluster, name).nodes
    assert len(before) == 2 and "n1" not in before
    free = ({"n2", "n3", "n4"} - set(before)).pop()
    down = ["n1", before[0]]
    try:
        for node in down:
            set_node(cluster, node, "down")
        wait_mirror(cluster, name, lambda seen: sorted(seen.nodes) == sorted([free, before[1]]))
        assert mirrors(cluster)[mirror_name("x", 0)].nodes == ["n1"]
        stays_out(cluster, "^Reservation floats", "-n1", "-w", free, user="bob")
        assert goes_in(cluster, "-N2", "--exclusive", user="amy") == sorted([free, before[1]])
    finally:
        for node in down:
            set_node(cluster, node, "resume")
    holds(cluster)
    assert goes_in(cluster, "-n1", "-w", before[0], user="bob") == [before[0]]


def test_partial_reservation(cluster):
    """A partial reservation reports the missing tasks and the job that holds the nodes, and is
    completed when that job ends."""
    job = cluster.sbatch("-t60", "-N1", "--exclusive", "-w", "n2", user="bob")
    running(cluster, job)
    now = int(time.time())
    rules(cluster, (FLOATS % daily(now - HOUR, now + HOUR)).replace("=2", "=4"))
    row = wait_showres(cluster, "floats.0", lambda seen: seen["missing_tasks"] == 1)
    assert row["node_count"] == 3 and "job %d" % job in row["held_by"], row
    why = "1 of 4 tasks missing: job %d holds n2; raise DEPTH of SRCFG[floats] to have nodes " \
        "before jobs do" % job
    assert row["held_by"] == why and row["wanted_tasks"] == 4, row
    for verb in (["showres"], ["showres", "-n"], ["showres", "floats"]):
        assert "\nfloats.0 is partial: %s\n" % why in maui(cluster, *verb).stdout, verb
    assert "    WARNING: partial: %s\n" % why in maui(cluster, "diagnose", "-r").stdout
    cluster.run("scancel", str(job))
    wait_showres(cluster, "floats.0", lambda seen: seen["missing_tasks"] == 0)
    wait_mirror(cluster, mirror_name("floats", now), lambda seen: len(seen.nodes) == 4)
    assert "partial" not in maui(cluster, "showres").stdout


# ---- faulty lines of maui.cfg ----

BAD = """\
SRCFG[gone] HOSTLIST=n1,m7 PERIOD=INFINITY USERLIST=amy
SRCFG[huge] TASKCOUNT=99 PERIOD=INFINITY USERLIST=amy NODEFEATURES=largememory
SRCFG[night] HOSTLIST=n2 USERLIST=amy STARTTIME=20:00:00 ENDTIME=6:00:00
SRCFG[closed] HOSTLIST=n3 PERIOD=INFINITY
SRCFG[blank] HOSTLIST=n4 PERIOD=INFINITY USERLIST=amy bob
SRCFG[class] TASKCOUNT=1 PERIOD=INFINITY CLASSLIST=nosuch PARTITION=nosuch
QOSCFG[q] QFLAGS=USERESERVED:biz
"""
WRONG = {  # lines behind CFG
    "gone": (1, 13, "HOSTLIST: 'm7' matches no node: the others are reserved"),
    "huge": (2, 13, "stays partial: TASKCOUNT is 99, and the 2 nodes that could hold such "
                    "tasks have room for 2"),
    "night": (3, 39, "never begins: STARTTIME 20:00:00 is not before ENDTIME 6:00:00; for a window "
                     "over the end of the day write two reservations"),
    "closed": (4, 15, "admits no job: it has no USERLIST"),
    "class": (6, 42, "CLASSLIST: 'nosuch' is not a Slurm partition: no job matches this entry"),
}


def wrong(cluster, name):
    line, column, words = WRONG[name]
    return "%s:%d:%d: warning: SRCFG[%s] %s" % (
        cluster.maui_cfg, line + CFG.count("\n"), column, name, words)


def test_bad_input(cluster):
    """config check, the log and diagnose -r report each faulty line with its place and its
    effect."""
    mark = cluster.log_size()
    rules(cluster, BAD)
    checked = maui(cluster, "config", "check").stdout
    for name in WRONG:
        cluster.wait_log("slurm-maui: " + re.escape(wrong(cluster, name)), mark)
        assert wrong(cluster, name) in checked, checked
    rest = ("blank inside the list of USERLIST: 'bob' is read as a further entry",
            "USERESERVED:biz names a reservation that no SRCFG defines")
    assert all(words in checked and words in cluster.log_since(mark) for words in rest)
    # and that happens
    row = wait_showres(cluster, "huge.0", lambda seen: seen["missing_tasks"] == 98)
    assert row["held_by"] == "98 of 99 tasks missing: there is room for 2 in all, " \
        "reservation gone.0 holds n1", row
    assert wait_showres(cluster, "gone.0")["node_count"] == 1
    stays_out(cluster, "^Reservation closed: ", "-n1", "-w", "n3", user="amy")
    assert goes_in(cluster, "-n1", "-w", "n4", user="bob") == ["n4"]
    said = maui(cluster, "diagnose", "-r").stdout
    assert all(wrong(cluster, name) in said for name in WRONG), said
    said = maui(cluster, "diagnose", "-r", "night", check=False)
    assert said.returncode == 5 and wrong(cluster, "night") in said.stderr, said
    assert "m7" not in maui(cluster, "diagnose", "-r", "huge.0").stdout


def test_bad_input_is_reported_once(cluster):
    """Reported again when maui.cfg is read, and when a change of nodes makes the warning true
    again."""
    words, mark = wrong(cluster, "huge"), cluster.log_size()
    rules(cluster, "\n" + BAD.splitlines(True)[1].replace("=99", "=3"))
    words = words.replace("is 99", "is 3")
    cluster.wait_log(re.escape(words), mark)
    assert goes_in(cluster, "-n1", "-w", "n4", user="bob") == ["n4"]  # other plans
    cluster.cancel_all()
    cluster.wait_cycle()
    assert cluster.log_since(mark).count(words) == 1
    try:
        cluster.scontrol("update", "nodename=n4", "features=largememory")
        wait_showres(cluster, "huge.0", lambda seen: seen["missing_tasks"] == 0)
        wait_until(lambda: words not in maui(cluster, "diagnose", "-r").stdout, "no warning")
    finally:
        for what in ("activefeatures=", "availablefeatures="):
            cluster.scontrol("update", "nodename=n4", what)
    wait_until(lambda: cluster.log_since(mark).count(words) == 2, "said again")


# ---- by name ----

def test_named_by_jobs(cluster):
    """BYNAME admits only jobs that name the reservation, in any form of its name, and that its
    lists admit."""
    now = int(time.time())
    line = "SRCFG[biz] HOSTLIST=n1 USERLIST=amy FLAGS=BYNAME %s\n" % daily(now - HOUR, now + HOUR)
    rules(cluster, line)
    mirror = wait_mirror(cluster, mirror_name("biz", now)).name
    stays_out(cluster, "^Reservation biz until .*: only with --reservation=biz", "-n1", "-w", "n1",
              user="amy")
    for name in ("biz", "biz.0", mirror):
        assert goes_in(cluster, "-n1", "--reservation=" + name, user="amy") == ["n1"], name
        stays_out(cluster, "^Reservation biz: user bob not admitted", "-n1",
                  "--reservation=" + name, user="bob")
    # Slurm's own --reservation does not admit it either
    job = cluster.sbatch("-t30", "-n1", "-w", "n1", user="bob")
    cluster.update(job, "reservation=" + mirror, user="bob", check=False)
    stays_pending(cluster, job)


# ---- beside Slurm reservations ----

def remove(cluster, name):
    cluster.cancel_all()
    wait_until(lambda: cluster.scontrol("delete", "reservationname=" + name,
                                        check=False).returncode == 0, name + " deleted")


def test_slurm_reservation_of_a_whole_node(cluster):
    """On nodes of both reservations both must admit a job."""
    cluster.scontrol("create", "reservationname=slurms", "starttime=now", "duration=120",
                     "users=steve,amy", "nodes=n[1-2]")
    rules(cluster, X)
    try:
        wait_mirror(cluster, mirror_name("x", 0))
        # a job that needs our node is refused by Slurm's own test at submission
        for user, options, words in (
                ("steve", ("-n1", "-w", "n1"), "Required nodes outside of the reservation"),
                ("amy", ("-n1", "-w", "n1"), "Required nodes outside of the reservation"),
                ("amy", ("-N2",), "Requested node configuration is not available")):
            said = cluster.run(*cluster.sbatch_command("--reservation=slurms", *options, user=user),
                               check=False)
            assert said.returncode and words in said.stderr, said
        stays_out(cluster, "^Resources: Reserved: .*reserved by slurms", "-n1", "-w", "n2", user="amy")
        stays_out(cluster, "reserved by slurms", "-n1", "-w", "n1", user="amy")
        inside = ("-N1", "--exclusive", "--reservation=slurms")
        assert goes_in(cluster, *inside) == ["n2"]
        waits = cluster.sbatch("-t30", *inside)
        stays_pending(cluster, waits)
        assert goes_in(cluster, *inside, user="amy") == ["n1"]
        assert sorted(goes_in(cluster, "-N2", "--exclusive", user="amy")) == ["n3", "n4"]
    finally:
        remove(cluster, "slurms")


def test_slurm_reservation_of_cores(cluster):
    """A Slurm reservation holds three cores of four: our reservation admits jobs to the fourth."""
    cluster.scontrol("create", "reservationname=cores", "starttime=now", "duration=120",
                     "users=steve", "nodes=n1", "corecnt=3")
    rules(cluster, X)
    try:
        stays_out(cluster, "^Reservation x", "-n1", "-w", "n1", user="bob")
        stays_out(cluster, "reserved by cores", "-N1", "-n2", "-w", "n1", user="amy")
        assert goes_in(cluster, "-n1", "-w", "n1", user="amy") == ["n1"]
        assert goes_in(cluster, "-n1", "-w", "n2", user="amy") == ["n2"]
    finally:
        remove(cluster, "cores")
