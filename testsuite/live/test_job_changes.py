# SPDX-License-Identifier: GPL-2.0-or-later
"""setspri, sethold, releasehold, canceljob and runjob on a real cluster.

Rules: CMD-45, CMD-47, CMD-52.
"""

import json
import re

import pytest
from cluster import wait_until
from reservations import ask, install, refused

CFG = """
RMPOLLINTERVAL 2
ADMIN1 root
ADMIN2 amy
ADMIN3 bob
QUEUETIMEWEIGHT 1
USERCFG[bob] MAXJOB=1
SRCFG[course] HOSTLIST=n4 PERIOD=INFINITY USERLIST=john
"""
CONF = """
SchedulerType=sched/maui
NodeName=n[1-4] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


@pytest.fixture(scope="module")
def shared(clusters):
    return install(clusters(CFG, CONF, nodes=4))


@pytest.fixture
def cluster(shared):
    yield shared
    shared.cancel_all()


def fill(cluster, nodes=3):
    """Fills the nodes that everybody may use."""
    job = cluster.sbatch("-t30", "-N%d" % nodes, "--exclusive", user="steve")
    cluster.wait_state(job, "RUNNING")
    return job


def reason(cluster, job):
    return cluster.run("squeue", "-h", "-j", str(job), "-o", "%r").stdout.strip()


def of_tasks(cluster, array, field):
    """{task: field} of squeue."""
    lines = cluster.run("squeue", "-h", "-r", "-j", str(array), "-o", "%K " + field).stdout.splitlines()
    return dict(line.split(None, 1) for line in lines)


def priorities_of(cluster, array):
    return {task: int(priority) for task, priority in of_tasks(cluster, array, "%Q").items()}


def held(cluster, array):
    """The tasks that are held."""
    return sorted(task for task, why in of_tasks(cluster, array, "%r").items() if why.startswith("JobHeld"))


def records(cluster, array):
    """The tasks of each record."""
    return sorted(re.findall(r"ArrayTaskId=(\S+)", cluster.run("scontrol", "show", "job", str(array)).stdout))


def test_a_system_priority_is_above_all_and_outlives_a_restart(cluster):
    fill(cluster)
    first = cluster.sbatch("-t5", "-N3", "--exclusive")
    last = cluster.sbatch("-t5", "-N3", "--exclusive", user="amy")
    said = ask(cluster, "setspri", "7", str(last), user="amy").stdout
    assert said == "system priority of job %d adjusted\n" % last
    wait_until(lambda: cluster.job(last).priority == 1000000007, "squeue has it")
    assert cluster.job(first).priority < 1000
    cluster.wait_saved()
    cluster.restart()
    wait_until(lambda: not re.search(r"[*u]", cluster.run("sinfo", "-h", "-N", "-o", "%t").stdout),
               "all nodes have registered")
    wait_until(lambda: ask(cluster, "showq", check=False).returncode == 0, "it answers again")
    wait_until(lambda: cluster.job(last).priority == 1000000007, "squeue has it again")
    assert "system" in ask(cluster, "diagnose", "-p").stdout.lower()
    ask(cluster, "setspri", "0", str(last))
    wait_until(lambda: cluster.job(last).priority < 1000, "it is cleared")
    ask(cluster, "setspri", "-r", "5000", str(first), str(last))
    for job in (first, last):
        wait_until(lambda: 5000 <= cluster.job(job).priority < 6000, "it is added")
    ask(cluster, "setspri", "-r", "-3000", str(first))
    wait_until(lambda: cluster.job(first).priority < 10, "it is taken away")


def test_tasks_of_an_array_have_the_priority_of_the_array(cluster):
    fill(cluster)
    array = cluster.sbatch("-t5", "-N3", "--exclusive", "--array=1-3")
    ask(cluster, "setspri", "9", str(array))
    wait_until(lambda: cluster.job(array).priority == 1000000009, "squeue has it")
    ask(cluster, "setspri", "5", "%d_2" % array)
    wait_until(lambda: priorities_of(cluster, array) == {"2": 1000000005, "1": 1000000009, "3": 1000000009},
               "the task has its own")
    ask(cluster, "setspri", "0", str(array))
    wait_until(lambda: max(priorities_of(cluster, array).values()) < 1000, "all are cleared")


def test_wrong_priorities_and_users(cluster):
    fill(cluster)
    job = cluster.sbatch("-t5", "-N3", "--exclusive")
    for user in ("steve", "bob"):
        refused(cluster, 4, "setspri needs ADMIN1 or ADMIN2", "setspri", "7", str(job), user=user)
        refused(cluster, 4, "runjob needs ADMIN1 or ADMIN2", "runjob", str(job), user=user)
    for words in (("1001", str(job)), ("-1", str(job)), ("x", str(job)), ("-r", "1e9", str(job)),
                  ("7",), ("7", "job")):
        said = ask(cluster, "setspri", *words, check=False)
        assert said.returncode == 2 and said.stderr.startswith("setspri: error: "), (words, said)
    refused(cluster, 5, "no such job", "setspri", "7", "999999")
    refused(cluster, 5, "no such job", "runjob", "999999")
    running = cluster.sbatch("-t5", "-n1", user="john")
    cluster.wait_state(running, "RUNNING")
    refused(cluster, 1, "runs already", "setspri", "7", str(running))
    assert cluster.job(job).priority < 1000


def test_holds_are_slurms(cluster):
    fill(cluster)
    job = cluster.sbatch("-t5", "-N3", "--exclusive")
    said = ask(cluster, "sethold", "-u", str(job), user="steve").stdout
    assert said == "user hold placed on job %d\n" % job and reason(cluster, job) == "JobHeldUser"
    refused(cluster, 1, "job %d has a user's hold, not a system hold: releasehold -u" % job,
            "releasehold", "-s", str(job))
    ask(cluster, "releasehold", "-u", str(job), user="steve")
    wait_until(lambda: cluster.job(job).priority > 0, "it is released")
    said = ask(cluster, "sethold", str(job), user="steve").stdout
    assert said == "user hold placed on job %d\n" % job and reason(cluster, job) == "JobHeldUser"
    ask(cluster, "releasehold", str(job), user="steve")
    wait_until(lambda: cluster.job(job).priority > 0, "it is released")
    said = ask(cluster, "sethold", "-b", str(job), user="amy").stdout
    assert said == "system hold placed on job %d\n" % job
    assert reason(cluster, job) == "JobHeldAdmin"
    refused(cluster, 4, "not permitted", "releasehold", str(job), user="steve")
    ask(cluster, "releasehold", "-a", str(job), user="amy")
    wait_until(lambda: cluster.job(job).priority > 0, "it is released")
    for words in (["releasehold"], ["releasehold", "-a"], ["releasehold", "-u"], ["releasehold", "-s"]):
        refused(cluster, 1, "job %d is not held" % job, *words, str(job))
    for command in ("sethold", "releasehold", "canceljob"):
        refused(cluster, 4, "not permitted", command, str(job), user="bob")
        refused(cluster, 5, "no such job", command, "999999")


def test_the_hold_of_a_running_job_says_that_it_runs_on(cluster):
    job = cluster.sbatch("-t5", "-N1")
    cluster.wait_state(job, "RUNNING")
    said = ask(cluster, "sethold", str(job)).stdout
    assert said == ("system hold placed on job %d: it runs on, and is held when it is requeued\n"
                    % job), said
    refused(cluster, 2, "error: unknown parameter 'NOSUCH'", "changeparam", "NOSUCH", "3")


def test_holds_of_arrays(cluster):
    fill(cluster)
    array = cluster.sbatch("-t5", "-N3", "--exclusive", "--array=1-3")
    ask(cluster, "sethold", str(array))
    assert reason(cluster, array) == "JobHeldAdmin"
    ask(cluster, "releasehold", str(array))
    wait_until(lambda: cluster.job(array).priority > 0, "it is released")
    ask(cluster, "canceljob", "%d_2" % array)
    rest = cluster.run("squeue", "-h", "-j", str(array), "-o", "%K").stdout.split()
    assert rest == ["1,3"], rest


def test_a_task_that_waits_with_its_array_is_held_alone(cluster):
    fill(cluster)
    array = cluster.sbatch("-t5", "-N3", "--exclusive", "--array=1-3")
    refused(cluster, 4, "not permitted", "sethold", "%d_2" % array, user="bob")
    assert records(cluster, array) == ["1-3"], "nobody took the array apart"
    said = ask(cluster, "sethold", "-u", "%d_2" % array, user="steve").stdout
    assert said == "user hold placed on job %d_2\n" % array
    assert held(cluster, array) == ["2"] and records(cluster, array) == ["1,3", "2"]
    ask(cluster, "sethold", "%d_1" % array, "%d_3" % array)
    assert held(cluster, array) == records(cluster, array) == ["1", "2", "3"]
    ask(cluster, "releasehold", "-u", "%d_2" % array, user="steve")
    wait_until(lambda: held(cluster, array) == ["1", "3"], "one is released")
    refused(cluster, 5, "no such job", "sethold", "%d_4" % array)
    ask(cluster, "releasehold", str(array))
    wait_until(lambda: not held(cluster, array), "all are released")
    refused(cluster, 1, "job %d is not held" % array, "releasehold", str(array))


def test_runjob_starts_one_task_of_an_array(cluster):
    array = cluster.sbatch("-t5", "-n1", "--array=1-4", user="bob")
    wait_until(lambda: of_tasks(cluster, array, "%T") == dict(zip("1234", ["RUNNING"] + 3 * ["PENDING"])), "MAXJOB")
    ask(cluster, "runjob", "-f", "%d_3" % array)
    wait_until(lambda: of_tasks(cluster, array, "%T")["3"] == "RUNNING", "the task runs")
    assert of_tasks(cluster, array, "%T") == {"1": "RUNNING", "2": "PENDING", "3": "RUNNING", "4": "PENDING"}


def test_runjob_names_the_tasks_that_it_has_started(cluster):
    array = cluster.sbatch("-t5", "-n1", "--array=1-3", user="bob")
    wait_until(lambda: of_tasks(cluster, array, "%T")["1"] == "RUNNING", "MAXJOB")
    said = ask(cluster, "runjob", "-f", str(array)).stdout
    assert said == "".join("job %d_%d successfully started\n" % (array, task) for task in (2, 3))
    assert set(of_tasks(cluster, array, "%T").values()) == {"RUNNING"}


def test_runjob_of_a_job_that_ends_at_once(cluster):
    first = cluster.sbatch("-t30", "-n1", user="bob")
    cluster.wait_state(first, "RUNNING")
    second = cluster.sbatch("-t30", "-n1", user="bob", command="true")
    cluster.wait_cycle()
    said = json.loads(ask(cluster, "runjob", "-f", "--json", str(second)).stdout)
    assert said["started"] and said["started_jobs"] == [str(second)], said
    cluster.wait_over(second)


def test_canceljob_cancels(cluster):
    jobs = [cluster.sbatch("-t5", "-n1"), cluster.sbatch("-t5", "-n1", "--begin=now+1hour")]
    cluster.wait_state(jobs[0], "RUNNING")
    said = ask(cluster, "canceljob", *map(str, jobs), user="steve").stdout
    assert said == "".join("job %d cancelled\n" % job for job in jobs)
    for job in jobs:
        cluster.wait_state(job, "CANCELLED")
    refused(cluster, 5, "no such job", "canceljob", str(jobs[0]))
    said = ask(cluster, "canceljob", "--json", str(cluster.sbatch("-t5", "-n1"))).stdout
    assert json.loads(said)["meta"]["schema"] == "maui.canceljob.v1"


def test_runjob_goes_before_others_and_their_job_reservations(cluster):
    running = fill(cluster, 2)
    large = cluster.sbatch("-t5", "-N3", "--exclusive")
    cluster.wait_cycle()
    small = cluster.sbatch("-t60", "-N1", "--exclusive")
    cluster.wait_cycle()
    assert cluster.job(small).state == "PENDING"
    said = ask(cluster, "runjob", str(small)).stdout
    assert said == "job %d successfully started\n" % small
    assert cluster.job(small).state == "RUNNING" and cluster.job(running).state == "RUNNING"
    assert "job %d: run by root" % small in cluster.log_since()
    refused(cluster, 1, "job %d does not start: " % large, "runjob", str(large))
    assert cluster.job(large).state == "PENDING"


def job_reservations(cluster):
    rows = json.loads(ask(cluster, "showres", "--json").stdout)["reservations"]
    return {row["name"] for row in rows if row["type"] == "Job"}


def test_a_refused_runjob_changes_no_plan(cluster):
    fill(cluster, 2)
    first = cluster.sbatch("-t5", "-N3", "--exclusive")
    second = cluster.sbatch("-t5", "-N3", "--exclusive", user="amy")
    wait_until(lambda: str(first) in job_reservations(cluster), "the first has a reservation")
    before = job_reservations(cluster)
    assert str(second) not in before
    refused(cluster, 1, "job %d does not start: Resources: needs 3 whole nodes, 1 free" % second, "runjob",
            str(second))
    assert job_reservations(cluster) == before


def test_runjob_passes_limits_and_reservations_only_when_told_to(cluster):
    first = cluster.sbatch("-t30", "-n1", user="bob")
    cluster.wait_state(first, "RUNNING")
    second = cluster.sbatch("-t30", "-n1", user="bob")
    refused(cluster, 1, "MAXJOB USER bob", "runjob", str(second))
    ask(cluster, "runjob", "-f", str(second))
    cluster.wait_state(second, "RUNNING")
    job = cluster.sbatch("-t30", "-n1", "-w", "n4")
    refused(cluster, 1, "does not start: ", "runjob", "-f", str(job))
    ask(cluster, "runjob", "-x", str(job))
    assert cluster.run("squeue", "-h", "-j", str(job), "-o", "%N").stdout.strip() == "n4"


def test_runjob_keeps_what_the_job_excludes(cluster):
    job = cluster.sbatch("-t5", "-n1", "-H", "--exclude=n1")
    other = cluster.sbatch("-t5", "-n1", "-H", "--exclude=n2")
    fill(cluster)
    cluster.scontrol("release", "%d,%d" % (job, other))
    cluster.wait_cycle()
    for one, node in ((job, "n1"), (other, "n2")):
        said = ask(cluster, "runjob", "-f", "-n", node, str(one), check=False)
        assert said.returncode == 1 and "does not start" in said.stderr, said
        assert cluster.job(one).reason != "BadConstraints"
    assert "does not start in main on" not in cluster.log_since()


def test_runjob_of_an_array_that_partly_runs(cluster):
    """The tasks that run do not count. Slurm's %1 keeps the others."""
    array = cluster.sbatch("-t5", "-n1", "--array=1-3%1")
    wait_until(lambda: len(cluster.squeue("-t", "R")) == 1, "a task runs")
    refused(cluster, 1, "job %d does not start: " % array, "runjob", str(array))
    assert len(cluster.squeue("-t", "R")) == 1
    ask(cluster, "setspri", "1", str(array))
    alone = cluster.sbatch("-t5", "-n1")
    cluster.wait_state(alone, "RUNNING")
    refused(cluster, 1, "job %d runs already" % alone, "runjob", str(alone))


