# SPDX-License-Identifier: GPL-2.0-or-later
# src/local.mk - libmauicore, libmaui, the plugins, the commands
#
# One sorted list for each directory; a header stands beside its source.

base_sources = \
	src/base/arena.c \
	src/base/arena.h \
	src/base/array.c \
	src/base/array.h \
	src/base/bulk.c \
	src/base/bulk.h \
	src/base/child.c \
	src/base/child.h \
	src/base/calendar.c \
	src/base/calendar.h \
	src/base/clock.c \
	src/base/clock.h \
	src/base/diag.c \
	src/base/diag.h \
	src/base/duration.c \
	src/base/duration.h \
	src/base/err.c \
	src/base/err.h \
	src/base/file.c \
	src/base/file.h \
	src/base/hash.h \
	src/base/hostexpr.c \
	src/base/hostexpr.h \
	src/base/hostrange.c \
	src/base/hostrange.h \
	src/base/idmap.c \
	src/base/idmap.h \
	src/base/json_print.c \
	src/base/json_print.h \
	src/base/limits.h \
	src/base/pattern.c \
	src/base/pattern.h \
	src/base/sort.c \
	src/base/sort.h \
	src/base/steps.h \
	src/base/strbuf.c \
	src/base/strbuf.h \
	src/base/trust.c \
	src/base/trust.h \
	src/base/utf8.c \
	src/base/utf8.h \
	src/base/user.c \
	src/base/user.h \
	src/base/words.c \
	src/base/words.h \
	# end of base_sources

model_sources = \
	src/model/access.h \
	src/model/acl.h \
	src/model/cred.c \
	src/model/cred.h \
	src/model/decision.c \
	src/model/decision.h \
	src/model/factor.c \
	src/model/factor.h \
	src/model/features.c \
	src/model/features.h \
	src/model/job.h \
	src/model/limit.c \
	src/model/limit.h \
	src/model/mirror.c \
	src/model/mirror.h \
	src/model/priority.h \
	src/model/reason.c \
	src/model/reason.h \
	src/model/rsv.c \
	src/model/rsv.h \
	src/model/rsv_names.c \
	src/model/rsv_names.h \
	src/model/snapshot.c \
	src/model/snapshot.h \
	src/model/snapshot_intern.c \
	src/model/snapshot_private.h \
	src/model/snapshot_seal.c \
	src/model/violation.c \
	src/model/violation.h \
	src/model/when.h \
	# end of model_sources

config_sources = \
	src/config/build.c \
	src/config/build.h \
	src/config/build_limits.c \
	src/config/build_limits.h \
	src/config/build_nodes.c \
	src/config/build_nodes.h \
	src/config/build_rsv.c \
	src/config/build_rsv.h \
	src/config/build_stacks.c \
	src/config/build_stacks.h \
	src/config/check.c \
	src/config/check.h \
	src/config/check_admins.c \
	src/config/check_limits.c \
	src/config/check_names.c \
	src/config/check_planning.c \
	src/config/check_private.h \
	src/config/check_rsv.c \
	src/config/check_rsv.h \
	src/config/check_rsv_names.c \
	src/config/check_rsv_nodes.c \
	src/config/check_rsv_stacked.c \
	src/config/check_rsv_stacked.h \
	src/config/check_rsv_words.c \
	src/config/check_scheduler.c \
	src/config/config.c \
	src/config/config.h \
	src/config/files.c \
	src/config/lexer.c \
	src/config/lexer.h \
	src/config/pairs.c \
	src/config/pairs.h \
	src/config/parse.c \
	src/config/parse.h \
	src/config/planning.h \
	src/config/rsv_trigger.c \
	src/config/rsv_value.c \
	src/config/rsv_value.h \
	src/config/rsv_words.c \
	src/config/schema.c \
	src/config/schema.h \
	src/config/schema_aliases.c \
	src/config/schema_attrs.c \
	src/config/schema_attrs.inc \
	src/config/schema_params.c \
	src/config/schema_params_ae.inc \
	src/config/schema_params_fm.inc \
	src/config/schema_params_nr.inc \
	src/config/schema_params_sx.inc \
	src/config/schema_rows.h \
	src/config/value.c \
	src/config/value.h \
	# end of config_sources

state_sources = \
	src/state/bill.c \
	src/state/bill.h \
	src/state/due.c \
	src/state/due.h \
	src/state/fsfile.c \
	src/state/fsfile.h \
	src/state/store.c \
	src/state/store.h \
	src/state/store_json.c \
	src/state/store_nodes.c \
	src/state/store_private.h \
	src/state/store_record.c \
	src/state/store_rsv.c \
	src/state/store_rsv_one.c \
	src/state/usage.c \
	src/state/usage.h \
	# end of state_sources

