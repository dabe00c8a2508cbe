# SPDX-License-Identifier: GPL-2.0-or-later
"""What throttling limits mean for jobs: Maui's manual (6.2) with doc/rules,
written down a second time, not from the C code. Slow and plain: everything is summed again from
the list of running jobs each time it is asked for.

throttling(Config(text), inputs) returns what a golden case expects; README.md beside this file has
the inputs.
"""

import math
import re

from own_oracle import CFG, KINDS, Config, processor_equivalents, seconds

# What counts by itself: the member of a job in a case, of all tasks (src/model/job.h)
COUNTED = {"GPU": "gpus"}
RESOURCES = ["JOB", "PROC", "NODE", "PS", "PE", "WC", "MEM"] + list(COUNTED)
ORDER = ["user", "group", "account", "class", "qos"]
INFINITY = 2140000000
NEVER = -1

# ---- the older spellings ----

COUNTS = {  # parameter: (family, attribute); its switch has POLICY for COUNT
    "MAXJOBPERACCOUNTCOUNT": ("ACCOUNTCFG", "MAXJOB"),
    "MAXJOBPERGROUPCOUNT": ("GROUPCFG", "MAXJOB"),
    "MAXJOBPERUSERCOUNT": ("USERCFG", "MAXJOB"),
    "MAXJOBQUEUEDPERACCOUNTCOUNT": ("ACCOUNTCFG", "MAXIJOB"),
    "MAXJOBQUEUEDPERGROUPCOUNT": ("GROUPCFG", "MAXIJOB"),
    "MAXJOBQUEUEDPERUSERCOUNT": ("USERCFG", "MAXIJOB"),
    "MAXNODEPERUSERCOUNT": ("USERCFG", "MAXNODE"),
    "MAXPEPERUSERCOUNT": ("USERCFG", "MAXPE"),
    "MAXPROCPERACCOUNTCOUNT": ("ACCOUNTCFG", "MAXPROC"),
    "MAXPROCPERGROUPCOUNT": ("GROUPCFG", "MAXPROC"),
    "MAXPROCPERUSERCOUNT": ("USERCFG", "MAXPROC"),
    "MAXPROCSECONDPERACCOUNTCOUNT": ("ACCOUNTCFG", "MAXPS"),
    "MAXPROCSECONDPERGROUPCOUNT": ("GROUPCFG", "MAXPS"),
    "MAXPROCSECONDPERUSERCOUNT": ("USERCFG", "MAXPS"),
    "MAXPSPERUSER": ("USERCFG", "MAXPS"),
    "MAXWCPERUSER": ("USERCFG", "MAXWC"),
}


def canonical(text):
    """MAXJOBPERUSERCOUNT and its like as DEFAULT's attributes, MAXJOBPERUSER as MAXJOB[USER]"""
    off = set(re.findall(r"^(\w+)POLICY\s+(?:OFF|FALSE|NO|0)\s*$", text, re.M))
    lines = []
    for line in text.split("\n"):
        name = re.match(r"\w*", line)[0]
        if name in COUNTS:
            if re.sub("COUNT$", "", name) not in off:
                lines.append("%s[DEFAULT] %s=%s" % (COUNTS[name] + (line.split()[1],)))
            continue
        lines.append(re.sub(r"\b(MAX(?:JOB|NODE|PROC))PERUSER=", r"\1[USER]=", line))
    return "\n".join(lines)


# ---- limits as they are written ----

def number(text, resource):
    value = seconds(text) if resource == "WC" and text != "INFINITY" else \
        INFINITY if text == "INFINITY" else int(text)
    return math.inf if value < 0 or (resource == "WC" and value >= INFINITY) else value


def limit(text, resource):
    """(soft, hard), infinity for none; None when it is not set"""
    if text is None:
        return None
    parts = [number(part, resource) for part in text.split(",")]
    hard = parts[-1]
    if hard == 0:
        return None
    soft = parts[0] if len(parts) == 2 and parts[0] != 0 else hard
    return (min(soft, hard), hard)


def own_or_default(config, kind, name, attribute, resource):
    for whose in [name, "DEFAULT"] if kind != "system" else [""]:
        found = limit(config.attr(kind, whose, attribute), resource)
        if found:
            return found
    return None


def pair_limit(config, kind, name, attribute, second, who, resource):
    for sub in ["%s[%s:%s]" % (attribute, second.upper(), who),
                "%s[%s]" % (attribute, second.upper())]:
        found = own_or_default(config, kind, name, sub, resource)
        if found:
            return found
    return None


def flags(config, job):
    text = config.attr_or_default("qos", job.get("qos"), "FLAGS") or ""
    return set(re.split("[,:|]", text))


# ---- what a job counts for ----

