# SPDX-License-Identifier: GPL-2.0-or-later
# src/local.mk - libmauicore, libmaui, the plugins, the commands
#
# One sorted list for each directory; a header stands beside its source.

base_sources = \
	src/base/arena.c \
	src/base/arena.h \
	src/base/array.c \
	src/base/array.h \
	src/base/built_for.h \
	src/base/bulk.c \
	src/base/bulk.h \
	src/base/calendar.c \
	src/base/calendar.h \
	src/base/child.c \
	src/base/child.h \
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
	src/base/hashtable.c \
	src/base/hashtable.h \
	src/base/hostexpr.c \
	src/base/hostexpr.h \
	src/base/hostrange.c \
	src/base/hostrange.h \
	src/base/json_print.c \
	src/base/json_print.h \
	src/base/limits.h \
	src/base/masked.c \
	src/base/masked.h \
	src/base/pattern.c \
	src/base/pattern.h \
	src/base/search.h \
	src/base/sort.c \
	src/base/sort.h \
	src/base/steps.h \
	src/base/strbuf.c \
	src/base/strbuf.h \
	src/base/trust.c \
	src/base/trust.h \
	src/base/user.c \
	src/base/user.h \
	src/base/utf8.c \
	src/base/utf8.h \
	src/base/words.c \
	src/base/words.h \
	# end of base_sources

model_sources = \
	src/model/captured.h \
	src/model/comment.c \
	src/model/comment.h \
	src/model/conditions.h \
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
	src/model/gres.c \
	src/model/gres.h \
	src/model/job.h \
	src/model/limit.c \
	src/model/limit.h \
	src/model/mirror.c \
	src/model/job_action.h \
	src/model/network.c \
	src/model/network.h \
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
	src/model/estimate.h \
	src/model/staff.h \
	src/model/snapshot_intern.c \
	src/model/snapshot_private.h \
	src/model/snapshot_seal.c \
	src/model/violation.c \
	src/model/violation.h \
	src/model/when.h \
	# end of model_sources

config_sources = \
	src/config/build/build.c \
	src/config/build/build.h \
	src/config/build/creds.c \
	src/config/build/limits.c \
	src/config/build/numbers.c \
	src/config/build/private.h \
	src/config/build/reservation.c \
	src/config/build/stacks.c \
	src/config/check/admins.c \
	src/config/check/check.c \
	src/config/check/check.h \
	src/config/check/limits.c \
	src/config/check/names.c \
	src/config/check/planning.c \
	src/config/check/private.h \
	src/config/check/reservation.c \
	src/config/check/reservation.h \
	src/config/check/reservation_names.c \
	src/config/check/reservation_nodes.c \
	src/config/check/reservation_words.c \
	src/config/check/scheduler.c \
	src/config/check/slurm_settings.c \
	src/config/check/slurm_settings.h \
	src/config/check/weights.c \
	src/config/config.c \
	src/config/config.h \
	src/config/creds.c \
	src/config/creds.h \
	src/config/files.c \
	src/config/lexer.c \
	src/config/lexer.h \
	src/config/pair_limits.c \
	src/config/pair_limits.h \
	src/config/parse.c \
	src/config/parse.h \
	src/config/planning.h \
	src/config/rsv_trigger.c \
	src/config/rsv_value.c \
	src/config/rsv_value.h \
	src/config/rsv_words.c \
	src/config/schema/aliases.c \
	src/config/schema/attrs.c \
	src/config/schema/attrs.inc \
	src/config/schema/params.c \
	src/config/schema/params_ae.inc \
	src/config/schema/params_fm.inc \
	src/config/schema/params_nr.inc \
	src/config/schema/params_sx.inc \
	src/config/schema/rows.h \
	src/config/schema/schema.c \
	src/config/schema/schema.h \
	src/config/show.c \
	src/config/show.h \
	src/config/shown_lines.c \
	src/config/shown_lines.h \
	src/config/status.c \
	src/config/status.h \
	src/config/value.c \
	src/config/value.h \
	# end of config_sources

