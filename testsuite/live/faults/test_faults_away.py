# SPDX-License-Identifier: GPL-2.0-or-later
"""What slurmctld depends on goes away and comes back: half of the nodes, slurmdbd and MariaDB, munged,
the files that it is told to read again, and slurmctld itself, for which a backup takes over.

Rules: CFG-9, FS-10, RSV-5.
"""

import os
import re
import shutil
import signal
import subprocess
import time

import pytest
from cluster import CRASHES_AT_RECONFIGURE, HANGS_AT_RECONFIGURE, SLURM, wait_until
from database import with_database
from faults import USAGE_CFG, Submitter, figures, starts
from fairshare import summed
from reservations import install, mirrors, shown
from starts import wait_iterations

pytestmark = pytest.mark.together

CFG = USAGE_CFG + """
QUEUETIMEWEIGHT 1
SRCFG[always] PERIOD=INFINITY HOSTLIST=n6 USERLIST=bob
"""
CONF = """
SchedulerType=sched/maui
SchedulerParameters=sched_interval=1,batch_sched_delay=1
DefMemPerCPU=
SelectTypeParameters=CR_Core
MinJobAge=86400
NodeName=n[1-6] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
RACK = ("n4", "n5", "n6")


def loaded(cluster, seed=1, pause_s=0.3):
    tally = "%s/home/tally" % cluster.dir
    with open(tally, "a", encoding="ascii"):
        os.chmod(tally, 0o666)
    return tally, Submitter(cluster, tally, seed, pause_s)


def check_load(cluster, tally, load, lost=()):
    """Every job of the load is known and over; each was started once, or once a requeue."""
    load.finish()
    wait_until(lambda: not cluster.squeue(), "all through", seconds=240)
    seen = {job.fields["JobName"]: job for job in cluster.jobs().values()}
    assert set(load.known) - set(lost) <= set(seen), "lost"
    noted = starts(tally)
    for name, moments in noted.items():
        if name in seen:
            most = 1 + int(seen[name].fields["Restarts"])
            assert len(moments) <= most, "%s was started at %s" % (name, moments)
    return seen, noted


def check_usage(cluster, seen):
    """Each user is charged what slurmctld's records say, but for runs that a requeue ended."""
    cluster.wait_cycle()
    cluster.stop()
    usage, _ = summed(cluster.state)
    again = {job.user for job in seen.values() if int(job.fields["Restarts"])}
    totals = {}
    for job in seen.values():
        if job.start and job.end and job.end > job.start:
            totals[job.user] = totals.get(job.user, 0) + job.procs * (job.end - job.start)
    for user, total in totals.items():
        got = usage.get(("user", user), 0)
        assert got >= total - 1 and (user in again or got <= total + 1), (user, got, total)
    cluster.start()


# ---- nodes ----

def test_a_rack_away_and_back(own_cluster, is_long):
    """Jobs go on elsewhere, nothing is started on what is away, the reservation on it stays, and a
    job of all nodes starts when they are back."""
    cluster = install(own_cluster(CFG.replace("PERIOD=INFINITY", "PERIOD=INFINITY TASKCOUNT=1"),
                                  CONF + "SlurmdTimeout=6\n", nodes=6))
    before = shown(cluster)["always.0"]
    pid = cluster.daemon_pid()
    tally, load = loaded(cluster)
    times = 10 if is_long else 1
    for _ in range(times):
        wait_iterations(cluster)
        cluster.minicluster("stop", "--kill", *RACK)
        wait_until(lambda: down(cluster) == set(RACK), "the rack is down")
        mark = time.time()
        whole = cluster.sbatch("-t1", "-N5", "--exclusive", command="true", user="bob")
        wait_until(lambda: started_after(cluster, mark, load), "jobs start beside the rack")
        assert cluster.job(whole).state == "PENDING"
        cluster.minicluster("start", *RACK)
        wait_until(lambda: not down(cluster), "the rack is back")
        load.pause_s = 1.5  # room for a job of five nodes
        cluster.update(whole, "priority=1000000")
        cluster.wait_over(whole)
        load.pause_s = 0.3
    assert cluster.daemon_pid() == pid
    seen, noted = check_load(cluster, tally, load)
    after = shown(cluster)["always.0"]
    assert (after["nodes"], after["start"]) == (before["nodes"], before["start"]), (before, after)
    assert set(mirrors(cluster)) == {after["mirror"]}
    check_usage(cluster, seen)
    figures("rack", times=times, jobs=len(seen), started=len(noted))


