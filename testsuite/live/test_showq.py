# SPDX-License-Identifier: GPL-2.0-or-later
"""showq, maui queue and showstart on a real cluster: what they say agrees with squeue.

Rules: CMD-9, CMD-23, CMD-24, CMD-25.
"""

import json
import time

import pytest
from cluster import wait_until
from reservations import ask, install, refused

CFG = """
RMPOLLINTERVAL 1
RESERVATIONDEPTH 1
USERCFG[amy] MAXJOB=1
"""
CONF = """
SchedulerType=sched/maui
NodeName=n[1-4] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


@pytest.fixture(scope="module")
def whole(clusters):
    return install(clusters(CFG, CONF, nodes=4))


def listed(cluster, **keywords):
    """The labels of each block of showq --json, and the totals."""
    seen = json.loads(ask(cluster, "showq", "--json", **keywords).stdout)
    blocks = {name: [row[0] for row in seen[name]] for name in ("active", "idle", "blocked")}
    return blocks, seen["totals"], seen


def wait_listed(cluster, check, **keywords):
    """Waits until what showq lists passes the check; returns it."""
    def look():
        blocks, totals, seen = listed(cluster, **keywords)
        assert check(blocks), blocks
        return blocks, totals, seen
    return wait_until(look, "showq lists the jobs")


def squeue(cluster, state):
    out = cluster.run("squeue", "-h", "-r", "-t", state, "-o", "%i").stdout
    return sorted(out.split())


def test_the_blocks_agree_with_squeue(cluster):
    running = cluster.sbatch("-N2", "-c4", "-t10")
    first = cluster.sbatch("-t10", user="amy")
    limited = cluster.sbatch("-t10", user="amy")
    waiting = cluster.sbatch("-N3", "-c4", "-t10")
    held = cluster.sbatch("--hold", "-t10")
    array = cluster.sbatch("--array=1-5", "-N4", "-c4", "-t10")
    blocks, totals, seen = wait_listed(
        cluster, lambda b: set(b["active"]) == {str(running), str(first)} and
        b["idle"] == [str(waiting), "%d_[1-5]" % array] and
        set(b["blocked"]) == {str(limited), str(held)})
    assert totals["active_jobs"] == len(squeue(cluster, "R")) == 2
    assert totals["idle_jobs"] + totals["blocked_jobs"] == len(squeue(cluster, "PD")) == 8
    assert (totals["active_procs"], totals["procs"], totals["active_nodes"]) == (9, 16, 3)
    assert [kept["job"] for kept in seen["kept"]] == [str(waiting)]
    text = ask(cluster, "showq").stdout
    assert "9 of     16 Processors Active (56.25%)" in text
    assert "Total Jobs: 10   Active Jobs: 2   Idle Jobs: 6   Blocked Jobs: 2" in text
    assert " kept for job %d of steve" % waiting in text
    assert "MAXJOB USER amy 1/1" in ask(cluster, "showq", "-b").stdout
    assert "UserHold" in ask(cluster, "showq", "-b", "-u", "steve").stdout
    assert ask(cluster, "showq", "-i").stdout.split("\n")[2].startswith("%d*" % waiting)
    assert " PD " in ask(cluster, "maui", "queue", "-u", "amy").stdout


def test_a_task_that_has_started_is_no_longer_listed_as_waiting(cluster):
    array = cluster.sbatch("--array=1-6", "-N1", "-c4", "-t10")
    blocks, totals, _ = wait_listed(cluster, lambda b: b["idle"] == ["%d_[5-6]" % array])
    assert set(blocks["active"]) == {"%d_%d" % (array, task) for task in range(1, 5)}
    assert sorted(squeue(cluster, "R")) == sorted(blocks["active"])


def test_showstart_agrees_with_squeue_and_sees_an_estimate_move(cluster):
    first = cluster.sbatch("-N4", "-c4", "-t10")
    job = cluster.sbatch("-N2", "-c4", "-t10")
    cluster.sbatch("--hold", "-t10")

    def started():
        seen = json.loads(ask(cluster, "showstart", "--json", str(job)).stdout)["start"]
        assert seen["basis"] == "reservation", seen
        return seen
    seen = wait_until(started, "the job has a reservation")
    shown = cluster.run("squeue", "-h", "--start", "-j", str(job), "-o", "%S").stdout.strip()
    assert time.strftime("%Y-%m-%dT%H:%M", time.localtime(seen["start"])) == shown[:16]
    assert seen["end"] - seen["start"] == 600 and len(seen["history"]) == 1
    assert "Basis: job reservation" in ask(cluster, "showstart", str(job)).stdout
    assert "It is active" in ask(cluster, "showstart", str(first)).stdout
    cluster.run("scontrol", "update", "JobId=%d" % first, "TimeLimit=30")

    def moved():
        now = json.loads(ask(cluster, "showstart", "--json", str(job)).stdout)["start"]
        assert len(now["history"]) == 2, now
        return now
    now = wait_until(moved, "the estimate moved")
    assert now["history"][1][1] - now["history"][0][1] == 1200
    assert "Start estimates:" in ask(cluster, "checkjob", "-v", str(job)).stdout
    refused(cluster, 5, "no job 99999", "showstart", "99999")


def test_showstart_of_a_job_that_is_not_submitted_is_that_of_the_job_when_it_is(cluster):
    first = cluster.sbatch("-N4", "-c4", "-t10")
    wait_listed(cluster, lambda b: b["active"] == [str(first)])

    def start_of(what):
        return json.loads(ask(cluster, "showstart", "--json", what).stdout)["start"]
    asked = start_of("8@5:00")
    assert asked["procs"] == 8 and asked["end"] - asked["start"] == 300 and asked["basis"] == "fit", asked
    shown = cluster.run("squeue", "-h", "-j", str(first), "-o", "%e").stdout.strip()
    assert time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(asked["start"])) == shown
    job = cluster.sbatch("-n8", "-t5")
    seen = wait_until(lambda: start_of(str(job)), "the job is in a plan")
    assert seen["start"] == asked["start"], (seen, asked)
    assert start_of("17@5:00")["start"] is None
    assert "Start cannot be estimated: " in ask(cluster, "showstart", "17@5:00").stdout


def test_private_data_hides_the_jobs_of_others(clusters):
    cluster = install(clusters(CFG, CONF + "PrivateData=jobs\n", nodes=4))
    job = cluster.sbatch("-N1", "-t10", user="steve")
    wait_listed(cluster, lambda b: b["active"] == [str(job)], user="steve")
    _, all_totals, _ = listed(cluster)
    blocks, totals, _ = listed(cluster, user="amy")
    assert blocks["active"] == [] and totals["active_jobs"] == 0
    assert totals["active_procs"] == all_totals["active_procs"] > 0, "what nodes have in use is no secret"