timeline_sources = \
	src/timeline/build.c \
	src/timeline/claims.c \
	src/timeline/claims.h \
	src/timeline/fit.c \
	src/timeline/fit.h \
	src/timeline/fit_global.c \
	src/timeline/fit_private.h \
	src/timeline/fit_sweep.c \
	src/timeline/lay.c \
	src/timeline/possible.c \
	src/timeline/shape.c \
	src/timeline/shape.h \
	src/timeline/shape_private.h \
	src/timeline/timeline.c \
	src/timeline/timeline.h \
	src/timeline/visit.c \
	src/timeline/window.c \
	src/timeline/window.h \
	# end of timeline_sources

policy_sources = \
	src/policy/access.c \
	src/policy/access.h \
	src/policy/access_index.c \
	src/policy/access_private.h \
	src/policy/accrual.c \
	src/policy/accrual.h \
	src/policy/alloc.c \
	src/policy/alloc.h \
	src/policy/alloc_private.h \
	src/policy/alloc_spread.c \
	src/policy/backfill.c \
	src/policy/backfill.h \
	src/policy/defer.c \
	src/policy/defer.h \
	src/policy/explain.c \
	src/policy/explain.h \
	src/policy/explain_private.h \
	src/policy/explain_rsv.c \
	src/policy/fairshare.c \
	src/policy/fairshare.h \
	src/policy/priority.c \
	src/policy/priority.h \
	src/policy/publish.c \
	src/policy/publish.h \
	src/policy/qos.c \
	src/policy/qos.h \
	src/policy/standing.c \
	src/policy/standing.h \
	src/policy/standing_ending.c \
	src/policy/standing_fill.c \
	src/policy/standing_flex.c \
	src/policy/standing_holders.c \
	src/policy/standing_hosts.c \
	src/policy/standing_keep.c \
	src/policy/standing_ledger.c \
	src/policy/standing_place.c \
	src/policy/standing_private.h \
	src/policy/standing_rank.c \
	src/policy/standing_room.c \
	src/policy/standing_search.c \
	src/policy/standing_search.h \
	src/policy/standing_vain.c \
	src/policy/standing_sole.c \
	src/policy/standing_windows.c \
	src/policy/standing_works.c \
	src/policy/throttle.c \
	src/policy/throttle.h \
	src/policy/throttle_check.c \
	src/policy/throttle_plan.c \
	src/policy/throttle_private.h \
	src/policy/throttle_rules.c \
	src/policy/throttle_when.c \
	src/policy/trigger.c \
	src/policy/trigger.h \
	# end of policy_sources

plan_sources = \
	src/plan/access.c \
	src/plan/access.h \
	src/plan/alone.c \
	src/plan/bounds.c \
	src/plan/census.c \
	src/plan/commit.c \
	src/plan/fscap.c \
	src/plan/fscap.h \
	src/plan/gaps.c \
	src/plan/keeper.c \
	src/plan/lanes.c \
	src/plan/lanes.h \
	src/plan/lasting.c \
	src/plan/left.c \
	src/plan/left.h \
	src/plan/limits.c \
	src/plan/obstacle.c \
	src/plan/owner.c \
	src/plan/place.c \
	src/plan/plan.c \
	src/plan/plan.h \
	src/plan/preempt.c \
	src/plan/private.h \
	src/plan/promise.c \
	src/plan/queue.c \
	src/plan/rank.c \
	src/plan/rank.h \
	src/plan/reasons.c \
	src/plan/resume.c \
	src/plan/squat.c \
	src/plan/strict.c \
	src/plan/tables.c \
	src/plan/until.c \
	src/plan/usage.c \
	src/plan/walk.c \
	# end of plan_sources

EXTRA_DIST += src/query/README.md
query_sources = \
	src/query/admin.c \
	src/query/admin.h \
	src/query/admin_hosts.c \
	src/query/admin_hosts.h \
	src/query/admin_parse.c \
	src/query/admin_parse.h \
	src/query/admin_release.c \
	src/query/admin_restore.c \
	src/query/changes.c \
	src/query/client.c \
	src/query/client.h \
	src/query/conn.c \
	src/query/document.c \
	src/query/document.h \
	src/query/document_rows.c \
	src/query/listen.c \
	src/query/message.c \
	src/query/message.h \
	src/query/path.c \
	src/query/path.h \
	src/query/rights.c \
	src/query/rights.h \
	src/query/rsv_json.c \
	src/query/rsv_json.h \
	src/query/rsv_text.c \
	src/query/rsv_text.h \
	src/query/server.c \
	src/query/server.h \
	src/query/server_private.h \
	src/query/verbs.c \
	src/query/verbs.h \
	# end of query_sources

