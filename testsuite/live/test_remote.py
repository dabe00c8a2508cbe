# SPDX-License-Identifier: GPL-2.0-or-later
"""Commands on a login node: a munged and a slurm.conf of its own, no query socket. Slurm's own commands
there, with the client part of slurm-maui and without anything of it.

Rules: CMD-15.
"""

import contextlib
import ctypes
import json
import os
import re
import shutil
import socket
import subprocess
import time

import pytest
from cluster import SLURM, wait_until
from reservations import install
from sanitizers import skip_with_sanitizers

HOST, PORT = "127.0.0.1", 16820
CONF = """
SchedulerType=sched/maui
SchedulerParameters=maui_port=%d
""" % PORT


class LoginNode:
    def __init__(self, cluster, name, key=None):
        skip_with_sanitizers("libnss-wrapper cannot look up hosts: ASan refuses its dlopen()")
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

    def edit(self, key, *values):
        """Replaces the lines of a key in this host's slurm.conf."""
        path = os.path.join(self.dir, "slurm.conf")
        with open(path, encoding="utf-8") as conf:
            lines = [line for line in conf if line.split("=")[0] != key]
        lines[:0] = ["%s=%s\n" % (key, value) for value in values if value]
        with open(path, "w", encoding="utf-8") as out:
            out.writelines(lines)

    def end(self):
        self.munged.terminate()
        self.munged.wait(10)


def run_in(login, *command, user=None, network=None):
    return run_slurm_in(login, os.path.join(login.cluster.base, "maui"), *command, user=user,
                        network=network)


def run_slurm_in(login, *command, user=None, network=None):
    cluster = login.cluster
    words = ["ip", "netns", "exec", network] if network else []
    words += ["setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups"] if user else []
    words += ["env", "SLURM_CONF=" + os.path.join(login.dir, "slurm.conf"), *command]
    return subprocess.run(words, env=cluster.inside, cwd="/tmp", text=True, timeout=180,
                          stdin=subprocess.DEVNULL, capture_output=True)


def test_a_login_node_asks_over_tcp(own_cluster):
    cluster = install(own_cluster("RMPOLLINTERVAL 1\n", CONF))
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
        assert refused.returncode == 1 and "munge" in refused.stderr, refused.stderr

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


# Slurm's commands; each ends with 0.
COMMANDS = ("squeue", "squeue --start", "sinfo", "sprio -l", "scontrol show jobs",
            "scontrol show nodes", "scontrol show partitions", "scontrol show reservations",
            "scontrol show config", "scontrol ping", "sdiag", "sacctmgr --help",
            "sbatch --output=/dev/null --wrap=true", "srun --help")
# Loads the plugin that PriorityType names, and dies without it.
LOADS_PRIORITY = SLURM >= (24, 11)


def plugin_dirs(cluster):
    """The directories in PluginDir: ours, Slurm's."""
    with open(os.path.join(cluster.dir, "slurm.conf"), encoding="utf-8") as conf:
        ours, slurms = re.search("(?m)^PluginDir=(.*):(.*)", conf.read()).groups()
    return ours, slurms


def run_all(login):
    for command in COMMANDS:
        said = run_slurm_in(login, *command.split())
        assert said.returncode == 0 and "lugin" not in said.stderr, (command, said)


def test_slurms_commands_on_a_login_node(own_cluster):
    """Only sshare of Slurm's commands needs slurm-maui: since 24.11 priority_maui.so."""
    cluster = install(own_cluster("RMPOLLINTERVAL 1\n", CONF))
    ours, slurms = plugin_dirs(cluster)
    cluster.sbatch("-t10")
    with contextlib.ExitStack() as stack:
        client = LoginNode(cluster, "client")
        stack.callback(client.end)
        parts = os.path.join(client.dir, "plugins")
        os.mkdir(parts)
        shutil.copy(os.path.join(ours, "priority_maui.so"), parts)
        client.edit("PluginDir", parts + ":" + slurms)
        run_all(client)
        assert run_slurm_in(client, "sshare", "--help").returncode == 0

        bare = LoginNode(cluster, "bare")
        stack.callback(bare.end)
        bare.edit("PluginDir", slurms)
        run_all(bare)
        said = run_slurm_in(bare, "sshare", "--help")
        assert (said.returncode != 0) == LOADS_PRIORITY, said
        bare.edit("PriorityType", "priority/basic")
        assert run_slurm_in(bare, "sshare", "--help").returncode == 0


def ip(*command):
    subprocess.run(("ip",) + command, check=True, capture_output=True, text=True)


def enter(path):
    """This process and its children go on in that network namespace."""
    with open(path, encoding="ascii") as file:
        if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), 0):
            raise OSError(ctypes.get_errno(), path)


