# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_WARNINGS - which warnings does the compiler know?
#
# --enable-werror   a warning is an error; for those who work on the project, not for releases
#
# Sets WARN_CFLAGS (all code) and CORE_WARN_CFLAGS (on top, for code that sees no Slurm header:
# Slurm's macros convert freely where they are used).
AC_DEFUN([MAUI_WARNINGS], [
	AC_ARG_ENABLE([werror],
		[AS_HELP_STRING([--enable-werror], [treat compiler warnings as errors])],
		[], [enable_werror=no])
	MAUI_CC_FLAG([WARN_CFLAGS],
		[-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wformat-security -Wvla])
	MAUI_CC_FLAG([CORE_WARN_CFLAGS], [-Wconversion])
	AS_IF([test "$enable_werror" = yes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
	AC_SUBST([WARN_CFLAGS])
	AC_SUBST([CORE_WARN_CFLAGS])
])
