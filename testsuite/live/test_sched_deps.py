# SPDX-License-Identifier: GPL-2.0-or-later
"""What Slurm decides about waiting jobs is still decided under sched/maui: dependencies, begin
times, deadlines, arrays, requeue, holds.

Rules: BF-17.
"""

import os
import re
import time

import pytest
from cluster import SLURM, wait_until
from starts import (CFG, CONF, reason, running, stays_pending, tasks_of, wait_iterations,
                   wait_reason, write_script)


@pytest.fixture(scope="module")
def whole(clusters):
    return clusters(CFG, CONF, nodes=4)


def over(cluster, job):
    cluster.wait_over(job)
    return cluster.job(job)


# ---- dependencies ----

@pytest.mark.parametrize("kind,command,allowed", [
    ("afterok", "true", True), ("afterok", "false", False),
    ("afternotok", "false", True), ("afternotok", "true", False),
    ("afterany", "false", True)])
def test_after_the_end(cluster, kind, command, allowed):
    block = cluster.sbatch("-t5", "-n16")
    running(cluster, block)
    first = cluster.sbatch("-t1", command=command)
    second = cluster.sbatch("-t1", "--dependency=%s:%d" % (kind, first), command="true")
    wait_reason(cluster, second, "^Dependency$")
    cluster.run("scancel", str(block))
    begin = over(cluster, first).end
    if allowed:
        done = over(cluster, second)
        assert done.state == "COMPLETED" and done.start >= begin
    else:
        wait_reason(cluster, second, "^DependencyNeverSatisfied$")


def test_after_the_start(cluster):
    block = cluster.sbatch("-t5", "-n16")
    running(cluster, block)
    first = cluster.sbatch("-t1")
    second = cluster.sbatch("-t1", "--dependency=after:%d" % first)
    stays_pending(cluster, second)
    cluster.run("scancel", str(block))
    running(cluster, first, second)
    assert cluster.job(second).start >= cluster.job(first).start


def test_aftercorr(cluster):
    """Each task waits for the same one of the other array; the second of these fails."""
    command = "test $SLURM_ARRAY_TASK_ID != 2"
    first = cluster.sbatch("-t1", "-H", "--array=1-3", command=command)
    second = cluster.sbatch("-t1", "--array=1-3", "--dependency=aftercorr:%d" % first,
                            command="true")
    cluster.scontrol("release", str(first))

    def look():
        states = {job.fields["ArrayTaskId"]: (job.state, job.reason)
                  for job in tasks_of(cluster, second)}
        assert [states.get(task, ("",))[0] for task in "13"] == ["COMPLETED"] * 2, states
        assert states.get("2") == ("PENDING", "DependencyNeverSatisfied"), states
        return True
    wait_until(look, "tasks 1 and 3 through, 2 never satisfied")


def test_singleton(cluster):
    jobs = [cluster.sbatch("-t1", "--job-name=one", "--dependency=singleton", command="sleep 1")
            for _ in range(3)]
    other = cluster.sbatch("-t1", "--job-name=one", "--dependency=singleton", user="amy")
    hold = cluster.sbatch("-t1", "--job-name=one", "--dependency=singleton,after:%d+1" % jobs[0])
    wait_until(lambda: "singleton" in cluster.run("maui", "why", str(hold)).stdout,
               "maui why names the dependency")
    cluster.run("scancel", str(hold))
    running(cluster, other)
    cluster.wait_over(*jobs)
    seen = sorted((cluster.job(job) for job in jobs), key=lambda job: job.start)
    assert all(job.state == "COMPLETED" for job in seen)
    assert all(late.start >= early.end for early, late in zip(seen, seen[1:])), "one at a time"


