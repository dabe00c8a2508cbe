# SPDX-License-Identifier: GPL-2.0-or-later
"""A site goes from sched/backfill to sched/maui and back, with work in every state: no job is
lost, none ends, each starts once and by the scheduler that is there. So, too, with a backup
slurmctld that takes over."""

import contextlib
import os
import re
import subprocess

import pytest
from cluster import SLURM, build_dir, parse_fields, wait_until
from starts import iterations, may_start_again, running, wait_iterations
from test_switch import CFG, CONF, PLAIN, PLAIN_LINES, facts, finish, submit_all, switch

pytestmark = pytest.mark.together

OURS, SLURMS = {"SchedulerType": "sched/maui"}, {"SchedulerType": "sched/backfill"}


def scheduler(cluster):
    return re.search(r"^SchedulerType += (\S+)", cluster.scontrol("show", "config").stdout,
                     re.M).group(1)


def started_by_us(cluster, mark):
    """Job ids whose start our log has."""
    pattern = r"slurm-maui: (?:started|backfilled) JobId=(?:\d+_\d+\()?(\d+)"
    return {int(job) for job in re.findall(pattern, cluster.log_since(mark))}


def test_to_ours(own_cluster):
    cluster = own_cluster(CFG, CONF + "SchedulerType=sched/backfill\n")
    jobs = submit_all(cluster, with_qos=True)
    switch(cluster, OURS)
    assert scheduler(cluster) == "sched/maui"
    wait_iterations(cluster)
    finish(cluster, jobs)
    ours = started_by_us(cluster, 0)
    assert {jobs[kind] for kind in ("queued", "held", "dependent", "direct", "nice")} <= ours
    assert jobs["running"] not in ours


def test_to_slurms(own_cluster):
    """Nothing of slurm-maui stays behind: Slurm starts at submit again, and by its main loop."""
    cluster = own_cluster(CFG, CONF + "SchedulerType=sched/maui\n")
    jobs = submit_all(cluster, with_qos=True)
    assert iterations(cluster) > 0
    switch(cluster, SLURMS)
    assert scheduler(cluster) == "sched/backfill"
    mark = cluster.log_size()
    words = re.search(r"^SchedulerParameters += (.*)$", cluster.scontrol("show", "config").stdout,
                      re.M).group(1)
    assert "defer" not in words.split(",")
    finish(cluster, jobs)
    assert not started_by_us(cluster, mark)


def reasons(cluster):
    return cluster.run("squeue", "-h", "-t", "PD", "-o", "%r").stdout


def test_no_trace_stays(own_cluster):
    """No reason text, no reservation, no key in AdminComment; setres reservations are named first."""
    cluster = own_cluster(CFG, CONF + "SchedulerType=sched/maui\n")
    jobs = submit_all(cluster, with_qos=True)
    cluster.setres("-n", "visit", "-s", "+5:00:00", "-d", "1:00:00", "n1")
    wait_until(lambda: ": " in reasons(cluster), "a job has one of our reasons")
    wait_until(cluster.reservations, "the mirror is there")
    assert "maui:qos=high" in cluster.run("squeue", "-h", "-O", "admin_comment:40").stdout
    cluster.wait_saved()
    switch(cluster, SLURMS)
    for reason in reasons(cluster).splitlines():
        assert re.fullmatch(r"[A-Za-z]+", reason), reason
    program = os.path.join(build_dir(), "maui")
    refused = cluster.run(program, "detach", check=False)
    assert refused.returncode == 1 and "runs with job_submit/maui" in refused.stderr
    switch(cluster, PLAIN)
    said = cluster.run(program, "detach")
    assert "reservation visit.1 of setres comes back when sched/maui runs again" in said.stderr
    assert "maui:" not in cluster.run("squeue", "-h", "-O", "admin_comment:40").stdout
    assert not cluster.reservations()
    state = os.path.join(os.path.dirname(cluster.maui_cfg), "state", "maui", "state.json")
    assert "visit.1" in open(state, encoding="utf-8").read()
    assert "visit.1 of setres is forgotten" in cluster.run(program, "detach", "--forget").stderr
    assert "visit.1" not in open(state, encoding="utf-8").read()
    finish(cluster, jobs)


