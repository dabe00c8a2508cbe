# SPDX-License-Identifier: GPL-2.0-or-later
"""Preemption by Maui's rules: QOS flags PREEMPTOR and PREEMPTEE, without slurmdbd.

Rules: PRE-4, PRE-5, PRE-7, PRE-8, PRE-9.
"""

import os
import re
import time

import pytest
from cluster import wait_until
from starts import CFG as PLAIN
from starts import (CONF, may_start_again, nodes_of, running, stays_pending, wait_iterations,
                    wait_reason)

CFG = """
RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 0
QOSWEIGHT 1000
QOSCFG[high] PRIORITY=9 QFLAGS=PREEMPTOR
QOSCFG[low] PRIORITY=1 QFLAGS=PREEMPTEE
QOSCFG[plain] PRIORITY=5
PREEMPTPOLICY %s
"""


def preempts(policy, lines=""):
    return CFG % policy + lines


@pytest.fixture(scope="module")
def whole(clusters):
    return clusters(preempts("REQUEUE"), CONF, nodes=4)


def low(cluster, *options, **keywords):
    """A running job of QOS low on all processors of n1."""
    job = cluster.sbatch("-t5", "-n4", "-w", "n1", "--mem=1000", "--qos=low", *options, **keywords)
    running(cluster, job)
    return job


def high(cluster, *options):
    return cluster.sbatch("-t5", "-n4", "-w", "n1", "--mem=1000", "--qos=high", *options)


def test_requeue(cluster):
    """The victim is back in the queue, the preemptor has its node, and after it the victim runs
    again."""
    cluster.reconfigure(preempts("REQUEUE"))
    victim, other = low(cluster), cluster.sbatch("-t5", "-n1", "-w", "n2", "--qos=low")
    running(cluster, other)
    winner = high(cluster)
    running(cluster, winner)
    assert nodes_of(cluster, winner) == ["n1"]
    assert cluster.job(other).state == "RUNNING", "nobody had to go for n2"
    seen = cluster.job(victim)
    assert seen.state == "PENDING" and seen.fields["Restarts"] == "1", seen
    may_start_again(cluster, victim)
    stays_pending(cluster, victim)
    assert cluster.job(winner).state == "RUNNING", "it is not preempted back"
    cluster.run("scancel", str(winner))
    running(cluster, victim)


def test_only_preemptors_preempt_preemptees(cluster):
    """Neither a job without the flag preempts, nor is one preempted."""
    cluster.reconfigure(preempts("REQUEUE"))
    victim = low(cluster)
    plain = cluster.sbatch("-t5", "-n4", "-w", "n1", "--qos=plain")
    wait_reason(cluster, plain, "^Resources")
    stays_pending(cluster, plain)
    assert cluster.job(victim).fields["Restarts"] == "0"
    cluster.run("scancel", str(victim))
    running(cluster, plain)
    winner = high(cluster)
    stays_pending(cluster, winner)
    assert cluster.job(plain).state == "RUNNING", "plain is no PREEMPTEE"


def test_no_requeue_victims_are_spared(cluster):
    cluster.reconfigure(preempts("REQUEUE"))
    victim = low(cluster, "--no-requeue")
    winner = high(cluster)
    stays_pending(cluster, winner)
    seen = cluster.job(victim)
    assert seen.state == "RUNNING" and seen.fields["Restarts"] == "0"


def test_nothing_is_vacated_in_vain(cluster):
    """No job is preempted on a drained node, where the preemptor could not start."""
    cluster.reconfigure(preempts("REQUEUE"))
    victim = low(cluster)
    cluster.drain()
    try:
        winner = high(cluster)
        stays_pending(cluster, winner)
        assert cluster.job(victim).state == "RUNNING"
    finally:
        cluster.undrain()
    running(cluster, winner)
    assert cluster.job(victim).fields["Restarts"] == "1"


