# SPDX-License-Identifier: GPL-2.0-or-later
"""The clock of slurmctld and its nodes an hour ahead, back, an hour behind, and back: the same
slurmctld goes on, what is submitted then starts once, reservations are those of that time, and no
job is charged for more than its run and the hours that its clock skipped. `--long`: six times.

Jobs that were submitted under a clock that was ahead wait until that time comes, as in any Slurm.

Rules: FS-10, RSV-5.
"""

import os
import time
import zoneinfo

import pytest
from cluster import wait_until
from faults import USAGE_CFG, figures, quiet_names, starts
from fairshare import summed
from reservations import install, mirrors, setres, shown
from rsvclock import Clock, forget_shared_memory, read_srcfg, windows
from starts import wait_iterations

pytestmark = pytest.mark.together

CFG = USAGE_CFG + """
QUEUETIMEWEIGHT 1
SRCFG[always] PERIOD=INFINITY HOSTLIST=n4 USERLIST=bob
SRCFG[days] PERIOD=DAY DEPTH=3 HOSTLIST=n3 USERLIST=bob
"""
CONF = """
SchedulerType=sched/maui
SchedulerParameters=sched_interval=1,batch_sched_delay=1
SlurmdTimeout=0
MinJobAge=864000
DefMemPerCPU=
SelectTypeParameters=CR_Core
NodeName=n[1-4] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
NODES = ["n1", "n2", "n3", "n4"]
HOUR_S = 3600
STEPS = (HOUR_S, 0, -HOUR_S, 0)


class Shifted:
    """A cluster whose slurmctld and slurmds have a clock of their own."""

    def __init__(self, own_cluster):
        self.cluster = own_cluster(CFG, CONF, nodes=4)
        self.clock = Clock(self.cluster.dir, "UTC")
        self.offset = 0
        self.set(0)
        self._wrap_slurmd()
        self.restart(*NODES)
        self.restart("slurmctld")
        install(self.cluster)

    def _wrap_slurmd(self):
        """The same program as slurmctld's: a slurmd refuses what its clock says is too old."""
        with open(os.path.join(self.clock.bin, "slurmctld"), encoding="utf-8") as program:
            text = program.read()
        path = os.path.join(self.clock.bin, "slurmd")
        with open(path, "w", encoding="utf-8") as out:
            out.write(text.replace("sbin/slurmctld", "sbin/slurmd"))
        os.chmod(path, 0o755)

    def set(self, offset):
        self.offset = offset
        self.clock.set(time.time() + offset)

    def now(self):
        return time.time() + self.offset

    def restart(self, *names, kill=False):
        pids = [self.cluster.daemon_pid(name) for name in names]
        self.cluster.minicluster("stop", *(["--kill"] if kill else []), *names)
        for pid in filter(None, pids):  # None: it was stopped before
            forget_shared_memory(pid)
        plain = dict(self.cluster.environment)
        self.cluster.environment["PATH"] = "%s:%s" % (self.clock.bin, plain["PATH"])
        try:
            self.cluster.minicluster("start", *names)
        finally:
            self.cluster.environment = plain


def check_reservations(shifted):
    def look():
        seen = shown(shifted.cluster)
        wanted = windows(read_srcfg(CFG), zoneinfo.ZoneInfo("UTC"), shifted.now())
        standing = {one["stable_name"] for one in seen.values() if one["type"] == "Standing"}
        assert standing == set(wanted), (standing, sorted(wanted))
        assert "paid" in {name.split(".")[0] for name in seen}, sorted(seen)
        there = sorted(mirrors(shifted.cluster))
        assert there == sorted(one["mirror"] for one in seen.values()), (there, sorted(seen))
        return True
    wait_until(look, "reservations at %+d s" % shifted.offset)


def test_the_clock_an_hour_ahead_and_behind(own_cluster, is_long):
    shifted = Shifted(own_cluster)
    cluster = shifted.cluster
    tally = "%s/home/tally" % cluster.dir
    with open(tally, "w", encoding="ascii"):
        os.chmod(tally, 0o666)
    setres(cluster, "-n", "paid", "-u", "steve", "-d", "2:00:00:00", "n2")
    long = cluster.sbatch("-t1-0", "-n1", "-wn1", user="amy", command="sleep 3000")
    began = cluster.wait_state(long, "RUNNING").start
    check_reservations(shifted)
    jobs = {}
    steps = STEPS * (6 if is_long else 1)
    for i, offset in enumerate(steps):
        pid = cluster.daemon_pid()
        shifted.set(offset)
        new = {"step%d.%d" % (i, k): cluster.sbatch(
            "-t5", "-n2", "-wn1", "--job-name=step%d.%d" % (i, k), user="john",
            command="echo $SLURM_JOB_NAME $(date +%%s.%%N) >>%s; sleep 2" % tally) for k in range(2)}
        jobs.update(new)
        wait_until(lambda new=new: set(new) <= set(starts(tally)), "jobs start at %+d s" % offset)
        check_reservations(shifted)
        assert cluster.daemon_pid() == pid, "the same slurmctld"
        cluster.wait_over(*new.values())
        wait_iterations(cluster)
        cluster.wait_jobs_saved(long)
        shifted.restart("slurmctld", kill=bool(i % 2))
        check_reservations(shifted)
        # slurmctld asks the nodes some seconds after its start, by its clock
        wait_until(lambda: "*" not in cluster.run("sinfo", "-h", "-o", "%T").stdout, "nodes known")
        assert cluster.job(long).state == "RUNNING"
        assert not quiet_names(cluster.state)
    records = {job: cluster.job(number) for job, number in jobs.items()}
    assert starts(tally).keys() == jobs.keys()
    assert all(len(moments) == 1 for moments in starts(tally).values()), starts(tally)
    assert {job.state for job in records.values()} == {"COMPLETED"}, records
    cluster.wait_cycle()
    ran = shifted.now() - began
    cluster.minicluster("stop", "slurmctld")
    usage, _ = summed(cluster.state)
    short = sum(2 * (job.end - job.start) for job in records.values())
    assert abs(usage["user", "john"] - short) <= 1, (usage, short)
    # what a clock skipped and gave back is charged once
    assert ran - 3 <= usage["user", "amy"] <= ran + HOUR_S + 3, (usage, ran)
    figures("clock", steps=len(steps), jobs=len(jobs), short=short, long=usage["user", "amy"], ran=round(ran))
    shifted.restart("slurmctld")
