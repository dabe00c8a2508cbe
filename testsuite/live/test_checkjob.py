# SPDX-License-Identifier: GPL-2.0-or-later
"""checkjob and maui why on a real cluster: what they say agrees with squeue and scontrol.

Rules: CMD-2, CMD-9, CMD-21, CMD-65, CMD-68.
"""

import json
import time

import pytest
from cluster import epoch, wait_until
from reservations import ask, install, refused
from starts import running

CFG = """
RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 0
RESERVATIONDEPTH 1
USERCFG[amy] MAXJOB=1
SRCFG[class] HOSTLIST=n4 PERIOD=INFINITY USERLIST=amy
"""
CONF = """
SchedulerType=sched/maui
NodeName=n[1-4] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=small Nodes=ALL MaxNodes=1 MaxTime=INFINITE State=UP
"""


@pytest.fixture(scope="module")
def whole(clusters):
    return install(clusters(CFG, CONF, nodes=4))


def checked(cluster, job, **keywords):
    """The job of checkjob --json."""
    return json.loads(ask(cluster, "checkjob", "--json", str(job), **keywords).stdout)["job"]


def reason(cluster, job):
    return cluster.run("squeue", "-h", "-j", str(job), "-o", "%r").stdout.strip()


def wait_checked(cluster, job, check):
    """Waits until what checkjob says passes the check; returns it."""
    def look():
        seen = checked(cluster, job)
        assert check(seen), seen
        return seen
    return wait_until(look, "checkjob %s" % job)


def test_a_waiting_job_says_what_squeue_says(cluster):
    cluster.sbatch("-N2", "-c4", "-t10")
    job = cluster.sbatch("-N3", "-c4", "-t10")
    seen = wait_checked(cluster, job, lambda seen: seen["state"] == "Idle" and seen["reason"])
    wait_until(lambda: reason(cluster, job).startswith("Resources: needs 3 nodes, 1 free"),
               "squeue has the reason")
    assert seen["reason"].startswith("Resources: needs 3 nodes, 1 free")
    assert seen["nodes_by_reason"]["busy"] == 2 and seen["nodes_by_reason"]["free"] == 1
    assert (seen["user"], seen["nodes"], seen["procs"], seen["limit"]) == ("steve", 3, 12, 600)
    assert seen["has_reservation"] and seen["expected_start"] > seen["submit"]
    text = ask(cluster, "checkjob", "-v", str(job)).stdout
    assert "State: Idle" in text and "2  busy" in text and "Resources: needs 3 nodes" in text
    said = ask(cluster, "maui", "why", str(job)).stdout
    assert said.startswith("Job %d of user steve waits in partition main" % job)
    assert "Resources: needs 3 nodes, 1 free" in said


def test_the_jobs_in_the_way_are_named(cluster):
    """Of the running jobs only those on nodes that the waiting one could have, the first to end
    first; of the waiting ones those of its partition."""
    long, short, other = [cluster.sbatch("-w", node, "-n4", "-t%d" % minutes)
                          for node, minutes in (("n1", 50), ("n2", 10), ("n3", 5))]
    running(cluster, long, short, other)
    first = cluster.sbatch("-w", "n[1-2]", "-N2", "-n8", "-t10")
    second = cluster.sbatch("-w", "n2", "-n4", "-t10")
    seen = wait_checked(cluster, second, lambda seen: seen["node_users"] and seen["jobs_ahead"])
    assert seen["jobs_ahead"] == [str(first)]
    assert [user["label"] for user in seen["node_users"]] == [str(short)]
    assert seen["node_users"][0]["end"] == cluster.job(short).end
    seen = checked(cluster, first)
    assert [user["label"] for user in seen["node_users"]] == [str(short), str(long)]
    assert seen["node_users_all"] == 2 and seen["jobs_ahead"] == []
    said = ask(cluster, "maui", "why", str(second)).stdout
    assert "Ahead of it: %d." % first in said
    assert "Jobs on nodes that could serve it: %d (until " % short in said
    cluster.scontrol("update", "nodename=n2", "state=drain", "reason=test")
    try:  # the end of its job is of no use
        wait_checked(cluster, second, lambda seen: not seen["node_users"])
        assert [user["label"] for user in checked(cluster, first)["node_users"]] == [str(long)]
    finally:
        cluster.scontrol("update", "nodename=n2", "state=resume")


