# SPDX-License-Identifier: GPL-2.0-or-later
"""What users and administrators do to waiting and running jobs: nice, top, a priority of their
own, hold, release, requeue, suspend, dependencies, arrays.

Rules: PRIO-10, PRIO-14.
"""

import time

import pytest
from cluster import wait_until
from starts import wait_reason

# Priority is the seconds of effective queue time on top of 1000 a USERCFG point.
CFG = """
RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 60
USERWEIGHT 1000
QOSWEIGHT 100000
USERCFG[steve] PRIORITY=100
USERCFG[amy] PRIORITY=200
QOSCFG[high] PRIORITY=5
"""
CONF = """
SchedulerParameters=enable_user_top,sched_interval=2,bf_interval=2
NodeName=n[1-2] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=other Nodes=ALL MaxTime=INFINITE State=UP
"""
USER_PART = {"steve": 100_000, "amy": 200_000}


pytestmark = pytest.mark.together


def parked_cluster(own_cluster, lines=""):
    """A cluster where no job starts."""
    cluster = own_cluster(CFG + lines, CONF)
    cluster.drain()
    return cluster


def queue_seconds(cluster, job, user="steve", nice=0):
    """Effective queue time by the job's priority; its row must add up."""
    row = cluster.row(job)
    assert row.total == row.priority
    return row.priority - USER_PART[user] + nice


def waited_since(cluster, job, stamp, slack=3, user="steve"):
    """Whether the job's queue time counts from `stamp`, as far as the last poll knows."""
    def look():
        waited, now = queue_seconds(cluster, job, user), time.time()
        assert now - stamp - slack <= waited <= now - stamp + slack, \
            "queue time %d, not %d" % (waited, now - stamp)
        return True
    wait_until(look, "queue time since %d" % stamp)


# ---- numbers by hand ----

def test_nice_lowers_and_raises(own_cluster):
    parked = parked_cluster(own_cluster)
    plain = parked.sbatch("-t10")
    lowered, raised = parked.sbatch("-t10", "--nice=500"), parked.sbatch("-t10", "--nice=-300")
    parked.wait_cycle()
    assert parked.row(lowered).nice == 500 and parked.row(raised).nice == -300
    for job, nice in ((plain, 0), (lowered, 500), (raised, -300)):
        assert 0 <= queue_seconds(parked, job, nice=nice) <= 20
    parked.update(plain, "nice=99999999")
    assert parked.row(plain).priority == 1, "never below 1"
    parked.wait_cycle()
    assert parked.row(plain).priority == parked.row(plain).total == parked.squeue()[plain] == 1


def test_a_direct_priority_stands_until_release(own_cluster):
    parked = parked_cluster(own_cluster)
    job = parked.sbatch("-t10")
    parked.update(job, "priority=4711")
    assert parked.squeue()[job] == parked.row(job).priority == 4711
    parked.wait_cycle()
    assert parked.squeue()[job] == parked.row(job).priority == 4711, "a poll leaves it"
    parked.update(job, "timelimit=20")
    assert parked.squeue()[job] == 4711, "an update of another field leaves it"
    parked.restart()
    parked.wait_cycle()
    assert parked.squeue()[job] == parked.row(job).priority == 4711, "a restart leaves it"
    parked.scontrol("hold", str(job))
    parked.scontrol("release", str(job))
    wait_until(lambda: parked.squeue()[job] > 100_000, "Maui's own number after a release")


def test_a_direct_priority_of_one(own_cluster):
    parked = parked_cluster(own_cluster)
    job = parked.sbatch("-t10")
    parked.update(job, "priority=1")
    parked.wait_cycle()
    assert parked.squeue()[job] == parked.row(job).priority == 1


