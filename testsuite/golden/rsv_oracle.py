# SPDX-License-Identifier: GPL-2.0-or-later
"""When standing reservations exist and which jobs they admit: Maui's manual 7.1.5 with
doc/rules, written down a second time, not from the C code.

FEATURES[feature](text, inputs) returns what a golden case expects; README.md beside this file has
the inputs. Only the canonical spelling is read: SRCFG[name] ATTR=value, lists with commas.
"""

import datetime
import re
import zoneinfo

from own_oracle import seconds

LISTS = {"USERLIST": "user", "GROUPLIST": "group", "ACCOUNTLIST": "account", "QOSLIST": "qos",
         "CLASSLIST": "class", "JOBATTRLIST": "attr", "TIMELIMIT": "time", "TASKLIMIT": "tasks",
         "PROCLIMIT": "procs"}
WEEKDAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
FLAGS = ["BESTEFFORT", "BYNAME", "DEDICATEDNODE", "DEDICATEDRESOURCE", "FORCE", "OWNERPREEMPT",
         "PREEMPTEE", "SINGLEUSE", "SPACEFLEX", "STANDINGRES", "TIMEFLEX"]
ANY = float("inf")


class Rsv:
    def __init__(self, name, line):
        self.name, self.line, self.attrs, self.acl, self.triggers = name, line, {}, [], []
        self.lists = set()  # attributes that add up

    def get(self, attr, missing):
        return self.attrs.get(attr, missing)

    def flags(self):
        return [flag for flag in FLAGS if flag in re.split("[,:|]", self.get("FLAGS", ""))]


def entry(kind, word):
    """(kind, value, affinity, marks) of one word of a list"""
    affinity, marks = "positive", set()
    order = "<="
    if kind in ("time", "tasks", "procs"):
        order = re.match("<=|>=|==|<|>|", word)[0]
        word = word[len(order):]
    while word and word[0] in "+-=*!^":
        affinity = {"+": "positive", "-": "negative", "=": "neutral"}.get(word[0], affinity)
        marks.add(word[0])
        word = word[1:]
    while word and word[-1] in "+-=*!^":
        affinity = {"+": "positive", "-": "negative", "=": "neutral"}.get(word[-1], affinity)
        marks.add(word[-1])
        word = word[:-1]
    value = word
    if kind == "time":
        value = ANY if word == "INFINITY" else seconds(word)
    elif kind in ("tasks", "procs"):
        value = int(word)
    elif kind == "account":
        value = word.lower()
    return {"kind": kind, "value": value, "order": order or "<=", "affinity": affinity, "required": "*" in marks,
            "deny": "!" in marks, "not": bool(marks & {"!", "^"})}


def take_over(rsv, default):
    """What SRCFG[DEFAULT] says and the reservation does not, an attribute at a time"""
    rsv.attrs = {**default.attrs, **rsv.attrs}
    rsv.acl += [dict(one) for one in default.acl if one["attr"] not in rsv.lists]
    rsv.acl.sort(key=lambda one: one["at"])
    if "TRIGGER" not in rsv.lists:
        rsv.triggers = default.triggers


def read(text):
    """The reservations, in the order of the file, and the plain lines {(name, index): value}"""
    rsvs, plain = {}, {}
    for number, line in enumerate(text.split("\n"), 1):
        line = line.split("#")[0].strip()
        match = re.match(r"(\w+)(?:\[([^\]]*)\])?\s+(.*)", line)
        if not match:
            continue
        if match[1] != "SRCFG":
            plain[match[1], match[2]] = match[3]
            continue
        rsv = rsvs.setdefault(match[2], Rsv(match[2], number))
        for word in match[3].split():
            attr, value = word.split("=", 1)
            if attr in LISTS:
                rsv.acl += [entry(LISTS[attr], w) for w in re.split(r"[,|]", value)
                            if w != "[NONE]"]
                rsv.lists.add(attr)
            elif attr == "TRIGGER":
                rsv.triggers.append(value)
                rsv.lists.add(attr)
            else:
                rsv.attrs[attr] = value
        for one in rsv.acl:
            one.setdefault("at", number)
            one.setdefault("attr", next(a for a, kind in LISTS.items() if kind == one["kind"]))
    default = rsvs.pop("DEFAULT", None)
    for rsv in rsvs.values():
        if default:
            take_over(rsv, default)
        if rsv.get("TIMELOGIC", "OR") == "AND":
            for one in rsv.acl:
                one["required"] |= one["kind"] == "time"
    return list(rsvs.values()), plain


