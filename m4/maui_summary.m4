# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_SUMMARY - what will be built, in a few lines at the end of configure
AC_DEFUN([MAUI_SUMMARY], [
	AS_IF([test "$maui_with_slurm" = yes],
		[maui_plugins="for Slurm $SLURM_VERSION, into $slurmplugindir"], [maui_plugins="no"])
	AS_IF([test "$maui_with_criterion" = yes],
		[maui_unit="yes"], [maui_unit="SKIPPED, Criterion not found"])
	AS_IF([test "$enable_fuzz" = yes], [maui_fuzz="libFuzzer"], [maui_fuzz="replay only"])
	AS_IF([test $maui_has_report = 1], [maui_page="yes"], [maui_page="no"])
	AC_MSG_NOTICE([$PACKAGE_NAME $PACKAGE_VERSION
  plugins      $maui_plugins
  maui report  $maui_page
  unit tests   $maui_unit
  sanitizers   $enable_sanitize
  fuzzers      $maui_fuzz])
	AS_IF([test -n "$maui_plugindir_line"], [AC_MSG_NOTICE([slurm.conf needs this line:
  $maui_plugindir_line])])
])
