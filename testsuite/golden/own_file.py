# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line and the files of the scripts that make own*.json."""

import json
import os
import random
import sys

from cited_rules import cite


def write(path, cases, check=False):
    """Writes the cases, or says whether the file has them; the script's exit status."""
    script = os.path.basename(sys.argv[0])
    head = {"generated_by": script, "tolerance": "1e-6 relative",
            "notes": "README.md beside this file tells how to read the cases"}
    text = json.dumps(head)[:-1] + ', "cases": [\n'
    text += ",\n".join(json.dumps(cite(case), allow_nan=False) for case in cases) + "\n]}\n"
    if check:
        with open(path, encoding="utf-8") as file:
            same = file.read() == text
        print("%s: %s" % (path, "as the script makes it" if same else "differs, run " + script))
        return 0 if same else 1
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    print("%s: %d cases" % (path, len(cases)))
    return 0


def main(name, cases, sections, add_random=None, seed=0, repeat=0, prefix=None, shared=None):
    """[--check] [FILE]; --random N SEED FILE, where there are random cases: add_random(rng, id);
    --shared FILE, where the oracle can be held against others' cases: shared(path)."""
    arguments = sys.argv[1:]
    if add_random and arguments[:1] == ["--random"]:
        rng = random.Random(int(arguments[2]))
        for n in range(int(arguments[1])):
            add_random(rng, "random-%s-%d" % (arguments[2], n))
        sys.exit(write(arguments[3], cases))
    if shared and arguments[:1] == ["--shared"]:
        sys.exit(shared(arguments[1]))
    check = "--check" in arguments
    paths = [argument for argument in arguments if argument != "--check"]
    for section in sections:
        section()
    rng = random.Random(seed)
    for n in range(repeat):
        add_random(rng, "%s-random-%d" % (prefix, n))
    beside = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), name)
    sys.exit(write(paths[0] if paths else beside, cases, check))