# ---- access lists ----

def compares(one, size):
    return {"<=": size <= one["value"], "<": size < one["value"], "==": size == one["value"],
            ">=": size >= one["value"], ">": size > one["value"]}[one["order"]]


def is_called(rsv, name):
    if name is None:
        return False
    own = re.escape(rsv.name)
    day = r"[1-9]\d{7}" if rsv.get("PERIOD", "DAY")[0] in "DWdw" else "0"
    return re.fullmatch(own + r"(\.(?!0*[1-9]\d{7}$)\d+)?|maui\." + own + r"\." + day, name)


def check(rsv, job, qos, overlap):
    """(reason, affinity, whether only a NOT list let it in)"""
    if overlap <= 0:
        return "ok", "neutral", False
    if "BYNAME" in rsv.flags() and not is_called(rsv, job.get("advres")):
        return "byname", None, False
    if not rsv.acl:
        return "empty", None, False
    has = {"user": job.get("user"), "group": job.get("group"), "qos": job.get("qos"),
           "class": job.get("class"), "account": job.get("account") and job["account"].lower()}

    def names(one):
        if one["kind"] == "time":
            return "IGNSRMAXTIME" in qos or compares(one, overlap)
        if one["kind"] in ("tasks", "procs"):
            return compares(one, job.get(one["kind"], 1))
        if one["kind"] == "attr":
            return job.get("preemptee", False)
        return has[one["kind"]] == one["value"]

    negated = [one for one in rsv.acl if one["not"] and one["kind"] != "time"]
    others = [one for one in rsv.acl if one not in negated]
    if any(one["deny"] and names(one) for one in negated):
        return "deny", None, False
    if any(one["required"] and not names(one) for one in others) or \
            any(one["required"] and names(one) for one in negated):
        return "required", None, False
    kinds = {one["kind"] for one in negated if not one["required"]}
    # a job without such a credential is not named either: "job without account: NOT list is satisfied"
    by_not = any(not any(names(one) for one in negated if one["kind"] == kind) for kind in kinds)
    matching = [one for one in others if names(one)]
    affinity = matching[-1]["affinity"] if matching else "positive"
    if any(not one["required"] for one in matching) or all(one["required"] for one in rsv.acl):
        return "ok", affinity, False
    return ("ok", affinity, not matching) if by_not else ("nomatch", None, False)


def overlap_of(job, rsv):
    if "start" not in job:
        return job["wclimit"]
    ends = min(job["start"] + job["wclimit"], rsv.get("end", ANY))
    return ends - max(job["start"], rsv.get("start", job["start"]))


