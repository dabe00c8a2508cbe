# SPDX-License-Identifier: GPL-2.0-or-later
"""sched/maui starts the jobs, and nothing else does.

Rules: CMD-6, CMD-12.
"""

import random
import re
import statistics
import subprocess
import time

import pytest
from cluster import wait_until
from starts import CFG, CONF, iterations, running, stays_pending, tasks_of, wait_iterations

# Rare iterations by the clock: what starts here is started by events.
SLOW = CFG.replace("RMPOLLINTERVAL 1", "RMPOLLINTERVAL 00:00:30")


@pytest.fixture(scope="module")
def shared(clusters):
    return clusters(SLOW, CONF, nodes=4)


@pytest.fixture(autouse=True)
def empty_afterwards(request):
    yield
    if "shared" in request.fixturenames:
        request.getfixturevalue("shared").cancel_all()


def config(cluster, key):
    """A line of `scontrol show config`."""
    text = cluster.scontrol("show", "config").stdout
    return re.search(r"^%s\s+= (.*)$" % key, text, re.M).group(1)


def started_at(cluster, jobs):
    return [cluster.job(job).start for job in jobs]


# ---- who starts ----

def test_slurms_own_schedulers_are_off(shared):
    assert config(shared, "SchedulerType") == "sched/maui"
    assert "defer" in config(shared, "SchedulerParameters").split(",")
    assert len(re.findall(r"slurm-maui: .*\bdefer\b", shared.log_since())) >= 1, "said in the log"
    shared.reconfigure()
    assert config(shared, "SchedulerParameters").split(",").count("defer") == 1
    job = shared.sbatch("-t1", command="true")
    shared.wait_over(job)


@pytest.mark.parametrize("how", ["sbatch", "srun", "salloc"])
def test_each_kind_of_job_starts(shared, how):
    if how == "sbatch":
        job = shared.sbatch("-t1", "-n2", command="true")
        shared.wait_over(job)
        assert shared.job(job).state == "COMPLETED"
        return
    command = ["srun", "-t1", "-n2", "hostname"] if how == "srun" else \
        ["salloc", "-t1", "-n2", "srun", "hostname"]
    done = shared.run(*command, user="steve")
    assert len(done.stdout.split()) == 2, done


def test_queued_srun_and_salloc_start_later(shared):
    """When their turn comes, not only at once."""
    block = shared.sbatch("-t5", "-N4", "--exclusive")
    running(shared, block)
    waiting = [subprocess.Popen(command, env=shared.inside, cwd="/tmp", text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL)
               for command in (["srun", "-t1", "-n2", "hostname"],
                               ["salloc", "-t1", "-n1", "echo", "got it"])]
    wait_until(lambda: len(shared.squeue("-t", "PD")) == 2, "both in the queue")
    shared.run("scancel", str(block))
    texts = [process.communicate(timeout=180)[0] for process in waiting]
    assert [process.returncode for process in waiting] == [0, 0]
    assert len(texts[0].split()) == 2 and texts[1].strip() == "got it"


def test_many_jobs_start_in_one_cycle(shared):
    """A machine full of jobs that came while nothing could start: all start together."""
    block = shared.sbatch("-t5", "-N4", "--exclusive")
    running(shared, block)
    jobs = [shared.sbatch("-t1", "-n1") for _ in range(16)]
    shared.run("scancel", str(block))
    running(shared, *jobs)
    times = started_at(shared, jobs)
    assert max(times) - min(times) <= 2, times


def test_all_tasks_of_an_array_start_in_one_cycle(shared):
    array = shared.sbatch("-t1", "-n1", "--array=1-12")
    wait_until(lambda: [job.state for job in tasks_of(shared, array)] == ["RUNNING"] * 12,
               "twelve tasks run")
    times = [job.start for job in tasks_of(shared, array)]
    assert max(times) - min(times) <= 2, times
    tasks = sorted(int(job.fields["ArrayTaskId"]) for job in tasks_of(shared, array))
    assert tasks == list(range(1, 13))


def test_an_array_keeps_to_its_own_limit(shared):
    """--array=1-6%2: never more than two at once, and two at once."""
    array = shared.sbatch("-t1", "-n1", "--array=1-6%2", command="sleep 1")
    most = 0

    def look():
        nonlocal most
        tasks = tasks_of(shared, array)
        most = max(most, len([job for job in tasks if job.state == "RUNNING"]))
        assert most <= 2, tasks
        return len(tasks) == 6 and all(job.state == "COMPLETED" for job in tasks)
    end = time.monotonic() + 60
    while not look():
        assert time.monotonic() < end, tasks_of(shared, array)
    assert most == 2
    spans = sorted((job.start, job.end) for job in tasks_of(shared, array))
    for start, _ in spans:
        assert len([1 for begin, end in spans if begin <= start < end]) <= 2


def test_a_fitting_srun_starts_within_200_ms(shared):
    """From its submit to its start in slurmctld's log, on an idle machine, half of twenty."""
    wait_until(lambda: not shared.squeue(), "an idle machine")
    mark = shared.log_size()
    for _ in range(20):
        shared.run("srun", "-t1", "-n1", "true", user="steve")
    waits = list(start_delays(shared.log_since(mark)))
    assert len(waits) == 20, "submits and starts of all in the log"
    print("srun on an idle machine: median of 20 starts %.0f ms after submit, longest %.0f ms" %
          (1000 * statistics.median(waits), 1000 * max(waits)))
    assert statistics.median(waits) <= 0.200, sorted(waits)


