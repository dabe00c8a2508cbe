# SPDX-License-Identifier: GPL-2.0-or-later
"""maui metrics on a real cluster: its figures agree with squeue, sinfo and slurmctld's log.

Rules: CMD-9, CMD-48, CMD-69.
"""

import re
import subprocess
import time

import pytest
from cluster import wait_until
from reservations import ask, install

CFG = """
RMPOLLINTERVAL 1
RESERVATIONDEPTH 1
FSPOLICY DEDICATEDPS
USERCFG[amy] FSTARGET=10 MAXJOB=1
SRCFG[class] HOSTLIST=n4 PERIOD=INFINITY USERLIST=amy
"""
CONF = """
SchedulerType=sched/maui
SlurmctldDebug=debug
NodeName=n[1-4] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


@pytest.fixture(scope="module")
def whole(clusters):
    return install(clusters(CFG, CONF, nodes=4))


def figures(cluster, **keywords):
    """{'jobs{state="running"}': 2.0}: names without their prefix."""
    text = ask(cluster, "maui", "metrics", **keywords).stdout
    found = re.findall(r"^slurm_maui_(\S+?(?:\{.*\})?) (\S+)$", text, re.MULTILINE)
    return {name: float(value) for name, value in found}


def wait_figures(cluster, **expected):
    """Waits until each sample has its value; returns all. running=2 is jobs{state="running"}."""
    def look():
        seen = figures(cluster)
        for state, count in expected.items():
            assert seen['jobs{state="%s"}' % state] == count, seen
        return seen
    return wait_until(look, "the figures are as expected")


def count(cluster, *options):
    return len(cluster.run("squeue", "-h", "-r", *options).stdout.split("\n")) - 1


def test_promtool_finds_nothing_wrong(cluster):
    text = ask(cluster, "maui", "metrics").stdout
    said = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True,
                          text=True, check=False)
    assert said.returncode == 0 and not said.stderr, said


def test_jobs_agree_with_squeue(cluster):
    before = figures(cluster)["jobs_started_total"]
    cluster.sbatch("-N2", "-c4", "-t10", "-w", "n1,n2")
    first = cluster.sbatch("-t10", "-w", "n3", user="amy")
    cluster.sbatch("-t10", user="amy")
    cluster.wait_state(first, "RUNNING")
    cluster.sbatch("-N3", "-c4", "-t10", "-x", "n4")
    cluster.sbatch("--hold", "-t10")
    cluster.sbatch("--array=1-5", "-N3", "-c4", "-t10", "-x", "n4")
    seen = wait_figures(cluster, running=2, starting=0, reserved=1, eligible=5, blocked=2)
    assert count(cluster, "-t", "R") == 2 and count(cluster, "-t", "PD") == 8
    assert seen['waiting_jobs{reason="limit"}'] == 1 and seen['waiting_jobs{reason="held"}'] == 1
    assert sum(seen[name] for name in seen if name.startswith("waiting_jobs{")) == 8
    assert seen["jobs_started_total"] == before + 2
    assert seen['processors{state="used"}'] == 9 and seen["configured_processors"] == 16
    assert seen['reservations{kind="standing",state="begun"}'] == 1
    assert seen['reservation_processors{kind="standing",state="begun"}'] == 4
    assert seen['reservations{kind="job",state="planned"}'] == 1
    assert seen['fairshare_target_ratio{kind="user",name="amy",type="target"}'] == 0.1


WAITS = 'job_wait_seconds_%s{kind="class",name="main",wait="%s"%s}'


def test_waits_are_counted(cluster):
    def waits(of, seen):
        return (seen.get(WAITS % ("count", of, ""), 0), seen.get(WAITS % ("sum", of, ""), 0),
                seen.get(WAITS % ("bucket", of, ',le="10"'), 0))
    before = figures(cluster)
    held = cluster.sbatch("--hold", "-t10")
    time.sleep(12)
    cluster.scontrol("release", str(held))
    cluster.wait_state(held, "RUNNING")
    seen = wait_until(lambda: waits("blocked", figures(cluster))[0] >
                      waits("blocked", before)[0] and figures(cluster), "the start is counted")
    blocked, eligible = ([new - old for new, old in zip(waits(of, seen), waits(of, before))]
                         for of in ("blocked", "eligible"))
    assert blocked[0] == 1 and 11 <= blocked[1] < 60 and blocked[2] == 0, blocked
    assert eligible[0] == 1 and eligible[1] < 10 and eligible[2] == 1, eligible


def test_expected_waits_and_what_is_free(cluster):
    cluster.wait_state(cluster.sbatch("-N1", "-c3", "-t10", "-w", "n1"), "RUNNING")
    cluster.sbatch("-N3", "-c4", "-t10", "-x", "n4")
    seen = wait_figures(cluster, running=1, reserved=1)
    half = seen['expected_wait_seconds{partition="main",percentile="50"}']
    assert 500 < half <= 600 == round(half, -2), half
    free = {state: seen['partition_processors{partition="main",state="%s"}' % state]
            for state in ("used", "reserved", "idle", "down")}
    assert free == {"used": 3, "reserved": 4, "idle": 9, "down": 0}


def test_nodes_agree_with_sinfo(cluster):
    cluster.wait_state(cluster.sbatch("-N1", "-c4", "-t10", "-w", "n1"), "RUNNING")
    cluster.run("scontrol", "update", "NodeName=n2", "State=DOWN", "Reason=test")
    cluster.run("scontrol", "update", "NodeName=n1,n3", "State=DRAIN", "Reason=test")

    def look():
        seen = figures(cluster)
        for state in ("down", "drained", "draining"):
            assert seen['nodes{state="%s"}' % state] == len(
                cluster.run("sinfo", "-h", "-N", "-t", state, "-o", "%N").stdout.split()) == 1
        return seen
    try:
        assert wait_until(look, "the nodes are counted")['nodes{state="idle"}'] == 1
    finally:
        cluster.run("scontrol", "update", "NodeName=n[1-3]", "State=RESUME")


def test_the_scheduler_is_as_its_log_says(cluster):
    seen = figures(cluster)
    cluster.wait_cycle()
    now = wait_until(lambda: figures(cluster)["cycle_duration_seconds_count"] >
                     seen["cycle_duration_seconds_count"] and figures(cluster), "a cycle more")
    assert now['cycle_duration_seconds_bucket{le="+Inf"}'] == now["cycle_duration_seconds_count"]
    assert 0 < now["last_cycle_duration_seconds"] <= now["longest_cycle_duration_seconds"]
    assert now["last_plan_duration_seconds"] <= now["last_cycle_duration_seconds"]
    longest = max(int(us) for us in re.findall(r"longest lock: read \d+ us of \d+ holds, write "
                                               r"(\d+) us", cluster.log_since()))
    assert now['longest_lock_hold_seconds{lock="write"}'] == longest / 1e6
    assert now["plan_timestamp_seconds"] > now["start_timestamp_seconds"] - 1
    assert now["starts_jobs"] == 1 and now['server_mode{mode="normal"}'] == 1


def test_a_refused_file_and_a_test_mode_are_seen(cluster):
    cluster.write_maui_cfg(CFG + "FSDECAY much\n")
    cluster.run("scontrol", "reconfigure")
    wait_until(lambda: figures(cluster)["config_in_force"] == 0, "the file is refused")
    cluster.write_maui_cfg(CFG + "SERVERMODE TEST\n")
    cluster.maui("reconfigure")
    seen = wait_until(lambda: figures(cluster)["starts_jobs"] == 0 and figures(cluster),
                      "nothing is started")
    assert seen['server_mode{mode="test"}'] == 1 and seen["config_in_force"] == 1
    cluster.write_maui_cfg(CFG)
    cluster.maui("reconfigure")
    wait_until(lambda: figures(cluster)["starts_jobs"] == 1, "jobs are started again")


def test_private_data_holds(clusters):
    cluster = install(clusters(CFG, CONF + "PrivateData=jobs,usage,nodes\n", nodes=4))
    job = cluster.sbatch("-N1", "-t10", user="steve")
    cluster.wait_state(job, "RUNNING")
    wait_figures(cluster, running=1)
    assert 'nodes{state="idle"}' in figures(cluster)
    steve, amy = figures(cluster, user="steve"), figures(cluster, user="amy")
    assert steve['jobs{state="running"}'] == 1 and amy['jobs{state="running"}'] == 0
    assert 'nodes{state="idle"}' not in amy
    assert not [name for name in amy if "steve" in name] and 'name="amy"' in " ".join(amy)
