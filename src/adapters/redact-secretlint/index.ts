import type { Redacted, Redactor } from '../../ports/redactor.ts'
import { findByPattern } from './patterns.ts'

/** Secrets by the rules of secretlint and some of our own. Text without a trace of one costs a single pass. */
export const secretlintRedactor: Redactor = {
  async redact(text) {
    const spans = findByPattern(text)
    if (PRESET_TRACE.test(text)) {
      const { findByPreset } = await import('./preset.ts')
      spans.push(...(await findByPreset(text)))
    }
    return spans.length === 0 ? { text, count: 0 } : mask(text, joinOverlapping(spans))
  },
}

/** From and to, in UTF-16 units. */
export type Span = readonly [from: number, to: number]

// Something of this stands in every value that a rule of the preset accepts.
const PRESET_TRACE =
  /SECRET|secret|Secret|_authToken|npm_|xox[a-z]-|xapp-|hooks\.slack|T3BlbkFJ|sk-ant|gsk_|hf_|lin_api|ntn_|SG\.|shp(?:pa|ca|at|ss)_|gh[pousr]_|github_pat|glpat-|gl(?:c|sa)_|ops_ey|hv[sbr]\.|vc[picrk]_|vca_|dapi|dckr_|figd_/

function joinOverlapping(spans: readonly Span[]): readonly Span[] {
  const joined: [number, number][] = []
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = joined.at(-1)
    if (last !== undefined && from < last[1]) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}

function mask(text: string, spans: readonly Span[]): Redacted {
  let masked = ''
  let end = 0
  for (const [from, to] of spans) {
    masked += `${text.slice(end, from)}[redacted]${text.slice(from, to).replaceAll(/[^\n]+/g, '')}`
    end = to
  }
  return { text: masked + text.slice(end), count: spans.length }
}
