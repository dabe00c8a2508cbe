# SPDX-License-Identifier: GPL-2.0-or-later
"""StateSaveLocation cut, full and read-only: slurmctld starts, says so, and loses no more than
doc/files.md says. `--long`: 200 random lengths of each of our files.

Rules: CFG-11, FS-12.
"""

import contextlib
import glob
import os
import random
import re
import shutil
import subprocess
import time

import pytest
from cluster import CYCLE, wait_until
from fairshare import summed, write_window
from faults import USAGE_CFG, idle_lines, quiet_names
from reservations import install, setres, shown

pytestmark = pytest.mark.together

CFG = USAGE_CFG + """
QUEUETIMEWEIGHT 60
CREDWEIGHT 1
QOSWEIGHT 1000000
QOSCFG[high] PRIORITY=5
SRCFG[always] PERIOD=INFINITY HOSTLIST=n2 USERLIST=bob
"""
CONF = """
SchedulerType=sched/maui
SchedulerParameters=sched_interval=1,bf_interval=1
NodeName=n[1-3] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
CUTS = 4
LONG_CUTS = 200
SLACK_S = 3  # a stop may come between the end of a second and the cycle that charges it


# ---- our files cut ----

class Scene:
    """A cluster, down, with something in each of our files. `cut()` starts it on a copy of the
    state in which files end early, and tells what it knew."""

    def __init__(self, own_cluster):
        self.cluster = cluster = own_cluster(CFG, CONF, nodes=3)
        install(cluster)
        self.past = {("user", "john"): 7000.0, ("user", "amy"): 3000.0}
        self.long = cluster.sbatch("-t60", "-n2", "-wn1", command="sleep 3000")
        self.began = cluster.wait_state(self.long, "RUNNING").start
        setres(cluster, "-n", "paid", "-u", "steve", "-c", "physics", "n3")
        self.waits = cluster.sbatch("-t5", "-N3", "-H", "--exclusive", "--qos=high", user="amy")
        cluster.update(self.waits, "admincomment=overwritten")
        cluster.wait_cycle()
        cluster.scontrol("release", str(self.waits))
        self.released = time.time()
        self._save_twice()
        self.copy = os.path.join(cluster.base, "copy")
        shutil.copytree(self.state_dir, self.copy)

    @property
    def state_dir(self):
        return os.path.dirname(self.cluster.state)

    def _save_twice(self):
        """state.json.old knows all but the last ten seconds, in which a job ran and one began."""
        cluster = self.cluster
        cluster.stop()
        today = int(time.time()) // 86400 * 86400
        write_window(cluster.state, today - 86400, 86400, self.past, 10000.0)
        cluster.start()
        cluster.wait_cycle()
        cluster.stop()
        cluster.start()
        self.short = cluster.sbatch("-t5", "-n2", "-wn1", user="bob", command="sleep 6")
        self.second = cluster.sbatch("-t60", "-n1", "-wn1", user="john", command="sleep 3000")
        cluster.wait_over(self.short)
        cluster.wait_cycle()
        cluster.wait_cycle()
        self.jobs = {job: cluster.job(job) for job in (self.long, self.short, self.second)}
        cluster.stop()
        for name in ("state.json", "state.json.old", "maui.cfg.good", "maui.cfg.good.old"):
            assert os.path.getsize(os.path.join(cluster.state, name)), name
        month = os.path.join(cluster.state, time.strftime("idle.%Y%m", time.gmtime()))
        with open(month, "a", encoding="ascii") as out:
            out.write(idle_lines(3))

    def files(self):
        """Those that a crash may have cut, and that have something to lose."""
        names = sorted(os.listdir(os.path.join(self.copy, "maui")))
        return [name for name in names if not name.endswith((".old", ".bad"))]

    def cut(self, lengths):
        """Starts on files of these lengths, in bytes; returns slurmctld's log since."""
        shutil.rmtree(self.state_dir)
        shutil.copytree(self.copy, self.state_dir)
        for name, length in lengths.items():
            os.truncate(os.path.join(self.cluster.state, name), length)
        self.cluster.write_maui_cfg("RMPOLLINTERVAL\n")  # the last good one is needed
        mark = self.cluster.log_size()
        self.cluster.start()
        wait_until(lambda: CYCLE.search(self.cluster.log_since(mark)), "a cycle")
        return self.cluster.log_since(mark)

    def content(self, name):
        with open(os.path.join(self.copy, "maui", name), "rb") as file:
            return file.read()

    def used(self, job, until):
        """Processor-seconds of a job until then."""
        seen = self.jobs[job]
        return seen.procs * (min(seen.end or until, until) - seen.start)