# A cluster out of a slurm.conf: the command reads it, too
sim_conf_sources = \
	src/sim/cluster.c \
	src/sim/cluster.h \
	src/sim/cluster_conf.c \
	src/sim/conf.c \
	src/sim/conf.h \
	src/sim/hostlist.c \
	src/sim/hostlist.h \
	src/sim/lines.c \
	src/sim/lines.h \
	# end of sim_conf_sources

sim_sources = \
	$(sim_conf_sources) \
	src/sim/charge.c \
	src/sim/charge.h \
	src/sim/ends.c \
	src/sim/ends.h \
	src/sim/engine.c \
	src/sim/engine.h \
	src/sim/maui-sim.c \
	src/sim/report.c \
	src/sim/report.h \
	src/sim/report_json.c \
	src/sim/results.c \
	src/sim/results.h \
	src/sim/rsvs.c \
	src/sim/rsvs.h \
	src/sim/sacct.c \
	src/sim/swf.c \
	src/sim/trace.c \
	src/sim/trace.h \
	# end of sim_sources

slurm_sources = \
	src/slurm/abi.c \
	src/slurm/abi.h \
	src/slurm/apply.c \
	src/slurm/apply.h \
	src/slurm/arrays.c \
	src/slurm/arrays.h \
	src/slurm/capture.c \
	src/slurm/capture.h \
	src/slurm/cluster.c \
	src/slurm/cluster.h \
	src/slurm/cluster_active.c \
	src/slurm/cluster_build.c \
	src/slurm/cluster_gres.c \
	src/slurm/cluster_nodes.c \
	src/slurm/cluster_private.h \
	src/slurm/cluster_resv.c \
	src/slurm/cluster_share.c \
	src/slurm/cluster_walk.c \
	src/slurm/cluster_walk.h \
	src/slurm/comment.c \
	src/slurm/comment.h \
	src/slurm/compat.h \
	src/slurm/eligible.c \
	src/slurm/eligible.h \
	src/slurm/eligible_private.h \
	src/slurm/eligible_rows.c \
	src/slurm/events.c \
	src/slurm/events.h \
	src/slurm/factors.c \
	src/slurm/factors.h \
	src/slurm/fingerprint.c \
	src/slurm/hold.h \
	src/slurm/keep_off.c \
	src/slurm/keep_off.h \
	src/slurm/magnet.c \
	src/slurm/magnet.h \
	src/slurm/mirror.c \
	src/slurm/mirror.h \
	src/slurm/mirror_form.c \
	src/slurm/mirror_list.c \
	src/slurm/mirror_list.h \
	src/slurm/mirror_plan.c \
	src/slurm/mirror_plan.h \
	src/slurm/mirror_private.h \
	src/slurm/mirror_settle.c \
	src/slurm/mirror_stray.c \
	src/slurm/mirror_stray.h \
	src/slurm/only.c \
	src/slurm/only.h \
	src/slurm/pass.c \
	src/slurm/pass.h \
	src/slurm/recur.c \
	src/slurm/recur.h \
	src/slurm/request.c \
	src/slurm/request.h \
	src/slurm/request_features.c \
	src/slurm/request_gres.c \
	src/slurm/request_kinds.c \
	src/slurm/request_nodes.c \
	src/slurm/resume.c \
	src/slurm/resume.h \
	src/slurm/resv.c \
	src/slurm/resv.h \
	src/slurm/start.c \
	src/slurm/start.h \
	src/slurm/start_prepare.c \
	src/slurm/start_private.h \
	src/slurm/tell.c \
	src/slurm/tell.h \
	src/slurm/vacate.c \
	src/slurm/vacate.h \
	src/slurm/verdict.c \
	src/slurm/verdict.h \
	# end of slurm_sources

context_sources = \
	src/context/agent.c \
	src/context/brake.c \
	src/context/brake.h \
	src/context/context.c \
	src/context/context.h \
	src/context/internal.h \
	src/context/ledger.c \
	src/context/ledger.h \
	src/context/load.c \
	src/context/names.c \
	src/context/names.h \
	src/context/query.c \
	src/context/query.h \
	src/context/rank.c \
	src/context/rank.h \
	src/context/sched.c \
	src/context/sched.h \
	src/context/sched_aside.c \
	src/context/sched_bars.c \
	src/context/sched_carry.c \
	src/context/sched_change.c \
	src/context/sched_check.c \
	src/context/sched_fill.c \
	src/context/sched_mirror.c \
	src/context/sched_private.h \
	src/context/sched_publish.c \
	src/context/sched_record.c \
	src/context/sched_rename.c \
	src/context/sched_rsv.c \
	src/context/sched_start.c \
	src/context/sched_stats.c \
	src/context/sched_stray.c \
	src/context/sched_tell.c \
	src/context/sched_test.c \
	src/context/sched_trigger.c \
	src/context/sched_vacate.c \
	src/context/state_dir.c \
	src/context/submit.c \
	src/context/submit.h \
	src/context/submit_advres.c \
	src/context/tracks.c \
	src/context/tracks.h \
	# end of context_sources

