# SPDX-License-Identifier: GPL-2.0-or-later
"""job_submit/maui without slurmdbd: the QOS of a job is kept, chosen by QDEF, refused by QLIST.

Rules: THR-16.
"""

import pytest
from cluster import wait_until

CFG = """
RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 0
QOSWEIGHT 1000
USERWEIGHT 1
USERCFG[DEFAULT] PRIORITY=1
QOSCFG[normal] PRIORITY=1
QOSCFG[high] PRIORITY=5
QOSCFG[vip] PRIORITY=9
"""
LISTS = CFG + """
SYSCFG QDEF=normal QLIST=normal
USERCFG[amy] QLIST=high QDEF=high
ACCOUNTCFG[phys] QLIST=vip,high
GROUPCFG[science] QLIST=low
CLASSCFG[other] QLIST=high
"""
CONF = """
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=other Nodes=ALL MaxTime=INFINITE State=UP
"""
NUMBERS = {"normal": 1001, "high": 5001, "vip": 9001, "low": 2, None: 2}


@pytest.fixture(scope="module")
def shared(clusters):
    """Without any QLIST: every QOS is open."""
    cluster = clusters(CFG, CONF)
    cluster.drain()
    return cluster


@pytest.fixture(scope="module")
def listed(clusters):
    cluster = clusters(LISTS, CONF)
    cluster.drain()
    return cluster


@pytest.fixture(autouse=True)
def empty_afterwards(request):
    yield
    for name in ("shared", "listed"):
        if name in request.fixturenames:
            request.getfixturevalue(name).cancel_all()


def qos_is(cluster, job, qos, poll=True):
    """The effect on the priority, by the next poll at the latest, and after it."""
    wait_until(lambda: cluster.squeue()[job] == NUMBERS[qos], "priority of QOS %s" % qos)
    if poll:
        cluster.wait_cycle()
        assert cluster.squeue()[job] == NUMBERS[qos]


def test_qos_is_kept(shared):
    job, plain = shared.sbatch("-t5", "--qos=high"), shared.sbatch("-t5")
    assert shared.squeue() == {job: 5001, plain: 2}, "at submit already"
    assert shared.job(job).admin_comment == "maui:qos=high"
    assert shared.job(plain).admin_comment == ""
    qos_is(shared, job, "high")


def test_srun_and_salloc_have_a_qos_too(shared):
    """srun and salloc send slurmctld another message than sbatch."""
    done = shared.run("salloc", "--immediate=2", "--qos=vip", "-t5", "true", user="steve",
                      check=False)
    assert done.returncode, "nothing starts here"
    jobs = [job for job in shared.jobs().values() if job.admin_comment == "maui:qos=vip"]
    assert len(jobs) == 1


def test_operator_overwrites_the_comment(shared):
    """The QOS is remembered when the comment is overwritten; other keys of the comment stay."""
    job = shared.sbatch("-t5", "--qos=high")
    shared.update(job, "admincomment=call bob; ticket=7")
    qos_is(shared, job, "high")
    shared.restart()
    qos_is(shared, job, "high")
    shared.update(job, "qos=vip")
    assert shared.job(job).admin_comment == "call bob; ticket=7;maui:qos=vip"
    qos_is(shared, job, "vip")
    shared.update(job, "qos=normal")
    assert shared.job(job).admin_comment == "call bob; ticket=7;maui:qos=normal"
    shared.update(job, "admincomment=maui:qos=high;x=1")
    qos_is(shared, job, "high")


def test_operator_overwrites_at_once_after_submit(shared):
    """Seen at submit, not by a poll only."""
    job = shared.sbatch("-t5", "--qos=vip")
    shared.update(job, "admincomment=mine")
    qos_is(shared, job, "vip")


@pytest.mark.parametrize("user", ["steve", None])
def test_update_of_the_qos(shared, user):
    job = shared.sbatch("-t5")
    shared.update(job, "qos=vip", user=user)
    assert shared.squeue()[job] == 9001, "at once"
    qos_is(shared, job, "vip")
    shared.update(job, "qos=normal", user=user)
    qos_is(shared, job, "normal")


def test_a_user_cannot_write_the_comment(shared):
    job = shared.sbatch("-t5")
    refused = shared.update(job, "admincomment=maui:qos=vip", user="steve", check=False)
    assert refused.returncode
    qos_is(shared, job, None)
    # nor smuggle the key in by his own comment
    other = shared.sbatch("-t5", "--comment=maui:qos=vip")
    qos_is(shared, other, None)


