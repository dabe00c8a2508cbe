# SPDX-License-Identifier: GPL-2.0-or-later
"""With a slurmdbd on a MariaDB: Slurm enforces the limits of its QOSs and associations, Maui gives
the priorities and starts the jobs.

Rules: THR-15, THR-18, RSV-32, CMD-9, CMD-40, CMD-71, BF-2.
"""

import os
import time

import pytest
from cluster import SLURM, wait_until
from database import run_minutes, with_database
from reservations import ask, install
from starts import CONF, reason, running, stays_pending, wait_iterations, wait_reason

CFG = """
RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 0
QOSWEIGHT 1000
USERWEIGHT 1
QOSCFG[express] PRIORITY=9
QOSCFG[night] PRIORITY=2
USERCFG[steve] PRIORITY=3
USERCFG[amy] PRIORITY=4
ACCOUNTCFG[bio] MAXJOB=1
"""
ENFORCE = CONF + "AccountingStorageEnforce=associations,limits,qos\n"


@pytest.fixture(scope="module")
def whole(clusters):
    cluster = with_database(clusters, CFG, ENFORCE, nodes=4)
    cluster.sacctmgr("add", "qos", "express", "night")
    cluster.sacctmgr("add", "account", "phys", "bio", "chem")
    for user in ("steve", "amy"):
        cluster.sacctmgr("add", "user", user, "account=phys,bio", "defaultaccount=phys",
                         "qos=normal,express,night")
    return install(cluster)


def qos_of(cluster, job):
    return cluster.run("squeue", "-h", "-j", str(job), "-o", "%q").stdout.strip()


def test_only_members_may_submit(cluster):
    refused = cluster.run(*cluster.sbatch_command("-t1", user="bob"), check=False)
    assert refused.returncode and "Invalid account" in refused.stderr
    refused = cluster.run(*cluster.sbatch_command("-t1", "-Achem"), check=False)
    assert refused.returncode and "Invalid account" in refused.stderr
    refused = cluster.run(*cluster.sbatch_command("-t1", "--qos=nosuch"), check=False)
    assert refused.returncode and "nvalid qos" in refused.stderr
    job = cluster.sbatch("-t1", command="true")
    cluster.wait_over(job)
    assert cluster.job(job).state == "COMPLETED"


def test_priorities_are_ours(cluster):
    cluster.drain()
    jobs = {(user, qos): cluster.sbatch("-t1", "-N4", "--exclusive", "--qos=" + qos, user=user,
                                        command="sleep 1")
            for user, qos in (("steve", "night"), ("amy", "express"), ("steve", "normal"))}
    cluster.wait_cycle()
    assert cluster.squeue() == {jobs["steve", "night"]: 2003, jobs["amy", "express"]: 9004,
                                jobs["steve", "normal"]: 3}
    cluster.undrain()
    cluster.wait_over(*jobs.values())
    order = sorted(jobs, key=lambda key: cluster.job(jobs[key]).start)
    assert order == [("amy", "express"), ("steve", "night"), ("steve", "normal")]


def test_questions_name_accounts_and_qos_of_slurmdbd(cluster):
    def fits(*options):
        return cluster.maui("fits", "-u", "steve", *options, check=False)
    for option, there in (("-A", "phys"), ("-A", "chem"), ("-q", "night"), ("-q", "normal")):
        assert fits(option, there).returncode != 5, there
    for option, kind in (("-A", "account"), ("-q", "QOS")):
        found = fits(option, "nosuch")
        assert found.returncode == 5 and "no %s 'nosuch'" % kind in found.stderr, found
    cluster.sacctmgr("add", "account", "later")
    wait_until(lambda: fits("-A", "later").returncode != 5, "the new account is known")


def test_a_limit_of_the_qos(cluster):
    """GrpJobs=1: Slurm's own reason, and jobs behind it are not held up."""
    cluster.sacctmgr("modify", "qos", "night", "set", "GrpJobs=1")
    try:
        first, second = (cluster.sbatch("-t5", "-n1", "--qos=night") for _ in range(2))
        running(cluster, first)
        wait_reason(cluster, second, "^QOSGrpJobsLimit$")
        other = cluster.sbatch("-t5", "-n1", "--qos=normal")
        running(cluster, other)
        cluster.run("scancel", str(first))
        running(cluster, second)
    finally:
        cluster.sacctmgr("modify", "qos", "night", "set", "GrpJobs=-1")


