# SPDX-License-Identifier: GPL-2.0-or-later
"""SERVERMODE TEST beside sched/backfill: the score of `maui trial` against what both schedulers do,
each alone with the same jobs.

Rules: CMD-4, CMD-55, CMD-56, CMD-57, CMD-58.
"""

import concurrent.futures
import json
import os
import re
import time

import pytest
from cluster import build_dir, wait_until
from reservations import ask, install, mirrors
from starts import CFG, CONF, running, stays_pending

pytestmark = [pytest.mark.together, pytest.mark.slow]

SAME_S = 5
NEVER = 1 << 40
SHOWN = {"maui.own.0", "maui.amy.1.0"}  # of own and amy.1, in scontrol

# A standing reservation and a limit, of which sched/backfill knows nothing.
POLICY = CFG + """
USERCFG[amy] MAXJOB=1
SRCFG[own] HOSTLIST=n5 PERIOD=INFINITY USERLIST=john
RESERVATIONMIRROR NONE
"""
NODES = """
NodeName=n[1-5] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP
PartitionName=side Nodes=n5 MaxTime=INFINITE State=UP
"""
BACKFILL = "SchedulerType=sched/backfill\nSchedulerParameters=bf_interval=20\n" + NODES
MAUI = "SchedulerType=sched/maui\n" + NODES


def maui(cluster, *options, user=None, check=True):
    """cluster.maui() would wait for an answer first."""
    return cluster.run(os.path.join(build_dir(), "maui"), *options, user=user, check=check)


def trial(cluster, *options, user=None, check=True):
    return maui(cluster, "trial", *options, user=user, check=check)


def score(cluster):
    return json.loads(trial(cluster, "--json").stdout)


def last_backfill(cluster):
    """When sched/backfill last went through the queue, by sdiag."""
    return re.search(r"Last cycle when: (.*)", cluster.run("sdiag").stdout.split(
        "Backfilling stats")[1]).group(1)


class Day:
    """The same jobs on several clusters, by name."""

    def __init__(self, clusters):
        self.clusters = clusters
        self.ids = [{} for _ in clusters]
        self.submitted = [{} for _ in clusters]
        self.pool = concurrent.futures.ThreadPoolExecutor(len(clusters))

    def submit(self, name, *options, user="steve", seconds=20):
        def one(number):
            self.ids[number][name] = self.clusters[number].sbatch(
                *options, user=user, command="sleep %d" % seconds)
        list(self.pool.map(one, range(len(self.clusters))))

    def starts(self, number):
        """{name: seconds from its submit to its start}; NEVER: it has not started."""
        jobs, ret = self.clusters[number].jobs(), {}
        for name, job in self.ids[number].items():
            for task in jobs.values():
                if job in (task.id, task.array_id):
                    key = "%s_%s" % (name, task.fields.get("ArrayTaskId", ""))
                    started = task.state != "PENDING"
                    ret[key] = task.start - task.submit if started else NEVER
        return ret

    def names(self, number):
        """{job id: name} as in starts()."""
        return {task.id: "%s_%s" % (name, task.fields.get("ArrayTaskId", ""))
                for task in self.clusters[number].jobs().values()
                for name, job in self.ids[number].items() if job in (task.id, task.array_id)}


def hand_in(day, backfill):
    """Jobs that both start alike; jobs that Maui's rules keep; one that sched/backfill finds late."""
    for number in range(3):
        day.submit("small%d" % number, "-n1", "-t2")
    day.submit("array", "-n1", "-t2", "--array=1-3")
    day.submit("amy1", "-n1", "-t1", user="amy")
    day.submit("amy2", "-n1", "-t1", user="amy")  # MAXJOB
    day.submit("own", "-n1", "-t1", "-pside", user="john")
    wait_over(day)
    day.submit("other", "-n1", "-t1", "-pside", user="bob", seconds=5)  # SRCFG[own]
    day.submit("large", "-N3", "--exclusive", "-t5", seconds=45)
    day.submit("next", "-N4", "--exclusive", "-t5", seconds=5)
    before = last_backfill(backfill)
    wait_until(lambda: last_backfill(backfill) != before, "sched/backfill's cycle", 60)
    day.submit("hole", "-n1", "-t1", seconds=3)  # sched/backfill's next cycle finds it
    wait_over(day)


