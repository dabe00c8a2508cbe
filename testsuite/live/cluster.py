# SPDX-License-Identifier: GPL-2.0-or-later
"""A real Slurm for the live tests: contribs/minicluster with what a test asks of it.

Nothing here knows Maui's rules; those are in oracle.py.
"""

import contextlib
import glob
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MINICLUSTER = os.path.join(TOP, "contribs", "minicluster")

# Users of every cluster, known to it alone, and the groups they are in.
USERS = {"steve": "science", "amy": "chem", "bob": "chem", "john": "science"}

# A generous deadline: reached only when something is wrong, however slow the machine.
DEADLINE_S = 120

# Of every cluster. Slurm's commands wait for slurmctld as long as a busy machine may need. A node that
# a test sets down stays down, also when its slurmd registers late.
SLURM_CONF = "SlurmctldDebug=debug\nMessageTimeout=60\nReturnToService=1\n"

# A cluster with slurmdbd takes 300 MB of it, and a failed test may leave its own.
MEMORY_NEEDED = 2 << 30


def clusters_directory():
    """Where clusters are made: in memory where it has room and may run programs. slurmctld writes its
    state with its locks held, and a disk may need ten seconds for what takes a millisecond."""
    try:
        memory = os.statvfs("/dev/shm")
    except OSError:
        return "/tmp"
    fit = (not memory.f_flag & os.ST_NOEXEC and
           memory.f_bavail * memory.f_frsize >= MEMORY_NEEDED)
    return "/dev/shm" if fit else "/tmp"