several_qos = pytest.mark.skipif(SLURM < (24, 11), reason="Slurm 24.11 and later take several QOS a job")


@several_qos
def test_the_next_qos_of_a_job(cluster):
    """A job of two QOS waits for neither's limit alone: it runs in the one that has room, which is
    charged."""
    cluster.sacctmgr("modify", "qos", "express", "set", "GrpJobs=1", "Priority=10")
    cluster.sacctmgr("modify", "qos", "night", "set", "GrpJobs=1")
    try:
        jobs = [cluster.sbatch("-t5", "-n1", "--qos=night,express") for _ in range(3)]
        running(cluster, *jobs[:2])
        wait_reason(cluster, jobs[2], "^QOSGrpJobsLimit$")
        assert sorted(qos_of(cluster, job) for job in jobs[:2]) == ["express", "night"]
        express = jobs[0] if qos_of(cluster, jobs[0]) == "express" else jobs[1]
        cluster.run("scancel", str(express))
        running(cluster, jobs[2])
        assert qos_of(cluster, jobs[2]) == "express"
    finally:
        cluster.sacctmgr("modify", "qos", "express", "set", "GrpJobs=-1", "Priority=0")
        cluster.sacctmgr("modify", "qos", "night", "set", "GrpJobs=-1")


@several_qos
def test_qlist_is_for_each_qos_of_a_job(cluster):
    cluster.reconfigure(CFG + "USERCFG[steve] QLIST=normal,night QDEF=normal\n")
    try:
        refused = cluster.run(*cluster.sbatch_command("-t1", "--qos=night,express"), check=False)
        assert refused.returncode and "QOS 'express' is not open to you" in refused.stderr
        job = cluster.sbatch("-t5", "-n1", "--qos=night,normal")
        refused = cluster.run("scontrol", "update", "JobId=%d" % job, "QOS=normal,express", user="steve",
                              check=False)
        assert refused.returncode
        running(cluster, job)
    finally:
        cluster.reconfigure(CFG)


def test_qlist_of_the_default_account(cluster):
    """A job that names no account is one of its user's default account, phys."""
    cluster.reconfigure(CFG + "SYSCFG QLIST=normal\nACCOUNTCFG[phys] QLIST=normal,express\n"
                        "ACCOUNTCFG[bio] QLIST=normal\n")
    try:
        job = cluster.sbatch("-t5", "-n1", "--qos=express", user="steve")
        running(cluster, job)
        assert qos_of(cluster, job) == "express"
        refused = cluster.run(*cluster.sbatch_command("-t1", "-Abio", "--qos=express"), check=False)
        assert refused.returncode and "QOS 'express' is not open to you, account bio" in refused.stderr
    finally:
        cluster.reconfigure(CFG)


def test_an_update_takes_no_qos_where_it_is_closed(cluster):
    cluster.reconfigure(CFG + "SYSCFG QLIST=normal\nACCOUNTCFG[phys] QLIST=normal,express\n"
                        "ACCOUNTCFG[bio] QLIST=normal\n")

    def update(job, *changes, user="steve"):
        return cluster.run("scontrol", "update", "jobid=%d" % job, *changes, user=user,
                           check=False).returncode == 0
    try:
        job = cluster.sbatch("-t5", "-H", "--qos=express")
        assert not update(job, "account=bio")  # without a word of the QOS
        assert not update(job, "account=BIO")  # slurmdbd's names have no case
        assert (cluster.job(job).account, qos_of(cluster, job)) == ("phys", "express")
        assert update(job, "account=bio", "qos=normal")
        assert not update(job, "qos=express") and update(job, "account=PHYS", "qos=express")
        assert update(job, "account=bio", user=None)  # root is not bound by it
        assert (cluster.job(job).account, qos_of(cluster, job)) == ("bio", "express")
        assert update(job, "account=phys") and update(job, "account=phys")
    finally:
        cluster.reconfigure(CFG)


def test_long_lists_of_qos_and_partitions(cluster):
    """slurmctld asks its plugins before it looks how long a list is, with its locks held."""
    path = os.path.join(cluster.base, "long.sh")
    with open(path, "w", encoding="ascii") as script:
        script.write("#!/bin/sh\n#SBATCH --qos=%s\n#SBATCH --partition=%s\n"
                     % (",".join(["normal"] * 4000), ",".join(["main"] * 60000)))
    os.chmod(path, 0o755)
    began = time.monotonic()
    refused = cluster.run("sbatch", "--chdir=/tmp", "-o/dev/null", path, user="steve", check=False)
    assert refused.returncode and "too long" in refused.stderr
    assert time.monotonic() - began < 30  # it was 150


