/* SPDX-License-Identifier: GPL-2.0-or-later */
/* moab_words.c - words of Moab's without an equivalent, and what happens instead
 *
 * A word that ends in ':' takes a name behind it. Source: Moab's public manual, appendix A and the
 * chapters of QOS, node access, node allocation, node sets and reservations.
 *
 * Rules: CFG-17.
 */

#include "config/schema/moab.h"

#include <string.h>
#include <strings.h>

#define SHARED_BY_ALL                                                                        \
	"the access policy stays as it was, by default SHARED; SINGLEUSER is stricter than " \
	"Moab's word"
#define NO_SETS "nodes make sets by FEATURE or NETWORK only"
#define NO_VM   "Slurm runs no virtual machines"

static const struct {
	const char *row, *word, *effect;
} words[] = {
	{ "BFPRIORITYPOLICY", "PRIORITY",
	  "the order stays as it was, by default that of the queue" },
	{ "FLAGS", "ADVRES:", "USERESERVED:<name> keeps the jobs of a QOS to a reservation" },
	{ "FLAGS", "ADVRESJOBDESTROY", "jobs of a reservation that ends go on" },
	{ "FLAGS", "ALLOWGRID", "there is no grid; federations are Slurm's" },
	{ "FLAGS", "ALLOWJOBOVERLAP",
	  "the access list alone decides which jobs use the reservation" },
	{ "FLAGS", "ALLOWPRSV", "RESCTLPOLICY ANY lets users make reservations" },
	{ "FLAGS", "COALLOC", "a job gets all its nodes at once, or none" },
	{ "FLAGS", "DEADLINE", "every job may have a deadline (sbatch --deadline)" },
	{ "FLAGS", "DYNAMIC", "jobs keep their size; scontrol update shrinks a job" },
	{ "FLAGS", "ENABLEUSERRSV", "RESCTLPOLICY ANY lets users make reservations" },
	{ "FLAGS", "ENFORCENODESET", "node sets are for jobs, not for reservations" },
	{ "FLAGS", "EVACVMS", NO_VM },
	{ "FLAGS", "EXCLUDEALLBUTSB", "FORCE ignores all conflicts" },
	{ "FLAGS", "EXCLUDEJOBS", "the reservation takes no nodes from running jobs" },
	{ "FLAGS", "IGNIDLEJOBS", "the reservation goes before the job reservations of idle jobs" },
	{ "FLAGS", "IGNJOBRSV", "the reservation goes before the job reservations of idle jobs" },
	{ "FLAGS", "IGNRSV", "FORCE ignores conflicts with other reservations" },
	{ "FLAGS", "IGNSTATE",
	  "a node that is down stays in the reservation if HOSTLIST names it" },
	{ "FLAGS", "NOVMMIGRATIONS", NO_VM },
	{ "FLAGS", "OWNEREXCLUSIVEBF", "the access list decides who uses idle nodes" },
	{ "FLAGS", "OWNERPREEMPTIGNOREMINTIME", "PreemptExemptTime in slurm.conf holds" },
	{ "FLAGS", "PARENTLOCK", "each instance may be released by itself" },
	{ "FLAGS", "PREEMPTFSV",
	  "PREEMPTOR lets all jobs of the QOS preempt, whatever their usage" },
	{ "FLAGS", "PROVISION",
	  "nodes keep their system; NodeFeaturesPlugins and RebootProgram of "
	  "slurm.conf change it" },
	{ "FLAGS", "REQFULL", "a reservation that gets less than it asks for holds what it gets" },
	{ "FLAGS", "REQONLY", "a reservation that gets less than it asks for holds what it gets" },
	{ "FLAGS", "SYSTEMJOB", "the reservation is made without a job of its own" },
	{ "FLAGS", "TRIGGER", "jobs have no triggers; strigger(1) reports their ends" },
	{ "FLAGS", "TRIGHASFIRED", "the state of triggers is slurm-maui's to keep" },
	{ "FLAGS", "VIRTUAL", NO_VM },
	{ "FLAGS", "WORKFLOWJOBIDS", "dependencies name job ids (sbatch --dependency)" },
	{ "NODEACCESSPOLICY", "SINGLEACCOUNT", SHARED_BY_ALL },
	{ "NODEACCESSPOLICY", "SINGLECLASS", SHARED_BY_ALL },
	{ "NODEACCESSPOLICY", "SINGLEGROUP", SHARED_BY_ALL },
	{ "NODEACCESSPOLICY", "SINGLEQOS", SHARED_BY_ALL },
	{ "NODEACCESSPOLICY", "UNIQUEUSER",
	  "a node may have several jobs of one user; the policy stays as it was, by default "
	  "SHARED" },
	{ "NODEALLOCATIONPOLICY", "PLUGIN:",
	  "no site's own code chooses nodes; the policy stays as it was, by default SLURM" },
	{ "NODESETATTRIBUTE", "ARCH", NO_SETS },
	{ "NODESETATTRIBUTE", "CLASS", NO_SETS },
	{ "NODESETATTRIBUTE", "VARATTR", NO_SETS ": give the nodes a Feature= of the same name" },
	{ "NODESETPRIORITYTYPE", "AFFINITY",
	  "reservations do not rank sets; the order stays as it was, by default MINLOSS" },
	{ "NODESETPRIORITYTYPE", "FIRSTFIT",
	  "NODESETPOLICY FIRSTOF takes the first set that suffices" },
};

static int is_word(const char *known, const char *word, size_t length)
{
	size_t size = strlen(known);

	if (known[size - 1] != ':')
		return size == length && strncasecmp(known, word, length) == 0;
	return length >= size - 1 && strncasecmp(known, word, size - 1) == 0 &&
	       (length == size - 1 || word[size - 1] == ':');
}

const char *maui_moab_word(const char *row, const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i].row, row) == 0 && is_word(words[i].word, word, length))
			return words[i].effect;
	return NULL;
}
