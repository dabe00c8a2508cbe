/* SPDX-License-Identifier: GPL-2.0-or-later */
/* errand.h - work that may hang, on a thread of its own
 *
 * A file system, a name service or a name server may give no answer for hours. A thread that must
 * go on has such work done by an errand, and looks later whether the errand is over. An errand that
 * is dropped before its end is freed by its thread, whenever the work ends.
 *
 * Thread safety: an errand has one owner. The work belongs to the errand's thread until
 * maui_errand_is_over() is true, and to the owner from then on.
 */
#ifndef MAUI_BASE_ERRAND_H
#define MAUI_BASE_ERRAND_H

#include <stdatomic.h>
#include <stdbool.h>

struct maui_errand;

struct maui_errand_kind {
	const char *thread; /* its name: 15 characters at most */
	/* Long work looks at `stop` now and then, and ends when it is set. */
	void (*run)(void *work, const atomic_bool *stop);
	/* Frees the work, done or not. Called by the owner's thread or the errand's. */
	void (*destroy)(void *work);
};

/* Takes the work over. NULL: no thread or no memory; the work is destroyed then. */
struct maui_errand *maui_errand_begin(const struct maui_errand_kind *kind, void *work);

/* Waits for the end for this long at most; 0: not at all. */
bool maui_errand_is_over(struct maui_errand *errand, int wait_ms);

/* Gives the work of an errand that is over to the caller, and frees the errand. */
void *maui_errand_end(struct maui_errand *errand);

/* Destroys the work, at once or when the errand's thread has ended; a library that has this code
 * then stays loaded. NULL is fine. */
void maui_errand_drop(struct maui_errand *errand);

#endif
