# SPDX-License-Identifier: GPL-2.0-or-later
"""Damaged files and a full disk: an error that names the file, nothing lost, slurmctld lives.

Rules: CFG-11.
"""

import glob
import json
import os
import subprocess
import time

import pytest
from cluster import wait_until
from fairshare import summed, windows, write_window

CFG = """
RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 60
FSPOLICY DEDICATEDPS
FSINTERVAL 24:00:00
FSWEIGHT 1
FSUSERWEIGHT 100
USERCFG[DEFAULT] FSTARGET=25
QOSWEIGHT 1000000
QOSCFG[high] PRIORITY=5
"""
CONF = "SchedulerParameters=sched_interval=1,bf_interval=1\n"
pytestmark = pytest.mark.together


def day():
    now = int(time.time())
    return now - now % 86400


def files(directory):
    """{name: content} of all files there."""
    found = {}
    for path in glob.glob(os.path.join(directory, "*")):
        with open(path, "rb") as content:
            found[os.path.basename(path)] = content.read()
    return found


# ---- fairshare files ----

def test_fs_file_with_junk(own_cluster):
    """The good lines count, the old file is kept aside, the log names each bad line."""
    cluster = own_cluster(CFG, CONF)
    cluster.stop()
    start = day()
    write_window(cluster.state, start, 86400, {("user", "steve"): 600, ("user", "amy"): 400}, 1000)
    path = os.path.join(cluster.state, "FS.%d" % start)
    with open(path, "ab") as out:
        out.write(b"user bob much\nplanet mars 4\nuser amy -7\n\xff\x00\x01 3 4\nclass main 1000\n")
    with open(path, "rb") as content:
        damaged = content.read()
    mark = cluster.log_size()
    cluster.start()
    cluster.wait_cycle()
    log = cluster.log_since(mark)
    assert "error: slurm-maui: %s:6: error: not an amount of usage: 'much'" % path in log, log
    assert log.count("error: slurm-maui: %s:" % path) >= 5, "each bad line, and what was done"
    assert files(cluster.state)["FS.%d.bad" % start] == damaged
    cluster.drain()
    job = cluster.sbatch("-t5")
    wait_until(lambda: cluster.row(job).fairshare == 100 * (25 - 60), "the good lines count")
    cluster.stop()
    usage, total = summed(cluster.state)
    assert usage == {("user", "steve"): 600, ("user", "amy"): 400, ("class", "main"): 1000}
    assert total == 1000


@pytest.mark.parametrize("content", [b"", os.urandom(100_000), b"user steve 100.000\nuser amy 20"],
                         ids=["empty", "random", "no total"])
def test_fs_file_that_is_none(own_cluster, content):
    cluster = own_cluster(CFG, CONF)
    cluster.stop()
    older = day() - 86400
    write_window(cluster.state, day(), 86400, {("user", "steve"): 50}, 100)
    with open(os.path.join(cluster.state, "FS.%d" % older), "wb") as out:
        out.write(content)
    mark = cluster.log_size()
    cluster.start()
    cluster.wait_cycle()
    if content:
        assert "error: slurm-maui: %s/FS.%d" % (cluster.state, older) in cluster.log_since(mark)
        assert files(cluster.state)["FS.%d.bad" % older] == content
    cluster.drain()
    job = cluster.sbatch("-t5")
    # no total: the sum of the users' lines is taken for it
    expected = 25 - (100 * (50 + 100) / (100 + 120) if content.startswith(b"user") else 50)
    wait_until(lambda: cluster.row(job).fairshare == int(100 * expected), "the other file counts")


# ---- the state of jobs ----

def with_stamped_job(own_cluster):
    """A cluster, down, with one waiting job of QOS high that was released just before."""
    cluster = own_cluster(CFG, CONF)
    cluster.drain()
    job = cluster.sbatch("-t5", "-H", "--qos=high")
    cluster.wait_cycle()
    cluster.update(job, "admincomment=overwritten")
    wait_until(lambda: time.time() > cluster.job(job).submit + 6, "six seconds on hold")
    cluster.scontrol("release", str(job))
    released = time.time()
    cluster.wait_cycle()
    cluster.restart()  # the state before becomes .old; both know the job
    cluster.wait_cycle()
    cluster.stop()
    with open(os.path.join(cluster.state, "state.json"), encoding="utf-8") as state:
        assert [entry["id"] for entry in json.load(state)["jobs"]] == [job]
    return cluster, job, released