def test_only_as_many_as_needed(cluster):
    """Of four candidates the cheapest is preempted; jobs of higher priority stay."""
    cluster.reconfigure(preempts("REQUEUE"))
    victims = [cluster.sbatch("-t5", "-N1", "--exclusive", "-w", "n%d" % node, "--qos=low")
               for node in range(1, 5)]
    running(cluster, *victims)
    winner = cluster.sbatch("-t5", "-N2", "--exclusive", "--qos=high")
    running(cluster, winner)
    wait_iterations(cluster)
    states = [cluster.job(job).state for job in victims]
    assert states.count("RUNNING") == 2 and states.count("PENDING") == 2, states


def test_suspend(cluster):
    """The preempted job stops, keeps its memory, and resumes after the preemptor's end."""
    cluster.reconfigure(preempts("SUSPEND"))
    victim = low(cluster)
    winner = high(cluster)
    running(cluster, winner)
    seen = cluster.job(victim)
    assert seen.state == "SUSPENDED" and seen.fields["Restarts"] == "0", seen
    wait_iterations(cluster)
    assert cluster.job(victim).state == "SUSPENDED"
    assert "\nSuspended: 1 time, " in cluster.maui("checkjob", str(victim)).stdout
    cluster.run("scancel", str(winner))
    cluster.wait_state(victim, "RUNNING")
    assert cluster.job(victim).start == seen.start, "the same run"
    again = high(cluster)
    running(cluster, again)
    cluster.run("scancel", str(again))
    cluster.wait_state(victim, "RUNNING")
    wait_iterations(cluster)
    said = cluster.maui("checkjob", str(victim)).stdout
    found = re.search(r"^Suspended: (\d) times, 00:00:(\d+) in all$", said, re.M)
    assert found, said
    times, length = found.groups()
    assert times in "23" and 1 <= int(length) < 60, said


def test_other_cores_are_not_kept_for_a_suspended_job(cluster):
    """It resumes on its own cores; while another job has these, free ones serve those who wait."""
    cluster.reconfigure(preempts("SUSPEND"))

    def half(qos, *options):
        return cluster.sbatch("-t60", "-n2", "-w", "n1", "--mem=500", "--qos=" + qos, *options)
    victim, other = half("low"), half("plain")
    running(cluster, victim, other)
    winner = half("high")
    running(cluster, winner)
    assert cluster.job(victim).state == "SUSPENDED"
    waiting = cluster.sbatch("-t2", "-n2", "-w", "n1", "--mem=500", "--qos=low")
    stays_pending(cluster, waiting)
    cluster.run("scancel", str(other))
    running(cluster, waiting)
    assert cluster.job(victim).state == "SUSPENDED"
    cluster.run("scancel", str(winner))
    cluster.wait_state(victim, "RUNNING")


def test_suspended_jobs_resume_after_a_crash(own_cluster):
    """slurmctld is killed between the suspension and slurm-maui's next regular save."""
    cluster = own_cluster(preempts("SUSPEND"), CONF, nodes=4)
    victim = low(cluster)
    cluster.wait_saved()  # the next one is half a minute away
    winner = high(cluster)
    cluster.wait_state(victim, "SUSPENDED")
    running(cluster, winner)
    cluster.wait_jobs_saved(winner)
    cluster.restart(kill=True)
    assert cluster.job(victim).state == "SUSPENDED"
    cluster.run("scancel", str(winner))
    cluster.wait_state(victim, "RUNNING")


def test_suspended_by_hand_stays_so(cluster):
    """slurm-maui does not resume a job that the administrator has suspended."""
    cluster.reconfigure(preempts("SUSPEND"))
    job = low(cluster)
    cluster.scontrol("suspend", str(job))
    cluster.wait_state(job, "SUSPENDED")
    other = cluster.sbatch("-t1", "-n1", "-w", "n2", command="true")
    cluster.wait_over(other)
    wait_iterations(cluster)
    assert cluster.job(job).state == "SUSPENDED"
    cluster.scontrol("resume", str(job))
    cluster.wait_state(job, "RUNNING")


def test_suspended_memory_counts(cluster):
    """No job is suspended when its memory would still keep the preemptor out."""
    cluster.reconfigure(preempts("SUSPEND"))
    victim = cluster.sbatch("-t5", "-n4", "-w", "n1", "--mem=3000", "--qos=low")
    running(cluster, victim)
    winner = cluster.sbatch("-t5", "-n4", "-w", "n1", "--mem=3000", "--qos=high")
    stays_pending(cluster, winner)
    assert cluster.job(victim).state == "RUNNING"


