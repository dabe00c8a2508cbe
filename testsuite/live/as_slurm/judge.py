# SPDX-License-Identifier: GPL-2.0-or-later
"""Two clusters of one shape, Slurm's own schedulers on one and sched/maui on the other, and what
each makes of the same requests."""

import collections
import concurrent.futures
import dataclasses
import re
import subprocess
import time

from cluster import Cluster, parse_fields, wait_until

STOCK_CONF = """
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,bf_resolution=1,bf_continue
PriorityType=priority/basic
JobSubmitPlugins=
"""
OUR_CONF = """
SchedulerType=sched/maui
PriorityType=priority/maui
JobSubmitPlugins=maui
"""
MAUI_CFG = """
RMPOLLINTERVAL  1
QUEUETIMEWEIGHT 1
"""
START_S = 6  # a request that Slurm starts at once must start within this time
IDLE_S = 4  # for so long no job starts: none will
QUEUE_S = 300
UP_TRIES = 3
STARTED = ("RUNNING", "CONFIGURING", "COMPLETING", "COMPLETED", "TIMEOUT", "SUSPENDED")


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What became of a request. text is Slurm's refusal, or the reason for waiting."""
    refused: bool = False
    started: bool = False
    amounts: tuple = ()  # ((name, text), ...) of what the job got
    text: str = dataclasses.field(default="", compare=False)

    def __str__(self):
        if self.refused:
            return "refused (%s)" % self.text
        if not self.started:
            return "not started (%s)" % self.text
        return "started with " + " ".join("%s=%s" % item for item in self.amounts)


def count_hosts(text):
    """The number of hosts of Slurm's n[1-2,4],m3."""
    count = 0
    for ranges in re.findall(r"[^,\[]+(?:\[([^\]]*)\])?", text):
        for part in ranges.split(",") if ranges else [""]:
            first, _, last = part.partition("-")
            count += int(last) - int(first) + 1 if last else 1
    return count


def names_type(options):
    """Whether a type of GPU is asked for. Else which type a job gets is where, not whether."""
    return any(option.startswith("--g") and re.search(r"[=:,](?!gpu:)[a-z]\w*:\d", option)
               for option in options)


def gpus_of(line, by_type):
    """{"gpu", or "gpu:TYPE": count} of all nodes, by the lines of scontrol's -d. Slurm without
    slurmdbd does not count them in TRES."""
    total = collections.Counter()
    for nodes, gres in re.findall(r"\bNodes=(\S+) CPU_IDs=\S+ Mem=\d+ GRES=(\S+)", line):
        for name, count in re.findall(r"(gpu(?::[a-z]\w*)?):(\d+)", gres):
            total[name if by_type else "gpu"] += int(count) * count_hosts(nodes)
    return total


def outcome_of(line, options):
    """From one line of scontrol -d about the job of a request."""
    fields = parse_fields(line)
    if fields["JobState"] not in STARTED:
        return Outcome(text="%s %s" % (fields["JobState"], fields["Reason"]))
    tres = fields.get("AllocTRES") or fields.get("TRES") or ""
    amounts = {"nodes": fields["NumNodes"], "cpus": fields["NumCPUs"],
               **gpus_of(line, names_type(options))}
    memory = re.search(r"\bmem=([^,]+)", tres)
    if memory:
        amounts["mem"] = memory.group(1)
    return Outcome(started=True, amounts=tuple(sorted(amounts.items())))


