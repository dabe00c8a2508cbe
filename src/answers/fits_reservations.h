/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits_reservations.h - the reservations that could serve a job that maui fits is asked about
 *
 * Rules: CMD-40.
 */
#ifndef MAUI_ANSWERS_FITS_RESERVATIONS_H
#define MAUI_ANSWERS_FITS_RESERVATIONS_H

struct maui_fits_asked;
struct maui_fits;

/* Adds those that the asker may see, MAUI_FITS_RESERVATIONS at most. -1 without memory. */
int maui_fits_list_reservations(const struct maui_fits_asked *a, struct maui_fits *ret);

#endif
