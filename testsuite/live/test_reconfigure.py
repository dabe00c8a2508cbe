# SPDX-License-Identifier: GPL-2.0-or-later
"""maui reconfigure on a real cluster: whether maui.cfg is in force.

Rules: CMD-44.
"""

import json

import pytest
from cluster import wait_until
from reservations import ask, install

CFG = """
RMPOLLINTERVAL 5
QUEUETIMEWEIGHT 10
"""
CONF = """
SchedulerType=sched/maui
NodeName=n[1-2] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


@pytest.fixture(scope="module")
def cluster(clusters):
    return install(clusters(CFG, CONF, nodes=2))


def weight(cluster):
    text = ask(cluster, "showconfig", "QUEUETIMEWEIGHT", "-o", "Value", "--noheader").stdout
    return text.strip()


def test_a_good_file_is_in_force_when_the_command_ends(cluster):
    for value in ("20", "30", "10"):
        cluster.write_maui_cfg(CFG.replace("10", value))
        said = cluster.maui("reconfigure").stdout
        assert said.endswith("/maui.cfg is in force\n"), said
        assert weight(cluster) == value
    cluster.write_maui_cfg(CFG + "DEFERTIME 1:00:00\nBACKFILLTYPE 3\n")
    said = json.loads(cluster.maui("reconfigure", "--json").stdout)
    assert said["meta"]["schema"] == "maui.reconfigure.v1" and said["in_force"], said
    cluster.write_maui_cfg(CFG)
    cluster.maui("reconfigure")


def test_errors_are_named_and_slurmctld_is_not_asked(cluster):
    cluster.write_maui_cfg(CFG + "FSDECAY much\n")
    mark = cluster.log_size()
    said = cluster.maui("reconfigure", check=False)
    assert said.returncode == 1 and not said.stdout, said
    assert "maui.cfg:" in said.stderr and "FSDECAY" in said.stderr, said
    assert "has 1 error: slurmctld was not asked" in said.stderr, said
    assert "not accepted" not in cluster.log_since(mark)
    cluster.write_maui_cfg(CFG)


def test_a_mended_file_is_in_force_again(cluster):
    """A file that slurmctld refuses already, and that is mended."""
    cluster.write_maui_cfg(CFG + "FSDECAY much\n")
    cluster.run("scontrol", "reconfigure")
    wait_until(lambda: "REFUSED" in ask(cluster, "showconfig").stdout, "it is refused")
    cluster.write_maui_cfg(CFG)
    assert cluster.maui("reconfigure").stdout.endswith("is in force\n")
    assert "REFUSED" not in ask(cluster, "showconfig").stdout


def test_a_user_may_not(cluster):
    said = cluster.maui("reconfigure", user="steve", check=False)
    assert said.returncode == 1 and not said.stdout, said
    assert "scontrol reconfigure failed: slurmctld was not asked" in said.stderr, said


def test_without_slurmctld_no_server_answers(cluster):
    cluster.stop()
    try:
        assert ask(cluster, "maui", "reconfigure", check=False).returncode == 3
    finally:
        cluster.start()
