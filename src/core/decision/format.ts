import { strip } from '../text.ts'
import { FRONTMATTER_KEYS, type Decision } from './decision.ts'
import { DecisionFault } from './fault.ts'
import { parseDecision, refuseContradictions } from './parse.ts'
import { endsInsideFence } from './sections.ts'
import { decisionStem } from './slug.ts'
import { yamlString } from './yaml-string.ts'

/** The canonical text of a decision. Reading it and formatting again gives the same bytes. */
export function formatDecision(decision: Decision): string {
  const sections = [
    `# ${String(decision.num).padStart(3, '0')} — ${strip(decision.title)}`,
    `## Decision\n\n${strip(decision.rationale)}`,
  ]
  if (decision.rejected.length > 0) {
    sections.push('## Rejected Alternatives')
    for (const { name, reason } of decision.rejected)
      sections.push(strip(`### ${strip(name)}\n\n${strip(reason ?? '')}`))
  }
  return `---\n${frontmatter(decision)}---\n\n${sections.join('\n\n')}\n`
}

/**
 * Formats a decision about to be written, and refuses one that would read back as something else:
 * an open code fence, a heading inside a reason, a line break in a title.
 */
export function formatFaithfully(decision: Decision): string {
  refuseContradictions(decision.status, decision.superseded_by, decision.rejected)
  const text = formatDecision(decision)
  const read = parseDecision(text, `${decisionStem(decision.num, decision.title)}.md`)
  if (read.title !== strip(decision.title))
    throw new DecisionFault('h1', 'the title would not read back: it must be one line')
  if (read.rationale !== strip(decision.rationale)) {
    const why = endsInsideFence(decision.rationale)
      ? 'it ends inside a code fence; close the fence'
      : 'it contains a "## Rejected Alternatives" heading; rename it'
    throw new DecisionFault('section', `the rationale would not read back: ${why}`)
  }
  const unfaithful = decision.rejected.find(
    (r, i) => read.rejected[i]?.name !== strip(r.name) || read.rejected[i].reason !== (strip(r.reason ?? '') || null),
  )
  if (unfaithful !== undefined || read.rejected.length !== decision.rejected.length) {
    throw new DecisionFault(
      'section',
      `the rejected alternative "${unfaithful?.name ?? ''}" would not read back: its name must be one line and its reason may not contain a "### " line`,
    )
  }
  return text
}

function frontmatter(decision: Decision): string {
  return FRONTMATTER_KEYS.map((key) => frontmatterLine(key, decision[key])).join('')
}

function frontmatterLine(key: string, value: string | number | null | readonly string[]): string {
  if (value === null) return ''
  if (Array.isArray(value))
    return value.length === 0 ? '' : `${key}:\n${value.map((item) => `- ${yamlString(item)}\n`).join('')}`
  return `${key}: ${key.startsWith('supersede') ? `'${String(value)}'` : String(value)}\n`
}
