# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_MUNGE - where is libmunge, which tells who asks at the query socket?
#
# Required with the plugins, not looked for without. Sets MUNGE_CFLAGS and MUNGE_LIBS.
AC_DEFUN([MAUI_MUNGE], [
	AS_IF([test "$maui_with_slurm" = yes], [
		PKG_CHECK_MODULES([MUNGE], [munge], [],
			[AC_MSG_ERROR([libmunge not found: install libmunge-dev (munge-devel)])])
	])
])