def down(cluster):
    states = cluster.run("sinfo", "-h", "-N", "-o", "%N %T").stdout.splitlines()
    return {line.split()[0] for line in states if re.search("down|unk", line)}


def started_after(cluster, moment, load):
    """Three jobs of the load were started since, none of them on the rack."""
    new = [job for job in cluster.jobs().values() if job.start and job.start > moment + 1
           and job.fields["JobName"] in load.known and job.state != "CANCELLED"]
    wrong = [job for job in new if set(cluster.scontrol(
        "show", "hostnames", job.fields["NodeList"]).stdout.split()) & set(RACK)]
    assert not wrong, wrong
    return len(new) >= 3


# ---- slurmdbd and MariaDB ----

def test_the_database_away_and_back(own_cluster, is_long):
    """Priorities, starts and charges go on without it, over a restart too; it hears of each job that
    ended meanwhile."""
    cluster = with_database(own_cluster, CFG, CONF, nodes=6)
    install(cluster)
    cluster.sacctmgr("add", "account", "phys")
    for user in ("steve", "amy", "john"):
        cluster.sacctmgr("add", "user", user, "account=phys", "defaultaccount=phys")
    tally, load = loaded(cluster)
    times = 5 if is_long else 1
    for i in range(times):
        cluster.minicluster("stop", "slurmdbd", *(["mariadbd"] if i % 2 == 0 else []))
        count = len(starts(tally))
        wait_until(lambda: len(starts(tally)) > count + 5, "jobs start without a database")
        cluster.restart(kill=False)
        count = len(starts(tally))
        wait_until(lambda: len(starts(tally)) > count + 5, "and after a restart")
        cluster.minicluster("start", *(["mariadbd"] if i % 2 == 0 else []), "slurmdbd")
    seen, noted = check_load(cluster, tally, load)
    names = {name for name, job in seen.items() if job.state == "COMPLETED"}

    def heard():
        lines = cluster.run("sacct", "-a", "-X", "-n", "-P", "-S", "now-1day", "-o", "jobname,state").stdout
        have = {line.split("|")[0] for line in lines.splitlines() if line.endswith("|COMPLETED")}
        assert names <= have, sorted(names - have)
        return True
    wait_until(heard, "slurmdbd has every job")
    check_usage(cluster, seen)
    figures("database", times=times, jobs=len(seen), started=len(noted))


# ---- munged ----

def test_munged_restarted(own_cluster, is_long):
    """Nobody can speak to slurmctld meanwhile; jobs run on, cycles go on, nothing is lost."""
    cluster = install(own_cluster(CFG, CONF, nodes=6))
    pid = cluster.daemon_pid()
    tally, load = loaded(cluster)
    times = 20 if is_long else 2
    for _ in range(times):
        wait_iterations(cluster)
        cluster.minicluster("stop", "--kill", "munged")
        cluster.wait_cycle()  # reads the log
        cluster.minicluster("start", "munged")
        count = len(starts(tally))
        wait_until(lambda: len(starts(tally)) > count + 5, "jobs start again")
        wait_until(lambda: not cluster.run("sinfo", "-h", check=False).returncode, "commands answer")
    assert cluster.daemon_pid() == pid
    load.finish()
    for job in cluster.jobs().values():  # what could not be launched or reported
        if not job.is_over:
            cluster.run("scancel", str(job.id), check=False)
    seen, noted = check_load(cluster, tally, load)
    check_usage(cluster, seen)
    figures("munged", times=times, jobs=len(seen), started=len(noted), refused=load.refused)


# ---- a hundred reconfigures a minute ----

def open_files(pid):
    return len(os.listdir("/proc/%d/fd" % pid))


@pytest.mark.skipif(CRASHES_AT_RECONFIGURE or HANGS_AT_RECONFIGURE,
                    reason="this slurmctld itself crashes or hangs at reconfigures under load")