def test_backfill_policy_preempt(cluster):
    """A job backfilled under BACKFILLPOLICY PREEMPT is preempted for the job that it delays."""
    cluster.reconfigure(preempts("REQUEUE", "BACKFILLPOLICY PREEMPT\n"))
    block = cluster.sbatch("-t5", "-N1", "--exclusive", "-w", "n1", "--qos=plain")
    running(cluster, block)
    top = cluster.sbatch("-t5", "-N4", "--exclusive", "--priority=9000", "--qos=plain")
    filler = cluster.sbatch("-t60", "-N3", "--exclusive", "--priority=10")
    running(cluster, filler)
    cluster.run("scancel", str(block))
    running(cluster, top)
    assert cluster.job(filler).fields["Restarts"] == "1"


def test_backfilled_jobs_are_preempted_after_a_crash(own_cluster):
    """slurmctld is killed between the job's start and slurm-maui's next regular save."""
    cluster = own_cluster(preempts("REQUEUE", "BACKFILLPOLICY PREEMPT\n"), CONF, nodes=4)
    block = cluster.sbatch("-t5", "-N1", "--exclusive", "-w", "n1", "--qos=plain")
    running(cluster, block)
    top = cluster.sbatch("-t5", "-N4", "--exclusive", "--priority=9000", "--qos=plain")
    cluster.wait_saved()
    filler = cluster.sbatch("-t60", "-N3", "--exclusive", "--priority=10")
    running(cluster, filler)
    cluster.wait_jobs_saved(filler)
    cluster.restart(kill=True)
    cluster.run("scancel", str(block))
    running(cluster, top)
    assert cluster.job(filler).fields["Restarts"] == "1"


def test_a_victim_in_its_prolog_is_asked_again(own_cluster, tmp_path):
    """Nobody can be suspended while a prolog runs: it is tried again until it works."""
    prolog = tmp_path / "prolog"
    prolog.write_text('#!/bin/sh\n[ "$SLURM_JOB_NAME" != slow ] || sleep 8\n', encoding="ascii")
    os.chmod(prolog, 0o755)
    cluster = own_cluster(preempts("SUSPEND"), CONF + "PrologSlurmctld=%s\n" % prolog, nodes=4)
    victim = cluster.sbatch("-t5", "-n4", "-w", "n1", "--mem=1000", "--qos=low", "--job-name=slow")
    cluster.wait_state(victim, "CONFIGURING")
    began, mark, winner = time.monotonic(), cluster.log_size(), high(cluster)
    cluster.wait_log(r"slurm-maui: JobId=%d not suspended for JobId=%d" % (victim, winner), mark)
    cluster.wait_state(victim, "SUSPENDED")
    running(cluster, winner)
    assert time.monotonic() - began < 20
    said = re.findall(r"info.*slurm-maui: JobId=%d not suspended" % victim, cluster.log_since(mark))
    assert len(said) <= 1, "once, not at each try"


def test_no_job_goes_while_another_one_must_stay(own_cluster, tmp_path):
    """Two jobs have to go, and the prolog of one still runs: the other one goes on until then."""
    prolog, go_on = tmp_path / "prolog", tmp_path / "go-on"
    prolog.write_text('#!/bin/sh\n[ "$SLURM_JOB_NAME" = slow ] || exit 0\n'
                      'for i in $(seq 600); do [ ! -e %s ] || exit 0; sleep 0.1; done\n' % go_on,
                      encoding="ascii")
    os.chmod(prolog, 0o755)
    cluster = own_cluster(preempts("SUSPEND"), CONF + "PrologSlurmctld=%s\n" % prolog, nodes=4)
    other = low(cluster)
    slow = cluster.sbatch("-t5", "-n4", "-w", "n2", "--mem=1000", "--qos=low", "--job-name=slow")
    cluster.wait_state(slow, "CONFIGURING")
    mark = cluster.log_size()
    winner = cluster.sbatch("-t5", "-N2", "-n8", "-w", "n[1-2]", "--mem=1000", "--qos=high")
    cluster.wait_log(r"slurm-maui: JobId=%d not suspended for JobId=%d" % (slow, winner), mark)
    wait_iterations(cluster)
    assert cluster.job(other).state == "RUNNING"
    go_on.touch()
    running(cluster, winner)
    assert cluster.job(other).state == cluster.job(slow).state == "SUSPENDED"


