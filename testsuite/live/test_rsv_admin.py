# SPDX-License-Identifier: GPL-2.0-or-later
"""Administrative reservations: setres, releaseres, showres, diagnose -r, and scontrol's word.

Rules: RSV-20, RSV-21, RSV-23, CMD-14.
"""

import json
import os
import re
import shutil
import struct
import subprocess
import time

import pytest
import windows
from cluster import wait_until
from reservations import (ask, hosts, install, mirror, mirrors, not_at_midnight, refused,
                          release_all, setres, shown, wait_gone, wait_shown)
from starts import nodes_of, running, stays_pending, wait_reason

CFG = """
RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 0
ADMIN1 root
ADMIN2 john
ADMIN3 amy
"""
CONF = """
SchedulerType=sched/maui
NodeName=n[1-2] CPUs=4 CoresPerSocket=4 RealMemory=4000 Features=fast
NodeName=n[3-5] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=small Nodes=n[3-4] MaxTime=INFINITE State=UP
"""


@pytest.fixture(scope="module")
def whole(clusters):
    return install(clusters(CFG, CONF, nodes=5))


@pytest.fixture
def cluster(whole):
    """A cluster with CFG, without jobs and administrative reservations; rules() changes maui.cfg
    for one test."""
    yield whole
    whole.cancel_all()
    release_all(whole)


@pytest.fixture
def rules(cluster):
    """A function that adds lines to maui.cfg for the test."""
    yield lambda lines: cluster.reconfigure(CFG + lines)
    cluster.reconfigure(CFG)


def made(cluster, *arguments):
    """Makes a reservation; returns what showres has of it."""
    name = setres(cluster, *arguments)
    return shown(cluster)[name]


def job(cluster, user, *options, minutes=5):
    return cluster.sbatch("-t%d" % minutes, *options, user=user)


# ---- many ----

