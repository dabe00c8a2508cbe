# SPDX-License-Identifier: GPL-2.0-or-later
"""doc/reservations.md: its commands run on a cluster, and print what the document says.

A block ```sh is run by one shell from the top of the source tree; a block ```output is what the
one before it prints, apart from times and dates. A block ```maui.cfg is written to that file.
"""

import os
import re
import shutil
import subprocess
import tempfile
import time

import pytest

from cluster import DEADLINE_S, TOP, clusters_directory

DOCUMENT = os.path.join(TOP, "doc", "reservations.md")
DIRECTORY = "/tmp/five"  # in the document
END = "--- end of block"

# What may be asked again until the answer is the document's
QUESTIONS = ("squeue", "maui showres")

TIMES = (
    (r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?=[A-Z])", ""),
    (r"\b(\d+ )?(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)( {1,2}\d+)?( \d{4})?\b", "DATE"),
    (r"-?\b\d+(:\d\d)+\b", "TIME"),
    (r"\b20\d{6}\b", "DAY"),
    (r"[ \t]+", " "),
)


def blocks():
    """The fenced blocks with a kind: pairs of kind and text."""
    with open(DOCUMENT, encoding="utf-8") as document:
        return re.findall(r"^```([a-z.]+)\n(.*?)^```$", document.read(), re.MULTILINE | re.DOTALL)


def timeless(text):
    """The text without times, dates and the width of columns."""
    for pattern, word in TIMES:
        text = re.sub(pattern, word, text)
    return [line.strip() for line in text.splitlines() if line.strip()]


def same(block, printed, text):
    """Whether the block printed what the document says; releases differ in squeue's order."""
    printed, text = timeless(printed), timeless(text)
    if block.startswith("squeue"):
        printed, text = sorted(printed), sorted(text)
    return printed == text


class Shell:
    """One bash that runs block after block."""

    def __init__(self, directory):
        self.bash = subprocess.Popen(["bash"], cwd=directory, text=True, stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, block):
        """What the block prints; the block must succeed."""
        self.bash.stdin.write("%s\necho \"%s $?\"\n" % (block, END))
        self.bash.stdin.flush()
        lines = []
        for line in self.bash.stdout:
            if line.startswith(END):
                return int(line.split()[-1]), "".join(lines)
            lines.append(line)
        raise AssertionError("the shell ended in:\n%s\n%s" % (block, "".join(lines)))

    def close(self):
        self.bash.stdin.close()
        self.bash.wait()


def is_question(block):
    """Whether the block may be run again: it changes nothing."""
    return all(line.startswith(QUESTIONS) for line in block.splitlines())


def run_block(shell, block):
    """What the block prints. A question is asked again until slurmctld answers."""
    end = time.monotonic() + DEADLINE_S
    status, printed = shell.run(block)
    while status != 0 and is_question(block) and time.monotonic() < end:
        time.sleep(0.5)
        status, printed = shell.run(block)
    assert status == 0, "%s\nfailed:\n%s" % (block, printed)
    return printed


@pytest.fixture
def directory():
    """The directory in which the document's commands run, with the files that they name."""
    path = tempfile.mkdtemp(prefix="maui-doc.", dir=clusters_directory())
    os.chmod(path, 0o755)
    for name in ("contribs", "build"):
        os.symlink(os.path.join(TOP, name), os.path.join(path, name))
    yield path
    subprocess.run([os.path.join(TOP, "contribs", "minicluster"), "down",
                    os.path.join(path, "five")], check=False)
    shutil.rmtree(path)


def test_the_commands_of_the_guide_print_what_it_says(directory):
    shell, last = Shell(directory), None
    compared = 0
    for kind, text in blocks():
        text = text.replace(DIRECTORY, os.path.join(directory, "five"))
        if kind == "maui.cfg":
            with open(os.path.join(directory, kind), "w", encoding="utf-8") as config:
                config.write(text)
        elif kind == "sh":
            last, printed = text, run_block(shell, text)
        else:
            assert kind == "output"
            end = time.monotonic() + DEADLINE_S
            while is_question(last) and not same(last, printed, text) and time.monotonic() < end:
                time.sleep(0.5)
                printed = run_block(shell, last)
            assert same(last, printed, text), printed
            compared += 1
    shell.close()
    assert compared >= 5
