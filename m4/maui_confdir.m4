# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_CONFDIR - where are slurm.conf and maui.cfg when SLURM_CONF does not say?
#
# --with-slurm-confdir=DIR   default: /etc/slurm
#
# Defines MAUI_SLURM_CONFDIR. Nothing is installed there: a site's maui.cfg is the site's.
AC_DEFUN([MAUI_CONFDIR], [
	AC_ARG_WITH([slurm-confdir],
		[AS_HELP_STRING([--with-slurm-confdir=DIR], [where slurm.conf and maui.cfg are @<:@/etc/slurm@:>@])],
		[], [with_slurm_confdir=/etc/slurm])
	AS_CASE(["$with_slurm_confdir"],
		[/*], [],
		[AC_MSG_ERROR([--with-slurm-confdir wants an absolute path, not $with_slurm_confdir])])
	AC_DEFINE_UNQUOTED([MAUI_SLURM_CONFDIR], ["$with_slurm_confdir"],
		[Directory of slurm.conf and maui.cfg when SLURM_CONF is not set])
])
