import { escapeHtml, sourceHash } from '../lone-page.ts'
import type { DecisionGraph } from './graph.ts'

const PAGE_MARK = '<meta name="generator" content="ken graph">'

/** Whether a file is a graph that Ken wrote, as a page or as JSON. */
export const isOwnGraph = (text: string): boolean =>
  (text.startsWith('<!doctype html>') && text.slice(0, 2000).includes(PAGE_MARK)) ||
  /^\{\s*"generator": "ken graph"/.test(text)

/** What makes the page live in a browser, built from `web/graph`: plain JavaScript without imports, and CSS. */
export interface GraphViewer {
  readonly script: string
  readonly style: string
}

/**
 * One HTML file that needs nothing else: it makes no request, and only its own script and style, known by their hashes,
 * can run.
 */
export function graphPage(graph: DecisionGraph, { script, style }: GraphViewer): string {
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
<div id="graph"></div>
<noscript>This page draws the decisions with JavaScript, which is turned off here.</noscript>
<script type="application/json" id="graph-data">${jsonInHtml(graph)}</script>
<script>${script}</script>
</body>
</html>
`
}

/** JSON that cannot end the script element it stands in, whatever the titles say. */
export const jsonInHtml = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
