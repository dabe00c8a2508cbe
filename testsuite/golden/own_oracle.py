# SPDX-License-Identifier: GPL-2.0-or-later
"""What a maui.cfg means for one job: the formulas of Maui's manual (5.1.2 priority, 6.3 fairshare,
7.3 QOS) with doc/rules, written down a second time, not from the C code.

FEATURES[feature](Config(text), inputs) returns what a golden case expects; README.md beside this
file has the inputs.
"""

import re

FAMILIES = {"USERCFG": "user", "GROUPCFG": "group", "ACCOUNTCFG": "account", "QOSCFG": "qos",
            "CLASSCFG": "class", "SYSCFG": "system"}
KINDS = ["user", "group", "account", "qos", "class"]
CFG = {kind: family for family, kind in FAMILIES.items()}

# Factors of RES that are a quantity as it stands in a job of a case (src/model/job.h), of all tasks
QUANTITIES = {"NODE": "nodes"}

COMPONENTS = {  # component: (weight, cap, subcomponents)
    "serv": ("SERVICEWEIGHT", "SERVICECAP", ["QUEUETIME", "XFACTOR", "BYPASS", "SPVIOLATION"]),
    "targ": ("TARGETWEIGHT", "TARGETCAP", ["TARGETQUEUETIME", "TARGETXFACTOR"]),
    "cred": ("CREDWEIGHT", "CREDCAP", ["USER", "GROUP", "ACCOUNT", "QOS", "CLASS"]),
    "fs": ("FSWEIGHT", "FSCAP", ["FSUSER", "FSGROUP", "FSACCOUNT", "FSQOS", "FSCLASS"]),
    "res": ("RESWEIGHT", "RESCAP", [*QUANTITIES, "PROC", "MEM", "SWAP", "DISK", "GRES", "PS", "PE",
                                    "WALLTIME", "UPROC", "UJOB"]),
    "usage": ("USAGEWEIGHT", "USAGECAP", ["USAGECONSUMED", "USAGEREMAINING", "USAGEEXECUTIONTIME",
                                          "USAGEPERCENT"]),
}
DEFAULTS = {"QUEUETIMEWEIGHT": "1", "FSPOLICY": "NONE", "FSINTERVAL": "24:00:00", "FSDEPTH": "7",
            "FSDECAY": "1", "RMPOLLINTERVAL": "30", "JOBPRIOACCRUALPOLICY": "QUEUEPOLICY",
            "SYSTEMDEFAULTJOBWALLTIME": "10:00:00:00", "XFMINWCLIMIT": "-1", "DEFERTIME": "1:00:00",
            "DEFERCOUNT": "24", "DEFERSTARTCOUNT": "1", "JOBMAXSTARTTIME": "-1",
            "SERVERMODE": "NORMAL"}
DEFAULTS.update({weight: "1" for weight, _, _ in COMPONENTS.values()})

MAX_PRIORITY = 1e9


# ---- maui.cfg, as far as the cases write it ----

def without(text, name):
    """The text with one parameter, or one attribute of one family (FAMILY.ATTR), left out"""
    family, _, attr = name.partition(".")
    lines = []
    for line in text.split("\n"):
        if not re.match(re.escape(family) + r"(\[|\s|=|$)", line):
            lines.append(line)
        elif attr:
            lines.append(re.sub(r"\s" + re.escape(attr) + r"(\[[^]]*\])?=\S+", "", line))
    return "\n".join(lines)


def seconds(text):
    """[[[DD:]HH:]MM:]SS, right aligned"""
    if text.startswith("-"):
        return -seconds(text[1:])
    total, factors = 0, [1, 60, 3600, 86400]
    for factor, field in zip(factors, reversed(text.split(":"))):
        total += factor * int(field)
    return total


def truth(text):
    return text.lower() in ("1", "true", "on", "yes")


