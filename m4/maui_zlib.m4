# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_ZLIB - where is zlib, with which maui-sim reads gzipped workload traces?
#
# Without it only plain ones are read. Defines MAUI_HAVE_ZLIB, sets ZLIB_CFLAGS and ZLIB_LIBS.
AC_DEFUN([MAUI_ZLIB], [
	PKG_CHECK_MODULES([ZLIB], [zlib], [have_zlib=yes], [have_zlib=no])
	AS_IF([test "$have_zlib" = yes],
		[AC_DEFINE([MAUI_HAVE_ZLIB], [1], [Whether maui-sim reads gzipped traces])])
	AM_CONDITIONAL([HAVE_ZLIB], [test "$have_zlib" = yes])
])