def test_top_moves_a_job_before_its_users_other_jobs(own_cluster):
    parked = parked_cluster(own_cluster)
    jobs = [parked.sbatch("-t10") for _ in range(3)]
    foreign = parked.sbatch("-t10", user="amy")
    parked.wait_cycle()
    before = parked.squeue()
    parked.scontrol("top", str(jobs[2]), user="steve")
    parked.wait_cycle()
    after = parked.squeue()
    assert after[jobs[2]] > max(after[jobs[0]], after[jobs[1]]), (before, after)
    assert abs(after[foreign] - before[foreign]) <= 10, "other users are not moved"
    rows = {row.job: row for row in parked.sprio()}
    assert all(row.priority == row.total for row in rows.values())
    assert abs(sum(rows[job].nice for job in jobs)) <= 3, "what one gains the others give"


def test_top_orders_jobs_that_are_all_clipped(own_cluster):
    """Jobs without any priority of Maui's are equal, and top still moves one before the others."""
    parked = own_cluster("RMPOLLINTERVAL 1\nQUEUETIMEWEIGHT 0\n", CONF)
    parked.drain()
    jobs = [parked.sbatch("-t10") for _ in range(3)]
    foreign = parked.sbatch("-t10", user="amy")
    parked.wait_cycle()
    assert set(parked.squeue().values()) == {2}
    for job in (jobs[2], jobs[1]):
        parked.scontrol("top", str(job), user="steve")
        parked.wait_cycle()
        after = parked.squeue()
        assert all(after[job] > after[other] for other in jobs if other != job), after
        assert after[foreign] == 2, "other users are not moved"


@pytest.mark.parametrize("change,expected", [
    (["priority=4711"], 4711), (["nice=50"], 100_000 - 50)])
def test_numbers_by_hand_hold_in_every_partition(own_cluster, change, expected):
    parked = parked_cluster(own_cluster, "QUEUETIMEWEIGHT 0\n")
    job = parked.sbatch("-t10", "-p", "main,other")
    parked.wait_cycle()
    parked.update(job, *change)
    for _ in range(2):
        rows = {row.partition: row.priority for row in parked.sprio()}
        assert rows == {"main": expected, "other": expected}
        assert parked.squeue() == {job: expected}
        parked.wait_cycle()


def test_hold_and_release_in_several_partitions(own_cluster):
    parked = parked_cluster(own_cluster, "QUEUETIMEWEIGHT 0\n")
    job = parked.sbatch("-t10", "-p", "main,other")
    parked.scontrol("hold", str(job))
    assert parked.squeue() == {job: 0} and not parked.sprio()
    parked.wait_cycle()
    assert parked.squeue() == {job: 0} and not parked.sprio()
    parked.scontrol("release", str(job))
    for _ in range(2):
        assert {row.partition: row.priority for row in parked.sprio()} == \
            {"main": 100_000, "other": 100_000}
        assert parked.squeue() == {job: 100_000}
        parked.wait_cycle()


# ---- held, dependent: queue time ----

@pytest.mark.parametrize("who", ["steve", None])
def test_hold_and_release(own_cluster, who):
    """By the user, and by the administrator."""
    parked = parked_cluster(own_cluster)
    job = parked.sbatch("-t10")
    parked.wait_cycle()
    parked.scontrol("uhold" if who else "hold", str(job), user=who)
    assert parked.squeue()[job] == 0
    assert not [row for row in parked.sprio() if row.job == job], "sprio lists no held job"
    parked.wait_cycle()
    parked.wait_cycle()
    assert parked.squeue()[job] == 0, "a poll leaves the hold"
    reason = "JobHeldUser" if who else "JobHeldAdmin"
    assert parked.job(job).reason == reason
    released = time.time()
    parked.scontrol("release", str(job), user=who)
    assert parked.squeue()[job] >= 100_000, "at once"
    waited_since(parked, job, released)


def test_submitted_held(own_cluster):
    parked = parked_cluster(own_cluster)
    job = parked.sbatch("-t10", "-H")
    parked.wait_cycle()
    assert parked.squeue()[job] == 0
    wait_until(lambda: time.time() > parked.job(job).submit + 5, "five seconds on hold")
    released = time.time()
    parked.scontrol("release", str(job))
    waited_since(parked, job, released)


