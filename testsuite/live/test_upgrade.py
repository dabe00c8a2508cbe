# SPDX-License-Identifier: GPL-2.0-or-later
"""A site upgrades Slurm, and slurm-maui with it: slurmctld first, then the nodes, with the same
StateSaveLocation. Nothing is lost; usage is equal to the second.

Needs some Slurms of contribs/slurm-from-source, each with a slurm-maui that was built for it:
MAUI_UPGRADE=PREFIX:BUILD,PREFIX:BUILD,... from the oldest to the newest.

Rules: CMD-11, CMD-64.
"""

import glob
import os
import subprocess
import time

import pytest
from cluster import wait_until
from fairshare import windows
from test_switch import facts

RELEASES = [pair.split(":") for pair in os.environ.get("MAUI_UPGRADE", "").split(",") if pair]
pytestmark = pytest.mark.skipif(len(RELEASES) < 2, reason="MAUI_UPGRADE names no two releases")

CFG = """
RMPOLLINTERVAL 1
USERWEIGHT 1000
USERCFG[steve] PRIORITY=7
FSPOLICY DEDICATEDPS
FSINTERVAL 24:00:00
SRCFG[class] HOSTLIST=n1 PERIOD=DAY DEPTH=2 STARTTIME=0:00:00 ENDTIME=24:00:00 USERLIST=steve,bob
"""
CONF = """
SchedulerType=sched/maui
MinJobAge=3600
NodeName=n[1-3] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=other Nodes=ALL MaxTime=INFINITE State=UP
"""


def slurm_environment(cluster, monkeypatch, release):
    """The cluster's commands are this release's from now on."""
    prefix, build = release
    path = "%s/sbin:%s/bin:%s" % (prefix, prefix, os.environ["PATH"])
    plugins = os.path.join(build, "inst", "lib", "slurm")
    monkeypatch.setenv("MAUI_BUILD_DIR", build)
    cluster.environment.update(PATH=path, MAUI_PLUGIN_DIR=plugins)
    if hasattr(cluster, "inside"):
        cluster.inside["PATH"] = path
    return plugins


def put_in_place(cluster, monkeypatch, release):
    """As the packages of a release do it: plugins and programs are there, nothing is restarted."""
    plugins = slurm_environment(cluster, monkeypatch, release)
    links = os.path.join(cluster.dir, "plugins")
    for old in glob.glob(links + "/*.so"):
        os.unlink(old)
    for new in glob.glob(plugins + "/*.so"):
        os.symlink(new, os.path.join(links, os.path.basename(new)))
    cluster.edit_slurm_conf(PluginDir="%s:%s/lib/slurm" % (links, release[0]))


def restart_nodes(cluster):
    for name in ("n1", "n2", "n3"):
        cluster.minicluster("stop", name)
        cluster.minicluster("start", name)


def nodes_answer(cluster):
    states = cluster.run("sinfo", "-h", "-N", "-o", "%T").stdout.split()
    return states and not any("*" in state or "down" in state for state in states)


def kept(cluster):
    """What must survive: jobs, and reservations of every maker with their nodes and times. 25.11
    makes ours again, because it takes user nobody by number: then one that has begun begins now."""
    def times(row):
        return [moment if moment > time.strftime("%Y-%m-%dT%H:%M:%S") else "past"
                for moment in (row["StartTime"], row["EndTime"])]
    rows = {name: (times(row), row["Nodes"], row["Users"].replace("65534", "nobody"))
            for name, row in cluster.reservations().items()}
    return facts(cluster), rows


def usage(cluster, user):
    """On disk, in processor-seconds; slurmctld has to be stopped."""
    return sum(window.usage.get(("user", user), 0) for window in windows(cluster.state))


