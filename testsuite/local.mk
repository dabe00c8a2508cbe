# SPDX-License-Identifier: GPL-2.0-or-later
# testsuite/local.mk - what make check builds and runs
#
# Nothing here needs a running Slurm; the live tests (testsuite/live) are run by themselves.

# A test may ask for more memory than there is, to see that refused.
AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir; \
	slurmctld='$(SLURMCTLD)'; export slurmctld; \
	ASAN_OPTIONS="allocator_may_return_null=1:$$ASAN_OPTIONS"; export ASAN_OPTIONS; \
	UBSAN_OPTIONS="print_stacktrace=1:$$UBSAN_OPTIONS"; export UBSAN_OPTIONS;

# The house: checks of the source itself, and the proof that they can fail
house_checks = \
	testsuite/house/columns \
	testsuite/house/conf-lock \
	testsuite/house/layers \
	testsuite/house/manual \
	testsuite/house/rules \
	testsuite/house/self-test \
	testsuite/house/slurm-names \
	testsuite/house/spdx \
	testsuite/house/test-configure \
	testsuite/house/verbs \
	# end of house_checks
TESTS += $(house_checks)
if WITH_SLURM
TESTS += testsuite/house/run-symbols
endif
EXTRA_DIST += \
	$(house_checks) \
	testsuite/house/check-headers \
	testsuite/house/dist-complete \
	testsuite/house/run-symbols \
	testsuite/house/symbols \
	# end of EXTRA_DIST

# Tests that are run by themselves: pytest on a real slurmctld, and those of contribs
live_files = \
	testsuite/bench/bench-live \
	testsuite/live/README.md \
	testsuite/live/as_slurm/__init__.py \
	testsuite/live/as_slurm/documented.py \
	testsuite/live/as_slurm/draw.py \
	testsuite/live/as_slurm/failed-seeds \
	testsuite/live/as_slurm/judge.py \
	testsuite/live/as_slurm/run \
	testsuite/live/as_slurm/shapes.py \
	testsuite/live/as_slurm/trial.py \
	testsuite/live/cluster.py \
	testsuite/live/conftest.py \
	testsuite/live/database.py \
	testsuite/live/fairshare.py \
	testsuite/live/oracle.py \
	testsuite/live/reservations.py \
	testsuite/live/rsvclock.py \
	testsuite/live/debian \
	testsuite/live/run \
	testsuite/live/starts.py \
	testsuite/live/test_accuracy.py \
	testsuite/live/test_advres.py \
	testsuite/live/test_as_slurm.py \
	testsuite/live/test_associations.py \
	testsuite/live/test_checkjob.py \
	testsuite/live/test_showq.py \
	testsuite/live/test_diagnose.py \
	testsuite/live/test_clients.py \
	testsuite/live/test_config.py \
	testsuite/live/test_control.py \
	testsuite/live/test_daemon.py \
	testsuite/live/test_doc_reservations.py \
	testsuite/live/test_fairshare.py \
	testsuite/live/test_fits.py \
	testsuite/live/test_gpus.py \
	testsuite/live/test_het_jobs.py \
	testsuite/live/test_job_changes.py \
	testsuite/live/test_metrics.py \
	testsuite/live/test_mirror_probe.py \
	testsuite/live/test_order.py \
	testsuite/live/test_placement.py \
	testsuite/live/test_preempt_type.py \
	testsuite/live/test_priority.py \
	testsuite/live/test_reconfigure.py \
	testsuite/live/test_remote.py \
	testsuite/live/test_report.py \
	testsuite/live/test_requests.py \
	testsuite/live/test_resv_cores.py \
	testsuite/live/test_rsv_admin.py \
	testsuite/live/test_rsv_owner.py \
	testsuite/live/test_rsv_clock.py \
	testsuite/live/test_rsv_mirrors.py \
	testsuite/live/test_rsv_parts.py \
	testsuite/live/test_rsv_standing.py \
	testsuite/live/test_rsv_users.py \
	testsuite/live/test_sched_bad.py \
	testsuite/live/test_sched_dbd.py \
	testsuite/live/test_sched_deps.py \
	testsuite/live/test_sched_het.py \
	testsuite/live/test_sched_policy.py \
	testsuite/live/test_sched_preempt.py \
	testsuite/live/test_sched_refused.py \
	testsuite/live/test_sched_rules.py \
	testsuite/live/test_sched_start.py \
	testsuite/live/test_sched_side.py \
	testsuite/live/test_sched_switch.py \
	testsuite/live/test_share.py \
	testsuite/live/test_showstate.py \
	testsuite/live/test_state.py \
	testsuite/live/test_statistics.py \
	testsuite/live/test_submit.py \
	testsuite/live/test_switch.py \
	testsuite/live/test_trial.py \
	testsuite/live/test_upgrade.py \
	testsuite/live/test_version.py \
	testsuite/live/test_whatif.py \
	testsuite/live/windows.py \
	# end of live_files