class Config:
    """The canonical form only: older spellings are not this reader's business."""

    def __init__(self, text):
        self.plain, self.cfg = {}, {}
        for line in re.sub(r"\\\n", " ", text).split("\n"):
            line = line.split("#")[0].strip()
            match = re.match(r"(\w+)(?:\[([^\]]*)\])?\s*=?\s*(.*)", line)
            if not match:
                continue
            name, index, rest = match[1].upper(), match[2], match[3].strip()
            if name in FAMILIES:
                attrs = self.cfg.setdefault((FAMILIES[name], index or ""), {})
                for word in rest.split():
                    attr, value = word.split("=", 1)
                    attrs[attr] = value
            else:
                self.plain[(name, None if index in (None, "0") else index)] = rest

    def get(self, name, partition=None):
        for key in ((name, partition), (name, None)):
            if key in self.plain:
                return self.plain[key]
        return DEFAULTS.get(name, "0")

    def number(self, name, partition=None):
        return float(self.get(name, partition))

    def attr(self, kind, name, attribute):
        return self.cfg.get((kind, name), {}).get(attribute)

    def attr_or_default(self, kind, name, attribute):
        if name is None:
            return None
        own = self.attr(kind, name, attribute)
        return own if own is not None else self.attr(kind, "DEFAULT", attribute)

    def policy(self):
        """(metric, ratio mode)"""
        text = self.get("FSPOLICY")
        return text.rstrip("%"), text.endswith("%")


# ---- fairshare ----

def fs_target(text):
    """(value, suffix)"""
    match = re.match(r"([0-9.]+)([-+^%]?)", text or "0")
    return float(match[1]), match[2]


def fs_delta(config, target_text, percent):
    metric, ratio = config.policy()
    target, suffix = fs_target(target_text)
    if metric == "NONE" or target <= 0 or suffix in ("^", "%") and suffix:
        return 0.0
    delta = 1 - percent / target if ratio else target - percent
    return max(delta, 0.0) if suffix == "+" else min(delta, 0.0) if suffix == "-" else delta


def fairshare(config, inputs):
    if "now" in inputs:
        interval = seconds(config.get("FSINTERVAL"))
        start = inputs["now"] - inputs["now"] % interval
        return {"window_start": start, "file": "FS.%d" % start, "next_roll": start + interval}
    depth, decay = int(config.get("FSDEPTH")), config.number("FSDECAY")
    usage = sum(w * decay ** n for n, w in enumerate(inputs["windows"][:depth]))
    total = sum(w * decay ** n for n, w in enumerate(inputs["totals"][:depth]))
    percent = 100 * usage / total if total else 0.0
    text = config.attr_or_default(inputs["cred"], inputs["name"], "FSTARGET")
    target, suffix = fs_target(text)
    cap = config.attr_or_default(inputs["cred"], inputs["name"], "FSCAP")
    cap = fs_target(cap + "%" if cap[-1:].isdigit() else cap) if cap else (0, "")
    blocked = any(limit > 0 and (mark == "^" and usage >= limit or
                                 mark == "%" and percent >= limit)
                  for limit, mark in [(target, suffix), cap])
    return {"usage": usage, "total": total, "percent": percent, "blocked": bool(blocked),
            "delta": fs_delta(config, text, percent) if total else 0.0}


# ---- priority ----

def cred_priority(config, kind, job):
    name = job.get(kind)
    if name is None:
        return 0.0
    own = float(config.attr(kind, name, "PRIORITY") or 0)
    if own or kind == "qos":
        return own
    if kind == "class" and job.get("class_priority"):
        return float(job["class_priority"])
    return float(config.attr(kind, "DEFAULT", "PRIORITY") or 0)


def weighed_gres(config, counts):
    """GPUs and {"gres": {"gpu:a100": count}}, each by the weight of its type or its name."""
    def weight(name):
        for known in (name, name.split(":")[0]):
            line = config.get("GRESCFG", known) if config else "0"
            if line != "0":
                return float(line.partition("WEIGHT=")[2])
        return 1 if name.split(":")[0] == "gpu" else 0
    named = dict(counts.get("gres", {}), gpu=counts.get("gpu", 0))
    return sum(count * weight(name) for name, count in named.items())