@several_qos
def test_several_qos_over_a_restart(cluster):
    cluster.drain()
    try:
        job = cluster.sbatch("-t5", "-n1", "--qos=night,express")
        cluster.restart()
        stays_pending(cluster, job)
    finally:
        cluster.undrain()
    running(cluster, job)
    cluster.restart()
    assert qos_of(cluster, job) in ("night", "express")


def test_limits_of_an_association(cluster):
    cluster.sacctmgr("modify", "user", "steve", "where", "account=phys", "set", "MaxJobs=2")
    try:
        jobs = [cluster.sbatch("-t5", "-n1") for _ in range(3)]
        running(cluster, *jobs[:2])
        wait_reason(cluster, jobs[2], "^AssocMaxJobsLimit$")
        amys = cluster.sbatch("-t5", "-N1", "--exclusive", user="amy")
        running(cluster, amys)
        cluster.sacctmgr("modify", "user", "steve", "where", "account=phys", "set", "MaxJobs=-1")
        running(cluster, jobs[2])
    finally:
        cluster.sacctmgr("modify", "user", "steve", "where", "account=phys", "set", "MaxJobs=-1")


def test_a_group_limit_on_cpus(cluster):
    """GrpTRES of the account, reached by jobs that start in one iteration, too."""
    cluster.sacctmgr("modify", "account", "phys", "set", "GrpTRES=cpu=6")
    try:
        cluster.drain()
        jobs = [cluster.sbatch("-t5", "-n2", "-N1") for _ in range(5)]
        cluster.undrain()
        wait_until(lambda: len(cluster.squeue("-t", "R")) == 3, "three of two processors each")
        wait_iterations(cluster)
        assert len(cluster.squeue("-t", "R")) == 3
        late = [job for job in jobs if cluster.job(job).state == "PENDING"]
        assert len(late) == 2
        wait_reason(cluster, late[0], "^AssocGrpCpuLimit$")
    finally:
        cluster.sacctmgr("modify", "account", "phys", "set", "GrpTRES=cpu=-1")
    running(cluster, *jobs)


def all_run_minutes(cluster):
    """Of all associations and QOS together."""
    return sum(run_minutes(cluster, "flags=assoc") + run_minutes(cluster, "flags=qos"))


def end(cluster, *jobs):
    cluster.run("scancel", *map(str, jobs))
    cluster.wait_over(*jobs)


@pytest.mark.parametrize("kind", ("association", "QOS"))
def test_run_minutes_come_back_when_a_job_ends(cluster, kind):
    """GrpTRESRunMins=cpu=10: short jobs, one after another, and two beside each other."""
    limited = {"association": ("user", "steve", "where", "account=phys"),
               "QOS": ("qos", "night")}[kind]
    blocked = {"association": "^AssocGrpCPURunMinutesLimit$", "QOS": "^QOSGrpCPURunMinutesLimit$"}[kind]
    options = ("-t4", "-n1", "--qos=night")
    cluster.sacctmgr("modify", *limited[:2], *limited[2:], "set", "GrpTRESRunMins=cpu=10")
    try:
        for _ in range(4):
            cluster.wait_over(cluster.sbatch(*options, command="true"))
        first, second, third = (cluster.sbatch(*options) for _ in range(3))
        running(cluster, first, second)
        wait_reason(cluster, third, blocked)
        end(cluster, first)
        running(cluster, third)
        end(cluster, second, third)
        wait_until(lambda: all_run_minutes(cluster) == 0, "all run-minutes given back")
    finally:
        cluster.sacctmgr("modify", *limited[:2], *limited[2:], "set", "GrpTRESRunMins=cpu=-1")