# ---- what Slurm would refuse all the same ----

BOUND = """
GresTypes=gpu
SchedulerType=sched/maui
NodeName=n1 CPUs=8 Sockets=2 CoresPerSocket=4 RealMemory=4000 Gres=gpu:2
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
GRES = {"gres.conf": "NodeName=n1 Name=gpu File=%DEVICES/gpu0 Cores=0-3\n"
                     "NodeName=n1 Name=gpu File=%DEVICES/gpu1 Cores=4-7\n"}
GPU = ["--mem=100", "--gres-flags=enforce-binding"]


def bound_cluster(own_cluster, policy):
    """Four cores of the first GPU are taken by a job that is no preemptee, two of the second GPU's
    by a preemptee with that GPU."""
    cluster = own_cluster(preempts(policy), BOUND, nodes=1, files=GRES)
    plain = cluster.sbatch("-t60", "-n4", "--mem=100", "--qos=plain", "-m", "block:block",
                           "--ntasks-per-socket=4")
    running(cluster, plain)
    victim = cluster.sbatch("-t60", "-n2", "--ntasks-per-socket=2", "--gres=gpu:1", "--qos=low", *GPU)
    running(cluster, victim)
    return cluster, plain, victim


def restarts(cluster, job):
    return int(cluster.job(job).fields["Restarts"])


def test_slurm_is_asked_before_a_job_goes(own_cluster):
    """By numbers the preemptor fits once the victim has gone, but the cores of one of its GPUs are
    another job's: Slurm would refuse it. The victim stays, nothing is kept for the preemptor, and
    the log does not repeat the question."""
    cluster, plain, victim = bound_cluster(own_cluster, "REQUEUE")
    winner = cluster.sbatch("-t5", "-n2", "--gres=gpu:2", "--qos=high", *GPU)
    short = cluster.sbatch("-t2", "-n2", "--mem=100", "--qos=plain")
    running(cluster, short)
    wait_iterations(cluster, 5)
    seen = cluster.job(victim)
    assert seen.state == "RUNNING" and restarts(cluster, victim) == 0, seen
    assert cluster.job(winner).state == "PENDING"
    asked = re.findall(r"slurm-maui: JobId=%d would not start" % winner, cluster.log_since())
    assert len(asked) <= 3, "once for each change on the node"
    cluster.run("scancel", str(plain), str(short))
    running(cluster, winner)
    assert restarts(cluster, victim) == 1, "now the preemption helps"


def test_a_gpu_is_won_by_preemption(own_cluster):
    """Slurm's test knows that the victim gives its GPU and the GPU's cores back."""
    cluster, _, victim = bound_cluster(own_cluster, "REQUEUE")
    second = cluster.sbatch("-t60", "-n2", "--mem=100", "--qos=low")
    running(cluster, second)
    winner = cluster.sbatch("-t5", "-n4", "--gres=gpu:1", "--qos=high", *GPU)
    running(cluster, winner)
    assert restarts(cluster, victim) == 1 and restarts(cluster, second) == 1


def test_nobody_takes_the_cores_that_a_preemptor_needs(own_cluster):
    """The plain job lies across both sockets. Two processors stay free: a short job that started
    there while the victim goes would take the cores of the preemptor's second GPU. Since 24.11
    Slurm gives the preemptor these two as well."""
    cluster = own_cluster(preempts("REQUEUE"), BOUND, nodes=1, files=GRES)
    running(cluster, cluster.sbatch("-t60", "-n4", "--mem=100", "--qos=plain", "-m", "block:cyclic"))
    victim = cluster.sbatch("-t60", "-n2", "--gres=gpu:1", "--qos=low", *GPU)
    running(cluster, victim)
    winner = cluster.sbatch("-t5", "-n2", "--gres=gpu:2", "--qos=high", *GPU)
    short = cluster.sbatch("-t2", "-n2", "--mem=100", "--qos=plain")
    running(cluster, winner)
    assert restarts(cluster, victim) == 1
    cluster.run("scancel", str(winner))
    running(cluster, short)


def test_further_jobs_go_when_slurm_needs_their_place(own_cluster):
    """By numbers one of two preemptees suffices. The preemptor wants a core of each socket, so both
    have to go; a third one, on the first socket's last core, stays."""
    conf = BOUND.replace("GresTypes=gpu\n", "").replace(" Gres=gpu:2", "")
    cluster = own_cluster(preempts("REQUEUE"), conf, nodes=1)
    fill = ["-t60", "--mem=100", "--qos=low", "-m", "block:block"]
    first = cluster.sbatch("-n3", "--ntasks-per-socket=4", *fill)
    running(cluster, first)
    third = cluster.sbatch("-n1", *fill)
    running(cluster, third)
    second = cluster.sbatch("-n4", "--ntasks-per-socket=4", *fill)
    running(cluster, second)
    winner = cluster.sbatch("-t5", "-N1", "-n2", "--mem=100", "--qos=high", "--sockets-per-node=2",
                            "--ntasks-per-socket=1")
    running(cluster, winner)
    assert restarts(cluster, second) == 1
    assert restarts(cluster, first) + restarts(cluster, third) == 1, "one of them suffices"