def check_job(cluster, job, released):
    def look():
        row = cluster.row(job)
        assert row.assoc == 5_000_000, "QOS high: %s" % row
        assert abs(row.age - (time.time() - released)) <= 3, "queue time since release: %s" % row
        return True
    wait_until(look, "QOS and queue time of the job")


def test_state_survives_a_restart(own_cluster):
    cluster, job, released = with_stamped_job(own_cluster)
    cluster.start()
    check_job(cluster, job, released)


@pytest.mark.parametrize("damage", ["half", "empty", "random", "array"])
def test_a_damaged_state_file_is_replaced_by_the_old_one(own_cluster, damage):
    cluster, job, released = with_stamped_job(own_cluster)
    path = os.path.join(cluster.state, "state.json")
    with open(path, "rb") as state:
        content = state.read()
    content = {"half": content[:len(content) // 2], "empty": b"", "random": os.urandom(5000),
               "array": b"[1, 2]"}[damage]
    with open(path, "wb") as state:
        state.write(content)
    mark = cluster.log_size()
    cluster.start()
    check_job(cluster, job, released)
    assert "error: slurm-maui: %s" % path in cluster.log_since(mark)
    assert files(cluster.state)["state.json.bad"] == content, "set aside as it was"


def test_the_state_of_a_newer_release_is_left_alone(own_cluster):
    """Neither read nor overwritten, nor the one before it; the release that wrote it finds all."""
    cluster, job, released = with_stamped_job(own_cluster)
    path = os.path.join(cluster.state, "state.json")
    with open(path, encoding="utf-8") as state:
        ours = state.read()
    newer = ours.replace("maui.state.v1", "maui.state.v2")
    before = files(cluster.state)["state.json.old"]
    with open(path, "w", encoding="utf-8") as state:
        state.write(newer)
    mark = cluster.log_size()
    cluster.start()
    cluster.wait_cycle()
    other = cluster.sbatch("-t5")
    cluster.wait_cycle()
    cluster.restart()
    assert cluster.job(other).state == "PENDING", "slurmctld works"
    said = cluster.log_since(mark)
    assert "error: slurm-maui: %s: error: written by a newer slurm-maui (schema 'maui.state.v2', this " \
        "one reads 'maui.state.v1'): left alone" % path in said
    cluster.stop()
    now = files(cluster.state)
    assert now["state.json"] == newer.encode() and now["state.json.old"] == before
    assert "state.json.bad" not in now
    with open(path, "w", encoding="utf-8") as state:
        state.write(ours)
    cluster.start()
    check_job(cluster, job, released)


def test_the_state_of_an_older_release_is_read(own_cluster):
    """A file with the keys of the first release, and no later ones."""
    cluster, job, released = with_stamped_job(own_cluster)
    path = os.path.join(cluster.state, "state.json")
    with open(path, encoding="utf-8") as state:
        full = json.load(state)
    entry = full["jobs"][0]
    first = {"schema": full["schema"], "saved": full["saved"],
             "jobs": [{key: entry[key] for key in ("id", "submit", "stamp", "qos")}]}
    os.unlink(path + ".old")
    with open(path, "w", encoding="utf-8") as state:
        json.dump(first, state)
    mark = cluster.log_size()
    cluster.start()
    check_job(cluster, job, released)
    assert "error: slurm-maui" not in cluster.log_since(mark)


def test_both_states_damaged(own_cluster):
    """Nothing is known then; slurmctld runs, and nothing is charged twice."""
    cluster = own_cluster(CFG, CONF)
    job = cluster.sbatch("-t5", "-n2", command="sleep 14")
    cluster.wait_state(job, "RUNNING")
    started = time.time()
    wait_until(lambda: time.time() > started + 4, "four seconds of usage")
    cluster.wait_cycle()
    cluster.stop()
    for name in ("state.json", "state.json.old"):
        with open(os.path.join(cluster.state, name), "w", encoding="utf-8") as state:
            state.write('{"schema": ')
    mark = cluster.log_size()
    cluster.start()
    cluster.wait_over(job)
    assert cluster.log_since(mark).count("error: slurm-maui: %s/state.json" % cluster.state) >= 2
    seen = cluster.job(job)
    cluster.wait_cycle()
    cluster.stop()
    _, total = summed(cluster.state)
    assert 2 * 4 <= total <= 2 * (seen.end - seen.start)


# ---- a full disk ----

def fill(directory):
    """Leaves no byte free."""
    with open(os.path.join(directory, "ballast"), "wb", buffering=0) as out:
        try:
            while True:
                out.write(b"x" * 4096)
        except OSError:
            pass


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_directory_removed(own_cluster, how):
    """Made again by the next save, as it was, with all that was in it, also what did not change
    since; said once."""
    cluster = own_cluster(CFG, CONF)
    cluster.stop()
    older = day() - 86400
    write_window(cluster.state, older, 86400, {("user", "amy"): 500}, 500)
    cluster.start()
    cluster.wait_cycle()
    before = os.stat(cluster.state)
    names = {name for name in files(cluster.state) if not name.endswith(".old")}
    assert {"FS.%d" % older, "state.json", "maui.cfg.good", "planning"} <= names, names
    mark = cluster.log_size()
    os.rename(cluster.state, cluster.state + ".gone")
    if how == "replaced":
        os.mkdir(cluster.state, 0o700)
    cluster.drain()
    job = cluster.sbatch("-t5", "--qos=high")
    wait_until(lambda: names <= set(files(cluster.state)), "the files are there again")
    again = os.stat(cluster.state)
    assert (again.st_mode, again.st_uid) == (before.st_mode, before.st_uid)
    assert all(os.stat(os.path.join(cluster.state, name)).st_mode & 0o077 == 0 for name in names)
    log = cluster.log_since(mark)
    assert log.count("error: slurm-maui: %s was removed: made again" % cluster.state) == 1
    cluster.restart()
    cluster.wait_cycle()
    assert cluster.row(job).assoc == 5_000_000
    usage, _ = summed(cluster.state)
    assert usage[("user", "amy")] == 500, usage


def test_full_disk(own_cluster):
    cluster = own_cluster(CFG.replace("24:00:00", "00:00:05").replace("FSPOL", "FSDEPTH 24\nFSPOL"),
                          CONF)
    cluster.stop()
    before = files(cluster.state)
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k,mode=700", "none",
                            cluster.state], capture_output=True, text=True)
    if mount.returncode:
        pytest.skip("mounting a tmpfs is not permitted here: " + mount.stderr.strip())
    try:
        for name, content in before.items():
            with open(os.path.join(cluster.state, name), "wb") as out:
                out.write(content)
        full_disk(cluster)
    finally:
        cluster.stop()
        subprocess.run(["umount", cluster.state], check=True)