def test_several_dependencies(cluster):
    """All of them, or with ? any of them."""
    jobs = [cluster.sbatch("-t5") for _ in range(2)]
    running(cluster, *jobs)
    both = cluster.sbatch("-t1", "--dependency=afterany:%d,afterany:%d" % tuple(jobs))
    either = cluster.sbatch("-t1", "--dependency=afterany:%d?afterany:%d" % tuple(jobs))
    cluster.run("scancel", str(jobs[0]))
    running(cluster, either)
    assert cluster.job(both).state == "PENDING"
    cluster.run("scancel", str(jobs[1]))
    running(cluster, both)


def test_never_satisfied_can_kill(cluster):
    """When the job says so, or DependencyParameters."""
    first = cluster.sbatch("-t1", command="false")
    cluster.wait_over(first)
    after = "--dependency=afterok:%d" % first
    kept = cluster.sbatch("-t1", after)
    wait_reason(cluster, kept, "^DependencyNeverSatisfied$")
    doomed = cluster.sbatch("-t1", "--kill-on-invalid-dep=yes", after)
    assert over(cluster, doomed).state == "CANCELLED"
    cluster.edit_slurm_conf(DependencyParameters="kill_invalid_depend")
    try:
        cluster.reconfigure()
        spared = cluster.sbatch("-t1", "--kill-on-invalid-dep=no", after)
        doomed = cluster.sbatch("-t1", after)
        assert over(cluster, doomed).state == "CANCELLED"
        wait_reason(cluster, spared, "^DependencyNeverSatisfied$")
    finally:
        cluster.edit_slurm_conf(DependencyParameters=None)
        cluster.reconfigure()


def test_a_dependency_taken_away(cluster):
    first = cluster.sbatch("-t5")
    second = cluster.sbatch("-t1", "--dependency=afterok:%d" % first)
    wait_reason(cluster, second, "^Dependency$")
    cluster.update(second, "dependency=")
    running(cluster, second)


# ---- times ----

def test_begin(cluster):
    job = cluster.sbatch("-t1", "--begin=now+4seconds", command="true")
    begin = cluster.job(job).start
    wait_reason(cluster, job, "^BeginTime$")
    done = over(cluster, job)
    assert done.state == "COMPLETED" and done.start >= begin
    later = cluster.sbatch("-t1", "--begin=now+1hour")
    wait_reason(cluster, later, "^BeginTime$")
    cluster.update(later, "starttime=now")
    running(cluster, later)


def test_deadline(cluster):
    """A job that can no longer end in time does not start, but ends with that state."""
    block = cluster.sbatch("-t5", "-n16")
    running(cluster, block)
    late = cluster.sbatch("-t1", "-n1", "--deadline=now+65seconds")
    early = cluster.sbatch("-t1", "-n1", "--deadline=now+10minutes", command="true")
    wait_until(lambda: cluster.job(late).state == "DEADLINE", "state DEADLINE")
    cluster.run("scancel", str(block))
    assert over(cluster, early).state == "COMPLETED"


# ---- arrays, requeue, hold ----

def test_the_limit_of_an_array_can_change(cluster):
    array = cluster.sbatch("-t5", "--array=1-4%1")
    wait_until(lambda: len(cluster.squeue("-t", "R")) == 1, "one task runs")
    wait_iterations(cluster)
    assert len(cluster.squeue("-t", "R")) == 1
    wait_until(lambda: reason(cluster, "%d_4" % array) == "JobArrayTaskLimit", "its reason")
    cluster.update(array, "arraytaskthrottle=3")
    wait_until(lambda: len(cluster.squeue("-t", "R")) == 3, "three tasks run")
    cluster.run("scancel", "%d_1" % array)
    wait_until(lambda: len(cluster.squeue()) == len(cluster.squeue("-t", "R")) == 3,
               "the fourth runs")


def test_dependencies_on_an_array(cluster):
    array = cluster.sbatch("-t1", "--array=1-3", command="sleep 1")
    job = cluster.sbatch("-t1", "--dependency=afterok:%d" % array, command="true")
    done = over(cluster, job)
    assert done.state == "COMPLETED"
    assert done.start >= max(task.end for task in tasks_of(cluster, array))


