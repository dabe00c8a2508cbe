# SPDX-License-Identifier: GPL-2.0-or-later
"""Het jobs under HETJOBS ON: slurmctld accepts them, and all components start together or none.

Rules: HET-1, HET-2.
"""

import re

import pytest
from cluster import wait_until
from database import run_minutes, with_database
from starts import (CFG, CONF, fill, nodes_of, reason, running, stays_pending, wait_iterations,
                    wait_reason)

ON = CFG + "HETJOBS ON\n"


@pytest.fixture(scope="module")
def whole(clusters):
    return clusters(ON, CONF, nodes=4)


def components(cluster, leader):
    """Their ids, by offset."""
    found = [job for job in cluster.jobs().values() if job.fields.get("HetJobId") == str(leader)]
    return [job.id for job in sorted(found, key=lambda job: int(job.fields["HetJobOffset"]))]


def het(cluster, *options, **keywords):
    """Submits a het job; `:` separates components. Returns their ids."""
    leader = cluster.sbatch("-t5", *options, **keywords)
    count = options.count(":") + 1
    wait_until(lambda: len(components(cluster, leader)) == count, "%d components" % count)
    return components(cluster, leader)


def test_together(cluster, tmp_path):
    """Components run on nodes of their own, and srun reaches all of them."""
    path = tmp_path / "seen"
    path.touch(mode=0o666)
    path.chmod(0o666)
    for directory in (tmp_path, *tmp_path.parents):
        if directory.stat().st_mode & 0o11 != 0o11:
            directory.chmod(directory.stat().st_mode | 0o11)
    jobs = het(cluster, "-n2", ":", "-n3", ":", "-n1",
               command="srun --het-group=0-2 -l hostname >%s; sleep 600" % path)
    running(cluster, *jobs)
    nodes = [nodes_of(cluster, job) for job in jobs]
    assert len({node for names in nodes for node in names}) == 3, nodes

    def look():
        assert len(path.read_text().splitlines()) == 6, path.read_text()
        return True
    wait_until(look, "six tasks")


def test_none_before_all(cluster):
    fill(cluster, "n[1-3]", 9)
    first, second = het(cluster, "-n4", ":", "-n4")
    stays_pending(cluster, first, second)
    small = cluster.sbatch("-t1", "-n1", command="true")
    cluster.wait_over(small)
    stays_pending(cluster, first, second)
    cluster.cancel_all()


def test_a_component_that_never_runs(cluster):
    """Slurm refuses the job as a whole, or it waits as a whole and blocks nobody."""
    made = cluster.run("sbatch", "-t5", "-n1", ":", "-N1", "-n99", "--wrap=true", check=False)
    other = cluster.sbatch("-t5", "-N4", "--exclusive")
    running(cluster, other)
    if made.returncode == 0:
        for job in components(cluster, int(re.search(r"\d+", made.stdout).group())):
            assert cluster.job(job).state == "PENDING"


def test_limits_count_all(own_cluster):
    cluster = own_cluster(ON + "USERCFG[DEFAULT] MAXPROC=7\n", CONF, nodes=4)
    first, second = het(cluster, "-n4", ":", "-n4")
    stays_pending(cluster, first, second)
    cluster.cancel_all()
    pair = het(cluster, "-n4", ":", "-n3")
    running(cluster, *pair)


def test_held_component(cluster):
    """scontrol hold of one keeps all."""
    fill(cluster, "n[1-4]", 9)
    first, second = het(cluster, "-n1", ":", "-n1")
    cluster.scontrol("hold", str(second))
    cluster.run("scancel", "--state=RUNNING", "--user=steve")
    stays_pending(cluster, first, second)
    wait_reason(cluster, first, "Held|component")
    cluster.scontrol("release", str(second))
    running(cluster, first, second)


def test_srun_and_salloc(cluster):
    said = cluster.run("srun", "-l", "-n1", "-t1", "hostname", ":", "-n2", "hostname", user="steve")
    assert len(said.stdout.splitlines()) == 3, said.stdout
    said = cluster.run("salloc", "-n1", "-t1", ":", "-n1", "srun", "--het-group=0,1", "hostname",
                       user="steve")
    assert len(said.stdout.splitlines()) == 2, said.stdout


def test_cancel(cluster):
    jobs = het(cluster, "-n1", ":", "-n1")
    running(cluster, *jobs)
    cluster.run("scancel", str(jobs[0]))
    cluster.wait_over(*jobs)


def test_slurm_conf_keeps_its_name(cluster):
    assert re.search(r"SchedulerType\s*= sched/maui", cluster.scontrol("show", "config").stdout)
    assert not re.search("fatal|error: .*HETJOBS", cluster.log_since())


def test_multireq(own_cluster):
    """Maui's own parameter says the same."""
    cluster = own_cluster(CFG + "ENABLEMULTIREQJOBS TRUE\n", CONF, nodes=4)
    running(cluster, *het(cluster, "-n1", ":", "-n1"))


