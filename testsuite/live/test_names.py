# SPDX-License-Identifier: GPL-2.0-or-later
"""Users and groups of a directory (winbind, sssd): blanks, backslashes, umlauts, numbers above 2^31.

The cluster's passwd and group files get them once it is up, before slurmctld starts once more.

Rules: CFG-1, CFG-6.
"""

import json
import os

import pytest
from cluster import wait_until
from reservations import ask, install, setres, shown
from starts import running, wait_reason

CFG = """
RMPOLLINTERVAL 1
FSPOLICY DEDICATEDPS
FSWEIGHT 1
FSUSERWEIGHT 1
FSGROUPWEIGHT 1
GROUPCFG["domain users"] FSTARGET=20
USERCFG[LAB\\ann] FSTARGET=20
SRCFG[ad] HOSTLIST=n1 PERIOD=INFINITY GROUPLIST="domain users",other
"""
CONF = """
SchedulerType=sched/maui
NodeName=n[1-2] CPUs=4 CoresPerSocket=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
GROUPS = {"domain users": 3000000001, "domänen-benutzer": 1616200513}
# each user, its number and its group
PEOPLE = {"LAB\\ann": (3000000002, "domain users"),
          "eve@lab.example": (1060117917, "domänen-benutzer")}


def add_people(cluster):
    run = os.path.join(cluster.dir, "run")
    with open(os.path.join(run, "group"), "a", encoding="utf-8") as out:
        for name, number in GROUPS.items():
            out.write("%s:x:%d:\n" % (name, number))
    with open(os.path.join(run, "passwd"), "a", encoding="utf-8") as out:
        for name, (number, group) in PEOPLE.items():
            out.write("%s:x:%d:%d::/tmp:/bin/sh\n" % (name, number, GROUPS[group]))


@pytest.fixture(scope="module")
def cluster(clusters):
    made = clusters(CFG, CONF, nodes=2)
    add_people(made)
    made.restart()  # libnss-wrapper need not see a change within a second
    return install(made)


@pytest.fixture(autouse=True)
def cleared(cluster):
    yield
    cluster.cancel_all()


def submit(cluster, name, *options):
    number, group = PEOPLE[name]
    return int(cluster.run("setpriv", "--reuid=%d" % number, "--regid=%d" % GROUPS[group],
                           "--clear-groups", "sbatch", "--parsable", "--chdir=/tmp",
                           "--output=/dev/null", *options,
                           "--wrap=sleep 600").stdout.split(";")[0])


def was_started(cluster, job):
    """slurmd may not know such a user, and then the launch fails."""
    said = cluster.run("squeue", "-h", "-j", str(job), "-o", "%T %r").stdout
    return not said.startswith("PENDING") or "launch failed" in said


def test_a_group_with_a_blank_is_admitted(cluster):
    """n1 is for `domain users`: the other group's job waits beside it."""
    eve = submit(cluster, "eve@lab.example", "-w", "n1")
    ann = submit(cluster, "LAB\\ann", "-w", "n1")
    wait_until(lambda: was_started(cluster, ann), "ann's job starts")
    assert not was_started(cluster, eve)


def test_commands_print_whole_names(cluster):
    ann = submit(cluster, "LAB\\ann", "-H")
    wait_until(lambda: str(ann) in ask(cluster, "showq").stdout, "the job is shown")
    queue = ask(cluster, "showq", "-g", "domain users").stdout
    assert "LAB\\ann" in queue and "eve" not in queue
    assert "domain users" in ask(cluster, "diagnose", "-g").stdout
    json.loads(ask(cluster, "diagnose", "-g", "--json").stdout)
    assert "group:domain users" in ask(cluster, "checkjob", str(ann)).stdout


def test_setres(cluster):
    """The shell has taken the quotes of an option; the name of the reservation needs none."""
    name = setres(cluster, "-g", "domain users:domänen-benutzer", "-u", "LAB\\ann-", "-d", "600",
                  "n2")
    acl = shown(cluster)[name]["acl"]
    assert 'GROUP=="domain users"+' in acl and "GROUP==domänen-benutzer+" in acl
    assert "USER==LAB\\ann-" in acl
    ask(cluster, "releaseres", name)


def test_nobody_leaves_the_own_group_by_a_subordinate_id(cluster):
    """FS-12: a group id without a name; the limit of the user's own group holds."""
    uid, group = PEOPLE["LAB\\ann"]
    cluster.reconfigure(CFG + 'GROUPCFG["%s"] MAXJOB=1\n' % group)

    def submit(gid):
        return int(cluster.run("setpriv", "--reuid=%d" % uid, "--regid=%d" % gid,
                               "--clear-groups", "sbatch", "--parsable", "--chdir=/tmp", "--output=/dev/null", "-t5", "-n1",
                               "--wrap=sleep 600").stdout)
    running(cluster, submit(GROUPS[group]))
    for gid in (200000, 200001):
        wait_reason(cluster, submit(gid), "MAXJOB GROUP %s 1/1" % group)
    cluster.reconfigure(CFG)
