# SPDX-License-Identifier: GPL-2.0-or-later
# testsuite/local.mk - what make check builds and runs
#
# Nothing here needs a running Slurm; the live tests (testsuite/live) are run by themselves. Lists
# that are not made here are all files of their kind (build-aux/file-lists). A program is built when
# a test needs it: `make check TESTS=testsuite/unit/test_X` builds no other.

# A shell may be set up for a cluster (minicluster env): tests know neither it nor its users. A test
# may ask for more memory than there is, to see that refused.
AM_TESTS_ENVIRONMENT = \
	unset SLURM_CONF MAUI_SOCKET LD_PRELOAD NSS_WRAPPER_PASSWD NSS_WRAPPER_GROUP; \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir; \
	slurmctld='$(SLURMCTLD)'; export slurmctld; \
	ASAN_OPTIONS="allocator_may_return_null=1:$$ASAN_OPTIONS"; export ASAN_OPTIONS; \
	UBSAN_OPTIONS="print_stacktrace=1:$$UBSAN_OPTIONS"; export UBSAN_OPTIONS;

# A test that does not end fails, and is named. SIGTERM has properties print their seed. The slowest
# one takes a tenth of this time, with sanitizers.
LOG_COMPILER = timeout 1200

# The house: checks of the source itself, and the proof that they can fail
house_checks = \
	testsuite/house/agent-files \
	testsuite/house/columns \
	testsuite/house/conf-lock \
	testsuite/house/layers \
	testsuite/house/manual \
	testsuite/house/rules \
	testsuite/house/self-test \
	testsuite/house/slurm-names \
	testsuite/house/spdx \
	testsuite/house/tables \
	testsuite/house/test-configure \
	# end of house_checks
TESTS += $(house_checks) testsuite/house/references
if WITH_SLURM
TESTS += testsuite/house/run-symbols
endif

TESTS += \
	testsuite/contribs/test-cli-filter \
	testsuite/contribs/test-tune \
	testsuite/slurm-suite/test-compare \
	$(cmd_tests) \
	$(sim_tests) \
	# end of TESTS

# What several tests have in common: clusters, jobs, golden cases
EXTRA_LTLIBRARIES += testsuite/libtest.la
testsuite_libtest_la_SOURCES = $(shared_sources)
testsuite_libtest_la_CFLAGS = $(CORE_CFLAGS)
testsuite_libtest_la_LIBADD = libmauicore.la

# Programs of one file; benchmarks are run by hand
EXTRA_PROGRAMS += $(tools) $(property_tests) $(fuzz_targets) $(benches)
benches: $(benches)
.PHONY: benches

# The page of maui report
if REPORT
TESTS += testsuite/report/test-pages
tools += testsuite/report/make-page
testsuite_report_make_page_CFLAGS = $(CORE_CFLAGS)
testsuite_report_make_page_LDADD = $(report_libs) testsuite/libtest.la libmauicore.la
page_logs = testsuite/report/test-pages.log
$(page_logs): testsuite/report/make-page$(EXEEXT)
benches += testsuite/bench/bench-report
testsuite_bench_bench_report_SOURCES = testsuite/bench/bench-report.c
testsuite_bench_bench_report_CFLAGS = $(CORE_CFLAGS)
testsuite_bench_bench_report_LDADD = $(report_libs) testsuite/libtest.la libmauicore.la
endif

TESTS += \
	testsuite/golden/run \
	testsuite/golden/run-schema \
	$(property_tests) \
	# end of TESTS

# Fuzz targets: with libFuzzer under --enable-fuzz, else with a main that replays files and changes
# copies of them
if FUZZ
fuzz_main =
else
TESTS += testsuite/fuzz/replay
fuzz_main = testsuite/fuzz/fuzz_main.c
endif

# The words of maui.cfg, for libFuzzer's -dict=
testsuite/fuzz/config.dict: testsuite/fuzz/config.dict.in doc/man/parameters$(EXEEXT)
	$(AM_V_GEN)doc/man/parameters$(EXEEXT) <'$(srcdir)/testsuite/fuzz/config.dict.in' >$@
CLEANFILES += testsuite/fuzz/config.dict

