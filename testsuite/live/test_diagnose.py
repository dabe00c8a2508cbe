# SPDX-License-Identifier: GPL-2.0-or-later
"""diagnose and showconfig on a real cluster: what they say agrees with squeue, sprio and scontrol.

Rules: CMD-9, CMD-30, CMD-31, CMD-32, CMD-33.
"""

import json

import pytest
from cluster import SLURM, wait_until
from reservations import ask, install, refused

CFG = """
RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 10
XFACTORWEIGHT 100
CREDWEIGHT 10
USERWEIGHT 1
USERCFG[amy] PRIORITY=50
USERCFG[steve] PRIORITY=20 MAXJOB=1
"""
CONF = """
SchedulerType=sched/maui
NodeName=n[1-4] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


@pytest.fixture(scope="module")
def whole(clusters):
    return install(clusters(CFG, CONF, nodes=4))


def diagnosed(cluster, *arguments, **keywords):
    """What diagnose --json answers."""
    return json.loads(ask(cluster, "diagnose", "--json", *arguments, **keywords).stdout)


def priorities(cluster):
    """{job: priority} of squeue."""
    lines = cluster.run("squeue", "-h", "-t", "PD", "-o", "%i %Q").stdout.splitlines()
    return {int(line.split()[0]): int(line.split()[1]) for line in lines}


def test_priorities_are_those_of_squeue(cluster):
    cluster.sbatch("-N4", "-c4", "-t10", user="amy")
    jobs = [cluster.sbatch("-N4", "-c4", "-t10", user="amy"), cluster.sbatch("-N3", "-c4", "-t20")]

    def look():
        seen = {job["id"]: job for job in diagnosed(cluster, "-p")["jobs"]}
        assert sorted(seen) == jobs
        assert {job: seen[job]["priority"] for job in jobs} == priorities(cluster)
        return seen

    seen = wait_until(look, "diagnose -p agrees with squeue")
    for job in seen.values():
        assert int(sum(job["components"].values())) == job["priority"], job
    assert seen[jobs[0]]["contributions"]["USER"] == 500
    assert seen[jobs[1]]["contributions"]["USER"] == 200
    text = ask(cluster, "diagnose", "-p").stdout
    assert "PRIORITY*" in text and "Cred( User)" in text and "Percent Contribution" in text
    cluster.run("scontrol", "update", "job=%d" % jobs[1], "priority=7777")
    wait_until(lambda: "7777+" in ask(cluster, "diagnose", "-p").stdout, "the priority is marked")


def test_showconfig_has_what_is_in_force(cluster):
    text = ask(cluster, "showconfig").stdout
    release = "%d.%02d.%d" % SLURM
    assert text.startswith("# slurm-maui ") and " in slurmctld %s, cluster " % release in text
    path = cluster.run("sh", "-c", "ls $(dirname $SLURM_CONF)/maui.cfg").stdout.strip()
    lines = [line.split() for line in text.splitlines()]
    assert ["USERCFG[amy]", "PRIORITY=50", "#", path + ":7"] in lines, text
    assert ["FSPOLICY", "NONE", "#", "default"] in lines, text
    with open(path, encoding="ascii") as file:
        good = file.read()
    try:
        with open(path, "w", encoding="ascii") as file:
            file.write(good + "QUEUETIMEWEIGHT ten\n")
        cluster.run("scontrol", "reconfigure")
        wait_until(lambda: "REFUSED since" in ask(cluster, "showconfig").stdout, "it is refused")
        text = ask(cluster, "showconfig", "QUEUETIMEWEIGHT").stdout
        assert "maui.cfg:9:" in text and ": error: " in text, text
        assert "QUEUETIMEWEIGHT 10 " in text, text
        assert "REFUSED since" in ask(cluster, "diagnose", "-r").stdout
    finally:
        with open(path, "w", encoding="ascii") as file:
            file.write(good)
    cluster.run("scontrol", "reconfigure")
    wait_until(lambda: "REFUSED" not in ask(cluster, "showconfig").stdout, "it is in force again")


def test_credentials_have_the_use_of_squeue(cluster):
    cluster.sbatch("-N2", "-c4", "-t10")
    cluster.sbatch("-N1", "-c4", "-t10", user="amy")

    def look():
        users = {one["name"]: one for one in diagnosed(cluster, "-u")["credentials"]}
        running = cluster.run("squeue", "-h", "-t", "R", "-o", "%u %C").stdout.split()
        assert running == ["amy", "4", "steve", "8"] or running == ["steve", "8", "amy", "4"]
        assert users["amy"]["active_procs"] == 4 and users["steve"]["active_procs"] == 8
        return users

    users = wait_until(look, "diagnose -u agrees with squeue")
    assert users["steve"]["limits"] == [{"name": "MAXJOB", "soft": 1, "hard": 1, "used": 1}]
    classes = diagnosed(cluster, "-c")["credentials"]
    assert [(one["name"], one["active_jobs"]) for one in classes] == [("main", 2)]
    text = ask(cluster, "diagnose", "-u", "steve").stdout
    assert text.startswith("evaluating user information") and "MAXJOB=1(1)" in text


def test_blocked_jobs_and_their_limits(cluster):
    cluster.sbatch("-t10")
    limited = cluster.sbatch("-t10")
    held = cluster.sbatch("-t10", "--hold", user="amy")

    def look():
        text = ask(cluster, "diagnose", "-q").stdout
        assert "job %d violates active HARD MAXJOB limit of 1 for user steve" % limited in text
        assert "job %d has the following hold(s) in place:  User" % held in text
        return diagnosed(cluster, "-j")["jobs"]

    jobs = wait_until(look, "diagnose -q has both jobs")
    listed = cluster.run("squeue", "-h", "-o", "%i").stdout.split()
    assert sorted(str(job["id"]) for job in jobs) == sorted(listed)


def test_nodes_have_what_scontrol_says(cluster):
    cluster.sbatch("-N2", "-c4", "-t10")

    def look():
        nodes = {one["name"]: one for one in diagnosed(cluster, "-n")["nodes"]}
        busy = cluster.run("sinfo", "-h", "-N", "-t", "alloc", "-o", "%N").stdout.split()
        assert sorted(name for name in nodes if nodes[name]["state"] == "Busy") == sorted(busy)
        assert len(busy) == 2
        return nodes

    nodes = wait_until(look, "diagnose -n agrees with sinfo")
    assert sum(node["procs_available"] for node in nodes.values()) == 8
    assert all(node["procs"] == 4 for node in nodes.values())


def test_bad_calls_have_an_exit_status(cluster):
    refused(cluster, 5, "no job 99999 is waiting", "diagnose", "-p", "99999")
    refused(cluster, 2, "'x' is not the number of a job", "diagnose", "-p", "x")
