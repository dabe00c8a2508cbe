# SPDX-License-Identifier: GPL-2.0-or-later
"""Usage: charged to the second, to every credential, even if slurmctld restarts meanwhile.

Rules: FS-2, FS-10, FS-11.
"""

import os
import time

import pytest
from cluster import wait_until
from fairshare import charge, check_same, summed, windows, write_window
from oracle import Config, check_row
from starts import tally, tally_command

CFG = """
RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 0
USERWEIGHT 1
FSPOLICY DEDICATEDPS
FSINTERVAL 24:00:00
FSDEPTH 3
FSDECAY 0.5
FSWEIGHT 2
FSUSERWEIGHT 1000
FSGROUPWEIGHT 100
FSACCOUNTWEIGHT 10
FSQOSWEIGHT 1
FSCLASSWEIGHT 3
USERCFG[steve] PRIORITY=100000 FSTARGET=30
USERCFG[amy] PRIORITY=100000 FSTARGET=25+
USERCFG[bob] PRIORITY=100000 FSTARGET=25-
USERCFG[DEFAULT] FSTARGET=10
GROUPCFG[science] FSTARGET=50
ACCOUNTCFG[phys] FSTARGET=40
QOSCFG[high] FSTARGET=20
CLASSCFG[main] FSTARGET=90
"""
CONF = """
SchedulerParameters=sched_interval=1,bf_interval=1
NodeName=n[1-2] CPUs=16 CoresPerSocket=16 RealMemory=16000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=other Nodes=ALL MaxTime=INFINITE State=UP
"""
pytestmark = pytest.mark.together
PLAIN = "PriorityType=priority/multifactor\nJobSubmitPlugins=\n"


def elapsed(job):
    assert job.end and job.start, job
    return job.end - job.start


def qos_of(job):
    return job.admin_comment.partition("maui:qos=")[2] or None


def expected_usage(cluster, jobs):
    """proc-seconds that these ended jobs have used, by scontrol."""
    usage, total, seen = {}, 0, cluster.jobs()
    for job in (seen[job] for job in jobs):
        assert job.is_over, job
        charge(usage, job, job.procs * elapsed(job), qos_of(job))
        total += job.procs * elapsed(job)
    return usage, total


def stop_and_sum(cluster):
    """Usage on disk once slurmctld has charged all that is over, and has ended."""
    cluster.wait_cycle()
    cluster.stop()
    return summed(cluster.state)


def submit_mix(cluster, sleep=4, command=None):
    return [cluster.sbatch("-t5", "-n%d" % procs, *options, user=user,
                           command=command or "sleep %d" % sleep)
            for procs, user, options in (
                (1, "steve", ["-Aphys", "--qos=high"]), (2, "amy", ["-Aphys"]),
                (3, "bob", ["-Abio", "-pother"]), (5, "steve", []), (4, "john", ["--qos=high"]))]


def test_usage_is_procs_times_elapsed(own_cluster):
    cluster = own_cluster(CFG, CONF)
    jobs = submit_mix(cluster)
    cluster.wait_over(*jobs)
    expected, total = expected_usage(cluster, jobs)
    assert total >= 15 * 4 and len(expected) == 11
    got, got_total = stop_and_sum(cluster)
    check_same(got, expected)
    assert abs(got_total - total) < 0.01
    # each job has a user, a group and a class: these categories add up to the total
    for kind in ("user", "group", "class"):
        assert abs(sum(v for (k, _), v in got.items() if k == kind) - got_total) < 0.01


@pytest.mark.parametrize("kill,interval", [(False, "24:00:00"), (True, "24:00:00"), (True, "8")],
                         ids=["clean", "killed", "killed-after-a-partial-charge-was-saved"])
def test_restart_while_jobs_run(own_cluster, kill, interval):
    """A killed slurmctld has charged more than its files say: the last save was at the last window
    roll, or half a minute ago. The difference is charged again, once."""
    cluster = own_cluster(CFG.replace("24:00:00", interval).replace("DEPTH 3", "DEPTH 50"), CONF)
    jobs = submit_mix(cluster, sleep=22)
    began = [cluster.wait_state(job, "RUNNING").start for job in jobs]
    cluster.wait_jobs_saved(jobs[0])
    wait_until(lambda: time.time() > max(began) + 13, "time to charge")
    cluster.restart(kill=kill)
    cluster.wait_over(*jobs)
    expected, total = expected_usage(cluster, jobs)
    got, got_total = stop_and_sum(cluster)
    check_same(got, expected)
    assert abs(got_total - total) < 0.01