def test_room_goes_back_when_slurm_refuses_all_the_same(own_cluster):
    """A suspended job keeps its GPU, of which Slurm's test knows nothing: the preemptor gets no GPU
    with free cores. The victim resumes at once and is not suspended again."""
    cluster, _, victim = bound_cluster(own_cluster, "SUSPEND")
    mark = cluster.log_size()
    winner = cluster.sbatch("-t5", "-n4", "--gres=gpu:1", "--qos=high", *GPU)
    cluster.wait_log(r"slurm-maui: JobId=%d gives the nodes back" % winner, mark)
    cluster.wait_state(victim, "RUNNING")
    wait_iterations(cluster, 5)
    assert cluster.job(victim).state == "RUNNING" and cluster.job(winner).state == "PENDING"
    log = cluster.log_since(mark)
    assert len(re.findall(r"slurm-maui: suspended JobId=%d" % victim, log)) == 1
    assert len(re.findall(r"slurm-maui: resumed JobId=%d" % victim, log)) == 1


@pytest.mark.parametrize("begin", ["", "now+1hour"])
def test_a_job_that_was_requeued_in_vain_starts_again_at_once(own_cluster, tmp_path, begin):
    """The preemptor is cancelled while the victim exits: the victim does not wait for the two
    minutes that Slurm puts behind a requeue, but for the begin time that its user sets."""
    epilog, go_on = tmp_path / "epilog", tmp_path / "go-on"
    # of slurmd, so that the node is not free either; the victim is the first job
    epilog.write_text('#!/bin/sh\nfor i in $(seq 300); do [ "$SLURM_JOB_ID" = 1 ] && '
                      '[ ! -e %s ] || exit 0; sleep 0.1; done\n' % go_on, encoding="ascii")
    os.chmod(epilog, 0o755)
    cluster = own_cluster(preempts("REQUEUE"), CONF + "Epilog=%s\n" % epilog, nodes=4)
    victim = low(cluster)
    assert victim == 1
    winner = high(cluster)
    cluster.wait_log(r"slurm-maui: requeued JobId=%d" % victim)
    cluster.run("scancel", str(winner))
    go_on.touch()
    began = time.monotonic()
    if begin:
        cluster.update(victim, "starttime=" + begin)
        time.sleep(5)
        stays_pending(cluster, victim)
        assert cluster.job(victim).start > time.time() + 3000
        return
    running(cluster, victim)
    assert restarts(cluster, victim) == 1 and time.monotonic() - began < 30


# ---- Slurm's own preemption ----

TIERS = """
NodeName=n[1-4] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE PriorityTier=1 State=UP
PartitionName=urgent Nodes=ALL MaxTime=INFINITE PriorityTier=10 State=UP
"""
SLURMS = {"PreemptType": "preempt/partition_prio", "PreemptMode": "REQUEUE"}