def wait_over(day):
    """Until all jobs are over but those that Maui's reservation keeps."""
    for cluster in day.clusters:
        wait_until(lambda c=cluster: all(
            job.is_over or (job.state == "PENDING" and job.partitions == ["side"])
            for job in c.jobs().values()), "the jobs are over", 120)


def outcome(by_s):
    """What the score says of a job that starts so much sooner."""
    return "sooner" if by_s > SAME_S else "later" if by_s < -SAME_S else "same"


def test_the_score_agrees_with_each_scheduler_alone(own_cluster):
    """Jobs of a day, in two minutes, on stand-in nodes: sched/backfill alone, sched/maui alone, and
    sched/backfill with a trial beside it."""
    alone = own_cluster(POLICY, BACKFILL, nodes=5)
    maui = own_cluster(POLICY, MAUI, nodes=5)
    beside = own_cluster(POLICY + "SERVERMODE TEST\n", BACKFILL, nodes=5)
    wait_until(lambda: trial(beside, check=False).returncode == 0, "the trial begins")
    day = Day([alone, maui, beside])
    hand_in(day, beside)
    wait_until(lambda: score(beside)["started"] == len(day.names(2)), "every start is compared")
    with_maui, real, plain = day.starts(1), day.starts(2), day.starts(0)
    expected = {name: outcome(real[name] - with_maui[name]) for name in real}
    found = dict.fromkeys(expected, "same")
    said = score(beside)
    names = day.names(2)
    for job in said["jobs"]:
        found[names[job["job"]]] = job["outcome"]
    print("sched/maui alone:", with_maui, "\nsched/backfill:", real, "\nalone:", plain)
    assert found == expected
    for kind in ("same", "sooner", "later"):
        assert said[kind]["jobs"] == list(expected.values()).count(kind), kind
    assert {name: kind for name, kind in expected.items() if kind != "same"} == {
        "amy2_": "later", "other_": "later", "hole_": "sooner"}
    assert abs(said["sooner"]["seconds"] - (real["hole_"] - with_maui["hole_"])) <= 2
    assert {cause["name"] for cause in said["causes"]} == {"MAXJOB USER amy", "reservation own"}
    assert said["not_compared"] == said["refused"] == said["waiting"] == 0
    # the trial changes nothing: what sched/backfill starts at once alone it starts at once. Jobs that
    # start sooner under sched/maui wait for its next pass, which comes when it comes
    at_once = {name for name, kind in expected.items() if kind != "sooner"}
    assert {n for n in at_once if plain[n] <= SAME_S} == {n for n in at_once if real[n] <= SAME_S}
    survives_a_restart(beside, said)
    survives_a_crash(beside)
    nothing_to_ask(alone)


def survives_a_restart(cluster, said):
    """The score goes on. For users one line says that they may not see it."""
    job = cluster.sbatch("-n1", "-t1", command="true")
    cluster.wait_over(job)
    wait_until(lambda: score(cluster)["started"] == said["started"] + 1, "one more")
    cluster.restart()
    wait_until(lambda: trial(cluster, check=False).returncode == 0, "an answer")
    after = score(cluster)
    for key in ("begin", "sooner", "later", "causes", "jobs"):
        assert after[key] == said[key], key
    assert after["started"] == said["started"] + 1 and after["same"]["jobs"] == \
        said["same"]["jobs"] + 1
    text = trial(cluster).stdout
    assert "MAXJOB USER amy" in text and "sooner                  1" in text, text
    denied = trial(cluster, user="bob", check=False)
    assert denied.returncode == 4 and "not permitted" in denied.stderr, denied
    assert len(denied.stderr.splitlines()) == 1, denied


def survives_a_crash(cluster):
    """What is saved goes on, and no start is counted twice."""
    cluster.wait_saved()
    said = score(cluster)
    cluster.restart(kill=True)
    wait_until(lambda: trial(cluster, check=False).returncode == 0, "an answer")
    cluster.wait_cycle()
    after = score(cluster)
    for key in ("begin", "started", "same", "sooner", "later", "causes", "jobs"):
        assert after[key] == said[key], key


def nothing_to_ask(cluster):
    """One line where slurmctld plans nothing."""
    refused = trial(cluster, check=False)
    assert refused.returncode == 3 and len(refused.stderr.splitlines()) == 1, refused


