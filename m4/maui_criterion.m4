# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_CRITERION - is there Criterion to run the unit tests?
#
# Sets CRITERION_CFLAGS, CRITERION_LIBS and the conditional WITH_CRITERION. Without it one skipped
# test stands for the unit tests, so that the summary of make check shows that they did not run.
AC_DEFUN([MAUI_CRITERION], [
	PKG_CHECK_MODULES([CRITERION], [criterion >= 2.4], [maui_with_criterion=yes],
		[maui_with_criterion=no
		AC_MSG_WARN([Criterion not found, unit tests are skipped: install libcriterion-dev])])
	AM_CONDITIONAL([WITH_CRITERION], [test "$maui_with_criterion" = yes])
])
