/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fakeslurmd - one process that answers slurmctld for every node of a cluster
 *
 * usage: fakeslurmd PORT     (SLURM_CONF in the environment)
 *
 * Ten thousand nodes on one machine, for benchmarks: every node has NodeAddr=127.0.0.1 and PORT as
 * SlurmdPort, State=IDLE, and slurm.conf has SlurmdTimeout=0 (nobody has to register); see
 * fake-cluster.
 *
 * A batch script is reported as ended FAKE_RUN seconds (a variable of its environment; a fraction
 * is allowed; 60 without) after it was launched. Nothing is run, and steps of srun are not known.
 * Other requests are answered with success. A message to be forwarded to other nodes is not
 * forwarded, but answered for them as well.
 */
#include "slurm/compat.h"

#include "fakeslurmd_runs.h"

#include <err.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/common/forward.h"
#include "src/common/hostlist.h"
#include "src/common/pack.h"
#include "src/common/slurm_protocol_api.h"
#include "src/common/slurm_protocol_defs.h"
#include "src/common/slurm_protocol_pack.h"

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
#include "src/common/slurm_protocol_interface.h"
#define receive_bytes(fd, bytes, length, ms) slurm_msg_recvfrom_timeout(fd, bytes, length, 0, ms)
#else
#include "src/common/slurm_protocol_socket.h"
#define receive_bytes(fd, bytes, length, ms) slurm_msg_recvfrom_timeout(fd, bytes, length, ms)
#endif
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0)
typedef int connection;
enum { NO_CONNECTION = -1 };
#define close_connection(c) close(c)
#define connection_of       conn_fd
#else
#include "src/interfaces/conn.h"
typedef void *connection;
#define NO_CONNECTION       NULL
#define close_connection(c) conn_g_destroy(c, true)
#define connection_of       conn
#endif
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 11, 0)
#define batch_job_id job_id
#else
#define batch_job_id step_id.job_id
#endif
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
typedef hostlist_t host_names;
#define sender_is_known auth_uid_set
#else
typedef hostlist_t *host_names;
#define sender_is_known auth_ids_set
#endif

enum { ACCEPTORS = 16, ENDERS = 8, DEFAULT_RUN_S = 60, SEND_TRIES = 5 };

static int listen_fd;

extern slurmdb_cluster_rec_t *working_cluster_rec;

static double run_seconds(char **env, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!strncmp(env[i], "FAKE_RUN=", 9))
			return strtod(env[i] + 9, NULL);
	return DEFAULT_RUN_S;
}

static void launch_batch(const slurm_msg_t *msg)
{
	const batch_job_launch_msg_t *batch = msg->data;

	fake_run_keep(fake_run_new(batch->batch_job_id,
				   run_seconds(batch->environment, batch->envc), batch->nodes));
}

/* The answer of every node that the message should have been forwarded to */
static void answer_for(slurm_msg_t *msg, const char *nodes, uint32_t code)
{
	host_names hosts = hostlist_create(nodes);
	char *name;

	msg->ret_list = list_create(destroy_data_info);
	while ((name = hostlist_shift(hosts))) {
		ret_data_info_t *info = xmalloc(sizeof(*info));
		return_code_msg_t *data = xmalloc(sizeof(*data));

		data->return_code = code;
		info->type = RESPONSE_SLURM_RC;
		info->node_name = xstrdup(name);
		info->data = data;
		list_append(msg->ret_list, info);
		free(name);
	}
	hostlist_destroy(hosts);
}

static void answer(slurm_msg_t *msg, const char *others)
{
	const kill_job_msg_t *kill;
	uint32_t code = SLURM_SUCCESS;

	switch (msg->msg_type) {
	case REQUEST_BATCH_JOB_LAUNCH:
		launch_batch(msg);
		break;
	case REQUEST_TERMINATE_JOB:
	case REQUEST_KILL_TIMELIMIT:
	case REQUEST_KILL_PREEMPTED:
	case REQUEST_ABORT_JOB:
		kill = msg->data;
		fake_run_forget(kill->step_id.job_id);
		code = ESLURMD_KILL_JOB_ALREADY_COMPLETE;
		break;
	default:
		break;
	}
	if (others)
		answer_for(msg, others, code);
	slurm_send_rc_msg(msg, (int)code);
}