def test_restart(own_cluster):
    """Those that wait and those that run are known after a restart."""
    cluster = own_cluster(ON, CONF, nodes=4)
    pair = het(cluster, "-n4", ":", "-n4")
    running(cluster, *pair)
    waiting = het(cluster, "-N2", "--exclusive", ":", "-N2", "--exclusive")
    cluster.restart()
    stays_pending(cluster, *waiting)
    assert reason(cluster, waiting[0])
    cluster.run("scancel", str(pair[0]))
    running(cluster, *waiting)


def test_a_limit_that_one_component_alone_keeps(clusters):
    """MaxJobs of the association: what has started is taken back, and nothing of it stays."""
    cluster = with_database(clusters, ON, CONF + "AccountingStorageEnforce=associations,limits\n",
                            nodes=4)
    cluster.sacctmgr("add", "account", "phys")
    cluster.sacctmgr("add", "user", "steve", "account=phys", "maxjobs=1")
    probe = cluster.run(*cluster.sbatch_command("-t5", "-n4", ":", "-n4"), check=False)
    if probe.returncode:  # later releases look at the limit before
        assert "accounting/QOS policy" in probe.stderr, probe.stderr
        return
    pair = [int(re.search(r"\d+", probe.stdout).group())]
    wait_until(lambda: len(components(cluster, pair[0])) == 2, "two components")
    pair = components(cluster, pair[0])
    stays_pending(cluster, *pair)
    single = cluster.sbatch("-t5", "-n4")
    running(cluster, single)
    cluster.run("scancel", str(single))
    cluster.sacctmgr("modify", "user", "steve", "set", "maxjobs=2")
    cluster.update(pair[0], "starttime=now")
    cluster.update(pair[1], "starttime=now", check=False)
    running(cluster, *pair)
    assert cluster.log_since().count("is requeued before it ran") <= 2
    cluster.cancel_all()
    running(cluster, cluster.sbatch("-t5", "-n4"), cluster.sbatch("-t5", "-n4"))


def test_a_limit_that_each_component_alone_keeps(clusters):
    """Group limits of the association: nothing starts, and the question leaves nothing counted."""
    cluster = with_database(clusters, ON, CONF + "AccountingStorageEnforce=associations,limits\n",
                            nodes=4)
    cluster.sacctmgr("add", "account", "phys", "grptres=cpu=7", "grptresrunmins=cpu=40")
    cluster.sacctmgr("add", "user", "steve", "account=phys")
    pair = het(cluster, "-n4", ":", "-n4")
    stays_pending(cluster, *pair)
    # of the leader alone: squeue -j has both components
    wait_until(lambda: "may_not_start" in cluster.job(pair[0]).reason, "the reason")
    single = cluster.sbatch("-t5", "-n4")
    running(cluster, single)
    cluster.run("scancel", str(single))
    cluster.sacctmgr("modify", "account", "phys", "set", "grptres=cpu=8")
    running(cluster, *pair)
    assert "is requeued before it ran" not in cluster.log_since()


def test_nodes_that_a_limit_does_not_admit_together(clusters):
    """GrpTRES=node: nothing starts, and run-minutes of other jobs stay counted."""
    conf = CONF.replace("PartitionName=", "PartitionName=DEFAULT DefaultTime=5\nPartitionName=", 1)
    cluster = with_database(clusters, ON, conf + "AccountingStorageEnforce=associations,limits\n",
                            nodes=4)
    cluster.sacctmgr("add", "account", "phys", "grptresrunmins=cpu=100000")
    cluster.sacctmgr("add", "account", "few", "parent=phys", "grptres=node=3")
    cluster.sacctmgr("add", "user", "steve", "account=few")
    cluster.sacctmgr("add", "user", "bob", "account=phys")
    running(cluster, cluster.sbatch("-t1000", "-n1", user="bob"))
    leader = cluster.sbatch("-N2", "-n2", ":", "-N2", "-n2")
    wait_until(lambda: len(components(cluster, leader)) == 2, "two components")
    pair = components(cluster, leader)
    stays_pending(cluster, *pair)
    assert max(run_minutes(cluster)) >= 990, (run_minutes(cluster), cluster.log_since())
    assert "is requeued before it ran" not in cluster.log_since()
    cluster.sacctmgr("modify", "account", "few", "set", "grptres=node=4")
    running(cluster, *pair)