def acl(text, inputs):
    rsvs, plain = read(text)
    job = inputs["job"]
    qos = plain.get(("QOSCFG", job.get("qos")), "FLAGS=").split("=", 1)[1]
    qos = re.split("[,|:]", qos)
    by_name = {rsv.name: rsv for rsv in rsvs}
    named = inputs["reservations"] or [{"name": rsv.name} for rsv in rsvs]
    results = []
    for one in named:
        reason, affinity, by_not = check(by_name[one["name"]], job, qos, overlap_of(job, one))
        results.append({"reservation": one["name"], "granted": reason == "ok",
                        "affinity": affinity, "why": "not" if by_not else reason})
    table = []
    only = "advres" in job or "USERESERVED" in qos
    place = qos.index("USERESERVED") if "USERESERVED" in qos else len(qos)
    wanted = qos[place + 1] if place + 1 < len(qos) and qos[place + 1].islower() else None
    for rsv in rsvs:
        if "advres" in job and not is_called(rsv, job["advres"]) or \
                wanted and not is_called(rsv, wanted):
            continue
        lengths = [ANY] + sorted((one["value"] - (one["order"] == "<") for one in rsv.acl
                                  if one["kind"] == "time"), reverse=True)
        allowed = [(length, affinity) for length in lengths if length > 0
                   for reason, affinity, _ in [check(rsv, job, qos, length)] if reason == "ok"]
        if not allowed:
            continue
        length, affinity = allowed[0]
        table.append({"reservation": rsv.name, "affinity": affinity,
                      "overlap": None if length == ANY else length})
        shorter = [{"overlap": one[0], "affinity": one[1]}
                   for longer, one in zip(allowed, allowed[1:]) if one[1] != longer[1]]
        if shorter:
            table[-1]["shorter"] = shorter[::-1]
    return {"granted": all(r["granted"] for r in results), "per_reservation": results,
            "table": table, "only": only}


# ---- when ----

def at(zone, date, wall):
    """The epoch of a wall clock time: fold=0 is the first of two, and runs through a gap"""
    days, rest = divmod(wall, 86400)
    date += datetime.timedelta(days=days)
    moment = datetime.datetime(date.year, date.month, date.day, rest // 3600, rest // 60 % 60,
                               rest % 60, tzinfo=zone, fold=0)
    return int(moment.timestamp())


def sr_window(text, inputs):
    rsv = next(r for r in read(text)[0] if r.name == inputs["name"])
    now, zone = inputs["now"], zoneinfo.ZoneInfo(inputs.get("TZ", "UTC"))
    period = rsv.get("PERIOD", "DAY")
    if period in ("INFINITY", "INFINITE"):
        return {"windows": [{"id": rsv.name + ".0", "start": now, "end": None, "day": 0}]}
    today = datetime.datetime.fromtimestamp(now, zone).date()
    length, start, end = 1, rsv.get("STARTTIME", "0"), rsv.get("ENDTIME", None)
    if period == "WEEK":
        length = 7
        today -= datetime.timedelta(days=today.isoweekday() % 7)
        start, end = rsv.get("WSTARTTIME", start), rsv.get("WENDTIME", end)
    start = seconds(start)
    end = seconds(end) if end else 0
    if end == 0 and rsv.get("DURATION", None):
        end = start + seconds(rsv.get("DURATION", None))
    if end == 0 or end > length * 86400:
        end = length * 86400
    days = rsv.get("DAYS", "ALL").upper().split(",")
    windows = []
    for i in range(int(rsv.get("DEPTH", "2"))):
        date = today + datetime.timedelta(days=i * length)
        if period == "DAY" and days != ["ALL"] and WEEKDAYS[date.isoweekday() % 7] not in days:
            continue
        if start >= length * 86400:
            continue
        begins, ends = at(zone, date, start), at(zone, date, end)
        if ends > now and ends > begins:
            windows.append({"id": "%s.%d" % (rsv.name, i), "start": max(begins, now),
                            "end": ends, "day": int(date.strftime("%Y%m%d"))})
    return {"windows": windows}


# ---- what ----

def amounts(text):
    values = {"PROCS": 0, "MEM": 0, "DISK": 0, "SWAP": 0}
    for pair in re.split("[;,+|]", text):
        name, value = re.split("[:=]", pair)
        values[{"PROC": "PROCS"}.get(name, name)] = int(value)
    return {name.lower(): value for name, value in values.items()}


def trigger(text):
    event, action = re.fullmatch(r"(.*)[;:]((?:cancel|exec|submit)(?:@.*)?)", text).groups()
    kind, offset, threshold = re.fullmatch(r"(\w+)(?:\+([\d:]+))?(?:@([\d.]+))?", event).groups()
    action, _, data = action.partition("@")
    return "%s+%d@%g;%s@%s" % (kind, seconds(offset) if offset else 0, float(threshold or 0),
                               action, data)