cmd_sources = \
	src/cmd/cmd.h \
	src/cmd/cmd_config.c \
	src/cmd/cmd_config_check.c \
	src/cmd/cmd_config_explain.c \
	src/cmd/cmd_config_show.c \
	src/cmd/cmd_diagnose.c \
	src/cmd/cmd_releaseres.c \
	src/cmd/cmd_setres.c \
	src/cmd/cmd_showres.c \
	src/cmd/cmd_detach.c \
	src/cmd/cmd_version.c \
	src/cmd/machine.c \
	src/cmd/machine.h \
	src/cmd/maui.c \
	src/cmd/options.c \
	src/cmd/query.c \
	src/cmd/query.h \
	src/cmd/socket.c \
	src/cmd/socket.h \
	src/cmd/table.c \
	src/cmd/table.h \
	# end of cmd_sources

# libmauicore: the core, static, inside of everything else, and both ends of the query socket. Needs
# no Slurm and no munge.
noinst_LTLIBRARIES += libmauicore.la
libmauicore_la_SOURCES = \
	$(base_sources) \
	$(model_sources) \
	$(config_sources) \
	$(state_sources) \
	$(timeline_sources) \
	$(policy_sources) \
	$(plan_sources) \
	$(query_sources) \
	# end of libmauicore_la_SOURCES
libmauicore_la_CFLAGS = $(CORE_CFLAGS) -pthread
libmauicore_la_LIBADD = $(JSON_C_LIBS) $(PCRE2_LIBS) -lm

# The command: runs where no Slurm is, on a maui.cfg brought along.
bin_PROGRAMS += maui
maui_SOURCES = $(cmd_sources) $(sim_conf_sources)
maui_CFLAGS = $(CORE_CFLAGS) $(SMARTCOLS_CFLAGS) $(ZLIB_CFLAGS)
maui_LDADD = libmauicore.la $(SMARTCOLS_LIBS) $(JSON_C_LIBS) $(ZLIB_LIBS)

# Maui's own names, which it goes by as well. One that is there already and no link of ours, of
# another scheduler perhaps, is left alone: `maui showres` does the same.
maui_names = diagnose releaseres setres showres

# The simulator: a workload under a maui.cfg
bin_PROGRAMS += maui-sim
maui_sim_SOURCES = $(sim_sources)
maui_sim_CFLAGS = $(CORE_CFLAGS) $(ZLIB_CFLAGS)
maui_sim_LDADD = libmauicore.la $(JSON_C_LIBS) $(ZLIB_LIBS) -lm

if WITH_SLURM

# libmaui.so: core, context and slurm, once in slurmctld however many plugins use it. Only the
# functions of context and slurm can be called from outside, the core stays hidden inside.
pkglib_LTLIBRARIES += libmaui.la
libmaui_la_SOURCES = \
	$(slurm_sources) \
	$(context_sources) \
	# end of libmaui_la_SOURCES
libmaui_la_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
libmaui_la_CFLAGS = $(SLURM_SIDE_CFLAGS)
libmaui_la_LDFLAGS = $(AM_LDFLAGS) -avoid-version -shared -export-symbols-regex '^maui_'
libmaui_la_LIBADD = libmauicore.la

# The plugins. slurmctld's own symbols stay undefined in them, its executable has them; what they
# show is what Slurm looks up by name.
PLUGIN_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -Wl,--enable-new-dtags \
	-export-symbols-regex '^(plugin_(name|type|version)|init|fini|(priority|sched)_p_.*|job_(submit|modify))$$'

slurmplugin_LTLIBRARIES += priority_maui.la
priority_maui_la_SOURCES = priority_maui/priority_maui.c
priority_maui_la_CPPFLAGS = $(SLURM_SIDE_CPPFLAGS)
priority_maui_la_CFLAGS = $(SLURM_SIDE_CFLAGS)
priority_maui_la_LDFLAGS = $(PLUGIN_LDFLAGS)
priority_maui_la_LIBADD = libmaui.la

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
