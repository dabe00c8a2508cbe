# SPDX-License-Identifier: GPL-2.0-or-later
"""FS.<epoch> files and what must stand in them, read and computed without the plugin's code."""

import collections
import os
import re

KINDS = ("user", "group", "acct", "qos", "class")


class Window:
    """One FS file: the duration of its header, the total, and usage by (kind, name)."""

    def __init__(self, path):
        self.path = path
        self.start = int(os.path.basename(path).split(".")[1])
        self.usage, self.totals, self.duration = {}, [], None
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                self._read(line)

    def _read(self, line):
        words = line.split()
        if line.startswith("#"):
            match = re.search(r"\(Duration: (\d+) seconds\)", line)
            self.duration = int(match[1]) if match else self.duration
        elif words[0] == "TOTAL":
            self.totals.append(float(words[1]))
        elif words[0] == "sched":
            self.totals.append(float(words[2]))
        else:
            kind = {"account": "acct"}.get(words[0].lower(), words[0].lower())
            assert kind in KINDS and (kind, words[1]) not in self.usage, line
            self.usage[kind, words[1]] = float(words[2])

    @property
    def total(self):
        """We write both forms."""
        assert len(self.totals) == 2 and self.totals[0] == self.totals[1], self.path
        return self.totals[0]

    def by_kind(self, kind):
        return {name: value for (k, name), value in self.usage.items() if k == kind}


def windows(directory):
    """All FS files of a directory, oldest first."""
    names = [name for name in os.listdir(directory) if re.fullmatch(r"FS\.\d+", name)]
    return sorted((Window(os.path.join(directory, name)) for name in names),
                  key=lambda window: window.start)


def summed(directory):
    """({(kind, name): proc-seconds}, total) over all windows."""
    usage, total = collections.Counter(), 0.0
    for window in windows(directory):
        usage.update(window.usage)
        total += window.total
    return dict(usage), total


def charge(usage, job, value, qos=None):
    """Adds value to every credential of a job (cluster.Job), the way usage is charged."""
    for kind, name in (("user", job.user), ("group", job.group), ("acct", job.account),
                       ("qos", qos), ("class", job.partitions[0])):
        if name:
            usage[kind, name] = usage.get((kind, name), 0) + value


def check_same(got, expected, tolerance=0.01):
    """Asserts that two usages are the same for every credential of either."""
    wrong = {key: (got.get(key, 0), expected.get(key, 0)) for key in set(got) | set(expected)
             if abs(got.get(key, 0) - expected.get(key, 0)) > tolerance}
    assert not wrong, "credential: (got, expected): %s" % wrong


def write_window(directory, start, duration, usage, total, form="both"):
    """An FS file as Maui writes it (form "sched") or as its manual prints it ("TOTAL")."""
    lines = ["# FS Data File (Duration: %d seconds)  Starting: Fri Aug 18 18:00:00\n" % duration]
    lines += ["%s %s %.3f\n" % (kind, name, value) for (kind, name), value in usage.items()]
    if form in ("sched", "both"):
        lines.append("sched maui %.3f\n" % total)
    if form in ("TOTAL", "both"):
        lines.append("TOTAL %.2f\n" % total)
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "FS.%d" % start), "w", encoding="utf-8") as out:
        out.writelines(lines)
