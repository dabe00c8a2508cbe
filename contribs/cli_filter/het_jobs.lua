-- SPDX-License-Identifier: GPL-2.0-or-later
-- het_jobs.lua - tells a user before the submission that het jobs do not start here: HETJOBS is OFF
--
-- For hosts where users submit, as cli_filter.lua beside slurm.conf, with
-- CliFilterPlugins=cli_filter/lua. A site that has a cli_filter.lua adds the function below to its
-- own slurm_cli_pre_submit(). slurmctld refuses such a job anyway, but does not say why.

-- Slurm calls it for each component of a het job; `offset` is the component's place.
function slurm_cli_pre_submit(options, offset)
	-- srun in a job starts a step, which may have several components
	local is_step = options["type"] == "srun" and os.getenv("SLURM_JOB_ID") ~= nil

	if offset == 0 or is_step then
		return slurm.SUCCESS
	end
	slurm.log_error("het jobs (with ':') do not run on this cluster: maui.cfg has not HETJOBS ON.")
	slurm.log_error("Ask for one set of nodes that serves all parts, and start the parts with srun as steps;")
	slurm.log_error("or submit one job for each part, with --dependency.")
	return slurm.ERROR
end

function slurm_cli_setup_defaults(options, early)
	return slurm.SUCCESS
end

function slurm_cli_post_submit(offset, job_id, step_id)
	return slurm.SUCCESS
end