HOSTILE = ["a;maui:qos=vip", "high;", ";high", "high vip", "high\nvip", "high,vip", "x" * 5000,
           "'", '"', "=", "maui:qos=vip", "\t", "\x1b[31mvip", "\x7f", "\u202evip"]
STRANGE = ["high%sn%d", "$(id)", "../..", "normal\\", "q:r", "#x", "[a]", "h\u00e4h"]


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: repr(name)[:20])
def test_hostile_names_are_refused(shared, name):
    done = shared.run(*shared.sbatch_command("-t5", "--qos=" + name), check=False)
    assert done.returncode and "a QOS is one name without blanks, separators and control" in done.stderr
    assert "qos" in done.stderr.lower()
    job = shared.sbatch("-t5", "--qos=high")
    assert shared.update(job, "qos=" + name, check=False).returncode
    assert shared.job(job).admin_comment == "maui:qos=high"
    qos_is(shared, job, "high", poll=False)


@pytest.mark.parametrize("name", STRANGE, ids=ascii)
def test_strange_names_are_only_names(shared, name):
    job = shared.sbatch("-t5", "--qos=" + name)
    assert shared.job(job).admin_comment == "maui:qos=" + name
    shared.update(job, "nice=1")
    assert shared.squeue()[job] == 1
    assert shared.daemon_pid()


def test_an_empty_qos_is_none(shared):
    job = shared.sbatch("-t5", "--qos=")
    qos_is(shared, job, None)


# ---- QDEF and QLIST ----

def test_a_refusal_has_nothing_that_a_terminal_acts_on(listed):
    """The names are of a script, which somebody else may have written."""
    done = listed.run(*listed.sbatch_command("-t5", "--qos=vip", "--account=a\x1b[31m\u202e"),
                      check=False)
    assert done.returncode and "account a?[31m???, partition main" in done.stderr, done


@pytest.mark.parametrize("user,options,qos", [
    ("bob", [], "normal"),
    ("amy", [], "high"),
    ("amy", ["--qos=normal"], "normal"),
    ("bob", ["--qos=vip", "-Aphys"], "vip"),
    ("bob", ["--qos=high", "-pother"], "high"),
    ("steve", ["--qos=low"], "low"),
])
def test_default_and_allowed(listed, user, options, qos):
    job = listed.sbatch("-t5", *options, user=user)
    assert listed.job(job).admin_comment == "maui:qos=" + qos
    qos_is(listed, job, qos, poll=False)


@pytest.mark.parametrize("user,options,words", [
    ("bob", ["--qos=vip"], ["QOS 'vip'", "open to you", "partition main", "allowed: normal"]),
    ("bob", ["--qos=high", "-Abio"], ["QOS 'high'", "account bio", "allowed: normal"]),
    ("amy", ["--qos=vip"], ["QOS 'vip'", "open to you", "high and normal"]),
    ("bob", ["--qos=high", "-pother,main"], ["QOS 'high'", "partition main"]),
    ("steve", ["--qos=nosuch"], ["QOS 'nosuch'", "low and normal"]),
])
def test_refused_with_a_message(listed, user, options, words):
    done = listed.run(*listed.sbatch_command("-t5", *options, user=user), check=False)
    assert done.returncode and not done.stdout.strip()
    for word in words + ["QLIST in maui.cfg"]:
        assert word in done.stderr, done.stderr
    assert not listed.squeue()


def test_update_to_a_forbidden_qos_is_refused(listed):
    job = listed.sbatch("-t5", user="bob")
    done = listed.update(job, "qos=vip", check=False)
    assert done.returncode and "Invalid qos specification" in done.stderr, done.stderr
    assert listed.job(job).admin_comment == "maui:qos=normal"
    qos_is(listed, job, "normal")


def test_lists_that_change(listed):
    """A QOS that was allowed at submit and no longer is counts as the default."""
    job = listed.sbatch("-t5", "-Aphys", "--qos=vip", user="bob")
    qos_is(listed, job, "vip")
    listed.reconfigure(LISTS.replace("vip,high", "high"))
    qos_is(listed, job, "normal")
    listed.reconfigure(LISTS)
    qos_is(listed, job, "vip")


def test_array_tasks_have_the_qos(listed):
    array = listed.sbatch("-t5", "--array=1-3", "--qos=high", user="amy")
    listed.scontrol("hold", "%d_2" % array)
    listed.scontrol("release", "%d_2" % array)
    listed.wait_cycle()
    tasks = [job for job in listed.jobs().values() if job.array_id == array]
    assert len(tasks) == 2 and {job.priority for job in tasks} == {5001}, tasks