def test_a_limit_and_a_reservation_are_named(cluster):
    cluster.sbatch("-t10", user="amy")
    limited = cluster.sbatch("-t10", user="amy")
    kept_out = cluster.sbatch("-t10", "-w", "n4")
    wait_checked(cluster, limited, lambda seen: "MAXJOB USER amy 1/1" in (seen["reason"] or ""))
    seen = wait_checked(cluster, kept_out, lambda seen: seen["blocking_reservation"])
    assert seen["blocking_reservation"]["name"] == "class"
    assert "user steve not admitted" in seen["reason"]


def test_what_slurmctld_waits_for_is_told(cluster):
    """When, which jobs, and Slurm's name of the limit: not less than squeue says."""
    first = cluster.sbatch("-n1", "-t10")
    later = cluster.sbatch("-n1", "-t10", "--begin=now+1hour")
    behind = cluster.sbatch("-n1", "-t10", "--dependency=afterok:%d,afterany:%d" % (first, later))
    either = cluster.sbatch("-n1", "-t10", "--dependency=afterok:%d?afterany:%d" % (first, later))
    large = cluster.sbatch("-N2", "-t10", "-p", "small")
    begin = time.strftime("%-d %b %Y %H:%M", time.localtime(cluster.job(later).start))
    for job, words in ((later, "begin time not reached: " + begin),
                       (behind, "waits for another job: %d, %d" % (first, later)),
                       (either, "waits for another job: one of %d, %d" % (first, later)),
                       (large, "refused by Slurm's own checks: PartitionNodeLimit")):
        seen = wait_checked(cluster, job, lambda seen, words=words: words in (seen["reason"] or ""))
        assert len(seen["reasons"]) == 1, seen
        said = ask(cluster, "maui", "why", str(job)).stdout
        assert words[1:] in said, said
        queue = ask(cluster, "maui", "queue").stdout
        assert words in queue, queue
        assert words in ask(cluster, "showstart", str(job)).stdout


def test_an_array_at_its_limit_says_when_a_task_ends(cluster):
    array = cluster.sbatch("-n1", "-t10", "--array=1-4%1")
    wait_until(lambda: len(cluster.squeue("-t", "R")) == 1, "one task runs")
    seen = wait_checked(cluster, array, lambda seen: seen["state"] == "Blocked")
    assert seen["reason"].startswith("the task limit of its array (%N) is reached"), seen
    end = time.strftime("%-d %b %Y %H:%M", time.localtime(cluster.job("%d_1" % array).end))
    assert seen["outlook"][0].startswith("a task of the array ends by its time limit: " + end), seen


def test_a_job_just_submitted_is_found(cluster):
    """Before the plan that has it."""
    for _ in range(5):
        job = cluster.sbatch("-n1", "-t1")
        assert "Job %d " % job in ask(cluster, "maui", "why", str(job)).stdout


def test_a_deadline_says_by_when_the_job_must_start(cluster):
    block = cluster.sbatch("-N3", "-c4", "-t10")
    cluster.wait_state(block, "RUNNING")
    in_time = cluster.sbatch("-n1", "-t1", "--deadline=now+30minutes")
    late = cluster.sbatch("-n1", "-t1", "--deadline=now+5minutes")
    for job, words in ((in_time, "The job must start by "),
                       (late, "The job will not start by ")):
        seen = wait_checked(cluster, job, lambda seen: seen["start_by"])
        assert seen["start_by"] == epoch(cluster.job(job).fields["Deadline"]) - 60
        assert words in ask(cluster, "maui", "why", str(job)).stdout
        assert "Must start by: " in ask(cluster, "checkjob", str(job)).stdout
        assert "Must start in" in ask(cluster, "showstart", str(job)).stdout
    assert "Slurm cancels the job" not in ask(cluster, "showstart", str(in_time)).stdout
    assert "Slurm cancels the job" in ask(cluster, "showstart", str(late)).stdout
    queue = ask(cluster, "maui", "queue").stdout
    assert "would start after its deadline; " in queue and "Resources: needs " in queue, queue