def test_released_between_two_polls(own_cluster):
    """The queue time counts from the release, not from the last poll that saw the hold."""
    parked = parked_cluster(own_cluster)
    parked.reconfigure(CFG.replace("INTERVAL 1", "INTERVAL 15"))
    job = parked.sbatch("-t10", "-H")
    parked.reconfigure()  # a poll sees the hold, the next is 15 s away
    mark, at = parked.log_size(), time.time()
    wait_until(lambda: time.time() > at + 8, "eight seconds on hold")
    parked.scontrol("release", str(job))
    assert queue_seconds(parked, job) <= 1
    assert "cycle:" not in parked.log_since(mark)


@pytest.mark.parametrize("name,held_counts,down_counts", [
    ("ALWAYS", True, True), ("QUEUEPOLICY", False, True), ("FULLPOLICY", False, False)])
def test_accrual_policy(own_cluster, name, held_counts, down_counts):
    """Whether queue time accrues for a held job, a dependent job, and a job whose class is down."""
    parked = parked_cluster(own_cluster, "JOBPRIOACCRUALPOLICY %s\n" % name)
    first = parked.sbatch("-t10", user="amy")
    jobs = {"held": parked.sbatch("-t10", "-H"), "down": parked.sbatch("-t10", "-p", "other"),
            "dependent": parked.sbatch("-t10", "--dependency=afterany:%d" % first)}
    parked.scontrol("update", "partitionname=other", "state=down")
    submit = parked.job(jobs["dependent"]).submit
    wait_until(lambda: time.time() > submit + 7, "seven seconds of waiting")
    freed = time.time()
    parked.scontrol("release", str(jobs["held"]))
    parked.scontrol("update", "partitionname=other", "state=up")
    parked.run("scancel", str(first))
    wait_until(lambda: parked.job(jobs["dependent"]).reason != "Dependency", "the dependency gone")
    gone = time.time()
    for kind, counts, end in (("held", held_counts, freed), ("down", down_counts, freed),
                              ("dependent", held_counts, gone)):
        waited_since(parked, jobs[kind], parked.job(jobs[kind]).submit if counts else end)


@pytest.mark.parametrize("name,counts", [("QUEUEPOLICY", True), ("FULLPOLICY", False)])
def test_accrual_over_a_fairshare_cap(own_cluster, name, counts):
    """FULLPOLICY: a job whose user has used up an FSTARGET cap does not accrue. steve's is 1
    processor-second, amy has none."""
    cluster = own_cluster(CFG + """
JOBPRIOACCRUALPOLICY %s
FSPOLICY DEDICATEDPS
USERCFG[steve] FSTARGET=1^
""" % name, CONF)
    used = [cluster.sbatch("-t10", "-n1", user=user, command="sleep 3")
            for user in ("steve", "amy")]
    cluster.wait_over(*used)
    cluster.wait_cycle()
    cluster.drain()
    capped, free = cluster.sbatch("-t10"), cluster.sbatch("-t10", user="amy")
    submit = cluster.job(free).submit
    wait_until(lambda: time.time() > submit + 6, "six seconds of waiting")
    waited_since(cluster, free, submit, user="amy")
    if counts:
        waited_since(cluster, capped, submit)
    else:
        wait_until(lambda: queue_seconds(cluster, capped) <= 2, "no queue time")