/* Slurm's own function for this would forward. False: not a message, or of a stranger. */
static bool unpack(slurm_msg_t *msg, const header_t *header, buf_t *buffer)
{
	void *cred = auth_g_unpack(buffer, header->version);

	if (!cred)
		return false;
	msg->auth_cred = cred;
	if (auth_g_verify(cred, slurm_conf.authinfo) != SLURM_SUCCESS)
		return false;
	msg->auth_uid = auth_g_get_uid(cred);
	msg->sender_is_known = true;
	msg->protocol_version = header->version;
	msg->msg_type = header->msg_type;
	msg->flags = header->flags;
	return unpack_msg(msg, buffer) == SLURM_SUCCESS;
}

static void serve(connection from, const slurm_addr_t *client)
{
	slurm_msg_t *msg = xmalloc(sizeof(*msg));
	header_t header;
	buf_t *buffer;
	size_t length;
	char *bytes;

	slurm_msg_t_init(msg);
	msg->connection_of = from;
	msg->address = msg->orig_addr = *client;
	if (receive_bytes(from, &bytes, &length, slurm_conf.msg_timeout * 1000) >= 0) {
		buffer = create_buf(bytes, (uint32_t)length);
		if (unpack_header(&header, buffer) == SLURM_SUCCESS) {
			if (unpack(msg, &header, buffer))
				answer(msg, header.forward.cnt ? header.forward.nodelist : NULL);
			else
				error("a message of type %u is not understood", header.msg_type);
			destroy_forward(&header.forward);
		}
		free_buf(buffer);
	}
	slurm_free_msg(msg);
}

static void *accept_all(void *unused)
{
	(void)unused;
	for (;;) {
		slurm_addr_t client = { 0 };
		connection from = slurm_accept_msg_conn(listen_fd, &client);

		if (from == NO_CONNECTION)
			continue;
		serve(from, &client);
		close_connection(from);
	}
	return NULL;
}

static void end_batch(const struct fake_run *run)
{
	complete_batch_script_msg_t done = { .batch_job_id = run->job_id };
	slurm_msg_t msg;
	int rc;

	done.node_name = run->node;
	slurm_msg_t_init(&msg);
	msg.msg_type = REQUEST_COMPLETE_BATCH_SCRIPT;
	msg.data = &done;
	for (int try = 0; try < SEND_TRIES; try++) {
		if (slurm_send_recv_controller_rc_msg(&msg, &rc, working_cluster_rec) ==
		    SLURM_SUCCESS)
			return;
		sleep(1);
	}
	error("the end of %u cannot be reported", run->job_id);
}

static void *end_all(void *unused)
{
	(void)unused;
	for (;;) {
		bool known;
		struct fake_run *run = fake_run_wait(&known);

		if (known)
			end_batch(run);
		fake_run_free(run);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	log_options_t log = LOG_OPTS_STDERR_ONLY;
	pthread_t thread;
	long port;

	port = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
	if (port < 1 || port > UINT16_MAX)
		errx(2, "usage: fakeslurmd PORT");
	signal(SIGPIPE, SIG_IGN);
	log_init("fakeslurmd", log, 0, NULL);
	slurm_init(NULL);
	listen_fd = slurm_init_msg_engine_port((uint16_t)port);
	if (listen_fd < 0)
		err(1, "port %ld", port);
	for (int i = 0; i < ENDERS; i++)
		if ((errno = pthread_create(&thread, NULL, end_all, NULL)))
			err(1, "pthread_create");
	for (int i = 1; i < ACCEPTORS; i++)
		if ((errno = pthread_create(&thread, NULL, accept_all, NULL)))
			err(1, "pthread_create");
	accept_all(NULL);
	return 0;
}