def test_reconfigure_while_jobs_run(own_cluster):
    """Jobs begin before and end after: Slurm may lose the message that a job is to begin or has
    ended while slurmctld starts again."""
    cluster = own_cluster(CFG, CONF)
    begun, gate = (os.path.join(cluster.base, name) for name in ("begun", "gate"))
    with open(begun, "w", encoding="ascii"):
        os.chmod(begun, 0o666)
    jobs = submit_mix(cluster, command="%s; until [ -e %s ]; do sleep 0.5; done" % (
        tally_command(begun), gate))
    wait_until(lambda: set(tally(begun)) == set(jobs), "all have begun")
    for _ in range(3):
        cluster.reconfigure()
    with open(gate, "w", encoding="ascii"):
        pass
    cluster.wait_over(*jobs)
    expected, _ = expected_usage(cluster, jobs)
    check_same(stop_and_sum(cluster)[0], expected)


def test_jobs_that_run_and_end_while_slurmctld_is_down(own_cluster):
    """The jobs are charged for that time, in the windows in which they ran."""
    cluster = own_cluster(CFG.replace("24:00:00", "4").replace("DEPTH 3", "DEPTH 50"), CONF)
    long = cluster.sbatch("-t5", "-n3", command="sleep 15")
    short = cluster.sbatch("-t5", "-n2", user="amy", command="sleep 4")
    for job in (long, short):
        cluster.wait_state(job, "RUNNING")
    cluster.wait_cycle()
    cluster.stop()
    at = time.time()
    wait_until(lambda: time.time() > at + 6, "six seconds without slurmctld")
    cluster.start()
    cluster.wait_over(long, short)
    expected, _ = expected_usage(cluster, [long, short])
    assert expected["user", "steve"] >= 3 * 15
    seen = cluster.job(long)
    check_same(stop_and_sum(cluster)[0], expected)
    for window in windows(cluster.state):
        overlap = min(seen.end, window.start + 4) - max(seen.start, window.start)
        assert window.by_kind("user").get("steve", 0) == 3 * max(0, overlap)


def test_first_start_charges_running_jobs_from_now_on(own_cluster):
    cluster = own_cluster(CFG, CONF + PLAIN)
    job = cluster.sbatch("-t5", "-n4", command="sleep 14")
    cluster.wait_state(job, "RUNNING")
    started = time.time()
    wait_until(lambda: time.time() > started + 5, "five seconds before the switch")
    cluster.edit_slurm_conf(PriorityType="priority/maui", JobSubmitPlugins="maui")
    cluster.stop()
    before = time.time()
    cluster.start()
    cluster.wait_cycle()
    after = time.time()
    cluster.wait_over(job)
    end = cluster.job(job).end
    got, total = stop_and_sum(cluster)
    assert 4 * (end - after - 1) <= total <= 4 * (end - before + 1)
    assert got["user", "steve"] == total


def test_requeued_job_is_charged_for_both_runs(own_cluster):
    cluster = own_cluster(CFG, CONF)
    job = cluster.sbatch("-t5", "-n6", command="sleep 5")
    cluster.wait_state(job, "RUNNING")
    first = cluster.job(job)
    wait_until(lambda: time.time() > first.start + 4, "four seconds of the first run")
    cluster.wait_cycle()
    cluster.scontrol("requeue", str(job))
    requeued = time.time()
    wait_until(lambda: cluster.job(job).state == "PENDING" and
               cluster.job(job).fields["StartTime"] != "Unknown", "the job back in the queue")
    cluster.update(job, "starttime=now")
    cluster.wait_over(job)
    second = cluster.job(job)
    assert second.fields["Restarts"] == "1" and second.start > first.start
    _, total = stop_and_sum(cluster)
    both = 6 * (requeued - first.start + elapsed(second))
    # the end of the first run is lost with its record: a poll, and the second it began in
    assert both - 6 * 3 <= total <= both + 6, (total, both)


def test_array_tasks(own_cluster):
    cluster = own_cluster(CFG, CONF)
    array = cluster.sbatch("-t5", "-n8", "--array=1-7", "-Aphys", "--qos=high", command="sleep 2")
    wait_until(lambda: not cluster.squeue(), "all tasks through", seconds=240)
    tasks = [job.id for job in cluster.jobs().values() if job.array_id == array]
    assert len(tasks) == 7
    expected, total = expected_usage(cluster, tasks)
    assert expected["qos", "high"] == expected["acct", "phys"] == total
    check_same(stop_and_sum(cluster)[0], expected)


