# SPDX-License-Identifier: GPL-2.0-or-later
"""Slurm's own commands, in every form of output, while jobs of every kind are in the queue: none
crashes, JSON and YAML can be read, and all forms name the same jobs and numbers.

Rules: PRIO-19.
"""

import json
import os
import shutil

import pytest
from cluster import SLURM, wait_until
from starts import CONF, wait_iterations

CFG = """
RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 0
CLASSWEIGHT 1
CLASSCFG[main] PRIORITY=100
CLASSCFG[wide] PRIORITY=300
CLASSCFG[low] PRIORITY=200
SRCFG[course] HOSTLIST=n4 USERLIST=amy STARTTIME=0:00:00 ENDTIME=24:00:00
"""
PARTITIONS = """
PartitionName=wide Nodes=n[1-4] MaxTime=INFINITE State=UP
PartitionName=low Nodes=n[1-3] MaxTime=INFINITE State=UP PriorityTier=5
"""
ODD = "a \"quote\", a 'tick', back\\slash, tab\there, <&>, %s %n $HOME `id` \u00e9\u4e16\U0001f680"
ODDER = "bell\x07 escape\x1b[31m newline\nreturn\rend"
BROKEN = "half \udcc3 of a character, \udcff"  # bytes that are no UTF-8

# Every form of a command's text. Those with --json and --yaml are asked for these, too.
COMMANDS = [
    ["squeue"], ["squeue", "-l"], ["squeue", "-P"], ["squeue", "-r"], ["squeue", "-s"],
    ["squeue", "--start"], ["squeue", "-a", "-o", "%all"], ["squeue", "-a", "-O", "ALL"],
    ["scontrol", "show", "jobs"], ["scontrol", "-d", "-o", "show", "jobs"],
    ["scontrol", "show", "nodes"], ["scontrol", "-d", "-o", "show", "nodes"],
    ["scontrol", "show", "partitions"], ["scontrol", "show", "reservations"],
    ["scontrol", "show", "steps"], ["scontrol", "show", "licenses"], ["scontrol", "show", "config"],
    ["scontrol", "show", "assoc_mgr"], ["scontrol", "ping"],
    ["sprio"], ["sprio", "-l"], ["sprio", "-n"], ["sprio", "-w"],
    ["sinfo"], ["sinfo", "-l"], ["sinfo", "-N", "-l"], ["sinfo", "-R"], ["sinfo", "-s"],
    ["sinfo", "-O", "ALL"], ["sdiag"], ["sdiag", "-a"],
]
# These print no JSON with --json, under any scheduler.
NO_JSON = [["squeue", "-l"], ["scontrol", "show", "config"], ["scontrol", "show", "assoc_mgr"],
           ["sacctmgr", "show", "events"]]
# libyaml takes no bytes that are not UTF-8 (BROKEN), under any scheduler.
NO_YAML = "YAML emitter error"
WITH_DATABASE = [
    ["sshare"], ["sshare", "-l", "-a"], ["sshare", "-m"],
    ["sacctmgr", "show", "associations"], ["sacctmgr", "show", "qos"],
    ["sacctmgr", "show", "users"], ["sacctmgr", "show", "clusters"], ["sacctmgr", "show", "events"],
    ["sacct", "-a"], ["sreport", "cluster", "utilization"],
]
# Slurm itself has no JSON of these, or none without its own openapi plugins.
ONLY_TEXT = {"sprio", "sreport"}


def has_dbd():
    return shutil.which("mariadbd") and shutil.which("slurmdbd")


@pytest.fixture(scope="module")
def cluster(clusters):
    try:
        cluster = clusters(CFG, CONF + PARTITIONS, nodes=4, slurmdbd=bool(has_dbd()))
    except RuntimeError as failure:
        if "mysql" not in str(failure):
            raise
        cluster = clusters(CFG, CONF + PARTITIONS, nodes=4)
    if cluster.flags:
        cluster.sacctmgr("add", "account", "phys")
        cluster.sacctmgr("add", "user", "steve", "account=phys")
    fill(cluster)
    yield cluster
    cluster.cancel_all()


def fill(cluster):
    """Jobs of every kind, most of which wait."""
    def submit(*options, **keywords):
        return cluster.sbatch("-t10", *options, **keywords)

    running = submit("-N1", "-c1", "-wn1")
    suspended = submit("-N1", "-c1", "-wn2")
    cluster.wait_state(running, "RUNNING")
    cluster.wait_state(suspended, "RUNNING")
    cluster.scontrol("suspend", str(suspended))
    again = submit("-N1", "-c1", "-wn3", "--requeue")
    cluster.wait_state(again, "RUNNING")
    cluster.scontrol("create", "reservation", "reservationname=kept", "users=steve", "nodes=n3",
                     "starttime=now+1hour", "duration=60")
    submit("-N1", "--reservation=kept")
    cluster.jobs_of_parts = [submit("-N3", "--exclusive", "-p" + parts, *more)
                             for parts, more in (("main,wide", ()), ("low,wide,main", ()),
                                                 ("wide,main", ("--array=1-4%2",)),
                                                 ("main,low", ("-H",)))]
    cluster.one_part = submit("-N3", "--exclusive", "-pmain,low")
    submit("-N3", "--exclusive", "--array=1-9:2")
    submit("-H")
    submit("-N1", "--dependency=afterok:%d" % running)
    submit("--begin=now+1hour")
    submit("-N4", "--exclusive", "-n8", "-c2", "--mem=100", "--nice=5", "--deadline=now+5hours")
    for comment in (ODD, ODDER, BROKEN):
        submit("-N3", "--exclusive", "--comment=" + comment, "-pwide,low",
               "--job-name=" + comment.replace("\n", " "))
    failed = submit("-N1", "-c1", "-t1", command="exit 3")  # over before a job reservation begins
    cluster.wait_over(failed)
    cluster.scontrol("requeue", str(again))
    cluster.scontrol("update", "nodename=n4", "state=drain", "reason=" + ODD)
    cluster.update(cluster.one_part, "partition=main")
    wait_iterations(cluster)


