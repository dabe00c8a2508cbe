# SPDX-License-Identifier: GPL-2.0-or-later
"""maui snapshot and maui whatif on a real cluster: the present future is squeue's, and changes
change it.

Rules: CMD-35, CMD-36, CMD-53.
"""

import json
import os

import pytest
from cluster import build_dir, epoch, wait_until
from reservations import ask, install, setres, shown

CFG = """
RMPOLLINTERVAL 2
ADMIN1 root
QUEUETIMEWEIGHT 1
RESERVATIONDEPTH 5
"""
CONF = """
SchedulerType=sched/maui
PrivateData=jobs
MaxArraySize=20001
NodeName=n[1-4] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


@pytest.fixture
def cluster(clusters):
    whole = install(clusters(CFG, CONF, nodes=4))
    yield whole
    whole.cancel_all()


def whatif(cluster, *arguments, **keywords):
    return json.loads(ask(cluster, "maui", "whatif", "--json", *arguments, **keywords).stdout)


def queue(cluster):
    """Two nodes busy for 30 minutes; a job of 4 nodes waits for them, and one of 3 behind."""
    running = cluster.sbatch("-N2", "--exclusive", "-t30")
    cluster.wait_state(running, "RUNNING")
    large = cluster.sbatch("-N4", "--exclusive", "-t60", user="amy")
    next_one = cluster.sbatch("-N3", "--exclusive", "-t120", user="bob")
    wait_until(lambda: planned(cluster) >= {large, next_one}, "both are planned")
    wait_until(lambda: start(cluster, large) and start(cluster, next_one), "squeue has estimates")
    return running, large, next_one


def planned(cluster):
    """The waiting jobs of the last plan."""
    return {job["id"] for job in json.loads(ask(cluster, "maui", "snapshot", "-").stdout)["idle"]}


def start(cluster, job):
    said = cluster.run("squeue", "-h", "--start", "-j", str(job), "-o", "%S").stdout.strip()
    return None if said in ("", "N/A") else epoch(said)


def test_the_present_future_is_that_of_squeue(cluster):
    _, large, next_one = queue(cluster)
    seen = whatif(cluster, "--job", "-N 1 -t 10 -u steve")
    assert seen["meta"]["schema"] == "maui.whatif.v1"
    assert abs(seen["job_start"] - seen["meta"]["time"]) <= 1, "it fits before the job reservation"
    assert seen["earlier"] == 0 and seen["later"] == 0, seen["jobs"]
    seen = whatif(cluster, "--down", "n4")
    moved = {one["job"]: one for one in seen["jobs"]}
    assert moved[large]["after"] is None, "four nodes are not there any more"
    assert moved[large]["before"] == pytest.approx(start(cluster, large), abs=3)
    assert moved[next_one]["before"] == pytest.approx(start(cluster, next_one), abs=3)
    assert moved[next_one]["after"] < moved[next_one]["before"]


def test_another_policy_and_a_reservation(cluster, tmp_path):
    _, large, next_one = queue(cluster)
    new = os.path.join(cluster.base, "new.cfg")
    with open(new, "w", encoding="ascii") as file:
        file.write(CFG + "USERCFG[bob] PRIORITY=1000\nCREDWEIGHT 1\nUSERWEIGHT 1\n")
    moved = {one["job"]: one for one in whatif(cluster, new)["jobs"]}
    assert moved[next_one]["after"] < moved[next_one]["before"], "bob's job is first"
    assert moved[large]["after"] > moved[large]["before"]
    moved = {one["job"]: one for one in whatif(cluster, "--setres", "-d 6:00:00 ALL")["jobs"]}
    assert moved[large]["after"] >= moved[large]["before"] + 4 * 3600
    assert not cluster.reservations(), "nothing is made"
    text = ask(cluster, "maui", "whatif", new).stdout
    assert "1 job starts earlier, 1 later" in text, text


def test_a_user_sees_the_own_jobs_only(cluster):
    _, large, _ = queue(cluster)
    said = ask(cluster, "maui", "whatif", "--json", "--down", "n4", user="amy")
    assert "what PrivateData hides from you has no names" in said.stderr
    seen = json.loads(said.stdout)
    assert "bob" not in said.stdout and "steve" not in said.stdout, seen["jobs"]
    assert large in {one["job"] for one in seen["jobs"]}


def test_a_snapshot_is_planned_as_slurmctld_plans(cluster):
    _, large, _ = queue(cluster)
    path = os.path.join(cluster.base, "plan.json")
    ask(cluster, "maui", "snapshot", path)
    with open(path, encoding="utf-8") as file:
        saved = json.load(file)
    assert saved["schema"] == "maui.snapshot.v1" and len(saved["nodes"]) == 4
    assert large in {job["id"] for job in saved["idle"]}
    assert "steve" not in ask(cluster, "maui", "snapshot", "-", user="bob").stdout


def test_setres_is_simulated_as_setres_would_answer(cluster):
    """A reservation that is there is changed; what setres refuses is not simulated."""
    waiting = cluster.sbatch("-N4", "--exclusive", "-t60", "--begin=now+1hour", user="amy")
    wait_until(lambda: waiting in planned(cluster), "it is planned")
    name = setres(cluster, "-n", "fix", "-s", "+1:00:00", "-d", "1:00:00", "ALL")
    wait_until(lambda: name in ask(cluster, "showres").stdout, "it is published")
    seen = whatif(cluster, "--setres", "-n %s -d 3:00:00" % name)
    moved = {one["job"]: one for one in seen["jobs"]}
    assert moved[waiting]["after"] == pytest.approx(moved[waiting]["before"] + 7200, abs=5)
    assert shown(cluster)[name]["duration"] == 3600, "nothing is changed"
    for user, options, words in ((None, "-n fix.7 -d 1:00:00", "no reservation 'fix.7'"),
                                 (None, "-d 1:00:00 TASKS==99", "tasks missing"),
                                 (None, "-d 1:00:00 n9", "n9"),
                                 ("bob", "-d 1:00:00 n1", "not permitted")):
        said = ask(cluster, "maui", "whatif", "--setres", options, user=user, check=False)
        assert said.returncode == 1 and words in said.stderr and not said.stdout, said
    ask(cluster, "releaseres", name)


def starts(cluster):
    """The simulated starts of the present plan, by label, seconds after the plan."""
    path = os.path.join(cluster.base, "plan.json")
    ask(cluster, "maui", "snapshot", path)
    with open(path, encoding="utf-8") as file:
        now = json.load(file)["time"]
    said = cluster.run(os.path.join(build_dir(), "maui-sim"), "--plan", path, "--for", "24:00:00",
                       "--jobs", "-")
    rows = [line.split() for line in said.stdout.splitlines() if not line.startswith("#")]
    return {row[0]: None if row[4] == "-" else int(row[4]) - now for row in rows}


def test_arrays_begin_times_and_dependencies_are_simulated(cluster):
    first = cluster.sbatch("-N4", "--exclusive", "-t10")
    cluster.wait_state(first, "RUNNING")
    array = cluster.sbatch("-N1", "--exclusive", "-t10", "-a", "1-6%2")
    after = cluster.sbatch("-N1", "-t5", "-d", "afterok:%d" % first)
    behind = cluster.sbatch("-N4", "--exclusive", "-t5", "-d", "afterany:%d" % array)
    later = cluster.sbatch("-N1", "-t5", "--begin=now+2hours")
    held = cluster.sbatch("-N1", "-t5", "-H")
    alone = cluster.sbatch("-N1", "-t5", "-d", "afternotok:%d" % first)
    wait_until(lambda: planned(cluster) >= {array, after, behind, later, held, alone},
               "all are planned")
    seen = starts(cluster)
    tasks = [seen["%d_%d" % (array, task)] for task in range(1, 7)]
    assert tasks[0] == pytest.approx(600, abs=30) and tasks[1] == tasks[0]
    assert tasks[2] == pytest.approx(tasks[0] + 600, abs=3) and tasks[3] == tasks[2]
    assert tasks[4] == pytest.approx(tasks[0] + 1200, abs=3) and tasks[5] == tasks[4]
    assert seen[str(after)] == pytest.approx(tasks[0], abs=3)
    assert seen[str(behind)] == pytest.approx(tasks[0] + 1800, abs=3)
    assert seen[str(later)] == pytest.approx(7200, abs=60)
    assert seen[str(held)] is None and seen[str(alone)] is None
    text = ask(cluster, "maui", "whatif", "--down", "n[2-4]").stdout
    assert "1 held, 1 with a dependency that cannot be foreseen" in text, text
    assert "%d_6 " % array in text, text


def test_tasks_of_an_array_may_lie_far_apart(cluster):
    cluster.wait_state(cluster.sbatch("-N4", "--exclusive", "-t10"), "RUNNING")
    array = cluster.sbatch("-N1", "-t10", "-a", "0,7,15000")
    wait_until(lambda: array in planned(cluster), "the array is planned")
    assert {task for task in starts(cluster) if task.startswith("%d_" % array)} == {
        "%d_%d" % (array, task) for task in (0, 7, 15000)}


def test_a_task_with_a_record_of_its_own_counts_for_its_array(cluster):
    """A hold parts a task from the waiting ones; %1 is for all of them."""
    array = cluster.sbatch("-N1", "-t10", "-a", "1-4%1")
    wait_until(lambda: cluster.squeue("-t", "RUNNING"), "the first task runs")
    task = "%d_3" % array
    cluster.scontrol("hold", task)
    cluster.scontrol("release", task)
    wait_until(lambda: "JobArrayTaskLimit" in cluster.scontrol("show", "job", task).stdout,
               "slurmctld has looked at the task")
    wait_until(lambda: len(planned(cluster)) == 2, "both records are planned")
    seen = starts(cluster)
    waits = sorted(seen["%d_%d" % (array, task)] for task in (2, 3, 4))
    assert waits == [pytest.approx(600 * n, abs=30) for n in (1, 2, 3)], seen
    for one in (task, "%d_4" % array):
        said = cluster.maui("runjob", one, check=False).stderr
        assert "the task limit of its array (%N) is reached" in said, said
    cluster.cancel_all()


def test_nodes_that_go_down_delay_jobs(cluster):
    """n1 and n2 are busy for 30 minutes, n3 and n4 for 60: without n1 two nodes are free later."""
    for nodes, minutes in (("n[1-2]", "30"), ("n[3-4]", "60")):
        cluster.wait_state(cluster.sbatch("-w", nodes, "--exclusive", "-t", minutes), "RUNNING")
    waiting = cluster.sbatch("-N2", "--exclusive", "-t10", user="amy")
    wait_until(lambda: waiting in planned(cluster), "it is planned")
    wait_until(lambda: start(cluster, waiting), "squeue has an estimate")
    seen = whatif(cluster, "--down", "n1")
    assert (seen["earlier"], seen["later"]) == (0, 1), seen
    moved = seen["jobs"][0]
    assert moved["job"] == waiting and moved["user"] == "amy"
    assert moved["before"] == pytest.approx(start(cluster, waiting), abs=3)
    assert moved["after"] == pytest.approx(moved["before"] + 1800, abs=30)


HIDDEN_LINES = """
CREDWEIGHT 1
USERWEIGHT 1
USERCFG[amy] PRIORITY=100000 # the boss
SRCFG[exam] HOSTLIST=n1 USERLIST=amy PERIOD=INFINITY
"""


def test_a_plan_without_the_lines_of_others_is_the_same(clusters):
    """bob's job of three nodes waits for amy's, which is first by a line that bob does not see,
    and n1 is reserved."""
    private = CONF.replace("=jobs", "=jobs,users,accounts,usage,reservations")
    cluster = install(clusters(CFG + HIDDEN_LINES, private, nodes=4))
    cluster.wait_state(cluster.sbatch("-N2", "--exclusive", "-t30"), "RUNNING")
    bobs = cluster.sbatch("-N3", "--exclusive", "-t120", user="bob")
    wait_until(lambda: bobs in planned(cluster), "bob's is planned")
    amys = cluster.sbatch("-N4", "--exclusive", "-t60", user="amy")
    wait_until(lambda: amys in planned(cluster), "amy's is planned")
    wait_until(lambda: start(cluster, amys) and start(cluster, bobs) and
               start(cluster, bobs) > start(cluster, amys), "squeue has estimates")
    saved = ask(cluster, "maui", "snapshot", "-", user="bob").stdout
    assert not [word for word in ("amy", "steve", "boss", "exam") if word in saved], saved
    seen = json.loads(ask(cluster, "maui", "whatif", "--json", "--down", "n4", user="bob").stdout)
    moved = {one["job"]: one for one in seen["jobs"]}
    assert moved[bobs]["before"] == pytest.approx(start(cluster, bobs), abs=3)
    assert moved[bobs]["after"] is None, "n1 is not for bob"
    cluster.cancel_all()


RULES = """
SchedulerType=sched/maui
SelectTypeParameters=CR_Core_Memory
NodeName=n[1-4] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=shared Nodes=ALL Default=YES MaxTime=INFINITE State=UP DefMemPerCPU=900
PartitionName=whole Nodes=ALL OverSubscribe=EXCLUSIVE MaxTime=INFINITE State=UP DefMemPerCPU=500
PartitionName=alone Nodes=ALL ExclusiveUser=YES MaxTime=INFINITE State=UP DefMemPerNode=2000
"""


@pytest.fixture(scope="module")
def ruled(clusters):
    return install(clusters(CFG, RULES, nodes=4))


@pytest.mark.parametrize("partition", ["shared", "whole", "alone"])
@pytest.mark.parametrize("options", ["-n1", "-n13", "-N4", "-n1 --mem=0", "-n2 --mem=3500",
                                     "-n3 --mem-per-cpu=1500", "-N3 --exclusive", "-N4 --mem=0"])
def test_whatif_and_fits_say_what_slurm_does(ruled, partition, options):
    """A job on n1 for 30 minutes leaves three nodes empty, and three processors of n1."""
    running = ruled.sbatch("-n1", "-t30", "-w", "n1", "-p", "shared", user="bob")
    try:
        ruled.wait_state(running, "RUNNING")
        wait_until(lambda: "\n%d " % running in ask(ruled, "showq").stdout, "the plan has the job")
        words = options.split() + ["-t10", "-p", partition]
        fits = ask(ruled, "maui", "fits", "--json", "-u", "steve", *words).stdout
        fits = json.loads(fits)["partitions"][0]["shape"]["starts_now"]
        seen = whatif(ruled, "--job", " ".join(words + ["-u", "steve"]))
        at_once = seen["job_start"] is not None and seen["job_start"] <= seen["meta"]["time"] + 1
        said = ruled.run(*ruled.sbatch_command(*words), check=False)
        if said.returncode != 0:  # by slurmctld: it can never start
            assert "Requested node configuration" in said.stderr and not fits and not at_once
            return
        job = int(said.stdout)
        wait_until(lambda: ruled.job(job).state == "RUNNING" or start(ruled, job), "it is planned")
        assert fits == at_once == (ruled.job(job).state == "RUNNING")
    finally:
        ruled.cancel_all()
