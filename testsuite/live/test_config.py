# SPDX-License-Identifier: GPL-2.0-or-later
"""maui.cfg at a start and on reconfigure: a good one counts, a bad one is reported line by line and
changes nothing.

Rules: CFG-9.
"""

import os
import re
import time

import pytest
from cluster import KEPT, wait_until

GOOD = """RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 0
USERWEIGHT 10
USERCFG[steve] PRIORITY=100
"""
# line: (column of the parameter or attribute, a word of the message)
BAD = GOOD + """FSDECAY 1.5x
FSINTERVAL yesterday
USERCFG[amy] FSTARGET=a+lot
FSDEPTH 0
"""
BAD_LINES = {5: (1, "FSDECAY"), 6: (1, "FSINTERVAL"), 7: (14, "FSTARGET"), 8: (1, "FSDEPTH")}
pytestmark = pytest.mark.together
PLAIN = "PriorityType=priority/multifactor\nJobSubmitPlugins=\n"

# what a file may be instead of a configuration
HOSTILE = {
    "binary": bytes(range(256)) * 200,
    "truncated": GOOD.encode() + b"USERCFG[steve",
    "huge": GOOD.encode() + b"# 17 MiB\n" * (17 * 1024 * 1024 // 9 + 1),
    "one long line": b"USERWEIGHT " + b"9" * 3_000_000 + b"\n",
    "nul bytes": GOOD.encode() + b"US\0ERWEIGHT 7\n\0\0\0\n",
}


def parked_cluster(own_cluster):
    """A cluster where no job starts, with the good file in force."""
    cluster = own_cluster(GOOD)
    cluster.drain()
    return cluster


def messages(log, path):
    """[(line, column, severity, text)] of the diagnostics of a file, in their order. A slurmctld
    that starts at a reconfigure reads the file again and then logs them at debug."""
    found = re.findall(r"\] (?:error: )?slurm-maui: %s:(\d+):(\d+): (\w+): (.*)" %
                       re.escape(path), log)
    return [(int(line), int(column), severity, text) for line, column, severity, text in found]


def priority_is(cluster, job, number):
    wait_until(lambda: cluster.squeue()[job] == number, "priority %d" % number)


def test_a_good_file_counts_at_once(own_cluster):
    parked = parked_cluster(own_cluster)
    job = parked.sbatch("-t10")
    priority_is(parked, job, 1000)
    parked.write_maui_cfg(GOOD.replace("=100", "=200").replace("INTERVAL 1", "INTERVAL 1:00:00"))
    parked.scontrol("reconfigure")
    priority_is(parked, job, 2000)


def test_a_bad_file_changes_nothing(own_cluster):
    parked = parked_cluster(own_cluster)
    job = parked.sbatch("-t10")
    pid = parked.daemon_pid()
    log = parked.reconfigure(BAD.replace("=100", "=200"))
    errors = {line: (column, text) for line, column, severity, text in
              messages(log, parked.maui_cfg) if severity == "error"}
    assert set(errors) == set(BAD_LINES), errors
    for line, (column, word) in BAD_LINES.items():
        assert errors[line][0] == column and word in errors[line][1], errors[line]
    assert "maui.cfg: not accepted, 4 errors" in log
    assert KEPT in log
    assert log.count("error: slurm-maui") == 6, "errors are logged as errors"
    assert parked.daemon_pid() == pid
    priority_is(parked, job, 1000)
    parked.wait_cycle()
    priority_is(parked, job, 1000)
    # corrected, it counts
    parked.reconfigure(GOOD.replace("=100", "=300"))
    priority_is(parked, job, 3000)


def test_a_missing_file_changes_nothing(own_cluster):
    parked = parked_cluster(own_cluster)
    job = parked.sbatch("-t10")
    os.unlink(parked.maui_cfg)
    log = parked.reconfigure()
    assert re.search(r"error: slurm-maui: .*maui\.cfg.*No such file", log), log
    assert KEPT in log
    priority_is(parked, job, 1000)


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files(own_cluster, kind):
    parked = parked_cluster(own_cluster)
    job = parked.sbatch("-t10")
    pid, began = parked.daemon_pid(), time.monotonic()
    log = parked.reconfigure(HOSTILE[kind])
    assert time.monotonic() - began < 15, "not held up"
    assert re.search(r"error: slurm-maui: \S*maui\.cfg", log), "an error that names the file"
    assert len(log) < 2_000_000, "the log is not flooded"
    assert parked.daemon_pid() == pid
    priority_is(parked, job, 1000)


def test_the_error_of_a_huge_file_names_the_limit(own_cluster):
    parked = parked_cluster(own_cluster)
    log = parked.reconfigure(HOSTILE["huge"])
    assert re.search(r"error: slurm-maui: \S*maui\.cfg.*16 ?MiB|16777216", log), log[-2000:]


def test_unknown_names_only_warn(own_cluster):
    parked = parked_cluster(own_cluster)
    job = parked.sbatch("-t10")
    text = GOOD.replace("=100", "=150") + """FSINTERVALL 12:00:00
USERCFG[steve] PRIORTY=7
FROBNICATE 1
"""
    log = parked.reconfigure(text)
    found = {line: (severity, words) for line, _, severity, words in messages(log, parked.maui_cfg)}
    assert {line: severity for line, (severity, _) in found.items()} == \
        {5: "warning", 6: "warning", 7: "warning"}
    assert "did you mean FSINTERVAL?" in found[5][1]
    assert "did you mean PRIORITY?" in found[6][1]
    assert "maui.cfg accepted" in log and "error: slurm-maui" not in log
    priority_is(parked, job, 1500)


def test_include(own_cluster):
    parked = parked_cluster(own_cluster)
    job = parked.sbatch("-t10")
    include = os.path.join(parked.dir, "more.cfg")
    with open(include, "w", encoding="utf-8") as out:
        out.write("USERCFG[steve] PRIORITY=170\n")
    parked.reconfigure(GOOD + "#INCLUDE more.cfg\n")
    priority_is(parked, job, 1700)
    with open(include, "w", encoding="utf-8") as out:
        out.write("USERCFG[steve] PRIORITY=170\nFSDEPTH 0\n")
    log = parked.reconfigure()
    assert [(line, severity) for line, _, severity, _ in messages(log, include)] == [(2, "error")]
    os.unlink(include)
    log = parked.reconfigure(GOOD + "#INCLUDE more.cfg\n")
    assert "more.cfg" in log and KEPT in log
    priority_is(parked, job, 1700)
    # a start uses the last good one, whose included file is gone
    parked.restart()
    parked.wait_cycle()
    priority_is(parked, job, 1700)


# ---- at a start ----

@pytest.mark.parametrize("bad", [BAD.encode(), None, HOSTILE["binary"], HOSTILE["huge"]],
                         ids=["errors", "missing", "binary", "huge"])
def test_start_with_a_bad_file_runs_on_the_last_good_one(own_cluster, bad):
    parked = parked_cluster(own_cluster)
    job = parked.sbatch("-t10")
    parked.wait_cycle()
    parked.stop()
    if bad is None:
        os.unlink(parked.maui_cfg)
    else:
        parked.write_maui_cfg(bad)
    mark = parked.log_size()
    parked.start()
    parked.wait_cycle()
    log = parked.log_since(mark)
    assert len(re.findall(r"error: slurm-maui: \S*maui\.cfg: not accepted, \d+ error", log)) == 1
    assert len(re.findall(r"error: slurm-maui: running on the last good configuration, "
                          r"\S*/maui\.cfg\.good", log)) == 1
    said = re.findall(r"error: slurm-maui: .*", log)
    assert len(set(said)) == len(said), "once, however many plugins read it"
    priority_is(parked, job, 1000)
    late = parked.sbatch("-t10")
    assert parked.squeue()[late] == 1000
    # its own copy stays good however often it starts on it
    parked.restart()
    parked.wait_cycle()
    priority_is(parked, job, 1000)
    parked.reconfigure(GOOD.replace("=100", "=110"))
    priority_is(parked, job, 1100)


@pytest.mark.parametrize("bad", [BAD, None], ids=["errors", "missing"])
def test_first_start_with_a_bad_file_is_refused(own_cluster, bad):
    cluster = own_cluster(GOOD, PLAIN)
    cluster.stop()
    cluster.edit_slurm_conf(PriorityType="priority/maui", JobSubmitPlugins="maui")
    if bad:
        cluster.write_maui_cfg(bad)
    else:
        os.unlink(cluster.maui_cfg)
    mark = cluster.log_size()
    result = cluster.start(check=False)
    assert result.returncode == 1
    assert cluster.daemon_pid() is None, "slurmctld does not run without a policy"
    log = cluster.log_since(mark)
    assert "error: slurm-maui: no usable maui.cfg and no last good one: refusing to load" in log
    assert "maui.cfg" in result.stdout
    if bad:
        assert {line for line, _, severity, _ in messages(log, cluster.maui_cfg)
                if severity == "error"} == set(BAD_LINES)
    # with a good one it starts
    cluster.write_maui_cfg(GOOD)
    cluster.start()
    cluster.wait_cycle()


def test_maui_cfg_elsewhere(own_cluster):
    """SchedulerParameters=maui_cfg=PATH"""
    cluster = own_cluster(GOOD)
    cluster.drain()
    job = cluster.sbatch("-t10")
    path = os.path.join(cluster.dir, "elsewhere.cfg")
    with open(path, "w", encoding="utf-8") as out:
        out.write(GOOD.replace("=100", "=900"))
    cluster.edit_slurm_conf(SchedulerParameters="maui_cfg=%s,bf_interval=5" % path)
    cluster.reconfigure()
    priority_is(cluster, job, 9000)