def test_a_hundred_reconfigures_a_minute(own_cluster, is_long):
    """Good and bad maui.cfg, and slurm.conf with another parameter each time: the last good one is in
    force, jobs go on, and no file stays open."""
    cluster = install(own_cluster(CFG, CONF, nodes=6))
    pid = cluster.daemon_pid()
    tally, load = loaded(cluster)
    wait_iterations(cluster)
    count = 500 if is_long else 25
    files, began = None, time.monotonic()
    for i in range(count):
        cluster.write_maui_cfg([CFG + "SYSCFG[%d] bad\n" % i, CFG + "# %d\n" % i,
                                "USERCFG[amy] PRIORITY=\x01\n", CFG][i % 4])
        cluster.edit_slurm_conf(KillWait=str(2 + i % 5), NoSuchThing=None)
        cluster.ask_reconfigure()
        if i == count // 2 and SLURM < (23, 11):
            files = open_files(pid)
        due = began + 0.6 * (i + 1)
        wait_until(lambda due=due: time.monotonic() >= due, "the next of a hundred a minute")
    took = time.monotonic() - began
    mark = cluster.log_size()
    cluster.reconfigure(CFG)
    assert "maui.cfg accepted" in cluster.log_since(mark)
    seen, noted = check_load(cluster, tally, load)
    if files:
        assert cluster.daemon_pid() == pid
        assert open_files(pid) <= files + 8, (files, os.listdir("/proc/%d/fd" % pid))
    assert set(mirrors(cluster)) == {one["mirror"] for one in shown(cluster).values()}
    check_usage(cluster, seen)
    figures("reconfigures", count=count, seconds=round(took), jobs=len(seen), started=len(noted))


# ---- a backup controller ----

class Backup:
    """A second slurmctld for the same StateSaveLocation, by another host name."""

    NAME = "second"
    CONF = "SlurmctldHost=localhost(127.0.0.1)\nSlurmctldHost=second(127.0.0.2)\nSlurmctldTimeout=12\n"

    @staticmethod
    def name_hosts(cluster):
        """Before the cluster is up: its own table of hosts."""
        path = os.path.join(cluster.base, "hosts")
        with open(path, "w", encoding="ascii") as out:
            out.write("127.0.0.1 localhost first %s\n127.0.0.2 second\n" % os.uname().nodename)
        cluster.environment["NSS_WRAPPER_HOSTS"] = path

    def __init__(self, cluster):
        self.cluster = cluster
        self.log = os.path.join(cluster.dir, "log", "second.log")
        environment = {**cluster.inside, "MINICLUSTER_DIR": cluster.dir}
        path = os.path.join(cluster.dir, "second.conf")
        with open(os.path.join(cluster.dir, "slurm.conf"), encoding="utf-8") as conf, \
                open(path, "w", encoding="utf-8") as out:
            # "localhost" is any host's name; a slurmctld ends the one that its file of the id names
            out.write(conf.read().replace("=localhost(", "=first(").replace("slurmctld.own", "second.own"))
        self.process = subprocess.Popen(
            ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', self.NAME,
             shutil.which("slurmctld", path=environment["PATH"] + ":/usr/sbin"), "-D",
             "-f", path, "-L", self.log],
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)

    def state(self):
        """Who answers, by scontrol ping: {"primary": "UP", "backup": "UP"}."""
        text = self.cluster.scontrol("ping", check=False).stdout
        return {kind: up for kind, up in re.findall(r"\((primary|backup)\) at \S+ is (\w+)", text)}

    def said(self):
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return log.read()


def test_a_backup_takes_over_and_gives_back(own_cluster, is_long):
    """Killed, the first one's jobs, reservations and charges go on with the second; started again, it
    gets them back."""
    cluster = own_cluster(CFG, CONF + Backup.CONF, nodes=6, up=False)
    Backup.name_hosts(cluster)
    cluster.up()
    install(cluster)
    if subprocess.run(["unshare", "--uts", "true"], check=False).returncode:
        pytest.skip("no right to a namespace")
    backup = Backup(cluster)
    try:
        tally, load = loaded(cluster, pause_s=0.6)
        times = 5 if is_long else 1
        for _ in range(times):
            wait_until(lambda: backup.state().get("backup") == "UP", "the backup waits")
            wait_iterations(cluster)
            cluster.stop(kill=True)
            began = time.monotonic()
            count = len(starts(tally))
            wait_until(lambda: len(starts(tally)) > count + 5, "jobs start by the backup")
            took = time.monotonic() - began
            assert backup.said().count("error: slurm-maui") == 0, backup.said()
            cluster.start()
            count = len(starts(tally))
            wait_until(lambda: len(starts(tally)) > count + 5, "jobs start by the first one again")
        long = cluster.sbatch("-t5", "-n1", command="true")
        running_or_over(cluster, long)
        seen, noted = {job.fields["JobName"]: job for job in cluster.jobs().values()}, starts(tally)
        load.finish()
        assert set(mirrors(cluster)) == {one["mirror"] for one in shown(cluster).values()}
        assert [one["name"] for one in shown(cluster).values()] == ["always.0"]
        figures("backup", times=times, jobs=len(seen), started=len(noted), takeover_s=round(took, 1))
    finally:
        assert backup.end() == 0


def running_or_over(cluster, job):
    wait_until(lambda: cluster.job(job).state in ("RUNNING", "COMPLETED"), "job %s" % job)
