# SPDX-License-Identifier: GPL-2.0-or-later
"""slurmctld killed in busy minutes, by sched/maui and by sched/backfill: no job that Slurm had saved
is lost or started again, reservations stay as they are, usage is charged once.

A job that slurmctld took after it last saved its jobs is lost by any Slurm, and one that it started
then is started again: its own file says until when that is, and these are counted, not forbidden.
`--long`: 50 kills, a minute apart.

Rules: FS-10, RSV-5.
"""

import os
import random
import re
import signal
import time
import zoneinfo

import pytest
from cluster import wait_until
from faults import USAGE_CFG, Submitter, figures, packed_at, quiet_names, starts
from fairshare import summed
from reservations import hosts, install, mirrors, setres, shown
from rsvclock import read_srcfg, windows

pytestmark = pytest.mark.together

CFG = USAGE_CFG + """
QUEUETIMEWEIGHT 1
SRCFG[always] PERIOD=INFINITY HOSTLIST=n4 USERLIST=bob
SRCFG[days] PERIOD=DAY DEPTH=3 HOSTLIST=n3 USERLIST=bob STARTTIME=23:00:00
SRCFG[weeks] PERIOD=WEEK DEPTH=2 HOSTLIST=n3 USERLIST=bob STARTTIME=6:22:00:00 ENDTIME=6:23:00:00
"""
CONF = """
SchedulerType=%s
PriorityType=%s
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=1
MinJobAge=86400
DefMemPerCPU=
SelectTypeParameters=CR_Core
JobRequeue=0
BatchStartTimeout=1
NodeName=n[1-4] CPUs=8 CoresPerSocket=8 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
SIDES = {"sched/maui": "priority/maui", "sched/backfill": "priority/multifactor"}
SHORT, LONG = (2, 8), (50, 45)  # kills, and seconds of load before each, besides those until all nodes answer
MISSING_S = 13  # slurmctld's 10 of a message and BatchStartTimeout
LAUNCH_S = 2  # from the message to a node to the job's first note; a kill comes in between
QUIET_S = 12  # more than a job of the load runs


class Killed:
    """A cluster under load, and what was seen of its kills."""

    def __init__(self, own_cluster, scheduler):
        self.ours = scheduler == "sched/maui"
        conf = CONF % (scheduler, SIDES[scheduler])
        self.cluster = own_cluster(CFG, conf if self.ours else conf + "JobSubmitPlugins=\n", nodes=4)
        self.tally = "%s/home/tally" % self.cluster.dir
        with open(self.tally, "w", encoding="ascii"):
            os.chmod(self.tally, 0o666)
        self.started = None
        self.kills = []  # (saved until, killed at)
        self.lost, self.guarded, self.drained = set(), 0, 0
        self.made = {}  # administrative reservations: {name: when setres said so}
        if self.ours:
            install(self.cluster)

    def kill(self):
        cluster = self.cluster
        cluster.stop(kill=True)
        killed = time.time()
        self.kills.append((packed_at(cluster), killed))
        saved = os.path.join(cluster.state, "state.json")
        ours_saved = os.path.getmtime(saved) if os.path.exists(saved) else 0
        mark = cluster.log_size()
        self.started = time.monotonic()
        cluster.start()
        if self.ours:
            self.check_reservations(ours_saved)
            left = quiet_names(cluster.state)
            assert not left, left
            self.mind_the_guard(mark)

    def mind_the_guard(self, mark):
        """Two kills that happened to be in a plan: no job is started for ten minutes, as the manual
        says. The site's way out is to remove the file."""
        if "slurmctld died twice within ten minutes" in self.cluster.log_since(mark):
            self.guarded += 1
            self.cluster.stop()
            os.unlink(os.path.join(self.cluster.state, "planning"))
            self.cluster.start()

    def check_reservations(self, ours_saved):
        """What maui.cfg and setres made is there, once, with its mirror, and nothing else."""
        def look():
            seen, now = shown(self.cluster), time.time()
            wanted = windows(read_srcfg(CFG), zoneinfo.ZoneInfo("UTC"), now)
            standing = {one["stable_name"]: hosts(one) for one in seen.values()
                        if one["type"] == "Standing"}
            assert set(standing) == set(wanted), (sorted(standing), sorted(wanted))
            for name, nodes in standing.items():
                assert nodes == (["n4"] if ".always." in name else ["n3"]), (name, nodes)
            admin = {name for name, one in seen.items() if one["type"] != "Standing"}
            due = {name for name, said in self.made.items() if said < ours_saved}
            assert due <= admin <= set(self.made), (due, admin)
            names = sorted(mirrors(self.cluster))
            assert names == sorted(one["mirror"] for one in seen.values()), (names, seen)
            return True
        wait_until(look, "reservations and mirrors after a kill")

    def reserve(self):
        if self.ours:
            name = setres(self.cluster, "-n", "at%d" % len(self.kills), "-u", "bob", "-s", "+86400", "-d", "600", "n1")
            self.made[name] = time.time()

    def nodes_answer(self):
        """slurmctld asks the nodes seconds after its start. It drains one that runs a job of which it
        forgot the start, and whose number it gave to another. Jobs of which it forgot the end run,
        for it, until a node registers again and does not have them."""
        def look():
            states = self.cluster.run("sinfo", "-h", "-N", "-o", "%N %T").stdout
            assert not re.search(r"\*|down|unk", states), states
            return states
        wait_until(look, "nodes known")
        if "drain" in look():
            self.drained += 1
            self.cluster.undrain()
        until = self.started + MISSING_S
        wait_until(lambda: time.monotonic() > until, "slurmctld believes its nodes")
        for node in ("n1", "n2", "n3", "n4"):
            os.kill(self.cluster.daemon_pid(node), signal.SIGHUP)

    # ---- when all is done ----

    def check_jobs(self, known, seen, noted):
        """Lost, and started twice, with the file of jobs as the judge of whose fault that is."""
        forgiven_lost, forgiven_twice = set(), set()
        for job, (said, _, _) in known.items():
            if job not in seen:
                forgotten = any(saved <= said <= killed for saved, killed in self.kills)
                (forgiven_lost if forgotten else self.lost).add(job)
        twice = set()
        for job, moments in noted.items():
            for first, again in zip(moments, moments[1:]):
                forgotten = any(saved <= first <= killed + LAUNCH_S and killed <= again
                                for saved, killed in self.kills)
                requeued = job in seen and int(seen[job].fields["Restarts"]) > 0
                (forgiven_twice if forgotten or requeued else twice).add(job)
        assert not self.lost, "lost: %s" % sorted(self.lost)
        assert not twice, "started twice: %s, kills %s\n%s" % (
            {job: noted[job] for job in sorted(twice)}, self.kills, self.log_of(seen, twice))
        return len(forgiven_lost), len(forgiven_twice)

    def log_of(self, seen, names):
        numbers = "|".join("%d" % seen[name].id for name in names if name in seen)
        return "\n".join(line for line in self.cluster.log_since().splitlines()
                         if re.search(r"JobId=(%s)\b|slurmctld version" % numbers, line))

    def check_charged(self, known, seen, noted):
        """By slurmctld's records; a run that it forgot may have been charged until the kill."""
        least, most = {}, {}
        for job, (_, procs, user) in known.items():
            record = seen.get(job)
            if record and record.start and record.end and record.end > record.start:
                used = procs * (record.end - record.start)
                least[user] = least.get(user, 0) + used
                most[user] = most.get(user, 0) + used
            for moment in noted.get(job, []):
                if not record or not record.start or moment < record.start - 1:
                    end = min((killed for _, killed in self.kills if killed + LAUNCH_S >= moment), default=moment)
                    most[user] = most.get(user, 0) + procs * (end - moment + 2)
        usage, _ = summed(self.cluster.state)
        for user, total in least.items():
            got = usage.get(("user", user), 0)
            assert total - 1 <= got <= most[user] + 1, "%s: %s, not %s to %s" % (
                user, got, total, most[user])
        return {user: usage["user", user] for user in sorted(least)}


