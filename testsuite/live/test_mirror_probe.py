# SPDX-License-Identifier: GPL-2.0-or-later
"""Mirrors of reservations and starts on their nodes, on a real slurmctld, without a plan: a probe
(../bench/probe-mirror.c) carries out what a test wants of src/slurm/mirror/mirror.h and start.h."""

import os
import re
import time

import pytest
from cluster import SLURM, TOP, wait_until

NOBODY = "nobody" if SLURM < (25, 11) else "65534"

BUILD = os.environ.get("MAUI_BUILD_DIR", os.path.join(TOP, "build"))
PROBE = os.path.join(BUILD, "testsuite", "bench", ".libs")
CONF = """
SchedulerType=sched/mirrorprobe
PriorityType=priority/basic
JobSubmitPlugins=
SchedulerParameters=defer
"""
NAME = "maui.biz.20261122"
SECOND = "maui.night.20261122"
DONE, REFUSED = 1, 2
ALL = "c1,c2,c3,c4"


class Probe:
    """A cluster of four nodes whose scheduler plugin carries out the test's commands."""

    def __init__(self, clusters, conf=""):
        self.base = None
        self.cluster = clusters("", CONF + conf, nodes=4, plugin_dir=PROBE, up=False)
        self.dir = self.cluster.base
        self.cluster.environment["PROBE_DIR"] = self.dir
        self.cluster.up()
        nodes = self.cluster.run("sinfo", "-h", "-N", "-o", "%N").stdout.split()
        self.nodes = sorted(set(nodes))

    def names(self, text):
        """"c1,c3" as this cluster calls them."""
        return ",".join(self.nodes[int(one[1:]) - 1] for one in text.split(","))

    def __call__(self, *lines):
        """Carries the lines out; returns what the probe says, a list of lines."""
        out = os.path.join(self.dir, "out")
        with open(os.path.join(self.dir, "cmd.new"), "w", encoding="ascii") as command:
            command.write("\n".join(lines) + "\n")
        os.rename(os.path.join(self.dir, "cmd.new"), os.path.join(self.dir, "cmd"))
        wait_until(lambda: os.path.exists(out), "an answer of the probe")
        with open(out, encoding="ascii") as answer:
            lines = answer.read().splitlines()
        os.unlink(out)
        return lines

    def sync(self, *wants, mode="all"):
        """Syncs the mirrors (name, start, end, nodes[, "admin"]); returns the counts and the words
        of the probe."""
        lines = ["clear"]
        for name, start, end, nodes, *admin in wants:
            lines.append("want %s %s %s %s %s %s" % (name, name.split(".")[1], start, end,
                                                     self.names(nodes), " ".join(admin)))
        said = self(*lines, "sync " + mode)
        result = {key: int(value) for key, value in
                  re.findall(r"(\w+)=(-?\d+)", said[0])}
        result["words"] = said[1:]
        return result

    def reserve(self, *wants):
        """The same, and all mirrors exist afterwards."""
        result = self.sync(*wants)
        assert set(self.shown()) >= {want[0] for want in wants}, result
        return result

    def start(self, job, nodes, what="start"):
        """(outcome, code) of a start on these nodes."""
        said = self("%s %d main %s" % (what, job, self.names(nodes)))[0]
        found = dict(re.findall(r"(\w+)=(\S+)", said))
        return int(found.get("outcome", -1)), int(found["code"]), int(found.get("id", 0))

    def shown(self):
        return self.cluster.reservations()

    def job_resv(self, job):
        return dict(re.findall(r"(\w+)=(\S+)", self("resv %d" % job)[0]))

    def changes(self, result):
        return {key: result[key] for key in ("created", "updated", "deleted", "put_back", "refused")
                if result[key]}


@pytest.fixture(scope="module")
def whole(clusters):
    return Probe(clusters)


@pytest.fixture
def probe(whole):
    yield whole
    whole.cluster.cancel_all()
    whole.sync()
    for name in whole.shown():
        whole.cluster.scontrol("delete", "reservationname=" + name)