class Networks:
    """Two network namespaces with a link between them: this process goes on in that of slurmctld,
    so that no port is open on the machine itself."""
    here, there = "198.18.0.1", "198.18.0.2"
    here6, there6 = "fd00:6d61:7569::1", "fd00:6d61:7569::2"

    def __init__(self, stack):
        self.login = "maui-login-%d" % os.getpid()
        head = "maui-head-%d" % os.getpid()
        for name in (head, self.login):
            ip("netns", "add", name)
            stack.callback(ip, "netns", "delete", name)
            ip("-n", name, "link", "set", "lo", "up")
        ip("-n", head, "link", "add", "link0", "type", "veth", "peer", "name", "link0",
           "netns", self.login)
        for name, address, address6 in ((head, self.here, self.here6),
                                        (self.login, self.there, self.there6)):
            ip("-n", name, "address", "add", address + "/30", "dev", "link0")
            ip("-n", name, "address", "add", address6 + "/64", "dev", "link0", "nodad")
            ip("-n", name, "link", "set", "link0", "up")
        before = os.open("/proc/self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        stack.callback(os.close, before)
        enter("/run/netns/" + head)
        stack.callback(enter, "/proc/self/fd/%d" % before)


def has_networks():
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        with contextlib.ExitStack() as stack:
            Networks(stack)
            return True
    return False


@pytest.mark.skipif(not has_networks(), reason="needs network namespaces")
def test_a_login_node_of_another_network(own_cluster):
    """SlurmctldAddr names the address; the port is not open on any other, loopback included."""
    with contextlib.ExitStack() as stack:
        networks = Networks(stack)
        cluster = install(own_cluster("RMPOLLINTERVAL 1\n",
                                      CONF + "CommunicationParameters=\n"
                                      "SlurmctldAddr=%s\n" % networks.here))
        cluster.wait_log("answered on port %d of %s" % (PORT, networks.here))
        login = LoginNode(cluster, "login")
        stack.callback(login.end)
        found = run_in(login, "showres", "--json", network=networks.login)
        assert found.returncode == 0, found.stderr
        with pytest.raises(OSError):
            socket.create_connection((HOST, PORT), timeout=5)

        # a controller that does not answer is passed over, here or behind a dead address
        for hosts in ("nobody(192.0.2.1)", "away(%s)" % HOST):
            login.edit("SlurmctldAddr", None)
            login.edit("SlurmctldHost", hosts, "localhost(%s)" % networks.here)
            found = run_in(login, "showres", network=networks.login)
            assert found.returncode == 0, found.stderr


@pytest.mark.skipif(not has_networks(), reason="needs network namespaces")
def test_a_login_node_over_ipv6(own_cluster):
    with contextlib.ExitStack() as stack:
        networks = Networks(stack)
        cluster = install(own_cluster("RMPOLLINTERVAL 1\n",
                                      CONF + "CommunicationParameters=EnableIPv6\n"
                                      "SlurmctldAddr=%s\n" % networks.here6))
        cluster.wait_log("answered on port %d of %s" % (PORT, networks.here6))
        login = LoginNode(cluster, "login")
        stack.callback(login.end)
        found = run_in(login, "showres", "--json", network=networks.login)
        assert found.returncode == 0, found.stderr


# No cycle asks for a second try.
IDLE = "RMPOLLINTERVAL 00:05:00\n"


def test_a_port_that_is_free_later(own_cluster):
    """So, too, a virtual address, which moves to the controller that has just taken over."""
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind((HOST, PORT))
        other.listen()
        cluster = install(own_cluster(IDLE, CONF))
        cluster.wait_log("cannot listen on port %d of %s" % (PORT, HOST))
        time.sleep(12)
        assert cluster.log_since().count("cannot listen on port") == 1
    wait_until(lambda: "answered on port %d" % PORT in cluster.log_since(), "the port is open", 20)


def takes(address):
    with contextlib.suppress(OSError):
        with socket.create_connection((address, PORT), timeout=5) as client:
            return client.recv(100).startswith(b'{"version":1,"challenge":')
    return False


def test_an_address_that_is_free_later(own_cluster):
    """A name with two addresses, as of a virtual one. The port stays open at the other one."""
    first, later = "127.0.0.2", "127.0.0.3"
    cluster = own_cluster(IDLE, CONF + "CommunicationParameters=\nSlurmctldAddr=head\n", up=False)
    hosts = os.path.join(cluster.base, "hosts")
    with open(hosts, "w", encoding="ascii") as out:
        out.write("127.0.0.1 localhost %s\n%s head\n%s head\n"
                  % (os.uname().nodename, first, later))
    cluster.environment.update(NSS_WRAPPER_HOSTS=hosts, LD_PRELOAD="libnss_wrapper.so")
    failure = "cannot listen on port %d of %s: Address already in use" % (PORT, later)
    with contextlib.ExitStack() as stack:
        with socket.socket() as other:
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            other.bind((later, PORT))
            other.listen()
            cluster.up()
            install(cluster)
            wait_until(lambda: takes(first), "the port is open")
            before = stack.enter_context(socket.create_connection((first, PORT)))
            time.sleep(12)
        wait_until(lambda: takes(later), "the port is open at the other address", 60)
        assert before.recv(100) and takes(first)
    assert cluster.log_since().count(failure) == 1
