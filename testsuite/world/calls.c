/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calls.c - slurmctld's other functions and variables that libmaui.so uses
 *
 * What this cluster has none of (associations, switches, burst buffers) answers so. Calls that
 * only its commands make end the run: nobody gives such a command.
 */

#include "world.h"

#include <stdarg.h>
#include <sys/random.h>

#include "src/common/node_features.h"
#include "src/slurmctld/fed_mgr.h"
#include "src/slurmctld/slurmctld_plugstack.h"

uint16_t accounting_enforce;
void *acct_db_conn;
slurmdb_federation_rec_t *fed_mgr_fed_rec;
slurm_nonstop_ops_t nonstop_ops;
bool preempt_send_user_signal;
slurmctld_config_t slurmctld_config;
diag_stats_t slurmctld_diag_stats;
int slurmctld_tres_cnt = TRES_ARRAY_TOTAL_CNT;

#define NOT_HERE world_fault("%s() is called", __func__)

/* ---- jobs ---- */

job_record_t *find_job_record(uint32_t job_id)
{
	ListIterator iterator;
	job_record_t *job_ptr;

	world_need("find_job_record", 0, 1, 0, 0);
	iterator = list_iterator_create(world_tables.jobs);
	while ((job_ptr = list_next(iterator)) && job_ptr->job_id != job_id)
		;
	list_iterator_destroy(iterator);
	return job_ptr;
}

job_record_t *find_job_array_rec(uint32_t array_job_id, uint32_t array_task_id)
{
	ListIterator iterator = list_iterator_create(world_tables.jobs);
	job_record_t *job_ptr;

	while ((job_ptr = list_next(iterator)) &&
	       (job_ptr->array_job_id != array_job_id || job_ptr->array_task_id != array_task_id))
		;
	list_iterator_destroy(iterator);
	return job_ptr;
}

void job_array_pre_sched(job_record_t *job_ptr)
{
	if (!job_ptr->array_recs || !job_ptr->array_recs->task_id_bitmap)
		return;
	job_ptr->array_job_id = job_ptr->job_id;
	job_ptr->array_task_id = (uint32_t)bit_ffs(job_ptr->array_recs->task_id_bitmap);
}

/* The copy keeps the id and the other tasks, and waits. */
job_record_t *job_array_split(job_record_t *job_ptr)
{
	job_record_t *rest = world_job_copy(job_ptr);
	job_array_struct_t *array = job_ptr->array_recs;

	FREE_NULL_BITMAP(rest->array_recs->task_id_bitmap);
	xfree(rest->array_recs);
	rest->array_recs = array;
	job_ptr->array_recs = NULL;
	job_ptr->job_id = world.next_job++;
	bit_clear(array->task_id_bitmap, job_ptr->array_task_id);
	array->task_cnt--;
	rest->array_task_id = NO_VAL;
	free_job_resources(&rest->job_resrcs);
	FREE_NULL_LIST(rest->gres_list_alloc);
	FREE_NULL_BITMAP(rest->node_bitmap);
	xfree(rest->nodes);
	xfree(rest->sched_nodes);
	xfree(rest->tres_alloc_cnt);
	if (array->task_cnt <= 1) {
		rest->array_task_id = (uint32_t)bit_ffs(array->task_id_bitmap);
		job_array_post_sched(rest);
	}
	list_append(world_tables.jobs, rest);
	return rest;
}

job_record_t *job_array_post_sched(job_record_t *job_ptr)
{
	job_record_t *rest;

	if (!job_ptr->array_recs || !job_ptr->array_recs->task_id_bitmap)
		return job_ptr;
	if (job_ptr->array_recs->task_cnt <= 1) {
		job_ptr->array_recs->task_cnt = 0;
		FREE_NULL_BITMAP(job_ptr->array_recs->task_id_bitmap);
		return job_ptr;
	}
	rest = job_array_split(job_ptr);
	rest->job_state = JOB_PENDING;
	rest->start_time = 0;
	return rest;
}

int num_pending_job_array_tasks(uint32_t array_job_id)
{
	(void)array_job_id;
	return 0;
}

