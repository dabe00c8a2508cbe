# SPDX-License-Identifier: GPL-2.0-or-later
"""A site switches to slurm-maui and back, by slurm.conf and a restart: no job is lost, none ends,
none starts that was held."""

import os
import time

import pytest
from cluster import wait_until

CFG = """
RMPOLLINTERVAL 1
USERWEIGHT 1000
USERCFG[steve] PRIORITY=7
USERCFG[amy] PRIORITY=9
QOSWEIGHT 100
QOSCFG[high] PRIORITY=50
FSPOLICY DEDICATEDPS
"""
CONF = """
SchedulerParameters=sched_interval=1,bf_interval=1
PriorityWeightAge=1000
PriorityWeightJobSize=1000
NodeName=n[1-2] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=other Nodes=ALL MaxTime=INFINITE State=UP
"""
MAUI = {"PriorityType": "priority/maui", "JobSubmitPlugins": "maui"}
PLAIN = {"PriorityType": "priority/multifactor", "JobSubmitPlugins": None}
PLAIN_LINES = "PriorityType=priority/multifactor\nJobSubmitPlugins=\n"
pytestmark = pytest.mark.together


def gate(cluster):
    """A file that running jobs wait for: until then no job comes or goes, however long a switch
    takes."""
    return os.path.join(cluster.base, "gate")


def submit_all(cluster, with_qos):
    """One of each kind; {kind: id}. Two of them and an array's task fill the machine."""
    wait = "until [ -e %s ]; do sleep 0.5; done" % gate(cluster)
    jobs = {"running": cluster.sbatch("-t60", "-n3", "-w", "n1", command=wait),
            "suspended": cluster.sbatch("-t60", "-n1", "-w", "n1", command=wait)}
    for job in jobs.values():
        cluster.wait_state(job, "RUNNING")
    jobs["array"] = cluster.sbatch("-t60", "-n4", "--array=1-3", "-w", "n2", command=wait)
    wait_until(lambda: len(cluster.squeue("-t", "R")) == 3, "a task of the array runs")
    cluster.scontrol("suspend", str(jobs["suspended"]))
    jobs["queued"] = cluster.sbatch("-t5", "-n4", "-Aphys", user="amy", command="sleep 1")
    jobs["queued too"] = cluster.sbatch("-t5", "-n4", *(["--qos=high"] if with_qos else []),
                                        command="sleep 1")
    jobs["everywhere"] = cluster.sbatch("-t5", "-n4", "-p", "main,other", command="sleep 1")
    jobs["held"] = cluster.sbatch("-t5", "-H", command="sleep 1")
    jobs["held by admin"] = cluster.sbatch("-t5", "-n4", command="sleep 1")
    cluster.scontrol("hold", str(jobs["held by admin"]))
    jobs["dependent"] = cluster.sbatch("-t5", "--dependency=afterok:%d" % jobs["running"],
                                       command="sleep 1")
    jobs["direct"] = cluster.sbatch("-t5", "-n4", command="sleep 1")
    cluster.update(jobs["direct"], "priority=123")
    jobs["nice"] = cluster.sbatch("-t5", "-n4", "--nice=50", command="sleep 1")
    return jobs


def facts(cluster):
    """What must be the same before and after a switch, of every job record."""
    return {job.id: (job.state, job.start if job.state == "RUNNING" else None, job.submit,
                     job.account, sorted(job.partitions), job.nice,
                     job.priority if job.priority in (0, 123) else "some",
                     job.fields.get("ArrayTaskId"), job.fields["Dependency"],
                     job.reason.startswith("JobHeld") and job.reason)
            for job in cluster.jobs().values()}


def switch(cluster, changes):
    before = facts(cluster)
    cluster.edit_slurm_conf(**changes)
    cluster.restart()
    wait_until(lambda: "idle*" not in cluster.run("sinfo", "-h", "-o", "%T").stdout, "nodes known")
    after = facts(cluster)
    assert after == before
    return before


def finish(cluster, jobs):
    """Frees all; every job must get through, each once."""
    started = cluster.job(jobs["running"]).start
    cluster.scontrol("resume", str(jobs["suspended"]))
    for kind in ("held", "held by admin"):
        assert cluster.job(jobs[kind]).state == "PENDING", "a held job stays"
        cluster.scontrol("release", str(jobs[kind]))
    opened = time.time()
    open(gate(cluster), "w", encoding="ascii").close()
    wait_until(lambda: not cluster.squeue(), "all jobs through", seconds=120)
    seen = cluster.jobs()
    assert {job.state for job in seen.values()} == {"COMPLETED"}, seen
    assert set(jobs.values()) <= set(seen)
    assert len([job for job in seen.values() if job.array_id == jobs["array"]]) == 3
    assert all(job.fields["Restarts"] == "0" for job in seen.values())
    assert seen[jobs["running"]].start == started
    assert seen[jobs["running"]].end >= int(opened), "it ran to its end"
    assert seen[jobs["dependent"]].start >= seen[jobs["running"]].end


def test_switching_to(own_cluster):
    cluster = own_cluster(CFG, CONF + PLAIN_LINES)
    jobs = submit_all(cluster, with_qos=False)
    switch(cluster, MAUI)
    cluster.wait_cycle()
    rows = {row.job: row for row in cluster.sprio()}
    assert rows[jobs["queued"]].assoc == 9000 and rows[jobs["running"]].assoc == 7000
    assert rows[jobs["nice"]].priority == 7000 + rows[jobs["nice"]].age - 50
    assert rows[jobs["direct"]].priority == 123
    assert [row for row in rows.values() if row.priority != row.total] == [rows[jobs["direct"]]]
    assert len([row for row in cluster.sprio() if row.job == jobs["everywhere"]]) == 2
    finish(cluster, jobs)


def test_switching_back(own_cluster):
    cluster = own_cluster(CFG, CONF)
    jobs = submit_all(cluster, with_qos=True)
    cluster.wait_cycle()
    assert cluster.row(jobs["queued too"]).assoc == 12000
    switch(cluster, PLAIN)
    assert "priority/multifactor" in cluster.scontrol("show", "config").stdout
    assert "slurm-maui" not in cluster.log_since(cluster.log_size() - 2000)
    finish(cluster, jobs)


def test_there_and_back_again(own_cluster):
    """Jobs are in the queue all the time; sched/maui knows their histories again after the switch
    back."""
    cluster = own_cluster(CFG, CONF)
    cluster.drain()
    job = cluster.sbatch("-t5", "--qos=high")
    cluster.wait_cycle()
    assert cluster.row(job).assoc == 12000
    switch(cluster, PLAIN)
    other = cluster.sbatch("-t5", user="amy")
    switch(cluster, MAUI)
    cluster.wait_cycle()
    assert cluster.row(job).assoc == 12000
    assert cluster.row(other).assoc == 9000