# The programs that scripts among the tests run. The names of the targets stand in variables, since
# automake takes plain ones for rules that replace its own.
golden_logs = testsuite/golden/run.log
schema_logs = testsuite/golden/run-schema.log
replay_logs = testsuite/fuzz/replay.log
reference_logs = testsuite/house/references.log
$(cmd_logs): maui$(EXEEXT) testsuite/cmd/query-server$(EXEEXT)
$(sim_logs): maui$(EXEEXT) maui-sim$(EXEEXT) testsuite/cmd/query-server$(EXEEXT)
$(golden_logs): testsuite/golden/maui-golden$(EXEEXT)
$(schema_logs): testsuite/golden/check-schema$(EXEEXT)
$(replay_logs): $(fuzz_targets)
$(reference_logs): doc/query/reference$(EXEEXT) doc/man/parameters$(EXEEXT) maui$(EXEEXT)

# Everything with an allocation that fails, by a malloc() and an arena of its own: 15 seconds of it,
# with fresh seeds
EXTRA_PROGRAMS += testsuite/memory/run-out
testsuite_memory_run_out_SOURCES = $(memory_sources)
testsuite_memory_run_out_CFLAGS = $(CORE_CFLAGS) -fno-builtin -U_FORTIFY_SOURCE
testsuite_memory_run_out_LDADD = testsuite/libtest.la libmauicore.la -ldl
TESTS += testsuite/memory/run-out

# Threads that ask one finished plan, under ThreadSanitizer
TESTS += testsuite/unit/explain-threads

# Files of src/controller and src/slurm that include no Slurm header are tested as they are, without Slurm
testsuite_unit_test_crash_guard_SOURCES = testsuite/unit/test_crash_guard.c src/controller/crash_guard.c
testsuite_unit_test_change_tally_SOURCES = testsuite/unit/test_change_tally.c src/slurm/change_tally.c
testsuite_unit_test_choose_victims_SOURCES = \
	testsuite/unit/test_choose_victims.c \
	src/controller/sched/choose_victims.c \
	# end of testsuite_unit_test_choose_victims_SOURCES
testsuite_unit_test_mirror_SOURCES = \
	testsuite/unit/test_mirror.c \
	src/slurm/mirror/list.c \
	src/slurm/mirror/plan.c \
	# end of testsuite_unit_test_mirror_SOURCES
testsuite_unit_test_blocks_LDADD = libmauisim.la $(CRITERION_LIBS)
testsuite_unit_test_client_conf_LDADD = libmauisim.la $(CRITERION_LIBS)
testsuite_unit_test_conf_lines_LDADD = libmauisim.la $(CRITERION_LIBS)
testsuite_unit_test_lines_LDADD = libmauisim.la $(CRITERION_LIBS)
testsuite_unit_test_names_SOURCES = \
	testsuite/unit/test_names.c \
	src/controller/name_service.c \
	src/controller/names.c \
	# end of testsuite_unit_test_names_SOURCES
testsuite_unit_test_names_LDFLAGS = $(AM_LDFLAGS) -pthread
testsuite_unit_test_recur_SOURCES = testsuite/unit/test_recur.c src/slurm/capture/recur.c
testsuite_unit_test_waits_LDADD = libmauisim.la $(CRITERION_LIBS)
testsuite_unit_test_whatif_SOURCES = \
	testsuite/unit/test_whatif.c \
	src/cmd/whatif.c \
	# end of testsuite_unit_test_whatif_SOURCES

# What sees them, but calls little in slurmctld, is tested with a slurmctld of the test's own
if WITH_SLURM
unit_tests += testsuite/unit/test_sched_change
testsuite_unit_test_sched_change_SOURCES = \
	testsuite/unit/test_sched_change.c \
	src/controller/sched/released.c \
	src/controller/sched/admin_changes.c \
	src/controller/sched/make_change.c \
	src/controller/sched/reservations.c \
	src/controller/sched/rsv_names.c \
	src/controller/sched/setres.c \
	# end of testsuite_unit_test_sched_change_SOURCES
testsuite_unit_test_sched_change_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
testsuite_unit_test_sched_change_CFLAGS = $(SLURM_SIDE_CFLAGS) $(CRITERION_CFLAGS)
unit_tests += testsuite/unit/test_sched_programs
testsuite_unit_test_sched_programs_SOURCES = \
	testsuite/unit/test_sched_programs.c \
	src/controller/sched/triggers.c \
	# end of testsuite_unit_test_sched_programs_SOURCES
