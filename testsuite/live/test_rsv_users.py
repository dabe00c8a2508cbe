# SPDX-License-Identifier: GPL-2.0-or-later
"""What users may reserve, what setres refuses, and the running jobs that its answer names.

Rules: RSV-23, RSV-31, RSV-38, CMD-54.
"""

import json
import re

import pytest
from cluster import wait_until
from reservations import (ask, hosts, install, mirrors, refused, release_all, setres, shown,
                          wait_gone, wait_shown)
from starts import running, wait_reason

CFG = """
RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 0
ADMIN1 root
RESCTLPOLICY ANY
"""
# 40 processors: a user may have 4, which is one node
CONF = """
SchedulerType=sched/maui
NodeName=n[1-10] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
NODES = 10


@pytest.fixture(scope="module")
def whole(clusters):
    return install(clusters(CFG, CONF, nodes=NODES))


@pytest.fixture
def cluster(whole):
    yield whole
    whole.cancel_all()
    release_all(whole)


# ---- bounds ----

def test_bounds_that_hold_unless_set(cluster):
    """One reservation, a tenth of the processors, a day, seven days ahead."""
    def no(words, *arguments):
        refused(cluster, 4, words, "setres", *arguments, user="bob")
    no("needs an end, at most 1:00:00:00 after its start (RESCTLMAXTIME)", "n1")
    no("RESCTLMAXTIME", "-d", "1:00:00:01", "n1")
    no("RESCTLMAXAHEAD", "-s", "+8:00:00:00", "-d", "60", "n1")
    no("may have 4 processors (RESCTLMAXPROC), and would have 8", "-d", "60", "n[1-2]")
    no("RESCTLMAXPROC", "-d", "60", "-r", "PROCS=1", "TASKS==5")
    assert not shown(cluster) and not mirrors(cluster), "what was refused is gone"
    mine = setres(cluster, "-d", "1:00:00:00", "n1", user="bob")
    no("you may have 1 reservation (RESCTLMAXCOUNT) and have 1", "-d", "60", "n2")
    no("would have 8", "-n", mine, "n[1-2]")
    assert hosts(shown(cluster)[mine]) == ["n1"], "a refused change changes nothing"
    setres(cluster, "-n", mine, "n2", user="bob")
    assert hosts(shown(cluster)[mine]) == ["n2"]
    ask(cluster, "releaseres", mine, user="bob")
    wait_gone(cluster, mine)
    setres(cluster, "-d", "60", "-r", "PROCS=1", "TASKS==4", user="bob")


def test_bounds_of_the_site(cluster):
    cluster.reconfigure(CFG + "RESCTLMAXCOUNT 2\nRESCTLMAXPROC 12\nRESCTLMAXPS 5000\n"
                        "RESCTLMAXTIME 10:00\nRESCTLMAXAHEAD 1:00:00\n")
    setres(cluster, "-d", "10:00", "n[1-2]", user="bob")
    refused(cluster, 4, "processor-seconds (RESCTLMAXPS)", "setres", "-d", "60", "n3", "-s", "+60",
            user="bob")
    refused(cluster, 4, "may last 10:00", "setres", "-d", "10:01", "n3", user="bob")
    refused(cluster, 4, "may begin 1:00:00 ahead", "setres", "-s", "+1:01:00", "-d", "60", "n3",
            user="bob")
    setres(cluster, "-d", "10:00", "n[1-2]", user="steve")  # each user for himself
    setres(cluster, "-n", "root", "n[1-8]")
    cluster.reconfigure(CFG)


def test_a_user_is_admitted(cluster):
    """No user's reservation is a SYSTEM one; the maker is always on its list."""
    mine = setres(cluster, "-d", "600", "n1", user="bob")
    assert mine == "bob.1" and shown(cluster)[mine]["type"] == "User"
    running(cluster, cluster.sbatch("-t5", "-wn1", user="bob"))
    setres(cluster, "-n", mine, "-u", "steve:!bob", user="bob")
    for user in ("bob", "steve"):
        running(cluster, cluster.sbatch("-t5", "-n1", "-wn1", user=user))


