# SPDX-License-Identifier: GPL-2.0-or-later
"""A slurmctld that gives up root's rights (SlurmUser), as most sites run it: it starts jobs, answers
every user, changes reservations, and keeps its state over a restart.

Rules: CMD-10, RSV-23.
"""

import os
import pwd
import re

import pytest
from cluster import wait_until
from reservations import ask, install, refused, setres, shown, wait_gone
from starts import CFG, running

SLURM_USER = "slurm"
LINES = "RESCTLPOLICY ANY\nRESCTLMAXPROC 8\nADMIN1 john\nFSPOLICY DEDICATEDPS\n"
CONF = """
SlurmUser=%s
SchedulerType=sched/maui
NodeName=n[1-2] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""" % SLURM_USER


@pytest.fixture(scope="module")
def whole(clusters):
    try:
        pwd.getpwnam(SLURM_USER)
    except KeyError:
        pytest.skip("this machine has no user " + SLURM_USER)
    return install(clusters(CFG + LINES, CONF, nodes=2))


def owner(path):
    return pwd.getpwuid(os.stat(path).st_uid).pw_name


def test_who_runs_and_who_owns(cluster):
    with open(os.path.join(cluster.dir, "run", "slurmctld.pid"), encoding="ascii") as pid:
        assert owner("/proc/%s" % pid.read().strip()) == SLURM_USER
    answers = re.search(r"commands are answered on (\S+)$", cluster.log_since(), re.M).group(1)
    assert owner(answers) == SLURM_USER and os.stat(answers).st_mode & 0o777 == 0o666
    assert os.stat(os.path.dirname(answers)).st_mode & 0o022 == 0
    cluster.wait_saved()
    for name in os.listdir(cluster.state):
        path = os.path.join(cluster.state, name)
        assert owner(path) == SLURM_USER and os.stat(path).st_mode & 0o022 == 0, path


def test_jobs_of_every_user_run_and_are_shown(cluster):
    jobs = {user: cluster.sbatch("-t5", "-n1", user=user) for user in ("steve", "amy")}
    for user, job in jobs.items():
        running(cluster, job)
        said = ask(cluster, "checkjob", str(job), user="amy").stdout
        assert "State: Running" in said and user in said, said


def test_rights(cluster):
    """ADMIN1 may change what others made; SlurmUser itself, too; other users may not."""
    mine = setres(cluster, "-s", "+1:00:00", "-d", "60", "n1", user="bob")
    refused(cluster, 4, "not yours", "releaseres", mine, user="amy")
    ask(cluster, "releaseres", mine, user="john")
    wait_gone(cluster, mine)
    mine = setres(cluster, "-s", "+1:00:00", "-d", "60", "n1", user="bob")
    cluster.run("setpriv", "--reuid=" + SLURM_USER, "--regid=" + SLURM_USER, "--clear-groups",
                os.path.join(cluster.base, "releaseres"), mine)
    wait_gone(cluster, mine)
    refused(cluster, 4, "ADMIN1", "changeparam", "QUEUETIMEWEIGHT", "2", user="amy")
    ask(cluster, "changeparam", "QUEUETIMEWEIGHT", "2", user="john")


def test_state_survives_a_restart(cluster):
    kept = setres(cluster, "-s", "+1:00:00", "-d", "60", "n2", user="bob")
    job = cluster.sbatch("-t5", "-n1")
    running(cluster, job)
    cluster.restart()
    wait_until(lambda: kept in shown(cluster), "the reservation is back")
    assert cluster.job(job).state == "RUNNING"
    running(cluster, cluster.sbatch("-t5", "-n1", user="amy"))
    ask(cluster, "releaseres", kept)


def test_a_good_maui_cfg_is_taken_and_a_bad_one_refused(cluster):
    cluster.write_maui_cfg(CFG + LINES + "XFACTORWEIGHT 3\n")
    cluster.maui("reconfigure")
    assert "XFACTORWEIGHT" in ask(cluster, "showconfig").stdout
    cluster.write_maui_cfg(CFG + "FSDECAY much\n")
    assert "FSDECAY needs" in cluster.maui("reconfigure", check=False).stderr
    cluster.write_maui_cfg(CFG + LINES)
    cluster.maui("reconfigure")
