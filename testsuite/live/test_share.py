# SPDX-License-Identifier: GPL-2.0-or-later
"""diagnose -f and maui share on a real cluster: they agree with the FS files and with sprio.

Rules: CMD-26, CMD-27.
"""

import json

import pytest
from cluster import wait_until
from fairshare import windows
from reservations import ask, install

CFG = """
RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 0
USERWEIGHT 1
FSPOLICY DEDICATEDPS
FSINTERVAL 24:00:00
FSDEPTH 3
FSDECAY 0.5
FSWEIGHT 2
FSUSERWEIGHT 1000
USERCFG[steve] PRIORITY=300000 FSTARGET=30
USERCFG[amy] PRIORITY=300000 FSTARGET=25+
USERCFG[bob] FSTARGET=10%
"""
CONF = """
SchedulerType=sched/maui
NodeName=n[1-2] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


@pytest.fixture(scope="module")
def whole(clusters):
    return install(clusters(CFG, CONF, nodes=2))


def shares(cluster, *args, **keywords):
    """{name: row} of users, and the whole answer."""
    answer = json.loads(ask(cluster, "maui", "share", "-u", "--json", *args, **keywords).stdout)
    return {row["name"]: row for row in answer["credentials"]}, answer


def run_mix(cluster):
    """steve and bob use the machine, for some seconds."""
    for user, procs in (("steve", 4), ("bob", 2)):
        cluster.sbatch("-t5", "-n%d" % procs, user=user, command="sleep 3")
    wait_until(lambda: len(shares(cluster)[0]) >= 3 and
               all(shares(cluster)[0][name]["effective"] > 0 for name in ("steve", "bob")) and
               shares(cluster)[1]["rate"] == 0, "usage is known, and no job runs")


def test_usage_is_that_of_the_files(cluster):
    run_mix(cluster)
    rows, answer = shares(cluster)
    percent = rows["steve"]["percent"]
    assert 55 < percent < 75  # each job may end a second early or late
    assert rows["steve"]["points"] == pytest.approx((30 - percent) * 2000, abs=0.5)
    table = ask(cluster, "diagnose", "-f").stdout
    line = next(line for line in table.splitlines() if line.startswith("steve*")).split()
    assert float(line[1]) == pytest.approx(percent, abs=0.01) and line[2] == "30.00"
    cluster.stop()
    on_disk = windows(cluster.state)
    cluster.start()
    total = sum(window.total for window in on_disk)
    steve = sum(window.usage["user", "steve"] for window in on_disk)
    assert (steve, total) == (rows["steve"]["effective"], answer["total"])


def test_points_are_those_of_sprio(cluster):
    """While amy's job runs, steve's share falls, so that the points of his job rise."""
    run_mix(cluster)
    cluster.sbatch("-t5", "-N2", "--exclusive", user="amy", command="sleep 60")
    waiting = cluster.sbatch("-t5", "-N2", "--exclusive", user="steve")

    def agrees():
        before = shares(cluster)[0]["steve"]["points"]
        out = cluster.run("sprio", "-h", "-j", str(waiting), "-o", "%F").stdout.split()
        cluster.wait_cycle()
        after = shares(cluster)[0]["steve"]["points"]
        assert out and before - 3000 <= int(out[0]) <= after + 3000 and before <= after, out
        return int(out[0])
    assert wait_until(agrees, "sprio has the same points") < 0


def test_a_cap_and_a_forecast_are_told(cluster):
    run_mix(cluster)
    said = ask(cluster, "maui", "share", "bob").stdout
    assert "Waiting jobs are held back by the cap." in said
    held = cluster.sbatch("-t5", "-n1", user="bob")
    wait_until(lambda: "FSTARGET" in cluster.run("squeue", "-h", "-j", str(held), "-o", "%r").stdout,
               "squeue says so, too")
    job = cluster.sbatch("-t5", "-n1", user="amy", command="sleep 60")
    wait_until(lambda: shares(cluster)[0]["amy"]["rate"] == 1, "amy's job runs")
    said = ask(cluster, "maui", "share", user="amy").stdout
    assert "Share of user amy" in said and "Target: at least 25 %" in said
    assert "Reaches the target:" in said and "(1 of " in said
    cluster.run("scancel", str(job))


def test_private_usage(clusters):
    cluster = install(clusters(CFG, CONF + "PrivateData=usage\n", nodes=2))
    run_mix(cluster)
    rows, answer = shares(cluster, user="steve")
    assert list(rows) == ["steve"] and answer["hidden"] and answer["total"] > 0
    said = ask(cluster, "maui", "share", "bob", user="steve", check=False)
    assert said.returncode == 4 and "PrivateData=usage hides" in said.stderr, said
    assert len(shares(cluster)[0]) >= 3
    cluster.restart()  # slurmctld forgets the names of users without jobs
    wait_until(lambda: ask(cluster, "showres", check=False).returncode == 0, "an answer")
    assert list(shares(cluster, user="john")[0]) in ([], ["john"])
    said = ask(cluster, "maui", "share", user="john", check=False)
    assert "PrivateData" not in said.stderr, said
