# SPDX-License-Identifier: GPL-2.0-or-later
"""job_submit/maui: --reservation=NAME where NAME is a reservation of maui.cfg's."""

import datetime
import json
import os
import re
import time

import pytest
from cluster import SLURM, parse_fields, wait_until
from starts import CONF, nodes_of, running, wait_reason

CFG = """
RMPOLLINTERVAL 1
SRCFG[biz] HOSTLIST=n1 PERIOD=DAY DEPTH=2 USERLIST=steve
SRCFG[night] HOSTLIST=n2 PERIOD=DAY
SRCFG[always] HOSTLIST=n4 PERIOD=INFINITY USERLIST=nobody
"""


@pytest.fixture(scope="module")
def whole(clusters):
    return clusters(CFG, CONF, nodes=4)


def held(cluster, *options):
    """Submits a job that stays pending; returns its record."""
    job = cluster.sbatch("-t1", "-H", *options)
    return job, cluster.job(job)


def kept(cluster, job):
    """The job in the state file, which slurmctld writes when it ends."""
    cluster.restart()
    with open(os.path.join(cluster.state, "state.json"), encoding="utf-8") as text:
        jobs = {one["id"]: one for one in json.load(text)["jobs"]}
    return jobs.get(job, {}).get("advres")


@pytest.mark.parametrize("name", ["biz", "biz,night"])
def test_a_name_of_our_reservation_is_kept(cluster, name):
    job, seen = held(cluster, "--reservation=" + name)
    assert seen.admin_comment == "maui:advres=" + name
    assert seen.fields.get("Reservation", "(null)") == "(null)"


def test_a_number_means_one_instance(cluster):
    """A number means another instance tomorrow: the job keeps the day, and waits for that
    instance."""
    today = datetime.date.today()
    days = [(today + datetime.timedelta(n)).strftime("%Y%m%d") for n in range(-1, 3)]
    for name, said in (("maui.biz." + days[2], None), ("biz.1", "maui.biz." + days[2]),
                       ("night,biz.1", "night,maui.biz." + days[2])):
        _, seen = held(cluster, "--reservation=" + name)
        if datetime.date.today() == today:
            assert seen.admin_comment == "maui:advres=" + (said or name)
    for name in ("maui.biz." + days[0], "biz.7", "biz.99999999999", "maui.biz.20991231", "always.1",
                 "biz,biz.7", "biz.7,nosuch"):
        refused = cluster.run(*cluster.sbatch_command("-t1", "--reservation=" + name), check=False)
        assert refused.returncode and "no such instance" in refused.stderr, (name, refused.stderr)
    _, seen = held(cluster, "--reservation=maui.always.0")
    assert seen.admin_comment == "maui:advres=maui.always.0"
    job, _ = held(cluster, "--reservation=biz")
    refused = cluster.update(job, "reservation=biz.7", check=False)
    assert refused.returncode and cluster.job(job).admin_comment == "maui:advres=biz"
    waits = cluster.sbatch("-t1", "-n1", "--reservation=maui.biz." + days[2])
    if datetime.date.today() == today:
        wait_reason(cluster, waits, "^Reservation biz from .*: not begun")


def test_a_reservation_and_a_qos_are_both_kept(cluster):
    _, seen = held(cluster, "--reservation=biz,night", "--qos=high")
    assert sorted(seen.admin_comment.split(";")) == ["maui:advres=biz,night", "maui:qos=high"]


@pytest.mark.parametrize("name", ["nosuch", "bi", "biz.x", "maui.nosuch.20261122", "biz,nosuch",
                                  "maui.biz", "maui.biz.1", "biz.20991231", "maui.always.20991231",
                                  "nosuch,biz.7", "biz,,nosuch,nosuch"])
def test_an_unknown_name_is_refused(cluster, name):
    refused = cluster.run(*cluster.sbatch_command("-t1", "--reservation=" + name), check=False)
    assert refused.returncode and "no reservation of that name: see showres" in refused.stderr


def test_a_megabyte_of_names_does_not_stall_slurmctld(cluster, tmp_path):
    """slurmctld refuses the request for its length, after job_submit has seen it."""
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n#SBATCH -t1 --reservation=%s\n" % ("a," * 1500000))
    tmp_path.chmod(0o755)
    began = time.monotonic()
    refused = cluster.run("sbatch", str(script), check=False)
    assert refused.returncode and "too long" in refused.stderr, refused.stderr[-300:]
    assert time.monotonic() - began < 10, "a walk for each name would take a minute"


