# SPDX-License-Identifier: GPL-2.0-or-later
"""maui report and showres -g on a real cluster: they agree with squeue and scontrol.

Rules: CMD-37, CMD-38, CMD-39.
"""

import json
import os
import stat
import sys

import pytest
from cluster import wait_until
from reservations import ask, install

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "report"))
import check_page  # noqa: E402

CFG = """
RMPOLLINTERVAL 1
RESERVATIONDEPTH 1
QUEUETIMEWEIGHT 1
RESWEIGHT 1
PROCWEIGHT 10
FSPOLICY DEDICATEDPS
USERCFG[amy] FSTARGET=10
SRCFG[class] HOSTLIST=n4 PERIOD=INFINITY USERLIST=amy
"""
CONF = """
SchedulerType=sched/maui
NodeName=n[1-4] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


@pytest.fixture(scope="module")
def whole(clusters):
    return install(clusters(CFG, CONF, nodes=4))


def report(cluster, *arguments, **keywords):
    """What the page is made from."""
    return json.loads(ask(cluster, "maui", "report", "--json", *arguments, **keywords).stdout)


def wait_report(cluster, check):
    """Waits until the report passes the check; returns it."""
    def look():
        seen = report(cluster)
        assert check(seen), seen
        return seen
    return wait_until(look, "the report shows it")


def items(seen):
    """By kind and id, with the nodes of each."""
    schedule, found = seen["schedule"], {}
    for row in schedule["rows"]:
        for index, _, _ in row["boxes"]:
            item = schedule["items"][index]
            found.setdefault((item["kind"], item["id"]), []).append(row["nodes"])
    return found


def test_the_schedule_is_what_slurm_shows(cluster):
    cluster.run("scontrol", "create", "reservation", "ReservationName=repair", "user=root",
                "nodes=n3", "start=now+2hours", "duration=60")
    running = cluster.sbatch("-N2", "-c4", "-t10", "-w", "n1,n2")
    wait_report(cluster, lambda seen: ("running", str(running)) in items(seen))
    waiting = cluster.sbatch("-N3", "-c4", "-t10")
    seen = wait_report(cluster, lambda seen: ("reserved", str(waiting)) in items(seen)
                       and ("running", str(running)) in items(seen))
    found = items(seen)
    assert found["running", str(running)] == ["n1", "n2"]
    assert found["reserved", str(waiting)] == ["n1", "n2", "n3"]
    assert found["slurm", "repair"] == ["n3"]
    assert found["standing", "maui.class.0"] == ["n4"]
    assert [name for kind, name in found if kind == "slurm"] == ["repair"], "mirrors are ours"
    assert ["n3"] in [nodes for (kind, _), nodes in found.items() if kind == "free"]
    assert seen["queue"]["running"]["jobs"] == 1 and seen["queue"]["reserved"]["jobs"] == 1
    assert [job["id"] for job in seen["waiting"]] == [waiting]
    assert seen["waiting"][0]["components"]["RES"] == 120
    shown = cluster.run("squeue", "-h", "-j", str(waiting), "-o", "%Q").stdout.strip()
    assert abs(int(shown) - seen["waiting"][0]["priority"]) <= 1
    assert seen["why_not"][0]["nodes"]["busy"] == 2
    cluster.run("scontrol", "delete", "ReservationName=repair")


def test_a_node_that_is_down_is_shown(cluster):
    cluster.run("scontrol", "update", "NodeName=n3", "State=DRAIN", "Reason=test")
    seen = wait_report(cluster, lambda seen: any(kind == "down" for kind, _ in items(seen)))
    assert [nodes for (kind, _), nodes in items(seen).items() if kind == "down"] == [["n3"]]
    cluster.run("scontrol", "update", "NodeName=n3", "State=RESUME")


def test_fairshare_and_utilisation(cluster):
    cluster.sbatch("-N2", "-c4", "-t10")
    seen = wait_report(cluster, lambda seen: seen["utilisation"] and seen["fairshare"])
    assert "amy" in [row["name"] for row in seen["fairshare"]["credentials"]]
    assert seen["utilisation"][-1]["procs"] == 16


def test_the_page_of_a_hostile_job(cluster, tmp_path):
    job = cluster.sbatch("-N1", "-c4", "-t10", "--account=<script>&\"'\x1b[31m")
    wait_report(cluster, lambda seen: ("running", str(job)) in items(seen))
    path = tmp_path / "page.html"
    path.write_text("old")
    path.chmod(0o600)
    ask(cluster, "maui", "report", "-o", str(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    text = path.read_text()
    assert "data-id=\"%d\"" % job in text and "<script" not in text and "\x1b" not in text
    check_page.check(text, report(cluster))


def test_showres_g(cluster):
    cluster.sbatch("-N2", "-c4", "-t600", "-w", "n1,n2")
    wait_until(lambda: "n[1-2]   ####" in ask(cluster, "showres", "-g", "--ascii").stdout,
               "the job is drawn")
    text = ask(cluster, "showres", "-g", "--ascii").stdout
    assert max(map(len, text.split("\n"))) <= 80
    assert "n4       ::::" in text and "n3       ...." in text, text


def test_private_data_hides_the_jobs_of_others(clusters):
    cluster = install(clusters(CFG, CONF + "PrivateData=jobs\n", nodes=4))
    job = cluster.sbatch("-N1", "-c4", "-t10", user="steve")
    wait_report(cluster, lambda seen: ("running", str(job)) in items(seen))
    assert ("running", str(job)) in items(report(cluster, user="steve"))
    seen = report(cluster, user="amy")
    assert ("running", str(job)) not in items(seen) and seen["queue"]["running"]["jobs"] == 0