state_sources = \
	src/state/fsfile.c \
	src/state/fsfile.h \
	src/state/idle_log.c \
	src/state/idle_log.h \
	src/state/pending.c \
	src/state/pending.h \
	src/state/saved_plan/fields.c \
	src/state/saved_plan/fields.h \
	src/state/saved_plan/read.c \
	src/state/saved_plan/read.h \
	src/state/saved_plan/read_conditions.c \
	src/state/saved_plan/read_snapshot.c \
	src/state/saved_plan/saved_plan.h \
	src/state/saved_plan/tables.c \
	src/state/saved_plan/write.c \
	src/state/store/json.c \
	src/state/store/nodes.c \
	src/state/store/private.h \
	src/state/store/records.c \
	src/state/store/reservation.c \
	src/state/store/reservations.c \
	src/state/store/store.c \
	src/state/store/store.h \
	src/state/statistics.c \
	src/state/statistics.h \
	src/state/store/statistics.c \
	src/state/store/trial.c \
	src/state/trial.c \
	src/state/trial.h \
	src/state/usage.c \
	src/state/usage.h \
	src/state/usage_view.c \
	src/state/usage_view.h \
	src/state/utilisation.c \
	src/state/utilisation.h \
	# end of state_sources

timeline_sources = \
	src/timeline/build.c \
	src/timeline/claim_access.c \
	src/timeline/claim_layout.c \
	src/timeline/claims.c \
	src/timeline/claims.h \
	src/timeline/fit.c \
	src/timeline/fit.h \
	src/timeline/fit_global.c \
	src/timeline/fit_private.h \
	src/timeline/fit_sweep.c \
	src/timeline/possible.c \
	src/timeline/shape.c \
	src/timeline/shape.h \
	src/timeline/shape_private.h \
	src/timeline/timeline.c \
	src/timeline/timeline.h \
	src/timeline/window.c \
	src/timeline/window.h \
	# end of timeline_sources

policy_sources = \
	src/policy/accrual.c \
	src/policy/accrual.h \
	src/policy/alloc/alloc.c \
	src/policy/alloc/alloc.h \
	src/policy/alloc/few_leaves.c \
	src/policy/alloc/node_sets.c \
	src/policy/alloc/node_sets.h \
	src/policy/alloc/order.c \
	src/policy/alloc/private.h \
	src/policy/alloc/spread.c \
	src/policy/alloc/stretch.c \
	src/policy/alloc/switches.c \
	src/policy/backfill.c \
	src/policy/backfill.h \
	src/policy/defer.c \
	src/policy/defer.h \
	src/policy/fairshare.c \
	src/policy/fairshare.h \
	src/policy/gres_weight.c \
	src/policy/gres_weight.h \
	src/policy/priority.c \
	src/policy/priority.h \
	src/policy/publish.c \
	src/policy/publish.h \
	src/policy/qos.c \
	src/policy/qos.h \
	src/policy/slurm_usage.c \
	src/policy/slurm_usage.h \
	src/policy/time_limit.c \
	src/policy/time_limit.h \
	src/policy/throttle/check.c \
	src/policy/throttle/planned.c \
	src/policy/throttle/private.h \
	src/policy/throttle/rules.c \
	src/policy/throttle/throttle.c \
	src/policy/throttle/throttle.h \
	src/policy/throttle/when.c \
	# end of policy_sources

reservation_sources = \
	src/reservation/access/access.c \
	src/reservation/access/access.h \
	src/reservation/access/index.c \
	src/reservation/access/private.h \
	src/reservation/placement/capacity.c \
	src/reservation/placement/exclusive.c \
	src/reservation/placement/hosts.c \
	src/reservation/placement/items.c \
	src/reservation/placement/kept_nodes.c \
	src/reservation/placement/locked_nodes.c \
	src/reservation/placement/missing_tasks.c \
	src/reservation/placement/node_order.c \
	src/reservation/placement/node_use.c \
	src/reservation/placement/place.c \
	src/reservation/placement/placement.h \
	src/reservation/placement/private.h \
	src/reservation/placement/remaining.c \
	src/reservation/placement/search.c \
	src/reservation/placement/shortage.c \
	src/reservation/placement/shortage.h \
	src/reservation/placement/shortage_text.c \
	src/reservation/placement/spaceflex.c \
	src/reservation/placement/targets.c \
	src/reservation/placement/timeflex.c \
	src/reservation/triggers/trigger.c \
	src/reservation/triggers/trigger.h \
	src/reservation/windows/windows.c \
	src/reservation/windows/windows.h \
	# end of reservation_sources