def test_run_minutes_of_a_job_with_time_min(cluster):
    """As under sched/backfill: the shortest time has to be within the limit, and the job runs with as
    much time as is planned for it."""
    cluster.sacctmgr("modify", "user", "steve", "where", "account=phys", "set",
                     "GrpTRESRunMins=cpu=20")
    try:
        flexible = cluster.sbatch("-t60", "--time-min=10", "-n1", "--qos=night")
        fixed = cluster.sbatch("-t60", "-n1", "--qos=night")
        assert running(cluster, flexible)[0].fields["TimeLimit"] == "01:00:00"
        wait_reason(cluster, fixed, "^AssocGrpCPURunMinutesLimit$")
        end(cluster, flexible, fixed)
        wait_until(lambda: all_run_minutes(cluster) == 0, "all run-minutes given back")
    finally:
        cluster.sacctmgr("modify", "user", "steve", "where", "account=phys", "set",
                         "GrpTRESRunMins=cpu=-1")


def test_run_minutes_are_counted_and_given_back_once(cluster):
    """After a requeue, another time limit, a usage factor, a restart of slurmctld, and a part of
    the nodes given back."""
    cluster.sacctmgr("modify", "qos", "express", "set", "UsageFactor=2")
    try:
        requeued, longer, doubled, shrunk = [
            cluster.sbatch("-t10", "-c1", *options) for options in
            (("-n1",), ("-n1",), ("-n1", "--qos=express"), ("-N2", "-n2"))]
        running(cluster, requeued, longer, doubled, shrunk)
        began = time.time()

        def wait_steves(minutes):
            """What six processors, two of them doubled, have run since may be gone: it is at the
            next count, after a restart or a minute."""
            def look():
                gone = 1 + 6 * (time.time() - began) / 60
                seen = run_minutes(cluster, "users=steve", "accounts=phys", "flags=assoc")
                assert any(minutes - gone <= each <= minutes for each in seen), (seen, gone)
                return True
            wait_until(look, "%d minutes of steve" % minutes)

        wait_steves(10 + 10 + 20 + 20)
        cluster.scontrol("requeue", str(requeued))  # which waits for two minutes then
        cluster.update(longer, "timelimit=20")
        cluster.update(shrunk, "numnodes=1")
        wait_steves(20 + 20 + 10)
        cluster.restart()
        wait_steves(20 + 20 + 10)
        end(cluster, requeued, longer, doubled, shrunk)
        wait_until(lambda: all_run_minutes(cluster) == 0, "all run-minutes given back")
    finally:
        cluster.sacctmgr("modify", "qos", "express", "set", "UsageFactor=1")


@pytest.mark.skipif(SLURM < (24, 11), reason="counted by user in a QOS since 24.05")
def test_run_minutes_of_a_user_in_a_qos(cluster):
    cluster.sacctmgr("modify", "qos", "night", "set", "MaxTRESRunMinsPerUser=cpu=10")
    try:
        options = ("-t4", "-n1", "--qos=night")
        for _ in range(4):
            cluster.wait_over(cluster.sbatch(*options, command="true"))
        jobs = [cluster.sbatch(*options) for _ in range(3)]
        running(cluster, *jobs[:2])
        stays_pending(cluster, jobs[2])
        end(cluster, jobs[0])
        running(cluster, jobs[2])
    finally:
        cluster.sacctmgr("modify", "qos", "night", "set", "MaxTRESRunMinsPerUser=cpu=-1")


def test_limits_of_maui_and_slurm_both_hold(cluster):
    first, second = (cluster.sbatch("-t5", "-n1", "-Abio") for _ in range(2))
    running(cluster, first)
    wait_reason(cluster, second, "MAXJOB ACCOUNT bio 1/1")
    for _ in range(20):  # acct_policy clears a limit's code whenever it looks at a job
        assert "MAXJOB ACCOUNT bio 1/1" in reason(cluster, second)
        time.sleep(0.1)
    cluster.run("scancel", str(first))
    running(cluster, second)


