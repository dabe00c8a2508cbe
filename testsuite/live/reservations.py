# SPDX-License-Identifier: GPL-2.0-or-later
"""Helpers for the tests of reservations: run the commands, read showres and scontrol."""

import json
import os
import shutil
import time

from cluster import build_dir, epoch, parse_fields, wait_until

TOOLS = ("canceljob", "changeparam", "checkjob", "checknode", "diagnose", "releasehold",
         "releaseres", "resetstats", "runjob", "sethold", "setres", "setspri", "showbf", "showconfig", "showq",
         "showres", "showstart", "showstate", "showstats")


def install(cluster):
    """The commands of the build under test, where every user of the cluster reaches them."""
    path = os.path.join(cluster.base, "maui")
    shutil.copyfile(os.path.join(build_dir(), "maui"), path)
    os.chmod(path, 0o755)
    for name in TOOLS:
        os.symlink("maui", os.path.join(cluster.base, name))
    wait_until(lambda: ask(cluster, "showres", check=False).returncode == 0, "showres answers")
    return cluster


def ask(cluster, name, *arguments, **keywords):
    """setres, releaseres, showres, diagnose."""
    return cluster.run(os.path.join(cluster.base, name), *arguments, **keywords)


def setres(cluster, *arguments, **keywords):
    """The name of the reservation that setres made or changed."""
    lines = ask(cluster, "setres", *arguments, **keywords).stdout.splitlines()
    return lines[3].split("'")[1]


def refused(cluster, code, words, name, *arguments, **keywords):
    """The command fails with this status, and gives the reason in one line, perhaps with a hint at
    --help."""
    said = ask(cluster, name, *arguments, check=False, **keywords)
    assert said.returncode == code and words in said.stderr, said
    assert said.stderr.startswith(name + ": error: ") and not said.stdout, said
    assert len(said.stderr.splitlines()) == (2 if "Try '" in said.stderr else 1), said


def shown(cluster, *arguments, **keywords):
    """{name: reservation} of showres -n --json, without job reservations and Slurm's own."""
    text = ask(cluster, "showres", "-n", "--json", *arguments, **keywords).stdout
    return {one["name"]: one for one in json.loads(text)["reservations"]
            if one["type"] not in ("Job", "Slurm")}


def hosts(reservation):
    """The names of the reservation's nodes."""
    return sorted(name for run in reservation["nodes"] for name in run["names"])


def wait_shown(cluster, name, check=lambda reservation: True):
    """Waits until showres has the reservation and the check is true; returns the reservation."""
    def look():
        seen = shown(cluster)
        assert name in seen, "%s is not among %s" % (name, sorted(seen))
        assert check(seen[name]), seen[name]
        return seen[name]
    return wait_until(look, "reservation " + name)


def wait_gone(cluster, name):
    """Waits until neither showres nor scontrol has the reservation."""
    def look():
        assert name not in shown(cluster)
        left = [mirror for mirror in mirrors(cluster) if mirror.startswith("maui.%s." % name)]
        assert not left, left
        return True
    wait_until(look, "no reservation " + name)


def mirrors(cluster):
    """{name: fields} of scontrol show reservation."""
    text = cluster.scontrol("show", "reservation", "-o").stdout
    lines = (parse_fields(line) for line in text.splitlines() if "ReservationName=" in line)
    return {fields["ReservationName"]: fields for fields in lines}


def mirror(cluster, name):
    """(start, end, nodes) of the mirror of an administrative reservation."""
    fields = mirrors(cluster)["maui.%s.0" % name]
    nodes = cluster.scontrol("show", "hostnames", fields["Nodes"]).stdout.split()
    return epoch(fields["StartTime"]), epoch(fields["EndTime"]), sorted(nodes)


def release_all(cluster):
    """Releases administrative reservations and waits until they are gone."""
    names = [name for name, one in shown(cluster).items() if one["type"] in ("User", "System")]
    if names:
        ask(cluster, "releaseres", *names, check=False)
    for name in names:
        wait_gone(cluster, name)


def not_at_midnight():
    """Waits past midnight when it is near: neither a short test nor its job of a minute must see
    the day change."""
    while time.localtime().tm_hour == 23 and time.localtime().tm_min >= 58:
        time.sleep(1)
