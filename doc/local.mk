# SPDX-License-Identifier: GPL-2.0-or-later
# doc/local.mk - what is installed to be read

dist_doc_DATA += $(guides) doc/report.svg

# For a site to copy; the site's own maui.cfg is never written.
dist_examples_DATA += \
	contribs/cli_filter/het_jobs.lua \
	contribs/monitoring/dashboard.json \
	contribs/monitoring/rules.yml \
	contribs/systemd/maui-metrics.service \
	contribs/systemd/maui-metrics.timer \
	etc/maui.cfg \
	# end of dist_examples_DATA

dist_man_MANS += $(manual_pages) doc/man/maui.cfg.5
if REPORT
dist_man_MANS += doc/man/maui-report.1
dist_examples_DATA += contribs/systemd/maui-report.service contribs/systemd/maui-report.timer
endif

# maui.cfg(5): text written by hand, and the reference made from the schema
noinst_PROGRAMS += doc/man/parameters
doc_man_parameters_SOURCES = doc/man/parameters.c
doc_man_parameters_CFLAGS = $(CORE_CFLAGS)
doc_man_parameters_LDADD = libmauicore.la

doc/man/maui.cfg.5: doc/man/maui.cfg.5.in doc/man/parameters$(EXEEXT)
	$(AM_V_GEN)doc/man/parameters$(EXEEXT) <'$(srcdir)/doc/man/maui.cfg.5.in' >$@.new && mv $@.new $@

CLEANFILES += doc/man/maui.cfg.5

# What is made from tables of the code: doc/query.md and others
EXTRA_PROGRAMS += doc/query/reference
doc_query_reference_SOURCES = doc/query/reference.c
doc_query_reference_CFLAGS = $(CORE_CFLAGS)
doc_query_reference_LDADD = libmauicore.la
references: doc/query/reference$(EXEEXT) doc/man/parameters$(EXEEXT) maui$(EXEEXT)
	top_srcdir='$(srcdir)' top_builddir=. '$(srcdir)/testsuite/house/references' write
.PHONY: references

# The rules that the code implements; testsuite/house/rules reads them
rulesdir = $(docdir)/rules
dist_rules_DATA = $(rule_pages)