contribs_tests = \
	testsuite/contribs/test-cli-filter \
	testsuite/contribs/test-minicluster \
	testsuite/contribs/test-packages \
	testsuite/contribs/test-rpm \
	# end of contribs_tests
EXTRA_DIST += $(live_files) $(contribs_tests)
TESTS += testsuite/contribs/test-cli-filter

# SchedMD's own suite as a judge, run by hand; make check tests what compares its results
EXTRA_DIST += \
	testsuite/slurm-suite/README.md \
	testsuite/slurm-suite/accepted \
	testsuite/slurm-suite/adapt \
	testsuite/slurm-suite/compare \
	testsuite/slurm-suite/run \
	testsuite/slurm-suite/sandbox \
	testsuite/slurm-suite/test-compare \
	# end of EXTRA_DIST
TESTS += testsuite/slurm-suite/test-compare

# The command, as it is run: its output, exit status, locale
cmd_tests = \
	testsuite/cmd/test-maui-config \
	testsuite/cmd/test-maui-migrate \
	testsuite/cmd/test-reservations \
	testsuite/cmd/test-diagnose \
	testsuite/cmd/test-completion \
	testsuite/cmd/test-manual-examples \
	testsuite/cmd/test-queue \
	testsuite/cmd/test-fits \
	testsuite/cmd/test-maui-detach \
	testsuite/cmd/test-metrics \
	testsuite/cmd/test-preflight \
	testsuite/cmd/test-report \
	testsuite/cmd/test-showstate \
	testsuite/cmd/test-trial \
	testsuite/cmd/test-whatif \
	# end of cmd_tests
TESTS += $(cmd_tests)
EXTRA_DIST += $(cmd_tests) testsuite/cmd/expected

# What commands ask in these tests, in slurmctld's stead
query_world_sources = testsuite/cmd/query-world.c testsuite/cmd/query-world.h
diagnose_world_sources = testsuite/cmd/diagnose-world.c testsuite/cmd/diagnose-world.h
fits_world_sources = testsuite/cmd/fits-world.c testsuite/cmd/fits-world.h
check_PROGRAMS += testsuite/cmd/query-server
testsuite_cmd_query_server_SOURCES = testsuite/cmd/query-server.c $(query_world_sources) \
	$(diagnose_world_sources) $(fits_world_sources)
testsuite_cmd_query_server_CFLAGS = $(CORE_CFLAGS) -pthread
testsuite_cmd_query_server_LDADD = libmauicore.la

# Pages of made-up answers
check_PROGRAMS += testsuite/report/make-page
testsuite_report_make_page_SOURCES = testsuite/report/make-page.c
testsuite_report_make_page_CFLAGS = $(CORE_CFLAGS)
testsuite_report_make_page_LDADD = libmauicore.la $(JSON_C_LIBS)
TESTS += testsuite/report/test-pages
EXTRA_DIST += testsuite/report/test-pages testsuite/report/answers.py \
	testsuite/report/check_page.py testsuite/report/golden-few.html