def rsv_names(cluster):
    rows = json.loads(ask(cluster, "showres", "--json").stdout)["reservations"]
    return {row["name"]: row["flags"] for row in rows if row["type"] != "Job"}


def test_what_setres_makes_in_a_trial_is_gone_when_it_ends(own_cluster):
    """Unless maui trial --keep; a trial that begins has an empty score."""
    conf = CONF.replace("sched/maui", "sched/backfill")
    test = CFG + "SERVERMODE TEST\n"
    cluster = own_cluster(test, conf, nodes=4)
    install(cluster)
    running(cluster, cluster.sbatch("-n1", "-t9"))
    wait_until(lambda: trial(cluster, check=False).returncode == 0, "the trial begins")
    wait_until(lambda: score(cluster)["started"] == 1, "a start")
    cluster.setres("-u", "steve", "-d", "1:00:00", "n1")
    assert rsv_names(cluster) == {"steve.1": ["TRIAL"]}
    wait_until(lambda: score(cluster)["reservations"] == ["steve.1"], "the trial names it")
    end_and_begin(cluster, test)
    assert rsv_names(cluster) == {} and score(cluster)["started"] == 0
    cluster.setres("-u", "amy", "-d", "1:00:00", "n2")
    denied = trial(cluster, "--keep", user="bob", check=False)
    assert denied.returncode == 4 and "needs ADMIN1" in denied.stderr, denied
    assert trial(cluster, "--keep").stdout == "reservation 'amy.1' stays when the trial ends\n"
    end_and_begin(cluster, test)
    assert rsv_names(cluster) == {"amy.1": []}


def test_a_job_that_has_started_does_not_wait(own_cluster):
    """Neither in the plan in which it still waits nor in the record of the last day."""
    cluster = own_cluster(CFG + "SERVERMODE TEST\n", CONF.replace("sched/maui", "sched/backfill"), nodes=4)
    wait_until(lambda: trial(cluster, check=False).returncode == 0, "the trial begins")
    mark = cluster.log_size()
    running(cluster, cluster.sbatch("-n1", "-t9"))
    wait_until(lambda: score(cluster)["started"] == 1, "a start")
    counts = re.findall(r"iteration: (\d+) waiting (\d+) active", cluster.log_since(mark))
    assert ("0", "1") in counts and ("1", "1") not in counts, counts


def test_tasks_beyond_a_limit_start_later(own_cluster):
    """The last task of an array has the number of the array itself; it is no first task for that."""
    cluster = own_cluster(CFG + "SERVERMODE TEST\nUSERCFG[amy] MAXJOB=2\n",
                          CONF.replace("sched/maui", "sched/backfill"), nodes=4)
    wait_until(lambda: trial(cluster, check=False).returncode == 0, "the trial begins")
    for number in range(3):
        cluster.sbatch("-n1", "-t5", "--array=0-5", user="amy", command="sleep 600")
        wait_until(lambda n=number: score(cluster)["started"] == 6 * (n + 1), "the starts are counted")
        cluster.cancel_all()
        said = score(cluster)
        assert (said["same"]["jobs"], said["later"]["jobs"]) == (2 * (number + 1), 4 * (number + 1)), said


def test_a_trial_knows_nothing_of_the_last_one(own_cluster):
    """Nor does a pause under sched/maui touch the score: no other scheduler starts jobs there."""
    test = CFG + "SERVERMODE TEST\n"
    conf = CONF.replace("sched/maui", "sched/backfill\nSchedulerParameters=bf_interval=600")
    cluster = own_cluster(test, conf, nodes=4)
    wait_until(lambda: trial(cluster, check=False).returncode == 0, "the trial begins")
    running(cluster, cluster.sbatch("-N3", "--exclusive", "-t9"))
    cluster.sbatch("-N4", "--exclusive", "-t9")
    hole = cluster.sbatch("-n1", "-t1", user="steve")  # sched/backfill will come to it
    wait_until(lambda: score(cluster)["waiting"] == 1, "the plan starts it")
    end_and_begin(cluster, test + "RESERVATIONMIRROR NONE\n"
                  "SRCFG[own] HOSTLIST=ALL PERIOD=INFINITY USERLIST=john\n")
    cluster.wait_cycle()
    assert score(cluster)["waiting"] == 0, score(cluster)
    assert cluster.job(hole).state == "PENDING"
    mark = cluster.log_size()
    cluster.edit_slurm_conf(SchedulerType="sched/maui")
    cluster.restart()
    cluster.wait_log(r"slurm-maui: TEST: the trial is over", mark)
    cluster.wait_cycle()
    assert "a trial begins" not in cluster.log_since(mark)


