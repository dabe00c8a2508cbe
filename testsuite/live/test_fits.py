# SPDX-License-Identifier: GPL-2.0-or-later
"""showbf and maui fits on a real cluster: a job of the offered size starts, a larger one does not.

Rules: CMD-40, CMD-41, CMD-42, CMD-71.
"""

import json

import pytest
from cluster import USERS, wait_until
from reservations import ask, install, refused
from starts import stays_pending

CFG = """
RMPOLLINTERVAL 1
RESERVATIONDEPTH 1
SRCFG[class] HOSTLIST=n4 PERIOD=INFINITY USERLIST=amy
"""
CONF = """
SchedulerType=sched/maui
DefMemPerCPU=500
NodeName=n[1-4] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


@pytest.fixture(scope="module")
def whole(clusters):
    return install(clusters(CFG, CONF, nodes=4))


def widest(cluster, user):
    """Processors of the widest window of showbf --json."""
    answer = json.loads(ask(cluster, "showbf", "--json", "-u", user).stdout)
    windows = answer["partitions"][0]["windows"]
    return windows[0]["procs"] if windows else 0


def wait_widest(cluster, user, procs):
    wait_until(lambda: widest(cluster, user) == procs, "showbf offers %s %d processors" % (user, procs))


def test_a_reservation_is_free_for_its_users(cluster):
    wait_widest(cluster, "steve", 12)
    wait_widest(cluster, "amy", 16)
    assert "12 procs available with no timelimit" in ask(cluster, "showbf", "-u", "steve").stdout
    text = ask(cluster, "maui", "fits", "-u", "amy").stdout
    assert "4 nodes (16 processors) without an end" in text
    assert "reservation class" in text and "admits you: 1 node" in text


@pytest.mark.parametrize("words", [[], ["--mem=100"]])
def test_a_job_starts_beside_others(cluster, words):
    """Every node has a job, and processors and memory left."""
    for node in ("n1", "n2", "n3"):
        cluster.sbatch("-n1", "-t10", "-w", node)
    wait_widest(cluster, "steve", 9)
    assert "yes, the job starts at once" in ask(cluster, "maui", "fits", "-u", "steve", "-n1", "-t10",
                                                *words).stdout
    job = cluster.sbatch("-n1", "-t10", *words)
    wait_until(lambda: cluster.job(job).state == "RUNNING", "the job runs")


@pytest.mark.parametrize("word", ["--mem=0", "--mem-per-cpu=0"])
def test_all_memory_of_a_node_is_taken(cluster, word):
    for node in ("n1", "n2", "n3"):
        cluster.sbatch("-n1", "-t10", "-w", node)
    wait_widest(cluster, "steve", 9)
    words = ["-n1", "-t10", word]
    assert "main: no" in ask(cluster, "maui", "fits", "-u", "steve", *words).stdout
    job = cluster.sbatch(*words)
    wait_until(lambda: "Resources" in cluster.run("squeue", "-h", "-j", str(job), "-o", "%r").stdout, "it waits")


def test_where_no_job_consumes_memory(own_cluster):
    """--mem=0 asks for nothing there."""
    cluster = install(own_cluster("RMPOLLINTERVAL 1\n", CONF.replace(
        "DefMemPerCPU=500", "DefMemPerCPU=\nSelectTypeParameters=CR_Core"), nodes=4))
    cluster.sbatch("-N4", "-n4", "-t10")
    wait_widest(cluster, "steve", 12)
    for word in ("--mem=0", "--mem-per-cpu=0"):
        words = ["-n1", "-t10", word]
        assert "main: yes" in ask(cluster, "maui", "fits", "-u", "steve", *words).stdout
        cluster.wait_state(cluster.sbatch(*words), "RUNNING")


def test_what_is_offered_starts_and_more_does_not(cluster):
    cluster.sbatch("-N1", "-c4", "-t10")
    wait_widest(cluster, "steve", 8)
    more = cluster.sbatch("-N3", "-c4", "-t5")
    wait_until(lambda: "3 nodes" in ask(cluster, "checkjob", "-v", str(more)).stdout,
               "the larger job waits")
    text = ask(cluster, "checkjob", "-v", str(more)).stdout
    command = [line.split() for line in text.splitlines() if "numnodes=2" in line][0]
    assert command[:3] == ["scontrol", "update", "jobid=%d" % more]
    cluster.scontrol(*command[1:])
    wait_until(lambda: cluster.run("squeue", "-h", "-j", str(more), "-o", "%t").stdout.strip()
               == "R", "the smaller job runs")


def test_a_job_without_a_limit_waits_as_fits_says(cluster):
    """Three nodes are free until the larger job gets them; 10 days do not fit."""
    cluster.wait_state(cluster.sbatch("-N1", "-c4", "-t10"), "RUNNING")
    large = cluster.sbatch("-N3", "-c4", "-t5")
    wait_until(lambda: "\n%d " % large in ask(cluster, "showres").stdout,
               "slurmctld answers from a plan with the larger job")
    said = {text: ask(cluster, "maui", "fits", "-u", "steve", "-N1", *text.split()).stdout
            for text in ("-t 1", "", "-t UNLIMITED")}
    assert "main: yes" in said["-t 1"], said
    for text in ("", "-t UNLIMITED"):
        assert "main: no, earliest " in said[text], said
        assert "10:00:00:00 (SYSTEMDEFAULTJOBWALLTIME)" in said[text], said
    job = cluster.sbatch("-N1", "-c4")
    wait_until(lambda: "Wall" in ask(cluster, "checkjob", str(job)).stdout, "a cycle has seen it")
    wait_until(lambda: cluster.run("squeue", "-h", "--start", "-j", str(job), "-o", "%S").stdout
               .strip() not in ("", "N/A"), "the job is planned, and waits")


def test_bad_calls_have_an_exit_status(cluster):
    refused(cluster, 5, "no partition 'nix'", "showbf", "-p", "nix")


def test_a_reservation_of_slurms_own_may_be_named(cluster):
    """Whom it admits is not looked at; its nodes are what the job gets."""
    cluster.scontrol("create", "reservation=theirs", "starttime=now", "duration=30", "nodes=n1",
                     "users=steve", "flags=ignore_jobs")
    try:
        def fits(*words):
            return ask(cluster, "maui", "fits", "-u", "steve", "-t", "5", "--reservation=theirs", *words).stdout
        wait_until(lambda: "main: yes" in fits("-n", "4"), "fits")
        assert "not checked: whether Slurm's reservation theirs admits you" in fits("-n", "4")
        assert "main: no" in fits("-N", "2") and "does not exist" not in fits("-N", "2")
        job = cluster.sbatch("-n4", "-t5", "--reservation=theirs")
        cluster.wait_state(job, "RUNNING")
    finally:
        cluster.cancel_all()
        cluster.scontrol("delete", "ReservationName=theirs")


def test_a_partition_is_offered_to_those_whom_its_groups_admit(cluster):
    """fits, showbf, showstart, whatif and checkjob's advice say what slurmctld then does."""
    cluster.scontrol("create", "partition=closed", "nodes=ALL", "allowgroups=" + USERS["amy"], "state=UP")
    rule = "AllowGroups of the partition has no group of the user"
    try:
        wait_until(lambda: "closed" in ask(cluster, "maui", "fits", "-u", "steve").stdout, "the plan has it")
        assert "not open to you: closed (AllowGroups)" in ask(cluster, "maui", "fits", user="steve").stdout
        assert "not open to you" not in ask(cluster, "maui", "fits", user="amy").stdout
        assert "not open to you" not in ask(cluster, "maui", "fits", "-u", "root").stdout
        for user, admitted in (("steve", False), ("amy", True), ("root", True)):
            for words, who in ((["-u", user], {}), ([], {} if user == "root" else {"user": user})):
                line = ["-p", "closed", "-N1", "-t5", *words]
                said = ask(cluster, "maui", "fits", *line, **who).stdout
                assert ("closed: yes" in said) == admitted, said
                assert (rule in said) == (not admitted), said
                bf = ask(cluster, "showbf", "-p", "closed", *words, **who).stdout
                assert ("no procs available" in bf) == (not admitted), bf
                what = ask(cluster, "maui", "whatif", "--job", " ".join(line), check=False, **who)
                assert what.returncode == (0 if admitted else 1), what
                assert rule in what.stderr or admitted, what
        job = cluster.sbatch("-pclosed", "-N1", "-t5", user="amy")
        cluster.wait_state(job, "RUNNING")
        sent = cluster.run(*cluster.sbatch_command("-pclosed", "-N1", "-t5"), check=False)
        if sent.returncode:
            assert "group not permitted" in sent.stderr, sent
        else:  # later releases take the job without EnforcePartLimits, and do not start it
            stays_pending(cluster, int(sent.stdout))
    finally:
        cluster.cancel_all()
        cluster.scontrol("delete", "partition=closed")


