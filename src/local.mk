# SPDX-License-Identifier: GPL-2.0-or-later
# src/local.mk - libmauicore, libmauisim, libmaui, the plugins, the commands
#
# FOLDER_sources are all files of src/FOLDER that are not named here (build-aux/file-lists).

# The credentials of login nodes: libmunge, or in a build without Slurm a file that says so
if WITH_SLURM
munge_sources = src/query/munge.c
else
munge_sources = src/query/munge_none.c
endif

# libmauicore: the core, static, inside of everything else, and both ends of the query socket. Needs
# no Slurm and no munge.
noinst_LTLIBRARIES += libmauicore.la
libmauicore_la_SOURCES = \
	$(base_sources) \
	$(record_sources) \
	$(verbs_sources) src/verbs/all.h src/verbs/names.h \
	$(model_sources) \
	$(config_sources) \
	$(state_sources) \
	$(timeline_sources) \
	$(policy_sources) \
	$(reservation_sources) \
	$(plan_sources) \
	$(cycle_sources) \
	$(explain_sources) \
	$(rows_sources) \
	$(query_sources) \
	$(answers_sources) \
	$(admin_sources) \
	# end of libmauicore_la_SOURCES
libmauicore_la_CFLAGS = $(CORE_CFLAGS) -pthread
libmauicore_la_LIBADD = $(JSON_C_LIBS) $(NETTLE_LIBS) $(PCRE2_LIBS) -lm

# libmauichart: where each item of a schedule is in a picture, and the picture for terminals
noinst_LTLIBRARIES += libmauichart.la
libmauichart_la_SOURCES = $(chart_sources)
libmauichart_la_CFLAGS = $(CORE_CFLAGS)

# libmauireport: the page of maui report and maui-sim, unless configured with --disable-report. Then
# files without it stand in for those that make the page.
if REPORT
noinst_LTLIBRARIES += libmauireport.la
libmauireport_la_SOURCES = $(report_sources)
libmauireport_la_CFLAGS = $(CORE_CFLAGS)
report_libs = libmauireport.la libmauichart.la
cmd_page_sources = src/cmd/cmd_report.c
sim_page_sources = src/sim/report_page.c
else
report_libs = libmauichart.la
cmd_page_sources = src/cmd/cmd_report_none.c
sim_page_sources = src/sim/report_page_none.c
endif

# libmauitool: the options and the tables of the commands and of maui-sim
noinst_LTLIBRARIES += libmauitool.la
libmauitool_la_SOURCES = $(tool_sources)
libmauitool_la_CFLAGS = $(CORE_CFLAGS) $(SMARTCOLS_CFLAGS)
libmauitool_la_LIBADD = $(SMARTCOLS_LIBS)

# libmauisim: a cluster out of a slurm.conf, a workload out of a trace, and what a maui.cfg does
# with them. Needs zlib, with which traces are compressed.
noinst_LTLIBRARIES += libmauisim.la
libmauisim_la_SOURCES = $(slurmconf_sources) $(sim_sources) src/base/lines.c src/base/lines.h
libmauisim_la_CFLAGS = $(CORE_CFLAGS) $(ZLIB_CFLAGS)
libmauisim_la_LIBADD = libmauitool.la libmauicore.la $(ZLIB_LIBS)

# The command: runs where no Slurm is, on a maui.cfg brought along.
bin_PROGRAMS += maui
maui_SOURCES = $(cmd_sources) src/cmd/names.h $(cmd_page_sources) $(munge_sources)
maui_CFLAGS = $(CORE_CFLAGS) $(MUNGE_CFLAGS)
maui_LDADD = $(report_libs) libmauisim.la $(MUNGE_LIBS)

# Maui's own commands, links to maui. A file that exists and is not such a link, of another scheduler
# perhaps, is left alone: `maui showres` does the same.
maui_names = $(alone_commands)
# Moab's, which are these in other words
moab_names = mcredctl mdiag mjobctl mrsvctl mshow

# The simulator: a workload under a maui.cfg
bin_PROGRAMS += maui-sim
maui_sim_SOURCES = \
	src/sim/maui-sim.c \
	src/sim/args.c \
	src/sim/args.h \
	src/sim/report_page.h \
	$(sim_page_sources) \
	# end of maui_sim_SOURCES
maui_sim_CFLAGS = $(CORE_CFLAGS)
maui_sim_LDADD = $(report_libs) libmauisim.la

if WITH_SLURM

# libmaui.so: core, context and slurm, once in slurmctld however many plugins use it. Only the
# functions of context and slurm can be called from outside, the core stays hidden inside.
pkglib_LTLIBRARIES += libmaui.la
libmaui_la_SOURCES = \
	$(slurm_sources) \
	$(controller_sources) \
	$(munge_sources) \
	# end of libmaui_la_SOURCES
libmaui_la_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
libmaui_la_CFLAGS = $(SLURM_SIDE_CFLAGS) $(MUNGE_CFLAGS)
libmaui_la_LDFLAGS = $(AM_LDFLAGS) -avoid-version -shared -export-symbols-regex '^maui_'
libmaui_la_LIBADD = libmauicore.la $(MUNGE_LIBS)

# The plugins. slurmctld's own symbols stay undefined in them, its executable has them; what they
# show is what Slurm looks up by name.
PLUGIN_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -Wl,--enable-new-dtags \
	-export-symbols-regex '^(plugin_(name|type|version)|init|fini|(priority|sched)_p_.*|job_(submit|modify))$$'

# Clients load this one, too: it is not linked with libmaui.so.
slurmplugin_LTLIBRARIES += priority_maui.la
priority_maui_la_SOURCES = priority_maui/priority_maui.c
priority_maui_la_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS) -DMAUI_LIBRARY='"$(pkglibdir)/libmaui.so"'
priority_maui_la_CFLAGS = $(SLURM_SIDE_CFLAGS)
priority_maui_la_LDFLAGS = $(PLUGIN_LDFLAGS)
priority_maui_la_LIBADD = -lm

slurmplugin_LTLIBRARIES += sched_maui.la
sched_maui_la_SOURCES = sched_maui/sched_maui.c
sched_maui_la_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
sched_maui_la_CFLAGS = $(SLURM_SIDE_CFLAGS)
sched_maui_la_LDFLAGS = $(PLUGIN_LDFLAGS)
sched_maui_la_LIBADD = libmaui.la

slurmplugin_LTLIBRARIES += job_submit_maui.la
job_submit_maui_la_SOURCES = job_submit_maui/job_submit_maui.c
job_submit_maui_la_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
job_submit_maui_la_CFLAGS = $(SLURM_SIDE_CFLAGS)
job_submit_maui_la_LDFLAGS = $(PLUGIN_LDFLAGS)
job_submit_maui_la_LIBADD = libmaui.la

# The plugins are linked once more when installed, against the installed libmaui.so. The target's
# name stands in a variable, since automake takes a plain one for a rule that replaces its own.
install_plugins = install-slurmpluginLTLIBRARIES
$(install_plugins): install-pkglibLTLIBRARIES

endif
