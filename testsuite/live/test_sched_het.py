# SPDX-License-Identifier: GPL-2.0-or-later
"""Het jobs when a site goes from sched/backfill to sched/maui and back: those that wait stay, say
why, and get no nodes nor reservations; those that run go on and end."""

import os
import re
import shutil

import pytest
from cluster import wait_until
from starts import reason, stays_pending, wait_reason
from test_sched_switch import OURS, SLURMS
from test_switch import CFG, CONF

pytestmark = pytest.mark.together

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "contribs",
                      "cli_filter", "het_jobs.lua")
WORDS = "Het job: needs HETJOBS ON in maui.cfg, or SchedulerType=sched/backfill"


def het(cluster, *options, command="sleep 600"):
    """Submits a het job of two components, and returns their ids."""
    first = cluster.sbatch("-t5", "-n2", *options, ":", "-n2", command=command)
    wait_until(lambda: len(components(cluster, first)) == 2, "the components are there")
    return components(cluster, first)


def components(cluster, first):
    return sorted(job.id for job in cluster.jobs().values()
                  if job.fields.get("HetJobId") == str(first))


def restart_with(cluster, changes):
    cluster.edit_slurm_conf(**changes)
    cluster.restart()
    wait_until(lambda: "idle*" not in cluster.run("sinfo", "-h", "-o", "%T").stdout, "nodes known")


def test_submit(own_cluster):
    """slurmctld itself refuses a new one, in words of its own; cli_filter/lua says why before."""
    cluster = own_cluster(CFG, CONF + "SchedulerType=sched/maui\n")
    submit = ("sbatch", "-n1", ":", "-n1", "--wrap=true")
    said = cluster.run(*submit, check=False)
    assert said.returncode and "not supported on this system" in said.stderr
    directory = os.path.dirname(cluster.inside["SLURM_CONF"])
    shutil.copy(SCRIPT, os.path.join(directory, "cli_filter.lua"))
    cluster.edit_slurm_conf(CliFilterPlugins="cli_filter/lua")
    said = cluster.run(*submit, check=False)
    if "cli_filter/lua" in said.stderr:
        pytest.skip("this Slurm has no cli_filter/lua")
    assert said.returncode and "het jobs (with ':') do not run on this cluster" in said.stderr
    assert not cluster.squeue()
    job = cluster.sbatch("-n1")
    cluster.wait_state(job, "RUNNING")
    step = cluster.run("srun", "-n1", ":", "-n1", "true", check=False)
    assert step.returncode and "het jobs" in step.stderr


def test_there_and_back(own_cluster):
    cluster = own_cluster(CFG + "RESERVATIONDEPTH 4\n", CONF + "SchedulerType=sched/backfill\n")
    runs = het(cluster, command="sleep 30")
    for job in runs:
        cluster.wait_state(job, "RUNNING")
    fill = cluster.sbatch("-t5", "-n4")
    cluster.wait_state(fill, "RUNNING")
    waits = het(cluster)
    held = het(cluster, "-H")
    later = cluster.sbatch("-t5", "-n4")
    restart_with(cluster, OURS)
    for job in waits:
        wait_reason(cluster, job, "^Resources: %s$" % re.escape(WORDS))
        assert WORDS in cluster.maui("why", str(job)).stdout
        assert WORDS in cluster.maui("checkjob", str(job)).stdout
    for job in held:
        assert "JobHeldUser" in reason(cluster, job)
    refused = cluster.maui("runjob", str(waits[0]), check=False)
    assert refused.returncode == 1 and WORDS in refused.stderr
    assert all(cluster.job(job).state in ("RUNNING", "COMPLETED") for job in runs)
    assert "4 Blocked Jobs" in cluster.maui("showq").stdout
    # nothing is kept for them: the next job has the job reservation, and nobody is ahead of it
    rows = cluster.maui("showres", "--noheader").stdout.splitlines()
    shown = {int(line.split()[0]) for line in rows if line.split()[1:2] == ["Job"]}
    assert later in shown and not shown & {*waits, *held}
    assert ", the highest" in cluster.maui("why", str(later)).stdout
    assert cluster.job(waits[0]).fields["StartTime"] == "Unknown"
    cluster.run("scancel", str(fill))
    cluster.wait_state(later, "RUNNING")
    cluster.wait_over(*runs)
    assert [cluster.job(job).state for job in runs] == ["COMPLETED"] * 2
    cluster.run("scancel", str(later))
    stays_pending(cluster, *waits, *held)
    restart_with(cluster, SLURMS)
    for job in waits:
        cluster.wait_state(job, "RUNNING")
    assert cluster.job(waits[0]).start == cluster.job(waits[1]).start
    assert "slurm-maui: started JobId=%d" % waits[0] not in cluster.log_since(0)