# Fields of scontrol's that differ between any two clusters, or between two starts of the same jobs.
OWN = re.compile(r"Time$|^(JobId|ArrayJobId|Priority|LastSchedEval|Scheduler|PreemptEligibleTime|"
                 r"SecsPreSuspend|Dependency|AllocNode:Sid|CPULoad|FreeMem|Port|Version|OS|"
                 r"SLUID|SubmitLine|NodeAddr|NodeHostName|ExtSensors.*|CurrentWatts|AveWatts)$")
RSVS = "SRCFG[class] HOSTLIST=n1 PERIOD=DAY DEPTH=2 USERLIST=bob FLAGS=BYNAME\n" \
    "SRCFG[ever] HOSTLIST=n2 PERIOD=INFINITY USERLIST=steve-:amy-:bob-\n"


def shown(cluster, what):
    """{(name, field): value} of what scontrol prints of all jobs, nodes ..., without fields of
    their own. An AdminComment that scontrol has emptied is empty until the next restart."""
    lines = cluster.scontrol("-o", "show", what).stdout.splitlines()
    rows = [parse_fields(line) for line in lines if "=" in line]
    return {(row.get("JobName", list(row.values())[0]), row.get("ArrayTaskId"), key): value
            for row in rows for key, value in row.items()
            if not OWN.search(key) and (key, value) != ("AdminComment", "")}


def one_of_each(cluster, ours):
    """Jobs that stay in every state; a Slurm reservation."""
    def submit(name, *options, **keywords):
        return cluster.sbatch("-J", name, "-t5", *options, **keywords)
    blocks = [submit("running", "-n3", "-w", "n1"), submit("suspended", "-n1", "-w", "n1")]
    for job in blocks:
        cluster.wait_state(job, "RUNNING")
    # it outlasts the others by hours: which node is free first does not depend on seconds
    submit("array", "-n4", "--array=1-4%1", "-w", "n2", "-t3:00:00")
    wait_until(lambda: len(cluster.squeue("-t", "R")) == 3, "a task of the array runs")
    cluster.scontrol("suspend", str(blocks[1]))
    submit("queued", "-n4", "-Aphys", user="amy")
    submit("everywhere", "-n4", "-p", "main,other")
    submit("range", "-N1-2", "--time-min=1", "--exclusive")
    submit("held", "-H")
    cluster.scontrol("hold", str(submit("held by admin", "-n4")))
    submit("dependent", "--dependency=afterok:%d" % blocks[0])
    submit("later", "--begin=now+3hours")
    cluster.update(submit("direct", "-n4"), "priority=123")
    submit("nice", "-n4", "--nice=50")
    submit("commented", "-n4", "--comment=mine")
    cluster.scontrol("create", "reservation", "reservation=slurms", "starttime=now+5hours",
                     "duration=60", "nodes=n1", "users=steve")
    if ours:
        cluster.reconfigure(CFG + RSVS)
    submit("reserved", *(["--reservation=class"] if ours else []), "-n4", user="bob")
    submit("with qos", *(["--qos=high"] if ours or SLURM >= (24, 11) else []), "-n4")


