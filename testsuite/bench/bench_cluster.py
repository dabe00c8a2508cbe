# SPDX-License-Identifier: GPL-2.0-or-later
"""bench_cluster - a cluster of fake nodes for benchmarks that compare schedulers

A slurmctld of its own below a temporary directory, one fakeslurmd for all nodes (fake-cluster). Jobs are
known by what slurmctld writes when they end (jobcomp/filetxt) and by squeue. `with Cluster(...)` ends
every process that it started, also when this process is told to end.
"""

import dataclasses
import datetime
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
BUILD = pathlib.Path(os.environ.get("BENCH_BUILD", TOP / "build")).resolve()
COMMAND_S = 120
ENDS = threading.Event()

MAUI_CFG = """\
RMPOLLINTERVAL     00:00:30
QUEUETIMEWEIGHT    1
RESERVATIONDEPTH   1
BACKFILLPOLICY     FIRSTFIT
"""

SLURM_CONF = """\
SchedulerType={scheduler}
PriorityType={priority}
JobSubmitPlugins=
SchedulerParameters={parameters}
SelectTypeParameters=CR_Core
DefMemPerCPU=
JobCompType=jobcomp/filetxt
JobCompLoc={jobcomp}
"""


@dataclasses.dataclass
class Job:
    """A job that started; times in seconds since the epoch, end 0: it runs still."""
    id: str
    submit: int
    start: int
    end: int
    nodes: str
    procs: int


def end_by_signals():
    """SIGTERM, SIGINT and SIGHUP end the process as sys.exit() does, after every thread has left its cluster."""
    signals = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

    def end(*_):
        for number in signals:
            signal.signal(number, signal.SIG_IGN)
        ENDS.set()
        sys.exit(130)

    for number in signals:
        signal.signal(number, end)


def pause(seconds):
    """Sleeps; ends the thread if the process is to end."""
    if ENDS.wait(max(0, seconds)):
        sys.exit(130)


def seconds_of(stamp):
    """2026-11-30T04:30:22, local time; Unknown is 0."""
    try:
        return int(datetime.datetime.fromisoformat(stamp).timestamp())
    except ValueError:
        return 0


def node_numbers(text):
    """n[1-3,7],n9 -> [1, 2, 3, 7, 9]"""
    numbers = []
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", text):
        numbers += range(int(first), int(last or first) + 1)
    return numbers


class Cluster:
    """One cluster, from `with` to the end of its block."""

    # pylint: disable=too-many-arguments
    def __init__(self, nodes, scheduler, parameters="", maui_cfg=MAUI_CFG, more_conf="", options=(),
                 environment=None):
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="bench."))
        self.top.chmod(0o755)
        self.directory = self.top / "c"
        self.jobcomp = self.top / "jobcomp"
        self.log = self.directory / "log/slurmctld.log"
        priority = "priority/maui" if scheduler == "sched/maui" else "priority/multifactor"
        (self.top / "maui.cfg").write_text(maui_cfg)
        (self.top / "slurm.conf").write_text(more_conf + SLURM_CONF.format(
            scheduler=scheduler, priority=priority, parameters=parameters, jobcomp=self.jobcomp))
        self.command = [HERE / "fake-cluster", "up", self.directory, str(nodes), "--maui-cfg",
                        self.top / "maui.cfg", "--slurm-conf", self.top / "slurm.conf", *options]
        self.environment = {"FAKESLURMD": str(BUILD / "testsuite/bench/fakeslurmd"), **os.environ,
                            **(environment or {})}
        self.env = {}

    def __enter__(self):
        try:
            subprocess.run(self.command, env=self.environment, check=True, stdout=subprocess.DEVNULL)
        except BaseException:
            self.down()
            raise
        shown = subprocess.run([TOP / "contribs/minicluster", "env", self.directory], check=True,
                               capture_output=True, text=True).stdout
        self.env = dict(re.findall(r"^export (\w+)='?([^'\n]*)'?$", shown, re.M))
        self.env["PATH"] = os.environ["PATH"]
        return self

    def __exit__(self, *_):
        self.down()

    def down(self):
        """Ends all processes of the cluster; an interrupt of the terminal does not reach it."""
        subprocess.run([HERE / "fake-cluster", "down", self.directory], check=False,
                       stderr=subprocess.DEVNULL, start_new_session=True)
        shutil.rmtree(self.top, ignore_errors=True)

    def run(self, *words, timeout=COMMAND_S):
        """The output of a command that speaks to this cluster."""
        pause(0)
        return subprocess.run(list(map(str, words)), env=self.env, check=True, capture_output=True,
                              text=True, timeout=timeout).stdout

    def submit_mix(self, *words, timeout=COMMAND_S):
        """What submit-mix prints: 'submitted N in S s: R jobs/s, F refused'."""
        return self.run(BUILD / "testsuite/bench/submit-mix", *words, timeout=timeout)

    def count(self, states):
        """How many jobs squeue shows in these states."""
        return len(self.run("squeue", "-h", "-r", "-t", states, "-o", "%i").split())

    def wait_until(self, what, condition, timeout, every=0.5):
        """Until condition() is true; TimeoutError that names `what` otherwise."""
        end = time.monotonic() + timeout
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError(f"{what}: not within {timeout} s")
            pause(every)

    def slurmctld(self):
        """The process id of slurmctld."""
        return int((self.directory / "run/slurmctld.pid").read_text())

    def jobs(self):
        """Every job that started: those that ended and those that run."""
        jobs = []
        lines = self.jobcomp.read_text().splitlines() if self.jobcomp.exists() else []
        for line in lines:
            row = dict(re.findall(r"(\w+)=(\S*)", line))
            start = seconds_of(row["StartTime"])
            if start and row["NodeList"] not in ("", "(null)"):
                jobs.append(Job(row["JobId"], seconds_of(row["SubmitTime"]), start,
                                seconds_of(row["EndTime"]), row["NodeList"], int(row["ProcCnt"])))
        known = {job.id for job in jobs}
        for line in self.run("squeue", "-h", "-t", "R", "-o", "%i|%V|%S|%N|%C").splitlines():
            job, submit, start, nodes, procs = line.split("|")
            if job not in known:
                jobs.append(Job(job, seconds_of(submit), seconds_of(start), 0, nodes, int(procs)))
        return jobs
