# SPDX-License-Identifier: GPL-2.0-or-later
"""Plugins that were built for another slurmctld are refused, and the log names both versions.

Rules: CMD-11, CMD-60, CMD-62, CMD-64.
"""

import glob
import os
import re
import shutil
import struct
import subprocess

import pytest
from cluster import SLURM, TOP, build_dir, plugin_dir, wait_until

CFG = "RMPOLLINTERVAL 1\nUSERWEIGHT 10\nUSERCFG[steve] PRIORITY=100\n"
NO_SUBMIT = "JobSubmitPlugins=\n"


@pytest.fixture(scope="module")
def slurm_version():
    words = subprocess.run(["slurmctld", "-V"], check=True, capture_output=True, text=True).stdout
    return re.search(r"(\d+)\.(\d+)\.(\d+)", words)


def world_readable(path):
    """Slurm's commands read PluginDir, too."""
    os.chmod(path, 0o755)
    return str(path)


# ---- the version number, which slurmctld's loader compares ----

@pytest.mark.parametrize("plugin,lines", [("priority_maui.so", NO_SUBMIT),
                                          ("job_submit_maui.so", "PriorityType=priority/basic\n")])
def test_another_version_number(own_cluster, tmp_path, slurm_version, plugin, lines):
    major, minor, micro = (int(part) for part in slurm_version.groups())
    for name in ("priority_maui.so", "job_submit_maui.so"):
        shutil.copy(os.path.join(plugin_dir(), name), tmp_path / name)
    with open(tmp_path / plugin, "r+b") as library:
        code = library.read()
        number = struct.pack("<I", major << 16 | minor << 8 | micro)
        assert code.count(number) == 1, "plugin_version, and nothing that looks like it"
        library.seek(code.index(number))
        library.write(struct.pack("<I", major << 16 | minor << 8 | micro + 1))
    cluster = own_cluster(CFG, lines, up=False, plugin_dir=world_readable(tmp_path))
    said = cluster.up(check=False)
    assert cluster.daemon_pid() is None, "slurmctld does not run with it"
    log = cluster.log_since()
    refused = "Incompatible Slurm plugin %s version (%d.%02d.%d)" % (
        os.path.join(cluster.dir, "plugins", plugin), major, minor, micro + 1)
    assert refused in log, log
    assert "slurmctld version " + slurm_version[0] in log
    assert plugin.split(".")[0].replace("_maui", "/maui") in said, said


# ---- another build of the same version number ----

def make_variable(name):
    path = os.path.join(build_dir(), "Makefile")
    if not os.path.exists(path):
        pytest.skip("no build tree in %s (MAUI_BUILD_DIR names another)" % build_dir())
    with open(path, encoding="utf-8") as makefile:
        match = re.search(r"^%s = (.*)$" % name, makefile.read(), re.MULTILINE)
    if not match or not match[1]:
        pytest.skip("%s was not configured for a Slurm source" % build_dir())
    return match[1].split()


def altered_headers(place, header, mark):
    """A directory whose header has one more field, at the @ of `mark`; and that says 22.05.99."""
    source = make_variable("SLURM_SOURCE")[0]
    with open(os.path.join(source, header), encoding="utf-8") as original:
        text = original.read()
    plain = mark.replace("@", "")
    assert text.count(plain) == 1, plain
    os.makedirs(os.path.dirname(os.path.join(place, header)), exist_ok=True)
    with open(os.path.join(place, header), "w", encoding="utf-8") as altered:
        altered.write(text.replace(plain, mark.replace("@", "long one_more_field;")))
    with open(os.path.join(build_dir(), "slurm-headers", "config.h"), encoding="utf-8") as original:
        text = original.read()
    with open(os.path.join(place, "config.h"), "w", encoding="utf-8") as altered:
        altered.write(re.sub(r'(SLURM_VERSION_STRING) ".*"', r'\1 "22.05.99"', text))


def build_against(headers, plugins):
    """priority_maui.so and its libmaui.so, compiled with these headers before the others."""
    if not shutil.which("gcc"):
        pytest.skip("needs gcc")
    library = os.path.join(plugins, "libmaui.so")
    compiler = ["gcc", "-std=gnu11", "-w", "-shared", "-fPIC", "-pthread", "-D_GNU_SOURCE",
                "-I", headers, "-I", os.path.join(TOP, "src"), "-I", build_dir(),
                *make_variable("SLURM_CPPFLAGS"), *make_variable("JSON_C_CFLAGS"),
                '-DMAUI_LIBRARY="%s"' % library]
    sources = [os.path.join(TOP, "src", "query", "munge_none.c")]
    for folder in ("slurm", "controller"):
        sources += glob.glob(os.path.join(TOP, "src", folder, "**", "*.c"), recursive=True)
    subprocess.run([*compiler, "-o", library, *sources,
                    os.path.join(build_dir(), ".libs", "libmauicore.a"),
                    *make_variable("JSON_C_LIBS"), *make_variable("NETTLE_LIBS"),
                    *make_variable("PCRE2_LIBS"), "-lm"], check=True)
    subprocess.run([*compiler, "-o", os.path.join(plugins, "priority_maui.so"),
                    os.path.join(TOP, "priority_maui", "priority_maui.c")], check=True)