def hours(count):
    return int(time.time()) + count * 3600


def expand(probe, text):
    return probe.cluster.scontrol("show", "hostnames", text).stdout.split()


# ---- mirrors ----

def test_a_mirror_is_created_kept_and_deleted(probe):
    start, end = hours(-1), hours(2)
    first = probe.sync((NAME, start, end, "c1,c2"))
    assert probe.changes(first) == {"created": 1} and first["changed"]
    row = probe.shown()[NAME]
    assert row["Users"] == NOBODY and expand(probe, row["Nodes"]) == probe.nodes[:2]
    assert set(row["Flags"].split(",")) >= {"FLEX", "OVERLAP", "IGNORE_JOBS", "SPEC_NODES"}
    mark = probe.cluster.log_size()
    for _ in range(3):
        again = probe.sync((NAME, start, end, "c1,c2"))
        assert not probe.changes(again) and not again["changed"] and not again["writes"], again
    assert "reservation" not in probe.cluster.log_since(mark)
    gone = probe.sync()
    assert probe.changes(gone) == {"deleted": 1} and not probe.shown()


def test_a_mirror_follows_its_instance(probe):
    start, end = hours(1), hours(2)
    probe.sync((NAME, start, end, "c1"))
    later = probe.sync((NAME, start + 600, end + 600, "c2,c3"))
    assert probe.changes(later) == {"updated": 1}
    row = probe.shown()[NAME]
    assert expand(probe, row["Nodes"]) == probe.nodes[1:3]
    began = probe.sync((NAME, hours(-1), end, "c2,c3"))
    assert probe.changes(began) == {"updated": 1}
    assert probe.shown()[NAME]["State"] == "ACTIVE"
    # one that has begun cannot be moved: it is deleted and created
    moved = probe.sync((NAME, hours(1), end, "c2,c3"))
    assert probe.changes(moved) == {"created": 1, "deleted": 1}
    assert probe.shown()[NAME]["State"] == "INACTIVE"


def test_a_mirror_of_an_endless_instance_has_an_end(probe):
    made = probe.sync((NAME, hours(-1), "never", "c1"))
    assert probe.changes(made) == {"created": 1}
    again = probe.sync((NAME, hours(-1), "never", "c1"))
    assert not probe.changes(again)
    assert again["again"] > time.time() + 360 * 86400


def test_the_mode_and_the_distance_decide_what_is_mirrored(probe):
    wants = (NAME, hours(-1), hours(1), "c1"), (SECOND, hours(1), hours(2), "c2")
    assert probe.sync(*wants)["known"] == 2
    current = probe.sync(*wants, mode="current")
    assert probe.changes(current) == {"deleted": 1} and set(probe.shown()) == {NAME}
    none = probe.sync(*wants, mode="none")
    assert probe.changes(none) == {"deleted": 1} and not probe.shown()


def test_a_changed_standing_mirror_is_restored(probe):
    want = (NAME, hours(-1), hours(2), "c1,c2")
    probe.sync(want)
    mark = probe.cluster.log_size()
    probe.cluster.scontrol("delete", "reservationname=" + NAME)
    assert probe.changes(probe.sync(want)) == {"created": 1, "put_back": 1}
    probe.cluster.wait_log("Slurm reservation %s was deleted outside slurm-maui: restored" % NAME,
                           mark)
    changes = {"nodes=" + probe.names("c3"): {"updated": 1}, "endtime=now+60": {"updated": 1}}
    changes.update({change: {"created": 1, "deleted": 1} for change in
                    ("users=steve", "users=root", "flags=MAINT", "flags-=FLEX", "accounts=phys",
                     "flags=DAILY")})
    for change, repair in changes.items():
        mark = probe.cluster.log_size()
        probe.cluster.scontrol("update", "reservationname=" + NAME, change)
        back = probe.sync(want)
        if change == "users=root":  # also one of our forms: no word about it
            assert probe.changes(back) == repair, (change, back)
            continue
        assert probe.changes(back) == dict(repair, put_back=1), (change, back)
        assert len(re.findall("changed outside slurm-maui", probe.cluster.log_since(mark))) == 1
        row = probe.shown()[NAME]
        assert expand(probe, row["Nodes"]) == probe.nodes[:2], change
        assert row["Users"] == NOBODY and row["Accounts"] in ("(null)", ""), change
        assert "MAINT" not in row["Flags"] and "FLEX" in row["Flags"].split(","), change
        assert not probe.changes(probe.sync(want)), change


