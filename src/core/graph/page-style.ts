/** The look of the page. Colours of the six types share lightness and chroma, so that none shouts. */
export const PAGE_STYLE = `
:root {
  --paper: #faf9f5; --card: #fffefb; --ink: #1f1e1b; --soft: #5d5a52; --faint: #918d83; --line: #e5e1d7; --wash: #f2efe7;
  --edge: #b9b3a6; --accent: #b4481d; --shadow: 0 1px 2px rgb(60 50 30 / .06), 0 12px 32px rgb(60 50 30 / .10);
  --architecture: oklch(.57 .115 255); --api_design: oklch(.57 .115 305); --infrastructure: oklch(.62 .115 55);
  --pattern: oklch(.57 .1 160); --refactor: oklch(.62 .1 100); --data_model: oklch(.58 .13 15); --untyped: oklch(.6 .01 80);
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Inter, Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif;
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, "Source Serif 4", Charter, Georgia, "Noto Serif", serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16171a; --card: #1d1f23; --ink: #ebe8e1; --soft: #aba79d; --faint: #77746c; --line: #2d2f34; --wash: #24262b;
    --edge: #565860; --accent: #f0905f; --shadow: 0 1px 2px rgb(0 0 0 / .3), 0 16px 40px rgb(0 0 0 / .45);
    --architecture: oklch(.74 .105 255); --api_design: oklch(.74 .105 305); --infrastructure: oklch(.77 .105 60);
    --pattern: oklch(.76 .1 160); --refactor: oklch(.8 .1 100); --data_model: oklch(.74 .115 15); --untyped: oklch(.7 .01 80);
  }
}
.t-architecture { --c: var(--architecture) } .t-api_design { --c: var(--api_design) } .t-infrastructure { --c: var(--infrastructure) }
.t-pattern { --c: var(--pattern) } .t-refactor { --c: var(--refactor) } .t-data_model { --c: var(--data_model) } .t-untyped { --c: var(--untyped) }
* { box-sizing: border-box }
[hidden] { display: none !important }
html, body { height: 100% }
body { margin: 0; display: flex; flex-direction: column; overflow: hidden; background: var(--paper); color: var(--ink); font: 13px/1.5 var(--sans); -webkit-font-smoothing: antialiased }
button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; text-align: left }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
svg:focus-visible { outline: none }
.count, time, .number, .card-label, .card-date { font-variant-numeric: tabular-nums }

#top { display: flex; align-items: center; gap: 28px; padding: 14px 20px 10px }
.brand { flex: 1 1 0; min-width: 0; display: flex; align-items: baseline; gap: 12px; white-space: nowrap }
.brand h1 { margin: 0; font: 600 20px/1.3 var(--serif); letter-spacing: -.01em; overflow: hidden; text-overflow: ellipsis }
.brand p { margin: 0; color: var(--faint) }
.brand .partial { color: var(--accent) }
nav { display: flex; gap: 2px; padding: 3px; border-radius: 10px; background: var(--wash) }
nav button { padding: 4px 14px; border-radius: 7px; color: var(--soft) }
nav button:hover { color: var(--ink) }
nav button[aria-selected=true] { background: var(--card); color: var(--ink); box-shadow: 0 1px 2px rgb(0 0 0 / .10) }
.search { flex: 1 1 0; display: flex; justify-content: flex-end; position: relative }
.search input { width: 260px; padding: 7px 30px 7px 12px; border: 1px solid var(--line); border-radius: 9px; background: var(--card); color: var(--ink); font: inherit; appearance: none }
.search input::placeholder { color: var(--faint) }
.search input:focus { outline: none; border-color: var(--accent) }
.search input::-webkit-search-cancel-button { display: none }
.search kbd { position: absolute; right: 9px; top: 8px; padding: 0 6px; border: 1px solid var(--line); border-radius: 5px; color: var(--faint); font: 11px/17px var(--mono); pointer-events: none }
.search input:focus + kbd { visibility: hidden }
#matches { position: absolute; z-index: 5; top: 40px; right: 0; width: 400px; max-width: calc(100vw - 24px); margin: 0; padding: 6px; list-style: none; background: var(--card); border: 1px solid var(--line); border-radius: 12px; box-shadow: var(--shadow) }
#matches li { display: flex; gap: 9px; align-items: baseline; padding: 6px 9px; border-radius: 7px; cursor: pointer }
#matches li[aria-selected=true], #matches li:hover { background: var(--wash) }
#matches b, .relation b, .browse-facts b { font: 500 11.5px/1.5 var(--mono); color: var(--soft) }
#matches span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }

#filters { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 18px; padding: 0 20px 10px; border-bottom: 1px solid var(--line) }
.group { display: flex; flex-wrap: wrap; align-items: center; gap: 2px }
.group > span { color: var(--faint); margin-right: 4px }
.group:first-child > span { display: none }
.group:first-child { margin-left: -8px }
.chip { display: inline-flex; align-items: center; gap: 7px; padding: 3px 8px; border-radius: 7px; color: var(--soft) }
.chip:hover { background: var(--wash); color: var(--ink) }
.chip[aria-pressed=false] { color: var(--faint); text-decoration: line-through }
.chip[aria-pressed=false] .mark { opacity: .25 }
.chip .count { color: var(--faint); font-size: 11.5px }
.plain { --c: var(--soft) }
.mark { flex: none; display: inline-block; width: 9px; height: 9px; border-radius: 50%; background: var(--c); border: 1.5px solid var(--c) }
.s-superseded > .mark, .s-superseded .number .mark, .s-superseded .browse-facts .mark { background: transparent }

main { position: relative; flex: 1; min-height: 0; overflow: hidden }
.view { position: absolute; inset: 0 }
.surface { display: block; width: 100%; height: 100%; cursor: grab; touch-action: none; user-select: none; -webkit-user-select: none }
.surface:active { cursor: grabbing }
.dot { fill: var(--c); stroke: var(--c); stroke-width: 1.6 }
.c-medium.dot { fill-opacity: .62 } .c-low.dot { fill-opacity: .28 }
.s-superseded.dot { fill: var(--paper); fill-opacity: 1 }
.dots .dot { cursor: pointer }
.focused .dot:not(.near) { opacity: .22 }
.dot.off { opacity: .07 !important; pointer-events: none }
.dot.chosen { stroke: var(--accent); stroke-width: 3 }
.field { fill: var(--wash); opacity: .65 }
.field-name { font: 11px var(--sans); font-size: calc(11 * var(--px)); dominant-baseline: hanging; fill: var(--faint); text-anchor: middle; letter-spacing: .02em }
.link { fill: none; stroke: var(--edge) }
.link.replaces { stroke-width: 1.4 }
#view-graph .link.replaces { marker-end: url(#arrow) }
.link.cites { stroke-width: .8; stroke-dasharray: 2.5 3; opacity: .7 }
#arrow path { fill: var(--edge); fill: context-stroke }
.focused .link:not(.near), .filtered .link:not(.near) { opacity: .16 }
.link.near { stroke: var(--ink); opacity: 1 }
.overlay { pointer-events: none }
.labels text { font: 11.5px var(--sans); fill: var(--ink); stroke: var(--paper); stroke-width: 3px; stroke-linejoin: round; paint-order: stroke }
.zoom { position: absolute; left: 20px; bottom: 14px; display: flex; border: 1px solid var(--line); border-radius: 9px; background: var(--card); overflow: hidden }
.zoom button { min-width: 32px; padding: 5px 9px; text-align: center; color: var(--soft) }
.zoom button + button { border-left: 1px solid var(--line) }
.zoom button:hover { background: var(--wash); color: var(--ink) }
.legend { position: absolute; left: 152px; bottom: 14px; margin: 0; display: flex; align-items: center; gap: 7px; color: var(--faint); font-size: 12px; line-height: 32px; pointer-events: none }
.line { width: 22px; border-top: 1.5px solid var(--edge) }
.line.dashed { border-top-style: dashed; margin-left: 12px }

.card { cursor: pointer }
.card-face { fill: var(--card); stroke: var(--line) }
.card:hover .card-face { stroke: var(--edge) }
.card.chosen .card-face { stroke: var(--accent); stroke-width: 2 }
.card.off { opacity: .15 }
.card-label { font: 500 11.5px var(--mono); fill: var(--soft) }
.card-date { font: 11px var(--sans); fill: var(--faint); text-anchor: end }
.card-title { font: 13px var(--sans); fill: var(--ink) }
.s-superseded .card-title { fill: var(--soft) }
.card.s-superseded .card-face { fill: var(--paper); stroke-dasharray: 4 3 }
.card .dot { pointer-events: none }

.lane { fill: var(--c); opacity: .022 }
.lane.even { opacity: .055 }
.tick { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke }
.tick.major { stroke: var(--edge) }
.tick-name { font: 11px var(--sans); fill: var(--faint) }
.tick-name.major { fill: var(--ink); font-weight: 600 }
.edge { fill: var(--paper); opacity: .86 }
.lane-name { font: 500 12px var(--sans); fill: var(--c) }

#view-browse { overflow-y: auto }
.browse { max-width: 1240px; margin: 0 auto; padding: 10px 20px 60px }
.browse h2 { display: flex; align-items: baseline; gap: 10px; margin: 26px 0 12px; font: 600 15px var(--serif); color: var(--c) }
.browse h2 .count { font: 12px var(--sans); color: var(--faint) }
.browse-grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(270px, 1fr)); gap: 12px }
.browse-card { display: flex; flex-direction: column; gap: 5px; padding: 13px 15px 14px; border: 1px solid var(--line); border-radius: 12px; background: var(--card); content-visibility: auto; contain-intrinsic-size: auto 128px }
.browse-card:hover { border-color: var(--edge) }
.browse-card.chosen { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent) }
.browse-card.s-superseded { background: none; border-style: dashed }
.browse-card.s-superseded strong { color: var(--soft) }
.browse-facts { display: flex; align-items: center; gap: 8px }
.browse-facts time { margin-left: auto; color: var(--faint); font-size: 12px }
.browse-card strong { font: 600 14px/1.4 var(--sans); letter-spacing: -.003em; overflow-wrap: anywhere }
.excerpt { color: var(--soft); display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; overflow-wrap: anywhere }
.empty { position: absolute; inset: 0; margin: 0; display: grid; place-items: center; color: var(--faint); font: 17px var(--serif) }
.browse .empty { position: static; padding: 80px 0 }

#panel { position: absolute; z-index: 3; top: 14px; right: 14px; bottom: 14px; width: 420px; padding: 18px 26px 30px; overflow-y: auto; background: var(--card); border-radius: 16px; box-shadow: 0 0 0 1px var(--line), var(--shadow); transform: translateX(calc(100% + 40px)); visibility: hidden; transition: transform .22s cubic-bezier(.2, .8, .2, 1), visibility .22s }
#panel.open { transform: none; visibility: visible }
#panel > header { display: flex; align-items: center; justify-content: space-between }
.number { display: flex; align-items: center; gap: 9px; margin: 0; font: 500 12px var(--mono); color: var(--soft) }
.close { width: 30px; height: 30px; margin-right: -9px; border-radius: 8px; text-align: center; font-size: 21px; line-height: 28px; color: var(--faint) }
.close:hover { background: var(--wash); color: var(--ink) }
#panel h2 { margin: 6px 0 10px; font: 600 23px/1.25 var(--serif); letter-spacing: -.012em; text-wrap: balance; overflow-wrap: anywhere }
.facts { display: flex; flex-wrap: wrap; gap: 2px 14px; margin: 0 0 6px; color: var(--faint); font-size: 12.5px }
.badge { color: var(--pattern); font-weight: 600 }
.badge.s-superseded { color: var(--accent) }
#panel h3 { margin: 24px 0 7px; font: 600 11px var(--sans); letter-spacing: .07em; text-transform: uppercase; color: var(--faint) }
.relation { display: flex; align-items: baseline; gap: 9px; width: calc(100% + 18px); margin: 0 -9px; padding: 5px 9px; border-radius: 8px }
.relation:hover { background: var(--wash) }
.prose { margin-top: 18px }
.prose, details { font-size: 14px; line-height: 1.62; overflow-wrap: anywhere }
.prose p, .prose ul, .prose ol, .prose pre, .prose blockquote, details p, details ul { margin: 0 0 .8em }
.prose h4, details h4 { margin: 1.3em 0 .4em; font: 600 14.5px var(--sans) }
.prose ul, .prose ol, details ul { padding-left: 1.2em }
blockquote { margin-left: 0; padding-left: 14px; border-left: 2px solid var(--line); color: var(--soft) }
code { font: .88em var(--mono); background: var(--wash); padding: .1em .35em; border-radius: 4px }
pre { padding: 12px 14px; border-radius: 9px; background: var(--wash); overflow-x: auto; line-height: 1.5 }
pre code { padding: 0; background: none }
.address { color: var(--faint) }
.reference { color: var(--accent); text-decoration: underline; text-decoration-color: color-mix(in oklab, var(--accent) 35%, transparent); text-underline-offset: 3px }
details { margin: 0 0 4px; color: var(--soft) }
summary { margin-bottom: 2px; color: var(--ink); cursor: pointer; list-style: none; font-weight: 600 }
summary::-webkit-details-marker { display: none }
.question { max-width: 760px; margin: 0 0 8px; color: var(--soft); overflow-wrap: anywhere }
.path { margin: 0 0 2px; font: 12px/1.6 var(--mono); color: var(--soft); overflow-wrap: anywhere }

footer { display: flex; gap: 20px; justify-content: space-between; padding: 7px 20px 8px; border-top: 1px solid var(--line); color: var(--faint); font-size: 12px; white-space: nowrap }
footer p { margin: 0 }
#insights { display: flex; gap: 22px; overflow: hidden }
#insights b { color: var(--soft); font-weight: 600 }
#insights button:hover b { color: var(--accent) }
#tip { position: fixed; z-index: 6; top: 0; left: 0; max-width: 340px; padding: 8px 12px; pointer-events: none; background: var(--card); border: 1px solid var(--line); border-radius: 10px; box-shadow: var(--shadow) }
#tip b { display: block; font-weight: 600; overflow-wrap: anywhere }
#tip span { color: var(--faint) }
noscript { position: fixed; inset: 0; display: grid; place-items: center; background: var(--paper) }

@media (max-width: 900px) {
  #top { flex-wrap: wrap; gap: 10px 16px }
  .brand { flex-basis: 100%; flex-wrap: wrap; gap: 0 12px }
  .search { justify-content: stretch } .search input { width: 100% }
  #filters { flex-wrap: nowrap; overflow-x: auto } .group { flex-wrap: nowrap }
  .chip { white-space: nowrap }
  #panel { top: auto; left: 8px; right: 8px; bottom: 8px; width: auto; max-height: 72%; transform: translateY(calc(100% + 40px)) }
  #insights { display: none }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important } }
`
