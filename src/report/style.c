/* SPDX-License-Identifier: GPL-2.0-or-later */
/* style.c - colours, patterns and layout of a page: light, dark, on paper, on narrow screens
 *
 * People who see no red or green can distinguish the colours (after Okabe and Ito); each also has a
 * pattern of its own, so that the page reads in black and white.
 *
 * Rules: CMD-38.
 */

#include "report/pictures.h"

const char maui_picture_style[] =
	":root{color-scheme:light dark;--paper:#fff;--ink:#1a1c1e;--soft:#5b6066;--grid:#d8dbde;"
	"--edge:#2c3035;--now:#b3261e;--running:#8fc1e3;--starting:#cfe6f5;--suspended:#cbbfe0;"
	"--reserved:#f3be74;--free:#dff3e6;--held:#bfe3c8;--standing:#f2e7b0;--user:#efcfe0;"
	"--system:#e3a5a0;--slurm:#dcd6ca;--down:#9a9da1;--k1:#bda8d8;--k2:#f1c993;--k3:#a9d3cf;"
	"--k4:#e7a8b4;--k5:#d4d38a;--k6:#c9ccd1;--over:#d9783b;--under:#4f9d8a}\n"
	"@media(prefers-color-scheme:dark){:root{--paper:#15181c;--ink:#eceff2;--soft:#a9b0b8;"
	"--grid:#363c43;--edge:#c3c9d0;--now:#ff8a80;--running:#24597d;--starting:#37718f;"
	"--suspended:#54467a;--reserved:#8a5a14;--free:#1d3a2a;--held:#2c5a3c;--standing:#5c5320;"
	"--user:#65405a;--system:#7a3530;--slurm:#4a463e;--down:#50555b;--k1:#57437a;--k2:#7d5a22;"
	"--k3:#2b5f5b;--k4:#7c3a48;--k5:#5b5a1c;--k6:#474c53;--over:#a4511d;--under:#2b6d5d}}\n"
	"@media print{:root{--paper:#fff;--ink:#000;--soft:#333;--grid:#bbb;--edge:#000}"
	"body{max-width:none}section{break-inside:avoid}}\n"
	"body{margin:0 auto;padding:16px;max-width:1000px;background:var(--paper);color:var(--ink);"
	"font:16px/1.4 \"DejaVu Sans\",\"Liberation Sans\",Arial,sans-serif}\n"
	"h1{font-size:1.5em;margin:0 0 .2em;overflow-wrap:anywhere}"
	"h2{font-size:1.15em;margin:1.4em 0 .3em;overflow-wrap:anywhere}"
	"p{margin:.2em 0;color:var(--soft);overflow-wrap:anywhere}"
	"figure{margin:0;overflow-x:auto}\n"
	"table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
	"th,td{padding:.15em .8em;border-bottom:1px solid var(--grid);text-align:right}"
	"th{color:var(--soft);font-weight:normal}"
	"th:first-child,td:first-child,th:nth-child(2),td:nth-child(2){text-align:left}\n"
	"section>div{display:grid;gap:16px}\n"
	"@media(min-width:1500px){body.pair{max-width:1900px}"
	".pair section>div{grid-template-columns:1fr 1fr}}\n"
	"svg[role=img]{display:block;width:100%;height:auto;min-width:760px}"
	"svg[role=img]{font-family:\"DejaVu Sans\",\"Liberation Sans\",Arial,sans-serif}\n"
	"text{fill:var(--ink)}"
	"g text{paint-order:stroke;stroke:var(--paper);stroke-width:4px;stroke-linejoin:round;"
	"stroke-opacity:.75}"
	".node text,.why>svg text{stroke:none}"
	"rect{stroke:var(--edge);stroke-width:1.2}g>path{stroke:none}"
	"line{stroke:var(--grid);stroke-width:1}"
	"line.now{stroke:var(--now);stroke-width:4}"
	"line.zero,line.target{stroke:var(--ink);stroke-width:3}\n"
	".running>rect,.running>path{fill:var(--running)}"
	".several>rect{fill:url(#p-several)}"
	".starting>rect{fill:url(#p-starting)}"
	".suspended>rect{fill:url(#p-suspended)}"
	".reserved>rect{fill:url(#p-reserved)}"
	".free>rect,.free>path{fill:var(--free);stroke-dasharray:7 4}"
	".held>rect{fill:url(#p-held)}"
	".standing>rect,.standing>path{fill:url(#p-standing)}"
	".user>rect{fill:url(#p-user)}"
	".system>rect{fill:url(#p-system)}"
	".slurm>rect{fill:url(#p-slurm)}"
	".down>rect,.down>path{fill:url(#p-down)}\n"
	".k0>rect{fill:var(--running)}"
	".k1>rect{fill:url(#p-k1)}"
	".k2>rect,.k2>path{fill:url(#p-k2)}"
	".k3>rect{fill:url(#p-k3)}"
	".k4>rect{fill:url(#p-k4)}"
	".k5>rect{fill:url(#p-k5)}"
	".k6>rect{fill:var(--k6)}"
	".over>rect{fill:url(#p-over)}"
	".under>rect{fill:var(--under)}\n";

struct pattern {
	const char *name, *ground; /* a variable of the style sheet */
	const char *path;          /* within 12 x 12 */
};

static const struct pattern patterns[] = {
	{ "starting", "starting", "M0 6H12" },
	{ "several", "running", "M0 3H12M0 9H12" },
	{ "suspended", "suspended", "M6 0V12" },
	{ "reserved", "reserved", "M-3 9L3 15M-3 -3L15 15M9 -3L15 3" },
	{ "held", "held", "M5 6H7" },
	{ "standing", "standing", "M-3 3L3 -3M-3 15L15 -3M9 15L15 9" },
	{ "user", "user", "M0 6H12M6 0V12" },
	{ "system", "system", "M-3 -3L15 15M-3 15L15 -3" },
	{ "slurm", "slurm", "M0 2H12M0 8H5" },
	{ "down", "down", "M3 0V12M9 0V12" },
	{ "k1", "k1", "M6 0V12" },
	{ "k2", "k2", "M2 3H4M8 9H10" },
	{ "k3", "k3", "M0 6H12" },
	{ "k4", "k4", "M-3 3L3 -3M-3 15L15 -3M9 15L15 9" },
	{ "k5", "k5", "M5 6H7" },
	{ "over", "over", "M-3 9L3 15M-3 -3L15 15M9 -3L15 3" },
};

void maui_picture_patterns(struct maui_strbuf *out)
{
	maui_strbuf_addf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"0\" height=\"0\" "
			      "style=\"position:absolute\" aria-hidden=\"true\"><defs>\n");
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		maui_strbuf_addf(out,
				 "<pattern id=\"p-%s\" width=\"12\" height=\"12\" "
				 "patternUnits=\"userSpaceOnUse\"><path d=\"M0 0H12V12H0Z\" "
				 "style=\"fill:var(--%s)\"/><path d=\"%s\" style=\"fill:none;"
				 "stroke:var(--edge);stroke-width:1.4;opacity:.55\"/></pattern>\n",
				 patterns[i].name, patterns[i].ground, patterns[i].path);
	maui_strbuf_addf(out, "</defs></svg>\n");
}