SOCKETS = """
SchedulerType=sched/backfill
NodeName=n1 CPUs=4 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=4000
NodeName=n2 CPUs=4 Sockets=2 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def test_a_start_that_slurm_would_refuse(own_cluster):
    """A plan counts processors: the job that wants two sockets would start on n1, which has one.
    The score counts it once, and names what Slurm says."""
    cluster = own_cluster(CFG + "SERVERMODE TEST\n", SOCKETS, nodes=2)
    wait_until(lambda: trial(cluster, check=False).returncode == 0, "the trial begins")
    running(cluster, cluster.sbatch("-w", "n2", "-n4", "-t5"))
    job = cluster.sbatch("-N1", "-n2", "-t5", "--sockets-per-node=2", "--ntasks-per-socket=1")
    wait_until(lambda: score(cluster)["refused"] == 1, "the refusal is counted")
    cluster.wait_cycle()
    said = score(cluster)
    assert said["refused"] == 1 and len(said["refusals"]) == 1, said
    assert cluster.job(job).state == "PENDING"
    text = trial(cluster).stdout
    assert "Starts that Slurm would have refused: 1\n" in text, text
    assert said["refusals"][0]["name"] in text, text
    cluster.wait_log("TEST: would start JobId=%d .*; Slurm would refuse: " % job)


def test_a_trial_after_normal_keeps_no_node_free(own_cluster):
    """What sched/maui has reserved in Slurm is gone in the trial, and back with sched/maui."""
    normal = CFG + "SRCFG[own] HOSTLIST=n1 PERIOD=INFINITY USERLIST=amy\n"
    cluster = own_cluster(normal, CONF, nodes=4)
    install(cluster)
    wait_until(lambda: set(mirrors(cluster)) == {"maui.own.0"}, "the reservation is shown")
    cluster.setres("-u", "amy", "-d", "1:00:00", "n2")
    wait_until(lambda: set(mirrors(cluster)) == SHOWN, "both are shown")
    stays_pending(cluster, cluster.sbatch("-N4", "-t1"))
    cluster.write_maui_cfg(normal + "SERVERMODE TEST\n")
    cluster.edit_slurm_conf(SchedulerType="sched/backfill")
    cluster.restart()
    wait_until(lambda: not mirrors(cluster), "none is left")
    running(cluster, cluster.sbatch("-N4", "-t1"))
    assert rsv_names(cluster) == {"own.0": [], "amy.1": []}
    cluster.cancel_all()
    cluster.write_maui_cfg(normal)
    cluster.edit_slurm_conf(SchedulerType="sched/maui")
    cluster.restart()
    wait_until(lambda: set(mirrors(cluster)) == SHOWN, "both are back")
    stays_pending(cluster, cluster.sbatch("-N4", "-t1"))


def test_maui_reconfigure_begins_and_ends_a_trial(own_cluster):
    """It waits for the server that answers in a trial alone."""
    cluster = own_cluster(CFG, BACKFILL)
    cluster.write_maui_cfg(CFG + "SERVERMODE TEST\n")
    assert maui(cluster, "reconfigure").stdout.endswith("is in force\n")
    assert trial(cluster).returncode == 0
    cluster.write_maui_cfg(CFG)
    assert maui(cluster, "reconfigure").stdout.startswith("the trial is over: ")
    assert maui(cluster, "reconfigure", check=False).returncode == 1, "nothing says what is in force"
    cluster.write_maui_cfg(CFG + "SERVERMODE TEST\n")
    assert json.loads(maui(cluster, "reconfigure", "--json").stdout)["in_force"]


def end_and_begin(cluster, test):
    """SERVERMODE NORMAL, then TEST again."""
    mark = cluster.log_size()
    cluster.reconfigure(CFG)
    cluster.wait_log(r"slurm-maui: TEST: the trial is over: \d+ jobs started", mark)
    time.sleep(1)  # starts are in whole seconds: no earlier one belongs to the next trial
    cluster.reconfigure(test)
    wait_until(lambda: trial(cluster, check=False).returncode == 0, "another trial")