plan_sources = \
	src/plan/access.c \
	src/plan/access.h \
	src/plan/access_tables.c \
	src/plan/backfill_pass.c \
	src/plan/bounds.c \
	src/plan/commit.c \
	src/plan/finish.c \
	src/plan/finished_limits.c \
	src/plan/finished.h \
	src/plan/fscap.c \
	src/plan/fscap.h \
	src/plan/limits.c \
	src/plan/occupying_jobs.c \
	src/plan/owner.c \
	src/plan/place.c \
	src/plan/plan.c \
	src/plan/plan.h \
	src/plan/preempt.c \
	src/plan/preemptees.c \
	src/plan/priority_pass.c \
	src/plan/private.h \
	src/plan/het_jobs.c \
	src/plan/job_reservations.c \
	src/plan/queue.c \
	src/plan/rank.c \
	src/plan/rank.h \
	src/plan/reasons.c \
	src/plan/suspended_jobs.c \
	src/plan/usage.c \
	# end of plan_sources

cycle_sources = \
	src/cycle/fired_triggers.c \
	src/cycle/fired_triggers.h \
	src/cycle/health.c \
	src/cycle/health.h \
	src/cycle/job_history.c \
	src/cycle/job_history.h \
	src/cycle/job_reservations.c \
	src/cycle/job_reservations.h \
	src/cycle/job_statistics.c \
	src/cycle/job_statistics.h \
	src/cycle/refused_preemptions.c \
	src/cycle/refused_preemptions.h \
	src/cycle/slurm_answers.c \
	src/cycle/slurm_answers.h \
	src/cycle/usage_charges.c \
	src/cycle/usage_charges.h \
	src/cycle/start_estimates.c \
	src/cycle/start_estimates.h \
	src/cycle/waiting.h \
	# end of cycle_sources

explain_sources = \
	src/explain/explained_job.c \
	src/explain/blocking_reservation.c \
	src/explain/blocking_reservation.h \
	src/explain/count_claims.c \
	src/explain/explain.c \
	src/explain/explain.h \
	src/explain/fits.c \
	src/explain/forecast.c \
	src/explain/made_up.c \
	src/explain/made_up.h \
	src/explain/offer.c \
	src/explain/offer.h \
	src/explain/node_reasons.c \
	src/explain/own_reservation.c \
	src/explain/private.h \
	src/explain/remainder.c \
	src/explain/shares.c \
	src/explain/shares.h \
	src/explain/text.c \
	src/explain/text.h \
	src/explain/text_line.c \
	src/explain/text_nodes.c \
	src/explain/text_private.h \
	src/explain/text_reservation.c \
	src/explain/why.c \
	src/explain/would_start.c \
	# end of explain_sources

EXTRA_DIST += src/query/README.md src/answers/README.md
query_sources = \
	src/query/changes.c \
	src/query/client.c \
	src/query/client.h \
	src/query/conn.c \
	src/query/credential.c \
	src/query/credential.h \
	src/query/listen.c \
	src/query/message.c \
	src/query/message.h \
	src/query/path.c \
	src/query/path.h \
	src/query/remote.c \
	src/query/remote.h \
	src/query/remote_client.c \
	src/query/remote_listen.c \
	src/query/server.c \
	src/query/server.h \
	src/query/server_private.h \
	src/query/stream.c \
	src/query/stream.h \
	# end of query_sources

# The credentials of login nodes: libmunge, or in a build without Slurm a file that says so
if WITH_SLURM
munge_sources = src/query/munge.c
else
munge_sources = src/query/munge_none.c
endif
EXTRA_DIST += src/query/munge.c src/query/munge_none.c