def test_there_and_back_equal(own_cluster):
    """Every kind of job and reservation: after the switch back and `maui detach` scontrol prints
    what it prints of a cluster that never had slurm-maui."""
    never = own_cluster("", CONF + PLAIN_LINES + "SchedulerType=sched/backfill\n")
    cluster = own_cluster(CFG, CONF + "SchedulerType=sched/maui\n")
    one_of_each(never, False)
    never.restart()  # as the other by the switch: 24.11 prints NumNodes differently afterwards
    one_of_each(cluster, True)
    cluster.setres("-n", "visit", "-s", "+5:00:00", "-d", "1:00:00", "n1")
    wait_until(lambda: len(cluster.reservations()) == 5, "the mirrors are there")
    wait_until(lambda: ": " in reasons(cluster), "a job has one of our reasons")
    cluster.wait_saved()
    switch(cluster, {**SLURMS, **PLAIN})
    said = cluster.run(os.path.join(build_dir(), "maui"), "detach").stderr
    assert "visit.1 of setres comes back" in said, said
    assert list(cluster.reservations()) == ["slurms"]

    def equal():
        for what in ("job", "node", "partition", "reservation"):
            ours, theirs = shown(cluster, what), shown(never, what)
            assert not ours.items() ^ theirs.items(), sorted(ours.items() ^ theirs.items(), key=str)
        return True
    wait_until(equal, "the same state")


def test_there_and_back_with_a_reservation(own_cluster):
    """A job reservation made under sched/maui holds no node afterwards."""
    cluster = own_cluster(CFG, CONF + "SchedulerType=sched/maui\n")
    block = cluster.sbatch("-t5", "-N1", "--exclusive", "-w", "n1")
    running(cluster, block)
    top = cluster.sbatch("-t5", "-N2", "--exclusive", user="amy")
    wait_until(lambda: cluster.job(top).fields.get("SchedNodeList"), "a reservation")
    before = facts(cluster)
    for changes in (SLURMS, OURS):
        cluster.edit_slurm_conf(**changes)
        cluster.restart()
        wait_until(lambda: "*" not in cluster.run("sinfo", "-h", "-o", "%T").stdout,
                   "nodes known")
        assert scheduler(cluster) == changes["SchedulerType"]
        assert {job: fact[0] for job, fact in facts(cluster).items()} == \
            {job: fact[0] for job, fact in before.items()}
    wait_until(lambda: cluster.job(top).fields.get("SchedNodeList"), "a reservation again")
    cluster.run("scancel", str(block))
    running(cluster, top)


# ---- a backup controller ----

# Without job_submit/maui no plugin of slurm-maui stays loaded in a controller that stands by.
CONTROLLERS = """
JobSubmitPlugins=
SlurmctldHost=localhost(127.0.0.1)
SlurmctldHost=spare(127.0.0.2)
"""


def write_beside(cluster, name, text):
    path = os.path.join(cluster.dir, name)
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    return path


def print_end(log):
    """For the reader of a failure."""
    with open(log, encoding="utf-8", errors="replace") as lines:
        print(*lines.readlines()[-60:], sep="")


# A backup that is asked for control answers after 30 seconds, with any scheduler: always since 24.11,
# before that on a machine that is busy.
HANDOVER_S = 120


@contextlib.contextmanager
def backup(cluster, pid_file="spare.own"):
    """A second slurmctld, on a machine that calls itself spare. Each takes "localhost" for its own
    name and ends whom it finds in its pid file, so the spare has a slurm.conf of its own."""
    with open(os.path.join(cluster.dir, "slurm.conf"), encoding="utf-8") as conf:
        text = conf.read()
    text = text.replace("SlurmctldHost=localhost(", "SlurmctldHost=first(")
    conf = write_beside(cluster, "spare.conf", text.replace("slurmctld.own", pid_file))
    hosts = write_beside(cluster, "run/hosts", "127.0.0.1 first localhost\n127.0.0.2 spare\n")
    shell = 'hostname spare && exec slurmctld -D -f "$1" -L "$2"'
    environment = dict(cluster.inside, MINICLUSTER_DIR=cluster.dir, NSS_WRAPPER_HOSTS=hosts)
    log = os.path.join(cluster.dir, "log", "spare.log")
    with open(log + ".err", "wb") as err:
        spare = subprocess.Popen(["unshare", "--uts", "sh", "-c", shell, "sh", conf, log],
                                 env=environment, stdin=subprocess.DEVNULL, stdout=err, stderr=err)
    try:
        wait_until(lambda: is_up(cluster, "backup"), "the spare up")
        yield log
        assert spare.poll() is None, "one and the same"
    finally:
        spare.terminate()
        try:
            spare.wait(HANDOVER_S)
        except subprocess.TimeoutExpired:
            print_end(log)
            print(*cluster.threads_of(spare.pid), sep="\n")
            raise