def test_a_user_takes_nothing_from_others(cluster):
    """Nodes of standing and administrative reservations stay with them, later, too."""
    setres(cluster, "-n", "keep", "-E", "-d", "600", "n1")
    refused(cluster, 1, "reservation keep.1 holds n1", "setres", "-d", "600", "n1",
            user="bob")
    setres(cluster, "-n", "other", "-u", "amy", "-d", "600", "n2")
    refused(cluster, 4, "n2 is in another reservation then", "setres", "-d", "60", "n2", user="bob")
    cluster.reconfigure(CFG + "SRCFG[std] HOSTLIST=n3 PERIOD=INFINITY USERLIST=bob\n")
    wait_shown(cluster, "std.0")
    refused(cluster, 4, "n3 is in another reservation then", "setres", "-d", "60", "n3", user="bob")
    assert sorted(shown(cluster)) == ["keep.1", "other.1", "std.0"]
    cluster.reconfigure(CFG)


def test_a_user_takes_nothing_from_slurms_reservations(cluster):
    cluster.scontrol("create", "reservation=hidden1", "user=bob", "nodes=n2", "start=now", "duration=60")
    try:
        cluster.wait_cycle()
        refused(cluster, 4, "not permitted: n2 is in another reservation then", "setres", "-d", "60", "n2", user="amy")
    finally:
        cluster.scontrol("delete", "reservation=hidden1")


def test_best_effort_does_not_pass_the_bounds(cluster):
    """Tasks that are still missing count, so the reservation cannot grow beyond its bounds."""
    block = cluster.sbatch("-t60", "-N%d" % NODES, "--exclusive")
    running(cluster, block)
    refused(cluster, 4, "may have 4 processors (RESCTLMAXPROC), and would have 12", "setres", "-x",
            "BESTEFFORT", "-d", "600", "TASKS==3", user="bob")
    setres(cluster, "-x", "BESTEFFORT", "-d", "600", "TASKS==1", user="bob")


# ---- resources that are not available ----

def test_best_effort(cluster):
    """Refused with what is missing and who has it; BESTEFFORT takes the rest when it is free."""
    block = cluster.sbatch("-t60", "-N4", "--exclusive", "-wn[1-4]")
    running(cluster, block)
    words = "2 of 8 tasks missing: job %d holds" % block
    refused(cluster, 1, words, "setres", "-u", "steve", "-d", "600", "TASKS==8")
    refused(cluster, 1, words, "setres", "-u", "steve", "-d", "600", "TASKS>=8")
    assert not shown(cluster) and not mirrors(cluster)
    for option in ("-x", "-f"):
        name = setres(cluster, "-u", "steve", "-d", "600", option, "BESTEFFORT", "TASKS==8")
        assert len(hosts(shown(cluster)[name])) == 6
    cluster.run("scancel", str(block))
    wait_shown(cluster, name, lambda one: len(hosts(one)) == 8)


def test_a_change_that_cannot_be_had(cluster):
    """The reservation stays as it was, over a restart, too."""
    setres(cluster, "-n", "keep", "-E", "-d", "600", "n[1-2]")
    name = setres(cluster, "-n", "mine", "-E", "-d", "600", "n3")
    refused(cluster, 1, "holds n2", "setres", "-n", name, "n[2-4]")
    assert hosts(shown(cluster)[name]) == ["n3"]
    cluster.restart()
    assert hosts(wait_shown(cluster, name)) == ["n3"]


# ---- running jobs ----

def test_running_jobs_are_named(cluster):
    """Those that still run when it begins, with their ends; the reservation is made."""
    short = cluster.sbatch("-t10", "-wn1", "-n1", user="bob")
    long = cluster.sbatch("-t120", "-wn2", "-n1", user="amy")
    ends = [one.end for one in running(cluster, short, long)]
    said = ask(cluster, "setres", "-s", "+1:00:00", "-d", "600", "n[1-3]").stdout
    assert "still running there when it begins, and not stopped:\njob %d of amy until " % long in said
    assert "of bob" not in said
    said = json.loads(ask(cluster, "setres", "--json", "-d", "600", "n[1-3]").stdout)
    assert said["running"] == [{"job": str(short), "user": "bob", "end": ends[0]},
                               {"job": str(long), "user": "amy", "end": ends[1]}]
    assert "still running" not in ask(cluster, "setres", "-d", "600", "n5").stdout