def test_a_foreign_reservation_is_left_alone(probe):
    probe.cluster.scontrol("create", "reservationname=" + NAME, "users=steve", "duration=60",
                           "starttime=now", "nodes=" + probe.names("c4"))
    mark = probe.cluster.log_size()
    want = (NAME, hours(-1), hours(2), "c1,c2")
    for _ in range(3):
        assert not probe.changes(probe.sync(want))
    assert len(re.findall("is left alone", probe.cluster.log_since(mark))) == 1
    assert probe.shown()[NAME]["Users"] == "steve"
    assert "foreign" in probe("list")[0]
    probe.sync()
    assert NAME in probe.shown()


def test_scontrol_changes_administrative_reservations(probe):
    want = (NAME, hours(-1), hours(2), "c1,c2", "admin")
    probe.sync(want)
    probe.cluster.scontrol("update", "reservationname=" + NAME, "nodes=" + probe.names("c2,c3"))
    told = probe.sync(want)
    assert not probe.changes(told) and len(told["words"]) == 1
    assert "moved=001" in told["words"][0] and "nodes=2" in told["words"][0]
    assert expand(probe, probe.shown()[NAME]["Nodes"]) == probe.nodes[1:3]
    moved = (NAME, hours(-1), hours(2), "c2,c3", "admin")
    probe.cluster.scontrol("update", "reservationname=" + NAME, "endtime=now+180minutes")
    told = probe.sync(moved)
    assert "moved=010" in told["words"][0] and not probe.changes(told)
    probe.cluster.scontrol("delete", "reservationname=" + NAME)
    told = probe.sync(moved)
    assert "deleted=1" in told["words"][0] and not probe.shown() and told["known"] == 0


def test_mirrors_outlive_a_restart(probe):
    wants = ((NAME, hours(-1), hours(2), "c1,c2"),
             (SECOND, hours(1), hours(2), "c3", "admin"))
    kept = os.path.join(probe.dir, "kept.json")
    probe.sync(*wants)
    probe("save " + kept)
    probe.cluster.restart()
    probe("load " + kept)
    assert not probe.changes(probe.sync(*wants))
    # killed, and deleted while we were away: administrative ones, too, are there again
    probe.cluster.restart(kill=True)
    probe.cluster.scontrol("delete", "reservationname=" + SECOND)
    probe("load " + kept)
    back = probe.sync(*wants)
    assert back["created"] == 1 and not back["words"]
    # the list was lost: what is as we would make it is ours
    probe.cluster.restart()
    mark = probe.cluster.log_size()
    lost = probe.sync(*wants)
    assert lost["adopted"] == 2 and not probe.changes(lost), lost
    assert "adopted Slurm reservation" in probe.cluster.log_since(mark)
    probe.cluster.scontrol("reconfigure")
    wait_until(lambda: not probe.sync(*wants)["table"], "nodes known again")
    assert not probe.changes(probe.sync(*wants))


def test_a_mirror_ends_with_its_instance(probe):
    end = int(time.time()) + 3
    probe.sync((NAME, hours(-1), end, "c1"))
    wait_until(lambda: time.time() > end + 1, "its end")
    probe.sync()
    assert not probe.shown()


def test_a_mirror_that_jobs_name_is_deleted_later(probe):
    want = (NAME, hours(-1), hours(2), "c1")
    probe.sync(want)
    probe.cluster.scontrol("update", "reservationname=" + NAME, "users=steve")
    job = probe.cluster.sbatch("-t10", "--reservation=" + NAME)
    mark = probe.cluster.log_size()
    for _ in range(2):
        probe.sync()
    assert len(re.findall("while jobs name it", probe.cluster.log_since(mark))) == 1
    assert NAME in probe.shown()
    probe.cluster.run("scancel", str(job))
    probe.cluster.wait_over(job)