answers_sources = \
	src/answers/anonymous.c \
	src/answers/anonymous.h \
	src/answers/anonymous_private.h \
	src/answers/anonymous_rsvs.c \
	src/answers/config_json.c \
	src/answers/config_json.h \
	src/answers/credential_use.c \
	src/answers/credential_use.h \
	src/answers/credentials_json.c \
	src/answers/credentials_json.h \
	src/answers/document.c \
	src/answers/document.h \
	src/answers/document_rows.c \
	src/answers/find_job.c \
	src/answers/find_job.h \
	src/answers/fits_json.c \
	src/answers/fits_json.h \
	src/answers/fits_question.c \
	src/answers/fits_question.h \
	src/answers/fits_shape.c \
	src/answers/gres_json.c \
	src/answers/gres_json.h \
	src/answers/help_json.c \
	src/answers/help_json.h \
	src/answers/job_json.c \
	src/answers/job_json.h \
	src/answers/jobs_json.c \
	src/answers/jobs_json.h \
	src/answers/json_rows.c \
	src/answers/json_rows.h \
	src/answers/lines.c \
	src/answers/lines.h \
	src/answers/metric_families.c \
	src/answers/metric_families.h \
	src/answers/metrics_json.c \
	src/answers/metrics_json.h \
	src/answers/node_use.c \
	src/answers/node_use.h \
	src/answers/nodes_json.c \
	src/answers/nodes_json.h \
	src/answers/object.h \
	src/answers/own_creds.c \
	src/answers/own_creds.h \
	src/answers/priorities_json.c \
	src/answers/priorities_json.h \
	src/answers/queue_json.c \
	src/answers/queue_json.h \
	src/answers/queue_sums.c \
	src/answers/queue_sums.h \
	src/answers/report_json.c \
	src/answers/report_json.h \
	src/answers/report_queue.c \
	src/answers/rsv_json.c \
	src/answers/rsv_json.h \
	src/answers/rsv_walk.c \
	src/answers/rsv_walk.h \
	src/answers/rsv_text.c \
	src/answers/rsv_text.h \
	src/answers/schedule.c \
	src/answers/schedule.h \
	src/answers/schedule_fold.c \
	src/answers/schedule_json.c \
	src/answers/schedule_rows.c \
	src/answers/share_json.c \
	src/answers/share_json.h \
	src/answers/snapshot_json.c \
	src/answers/snapshot_json.h \
	src/answers/start_json.c \
	src/answers/state_json.c \
	src/answers/state_json.h \
	src/answers/state_problems.c \
	src/answers/start_json.h \
	src/answers/statistics_json.c \
	src/answers/statistics_json.h \
	src/answers/trial_json.c \
	src/answers/trial_json.h \
	src/answers/verbs.c \
	src/answers/verbs.h \
	src/answers/wait_text.c \
	src/answers/wait_text.h \
	# end of answers_sources

admin_sources = \
	src/admin/admin.c \
	src/admin/admin.h \
	src/admin/bounds.c \
	src/admin/bounds.h \
	src/admin/config_line.c \
	src/admin/config_line.h \
	src/admin/hosts.c \
	src/admin/hosts.h \
	src/admin/jobs.c \
	src/admin/jobs.h \
	src/admin/parse.c \
	src/admin/parse.h \
	src/admin/release.c \
	src/admin/restore.c \
	src/admin/rights.c \
	src/admin/rights.h \
	src/admin/running.c \
	src/admin/running.h \
	src/admin/statistics.c \
	src/admin/statistics.h \
	src/admin/trial.c \
	src/admin/trial.h \
	# end of admin_sources

# Pictures of answers, for the commands and maui-sim
report_sources = \
	src/report/blocks.c \
	src/report/blocks.h \
	src/report/fairshare.c \
	src/report/layout.c \
	src/report/layout.h \
	src/report/page.c \
	src/report/page.h \
	src/report/parts.c \
	src/report/parts.h \
	src/report/pictures.h \
	src/report/priority.c \
	src/report/queue.c \
	src/report/read.h \
	src/report/schedule.c \
	src/report/style.c \
	src/report/svg.c \
	src/report/svg.h \
	src/report/utilisation.c \
	src/report/why.c \
	src/report/words.c \
	src/report/words.h \
	# end of report_sources

# A cluster out of a slurm.conf: the command reads it, too
slurmconf_sources = \
	src/base/lines.c \
	src/base/lines.h \
	src/base/number.h \
	src/slurmconf/client_conf.c \
	src/slurmconf/client_conf.h \
	src/slurmconf/conf.c \
	src/slurmconf/conf.h \
	src/slurmconf/slurmconf.c \
	src/slurmconf/slurmconf.h \
	# end of slurmconf_sources

