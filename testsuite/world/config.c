/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config.c - maui.cfg and slurm.conf of the run at hand */

#include "world.h"

#include <stdlib.h>
#include <unistd.h>

struct world_config world_config;

/* Each file says which one it is, by a parameter that does nothing here: no job starts slowly. */
enum { KEPT = 64, SEEN = 4, MARK = 1000000 };
static struct world_config kept[KEPT];
static int written;

const struct world_config *world_config_of(const struct maui_config *config)
{
	return &kept[(config->max_start_s - MARK) % KEPT];
}

bool world_config_has_rsv(const char *name)
{
	for (int i = 0; i < SEEN && i < written; i++) {
		const struct world_config *config = &kept[(written - 1 - i) % KEPT];

		for (int r = 0; r < config->rsv_count; r++)
			if (strncmp(config->rsvs[r].name, name, strlen(config->rsvs[r].name)) == 0)
				return true;
	}
	return false;
}

static const char *pick(const char *const *list, size_t count)
{
	return list[world_random(count)];
}
#define PICK(...)                                  \
	pick((const char *const[]){ __VA_ARGS__ }, \
	     sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

static void print_rsv(FILE *out, const struct world_sr *rsv)
{
	const char *comma = "";

	fprintf(out, "SRCFG[%s] HOSTLIST=", rsv->name);
	for (int n = 0; n < world.node_count; n++)
		if (rsv->nodes & 1U << n) {
			fprintf(out, "%s%s", comma, world.nodes[n].name);
			comma = ",";
		}
	if (rsv->start_h == 0 && rsv->end_h == 24)
		fprintf(out, " PERIOD=INFINITY");
	else
		fprintf(out, " PERIOD=DAY DEPTH=3 STARTTIME=%d:00:00 ENDTIME=%d:00:00",
			rsv->start_h, rsv->end_h);
	fprintf(out, " USERLIST=");
	comma = "";
	for (int u = 0; u < world.user_count; u++)
		if (rsv->users & 1U << u) {
			fprintf(out, "%su%d", comma, u);
			comma = ",";
		}
	fputc('\n', out);
}

/* Each reservation has nodes of its own. */
static void draw_rsvs(struct world_config *config)
{
	uint32_t taken = 0;

	config->rsv_count = (int)world_random(3);
	for (int i = 0; i < config->rsv_count; i++) {
		struct world_sr *rsv = &config->rsvs[i];

		snprintf(rsv->name, sizeof(rsv->name), "sr%d", i);
		rsv->nodes = (uint32_t)world_random(1U << world.node_count) &
			     (uint32_t)world_random(1U << world.node_count) & ~taken;
		if (rsv->nodes == 0)
			rsv->nodes = 1U << i;
		if (rsv->nodes & taken) {
			config->rsv_count = i;
			return;
		}
		taken |= rsv->nodes;
		rsv->users = 1U + (unsigned)world_random((1U << world.user_count) - 1);
		rsv->start_h = world_chance(50) ? 0 : 1 + (int)world_random(12);
		rsv->end_h = rsv->start_h ? rsv->start_h + 1 + (int)world_random(11) : 24;
	}
}

static void print_qos(FILE *out)
{
	const struct world_config *config = &world_config;

	fprintf(out, "SYSCFG QLIST=low,normal,high QDEF=normal\n");
	fprintf(out, "CREDWEIGHT 1\nQOSWEIGHT 1\n");
	fprintf(out, "QOSCFG[low] PRIORITY=1%s\n", config->preempts ? " QFLAGS=PREEMPTEE" : "");
	fprintf(out, "QOSCFG[normal] PRIORITY=10\n");
	fprintf(out, "QOSCFG[high] PRIORITY=1000%s", config->preempts ? " QFLAGS=PREEMPTOR" : "");
	if (config->high_jobs)
		fprintf(out, " MAXJOB=%u", config->high_jobs);
	fprintf(out, "\nPREEMPTPOLICY %s\n", PICK("REQUEUE", "SUSPEND"));
}

/* Often with a soft limit below. */
static void print_limit(FILE *out, const char *name, unsigned most)
{
	if (most > 1 && world_chance(40))
		fprintf(out, " %s=%u,%u", name, 1 + (unsigned)world_random(most - 1), most);
	else if (most)
		fprintf(out, " %s=%u", name, most);
}

static void print_config(FILE *out)
{
	const struct world_config *config = &world_config;

	fprintf(out, "RMPOLLINTERVAL %d\n", config->poll_s);
	fprintf(out, "RESERVATIONPOLICY %s\n",
		config->highest ? "HIGHEST" : PICK("CURRENTHIGHEST", "NEVER"));
	fprintf(out, "RESERVATIONDEPTH %d\n", 1 + (int)world_random(3));
	fprintf(out, "BACKFILLPOLICY %s\n", PICK("FIRSTFIT", "BESTFIT", "GREEDY", "NONE"));
	fprintf(out, "NODEALLOCATIONPOLICY %s\n",
		PICK("FIRSTAVAILABLE", "MINRESOURCE", "LASTAVAILABLE", "CPULOAD"));
	fprintf(out, "QUEUETIMEWEIGHT %d\n", (int)world_random(3));
	fprintf(out, "XFACTORWEIGHT %d\n", (int)world_random(10));
	fprintf(out, "FSPOLICY DEDICATEDPS\nFSINTERVAL 12:00:00\nFSDEPTH 6\nFSDECAY 0.8\n");
	fprintf(out, "FSWEIGHT 1\nUSERWEIGHT 1\nFSUSERWEIGHT 10\n");
	fprintf(out, "USERCFG[DEFAULT] FSTARGET=20");
	print_limit(out, "MAXJOB", config->max_jobs);
	print_limit(out, "MAXPROC", config->max_procs);
	fputc('\n', out);
	if (world.plan.qos)
		print_qos(out);
	fprintf(out, "HETJOBS %s\n", config->hets ? "ON" : "OFF");
	fprintf(out, "JOBMAXSTARTTIME %d\n", MARK + written);
	for (int i = 0; i < config->rsv_count; i++)
		print_rsv(out, &config->rsvs[i]);
}

void world_config_write(void)
{
	char path[300];
	FILE *out;

	world_config = (struct world_config){ 0 };
	world_config.poll_s = 600 + 600 * (int)world_random(6);
	world_config.highest = world_chance(60);
	world_config.max_jobs = world_chance(40) ? 2 + (unsigned)world_random(6) : 0;
	world_config.max_procs = world_chance(30) ? 8 + (unsigned)world_random(24) : 0;
	if (world.plan.limits) {
		world_config.max_jobs = 1 + (unsigned)world_random(3);
		world_config.max_procs = 8 + (unsigned)world_random(8);
	}
	world_config.high_jobs = world_chance(30) ? 1 + (unsigned)world_random(4) : 0;
	world_config.preempts = world_chance(60);
	world_config.hets = world.plan.hets_on;
	if (world.plan.reservations)
		draw_rsvs(&world_config);
	kept[written % KEPT] = world_config;
	snprintf(path, sizeof(path), "%s/maui.cfg", world.dir);
	out = fopen(path, "w");
	if (!out)
		world_fault("%s cannot be written", path);
	print_config(out);
	fclose(out);
	written++;
	world_note("maui.cfg: poll %d s, %s, MAXJOB %u, MAXPROC %u, %d reservations",
		   world_config.poll_s, world_config.highest ? "HIGHEST" : "another policy",
		   world_config.max_jobs, world_config.max_procs, world_config.rsv_count);
}

static void set_text(char **place, const char *text)
{
	xfree(*place);
	*place = xstrdup(text);
}

/* Slurm's library reads slurm.conf when it is asked for anything of it; so it has read one. */
void world_slurm_conf_read(void)
{
	char path[] = "/tmp/maui-world.XXXXXX";
	static const char text[] = "ClusterName=world\nSlurmctldHost=localhost\nNodeName=n0\n"
				   "PartitionName=all Nodes=n0\nAuthType=auth/none\n";
	int fd = mkstemp(path);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		world_fault("%s cannot be written", path);
	close(fd);
	slurm_conf_init(path);
	unlink(path);
}

void world_slurm_conf_make(void)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/slurm.conf", world.dir);
	set_text(&slurm_conf.slurm_conf, path);
	set_text(&slurm_conf.state_save_location, world.dir);
	snprintf(path, sizeof(path), "%s/slurmctld.pid", world.dir);
	set_text(&slurm_conf.slurmctld_pidfile, path);
	set_text(&slurm_conf.cluster_name, "world");
	set_text(&slurm_conf.schedtype, "sched/maui");
	set_text(&slurm_conf.priority_type, "priority/maui");
	set_text(&slurm_conf.select_type, "select/cons_tres");
	set_text(&slurm_conf.sched_params, NULL);
	set_text(&slurm_conf.accounting_storage_type, "accounting_storage/none");
	slurm_conf.select_type_param = CR_CORE | CR_MEMORY;
	slurm_conf.min_job_age = 3600;
	slurm_conf.slurm_user_id = geteuid();
	slurm_conf.preempt_mode = PREEMPT_MODE_OFF;
	slurm_conf.last_update = world_wall_s();
	slurm_conf.def_mem_per_cpu = 0;
}