def test_queue_time_pauses_behind_a_limit(own_cluster):
    """Eligible, then blocked by MAXPROC, then eligible again: the blocked time does not count, what
    was waited before does. A restart while the job is blocked changes nothing."""
    cluster = own_cluster(CFG + "USERCFG[steve] MAXPROC=4\n", "SchedulerType=sched/maui" + CONF)
    cluster.scontrol("update", "nodename=n1", "state=drain", "reason=test")
    job = cluster.sbatch("-t10", "-n4", "-wn1")
    wait_until(lambda: time.time() > cluster.job(job).submit + 12, "twelve seconds of waiting")
    other = cluster.sbatch("-t10", "-n4", "-wn2")
    cluster.wait_state(other, "RUNNING")
    blocked = cluster.job(other).start
    wait_reason(cluster, job, "MAXPROC USER steve")
    unsure = time.time() - blocked  # when in between the limit began to block it
    wait_until(lambda: time.time() > blocked + unsure + 8, "eight seconds behind the limit")
    cluster.restart()
    wait_until(lambda: time.time() > blocked + unsure + 16, "more seconds behind the limit")
    eligible_before = blocked - cluster.job(job).submit
    waited = queue_seconds(cluster, job)
    assert eligible_before - 3 <= waited <= eligible_before + unsure + 3
    freed = time.time()
    cluster.run("scancel", str(other))
    wait_reason(cluster, job, "^(?!.*MAXPROC)")
    unsure = time.time() - freed  # when in between the limit let it go
    waited_since(cluster, job, freed - waited, slack=3 + unsure)


def test_a_dependent_job_does_not_accrue_meanwhile(own_cluster):
    parked = parked_cluster(own_cluster)
    first = parked.sbatch("-t10", user="amy")
    job = parked.sbatch("-t10", "--dependency=afterany:%d" % first)
    wait_until(lambda: time.time() > parked.job(job).submit + 4, "four seconds of waiting")
    assert queue_seconds(parked, job) <= 2
    # another dependency in its place: the priority is still computed, and still does not accrue
    parked.update(job, "dependency=afterok:%d" % first, "nice=10")
    assert queue_seconds(parked, job, nice=10) <= 2
    parked.update(job, "dependency=", "nice=0")
    freed = time.time()
    waited_since(parked, job, freed)


def test_a_begin_time_in_the_future_does_not_accrue(own_cluster):
    parked = parked_cluster(own_cluster)
    job = parked.sbatch("-t10", "--begin=now+1hour")
    wait_until(lambda: time.time() > parked.job(job).submit + 4, "four seconds of waiting")
    assert queue_seconds(parked, job) <= 2
    parked.update(job, "starttime=now")
    waited_since(parked, job, time.time())


def test_queue_time_survives_a_restart(own_cluster):
    """For a job whose queue time begins after its submit time: it was released a moment ago."""
    parked = parked_cluster(own_cluster)
    job = parked.sbatch("-t10", "-H")
    wait_until(lambda: time.time() > parked.job(job).submit + 5, "five seconds on hold")
    released = time.time()
    parked.scontrol("release", str(job))
    waited_since(parked, job, released)
    parked.restart()
    waited_since(parked, job, released)


# ---- running jobs ----

def test_requeue(own_cluster):
    cluster = own_cluster(CFG, CONF)
    job = cluster.sbatch("-t10", "--qos=high")
    cluster.wait_state(job, "RUNNING")
    cluster.wait_cycle()
    assert cluster.row(job).priority >= 600_000
    cluster.drain()
    cluster.update(job, "admincomment=seen")
    cluster.wait_cycle()
    cluster.scontrol("requeue", str(job))
    wait_until(lambda: cluster.job(job).state == "PENDING", "the job back in the queue")
    wait_until(lambda: cluster.job(job).fields["StartTime"] != "Unknown", "nodes released")
    cluster.update(job, "starttime=now")
    cluster.wait_cycle()
    row = cluster.row(job)
    assert row.priority == row.total == cluster.squeue()[job]
    assert row.assoc == 600_000, "its QOS is not forgotten"
    cluster.undrain()
    cluster.wait_state(job, "RUNNING")
    assert cluster.job(job).fields["Restarts"] == "1"


