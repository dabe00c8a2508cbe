# SPDX-License-Identifier: GPL-2.0-or-later
"""Two clusters of one shape, Slurm's own schedulers on one and sched/maui on the other, and what
each makes of the same requests."""

import collections
import concurrent.futures
import dataclasses
import re
import subprocess
import threading
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
IDLE_S = 4  # for so long no job starts on an idle cluster: none will
QUIET_S = 12  # the same in a queue: longer than sched/maui pauses after a refusal when jobs end
QUEUE_S = 300
UP_TRIES = 3
ANSWER_S = 60  # a slurmctld that answers nothing for so long has died
BUSY = ("RUNNING", "COMPLETING", "CONFIGURING")
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


def is_busy(line):
    """Whether the job of one line of scontrol has nodes; one that Slurm has forgotten has none."""
    return bool(line) and parse_fields(line)["JobState"] in BUSY


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


class Console:
    """A scontrol that stays, for thousands of questions: a process for each costs more than all
    else."""

    def __init__(self, cluster):
        self.process = subprocess.Popen(["scontrol", "-d", "-o", "-a"], env=cluster.inside, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT)

    def jobs(self, job=""):
        """{id: line of scontrol} of all jobs, or of one."""
        death = threading.Timer(ANSWER_S, self.process.kill)
        death.start()
        try:
            return self._ask(job)
        finally:
            death.cancel()

    def _ask(self, job):
        self.process.stdin.write("show job %s\nversion\n" % job)
        self.process.stdin.flush()
        lines = {}
        for line in self.process.stdout:
            if re.match(r"slurm\S* \d", line):  # the answer to `version`
                return lines
            if "error:" in line and "Invalid job id" not in line:
                raise AssertionError(line)
            if line.startswith("JobId="):
                lines[int(re.match(r"JobId=(\d+)", line).group(1))] = line.rstrip("\n")
        raise AssertionError("no answer about %s: has slurmctld died?" % (job or "the jobs"))

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


class Side:
    """One of both clusters."""

    def __init__(self, shape, conf, make):
        files = {"gres.conf": shape.gres_conf} if shape.gres_conf else None
        self.cluster = make(MAUI_CFG, shape.slurm_conf + conf, files=files)
        self.console = None

    def up(self):
        """A busy machine may need more than minicluster's patience."""
        for _ in range(UP_TRIES - 1):
            try:
                self.cluster.up()
                break
            except (RuntimeError, subprocess.TimeoutExpired):
                self.cluster.minicluster("down")
        else:
            self.cluster.up()
        self.console = Console(self.cluster)

    def down(self):
        if self.console:
            self.console.close()
        self.cluster.down()

    def submit(self, options, seconds):
        """(id, None), or (None, the outcome) of a refused request."""
        command = self.cluster.sbatch_command("--time=5", *options,
                                              command="sleep %s" % seconds)
        said = self.cluster.run(*command, check=False)
        if said.returncode == 0:
            return int(said.stdout.split(";")[0]), None
        lines = said.stderr.strip().splitlines() or ["exit status %d" % said.returncode]
        if "Unable to contact slurm controller" in lines[-1]:
            raise AssertionError("slurmctld has died, before or at: %s" % " ".join(options))
        return None, Outcome(refused=True, text=lines[-1])

    def end(self, *jobs):
        """Ends these jobs; returns when no node is busy with one."""
        if jobs:
            self.cluster.run("scancel", *map(str, jobs), check=False)
        for job in jobs:
            wait_until(lambda job=job: not is_busy(self.console.jobs(job).get(job)), "a job's end")

    # ---- each request by itself ----

    def alone(self, options, seconds):
        """The outcome on the idle cluster. One that does not start waits for so long."""
        job, outcome = self.submit(options, 600)
        if not job:
            return outcome
        end = time.monotonic() + seconds
        while True:
            outcome = outcome_of(self.console.jobs(job)[job], options)
            if outcome.started or time.monotonic() >= end:
                break
            time.sleep(0.02)
        self.end(job)
        return outcome

    def never(self, requests):
        """The outcomes of requests that do not start even on the idle cluster, all together, so that
        to see this takes the time of one."""
        jobs = [self.submit(options, 600) for options in requests]
        waiting = [job for job, _ in jobs if job]
        if waiting:
            time.sleep(IDLE_S)
        seen = self.console.jobs() if waiting else {}
        self.end(*waiting)
        return [outcome or outcome_of(seen[job], options)
                for options, (job, outcome) in zip(requests, jobs)]

    # ---- all in a queue ----

    def queue(self, requests):
        """The outcomes when all wait at once, and each that starts ends soon."""
        jobs = [self.submit(options, 0.3) for options in requests]
        options_of = {job: options for options, (job, _) in zip(requests, jobs) if job}
        outcomes, quiet_since = {}, time.monotonic()
        end = time.monotonic() + QUEUE_S
        while options_of and time.monotonic() < min(end, quiet_since + QUIET_S):
            lines, waits = self.console.jobs(), False
            for job, options in options_of.items():
                if job not in lines:  # it ended minutes ago
                    continue
                outcome = outcome_of(lines[job], options)
                is_new = job not in outcomes or outcome.started > outcomes[job].started
                if is_new or is_busy(lines[job]):
                    quiet_since = time.monotonic()
                waits |= not outcome.started or is_busy(lines[job])
                outcomes[job] = outcome
            if not waits:
                break
            time.sleep(0.1)
        self.end(*options_of)
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
