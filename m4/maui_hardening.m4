# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_HARDENING - which hardening flags do compiler and linker know?
#
# Sets HARDEN_CFLAGS and HARDEN_LDFLAGS. -z now also lets a slurmctld that lacks a symbol refuse
# the plugin when it loads it, instead of dying at the first call.
AC_DEFUN([MAUI_HARDENING], [
	AC_REQUIRE([MAUI_SANITIZE])
	MAUI_CC_FLAG([HARDEN_CFLAGS],
		[-fstack-protector-strong -fstack-clash-protection -fcf-protection])
	# both hide from sanitizers what these would find; fortified functions need optimisation
	AS_IF([test "$enable_sanitize" = no], [
		MAUI_CC_FLAG([HARDEN_CFLAGS], [-ftrivial-auto-var-init=zero])
		AS_CASE([" $CFLAGS $CPPFLAGS "],
			[*_FORTIFY_SOURCE*|*" -O0 "*], [],
			[*" -O"*], [MAUI_CC_FLAG([HARDEN_CFLAGS], [-D_FORTIFY_SOURCE=3])
				AS_CASE([$HARDEN_CFLAGS], [*_FORTIFY_SOURCE*], [],
					[MAUI_CC_FLAG([HARDEN_CFLAGS], [-D_FORTIFY_SOURCE=2])])])
	])
	MAUI_LD_FLAG([HARDEN_LDFLAGS], [-Wl,-z,relro])
	MAUI_LD_FLAG([HARDEN_LDFLAGS], [-Wl,-z,now])
	MAUI_LD_FLAG([HARDEN_LDFLAGS], [-Wl,-z,noexecstack])
	AC_SUBST([HARDEN_CFLAGS])
	AC_SUBST([HARDEN_LDFLAGS])
])
