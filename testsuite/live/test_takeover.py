# SPDX-License-Identifier: GPL-2.0-or-later
"""Commands on a login node where two controllers may be in charge: the primary dies, or hangs and wakes.

Rules: CMD-15.
"""

import contextlib
import json
import os
import signal
import subprocess

import pytest
from cluster import SLURM, wait_until
from reservations import install
from test_remote import LoginNode, PORT, run_in
from test_sched_switch import CONTROLLERS, HANDOVER_S, backup, in_charge, is_up

CONF = """
SchedulerType=sched/maui
SchedulerParameters=maui_port=%d
""" % PORT


def primary_pid(cluster):
    with open(os.path.join(cluster.dir, "run", "slurmctld.pid"), encoding="ascii") as file:
        return int(file.read())


def saved(cluster):
    """The names of the administrative reservations that state.json has."""
    with open(os.path.join(cluster.state, "state.json"), encoding="utf-8") as file:
        return {rsv["name"] for rsv in json.load(file)["reservations"]}


def take_over(cluster, log):
    before = in_charge(log)
    cluster.scontrol("takeover", "1", check=False, timeout=HANDOVER_S)
    wait_until(lambda: in_charge(log) > before, "the spare in charge", HANDOVER_S)


@pytest.mark.skipif(subprocess.run(["unshare", "--uts", "true"], check=False).returncode != 0,
                    reason="no right to a namespace, which a second slurmctld needs")
def test_the_controller_in_charge_answers(own_cluster):
    cluster = install(own_cluster("RMPOLLINTERVAL 1\n", CONF + CONTROLLERS))
    cluster.wait_log("answered on port %d of 127.0.0.1" % PORT)
    os.mkdir(os.path.join(cluster.dir, "run", "spare"))
    with contextlib.ExitStack() as stack:
        login = LoginNode(cluster, "login")
        stack.callback(login.end)
        log = stack.enter_context(backup(cluster, "spare/own"))

        def names():
            return {line.split(".")[0] for line in run_in(login, "showres").stdout.splitlines()
                    if ".1 " in line}

        def reserve(name):
            made = run_in(login, "setres", "-s", "+10:00:00", "-d", "1:00:00", "-n", name, "ALL")
            assert made.returncode == 0, made
        reserve("before")

        cluster.stop()
        take_over(cluster, log)
        wait_until(lambda: names() == {"before"}, "the spare answers")
        reserve("dead")
        cluster.start(check=False)
        wait_until(lambda: is_up(cluster, "primary") and is_up(cluster, "backup"), "both up",
                   HANDOVER_S)
        wait_until(lambda: names() == {"before", "dead"}, "the primary answers")

        # one that hangs takes connections, and says nothing
        pid = primary_pid(cluster)
        os.kill(pid, signal.SIGSTOP)
        try:
            take_over(cluster, log)
            wait_until(lambda: names() == {"before", "dead"}, "the spare answers", 90)
            reserve("hung")
        finally:
            os.kill(pid, signal.SIGCONT)

        if SLURM >= (24, 11):  # it takes control back first, and saves Slurm's old state as well as ours
            return

        # it wakes up, and ends: until then it may answer from its last plan
        def has_ended():
            assert names() in ({"before", "dead"}, {"before", "dead", "hung"})
            return not os.path.exists("/proc/%d" % pid)
        wait_until(has_ended, "the old primary ends", HANDOVER_S)
        assert names() == {"before", "dead", "hung"}
        # what it has saved last, the one in charge saves anew
        wait_until(lambda: "hung.1" in saved(cluster), "the spare's state", 60)