def test_a_qos_removed_and_added_again(cluster):
    """Jobs of the removed association do not start and delay no other job; with a new association
    they start again. Since 25.05 Slurm keeps a QOS that a job has."""
    cluster.sacctmgr("add", "qos", "brief")
    for user in ("steve", "amy"):
        cluster.sacctmgr("modify", "user", user, "set", "qos+=brief")
    pid = cluster.daemon_pid()
    cluster.drain()
    try:
        job = cluster.sbatch("-t5", "-n1", "--qos=brief")
        assert qos_of(cluster, job) == "brief"
        if SLURM >= (25, 5):
            with pytest.raises(AssertionError, match="Job.s. active"):
                cluster.sacctmgr("delete", "qos", "brief")
        else:
            cluster.sacctmgr("delete", "qos", "brief")
            wait_until(lambda: "brief" not in cluster.sacctmgr("show", "qos",
                                                               "format=name").stdout, "the QOS gone")
    finally:
        cluster.undrain()
    other = cluster.sbatch("-t5", "-n1", "--qos=normal")
    running(cluster, other)
    if SLURM < (25, 5):
        stays_pending(cluster, job)
        assert "QOS" in reason(cluster, job), reason(cluster, job)
        cluster.sacctmgr("add", "qos", "brief")
        cluster.sacctmgr("modify", "user", "steve", "set", "qos+=brief")
        cluster.update(job, "qos=brief")
    running(cluster, job)
    assert qos_of(cluster, job) == "brief"
    assert cluster.daemon_pid() == pid
    if SLURM < (25, 5):
        cluster.sacctmgr("delete", "qos", "brief")
        wait_iterations(cluster)
        assert cluster.job(job).state == "RUNNING" and cluster.daemon_pid() == pid


def test_no_job_reservation_for_a_qos_with_noreserve(cluster):
    """A job of such a QOS waits, and delays nobody."""
    cluster.sacctmgr("modify", "qos", "night", "set", "flags=NoReserve")
    try:
        running(cluster, cluster.sbatch("-t5", "-n1", "-wn1"))
        job = cluster.sbatch("-t5", "-N4", "--exclusive", "--qos=night")
        stays_pending(cluster, job)
        running(cluster, cluster.sbatch("-t60", "-n1", "-wn2"))
    finally:
        cluster.sacctmgr("modify", "qos", "night", "set", "flags=-1")


SEVERAL_QOS = pytest.mark.skipif(SLURM < (24, 11), reason="a job has one QOS until 24.05")


@SEVERAL_QOS
def test_each_qos_of_a_list_must_be_in_qlist(cluster):
    """At the submission, and in an update."""
    ask(cluster, "changeparam", "USERCFG[amy]", "QLIST=night,express")
    try:
        refused = cluster.run(*cluster.sbatch_command("-t1", "--qos=night,normal", user="amy"),
                              check=False)
        assert refused.returncode and "QOS 'normal' is not open to you" in refused.stderr, refused
        job = cluster.sbatch("-t1", "-H", "--qos=night,express", user="amy")
        changed = cluster.run("scontrol", "update", "jobid=%d" % job, "qos=express,normal",
                              user="amy", check=False)
        assert changed.returncode, changed
        cluster.run("scontrol", "update", "jobid=%d" % job, "qos=express,night", user="amy")
    finally:
        cluster.maui("reconfigure")


@SEVERAL_QOS
def test_jobs_with_several_qos(cluster):
    """The second job runs under the other QOS; slurmctld counts and ends both, also after
    associations have changed and over a restart."""
    cluster.sacctmgr("modify", "qos", "express", "set", "GrpJobs=1", "Priority=10")
    cluster.sacctmgr("modify", "qos", "night", "set", "GrpJobs=1")
    mark, pid = cluster.log_size(), cluster.daemon_pid()
    try:
        jobs = [cluster.sbatch("-t5", "-n1", "--qos=night,express") for _ in range(3)]
        running(cluster, *jobs[:2])
        wait_reason(cluster, jobs[2], "^QOSGrpJobsLimit$")
        assert sorted(qos_of(cluster, job) for job in jobs[:2]) == ["express", "night"]
        cluster.sacctmgr("modify", "user", "steve", "where", "account=phys", "set", "MaxJobs=9")
        wait_iterations(cluster)
        assert sorted(qos_of(cluster, job) for job in jobs[:2]) == ["express", "night"]
        assert cluster.daemon_pid() == pid
        cluster.restart()
        running(cluster, *jobs[:2])
        cluster.run("scancel", str(jobs[0]))
        running(cluster, jobs[2])
        cluster.cancel_all()
        assert "underflow" not in cluster.log_since(mark)
    finally:
        cluster.sacctmgr("modify", "user", "steve", "where", "account=phys", "set", "MaxJobs=-1")
        cluster.sacctmgr("modify", "qos", "express", "set", "GrpJobs=-1", "Priority=0")
        cluster.sacctmgr("modify", "qos", "night", "set", "GrpJobs=-1")