def in_both_ways(cluster):
    """A victim and a preemptor by Maui's flags and by Slurm's tiers."""
    return low(cluster), high(cluster, "-p", "urgent")


def test_there_and_back(own_cluster):
    """Victims of sched/backfill are started by sched/maui, and the reverse; a job in its grace time
    goes under either scheduler."""
    lines = "".join("%s=%s\n" % item for item in SLURMS.items())
    cluster = own_cluster(preempts("REQUEUE"), TIERS + "SchedulerType=sched/backfill\n" + lines,
                          nodes=4)
    victim, winner = in_both_ways(cluster)
    running(cluster, winner)
    assert cluster.job(victim).fields["Restarts"] == "1", "Slurm preempts here"
    cluster.stop()
    cluster.edit_slurm_conf(SchedulerType="sched/maui")
    cluster.start()
    assert cluster.job(winner).state == "RUNNING"
    may_start_again(cluster, victim)
    stays_pending(cluster, victim)
    cluster.scontrol("update", "partitionname=main", "gracetime=300")
    other = cluster.sbatch("-t5", "-n4", "-w", "n2", command="trap : TERM; sleep 600")
    running(cluster, other)
    urgent = cluster.sbatch("-t5", "-n4", "-w", "n2", "-p", "urgent")
    wait_until(lambda: "PreemptTime" in cluster.job(other).fields, "its grace time begins")
    cluster.run("scancel", str(winner))
    running(cluster, victim)
    cluster.stop()
    cluster.edit_slurm_conf(SchedulerType="sched/backfill")
    cluster.start()
    cluster.run("scancel", str(other))
    running(cluster, urgent)


def test_slurms_own_preemption_on_reconfigure(own_cluster):
    """Slurm's rules hold as long as PreemptType is set, with an error about maui.cfg's flags; then
    Maui's work again."""
    cluster = own_cluster(preempts("REQUEUE"), TIERS + "SchedulerType=sched/maui\n", nodes=4)
    pid, mark = cluster.daemon_pid(), cluster.log_size()
    cluster.edit_slurm_conf(**SLURMS)
    cluster.reconfigure()
    victim, equal = low(cluster), high(cluster, "-p", "main")
    stays_pending(cluster, equal)
    cluster.wait_log(r"slurm-maui: [^\n]*PreemptType=[^\n]* is set: PREEMPTOR", mark)
    winner = high(cluster, "-p", "urgent")
    running(cluster, winner)
    assert cluster.job(victim).fields["Restarts"] == "1"
    cluster.cancel_all()
    cluster.edit_slurm_conf(PreemptType=None, PreemptMode=None)
    cluster.reconfigure()
    victim, winner = low(cluster), high(cluster, "-p", "main")
    running(cluster, winner)
    assert cluster.job(victim).fields["Restarts"] == "1"
    assert cluster.daemon_pid() == pid


@pytest.mark.parametrize("slurms", [False, True])
def test_a_job_that_fits_by_number_alone_preempts(own_cluster, slurms):
    """Two processors and a GPU are free, but all cores of that GPU are one job's: either it goes,
    or the job with the other GPU."""
    conf, low, high = BOUND, ["--qos=low"], ["--qos=high"]
    if slurms:
        conf = BOUND + ("PartitionName=top Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=9\n"
                        "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n")
        low, high = [], ["-p", "top"]
    cluster = own_cluster(PLAIN if slurms else preempts("REQUEUE"), conf, nodes=1, files=GRES)
    first = cluster.sbatch("-t60", "-n4", "--mem=100", "-m", "block:block",
                           "--ntasks-per-socket=4", *low)
    running(cluster, first)
    second = cluster.sbatch("-t60", "-n2", "--ntasks-per-socket=2", "--gres=gpu:1", *GPU, *low)
    running(cluster, second)
    winner = cluster.sbatch("-t5", "-n2", "--gres=gpu:1", *GPU, *high)
    running(cluster, winner)
    assert restarts(cluster, first) + restarts(cluster, second) == 1
