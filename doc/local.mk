# SPDX-License-Identifier: GPL-2.0-or-later
# doc/local.mk - what is installed to be read

dist_doc_DATA += \
	ARCHITECTURE.md \
	COPYING \
	NEWS \
	README.md \
	# end of dist_doc_DATA

# An example for a site to copy; the site's own maui.cfg is never written.
dist_examples_DATA += \
	etc/maui.cfg \
	# end of dist_examples_DATA

dist_man_MANS += \
	doc/man/diagnose.1 \
	doc/man/maui-sim.1 \
	doc/man/maui.1 \
	doc/man/maui.cfg.5 \
	doc/man/releaseres.1 \
	doc/man/setres.1 \
	doc/man/showres.1 \
	# end of dist_man_MANS
