# SPDX-License-Identifier: GPL-2.0-or-later
"""slurmctld beside the agent: reconfigure and shutdown stay quick, privacy holds, users without a
name do no harm."""

import contextlib
import os
import random
import subprocess
import threading
import time

import pytest
from cluster import CRASHES_AT_RECONFIGURE, CYCLE, SLURM, wait_until
from fairshare import summed
from reservations import ask, install
from starts import CONF as SCHED_CONF

CFG = """
RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 0
USERWEIGHT 10
USERCFG[steve] PRIORITY=7
USERCFG[amy] PRIORITY=9
USERCFG[DEFAULT] PRIORITY=2
GROUPWEIGHT 1000
GROUPCFG[DEFAULT] PRIORITY=3
GROUPCFG[science] PRIORITY=4
FSPOLICY DEDICATEDPS
FSINTERVAL 00:00:02
FSDEPTH 20
"""
CONF = """
SchedulerParameters=defer,sched_interval=5,bf_interval=5
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=other Nodes=ALL MaxTime=INFINITE State=UP
"""
QUICK_S = 2.0
# what slurmctld says when every plugin is gone; after it it waits up to three seconds for
# messages of its own to nodes that do not answer, which nobody can shorten
PLUGINS_ENDED = "slurmscriptd_fini complete"
JOBS = 600


def took(call):
    began = time.monotonic()
    call()
    return time.monotonic() - began


def submit_many(cluster, *options):
    for first in range(0, JOBS, 100):
        # many at once: a shell loop of sbatch is nothing but starting processes
        commands = [subprocess.Popen(cluster.sbatch_command("-t5", *options),
                                     env=cluster.inside, cwd="/tmp", stdout=subprocess.DEVNULL)
                    for _ in range(first, first + 100)]
        assert not any(command.wait() for command in commands)


@pytest.mark.slow
@pytest.mark.skipif(CRASHES_AT_RECONFIGURE, reason="Slurm 25.05 crashes with any scheduler")
def test_reconfigure_and_shutdown_are_quick_while_the_agent_works(own_cluster):
    """A poll a second over hundreds of jobs, a window every two seconds, jobs coming in."""
    cluster = own_cluster(CFG, CONF)
    cluster.drain()
    submit_many(cluster, "-p", "main,other")
    assert len(cluster.squeue()) == JOBS
    end = threading.Event()

    def submit():
        while not end.is_set():  # 22.05 itself drops a connection now and then while reconfiguring
            cluster.run(*cluster.sbatch_command("-t5"), check=False)
    submitter = threading.Thread(target=submit)
    submitter.start()
    try:
        pid, mark = cluster.daemon_pid(), cluster.log_size()
        times = [took(cluster.ask_reconfigure) for _ in range(20)]
        assert max(times) < QUICK_S, times
        cluster.wait_cycle()
        assert cluster.daemon_pid() == pid
        assert "maui.cfg accepted" in cluster.log_since(mark)
    finally:
        end.set()
        submitter.join()
    cluster.ask_reconfigure()  # and right behind it, while it is being read, the end
    mark = cluster.log_size()

    def end():  # since 23.11 another process takes over in between, and wants a signal of its own
        pid = cluster.daemon_pid()
        if pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, 15)
        return pid is None
    assert took(lambda: wait_until(lambda: end() or PLUGINS_ENDED in cluster.log_since(mark),
                                   "the plugins ended")) < QUICK_S
    wait_until(end, "slurmctld ended")
    # the process that takes over may be told to end before it has plugins
    assert PLUGINS_ENDED in cluster.log_since(mark) or "log levels" in cluster.log_since(mark)
    cluster.start()
    wait_until(lambda: min(cluster.squeue().values()) == 4070, "all jobs, all with a priority")
    assert len(cluster.squeue()) > JOBS


@pytest.mark.slow
def test_a_stop_during_a_cycle(own_cluster):
    """slurmctld may be told to end at any moment of a cycle. Since 25.11 its end waits for the
    end of the cycle, and no further cycle begins."""
    cluster = install(own_cluster(CFG, SCHED_CONF))
    cluster.drain()
    submit_many(cluster)  # so that a cycle takes some milliseconds
    ends = threading.Event()

    def change():
        while not ends.is_set():  # each one asks for a cycle at once
            ask(cluster, "changeparam", "QUEUETIMEWEIGHT", "1", check=False)
    changing = [threading.Thread(target=change) for _ in range(2)]
    for one in changing:
        one.start()
    try:
        for _ in range(20):
            cluster.wait_cycle()
            time.sleep(random.uniform(0, 0.1))
            cluster.stop()
            cluster.start()
    finally:
        ends.set()
        for one in changing:
            one.join()


