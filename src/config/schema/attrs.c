/* SPDX-License-Identifier: GPL-2.0-or-later */
/* attrs.c - every attribute of the *CFG[] parameters, sorted by name
 *
 * The rows of limits come from model/limit.h, but those of jobs. A name may have several rows, each
 * for other families. Source: Maui 3.3 manual, 6.2, 6.3, 7.1.5,
 * 7.3, 12.2 and appendix F. Those that only Moab has stand in attrs_moab.inc.
 *
 * Rules: THR-14.
 */

#include "config/schema/rows.h"

#define SR     MAUI_FAMILY_SR
#define NODE   MAUI_FAMILY_NODE
#define GRES   MAUI_FAMILY_GRES
#define QOS    MAUI_FAMILY_QOS
#define ADMIN  MAUI_FAMILY_ADMIN
#define TREE   MAUI_FAMILY_TREE
#define DEEP   MAUI_FAMILY_DEEP_TREE
#define CLASS  MAUI_FAMILY_CLASS
#define CREDS  MAUI_FAMILY_CREDS
#define LIMITS MAUI_FAMILY_LIMITS
/* a QOS has no default QOS */
#define USING_QOS (MAUI_FAMILY_LIMITS & ~(unsigned)MAUI_FAMILY_QOS)

/* Slurm's own limits also apply */
#define SACCTMGR "; limits of associations and QOS (sacctmgr) hold as well"
#define LIMIT_MEANING(what, source) \
	what ". Written [<soft>,]<hard>; 0 means not set, -1 no limit. " source
#define LIMIT(n, t, u, f, place, what, source) \
	CRED_SCHED(n, t, "0", u, "", f, CRED, place, SACCTMGR, LIMIT_MEANING(what, source))
#define JOB_LIMIT(n, f, kind, what)                                                    \
	LIMIT(n, LIMIT, "jobs", f, limits[MAUI_LIMIT_##kind][MAUI_RESOURCE_JOB], what, \
	      "Manual 6.2.")
#define PER_USER(n, u, resource, what)                                            \
	CRED_SCHED(n, LIMIT, "0", u, "", QOS | CLASS, PERUSER,                    \
		   limits[MAUI_LIMIT_ACTIVE][MAUI_RESOURCE_##resource], SACCTMGR, \
		   LIMIT_MEANING(what, "Manual 6.2."))
#define INSTEAD_OF(attr) \
	"Replaces, for jobs of this QOS, " attr " of their users, groups, accounts and classes"
/* All limits of a resource of model/limit.h. Names are pasted at once: NODE is a family as well. */
#define AMOUNT(r, t, rule, u, held, asked, largest, source)                                       \
	LIMIT("MAX" #r, t, u, LIMITS, limits[MAUI_LIMIT_ACTIVE][MAUI_RESOURCE_##r],               \
	      "Most " held " of the credential's running jobs", source),                          \
		LIMIT("MAXI" #r, t, u, LIMITS, limits[MAUI_LIMIT_IDLE][MAUI_RESOURCE_##r],        \
		      "Most " asked " of the credential's idle jobs that are considered for "     \
		      "starting",                                                                 \
		      source),                                                                    \
		LIMIT("OMAX" #r, t, u, QOS, limits[MAUI_LIMIT_OVERRIDE][MAUI_RESOURCE_##r],       \
		      INSTEAD_OF("MAX" #r), source),                                              \
		LIMIT("OMAXI" #r, t, u, QOS, limits[MAUI_LIMIT_OVERRIDE_IDLE][MAUI_RESOURCE_##r], \
		      INSTEAD_OF("MAXI" #r), source),                                             \
		LIMIT("OMAXJ" #r, t, u, QOS, limits[MAUI_LIMIT_SINGLE][MAUI_RESOURCE_##r],        \
		      largest " of a single job of this QOS", source),
/* Attribute of a reservation: a field of struct maui_rsv, or read by build/reservation.c. */
#define SR_ROW(n, t, d, u, w, sc, of, lo, hi, no, me, setres)                                      \
	ROW_WITH(n, t, d, u, w, MAUI_INDEX_NONE, SR, HONOURED, SCHED_NOTE no, me " Manual 7.1.5.", \
		 "own-SRCFG." n, sc, of, lo, hi, .in_setres = setres)
#define SR_FIELD(n, t, d, u, w, field, lo, hi, no, me) \
	SR_ROW(n, t, d, u, w, RSV, offsetof(struct maui_rsv, field), lo, hi, no, me, true)
#define SR_ATTR(n, t, d, u, w, no, me) SR_ROW(n, t, d, u, w, SETTINGS, 0, 0, 0, no, me, true)
/* Only of maui.cfg: when a reservation recurs, and an older spelling. */
#define SRCFG_FIELD(n, t, d, u, w, field, lo, hi, no, me) \
	SR_ROW(n, t, d, u, w, RSV, offsetof(struct maui_rsv, field), lo, hi, no, me, false)
#define SRCFG_ATTR(n, t, d, u, w, hi, no, me) \
	SR_ROW(n, t, d, u, w, SETTINGS, 0, 0, hi, no, me, false)
#define SR_LIST(n, whom)                                                                       \
	SR_ATTR(n, LIST, "", "", "", "",                                                       \
		whom " that the reservation admits; an entry may carry + - = * ! ^ before or " \
		     "after the name.")
#define NODE_CONF(n, t, d, u, w, no, me) \
	ATTR(SLURM_CONF, n, t, d, u, w, NODE, no, me " Manual 12.2.")
#define NODE_WITHOUT(n, t, d, u, w, no, me) \
	ATTR(UNSUPPORTED, n, t, d, u, w, NODE, no, me " Manual 12.2.")

#define QOS_FLAGS                                                                             \
	"DEDICATED IGNACCOUNT IGNALL IGNGROUP IGNHOSTLIST IGNJOBPERUSER IGNJOBQUEUEDPERUSER " \
	"IGNNODEPERUSER IGNPROCPERUSER IGNPSPERUSER IGNSRMAXTIME IGNSYSMAXPROC IGNSYSMAXPS "  \
	"IGNSYSMAXTIME IGNSYSTEM IGNUSER NOBF NORESERVATION NTR PREEMPTEE PREEMPTOR=PREEMPT " \
	"PREEMPTSPV RESERVEALWAYS RESTARTPREEMPT RUNNOW USERESERVED"
#define SR_FLAGS                                                                          \
	"BESTEFFORT BYNAME DEDICATEDNODE DEDICATEDRESOURCE FORCE OWNERPREEMPT PREEMPTEE " \
	"SINGLEUSE SPACEFLEX STANDINGRES TIMEFLEX"

static struct maui_param rows[] = {
#include "config/schema/attrs.inc"
#include "config/schema/attrs_moab.inc"
	MAUI_AMOUNTS(AMOUNT)
};

const struct maui_param *const maui_schema_attrs = rows;
const size_t maui_schema_attr_count = sizeof(rows) / sizeof(rows[0]);

__attribute__((constructor)) static void sort(void)
{
	maui_schema_sort(rows, maui_schema_attr_count);
}