def test_slurms_reservations_work(cluster):
    cluster.scontrol("create", "reservationname=hers", "users=steve", "duration=60",
                     "starttime=now", "nodes=n2")
    _, seen = held(cluster, "--reservation=hers")
    assert seen.fields["Reservation"] == "hers" and not seen.admin_comment
    refused = cluster.run(*cluster.sbatch_command("-t1", "--reservation=hers,biz"), check=False)
    assert "cannot be named together" in refused.stderr
    cluster.cancel_all()
    cluster.scontrol("delete", "reservationname=hers")


def test_a_slurm_reservation_named_like_an_instance(cluster):
    """A reservation that scontrol made can be named, although SRCFG[biz] has an instance of this
    name."""
    cluster.scontrol("create", "reservationname=biz.1", "users=steve", "duration=60",
                     "starttime=now", "nodes=n3")
    _, seen = held(cluster, "--reservation=biz.1")
    assert seen.fields["Reservation"] == "biz.1" and not seen.admin_comment
    _, seen = held(cluster, "--reservation=biz.0")
    assert re.fullmatch(r"maui:advres=maui\.biz\.\d{8}", seen.admin_comment)
    cluster.cancel_all()
    cluster.scontrol("delete", "reservationname=biz.1")


def test_updates(cluster):
    cluster.scontrol("create", "reservationname=hers", "users=steve", "duration=60",
                     "starttime=now", "nodes=n2")
    job, _ = held(cluster)
    for user in (None, "steve"):
        cluster.update(job, "reservation=biz", user=user)
        assert cluster.job(job).admin_comment == "maui:advres=biz"
        cluster.update(job, "reservation=hers", user=user)
        seen = cluster.job(job)
        assert seen.admin_comment == "maui:advres=" and seen.fields["Reservation"] == "hers"
        cluster.update(job, "reservation=night", user=user)
        seen = cluster.job(job)
        assert seen.admin_comment == "maui:advres=night"
        assert seen.fields.get("Reservation", "(null)") == "(null)"
        cluster.update(job, "reservation=", user=user)
        assert cluster.job(job).admin_comment == "maui:advres="
    refused = cluster.update(job, "reservation=biz", user="amy", check=False)
    assert refused.returncode and cluster.job(job).admin_comment == "maui:advres="
    cluster.update(job, "reservation=biz")
    refused = cluster.update(job, "reservation=nosuch", check=False)
    assert refused.returncode and cluster.job(job).admin_comment == "maui:advres=biz"
    cluster.cancel_all()
    cluster.scontrol("delete", "reservationname=hers")


def test_roots_comment_keeps_what_each_record_of_an_array_has(cluster):
    """The first record's reservation and QOS are not those of the others."""
    array = cluster.sbatch("-t3", "-H", "--array=0-2")
    for task, change in ((0, "reservation=biz"), (1, "qos=high")):
        cluster.update("%d_%d" % (array, task), change)
    cluster.update("%d_2" % array, "timelimit=2")

    def comments():
        out = cluster.run("scontrol", "-o", "show", "job", str(array)).stdout
        return {line["ArrayTaskId"]: line.get("AdminComment") for line in map(parse_fields, out.splitlines())}
    assert comments() == {"0": "maui:advres=biz", "1": "maui:qos=high", "2": None}
    cluster.update(array, "admincomment=site")
    assert comments() == {"0": "site;maui:advres=biz", "1": "site;maui:qos=high", "2": "site"}
    cluster.update(array, "admincomment=both", "reservation=biz")
    assert comments() == {"0": "both;maui:advres=biz", "1": "both;maui:qos=high;maui:advres=biz",
                          "2": "both;maui:advres=biz"}
    cluster.update("%d_2" % array, "reservation=")
    cluster.update(array, "admincomment=more", "qos=low")
    assert comments() == {"0": "more;maui:advres=biz;maui:qos=low", "1": "more;maui:qos=low;maui:advres=biz",
                          "2": "more;maui:advres=;maui:qos=low"}



@pytest.mark.parametrize("user", ["steve", None])
def test_an_update_is_for_each_record_of_an_array(cluster, user):
    """slurmctld asks for each record with the same request."""
    array = cluster.sbatch("-t3", "-H", "--array=0-3")

    def comments():
        jobs = [job for job in cluster.jobs().values() if job.array_id == array]
        return {job.fields["ArrayTaskId"]: job.admin_comment for job in jobs}
    for task in (1, 2):
        cluster.update("%d_%d" % (array, task), "timelimit=%d" % task)
    cluster.update("%d_1" % array, "admincomment=site")
    assert sorted(comments()) == ["0,3", "1", "2"]
    cluster.update(array, "reservation=biz", user=user)
    assert comments() == {"0,3": "maui:advres=biz", "1": "site;maui:advres=biz",
                          "2": "maui:advres=biz"}
    cluster.update(array, "reservation=", user=user)
    assert comments() == {"0,3": "maui:advres=", "1": "site;maui:advres=", "2": "maui:advres="}