def demand(job, system, remaining):
    procs = 0 if job.get("suspended") else job["tasks"] * job.get("procs_per_task", 1)
    equivalents = processor_equivalents(job, system)
    if job.get("suspended"):  # its processors serve others
        equivalents = processor_equivalents(dict(job, procs_per_task=0), system)
    counted = {resource: job.get(member, 0) for resource, member in COUNTED.items()}
    return {"JOB": 1, "PROC": procs, "NODE": job.get("nodes", 0), "PS": procs * remaining,
            "PE": math.floor(equivalents + 1e-7), "WC": remaining,
            "MEM": job["tasks"] * job.get("mem", 0), **counted}


def held(job, system, later=0):
    """What a running job holds `later` seconds from now; nothing once it has ended"""
    remaining = job["wclimit"] - job.get("elapsed", 0)
    if job.get("suspended"):
        return demand(job, system, max(0, remaining))
    if later > 0 and later >= remaining:
        return dict.fromkeys(RESOURCES, 0)
    return demand(job, system, max(0, remaining - later))


def in_use(jobs, resource, amounts, **creds):
    return sum(amount[resource] for job, amount in zip(jobs, amounts)
               if all(job.get(kind) == name for kind, name in creds.items()))


# ---- the limits in force for one job ----

def ignored(config, job, kind):
    """Whether flags lift all limits of the job's credential of this kind"""
    have = flags(config, job)
    return kind in ("user", "group", "account", "class") and \
        ("IGNALL" in have or "IGN" + kind.upper() in have & {"IGNUSER", "IGNGROUP", "IGNACCOUNT"})


LIFTED = {"IGNJOBPERUSER": "MAXJOB", "IGNPROCPERUSER": "MAXPROC", "IGNNODEPERUSER": "MAXNODE",
          "IGNPSPERUSER": "MAXPS", "IGNJOBQUEUEDPERUSER": "MAXIJOB"}


def in_force(config, job, kind, attribute, resource, found, level):
    """The value of a limit for this job, infinity: none"""
    if found is None or ignored(config, job, kind):
        return math.inf
    level = "hard" if attribute.startswith("MAXI") else level
    value = found[level == "hard"]
    if kind in ("qos", "system") or value == math.inf:
        return value
    if any(LIFTED.get(flag) == attribute for flag in flags(config, job)):
        return math.inf
    instead = own_or_default(config, "qos", job["qos"], "O" + attribute, resource) \
        if job.get("qos") else None
    return instead[level == "hard"] if instead else value


def violation(kind, name, second, label, value, used, asked):
    return {"cred": kind, "name": name, "second": second, "limit": label, "value": value,
            "in_use": used, "requested": asked}


def joint(config, job, asked, others, amounts, prefix, level):
    """Violations of MAX or MAXI limits, in the order in which they are listed"""
    found = []
    objects = [(kind, job[kind]) for kind in ORDER if job.get(kind)]
    for whose, pairs in [(objects, False), (objects, True), ([("system", "")], False),
                         ([("system", "")], True)]:
        for kind, name in whose:
            creds = {} if kind == "system" else {kind: name}
            seconds_ = [(k, job[k]) for k in ORDER if job.get(k)] if pairs else [None]
            for second in seconds_:
                for resource in RESOURCES:
                    attribute = prefix + resource
                    text = pair_limit(config, kind, name, attribute, *second, resource) if second \
                        else own_or_default(config, kind, name, attribute, resource)
                    value = in_force(config, job, kind, attribute, resource, text, level)
                    both = dict(creds, **dict([second])) if second else creds
                    used = in_use(others, resource, amounts, **both)
                    if used + asked[resource] > value:
                        found.append(violation(kind, name or "ALL", list(second) if second
                                               else None, attribute, value, used,
                                               asked[resource]))
    return found


def single(config, job, asked, level):
    """Violations of limits of a single job"""
    have, qos, found = flags(config, job), job.get("qos"), []

    def most(kind, name, label, resource, text):
        pair = limit(text, resource)
        if pair and asked[resource] > pair[level == "hard"]:
            found.append(violation(kind, name, None, label, pair[level == "hard"], 0,
                                   asked[resource]))
    for label, resource, flag in [("SYSTEMMAXPROCPERJOB", "PROC", "IGNSYSMAXPROC"),
                                  ("SYSTEMMAXPROCSECONDPERJOB", "PS", "IGNSYSMAXPS"),
                                  ("SYSTEMMAXJOBWALLTIME", "WC", "IGNSYSMAXTIME")]:
        if not have & {flag, "IGNSYSTEM", "IGNALL"}:
            most("system", "ALL", label, resource, config.get(label))
    for label, resource in [("MAXPROCPERJOB", "PROC"), ("MAXNODEPERJOB", "NODE"),
                            ("MAX.WCLIMIT", "WC")]:
        text = nonzero(config, "class", job.get("class"), label)
        replaced = qos and own_or_default(config, "qos", qos, "OMAXJ" + resource, resource)
        if text and not replaced and not ignored(config, job, "class"):
            most("class", job["class"], label, resource, text)
    for resource in RESOURCES[1:]:
        text = nonzero(config, "qos", qos, "OMAXJ" + resource)
        if text:
            most("qos", qos, "OMAXJ" + resource, resource, text)
    for kind in ORDER:
        least = int(nonzero(config, kind, job.get(kind), "MINPROC") or 0)
        if asked["PROC"] < least and not ignored(config, job, kind):
            found.append(violation(kind, job[kind], None, "MINPROC", least, 0, asked["PROC"]))
    return found