def test_suspended_time_is_not_charged(own_cluster):
    cluster = own_cluster(CFG, CONF)
    job = cluster.sbatch("-t5", "-n4", command="sleep 4")
    cluster.wait_state(job, "RUNNING")
    cluster.wait_cycle()
    cluster.scontrol("suspend", str(job))
    at = time.time()
    wait_until(lambda: time.time() > at + 6, "six seconds of suspension")
    cluster.scontrol("resume", str(job))
    cluster.wait_over(job)
    seen = cluster.job(job)
    assert elapsed(seen) >= seen.run_time + 5
    _, total = stop_and_sum(cluster)
    assert abs(total - 4 * seen.run_time) <= 4, (total, seen.run_time)


def test_resized_job(own_cluster):
    """A running job gives a node back: from the poll that sees it, it is charged for the rest."""
    cluster = own_cluster(CFG, CONF)
    job = cluster.sbatch("-t5", "-N2", "-n32", command="sleep 12")
    before = cluster.wait_state(job, "RUNNING")
    assert before.procs == 32
    wait_until(lambda: time.time() > before.start + 5, "five seconds on two nodes")
    cluster.update(job, "numnodes=1")
    changed = time.time()
    cluster.wait_over(job)
    after = cluster.job(job)
    assert after.procs == 16
    _, total = stop_and_sum(cluster)
    exact = 32 * (changed - before.start) + 16 * (after.end - changed)
    assert abs(total - exact) <= 16 * 3, (total, exact)


def test_no_policy_no_usage(own_cluster):
    """FSPOLICY NONE tracks nothing, and nothing of it is charged later when tracking begins."""
    cluster = own_cluster(CFG, CONF)
    cluster.reconfigure(CFG.replace("DEDICATEDPS", "NONE"))
    before = cluster.sbatch("-t5", "-n4", "-Abio", command="sleep 2")
    over = cluster.sbatch("-t5", "-n2", "-Aphys", command="sleep 12")
    cluster.wait_over(before)
    cluster.wait_cycle()
    began = time.time()
    cluster.reconfigure(CFG)
    cluster.wait_over(over)
    end = cluster.job(over).end
    got, total = stop_and_sum(cluster)
    assert ("acct", "bio") not in got
    assert 2 * (end - began - 3) <= total <= 2 * (end - began + 2)


def test_dedicatedpes(own_cluster):
    """Half of a node's memory is eight processors' worth."""
    cluster = own_cluster(CFG, CONF)
    cluster.reconfigure(CFG.replace("DEDICATEDPS", "DEDICATEDPES"))
    job = cluster.sbatch("-t5", "-n1", "--mem=8000", command="sleep 4")
    cluster.wait_over(job)
    seen = cluster.job(job)
    _, total = stop_and_sum(cluster)
    assert abs(total - 32 * 8000 / 32000 * elapsed(seen)) < 0.01


# ---- windows ----

def test_window_roll(own_cluster):
    """With windows of a dozen seconds, each file has the usage of its own seconds."""
    cluster = own_cluster(CFG, CONF)
    cluster.reconfigure(CFG.replace("24:00:00", "12").replace("FSDEPTH 3", "FSDEPTH 20"))
    job = cluster.sbatch("-t5", "-n5", "-Aphys", command="sleep 27")
    cluster.wait_over(job)
    seen = cluster.job(job)
    # a roll writes the window that ended, no stop is needed for that
    ended = seen.start - seen.start % 12
    assert os.path.exists(os.path.join(cluster.state, "FS.%d" % ended))
    stop_and_sum(cluster)
    found = windows(cluster.state)
    starts = range(ended, seen.end, 12)
    assert [window.start for window in found if window.usage] == list(starts)
    assert len(starts) >= 3
    for window in found:
        overlap = min(seen.end, window.start + 12) - max(seen.start, window.start)
        assert window.duration == 12
        assert abs(window.total - 5 * max(0, overlap)) < 0.01, window.path
        assert window.by_kind("user") == window.by_kind("group") | {"steve": window.total} \
            or window.by_kind("group") == {"science": window.total}


def test_old_windows_age_out(own_cluster):
    """FSDEPTH windows count; with the last of them the usage is gone from the priority."""
    cluster = own_cluster(CFG, CONF)
    text = CFG.replace("24:00:00", "4").replace("FSDEPTH 3", "FSDEPTH 2")
    cluster.reconfigure(text)
    job = cluster.sbatch("-t5", "-n5", command="sleep 2")
    cluster.wait_over(job)
    cluster.drain()
    waiting = cluster.sbatch("-t5", "-n1")
    wait_until(lambda: cluster.row(waiting).fairshare != 0, "usage that counts")
    wait_until(lambda: cluster.row(waiting).fairshare == 0, "usage that no longer does")
    last = max(window.start for window in windows(cluster.state) if window.usage)
    assert time.time() >= last + 8