def processor_equivalents(job, system, config=None):
    per_task = {"procs": job.get("procs_per_task", 1), "mem": job.get("mem", 0),
                "swap": job.get("swap", 0), "disk": job.get("disk", 0),
                "gres": weighed_gres(config, job)}
    system = dict(system, gres=weighed_gres(config, system))
    shares = [amount / system[name] for name, amount in per_task.items() if system.get(name)]
    return system.get("procs", 0) * job["tasks"] * max(shares or [0])


def nearness(target, value):
    return max(0.0001, target - value) ** -2 if target > 0 else 0.0


def raw_values(config, inputs):
    job, system = inputs["job"], inputs["system"]
    tasks, qos = job["tasks"], job.get("qos")
    procs = tasks * job.get("procs_per_task", 1)
    limit, waited = job["wclimit"], job["effqtime"]
    floor = seconds(config.get("XFMINWCLIMIT", job.get("class")))
    xfactor = 1 + waited / max(floor, limit)
    raw = {"QUEUETIME": max(0, waited / 60), "XFACTOR": xfactor, "BYPASS": job.get("bypass", 0),
           "SPVIOLATION": 1 if job.get("spviolation") else 0,
           "TARGETQUEUETIME": nearness(seconds(config.attr("qos", qos, "QTTARGET") or "0"), waited),
           "TARGETXFACTOR": nearness(float(config.attr("qos", qos, "XFTARGET") or 0), xfactor),
           "PROC": procs, "MEM": tasks * job.get("mem", 0),
           "SWAP": tasks * job.get("swap", 0), "DISK": tasks * job.get("disk", 0),
           "GRES": tasks * weighed_gres(config, job),
           "PS": procs * limit, "PE": processor_equivalents(job, system, config),
           "WALLTIME": limit,
           "UPROC": inputs["user_usage"].get("procs", 0),
           "UJOB": inputs["user_usage"].get("jobs", 0)}
    for factor, member in QUANTITIES.items():
        raw[factor] = job.get(member, 0)
    for kind in KINDS:
        raw[kind.upper()] = cred_priority(config, kind, job)
        target = config.attr_or_default(kind, job.get(kind), "FSTARGET")
        known = kind in inputs["fs_percent"]
        raw["FS" + kind.upper()] = \
            fs_delta(config, target, inputs["fs_percent"][kind]) if known else 0.0
    elapsed = job.get("elapsed", 0)
    active = job.get("state") == "running"
    raw["USAGECONSUMED"] = procs * elapsed if active else 0
    raw["USAGEREMAINING"] = procs * (limit - elapsed) if active else 0
    raw["USAGEEXECUTIONTIME"] = elapsed if active else 0
    raw["USAGEPERCENT"] = min(100, 100 * elapsed / limit) if active else 0
    return raw


def effective_weight(config, sub, job):
    weight = config.number(sub + "WEIGHT", job.get("class"))
    extra = {"QUEUETIME": "QTWEIGHT", "XFACTOR": "XFWEIGHT"}.get(sub)
    if extra:
        weight += float(config.attr("qos", job.get("qos"), extra) or 0)
    if sub == "CLASS":
        own = float(config.attr("group", job.get("group"), "CLASSWEIGHT") or 0)
        weight = own if own > 0 else weight
    return weight


def clip(config, job, raw):
    """(priority, rejected): the steps in this order"""
    negative = truth(config.get("ENABLENEGJOBPRIORITY", job.get("class")))
    reject = truth(config.get("REJECTNEGPRIOJOBS", job.get("class")))
    value = raw
    if not negative and not reject and value < 1:
        value = 1.0
    if reject and value < 0:
        return value, True
    value = min(value, MAX_PRIORITY)
    if job.get("sysprio"):
        value = MAX_PRIORITY + job["sysprio"]
    return value + job.get("sysprio_relative", 0), False