def test_suspend_and_resume(own_cluster):
    cluster = own_cluster(CFG, CONF)
    job = cluster.sbatch("-t10", "-n2")
    cluster.wait_state(job, "RUNNING")
    cluster.scontrol("suspend", str(job))
    cluster.wait_state(job, "SUSPENDED")
    cluster.wait_cycle()
    assert cluster.squeue()[job] == 0, "slurmctld itself takes the priority away"
    assert not cluster.sprio()
    cluster.scontrol("resume", str(job))
    cluster.wait_state(job, "RUNNING")
    cluster.wait_cycle()
    row = cluster.row(job)
    assert row.priority == row.total == cluster.squeue()[job] >= 100_000


def test_array_tasks_keep_stamp_and_qos(own_cluster):
    """Starting tasks are split off the array. They have its QOS, and its queue time since its
    release, which is later than its submission."""
    cluster = own_cluster(CFG, CONF)
    cluster.drain()
    array = cluster.sbatch("-t10", "-n4", "-H", "--array=1-4", "--qos=high", command="sleep 8")
    submit = cluster.job(array).submit
    cluster.update(array, "admincomment=seen")
    wait_until(lambda: time.time() > submit + 7, "seven seconds on hold")
    cluster.scontrol("release", str(array))
    released = time.time()
    wait_until(lambda: time.time() > released + 4, "four seconds of waiting")
    cluster.undrain()
    wait_until(lambda: len(cluster.squeue("-t", "R")) == 2, "two tasks run")
    started = time.time()
    cluster.wait_cycle()  # the tasks are known by themselves then, not by their array's rows

    def look():
        tasks = [job for job in cluster.jobs().values()
                 if job.array_id == array and not job.is_over]
        rows, squeue = {row.job: row for row in cluster.sprio()}, cluster.squeue()
        assert [task.state for task in tasks].count("RUNNING") == 2
        for task in tasks:
            row = rows[task.id]
            assert row.priority == row.total == squeue[task.id], row
            assert row.assoc == 600_000, "QOS high: %s" % row
            waited = (task.start if task.state == "RUNNING" else time.time()) - released
            assert waited - 2 <= row.age <= waited + 2, "stamp of the array: %s" % row
        return True
    wait_until(look, "rows of all tasks")
    assert time.time() - started < 30
    wait_until(lambda: not cluster.squeue(), "all tasks through", seconds=240)
    states = [job.state for job in cluster.jobs().values() if job.array_id == array]
    assert states == ["COMPLETED"] * 4, "all tasks ran"


def test_hold_of_one_task(own_cluster):
    parked = parked_cluster(own_cluster)
    array = parked.sbatch("-t10", "--array=1-3")
    parked.scontrol("hold", "%d_2" % array)
    parked.wait_cycle()
    rows = {row.job: row for row in parked.sprio()}
    held = [job for job in parked.jobs().values()
            if job.array_id == array and job.fields.get("ArrayTaskId") == "2"][0]
    assert held.priority == 0 and held.id not in rows
    others = [job for job in rows if job != held.id]
    assert others and all(rows[job].priority >= 100_000 for job in others)


def test_time_of_a_suspended_job_is_not_execution_time(own_cluster):
    cluster = own_cluster(CFG, CONF)
    cluster.reconfigure(CFG + "USAGEEXECUTIONTIMEWEIGHT 1\nQUEUETIMEWEIGHT 0")
    job = cluster.sbatch("-t10")
    cluster.wait_state(job, "RUNNING")
    cluster.scontrol("suspend", str(job))
    at = time.time()
    wait_until(lambda: time.time() > at + 5, "five seconds of suspension")
    cluster.scontrol("resume", str(job))
    cluster.wait_cycle()
    row, seen = cluster.row(job), cluster.job(job)
    assert seen.run_time <= time.time() - seen.start - 5
    assert abs(row.partition_column - seen.run_time) <= 3
    cluster.reconfigure(CFG)