def formats(cluster, command):
    """The options for output that the command has in this build."""
    if command[0] in ONLY_TEXT or "-o" in command or "-O" in command:
        return []
    plugins = cluster.scontrol("show", "config").stdout.split("PluginDir")[1].split("\n")[0]
    plugins = plugins.strip(" =").split(":")
    told = cluster.run(command[0], "--help", check=False)
    return ["--" + form for form in ("json", "yaml")
            if "--" + form in told.stdout + told.stderr and
            any(os.path.exists(os.path.join(path, "serializer_%s.so" % form)) for path in plugins)]


def ask(cluster, *command):
    """The command ends with 0; a signal would be a negative number."""
    said = cluster.run(*command, check=False)
    assert said.returncode == 0, (command, said.returncode, said.stderr[-2000:])
    return said


def answers(cluster, *command):
    return ask(cluster, *command).stdout


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_form_answers(cluster, command):
    check_forms(cluster, command)


@pytest.mark.parametrize("command", WITH_DATABASE, ids=" ".join)
def test_every_form_answers_with_a_database(cluster, command):
    if not cluster.flags:
        pytest.skip("needs slurmdbd and MariaDB")
    check_forms(cluster, command)


def check_forms(cluster, command):
    printed = answers(cluster, *command).strip()
    # no step runs, there are no licences, and 22.05 prints blank lines for ALL
    assert printed or command in (["squeue", "-s"], ["scontrol", "show", "licenses"]) or "ALL" in command
    for form in formats(cluster, command):
        said = cluster.run(*command, form, check=False)
        # Slurm's YAML has no place for bytes that are no UTF-8; since 26.05 its exit status says so
        assert said.returncode == 0 or (said.returncode == 1 and NO_YAML in said.stderr), said
        if form == "--json" and command not in NO_JSON:
            assert not json.loads(said.stdout, strict=False).get("errors"), said.stdout[:2000]
        else:
            assert said.stdout.strip() or NO_YAML in said.stderr, command


def number(value):
    """Slurm's JSON has {"set":, "number":} since 23.02."""
    return value["number"] if isinstance(value, dict) else value


def queue_json(cluster):
    """{job id: record} of squeue --json."""
    if "--json" not in formats(cluster, ["squeue"]):
        pytest.skip("this Slurm was built without JSON")
    jobs = json.loads(answers(cluster, "squeue", "--json"), strict=False)["jobs"]
    return {job["job_id"]: job for job in jobs}


@pytest.mark.skipif(SLURM < (26, 5), reason="Slurm 26.05 and later name jobs by SLUID in sprio")
def test_sprio_knows_the_sluid(cluster):
    job = cluster.sbatch("-t5", "-n1", "--begin=now+1hour")
    sluid = cluster.run("squeue", "-h", "-j", str(job), "-O", "SLUID").stdout.strip()
    for asked in (str(job), sluid):
        said = cluster.run("sprio", "-h", "-j", asked, "-o", "%i %s").stdout.split()
        assert said == [str(job), sluid]


def test_json_has_the_jobs_of_the_text(cluster):
    assert set(queue_json(cluster)) >= set(cluster.squeue())


def parts_by_priority(cluster, job):
    """[(partition, priority)] of squeue -P."""
    text = answers(cluster, "squeue", "-h", "-a", "-P", "-j%d" % job, "-o", "%P %Q")
    return sorted((name, int(priority)) for name, priority in
                  {tuple(line.split()) for line in text.splitlines()})


def test_each_partition_has_its_own_priority(cluster):
    """sprio, squeue -P and JSON agree; a job that names one partition again has no others."""
    expected = {"main": 100, "wide": 300, "low": 200}
    for job in cluster.jobs_of_parts[:3]:
        names = cluster.job(job).partitions
        rows = {row.partition: row.priority for row in cluster.sprio("-j%d" % job)}
        assert rows == {name: expected[name] for name in names}
        if SLURM < (24, 11):
            continue
        assert {name for name, _ in parts_by_priority(cluster, job)} == set(names)
        record = queue_json(cluster)[job]
        if "priority_by_partition" in record:
            assert {part["partition"]: number(part["priority"])
                    for part in record["priority_by_partition"]} == rows
    assert [name for name, _ in parts_by_priority(cluster, cluster.one_part)] == ["main"]


def test_partitions_that_change(cluster):
    """Another list, another order of tiers: names and priorities stay together."""
    job = cluster.jobs_of_parts[0]

    def agree(*names):
        rows = {row.partition: row.priority for row in cluster.sprio("-j%d" % job)}
        shown = [name for name, _ in parts_by_priority(cluster, job)]
        answers(cluster, "squeue", *formats(cluster, ["squeue"])[:1])
        return set(rows) == set(names) and set(shown) <= set(names) and \
            (SLURM < (24, 11) or set(shown) == set(names))

    for names in (("low", "main", "wide"), ("main",), ("wide", "low")):
        cluster.update(job, "partition=" + ",".join(names))
        wait_until(lambda: agree(*names), "partitions of job %d: %s" % (job, names))
    cluster.scontrol("update", "partitionname=wide", "prioritytier=9")
    wait_iterations(cluster)
    assert agree("wide", "low")
    record = queue_json(cluster)[job]
    if "priority_by_partition" in record:
        assert {part["partition"]: number(part["priority"])
                for part in record["priority_by_partition"]} == {"wide": 300, "low": 200}