bool job_array_start_test(job_record_t *job_ptr)
{
	const job_record_t *head = NULL;

	if (job_ptr->array_task_id != NO_VAL || job_ptr->array_recs)
		head = find_job_record(job_ptr->array_job_id);
	if (!head || !head->array_recs || !head->array_recs->max_run_tasks ||
	    head->array_recs->tot_run_tasks < head->array_recs->max_run_tasks)
		return true;
	if (job_ptr->details->begin_time <= world_wall_s())
		job_ptr->details->begin_time = 0;
	job_ptr->state_reason = WAIT_ARRAY_TASK_LIMIT;
	return false;
}

static bool is_held(uint32_t reason)
{
	return reason == WAIT_HELD || reason == WAIT_HELD_USER;
}

bool job_independent(job_record_t *job_ptr)
{
	struct job_details *details = job_ptr->details;

	world_need("job_independent", 1, 2, 1, 1);
	if (is_held(job_ptr->state_reason))
		return false;
	if (!world_depend_test(job_ptr)) {
		if (details->begin_time < world_wall_s())
			details->begin_time = 0;
		return false;
	}
	if (job_ptr->state_reason == WAIT_DEPENDENCY)
		job_ptr->state_reason = WAIT_NO_REASON;
	if (!job_array_start_test(job_ptr))
		return false;
	if (details->begin_time > world_wall_s()) {
		job_ptr->state_reason = WAIT_TIME;
		return false;
	}
	if (details->begin_time == 0 && job_ptr->priority != 0)
		details->begin_time = world_wall_s();
	else if (job_ptr->state_reason == WAIT_TIME)
		job_ptr->state_reason = WAIT_NO_REASON;
	return true;
}

int job_limits_check(job_record_t **job_ptr, bool check_min_time)
{
	const part_record_t *part = (*job_ptr)->part_ptr;
	uint32_t limit = (*job_ptr)->time_limit;

	world_need("job_limits_check", 1, 1, 1, 1);
	if (check_min_time && (*job_ptr)->time_min)
		limit = (*job_ptr)->time_min;
	if (!(part->state_up & PARTITION_SCHED))
		return WAIT_PART_DOWN;
	if (limit != NO_VAL && limit > part->max_time)
		return WAIT_PART_TIME_LIMIT;
	return WAIT_NO_REASON;
}

int get_node_cnts(job_record_t *job_ptr, uint32_t qos_flags, part_record_t *part_ptr,
		  uint32_t *min_nodes, uint32_t *req_nodes, uint32_t *max_nodes)
{
	(void)qos_flags, (void)part_ptr;
	*min_nodes = job_ptr->details->min_nodes;
	*max_nodes = job_ptr->details->max_nodes ? job_ptr->details->max_nodes : 500000;
	*req_nodes = *min_nodes;
	return *min_nodes > part_ptr->total_nodes ? ESLURM_REQUESTED_PART_CONFIG_UNAVAILABLE :
						    SLURM_SUCCESS;
}

int select_nodes(job_record_t *job_ptr, bool test_only, bitstr_t **select_node_bitmap,
		 char **err_msg, bool submission, uint32_t scheduler_type)
{
	struct world_outside before;
	int code;

	(void)select_node_bitmap, (void)err_msg, (void)submission, (void)scheduler_type;
	world_need("select_nodes", 1, 2, 2, 1);
	world_mortal();
	world_now_us += 50 + (int64_t)world_random(400);
	before = world_leave();
	code = world_select(job_ptr, test_only);
	world_return(before);
	return code;
}

int select_g_job_test(job_record_t *job_ptr, bitstr_t *bitmap, uint32_t min_nodes,
		      uint32_t max_nodes, uint32_t req_nodes, uint16_t mode,
		      List preemptee_candidates, List *preemptee_job_list,
		      bitstr_t *exc_core_bitmap)
{
	(void)min_nodes, (void)max_nodes, (void)req_nodes, (void)mode;
	(void)preemptee_candidates, (void)preemptee_job_list, (void)exc_core_bitmap;
	return world_will_run(job_ptr, bitmap);
}