sim_core_sources = \
	src/sim/charge.c \
	src/sim/charge.h \
	src/sim/cluster.c \
	src/sim/cluster.h \
	src/sim/compare.c \
	src/sim/conditions.c \
	src/sim/conditions.h \
	src/sim/compare.h \
	src/sim/ends.c \
	src/sim/ends.h \
	src/sim/engine.c \
	src/sim/engine.h \
	src/sim/engine_jobs.c \
	src/sim/engine_plan.c \
	src/sim/engine_private.h \
	src/sim/future.c \
	src/sim/future.h \
	src/sim/report.c \
	src/sim/report.h \
	src/sim/report_json.c \
	src/sim/report_page.c \
	src/sim/report_page.h \
	src/sim/results.c \
	src/sim/results.h \
	src/sim/rsvs.c \
	src/sim/rsvs.h \
	src/sim/saved.c \
	src/sim/saved.h \
	src/sim/trace.c \
	src/sim/trace.h \
	# end of sim_core_sources

sim_sources = \
	$(slurmconf_sources) \
	$(sim_core_sources) \
	src/sim/args.c \
	src/sim/args.h \
	src/sim/maui-sim.c \
	src/sim/sacct.c \
	src/sim/swf.c \
	# end of sim_sources

slurm_sources = \
	src/slurm/abi.c \
	src/slurm/abi.h \
	src/slurm/associations/last_count.c \
	src/slurm/associations/private.h \
	src/slurm/associations/record.c \
	src/slurm/associations/shares.c \
	src/slurm/associations/shares.h \
	src/slurm/associations/usage.c \
	src/slurm/associations/usage.h \
	src/slurm/capture/active.c \
	src/slurm/capture/build.c \
	src/slurm/capture/cluster.c \
	src/slurm/capture/cluster.h \
	src/slurm/capture/gres.c \
	src/slurm/capture/conditions.c \
	src/slurm/capture/conditions.h \
	src/slurm/capture/jobs.c \
	src/slurm/capture/jobs.h \
	src/slurm/capture/network.c \
	src/slurm/capture/nodes.c \
	src/slurm/capture/preemption.c \
	src/slurm/capture/preemption.h \
	src/slurm/capture/private.h \
	src/slurm/capture/recur.c \
	src/slurm/capture/recur.h \
	src/slurm/capture/reservations.c \
	src/slurm/capture/resv.c \
	src/slurm/capture/resv.h \
	src/slurm/capture/share.c \
	src/slurm/capture/staff.c \
	src/slurm/capture/staff.h \
	src/slurm/capture/walk.c \
	src/slurm/capture/walk.h \
	src/slurm/change_job.c \
	src/slurm/change_job.h \
	src/slurm/compat.h \
	src/slurm/compat_het.h \
	src/slurm/compat_network.h \
	src/slurm/compat_preempt.h \
	src/slurm/compat_request.h \
	src/slurm/compat_resv.h \
	src/slurm/compat_start.h \
	src/slurm/eligible/arrays.c \
	src/slurm/eligible/arrays.h \
	src/slurm/eligible/eligible.c \
	src/slurm/eligible/eligible.h \
	src/slurm/eligible/magnetic.c \
	src/slurm/eligible/magnetic.h \
	src/slurm/eligible/private.h \
	src/slurm/eligible/request.c \
	src/slurm/eligible/request.h \
	src/slurm/eligible/request_features.c \
	src/slurm/eligible/request_gres.c \
	src/slurm/eligible/request_inexact.c \
	src/slurm/eligible/request_kinds.c \
	src/slurm/eligible/request_nodes.c \
	src/slurm/eligible/request_supply.c \
	src/slurm/eligible/rows.c \
	src/slurm/eligible/verdict.c \
	src/slurm/eligible/verdict.h \
	src/slurm/events.c \
	src/slurm/events.h \
	src/slurm/het_jobs.c \
	src/slurm/het_jobs.h \
	src/slurm/hold.h \
	src/slurm/mirror/adopt.c \
	src/slurm/mirror/form.c \
	src/slurm/mirror/list.c \
	src/slurm/mirror/list.h \
	src/slurm/mirror/mirror.c \
	src/slurm/mirror/mirror.h \
	src/slurm/mirror/plan.c \
	src/slurm/mirror/plan.h \
	src/slurm/mirror/private.h \
	src/slurm/mirror/settle.c \
	src/slurm/publish/comment.c \
	src/slurm/publish/comment.h \
	src/slurm/publish/factors.c \
	src/slurm/publish/factors.h \
	src/slurm/publish/jobs.c \
	src/slurm/publish/jobs.h \
	src/slurm/publish/nodes.c \
	src/slurm/publish/nodes.h \
	src/slurm/publish/priorities.c \
	src/slurm/publish/priorities.h \
	src/slurm/publish/reason.c \
	src/slurm/publish/reason.h \
	src/slurm/sole_scheduler.c \
	src/slurm/sole_scheduler.h \
	src/slurm/start/ask_preemption.c \
	src/slurm/start/ask_preemption.h \
	src/slurm/start/fingerprint.c \
	src/slurm/start/hide_cores.c \
	src/slurm/start/hide_cores.h \
	src/slurm/start/lock.c \
	src/slurm/start/preempt.c \
	src/slurm/start/preempt.h \
	src/slurm/start/prepare.c \
	src/slurm/start/private.h \
	src/slurm/start/refusal.c \
	src/slurm/start/refusal.h \
	src/slurm/start/resume.c \
	src/slurm/start/resume.h \
	src/slurm/start/start.c \
	src/slurm/start/together.c \
	src/slurm/start/start.h \
	src/slurm/start/start_reservation.c \
	src/slurm/start/start_reservation.h \
	src/slurm/start/test.c \
	# end of slurm_sources