def priority(config, inputs):
    job, partition = inputs["job"], inputs["job"].get("class")
    raw, factors, components = raw_values(config, inputs), {}, {}
    for component, (weight_name, cap_name, subs) in COMPONENTS.items():
        total = 0.0
        for sub in subs:
            weight = effective_weight(config, sub, job)
            cap = config.number(sub + "CAP", partition)
            value = min(raw[sub], cap) if cap > 0 else raw[sub]
            if weight:
                factors[sub] = value
            total += weight * value
        cap = config.number(cap_name, partition)
        total = min(total, cap) if cap > 0 else total
        components[component] = config.number(weight_name, partition) * total
    total = sum(components.values())
    value, rejected = clip(config, job, total)
    return {"factors": factors, "components": components, "raw": total, "priority": value,
            "rejected": rejected}


# ---- single fields, queue time, QOS ----

def accrual_policy(config):
    if ("JOBPRIOACCRUALPOLICY", None) not in config.plain and \
            truth(config.get("USESYSTEMQUEUETIME")):
        return "ALWAYS"
    return config.get("JOBPRIOACCRUALPOLICY")


def config_field(config, inputs):
    times = {"poll_interval_s": "RMPOLLINTERVAL", "fs_interval_s": "FSINTERVAL",
             "default_walltime_s": "SYSTEMDEFAULTJOBWALLTIME", "defer_time_s": "DEFERTIME",
             "max_start_s": "JOBMAXSTARTTIME"}
    field = inputs["field"]
    if field == "class_walltime_s":
        return {"value": seconds(config.attr_or_default("class", "batch", "DEFAULT.WCLIMIT") or "0")}
    if field in times:
        return {"value": seconds(config.get(times[field]))}
    return {"value": {"accrual": accrual_policy(config), "fs_policy": config.get("FSPOLICY"),
                      "defer_count": int(config.get("DEFERCOUNT")),
                      "defer_start_count": int(config.get("DEFERSTARTCOUNT")),
                      "server_mode": config.get("SERVERMODE").upper(),
                      "fs_depth": int(config.get("FSDEPTH")),
                      "fs_decay": config.number("FSDECAY")}[field]}


def accrual(config, inputs):
    """Sums up the time that counts; the rest of the tree moves a stamp instead."""
    pauses = {"ALWAYS": [], "QUEUEPOLICY": ["held", "dependent", "limit"]}
    pauses["FULLPOLICY"] = pauses["QUEUEPOLICY"] + ["class_disabled", "rejected", "fs_capped",
                                                    "active_limit"]
    waited, before = 0, inputs["submit"]
    for iteration in inputs["iterations"]:
        if not any(iteration.get(what) for what in pauses[accrual_policy(config)]):
            waited += iteration["now"] - before
        before = iteration["now"]
    return {"effqtime": max(0, waited + inputs["now"] - before)}


def qos_access(config, job):
    """The QOS a job may ask for; None: all, because there is no QLIST anywhere."""
    plain, both, any_plain = set(), [], False
    lists = any("QLIST" in attrs for attrs in config.cfg.values())
    for kind in ["user", "group", "account", "class", "system"]:
        name = "" if kind == "system" else job.get(kind)
        default = config.attr_or_default(kind, name, "QDEF")
        text = config.attr_or_default(kind, name, "QLIST")
        names = {default} if default else set()
        if text is None:
            plain |= names
            any_plain |= bool(names)
            continue
        names |= set(re.split("[,:|]", text.rstrip("&^")))
        if text.endswith("^"):
            return names
        if text.endswith("&"):
            both.append(names)
        else:
            plain |= names
            any_plain = True
    if both and not any_plain:
        plain = set(both[0])
    for names in both:
        plain &= names
    return plain if lists else None


def qos(config, inputs):
    results = []
    for job in inputs["jobs"]:
        wanted = job.get("requested")
        if wanted is None:
            defaults = [config.attr_or_default(kind, "" if kind == "system" else job.get(kind),
                                               "QDEF")
                        for kind in ["user", "group", "account", "class", "system"]]
            results.append({"qos": next((d for d in defaults if d), None), "refused": False})
            continue
        access = qos_access(config, job)
        refused = access is not None and wanted not in access
        results.append({"qos": None if refused else wanted, "refused": refused})
    return {"results": results}


FEATURES = {"priority": priority, "fairshare": fairshare, "config": config_field,
            "accrual": accrual, "qos": qos}