def test_detach(probe):
    probe.reserve((NAME, hours(-1), hours(2), "c1,c2"), (SECOND, hours(1), hours(2), "c3"))
    os.makedirs(probe.cluster.state, exist_ok=True)
    probe("save " + os.path.join(probe.cluster.state, "state.json"))
    probe.cluster.scontrol("update", "reservationname=" + SECOND, "users=steve")
    said = probe.cluster.run(os.path.join(BUILD, "maui"), "detach", "--keep-comments")
    assert said.stdout.split() == [NAME], said
    assert "%s was changed or made by others than sched/maui: left alone" % SECOND in said.stderr
    assert set(probe.shown()) == {SECOND}


# ---- starts ----

def clean(probe, job):
    """No trace of the temporary reservation is left in the record."""
    seen = probe.job_resv(job)
    assert (seen["name"], seen["id"], seen["pointer"], seen["list"]) == ("-", "0", "0", "0"), seen


def test_an_admitted_job_starts_on_mirrored_nodes(probe):
    probe.reserve((NAME, hours(-1), hours(2), "c1,c2"))
    plain = probe.cluster.sbatch("-t10", "-N4", "--exclusive")
    assert probe("again")[0:] == []
    outcome, code, _ = probe.start(plain, ALL)
    assert (outcome, code) == (DONE, 0)
    job = probe.cluster.wait_state(plain, "RUNNING")
    assert expand(probe, job.fields["NodeList"]) == probe.nodes
    assert job.fields.get("Reservation", "(null)") == "(null)"
    clean(probe, plain)
    script = probe.cluster.run("squeue", "-h", "-j", str(plain), "-o", "%v").stdout.strip()
    assert script in ("(null)", "")


def test_its_environment_names_no_reservation(probe):
    probe.reserve((NAME, hours(-1), hours(2), ALL))
    out = os.path.join("/tmp", os.path.basename(probe.dir) + ".env")
    job = probe.cluster.sbatch("-t1", command="env >%s.new && mv %s.new %s" % (out, out, out))
    assert probe.start(job, "c1")[0] == DONE
    wait_until(lambda: os.path.exists(out), "the job's environment")
    with open(out, encoding="utf-8") as text:
        assert "SLURM_JOB_RESERVATION" not in text.read()
    os.unlink(out)


def test_part_of_a_node_and_later_ones(probe):
    probe.reserve((NAME, hours(1), hours(2), "c1"), (SECOND, hours(-1), hours(2), "c1,c2"))
    small = probe.cluster.sbatch("-t10", "-n1")
    long = probe.cluster.sbatch("-t180", "-n1")
    free = probe.cluster.sbatch("-t180", "-n1")
    assert probe.start(small, "c1")[0] == DONE
    assert probe.start(long, "c1")[0] == DONE
    assert probe.start(free, "c3")[0] == DONE
    for job in (small, long, free):
        clean(probe, job)
        probe.cluster.wait_state(job, "RUNNING")


def test_maintenance_and_others_reservations_stay_closed(probe):
    probe.reserve((NAME, hours(-1), hours(2), "c1,c2"))
    for kind in (["flags=maint,ignore_jobs,overlap"], ["flags=overlap"],
                 ["flags=overlap,flex"]):
        probe.cluster.scontrol("create", "reservationname=other", "users=root", "duration=60",
                               "starttime=now", "nodes=" + probe.names("c2"), *kind)
        job = probe.cluster.sbatch("-t10", "-N2")
        assert probe.start(job, "c1,c2")[0] == REFUSED, kind
        clean(probe, job)
        assert probe.cluster.job(job).priority != 0
        assert probe.start(job, "c1,c3")[0] == DONE, kind
        probe.cluster.cancel_all()
        probe.cluster.scontrol("delete", "reservationname=other")


