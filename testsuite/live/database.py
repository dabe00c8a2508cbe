# SPDX-License-Identifier: GPL-2.0-or-later
"""A cluster with a slurmdbd on a MariaDB, for tests that skip where there is none, and what
slurmctld counts in it."""

import re
import shutil

import pytest


def with_database(clusters, *arguments, **keywords):
    """The cluster that `clusters` makes."""
    for program in ("mariadbd", "slurmdbd"):
        if not shutil.which(program):
            pytest.skip("needs Debian's mariadb-server-core and slurmdbd")
    try:
        return clusters(*arguments, slurmdbd=True, **keywords)
    except RuntimeError as failure:
        if "mysql_query failed: 5027" in str(failure):
            pytest.skip("slurmdbd does not start with this libmariadb (5027, 11.8.9 has it)")
        if "cannot create accounting_storage context for accounting_storage/mysql" in str(failure):
            pytest.skip("this slurmdbd was built without libmariadb")
        raise


def run_minutes(cluster, *options):
    """Processor-minutes of GrpTRESRunMins that slurmctld counts as used, of each record shown."""
    text = cluster.scontrol("-o", "show", "assoc_mgr", *options).stdout
    return [int(used) for used in re.findall(r"GrpTRESRunMins=cpu=[^,(]*\((\d+)\)", text)]