class Side:
    """One of both clusters."""

    def __init__(self, shape, conf, make):
        files = {"gres.conf": shape.gres_conf} if shape.gres_conf else None
        self.cluster = make(MAUI_CFG, shape.slurm_conf + conf, files=files)

    def up(self):
        """A busy machine may need more than minicluster's patience."""
        for _ in range(UP_TRIES - 1):
            try:
                self.cluster.up()
                return
            except (RuntimeError, subprocess.TimeoutExpired):
                self.cluster.minicluster("down")
        self.cluster.up()

    def down(self):
        self.cluster.down()

    def submit(self, options, seconds):
        """(id, None), or (None, the outcome) of a refused request."""
        command = self.cluster.sbatch_command("--time=5", *options,
                                              command="sleep %s" % seconds)
        said = self.cluster.run(*command, check=False)
        if said.returncode == 0:
            return int(said.stdout.split(";")[0]), None
        lines = said.stderr.strip().splitlines() or ["exit status %d" % said.returncode]
        return None, Outcome(refused=True, text=lines[-1])

    def lines(self):
        """{id: line of scontrol}."""
        text = self.cluster.scontrol("show", "job", "-d", "-o", "--all").stdout
        return {int(re.match(r"JobId=(\d+)", line).group(1)): line
                for line in text.splitlines() if line.startswith("JobId=")}

    def clear(self):
        """Ends all jobs; returns when no node is busy with one."""
        if self.cluster.squeue():
            self.cluster.run("scancel", "--user=steve", check=False)
            wait_until(lambda: not self.cluster.squeue(), "the end of all jobs")

    # ---- each request by itself ----

    def alone(self, options, seconds):
        """The outcome on the idle cluster. One that does not start waits for so long."""
        job, outcome = self.submit(options, 600)
        end = time.monotonic() + seconds
        while job:
            line = self.cluster.scontrol("show", "job", "-d", "-o", str(job)).stdout
            outcome = outcome_of(line, options)
            if outcome.started or time.monotonic() >= end:
                break
            time.sleep(0.05)
        self.clear()
        return outcome

    def never(self, requests):
        """The outcomes of requests that do not start even on the idle cluster, all together, so that
        to see this takes the time of one."""
        jobs = [self.submit(options, 600) for options in requests]
        if any(job for job, _ in jobs):
            time.sleep(IDLE_S)
        seen = self.lines() if any(job for job, _ in jobs) else {}
        self.clear()
        return [outcome or outcome_of(seen[job], options)
                for options, (job, outcome) in zip(requests, jobs)]

    # ---- all in a queue ----

    def queue(self, requests):
        """The outcomes when all wait at once, and each that starts ends soon."""
        jobs = [self.submit(options, 0.3) for options in requests]
        options_of = {job: options for options, (job, _) in zip(requests, jobs) if job}
        outcomes, quiet_since = {}, time.monotonic()
        end = time.monotonic() + QUEUE_S
        while options_of and time.monotonic() < min(end, quiet_since + IDLE_S):
            lines = self.lines()
            for job, options in options_of.items():
                outcome = outcome_of(lines[job], options)
                is_new = job not in outcomes or outcome.started > outcomes[job].started
                if is_new or re.search(r"JobState=(RUNNING|COMPLETING)", lines[job]):
                    quiet_since = time.monotonic()
                outcomes[job] = outcome
            time.sleep(0.3)
        self.clear()
        return [outcome or outcomes[job] for job, outcome in jobs]


class Pair:
    """Both clusters of a shape; make(...) makes one that is not up yet."""

    def __init__(self, shape, make=Cluster):
        self.shape = shape
        self.stock, self.ours = Side(shape, STOCK_CONF, make), Side(shape, OUR_CONF, make)
        self.pool = concurrent.futures.ThreadPoolExecutor(2)

    def __enter__(self):
        try:
            self.stock.up()
            self.ours.up()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *unused):
        self._both(Side.down, Side.down)
        self.pool.shutdown()

    def _both(self, on_stock, on_ours):
        """Calls both side by side; returns both results."""
        futures = [self.pool.submit(on_stock, self.stock), self.pool.submit(on_ours, self.ours)]
        concurrent.futures.wait(futures)
        return [future.result() for future in futures]

    @staticmethod
    def _all_alone(side, requests):
        """One after the other, at first without much patience; those that do not start at once are
        tried again together, where nothing hides a start that only takes longer."""
        outcomes = [side.alone(options, 0.6) for options in requests]
        late = [i for i, outcome in enumerate(outcomes)
                if not outcome.started and not outcome.refused]
        for i, outcome in zip(late, side.never([requests[i] for i in late])):
            outcomes[i] = outcome
        # together they may have been in each other's way: what one did, it must do by itself
        for i in late:
            if outcomes[i].started:
                outcomes[i] = side.alone(requests[i], START_S)
        return outcomes

    def alone(self, requests):
        """[(stock, ours)] of each request on the idle cluster."""
        stock, ours = self._both(lambda side: self._all_alone(side, requests),
                                 lambda side: self._all_alone(side, requests))
        for i, (one, two) in enumerate(zip(stock, ours)):
            if one != two:  # with all patience, before it is called a difference
                stock[i], ours[i] = self.compare(requests[i])
        return list(zip(stock, ours))

    def compare(self, options):
        """(stock, ours) of one request, each with all the time that a start may take."""
        return tuple(self._both(lambda side: side.alone(options, START_S),
                                lambda side: side.alone(options, START_S)))

    def queue(self, requests):
        """[(stock, ours)] of all requests at once. What a job got depends on what was free."""
        return list(zip(*self._both(lambda side: side.queue(requests),
                                    lambda side: side.queue(requests))))

    def reduce(self, options, differ):
        """The fewest options with which differ(shape, options, stock, ours) still holds."""
        kept = list(options)
        for option in options:
            fewer = [other for other in kept if other != option]
            if fewer and differ(self.shape, fewer, *self.compare(fewer)):
                kept = fewer
        return kept


def without_numbers(options):
    """Groups differences of one kind: --gpus=a:3 and --gpus=b:1 are one."""
    return " ".join(re.sub(r"\d+", "N", option) for option in options)