def submit(cluster):
    """One of each; amy's jobs are over soon, and her usage is known for good."""
    early = [cluster.sbatch("-t5", "-n3", "-w", "n2", user="amy", command="sleep 3")]
    cluster.wait_over(*early)
    jobs = {"running": cluster.sbatch("-t30", "-n3", "-w", "n2"),
            "suspended": cluster.sbatch("-t30", "-n1", "-w", "n2", user="bob")}
    for job in jobs.values():
        cluster.wait_state(job, "RUNNING")
    cluster.scontrol("suspend", str(jobs["suspended"]))
    jobs["queued"] = cluster.sbatch("-t5", "-n4", "-w", "n2", command="sleep 1")
    jobs["array"] = cluster.sbatch("-t5", "-n4", "-w", "n2", "--array=1-3", command="sleep 1")
    jobs["held"] = cluster.sbatch("-t5", "-H", command="sleep 1")
    jobs["held by admin"] = cluster.sbatch("-t5", "-n4", "-w", "n2", command="sleep 1")
    cluster.scontrol("hold", str(jobs["held by admin"]))
    jobs["dependent"] = cluster.sbatch("-t5", "--dependency=afterany:%d" % jobs["running"],
                                       command="sleep 1")
    jobs["everywhere"] = cluster.sbatch("-t5", "-n4", "-w", "n2", "-p", "main,other",
                                        command="sleep 1")
    return jobs


def works(cluster):
    """slurm-maui schedules: a job starts, in one of our reservations and outside."""
    inside = cluster.sbatch("-t1", "-n1", "-w", "n1", "--reservation=class", command="true")
    cluster.wait_over(inside, cluster.sbatch("-t1", "-n1", "-w", "n3", command="true"))


def test_release_by_release_and_back(own_cluster, monkeypatch):
    cluster = own_cluster(CFG, CONF, nodes=3, up=False)
    slurm_environment(cluster, monkeypatch, RELEASES[0])
    cluster.up()
    jobs = submit(cluster)
    cluster.setres("-n", "visit", "-s", "+5:00:00", "-d", "1:00:00", "n3")
    cluster.scontrol("create", "reservation", "reservation=slurms", "starttime=now+5hours",
                     "duration=60", "nodes=n2", "users=steve")
    wait_until(lambda: len(cluster.reservations()) == 4, "our mirrors, and Slurm's own")
    works(cluster)
    cluster.wait_saved()
    before = kept(cluster)
    cluster.stop()
    amy = usage(cluster, "amy")
    assert amy > 0
    for release in RELEASES[1:]:
        put_in_place(cluster, monkeypatch, release)
        said = subprocess.run([os.path.join(release[1], "maui"), "preflight", "--slurm-conf",
                               os.path.join(cluster.dir, "slurm.conf")], env=cluster.inside,
                              check=False, capture_output=True, text=True)
        assert said.returncode == 0, said.stdout
        cluster.start()
        restart_nodes(cluster)
        wait_until(lambda: nodes_answer(cluster), "the nodes answer")
        works(cluster)
        cluster.wait_saved()
        jobs_now, rows_now = kept(cluster)
        assert {job: jobs_now[job] for job in before[0]} == before[0]
        assert rows_now == before[1]
        cluster.stop()
        assert usage(cluster, "amy") == amy, release

    # Back: Slurm does not read the state of a newer one; ours is left as it is.
    with open(os.path.join(cluster.state, "state.json"), "rb") as file:
        ours = file.read()
    put_in_place(cluster, monkeypatch, RELEASES[-2])
    mark = cluster.log_size()
    cluster.start(check=False)
    assert cluster.daemon_pid() is None
    assert "incompatible version" in cluster.log_since(mark).lower()
    with open(os.path.join(cluster.state, "state.json"), "rb") as file:
        assert file.read() == ours

    # And on: all jobs get through, and steve is charged what he had.
    put_in_place(cluster, monkeypatch, RELEASES[-1])
    cluster.start()
    wait_until(lambda: nodes_answer(cluster), "the nodes answer")
    cluster.run("scancel", str(jobs["running"]))
    cluster.scontrol("resume", str(jobs["suspended"]))
    cluster.run("scancel", str(jobs["suspended"]))
    for kind in ("held", "held by admin"):
        cluster.scontrol("release", str(jobs[kind]))
    wait_until(lambda: not cluster.squeue(), "all jobs through", seconds=120)
    seen = cluster.jobs()
    assert all(job.fields["Restarts"] == "0" for job in seen.values())
    charged = sum(job.procs * (job.end - job.start) for job in seen.values() if job.user == "steve")
    cluster.wait_cycle()
    cluster.stop()
    assert usage(cluster, "steve") == charged
