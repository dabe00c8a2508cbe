# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_REPORT - is there a page with pictures: `maui report`, and --report of maui-sim?
#
# --disable-report   leaves both out; whoever asks for one is told so
#
# Sets the conditional REPORT and MAUI_HAS_REPORT (maui_config.h).
AC_DEFUN([MAUI_REPORT], [
	AC_ARG_ENABLE([report],
		[AS_HELP_STRING([--disable-report], [without maui report, and the page of maui-sim])],
		[], [enable_report=yes])
	AM_CONDITIONAL([REPORT], [test "$enable_report" != no])
	AM_COND_IF([REPORT], [maui_has_report=1], [maui_has_report=0])
	AC_DEFINE_UNQUOTED([MAUI_HAS_REPORT], [$maui_has_report],
		[Whether there is a page with pictures: 1 or 0])
])