controller_sources = \
	src/controller/agent.c \
	src/controller/config_changes.c \
	src/controller/controller.c \
	src/controller/controller.h \
	src/controller/crash_guard.c \
	src/controller/crash_guard.h \
	src/controller/load.c \
	src/controller/names.c \
	src/controller/names.h \
	src/controller/private.h \
	src/controller/priority_cycle.c \
	src/controller/priority_cycle.h \
	src/controller/query.c \
	src/controller/query.h \
	src/controller/remote.c \
	src/controller/remote.h \
	src/controller/rank.c \
	src/controller/rank.h \
	src/controller/sched/admin_changes.c \
	src/controller/sched/adopt_mirrors.c \
	src/controller/sched/ask_preemptions.c \
	src/controller/sched/carry.c \
	src/controller/sched/check_nodes.c \
	src/controller/sched/cycle.c \
	src/controller/sched/estimates.c \
	src/controller/sched/cycle.h \
	src/controller/sched/fill.c \
	src/controller/sched/job_changes.c \
	src/controller/sched/mirrors.c \
	src/controller/sched/possible.c \
	src/controller/sched/preempt.c \
	src/controller/sched/preempted.c \
	src/controller/sched/private.h \
	src/controller/sched/publish_document.c \
	src/controller/sched/publish_jobs.c \
	src/controller/sched/released.c \
	src/controller/sched/reservations.c \
	src/controller/sched/starts.c \
	src/controller/sched/stats.c \
	src/controller/sched/test_mode.c \
	src/controller/sched/trial.c \
	src/controller/sched/triggers.c \
	src/controller/sched/usage_records.c \
	src/controller/sched/utilisation.c \
	src/controller/state_dir.c \
	src/controller/submit.c \
	src/controller/submit.h \
	src/controller/submit_advres.c \
	# end of controller_sources