def start_delays(log):
    """Seconds from submit to start of each job that has both in the log."""
    stamp = r"^\[\d+-\d+-\d+T(\d+):(\d+):(\d+\.\d+)\]"
    seen = {}
    for line in log.splitlines():
        at = re.match(stamp, line)
        job = re.search(r"JobId=(\d+)", line)
        if not at or not job:
            continue
        hours, minutes, seconds = at.groups()
        now = int(hours) * 3600 + int(minutes) * 60 + float(seconds)
        if "_slurm_rpc_allocate_resources" in line:
            seen[job.group(1)] = now
        elif re.search(r"slurm-maui: (started|backfilled) ", line) and job.group(1) in seen:
            yield (now - seen.pop(job.group(1))) % 86400


def test_the_end_of_a_job_is_an_event(shared):
    """The next job starts long before the next iteration by the clock."""
    block = shared.sbatch("-t5", "-N4", "--exclusive")
    running(shared, block)
    job = shared.sbatch("-t5", "-N4", "--exclusive")
    wait_iterations(shared, 1)
    shared.run("scancel", str(block))
    shared.wait_state(job, "RUNNING")
    assert shared.job(job).start - shared.job(block).end <= 8, "its nodes are free by then"


# ---- between plan and apply ----

def test_changes_while_jobs_start(shared):
    """Cancelled, held and updated at the very moment: nobody starts who was held or cancelled
    before, nobody is lost."""
    dice = random.Random(4711)
    fates = {}
    block = shared.sbatch("-t5", "-N4", "--exclusive")
    running(shared, block)
    for _ in range(24):
        job = shared.sbatch("-t1", "-n1", command="true")
        fates[job] = dice.choice(["cancel", "hold", "update", "nothing"])
    shared.scontrol("hold", *[str(job) for job, fate in fates.items() if fate == "hold"][:2])
    early = [job for job, fate in fates.items() if fate == "hold"][:2]
    shared.run("scancel", str(block))
    commands = {"cancel": lambda job: shared.run("scancel", str(job), check=False),
                "hold": lambda job: shared.scontrol("hold", str(job), check=False),
                "update": lambda job: shared.update(job, "timelimit=2", "numcpus=2", check=False)}
    for job, fate in fates.items():
        if fate in commands:
            commands[fate](job)

    def look():
        left = [job for job in fates if not shared.job(job).is_over]
        held = [job for job in left if shared.job(job).priority == 0]
        assert left == held, [shared.job(job) for job in left]
        return True
    wait_until(look, "all through but those on hold")
    for job, fate in fates.items():
        seen = shared.job(job)
        allowed = {"cancel": ("CANCELLED", "COMPLETED"), "hold": ("PENDING", "COMPLETED")}
        assert seen.state in allowed.get(fate, ("COMPLETED",)), (fate, seen)
    assert all(shared.job(job).state == "PENDING" for job in early)
    shared.scontrol("release", *[str(job) for job in fates if not shared.job(job).is_over])
    shared.wait_over(*fates)


# ---- SERVERMODE TEST ----

def test_servermode_test_starts_nothing(own_cluster):
    """The log says what would start; no other event in slurmctld starts a job either."""
    cluster = own_cluster(CFG + "SERVERMODE TEST\n", CONF, nodes=4)
    jobs = [cluster.sbatch("-t5", "-n2") for _ in range(3)]
    jobs.append(cluster.sbatch("-t5", "-n1", "--array=1-3"))
    srun = subprocess.Popen(["srun", "-t5", "true"], env=cluster.inside, cwd="/tmp",
                            stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: len(cluster.squeue("-t", "PD")) == 5, "all in the queue")
    cluster.wait_log(r"slurm-maui: .*would .*start.*JobId=%d\b" % jobs[0])
    # what makes Slurm's own scheduler run
    cluster.drain()
    cluster.undrain()
    cluster.scontrol("update", "partitionname=main", "state=down")
    cluster.scontrol("update", "partitionname=main", "state=up")
    cluster.run("scancel", str(jobs[1]))
    cluster.update(jobs[2], "timelimit=3")
    cluster.reconfigure()
    wait_iterations(cluster)
    assert not cluster.squeue("-t", "R")
    assert {job.state for job in cluster.jobs().values()} == {"PENDING", "CANCELLED"}
    cluster.reconfigure(CFG + "SERVERMODE NORMAL\n")
    running(cluster, jobs[0], jobs[2])
    assert srun.wait(timeout=180) == 0
    cluster.reconfigure(CFG + "SERVERMODE TEST\n")
    late = cluster.sbatch("-t5", "-n1")
    stays_pending(cluster, late)
    assert iterations(cluster) > 0


# ---- refused at load ----

@pytest.mark.parametrize("line,word", [
    ("SchedulerParameters=defer_batch", "defer_batch"),
    ("FederationParameters=fed_display", "[Ff]ederation")])
def test_refused_at_load(own_cluster, line, word):
    cluster = own_cluster(CFG, CONF + line + "\n", up=False)
    said = cluster.up(check=False)
    # slurmctld tries twice to load a plugin that does not want to
    lines = {text.split("] ")[-1] for text in said.splitlines() if "slurm-maui" in text}
    assert len(lines) == 1 and re.search(r"error: .*" + word, lines.pop()), said
    assert not cluster.daemon_pid()


def test_defer_batch_on_reconfigure_is_an_error(own_cluster):
    """The error does not end slurmctld, and the same slurmctld starts jobs as before."""
    cluster = own_cluster(CFG, CONF, nodes=4)
    pid, mark = cluster.daemon_pid(), cluster.log_size()
    cluster.edit_slurm_conf(SchedulerParameters="defer_batch")
    cluster.reconfigure()
    assert re.search(r"error: .*slurm-maui: .*defer_batch", cluster.log_since(mark))
    words = config(cluster, "SchedulerParameters").split(",")
    assert "defer" in words
    assert cluster.daemon_pid() == pid
    cluster.run("srun", "-t1", "true", user="steve")
