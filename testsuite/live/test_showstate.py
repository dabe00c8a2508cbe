# SPDX-License-Identifier: GPL-2.0-or-later
"""showstate on a real cluster: its map agrees with squeue and sinfo, and it names what is wrong.

Rules: CMD-9, CMD-49.
"""

import json
import os

import pytest
from cluster import wait_until
from reservations import ask, install, refused, setres

CFG = """
RMPOLLINTERVAL 1
SRCFG[class] HOSTLIST=n4 PERIOD=INFINITY USERLIST=amy
"""
CONF = """
SchedulerType=sched/maui
SlurmdTimeout=300
NodeName=n[1-4] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


@pytest.fixture(scope="module")
def whole(clusters):
    return install(clusters(CFG, CONF, nodes=4))


def wait_text(cluster, *texts, **keywords):
    """Waits until showstate prints all texts; returns what it prints."""
    def look():
        said = ask(cluster, "showstate", **keywords).stdout
        for text in texts:
            assert text in said, said
        return said
    return wait_until(look, "showstate prints " + ", ".join(texts))


def test_the_map_agrees_with_squeue(cluster):
    large = cluster.sbatch("-N2", "-c4", "-t10", "-w", "n1,n2")
    one, other = (cluster.sbatch("-c1", "-t20", "-w", "n3") for _ in range(2))
    said = wait_text(cluster, "[A][A][&][=]", "3 active jobs  3 of 4 nodes active  10 of 16")
    assert [line.split()[:2] for line in said.split("\n") if line.startswith("(")] == [
        ["(A)", str(large)], ["(B)", str(one)], ["(C)", str(other)]]
    assert "No problems." in said and "SERVERMODE NORMAL" in said
    assert max(map(len, said.split("\n"))) <= 80
    seen = json.loads(ask(cluster, "showstate", "--json").stdout)
    running = cluster.run("squeue", "-h", "-t", "R", "-o", "%A %u %C").stdout.split("\n")[:-1]
    assert sorted("%s %s %d" % (job["job"], job["user"], job["procs"]) for job in seen["jobs"]) \
        == sorted(running)
    assert 0 < seen["scheduler"]["last_cycle"] < 10 and seen["scheduler"]["starts_jobs"]


def test_nodes_that_are_down_and_drained_are_named(cluster):
    job = cluster.sbatch("--no-requeue", "-N1", "-c4", "-t10", "-w", "n1")
    cluster.wait_state(job, "RUNNING")
    cluster.run("scontrol", "update", "NodeName=n2", "State=DOWN", "Reason=test")
    cluster.run("scontrol", "update", "NodeName=n1,n3", "State=DRAIN", "Reason=test")
    try:
        wait_text(cluster, "[!][#][!][=]", "1 node is down: n2", "1 node is drained: n3",
                  "1 node is drained when its jobs end: n1")
    finally:
        cluster.run("scontrol", "update", "NodeName=n[1-3]", "State=RESUME")
    wait_text(cluster, "[A][ ][ ][=]", "No problems.")


def test_a_file_and_a_mode_that_are_wrong_are_named(cluster):
    cluster.write_maui_cfg(CFG + "FSDECAY much\n")
    cluster.run("scontrol", "reconfigure")
    wait_text(cluster, "maui.cfg is not in force: slurmctld refused the file")
    cluster.write_maui_cfg(CFG + "SERVERMODE TEST\n")
    cluster.maui("reconfigure")
    wait_text(cluster, "SERVERMODE TEST", "no job is started: SERVERMODE of maui.cfg")
    cluster.write_maui_cfg(CFG)
    cluster.maui("reconfigure")
    wait_text(cluster, "No problems.")


def test_a_state_that_was_set_aside_is_named_until_its_file_is_removed(cluster):
    """With the mirror whose reservation was lost, which releaseres does not take for Slurm's own."""
    name = setres(cluster, "-n", "lost", "-d", "1:00:00", "n3")
    mirror = "maui.%s.0" % name
    wait_until(lambda: mirror in cluster.run("scontrol", "show", "reservation").stdout, "a mirror")
    cluster.stop()
    paths = [os.path.join(cluster.state, "state.json" + old) for old in ("", ".old")]
    for path in paths:
        with open(path, "w", encoding="utf-8") as state:
            state.write("{")
    cluster.start()
    try:
        wait_text(cluster, *("set aside as %s.bad" % path for path in paths),
                  "%s: reservations of setres, releases, queue times" % paths[0],
                  "Slurm reservation %s is a mirror whose reservation is lost" % mirror)
        refused(cluster, 2, "'%s' is a mirror whose reservation is lost: scontrol delete "
                "ReservationName=%s" % (mirror, mirror), "releaseres", mirror)
    finally:
        cluster.scontrol("delete", "ReservationName=" + mirror)
    for path in paths:
        os.unlink(path + ".bad")
    wait_text(cluster, "No problems.")


def test_a_state_that_cannot_be_saved_is_named(cluster):
    new = os.path.join(cluster.state, "state.json.new")
    os.mkdir(new)
    try:
        ask(cluster, "setres", "-n", "some", "-d", "60", "n3")
        wait_text(cluster, "the state is not saved: cannot write %s" % new[:-4])
    finally:
        os.rmdir(new)
    wait_text(cluster, "No problems.")


def test_private_data_holds(clusters):
    cluster = install(clusters(CFG, CONF + "PrivateData=jobs\n", nodes=4))
    job = cluster.sbatch("-N1", "-c4", "-t10", "-w", "n1", user="steve")
    wait_text(cluster, "(A) %d" % job, "[A][ ][ ][=]", user="steve")
    said = wait_text(cluster, "[+][ ][ ]", user="amy")
    assert "steve" not in said and "0 active jobs" in said
