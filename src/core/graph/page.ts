import { sha256 } from '../sha256.ts'
import { plural } from '../text.ts'
import type { DecisionGraph } from './graph.ts'
import { layoutGraph, type Layout } from './layout.ts'

const PAGE_MARK = '<meta name="generator" content="ken graph">'

/** Whether a file is a graph that Ken wrote, as a page or as JSON. */
export const isOwnGraph = (text: string): boolean =>
  (text.startsWith('<!doctype html>') && text.slice(0, 2000).includes(PAGE_MARK)) ||
  /^\{\s*"generator": "ken graph"/.test(text)

/** What the page carries as JSON. */
export interface PageData {
  readonly graph: DecisionGraph
  readonly layout: Layout
}

/** What makes the page live in a browser, built from `web/graph`: plain JavaScript without imports, and CSS. */
export interface GraphViewer {
  readonly script: string
  readonly style: string
}

const VIEWS = { graph: 'Graph', lineage: 'Lineage', timeline: 'Timeline', browse: 'Browse' }

/**
 * One HTML file that needs nothing else: it makes no request, and only its own script and style, known by their hashes,
 * can run.
 */
export function graphPage(graph: DecisionGraph, { script, style }: GraphViewer): string {
  const data: PageData = { graph, layout: layoutGraph(graph) }
  const policy = [
    `default-src 'none'`,
    `script-src '${sourceHash(script)}'`,
    `style-src '${sourceHash(style)}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
${PAGE_MARK}
<title>${escapeHtml(graph.project.name)} · decisions</title>
<style>${style}</style>
</head>
<body>
${body(graph)}
<script type="application/json" id="graph-data">${jsonInHtml(data)}</script>
<script>${script}</script>
</body>
</html>
`
}

function body({ project, stats, generated_at, unreadable }: DecisionGraph): string {
  const counts = [
    plural(stats.decisions, 'decision'),
    `${stats.active} active`,
    ...(stats.open_questions > 0 ? [plural(stats.open_questions, 'open question')] : []),
  ]
  const faults = [
    ...(unreadable.length > 0 ? [`${plural(unreadable.length, 'file')} could not be read`] : []),
    ...(stats.duplicate_numbers.length > 0 ? [`numbers used twice: ${stats.duplicate_numbers.join(', ')}`] : []),
  ]
  const tabs = Object.entries(VIEWS).map(
    ([id, name], i) =>
      `<button type="button" role="tab" id="tab-${id}" aria-controls="view-${id}" aria-selected="false" title="${name} (${i + 1})">${name}</button>`,
  )
  const views = Object.keys(VIEWS).map(
    (id) => `<div class="view" role="tabpanel" id="view-${id}" aria-labelledby="tab-${id}" hidden></div>`,
  )
  return `<header id="top">
<div class="brand"><h1>${escapeHtml(project.name)}</h1><p id="counts" role="status">${counts.join(' · ')}</p></div>
<nav role="tablist" aria-label="Views">${tabs.join('')}</nav>
<div class="search"><input id="search" type="search" placeholder="Number or title" aria-label="Search by number or title" role="combobox" aria-expanded="false" aria-controls="matches" autocomplete="off" spellcheck="false"><kbd>/</kbd><ul id="matches" role="listbox" hidden></ul></div>
</header>
<div id="filters"></div>
<main>
${stats.decisions === 0 ? '<p class="empty">The record has no decisions yet.</p>\n' : ''}${views.join('\n')}
<aside id="panel" aria-label="Decision" inert></aside>
</main>
<footer><div id="insights"></div><p>${[...faults, `as of ${escapeHtml(generated_at.slice(0, 10))}`].join(' · ')}</p></footer>
<div id="tip" role="tooltip" hidden></div>
<noscript>This page draws the decisions with JavaScript, which is turned off here.</noscript>`
}

/** JSON that cannot end the script element it stands in, whatever the titles say. */
export const jsonInHtml = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!)

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The hash of an inline script or style as a content security policy wants it. */
function sourceHash(text: string): string {
  // 256 bits are 42 groups of six and four bits more; base64 fills them up with zeros and one `=`.
  const bits = [...sha256(text)].map((digit) => parseInt(digit, 16).toString(2).padStart(4, '0')).join('')
  const groups = bits.padEnd(258, '0').match(/.{6}/g)!
  return `sha256-${groups.map((group) => BASE64[parseInt(group, 2)]).join('')}=`
}
