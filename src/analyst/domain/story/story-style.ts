/** Style of a story on a page and on paper. Uses the chart colours. */
export const STORY_STYLE = `
:root { color-scheme: light dark; --paper: #fbfaf7; --ink: #1d1c1a; --soft: #5c5952; --line: #e3e1dc; --tint: #f2f0ea; --accent: #0b6b62; --warn: #9a3412; }
@media (prefers-color-scheme: dark) { :root { --paper: #171716; --ink: #ecebe7; --soft: #a8a59d; --line: #35342f; --tint: #22211e; --accent: #5cc2b5; --warn: #f0a07a; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
main, footer { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.5rem 0; }
footer { margin-top: 2.5rem; padding: 1rem 1.5rem 3rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .8125rem; }
footer p { margin: .25rem 0; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 2em 0 .6em; text-wrap: balance; }
h1 { font-size: 2rem; margin-top: 0; letter-spacing: -.015em; }
h2 { font-size: 1.375rem; }
h3 { font-size: 1.125rem; }
h4, h5, h6 { font-size: 1rem; }
p, ul, ol, blockquote, pre, .scroll, figure, .grid { margin: 0 0 1.1rem; }
p, li, blockquote { max-width: 44rem; }
li { margin: .2rem 0; }
li > ul, li > ol { margin: .2rem 0; }
a { color: var(--accent); }
hr { border: 0; border-top: 1px solid var(--line); margin: 2rem 0; }
blockquote { margin-left: 0; padding: .1rem 0 .1rem 1rem; border-left: 3px solid var(--line); color: var(--soft); }
code { font: .875em ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; background: var(--tint); padding: .1em .3em; border-radius: 3px; }
pre { background: var(--tint); padding: .9rem 1rem; border-radius: 6px; overflow-x: auto; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; min-width: 50%; overflow-wrap: normal; }
th { text-align: left; font-weight: 600; border-bottom: 1.5px solid var(--soft); }
th, td { padding: .4rem 1.25rem .4rem 0; vertical-align: top; }
td { border-bottom: 1px solid var(--line); max-width: 28rem; overflow-wrap: anywhere; }
.right { text-align: right; }
.center { text-align: center; }
.null { color: var(--soft); }
figure.table figcaption { font-weight: 600; margin-bottom: .4rem; }
figure.table .scroll { margin: 0; }
.note, figure.chart figcaption { color: var(--soft); font-size: .8125rem; margin: .4rem 0 0; }
figure.chart svg { display: block; width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; }
.dark { display: none; }
@media screen and (prefers-color-scheme: dark) { .dark { display: block; } .light { display: none; } }
.grid { display: grid; gap: 1.25rem; align-items: start; }
.grid > div { min-width: 0; }
.grid > div > :last-child { margin-bottom: 0; }
.cols-2 { grid-template-columns: repeat(2, minmax(0, 1fr)); }
.cols-3 { grid-template-columns: repeat(3, minmax(0, 1fr)); }
.cols-4 { grid-template-columns: repeat(4, minmax(0, 1fr)); }
@media screen and (max-width: 44rem) { .grid { grid-template-columns: minmax(0, 1fr); } main { padding-top: 1.5rem; } }
.figure { border-bottom: 1px dotted var(--accent); }
.doubt { color: var(--warn); font-weight: 600; white-space: nowrap; }
.image { color: var(--soft); }
.problem { color: var(--warn); border: 1px solid currentColor; border-radius: 6px; padding: .6rem .9rem; }
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #1d1c1a; --soft: #5c5952; --line: #d8d5ce; --tint: #f4f2ec; --accent: #0b6b62; --warn: #9a3412; }
  @page { margin: 18mm 16mm; }
  body { font-size: 10.5pt; }
  main, footer { max-width: none; padding-left: 0; padding-right: 0; }
  h1, h2, h3, h4 { break-after: avoid; }
  figure.chart, tr, pre, blockquote { break-inside: avoid; }
  thead { display: table-header-group; }
  .scroll, pre { overflow: visible; }
  pre { white-space: pre-wrap; }
}
`