def test_lock_holds_are_logged_at_debug(own_cluster):
    cluster = own_cluster(CFG, CONF)
    cluster.drain()
    cluster.sbatch("-t5")
    cluster.wait_cycle()
    read, holds, write, write_holds = (int(n) for n in CYCLE.findall(cluster.log_since())[-1])
    assert holds >= 2 and write_holds >= 1
    assert read < 20_000 and write < 20_000


def test_private_data(own_cluster):
    """PrivateData=jobs: users see their own jobs in sprio, root sees all."""
    cluster = own_cluster(CFG, CONF + "PrivateData=jobs\n")
    cluster.drain()
    mine, foreign = cluster.sbatch("-t5"), cluster.sbatch("-t5", user="amy")
    wide = cluster.sbatch("-t5", "-pmain,other", user="amy")
    cluster.wait_cycle()
    assert {row.job for row in cluster.sprio()} == {mine, foreign, wide}
    assert [row.job for row in cluster.sprio(user="steve")] == [mine]
    assert [row.job for row in cluster.sprio(user="amy")] == [foreign, wide, wide]
    assert not cluster.sprio(user="bob")
    said = cluster.run("sprio", "-h", "-l", "-j", str(foreign), user="steve", check=False)
    assert "amy" not in said.stdout
    # without it, everybody sees all
    cluster.edit_slurm_conf(PrivateData=None)
    cluster.scontrol("reconfigure")
    wait_until(lambda: {row.job for row in cluster.sprio(user="bob")} == {mine, foreign, wide},
               "all jobs for everybody")


def test_filters_of_sprio(own_cluster):
    cluster = own_cluster(CFG, CONF)
    cluster.drain()
    mine, foreign = cluster.sbatch("-t5", "-pother"), cluster.sbatch("-t5", user="amy")
    cluster.wait_cycle()
    assert [row.job for row in cluster.sprio("-j", str(foreign))] == [foreign]
    both = "%d,%d" % (mine, foreign)
    if not (24, 5) <= SLURM < (25, 11):
        assert {row.job for row in cluster.sprio("-j", both)} == {mine, foreign}
    else:  # sprio of these releases takes the whole list for one id
        said = cluster.run("sprio", "-h", "-j", both, check=False)
        assert said.returncode and "Invalid job id" in said.stderr, said
    assert [row.job for row in cluster.sprio("-u", "steve")] == [mine]
    assert [row.job for row in cluster.sprio("-p", "other")] == [mine]
    assert not cluster.sprio("-p", "other", "-u", "amy")


def test_users_and_groups_without_a_name(own_cluster):
    """DEFAULT applies to a user without a name. slurmctld starts no job of such a user, but does
    start jobs of a group without a name: the user's own group counts in its place (rule FS-12)."""
    cluster = own_cluster(CFG.replace("00:00:02", "24:00:00"), CONF)
    # sbatch itself wants a name: only it knows this one
    for name, line in (("passwd", "ghost:x:54321:54321::/tmp:/bin/sh"),
                       ("group", "ghosts:x:54321:")):
        with open(os.path.join(cluster.dir, "run", name), encoding="utf-8") as known, \
                open(os.path.join(cluster.base, name), "w", encoding="utf-8") as more:
            more.write(known.read() + line + "\n")
    knows = ["env", "NSS_WRAPPER_PASSWD=" + os.path.join(cluster.base, "passwd"),
             "NSS_WRAPPER_GROUP=" + os.path.join(cluster.base, "group")]
    ghost, spirit = [
        int(cluster.run(*knows, "sbatch", "--parsable", "--chdir=/tmp", "--output=/dev/null", "-t5",
                        *who, "--gid=54321", "--wrap=sleep 2").stdout)
        for who in (["--uid=54321", "--begin=now+1hour"], ["--uid=steve"])]
    assert cluster.job(ghost).fields["UserId"].endswith("(54321)")
    priority = 2 * 10 + 3 * 1000
    wait_until(lambda: cluster.squeue()[ghost] == priority, "DEFAULT's priority")
    cluster.wait_cycle()
    assert cluster.row(ghost).priority == priority
    cluster.wait_over(spirit)
    cluster.wait_cycle()
    cluster.stop()
    usage, total = summed(cluster.state)
    assert usage["group", "science"] == usage["user", "steve"] == total > 0
    assert ("group", "54321") not in usage


def test_an_update_storm(own_cluster):
    """One cycle serves a burst of updates."""
    cluster = own_cluster(CFG.replace("INTERVAL 1", "INTERVAL 1:00:00"), CONF)
    cluster.drain()
    cluster.wait_log("slurm-maui: cycle:")
    mark, began = cluster.log_size(), time.monotonic()
    for number in range(50):
        cluster.scontrol("setdebugflags", "+-"[number % 2] + "priority")
    seconds = time.monotonic() - began
    wait_until(lambda: CYCLE.search(cluster.log_since(mark)), "a cycle")
    assert len(CYCLE.findall(cluster.log_since(mark))) <= seconds / 0.2 + 2