def is_up(cluster, which):
    """"primary" or "backup"."""
    return re.search(r"\(%s\) at \S+ is UP" % which, cluster.scontrol("ping", check=False).stdout)


def in_charge(log):
    """How often it became so."""
    with open(log, encoding="utf-8", errors="replace") as lines:
        return sum("Running as primary controller" in line for line in lines)


def works(cluster):
    """The controller in charge starts a job."""
    cluster.wait_over(cluster.sbatch("-t1", "-n1", command="true"))


@pytest.mark.skipif(subprocess.run(["unshare", "--uts", "true"], check=False).returncode != 0,
                    reason="no right to a namespace, which a second slurmctld needs")
def test_a_backup_takes_over_twice(own_cluster):
    """The backup starts jobs each time, not only the first."""
    cluster = own_cluster(CFG, CONF + CONTROLLERS + "SchedulerType=sched/maui\n")
    works(cluster)
    with backup(cluster) as log:
        for turn in range(2):
            cluster.stop()
            cluster.scontrol("takeover", "1")
            wait_until(lambda: in_charge(log) == turn + 1, "the spare in charge")
            works(cluster)
            cluster.start(check=False)  # minicluster does not wait so long
            wait_until(lambda: is_up(cluster, "primary") and is_up(cluster, "backup"), "both up",
                       HANDOVER_S)
            works(cluster)


def test_sched_maui_stays_sole_scheduler_after_restart_and_reconfigure(own_cluster):
    cluster = own_cluster(CFG, CONF + "SchedulerType=sched/maui\n")
    for change in (cluster.restart, cluster.reconfigure, cluster.reconfigure, cluster.restart):
        change()
        works(cluster)


def start_in_turn(cluster, *groups):
    """Each group of jobs runs, whichever comes first, and is ended."""
    left = list(groups)

    def look():
        for group in list(left):
            if all(cluster.job(job).state == "RUNNING" for job in group):
                cluster.run("scancel", *map(str, group), check=False)
                left.remove(group)
        assert not left, left
        return True
    wait_until(look, "all of them have started")


def test_there_and_back_with_preempted_and_het_jobs(own_cluster):
    """A job that was preempted and a het job wait at each switch, and start under each scheduler."""
    cluster = own_cluster(CFG + "HETJOBS ON\n", CONF + """
SchedulerType=sched/backfill
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=low Nodes=ALL PriorityTier=1 MaxTime=INFINITE State=UP
PartitionName=high Nodes=ALL PriorityTier=9 MaxTime=INFINITE State=UP PreemptMode=OFF
""")
    for changes in (OURS, SLURMS):
        victim = cluster.sbatch("-t5", "-N2", "--exclusive", "-p", "low")
        running(cluster, victim)
        winner = cluster.sbatch("-t5", "-N2", "--exclusive", "-p", "high")
        running(cluster, winner)
        leader = cluster.sbatch("-t5", "-n1", "-p", "low", ":", "-n1", "-p", "low")
        pair = [job.id for job in cluster.jobs().values()
                if job.fields.get("HetJobId") == str(leader)]
        switch(cluster, changes)
        assert all(cluster.job(job).state == "PENDING" for job in (victim, *pair)), pair
        assert cluster.job(victim).fields["Restarts"] == "1" and len(pair) == 2
        cluster.run("scancel", str(winner))
        may_start_again(cluster, victim)
        start_in_turn(cluster, [victim], pair)
        assert cluster.job(pair[0]).start == cluster.job(pair[1]).start
