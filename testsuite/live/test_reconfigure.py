# SPDX-License-Identifier: GPL-2.0-or-later
"""maui reconfigure and changeparam on a real cluster: what of maui.cfg is in force.

Rules: CMD-44, CMD-46.
"""

import concurrent.futures
import json
import os
import signal
import time

import pytest
from cluster import KEPT, SLURM, wait_until
from reservations import ask, install, refused

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
    """slurmctld has refused the file before it is corrected."""
    cluster.write_maui_cfg(CFG + "FSDECAY much\n")
    cluster.run("scontrol", "reconfigure")
    wait_until(lambda: "REFUSED" in ask(cluster, "showconfig").stdout, "it is refused")
    cluster.write_maui_cfg(CFG)
    assert cluster.maui("reconfigure").stdout.endswith("is in force\n")
    assert "REFUSED" not in ask(cluster, "showconfig").stdout


def starts_at_once(cluster):
    began = time.monotonic()
    job = cluster.sbatch("-t1")
    cluster.wait_state(job, "RUNNING")
    took = time.monotonic() - began
    cluster.run("scancel", str(job))
    return took < 2.5


def test_a_file_that_cannot_be_read_delays_no_job(cluster):
    """An included file becomes a FIFO without a writer: each look at it takes five seconds."""
    included = os.path.join(os.path.dirname(cluster.maui_cfg), "users.cfg")
    with open(included, "w", encoding="utf-8") as out:
        out.write("XFACTORWEIGHT 1\n")
    text = CFG.replace("INTERVAL 5", "INTERVAL 1") + "#INCLUDE users.cfg\n"
    cluster.write_maui_cfg(text)
    assert cluster.maui("reconfigure").stdout.endswith("is in force\n")
    os.unlink(included)
    os.mkfifo(included)
    try:
        time.sleep(1)  # a look has begun
        assert all(starts_at_once(cluster) for _ in range(12))
        wait_until(lambda: "cannot read" in ask(cluster, "showconfig").stdout, "showconfig says it")
        if SLURM < (23, 11):  # later, a reconfigure is a start
            mark = cluster.log_size()
            cluster.scontrol("reconfigure")
            assert all(starts_at_once(cluster) for _ in range(4))
            cluster.wait_log("stays in force until .* is read(.|\n)*" + KEPT, mark)
    finally:
        os.unlink(included)
    cluster.write_maui_cfg(CFG)
    assert cluster.maui("reconfigure").stdout.endswith("is in force\n")
    wait_until(lambda: "cannot read" not in ask(cluster, "showconfig").stdout, "it is read")


def test_a_user_may_not(cluster):
    said = cluster.maui("reconfigure", user="steve", check=False)
    assert said.returncode == 1 and not said.stdout, said
    assert "scontrol reconfigure failed: slurmctld was not asked" in said.stderr, said


def test_changeparam_holds_until_the_file_is_read(cluster):
    mark = cluster.log_size()
    said = ask(cluster, "changeparam", "QUEUETIMEWEIGHT", "77").stdout
    assert said == "in force until maui.cfg is read again: QUEUETIMEWEIGHT 77\n"
    assert weight(cluster) == "77"
    ask(cluster, "changeparam", "USERCFG[amy]", "MAXJOB=3")
    text = ask(cluster, "showconfig").stdout
    lines = [line.split() for line in text.splitlines()]
    assert ["USERCFG[amy]", "MAXJOB=3", "#", "changeparam", "2", "by", "root"] in lines, text
    assert weight(cluster) == "77", "changes add up"
    assert "changeparam by root, in force until maui.cfg is read again: QUEUETIMEWEIGHT 77" in \
        cluster.log_since(mark)
    cluster.maui("reconfigure")
    assert weight(cluster) == "10" and "amy" not in ask(cluster, "showconfig").stdout


def in_one_cycle(cluster, *commands):
    """Asks for several changes, in this order, while slurmctld stands still: one cycle takes them."""
    pid = cluster.daemon_pid()
    with concurrent.futures.ThreadPoolExecutor(len(commands)) as pool:
        os.kill(pid, signal.SIGSTOP)
        try:
            asked = []
            for command in commands:
                asked.append(pool.submit(ask, cluster, *command, check=False))
                time.sleep(0.5)
        finally:
            os.kill(pid, signal.SIGCONT)
        return [one.result() for one in asked]