# Unit tests: a Criterion program for each module, testsuite/unit/test_X of test_X.c. A line in
# the list is all that one needs: automake's defaults are theirs.
unit_tests = \
	testsuite/unit/test_access \
	testsuite/unit/test_accrual \
	testsuite/unit/test_admin \
	testsuite/unit/test_alloc \
	testsuite/unit/test_arena \
	testsuite/unit/test_backfill \
	testsuite/unit/test_bulk \
	testsuite/unit/test_bounds \
	testsuite/unit/test_calendar \
	testsuite/unit/test_check \
	testsuite/unit/test_check_rsv \
	testsuite/unit/test_child \
	testsuite/unit/test_claims \
	testsuite/unit/test_clock \
	testsuite/unit/test_client_conf \
	testsuite/unit/test_comment \
	testsuite/unit/test_config_examples \
	testsuite/unit/test_config_files \
	testsuite/unit/test_config_grammar \
	testsuite/unit/test_config_json \
	testsuite/unit/test_credentials_json \
	testsuite/unit/test_config_limits \
	testsuite/unit/test_config_objects \
	testsuite/unit/test_config_planning \
	testsuite/unit/test_config_values \
	testsuite/unit/test_crash_guard \
	testsuite/unit/test_defer \
	testsuite/unit/test_diag \
	testsuite/unit/test_document \
	testsuite/unit/test_fits_json \
	testsuite/unit/test_job_json \
	testsuite/unit/test_job_request \
	testsuite/unit/test_jobs_json \
	testsuite/unit/test_queue_json \
	testsuite/unit/test_start_json \
	testsuite/unit/test_duration \
	testsuite/unit/test_explain \
	testsuite/unit/test_fairshare \
	testsuite/unit/test_fairshare_table \
	testsuite/unit/test_features \
	testsuite/unit/test_gres \
	testsuite/unit/test_file \
	testsuite/unit/test_file_write \
	testsuite/unit/test_fscap \
	testsuite/unit/test_fsfile \
	testsuite/unit/test_fsfile_dir \
	testsuite/unit/test_hashtable \
	testsuite/unit/test_hostexpr \
	testsuite/unit/test_idle_log \
	testsuite/unit/test_job_history \
	testsuite/unit/test_json_print \
	testsuite/unit/test_lexer \
	testsuite/unit/test_limit \
	testsuite/unit/test_mirror \
	testsuite/unit/test_names \
	testsuite/unit/test_health \
	testsuite/unit/test_metrics_json \
	testsuite/unit/test_network \
	testsuite/unit/test_nodes_json \
	testsuite/unit/test_pattern \
	testsuite/unit/test_pending \
	testsuite/unit/test_plan \
	testsuite/unit/test_plan_kept \
	testsuite/unit/test_plan_reason \
	testsuite/unit/test_plan_rsv \
	testsuite/unit/test_plan_time \
	testsuite/unit/test_plan_views \
	testsuite/unit/test_het_jobs \
	testsuite/unit/test_preempt \
	testsuite/unit/test_priorities_json \
	testsuite/unit/test_priority \
	testsuite/unit/test_priority_factors \
	testsuite/unit/test_publish \
	testsuite/unit/test_qos \
	testsuite/unit/test_query_listen \
	testsuite/unit/test_query_message \
	testsuite/unit/test_query_client \
	testsuite/unit/test_query_remote \
	testsuite/unit/test_query_server \
	testsuite/unit/test_recur \
	testsuite/unit/test_carried_over \
	testsuite/unit/test_refused_preemptions \
	testsuite/unit/test_slurm_answers \
	testsuite/unit/test_slurm_usage \
	testsuite/unit/test_report_json \
	testsuite/unit/test_rights \
	testsuite/unit/test_rsv \
	testsuite/unit/test_saved_plan \
	testsuite/unit/test_schema \
	testsuite/unit/test_snapshot \
	testsuite/unit/test_snapshot_json \
	testsuite/unit/test_snapshot_private \
	testsuite/unit/test_share_json \
	testsuite/unit/test_sort \
	testsuite/unit/test_standing \
	testsuite/unit/test_standing_holders \
	testsuite/unit/test_standing_keep \
	testsuite/unit/test_standing_many \
	testsuite/unit/test_standing_windows \
	testsuite/unit/test_statistics \
	testsuite/unit/test_state_json \
	testsuite/unit/test_statistics_json \
	testsuite/unit/test_store \
	testsuite/unit/test_store_file \
	testsuite/unit/test_store_rsv \
	testsuite/unit/test_store_trigger \
	testsuite/unit/test_trial \
	testsuite/unit/test_trial_json \
	testsuite/unit/test_strbuf \
	testsuite/unit/test_throttle \
	testsuite/unit/test_timeline \
	testsuite/unit/test_trigger \
	testsuite/unit/test_trust \
	testsuite/unit/test_usage \
	testsuite/unit/test_usage_charges \
	testsuite/unit/test_usage_view \
	testsuite/unit/test_user \
	testsuite/unit/test_utf8 \
	testsuite/unit/test_words \
	# end of unit_tests