def test_an_operators_comment_does_not_remove_the_reservation(cluster):
    job, _ = held(cluster, "--reservation=biz")
    cluster.update(job, "admincomment=watched")
    assert cluster.job(job).admin_comment == "watched;maui:advres=biz"


def test_the_reservation_outlives_the_comment_and_a_restart(cluster):
    job, _ = held(cluster, "--reservation=biz")
    cluster.wait_cycle()
    assert kept(cluster, job) == "biz"
    assert kept(cluster, job) == "biz"
    cluster.update(job, "reservation=")
    cluster.wait_cycle()
    assert kept(cluster, job) is None


def test_a_signal_does_not_open_a_reservation(cluster):
    """Slurm 22.05 admits a job to every reservation when it asks for a signal at the begin of a
    reservation; Slurm 24.11.5 refuses the signal unless Slurm itself preempts."""
    cluster.scontrol("create", "reservationname=hers", "users=amy", "duration=60",
                     "starttime=now", "nodes=n[1-4]", "flags=flex,overlap,ignore_jobs")
    signal = "not available" if SLURM < (24, 11, 5) else "Preemption is required but is disabled"
    for options, why in ([], "not available"), (["--signal=R:USR1@0"], signal):
        said = cluster.run(*cluster.sbatch_command("-t1", "--test-only", *options), check=False)
        assert said.returncode and why in said.stderr, (options, said)
    cluster.scontrol("delete", "reservationname=hers")


def test_a_reservation_of_setres(cluster):
    """Jobs may name the reservation as soon as it is made, after a restart, and until it is
    released; without its number the name means nothing."""
    name = cluster.setres("-n", "own", "-u", "steve", "-d", "1:00:00", "n3")
    job = cluster.sbatch("-t1", "-n1", "--reservation=" + name)
    running(cluster, job)
    assert nodes_of(cluster, job) == ["n3"]
    assert cluster.job(job).admin_comment == "maui:advres=" + name
    _, seen = held(cluster, "--reservation=biz,own.1")
    assert seen.admin_comment == "maui:advres=biz,own.1"
    refused = cluster.run(*cluster.sbatch_command("-t1", "--reservation=own"), check=False)
    assert refused.returncode and "no reservation of that name: see showres" in refused.stderr
    cluster.scontrol("create", "reservationname=own", "users=steve", "duration=60",
                     "starttime=now", "nodes=n2")
    assert held(cluster, "--reservation=own")[1].fields["Reservation"] == "own"
    cluster.cancel_all()
    cluster.scontrol("delete", "reservationname=own")
    cluster.restart()
    amys = cluster.sbatch("-t1", "-n1", "--reservation=" + name, user="amy")
    wait_reason(cluster, amys, re.escape(name))  # not let in
    cluster.maui("releaseres", name)
    wait_reason(cluster, amys, re.escape(name) + ": this reservation does not exist")
    cluster.update(amys, "reservation=")
    running(cluster, amys)
    refused = cluster.run(*cluster.sbatch_command("-t1", "--reservation=" + name), check=False)
    assert refused.returncode and "eservation" in refused.stderr, refused.stderr
    name = cluster.setres("-n", "short", "-u", "steve", "-d", "2", "n3")

    def is_refused():
        command = cluster.sbatch_command("-t1", "-H", "--reservation=" + name)
        return cluster.run(*command, check=False).returncode
    wait_until(is_refused, "its name forgotten at its end")


def test_the_reason_names_the_covering_reservation(cluster):
    """The reason names the reservation that covers the nodes, and does not say that the
    reservation has none."""
    cluster.scontrol("create", "reservationname=maint", "users=root", "duration=60",
                     "starttime=now", "nodes=n1", "flags=maint,ignore_jobs")
    job = cluster.sbatch("-t1", "-n1", "--reservation=biz", user="steve")
    wait_reason(cluster, job, "^Reservation maint until .*: a Slurm reservation covers the requested nodes")
    cluster.scontrol("delete", "reservationname=maint")
    running(cluster, job)