def end_all(cluster):
    """Lets jobs end while they do, then cancels the rest. slurmd refuses a job with the number of one
    that it knows and slurmctld forgot: Slurm holds it, or takes it for running until its limit."""
    left = [len(cluster.squeue()), time.monotonic()]

    def look():
        waiting = len(cluster.squeue())
        if waiting < left[0]:
            left[:] = [waiting, time.monotonic()]
        return not waiting or time.monotonic() > left[1] + QUIET_S
    wait_until(look, "no more jobs end", seconds=600)
    stuck = len(cluster.squeue())
    cluster.cancel_all()
    return stuck


@pytest.mark.parametrize("scheduler", list(SIDES))
def test_killed_in_busy_minutes(own_cluster, scheduler, is_long):
    side = Killed(own_cluster, scheduler)
    cluster, rng = side.cluster, random.Random(7)
    count, minute = LONG if is_long else SHORT
    loads = [Submitter(cluster, side.tally, seed) for seed in range(2)]
    try:
        for _ in range(count):
            began = time.monotonic()
            side.reserve()
            pause = rng.uniform(0.5, 1) * minute
            wait_until(lambda: time.monotonic() >= began + pause, "the next kill", minute + 60)
            side.kill()
            side.nodes_answer()
    finally:
        for load in loads:
            load.finish()
    known = {job: said for load in loads for job, said in load.known.items()}
    stuck = end_all(cluster)
    seen = {job.fields["JobName"]: job for job in cluster.jobs().values()}
    noted = starts(side.tally)
    lost, twice = side.check_jobs(known, seen, noted)
    used = None
    if side.ours:
        cluster.wait_cycle()
        cluster.stop()
        used = side.check_charged(known, seen, noted)
        cluster.start()
    figures("kills", scheduler=scheduler, kills=count, jobs=len(known), started=len(noted),
            lost_by_slurm=lost, again_by_slurm=twice, stuck=stuck, drained=side.drained, guarded=side.guarded,
            refused=sum(load.refused for load in loads), used=used)