# Files of src/controller and src/slurm that see none of Slurm's headers are tested as they are, without Slurm
testsuite_unit_test_crash_guard_SOURCES = testsuite/unit/test_crash_guard.c src/controller/crash_guard.c
testsuite_unit_test_mirror_SOURCES = \
	testsuite/unit/test_mirror.c \
	src/slurm/mirror/list.c \
	src/slurm/mirror/plan.c \
	# end of testsuite_unit_test_mirror_SOURCES
testsuite_unit_test_client_conf_SOURCES = testsuite/unit/test_client_conf.c $(slurmconf_sources)
testsuite_unit_test_client_conf_LDADD = $(LDADD) $(ZLIB_LIBS)
testsuite_unit_test_names_SOURCES = testsuite/unit/test_names.c src/controller/names.c
testsuite_unit_test_names_LDFLAGS = $(AM_LDFLAGS) -pthread
testsuite_unit_test_recur_SOURCES = testsuite/unit/test_recur.c src/slurm/capture/recur.c

# What sees them, but calls little in slurmctld, is tested with a slurmctld of the test's own
if WITH_SLURM
unit_tests += testsuite/unit/test_sched_change
testsuite_unit_test_sched_change_SOURCES = \
	testsuite/unit/test_sched_change.c \
	src/controller/sched/released.c \
	src/controller/sched/admin_changes.c \
	src/controller/sched/reservations.c \
	# end of testsuite_unit_test_sched_change_SOURCES
testsuite_unit_test_sched_change_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
testsuite_unit_test_sched_change_CFLAGS = $(SLURM_SIDE_CFLAGS) $(CRITERION_CFLAGS)
unit_tests += testsuite/unit/test_priority_cycle
testsuite_unit_test_priority_cycle_SOURCES = \
	testsuite/unit/test_priority_cycle.c \
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
testsuite_unit_test_sched_run_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=maui_job_reply
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
	src/slurm/start/fingerprint.c \
	# end of testsuite_unit_test_fingerprint_SOURCES
testsuite_unit_test_fingerprint_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
testsuite_unit_test_fingerprint_CFLAGS = $(SLURM_SIDE_CFLAGS) $(CRITERION_CFLAGS)
unit_tests += testsuite/unit/test_start_refusal
testsuite_unit_test_start_refusal_SOURCES = \
	testsuite/unit/test_start_refusal.c \
	src/slurm/start/refusal.c \
	# end of testsuite_unit_test_start_refusal_SOURCES
testsuite_unit_test_start_refusal_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
testsuite_unit_test_start_refusal_CFLAGS = $(SLURM_SIDE_CFLAGS) $(CRITERION_CFLAGS)
endif
# Those that look at the cluster of testsuite/cmd
testsuite_unit_test_admin_SOURCES = testsuite/unit/test_admin.c $(query_world_sources)
testsuite_unit_test_jobs_json_SOURCES = testsuite/unit/test_jobs_json.c \
	$(diagnose_world_sources)
testsuite_unit_test_state_json_SOURCES = testsuite/unit/test_state_json.c \
	$(diagnose_world_sources)