def test_checknode_says_why_a_node_is_not_used_and_who_has_it(cluster):
    job = cluster.sbatch("-N1", "-c4", "-t10", "-w", "n2")
    cluster.wait_state(job, "RUNNING")
    cluster.run("scontrol", "update", "nodename=n2", "state=drain", "reason=bad fan")
    cluster.run("scontrol", "create", "reservation=later", "starttime=now+2hours",
                "duration=60", "nodes=n2", "user=root")

    def look():
        said = ask(cluster, "checknode", "n2").stdout
        return said if "later" in said and "Draining" in said else None
    said = wait_until(look, "checknode n2")
    assert "Reason:     bad fan" in said and "Available:  0 processors" in said
    rows = [line.split()[:5] for line in said.splitlines()]
    assert [str(job), "Job", "Running", "steve", "4"] in rows, said
    assert ["later", "Slurm", "-", "-", "4"] in rows, said
    assert "WARNING: node n2: bad fan" in ask(cluster, "diagnose", "-n").stdout
    assert "later" in ask(cluster, "showres", "later").stdout
    refused(cluster, 2, "scontrol delete ReservationName=later", "releaseres", "later")
    cluster.run("scontrol", "delete", "ReservationName=later")
    cluster.run("scontrol", "update", "nodename=n2", "state=resume")


def test_a_job_that_no_other_keeps_is_not_therefore_the_first(cluster):
    """Jobs that a limit or a reservation keeps are behind nobody, but not the highest."""
    running = cluster.sbatch("-n1", "-t10", user="amy")
    cluster.wait_state(running, "RUNNING")
    first, kept = (cluster.sbatch("-n1", "-t10", user="amy") for _ in range(2))
    outside = cluster.sbatch("-n1", "-t10", "--reservation=class", user="bob")
    for job, rank in ((first, 1), (kept, 2), (outside, 3)):
        seen = wait_checked(cluster, job, lambda seen, rank=rank: seen["rank"] == rank)
        assert seen["ahead"] == 0
        said = ask(cluster, "maui", "why", str(job)).stdout
        assert (", the highest of those that wait" in said) == (rank == 1), said
        assert "Rank: %d\n" % rank in ask(cluster, "checkjob", str(job)).stdout


def test_who_uses_a_limit_of_two_credentials(clusters):
    """MAXJOB of a user in a class: jobs of other users do not use it."""
    cluster = install(clusters(CFG + "CLASSCFG[main] MAXJOB[USER]=1\n", CONF, nodes=4))
    other = cluster.sbatch("-n1", "-t10", user="bob")
    own = cluster.sbatch("-n1", "-t10", user="steve")
    cluster.wait_state(other, "RUNNING")
    cluster.wait_state(own, "RUNNING")
    second = cluster.sbatch("-n1", "-t10", user="steve")
    seen = wait_checked(cluster, second, lambda seen: "MAXJOB CLASS main USER steve" in
                        (seen["reason"] or ""))
    text = ask(cluster, "checkjob", "-v", str(second)).stdout
    assert "in use by %d\n" % own in text, (seen, text)


def test_a_running_job_and_an_array(cluster):
    job = cluster.sbatch("-N2", "-c4", "-t10")
    seen = wait_checked(cluster, job, lambda seen: seen["state"] == "Running")
    assert seen["nodes"] == 2 and seen["end"] - seen["start"] == 600
    array = cluster.sbatch("--array=1-3", "--begin=now+1hour")
    wait_until(lambda: ask(cluster, "checkjob", "%d_2" % array, check=False).returncode == 0,
               "the array is known")
    assert "Blocked" in ask(cluster, "checkjob", "%d_2" % array).stdout


