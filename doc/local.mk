# SPDX-License-Identifier: GPL-2.0-or-later
# doc/local.mk - what is installed to be read

dist_doc_DATA += \
	ARCHITECTURE.md \
	CONTRIBUTING.md \
	COPYING \
	NEWS \
	README.md \
	doc/admin-guide.md \
	doc/files.md \
	doc/install.md \
	doc/measurements.md \
	doc/proposal-het-jobs.md \
	doc/questions.md \
	doc/releasing.md \
	doc/report.svg \
	doc/reservations.md \
	doc/slurm-compatibility.md \
	doc/slurm-names.md \
	doc/snapshot.md \
	# end of dist_doc_DATA

# For a site to copy; the site's own maui.cfg is never written.
dist_examples_DATA += \
	contribs/cli_filter/het_jobs.lua \
	contribs/monitoring/dashboard.json \
	contribs/monitoring/rules.yml \
	contribs/systemd/maui-metrics.service \
	contribs/systemd/maui-metrics.timer \
	contribs/systemd/maui-report.service \
	contribs/systemd/maui-report.timer \
	etc/maui.cfg \
	# end of dist_examples_DATA

dist_man_MANS += \
	doc/man/canceljob.1 \
	doc/man/changeparam.1 \
	doc/man/checkjob.1 \
	doc/man/checknode.1 \
	doc/man/diagnose.1 \
	doc/man/maui-backfill.7 \
	doc/man/maui-fairshare.7 \
	doc/man/maui-migration.7 \
	doc/man/maui-priority.7 \
	doc/man/maui-reservations.7 \
	doc/man/maui-throttling.7 \
	doc/man/job_submit_maui.8 \
	doc/man/priority_maui.8 \
	doc/man/sched_maui.8 \
	doc/man/maui-fits.1 \
	doc/man/maui-metrics.1 \
	doc/man/maui-preflight.1 \
	doc/man/maui-queue.1 \
	doc/man/maui-reconfigure.1 \
	doc/man/maui-report.1 \
	doc/man/maui-share.1 \
	doc/man/maui-sim.1 \
	doc/man/maui-snapshot.1 \
	doc/man/maui-trial.1 \
	doc/man/maui-whatif.1 \
	doc/man/maui-why.1 \
	doc/man/maui.1 \
	doc/man/maui.cfg.5 \
	doc/man/releasehold.1 \
	doc/man/releaseres.1 \
	doc/man/runjob.1 \
	doc/man/sethold.1 \
	doc/man/setspri.1 \
	doc/man/resetstats.1 \
	doc/man/setres.1 \
	doc/man/showconfig.1 \
	doc/man/showq.1 \
	doc/man/showbf.1 \
	doc/man/showres.1 \
	doc/man/showstart.1 \
	doc/man/showstate.1 \
	doc/man/showstats.1 \
	# end of dist_man_MANS

# maui.cfg(5): text written by hand, and the reference made from the schema
noinst_PROGRAMS += doc/man/parameters
doc_man_parameters_SOURCES = doc/man/parameters.c
doc_man_parameters_CFLAGS = $(CORE_CFLAGS)
doc_man_parameters_LDADD = libmauicore.la

doc/man/maui.cfg.5: doc/man/maui.cfg.5.in doc/man/parameters$(EXEEXT)
	$(AM_V_GEN)doc/man/parameters$(EXEEXT) <'$(srcdir)/doc/man/maui.cfg.5.in' >$@.new && mv $@.new $@

EXTRA_DIST += doc/man/maui.cfg.5.in
CLEANFILES += doc/man/maui.cfg.5

# The rules that the code implements; testsuite/house/rules reads them
rulesdir = $(docdir)/rules
dist_rules_DATA = \
	doc/rules/README.md \
	doc/rules/access.md \
	doc/rules/backfill.md \
	doc/rules/commands.md \
	doc/rules/fairshare.md \
	doc/rules/maui-cfg.md \
	doc/rules/priority.md \
	doc/rules/reservations.md \
	doc/rules/throttling.md \
	# end of dist_rules_DATA