def test_change_of_fsinterval(own_cluster):
    """What was used under the old FSINTERVAL keeps counting, and stays in its files. The new one
    does not divide a day: of two windows that begin together the longer goes on alone."""
    cluster = own_cluster(CFG, CONF)
    job = cluster.sbatch("-t5", "-n5", "-Aphys", command="sleep 3")
    cluster.wait_over(job)
    cluster.drain()
    waiting = cluster.sbatch("-t5", "-n1", "-Aphys")
    wait_until(lambda: cluster.row(waiting).fairshare != 0, "usage that counts")
    before = cluster.row(waiting).fairshare
    cluster.reconfigure(CFG.replace("24:00:00", "0:59:59"))
    cluster.wait_cycle()
    assert cluster.row(waiting).fairshare == before
    cluster.undrain()
    cluster.wait_state(waiting, "RUNNING")
    cluster.wait_cycle()
    cluster.run("scancel", str(waiting))
    cluster.wait_over(waiting)
    expected, _ = expected_usage(cluster, [job, waiting])
    check_same(stop_and_sum(cluster)[0], expected)
    assert {window.duration for window in windows(cluster.state) if window.usage} == {3599, 86400}


# ---- files of Maui ----

@pytest.mark.parametrize("form", ["sched", "TOTAL", "both"])
def test_files_of_maui_are_read(own_cluster, form):
    """FS files that are copied before the first start count window by window, with decay."""
    cluster = own_cluster(CFG, CONF + PLAIN)
    cluster.drain()
    now = int(time.time())
    start = now - now % 86400
    totals = [1000.0, 500.0, 400.0]
    used = {  # newest window first
        ("user", "steve"): [600, 100, 0], ("User", "amy"): [100, 0, 300],
        ("user", "bob"): [300, 400, 100], ("group", "science"): [600, 100, 0],
        ("Account", "phys"): [700, 500, 400], ("qos", "high"): [0, 250, 100],
        ("CLASS", "main"): [1000, 500, 300]}
    for age, total in enumerate(totals):
        usage = {key: values[age] for key, values in used.items() if values[age]}
        write_window(cluster.state, start - age * 86400, 86400, usage, total, form)
    write_window(cluster.state, start - 9 * 86400, 86400, {("user", "steve"): 9e9}, 9e9, form)
    cluster.edit_slurm_conf(PriorityType="priority/maui", JobSubmitPlugins="maui")
    cluster.restart()

    def decayed(values, day):
        return sum(value * 0.5 ** (age + day) for age, value in enumerate(values) if age + day < 3)

    def percents(user, now):
        day = (now - start) // 86400  # midnight may pass
        total = decayed(totals, day)
        credentials = {"user": (user, "User" if user == "amy" else "user"),
                       "group": ("science", "group"), "account": ("phys", "Account"),
                       "qos": ("high", "qos"), "class": ("main", "CLASS")}
        return {kind: 100 * decayed(used.get((word, name), [0, 0, 0]), day) / total
                for kind, (name, word) in credentials.items()}

    jobs = {user: cluster.sbatch("-t5", "-Aphys", "--qos=high", user=user, command="sleep 1")
            for user in ("steve", "amy", "bob", "john")}
    config, facts = Config(CFG), cluster.totals()

    def look():
        rows, now = {row.job: row for row in cluster.sprio()}, int(time.time())
        seen = cluster.jobs()
        for user, job in jobs.items():
            check_row(rows[job], config, seen[job], facts, now, qos="high",
                      percents=percents(user, now))
        return rows
    rows = wait_until(look, "the oracle's fairshare")
    assert len({rows[job].fairshare for job in jobs.values()}) == 4
    assert "error: slurm-maui" not in cluster.log_since()
    # what is used now is added to the window of now, which is written in both forms
    cluster.undrain()
    cluster.wait_over(*jobs.values())
    expected, more = expected_usage(cluster, jobs.values())
    cluster.wait_cycle()
    cluster.stop()
    news = [window for window in windows(cluster.state) if window.start >= start]
    assert sum(window.total for window in news) == 1000 + more
    usage = {}
    for window in news:
        for key, value in window.usage.items():
            usage[key] = usage.get(key, 0) + value
    assert usage["user", "steve"] == 600 + expected["user", "steve"]
    assert usage["user", "amy"] == 100 + expected["user", "amy"]
    assert usage["acct", "phys"] == 700 + expected["acct", "phys"]
    assert usage["class", "main"] == 1000 + expected["class", "main"]