testsuite_unit_test_sched_programs_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
testsuite_unit_test_sched_programs_CFLAGS = $(SLURM_SIDE_CFLAGS) $(CRITERION_CFLAGS)
unit_tests += testsuite/unit/test_priority_cycle
testsuite_unit_test_priority_cycle_SOURCES = \
	testsuite/unit/test_priority_cycle.c \
	src/controller/name_service.c \
	src/controller/names.c \
	src/controller/priority_cycle.c \
	src/controller/rank.c \
	# end of testsuite_unit_test_priority_cycle_SOURCES
testsuite_unit_test_priority_cycle_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
testsuite_unit_test_priority_cycle_CFLAGS = $(SLURM_SIDE_CFLAGS) $(CRITERION_CFLAGS)
unit_tests += testsuite/unit/test_sched_run
testsuite_unit_test_sched_run_SOURCES = \
	testsuite/unit/test_sched_run.c \
	src/controller/sched/job_changes.c \
	# end of testsuite_unit_test_sched_run_SOURCES
testsuite_unit_test_sched_run_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
testsuite_unit_test_sched_run_CFLAGS = $(SLURM_SIDE_CFLAGS) $(CRITERION_CFLAGS)
testsuite_unit_test_sched_run_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=maui_job_answer
unit_tests += testsuite/unit/test_sched_publish
testsuite_unit_test_sched_publish_SOURCES = \
	testsuite/unit/test_sched_publish.c \
	src/controller/sched/publish_document.c \
	# end of testsuite_unit_test_sched_publish_SOURCES
testsuite_unit_test_sched_publish_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
testsuite_unit_test_sched_publish_CFLAGS = $(SLURM_SIDE_CFLAGS) $(CRITERION_CFLAGS)
unit_tests += testsuite/unit/test_sched_start
testsuite_unit_test_sched_start_SOURCES = \
	testsuite/unit/test_sched_start.c \
	src/controller/sched/starts.c \
	# end of testsuite_unit_test_sched_start_SOURCES
testsuite_unit_test_sched_start_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
testsuite_unit_test_sched_start_CFLAGS = $(SLURM_SIDE_CFLAGS) $(CRITERION_CFLAGS)
unit_tests += testsuite/unit/test_fingerprint
testsuite_unit_test_fingerprint_SOURCES = \
	testsuite/unit/test_fingerprint.c \
	src/slurm/capture/fingerprint.c \
	# end of testsuite_unit_test_fingerprint_SOURCES
testsuite_unit_test_fingerprint_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
testsuite_unit_test_fingerprint_CFLAGS = $(SLURM_SIDE_CFLAGS) $(CRITERION_CFLAGS)
unit_tests += testsuite/unit/test_run_time
testsuite_unit_test_run_time_SOURCES = \
	testsuite/unit/test_run_time.c \
	src/slurm/capture/times.c \
	# end of testsuite_unit_test_run_time_SOURCES
testsuite_unit_test_run_time_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
testsuite_unit_test_run_time_CFLAGS = $(SLURM_SIDE_CFLAGS) $(CRITERION_CFLAGS)
unit_tests += testsuite/unit/test_kept_limits
testsuite_unit_test_kept_limits_SOURCES = \
	testsuite/unit/test_kept_limits.c \
	src/slurm/eligible/kept_limits.c \
	src/slurm/eligible/valid_qos.c \
	# end of testsuite_unit_test_kept_limits_SOURCES
testsuite_unit_test_kept_limits_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
testsuite_unit_test_kept_limits_CFLAGS = $(SLURM_SIDE_CFLAGS) $(CRITERION_CFLAGS)
unit_tests += testsuite/unit/test_kept_record
testsuite_unit_test_kept_record_SOURCES = \
	testsuite/unit/test_kept_record.c \
	src/slurm/eligible/kept_limits.c \
	src/slurm/eligible/kept_record.c \
	src/slurm/eligible/valid_qos.c \
	# end of testsuite_unit_test_kept_record_SOURCES
testsuite_unit_test_kept_record_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
testsuite_unit_test_kept_record_CFLAGS = $(SLURM_SIDE_CFLAGS) $(CRITERION_CFLAGS)
unit_tests += testsuite/unit/test_start_refusal
testsuite_unit_test_start_refusal_SOURCES = \
	testsuite/unit/test_start_refusal.c \
	src/slurm/start/refusal.c \
	# end of testsuite_unit_test_start_refusal_SOURCES
testsuite_unit_test_start_refusal_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
testsuite_unit_test_start_refusal_CFLAGS = $(SLURM_SIDE_CFLAGS) $(CRITERION_CFLAGS)
endif