def variant(tmp_path, header, mark):
    headers, plugins = tmp_path / "headers", tmp_path / "plugins"
    headers.mkdir()
    plugins.mkdir()
    altered_headers(str(headers), header, mark)
    build_against(str(headers), str(plugins))
    for place in (tmp_path, plugins):
        world_readable(place)
    return str(plugins)


def refusal(what, running):
    return (r"error: slurm-maui: built for Slurm 22\.05\.99, but this is Slurm %s of another "
            r"build: %s has \d+ bytes here, \d+ there" % (re.escape(running), what))


# where the records are declared, since 24.05 in headers of their own
PART_RECORD, JOB_RECORD = (("src/slurmctld/slurmctld.h", "src/slurmctld/slurmctld.h")
                           if SLURM < (24, 5) else
                           ("src/common/part_record.h", "src/common/job_record.h"))


@pytest.mark.parametrize("what,header,mark", [
    ("slurm_conf", "slurm/slurm.h", "@time_t last_update;\t/* last update time of the build"),
    ("part_record_t", PART_RECORD, "@char   *billing_weights_str;"),
])
def test_another_layout_is_refused_at_the_start(own_cluster, tmp_path, slurm_version, what, header,
                                                mark):
    cluster = own_cluster(CFG, NO_SUBMIT, up=False,
                          plugin_dir=variant(tmp_path, header, mark))
    cluster.up(check=False)
    assert cluster.daemon_pid() is None
    assert re.search(refusal(what, slurm_version[0]), cluster.log_since()), cluster.log_since()


def test_another_job_record(own_cluster, tmp_path, slurm_version):
    """Slurm makes empty records since 24.05: it is refused at the start. Before, no job record exists
    at the first start: at the first job the plugin does nothing but say so, and at the next start,
    with a job to look at, it is refused."""
    plugins = variant(tmp_path, JOB_RECORD, "struct job_record {@")
    cluster = own_cluster(CFG, NO_SUBMIT, up=False, plugin_dir=plugins)
    mark = 0
    cluster.up(check=SLURM < (24, 5))
    if SLURM < (24, 5):
        cluster.drain()
        job = cluster.sbatch("-t5")
        cluster.wait_log(refusal("job_record_t", slurm_version[0]))
        wait_until(lambda: cluster.squeue()[job] >= 1, "slurmctld goes on")
        assert not cluster.sprio() or cluster.row(job).assoc == 0
        cluster.stop()
        mark = cluster.log_size()
        cluster.start(check=False)
    assert cluster.daemon_pid() is None
    assert re.search(refusal("job_record_t", slurm_version[0]), cluster.log_since(mark))


# ---- before the start ----

def preflight(cluster):
    env = dict(os.environ, SLURM_CONF=os.path.join(cluster.dir, "slurm.conf"))
    return subprocess.run(["maui", "preflight"], env=env, check=False, capture_output=True, text=True)


def test_preflight_says_whether_it_starts(own_cluster):
    """maui preflight and slurmctld agree: it starts; with settings that sched/maui refuses not."""
    cluster = own_cluster(CFG, "SchedulerType=sched/maui\n")
    said = preflight(cluster)
    assert said.returncode == 0, said.stdout
    assert "is built for this slurmctld" in said.stdout
    assert "ok       MUNGE: munged answers" in said.stdout, said.stdout
    cluster.stop()
    cluster.edit_slurm_conf(PreemptMode="SUSPEND,GANG", PreemptType="preempt/partition_prio",
                            SchedulerParameters="defer_batch")
    said = preflight(cluster)
    assert said.returncode == 1
    refused = re.findall(r"^failed   settings: (.*)$", said.stdout, re.MULTILINE)
    assert len(refused) == 2, said.stdout
    mark = cluster.log_size()
    cluster.start(check=False)
    assert cluster.daemon_pid() is None
    for text in refused:
        assert "sched/maui cannot run: " + text in cluster.log_since(mark)


def test_preflight_refuses_another_release(own_cluster, tmp_path):
    cluster = own_cluster(CFG, NO_SUBMIT, up=False,
                          plugin_dir=variant(tmp_path, "slurm/slurm.h",
                                             "@time_t last_update;\t/* last update time of the build"))
    cluster.up(check=False)
    said = preflight(cluster)
    assert said.returncode == 1
    assert "priority_maui.so is built for Slurm 22.05.99, slurmctld is Slurm " in said.stdout
