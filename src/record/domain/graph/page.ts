import { generatorMark, lonePage } from '../../../kernel/domain/lone-page.ts'
import type { DecisionGraph } from './graph.ts'

const GENERATOR = 'ken graph'

/** Whether a file is a graph written by Ken, as a page or as JSON. */
export const isOwnGraph = (text: string): boolean =>
  (text.startsWith('<!doctype html>') && text.slice(0, 2000).includes(generatorMark(GENERATOR))) ||
  /^\{\s*"generator": "ken graph"/.test(text)

/** The page's browser code, built from `web/graph`: plain JavaScript without imports, and CSS. */
export interface GraphViewer {
  readonly script: string
  readonly style: string
}

/**
 * One self-contained HTML file: it makes no request, and only its own script and style, identified by hash, can run.
 */
export function graphPage(graph: DecisionGraph, { script, style }: GraphViewer): string {
  return lonePage({
    title: `${graph.project.name} · decisions`,
    generator: GENERATOR,
    style,
    script,
    body: `<div id="graph"></div>
<noscript>This page draws the decisions with JavaScript, which is turned off here.</noscript>
<script type="application/json" id="graph-data">${jsonInHtml(graph)}</script>`,
  })
}

/** JSON that cannot end its script element, whatever the titles contain. */
export const jsonInHtml = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