def test_users_learn_which_jobs_hold_the_nodes(cluster):
    cluster.reconfigure(CFG + "RESCTLMAXPROC 20\nRESCTLMAXPS 90000\n")
    job = cluster.sbatch("-t60", "-N2", "--exclusive", "-wn[1-2]", user="amy")
    running(cluster, job)
    refused(cluster, 1, "job %d holds 2 nodes (n1, ...)" % job, "setres", "-d", "600", "TASKS==10",
            user="bob")


# ---- PrivateData ----

def test_private_data(own_cluster):
    """Users learn of nobody's jobs; ADMIN3 ALL lifts PrivateData."""
    cluster = install(own_cluster(CFG, CONF.replace("[1-10]", "[1-2]") + "PrivateData=jobs\n",
                                  nodes=2))
    job = cluster.sbatch("-t60", "-wn1", "-n1", user="amy")
    running(cluster, job)
    cluster.reconfigure(CFG + "RESCTLMAXPROC 8\n")
    said = ask(cluster, "setres", "-x", "BESTEFFORT", "-d", "600", "TASKS==2", user="bob")
    assert "1 of 2 tasks missing" in said.stderr and "holds" not in said.stderr, said
    assert "holds" not in ask(cluster, "showres", "-n", user="bob").stdout
    assert "holds" in ask(cluster, "showres", "-n", "--json").stdout
    ask(cluster, "releaseres", "bob.1", user="bob")

    def told():
        text = ask(cluster, "setres", "--json", "-d", "600", "n1", user="bob").stdout
        answer = json.loads(text)
        ask(cluster, "releaseres", answer["name"], user="bob")
        return [one["job"] for one in answer["running"]]
    assert told() == []
    said = ask(cluster, "showq", user="bob").stdout
    assert "amy" not in said and "1 of      8 Processors Active" in said, "as sinfo shows"
    cluster.reconfigure(CFG + "RESCTLMAXPROC 8\nADMIN3 ALL\n")
    wait_until(lambda: "amy" in ask(cluster, "showq", user="bob").stdout, "ADMIN3 sees it")
    assert told() == [str(job)]


def test_private_reservations(own_cluster):
    """A reason names nobody's reservation: neither squeue's, nor those that our commands give users."""
    cluster = install(own_cluster(CFG, CONF.replace("[1-10]", "[1-2]") +
                                  "PrivateData=reservations\n", nodes=2))
    ask(cluster, "setres", "-u", "amy", "-n", "secret", "-d", "600", "n[1-2]")
    job = cluster.sbatch("-t60", "-n1", user="bob")
    wait_reason(cluster, job, "Reservation")
    assert "secret" not in cluster.scontrol("show", "job", str(job)).stdout
    for command in (["checkjob", str(job)], ["maui", "why", str(job)], ["maui", "queue"],
                    ["showq", "--json"], ["showstart", str(job)], ["maui", "fits", "-n1"]):
        assert "secret" not in ask(cluster, *command, user="bob").stdout, command
    assert "secret" in ask(cluster, "checkjob", str(job)).stdout, "root sees it"


def test_updates_of_the_jobs_of_others(own_cluster):
    """slurmctld refuses them, in the same words for a job that runs and for one that waits."""
    cluster = install(own_cluster(CFG + "SRCFG[lab] HOSTLIST=n2 PERIOD=INFINITY\n"
                                  "USERCFG[amy] QLIST=hi QDEF=hi\n",
                                  CONF.replace("[1-10]", "[1-2]") + "PrivateData=jobs\n", nodes=2))
    job = cluster.sbatch("-t60", "-n4", "-wn1", user="amy")
    waits = cluster.sbatch("-t60", "-n4", "-wn1", user="amy")
    running(cluster, job)
    answers = {cluster.update(one, change, check=False, user="bob").stderr.replace(str(one), "")
               for one in (job, waits) for change in ("reservation=lab", "qos=hi", "qos=lo")}
    assert len(answers) == 1 and re.search("denied|Invalid user", answers.pop()), answers