cmd_sources = \
	src/cmd/ask.c \
	src/cmd/ask.h \
	src/cmd/cmd.h \
	src/cmd/change_job.c \
	src/cmd/change_job.h \
	src/cmd/cmd_canceljob.c \
	src/cmd/cmd_changeparam.c \
	src/cmd/cmd_checkjob.c \
	src/cmd/cmd_checknode.c \
	src/cmd/cmd_config.c \
	src/cmd/cmd_config_check.c \
	src/cmd/cmd_config_explain.c \
	src/cmd/cmd_config_show.c \
	src/cmd/cmd_detach.c \
	src/cmd/cmd_diagnose.c \
	src/cmd/cmd_fits.c \
	src/cmd/cmd_metrics.c \
	src/cmd/cmd_migrate.c \
	src/cmd/cmd_preflight.c \
	src/cmd/cmd_queue.c \
	src/cmd/cmd_reconfigure.c \
	src/cmd/cmd_releaseres.c \
	src/cmd/cmd_resetstats.c \
	src/cmd/cmd_report.c \
	src/cmd/cmd_runjob.c \
	src/cmd/cmd_sethold.c \
	src/cmd/cmd_setres.c \
	src/cmd/cmd_setspri.c \
	src/cmd/cmd_share.c \
	src/cmd/cmd_showconfig.c \
	src/cmd/cmd_showq.c \
	src/cmd/cmd_showbf.c \
	src/cmd/cmd_snapshot.c \
	src/cmd/cmd_trial.c \
	src/cmd/cmd_showres.c \
	src/cmd/fits_query.c \
	src/cmd/fits_query.h \
	src/cmd/cmd_showstart.c \
	src/cmd/cmd_showstate.c \
	src/cmd/cmd_showstats.c \
	src/cmd/statistics_grid.c \
	src/cmd/statistics_grid.h \
	src/cmd/cmd_version.c \
	src/cmd/cmd_whatif.c \
	src/cmd/detach.c \
	src/cmd/detach.h \
	src/cmd/setres.h \
	src/cmd/whatif.c \
	src/cmd/whatif.h \
	src/cmd/whatif_setres.c \
	src/cmd/diagnose/credentials.c \
	src/cmd/diagnose/diagnose.h \
	src/cmd/diagnose/fairshare.c \
	src/cmd/diagnose/jobs.c \
	src/cmd/diagnose/nodes.c \
	src/cmd/diagnose/priority.c \
	src/cmd/diagnose/reservations.c \
	src/cmd/job.c \
	src/cmd/job.h \
	src/cmd/machine.c \
	src/cmd/machine.h \
	src/cmd/maui.c \
	src/cmd/migrate/history.c \
	src/cmd/migrate/history.h \
	src/cmd/migrate/migration.h \
	src/cmd/migrate/new_config.c \
	src/cmd/migrate/new_config.h \
	src/cmd/migrate/report.c \
	src/cmd/migrate/slurm_lines.c \
	src/cmd/migrate/slurm_lines.h \
	src/cmd/migrate/summary.c \
	src/cmd/options.c \
	src/cmd/output.c \
	src/cmd/query.c \
	src/cmd/query.h \
	src/cmd/preflight/as_user.c \
	src/cmd/preflight/conf.c \
	src/cmd/preflight/features.c \
	src/cmd/preflight/places.c \
	src/cmd/preflight/plugins.c \
	src/cmd/preflight/preflight.h \
	src/cmd/queue_ask.c \
	src/cmd/queue_ask.h \
	src/cmd/rows.c \
	src/cmd/rows.h \
	src/cmd/slurm_command.c \
	src/cmd/slurm_command.h \
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
	$(reservation_sources) \
	$(plan_sources) \
	$(cycle_sources) \
	$(explain_sources) \
	$(query_sources) \
	$(answers_sources) \
	$(admin_sources) \
	$(report_sources) \
	# end of libmauicore_la_SOURCES
libmauicore_la_CFLAGS = $(CORE_CFLAGS) -pthread
libmauicore_la_LIBADD = $(JSON_C_LIBS) $(NETTLE_LIBS) $(PCRE2_LIBS) -lm

# The command: runs where no Slurm is, on a maui.cfg brought along.
bin_PROGRAMS += maui
maui_SOURCES = $(cmd_sources) $(slurmconf_sources) $(sim_core_sources) $(munge_sources)
maui_CFLAGS = $(CORE_CFLAGS) $(MUNGE_CFLAGS) $(SMARTCOLS_CFLAGS) $(ZLIB_CFLAGS)
maui_LDADD = libmauicore.la $(MUNGE_LIBS) $(SMARTCOLS_LIBS) $(JSON_C_LIBS) $(ZLIB_LIBS) -lm

# Maui's own names, which it goes by as well. One that is there already and no link of ours, of
# another scheduler perhaps, is left alone: `maui showres` does the same.
maui_names = canceljob changeparam checkjob checknode diagnose releasehold releaseres resetstats runjob \
	sethold setres setspri showbf showconfig showq \
	showres showstart showstate showstats

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
