import { strip, stripEnd } from '../text.ts'
import { outsideFences } from '../text/markdown-fences.ts'
import type { RejectedAlternative } from './decision.ts'

const DECISION_HEADING = '## Decision'
const REJECTED_HEADING = '## Rejected Alternatives'

export interface Sections {
  readonly rationale: string
  readonly rejected: readonly RejectedAlternative[]
}

/**
 * Splits a body at the first `## Decision` and the last `## Rejected Alternatives` after it; headings inside code
 * fences do not count.
 */
export function splitSections(body: string): Sections | undefined {
  const lines = body.split('\n')
  const open = outsideFences(lines)
  const start = lines.findIndex((line, i) => open[i] && stripEnd(line) === DECISION_HEADING)
  if (start < 0) return undefined
  const end = lines.findLastIndex((line, i) => i > start && open[i] && stripEnd(line) === REJECTED_HEADING)
  if (end < 0) return { rationale: strip(lines.slice(start + 1).join('\n')), rejected: [] }
  return {
    rationale: strip(lines.slice(start + 1, end).join('\n')),
    rejected: splitAlternatives(lines.slice(end + 1).join('\n')),
  }
}

// Sub-headings split even inside a fence: the format was defined so, and files in the wild rely on it.
function splitAlternatives(text: string): RejectedAlternative[] {
  const parts = text.split(/^###[^\S\n]([^\n]+)$/m)
  const alternatives: RejectedAlternative[] = []
  for (let i = 1; i < parts.length; i += 2) {
    alternatives.push({ name: strip(parts[i]!), reason: strip(parts[i + 1] ?? '') || null })
  }
  return alternatives
}