@SEVERAL_QOS
def test_several_qos_in_the_order_of_the_queue(cluster):
    """The first job reaches the limit of the QOS that both were planned in: the second one, not the
    third, gets the other."""
    cluster.sacctmgr("modify", "qos", "express", "set", "GrpJobs=1", "Priority=10")
    cluster.sacctmgr("modify", "qos", "night", "set", "GrpJobs=1")
    try:
        cluster.scontrol("update", "partitionname=main", "state=down")
        jobs = [cluster.sbatch("-t5", "-n1", "--qos=night,express") for _ in range(3)]
        wait_iterations(cluster)
        cluster.scontrol("update", "partitionname=main", "state=up")
        running(cluster, *jobs[:2])
        stays_pending(cluster, jobs[2])
    finally:
        cluster.scontrol("update", "partitionname=main", "state=up")
        cluster.sacctmgr("modify", "qos", "express", "set", "GrpJobs=-1", "Priority=0")
        cluster.sacctmgr("modify", "qos", "night", "set", "GrpJobs=-1")


def test_private_data_and_staff(cluster):
    """PrivateData=jobs: a coordinator sees the account's jobs, an operator sees all."""
    cluster.sacctmgr("add", "user", "bob", "john", "account=chem")
    cluster.sacctmgr("add", "coordinator", "account=phys", "names=bob")
    cluster.sacctmgr("modify", "user", "amy", "set", "adminlevel=operator")
    cluster.edit_slurm_conf(PrivateData="jobs")
    cluster.reconfigure()
    try:
        mine = cluster.sbatch("-N4", "-t5", "-Aphys", "--begin=now+1hour")
        other = cluster.sbatch("-N4", "-t5", "-Abio", "--begin=now+1hour")

        def seen_by(user):
            return [job for job in (mine, other)
                    if not ask(cluster, "checkjob", str(job), user=user, check=False).returncode]
        wait_until(lambda: seen_by("steve") == [mine, other], "the owner sees both")
        assert seen_by("amy") == [mine, other], "an operator"
        assert seen_by("bob") == [mine], "a coordinator of phys"
        assert not seen_by("john")
    finally:
        cluster.edit_slurm_conf(PrivateData=None)
        cluster.reconfigure()
        cluster.sacctmgr("modify", "user", "amy", "set", "adminlevel=none")


def test_slurmdbd_away(cluster):
    """Jobs start without slurmdbd, and their usage arrives when it is back."""
    cluster.minicluster("stop", "slurmdbd")
    try:
        job = cluster.sbatch("-t1", "-n2", command="true")
        cluster.wait_over(job)
    finally:
        cluster.minicluster("start", "slurmdbd")
    wait_until(lambda: "COMPLETED" in cluster.run("sacct", "-n", "-X", "-P", "-j", str(job), "-o",
                                                  "state").stdout, "the job in sacct")


def only_mirror(cluster, name):
    """The one of the administrative reservation."""
    rows = [row for shown, row in cluster.reservations().items()
            if shown.startswith("maui.%s." % name)]
    return rows[0] if len(rows) == 1 else None


def test_mirrors_are_charged_to_no_account(cluster):
    """The user or account of a mirror follows slurm.conf: the mirror is made again, without a
    message about tampering."""
    mark = cluster.log_size()
    name = cluster.setres("-n", "quiet", "-u", "steve", "-d", "1:00:00", "n4")
    wait_until(lambda: only_mirror(cluster, "quiet"), "its mirror")
    row = only_mirror(cluster, "quiet")
    assert (row["Users"], row["Accounts"]) == ("(null)", "-root"), row
    nobody = "nobody" if SLURM < (25, 11) else "65534"
    for enforce, form in ((None, (nobody, "(null)")),
                          ("associations,limits,qos", ("(null)", "-root"))):
        cluster.edit_slurm_conf(AccountingStorageEnforce=enforce)
        cluster.restart()
        wait_until(lambda: (row := only_mirror(cluster, "quiet")) and form ==
                   (row["Users"], row["Accounts"]), "a mirror of the form %s %s" % form)
    assert "somebody" not in cluster.log_since(mark)
    cluster.maui("releaseres", name)
    wait_until(lambda: not only_mirror(cluster, "quiet"), "its mirror gone")