def test_many_at_once(cluster):
    """More changes than one iteration handles, each on its own connection; more names than a
    request may have."""
    command = [os.path.join(cluster.base, "setres"), "-d", "600", "-u", "steve"]
    many = [subprocess.Popen(command + ["-s", "+%d:00:00" % (number + 1), "n1"], text=True,
                             env=cluster.inside, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for number in range(24)]
    said = [one.communicate(timeout=180) for one in many]
    assert not any(one.returncode for one in many), said
    assert {"steve.%d" % (number + 1) for number in range(24)} <= set(shown(cluster))
    nobody = ["no.%d" % number for number in range(101)]
    refused(cluster, 2, "101 names: at most 100", "releaseres", *nobody)
    errors = ask(cluster, "releaseres", *nobody[:100], check=False).stderr.splitlines()
    assert len(errors) == 100 and "no reservation 'no.99'" in errors[99], errors


def test_answers_wait_until_the_change_is_saved(cluster):
    """A change that was answered is on disk, or the answer warns that it is not."""
    def saved():
        with open(state, encoding="utf-8") as text:
            return [one["name"] for one in json.load(text).get("reservations", [])]
    state = os.path.join(cluster.state, "state.json")
    kept = setres(cluster, "-n", "kept", "-d", "600", "n1")
    assert kept in saved()
    os.mkdir(state + ".new")  # where the next one would be written
    try:
        said = ask(cluster, "setres", "-n", "lost", "-d", "600", "n2")
        lost = said.stdout.splitlines()[3].split("'")[1]
        assert "warning: done, but not saved" in said.stderr and "state.json" in said.stderr, said
        assert lost in shown(cluster) and lost not in saved()
        said = ask(cluster, "releaseres", kept)
        assert "warning: done, but not saved" in said.stderr and "released" in said.stdout, said
        assert kept in saved()
    finally:
        os.rmdir(state + ".new")
    said = ask(cluster, "setres", "-n", "more", "-d", "600", "n3")
    assert "not saved" not in said.stderr and lost in saved() and kept not in saved(), said


# ---- setres ----

def test_hosts(cluster):
    """Admitted jobs start there; others wait with that reason, and start elsewhere."""
    said = ask(cluster, "setres", "-u", "steve", "-d", "10:00", "n1,n2").stdout.splitlines()
    assert re.fullmatch(r"from .* \d{4} until .* \d{4}", said.pop(2)), said
    assert said == ["reservation created", "", "reservation 'steve.1' created on 2 nodes (2 tasks)",
                    "n1:1", "n2:1"]
    start, end, nodes = mirror(cluster, "steve.1")
    assert end - start == 600 and nodes == ["n1", "n2"]
    inside, outside = job(cluster, "steve", "-wn1"), job(cluster, "bob", "-wn1")
    elsewhere = job(cluster, "bob", "-N3", "--exclusive")
    running(cluster, inside, elsewhere)
    assert nodes_of(cluster, elsewhere) == ["n3", "n4", "n5"]
    wait_reason(cluster, outside, "^Reservation steve.1 until .*: user bob not admitted")
    stays_pending(cluster, outside)


def test_each_list(cluster):
    """-u -g -a -q -Q: for each one who gets in and one who does not, on a node of its own."""
    lists = {"n1": ("-u", "steve", [], []), "n2": ("-g", "science", [], []),
             "n3": ("-q", "small", ["-psmall"], []),
             "n4": ("-a", "physics:maths", ["--account=maths"], ["--account=law"]),
             "n5": ("-Q", "high", ["--qos=high"], ["--qos=low"])}
    names = {node: setres(cluster, option, value, "-d", "600", node)
             for node, (option, value, _, _) in lists.items()}
    assert names == {"n1": "steve.1", "n2": "science.1", "n3": "small.1", "n4": "physics.1",
                     "n5": "high.1"}
    out = {node: job(cluster, "bob", "-n1", "-w", node, *row[3]) for node, row in lists.items()}
    running(cluster, *[job(cluster, "steve", "-n1", "-w", node, *row[2])
                       for node, row in lists.items()])
    for node, waits in out.items():
        wait_reason(cluster, waits, "^Reservation %s " % names[node].replace(".", r"\."))


def test_all_and_nobody(cluster):
    """Without a list nobody gets in."""
    said = ask(cluster, "setres", "-d", "600", "ALL").stdout.splitlines()
    assert said[3] == "reservation 'SYSTEM.1' created on 5 nodes (5 tasks)"
    assert mirror(cluster, "SYSTEM.1")[2] == ["n1", "n2", "n3", "n4", "n5"]
    assert shown(cluster)["SYSTEM.1"]["type"] == "System"
    wait_reason(cluster, job(cluster, "steve"), "^Reservation SYSTEM.1 ")
    assert setres(cluster, "-d", "600", "-s", "+1:00:00", "n1") == "SYSTEM.2"


def test_tasks(cluster):
    """A task is a node unless -r says what; -f and -p tell which nodes."""
    assert hosts(made(cluster, "-u", "steve", "-f", "fast", "TASKS==2")) == ["n1", "n2"]
    part = made(cluster, "-u", "steve", "-r", "PROCS=2", "-p", "small", "TASKS==3")
    assert part["procs"] == 6 and part["tasks"] == 3 and hosts(part) == ["n3", "n4"]
    assert part["end"] is None and part["partition"] == "small"
    # two processors are left, on one node
    wide, narrow = [job(cluster, "bob", "-n%d" % count, "-N1", "-psmall") for count in (3, 2)]
    running(cluster, narrow)
    wait_reason(cluster, wide, "^Reservation steve.2")
    said = ask(cluster, "setres", "-E", "-x", "BESTEFFORT", "-u", "john", "-f", "fast", "TASKS==2")
    assert "setres: warning: 2 of 2 tasks missing" in said.stderr
    assert said.stdout.splitlines()[3] == "reservation 'john.1' created on 0 nodes (0 tasks)"


def test_exclusive(cluster):
    """-E on named hosts: not on those that others hold, which it says and takes when they are free;
    others not on its own."""
    name = setres(cluster, "-u", "steve", "-d", "600", "n1")
    said = ask(cluster, "setres", "-n", "sole", "-E", "-x", "BESTEFFORT", "-u", "john", "-d", "600",
               "n[1-2]")
    assert "setres: warning: 1 of its hosts missing: reservation %s holds n1" % name in said.stderr
    assert hosts(shown(cluster)["sole.1"]) == ["n2"]
    said = ask(cluster, "setres", "-n", "late", "-x", "BESTEFFORT", "-u", "bob", "-d", "900", "n[2-3]")
    assert "1 of its hosts missing: reservation sole.1 holds n2" in said.stderr
    said = ask(cluster, "setres", "-n", "force", "-x", "FORCE,BESTEFFORT", "-d", "900", "-f", "fast",
               "TASKS==2")
    assert "1 of 2 tasks missing: reservation sole.1 holds n2" in said.stderr
    assert hosts(shown(cluster)["late.1"]) == ["n3"]
    other = job(cluster, "bob", "-wn2", "-n4")
    wait_reason(cluster, other, "^Reservation sole.1")
    running(cluster, job(cluster, "john", "-wn2", "-n4"))
    ask(cluster, "releaseres", name, "force.1")
    wait_shown(cluster, "sole.1", lambda one: hosts(one) == ["n1", "n2"])
    ask(cluster, "releaseres", "sole.1")
    wait_shown(cluster, "late.1", lambda one: hosts(one) == ["n2", "n3"])


def test_expressions(cluster):
    """A Slurm range, and a regular expression."""
    assert hosts(made(cluster, "-d", "600", "n[2-3]")) == ["n2", "n3"]
    assert hosts(made(cluster, "-d", "600", "n[^12]")) == ["n3", "n4", "n5"]


def test_times(cluster):
    """-s and -e as moments and from now on; -d. No job goes into one to come, or would if it were
    shorter."""
    now = time.time()
    name = setres(cluster, "-u", "steve", "-s", "+1:00:00", "-d", "30:00", "ALL")
    start, end, _ = mirror(cluster, name)
    assert abs(start - now - 3600) < 30 and end - start == 1800
    seen = made(cluster, "-u", "john", "-s", "+2:00:00", "-e", "+2:30:00", "n1")
    assert abs(seen["start"] - now - 7200) < 30 and abs(seen["end"] - now - 9000) < 30
    moment = time.strftime("%H:%M_%m/%d/%y", time.localtime(now + 86400))
    seen = made(cluster, "-u", "amy", "-s", moment, "-d", "1:00:00", "n1")
    assert seen["start"] == (now + 86400) // 60 * 60 and seen["duration"] == 3600
    long, short = job(cluster, "bob", minutes=90), job(cluster, "bob", minutes=30)
    running(cluster, short)
    wait_reason(cluster, long, "^Reservation steve.1 from .*fits before with -t [0-9]+")


def test_by_name(cluster):
    """-x BYNAME, -n, -o, -c, -b, and what diagnose -r has of them."""
    name = setres(cluster, "-n", "course", "-u", "steve", "-o", "john", "-c", "physics", "-x",
                  "BYNAME", "-b", "teaching", "-d", "600", "n1")
    assert name == "course.1"
    seen = shown(cluster)[name]
    assert (seen["owner"], seen["charge_account"]) == ("USER:john", "physics")
    assert seen["flags"] == ["BYNAME"] and seen["acl"] == ["USER==steve+"]
    said = ask(cluster, "diagnose", "-r", name, user="bob").stdout
    for words in ("course.1", "BYNAME", "USER==steve+", "USER:john", "physics", "maui.course.1.0",
                  "SubType='teaching'"):
        assert words in said, said
    wait_reason(cluster, job(cluster, "steve", "-wn1"), "^Reservation course.1 ")


def test_sbatch_reservation(cluster):
    """By its name or its mirror's; once it is gone Slurm refuses the name."""
    name = setres(cluster, "-n", "course", "-u", "steve", "-x", "BYNAME", "-d", "600", "n1")
    jobs = [job(cluster, "steve", "-n1", "--reservation=" + text)
            for text in (name, "maui.%s.0" % name)]
    running(cluster, *jobs)
    assert {node for one in jobs for node in nodes_of(cluster, one)} == {"n1"}
    refused_one = job(cluster, "bob", "-n1", "--reservation=" + name)
    wait_reason(cluster, refused_one, "^Reservation course.1: user bob not admitted")
    later = setres(cluster, "-n", "later", "-u", "steve", "-s", "+1:00:00", "-d", "600", "n2")
    waits = job(cluster, "steve", "-n1", "--reservation=" + later)
    stays_pending(cluster, waits)
    setres(cluster, "-n", later, "-s", "+0")
    running(cluster, waits)
    assert nodes_of(cluster, waits) == ["n2"]
    ask(cluster, "releaseres", name)
    wait_gone(cluster, name)
    said = cluster.run(*cluster.sbatch_command("-t1", "--reservation=" + name), check=False)
    assert said.returncode and "eservation" in said.stderr, said


# ---- changes in place ----

def test_change(cluster):
    """Only the attributes given with -n change; scontrol shows the same reservation."""
    name = setres(cluster, "-u", "steve", "-d", "600", "n1")
    start = mirror(cluster, name)[0]
    said = ask(cluster, "setres", "-n", name, "-d", "1200").stdout.splitlines()
    assert re.fullmatch(r"from .* \d{4} until .* \d{4}", said.pop(2)), said
    assert said == ["reservation modified", "",
                    "reservation 'steve.1' modified on 1 node (1 task)", "n1:1"]
    assert mirror(cluster, name) == (start, start + 1200, ["n1"])
    assert setres(cluster, "-n", name, "n2,n3") == name
    assert mirror(cluster, name) == (start, start + 1200, ["n2", "n3"])
    waits = job(cluster, "bob", "-wn2")
    wait_reason(cluster, waits, "^Reservation steve.1 ")
    setres(cluster, "-n", name, "-u", "bob")
    running(cluster, waits)
    assert shown(cluster)[name]["acl"] == ["USER==bob+"]
    assert hosts(shown(cluster)[name]) == ["n2", "n3"]
    setres(cluster, "-n", name, "-s", "+1:00:00", "-e", "+2:00:00")
    begin, end, _ = mirror(cluster, name)
    assert begin - start >= 3600 and end - begin == 3600
    assert len(mirrors(cluster)) == 1


# ---- refused requests ----

@pytest.mark.parametrize("code,words,arguments", [
    (2, "25:00", ["-s", "25:00", "n1"]),
    (2, "over already", ["-s", "10:00_01/01/20", "-d", "60", "n1"]),
    (2, "-e or -d", ["-e", "+60", "-d", "60", "n1"]),
    (2, "must be longer than 0", ["-d", "0", "n1"]),
    (2, "not a number of tasks", ["TASKS==x"]),
    (2, "which resources", ["-u", "steve"]),
    (2, "no reservation 'x' to change", ["-n", "x", "-d", "600"]),
    (2, "at most 2147483647 tasks", ["TASKS==99999999999"]),
    (2, "no node is named or matches 'nosuch'", ["-d", "600", "nosuch,m7"]),
    (2, "no node is named or matches 'nosuch'", ["-d", "600", "n1,nosuch"]),
    (1, "2 of 7 tasks missing", ["-d", "600", "TASKS==7"]),
    (1, "2 of 7 tasks missing", ["-d", "600", "TASKS>=7"]),
    (2, "'GPUS' is not a resource of a task", ["--attr", "RESOURCES=GPUS:1", "n1"]),
    (2, "cannot name a reservation", ["-n", "a/b", "n1"]),
    (2, "got 'BYNAM'", ["-x", "BYNAM", "-d", "600", "n1"]),
])
def test_bad_setres(cluster, code, words, arguments):
    said = ask(cluster, "setres", *arguments, check=False)
    assert said.returncode == code and words.lower() in said.stderr.lower(), said
    assert not said.stdout and not shown(cluster)


def test_warnings_of_setres(cluster):
    """Hosts and partitions that are not there."""
    said = ask(cluster, "setres", "-x", "BESTEFFORT", "-d", "600", "n2,nosuch")
    assert said.stderr == "setres: warning: HOSTLIST: no node is named or matches 'nosuch'\n", said
    assert said.stdout.splitlines()[4:] == ["n2:1"]
    said = ask(cluster, "setres", "-x", "BESTEFFORT", "-p", "nosuch", "-q", "nix,small", "-d", "600",
               "n1").stderr
    assert "PARTITION: 'nosuch' is not a Slurm partition: nothing is reserved" in said, said
    assert "CLASSLIST: 'nix' is not a Slurm partition" in said and "'small'" not in said, said
    assert "there is no partition nosuch" in said and "missing" not in said, said
    refused(cluster, 1, "error: there is no partition nosuch; nothing was changed\n", "setres", "-p",
            "nosuch", "ALL")
    refused(cluster, 2, "CHARGEACCOUNT: a name has at most 1024 bytes", "setres", "-c", "a" * 4000,
            "n1")


def test_json(cluster):
    said = json.loads(ask(cluster, "setres", "--json", "-u", "steve", "-d", "600", "n1").stdout)
    assert said["created"] is True and said["name"] == "steve.1" and not said["errors"]
    assert said["meta"]["schema"] == "maui.setres.v1"
    assert said["reservation"]["nodes"] == [{"tasks": 1, "procs": 4, "names": ["n1"]}]
    failed = ask(cluster, "setres", "--json", "n1", user="bob", check=False)
    assert failed.returncode == 4 and json.loads(failed.stdout)["errors"][0]["code"] == 4
    said = json.loads(ask(cluster, "releaseres", "--json", "steve.1", "x.1", check=False).stdout)
    assert said["released"] == [{"name": "steve.1", "type": "User"}]
    assert [error["code"] for error in said["errors"]] == [5]


def test_any_bytes(cluster):
    """showres answers although a job's account, which without slurmdbd is any bytes, is no
    UTF-8."""
    name = job(cluster, "bob", "--account=phys\udcff")
    running(cluster, name)

    def account():
        rows = json.loads(ask(cluster, "showres", "-n", "--json").stdout)["reservations"]
        return [row.get("account") for row in rows if row["name"] == str(name)]

    wait_until(lambda: account() == ["phys\ufffd"], "its account is shown")
    assert str(name) in ask(cluster, "showres").stdout
    ask(cluster, "diagnose", "-r")


# ---- rights ----

def test_rights(cluster):
    """ADMIN1, root and SlurmUser make reservations; ADMIN2 and ADMIN3 see them. An owner may
    release."""
    mine = setres(cluster, "-u", "steve", "-o", "steve", "-d", "600", "n1")
    for user in ("bob", "john", "amy"):
        refused(cluster, 4, "not permitted", "setres", "-d", "600", "n2", user=user)
        refused(cluster, 4, "not permitted", "setres", "-n", mine, "n2", user=user)
        refused(cluster, 4, "not yours to release", "releaseres", mine, user=user)
    refused(cluster, 4, "not permitted", "setres", "-n", mine, "n2", user="steve")
    assert ask(cluster, "releaseres", mine, user="steve").stdout == \
        "released User reservation 'steve.1'\n"
    wait_gone(cluster, mine)


def test_all_means_every_user(cluster, rules):
    rules("ADMIN1 root,ALL\n")
    name = setres(cluster, "-d", "600", "n1", user="bob")
    ask(cluster, "releaseres", name, user="steve")
    wait_gone(cluster, name)


def test_users_create(cluster, rules):
    """RESCTLPOLICY ANY, without what would give them an administrator's power."""
    rules("RESCTLPOLICY ANY\nRESCTLMAXPROC 4\nRESCTLMAXCOUNT 2\n")
    mine = setres(cluster, "-u", "bob", "-d", "600", "n1", user="bob")
    setres(cluster, "-n", mine, "-d", "900", "--attr", "TRIGGER=start+1:00:00;cancel", user="bob")
    for more in (["--attr", "TRIGGER=start;exec@/bin/true"], ["-x", "FORCE"],
                 ["-x", "OWNERPREEMPT"], ["-c", "physics"], ["-o", "steve"],
                 ["--attr", "TRIGGER=start;submit@/bin/true"]):
        refused(cluster, 4, "not permitted", "setres", *more, "n2", user="bob")
        refused(cluster, 4, "not permitted", "setres", "-n", mine, *more, user="bob")
    refused(cluster, 4, "not yours", "setres", "-n", mine, "-u", "john", user="john")
    refused(cluster, 4, "not yours", "releaseres", mine, user="john")
    assert shown(cluster)[mine]["triggers"] == ["start+1:00:00;cancel"]
    ask(cluster, "releaseres", mine, user="bob")
    wait_gone(cluster, mine)


def test_programs_need_admin1(cluster, rules):
    """Programs run as SlurmUser: not for a user, nor for a former ADMIN1 who made the reservation."""
    runs = ["--attr", "TRIGGER=start+1:00:00;exec@/bin/true"]
    rules("ADMIN1 root,bob\nRESCTLPOLICY ANY\n")
    plain, has = (setres(cluster, "-d", "600", *more, "n1", user="bob") for more in ([], runs))
    cluster.reconfigure(CFG + "RESCTLPOLICY ANY\nRESCTLMAXPROC 8\n")
    refused(cluster, 4, "cannot run programs", "setres", "-n", plain, *runs, user="bob")
    refused(cluster, 4, "cannot run programs", "setres", "-n", has, "-d", "900", user="bob")
    setres(cluster, "-n", plain, "-d", "900", user="bob")
    assert shown(cluster)[plain]["triggers"] == []


def test_names_of_maui_cfg(cluster, rules):
    """A SRCFG cannot have the name of a reservation of setres, nor setres that of a SRCFG."""
    name = setres(cluster, "-n", "x", "-d", "9000", "n3")
    mark = cluster.log_size()
    rules("SRCFG[x.1] HOSTLIST=n4 PERIOD=INFINITY USERLIST=steve\n")
    cluster.wait_log(r"SRCFG\[x\.1\] is not a valid reservation name: it ends in a dot", mark)
    assert hosts(shown(cluster)[name]) == ["n3"]
    rules("SRCFG[x] HOSTLIST=n4 PERIOD=INFINITY USERLIST=steve\n")
    wait_shown(cluster, "x.0")
    assert hosts(shown(cluster)[name]) == ["n3"] and mirror(cluster, name)[2] == ["n3"]
    refused(cluster, 2, "'x' names a standing reservation", "setres", "-n", "x", "-d", "600", "n5")
    refused(cluster, 2, "no reservation 'x.0' to change", "setres", "-n", "x.0", "n5")
    refused(cluster, 2, "no reservation 'y.5' to change", "setres", "-n", "y.5", "-d", "600", "n5")


# ---- releaseres ----

def test_release(cluster):
    """Waiting jobs start at once after a release; several names, and unknown ones."""
    names = [setres(cluster, "-d", "600", node) for node in ("n1", "n2")]
    waits = job(cluster, "bob", "-wn1")
    wait_reason(cluster, waits, "^Reservation SYSTEM.1 ")
    said = ask(cluster, "releaseres", names[0], "nosuch.7", names[1], check=False)
    assert said.returncode == 5 and "no reservation 'nosuch.7'" in said.stderr
    assert said.stdout == "".join("released System reservation '%s'\n" % name for name in names)
    running(cluster, waits)
    for name in names:
        wait_gone(cluster, name)
    refused(cluster, 5, names[0], "releaseres", names[0])
    refused(cluster, 2, "which ID", "releaseres")


def test_release_standing(cluster, rules):
    """releaseres cancels one instance, restarts included, until --undo or a change of its SRCFG
    line."""
    not_at_midnight()
    lines = "SRCFG[biz] HOSTLIST=n5 PERIOD=DAY USERLIST=steve DEPTH=2\n" \
        "SRCFG[ever] HOSTLIST=n4 PERIOD=INFINITY USERLIST=steve\n"
    rules(lines)
    wait_shown(cluster, "biz.1")
    waits = job(cluster, "bob", "-wn5", minutes=1)  # it ends before the next instance
    wait_reason(cluster, waits, "^Reservation biz")
    refused(cluster, 2, "name one of its instances", "releaseres", "biz")
    refused(cluster, 4, "not yours", "releaseres", "biz.0", user="bob")
    assert ask(cluster, "releaseres", "biz.0").stdout == "released Standing reservation 'biz.0'\n"
    running(cluster, waits)
    ask(cluster, "releaseres", "ever.0")
    wait_gone(cluster, "ever.0")
    rules(lines + "SRCFG[new] HOSTLIST=n3 USERLIST=steve\n")
    wait_shown(cluster, "new.0")
    assert not {"biz.0", "ever.0"} & set(shown(cluster))
    today = "maui.biz." + time.strftime("%Y%m%d")
    cluster.restart()
    wait_shown(cluster, "biz.1")
    assert not {"biz.0", "ever.0"} & set(shown(cluster)) and today not in mirrors(cluster)
    refused(cluster, 5, "releaseres --undo biz.0 takes it back", "showres", "biz.0")
    assert "\nmaui.ever.0 is released: releaseres --undo maui.ever.0 takes it back\n" in \
        ask(cluster, "diagnose", "-r").stdout
    refused(cluster, 4, "this needs ADMIN1", "releaseres", "--undo", "biz", user="bob")
    assert ask(cluster, "releaseres", "--undo", "biz.0").stdout == \
        "restored Standing reservation 'biz.0'\n"
    assert today == shown(cluster)["biz.0"]["stable_name"] and "ever.0" not in shown(cluster)
    refused(cluster, 5, "'biz' is not released", "releaseres", "--undo", "biz")
    rules(lines.replace("INFINITY", "INFINITY DEPTH=3"))
    wait_shown(cluster, "ever.0")


# ---- scontrol, restarts, expiry ----

def test_scontrol_update_and_delete(cluster):
    """slurm-maui follows changes by scontrol update, and releases what scontrol delete removes."""
    name = setres(cluster, "-u", "steve", "-d", "600", "n1")
    start, end, _ = mirror(cluster, name)
    mine = "reservationname=maui.%s.0" % name
    cluster.scontrol("update", mine, "endtime=" + time.strftime(
        "%Y-%m-%dT%H:%M:%S", time.localtime(end + 1800)))
    assert wait_shown(cluster, name, lambda one: one["end"] == end + 1800)["start"] == start
    cluster.scontrol("update", mine, "nodes=n3,n4")
    wait_shown(cluster, name, lambda one: hosts(one) == ["n3", "n4"])
    running(cluster, job(cluster, "bob", "-wn1"))
    waits = job(cluster, "bob", "-wn3")
    wait_reason(cluster, waits, "^Reservation steve.1 ")
    assert mirror(cluster, name) == (start, end + 1800, ["n3", "n4"])
    cluster.scontrol("delete", mine)
    wait_gone(cluster, name)
    running(cluster, waits)


def test_scontrol_on_all_nodes_and_on_names(cluster):
    """The reservation follows a change of nodes; changed users are restored."""
    name = setres(cluster, "-u", "steve", "-d", "600", "n1")
    line = "maui.%s.0" % name

    def flags_and_users():
        fields = windows.mirrors(cluster)[line].fields
        return "ALL_NODES" in fields["Flags"], fields["Users"]
    before, mark = flags_and_users(), cluster.log_size()
    cluster.scontrol("update", "reservationname=" + line, "nodes=ALL")
    wait_shown(cluster, name, lambda one: len(hosts(one)) == 5)
    wait_until(lambda: flags_and_users() == before, "the flag taken away")
    cluster.wait_cycle()
    assert not re.search("slurm-maui: .*restored", cluster.log_since(mark))
    cluster.scontrol("update", "reservationname=" + line, "users=bob")
    cluster.wait_log("Slurm reservation %s was changed outside slurm-maui: restored, because "
                     "reservation %s is "
                     "in force" % (line, name), mark)
    wait_until(lambda: flags_and_users() == before, "users restored")


def test_restart_and_expiry(cluster):
    """Reservations survive a restart and a crash of slurmctld; commands report a missing socket in
    one line; a reservation is removed at its end."""
    kept = setres(cluster, "-u", "steve", "-d", "600", "-o", "john", "-b", "mine", "n1")
    brief = setres(cluster, "-n", "brief", "-u", "steve", "-d", "6", "n2")
    before, seen = mirror(cluster, kept), shown(cluster)[kept]
    waits = job(cluster, "bob", "-wn2")
    for kill in (False, True):
        cluster.stop(kill)
        for name, arguments in (("showres", []), ("diagnose", ["-r"]), ("setres", ["n3"]),
                                ("releaseres", [kept])):
            refused(cluster, 3, "slurmctld", name, *arguments)
        cluster.start()
        now = wait_shown(cluster, kept)
        assert mirror(cluster, kept) == before
        assert {key: now[key] for key in ("start", "end", "acl", "owner", "subtype", "nodes")} == \
            {key: seen[key] for key in ("start", "end", "acl", "owner", "subtype", "nodes")}
        assert now["subtype"] == "mine"
    wait_gone(cluster, brief)
    running(cluster, waits)


def slurms(cluster):
    return os.path.join(cluster.dir, "state", "resv_state")


def wait_slurm_saved(cluster, *names):
    """Waits until slurmctld has saved these reservations; returns the file's bytes."""
    ends = [struct.pack(">q", mirror(cluster, name)[1]) for name in names]

    def look():
        saved = read(slurms(cluster))
        return saved if all(end in saved for end in ends) else None
    return wait_until(look, "slurmctld's reservations written")


def crash(cluster, path, content):
    """Kills slurmctld and starts it with this file."""
    cluster.stop(kill=True)
    with open(path, "wb") as out:
        out.write(content)
    cluster.start()


def test_a_crash_undoes_no_change(cluster):
    """slurmctld saves its reservations seconds after slurm-maui saves its state, so after a crash
    slurmctld has older ones: slurm-maui restores the newer ones."""
    restored = "Slurm reservation maui.%s.0 is not as slurm-maui left it before the start: restored"
    name = setres(cluster, "-n", "maint", "-u", "steve", "-d", "600", "n1,n2")
    other = setres(cluster, "-n", "other", "-u", "steve", "-d", "900", "n5")
    older = wait_slurm_saved(cluster, name, other)
    setres(cluster, "-n", name, "-d", "7200", "n1,n2,n3")
    changed, mark = mirror(cluster, name), cluster.log_size()
    assert changed[2] == ["n1", "n2", "n3"]
    crash(cluster, slurms(cluster), older)
    cluster.wait_log(restored % name, mark)
    wait_shown(cluster, name, lambda one: (one["end"], hosts(one)) == changed[1:])
    assert mirror(cluster, name) == changed
    assert "somebody" not in cluster.log_since(mark)

    # changes by scontrol survive too
    mine = "reservationname=maui.%s.0" % name
    cluster.scontrol("update", mine, "nodes=n4")
    cluster.scontrol("delete", "reservationname=maui.%s.0" % other)
    wait_shown(cluster, name, lambda one: hosts(one) == ["n4"])
    wait_gone(cluster, other)
    mark = cluster.log_size()
    crash(cluster, slurms(cluster), older)
    cluster.wait_log(restored % name, mark)
    wait_gone(cluster, other)
    wait_shown(cluster, name, lambda one: (one["end"], hosts(one)) == (changed[1], ["n4"]))
    assert mirror(cluster, name)[1:] == (changed[1], ["n4"])


def read(path):
    with open(path, "rb") as data:
        return data.read()


# ---- what users see ----

def test_users_see(cluster):
    """Every user sees the list, nodes, and a reservation by each of its names, in columns."""
    name = setres(cluster, "-u", "steve", "-d", "600", "n1,n2")
    running(cluster, job(cluster, "steve", "-wn1"))
    wait_shown(cluster, name, lambda one: one["used_procs"] == 1)
    lines = ask(cluster, "showres", user="bob").stdout.splitlines()
    assert lines[0] == "Reservations" and "ReservationID" in lines[2]
    row = [line.split() for line in lines if line.startswith(name)][0]
    assert row[1:3] == ["User", "-"] and row[6] == "2/8", row
    assert any(line.split()[1:3] == ["Job", "R"] for line in lines if "Job" in line)
    lines = ask(cluster, "showres", "-n", name, user="bob").stdout.splitlines()
    assert [line.split()[:5] for line in lines if line.startswith("n")] == \
        [[node, "User", name, "N/A", "1"] for node in ("n1", "n2")]
    assert lines[-1] == "2 nodes reserved"
    assert name in ask(cluster, "showres", "maui.%s.0" % name, user="bob").stdout
    refused(cluster, 5, "no reservation 'nosuch'", "showres", "nosuch", user="bob")
    assert "steve" in ask(cluster, "diagnose", "-r", user="bob").stdout


def test_a_socket_that_was_removed(cluster):
    """After a cleaner of temporary files removed the socket and its directory, slurmctld makes both
    again."""
    mark = cluster.log_size()
    directory = re.search(r"commands are answered on (\S+)/socket", cluster.log_since()).group(1)
    shutil.rmtree(directory)
    wait_until(lambda: cluster.maui("showres", check=False).returncode == 0, "an answer again")
    assert "was removed: made again" in cluster.log_since(mark)
