# SPDX-License-Identifier: GPL-2.0-or-later
"""Commands on a login node: a munged and a slurm.conf of its own, no query socket.

Rules: CMD-15.
"""

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess

from cluster import build_dir, wait_until

HOST, PORT = "127.0.0.1", 16820
CONF = """
SchedulerType=sched/maui
SchedulerParameters=maui_port=%d
""" % PORT


class LoginNode:
    def __init__(self, cluster, name, key=None):
        self.cluster = cluster
        self.dir = os.path.join(cluster.dir, name)
        os.mkdir(self.dir, 0o755)
        self.socket = os.path.join(self.dir, "socket")
        key_file = os.path.join(self.dir, "key")
        if key:
            with open(os.open(key_file, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as out:
                out.write(key)
        else:
            shutil.copy(os.path.join(cluster.dir, "munge", "key"), key_file)
        self.munged = subprocess.Popen(
            ["munged", "--foreground", "--key-file=" + key_file, "--socket=" + self.socket,
             "--pid-file=" + os.path.join(self.dir, "pid"),
             "--seed-file=" + os.path.join(self.dir, "seed")],
            env=cluster.inside, stdin=subprocess.DEVNULL)
        wait_until(lambda: os.path.exists(self.socket), "munged")
        self._write_conf()

    def _write_conf(self):
        """slurm.conf as the cluster's, but paths of slurmctld's host do not exist here."""
        with open(os.path.join(self.cluster.dir, "slurm.conf"), encoding="utf-8") as conf:
            text = conf.read()
        for key, value in (("SlurmctldPidFile", "/nowhere/pid"), ("StateSaveLocation", "/nowhere"),
                           ("AuthInfo", "socket=" + self.socket)):
            text = re.sub("(?m)^%s=.*" % key, "%s=%s" % (key, value), text)
        with open(os.path.join(self.dir, "slurm.conf"), "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(os.path.join(self.dir, "slurm.conf"), 0o644)

    def end(self):
        self.munged.terminate()
        self.munged.wait(10)


def run_in(login, *command, user=None):
    cluster = login.cluster
    words = ["setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups"] if user else []
    words += ["env", "SLURM_CONF=" + os.path.join(login.dir, "slurm.conf"),
              os.path.join(build_dir(), "maui"), *command]
    return subprocess.run(words, env=cluster.inside, cwd="/tmp", text=True, timeout=60,
                          stdin=subprocess.DEVNULL, capture_output=True)


def test_a_login_node_asks_over_tcp(own_cluster):
    cluster = own_cluster("RMPOLLINTERVAL 1\n", CONF)
    cluster.setres("-n", "fix", "TASKS==1")
    cluster.wait_log("loopback address here, so no other host reaches it")
    with contextlib.ExitStack() as stack:
        login = LoginNode(cluster, "login")
        stack.callback(login.end)
        foreign = LoginNode(cluster, "foreign", key=os.urandom(128))
        stack.callback(foreign.end)

        # the same answer as on slurmctld's host
        found = run_in(login, "showres", "--json")
        assert found.returncode == 0, found.stderr
        assert "fix.1" in json.dumps(json.loads(found.stdout))
        # root changes something, a user may not
        assert run_in(login, "setres", "-n", "far", "TASKS==1").returncode == 0
        assert run_in(login, "releaseres", "far.1", user="1001").returncode == 4
        assert run_in(login, "releaseres", "far.1").returncode == 0

        # a host with another key is refused, and says why
        refused = run_in(foreign, "showres")
        assert refused.returncode == 4 and "munge" in refused.stderr, refused.stderr

        # silent and noisy clients delay neither slurmctld's host nor the login node for long
        silent = [stack.enter_context(socket.create_connection((HOST, PORT))) for _ in range(40)]
        with contextlib.suppress(OSError):
            silent[0].sendall(b"x" * 1000000)
        assert cluster.run("squeue").returncode == 0
        assert cluster.maui("showres").returncode == 0
        assert run_in(login, "showres").returncode == 0

        # without slurmctld the command ends with 3
        cluster.stop()
        assert run_in(login, "showres").returncode == 3