testsuite_unit_test_metrics_json_SOURCES = testsuite/unit/test_metrics_json.c \
	$(diagnose_world_sources)
testsuite_unit_test_nodes_json_SOURCES = testsuite/unit/test_nodes_json.c \
	$(diagnose_world_sources)
testsuite_unit_test_credentials_json_SOURCES = testsuite/unit/test_credentials_json.c \
	$(diagnose_world_sources)
testsuite_unit_test_config_json_SOURCES = testsuite/unit/test_config_json.c \
	$(diagnose_world_sources)
testsuite_unit_test_fits_json_SOURCES = testsuite/unit/test_fits_json.c $(fits_world_sources)
testsuite_unit_test_priorities_json_SOURCES = testsuite/unit/test_priorities_json.c \
	$(diagnose_world_sources)
testsuite_unit_test_document_SOURCES = testsuite/unit/test_document.c $(query_world_sources)

# What several of them include or read
unit_files = \
	testsuite/unit/computed.h \
	testsuite/unit/parsed.h \
	testsuite/unit/plan_world.h \
	testsuite/unit/published_names.h \
	testsuite/unit/rsv_world.h \
	testsuite/unit/rows.h \
	testsuite/unit/scratch.h \
	testsuite/unit/standing_world.h \
	# end of unit_files

if WITH_CRITERION
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)
else
TESTS += testsuite/unit/no-criterion
endif
EXTRA_DIST += $(unit_files) testsuite/unit/no-criterion

# Golden cases: maui-golden computes them, check-schema proves by them that no honoured parameter
# is ignored
golden_sources = \
	testsuite/golden/golden.h \
	testsuite/golden/golden_accrual.c \
	testsuite/golden/golden_acl.c \
	testsuite/golden/golden_backfill.c \
	testsuite/golden/golden_case.c \
	testsuite/golden/golden_config.c \
	testsuite/golden/golden_fairshare.c \
	testsuite/golden/golden_file.c \
	testsuite/golden/golden_plan.c \
	testsuite/golden/golden_priority.c \
	testsuite/golden/golden_qos.c \
	testsuite/golden/golden_rsv.c \
	testsuite/golden/golden_schema.c \
	testsuite/golden/golden_sr_window.c \
	testsuite/golden/golden_throttling.c \
	# end of golden_sources
golden_files = \
	testsuite/golden/README.md \
	testsuite/golden/cited_rules.py \
	testsuite/golden/golden-shared.json \
	testsuite/golden/make-own-plan.py \
	testsuite/golden/make-own-rsv.py \
	testsuite/golden/make-own-throttle.py \
	testsuite/golden/make-own.py \
	testsuite/golden/own-plan.json \
	testsuite/golden/own-rsv.json \
	testsuite/golden/own-throttle.json \
	testsuite/golden/own.json \
	testsuite/golden/own_file.py \
	testsuite/golden/own_oracle.py \
	testsuite/golden/plan_jobs.py \
	testsuite/golden/plan_oracle.py \
	testsuite/golden/plan_rules.py \
	testsuite/golden/plan_sets.py \
	testsuite/golden/rsv_oracle.py \
	testsuite/golden/run \
	testsuite/golden/run-schema \
	testsuite/golden/throttle_jobs.py \
	testsuite/golden/throttle_oracle.py \
	# end of golden_files

check_PROGRAMS += testsuite/golden/maui-golden
testsuite_golden_maui_golden_SOURCES = testsuite/golden/maui-golden.c $(golden_sources)
testsuite_golden_maui_golden_CFLAGS = $(CORE_CFLAGS)
testsuite_golden_maui_golden_LDADD = libmauicore.la

check_PROGRAMS += testsuite/golden/check-schema
testsuite_golden_check_schema_SOURCES = testsuite/golden/check-schema.c $(golden_sources)
testsuite_golden_check_schema_CFLAGS = $(CORE_CFLAGS)
testsuite_golden_check_schema_LDADD = libmauicore.la