def test_a_partition_is_offered_by_its_groups_as_they_are_now(cluster):
    """Two changes within one second, too."""
    def said(words):
        return words in ask(cluster, "maui", "fits", "-p", "closed", "-N1", "-t5", "-u", "steve").stdout
    cluster.scontrol("create", "partition=closed", "nodes=ALL", "allowgroups=" + USERS["amy"], "state=UP")
    try:
        wait_until(lambda: said("closed: no"), "the plan has the partition")
        cluster.scontrol("update", "partition=closed", "allowgroups=ALL")
        wait_until(lambda: said("closed: yes"), "it is open to all")
        for groups in ("ALL", USERS["amy"]) * 3:
            cluster.scontrol("update", "partition=closed", "allowgroups=" + groups)
        wait_until(lambda: said("closed: no"), "it is closed again")
    finally:
        cluster.scontrol("delete", "partition=closed")


def test_checkjob_advises_no_partition_that_does_not_admit_the_user(cluster):
    """Both jobs wait for a node that main has not; the other partitions are of idle nodes."""
    cluster.scontrol("update", "partition=main", "nodes=n1")
    for name, group in (("open", "ALL"), ("closed", USERS["amy"])):
        cluster.scontrol("create", "partition=" + name, "nodes=n[2-3]", "allowgroups=" + group, "state=UP")
    try:
        cluster.wait_state(cluster.sbatch("-N1", "--exclusive", "-t10", user="bob"), "RUNNING")
        jobs = {user: cluster.sbatch("-N1", "--exclusive", "-t10", user=user) for user in ("steve", "amy")}

        def advised(user):
            text = ask(cluster, "checkjob", "-v", str(jobs[user])).stdout
            return {name for name in ("open", "closed") if "partition=" + name in text}
        wait_until(lambda: advised("steve") == {"open"}, "steve is sent to open alone")
        wait_until(lambda: advised("amy") == {"open", "closed"}, "amy may go to both")
    finally:
        cluster.cancel_all()
        for name in ("open", "closed"):
            cluster.scontrol("delete", "partition=" + name)
        cluster.scontrol("update", "partition=main", "nodes=ALL")
