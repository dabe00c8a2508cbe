# SPDX-License-Identifier: GPL-2.0-or-later
"""showstats and resetstats on a real cluster: figures agree with scontrol, and survive a restart.

Rules: CMD-28, CMD-29, CMD-67.
"""

import json
import re

import pytest
from cluster import wait_until
from reservations import ask, install, refused

CFG = """
RMPOLLINTERVAL 1
ADMIN1 root
FSPOLICY DEDICATEDPS
"""
CONF = """
SchedulerType=sched/maui
NodeName=n[1-2] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


@pytest.fixture
def cluster(clusters):
    whole = install(clusters(CFG, CONF, nodes=2))
    yield whole
    whole.cancel_all()


def figures(cluster, *args):
    return json.loads(ask(cluster, "showstats", "--json", *args).stdout)


def ended(cluster, count):
    return wait_until(lambda: figures(cluster)["total"]["jobs"] == count,
                      "%d jobs have ended" % count)


def test_ended_jobs_are_counted_once(cluster):
    jobs = [cluster.sbatch("-t1", "-n%d" % procs, user=user, command="sleep 3")
            for procs, user in ((4, "steve"), (2, "amy"), (1, "amy"))]
    cluster.sbatch("-t1", "--begin=now+1hour", user="bob")
    ended(cluster, 3)
    seen = cluster.jobs()
    expected = sum(seen[job].procs * (seen[job].end - seen[job].start) for job in jobs)
    answer = figures(cluster)
    assert answer["total"]["used"] == expected
    assert answer["total"]["requested"] == sum(seen[job].procs * 60 for job in jobs)
    rows = {row["name"]: row for row in figures(cluster, "-u")["credentials"]}
    assert (rows["steve"]["jobs"], rows["amy"]["jobs"]) == (1, 2) and "bob" not in rows
    cells = [cell["jobs"] for cell in answer["grid"] if cell["jobs"]]
    assert sum(cells) == 3
    cluster.stop()
    cluster.start()
    wait_until(lambda: ask(cluster, "showstats", check=False).returncode == 0, "it answers again")
    cluster.wait_cycle()
    again = figures(cluster)
    assert (again["total"], again["since"]) == (answer["total"], answer["since"])
    assert "Completed Jobs:                          3" in ask(cluster, "showstats").stdout


def test_each_task_of_an_array_waits(cluster):
    mark = cluster.log_size()
    cluster.sbatch("-t5", "-N2", "--exclusive", "--array=1-4", user="amy")
    wait_until(lambda: (figures(cluster)["active_jobs"], figures(cluster)["waiting_jobs"]) == (1, 3), "one runs")
    cluster.wait_log("iteration: 3 waiting 1 active", mark)


def test_a_reset_begins_anew(cluster):
    cluster.sbatch("-t1", "-n1", command="true")
    ended(cluster, 1)
    refused(cluster, 4, "this needs ADMIN1", "resetstats", user="steve")
    ask(cluster, "resetstats")
    wait_until(lambda: figures(cluster)["total"]["jobs"] == 0, "nothing has ended since")
    assert "statistics reset by root" in cluster.log_since()
    cluster.sbatch("-t1", "-n1", command="sleep 1")
    ended(cluster, 1)


def test_a_job_that_never_ran_does_not_count(cluster):
    """Cancelled while it waits, once for itself and once after a requeue."""
    ask(cluster, "resetstats")
    waiting = cluster.sbatch("--begin=now+1hour", "-n1", user="amy")
    requeued = cluster.sbatch("-t5", "-n1", user="amy")
    cluster.wait_state(requeued, "RUNNING")
    ended = cluster.sbatch("-t1", "-n1", command="true")
    cluster.wait_over(ended)
    cluster.run("scancel", str(waiting))
    wait_until(lambda: figures(cluster)["total"]["jobs"] == 1, "the job that ran counts")
    cluster.scontrol("requeuehold", str(requeued))
    cluster.wait_state(requeued, "PENDING")
    cluster.wait_cycle()
    before = figures(cluster)["total"]["jobs"]
    cluster.run("scancel", str(requeued))
    cluster.wait_cycle()
    assert figures(cluster)["total"]["jobs"] == before


def test_processors_of_drained_nodes_count_while_jobs_use_them(cluster):
    job = cluster.sbatch("-t5", "-N2", "--exclusive")
    cluster.wait_state(job, "RUNNING")
    ask(cluster, "resetstats")
    for node in ("n1", "n2"):
        cluster.scontrol("update", "nodename=" + node, "state=drain", "reason=test")
    cluster.wait_cycle()
    before = figures(cluster)["dedicated"]
    wait_until(lambda: figures(cluster)["dedicated"] >= before + 16, "two seconds of eight")
    answer = figures(cluster)
    assert answer["dedicated"] <= answer["capacity"]
    for node in ("n1", "n2"):
        cluster.scontrol("update", "nodename=" + node, "state=resume")


def test_the_last_day_is_recorded(cluster):
    cluster.sbatch("-t5", "-n4", command="sleep 300")
    wait_until(lambda: any(span["used"] > 0 for span in figures(cluster)["utilisation"]),
               "the job uses processors")
    span = figures(cluster)["utilisation"][-1]
    assert span["procs"] == 8 and 0 < span["used"] <= 4
    assert span["used"] + span["idle"] + span["down"] + span["reserved"] == pytest.approx(8, abs=0.01)


def test_starts_are_compared_with_their_estimates(cluster):
    """The job ahead may run a minute and ends after ten seconds: so much earlier the next one
    starts. It is counted once, over a restart as well."""
    ask(cluster, "resetstats")
    cluster.sbatch("-t1", "-N2", "--exclusive", user="steve", command="sleep 10")
    second = cluster.sbatch("-t1", "-N2", "--exclusive", user="amy", command="sleep 1")
    start = json.loads(ask(cluster, "showstart", "--json", str(second)).stdout)["start"]
    assert start["half_within"] is None, "nothing has started yet"
    cluster.wait_over(second)
    rows = wait_until(lambda: figures(cluster)["estimates"], "the start is counted")
    first, last = ([row for row in rows if row["estimate"] == kind and "partition" not in row]
                   for kind in ("first", "last"))
    assert [row["jobs"] for row in first] == [row["jobs"] for row in last] == [1]
    assert first[0]["ahead"] == 600, "of all up to ten minutes ahead"
    assert -60 <= first[0]["p50"] <= -30, first
    own = [row for row in rows if row.get("partition") == "main"]
    assert [row["jobs"] for row in own] == [1, 1]
    table = ask(cluster, "showstats", "--estimates").stdout
    assert re.search(r"^main +first +<=00:10:00 +1 +-00:00:", table, re.M), table
    metrics = ask(cluster, "maui", "metrics").stdout
    assert ('slurm_maui_estimate_error_seconds{partition="main",estimate="first",ahead="600",'
            'percentile="50"} -') in metrics
    page = ask(cluster, "maui", "report", "-o", "-").stdout
    assert "<h2>How true estimates were</h2>" in page and "<td>main</td><td>first</td>" in page
    cluster.stop()
    cluster.start()
    wait_until(lambda: ask(cluster, "showstats", check=False).returncode == 0, "it answers again")
    cluster.wait_cycle()
    assert figures(cluster)["estimates"] == rows
    again = ask(cluster, "showstats", "--estimates", "-u", check=False)
    assert again.returncode == 2