TESTS += testsuite/golden/run testsuite/golden/run-schema
EXTRA_DIST += $(golden_files)

# Fuzz targets: with libFuzzer under --enable-fuzz, else with a main that replays files and changes
# copies of them
fuzz_targets = \
	testsuite/fuzz/fuzz_config \
	testsuite/fuzz/fuzz_duration \
	testsuite/fuzz/fuzz_fsfile \
	testsuite/fuzz/fuzz_hostexpr \
	testsuite/fuzz/fuzz_rsv \
	testsuite/fuzz/fuzz_query \
	testsuite/fuzz/fuzz_remote \
	# end of fuzz_targets
check_PROGRAMS += $(fuzz_targets)
fuzz_files = \
	testsuite/fuzz/config.dict \
	testsuite/fuzz/fuzz.h \
	testsuite/fuzz/fuzz_main.c \
	testsuite/fuzz/replay \
	# end of fuzz_files
EXTRA_DIST += $(fuzz_files) testsuite/fuzz/corpus
if FUZZ
fuzz_main =
else
TESTS += testsuite/fuzz/replay
fuzz_main = testsuite/fuzz/fuzz_main.c
endif
fuzz_ldadd = libmauicore.la $(FUZZ_LDFLAGS)
testsuite_fuzz_fuzz_config_SOURCES = testsuite/fuzz/fuzz_config.c $(fuzz_main)
testsuite_fuzz_fuzz_config_LDADD = $(fuzz_ldadd)
testsuite_fuzz_fuzz_duration_SOURCES = testsuite/fuzz/fuzz_duration.c $(fuzz_main)
testsuite_fuzz_fuzz_duration_LDADD = $(fuzz_ldadd)
testsuite_fuzz_fuzz_fsfile_SOURCES = testsuite/fuzz/fuzz_fsfile.c $(fuzz_main)
testsuite_fuzz_fuzz_fsfile_LDADD = $(fuzz_ldadd)
testsuite_fuzz_fuzz_hostexpr_SOURCES = testsuite/fuzz/fuzz_hostexpr.c $(fuzz_main)
testsuite_fuzz_fuzz_hostexpr_LDADD = $(fuzz_ldadd)
testsuite_fuzz_fuzz_rsv_SOURCES = testsuite/fuzz/fuzz_rsv.c $(fuzz_main)
testsuite_fuzz_fuzz_rsv_LDADD = $(fuzz_ldadd)
testsuite_fuzz_fuzz_query_SOURCES = testsuite/fuzz/fuzz_query.c $(query_world_sources) $(fuzz_main)
testsuite_fuzz_fuzz_query_LDADD = $(fuzz_ldadd)
testsuite_fuzz_fuzz_remote_SOURCES = testsuite/fuzz/fuzz_remote.c $(fuzz_main)
testsuite_fuzz_fuzz_remote_LDADD = $(fuzz_ldadd)
# end of fuzz targets

# Simulations: maui-sim on real workloads, against start times of another simulator
sim_tests = \
	testsuite/sim/cluster \
	testsuite/sim/input \
	testsuite/sim/mutated \
	testsuite/sim/order \
	testsuite/sim/preempt \
	testsuite/sim/report \
	testsuite/sim/reserved \
	testsuite/sim/shares \
	testsuite/sim/standing \
	testsuite/sim/starts \
	testsuite/sim/story \
	# end of sim_tests
TESTS += $(sim_tests)
EXTRA_DIST += $(sim_tests) testsuite/sim/README.md testsuite/sim/lib.sh \
	testsuite/sim/reference testsuite/sim/traces

# Threads that ask one finished plan, under ThreadSanitizer
TESTS += testsuite/unit/explain-threads
EXTRA_DIST += testsuite/unit/explain-threads testsuite/unit/explain_threads.c

