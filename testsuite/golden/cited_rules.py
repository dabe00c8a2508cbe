#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""cited_rules.py [--check] FILE... - writes into each golden case which rules of doc/rules it tests ("rules")

A case cites the rules of its feature that hold for each case, and those whose parameter, spelling
or input the case has: the table below says which. The rule of a priority
factor's weight and cap stands in src/model/factor.h. The scripts that make own*.json cite by the
same table; this command is for files that are written by hand. With --check nothing is written. Exit
status 1: a case cites nothing, or with --check other rules than the table says.
"""

import json
import os
import re
import sys

MODEL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "model")


def rows_of(name, letter):
    """The rows LETTER(NAME, ...) of a list in src/model, as (NAME, text)"""
    with open(os.path.join(MODEL, name), encoding="utf-8") as file:
        return re.findall(r"^\t%s\((\w+), ([^)]*)" % letter, file.read(), re.M)


def rules_of_rows(name, letter, pattern):
    """Pairs of the pattern, with the names of rows in it, and the rule that the rows name"""
    rules = {}
    for row, text in rows_of(name, letter):
        rules.setdefault(re.search(r'"([A-Z]+-[0-9]+)"', text)[1], []).append(row)
    return [(pattern % "|".join(names), rule) for rule, names in rules.items()]


# Of each feature: rules that every case tests; then pairs of a pattern and a rule. A pattern is
# searched in the case's maui.cfg, or in its inputs ("in:") or expected results ("out:") as JSON.
AMOUNTS = "|".join(["JOB"] + [name for name, _ in rows_of("limit.h", "R")])
TABLE = {
    "priority": (["PRIO-1"], [
        (r"PRIORITY=", "PRIO-3"),
        *rules_of_rows("factor.h", "F", r"\b(%s)(WEIGHT|CAP)\b"),
        (r"\bXFMIN", "PRIO-6"),
        (r"\bTARGET(WEIGHT|CAP)|[QX][TF]TARGET=", "PRIO-8"),
        (r"\b(QT|XF)WEIGHT=", "PRIO-9"),
        (r"\bUSAGE", "PRIO-11"),
        (r"\b(ENABLENEGJOBPRIORITY|REJECTNEGPRIOJOBS)", "PRIO-12"),
        (r"in:\"system_?priority\"", "PRIO-13"),
        (r"\A(?![\s\S]*(WEIGHT|PRIORITY))", "PRIO-2"),
        (r"FSTARGET=", "FS-5"),
        (r"FSTARGET=[0-9.]+[+-]", "FS-6"),
    ]),
    "fairshare": ([], [
        (r"out:\"window_start\"", "FS-1"),
        (r"in:\"lines\"", "FS-9"),
        (r"in:\"windows\"", "FS-4"),
        (r"FSTARGET=[0-9.]+[+-]?\s*$", "FS-5"),
        (r"FSTARGET=[0-9.]+[+-]", "FS-6"),
        (r"FSTARGET=[0-9.]+[%^]|FSCAP=", "FS-7"),
        (r"\[DEFAULT\]", "THR-4"),
    ]),
    "accrual": (["PRIO-10"], [
        (r"USESYSTEMQUEUETIME", "PRIO-17"),
    ]),
    "qos": (["THR-13"], []),
    "throttling": (["THR-2", "THR-5"], [
        (r"\bO?MAXI?JOB|\bMIN(PROC|NODE)", "THR-1"),
        *rules_of_rows("limit.h", "R", r"\bO?MAX[IJ]?(%s)"),
        (r"in:\"running\": \[\{", "THR-3"),
        (r"CFG\[DEFAULT\]", "THR-4"),
        (r"MAX[A-Z]+\[(USER|GROUP|ACCOUNT|CLASS|QOS)", "THR-6"),
        (r"(MAX[A-Z]+(\[[A-Z:]+\])?=[0-9:.]+,|POLICY)", "THR-7"),
        (r"MAXI(%s)" % AMOUNTS, "THR-8"),
        (r"\bO(MAX|MIN)", "THR-9"),
        (r"Q?FLAGS=", "THR-10"),
        (r"(PER[JU][OS][BE]R?=|SYSTEMMAX|MIN(PROC|NODE))", "THR-11"),
        (r"MAXJOBPERUSER=", "THR-14"),
        (r"\bMAX[A-Z]+PER[A-Z]+(COUNT|POLICY)", "CFG-13"),
        (r"WCLIMIT=", "PRIO-18"),
    ]),
    "backfill": (["BF-4", "BF-5", "BF-6"], [
        (r"BACKFILLMETRIC", "BF-7"),
        (r"BFCHUNK", "BF-8"),
        (r"out:\"bypass\": \{\"", "BF-11"),
    ]),
    "plan": (["BF-1", "BF-2"], [
        (r"RESERVATIONPOLICY|RESERVATIONRETRYTIME|in:\"job_rsv\"", "BF-3"),
        (r"BACKFILLPOLICY", "BF-6"),
        (r"BACKFILLMETRIC", "BF-7"),
        (r"BFCHUNK", "BF-8"),
        (r"NODEALLOCATIONPOLICY|NODECFG", "BF-9"),
        (r"JOBNODEMATCHPOLICY", "BF-10"),
        (r"out:\"bypass\": \{\"", "BF-11"),
        (r"in:\"refused\"", "BF-13"),
        (r"NODEACCESSPOLICY", "BF-15"),
        (r"in:\"partitions\"", "BF-16"),
        (r"in:\"tasks_per_node\"|in:\"ntasks", "BF-20"),
        (r"out:\"preempted\": \[(\{|\")", "PRE-1"),
        (r"out:\"preempted\": \[(\{|\")", "PRE-2"),
        (r"BACKFILLPOLICY\s+PREEMPT", "PRE-3"),
        (r"PREEMPTPOLICY", "PRE-4"),
        (r"\bMAXJOB=", "THR-12"),
    ]),
    "acl": (["ACL-1"], [
        (r"BYNAME", "ACL-2"),
        (r"\ASRCFG(?![\s\S]*(LIST|OWNER))", "ACL-3"),
        (r"(USER|GROUP|ACCOUNT|QOS|CLASS)LIST", "ACL-4"),
        (r"(LIST|LIMIT)=[^ \n]*\*|TIMELOGIC|REQUIRED", "ACL-5"),
        (r"LIST=[^ \n]*!", "ACL-6"),
        (r"LIST=[^ \n]*[+-](,|\s|$|:)", "ACL-7"),
        (r"TIMELIMIT|MAXTIME", "ACL-8"),
        (r"(TASK|PROC)LIMIT", "ACL-9"),
        (r"in:\"reservations\": \[\{[^]]*\}, \{", "ACL-10"),
        (r"USERESERVED", "ACL-11"),
        (r"(PROC|TASK)LIMIT=[<>=!]", "ACL-13"),
        (r"in:\"advres\": \"[^\"]*,", "ACL-14"),
        (r"^SR(?!CFG)[A-Z]+\[", "CFG-13"),
        (r"JOBATTRLIST", "ACL-4"),
    ]),
    "sr_window": (["RSV-1", "RSV-4"], [
        (r"DEPTH", "RSV-2"),
        (r"\[DEFAULT\]", "CFG-12"),
        (r"^SR(?!CFG)[A-Z]+\[", "CFG-13"),
    ]),
    "rsv": (["CFG-1"], [
        (r"TASKCOUNT|HOSTLIST", "RSV-5"),
        (r"RESOURCES|PROCS|MEM", "RSV-6"),
        (r"SPACEFLEX", "RSV-8"),
        (r"TPN|FEATURES", "RSV-10"),
        (r"PRIORITY", "RSV-11"),
        (r"SINGLEUSE", "RSV-12"),
        (r"OWNER", "RSV-14"),
        (r"TRIGGER", "RSV-15"),
        (r"IDLETIME|CHARGEACCOUNT", "RSV-24"),
        (r"ACCESS", "RSV-25"),
        (r"TIMEFLEX", "RSV-27"),
        (r"DEDICATEDNODE", "RSV-28"),
        (r"\[DEFAULT\]", "CFG-12"),
        (r"^SR(?!CFG)[A-Z]+\[|FLAG=|SRCFG.* FEATURES=", "CFG-13"),
    ]),
    "config": (["CFG-10"], [
        (r"(INTERVAL|TIME|WCLIMIT) +[0-9:]+", "CFG-5"),
        (r"WCLIMIT", "PRIO-18"),
        (r"DEFER|JOBMAXSTARTTIME", "BF-13"),
        (r"SERVERMODE", "CMD-4"),
        (r"FSPOLICY +PS|FSPOLICY +TRUE|ADMINS", "CFG-13"),
        (r"USERESERVED", "ACL-11"),
        (r"RESDEPTH", "RSV-29"),
        (r"RESCTLPOLICY|ADMIN[123]", "RSV-23"),
        (r"RESCTLMAX|res_max", "RSV-31"),
        (r"RESERVATIONMIRROR", "RSV-17"),
        (r"REASONTEXT", "BF-21"),
    ]),
}


def rules_of(case):
    """The rules that a case cites, each once, in the order of the table."""
    always, patterns = TABLE[case["feature"]]
    places = {"in:": json.dumps(case["inputs"]), "out:": json.dumps(case["expected"])}
    rules = list(always)
    for pattern, rule in patterns:
        place = next((p for p in places if pattern.startswith(p)), None)
        text = places[place] if place else case.get("config", "")
        if re.search(pattern[len(place or ""):], text,
                     re.M if place else re.M | re.I) and rule not in rules:
            rules.append(rule)
    return rules


def cite(case):
    """The case with its rules behind its feature."""
    cited = {}
    for key, value in case.items():
        if key == "rules":
            continue
        cited[key] = value
        if key == "feature":
            cited["rules"] = rules_of(case)
    return cited


def faults_of(case, check):
    """What is wrong with the rules of a case; empty: nothing."""
    if case.get("feature") not in TABLE:
        return ["feature %r is not in the table" % case.get("feature")]
    rules = rules_of(case)
    if not rules:
        return ["it cites no rule"]
    if check and case.get("rules") != rules:
        return ["it cites %s instead of %s" % (case.get("rules"), rules)]
    return []


def main(args):
    check = args[:1] == ["--check"]
    status = 0
    for path in args[1:] if check else args:
        with open(path, encoding="utf-8") as file:
            golden = json.load(file)
        faults = [(case.get("id"), fault) for case in golden["cases"]
                  for fault in faults_of(case, check)]
        for name, fault in faults:
            print("%s: %s: %s" % (path, name, fault))
        if faults:
            status = 1
        elif not check:
            golden["cases"] = [cite(case) for case in golden["cases"]]
            with open(path, "w", encoding="utf-8") as file:
                file.write(json.dumps(golden, indent=1) + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