@pytest.mark.parametrize("policy", ["REQUEUE", "SUSPEND"])
def test_others_go_in_its_place(cluster, policy):
    """A het job of a PREEMPTEE QOS stays, although it is the cheapest to preempt: it began last."""
    cluster.reconfigure(ON + "QOSWEIGHT 1000\nQOSCFG[high] PRIORITY=9 QFLAGS=PREEMPTOR\n"
                        "QOSCFG[low] PRIORITY=1 QFLAGS=PREEMPTEE\nPREEMPTPOLICY %s\n" % policy)
    plain = cluster.sbatch("-t5", "-n4", "-w", "n1", "--mem=1000", "--qos=low")
    other = cluster.sbatch("-t5", "-n4", "-w", "n4", "--mem=1000")
    running(cluster, plain, other)
    jobs = het(cluster, "-n4", "-w", "n2", "--mem=1000", "--qos=low", ":",
               "-n4", "-w", "n3", "--mem=1000", "--qos=low")
    running(cluster, *jobs)
    preemptor = cluster.sbatch("-t5", "-n4", "-N1", "--mem=1000", "--qos=high")
    running(cluster, preemptor)
    assert nodes_of(cluster, preemptor) == ["n1"]


def test_a_component_by_its_label(cluster):
    """"17+1" is a component of het job 17, and never the job with number 18."""
    fill(cluster, "n[1-4]", 5)
    jobs = het(cluster, "-n2", ":", "-n3")
    label = "%d+1" % jobs[0]
    wait_until(lambda: "Job %d" % jobs[1] in cluster.maui("checkjob", label, check=False).stdout,
               "checkjob knows it")
    cluster.maui("sethold", label)
    assert cluster.job(jobs[1]).state == "PENDING" and reason(cluster, jobs[1]) == "JobHeldAdmin"
    assert reason(cluster, jobs[0]) != "JobHeldAdmin"
    wait_reason(cluster, jobs[0], r"component 1 \(job %d\) may not start: held" % jobs[1])
    cluster.maui("releasehold", str(jobs[0]))
    assert reason(cluster, jobs[1]) != "JobHeldAdmin", "the leader stands for the het job"
    plain, other = [cluster.sbatch("-t5", "-n1") for _ in range(2)]
    assert other == plain + 1
    for command in "checkjob", "sethold", "canceljob", "runjob":
        said = cluster.maui(command, "%d+1" % plain, check=False)
        assert said.returncode != 0 and "%d" % plain in said.stderr, said
    assert cluster.job(other).state == "PENDING" and reason(cluster, other) != "JobHeldAdmin"


def are_even(cluster, job):
    return [int(node[1:]) % 2 == 0 for node in nodes_of(cluster, job)]


@pytest.mark.parametrize("other", ["-N1 -n4", "-N2 -n8 -C [odd*1&even*1]"])
def test_slurm_chooses_among_all_nodes(clusters, other):
    """The plan does not know which nodes make up the counts: Slurm gets all that it may have."""
    nodes = "".join("NodeName=n%d CPUs=4 CoresPerSocket=4 RealMemory=4000 Features=%s\n" %
                    (node, "odd" if node % 2 else "even") for node in range(1, 7))
    cluster = clusters(ON, "SchedulerType=sched/maui\n" + nodes +
                       "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n",
                       nodes=6)
    counts = ["-N3", "-n12", "-C", "[even*2&odd*1]"]
    plain = cluster.sbatch("-t5", *counts)
    wait_iterations(cluster, 3)
    if cluster.job(plain).state != "RUNNING":
        pytest.skip("this Slurm starts no job with such counts, under no scheduler")
    cluster.cancel_all()
    jobs = het(cluster, *counts, ":", *other.split())
    running(cluster, *jobs)
    assert sorted(are_even(cluster, jobs[0])) == [False, True, True]
    if "odd" in other:
        assert sorted(are_even(cluster, jobs[1])) == [False, True]


def test_the_large_component_has_the_first_choice(clusters):
    """Only n1 serves the second component; the first one goes to n2."""
    cluster = clusters(ON, "SchedulerType=sched/maui\n"
                       "NodeName=n1 CPUs=4 CoresPerSocket=4 RealMemory=4000\n"
                       "NodeName=n2 CPUs=2 CoresPerSocket=2 RealMemory=4000\n"
                       "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n",
                       nodes=2)
    jobs = het(cluster, "-N1", "-n2", ":", "-N1", "-n4")
    running(cluster, *jobs)
    assert [nodes_of(cluster, job) for job in jobs] == [["n2"], ["n1"]]


def test_components_are_billed_for_what_they_get(clusters):
    """As a plain job is, although the limits were asked about less before the start."""
    conf = CONF.replace("State=UP", "State=UP TRESBillingWeights=CPU=1.0,Mem=1.0G")
    cluster = with_database(clusters, ON, conf + "AccountingStorageEnforce=associations,limits\n",
                            nodes=4)
    cluster.sacctmgr("add", "account", "phys")
    cluster.sacctmgr("add", "user", "steve", "account=phys")
    plain = cluster.sbatch("-t5", "-n1", "--exclusive")
    running(cluster, plain)
    jobs = het(cluster, "-n1", "--exclusive", ":", "-n1", "--exclusive")
    running(cluster, *jobs)
    billed = [re.search(r"billing=(\d+)", cluster.scontrol("-o", "show", "job", str(job)).stdout)
              for job in (plain, *jobs)]
    assert len({found.group(1) for found in billed}) == 1, billed
