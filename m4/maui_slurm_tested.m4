# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_SLURM_TESTED - is this a release of Slurm that slurm-maui was tested on?
#
# --enable-untested-slurm   build for any release that has the headers
#
# The releases are those of the table in doc/slurm-compatibility.md. A plugin reads slurmctld's own
# structures: where a release means something else by a field, it compiles and decides wrongly.
AC_DEFUN([MAUI_SLURM_TESTED], [
	AC_ARG_ENABLE([untested-slurm],
		[AS_HELP_STRING([--enable-untested-slurm],
			[build the plugins for a Slurm release that nobody has tested])],
		[], [enable_untested_slurm=no])
	maui_slurm_tested="22.05.8 24.11.5 25.05.8 25.11.7 26.05.3"
	AS_IF([test "$maui_with_slurm" = yes], [
		AC_MSG_CHECKING([whether Slurm $SLURM_VERSION is tested])
		AS_CASE([" $maui_slurm_tested "],
			[*" $SLURM_VERSION "*], [AC_MSG_RESULT([yes])],
			[
				AC_MSG_RESULT([no])
				AS_IF([test "$enable_untested_slurm" != yes],
					[AC_MSG_ERROR([slurm-maui was not tested with Slurm $SLURM_VERSION, only with $maui_slurm_tested (doc/slurm-compatibility.md); --enable-untested-slurm builds it all the same])])
				AC_MSG_WARN([slurm-maui was not tested with Slurm $SLURM_VERSION: try it where no job is lost])
			])
	])
])