def test_servermode_test_stops_the_cycle_that_takes_the_change(cluster):
    """A hold is released in the same cycle. A change may be taken a cycle before the other one: five
    times are enough to meet both."""
    for _ in range(5):
        job = cluster.sbatch("-H", "-t5", "-n1")
        cluster.wait_cycle()
        said = in_one_cycle(cluster, ("changeparam", "SERVERMODE", "TEST"),
                            ("releasehold", "-a", str(job)), ("runjob", str(job)))
        assert [one.returncode for one in said] == [0, 0, 1], said
        assert "SERVERMODE of maui.cfg is not NORMAL" in said[2].stderr, said
        cluster.wait_cycle()
        assert cluster.job(job).state == "PENDING"
        ask(cluster, "changeparam", "SERVERMODE", "NORMAL")
        cluster.wait_state(job, "RUNNING")
        cluster.cancel_all()
    cluster.maui("reconfigure")


def test_changeparam_tells_the_warnings_of_its_own_line(cluster):
    warned = ask(cluster, "changeparam", "NODESETDELAY", "60")
    assert "NODESETDELAY has no effect" in warned.stdout + warned.stderr
    said = ask(cluster, "changeparam", "QUEUETIMEWEIGHT", "78")
    assert "NODESETDELAY" not in said.stdout + said.stderr
    cluster.maui("reconfigure")


def config_warnings(cluster):
    return json.loads(ask(cluster, "showconfig", "--json").stdout)["warning_count"]


def test_changeparam_tells_what_slurm_conf_takes_the_effect_from(cluster):
    """The conflicts that the line brings; those that were there count, and are not told again."""
    assert config_warnings(cluster) == 0
    said = ask(cluster, "changeparam", "GRESCFG[gpx]", "WEIGHT=3")
    assert "changeparam: warning: GRESCFG[gpx] counts nothing: GresTypes" in said.stderr, said
    said = ask(cluster, "changeparam", "QUEUETIMEWEIGHT", "79")
    assert "gpx" not in said.stdout + said.stderr, said
    assert config_warnings(cluster) == 1
    cluster.maui("reconfigure")
    assert config_warnings(cluster) == 0


def test_a_refused_file_and_a_changed_slurm_conf(cluster):
    """The configuration that stays in force is compared with slurm.conf as it is now, on a
    reconfigure and, for the last good file, at a start."""
    conflict = r"slurm-maui: \S*maui\.cfg\S*: warning: GRESCFG\[gpx\] counts nothing"
    cluster.edit_slurm_conf(GresTypes="gpx")
    cluster.write_maui_cfg(CFG + "GRESCFG[gpx] WEIGHT=3\n")
    cluster.restart()
    cluster.wait_cycle()
    assert config_warnings(cluster) == 0
    cluster.write_maui_cfg(CFG + "FSDECAY much\n")
    cluster.edit_slurm_conf(GresTypes=None)
    mark = cluster.log_size()
    cluster.reconfigure()
    cluster.wait_log(conflict, mark)
    wait_until(lambda: config_warnings(cluster) == 1, "the conflict counts")
    mark = cluster.log_size()
    cluster.restart()
    cluster.wait_log(conflict, mark)
    wait_until(lambda: config_warnings(cluster) == 1, "the conflict counts")
    cluster.write_maui_cfg(CFG)
    cluster.maui("reconfigure")
    assert config_warnings(cluster) == 0


def test_a_changed_limit_decides(cluster):
    ask(cluster, "changeparam", "USERCFG[amy]", "MAXJOB=1")
    jobs = [cluster.sbatch("-t5", "-n1", user="amy") for _ in range(2)]
    cluster.wait_state(jobs[0], "RUNNING")
    wait_until(lambda: "MAXJOB USER amy" in ask(cluster, "maui", "why", str(jobs[1])).stdout,
               "the limit holds")
    ask(cluster, "changeparam", "USERCFG[amy]", "MAXJOB=2")
    cluster.wait_state(jobs[1], "RUNNING")
    cluster.cancel_all()
    cluster.maui("reconfigure")


def test_a_change_with_an_error_changes_nothing(cluster):
    refused(cluster, 2, "not accepted: changeparam by root: error: ", "changeparam", "FSDECAY", "much")
    refused(cluster, 2, "not accepted: ", "changeparam", "NOSUCHPARAMETER", "1")
    refused(cluster, 2, "MAXJOB needs a limit", "changeparam", "USERCFG[amy]", "MAXJOB=-3")
    refused(cluster, 2, "no parameter is named", "changeparam", "#INCLUDE", "/etc/passwd")
    refused(cluster, 4, "this needs ADMIN1", "changeparam", "FSDECAY", "1", user="steve")
    assert ask(cluster, "changeparam", "FSDECAY", check=False).returncode == 2
    assert "changeparam" not in ask(cluster, "showconfig").stdout


def test_without_slurmctld_no_server_answers(cluster):
    cluster.stop()
    try:
        assert ask(cluster, "maui", "reconfigure", check=False).returncode == 3
    finally:
        cluster.start()