def test_cut(own_cluster, is_long):
    """One file after another, and all at once, at random lengths."""
    scene = Scene(own_cluster)
    names = scene.files()
    assert {"state.json", "maui.cfg.good", "planning"} <= set(names), names
    assert any(name.startswith("idle.") for name in names), names
    sizes = {name: len(scene.content(name)) for name in names}
    rng = random.Random(20261130)
    for i in range(LONG_CUTS if is_long else CUTS):
        lengths = {name: rng.randrange(size) for name, size in sizes.items()}
        if i % 2 == 0:  # the state alone: nothing else may be lost with it
            lengths = {"state.json": lengths["state.json"]}
        if i == 0:
            lengths = {"state.json": 0}
        check_cut(scene, lengths, "cut %d: %s of %s" % (i, lengths, sizes))
    scene.cluster.write_maui_cfg(CFG)


def check_cut(scene, lengths, what):
    cluster = scene.cluster
    said = scene.cut(lengths)
    for name, length in lengths.items():
        if name == "state.json" or name.startswith("FS."):
            kept = scene.content(name)[:length]
            check_said(scene, name, kept, said, what)
    assert "running on the last good configuration" in said, what
    if "maui.cfg.good" in lengths:
        assert "maui.cfg.good is not complete, not used" in said, what
        assert "maui.cfg.good.old" in said, what
    check_known(scene, what)
    moment = time.time()
    cluster.wait_cycle()  # it charges what ran until this moment, at least
    cluster.stop()
    check_charged(scene, lengths, (moment, time.time()), what)
    left = quiet_names(cluster.state)
    assert not left, "%s: left over: %s" % (what, left)


def check_said(scene, name, kept, said, what):
    """A file that lost something is named in an error and kept aside; nearly whole, it may pass."""
    whole = scene.content(name)
    if name.startswith("FS.") and b"sched " in kept:  # all lines of usage; the last may be a total
        with contextlib.suppress(ValueError):
            if abs(float(kept.split()[-1]) - float(whole.split()[-1])) < 1:
                return
    if kept == whole or kept + b"\n" == whole:
        return
    assert "error: slurm-maui: %s/%s" % (scene.cluster.state, name) in said, what
    with open(os.path.join(scene.cluster.state, name + ".bad"), "rb") as file:
        assert file.read() == kept, what + ": set aside as it was"


def check_known(scene, what):
    """The job keeps its QOS and queue time; both reservations and their mirrors are there."""
    def look():
        row = scene.cluster.row(scene.waits)
        assert row.assoc == 5_000_000, "%s: QOS high: %s" % (what, row)
        assert abs(row.age - (time.time() - scene.released)) <= SLACK_S, "%s: %s" % (what, row)
        names = sorted(shown(scene.cluster))
        assert names == ["always.0", "paid.0"] or len(names) == 2, names
        mirrors = scene.cluster.reservations()
        assert {name.split(".")[1] for name in mirrors} == {"always", "paid"}, mirrors
        return True
    wait_until(look, what)


def users(directory):
    """{("user", name): usage} of all files; one that lost only its last digits stays as it is."""
    found = {}
    for path in glob.glob(os.path.join(directory, "FS.[0-9]*[0-9]")):
        with open(path, encoding="utf-8") as lines:
            for words in map(str.split, lines):
                if words[0] == "user":
                    found["user", words[1]] = found.get(("user", words[1]), 0) + float(words[2])
    return found


def check_charged(scene, lengths, charged, what):
    """Each job once; a cut FS file loses its lines, and what came after is charged all the same."""
    usage = users(scene.cluster.state)
    cut_windows = [name for name in lengths if name.startswith("FS.")]
    slack = SLACK_S * 4
    for user, jobs in (("steve", [scene.long]), ("bob", [scene.short]), ("john", [scene.second])):
        least, most = (sum(scene.used(job, until) for job in jobs) +
                       scene.past.get(("user", user), 0) for until in charged)
        got = usage.get(("user", user), 0)
        assert got <= most + slack, "%s: %s is charged twice: %s of %s" % (what, user, got, most)
        assert cut_windows or got >= least - slack, "%s: %s: %s of %s" % (what, user, got, least)


# ---- StateSaveLocation full, and read-only ----