def test_fits_and_whatif_count_the_default_account(cluster):
    cluster.sbatch("-t1", "-H", "-Abio")
    text = wait_until(lambda: ask(cluster, "maui", "fits", "-u", "steve").stdout, "fits answers")
    assert "counted as a job of account phys, the default; -A names another" in text, text
    assert "counted as" not in ask(cluster, "maui", "fits", "-u", "steve", "-A", "bio").stdout
    text = ask(cluster, "maui", "whatif", "--job", "-N1 -t1 -u steve").stdout
    assert "counted as a job of account phys, the default" in text, text
    job = str(cluster.sbatch("-t1", "-H"))
    assert cluster.run("squeue", "-h", "-j", job, "-o", "%a").stdout.strip() == "phys"


def test_fits_knows_which_accounts_and_qos_there_are(cluster):
    def fits(*words):
        return ask(cluster, "maui", "fits", "-u", "steve", "-N1", "-t1", *words, check=False)
    wait_until(lambda: fits().returncode == 0, "fits answers")
    for words, error in ((["-Anosuch"], "no account 'nosuch'"), (["-qnosuch"], "no QOS 'nosuch'")):
        said = fits(*words)
        assert said.returncode == 5 and error in said.stderr, said
    assert fits("-Abio", "-qnormal").returncode == 0
    cluster.sacctmgr("add", "account", "newborn")
    try:
        wait_until(lambda: fits("-Anewborn").returncode == 0, "an account that was just made")
    finally:
        cluster.sacctmgr("delete", "account", "newborn")
    wait_until(lambda: fits("-Anewborn").returncode == 5, "an account that was just removed")


def test_fits_refuses_no_account_or_qos_that_slurm_lets_a_job_have(cluster):
    def fits(*words):
        return ask(cluster, "maui", "fits", "-u", "steve", "-N1", "-t1", *words, check=False)
    cluster.edit_slurm_conf(AccountingStorageEnforce=None)
    cluster.restart()
    try:
        text = wait_until(lambda: fits("-Anosuch").stdout, "fits answers")
        assert "counted as a job of account phys" in text, text
        job = str(cluster.sbatch("-t1", "-H", "-Anosuch"))
        assert cluster.run("squeue", "-h", "-j", job, "-o", "%a").stdout.strip() == "phys"
        cluster.reconfigure(CFG + "USERCFG[bob] QDEF=brandnew\n")
        wait_until(lambda: fits("-qbrandnew").returncode == 0, "a QOS of maui.cfg alone")
    finally:
        cluster.reconfigure(CFG)
        cluster.edit_slurm_conf(AccountingStorageEnforce="associations,limits,qos")
        cluster.restart()


@pytest.mark.parametrize("rule, words, admitted, kept_out", [
    ("allowaccounts=bio", "AllowAccounts", ["-Abio"], []),
    ("denyaccounts=phys", "DenyAccounts", ["-Abio"], ["-Aphys"]),
    ("allowqos=express", "AllowQos", ["--qos=express"], []),
    ("denyqos=normal", "DenyQos", ["--qos=night"], []),
])
def test_fits_goes_by_the_accounts_and_qos_of_partitions(cluster, rule, words, admitted, kept_out):
    """A job that names neither has the account and the QOS of slurmdbd."""
    cluster.scontrol("create", "partition=closed", "nodes=ALL", rule, "state=UP")
    try:
        def fits(options):
            return ask(cluster, "maui", "fits", "-pclosed", "-N1", "-t5", *options, user="steve").stdout
        wait_until(lambda: words in fits(kept_out), "the plan has the rule")
        wait_until(lambda: "closed: yes" in fits(admitted), "the nodes have answered after a restart")
        assert "closed: no" in fits(kept_out)
        for options in (admitted, kept_out):
            what = ask(cluster, "maui", "whatif", "--job", " ".join(["-pclosed -N1 -t5", *options]), user="steve",
                       check=False)
            assert (what.returncode == 0) == (options is admitted), what
            sent = cluster.run(*cluster.sbatch_command("-pclosed", "-N1", "-t5", *options), check=False)
            if sent.returncode:
                assert options is kept_out, sent
            elif options is admitted:
                running(cluster, int(sent.stdout.split(";")[0]))
            else:
                stays_pending(cluster, int(sent.stdout.split(";")[0]))
    finally:
        cluster.cancel_all()
        cluster.scontrol("delete", "partition=closed")