# Property tests: seeded random input against what must always hold; PROGRAM [ROUNDS [SEED]]
property_tests = \
	testsuite/prop/prop_choose \
	testsuite/prop/prop_claims \
	testsuite/prop/prop_ending \
	testsuite/prop/prop_offers \
	testsuite/prop/prop_fit \
	testsuite/prop/prop_plan \
	testsuite/prop/prop_promised \
	testsuite/prop/prop_rsv \
	testsuite/prop/prop_saved \
	testsuite/prop/prop_shares \
	testsuite/prop/prop_standing \
	testsuite/prop/prop_throttle \
	# end of property_tests
check_PROGRAMS += $(property_tests)
TESTS += $(property_tests)
EXTRA_DIST += testsuite/seeds.h testsuite/prop/failed_seeds.h
EXTRA_DIST += testsuite/prop/prop.h testsuite/prop/prop_cluster.h testsuite/prop/prop_dump.h \
	testsuite/prop/prop_kept.h \
	testsuite/prop/prop_limits.h testsuite/prop/prop_possible.h \
	testsuite/prop/prop_rsv.h testsuite/prop/prop_standing.h \
	testsuite/prop/prop_standing_model.h testsuite/prop/prop_use.h
testsuite_prop_prop_choose_SOURCES = testsuite/prop/prop_choose.c
testsuite_prop_prop_choose_CFLAGS = $(CORE_CFLAGS)
testsuite_prop_prop_choose_LDADD = libmauicore.la
testsuite_prop_prop_claims_SOURCES = testsuite/prop/prop_claims.c
testsuite_prop_prop_claims_CFLAGS = $(CORE_CFLAGS)
testsuite_prop_prop_claims_LDADD = libmauicore.la
testsuite_prop_prop_offers_SOURCES = testsuite/prop/prop_offers.c
testsuite_prop_prop_offers_CFLAGS = $(CORE_CFLAGS)
testsuite_prop_prop_offers_LDADD = libmauicore.la
testsuite_prop_prop_ending_SOURCES = testsuite/prop/prop_ending.c
testsuite_prop_prop_ending_CFLAGS = $(CORE_CFLAGS)
testsuite_prop_prop_ending_LDADD = libmauicore.la
testsuite_prop_prop_fit_SOURCES = testsuite/prop/prop_fit.c
testsuite_prop_prop_fit_CFLAGS = $(CORE_CFLAGS)
testsuite_prop_prop_fit_LDADD = libmauicore.la
testsuite_prop_prop_plan_SOURCES = testsuite/prop/prop_plan.c
testsuite_prop_prop_plan_CFLAGS = $(CORE_CFLAGS)
testsuite_prop_prop_plan_LDADD = libmauicore.la
testsuite_prop_prop_promised_SOURCES = testsuite/prop/prop_promised.c
testsuite_prop_prop_promised_CFLAGS = $(CORE_CFLAGS)
testsuite_prop_prop_promised_LDADD = libmauicore.la
testsuite_prop_prop_rsv_SOURCES = testsuite/prop/prop_rsv.c
testsuite_prop_prop_rsv_CFLAGS = $(CORE_CFLAGS)
testsuite_prop_prop_rsv_LDADD = libmauicore.la
testsuite_prop_prop_saved_SOURCES = testsuite/prop/prop_saved.c
testsuite_prop_prop_saved_CFLAGS = $(CORE_CFLAGS)
testsuite_prop_prop_saved_LDADD = libmauicore.la
testsuite_prop_prop_shares_SOURCES = testsuite/prop/prop_shares.c
testsuite_prop_prop_shares_CFLAGS = $(CORE_CFLAGS)
testsuite_prop_prop_shares_LDADD = libmauicore.la
testsuite_prop_prop_standing_SOURCES = testsuite/prop/prop_standing.c
testsuite_prop_prop_standing_CFLAGS = $(CORE_CFLAGS)
testsuite_prop_prop_standing_LDADD = libmauicore.la
testsuite_prop_prop_throttle_SOURCES = testsuite/prop/prop_throttle.c
testsuite_prop_prop_throttle_CFLAGS = $(CORE_CFLAGS)
testsuite_prop_prop_throttle_LDADD = libmauicore.la