def nonzero(config, kind, name, attribute):
    """The text of an attribute, DEFAULT's where it is missing or 0"""
    for whose in [name, "DEFAULT"] if name else []:
        text = config.attr(kind, whose, attribute)
        if text and not re.match("0+$", text):
            return text
    return None


# ---- the modes ----

def clock(value):
    if value < 60:
        return "%d" % value
    days, rest = divmod(int(value), 86400)
    hours, rest = divmod(rest, 3600)
    fields = [days, hours, rest // 60, rest % 60]
    while fields[0] == 0:
        fields.pop(0)
    return ":".join(["%d" % fields[0]] + ["%02d" % field for field in fields[1:]])


def line(found, level):
    """The first violation as squeue shows it"""
    if not found:
        return None
    first = found[0]
    timed = first["limit"] in ("SYSTEMMAXJOBWALLTIME", "MAX.WCLIMIT") or \
        first["limit"].endswith("WC")
    show = clock if timed else lambda value: "%d" % value
    used = show(first["in_use"])
    never = level == "hard" and first["requested"] > first["value"] and \
        re.match("MAXI?(%s)$" % "|".join(RESOURCES), first["limit"])  # THR-11
    if never:
        used = show(first["requested"])
    elif re.match("MAXI?(%s)$" % "|".join(RESOURCES[1:]), first["limit"]):
        used += "+" + show(first["requested"])
    elif not first["limit"].endswith("JOB") or "PER" in first["limit"]:
        used = show(first["requested"])
    who = [first["cred"].upper(), first["name"]]
    if first["second"]:
        who += [first["second"][0].upper(), first["second"][1]]
    return "%s %s %s/%s (%s)%s" % (first["limit"], " ".join(who), used, show(first["value"]), level,
                                   ": larger than the limit" if never else "")


def check(config, inputs, level, later=0):
    job, running, system = inputs["job"], inputs.get("running", []), inputs["system"]
    asked = demand(job, system, job["wclimit"])
    amounts = [held(other, system, later) for other in running]
    return single(config, job, asked, level) + \
        joint(config, job, asked, running, amounts, "MAX", level)


def when(config, inputs, level):
    """Seconds from now until nothing is violated any more; use only falls, so halving finds it"""
    ends = [job["wclimit"] - job.get("elapsed", 0) for job in inputs.get("running", [])]
    early, late = 0, max([0] + ends) + 1
    if check(config, inputs, level, late):
        return NEVER
    while early < late:
        middle = (early + late) // 2
        if check(config, inputs, level, middle):
            early = middle + 1
        else:
            late = middle
    return early


def idle_select(config, inputs):
    running, system = inputs.get("running", []), inputs["system"]
    amounts = [held(job, system) for job in running]
    accepted, asked_for, blocked = [], [], {}
    for job in inputs["idle_in_priority_order"]:
        if job.get("held"):
            continue
        asked = demand(job, system, job["wclimit"])
        found = [] if job.get("reserved") else \
            single(config, job, asked, "hard") + \
            joint(config, job, asked, running, amounts, "MAX", "hard") + \
            joint(config, job, asked, accepted, asked_for, "MAXI", "hard")
        if found:
            first = found[0]
            blocked[job["name"]] = [first[key] for key in ["cred", "name", "limit", "value"]]
        else:
            accepted.append(job)
            asked_for.append(asked)
    return {"eligible": [job["name"] for job in accepted], "blocked": blocked}


def throttling(text, inputs, more=()):
    """more: which of line and when the case compares in addition"""
    config = Config(canonical(text))
    if inputs.get("mode") == "idle_select":
        return idle_select(config, inputs)
    amounts = [held(job, inputs["system"]) for job in inputs.get("running", [])]
    if inputs.get("mode") == "usage":
        return {"outstanding_ps": sum(a["PS"] for a in amounts),
                "outstanding_wc": sum(a["WC"] for a in amounts)}
    expected = {}
    for level in ["soft", "hard"]:
        found = check(config, inputs, level)
        expected[level] = not found
        expected["violations_" + level] = found
        if "line" in more:
            expected["line_" + level] = line(found, level)
        if "when" in more:
            expected["when_" + level] = when(config, inputs, level)
    return expected


assert set(KINDS) == set(ORDER) and CFG["system"] == "SYSCFG"