def rsv(text, inputs):
    one = read(text)[0][inputs.get("number", 0)]
    hosts, partition = one.get("HOSTLIST", None), one.get("PARTITION", None)
    count = int(one.get("TASKCOUNT", 0))
    days = one.get("DAYS", "ALL").upper().split(",")
    week = one.get("PERIOD", "DAY") == "WEEK"
    start, end = one.get("STARTTIME", "0"), one.get("ENDTIME", "0")
    if week:
        start, end = one.get("WSTARTTIME", start), one.get("WENDTIME", end)
    kind, _, owner = one.get("OWNER", "").partition(":")
    expected = {
        "name": one.name, "shared": one.get("ACCESS", "DEDICATED") == "SHARED",
        "charge_account": one.get("CHARGEACCOUNT", "").lower() or None,
        "hosts": None if hosts == "ALL" and count > 0 else hosts,
        "partition": None if partition == "ALL" else partition,
        "period": one.get("PERIOD", "DAY"), "idle_s": seconds(one.get("IDLETIME", "0")),
        "priority": int(one.get("PRIORITY", 0)), "task_count": count,
        "tpn": int(one.get("TPN", 0)), "start_s": seconds(start), "end_s": seconds(end),
        "days": 127 if days == ["ALL"] else sum(1 << WEEKDAYS.index(d) for d in days),
        "depth": int(one.get("DEPTH", 2)), "line": one.line,
        "flags": ",".join(one.flags()), "features": one.get("NODEFEATURES", ""),
        "owner": "%s:%s" % (kind.lower(), owner.lower() if kind == "ACCOUNT" else owner)
                 if kind else "",
        "triggers": " ".join(trigger(t) for t in one.triggers)}
    expected.update(amounts(one.get("RESOURCES", "PROCS:-1")))
    return expected


def config(text, inputs):
    _, plain = read(text)
    defaults = {"res_depth": ("RESDEPTH", 0), "res_ctl": ("RESCTLPOLICY", "ADMINONLY"),
                "mirror": ("RESERVATIONMIRROR", "ALL"),
                "reason_style": ("REASONTEXT", "FULL"), "het_jobs": ("HETJOBS", "OFF"), "admin1": ("ADMIN1", "root"),
                "admin2": ("ADMIN2", ""), "admin3": ("ADMIN3", ""),
                "query_socket": ("QUERYSOCKET", "")}
    bounds = {"res_max_count": ("RESCTLMAXCOUNT", "1"), "res_max_procs": ("RESCTLMAXPROC", "0"),
              "res_max_ps": ("RESCTLMAXPS", "0"), "res_max_length": ("RESCTLMAXTIME", "1:00:00:00"),
              "res_max_ahead": ("RESCTLMAXAHEAD", "7:00:00:00")}
    if inputs["field"] in bounds:
        name, missing = bounds[inputs["field"]]
        value = plain.get((name, None), missing)
        return {"value": seconds(value) if ":" in value else int(value)}
    if inputs["field"] == "use_reserved":
        flags = re.split("[,|:]", plain.get(("QOSCFG", "hi"), ""))
        place = next((i for i, flag in enumerate(flags) if flag.endswith("USERESERVED")), None)
        follows = flags[place + 1:place + 2] if place is not None else []
        return {"value": follows[0] if follows and follows[0].islower() else None}
    if inputs["field"] == "multi_requests":
        return {"value": int(plain.get(("ENABLEMULTIREQJOBS", None), "FALSE") == "TRUE")}
    name, missing = defaults[inputs["field"]]
    value = plain.get((name, None), missing)
    if inputs["field"].startswith("admin"):
        value = ",".join(re.split(r"[\s,:|]+", value)) if value else ""
    return {"value": int(value) if inputs["field"] == "res_depth" else value}


FEATURES = {"acl": acl, "sr_window": sr_window, "rsv": rsv, "config": config}