# Benchmarks: built by make check, run by hand
check_PROGRAMS += testsuite/bench/bench-choices
testsuite_bench_bench_choices_SOURCES = testsuite/bench/bench-choices.c
testsuite_bench_bench_choices_CFLAGS = $(CORE_CFLAGS)
testsuite_bench_bench_choices_LDADD = libmauicore.la
check_PROGRAMS += testsuite/bench/bench-priority
testsuite_bench_bench_priority_SOURCES = testsuite/bench/bench-priority.c
testsuite_bench_bench_priority_CFLAGS = $(CORE_CFLAGS)
testsuite_bench_bench_priority_LDADD = libmauicore.la

check_PROGRAMS += testsuite/bench/bench-throttle
testsuite_bench_bench_throttle_SOURCES = testsuite/bench/bench-throttle.c
testsuite_bench_bench_throttle_CFLAGS = $(CORE_CFLAGS)
testsuite_bench_bench_throttle_LDADD = libmauicore.la

check_PROGRAMS += testsuite/bench/bench-plan
testsuite_bench_bench_plan_SOURCES = \
	testsuite/bench/bench-plan.c \
	testsuite/bench/mix.c \
	testsuite/bench/mix.h
testsuite_bench_bench_plan_CFLAGS = $(CORE_CFLAGS)
testsuite_bench_bench_plan_LDADD = libmauicore.la -lm

check_PROGRAMS += testsuite/bench/bench-answers
testsuite_bench_bench_answers_SOURCES = \
	testsuite/bench/bench-answers.c \
	testsuite/bench/mix.c \
	testsuite/bench/mix.h
testsuite_bench_bench_answers_CFLAGS = $(CORE_CFLAGS) -pthread
testsuite_bench_bench_answers_LDADD = libmauicore.la $(JSON_C_LIBS) -lm

check_PROGRAMS += testsuite/bench/bench-report
testsuite_bench_bench_report_SOURCES = \
	testsuite/bench/bench-report.c \
	testsuite/bench/mix.c \
	testsuite/bench/mix.h
testsuite_bench_bench_report_CFLAGS = $(CORE_CFLAGS)
testsuite_bench_bench_report_LDADD = libmauicore.la $(JSON_C_LIBS) -lm

check_PROGRAMS += testsuite/bench/bench-standing
testsuite_bench_bench_standing_SOURCES = testsuite/bench/bench-standing.c
testsuite_bench_bench_standing_CFLAGS = $(CORE_CFLAGS)
testsuite_bench_bench_standing_LDADD = libmauicore.la

check_PROGRAMS += testsuite/bench/bench-input
testsuite_bench_bench_input_SOURCES = testsuite/bench/bench-input.c
testsuite_bench_bench_input_CFLAGS = $(CORE_CFLAGS)
testsuite_bench_bench_input_LDADD = libmauicore.la

# For benchmarks on a slurmctld with thousands of nodes: a stand-in for their slurmd, who submits
# jobs, and a plugin that is never installed
bench_files = \
	testsuite/bench/README.md \
	testsuite/bench/bench.h \
	testsuite/bench/bench-rollup \
	testsuite/bench/bench-placement \
	testsuite/bench/bench-sched \
	testsuite/bench/many-clients \
	testsuite/bench/bench-stale \
	testsuite/bench/bench-starts \
	testsuite/bench/fake-cluster \
	testsuite/bench/fakeslurmd.c \
	testsuite/bench/fakeslurmd_runs.c \
	testsuite/bench/fakeslurmd_runs.h \
	testsuite/bench/probe-mirror.c \
	testsuite/bench/probe-start.c \
	testsuite/bench/submit-mix.c \
	# end of bench_files
EXTRA_DIST += $(bench_files)
if WITH_SLURM
check_LTLIBRARIES += testsuite/bench/sched_probe.la
testsuite_bench_sched_probe_la_SOURCES = testsuite/bench/probe-start.c
testsuite_bench_sched_probe_la_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
testsuite_bench_sched_probe_la_CFLAGS = $(SLURM_SIDE_CFLAGS)
testsuite_bench_sched_probe_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared \
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
endif
endif