void launch_job(job_record_t *job_ptr)
{
	if (!world_find_run(job_ptr->job_id))
		world_fault("launch_job() of job %u, which has not started", job_ptr->job_id);
}

void srun_allocate(job_record_t *job_ptr)
{
	launch_job(job_ptr);
}

void job_end_time_reset(job_record_t *job_ptr)
{
	job_ptr->end_time = job_ptr->start_time + (time_t)job_ptr->time_limit * 60;
}

int job_req_node_filter(job_record_t *job_ptr, bitstr_t *nodes, bool test_only)
{
	(void)test_only;
	world_features_filter(job_ptr, nodes);
	return SLURM_SUCCESS;
}

void job_resv_clear_magnetic_flag(job_record_t *job_ptr)
{
	(void)job_ptr;
}

void job_resv_append_magnetic(job_queue_req_t *request)
{
	(void)request;
}

void job_queue_rec_magnetic_resv(job_queue_rec_t *record)
{
	(void)record;
}

bool part_policy_job_runnable_state(job_record_t *job_ptr)
{
	switch (job_ptr->state_reason) {
	case WAIT_PART_DOWN:
	case WAIT_PART_INACTIVE:
	case WAIT_PART_NODE_LIMIT:
	case WAIT_PART_TIME_LIMIT:
		return false;
	default:
		return true;
	}
}

int part_policy_valid_qos(part_record_t *part_ptr, slurmdb_qos_rec_t *qos_ptr,
			  job_record_t *job_ptr)
{
	(void)part_ptr, (void)qos_ptr, (void)job_ptr;
	return SLURM_SUCCESS;
}

int part_policy_valid_acct(part_record_t *part_ptr, char *acct, job_record_t *job_ptr)
{
	(void)part_ptr, (void)acct, (void)job_ptr;
	return SLURM_SUCCESS;
}

/* ---- accounting: none ---- */

bool acct_policy_job_runnable_pre_select(job_record_t *job_ptr, bool locked)
{
	(void)job_ptr, (void)locked;
	return true;
}

bool acct_policy_job_runnable_post_select(job_record_t *job_ptr, uint64_t *tres, bool locked)
{
	(void)job_ptr, (void)tres, (void)locked;
	return true;
}

int acct_policy_handle_accrue_time(job_record_t *job_ptr, bool locked)
{
	(void)job_ptr, (void)locked;
	return SLURM_SUCCESS;
}

void acct_policy_alter_job(job_record_t *job_ptr, uint32_t limit)
{
	(void)job_ptr, (void)limit;
}

void set_job_failed_assoc_qos_ptr(job_record_t *job_ptr)
{
	(void)job_ptr;
}

int job_fail_qos(job_record_t *job_ptr, const char *func_name, bool locked)
{
	(void)job_ptr, (void)func_name, (void)locked;
	return SLURM_SUCCESS;
}

double calc_job_billable_tres(job_record_t *job_ptr, time_t start_time, bool locked)
{
	(void)job_ptr, (void)start_time, (void)locked;
	return 0;
}

/* ---- what there is none of ---- */

int bb_g_load_state(bool init_config)
{
	(void)init_config;
	return SLURM_SUCCESS;
}

int bb_g_job_try_stage_in(void)
{
	return SLURM_SUCCESS;
}

int node_features_g_count(void)
{
	return 0;
}

int slurm_mcs_get_select(job_record_t *job_ptr)
{
	(void)job_ptr;
	return 0;
}

int slurm_mcs_get_privatedata(void)
{
	return 0;
}

int select_g_select_jobinfo_get(dynamic_plugin_data_t *jobinfo, enum select_jobdata_type type,
				void *data)
{
	(void)jobinfo, (void)type, (void)data;
	return SLURM_SUCCESS;
}

int select_g_select_nodeinfo_set_all(void)
{
	return SLURM_SUCCESS;
}

/* topology/none */
int slurm_topo_get_node_addr(char *name, char **address, char **pattern)
{
	*address = xstrdup(name);
	*pattern = xstrdup("node");
	return SLURM_SUCCESS;
}

uint16_t slurm_job_preempt_mode(job_record_t *job_ptr)
{
	(void)job_ptr;
	return PREEMPT_MODE_OFF;
}