def test_runjob_on_certain_nodes(cluster):
    blocker = fill(cluster)
    job = cluster.sbatch("-t5", "-N1", "--exclusive")
    cluster.wait_cycle()
    refused(cluster, 2, "no node is named 'n9'", "runjob", "-n", "n9", str(job))
    refused(cluster, 1, "does not start: ", "runjob", "-n", "n2", str(job))
    held = cluster.sbatch("-t5", "-N1", "--exclusive", "-H")
    cluster.run("scancel", str(blocker))
    cluster.wait_over(blocker)
    refused(cluster, 1, "does not start: held", "runjob", "-n", "n2", str(held))
    cluster.wait_state(job, "RUNNING")
    cluster.run("scancel", str(job))
    fill(cluster, 1)
    second = cluster.sbatch("-t5", "-N1", "--exclusive", "--begin=now+1hour")
    refused(cluster, 1, "does not start: ", "runjob", "-n", "n3", str(second))


def test_runjob_names_its_nodes(cluster):
    cluster.run("scontrol", "update", "partition=main", "state=down")
    try:
        job = cluster.sbatch("-t5", "-N1", "--exclusive")
        refused(cluster, 1, "does not start: ", "runjob", "-n", "n3", str(job))
    finally:
        cluster.run("scontrol", "update", "partition=main", "state=up")
