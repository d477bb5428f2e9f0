/** Style of the report: the colours of stories and the width of a table of models. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --paper: #fbfaf7; --card: #fff; --ink: #1d1c1a; --soft: #5c5952; --line: #e3e1dc; --tint: #f2f0ea; --accent: #0b6b62; --good: #0b6b62; --bad: #b3261e; --bad-tint: #fbe9e7; --good-tint: #e2f1ee; --warn: #8a4b08; --warn-tint: #fbeedb; }
@media (prefers-color-scheme: dark) { :root { --paper: #171716; --card: #1e1d1b; --ink: #ecebe7; --soft: #a8a59d; --line: #35342f; --tint: #26251f; --accent: #5cc2b5; --good: #5cc2b5; --bad: #ff9a8f; --bad-tint: #3d1f1c; --good-tint: #14332f; --warn: #f0b86a; --warn-tint: #3a2b14; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.55 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
main, footer { max-width: 76rem; margin: 0 auto; padding: 2.25rem 1.5rem 0; }
footer { padding-bottom: 3rem; color: var(--soft); font-size: .8125rem; }
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -.015em; margin: 0; text-wrap: balance; }
h2 { font-size: 1.125rem; line-height: 1.3; margin: 2.5rem 0 .75rem; }
h3 { font-size: .8125rem; line-height: 1.4; margin: 1.25rem 0 .4rem; color: var(--soft); font-weight: 600; }
p { margin: .5rem 0; max-width: 48rem; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code, pre, .mono { font: .8125rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
pre { margin: 0; background: var(--tint); padding: .65rem .8rem; border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 26rem; overflow: auto; }
.soft { color: var(--soft); }
.said { color: var(--soft); margin: .35rem 0; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); margin: 1.5rem 0 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.figures div { padding: .8rem 1rem; box-shadow: 1px 0 0 var(--line), 0 1px 0 var(--line); }
.figures dt { color: var(--soft); font-size: .8125rem; }
.figures dd { margin: .1rem 0 0; font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums; letter-spacing: -.01em; }
.figures dd small { display: block; font-size: .8125rem; font-weight: 400; color: var(--soft); letter-spacing: 0; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1rem; }
figure { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .9rem 1rem; }
figcaption { font-size: .8125rem; color: var(--soft); margin-bottom: .5rem; }
svg { display: block; width: 100%; height: auto; max-width: 30rem; }
svg text { font: 11px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: var(--soft); }
svg .grid { stroke: var(--line); stroke-width: 1; }
svg .line { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
svg .dot { fill: var(--accent); }
svg .dot.open { fill: var(--card); stroke: var(--accent); stroke-width: 2; }
svg .bar { fill: var(--accent); opacity: .45; }
svg .bar.last { opacity: 1; }
.charts + details { margin-top: .75rem; }
.charts + details > summary { cursor: pointer; color: var(--soft); font-size: .875rem; }
.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th { text-align: left; font-weight: 600; border-bottom: 1.5px solid var(--soft); }
th[scope=row] { border-bottom: 1px solid var(--line); font-weight: 400; }
th, td { padding: .35rem 1.25rem .35rem 0; vertical-align: top; }
td { border-bottom: 1px solid var(--line); max-width: 24rem; overflow-wrap: anywhere; }
.right { text-align: right; white-space: nowrap; }
.null { color: var(--soft); font-style: italic; }
.groups { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0 2.5rem; align-items: start; }
.groups table { width: 100%; }
ul.plain { list-style: none; margin: 0; padding: 0; }
ul.changes li { padding: .4rem 0; border-bottom: 1px solid var(--line); }
.of { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.verdict { display: inline-flex; align-items: center; gap: .35rem; font-size: .8125rem; font-weight: 600; white-space: nowrap; padding: .05rem .5rem; border-radius: 99px; }
.passed { color: var(--good); background: var(--good-tint); }
.failed { color: var(--bad); background: var(--bad-tint); }
.broken { color: var(--warn); background: var(--warn-tint); }
.unfinished { color: var(--soft); background: var(--tint); }
.tag { font-size: .75rem; color: var(--soft); border: 1px solid var(--line); border-radius: 4px; padding: 0 .35rem; white-space: nowrap; }
.filters { display: flex; flex-wrap: wrap; gap: .6rem; align-items: end; margin: 0 0 .75rem; padding: 0; border: 0; }
.filters label { display: grid; gap: .15rem; font-size: .8125rem; color: var(--soft); }
.filters label.wide { flex: 1 1 14rem; }
input, select, button { font: inherit; font-size: .875rem; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .4rem .6rem; min-height: 2.25rem; }
input, select { width: 100%; border-color: color-mix(in srgb, var(--soft) 55%, var(--line)); }
button { cursor: pointer; }
button:hover { background: var(--tint); }
.cases { border: 1px solid var(--line); border-radius: 8px; background: var(--card); overflow: clip; }
.row { display: grid; grid-template-columns: minmax(0, 1fr) repeat(var(--models), minmax(6.5rem, 10rem)); gap: .15rem 1rem; align-items: center; padding: .6rem 1rem; }
.head { color: var(--soft); font-size: .8125rem; border-bottom: 1px solid var(--line); background: var(--tint); padding-left: 2.25rem; }
details.case { border-bottom: 1px solid var(--line); }
details.case:last-child { border-bottom: 0; }
details.case > summary { cursor: pointer; list-style: none; padding-left: 2.25rem; position: relative; }
details.case > summary::-webkit-details-marker { display: none; }
details.case > summary::before { content: ""; position: absolute; left: 1rem; top: 1.05rem; width: .45rem; height: .45rem; border: solid var(--soft); border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg); }
details.case[open] > summary::before { transform: rotate(45deg); }
details.case > summary:hover { background: var(--tint); }
details.case[open] > summary { border-bottom: 1px solid var(--line); }
.every { grid-column: 2 / -1; }
.name { font-weight: 600; }
.about { display: flex; flex-wrap: wrap; gap: .1rem .5rem; align-items: baseline; font-size: .8125rem; color: var(--soft); }
.inside { padding: .25rem 1rem 1.25rem 2.25rem; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0 2rem; align-items: start; }
.columns > section { min-width: 0; }
.try { margin-top: 1rem; }
details.try > summary { cursor: pointer; }
.checks li { display: grid; grid-template-columns: 1.25rem minmax(0, 1fr); padding: .15rem 0; }
.checks .no { color: var(--bad); font-weight: 700; }
.checks .yes { color: var(--good); font-weight: 700; }
.checks .found { color: var(--soft); display: block; }
.difference { margin: .35rem 0 .75rem; }
.difference .expected { background: var(--good-tint); }
.difference .differs { background: var(--bad-tint); }
.difference td { padding: .25rem .6rem; overflow-wrap: break-word; }
.difference th { padding: .25rem .6rem; }
.call { margin: .3rem 0; }
.call summary { cursor: pointer; }
.call pre { margin-top: .35rem; }
.bad { color: var(--bad); }
.none { padding: 1.25rem 1rem; color: var(--soft); margin: 0; }
[hidden] { display: none !important; }
@media (max-width: 44rem) {
  main, footer { padding-left: 1rem; padding-right: 1rem; }
  main { padding-top: 1.5rem; }
  .head { display: none; }
  .row { grid-template-columns: minmax(0, 1fr); }
  .every { grid-column: auto; }
  .inside { padding-left: 1rem; }
  .of { position: static; width: auto; height: auto; clip-path: none; font-size: .8125rem; color: var(--soft); }
  .filters label { flex: 1 1 8rem; }
  .figures { grid-template-columns: repeat(2, 1fr); }
}
@media print { .filters { display: none; } details.case { break-inside: avoid; } pre { max-height: none; } }
`
