# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_SLURM_PLUGINDIR - into which directory does slurmctld want its plugins?
#
# --with-slurm-plugindir=DIR   default: the directory beside slurmctld that holds select_cons_tres.so
#
# Defines MAUI_SLURM_OWN_PLUGINS, where slurmctld looks when slurm.conf has no PluginDir: Slurm's own.
# Sets slurmplugindir, and maui_plugindir_line for a directory that slurmctld does not search: the
# line that slurm.conf then needs, with Slurm's own plugins first.
AC_DEFUN([MAUI_SLURM_PLUGINDIR], [
	AC_ARG_WITH([slurm-plugindir],
		[AS_HELP_STRING([--with-slurm-plugindir=DIR], [where slurmctld looks for plugins (PluginDir)])],
		[], [with_slurm_plugindir=yes])
	AS_IF([test "$maui_with_slurm" = yes], [
		AC_MSG_CHECKING([for slurmctld's plugin directory])
		AS_CASE(["$with_slurm_plugindir"],
			[/* | yes], [MAUI_SLURM_PLUGINDIR_SEARCH],
			[AC_MSG_ERROR([--with-slurm-plugindir wants an absolute path, not $with_slurm_plugindir])])
		AC_DEFINE_UNQUOTED([MAUI_SLURM_OWN_PLUGINS], ["$slurmplugindir"],
			[Directory of Slurm's own plugins, "" when it was not found])
		AS_CASE(["$with_slurm_plugindir"], [/*], [MAUI_SLURM_PLUGINDIR_GIVEN])
		AC_MSG_RESULT([${slurmplugindir:-not found}])
		AS_IF([test -z "$slurmplugindir"],
			[AC_MSG_ERROR([no directory with select_cons_tres.so found: pass --with-slurm-plugindir=DIR (PluginDir of scontrol show config)])])
	])
	AC_SUBST([slurmplugindir])
])

AC_DEFUN([MAUI_SLURM_PLUGINDIR_GIVEN], [
	maui_dir=${with_slurm_plugindir%/}
	AS_IF([test "$slurmplugindir" != "$maui_dir"],
		[maui_plugindir_line=PluginDir=${slurmplugindir:+$slurmplugindir:}$maui_dir])
	slurmplugindir=$maui_dir
])

# Debian puts them into lib/<multiarch>/slurm-wlm, Slurm itself into lib/slurm or lib64/slurm.
AC_DEFUN([MAUI_SLURM_PLUGINDIR_SEARCH], [
	maui_multiarch=`$CC -print-multiarch 2>/dev/null`
	maui_slurm_prefix=/usr
	AS_CASE([$SLURMCTLD], [*/sbin/slurmctld], [maui_slurm_prefix=${SLURMCTLD%/sbin/slurmctld}])
	for maui_lib in "lib/$maui_multiarch" lib64 lib
	do
		for maui_name in slurm-wlm slurm
		do
			maui_dir=$maui_slurm_prefix/$maui_lib/$maui_name
			AS_IF([test -z "$slurmplugindir" && test -e "$maui_dir/select_cons_tres.so"],
				[slurmplugindir=$maui_dir])
		done
	done
])