if WITH_CRITERION
EXTRA_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)
else
TESTS += testsuite/unit/no-criterion
endif

# The real library in a simulated slurmctld, which exports the symbols that the library uses
if WITH_WORLD
EXTRA_PROGRAMS += testsuite/world/world
testsuite_world_world_SOURCES = $(world_sources)
testsuite_world_world_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS) -U_FORTIFY_SOURCE
testsuite_world_world_CFLAGS = $(SLURM_SIDE_CFLAGS) -U_FORTIFY_SOURCE -fno-builtin
testsuite_world_world_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
testsuite_world_world_LDADD = libmauicore.la $(SLURMFULL_LIBS) -ldl
TESTS += testsuite/world/run
world_logs = testsuite/world/run.log
$(world_logs): testsuite/world/world$(EXEEXT) libmaui.la
endif

# For benchmarks on a slurmctld with thousands of nodes: a stand-in for their slurmd, who submits
# jobs, and plugins that are never installed
if WITH_SLURM
check_LTLIBRARIES += testsuite/bench/sched_probe.la
testsuite_bench_sched_probe_la_SOURCES = testsuite/bench/probe-start.c
testsuite_bench_sched_probe_la_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
testsuite_bench_sched_probe_la_CFLAGS = $(SLURM_SIDE_CFLAGS)
testsuite_bench_sched_probe_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared \
	-rpath $(abs_builddir)
check_LTLIBRARIES += testsuite/bench/locks_probe.la
testsuite_bench_locks_probe_la_SOURCES = testsuite/bench/probe-locks.c
testsuite_bench_locks_probe_la_CFLAGS = $(SLURM_SIDE_CFLAGS)
testsuite_bench_locks_probe_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared \
	-rpath $(abs_builddir)
check_LTLIBRARIES += testsuite/bench/sched_mirrorprobe.la
testsuite_bench_sched_mirrorprobe_la_SOURCES = testsuite/bench/probe-mirror.c
testsuite_bench_sched_mirrorprobe_la_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
testsuite_bench_sched_mirrorprobe_la_CFLAGS = $(SLURM_SIDE_CFLAGS)
testsuite_bench_sched_mirrorprobe_la_LIBADD = libmaui.la libmauicore.la
testsuite_bench_sched_mirrorprobe_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared \
	-rpath $(abs_builddir) -Wl,-rpath,$(abs_builddir)/.libs
if HAVE_SLURMFULL
check_PROGRAMS += testsuite/bench/fakeslurmd
testsuite_bench_fakeslurmd_SOURCES = \
	testsuite/bench/fakeslurmd.c \
	testsuite/bench/fakeslurmd_runs.c \
	testsuite/bench/fakeslurmd_runs.h
testsuite_bench_fakeslurmd_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
testsuite_bench_fakeslurmd_CFLAGS = $(SLURM_SIDE_CFLAGS)
testsuite_bench_fakeslurmd_LDADD = $(SLURMFULL_LIBS)
check_PROGRAMS += testsuite/bench/submit-mix
testsuite_bench_submit_mix_SOURCES = testsuite/bench/submit-mix.c
testsuite_bench_submit_mix_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
testsuite_bench_submit_mix_CFLAGS = $(SLURM_SIDE_CFLAGS)
testsuite_bench_submit_mix_LDADD = $(SLURMFULL_LIBS) -lm

# What Slurm's own library reads in a slurm.conf, and what our reader does
check_PROGRAMS += testsuite/slurmconf/as-slurm testsuite/slurmconf/as-maui
testsuite_slurmconf_as_slurm_SOURCES = testsuite/slurmconf/as-slurm.c testsuite/slurmconf/print.h
testsuite_slurmconf_as_slurm_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
testsuite_slurmconf_as_slurm_CFLAGS = $(SLURM_SIDE_CFLAGS)
testsuite_slurmconf_as_slurm_LDADD = $(SLURMFULL_LIBS)
testsuite_slurmconf_as_maui_SOURCES = testsuite/slurmconf/as-maui.c testsuite/slurmconf/print.h
testsuite_slurmconf_as_maui_CFLAGS = $(CORE_CFLAGS)
testsuite_slurmconf_as_maui_LDADD = libmauisim.la
TESTS += testsuite/slurmconf/test-slurmconf
endif
endif