def test_tasks_of_an_array_are_told_apart(cluster):
    array = cluster.sbatch("--array=1-6", "-N1", "-c4", "-t10", user="steve")
    wait_until(lambda: "Running" in ask(cluster, "checkjob", "%d_2" % array, check=False).stdout,
               "task 2 runs")
    seen = wait_checked(cluster, array, lambda seen: seen["state"] == "Idle" and seen["reasons"])
    assert seen["label"] == "%d_[4-6]" % array and seen["jobs"] == 3, seen
    assert checked(cluster, "%d_2" % array)["label"] == "%d_2" % array
    assert checked(cluster, "%d_5" % array)["state"] == "Idle"
    refused(cluster, 5, "no task 7 of job %d" % array, "checkjob", "%d_7" % array)


def test_bad_calls_have_an_exit_status(cluster):
    refused(cluster, 5, "no job 99999 is waiting or running", "checkjob", "99999")
    refused(cluster, 2, "'x' is not the number of a job", "checkjob", "x")
    refused(cluster, 2, "name one job", "checkjob")


def test_control_characters_do_not_reach_the_terminal(cluster):
    job = cluster.sbatch("-N4", "--account=a\x1b[31mb", "--begin=now+1hour")
    wait_until(lambda: ask(cluster, "checkjob", str(job), check=False).returncode == 0,
               "the job is known")
    assert "\x1b" not in ask(cluster, "checkjob", str(job)).stdout


def test_private_data_hides_the_jobs_of_others(clusters):
    cluster = install(clusters(CFG + "ADMIN3 john\n", CONF + "PrivateData=jobs\n", nodes=4))
    job = cluster.sbatch("--begin=now+1hour", user="steve")
    wait_until(lambda: ask(cluster, "checkjob", str(job), check=False).returncode == 0,
               "the job is known")
    assert checked(cluster, job, user="steve")["user"] == "steve"
    refused(cluster, 5, "no job %d" % job, "checkjob", str(job), user="amy")
    assert checked(cluster, job, user="john")["user"] == "steve", "ADMIN3, who has no job"


def test_a_job_without_a_limit_has_no_end(cluster):
    """The plan expects one (SYSTEMDEFAULTJOBWALLTIME), which is no promise."""
    job = cluster.sbatch("-n1", "-tUNLIMITED")
    running(cluster, job)
    time.sleep(2)  # the next cycle reads the job from slurmctld
    assert "without a time limit" in ask(cluster, "maui", "why", str(job)).stdout
    assert "\nEnd by its limit: none\n" in ask(cluster, "checkjob", str(job)).stdout
    assert "no limit" in ask(cluster, "maui", "queue").stdout
    assert "INFINITY" in ask(cluster, "showq").stdout
    behind = cluster.sbatch("-N4", "--exclusive", "-t5")
    ends = "%d (no time limit: planned with SYSTEMDEFAULTJOBWALLTIME)" % job
    wait_until(lambda: ends in ask(cluster, "checkjob", str(behind), check=False).stdout,
               "checkjob says where the end is from")


def test_a_hold_of_slurms_is_not_its_users(cluster):
    """slurmctld gives both the same reason, JobHeldUser, and its own ones words."""
    job = cluster.sbatch("-N1", "-t10")
    cluster.wait_state(job, "RUNNING")
    cluster.scontrol("requeuehold", str(job))
    wait_checked(cluster, job, lambda seen: seen["reason"] == "held by Slurm: job requeued in held state")
    assert "Held by Slurm: job requeued in held state." in cluster.maui("why", str(job)).stdout
    cluster.scontrol("release", str(job))
    cluster.scontrol("hold", str(job))
    wait_checked(cluster, job, lambda seen: seen["reason"] == "held by an administrator")