bool acct_policy_is_job_preempt_exempt(job_record_t *job_ptr)
{
	(void)job_ptr;
	return false;
}

bool preempt_g_job_preempt_check(job_queue_rec_t *preemptor, job_queue_rec_t *preemptee)
{
	(void)preemptor, (void)preemptee;
	return false;
}

bool validate_operator(uid_t uid)
{
	return uid == 0;
}

bool validate_super_user(uid_t uid)
{
	return uid == 0;
}

/* ---- calls that nothing here asks for ---- */

void acct_policy_add_job_submit(job_record_t *job_ptr)
{
	(void)job_ptr;
}

void acct_policy_job_begin(job_record_t *job_ptr)
{
	(void)job_ptr;
	NOT_HERE;
}

void acct_policy_job_fini(job_record_t *job_ptr)
{
	(void)job_ptr;
	NOT_HERE;
}

void batch_requeue_fini(job_record_t *job_ptr)
{
	(void)job_ptr;
	NOT_HERE;
}

int bb_g_job_validate2(job_record_t *job_ptr, char **err_msg)
{
	(void)job_ptr, (void)err_msg;
	NOT_HERE;
}

/* A start that is taken back. */
void build_cg_bitmap(job_record_t *job_ptr)
{
	FREE_NULL_BITMAP(job_ptr->node_bitmap_cg);
	job_ptr->node_bitmap_cg = bit_copy(job_ptr->node_bitmap);
}

void deallocate_nodes(job_record_t *job_ptr, bool timeout, bool suspended, bool preempted)
{
	struct world_outside before;

	(void)timeout, (void)suspended, (void)preempted;
	world_need("deallocate_nodes", 1, 2, 2, 0);
	before = world_leave();
	world_job_take_back(job_ptr);
	world_return(before);
}

int het_job_signal(job_record_t *leader, uint16_t signal, uint16_t flags, uid_t uid, bool preempt)
{
	(void)leader, (void)signal, (void)flags, (void)uid, (void)preempt;
	NOT_HERE;
}

void job_completion_logger(job_record_t *job_ptr, bool requeue)
{
	(void)job_ptr, (void)requeue;
}

int job_signal(job_record_t *job_ptr, uint16_t signal, uint16_t flags, uid_t uid, bool preempt)
{
	(void)job_ptr, (void)signal, (void)flags, (void)uid, (void)preempt;
	NOT_HERE;
}

int job_str_signal(char *job_id, uint16_t signal, uint16_t flags, uid_t uid, bool preempt)
{
	(void)job_id, (void)signal, (void)flags, (void)uid, (void)preempt;
	NOT_HERE;
}

uint32_t slurm_job_preempt(job_record_t *job_ptr, job_record_t *preemptor, uint16_t mode,
			   bool ignore_time)
{
	(void)job_ptr, (void)preemptor, (void)mode, (void)ignore_time;
	NOT_HERE;
}

int update_job(slurm_msg_t *msg, uid_t uid, bool send_msg)
{
	(void)msg, (void)uid, (void)send_msg;
	NOT_HERE;
}

/* ---- log, errors, paths ---- */

static void log_line(const char *format, va_list args)
{
	if (!world.log || !world.verbose)
		return;
	fprintf(world.log, "%lld     ", (long long)world_wall_s());
	vfprintf(world.log, format, args); /* %pJ is Slurm's own: an address here */
	fputc('\n', world.log);
}

void log_var(const log_level_t level, const char *format, ...)
{
	va_list args;

	if (level > LOG_LEVEL_DEBUG)
		return;
	va_start(args, format);
	log_line(format, args);
	va_end(args);
}

int error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	log_line(format, args);
	va_end(args);
	return 0;
}

/* The C library's keeps memory for numbers that it does not know. */
char *strerror(int number)
{
	static char text[32];

	snprintf(text, sizeof(text), "error %d", number);
	return text;
}

char *get_extra_conf_path(char *name)
{
	char *path = NULL;

	xstrfmtcat(path, "%s/%s", world.dir, name);
	return path;
}