def slurm_release():
    """The installed Slurm's, as (24, 11, 5); (0,) without one."""
    program = shutil.which("slurmctld", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    said = subprocess.run([program, "-V"], check=True, capture_output=True,
                          text=True).stdout if program else "0"
    return tuple(int(part) for part in re.findall(r"\d+", said)[:3])


SLURM = slurm_release()

# Slurm 25.05 itself (and not the releases after it) may crash at a reconfigure: a submission that is
# under way calls a plugin that is gone.
CRASHES_AT_RECONFIGURE = (25, 5) <= SLURM < (25, 11)

# And that of 24.11 may hang there, with any scheduler.
HANGS_AT_RECONFIGURE = (24, 11) <= SLURM < (25, 5)
RECONFIGURED_S = 60

# What is logged of a bad maui.cfg at a reconfigure; since 23.11 that starts another slurmctld.
KEPT = ("slurm-maui: running on the last good configuration" if SLURM >= (23, 11)
        else "slurm-maui: reconfigure: the running configuration is unchanged")

CYCLE = re.compile(r"slurm-maui: cycle: .*read (\d+) us of (\d+) holds, write (\d+) us of (\d+)")


def wait_until(check, what, seconds=DEADLINE_S):
    """Calls check() until it returns something true, and returns that. check may raise
    AssertionError instead of returning false: its words are then in the failure."""
    end = time.monotonic() + seconds
    pause, last = 0.05, None
    while True:
        try:
            value = check()
            if value:
                return value
            last = value
        except AssertionError as failure:
            last = failure
        if time.monotonic() > end:
            raise AssertionError("not within %d s: %s; last: %s" % (seconds, what, last))
        time.sleep(pause)
        pause = min(0.5, pause * 1.5)


def parse_fields(line):
    """One line of `scontrol show ... -o` as a dict. A value may hold blanks."""
    pattern = r"(?:^|\s)([A-Z][A-Za-z/:]*)=(.*?)(?=\s+[A-Z][A-Za-z/:]*=|\s*$)"
    return dict(re.findall(pattern, line))


def seconds_of(text):
    """Slurm's [days-]hours:minutes:seconds; None for UNLIMITED and the like."""
    match = re.fullmatch(r"(?:(\d+)-)?(\d+):(\d+):(\d+)", text)
    if not match:
        return None
    days, hours, minutes, seconds = (int(group or 0) for group in match.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


def epoch(text):
    """A time of scontrol's in epoch seconds; None for Unknown, None, N/A."""
    if not re.match(r"\d{4}-", text):
        return None
    return int(time.mktime(time.strptime(text, "%Y-%m-%dT%H:%M:%S")))


class Job:
    """One job record of scontrol."""

    def __init__(self, fields):
        self.fields = fields
        self.id = int(fields["JobId"])
        self.array_id = int(fields.get("ArrayJobId", self.id))
        self.user, self.uid = re.match(r"(.*)\((\d+)\)", fields["UserId"]).groups()
        self.group = fields["GroupId"].split("(")[0]
        account = fields["Account"]
        self.account = None if account in ("(null)", "") else account
        self.partitions = fields["Partition"].split(",")
        self.state, self.reason = fields["JobState"], fields["Reason"]
        self.priority, self.nice = int(fields["Priority"]), int(fields["Nice"])
        self.submit, self.start = epoch(fields["SubmitTime"]), epoch(fields["StartTime"])
        self.end = epoch(fields["EndTime"])
        self.limit = seconds_of(fields["TimeLimit"])
        self.run_time = seconds_of(fields["RunTime"])
        self.nodes = int(fields["NumNodes"].split("-")[0])
        self.procs = max(self.nodes, int(fields["NumCPUs"].split("-")[0]))
        self.memory = self._memory()
        self.disk = self._megabytes(fields["MinTmpDiskNode"]) * self.nodes
        self.admin_comment = fields.get("AdminComment", "")

    @staticmethod
    def _megabytes(text):
        number, unit = re.fullmatch(r"([0-9.]+)([KMGT]?)", text).groups()
        return float(number) * {"": 1, "K": 1 / 1024, "M": 1, "G": 1024, "T": 1024 ** 2}[unit]

    def _memory(self):
        if "MinMemoryCPU" in self.fields:
            return self._megabytes(self.fields["MinMemoryCPU"]) * self.procs
        return self._megabytes(self.fields.get("MinMemoryNode", "0")) * self.nodes

    @property
    def is_over(self):
        return self.state in ("COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL",
                              "DEADLINE")

    def __repr__(self):
        return "Job %d %s %s priority %d" % (self.id, self.state, self.reason, self.priority)


class Row:
    """A line of sprio. sprio -l has the same columns, and since 24.05 two more."""

    FORMAT = "%i %r %u %Y %S %A %B %F %J %P %Q %N"
    NAMES = ["priority", "site", "age", "assoc", "fairshare", "jobsize", "partition_column", "qos",
             "nice"]

    def __init__(self, line):
        words = line.split()
        self.job, self.partition, self.user = int(words[0]), words[1], words[2]
        for name, word in zip(self.NAMES, words[3:12]):
            setattr(self, name, int(word))

    @property
    def total(self):
        """The sum of the columns."""
        return (self.site + self.age + self.assoc + self.fairshare + self.jobsize +
                self.partition_column + self.qos - self.nice)

    @property
    def components(self):
        return {"serv": self.age, "cred": self.assoc, "fs": self.fairshare, "res": self.jobsize,
                "targ": self.qos, "usage": self.partition_column}

    def __repr__(self):
        return "%d %s: %d = %s site %d nice %d" % (self.job, self.partition, self.priority,
                                                   self.components, self.site, self.nice)


class Cluster:
    """A cluster in a directory of its own. slurmctld logs at debug, so that cycles can be seen."""

    def __init__(self, maui_cfg="", slurm_conf="", nodes=2, cpus=4, memory=4000, plugin_dir=None,
                 slurmdbd=False, files=None):
        self.base = tempfile.mkdtemp(prefix="maui-live.", dir=clusters_directory())
        os.chmod(self.base, 0o755)
        self.dir = os.path.join(self.base, "c")
        self.maui_cfg = os.path.join(self.dir, "maui.cfg")
        self.state = os.path.join(self.dir, "state", "maui")
        self.log = os.path.join(self.dir, "log", "slurmctld.log")
        self.options = {"nodes": nodes, "cpus": cpus, "memory": memory}
        self.flags = ["--slurmdbd"] if slurmdbd else []
        user = os.environ.get("MAUI_SLURM_USER")
        owner = "SlurmUser=%s\n" % user if user and not slurmdbd else ""
        self.texts = {"maui.cfg": maui_cfg, "slurm.conf": SLURM_CONF + owner + slurm_conf}
        self.inside = None  # the environment of its commands, once it was up
        self.answering = None  # the process of slurmctld that has its first plan
        self.files = files or {}  # others of /etc/slurm: {name: text}
        self.environment = dict(os.environ)
        if plugin_dir:
            self.environment["MAUI_PLUGIN_DIR"] = plugin_dir
        self.kept_log = None

    # ---- its life ----

    def up(self, check=True):
        """Returns what minicluster said."""
        command = [MINICLUSTER, "up", self.dir,
                   "--users", " ".join("%s:%s" % item for item in USERS.items()), *self.flags]
        for name, value in self.options.items():
            command += ["--" + name, str(value)]
        options = {"maui.cfg": "--maui-cfg", "slurm.conf": "--slurm-conf"}
        for name, text in {**self.texts, **self.files}.items():
            option = options.get(name, "--conf")
            path = os.path.join(self.base, name)
            with open(path, "w", encoding="utf-8", errors="surrogateescape") as out:
                out.write(text)
            command += [option, path]
        result = subprocess.run(command, env=self.environment, stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        if check and result.returncode:
            raise RuntimeError("minicluster up: " + result.stdout)
        self._learn_environment()
        return result.stdout

    def _learn_environment(self):
        shell = 'eval "$("$1" env "$2")" && env -0'
        result = subprocess.run(["bash", "-c", shell, "env", MINICLUSTER, self.dir], check=True,
                                env=self.environment, capture_output=True)
        pairs = (item.split(b"=", 1) for item in result.stdout.split(b"\0") if b"=" in item)
        self.inside = {os.fsdecode(key): os.fsdecode(value) for key, value in pairs}
        for name in list(self.inside):
            if name.startswith(("SBATCH_", "SQUEUE_", "SPRIO_")):
                del self.inside[name]

    def down(self):
        self.minicluster("down")
        shutil.rmtree(self.base, ignore_errors=True)

    def minicluster(self, command, *arguments, check=True):
        result = subprocess.run([MINICLUSTER, command, self.dir, *arguments], text=True,
                                env=self.environment, stdin=subprocess.DEVNULL, timeout=120,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if check and result.returncode:
            raise AssertionError("minicluster %s: %s" % (command, result.stdout))
        return result

    def start(self, check=True):
        return self.minicluster("start", "slurmctld", check=check)

    def stop(self, kill=False):
        said = self.minicluster("stop", *(["--kill"] if kill else []), "slurmctld").stdout
        assert "killed" not in said, said  # it could not save its state

    def restart(self, kill=False):
        self.stop(kill)
        self.start()

    def daemon_pid(self, name="slurmctld"):
        """slurmctld's process id, or None when it does not run."""
        for line in self.minicluster("status", check=False).stdout.splitlines():
            words = line.split()
            if words[:2] == [name, "running"] and len(words) > 2:  # else it has just ended
                return int(words[2])
        return None

    def threads(self, name="slurmctld"):
        """The threads of a daemon, each with its name, the kernel's function in which it waits, the
        system call, and its processor time in ticks."""
        return self.threads_of(self.daemon_pid(name))

    @staticmethod
    def threads_of(pid):
        lines = []
        for task in glob.glob("/proc/%s/task/*" % pid) if pid else []:
            with contextlib.suppress(OSError):
                comm, wchan, syscall, stat = (
                    open(os.path.join(task, what), encoding="utf-8").read().strip()
                    for what in ("comm", "wchan", "syscall", "stat"))
                used = sum(int(ticks) for ticks in stat.rpartition(")")[2].split()[11:13])
                lines.append("%s %s %s used %d" % (comm, wchan, syscall, used))
        return lines

    def silent_nodes(self):
        """Nodes that slurmctld waits for, though their slurmd runs. None when it does not answer."""
        if not self.inside:
            return []
        try:
            said = self.run("sinfo", "-a", "-h", "-N", "-o", "%N %T", check=False, timeout=10).stdout
        except subprocess.TimeoutExpired:
            return []
        rows = {tuple(line.split()) for line in said.splitlines()}
        return sorted(row[0] for row in rows if row[1].endswith("*") or row[1] == "unknown")

    # ---- commands ----

    def run(self, *command, user=None, check=True, timeout=180):
        """A command in the cluster's environment, as one of its users (default: root)."""
        if user:
            command = ("setpriv", "--reuid=" + user, "--regid=" + USERS[user], "--init-groups",
                       *command)
        result = subprocess.run(command, env=self.inside, cwd="/tmp", text=True,
                                errors="replace", timeout=timeout,
                                stdin=subprocess.DEVNULL, capture_output=True)
        if check and result.returncode:
            raise AssertionError("%s: exit status %d: %s%s" % (
                " ".join(command), result.returncode, result.stdout, result.stderr))
        return result

    def scontrol(self, *arguments, **keywords):
        return self.run("scontrol", *arguments, **keywords)

    def maui(self, verb, *arguments, **keywords):
        """Runs setres, releaseres or showres once the first plan exists."""
        program = os.path.join(build_dir(), "maui")
        with open(os.path.join(self.dir, "run", "slurmctld.pid"), encoding="ascii") as pid:
            daemon = pid.read()
        if daemon != self.answering:
            wait_until(lambda: self.run(program, "showres", check=False).returncode != 3,
                       "an answer to showres")
            self.answering = daemon
        return self.run(program, verb, *arguments, **keywords)

    def setres(self, *arguments):
        """The name of the reservation that setres made."""
        return json.loads(self.maui("setres", "--json", *arguments).stdout)["name"]

    def reservations(self):
        """{name: fields} of scontrol show reservation."""
        text = self.scontrol("show", "reservation", "-o").stdout
        rows = (parse_fields(line) for line in text.splitlines() if "ReservationName" in line)
        return {row["ReservationName"]: row for row in rows}

    def sacctmgr(self, *arguments, **keywords):
        """Changes slurmdbd, which tells slurmctld at once."""
        return self.run("sacctmgr", "-i", "-n", "-P", *arguments, **keywords)

    def update(self, job, *changes, **keywords):
        return self.scontrol("update", "jobid=%s" % job, *changes, **keywords)

    def sbatch_command(self, *options, user="steve", command="sleep 600"):
        """Submitting as root for a user spares a process; job_submit sees the user."""
        return ["sbatch", "--parsable", "--chdir=/tmp", "--output=/dev/null",
                "--uid=" + user, "--gid=" + USERS[user], *options, "--wrap=" + command]

    def sbatch(self, *options, user="steve", command="sleep 600"):
        """The id of a new job."""
        return int(self.run(*self.sbatch_command(*options, user=user, command=command))
                   .stdout.split(";")[0])

    def cancel_all(self):
        """Ends all jobs and waits until they are over."""
        # by the array: slurmctld does not find a task under the id it got for aftercorr
        ids = {str(job.array_id) for job in self.jobs().values() if not job.is_over}
        if ids:
            self.run("scancel", *ids, check=False)
        wait_until(lambda: not self.squeue(), "all jobs gone")

    # ---- what it shows ----

    def jobs(self):
        """{id: Job} of every job record there is, ended ones included."""
        text = self.scontrol("show", "job", "-o", "--all").stdout
        if "No jobs" in text:
            return {}
        # names and comments may have line breaks
        jobs = (Job(parse_fields(job)) for job in re.split(r"\n(?=JobId=)", text) if job.strip())
        return {job.id: job for job in jobs}

    def job(self, job):
        lines = self.scontrol("show", "job", "-o", str(job)).stdout.splitlines()
        return Job(parse_fields(lines[0]))

    def squeue(self, *options):
        """{job id: priority} of pending and running jobs."""
        text = self.run("squeue", "-a", "-h", "-o", "%A %Q", *options).stdout
        return {int(line.split()[0]): int(line.split()[1]) for line in text.splitlines()}

    def sprio(self, *options, user=None):
        """The rows of sprio, in its order."""
        lines = self.run("sprio", "-h", "-o", Row.FORMAT, *options, user=user).stdout.splitlines()
        return [Row(line) for line in lines if line.strip()]

    def row(self, job, partition=None):
        rows = [row for row in self.sprio("-j", str(job))
                if row.job == job and partition in (None, row.partition)]
        assert len(rows) == 1, "rows of job %d: %s" % (job, rows)
        return rows[0]

    def totals(self):
        """Processors, memory and disk (MB) of all nodes together."""
        lines = self.scontrol("show", "node", "-o").stdout.splitlines()
        nodes = [parse_fields(line) for line in lines if line.strip()]
        return {"procs": sum(int(node["CPUTot"]) for node in nodes),
                "mem": sum(int(node["RealMemory"]) for node in nodes),
                "disk": sum(int(node["TmpDisk"]) for node in nodes)}

    # ---- waiting ----

    def wait_state(self, job, *states):
        def look():
            seen = self.job(job)
            assert seen.state in states, seen
            return seen
        return wait_until(look, "job %s %s" % (job, "/".join(states)))

    def wait_over(self, *jobs):
        """Waits until the jobs have ended and left their nodes."""
        def look():
            seen = self.jobs()
            left = [seen[job] for job in jobs if not seen[job].is_over]
            assert not left, left
            return True
        return wait_until(look, "jobs over", seconds=120)

    def log_size(self):
        return os.path.getsize(self.log) if os.path.exists(self.log) else 0

    def log_since(self, mark=0):
        """slurmctld's log from a byte on."""
        if not os.path.exists(self.log):
            return ""
        with open(self.log, encoding="utf-8", errors="replace") as log:
            log.seek(mark)
            return log.read()

    def wait_log(self, pattern, mark=0):
        return wait_until(lambda: re.search(pattern, self.log_since(mark)), "log: " + pattern)

    def wait_cycle(self):
        """Waits for the end of a cycle that began after this call: the second cycle to end."""
        mark = self.log_size()
        wait_until(lambda: len(CYCLE.findall(self.log_since(mark))) >= 2, "two cycles")

    def wait_saved(self, name="state.json"):
        """Waits until the file in the state directory is written again."""
        path = os.path.join(self.state, name)
        before = os.stat(path).st_mtime_ns if os.path.exists(path) else None
        wait_until(lambda: os.path.exists(path) and os.stat(path).st_mtime_ns != before,
                   name + " saved", seconds=DEADLINE_S + 30)

    def wait_jobs_saved(self, job):
        """Waits until slurmctld's file of jobs has all that slurmctld knew at this call. Changes the
        job, and looks for the change in the file: the time of a file may be some milliseconds older
        than the moment of its writing, and slurmctld may save within these, and not again."""
        path = os.path.join(os.path.dirname(self.state), "job_state")
        comment = "saved.%f" % time.time()
        self.update(job, "admincomment=" + comment)

        def look():
            with contextlib.suppress(FileNotFoundError), open(path, "rb") as file:
                return comment.encode() in file.read()
            return False
        wait_until(look, "slurmctld's own state saved")

    # ---- maui.cfg ----

    def write_maui_cfg(self, text):
        mode = "wb" if isinstance(text, bytes) else "w"
        with open(self.maui_cfg + ".new", mode) as out:
            out.write(text)
        os.rename(self.maui_cfg + ".new", self.maui_cfg)

    def ask_reconfigure(self):
        """Since 25.05 slurmctld now and then ends the connection instead of an answer. That of
        24.11.5 rarely hangs: its main thread waits without end for its connections to be quiet
        (conmgr_quiesce). A new one reads the files as well."""
        try:
            self.scontrol("reconfigure", check=SLURM < (25, 5), timeout=RECONFIGURED_S)
        except subprocess.TimeoutExpired:
            if not HANGS_AT_RECONFIGURE:
                raise
            print("slurmctld hangs at a reconfigure:", *self.threads(), sep="\n")
            self.restart(kill=True)

    def reconfigure(self, text=None):
        """Reconfigures with another maui.cfg; returns the log since, once the file is read and a
        cycle has run."""
        if text is not None:
            self.write_maui_cfg(text)
        mark, nodes = self.log_size(), self._responding()
        self.ask_reconfigure()
        read = r"(slurm-maui: \S+ accepted|" + KEPT + ")"
        self.wait_log(read + "(.|\n)*" + CYCLE.pattern, mark)
        if SLURM >= (23, 11):
            self._wait_registered(nodes, mark)
        return self.log_since(mark)

    def _responding(self):
        lines = self.run("sinfo", "-h", "-N", "-o", "%N %T", check=False).stdout.splitlines()
        return {line.split()[0] for line in lines if "*" not in line}

    def _wait_registered(self, nodes, mark):
        """Since 23.11 the daemons start again at a reconfigure: waits until the nodes have come
        back, which would put one that a test sets down back into service. Not for long: a test may
        have ended a node's daemon."""
        end = time.monotonic() + 3
        while time.monotonic() < end:
            came = set(re.findall(r"node (\S+) registered with", self.log_since(mark)))
            if came >= nodes:
                return
            time.sleep(0.05)

    # ---- the nodes ----

    def drain(self):
        """Drains all nodes: jobs stay pending from now on."""
        self.scontrol("update", "nodename=ALL", "state=drain", "reason=test")

    def undrain(self):
        def look():
            states = self.run("sinfo", "-h", "-N", "-o", "%N %T").stdout
            drained = [line.split()[0] for line in states.splitlines() if "drain" in line]
            for node in drained:
                self.scontrol("update", "nodename=" + node, "state=resume", check=False)
            return not drained
        wait_until(look, "nodes in service")

    # ---- slurm.conf ----

    def edit_slurm_conf(self, **changes):
        """Sets keys (None: takes the line out). A restart or reconfigure makes it known."""
        path = os.path.join(self.dir, "slurm.conf")
        with open(path, encoding="utf-8") as conf:
            lines = [line for line in conf
                     if line.split("=")[0] not in changes]
        lines += ["%s=%s\n" % item for item in changes.items() if item[1] is not None]
        with open(path + ".new", "w", encoding="utf-8") as out:
            out.writelines(lines)
        os.chmod(path + ".new", 0o644)
        os.rename(path + ".new", path)


def plugin_dir():
    """Where the plugins under test are, as minicluster finds them."""
    return os.environ.get("MAUI_PLUGIN_DIR") or os.path.join(TOP, "build", "inst", "lib", "slurm")


def build_dir():
    """The build tree they came from; MAUI_BUILD_DIR names another one."""
    return os.environ.get("MAUI_BUILD_DIR") or os.path.join(TOP, "build")