def test_requeue(cluster):
    job = cluster.sbatch("-t5", "-n1")
    running(cluster, job)
    start = cluster.job(job).start
    cluster.scontrol("requeue", str(job))
    wait_until(lambda: cluster.job(job).state == "PENDING", "the job back in the queue")
    cluster.wait_log(r"Requeuing JobId=%d" % job)  # until then slurmctld may set its begin time
    # slurmd takes no job under an id that it killed within the same second
    cluster.update(job, "starttime=now+2")
    again = running(cluster, job)[0]
    assert again.fields["Restarts"] == "1" and again.start > start
    cluster.scontrol("requeuehold", str(job))
    wait_until(lambda: re.search("[Hh]eld", reason(cluster, job)), "held in the queue")
    stays_pending(cluster, job)


@pytest.mark.skipif(SLURM < (25, 11), reason="no --requeue=expedite")
def test_an_expedited_requeue_goes_first(own_cluster):
    """A job failed, and the epilog finds that its nodes are broken: it goes ahead of all others."""
    cluster = own_cluster(CFG, CONF + "SlurmctldParameters=enable_expedited_requeue\n", nodes=4,
                          up=False)
    broken = os.path.join(cluster.base, "broken")
    epilog = write_script(cluster, "epilog", "[ ! -e %s ]" % broken)
    cluster.texts["slurm.conf"] += "Epilog=%s\n" % epilog
    cluster.up()
    open(broken, "w", encoding="ascii").close()
    job = cluster.sbatch("-t5", "-N2", "--exclusive", "--requeue=expedite",
                         command='[ -n "$SLURM_RESTART_COUNT" ] || { sleep 5; exit 1; }; sleep 300')
    filler = cluster.sbatch("-t5", "-N2", "--exclusive")
    running(cluster, job, filler)
    other = cluster.sbatch("-t5", "-N2", "--exclusive")
    cluster.update(other, "priority=1000000")
    wait_until(lambda: cluster.job(job).fields["Restarts"] == "1", "requeued")
    os.unlink(broken)
    stays_pending(cluster, other)
    cluster.run("scancel", str(filler))
    running(cluster, job)
    stays_pending(cluster, other)


def test_hold_and_release(cluster):
    held, other = cluster.sbatch("-t5", "-H"), cluster.sbatch("-t5")
    running(cluster, other)
    wait_reason(cluster, held, "^JobHeldUser$")
    stays_pending(cluster, held)
    released = time.time()
    cluster.scontrol("release", str(held))
    assert running(cluster, held)[0].start >= int(released)


def test_one_task_on_hold(cluster):
    array = cluster.sbatch("-t1", "-H", "--array=1-3", command="true")
    cluster.scontrol("release", "%d_1" % array)
    cluster.scontrol("release", "%d_3" % array)

    def look():
        states = {job.fields["ArrayTaskId"]: job.state for job in tasks_of(cluster, array)}
        assert states == {"1": "COMPLETED", "2": "PENDING", "3": "COMPLETED"}, states
        return True
    wait_until(look, "tasks 1 and 3 through")
    cluster.scontrol("release", "%d_2" % array)
    wait_until(lambda: not cluster.squeue(), "task 2 through")


def test_suspended_jobs_keep_their_nodes(cluster):
    """Suspended jobs keep their memory: a job that fits next to it starts, another waits."""
    job = cluster.sbatch("-t5", "-n4", "-N1", "-w", "n1", "--mem=3000")
    running(cluster, job)
    cluster.scontrol("suspend", str(job))
    cluster.wait_state(job, "SUSPENDED")
    large = cluster.sbatch("-t5", "-n1", "-w", "n1", "--mem=2000")
    wait_reason(cluster, large, "^Resources")
    cluster.scontrol("resume", str(job))
    running(cluster, job)
    cluster.run("scancel", str(job))
    running(cluster, large)