def test_fits_goes_by_a_default_qos_that_has_just_changed(cluster):
    """What is kept of slurmdbd's accounts follows sacctmgr, and the rules follow scontrol."""
    cluster.scontrol("create", "partition=closed", "nodes=ALL", "denyqos=night", "state=UP")
    try:
        def said(words):
            return words in ask(cluster, "maui", "fits", "-pclosed", "-N1", "-t5", user="steve").stdout
        where = ("modify", "user", "steve", "where", "account=phys", "set")
        wait_until(lambda: said("closed: yes"), "the plan has the partition")
        cluster.sacctmgr(*where, "defaultqos=night")
        wait_until(lambda: said("closed: no"), "the QOS of slurmdbd")
        cluster.scontrol("update", "partition=closed", "denyqos=express")
        wait_until(lambda: said("closed: yes"), "the new rule")
        cluster.scontrol("update", "partition=closed", "denyqos=normal")
        time.sleep(1)
        assert said("closed: yes")
        cluster.sacctmgr(*where, "defaultqos=-1")
        wait_until(lambda: said("closed: no"), "the QOS of the account")
    finally:
        cluster.sacctmgr("modify", "user", "steve", "where", "account=phys", "set", "defaultqos=-1")
        cluster.scontrol("delete", "partition=closed")


def test_fits_knows_which_accounts_are_below_others(cluster):
    """A list of accounts means those below them since 23.02; Slurm has the last word."""
    cluster.sacctmgr("add", "account", "genes", "parent=bio")
    cluster.sacctmgr("add", "user", "steve", "account=genes", "qos=normal")
    cluster.scontrol("create", "partition=closed", "nodes=ALL", "allowaccounts=bio", "state=UP")
    try:
        def fits(account):
            return ask(cluster, "maui", "fits", "-pclosed", "-N1", "-t5", "-A" + account, user="steve").stdout
        wait_until(lambda: "closed: yes" in fits("bio") and "closed: no" in fits("phys"), "closed is there")
        assert ("closed: yes" in fits("genes")) == (SLURM >= (23, 2))
        sent = cluster.run(*cluster.sbatch_command("-pclosed", "-N1", "-t5", "-Agenes"), check=False)
        if SLURM >= (23, 2):
            running(cluster, int(sent.stdout.split(";")[0]))
        elif sent.returncode == 0:
            stays_pending(cluster, int(sent.stdout.split(";")[0]))
    finally:
        cluster.cancel_all()
        cluster.scontrol("delete", "partition=closed")
        cluster.sacctmgr("remove", "user", "steve", "account=genes")
        cluster.sacctmgr("remove", "account", "genes")


def test_names_that_nothing_has(cluster):
    """slurmctld's log and `diagnose` name each; an account that comes later takes its warning back."""
    lines = ("CLASSCFG[nopart] MAXJOB=1", "USERCFG[nouser] MAXJOB=1", "GROUPCFG[nogrp] MAXJOB=1",
             "ACCOUNTCFG[noacct] MAXJOB=1", "QOSCFG[noqos] PRIORITY=1", "QOSCFG[own] PRIORITY=1",
             "USERCFG[amy] QDEF=own", "NODECFG[nonode] PRIORITY=1")
    mark = cluster.log_size()
    cluster.reconfigure(CFG + "\n".join(lines) + "\n")
    try:
        cluster.wait_log("nouser", mark)
        said = "".join(ask(cluster, "diagnose", kind).stdout for kind in ("-u", "-g", "-a", "-c", "-Q"))
        for name in ("CLASSCFG[nopart]: 'nopart' is not a Slurm partition",
                     "USERCFG[nouser]: 'nouser' is not a user of this machine",
                     "GROUPCFG[nogrp]: 'nogrp' is not a group of this machine",
                     "ACCOUNTCFG[noacct]: 'noacct' is not an account in Slurm's database",
                     "QOSCFG[noqos]: 'noqos' is not a QOS in Slurm's database",
                     "NODECFG[nonode]: no node nonode"):
            assert name in said or "NODECFG" in name, said
            assert name in cluster.log_since(mark), name
        for known in ("'bio'", "'express'", "'steve'", "'own'"):
            assert known + " is not" not in said, said
        cluster.sacctmgr("add", "account", "noacct")
        cluster.reconfigure()
        wait_until(lambda: "'noacct' is" not in ask(cluster, "diagnose", "-a").stdout, "the account")
    finally:
        cluster.reconfigure(CFG)
