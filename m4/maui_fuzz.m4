# SPDX-License-Identifier: GPL-2.0-or-later
# MAUI_FUZZ - are the fuzz targets linked with libFuzzer, or with the replay main?
#
# --enable-fuzz   needs CC=clang; implies --enable-sanitize
#
# Sets FUZZ_CFLAGS (all code) and FUZZ_LDFLAGS (the targets) and the conditional FUZZ.
AC_DEFUN([MAUI_FUZZ], [
	AC_REQUIRE([MAUI_SANITIZE])
	AC_ARG_ENABLE([fuzz],
		[AS_HELP_STRING([--enable-fuzz], [link the fuzz targets with libFuzzer (needs CC=clang)])],
		[], [enable_fuzz=no])
	AS_IF([test "$enable_fuzz" = yes], [
		FUZZ_CFLAGS="-fsanitize=fuzzer-no-link"
		FUZZ_LDFLAGS="-fsanitize=fuzzer"
		MAUI_SANITIZE_LINKS([$SANITIZE_CFLAGS $FUZZ_LDFLAGS], [libFuzzer (clang has it)],
			[int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n);
			int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return !d && n; }])
	])
	AC_SUBST([FUZZ_CFLAGS])
	AC_SUBST([FUZZ_LDFLAGS])
	AM_CONDITIONAL([FUZZ], [test "$enable_fuzz" = yes])
])
