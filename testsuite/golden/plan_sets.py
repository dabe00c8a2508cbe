# SPDX-License-Identifier: GPL-2.0-or-later
"""Rules of plan_oracle.py: node sets (manual 8.3, BF-24)"""

from own_oracle import seconds


class NodeSets:
    """Which nodes belong together, and which job has to have them"""

    def __init__(self, config, nodes):
        plain = config.plain
        self.policy = plain.get(("NODESETPOLICY", None), "NONE").upper()
        self.delay = seconds(plain.get(("NODESETDELAY", None), "0"))
        self.largest = plain.get(("NODESETPRIORITYTYPE", None), "").upper() == "WORSTFIT"
        attribute = plain.get(("NODESETATTRIBUTE", None), "NONE").upper()
        if attribute not in ("FEATURE", "NETWORK"):
            self.policy = "NONE"
        key = "switch" if attribute == "NETWORK" else "features"
        has = {node["name"]: [one for one in node.get(key, "").split(",") if one]
               for node in nodes}
        wanted = plain.get(("NODESETLIST", None), "").replace(",", " ").split() or \
            sorted({name for names in has.values() for name in names})
        self.sets = [[name for name in has if one in has[name]] for one in wanted]
        if self.policy == "ANYOF":
            self.sets = [[name for name in has if any(name in one for one in self.sets)]]

    def until(self, plan, job):
        """When the job may have any nodes"""
        if self.policy == "NONE" or not self.delay or not self.could_hold(plan, job):
            return plan.now
        return plan.now - job.get("waited", 0) + self.delay

    def could_hold(self, plan, job):
        """Whether some set would do if all its nodes were free"""
        kept, plan.taken, window, plan.window = plan.taken, [], plan.window, None
        can = any(plan.place_as(job, plan.now, job["wclimit"], form, one)
                  for one in self.sets for form in plan.forms(job))
        plan.taken, plan.window = kept, window
        return can

    def choices(self, plan, job, start, length):
        """The names of the nodes to be tried, one choice after the other; None: all nodes"""
        takes = {node["name"]: plan.tasks(job, node, start, start + length)
                 for node in plan.nodes}
        choices = [[name for name in one if takes[name] > 0] for one in self.sets]
        choices = [one for one in choices if enough(job, [takes[name] for name in one])]
        if self.policy == "ONEOF":
            choices.sort(key=lambda one: -len(one) if self.largest else len(one))
        yield from choices if self.policy != "NONE" else []
        if start >= self.until(plan, job):
            yield None


def enough(job, takes):
    takes = [one for one in takes if one > 0]
    return len(takes) >= job.get("nodes", 1) and \
        sum(takes) >= job["procs"] // job.get("procs_per_task", 1)