def mount(*words):
    done = subprocess.run(["mount", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("mounting is not permitted here: " + done.stderr.strip())


@contextlib.contextmanager
def small_disk(cluster):
    """StateSaveLocation becomes a file system of two megabytes; the cluster is down meanwhile."""
    place = os.path.dirname(cluster.state)
    cluster.stop()
    copy = os.path.join(cluster.base, "before")
    shutil.copytree(place, copy)
    mount("-t", "tmpfs", "-o", "size=2m,mode=700", "none", place)
    try:
        shutil.copytree(copy, place, dirs_exist_ok=True)
        yield place
    finally:
        cluster.stop()
        subprocess.run(["umount", place], check=True)


def fill(directory):
    """Leaves no byte free."""
    with open(os.path.join(directory, "ballast"), "wb", buffering=0) as out:
        try:
            while True:
                out.write(b"x" * 4096)
        except OSError:
            pass


def read_only(directory, flag):
    """Remounts until no writer is in the way."""
    def look():
        return not subprocess.run(["mount", "-o", "remount," + flag, directory], check=False,
                                  capture_output=True).returncode
    wait_until(look, "%s is %s" % (directory, flag))


def saved(cluster, job):
    """Waits until slurmctld has saved what it knows of jobs, and we what we know."""
    moment = time.time()
    cluster.wait_jobs_saved(job)
    wait_until(lambda: os.path.getmtime(os.path.join(cluster.state, "state.json")) > moment,
               "our state saved")


def with_work(own_cluster, scheduler):
    """A cluster with a job that runs and one that waits."""
    cluster = own_cluster(CFG, CONF.replace("sched/maui", scheduler), nodes=3)
    long = cluster.sbatch("-t60", "-n2", "-wn1", command="sleep 3000")
    waits = cluster.sbatch("-t5", "-n4", "--begin=now+1hour", "--qos=high", user="amy")
    cluster.wait_state(long, "RUNNING")
    return cluster, long, waits


def both_there(cluster, long, waits):
    def look():
        assert (cluster.job(long).state, cluster.job(waits).state) == ("RUNNING", "PENDING")
        return True
    return wait_until(look, "the jobs that were saved")


@pytest.mark.parametrize("scheduler", ["sched/maui", "sched/backfill"])
def test_full(own_cluster, scheduler):
    """slurmctld goes on, is killed and started, stopped and started: our files stay as they are,
    the log says so once for each slurmctld, and each job is charged once when there is room again.
    Slurm alone (priority/maui under sched/backfill keeps the fairshare files) starts as well."""
    cluster, long, waits = with_work(own_cluster, scheduler)
    with small_disk(cluster) as place:
        cluster.start()
        saved(cluster, long)
        fill(place)
        before = {name: os.stat(os.path.join(cluster.state, name)).st_mtime_ns
                  for name in os.listdir(cluster.state) if name != "planning"}
        assert cluster.run(*cluster.sbatch_command("-t5"), check=False).returncode, "no room"
        for kill in (False, True, False):
            cluster.stop(kill=kill)
            mark = cluster.log_size()
            cluster.start()
            both_there(cluster, long, waits)
            cluster.wait_log(r"error: slurm-maui: cannot save[^\n]*No space left on device", mark)
            assert len(re.findall("slurm-maui: cannot save", cluster.log_since(mark))) <= 1
            assert quiet_names(cluster.state) == []
        now = {name: os.stat(os.path.join(cluster.state, name)).st_mtime_ns for name in before}
        assert now == before, "as they were"
        mark = cluster.log_size()
        os.unlink(os.path.join(place, "ballast"))
        cluster.wait_log("slurm-maui: saving works again", mark)
        check_sum(cluster, long)
        cluster.start()


def check_sum(cluster, long):
    """The long job is charged for the time it ran, once. slurmctld is down then."""
    began, moment = cluster.job(long).start, time.time()
    cluster.wait_cycle()  # it charges what ran until this moment, at least
    cluster.stop()
    least, most = 2 * (moment - began - SLACK_S), 2 * (time.time() - began + SLACK_S)
    usage, _ = summed(cluster.state)
    assert least <= usage["user", "steve"] <= most, (usage, least, most)


@pytest.mark.parametrize("whose", ["slurmctld's", "ours"])
def test_read_only(own_cluster, whose):
    """All of StateSaveLocation: Slurm's own slurmctld does not start, and one that runs goes on.
    Our directory alone: slurmctld starts, and says so."""
    cluster, long, waits = with_work(own_cluster, "sched/maui")
    with small_disk(cluster) as place:
        cluster.start()
        saved(cluster, long)
        where = place
        if whose == "ours":
            cluster.stop()
            where = cluster.state
            mount("--bind", where, where)
            cluster.start()
        try:
            check_read_only(cluster, where, whose == "ours", long, waits)
        finally:
            cluster.stop()
            if whose == "ours":
                subprocess.run(["umount", where], check=True)
        cluster.start()


def check_read_only(cluster, where, starts, long, waits):
    option = "bind," if starts else ""
    mark = cluster.log_size()
    if starts:
        cluster.stop()  # it holds a file of ours open for writing
    else:
        cluster.stop(kill=True)
    read_only(where, option + "ro")
    failed = cluster.start(check=False).returncode
    assert bool(failed) != starts, "as slurmctld does by itself"
    if starts:
        both_there(cluster, long, waits)
        cluster.wait_log("error: slurm-maui: cannot save[^\n]*Read-only file system", mark)
        first, mark = cluster.job(long).start, cluster.log_size()
        cluster.restart(kill=True)
        both_there(cluster, long, waits)
        cluster.wait_log("error: slurm-maui: cannot save[^\n]*Read-only file system", mark)
        assert cluster.job(long).start == first
    mark = cluster.log_size()
    read_only(where, option + "rw")
    if starts:
        cluster.wait_log("slurm-maui: saving works again", mark)
    else:
        cluster.start()
    both_there(cluster, long, waits)
    check_sum(cluster, long)