def test_core_reservations_stay_closed(probe):
    probe.cluster.scontrol("create", "reservationname=cores", "users=root", "duration=60",
                           "starttime=now", "nodes=" + probe.names("c1"), "corecnt=2")
    probe.reserve((NAME, hours(-1), hours(2), "c1,c2"))
    job = probe.cluster.sbatch("-t10", "-n4", "-N1")
    assert probe.start(job, "c1")[0] == REFUSED
    clean(probe, job)
    assert probe.start(job, "c2")[0] == DONE


def test_later_reservations_of_others_stay_closed(probe):
    probe.reserve((NAME, hours(-1), hours(4), "c1,c2"))
    probe.cluster.scontrol("create", "reservationname=later", "users=root", "duration=60",
                           "starttime=now+1hour", "nodes=" + probe.names("c1"), "flags=overlap")
    long, short = (probe.cluster.sbatch("-t" + limit, "-n1") for limit in ("90", "30"))
    assert probe.start(long, "c1")[0] == REFUSED
    clean(probe, long)
    assert probe.start(short, "c1")[0] == DONE


def test_inside_another_reservation(probe):
    """A reservation made with scontrol on nodes of a mirror: a job that may use both starts there."""
    probe.reserve((NAME, hours(-1), hours(2), "c1,c2"))
    probe.cluster.scontrol("create", "reservationname=hers", "users=steve", "duration=60",
                           "starttime=now", "nodes=" + probe.names("c2,c3"))
    job = probe.cluster.sbatch("-t10", "-n1", "--reservation=hers")
    assert probe.start(job, "c2")[0] == DONE
    assert probe.job_resv(job)["name"] == "hers"
    assert "OVERLAP" not in probe.shown()["hers"]["Flags"]


def test_arrays(probe):
    probe.reserve((NAME, hours(-1), hours(2), ALL))
    array = probe.cluster.sbatch("-t10", "-n1", "--array=1-5%4")
    for done in range(1, 4):
        outcome, code, started = probe.start(array, "c%d" % done)
        assert (outcome, code) == (DONE, 0)
        clean(probe, started)
        clean(probe, array)
    states = [job.state for job in probe.cluster.jobs().values() if job.array_id == array]
    assert sorted(states) == ["PENDING"] + ["RUNNING"] * 3
    # refused, with something split off or not: the rest is as it was
    probe.cluster.scontrol("create", "reservationname=other", "users=root", "duration=60",
                           "starttime=now", "nodes=" + probe.names("c4"), "flags=overlap")
    assert probe.start(array, "c4")[0] == REFUSED
    clean(probe, array)
    probe.cluster.restart()
    clean(probe, array)


def test_a_test_leaves_nothing(probe):
    probe.reserve((NAME, hours(-1), hours(2), ALL))
    job = probe.cluster.sbatch("-t10", "-n1")
    assert probe.start(job, "c1", what="test")[1] == 0
    clean(probe, job)
    assert probe.cluster.job(job).state == "PENDING"


def test_running_jobs_survive_a_restart(probe):
    probe.reserve((NAME, hours(-1), hours(2), "c1,c2"))
    job = probe.cluster.sbatch("-t10", "-N2")
    assert probe.start(job, "c1,c3")[0] == DONE
    probe.cluster.wait_state(job, "RUNNING")
    probe.cluster.restart()
    probe.cluster.scontrol("reconfigure")
    assert probe.cluster.job(job).state == "RUNNING"
    probe.cluster.scontrol("requeue", str(job))
    wait_until(lambda: probe.cluster.job(job).state == "PENDING", "the job requeued")
    clean(probe, job)


def test_a_job_that_names_its_nodes(probe):
    """Refused for the moment only: mirrors are no reason to hold the job."""
    probe.reserve((NAME, hours(-1), hours(2), ALL))
    job = probe.cluster.sbatch("-t10", "-n1", "-w" + probe.names("c2"))
    assert probe.start(job, "c1")[0] == REFUSED
    assert probe.cluster.job(job).priority != 0
    assert probe.start(job, "c2")[0] == DONE