def full_disk(cluster):
    cluster.start()
    first = cluster.sbatch("-t5", "-n2", command="sleep 2")
    cluster.wait_over(first)
    wait_until(lambda: sum(window.total for window in windows(cluster.state)) > 0, "usage on disk")
    pid, mark = cluster.daemon_pid(), cluster.log_size()
    fill(cluster.state)
    before = files(cluster.state)
    second = cluster.sbatch("-t5", "-n3", user="amy", command="sleep 7")
    cluster.wait_log(r"error: slurm-maui: cannot save: .*%s/FS\S+: No space left on device"
                     % cluster.state, mark)
    cluster.wait_over(second)
    cluster.wait_cycle()
    after = files(cluster.state)
    assert {name: after.get(name) for name in before} == before, "what was there is as it was"
    assert not [name for name in after if name.endswith(".new")], "no half of a file is left"
    assert cluster.daemon_pid() == pid
    assert cluster.log_since(mark).count("cannot save") == 1, "said once"
    log = cluster.reconfigure()  # the accepted maui.cfg cannot be kept, but counts
    assert "maui.cfg accepted" in log
    os.unlink(os.path.join(cluster.state, "ballast"))
    cluster.wait_log("slurm-maui: saving works again", mark)
    jobs = cluster.jobs()
    cluster.wait_cycle()
    cluster.stop()
    usage, _ = summed(cluster.state)
    for job, user in ((first, "steve"), (second, "amy")):
        assert usage["user", user] == jobs[job].procs * (jobs[job].end - jobs[job].start)
